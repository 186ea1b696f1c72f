"""The kind of a value that has one kind on one path and another on the other."""

from __future__ import annotations

import enum
from collections.abc import Callable as Function
from typing import Any

import numpy as np

from s2sad.kinds import dims
from s2sad.kinds.kind import (
    Array,
    Dim,
    Either,
    Kind,
    List,
    ListOf,
    Nothing,
    Number,
    Static,
    Text,
    Tuple,
    Unknown,
    of_one_field,
)


def is_vague(kind: Kind | None) -> bool:
    """Is it not known what a value of this kind, or a part of it, is?"""
    if isinstance(kind, (Tuple, List, ListOf)):
        return any(is_vague(part) for _, part in kind.parts())
    return isinstance(kind, Unknown) and not isinstance(kind, Text)


def may_hold_list(kind: Kind) -> bool:
    """May a value of this kind be a list, for all that is known?"""
    return isinstance(kind, Unknown) and not isinstance(kind, (Text, Either))


def join_kinds(a: Kind, b: Kind, fresh_symbol: Function[[], Dim]) -> Kind:
    """The kind of a value that has kind a on one path and b on another."""
    if isinstance(a, Number) and isinstance(b, Number) and not (a == b and a.types == b.types):
        types = a.of_types() | b.of_types()
        return Number(_common_type(a.type, b.type), types=types if len(types) > 1 else frozenset())
    mixed = isinstance(a, Array) and isinstance(b, Array) and (a.mixed or b.mixed or a.dtype != b.dtype)
    if a == b and not mixed:
        return a
    if isinstance(a, Array) and isinstance(b, Array):
        dtype = np.promote_types(a.dtype, b.dtype)
        if a.shape is None or b.shape is None or len(a.shape) != len(b.shape):
            return Array(dtype, None, mixed=mixed)
        pairs = zip(a.shape, b.shape, strict=True)
        return Array(dtype, tuple(p if p == q else dims.either(fresh_symbol(), p, q) for p, q in pairs), mixed=mixed)
    if isinstance(a, Nothing) or isinstance(b, Nothing):
        return b if isinstance(a, Nothing) else a
    if isinstance(a, (ListOf, List)) and isinstance(b, (ListOf, List)) and not same_length(a, b):
        kind: Kind = Nothing()
        for item in (*items_of(a), *items_of(b)):
            kind = join_kinds(kind, item, fresh_symbol)
        return ListOf(kind)
    if isinstance(a, Tuple) and isinstance(b, Tuple) and len(a.items) == len(b.items) and a.cls is b.cls:
        return Tuple(tuple(join_kinds(p, q, fresh_symbol) for p, q in zip(a.items, b.items, strict=True)), a.cls)
    if isinstance(a, List) and isinstance(b, List) and len(a.items) == len(b.items):
        return List(tuple(join_kinds(p, q, fresh_symbol) for p, q in zip(a.items, b.items, strict=True)))
    if isinstance(a, Static) and isinstance(b, Static) and isinstance(a.value, bool) and isinstance(b.value, bool):
        return Number(bool)
    if any(isinstance(k, (Array, Either)) for k in (a, b)):
        return join_array(a, b, fresh_symbol)
    if all(isinstance(k, Text) or (isinstance(k, Static) and type(k.value) is str) for k in (a, b)):
        return Text()
    if isinstance(a, Static) and isinstance(a.value, bool) and isinstance(b, Number):
        return join_kinds(Number(bool), b, fresh_symbol)
    if isinstance(b, Static) and isinstance(b.value, bool) and isinstance(a, Number):
        return join_kinds(a, Number(bool), fresh_symbol)
    return Unknown()


def _common_type(a: type, b: type) -> type:
    """The type of what arithmetic with numbers of both types gives."""
    if a is b:
        return a
    ranked = [bool, int, float, np.float32, np.float64, complex, np.complex128]
    if all(issubclass(t, (int, np.integer)) and t is not bool for t in (a, b)):
        return np.int64  # of Python's and NumPy's ints
    known = [t for t in (a, b) if t in ranked]
    return max(known, key=ranked.index) if len(known) == 2 else float


def join_array(a: Kind, b: Kind, fresh_symbol: Function[[], Dim]) -> Kind:
    """The kind of what is an array on one path, and an array, a number or None on the other."""
    alternatives = [k for kind in (a, b) for k in (kind.alternatives if isinstance(kind, Either) else (kind,))]
    arrays: list[Kind] = [k for k in alternatives if isinstance(k, Array)]
    others = [plain_number(k) for k in alternatives if not isinstance(k, Array)]
    array, other = arrays[0], others[0]
    for one in arrays[1:]:
        array = join_kinds(array, one, fresh_symbol)
    assert isinstance(array, Array)
    if array.shape in (None, ()) or not all(isinstance(k, (Number, Static)) for k in others):
        return Unknown()
    for one in others[1:]:
        other = join_kinds(other, one, fresh_symbol)
    if isinstance(other, Number) and of_one_field(array, other):
        return Either(array, other)
    return Either(array, other) if isinstance(other, Static) and other.value is None else Unknown()


def is_python_number(value: Any) -> bool:
    """Is it one of Python's numbers? A member of an IntEnum is more: `is` and `.name` tell it from its int."""
    return isinstance(value, (bool, int, float, complex)) and not isinstance(value, enum.Enum)


def plain_number(kind: Kind) -> Kind:
    """The kind of a number without its value."""
    if isinstance(kind, Static) and is_python_number(kind.value):
        return Number(type(kind.value))
    return Number(kind.type, types=kind.types) if isinstance(kind, Number) else kind


def same_length(a: Kind, b: Kind) -> bool:
    """Are both lists of known length, with as many items?"""
    return isinstance(a, List) and isinstance(b, List) and len(a.items) == len(b.items)


def items_of(kind: List | ListOf) -> tuple[Kind, ...]:
    """The kinds of the items of a list: one for all of them where its length is not known."""
    return kind.items if isinstance(kind, List) else (kind.item,)
