"""The names and the memory of one function as bits of an int, so that sets of them are cheap."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

import gast

from s2sad.analysis.aliases import bases_of
from s2sad.analysis.effects import WORLD, Effect, Effects
from s2sad.core import Facts, Stmt, blocks_of


class Masks(NamedTuple):
    """One statement's effect as bits.

    use:     names read and memory read
    define:  names bound, and memory that is wholly new or wholly overwritten
    store:   memory stored through
    keep:    it has an effect of its own and must stay
    """

    use: int
    define: int
    store: int
    keep: bool


class Scope:
    """The bits of the names and bases of one function.

    Args:
        body: its statements.
        facts: what is known of its names.
        effects: what is known of its statements already.
        live_out: names read after the last statement.
        owned: parameters whose contents do not matter to the caller.
        same: groups of parameters that may share memory.
        parameters: the names that come in bound; found by liveness when not given.
    """

    def __init__(
        self,
        body: list[Stmt],
        facts: Facts,
        effects: Effects | None = None,
        *,
        live_out: Iterable[str] = (),
        owned: Collection[str] = (),
        same: Iterable[Iterable[str]] = (),
        parameters: Collection[str] | None = None,
    ) -> None:
        self.facts = facts
        self.effects = effects or Effects(facts)
        of = self.effects.of
        summaries: list[Effect] = []
        for top in body:
            if type(top) in _SIMPLE:
                summaries.append(of(top))
            else:
                summaries += self.effects.within(top)
        self.bits: dict[str, int] = {}
        self.memory_bits: dict[str, int] = {}
        self._next = 1
        #: by the statements, which are held here: what comes later has no name of theirs
        self._masks: dict[int, tuple[Masks, Stmt]] = {}
        self._deep: dict[int, tuple[tuple[int, int, int], Stmt]] = {}
        self._holders: dict[str, int] = {}
        captured: set[str] = set()
        bound: set[str] = set()
        for e in summaries:
            bound |= e.binds
            if e.captured:
                captured |= e.captured
        self.captured = captured
        if parameters is None:
            parameters = entry_names(body, self.effects)
        self.parameters = set(parameters)
        #: parameters that are bound again: what they held on entry has no name then, but the caller sees it
        self.bound_again = self.parameters & bound
        self.roots, self.direct, self.fresh = bases_of(summaries, self.effects, self.parameters, same)
        for bases in self.roots.values():
            for base in bases:
                self._holders[base] = self._holders.get(base, 0) + 1
        self._memory: dict[str, int] = {}
        self._own_memory: dict[str, int] = {}
        self.world = self.memory(WORLD)
        self.observable = self.world
        for base in self._holders:
            if base not in self.fresh and base not in owned:
                self.observable |= self.memory(base)  # and what was put into it
        self.always = 0
        for name in captured:
            self.always |= self.bit(name) | self.memory(name)
        #: live at the end of the function, and when it is left by an exception
        self.exit = self.observable | self.always
        self.end = self.exit
        for name in live_out:
            self.end |= self.bit(name) | self.memory(name)

    def bit(self, name: str) -> int:
        """The bit that stands for the name's binding."""
        found = self.bits.get(name)
        if found is None:
            found = self.bits[name] = self._next
            self._next <<= 1
        return found

    def memory_bit(self, base: str) -> int:
        """The bit that stands for the contents of a base."""
        found = self.memory_bits.get(base)
        if found is None:
            found = self.memory_bits[base] = self._next
            self._next <<= 1
        return found

    def memory(self, name: str) -> int:
        """The bits of all the memory that a name's value may reach."""
        found = self._memory.get(name)
        if found is None:
            found = 0
            for base in self.bases(name):
                found |= self.memory_bit(base)
            self._memory[name] = found
        return found

    def own_memory(self, name: str) -> int:
        """The bits of the memory that a store `name[i] = ..` may change: not that of a container's parts."""
        found = self._own_memory.get(name)
        if found is None:
            direct = self.direct.get(name)
            if direct is None:
                direct = self.bases(name)
            found = 0
            for base in direct:
                found |= self.memory_bit(base)
            self._own_memory[name] = found
        return found

    def bases(self, name: str) -> frozenset[str]:
        """The bases of a name's memory."""
        found = self.roots.get(name)
        if found is None:
            found = frozenset((name,)) if self.effects.has_memory(name) else frozenset()
        return found

    def holders(self, base: str) -> int:
        """How many names may hold the base's memory."""
        return self._holders.get(base, 0)

    def names_of(self, base: str) -> set[str]:
        """The names that may hold the base's memory, with its own."""
        if self.holders(base) <= 1:
            return {base}
        return {base, *(name for name, bases in self.roots.items() if base in bases)}

    def masks(self, statement: Stmt) -> Masks:
        """The bits of a statement's effect (of its header, for a compound one)."""
        found = self._masks.get(id(statement))
        if found is None:
            found = self._masks[id(statement)] = self._make(statement), statement
        return found[0]

    def deep(self, statement: Stmt) -> tuple[int, int, int]:
        """The bits that a statement and all in it read, bind or overwrite, and store through."""
        found = self._deep.get(id(statement))
        if found is None:
            use, define, store, _ = self.masks(statement)
            for name in self.effects.of(statement).binds:
                define |= self.bit(name)
            for block in blocks_of(statement):
                for inner in block:
                    u, d, st = self.deep(inner)
                    use, define, store = use | u, define | d, store | st
            found = self._deep[id(statement)] = (use, define, store), statement
        return found[0]

    def use(self, effect: Effect) -> int:
        """The bits that an effect reads."""
        bits, memory = self.bits, self._memory
        use = 0
        for name in effect.reads:
            use |= bits.get(name) or self.bit(name)
        for name in effect.contents:
            known = memory.get(name)
            use |= self.memory(name) if known is None else known
        if effect.unknown:
            use |= self.world
        if effect.own:
            use |= self.observable  # it may raise, and then the caller sees what was stored before
        return use

    def store(self, effect: Effect) -> int:
        """The bits that an effect stores through."""
        store = 0
        for name in effect.stores:
            store |= self.own_memory(name)
        for name in effect.deep_stores:
            store |= self.memory(name)
        return store | self.world if effect.unknown else store

    def _make(self, statement: Stmt) -> Masks:
        e = self.effects.of(statement)
        define = 0
        keep = e.own or e.check
        for name in e.binds:
            if name in self.captured:
                keep = True  # an inner function may read it at any time
            elif not self._changes_in_place(statement):
                define |= self.bits.get(name) or self.bit(name)
        for name, shared in e.defines:
            # the only name that ever holds this base gets new memory: what the old memory held is gone
            if not shared and self._holders.get(name) == 1 and name in self.fresh and self.bases(name) == {name}:
                define |= self.memory_bit(name)
        if type(statement) is gast.Assign and type(statement.targets[0]) is gast.Subscript:
            define |= self._overwritten(statement)
        return Masks(self.use(e), define, self.store(e), keep)

    def _changes_in_place(self, statement: Any) -> bool:
        """Is it `A += e` of an array, which stays the one that it was, with its shape and dtype?"""
        if type(statement) is not gast.AugAssign or type(statement.target) is not gast.Name:
            return False
        kind = self.facts.kinds.get(statement.target.id)
        return kind is not None and bool(kind.rank)

    def _overwritten(self, statement: Stmt) -> int:
        """The memory that `A[...] = e` or `A[:] = e` overwrites wholly."""
        target = statement.targets[0]
        index = target.slice
        whole = (type(index) is gast.Constant and index.value is ...) or (
            type(index) is gast.Slice and index.lower is None and index.upper is None and index.step is None
        )
        if not whole or type(target.value) is not gast.Name:
            return 0
        name = target.value.id
        if name in self.bound_again:
            return 0
        if self._holders.get(name) == 1 and self.bases(name) == {name} and self.effects.is_array(name):
            return self.memory_bit(name)
        return 0


