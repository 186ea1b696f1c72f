"""What all parts of the lowering share: the state, the block being written, names, and the joining of paths."""

from __future__ import annotations

import collections
import contextlib
import copy
import dataclasses
import enum
import functools
import itertools
import sys
import types
from collections.abc import Callable as Function
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn

import gast
import numpy as np

from s2sad.analysis.changes import Changes
from s2sad.analysis.known_calls import CHANGE_FIRST
from s2sad.core import (
    Expr,
    Facts,
    OfNodes,
    Origin,
    Saved,
    Stmt,
    assign,
    atom_key,
    children,
    clone,
    copy_statement,
    load,
    quote,
    reads_any,
    text,
    walk,
    walk_names,
)
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import error_at
from s2sad.frontend.names import can_follow_a_dot
from s2sad.kinds import dims
from s2sad.kinds.bind import is_plain_class, own_meaning
from s2sad.kinds.dims import is_fixed
from s2sad.kinds.infer import binary_kind, infer
from s2sad.kinds.kind import (
    Array,
    Callable,
    Dict,
    Dim,
    Either,
    Kind,
    List,
    ListOf,
    Nothing,
    Number,
    Object,
    Records,
    Static,
    Text,
    Tuple,
    Unknown,
    of_one_field,
)
from s2sad.kinds.labelled import is_labelled
from s2sad.kinds.query import is_float_kind
from s2sad.normal.iterators import Asked
from s2sad.normal.jumps import last_reader
from s2sad.normal.tables import Group, Groups, Table
from s2sad.normal.values import (
    NOT_KNOWN,
    NUMBER_WITHIN,
    Choice,
    Closure,
    Conflict,
    DictObj,
    Instance,
    Keys,
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
    Unbound,
    Value,
    agreed,
    contents,
    is_known_a,
    is_none,
    keys_of,
)
from s2sad.runtime import helpers
from s2sad.runtime.decide import Look, Place, Seen, decide
from s2sad.runtime.identity import class_entry, held_attribute, is_gone


class Changed(frozenset[Any]):
    """The items of a set that was changed in place: in which order it gives them, its history says."""


class Restart(Exception):
    """The lowering learnt something that earlier statements depend on: start again with it."""


class Grows(Restart):
    """It learnt that lists have to be lists at run time."""

    def __init__(self, lists: list[int]) -> None:
        self.lists = lists
        super().__init__()


RUN_AGAIN = "an iterator is run through again: how much of it is left is not followed", ways.LIST
STALE = "this may be the same object as one that was changed under another name"
WRITES_TO_GLOBALS = ("writes to globals are not differentiated", "pass the value as an argument and return it")
NO_RESULT = "the result is None, which has no derivative"
STALE_WAY_OUT = "make a copy before it is changed, or choose with an if at the place where it is changed"


class Standing(NamedTuple):
    """A statement that is being lowered."""

    statement: Any
    frame: Any


@dataclass
class Frame:
    """A function being lowered: the user's own, or a callee that is written out at its call."""

    id: int
    source: Any
    parent: int | None
    #: names declared nonlocal or local-by-assignment
    bound: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    globals_declared: set[str] = field(default_factory=set)
    #: has what is lowered run to its end before, so that nothing in it raises?
    proven: bool = False
    #: who called it, and where
    caller: Frame | None = None
    call_node: Any = None
    #: what it was called with, and how many run-time branches and loops were open then
    arguments: dict[str, Any] | None = None
    branches: int = 0
    turning: int = 0
    #: the function that was called, with what it has captured; None for the user's own
    function: Any = None
    #: the place of the call
    site: Any = None


#: a lowering that began more often than this hands on all that it has learnt: else it is soon learnt again
MANY_STARTS = 4


@dataclass
class Decisions:
    """What a lowering learnt for the next try, by place in the program."""

    #: list displays that must be lists at run time, with the kind of their items
    dynamic: dict[Any, Kind] = field(default_factory=dict)
    varied_lists: set[Any] = field(default_factory=set)
    #: dicts that must be dicts at run time, and those whose items must be in a list, because they are active
    tables: set[Any] = field(default_factory=set)
    #: those of them that make an item where there is none: reading one changes the dict
    defaulting: set[Any] = field(default_factory=set)
    #: is some dict a defaultdict? What is read of a container that is not known may be one, then
    has_defaultdicts: bool = False
    unfit: set[Any] = field(default_factory=set)
    #: dicts of lists among those
    grouped: set[Any] = field(default_factory=set)
    #: dicts at run time that hold something else than positions
    no_places: set[Any] = field(default_factory=set)
    #: classes defined inside functions
    classes: dict[Any, type] = field(default_factory=dict)
    #: do conditions and other things whose result has no derivative change active values on the way?
    in_passing: bool = False
    #: calls whose arguments are objects that have methods for them
    on_objects: set[Any] = field(default_factory=set)
    #: loops with a known count that have to be written out
    unrolled: set[Any] = field(default_factory=set)
    #: branches whose paths are followed apart, and how far: so many of the statements behind are written out for each
    apart: dict[Any, int] = field(default_factory=dict)
    #: calls of functions whose results are of another form on each path: such a call is a branch
    calls_apart: set[Any] = field(default_factory=set)
    #: `a if c else b`, `a and b`, `a or b` inside of expressions, the same
    choices_apart: set[Any] = field(default_factory=set)
    #: globals that the function changes for a while: the identity of the namespace and the name, and the namespace
    module_globals: dict[tuple[int, str], dict[str, Any]] = field(default_factory=dict)
    #: operators, calls and displays of which a later operand overwrites what an earlier one reads: each gets a name
    ordered: set[Any] = field(default_factory=set)
    #: may lists that were passed get other lengths?
    resized: bool = False
    #: loop heads: the kinds and varied-ness that were found, by loop and slot
    heads: dict[Any, dict[Any, tuple[Kind, bool]]] = field(default_factory=dict)
    #: lists of which it became known what they hold
    learnt: set[Any] = field(default_factory=set)
    #: how often it was learnt of a list what was known already
    in_vain: dict[Any, int] = field(default_factory=dict)
    #: calls of any() and all() whose items have effects: not more of them are computed than are looked at
    step_by_step: set[Any] = field(default_factory=set)
    #: calls with nothing active in them that are looked into, because their results take in active values
    looked_into: set[Any] = field(default_factory=set)
    #: and those in which all calls are, as they choose a function that is called with active values
    looked_through: set[Any] = field(default_factory=set)
    #: are objects that are made where nothing is active followed, because active values go into their methods?
    objects_followed: bool = False
    #: what calls that stay calls may change
    changes: Changes = field(default_factory=Changes)
    #: calls with nothing active in them that return a number: of which kind, by the function and what it is given
    tried: dict[Any, Kind] = field(default_factory=dict)
    #: are loops in which lists grow written out, where it is known how often they turn?
    lists_apart: bool = False
    #: is an array that a variable index takes out of a short list followed by a branch for each item?
    lists_chosen: bool = False
    #: the variables (of the user, or of the compiler: "t") whose arrays are active from where they are made, because
    #: only the run knows into which of them active values go later
    active_arrays: frozenset[str] = frozenset()
    #: sets are changed in ways that only the run knows: they are sets of the run
    sets_change: bool = False
    #: lists that library functions return are changed: their lengths are not known
    lists_change: bool = False
    #: active values go into lists that others may hold by then: lists are active from where they are made
    lists_active: bool = False
    #: iterators of which somebody can tell when they compute their items (`s2sad.normal.in_steps`)
    in_steps: set[Any] = field(default_factory=set)
    #: what was decided before the lowering went on with a guess
    certain: dict[str, Any] | None = None
    guessed: frozenset[Any] = frozenset()
    #: how often the lowering began
    starts: int = 0
    #: of each time: what was known of lists then, and how far it came until it learnt more (`Base.where`), if it did
    steps: list[tuple[dict[str, Any], tuple[int, ...] | None]] = field(default_factory=list)

    def after(self, **given: Any) -> Decisions:
        """For a lowering that keeps other calls and begins with what is given: what was learnt about lists, and what
        calls return that were tried; all that was learnt, where that took many starts. (It may do without the rest:
        loops that it need not write out, say.)"""
        made = Decisions(**given)
        anew = {*given, "heads", "in_vain", "certain", "guessed", "changes", "classes"}
        all_fields = {f.name for f in dataclasses.fields(self)}
        for name in all_fields - anew if self.has_learnt_much() else ("steps", "tried", *OF_LISTS):
            setattr(made, name, copy.copy(getattr(self, name)))
        return made

    def known(self) -> dict[str, Any]:
        """What was learnt, to compare; what a try finds by the way is not told."""
        by_the_way = {"heads", "in_vain", "tried", "classes", "changes", "certain", "guessed", "starts", "steps"}
        names = (f.name for f in dataclasses.fields(self) if f.name not in by_the_way)
        return {name: copy.copy(getattr(self, name)) for name in names}

    def begin(self) -> None:
        """The lowering begins."""
        self.starts += 1
        self.steps.append(({name: copy.copy(getattr(self, name)) for name in OF_LISTS}, None))

    def came_to(self, place: tuple[int, ...]) -> None:
        """It came to this place, and begins again."""
        if self.steps and self.steps[-1][1] is None:
            self.steps[-1] = self.steps[-1][0], place

    def has_learnt_much(self) -> bool:
        """Would it take long to learn all of it once more?"""
        return self.starts > MANY_STARTS

    def begin_guessing(self) -> None:
        """From now on only what is learnt about lists counts: the rest may come of the guess."""
        kept = (*OF_LISTS, "in_vain", "heads", "certain", "guessed", "changes", "starts", "steps")
        fields = (f.name for f in dataclasses.fields(self) if f.name not in kept)
        self.certain = {name: copy.copy(getattr(self, name)) for name in fields}
        self.guessed = frozenset(self.dynamic)

    def end_guessing(self) -> None:
        """Forget what may come of the guess."""
        if self.certain is not None and self.guessed <= self.dynamic.keys():  # (else all is begun anew)
            for name, value in self.certain.items():
                setattr(self, name, value)
        self.certain = None

    def tell_apart(self, loop: Any, place: tuple[int, ...]) -> None:
        """The turns of a loop are written out: what was decided about lists since it began may not be needed then."""
        self.unrolled.add(loop)
        self.certain = None  # (what led here may come of a guess: it is not taken back)
        self.heads.clear()
        self.in_vain.clear()
        before = next((k for k, (_, at) in enumerate(self.steps) if not is_before(at, place)), len(self.steps) - 1)
        known = self.steps[before][0] if self.steps else {}
        del self.steps[before:]
        for name in OF_LISTS:
            setattr(self, name, copy.copy(known[name]) if known else type(getattr(self, name))())

    def forget_lists(self) -> None:
        """Lists are looked at otherwise from now on: which of them have to be lists at run time is found anew."""
        for held in (self.dynamic, self.varied_lists, self.learnt, self.steps):
            held.clear()

    def learn(self, site: Any, kind: Kind) -> None:
        """It becomes known what a list holds: what was found while it was not known is found anew."""
        if site in self.learnt or is_vague(kind):
            return
        self.learnt.add(site)
        self.heads.clear()
        for other, held in self.dynamic.items():
            if is_vague(held):
                self.dynamic[other] = None  # type: ignore[assignment]


#: what is decided about lists
OF_LISTS = ("dynamic", "varied_lists", "learnt")


def is_before(place: tuple[int, ...] | None, other: tuple[int, ...]) -> bool:
    """Is what stands at a place done before what stands at the other begins? (None: it is not known where it is.)

    >>> is_before((9, 2), (9, 3)), is_before((9, 2), (9, 2, 5)), is_before((10,), (9, 3))
    (True, False, False)
    """
    return place is not None and place < other and other[: len(place)] != place


def is_vague(kind: Kind | None) -> bool:
    """Is it not known what a value of this kind, or a part of it, is?"""
    if isinstance(kind, (Tuple, List)):
        return any(map(is_vague, kind.items))
    if isinstance(kind, ListOf):
        return is_vague(kind.item)
    return isinstance(kind, Unknown) and not isinstance(kind, Text)


def may_hold_list(kind: Kind) -> bool:
    """May a value of this kind be a list, for all that is known?"""
    return isinstance(kind, Unknown) and not isinstance(kind, (Text, Either))


def join_kinds(a: Kind, b: Kind, fresh_symbol: Function[[], Dim]) -> Kind:
    """The kind of a value that has kind a on one path and b on another."""
    if isinstance(a, Number) and isinstance(b, Number) and not (a == b and a.types == b.types):
        types = a.of_types() | b.of_types()
        return Number(_common_type(a.type, b.type), types=types if len(types) > 1 else frozenset())
    mixed = isinstance(a, Array) and isinstance(b, Array) and (a.mixed or b.mixed or a.dtype != b.dtype)
    if a == b and not mixed:
        return a
    if isinstance(a, Array) and isinstance(b, Array):
        dtype = np.promote_types(a.dtype, b.dtype)
        if a.shape is None or b.shape is None or len(a.shape) != len(b.shape):
            return Array(dtype, None, mixed=mixed)
        pairs = zip(a.shape, b.shape, strict=True)
        return Array(dtype, tuple(p if p == q else dims.either(fresh_symbol(), p, q) for p, q in pairs), mixed=mixed)
    if isinstance(a, Nothing) or isinstance(b, Nothing):
        return b if isinstance(a, Nothing) else a
    if isinstance(a, (ListOf, List)) and isinstance(b, (ListOf, List)) and not same_length(a, b):
        kind: Kind = Nothing()
        for item in (*items_of(a), *items_of(b)):
            kind = join_kinds(kind, item, fresh_symbol)
        return ListOf(kind)
    if isinstance(a, Tuple) and isinstance(b, Tuple) and len(a.items) == len(b.items) and a.cls is b.cls:
        return Tuple(tuple(join_kinds(p, q, fresh_symbol) for p, q in zip(a.items, b.items, strict=True)), a.cls)
    if isinstance(a, List) and isinstance(b, List) and len(a.items) == len(b.items):
        return List(tuple(join_kinds(p, q, fresh_symbol) for p, q in zip(a.items, b.items, strict=True)))
    if isinstance(a, Static) and isinstance(b, Static) and isinstance(a.value, bool) and isinstance(b.value, bool):
        return Number(bool)
    if any(isinstance(k, (Array, Either)) for k in (a, b)):
        return join_array(a, b, fresh_symbol)
    if all(isinstance(k, Text) or (isinstance(k, Static) and type(k.value) is str) for k in (a, b)):
        return Text()
    if isinstance(a, Static) and isinstance(a.value, bool) and isinstance(b, Number):
        return join_kinds(Number(bool), b, fresh_symbol)
    if isinstance(b, Static) and isinstance(b.value, bool) and isinstance(a, Number):
        return join_kinds(a, Number(bool), fresh_symbol)
    return Unknown()


def _common_type(a: type, b: type) -> type:
    """The type of what arithmetic with numbers of both types gives."""
    if a is b:
        return a
    ranked = [bool, int, float, np.float32, np.float64, complex, np.complex128]
    if all(issubclass(t, (int, np.integer)) and t is not bool for t in (a, b)):
        return np.int64  # of Python's and NumPy's ints
    known = [t for t in (a, b) if t in ranked]
    return max(known, key=ranked.index) if len(known) == 2 else float


