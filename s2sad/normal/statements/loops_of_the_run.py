"""Loops that stay loops: what they carry from turn to turn."""

from __future__ import annotations

import collections
import enum
import itertools
from collections.abc import Iterator
from functools import partial
from typing import Any, NoReturn

import gast
import numpy as np

from s2sad.analysis.binding import begins_surely, bound_first, turns_surely
from s2sad.core import Expr, Stmt, atom_key, copies_at_once, copy_statement, load, walk_names
from s2sad.frontend import ways
from s2sad.kinds import dims
from s2sad.kinds.dims import is_fixed
from s2sad.kinds.joined import is_python_number, join_kinds, may_hold_list, plain_number
from s2sad.kinds.kind import Array, Callable, Dim, Either, Kind, ListOf, Number, Object, Static, Text, Unknown
from s2sad.kinds.kind import Dict as DictKind
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.normal.decisions import Grows, Restart
from s2sad.normal.joining import structure_differs
from s2sad.normal.learning import go_on_guessing, note_item, unroll_a_loop
from s2sad.normal.memory import put_as_it_was
from s2sad.normal.names import bind_everywhere
from s2sad.normal.run import Run
from s2sad.normal.statements.contexts import LoopContext
from s2sad.normal.statements.define import names_outside
from s2sad.normal.statements.tries import OF_TRY
from s2sad.normal.values.abstract import (
    Conflict,
    Known,
    Leaf,
    ListObj,
    Maybe,
    Ref,
    State,
    Tup,
    Unbound,
    Value,
    agreed,
    contents,
    is_none,
    keys_of,
)
from s2sad.normal.values.classes import has_own_operators, perhaps_list, within
from s2sad.normal.values.facts import global_name, is_flat, is_varied, kind_of
from s2sad.normal.values.joined import same_value
from s2sad.normal.values.lists_of_the_run import dynamic_list
from s2sad.normal.values.making import expression
from s2sad.normal.values.questions import (
    ByPosition,
    may_be_none,
    none_of,
    put_item,
    same_but_variation,
    same_expr,
    tuple_of,
    value_of,
    varied_keys,
    varied_like,
)
from s2sad.normal.writing import is_exception, write
from s2sad.runtime.identity import class_entry


def loop(run: Run, node: Any, header: Any, lower_body: Any) -> LoopContext:
    """Lower a loop at run time: find what it carries and of which kinds, by trying until nothing changes."""
    site = run.site(node)
    heads = run.decisions.heads.setdefault(site, {})
    templates: dict[Any, Value] = {}
    entry, outer, origin = run.state, run.block, run.origin
    mark = len(outer)
    outside = names_outside(run.frame.source.tree, node)
    binds = frozenset(n.id for s in node.body for n in walk_names(s) if isinstance(n.ctx, gast.Store))
    checkpoint = run.checkpoint()
    for _attempt in range(40 + len(entry.slots())):  # (what is handed from name to name takes an attempt for each)
        run.restore(checkpoint)
        del outer[mark:]
        run.block, run.origin = outer, origin
        run.state = entry.fork()
        head_values = make_heads(run, heads, templates)
        lacking = {id(v): v for slot, v in head_values.items() if lacks_value(run, entry, slot)}
        lacking |= {id(v.none): v.none for v in lacking.values() if isinstance(v, Maybe)}
        run.names.perhaps_unbound.update(lacking)
        head_state = run.state
        body: list[Stmt] = []
        context = LoopContext(run.frame.id, binds=binds)
        run.state, run.block = head_state.fork(), body
        run.loops.append(context)
        run.turns.in_loops += 1
        try:
            test, _plain_test = lower_body(context)
        finally:
            run.turns.in_loops -= 1
            run.loops.pop()
        run.block, run.origin = outer, origin
        exits = [*context.continues, *context.breaks]
        try:
            settled = settle(run, heads, templates, head_state, head_values, exits, entry, outside)
        except Grows as found:
            run.restore(checkpoint)
            del outer[mark:]
            run.state = entry
            lists_of_the_run(run, found.lists)
            heads, templates = run.decisions.heads.setdefault(site, {}), {}
            checkpoint, mark = run.checkpoint(), len(outer)
            continue
        if not settled:
            continue
        if marked_in_body(run, heads, head_values, entry, head_state, exits):
            continue
        if context.early and not any(outer_loop.early for outer_loop in run.loops):
            raise context.early[0]
        write_back(run, head_state, head_values, exits)
        for _state, block in context.breaks:
            block.append(gast.Break())
        run.state = head_state
        run.state.begun = entry.begun
        for ref_state, _block in exits:
            for ref, obj in ref_state.heap.items():
                run.state.heap.setdefault(ref, obj)
        write(run, header(test, body))
        statement = outer[-1]
        endless = isinstance(statement, gast.While) and getattr(statement.test, "value", None) is True
        if not endless and not (isinstance(statement, gast.For) and turns_surely(statement)):
            first = bound_first(node) if isinstance(statement, gast.For) and begins_surely(statement) else ()
            given = [head_values.get(("var", run.frame.id, name)) for name in first]
            run.names.unsure.update({k: v for k, v in lacking.items() if not any(v is g for g in given)})
        return context
    unroll_a_loop(run)
    run.refuse(
        "what this loop carries from one turn to the next does not settle",
        ways.ONE_FORM,
        concrete=True,
    )


