"""Shifts that cancel: the maximum that a softmax or a logsumexp subtracts has no derivative.

`m + log(sum(exp(z - m)))` is the same for every m. So m may be taken as a constant, whatever it was computed from, and
the ties and masks of its own derivative never appear.

Found by following how each value changes when m is replaced by m + s, for any s: `add k` means that the value grows by
k*s, `exp k` that it is multiplied by exp(k*s). If all that leaves the expression has k = 0, m does not matter.

A maximum along an axis is a shift for each row: two values only cancel where their rows lie along the same axis. So a
degree says where the axes of the shift lie in the value, counted from the last axis, as NumPy broadcasts.

    m = np.max(z, axis=1)       m[:, None]: (1, 0), axis 0 of z lies along the last but one
    z - m[:, None]              the same for each row of z
    z - m                       (0, 0): m lies along the columns, and no sum along the rows knows it
"""

from __future__ import annotations

import math
import operator
from typing import Any

import gast
import numpy as np

from s2sad.core import Facts, Stmt, blocks_of, is_constant, is_operation, items_of, target_of, walk_names
from s2sad.kinds.kind import Number

ADD, EXP = "add", "exp"
#: where the axes of the shift lie: (position from the last axis, axis of what the maximum is taken of)
Layout = frozenset[tuple[int, int]]
Degree = tuple[str, int, Layout]
NONE: Degree = (ADD, 0, frozenset())


def drop_shifts(body: list[Stmt], facts: Facts, live: set[str], alias: dict[str, str] | None = None) -> None:
    """Make maxima that cancel inactive: they leave `facts.varied`.

    Args:
        body: the function in core Python.
        facts: what is known of its names; changed.
        live: names read after the last statement.
        alias: the names that may share memory with others, and which.
    """
    shared = {n for pair in (alias or {}).items() for n in pair}
    if not any(map(_has_maximum, body)):
        return
    for k, statement in enumerate(body):
        for name in ("body", "orelse"):
            block = getattr(statement, name, None)
            if isinstance(block, list) and any(isinstance(s, gast.stmt) and _has_maximum(s) for s in block):
                drop_shifts(block, facts, live | _names_after(body, k), alias)
        if not _is_maximum(statement):
            continue
        target = statement.targets[0]
        if (
            isinstance(target, gast.Name)
            and target.id in facts.varied
            and _cancels(target.id, statement, body[k + 1 :], facts, live, _made_in(body) - shared)
        ):
            facts.varied.discard(target.id)


def _is_maximum(statement: Any) -> bool:
    application = getattr(statement, "apply", None)
    return application is not None and application[0] in (np.max, np.amax, max, np.maximum.reduce)


def _has_maximum(statement: Any) -> bool:
    return _is_maximum(statement) or any(_has_maximum(s) for block in blocks_of(statement) for s in block)


def _names_after(body: list[Stmt], k: int) -> set[str]:
    return {n.id for n in walk_names(body[k + 1 :])}


def _made_in(body: list[Stmt]) -> set[str]:
    """The names that a block gives a value itself."""
    return {s.targets[0].id for s in body if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Name)}


def _cancels(shift: str, definition: Any, rest: list[Stmt], facts: Facts, live: set[str], own: set[str]) -> bool:
    """Does nothing that leaves the block depend on the shift? `own` are arrays of the block, without other names."""
    layout = _layout(shift, definition, facts)
    if layout is None:
        return False
    degrees: dict[str, Degree] = {shift: (ADD, 1, layout)}
    for statement in rest:
        used = {n.id for n in walk_names(statement) if n.id in degrees and degrees[n.id][1] != 0}
        if not used:
            continue
        target = target_of(statement)
        application = getattr(statement, "apply", None)
        if target is None or isinstance(target, gast.Subscript):
            target, application = _overwritten(statement)
            if target is None or target.id not in own or target.id == shift:
                return False  # (what is stored over the maximum itself has a derivative of its own)
        if not isinstance(target, gast.Name) or application is None:
            return False
        degree = _step(application, statement, degrees, facts)
        if degree is None:
            return False
        degrees[target.id] = degree
    return all(degree[1] == 0 for name, degree in degrees.items() if name in live)


def _overwritten(statement: Any) -> tuple[Any, Any]:
    """The array that is overwritten wholly, and what with: `p /= t` and `p[...] = t`."""
    if isinstance(statement, gast.AugAssign) and isinstance(statement.target, gast.Name):
        function = _IN_PLACE.get(type(statement.op))
        return statement.target, function and (function, [statement.target, statement.value], {})
    target: Any = target_of(statement)
    whole = isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name)
    if whole and is_constant(target.slice, ...):
        return target.value, (np.copy, [statement.value], {})
    return None, None


_SUMS = (operator.add, operator.sub, np.add, np.subtract)
_PRODUCTS = (operator.mul, operator.truediv, np.multiply, np.divide)
_IN_PLACE = {
    gast.Add: operator.add,
    gast.Sub: operator.sub,
    gast.Mult: operator.mul,
    gast.Div: operator.truediv,
}


def _rank(node: Any, facts: Facts) -> int | None:
    """How many axes the value of a name has, where that is known."""
    kind = facts.kinds.get(node.id) if isinstance(node, gast.Name) else None
    return None if kind is None else kind.rank


