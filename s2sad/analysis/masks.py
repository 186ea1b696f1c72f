"""How many elements a mask selects: `x[m]` and `y[m]` have the same length, and `z[m] = ...` takes that many.

A boolean array that is bound once and never overwritten selects the same number of elements wherever it is used. Its
kind is given a symbol for that number, and the lengths of what was selected with it become that symbol: products of
selected parts then need no broadcasting, and their adjoints no sums over broadcast axes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from s2sad.analysis.memory import Memory
from s2sad.core import Facts, Stmt, blocks_of, children, walk
from s2sad.kinds import dims
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Dict, Dim, Kind, List, ListOf, Tuple


def count_selected(body: list[Stmt], memory: Memory, facts: Facts) -> None:
    """Give the masks that are used twice or more a symbol for what they select; `facts.kinds` is brought up to date.

    >>> import numpy as np
    >>> from s2sad.analysis.memory_scan import analyse
    >>> from s2sad.core import statements
    >>> x = Array(np.dtype(float), (Dim.symbol("n"),))
    >>> part = {name: Array(np.dtype(float), (dims.fresh(),)) for name in "abc"}
    >>> facts = Facts(kinds={"x": x, "m": Array(np.dtype(bool), x.shape), **part})
    >>> body = statements("m = x > 0.0\\na = x[m]\\nb = x[~m]\\nc = a * x[m]")
    >>> count_selected(body, analyse(body, facts, {}), facts)
    >>> facts.kinds["a"] == facts.kinds["c"], facts.kinds["a"].shape[0] + facts.kinds["b"].shape[0] == Dim.symbol("n")
    (True, True)
    """
    used = {name for name, uses in _uses(body, facts).items() if uses > 1}
    first_reads = _first_reads(body, memory) if used else {}
    masks = [name for name in sorted(used) if _steady(name, memory, first_reads)]
    if not masks:
        return
    counts = set()
    for name in masks:
        kind = facts.kinds[name]
        assert isinstance(kind, Array)
        count = dims.fresh()
        counts |= {symbol for symbol, _ in count.terms}
        facts.kinds[name] = Array(kind.dtype, kind.shape, count)
    found: dict[str, Dim] = {}
    for name, value in _single_definitions(body, memory):
        _refine(name, value, facts, counts, found)
    if found:
        for name, kind in facts.kinds.items():
            facts.kinds[name] = _with_lengths(kind, found)


def _uses(body: list[Stmt], facts: Facts) -> dict[str, int]:
    """How often each boolean array selects elements, by itself or turned round."""
    uses: dict[str, int] = {}
    for node in (n for s in body for n in walk(s) if isinstance(n, gast.Subscript)):
        index = node.slice.operand if isinstance(node.slice, gast.UnaryOp) else node.slice
        kind = facts.kinds.get(index.id) if isinstance(index, gast.Name) else None
        if isinstance(kind, Array) and kind.dtype.kind == "b" and kind.shape:
            uses[index.id] = uses.get(index.id, 0) + 1
    return uses


def _steady(name: str, memory: Memory, first_reads: dict[str, int]) -> bool:
    """Is one array all that the name ever stands for in a turn, and does nobody write to it?"""
    places = memory.definitions.get(name, [])
    if memory.is_overwritten(name) or len(places) > 1:
        return False
    if not places:
        return True  # a parameter
    (place,) = places
    statement = place.statement
    if not isinstance(statement, gast.Assign) or getattr(statement, "copy", False):
        return False
    return name not in first_reads or first_reads[name] > place.order


def _statements(body: list[Stmt]) -> Iterator[Stmt]:
    for statement in body:
        yield statement
        for block in blocks_of(statement):
            yield from _statements(block)


def _first_reads(body: list[Stmt], memory: Memory) -> dict[str, int]:
    """Where each name is read first, by a statement that does not bind it itself."""
    first: dict[str, int] = {}
    for statement in _statements(body):
        order = memory.places[id(statement)].order
        inner = {id(s) for block in blocks_of(statement) for s in block}
        names: list[Any] = []
        stack: list[Any] = [statement]
        while stack:
            node = stack.pop()
            if isinstance(node, gast.Name):
                names.append(node)
            else:
                stack += [child for child in children(node) if id(child) not in inner]
        bound = {n.id for n in names if isinstance(n.ctx, gast.Store)}
        for node in names:
            if isinstance(node.ctx, gast.Load) and node.id not in bound:
                first[node.id] = min(order, first.get(node.id, order))
    return first


def _single_definitions(body: list[Stmt], memory: Memory) -> Iterator[tuple[str, Any]]:
    for statement in _statements(body):
        if isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Name):
            name = statement.targets[0].id
            if len(memory.definitions[name]) == 1:
                yield name, statement.value


def _refine(name: str, value: Any, facts: Facts, counts: set[str], found: dict[str, Dim]) -> None:
    """Lengths of one name that are now known in terms of what masks select."""
    old = facts.kinds.get(name)
    if not isinstance(old, Array) or not old.shape or not any(_is_fresh(d) for d in old.shape):
        return
    new = infer(value, facts)
    if not isinstance(new, Array) or new.shape is None or new.dtype != old.dtype or len(new.shape) != len(old.shape):
        return
    shape = list(old.shape)
    for axis, (was, length) in enumerate(zip(old.shape, new.shape, strict=True)):
        if _is_fresh(was) and was != length and counts & set(dims.base_symbols([length])):
            found[was.terms[0][0]] = shape[axis] = length
    facts.kinds[name] = Array(old.dtype, tuple(shape), old.trues)


def _is_fresh(dim: Dim) -> bool:
    return len(dim.terms) == 1 and dim.const == 0 and dim.terms[0][1] == 1 and dim.terms[0][0].startswith("?")


def _with_lengths(kind: Kind, found: dict[str, Dim]) -> Kind:
    """The kind, with symbols replaced by what they have been found to be."""
    if isinstance(kind, Array) and kind.shape:
        return Array(kind.dtype, tuple(_replaced(d, found) for d in kind.shape), kind.trues)
    if isinstance(kind, Tuple):
        return Tuple(tuple(_with_lengths(k, found) for k in kind.items), kind.cls)
    if isinstance(kind, List):
        return List(tuple(_with_lengths(k, found) for k in kind.items))
    if isinstance(kind, ListOf):
        return ListOf(_with_lengths(kind.item, found))
    if isinstance(kind, Dict):
        return Dict(tuple((key, _with_lengths(k, found)) for key, k in kind.items), kind.cls)
    return kind


def _replaced(dim: Dim, found: dict[str, Dim]) -> Dim:
    total = Dim.of(dim.const)
    for symbol, factor in dim.terms:
        total = total + found.get(symbol, Dim.symbol(symbol)) * factor
    return total
