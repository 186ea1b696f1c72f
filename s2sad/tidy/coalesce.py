"""Out of versioned names: versions of one variable that are never alive together become one name again."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

import gast
import numpy as np

from s2sad.analysis.effects import Effects, nested
from s2sad.analysis.liveness import liveness_of
from s2sad.analysis.scope import Scope, scope_of
from s2sad.core import Facts, Stmt, children_of
from s2sad.kinds.kind import Array, Kind, Number
from s2sad.tidy.rebuild import negate, with_fields


def coalesce(
    body: list[Stmt],
    facts: Facts,
    live_out: Iterable[str] = (),
    *,
    effects: Effects | None = None,
    same: Iterable[Iterable[str]] = (),
    parameters: Collection[str] | None = None,
) -> list[Stmt]:
    """The statements with names merged that are versions of one variable, or copies of it, and do not interfere.

    The user's own name wins (facts.user_name), then the name without a number. A parameter and a name in live_out keep
    their names. facts.kinds is brought up to date.

    Args:
        body: the statements of one function.
        facts: what is known of its names; the kinds of merged names are updated.
        live_out: names read after the last statement.
        effects: what is known of the statements already; forgotten when names change.
        same: groups of parameters that may share memory.
        parameters: the names that come in bound.

    Returns:
        New lists; copies of a name to itself are gone.

    >>> from s2sad.core import statements, text
    >>> before = statements("x_1 = 2.0 * x\\nif c:\\n  x_2 = x_1 + 1.0\\nelse:\\n  x_2 = x_1\\nreturn x_2")
    >>> facts = Facts(user_name={"x": "x", "x_1": "x", "x_2": "x"})
    >>> print(text(coalesce(before, facts)))
    x = 2.0 * x
    if c:
        x = x + 1.0
    return x
    """
    live_out = set(live_out)
    scope = scope_of(body, facts, effects, live_out=live_out, same=same, parameters=parameters)
    graph = _Graph(body, scope, live_out)
    new_names = graph.merge()
    if not new_names:
        return body
    return without_self_copies(renamed(body, new_names), scope)


class _Graph:
    """Which names are alive together."""

    def __init__(self, body: list[Stmt], scope: Scope, live_out: set[str]) -> None:
        self.scope = scope
        self.facts = scope.facts
        self.liveness = liveness_of(body, scope)
        self.clash: dict[str, int] = {}
        self.copies: list[tuple[str, str]] = []
        self.order: dict[str, int] = {}
        self.names = 0
        self.ever: set[str] = set()
        effects = scope.effects
        statements = [s for top in body for s in nested(top)]
        for s in statements:
            self.ever.update(effects.of(s).binds)
        # a name of the user's that is only read came in bound
        outside = {
            n for n in self.facts.user_name.keys() & scope.bits.keys() if n not in self.facts.globals
        } - self.ever
        self.ever |= scope.parameters | outside
        for name in sorted(self.ever):
            self.names |= scope.bit(name)
        self.fixed = scope.parameters | live_out | outside
        for name in scope.parameters | outside:
            self.clash[name] = self.liveness.entry & self.names
        for s in statements:
            self.define(s)
        self.keep_loops_apart(statements)

    def define(self, s: Stmt) -> None:
        """A name clashes with what is alive where it is bound, but not with what it is a copy of."""
        e = self.scope.effects.of(s)
        if not e.binds:
            return
        bit = self.scope.bit
        live = self.liveness.after[id(s)]
        live |= self.liveness.inside.get(id(s), 0)
        if e.walrus or type(s) not in (gast.Assign, gast.AugAssign, gast.For):
            live |= self.scope.masks(s).use
        together = live & self.names
        for name in e.binds:
            together |= bit(name) if len(e.binds) > 1 else 0
        source = None
        if type(s) is gast.Assign and type(s.value) is gast.Name and type(s.targets[0]) is gast.Name:
            source = s.value.id
        for name in dict.fromkeys([n for n, _ in e.defines] + sorted(e.binds)):
            if name not in e.binds:
                continue
            self.order.setdefault(name, len(self.order))
            others = together & ~bit(name)
            if source is not None and source != name:
                others &= ~bit(source)
                if source in self.ever and len(s.targets) == 1:
                    self.copies.append((name, source))
            self.clash[name] = self.clash.get(name, 0) | others

    def keep_loops_apart(self, statements: list[Stmt]) -> None:
        """The variable of a loop is none of a loop inside, even where it is read no more by then."""
        loops = [s for s in statements if type(s) is gast.For and type(s.target) is gast.Name]
        for loop in loops:
            for inner in nested(loop)[1:]:
                if type(inner) is gast.For and type(inner.target) is gast.Name and inner.target.id != loop.target.id:
                    self.clash[loop.target.id] = self.clash.get(loop.target.id, 0) | self.scope.bit(inner.target.id)

    def family(self, name: str) -> str | None:
        """The variable that a name is a version of."""
        found = self.facts.user_name.get(name)
        if found is None and name in self.facts.temps:
            return re.sub(r"_\d+$", "", name)
        return found

    def merge(self) -> dict[str, str]:
        """The new names of those that change."""
        scope = self.scope
        free = [n for n in self.order if n not in scope.captured and n in self.ever]
        free += [n for n in sorted(self.fixed & self.ever) if n not in scope.captured and n not in self.order]
        allowed = set(free)
        group = {n: n for n in free}
        members = {n: [n] for n in free}
        bits = {n: scope.bit(n) for n in free}
        clash = {n: self.clash.get(n, 0) for n in free}
        kinds = {n: self.facts.kinds.get(n) for n in free}

        #: of a group: how many of its names have to stay, and the variables of the user's in it
        fixed = {n: int(n in self.fixed) for n in free}
        users = {n: {self.facts.user_name[n]} if n in self.facts.user_name else set() for n in free}

        def find(name: str) -> str:
            first = name
            while group[first] != first:
                first = group[first]
            while group[name] != first:
                group[name], name = first, group[name]
            return first

        def join(a: str, b: str, alike: bool) -> bool:
            """Make two groups one. Is that done?"""
            if a == b or clash[a] & bits[b] or clash[b] & bits[a]:
                return False
            if alike and not _alike(kinds[a], kinds[b]):
                return False
            if fixed[a] + fixed[b] > 1:
                return False
            if len(users[a] | users[b]) > 1:
                return False  # two variables of the user's stay two
            fixed[a] += fixed[b]
            users[a] |= users[b]
            group[b] = a
            members[a] += members.pop(b)
            bits[a] |= bits[b]
            clash[a] |= clash[b]
            kinds[a] = _joined(kinds[a], kinds[b])
            return True

        for target, source in self.copies:
            if target in allowed and source in allowed:
                join(find(target), find(source), False)
        # (a temporary t is no version of the user's t)
        families: dict[tuple[str, bool], list[str]] = {}
        for name in free:
            family = self.family(name)
            if family is not None:
                of_users = self.facts.user_name.get(name) in self.facts.users
                families.setdefault((family, of_users), []).append(name)
        for (family, _), versions in families.items():
            if family in versions:
                versions.sort(key=lambda n: n != family)  # the plain name first, then in textual order
            mine = all(n in self.facts.user_name for n in versions)
            # What could not be joined once never can, for groups only grow: each group is tried with each other once.
            groups = list(dict.fromkeys(map(find, versions)))
            while groups:
                one, *others = groups
                groups = [two for two in others if not join(one, two, not mine)]
        return self.choose(members, kinds)

    def numbered(self, name: str, used: set[str], tried: dict[str, int]) -> str:
        """The next free name of a temporary's family: t, t_1, t_2 ... `tried`: how many of a family are not free."""
        stem = re.sub(r"_\d+$", "", name)
        k = tried.get(stem, 0)
        while (candidate := f"{stem}_{k}" if k else stem) in used:
            k += 1
        tried[stem] = k
        return candidate

    def choose(self, members: dict[str, list[str]], kinds: dict[str, Kind | None]) -> dict[str, str]:
        """One name for each group."""
        facts, scope = self.facts, self.scope
        used = set(scope.bits) - self.ever  # globals and the like
        used |= scope.captured | facts.globals.keys()
        result: dict[str, str] = {}
        fixed: dict[str, str] = {}
        for key, names in members.items():
            for name in names:
                if name in self.fixed:
                    fixed[key] = name
                    used.add(name)
        waiting = []
        for key, names in members.items():
            if key in fixed:
                continue
            wanted = next((facts.user_name[n] for n in names if n in facts.user_name), None)
            plain = [w for w in (wanted, *names, *(self.family(n) for n in names)) if w]
            waiting.append((0 if wanted else 1, self.order.get(names[0], 0), key, plain))
        waiting.sort()
        unfree = used | facts.taken - self.ever - facts.temps
        tried: dict[str, int] = {}
        for rank, _, key, candidates in waiting:
            chosen: str | None
            if rank == 0 or candidates[0] not in facts.temps:
                chosen = next((c for c in candidates if c not in used), None)
            else:
                chosen = self.numbered(key, unfree, tried)
            fixed[key] = chosen or facts.fresh(candidates[-1], temp=False)
            used.add(fixed[key])
            unfree.add(fixed[key])
        for key, names in members.items():
            name = fixed[key]
            changed = [n for n in names if n != name]
            for old in changed:
                result[old] = name
            if changed:
                kind = kinds[key]
                if kind != facts.kinds.get(name):
                    scope.effects.forget()
                if kind is not None:
                    facts.kinds[name] = kind
                else:
                    facts.kinds.pop(name, None)
                if any(n in facts.temps for n in names) and all(n in facts.temps or n == name for n in names):
                    facts.temps.add(name)
                else:
                    facts.temps.discard(name)
                user = next((facts.user_name[n] for n in names if n in facts.user_name), None)
                if user is not None:
                    facts.user_name[name] = user
                facts.taken.add(name)
        return result