def scope_of(body: list[Stmt], facts: Facts, effects: Effects | None = None, **known: Any) -> Scope:
    """The scope of a function: the one that was made for the pass before, where that left the statements as they were.

    It is kept with the effects of the statements, for as long as these are true. Arguments: as for `Scope`.
    """
    known = {"live_out": (), "owned": (), "parameters": None} | known
    given: dict[str, Any] = {name: None if of is None else set(of) for name, of in known.items() if name != "same"}
    given["same"] = [tuple(group) for group in known.get("same", ())]
    if effects is not None and (latest := effects.latest.get(Scope)) is not None:
        scope, its_body, its_given = latest
        alike = its_given == given and len(its_body) == len(body)
        if alike and all(a is b for a, b in zip(its_body, body, strict=True)):
            return scope  # type: ignore[no-any-return]
    scope = Scope(body, facts, effects, **given)
    if effects is not None:
        effects.latest[Scope] = scope, list(body), given
    return scope


def entry_names(body: list[Stmt], effects: Effects) -> set[str]:
    """The names read, on some path, before they are bound, as far as they are variables: the parameters among them.

    >>> from s2sad.core import statements
    >>> sorted(entry_names(statements("x = x + y\\nz = x\\nz += z"), Effects(Facts())))
    ['x']
    """
    names = _Entry(effects)
    names.scan(body, set())
    facts = effects.facts
    return {
        n for n in names.early - facts.globals.keys() if n in names.ever or n in facts.kinds or n in facts.user_name
    }


class _Entry:
    """The names that are read before they are surely bound, and those that are bound at all."""

    def __init__(self, effects: Effects) -> None:
        self.effects = effects
        self.early: set[str] = set()
        self.ever: set[str] = set()

    def scan(self, statements: list[Stmt], bound: set[str]) -> set[str] | None:
        """The names surely bound after a block; None when its end is not reached."""
        for s in statements:
            e = self.effects.of(s)
            cls = type(s)
            if not e.reads.keys() <= bound:
                self.early.update(e.reads.keys() - bound)
            self.ever.update(e.binds)
            if cls is gast.If:
                first = self.scan(s.body, set(bound))
                second = self.scan(s.orelse, set(bound))
                if first is None and second is None:
                    return None
                bound = first & second if first is not None and second is not None else first or second or set()
            elif cls in _JUMPS:
                return None
            elif cls in _SIMPLE:
                bound |= e.binds
            else:
                for block in blocks_of(s):
                    self.scan(block, bound | e.binds)
        return bound


_JUMPS = frozenset((gast.Return, gast.Break, gast.Continue, gast.Raise))
_SIMPLE = frozenset((gast.Assign, gast.AugAssign, gast.Expr, gast.Return, gast.Break, gast.Continue, gast.Pass))