def lists_of_the_run(run: Run, lists: list[int]) -> None:
    """Lists that a loop makes longer are lists at run time from here on; they have to be where they are made, too.

    for k in range(n): b.append(k)  with `b = []` before  ->  lst = [] in front of the loop, to see what more there
                                                              is to learn before all begins again

    Raises:
        Restart: others may hold them.
    """
    slots, refs = run.state.slots(), {*lists}
    own = not run.state.maybe and min(lists) > run.state.begun
    others = (v for v in slots.values() if not isinstance(v, (Leaf, Ref)))
    if not own or any(isinstance(part, Ref) and part.id in refs for v in others for part in within(run, v, set())):
        raise Restart
    go_on_guessing(run)
    for ref in lists:
        obj = run.state.heap[ref]
        assert isinstance(obj, ListObj)
        made = dynamic_list(run, obj.site, list(obj.items))
        for slot, value in slots.items():
            if isinstance(value, Ref) and value.id == ref:
                run.state.put(slot, made)


def lacks_value(run: Run, entry: State, slot: Any) -> bool:
    """May a variable have no value in front of a loop that binds it?"""
    value = entry.slots().get(slot)
    return slot[0] == "var" and (value is None or isinstance(value, Unbound) or id(value) in run.names.unsure)


def marked_in_body(
    run: Run, heads: dict[Any, Any], made: dict[Any, Value], entry: State, head: State, exits: list[Any]
) -> bool:
    """Has a container from before the loop become an item of a run-time list in a turn, or been changed under
    another name? In the next turn, and behind the loop, it is so from the start."""
    again = False
    for mark in ("held", "stale"):
        marked = {
            ref
            for state, _block in exits
            for ref, obj in state.heap.items()
            if getattr(obj, mark, False) and ref in head.heap and not getattr(head.heap[ref], mark)
        }
        for ref in marked & entry.heap.keys():
            setattr(entry.heap[ref], mark, True)
            again = True
        paths = [path for slot, value in made.items() for path in paths_to(run, marked, value, (slot,), head)]
        heads.setdefault(mark, set()).update(paths)
        again = again or bool(paths)
    return again


def paths_to(run: Run, refs: set[int], value: Value, path: Any, state: State) -> Iterator[Any]:
    """Where in a value some of these containers stand."""
    parts: Any = dict(enumerate(value.items)) if isinstance(value, Tup) else {}
    if isinstance(value, Ref):
        if value.id in refs:
            yield path
        parts = contents(state.heap[value.id]) if value.id in state.heap and len(path) < 8 else {}
    for key, part in parts.items():
        yield from paths_to(run, refs, part, (*path, key), state)


