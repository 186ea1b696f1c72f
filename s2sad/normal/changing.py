"""Containers and objects that are changed: what others that may be the same are afterwards."""

from __future__ import annotations

from typing import NoReturn

from s2sad.core import Expr, atom_key
from s2sad.frontend import ways
from s2sad.kinds.kind import Array, Dict, List, ListOf, Number, Text
from s2sad.normal import above
from s2sad.normal.above import changed_before
from s2sad.normal.learning import make_dynamic, run_time_dict
from s2sad.normal.memory import changes_in_passing
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import Conflict, DictObj, Instance, Known, Leaf, ListObj, Ref, Tup, Value, contents
from s2sad.normal.values.facts import is_varied, keep_in_one, sets_of_the_run
from s2sad.normal.values.making import expression
from s2sad.normal.values.questions import is_set, put_item
from s2sad.normal.words import STALE


def list_changes(run: Run, value: Value | None) -> None:
    """A list, dict or set that was not taken apart is changed: start again, with none of a length that is known."""
    if isinstance(value, Leaf) and is_set(getattr(value.kind, "value", None)):
        sets_of_the_run(run)
    if isinstance(value, Leaf):
        check_originals(run, value)
    if isinstance(value, Leaf) and isinstance(value.kind, (List, Dict)):
        keep_in_one(run)


def followed(run: Run, leaf: Leaf) -> None:
    """An active value is used: it must not have been computed where no derivative was thought to be needed."""
    if run.passive or not leaf.varied or atom_key(leaf.expr) not in run.calls.made_passively:
        return
    run.calls.suspended = run.calls.suspended or 1
    changes_in_passing(run)
    if not run.calls.trials and not run.text_only and not run.attempts:  # (the body of a try is lowered again)
        run.refuse("active values in a form that is not followed here", ways.OWN_STATEMENT)


def container_changed(run: Run, obj: ListObj | DictObj | Instance) -> None:
    """A container was written to: others that may be the same object are not known any more."""
    if run.attempts:
        ref = next((k for k, v in run.state.heap.items() if v is obj), 0)
        changed_before(run, {ref} | run.state.possible_aliases(ref))
    if not any(held is obj for held in run.state.heap.values()):
        # a branch that was lowered since `obj` was looked up made a new state: what is stored here would be lost
        raise AssertionError("a container is changed in a state that does not hold any more")
    if isinstance(obj, DictObj) and obj.outside:
        run.refuse("this writes to an object outside the function", ways.ARGUMENT)
    if isinstance(obj, ListObj) and obj.held:
        made_one(run, next(k for k, v in run.state.heap.items() if v is obj))
    obj.expr = None
    note_change(run, obj)
    check_copies(run, obj)
    if run.lost or any(is_varied(run, v) for v in contents(obj).values()):
        changes_in_passing(run)
    if not run.state.maybe:
        return
    ref = next(k for k, v in run.state.heap.items() if v is obj)
    for other in run.state.possible_aliases(ref):
        held = run.state.heap.get(other)
        if held is None:
            continue
        note_change(run, held)
        held.stale, held.expr = True, None
        for key in list(contents(held)):
            put_item(held, key, Conflict(STALE))


def note_change(run: Run, obj: ListObj | DictObj | Instance) -> None:
    if isinstance(obj.site, tuple) and obj.site[:1] and obj.site[0] in (run.frames[0].arguments or ()):
        run.outside.changed_arguments.setdefault(obj.site, run.place())


def kept_in_run(run: Run, value: Value) -> Expr:
    """The expression for a value that goes into a container of the run."""
    run.calls.keeping += 1
    try:
        return expression(run, value)
    finally:
        run.calls.keeping -= 1


@above.copy_made.answer
def copy_made(run: Run, value: Value) -> None:
    """A container that is followed here is written out: the run has another one of it, and of those in it."""
    if isinstance(value, Known) and is_set(value.value):
        run.memory.copied.add(A_SET)
        if A_SET in run.memory.changed_in:
            sets_of_the_run(run)
    for part in value.items if isinstance(value, Tup) else ():
        copy_made(run, part)
    obj = run.state.heap.get(value.id) if isinstance(value, Ref) else None
    if obj is None or value.id in run.memory.being_copied:  # type: ignore[attr-defined]
        return
    ref: int = value.id  # type: ignore[attr-defined]
    here = {id(loop) for loop in run.loops}
    if ref in run.turns.turn_start.heap and here & run.memory.changed_in.get(ref, set()):
        made_one(run, ref)
    if not isinstance(obj, Instance):
        run.memory.copied.add(ref)
    if isinstance(obj, ListObj) and obj.held and obj.site is None:
        run.memory.copied.add(AN_ITEM)
        if AN_ITEM in run.memory.changed_in:
            keep_in_one(run)
    run.memory.being_copied.add(ref)
    try:
        for part in contents(obj).values():
            copy_made(run, part)
    finally:
        run.memory.being_copied.discard(ref)


def made_one(run: Run, ref: int) -> NoReturn:
    """A container is changed of which the run has a copy: start again with one that the run has itself."""
    for one in run.memory.twins.get(ref, [ref]):
        obj = run.state.heap.get(one)
        plain = isinstance(obj, ListObj) and obj.site is not None and obj.cls is list and obj.limit is None
        if isinstance(obj, ListObj) and plain and obj.site not in run.decisions.dynamic:
            make_dynamic(run, obj)
        if isinstance(obj, DictObj):
            run_time_dict(run, obj)
    keep_in_one(run)
    run.refuse(*COPIED)


def check_copies(run: Run, obj: ListObj | DictObj | Instance) -> None:
    """A container is changed: what was written out where something holds it would not change."""
    if getattr(obj, "once", False) or not (run.memory.copied or run.loops):
        return
    ref = next((k for k, v in run.state.heap.items() if v is obj), None)
    same = {ref, *run.state.possible_aliases(ref)} if ref is not None else set()
    for one in sorted(same & run.memory.copied):
        if isinstance(obj, Instance):
            reason = "an object is changed that a recursive function was given or handed back: they may be one"
            run.refuse(reason, ways.ONE_FORM)
        made_one(run, one)
    if run.loops and not isinstance(obj, Instance):
        for one in same:
            run.memory.changed_in.setdefault(one, set()).update(id(loop) for loop in run.loops)


def check_originals(run: Run, leaf: Leaf) -> None:
    """A container of the run is changed: it may be what a container is here that was written out."""
    if isinstance(leaf.kind, (Array, Number)) or atom_key(leaf.expr) in run.lists.made_here:
        return
    if not isinstance(leaf.kind, (ListOf, List, Dict, Text)):
        set_changed(run)
    run.memory.changed_in[AN_ITEM] = set()
    if AN_ITEM in run.memory.copied:
        keep_in_one(run)
    for ref in sorted((run.memory.copied & run.state.reachable()) - {A_SET, AN_ITEM}):
        made_one(run, ref)


def set_changed(run: Run) -> None:
    """What may be a set that is known is changed: the run must not have another one of it."""
    run.memory.changed_in[A_SET] = set()
    if A_SET in run.memory.copied:
        sets_of_the_run(run)


#: what stands for all sets that are known where containers are numbered
A_SET = -1
#: what stands for all lists that were items of lists of the run, and are taken apart
AN_ITEM = -2
#: why a container may not change: that the run has two of it
COPIED = (
    "a container is changed that also stands in another one, which only the run knows",
    ways.COPY_LIST,
)
