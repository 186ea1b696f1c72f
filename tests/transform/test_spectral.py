"""Functions of symmetric matrices by their eigenvalues: right where these are equal, and nothing is taken for one."""

from __future__ import annotations

import itertools

import mpmath
import numpy as np
import pytest
from mpmath import mp

import s2sad
from s2sad.runtime.helpers import second_differences
from s2sad.transform import spectral

linalg = pytest.importorskip("scipy.linalg")

RNG = np.random.default_rng(0)
REAL, COMPLEX = RNG.normal(size=(3, 3)), RNG.normal(size=(3, 3)) + 1j * RNG.normal(size=(3, 3))
VALUES = {
    "all": [1.0, 1.0, 1.0],
    "two": [1.0, 2.0, 2.0],
    "rounding": [1.0, 1.0 + 1e-15, 3.0],
    "1e-13": [1.0, 2.0, 2.0 + 1e-13],
    "1e-9": [1.0, 2.0, 2.0 + 1e-9],
    "1e-6": [1.0, 2.0, 2.0 + 1e-6],
    "1e-4": [1.0, 2.0, 2.0 + 1e-4],
    "none": [0.5, 1.0, 2.0],
    "scales": [1e-3, 1e-3, 1e3],
}


def scaled(a):
    w, v = np.linalg.eigh(a)
    return (v * np.log(w)) @ v.conj().T


def upper(a):
    r = np.linalg.eigh(a, "U")
    return np.matmul(np.multiply(np.log(r[0]), r[1]), np.conjugate(r[1].T))


def diagonal(a):
    w, v = np.linalg.eigh(a)
    return v @ np.diag(np.log(w)) @ v.T.conj()


def diagonal_first(a):
    w, v = np.linalg.eigh(a)
    return v @ (np.diag(np.log(w)) @ np.conj(np.transpose(v)))


def rows(a):
    w, v = np.linalg.eigh(a)
    return v @ (np.log(w)[:, None] * np.conj(v.T))


def rows_of_the_transpose(a):
    w, v = np.linalg.eigh(a)
    rows = v.T
    return np.dot(rows.T * np.expand_dims(np.log(w), 0), np.swapaxes(v, 0, 1).conj())


def summed(a):
    w, v = np.linalg.eigh(a)
    return np.einsum("ij,j,kj->ik", v, np.log(w), v.conj())


def summed_otherwise(a):
    w, v = np.linalg.eigh(a)
    return np.einsum("m,jm,ml->jl", np.log(w), v, v.conj().T)


def several(a):
    w, v = np.linalg.eigh(a)
    return np.linalg.multi_dot([v, np.diag(np.log(w)), v.conj().T])


def steps(a):
    w, v = np.linalg.eigh(a)
    t = np.sqrt(np.maximum(w, 1e-9))
    t = 2.0 * np.log(np.where(t > 0.0, t, 1.0))
    x = (v * t[None, :]) @ v.conj().T
    x[0, 0] += 0.0
    return x


def logarithm(a):
    w, v = np.linalg.eigh(a)
    return np.log(w), v


def in_parts(a):
    w, v = logarithm(a)
    return (v * w) @ v.conj().T


def in_scipy(a):
    w, v = linalg.eigh(a)
    return (v * np.log(w)) @ v.conj().T


FORMS = [
    scaled, upper, diagonal, diagonal_first, rows, rows_of_the_transpose, summed, summed_otherwise, several, steps,
    in_parts, in_scipy,
]  # fmt: skip


def slope(a, along):
    """The derivative of log(a), as a corner of log of a block matrix (Mathias 1996)."""
    return linalg.logm(np.block([[a, along], [np.zeros_like(a), a]]))[: len(a), len(a) :]


def matrix(values, turn):
    a = turn @ np.diag(values) @ turn.conj().T
    return 0.5 * (a + a.conj().T)


@pytest.mark.filterwarnings("ignore:logm result")
@pytest.mark.parametrize("dtype", ["real", "complex"])
@pytest.mark.parametrize("f", FORMS, ids=lambda f: f.__name__)
def test_equal_eigenvalues(f, dtype):
    weights = REAL if dtype == "real" else COMPLEX
    along = weights + weights.conj().T
    forward, reverse = s2sad.jvp(f), s2sad.vjp(f)
    for values in VALUES.values():
        for turn in (np.eye(3, dtype=weights.dtype), np.linalg.qr(weights)[0]):
            a = matrix(values, turn)
            wanted = slope(a, along)
            near = 1e-9 * np.max(np.abs(wanted))
            np.testing.assert_allclose(forward(a, along)[1], wanted, atol=near)
            pullback = reverse(a)[1]
            got = np.real(np.sum(pullback(weights) * along))
            assert abs(got - np.real(np.sum(weights * wanted))) <= near