def make_heads(run: Run, heads: dict[Any, Any], templates: dict[Any, Value]) -> dict[Any, Value]:
    """Give the carried values their names, with copies of what they hold on entry."""
    made: dict[Any, Value] = {}
    slots = run.state.slots()
    copies: list[tuple[str, Value]] = []
    run.turns.head_containers = []
    for slot in list(heads):
        if slot in ("together", "held", "stale", "perhaps one") or len(slot) != 3 or slot[0] == "kind":
            continue
        if slot not in slots and not (slot[0] == "var" and slot in templates and slot[1] in run.state.frames):
            continue
        entry = slots.get(slot, Unbound())
        if heads[slot] == "varied":
            new = varied_like(entry, heads["varied", *slot])
            if new is not entry:
                for key in varied_keys(new):
                    run.facts.varied.add(key)
                made[slot] = new
                put_as_it_was(run, slot, new)
            continue
        template = templates.get(slot, entry)
        if isinstance(template, Unbound):
            continue
        made[slot] = head_of(run, template, entry, slot, (slot,), heads, copies)
        put_quietly(run, slot, made[slot])
    for name, value in copies:
        run.block.append(copy_statement(name, expression(run, value), run.origin))
    for group in (*heads.get("together", ()), *heads.get("perhaps one", ())):
        found = [part_at(run, made, path) for path in group]
        refs = [v.id for v in found if isinstance(v, Ref)]
        for ref in refs:
            run.state.stands_for(ref, refs)
    tell_heads_apart(run, heads.get("perhaps one", set()))
    return made


def tell_heads_apart(run: Run, perhaps_one: set[frozenset[Any]]) -> None:
    """Carried containers that are two objects on entry, and at the end of every turn, are two in every turn."""
    for (path, ref, before), (other_path, other, other_before) in itertools.combinations(run.turns.head_containers, 2):
        met = before is not None and other_before is not None and run.state.may_be_one(before, other_before)
        if not met and frozenset((path, other_path)) not in perhaps_one and max(map(len, (path, other_path))) < 8:
            run.state.apart.add(frozenset((ref, other)))


def part_at(run: Run, made: dict[Any, Value], path: Any) -> Value | None:
    """The part of what a loop carries that a path leads to."""
    value = made.get(path[0])
    for key in path[1:]:
        if isinstance(value, Tup):
            value = value.items[key]
        elif isinstance(value, Ref):
            value = contents(run.state.heap[value.id]).get(key)
    return value


def note_sharing(
    run: Run, heads: dict[Any, Any], made: dict[Any, Value], state: State, entry: State, settled: bool
) -> bool:
    """Containers that a turn leaves under several names, or that were there before the loop: in the next turn,
    what is carried may be the same object under another name."""
    places: dict[int, list[Any]] = {}

    def collect(value: Value, path: Any) -> None:
        if isinstance(value, Ref):
            places.setdefault(value.id, []).append(path)
            if len(path) < 8:
                for key, part in contents(state.heap[value.id]).items():
                    collect(part, (*path, key))
        elif isinstance(value, Tup):
            for key, part in enumerate(value.items):
                collect(part, (*path, key))

    slots = state.slots()
    for slot in made:
        if slot in slots:
            collect(slots[slot], (slot,))
    for ref, paths in places.items():
        groups = heads.setdefault("together", [])
        if len(paths) > 1 and paths not in groups:
            groups.append(paths)
            settled = False
        # (what another name held at the start of the turn, or what a branch in it chose, may be from before it)
        before = state.stood_for(ref) & entry.heap.keys()
        for path in paths if before else ():
            known = heads.setdefault(("maybe same", path), set())
            if not before <= known:
                known |= before
                settled = False
    met = heads.setdefault("perhaps one", set())
    for (ref, paths), (other, others) in itertools.combinations_with_replacement(places.items(), 2):
        if state.may_be_one(ref, other):
            pairs = {frozenset(pair) for pair in itertools.product(paths, others) if pair[0] != pair[1]}
            settled = settled and pairs <= met
            met |= pairs
    return settled


def put_quietly(run: Run, slot: Any, value: Value) -> None:
    if slot[0] == "var":
        run.state.frames[slot[1]][slot[2]] = value
    else:
        run.state.put(slot, value)


