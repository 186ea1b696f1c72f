"""Values from several paths as one: are they the same, and what stands for all of them."""

from __future__ import annotations

import collections
import dataclasses
import enum
import itertools
from functools import partial
from typing import Any

import gast
import numpy as np

from s2sad.core import Stmt, atom_key, clone, copy_statement, load
from s2sad.frontend import ways
from s2sad.kinds.joined import join_kinds, may_hold_list
from s2sad.kinds.kind import Kind, ListOf, Number, Static, Text, Unknown
from s2sad.kinds.query import is_float_kind
from s2sad.normal import above
from s2sad.normal.decisions import Restart
from s2sad.normal.learning import go_on_guessing, is_active_object, is_followed, make_dynamic, note_dynamic, note_item
from s2sad.normal.memory import memory_root
from s2sad.normal.names import bind_everywhere, is_partly
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import (
    Choice,
    Closure,
    Conflict,
    Instance,
    Known,
    Leaf,
    ListObj,
    Maybe,
    Method,
    Ref,
    State,
    Tup,
    Unbound,
    Value,
    contents,
    is_none,
)
from s2sad.normal.values.classes import has_own_operators, perhaps_list, refuse_class_between
from s2sad.normal.values.entering import from_python
from s2sad.normal.values.facts import global_name, is_flat, is_varied, kind_of
from s2sad.normal.values.making import expression
from s2sad.normal.values.questions import (
    alternatives,
    data_kind,
    hold_too,
    may_be_functions,
    may_be_none,
    name_of,
    name_part,
    none_of,
    put_item,
    same_constant,
    same_expr,
    tuple_of,
    value_of,
)
from s2sad.normal.words import STALE
from s2sad.normal.writing import is_exception, sites_of_list, write


def same_attributes(run: Run, objects: list[Any]) -> bool:
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


def changed_globals(run: Run) -> bool:
    """Do globals that the function changes hold something else now?"""
    for (key, name), namespace in run.decisions.module_globals.items():
        now = run.state.frames[-key][name]
        if not same_value(run, now, from_python(run, namespace[name], load(name))):
            return True
    return False


@above.same_value.answer
def same_value(run: Run, p: Value, q: Value) -> bool:
    if p is q:
        return True
    if isinstance(p, Leaf) and isinstance(q, Leaf):
        return p.varied == q.varied and p.kind == q.kind and not p.nested and same_expr(p.expr, q.expr)
    if isinstance(p, Known) and isinstance(q, Known):
        return same_constant(p.value, q.value)
    if isinstance(p, Ref) and isinstance(q, Ref):
        return p.id == q.id
    if isinstance(p, Maybe) and isinstance(q, Maybe):
        return same_value(run, p.none, q.none) and same_value(run, p.value, q.value)
    if isinstance(p, Tup) and isinstance(q, Tup):
        return p.cls is q.cls and len(p.items) == len(q.items) and all(map(partial(same_value, run), p.items, q.items))
    if isinstance(p, Method) and isinstance(q, Method):
        return same_value(run, p.function, q.function) and same_value(run, p.owner, q.owner)
    if isinstance(p, Closure) and isinstance(q, Closure):
        return (
            p.source.tree is q.source.tree
            and p.frame == q.frame
            and all(map(partial(same_value, run), p.defaults, q.defaults))
        )
    return isinstance(p, Unbound) and isinstance(q, Unbound)


def join_values(run: Run, values: list[Value], states: list[State], blocks: list[list[Stmt]], stem: str) -> Value:
    """One value for several paths; copies into a new name are appended to the blocks."""
    value = values_joined(run, values, states, blocks, stem)
    if not isinstance(value, Conflict) or value.reason == STALE:
        return value
    return dataclasses.replace(value, branch=run.speculation.joined) if is_followed(run, value.branch) else value


