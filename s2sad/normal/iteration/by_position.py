"""Run-time iterables by position: how many items there are, and the item at a position."""

from __future__ import annotations

import functools
import itertools
import operator
import types
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

import gast
import numpy as np

from s2sad.core import Expr, atom_key, clone, load, text
from s2sad.frontend import ways
from s2sad.kinds import dims
from s2sad.kinds.bind import own_meaning
from s2sad.kinds.joined import is_python_number, join_kinds
from s2sad.kinds.kind import Array, Dict, Dim, Kind, ListOf, Number, Object, Static, Unknown
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.known import int_value
from s2sad.kinds.labelled import is_labelled, items_of_labelled, whole_kind
from s2sad.normal import above
from s2sad.normal.above import by_its_iter, call_value, inline_library, list_item
from s2sad.normal.decisions import Restart
from s2sad.normal.expressions.operation import operation
from s2sad.normal.expressions.operators import binary
from s2sad.normal.handlers import ENDLESS, POOLS
from s2sad.normal.iteration.asking import (
    allocate,
    first_of,
    indexable,
    items_listed,
    lazy,
    materialized,
    sources,
    what_is_left,
)
from s2sad.normal.iteration.at_once import constant_position, instance_by_position, iterate_static
from s2sad.normal.iteration.turning import run_through
from s2sad.normal.iteration.watch import DICT_VIEWS, Ahead
from s2sad.normal.iteration.watching import (
    ahead_of,
    alongside,
    check_ahead,
    in_turns_of,
    note_read,
    run_over,
    watched_value,
    without_changes,
)
from s2sad.normal.learning import note_dynamic, row_passed
from s2sad.normal.memory import memory_root, root_of
from s2sad.normal.names import hold
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import Choice, DictObj, Instance, Known, Lazy, Leaf, ListObj, Ref, Tup, Value
from s2sad.normal.values.classes import instance_of, static
from s2sad.normal.values.facts import infer_kind, is_varied, kind_of
from s2sad.normal.values.lists_of_the_run import dynamic_list
from s2sad.normal.values.making import constant, expression
from s2sad.normal.values.questions import ONE_OF, UNROLL, ByPosition, OneOf, Opaque, only_looks, same_expr, timeless
from s2sad.normal.writing import anchor, define, write
from s2sad.runtime.decide import Look

#: so many statements more than its body a loop may have when it is written out: the loop itself has as many
#: (a line for each sweep)
SHORTER = 2


@above.by_position.answer
def by_position(run: Run, value: Value) -> list[Value] | ByPosition | Opaque:
    """How a loop over a value runs.

    Returns:
        the items where they are known one by one; else a Run, or an Opaque where nothing active is in it.
    """
    if isinstance(value, Lazy):
        return lazy_by_position(run, value)
    if isinstance(value, Leaf):
        return leaf_by_position(run, value)
    if isinstance(value, Known):
        held = value.itself
        if instance_of(run, value) is not None and (own := by_its_iter(run, value)) is not value:
            return by_position(run, own)
        if (rows := rows_by_position(run, value)) is not None:
            return rows
        if isinstance(held, range) or _plain_floats(held):
            items = list(value.ask(Look.KIND))
            if len(items) > (3 if _plain_floats(held) else UNROLL):
                kind: Kind = ListOf(Number(type(items[0])))
                return leaf_by_position(run, Leaf(expression(run, value), kind))
        elif isinstance(held, (set, frozenset, np.ndarray, dict)) or _long(held):
            return known_by_position(run, value)
    if isinstance(value, Ref):
        obj = run.state.heap[value.id]
        if isinstance(obj, Instance):
            return instance_by_position(run, value)
        if isinstance(obj, ListObj) and not obj.once and stays_loop(run, obj.items):
            make_it_run_time(run, obj)
    if isinstance(value, Tup) and run.iterators.body_size and not run.program.turns_apart:
        whole = read_whole(run, value)
        if whole is not None and stays_loop(run, value.items):
            return leaf_by_position(run, whole)
    return iterate_static(run, value)


