"""Abstract values: what a name of the user's program stands for while it is lowered.

Numbers and arrays are leaves, held by a core name. Everything that gives a program its structure (tuples, lists and
dicts of known shape, objects, functions, modules, None, strings) is known at derivation and has no run-time form of its
own unless something asks for one. Mutable containers live on a heap, so that aliases of them need no analysis.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, TypeGuard

from s2sad.core import Expr
from s2sad.kinds.kind import Kind
from s2sad.runtime.conditions import is_inert
from s2sad.runtime.decide import Look, Seen, decide


class NotKnown:
    """The constant of a leaf whose value is not known."""

    def __repr__(self) -> str:
        return "not known"


NOT_KNOWN = NotKnown()


class Value:
    """The base of all abstract values."""

    __slots__ = ()


@dataclass(frozen=True, eq=False)
class Leaf(Value):
    """A run-time value: the expression that reads it, its kind, and whether it depends on the wrt arguments.

    `nested` leaves are pure expressions that have not been given a name yet; they are used once, right away.
    """

    expr: Expr
    kind: Kind
    varied: bool = False
    #: a number that it is known to be, or where one was found that may change (`runtime.conditions.Seen`)
    const: Any = NOT_KNOWN
    nested: bool = False

    @property
    def number(self) -> Any:
        """The number that it is known to be, looked at; else NOT_KNOWN."""
        if isinstance(self.const, Seen):
            return decide(self.const.place, Look.VALUE, self.const.value)
        return self.const


@dataclass(frozen=True, eq=False)
class Known(Value):
    """An object known at derivation: None, a string, a function, a module, a class, a dtype, a table ...

    What it is asked is a condition of the derivation (`runtime.decide`): who takes its `value` has looked at all of it.
    Only what asks nothing but which object it is takes it as `itself`.
    """

    _object: Any
    expr: Expr | None = None

    @property
    def value(self) -> Any:
        """The object, all of it looked at."""
        return decide(self._object, Look.ALL)

    @property
    def itself(self) -> Any:
        """The object, to be told from others: nothing else is looked at."""
        return self._object

    @property
    def cls(self) -> type:
        """Its class."""
        return decide(self._object, Look.CLASS)  # type: ignore[no-any-return]

    @property
    def is_inert(self) -> bool:
        """May it be compared, hashed, ordered and tested without code of the user's? (Else that stays in the run.)"""
        return is_inert(self._object)

    def ask(self, look: Look, *more: Any) -> Any:
        """What `decide` answers of it."""
        return decide(self._object, look, *more)

    def has(self, name: str) -> bool:
        """Has it an attribute?"""
        try:
            self.ask(Look.ATTRIBUTE, name)
        except AttributeError:
            return bool(self.ask(Look.HOLDS, name))
        return True

    def is_a(self, *classes: Any) -> bool:
        """Is it of one of these classes?"""
        decide(self._object, Look.CLASS)
        return isinstance(self._object, classes)

    @property
    def can_be_called(self) -> bool:
        """Is it a function, a class, or an object that can be called?"""
        decide(self._object, Look.CLASS)
        return callable(self._object)

    def is_one_of(self, *others: Any) -> bool:
        """Is it one of these objects?"""
        return any(self._object is other for other in others)


def is_none(value: Value | None) -> TypeGuard[Known]:
    """Is it None?"""
    return isinstance(value, Known) and value.is_one_of(None)


def is_it(value: Value | None, *others: Any) -> TypeGuard[Known]:
    """Is it known to be one of these objects?"""
    return isinstance(value, Known) and value.is_one_of(*others)


def is_known_a(value: Value | None, *classes: Any) -> TypeGuard[Known]:
    """Is it an object that is known, of one of these classes?"""
    return isinstance(value, Known) and value.is_a(*classes)


@dataclass(frozen=True, eq=False)
class Tup(Value):
    """A tuple (or namedtuple) of known length."""

    items: tuple[Value, ...]
    cls: type = tuple


class Keys(tuple[Any, ...]):
    """The class of the tuple that stands for the keys of a dict: it is compared, and joined, as a set."""


@dataclass(frozen=True, eq=False)
class Ref(Value):
    """A mutable container or object on the heap."""

    id: int


@dataclass(frozen=True, eq=False)
class Closure(Value):
    """A function with source: its tree and the frame it was defined in (None for module-level functions)."""

    source: Any
    frame: int | None
    function: Any = None
    defaults: tuple[Value, ...] = ()
    kw_defaults: tuple[Value | None, ...] = ()


@dataclass(frozen=True, eq=False)
class Method(Value):
    """A function bound to its first argument."""

    function: Value
    owner: Value


@dataclass(frozen=True, eq=False)
class Partial(Value):
    """functools.partial of an abstract function."""

    function: Value
    args: tuple[Value, ...]
    kwargs: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, eq=False)
