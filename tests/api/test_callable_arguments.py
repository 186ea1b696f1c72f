"""Objects whose class has a `__call__`: what they hold is part of what code is kept under, as of other objects."""

import numpy as np
import pytest

from s2sad import grad, value_and_grad
from tests import numeric


def chain(*values):
    total = 1.0
    for v in values:
        total = total * v + v
    return total


class Net:
    """Its code is right for one n only."""

    def __init__(self, n):
        self.n = n

    def __call__(self, x):
        return chain(*[x * (k + 1.0) for k in range(self.n)])

    def go(self, x):
        return self(x)


class Outer:
    def __init__(self, n):
        self.parts = [Net(n)]

    def __call__(self, x):
        return self.parts[0](x)


class Weights:
    """What it computes depends on how its array lies in memory."""

    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        scaled, flat = self.w * x, self.w.reshape(-1)
        flat[0] = x
        return np.sum(self.w[0] * scaled[0]) + self.w[0, 0]


def called(f, x):
    return f(x) * x


def method_called(f, x):
    return f.go(x) * x


def item_called(fs, x):
    return fs[0](x) * x


def value_called(fs, x):
    return fs["f"](x) * x


WAYS = [
    (called, Net),
    (called, Outer),
    (method_called, Net),
    (item_called, lambda n: [Net(n)]),
    (item_called, lambda n: (Net(n), 2.0)),
    (value_called, lambda n: {"f": Net(n)}),
    (value_called, lambda n: {"f": Outer(n)}),
]


@pytest.mark.parametrize(("f", "given"), WAYS)
def test_ints_that_they_hold(f, given):
    g, x = value_and_grad(f, 1), 0.7
    for n in (2, 3, 2):
        value, slope = g(given(n), x)
        assert value == pytest.approx(f(given(n), x)), n
        assert slope == pytest.approx((f(given(n), x + 1e-5) - f(given(n), x - 1e-5)) / 2e-5, rel=1e-6), n


def test_themselves():
    for n in (2, 3):
        numeric.check(Net(n), (0.7,), 0)
        assert grad(Net(n))(0.7) == pytest.approx((Net(n)(0.7 + 1e-5) - Net(n)(0.7 - 1e-5)) / 2e-5, rel=1e-6)


@pytest.mark.parametrize("f", [called, item_called])
def test_layouts_of_arrays_that_they_hold(f):
    g, x = value_and_grad(f, 1), 0.7
    in_order = np.arange(1.0, 7.0).reshape(2, 3)
    for w in (in_order, np.asfortranarray(in_order), in_order):

        def at(x, w=w):
            held = Weights(w.copy(order="K"))
            return f(held if f is called else [held], x)

        held = Weights(w)
        value, slope = g(held if f is called else [held], x)
        assert value == pytest.approx(at(x))
        assert slope == pytest.approx((at(x + 1e-5) - at(x - 1e-5)) / 2e-5, rel=1e-6)
