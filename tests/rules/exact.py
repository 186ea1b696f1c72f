"""Functions of numbers with a hundred digits, and derivatives as differences of them.

NumPy's functions of arrays compute with whatever the elements of an array are: with numbers of mpmath they are their
own reference. Where a function converts its arguments to floats (linear algebra), `tests.rules.exact_matrices` says
what it is; a rule that is a definition is that definition, of numbers of mpmath.
"""

from __future__ import annotations

import builtins
import math
import types
import warnings
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import mpmath
import numpy as np

import s2sad
from s2sad import rules
from s2sad.expansion.refusal import NoDerivative
from tests.rules import runner, second
from tests.rules.references import WAYS

#: a context of its own: what is set on its numbers is on nobody else's
mp = mpmath.MPContext()
DIGITS = 110
mp.dps = DIGITS
#: the step of differences is the argument times ten to minus so many: what is left out is as its square
STEP = 35

_METHODS = {
    "exp": mp.exp, "log": mp.log, "log10": mp.log10, "sqrt": mp.sqrt, "sin": mp.sin, "cos": mp.cos, "tan": mp.tan,
    "arcsin": mp.asin, "arccos": mp.acos, "arctan": mp.atan, "sinh": mp.sinh, "cosh": mp.cosh, "tanh": mp.tanh,
    "arcsinh": mp.asinh, "arccosh": mp.acosh, "arctanh": mp.atanh, "expm1": mp.expm1, "log1p": mp.log1p,
    "exp2": lambda x: mp.mpf(2) ** x, "log2": lambda x: mp.log(x, 2), "rint": mp.nint, "hypot": mp.hypot,
    "arctan2": mp.atan2, "deg2rad": mp.radians, "rad2deg": mp.degrees, "cbrt": lambda x: mp.sign(x) * mp.cbrt(abs(x)),
    "__floor__": mp.floor, "__ceil__": mp.ceil, "floor": mp.floor, "ceil": mp.ceil,
    "__trunc__": lambda x: mp.floor(x) if x > 0 else mp.ceil(x),
}  # fmt: skip
for _name, _method in _METHODS.items():
    for _number in (mp.mpf, mp.mpc):
        setattr(_number, _name, lambda x, *more, _method=_method: _method(x, *more))

#: functions that are none of numbers of mpmath: what they are
REFERENCES: dict[Any, Callable[..., Any]] = {}


def reference(*targets: Any) -> Callable[[Any], Any]:
    """Say what functions are, of numbers of mpmath."""

    def register(function: Any) -> Any:
        for target in targets:
            if target is not None:
                REFERENCES[target] = function
        return function

    return register


