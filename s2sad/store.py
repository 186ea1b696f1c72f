"""What was derived for a function before: entries by what was passed, and what they were made under."""

from __future__ import annotations

import contextlib
import inspect
import sys
import types
import weakref
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Protocol

from s2sad.core import Facts
from s2sad.frontend.diagnostics import DerivationError
from s2sad.frontend.source import FunctionSource, function_tree
from s2sad.frontend.texts import bring
from s2sad.kinds.bind import SHORT, is_int, layouts_of, lengths_of, multiples_among
from s2sad.kinds.concrete import sizes_of
from s2sad.kinds.exact import exact_key, exact_test
from s2sad.kinds.kind import Kind
from s2sad.locks import deriving
from s2sad.request import Derived
from s2sad.runtime import helpers
from s2sad.runtime.conditions import Condition, MadeOf, Moving, NameIs, PartIs, Same, held_under, is_scalar, same
from s2sad.runtime.decide import Recorder
from s2sad.runtime.guards import guards_of

#: defaults of these hold nothing that changes
NO_STATE = (int, float, complex, str, bytes, type(None), type(inspect.Parameter.empty))

#: of code that changes arguments: arrays and the like that are no arguments, and the parts of the arguments that share
#: memory with these
Beside = tuple[tuple[Any, ...], Any]
#: generated function, what asks whether the conditions of its derivation hold (None: there are none), whether arguments
#: have to be made ready for it (ints to floats), these conditions, and what arguments may share memory with
Entry = tuple[types.FunctionType, Callable[[], bool] | None, bool, tuple[Condition, ...], Beside | None]

#: how many derivations for the same kinds, of what the function looks up in several states, are kept
SEVERAL = 16
#: how often a number has to have changed to be read in the run
_OFTEN = 3
#: for how many shapes of arguments entries are found at once
SHAPES = 64


def still_holds(entry: Entry) -> bool:
    """Is what the derivation has looked at as it was?"""
    return entry[1] is None or entry[1]()


@dataclass
class Generated:
    """One derivation, for looking at."""

    derived: Derived
    text: str
    function: types.FunctionType
    #: what was looked at on the way
    seen: Recorder
    code: types.CodeType
    #: what was derived, and with what
    primal: types.FunctionType
    given: tuple[Any, ...]
    #: the functions that were read, with their texts
    texts: dict[types.FunctionType, str]


class Derivable(Protocol):
    """A derivative that is text: of what, and how it is derived for kinds of arguments."""

    operator: Any

    @property
    def wrt(self) -> tuple[str, ...]: ...
    def primal_source(self) -> FunctionSource: ...
    def derive_for(self, kinds: dict[str, Kind]) -> Generated: ...


@dataclass(frozen=True)
class Detail:
    """What code may depend on beside the kinds of the arguments: lengths and ints, or short lengths alone, or which of
    the lengths are multiples of others; how arrays lie in memory."""

    sizes: bool = False
    layouts: bool = False
    #: the lengths and ints of which it matters which are multiples of others, or longer by a halo, or lengths
    unsure: tuple[str, ...] = ()
    #: which lengths are short (`SHORT`)
    short: bool = False

    def __or__(self, other: Detail) -> Detail:
        unsure = tuple(sorted({*self.unsure, *other.unsure}))
        return Detail(self.sizes or other.sizes, self.layouts or other.layouts, unsure, self.short or other.short)

    @property
    def by_shapes(self) -> bool:
        """Do the shapes of arrays tell all of it?"""
        return not (self.sizes or self.layouts or any(map(is_int, self.unsure)))

    def of(self, args: tuple[Any, ...], kwargs: dict[str, Any], bound: Callable[[], Any]) -> Any:
        """These of a call's arguments. `bound` gives them under the names of the primal's parameters."""
        lengths = lengths_of(dict(bound().arguments)) if self.unsure or self.short else {}
        related = tuple(multiples_among(lengths, self.unsure, halo) for halo in (False, True) if self.unsure)
        shorts = ((name, n) for name, n in lengths.items() if n in SHORT and not is_int(name))
        short = tuple(shorts) if self.short else ()
        sizes = (sizes_of(args), sizes_of(kwargs)) if self.sizes else None
        layouts = (layouts_of(args, self.sizes), layouts_of(kwargs, self.sizes)) if self.layouts else None
        return sizes, layouts, related, short


@dataclass(frozen=True)
class About:
    """What is known of code that is kept for other functions than the one that it was derived for."""

    detail: Detail
    at: Any
    prepare: bool
    tangents: tuple[str, ...]
    doc: str | None
    #: what it was derived with
    given: tuple[Any, ...]


def sums_broadcast(facts: Facts) -> bool:
    """Has the run to say what was broadcast?"""
    return any(value is helpers.unbroadcast for value in facts.globals.values())


class Summed(Exception):
    """A derivation is given up in which the run has to say what was broadcast. It holds what is known of the names."""

    def __init__(self, facts: Facts) -> None:
        super().__init__()
        self.facts = facts


def _finds_nothing(args: tuple[Any, ...]) -> None:
    """What `ByShapes.find` is before a test is written."""


