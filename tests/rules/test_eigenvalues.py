"""Second derivatives of symmetric functions of eigenvalues where these are equal, exactly or up to rounding."""

from __future__ import annotations

import numpy as np
import pytest

import s2sad

TURN = np.linalg.qr(np.random.default_rng(0).normal(size=(4, 4)))[0]
OTHER = np.random.default_rng(1).normal(size=(4, 4))
ALONG = OTHER + OTHER.T


def with_eigenvalues(*values):
    m = TURN @ np.diag(values) @ TURN.T
    return 0.5 * (m + m.T)


EQUAL = {
    "all": np.eye(4),
    "zero": np.zeros((4, 4)),
    "two": with_eigenvalues(1.0, 1.0, 2.0, 3.0),
    "two and two": with_eigenvalues(1.0, 1.0, 2.0, 2.0),
    "three": with_eigenvalues(0.5, 2.0, 2.0, 2.0),
    "nearly": with_eigenvalues(1.0, 1.0 + 1e-12, 2.0, 2.0 - 1e-14),
    "none": with_eigenvalues(1.0, 1.3, 2.0, 4.0),
}


def of_partition(a):
    return np.log(np.sum(np.exp(-np.linalg.eigvalsh(a))))


def partition(a):
    return np.log(np.trace(matrix_exponential(-a)))


def matrix_exponential(a):
    total, term = np.eye(len(a)), np.eye(len(a))
    for k in range(1, 40):
        term = term @ a / k
        total = total + term
    return total


def of_cubes(a):
    return np.sum(np.linalg.eigvalsh(a) ** 3)


def cubes(a):
    return np.trace(a @ a @ a)


def of_values_of_eigh(a):
    w, _ = np.linalg.eigh(a)
    return np.sum(w) ** 2 * np.sum(w * w)


def values_of_eigh(a):
    return np.trace(a) ** 2 * np.trace(a @ a)


def of_pairs(a):
    w = np.linalg.eigvalsh(a @ a.T, "U")
    return np.sum(np.outer(w, w) ** 2) + np.linalg.eigh(a)[0].sum() ** 3


def pairs(a):
    return np.trace(a @ a.T @ a @ a.T) ** 2 + np.trace(a) ** 3


PAIRS = [(of_partition, partition), (of_cubes, cubes), (of_values_of_eigh, values_of_eigh), (of_pairs, pairs)]


@pytest.mark.parametrize(("f", "closed"), PAIRS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("name", EQUAL)
def test_second_derivatives(f, closed, name):
    """Along a symmetric direction, as of the same function without eigenvalues."""
    a = EQUAL[name]
    got, wanted = s2sad.hvp(f)(a, ALONG), s2sad.hvp(closed)(a, ALONG)
    np.testing.assert_allclose(got + got.T, wanted + wanted.T, rtol=1e-8, atol=1e-8)


def test_hessian():
    hessian = s2sad.hessian(of_partition)(np.eye(3))
    for e in np.random.default_rng(2).normal(size=(3, 3, 3)):
        along = e + e.T
        # of a multiple of the identity, with the lower triangle read: the variance of the slopes
        wanted = np.trace(along @ along) / 3.0 - (np.trace(along) / 3.0) ** 2
        np.testing.assert_allclose(np.einsum("ijkl,ij,kl", hessian, along, along), wanted)
    assert np.all(np.isfinite(hessian))


def test_stacks_and_complex_matrices():
    def f(a):
        return np.sum(np.linalg.eigvalsh(a) ** 3)

    def closed(a):
        return np.sum(np.trace(a @ a @ a, axis1=-2, axis2=-1))

    stack, along = np.stack([EQUAL["two"], EQUAL["all"]]), np.stack([ALONG, ALONG @ ALONG])
    got, wanted = s2sad.hvp(f)(stack, along), s2sad.hvp(closed)(stack, along)
    np.testing.assert_allclose(got + np.swapaxes(got, -1, -2), wanted + np.swapaxes(wanted, -1, -2), atol=1e-9)

    turned = np.array([[0.0, 1.0, 2.0], [-1.0, 0.0, 0.5], [-2.0, -0.5, 0.0]])

    def of_hermitian(t):
        return np.sum(np.linalg.eigvalsh(np.eye(3) * (1.0 + t) + 1j * t * turned) ** 3)

    moved = np.eye(3) + 1j * turned
    np.testing.assert_allclose(s2sad.hvp(of_hermitian)(0.0, 1.0), 6.0 * np.trace(moved @ moved).real)


def test_single_precision():
    a = EQUAL["two"].astype(np.float32)
    got, wanted = s2sad.hvp(of_cubes)(a, ALONG.astype(np.float32)), s2sad.hvp(cubes)(EQUAL["two"], ALONG)
    assert got.dtype == np.float32
    np.testing.assert_allclose(got + got.T, wanted + wanted.T, rtol=1e-3, atol=1e-3)


def test_a_function_that_is_not_symmetric_has_no_second_derivative():
    with np.errstate(all="ignore"):
        assert np.isnan(s2sad.hvp(lambda a: np.linalg.eigvalsh(a)[0] ** 2)(np.eye(3), np.ones((3, 3)))).any()


def test_equal_eigenvalues_part_along_a_direction():
    swap = np.array([[0.0, 1.0], [1.0, 0.0]])
    assert s2sad.jvp(lambda a: np.linalg.eigvalsh(a))(np.eye(2), swap)[1].tolist() == [-1.0, 1.0]
    assert s2sad.jvp(lambda a: np.linalg.eigh(a)[0])(np.eye(2), swap)[1].tolist() == [-1.0, 1.0]


def test_reverse_over_reverse_says_what_it_cannot():
    second = s2sad.grad(lambda a: np.sum(s2sad.grad(of_cubes)(a) * ALONG))
    with pytest.raises(ValueError, match="take hvp or hessian"):
        second(EQUAL["two"])
    apart = EQUAL["none"]
    np.testing.assert_allclose(second(apart), s2sad.hvp(of_cubes)(apart, ALONG))


def test_scipys():
    linalg = pytest.importorskip("scipy.linalg")
    for values in (linalg.eigvalsh, lambda a: linalg.eigh(a)[0], lambda a: linalg.eigh(a, eigvals_only=True)):
        for name in ("two", "nearly"):
            got = s2sad.hvp(lambda a, f=values: np.sum(f(a) ** 3))(EQUAL[name], ALONG)
            wanted = s2sad.hvp(cubes)(EQUAL[name], ALONG)
            np.testing.assert_allclose(got + got.T, wanted + wanted.T, rtol=1e-8, atol=1e-8)
