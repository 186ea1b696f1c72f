"""Where a function that is integrated over jumps at a place that moves with active values.

    def integrand(x, p):
        return 1.0 if x < p else 0.0

The derivative of the integral over x has a term at x = p, which the integral of the derivative leaves out. Jumps at
places that stay (`x < 0.5`) leave nothing out, and neither does what has the same value on both sides of the place:
`max(x, p)`, `x - p if x > p else 0.0`. What cannot be seen to be of that kind counts as a jump.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import gast

from s2sad.analysis.crossing_values import CoreOf, Values, names_in
from s2sad.analysis.forms import Atom, Form, add
from s2sad.core import Expr, Stmt, clone, names_bound, walk
from s2sad.kinds.kind import Number


def jump(
    core: Any, result: Expr, parameters: dict[str, Atom], core_of: CoreOf | None = None, places: Iterable[str] = ()
) -> str:
    """A condition at which a result may jump, at a place that moves; empty where there is none.

    Args:
        core: the function in core Python.
        result: what it returns.
        parameters: what each parameter varies with.
        core_of: the core of functions that are given to solvers inside.
        places: parameters; where the first one is equal to one of these, a jump is known.

    >>> from types import SimpleNamespace
    >>> from s2sad.core import Facts, load, statements
    >>> facts = Facts({"x": Number(float), "p": Number(float)})
    >>> over, active = Atom(along=True), Atom(moved=True)
    >>> def asked(text):
    ...     core = SimpleNamespace(body=statements(text), facts=facts)
    ...     return jump(core, load("y"), {"x": over, "p": active})
    >>> asked("y = 1.0 if x < p else 0.0")
    'x < p'
    >>> asked("y = x - p if x > p else 0.0"), asked("y = p if x < 0.5 else 0.0")
    ('', '')
    >>> core = SimpleNamespace(body=statements("y = 1.0 if 2.0 * x < 2.0 * p else 0.0"), facts=facts)
    >>> jump(core, load("y"), {"x": over, "p": active}, places=["p"])
    ''
    """
    values = Values(core.facts, core_of, jump)
    for name, traits in parameters.items():
        values.known[name] = values.forms.leaf(name, traits)
    first = next(iter(values.known.values()))
    values.forms.places = [add(first, values.known[name], -1) for name in places]
    _Run(values).block(core.body)
    return values.forms.jump(values.settled([result]))


class _Run:
    """The statements of a function, computed with sums for values."""

    def __init__(self, values: Values) -> None:
        self.values = values
        #: names that may be views of one array
        self.shared: dict[str, set[str]] = {}

    def block(self, body: list[Stmt]) -> None:
        for statement in body:
            self.statement(statement)

    def statement(self, s: Any) -> None:
        if isinstance(s, gast.Assign):
            self.assign(s.targets[0], s.value)
        elif isinstance(s, gast.AugAssign):
            self.assign(s.target, gast.BinOp(_read(s.target), s.op, s.value))
        elif isinstance(s, gast.If):
            self.branch(s)
        elif isinstance(s, gast.For | gast.While):
            self.loop(s)
        elif isinstance(s, gast.Expr):
            self.changed(names_in(s.value), self.values.settled([s.value]))
        else:  # what else there may be: all that is bound in it depends on all that is read in it
            for body in (getattr(s, field, []) for field in ("body", "orelse", "finalbody")):
                self.block(body)
            for handler in getattr(s, "handlers", []):
                self.block(handler.body)
            read = [n for n in walk(s) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load)]
            whole = self.values.settled(read)
            t = self.values.forms.traits([whole])
            if isinstance(s, gast.Try) and t.moves:  # an exception may come at a place that moves
                whole = self.values.forms.unknown(replace(t, lost=t.lost or "try"))
            for name in names_bound([s]):
                self.values.known[name] = self.values.joined([self.values.known.get(name, whole), whole])

    def assign(self, target: Any, value: Expr) -> None:
        if isinstance(target, gast.Name):
            self.values.known[target.id] = self.values.value(value)
            if target.id in self.values.facts.temps:
                self.values.defined[target.id] = value
            if not isinstance(value, gast.BinOp | gast.Compare | gast.UnaryOp | gast.Constant | gast.IfExp):
                group = {target.id}.union(*(self.shared.get(n, {n}) for n in names_in(value) if self.holds(n)))
                for name in group if self.holds(target.id) else ():
                    self.shared[name] = group
        elif isinstance(target, gast.Tuple | gast.List):
            whole = self.values.settled([value])
            for name in names_in(target):
                self.values.known[name] = self.values.joined([whole])
                self.shared[name] = {name}.union(*(self.shared.get(n, {n}) for n in names_in(value)))
        else:
            self.store(target, value)

    def holds(self, name: str) -> bool:
        """May a name stand for memory that is written to?"""
        kind = self.values.facts.kinds.get(name)
        return kind is not None and not isinstance(kind, Number)

    def store(self, target: Any, value: Expr) -> None:
        """`z[mask] = e` chooses; any other store joins what was there."""
        root = target
        while isinstance(root, gast.Subscript | gast.Attribute):
            root = root.value
        if not isinstance(root, gast.Name):
            return
        group = self.shared.get(root.id, {root.id})
        mask = getattr(target, "slice", None)
        if target.value is root and len(group) == 1 and self.values.is_truth(mask) and self.values.rank(value) == 0:
            chosen = self.values.truth(mask), self.values.value(value), self.values.value(root)
            self.values.known[root.id] = self.values.forms.choice(*chosen)
        else:
            index = [] if mask is None else [mask]
            self.changed({root.id}, self.values.settled([value, *index]))

    def changed(self, names: Iterable[str], by: Form) -> None:
        for name in set().union(*(self.shared.get(n, {n}) for n in names)):
            if name in self.values.known and self.holds(name):
                self.values.known[name] = self.values.joined([self.values.known[name], by])

    def branch(self, s: Any) -> None:
        condition = self.values.truth(s.test)
        before, shared = dict(self.values.known), dict(self.shared)
        self.block(s.body)
        then, self.values.known = self.values.known, before
        views, self.shared = self.shared, shared
        self.block(s.orelse)
        for name, group in views.items():  # of both paths
            self.shared[name] = self.shared.get(name, set()) | group
        for name in {*then, *self.values.known}:
            a, b = then.get(name), self.values.known.get(name)
            if a is not None and b is not None:
                self.values.known[name] = self.values.forms.choice(condition, a, b)
            elif a is not None or b is not None:  # the other branch leaves it, or ends
                self.values.known[name] = a if a is not None else b  # type: ignore[assignment]

    def loop(self, s: Any) -> None:
        """Once and again until nothing more is found out about what it changes."""
        bound = sorted({*names_bound([s]), *(n for n in _changed_in(s) if n in self.values.known)})
        begun = {n: self.values.known[n] for n in bound if n in self.values.known}
        seen: dict[str, Atom] = {}
        while True:
            self.begin(bound, begun, seen)
            heads = dict(seen)
            if isinstance(s, gast.For):
                item = self.values.settled([s.iter])
                for name in names_in(s.target):
                    self.values.known[name] = self.values.joined([item])
                control = self.values.forms.traits([item]).lost
            else:
                control = self.values.forms.jump(self.values.truth(s.test))
            self.block(s.body)
            control = control or self.leaves_at(s.body)
            for name in bound:
                if name in self.values.known:
                    kept = [self.values.known[name], *([self.values.forms.unknown(seen[name])] if name in seen else [])]
                    t = self.values.forms.traits([self.values.joined(kept)])
                    seen[name] = replace(t, lost=t.lost or control)
            if all(_same(seen.get(n), heads.get(n)) for n in bound):
                break
        self.begin(bound, begun, seen)
        self.block(s.orelse)

    def begin(self, bound: list[str], begun: dict[str, Form], seen: dict[str, Atom]) -> None:
        """What a loop changes is, as a turn begins, as it was before the loop, or as a turn has left it."""
        for name in bound:
            before = [begun[name]] if name in begun else []
            turned = [self.values.forms.unknown(seen[name])] if name in seen else []
            self.values.known[name] = self.values.joined([*before, *turned])

    def leaves_at(self, body: list[Any]) -> str:
        """The condition at a place that moves at which a loop is left, or a turn of it."""
        for s in body:
            if isinstance(s, gast.If):
                found = ""
                if any(isinstance(n, gast.Break | gast.Continue | gast.Return) for n in walk(s)):
                    found = self.values.forms.jump(self.values.truth(s.test))
                found = found or self.leaves_at(s.body) or self.leaves_at(s.orelse)
                if found:
                    return found
        return ""


def _read(target: Any) -> Any:
    out = clone(target)
    out.ctx = gast.Load()
    return out


def _changed_in(loop: Any) -> set[str]:
    """Names of what is stored into, or handed to calls that may change it."""
    names: set[str] = set()
    for s in walk(loop):
        if isinstance(s, gast.Assign | gast.AugAssign):
            target = s.targets[0] if isinstance(s, gast.Assign) else s.target
            names |= names_in(target)
        elif isinstance(s, gast.Expr):
            names |= names_in(s.value)
    return names


def _same(a: Atom | None, b: Atom | None) -> bool:
    if a is None or b is None:
        return a is b
    return (a.along, a.moved, a.inside, bool(a.lost)) == (b.along, b.moved, b.inside, bool(b.lost))