def join_array(a: Kind, b: Kind, fresh_symbol: Function[[], Dim]) -> Kind:
    """The kind of what is an array on one path, and an array, a number or None on the other."""
    alternatives = [k for kind in (a, b) for k in (kind.alternatives if isinstance(kind, Either) else (kind,))]
    arrays: list[Kind] = [k for k in alternatives if isinstance(k, Array)]
    others = [plain_number(k) for k in alternatives if not isinstance(k, Array)]
    array, other = arrays[0], others[0]
    for one in arrays[1:]:
        array = join_kinds(array, one, fresh_symbol)
    assert isinstance(array, Array)
    if array.shape in (None, ()) or not all(isinstance(k, (Number, Static)) for k in others):
        return Unknown()
    for one in others[1:]:
        other = join_kinds(other, one, fresh_symbol)
    if isinstance(other, Number) and of_one_field(array, other):
        return Either(array, other)
    return Either(array, other) if isinstance(other, Static) and other.value is None else Unknown()


def is_python_number(value: Any) -> bool:
    """Is it one of Python's numbers? A member of an IntEnum is more: `is` and `.name` tell it from its int."""
    return isinstance(value, (bool, int, float, complex)) and not isinstance(value, enum.Enum)


def plain_number(kind: Kind) -> Kind:
    """The kind of a number without its value."""
    if isinstance(kind, Static) and is_python_number(kind.value):
        return Number(type(kind.value))
    return Number(kind.type, types=kind.types) if isinstance(kind, Number) else kind


def same_length(a: Kind, b: Kind) -> bool:
    """Are both lists of known length, with as many items?"""
    return isinstance(a, List) and isinstance(b, List) and len(a.items) == len(b.items)


def items_of(kind: List | ListOf) -> tuple[Kind, ...]:
    """The kinds of the items of a list: one for all of them where its length is not known."""
    return kind.items if isinstance(kind, List) else (kind.item,)


def is_list_of_the_run(value: Value) -> bool:
    """Is it a list, a dict or a tuple that is read at run time?"""
    return isinstance(value, Leaf) and isinstance(value.kind, (ListOf, List, Dict, Tuple))