def values_joined(run: Run, values: list[Value], states: list[State], blocks: list[list[Stmt]], stem: str) -> Value:
    p = values[0]
    if all(same_value(run, p, q) for q in values[1:]):
        return p
    perhaps = next((v for v in values if isinstance(v, Maybe) and isinstance(v.value, Tup)), None)
    if perhaps is not None and all(same_value(run, perhaps, v) or same_value(run, perhaps.value, v) for v in values):
        return perhaps  # on some paths it is known that it is there
    both_active(run, values)
    for q in values:
        if isinstance(q, Conflict):
            return q
    bound = [v for v in values if not isinstance(v, Unbound)]
    first = bound[0]
    tuples = any(isinstance(tuple_of(v), Tup) for v in bound)
    if may_be_none(bound, tuples) and (tuples or any(is_varied(run, v) for v in bound)):
        return join_maybe(run, values, states, blocks, stem)
    absent = [is_none(v) for v in bound]
    if any(absent) and any(isinstance(v, (Tup, Ref)) for v in bound):
        return Conflict("this name is None on one path and a container on another")
    if isinstance(first, Tup):
        if all(isinstance(v, Tup) and v.cls is first.cls and len(v.items) == len(first.items) for v in bound):
            items = []
            for i in range(len(first.items)):
                parts = [v.items[i] if isinstance(v, Tup) else v for v in values]
                items.append(join_values(run, parts, states, blocks, f"{stem}_{i}"))
            return Tup(tuple(items), first.cls)
        return Conflict("this name holds tuples of different structure on different paths")
    if isinstance(first, Ref) or any(isinstance(v, Ref) for v in bound):
        return join_refs(run, values, bound, states, blocks, stem)
    if may_be_functions(values):
        return join_functions(run, values, blocks, stem)
    if all(isinstance(v, (Leaf, Known)) for v in bound):
        return join_leaves(run, values, bound, blocks, stem)
    if len(bound) == 1 or all(same_value(run, first, v) for v in bound[1:]):
        return first
    return Conflict("this name holds things of different kinds on different paths")


def is_a_deque(run: Run, value: Value) -> bool | None:
    """Is a value a deque? None where that is not known."""
    obj = run.state.heap[value.id] if isinstance(value, Ref) else None
    if isinstance(obj, ListObj):
        return obj.cls is collections.deque and not obj.once
    if not isinstance(value, Leaf) or not isinstance(value.kind, ListOf) or not run.lists.deques_made:
        return False
    sites = sites_of_list(run, atom_key(value.expr))
    if sites and sites <= run.lists.deques_made:
        return True
    return None if not sites or sites & run.lists.deques_made else False


def check_slice(run: Run, value: Value) -> None:
    """A slice is taken of a value, or stored: a deque has none."""
    is_deque = is_a_deque(run, value)
    if is_deque:
        error = TypeError("sequence index must be integer, not 'slice'")
        run.refuse("a slice of a deque", "use itertools.islice, or a list", raises=error)
    if is_deque is None:
        refuse_class_between(run, "deque")


def both_active(run: Run, values: list[Value]) -> None:
    """A list that is active on one path and not on another: both are active from the start."""
    lists = [v for v in values if isinstance(v, Leaf) and isinstance(v.kind, ListOf) and is_float_kind(v.kind)]
    varied = {is_varied(run, v) for v in lists}
    if len(varied) == 2 and not run.decisions.lists_active and not run.passive:
        run.decisions.lists_active = True
        raise Restart


def cases_of(run: Run, value: Value) -> tuple[Any, ...]:
    """The values that a value may have, where each is known and may be an option: None, a text, ints."""
    if isinstance(value, Leaf) and isinstance(value.expr, gast.Constant):
        return (value.expr.value,) if type(value.expr.value) in (str, int) else ()
    if isinstance(value, Leaf):
        return run.names.cases.get(atom_key(value.expr), ())
    plain = isinstance(value, Known) and value.cls in (type(None), str, int)
    return (value.value,) if plain else ()  # type: ignore[attr-defined]


def join_maybe(run: Run, values: list[Value], states: list[State], blocks: list[list[Stmt]], stem: str) -> Value:
    """A value that is None on some paths: a name for it, and one that says whether it is None."""
    flags: list[Value] = [v if isinstance(v, Unbound) else none_of(v) for v in values]
    inner = [value_of(v) for v in values]
    there = next(v for v in inner if not isinstance(v, Unbound))
    absent = absent_value(run, there)
    if isinstance(there, Tup) and all(isinstance(v, Known) for v in there.items):
        absent = there  # what is known needs nothing in its place
    inner = [
        absent if isinstance(v, Unbound) and isinstance(o, Known) else v for v, o in zip(inner, values, strict=True)
    ]
    flag = join_leaves(run, flags, [f for f in flags if not isinstance(f, Unbound)], blocks, f"no_{stem}")
    value = join_values(run, inner, states, blocks, stem)
    if not isinstance(flag, Leaf) or not isinstance(value, (Leaf, Tup)):
        return Conflict("this name is None on one path and a container on another")
    return Maybe(flag, value)


def absent_value(run: Run, value: Value) -> Value:
    """What stands for a value on a path where it is None: nan for a number, nothing for an array."""
    if isinstance(value, Tup):
        return Tup(tuple(absent_value(run, v) for v in value.items), value.cls)
    if not isinstance(value, Ref) and isinstance(kind_of(run, value), Number):
        return Leaf(gast.Attribute(load(global_name(run, "np", np)), "nan", gast.Load()), Number(float))
    return Unbound()


