"""Ints of kernels have 64 bits: what does not fit is an error, never another number."""

import math

import numpy as np
import pytest

from s2sad import grad, value_and_grad

pytest.importorskip("numba")


def doubled(x, n):
    k = 1
    for _ in range(n):
        k *= 2
    return x * k


def fibonacci(x, n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return x * a


def squares(x, n):
    return x * (n * n) + x * (n * (n - 1) // 2)


def powers(x, n):
    return x * 2**n + x * (1 << n)


def alternating(x, n):
    k = -1
    for i in range(n):
        k = k * 3 - i * i
    return k * x


def whole_parts(x, n):
    return int(x[0] * 10**n) * x[1] + math.floor(x[1]) * x[0] + round(x[0]) * x[1] + math.ceil(x[1]) * x[1]


def negative_power(x, n):
    return np.sum(x**n)


FITTING = [
    (doubled, (1.5, 20)), (fibonacci, (1.5, 50)), (squares, (1.5, 10**5)), (powers, (1.5, 61)), (powers, (1.5, 0)),
    (alternating, (1.5, 20)), (whole_parts, (np.array([-2.5, 1.5]), 2)),
    (negative_power, (np.array([0.0, -0.0, 2.0]), -1)), (negative_power, (np.array([1.0, 2.0]), -3)),
]  # fmt: skip
TOO_LARGE = [
    (doubled, (1.5, 63)), (fibonacci, (1.5, 93)), (squares, (1.5, 10**10)), (powers, (1.5, 63)),
    (alternating, (1.5, 50)), (whole_parts, (np.array([10.0, 2.0]), 18)), (whole_parts, (np.array([np.inf, 2.0]), 1)),
]  # fmt: skip


@pytest.mark.parametrize(("f", "args"), FITTING, ids=[f.__name__ for f, _ in FITTING])
@pytest.mark.filterwarnings("ignore:(divide by zero|invalid value) encountered")
def test_ints_that_fit_are_those_of_python(f, args):
    for found, expected in zip(value_and_grad(f, compile="numba")(*args), value_and_grad(f)(*args), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize(("f", "args"), TOO_LARGE, ids=[f.__name__ for f, _ in TOO_LARGE])
def test_ints_that_do_not_fit_are_an_error(f, args):
    slope = grad(f, compile="numba")
    slope(args[0], 2) if f is not whole_parts else slope(np.ones(2), 2)
    with pytest.raises(OverflowError, match="64 bits"):
        slope(*args)


def test_nan_is_no_int():
    with pytest.raises(ValueError, match="NaN"):
        grad(whole_parts, compile="numba")(np.array([np.nan, 1.0]), 1)


def test_what_counts_and_measures_is_not_looked_at():
    def places(x, n):
        total = 0.0
        for i in range(n):
            for j in range(len(x) // n):
                total += x[i * (len(x) // n) + j] * (2 * i + j)
        return total

    slope = grad(places, compile="numba")
    np.testing.assert_allclose(slope(np.ones(6), 2), grad(places)(np.ones(6), 2))
    assert "product" not in slope.source
