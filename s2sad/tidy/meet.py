"""A branch of the backward sweep computes for itself what only it reads of the same branch of the forward sweep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

import gast

from s2sad.analysis.effects import Effects, nested
from s2sad.analysis.scope import Scope, scope_of
from s2sad.core import Facts, Stmt, blocks_of, names_bound, walk_names
from s2sad.tidy.algebra import key_of
from s2sad.tidy.rebuild import is_users, negate, with_blocks, with_fields


def meet_branches(
    body: list[Stmt],
    facts: Facts,
    live_out: Iterable[str] = (),
    *,
    effects: Effects | None = None,
    same: Iterable[Iterable[str]] = (),
    parameters: Collection[str] | None = None,
) -> list[Stmt]:
    """The statements, with those of a branch that only a later branch with the same test reads moved into that one.

    Branches with the same test that are next to each other then become one. Where nothing changes it is the same list.

    Args: as for `coalesce`.

    >>> from s2sad.core import statements, text
    >>> from s2sad.kinds.kind import Number
    >>> facts = Facts(kinds=dict.fromkeys(("x", "y", "z", "t", "bz", "bx"), Number(float)))
    >>> print(text(meet_branches(statements('''
    ... if x > 1.0:
    ...     t = x * y
    ...     z = y * y
    ... else:
    ...     z = y
    ... bz = 2.0 * z
    ... if x > 1.0:
    ...     bx = bz * t
    ... else:
    ...     bx = bz
    ... return bx'''), facts, parameters=("x", "y"))))
    if x > 1.0:
        z = y * y
    else:
        z = y
    bz = 2.0 * z
    if x > 1.0:
        t = x * y
        bx = bz * t
    else:
        bx = bz
    return bx
    """
    if not any(_pairs(block) for block in _blocks(body)):
        return body
    scope = scope_of(body, facts, effects, live_out=live_out, same=same, parameters=parameters)
    worker = _Meeting(scope, body, set(live_out))
    result = worker.block(body)
    return result if worker.changes else body


class _Meeting:
    def __init__(self, scope: Scope, body: list[Stmt], live_out: set[str]) -> None:
        self.scope = scope
        self.bound: Counter[str] = Counter()
        self.reads: Counter[str] = Counter()
        for n in walk_names(body):
            (self.reads if isinstance(n.ctx, gast.Load) else self.bound)[n.id] += 1
        self.changes = 0
        self.stay = live_out | scope.captured | scope.parameters

    def block(self, body: list[Stmt]) -> list[Stmt]:
        body = list(body)
        for one, two, negated in _pairs(body):
            i, j = (next((k for k, s in enumerate(body) if s is branch), -1) for branch in (one, two))
            if i >= 0 and self.may_move_past(body[i + 1 : j]):  # (else it has met another one)
                first, second = self.met(one, two, negated, self.changed(body[i + 1 : j]))
                body[i : j + 1] = [*first, *body[i + 1 : j], second]
                if first and i + 1 == j:
                    body[i : i + 2] = self.fused(first[0], second)
        return [with_blocks(s, self.block) for s in body]

    def met(self, one: Any, two: Any, negated: bool, changed: int) -> tuple[list[Stmt], Any]:
        """Two branches with the same test, as they are written then; of the first one nothing may be left.

        Args:
            changed: the bits of what is bound or stored between the two.
        """
        sides = [list(one.body), list(one.orelse)]
        readers = [list(side) for side in ([two.orelse, two.body] if negated else [two.body, two.orelse])]
        for k in (0, 1):
            stays, moved = self.parted(sides[k], readers[k], changed)
            for inner, reader, opposite in _matches(stays, readers[k]):
                i, j = stays.index(inner), readers[k].index(reader)
                if self.may_move_past([*stays[i + 1 :], *readers[k][:j]]):
                    between = changed | self.changed(stays[i + 1 :]) | self.changed(readers[k][:j])
                    stays[i : i + 1], readers[k][j] = self.met(inner, reader, opposite, between)
            sides[k], readers[k] = stays, [*moved, *readers[k]]
        two = with_fields(two, body=readers[negated], orelse=readers[not negated])
        if not sides[0] and not sides[1]:
            return [], two
        if not sides[0]:
            return [_if_not(one, sides[1])], two
        return [with_fields(one, body=sides[0], orelse=sides[1])], two

    def fused(self, one: Any, two: Any) -> list[Stmt]:
        """Two branches next to each other: one, where the first leaves the test as it is."""
        if self.changed([one]) & self.scope.masks(two).use:
            return [one, two]
        if key_of(_asked(one)[0]) != key_of(_asked(two)[0]):
            return [one, two]
        self.changes += 1
        sides = [two.orelse, two.body] if _asked(one)[1] != _asked(two)[1] else [two.body, two.orelse]
        return [with_fields(one, body=[*one.body, *sides[0]], orelse=[*one.orelse, *sides[1]])]

    def parted(self, side: list[Stmt], reader: list[Stmt], changed: int) -> tuple[list[Stmt], list[Stmt]]:
        """What stays of a side, and what moves to where it is read.

        Args:
            changed: the bits of what is bound or stored between the two.
        """
        inside = Counter(n.id for n in walk_names(reader) if isinstance(n.ctx, gast.Load))
        stays: list[Stmt] = []
        moved: list[Stmt] = []
        for s in reversed(side):
            use, define, store = self.scope.deep(s)
            names = names_bound(s)
            if (
                type(s) in (gast.Assign, gast.If)
                and names
                and not store
                and not use & changed
                and not names & self.stay
                and not self.has_own(s)
                and all(self.reads[n] == inside[n] + own and self.bound[n] == times for n, own, times in _own(s, names))
            ):
                moved.insert(0, s)
                self.changes += 1
                inside.update(n.id for n in walk_names(s) if isinstance(n.ctx, gast.Load))
                continue
            stays.insert(0, s)
            changed |= define | store
        return stays, moved

    def changed(self, statements: list[Stmt]) -> int:
        bits = 0
        for s in statements:
            _, define, store = self.scope.deep(s)
            bits |= define | store
        return bits

    def may_move_past(self, statements: list[Stmt]) -> bool:
        """Do statements nothing but bind names and store?"""
        return not any(self.has_own(s) for s in statements)

    def has_own(self, s: Stmt) -> bool:
        return any(self.scope.masks(i).keep or type(i) in _JUMPS for i in nested(s))


_JUMPS = frozenset((gast.Return, gast.Break, gast.Continue, gast.Raise))


def _own(s: Stmt, names: set[str]) -> list[tuple[str, int, int]]:
    """For names that a statement binds: how often it reads and binds them."""
    reads = Counter(n.id for n in walk_names(s) if isinstance(n.ctx, gast.Load))
    bound = Counter(n.id for n in walk_names(s) if not isinstance(n.ctx, gast.Load))
    return [(n, reads[n], bound[n]) for n in names]


def _if_not(branch: Any, body: list[Stmt]) -> Any:
    """What is left of a branch whose first side is empty: if not a: if not b: ..  ->  if not a and not b: .."""
    inner = body[0]
    test = negate(branch.test)
    if len(body) == 1 and type(inner) is gast.If and not inner.orelse:
        tests = (
            inner.test.values if type(inner.test) is gast.BoolOp and type(inner.test.op) is gast.And else [inner.test]
        )
        return with_fields(branch, test=gast.BoolOp(gast.And(), [test, *tests]), body=inner.body, orelse=[])
    return with_fields(branch, test=test, body=body, orelse=[])


def _asked(branch: Any) -> tuple[Any, bool]:
    """What a branch asks, and whether its first side is the one where that is not so."""
    test = branch.test
    if type(test) is gast.UnaryOp and type(test.op) is gast.Not:
        return test.operand, True
    if type(test) is gast.Compare and type(test.ops[0]) in (gast.NotEq, gast.IsNot, gast.NotIn) and len(test.ops) == 1:
        return negate(test), True
    return test, False


def _matches(first: list[Any], second: list[Any]) -> list[tuple[Any, Any, bool]]:
    """Branches of two blocks with the same test, the second one of the compiler's, and whether that is turned round."""
    seen: dict[str, tuple[Any, bool]] = {}
    for s in first:
        if type(s) is gast.If:
            test, negated = _asked(s)
            seen.setdefault(key_of(test), (s, negated))
    found = []
    for s in second if seen else ():
        if type(s) is gast.If and not is_users(s):
            test, negated = _asked(s)
            one = seen.pop(key_of(test), None)
            if one is not None and one[0] is not s:
                found.append((one[0], s, negated != one[1]))
    return found


def _pairs(body: list[Stmt]) -> list[tuple[Any, Any, bool]]:
    """The same for the branches of one block."""
    branches = [s for s in body if type(s) is gast.If]
    return [pair for k in range(1, len(branches)) for pair in _matches(branches[:k], branches[k : k + 1])]


def _blocks(body: list[Stmt]) -> Iterable[list[Stmt]]:
    yield body
    for s in body:
        for block in blocks_of(s):
            yield from _blocks(block)
