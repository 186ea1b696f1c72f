"""What a derivation looked at outside of the function, as conditions under which its code is right.

A value that is there while deriving may be another one at the next call. So each look at it, a look at an item, a
length, the truth, the order, the keys, leaves a condition on just what was seen, and nothing else does:

    LEVELS = [2.0, 4.0]

    x**2 if 2 in LEVELS else x**3     what LEVELS holds was looked at: all of it has to stay
    LEVELS[0] * x                     read in the run: that it is a float has to stay
    n = len(LEVELS)                   its length has to stay

Numbers, strings and the like are compared by type and value, containers of Python's by what they hold, everything else
by identity: methods of the user's (`__eq__`, `__hash__`) are not called. All conditions of one derivation are compiled
into one function, which costs some tens of nanoseconds for each.
"""

from __future__ import annotations

import array
import builtins
import collections
import contextlib
import dataclasses
import enum
import functools
import operator
import sys
import types
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2sad.frontend.installed import is_installed_file
from s2sad.runtime.identity import class_entry, held_items, is_gone, keys_of, pairs_of, speaks_for_itself, written

#: what cannot change, and is what it is by its type and value
_SCALARS = frozenset((int, float, complex, str, bytes, bool, type(None), type(Ellipsis), type(NotImplemented), range))
#: what is known by its identity and holds nothing that is looked at in passing
_FIXED = (
    *(type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, np.ufunc, np.dtype, property),
    *(types.MethodDescriptorType, types.WrapperDescriptorType, types.MethodWrapperType, enum.Enum),
)
_STEADY = _SCALARS | {type, types.ModuleType, types.FunctionType, np.ufunc}
#: functions of NumPy's, and those that keep results
_DISPATCHERS = frozenset(
    (type(np.sum), functools._lru_cache_wrapper, functools.cached_property, staticmethod, classmethod)
)
_LISTS = (list, tuple, collections.deque, collections.UserList)
#: where there is nothing
MISSING = object()


def is_scalar(value: Any) -> bool:
    """Is a value known by its type and what it is equal to?

    >>> is_scalar(2.0), is_scalar(np.float32(2.0)), is_scalar("s"), is_scalar([2.0])
    (True, True, True, False)
    """
    cls = type(value)  # (not `isinstance`, which asks an object for its class: a weak proxy may have none any more)
    return (type(cls) is type and cls in _SCALARS) or issubclass(cls, np.generic)  # (a metaclass may hash in Python)


def same(now: Any, was: Any) -> bool:
    """Is a scalar what it was, to the last bit? Anything else: is it the same object?

    >>> import math
    >>> same(2.0, 2.0), same(2, 2.0), same(0.0, -0.0), same(np.nan, float("nan")), same([], [])
    (True, False, False, True, False)
    """
    if now is was:
        return True
    cls = type(was)
    if type(now) is not cls or not (cls in _SCALARS or isinstance(was, np.generic)):
        return False
    if now != was:
        return bool(now != now and was != was)
    return bool(now) or cls in (int, bool, str, bytes, range) or repr(now) == repr(was)


def is_inert(value: Any, depth: int = 4) -> bool:
    """Can a value be compared, hashed, ordered and tested without code of the user's being run?

    >>> class Box:
    ...     def __eq__(self, other):
    ...         return True
    >>> is_inert([2.0, ("a", len)]), is_inert(object()), is_inert([Box()])
    (True, True, False)
    """
    cls = type(value)
    if type(cls) is not type and speaks_for_itself(cls):
        return False
    if issubclass(cls, enum.Enum):
        return _means_nothing_new(cls)
    if cls in _SCALARS or issubclass(cls, (*_FIXED, np.generic)):
        return not (issubclass(cls, type) and speaks_for_itself(value))
    named = issubclass(cls, tuple) and class_entry(cls, "_fields") is not None and _means_nothing_new(cls)
    if named or cls in (list, tuple, set, frozenset, collections.deque):
        return depth > 0 and all(is_inert(v, depth - 1) for v in value)
    if issubclass(cls, dict):
        items = pairs_of(value)
        return _means_nothing_new(cls) and depth > 0 and all(is_inert(p, depth - 1) for pair in items for p in pair)
    return _means_nothing_new(cls)


