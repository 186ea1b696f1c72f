"""What a run knows, in records: each of one subject."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from s2sad.core import Expr, Stmt
from s2sad.kinds.kind import Kind
from s2sad.normal.frames import Frame, Standing
from s2sad.normal.iteration.watch import Ahead, Watch
from s2sad.normal.values.abstract import Closure, State, Value


@dataclass(eq=False)
class Lists:
    """What is known of lists, dicts, sets and tuples that are such when the program runs."""

    site_of: dict[str, Any] = field(default_factory=dict)
    #: names of lists that are one of several, and where these were made
    joined_sites: dict[str, frozenset[Any]] = field(default_factory=dict)
    #: lists at run time that were taken from one: its name, and which part of the item (empty: all of it)
    part_of: dict[str, tuple[str, tuple[int, ...]]] = field(default_factory=dict)
    #: the length limits of deques that are lists at run time, by name
    limits: dict[str, Value] = field(default_factory=dict)
    #: where deques were made that are lists at run time
    deques_made: set[Any] = field(default_factory=set)
    #: names of run-time lists that stand for tuples; and has there been one at all?
    tuples: set[str] = field(default_factory=set)
    tuples_made: bool = False
    #: the lengths that lists at run time came with, by the paths to them
    lengths: dict[str, int] = field(default_factory=dict)
    #: names of run-time lists that were made under these names
    made_here: set[str] = field(default_factory=set)
    #: names of items taken from run-time lists
    list_items: set[str] = field(default_factory=set)
    #: names of dicts that are dicts at run time, with the places where they were made
    table_of: dict[str, Any] = field(default_factory=dict)
    #: dicts whose keys only the run knows that loops run over: the names of the lists of their items
    tables_run_over: list[str] = field(default_factory=list)
    #: the loops in which run-time lists grew
    growing: dict[tuple[Any, int | None], None] = field(default_factory=dict)
    #: names of lists of the run that somebody else may hold, and of those that were made here
    lists_given: set[str] = field(default_factory=set)
    new_lists: set[str] = field(default_factory=set)
    #: names of what may be a list, where it is not known what it is
    may_be_lists: set[str] = field(default_factory=set)
    #: names of sets that the run makes: no frozensets, which do not change
    sets_made: set[str] = field(default_factory=set)


@dataclass(eq=False)
class Iterators:
    """Iterators that have a name or are handed on, and what they read."""

    #: what loops run over whose items or number were looked up before the first turn: whose memory it is, and how
    #: many changes there had been; of a run-time list, whose items are looked up turn by turn, those of its length
    listings: list[tuple[str, int, list[str]]] = field(default_factory=list)
    #: what iterators that run-time lists stand for read, by name, and views of dicts, by frame and variable; and
    #: the frames whose variables iterators read (`s2sad.normal.iteration.watch`)
    watched: dict[str, Any] = field(default_factory=dict)
    watched_variables: dict[tuple[int, str], tuple[Value, Any]] = field(default_factory=dict)
    watched_frames: dict[int, None] = field(default_factory=dict)
    #: containers of which nothing is known but the call that made them, by name
    handed_out: dict[str, Any] = field(default_factory=dict)
    #: does a loop, or an iterator, ask an object for its iterator?
    asked_by_loop: int = 0
    #: how many statements the body of the loop has whose turns are being found; 0 where this says nothing
    body_size: int = 0
    #: is what a loop runs over being looked at again?
    looking_again: int = 0
    #: watches that are being made: variables that are looked up go there, with the frames that there were
    watching: list[tuple[Watch, set[int]]] = field(default_factory=list)
    #: items that were computed ahead of the loop that is about to run over them
    ahead: list[Ahead] = field(default_factory=list)


@dataclass(eq=False)
class Memory:
    """Whose memory is stored into, read and shared."""

    #: whose memory has been stored into, one store after the other
    stores_made: list[str] = field(default_factory=list)
    being_copied: set[int] = field(default_factory=set)
    #: what names are bound to whose kind is not known: parts of what is not looked into
    of_unknown_form: dict[str, Expr] = field(default_factory=dict)
    #: which run-time lists were changed, one change after the other
    lists_changed: list[str] = field(default_factory=list)
    #: which got another length
    lists_resized: list[str] = field(default_factory=list)
    #: names of what was read out of containers, arrays and objects
    read_out: set[str] = field(default_factory=set)
    #: names of what `array.flat` gave; and which of these may be another array, on other paths
    flats: set[str] = field(default_factory=set)
    half_flats: set[str] = field(default_factory=set)
    #: containers that are kept when their state is gone: those of the arguments, templates of what loops carry
    template_heap: dict[int, Any] = field(default_factory=dict)
    #: names of arrays whose shape was changed in place, with the names of what they are since then
    reshaped: dict[str, str] = field(default_factory=dict)
    #: the containers that the run has copies of, and the loops in which containers are changed
    copied: set[int] = field(default_factory=set)
    #: names of arrays that objects of libraries hold
    in_objects: set[str] = field(default_factory=set)
    #: containers that hold what another one held, which was taken apart: the other, and what it is now
    twins: dict[int, list[int]] = field(default_factory=dict)
    changed_in: dict[int, set[int]] = field(default_factory=dict)


@dataclass(eq=False)
class Outside:
    """What the function reads and changes outside of itself: globals, arguments, containers of others."""

    #: how often a global was changed
    global_writes: int = 0
    #: functions whose calls stay calls, which may change what globals hold, and where that is
    called_outside: list[tuple[Any, Frame, Any]] = field(default_factory=list)
    last_write: tuple[Frame, Any] = field(default_factory=lambda: (Frame(-1, None, None), None))
    #: containers outside of the function: those in which something is put (active or not, and where), those that
    #: are read, and those by which something is decided at derivation
    outer_filled: dict[int, tuple[Any, bool, Frame, Any]] = field(default_factory=dict)
    outer_read: dict[int, Any] = field(default_factory=dict)
    outer_counted: dict[int, Any] = field(default_factory=dict)
    #: the containers among the arguments that are changed: a parameter, and the keys or attributes that lead there;
    #: and where that happens first
    changed_arguments: dict[tuple[Any, ...], tuple[Any, Any]] = field(default_factory=dict)


@dataclass(eq=False)
class Names:
    """What is known of names beyond their values."""

    #: names that values hold which are in no variable yet: they are not to be renamed
    pinned: set[str] = field(default_factory=set)
    #: the block that the user's statement that is being lowered began in, and how many statements it had
    begun: tuple[Any, int] = (None, 0)
    #: the values that a name may have, where each is known: None, a text, numbers
    cases: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    #: names that some paths leave unbound, with the blocks of these paths
    partly: dict[str, list[list[Stmt]]] = field(default_factory=dict)
    #: names that hold text made of active values
    texts: set[str] = field(default_factory=set)
    #: names of exceptions that may carry active values: that were caught, or made of these
    caught: set[str] = field(default_factory=set)
    #: names that have a value on some paths only
    partly_bound: set[str] = field(default_factory=set)
    #: values of names that a loop binds which may not turn, by their ids
    unsure: dict[int, Value] = field(default_factory=dict)
    #: what variables hold that were bound on some paths only, and have not been read since
    perhaps_unbound: dict[int, Value] = field(default_factory=dict)
    #: the user's name for what is being made
    hint: str = ""


@dataclass(eq=False)
class Calls:
    """Calls and expressions that are being lowered, and functions that are defined or cached on the way."""

    #: names of active values that were computed where no derivative was thought to be needed
    made_passively: set[str] = field(default_factory=set)
    #: the same, of what is around a call whose arguments are lowered as active ones
    suspended: int = 0
    #: how many calls are open that are looked through
    through: int = 0
    #: the kinds of operations that were left as they are while this statement is lowered, by their expressions
    nested_kinds: dict[int, tuple[Expr, Kind]] = field(default_factory=dict)
    #: is the program lowered, and only its result still to be built?
    #: the frames in which the classes of methods were defined
    class_frames: dict[Any, int] = field(default_factory=dict)
    #: functions that are cached, and whose results may be changed in place: the identities of their trees
    cached: set[int] = field(default_factory=set)
    #: all functions that are cached, by the identities of their trees
    memoized: set[int] = field(default_factory=set)
    #: what calls of the user's functions that stay calls have made, of a kind that is not known, and where they are
    made_by: dict[str, Any] = field(default_factory=dict)
    #: containers of which it is being asked whether they hold active values
    asked_of: set[int] = field(default_factory=set)
    #: how many calls are being tried for the kind of what they return
    trials: int = 0
    #: functions that are defined in the one being lowered: the block that each is defined in, and its attributes
    defined_in: dict[Closure, list[Stmt]] = field(default_factory=dict)
    set_on: dict[Closure, dict[str, Any]] = field(default_factory=dict)
    #: is an expression made for something that shows or keeps what it is given?
    shown_whole: bool = False
    #: are the arguments of a call written that is not looked into?
    looking: int = 0
    #: is what is written out now kept by a container of the run?
    keeping: int = 0
    #: the containers that were written out last: what they are handed to may keep them
    shown_containers: list[Value] = field(default_factory=list)
    #: a call whose paths are followed apart, while it is lowered: the frame it stands in, the call, what is called
    leaving: tuple[Frame, Any, Value] | None = None
    #: how often functions were written out, by their trees
    activations: dict[int, int] = field(default_factory=dict)


@dataclass(eq=False)
class Turning:
    """Loops that are being lowered, through all calls."""

    #: loops being lowered, through all calls: their places and how often they turn, where that is known
    turning: list[tuple[Any, int | None]] = field(default_factory=list)
    #: which turn of a loop that is written out is being lowered, by its frame and the loop's identity
    written_out_turn: dict[tuple[int, int], int] = field(default_factory=dict)
    #: how many loops at run time are around, through all calls
    in_loops: int = 0
    #: the state at the start of a turn of the loop that is being settled
    turn_start: State = field(default_factory=State)
    #: the containers among the heads of a loop: where they are carried, and which they are on entry
    head_containers: list[tuple[Any, int, int | None]] = field(default_factory=list)
    #: where the loops of the run began; and where something was learnt that earlier statements depend on
    loop_places: dict[Any, tuple[int, ...]] = field(default_factory=dict)


@dataclass(eq=False)
class Speculation:
    """What is taken for granted until the lowering begins again, and where it may have to."""

    #: was something put in the place of what only the next try knows? Then there is one, whatever comes
    owes_restart: bool = False
    #: may that be done; and how many core functions were there before
    may_guess: bool = False
    certain_functions: int = 0
    finished: bool = False
    #: was a path left out, because it needs the result of a recursion that is not known yet?
    diverged: bool = False
    #: the branch behind which paths are joined, where they can be followed apart
    joined: Any = None
    #: what stands behind branches in their lists of statements, and the statements that are being lowered
    behind: dict[Any, list[Any]] = field(default_factory=dict)
    standing: list[Standing] = field(default_factory=list)
    learnt_at: tuple[int, ...] | None = None
    tried: bool = False