def head_of(
    run: Run,
    template: Value,
    entry: Value,
    slot: Any,
    path: Any,
    heads: dict[Any, Any],
    copies: list[tuple[str, Value]],
) -> Value:
    if isinstance(template, Tup):
        parts = (
            entry.items
            if isinstance(entry, Tup) and len(entry.items) == len(template.items)
            else [Unbound()] * len(template.items)
        )
        items = [
            head_of(run, t, e, slot, (*path, i), heads, copies)
            for i, (t, e) in enumerate(zip(template.items, parts, strict=True))
        ]
        return Tup(tuple(items), template.cls)
    if isinstance(template, Ref):
        obj = run.state.heap.get(template.id) or run.memory.template_heap[template.id]
        own = run.state.heap.get(entry.id) if isinstance(entry, Ref) else None
        made = obj.copy()
        made.expr = None
        made.stale = made.stale or path in heads.get("stale", ())
        if isinstance(made, ListObj):
            made.held = made.held or path in heads.get("held", ())
        ref = run.next_id()
        run.state.heap[ref] = made
        run.turns.head_containers.append((path, ref, entry.id if isinstance(entry, Ref) else None))
        others = set(heads.get(("maybe same", path), ()))
        if isinstance(entry, Ref):
            others.add(entry.id)
        run.state.stands_for(ref, others)
        for key, value in list(contents(obj).items()):
            held = contents(own).get(key, Unbound()) if own is not None else Unbound()
            put_item(made, key, head_of(run, value, held, slot, (*path, key), heads, copies))
        return Ref(ref)
    if ("conflict", path) in heads:
        return heads["conflict", path]  # type: ignore[no-any-return]
    if ("maybe", path) in heads:
        return maybe_head(run, entry, slot, path, heads, copies)
    if not isinstance(template, (Leaf, Known)):
        return template
    kind_key = ("kind", path)
    known = heads.get(kind_key)
    if known is None:
        if isinstance(template, Known):
            return entry if not isinstance(entry, Unbound) else template
        if slot[2] == "#result" and isinstance(entry, Unbound) and stands_before(run, template):
            return template  # what an early return gives back was there before the loop
        kind: Kind = _opened(template.kind, run)
        varied = is_varied(run, template) or is_varied(run, entry)
    else:
        if isinstance(entry, (Leaf, Known)):  # what was learnt may be of another round of an enclosing loop
            heads[kind_key] = known = joined_head(run, known, entry)
        kind, varied = known
        kind = _opened(kind, run)
    stem = _slot_stem(path)
    name = run.facts.fresh(stem, temp=False)
    run.facts.user_name[name] = stem
    run.facts.kinds[name] = kind
    if varied:
        run.facts.varied.add(name)
    if is_exception(run, template) or is_exception(run, entry):
        run.names.caught.add(name)
    if isinstance(entry, (Leaf, Known)):
        copies.append((name, entry))
        if isinstance(kind, ListOf) and isinstance(entry, Leaf) and atom_key(entry.expr) in run.lists.joined_sites:
            run.lists.joined_sites[name] = run.lists.joined_sites[atom_key(entry.expr)]
        if isinstance(kind, ListOf) and isinstance(entry, Leaf) and atom_key(entry.expr) in run.lists.site_of:
            run.lists.site_of[name] = run.lists.site_of[atom_key(entry.expr)]
            if atom_key(entry.expr) in run.lists.limits:
                run.lists.limits[name] = run.lists.limits[atom_key(entry.expr)]
    perhaps = heads.get(("list", path)) or any(perhaps_list(run, v) for v in (entry, template))
    if may_hold_list(kind) and perhaps:
        run.lists.may_be_lists.add(name)
    if heads.get(("flat", path)) or is_flat(run, entry):
        run.memory.flats.add(name)
        run.memory.half_flats.add(name)
    return Leaf(load(name), kind, varied)


def stands_before(run: Run, value: Leaf) -> bool:
    """Is a list or an array one that a variable holds when a loop begins?"""
    if not isinstance(value.expr, gast.Name) or not isinstance(value.kind, (ListOf, Array)):
        return False
    held = (v for slot, v in run.state.slots().items() if slot[0] == "var")
    return any(isinstance(v, Leaf) and same_expr(v.expr, value.expr) for v in held)


def joined_head(run: Run, known: tuple[Kind, bool], entry: Value) -> tuple[Kind, bool]:
    """The kind and activity of a carried name that takes in what it holds on entry."""
    kind, varied = known
    own = kind_of(run, entry)
    if isinstance(own, Static) and own.value is not None:
        own = plain_number(own) if is_python_number(own.value) else _at_run_time(own)
    joined = _closed(join_kinds(kind, own, lambda: Dim.symbol("head@")), None)
    if isinstance(joined, Static):
        joined = Number(bool) if isinstance(joined.value, bool) else _at_run_time(joined)
    return joined, varied or is_varied(run, entry)


