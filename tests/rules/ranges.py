"""Derivatives at high precision, and how near a rule has to come to them in the precision of its arguments."""

from __future__ import annotations

import importlib
import itertools
import linecache
import math
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import mpmath
import numpy as np
from mpmath import mp

import s2sad

#: dtypes of arrays, and Python floats, for which rules often have a form of their own
FORMS = {"f2": np.float16, "f4": np.float32, "f8": np.float64, "float": float}

#: what else expressions name
MODULES = {
    "special": "scipy.special", "stats": "scipy.stats", "cmath": "cmath", "operator": "operator",
    "helpers": "s2sad.runtime.helpers",
}  # fmt: skip

#: where a function is off by more than this it has lost its digits, and nothing is said of its derivative
LOST = {"f2": 1e-2, "f4": 1e-4, "f8": 1e-9, "float": 1e-9}


def arguments(text: str) -> list[str]:
    """Those of x, a, b, c that an expression names."""
    return [n for n in "xabc" if re.search(rf"(?<![\w.]){n}(?![\w(=])", text)]


def written(text: str) -> Callable[..., Any]:
    """The function that an expression is, with its text where s2sad finds it."""
    source = f"def f({', '.join(arguments(text))}):\n    return {text}\n"
    file = f"<range of {text}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    scope: dict[str, Any] = {"np": np, "math": math}
    for name, module in MODULES.items():
        if f"{name}." in text:
            scope[name] = importlib.import_module(module)
    exec(compile(source, file, "exec"), scope)
    function: Callable[..., Any] = scope["f"]
    return function


@dataclass(frozen=True)
class Row:
    """One function of `x`, or of `a`, `b`, `c`: what it is in mpmath, and where it is looked at beside `everywhere`."""

    text: str
    exact: Callable[..., Any]
    #: more arguments: numbers, or tuples of them
    points: tuple[Any, ...] = ()
    #: at these arguments only
    only: tuple[Any, ...] = ()
    #: where the derivative is no limit of differences: the argument, and what is said of it there
    said: dict[Any, Any] = field(default_factory=dict)
    #: the error in roundings of what `tolerance` allows one of
    ulps: float = 8.0
    #: at arguments of a larger size than this the function itself has lost its digits
    below: float = math.inf
    #: positions of arguments in which there is no derivative
    constant: tuple[int, ...] = ()
    forms: tuple[str, ...] = tuple(FORMS)
    #: more digits than are needed otherwise
    digits: int = 0

    @cached_property
    def names(self) -> list[str]:
        """Its arguments."""
        return arguments(self.text)

    @cached_property
    def f(self) -> Callable[..., Any]:
        """The function, with its text where s2sad finds it."""
        return written(self.text)

    @property
    def arity(self) -> int:
        return len(self.names)


def everywhere(form: str, arity: int) -> list[tuple[float, ...]]:
    """Zero, tiny arguments (whose squares underflow), ordinary ones, ones next to 1, and huge ones."""
    info = np.finfo(FORMS[form])
    sizes = [float(info.tiny) * 4.0, float(info.tiny) ** 0.6, float(info.eps), 0.01, 0.3, 1.0 - float(info.eps), 1.0]
    sizes += [1.0 + float(info.eps), 3.1, 20.0, float(info.max) ** 0.6, float(info.max) / 8.0]
    line = [0.0, *sizes, *(-s for s in sizes)]
    if arity == 1:
        return [(x,) for x in line]
    few = [0.0, sizes[0], sizes[1], -0.3, 0.7, 1.0, 2.0, -3.0, sizes[-2], sizes[-1]]
    return list(itertools.product(few, repeat=arity)) if arity == 2 else []


def points(row: Row, form: str) -> list[tuple[float, ...]]:
    """The arguments, as numbers that the dtype has, at which the function itself is finite."""
    wanted = [p if isinstance(p, tuple) else (p,) for p in (*row.only, *row.points)]
    if not row.only:
        wanted += everywhere(form, row.arity)
    kind = FORMS[form]
    found = []
    for point in wanted:
        with np.errstate(all="ignore"):
            rounded = tuple(float(kind(x)) for x in point)
        if any(not math.isfinite(x) or abs(x) > row.below for x in rounded) or rounded in found:
            continue
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                value = row.f(*[kind(x) for x in rounded])
            except (ValueError, ZeroDivisionError, OverflowError):
                continue
            if not isinstance(value, complex) and np.isfinite(value):
                found.append(rounded)
    return found


