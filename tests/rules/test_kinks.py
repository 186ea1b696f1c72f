"""Conventions at kinks, as values."""

from __future__ import annotations

import linecache
import math
import operator
import warnings

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
    for power in (operator.pow, math.pow):
        assert gradient(power, 0.0, 0.0) == {0: 0.0, 1: 0.0}
    np.testing.assert_allclose(gradient(operator.pow, 0.0, 2.0)[1], 0.0)
    np.testing.assert_allclose(gradient(operator.pow, V([0.0]), 2.0)[1], 0.0)


def sum_of_powers(x, p):
    return np.sum(x**p)


@s2sad.grad
def mixed_power(p, x):
    return np.sum(s2sad.grad(sum_of_powers)(x, p))


def test_power_at_zero_in_second_order():
    """Exponents that the run knows: nothing that guards 0**0 may keep a second derivative where it exists."""
    for x, p in ((V([0.0, -2.0]), 2.0), (V([0.0, -2.0]), V([2.0, 2.0])), (0.0, 2.0), (0.0, 2)):
        curve = s2sad.hvp(lambda x, p: np.sum(x**p))(x, p, np.ones_like(x)[()])
        np.testing.assert_allclose(curve, np.full(np.shape(x), 2.0))
    for x in (4.0, V([4.0])):  # d(p x**(p - 1))/dp = x**(p - 1) (1 + p log(x))
        assert [float(mixed_power(p, x)) for p in (0.0, 1.0)] == pytest.approx([0.25, 1.0 + np.log(4.0)])


def test_where_lets_no_nan_through():
    g = V([np.nan, 1.0])
    got = gradient(np.where, V([False, True]), V([1.0, 2.0]), V([3.0, 4.0]), g=g)
    np.testing.assert_allclose(got[1], [0.0, 1.0])


def test_nan_takes_no_part():
    np.testing.assert_allclose(gradient(np.nanmean, V([1.0, np.nan, 2.0]))[0], [0.5, 0.0, 0.5])
    np.testing.assert_allclose(gradient(np.nansum, V([[1.0, np.nan]]), axis=1)[0], [[1.0, 0.0]])
    call = runner.Call(np.nancumsum, (V([1.0, np.nan, 3.0]),))
    np.testing.assert_allclose(call.tangent({(0,): V([1.0, 1.0, 1.0])}), [1.0, 1.0, 2.0])


def test_same_operand_twice_is_merged():
    from s2sad.core import Facts, load
    from s2sad.expansion import reverse
    from s2sad.expansion.operand import Operand
    from s2sad.kinds.kind import Array, Dim, Number

    kind = Array(np.dtype(float), (Dim.symbol("n"),))
    x = Operand(load("x"), kind)
    facts = Facts(kinds={"x": kind, "y": kind, "g": Number(float)}, globals={"np": np})
    y, g = Operand(load("y"), kind), Operand(load("g"), Number(float))
    out = reverse.adjoint(operator.mul, y, [x, x], {}, g, {(0,), (1,)}, facts)
    assert [(k, o.text) for k, o in out.contributions] == [((0,), "2.0 * g * x")]


def test_tangents_of_unknown_shape_are_as_large_as_the_result():
    for target, args in ((operator.add, (0.5, V([1.0, 2.0]))), (operator.mul, (0.5, V([1.0, 2.0])))):
        runner.check(target, args, known=False, inactive=(1,))


# -- in whole programs, both modes ------------------------------------------------------------------------------------

inf, nan = np.inf, np.nan
I2, O2 = np.eye(2), np.zeros((2, 2))