def exactly(value: Any) -> Any:
    """The same numbers, of mpmath."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
        made = [number(v) for v in value.ravel().tolist()]
        out = np.empty(len(made), object)
        out[:] = made
        return out.reshape(value.shape)
    if isinstance(value, (float, complex, np.floating, np.complexfloating)):
        return number(value)
    if isinstance(value, (list, tuple)):
        return type(value)(exactly(v) for v in value)
    return value


def mpmathified(value: Any) -> Any:
    """Integers, too, as numbers of mpmath."""
    return np.frompyfunc(mp.mpmathify, 1, 1)(np.asarray(value, object))


def number(value: Any) -> Any:
    return mp.mpc(complex(value)) if isinstance(value, (complex, np.complexfloating)) else mp.mpf(float(value))


class Module:
    """A module whose functions are those of numbers of mpmath."""

    def __init__(self, module: Any) -> None:
        self.module = module

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.module, name)
        if name in ("pi", "e", "euler_gamma"):
            return {"pi": +mp.pi, "e": +mp.e, "euler_gamma": +mp.euler}[name]
        return reading(found)


class Ufunc:
    """A ufunc of numbers of mpmath, with its methods."""

    def __init__(self, ufunc: Any) -> None:
        self.ufunc = ufunc

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return apply(self.ufunc, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.ufunc, name)


def reading(found: Any) -> Any:
    """What a name of a definition stands for."""
    if isinstance(found, types.ModuleType):
        return Module(found)
    if type(found).__module__.startswith("scipy.stats") and not callable(getattr(found, "__func__", None)):
        return Module(found) if hasattr(found, "pdf") or hasattr(found, "pmf") else found
    if isinstance(found, np.ufunc):
        return Ufunc(found)
    if not callable(found) or (isinstance(found, type) and found not in REFERENCES):
        return found
    return lambda *args, **kwargs: apply(found, *args, **kwargs)


_texts: dict[Any, Callable[..., Any]] = {}


def by_text(function: types.FunctionType) -> Callable[..., Any]:
    """A function of Python, whose text computes with numbers of mpmath."""
    if function not in _texts:
        inner = {name for code in codes(function.__code__) for name in code.co_names}
        scope = {k: v if v is function else reading(v) for k, v in function.__globals__.items() if k in inner}
        scope.setdefault("NoDerivative", NoDerivative)
        cells = tuple(types.CellType(reading(cell.cell_contents)) for cell in function.__closure__ or ())
        made = types.FunctionType(function.__code__, scope, function.__name__, function.__defaults__, cells)
        made.__kwdefaults__ = function.__kwdefaults__
        scope["__builtins__"] = builtins
        _texts[function] = made
    return _texts[function]


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from codes(inner)


def by_definition(target: Any) -> Callable[..., Any]:
    """The definition of a function, of numbers of mpmath."""
    return by_text(rules.lookup(target).definition.function)


def way_of(target: Any) -> str:
    """Which reference a function has (`tests.rules.references`)."""
    rule = rules.lookup(target)
    return "" if rule is None else WAYS.get(rule.name, "")


def apply(target: Any, *args: Any, **kwargs: Any) -> Any:
    """A function of numbers of mpmath."""
    try:
        found = REFERENCES.get(target)
    except TypeError:
        found = None
    if found is not None:
        return found(*args, **kwargs)
    if way_of(target) == "definition":
        return by_definition(target)(*args, **kwargs)
    module = getattr(target, "__module__", None) or ""
    if isinstance(target, np.ufunc) and target.__name__ in _METHODS:
        return target(*[mpmathified(a) for a in args], **kwargs)
    if module.startswith(("s2sad", "templates")) and isinstance(target, types.FunctionType):
        return by_text(target)(*args, **kwargs)
    if module.startswith("scipy.") and way_of(target) != "itself":
        raise TypeError(f"{target} is not said to compute with numbers of mpmath")
    return target(*args, **kwargs)


class Program(second.Program):
    """One call of a function as a function of its active arguments, of floats (`f`) and of numbers of mpmath."""

    def returned(self, call: str, result: Any, skip: tuple[int, ...], reads: dict[int, str]) -> list[str]:
        if not isinstance(result, (tuple, list)):
            return [f"return {call}"]
        parts = [f"y{i}" for i in range(len(result))]
        wanted = [p for i, (p, r) in enumerate(zip(parts, result, strict=True)) if runner._floats(r) and i not in skip]
        body = [f"{', '.join(parts)}, = {call}", *(f"y{i} = {text}" for i, text in reads.items())]
        return [*body, f"return {', '.join(wanted)}"]

    @cached_property
    def forward(self) -> Any:
        return s2sad.jvp(self.f, wrt=tuple(range(self.active)))

    @cached_property
    def backward(self) -> Any:
        return s2sad.vjp(self.f, wrt=tuple(range(self.active)))

    @cached_property
    def of_exact(self) -> Callable[..., Any]:
        held = {k: exactly(v) for k, v in self.scope.items() if isinstance(v, (np.ndarray, float, complex))}
        scope = {**self.scope, **held, "function": reading(self.scope["function"]), "np": Module(np)}
        exec(self.text, scope)
        return scope["f"]

    @cached_property
    def is_wide(self) -> bool:
        """Are its differences those of NumPy's widest floats?"""
        return way_of(self.scope["function"]) in ("pieces", "smooth")

    def wide(self, values: list[Any]) -> list[np.ndarray]:
        """The results, of the widest floats that the function computes with, as numbers of mpmath."""
        for kind in (np.longdouble, float):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error", getattr(np, "exceptions", np).ComplexWarning)
                    parts = parts_of(self.f(*[as_floats(v, kind) for v in values]))
            except (TypeError, ValueError, RuntimeError):
                if kind is float:
                    raise
                continue
            if kind is float or all(part.dtype.itemsize > 16 or part.dtype == kind for part in parts):
                self.eps = float(np.finfo(kind).eps)
                return [exactly_wide(part) for part in parts]
        raise AssertionError

    def exact(self, values: list[Any]) -> list[np.ndarray]:
        """The results, of numbers of mpmath."""
        if self.is_wide:
            return self.wide(values)
        parts = parts_of(self.of_exact(*values))
        if any(part.dtype.kind in "fc" for part in parts):
            raise TypeError("it converts its arguments to floats")
        return parts