class Lazy(Value):
    """An iterable that has not been run through: a range, or `zip`, `map`, `enumerate`, ... of what they were given."""

    function: Any
    args: tuple[Value, ...]
    kwargs: tuple[tuple[str, Value], ...] = ()
    #: of what takes all its items where it is made: what these are (`s2sad.normal.iteration.watch`)
    watch: Any = None
    #: the frame and the node that made it, and how many loops of the run were open
    made: Any = None
    #: the place where it was made
    site: Any = None
    #: how long that was which it takes its items from, where it asks for that when it is made (`iteration.watch`)
    lengths: Any = None
    #: what tells an iterator from others that give the same
    token: object = field(default_factory=object)


@dataclass(frozen=True, eq=False)
class Choice(Value):
    """One of two functions, by a run-time test."""

    test: Leaf
    first: Value
    second: Value


@dataclass(frozen=True, eq=False)
class Super(Value):
    """super(): an object seen as one of the classes behind `cls`."""

    cls: type
    owner: Value


@dataclass(frozen=True, eq=False)
class Maybe(Value):
    """A run-time value or a tuple of such, or None: whether it is None, and the value where it is not (nan, or unbound,
    where it is)."""

    none: Leaf
    value: Leaf | Tup


@dataclass(frozen=True, eq=False)
class Unbound(Value):
    """A name with no value on this path."""


@dataclass(frozen=True, eq=False)
class Conflict(Value):
    """Different paths gave a name values that cannot be joined; using it is refused for `reason`."""

    reason: str
    #: the loop whose turns have to be told apart, and how often it turns, where that is known
    loop: Any = None
    #: the branch whose paths have to be followed apart, and the name
    branch: Any = None
    name: str | None = None
    #: the expression (`a if c else b`, `a and b`) that has to be a branch
    choice: Any = None


def with_parts(value: Value, change: Callable[[Value], Value]) -> Value:
    """A value with all values in it changed; itself, where that changes none.

    >>> pair = Tup((Known(1), Partial(Known(max), (Known(2),), (("key", Known(3)),))))
    >>> with_parts(pair, lambda v: v) is pair
    True
    """
    if isinstance(value, (Known, Leaf, Ref)):
        return value

    def changed(part: Any) -> Any:
        if isinstance(part, Value):
            return change(part)
        if isinstance(part, tuple) and any(isinstance(p, (Value, tuple)) for p in part):
            parts = tuple(map(changed, part))
            return part if all(a is b for a, b in zip(part, parts, strict=True)) else parts
        return part

    parts = {f.name: getattr(value, f.name) for f in fields(value)}  # type: ignore[arg-type]
    new = {name: changed(part) for name, part in parts.items()}
    new = {name: part for name, part in new.items() if part is not parts[name]}
    return replace(value, **new) if new else value  # type: ignore[type-var]


def mentions(value: Value, held: Any) -> bool:
    """Is a value an object that is known at derivation, or does it hold it (a tuple, a default, a bound method)?

    >>> letters = frozenset("ab")
    >>> mentions(Tup((Known(1), Known(letters))), letters), mentions(Known((2, (letters,))), letters)
    (True, True)
    >>> mentions(Partial(Known(max), (Known(2),), ()), letters)
    False
    """
    if isinstance(value, Known):
        todo, seen = [value.value], False
        while todo and not seen:
            one = todo.pop()
            seen = one is held
            todo += one if isinstance(one, tuple) else ()
        return seen
    found: list[bool] = []

    def look(part: Value) -> Value:
        found.append(mentions(part, held))
        return part

    with_parts(value, look)
    return any(found)


@dataclass(eq=False)
class ListObj:
    """A list of known length. `expr` reads it at run time while it is as it was made."""

    items: list[Value]
    site: Any
    expr: Expr | None = None
    #: is it an iterator, which gives its items once?
    once: bool = False
    #: of an iterator: was it run through, perhaps not to its end?
    spent: bool = False
    #: may it have been changed under another name?
    stale: bool = False
    #: is it an item of a list at run time, so that a change would have to be seen there?
    held: bool = False
    #: the `maxlen` of a deque
    limit: int | None = None
    #: of an iterator: what its items were computed from (`s2sad.normal.iteration.watch`)
    watch: Any = None
    #: list, or collections.deque
    cls: type = list
    #: the lists that its items were taken from when it was made: `xs` of `xs[1:]`, `xs` and `ys` of `xs + ys`
    sources: tuple[int, ...] = ()

    def copy(self) -> ListObj:
        return replace(self, items=list(self.items))


