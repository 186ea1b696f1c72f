"""Which names and which memory are read later: structured liveness, backwards over the statements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import gast

from s2sad.analysis.scope import Scope
from s2sad.core import Facts, Stmt

#: finds the checks of a statement
FindChecks = Callable[[Stmt], list[Stmt]]


@dataclass
class _Loop:
    """What is live where `break` and `continue` go, and whether the loop has to be there."""

    exit: int = 0
    head: int = 0
    needed: bool = False


class Liveness:
    """Live bits after each statement of a function.

    In strong mode a statement counts as a reader only if it is itself needed: because of its effect, or because what it
    binds or stores is live. So what only feeds itself (a sum nobody reads, an array filled for nobody) is dead.

    Args:
        body: the statements of one function.
        scope: their bits.
        strong: count only what is needed.
        checks: what has to stay of a statement that is dead, for it may raise.

    Attributes:
        after: id(statement) -> the bits live after it; for a jump, where it leads.
        needed: the ids of the statements that have to stay (strong mode).
        left: id(statement) -> the checks that stay of it.
        inside: id(loop) -> the bits live at the beginning of its body.
        entry: the bits live at the beginning.
    """

    def __init__(
        self, body: list[Stmt], scope: Scope, *, strong: bool = False, checks: FindChecks | None = None
    ) -> None:
        self.scope = scope
        self.strong = strong
        self.checks = checks
        self.left: dict[int, list[Stmt]] = {}
        self.after: dict[int, int] = {}
        self.inside: dict[int, int] = {}
        self.needed: set[int] = set()
        self._checks: dict[int, list[Stmt]] = {}
        self._loops: list[_Loop] = []
        self._heads: dict[int, _Loop] = {}
        self._end = scope.end
        self._return = scope.exit
        self._raise = scope.exit
        self._careful = 0  # inside try: whether a statement raises decides what runs
        self._handlers = 0  # live where an exception may go from here
        self.entry = self.block(body, scope.end)

    def live_after(self, statement: Stmt, name: str) -> bool:
        """Is the name's value read after the statement?"""
        return bool(self.after[id(statement)] & self.scope.bit(name))

    def block(self, statements: list[Stmt], live: int) -> int:
        """Bits live before a block, from those live after it."""
        masks = self.scope.masks
        after = self.after
        handlers = self._handlers
        for s in reversed(statements):
            live |= handlers
            after[id(s)] = live
            cls = type(s)
            if cls is gast.Assign or cls is gast.AugAssign or cls is gast.Expr:
                use, define, store, keep = masks(s)
                if self.checks is not None and self.scope.effects.of(s).check:
                    keep = False  # it may be proved that it does not raise
                if self.strong and not (keep or live & (define | store)) and not (self._careful and _may_raise(s)):
                    live |= self.left_of(s)
                    continue
                self.left.pop(id(s), None)
                self.needed.add(id(s))
                live = (live & ~define) | use
            else:
                live = self.compound(s, live)
        return live | handlers

    def checks_of(self, s: Stmt) -> list[Stmt]:
        """The checks of a statement, found once for all rounds of the loops around it."""
        if self.checks is None:
            return []
        found = self._checks.get(id(s))
        if found is None:
            found = self._checks[id(s)] = self.checks(s)
        return found

    def left_of(self, s: Stmt) -> int:
        """Note the checks that stay of a statement that is dead. The bits that they read."""
        if self.checks is None:
            return 0
        left = self.left[id(s)] = self.checks_of(s)
        use = 0
        for check in left:
            self.needed.add(id(s))
            use |= self.scope.masks(check).use
        return use

    def compound(self, s: Stmt, live: int) -> int:
        cls = type(s)
        if cls is gast.If:
            return self.if_(s, live)
        if cls is gast.For or cls is gast.While:
            return self.loop(s, live)
        use, define, store, keep = self.scope.masks(s)
        if cls is gast.Return:
            self.needed.add(id(s))
            self._need_loops()
            self.after[id(s)] |= self._return
            return use | self._return
        if cls is gast.Break or cls is gast.Continue:
            loop = self._loops[-1]
            if loop.needed:
                self.needed.add(id(s))
            target = loop.exit if cls is gast.Break else loop.head
            self.after[id(s)] = target
            return target
        if cls is gast.Pass:
            return live
        if cls is gast.Raise:
            self.needed.add(id(s))
            self._need_loops()
            return use | self._raise | self._handlers
        if cls is gast.Try or cls is gast.TryStar:
            return self.try_(s, live)
        if cls is gast.With:
            return self.with_(s, live)
        if cls is gast.Match:
            self.needed.add(id(s))
            before = live
            for case in s.cases:
                before |= self.block(case.body, live)
            return before | use
        if self.strong and not keep and not live & (define | store) and not self._careful:
            return live
        self.needed.add(id(s))
        return (live & ~define) | use

    def _any_needed(self, statements: Iterable[Stmt]) -> bool:
        return any(id(s) in self.needed for s in statements)

    def _need_loops(self) -> None:
        for loop in self._loops:
            loop.needed = True

    def if_(self, s: Stmt, live: int) -> int:
        first = self.block(s.body, live)
        second = self.block(s.orelse, live) if s.orelse else live
        use, define, store, keep = self.scope.masks(s)
        if (
            not self.strong
            or keep
            or self._careful
            or live & (define | store)
            or self._any_needed(s.body)
            or self._any_needed(s.orelse)
        ):
            self.needed.add(id(s))
            self.left.pop(id(s), None)
            return ((first | second) & ~define) | use
        return first | second | self.left_of(s)  # a jump inside may lead to where more is live

    def loop(self, s: Stmt, live: int) -> int:
        use, define, store, keep = self.scope.masks(s)
        is_for = type(s) is gast.For
        state = self._heads.get(id(s))
        if state is None:
            state = self._heads[id(s)] = _Loop()
        if not self.strong or keep or self._careful or live & (define | store):
            state.needed = True
        if not is_for and self.checks_of(s):
            state.needed = True  # its test may raise, in a later turn perhaps
        state.exit |= live
        endless = not is_for and type(s.test) is gast.Constant and bool(s.test.value)
        after = self.block(s.orelse, live) if s.orelse else live
        if endless:
            after = 0
        before = 0
        while True:
            test = use if state.needed and not is_for else 0
            head = (before & ~define) | (after if is_for else after & ~define) | test
            head |= state.head  # what an earlier round found stays true
            needed = state.needed
            state.head = head
            self._loops.append(state)
            before = self.block(s.body, head)
            self._loops.pop()
            self.inside[id(s)] = before
            state.needed = state.needed or self._any_needed(s.body) or self._any_needed(s.orelse)
            if state.needed == needed and not (before & ~define) & ~head:
                break
        if not state.needed and is_for:
            return live | head | self.left_of(s)
        if not state.needed:
            return live | head
        self.left.pop(id(s), None)
        self.needed.add(id(s))
        for outer in self._loops:
            outer.needed = True
        return head | use if is_for else head

    def try_(self, s: Stmt, live: int) -> int:
        self.needed.add(id(s))
        saved = self._raise, self._return, self._handlers, self._end
        loops = [(loop.exit, loop.head) for loop in self._loops]
        self._careful += 1
        if s.finalbody:
            # whichever way it is left, the last block runs
            live = self.block(s.finalbody, live)
            through = self.block(s.finalbody, self._return | self._raise | self._handlers)
            for loop in self._loops:
                through |= self.block(s.finalbody, loop.exit | loop.head)
            self._return |= through
            self._raise |= through
            self._handlers |= through
            for loop in self._loops:
                loop.exit |= through
                loop.head |= through
        caught = self._handlers | self._raise
        for handler in s.handlers:
            caught |= self.block(handler.body, live)
        after = self.block(s.orelse, live) if s.orelse else live
        self._handlers |= caught
        before = self.block(s.body, after) | caught
        self._careful -= 1
        self._raise, self._return, self._handlers, self._end = saved
        if s.finalbody:
            for loop, (exit_, head) in zip(self._loops, loops, strict=True):
                loop.exit |= exit_
                loop.head |= head
        return before | self.scope.masks(s).use

    def with_(self, s: Stmt, live: int) -> int:
        self.needed.add(id(s))
        use, define, _, _ = self.scope.masks(s)
        if all(_is_errstate(item.context_expr) for item in s.items):
            return (self.block(s.body, live) & ~define) | use
        saved = self._handlers
        self._careful += 1
        self._handlers |= live | self._raise  # a context manager may swallow an exception
        before = self.block(s.body, live)
        self._careful -= 1
        self._handlers = saved
        return before | use


