"""What is learnt about a place of the program, and starting again with it."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from s2sad.core import Expr, atom_key, load
from s2sad.frontend import ways
from s2sad.kinds.joined import join_kinds
from s2sad.kinds.kind import Array, Kind, ListOf, Number, Static
from s2sad.kinds.kind import List as ListKind
from s2sad.normal import above
from s2sad.normal.decisions import Restart
from s2sad.normal.desugar.jumps import last_reader
from s2sad.normal.memory import root_of
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import Conflict, DictObj, Instance, Known, Leaf, ListObj, Ref, State, Tup, Value
from s2sad.normal.values.facts import is_varied, kind_in_run, kind_of, settled_kind
from s2sad.normal.values.questions import timeless
from s2sad.normal.words import PATHS_APART, STALE, STALE_WAY_OUT

#: a row of a list at run time with more numbers is a list at run time as well; one with fewer has items with names
SHORT_ROW = 3


def note_list(run: Run, ref: int, states: list[State]) -> None:
    """Note that a list of another length in each state has to be a list at run time, and what it holds."""
    run.decisions.dynamic[states[0].heap[ref].site] = None  # type: ignore[assignment]
    for run.state in states:
        obj = run.state.heap[ref]
        assert isinstance(obj, ListObj)
        for item in obj.items:
            note_item(run, obj.site, item)


def other_lists_differ(run: Run, ref: int, states: list[State]) -> Iterator[int]:
    """The other lists of which that has to be noted too: each start of the lowering learns all that is plain."""
    alive = set().union(*(state.reachable() for state in states))
    for other in sorted(alive - {ref}):
        lists = [obj for s in states if isinstance(obj := s.heap.get(other), ListObj)]
        if len(lists) < len(states) or any(obj.once for obj in lists):
            continue
        if lists[0].site is None or lists[0].site in run.decisions.dynamic:
            continue
        lengths = {len(obj.items) for obj in lists}
        if len(lengths) > 1 and all(isinstance(v, Leaf) for obj in lists for v in obj.items):
            yield other


def note_item(run: Run, site: Any, item: Value) -> None:
    known = run.decisions.dynamic.get(site)
    kind = settled_kind(run, timeless(kind_in_run(run, item)))
    row = row_passed(run, item)
    if row is not None and len(row.items) > SHORT_ROW and isinstance(kind, ListKind):
        kind = ListOf(functools.reduce(lambda a, b: join_kinds(a, b, run.symbol), kind.items))
    if known is None:
        run.decisions.learn(site, kind)
    run.decisions.dynamic[site] = kind if known is None else timeless(join_kinds(known, kind, run.symbol))
    if is_varied(run, item):
        run.decisions.varied_lists.add(site)


def run_time_dict(run: Run, obj: DictObj) -> None:
    """A dict gets or is asked for a key that is not known: it is one at run time, of places where it is active."""
    unroll_a_loop(run)
    site = obj.site
    if site is None or obj.expr is not None or site in run.decisions.tables or site in run.decisions.unfit:
        return
    plain = obj.factory is None or (isinstance(obj.factory, Known) and obj.factory.can_be_called)
    varied = any(is_varied(run, v) for v in obj.items.values())
    (run.decisions.tables if plain and not varied else run.decisions.unfit).add(site)
    raise Restart


@above.conflict.answer
def conflict(run: Run, value: Conflict) -> NoReturn:
    """A value is used that has not one form."""
    if value.loop is not None:
        site, count = value.loop
        if count is not None and count <= 64 and site not in run.decisions.unrolled:
            run.decisions.tell_apart(site, run.turns.loop_places.get(site, ()))
            raise Restart
    apart = run.decisions.apart
    if not is_followed(run, value.branch) and (value.branch in apart or len(apart) < PATHS_APART):
        apart[value.branch] = paths_meet(run, value, apart.get(value.branch, 0))
        raise Restart
    met = [branch for branch in apart if branch in run.speculation.behind and not is_followed(run, branch)]
    if met:  # where paths meet, a choice cannot go apart by itself
        apart.update((branch, len(run.speculation.behind[branch])) for branch in met)
        raise Restart
    choices = run.decisions.choices_apart
    if value.branch is None and value.choice not in {None, *choices} and len(choices) < PATHS_APART:
        choices.add(value.choice)
        raise Restart
    way = STALE_WAY_OUT if value.reason == STALE else ways.ONE_FORM
    run.refuse(value.reason, way, concrete=True)


def goes_on_apart(run: Run) -> None:
    """A container has not one form behind a branch: start again with all that stands there written out for each
    path, where the paths can be followed apart."""
    branch, apart = run.speculation.joined, run.decisions.apart
    if not is_followed(run, branch) and (branch in apart or len(apart) < PATHS_APART):
        apart[branch] = len(run.speculation.behind[branch])
        raise Restart


def is_active_object(run: Run, value: Value) -> bool:
    """Is it an object of a class of the user's that holds active values?"""
    obj = run.state.heap[value.id] if isinstance(value, Ref) else None
    return isinstance(obj, Instance) and is_varied(run, value)


