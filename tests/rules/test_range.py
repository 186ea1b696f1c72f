"""Elementwise rules at 0, at tiny and at huge arguments and at the edges of their domains, in float16, float32 and
float64 and of Python floats, against mpmath: right to the accuracy that the functions themselves have there."""

from __future__ import annotations

import importlib.util
import math
import operator
import re
from typing import Any

import mpmath
import pytest
from mpmath import mp

from s2sad import rules
from tests.rules.ranges import FORMS, MODULES, Row, failures, second_failures

INF = math.inf


def sinc(x):
    return mp.sin(mp.pi * x) / (mp.pi * x) if x else mpmath.mpf(1)


def cbrt(x):
    return mp.sign(x) * mp.cbrt(abs(x))


def fmod(a, b):
    return a - b * (mp.floor(a / b) if a / b > 0 else mp.ceil(a / b))


def remainder(a, b):
    return a - b * mp.floor(a / b)


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
    Row("a % b", remainder),
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
    Row("math.ldexp(x, 3)", lambda x: 8 * x, forms=("float",)),
    Row("np.ldexp(x, 3)", lambda x: 8 * x),
    Row("math.nextafter(a, b)", lambda a, b: a, only=((1.0, 2.0), (1e-300, 1.0), (1e300, 1.0)), forms=("float",)),
    Row("np.nextafter(a, b)", lambda a, b: a, only=((1.0, 2.0), (0.01, 1.0), (1e4, 1.0))),
    Row("np.heaviside(a, b)", lambda a, b: b if a == 0 else mpmath.mpf(int(a > 0)), said={
        (0.0, b): (0.0, 1.0) for b in (0.0, -0.3, 0.7, 1.0, 2.0, -3.0)}, only=tuple(
        (a, b) for a in (0.0, 0.7, -3.0, 1e-4) for b in (0.0, -0.3, 0.7, 1.0, 2.0, -3.0))),
    Row("np.unwrap(x)", lambda x: x, only=(0.3,), forms=("f4", "f8")),
    Row("helpers.bessel_i1(x)", lambda x: mp.besseli(1, x), points=(0.01, 0.02, 3.0), below=700.0, forms=("f4", "f8")),
    Row("helpers.sinc_slope(x)", lambda x: mp.diff(sinc, x), points=(0.1, 0.31, 0.32, 0.6, 2.5), only=(
        1e-3, 0.1, 0.31, 0.32, 0.6, 2.5, -0.3), forms=("f4", "f8"), ulps=64.0),
]  # fmt: skip
#: the same functions by other names
OTHERS = {
    "np.add(a, b)": operator.add, "np.subtract(a, b)": operator.sub, "np.multiply(a, b)": operator.mul,
    "np.divide(a, b)": operator.truediv, "np.power(a, b)": operator.pow, "np.negative(x)": operator.neg,
    "np.positive(x)": operator.pos, "np.absolute(x)": abs, "np.deg2rad(x)": mp.radians, "np.rad2deg(x)": mp.degrees,
    "np.remainder(a, b)": remainder, "operator.mod(a, b)": remainder,
    "operator.add(a, b)": operator.add, "operator.sub(a, b)": operator.sub, "operator.mul(a, b)": operator.mul,
    "operator.truediv(a, b)": operator.truediv, "operator.pow(a, b)": operator.pow, "operator.neg(x)": operator.neg,
    "operator.pos(x)": operator.pos, "operator.abs(x)": abs, "pow(a, b)": operator.pow,
    **{f"np.lib.scimath.{name}(x)": f for name, f in BOTH.items() if name in (
        "sqrt", "log", "log2", "log10", "arccos", "arcsin", "arctanh")},
    "np.lib.scimath.power(a, b)": operator.pow,
}  # fmt: skip
for text, f in OTHERS.items():
    said: dict[Any, Any] = {}
    if "pow" in text:
        said = {(0.0, 0.0): (0.0, 0.0), (0.0, 1.0): (1.0, 0.0), (0.0, 2.0): (0.0, 0.0)}
    if "abs" in text:
        said = {0.0: 0.0}
    # (one element outside the domain makes the whole array complex)
    inside: tuple[Any, ...] = (1e-3, 0.3, 0.9) if "scimath" in text else ()
    if text.startswith("np.lib.scimath.power"):
        inside = tuple((a, b) for a in (0.0, 0.3, 2.0) for b in (0.0, 1.0, 2.0, 0.7, -3.0))
    ROWS.append(Row(text, f, said=said, only=inside))


