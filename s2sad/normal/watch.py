"""Iterators compute their items when they are run through, and are lowered where they are made: what they read must not
change in between.

    g = (c * e for e in u)          the items are computed here
    c = 2.0                         c is watched
    return sum(g)                   refused: g is run through, and c has changed

In a loop that runs over one, the items are computed ahead of the first turn, where Python computes each when its turn
comes: what they were computed from must not change in the body, nor may the body see or add to what computing them has
changed (`Ahead`).

    for v in filter(test, u):       test is called for all items here
        u[1] = 2.0                  refused: what the items were computed from changes
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn, TypeVar

import gast

from s2sad.core import Stmt, atom_key, walk, walk_names
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds.kind import ListOf, Number, Static
from s2sad.normal.base import Base
from s2sad.normal.iterators import BackOfDeque, StepsOfDeque
from s2sad.normal.values import (
    Choice,
    Closure,
    DictObj,
    Instance,
    Known,
    Lazy,
    Leaf,
    ListObj,
    Maybe,
    Method,
    Partial,
    Ref,
    State,
    Tup,
    Value,
    contents,
)
from s2sad.runtime.identity import class_entry


@dataclass(eq=False)
class Watch:
    """What an iterator reads, as it was when its items were computed."""

    #: variables by frame and name
    names: dict[tuple[int, str], Value] = field(default_factory=dict)
    #: what containers held, and the keys of dicts
    held: dict[int, list[Value]] = field(default_factory=dict)
    keys: dict[int, list[Any]] = field(default_factory=dict)
    #: of objects of which not all is read: the attributes that are, which `held` has
    only: dict[int, list[str]] = field(default_factory=dict)
    #: whose memory it reads, and how many stores there had been
    roots: set[str] = field(default_factory=set)
    stores: int = 0
    #: which run-time lists it reads, and how many changes of lists there had been
    lists: set[str] = field(default_factory=set)
    changes: int = 0
    #: other iterators that it takes items from
    inner: list[Watch] = field(default_factory=list)
    #: where it was made, and where the variables that hold it are read
    node: Any = None
    site: Any = None
    reads: dict[tuple[int, str], set[Any]] = field(default_factory=dict)
    #: the statements that compute the items, and the tries that they stand in
    written: list[Stmt] = field(default_factory=list)
    tries: list[Any] = field(default_factory=list)
    #: is it a generator in the run, too, which has no length?
    generator: bool = False


@dataclass(eq=False)
class Changes:
    """What lowering a part of the program has changed of what was there before."""

    #: variables by frame and name; containers; memory and run-time lists by name
    names: set[tuple[int, str]]
    refs: set[int]
    keys: set[str]
    #: is something printed or drawn, or called for its effect alone?
    calls: bool

    def __bool__(self) -> bool:
        return bool(self.names or self.refs or self.keys or self.calls)

    def meet(self, other: Changes) -> bool:
        """Does it matter which of the two comes first?"""
        shared = self.names & other.names or self.refs & other.refs or self.keys & other.keys
        return bool(shared) or (self.calls and other.calls)

    def seen_by(self, watch: Watch) -> bool:
        """Is something of it read?"""
        read = (self.names & watch.names.keys(), self.refs & watch.held.keys(), self.keys & (watch.roots | watch.lists))
        return any(read) or any(map(self.seen_by, watch.inner))


@dataclass(eq=False)
class Ahead:
    """Items that were computed before the first turn of a loop, where Python computes each when it is asked for."""

    watch: Watch
    changes: Changes


Made = TypeVar("Made")
Found = TypeVar("Found")


def reads(tree: Any, name: str) -> int:
    """How often an iterator's name may be read: a read in a loop that the name is not made in counts twice."""

    def count(node: Any) -> int:
        if isinstance(node, gast.Name):
            return int(node.id == name and isinstance(node.ctx, gast.Load))
        if isinstance(node, gast.Compare) and all(isinstance(op, (gast.Is, gast.IsNot)) for op in node.ops):
            return 0  # which asks it for nothing
        if isinstance(node, _COMPREHENSIONS):  # what the first loop runs over is asked for once
            if any(n.id == name and isinstance(n.ctx, gast.Store) for n in walk_names(node)):
                return count(node.generators[0].iter)
            return 2 * sum(map(count, gast.iter_child_nodes(node))) - count(node.generators[0].iter)
        total = 0
        for field_name in node._fields:
            part = getattr(node, field_name, None)
            parts = part if isinstance(part, list) else [part]
            found = sum(count(p) for p in parts if isinstance(p, gast.AST))
            repeated = isinstance(node, (gast.For, gast.While, gast.Lambda, gast.FunctionDef)) and field_name != "iter"
            made = any(n.id == name and isinstance(n.ctx, gast.Store) for n in walk_names(node))
            total += found * (2 if repeated and not made else 1)
        return total

    return sum(count(s) for s in tree.body)


