"""Conventions at kinks, as values."""

from __future__ import annotations

import math
import operator

import numpy as np
import pytest

import s2sad
from tests.rules import runner

V = np.array


def gradient(target, *args, g=None, **kwargs):
    call = runner.Call(target, args, kwargs)
    one = np.ones(np.shape(call.value)) if np.ndim(call.value) else 1.0
    with np.errstate(all="ignore"):
        got = call.adjoint(one if g is None else g)
    return {k[0]: np.broadcast_to(v, np.shape(call.values[call.keys[k]])) for k, v in got.items()}


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        ((abs, 0.0), {}),
        ((np.abs, V([0.0, -2.0])), {0: [0.0, -1.0]}),
        ((np.maximum, V([1.0, 2.0]), V([1.0, 3.0])), {0: [0.5, 0.0], 1: [0.5, 1.0]}),
        ((np.max, V([2.0, 1.0, 2.0])), {0: [0.5, 0.0, 0.5]}),
        ((np.sort, V([2.0, 1.0, 2.0])), {0: [1.0, 1.0, 1.0]}),
        ((max, 1.0, 1.0), {0: 0.5, 1: 0.5}),
        ((operator.pow, 0.0, 0), {}),
        ((np.linalg.norm, V([0.0, 0.0])), {0: [0.0, 0.0]}),
        ((np.std, V([1.0, 1.0])), {0: [0.0, 0.0]}),
        ((np.hypot, 0.0, 0.0), {0: 0.0, 1: 0.0}),
        ((math.hypot, 0.0, 0.0), {0: 0.0, 1: 0.0}),
        ((np.prod, V([0.0, 2.0, 3.0])), {0: [6.0, 0.0, 0.0]}),
        ((np.cumprod, V([2.0, 0.0, 4.0])), {0: [1.0, 10.0, 0.0]}),
        ((np.clip, V([-2.0, 0.0, 1.0, 2.0]), -1.0, 1.0), {0: [0.0, 1.0, 0.5, 0.0], 1: 1.0, 2: 1.5}),
        ((np.logaddexp, 1e3, -1e3), {0: 1.0, 1: 0.0}),
        ((np.expm1, V([-1e3])), {0: [0.0]}),
        ((np.arctan2, 0.0, 1.0), {0: 1.0, 1: 0.0}),
        ((np.sinc, 0.0), {0: 0.0}),
        ((np.sqrt, V([0.0])), {0: [np.inf]}),
        ((np.unique, V([5.0, 3.0, 5.0])), {0: [0.5, 1.0, 0.5]}),
        ((np.median, V([1.0, 1.0, 5.0])), {0: [0.5, 0.5, 0.0]}),
    ],
)
def test_value(call, wanted):
    got = gradient(*call)
    for key in range(len(call) - 1):
        if key in got or key in wanted:
            np.testing.assert_allclose(got.get(key, 0.0), wanted.get(key, np.zeros(np.shape(call[key + 1]))))


def test_power_at_zero():
    got = gradient(operator.pow, V([0.0, 2.0]), V([0.0, 0.0]))
    np.testing.assert_allclose(got[0], [0.0, 0.0])
    for x in (0.0, V([0.0, 2.0])):
        assert np.all(s2sad.grad(lambda x: np.sum(x**0))(x) == 0.0)
        assert np.all(s2sad.grad(lambda x: np.sum(x**0.0))(x) == 0.0)
        assert np.all(s2sad.grad(lambda x: np.sum(sum(x**k for k in range(2))))(x) == 1.0)
    with pytest.raises(ZeroDivisionError):
        gradient(operator.pow, 0.0, 0.0)  # an error, not a wrong number
    np.testing.assert_allclose(gradient(operator.pow, 0.0, 2.0)[1], 0.0)
    np.testing.assert_allclose(gradient(operator.pow, V([0.0]), 2.0)[1], 0.0)


def test_where_lets_no_nan_through():
    g = V([np.nan, 1.0])
    got = gradient(np.where, V([False, True]), V([1.0, 2.0]), V([3.0, 4.0]), g=g)
    np.testing.assert_allclose(got[1], [0.0, 1.0])


def test_nan_takes_no_part():
    np.testing.assert_allclose(gradient(np.nanmean, V([1.0, np.nan, 2.0]))[0], [0.5, 0.0, 0.5])
    np.testing.assert_allclose(gradient(np.nansum, V([[1.0, np.nan]]), axis=1)[0], [[1.0, 0.0]])


def test_same_operand_twice_is_merged():
    from s2sad.core import Facts, load
    from s2sad.kinds.kind import Array, Dim, Number
    from s2sad.transform import expand
    from s2sad.transform.operand import Operand

    kind = Array(np.dtype(float), (Dim.symbol("n"),))
    x = Operand(load("x"), kind)
    facts = Facts(kinds={"x": kind, "y": kind, "g": Number(float)}, globals={"np": np})
    y, g = Operand(load("y"), kind), Operand(load("g"), Number(float))
    out = expand.adjoint(operator.mul, y, [x, x], {}, g, {(0,), (1,)}, facts)
    assert [(k, o.text) for k, o in out.contributions] == [((0,), "2.0 * g * x")]


def test_tangents_of_unknown_shape_are_as_large_as_the_result():
    for target, args in ((operator.add, (0.5, V([1.0, 2.0]))), (operator.mul, (0.5, V([1.0, 2.0])))):
        runner.check(target, args, known=False, inactive=(1,))
