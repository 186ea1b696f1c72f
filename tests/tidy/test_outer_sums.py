"""Sums of outer products as one matrix product."""

import numpy as np
import pytest

from s2sad import grad
from s2sad.core import Facts, statements, text
from s2sad.tidy.outer_sums import outer_sums
from tests import numeric


def products(A, x, y, v, w):
    """The adjoint of A is the sum of two outer products."""
    return np.sum((A @ x) ** 2) + np.sum((y @ A) * v) + w


def normal_equations(A, x):
    """The adjoint of A is a column and an outer product."""
    return np.sum((A @ x) @ A)


def users(A, x, y, v, w):
    """What the user wrote keeps every bit."""
    B = np.outer(y, v) + np.outer(y * y, v * v)
    return np.sum(B * A) ** 2 + w


def rows(n=4, m=3):
    g = np.random.default_rng(5)
    return g.normal(size=(n, m)), g.normal(size=m), g.normal(size=n), g.normal(size=m), 0.5


def code(gradient):
    return [line for line in gradient.source.splitlines() if "#" not in line]


@pytest.mark.parametrize("shape", [(4, 3), (1, 3), (4, 1)])
def test_two_outer_products(shape):
    numeric.check_reverse(products, rows(*shape), (0,))
    numeric.check_reverse(normal_equations, rows(*shape)[:2], (0, 1))


@pytest.mark.parametrize("function", [products, normal_equations])
def test_there_is_one_product(function):
    gradient = grad(function)
    gradient(*rows()[: function.__code__.co_argcount])
    assert not any("np.outer(" in line for line in code(gradient))
    assert any(".T @ np.array((" in line for line in code(gradient))


def test_the_users_own_stays():
    gradient = grad(users)
    gradient(*rows())
    assert any("np.outer(y, v) + np.outer(y * y, v * v)" in line for line in code(gradient))


def test_single_precision_stays():
    gradient = grad(products)
    gradient(*(np.asarray(v, dtype=np.float32) for v in rows()))
    assert any("np.outer(" in line for line in code(gradient))


@pytest.mark.filterwarnings("ignore:invalid value")
def test_what_is_infinite_stays_in_its_column():
    A, x, y, v, w = rows()
    v[2] = np.inf
    found = grad(products)(A, x, y, v, w)
    assert np.isinf(found[:, 2]).all() and np.isfinite(found[:, :2]).all()


def test_a_dict_in_a_dict():
    body = statements("return {'a': np.outer(x, y), **d}")
    assert text(outer_sums(body, Facts(globals={"np": np}))) == text(body)