@dataclass(eq=False)
class DictObj:
    """A dict with known keys."""

    items: dict[Any, Value]
    site: Any
    expr: Expr | None = None
    #: what makes a missing item (of a defaultdict)
    factory: Value | None = None
    stale: bool = False
    #: dict, or what is built on it (a defaultdict, an OrderedDict)
    cls: type = dict
    #: is it a part of a table outside of the function, which is read and not written to?
    outside: bool = False

    def copy(self) -> DictObj:
        return replace(self, items=dict(self.items))

    def like(self, items: dict[Any, Value], site: Any) -> DictObj:
        """A new dict of the same class."""
        return DictObj(items, site, factory=self.factory, cls=self.cls)


#: the attribute that stands for the number which an instance of a class is that is built on float
NUMBER_WITHIN = "as_number"


@dataclass(eq=False)
class Instance:
    """An instance of a class of the user's."""

    cls: type
    attributes: dict[str, Value]
    site: Any
    expr: Expr | None = None
    stale: bool = False
    #: was it handed out by a call that is not looked into, so that others may hold it?
    foreign: bool = False
    #: attributes that it has not on every path
    partial: set[str] = field(default_factory=set)

    def copy(self) -> Instance:
        new = Instance(self.cls, dict(self.attributes), self.site, self.expr, stale=self.stale, foreign=self.foreign)
        new.partial = set(self.partial)
        return new

    def complete(self, names: Iterable[str]) -> None:
        """Attributes that it has on other paths are noted."""
        for name in names:
            if name not in self.attributes:
                self.attributes[name] = Unbound()
                self.partial.add(name)


