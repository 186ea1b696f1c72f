"""Elementwise rules at 0, at tiny and at huge arguments and at the edges of their domains, in float16, float32 and
float64 and of Python floats, against mpmath: right to the accuracy that the functions themselves have there."""

from __future__ import annotations

import importlib.util
import math
import operator

import mpmath
import pytest
from mpmath import mp

from tests.rules.ranges import FORMS, Row, failures, second_failures

INF = math.inf


def sinc(x):
    return mp.sin(mp.pi * x) / (mp.pi * x) if x else mpmath.mpf(1)


def cbrt(x):
    return mp.sign(x) * mp.cbrt(abs(x))


def fmod(a, b):
    return a - b * (mp.floor(a / b) if a / b > 0 else mp.ceil(a / b))


def copysign(a, b):
    return abs(a) * (1 if b >= 0 else -1)


#: functions that NumPy and math have under one name, or under two
BOTH = {
    "exp": mp.exp, "expm1": mp.expm1, "exp2": lambda x: mpmath.mpf(2) ** x, "log": mp.log,
    "log2": lambda x: mp.log(x, 2), "log10": mp.log10, "log1p": mp.log1p, "sqrt": mp.sqrt, "cbrt": cbrt,
    "sin": mp.sin, "cos": mp.cos, "tan": mp.tan, "arcsin": mp.asin, "arccos": mp.acos, "arctan": mp.atan,
    "sinh": mp.sinh, "cosh": mp.cosh, "tanh": mp.tanh, "arcsinh": mp.asinh, "arccosh": mp.acosh,
    "arctanh": mp.atanh, "degrees": mp.degrees, "radians": mp.radians, "fabs": abs,
}  # fmt: skip
SAID = {"cbrt": {0.0: INF}, "sqrt": {0.0: INF}, "fabs": {0.0: 0.0}}
ROWS = [Row(f"np.{name}(x)", f, said=SAID.get(name, {})) for name, f in BOTH.items()]
ROWS += [
    Row(f"math.{name.replace('arc', 'a')}(x)", f, said=SAID.get(name, {}), forms=("float",))
    for name, f in BOTH.items()
    if hasattr(math, name.replace("arc", "a"))
]
ROWS += [
    Row("np.square(x)", lambda x: x * x),
    Row("np.reciprocal(x)", lambda x: 1 / x),
    Row("-x", operator.neg),
    Row("abs(x)", abs, said={0.0: 0.0}),
    Row("np.sinc(x)", sinc, points=(0.1, 0.31, 0.32, 0.6, 1e-5, 2.5), below=1e3),
    Row("np.i0(x)", lambda x: mp.besseli(0, x), below=700.0),
    Row("math.erf(x)", mp.erf, forms=("float",), digits=400, below=100.0),
    Row("math.erfc(x)", mp.erfc, forms=("float",), digits=400, below=100.0),
    Row("math.gamma(x)", mp.gamma, only=(1e-9, -1e-9, 0.3, 1.0, 20.0, 150.0, -0.3, -20.5), forms=("float",)),
    Row("math.lgamma(x)", lambda x: mp.log(abs(mp.gamma(x))), only=(1e-9, -1e-9, 0.3, 1.4, 20.0), forms=("float",)),
]
for p in (0, 0.0, 1, 1.0, 2, 2.0, 3, 4.0, -1, -2, -3.0, 0.5, 1.5, -0.5, 0.25):
    ROWS.append(Row(f"x**{p}", lambda x, p=p: x**p, said={0.0: INF} if 0 < p < 1 else {}))