def as_floats(value: Any, kind: Any) -> Any:
    """Numbers of mpmath as floats of NumPy."""
    if not isinstance(value, np.ndarray):
        return complex(value) if isinstance(value, mp.mpc) else float(value) if isinstance(value, mp.mpf) else value
    flat = value.ravel().tolist()
    if any(isinstance(v, mp.mpc) for v in flat):
        wide = np.clongdouble if kind is np.longdouble else complex
        made = np.array([real_as(mp.re(v), kind) + 1j * real_as(mp.im(v), kind) for v in flat], wide)
    else:
        made = np.array([real_as(v, kind) for v in flat], kind)
    return made.reshape(value.shape)


def real_as(value: Any, kind: Any) -> Any:
    if kind is float:
        return float(value)
    high = np.longdouble(float(value))
    return high + np.longdouble(float(value - float(value))) if np.isfinite(high) else high


def exactly_wide(part: np.ndarray) -> np.ndarray:
    """The same numbers, of mpmath."""
    out = np.empty(part.shape, object)
    for k in np.ndindex(*part.shape):
        v = part[k]
        out[k] = mp.mpc(wide_number(v.real), wide_number(v.imag)) if np.iscomplexobj(part) else wide_number(v)
    return out


def wide_number(v: Any) -> Any:
    high = float(v)
    return mp.mpf(high) + mp.mpf(float(v - type(v)(high))) if np.isfinite(high) else mp.mpf(high)


def parts_of(result: Any) -> list[np.ndarray]:
    """The results as arrays."""
    return [np.asarray(r) for r in (result if isinstance(result, (tuple, list)) else [result])]


def largest(x: Any) -> Any:
    """The size of the largest element, in numbers of mpmath."""
    return max(
        (abs(number(v) if isinstance(v, (float, complex)) else v) for v in np.ravel(x).tolist()), default=mp.mpf(0)
    )


def total(a: Any, b: Any) -> Any:
    """The real part of the sum of products."""
    return mp.re(sum((x * y for x, y in zip(np.ravel(a).tolist(), np.ravel(b).tolist(), strict=True)), mp.mpf(0)))


# -- the comparison ----------------------------------------------------------------------------------------------------

#: where the function itself is off by more than this, it has lost its digits, and no derivative can be told from it
LOST = {"f8": 1e-7, "f4": 1e-2, "f2": 0.1}
#: roundings that are allowed one that the derivative's condition allows
ULPS = 1000.0


