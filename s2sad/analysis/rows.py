"""Lists of lists that hold the same lists: one was made of the other, and its rows were not copied.

    q = rows[1:]
    for r in q:
        r[0] = r[0] * x         changes rows, too
"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.analysis.memory import Memory
from s2sad.core import Stmt, names_read, statements_in
from s2sad.kinds.kind import Kind, List, ListOf, Tuple
from s2sad.kinds.query import is_float_kind


def shared_rows(body: list[Stmt], memory: Memory) -> tuple[Stmt, str] | None:
    """A statement, and a list in it whose rows get active values by another name than the one that they are read by:
    both would need one adjoint, or one tangent, for each row. None where there is no such list.
    """
    for statement in statements_in(body):
        found = _put_into_another(statement, memory) or _gets_active_unseen(statement, memory)
        if found is not None:
            return statement, found
    return None


def _put_into_another(statement: Any, memory: Memory) -> str | None:
    """The list whose rows a statement puts into another one without a copy, where active values get into them later.

    A list that is made item by item (`out.append(row)`) is no matter of this: what goes in there is known.
    """
    value, target = getattr(statement, "value", None), getattr(statement, "targets", [None])[0]
    kind = memory.facts.kinds.get(target.id) if type(target) is gast.Name else None
    if kind is None or not _has_rows(kind) or _copies_rows(value, kind):
        return None
    place, varied = memory.places[id(statement)], memory.facts.varied
    for name in sorted(names_read(value) - {target.id}):
        if not _has_rows(memory.facts.kinds.get(name)):
            continue
        for one in (name, target.id):
            rows = set(memory.inner_lists(one).values())
            stores = {s.key for s in memory.stores if memory.find(s.key) in rows}
            later = any(memory.overwritten_after(key, None, place) for key in rows)
            if later and varied & {*stores, name, target.id}:
                return name
    return None


def _gets_active_unseen(statement: Stmt, memory: Memory) -> str | None:
    """The list of lists in whose rows a statement stores active values, and which is taken for a constant."""
    varied, kinds = memory.facts.varied, memory.facts.kinds
    for store in memory.stores:
        if store.place.statement is not statement or store.key not in varied:
            continue
        if not isinstance(kinds.get(store.key), ListOf):
            continue
        row = memory.find(store.key)
        for name, kind in kinds.items():
            if name in varied or not _has_rows(kind) or not is_float_kind(kind):
                continue
            if row in memory.classes(name)[1:]:
                return name
    return None


def _has_rows(kind: Kind | None) -> bool:
    """Are there lists in a list of this kind?"""
    return isinstance(kind, ListOf) and _holds_lists(kind.item)


def _holds_lists(kind: Kind) -> bool:
    return isinstance(kind, (ListOf, List)) or (isinstance(kind, Tuple) and any(map(_holds_lists, kind.items)))


def _copies_rows(value: Any, kind: Kind) -> bool:
    """Is it a list itself, or one with new rows?

    >>> from s2sad.core import quote
    >>> from s2sad.kinds.kind import Number
    >>> rows = ListOf(ListOf(Number(float)))
    >>> [_copies_rows(quote(t), rows) for t in ("[r[:] for r in rows]", "[list(r) for r in rows]", "rows", "rows[1:]")]
    [True, True, True, False]
    >>> _copies_rows(quote("[[r, [1.0]] for r in rows]"), ListOf(List((ListOf(Number(float)),) * 2)))
    False
    """
    if type(value) in (gast.Name, gast.Attribute) or getattr(value, "new", False):
        return True
    if type(value) is gast.Subscript:
        return type(value.slice) is not gast.Slice  # (a row itself)
    return type(value) is gast.ListComp and _is_new(value, kind)


def _is_new(expr: Any, kind: Kind) -> bool:
    """Is the value of an expression, of this kind, made of lists that nobody else has?"""
    if not _holds_lists(kind):
        return True
    parts = [kind.item] if isinstance(kind, ListOf) else list(getattr(kind, "items", ()))
    if type(expr) is gast.ListComp:
        return all(_is_new(expr.elt, part) for part in parts)
    if type(expr) in (gast.List, gast.Tuple):
        each = parts * len(expr.elts) if isinstance(kind, ListOf) else parts
        return len(each) == len(expr.elts) and all(map(_is_new, expr.elts, each))
    sliced = type(expr) is gast.Subscript and type(expr.slice) is gast.Slice
    called = type(expr) is gast.Call and type(expr.func) is gast.Name and expr.func.id in ("list", "sorted")
    return (sliced or called or type(expr) is gast.BinOp) and not any(map(_holds_lists, parts))