def part(f, which):
    """The real or imaginary part of a function of a complex number, of its parts."""
    return lambda a, b: which(f(mpmath.mpc(a, b)))


COMPLEX = {"acos": mp.acos, "acosh": mp.acosh, "asin": mp.asin, "asinh": mp.asinh, "atan": mp.atan, "atanh": mp.atanh,
    "cos": mp.cos, "cosh": mp.cosh, "exp": mp.exp, "log": mp.log, "log10": mp.log10, "sin": mp.sin, "sinh": mp.sinh,
    "sqrt": mp.sqrt, "tan": mp.tan, "tanh": mp.tanh}  # fmt: skip
for name, f in COMPLEX.items():
    for word, which in (("real", mp.re), ("imag", mp.im)):
        # (1 + y * y of tangents, whose square is nearly -1 far from the real axis)
        ulps = 1e4 if name.startswith("tan") else 64.0
        ROWS.append(Row(f"cmath.{name}(complex(a, b)).{word}", part(f, which), forms=("float",), ulps=ulps, only=(
            (0.3, 0.4), (-1.7, 0.2), (1e-9, 1e-9), (0.3, 1e-9), (3.0, -5.0), (1e-9, -2.0), (1e8, 1e8))))  # fmt: skip


def ndtr(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2


def dawsn(x):
    return mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)


def xlog(a, value):
    return a * mp.log(value) if a else mpmath.mpf(0)


#: rows that are looked at less often: it takes mpmath long to say what they are
SPECIAL: list[Row] = []
NEAR_POLES: list[Row] = []
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
    from tests.rules import ranges_special

    SPECIAL += ranges_special.ROWS
    NEAR_POLES += ranges_special.NEAR_POLES

CASES = [(row, form) for row in ROWS for form in row.forms]


def test_each_rule_has_a_row():
    """A rule that works by elements is held over the whole range of its arguments."""
    names = {name for row in ROWS + SPECIAL for name in re.findall(r"[A-Za-z_][\w.]*(?=\()", row.text)}
    names = {re.sub(r"^(\w+)\.", lambda m: MODULES.get(m[1], m[1]) + ".", name) for name in names}
    missing = [
        rule.name for rule in rules.registry(helpers=True) if rule.partials is not None and rule.name not in names
    ]
    # of the rules of other packages, those have tests of their own; math.fma (from 3.13 on) is a * b + c, rounded once
    elsewhere = ("tests.", "bottleneck.", "pandas.", "np.random.", "math.fma")
    missing = [name for name in missing if not name.startswith(elsewhere)]
    assert not missing, f"no row says what these are: {missing}"


@pytest.mark.sampled(18, each=False)
@pytest.mark.parametrize(("row", "form"), CASES, ids=[f"{row.text}-{form}" for row, form in CASES])
def test_over_the_range(row, form):
    assert form in FORMS
    found = list(failures(row, form))
    assert not found, "\n".join(found)


SELDOM = [(row, form) for row in SPECIAL for form in row.forms]


@pytest.mark.sampled(120, each=False)
@pytest.mark.parametrize(("row", "form"), SELDOM, ids=[f"{row.text}-{form}" for row, form in SELDOM])
def test_special_functions_and_distributions(row, form):
    found = list(failures(row, form))
    assert not found, "\n".join(found)


#: of whose mixed second derivative the digits cancel at 1e-9
LEFT = ("cmath.acosh(complex(a, b)).real",)
TWICE = [
    (row, form)
    for row, form in CASES
    if form in ("f8", "float") and "special" not in row.text and row.text not in LEFT
]
TWICE += [(row, "f8") for row in NEAR_POLES]


@pytest.mark.sampled(18, each=False)
@pytest.mark.parametrize(("row", "form"), TWICE, ids=[f"{row.text}-{form}" for row, form in TWICE])
def test_second_order_over_the_range(row, form):
    found = list(second_failures(row, form))
    assert not found, "\n".join(found)
