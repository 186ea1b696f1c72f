"""Names that may share memory where it matters: found when the code is generated, and refused.

Views of one array are followed exactly. What cannot be followed is a name that is one array on one path and another on
the other, while one of them is overwritten and read under another name afterwards; and an array that is overwritten
while a run-time list holds it.
"""

from __future__ import annotations

from typing import Any, NoReturn

import gast

from s2sad.analysis.memory import Memory, copied
from s2sad.core import Expr, Stmt
from s2sad.frontend.diagnostics import error_at
from s2sad.kinds.kind import Array, ListOf, Unknown
from s2sad.normal.base import atom_key
from s2sad.tidy.liveness import live_after

WAY_OUT = "make a copy with .copy() before one of them is overwritten"


def check_aliases(body: list[Stmt], memory: Memory, core: Any, live: set[str]) -> None:
    """Refuse programs in which a store may or may not be seen through another name.

    Args:
        body: the function in core Python.
        memory: its memory facts.
        core: where the statements come from, for the message.
        live: names read after the last statement.

    Raises:
        DerivationError: at the store.
    """
    if memory.stores:
        _Check(body, memory, core, live).run(body)


class _Check:
    def __init__(self, body: list[Stmt], memory: Memory, core: Any, live: set[str]) -> None:
        self.memory, self.core = memory, core
        self.after = live_after(body, memory.facts, live)
        self.pairs: dict[str, set[str]] = {}
        self.views: dict[str, set[str]] = {}
        for name in memory.alias:
            self.views.setdefault(self.base(name), set()).add(name)

    def base(self, key: str) -> str:
        """The name that a view was taken of."""
        seen = set()
        while key in self.memory.alias and key not in seen:
            seen.add(key)
            places = self.memory.definitions.get(key, [])
            if len(places) != 1 or getattr(places[0].statement, "copy", False):
                break
            key = self.memory.alias[key]
        return key

    def refuse(self, statement: Stmt, reason: str) -> NoReturn:
        raise error_at(statement, self.core.source, reason, WAY_OUT)

    def run(self, body: list[Stmt]) -> None:
        for statement in body:
            self.step(statement)

    def step(self, statement: Stmt) -> None:
        self.check_lists(statement)
        for store in self.memory.stores:
            if store.place.statement is statement:
                self.check_store(statement, store.key)
        if isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Name):
            self.bind(statement.targets[0].id, statement)
        elif isinstance(statement, gast.If):
            before = self.copy()
            self.run(statement.body)
            taken, self.pairs = self.pairs, before
            self.run(statement.orelse)
            self.merge(taken)
        elif isinstance(statement, (gast.For, gast.While)):
            for _ in range(8):
                before = self.copy()
                self.run(statement.body)
                self.merge(before)
                if self.pairs == before:
                    break
        elif isinstance(statement, gast.With):
            self.run(statement.body)

    def copy(self) -> dict[str, set[str]]:
        return {k: set(v) for k, v in self.pairs.items()}

    def merge(self, other: dict[str, set[str]]) -> None:
        for key, names in other.items():
            self.pairs.setdefault(key, set()).update(names)

    def bind(self, name: str, statement: Stmt) -> None:
        followed = self.memory.has_memory(name) and (name not in self.memory.alias or getattr(statement, "copy", False))
        if not followed and not isinstance(statement.value, gast.Name):
            return
        for other in self.pairs.pop(name, set()):
            self.pairs.get(other, set()).discard(name)
        source = copied(statement.value)
        if source is None or not self.memory.has_memory(name):
            return
        source = self.base(source)
        if source == name:
            return
        partners = {source, *self.pairs.get(source, set())} - {name}
        self.pairs[name] = set(partners)
        for partner in partners:
            self.pairs.setdefault(partner, set()).add(name)

    def check_store(self, statement: Stmt, key: str) -> None:
        base = self.base(key)
        live = self.after.get(id(statement), set())
        for other in sorted(self.pairs.get(base, ())):
            if other in live or any(v in live for v in self.views.get(other, ())):
                mine, theirs = self.shown(key), self.shown(other)
                self.refuse(
                    statement, f"{mine} may be the same array as {theirs} here, and {theirs} is used afterwards"
                )

    def shown(self, key: str) -> str:
        return self.memory.facts.user_name.get(key, key)

    def check_lists(self, statement: Stmt) -> None:
        value = getattr(statement, "value", None)
        called = value.func if isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) else None
        grows = called is not None and called.attr in ("append", "insert", "extend") and self.is_list(called.value)
        if isinstance(statement, gast.Expr) and grows:
            for argument in statement.value.args:
                self.check_held(statement, argument)
        if isinstance(statement, gast.Assign):
            target = statement.targets[0]
            if isinstance(target, gast.Subscript) and self.is_list(target.value):
                self.check_held(statement, value)
            if isinstance(value, gast.List) and isinstance(target, gast.Name) and self.is_list(target):
                self.check_held(statement, value)
            taken = (
                value.func.value
                if isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) and value.func.attr == "pop"
                else (value.value if isinstance(value, gast.Subscript) else None)
            )
            if taken is not None and self.is_list(taken):
                names = [
                    n.id
                    for n in (target.elts if isinstance(target, gast.Tuple) else [target])
                    if isinstance(n, gast.Name)
                ]
                for name in names:
                    if isinstance(self.memory.facts.kinds.get(name), (Array, Unknown)) and self.memory.is_overwritten(
                        name
                    ):
                        self.refuse(statement, f"{self.shown(name)} is taken from a list and overwritten")

    def is_list(self, expr: Expr) -> bool:
        if not isinstance(expr, (gast.Name, gast.Subscript, gast.Attribute)):
            return False
        return isinstance(self.memory.facts.kinds.get(atom_key(expr)), ListOf)

    def check_held(self, statement: Stmt, value: Expr) -> None:
        if isinstance(value, (gast.Tuple, gast.List)):
            for part in value.elts:
                self.check_held(statement, part)
            return
        if not isinstance(value, (gast.Name, gast.Subscript, gast.Attribute)):
            return
        key = atom_key(value)
        if not isinstance(self.memory.facts.kinds.get(key), (Array, Unknown)) or not self.memory.is_overwritten(key):
            return
        place = self.memory.places[id(statement)]
        if self.memory.overwritten_after(key, None, place):
            self.refuse(statement, f"{self.shown(key)} is overwritten while a list holds it")
