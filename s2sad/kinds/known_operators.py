"""Kinds of what operators give: of numbers, sequences and matrices."""

from __future__ import annotations

import operator
from collections.abc import Callable as Function
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from s2sad.kinds import dims
from s2sad.kinds.kind import Array, Dim, Kind, List, ListOf, Number, Object, Static, Tuple, Unknown
from s2sad.kinds.known import (
    argument,
    compare,
    dtype_of,
    elementwise,
    int_value,
    is_none,
    known_lengths,
    literal,
    number,
    rule,
    same_number,
    shape_of,
)

_UFUNC_OF = {
    operator.add: np.add, operator.sub: np.subtract, operator.mul: np.multiply, operator.truediv: np.true_divide,
    operator.floordiv: np.floor_divide, operator.mod: np.remainder, operator.pow: np.power, operator.neg: np.negative,
    operator.pos: np.positive, operator.abs: np.absolute, abs: np.absolute, operator.invert: np.invert,
    operator.and_: np.bitwise_and, operator.or_: np.bitwise_or, operator.xor: np.bitwise_xor,
    operator.lshift: np.left_shift, operator.rshift: np.right_shift,
    operator.lt: np.less, operator.le: np.less_equal, operator.gt: np.greater, operator.ge: np.greater_equal,
    operator.eq: np.equal, operator.ne: np.not_equal, divmod: np.divmod, pow: np.power,
    operator.iadd: np.add, operator.isub: np.subtract, operator.imul: np.multiply, operator.itruediv: np.true_divide,
    operator.ifloordiv: np.floor_divide, operator.imod: np.remainder, operator.ipow: np.power,
}  # fmt: skip
_PLAIN = {operator.iadd: operator.add, operator.isub: operator.sub, operator.imul: operator.mul,
          operator.itruediv: operator.truediv, operator.ifloordiv: operator.floordiv, operator.imod: operator.mod,
          operator.ipow: operator.pow, operator.imatmul: operator.matmul}  # fmt: skip
_INT_OPERATORS: dict[Any, Function[..., Dim | None]] = {
    operator.add: lambda a, b: a + b,
    operator.sub: lambda a, b: a - b,
    operator.mul: dims.product,
    operator.floordiv: lambda a, b: None if b == dims.ZERO else dims.floordiv(a, b),
    operator.mod: lambda a, b: None if b == dims.ZERO else dims.remainder(a, b),
    operator.neg: lambda a: a * -1,
    operator.pos: lambda a: a,
    operator.abs: lambda a: a if dims.at_least(a, 0) else (a * -1 if dims.at_most(a, 0) else None),
    operator.pow: lambda a, b: Dim.of(a.const**b.const) if a.known and b.known and 0 <= b.const < 64 else None,
}

_COMPARISONS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)


def is_int(kind: Kind) -> bool:
    return isinstance(kind, Number) and kind.type is int


@lru_cache(maxsize=1024)
def _number_type(target: Any, types: tuple[type, ...]) -> type | None:
    """The type of an operator's result on scalars of these types, where all values agree."""
    found = set()
    with np.errstate(all="ignore"):
        for value in (1, 2):
            try:
                found.add(type(target(*[t(value) for t in types])))
            except Exception:
                return None
    return found.pop() if len(found) == 1 else None