class Base:
    """State and services of one lowering."""

    #: the core functions of the program (`Recursion` makes it)
    program: Any

    def __init__(self, facts: Facts, decisions: Decisions) -> None:
        self.facts = facts
        self.decisions = decisions
        self.state = State()
        self.block: list[Stmt] = []
        self.frames: dict[int, Frame] = {}
        self.frame: Frame = Frame(-1, None, None)
        self.node: Any = None
        self.origin: Origin | None = None
        self.passive = 0
        #: is what is lowered on its way to a raise that nothing catches?
        self.raising = 0
        #: names of active values that were computed where no derivative was thought to be needed
        self.made_passively: set[str] = set()
        #: the same, of what is around a call whose arguments are lowered as active ones
        self.suspended = 0
        self.loops: list[Any] = []
        #: where the function being lowered returns: states, blocks and values
        self.returns: list[tuple[State, list[Stmt], Value]] = []
        self.call_path: tuple[Any, ...] = ()
        #: how many calls are open that are looked through
        self.through = 0
        self.counter = 0
        self.budget = 6000
        self.site_of: dict[str, Any] = {}
        #: names of lists that are one of several, and where these were made
        self.joined_sites: dict[str, frozenset[Any]] = {}
        #: lists at run time that were taken from one: its name, and which part of the item (empty: all of it)
        self.part_of: dict[str, tuple[str, tuple[int, ...]]] = {}
        #: was something put in the place of what only the next try knows? Then there is one, whatever comes
        self.owes_restart = False
        #: may that be done; and how many core functions were there before
        self.may_guess = False
        self.certain_functions = 0
        #: the kinds of operations that were left as they are while this statement is lowered, by their expressions
        self.nested_kinds: dict[int, tuple[Expr, Kind]] = {}
        self.alias: dict[str, str] = {}
        #: did an expression that was kept as it is hide that its value depends on the wrt arguments?
        self.lost = False
        #: is an expression being lowered whose parts cannot be computed by statements before it?
        self.text_only = 0
        #: names that values hold which are in no variable yet: they are not to be renamed
        self.pinned: set[str] = set()
        #: the block that the user's statement that is being lowered began in, and how many statements it had
        self.begun: tuple[Any, int] = (None, 0)
        #: is the program lowered, and only its result still to be built?
        #: the frames in which the classes of methods were defined
        self.class_frames: dict[Any, int] = {}
        #: the length limits of deques that are lists at run time, by name
        self.limits: dict[str, Value] = {}
        #: functions that are cached, and whose results may be changed in place: the identities of their trees
        self.cached: set[int] = set()
        #: all functions that are cached, by the identities of their trees
        self.memoized: set[int] = set()
        #: where deques were made that are lists at run time
        self.deques_made: set[Any] = set()
        #: the values that a name may have, where each is known: None, a text, numbers
        self.cases: dict[str, tuple[Any, ...]] = {}
        #: names of run-time lists that stand for tuples; and has there been one at all?
        self.tuples: set[str] = set()
        self.tuples_made = False
        #: whose memory has been stored into, one store after the other
        self.stores_made: list[str] = []
        #: what loops run over whose items or number were looked up before the first turn: whose memory it is, and how
        #: many changes there had been; of a run-time list, whose items are looked up turn by turn, those of its length
        self.listings: list[tuple[str, int, list[str]]] = []
        #: what iterators that run-time lists stand for read, by name, and views of dicts, by frame and variable; and
        #: the frames whose variables iterators read (`s2sad.normal.watch`)
        self.watched: dict[str, Any] = {}
        self.watched_variables: dict[tuple[int, str], tuple[Value, Any]] = {}
        self.watched_frames: dict[int, None] = {}
        #: containers of which nothing is known but the call that made them, by name
        self.handed_out: dict[str, Any] = {}
        #: what calls of the user's functions that stay calls have made, of a kind that is not known, and where they are
        self.made_by: dict[str, Any] = {}
        #: containers of which it is being asked whether they hold active values
        self.asked_of: set[int] = set()
        self.being_copied: set[int] = set()
        #: what names are bound to whose kind is not known: parts of what is not looked into
        self.of_unknown_form: dict[str, Expr] = {}
        #: which run-time lists were changed, one change after the other
        self.lists_changed: list[str] = []
        #: which got another length
        self.lists_resized: list[str] = []
        self.changes = (self.stores_made, self.lists_changed, self.lists_resized)
        #: the lengths that lists at run time came with, by the paths to them
        self.lengths: dict[str, int] = {}
        #: names of run-time lists that were made under these names
        self.made_here: set[str] = set()
        #: names of what was read out of containers, arrays and objects
        self.read_out: set[str] = set()
        #: names of what `array.flat` gave; and which of these may be another array, on other paths
        self.flats: set[str] = set()
        self.half_flats: set[str] = set()
        #: names of items taken from run-time lists
        self.list_items: set[str] = set()
        #: names that some paths leave unbound, with the blocks of these paths
        self.partly: dict[str, list[list[Stmt]]] = {}
        self.finished = False
        #: names of dicts that are dicts at run time, with the places where they were made
        self.table_of: dict[str, Any] = {}
        #: how many calls are being tried for the kind of what they return
        self.trials = 0
        #: containers that are kept when their state is gone: those of the arguments, templates of what loops carry
        self.template_heap: dict[int, Any] = {}
        #: dicts whose keys only the run knows that loops run over: the names of the lists of their items
        self.tables_run_over: list[str] = []
        #: the function whose result is differentiated; None where a function is lowered that is only called by it
        self.outermost: Frame | None = None
        #: functions that are defined in the one being lowered: the block that each is defined in, and its attributes
        self.defined_in: dict[Closure, list[Stmt]] = {}
        self.set_on: dict[Closure, dict[str, Any]] = {}
        #: is an expression made for something that shows or keeps what it is given?
        self.shown_whole = False
        #: names that hold text made of active values
        self.texts: set[str] = set()
        #: names of exceptions that may carry active values: that were caught, or made of these
        self.caught: set[str] = set()
        #: names that have a value on some paths only
        self.partly_bound: set[str] = set()
        #: values of names that a loop binds which may not turn, by their ids
        self.unsure: dict[int, Value] = {}
        #: what variables hold that were bound on some paths only, and have not been read since
        self.perhaps_unbound: dict[int, Value] = {}
        #: names of arrays whose shape was changed in place, with the names of what they are since then
        self.reshaped: dict[str, str] = {}
        #: loops being lowered, through all calls: their places and how often they turn, where that is known
        self.turning: list[tuple[Any, int | None]] = []
        #: which turn of a loop that is written out is being lowered, by its frame and the loop's identity
        self.written_out_turn: dict[tuple[int, int], int] = {}
        #: does a loop, or an iterator, ask an object for its iterator?
        self.asked_by_loop = 0
        #: how many statements the body of the loop has whose turns are being found; 0 where this says nothing
        self.body_size = 0
        #: is what a loop runs over being looked at again?
        self.looking_again = 0
        #: are the arguments of a call written that is not looked into?
        self.looking = 0
        #: how many loops at run time are around, through all calls
        self.in_loops = 0
        #: the loops in which run-time lists grew
        self.growing: dict[tuple[Any, int | None], None] = {}
        #: the state at the start of a turn of the loop that is being settled
        self.turn_start = State()
        #: the user's name for what is being made
        self.hint = ""
        #: was a path left out, because it needs the result of a recursion that is not known yet?
        self.diverged = False
        #: how often a global was changed
        self.global_writes = 0
        #: functions whose calls stay calls, which may change what globals hold, and where that is
        self.called_outside: list[tuple[Any, Frame, Any]] = []
        self.last_write: tuple[Frame, Any] = (self.frame, None)
        #: containers outside of the function: those in which something is put (active or not, and where), those that
        #: are read, and those by which something is decided at derivation
        self.outer_filled: dict[int, tuple[Any, bool, Frame, Any]] = {}
        self.outer_read: dict[int, Any] = {}
        self.outer_counted: dict[int, Any] = {}
        #: the containers that the run has copies of, and the loops in which containers are changed
        self.copied: set[int] = set()
        self.keeping = 0  # is what is written out now kept by a container of the run?
        #: the containers that were written out last: what they are handed to may keep them
        self.shown_containers: list[Value] = []
        #: names of lists of the run that somebody else may hold, and of those that were made here
        self.lists_given: set[str] = set()
        self.new_lists: set[str] = set()
        #: names of what may be a list, where it is not known what it is
        self.may_be_lists: set[str] = set()
        #: names of sets that the run makes: no frozensets, which do not change
        self.sets_made: set[str] = set()
        #: names of arrays that objects of libraries hold
        self.in_objects: set[str] = set()
        #: the containers among the heads of a loop: where they are carried, and which they are on entry
        self.head_containers: list[tuple[Any, int, int | None]] = []
        #: containers that hold what another one held, which was taken apart: the other, and what it is now
        self.twins: dict[int, list[int]] = {}
        self.changed_in: dict[int, set[int]] = {}
        #: the containers among the arguments that are changed: a parameter, and the keys or attributes that lead there;
        #: and where that happens first
        self.changed_arguments: dict[tuple[Any, ...], tuple[Any, Any]] = {}
        #: how many branches by run-time tests are being lowered, through all calls
        self.branches = 0
        #: the branch behind which paths are joined, where they can be followed apart
        self.joined: Any = None
        #: a call whose paths are followed apart, while it is lowered: the frame it stands in, the call, what is called
        self.leaving: tuple[Frame, Any, Value] | None = None
        #: what stands behind branches in their lists of statements, and the statements that are being lowered
        self.behind: dict[Any, list[Any]] = {}
        self.standing: list[Standing] = []
        #: where the loops of the run began; and where something was learnt that earlier statements depend on
        self.loop_places: dict[Any, tuple[int, ...]] = {}
        self.learnt_at: tuple[int, ...] | None = None
        #: the bodies of try statements that are being lowered for their exceptions; and was there one at all?
        self.attempts: list[Any] = []
        self.tried = False

    # --- names, positions, errors

    def next_id(self) -> int:
        self.counter += 1
        return self.counter

    def symbol(self, stem: str = "s") -> Dim:
        return Dim.symbol(f"{stem}@{self.next_id()}")

    def refuse(
        self,
        reason: str,
        way_out: str,
        node: Any = None,
        raises: BaseException | None = None,
        concrete: bool = False,
        recursion: bool = False,
        storing: bool = False,
    ) -> NoReturn:
        """Give up.

        Args:
            raises: the exception that the program raises at this place for certain.
            concrete: may it help to know lengths and ints?
            recursion: would it help to follow recursions as core functions?
            storing: is it the store that raises, when its value has been computed?
        """
        error = error_at(*self.place(node), reason, way_out)
        error.exception = raises  # type: ignore[attr-defined]
        error.concrete = concrete  # type: ignore[attr-defined]
        error.recursion = recursion  # type: ignore[attr-defined]
        error.storing = storing  # type: ignore[attr-defined]
        error.level = self.branches, len(self.turning)  # type: ignore[attr-defined]
        raise error

    def place(self, node: Any = None) -> tuple[Any, Any]:
        """A construct, or the one being lowered, and the source that the user sees it in: not the text of a rule."""
        frame, place = self.frame, node if node is not None else self.node
        while getattr(frame.source, "library", False) and frame.caller is not None:
            place, frame = frame.call_node, frame.caller
        return place, frame.source

    def site(self, node: Any) -> Any:
        return (*self.call_path, getattr(node, "lineno", 0), getattr(node, "col_offset", 0), type(node).__name__)

    def site_of_call(self, node: Any) -> Any:
        """The place of a call, which tells apart those of `f(x).g(y)`: both begin there."""
        return (*self.site(node), getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0))

    def set_origin(self, statement: Any) -> None:
        source = self.frame.source
        self.node = statement
        if getattr(source, "library", False):
            return
        line, end = statement.lineno, getattr(statement, "end_lineno", statement.lineno)
        if isinstance(statement, (gast.If, gast.For, gast.While, gast.With, gast.FunctionDef)):
            inner = statement.body[0]
            end = max(line, (inner.lineno if inner.lineno == line else inner.lineno - 1))
        key = (source.file, line, end)
        cached = _ORIGINS.get(key)
        first = source.line(line)
        if cached is None or cached[0] != first:
            lines = [source.line(k) for k in range(line, min(end, line + 8) + 1)]
            words = " ".join(part for part in (_uncommented(x).strip() for x in lines) if part)
            cached = (first, Origin(source.file, line, words))
            if len(_ORIGINS) > 20000:
                _ORIGINS.clear()
            _ORIGINS[key] = cached
        self.origin = cached[1]

    # --- trying

    def checkpoint(self) -> tuple[Saved, int, int]:
        f = self.facts
        watches = (self.watched, self.watched_variables, self.handed_out, self.made_by, self.made_passively)
        names = (self.alias, self.site_of, self.joined_sites, self.part_of, self.limits, self.cases, self.reshaped)
        tables = (*names, *watches)
        marks = (self.made_here, self.list_items, self.table_of, self.texts, self.caught, self.tuples)
        held = (self.lists_given, self.new_lists, self.may_be_lists, self.sets_made, self.in_objects)
        outer = (self.outer_filled, self.outer_read, self.outer_counted, self.changed_arguments)
        copies = (self.copied, self.changed_in, f.unlike, self.read_out, self.flats, self.half_flats)
        jumps = [jumped for c in self.loops for jumped in (c.breaks, c.continues, c.leaving)]
        lists = (self.returns, self.listings, *self.changes, self.called_outside, *jumps)
        facts = (f.taken, f.kinds, f.temps, f.varied, f.globals, f.user_name)
        saved = Saved([*facts, *tables, *marks, *held, *outer, *copies, *lists])
        return saved, self.counter, self.budget

    def restore(self, checkpoint: tuple[Saved, int, int]) -> None:
        saved, self.counter, self.budget = checkpoint
        saved.restore()

    def there(self, value: Value) -> Value:
        """A tuple that may be None as the tuple: where it is taken apart, it is there.

        In the body of a try that waits for a TypeError, None raises it, as a number that may be None does:

        z = y + 1.0        ->        if no_y:
                                         raise TypeError("None is no number")
                                     z = y + 1.0
        """
        if isinstance(value, Maybe) and self.attempts and self.waits_for(TypeError):
            if self.text_only:
                self.refuse("a try that waits for a TypeError of what may be None", ways.ASK)
            reason = "None is no number" if isinstance(value.value, Leaf) else "None has no items"
            error = quote("TypeError(m)", m=gast.Constant(reason, None))
            self.write(gast.If(self.expression(value.none), [gast.Raise(error, None)], []))
        return tuple_of(value)

    # --- questions that later parts answer

    def waits_for(self, exception: type[BaseException]) -> bool:
        """May a try catch this exception, whose body is being lowered for what it raises?"""
        raise NotImplementedError

    def class_of(self, value: Value) -> type | None:
        """The class of a value, where it is known."""
        raise NotImplementedError

    def set_method(self, owner: Known, name: str, args: list[Value]) -> Value:
        """A method that changes a set whose items are known."""
        raise NotImplementedError

    def check_watch(self, watch: Any) -> None:
        """Refuse to run through an iterator where what it reads has changed."""
        raise NotImplementedError

    def memory_root(self, expr: Expr) -> str | None:
        """The name whose memory the value of an expression may share."""
        raise NotImplementedError

    def root_of(self, key: str) -> str:
        """The name whose memory a name shares in the end."""
        raise NotImplementedError

    def held(self, value: Value, stem: str = "t") -> Value:
        """The value in a form that may be read more than once."""
        raise NotImplementedError

    def textual(self, value: Value) -> bool:
        """Has the value a form at run time?"""
        raise NotImplementedError

    def may_stop(self, statements: Iterable[Stmt], trial: Any) -> bool:
        """May one of these statements raise what a try is for?"""
        raise NotImplementedError

    def changed_before(self, ids: Iterable[int]) -> None:
        """Containers or frames are written to: note for which trials they are from before."""
        raise NotImplementedError

    def note_memory(self, name: str, value: Expr, kind: Kind) -> None:
        """What a new name stands for: a list, a set, a text of active values, memory that has a name already."""
        raise NotImplementedError

    def too_large(self) -> None:
        """The budget of statements is used up: what could be done about it, before the function is refused."""

    # --- writing core statements

    def write(self, statement: Stmt) -> Stmt:
        for trial in self.attempts:
            if trial.changed and trial.torn is None and self.may_stop([statement], trial):
                trial.torn = trial.statement
        self.budget -= 1
        if self.budget < 0:
            self.too_large()
            self.refuse(
                "the function becomes too large when its calls and paths are written out",
                "split it, or register a rule for the helper that repeats",
            )
        statement.origin = self.origin
        self.block.append(statement)
        return statement

    def define(
        self,
        stem: str,
        value: Expr,
        kind: Kind,
        *,
        varied: bool = False,
        temp: bool = True,
        user: str | None = None,
    ) -> Leaf:
        """Write `name = value` for a new name and return the leaf that reads it."""
        name = self.facts.fresh(stem, temp=temp)
        if user is not None:
            self.facts.user_name[name] = user
        self.facts.kinds[name] = kind
        varied = varied or self.active_when_made(kind, stem)
        if varied and isinstance(kind, Records) and kind.dtype.kind != "O":
            self.refuse(f"active values in an array of dtype {kind.dtype}", ways.FLOATS)
        if isinstance(kind, ListOf) and is_new_list(value, not isinstance(kind.item, Number)):
            self.new_lists.add(name)
        if isinstance(kind, Unknown) and isinstance(value, gast.Subscript) and not varied:
            self.of_unknown_form[name] = value
        if isinstance(value, (gast.Subscript, gast.Attribute)):
            self.read_out.add(name)
        if varied:
            self.facts.varied.add(name)
            if self.passive and not isinstance(value, (gast.Name, gast.Subscript, gast.Attribute)):
                self.made_passively.add(name)
        self.write(assign(name, value))
        self.note_memory(name, value, kind)
        return Leaf(load(name), kind, varied)

    def is_exception(self, value: Value) -> bool:
        """Is it an exception that may carry active values?"""
        return isinstance(value, Leaf) and atom_key(value.expr) in self.caught

    def active_when_made(self, kind: Kind, stem: str) -> bool:
        """Is a list of this kind, or an array, active from where it is made, because active values go in later?"""
        if self.passive or not is_float_kind(kind):
            return False
        if isinstance(kind, Array):
            return stem in self.decisions.active_arrays
        return self.decisions.lists_active and isinstance(kind, ListOf)

    def sites(self, name: str) -> frozenset[Any]:
        """Where a list was made, or the lists of which it is one."""
        return frozenset((self.site_of[name],)) if name in self.site_of else self.joined_sites.get(name, frozenset())

    def gets_active(self, lst: Leaf) -> None:
        """A list becomes active: from the start, where somebody else may hold it by now."""
        if lst.varied or self.passive or self.decisions.lists_active:
            return
        names = {atom_key(lst.expr), self.root_of(atom_key(lst.expr))}
        if names & self.lists_given or not names & self.new_lists:
            self.decisions.lists_active = True
            raise Restart

    def given_on(self, leaf: Leaf) -> None:
        """A list of the run is read as a whole: somebody else may hold it from now on."""
        if isinstance(leaf.kind, ListOf) and not leaf.nested:
            self.lists_given.add(atom_key(leaf.expr))

    def anchor(self, value: Value, stem: str = "t") -> Leaf:
        """The value as an atom: a name, a constant, or a path into an argument."""
        leaf = self.leaf(value)
        if not leaf.nested:
            return leaf
        if leaf.varied and not self.passive and not isinstance(leaf.expr, (gast.Name, gast.Subscript, gast.Attribute)):
            self.refuse("active values in a form that is not followed here", ways.OWN_STATEMENT)
        new = self.define(stem, leaf.expr, leaf.kind, varied=leaf.varied)
        return Leaf(new.expr, leaf.kind, new.varied, leaf.const)

    def is_text_of_active(self, expr: Expr) -> bool:
        """Does an expression hold text that active values were written into?"""
        return self._may_hold_text(expr) and self._holds_text(expr, self.facts.varied, self.texts)

    def _may_hold_text(self, expr: Expr) -> bool:
        """Is there anything in an expression that may be text? (A quick question, for most have nothing of it.)"""
        texts = self.texts
        for node in walk(expr):
            cls = type(node)
            if cls is gast.Name:
                if node.id in texts:
                    return True
            elif cls is gast.Call:
                if getattr(node.func, "id", getattr(node.func, "attr", "")) in _MAKES_TEXT:
                    return True
            elif cls is gast.JoinedStr or (cls is gast.BinOp and type(node.op) is gast.Mod):
                return True
        return False

    def _holds_text(self, node: Any, active: set[str], texts: set[str]) -> bool:
        if isinstance(node, gast.Name):
            return node.id in texts
        if isinstance(node, (gast.ListComp, gast.SetComp, gast.GeneratorExp, gast.DictComp)):
            for one in node.generators:
                names = {n.id for n in walk_names(one.target)}
                texts = texts | names if self._holds_text(one.iter, active, texts) else texts
                active = active | names if reads_any(one.iter, active) else active
            items = (node.key, node.value) if isinstance(node, gast.DictComp) else (node.elt,)
            return any(self._holds_text(item, active, texts) for item in items)
        text_made = isinstance(node, gast.JoinedStr) or (
            isinstance(node, gast.Call)
            and isinstance(node.func, (gast.Name, gast.Attribute))
            and getattr(node.func, "id", getattr(node.func, "attr", ""))
            in _MAKES_TEXT
        )
        if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Mod):  # "%.3f" % x
            text_made = isinstance(node.left, gast.JoinedStr) or isinstance(getattr(node.left, "value", 0), str)
        if text_made and reads_any(node, active):
            return True
        if isinstance(node, (gast.Call, gast.Compare)):
            kind = self.infer(node)
            if isinstance(kind, Number) and not is_float_kind(kind):
                return False  # its length, say
        return any(self._holds_text(part, active, texts) for part in children(node))

    def check_not_read_back(self, expr: Expr, kind: Kind | None = None) -> None:
        """Refuse numbers (or what is of this kind, if they are) that are made of text with active values written in."""
        numbers = kind is None or (is_float_kind(kind) and not isinstance(kind, Unknown))
        if numbers and not self.passive and self.is_text_of_active(expr):
            self.refuse(
                "an active value is read back from text, which loses its derivative", "keep the number beside the text"
            )

    def pin(self, values: Iterable[Value]) -> None:
        """Values that are kept for later turns of a loop that is written out keep their names."""
        for value in values:
            if isinstance(value, Leaf):
                self.pinned.update(n.id for n in walk_names(value.expr))
            elif isinstance(value, Tup):
                self.pin(value.items)

    def leaf(self, value: Value) -> Leaf:
        """The value as a run-time value."""
        if isinstance(value, Leaf):
            return value
        if isinstance(value, Unbound):
            self.refuse("this name has no value on this path", ways.VALUE_BEFORE)
        if isinstance(value, Conflict):
            self.conflict(value)
        if isinstance(value, Maybe):
            return self.leaf(value.value)
        return Leaf(
            self.expression(value), self.kind(value), self.is_varied(value), nested=not isinstance(value, Known)
        )

    # --- facts about values

    def kind(self, value: Value) -> Kind:
        if isinstance(value, Leaf):
            return value.kind
        if isinstance(value, Known):
            return Callable(value.itself) if value.can_be_called else Static(value.ask(Look.KIND))
        if isinstance(value, Tup):
            cls = tuple if value.cls is Keys else value.cls
            return Tuple(tuple(map(self.kind_of_part, value.items)), cls)
        if isinstance(value, Ref):
            obj = self.state.heap[value.id]
            if isinstance(obj, ListObj):
                return List(tuple(map(self.kind_of_part, obj.items)))
            if isinstance(obj, DictObj) and obj.factory is not None and not self.is_varied(value):
                return Object(obj.cls)
            if isinstance(obj, DictObj):
                return Dict(tuple((k, self.kind_of_part(v)) for k, v in obj.items.items()), obj.cls)
            return Object(obj.cls, tuple((k, self.kind_of_part(v)) for k, v in obj.attributes.items()))
        if isinstance(value, Maybe):
            return self.kind(value.value)
        if isinstance(value, (Closure, Method, Partial)):
            owner = value.owner if isinstance(value, Method) else None
            unknown = isinstance(owner, Leaf) and isinstance(owner.kind, (Unknown, Object))
            return Unknown() if unknown else Callable(None)  # it may be any attribute
        return Unknown()

    def kind_of_part(self, value: Value) -> Kind:
        """The kind of a part of a container: of what may be None, both."""
        return self.whole_kind(value) if isinstance(value, Maybe) else self.kind(value)

    def deque_of(self, items: Expr, limit: int | None) -> Expr:
        """The text that makes a deque with items that are known one by one."""
        makes = load(self.global_name("deque", collections.deque))
        return gast.Call(makes, [items, *([] if limit is None else [gast.Constant(limit, None)])], [])

    def defaultdict_of(self, factory: Value, display: Any) -> Expr:
        """The text that makes a defaultdict with the items of a dict."""
        makes = load(self.global_name("defaultdict", collections.defaultdict))
        return gast.Call(makes, [self.expression(factory), *([display] if display.keys else [])], [])

    def whole_kind(self, value: Value) -> Kind:
        """The kind of what a call returned that stays a call: parts that may be None are of the kind of both."""
        if isinstance(value, Maybe):
            return join_kinds(self.kind(value.value), Static(None), self.symbol)
        if isinstance(value, Tup):
            return Tuple(tuple(map(self.whole_kind, value.items)), tuple if value.cls is Keys else value.cls)
        obj = self.state.heap[value.id] if isinstance(value, Ref) else None
        if isinstance(obj, Instance):
            return Object(obj.cls, tuple((k, self.whole_kind(v)) for k, v in obj.attributes.items()))
        return self.kind_in_run(value)

    def kind_in_run(self, value: Value) -> Kind:
        """The kind of a value that stands in a container of the run, or is what a call returns: that of a defaultdict
        tells that reading it may change it."""
        if isinstance(value, Leaf) and self.table_of.get(atom_key(value.expr)) in self.decisions.defaulting:
            return Object(collections.defaultdict)
        return self.settled(self.kind(value))

    def is_flat(self, value: Value) -> bool:
        """Is it what `array.flat` gives? What is stored into it goes into the array, but its slices are copies."""
        if not isinstance(value, Leaf):
            return False
        if isinstance(value.expr, gast.Name):
            return value.expr.id in self.flats
        return getattr(value.expr, "flat", False) is True

    def is_varied_memory(self, leaf: Leaf) -> bool:
        """Has anything active been stored in the memory of a leaf? One that stands in no variable, such as what a loop
        runs over, does not learn of it otherwise."""
        if not isinstance(leaf.kind, (Array, ListOf)) or not is_float_kind(leaf.kind):
            return False
        key = atom_key(leaf.expr)
        while key not in self.facts.varied:
            if key not in self.alias:
                return False
            key = self.alias[key]
        return True

    def is_varied(self, value: Value) -> bool:
        if isinstance(value, Leaf):
            return value.varied or (not value.nested and self.is_varied_memory(value))
        if isinstance(value, Maybe):
            return self.is_varied(value.value)
        if isinstance(value, Tup):
            return any(self.is_varied(v) for v in value.items)
        if isinstance(value, Ref):
            if value.id in self.asked_of:
                return False  # it holds itself: what else it holds is being asked
            self.asked_of.add(value.id)
            try:
                return any(self.is_varied(v) for v in contents(self.state.heap[value.id]).values())
            finally:
                self.asked_of.discard(value.id)
        if isinstance(value, Method):
            return self.is_varied(value.owner) or self.is_varied(value.function)
        if isinstance(value, (Partial, Lazy)):
            return any(self.is_varied(v) for v in value.args) or any(self.is_varied(v) for _, v in value.kwargs)
        if isinstance(value, Closure) and any(
            d is not None and self.is_varied(d) for d in (*value.defaults, *value.kw_defaults)
        ):
            return True
        if isinstance(value, Closure) and value.frame is not None:
            free = _free_names(value.source.tree)
            frame: int | None = value.frame
            while frame is not None:
                for name, held in self.state.frames.get(frame, {}).items():
                    if name in free and not isinstance(held, Closure) and self.is_varied(held):
                        return True
                frame = self.frames[frame].parent
        return False

    def expression(self, value: Value) -> Expr:
        """The value as an expression that builds or reads it."""
        if isinstance(value, Leaf):
            self.given_on(value)
            return self.with_fields(value) if self.shown_whole and has_fields(value.kind) else clone(value.expr)
        if isinstance(value, Maybe):
            return self.expression(value.value)
        if isinstance(value, Known):
            held = value.itself
            if type(held) in OUTER:
                self.outer_read[id(held)] = held
            if isinstance(held, Changed):
                self.sets_of_the_run()
            if is_set(held):
                self.shown_containers.append(value)
                if self.keeping:
                    self.copy_made(value)
            if value.expr is not None:
                return clone(value.expr)
            plain = isinstance(held, (bool, str, type(None), bytes, int, float, complex, type(Ellipsis)))
            if isinstance(held, enum.Enum):
                plain = False
            if plain and not (isinstance(held, float) and held != held):
                return gast.Constant(held, None)
            return load(self.global_name(held_attribute(held, "__name__") or "constant", held))
        if isinstance(value, Tup):
            items = [self.part(v) for v in value.items]
            if value.cls in (tuple, Keys):
                return gast.Tuple(items, gast.Load())
            given = items if hasattr(value.cls, "_fields") else [gast.Tuple(items, gast.Load())]
            return gast.Call(load(self.global_name(value.cls.__name__, value.cls)), given, [])
        if isinstance(value, Ref):
            obj = self.state.heap[value.id]
            self.fresh(obj)
            if isinstance(obj, ListObj) and obj.once and (obj.spent or self.note_run(value.id)):
                self.ask_in_steps(self.made_at(value))
                self.refuse(*RUN_AGAIN)
            if obj.expr is not None and not self.is_stirred(obj):
                return clone(obj.expr)
            if isinstance(obj, (ListObj, DictObj)):
                self.shown_containers.append(value)
            if self.keeping and isinstance(obj, (ListObj, DictObj)):
                self.copy_made(value)
            if isinstance(obj, ListObj):
                items = gast.List([self.part(v) for v in obj.items], gast.Load())
                return items if obj.cls is list and obj.limit is None else self.deque_of(items, obj.limit)
            if isinstance(obj, DictObj):
                display = gast.Dict(
                    [self.expression(Known(k)) for k in obj.items], list(map(self.part, obj.items.values()))
                )
                if obj.cls is collections.OrderedDict:
                    return gast.Call(load(self.global_name("OrderedDict", obj.cls)), [display], [])
                return display if obj.factory is None else self.defaultdict_of(obj.factory, display)
            if isinstance(obj, Instance) and issubclass(obj.cls, Asked):
                return self.part(self.what_is_left(value))
            built = self.built_object(obj)
            if built is not None:
                return built
            self.refuse(
                f"an object of class {obj.cls.__name__} that was built or changed here is handed to code that is not "
                "derived",
                ways.PARTS,
            )
        if isinstance(value, Lazy):
            self.run_through(value)
            function = load(self.global_name(value.function.__name__, value.function))
            named = [gast.keyword(k, self.expression(v)) for k, v in value.kwargs]
            return gast.Call(function, [self.expression(v) for v in value.args], named)
        if isinstance(value, Partial) and isinstance(value.function, Known) and hasattr(value.function.value, "rvs"):
            named = [gast.keyword(k, self.expression(v)) for k, v in value.kwargs]  # a distribution with parameters
            return gast.Call(self.expression(value.function), [self.expression(v) for v in value.args], named)
        if isinstance(value, Closure) and value.function is not None:
            return load(self.global_name(value.function.__name__, value.function))
        if isinstance(value, Method) and is_known_a(value.function, tuple):
            of_list = isinstance(value.owner, Leaf) and isinstance(value.owner.kind, ListOf)
            if value.function.value[1] in CHANGES_ITS_OWN and (of_list or isinstance(value.owner, Ref)):
                reason = f"the method {value.function.value[1]!r} of a container is handed to code that is not followed"
                self.refuse(reason, ways.LOOP)
            return gast.Attribute(self.expression(value.owner), value.function.value[1], gast.Load())
        if isinstance(value, Method):
            name = getattr(
                getattr(value.function, "function", None) or getattr(value.function, "value", None), "__name__", None
            )
            if name:
                return gast.Attribute(self.expression(value.owner), name, gast.Load())
        if isinstance(value, Conflict):
            self.conflict(value)
        if isinstance(value, Unbound):
            self.refuse("this name has no value on this path", ways.VALUE_BEFORE)
        self.refuse(
            "a function made here is handed to code that is not derived",
            ways.CALL,
            concrete=True,
        )

    def part(self, value: Value) -> Expr:
        """A part of a container as an expression: what may be None is whole."""
        return self.expression(self.shown(value))

    def as_made(self, value: Value) -> Expr:
        """The expression for a value that is shown or handed out as it is: namedtuples, which run-time lists of active
        values hold as tuples, are namedtuples again."""
        outer, self.shown_whole = self.shown_whole, True
        try:
            return self.expression(value)
        finally:
            self.shown_whole = outer

    def with_fields(self, leaf: Leaf) -> Expr:
        """A run-time value that is shown or handed out."""
        if not reads_any(leaf.expr, self.facts.varied):
            return clone(leaf.expr)
        if not isinstance(leaf.kind, Tuple) or any(map(has_fields, leaf.kind.items)):
            self.refuse(
                "a run-time list of namedtuples with active values is handed over whole",
                ways.PARTS,
            )
        made = load(self.global_name(leaf.kind.cls.__name__, leaf.kind.cls))
        return gast.Call(made, [gast.Starred(clone(leaf.expr), gast.Load())], [])

    def is_stirred(self, obj: ListObj | DictObj | Instance) -> bool:
        """Was a container changed that stands in one that is read as it came?"""
        held = [self.state.heap.get(v.id) for v in contents(obj).values() if isinstance(v, Ref)]
        return any(o is not None and (o.expr is None or self.is_stirred(o)) for o in held)

    def built_object(self, obj: Instance) -> Expr | None:
        """An expression that builds an object: for the result, and for frozen dataclasses anywhere."""
        if obj.cls in (Groups, Group):
            self.refuse(
                "a dict of active lists whose keys are known at run time only is handed over whole",
                ways.PARTS,
            )
        if obj.cls is Table and self.finished:
            self.refuse(
                "a dict of active values whose keys are known at run time only is returned",
                ways.PARTS,
            )
        if obj.cls is Table:
            parts = [self.expression(obj.attributes[name]) for name in ("place", "held")]
            return gast.Call(load("dict"), [gast.Call(load("zip"), parts, [])], [])
        self.all_attributes(obj)
        if is_plain_dataclass(obj):
            frozen = obj.cls.__dataclass_params__.frozen  # type: ignore[attr-defined]
            if frozen or self.finished:
                cls = load(self.global_name(obj.cls.__name__, obj.cls))
                names = [f.name for f in dataclasses.fields(obj.cls)]
                return gast.Call(cls, [], [gast.keyword(n, self.expression(obj.attributes[n])) for n in names])
        number = obj.attributes.get(NUMBER_WITHIN)
        if not (self.finished or (number is not None and self.raising)):
            return None
        cls = load(self.global_name(obj.cls.__name__, obj.cls))
        attributes = {k: v for k, v in obj.attributes.items() if k != NUMBER_WITHIN}
        for name in attributes:
            self.check_attribute_name(name)
        named = [gast.keyword(k, self.expression(v)) for k, v in attributes.items()]
        if number is not None:
            made = load(self.global_name("made_number", helpers.made_number))
            return gast.Call(made, [cls, self.expression(number)], named)
        return gast.Call(load(self.global_name("made", helpers.made)), [cls], named)

    def global_name(self, name: str, value: Any) -> str:
        """The name under which generated code reads an object of the user's module."""
        known = self.facts.globals
        if name in known and known[name] is value:
            return name
        for other, held in known.items():
            if held is value and not isinstance(value, (int, float, str, tuple)):
                return other
        import builtins

        if getattr(builtins, name, NOT_KNOWN) is value:
            self.facts.taken.add(name)
            return name
        name = self.facts.fresh(name if name.isidentifier() else "constant", temp=False)
        known[name] = value
        return name

    def infer(self, expr: Expr) -> Kind:
        """The kind of an expression; comprehensions and calls of users' functions in it carry their own."""
        return self.settled(self.inferred(expr))

    def infer_binary(self, node: Any, left: Value, right: Value) -> Kind:
        """The kind of an operation that is left as it is; that of operands which were is known already."""
        kinds = []
        for value, expr in ((left, node.left), (right, node.right)):
            found = self.nested_kinds.get(id(value.expr)) if type(value) is Leaf else None
            kinds.append(self.inferred(expr) if found is None else found[1])
        kind = binary_kind(type(node.op), *kinds)
        self.nested_kinds[id(node)] = node, kind
        return self.settled(kind)

    def settled(self, kind: Kind) -> Kind:
        """A kind without lengths of lists and dicts, where some of these change that were not taken apart."""
        return self.of_any_length(kind) if self.decisions.lists_change else kind

    def sets_of_the_run(self) -> None:
        """Start again with sets that are not known at derivation."""
        if not self.decisions.sets_change:
            self.decisions.sets_change = True
            known = self.decisions.dynamic
            for site in [site for site, kind in known.items() if _mentions_set(kind)]:
                del known[site]  # (it is learnt again)
            raise Restart

    def list_changes(self, value: Value | None) -> None:
        """A list, dict or set that was not taken apart is changed: start again, with none of a length that is known."""
        if isinstance(value, Leaf) and is_set(getattr(value.kind, "value", None)):
            self.sets_of_the_run()
        if isinstance(value, Leaf):
            self.check_originals(value)
        if isinstance(value, Leaf) and isinstance(value.kind, (List, Dict)):
            self.keep_in_one()

    def keep_in_one(self) -> None:
        """Start again with lists and dicts of any length, where they are not taken apart."""
        if not self.decisions.lists_change:
            self.decisions.lists_change = True
            known = self.decisions.dynamic
            known.update({site: self.of_any_length(kind) for site, kind in known.items() if kind is not None})
            raise Restart

    def of_any_length(self, kind: Kind) -> Kind:
        """The lists and dicts in a kind as ones that may grow."""
        if isinstance(kind, List):
            parts = [self.of_any_length(k) for k in kind.items]
            return ListOf(functools.reduce(lambda a, b: join_kinds(a, b, self.symbol), parts) if parts else Unknown())
        if isinstance(kind, ListOf):
            return ListOf(self.of_any_length(kind.item))
        if isinstance(kind, Tuple):
            return Tuple(tuple(map(self.of_any_length, kind.items)), kind.cls)
        return Unknown() if isinstance(kind, Dict) else kind

    def inferred(self, expr: Expr) -> Kind:
        for node in walk(expr):
            if type(node) in _OF_ITEMS or "found_kind" in node.__dict__:
                break
        else:
            return infer(expr, self.facts)
        kinds: dict[str, Kind] = {}
        stand_in = _without_comprehensions(clone(expr), kinds)
        self.facts.kinds.update(kinds)
        try:
            return infer(stand_in, self.facts)
        finally:
            for name in kinds:
                del self.facts.kinds[name]

    # --- python objects as abstract values

    def from_python(self, value: Any, expr: Expr, depth: int = 0, place: Place | None = None) -> Value:
        """An object of the user's module or closure; `place`: where it was found, if that may hold another one later.

        What is seen of it here is a condition of the derivation: of a float its type alone, until it is asked what it
        is (`Leaf.number`), and of an int that keeps changing.
        """
        inexact = type(value) in (float, complex) or issubclass(type(value), np.inexact)
        moves = place is not None and place.moves and (inexact or type(value) is int)
        if place is not None and not inexact and not moves:
            decide(place, Look.VALUE, value)
        if is_gone(value):
            self.refuse("a weak proxy of an object that is gone", "keep the object alive, or do without the proxy")
        if isinstance(value, (bool, str, type(None), types.ModuleType, type)) or depth > 6:
            return Known(value, expr)
        if isinstance(value, enum.Enum):
            return Known(value, None if isinstance(expr, gast.Constant) else expr)  # (its repr is no expression)
        if isinstance(value, (int, float, complex, tuple)) and own_meaning(type(value)):
            return Known(value, expr)
        if isinstance(value, (int, float, complex, np.number)):
            if place is not None and (inexact or moves):
                decide(place, Look.NUMBER, value)
            if moves:
                return Leaf(expr, Number(type(value)))
            dim = Dim.of(int(value)) if isinstance(value, (int, np.integer)) else None
            const: Any = Seen(value, place) if place is not None and inexact else value
            return Leaf(expr, Number(type(value), dim), const=const)
        if isinstance(value, np.ndarray):
            decide(value, Look.KIND)
            if type(value) is np.ndarray:
                return Leaf(expr, Array(value.dtype, tuple(Dim.of(n) for n in value.shape)))
            return Leaf(expr, Unknown() if is_plain_class(type(value)) else Object(type(value)))
        if isinstance(value, tuple) and len(value) <= 64 and made_of_items(type(value)):
            items = (
                self.from_python(v, gast.Subscript(clone(expr), gast.Constant(i, None), gast.Load()), depth + 1)
                for i, v in enumerate(value)
            )
            return Tup(tuple(items), type(value))
        return Known(value, expr)

    def from_kind(self, kind: Kind, expr: Expr, varied: bool, site: Any) -> Value:
        """An argument of the given kind, read by `expr`."""
        if isinstance(kind, Static):
            return Known(kind.value, expr)
        if isinstance(kind, Callable):
            return Known(kind.value, expr)
        if isinstance(kind, Tuple):
            return Tup(
                tuple(self.from_kind(k, _item(expr, i), varied, (*site, i)) for i, k in enumerate(kind.items)), kind.cls
            )
        if isinstance(kind, List):
            if site in self.decisions.dynamic:
                item = self.decisions.dynamic[site]
                for k in map(self.settled, kind.items):
                    item = join_kinds(item, k, self.symbol) if item is not None else k
                self.lengths[atom_key(expr)] = len(kind.items)
                return self._argument_leaf(ListOf(item), expr, varied)
            items: list[Value] = [
                self.from_kind(k, _item(expr, i), varied, (*site, i)) for i, k in enumerate(kind.items)
            ]
            return self.allocate(ListObj(items, site, expr))
        if isinstance(kind, Dict):
            entries = {k: self.from_kind(v, _item(expr, k), varied, (*site, k)) for k, v in kind.items}
            return self.allocate(DictObj(entries, site, expr, cls=kind.cls))
        if isinstance(kind, Object) and is_standard(kind.cls):
            return Leaf(expr, kind)
        if isinstance(kind, Object):
            attributes = {
                k: self.from_kind(v, self.held_attribute(kind.cls, expr, k, varied), varied, (*site, k))
                for k, v in kind.attributes
            }
            return self.allocate(Instance(kind.cls, attributes, site, expr))
        return self._argument_leaf(kind, expr, varied)

    def check_attribute_name(self, name: Any) -> None:
        """Refuse an attribute that no text reads or sets as one."""
        if not can_follow_a_dot(name):
            self.refuse(f"an attribute called {name!r}, which cannot be written behind a dot", "give it another name")

    def held_attribute(self, cls: type, expr: Expr, name: str, varied: bool) -> Expr:
        """What reads an attribute that an argument holds: past a property of the same name."""
        if not can_follow_a_dot(name):
            if varied or not cls.__dictoffset__:
                self.check_attribute_name(name)
            return _item(gast.Attribute(clone(expr), "__dict__", gast.Load()), name)
        if not is_ruled(cls, name) or dataclasses.is_dataclass(cls):
            return gast.Attribute(clone(expr), name, gast.Load())
        if varied:
            self.refuse(
                f"objects of class {cls.__name__} hold {name!r}, which a property or a descriptor hides",
                f"hold it under another name, _{name}",
            )
        return _item(gast.Attribute(clone(expr), "__dict__", gast.Load()), name)

    def _argument_leaf(self, kind: Kind, expr: Expr, varied: bool) -> Leaf:
        varied = varied and is_float_kind(kind)
        key = atom_key(expr)
        self.facts.kinds[key] = kind
        if varied:
            self.facts.varied.add(key)
        return Leaf(expr, kind, varied)

    def allocate(self, obj: ListObj | DictObj | Instance) -> Ref:
        held = contents(obj)
        if any(isinstance(v, Lazy) or self.is_generator(v) for v in held.values()) and not getattr(obj, "once", False):
            kept = {id(v): self.kept_iterator(v) for v in held.values()}  # one iterator in several places stays one
            if isinstance(obj, ListObj):
                obj.items = [kept[id(v)] for v in obj.items]
            elif isinstance(obj, DictObj):
                obj.items = {k: kept[id(v)] for k, v in obj.items.items()}
        ref = self.next_id()
        self.state.heap[ref] = obj
        return Ref(ref)

    def kept_iterator(self, value: Value, taken_apart: bool = False) -> Value:
        raise NotImplementedError

    def what_is_left(self, value: Value) -> Value:
        raise NotImplementedError

    def as_tuple(self, made: Value) -> Value:
        raise NotImplementedError

    def is_generator(self, value: Value) -> bool:
        raise NotImplementedError

    def items_listed(self, leaf: Leaf) -> Leaf:
        raise NotImplementedError

    def run_through(self, value: Lazy) -> None:
        raise NotImplementedError

    def note_run(self, token: object) -> bool:
        raise NotImplementedError

    def is_empty(self, value: Value) -> bool:
        """Is it a container that holds nothing at all? (Of an object without attributes that is not known: it may keep
        its state elsewhere.)"""
        if isinstance(value, Tup):
            return all(map(self.is_empty, value.items))
        if not isinstance(value, Ref):
            return False
        obj = self.state.heap[value.id]
        parts = contents(obj).values()
        return (bool(parts) or not isinstance(obj, Instance)) and all(map(self.is_empty, parts))

    def lazy(self, function: Any, args: Iterable[Value], kwargs: dict[str, Value]) -> Value:
        """An iterator that is made here."""
        args, site = tuple(args), self.site(self.node)
        stepping = self.decisions.in_steps and self.item_by_item(function, args, kwargs)
        if stepping:
            return stepping
        made = self.frame, self.node, len(self.turning)
        lengths = self.lengths_asked(function, args)
        return Lazy(function, args, tuple(kwargs.items()), made=made, site=site, lengths=lengths)

    def item_by_item(self, function: Any, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value | None:
        raise NotImplementedError

    def lengths_asked(self, function: Any, args: Iterable[Value]) -> Any:
        raise NotImplementedError

    def check_turned(self, deque: Value) -> None:
        raise NotImplementedError

    def made_at(self, value: Value) -> Any:
        raise NotImplementedError

    def is_asked(self, value: Value) -> bool:
        raise NotImplementedError

    def iterators_of(self, value: Value) -> set[int]:
        raise NotImplementedError

    def ask_in_steps(self, site: Any) -> None:
        """Somebody can tell when an iterator computes its items: start again with it followed item by item."""
        if site is None or site in self.decisions.in_steps or self.text_only or self.trials:
            return
        self.decisions.in_steps.add(site)
        raise Restart

    def follows_in_passing(self) -> bool:
        """Are functions followed that are called for what has no derivative, as they change something?"""
        return self.decisions.in_passing and not (self.text_only or self.raising)

    def changes_in_passing(self) -> None:
        """Something changes while an expression is lowered whose result has no derivative: what changes may have one,
        so that functions called there have to be followed like all others."""
        passive = self.passive or self.suspended
        seen = not (self.text_only or self.trials or self.attempts or self.raising)
        if passive and seen and not self.decisions.in_passing:
            self.decisions.in_passing = True
            raise Restart

    def stores_in_passing(self) -> None:
        """Active values are stored, or something is stored into an active array. Where no derivatives are needed of an
        expression (a condition), it must not go unnoticed; the body of a try runs again."""
        self.changes_in_passing()
        if self.passive and not (self.attempts or self.trials or self.text_only):
            self.refuse("active values are stored while a condition is evaluated", ways.OWN_STATEMENT)

    def followed(self, leaf: Leaf) -> None:
        """An active value is used: it must not have been computed where no derivative was thought to be needed."""
        if self.passive or not leaf.varied or atom_key(leaf.expr) not in self.made_passively:
            return
        self.suspended = self.suspended or 1
        self.changes_in_passing()
        if not self.trials and not self.text_only and not self.attempts:  # (the body of a try is lowered again)
            self.refuse("active values in a form that is not followed here", ways.OWN_STATEMENT)

    def changed(self, obj: ListObj | DictObj | Instance) -> None:
        """A container was written to: others that may be the same object are not known any more."""
        if self.attempts:
            ref = next((k for k, v in self.state.heap.items() if v is obj), 0)
            self.changed_before({ref} | self.state.possible_aliases(ref))
        if not any(held is obj for held in self.state.heap.values()):
            # a branch that was lowered since `obj` was looked up made a new state: what is stored here would be lost
            raise AssertionError("a container is changed in a state that does not hold any more")
        if isinstance(obj, DictObj) and obj.outside:
            self.refuse("this writes to an object outside the function", ways.ARGUMENT)
        if isinstance(obj, ListObj) and obj.held:
            self.made_one(next(k for k, v in self.state.heap.items() if v is obj))
        obj.expr = None
        self.note_change(obj)
        self.check_copies(obj)
        if self.lost or any(self.is_varied(v) for v in contents(obj).values()):
            self.changes_in_passing()
        if not self.state.maybe:
            return
        ref = next(k for k, v in self.state.heap.items() if v is obj)
        for other in self.state.possible_aliases(ref):
            held = self.state.heap.get(other)
            if held is None:
                continue
            self.note_change(held)
            held.stale, held.expr = True, None
            for key in list(contents(held)):
                put_item(held, key, Conflict(STALE))

    def note_change(self, obj: ListObj | DictObj | Instance) -> None:
        if isinstance(obj.site, tuple) and obj.site[:1] and obj.site[0] in (self.frames[0].arguments or ()):
            self.changed_arguments.setdefault(obj.site, self.place())

    def kept_in_run(self, value: Value) -> Expr:
        """The expression for a value that goes into a container of the run."""
        self.keeping += 1
        try:
            return self.expression(value)
        finally:
            self.keeping -= 1

    def copy_made(self, value: Value) -> None:
        """A container that is followed here is written out: the run has another one of it, and of those in it."""
        if isinstance(value, Known) and is_set(value.value):
            self.copied.add(A_SET)
            if A_SET in self.changed_in:
                self.sets_of_the_run()
        for part in value.items if isinstance(value, Tup) else ():
            self.copy_made(part)
        obj = self.state.heap.get(value.id) if isinstance(value, Ref) else None
        if obj is None or value.id in self.being_copied:  # type: ignore[attr-defined]
            return
        ref: int = value.id  # type: ignore[attr-defined]
        here = {id(loop) for loop in self.loops}
        if ref in self.turn_start.heap and here & self.changed_in.get(ref, set()):
            self.made_one(ref)
        if not isinstance(obj, Instance):
            self.copied.add(ref)
        if isinstance(obj, ListObj) and obj.held and obj.site is None:
            self.copied.add(AN_ITEM)
            if AN_ITEM in self.changed_in:
                self.keep_in_one()
        self.being_copied.add(ref)
        try:
            for part in contents(obj).values():
                self.copy_made(part)
        finally:
            self.being_copied.discard(ref)

    def made_one(self, ref: int) -> NoReturn:
        """A container is changed of which the run has a copy: start again with one that the run has itself."""
        for one in self.twins.get(ref, [ref]):
            obj = self.state.heap.get(one)
            plain = isinstance(obj, ListObj) and obj.site is not None and obj.cls is list and obj.limit is None
            if isinstance(obj, ListObj) and plain and obj.site not in self.decisions.dynamic:
                self.make_dynamic(obj)
            if isinstance(obj, DictObj):
                self.run_time_dict(obj)
        self.keep_in_one()
        self.refuse(*COPIED)

    def check_copies(self, obj: ListObj | DictObj | Instance) -> None:
        """A container is changed: what was written out where something holds it would not change."""
        if getattr(obj, "once", False) or not (self.copied or self.loops):
            return
        ref = next((k for k, v in self.state.heap.items() if v is obj), None)
        same = {ref, *self.state.possible_aliases(ref)} if ref is not None else set()
        for one in sorted(same & self.copied):
            if isinstance(obj, Instance):
                reason = "an object is changed that a recursive function was given or handed back: they may be one"
                self.refuse(reason, ways.ONE_FORM)
            self.made_one(one)
        if self.loops and not isinstance(obj, Instance):
            for one in same:
                self.changed_in.setdefault(one, set()).update(id(loop) for loop in self.loops)

    def check_originals(self, leaf: Leaf) -> None:
        """A container of the run is changed: it may be what a container is here that was written out."""
        if isinstance(leaf.kind, (Array, Number)) or atom_key(leaf.expr) in self.made_here:
            return
        if not isinstance(leaf.kind, (ListOf, List, Dict, Text)):
            self.set_changed()
        self.changed_in[AN_ITEM] = set()
        if AN_ITEM in self.copied:
            self.keep_in_one()
        for ref in sorted((self.copied & self.state.reachable()) - {A_SET, AN_ITEM}):
            self.made_one(ref)

    def set_changed(self) -> None:
        """What may be a set that is known is changed: the run must not have another one of it."""
        self.changed_in[A_SET] = set()
        if A_SET in self.copied:
            self.sets_of_the_run()

    def goes_by(self, value: Value) -> None:
        """What a container outside of the function holds decides something at derivation."""
        if isinstance(value, Known) and value.cls in OUTER:
            self.outer_counted[id(value.itself)] = value.itself

    def fresh(self, obj: ListObj | DictObj | Instance) -> None:
        """Refuse to look at a container that may have been changed under another name."""
        if obj.stale:
            self.refuse(STALE, STALE_WAY_OUT)
        if isinstance(obj, ListObj) and obj.watch is not None:
            self.check_watch(obj.watch)

    # --- joining paths

    def join(self, paths: Iterable[tuple[State, list[Stmt]]], branch: Any = None) -> State:
        """The state behind a branch: names that differ get one name, copied into at the end of each path's block.

        Args:
            branch: its place, where the paths can be followed apart, or further than they are (`Decisions.apart`).
        """
        self.joined, outer = branch, self.joined
        try:
            return self.joined_paths(list(paths))
        finally:
            self.joined = outer

    def joined_paths(self, paths: list[tuple[State, list[Stmt]]]) -> State:
        states, blocks = [p[0] for p in paths], [p[1] for p in paths]
        first = states[0]
        if len(paths) == 1:
            return first
        alike = agreed(states)
        slots = [s.slots(alike) for s in states]
        for other in states[1:]:
            for ref, obj in other.heap.items():
                first.heap.setdefault(ref, obj)
            for ref, others in other.maybe.items():
                first.stands_for(ref, others)
            first.apart |= other.apart
            first.run.update(other.run)
        changes: list[tuple[tuple[Any, ...], Value]] = []
        done: set[int] = set()
        alive: set[int] | None = None
        for slot in {slot: None for one in slots for slot in one}:
            if slot[0] == "heap":
                ref = slot[1]
                if any(ref not in s.heap for s in states):
                    continue
                if alive is None:
                    alive = set().union(*(s.reachable() for s in states))
                keys = [keys_of(s.heap[ref]) for s in states]
                differs = any(k != keys[0] for k in keys)
                if differs and ref in alive:
                    self.let_go(states)
                    alive = set().union(*(s.reachable() for s in states))
                if differs and ref not in alive:
                    continue  # nobody will look at it again
                if ref not in done and ref in alive:
                    done.add(ref)
                    if differs:
                        if not self.same_attributes([s.heap[ref] for s in states]):
                            self.structure_differs(ref, states)
                        slots = [s.slots(alike) for s in states]
                    if any(s.heap[ref].expr is None for s in states):
                        first.heap[ref].expr = None
                    if any(s.heap[ref].stale for s in states):
                        first.heap[ref].stale = True
                    for one in states:
                        hold_too(first.heap[ref], one.heap[ref])
            values = [one.get(slot) or Unbound() for one in slots]
            new = self.join_values(values, states, blocks, _stem(slot))
            if isinstance(new, Conflict) and slot[0] == "var":
                new = dataclasses.replace(new, name=str(slot[2]))
            if new is not values[0]:
                changes.append((slot, new))
        for slot, new in changes:
            if slot[0] == "var":
                first.frames.setdefault(slot[1], {})[slot[2]] = new
            else:
                first.put(slot, new)
        return first

    def let_go(self, states: list[State]) -> None:
        """Forget the variables of functions that have returned, but for those that a closure has captured."""
        running: Frame | None = self.frame
        stack = {-2}
        while running is not None:
            level: int | None = running.id
            while level is not None:
                stack.add(level)
                level = self.frames[level].parent
            running = running.caller
        for state in states:
            for frame in [f for f in state.frames if f > 0 and f in self.frames and f not in stack]:
                if not self.captured(frame, state):
                    del state.frames[frame]

    def captured(self, frame: int, state: State) -> bool:
        raise NotImplementedError

    def same_attributes(self, objects: list[Any]) -> bool:
        """Give an object that gets different attributes on different paths all of them, on some paths unbound.

        False for other containers, and where a class says what is read instead of a missing attribute.
        """
        first = objects[0]
        if not all(isinstance(o, Instance) for o in objects):
            return False
        names = list(dict.fromkeys(name for o in objects for name in o.attributes))
        missing = [name for name in names if any(name not in o.attributes for o in objects)]
        if hasattr(first.cls, "__getattr__") or any(hasattr(first.cls, name) for name in missing):
            return False
        for o in objects:
            o.complete(names)
        for o in objects:
            o.partial = set().union(*(other.partial for other in objects))
            o.attributes = {name: o.attributes[name] for name in names}
            o.expr = None
        return True

    def all_attributes(self, obj: Instance) -> None:
        """All attributes of an object are asked for."""
        self.fresh(obj)
        if obj.partial:
            self.refuse(
                "all attributes of an object that has not all of them on every path",
                ways.KEYS_BEFORE,
                concrete=True,
            )

    def may_lack(self, name: str) -> NoReturn:
        """It is asked whether an object has an attribute that it has on some paths only."""
        self.refuse(
            f"whether this object has the attribute {name!r} depends on values",
            ways.KEYS_BEFORE,
            concrete=True,
        )

    def structure_differs(self, ref: int, states: list[State]) -> NoReturn:
        obj = states[0].heap[ref]
        held = [v for s in states if isinstance(o := s.heap[ref], ListObj) for v in o.items]
        plain = isinstance(obj, ListObj) and all(isinstance(v, (Leaf, Tup, Known)) for v in held)
        if not plain or self.decisions.lists_apart:  # (then its loop would be written out at the first `append`)
            self.unroll_a_loop()
        for self.state in states:
            if any(map(self.is_active_object, contents(self.state.heap[ref]).values())):
                self.goes_on_apart()
        if isinstance(obj, ListObj) and obj.site not in self.decisions.dynamic:
            differing = [ref, *self.other_lists_differ(ref, states)]
            for other in differing:
                self.note_list(other, states)
            raise Grows(differing)
        if isinstance(obj, ListObj):
            self.make_dynamic(obj)
        if isinstance(obj, DictObj):
            self.state = states[0]  # in which there is what it holds
            self.run_time_dict(obj)
        self.goes_on_apart()
        self.refuse(
            "a dict or object gets different keys on different paths",
            ways.KEYS_BEFORE,
            concrete=True,
        )

    def note_list(self, ref: int, states: list[State]) -> None:
        """Note that a list of another length in each state has to be a list at run time, and what it holds."""
        self.decisions.dynamic[states[0].heap[ref].site] = None  # type: ignore[assignment]
        for self.state in states:
            obj = self.state.heap[ref]
            assert isinstance(obj, ListObj)
            for item in obj.items:
                self.note_item(obj.site, item)

    def other_lists_differ(self, ref: int, states: list[State]) -> Iterator[int]:
        """The other lists of which that has to be noted too: each start of the lowering learns all that is plain."""
        alive = set().union(*(state.reachable() for state in states))
        for other in sorted(alive - {ref}):
            lists = [obj for s in states if isinstance(obj := s.heap.get(other), ListObj)]
            if len(lists) < len(states) or any(obj.once for obj in lists):
                continue
            if lists[0].site is None or lists[0].site in self.decisions.dynamic:
                continue
            lengths = {len(obj.items) for obj in lists}
            if len(lengths) > 1 and all(isinstance(v, Leaf) for obj in lists for v in obj.items):
                yield other

    def note_item(self, site: Any, item: Value) -> None:
        known = self.decisions.dynamic.get(site)
        kind = self.settled(timeless(self.kind_in_run(item)))
        if known is None:
            self.decisions.learn(site, kind)
        self.decisions.dynamic[site] = kind if known is None else timeless(join_kinds(known, kind, self.symbol))
        if self.is_varied(item):
            self.decisions.varied_lists.add(site)

    def run_time_dict(self, obj: DictObj) -> None:
        """A dict gets or is asked for a key that is not known: it is one at run time, of places where it is active."""
        self.unroll_a_loop()
        site = obj.site
        if site is None or obj.expr is not None or site in self.decisions.tables or site in self.decisions.unfit:
            return
        plain = obj.factory is None or (isinstance(obj.factory, Known) and obj.factory.can_be_called)
        varied = any(self.is_varied(v) for v in obj.items.values())
        (self.decisions.tables if plain and not varied else self.decisions.unfit).add(site)
        raise Restart

    def conflict(self, value: Conflict) -> NoReturn:
        """A value is used that has not one form."""
        if value.loop is not None:
            site, count = value.loop
            if count is not None and count <= 64 and site not in self.decisions.unrolled:
                self.decisions.tell_apart(site, self.loop_places.get(site, ()))
                raise Restart
        apart = self.decisions.apart
        if not self.is_followed(value.branch) and (value.branch in apart or len(apart) < PATHS_APART):
            apart[value.branch] = self.paths_meet(value, apart.get(value.branch, 0))
            raise Restart
        met = [branch for branch in apart if branch in self.behind and not self.is_followed(branch)]
        if met:  # where paths meet, a choice cannot go apart by itself
            apart.update((branch, len(self.behind[branch])) for branch in met)
            raise Restart
        choices = self.decisions.choices_apart
        if value.branch is None and value.choice not in {None, *choices} and len(choices) < PATHS_APART:
            choices.add(value.choice)
            raise Restart
        way = STALE_WAY_OUT if value.reason == STALE else ways.ONE_FORM
        self.refuse(value.reason, way, concrete=True)

    def goes_on_apart(self) -> None:
        """A container has not one form behind a branch: start again with all that stands there written out for each
        path, where the paths can be followed apart."""
        branch, apart = self.joined, self.decisions.apart
        if not self.is_followed(branch) and (branch in apart or len(apart) < PATHS_APART):
            apart[branch] = len(self.behind[branch])
            raise Restart

    def is_active_object(self, value: Value) -> bool:
        """Is it an object of a class of the user's that holds active values?"""
        obj = self.state.heap[value.id] if isinstance(value, Ref) else None
        return isinstance(obj, Instance) and self.is_varied(value)

    def is_followed(self, branch: Any) -> bool:
        """Are the paths of a branch followed apart to the end of its list of statements? (Or is there no branch?)"""
        return branch is None or self.decisions.apart.get(branch, 0) >= len(self.behind[branch])

    def paths_meet(self, value: Conflict, before: int) -> int:
        """How many of the statements behind a branch are written out for each path, now that a value is read that has
        not one form: up to the last one that reads it; all of them, where it is read behind them."""
        behind = self.behind[value.branch]
        places = {id(statement): k for k, statement in enumerate(behind)}
        at = next((places[id(s.statement)] for s in reversed(self.standing) if id(s.statement) in places), None)
        return len(behind) if at is None or at < before else last_reader(behind, at, value.name)

    def look_into(self, expr: Expr, made: bool = False) -> None:
        """Something is stored in what a call returned, or in a part of it: it has to be known whose that is.

        `made`: and of which form, where the call has made it.
        """
        name = self.root_of(atom_key(expr)).split("[")[0].split(".")[0]
        site = self.handed_out.get(name) or (self.made_by.get(name) if made else None)
        if site is not None and not self.passive and site not in self.decisions.looked_into:
            self.decisions.looked_into.add(site)
            raise Restart

    def look_through(self, expr: Expr) -> None:
        """What a call returned is called itself: start again with it and all calls in it written out."""
        name = self.root_of(atom_key(expr)).split("[")[0].split(".")[0]
        site = self.made_by.get(name, self.handed_out.get(name))
        if site is not None and site not in self.decisions.looked_through:
            self.decisions.looked_through.add(site)
            raise Restart

    def follow_objects(self) -> None:
        """What an object does that is not known has to be known: start again with all objects followed."""
        if not self.decisions.objects_followed:
            self.decisions.objects_followed = True
            raise Restart

    def unroll_a_loop(self, grown: bool = False) -> None:
        """The turns of a loop have to be told apart: start again with it written out, if its count is known.

        Args:
            grown: or of one that has run already, in which a list grew.
        """
        for site, count in [*reversed(self.turning), *(reversed(self.growing) if grown else ())]:
            if count is not None and count <= 64 and site not in self.decisions.unrolled:
                self.decisions.tell_apart(site, self.loop_places.get(site, ()))
                raise Restart

    def where(self) -> tuple[int, ...]:
        """How far the lowering has come: the line in each function that it is in, from the outside.

        It ends at a loop, and at a call that is not the whole value of its statement: what is in there is not lowered
        once and in order.
        """
        found: list[int] = []
        calling: Any = None
        for _, group in itertools.groupby(self.standing, lambda at: id(at.frame)):
            inside = [*group]
            if found and inside[0].frame.call_node is not getattr(calling, "value", None):
                break
            calling, line = inside[-1].statement, getattr(inside[-1].statement, "lineno", 0)
            loops = (at.statement for at in inside if isinstance(at.statement, (gast.For, gast.While)))
            # (what stands behind a loop may be lowered for its last turn, as a part of it)
            loop = next((s for s in loops if s.lineno <= line <= s.end_lineno), None)
            found.append(line if loop is None else loop.lineno)
            if loop is not None:
                break
        return tuple(found)

    def note_place(self) -> None:
        """Something is learnt here that earlier statements depend on."""
        if self.learnt_at is None:
            self.learnt_at = self.where()

    def changed_globals(self) -> bool:
        """Do globals that the function changes hold something else now?"""
        for (key, name), namespace in self.decisions.module_globals.items():
            now = self.state.frames[-key][name]
            if not self.same(now, self.from_python(namespace[name], load(name))):
                return True
        return False

    @contextlib.contextmanager
    def at(self, node: Any) -> Iterator[None]:
        """Lower for a part of what is being lowered: of two stars in one call, say, each is a place."""
        outer, self.node = self.node, node
        try:
            yield
        finally:
            self.node = outer

    def marks(self) -> list[int]:
        """How many stores, changes of run-time lists and of their lengths there have been."""
        return [len(changes) for changes in self.changes]

    def changed_since(self, marks: list[int], block: list[Stmt], written: int) -> bool:
        """Has anything been changed since then, or by what was written to a block behind a place in it?"""
        changed = any(len(changes) > mark for changes, mark in zip(self.changes, marks, strict=True))
        return changed or any(map(changes_something, block[written:]))

    def resize(self, lst: Leaf) -> None:
        """A run-time list gets another length: it may be one that was passed."""
        self.lists_resized.append(atom_key(lst.expr))
        if self.lengths and not self.decisions.resized and atom_key(lst.expr) not in self.made_here:
            self.decisions.resized = True
            raise Restart

    def make_dynamic(self, obj: ListObj) -> NoReturn:
        """The list has to be a list at run time: start again with that."""
        self.note_dynamic(obj)
        raise Restart

    def item_of_dynamic(self, obj: ListObj) -> Leaf:
        """An item that only the run knows, of a list that has to be a list at run time.

        The rest of the function is lowered with something of that kind in its place, to see which other lists are
        such: in functions with many of them, starting again at each would take as many tries.
        """
        noted = obj.site in self.decisions.dynamic and self.owes_restart
        if noted:
            for item in obj.items:
                self.note_item(obj.site, item)
        else:
            self.note_dynamic(obj)
        kind = self.decisions.dynamic[obj.site]
        if not obj.items or not all(isinstance(v, Leaf) and isinstance(v.kind, Number) for v in obj.items):
            raise Restart
        self.go_on_guessing()
        name = self.facts.fresh("item")
        self.facts.kinds[name] = kind
        varied = self.is_varied_list(obj)
        if varied:
            self.facts.varied.add(name)
        return Leaf(load(name), kind, varied)

    def go_on_guessing(self) -> None:
        """What was learnt has to be known from the start; the rest is lowered to see what else has.

        Raises:
            Restart: not here.
        """
        if not self.may_guess or self.trials or self.attempts or self.text_only:
            raise Restart
        if not self.owes_restart:
            self.note_place()
            self.owes_restart = True
            self.certain_functions = len(self.program.functions)
            self.decisions.begin_guessing()

    def end_guessing(self) -> None:
        """Forget what may come of the guess."""
        self.decisions.end_guessing()
        functions = self.program.functions
        guessed = {f.name for f in functions[self.certain_functions :]}
        del functions[self.certain_functions :]
        self.program.names -= guessed - {f.name for f in functions}

    def is_varied_list(self, obj: ListObj) -> bool:
        """Does a list hold active values?"""
        return any(map(self.is_varied, obj.items))

    def note_dynamic(self, obj: ListObj) -> None:
        """Note that a list has to be a list at run time, and what it holds."""
        if obj.once:
            self.refuse("an iterator is used up to different points on different paths", ways.LIST)
        if len({timeless(self.kind(v)) for v in obj.items}) > 1 and any(
            isinstance(self.kind(v), Array) for v in obj.items
        ):
            self.unroll_a_loop()
        if any(not isinstance(v, (Leaf, Tup)) or isinstance(self.kind(v), Static) for v in obj.items):
            self.unroll_a_loop()
        if obj.site in self.decisions.dynamic and not obj.items:
            self.refuse(
                "this use of a list is not followed",
                ways.APPEND_POP,
                concrete=True,
            )
        known = self.decisions.dynamic.setdefault(obj.site, None)  # type: ignore[arg-type]
        for item in obj.items:
            self.note_item(obj.site, item)
        if known is not None and self.decisions.dynamic[obj.site] == known:
            self.decisions.in_vain[obj.site] = self.decisions.in_vain.get(obj.site, 0) + 1
            if self.decisions.in_vain[obj.site] > 3:
                self.does_not_settle()

    def does_not_settle(self) -> NoReturn:
        self.refuse(
            "what the variables or lists of this function hold does not settle: it is another in each turn or call",
            ways.ONE_FORM,
            concrete=True,
        )

    def same(self, p: Value, q: Value) -> bool:
        if p is q:
            return True
        if isinstance(p, Leaf) and isinstance(q, Leaf):
            return p.varied == q.varied and p.kind == q.kind and not p.nested and same_expr(p.expr, q.expr)
        if isinstance(p, Known) and isinstance(q, Known):
            return same_constant(p.value, q.value)
        if isinstance(p, Ref) and isinstance(q, Ref):
            return p.id == q.id
        if isinstance(p, Maybe) and isinstance(q, Maybe):
            return self.same(p.none, q.none) and self.same(p.value, q.value)
        if isinstance(p, Tup) and isinstance(q, Tup):
            return p.cls is q.cls and len(p.items) == len(q.items) and all(map(self.same, p.items, q.items))
        if isinstance(p, Method) and isinstance(q, Method):
            return self.same(p.function, q.function) and self.same(p.owner, q.owner)
        if isinstance(p, Closure) and isinstance(q, Closure):
            return p.source.tree is q.source.tree and p.frame == q.frame and all(map(self.same, p.defaults, q.defaults))
        return isinstance(p, Unbound) and isinstance(q, Unbound)

    def join_values(self, values: list[Value], states: list[State], blocks: list[list[Stmt]], stem: str) -> Value:
        """One value for several paths; copies into a new name are appended to the blocks."""
        value = self.values_joined(values, states, blocks, stem)
        if not isinstance(value, Conflict) or value.reason == STALE:
            return value
        return dataclasses.replace(value, branch=self.joined) if self.is_followed(value.branch) else value

    def values_joined(self, values: list[Value], states: list[State], blocks: list[list[Stmt]], stem: str) -> Value:
        p = values[0]
        if all(self.same(p, q) for q in values[1:]):
            return p
        perhaps = next((v for v in values if isinstance(v, Maybe) and isinstance(v.value, Tup)), None)
        if perhaps is not None and all(self.same(perhaps, v) or self.same(perhaps.value, v) for v in values):
            return perhaps  # on some paths it is known that it is there
        self.both_active(values)
        for q in values:
            if isinstance(q, Conflict):
                return q
        bound = [v for v in values if not isinstance(v, Unbound)]
        first = bound[0]
        tuples = any(isinstance(tuple_of(v), Tup) for v in bound)
        if may_be_none(bound, tuples) and (tuples or any(self.is_varied(v) for v in bound)):
            return self.join_maybe(values, states, blocks, stem)
        absent = [is_none(v) for v in bound]
        if any(absent) and any(isinstance(v, (Tup, Ref)) for v in bound):
            return Conflict("this name is None on one path and a container on another")
        if isinstance(first, Tup):
            if all(isinstance(v, Tup) and v.cls is first.cls and len(v.items) == len(first.items) for v in bound):
                items = []
                for i in range(len(first.items)):
                    parts = [v.items[i] if isinstance(v, Tup) else v for v in values]
                    items.append(self.join_values(parts, states, blocks, f"{stem}_{i}"))
                return Tup(tuple(items), first.cls)
            return Conflict("this name holds tuples of different structure on different paths")
        if isinstance(first, Ref) or any(isinstance(v, Ref) for v in bound):
            return self.join_refs(values, bound, states, blocks, stem)
        if may_be_functions(values):
            return self.join_functions(values, blocks, stem)
        if all(isinstance(v, (Leaf, Known)) for v in bound):
            return self.join_leaves(values, bound, blocks, stem)
        if len(bound) == 1 or all(self.same(first, v) for v in bound[1:]):
            return first
        return Conflict("this name holds things of different kinds on different paths")

    def is_deque(self, value: Value) -> bool | None:
        """Is a value a deque? None where that is not known."""
        obj = self.state.heap[value.id] if isinstance(value, Ref) else None
        if isinstance(obj, ListObj):
            return obj.cls is collections.deque and not obj.once
        if not isinstance(value, Leaf) or not isinstance(value.kind, ListOf) or not self.deques_made:
            return False
        sites = self.sites(atom_key(value.expr))
        if sites and sites <= self.deques_made:
            return True
        return None if not sites or sites & self.deques_made else False

    def check_slice(self, value: Value) -> None:
        """A slice is taken of a value, or stored: a deque has none."""
        is_deque = self.is_deque(value)
        if is_deque:
            error = TypeError("sequence index must be integer, not 'slice'")
            self.refuse("a slice of a deque", "use itertools.islice, or a list", raises=error)
        if is_deque is None:
            self.refuse_class_between("deque")

    def perhaps_list(self, value: Value) -> bool:
        """Is a value at run time, or known, a list, or may it be one?"""
        value = value.value if isinstance(value, Maybe) else value
        if isinstance(value, Leaf):
            of_lists = isinstance(value.kind, (ListOf, List, Dict, Object))
            return of_lists or (not value.nested and atom_key(value.expr) in self.may_be_lists)
        return is_known_a(value, list, tuple)

    def refuse_unknown_class(self) -> None:
        """Refuse to say the class of what the run keeps in a list, where it may be another sequence."""
        if self.deques_made or self.tuples_made:
            self.refuse_class_between("deque" if self.deques_made else "tuple")

    def refuse_class_between(self, other: str) -> NoReturn:
        """Refuse to say whether what may be another sequence is a list."""
        self.refuse(f"the class of what may be a list or a {other}", "use lists alone, or ask for nothing")

    def both_active(self, values: list[Value]) -> None:
        """A list that is active on one path and not on another: both are active from the start."""
        lists = [v for v in values if isinstance(v, Leaf) and isinstance(v.kind, ListOf) and is_float_kind(v.kind)]
        varied = {self.is_varied(v) for v in lists}
        if len(varied) == 2 and not self.decisions.lists_active and not self.passive:
            self.decisions.lists_active = True
            raise Restart

    def cases_of(self, value: Value) -> tuple[Any, ...]:
        """The values that a value may have, where each is known and may be an option: None, a text, ints."""
        if isinstance(value, Leaf) and isinstance(value.expr, gast.Constant):
            return (value.expr.value,) if type(value.expr.value) in (str, int) else ()
        if isinstance(value, Leaf):
            return self.cases.get(atom_key(value.expr), ())
        plain = isinstance(value, Known) and value.cls in (type(None), str, int)
        return (value.value,) if plain else ()  # type: ignore[attr-defined]

    def join_maybe(self, values: list[Value], states: list[State], blocks: list[list[Stmt]], stem: str) -> Value:
        """A value that is None on some paths: a name for it, and one that says whether it is None."""
        flags: list[Value] = [v if isinstance(v, Unbound) else none_of(v) for v in values]
        inner = [value_of(v) for v in values]
        there = next(v for v in inner if not isinstance(v, Unbound))
        absent = self.absent(there)
        if isinstance(there, Tup) and all(isinstance(v, Known) for v in there.items):
            absent = there  # what is known needs nothing in its place
        inner = [
            absent if isinstance(v, Unbound) and isinstance(o, Known) else v for v, o in zip(inner, values, strict=True)
        ]
        flag = self.join_leaves(flags, [f for f in flags if not isinstance(f, Unbound)], blocks, f"no_{stem}")
        value = self.join_values(inner, states, blocks, stem)
        if not isinstance(flag, Leaf) or not isinstance(value, (Leaf, Tup)):
            return Conflict("this name is None on one path and a container on another")
        return Maybe(flag, value)

    def absent(self, value: Value) -> Value:
        """What stands for a value on a path where it is None: nan for a number, nothing for an array."""
        if isinstance(value, Tup):
            return Tup(tuple(map(self.absent, value.items)), value.cls)
        if not isinstance(value, Ref) and isinstance(self.kind(value), Number):
            return Leaf(gast.Attribute(load(self.global_name("np", np)), "nan", gast.Load()), Number(float))
        return Unbound()

    def shown(self, value: Value) -> Value:
        """What may be None as one expression: for what looks at it, and does not compute with it."""
        if isinstance(value, Tup):
            return Tup(tuple(map(self.shown, value.items)), value.cls)
        if not isinstance(value, Maybe):
            return value
        expr = gast.IfExp(self.expression(value.none), gast.Constant(None, None), self.expression(value.value))
        return Leaf(expr, Unknown(), self.is_varied(value.value), nested=True)

    def put_together(self, value: Value) -> Value:
        """What may be None as one value under a name of its own: an item of a run-time list is None, or is not.

        if no_u: item = None
        else: item = u
        """
        if isinstance(value, Tup):
            items = tuple(map(self.put_together, value.items))
            return Tup(items, value.cls) if any(a is not b for a, b in zip(items, value.items, strict=True)) else value
        if isinstance(value, Ref):
            obj = self.state.heap[value.id]
            for key, part in list(contents(obj).items()):
                whole = self.put_together(part)
                if whole is not part:
                    put_item(obj, key, whole)
                    obj.expr = None if isinstance(part, Maybe) else obj.expr
        if not isinstance(value, Maybe):
            return value
        if isinstance(value.value, Tup):
            self.refuse("a tuple that may be None goes into a list", ways.ASK)
        name = self.facts.fresh("item")
        self.facts.kinds[name] = kind = join_kinds(value.value.kind, Static(None), self.symbol)
        root = self.memory_root(value.value.expr)
        if root is not None:
            self.alias[name] = root
        if value.value.varied:
            self.facts.varied.add(name)
        nothing = copy_statement(name, gast.Constant(None, None), self.origin)
        there = copy_statement(name, self.expression(value.value), self.origin)
        self.write(gast.If(self.expression(value.none), [nothing], [there]))
        return Leaf(load(name), kind, value.value.varied)

    def join_refs(
        self, values: list[Value], bound: list[Value], states: list[State], blocks: list[list[Stmt]], stem: str
    ) -> Value:
        first = bound[0]
        if all(self.same(first, v) for v in bound[1:]):
            return first
        if not all(isinstance(v, Ref) for v in bound):
            if any(isinstance(v, Leaf) and isinstance(v.kind, ListOf) for v in bound):
                for value, state in zip(values, states, strict=True):
                    obj = state.heap.get(value.id) if isinstance(value, Ref) else None
                    if isinstance(obj, ListObj) and obj.site is not None:
                        self.state = state  # what its items are made of is there
                        self.make_dynamic(obj)  # on the other path it is a list at run time
            return Conflict("this name holds a container on one path and something else on another")
        objects = [
            (s.heap.get(v.id) or states[0].heap.get(v.id)) if isinstance(v, Ref) else None
            for v, s in zip(values, states, strict=True)
        ]
        known = [o for o in objects if o is not None]
        head = known[0]
        if all(type(o) is type(head) and getattr(o, "cls", None) is getattr(head, "cls", None) for o in known):
            if all(list(contents(o)) == list(contents(head)) for o in known) or self.same_attributes(known):
                merged = head.copy()
                merged.expr = None
                ref = self.next_id()
                states[0].heap[ref] = merged
                states[0].stands_for(ref, (v.id for v in bound if isinstance(v, Ref)))
                merged.stale = any(o.stale for o in known)
                for o in known:
                    hold_too(merged, o)
                for key in list(contents(head)):
                    parts: list[Value] = [Unbound() if o is None else contents(o)[key] for o in objects]
                    put_item(merged, key, self.join_values(parts, states, blocks, f"{stem}{_word(key)}"))
                return Ref(ref)
            if isinstance(head, ListObj):
                everything = {k: obj for s in (self.state, *reversed(states)) for k, obj in s.heap.items()}
                parts = [v for o in known for v in contents(o).values()]
                if any(isinstance(v, Ref) and v.id not in everything for v in parts):
                    return Conflict("this name holds containers of different structure on different paths")
                self.state = State(self.state.frames, everything)  # what the items of all of them are made of
                if any(map(self.is_active_object, parts)):
                    return Conflict("this name holds containers of different structure on different paths")
                for o in known:
                    assert isinstance(o, ListObj)
                    for item in o.items:
                        self.note_item(o.site, item)
                    self.decisions.dynamic.setdefault(o.site, None)  # type: ignore[arg-type]
                self.make_dynamic(head)
        return Conflict("this name holds containers of different structure on different paths")

    def join_functions(self, values: list[Value], blocks: list[list[Stmt]], stem: str) -> Value:
        """One of several functions: names that say which one it is.

        if c: f = sin           if c: f_is_sin = True
        else: f = cos           else: f_is_sin = False
        """
        different: list[Value] = [Known(None)] if any(map(is_none, values)) else []
        for value in itertools.chain.from_iterable(map(alternatives, values)):
            if not any(self.same(value, other) for other in different):
                different.append(value)
        *some, result = different
        for value in reversed(some):
            flags = [self.chosen(given, value) for given in values]
            flag = self.join_leaves(flags, flags, blocks, f"{stem}_is_{name_of(value)}")
            assert isinstance(flag, Leaf)
            result = Choice(flag, value, result)
        return result

    def chosen(self, given: Value, function: Value) -> Value:
        """Is what a path gives this function?"""
        if not isinstance(given, Choice):
            return Known(self.same(given, function))
        first, second = self.chosen(given.first, function), self.chosen(given.second, function)
        if isinstance(first, Known) and isinstance(second, Known) and first.value == second.value:
            return first
        test = clone(given.test.expr)
        if isinstance(first, Known) and isinstance(second, Known):
            return Leaf(test if first.value else gast.UnaryOp(gast.Not(), test), Number(bool), nested=True)
        return Leaf(gast.IfExp(test, self.expression(first), self.expression(second)), Number(bool), nested=True)

    def is_partly(self, value: Value) -> bool:
        """Is it a name that some path leaves unbound?"""
        return isinstance(value, Leaf) and isinstance(value.expr, gast.Name) and value.expr.id in self.partly

    def bind_everywhere(self, value: Value) -> None:
        """A name that some paths leave unbound is going to be copied: they bind it to None."""
        if isinstance(value, Leaf) and self.is_partly(value):
            for block in self.partly.pop(value.expr.id):
                statement = copy_statement(value.expr.id, gast.Constant(None, None), self.origin)
                statement.absent = True
                block.append(statement)

    def join_leaves(self, values: list[Value], bound: list[Value], blocks: list[list[Stmt]], stem: str) -> Value:
        first = bound[0]
        varied = any(self.is_varied(v) for v in bound)
        alone = len(bound) == len(values) and isinstance(first, Leaf) and not first.nested
        if alone and all(isinstance(v, Leaf) and same_expr(v.expr, first.expr) for v in bound):  # type: ignore[attr-defined]
            return Leaf(first.expr, first.kind, varied, first.const)  # type: ignore[attr-defined]
        for value in bound:
            if isinstance(value, Leaf) and self.limits and atom_key(value.expr) in self.limits:
                return Conflict("this name holds different deques with length limits on different paths")
            if isinstance(value, Known) and has_own_operators(value.value):
                return Conflict("this name holds different functions or objects on different paths")
            if isinstance(value, Known) and not value.is_a(bool, type(None), str, int, enum.Enum):
                if data_kind(value.value) is not None or self.raising:  # (what the run calls there has no derivative)
                    continue
                return Conflict("this name holds different functions or objects on different paths")
            if is_none(value) and varied:
                return Conflict("this name is None on one path and a number or an array on another")
        if len(bound) < len(values) and self.is_partly(first) and all(self.same(first, v) for v in bound[1:]):
            assert isinstance(first, Leaf)
            self.partly[first.expr.id].extend(b for v, b in zip(values, blocks, strict=True) if isinstance(v, Unbound))
            return first
        for value in bound:
            self.bind_everywhere(value)
        own = [(data_kind(v.value) if isinstance(v, Known) else None) or self.kind(v) for v in bound]
        kind = own[0]
        for other in own[1:]:
            kind = join_kinds(kind, other, self.symbol)
        if isinstance(kind, Static):
            kind = Number(bool) if isinstance(kind.value, bool) else Text() if type(kind.value) is str else Unknown()
        name = self.facts.fresh(stem, temp=False)
        if len(bound) < len(values):
            self.partly[name] = [b for v, b in zip(values, blocks, strict=True) if isinstance(v, Unbound)]
        self.facts.user_name[name] = stem
        self.facts.kinds[name] = kind
        if varied:
            self.facts.varied.add(name)
        if any(map(self.is_exception, bound)):
            self.caught.add(name)
        if len(bound) < len(values):
            self.partly_bound.add(name)
        for value, block in zip(values, blocks, strict=True):
            if not isinstance(value, Unbound):
                block.append(copy_statement(name, self.expression(value), self.origin))
        joined = Leaf(load(name), kind, varied)
        cases = [self.cases_of(v) for v in bound] if isinstance(kind, Unknown) else []
        if cases and all(cases) and len(bound) == len(values):
            self.cases[name] = tuple(dict.fromkeys(case for several in cases for case in several))
        if may_hold_list(kind) and any(map(self.perhaps_list, bound)):
            self.may_be_lists.add(name)
        if any(map(self.is_flat, bound)):
            self.flats.add(name)
            keys = {atom_key(v.expr) for v in bound if isinstance(v, Leaf)}
            if not all(map(self.is_flat, bound)) or keys & self.half_flats:
                self.half_flats.add(name)
        sites = [self.sites(atom_key(v.expr)) if isinstance(v, Leaf) else frozenset() for v in bound]
        if isinstance(kind, ListOf) and all(sites):
            self.joined_sites[name] = frozenset().union(*sites)
        if any(id(v) in self.unsure for v in bound) or (self.in_loops and len(bound) < len(values)):
            self.unsure[id(joined)] = joined
        if len(bound) < len(values) or any(id(v) in self.perhaps_unbound for v in bound):
            self.perhaps_unbound[id(joined)] = joined
        if self.in_loops:  # what an earlier turn left in the name is no value of this one
            self.bind_everywhere(joined)
        return joined


def is_new_list(value: Expr, deep: bool) -> bool:
    """Does an expression make a list that nobody else holds? `deep`: and lists in it that nobody else holds.

    >>> is_new_list(quote("[row] * n"), False), is_new_list(quote("[row] * n"), True)
    (True, False)
    >>> is_new_list(quote("a or b"), False)
    False
    """
    if isinstance(value, gast.BinOp):
        return not deep
    if isinstance(value, (gast.List, gast.Tuple)):
        return not deep or all(isinstance(e, gast.Constant) or is_new_list(e, deep) for e in value.elts)
    if isinstance(value, gast.ListComp):
        return not deep or is_new_list(value.elt, deep)
    if isinstance(value, gast.Call):
        makes = isinstance(value.func, gast.Name) and value.func.id in ("list", "sorted") and not deep
        listed = isinstance(value.func, gast.Attribute) and value.func.attr == "tolist"
        return makes or listed or getattr(value, "new", False)
    return False


def data_kind(value: Any) -> Kind | None:
    """The kind of a table of numbers that is there at derivation: lists and tuples of one form.

    >>> str(data_kind([1.0, 2.5])), data_kind({"a": 1.0})
    ("ListOf(item=Number(type=<class 'float'>, value=None))", None)
    """
    if is_python_number(value) and not isinstance(value, (bool, complex)):
        return Number(type(value))
    if not isinstance(value, (list, tuple)) or not value or hasattr(value, "_fields"):
        return None
    kinds = [data_kind(v) for v in value]
    first = kinds[0]
    for kind in kinds:
        if kind is None or first is None or type(kind) is not type(first):
            return None
        first = join_kinds(first, kind, dims.fresh)
    return None if isinstance(first, Unknown) or first is None else ListOf(first)


def own_new(cls: type) -> types.FunctionType | None:
    """The __new__ of a class, where it is the user's."""
    for base in cls.__mro__:
        if is_standard(base) or "_fields" in vars(base):
            return None
        found = vars(base).get("__new__")
        if found is not None:
            function = getattr(found, "__func__", found)
            return function if isinstance(function, types.FunctionType) else None
    return None


def made_of_items(cls: type) -> bool:
    """Are objects of a class that is built on tuple made of their items, and nothing else?"""
    return cls is tuple or (own_new(cls) is None and type(class_entry(cls, "__init__")) is not types.FunctionType)


def has_own_operators(value: Any) -> bool:
    """Is it a number, or a member of an enum, whose class says itself what operators mean?

    >>> class Steps(int):
    ...     def __add__(self, other):
    ...         return 100 * other
    >>> has_own_operators(Steps(1)), has_own_operators(1)
    (True, False)
    """
    if own_meaning(type(value)):
        return True
    own = [vars(base) for base in type(value).__mro__ if not is_standard(base)] if isinstance(value, enum.Enum) else []
    defined = [held[name] for held in own for name in OPERATORS if name in held]
    return any(isinstance(f, types.FunctionType) and f.__module__ != "enum" for f in defined)


def is_ruled(cls: type, name: str) -> bool:
    """Does the class of the user's say by a property or another descriptor what reading an attribute gives, whatever
    the object holds under that name?

    >>> class Doubled:
    ...     v = property(lambda self: 2.0 * self.__dict__["v"])
    >>> is_ruled(Doubled, "v"), is_ruled(Doubled, "w")
    (True, False)
    """
    found = class_entry(cls, name)
    return isinstance(found, property) or descriptor_method(found, "__set__") is not None


def descriptor_method(found: Any, name: str) -> types.FunctionType | None:
    """`__get__` or `__set__` of an attribute of a class, where it is written in Python."""
    method = getattr(type(found), name, None)
    return method if isinstance(method, types.FunctionType) else None


def is_standard(cls: type) -> bool:
    """Is it a class of NumPy, SciPy or the standard library, whose objects are not looked into?"""
    module = (getattr(cls, "__module__", "") or "").split(".")[0]
    if cls.__name__ == "SimpleNamespace":
        return False
    if module in ("numpy", "scipy", "builtins") or is_labelled(cls):
        return True
    return module in sys.stdlib_module_names and module != "__main__"


_ORIGINS: dict[Any, Any] = {}


def _uncommented(line: str) -> str:
    """A source line without its comment (quotes make it too hard to tell: then as it is)."""
    if "#" not in line or "'" in line or '"' in line:
        return line
    return line.split("#", 1)[0]


def _without_comprehensions(node: Any, kinds: dict[str, Kind]) -> Any:
    """The tree with names in the place of comprehensions; notes the kinds of the names."""
    if isinstance(node, (gast.ListComp, gast.GeneratorExp)) or hasattr(node, "found_kind"):
        name = f"comprehension {len(kinds)}"
        kinds[name] = getattr(node, "found_kind", None) or getattr(node, "kind", None) or Unknown()
        return load(name)
    if isinstance(node, list):
        return [_without_comprehensions(n, kinds) for n in node]
    if isinstance(node, gast.AST):
        for field_name in node._fields:
            part = getattr(node, field_name, None)
            if isinstance(part, (gast.AST, list)):
                setattr(node, field_name, _without_comprehensions(part, kinds))
    return node


def _item(expr: Expr, key: Any) -> Expr:
    return gast.Subscript(clone(expr), gast.Constant(key, None), gast.Load())


def _word(key: Any) -> str:
    word = f"_{key}"
    return word if word.isidentifier() else "_item"


def same_constant(a: Any, b: Any) -> bool:
    """Can one constant stand for another? Objects of the user's, and what may change, stand for themselves alone.

    >>> same_constant((1, "a"), (1, "a")), same_constant((1, "a"), (1.0, "a")), same_constant([1], [1])
    (True, False, False)
    """
    if a is b:
        return True
    if type(a) is not type(b) or isinstance(a, np.ndarray):
        return False
    if isinstance(a, (types.MethodType, types.BuiltinMethodType)):  # made anew where it is read
        return a.__self__ is b.__self__ and a.__name__ == b.__name__ and a == b
    if isinstance(a, (tuple, frozenset, set, slice)):
        one, other = parts_of_constant(a), parts_of_constant(b)
        return len(one) == len(other) and all(map(same_constant, one, other))
    try:
        return is_standard(type(a)) and hash(a) == hash(b) and bool(a == b) and repr(a) == repr(b)
    except Exception:
        return False


def parts_of_constant(value: Any) -> list[Any]:
    if isinstance(value, slice):
        return [value.start, value.stop, value.step]
    return list(value) if isinstance(value, tuple) else sorted(value, key=repr)


def same_expr(a: Expr, b: Expr) -> bool:
    if isinstance(a, gast.Name) and isinstance(b, gast.Name):
        return bool(a.id == b.id)
    if isinstance(a, gast.Constant) and isinstance(b, gast.Constant):
        return type(a.value) is type(b.value) and bool(a.value == b.value)
    return type(a) is type(b) and text(a) == text(b)


def _stem(slot: tuple[Any, ...]) -> str:
    name = str(slot[2])
    if name.isidentifier():
        return name
    return {"#returned": "returned", "#result": "result"}.get(name, "item")


def has_fields(kind: Kind) -> bool:
    """Is it the kind of a namedtuple, or of a run-time list that holds some?"""
    if isinstance(kind, ListOf):
        return has_fields(kind.item)
    return isinstance(kind, Tuple) and (hasattr(kind.cls, "_fields") or any(map(has_fields, kind.items)))


def may_be_none(values: list[Value], tuples: bool = False) -> bool:
    """Are some of the values None, and the others run-time values, or tuples where these are asked for?"""
    absent = [is_none(v) for v in values]
    forms = (Maybe, Tup) if tuples else (Leaf, Maybe)
    return all(a or isinstance(v, forms) for a, v in zip(absent, values, strict=True)) and (
        (any(absent) and not all(absent)) or any(isinstance(v, Maybe) for v in values)
    )


def none_of(value: Value) -> Value:
    """Whether a value is None."""
    if isinstance(value, Leaf) and isinstance(value.kind, Unknown):  # it may be joined of None and a number
        test = gast.Compare(clone(value.expr), [gast.Is()], [gast.Constant(None, None)])
        return Leaf(test, Number(bool), nested=True)
    return value.none if isinstance(value, Maybe) else Known(is_none(value))


#: branches whose paths are followed apart, at most: each may double what comes after
PATHS_APART = 4
_BINARY = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift"]
#: the methods of operators
OPERATORS = [f"__{prefix}{name}__" for name in _BINARY for prefix in ("", "r", "i")] + ["__neg__", "__pos__", "__abs__"]
#: what stands for all sets that are known where containers are numbered
A_SET = -1
#: what stands for all lists that were items of lists of the run, and are taken apart
AN_ITEM = -2
#: why a container may not change: that the run has two of it
COPIED = (
    "a container is changed that also stands in another one, which only the run knows",
    ways.COPY_LIST,
)
#: containers that may stand outside of the function, and the methods that put something in and give nothing back
OUTER: frozenset[type] = frozenset((list, dict, set, collections.deque, collections.defaultdict))
_METHODS = "append extend insert clear update add appendleft extendleft remove discard sort reverse"
PUTS_IN = frozenset(_METHODS.split())
CHANGES_ITS_OWN = PUTS_IN | frozenset(("pop", "popleft", "popitem", "setdefault", "rotate", "move_to_end"))


def changes_something(statement: Any) -> bool:
    """Is there a call in a statement that is made for its effect, or a method that changes its object, or a function
    that changes what it is given?

    >>> from s2sad.core import statements
    >>> [changes_something(s) for s in statements("u.append(x)" + chr(10) + "a = u.pop()" + chr(10) + "b = len(u)")]
    [True, True, False]
    """
    for n in walk(statement):
        value = n.value if isinstance(n, (gast.Expr, gast.Assign)) else None
        if getattr(n, "makes_item", False) or getattr(n, "written", None):
            return True
        if isinstance(value, gast.Call):
            name = getattr(value.func, "attr", "") or getattr(value.func, "id", "")
            if isinstance(n, gast.Expr) or name in CHANGES_ITS_OWN or name in CHANGE_FIRST:
                return True
    return False


def tuple_of(value: Value) -> Value:
    """A tuple that may be None as the tuple: where it is taken apart, it is there."""
    return value.value if isinstance(value, Maybe) and isinstance(value.value, Tup) else value


def is_function(value: Value) -> bool:
    """Is it a function, or one of several?"""
    if not isinstance(value, Known):
        return isinstance(value, (Closure, Choice, Method, Partial))
    return value.can_be_called and (value.is_a(type) or is_standard(value.cls))


def is_callable(value: Value) -> bool:
    """Is it a function, or an object of the user's that can be called?"""
    return is_function(value) or (isinstance(value, Known) and value.can_be_called)


def may_be_functions(values: list[Value]) -> bool:
    """Are they functions, or None in the place of one?"""
    return all(is_function(v) or is_none(v) for v in values) and not all(map(is_none, values))


def alternatives(value: Value) -> Iterator[Value]:
    """The functions that a value may be."""
    if isinstance(value, Choice):
        yield from alternatives(value.first)
        yield from alternatives(value.second)
    else:
        yield value


def name_of(function: Value) -> str:
    """What a function is called, where it has a name."""
    if isinstance(function, (Method, Partial)):
        return name_of(function.function)
    if is_none(function):
        return "none"
    tree = function.source.tree if isinstance(function, Closure) else None
    name = tree.name if tree is not None else getattr(getattr(function, "value", None), "__name__", "")
    return name if name.isidentifier() and not name.startswith("lambda") else "first"


def value_of(value: Value) -> Value:
    """The value where it is not None."""
    if isinstance(value, Maybe):
        return value.value
    return Unbound() if is_none(value) else value


def is_set(value: Any) -> bool:
    """Is it a set, as a value that is known?"""
    return isinstance(value, (set, frozenset))


def _mentions_set(kind: Kind | None) -> bool:
    """Is there a set that is known in a kind?"""
    if isinstance(kind, ListOf):
        return _mentions_set(kind.item)
    if isinstance(kind, (List, Tuple)):
        return any(map(_mentions_set, kind.items))
    return isinstance(kind, Static) and is_set(kind.value)


class Attempt:
    """What is lowered on trial, in a block of its own: it is kept, or undone as if it had never been.

    attempt = Attempt(lowering)
    value = lowering.expr(node)
    attempt.keep() if it_will_do(value) else attempt.undo()
    """

    def __init__(self, lowering: Any) -> None:
        self.lowering = lowering
        self.state, self.block, self.saved = lowering.state, lowering.block, lowering.checkpoint()
        lowering.state, lowering.block = self.state.fork(), []

    def keep(self) -> None:
        self.state.adopt(self.lowering.state)
        self.block += self.lowering.block
        self.lowering.state, self.lowering.block = self.state, self.block

    def undo(self) -> None:
        self.lowering.state, self.lowering.block = self.state, self.block
        self.lowering.restore(self.saved)


def hold_too(obj: ListObj | DictObj | Instance, other: ListObj | DictObj | Instance) -> None:
    """What is an item of a run-time list on one path may be one afterwards."""
    if isinstance(obj, ListObj) and isinstance(other, ListObj) and other.held:
        obj.held = True


def put_item(obj: ListObj | DictObj | Instance, key: Any, value: Value) -> None:
    if isinstance(obj, Instance):
        obj.attributes[key] = value
    else:
        obj.items[key] = value


def timeless(kind: Kind) -> Kind:
    """The kind of a list item, without the lengths and values that only one run of the lowering knows.

    Lengths get symbols `item0@`, `item1@`, ... which stand for "some length" and are made fresh when an item is read.
    """
    if isinstance(kind, Array) and kind.shape is not None:
        return Array(
            kind.dtype,
            tuple(d if is_fixed(d) else Dim.symbol(f"item{i}@") for i, d in enumerate(kind.shape)),
            mixed=kind.mixed,
        )
    if isinstance(kind, Either):
        return Either(timeless(kind.array), kind.other)  # type: ignore[arg-type]
    if isinstance(kind, Tuple):
        return Tuple(tuple(timeless(k) for k in kind.items), kind.cls)
    if isinstance(kind, List):
        return List(tuple(timeless(k) for k in kind.items))
    if isinstance(kind, Number):
        return Number(kind.type, types=kind.types)
    if isinstance(kind, ListOf):
        return ListOf(timeless(kind.item))
    return kind


def is_plain_dataclass(obj: Instance) -> bool:
    """Is an object what its class makes of its attributes, without more?"""
    if not dataclasses.is_dataclass(obj.cls) or hasattr(obj.cls, "__post_init__"):
        return False
    return {f.name for f in dataclasses.fields(obj.cls) if f.init} == set(obj.attributes)


#: functions and methods that write values into text
_MAKES_TEXT = frozenset(("str", "repr", "format", "tostring", "tobytes"))
#: expressions that carry the kind of what they give
_OF_ITEMS = frozenset((gast.ListComp, gast.GeneratorExp))
_FREE = OfNodes()


def _free_names(tree: Any) -> set[str]:
    """The names a function's body mentions."""
    found: set[str] | None = _FREE.get(tree)
    if found is None:
        found = _FREE[tree] = {n.id for n in walk_names(tree)}
    return found


#: names that generated code must not use for anything else
RESERVED = {
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "try",
    "while",
    "with",
    "yield",
    "None",
    "True",
    "False",
    "range",
    "len",
    "reversed",
    "print",
    "float",
    "int",
    "abs",
    "min",
    "max",
    "sum",
    "list",
    "tuple",
    "dict",
    "zip",
    "enumerate",
    "isinstance",
}
