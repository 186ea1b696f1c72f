"""The one way to decide by what is there while deriving: who asks something of an object leaves a condition on it.

An object that is there while deriving may be another one, or hold something else, at the next call. So nothing is asked
of it but by `decide`, which answers and notes, for the derivation that is under way, that the answer has to stay:

    LEVELS = [2.0, 4.0]

    decide(LEVELS, Look.ALL)          LEVELS, all of which was looked at: all of it has to stay
    decide(LEVELS, Look.LENGTH)       2, which has to stay
    decide(LEVELS, Look.PART, 0)      2.0, and its place: read in the run, a float has to stay there

What an abstract value stands for (`normal.values.abstract.Known`) is seen through this alone. `runtime.guards` adds the
names
that the code of a function may look up, and `runtime.conditions` says what conditions are and how they are asked.
"""

from __future__ import annotations

import collections
import contextlib
import enum
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from s2sad.runtime.conditions import (
    MISSING,
    Condition,
    Form,
    HasLength,
    Lacks,
    Like,
    Moving,
    NameIs,
    OfKeys,
    OfType,
    PartIs,
    Same,
    Scope,
    Verdict,
    attributes_of,
    can_change,
    exact_form,
    form_of,
    held_under,
    is_inert,
    is_scalar,
    is_steady,
    same,
)
from s2sad.runtime.identity import class_entry, keys_of, pairs_of


class Look(enum.Enum):
    """What is asked of an object, and so what has to stay."""

    ALL = "the object, all of it"
    KIND = "the object, but for the values of floats"
    READ = "the object, but for the values of floats, and of ints that keep changing"
    CLASS = "its class"
    LENGTH = "how many items it has"
    KEYS = "the keys of a dict, in order"
    PART = "an item, and where it is (None: all was looked at)"
    PARTS = "the items of a dict, and where each is"
    ATTRIBUTE = "an attribute, and where it is (None: what stands there is guarded by its name)"
    HOLDS = "whether it holds an attribute itself"
    NAME = "what stands under a name of a module or an enclosing function, or MISSING"
    BUILT_ON = "whether a class is built on another, which may learn of it later"
    NUMBER = "the type of the number at a place"
    VALUE = "what is at a place"


#: what is noted: a key, by which it is noted once, and what makes the condition
Noted = tuple[Any, Callable[[], Condition]] | None


def decide(asked: Any, look: Look, *more: Any) -> Any:
    """Ask something of an object: the answer is a condition of the derivation that is under way.

    Args:
        asked: an object; the scope of a name, a class, or a place, for the looks that say so.
        look: what is asked.
        more: a key, a name, a class, or what was found at a place.

    Returns:
        The answer, as `Look` says.

    Raises:
        Exception: what asking it raises: AttributeError for an attribute that is not there, TypeError for the length of
            what has none.

    >>> levels = [2.0, 4.0]
    >>> with recording() as seen:
    ...     decide(levels, Look.LENGTH)
    2
    >>> [c.length for c in seen.found.values()]
    [2]
    """
    answer, noted = _ANSWERS[look](asked, *more)
    if noted is not None and _recorders:
        _recorders[-1].add(*noted)
    return answer


# --- what each look answers, and notes


def _all(value: Any) -> tuple[Any, Noted]:
    if is_steady(value) or not can_change(value):
        return value, None
    return value, ((id(value), "all"), lambda: Like(f"a {type(value).__name__}", value, form_of(value), "all"))


def _kind(value: Any, moving: Moving = frozenset()) -> tuple[Any, Noted]:
    if is_steady(value) or not can_change(value):
        return value, None
    about = f"the kind of a {type(value).__name__}"

    def condition() -> Condition:
        return Like(about, value, form_of(value, True, None, moving), "kind")

    return value, ((id(value), "kind", bool(moving)), condition)


def _read(value: Any) -> tuple[Any, Noted]:
    return _kind(value, _recorders[-1].moving if _recorders else frozenset())


