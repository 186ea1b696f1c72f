"""Temporaries that stand for the same expression become one, and calls whose value has a name are not made again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import gast

from s2sad.analysis.effects import Effects, nested
from s2sad.analysis.scope import Scope, scope_of
from s2sad.core import Facts, Stmt, blocks_of, children, children_of, load, names_bound, walk, walk_names
from s2sad.kinds.kind import Array, Number
from s2sad.tidy.algebra import key_of
from s2sad.tidy.coalesce import renamed
from s2sad.tidy.rebuild import with_blocks, with_fields

#: expressions that read the values of their operands, and hand none of them on
_READERS = (gast.BinOp, gast.UnaryOp, gast.Compare)
#: expressions with names of their own
_OWN_NAMES = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def share_temporaries(
    body: list[Stmt],
    facts: Facts,
    live_out: Iterable[str] = (),
    *,
    effects: Effects | None = None,
    same: Iterable[Iterable[str]] = (),
    parameters: Collection[str] | None = None,
    calls_alone: bool = False,
) -> list[Stmt]:
    """The statements without temporaries that are computed a second time, and without calls in expressions that are.

    Args: as for `coalesce`, and
        calls_alone: only the values of calls, and masks.

    >>> from s2sad.core import statements, text
    >>> body = statements("t = math.sqrt(T)\\na = s * t\\nt_1 = math.sqrt(T)\\nt_2 = s * t_1\\nb = t_2 - a * t_2")
    >>> facts = Facts(kinds={n: Number(float) for n in ("t", "t_1", "t_2", "a", "T", "s")}, temps={"t", "t_1", "t_2"})
    >>> import math
    >>> facts.globals["math"] = math
    >>> print(text(share_temporaries(body, facts)))
    t = math.sqrt(T)
    a = s * t
    b = a - a * a
    >>> print(text(share_temporaries(statements("a = math.cos(T)\\nb = s * math.cos(T) + math.sin(T)"), facts)))
    a = math.cos(T)
    b = s * a + math.sin(T)
    """
    live_out = set(live_out)
    known: dict[str, Any] = {"effects": effects, "same": same, "parameters": parameters}
    worker = _Sharing.of(body, facts, live_out, facts.temps - live_out, live_out, known, calls_alone=calls_alone)
    if worker is None:
        return body
    result = worker.block(body, {})
    return renamed(result, worker.names) if worker.names else result


def share_kept(
    body: list[Stmt],
    facts: Facts,
    kept: Collection[str],
    handed_out: Collection[str],
    parameters: Collection[str],
) -> tuple[list[Stmt], dict[str, str], dict[str, Known]]:
    """Of the temporaries that a backward sweep reads later those that stand for the same value become one.

    Args:
        body: core statements, one operation each.
        facts: what is known of their names.
        kept: the names that the sweep reads.
        handed_out: the names that the caller gets: an array of these is no longer the function's own.
        parameters: the names that come in bound.

    Returns:
        The statements without what is computed a second time; under which names its values stand; and which calls have
        a name behind the statements, by `key_of`.

    >>> from s2sad.core import statements, text
    >>> body = statements("t = math.sqrt(T)\\nt_1 = s * t\\nt_2 = math.sqrt(T)\\nt_3 = s * t_2")
    >>> facts = Facts(kinds={n: Number(float) for n in ("t", "t_1", "t_2", "t_3", "T", "s")})
    >>> facts.temps |= {"t", "t_1", "t_2", "t_3"}
    >>> import math
    >>> facts.globals["math"] = math
    >>> body, names, calls = share_kept(body, facts, {"t_1", "t_3"}, (), ("T", "s"))
    >>> print(text(body), names, [known.name for known in calls.values()])
    t = math.sqrt(T)
    t_1 = s * t
    t_2 = math.sqrt(T) {'t_3': 't_1'} ['t']
    """
    loops = [s for top in body for s in nested(top) if type(s) in (gast.For, gast.While)]
    in_turns = {n.id for n in walk_names(loops) if not isinstance(n.ctx, gast.Load)}
    goes = facts.temps & set(kept) - set(handed_out) - in_turns
    known = {"parameters": parameters}
    worker = _Sharing.of(body, facts, {*kept, *handed_out}, goes, set(handed_out), known, sweep=True)
    if worker is None:
        return body, {}, {}
    result = renamed(worker.block(body, {}), worker.names)
    return result, worker.names, {key: known for key, known in worker.known.items() if known.is_call}


def reading_kept(sweep: list[Stmt], calls: dict[str, Known], facts: Facts, parameters: Collection[str]) -> list[Stmt]:
    """A backward sweep of its own that reads the values of calls that have a name in front of it.

    >>> from s2sad.core import statements, text
    >>> sweep = statements("g_1 = g * math.cos(T)\\nT_1 = 2.0 * g_1")
    >>> calls = {key_of(sweep[0].value.right): Known("c", 0, True, frozenset(("math", "T")))}
    >>> print(text(reading_kept(sweep, calls, Facts(), ("g", "T"))))
    g_1 = g * c
    T_1 = 2.0 * g_1
    """
    if not any(key_of(n) in calls for n in _operands(sweep)):
        return sweep
    scope = scope_of(sweep, facts, parameters=parameters)
    changed = names_bound(sweep)
    for e in (scope.effects.of(s) for top in sweep for s in nested(top)):
        changed.update(*(scope.bases(name) for name in (*e.stores, *e.deep_stores)))
    stands = {key: known for key, known in calls.items() if not changed & {known.name, *known.reads}}
    return [_reading(s, stands) for s in sweep]


@dataclass(frozen=True)
class Known:
    """The name of an expression: which, the bits of what it reads, is it a call, and which names are in it."""

    name: str
    use: int
    is_call: bool
    reads: frozenset[str]


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
        #: what is known behind the statements
        self.known: dict[str, Known] = {}

    @classmethod
    def of(
        cls,
        body: list[Stmt],
        facts: Facts,
        live_out: set[str],
        goes: set[str],
        handed_out: set[str],
        known: dict[str, Any],
        *,
        sweep: bool = False,
        calls_alone: bool = False,
    ) -> _Sharing | None:
        """The worker for statements; None where no two are alike, and no sweep may read what calls have given."""
        statements = [s for top in body for s in nested(top)]
        bound = Counter(n.id for n in walk_names(body) if not isinstance(n.ctx, gast.Load))
        defined = [s for s in statements if _bound_once(s, bound)]
        if calls_alone:
            defined = [s for s in defined if type(s.value) is gast.Call or _is_mask(s, facts)]
        forms = Counter(key_of(s.value, facts.temps) for s in defined)
        alike = any(n > 1 for n in forms.values()) and any(s.targets[0].id in goes for s in defined)
        calls = {key_of(s.value) for s in defined if type(s.value) is gast.Call}
        if not alike and not calls.intersection(map(key_of, _operands(body))) and not (sweep and calls):
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

    def block(self, body: list[Stmt], known: dict[str, Known]) -> list[Stmt]:
        """The block without what is known already.

        Args:
            known: the expressions that have a name.
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
                value = renamed(s.value, self.first) if self.first else s.value
                key = key_of(value)
                if key in known:
                    if name in self.scope.facts.temps:
                        self.first[name] = known[key].name
                    if name in self.goes:
                        self.names[name] = known[key].name
                        continue
                else:
                    reads = frozenset(n.id for n in walk_names(value))
                    known[key] = Known(name, use, type(value) is gast.Call, reads)
            named = any(k.is_call for k in known.values()) and any(key_of(n) in known for n in _operands([s]))
            result.append(_reading(s, known) if named else s)
        self.known = known
        return result

    def inner(self, known: dict[str, Known], body: list[Stmt]) -> list[Stmt]:
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