def is_followed(run: Run, branch: Any) -> bool:
    """Are the paths of a branch followed apart to the end of its list of statements? (Or is there no branch?)"""
    return branch is None or run.decisions.apart.get(branch, 0) >= len(run.speculation.behind[branch])


def paths_meet(run: Run, value: Conflict, before: int) -> int:
    """How many of the statements behind a branch are written out for each path, now that a value is read that has
    not one form: up to the last one that reads it; all of them, where it is read behind them."""
    behind = run.speculation.behind[value.branch]
    places = {id(statement): k for k, statement in enumerate(behind)}
    at = next((places[id(s.statement)] for s in reversed(run.speculation.standing) if id(s.statement) in places), None)
    return len(behind) if at is None or at < before else last_reader(behind, at, value.name)


def look_through(run: Run, expr: Expr) -> None:
    """What a call returned is called itself: start again with it and all calls in it written out."""
    name = root_of(run, atom_key(expr)).split("[")[0].split(".")[0]
    site = run.calls.made_by.get(name, run.iterators.handed_out.get(name))
    if site is not None and site not in run.decisions.looked_through:
        run.decisions.looked_through.add(site)
        raise Restart


def follow_objects(run: Run) -> None:
    """What an object does that is not known has to be known: start again with all objects followed."""
    if not run.decisions.objects_followed:
        run.decisions.objects_followed = True
        raise Restart


def unroll_a_loop(run: Run, grown: bool = False) -> None:
    """The turns of a loop have to be told apart: start again with it written out, if its count is known.

    Args:
        grown: or of one that has run already, in which a list grew.
    """
    for site, count in [*reversed(run.turns.turning), *(reversed(run.lists.growing) if grown else ())]:
        if count is not None and count <= 64 and site not in run.decisions.unrolled:
            run.decisions.tell_apart(site, run.turns.loop_places.get(site, ()))
            raise Restart


def resize(run: Run, lst: Leaf) -> None:
    """A run-time list gets another length: it may be one that was passed, or a row of such a list."""
    owner, part = run.lists.part_of.get(atom_key(lst.expr), ("", ()))
    if owner and not part:
        rows_of_any_length(run, owner)
    run.memory.lists_resized.append(atom_key(lst.expr))
    if run.lists.lengths and not run.decisions.resized and atom_key(lst.expr) not in run.lists.made_here:
        run.decisions.resized = True
        raise Restart


def rows_of_any_length(run: Run, name: str) -> None:
    """The rows of a list get other lengths: where it was passed with rows of one length, these are lists at run time.

    Raises:
        Restart: it was taken for a list of so many numbers each.
    """
    root = root_of(run, name)
    kind = run.facts.kinds.get(root)
    if isinstance(kind, ListOf) and isinstance(kind.item, ListKind) and root not in run.lists.site_of:
        run.decisions.ragged.add(root)
        raise Restart


def make_dynamic(run: Run, obj: ListObj) -> NoReturn:
    """The list has to be a list at run time: start again with that."""
    note_dynamic(run, obj)
    raise Restart


def list_stored(run: Run, obj: ListObj, value: Value) -> None:
    """A list gets an item where only the run knows: it has to be a list at run time.

    Raises:
        Restart: with that; where all are numbers, not until the rest was lowered (see `item_of_dynamic`).
    """
    guessed = run.speculation.owes_restart
    if obj.site in run.decisions.dynamic and not guessed:
        note_item(run, obj.site, value)
        make_dynamic(run, obj)
    for item in (*obj.items, value) if guessed or are_numbers(run, (*obj.items, value)) else (value,):
        note_item(run, obj.site, item)
    if not are_numbers(run, (*obj.items, value)):
        raise Restart
    go_on_guessing(run)
    for k, item in enumerate(obj.items):
        obj.items[k] = guessed_item(run, run.decisions.dynamic[obj.site], is_varied(run, item) or is_varied(run, value))