#: the methods by which a class says what comparing, hashing, ordering, testing and running through its objects mean
MEANINGS = (
    *("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__bool__", "__len__", "__iter__"),
    *("__contains__", "__index__", "__getitem__", "__int__", "__float__", "__next__", "__reversed__"),
    "__getattribute__",
)


#: of a class that nobody can change, as it is made in C
_STATIC: dict[type, bool] = {}
#: the flag of a class that is made when the program runs: what it means may be changed
_MADE_IN_RUN = 1 << 9


def _means_nothing_new(cls: type) -> bool:
    """Does no code in Python say what the operations of `MEANINGS` mean for objects of a class?"""
    found = _STATIC.get(cls) if type(cls) is type else None
    if found is None:
        found = _has_meanings_in_c(cls)
        if type(cls) is type and not cls.__flags__ & _MADE_IN_RUN:
            _STATIC[cls] = found
    return found


def _has_meanings_in_c(cls: type) -> bool:
    for name in MEANINGS:
        for base in cls.__mro__:
            found = base.__dict__.get(name)
            if found is not None:
                if type(found) in (types.FunctionType, property, classmethod, staticmethod):
                    return base.__module__ == "enum"
                break
    return True


# --- what something was like


class Form(ABC):
    """What a value was like, as far as it was looked at."""

    __slots__ = ()

    @abstractmethod
    def holds(self, now: Any) -> bool:
        """Is the value now like that?"""


def _is_a(now: Any, cls: type) -> bool:
    return type(now) is cls


#: what reads the attributes that an object has places for in C
Slots = tuple[types.MemberDescriptorType, ...]


class Same(Form):
    """A scalar, or an object that is known by its identity."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def holds(self, now: Any) -> bool:
        return now is self.value or same(now, self.value)


class OfType(Form):
    """A number, whatever its value."""

    __slots__ = ("cls",)

    def __init__(self, cls: type) -> None:
        self.cls = cls

    def holds(self, now: Any) -> bool:
        return type(now) is self.cls


class Shaped(Form):
    """An array, of which the numbers were not looked at."""

    __slots__ = ("array", "dtype", "shape")

    def __init__(self, array: Any) -> None:
        self.array, self.dtype, self.shape = array, array.dtype, array.shape

    def holds(self, now: Any) -> bool:
        return now is self.array and now.shape == self.shape and now.dtype == self.dtype


def _are(now: Collection[Any], were: Sequence[Any]) -> bool:
    """Are the items of a container these very objects? Scalars are what they were, then."""
    return len(now) == len(were) and all(map(operator.is_, now, were))


def _are_in(now: dict[Any, Any], keys: Sequence[Any], were: Sequence[Any] | None) -> bool:
    """Are the keys and values of a dict these very objects? (None: that would not say that they are what they were.)"""
    return were is not None and _are(now, keys) and _are(now.values(), were)


class Flat(Form):
    """A list, tuple or deque of scalars: compared by C code."""

    __slots__ = ("cls", "types", "values", "zeros")

    def __init__(self, value: Any) -> None:
        self.cls, self.values, self.types = type(value), value.copy() if type(value) is not tuple else value, None
        self.types = list(map(type, value))
        self.zeros = [(k, v) for k, v in enumerate(value) if not v and type(v) not in (int, bool, str)]  # 0.0 or -0.0

    def holds(self, now: Any) -> bool:
        if not _is_a(now, self.cls):
            return False
        if _are(now, self.values):
            return True
        if list(map(type, now)) != self.types:
            return False
        if now == self.values:
            return all(same(now[k], was) for k, was in self.zeros)
        return all(map(same, now, self.values))


class FlatKinds(Form):
    """A list, tuple or deque of scalars, whatever the values of floats in it, and of ints in places that move."""

    __slots__ = ("cls", "others", "types", "values")

    def __init__(self, value: Any, moving: Moving) -> None:
        self.cls, self.types, self.values = type(value), list(map(type, value)), list(value)
        inexact = {t for t in self.types if t in (float, complex) or issubclass(t, np.inexact)}
        here = [(k, v) for k, v in enumerate(value) if type(v) not in inexact]
        self.others = [(k, v) for k, v in here if not (type(v) is int and (id(value), k) in moving)]

    def holds(self, now: Any) -> bool:
        if not _is_a(now, self.cls):
            return False
        if _are(now, self.values):
            return True
        return list(map(type, now)) == self.types and all(same(now[k], was) for k, was in self.others)


class OfItems(Form):
    """A list, tuple or deque item by item; of those that are the very objects that they were, only what can change.

    `held`: the items as they were, where running through it gives them.
    """

    __slots__ = ("changing", "cls", "held", "items")

    def __init__(self, cls: type, items: list[Form], held: Sequence[Any] | None = None) -> None:
        self.cls, self.items, self.held = cls, items, held
        self.changing = [(form, k) for k, form in enumerate(items) if held is not None and can_change(held[k])]

    def holds(self, now: Any) -> bool:
        if not _is_a(now, self.cls) or len(now) != len(self.items):
            return False
        if self.held is not None and _are(now, self.held):
            return all(form.holds(now[k]) for form, k in self.changing)
        return all(item.holds(v) for item, v in zip(self.items, now, strict=True))


class Mapped(Form):
    """A dict: its keys in order, and what they stand for."""

    __slots__ = ("cls", "held", "items", "keys", "names")

    def __init__(self, cls: type, names: tuple[Any, ...], keys: Form, held: tuple[Any, ...], items: Form) -> None:
        self.cls, self.names, self.keys, self.items = cls, names, keys, items
        known = issubclass(cls, dict) and _means_nothing_new(cls) and all(map(is_scalar, (*names, *held)))
        self.held = held if known else None

    def holds(self, now: Any) -> bool:
        if not _is_a(now, self.cls):
            return False
        if _are_in(now, self.names, self.held):
            return True
        return self.keys.holds(keys_of(now)) and self.items.holds(tuple(held_items(now)))


class OfState(Form):
    """An object of a class of the user's, with its attributes."""

    __slots__ = ("cls", "held", "items", "names", "slots", "value")

    def __init__(self, value: Any, names: tuple[str, ...], held: tuple[Any, ...], items: Form) -> None:
        self.value, self.cls, self.names, self.items = value, type(value), names, items
        self.held, self.slots = held if all(map(is_scalar, held)) else None, _slots_of(self.cls)

    def holds(self, now: Any) -> bool:
        if now is not self.value or not _is_a(now, self.cls):
            return False
        state = attributes_of(now, self.slots)
        if _are_in(state, self.names, self.held):
            return True
        if tuple(state) != self.names:
            if state.keys() != set(self.names):
                return False
            state = {name: state[name] for name in self.names}
        return self.items.holds(tuple(state.values()))


