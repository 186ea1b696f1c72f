"""Displays of tuples, lists, dicts and sets."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Sequence
from typing import Any

import gast

from s2sad.core import Expr, atom_key, clone, reads_any
from s2sad.frontend import ways
from s2sad.kinds.kind import Array, ListOf, Number, PlaceLists, Places, Unknown
from s2sad.kinds.query import is_float_kind
from s2sad.normal.above import iterate_static, store
from s2sad.normal.changing import kept_in_run
from s2sad.normal.desugar.in_steps import Bound
from s2sad.normal.expressions.atoms import evaluate, passively
from s2sad.normal.expressions.attributes import may_run_code
from s2sad.normal.expressions.comparisons import check_quiet
from s2sad.normal.expressions.operators import as_it_is, in_order
from s2sad.normal.handlers import lowers
from s2sad.normal.iteration.asking import (
    allocate,
    is_asked,
    is_static_iterable,
    joined_lists,
    kept_iterator,
    materialized,
    what_is_left,
)
from s2sad.normal.names import assign_name, hold, lookup
from s2sad.normal.run import Attempt, Run
from s2sad.normal.values.abstract import DictObj, Instance, Known, Leaf, ListObj, Ref, Tup, Value, is_it, is_known_a
from s2sad.normal.values.classes import static
from s2sad.normal.values.entering import from_python
from s2sad.normal.values.facts import defaultdict_of, is_varied, kind_of
from s2sad.normal.values.joined import same_value
from s2sad.normal.values.lists_of_the_run import dynamic_list
from s2sad.normal.values.making import expression
from s2sad.normal.values.questions import is_float_key
from s2sad.normal.values.tables import Groups, Table, holds_places
from s2sad.normal.words import NO
from s2sad.normal.writing import define
from s2sad.runtime.decide import Look


@lowers(gast.Tuple)
def tuple_expression(run: Run, node: Any) -> Value:
    return Tup(tuple(display_items(run, node, node.elts)))


def display_items(run: Run, node: Any, parts: list[Any]) -> list[Value]:
    values = in_order(run, node, parts)
    items: list[Value] = []
    for part, value in zip(parts, values, strict=True):
        with run.at(part):
            starred = isinstance(part, gast.Starred)
            items.extend(iterate_static(run, value) if starred else [kept_iterator(run, value, taken_apart=True)])
    return items


def starred_list(run: Run, node: Any) -> Value:
    """[*a, b] where the length of a part is not known: the sum of lists."""
    parts: list[Value] = []
    unknown = False
    for k, part in enumerate(node.elts):
        if isinstance(part, gast.Starred):
            value = evaluate(run, part.value)
            value = what_is_left(run, value) if is_asked(run, value) else value
            changes = any(may_run_code(run, v) for v in node.elts[k + 1 :])
            with run.at(part):
                if not isinstance(value, Ref) and not is_static_iterable(run, value):
                    value, unknown = materialized(run, value), True
                    value = joined_lists(run, value, Tup(())) if changes else value
                elif changes:
                    value = as_it_is(run, value, whole=False)
            parts.append(value)
        else:
            parts.append(Tup((hold(run, evaluate(run, part)),)))
    if not unknown:
        items: list[Value] = []
        for element, part in zip(node.elts, parts, strict=True):
            with run.at(element):
                items += iterate_static(run, part)
        return Tup(tuple(items))
    total, *others = parts if len(parts) > 1 else (Tup(()), *parts)  # (the list is a new one)
    for part in others:
        total = joined_lists(run, total, part)
    return total


@lowers(gast.List)
def list_expression(run: Run, node: Any) -> Value:
    site = run.site(node)
    if any(isinstance(e, gast.Starred) for e in node.elts):
        whole = starred_list(run, node)
        if isinstance(whole, Leaf):
            return whole
        items = [hold(run, v) for v in iterate_static(run, whole)]
    else:
        items = [hold(run, v) for v in display_items(run, node, node.elts)]
    if site not in run.decisions.dynamic:
        return allocate(run, ListObj(items, site))
    assigned = getattr(node, "assigned", None)
    return dynamic_list(run, site, items, assigned or "lst", user=assigned)


@lowers(gast.Dict)
def dict_expression(run: Run, node: Any) -> Value:
    items: dict[Any, Value] = {}
    attempt = Attempt(run)
    for key, part in zip(node.keys, node.values, strict=True):
        if key is None:
            merged = evaluate(run, part)
            if is_known_a(merged, dict):
                items.update(entries(run, merged))
                continue
            obj = run.state.heap[merged.id] if isinstance(merged, Ref) else None
            if not isinstance(obj, DictObj):
                run.refuse("** of a dict whose keys are not known", ways.KEYS)
            items.update(obj.items)
            continue
        name = static(passively(run, key))
        if name is NO:
            attempt.undo()
            return unknown_dict(run, node)
        items[name] = hold(run, evaluate(run, part))
    attempt.keep()
    return new_dict(run, items, run.site(node))


def new_dict(run: Run, items: dict[Any, Value], site: Any, factory: Value | None = None) -> Value:
    """A dict made at this place: of known keys, unless it gets others; then it is one at run time, or a Table."""
    keys = [expression(run, Known(k)) for k in items]
    if site in run.decisions.tables and not any(is_varied(run, v) for v in items.values()):
        display: Expr = gast.Dict(keys, [kept_in_run(run, v) for v in items.values()])
        if factory is not None:
            run.decisions.defaulting.add(site)
            display = defaultdict_of(run, factory, display)
        kinds = [kind_of(run, v) for v in items.values()]
        counts = all(isinstance(k, Number) and k.type is int for k in kinds)
        counts = counts and (factory is None or is_it(factory, int))
        counts = counts and site not in run.decisions.no_places
        counts = counts and holds_places(run.frame.source.tree, run.node)
        leaf = define(run, "table", display, Places() if counts else Unknown())
        run.lists.table_of[atom_key(leaf.expr)] = site
        return leaf
    if site not in run.decisions.unfit:
        cls = dict if factory is None else collections.defaultdict
        return allocate(run, DictObj(items, site, factory=factory, cls=cls))
    return new_table(run, [Known(k) for k in items], list(items.values()), site, factory)


def new_table(run: Run, keys: list[Value], items: list[Value], site: Any, factory: Value | None = None) -> Value:
    """A Table with different keys. One container under its only key, which others may have, is known there."""
    places: list[Expr] = [gast.Constant(k, None) for k in range(len(items))]
    alone = len(items) == 1 and is_one_container(run, items) and (*site, "held") not in run.decisions.dynamic
    grouped = (site in run.decisions.grouped or is_it(factory, list)) and not alone
    if grouped and items:
        run.refuse("a dict of lists gets keys known at run time only beside others", "begin with {}")
    display = gast.Dict([expression(run, v) for v in keys], places)
    place = define(run, "place", display, PlaceLists() if grouped else Places())
    lists: list[Value] = []
    for stem, given in (("names", keys), ("held", items)):
        within = (*site, stem)
        if alone and stem == "held":
            lists.append(allocate(run, ListObj(given, within)))
            continue
        run.decisions.dynamic.setdefault(within, None)  # type: ignore[arg-type]
        lists.append(dynamic_list(run, within, given, stem))
    names, held = lists
    like = Known(dict if factory is None else collections.defaultdict)
    parts: dict[str, Value] = {"place": place, "names": names, "held": held}
    parts |= {"factory": factory or Known(None), "like": like}
    return allocate(run, Instance(Groups if grouped else Table, parts, site))


def entries(run: Run, table: Known) -> dict[Any, Value]:
    """The items of a dict that is there at derivation."""
    base = expression(run, table)
    return {
        key: from_python(run, part, gast.Subscript(clone(base), expression(run, Known(key)), gast.Load()), place=place)
        for key, (part, place) in table.ask(Look.PARTS).items()
    }


def unknown_dict(run: Run, node: Any) -> Value:
    if None in node.keys:
        run.refuse("** in a dict with keys that are not known at derivation", ways.KEYS)
    run.passive += 1
    try:
        parts = in_order(run, node, [part for pair in zip(node.keys, node.values, strict=True) for part in pair])
    finally:
        run.passive -= 1
    keys, values = parts[::2], parts[1::2]
    check_keys(run, keys)
    read = (isinstance(v, Leaf) and is_float_kind(v.kind) and reads_active(run, v.expr) for v in values)
    if any(is_varied(run, v) for v in values) or (not run.passive and any(read)):
        if run.passive or run.text_only:
            run.refuse("a dict with keys that are not known at derivation holds active values", ways.KEYS)
        return filled_one_by_one(run, node)
    display = gast.Dict([expression(run, k) for k in keys], [kept_in_run(run, v) for v in values])
    return Leaf(display, Unknown(), nested=True)


def filled_one_by_one(run: Run, node: Any) -> Value:
    """`{k: x, m: y}` of keys that only the run knows, as `d = {}; d[k] = x; d[m] = y`."""
    pairs = zip(node.keys, node.values, strict=True)
    given = [(hold(run, evaluate(run, key)), hold(run, evaluate(run, item))) for key, item in pairs]
    site = run.site(node)
    if len(given) == 1 and is_one_container(run, [given[0][1]]) and not isinstance(given[0][1], Tup):
        return new_table(run, [given[0][0]], [given[0][1]], site)
    made = new_table(run, [], [], site)
    for key, item in given:
        store(run, gast.copy_location(gast.Subscript(Bound(made), Bound(key), gast.Store()), node), item)
    return made


def check_keys(run: Run, keys: Iterable[Value], whole: bool = False) -> None:
    """Refuse active floats as keys of a dict and items of a set, from which they could be taken again.

    `whole`: the keys are the items of these.
    """
    for key in keys:
        active = is_varied(run, key) or (isinstance(key, Leaf) and reads_active(run, key.expr))
        if active and not run.passive and (whole or is_float_key(kind_of(run, key))):
            run.refuse(
                "an active value is the key of a dict, or an item of a set: derivatives do not go through these",
                "keep it in a list, and let the key be an index or a name",
            )


def reads_active(run: Run, expr: Expr) -> bool:
    """Is an active value among what an expression reads?"""
    return reads_any(expr, run.facts.varied)


@lowers(gast.Set)
def set_expression(run: Run, node: Any) -> Value:
    values: list[Value] = []
    shown: list[Any] = []
    for element in node.elts:
        starred = isinstance(element, gast.Starred)
        value = passively(run, element.value if starred else element)
        parts = [value]
        if starred and is_static_iterable(run, value):
            parts, starred = iterate_static(run, value), False
        elif starred:
            check_keys(run, parts, whole=True)
        values += parts
        shown += [gast.Starred(e, gast.Load()) if starred else e for e in (expression(run, v) for v in parts)]
    check_quiet(run, values)
    check_keys(run, values)
    items = [static(v) for v in values]
    known = all(v is not NO for v in items) and not any(isinstance(e, gast.Starred) for e in shown)
    if known and not run.decisions.sets_change:
        return Known(frozenset(items), gast.Set(shown))
    return Leaf(gast.Set(shown), Unknown(), nested=True)


@lowers(gast.NamedExpr)
def named_expr_expression(run: Run, node: Any) -> Value:
    """`(name := value)`: the value is lowered as an active one, in a condition as well: the name is read elsewhere."""
    passive, run.passive = run.passive, 0 if run.block is not None and not run.text_only else run.passive
    outer, run.names.begun = run.names.begun, (run.block, len(run.block) if run.block is not None else 0)
    try:
        value = evaluate(run, node.value)
        assign_name(run, node.target.id, value)
    finally:
        run.passive, run.names.begun = passive, outer
    return lookup(run, node.target.id)


@lowers(gast.Starred)
def starred_expression(run: Run, node: Any) -> Value:
    run.refuse("a starred expression cannot stand here", ways.ONE_BY_ONE)


def is_one_container(run: Run, items: Sequence[Value]) -> bool:
    """Do all places hold one container, or tuples with one, whose other parts are one value or plain numbers?"""
    first = items[0] if items else None
    if isinstance(first, Tup):
        if not all(isinstance(v, Tup) and v.cls is first.cls and len(v.items) == len(first.items) for v in items):
            return False
        parts = list(zip(*(v.items for v in items if isinstance(v, Tup)), strict=True))
        return any(is_one_container(run, v) for v in parts) and all(
            is_one_container(run, p) or all(isinstance(static(v), (bool, int, float)) for v in p) for p in parts
        )
    container = isinstance(first, Ref) or (isinstance(first, Leaf) and isinstance(first.kind, (Array, ListOf)))
    return first is not None and container and all(same_value(run, first, v) for v in items[1:])