def _class(value: Any) -> tuple[type, Noted]:
    cls = type(value)
    if not cls.__flags__ & _OF_PYTHON or cls.__flags__ & _FIXED_TYPE or not can_change(value):
        return cls, None  # an object of C code stays what it is
    return cls, ((id(value), "class"), lambda: Like(f"a {cls.__name__}", value, OfType(cls), "class"))


#: of a class: may it be put in the place of another one's, unless it says that it stays as it is? (Py_TPFLAGS_HEAPTYPE,
#: Py_TPFLAGS_IMMUTABLETYPE)
_OF_PYTHON, _FIXED_TYPE = 1 << 9, 1 << 8


def _length(value: Any) -> tuple[int, Noted]:
    if type(value) not in (list, *_DICTS, set, collections.deque):
        return len(decide(value, Look.ALL)), None
    return len(value), ((id(value), "length"), lambda: HasLength(f"a {type(value).__name__}", value, len(value)))


def _keys(value: Any) -> tuple[tuple[Any, ...], Noted]:
    keys = keys_of(value)
    return keys, ((id(value), "keys"), lambda: Like("a dict", value, OfKeys(value, keys), "keys"))


def _part(value: Any, key: Any) -> tuple[tuple[Any, Place | None], Noted]:
    if type(value) in (list, tuple) and type(key) is int:
        return (value[key], Place(value, "item", key)), None
    if type(value) in _DICTS and is_inert(key):
        return (dict.__getitem__(value, key), Place(value, "item", key)), None
    return (decide(value, Look.ALL)[key], None), None


def _parts(value: Any) -> tuple[dict[Any, tuple[Any, Place | None]], Noted]:
    if type(value) not in _DICTS:
        return {key: (part, None) for key, part in decide(value, Look.ALL).items()}, None
    decide(value, Look.KEYS)
    return {key: (part, Place(value, "item", key)) for key, part in pairs_of(value)}, None


_DICTS = (dict, collections.OrderedDict, collections.defaultdict)


def _attribute(owner: Any, name: str) -> tuple[tuple[Any, Place | None], Noted]:
    value = getattr(owner, name)
    return (value, _place_of(owner, name, value)), None


def _place_of(owner: Any, name: str, value: Any) -> Place | None:
    """Where an attribute was found. What a class or a module holds is a name, and looked up as one unless it is a
    number that keeps changing."""
    where = bound_in(owner, name)
    if where is not None and type(value) in (int, float) and moves(where, name) and held_under(where, name) is value:
        return Place(where, "name", name)
    if isinstance(owner, types.ModuleType):
        if vars(owner).get(name, MISSING) is value:
            decide(vars(owner), Look.NAME, name)
        return None
    own = name if not isinstance(owner, enum.Enum) else _OF_MEMBERS.get(name, name)
    if not isinstance(owner, type) and attributes_of(owner).get(own, MISSING) is value:
        return Place(owner, "attribute", own)
    computed = type(class_entry(type(owner), name)) is types.GetSetDescriptorType
    immutable = isinstance(owner, type) and not owner.__flags__ & _OF_PYTHON
    if computed and not immutable and (can_change(owner) or isinstance(owner, _WITH_NAMES)):
        scalars = all(map(is_scalar, value)) if type(value) is tuple else is_scalar(value)
        return Place(owner, "computed", name) if scalars else None
    return None


#: what can change in nothing but what it is called
_WITH_NAMES = (type, types.FunctionType, np.dtype)


#: under which names the members of enums hold what they say of themselves
_OF_MEMBERS = {"value": "_value_", "name": "_name_"}


def _holds(owner: Any, name: str) -> tuple[bool, Noted]:
    held = attributes_of(owner)
    own = getattr(owner, "__dict__", None)
    if name in held or not isinstance(own, dict) or isinstance(owner, (type, types.ModuleType)):
        return name in held, None
    return False, ((id(owner), "lacks", name), lambda: Lacks(f"a {type(owner).__name__}", own, frozenset((name,))))