def stacked(a):
    w, v = np.linalg.eigh(a)
    return (v * np.exp(w)[..., None, :]) @ np.swapaxes(v, -1, -2).conj()


def stacked_rows(a):
    w, v = np.linalg.eigh(a)
    return np.einsum("...ij,...j,...kj->...ik", v, np.exp(w), v)


@pytest.mark.parametrize("f", [stacked, stacked_rows], ids=lambda f: f.__name__)
def test_stacks(f):
    turn = np.linalg.qr(REAL)[0]
    a = np.stack([matrix(values, turn) for values in ([1.0, 1.0, 2.0], [0.0, 0.0, 0.0])])
    along = np.stack([REAL + REAL.T, REAL @ REAL.T])
    value, tangent = s2sad.jvp(f)(a, along)
    pullback = s2sad.vjp(f)(a)[1]
    gradient = pullback(np.ones_like(a))
    for k in range(2):
        change = s2sad.jvp(f)(a[k], along[k])[1]
        np.testing.assert_allclose(tangent[k], change, rtol=1e-12)
        assert np.sum(gradient[k] * along[k]) == pytest.approx(np.sum(change), rel=1e-12)
    np.testing.assert_array_equal(value, f(a))


def power(a, p):
    w, v = np.linalg.eigh(a)
    return np.sum(REAL * ((v * w**p) @ v.T))


def density(a, p):
    w, v = np.linalg.eigh(a)
    w = np.exp(-p * w)
    return np.sum(REAL * (v @ np.diag(w / np.sum(w)) @ v.T))


def evolution(a, t):
    w, v = np.linalg.eigh(a)
    u = (v * np.exp(-1j * w * t)) @ v.T
    return np.sum(REAL * np.real(u)) + np.sum(REAL * np.imag(u) ** 2)


def projected(a, p):
    w, v = np.linalg.eigh(a)
    y = (v * np.maximum(w - 1.5 * p, 0.0)) @ v.T
    return np.sum(REAL * y) + p * np.sum(y * y)


def overwritten_matrix(a, p):
    a = a * p
    w, v = np.linalg.eigh(a)
    a[0, 0] = 7.0
    return np.sum(REAL * ((v * np.exp(w)) @ v.T)) + np.sum(a * a)


def overwritten_result(a, p):
    w, v = np.linalg.eigh(a)
    y = (v * np.exp(p * w)) @ v.T
    y[0, 0] = 0.0
    return np.sum(REAL * y) + np.sum(y * y)


def accumulated(a, p):
    s = 0.0
    for k in range(3):
        w, v = np.linalg.eigh(a * (k + p))
        s += np.sum(REAL * ((v * np.exp(w)) @ v.T))
    return s


def iterated(a, p):
    for _ in range(5):
        w, v = np.linalg.eigh(a)
        a = (v * np.sin(p * w)) @ v.T
        if np.sum(a) > 1e6:
            break
    return np.sum(REAL * a)


SMOOTH = [power, density, evolution, projected, overwritten_matrix, overwritten_result, accumulated, iterated]


@pytest.mark.parametrize("f", SMOOTH, ids=lambda f: f.__name__)
def test_other_active_values(f):
    check(f, matrix([1.0, 1.0, 2.0], np.linalg.qr(REAL)[0]))


def overwritten_vectors(a, p):
    w, v = np.linalg.eigh(a)
    m = v * np.exp(p * w)
    v[0, 0] = 2.0
    return np.sum(REAL * (m @ v.T))


def overwritten_values(a, p):
    w, v = np.linalg.eigh(a)
    w[w < p] = p
    return np.sum(REAL * ((v * w) @ v.T))


def overwritten_number(a, p):
    w, v = np.linalg.eigh(a)
    c = np.array(p)
    t = w * c
    y = v * t
    c[...] = 3.0
    return np.sum(REAL * (y @ v.T)) * c