def maybe_head(
    run: Run, entry: Value, slot: Any, path: Any, heads: dict[Any, Any], copies: list[tuple[str, Value]]
) -> Value:
    """The head of what is None in some turns."""
    flag_entry = entry if isinstance(entry, Unbound) else none_of(entry)
    absent = Leaf(gast.Attribute(load(global_name(run, "np", np)), "nan", gast.Load()), Number(float))
    inner, place = value_of(entry), (*path, "value")
    heads.setdefault(("kind", (*path, "none")), (Number(bool), False))

    def part_of(form: Value, given: Value, at: Any) -> Value:
        if isinstance(form, Tup):
            items = given.items if isinstance(given, Tup) else (given,) * len(form.items)
            parts = (part_of(f, g, (*at, i)) for i, (f, g) in enumerate(zip(form.items, items, strict=True)))
            return Tup(tuple(parts), form.cls)
        kind, _ = heads["kind", at]
        given = absent if isinstance(given, Unbound) and isinstance(kind, Number) else given
        return head_of(run, Leaf(gast.Constant(0.0, None), kind), given, slot, at, heads, copies)

    value = part_of(heads["maybe", path], inner, place)
    flag = head_of(run, Leaf(gast.Constant(True, None), Number(bool)), flag_entry, slot, (*path, "none"), heads, copies)
    assert isinstance(value, (Leaf, Tup)) and isinstance(flag, Leaf)
    return Maybe(flag, value)


def settle(
    run: Run,
    heads: dict[Any, Any],
    templates: dict[Any, Value],
    head_state: State,
    made: dict[Any, Value],
    exits: list[tuple[State, list[Stmt]]],
    entry: State,
    outside: set[str],
) -> bool:
    """Compare what the loop's turns end with to what they start with; note what differs. True when it settled."""
    settled = True
    run.turns.turn_start = head_state
    carried: dict[int, set[str]] = {}
    for where, owner, key in made:
        if where == "var":
            carried.setdefault(owner, set()).add(key)
    for state, _block in exits:
        for ref, obj in head_state.heap.items():
            other = state.heap.get(ref)
            if other is not None and keys_of(other) != keys_of(obj):
                structure_differs(run, ref, [head_state, state])
        alike = agreed([head_state, state])
        for owner in alike.keys() & carried.keys():
            alike[owner] -= carried[owner]
        for slot, value in state.slots(alike).items():
            if slot[0] == "heap" and slot[1] not in head_state.heap:
                continue
            if slot[0] == "var" and slot[1] not in head_state.frames:
                continue
            head = head_state.at(slot)
            if slot not in made:
                if same_value(run, head, value):
                    continue
                if isinstance(value, Unbound):
                    continue
                if (
                    isinstance(head, Unbound)
                    and slot[0] == "var"
                    and slot[1] == run.frame.id
                    and slot[2] not in outside
                    and (not str(slot[2]).startswith("#") or str(slot[2]).startswith(OF_TRY))
                ):
                    continue
                if same_but_variation(head, value):
                    gained = varied_keys(value)
                    known_keys = heads.setdefault(("varied", *slot), set())
                    if heads.get(slot) != "varied" or not gained <= known_keys:
                        heads[slot] = "varied"
                        known_keys |= gained
                        settled = False
                    continue
                if heads.get(slot) == "carried" and slot in templates:
                    continue
                heads[slot] = "carried"
                template = entry.at(slot)
                if isinstance(template, Unbound):
                    template = remember(run, state, value)
                templates[slot] = template
                settled = False
                if not compare(run, (slot,), template, value, heads, state):
                    settled = False
                continue
            if heads.get(slot) == "varied":
                if same_but_variation(made[slot], value):
                    known_keys = heads["varied", *slot]
                    if not varied_keys(value) <= known_keys:
                        known_keys |= varied_keys(value)
                        settled = False
                    continue
                heads[slot] = "carried"
                templates[slot] = entry.at(slot)
                settled = False
                continue
            if not compare(run, (slot,), made[slot], value, heads, state):
                settled = False
        settled = note_sharing(run, heads, made, state, entry, settled)
    return settled


