"""What a lowering learns for its next start: facts about places of the program."""

from __future__ import annotations

import copy
import dataclasses
from dataclasses import dataclass, field
from typing import Any

from s2sad.analysis.changes import Changes
from s2sad.kinds.joined import is_vague
from s2sad.kinds.kind import Kind


class Restart(Exception):
    """The lowering learnt something that earlier statements depend on: start again with it."""


class Grows(Restart):
    """It learnt that lists have to be lists at run time."""

    def __init__(self, lists: list[int]) -> None:
        self.lists = lists
        super().__init__()


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
    #: lists that were passed, by what reads them, in which rows get other lengths: those are lists at run time, too
    ragged: set[str] = field(default_factory=set)
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
    #: iterators of which somebody can tell when they compute their items (`s2sad.normal.desugar.in_steps`)
    in_steps: set[Any] = field(default_factory=set)
    #: what was decided before the lowering went on with a guess
    certain: dict[str, Any] | None = None
    guessed: frozenset[Any] = frozenset()
    #: how often the lowering began
    starts: int = 0
    #: of each time: what was known of lists then, and how far it came until it learnt more (`Run.where`), if it did
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
