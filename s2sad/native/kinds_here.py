"""The kinds of names where a statement stands: tidy text uses one name for several values, one after the other."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast

from s2sad.analysis.known_calls import dotted
from s2sad.core import Expr, Facts, Stmt
from s2sad.kinds.calls import element_kind
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Dim, Kind, List, Tuple, Unknown
from s2sad.normal.base import join_kinds

#: what is done with each statement, where the kinds of its names are known
Visit = Callable[[Stmt, Facts], None]


def called(func: Expr, facts: Facts) -> Any:
    """The function that an expression stands for; None where that is not known.

    >>> called(gast.parse("len", mode="eval").body, Facts()) is len
    True
    """
    path = dotted(func)
    if path is None or path[0] in facts.kinds:
        return None
    found = facts.globals.get(path[0], getattr(builtins, path[0], None))
    for name in path[1:]:
        found = getattr(found, name, None)
    return found


def follow(body: list[Stmt], facts: Facts, visit: Visit) -> None:
    """Visit the statements of a function in order, each with the kinds that its names have there.

    Args:
        body: the statements. The visit may change the expressions of its own statement.
        facts: with the kinds of the parameters, and what is known of other names.

    >>> from s2sad.core import quote_statements, Facts
    >>> import numpy as np
    >>> kinds = {"x": Array(np.dtype(float), (Dim.symbol("n"), Dim.symbol("m")))}
    >>> facts = Facts(kinds=kinds, globals={"np": np})
    >>> def show(statement, facts):
    ...     print(gast.unparse(statement), len(facts.kinds["g"].shape) if "g" in facts.kinds else None)
    >>> follow(quote_statements("g = x + 1.0\\ng = g[0]\\nx = g"), facts, show)
    g = x + 1.0 None
    g = g[0] 2
    x = g 1
    """
    _Flow(replace(facts, kinds=dict(facts.kinds)), visit).block(body)


class _Flow:
    def __init__(self, facts: Facts, visit: Visit) -> None:
        self.facts = facts
        #: of each name, what all of its values are
        self.joined = dict(facts.kinds)
        self.visit = visit
        self.quiet = 0
        self.count = 0

    def block(self, body: list[Stmt]) -> None:
        for statement in body:
            self.statement(statement)

    def statement(self, statement: Stmt) -> None:
        if isinstance(statement, (gast.For, gast.While)):
            self.loop(statement)
            return
        self.seen(statement)
        if isinstance(statement, gast.Assign):
            kind = infer(statement.value, self.facts)
            for target in statement.targets:
                self.bind(target, kind)
        elif isinstance(statement, gast.AugAssign):
            if isinstance(statement.target, gast.Name):
                whole = gast.BinOp(_load(statement.target), statement.op, statement.value)
                self.bind(statement.target, infer(whole, self.facts))
        elif isinstance(statement, gast.If):
            self.branches([statement.body, statement.orelse])
        elif isinstance(statement, gast.Try):
            self.branches([statement.body, *(h.body for h in statement.handlers), statement.orelse])
            self.block(statement.finalbody)
        elif isinstance(statement, gast.With):
            self.block(statement.body)

    def seen(self, statement: Stmt) -> None:
        if not self.quiet:
            self.visit(statement, self.facts)

    def branches(self, blocks: list[list[Stmt]]) -> None:
        before, after = dict(self.facts.kinds), []
        for block in blocks:
            self.facts.kinds = dict(before)
            self.block(block)
            after.append(self.facts.kinds)
        self.facts.kinds = after[0]
        for other in after[1:]:
            self.join(other)

    def loop(self, statement: Any) -> None:
        """The body comes twice: what a turn leaves behind is what the next one begins with."""
        before = dict(self.facts.kinds)
        for last in (False, True):
            if last:
                self.join(before)
            self.quiet += not last
            if isinstance(statement, gast.For):
                self.bind(statement.target, element_kind(infer(statement.iter, self.facts)))
            self.seen(statement)
            self.block(statement.body)
            self.quiet -= not last
        self.join(before)
        self.block(statement.orelse)

    def join(self, other: dict[str, Kind]) -> None:
        kinds = self.facts.kinds
        for name, kind in other.items():
            kinds[name] = join_kinds(kinds[name], kind, self.symbol) if name in kinds else kind

    def symbol(self) -> Dim:
        self.count += 1
        return Dim.symbol(f"native@{self.count}")

    def bind(self, target: Expr, kind: Kind) -> None:
        if isinstance(target, gast.Name):
            self.facts.kinds[target.id] = self.joined.get(target.id, kind) if _is_vague(kind) else kind
        elif isinstance(target, (gast.Tuple, gast.List)):
            known = isinstance(kind, (Tuple, List)) and len(kind.items) == len(target.elts)
            for k, part in enumerate(target.elts):
                self.bind(part, kind.items[k] if known else element_kind(kind))  # type: ignore[attr-defined]


def _is_vague(kind: Kind) -> bool:
    return isinstance(kind, Unknown) or (isinstance(kind, Array) and kind.shape is None)


def _load(target: Any) -> Expr:
    return gast.Name(target.id, gast.Load(), None, None)
