"""Quotients that have a name in the place of their parts: the derivative of a softmax."""

import numpy as np
import pytest

from s2sad import grad
from tests import numeric


def kept_axis(x, w):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    p = e / np.sum(e, axis=-1, keepdims=True)
    return np.sum(p * w)


def first_axis(x, w):
    e = np.exp(x)
    p = e / np.sum(e, axis=0, keepdims=True)
    return np.sum(p * w)


def new_axis(x, w):
    e = np.exp(x)
    p = e / np.sum(e, axis=1)[:, None]
    return np.sum(p * w)


def whole(x, w):
    e = np.exp(x)
    p = e / np.sum(e)
    return np.sum(p * w)


def attention(x, w):
    e = np.exp(x @ w.T)
    p = e / np.sum(e, axis=-1, keepdims=True)
    return np.sum((p @ w) ** 2)


SAID_ONCE = [kept_axis, first_axis, new_axis, whole, attention]


def overwritten(x, w):
    """The quotient is another one when the backward sweep comes."""
    e = np.exp(x)
    s = np.sum(e, axis=1, keepdims=True)
    p = e / s
    total = np.sum(p * w)
    p[0] = 2.0 * w[0]
    return total + np.sum(p * p)


def overwritten_parts(x, w):
    e = np.exp(x)
    s = np.sum(e, axis=1, keepdims=True)
    p = e / s
    e[0] *= w[0]
    s[1] = 3.0
    return np.sum(p * w) + np.sum(e * s)


def bound_again(x, w):
    e = np.exp(x)
    total = 0.0
    for k in range(3):
        s = np.sum(e, axis=1, keepdims=True) + k
        p = e / s
        total += np.sum(p * w)
        e = np.exp(p)
    return total


def on_one_side(x, w):
    e = np.exp(x)
    s = np.sum(e, axis=1, keepdims=True)
    p = 2.0 * e
    if w[0, 0] > 0.0:
        p = e / s
    return np.sum(p * w) + np.sum(p * p * s)


def of_every_element(x, w):
    """What divides is not the same along the axis."""
    e = np.exp(x)
    s = np.cumsum(e, axis=1)
    p = e / s
    return np.sum(p * w)


OTHERS = [overwritten, overwritten_parts, bound_again, on_one_side, of_every_element]


def points():
    g = np.random.default_rng(2)
    return g.normal(size=(3, 4)), g.normal(size=(3, 4))


@pytest.mark.parametrize("function", [*SAID_ONCE, *OTHERS])
def test_gradients(function):
    numeric.check_reverse(function, points(), (0, 1))


@pytest.mark.parametrize("function", SAID_ONCE[:4])
def test_nothing_is_divided_again(function):
    gradient = grad(function)
    gradient(*points())
    code = [line for line in gradient.source.splitlines() if "#" not in line]
    assert sum(line.count(" / ") for line in code) == 1


def test_single_precision_keeps_its_type():
    x, w = points()
    assert grad(kept_axis)(x.astype(np.float32), w.astype(np.float32)).dtype == np.float32
