"""Iterators compute their items when they are run through, and are lowered where they are made: what they read must not
change in between.

    g = (c * e for e in u)          the items are computed here
    c = 2.0                         c is watched
    return sum(g)                   refused: g is run through, and c has changed
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import gast

from s2sad.core import Stmt, walk
from s2sad.kinds.kind import Number, Static
from s2sad.normal.base import Base, atom_key
from s2sad.normal.values import (
    Closure,
    DictObj,
    Instance,
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


@dataclass(eq=False)
class Watch:
    """What an iterator reads, as it was when its items were computed."""

    #: variables by frame and name
    names: dict[tuple[int, str], Value] = field(default_factory=dict)
    #: what containers held, and the keys of dicts
    held: dict[int, list[Value]] = field(default_factory=dict)
    keys: dict[int, list[Any]] = field(default_factory=dict)
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
    reads: dict[tuple[int, str], set[Any]] = field(default_factory=dict)


def loops_around(tree: Any, node: Any) -> set[int]:
    """The loops of a function that a node stands in, by identity."""
    loops = [n for n in walk(tree) if isinstance(n, _LOOPS)]
    inside = {id(loop): [loop.elt] if isinstance(loop, _LOOPS[2:]) else loop.body for loop in loops}
    return {loop for loop, parts in inside.items() if any(n is node for part in parts for n in walk(part))}


_LOOPS = (gast.For, gast.While, gast.ListComp, gast.SetComp, gast.GeneratorExp)


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

    def moved_on(self, before: State, after: State | None = None) -> bool:
        """Has a variable or a container that was there before another value now?"""
        raise NotImplementedError

    def watch_lazy(self, make: Callable[[], Value], *reads: Value) -> tuple[Value, Watch]:
        """The items of an iterator, and what was read to make them: to make them must not change anything.

        g = (u.append(e) for e in v)        refused: Python appends when g is run through, if it is
        """
        before, known, block = self.state.fork(), set(self.facts.kinds), self.block
        stores, lists, written = len(self.stores_made), len(self.lists_changed), len(block)
        value, watch = self.watch(make, *reads)
        changed = known.intersection([*self.stores_made[stores:], *self.lists_changed[lists:]])
        if changed or self.moved_on(before) or any(map(_is_effect, block[written:])):
            self.refuse(
                "an iterator computes its items when it is run through, and that changes or prints something",
                "make it a list: [... for ...] or list(...), or write a loop",
            )
        return value, watch

    def watch(self, make: Callable[[], Value], *reads: Value) -> tuple[Value, Watch]:
        """A value, and what was read to make it; `reads`: values that are read as well."""
        watch = Watch(stores=len(self.stores_made), changes=len(self.lists_changed), node=self.node)
        self.watching.append((watch, set(self.state.frames)))
        try:
            value = make()
        finally:
            self.watching.pop()
        seen: set[int] = set()
        self.watched_frames.update(dict.fromkeys(owner for owner, _ in watch.names))
        for read in (*reads, *watch.names.values()):
            for part in self.within(read, seen):
                if isinstance(part, Ref):
                    obj = self.state.heap[part.id]
                    if isinstance(obj, ListObj) and obj.watch is not None:
                        watch.inner.append(obj.watch)
                    elif not (isinstance(obj, ListObj) and obj.once):
                        watch.held[part.id] = list(contents(obj).values())
                elif isinstance(part, Leaf) and not isinstance(part.kind, (Number, Static)):
                    watch.lists.add(atom_key(part.expr))
                    root = self.memory_root(part.expr)
                    watch.roots.update((self.root_of(root),) if root is not None else ())
                    if atom_key(part.expr) in self.watched:
                        watch.inner.append(self.watched[atom_key(part.expr)])
        return value, watch

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
            reason = f"the iterator {name!r} is used in several places, or in a loop"
            self.refuse(reason, "make it a list with list(...)")

    def check_watch(self, watch: Watch | None) -> None:
        """Refuse to run through an iterator where what it reads has changed since its items were computed."""
        if watch is None:
            return
        for inner in watch.inner:
            self.check_watch(inner)
        changed = ""
        for (owner, name), value in watch.names.items():
            now = self.state.frames.get(owner, {}).get(name)
            if now is not None and now is not value and not self.same(now, value):
                changed = repr(name)
        for ref, items in watch.held.items():
            obj = self.state.heap.get(ref)
            now_held = list(contents(obj).values()) if obj is not None else items
            if len(now_held) != len(items) or not all(map(self.same, now_held, items)):
                changed = changed or "a container that it reads"
        for ref, keys in watch.keys.items():
            if ref in self.state.heap and list(contents(self.state.heap[ref])) != keys:
                changed = changed or "the dict that it looks at"
        memory = watch.roots.intersection(self.stores_made[watch.stores :])
        for root in memory | watch.lists.intersection(self.lists_changed[watch.changes :]):
            changed = changed or repr(self.facts.user_name.get(root, root))
        if changed:
            reason = f"an iterator computes its items when it is run through, and {changed} is changed before that"
            self.refuse(reason, "make it a list: [... for ...] or list(...)", concrete=True)

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
        if isinstance(of, Instance) and not hasattr(of.cls, "__iter__"):
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
                    self.refuse("functions that a generator makes", "call them where they are made, in a loop")
                obj.once, obj.watch = True, watch
        elif isinstance(value, Leaf) and not isinstance(value.kind, Static):
            value = self.held(value, "items")
            assert isinstance(value, Leaf)
            self.watched[atom_key(value.expr)] = watch
        return value