def exact_slopes(row: Row, point: tuple[float, ...]) -> tuple[list[Any], list[Any], Any] | None:
    """The partial derivatives, how much each varies with a relative change of the arguments, and the value.

    None where the function is not smooth or not real.
    """
    sizes = [abs(x) for x in point if x != 0.0]
    smallest = min([1.0, *sizes])
    lost = 2 * (math.log10(max([1.0, *sizes])) - math.log10(smallest)) + (400 if 0.0 in point else 0)
    with mp.workdps(int(110 + lost + row.digits)):
        ten = mpmath.mpf(10)
        steps = [min(abs(mpmath.mpf(x)), 1) * ten**-25 if x else smallest * ten**-170 for x in point]
        x = [mpmath.mpf(v) for v in point]

        def at(moves: dict[int, int]) -> Any:
            value = row.exact(*[v + moves.get(k, 0) * h for k, (v, h) in enumerate(zip(x, steps, strict=True))])
            if isinstance(value, mpmath.mpc):
                if value.imag != 0:
                    raise ValueError
                value = value.real
            return value

        try:
            value = at({})
            slopes, swings = [], []
            for i in range(len(x)):
                if i in row.constant:
                    slopes.append(None)
                    swings.append(None)
                    continue
                ahead, behind = at({i: 1}), at({i: -1})
                right, left = (ahead - value) / steps[i], (value - behind) / steps[i]
                slope = (ahead - behind) / (2 * steps[i])
                if abs(right - left) > mpmath.mpf(10) ** -12 * (abs(right) + abs(left)) and abs(right - left) > 1e-12:
                    return None  # a kink, or a place where it is not analytic
                swing = mpmath.mpf(0)
                for j in range(len(x)):
                    if j == i:
                        curve = (ahead - 2 * value + behind) / steps[i] ** 2
                    else:
                        mixed = at({i: 1, j: 1}) - at({i: 1, j: -1}) - at({i: -1, j: 1}) + at({i: -1, j: -1})
                        curve = mixed / (4 * steps[i] * steps[j])
                    swing += abs(x[j] * curve)
                    if j == i and slope:  # a rule in terms of the result knows it to its rounding
                        swing += min(abs(value * curve / slope), abs(value))
                slopes.append(slope)
                swings.append(swing)
        except (ValueError, ZeroDivisionError, OverflowError, TypeError, mpmath.libmp.NoConvergence):
            return None
        return slopes, swings, value


def failures(row: Row, form: str) -> Iterator[str]:
    """Where a rule is off, in words."""
    kind = FORMS[form]
    info = np.finfo(kind)
    chosen = points(row, form)
    wrt = tuple(i for i in range(row.arity) if i not in row.constant)
    derivative = s2sad.vjp(row.f, wrt)
    got: list[Any]
    values: list[Any]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        if form == "float":
            got, values = [], [float(row.f(*point)) for point in chosen]
            for point in chosen:
                try:
                    got.append([float(g) for g in derivative(*point)[1](1.0)])
                except (ZeroDivisionError, OverflowError):  # where NumPy has inf, of one of them
                    got.append([math.inf] * len(wrt))
                except ValueError:
                    got.append([math.nan] * len(wrt))
        elif chosen:
            columns = [np.array(c, kind) for c in zip(*chosen, strict=True)]
            value, pullback = derivative(*columns)
            result = pullback(np.ones_like(value))
            got = np.array([np.asarray(r, float) for r in result]).T.tolist()
            values = np.asarray(value, float).tolist()
            yield from (f"gradient of dtype {r.dtype}" for r in result if r.dtype != kind)
    for point, numbers, own in zip(chosen, got if chosen else [], values if chosen else [], strict=True):
        key = point if row.arity > 1 else point[0]
        if key in row.said:
            expected = row.said[key]
            expected = expected if isinstance(expected, tuple) else (expected,)
            found, loss = [(e, 0.0) for e in expected], 0.0
        else:
            exact = exact_slopes(row, point)
            if exact is None:
                continue
            slopes, swings, true = exact
            # what the function itself is off by, its derivative may be off by, too
            loss = float(abs(mpmath.mpf(own) - true) / abs(true)) if true else 0.0
            if loss > LOST[form]:
                continue
            found = [(slopes[i], swings[i]) for i in wrt]
        for i, number, (slope, swing) in zip(wrt, numbers, found, strict=True):
            if slope is None:
                continue
            if abs(slope) > float(info.max) / 4 and math.isinf(number) and (number > 0) == (slope > 0):
                continue
            if form == "float" and math.isinf(number) and any(s and abs(s) > info.max / 4 for s, _ in found):
                continue
            allowed = row.ulps * (float(info.eps) + loss) * (abs(slope) + swing) + 2.0 * float(info.tiny)
            if (math.isnan(slope) and math.isnan(number)) or slope == number:
                continue
            if not abs(number - slope) <= allowed:
                by = mpmath.nstr(abs(number - slope) / abs(slope) / info.eps, 3) if slope else "all"
                yield f"{form} at {point}, argument {i}: {number} instead of {mpmath.nstr(slope, 8)}, {by} roundings"


