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
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import gast

from s2sad.core import Stmt, walk, walk_names
from s2sad.normal.values.abstract import Choice, Closure, Lazy, Method, Partial, Ref, Value


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


def iterators_in(value: Value) -> Iterator[Lazy]:
    """The iterators that one takes its items from, and itself."""
    if isinstance(value, Lazy) and value.function not in (range, slice, *DICT_VIEWS):
        yield value
        for part in (*value.args, *(v for _, v in value.kwargs)):
            yield from iterators_in(part)


def loops_around(tree: Any, node: Any) -> set[int]:
    """The loops of a function that a node stands in, by identity. A node of a loop that was written in another form
    (`s2sad.normal.desugar.in_steps`) is not in the tree: it stands where that loop stands."""
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
FUNCTIONS = (Closure, Partial, Method, Choice)
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


def turned(deque: Ref) -> str:
    return f"turned {deque.id}"


#: what an attribute is that is not there any more
NOTHING = Value()
_LOOKS_INTO = (gast.Call, gast.Subscript, gast.Lambda, gast.ListComp, gast.GeneratorExp, gast.SetComp, gast.DictComp)


def is_effect(statement: Stmt) -> bool:
    """Is there a call in a statement that is made for its effect alone, other than to fill a list?"""
    calls = (n.value for n in walk(statement) if isinstance(n, gast.Expr) and isinstance(n.value, gast.Call))
    return any(getattr(call.func, "attr", "") not in ("append", "extend") for call in calls)


def is_keys(node: Any) -> bool:
    """Is it a call of a method `keys`?"""
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr == "keys"
