"""Where paths meet: their states become one."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any, NoReturn

from s2sad.core import Stmt
from s2sad.frontend import ways
from s2sad.normal.decisions import Grows
from s2sad.normal.frames import Frame
from s2sad.normal.learning import (
    goes_on_apart,
    is_active_object,
    make_dynamic,
    note_list,
    other_lists_differ,
    run_time_dict,
    unroll_a_loop,
)
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import (
    Choice,
    Closure,
    Conflict,
    DictObj,
    Known,
    Lazy,
    Leaf,
    ListObj,
    Method,
    Partial,
    State,
    Tup,
    Unbound,
    Value,
    agreed,
    contents,
    keys_of,
)
from s2sad.normal.values.joined import join_values, same_attributes
from s2sad.normal.values.questions import hold_too, stem


def join(run: Run, paths: Iterable[tuple[State, list[Stmt]]], branch: Any = None) -> State:
    """The state behind a branch: names that differ get one name, copied into at the end of each path's block.

    Args:
        branch: its place, where the paths can be followed apart, or further than they are (`Decisions.apart`).
    """
    run.speculation.joined, outer = branch, run.speculation.joined
    try:
        return joined_paths(run, list(paths))
    finally:
        run.speculation.joined = outer


def joined_paths(run: Run, paths: list[tuple[State, list[Stmt]]]) -> State:
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
                let_go(run, states)
                alive = set().union(*(s.reachable() for s in states))
            if differs and ref not in alive:
                continue  # nobody will look at it again
            if ref not in done and ref in alive:
                done.add(ref)
                if differs:
                    if not same_attributes(run, [s.heap[ref] for s in states]):
                        structure_differs(run, ref, states)
                    slots = [s.slots(alike) for s in states]
                if any(s.heap[ref].expr is None for s in states):
                    first.heap[ref].expr = None
                if any(s.heap[ref].stale for s in states):
                    first.heap[ref].stale = True
                for one in states:
                    hold_too(first.heap[ref], one.heap[ref])
        values = [one.get(slot) or Unbound() for one in slots]
        new = join_values(run, values, states, blocks, stem(slot))
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


def let_go(run: Run, states: list[State]) -> None:
    """Forget the variables of functions that have returned, but for those that a closure has captured."""
    running: Frame | None = run.frame
    stack = {-2}
    while running is not None:
        level: int | None = running.id
        while level is not None:
            stack.add(level)
            level = run.frames[level].parent
        running = running.caller
    for state in states:
        for frame in [f for f in state.frames if f > 0 and f in run.frames and f not in stack]:
            if not captured(run, frame, state):
                del state.frames[frame]


def may_lack(run: Run, name: str) -> NoReturn:
    """It is asked whether an object has an attribute that it has on some paths only."""
    run.refuse(
        f"whether this object has the attribute {name!r} depends on values",
        ways.KEYS_BEFORE,
        concrete=True,
    )


def structure_differs(run: Run, ref: int, states: list[State]) -> NoReturn:
    obj = states[0].heap[ref]
    held = [v for s in states if isinstance(o := s.heap[ref], ListObj) for v in o.items]
    plain = isinstance(obj, ListObj) and all(isinstance(v, (Leaf, Tup, Known)) for v in held)
    if not plain or run.decisions.lists_apart:  # (then its loop would be written out at the first `append`)
        unroll_a_loop(run)
    for run.state in states:
        if any(is_active_object(run, v) for v in contents(run.state.heap[ref]).values()):
            goes_on_apart(run)
    if isinstance(obj, ListObj) and obj.site not in run.decisions.dynamic:
        differing = [ref, *other_lists_differ(run, ref, states)]
        for other in differing:
            note_list(run, other, states)
        raise Grows(differing)
    if isinstance(obj, ListObj):
        make_dynamic(run, obj)
    if isinstance(obj, DictObj):
        run.state = states[0]  # in which there is what it holds
        run_time_dict(run, obj)
    goes_on_apart(run)
    run.refuse(
        "a dict or object gets different keys on different paths",
        ways.KEYS_BEFORE,
        concrete=True,
    )


def captured(run: Run, frame: int, state: State) -> bool:
    """Is the frame needed after its function returned, by a closure that was made in it?"""
    inside = {frame}
    for f in sorted(run.frames):
        if run.frames[f].parent in inside:
            inside.add(f)
    if any(f in inside for f in (*run.calls.class_frames.values(), *run.iterators.watched_frames)):
        return True
    outside = [v for slot, v in state.slots().items() if not (slot[0] == "var" and slot[1] in inside)]
    return any(_mentions(v, f) for v in outside for f in inside)


def _mentions(value: Value, frame: int) -> bool:
    if isinstance(value, Closure):
        return value.frame == frame or any(_mentions(v, frame) for v in value.defaults)
    if isinstance(value, Method):
        return _mentions(value.function, frame) or _mentions(value.owner, frame)
    if isinstance(value, Partial):
        return _mentions(value.function, frame) or any(_mentions(v, frame) for v in value.args)
    if isinstance(value, Tup):
        return any(_mentions(v, frame) for v in value.items)
    if isinstance(value, Lazy):
        return any(_mentions(v, frame) for v in value.args)
    if isinstance(value, Choice):
        return _mentions(value.first, frame) or _mentions(value.second, frame)
    return False
