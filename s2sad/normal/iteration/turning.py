"""Loops over what may change under them."""

from __future__ import annotations

from typing import Any

import gast

from s2sad.core import atom_key
from s2sad.frontend import ways
from s2sad.kinds.kind import Static
from s2sad.normal import above
from s2sad.normal.iteration.asking import length_now, must_keep_its_length
from s2sad.normal.iteration.iterators import BackOfDeque, StepsOfDeque
from s2sad.normal.iteration.watch import Watch, iterators_in, loops_around, turned
from s2sad.normal.iteration.watching import watched_value
from s2sad.normal.names import hold
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import Closure, DictObj, Instance, Lazy, Leaf, ListObj, Ref, Value, contents
from s2sad.normal.values.classes import within
from s2sad.normal.values.joined import same_value
from s2sad.normal.values.making import ask_in_steps, note_run, users_place
from s2sad.runtime.identity import class_entry


@above.run_through.answer
def run_through(run: Run, value: Lazy) -> None:
    """An iterator gives its items once: refuse to run through it at a second place, or once a turn of a loop that
    it was not made in.

    h = [map(f, u)]; sum(h[0]) + max(h[0])        max finds nothing
    zip(h[0], h[0])                               gives pairs of neighbours
    """
    frame, node = users_place(run, run.frame, run.node)
    seen: set[object] = set()
    for part in iterators_in(value):
        check_lengths(run, part)
        again = part.token in seen or note_run(run, part.token)
        seen.add(part.token)
        if not run.iterators.looking_again and (again or turns_since(run, part, frame, node)):
            ask_in_steps(run, part.site)
            run.refuse(
                "an iterator is run through in several places, or in a loop: it gives its items once",
                ways.LIST,
            )


def check_turned(run: Run, deque: Value) -> None:
    """A deque is turned: for iterators that is another length."""
    if isinstance(deque, Ref):
        run.memory.lists_resized.append(turned(deque))
    for obj in run.state.heap.values():
        over_deque = isinstance(obj, Instance) and obj.cls in (StepsOfDeque, BackOfDeque)
        if over_deque and same_value(run, contents(obj)["items"], deque):
            run.refuse("a deque is turned while an iterator looks at it", ways.LIST)


def check_lengths(run: Run, iterator: Lazy) -> None:
    """Refuse to run through an iterator where what it asked the length of has another one."""
    for value, length in iterator.lengths or ():
        if length_now(run, value) != length:
            if must_keep_its_length(run, value):
                run.refuse("a dict or a deque gets another length while an iterator looks at it", ways.LIST)
            ask_in_steps(run, iterator.site)
            run.refuse("a list gets another length after reversed() has looked where it ends", ways.LIST)


def turns_since(run: Run, value: Lazy, frame: Any, node: Any) -> bool:
    """Is there a loop around a place, with turns that are not told apart, that was not around the one where an
    iterator was made?"""
    if value.made is None:
        return False
    maker, made_at, turning = value.made
    if len(run.turns.turning) > turning:
        return True
    made_in = {}
    while maker is not None:
        made_in[maker.id] = made_at
        maker, made_at = maker.caller, maker.call_node
    while frame is not None:
        around = loops_around(frame.source.tree, node)
        around = {loop for loop in around if (frame.id, loop) not in run.turns.written_out_turn}
        if frame.id in made_in:
            return bool(around - loops_around(frame.source.tree, made_in[frame.id]))
        if around:
            return True
        frame, node = frame.caller, frame.call_node
    return False


def watches_in(run: Run, value: Value) -> list[Watch]:
    """The watches of what a loop runs over."""
    found = []
    for part in within(run, value, set()):
        if isinstance(part, Leaf) and run.iterators.watched and atom_key(part.expr) in run.iterators.watched:
            found.append(run.iterators.watched[atom_key(part.expr)])
        obj = run.state.heap[part.id] if isinstance(part, Ref) else None
        if isinstance(obj, ListObj) and obj.watch is not None:
            found.append(obj.watch)
    if isinstance(value, Lazy):  # zip, enumerate
        return [*found, *(watch for part in value.args for watch in watches_in(run, part))]
    of = run.state.heap.get(value.id) if isinstance(value, Ref) else None
    if isinstance(of, Instance) and class_entry(of.cls, "__iter__") is None:
        # run over by __getitem__, as often as its length says before the first turn: its lists must stay
        _, watch = watched_value(run, lambda: value, value)
        watch.held = {r: v for r, v in watch.held.items() if not isinstance(run.state.heap[r], Instance)}
        found.append(watch)
    return found


def watch_keys(run: Run, owner: int | None, name: str, watch: Watch) -> None:
    """A variable holds the keys of the dicts that were read."""
    dicts = [ref for ref in watch.held if isinstance(run.state.heap[ref], DictObj)]
    watch.keys = {ref: list(contents(run.state.heap[ref])) for ref in dicts}
    watch.held, watch.names, watch.roots, watch.lists = {}, {}, set(), set()
    if owner is not None:
        run.iterators.watched_variables[owner, name] = run.state.frames[owner][name], watch


def as_iterator(run: Run, value: Value, watch: Watch) -> Value:
    """What the items of an iterator were collected in, as something that gives them once."""
    if isinstance(value, Ref):
        obj = run.state.heap[value.id]
        if isinstance(obj, ListObj):
            made = [part for item in obj.items for part in within(run, item, set())]
            if len(obj.items) > 1 and any(isinstance(part, Closure) for part in made):
                run.refuse("functions that a generator makes", ways.LOOP)
            obj.once, obj.watch = True, watch
    elif isinstance(value, Leaf) and not isinstance(value.kind, Static):
        watch.generator = isinstance(value.expr, gast.GeneratorExp)
        value = hold(run, value, "items")
        assert isinstance(value, Leaf)
        run.iterators.watched[atom_key(value.expr)] = watch
    return value