def attributes_of(value: Any, slots: Slots | None = None) -> dict[str, Any]:
    """The attributes that an object holds itself, looked up past properties and the like.

    >>> attributes_of(types.SimpleNamespace(a=1)), attributes_of(2.0)
    ({'a': 1}, {})
    """
    found: dict[str, Any] = {}
    for slot in _slots_of(type(value)) if slots is None else slots:
        with contextlib.suppress(AttributeError):
            found[slot.__name__] = slot.__get__(value)
    try:
        own = object.__getattribute__(value, "__dict__") if not issubclass(type(value), type) else None
    except AttributeError:
        own = None
    if not isinstance(own, dict):
        return found
    return {**found, **own} if found else own


def _slots_of(cls: type) -> Slots:
    """What a class, which can not get more of them, has slots for."""
    held = (item for base in reversed(cls.__mro__) for item in base.__dict__.items())
    return tuple(v for name, v in held if type(v) is types.MemberDescriptorType and name not in _NO_SLOTS)


_NO_SLOTS = frozenset(("__dict__", "__weakref__"))


#: the names of modules, and the items and attributes, whose numbers are read in the run: as (identity of the dict or
#: the object, name or key)
Moving = frozenset[tuple[int, Any]]


def form_of(value: Any, loose: bool = False, seen: dict[int, Any] | None = None, moving: Moving = frozenset()) -> Form:
    """All that can be seen of a value; `loose`: but for the values of floats, and of ints in places that move.

    >>> form = form_of([2.0, {"n": 3}])
    >>> form.holds([2.0, {"n": 3}]), form.holds([2, {"n": 3}]), form.holds([2.0, {"n": 4}])
    (True, False, False)
    >>> form_of([2.0, 3], loose=True).holds([5.0, 3])
    True
    """
    if is_gone(value):
        return Same(value)
    cls = type(value)
    if loose and (cls in (float, complex) or isinstance(value, np.inexact)):
        return OfType(cls)
    seen = {} if seen is None else seen
    if is_scalar(value) or isinstance(value, _FIXED) or id(value) in seen or cls.__module__.startswith("s2sad."):
        return Same(value)
    if isinstance(value, np.ndarray):
        return OfItems(cls, []) if value.dtype == object and not value.ndim else Shaped(value)
    seen[id(value)] = value  # what it holds is compared once, wherever it is met again

    def part(key: Any, held: Any) -> Form:
        moves = type(held) is int and is_scalar(key) and (id(value), key) in moving
        return OfType(int) if moves else form_of(held, loose, seen, moving)

    if isinstance(value, _LISTS):
        if cls in (list, tuple, collections.deque) and all(map(is_scalar, value)):
            return FlatKinds(value, moving) if loose else Flat(value)
        listed = list(value) if isinstance(value, collections.UserList) else held_items(value)
        plain = cls in (list, collections.deque) or (issubclass(cls, tuple) and cls.__iter__ is tuple.__iter__)
        return OfItems(cls, [part(k, v) for k, v in enumerate(listed)], tuple(listed) if plain else None)
    if isinstance(value, (set, frozenset, array.array, memoryview, bytearray)) or cls in _VIEWS:
        return InOrder(cls, form_of(tuple(value), loose, seen))
    if isinstance(value, (dict, types.MappingProxyType)):
        keys, held = keys_of(value), tuple(held_items(value))
        if all(map(is_scalar, held)) and not (loose and moving):
            return Mapped(cls, keys, form_of(keys, False, seen), held, form_of(held, loose, seen))
        items = OfItems(tuple, [part(k, v) for k, v in zip(keys, held, strict=True)])
        return Mapped(cls, keys, form_of(keys, False, seen), held, items)
    state = attributes_of(value)
    if cls.__module__ == "builtins" or not state:
        return Same(value)
    if "__wrapped__" in state and _is_installed(vars(sys.modules.get(cls.__module__, builtins))):
        return Same(value)  # a function that a library has wrapped (numba.njit): the rest is the compiler's own
    held = tuple(state.values())
    if all(map(is_scalar, held)) and not (loose and moving):
        return OfState(value, tuple(state), held, form_of(held, loose, seen))
    return OfState(value, tuple(state), held, OfItems(tuple, [part(name, v) for name, v in state.items()]))