def _alike(a: Kind | None, b: Kind | None) -> bool:
    if a is None or b is None:
        return a is b
    if isinstance(a, Number) and isinstance(b, Number):
        return a.type is b.type
    if isinstance(a, Array) and isinstance(b, Array):
        return a.dtype == b.dtype and a.shape == b.shape
    return a == b


def _joined(a: Kind | None, b: Kind | None) -> Kind | None:
    if a is None or b is None:
        return None
    if a == b:
        return a
    if isinstance(a, Number) and isinstance(b, Number):
        if a.type is b.type:
            return Number(a.type)
        both = {a.type, b.type}
        return Number(complex) if any(issubclass(t, (complex, np.complexfloating)) for t in both) else Number(float)
    if isinstance(a, Array) and isinstance(b, Array) and a.dtype == b.dtype:
        return Array(a.dtype, a.shape if a.shape == b.shape else None)
    return None


def renamed(node: Any, names: dict[str, str]) -> Any:
    """The tree with names replaced, bound ones too: the tree itself where nothing changed.

    >>> from s2sad.core import statements, text
    >>> text(renamed(statements("x_1 = x_1 + y"), {"x_1": "x"}))
    'x = x + y'
    """
    cls = type(node)
    if cls is gast.Name:
        new = names.get(node.id)
        return node if new is None else with_fields(node, id=new)
    if cls is list:
        return [renamed(item, names) for item in node]
    changes: dict[str, Any] = {}
    fields = node.__dict__ if (below := children_of(cls)) else {}
    for field in below:
        value = fields.get(field)
        if value is not None and (changed := renamed(value, names)) is not value:
            changes[field] = changed
    return with_fields(node, **changes) if changes else node