def note_conflict(run: Run, path: Any, reason: str, heads: dict[Any, Any]) -> bool:
    """A carried value has no one form: it may not be used, unless the turns are told apart."""
    heads["conflict", path] = Conflict(reason, run.turns.turning[-1] if run.turns.turning else None)
    return False


def note_maybe(run: Run, path: Any, values: list[Value], heads: dict[Any, Any]) -> bool:
    """A carried value is None in some turns and a number or a tuple of such in others; False for anything else."""
    inner = next(v for v in map(value_of, values) if not isinstance(v, Unbound))
    kinds = {at: _closed(kind_of(run, part), None) for at, part in _parts_of(inner, (*path, "value"))}
    if not all(isinstance(kind, Number) for kind in kinds.values()):
        return False
    heads["maybe", path] = inner
    heads.update({("kind", at): (kind, True) for at, kind in kinds.items()})
    return True


def starts_as_none(run: Run, path: Any, heads: dict[Any, Any]) -> NoReturn:
    """What was None or a constant number in the first attempts is active: it is followed as what may be None, and
    what was found out since then (of what is computed with it, too) is found out again."""
    for found in run.decisions.heads.values():
        for key in [k for k in found if k[0] != "absent"]:
            del found[key]
    heads["absent", path] = "active"
    raise Restart


def remember(run: Run, state: State, value: Value) -> Value:
    """The value as a template for later attempts: with containers of its own, whose ids no attempt gives out."""
    if isinstance(value, Ref):
        made = state.heap[value.id].copy()
        ref = -1 - len(run.memory.template_heap)
        run.memory.template_heap[ref] = made
        for key, part in list(contents(made).items()):
            put_item(made, key, remember(run, state, part))
        return Ref(ref)
    if isinstance(value, Tup):
        return Tup(tuple(remember(run, state, part) for part in value.items), value.cls)
    return value