def _name(where: Scope, name: str) -> tuple[Any, Noted]:
    value = held_under(where, name)
    if isinstance(where, dict) and str(where.get("__name__")).startswith("s2sad.templates"):
        return value, None  # in s2sad's own templates they stand for the same always
    return value, ((id(where), "name", name), lambda: NameIs(name, where, name, value))


def _built_on(cls: type, other: type) -> tuple[bool, Noted]:
    verdict = issubclass(cls, other)
    return verdict, ((id(cls), "is", id(other)), lambda: Verdict(other.__name__, cls, other, verdict))


def _number(place: Place, value: Any) -> tuple[type, Noted]:
    return type(value), place.noted(OfType(type(value)), "loose")


def _value(place: Place, value: Any) -> tuple[Any, Noted]:
    return value, place.noted(exact_form(value), "exact")


_ANSWERS: dict[Look, Callable[..., tuple[Any, Noted]]] = {
    Look.ALL: _all,
    Look.KIND: _kind,
    Look.READ: _read,
    Look.CLASS: _class,
    Look.LENGTH: _length,
    Look.KEYS: _keys,
    Look.PART: _part,
    Look.PARTS: _parts,
    Look.ATTRIBUTE: _attribute,
    Look.HOLDS: _holds,
    Look.NAME: _name,
    Look.BUILT_ON: _built_on,
    Look.NUMBER: _number,
    Look.VALUE: _value,
}


# --- where numbers are that the run reads


@dataclass(eq=False)
class Place:
    """Where a value was read: an item or an attribute of an object, or a name ("item", "attribute", "name")."""

    owner: Any
    how: str
    key: Any

    @property
    def moves(self) -> bool:
        """Does a number there keep changing, so that its value is read in the run?"""
        return moves(self.owner, self.key)

    def noted(self, form: Form, grain: str) -> Noted:
        """The condition that what is there has a form."""
        key = id(self.owner), self.how, self.key if is_scalar(self.key) else id(self.key), type(self.key), grain
        return key, lambda: PartIs(f"{self.how} {self.key!r}", self.owner, self.how, self.key, form)


@dataclass(frozen=True, eq=False)
class Seen:
    """A number that was found somewhere: who looks at it leaves a condition there."""

    value: Any
    place: Place


@dataclass(frozen=True, eq=False)
class Read:
    """A number that generated code reads by a name of its own: where it is from, the object that stands for it among
    what names of the code stand for, and who looks at its value."""

    where: Scope
    name: str
    held: Any
    seen: Seen

    def has_changed(self) -> bool:
        """Is it another number now than the one that stands in the text of the code?"""
        return not same(held_under(self.where, self.name), self.seen.value)


@dataclass(eq=False)
class Recorder:
    """The conditions that are found during one derivation.

    Attributes:
        found: the conditions.
        moving: where numbers are that are read in the run.
        read: the names among them that generated code reads as names of its own, and floats of enclosing functions.
        told: what was found out about objects, by identity and what was asked, with these objects: nothing changes them
            meanwhile.
    """

    found: dict[Any, Condition] = field(default_factory=dict)
    moving: Moving = frozenset()
    read: dict[tuple[int, str], Read] = field(default_factory=dict)
    told: dict[tuple[int, Any], tuple[Any, Any]] = field(default_factory=dict)

    def add(self, key: Any, make: Callable[[], Condition]) -> None:
        """A condition, once."""
        if key not in self.found:
            self.found[key] = make()


    def needed(self) -> Iterator[Condition]:
        """The conditions that no others imply: who has looked at all of a dict has seen its keys.

        >>> held = {"a": 2.0}
        >>> with recording() as seen:
        ...     _ = decide(held, Look.KEYS), decide(held, Look.LENGTH), decide(held, Look.ALL)
        >>> [c.about for c in seen.needed()]
        ['a dict']
        """
        alike = (key for key, c in self.found.items() if isinstance(c, Like) and not isinstance(c.form, Same))
        wide = {key[0] for key in alike if key[1] in ("all", "kind")}
        exact = {key[:-1] for key in self.found if key[-1] == "exact"}
        for key, condition in self.found.items():
            owner, look, loose = key[0], key[1], key[-1] == "loose"
            seen = owner in wide and (look in ("length", "keys") or (loose and look == "item"))
            if not (seen or (loose and key[:-1] in exact) or (look == "kind" and (owner, "all") in self.found)):
                yield condition


