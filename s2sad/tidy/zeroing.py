"""Remove `A[s] = 0.0` where nobody reads that part of A again.

Liveness takes an array as a whole. Here the indices are compared: parts with constant bounds (`A[:, 4:]` and `A[:, :4]`
never meet), and elements at loop variables plus constants (`A[i, j]` is not read again when later turns of the loops
read `A[i - 1, j]` and `A[i, j - 1]` for smaller i and j only).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import gast

from s2sad.analysis.effects import Effects
from s2sad.analysis.nests import never_after
from s2sad.analysis.scope import scope_of
from s2sad.core import Expr, Facts, Stmt, blocks_of, children_of
from s2sad.kinds import dims
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Dim, Number
from s2sad.kinds.known import int_value
from s2sad.tidy.rebuild import is_users, with_fields


@dataclass(frozen=True)
class Part:
    """An index on one axis: [low, high), high None for no bound; or `variable + low` (high is None)."""

    low: Dim
    high: Dim | None
    variable: str | None = None


#: what may be anywhere on its axis
ANYWHERE = Part(dims.ZERO, None)


Index = tuple[Part, ...]


@dataclass
class Access:
    """One place where a part of an array is read, added to or overwritten."""

    index: Index | None  # None: all of it, or unknown
    order: int
    loops: tuple[int, ...]
    node: Expr | None = None


def drop_zeroing(
    body: list[Stmt],
    facts: Facts,
    live_out: Iterable[str] = (),
    *,
    effects: Effects | None = None,
    same: Iterable[Iterable[str]] = (),
    parameters: Collection[str] | None = None,
) -> list[Stmt]:
    """The statements without the constant stores into parts of arrays that are not read again.

    Only arrays that one name holds are looked at, and only stores that are not the user's.

    Args: as for `deadcode.eliminate`.

    >>> from s2sad.core import statements, text
    >>> from s2sad.kinds.kind import Array, Number
    >>> import numpy as np
    >>> facts = Facts(kinds={"A": Array(np.dtype(float), None), "i": Number(int), "g": Number(float)})
    >>> before = "A = np.ones(n)\\nfor i in reversed(range(1, n)):\\n  g = A[i]\\n  A[i] = 0.0\\n  A[i - 1] += g"
    >>> print(text(drop_zeroing(statements(before + "\\nreturn A[0]"), facts)))
    A = np.ones(n)
    for i in reversed(range(1, n)):
        g = A[i]
        A[i - 1] += g
    return A[0]
    """
    found = Survey(facts)
    found.block(body, ())
    if not found.stores:
        return body
    scope = scope_of(body, facts, effects, live_out=live_out, same=same, parameters=parameters)
    outside = set(live_out) | scope.captured | scope.parameters
    dead = set()
    for store in found.stores:
        name = store.name
        alone = scope.holders(name) == 1 and scope.bases(name) == {name} and name in scope.fresh and name not in outside
        if alone and scope.effects.is_array(name) and found.is_dead(store):
            dead.add(id(store.statement))
    return _without(body, dead) if dead else body


@dataclass
class _Store(Access):
    name: str = ""
    statement: Stmt | None = None


class Survey:
    """All that is done to arrays, in textual order."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.order = 0
        self.stores: list[_Store] = []
        self.reads: dict[str, list[Access]] = {}
        #: places where something is added to a part of an array, and those where a part is overwritten
        self.additions: list[tuple[str, Access, Stmt]] = []
        self.overwrites: dict[str, list[Access]] = {}
        self.bound: dict[str, list[tuple[int, tuple[int, ...]]]] = {}
        self.loops: list[Stmt] = []
        self.ends: list[int] = []

    def block(self, statements: list[Stmt], loops: tuple[int, ...]) -> None:
        for s in statements:
            self.order += 1
            cls = type(s)
            if cls is gast.Assign:
                self.read(s.value, loops)
                for target in s.targets:
                    self.target(target, loops, False)
                self.note_store(s, loops)
            elif cls is gast.AugAssign:
                self.read(s.value, loops)
                self.target(s.target, loops, True)
                if type(s.target) is gast.Subscript and type(s.target.value) is gast.Name:
                    self.additions.append((s.target.value.id, self.reads[s.target.value.id][-1], s))
            elif cls is gast.For or cls is gast.While:
                self.read(
                    s.iter if cls is gast.For else s.test, loops if cls is gast.For else (*loops, len(self.loops))
                )
                inner = (*loops, len(self.loops))
                self.loops.append(s)
                self.ends.append(0)
                if cls is gast.For:
                    self.target(s.target, inner, False)
                self.block(s.body, inner)
                self.ends[inner[-1]] = self.order
                self.block(s.orelse, loops)
            else:
                blocks = list(blocks_of(s))
                if not blocks:
                    self.read(s, loops)
                    continue
                for field in s._fields:
                    if field not in ("body", "orelse", "finalbody", "handlers", "cases"):
                        self.read(getattr(s, field, None), loops)
                for field in ("handlers", "cases"):
                    for part in getattr(s, field, None) or ():
                        for inner_field in part._fields:
                            if inner_field != "body":
                                self.read(getattr(part, inner_field, None), loops)
                for block in blocks:
                    self.block(block, loops)

    def note_store(self, s: Stmt, loops: tuple[int, ...]) -> None:
        target = s.targets[0]
        if len(s.targets) != 1 or type(target) is not gast.Subscript or type(target.value) is not gast.Name:
            return
        if type(s.value) is gast.Constant and s.value.value == 0 and not is_users(s):
            index = self.index(target.slice)
            if index is not None:
                self.stores.append(_Store(index, self.order, loops, target.slice, target.value.id, s))

    def target(self, target: Expr, loops: tuple[int, ...], augmented: bool) -> None:
        cls = type(target)
        if cls is gast.Name:
            self.bound.setdefault(target.id, []).append((self.order, loops))
            if augmented:
                self.access(target.id, None, loops)
        elif cls is gast.Subscript and type(target.value) is gast.Name:
            self.read(target.slice, loops)
            if augmented:
                self.access(target.value.id, target.slice, loops)
            else:
                place = Access(self.index(target.slice), self.order, loops, target.slice)
                self.overwrites.setdefault(target.value.id, []).append(place)
        elif cls in (gast.Tuple, gast.List):
            for item in target.elts:
                self.target(item, loops, augmented)
        else:
            self.read(target, loops)

    def access(self, name: str, node: Expr | None, loops: tuple[int, ...]) -> None:
        index = None if node is None else self.index(node)
        self.reads.setdefault(name, []).append(Access(index, self.order, loops, node))

    def read(self, node: Any, loops: tuple[int, ...]) -> None:
        if isinstance(node, list):
            for item in node:
                self.read(item, loops)
            return
        cls = type(node)
        if cls is gast.Name:
            self.access(node.id, None, loops)
        elif cls is gast.Subscript and type(node.value) is gast.Name:
            self.access(node.value.id, node.slice, loops)
            self.read(node.slice, loops)
        elif cls is gast.Attribute and node.attr in ("shape", "size", "ndim", "dtype"):
            if type(node.value) is not gast.Name:
                self.read(node.value, loops)
        elif isinstance(node, gast.AST):
            if cls is gast.NamedExpr:
                self.target(node.target, loops, False)
            for field in children_of(cls):
                value = getattr(node, field, None)
                if value is not None:
                    self.read(value, loops)

    def index(self, node: Expr) -> Index | None:
        """An index with constant bounds, or variables plus constants; None for any other."""
        parts = []
        for item in node.elts if type(node) is gast.Tuple else [node]:
            part = self.part(item)
            if part is None:
                return None
            parts.append(part)
        return tuple(parts)

    def part(self, node: Expr) -> Part | None:
        """What stands for one axis. (An array of bools may stand for several.)"""
        cls = type(node)
        if cls is gast.Slice:
            low = dims.ZERO if node.lower is None else self.bound_of(node.lower)
            high = None if node.upper is None else self.bound_of(node.upper)
            if node.step is not None or low is None or (node.upper is not None and high is None):
                return ANYWHERE
            return Part(low, high)
        value = _constant(node)
        if value is not None:
            return Part(Dim.of(value), Dim.of(value + 1))
        if cls is gast.Name:
            kind = self.facts.kinds.get(node.id)
            if isinstance(kind, Number):
                return Part(dims.ZERO, None, node.id)
            return ANYWHERE if isinstance(kind, Array) and kind.dtype.kind in "iu" else None
        if cls is gast.BinOp and type(node.op) in (gast.Add, gast.Sub) and type(node.left) is gast.Name:
            offset = _constant(node.right)
            if offset is not None and isinstance(self.facts.kinds.get(node.left.id), Number):
                return Part(Dim.of(offset if type(node.op) is gast.Add else -offset), None, node.left.id)
        return None

    def bound_of(self, node: Expr) -> Dim | None:
        """A bound of a slice that is at least 0 and has one value throughout a call."""
        value = int_value(infer(node, self.facts))
        return value if value is not None and dims.is_fixed(value) and _is_certain(value) else None

    def is_dead(self, store: _Store) -> bool:
        """Is what the store clears not read before it is new memory?"""
        around = self.around(store.name, store)
        return around is not None and all(
            self.apart(store, read, around)
            for read in self.reads.get(store.name, [])
            if self.later(store, read, around)
        )

    def around(self, name: str, place: Access) -> tuple[int, ...] | None:
        """The loops around a place in which an array stays the same memory; None where it may have come by two ways."""
        definitions = self.bound.get(name, [])
        if len(definitions) != 1 or definitions[0][0] > place.order:
            return None
        home = definitions[0][1]  # the loops around the array's own definition: each iteration has its own array
        return place.loops[len(home) :] if place.loops[: len(home)] == home else None

    def later(self, first: Access, second: Access, around: tuple[int, ...]) -> bool:
        """May the second come after the first?"""
        return second.order > first.order or any(loop in second.loops for loop in around)

    def apart(self, first: Access, second: Access, around: tuple[int, ...]) -> bool:
        """Do the two never touch the same element, when the second comes after the first?"""
        if first.index is None or second.index is None:
            return False
        for a, b in zip(first.index, second.index, strict=False):
            if not a.variable and not b.variable and ranges_apart(a, b):
                return True
        loops, others = [self.loops[k] for k in first.loops], [self.loops[k] for k in second.loops]
        shared = [self.loops[k] for k in around if k in second.loops]
        return never_after(first.node, second.node, loops, others, shared, second.order > first.order)


