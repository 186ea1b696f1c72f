"""The kind of base[index]: NumPy's basic and advanced indexing over symbolic shapes, and the items of containers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from s2sad.kinds import dims, known
from s2sad.kinds.kind import Array, Dict, Dim, Kind, List, ListOf, Number, Static, Tuple, Unknown

UNKNOWN = Unknown()


@dataclass(frozen=True)
class Slice:
    """A slice in an index: the kinds of its parts, None where left out."""

    lower: Kind | None = None
    upper: Kind | None = None
    step: Kind | None = None


def subscript(base: Kind, items: list[Any], is_tuple: bool) -> Kind:
    """The kind of base[items].

    Args:
        base: what is indexed.
        items: the parts of the index, kinds and `Slice`s.
        is_tuple: is the index written as a tuple?
    """
    if not is_tuple and len(items) == 1 and isinstance(items[0], Tuple) and isinstance(base, Array):
        items = list(items[0].items)
    if isinstance(base, Number) and issubclass(base.type, np.generic):
        base = Array(np.dtype(base.type), ())  # x[mask] and x[...] of a NumPy number make an array
    if isinstance(base, Array):
        return _array(base, [_plain(item) for item in items])
    if isinstance(base, Dict):
        key = _key(items, is_tuple)
        for k, v in base.items:
            if k == key and type(k) is type(key):
                return v
        return UNKNOWN
    item = _plain(items[0])
    if isinstance(base, (Tuple, List)):
        if isinstance(item, Slice):
            bounds = [None if part is None else known.literal(part) for part in (item.lower, item.upper, item.step)]
            parts = base.items[slice(*bounds)]
            return List(parts) if isinstance(base, List) else Tuple(parts)
        value = known.int_value(item)
        if value is not None and value.known:
            return base.items[value.const]
        return known.element_of(base)
    if isinstance(base, ListOf):
        return base if isinstance(item, Slice) else base.item
    if isinstance(base, Static) and isinstance(base.value, (str, bytes)) and not isinstance(item, Slice):
        return Static(base.value[known.literal(item)])
    return UNKNOWN


def _key(items: list[Any], is_tuple: bool) -> Any:
    keys = [known.literal(item) for item in items]
    return tuple(keys) if is_tuple else keys[0]


def _plain(item: Any) -> Any:
    """A Static slice as Slice, a Static int as a Number, a list of indices as an array."""
    if isinstance(item, Static):
        if isinstance(item.value, slice):
            parts = (item.value.start, item.value.stop, item.value.step)
            return Slice(*[None if p is None else Number(int, Dim.of(p)) for p in parts])
        if type(item.value) is int:
            return Number(int, Dim.of(item.value))
        if isinstance(item.value, (bool, np.bool_)):
            return Array(np.dtype(bool), ())
    if isinstance(item, Number) and issubclass(item.type, (bool, np.bool_)):
        return Array(np.dtype(bool), (), item.trues)  # a mask for the array as a whole: a new axis of length 0 or 1
    if isinstance(item, (List, ListOf, Tuple)):
        dtype, shape = known.dtype_of(item), known.shape_of(item)
        if isinstance(item, List) and not item.items:
            return Array(np.dtype(np.intp), (dims.ZERO,))
        return UNKNOWN if dtype is None else Array(dtype, shape)
    return item


def _is_index(item: Any) -> bool:
    return isinstance(item, Number) and item.type is not bool and item.whole


def _array(base: Array, items: list[Any]) -> Kind:
    ellipsis = sum(isinstance(i, Static) and i.value is Ellipsis for i in items)
    for item in items:
        known_item = isinstance(item, (Slice, Array)) or _is_index(item)
        if not known_item and not (isinstance(item, Static) and (item.value is None or item.value is Ellipsis)):
            return Unknown() if isinstance(item, (Static, Unknown)) and base.shape is not None else UNKNOWN
        if isinstance(item, Array) and (item.shape is None or item.dtype.kind not in "iub"):
            return Array(base.dtype, None)
    if base.shape is None:
        return _unknown_rank(base, items)
    if ellipsis > 1:
        return UNKNOWN
    consumed = sum(_consumes(item) for item in items)
    if consumed > len(base.shape):
        return UNKNOWN  # raises
    if not ellipsis:
        items = [*items, Static(Ellipsis)]
    return _index(base, items, len(base.shape) - consumed, bool(ellipsis))


def _unknown_rank(base: Array, items: list[Any]) -> Kind:
    # x[mask], with a mask of x's own (unknown) rank or less, x[1:] and the like keep an array an array;
    # x[i] may be a number
    if all(isinstance(item, (Slice, Array, Static)) for item in items):
        return Array(base.dtype, None)
    return UNKNOWN


def _consumes(item: Any) -> int:
    """How many axes of the array a part of the index takes."""
    if isinstance(item, Array):
        return len(item.shape or ()) if item.dtype.kind == "b" else 1
    return 0 if isinstance(item, Static) else 1


def _index(base: Array, items: list[Any], rest: int, has_ellipsis: bool) -> Kind:
    assert base.shape is not None
    advanced = any(isinstance(item, Array) for item in items)
    shape: list[Dim] = []
    joint: tuple[Dim, ...] | None = ()  # what the advanced parts broadcast to
    place = -1  # where that goes
    last = -1
    adjacent = True
    axis = 0
    for position, item in enumerate(items):
        if isinstance(item, Static):
            if item.value is None:
                shape.append(dims.ONE)
            else:
                shape.extend(base.shape[axis : axis + rest])
                axis += rest
        elif isinstance(item, Slice):
            shape.append(_sliced(base.shape[axis], item))
            axis += 1
        else:
            if advanced:
                if last >= 0 and position != last + 1:
                    adjacent = False
                last = position
                if place < 0:
                    place = len(shape)
            if isinstance(item, Array):
                assert item.shape is not None
                is_mask = item.dtype.kind == "b"
                part = (dims.fresh() if item.trues is None else item.trues,) if is_mask else item.shape
                joint = None if joint is None else dims.broadcast_shapes(joint, part)
                axis += len(item.shape) if is_mask else 1
            else:
                axis += 1
    if joint is None:
        return UNKNOWN
    if advanced:
        at = place if adjacent else 0
        shape[at:at] = joint
    if shape or has_ellipsis:
        return Array(base.dtype, tuple(shape))
    return Number(base.dtype.type)


def _sliced(length: Dim, part: Slice) -> Dim:
    """The length that a slice leaves of an axis."""
    bounds: list[Dim | None] = []
    for bound in (part.lower, part.upper):
        if known.is_none(bound):
            bounds.append(None)
            continue
        value = known.int_value(bound)
        if value is None:
            return dims.fresh()
        bounds.append(value)
    step = dims.ONE if known.is_none(part.step) else known.int_value(part.step)
    if step is None or not step.known or not step.const:
        return dims.fresh()
    return dims.slice_length(length, bounds[0], bounds[1], step.const)