def exact_curves(row: Row, point: tuple[float, ...]) -> dict[tuple[int, int], tuple[Any, Any]] | None:
    """The second derivatives, and how much each varies with relative changes of the arguments and of the result.

    None where the function is not smooth or not real.
    """
    sizes = [abs(x) for x in point if x != 0.0]
    smallest = min([1.0, *sizes])
    lost = 4 * (math.log10(max([1.0, *sizes])) - math.log10(smallest)) + (800 if 0.0 in point else 0)
    with mp.workdps(int(180 + lost + row.digits)):
        ten = mpmath.mpf(10)
        steps = [min(abs(mpmath.mpf(x)), 1) * ten**-25 if x else smallest * ten**-170 for x in point]
        known: dict[Any, Any] = {}

        def at(x: list[Any], *moves: tuple[int, int]) -> Any:
            total = [0] * len(x)
            for k, times in moves:
                total[k] += times
            key = (*x, *total)
            if key not in known:
                value = row.exact(*[v + n * h for v, n, h in zip(x, total, steps, strict=True)])
                if isinstance(value, mpmath.mpc) and value.imag != 0:
                    raise ValueError
                known[key] = mpmath.re(value)
            return known[key]

        def side(x: list[Any], i: int, j: int, one: int, other: int) -> Any:
            moved = at(x, (i, one), (j, other)) - at(x, (i, one)) - at(x, (j, other)) + at(x)
            return moved / (one * other * steps[i] * steps[j])

        def middle(x: list[Any], i: int, j: int) -> Any:
            return (side(x, i, j, 1, 1) + side(x, i, j, -1, -1)) / 2

        x = [mpmath.mpf(v) for v in point]
        found = {}
        try:
            for i, j in itertools.combinations_with_replacement(range(len(x)), 2):
                if {i, j} & set(row.constant):
                    continue
                curve = middle(x, i, j)
                sides = [side(x, i, j, *ways) for ways in ((1, 1), (-1, -1), (1, -1), (-1, 1))]
                if any(abs(s - curve) > ten**-12 * (abs(s) + abs(curve) + 1) for s in sides):
                    return None
                # (what mpmath rounds)
                swing = abs(at(x)) * ten**-100 / (steps[i] * steps[j])
                for k in range(len(x)):
                    moved = [v * (1 + ten**-20) if m == k else v for m, v in enumerate(x)]
                    change = abs(middle(moved, i, j) - curve) * ten**20
                    swing += change
                    if curve and x[k]:  # a rule in terms of the result knows it to its rounding
                        swing += min(abs(at(x) * change / (x[k] * curve)), abs(at(x)))
                found[i, j] = curve, swing
        except (ValueError, ZeroDivisionError, OverflowError, TypeError, mpmath.libmp.NoConvergence):
            return None
        return found


def second_failures(row: Row, form: str) -> Iterator[str]:
    """Where the derivatives of the derivative of a function are off, in words."""
    info = np.finfo(FORMS[form])
    wrt = tuple(i for i in range(row.arity) if i not in row.constant)
    chosen = [x for x in points(row, form) if (x if row.arity > 1 else x[0]) not in row.said]
    if row.arity > 1:  # whose squares are numbers
        least = float(info.tiny) ** 0.5
        chosen = [x for x in chosen if all(v == 0.0 or least < abs(v) < 1.0 / least for v in x)]
    got: list[list[list[float]]] = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        if form == "float":
            twice = [s2sad.jvp(s2sad.grad(row.f, wrt), i) for i in wrt]
            for x in chosen:
                try:
                    got.append([[float(g) for g in f(*x, 1.0)[1]] for f in twice])
                except (ZeroDivisionError, OverflowError, ValueError):
                    got.append([[math.inf] * len(wrt)] * len(wrt))
        elif chosen:
            gradient = s2sad.grad(written(f"np.sum({row.text})"), wrt)
            columns = [np.array(c, FORMS[form]) for c in zip(*chosen, strict=True)]
            rows = [s2sad.jvp(gradient, i)(*columns, np.ones_like(columns[i]))[1] for i in wrt]
            got = np.array([[np.asarray(g, float) for g in parts] for parts in rows]).transpose(2, 0, 1).tolist()
    for x, matrix in zip(chosen, got, strict=True):
        exact = exact_curves(row, x)
        for (i, j), (curve, swing) in (exact or {}).items():
            for number in {matrix[wrt.index(i)][wrt.index(j)], matrix[wrt.index(j)][wrt.index(i)]}:
                if abs(curve) > info.max / 4 and math.isinf(number):
                    continue
                allowed = 8.0 * row.ulps * float(info.eps) * (abs(curve) + swing) + 2.0 * float(info.tiny)
                if not abs(number - curve) <= allowed:
                    yield f"{form} at {x}, arguments {i} and {j}: {number} instead of {mpmath.nstr(curve, 8)}"
