"""First derivatives of functions of eigenvectors and singular vectors whose values are equal, or nearly so."""

from __future__ import annotations

import numpy as np
import pytest

import s2sad

RNG = np.random.default_rng(3)
TURNS = {"axes": np.eye(4), "turned": np.linalg.qr(RNG.normal(size=(4, 4)))[0]}
WEIGHTS = RNG.normal(size=(4, 4))
ALONG = RNG.normal(size=(4, 4))
GAPS = [0.0, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-6, 1e-3]
VALUES = {
    "two": lambda gap: [1.0, 1.0 + gap, 2.0, 3.5],
    "three": lambda gap: [0.5, 2.0 - gap, 2.0, 2.0 + gap],
    "all": lambda gap: [1.0, 1.0 + gap, 1.0 + 2 * gap, 1.0 + 3 * gap],
    "none but rounding": lambda gap: [0.0, gap * 0.1, gap, 2.0],
}


def by_eigh(a):
    w, v = np.linalg.eigh(a)
    return np.sum(WEIGHTS * ((v * np.exp(w)) @ v.T))


def that_vanishes(a):
    w, v = np.linalg.eigh(a)
    return np.sum(WEIGHTS * ((v * (np.exp(w) - 1.0)) @ v.T))


def by_two_calls(a):
    w, v = np.linalg.eigvalsh(a), np.linalg.eigh(a)[1]
    return np.sum(WEIGHTS * ((v * np.exp(w)) @ v.T))


def in_one_element(a):
    w, v = np.linalg.eigh(a)
    return ((v * np.exp(w)) @ v.T)[0, 1]


def by_eig(a):
    w, v = np.linalg.eig(0.5 * (a + a.T))
    return np.real(np.sum(WEIGHTS * ((v * np.exp(w)) @ np.linalg.inv(v))))  # (LAPACK may find a complex pair)


def by_svd(a):
    _, s, vt = np.linalg.svd(0.5 * (a + a.T))
    return np.sum(WEIGHTS * ((vt.T * np.exp(s * s)) @ vt))


def by_left_vectors(a):
    u, s, _ = np.linalg.svd(np.concatenate([0.5 * (a + a.T), np.zeros((4, 2))], axis=1), full_matrices=False)
    return np.sum(WEIGHTS * ((u * np.exp(s * s)) @ u.T))


def exponential(a):
    total, term = np.eye(4), np.eye(4)
    for k in range(1, 60):
        term = term @ a / k
        total = total + term
    return total


def closed(a):
    return np.sum(WEIGHTS * exponential(a))


def closed_element(a):
    return exponential(a)[0, 1]


def closed_squares(a):
    return np.sum(WEIGHTS * exponential(a @ a.T))


PAIRS = [
    (by_eigh, closed), (that_vanishes, closed), (by_two_calls, closed), (in_one_element, closed_element),
    (by_eig, closed), (by_svd, closed_squares), (by_left_vectors, closed_squares),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(("f", "same"), PAIRS, ids=lambda f: f.__name__)
def test_right_or_nan(f, same, turn, values):
    gradient, forward = s2sad.grad(f), s2sad.jvp(f)
    exact = s2sad.grad(same)
    along = ALONG + ALONG.T
    for gap in GAPS:
        a = TURNS[turn] @ np.diag(VALUES[values](gap)) @ TURNS[turn].T
        a = 0.5 * (a + a.T)
        wanted = float(np.sum(exact(a) * along))
        # (the digits that are left are those of the gap)
        allowed = 1e-3 if gap else 1e-7
        for got in (float(np.sum(gradient(a) * along)), float(forward(a, along)[1])):
            assert np.isnan(got) or abs(got - wanted) <= allowed * max(1.0, abs(wanted)), (gap, got, wanted)
            if gap >= 1e-6 and "rounding" not in values:
                assert np.isfinite(got)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_vector_of_its_own_beside_equal_ones():
    """Vectors that play no part do no harm, where their eigenvalues are equal but for rounding."""
    x = RNG.normal(size=4)
    a = np.outer(x, x)
    assert np.count_nonzero(np.linalg.eigvalsh(a)) > 2

    def leading(a):
        w, v = np.linalg.eigh(a)
        return w[-1] * v[0, -1] * v[1, -1]

    def powers(a):
        v = np.ones(4)
        for _ in range(40):
            v = a @ v
            v = v / np.sqrt(v @ v)
        return (v @ a @ v) * v[0] * v[1]

    along = ALONG + ALONG.T
    wanted = np.sum(s2sad.grad(powers)(a) * along)
    np.testing.assert_allclose(np.sum(s2sad.grad(leading)(a) * along), wanted, rtol=1e-9)
    np.testing.assert_allclose(s2sad.jvp(leading)(a, along)[1], wanted, rtol=1e-9)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_no_derivative_is_nan():
    def of_eigh(a):
        return np.sum(np.linalg.eigh(a)[1][0] ** 4)

    def of_svd(a):
        return np.sum(np.linalg.svd(a)[0][0] ** 4)

    def of_eig(a):
        return np.sum(np.real(np.linalg.eig(a)[1][0]) ** 4)

    a = TURNS["turned"] @ np.diag([1.0, 1.0 + 1e-14, 2.0, 3.0]) @ TURNS["turned"].T
    for f in (of_eigh, of_svd, of_eig):
        assert np.isnan(s2sad.grad(f)(a)).any()
        assert np.isnan(s2sad.jvp(f)(a, ALONG)[1])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_single_precision():
    a = np.eye(4, dtype=np.float32)
    for f, equal in ((by_eigh, np.isfinite), (by_two_calls, np.isnan)):
        assert s2sad.grad(f)(a).dtype == np.float32
        assert equal(s2sad.grad(f)(a)).any()


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_scipys():
    linalg = pytest.importorskip("scipy.linalg")

    def generalized(a, b):
        w, v = linalg.eigh(a, b)
        return np.sum(WEIGHTS * ((v * np.exp(w)) @ v.T))

    for a, finite in ((np.eye(4), False), (np.diag([1.0, 2.0, 3.0, 4.0]), True)):
        for wrt in (0, 1):
            assert np.isfinite(s2sad.grad(generalized, wrt=wrt)(a, np.eye(4))).all() == finite
            assert np.isfinite(s2sad.jvp(generalized, wrt=wrt)(a, np.eye(4), ALONG)[1]) == finite


def test_rank_of_a_tall_matrix():
    """Left vectors of singular values that are 0 are arbitrary, those of others are not."""
    x = np.outer(np.arange(1.0, 6.0), [1.0, 2.0]) + np.array([[0.0, 1e-17]])

    def polar(x):
        u, _, vt = np.linalg.svd(x, full_matrices=False)
        return np.sum((u @ vt) ** 3)

    def leading(x):
        u, s, vt = np.linalg.svd(x, full_matrices=False)
        return u[0, 0] * vt[0, 1] * s[0]

    assert np.isnan(s2sad.grad(polar)(x)).any()
    along = np.random.default_rng(5).normal(size=x.shape)
    h = 1e-5
    wanted = (leading(x + h * along) - leading(x - h * along)) / (2 * h)
    np.testing.assert_allclose(s2sad.jvp(leading)(x, along)[1], wanted, rtol=1e-6)
    gradient = np.sum(s2sad.grad(leading)(x) * along)
    assert np.isnan(gradient) or abs(gradient - wanted) <= 1e-6 * abs(wanted)