@rule(*_UFUNC_OF)
def operator_kind(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    if target in _PLAIN and args and isinstance(args[0], Array):
        return args[0]  # in place: the same array
    target = _PLAIN.get(target, target)
    if target is abs:
        target = operator.abs
    if kwargs or len(args) > 2:
        return None
    if all(isinstance(a, Static) for a in args) and not all(type(a.value) in (int, float) for a in args):  # type: ignore[attr-defined]
        return None  # folded by the caller
    args = [number(a) for a in args]
    if all(isinstance(a, Number) for a in args):
        numbers = [a for a in args if isinstance(a, Number)]
        values = [a.value for a in numbers]
        if all(a.type is int for a in numbers) and None not in values:
            known = [v for v in values if v is not None]
            if target in _COMPARISONS:
                decided = compare(target, *known)
                return Number(bool) if decided is None else Static(decided)
            if target in _INT_OPERATORS:
                result = _INT_OPERATORS[target](*known)
                if result is not None:
                    return Number(int, result)
                if target is operator.pow and known[1].known and known[1].const < 0:
                    return Number(float)
        if target is divmod and len(numbers) == 2:
            first, second = operator_kind(args, {}, operator.floordiv), operator_kind(args, {}, operator.mod)
            return Tuple((first, second)) if first and second else None
        found = _number_type(target, tuple([a.type for a in numbers]))
        return Number(found) if found is not None else None
    if any(isinstance(a, Array) for a in args):
        if not all(isinstance(a, (Array, Number, List, Tuple, ListOf)) for a in args):
            if target in (operator.eq, operator.ne) and any(is_none(a) for a in args):
                return None
            return Unknown()
        return elementwise(_UFUNC_OF[target], args)
    return _sequence_operator(target, args)


def _one_kind(items: Sequence[Kind]) -> Kind | None:
    """The kind that all items have; None where they have several (1 and True are two constants, though equal)."""
    kinds = {(k, type(k.value) if isinstance(k, Static) else None) for k in items}
    return items[0] if len(kinds) == 1 else None


def _sequence_operator(target: Any, args: list[Kind]) -> Kind | None:
    if len(args) != 2:
        return None
    a, b = args
    if target is operator.add:
        if isinstance(a, List) and isinstance(b, List):
            return List(a.items + b.items)
        if isinstance(a, Tuple) and isinstance(b, Tuple):
            return Tuple(a.items + b.items)
        if isinstance(a, (List, ListOf)) and isinstance(b, (List, ListOf)):
            items = [k for x in (a, b) for k in ((x.item,) if isinstance(x, ListOf) else x.items)]
            item = _one_kind(items) or same_number([number(k) for k in items])
            return ListOf(item) if not isinstance(item, Unknown) else None
    if target is operator.mul:
        if isinstance(b, (List, Tuple)):
            a, b = b, a
        count = int_value(b)
        if isinstance(a, (List, Tuple)) and is_int(b):
            if count is not None and count.known and 0 <= count.const * len(a.items) <= 64:
                items_ = a.items * count.const
                return List(items_) if isinstance(a, List) else Tuple(items_)
            only = _one_kind(a.items) if isinstance(a, List) else None
            if only is not None:
                return ListOf(only)
    if target in _COMPARISONS and not any(isinstance(k, (Unknown, Object)) for k in args):
        return Number(bool)
    return None


@rule(operator.imatmul)
def _imatmul(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    return args[0] if isinstance(args[0], Array) else Unknown()


@rule(operator.matmul, np.matmul)
def _matmul(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    if kwargs or len(args) != 2:
        return None
    a, b = (shape_of(k) for k in args)
    types = [dtype_of(k) for k in args]
    if any(t is None for t in types) or any(isinstance(k, Number) for k in args):
        return None
    dtype = np.result_type(*[t for t in types if t is not None])
    if a is None or b is None:
        return Array(dtype, None)
    if not a or not b:
        return Unknown()
    if dims.broadcast(a[-1], b[-2] if len(b) > 1 else b[0]) is None:
        return Unknown()
    tail = (a[-2:-1] if len(a) > 1 else ()) + (b[-1:] if len(b) > 1 else ())
    batch = dims.broadcast_shapes(a[:-2], b[:-2])
    if batch is None:
        return Unknown()
    shape = batch + tail
    return Array(dtype, shape) if shape else Number(dtype.type)


@rule(np.dot, np.ndarray.dot)
def _dot(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    if len(args) == 2 and not kwargs:
        a, b = (shape_of(k) for k in args)
        if a == () or b == ():
            return elementwise(np.multiply, args)
        if a is not None and b is not None and len(a) <= 2 and len(b) <= 2:
            return _matmul(args, kwargs)
    return None


@rule(np.tensordot)
def _tensordot(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """The axes that are not summed over; those that are may well have lengths that are not known to be equal."""
    axes = argument(args, kwargs, 2, "axes")
    if len(args) < 2 or (axes is not None and not known_lengths(axes)):
        return None
    a, b = (shape_of(k) for k in args[:2])
    types = [dtype_of(k) for k in args[:2]]
    if a is None or b is None or any(t is None for t in types):
        return None
    try:
        over = literal(axes, 2)
    except LookupError:
        return None
    if isinstance(over, int):
        left, right = set(range(len(a) - over, len(a))), set(range(over))
    else:
        first, second = ((i,) if isinstance(i, int) else i for i in over)
        left, right = {i % len(a) for i in first}, {i % len(b) for i in second}
    rest = [d for i, d in enumerate(a) if i not in left] + [d for i, d in enumerate(b) if i not in right]
    return Array(np.result_type(*[t for t in types if t is not None]), tuple(rest))