ROWS += [
    Row("a + b", operator.add),
    Row("a - b", operator.sub),
    Row("a * b", operator.mul),
    Row("a / b", operator.truediv),
    Row("a % b", lambda a, b: a - b * mp.floor(a / b)),
    Row("a**b", operator.pow, points=((-2.0, 2.0), (-2.0, 3.0)), said={(0.0, 0.0): (0.0, 0.0), (0.0, 1.0): (1.0, 0.0)}),
    Row("np.float_power(a, b)", operator.pow, said={(0.0, 0.0): (0.0, 0.0), (0.0, 2.0): (0.0, 0.0)}),
    Row("np.arctan2(a, b)", mp.atan2),
    Row("np.hypot(a, b)", mp.hypot, said={(0.0, 0.0): (0.0, 0.0)}),
    Row("np.logaddexp(a, b)", lambda a, b: mp.log(mp.exp(a) + mp.exp(b)), below=1e4),
    Row("np.logaddexp2(a, b)", lambda a, b: mp.log(mpmath.mpf(2) ** a + mpmath.mpf(2) ** b, 2), below=1e4),
    Row("np.copysign(a, b)", copysign),
    Row("np.fmod(a, b)", fmod),
    Row("np.maximum(a, b)", max),
    Row("math.atan2(a, b)", mp.atan2, forms=("float",)),
    Row("math.hypot(a, b)", mp.hypot, forms=("float",), said={(0.0, 0.0): (0.0, 0.0)}),
    Row("math.pow(a, b)", operator.pow, forms=("float",), said={(0.0, 0.0): (0.0, 0.0), (0.0, 1.0): (1.0, 0.0)}),
    Row("math.fmod(a, b)", fmod, forms=("float",)),
    Row("math.remainder(a, b)", lambda a, b: a - b * mp.nint(a / b), forms=("float",)),
    Row("math.log(a, b)", lambda a, b: mp.log(a) / mp.log(b), forms=("float",)),
    Row("math.copysign(a, b)", copysign, forms=("float",)),
    Row("math.dist((a,), (b,))", lambda a, b: abs(a - b), forms=("float",)),
]



def ndtr(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2


def dawsn(x):
    return mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)


def xlog(a, value):
    return a * mp.log(value) if a else mpmath.mpf(0)


if importlib.util.find_spec("scipy"):
    ROWS += [
        Row("special.gammaln(x)", lambda x: mp.log(abs(mp.gamma(x))), only=(1e-9, 0.3, 1.4, 20.0, -0.3)),
        Row("special.psi(x)", mp.digamma, only=(1e-9, 0.3, 1.4, 20.0, -0.3)),
        Row("special.erf(x)", mp.erf, digits=400, below=100.0),
        Row("special.erfc(x)", mp.erfc, digits=400, below=100.0),
        # (in between the digits of the result are fewer by its square: two thousand roundings at most)
        Row("special.erfcx(x)", lambda x: mp.exp(x * x) * mp.erfc(x), digits=600, ulps=5e3, only=(
            0.0, 1e-300, 0.3, -3.0, 5.0, 10.0, 29.0, 31.0, 100.0, 1e3)),
        Row("special.dawsn(x)", dawsn, ulps=5e3, points=(5.0, 10.0, 29.0, 31.0, -100.0), below=1e3),
        Row("special.log_ndtr(x)", lambda x: mp.log(ndtr(x)), digits=800, ulps=50.0, only=(
            0.0, 0.3, 5.0, -5.0, -10.0, -40.0, -100.0)),
        Row("special.expit(x)", lambda x: 1 / (1 + mp.exp(-x)), points=(-20.0, -100.0), below=700.0),
        Row("special.logit(x)", lambda x: mp.log(x / (1 - x)), only=(1e-300, 1e-9, 0.3, 0.5, 0.9, 0.999)),
        Row("special.log_expit(x)", lambda x: -mp.log1p(mp.exp(-x)), points=(-20.0, -100.0), below=700.0),
        Row("special.entr(x)", lambda x: -xlog(x, x), said={0.0: INF}),
        Row("special.xlogy(a, b)", xlog),
        Row("special.pseudo_huber(a, b)", lambda a, b: a * a * (mp.sqrt(1 + (b / a) ** 2) - 1), only=(
            (1.0, 0.0), (1.0, 1e-3), (2.0, -0.3), (0.3, 20.0), (1e-3, 20.0))),
    ]  # fmt: skip

CASES = [(row, form) for row in ROWS for form in row.forms]


@pytest.mark.sampled(6, each=False)
@pytest.mark.parametrize(("row", "form"), CASES, ids=[f"{row.text}-{form}" for row, form in CASES])
def test_over_the_range(row, form):
    assert form in FORMS
    found = list(failures(row, form))
    assert not found, "\n".join(found)


TWICE = [(row, form) for row, form in CASES if row.arity == 1 and form in ("f8", "float") and "special" not in row.text]


@pytest.mark.sampled(6, each=False)
@pytest.mark.parametrize(("row", "form"), TWICE, ids=[f"{row.text}-{form}" for row, form in TWICE])
def test_second_order_over_the_range(row, form):
    found = list(second_failures(row, form))
    assert not found, "\n".join(found)