def make_it_run_time(run: Run, obj: ListObj) -> NoReturn:
    """A list that a loop runs through has to be a list at run time; where its items come from other long ones, these
    have, so that it is made of them whole.

    for a in xs[1:] + ys: ...             xs and ys are lists at run time, and with them their slices and sums
    """
    for one in _taken_from(run, obj) or [obj]:
        note_dynamic(run, one)
    raise Restart


def _taken_from(run: Run, obj: ListObj) -> list[ListObj]:
    """The long lists that a list took its items from when it was made."""
    found = []
    for key in obj.sources:
        source = run.state.heap.get(key)
        if isinstance(source, ListObj) and source.cls is list and not source.once:
            longer = source.site is not None and stays_loop(run, source.items)
            found += _taken_from(run, source) or ([source] if longer else [])
    return found


def stays_loop(run: Run, items: Sequence[Value]) -> bool:
    """Is a loop over items that are known one by one a loop in the output? Where they are of one kind, and where it
    is not shorter written out.

    for x in xs: t += x * x           with three items: t += xs[0] * xs[0], and so on; with four, the loop
    """
    return is_long_loop(run, len(items)) and alike(run, list(items))


def is_long_loop(run: Run, turns: int) -> bool:
    """Is a loop of so many turns longer written out? The policy for all loops whose turns could be told apart."""
    size = 0 if run.program.turns_apart else run.iterators.body_size
    if turns <= (1 + SHORTER // size if size else UNROLL):
        return False
    run.program.loops_kept = True
    return True


def read_whole(run: Run, value: Tup) -> Leaf | None:
    """The tuple of inactive numbers of one type that was passed, as what the run indexes; None for another one."""
    first = value.items[0] if value.items else None
    if not isinstance(first, Leaf) or not isinstance(first.expr, gast.Subscript):
        return None
    if not isinstance(first.kind, Number):
        return None
    whole = first.expr.value
    for k, item in enumerate(value.items):
        at = gast.Subscript(whole, gast.Constant(k, None), gast.Load())
        if not isinstance(item, Leaf) or item.varied or not isinstance(item.kind, Number):
            return None
        if item.kind.type is not first.kind.type or not same_expr(item.expr, at):
            return None
    kind = infer_kind(run, whole)
    if not isinstance(kind, TupleKind) or len(kind.items) != len(value.items):
        return None
    return Leaf(clone(whole), ListOf(timeless(first.kind)))


def rows_by_position(run: Run, value: Known) -> ByPosition | None:
    """A loop over a table whose rows are of one form; None for another one, or where it is shorter written out.

    TABLE = [(0.5, 1.0), (0.2, 2.0), (0.1, 3.0), (0.4, 5.0)]
    for a, w in TABLE: ...
    """
    table, apart = value.itself, run.program.turns_apart or not run.iterators.body_size
    if apart or type(table) not in (list, tuple) or not is_long_loop(run, len(table)):
        return None
    form = form_of_rows(run, value)
    if form is None:
        return None
    length = gast.Call(load("len"), [clone(value.expr)], [])
    return ByPosition(length, lambda position: row_at(run, value, form, position), Dim.of(len(table)))


@above.form_of_rows.answer
def form_of_rows(run: Run, table: Known) -> Kind | None:
    """The kind of each row of a table that is read where it stands; None for what is none, or has rows of several
    kinds."""
    rows = table.itself
    if table.expr is None or type(rows) not in (list, tuple) or not rows or not isinstance(rows[0], tuple):
        return None
    form = row_kind(rows)
    if form is not None:
        table.ask(Look.KIND)
    return form


@above.row_at.answer
def row_at(run: Run, table: Known, form: Kind, position: Value) -> Value:
    """The row of a table at a position that the run knows."""
    one = gast.Subscript(clone(table.expr), expression(run, position), gast.Load())
    return of_table(run, form, define(run, "row", one, form).expr)


def of_table(run: Run, kind: Kind, expr: Expr) -> Value:
    """A part of a table outside of the function, which is read as it is."""
    if isinstance(kind, Static):
        return Known(kind.value)
    if isinstance(kind, OneOf):
        *others, last = map(Known, kind.functions)
        chosen: Value = last
        for one in reversed(others):
            test = gast.Compare(clone(expr), [gast.Is()], [expression(run, one)])
            chosen = Choice(Leaf(test, Number(bool), nested=True), one, chosen)
        return chosen
    if isinstance(kind, TupleKind):
        names = getattr(kind.cls, "_fields", None)
        parts: list[Expr] = (
            [gast.Attribute(clone(expr), name, gast.Load()) for name in names]
            if names is not None
            else [gast.Subscript(clone(expr), gast.Constant(k, None), gast.Load()) for k in range(len(kind.items))]
        )
        return Tup(tuple(map(partial(of_table, run), kind.items, parts)), kind.cls)
    if isinstance(kind, Dict):
        entries = {
            key: of_table(run, part, gast.Subscript(clone(expr), gast.Constant(key, None), gast.Load()))
            for key, part in kind.items
        }
        return allocate(run, DictObj(entries, run.site(run.node), clone(expr), outside=True))
    return Leaf(expr, kind)


def known_by_position(run: Run, value: Known) -> list[Value] | ByPosition | Opaque:
    if isinstance(value.value, (set, frozenset)):
        items = list(value.value)
        if len(items) < 2:
            return iterate_static(run, value)  # else the order is the set's
        alike = len({type(v) for v in items}) == 1 and is_python_number(items[0])
        return Opaque(expression(run, value), Number(type(items[0])) if alike else Unknown())
    if isinstance(value.value, (list, tuple)) and all(type(v) is type(value.value[0]) for v in value.value):
        first = value.value[0]
        if is_python_number(first) and not isinstance(first, (bool, complex)):
            return leaf_by_position(run, Leaf(expression(run, value), ListOf(Number(type(first)))))
    return iterate_static(run, value)


def leaf_by_position(run: Run, leaf: Leaf) -> list[Value] | ByPosition | Opaque:
    kind = leaf.kind
    numbers = [k.type for k in kind.items if isinstance(k, Number)] if isinstance(kind, ListKind) else []
    if isinstance(kind, ListKind) and len(numbers) == len(kind.items) and len(set(numbers)) == 1:
        kind = ListOf(Number(numbers[0]))
        leaf = replace(leaf, kind=kind)
    if isinstance(kind, (TupleKind, ListKind)):
        return iterate_static(run, hold(run, leaf, "items"))
    if isinstance(kind, (Array, ListOf)) or (isinstance(kind, Unknown) and leaf.varied):
        held = hold(run, leaf, "items")
        assert isinstance(held, Leaf)
        held = items_listed(run, held)
        size = kind.shape[0] if isinstance(kind, Array) and kind.shape else None
        if isinstance(kind, ListOf):
            looked_up_before(run, atom_key(held.expr), run.memory.lists_resized)
        length = gast.Call(load("len"), [clone(held.expr)], [])
        return ByPosition(length, lambda position: item_at(run, held, position), size)
    if isinstance(kind, Unknown):
        return Opaque(expression(run, hold(run, leaf, "items")), Unknown())
    if isinstance(kind, Object) and is_labelled(kind.cls):
        return labelled_by_position(run, leaf, kind)
    run.refuse("this cannot be iterated over", "loop over a range, an array or a list")


def labelled_by_position(run: Run, leaf: Leaf, kind: Object) -> list[Value] | ByPosition | Opaque:
    """A series by the array of its values; of a table, its rows or the names of its columns."""
    whole = whole_kind(kind)
    if isinstance(whole, Array) and whole.shape is not None and len(whole.shape) == 1:
        values = gast.Call(gast.Attribute(expression(run, leaf), "to_numpy", gast.Load()), [], [])
        return leaf_by_position(run, Leaf(values, whole, nested=True))
    call = leaf.expr if isinstance(leaf.expr, gast.Call) else given_above(run, leaf.expr)
    items: Kind = Unknown()
    if isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute):
        table = infer_kind(run, call.func.value)
        items = items_of_labelled(table if isinstance(table, Object) else kind, call.func.attr)
    return Opaque(expression(run, hold(run, leaf, "items")), items)