def _iterators_in(value: Value) -> Iterator[Lazy]:
    """The iterators that one takes its items from, and itself."""
    if isinstance(value, Lazy) and value.function not in (range, slice, *DICT_VIEWS):
        yield value
        for part in (*value.args, *(v for _, v in value.kwargs)):
            yield from _iterators_in(part)


def loops_around(tree: Any, node: Any) -> set[int]:
    """The loops of a function that a node stands in, by identity. A node of a loop that was written in another form
    (`s2sad.normal.in_steps`) is not in the tree: it stands where that loop stands."""
    loops = [n for n in walk(tree) if isinstance(n, _LOOPS)]
    inside = {id(loop): _in_each_turn(loop) if isinstance(loop, _COMPREHENSIONS) else loop.body for loop in loops}
    within = {loop: [n for part in parts for n in walk(part)] for loop, parts in inside.items()}
    if any(n is node for n in walk(tree)):
        return {loop for loop, nodes in within.items() if any(n is node for n in nodes)}
    place = _place_of(node)
    return {loop for loop, nodes in within.items() if any(_place_of(n) == place for n in nodes)}


def _place_of(node: Any) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _in_each_turn(comprehension: Any) -> list[Any]:
    """What a comprehension computes more than once: all but what its first loop runs over."""
    first, *others = comprehension.generators
    items = [getattr(comprehension, part) for part in ("elt", "key", "value") if hasattr(comprehension, part)]
    return [*items, *first.ifs, *others]


_COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.GeneratorExp, gast.DictComp)
_LOOPS = (gast.For, gast.While, *_COMPREHENSIONS)


#: what sees the values of a dict as they are when it is looked at
DICT_VIEWS = (dict.items, dict.values)
#: iterators that call what they are given for their items
WITH_FUNCTION = (
    *(map, filter, itertools.accumulate, itertools.starmap, itertools.takewhile, itertools.dropwhile),
    itertools.filterfalse,
)
_FUNCTIONS = (Closure, Partial, Method, Choice)
IN_TURNS = (
    "an iterator computes an item when it is asked for it, and that changes or prints something: which items are"
    " computed, and when, is not followed here",
    "write it as a loop, or make it a list: list(...), where all items are to be computed at once",
)


#: those that give items as they are, by a test of each
PICKS = (filter, itertools.takewhile, itertools.dropwhile, itertools.filterfalse)


def attributes_read(function: Closure) -> list[str]:
    """The attributes that a function of one expression reads of its parameter, where it does nothing else with it: no
    call, which may look at more, and no use of the object itself.

    >>> from types import SimpleNamespace
    >>> def read(text):
    ...     tree = gast.parse(f"def test(p): return {text}").body[0]
    ...     return attributes_read(Closure(SimpleNamespace(tree=tree), None))
    >>> read("p.alive and p.v < limit"), read("p.alive and p in others"), read("p.fits()")
    (['alive', 'v'], [], [])
    """
    tree = function.source.tree
    parameters = {n.id for n in walk_names(tree.args)}
    if function.defaults or function.kw_defaults or len(tree.body) != 1 or not isinstance(tree.body[0], gast.Return):
        return []
    nodes = list(walk(tree.body[0]))
    owners = [n.value for n in nodes if isinstance(n, gast.Attribute)]
    bare = {id(n) for n in nodes if isinstance(n, gast.Name) and n.id in parameters} - set(map(id, owners))
    if bare or any(isinstance(n, _LOOKS_INTO) for n in nodes) or not all(isinstance(o, gast.Name) for o in owners):
        return []
    return sorted({n.attr for n in nodes if isinstance(n, gast.Attribute)})