def liveness_of(body: list[Stmt], scope: Scope) -> Liveness:
    """What is live after each statement of the function whose scope this is."""
    latest = scope.effects.latest.get(Liveness)
    if latest is None or latest.scope is not scope:
        latest = scope.effects.latest[Liveness] = Liveness(body, scope)
    return latest


def _may_raise(s: Stmt) -> bool:
    return not (type(s) is gast.Assign and type(s.targets[0]) is gast.Name and type(s.value) is gast.Constant)


def _is_errstate(node: object) -> bool:
    func = getattr(node, "func", None)
    return getattr(func, "attr", None) == "errstate"


class _Names(Mapping[int, set[str]]):
    """The names whose bits are set, by statement; told when somebody asks, for there are many and few are asked for."""

    def __init__(self, masks: dict[int, int], bits: dict[str, int]) -> None:
        self._masks = masks
        self._name = {bit: name for name, bit in bits.items()}
        self._all = sum(bits.values())

    def __getitem__(self, key: int) -> set[str]:
        mask, names = self._masks[key] & self._all, set()
        while mask:
            bit = mask & -mask
            names.add(self._name[bit])
            mask ^= bit
        return names

    def __iter__(self) -> Iterator[int]:
        return iter(self._masks)

    def __len__(self) -> int:
        return len(self._masks)


def live_after(body: list[Stmt], facts: Facts, live_out: Iterable[str] = ()) -> Mapping[int, set[str]]:
    """The names read after each statement, by the statement's id.

    >>> from s2sad.core import statements
    >>> b = statements("a = x\\nb = a + y\\nreturn b")
    >>> [sorted(names) for names in live_after(b, Facts()).values()]
    [[], ['b'], ['a', 'y']]
    """
    scope = Scope(body, facts, live_out=live_out)
    return _Names(Liveness(body, scope).after, scope.bits)