def rebound_number(a, p):
    s = 0.0
    for _ in range(3):
        w, v = np.linalg.eigh(a)
        t = w * p
        p = p * 1.5
        s += np.sum(REAL * ((v * t) @ v.T)) * p
    return s


def rebound_vectors(a, p):
    w, v = np.linalg.eigh(a)
    m = v * np.exp(w)
    if p > 0.0:
        v = v * p
    return np.sum(REAL * (m @ v.T))


def each_its_own(a, p):
    w, v = np.linalg.eigh(a)
    return np.sum(REAL * ((v * (w * np.arange(3.0))) @ v.T)) * p


def other_vectors(a, p):
    w, v = np.linalg.eigh(a)
    u = np.linalg.eigh(a + p * np.diag(np.arange(3.0)))[1]
    return np.sum(REAL * ((v * w) @ u.T)) + np.sum(REAL * ((v.T * w) @ v))


def vectors_too(a, p):
    w, v = np.linalg.eigh(a)
    y = (v * np.exp(p * w)) @ v.T
    return np.sum(REAL * y) + v[0, 0] ** 2 * w[1] + np.sum((v * w)[0] ** 4)


def several_on_branches(a, p):
    """The diagonal of a matrix is a view that nobody may write to."""
    m = np.zeros((3, 3))
    for _ in range(2):
        w, v = np.linalg.eigh(a)
        t = np.where(w > 1.2, w, 0.5 * w)
        if p > 0.1:
            t = t * 2.0
        m = v @ np.diag(t) @ v.T
        t = np.sqrt(w)
        m = m + (v * t) @ v.T
        a = a * 0.9 + 0.05 * (m + m.T)
    return np.sum(REAL * m)


OTHERS = [
    overwritten_vectors, overwritten_values, overwritten_number, rebound_number, rebound_vectors, each_its_own,
    other_vectors, vectors_too, several_on_branches,
]  # fmt: skip


@pytest.mark.parametrize("f", [*SMOOTH, *OTHERS], ids=lambda f: f.__name__)
def test_different_eigenvalues(f):
    check(f, matrix([0.5, 1.0, 2.0], np.linalg.qr(REAL)[0]))


def check(f, a, p=0.7, step=1e-4):
    along = REAL + REAL.T

    def moved(t):
        return f(a + t * along, p + t)

    wanted = (8 * (moved(step) - moved(-step)) - (moved(2 * step) - moved(-2 * step))) / (12 * step)
    of_matrix, of_number = s2sad.grad(f, wrt=(0, 1))(a, p)
    assert np.sum(of_matrix * along) + of_number == pytest.approx(wanted, rel=1e-7)
    assert s2sad.jvp(f, wrt=(0, 1))(a, p, (along, 1.0))[1] == pytest.approx(wanted, rel=1e-7)
    assert np.sum(s2sad.grad(f)(a, p) * along) == pytest.approx(np.sum(of_matrix * along), rel=1e-12)


def test_each_its_own_is_no_function_of_the_matrix():
    assert np.isnan(s2sad.grad(each_its_own)(np.eye(3), 1.0)).any()


def quartic(a):
    w, v = np.linalg.eigh(a)
    return np.sum(REAL * ((v * w**4) @ v.T) ** 2)


def quartic_by_products(a):
    b = a @ a
    return np.sum(REAL * (b @ b) ** 2)


def test_second_order_of_different_eigenvalues():
    a, along = matrix([0.5, 1.0, 2.0], np.linalg.qr(REAL)[0]), REAL + REAL.T
    wanted = np.sum(along * s2sad.hvp(quartic_by_products)(a, along))
    assert np.sum(along * s2sad.hvp(quartic)(a, along)) == pytest.approx(wanted, rel=1e-10)


def test_text():
    def logarithm(a):
        w, v = np.linalg.eigh(a)
        return np.sum((v * np.log(w)) @ v.T)

    gradient = s2sad.grad(logarithm)
    gradient(np.eye(3))
    assert "divided_differences(np.log(w), w, 1.0 / w)" in gradient.source
    assert "turns_back" not in gradient.source


def of_columns(a):
    w, v = np.linalg.eigh(a)
    return np.sum(REAL * ((v * np.log(w)) @ v.T) ** 2)


