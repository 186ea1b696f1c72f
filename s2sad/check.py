"""A derivative against numerical differentiation: `s2sad check`."""

from __future__ import annotations

import copy
import inspect
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2sad.derivative import GeneratedDerivative, Grad, Jvp, Vjp
from s2sad.frontend.diagnostics import BadArgument, DerivationError, raised_by
from s2sad.frontend.target import part_of, set_part
from s2sad.kinds.bind import is_callable, state_of
from s2sad.kinds.kind import Array, Dict, Dim, Kind, List, ListOf, Number, Static, Tuple, Unknown
from s2sad.runtime.structures import is_differentiable, leaves, parts, unit_values, with_parts

#: lengths that symbols are given, in the order of their appearance: all different
_SIZES = (3, 4, 5, 6, 7, 8, 9)


@dataclass
class Finding:
    """One comparison: a mode, a parameter, and the largest relative error that was found."""

    mode: str
    parameter: str
    error: float
    tolerance: float

    @property
    def passed(self) -> bool:
        return self.error <= self.tolerance  # false for nan


def draw(kinds: dict[str, Kind], seed: int = 0) -> dict[str, Any]:
    """Random arguments of the given kinds; the same for the same seed. Floats lie between 0.5 and 1.5.

    Raises:
        BadArgument: nothing is known of a parameter, or it is of a kind that cannot be drawn.

    >>> from s2sad.kinds.spec import parse_kinds
    >>> {name: np.shape(v) for name, v in draw(parse_kinds("W: f8[p, n], b: f8[p], x: f8[n]")).items()}
    {'W': (3, 4), 'b': (3,), 'x': (4,)}
    """
    drawer = _Drawer(np.random.default_rng(seed))
    return {name: drawer.value(kind, name) for name, kind in kinds.items()}


class _Drawer:
    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.symbols: dict[str, int] = {}

    def length(self, dim: Dim) -> int:
        total = dim.const
        for symbol, factor in dim.terms:
            size = self.symbols.setdefault(symbol, _SIZES[len(self.symbols) % len(_SIZES)])
            total += factor * size
        return total

    def value(self, kind: Kind, name: str) -> Any:
        if isinstance(kind, Number):
            return self.number(kind)
        if isinstance(kind, Array):
            shape = (4,) if kind.shape is None else tuple(self.length(d) for d in kind.shape)
            return self.array(kind.dtype, shape)
        if isinstance(kind, Static):
            return kind.value
        if isinstance(kind, Tuple):
            parts = [self.value(k, f"{name}[{i}]") for i, k in enumerate(kind.items)]
            return kind.cls(*parts) if hasattr(kind.cls, "_fields") else tuple(parts)
        if isinstance(kind, List):
            return [self.value(k, f"{name}[{i}]") for i, k in enumerate(kind.items)]
        if isinstance(kind, ListOf):
            return [self.value(kind.item, name) for _ in range(4)]
        if isinstance(kind, Dict):
            return {key: self.value(k, f"{name}[{key!r}]") for key, k in kind.items}
        what = "Nothing is known of" if isinstance(kind, Unknown) else "No example can be drawn for"
        raise BadArgument(
            f"{what} the parameter {name}.",
            f'say what it is with --args "{name}: float" (or f8[n], int, ...), or give arguments with --inputs.',
        )

    def number(self, kind: Number) -> Any:
        make: Any = kind.type
        if kind.value is not None and issubclass(kind.type, int):
            return make(self.length(kind.value))
        if issubclass(kind.type, (bool, np.bool_)):
            return make(True)
        if issubclass(kind.type, (int, np.integer)):
            return make(3)
        if issubclass(kind.type, (complex, np.complexfloating)):
            return make(complex(self.rng.uniform(0.5, 1.5), self.rng.uniform(0.5, 1.5)))
        return make(self.rng.uniform(0.5, 1.5))

    def array(self, dtype: np.dtype[Any], shape: tuple[int, ...]) -> Any:
        if dtype.kind == "b":
            return self.rng.random(shape) < 0.5
        if dtype.kind in "iu":
            return self.rng.integers(0, 3, shape).astype(dtype)
        values = self.rng.uniform(0.5, 1.5, shape)
        if dtype.kind == "c":
            values = values + 1j * self.rng.uniform(0.5, 1.5, shape)
        return values.astype(dtype)


