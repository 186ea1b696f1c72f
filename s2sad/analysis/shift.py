"""Shifts that cancel: the maximum that a softmax or a logsumexp subtracts has no derivative.

`m + log(sum(exp(z - m)))` is the same for every m. So m may be taken as a constant, whatever it was computed from, and
the ties and masks of its own derivative never appear.

Found by following how each value changes when m is replaced by m + s, for any s: `add k` means that the value grows by
k*s, `exp k` that it is multiplied by exp(k*s). If all that leaves the expression has k = 0, m does not matter.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import gast
import numpy as np

from s2sad.core import Facts, Stmt, blocks_of, text, walk_names
from s2sad.kinds.kind import Number

ADD, EXP = "add", "exp"
Degree = tuple[str, int]
NONE: Degree = (ADD, 0)


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
            if isinstance(block, list) and block and isinstance(block[0], gast.stmt):
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
    degrees: dict[str, Degree] = {shift: (ADD, 1)}
    axis = _axis(definition)
    scalar = isinstance(facts.kinds.get(shift), Number)
    for statement in rest:
        used = {n.id for n in walk_names(statement) if n.id in degrees and degrees[n.id][1] != 0}
        if not used:
            continue
        target = statement.targets[0] if isinstance(statement, gast.Assign) else None
        application = getattr(statement, "apply", None)
        if target is None or isinstance(target, gast.Subscript):
            target, application = _overwritten(statement)
            if target is None or target.id not in own or target.id == shift:
                return False  # (what is stored over the maximum itself has a derivative of its own)
        if not isinstance(target, gast.Name) or application is None:
            return False
        degree = _step(application, statement, degrees, axis, scalar)
        if degree is None:
            return False
        degrees[target.id] = degree
    return all(degree[1] == 0 for name, degree in degrees.items() if name in live)


def _overwritten(statement: Any) -> tuple[Any, Any]:
    """The array that is overwritten wholly, and what with: `p /= t` and `p[...] = t`."""
    if isinstance(statement, gast.AugAssign) and isinstance(statement.target, gast.Name):
        function = _IN_PLACE.get(type(statement.op))
        return statement.target, function and (function, [statement.target, statement.value], {})
    target: Any = statement.targets[0] if isinstance(statement, gast.Assign) else None
    whole = isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name)
    if whole and isinstance(target.slice, gast.Constant) and target.slice.value is ...:
        return target.value, (np.copy, [statement.value], {})
    return None, None


_IN_PLACE = {
    gast.Add: operator.add,
    gast.Sub: operator.sub,
    gast.Mult: operator.mul,
    gast.Div: operator.truediv,
}


def _axis(statement: Any) -> str | None:
    """The axis argument of a reduction, as text; None for all axes."""
    _, args, kwargs = statement.apply
    node = kwargs.get("axis", args[1] if len(args) > 1 else None)
    if node is None or (isinstance(node, gast.Constant) and node.value is None):
        return None
    return text(node)


def _step(
    application: Any, statement: Any, degrees: dict[str, Degree], axis: str | None, scalar: bool
) -> Degree | None:
    """The degree of a result, or None where it is not of this kind."""
    function, args, _ = application
    parts = [degrees.get(a.id, NONE) if isinstance(a, gast.Name) else NONE for a in args]
    if function in (operator.add, operator.sub, np.add, np.subtract):
        (how, a), (other, b) = parts[0], parts[1]
        if (how, a) == (other, b) and how == EXP and a:
            return how, a
        if (how == ADD or a == 0) and (other == ADD or b == 0):
            return ADD, a + b if function in (operator.add, np.add) else a - b
        return None
    if function in (operator.mul, operator.truediv, np.multiply, np.divide):
        (how, a), (other, b) = parts[0], parts[1]
        if (how == EXP or a == 0) and (other == EXP or b == 0):
            return EXP, a + b if function in (operator.mul, np.multiply) else a - b
        return None
    if len(parts) == 0:
        return None
    how, k = parts[0]
    if function is np.copy:
        return how, k
    if function in (operator.neg, np.negative):
        return (ADD, -k) if how == ADD else (EXP, k)
    if function in (np.exp, math.exp):
        return (EXP, k) if how == ADD else None
    if function in (np.log, math.log) and len(args) == 1:
        return (ADD, k) if how == EXP else None
    if function in (np.sum, np.mean):
        same = scalar or _axis(statement) == axis
        return (how, k) if same and (how == EXP or function is np.mean) else None
    if function is operator.getitem and _only_adds_axes(statement.value.slice):
        return how, k
    if function is np.expand_dims:
        return how, k
    return None


def _only_adds_axes(index: Any) -> bool:
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    return all(
        (isinstance(p, gast.Constant) and (p.value is None or p.value is Ellipsis))
        or (isinstance(p, gast.Slice) and p.lower is None and p.upper is None and p.step is None)
        for p in parts
    )