def _without(known: dict[str, Known], changed: int) -> dict[str, Known]:
    return {key: k for key, k in known.items() if not k.use & changed}


def _operands(body: list[Stmt]) -> Iterator[Any]:
    """The calls that are operands of arithmetic and comparisons, where their value is read and goes nowhere else."""
    for node in (n for s in body for n in walk(s)):
        if type(node) in _READERS:
            yield from (part for part in children(node) if type(part) is gast.Call)


def _reading(node: Any, known: dict[str, Known]) -> Any:
    """The tree with names in the place of such calls."""
    if type(node) in _OWN_NAMES:
        return node
    changes: dict[str, Any] = {}
    for field in children_of(type(node)):
        value = getattr(node, field, None)
        if isinstance(value, list):
            changes[field] = [_reading(part, known) for part in value]
        elif type(value) is gast.Call and type(node) in _READERS and (found := known.get(key_of(value))):
            changes[field] = load(found.name)
        elif isinstance(value, gast.AST):
            changes[field] = _reading(value, known)
    return with_fields(node, **changes) if changes else node


def _is_mask(s: Any, facts: Facts) -> bool:
    """Does a statement compare arrays?"""
    return type(s.value) is gast.Compare and isinstance(facts.kinds.get(s.targets[0].id), Array)


def _bound_once(s: Any, bound: Counter[str]) -> bool:
    """Does a statement alone give a name its value, by an expression?"""
    if type(s) is not gast.Assign or len(s.targets) != 1 or type(s.targets[0]) is not gast.Name:
        return False
    return bound[s.targets[0].id] == 1 and type(s.value) not in (gast.Name, gast.Constant)
