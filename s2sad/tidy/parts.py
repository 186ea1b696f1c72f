"""A small array of which every item is stored is made of its items."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

import gast
import numpy as np

from s2sad.analysis.counts import counted
from s2sad.analysis.effects import Effects
from s2sad.analysis.known_calls import dotted
from s2sad.core import Expr, Facts, Stmt, names_read
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Dim, Number
from s2sad.tidy.first import makes_zeros
from s2sad.tidy.rebuild import is_users, with_blocks, with_fields
from s2sad.tidy.renest import LINE, width_of

#: arrays with more items stay as they are
MOST = 9


def made_of_parts(body: list[Stmt], facts: Facts, counts: Mapping[Dim, int] = MappingProxyType({})) -> list[Stmt]:
    """The statements with zeros that are overwritten at once, item by item, as the array of these items.

    Args:
        body: the statements of one function.
        facts: what is known of its names.
        counts: what lengths are known to be before the first statement, as `checked_counts` gives them.

    >>> from s2sad.core import statements, text
    >>> facts = Facts(kinds={"bx": Array(np.dtype(float), (Dim.of(2),)), "g": Number(float), "x": Number(float)})
    >>> facts.globals["np"] = np
    >>> body = statements("bx = np.zeros_like(x)\\nbx[1] = g * x\\nbx[0] = -g\\nreturn bx")
    >>> print(text(made_of_parts(body, facts)))
    bx = np.array([-g, g * x])
    return bx
    >>> from s2sad.kinds.kind import List
    >>> facts.kinds["t"] = List((Number(float), Number(float)))
    >>> body = statements("bx = np.zeros_like(x)\\nbx[1] = t.pop()\\nbx[0] = t.pop()\\nreturn bx")
    >>> made_of_parts(body, facts) == body
    True
    """
    out: list[Stmt] = []
    k = 0
    while k < len(body):
        s: Any = body[k]
        items = _items(body, k, facts, counts)
        if items is None:
            out.append(with_blocks(s, partial(made_of_parts, facts=facts, counts=counts)))
            k += 1
        else:
            out.append(with_fields(s, value=_array(s.value.func, items)))
            k += 1 + len(items)
        counts = {**counts, **checked_counts([s], facts)}
    return out


def checked_counts(body: list[Stmt], facts: Facts) -> dict[Dim, int]:
    """What lengths are behind the statements, because these unpack what is as long, or check that they may.

    >>> from s2sad.core import statements
    >>> facts = Facts(kinds={"p": Array(np.dtype(float), (Dim.symbol("p.0"),))})
    >>> checked_counts(statements("x, y, _ = p"), facts) == {Dim.symbol("p.0"): 3}
    True
    """
    found: dict[Dim, int] = {}
    for s in body:
        target: Any = None
        if type(s) is gast.Expr and (check := counted(s.value)) is not None:
            value, names = check
            whole = "*_" not in names
        elif type(s) is gast.Assign and type(target := s.targets[0]) is gast.Tuple:
            value, names = s.value, target.elts
            whole = all(type(n) is gast.Name for n in names)
        else:
            continue
        kind = facts.kinds.get(getattr(value, "id", ""))
        if whole and isinstance(kind, Array) and kind.shape:
            found[kind.shape[0]] = len(names)
    return found


def _array(zeros: Any, items: list[Expr]) -> Expr:
    """`np.array([...])`, named as the function that makes zeros is."""
    function = gast.Attribute(zeros.value, "array", gast.Load())
    return gast.Call(function, [gast.List(items, gast.Load())], [])


def _items(body: list[Stmt], at: int, facts: Facts, counts: Mapping[Dim, int]) -> list[Expr] | None:
    """What is stored in each item of the zeros that a statement makes, if that is all that is done just behind it."""
    made: Any = body[at]
    if is_users(made) or not makes_zeros(made, facts) or len(dotted(made.value.func) or ()) != 2:
        return None
    name = made.targets[0].id
    kind = facts.kinds.get(name)
    if not isinstance(kind, Array) or kind.shape is None or len(kind.shape) != 1 or kind.dtype != np.dtype(float):
        return None
    length = kind.shape[0]
    count = length.const if length.known else counts.get(length, 0)
    items: dict[int, Expr] = {}
    for s in body[at + 1 : at + 1 + count]:
        index = _index(s, name)
        if index is None or not 0 <= index < count or index in items or not _is_float(s.value, name, facts):
            return None
        items[index] = s.value
    effects = Effects(facts)
    if list(items) != sorted(items) and not all(effects.of_expression(e).pure for e in items.values()):
        return None  # (items that are taken from a list stay in the order in which they are taken)
    if not 2 <= len(items) == count <= MOST or any(width_of(e) + 8 > LINE for e in items.values()):
        return None
    return [items[k] for k in range(count)]


def _index(s: Any, name: str) -> int | None:
    """The item of an array that a statement stores."""
    if type(s) is not gast.Assign or len(s.targets) != 1 or type(s.targets[0]) is not gast.Subscript:
        return None
    target = s.targets[0]
    index = getattr(target.slice, "value", None)
    return index if type(index) is int and getattr(target.value, "id", None) == name else None


def _is_float(value: Expr, name: str, facts: Facts) -> bool:
    kind = infer(value, facts)
    return isinstance(kind, Number) and issubclass(kind.type, float) and name not in names_read(value)