def compare(run: Run, path: Any, head: Value, value: Value, heads: dict[Any, Any], state: State) -> bool:
    """Does the value fit under the head? Widens what is known of the head where it does not."""
    if isinstance(value, Unbound) or isinstance(head, Conflict):
        return True
    if isinstance(value, Conflict):
        heads["conflict", path] = value
        return False
    if isinstance(head, Maybe):
        if ("maybe", path) not in heads:  # so it was before the loop, and has no names of the loop's own yet
            if same_value(run, head, value):
                return True
            if isinstance(value, (Leaf, Known, Maybe, Tup)) and note_maybe(run, path, [head, value], heads):
                return False
            return note_conflict(run, path, "it changes its structure in a loop", heads)
        if is_none(value):
            return True
        if isinstance(value, (Leaf, Maybe, Tup)):
            return compare(run, (*path, "value"), head.value, value_of(value), heads, state)
        return note_conflict(run, path, "it changes its structure in a loop", heads)
    tuples = any(isinstance(tuple_of(v), Tup) for v in (head, value))
    if tuples and may_be_none([head, value], tuples) and note_maybe(run, path, [head, value], heads):
        return False
    if may_be_none([head, value]):  # so neither is a container, which may be in another state
        active = is_varied(run, head) or is_varied(run, value) or heads.get(("absent", path)) == "active"
        if active and note_maybe(run, path, [head, value], heads):
            return False
        heads.setdefault(("absent", path), "constant")
    if isinstance(head, Tup) and isinstance(value, Tup) and len(head.items) == len(value.items):
        return all(
            [
                compare(run, (*path, i), h, v, heads, state)
                for i, (h, v) in enumerate(zip(head.items, value.items, strict=True))
            ]
        )
    if isinstance(head, Ref) and isinstance(value, Ref):
        a = (
            run.turns.turn_start.heap.get(head.id)
            or run.state.heap.get(head.id)
            or state.heap.get(head.id)
            or run.memory.template_heap.get(head.id)
        )
        b = state.heap.get(value.id)
        assert a is not None and b is not None
        if type(a) is not type(b) or getattr(a, "cls", None) is not getattr(b, "cls", None):
            return note_conflict(run, path, "it changes its structure in a loop", heads)
        if list(contents(a)) != list(contents(b)):
            if isinstance(a, ListObj) and isinstance(b, ListObj):
                for item in [*a.items, *b.items]:
                    note_item(run, a.site, item)
                    note_item(run, b.site, item)
                raise Restart
            run.refuse("a container changes its structure in this loop", ways.KEYS_BEFORE)
        own, other = contents(a), contents(b)
        return all([compare(run, (*path, k), own[k], other[k], heads, state) for k in own])
    if isinstance(head, (Leaf, Known, Unbound)) and isinstance(value, (Leaf, Known)):
        key = ("kind", path)
        known = heads.get(key)
        if same_value(run, head, value) and known is None:
            return True
        alone = (bool, int, str, enum.Enum)
        plain = (*alone, float, type(None))
        known_ones = [v.value for v in (head, value) if isinstance(v, Known)]
        if not same_value(run, head, value) and (len(known_ones) == 2 or any(map(has_own_operators, known_ones))):
            if not all(isinstance(v, plain) and not has_own_operators(v) for v in known_ones):
                reason = f"{path[0][2]!r} holds different functions or objects in different turns of this loop"
                return note_conflict(run, path, reason, heads)
        elif isinstance(head, Known) and isinstance(value, Known) and not head.is_a(alone):
            return True
        if known is None:
            base = kind_of(run, head) if not isinstance(head, Unbound) else kind_of(run, value)
            varied = is_varied(run, head) if not isinstance(head, Unbound) else False
            if isinstance(base, Static) and base.value is not None:
                base = Number(bool) if isinstance(base.value, bool) else _at_run_time(base)
        else:
            base, varied = known
            if isinstance(head, Leaf):
                base = head.kind
        joined = join_kinds(base, kind_of(run, value), lambda: Dim.symbol("head@"))
        if isinstance(joined, Static):
            joined = Number(bool) if isinstance(joined.value, bool) else _at_run_time(joined)
        joined = _closed(joined, head.kind if isinstance(head, Leaf) else None)
        if known is not None and isinstance(known[0], Number) and isinstance(joined, Number):
            joined = join_kinds(known[0], joined, lambda: Dim.symbol("head@"))  # of the other ends of the turn
        elif known is not None and type(known[0]) is Unknown:
            joined = known[0]  # at another end of the turn
        new = (joined, bool(varied or is_varied(run, value)))
        if type(joined) is Unknown and (perhaps_list(run, head) or perhaps_list(run, value)):
            heads["list", path] = True
        if (
            isinstance(kind_of(run, value), (Static, Callable))
            and isinstance(value, Known)
            and value.value is None
            and new[1]
        ):
            run.refuse(
                f"{path[0][2]!r} is None in some turns of this loop and active in others",
                ways.VALUE_BEFORE,
            )
        if new[1] and heads.get(("absent", path)) == "constant":
            starts_as_none(run, path, heads)
        if is_flat(run, value) and not heads.get(("flat", path)):
            heads["flat", path] = True
        elif known is not None and _same_shape(known, new, head):
            return True
        heads[key] = new
        return False
    if same_value(run, head, value):
        return True
    return note_conflict(run, path, "it changes its structure in a loop", heads)


def write_back(run: Run, head_state: State, made: dict[Any, Value], exits: list[tuple[State, list[Stmt]]]) -> None:
    """At the end of every turn, copy what it leaves into the carried names."""
    for state, block in exits:
        slots = state.slots()
        copies: list[tuple[str, Expr]] = []
        for slot, head in made.items():
            value = slots.get(slot)
            if value is not None:
                pair_up(run, head, value, head_state, state, copies)
        block.extend(copies_at_once(copies, partial(old_name, run), run.origin, run.alias))


def pair_up(run: Run, head: Value, value: Value, hs: State, vs: State, copies: list[tuple[str, Expr]]) -> None:
    if isinstance(head, Tup) and isinstance(value, Tup):
        for h, v in zip(head.items, value.items, strict=True):
            pair_up(run, h, v, hs, vs, copies)
    elif isinstance(head, Ref) and isinstance(value, Ref):
        a, b = hs.heap[head.id], vs.heap[value.id]
        for key, h in contents(a).items():
            pair_up(run, h, contents(b)[key], hs, vs, copies)
    elif isinstance(head, Maybe):
        pair_up(run, head.none, none_of(value), hs, vs, copies)
        if not isinstance(value_of(value), Unbound):
            pair_up(run, head.value, value_of(value), hs, vs, copies)
    elif (
        isinstance(head, Leaf)
        and isinstance(head.expr, gast.Name)
        and isinstance(value, (Leaf, Known))
        and not same_expr(head.expr, expression(run, value))
    ):
        bind_everywhere(run, value)
        copies.append((head.expr.id, expression(run, value)))