def put_together(run: Run, value: Value) -> Value:
    """What may be None as one value under a name of its own: an item of a run-time list is None, or is not.

    if no_u: item = None
    else: item = u
    """
    if isinstance(value, Tup):
        items = tuple(put_together(run, v) for v in value.items)
        return Tup(items, value.cls) if any(a is not b for a, b in zip(items, value.items, strict=True)) else value
    if isinstance(value, Ref):
        obj = run.state.heap[value.id]
        for key, part in list(contents(obj).items()):
            whole = put_together(run, part)
            if whole is not part:
                put_item(obj, key, whole)
                obj.expr = None if isinstance(part, Maybe) else obj.expr
    if not isinstance(value, Maybe):
        return value
    if isinstance(value.value, Tup):
        run.refuse("a tuple that may be None goes into a list", ways.ASK)
    name = run.facts.fresh("item")
    run.facts.kinds[name] = kind = join_kinds(value.value.kind, Static(None), run.symbol)
    root = memory_root(run, value.value.expr)
    if root is not None:
        run.alias[name] = root
    if value.value.varied:
        run.facts.varied.add(name)
    nothing = copy_statement(name, gast.Constant(None, None), run.origin)
    there = copy_statement(name, expression(run, value.value), run.origin)
    write(run, gast.If(expression(run, value.none), [nothing], [there]))
    return Leaf(load(name), kind, value.value.varied)


def join_refs(
    run: Run, values: list[Value], bound: list[Value], states: list[State], blocks: list[list[Stmt]], stem: str
) -> Value:
    first = bound[0]
    if all(same_value(run, first, v) for v in bound[1:]):
        return first
    if not all(isinstance(v, Ref) for v in bound):
        of_run = next((v for v in bound if isinstance(v, Leaf) and isinstance(v.kind, ListOf)), None)
        if of_run is not None:
            for value, state in zip(values, states, strict=True):
                obj = state.heap.get(value.id) if isinstance(value, Ref) else None
                if isinstance(obj, ListObj) and obj.site is not None:
                    run.state = state  # what its items are made of is there
                    note_dynamic(run, obj)  # on the other path it is a list at run time
                    go_on_guessing(run)
                    return of_run
        return Conflict("this name holds a container on one path and something else on another")
    objects = [
        (s.heap.get(v.id) or states[0].heap.get(v.id)) if isinstance(v, Ref) else None
        for v, s in zip(values, states, strict=True)
    ]
    known = [o for o in objects if o is not None]
    head = known[0]
    if all(type(o) is type(head) and getattr(o, "cls", None) is getattr(head, "cls", None) for o in known):
        if all(list(contents(o)) == list(contents(head)) for o in known) or same_attributes(run, known):
            merged = head.copy()
            merged.expr = None
            ref = run.next_id()
            states[0].heap[ref] = merged
            states[0].stands_for(ref, (v.id for v in bound if isinstance(v, Ref)))
            merged.stale = any(o.stale for o in known)
            for o in known:
                hold_too(merged, o)
            for key in list(contents(head)):
                parts: list[Value] = [Unbound() if o is None else contents(o)[key] for o in objects]
                put_item(merged, key, join_values(run, parts, states, blocks, f"{stem}{name_part(key)}"))
            return Ref(ref)
        if isinstance(head, ListObj):
            everything = {k: obj for s in (run.state, *reversed(states)) for k, obj in s.heap.items()}
            parts = [v for o in known for v in contents(o).values()]
            if any(isinstance(v, Ref) and v.id not in everything for v in parts):
                return Conflict("this name holds containers of different structure on different paths")
            run.state = State(run.state.frames, everything)  # what the items of all of them are made of
            if any(is_active_object(run, v) for v in parts):
                return Conflict("this name holds containers of different structure on different paths")
            for o in known:
                assert isinstance(o, ListObj)
                for item in o.items:
                    note_item(run, o.site, item)
                run.decisions.dynamic.setdefault(o.site, None)  # type: ignore[arg-type]
            make_dynamic(run, head)
    return Conflict("this name holds containers of different structure on different paths")


def join_functions(run: Run, values: list[Value], blocks: list[list[Stmt]], stem: str) -> Value:
    """One of several functions: names that say which one it is.

    if c: f = sin           if c: f_is_sin = True
    else: f = cos           else: f_is_sin = False
    """
    different: list[Value] = [Known(None)] if any(map(is_none, values)) else []
    for value in itertools.chain.from_iterable(map(alternatives, values)):
        if not any(same_value(run, value, other) for other in different):
            different.append(value)
    *some, result = different
    for value in reversed(some):
        flags = [chosen(run, given, value) for given in values]
        flag = join_leaves(run, flags, flags, blocks, f"{stem}_is_{name_of(value)}")
        assert isinstance(flag, Leaf)
        result = Choice(flag, value, result)
    return result


