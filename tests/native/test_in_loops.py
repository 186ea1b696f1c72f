"""Kernels whose loops cut arrays by their variables, call functions and keep arrays: as loops, and in bounds."""

import numpy as np
import pytest

from s2sad import DerivationError, grad
from tests.numeric import leaves

pytest.importorskip("numba")
pytestmark = pytest.mark.filterwarnings("ignore:.*faster on contiguous")

G = np.random.default_rng(3)
X, L, A = G.normal(size=6), G.normal(size=(6, 6)) + 4.0 * np.eye(6), G.normal(size=(6, 4))


def rates(u, k):
    du = np.zeros_like(u)
    for i in range(1, len(u) - 1):
        flux = k * (u[i + 1] - 2.0 * u[i] + u[i - 1])
        if u[i] > 0.1:
            flux -= u[i] ** 2
        du[i] = flux
    return du


def called_four_times(u, k):
    for _ in range(3):
        a = rates(u, k)
        b = rates(u + 0.1 * a, k)
        c = rates(u + 0.1 * b, k)
        d = rates(u + c, k)
        u = u + 0.1 * (a + 2.0 * b + d)
    return np.sum(u**2)


def solved_by_rows(L, b):
    x = np.zeros_like(b)
    for i in range(x.shape[0]):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]
    return np.sum(x**2)


def solved_upwards(L, b):
    x = np.zeros_like(b)
    n = len(b)
    for i in reversed(range(n)):
        x[i] = (b[i] - L[i, i + 1 :] @ x[i + 1 :]) / L[i, i]
    return np.sum(x * b)


def correlated(A):
    A = A - np.mean(A, axis=0)
    n = A.shape[1]
    found = np.eye(n)
    for i in range(n - 1):
        found[i + 1 : n, i] = found[i, i + 1 : n] = A[:, i] @ A[:, i + 1 : n]
    return np.sum(np.tanh(found))


def parts_of_a_matrix(A, x):
    total = 0.0
    for k in range(3):
        total += np.sum(np.tanh(A[k:, 1:] @ x[: A.shape[1] - 1])) + np.sum(x @ A[:, k:] ** 2 + x[:4] @ A[:4, ::2][:, 0])
    return total


def variable_that_is_used_again(x, k):
    s = 0.0
    for i in range(len(x)):
        y = x[i]
        i = k * y
        s += i * y
    return s


def masks_of_matrices(A, x):
    r = A**2
    near = r > 0.3
    r[near] = r[near] ** -1.5
    r[r > 2.0] *= 0.5
    return np.sum(r) + np.sum(A[near] * 2.0) * x[0]


def other_arrays_on_one_tape(x, n):
    y, z = x[1:] * x[:-1], x * 2.0
    for k in range(n):
        w = y - 0.5 * z[k]
        z = np.sin(z) * w[k]
        y = np.cos(w) + z[1:]
    w = z * 2.0
    return np.sum(y) + np.sum(w * z)


def grown_in_turns(x, n):
    t, out = x[:1], 0.0
    for i in range(n):
        t = np.concatenate((t, x[i : i + 1]))
        out += np.sum(t[1:] * t[:-1])
        if i < len(x) - 1:
            out += x[i + 1] * t[i]
    return out


def as_long_as_a_list_is(x, n):
    q, s = [], x[0] * 1.0
    for k in range(n):
        q.append(x[0] * k)
        s += np.sum((s * np.ones(7))[: len(q)]) * q[len(q) - 1]
    return s


def parts_of_masked_views(A, x):
    B = A.T.copy()
    B[B > 0.2] = 0.5
    C = A * 1.0
    D = C[:, 1:]
    D[D > 1.0] = D[D > 1.0] ** 2
    return np.sum(B * B) + np.sum(C) + np.sum(A.T[A.T > 0.3] ** 3) * x[0]


def grid(A, i, j):
    return np.sum(A[i[:, None], j] ** 2) + np.sum(A[i, 1:] * 3.0) + np.sum(np.tanh(A[:, j]))


PROGRAMS = [
    (called_four_times, (X, 0.3), (0, 1)), (solved_by_rows, (L, X), (0, 1)), (solved_upwards, (L, X), (0, 1)),
    (correlated, (A,), 0), (parts_of_a_matrix, (A, X), (0, 1)), (variable_that_is_used_again, (X, 0.7), (0, 1)),
    (masks_of_matrices, (A, X), (0, 1)), (other_arrays_on_one_tape, (X, 3), 0),
    (grown_in_turns, (X, 4), 0), (as_long_as_a_list_is, (X, 4), 0), (parts_of_masked_views, (A, X), 0),
    (grid, (A, np.array([0, -1, 3]), np.array([1, 1])), 0),
]  # fmt: skip


def flat(value):
    return np.concatenate([np.ravel(leaf) for _, leaf in leaves(value)])


@pytest.mark.parametrize(("f", "args", "wrt"), PROGRAMS, ids=[f.__name__ for f, _, _ in PROGRAMS])
def test_gradients_are_those_of_numpy_mode(f, args, wrt):
    compiled = grad(f, wrt=wrt, compile="numba")
    assert np.allclose(flat(compiled(*args)), flat(grad(f, wrt=wrt)(*args)), rtol=1e-10)


@pytest.mark.parametrize(
    ("f", "args"),
    [(called_four_times, (X, 0.3)), (solved_by_rows, (L, X)), (variable_that_is_used_again, (X, 0.7))],
    ids=["functions", "parts", "names"],
)
def test_what_stays_in_bounds_for_certain_is_not_looked_at(f, args):
    compiled = grad(f, compile="numba")
    compiled(*args)
    own = compiled.source[compiled.source.index("@numba.njit(error_model") :]  # behind the functions for all programs
    assert "boundscheck" not in own


def ahead(u, k):
    out = np.zeros_like(u)
    for i in range(len(u)):
        out[i] = u[i + k] * u[i]
    for i in range(len(u)):
        out[i] += u[i + k] ** 2
    return out


def reads_outside(x, k):
    return np.sum(ahead(x, k) * ahead(2.0 * x, k))


def longer(u, v):
    out = 0.0
    for i in range(len(u)):
        out += u[i] * v[i]
    for i in range(len(u)):
        out += u[i] * v[i] ** 2
    return out


def shorter_the_second_time(x, y):
    return longer(x, y) + longer(x, y[1:])


def test_functions_that_leave_their_arrays_raise():
    with pytest.raises(IndexError):
        grad(reads_outside, compile="numba")(X, 1)
    with pytest.raises(IndexError):
        grad(shorter_the_second_time, compile="numba")(X, X + 1.0)


def masked(x, mask):
    y = x.copy()
    y[mask] *= 2.0
    return np.sum(y * x)


def weighted(x, y):
    return np.sum(np.exp(x) * y * y)


@pytest.mark.parametrize(("f", "args"), [(masked, (X, X > 0.0)), (weighted, (X, X + 1.0))], ids=["masks", "loops"])
def test_kernels_that_are_called_directly_check_lengths(f, args):
    kernel = grad(f, compile="numba").specialize(*args)
    assert np.array_equal(kernel(*args), grad(f, compile="numba")(*args))
    with pytest.raises(ValueError, match="other lengths"):
        kernel(args[0], args[1][:-1])


def test_arrays_without_axes_are_not_made_of_numbers():
    def f(x, y):
        V, W = np.broadcast_arrays(x, y)
        return (V * W).item()

    with pytest.raises(DerivationError, match="one axis"):
        grad(f, compile="numba")(2.0, 3.0)