def are_numbers(run: Run, items: Sequence[Value]) -> bool:
    return all(isinstance(kind_of(run, v), Number) for v in items)


def guessed_item(run: Run, kind: Kind, varied: bool) -> Leaf:
    """What stands for an item of a list until the lowering begins again."""
    name = run.facts.fresh("item")
    run.facts.kinds[name] = kind
    if varied:
        run.facts.varied.add(name)
    return Leaf(load(name), kind, varied)


def item_of_dynamic(run: Run, obj: ListObj) -> Leaf:
    """An item that only the run knows, of a list that has to be a list at run time.

    The rest of the function is lowered with something of that kind in its place, to see which other lists are
    such: in functions with many of them, starting again at each would take as many tries.
    """
    noted = obj.site in run.decisions.dynamic and run.speculation.owes_restart
    if noted:
        for item in obj.items:
            note_item(run, obj.site, item)
    else:
        note_dynamic(run, obj)
    kind = run.decisions.dynamic[obj.site]
    if not obj.items or not all(isinstance(v, Leaf) and isinstance(v.kind, Number) for v in obj.items):
        raise Restart
    go_on_guessing(run)
    return guessed_item(run, kind, is_varied_list(run, obj))


def go_on_guessing(run: Run) -> None:
    """What was learnt has to be known from the start; the rest is lowered to see what else has.

    Raises:
        Restart: not here.
    """
    if not run.speculation.may_guess or run.calls.trials or run.attempts or run.text_only:
        raise Restart
    if not run.speculation.owes_restart:
        run.note_place()
        run.speculation.owes_restart = True
        run.speculation.certain_functions = len(run.program.functions)
        run.decisions.begin_guessing()


def end_guessing(run: Run) -> None:
    """Forget what may come of the guess."""
    run.decisions.end_guessing()
    functions = run.program.functions
    guessed = {f.name for f in functions[run.speculation.certain_functions :]}
    del functions[run.speculation.certain_functions :]
    run.program.names -= guessed - {f.name for f in functions}


def is_varied_list(run: Run, obj: ListObj) -> bool:
    """Does a list hold active values?"""
    return any(is_varied(run, v) for v in obj.items)


def note_dynamic(run: Run, obj: ListObj) -> None:
    """Note that a list has to be a list at run time, and what it holds."""
    if obj.once:
        run.refuse("an iterator is used up to different points on different paths", ways.LIST)
    if len({timeless(kind_of(run, v)) for v in obj.items}) > 1 and any(
        isinstance(kind_of(run, v), Array) for v in obj.items
    ):
        unroll_a_loop(run)
    rows = [v for v in obj.items if not isinstance(v, (Leaf, Tup))]
    if rows and not run.program.turns_apart and all(row_passed(run, v) is not None for v in rows):
        run.program.loops_kept = True
    elif rows or any(isinstance(kind_of(run, v), Static) for v in obj.items):
        unroll_a_loop(run)
    if obj.site in run.decisions.dynamic and not obj.items:
        run.refuse(
            "this use of a list is not followed",
            ways.APPEND_POP,
            concrete=True,
        )
    known = run.decisions.dynamic.setdefault(obj.site, None)  # type: ignore[arg-type]
    for item in obj.items:
        note_item(run, obj.site, item)
    if known is not None and run.decisions.dynamic[obj.site] == known:
        run.decisions.in_vain[obj.site] = run.decisions.in_vain.get(obj.site, 0) + 1
        if run.decisions.in_vain[obj.site] > 3:
            does_not_settle(run)


def row_passed(run: Run, value: Value) -> ListObj | None:
    """A list that is an item of one that was passed, and is as it was: in a list at run time, it is one, too."""
    obj = run.state.heap[value.id] if isinstance(value, Ref) else None
    return obj if isinstance(obj, ListObj) and obj.expr is not None and obj.cls is list and not obj.once else None


def does_not_settle(run: Run) -> NoReturn:
    run.refuse(
        "what the variables or lists of this function hold does not settle: it is another in each turn or call",
        ways.ONE_FORM,
        concrete=True,
    )
