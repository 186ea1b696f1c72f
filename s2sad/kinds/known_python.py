"""Kinds of what Python's own functions give: lengths, numbers, types, sequences."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from s2sad.kinds import dims
from s2sad.kinds.kind import Array, Dict, Dim, Kind, List, ListOf, Number, Object, Static, Tuple, Unknown
from s2sad.kinds.known import (
    argument,
    element_of,
    int_value,
    is_instance,
    is_none,
    number,
    rule,
    same_number,
    shape_of,
    truth,
)
from s2sad.kinds.known_operators import is_int, operator_kind


@rule(len)
def _len(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    kind = args[0] if args else Unknown()
    if isinstance(kind, Array) and kind.shape:
        return Number(int, kind.shape[0])
    if isinstance(kind, (Tuple, List, Dict)):
        return Number(int, Dim.of(len(kind.items)))
    if isinstance(kind, Static) and isinstance(kind.value, (str, bytes)):
        return Number(int, Dim.of(len(kind.value)))
    return Number(int)


@rule(np.shape)
def shape_kind(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    shape = shape_of(args[0]) if len(args) == 1 else None
    return Unknown() if shape is None else Tuple(tuple(Number(int, d) for d in shape))


@rule(np.size)
def _size(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    shape = shape_of(args[0]) if len(args) == 1 and not kwargs else None
    return Number(int) if shape is None else Number(int, dims.product_of(shape))


@rule(np.ndim)
def _ndim(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    shape = shape_of(args[0]) if args else None
    return Number(int) if shape is None else Number(int, Dim.of(len(shape)))


@rule(object)
def _object(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    return Object(object)


@rule(float)
def _float(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    return Number(float)


@rule(complex)
def _complex(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    return Number(complex)


@rule(bool, operator.truth)
def _bool(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    decided = truth(args[0]) if args else False
    return Number(bool) if decided is None else Static(decided)


@rule(operator.not_)
def _not(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    decided = truth(args[0])
    return Number(bool) if decided is None else Static(not decided)


@rule(int, operator.index)
def _int(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    return Number(int, int_value(args[0]) if args else dims.ZERO)


@rule(range)
def _range(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    return ListOf(Number(int))


@rule(min, max)
def _min(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    if kwargs:
        return None
    if len(args) == 1 and isinstance(args[0], (Tuple, List)):
        args = list(args[0].items)
    elif len(args) == 1:
        item = element_of(args[0])
        return item if isinstance(item, Number) else Unknown()
    args = [number(a) for a in args]
    if not args or not all(isinstance(a, (Number, Array)) for a in args):
        return None
    values = [int_value(a) for a in args]
    if all(is_int(a) for a in args):
        if None in values:
            return Number(int)
        combine = dims.minimum if target is min else dims.maximum
        result = values[0]
        for v in values[1:]:
            assert result is not None and v is not None
            result = combine(result, v)
        return Number(int, result)
    return same_number(args)


@rule(sum)
def _sum(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    if not args:
        return None
    start = argument(args, kwargs, 1, "start") or Number(int, dims.ZERO)
    if isinstance(args[0], (Tuple, List)):
        total: Kind = start
        for item in args[0].items:
            total = operator_kind([total, item], {}, operator.add) or Unknown()
        return total
    item = element_of(args[0])
    total = operator_kind([start, item], {}, operator.add) or Unknown()
    again = operator_kind([total, item], {}, operator.add)
    if total == again and not isinstance(total, Number):
        return total
    if isinstance(total, Number) and isinstance(again, Number) and total.type == again.type:
        return Number(total.type)
    return Unknown()


@rule(round)
def _round(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    if isinstance(args[0], Number):
        digits = argument(args, kwargs, 1, "ndigits")
        if is_none(digits):
            return Number(int, args[0].value)
        return Number(args[0].type)
    return None


@rule(isinstance)
def _isinstance(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    decided = is_instance(args[0], args[1]) if len(args) == 2 else None
    return Number(bool) if decided is None else Static(decided)


@rule(zip)
def _zip(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    return ListOf(Tuple(tuple(element_of(a) for a in args)))


@rule(enumerate)
def _enumerate(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    return ListOf(Tuple((Number(int), element_of(args[0]))))


@rule(list, tuple, reversed, sorted)
def _list(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    if not args:
        return Tuple(()) if target is tuple else List(())
    kind = args[0]
    if isinstance(kind, Dict):
        kind = List(tuple(Static(k) for k, _ in kind.items))
    if isinstance(kind, (List, Tuple)):
        items = kind.items
        if target is reversed:
            items = items[::-1]
        if target is sorted:
            item = element_of(kind)
            items = tuple(item for _ in items)
        return Tuple(items) if target is tuple else List(items)
    if isinstance(kind, Array) and kind.shape and kind.shape[0].known and kind.shape[0].const <= 64:
        items = (element_of(kind),) * kind.shape[0].const
        return Tuple(items) if target is tuple else List(items)
    item = element_of(kind)
    return Unknown() if isinstance(item, Unknown) or target is tuple else ListOf(item)


@rule(math.prod)
def _prod(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    if len(args) == 1 and not kwargs and isinstance(args[0], (Tuple, List)):
        total: Kind = Number(int, dims.ONE)
        for item in args[0].items:
            total = operator_kind([total, item], {}, operator.mul) or Unknown()
        return total
    return None


@rule(math.floor, math.ceil, math.trunc)
def _floor(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    return Number(int, int_value(args[0]) if args else None)
