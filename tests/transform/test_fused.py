"""Operations that are reversed as one: right wherever they are, and from the result alone."""

from __future__ import annotations

import math

import numpy as np
import pytest

import s2sad
from s2sad.testing import check_grads


def logistic(z):
    return np.sum(1.0 / (1.0 + np.exp(-z)))


def turned_round(z):
    return np.sum(z * (1 / (np.exp(-z * z) + 1)))


def of_a_number(z):
    return 1.0 / (1.0 + math.exp(3.0 - z)) * z


def read_twice(z):
    t = np.exp(-z)
    return np.sum(1.0 / (1.0 + t) + t)


def other_numerator(z):
    return np.sum(2.0 / (1.0 + np.exp(z)) - 1.0 / (2.0 + np.exp(z)))


def in_a_loop(z):
    h = z
    for _ in range(3):
        h = h + 1.0 / (1.0 + np.exp(-h * z))
    return np.sum(h)


def overwritten_between(z):
    u = z * 1.0
    kept = (np.exp(u), 2.0)
    u[0] = 5.0
    return np.sum(1.0 / (1.0 + kept[0])) + np.sum(u * u)


def changed_between(z):
    u = z * 1.0
    kept = {"a": 1.0 + np.exp(u)}
    u[1:] = 0.3 * u[:-1]
    return np.sum(1.0 / kept["a"]) + np.sum(u * u)


FUNCTIONS = [logistic, turned_round, of_a_number, read_twice, other_numerator, in_a_loop]


@pytest.mark.parametrize("f", [*FUNCTIONS, overwritten_between, changed_between])
def test_right_in_every_order(f):
    z = np.array([-3.0, 0.0, 0.7, 5.0]) if f is not of_a_number else 0.7
    check_grads(f, (z,), modes=("reverse", "forward"), order=2)


def test_no_step_between_is_kept():
    derivative = s2sad.grad(in_a_loop)
    derivative(np.ones(3))
    assert "tape.append((t, t_1))" in derivative.source
    assert derivative.source.count("np.exp") == 1


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_far_out(dtype):
    z = np.array([-800.0, -30.0, 30.0, 800.0], dtype=dtype)
    with np.errstate(over="ignore"):
        got = s2sad.grad(logistic)(z)
    want = np.exp(-np.abs(np.longdouble(z)))
    assert got.dtype == dtype
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=np.finfo(dtype).eps)