def check(
    primal: Callable[..., Any],
    wrt: Any,
    arguments: dict[str, Any],
    *,
    forward: bool = True,
    reverse: bool = True,
    tolerance: float | None = None,
    seed: int = 0,
    strong_zero: bool = False,
) -> list[Finding]:
    """Compare derivatives with Richardson-extrapolated central differences along random directions.

    Args:
        arguments: values for the primal's parameters, by name.
        tolerance: the largest relative error that passes; by default 1e-6, for single precision 1e-2.
        seed: of the directions.
        strong_zero: as for `grad`.

    Returns:
        a finding for each mode and parameter.

    Raises:
        DerivationError: the primal cannot be derived for these arguments.
        Raised: the primal, or its derivative, raises an error of its own for them.
    """
    first = Grad(primal, wrt, strong_zero=strong_zero)
    bound = _bound(first, arguments)
    names = first.wrt
    rng = np.random.default_rng(seed)
    value = _run(primal, primal, bound)
    weights = _map(lambda v: _random_like(rng, v), value)
    if tolerance is None:
        single = any(
            getattr(np.asarray(v).dtype, "itemsize", 8) == 4
            for n in names
            for v in _leaves(part_of(bound.arguments, n))
        )
        tolerance = 1e-2 if single else 1e-6
    gradients = _gradients(first, names, bound, value, weights) if reverse else {}
    findings: dict[tuple[str, str], Finding] = {}
    for name in names:
        for _ in range(3):
            direction = _map(lambda v: _random_like(rng, v), part_of(bound.arguments, name))
            slope = _slope(primal, bound, name, direction, weights)
            found = {}
            if reverse:
                found["reverse"] = _inner(gradients[name], direction)
            if forward:
                _, tangent = _run(primal, Jvp(primal, name, strong_zero=strong_zero), bound, direction)
                found["forward"] = _inner(weights, tangent)
            for mode, mine in found.items():
                error = abs(mine - slope) / (1e-12 + abs(slope) + abs(mine))
                known = findings.setdefault((mode, name), Finding(mode, name, 0.0, tolerance))
                known.error = error if not error <= known.error else known.error
    return [findings[k] for k in sorted(findings, key=lambda k: (k[0] != "reverse", names.index(k[1])))]


#: entries that are looked at one by one where a derivative is wrong
_ENTRIES = 2000


def worst_entry(primal: Callable[..., Any], name: str, arguments: dict[str, Any], mode: str) -> str:
    """Where in an argument a derivative differs most from numerical differentiation, and how, in words."""
    derivative = Grad(primal, name)
    bound = _bound(derivative, arguments)
    value = _run(primal, primal, bound)
    rng = np.random.default_rng(0)
    single = isinstance(value, (float, np.floating))
    weights = type(value)(1.0) if single else _map(lambda v: _random_like(rng, v), value)
    point = part_of(bound.arguments, name)
    gradient = _gradients(derivative, (name,), bound, value, weights)[name] if mode == "reverse" else None
    places = [path for path, _ in leaves(point)]
    worst, words = 0.0, ""
    for unit, number, index in itertools.islice(unit_values(point), _ENTRIES):
        direction = copy.deepcopy(unit)
        if gradient is not None:
            mine = _inner(gradient, direction)
        else:
            mine = _inner(weights, _run(primal, Jvp(primal, name), bound, direction)[1])
        slope = _slope(primal, bound, name, direction, weights)
        error = abs(mine - slope) / (1e-12 + abs(slope) + abs(mine))
        if not error <= worst:
            at = f"{name}{places[number]}" + (f"[{', '.join(map(str, index))}]" if index else "")
            worst, words = error, f"at {at} it is {mine:.10g}, and should be {slope:.10g}"
    return words if single or not words else f"{words} (of a sum of the results with random weights)"