def of_a_diagonal(a):
    w, v = np.linalg.eigh(a)
    return np.sum(REAL * (v @ np.diag(np.sqrt(w)) @ v.T) ** 3)


def of_a_sum(a):
    w, v = np.linalg.eigh(a)
    return np.sum(REAL * np.einsum("ij,j,kj->ik", v, np.log(w), v) ** 2)


def of_rows(a):
    w, v = np.linalg.eigh(a)
    return np.sum(REAL * np.linalg.multi_dot([v, np.log(w)[:, None] * v.T]) ** 2)


def of_quotients(a):
    w, v = np.linalg.eigh(a)
    return np.sum(((v / np.sqrt(w)) @ v.T @ OTHER) ** 3)


def in_scipy_too(a):
    w, v = linalg.eigh(a)
    return np.sum(REAL * ((v * np.exp(w)) @ v.T) ** 2)


def function_of(a, f):
    w, v = np.linalg.eigh(a)
    return (v * f(w)) @ v.T


def of_functions(a):
    return np.sum(REAL * function_of(function_of(a, np.sqrt), np.exp) @ function_of(a, np.log))


def of_two(a):
    w, v = np.linalg.eigh(a)
    y = (v * np.exp(w)) @ v.T
    return np.sum(y @ OTHER @ ((v * np.log(w)) @ v.T)) + y[0, 1] * y[1, 2]


def with_values(a):
    w, v = np.linalg.eigh(a)
    y = (v * np.log(w)) @ v.T
    return np.sum(np.log(w)) * np.sum(REAL * y) + np.trace(y @ y)


def with_limits(a):
    w, v = np.linalg.eigh(a)
    y = (v * np.maximum(w - 1.4, 0.0)) @ v.T
    return np.sum(REAL * y * y) + np.sum(REAL * ((v * np.where(w > 1e-8, 1.0 / w, 0.0)) @ v.T))


def of_a_density(a):
    w, v = np.linalg.eigh(a)
    e = np.exp(-w)
    rho = (v * (e / np.sum(e))) @ v.T
    return np.sum(REAL * rho * rho)


def of_complex_numbers(a):
    w, v = np.linalg.eigh(a)
    u = (v * np.exp(-1j * w)) @ v.T
    return np.sum(REAL * np.real(u)) + np.sum(REAL * np.abs(u) ** 2)


OTHER = RNG.normal(size=(3, 3))
TWICE = [
    of_columns, of_a_diagonal, of_a_sum, of_rows, of_quotients, in_scipy_too, of_functions, of_two, with_values,
    with_limits, of_a_density, of_complex_numbers,
]  # fmt: skip


def difference_of(gradient, a, along):
    """By extrapolated differences; one triangle is read, so of what they say the symmetric part counts."""
    steps = [4e-3 / 2**k for k in range(4)]
    found = [(gradient(a + h * along) - gradient(a - h * along)) / (2.0 * h) for h in steps]
    for k in (1, 2, 3):
        found = [(4**k * finer - coarser) / (4**k - 1) for coarser, finer in itertools.pairwise(found)]
    return found[0] + found[0].T


@pytest.mark.parametrize("f", TWICE, ids=lambda f: f.__name__)
def test_second_order(f):
    """Forward over reverse, as a Hessian and along one direction, and reverse over reverse."""
    along, turn = OTHER + OTHER.T, np.linalg.qr(REAL)[0]
    gradient, moved, hessian = s2sad.grad(f), s2sad.hvp(f), s2sad.hessian(f)
    again = s2sad.grad(lambda a: np.sum(gradient(a) * along))
    for values in ([1.0, 2.0, 2.0], [2.0, 2.0, 2.0], [1.0, 2.0, 2.0 + 1e-13], [0.5, 1.0, 2.0]):
        a = matrix(values, turn)
        wanted = difference_of(gradient, a, along)
        for got in (moved(a, along), np.einsum("ijkl,kl->ij", hessian(a), along), again(a)):
            np.testing.assert_allclose(got + got.T, wanted, atol=1e-7 * np.max(np.abs(wanted)))


