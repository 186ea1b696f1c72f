"""What iterators read, and whether it has changed when they compute their items."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

import gast

from s2sad.analysis.calls import Calls
from s2sad.analysis.changes import is_quiet, is_quiet_method
from s2sad.analysis.known_calls import changes_receiver
from s2sad.core import Stmt, atom_key, walk, walk_names
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Callable as CallableKind
from s2sad.kinds.kind import Number, Object, Static
from s2sad.normal import above
from s2sad.normal.above import may_stop
from s2sad.normal.calls.questions import from_library
from s2sad.normal.iteration.asking import held_in, made_at, sources
from s2sad.normal.iteration.watch import (
    IN_TURNS,
    NOTHING,
    PICKS,
    Ahead,
    Changes,
    Found,
    Made,
    Watch,
    attributes_read,
    is_effect,
)
from s2sad.normal.memory import memory_root, root_of
from s2sad.normal.run import Run
from s2sad.normal.statements.running_twice import is_of
from s2sad.normal.values.abstract import (
    Closure,
    Conflict,
    Instance,
    Known,
    Lazy,
    Leaf,
    ListObj,
    Ref,
    State,
    Tup,
    Value,
    contents,
)
from s2sad.normal.values.classes import within
from s2sad.normal.values.joined import same_value
from s2sad.normal.values.making import ask_in_steps
from s2sad.normal.words import STALE


def is_seen(run: Run, call: Any, own: Collection[str], once: bool = False) -> bool:
    """Would it be seen that a call inside of an expression is made twice: does it draw, print, or change what
    others hold?

    Args:
        own: names of arrays and lists that are made anew each time.
        once: it is made again only where it has raised nothing.
    """
    function = getattr(call, "function", None)
    if function is not None:
        return function.effect == "unknown" or bool(function.writes or function.drains)
    if getattr(call, "pure", False):
        return False
    kind = infer(call.func, run.facts)
    target = kind.value if isinstance(kind, CallableKind) else None
    if isinstance(target, types.MethodType) and not isinstance(target.__self__, type):
        target = target.__func__
    elif target is None and isinstance(call.func, gast.Attribute) and isinstance(call.func.value, gast.Name):
        owner = run.facts.globals.get(call.func.value.id)
        if isinstance(owner, (str, list, dict, set, tuple, frozenset)):
            return changes_receiver(call.func.attr) or not is_quiet_method(call.func.attr)
    if any(runs_what_is_seen(run, v) for v in [*call.args, *(k.value for k in call.keywords)]):
        return True
    if isinstance(target, types.FunctionType) and call.args:  # a method of a class stands as a function of it
        first = infer(call.args[0], run.facts)
        if isinstance(first, CallableKind) and isinstance(first.value, type):
            target = types.MethodType(target, first.value)
    if isinstance(target, (types.FunctionType, types.MethodType, type)) and not from_library(target):
        changes = run.decisions.changes
        return (changes.once if once else changes).may_be_seen(target)
    calls = Calls(run.facts)
    written = [e for e in calls.overwritten(call) if not isinstance(e, (gast.List, gast.Dict, gast.Set))]
    if not all(is_of(e, own) for e in written):
        return True
    known, is_method = calls.of(call)
    if known.effect == "none":
        return False
    return not (is_quiet_method(call.func.attr) if is_method else target is not None and is_quiet(target))


def runs_what_is_seen(run: Run, given: Any) -> bool:
    """May a call run something of what it is given, a function or methods of an object, so that it is seen?"""
    kind = infer(given.value if isinstance(given, gast.Starred) else given, run.facts)
    target = kind.value if isinstance(kind, CallableKind) else None
    while isinstance(target, functools.partial):
        target = target.func
    if isinstance(kind, Object):
        return run.decisions.changes.object_may_be_seen(kind.cls)
    if getattr(target, "__s2sad_pure__", False):  # written out for a solver
        return False
    followed = isinstance(target, (types.FunctionType, type)) and not from_library(target)
    return followed and run.decisions.changes.may_be_seen(target)


@above.watch_lazy.answer
def watch_lazy(run: Run, make: Callable[[], Value], *reads: Value) -> tuple[Value, Watch]:
    """The items of an iterator, and what was read to make them: to make them must not change anything.

    g = (u.append(e) for e in v)        refused: Python appends when g is run through, if it is
    g = (rng.normal() for e in v)       refused: and draws then
    """
    (value, watch), changes = raising_in_turns(run, lambda: noting_draws(run, lambda: watched_value(run, make, *reads)))
    if changes:
        ask_in_steps(run, watch.site)
        run.refuse(
            "an iterator computes its items when it is run through, and that changes, draws or prints something",
            ways.LIST,
        )
    return value, watch


def raising_in_turns(run: Run, make: Callable[[], Made]) -> Made:
    """Compute the items of an iterator: what one of them raises for certain is raised when it is asked for, if it
    is, with all done that is done with those before it.

    any(table[k] > 0.0 for k in "abc")        table["c"] is not looked up where that of "a" is positive
    """
    site = run.site(run.node)
    try:
        return make()
    except DerivationError as error:
        if error.remedy.raises is not None:
            ask_in_steps(run, site)
            error.remedy = replace(error.remedy, raises=None)
        raise


def watched_value(run: Run, make: Callable[[], Made], *reads: Value) -> tuple[Made, Watch]:
    """A value, and what was read to make it; `reads`: values that are read as well."""
    watch = Watch(
        stores=len(run.memory.stores_made),
        changes=len(run.memory.lists_changed),
        node=run.node,
        site=run.site(run.node),
    )
    run.iterators.watching.append((watch, set(run.state.frames)))
    block, start = run.block, len(run.block)
    try:
        value = make()
        watch.written, watch.tries = block[start:], list(run.attempts)
    finally:
        run.iterators.watching.pop()
    seen: set[int] = set()
    run.iterators.watched_frames.update(dict.fromkeys(owner for owner, _ in watch.names))
    for read in (*reads, *watch.names.values()):
        for part in within(run, read, seen):
            note_read(run, watch, part)
    return value, watch


def note_read(run: Run, watch: Watch, part: Value) -> None:
    """An iterator reads a container or an array: as it is now."""
    if isinstance(part, Ref):
        obj = run.state.heap[part.id]
        if isinstance(obj, ListObj) and obj.watch is not None:
            watch.inner.append(obj.watch)
        elif not (isinstance(obj, ListObj) and obj.once):
            watch.held[part.id] = list(contents(obj).values())
            watch.only.pop(part.id, None)
    elif isinstance(part, Leaf) and not isinstance(part.kind, (Number, Static)):
        watch.lists.add(atom_key(part.expr))
        root = memory_root(run, part.expr)
        watch.roots.update((root_of(run, root),) if root is not None else ())
        if atom_key(part.expr) in run.iterators.watched:
            watch.inner.append(run.iterators.watched[atom_key(part.expr)])


def noting_changes(run: Run, make: Callable[[], Made]) -> tuple[Made, Changes]:
    """What is made, and what making it has changed."""
    before, known, block = run.state.fork(), set(run.facts.kinds), run.block
    stores, lists, written = len(run.memory.stores_made), len(run.memory.lists_changed), len(block)
    made = make()
    keys = known.intersection([*run.memory.stores_made[stores:], *run.memory.lists_changed[lists:]])
    names, refs = moved(run, before)
    return made, Changes(names, refs, keys, any(map(is_effect, block[written:])))


def noting_draws(run: Run, make: Callable[[], Made]) -> tuple[Made, Changes]:
    """What is made, and what making it has changed, with what calls inside of expressions change: generators of
    random numbers, say."""
    block, written = run.block, len(run.block)
    made, changes = noting_changes(run, make)
    return made, replace(changes, calls=changes.calls or any(draws(run, v) for v in block[written:]))


def draws(run: Run, statement: Stmt) -> bool:
    """Is there a call in a statement, inside of an expression, that changes something?"""
    alone = {id(n.value) for n in walk(statement) if isinstance(n, gast.Expr)}
    calls = (n for n in walk(statement) if isinstance(n, gast.Call) and id(n) not in alone)
    return any(is_seen(run, call, ()) for call in calls)


def moved(run: Run, before: State) -> tuple[set[tuple[int, str]], set[int]]:
    """The variables and the containers that were there before and have another value now: an iterator that was run
    through is asked for nothing more, and what cannot be read before and behind it is seen by nobody."""
    after = run.state

    def same(old: Value, new: Value) -> bool:
        return same_value(run, old, new) or (is_unreadable(old) and is_unreadable(new))

    def differ(old: dict[Any, Value], new: dict[Any, Value]) -> set[Any]:
        names = {n for n in new if not str(n).startswith("#")}
        return {n for n in names | old.keys() if n not in old or n not in new or not same(old[n], new[n])}

    names = {(k, n) for k, old in before.frames.items() if k in after.frames for n in differ(old, after.frames[k])}
    refs = {k for k in before.heap if k in after.heap and not getattr(after.heap[k], "spent", False)}
    return names, {k for k in refs if differ(contents(before.heap[k]), contents(after.heap[k]))}


def is_unreadable(value: Value) -> bool:
    """Is a value one that nobody can read, as paths that met gave it different forms?"""
    return isinstance(value, Conflict) and value.reason != STALE


def without_changes(run: Run, make: Callable[[], Made], *iterators: Value) -> Made:
    """What is made where Python makes another part of it, or makes it in another order: it must not matter."""
    made, changes = noting_draws(run, make)
    if changes:
        in_turns_of(run, *(made_at(run, v) for v in iterators))
    return made


def in_turns_of(run: Run, *sites: Any) -> NoReturn:
    """Items are computed in turns with something else, and it matters."""
    for site in sites:
        ask_in_steps(run, site)
    run.refuse(*IN_TURNS)


def ahead_of(run: Run, make: Callable[[], Made], value: Value) -> Made:
    """The items of an iterator, computed here for a loop that may change what they are computed from."""
    mark = len(run.iterators.ahead)
    objects, attributes = objects_looked_at(run, value)
    deep, flat = sources(run, value) if not attributes else ([], list(value.args[1:]))  # type: ignore[attr-defined]
    (made, watch), changes = noting_draws(run, lambda: watched_value(run, make, *deep))
    for part in flat:
        note_read(run, watch, part)
    for ref, obj in objects.items():
        if ref not in watch.held:
            watch.only[ref], watch.held[ref] = attributes, [obj.attributes[k] for k in attributes]
            for read in watch.held[ref]:
                note_read(run, watch, read)
    if changes:  # what it changes itself is as it is now
        watch.stores, watch.changes = len(run.memory.stores_made), len(run.memory.lists_changed)
        watch.names = {(o, n): run.state.frames.get(o, {}).get(n, v) for (o, n), v in watch.names.items()}
    del run.iterators.ahead[mark:]  # (what those in it read is read by this one, too)
    watch.site = getattr(value, "site", None)
    run.iterators.ahead.append(Ahead(watch, changes))
    return made


def objects_looked_at(run: Run, value: Value) -> tuple[dict[int, Instance], list[str]]:
    """The objects that an iterator picks from by some of their attributes, and these; nothing where its function
    may look at more of them.

    filter(lambda p: p.alive, particles)        what else is changed of the particles does not matter
    """
    if not isinstance(value, Lazy) or value.function not in PICKS or len(value.args) != 2:
        return {}, []
    test, source = value.args
    obj = run.state.heap[source.id] if isinstance(source, Ref) else None
    items = obj.items if isinstance(obj, ListObj) else source.items if isinstance(source, Tup) else ()
    names = attributes_read(test) if isinstance(test, Closure) else []
    found: dict[int, Instance] = {}
    for item in items:
        one = run.state.heap[item.id] if isinstance(item, Ref) else None
        if not isinstance(one, Instance) or not all(is_plain_attribute(run, one, name) for name in names):
            return {}, []
        if isinstance(item, Ref):
            found[item.id] = one
    return (found, names) if found and names else ({}, [])


def is_plain_attribute(run: Run, obj: Instance, name: str) -> bool:
    """Does an object itself hold an attribute, and is that a number or an array?"""
    described = hasattr(getattr(obj.cls, name, None), "__get__")
    return isinstance(obj.attributes.get(name), (Leaf, Known)) and not described


def run_over(run: Run, sources: Sequence[Value], make: Callable[[], Made]) -> Made:
    """Do for each item of a container what Python does when it has that item: the rest must not change with it."""
    made, changes = noting_changes(run, make)
    for part in (part for source in sources for part in held_in(run, source, 1)):
        if isinstance(part, Ref) and part.id in changes.refs:
            run.refuse(*IN_TURNS)
        if isinstance(part, Leaf) and is_changed(run, part, changes):
            run.refuse(*IN_TURNS)
    return made


def is_changed(run: Run, part: Leaf, changes: Changes) -> bool:
    """Is a list or an array of the run among what was changed?"""
    root = memory_root(run, part.expr)
    keys = {atom_key(part.expr)} | ({root_of(run, root)} if root is not None else set())
    return not changes.keys.isdisjoint(keys)


def alongside(run: Run, runs: list[Ahead], make: Callable[[], Made]) -> Made:
    """Do what Python does in turns with the computing of items that were computed ahead: where that has changed
    something, it must not be seen here, and nothing else may be changed with it."""
    runs = [turns for turns in runs if turns.changes]
    if not runs:
        return make()
    (made, watch), changes = noting_draws(run, lambda: watched_value(run, make))
    if any(turns.changes.meet(changes) or turns.changes.seen_by(watch) for turns in runs):
        in_turns_of(run, *(turns.watch.site for turns in runs))
    return made


def one_by_one_of(run: Run, value: Value, make: Callable[[], Made], use: Callable[[Made], Found]) -> Found:
    """Compute the items of an iterator, and then what Python does with each when it has it."""
    mark = len(run.iterators.ahead)
    items = ahead_of(run, make, value)
    runs = run.iterators.ahead[mark:]
    found = alongside(run, runs, lambda: use(items))
    check_ahead(run, runs)
    del run.iterators.ahead[mark:]
    return found


def check_ahead(run: Run, runs: list[Ahead]) -> None:
    """Refuse a turn that changes what the items of the turns behind it were computed from."""
    for turns in runs:
        changed = changed_under(run, turns.watch)
        if changed:
            ask_in_steps(run, turns.watch.site)
            reason = f"what this loop runs over is computed ahead of its turns, and {changed} is changed in one"
            way_out = "write the loop out, or run over a list: list(...), where its items are to be those of before"
            run.refuse(reason, way_out, concrete=True)


@above.check_watch.answer
def check_watch(run: Run, watch: Watch | None) -> None:
    """Refuse to run through an iterator where what it reads has changed since its items were computed."""
    changed = changed_under(run, watch) if watch is not None else ""
    if changed:
        assert watch is not None
        ask_in_steps(run, watch.site)
        reason = f"an iterator computes its items when it is run through, and {changed} is changed before that"
        run.refuse(reason, ways.LIST, concrete=True)
    for trial in run.attempts if watch is not None else ():
        assert watch is not None
        if all(trial is not t for t in watch.tries) and may_stop(run, watch.written, trial):
            run.refuse(
                "a try around what runs through an iterator that was made before it: its items may raise there",
                "make the iterator in the try, or a list before it",
            )


def changed_under(run: Run, watch: Watch) -> str:
    """What has changed of what an iterator reads, since its items were computed."""
    for inner in watch.inner:
        changed = changed_under(run, inner)
        if changed:
            return changed
    changed = ""
    for (owner, name), value in watch.names.items():
        now = run.state.frames.get(owner, {}).get(name)
        if now is not None and now is not value and not same_value(run, now, value):
            changed = repr(name)
    for ref, items in watch.held.items():
        obj = run.state.heap.get(ref)
        holds = contents(obj) if obj is not None else None
        now_held = items if holds is None else [holds.get(k, NOTHING) for k in watch.only.get(ref, holds)]
        if len(now_held) != len(items) or not all(map(partial(same_value, run), now_held, items)):
            changed = changed or "a container that it reads"
    for ref, keys in watch.keys.items():
        if ref in run.state.heap and list(contents(run.state.heap[ref])) != keys:
            changed = changed or "the dict that it looks at"
    memory = watch.roots.intersection(run.memory.stores_made[watch.stores :])
    for root in memory | watch.lists.intersection(run.memory.lists_changed[watch.changes :]):
        changed = changed or as_called(run, root)
    return changed


def as_called(run: Run, root: str) -> str:
    """What the function that is being lowered calls an array or a list."""
    name = run.facts.user_name.get(root, root)
    known = any(n.id == name for n in walk_names(run.frame.source.tree))
    return repr(name) if known else "a list or an array that it reads"
