"""Names that are handed on before they have a value start with one."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import gast

from s2sad.analysis.binding import turns_surely, with_sources
from s2sad.analysis.effects import Effects
from s2sad.core import Facts, Stmt, assign, blocks_of, items_of, walk, walk_names
from s2sad.kinds.kind import ListOf, Number


def give_start(
    body: list[Stmt], facts: Facts, effects: Effects | None = None, parameters: Collection[str] = ()
) -> list[Stmt]:
    """The statements with a first value for each name that may be copied, or put on a tape, before it has one.

    The user's function does not read it there (Python would refuse), but a tape takes what the turns of a loop leave,
    and a copy carries it to the next turn. All other reads raise what the user's function raises.

    Args:
        body: the statements of a function.
        facts: what is known of its names.
        effects: what is known of its statements already.
        parameters: its parameters.

    >>> from s2sad.core import statements, text
    >>> facts = Facts(kinds={"e": Number(float)}, tapes={"tape"})
    >>> print(text(give_start(statements("for i in range(n):\\n  if i: e = v[i]\\n  tape.append(e)"), facts)))
    e = 0.0
    for i in range(n):
        if i:
            e = v[i]
        tape.append(e)
    """
    found = _Scan(facts, effects or Effects(facts))
    found.block(body, set(parameters))
    names = {n for n in found.early if n in found.ever and n not in facts.globals}
    if not names:
        return body
    asked = with_sources(set(_asked_for(body)), body)
    out: list[Stmt] = []
    for statement in body:
        for name in sorted(names & {n.id for n in walk_names(statement)}):
            names.discard(name)
            first = gast.Constant(None, None) if name in asked else _first(facts.kinds.get(name))
            out.append(assign(name, first, getattr(statement, "origin", None)))
        out.append(statement)
    return out


def _first(kind: Any) -> Any:
    """A value of a kind."""
    if isinstance(kind, ListOf):
        return gast.List([], gast.Load())
    if not isinstance(kind, Number):
        return gast.Constant(None, None)
    if kind.type is bool:
        return gast.Constant(False, None)
    whole = issubclass(kind.type, int) or kind.type.__name__.startswith(("int", "uint"))
    return gast.Constant(0 if whole else 0.0, None)


class _Scan:
    """Looks for copies of names that are not surely bound."""

    def __init__(self, facts: Facts, effects: Effects) -> None:
        self.facts, self.effects = facts, effects
        self.early: set[str] = set()
        self.ever: set[str] = set()

    def block(self, body: list[Stmt], bound: set[str]) -> set[str] | None:
        """The names that are surely bound behind a block; None where its end is not reached."""
        for s in body:
            e = self.effects.of(s)
            self.early |= {n for n in _handed_on(s, self.facts) if n not in bound}
            self.ever.update(e.binds)
            if isinstance(s, gast.If):
                ends = [self.block(s.body, set(bound)), self.block(s.orelse, set(bound))]
                reached = [end for end in ends if end is not None]
                if not reached:
                    return None
                bound = set.intersection(*reached)
            elif isinstance(s, (gast.Return, gast.Break, gast.Continue, gast.Raise)):
                return None
            elif isinstance(s, gast.With):
                inside = self.block(s.body, bound | e.binds)
                if inside is None:
                    return None
                bound = inside
            elif isinstance(s, (gast.For, gast.While)):
                inside = self.block(s.body, bound | e.binds)
                if isinstance(s, gast.For) and inside is not None and turns_surely(s):
                    bound = inside
            else:
                for part in blocks_of(s):
                    self.block(part, bound | e.binds)
                if not list(blocks_of(s)):
                    bound = bound | e.binds
        return bound


def _asked_for(body: list[Stmt]) -> Iterator[str]:
    """The names of which it is asked whether they have no value: `if t is None: raise UnboundLocalError(...)`."""
    for statement in body:
        for node in walk(statement):
            if isinstance(node, gast.Compare) and isinstance(node.left, gast.Name) and isinstance(node.ops[0], gast.Is):
                yield node.left.id


def _handed_on(statement: Stmt, facts: Facts) -> list[str]:
    """The names that a statement copies, or puts on a tape. (What is stored, or put into a list of the user's, is read
    by the user's function, too.)"""
    value = getattr(statement, "value", None)
    if isinstance(statement, gast.Expr) and isinstance(value, gast.Call):
        append = isinstance(value.func, gast.Attribute) and value.func.attr == "append" and len(value.args) == 1
        taped = append and getattr(value.func.value, "id", None) in facts.tapes
        value = value.args[0] if taped else None
    elif not isinstance(statement, gast.Assign) or isinstance(statement.targets[0], gast.Subscript):
        value = None
    parts = items_of(value)
    return [p.id for p in parts if isinstance(p, gast.Name)]