def given_above(run: Run, name: Expr) -> Expr | None:
    """What a name was given by the statement above."""
    last = run.block[-1] if run.block else None
    given = isinstance(last, gast.Assign) and isinstance(name, gast.Name)
    return last.value if given and last.targets[0].id == name.id else None  # type: ignore[union-attr]


def lazy_by_position(run: Run, value: Lazy) -> list[Value] | ByPosition | Opaque:
    function, args, kwargs = value.function, list(value.args), dict(value.kwargs)
    if function is range:
        return range_by_position(run, value)
    run_through(run, value)
    if function is iter:
        return by_position(run, args[0])
    if function in DICT_VIEWS:
        obj = run.state.heap[args[0].id]  # type: ignore[attr-defined]
        assert isinstance(obj, DictObj)
        return [v if function is dict.values else Tup((constant(run, k), v)) for k, v in obj.items.items()]
    if function is reversed:
        return reversed_by_position(run, args[0])
    if function is enumerate:
        start = args[1] if len(args) > 1 else kwargs.get("start", constant(run, 0))
        return enumerate_by_position(run, args[0], start)
    if function is zip:
        return zip_by_position(run, args, static(kwargs["strict"]) is True if "strict" in kwargs else False)
    if function is map:
        mark = len(run.iterators.ahead)
        group = zip_by_position(run, args[1:], False)
        if isinstance(group, list):
            return ahead_of(run, lambda: all_mapped(run, args[0], group, run.iterators.ahead[mark:], args[1:]), value)
        if isinstance(group, ByPosition):
            return mapped_by_position(run, args[0], group)
    if function in ENDLESS or (function is itertools.repeat and len(args) == 1):
        return endless_by_position(run, value)
    if function is itertools.pairwise:
        return pairwise_by_position(run, args[0])
    if function in POOLS:
        return by_position(run, materialized(run, value))
    return by_position(run, ahead_of(run, lambda: materialized(run, value), value))


