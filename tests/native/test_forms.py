"""Functions that Numba has in another form give what NumPy gives."""

import numpy as np
import pytest

from s2sad import grad
from s2sad.frontend.diagnostics import DerivationError

pytest.importorskip("numba")

G = np.random.default_rng(5)
A, S, T, U = G.normal(size=(5, 6)), G.normal(size=(5, 5)), G.normal(size=(3, 5, 6)), G.normal(size=(3, 6, 5))


def joined(A):
    whole = np.concatenate([A[1:], A[:-1]], axis=0) * np.vstack([A[:-1], A[1:]])
    return np.sum(whole**2) + np.sum(np.stack([A[0], A[1]]) ** 3)


def rolled(A, k):
    return np.sum(np.roll(A, k, axis=0) * A) + np.sum(np.sum(np.roll(A, -1, axis=1) ** 2 * A, axis=0) ** 2)


def factored(S):
    return np.sum(np.linalg.cholesky(S @ S.T + np.eye(len(S))) ** 2)


def stacked(T, U, S):
    return np.sum(np.tanh(T @ U) ** 2) + np.sum((U @ T[:1]) * 0.5) + np.sum(np.tanh(np.matmul(U, S[:5, :4])))


def summed_over_three(T, w):
    return np.sum(np.sum(T[:, :, :, None] * w, axis=(0, 1, 2)) ** 2)


def shaped(A):
    out = np.zeros([A.shape[0], 4], dtype=float)
    other = np.ndarray((A.shape[0], 4), dtype=float)
    for i in range(4):
        out[:, i] = A[:, i] ** 2
        other[:, i] = out[:, i] * A[:, 0]
    return np.sum(abs(other * out) + np.ndim(A))


def means_of_parts(x, at, n):
    means = np.zeros(n)
    for i in range(n):
        means[i] = np.mean(x[np.logical_and(i <= at, at < i + 1)]) ** 2
    y = x.copy()
    y[at > 1.0] *= 3.0
    y[at > 2.0] -= means[0]
    y[at < 1.0] /= 2.0
    return np.sum(means) + np.sum(y * y)


PROGRAMS = [
    (joined, (A,), 0), (rolled, (A, 2), 0), (rolled, (A, -7), 0), (factored, (S,), 0), (stacked, (T, U, S), (0, 1, 2)),
    (summed_over_three, (T, G.normal(size=7)), (0, 1)), (shaped, (A,), 0),
    (means_of_parts, (G.normal(size=20), np.linspace(0.0, 2.9, 20), 3), 0),
    (means_of_parts, (A[:, :4], np.linspace(0.0, 2.9, 20).reshape(5, 4), 3), 0),
]  # fmt: skip


@pytest.mark.parametrize(("f", "args", "wrt"), PROGRAMS, ids=[f.__name__ for f, _, _ in PROGRAMS])
def test_other_forms_give_the_same(f, args, wrt):
    found, expected = grad(f, wrt=wrt, compile="numba")(*args), grad(f, wrt=wrt)(*args)
    for one, other in zip(*((v if isinstance(wrt, tuple) else (v,)) for v in (found, expected)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-13)


def test_stacks_that_do_not_fit_are_an_error():
    slope = grad(stacked, compile="numba")
    slope(T, U, S)
    with pytest.raises((ValueError, DerivationError)):  # (or their ranks are not known)
        slope(T, U[:2], S)
