"""Names of which only the run knows which array they are, where one of these is overwritten.

    y = x if c else z
    y[0] = y[1] * w

The run keeps the decision in a variable beside the name, and the backward sweep reads it: the adjoint memory of y is
that of x or of z. So y has no adjoint of its own: what it gets goes into the memory of the array that it is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import gast
import numpy as np

from s2sad.analysis.aliases import bases_of
from s2sad.analysis.aliasing import Undecided, without_shapes
from s2sad.analysis.effects import Effects, nested
from s2sad.analysis.liveness import live_after
from s2sad.analysis.memory import Choice, Memory, Place, copied, dominates, makes_new, names_read
from s2sad.analysis.view_parts import view_parts
from s2sad.core import (
    Expr,
    Stmt,
    assign,
    atom_key,
    blocks_of,
    clone,
    copy_statement,
    global_name,
    load,
    quote,
    walk_names,
)
from s2sad.kinds.kind import Array, Number
from s2sad.kinds.known import shape_of


def follow_choices(
    body: list[Stmt],
    memory: Memory,
    undecided: list[Undecided],
    parameters: list[str],
    live: set[str],
    look: Callable[[], Memory],
    check: Callable[[Memory], list[Undecided]],
) -> Memory:
    """Let the run keep what it decides: a variable beside each name that may be one array or another.

        if c:                         y_is_x = c
            y = x                     if y_is_x:
        else:                 ->          y = x
            y = z                     else:
        y[0] = t                          y = z
                                      y[0] = t

    Args:
        body: the function in core Python; changed in place.
        memory: its memory facts.
        undecided: what `analysis.aliasing.check_aliases` found.
        parameters: the names of the function's parameters.
        live: the names that are read after the last statement.
        look, check: find the memory facts of the body as it is then, and what `check_aliases` says of these.

    Returns:
        the memory facts, with the arrays that each such name may be.

    Raises:
        DerivationError: what a name may be is not told by copies of names alone, or is made anew while others have it.
    """
    worker = _Choices(body, memory, parameters, undecided)
    settled = worker.settle()
    if not settled and worker.name_what_is_made():
        memory = look()
        worker = _Choices(body, memory, parameters, check(memory))
        settled = worker.settle()
    if not settled:
        renewed = worker.renew_in_place()
        memory = look()
        left = check(memory) if renewed else undecided
        held = renewed & {found.name for found in left}  # (what is made anew overwrites what others have)
        if held and worker.renew_in_turn(held, live):
            memory = look()
            left = check(memory)
        elif held or not renewed:
            raise undecided[0].error
        worker = _Choices(body, memory, parameters, left)
        if left and not worker.settle():
            raise undecided[0].error
    worker.write(body)
    memory = look()
    memory.choices = worker.choices
    return memory


class _Choices:
    def __init__(self, body: list[Stmt], memory: Memory, parameters: list[str], undecided: list[Undecided]) -> None:
        self.body, self.memory, self.facts, self.parameters = body, memory, memory.facts, parameters
        #: the names of which the run decides which array they are
        self.chosen: set[str] = set()
        self.choices: dict[str, Choice] = {}
        #: the arrays that turns of loops store into: where the first one is made, and the store
        self.renewed: dict[str, tuple[Stmt, Stmt]] = {}
        #: what a name may be a copy of, at once
        self.copies: dict[str, list[tuple[str, Place]]] = {}
        for name, places in memory.definitions.items():
            for place in places:
                source = self.copy_of(place.statement, name)
                if source is not None and memory.has_memory(name) and not self.is_view(name):
                    self.copies.setdefault(name, []).append((source, place))
        self.uses: dict[str, list[Place]] = {}
        for place in memory.places.values():
            for name in names_read(place.statement) | _stored_into(place.statement):
                self.uses.setdefault(name, []).append(place)
        for found in undecided:
            self.add(found)

    def copy_of(self, statement: Any, name: str | None = None) -> str | None:
        """The name, or the part of an argument, that a statement gives another name to."""
        if not _is_binding(statement) or getattr(statement, "apply", None) is not None:
            return None
        if name is not None and statement.targets[0].id != name:
            return None
        key = copied(statement.value)
        return key if key in self.facts.kinds else None

    # --- which names

    def sources(self, name: str) -> set[str]:
        """All that a name may be a copy or a view of, itself included."""
        found, todo = {name}, [name]
        while todo:
            for other in self.sources_at_once(todo.pop()) - found:
                found.add(other)
                todo.append(other)
        return found

    def sources_at_once(self, name: str) -> set[str]:
        found = {source for source, _ in self.copies.get(name, ())}
        return found | ({self.memory.alias[name]} if self.is_view(name) else set())

    def is_view(self, name: str) -> bool:
        places = self.memory.definitions.get(name, ())
        return name in self.memory.alias and len(places) == 1 and not getattr(places[0].statement, "copy", False)

    def add(self, found: Undecided) -> None:
        """The names between two that may be one, from the nearest that both are copies of."""
        ways = self.sources(found.name), self.sources(found.other)
        common = ways[0] & ways[1]
        above = {c: self.sources(c) for c in common}
        nearest = {c for c in common if not any(c in above[d] and d not in above[c] for d in common)}
        for one in nearest:
            between = {name for way in ways for name in way if one in self.sources(name)}
            self.chosen |= {name for name in between - {one} if not self.is_view(name)}
        for name in (found.name, found.other):  # a swap: each is a copy of the other
            if any(name in self.sources(source) for source, _ in self.copies.get(name, ())):
                self.chosen.add(name)

    def settle(self) -> bool:
        """Find out what each name may be. Others that may be one array or another of these are chosen, too."""
        homes = self.consistent(self.chosen)
        if not homes:
            return False
        found = {h for those in homes.values() for h in those}
        for name in [n for n, copies in self.copies.items() if len(copies) > 1]:
            more = self.consistent({*homes, name}) if name not in homes and self.sources(name) & found else {}
            if more and found == {h for those in more.values() for h in those}:
                homes = more
        self.number(homes)
        return True

    def consistent(self, chosen: set[str]) -> dict[str, list[str]]:
        """The arrays that each of these names may be; none where that cannot be told. A name that changes while others
        have what it was is chosen, too."""
        while True:
            self.chosen = chosen
            homes = {name: self.homes(name) for name in sorted(chosen)}
            moving = {h for name, found in homes.items() for h in found if not self.stays(h, name)}
            if not moving:
                break
            if moving & chosen or not all(h in self.copies for h in moving):
                return {}
            chosen = chosen | moving
        told = all(map(self.is_followed, chosen)) and all(
            self.may_be_home(home, name) and self.has_memory_of_its_own(home, homes)
            for name, found in homes.items()
            for home in found
        )
        return homes if told else {}

    def name_what_is_made(self) -> bool:
        """Give what is made for a name that is a copy elsewhere a name of its own. False where there is nothing to do.

        y = np.zeros(n)              t = np.zeros(n)
                             ->      y = t
        """
        found = [
            (name, place.statement)
            for name in sorted(self.chosen | {n for n, copies in self.copies.items() if len(copies) > 1})
            for place in self.memory.definitions.get(name, ())
            if len(self.memory.definitions[name]) > 1 and makes_new(place.statement, self.facts)
        ]
        for name, statement in found:
            made = self.facts.fresh(self.facts.user_name.get(name, name))
            self.facts.kinds[made] = self.facts.kinds[name]
            if name in self.facts.varied:
                self.facts.varied.add(made)
            statement.targets = [gast.Name(made, gast.Store(), None, None)]
            self.insert(copy_statement(name, load(made), getattr(statement, "origin", None)), statement, 1)
        return bool(found)

    def homes(self, name: str) -> list[str]:
        """The arrays that a name may be, in the order of the text."""
        found: list[str] = []
        seen, todo = set(), [name]
        while todo:
            current = todo.pop(0)
            if current in seen:
                continue
            seen.add(current)
            if current in self.chosen:
                todo.extend(source for source, _ in self.copies.get(current, ()))
            else:
                found.append(current)
        return found

    def is_followed(self, name: str) -> bool:
        """Is a name made by copies of names alone, and no parameter?"""
        places = self.memory.definitions.get(name, [])
        copies = self.copies.get(name, [])
        return bool(copies) and len(copies) == len(places) and name not in self.parameters

    def may_be_home(self, home: str, name: str) -> bool:
        """Is there adjoint memory of an array that a name may be, whatever path was taken?"""
        kinds = self.facts.kinds
        own, mine = kinds.get(home), kinds.get(name)
        if not (_is_plain(own) and _is_plain(mine) and own.dtype == mine.dtype):  # type: ignore[union-attr]
            return False
        if home in self.facts.lies or home in self.facts.views:
            return False
        if not self.is_view(home):
            return bool(self.memory.definitions.get(home)) or home in kinds
        (place,) = self.memory.definitions.get(home, [None])
        parts = view_parts(place.statement, self.facts, home) if place is not None else None
        if place is None or not isinstance(place.statement.value, (gast.Subscript, gast.Name)) or parts is None:
            return False
        base = parts[0]
        if not all(self.stands(n.id, name) for n in walk_names(place.statement.value.slice)):
            return False
        if base in self.chosen:
            asked = [base, *self.homes(base)]  # (a choice of its own may have been made on this path alone)
            bound = [all(self.memory.is_bound(one, use) for use in self.uses.get(name, ())) for one in asked]
            return bound[0] or (all(bound[1:]) and not any(map(self.is_view, asked[1:])))
        return self.may_be_home(base, name) if self.is_view(base) else _is_plain(kinds.get(base))

    def stands(self, name: str, user: str) -> bool:
        """Has a name in an index one value wherever another name is used?"""
        places = self.memory.definitions.get(name, [])
        return not places or (len(places) == 1 and all(dominates(places[0], use) for use in self.uses.get(user, ())))

    def stays(self, home: str, name: str) -> bool:
        """Is an array that a name may be made, and the name for it bound, once while the name is used for it?"""
        uses = self.used(name)
        last, first = max(p.order for p in uses), min(p.order for p in uses)
        key = home
        while True:
            for place in self.memory.definitions.get(key, []):
                loops = [loop for loop in place.loops if key == home or not self.is_past(loop, uses)]
                local = all(self.is_local(name, uses, loop) for loop in loops)
                if not local or (first <= place.order <= last and len(self.memory.definitions[key]) > 1):
                    return False
            if not self.is_view(key):
                return True
            key = self.memory.alias[key]

    def used(self, name: str) -> list[Place]:
        """Where a name is read, stored through, or bound to what it may be."""
        return [*self.uses.get(name, ()), *(p for _, p in self.copies.get(name, ()))]

    def is_local(self, name: str, uses: list[Place], loop: Any) -> bool:
        """Does each turn of a loop choose anew, and nobody ask behind the loop?"""
        inside = all(any(loop is one for one in p.loops) for p in uses)
        return inside and not self.memory.is_carried(name, loop)

    def is_past(self, loop: Any, uses: list[Place]) -> bool:
        """Has a loop ended before any of these statements run?"""
        outside = not any(loop is one for p in uses for one in p.loops)
        return outside and self.memory.places[id(loop)].order < min(p.order for p in uses)

    # --- arrays that each turn of a loop makes anew

    def renew_in_place(self) -> set[str]:
        """Let the turns of a loop store what they make into one array, where names may be that of an earlier turn.

            y = x                               y = x
            for i in range(n):                  t = np.zeros_like(x)
                y[i] = c                        for i in range(n):
                t = y * w             ->            y[i] = c
                y = t                               g = y * w
                                                    t[:] = g
                                                    y = t

        Returns:
            the names of these arrays: nobody may read what is overwritten there.
        """
        while True:
            homes = {name: self.homes(name) for name in sorted(self.chosen)}
            moving = {(h, name) for name, found in homes.items() for h in found if not self.stays(h, name)}
            more = {h for h, _ in moving if h in self.copies}
            if more <= self.chosen:
                break
            self.chosen |= more
        if self.facts.identities:  # (somebody asks whether it is the array of an earlier turn)
            return set()
        renewed: dict[str, tuple[Any, Expr]] = {}
        for home in sorted({h for h, _ in moving}):
            names = sorted(n for h, n in moving if h == home)
            loop = self.renewing(home, names)
            like = [n for name in names for n in (*homes[name], name)]
            start = None if loop is None else self.start(home, like, loop)
            if start is None:
                return set()
            renewed[home] = loop, start
        for home, (loop, start) in renewed.items():
            (made,) = self.memory.definitions[home]
            self.store_into(home, made.statement, loop, start)
        return set(renewed)

    def renewing(self, home: str, names: list[str]) -> Any:
        """The first loop in which an array is made, and nowhere else, whose turns do not choose these names anew."""
        places = self.memory.definitions.get(home, [])
        if (
            len(places) != 1
            or not places[0].loops
            or home in self.memory.alias
            or not _is_plain(self.facts.kinds[home])
        ):
            return None
        statement, loops = places[0].statement, places[0].loops
        if not _is_binding(statement) or not makes_new(statement, self.facts):
            return None
        held = any(home in bases and not self.memory.is_array(name) for name, bases in self.reach.items())
        if held or any(self.memory.is_carried(home, loop) for loop in loops):
            return None
        around = (loop for loop in loops if not all(self.is_local(n, self.used(n), loop) for n in names))
        return next(around, loops[0])

    @cached_property
    def reach(self) -> dict[str, frozenset[str]]:
        """The memory that each name reaches, what containers hold included."""
        effects = Effects(self.facts)
        return bases_of([effects.of(s) for top in self.body for s in nested(top)], effects)[0]

    def start(self, home: str, names: list[str], loop: Any) -> Expr | None:
        """What makes an array before a loop that has the kind of the one that is made in it: like one of some names, or
        by what makes it there."""
        here = self.memory.places[id(loop)]

        def is_there(name: str) -> bool:
            return name in self.parameters or any(dominates(p, here) for p in self.memory.definitions.get(name, ()))

        for name in names:
            if is_there(name) and name.isidentifier() and self.facts.kinds.get(name) == self.facts.kinds[home]:
                return quote("np.zeros_like(x)", np=global_name(np, "np", self.facts), x=name)
        (made,) = self.memory.definitions[home]
        value: Expr = made.statement.value
        read = names_read(value) - self.facts.globals.keys()
        once = all(len(self.memory.definitions.get(n, ())) <= 1 and is_there(n) for n in read)
        return clone(value) if once and isinstance(value, gast.Call) else None

    def store_into(self, home: str, statement: Any, loop: Any, like: Expr) -> None:
        """Write the store of what is made into an array that is there before the loop."""
        facts, made = self.facts, self.facts.fresh(home)
        facts.kinds[made] = facts.kinds[home]
        facts.temps.discard(home)
        if home in facts.varied:
            facts.varied.add(made)
        statement.targets = [gast.Name(made, gast.Store(), None, None)]
        whole = gast.Subscript(load(home), gast.Slice(None, None, None), gast.Store())
        store = gast.Assign([whole], load(made), None)
        store.origin = getattr(statement, "origin", None)
        start = assign(home, like)
        self.insert(store, statement, 1)
        self.insert(start, loop, 0)
        self.renewed[home] = start, store

    def renew_in_turn(self, homes: set[str], live: set[str]) -> bool:
        """Let the turns store what they make into one of several arrays, where names may still have that of an earlier
        turn: the first one that nobody has.

            y = z = x                           y = z = x
            for i in range(n):                  t1 = np.zeros_like(x)
                y[i] = c                        t2 = np.zeros_like(x)
                t = y.copy()                    for i in range(n):
                y, z = z, t           ->            y[i] = c
                                                    g = y.copy()
                                                    if z is not t1: t = t1
                                                    else: t = t2
                                                    t[:] = g
                                                    y, z = z, t

        Returns:
            whether it is known who may have them.
        """
        after = live_after(self.body, self.facts, live)
        holders: dict[str, list[str]] = {}
        for home in sorted(homes):
            behind = after.get(id(self.renewed[home][1]), set()) - {home}
            holders[home] = sorted(n for n in behind if home in self.reach.get(n, ()))
            if any(self.is_view(n) or not self.memory.is_array(n) or n in self.parameters for n in holders[home]):
                return False
        for home, names in holders.items():
            self.choose_free(home, names)
        return True

    def choose_free(self, home: str, names: list[str]) -> None:
        """Write the choice of an array that none of some names has, among one more than there are names."""
        start, store = self.renewed[home]
        arrays = [self.facts.fresh(f"{home}_{k + 1}") for k in range(len(names) + 1)]
        for one in arrays:
            self.facts.kinds[one] = self.facts.kinds[home]
            if home in self.facts.varied:
                self.facts.varied.add(one)
            self.insert(assign(one, clone(start.value)), start, 0)
        self.block_of(self.body, start).remove(start)
        chosen = [copy_statement(home, load(arrays[-1]))]
        for one in reversed(arrays[:-1]):
            tests = [gast.Compare(load(n), [gast.IsNot()], [load(one)]) for n in names]
            test = tests[0] if len(tests) == 1 else gast.BoolOp(gast.And(), tests)
            chosen = [gast.If(test, [copy_statement(home, load(one))], chosen)]
        for statement in (n for top in chosen for n in nested(top)):
            statement.origin = getattr(store, "origin", None)
        for statement in chosen:
            self.insert(statement, store, 0)
        self.facts.identities = True

    def insert(self, new: Stmt, beside: Stmt, at: int) -> None:
        """Put a statement in front of another, or behind it."""
        block = self.block_of(self.body, beside)
        block.insert(next(k for k, s in enumerate(block) if s is beside) + at, new)

    def block_of(self, block: list[Stmt], statement: Any) -> list[Stmt]:
        """The block in which a statement stands."""
        if any(s is statement for s in block):
            return block
        return next((found for s in block for b in blocks_of(s) if (found := self.block_of(b, statement))), [])

    def number(self, homes: dict[str, list[str]]) -> None:
        """Find the variables that tell. Names that are copies of each other are told by the same numbers."""
        groups: list[tuple[set[str], list[str]]] = []
        for name, found in homes.items():
            members, order = {name}, list(found)
            for group in [g for g in groups if set(g[1]) & set(found)]:
                groups.remove(group)
                members |= group[0]
                order = [*group[1], *(h for h in order if h not in group[1])]
            groups.append((members, order))
        for members, order in groups:
            for name in sorted(members):
                told_by = self.variable(name, order) if len(homes[name]) > 1 else None
                self.choices[name] = Choice(tuple(h for h in order if h in homes[name]), tuple(order), told_by)

    def has_memory_of_its_own(self, home: str, homes: dict[str, list[str]]) -> bool:
        """Is there an array to take the shape of, wherever the adjoint of one that may be chosen is made?

        That is the array itself, where it is bound on all paths, else a name that it goes by: the only one, or one that
        is as large whatever it is.
        """
        made = self.memory.definitions.get(home, [])
        users = [name for name, found in homes.items() if home in found and self.is_asked(name)]
        if not made or self.is_view(home):
            return True
        asked = (use for name in users for use in self.uses.get(name, ()) if self.has_adjoint_at(use, name))
        if all(self.memory.is_bound(home, use) for use in asked):
            return True
        kinds, one = self.facts.kinds, len(users) == 1
        shape = shape_of(kinds[home])
        alike = shape is not None and all(shape_of(kinds[name]) == shape for name in users)
        return (one or alike) and all(self.memory.is_bound(home, p) for p in self.uses.get(home, ()))

    def has_adjoint_at(self, use: Place, name: str) -> bool:
        """Does a statement read more of a name than its shape, or store through it?"""
        statement: Any = use.statement
        plain = isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Name)
        return not plain or name in names_read(without_shapes(clone(statement.value)))

    def is_asked(self, name: str) -> bool:
        """Is a name read otherwise than to be copied?"""
        return any(self.copy_of(p.statement) != name for p in self.uses.get(name, ()))

    def variable(self, name: str, order: list[str]) -> str:
        """A new variable that tells which of these arrays a name is."""
        mine, first = (self.facts.user_name.get(n, n) for n in (name, order[0]))
        flag = f"{mine}_is_{_word(first) if first != mine else 'first'}"
        told_by = self.facts.fresh(flag if len(order) == 2 else f"which_{mine}", temp=False)
        self.facts.kinds[told_by] = Number(bool if len(order) == 2 else int)
        return told_by

    # --- the decisions, kept

    def write(self, block: list[Stmt]) -> None:
        k = 0
        while k < len(block):
            statement = block[k]
            for inner in blocks_of(statement):
                self.write(inner)
            told = self.told(statement)
            if told is not None:
                block.insert(k + 1, told)
                k += 1
            elif isinstance(statement, gast.If):
                k += self.share_test(block, k)
            k += 1

    def told(self, statement: Any) -> Stmt | None:
        """The statement that keeps which array a name is from here on."""
        name = statement.targets[0].id if _is_binding(statement) else None
        choice = self.choices.get(name) if name is not None else None
        source = self.copy_of(statement)
        if choice is None or choice.told_by is None or source is None:
            return None
        theirs = self.choices.get(source)
        value: Expr
        if theirs is not None and theirs.told_by is not None:
            value = load(theirs.told_by)
        else:
            home = source if theirs is None else theirs.homes[0]
            at = choice.order.index(home)
            value = gast.Constant(at == 0 if len(choice.order) == 2 else at, None)
        make = copy_statement if getattr(statement, "copy", False) else assign
        return make(choice.told_by, value, getattr(statement, "origin", None))

    def share_test(self, block: list[Stmt], k: int) -> int:
        """A flag that says which side of a branch was taken is the condition: the number of statements that this adds.

        if c: y = x; y_is_x = True                         y_is_x = c
        else: y = z; y_is_x = False             ->         if y_is_x: y = x
                                                           else: y = z
        """
        branch, added = block[k], 0
        flags = {choice.told_by for choice in self.choices.values() if len(choice.order) == 2}
        for flag in sorted(f for f in flags if f is not None):
            sides = [[s for s in side if _binds(s, flag)] for side in (branch.body, branch.orelse)]
            if not all(len(side) == 1 and isinstance(side[0].value, gast.Constant) for side in sides):
                continue
            values = [side[0].value.value for side in sides]
            if values[0] == values[1]:
                continue
            branch.body[:] = [s for s in branch.body if s is not sides[0][0]]
            branch.orelse[:] = [s for s in branch.orelse if s is not sides[1][0]]
            test: Expr = branch.test
            if not isinstance(test, (gast.Compare, gast.Name)):
                test = gast.Call(load("bool"), [test], [])
            value = test if values[0] else gast.UnaryOp(gast.Not(), test)
            block.insert(k + added, assign(flag, value, getattr(branch, "origin", None)))
            branch.test = load(flag) if values[0] else gast.UnaryOp(gast.Not(), load(flag))
            added += 1
        return added


def _is_binding(statement: Any) -> bool:
    return isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Name)


def _binds(statement: Any, name: str) -> bool:
    return _is_binding(statement) and statement.targets[0].id == name


def _stored_into(statement: Any) -> set[str]:
    """The name that a statement stores through."""
    target = getattr(statement, "target", None) or next(iter(getattr(statement, "targets", ())), None)
    if isinstance(statement, gast.AugAssign) and isinstance(target, gast.Name):
        return {target.id}
    return {atom_key(target.value)} if isinstance(target, gast.Subscript) else set()


def _is_plain(kind: Any) -> bool:
    """Is it an array of floats, of a known number of axes?"""
    return type(kind) is Array and bool(kind.shape) and kind.dtype.kind in "fc" and not kind.mixed


def _word(key: str) -> str:
    """A key as a part of a name: p[0] -> p_0."""
    return "_".join("".join(c if c.isalnum() or c == "_" else " " for c in key).split())
