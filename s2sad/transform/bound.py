"""Names that may have no value where a backward sweep asks."""

from __future__ import annotations

from typing import Any

import gast

from s2sad.analysis.binding import bound_before, surely_bound, valued_before
from s2sad.analysis.view_parts import called
from s2sad.core import Expr, Stmt, load, names_read, quote, walk
from s2sad.frontend import ways
from s2sad.kinds.kind import ListOf
from s2sad.transform.sweep import Sweep

#: the exceptions that reading a name without a value raises
_UNBOUND = {"NameError", "UnboundLocalError"}


def is_bound(sweep: Sweep, key: str, node: Any, side: list[Stmt]) -> bool:
    """Is a name of the primal certain to be bound on one side of a branch?"""
    if key not in sweep.memory.definitions:
        return True
    if sweep._bound is None:
        sweep._bound = bound_before(sweep.body)
    return key in sweep._bound.get(id(node), ()) or key in surely_bound(side)


def has_value(sweep: Sweep, key: str, node: Any) -> bool:
    """Is a name of the primal certain to have a value in front of a branch or a loop?"""
    if key not in sweep.memory.definitions:
        return True
    if sweep._valued is None:
        sweep._valued = valued_before(sweep.body, sweep.parameters)
    return key in sweep._valued.get(id(node), ())


def came_in(sweep: Sweep, key: str, node: Any) -> bool:
    """May a name have got its value before a branch: in front of it, or in an earlier turn of a loop around it?"""
    here = sweep.memory.places[id(node)]
    return bool(here.loops) or any(place.order < here.order for place in sweep.memory.definitions.get(key, ()))


def spread(sweep: Sweep, key: str, expr: Expr, node: Any, side: list[Stmt]) -> Expr:
    """A smaller adjoint as large as its array, on a side of a branch that may not have the array."""
    whole = quote(f"{sweep.numpy()}.full_like(x, g)", x=key, g=expr)
    return whole if key in names_read(side) or not came_in(sweep, key, node) else where_bound(sweep, key, whole, node)


def where_bound(sweep: Sweep, key: str, expr: Expr, node: Any) -> Expr:
    """An adjoint in front of a branch or a loop; empty where its value has not been bound yet.

    if c: s = x * x                               s = None
    for k in range(n):                    ->      ...
        if c: total += s[k]                       bs = 0.0 if s is None else np.zeros_like(s)
    """
    read = names_read(expr)
    then = next((p.name for p in sweep.placeholders.values() if p.key == key and p.name in read), key)
    reads = then in read or called(expr) == "copy"  # which a number in place of the array has not
    if not reads or has_value(sweep, key, node):
        return expr
    nodes = (node for statement in sweep.body for node in walk(statement))
    if any(isinstance(node, gast.ExceptHandler) and _UNBOUND & names_read(node) for node in nodes):
        raise sweep.refuse(
            "an exception tells whether a name has a value, and its adjoint goes through a loop",
            ways.VALUE_BEFORE,
        )
    sweep.unset.add(key)
    test = gast.Compare(load(then), [gast.Is()], [gast.Constant(None, None)])
    listed = isinstance(sweep.facts.kinds.get(key), ListOf)
    return gast.IfExp(test, quote("[]") if listed else gast.Constant(0.0, None), expr)
