"""Which arrays are overwritten, by whom, and whether what a statement read can still be read at the end.

Names of core Python are read once per run of their block; what changes under them is memory. This module answers, for
arrays and lists that some statement writes through: which names reach that memory, and whether a read at one statement
is overwritten by a store that may run after it.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping, MutableSequence, MutableSet, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import gast

from s2sad.analysis.binding import surely_bound
from s2sad.analysis.calls import Calls
from s2sad.analysis.effects import Effects
from s2sad.analysis.nests import affine, never_after
from s2sad.core import (
    Expr,
    Facts,
    Stmt,
    atom_key,
    children,
    is_constant,
    items_of,
    leaves,
    load,
    target_of,
    text,
    walk_names,
)
from s2sad.kinds.kind import Array, Dict, List, ListOf, Object, Unknown

LIST_MUTATORS = {"append", "pop", "extend", "insert", "clear", "sort", "reverse", "remove", "fill", "put", "update"}
#: what is there at run time only, and holds what is put into it
CONTAINERS = (MutableMapping, MutableSequence, MutableSet)

#: the parts of items that lead to the lists in a list of lists (no indices: the item as a whole)
Path = tuple[tuple[int, ...], ...]


@dataclass
class Place:
    """Where a statement stands: its number in program order and the loops around it, outermost first."""

    order: int
    loops: tuple[Any, ...]
    statement: Stmt
    blocks: tuple[int, ...] = ()


@dataclass
class Store:
    """One write through a name."""

    place: Place
    key: str
    index: Expr | None  # None: all of it, or not known


def _between(made: Place, store: Place, use: Place) -> bool:
    """May a store run after something was made and before it is used?"""
    if made.order < store.order < use.order:
        return True
    common = [a for a, b in zip(use.loops, store.loops, strict=False) if a is b]
    return any(not any(loop is own for own in made.loops) for loop in common)


@dataclass(frozen=True)
class Choice:
    """The arrays that a name may be: `homes`. Which one it is, is told by a variable: a flag where there are two (is it
    the first of `order`?), else a position in `order`; where there is one, there is nothing to tell."""

    homes: tuple[str, ...]
    order: tuple[str, ...]
    told_by: str | None

    def test(self, home: str) -> Expr:
        """Is it this one?

        >>> of_two, of_three = Choice(("x", "y"), ("x", "y"), "z_is_x"), Choice(("x", "y"), ("w", "x", "y"), "k")
        >>> text(of_two.test("x")), text(of_two.test("y")), text(of_three.test("x"))
        ('z_is_x', 'not z_is_x', 'k == 1')
        """
        assert self.told_by is not None
        position = self.order.index(home)
        if len(self.order) > 2:
            return gast.Compare(load(self.told_by), [gast.Eq()], [gast.Constant(position, None)])
        return load(self.told_by) if position == 0 else gast.UnaryOp(gast.Not(), load(self.told_by))


@dataclass
class Memory:
    """The facts about memory of one function in core Python."""

    facts: Facts
    alias: dict[str, str]
    places: dict[int, Place] = field(default_factory=dict)
    stores: list[Store] = field(default_factory=list)
    #: augmented assignments that overwrite what a name held if that was an array, and bind it anew in any case
    rebindings: list[Store] = field(default_factory=list)
    #: names of objects of libraries that methods may change
    object_changes: list[str] = field(default_factory=list)
    parent: dict[str, str] = field(default_factory=dict)
    #: the names that share memory with a name that stands for them all, where there are others
    members: dict[str, list[str]] = field(default_factory=dict)
    definitions: dict[str, list[Place]] = field(default_factory=dict)
    #: where a name is first read in a loop, by its id
    first_reads: dict[tuple[str, int], int] = field(default_factory=dict)
    overwritten: set[str] = field(default_factory=set)
    #: for lists of lists: a name that stands for the lists in them, by the part of the item (empty: all of it)
    inner: dict[str, dict[tuple[int, ...], str]] = field(default_factory=dict)
    #: the names of which the run decides which array they are, where that matters (`s2sad.analysis.choices`)
    choices: dict[str, Choice] = field(default_factory=dict)

    @cached_property
    def calls(self) -> Calls:
        return Calls(self.facts)

    @cached_property
    def effects(self) -> Effects:
        return Effects(self.facts, parts=True)

    # --- classes of names that may share memory (union-find)

    def find(self, key: str) -> str:
        while self.parent.get(key, key) != key:
            key = self.parent[key]
        return key

    def union(self, a: str, b: str) -> None:
        a, b = self.find(a), self.find(b)
        if a == b:
            return
        self.parent[a] = b
        self.members.setdefault(b, [b]).extend(self.members.pop(a, [a]))
        for part, items in self.inner.pop(a, {}).items():
            known = self.inner.setdefault(self.find(b), {}).setdefault(part, items)
            self.union(items, known)

    def items(self, key: str, part: tuple[int, ...] = ()) -> str:
        """A name that stands for the lists in a list of lists, or for those that are one part of its items."""
        root = self.find(key)
        return self.inner.setdefault(root, {}).setdefault(part, f"{root}[{', '.join(map(str, part))}]")

    def classes(self, key: str) -> list[str]:
        """The memory behind a name: its own, and that of the lists in it."""
        found = [self.find(key)]
        for root in found:
            found.extend(c for c in map(self.find, self.inner.get(root, {}).values()) if c not in found)
        return found

    def inner_lists(self, key: str) -> dict[Path, str]:
        """The memory of the lists in a list of lists, by the parts of items that lead to it."""
        found: dict[Path, str] = {}
        todo: list[tuple[Path, str]] = [((), self.find(key))]
        while todo:
            path, root = todo.pop(0)
            for part, items in self.inner.get(root, {}).items():
                inner = self.find(items)
                if inner not in found.values():
                    todo.append(((*path, part), inner))
                found[*path, part] = inner
        return found

    def within(self, key: str, path: Path) -> str:
        """The memory of the lists that a path of parts leads to."""
        for part in path:
            key = self.items(key, part)
        return self.find(key)

    def change_later(self, key: str, path: Path) -> None:
        """Somebody changes a list, or those in it, when the function has returned."""
        last = Place(10**9, (), None)
        self.stores.append(Store(last, self.within(key, path), None))
        self.overwritten.add(self.within(key, path))

    def is_overwritten(self, key: str) -> bool:
        """Is there any store through a name that may share memory with this one?"""
        return any(c in self.overwritten for c in self.classes(key))

    # --- kinds










    def is_array(self, key: str) -> bool:
        return isinstance(self.facts.kinds.get(key), Array)




    def is_list(self, expr: Expr) -> bool:
        named = isinstance(expr, (gast.Name, gast.Subscript, gast.Attribute))
        return named and isinstance(self.facts.kinds.get(atom_key(expr)), ListOf)

    def is_container(self, expr: Expr) -> bool:
        """May it be a container that is not followed?"""
        kind = self.facts.kinds.get(atom_key(expr))
        return isinstance(kind, (ListOf, Unknown, Object, List, Dict)) and atom_key(expr) not in self.facts.varied

    def may_be_held(self, key: str) -> bool:
        """May what is not followed be, or hold, the memory behind a name?"""
        return self.is_container(load(key)) or self.is_array(key)



    def keys(self, expr: Expr) -> Iterator[str]:
        """The arrays and lists whose memory an expression may be."""
        key = copied(expr)
        if key is not None and key in self.facts.kinds:
            yield key
        elif key is None or not key.isidentifier():
            for child in children(expr):
                yield from self.keys(child)

    def has_memory(self, key: str) -> bool:
        kind = self.facts.kinds.get(key, Unknown())
        held = isinstance(kind, Object) and issubclass(kind.cls, CONTAINERS)
        return held or isinstance(kind, (Array, ListOf, Unknown, List, Dict))


    def with_rebindings(self, *, alone: bool = False) -> Memory:
        """The facts if all that augmented assignments bind anew were arrays that they overwrite.

        `alone`: and nothing else was overwritten.
        """
        stores = [*(() if alone else self.stores), *self.rebindings]
        return replace(self, stores=stores, overwritten={self.find(s.key) for s in stores})

    # --- questions

    def allocated_in(self, key: str) -> tuple[Any, ...]:
        """The loops in which the memory behind a name is allocated anew each turn."""
        root = self.find(key)
        names = self.members.get(root, [root])
        common: tuple[Any, ...] | None = None
        for name in names:
            for place in self.definitions.get(name, ()) if name not in self.alias else ():
                loops = place.loops if common is None else common
                common = tuple(a for a, b in zip(loops, place.loops, strict=False) if a is b)
        known = [n for n in names if n in self.facts.kinds]
        if any(n not in self.definitions for n in known):
            return ()
        return tuple(loop for loop in common or () if not any(self.is_carried(n, loop) for n in known))

    def is_carried(self, name: str, loop: Any) -> bool:
        """Is a name read in a loop before it is bound: does it hold what an earlier turn left?"""
        first = min(place.order for place in self.definitions[name])
        return self.first_reads.get((name, id(loop)), first + 1) <= first

    def overwritten_after(self, key: str, index: Expr | None, place: Place, *, own: bool = False) -> bool:
        """May a store that runs after `place` change what `key[index]` (all of key where index is None) holds?

        `own`: the statement's own store counts too (it reads before it writes).
        """
        roots = [c for c in self.classes(key) if c in self.overwritten]
        if not roots:
            return False
        if index is None:
            key, index = self.part_of(key, place)
        fresh = self.allocated_in(key)
        for store in self.stores:
            if self.find(store.key) not in roots:
                continue
            shared = [
                loop
                for loop, other in zip(place.loops, store.place.loops, strict=False)
                if loop is other and not any(loop is f for f in fresh)
            ]
            later = store.place.order > place.order or (own and store.place.order == place.order)
            if not later and not shared:
                continue
            comparable = index is not None and store.index is not None and store.key == key
            comparable = comparable and self.stays_in_place(key, shared)
            if comparable and disjoint(index, store.index, later, shared):
                continue
            if comparable and never_after(index, store.index, place.loops, store.place.loops, shared, later):
                continue
            if self.writes_newer(store, place):
                continue
            return True
        return False

    def stays_in_place(self, key: str, loops: Sequence[Any]) -> bool:
        """Is the same index of a name the same element in all turns of some loops? It is not where the name is bound to
        another part of the array in them: `x = x[1:]`."""
        if any(store.key == key for store in self.rebindings):
            return False
        todo, seen = [(key, False)], {(key, False)}
        while todo:
            name, whole = todo.pop()
            made = self.definitions.get(name, ())
            for place in made:
                whole = whole or len(made) > 1
                stands = not whole and not any(a is b for a in place.loops for b in loops)
                if stands or makes_new(place.statement, self.facts):
                    continue
                value = getattr(place.statement, "value", None)
                if isinstance(value, gast.Subscript) and not whole:  # (rows of an array begin alike, each of them)
                    parts = items_of(value.slice)
                    if any(isinstance(p, gast.Slice) and any(walk_names(p)) for p in parts):
                        return False
                    value = value.value
                if not isinstance(value, gast.Name):
                    return False
                if (value.id, whole) not in seen:
                    seen.add((value.id, whole))
                    todo.append((value.id, whole))
        return True

    def part_of(self, key: str, place: Place) -> tuple[str, Expr | None]:
        """The array and the index that a name stands for at a statement, if it is a view of the same turn: `t = x[:i]`;
        else the name itself, and no index."""
        made = self.definitions.get(key, []) if key in self.alias else []
        if len(made) != 1 or not dominates(made[0], place) or made[0].loops != place.loops:
            return key, None
        value = getattr(made[0].statement, "value", None)
        if not isinstance(value, gast.Subscript) or not isinstance(value.value, gast.Name) or not self.is_array(key):
            return key, None
        bound = {n.id for n in walk_names(value.slice)} - {getattr(loop.target, "id", "") for loop in loops_of(place)}
        return (key, None) if bound else (value.value.id, value.slice)

    def is_bound(self, key: str, place: Place) -> bool:
        """Is a name certain to be bound when a statement runs?"""
        made = self.definitions.get(key, ())
        if not made or any(dominates(one, place) for one in made):
            return True
        around = (p.statement for p in self.places.values() if dominates(p, place) and isinstance(p.statement, gast.If))
        return any(key in surely_bound([statement]) for statement in around)

    def origins(self, key: str) -> set[str]:
        """The names without a definition (parameters) whose memory a name may be, or view."""
        found: set[str] = set()
        seen: set[str] = set()
        todo = [key]
        while todo:
            name = todo.pop()
            if name in seen:
                continue
            seen.add(name)
            places = self.definitions.get(name, [])
            if not places:
                found.add(name)
            for place in places:
                statement = place.statement
                if isinstance(statement, gast.For):
                    return {n for n in self.facts.kinds if self.find(n) == self.find(key) and n not in self.definitions}
                if makes_new(statement, self.facts):
                    continue
                todo.extend(getattr(statement, "may_share", ()))
                whole = copied(statement.value) if isinstance(statement.targets[0], gast.Name) else None
                if whole is not None and (whole.isidentifier() or whole in self.facts.kinds):
                    todo.append(whole)
                elif name in self.alias:
                    todo.append(self.alias[name])
        return found

    def put_back(self, statement: Stmt) -> set[tuple[int, ...]]:
        """Which parts of a tuple that goes into a list are lists that stood there: `a, b = lst[k]; lst[k] = c, b`."""
        target = target_of(statement)
        if not isinstance(target, gast.Subscript) or not isinstance(statement.value, gast.Tuple):
            return set()
        found = set()
        for path, part in leaves(statement.value):
            made = self.definitions.get(atom_key(part), []) if self.is_list(part) else []
            taken = made[0].statement if len(made) == 1 else None
            if not isinstance(taken, gast.Assign) or not isinstance(taken.targets[0], gast.Tuple):
                continue
            stood = {where: name.id for where, name in leaves(taken.targets[0])}
            same = text(taken.value) == text(target) and stood.get(path) == part.id
            if same and self.follows(made[0], self.places[id(statement)], target):
                found.add(path)
        return found

    def follows(self, first: Place, second: Place, target: Expr) -> bool:
        """Do two statements of one block run one after the other, with nothing between that changes what is read?"""
        between = [p for p in self.places.values() if first.order < p.order < second.order]
        bound = {n.id for p in between for n in walk_names(p.statement) if isinstance(n.ctx, gast.Store)}
        stored = {self.find(s.key) for s in self.stores if first.order < s.place.order < second.order}
        names = {n.id for n in walk_names(target)}
        return first.blocks == second.blocks and not names & bound and self.find(atom_key(target.value)) not in stored

    def changed_after(self, key: str, place: Place) -> bool:
        """May a list, itself, be changed by a statement that runs after `place`?"""
        for store in self.stores:
            shared = any(a is b for a, b in zip(place.loops, store.place.loops, strict=False))
            if self.find(store.key) == self.find(key) and (store.place.order > place.order or shared):
                return True
        return False

    def moved_before_use(self, key: str, outer: str, from_start: bool) -> bool:
        """May the item of a list that a name was bound to stand elsewhere where the name is read, or be gone?

        `from_start`: the index counts from the start, so that what is appended does not matter.
        """
        (made,) = self.definitions[key]
        uses = [p for p in self.places.values() if key in names_read(p.statement)]
        for store in self.stores:
            behind = store.place
            if self.find(store.key) != self.find(outer) or (from_start and is_append(behind.statement)):
                continue
            if any(_between(made, behind, use) for use in uses):
                return True
        return False

    def changed_before_read(self, key: str, base: str, index: Expr) -> bool:
        """Does it matter whether a name that was bound to `base[index]` is a view of it or a number?

        So it does where memory of the base is written between the binding and a use of the name, or of one made of it.
        """
        (made,) = self.definitions[key]
        names = {key}
        count = 0
        while count != len(names):
            count = len(names)
            for name, places in self.definitions.items():
                if name in self.alias and any(names & names_read(p.statement) for p in places):
                    names.add(name)
        if not self.overwritten_after(base, index, made):
            return False
        uses = [p for p in self.places.values() if names & names_read(p.statement)]
        for store in self.stores:
            behind = store.place
            if self.find(store.key) != self.find(base):
                continue
            if store.key in names:
                return True
            if any(_between(made, behind, use) for use in uses):
                return True
        return False

    def writes_newer(self, store: Store, place: Place) -> bool:
        """Does a store, whenever it runs after `place`, write memory that was made after `place` ran?

        So it is where every way from there to the store makes the array anew: `tape.append(u); u = v` at the end of a
        turn that begins with `v = u.copy()` and stores into v.
        """
        key, behind = store.key, store.place
        while True:
            made = self.definitions.get(key, [])
            if len(made) != 1 or not dominates(made[0], behind):
                return False
            if key not in self.alias:
                break
            key, behind = self.alias[key], made[0]
        held = key != store.key and not self.is_array(key)  # a new list may hold arrays that are not
        if held or not makes_new(made[0].statement, self.facts):
            return False
        common = [a for a, b in zip(place.loops, store.place.loops, strict=False) if a is b]
        again = all(any(loop is own for own in made[0].loops) for loop in common)
        return again and not made[0].order <= place.order <= store.place.order


def dominates(first: Place, second: Place) -> bool:
    """Has the one statement always run, in the same turn of its loops, when the other runs?"""
    return first.order < second.order and second.blocks[: len(first.blocks)] == first.blocks


def loops_of(place: Place) -> Iterator[Any]:
    """The `for` loops around a statement."""
    return (loop for loop in place.loops if isinstance(loop, gast.For))


def makes_new(statement: Stmt, facts: Facts) -> bool:
    """Does an assignment bind a name to an array that nothing else holds?"""
    value = getattr(statement, "value", None)
    if getattr(statement, "copy", False) or not isinstance(statement, gast.Assign):
        return False
    if isinstance(value, (gast.BinOp, gast.UnaryOp, gast.List, gast.ListComp)):
        return True
    if isinstance(value, gast.Call) and isinstance(value.func, gast.Name) and value.func.id in ("list", "sorted"):
        return value.func.id not in facts.globals
    if not isinstance(value, gast.Call) or any(k.arg in ("out", None) for k in value.keywords):
        return False
    known, _ = Calls(facts).of(value)
    return known.effect == "none" and known.shares == "nothing" and not known.writes


def own_parts(statement: Stmt) -> tuple[Any, ...]:
    """The expressions of a compound statement that are not in its blocks; a simple statement itself."""
    if isinstance(statement, (gast.If, gast.While)):
        return (statement.test,)
    if isinstance(statement, gast.For):
        return (statement.iter,)
    if isinstance(statement, gast.With):
        return tuple(i.context_expr for i in statement.items)
    return (statement,)


def names_read(statement: Stmt) -> set[str]:
    """The names that a statement itself reads, not those in its blocks."""
    return {n.id for part in own_parts(statement) for n in walk_names(part) if isinstance(n.ctx, gast.Load)}




def is_append(statement: Stmt) -> bool:
    value = statement.value if isinstance(statement, gast.Expr) else None
    func = value.func if isinstance(value, gast.Call) else None
    return isinstance(func, gast.Attribute) and func.attr == "append"


def copied(expr: Expr) -> str | None:
    if isinstance(expr, gast.Name):
        return str(expr.id)
    if isinstance(expr, (gast.Subscript, gast.Attribute)):
        return atom_key(expr)
    return None




def disjoint(read: Expr, store: Expr, later: bool, loops: list[Any]) -> bool:
    """Can a store, running after a read, never touch what was read?

    Dimension by dimension: two integers that differ; an integer and a slice that leaves it out; or an index that runs
    with a loop, `i + c`, of which the store in this and later turns is always ahead.

    >>> from s2sad.core import quote, statements
    >>> (loop,) = statements("for i in range(1, n):\\n  pass")
    >>> disjoint(quote("i - 1"), quote("i"), True, [loop]), disjoint(quote("i"), quote("i"), True, [loop])
    (True, False)
    >>> disjoint(quote("0"), quote("slice"), True, [])
    False
    """
    reads = items_of(read)
    stores = items_of(store)
    if any(_is_special(p) for p in (*reads, *stores)):
        return False
    return any(_apart(r, s, later, loops) for r, s in zip(reads, stores, strict=False))


def _is_special(part: Expr) -> bool:
    return is_constant(part, None, ...)


def _apart(r: Expr, s: Expr, later: bool, loops: list[Any]) -> bool:
    a, b = affine(r), affine(s)
    if a is None or b is None:
        return _slice_apart(r, s) and not _varies(r, s, loops)
    (name_a, c_a), (name_b, c_b) = a, b
    if name_a is None and name_b is None:
        return (c_a >= 0) == (c_b >= 0) and c_a != c_b
    if name_a != name_b or len(loops) != 1:
        if name_a is None and c_a >= 0 and len(loops) <= 1:
            return False
        return False
    if not loops:
        return False
    loop = loops[0]
    if not isinstance(loop, gast.For) or loop.target.id != name_a:
        return False
    bounds = _range(loop)
    if bounds is None:
        return False
    start, step = bounds
    ahead = c_b - c_a
    if step > 0:
        if start is None or start + min(c_a, c_b) < 0:
            return False
        return ahead > 0 if later else ahead >= 0 if step > 0 and ahead >= 0 else False
    return False


def _varies(r: Expr, s: Expr, loops: list[Any]) -> bool:
    """Do the two indices depend on anything that changes?"""
    return any(True for _ in walk_names(r)) or any(True for _ in walk_names(s))


def _slice_apart(r: Expr, s: Expr) -> bool:
    if isinstance(s, gast.Slice) and not isinstance(r, gast.Slice):
        return _slice_apart(s, r)
    if not isinstance(r, gast.Slice) or isinstance(s, gast.Slice):
        return False
    point = affine(s)
    if point is None or point[0] is not None:
        return False
    c = point[1]
    lower = _constant(r.lower, 0)
    upper = _constant(r.upper, None)
    if r.step is not None and _constant(r.step, None) != 1:
        return False
    if c >= 0:
        return lower is not None and lower > c >= 0
    return r.upper is not None and upper is not None and upper < 0 and c >= upper


def _constant(node: Expr | None, default: int | None) -> int | None:
    if node is None:
        return default
    number = affine(node)
    return number[1] if number is not None and number[0] is None else None


def _range(loop: Any) -> tuple[int | None, int] | None:
    """The known start and step of a range loop."""
    call = loop.iter
    if not (isinstance(call, gast.Call) and isinstance(call.func, gast.Name) and call.func.id == "range"):
        return None
    start = 0 if len(call.args) == 1 else _constant(call.args[0], None)
    step = 1 if len(call.args) < 3 else _constant(call.args[2], None)
    return None if step is None else (start, step)