#: derivations that are under way; they are one inside the other
_recorders: list[Recorder] = []


@contextlib.contextmanager
def recording(moving: Moving = frozenset()) -> Iterator[Recorder]:
    """Record what is looked at in what runs inside.

    >>> from s2sad.runtime.conditions import compiled
    >>> levels = [2.0, 4.0]
    >>> with recording() as seen:
    ...     _ = decide(levels, Look.ALL)
    >>> check = compiled(list(seen.found.values()))
    >>> before = check(); levels[0] = 5.0
    >>> before, check()
    (True, False)
    """
    recorder = Recorder(moving=moving)
    _recorders.append(recorder)
    try:
        yield recorder
    finally:
        _recorders.remove(recorder)
        for around in _recorders[-1:]:  # what it was derived for rests on the same
            around.found.update(recorder.found)


def found_once(value: Any, find: Callable[[Any], Any]) -> Any:
    """What is found out about an object, once in a derivation: a table of a module may have thousands of items."""
    if not _recorders:
        return find(value)
    told = _recorders[-1].told
    if (id(value), find) not in told:
        told[id(value), find] = value, find(value)
    return told[id(value), find][1]


def moves(owner: Any, key: Any) -> bool:
    """Does a number in a container, an object or under a name keep changing, so that it is read in the run?"""
    return bool(_recorders) and (id(owner), key if is_scalar(key) else None) in _recorders[-1].moving


class AnyInt(int):
    """An int that generated code reads in the run: what it is says nothing of what it will be."""


def bound_in(owner: Any, name: str) -> Scope | None:
    """Where an attribute that a module or a class has, or an object by its class, is bound; None for what an object
    holds itself.

    >>> import sys
    >>> class Base:
    ...     rate = 2.0
    >>> class Derived(Base):
    ...     pass
    >>> bound_in(Derived, "rate") is Base, bound_in(Derived(), "rate") is Base, bound_in(sys, "path") is vars(sys)
    (True, True, True)
    """
    if isinstance(owner, types.ModuleType):
        return vars(owner)
    if name in attributes_of(owner):
        return None
    cls = owner if isinstance(owner, type) else type(owner)
    return next((base for base in cls.__mro__ if name in base.__dict__), None)


def read_in_the_run(
    where: Scope, name: str, value: Any, known: dict[str, Any], fresh: Callable[[], str]
) -> tuple[str, Seen | None] | None:
    """The name by which generated code reads a number in each run, with where its value may be looked at (for one that
    keeps changing, nobody does); None where it is no such number: it is looked at, and so a condition.

    Those are the numbers that keep changing, and floats of enclosing functions: functions that are made anew differ in
    them.

    Args:
        where: where it has a name.
        name: that name.
        value: the number.
        known: what names of the generated code stand for; this one is added.
        fresh: gives a name that is free there.
    """
    moving = type(value) in (float, int) and moves(where, name)
    if not (moving or (_recorders and type(value) is float and isinstance(where, types.CellType))):
        return None
    read = _recorders[-1].read
    if (id(where), name) not in read:
        held = AnyInt(value) if type(value) is int else value * 1.0  # an object that is found under no other name
        read[id(where), name] = Read(where, name, held, Seen(value, Place(where, "name", name)))
    found = read[id(where), name]
    alias = next((n for n, v in known.items() if v is found.held), None) or fresh()
    known[alias] = found.held
    return alias, None if moving else found.seen