def _bound(derivative: GeneratedDerivative, arguments: dict[str, Any]) -> inspect.BoundArguments:
    """The arguments in the form that the primal is called with, ints for wrt numbers made floats."""
    signature = inspect.signature(derivative.primal)
    positional = [p.name for p in signature.parameters.values() if p.kind is p.POSITIONAL_ONLY and p.name in arguments]
    rest = {k: v for k, v in arguments.items() if k not in positional}
    several = [p for p in signature.parameters.values() if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    if several and any(p.name in arguments for p in several):
        bound = signature.bind_partial()
        bound.arguments.update(arguments)
    else:
        bound = signature.bind(*[arguments[n] for n in positional], **rest)
    bound.apply_defaults()
    for name in derivative.wrt:
        set_part(bound.arguments, name, derivative._checked(name, part_of(bound.arguments, name)))
    return bound


def _gradients(
    first: GeneratedDerivative, names: tuple[str, ...], bound: inspect.BoundArguments, value: Any, weights: Any
) -> dict[str, Any]:
    primal, strong = first.primal, first._strong_zero
    if isinstance(value, (float, np.floating)):
        found = _run(primal, Grad(primal, names, strong_zero=strong), bound)
        scaled = [_map(lambda v: v * float(weights) if is_differentiable(v) else v, g) for g in found]
        return dict(zip(names, scaled, strict=True))
    _, pullback = _run(primal, Vjp(primal, names, strong_zero=strong), bound)
    return dict(zip(names, pullback(weights), strict=True))


def _run(primal: Callable[..., Any], what: Callable[..., Any], bound: inspect.BoundArguments, *more: Any) -> Any:
    """Call the primal, or its derivative, with copies of the arguments; what it raises is the user's own error."""
    args, kwargs = copy.deepcopy((bound.args, bound.kwargs))
    try:
        return what(*args, *more, **kwargs)
    except DerivationError:
        raise
    except Exception as error:
        name = getattr(primal, "__name__", "the function")
        subject = f"{name} raises" if what is primal else f"The derivative of {name} raises, as the function may,"
        way = "give arguments (--inputs on the command line) for which the function and its derivative are defined."
        raise raised_by(error, subject, way) from error


def _slope(primal: Callable[..., Any], bound: inspect.BoundArguments, name: str, direction: Any, weights: Any) -> float:
    """The derivative of the weighted result along a direction of one argument, by differences of fourth order."""
    given = _leaves(part_of(bound.arguments, name))
    exact = all(np.asarray(v).dtype.itemsize >= 8 for v in given if is_differentiable(v))
    step = 1e-4 if exact else 2e-2

    def at(offset: float) -> float:
        moved = inspect.BoundArguments(bound.signature, copy.deepcopy(bound.arguments))
        there = _map(lambda v, d: _moved(v, offset, d), part_of(moved.arguments, name), direction)
        set_part(moved.arguments, name, there)
        return _inner(weights, _run(primal, primal, moved))

    return (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step)


def _moved(value: Any, offset: float, direction: Any) -> Any:
    if not is_differentiable(value):
        return value
    moved = value + offset * direction
    return moved.astype(value.dtype) if isinstance(value, np.ndarray) else type(value)(moved)


def _map(function: Callable[..., Any], value: Any, *others: Any) -> Any:
    """`map_leaves` that looks into objects, too: their derivative is an object like them."""
    own = _parts(value)
    if own is None:
        return function(value, *others)
    rest = [dict(_parts(other) or ()) for other in others]
    new = [_map(function, part, *(r[key] for r in rest)) for key, part in own]
    if parts(value) is not None:
        return with_parts(value, new)
    made = copy.copy(value)
    for (name, _), part in zip(own, new, strict=True):
        object.__setattr__(made, name, part)
    return made


def _leaves(value: Any) -> list[Any]:
    own = _parts(value)
    return [value] if own is None else [leaf for _, part in own for leaf in _leaves(part)]


def _parts(value: Any) -> list[tuple[Any, Any]] | None:
    known = parts(value)
    if known is not None or isinstance(value, (np.generic, np.ndarray, float)) or is_callable(value):
        return known
    state = state_of(value)
    return list(state.items()) if state else None


def _random_like(rng: np.random.Generator, value: Any) -> Any:
    if not is_differentiable(value):
        return value
    drawn = rng.normal(size=np.shape(value))
    if np.iscomplexobj(value):
        drawn = drawn + 1j * rng.normal(size=np.shape(value))
    if isinstance(value, np.ndarray):
        return np.asarray(drawn).astype(value.dtype)
    return type(value)(complex(drawn) if np.iscomplexobj(value) else float(drawn))


def _inner(a: Any, b: Any) -> float:
    """The real inner product of two values of one structure."""
    total = 0.0
    for u, v in zip(_leaves(a), _leaves(b), strict=True):
        if is_differentiable(u) and is_differentiable(v):
            total += float(np.sum(np.real(np.conj(u) * v), dtype=float))
    return total