def _turned(deque: Ref) -> str:
    return f"turned {deque.id}"


#: what an attribute is that is not there any more
_NOTHING = Value()
_LOOKS_INTO = (gast.Call, gast.Subscript, gast.Lambda, gast.ListComp, gast.GeneratorExp, gast.SetComp, gast.DictComp)


def _is_effect(statement: Stmt) -> bool:
    """Is there a call in a statement that is made for its effect alone, other than to fill a list?"""
    calls = (n.value for n in walk(statement) if isinstance(n, gast.Expr) and isinstance(n.value, gast.Call))
    return any(getattr(call.func, "attr", "") not in ("append", "extend") for call in calls)


def is_keys(node: Any) -> bool:
    """Is it a call of a method `keys`?"""
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr == "keys"


class Watching(Base):
    """Lowering of iterators that get a name or are handed on."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        #: watches that are being made: variables that are looked up go there, with the frames that there were
        self.watching: list[tuple[Watch, set[int]]] = []
        #: items that were computed ahead of the loop that is about to run over them
        self.ahead: list[Ahead] = []

    def is_seen(self, call: Any, own: Collection[str]) -> bool:
        """Would it be seen that a call inside of an expression is made twice?"""
        raise NotImplementedError

    def watch_lazy(self, make: Callable[[], Value], *reads: Value) -> tuple[Value, Watch]:
        """The items of an iterator, and what was read to make them: to make them must not change anything.

        g = (u.append(e) for e in v)        refused: Python appends when g is run through, if it is
        g = (rng.normal() for e in v)       refused: and draws then
        """
        (value, watch), changes = self.raising_in_turns(lambda: self.noting_draws(lambda: self.watch(make, *reads)))
        if changes:
            self.ask_in_steps(watch.site)
            self.refuse(
                "an iterator computes its items when it is run through, and that changes, draws or prints something",
                ways.LIST,
            )
        return value, watch

    def raising_in_turns(self, make: Callable[[], Made]) -> Made:
        """Compute the items of an iterator: what one of them raises for certain is raised when it is asked for, if it
        is, with all done that is done with those before it.

        any(table[k] > 0.0 for k in "abc")        table["c"] is not looked up where that of "a" is positive
        """
        site = self.site(self.node)
        try:
            return make()
        except DerivationError as error:
            if getattr(error, "exception", None) is not None:
                self.ask_in_steps(site)
                error.exception = None  # type: ignore[attr-defined]
            raise

    def watch(self, make: Callable[[], Made], *reads: Value) -> tuple[Made, Watch]:
        """A value, and what was read to make it; `reads`: values that are read as well."""
        watch = Watch(
            stores=len(self.stores_made), changes=len(self.lists_changed), node=self.node, site=self.site(self.node)
        )
        self.watching.append((watch, set(self.state.frames)))
        block, start = self.block, len(self.block)
        try:
            value = make()
            watch.written, watch.tries = block[start:], list(self.attempts)
        finally:
            self.watching.pop()
        seen: set[int] = set()
        self.watched_frames.update(dict.fromkeys(owner for owner, _ in watch.names))
        for read in (*reads, *watch.names.values()):
            for part in self.within(read, seen):
                self.note_read(watch, part)
        return value, watch

    def note_read(self, watch: Watch, part: Value) -> None:
        """An iterator reads a container or an array: as it is now."""
        if isinstance(part, Ref):
            obj = self.state.heap[part.id]
            if isinstance(obj, ListObj) and obj.watch is not None:
                watch.inner.append(obj.watch)
            elif not (isinstance(obj, ListObj) and obj.once):
                watch.held[part.id] = list(contents(obj).values())
                watch.only.pop(part.id, None)
        elif isinstance(part, Leaf) and not isinstance(part.kind, (Number, Static)):
            watch.lists.add(atom_key(part.expr))
            root = self.memory_root(part.expr)
            watch.roots.update((self.root_of(root),) if root is not None else ())
            if atom_key(part.expr) in self.watched:
                watch.inner.append(self.watched[atom_key(part.expr)])

    # --- what changes

    def noting_changes(self, make: Callable[[], Made]) -> tuple[Made, Changes]:
        """What is made, and what making it has changed."""
        before, known, block = self.state.fork(), set(self.facts.kinds), self.block
        stores, lists, written = len(self.stores_made), len(self.lists_changed), len(block)
        made = make()
        keys = known.intersection([*self.stores_made[stores:], *self.lists_changed[lists:]])
        names, refs = self.moved(before)
        return made, Changes(names, refs, keys, any(map(_is_effect, block[written:])))

    def noting_draws(self, make: Callable[[], Made]) -> tuple[Made, Changes]:
        """What is made, and what making it has changed, with what calls inside of expressions change: generators of
        random numbers, say."""
        block, written = self.block, len(self.block)
        made, changes = self.noting_changes(make)
        return made, replace(changes, calls=changes.calls or any(map(self.draws, block[written:])))

    def draws(self, statement: Stmt) -> bool:
        """Is there a call in a statement, inside of an expression, that changes something?"""
        alone = {id(n.value) for n in walk(statement) if isinstance(n, gast.Expr)}
        calls = (n for n in walk(statement) if isinstance(n, gast.Call) and id(n) not in alone)
        return any(self.is_seen(call, ()) for call in calls)

    def moved(self, before: State) -> tuple[set[tuple[int, str]], set[int]]:
        """The variables and the containers that were there before and have another value now: an iterator that was run
        through is asked for nothing more."""
        after = self.state

        def differ(old: dict[Any, Value], new: dict[Any, Value]) -> set[Any]:
            names = {n for n in new if not str(n).startswith("#")}
            return {n for n in names | old.keys() if n not in old or n not in new or not self.same(old[n], new[n])}

        names = {(k, n) for k, old in before.frames.items() if k in after.frames for n in differ(old, after.frames[k])}
        refs = {k for k in before.heap if k in after.heap and not getattr(after.heap[k], "spent", False)}
        return names, {k for k in refs if differ(contents(before.heap[k]), contents(after.heap[k]))}

    def without_changes(self, make: Callable[[], Made], *iterators: Value) -> Made:
        """What is made where Python makes another part of it, or makes it in another order: it must not matter."""
        made, changes = self.noting_draws(make)
        if changes:
            self.in_turns_of(*map(self.made_at, iterators))
        return made

    def in_turns_of(self, *sites: Any) -> NoReturn:
        """Items are computed in turns with something else, and it matters."""
        for site in sites:
            self.ask_in_steps(site)
        self.refuse(*IN_TURNS)

    # --- items that are computed ahead of a loop

    def ahead_of(self, make: Callable[[], Made], value: Value) -> Made:
        """The items of an iterator, computed here for a loop that may change what they are computed from."""
        mark = len(self.ahead)
        objects, attributes = self.objects_looked_at(value)
        deep, flat = self.sources(value) if not attributes else ([], list(value.args[1:]))  # type: ignore[attr-defined]
        (made, watch), changes = self.noting_draws(lambda: self.watch(make, *deep))
        for part in flat:
            self.note_read(watch, part)
        for ref, obj in objects.items():
            if ref not in watch.held:
                watch.only[ref], watch.held[ref] = attributes, [obj.attributes[k] for k in attributes]
                for read in watch.held[ref]:
                    self.note_read(watch, read)
        if changes:  # what it changes itself is as it is now
            watch.stores, watch.changes = len(self.stores_made), len(self.lists_changed)
            watch.names = {(o, n): self.state.frames.get(o, {}).get(n, v) for (o, n), v in watch.names.items()}
        del self.ahead[mark:]  # (what those in it read is read by this one, too)
        watch.site = getattr(value, "site", None)
        self.ahead.append(Ahead(watch, changes))
        return made

    def objects_looked_at(self, value: Value) -> tuple[dict[int, Instance], list[str]]:
        """The objects that an iterator picks from by some of their attributes, and these; nothing where its function
        may look at more of them.

        filter(lambda p: p.alive, particles)        what else is changed of the particles does not matter
        """
        if not isinstance(value, Lazy) or value.function not in PICKS or len(value.args) != 2:
            return {}, []
        test, source = value.args
        obj = self.state.heap[source.id] if isinstance(source, Ref) else None
        items = obj.items if isinstance(obj, ListObj) else source.items if isinstance(source, Tup) else ()
        names = attributes_read(test) if isinstance(test, Closure) else []
        found: dict[int, Instance] = {}
        for item in items:
            one = self.state.heap[item.id] if isinstance(item, Ref) else None
            if not isinstance(one, Instance) or not all(self.is_plain_attribute(one, name) for name in names):
                return {}, []
            if isinstance(item, Ref):
                found[item.id] = one
        return (found, names) if found and names else ({}, [])

    def is_plain_attribute(self, obj: Instance, name: str) -> bool:
        """Does an object itself hold an attribute, and is that a number or an array?"""
        described = hasattr(getattr(obj.cls, name, None), "__get__")
        return isinstance(obj.attributes.get(name), (Leaf, Known)) and not described

    def sources(self, value: Value, depth: int = 1) -> tuple[list[Value], list[Value]]:
        """What an iterator reads: values that its functions may look into, and containers of which it gives the items
        as they are."""
        if not isinstance(value, Lazy):
            return [], self.held_in(value, depth)
        parts = [*value.args, *(v for _, v in value.kwargs)]
        if value.function in WITH_FUNCTION or any(isinstance(v, _FUNCTIONS) for v in parts):
            return parts, []
        depth += bool(value.function == itertools.chain.from_iterable)
        found = [self.sources(part, depth) for part in parts]
        return [v for deep, _ in found for v in deep], [v for _, flat in found for v in flat]

    def held_in(self, value: Value, depth: int) -> list[Value]:
        """A container, and those in it down to a depth."""
        if isinstance(value, Lazy):
            deep, flat = self.sources(value, depth)
            return [*deep, *flat]
        parts: tuple[Value, ...] = value.items if isinstance(value, Tup) else ()
        if isinstance(value, Ref):
            obj = self.state.heap[value.id]
            if isinstance(obj, Instance):  # its methods look into it
                return list(self.within(value, set()))
            parts = tuple(contents(obj).values())
        inner = [v for part in parts for v in self.held_in(part, depth - 1)] if depth > 1 else []
        return [value, *inner] if isinstance(value, (Ref, Leaf)) else inner

    def run_over(self, sources: Sequence[Value], make: Callable[[], Made]) -> Made:
        """Do for each item of a container what Python does when it has that item: the rest must not change with it."""
        made, changes = self.noting_changes(make)
        for part in (part for source in sources for part in self.held_in(source, 1)):
            if isinstance(part, Ref) and part.id in changes.refs:
                self.refuse(*IN_TURNS)
            if isinstance(part, Leaf) and self.is_changed(part, changes):
                self.refuse(*IN_TURNS)
        return made

    def is_changed(self, part: Leaf, changes: Changes) -> bool:
        """Is a list or an array of the run among what was changed?"""
        root = self.memory_root(part.expr)
        keys = {atom_key(part.expr)} | ({self.root_of(root)} if root is not None else set())
        return not changes.keys.isdisjoint(keys)

    def alongside(self, runs: list[Ahead], make: Callable[[], Made]) -> Made:
        """Do what Python does in turns with the computing of items that were computed ahead: where that has changed
        something, it must not be seen here, and nothing else may be changed with it."""
        runs = [run for run in runs if run.changes]
        if not runs:
            return make()
        (made, watch), changes = self.noting_draws(lambda: self.watch(make))
        if any(run.changes.meet(changes) or run.changes.seen_by(watch) for run in runs):
            self.in_turns_of(*(run.watch.site for run in runs))
        return made

    def one_by_one_of(self, value: Value, make: Callable[[], Made], use: Callable[[Made], Found]) -> Found:
        """Compute the items of an iterator, and then what Python does with each when it has it."""
        mark = len(self.ahead)
        items = self.ahead_of(make, value)
        runs = self.ahead[mark:]
        found = self.alongside(runs, lambda: use(items))
        self.check_ahead(runs)
        del self.ahead[mark:]
        return found

    def check_ahead(self, runs: list[Ahead]) -> None:
        """Refuse a turn that changes what the items of the turns behind it were computed from."""
        for run in runs:
            changed = self.changed_under(run.watch)
            if changed:
                self.ask_in_steps(run.watch.site)
                reason = f"what this loop runs over is computed ahead of its turns, and {changed} is changed in one"
                way_out = "write the loop out, or run over a list: list(...), where its items are to be those of before"
                self.refuse(reason, way_out, concrete=True)

    def within(self, value: Value, seen: set[int]) -> Iterator[Value]:
        """A value and what it holds; containers once each."""
        if isinstance(value, Ref):
            if value.id in seen or value.id not in self.state.heap:
                return
            seen.add(value.id)
            yield value
            parts: tuple[Value, ...] = tuple(contents(self.state.heap[value.id]).values())
        elif isinstance(value, Tup):
            parts = value.items
        elif isinstance(value, (Lazy, Partial)):
            parts = (*value.args, *(v for _, v in value.kwargs))
            parts = (*parts, value.function) if isinstance(value, Partial) else parts
        elif isinstance(value, Closure):
            yield value
            parts = (*value.defaults, *(v for v in value.kw_defaults if v is not None))
        elif isinstance(value, Choice):
            parts = (value.first, value.second)
        elif isinstance(value, Method):
            parts = (value.owner,)
        elif isinstance(value, Maybe):
            parts = (value.value,)
        else:
            yield value
            return
        for part in parts:
            yield from self.within(part, seen)

    def looked_up(self, owner: int, name: str, value: Value) -> None:
        """A variable was read: by iterators that are being made; or it holds one."""
        for watch, frames in self.watching:
            if owner in frames:
                watch.names[owner, name] = value
        held = self.watched.get(atom_key(value.expr)) if isinstance(value, Leaf) and self.watched else None
        if held is None and (owner, name) in self.watched_variables:
            known, other = self.watched_variables[owner, name]
            if known is value:
                self.check_watch(other)
        if held is None or getattr(self.frame.source, "library", False):
            return
        self.check_watch(held)
        places = held.reads.setdefault((owner, name), set())
        places.add((getattr(self.node, "lineno", 0), getattr(self.node, "col_offset", 0)))
        again = loops_around(self.frame.source.tree, self.node) - loops_around(self.frame.source.tree, held.node)
        if len(places) > 1 or again:
            self.ask_in_steps(held.site)
            reason = f"the iterator {name!r} is used in several places, or in a loop"
            self.refuse(reason, ways.LIST)

    def run_through(self, value: Lazy) -> None:
        """An iterator gives its items once: refuse to run through it at a second place, or once a turn of a loop that
        it was not made in.

        h = [map(f, u)]; sum(h[0]) + max(h[0])        max finds nothing
        zip(h[0], h[0])                               gives pairs of neighbours
        """
        frame, node = self.users_place(self.frame, self.node)
        seen: set[object] = set()
        for part in _iterators_in(value):
            self.check_lengths(part)
            again = part.token in seen or self.note_run(part.token)
            seen.add(part.token)
            if not self.looking_again and (again or self.turns_since(part, frame, node)):
                self.ask_in_steps(part.site)
                self.refuse(
                    "an iterator is run through in several places, or in a loop: it gives its items once",
                    ways.LIST,
                )

    def lengths_asked(self, function: Any, args: Iterable[Value]) -> list[tuple[Value, Any]]:
        """What an iterator looks at whose length it asks for when it is made, with that length.

        reversed(u)                     counts from where u ends now, whatever is appended later
        map(f, table.values())          raises a RuntimeError where the dict, or a deque, is of another length later
        """
        views = (v.args[0] if isinstance(v, Lazy) and v.function in DICT_VIEWS else v for v in args)
        found = ((v, self.length_now(v)) for v in views if function is reversed or self.must_keep_its_length(v))
        return [(v, length) for v, length in found if length is not None]

    def must_keep_its_length(self, value: Value) -> bool:
        """Is it a container that must not get another length while somebody iterates over it?"""
        obj = self.state.heap[value.id] if isinstance(value, Ref) else None
        return isinstance(obj, DictObj) or self.is_deque(value) is not False

    def length_now(self, value: Value) -> Any:
        """What differs where a container has got another length, or other keys; None where that is not known."""
        if isinstance(value, Leaf) and isinstance(value.kind, ListOf):
            return self.lists_resized.count(atom_key(value.expr))
        obj = self.state.heap[value.id] if isinstance(value, Ref) else None
        if isinstance(obj, DictObj):
            return list(obj.items)
        if not isinstance(obj, ListObj) or obj.once:
            return None
        return len(obj.items), self.lists_resized.count(_turned(value))  # type: ignore[arg-type]

    def check_turned(self, deque: Value) -> None:
        """A deque is turned: for iterators that is another length."""
        if isinstance(deque, Ref):
            self.lists_resized.append(_turned(deque))
        for obj in self.state.heap.values():
            over_deque = isinstance(obj, Instance) and obj.cls in (StepsOfDeque, BackOfDeque)
            if over_deque and self.same(contents(obj)["items"], deque):
                self.refuse("a deque is turned while an iterator looks at it", ways.LIST)

    def check_lengths(self, iterator: Lazy) -> None:
        """Refuse to run through an iterator where what it asked the length of has another one."""
        for value, length in iterator.lengths or ():
            if self.length_now(value) != length:
                if self.must_keep_its_length(value):
                    self.refuse("a dict or a deque gets another length while an iterator looks at it", ways.LIST)
                self.ask_in_steps(iterator.site)
                self.refuse("a list gets another length after reversed() has looked where it ends", ways.LIST)

    def note_run(self, token: object) -> bool:
        """Note that an iterator is run through here. Was it run through in another place before?"""
        if self.looking_again:
            return False
        frame, node = self.users_place(self.frame, self.node)
        place = (frame.id, getattr(node, "lineno", 0), getattr(node, "col_offset", 0), *self.turns_at(frame, node))
        return self.state.run.setdefault(token, place) != place  # type: ignore[no-any-return]

    def users_place(self, frame: Any, node: Any) -> tuple[Any, Any]:
        """The user's function that is being lowered, and where in it, seen from what is written out for a builtin."""
        while getattr(frame.source, "library", False) and frame.caller is not None:
            frame, node = frame.caller, frame.call_node
        return frame, node

    def turns_at(self, frame: Any, node: Any) -> list[int]:
        """The turns of loops that are written out around a place."""
        found = []
        while self.written_out_turn and frame is not None:
            around = {(frame.id, loop) for loop in loops_around(frame.source.tree, node)}
            found += [turn for loop, turn in self.written_out_turn.items() if loop in around]
            frame, node = frame.caller, frame.call_node
        return found

    def turns_since(self, value: Lazy, frame: Any, node: Any) -> bool:
        """Is there a loop around a place, with turns that are not told apart, that was not around the one where an
        iterator was made?"""
        if value.made is None:
            return False
        maker, made_at, turning = value.made
        if len(self.turning) > turning:
            return True
        made_in = {}
        while maker is not None:
            made_in[maker.id] = made_at
            maker, made_at = maker.caller, maker.call_node
        while frame is not None:
            around = loops_around(frame.source.tree, node)
            around = {loop for loop in around if (frame.id, loop) not in self.written_out_turn}
            if frame.id in made_in:
                return bool(around - loops_around(frame.source.tree, made_in[frame.id]))
            if around:
                return True
            frame, node = frame.caller, frame.call_node
        return False

    def check_watch(self, watch: Watch | None) -> None:
        """Refuse to run through an iterator where what it reads has changed since its items were computed."""
        changed = self.changed_under(watch) if watch is not None else ""
        if changed:
            assert watch is not None
            self.ask_in_steps(watch.site)
            reason = f"an iterator computes its items when it is run through, and {changed} is changed before that"
            self.refuse(reason, ways.LIST, concrete=True)
        for trial in self.attempts if watch is not None else ():
            assert watch is not None
            if all(trial is not t for t in watch.tries) and self.may_stop(watch.written, trial):
                self.refuse(
                    "a try around what runs through an iterator that was made before it: its items may raise there",
                    "make the iterator in the try, or a list before it",
                )

    def changed_under(self, watch: Watch) -> str:
        """What has changed of what an iterator reads, since its items were computed."""
        for inner in watch.inner:
            changed = self.changed_under(inner)
            if changed:
                return changed
        changed = ""
        for (owner, name), value in watch.names.items():
            now = self.state.frames.get(owner, {}).get(name)
            if now is not None and now is not value and not self.same(now, value):
                changed = repr(name)
        for ref, items in watch.held.items():
            obj = self.state.heap.get(ref)
            holds = contents(obj) if obj is not None else None
            now_held = items if holds is None else [holds.get(k, _NOTHING) for k in watch.only.get(ref, holds)]
            if len(now_held) != len(items) or not all(map(self.same, now_held, items)):
                changed = changed or "a container that it reads"
        for ref, keys in watch.keys.items():
            if ref in self.state.heap and list(contents(self.state.heap[ref])) != keys:
                changed = changed or "the dict that it looks at"
        memory = watch.roots.intersection(self.stores_made[watch.stores :])
        for root in memory | watch.lists.intersection(self.lists_changed[watch.changes :]):
            changed = changed or self.as_called(root)
        return changed

    def as_called(self, root: str) -> str:
        """What the function that is being lowered calls an array or a list."""
        name = self.facts.user_name.get(root, root)
        known = any(n.id == name for n in walk_names(self.frame.source.tree))
        return repr(name) if known else "a list or an array that it reads"

    def watches_in(self, value: Value) -> list[Watch]:
        """The watches of what a loop runs over."""
        found = []
        for part in self.within(value, set()):
            if isinstance(part, Leaf) and self.watched and atom_key(part.expr) in self.watched:
                found.append(self.watched[atom_key(part.expr)])
            obj = self.state.heap[part.id] if isinstance(part, Ref) else None
            if isinstance(obj, ListObj) and obj.watch is not None:
                found.append(obj.watch)
        if isinstance(value, Lazy):  # zip, enumerate
            return [*found, *(watch for part in value.args for watch in self.watches_in(part))]
        of = self.state.heap.get(value.id) if isinstance(value, Ref) else None
        if isinstance(of, Instance) and class_entry(of.cls, "__iter__") is None:
            # run over by __getitem__, as often as its length says before the first turn: its lists must stay
            _, watch = self.watch(lambda: value, value)
            watch.held = {r: v for r, v in watch.held.items() if not isinstance(self.state.heap[r], Instance)}
            found.append(watch)
        return found

    def watch_keys(self, owner: int | None, name: str, watch: Watch) -> None:
        """A variable holds the keys of the dicts that were read."""
        dicts = [ref for ref in watch.held if isinstance(self.state.heap[ref], DictObj)]
        watch.keys = {ref: list(contents(self.state.heap[ref])) for ref in dicts}
        watch.held, watch.names, watch.roots, watch.lists = {}, {}, set(), set()
        if owner is not None:
            self.watched_variables[owner, name] = self.state.frames[owner][name], watch

    def as_iterator(self, value: Value, watch: Watch) -> Value:
        """What the items of an iterator were collected in, as something that gives them once."""
        if isinstance(value, Ref):
            obj = self.state.heap[value.id]
            if isinstance(obj, ListObj):
                made = [part for item in obj.items for part in self.within(item, set())]
                if len(obj.items) > 1 and any(isinstance(part, Closure) for part in made):
                    self.refuse("functions that a generator makes", ways.LOOP)
                obj.once, obj.watch = True, watch
        elif isinstance(value, Leaf) and not isinstance(value.kind, Static):
            watch.generator = isinstance(value.expr, gast.GeneratorExp)
            value = self.held(value, "items")
            assert isinstance(value, Leaf)
            self.watched[atom_key(value.expr)] = watch
        return value


