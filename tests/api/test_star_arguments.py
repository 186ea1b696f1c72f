"""wrt that reaches into `*args`: of functions that take them, and of wrappers that pass everything on."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from s2sad import BadArgument, grad, hessian, jvp, value_and_grad
from tests.numeric import check


def horner(x, *more):
    total = x
    for m in more:
        total = total * m + x
    return total


def passed_on(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs)

    return wrapper


@passed_on
def loss(w, x, n, reg=0.1):
    return np.sum((w * x) ** n) + reg * np.sum(w * w)


W, X = np.array([0.5, 0.3]), np.array([1.0, 2.0])


@pytest.mark.parametrize("wrt", [1, 0, (0, 1, 2), (2, 0)])
def test_positions(wrt):
    check(horner, (0.5, 1.5, 2.5), wrt, second=True)


def test_wrapper():
    check(loss, (W, X, 2), (0, 1), second=True)


def test_names_of_what_is_wrapped():
    np.testing.assert_allclose(grad(loss, wrt="x")(W, X, 2), grad(loss, wrt=1)(W, X, 2))
    value, (dx, dw) = value_and_grad(loss, wrt=("x", "w"))(W, X, 2, reg=0.3)
    assert value == loss(W, X, 2, reg=0.3)
    np.testing.assert_allclose(dw, grad(loss)(W, X, 2, reg=0.3))
    np.testing.assert_allclose(dx, grad(loss, wrt=1)(W, X, 2))


def test_all_of_them_by_name():
    assert grad(horner, wrt="more")(0.5, 1.5, 2.5) == (1.25, 1.25)


def test_other_operators():
    assert hessian(horner, wrt=(0, 2))(0.5, 1.5, 2.5) == ((0.0, 2.5), (2.5, 0.0))
    assert jvp(horner, wrt=1)(0.5, 1.5, 2.5, 2.0) == (horner(0.5, 1.5, 2.5), 2.5)


def test_ints_count_as_floats():
    assert grad(horner, wrt=2)(1, 2, 3) == 3.0


def test_arguments_that_are_not_there():
    with pytest.raises(TypeError, match="there is no more\\[2\\]"):
        grad(horner, wrt=3)(0.5, 1.5, 2.5)
    with pytest.raises(BadArgument, match="no parameter 'q'"):
        grad(loss, wrt="q")


def test_second_jvp_object_of_a_function_with_keywords():
    def f(x, *, n=3):
        return x**n

    assert jvp(f)(2.0, 1.0) == (8.0, 12.0)
    assert jvp(f)(2.0, 1.0, n=2) == (4.0, 4.0)