def ranges_apart(a: Part, b: Part) -> bool:
    """Does one end before the other begins, also where the bounds are lengths? (`[n:2 * n]` and `[2 * n:]`)"""
    return any(p.high is not None and _is_certain(q.low - p.high) for p, q in ((a, b), (b, a)))


def _is_certain(dim: Dim) -> bool:
    """Is it at least 0, whatever the lengths are that somebody wrote down?"""
    low = dims.certain_lower(dim)
    return low is not None and low >= 0


def _constant(node: Expr) -> int | None:
    """A constant of at least 0."""
    return node.value if type(node) is gast.Constant and type(node.value) is int and node.value >= 0 else None


def _without(body: list[Stmt], dead: set[int]) -> list[Stmt]:
    result = []
    for s in body:
        if id(s) in dead:
            continue
        changes: dict[str, Any] = {}
        for field in ("body", "orelse", "finalbody"):
            block = getattr(s, field, None)
            if block and isinstance(block, list) and type(s) not in (gast.FunctionDef, gast.ClassDef):
                changes[field] = _without(block, dead) or [gast.Pass()]
        for field in ("handlers", "cases"):
            parts = getattr(s, field, None)
            if parts:
                changes[field] = [with_fields(p, body=_without(p.body, dead) or [gast.Pass()]) for p in parts]
        result.append(with_fields(s, **changes) if changes else s)
    return result