class ByShapes:
    """Entries by the exact shapes of arguments; for one of them that is asked for often a test is written."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._entries: dict[Hashable, Entry] = {}
        #: the test that is written for one of them, and is asked first: the generated function for arguments of these
        #: shapes, where what its derivation has looked at is as it was; else None
        self.find: Callable[[tuple[Any, ...]], types.FunctionType | None] = _finds_nothing
        #: how often keys have been looked up, and when the next test is written
        self._found, self._next = 0, _OFTEN

    def get(self, args: tuple[Any, ...]) -> Entry | None:
        """The entry for arguments of these shapes; None where there is none."""
        key = exact_key(args)
        entry = self._entries.get(key) if key is not None else None
        if entry is not None:
            self.note(args, entry)
        return entry

    def note(self, args: tuple[Any, ...], entry: Entry) -> None:
        """That the entry for arguments of these shapes was asked for."""
        self._found += 1
        if self._found >= self._next:
            function, _, prepare, conditions, _ = entry
            test = exact_test(args, function, (c.code for c in conditions)) if not prepare else None
            self.find = test or _finds_nothing
            self._next *= 4  # calls that go on to change their shapes need no test

    def put(self, args: tuple[Any, ...], entry: Entry) -> None:
        """Keep an entry for arguments of these shapes, if they have a key."""
        key = exact_key(args)
        if key is not None:
            if len(self._entries) >= SHAPES:
                self.clear()
            self._entries[key] = entry
            self.find = _finds_nothing  # it may be of an entry that these replace


class Store:
    """What has been generated for one function and one request. Shared by all Derivatives of them."""

    def __init__(self) -> None:
        self.entries: dict[Any, Entry] = {}
        #: some of them by exact shapes, which are looked up sooner than signatures
        self.exact = ByShapes()
        #: all that are kept for a signature: of what is looked up outside, several states are known side by side
        self.others: dict[Any, list[Entry]] = {}
        #: by type, how often names of modules stood for another number than before (and items and attributes), and
        #: which are read in the run now
        self.moves: dict[type, dict[tuple[int, Any], int]] = {float: {}, int: {}}
        self.moving: Moving = frozenset()
        #: for a signature whose code depends on more, what is part of its key besides
        self.details: dict[Any, Detail] = {}
        #: the names of the tangent parameters of a jvp, by its code
        self.tangents: dict[types.CodeType, tuple[str, ...]] = {}
        self.last: Generated | None = None
        #: what derives the latest code anew, where it was derived for another function of the same code
        self.again: Callable[[], Generated] | None = None
        #: of the arguments of the latest call that something was derived for, by parameter
        self.kinds: dict[str, Kind] = {}

    def note_what_moved(self, others: list[Entry]) -> None:
        """Numbers that are others at call after call are read in the run from now on: those of modules, and those in
        containers and objects that were looked at."""
        if not others:
            return
        moved = dict[tuple[int, Any], type]()
        for c in others[0][3]:
            if isinstance(c, NameIs):
                key, was, now = (id(c.where), c.name), c.value, held_under(c.where, c.name)
            elif isinstance(c, PartIs) and isinstance(c.form, Same) and is_scalar(c.key):
                key, was, now = (id(c.owner), c.key), c.form.value, c.now()
            else:
                continue
            if type(now) is type(was) in self.moves and not same(now, was):
                moved[key] = type(was)
        for key, cls in moved.items():
            self.moves[cls][key] = self.moves[cls].get(key, 0) + 1
        self.note_moving()

    def note_moving(self) -> None:
        """What was another number several times is read in the run."""
        self.moving = frozenset(k for counts in self.moves.values() for k, n in counts.items() if n >= _OFTEN)

    def keep_known(self) -> None:
        """What the ints that move are has to be known from now on; where none does, what the floats are."""
        moving_ints = any(n >= _OFTEN for n in self.moves.get(int, {}).values())
        del self.moves[int if moving_ints else float]
        self.note_moving()

    def __reduce__(self) -> tuple[Any, ...]:
        return Store, ()  # generated code is never pickled, not even along with a function that is


@dataclass
class Stores:
    """The stores of one function, by request and what is bound. Kept on the function, so that they go when it goes."""

    owner: Any
    stores: dict[tuple[Any, ...], Store] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Any, ...]:
        """Without what was generated, but with the texts: where the function goes by value, its file stays behind."""
        function = self.owner() if self.owner is not None else None
        return _restored, (_texts_with(function) if function is not None else [],)


def _texts_with(function: types.FunctionType) -> list[tuple[str, list[str]]]:
    """The texts of a function and of those that it calls which go with it, with the files that they are from."""
    found = {}
    made_of = [c.function for c in guards_of(function)[0] if isinstance(c, MadeOf)]
    for called in made_of:
        if called is function or not _is_importable(called):
            with contextlib.suppress(DerivationError):
                source = function_tree(called)
                found[source.file, id(source.lines)] = source.lines
    return [(file, lines) for (file, _), lines in found.items()]


def _is_importable(function: types.FunctionType) -> bool:
    """Does another process find a function by its name?"""
    module = sys.modules.get(function.__module__)
    return function.__module__ != "__main__" and getattr(module, function.__qualname__, None) is function


def _restored(texts: list[tuple[str, list[str]]]) -> Stores:
    for file, lines in texts:
        bring(file, lines)
    return Stores(None)


def store_of(function: types.FunctionType, asked: tuple[Any, ...]) -> Store:
    """The store of a function, by what it is asked for."""
    with deriving():
        known = function.__dict__.get("__s2sad__")
        # functools.wraps copies attributes to other functions: those have to have their own.
        if not isinstance(known, Stores) or known.owner is None or known.owner() is not function:
            known = function.__dict__["__s2sad__"] = Stores(weakref.ref(function))
        return known.stores.setdefault(asked, Store())