def chosen(run: Run, given: Value, function: Value) -> Value:
    """Is what a path gives this function?"""
    if not isinstance(given, Choice):
        return Known(same_value(run, given, function))
    first, second = chosen(run, given.first, function), chosen(run, given.second, function)
    if isinstance(first, Known) and isinstance(second, Known) and first.value == second.value:
        return first
    test = clone(given.test.expr)
    if isinstance(first, Known) and isinstance(second, Known):
        return Leaf(test if first.value else gast.UnaryOp(gast.Not(), test), Number(bool), nested=True)
    return Leaf(gast.IfExp(test, expression(run, first), expression(run, second)), Number(bool), nested=True)


def join_leaves(run: Run, values: list[Value], bound: list[Value], blocks: list[list[Stmt]], stem: str) -> Value:
    first = bound[0]
    varied = any(is_varied(run, v) for v in bound)
    alone = len(bound) == len(values) and isinstance(first, Leaf) and not first.nested
    if alone and all(isinstance(v, Leaf) and same_expr(v.expr, first.expr) for v in bound):  # type: ignore[attr-defined]
        return Leaf(first.expr, first.kind, varied, first.const)  # type: ignore[attr-defined]
    for value in bound:
        if isinstance(value, Leaf) and run.lists.limits and atom_key(value.expr) in run.lists.limits:
            return Conflict("this name holds different deques with length limits on different paths")
        if isinstance(value, Known) and has_own_operators(value.value):
            return Conflict("this name holds different functions or objects on different paths")
        if isinstance(value, Known) and not value.is_a(bool, type(None), str, int, enum.Enum):
            if data_kind(value.value) is not None or run.raising:  # (what the run calls there has no derivative)
                continue
            return Conflict("this name holds different functions or objects on different paths")
        if is_none(value) and varied:
            return Conflict("this name is None on one path and a number or an array on another")
    if len(bound) < len(values) and is_partly(run, first) and all(same_value(run, first, v) for v in bound[1:]):
        assert isinstance(first, Leaf)
        run.names.partly[first.expr.id].extend(b for v, b in zip(values, blocks, strict=True) if isinstance(v, Unbound))
        return first
    for value in bound:
        bind_everywhere(run, value)
    own = [(data_kind(v.value) if isinstance(v, Known) else None) or kind_of(run, v) for v in bound]
    kind = own[0]
    for other in own[1:]:
        kind = join_kinds(kind, other, run.symbol)
    if isinstance(kind, Static):
        kind = Number(bool) if isinstance(kind.value, bool) else Text() if type(kind.value) is str else Unknown()
    name = run.facts.fresh(stem, temp=False)
    if len(bound) < len(values):
        run.names.partly[name] = [b for v, b in zip(values, blocks, strict=True) if isinstance(v, Unbound)]
    run.facts.user_name[name] = stem
    run.facts.kinds[name] = kind
    if varied:
        run.facts.varied.add(name)
    if any(is_exception(run, v) for v in bound):
        run.names.caught.add(name)
    if len(bound) < len(values):
        run.names.partly_bound.add(name)
    for value, block in zip(values, blocks, strict=True):
        if not isinstance(value, Unbound):
            block.append(copy_statement(name, expression(run, value), run.origin))
    joined = Leaf(load(name), kind, varied)
    cases = [cases_of(run, v) for v in bound] if isinstance(kind, Unknown) else []
    if cases and all(cases) and len(bound) == len(values):
        run.names.cases[name] = tuple(dict.fromkeys(case for several in cases for case in several))
    if may_hold_list(kind) and any(perhaps_list(run, v) for v in bound):
        run.lists.may_be_lists.add(name)
    if any(is_flat(run, v) for v in bound):
        run.memory.flats.add(name)
        keys = {atom_key(v.expr) for v in bound if isinstance(v, Leaf)}
        if not all(is_flat(run, v) for v in bound) or keys & run.memory.half_flats:
            run.memory.half_flats.add(name)
    sites = [sites_of_list(run, atom_key(v.expr)) if isinstance(v, Leaf) else frozenset() for v in bound]
    if isinstance(kind, ListOf) and all(sites):
        run.lists.joined_sites[name] = frozenset().union(*sites)
    if any(id(v) in run.names.unsure for v in bound) or (run.turns.in_loops and len(bound) < len(values)):
        run.names.unsure[id(joined)] = joined
    if len(bound) < len(values) or any(id(v) in run.names.perhaps_unbound for v in bound):
        run.names.perhaps_unbound[id(joined)] = joined
    if run.turns.in_loops:  # what an earlier turn left in the name is no value of this one
        bind_everywhere(run, joined)
    return joined


def join_kind(run: Run, a: Kind, b: Kind) -> Kind:
    return join_kinds(a, b, run.symbol)