def old_name(run: Run, name: str) -> str:
    """A name for what a carried name held before this turn."""
    old = run.facts.fresh(name + "_old")
    run.facts.kinds[old] = run.facts.kinds.get(name, Unknown())
    if name in run.facts.varied:
        run.facts.varied.add(old)
    return old


def _opened(kind: Kind, run: Run) -> Kind:
    """The kind of a carried name at the start of a turn: what is not constant over turns is a fresh symbol."""
    if isinstance(kind, Number) and issubclass(kind.type, int) and kind.type is not bool:
        return Number(kind.type, run.symbol(), kind.types)
    if isinstance(kind, Array) and kind.shape is not None:
        shape = tuple(dims.either(run.symbol(), d) if _is_head(d) else d for d in kind.shape)
        return Array(kind.dtype, shape, mixed=kind.mixed)
    if isinstance(kind, Either):
        return Either(_opened(kind.array, run), kind.other)  # type: ignore[arg-type]
    if isinstance(kind, TupleKind):
        return TupleKind(tuple(_opened(k, run) for k in kind.items), kind.cls)
    return kind


def _closed(kind: Kind, head: Kind | None) -> Kind:
    """The kind of a carried name with lengths that vary from turn to turn marked by the symbols `head@`, `head@+`."""
    if isinstance(kind, Number):
        return Number(kind.type, types=kind.types)
    if isinstance(kind, Array) and kind.shape is not None:
        shape = tuple(d if is_fixed(d) else dims.either(Dim.symbol("head@"), d) for d in kind.shape)
        return Array(kind.dtype, shape, mixed=kind.mixed)
    if isinstance(kind, Either):
        return Either(_closed(kind.array, None), kind.other)  # type: ignore[arg-type]
    if isinstance(kind, TupleKind):
        return TupleKind(tuple(_closed(k, None) for k in kind.items), kind.cls)
    return kind


def _is_head(dim: Dim) -> bool:
    return any(symbol.startswith("head@") for symbol, _ in dim.terms)


def _parts_of(value: Value, at: Any) -> Iterator[tuple[Any, Value]]:
    """The parts of a tuple of tuples, with the places where they are."""
    if not isinstance(value, Tup):
        yield at, value
        return
    for i, item in enumerate(value.items):
        yield from _parts_of(item, (*at, i))


def _same_shape(known: Any, new: Any, head: Value) -> bool:
    return bool(known == new)


def _at_run_time(kind: Static) -> Kind:
    """The kind of a name that holds this constant now, and may hold another one of its class later."""
    return Text() if type(kind.value) is str else Unknown()


def _slot_stem(path: Any) -> str:
    slot = path[0]
    name = str(slot[2])
    name = {"#returned": "returned", "#result": "result"}.get(name, name)
    if not name.isidentifier():
        name = f"item_{name}" if f"item_{name}".isidentifier() else "item"
    for part in path[1:]:
        word = f"{name}_{part}"
        name = word if word.isidentifier() else name
    return name


def _names(expr: Expr) -> set[str]:
    return {n.id for n in walk_names(expr)}


def counter_stem(target: Any, turns: ByPosition) -> str:
    """What the user calls the variable of a loop over positions; nothing where it is not in the user's text."""
    return str(target.id) if isinstance(target, gast.Name) and turns.header is not None else ""


def holds_defaultdict(kind: Kind) -> bool:
    """Is there a dict in an argument that makes the items that it has not?"""
    if isinstance(kind, Object):
        missing = class_entry(kind.cls, "__missing__") is not None and kind.cls is not collections.Counter
        return missing or any(holds_defaultdict(k) for _, k in kind.attributes)
    if isinstance(kind, ListOf):
        return holds_defaultdict(kind.item)
    if isinstance(kind, DictKind):
        return issubclass(kind.cls, collections.defaultdict) or any(holds_defaultdict(k) for _, k in kind.items)
    return isinstance(kind, (TupleKind, ListKind)) and any(map(holds_defaultdict, kind.items))