#: an expression in x, where, and its gradient there; an exception where the derivative is refused at run time
VALUES = [
    # ties share evenly
    ("np.max(x)", [2.0, 1.0, 2.0], [0.5, 0.0, 0.5]),
    ("np.min(x, axis=1)[0]", [[1.0, 1.0, 3.0]], [[0.5, 0.5, 0.0]]),
    ("np.sum(np.maximum(x, 1.0))", [1.0, 2.0], [0.5, 1.0]),
    ("np.sum(np.fmin(x, 1.0))", [1.0, 2.0], [0.5, 0.0]),
    ("max(x, 1.0)", 1.0, 0.5),
    ("np.nanmax(x)", [2.0, nan, 2.0], [0.5, 0.0, 0.5]),
    ("np.maximum.reduce(x)", [2.0, 1.0, 2.0], [0.5, 0.0, 0.5]),
    ("np.ptp(x)", [1.0, 1.0, 2.0, 2.0], [-0.5, -0.5, 0.5, 0.5]),
    ("np.sum(np.sort(x) * np.arange(3.0))", [2.0, 1.0, 2.0], [1.5, 0.0, 1.5]),
    ("np.sum(np.partition(x, 1) * np.arange(3.0))", [1.0, 1.0, 0.0], [1.5, 1.5, 0.0]),
    ("np.sum(np.partition(x, [0, 1]) * np.arange(3.0))", [inf, 2.0, 1.0], [2.0, 1.0, 0.0]),
    ("np.partition(x, 1)[1]", [3.0, -0.0, 1e-320, 0.0], [0.0, 0.5, 0.0, 0.5]),
    ("np.median(x)", [1.0, 1.0, 5.0], [0.5, 0.5, 0.0]),
    ("np.quantile(x, 0.5)", [1.0, 1.0, 5.0], [0.5, 0.5, 0.0]),
    ("np.sum(np.unique(x) * np.array([1.0, 2.0]))", [5.0, 3.0, 5.0], [1.0, 1.0, 1.0]),
    ("np.sum(np.clip(x, 0.0, 1.0))", [0.0, 0.5, 1.0], [0.5, 1.0, 0.5]),
    ("np.linalg.norm(x, np.inf)", [2.0, -2.0], [0.5, -0.5]),
    # abs(0)
    ("abs(x)", 0.0, 0.0),
    ("math.fabs(x)", 0.0, 0.0),
    ("np.sum(np.abs(x))", [0.0, -2.0], [0.0, -1.0]),
    ("np.sum(np.fabs(x))", [0.0, -2.0], [0.0, -1.0]),
    ("np.sum(np.abs(x))", [0j, 3 + 4j], [0.0, 0.6 - 0.8j]),
    ("np.sum(np.sign(x) + np.floor(x) + np.round(x - 0.5))", [0.0], [0.0]),
    # sqrt(0) and the like
    ("np.sum(np.sqrt(x))", [0.0, 4.0], [inf, 0.25]),
    ("math.sqrt(x)", 0.0, ZeroDivisionError),
    ("np.sum(x ** 0.5)", [0.0, 4.0], [inf, 0.25]),
    ("x ** 0.5", 0.0, ZeroDivisionError),
    ("np.sum(np.cbrt(x))", [0.0], [inf]),
    ("np.sum(np.arcsin(x))", [1.0, 0.0], [inf, 1.0]),
    ("np.sum(np.arccosh(x))", [1.0], [inf]),
    ("np.sum(1.0 / x)", [0.0, 1.0], [-inf, -1.0]),
    # norm(0)
    ("np.linalg.norm(x)", [0.0, 0.0], [0.0, 0.0]),
    ("np.linalg.norm(x, 1)", [0.0, -1.0], [0.0, -1.0]),
    ("np.linalg.norm(x, 3)", [0.0, 0.0], [0.0, 0.0]),
    ("np.sum(np.linalg.norm(x, axis=1))", [[0.0, 0.0], [3.0, 4.0]], [[0.0, 0.0], [0.6, 0.8]]),
    ("np.linalg.norm(x, 'fro')", O2, O2),
    ("math.hypot(x, 0.0)", 0.0, 0.0),
    ("np.sum(np.hypot(x, 0.0))", [0.0, -1.0], [0.0, -1.0]),
    ("math.dist([x], [1.0])", 1.0, 0.0),
    ("np.std(x)", [1.0, 1.0], [0.0, 0.0]),
    # log at the edge
    ("np.sum(np.log(x))", [0.0, 1.0], [inf, 1.0]),
    ("np.sum(np.log1p(x))", [-1.0, 0.0], [inf, 1.0]),
    ("np.sum(np.log2(x)) * math.log(2.0)", [0.0, 1.0], [inf, 1.0]),
    ("math.log(x)", 0.0, (ZeroDivisionError, ValueError)),
    ("np.sum(np.log(x))", [1e-300, 1e300], [1e300, 1e-300]),
    ("np.sum(np.arctanh(x))", [1.0, 0.0], [inf, 1.0]),
    # what is large
    ("np.sum(np.log1p(x))", [1e3, 1e300], [1 / 1001, 1e-300]),
    ("np.sum(np.expm1(x))", [-1e3, 0.0], [0.0, 1.0]),
    ("np.expm1(x)", 1e3, inf),
    ("np.sum(np.tanh(x))", [1e3, -1e3, 0.0], [0.0, 0.0, 1.0]),
    ("np.sum(np.logaddexp(x, 0.0))", [1e3, -1e3, 0.0], [1.0, 0.0, 0.5]),
    ("np.sum(np.logaddexp2(x, 0.0))", [2e3, -2e3, 0.0], [1.0, 0.0, 0.5]),
    ("np.logaddexp.reduce(x)", [1e3, -1e3, 1e3], [0.5, 0.0, 0.5]),
    ("np.log(np.sum(np.exp(x - np.max(x)))) + np.max(x)", [1e3, -1e3, 1e3], [0.5, 0.0, 0.5]),
    ("special.logsumexp(x)", [1e3, -1e3, 1e3], [0.5, 0.0, 0.5]),
    ("special.logsumexp(x)", [-1e3, -1e3], [0.5, 0.5]),
    ("special.logsumexp(x, b=np.array([2.0, 1.0]))", [1e3, -1e3], [1.0, 0.0]),
    ("special.logsumexp(x, b=np.array([1.0, -1.0]), return_sign=True)[0]", [-1e3, 1e3], [0.0, 1.0]),
    ("np.sum(special.softmax(x) * np.array([1.0, 2.0]))", [1e3, -1e3], [0.0, 0.0]),
    ("np.sum(special.softmax(x) * np.array([1.0, 2.0]))", [1e3, 1e3], [-0.25, 0.25]),
    ("np.sum(special.log_softmax(x) * np.array([1.0, 2.0]))", [1e3, -1e3], [-2.0, 2.0]),
    ("np.sum(special.expit(x))", [1e3, -1e3, 0.0], [0.0, 0.0, 0.25]),
    ("np.sum(special.log_expit(x))", [1e3, -1e3, 0.0], [0.0, 1.0, 0.5]),
    # x**0 at 0
    ("np.sum(x ** 0)", [0.0, 2.0], [0.0, 0.0]),
    ("np.sum(x ** 0.0)", [0.0, 2.0], [0.0, 0.0]),
    ("x ** 0", 0.0, 0.0),
    ("math.pow(x, 0.0)", 0.0, 0.0),
    ("np.sum(np.power(x, 0) + np.float_power(x, 0.0))", [0.0], [0.0]),
    ("np.sum(x ** np.array([0.0, 1.0, 2.0]))", [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
    ("np.sum(np.power(0.0, x))", [1.0, 2.0], [0.0, 0.0]),
    # arctan2 on the axes
    ("np.sum(np.arctan2(x, 1.0))", [0.0, -0.0], [1.0, 1.0]),
    ("np.sum(np.arctan2(x, -1.0))", [0.0, -0.0], [-1.0, -1.0]),
    ("np.sum(np.arctan2(1.0, x))", [0.0, -0.0], [-1.0, -1.0]),
    ("np.sum(np.arctan2(-1.0, x))", [0.0, -0.0], [1.0, 1.0]),
    ("np.sum(np.arctan2(x, 0.0) + np.arctan2(0.0, x))", [1.0, -1.0], [0.0, 0.0]),
    ("np.sum(np.arctan2(x, 0.0 * x))", [0.0], [nan]),
    ("math.atan2(x, -1.0)", 0.0, -1.0),
    ("math.atan2(x, 0.0)", 0.0, ZeroDivisionError),
    ("np.sum(np.angle(x))", [1 + 0j, 1j, -1 + 0j], [-1j, -1.0, 1j]),
    ("np.sum(np.sinc(x))", [0.0, 1.0], [0.0, -1.0]),
    # equal eigenvalues and singular values: what does not depend on the choice of vectors is right, the rest is nan
    ("np.sum(np.linalg.eigvalsh(x) ** 2)", I2, 2 * I2),
    ("np.sum(np.linalg.eigh(x)[0] ** 2)", I2, 2 * I2),
    ("np.trace(np.diag(np.linalg.eigh(x)[0]))", I2, I2),
    ("np.linalg.eigh(x)[1][0, 1]", I2, "not finite"),
    ("np.sum(np.linalg.svd(x, compute_uv=False))", I2, I2),
    ("np.sum(np.linalg.svd(x)[1] ** 2)", I2, 2 * I2),
    ("np.linalg.svd(x)[0][0, 1]", I2, "not finite"),
    ("np.sum(np.real(np.linalg.eigvals(x)))", I2, I2),
    ("np.sum(np.real(np.linalg.eig(x)[1]))", I2, "not finite"),
    ("np.linalg.norm(x, 2)", I2, I2 / 2),
    ("np.linalg.norm(x, 'nuc')", I2, I2),
    ("np.sum(special.ellipk(x))", [0.0, 1e-15], [np.pi / 8, np.pi / 8]),
    ("np.sum(special.ellipe(x))", [0.0, 1e-15], [-np.pi / 8, -np.pi / 8]),
    ("np.linalg.det(x)", O2, O2),
    ("np.linalg.det(x)", [[1.0, 2.0], [2.0, 4.0]], [[4.0, -2.0], [-2.0, 1.0]]),
    ("np.linalg.det(x)", np.diag([0.0, 2.0, 3.0]), np.diag([6.0, 0.0, 0.0])),
    ("np.linalg.det(x)", np.zeros((1, 1)), np.ones((1, 1))),
    ("np.sum(np.linalg.det(x))", [np.zeros((2, 2)), 3.0 * np.eye(2)], [np.zeros((2, 2)), 3.0 * np.eye(2)]),
    ("np.real(np.linalg.det(x))", [[1.0, 1j], [1j, -1.0]], [[-1.0, -1j], [-1j, 1.0]]),
    ("linalg.det(x)", [[1.0, 2.0], [2.0, 4.0]], [[4.0, -2.0], [-2.0, 1.0]]),
    ("np.sum(np.linalg.inv(x))", O2, np.linalg.LinAlgError),
    # a branch that is not taken lets nothing through
    ("np.sum(np.where(x > 0, np.log(x), 0.0))", [0.0, -1.0, 2.0], [0.0, 0.0, 0.5]),
    ("np.sum(np.where(x > 0, np.sqrt(x), x))", [0.0, -1.0, 4.0], [1.0, 1.0, 0.25]),
    ("np.sum(np.where(x == 0, 1.0, np.sin(x) / x))", [0.0, np.pi], [0.0, -1 / np.pi]),
    ("np.sum(np.where(x > 0, x ** -0.5, 0.0))", [0.0, 4.0], [0.0, -0.0625]),
    ("np.sum(np.where(x > 0, x / np.linalg.norm(x), 0.0))", [0.0, 0.0], [0.0, 0.0]),
    ("np.sum(np.select([x > 2, x > 0], [x ** 2, np.log(x)], 0.0))", [0.0, 1.0, 3.0], [0.0, 1.0, 6.0]),
    ("np.sum(np.choose((x > 0).astype(int), [x, np.log(x)]))", [0.0, 2.0], [1.0, 0.5]),
    ("np.sum(np.piecewise(x, [x > 0], [np.log, 0.0]))", [0.0, 2.0], [0.0, 0.5]),
    ("np.sum(np.log(x, where=x > 0, out=np.zeros(2)))", [0.0, 2.0], [0.0, 0.5]),
    ("np.nansum(np.log(x))", [-1.0, 2.0], [0.0, 0.5]),
    ("math.log(x) if x > 0 else 0.0", 0.0, 0.0),
]


@pytest.mark.parametrize(("expression", "x", "wanted"), VALUES, ids=[f"{i}-{v[0]}" for i, v in enumerate(VALUES)])
def test_program(expression, x, wanted):
    scope = {"np": np, "math": math}
    if "special." in expression:
        scope["special"] = pytest.importorskip("scipy.special")
    if "(linalg." in expression or expression.startswith("linalg."):
        scope["linalg"] = pytest.importorskip("scipy.linalg")
    x = np.array(x) if isinstance(x, (list, np.ndarray)) else x
    f = program(f"def f(x):\n    return {expression}\n", scope)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if isinstance(wanted, (type, tuple)):
            for derivative in (lambda: s2sad.grad(f)(x), lambda: s2sad.jvp(f)(x, x + 1.0)):
                with pytest.raises(wanted):
                    derivative()
            return
        got = s2sad.grad(f)(x)
        if isinstance(wanted, str):
            assert not np.all(np.isfinite(got))
            return
        np.testing.assert_allclose(got, wanted, rtol=1e-13, atol=1e-15)
        if not np.all(np.isfinite(wanted)):
            return  # along a direction that does not move there, 0 * inf is nan
        for along in np.ndindex(np.shape(x)):
            direction = np.zeros_like(x)
            direction[along] = 1.0
            slope = s2sad.jvp(f)(x, direction if np.ndim(x) else 1.0)[1]
            np.testing.assert_allclose(slope, np.real(np.asarray(wanted)[along]), rtol=1e-13, atol=1e-15)


def program(text, scope):
    """The function f of a text."""
    file = f"<kink {len(linecache.cache)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), scope)
    return scope["f"]