def mapped_by_position(run: Run, function: Value, group: ByPosition) -> ByPosition:
    """What map gives, each item when its turn comes."""
    return ByPosition(group.length, lambda p: mapped(run, function, group.item(p)), group.size)


def mapped(run: Run, function: Value, group: Value) -> Value:
    return call_value(run, function, list(_items(group)), {})


def all_mapped(
    run: Run, function: Value, groups: list[Value], runs: list[Ahead], sources: Sequence[Value]
) -> list[Value]:
    """What map gives for items that are known one by one."""

    def items() -> list[Value]:
        return run_over(run, sources, lambda: [hold(run, mapped(run, function, g)) for g in groups])

    found = alongside(run, runs, items)
    check_ahead(run, runs)
    return found


def pooled(run: Run, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Lazy:
    """product(...) and the like: they take all items here, which are written out where they are run through."""
    if not run.text_only:
        args = [v if only_looks(v) else hold(run, materialized(run, v)) for v in (what_is_left(run, v) for v in args)]
    made = lazy(run, function, args, kwargs)
    assert isinstance(made, Lazy)
    _, watch = watched_value(run, lambda: None)
    for part in sources(run, made)[1]:
        note_read(run, watch, part)
    return replace(made, watch=watch)


def saved(run: Run, value: Value) -> Value:
    """What an iterator runs over that keeps items for later turns: they are those of the turn in which they were
    first asked for, so they must stay what they are now."""
    make = (lambda: value) if only_looks(value) else (lambda: materialized(run, value))
    return ahead_of(run, make, value)


def endless_by_position(run: Run, value: Lazy) -> ByPosition:
    """count, cycle and repeat: runs without a length, for zip."""
    if value.function is itertools.repeat:
        return ByPosition(None, lambda p: value.args[0])
    if value.function is itertools.count:
        start = value.args[0] if value.args else constant(run, 0)
        step = value.args[1] if len(value.args) > 1 else constant(run, 1)
        return ByPosition(None, lambda p: binary(run, gast.Add, start, binary(run, gast.Mult, p, step)))
    inner = straight(run, by_position(run, saved(run, value.args[0])))

    def item(position: Leaf) -> Value:
        return inner.item(
            anchor(run, binary(run, gast.Mod, position, Leaf(inner.length, Number(int), nested=True)), "i")
        )

    return ByPosition(None, item)


def range_bounds(run: Run, value: Lazy) -> tuple[Value, Value, Value]:
    args = value.args
    if len(args) == 1:
        return constant(run, 0), args[0], constant(run, 1)
    return args[0], args[1], args[2] if len(args) > 2 else constant(run, 1)


def range_by_position(run: Run, value: Lazy) -> list[Value] | ByPosition | Opaque:
    start, stop, step = range_bounds(run, value)
    header = gast.Call(load("range"), [expression(run, v) for v in value.args], [])
    length = expression(run, stop) if len(value.args) == 1 else gast.Call(load("len"), [clone(header)], [])

    def item(position: Leaf) -> Value:
        moved = position if static(step) == 1 else binary(run, gast.Mult, position, step)
        return moved if static(start) == 0 else binary(run, gast.Add, start, moved)

    size = (
        stop.kind.value if len(value.args) == 1 and isinstance(stop, Leaf) and isinstance(stop.kind, Number) else None
    )
    return ByPosition(length, item, size, header, least_and_greatest(run, start, stop, static(step)))


def least_and_greatest(run: Run, start: Value, stop: Value, step: Any) -> tuple[Dim, Dim] | None:
    """The least and the greatest number of a range (but for what its steps leave out at the end)."""
    first, end = (int_value(kind_of(run, v)) for v in (start, stop))
    if first is None or end is None or not isinstance(step, int) or step == 0:
        return None
    return (first, end - 1) if step > 0 else (end + 1, first)


def reversed_by_position(run: Run, value: Value) -> list[Value] | ByPosition | Opaque:
    inner = by_position(run, value)
    if isinstance(inner, list):
        return inner[::-1]
    if isinstance(inner, Opaque):
        inner = in_a_list(run, inner)
    if inner.header is not None:
        header = gast.Call(load("reversed"), [inner.header], [])
        item = lambda p: inner.item(from_end(run, inner, p))  # noqa: E731
        return ByPosition(inner.length, item, inner.size, header, inner.bounds)
    return ByPosition(inner.length, inner.item, inner.size, backwards=not inner.backwards)


def from_end(run: Run, turns: ByPosition, position: Leaf) -> Leaf:
    last = gast.BinOp(clone(turns.length), gast.Sub(), gast.Constant(1, None))
    return Leaf(gast.BinOp(last, gast.Sub(), clone(position.expr)), Number(int), nested=True)


@above.straight.answer
def straight(run: Run, turns: list[Value] | ByPosition | Opaque) -> ByPosition:
    """A run whose positions go up, for what has several of them side by side."""
    if isinstance(turns, list):
        return list_by_position(run, turns)
    if isinstance(turns, Opaque):
        return in_a_list(run, turns)
    if turns.backwards:
        return ByPosition(turns.length, lambda p: turns.item(from_end(run, turns, p)), turns.size)
    return turns


def in_a_list(run: Run, turns: Opaque) -> ByPosition:
    """Items that only a loop gives, in a list, so that they can be had in any order.

    They are those of now: what is run over must not change before the loop has ended.
    """
    root = memory_root(run, turns.expr)
    if root is not None:
        looked_up_before(run, root_of(run, root), run.memory.stores_made)
        looked_up_before(run, root_of(run, root), run.memory.lists_changed)
    call = gast.Call(load("list"), [turns.expr], [])
    found = leaf_by_position(run, define(run, "items", call, ListOf(turns.kind)))
    assert isinstance(found, ByPosition)
    return found


def looked_up_before(run: Run, key: str, changes: list[str]) -> None:
    """A loop runs over what it found before its first turn: none of these changes may be made in its body."""
    run.iterators.listings.append((key, len(changes), changes))


def list_by_position(run: Run, items: list[Value]) -> ByPosition:
    """Items known one by one, by a position that is not known."""
    site = run.site(run.node)
    run.decisions.dynamic.setdefault(site, None)  # type: ignore[arg-type]
    if not items or not alike(run, items):
        run.refuse(
            "a container of parts of different kinds runs beside an array",
            ways.LOOP,
            concrete=True,
        )
    lst = dynamic_list(run, site, items)
    found = leaf_by_position(run, lst)
    assert isinstance(found, ByPosition)
    return ByPosition(found.length, found.item, Dim.of(len(items)))


def alike(run: Run, items: list[Value]) -> bool:
    """Can the items be those of a run-time list? Numbers and arrays of one kind, and rows of numbers.

    ps = [(0.5, 1.0), (0.25, 2.0), ...]
    """
    tuples = [v.items for v in items if isinstance(v, Tup) and v.cls is tuple]
    if len(tuples) == len(items):
        one_length = len(set(map(len, tuples))) == 1
        return one_length and all(_are_numbers(run, list(column)) for column in zip(*tuples, strict=True))
    if all((row := row_passed(run, v)) is not None and row.items and _are_numbers(run, row.items) for v in items):
        return True
    kinds = [timeless(kind_of(run, v)) for v in items]
    ranks = {len(k.shape) if isinstance(k, Array) and k.shape is not None else None for k in kinds}
    return (
        all(isinstance(v, Leaf) for v in items)
        and len({type(k) for k in kinds}) == 1
        and isinstance(kinds[0], (Number, Array))
        and len(ranks) == 1
    )


def _are_numbers(run: Run, items: list[Value]) -> bool:
    """Are the parts of rows numbers of one kind, or tuples of such? (Arrays have lengths of their own in each row.)"""
    return alike(run, items) and not any(isinstance(kind_of(run, v), Array) for v in items)


def enumerate_by_position(run: Run, value: Value, start: Value) -> list[Value] | ByPosition | Opaque:
    inner = by_position(run, value)
    first = static(start)
    if isinstance(inner, list) and isinstance(first, int):
        return [Tup((constant(run, first + k), v)) for k, v in enumerate(inner)]
    start = hold(run, start)
    turns = straight(run, inner)

    def item(position: Leaf) -> Value:
        number = position if first == 0 else binary(run, gast.Add, position, start)
        return Tup((number, turns.item(position)))

    return ByPosition(turns.length, item, turns.size)


def zip_by_position(run: Run, values: list[Value], strict: bool) -> list[Value] | ByPosition | Opaque:
    one = {v.id for v in values if isinstance(v, Ref) and getattr(run.state.heap[v.id], "once", False)}
    if len(one) < sum(isinstance(v, Ref) and v.id in one for v in values):  # zip(it, it): in turns
        keys = [v.id if isinstance(v, Ref) else -k for k, v in enumerate(values)]
        sources = {k: iter(iterate_static(run, v)) for k, v in dict(zip(keys, values, strict=True)).items()}
        return [Tup(tuple(group)) for group in zip(*(sources[k] for k in keys), strict=False)]
    mark = len(run.iterators.ahead)
    found = [by_position(run, v) for v in values]
    one_after_the_other(run, values, mark)
    lists = [r for r in found if isinstance(r, list)]
    endless = [isinstance(r, ByPosition) and r.length is None for r in found]
    if lists and len(lists) + sum(endless) == len(found):
        count = min(len(r) for r in lists)
        found = [
            without_changes(run, functools.partial(first_of, run, v, count)) if e and isinstance(v, Lazy) else r
            for v, r, e in zip(values, found, endless, strict=True)
        ]
        lists = [r for r in found if isinstance(r, list)]
    if len(lists) == len(found):
        if strict and len({len(r) for r in lists}) > 1:
            run.refuse("zip(strict=True) of containers of different lengths raises a ValueError", ways.CORRECT)
        return [Tup(tuple(group)) for group in zip(*lists, strict=False)]
    if not strict and len(found) == 1 and isinstance(found[0], Opaque):
        run.refuse("zip of something that is not looked into", ways.LIST, concrete=True)
    shortest = min((len(r) for r in lists), default=None)
    if shortest == 0 and not strict:
        for value, turns in zip(values, found, strict=True):
            # (which is asked for an item before there is none)
            if isinstance(turns, ByPosition) and not only_looks(value):
                without_changes(run, functools.partial(turns.item, constant_position(0)), value)
        return []
    if shortest is not None and all(
        isinstance(r, list) or (isinstance(r, ByPosition) and r.size is not None and r.size.known) for r in found
    ):
        sizes = [len(r) if isinstance(r, list) else r.size.const for r in found]  # type: ignore[union-attr]
        if min(sizes) <= UNROLL:
            if strict and len(set(sizes)) > 1:
                run.refuse("zip(strict=True) of containers of different lengths raises a ValueError", ways.CORRECT)
            columns = [
                r if isinstance(r, list) else first_by_position(run, v, straight(run, r), min(sizes))
                for v, r in zip(values, found, strict=True)
            ]
            one_after_the_other(run, values, mark)
            return [Tup(tuple(group)) for group in zip(*columns, strict=False)]
    runs = [straight(run, r) for r in found]
    for k, turns in enumerate(runs):
        if any(turns.size is None or r.size != turns.size for r in runs[k + 1 :] if r.length is not None):
            runs[k] = asked_once_more(run, values[k], turns)
    ends = [r for r in runs if r.length is not None]
    if not ends:
        run.refuse("a loop over something that never ends", ways.LOOP)
    same = all(r.size is not None and r.size == ends[0].size for r in ends)
    if strict and not same:
        if run.attempts or not all(isinstance(v, (Leaf, Ref, Tup, Known)) for v in values):
            run.refuse("zip(strict=True) of lengths that are not known to agree", "check the lengths yourself")
        check_as_long(run, ends)
        ends = ends[:1]
    lengths = list({text(r.length): clone(r.length) for r in ends if r.length is not None}.values())
    length = lengths[0] if same or len(lengths) == 1 else gast.Call(load("min"), lengths, [])
    return ByPosition(length, lambda p: Tup(tuple(r.item(p) for r in runs)), ends[0].size if same else None)


def check_as_long(run: Run, turns: list[ByPosition]) -> None:
    """zip(strict=True) raises in the run where its arguments are not of one length: before the first turn, which
    nobody can tell from behind the last one where nothing waits for what is raised."""
    first = turns[0].length
    for k, other in enumerate(turns[1:], 2):
        if text(other.length) != text(first):
            said = gast.Constant(f"zip() argument {k} is not as long as argument 1", None)
            test = gast.Compare(clone(other.length), [gast.NotEq()], [clone(first)])
            write(run, gast.If(test, [gast.Raise(gast.Call(load("ValueError"), [said], []), None)], []))


def one_after_the_other(run: Run, values: list[Value], mark: int) -> None:
    """zip asks its iterators in turns, and those in front of the one that ends for one item more: here, all items
    of one are computed before the first of the next."""
    if len(values) > 1 and any(turns.changes for turns in run.iterators.ahead[mark:]):
        in_turns_of(run, *(turns.watch.site for turns in run.iterators.ahead[mark:]))


def first_by_position(run: Run, value: Value, turns: ByPosition, count: int) -> list[Value]:
    """The first items of a run."""

    def items() -> list[Value]:
        return [hold(run, turns.item(constant_position(k))) for k in range(count)]

    return items() if only_looks(value) else ahead_of(run, items, value)


def asked_once_more(run: Run, value: Value, turns: ByPosition) -> ByPosition:
    """A run beside another one that may end first: it is asked for an item then that nobody gets."""
    if only_looks(value):
        return turns
    return replace(turns, item=lambda p: without_changes(run, lambda: turns.item(p), value))


def pairwise_by_position(run: Run, value: Value) -> list[Value] | ByPosition | Opaque:
    inner = by_position(run, saved(run, value))
    if isinstance(inner, list):
        held = [hold(run, v) for v in inner]
        return [Tup(pair) for pair in itertools.pairwise(held)]
    turns = straight(run, inner)
    length = gast.BinOp(clone(turns.length), gast.Sub(), gast.Constant(1, None))

    def item(position: Leaf) -> Value:
        after = binary(run, gast.Add, position, constant(run, 1))
        return Tup((turns.item(position), turns.item(hold(run, after, "i"))))  # type: ignore[arg-type]

    return ByPosition(length, item, None if turns.size is None else turns.size - 1)


def item_at(run: Run, leaf: Leaf, position: Leaf) -> Value:
    """The item of an array or run-time list at a position."""
    leaf = replace(leaf, varied=is_varied(run, leaf))
    if isinstance(leaf.kind, ListOf):
        return list_item(run, leaf, gast.Subscript(clone(leaf.expr), clone(position.expr), gast.Load()))
    return operation(
        run, operator.getitem, lambda args, _: gast.Subscript(args[0], clone(position.expr), gast.Load()), [leaf]
    )


def picked(run: Run, function: Any, source: Value, count: Value | None) -> Value:
    """combinations(source, count) and its kin, of items that only the run knows: their places are chosen in it."""
    items = indexable(run, source)
    kind = kind_of(run, items)
    numbers = isinstance(kind, ListOf) and isinstance(kind.item, Number) and not is_varied(run, items)
    pool = expression(run, items if numbers else call_value(run, Known(len), [items], {}))
    if not numbers:
        pool = gast.Call(load("range"), [pool], [])
    given = [] if count is None else [expression(run, count)]
    groups = gast.Call(load("list"), [gast.Call(expression(run, Known(function)), [pool, *given], [])], [])
    run.lists.tuples_made = True
    made = define(run, "groups", groups, ListOf(kind if numbers else ListOf(Number(int))))
    return made if numbers else inline_library(run, _picked, [items, made], {})


def _items(value: Value) -> tuple[Value, ...]:
    return value.items if isinstance(value, Tup) else (value,)


def row_kind(values: Sequence[Any]) -> Kind | None:
    """The kind that all of some values of a table have, as far as a loop over them may not know more; None where they
    are of different forms.

    >>> row_kind([(0.5, 2, "a"), (0.25, 3, "a")]).items[1:]
    (Number(type=<class 'int'>, value=None), Static(value='a'))
    >>> row_kind([(0.5, "a"), (0.25, "b")]), row_kind([(0.5,), (1, 2)])
    (None, None)
    """
    first = values[0]
    cls = type(first)
    if all(type(v) in (int, float) for v in values):
        kinds: list[Kind] = [Number(t) for t in dict.fromkeys(map(type, values))]
        return kinds[0] if len(kinds) == 1 else join_kinds(kinds[0], kinds[1], dims.fresh)
    if callable(first) and not isinstance(first, type):
        different = {id(v): v for v in values}
        # (one of the user's may be written into a module, and is another there)
        told = len(different) == 1 or all(isinstance(v, (types.BuiltinFunctionType, np.ufunc)) for v in values)
        return OneOf(tuple(different.values())) if told and len(different) <= ONE_OF else None
    if any(type(v) is not cls for v in values):
        return None
    if cls is bool:
        return Number(bool)
    if cls is str or first is None:
        return Static(first) if all(v == first for v in values) else None
    if isinstance(first, tuple):
        if any(len(v) != len(first) for v in values) or own_meaning(cls):
            return None
        parts = [row_kind(column) for column in zip(*values, strict=True)]
        return None if None in parts else TupleKind(tuple(p for p in parts if p is not None), cls)
    if cls is dict:
        if any(list(v) != list(first) for v in values) or not all(type(k) in (str, int) for k in first):
            return None
        entries = {k: row_kind([v[k] for v in values]) for k in first}
        return None if None in entries.values() else Dict(tuple((k, e) for k, e in entries.items() if e is not None))
    return None


def _plain_floats(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and all(type(v) is float for v in value)


def _long(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) > UNROLL


def _picked(items: Any, groups: Any) -> Any:
    return [tuple(items[place] for place in group) for group in groups]