def exact_form(value: Any) -> Form:
    """What a value at a place is like: which it is, and of an array its shape, of a tuple what it holds."""
    if issubclass(type(value), np.ndarray):
        return Shaped(value)
    return form_of(value) if issubclass(type(value), tuple) else Same(value)


_VIEWS: tuple[Any, ...] = (type({}.keys()), type({}.values()), type({}.items()))


class InOrder(Form):
    """A set, an array.array or the like: what running through it gives, in that order."""

    __slots__ = ("cls", "items")

    def __init__(self, cls: type, items: Form) -> None:
        self.cls, self.items = cls, items

    def holds(self, now: Any) -> bool:
        return _is_a(now, self.cls) and self.items.holds(tuple(now))


class OfKeys(Form):
    """The keys of a dict."""

    __slots__ = ("form", "names")

    def __init__(self, value: Any, keys: tuple[Any, ...]) -> None:
        known = issubclass(type(value), dict) and _means_nothing_new(type(value)) and all(map(is_scalar, keys))
        self.names, self.form = keys if known else None, form_of(keys)

    def holds(self, now: Any) -> bool:
        return (self.names is not None and _are(now, self.names)) or self.form.holds(keys_of(now))


# --- conditions


Bind = Callable[[Any], str]


@dataclass(frozen=True, eq=False)
class Condition(ABC):
    """Something that has to hold: what it is about, the expression that asks, and what it says to a reader."""

    about: str

    @abstractmethod
    def code(self, bind: Bind) -> str:
        """An expression that is true while it holds; `bind` gives an object a name in it."""


def _is_same(now: str, was: Any, bind: Bind) -> str:
    """The expression that asks whether what an expression gives is what it was."""
    asked = f"{now} is {bind(was)}"
    return f"({asked} or {bind(same)}({now}, {bind(was)}))" if is_scalar(was) else asked


#: where a name stands for something: the dict of a module, a variable of an enclosing function, the body of a class
Scope = dict[str, Any] | types.CellType | type


