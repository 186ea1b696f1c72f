"""What the primal raises, the derivative raises: checks for computations that the derivative does not need.

A sum of two arrays has a derivative that reads neither, so that nothing would be left of it that minds their shapes; so
it is with an element or an item that is only added. Where the kinds do not prove that such a computation does not
raise, and nothing else in the output does it, the cheapest form of it stays, as a line at the start.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import gast

from s2sad.core import Expr, Facts, Stmt, clone, load, names_bound, quote, text, walk, walk_names
from s2sad.kinds.bind import kind_of_global
from s2sad.kinds.dims import ONE
from s2sad.kinds.kind import Array, Dict, Kind, List, ListOf, Number, Static, Unknown
from s2sad.tidy.effects import nested
from s2sad.transform.fit import kind_of_atom, shape_expr
from s2sad.transform.operand import Operand

#: behind these, a statement is not run in any case
_ENDS = (gast.Raise, gast.Assert, gast.Return, gast.Try, gast.With, gast.While)
#: expressions whose parts are not evaluated in any case, or more than once
_NOT_ALWAYS = (
    *(gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp),
    *(gast.Lambda, gast.IfExp, gast.BoolOp),
)

#: (the name that a statement of the primal binds, what of it may raise)
Check = tuple[str, Expr]


def checks_of(body: list[Stmt], facts: Facts, parameters: Sequence[str], numpy: Callable[[], str]) -> list[Check]:
    """What may raise for these kinds in the statements that are run in any case, said of the arguments.

    Args:
        body: the core statements of a function.
        facts: what is known of its names.
        parameters: the names that come in bound.
        numpy: the name of NumPy, which is imported where it has none yet.

    >>> import numpy as np
    >>> from s2sad.core import statements
    >>> from s2sad.kinds.kind import Dim
    >>> def row(length):
    ...     return Array(np.dtype(float), (length,))
    >>> n, m = Dim.symbol("n"), Dim.symbol("m")
    >>> facts = Facts(kinds={"x": row(n), "y": row(n), "t": row(Dim.of(3)), "a": row(m), "i": Number(int)})
    >>> def shown(source):
    ...     return [text(c) for _, c in checks_of(statements(source), facts, ["x", "y", "a", "i"], lambda: "np")]
    >>> shown("t = np.ones(3)\\nu = x + t\\nv = x + y\\nw = a[i]\\nv = a[0]")
    ['np.broadcast_shapes(x.shape, (3,))', 'a[i]']
    """
    grown = {root.id for s in body for t in nested(s) if (root := _grown(t)) is not None}
    modules = {n for n, value in facts.globals.items() if isinstance(value, types.ModuleType)}
    fixed = {*parameters, *facts.globals} - names_bound(body) - (grown - modules)
    sources = [Operand(load(p), facts.kinds[p]) for p in parameters if p in fixed and p in facts.kinds]
    found: list[Check] = []
    for statement in body:
        if any(isinstance(n, _ENDS) for n in walk(statement)):
            break  # what comes behind is not run in any case
        target = statement.targets[0] if isinstance(statement, gast.Assign) else None
        if not isinstance(target, gast.Name) and not isinstance(statement, gast.Expr):
            continue
        name = target.id if isinstance(target, gast.Name) else ""
        for node in _evaluated(statement.value):
            shapes = _shapes(node, facts, fixed, sources)
            if shapes:
                check = quote(f"{numpy()}.broadcast_shapes(a, b)", a=shapes[0], b=shapes[1])
                found.append((name, check))
            elif {n.id for n in walk_names(node)} <= fixed and (_may_fail(node, facts) or _is_check(node)):
                found.append((name, clone(node)))
    return found


def checks_left(checks: list[Check], kept: list[Stmt]) -> list[Stmt]:
    """The checks of what is not computed by the statements that are kept of the primal and the derivative."""
    bound = names_bound(kept)
    read = {text(n) for s in kept for n in walk(s) if isinstance(n, gast.Subscript)} if checks else set()
    left = {text(check): check for name, check in checks if name not in bound}
    return [gast.Expr(check) for said, check in left.items() if said not in read]


def _grown(statement: Any) -> Any:
    """The name of a list or dict that a statement may change, by a store or by a method."""
    if isinstance(statement, (gast.Assign, gast.AugAssign)):
        target = statement.targets[0] if isinstance(statement, gast.Assign) else statement.target
        return target.value if isinstance(getattr(target, "value", None), gast.Name) else None
    func = getattr(getattr(statement, "value", None), "func", None)
    return func.value if isinstance(func, gast.Attribute) and isinstance(func.value, gast.Name) else None


def _evaluated(node: Any) -> Iterator[Any]:
    """An expression and those in it that are evaluated once, whatever their values."""
    yield node
    if not isinstance(node, _NOT_ALWAYS):
        for child in gast.iter_child_nodes(node):
            yield from _evaluated(child)


def _kind(node: Expr, facts: Facts) -> Kind:
    if isinstance(node, gast.Name) and node.id not in facts.kinds and node.id in facts.globals:
        return kind_of_global(facts.globals[node.id])
    return kind_of_atom(node, facts)


def _shapes(node: Any, facts: Facts, fixed: set[str], sources: list[Operand]) -> list[Expr]:
    """The shapes of two arrays that are added, where they are not known to fit."""
    if not isinstance(node, gast.BinOp) or not isinstance(node.op, (gast.Add, gast.Sub)):
        return []  # (the derivative of a product reads both)
    sides = [Operand(side, _kind(side, facts)) for side in (node.left, node.right)]
    shapes = [s.kind.shape if isinstance(s.kind, Array) else None for s in sides]
    if shapes[0] is None or shapes[1] is None:
        return []
    pairs = zip(reversed(shapes[0]), reversed(shapes[1]), strict=False)
    if all(a == b or ONE in (a, b) for a, b in pairs):
        return []
    named = [isinstance(s.expr, gast.Name) and s.expr.id in fixed for s in sides]
    found = [
        quote("x.shape", x=s.expr) if is_named else shape_expr(s.kind, sources)
        for s, is_named in zip(sides, named, strict=True)
    ]
    return [s for s in found if s is not None] if None not in found else []


def _is_check(node: Any) -> bool:
    """Is it a check that was left in what is derived again?"""
    return isinstance(node, gast.Call) and getattr(node.func, "attr", None) == "broadcast_shapes"


def _may_fail(node: Any, facts: Facts) -> bool:
    """Is it an element or an item of what is given, which may not be there?"""
    if not isinstance(node, gast.Subscript) or any(isinstance(n, gast.Call) for n in walk(node)):
        return False
    if isinstance(node.value, gast.Dict):
        return True
    if not isinstance(node.value, gast.Name):
        return False
    if not isinstance(_kind(node.value, facts), (Array, ListOf, List, Dict, Unknown)):
        return False
    indices = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
    return any(_is_open(i, facts) for i in indices)


def _is_open(index: Any, facts: Facts) -> bool:
    """May there be nothing at an index? At 0 and -1 there is, but in what is empty, and nobody would look there."""
    if not isinstance(index, gast.Name):
        return isinstance(index, gast.Constant) and isinstance(index.value, (int, str)) and index.value not in (0, -1)
    kind = _kind(index, facts)
    if isinstance(kind, Static):
        return isinstance(kind.value, (int, str))
    return isinstance(kind, Number) or (isinstance(kind, Array) and kind.dtype.kind in "iu")