#: functions with steps: their slope is 0 or a mask, what they jump by is no slope; booleans have no differences
STEPS = {
    "mask": lambda w: w > 1.5,
    "whole numbers": lambda w: 1 * (w > 1.5),
    "unsigned": lambda w: (w < 1.5).astype(np.uint8),
    "cut": lambda w: w * (w > 1.5),
    "cut twice": lambda w: w**2 * ((w > 1.5) & (w < 9.0)) * (w > 0.7) + w * (w > 1.5),
    "the others": lambda w: np.exp(w) * ~(w > 1.5),
    "inverse": lambda w: (w > 1.5) / w,
    "quotient": lambda w: w / np.where(w > 1.5, 2, 3),
    "exponents": lambda w: w ** (w > 1.5),
    "chosen numbers": lambda w: np.where(w > 1.5, 0.9, 0.0),
    "chosen": lambda w: np.where(w > 1.5, w, 0.0),
    "sign": lambda w: np.sign(w - 1.5),
    "sign times": lambda w: np.sign(w - 1.5) * w**2,
    "floor": lambda w: np.floor(1.3 * w),
    "rest": lambda w: w % 0.7,
    "absolute": lambda w: np.abs(w - 1.5),
    "itself": lambda w: w,
    "less itself": lambda w: -w,
}


@pytest.mark.parametrize("name", STEPS)
def test_steps(name):
    """First order, and second order in the three ways, of what is made of y linearly and not."""

    def f(a):
        w, v = np.linalg.eigh(a)
        y = (v * STEPS[name](w)) @ v.T
        return np.sum(y @ OTHER @ y) + np.sum(REAL * y)

    along, turn = OTHER + OTHER.T, np.linalg.qr(REAL)[0]
    gradient, forward, moved = s2sad.grad(f), s2sad.jvp(f), s2sad.hvp(f)
    again = s2sad.grad(lambda a: np.sum(gradient(a) * along))
    for values in ([1.0, 2.0, 2.0], [2.0, 2.0, 2.0], [1.0, 1.0, 2.0 + 1e-13], [0.5, 1.0, 2.0]):
        a = matrix(values, turn)
        wanted = difference_of(lambda a: np.atleast_2d(f(a)), a, along).item() / 2.0
        assert np.sum(gradient(a) * along) == pytest.approx(wanted, rel=1e-7, abs=1e-9)
        assert forward(a, along)[1] == pytest.approx(wanted, rel=1e-7, abs=1e-9)
        wanted = difference_of(gradient, a, along)
        for got in (moved(a, along), again(a)):
            np.testing.assert_allclose(got + got.T, wanted, atol=3e-6 * np.max(np.abs(wanted), initial=1.0))


@pytest.mark.parametrize("name", ["mask", "sign", "itself", "cut"])
def test_single_precision(name):
    """A slope that is one number for all eigenvalues is in their precision."""

    def f(a):
        w, v = np.linalg.eigh(a)
        y = (v * STEPS[name](w)) @ v.T
        return np.sum(y @ y @ y)

    a, along = matrix([1.0, 2.0, 2.0], np.linalg.qr(REAL)[0]), OTHER + OTHER.T
    gradient, moved = s2sad.grad(f), s2sad.hvp(f)
    wanted = gradient(a), moved(a, along)
    got = gradient(a.astype(np.float32)), moved(a.astype(np.float32), along.astype(np.float32))
    for single, double in zip(got, wanted, strict=True):
        assert single.dtype == np.float32
        np.testing.assert_allclose(single, double, atol=1e-4 * np.max(np.abs(double)))
    assert ".astype(v.dtype)" not in gradient.source


def of_a_step(a, p):
    w, v = np.linalg.eigh(a)
    return np.sum(REAL * ((v * np.where(w > 1.5, p, 0.0)) @ v.T) ** 2)


def test_second_order_of_stacks():
    turn = np.linalg.qr(REAL)[0]
    a = np.stack([matrix(values, turn) for values in ([1.0, 1.0, 2.0], [1.0, 1.0, 1.0])])
    along = np.stack([REAL + REAL.T, REAL @ REAL.T])

    def f(a):
        w, v = np.linalg.eigh(a)
        return np.sum(((v * np.exp(w)[..., None, :]) @ np.swapaxes(v, -1, -2)) ** 2) + np.sum(w**3)

    def of_one(a):
        w, v = np.linalg.eigh(a)
        return np.sum(((v * np.exp(w)) @ v.T) ** 2) + np.sum(w**3)

    got = s2sad.hvp(f)(a, along)
    for k in range(2):
        np.testing.assert_allclose(got[k], s2sad.hvp(of_one)(a[k], along[k]), rtol=1e-10)
    assert np.all(np.isfinite(got))


