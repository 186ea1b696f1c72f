"""`ba = items.pop()` of a list that is emptied and dropped is `ba = items[2]`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from s2sad.analysis.known_calls import dotted
from s2sad.core import Stmt, load, names_bound, target_of, walk, walk_names
from s2sad.tidy.rebuild import is_users, with_fields


def items_of_emptied(body: list[Stmt], live_out: Iterable[str] = ()) -> list[Stmt]:
    """The statements with `x = items.pop()` as `x = items[k]`, where the list is the derivative's own and nothing is
    done with it from the first pop on but to take its items from the end: the adjoint of a list that was put together
    item by item. What nobody reads of these is dropped by `deadcode.eliminate` then.

    Args:
        body: the statements of a function.
        live_out: names read after the last statement.

    >>> from s2sad.core import statements, text
    >>> body = statements("bs = [0.0] * 2\\nbs[k] += g\\nbb = bs.pop()\\nba = bs.pop()\\nreturn ba, bb")
    >>> print(text(items_of_emptied(body)))
    bs = [0.0] * 2
    bs[k] += g
    bb = bs[1]
    ba = bs[0]
    return (ba, bb)
    """
    out = list(body)
    popped: dict[str, list[int]] = {}
    for k, s in enumerate(body):
        if (name := _popped(s)) is not None and not is_users(s):
            popped.setdefault(name, []).append(k)
    for name in popped.keys() - set(live_out):
        places = popped[name]
        made = _made_at(body, name, places)
        if made is None:
            continue
        count = _count(body, made, name)
        source = _copied(body, made, places, name)
        for taken, k in enumerate(places, 1):
            place = gast.Constant(-taken if count is None else count - taken, None)
            out[k] = with_fields(body[k], value=gast.Subscript(load(source or name), place, gast.Load()))
    return out


def _popped(s: Any) -> str | None:
    """The list of `x = items.pop()`."""
    if type(s) is not gast.Assign or type(s.value) is not gast.Call or s.value.args or s.value.keywords:
        return None
    path = dotted(s.value.func)
    return path[0] if path is not None and path[1:] == ("pop",) else None


def _made_at(body: list[Stmt], name: str, pops: list[int]) -> int | None:
    """Where the list is made, if it is nobody else's and is only emptied from the first pop on."""
    bound = [k for k, s in enumerate(body) if name in names_bound([s])]
    if len(bound) != 1 or bound[0] >= pops[0] or not _is_new(body[bound[0]]):
        return None
    later = sum(_mentions(s, name) for s in body[pops[0] :])
    alone = all(_is_alone(s, name) for s in body[bound[0] + 1 : pops[0]])
    return bound[0] if later == len(pops) and alone else None


def _mentions(node: Any, name: str) -> int:
    return sum(n.id == name for n in walk_names(node))


def _is_new(s: Any) -> bool:
    """`items = ...`, a list that nobody else has?"""
    value: Any = s.value if type(s) is gast.Assign and type(s.targets[0]) is gast.Name else None
    if type(value) is gast.BinOp:
        return type(value.op) is gast.Mult and type(value.left) is gast.List
    return isinstance(value, (gast.List, gast.ListComp)) or _is_call_of(value, "list")


def _is_call_of(value: Any, function: str) -> bool:
    return type(value) is gast.Call and dotted(value.func) == (function,) and len(value.args) == 1


def _is_alone(s: Any, name: str) -> bool:
    """Is the list read and written here item by item, and asked for its length, alone?"""
    allowed = 0
    for n in walk(s):
        if type(n) is gast.Subscript and not isinstance(n.slice, gast.Slice):
            allowed += type(n.value) is gast.Name and n.value.id == name
        elif _is_call_of(n, "len"):
            allowed += type(n.args[0]) is gast.Name and n.args[0].id == name
    return allowed == _mentions(s, name)


def _count(body: list[Stmt], made: int, name: str) -> int | None:
    """How many items it has when the first is taken, where its making tells."""
    value: Any = body[made].value
    if type(value) is gast.BinOp:
        value, times = value.left, value.right
        if type(times) is gast.Constant and isinstance(times.value, int):
            return len(value.elts) * times.value
        if not (_is_call_of(times, "len") and type(times.args[0]) is gast.Name and len(value.elts) == 1):
            return None
        return _length(body[:made], times.args[0].id)
    return len(value.elts) if type(value) is gast.List and not _has_starred(value) else None


def _length(body: list[Stmt], name: str) -> int | None:
    """How many items a list has after the statements, where its display and the appends to it tell."""
    touched = [s for s in body if _mentions(s, name) and not _is_iterated(s, name)]
    first: Any = touched[0] if touched else None
    target = target_of(first)
    display = type(target) is gast.Name and target.id == name and type(first.value) is gast.List
    made = display and not _has_starred(first.value)
    appended = all(_is_append(s, name) for s in touched[1:])
    return len(first.value.elts) + len(touched) - 1 if made and appended else None


def _is_append(s: Any, name: str) -> bool:
    value: Any = s.value if type(s) is gast.Expr else None
    return type(value) is gast.Call and dotted(value.func) == (name, "append") and _mentions(s, name) == 1


def _has_starred(value: Any) -> bool:
    return any(isinstance(e, gast.Starred) for e in value.elts)


def _is_iterated(s: Any, name: str) -> bool:
    """Does the list keep its length here?"""
    loops = sum(type(n) is gast.For and type(n.iter) is gast.Name and n.iter.id == name for n in walk(s))
    return loops == _mentions(s, name) or _is_alone(s, name)


def _copied(body: list[Stmt], made: int, pops: list[int], name: str) -> str | None:
    """The list that it is a copy of, where both stand as they are until the last item is taken."""
    value: Any = body[made].value
    if not _is_call_of(value, "list") or type(value.args[0]) is not gast.Name:
        return None
    other = value.args[0].id
    between = [s for k, s in enumerate(body[made + 1 : pops[-1]], made + 1) if k not in pops]
    return None if any(_mentions(s, other) or _mentions(s, name) for s in between) else other
