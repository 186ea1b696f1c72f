"""Temporaries that stand for the same expression become one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from typing import Any

import gast

from s2sad.analysis.effects import Effects, nested
from s2sad.analysis.scope import Scope, scope_of
from s2sad.core import Facts, Stmt, blocks_of, walk_names
from s2sad.kinds.kind import Array, Number
from s2sad.tidy.algebra import key_of
from s2sad.tidy.coalesce import renamed
from s2sad.tidy.rebuild import with_blocks


def share_temporaries(
    body: list[Stmt],
    facts: Facts,
    live_out: Iterable[str] = (),
    *,
    effects: Effects | None = None,
    same: Iterable[Iterable[str]] = (),
    parameters: Collection[str] | None = None,
) -> list[Stmt]:
    """The statements without temporaries that are computed a second time.

    Args: as for `coalesce`.

    >>> from s2sad.core import statements, text
    >>> body = statements("t = math.sqrt(T)\\na = s * t\\nt_1 = math.sqrt(T)\\nt_2 = s * t_1\\nb = t_2 - a * t_2")
    >>> facts = Facts(kinds={n: Number(float) for n in ("t", "t_1", "t_2", "a", "T", "s")}, temps={"t", "t_1", "t_2"})
    >>> import math
    >>> facts.globals["math"] = math
    >>> print(text(share_temporaries(body, facts)))
    t = math.sqrt(T)
    a = s * t
    b = a - a * a
    """
    live_out = set(live_out)
    known: dict[str, Any] = {"effects": effects, "same": same, "parameters": parameters}
    worker = _Sharing.of(body, facts, live_out, facts.temps - live_out, live_out, known)
    if worker is None:
        return body
    result = worker.block(body, {})
    return renamed(result, worker.names) if worker.names else body


def share_kept(
    body: list[Stmt],
    facts: Facts,
    kept: Collection[str],
    handed_out: Collection[str],
    parameters: Collection[str],
) -> tuple[list[Stmt], dict[str, str]]:
    """Of the temporaries that a backward sweep reads later those that stand for the same value become one.

    Args:
        body: core statements, one operation each.
        facts: what is known of their names.
        kept: the names that the sweep reads.
        handed_out: the names that the caller gets: an array of these is no longer the function's own.
        parameters: the names that come in bound.

    Returns:
        The statements without what is computed a second time, and under which names its values stand.

    >>> from s2sad.core import statements, text
    >>> body = statements("t = math.sqrt(T)\\nt_1 = s * t\\nt_2 = math.sqrt(T)\\nt_3 = s * t_2")
    >>> facts = Facts(kinds={n: Number(float) for n in ("t", "t_1", "t_2", "t_3", "T", "s")})
    >>> facts.temps |= {"t", "t_1", "t_2", "t_3"}
    >>> import math
    >>> facts.globals["math"] = math
    >>> body, names = share_kept(body, facts, {"t_1", "t_3"}, (), ("T", "s"))
    >>> print(text(body), names)
    t = math.sqrt(T)
    t_1 = s * t
    t_2 = math.sqrt(T) {'t_3': 't_1'}
    """
    loops = [s for top in body for s in nested(top) if type(s) in (gast.For, gast.While)]
    in_turns = {n.id for n in walk_names(loops) if not isinstance(n.ctx, gast.Load)}
    goes = facts.temps & set(kept) - set(handed_out) - in_turns
    known = {"parameters": parameters}
    worker = _Sharing.of(body, facts, {*kept, *handed_out}, goes, set(handed_out), known)
    if worker is None:
        return body, {}
    result = worker.block(body, {})
    return (renamed(result, worker.names), worker.names) if worker.names else (body, {})


class _Sharing:
    """Which names of values that are bound once stand for the same value.

    Args:
        scope: of the statements.
        defined: by identity, the statements that bind such names.
        goes: the names that go where another has their value.
        handed_out: bases of what is put somewhere or returned.
    """

    def __init__(self, scope: Scope, defined: set[int], goes: Collection[str], handed_out: set[str]) -> None:
        self.scope, self.defined, self.goes, self.handed_out = scope, defined, goes, handed_out
        #: names that are another's from now on
        self.names: dict[str, str] = {}
        #: temporaries whose value another name has as well: the first of these
        self.first: dict[str, str] = {}

    @classmethod
    def of(
        cls,
        body: list[Stmt],
        facts: Facts,
        live_out: set[str],
        goes: set[str],
        handed_out: set[str],
        known: dict[str, Any],
    ) -> _Sharing | None:
        """The worker for statements; None where no two are alike."""
        statements = [s for top in body for s in nested(top)]
        bound = Counter(n.id for n in walk_names(body) if not isinstance(n.ctx, gast.Load))
        defined = [s for s in statements if _bound_once(s, bound)]
        blank = dict.fromkeys(facts.temps, "")
        forms = Counter(key_of(renamed(s.value, blank)) for s in defined)
        if all(n == 1 for n in forms.values()) or not any(s.targets[0].id in goes for s in defined):
            return None
        scope = scope_of(body, facts, live_out=live_out, **known)
        handed_out = set(handed_out)
        for s in statements:
            e = scope.effects.of(s)
            for name in (*e.stores, *e.deep_stores):
                handed_out |= scope.bases(name)
            if type(s) is gast.Return and s.value is not None:
                handed_out |= {n.id for n in _parts(s.value) if type(n) is gast.Name}
        defined = [s for s in defined if s.targets[0].id not in scope.parameters]
        return cls(scope, {id(s) for s in defined}, goes, handed_out)

    def block(self, body: list[Stmt], known: dict[str, tuple[str, int]]) -> list[Stmt]:
        """The block without what is known already.

        Args:
            known: the names of expressions that have one, and the bits of what these read.
        """
        result = []
        for s in body:
            use, define, store = self.scope.deep(s)
            changed = define | store
            if any(blocks_of(s)):
                if type(s) not in (gast.If, gast.With):  # one block after the other: turns, and handlers after a body
                    known = _without(known, changed)
                result.append(with_blocks(s, partial(self.inner, known)))
                known = _without(known, changed)
                continue
            known = _without(known, changed)
            if id(s) in self.defined and self.may_be_shared(s):
                name = s.targets[0].id
                key = key_of(renamed(s.value, self.first) if self.first else s.value)
                if key in known:
                    if name in self.scope.facts.temps:
                        self.first[name] = known[key][0]
                    if name in self.goes:
                        self.names[name] = known[key][0]
                        continue
                else:
                    known[key] = name, use
            result.append(s)
        return result

    def inner(self, known: dict[str, tuple[str, int]], body: list[Stmt]) -> list[Stmt]:
        return self.block(body, dict(known))

    def may_be_shared(self, s: Any) -> bool:
        """Is it a number, or an array that nobody stores into or keeps, made without an effect, or a view of one?"""
        name = s.targets[0].id
        masks = self.scope.masks(s)
        if masks.keep or masks.store or name in self.scope.captured or self.scope.effects.of(s).own:
            return False
        kind = self.scope.facts.kinds.get(name)
        if not isinstance(kind, Array):
            return isinstance(kind, Number)
        if name in self.handed_out:
            return False
        whole = _viewed(s.value)
        if whole is not None and self.scope.bases(name) == self.scope.bases(whole) != {name}:
            return True
        return self.scope.bases(name) == {name} and self.scope.holders(name) == 1


def _parts(value: Any) -> Iterator[Any]:
    """What a returned value hands out: itself, or the parts of a container."""
    if type(value) in (gast.Tuple, gast.List):
        for part in value.elts:
            yield from _parts(part)
    elif type(value) is gast.Dict:
        for part in value.values:
            yield from _parts(part)
    else:
        yield value


def _viewed(value: Any) -> str | None:
    """The array that an expression is a view of: A[i], A[1:, 0], A.T."""
    if type(value) is gast.Subscript or (type(value) is gast.Attribute and value.attr == "T"):
        return value.value.id if type(value.value) is gast.Name else None
    return None


def _without(known: dict[str, tuple[str, int]], changed: int) -> dict[str, tuple[str, int]]:
    return {k: (name, use) for k, (name, use) in known.items() if not use & changed}


def _bound_once(s: Any, bound: Counter[str]) -> bool:
    """Does a statement alone give a name its value, by an expression?"""
    if type(s) is not gast.Assign or len(s.targets) != 1 or type(s.targets[0]) is not gast.Name:
        return False
    return bound[s.targets[0].id] == 1 and type(s.value) not in (gast.Name, gast.Constant)
