"""Two small passes over the raw backward sweep, where every value still has a name of its own."""

from __future__ import annotations

from typing import Any

import gast

from s2sad.analysis.aliases import Roots, bases_of
from s2sad.analysis.effects import Effects, nested
from s2sad.core import Facts, Stmt, clone, load, target_of, text, walk, walk_names
from s2sad.kinds.dims import is_fixed
from s2sad.kinds.kind import Array

Memory = tuple[Roots, Roots]


def gather_additions(body: list[Stmt], facts: Facts, memory: Memory | None = None) -> list[Stmt]:
    """Additions to the same part of one array become one, where nothing reads or sets the array in between.

    Args:
        body: the raw backward sweep.
        facts: what is known of its names.
        memory: what each name reaches, and what a store into it changes, where that is known already (in the blocks
            of a loop or branch).

    >>> from s2sad.core import statements, text
    >>> source = "b[1:] += g\\nb[:-1] += g\\nh = 2.0 * g\\nb[1:] -= h"
    >>> print(text(gather_additions(statements(source), Facts())))
    b[:-1] += g
    h = 2.0 * g
    b[1:] += g - h
    >>> source = "b[1:] += g\\na[0] = 0.0\\nb[1:] += h\\nh[0] = 0.0\\nb[1:] += g"
    >>> print(text(gather_additions(statements(source), Facts())))
    a[0] = 0.0
    b[1:] += g + h
    h[0] = 0.0
    b[1:] += g
    """
    if memory is None:
        effects = Effects(facts)
        reach, direct, _ = bases_of([effects.of(s) for top in body for s in nested(top)], effects)
        memory = reach, direct
    out: list[Stmt | None] = []
    open_: dict[str, tuple[int, Any, str]] = {}
    for statement in body:
        for name in ("body", "orelse"):
            block = getattr(statement, name, None)
            if isinstance(block, list) and block and isinstance(block[0], gast.stmt):
                setattr(statement, name, gather_additions(block, facts, memory))
        part = _addition(statement)
        if part is not None:
            base, where = part
            read = {n.id for n in walk_names(statement.value)} | {n.id for n in walk_names(statement.target.slice)}
            open_ = {
                k: v
                for k, v in open_.items()  # an addition under another name of the memory stays in its place, too
                if not _touches(v[2], read, memory) and (v[2] == base or not _touches(v[2], {base}, memory))
            }
            if where in open_:
                at, earlier, _ = open_[where]
                out[at] = None
                statement = _sum(earlier, statement)
            open_[where] = (len(out), statement, base)
        elif _is_quiet(statement):
            read = {n.id for n in walk_names(statement)}
            bound = statement.targets[0].id
            open_ = {
                k: v
                for k, v in open_.items()
                if not _touches(v[2], read, memory) and bound not in {n.id for n in walk_names(v[1])}
            }
        elif (stored := _stored(statement)) is not None:
            read = {n.id for n in walk_names(statement)}  # (with the array that is stored into)
            open_ = {
                k: v
                for k, v in open_.items()
                if not _touches(v[2], read, memory) and not _touches(stored, {n.id for n in walk_names(v[1])}, memory)
            }
        else:
            open_ = {}
        out.append(statement)
    return [s for s in out if s is not None]


def _touches(base: str, names: set[str], memory: Memory) -> bool:
    """May one of the names be the memory of `base`, a view of it, or hold it?"""
    reach, direct = memory
    own = direct.get(base) or reach.get(base, frozenset((base,)))
    return base in names or any(own & reach.get(n, frozenset((n,))) for n in names)


def _addition(statement: Stmt) -> tuple[str, str] | None:
    """The base name and the text of the place of `b[i] += e` or `b[i] -= e`."""
    if not isinstance(statement, gast.AugAssign) or not isinstance(statement.op, (gast.Add, gast.Sub)):
        return None
    target = statement.target
    if not isinstance(target, gast.Subscript) or not isinstance(target.value, gast.Name):
        return None
    return target.value.id, text(target)


def _stored(statement: Stmt) -> str | None:
    """The array that `b[i] = e` stores into."""
    target: Any = target_of(statement)
    stores = isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name)
    return str(target.value.id) if stores and not _moves_on(statement.value) else None


def _is_quiet(statement: Stmt) -> bool:
    """Does a statement only give a name to a value?"""
    named = isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Name)
    return named and not _moves_on(statement.value)


def _moves_on(value: Any) -> bool:
    """Does an expression take something from a list or a tape, or put something there: does its place matter?"""
    return any(isinstance(n, gast.Attribute) and n.attr in ("pop", "append") for n in walk(value))


def _sum(first: Any, second: Any) -> Any:
    made = gast.AugAssign(clone(second.target), gast.Add(), None)
    made.__dict__.update({k: v for k, v in second.__dict__.items() if k not in ("target", "op", "value")})
    a, b = clone(first.value), clone(second.value)
    minus_a, minus_b = isinstance(first.op, gast.Sub), isinstance(second.op, gast.Sub)
    if minus_a and minus_b:
        made.op, made.value = gast.Sub(), gast.BinOp(a, gast.Add(), b)
    elif minus_a:
        made.value = gast.BinOp(b, gast.Sub(), a)
    else:
        made.value = gast.BinOp(a, gast.Sub() if minus_b else gast.Add(), b)
    return made


def known_shapes(body: list[Stmt], facts: Facts, parameters: list[str], forward: list[Stmt]) -> None:
    """Lengths are read off names that stand anyway: `t.size` of a temporary becomes `x.size` where shapes agree.

    That is so where lengths depend on the arguments alone; what loops carry has other lengths in other turns.

    Args:
        body: the backward sweep; changed in place.
        facts: what is known of its names.
        parameters: the function's parameters.
        forward: the forward sweep, whose top-level names stand too.
    """
    by_shape: dict[Any, str] = {}
    own = [
        s.targets[0].id
        for s in forward
        if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Name) and s.targets[0].id not in facts.temps
    ]
    for name in [*parameters, *own]:
        kind = facts.kinds.get(name)
        if isinstance(kind, Array) and kind.shape and all(is_fixed(d) for d in kind.shape):
            by_shape.setdefault(kind.shape, name)

    def visit(node: Any) -> None:
        for item in walk(node):
            if type(item) is gast.Attribute and item.attr in ("size", "shape") and type(item.value) is gast.Name:
                kind = facts.kinds.get(item.value.id)
                if item.value.id in facts.temps and isinstance(kind, Array) and kind.shape in by_shape:
                    item.value = load(by_shape[kind.shape])

    if not by_shape:
        return
    for statement in body:
        visit(statement)