def held_under(where: Scope, name: str) -> Any:
    """What a name stands for now, or MISSING.

    >>> held_under({"a": 1.0}, "a"), held_under(types.CellType(), "a") is MISSING, held_under(float, "real")
    (1.0, True, <attribute 'real' of 'float' objects>)
    """
    if isinstance(where, types.CellType):
        try:
            return where.cell_contents
        except ValueError:
            return MISSING
    return (where if isinstance(where, dict) else where.__dict__).get(name, MISSING)


def _name_now(where: Scope, name: str, bind: Bind) -> str:
    """The expression that says what a name stands for; it raises where that is nothing."""
    if isinstance(where, types.CellType):
        return f"{bind(where)}.cell_contents"
    return f"{bind(where)}{'' if isinstance(where, dict) else '.__dict__'}[{name!r}]"


def _is_like(now: str, form: Form, bind: Bind) -> str:
    """The expression that asks whether what an expression gives has a form."""
    if isinstance(form, OfType):
        return f"type({now}) is {bind(form.cls)}"
    return _is_same(now, form.value, bind) if isinstance(form, Same) else f"{bind(form.holds)}({now})"


@dataclass(frozen=True, eq=False)
class NameIs(Condition):
    """What a name stands for."""

    where: Scope
    name: str
    value: Any

    def code(self, bind: Bind) -> str:
        if self.value is MISSING:
            return f"{bind(held_under)}({bind(self.where)}, {self.name!r}) is {bind(MISSING)}"
        return _is_same(_name_now(self.where, self.name, bind), self.value, bind)


@dataclass(frozen=True, eq=False)
class IsNumber(Condition):
    """A name stands for a number of a type, which is read anew in each run.

    To ask for it hands it over to the namespace of the generated function, where it may have another name; what else is
    asked of that namespace comes behind it. With `stays`, it has to be the number that is there already: code that is
    not done when it returns, as a pullback, keeps it.
    """

    where: Scope
    name: str
    cls: type
    namespace: dict[str, Any]
    alias: str
    stays: bool

    def code(self, bind: Bind) -> str:
        space = bind(self.namespace)
        there = f"{space}[{self.alias!r}]"
        asked = f"type(n) is {bind(self.cls)} and {space}.__setitem__({self.alias!r}, n) is None"
        if self.stays:
            asked = f"{bind(same)}(n, {there})"
        return f"((n := {_name_now(self.where, self.name, bind)}) is {there} or {asked})"

    def hand_over(self) -> None:
        """Give the number to the generated function."""
        self.namespace[self.alias] = held_under(self.where, self.name)


@dataclass(frozen=True, eq=False)
class ClassIs(Condition):
    """The bases of a class, and the names in its body."""

    cls: type
    line: tuple[type, ...]
    names: frozenset[str]

    def code(self, bind: Bind) -> str:
        cls = bind(self.cls)
        return f"{cls}.__mro__ is {bind(self.line)} and {cls}.__dict__.keys() == {bind(self.names)}"


@dataclass(frozen=True, eq=False)
class Lacks(Condition):
    """Names that a module or a function has not."""

    where: dict[str, Any]
    names: frozenset[str]

    def code(self, bind: Bind) -> str:
        return f"{bind(self.where)}.keys().isdisjoint({bind(self.names)})"


@dataclass(frozen=True, eq=False)
class HasNames(Condition):
    """The names that a module has, all of them."""

    where: dict[str, Any]
    names: frozenset[str]

    def code(self, bind: Bind) -> str:
        return f"{bind(self.where)}.keys() == {bind(self.names)}"


@dataclass(frozen=True, eq=False)
class MadeOf(Condition):
    """A function's code and defaults."""

    function: types.FunctionType
    code_: types.CodeType
    defaults: Any
    keywords: dict[str, Any] | None
    items: tuple[tuple[str, Any], ...]

    def code(self, bind: Bind) -> str:
        f = bind(self.function)
        parts = [f"{f}.__code__ is {bind(self.code_)}", f"{f}.__defaults__ is {bind(self.defaults)}"]
        parts.append(f"{f}.__kwdefaults__ is {bind(self.keywords)}")
        if self.keywords:
            parts.append(f"{bind(_same_items)}({bind(self.keywords)}, {bind(self.items)})")
        return " and ".join(parts)


