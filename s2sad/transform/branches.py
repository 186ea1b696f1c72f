"""Branches, backwards: the side that ran, and adjoints that both sides leave."""

from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from s2sad.core import Expr, Origin, Stmt, clone, copy_statement, load, names_bound, statements_in, walk
from s2sad.kinds.kind import Array, Either, Kind, ListOf, Number, Unknown
from s2sad.transform.bound import came_in, is_bound, spread, where_bound
from s2sad.transform.lists import zero_of
from s2sad.transform.loops import keep_values_of
from s2sad.transform.sweep import Adj, Sweep, reverses, same_adjoint
from s2sad.transform.values import is_fresh, is_scalar, is_smaller, is_zero, join_number, none_on, same_shape


class _Passed:
    """What the two sides of a branch, which grow, do to the names that go through them."""

    def __init__(self, blocks: list[list[Stmt]]) -> None:
        self.blocks = blocks
        self.seen = [0 for _ in blocks]
        self.copies: dict[str, str] = {}
        self.changes: Counter[str] = Counter()

    def unchanged(self, adj: Adj | None) -> str | None:
        """The name that an adjoint has outside of the sides, where these only hand it on."""
        if adj is None or not isinstance(adj.expr, gast.Name):
            return None
        for k, block in enumerate(self.blocks):
            for statement in block[self.seen[k] :]:
                self.note(statement)
            self.seen[k] = len(block)
        name = str(adj.expr.id)
        while name in self.copies and self.changes[name] == 1:
            name = self.copies[name]
        return None if self.changes[name] else name

    def note(self, statement: Stmt) -> None:
        if isinstance(statement, gast.Assign) and isinstance(statement.value, gast.Name):
            (target,) = statement.targets
            if isinstance(target, gast.Name):
                self.copies[target.id] = statement.value.id
        for node in walk(statement):
            cls = type(node)
            changed = node if cls is gast.Name else node.value if cls is gast.Subscript else None
            if isinstance(changed, gast.Name) and type(node.ctx) is gast.Store:
                self.changes[changed.id] += 1


@reverses(gast.With)
def reverse_With(sweep: Sweep, node: Any) -> None:
    inner = sweep.nested(node.body, straight=True)
    quiet = all(
        isinstance(i.context_expr, gast.Call) and getattr(i.context_expr.func, "attr", "") == "errstate"
        for i in node.items
    )
    if inner and quiet:
        sweep.write(gast.With([clone(i) for i in node.items], inner, None))
    else:
        sweep.out.extend(inner)


@reverses(gast.If)
def reverse_If(sweep: Sweep, node: Any) -> None:
    keep_values_of(sweep, [*node.body, *node.orelse])
    before = dict(sweep.adjoints)
    states: list[dict[str, Adj]] = []
    blocks: list[list[Stmt]] = []
    origins: list[Origin | None] = []
    for body in (node.body, node.orelse):
        sweep.adjoints = dict(before)
        blocks.append(sweep.nested(body))
        states.append(without_unmade(sweep, node, body))
        origins.append(sweep.origin)
    sweep.adjoints = merge(sweep, states, blocks, node, origins)
    if not blocks[0] and not blocks[1]:
        return
    sweep.statement = node
    sweep.origin = getattr(node, "origin", None)
    test = name_of_test(sweep, node)
    statement = gast.If(load(test), blocks[0] or [gast.Pass()], blocks[1])
    sweep.write(statement)
    statement.origin = None
    statement.forward = node


def without_unmade(sweep: Sweep, node: Any, side: list[Stmt]) -> dict[str, Adj]:
    """The adjoints in front of a side of a branch, without those of arrays that may be chosen and are made on the
    other side: nobody has them here."""
    homes = {h for choice in sweep.memory.choices.values() for h in choice.homes}
    if not homes:
        return dict(sweep.adjoints)
    elsewhere = {id(s) for s in statements_in(node.orelse if side is node.body else node.body)}
    made = {h: sweep.memory.definitions.get(h, ()) for h in homes}
    gone = {h for h, places in made.items() if places and all(id(p.statement) in elsewhere for p in places)}
    return {key: held for key, held in sweep.adjoints.items() if key not in gone}


def name_of_test(sweep: Sweep, node: Any) -> str:
    """The name that holds the condition of a branch."""
    if not isinstance(node.test, gast.Name) or not getattr(node, "named_test", False):
        name = sweep.facts.fresh("taken")
        sweep.facts.kinds[name] = Number(bool)
        node.test_value = node.test
        node.test = load(name)
        node.named_test = True
    return str(node.test.id)


