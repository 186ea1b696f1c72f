"""Derivatives, inside a function, of functions that are made there."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import DerivationError, grad, hessian, jvp, value_and_grad

POWER = 3.0


def of_a_lambda(x, t):
    return grad(lambda y: y * y * x)(x * t) * x


def of_a_definition(x, t):
    def inner(y):
        z = np.sin(y) * x
        return z**POWER

    value, slope = value_and_grad(inner)(x * t)
    return value * slope


def of_a_name_that_is_bound_again(x, t):
    c = 1.0
    slope = grad(lambda y: y * y * c * x)
    c = t
    return slope(x) + slope(2.0)


def with_a_default(x, t):
    return grad(lambda y, k=x, *, m=t: y * y * k * m)(t) + grad(lambda y, k=x: y * k)(t, k=x * x)


def of_another_one(x, t):
    return grad(lambda y: grad(lambda z: z**3 * y * x)(y))(t)


def of_items(x, t):
    items = [x, 2.0 * x]
    return grad(lambda y: sum(w * y * y for w in items))(t)


def by_newton(x, t):
    residual = lambda u: u**3 - x  # noqa: E731
    slope, u = grad(residual), 1.0
    for _ in range(6):
        u = u - residual(u) / slope(u)
    return u * t


FUNCTIONS = [of_a_lambda, of_a_definition, of_a_name_that_is_bound_again, with_a_default, of_another_one, of_items]


@pytest.mark.parametrize("f", [*FUNCTIONS, by_newton])
def test_local_functions(f):
    slope = (f(1.3 + 1e-6, 0.7) - f(1.3 - 1e-6, 0.7)) / 2e-6
    value, found = value_and_grad(f)(1.3, 0.7)
    assert value == pytest.approx(f(1.3, 0.7), rel=1e-12)
    assert found == pytest.approx(slope, rel=1e-7)
    assert jvp(f)(1.3, 0.7, 1.0)[1] == pytest.approx(slope, rel=1e-7)


def test_second_order():
    slope = (grad(of_a_lambda)(1.3 + 1e-6, 0.7) - grad(of_a_lambda)(1.3 - 1e-6, 0.7)) / 2e-6
    assert hessian(of_a_lambda)(1.3, 0.7) == pytest.approx(slope, rel=1e-6)


def that_counts(x, t):
    count = [0.0]

    def inner(y):
        count[0] += 1.0
        return y * y * x

    return grad(inner)(t) + count[0]


def that_calls_another(x, t):
    inner = lambda y: y * x  # noqa: E731
    return grad(lambda y: inner(y) ** 2)(t)


@pytest.mark.parametrize("f", [that_counts, that_calls_another])
def test_what_does_more_than_to_read_numbers_is_refused(f):
    with pytest.raises(DerivationError, match="made here"):
        grad(f)(1.3, 0.7)