def without_self_copies(body: list[Stmt], scope: Scope) -> list[Stmt]:
    """The statements without `x = x`, and without the branches that are empty then: new lists of the same nodes.

    >>> from s2sad.core import statements, text
    >>> body = statements("for i in x:\\n  if i:\\n    a = a\\n  b = i")
    >>> print(text(without_self_copies(body, Scope(body, Facts()))))
    for i in x:
        b = i
    """
    result: list[Stmt] = []
    for s in body:
        cls = type(s)
        if cls is gast.Assign:
            if _is_self_copy(s):
                continue
            result.append(s)
        elif cls is gast.If:
            first, second = without_self_copies(s.body, scope), without_self_copies(s.orelse, scope)
            if first:
                result.append(with_fields(s, body=first, orelse=second))
            elif second:
                result.append(with_fields(s, test=negate(s.test), body=second, orelse=[]))
            elif not scope.effects.of_expression(s.test).pure:
                result.append(with_fields(s, body=[gast.Pass()], orelse=[]))
        elif cls in (gast.FunctionDef, gast.ClassDef):
            result.append(s)
        else:
            changes: dict[str, Any] = {}
            for field in ("body", "orelse", "finalbody"):
                block = getattr(s, field, None)
                if block:
                    changes[field] = without_self_copies(block, scope)
            if "body" in changes and not changes["body"]:
                changes["body"] = [gast.Pass()]
            for field in ("handlers", "cases"):
                parts = getattr(s, field, None)
                if parts:
                    changes[field] = [
                        with_fields(p, body=without_self_copies(p.body, scope) or [gast.Pass()]) for p in parts
                    ]
            result.append(with_fields(s, **changes) if changes else s)
    return result


def _is_self_copy(s: Stmt) -> bool:
    target = s.targets[0]
    if len(s.targets) != 1:
        return False
    if type(target) is gast.Name:
        return type(s.value) is gast.Name and s.value.id == target.id
    if type(target) is gast.Tuple and type(s.value) is gast.Tuple and len(target.elts) == len(s.value.elts):
        pairs = zip(target.elts, s.value.elts, strict=True)
        return all(type(a) is gast.Name and type(b) is gast.Name and a.id == b.id for a, b in pairs)
    return False