class Point:
    """A program at some arguments: its derivatives there, those of s2sad and those by differences of 110 digits."""

    def __init__(
        self, program: Program, values: list[Any], form: str, rng: np.random.Generator, fixed_zeros: bool = False,
        condition: float = 1.0, each: bool = False,
    ) -> None:  # fmt: skip
        self.fixed_zeros, self.condition, self.each = fixed_zeros, condition, each
        self.program, self.values, self.form, self.rng = program, values, form, rng
        self.info = np.finfo({"f8": np.float64, "f4": np.float32, "f2": np.float16}[form])
        self.wrt = tuple(range(len(values)))
        self.exact = [exactly(v) for v in values]
        #: digits that are lost where arguments of different sizes, and ordinary numbers, are added
        sizes = [s for s in (1.0, *(float(np.max(np.abs(v), initial=0.0)) for v in values)) if s]
        self.lost = int(max(map(math.log10, sizes)) - min(map(math.log10, sizes)))

    def held(self) -> Iterator[str | None]:
        """What is off, in words; None for each derivative that was held."""
        program, values = self.program, self.values
        mp.dps = DIGITS + 8 * self.lost
        own = parts_of(program.f(*[runner._copied(v) for v in values]))
        if not all(np.all(np.isfinite(part)) for part in own):
            return
        exact = program.exact(self.exact)
        loss = mp.mpf(0)
        for part, wanted in zip(own, exact, strict=True):
            if part.shape != wanted.shape:
                raise ValueError(f"its shape is {part.shape} instead of {wanted.shape}")
            size = largest(wanted)
            if size == 0:
                continue
            if not self.info.tiny / self.info.eps < size < self.info.max / 16:
                return
            loss = max(loss, largest((exactly(part) - wanted) / (wanted if self.each else size)))
        if loss > LOST[self.form]:
            yield f"lost: the function itself is off by {mp.nstr(loss, 3)}"
            return
        self.allowed = ULPS * (self.condition * self.info.eps + loss)
        forward = program.forward
        value, pullback = program.backward(*values)
        cotangents = [runner.random_like(part, self.rng) for part in own]
        g = cotangents if isinstance(value, (tuple, list)) else cotangents[0]
        gradients = pullback(
            type(value)(g) if type(value) in (tuple, list) else tuple(g) if isinstance(value, tuple) else g
        )
        for k, name in enumerate(program.names[: program.active]):
            direction = runner.random_like(values[k], self.rng)
            found = self.slopes(k, direction)
            if found is None:
                continue
            slopes, swings = found
            sizes = [largest(s) for s in slopes]
            if any(s and not self.info.tiny / self.info.eps < s < self.info.max / 64 for s in sizes):
                continue
            tangents = [v * 0 for v in values]
            tangents[k] = direction
            _, moved = forward(*values, tuple(tangents))
            # a function that is known to its rounding has a derivative that is known to that, over the argument's size
            swings = [
                w + largest(e) / (largest(self.exact[k]) or 1) * largest(direction)
                for w, e in zip(swings, exact, strict=True)
            ]
            floor = 16 * float(self.info.smallest_subnormal) / self.info.eps
            for i, (got, wanted, size, swing) in enumerate(zip(parts_of(moved), slopes, sizes, swings, strict=True)):
                off = largest(exactly(got) - wanted) if np.all(np.isfinite(got)) else mp.inf
                if not off <= self.allowed * (size + swing) + floor:
                    by = self.ratio(off, size + swing)
                    yield f"tangent of result {i} in {name}: {got} instead of {shown(wanted)}, off by {by}"
                else:
                    yield None
            got = np.asarray(gradients[k])
            wanted = sum((total(c, s) for c, s in zip(map(exactly, cotangents), slopes, strict=True)), mp.mpf(0))
            size = sum(largest(c) * (s + w) * np.size(c) for c, s, w in zip(cotangents, sizes, swings, strict=True))
            size += largest(got) * largest(direction) if np.all(np.isfinite(got)) else 0
            off = abs(total(exactly(got), exactly(direction)) - wanted) if np.all(np.isfinite(got)) else mp.inf
            if not off <= self.allowed * size + floor:
                by = self.ratio(off, size)
                yield f"gradient in {name}: {got}, along a direction off by {by} of {mp.nstr(wanted, 5)}"
            else:
                yield None

    def ratio(self, off: Any, size: Any) -> str:
        return f"{mp.nstr(off / size / self.info.eps, 3) if size else mp.nstr(off, 3)} roundings"

    def slopes(self, k: int, direction: Any) -> tuple[list[Any], list[Any]] | None:
        """The derivatives along a direction of an argument, and how they vary with a relative change of the arguments.

        None where the function has a kink.
        """
        exact, program = self.exact, self.program
        along = exactly(direction)
        if self.fixed_zeros:
            along = along * (np.asarray(exact[k]) != 0)
        size = largest(exact[k]) or mp.mpf(1)

        def along_of(base: list[Any]) -> tuple[list[Any], list[Any]]:
            step = (mp.mpf(2) ** -12 if program.is_wide else mp.mpf(10) ** -(STEP + self.lost)) * size / largest(along)
            ahead, here, behind = (
                program.exact([*base[:k], base[k] + t * step * along, *base[k + 1 :]]) for t in (1, 0, -1)
            )
            right = [(a - h) / step for a, h in zip(ahead, here, strict=True)]
            left = [(h - b) / step for h, b in zip(here, behind, strict=True)]
            return right, left

        if way_of(program.scope["function"]) == "smooth":
            return self.smooth_slopes(k, along, size)
        right, left = along_of(exact)
        for r, f in zip(right, left, strict=True):
            least = mp.mpf(10) ** -9 if program.is_wide else mp.mpf(10) ** -20
            if largest(r - f) > least * (largest(r) + largest(f)):
                return None
        slopes = [(r + f) / 2 for r, f in zip(right, left, strict=True)]
        swings = [mp.mpf(0) for _ in slopes]
        if program.is_wide:
            return slopes, [2**14 * program.eps / self.info.eps * largest(s) for s in slopes]
        tiny = mp.mpf(10) ** -(18 + self.lost)
        for _ in range(2):
            base = [x + tiny * largest(x) * exactly(self.rng.uniform(-1.0, 1.0, np.shape(x))) for x in exact]
            if self.fixed_zeros:
                base = [b * (np.asarray(x) != 0) for b, x in zip(base, exact, strict=True)]
            base = [np.asarray(b, object) if isinstance(x, np.ndarray) else b for b, x in zip(base, exact, strict=True)]
            other, _ = along_of(base)
            swings = [max(w, largest(o - s) / tiny) for w, o, s in zip(swings, other, slopes, strict=True)]
        return slopes, swings

    def smooth_slopes(self, k: int, along: Any, size: Any) -> tuple[list[Any], list[Any]] | None:
        """By Richardson's extrapolation of differences of the widest floats; how far the last two are apart."""
        rows: list[list[list[Any]]] = []
        for i in range(7):
            step = mp.mpf(2) ** -(5 + i) * size / largest(along)
            ahead, behind = (
                self.program.exact([*self.exact[:k], self.exact[k] + t * step * along, *self.exact[k + 1 :]])
                for t in (1, -1)
            )
            row = [[(a - b) / (2 * step) for a, b in zip(ahead, behind, strict=True)]]
            for j in range(i):
                better = mp.mpf(4) ** (j + 1)
                row.append([(a * better - b) / (better - 1) for a, b in zip(row[j], rows[i - 1][j], strict=True)])
            rows.append(row)
        found = [
            (
                largest(np.concatenate([np.ravel(a - b) for a, b in zip(rows[i][j], rows[i - 1][j - 1], strict=True)])),
                rows[i][j],
            )
            for i in range(1, 7)
            for j in range(1, i + 1)
        ]
        error, slopes = min(found, key=lambda pair: pair[0])
        if error > mp.mpf(10) ** -6 * max(map(largest, slopes)):
            return None
        return slopes, [20 * error / self.info.eps for _ in slopes]


def shown(x: Any) -> Any:
    return [mp.nstr(v, 6) for v in np.ravel(x).tolist()]