def _reduced(application: Any, rank: int | None) -> tuple[set[int], bool] | None:
    """The axes that a reduction goes along, counted from the last, and does it keep them? None where not known."""
    function, args, kwargs = application
    if rank is None:
        return None
    node = kwargs.get("axis", args[1] if len(args) > 1 else None)
    first = gast.Constant(0, None) if function == np.maximum.reduce else gast.Constant(None, None)
    node = first if node is None else node
    axes = _constant(node)
    keep = _constant(kwargs.get("keepdims", gast.Constant(False, None)))
    if axes is None:
        axes = tuple(range(rank))
    axes = axes if isinstance(axes, tuple) else (axes,)
    if not all(isinstance(a, int) and -rank <= a < rank for a in axes) or not isinstance(keep, bool):
        return None
    if set(kwargs) - {"axis", "keepdims"} or len(args) > 2:
        return None
    return {rank - 1 - a % rank for a in axes}, keep


#: what an argument that is no constant is
_UNKNOWN = object()


def _constant(node: Any) -> Any:
    """The value of a constant, of a negative one, or of a tuple of them; _UNKNOWN where it is none."""
    if isinstance(node, gast.Constant):
        return node.value
    if is_operation(node, gast.USub) and isinstance(_constant(node.operand), int):
        return -_constant(node.operand)
    if isinstance(node, gast.Tuple):
        return tuple(_constant(e) for e in node.elts)
    return _UNKNOWN


def _layout(shift: str, definition: Any, facts: Facts) -> Layout | None:
    """Where the axes of a maximum lie in it."""
    if isinstance(facts.kinds.get(shift), Number):
        return frozenset()
    application = definition.apply
    if application[0] is max or not application[1]:
        return None
    rank = _rank(application[1][0], facts)
    found = _reduced(application, rank)
    if found is None or rank is None:
        return None
    gone, keep = found
    left = frozenset((p, rank - 1 - p) for p in range(rank) if p not in gone)
    return left if keep else _without(left, gone)


def _without(layout: Layout, gone: set[int]) -> Layout:
    """The layout when axes are gone: those on their left move to the right."""
    return frozenset((p - sum(g < p for g in gone), axis) for p, axis in layout)


def _step(application: Any, statement: Any, degrees: dict[str, Degree], facts: Facts) -> Degree | None:
    """The degree of a result, or None where it is not of this kind."""
    function, args, _ = application
    parts = [degrees.get(a.id, NONE) if isinstance(a, gast.Name) else NONE for a in args]
    if function in _SUMS or function in _PRODUCTS:
        (how, a, where), (other, b, there) = parts[0], parts[1]
        if a and b and where != there:
            return None  # rows of the one meet columns of the other
        where = where if a else there
        if function in _SUMS:
            if (how, a) == (other, b) and how == EXP and a:
                return how, a, where
            if (how == ADD or a == 0) and (other == ADD or b == 0):
                return ADD, a + b if function in (operator.add, np.add) else a - b, where
            return None
        if (how == EXP or a == 0) and (other == EXP or b == 0):
            return EXP, a + b if function in (operator.mul, np.multiply) else a - b, where
        return None
    if len(parts) == 0:
        return None
    how, k, where = parts[0]
    if function is np.copy:
        return how, k, where
    if function in (operator.neg, np.negative):
        return (ADD, -k, where) if how == ADD else (EXP, k, where)
    if function in (np.exp, math.exp):
        return (EXP, k, where) if how == ADD else None
    if function in (np.log, math.log) and len(args) == 1:
        return (ADD, k, where) if how == EXP else None
    if function in (np.sum, np.mean):
        found = _reduced(application, _rank(args[0], facts)) if where else (set(), True)
        if found is None or any(p in found[0] for p, _ in where) or not (how == EXP or function is np.mean):
            return None
        return how, k, where if found[1] else _without(where, found[0])
    if function in (operator.getitem, np.expand_dims):
        if function is operator.getitem and not _only_adds_axes(statement.value.slice):
            return None
        rank = _rank(args[0], facts)
        if where and rank is None:
            return None
        new = _new_axes(application, statement, rank or 0)
        moved = None if new is None else _beside(where, new, (rank or 0) + len(new))
        return None if moved is None else (how, k, moved)
    return None


def _new_axes(application: Any, statement: Any, rank: int) -> list[int] | None:
    """At which places of its result, counted from the first, `m[:, None]` and np.expand_dims put new axes."""
    if application[0] is operator.getitem:
        index = statement.value.slice
        parts = items_of(index)
        values = [... if isinstance(p, gast.Slice) else p.value for p in parts]
        taken = [isinstance(p, gast.Slice) for p in parts]
        places, at = [], 0
        for is_slice, value in zip(taken, values, strict=True):
            if not is_slice and value is None:
                places.append(at)
            at += rank - sum(taken) if not is_slice and value is ... else 1
        return places
    _, args, kwargs = application
    axes = _constant(kwargs.get("axis", args[1] if len(args) > 1 else None))
    axes = axes if isinstance(axes, tuple) else (axes,)
    if not all(type(a) is int for a in axes):
        return None
    return [a % (rank + len(axes)) for a in axes]


def _beside(layout: Layout, new: list[int], rank: int) -> Layout:
    """The layout in a value of this rank, of which these axes are new."""
    old = [rank - 1 - p for p in range(rank) if p not in new][::-1]  # positions from the last axis, of the old axes
    return frozenset((old[p], axis) for p, axis in layout)


def _only_adds_axes(index: Any) -> bool:
    parts = items_of(index)
    return all(
        is_constant(p, None, ...)
        or (isinstance(p, gast.Slice) and p.lower is None and p.upper is None and p.step is None)
        for p in parts
    )