def _same_items(now: dict[str, Any], items: tuple[tuple[str, Any], ...]) -> bool:
    return len(now) == len(items) and all(now.get(name, MISSING) is value for name, value in items)


@dataclass(frozen=True, eq=False)
class Like(Condition):
    """An object is like it was: all of it, its kind, its class or its keys ("all", "kind", "class", "keys")."""

    value: Any
    form: Form
    grain: str

    def code(self, bind: Bind) -> str:
        return _is_like(bind(self.value), self.form, bind)


@dataclass(frozen=True, eq=False)
class HasLength(Condition):
    """How many items a container has."""

    value: Any
    length: int

    def code(self, bind: Bind) -> str:
        return f"len({bind(self.value)}) == {self.length}"


@dataclass(frozen=True, eq=False)
class PartIs(Condition):
    """An item or an attribute ("computed": by C code), or what a name stands for, is like it was."""

    owner: Any
    how: str
    key: Any
    form: Form

    def now(self) -> Any:
        """What is there now."""
        if self.how == "name":
            return held_under(self.owner, self.key)
        if self.how == "computed":
            return getattr(self.owner, self.key, MISSING)
        held = attributes_of(self.owner) if self.how == "attribute" else self.owner
        try:
            return held[self.key]
        except (LookupError, TypeError):
            return MISSING

    def code(self, bind: Bind) -> str:
        owner = bind(self.owner)
        if self.how == "name":
            now = _name_now(self.owner, self.key, bind)
        elif self.how == "computed":
            now = f"{owner}.{self.key}"
        elif self.how == "attribute":
            held = getattr(self.owner, "__dict__", None)
            now = f"{owner}.__dict__[{self.key!r}]"
            if not isinstance(held, dict) or self.key not in held:
                now = f"{bind(_slot)}({owner}, {self.key!r})"
        elif isinstance(self.owner, dict):
            key = bind(self.key)
            now = f"{owner}[{key}]" if type(self.owner) is dict else f"{bind(_item)}({owner}, {key})"
        else:
            now = f"{owner}[{bind(self.key)}]"
        return _is_like(now, self.form, bind)


def _slot(owner: Any, name: str) -> Any:
    return attributes_of(owner).get(name, MISSING)


def _item(owner: dict[Any, Any], key: Any) -> Any:
    return dict.__getitem__(owner, key)


@dataclass(frozen=True, eq=False)
class Verdict(Condition):
    """What asking for the class of a value gives, where the class may learn of others (`ABC.register`)."""

    cls: type
    asked: Any
    verdict: bool

    def code(self, bind: Bind) -> str:
        return f"issubclass({bind(self.cls)}, {bind(self.asked)}) is {self.verdict}"


def is_steady(value: Any) -> bool:
    """Is it at a glance something that holds nothing that could change?"""
    return type(value) in _STEADY


def can_change(value: Any) -> bool:
    """Can what a value holds change, while it stays the object that it is?"""
    cls = type(value)
    if is_scalar(value) or is_gone(value) or issubclass(cls, _FIXED) or cls in _DISPATCHERS:
        return False
    if issubclass(cls, (tuple, frozenset)):
        return any(map(can_change, held_items(value)))
    return True


def objects_in(conditions: Iterable[Condition]) -> Iterator[Any]:
    """The objects that conditions are about, and those that are compared with what is found there.

    >>> from s2sad.runtime.decide import Look, decide, recording
    >>> held = [len, [abs]]
    >>> with recording() as seen:
    ...     _ = decide(held, Look.ALL)
    >>> [o for o in objects_in(seen.found.values()) if type(o) is type(len)]
    [<built-in function len>, <built-in function abs>]
    """
    for condition in conditions:
        for part in dataclasses.fields(condition):
            yield from _in_form(getattr(condition, part.name))


def _in_form(part: Any, inside: bool = False) -> Iterator[Any]:
    if isinstance(part, Form):
        names: Iterable[str] = type(part).__slots__
        for name in names:
            if not (isinstance(part, OfItems) and name in ("changing", "held")):  # these are in its items
                yield from _in_form(getattr(part, name), True)
    elif inside and type(part) in (list, tuple, dict):  # of forms
        for item in held_items(part):
            yield from _in_form(item, True)
    else:
        yield part