def of_power(a, p):
    w, v = np.linalg.eigh(a)
    return np.sum(REAL * ((v * w**p) @ v.T))


@pytest.mark.parametrize("f", [of_power, of_a_step], ids=lambda f: f.__name__)
def test_second_order_in_other_numbers(f):
    a, along = matrix([1.0, 2.0, 2.0], np.linalg.qr(REAL)[0]), OTHER + OTHER.T
    gradient = s2sad.grad(f, wrt=(0, 1))
    got = s2sad.hvp(f, wrt=(0, 1))(a, 0.7, (along, 0.3))
    for k in range(2):
        wanted = difference_of(lambda m, p=0.7: np.atleast_2d(gradient(m, p)[k]), a, along)  # noqa: B023
        wanted = wanted + 0.3 * difference_of(lambda p: np.atleast_2d(gradient(a, p[0, 0])[k]), np.array([[0.7]]), 1.0)  # noqa: B023
        found = np.atleast_2d(got[k])
        np.testing.assert_allclose(found + found.T, wanted, rtol=1e-7)


def test_third_order():
    """Of eigenvalues that differ."""
    a, along = matrix([0.5, 1.0, 2.0], np.linalg.qr(REAL)[0]), OTHER + OTHER.T
    gradient, second = s2sad.grad(of_columns), s2sad.hvp(of_columns)
    third = s2sad.hvp(lambda a: np.sum(gradient(a) * along))(a, along)
    np.testing.assert_allclose(third + third.T, difference_of(lambda m: second(m, along), a, along), rtol=1e-6)


def second_difference(f, low, middle, high):
    """f[low, middle, high] with forty digits."""
    with mp.workdps(60):
        x = [mpmath.mpf(v) for v in (low, middle, high)]
        x = [v + k * mpmath.mpf(10) ** -20 for k, v in enumerate(x)]
        y = [f(v) for v in x]
        first = [(y[k + 1] - y[k]) / (x[k + 1] - x[k]) for k in range(2)]
        return float((first[1] - first[0]) / (x[2] - x[0]))


SLOPES = {
    "exp": (np.exp, np.exp), "log": (lambda w: 1.0 / w, lambda w: -1.0 / w**2),
    "sqrt": (lambda w: 0.5 / np.sqrt(w), lambda w: -0.25 * w**-1.5),
    "cos": (lambda w: -np.sin(w), lambda w: -np.cos(w)),
}  # fmt: skip


@pytest.mark.parametrize("name", SLOPES)
def test_digits_of_second_differences(name):
    """At all distances of three eigenvalues."""
    f, g = getattr(np, name), getattr(mp, name)
    slope, bend = SLOPES[name]
    for gaps in itertools.product([0.0, 1e-14, 1e-10, 1e-7, 1e-5, 1e-4, 1e-3, 1e-2, 0.3, 2.0], repeat=2):
        w = 0.7 + np.cumsum([0.0, *gaps])
        p, q = np.zeros((3, 3)), np.zeros((3, 3))
        p[0, 1] = q[1, 2] = 1.0
        got = second_differences(p, q, f(w), w, slope(w), bend(w))
        assert got[0, 2] == pytest.approx(second_difference(g, *w), rel=3e-10), gaps


@pytest.mark.parametrize("stack", [(), (2,)])
def test_functions_that_stand_for_terms_are_what_they_say(stack):
    x, g = RNG.normal(size=(*stack, 3, 3)), RNG.normal(size=(*stack, 3))
    v = np.linalg.eigh(COMPLEX + COMPLEX.conj().T)[1]
    np.testing.assert_allclose(spectral.in_basis(v, spectral.of_basis(v, x)), x, atol=1e-12)
    np.testing.assert_allclose(spectral.of_basis(v, x), v @ x @ v.conj().T)
    diagonal = spectral.on_diagonal(g, g, x, g)
    np.testing.assert_array_equal(np.diagonal(diagonal, axis1=-2, axis2=-1), g)
    assert np.count_nonzero(diagonal) == g.size
    wanted = np.sum(np.trace(x @ diagonal, axis1=-2, axis2=-1))
    np.testing.assert_allclose(spectral.traced(x, g, g, x, g), wanted)
