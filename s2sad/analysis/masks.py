"""How many elements a mask selects: `x[m]` and `y[m]` have the same length, and `z[m] = ...` takes that many.

A boolean array that is bound once and never overwritten selects the same number of elements wherever it is used, and
one that is computed again from the same arrays the same: `w[t > 2.0] = np.log(t[t > 2.0])`. Their kinds are given a
symbol for that number, and the lengths of what was selected with them become that symbol: products of selected parts
then need no broadcasting, and their adjoints no sums over broadcast axes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from s2sad.analysis.memory import Memory
from s2sad.core import Facts, Stmt, blocks_of, children, clone, load, replace_names, text, walk, walk_names
from s2sad.kinds import dims
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Dim, Kind, Number


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
    uses = _uses(body, memory, facts)
    if sum(map(len, uses.values())) < 2:
        return
    first_reads = _first_reads(body, memory)
    counts, of_turns = set[str](), set[str]()
    masks = [name for name in sorted(uses) if _steady(name, memory, first_reads, min(uses[name]))]
    for alike in _alike(masks, body, memory, first_reads):
        if sum(len(uses[name]) for name in alike) < 2:
            continue
        count = dims.fresh()
        symbols = {symbol for symbol, _ in count.terms}
        counts |= symbols
        for name in alike:
            of_turns |= symbols if any(place.loops for place in memory.definitions.get(name, ())) else set()
            kind = facts.kinds[name]
            assert isinstance(kind, (Array, Number))
            facts.kinds[name] = replace(kind, trues=count)
    if not counts:
        return
    definitions = _definitions(body, memory)
    carried = {
        name
        for name, values in definitions.items()
        if len(values) > 1 or first_reads.get(name, math.inf) <= memory.definitions[name][0].order
    }
    found = _lengths(definitions, facts, counts, dict.fromkeys(carried, of_turns))
    for name, kind in facts.kinds.items() if found else ():
        facts.kinds[name] = _with_lengths(kind, found)


def _lengths(
    definitions: dict[str, list[Any]], facts: Facts, counts: set[str], others: dict[str, set[str]]
) -> dict[str, Dim]:
    """What lengths with a symbol of their own turn out to be; the kinds of the names in between are brought up to date.

    A name that is bound several times, as what a loop carries is, is taken for what it is first: where another of its
    definitions gives something else under that assumption, it was none.

    Args:
        definitions: what names are bound to.
        facts: what is known of the names.
        counts: the symbols of what masks select.
        others: of names that keep what they are into a later turn, those of masks that are others in each.
    """
    barred: set[str] = set()
    while True:
        before, found = dict(facts.kinds), dict[str, Dim]()
        for name, values in definitions.items():
            if name not in barred:
                _refine(name, values[0], facts, counts, found, others.get(name, set()))
        wrong = {
            name
            for name, values in definitions.items()
            if len(values) > 1
            and facts.kinds.get(name) != before.get(name)
            and name not in barred
            and not all(_has_shape(value, facts.kinds[name], facts) for value in values)
        }
        if not wrong:
            return found
        barred |= wrong
        facts.kinds.clear()
        facts.kinds.update(before)


def _has_shape(value: Any, kind: Kind, facts: Facts) -> bool:
    made = infer(value, facts)
    return isinstance(made, Array) and isinstance(kind, Array) and made.shape == kind.shape


def _uses(body: list[Stmt], memory: Memory, facts: Facts) -> dict[str, list[int]]:
    """Where each boolean array selects elements, by itself or turned round: the numbers of the statements."""
    uses: dict[str, list[int]] = {}
    for statement in _statements(body):
        for node in _own_nodes(statement):
            if not isinstance(node, gast.Subscript):
                continue
            index = node.slice.operand if isinstance(node.slice, gast.UnaryOp) else node.slice
            if isinstance(index, gast.Name) and _is_mask(facts.kinds.get(index.id)):
                uses.setdefault(index.id, []).append(memory.places[id(statement)].order)
    return uses


def _own_nodes(statement: Any) -> Iterator[Any]:
    """The nodes of a statement that are not in a statement inside of it."""
    inner = {id(s) for block in blocks_of(statement) for s in block}
    stack: list[Any] = [statement]
    while stack:
        node = stack.pop()
        yield node
        stack += [child for child in children(node) if id(child) not in inner]


def _is_mask(kind: Kind | None) -> bool:
    if isinstance(kind, Array):
        return kind.dtype.kind == "b" and kind.shape is not None
    return isinstance(kind, Number) and kind.type is np.bool_  # of a 0-d array


def _steady(name: str, memory: Memory, first_reads: dict[str, int], first_use: int | None = None) -> bool:
    """Is one array all that the name ever stands for in a turn, and does nobody write to it?

    Args:
        first_use: from here on alone.
    """
    places = memory.definitions.get(name, [])
    if memory.is_overwritten(name):
        return False
    if len(places) > 1:
        assigned = all(isinstance(p.statement, gast.Assign) and not p.loops for p in places)
        return first_use is not None and assigned and all(p.order < first_use for p in places)
    if not places:
        return True  # a parameter
    (place,) = places
    statement = place.statement
    if not isinstance(statement, gast.Assign) or getattr(statement, "copy", False):
        return False
    return name not in first_reads or first_reads[name] > place.order


def _alike(masks: list[str], body: list[Stmt], memory: Memory, first_reads: dict[str, int]) -> Iterable[list[str]]:
    """Masks that are computed in the same block of statements from the same arrays, together: these select as many."""
    blocks = {id(s): id(block) for top in ([body], *map(blocks_of, _statements(body))) for block in top for s in block}
    found: dict[Any, list[str]] = {}
    for name in masks:
        found.setdefault(_key(name, blocks, memory, first_reads), []).append(name)
    return found.values()


def _key(name: str, blocks: dict[int, int], memory: Memory, first_reads: dict[str, int]) -> Any:
    """What a name stands for: how it was computed and where, or the name itself."""
    places = memory.definitions.get(name, [])
    value: Any = getattr(places[0].statement, "value", None) if len(places) == 1 else None
    operands = _operands(value, memory.facts)
    names = {name, *operands}
    if not operands or name in operands or not all(_steady(n, memory, first_reads) for n in names):
        return name
    parts = tuple(_key(n, blocks, memory, first_reads) for n in operands)
    return blocks[id(places[0].statement)], _without_names(value), parts


def _operands(value: Any, facts: Facts) -> list[str]:
    """The names in arithmetic and comparisons of arrays and numbers; none where there is something else in it, which
    may be another thing at another time: an item of a list, an attribute."""
    if not isinstance(value, COMPUTED):
        return []
    atoms = [n for n in walk(value) if isinstance(n, gast.expr) and not isinstance(n, (gast.Constant, *COMPUTED))]
    plain = all(isinstance(n, gast.Name) and isinstance(facts.kinds.get(n.id), (Array, Number)) for n in atoms)
    return [n.id for n in atoms] if plain else []


def _without_names(value: Any) -> str:
    """The text of an expression with `_` for each name.

    >>> _without_names(gast.parse("x > 2.0").body[0].value)
    '_ > 2.0'
    """
    return text(replace_names(clone(value), {n.id: load("_") for n in walk_names(value)}))


#: expressions that give the same for the same operands
COMPUTED = (gast.Compare, gast.BinOp, gast.UnaryOp)


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
        names = [node for node in _own_nodes(statement) if isinstance(node, gast.Name)]
        bound = {n.id for n in names if isinstance(n.ctx, gast.Store)}
        for node in names:
            if isinstance(node.ctx, gast.Load) and node.id not in bound:
                first[node.id] = min(order, first.get(node.id, order))
    return first


def _definitions(body: list[Stmt], memory: Memory) -> dict[str, list[Any]]:
    """What names are bound to, in the order of the statements: of those that nothing but assignments bind."""
    values: dict[str, list[Any]] = {}
    for statement in _statements(body):
        if isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Name):
            values.setdefault(statement.targets[0].id, []).append(statement.value)
    return {name: held for name, held in values.items() if len(memory.definitions[name]) == len(held)}


def _refine(name: str, value: Any, facts: Facts, counts: set[str], found: dict[str, Dim], others: set[str]) -> None:
    """Lengths of one name that are now known in terms of what masks select."""
    old = facts.kinds.get(name)
    if not isinstance(old, Array) or not old.shape or not any(_is_fresh(d) for d in old.shape):
        return
    new = infer(value, facts)
    if not isinstance(new, Array) or new.shape is None or new.dtype != old.dtype or len(new.shape) != len(old.shape):
        return
    shape = list(old.shape)
    for axis, (was, length) in enumerate(zip(old.shape, new.shape, strict=True)):
        symbols = set(dims.base_symbols([length]))
        if _is_fresh(was) and was != length and counts & symbols and not others & symbols:
            found[was.terms[0][0]] = shape[axis] = length
    facts.kinds[name] = replace(old, shape=tuple(shape))


def _is_fresh(dim: Dim) -> bool:
    """Is it a symbol of its own: of one name, or of what a loop carries?"""
    return len(dim.terms) == 1 and dim.const == 0 and dim.terms[0][1] == 1 and dim.terms[0][0].startswith(("?", "s@"))


def _with_lengths(kind: Kind, found: dict[str, Dim]) -> Kind:
    """The kind, with symbols replaced by what they have been found to be."""
    if isinstance(kind, Array) and kind.shape:
        return replace(kind, shape=tuple(_replaced(d, found) for d in kind.shape))
    return kind.map(lambda part: _with_lengths(part, found))


def _replaced(dim: Dim, found: dict[str, Dim]) -> Dim:
    total = Dim.of(dim.const)
    for symbol, factor in dim.terms:
        total = total + found.get(symbol, Dim.symbol(symbol)) * factor
    return total