def described(conditions: Iterable[Condition], names: dict[int, str]) -> list[str]:
    """What was looked at, in words: the values of which code that is used without its conditions is right.

    Args:
        conditions: those of a derivation.
        names: what objects are called, by identity.

    >>> from s2sad.runtime.decide import Look, decide, recording
    >>> levels = [2.0, 4.0]
    >>> with recording() as seen:
    ...     _ = decide(levels, Look.ALL), decide(levels, Look.LENGTH)
    >>> described(seen.found.values(), {id(levels): "LEVELS"})
    ['LEVELS = [2.0, 4.0]', 'len(LEVELS) = 2']
    """
    names, said = dict(names), dict[str, None]()
    for c in conditions:
        if isinstance(c, PartIs):
            owner = names.get(id(c.owner), f"a {type(c.owner).__name__}")
            part = f"{owner}.{c.key}" if c.how in ("attribute", "computed") else f"{owner}[{c.key!r}]"
            if isinstance(c.form, Same) and is_scalar(c.form.value):
                said[f"{part} = {c.form.value!r}"] = None
            elif isinstance(c.form, (Same, Shaped)):
                names.setdefault(id(c.form.value if isinstance(c.form, Same) else c.form.array), part)
        elif isinstance(c, Like) and not c.about.startswith("the kind") and not isinstance(
            c.form, (OfState, OfType, Same)
        ):
            name, keys = names.get(id(c.value), c.about), isinstance(c.form, OfKeys)
            said[f"{f'list({name})' if keys else name} = {_short(list(c.value) if keys else c.value)}"] = None
        elif isinstance(c, HasLength):
            said[f"len({names.get(id(c.value), c.about)}) = {c.length}"] = None
        elif isinstance(c, NameIs) and is_scalar(c.value) and c.name[0] != "_" and not (
            isinstance(c.where, dict) and _is_installed(c.where)
        ):
            said[f"{c.name} = {_short(c.value)}"] = None
        elif isinstance(c, Verdict):
            said[f"issubclass({c.cls.__name__}, {c.about}) = {c.verdict}"] = None
    return list(said)


def _is_installed(where: dict[str, Any]) -> bool:
    return where is vars(builtins) or is_installed_file(where.get("__file__") or "")


def _short(value: Any) -> str:
    """The text of a value: the same in each process, also of a set.

    >>> _short({"b", "a"})
    "{'a', 'b'}"
    """
    shown = _shows_itself(value)
    text = repr(value) if shown else written(value)
    if type(value) is set and shown:
        text = "{" + ", ".join(sorted(map(repr, value))) + "}" if value else "set()"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _shows_itself(value: Any) -> bool:
    """Is the text of a value told by it alone: no method of the user's, and no address in it?"""
    cls = type(value)
    if cls in (list, tuple, set, frozenset, collections.deque):
        return is_inert(value) and all(map(_shows_itself, value))
    if cls in (dict, collections.OrderedDict, collections.defaultdict):
        return is_inert(value) and all(_shows_itself(part) for pair in value.items() for part in pair)
    if issubclass(cls, enum.Enum):
        return getattr(class_entry(cls, "__repr__"), "__module__", "") == "enum"
    return is_scalar(value) or (cls is np.ndarray and value.dtype != object)


def compiled(conditions: Sequence[Condition]) -> Callable[[], bool] | None:
    """One function that says whether all conditions hold; None for none."""
    if not conditions:
        return None
    names: dict[int, str] = {}
    values: list[Any] = []

    def bind(value: Any) -> str:
        if id(value) not in names:
            names[id(value)] = f"v{len(values)}"
            values.append(value)
        return names[id(value)]

    asked = "\n        and ".join(c.code(bind) for c in conditions)
    text = (
        f"def make({', '.join(f'v{i}' for i in range(len(values)))}):\n"
        f"  def check():\n    try:\n      return bool({asked})\n"
        "    except Exception:\n      return False\n  return check\n"
    )
    check: Callable[[], bool] = _maker(text)(*values)
    return check


@functools.lru_cache(maxsize=256)
def _maker(text: str) -> Callable[..., Callable[[], bool]]:
    """What a text makes: functions of the same code have conditions of the same text."""
    namespace: dict[str, Any] = {"__builtins__": builtins}
    exec(compile(text, "<s2sad conditions>", "exec"), namespace)
    make: Callable[..., Callable[[], bool]] = namespace["make"]
    return make