def merge(
    sweep: Sweep, states: list[dict[str, Adj]], blocks: list[list[Stmt]], node: Any, origins: list[Origin | None]
) -> dict[str, Adj]:
    """The adjoints before a branch, from those that its two sides leave."""
    merged: dict[str, Adj] = {}
    passed = _Passed(blocks)
    for key in dict.fromkeys([*states[0], *states[1]]):
        a, b = states[0].get(key), states[1].get(key)
        if a is not None and b is not None and same_adjoint(a, b):
            merged[key] = Adj(a.expr, a.kind, a.owned and b.owned)
            continue
        if (a is None or is_zero(a.expr)) and (b is None or is_zero(b.expr)):
            continue
        full = sweep.facts.kinds.get(key, Unknown())
        nothing = none_on(node, key, full)
        unchanged = [passed.unchanged(adj) for k, adj in enumerate((a, b)) if k != nothing]
        known = [adj for adj in (a, b) if adj is not None]
        # (one name may be whole for what one side makes of a value, and smaller than what another makes of it)
        alike = not isinstance(full, Array) or len({same_shape(adj.kind, full) for adj in known}) < 2
        same = all(u is not None and u == unchanged[0] for u in unchanged)
        whole = sweep.facts.kinds.get(str(unchanged[0])) if same else None
        if isinstance(whole, Array):
            alike = alike and all(adj.kind == whole or same_shape(adj.kind, whole) for adj in known)
        if same and alike:
            kind = next((adj.kind for adj in known if adj.kind == full), known[0].kind)
            merged[key] = Adj(load(str(unchanged[0])), kind, all(adj.owned for adj in known))
            continue
        name = sweep.name_for(key)
        sides: list[tuple[Expr, Kind]] = []
        unshaped = False
        for k, (adj, side) in enumerate(((a, node.body), (b, node.orelse))):
            if adj is not None and not (is_zero(adj.expr) and isinstance(full, (Array, ListOf))):
                sides.append((clone(adj.expr), adj.kind))
                continue
            other = b if adj is a else a
            if k == nothing:
                sides.append((gast.Constant(0.0, None), full))
                continue
            bound = is_bound(sweep, key, node, side)
            before = key in names_bound(side) or not bound
            if isinstance(full, ListOf) and before and came_in(sweep, key, node):
                sides.append((where_bound(sweep, key, zero_of(sweep, key, node), node), full))  # of an earlier turn
            elif other is not None and not bound:  # nothing to take a shape of
                sides.append((gast.Constant(0.0, None), Unknown() if isinstance(other.kind, Array) else other.kind))
                unshaped = True
            else:
                zero = zero_of(sweep, key, node, after=True)
                sides.append((where_bound(sweep, key, zero, node) if came_in(sweep, key, node) else zero, full))
        kinds = [k for _, k in sides]
        for own, side in zip(kinds, (node.body, node.orelse), strict=True):
            unshaped = unshaped or (isinstance(own, Unknown) and not is_bound(sweep, key, node, side))
        if isinstance(full, Either) and not all(is_scalar(own) for own in kinds):
            wide = [sweep.as_large(key, e, own) for e, own in sides]
            lazy = [not is_zero(e) and is_smaller(own, full.array) for e, own in sides]
            sides = [(big if less else e, full) for (e, _), big, less in zip(sides, wide, lazy, strict=True)]
            kinds = [full, full]
        mixed = isinstance(full, Array) and any(not (isinstance(k, Array) and same_shape(k, full)) for k in kinds)
        if mixed and any(isinstance(k, Array) or not is_scalar(k) for k in kinds):
            sides = [
                (e, k)
                # a side without a contribution may have nothing to take a shape of, where another has none
                if same_shape(k, full) or (unshaped and (is_zero(e) or isinstance(k, Unknown)))
                else (spread(sweep, key, e, node, side), full)
                for (e, k), side in zip(sides, (node.body, node.orelse), strict=True)
            ]
        kind = (
            sides[0][1]
            if sides[0][1] == sides[1][1]
            else full
            if isinstance(full, Array)
            else join_number(sides[0][1], sides[1][1])
        )
        if isinstance(full, Array) and all(is_scalar(k) for _, k in sides):
            arrays = [k for _, k in sides if isinstance(k, Array)]  # of no dimensions, but memory
            kind = arrays[0] if arrays else Number(float)
        if unshaped and isinstance(kind, Array):
            kind = Unknown()
        sweep.facts.kinds[name] = kind
        owned = isinstance(kind, (Array, ListOf))
        for (expr, _k), adj, block, origin in zip(sides, (a, b), blocks, origins, strict=True):
            outer, sweep.out, sweep.origin = sweep.out, block, origin
            sweep.write(copy_statement(name, expr))
            sweep.out = outer
            owned = owned and (adj is None or adj.owned or is_fresh(expr))
        merged[key] = Adj(load(name), kind, owned)
    return merged
