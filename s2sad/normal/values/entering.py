"""Python objects and arguments as abstract values."""

from __future__ import annotations

import dataclasses
import enum
import functools
import types
from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, atom_key, clone
from s2sad.frontend.names import can_follow_a_dot
from s2sad.kinds.bind import is_plain_class, own_meaning
from s2sad.kinds.joined import join_kinds
from s2sad.kinds.kind import Array, Callable, Dict, Dim, Kind, List, ListOf, Number, Object, Static, Tuple, Unknown
from s2sad.kinds.query import is_float_kind
from s2sad.normal import above
from s2sad.normal.above import allocate
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import DictObj, Instance, Known, Leaf, ListObj, Tup, Value
from s2sad.normal.values.classes import is_ruled
from s2sad.normal.values.facts import settled_kind
from s2sad.normal.values.making import check_attribute_name
from s2sad.normal.values.questions import is_standard, item_read, made_of_items
from s2sad.normal.words import OUTER
from s2sad.runtime.decide import Look, Place, Seen, decide
from s2sad.runtime.identity import is_gone


@above.from_python.answer
def from_python(run: Run, value: Any, expr: Expr, depth: int = 0, place: Place | None = None) -> Value:
    """An object of the user's module or closure; `place`: where it was found, if that may hold another one later.

    What is seen of it here is a condition of the derivation: of a float its type alone, until it is asked what it
    is (`Leaf.number`), and of an int that keeps changing.
    """
    inexact = type(value) in (float, complex) or issubclass(type(value), np.inexact)
    moves = place is not None and place.moves and (inexact or type(value) is int)
    if place is not None and not inexact and not moves:
        decide(place, Look.VALUE, value)
    if is_gone(value):
        run.refuse("a weak proxy of an object that is gone", "keep the object alive, or do without the proxy")
    if isinstance(value, (bool, str, type(None), types.ModuleType, type)) or depth > 6:
        return Known(value, expr)
    if isinstance(value, enum.Enum):
        return Known(value, None if isinstance(expr, gast.Constant) else expr)  # (its repr is no expression)
    if isinstance(value, (int, float, complex, tuple)) and own_meaning(type(value)):
        return Known(value, expr)
    if isinstance(value, (int, float, complex, np.number)):
        if place is not None and (inexact or moves):
            decide(place, Look.NUMBER, value)
        if moves:
            return Leaf(expr, Number(type(value)))
        dim = Dim.of(int(value)) if isinstance(value, (int, np.integer)) else None
        const: Any = Seen(value, place) if place is not None and inexact else value
        return Leaf(expr, Number(type(value), dim), const=const)
    if isinstance(value, np.ndarray):
        decide(value, Look.KIND)
        if type(value) is np.ndarray:
            return Leaf(expr, Array(value.dtype, tuple(Dim.of(n) for n in value.shape)))
        return Leaf(expr, Unknown() if is_plain_class(type(value)) else Object(type(value)))
    if isinstance(value, tuple) and len(value) <= 64 and made_of_items(type(value)):
        items = (
            from_python(run, v, gast.Subscript(clone(expr), gast.Constant(i, None), gast.Load()), depth + 1)
            for i, v in enumerate(value)
        )
        return Tup(tuple(items), type(value))
    return Known(value, expr)


def from_kind(run: Run, kind: Kind, expr: Expr, varied: bool, site: Any) -> Value:
    """An argument of the given kind, read by `expr`."""
    if isinstance(kind, Static):
        return Known(kind.value, expr)
    if isinstance(kind, Callable):
        return Known(kind.value, expr)
    if isinstance(kind, Tuple):
        return Tup(
            tuple(from_kind(run, k, item_read(expr, i), varied, (*site, i)) for i, k in enumerate(kind.items)), kind.cls
        )
    if isinstance(kind, List):
        if site in run.decisions.dynamic:
            item = run.decisions.dynamic[site]
            for k in (settled_kind(run, v) for v in kind.items):
                item = join_kinds(item, k, run.symbol) if item is not None else k
            run.lists.lengths[atom_key(expr)] = len(kind.items)
            return _argument_leaf(run, ListOf(item), expr, varied)
        items: list[Value] = [
            from_kind(run, k, item_read(expr, i), varied, (*site, i)) for i, k in enumerate(kind.items)
        ]
        return allocate(run, ListObj(items, site, expr))
    if isinstance(kind, Dict):
        entries = {k: from_kind(run, v, item_read(expr, k), varied, (*site, k)) for k, v in kind.items}
        return allocate(run, DictObj(entries, site, expr, cls=kind.cls))
    if isinstance(kind, Object) and is_standard(kind.cls):
        return Leaf(expr, kind)
    if isinstance(kind, Object):
        attributes = {
            k: from_kind(run, v, attribute_held(run, kind.cls, expr, k, varied), varied, (*site, k))
            for k, v in kind.attributes
        }
        return allocate(run, Instance(kind.cls, attributes, site, expr))
    return _argument_leaf(run, kind, expr, varied)


def attribute_held(run: Run, cls: type, expr: Expr, name: str, varied: bool) -> Expr:
    """What reads an attribute that an argument holds: past a property of the same name."""
    if not can_follow_a_dot(name):
        if varied or not cls.__dictoffset__:
            check_attribute_name(run, name)
        return item_read(gast.Attribute(clone(expr), "__dict__", gast.Load()), name)
    if not is_ruled(cls, name) or dataclasses.is_dataclass(cls):
        return gast.Attribute(clone(expr), name, gast.Load())
    if varied:
        run.refuse(
            f"objects of class {cls.__name__} hold {name!r}, which a property or a descriptor hides",
            f"hold it under another name, _{name}",
        )
    return item_read(gast.Attribute(clone(expr), "__dict__", gast.Load()), name)


def _argument_leaf(run: Run, kind: Kind, expr: Expr, varied: bool) -> Leaf:
    varied = varied and is_float_kind(kind)
    key = atom_key(expr)
    if key in run.decisions.ragged and isinstance(kind, ListOf) and isinstance(kind.item, List):
        kind = ListOf(ListOf(functools.reduce(lambda a, b: join_kinds(a, b, run.symbol), kind.item.items)))
    run.facts.kinds[key] = kind
    if varied:
        run.facts.varied.add(key)
    return Leaf(expr, kind, varied)


def goes_by(run: Run, value: Value) -> None:
    """What a container outside of the function holds decides something at derivation."""
    if isinstance(value, Known) and value.cls in OUTER:
        run.outside.outer_counted[id(value.itself)] = value.itself