@dataclass
class State:
    """All that statements change: the variables of every frame and the heap."""

    frames: dict[int, dict[str, Value]] = field(default_factory=dict)
    heap: dict[int, ListObj | DictObj | Instance] = field(default_factory=dict)
    #: containers that stand for one of several: which ones. Made where paths join, and at the heads of loops
    maybe: dict[int, set[int]] = field(default_factory=dict)
    #: pairs of containers that are certain to be two, though they stand for some of the same
    apart: set[frozenset[int]] = field(default_factory=set)
    #: iterators that were run through, by token, and where
    run: dict[object, Any] = field(default_factory=dict)
    #: the last container that was there when it was forked: those made since are nobody else's
    begun: int = 0

    def fork(self) -> State:
        return State(
            {k: dict(v) for k, v in self.frames.items()},
            {k: v.copy() for k, v in self.heap.items()},
            {k: set(v) for k, v in self.maybe.items()},
            set(self.apart),
            dict(self.run),
            max(self.heap, default=0),
        )

    def adopt(self, other: State) -> None:
        """Become what a fork of this one has become; the containers stay the objects that are in somebody's hands."""
        for ref, obj in other.heap.items():
            if ref in self.heap:
                vars(self.heap[ref]).update(vars(obj))
            else:
                self.heap[ref] = obj
        for frame, variables in other.frames.items():
            held = self.frames.setdefault(frame, variables)
            if held is not variables:
                held.clear()
                held.update(variables)
        for gone in self.heap.keys() - other.heap.keys():
            del self.heap[gone]
        for left in self.frames.keys() - other.frames.keys():
            del self.frames[left]
        self.maybe, self.apart, self.run = other.maybe, other.apart, other.run

    def stands_for(self, ref: int, others: Iterable[int]) -> None:
        """Note that a container may be the same object as others."""
        found = {other for other in others if other != ref}
        if found:
            self.maybe.setdefault(ref, set()).update(found)

    def stood_for(self, ref: int) -> set[int]:
        """A container and those that it stands for."""
        same = {ref}
        pending = [ref]
        while pending:
            for other in self.maybe.get(pending.pop(), ()):
                if other not in same:
                    same.add(other)
                    pending.append(other)
        return same

    def possible_aliases(self, ref: int) -> set[int]:
        """The containers that may be the same object as one: those that it stands for, and what stands for them."""
        if not self.maybe:
            return set()
        same = self.stood_for(ref)
        grown = True
        while grown:
            above = {r for r, others in self.maybe.items() if r not in same and others & same}
            same |= above
            grown = bool(above)
        return {other for other in same - {ref} if self.may_be_one(ref, other)} if self.apart else same - {ref}

    def may_be_one(self, first: int, second: int, asked: frozenset[frozenset[int]] = frozenset()) -> bool:
        """May two containers be one object?

        The one that was made last is one of those that it stands for, if it is none of its own; and so on.
        """
        pair = frozenset((first, second))
        if first == second:
            return True
        if pair in self.apart or pair in asked:
            return False
        old, new = sorted(pair)
        asked |= {pair}
        later = [other for other in self.maybe.get(old, ()) if other > new]
        return any(self.may_be_one(other, old, asked) for other in self.maybe.get(new, ())) or any(
            self.may_be_one(other, new, asked) for other in later
        )

    def in_a_circle(self) -> bool:
        """Is there a container that leads to itself?"""
        done: set[int] = set()
        for start in self.heap:
            path, pending = {start}, [(start, iter(parts_in(self.heap[start])))]
            while pending and start not in done:
                ref = next((r for r in pending[-1][1] if r not in done and r in self.heap), None)
                if ref in path:
                    return True
                if ref is None:
                    last, _ = pending.pop()
                    done.add(last)
                    path.discard(last)
                else:
                    path.add(ref)
                    pending.append((ref, iter(parts_in(self.heap[ref]))))
        return False

    def reachable(self) -> set[int]:
        """The containers that some variable leads to."""
        found: set[int] = set()
        pending: list[Any] = [v for variables in self.frames.values() for v in variables.values()]
        while pending:
            value = pending.pop()
            if type(value) is Leaf:  # (nearly all of them)
                continue
            if isinstance(value, Ref):
                if value.id not in found and value.id in self.heap:
                    found.add(value.id)
                    obj = self.heap[value.id]
                    pending.extend(contents(obj).values())
                    pending.append(getattr(obj, "factory", None))
            elif isinstance(value, Tup):
                pending.extend(value.items)
            elif isinstance(value, Closure):
                pending.extend([*value.defaults, *value.kw_defaults])
            elif isinstance(value, (Method, Super)):
                pending.extend([value.owner, getattr(value, "function", None)])
            elif isinstance(value, (Partial, Lazy)):
                pending.extend([*value.args, *(v for _, v in value.kwargs), value.function])
            elif isinstance(value, Choice):
                pending.extend([value.first, value.second])
        return found

    def slots(self, but: Mapping[int, Collection[str]] = MappingProxyType({})) -> dict[tuple[Any, ...], Value]:
        """Every place that holds a value: ("var", frame, name) and ("heap", id, key).

        Args:
            but: variables that are left out, by frame.
        """
        out: dict[tuple[Any, ...], Value] = {}
        for frame, variables in self.frames.items():
            left_out = but.get(frame, ())
            for name, value in variables.items():
                if name not in left_out:
                    out["var", frame, name] = value
        for ref, obj in self.heap.items():
            for key, value in contents(obj).items():
                out["heap", ref, key] = value
        return out

    def at(self, slot: tuple[Any, ...]) -> Value:
        """What a place holds; Unbound where there is none."""
        where, owner, key = slot
        if where == "var":
            return self.frames.get(owner, {}).get(key, Unbound())
        obj = self.heap.get(owner)
        if isinstance(obj, ListObj):
            return obj.items[key] if key < len(obj.items) else Unbound()
        return Unbound() if obj is None else contents(obj).get(key, Unbound())

    def values(self) -> Iterator[Value]:
        """What every place holds."""
        for variables in self.frames.values():
            yield from variables.values()
        for obj in self.heap.values():
            yield from obj.items if isinstance(obj, ListObj) else contents(obj).values()

    def tables(self) -> list[Iterable[Value]]:
        """What the places hold, for each frame and each container."""
        frames: list[Iterable[Value]] = [variables.values() for variables in self.frames.values()]
        return frames + [o.items if isinstance(o, ListObj) else contents(o).values() for o in self.heap.values()]

    def put(self, slot: tuple[Any, ...], value: Value) -> None:
        where, owner, key = slot
        if where == "var":
            self.frames[owner][key] = value
            return
        obj = self.heap[owner]
        if isinstance(obj, (ListObj, DictObj)):
            obj.items[key] = value
        else:
            obj.attributes[key] = value
        obj.expr = None


def contents(obj: ListObj | DictObj | Instance) -> dict[Any, Value]:
    if isinstance(obj, ListObj):
        return dict(enumerate(obj.items))
    return obj.items if isinstance(obj, DictObj) else obj.attributes


def keys_of(obj: ListObj | DictObj | Instance) -> Sequence[Any]:
    """The keys of a container's contents, in order."""
    return range(len(obj.items)) if isinstance(obj, ListObj) else list(contents(obj))


def agreed(states: Sequence[State]) -> dict[int, set[str]]:
    """The variables that have one and the same value in several states, by frame: of thousands, paths bind few."""
    first, *others = states
    found: dict[int, set[str]] = {}
    for frame, variables in first.frames.items():
        left = {name for name, value in variables.items() if type(value) is not Conflict}
        for other in others:
            theirs = other.frames.get(frame, {})
            left = {name for name in left if theirs.get(name) is variables[name]}
        if left:
            found[frame] = left
    return found


def parts_in(obj: ListObj | DictObj | Instance) -> list[int]:
    """The containers that stand in a container, also in tuples."""
    found: list[int] = []
    pending = list(contents(obj).values())
    while pending:
        value = pending.pop()
        if isinstance(value, Ref):
            found.append(value.id)
        elif isinstance(value, Tup):
            pending.extend(value.items)
    return found
