"""Lists that are lists when the program runs: what they hold is learnt where it is put in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from s2sad.core import Expr, assign, atom_key, clone, load
from s2sad.frontend import ways
from s2sad.kinds.kind import Array, Kind, ListOf, Nothing, Number, Object, Static, Unknown
from s2sad.kinds.kind import Dict as DictKind
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.query import is_float_kind
from s2sad.normal import above
from s2sad.normal.above import operand
from s2sad.normal.changing import copy_made
from s2sad.normal.decisions import Restart
from s2sad.normal.iteration.asking import allocate
from s2sad.normal.iteration.turning import watches_in
from s2sad.normal.learning import go_on_guessing, make_dynamic, rows_of_any_length, unroll_a_loop
from s2sad.normal.memory import changes_in_passing, mark_varied
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import Closure, DictObj, Keys, Known, Leaf, ListObj, Method, Partial, Ref, Tup, Value
from s2sad.normal.values.classes import class_of, has_own_operators, instance_of
from s2sad.normal.values.facts import is_flat, is_varied, kind_in_run, kind_of
from s2sad.normal.values.joined import join_kind, put_together
from s2sad.normal.values.questions import holds_complex, is_set, leaves_of, timeless, with_part
from s2sad.normal.writing import active_when_made, gets_active, is_text_of_active, sites_of_list, write


def dynamic_list(run: Run, site: Any, items: list[Value], stem: str = "lst", user: str | None = None) -> Leaf:
    """A list that is a list at run time, because it grows in a loop or is indexed by a variable.

    `user`: the name that the user gives it.
    """
    kind = run.decisions.dynamic[site]
    for item in items:
        own = kind_in_run(run, item)
        kind = own if kind is None else join_kind(run, kind, own)
    varied = site in run.decisions.varied_lists or any(is_varied(run, v) for v in items)
    varied = varied or active_when_made(run, ListOf(kind if kind is not None else Nothing()), stem)
    name = run.facts.fresh(stem, temp=user is None)
    if user is not None:
        run.facts.user_name[name] = user
    run.facts.kinds[name] = ListOf(kind if kind is not None else Nothing())
    if varied:
        run.facts.varied.add(name)
    write(run, assign(name, gast.List([], gast.Load())))
    run.lists.site_of[name] = site
    run.lists.made_here.add(name)
    run.lists.new_lists.add(name)
    leaf = Leaf(load(name), run.facts.kinds[name], varied)
    for item in items:
        list_append(run, leaf, item)
    return Leaf(load(name), run.facts.kinds[name], name in run.facts.varied)


@above.new_list.answer
def new_list(run: Run, items: list[Value], *sources: Value) -> Value:
    """A list made at this place: of known structure, unless it has to be a list at run time.

    `sources`: the lists that the items were taken from.
    """
    site = run.site(run.node)
    if site in run.decisions.dynamic:
        return dynamic_list(run, site, items)
    return allocate(run, ListObj(items, site, sources=tuple(v.id for v in sources if isinstance(v, Ref))))


def list_append(run: Run, lst: Leaf, item: Value, place: Expr | None = None) -> None:
    """`lst.append(item)`, or `lst.insert(place, item)`, for a run-time list; what the item is like becomes part of
    what is known of the list."""
    item = put_together(run, item)
    is_group(run, lst, item)
    if isinstance(item, (Closure, Method, Partial, Ref)):
        unroll_a_loop(run)
    if is_varied(run, item) or run.lost:
        changes_in_passing(run)
    assert isinstance(lst.kind, ListOf)
    hold_lists(run, item, lst.kind.item)
    learn_item(run, lst, item)
    item = as_plain(run, lst, item)
    method = gast.Attribute(clone(lst.expr), "append" if place is None else "insert", gast.Load())
    write(run, gast.Expr(gast.Call(method, [*([] if place is None else [place]), operand(run, item)], [])))


def as_plain(run: Run, lst: Leaf, item: Value) -> Value:
    """An item of a run-time list of active values: namedtuples are tuples there."""
    if isinstance(item, Tup) and item.cls is not Keys and (lst.varied or is_varied(run, item)):
        return Tup(tuple(as_plain(run, lst, part) for part in item.items))
    return item


def is_group(run: Run, lst: Leaf, item: Value) -> None:
    """A list becomes an item of a dict whose keys only the run knows: start again with a dict of lists."""
    *site, stem = run.lists.site_of.get(atom_key(lst.expr)) or (None,)
    obj = run.state.heap[item.id] if isinstance(item, Ref) else None
    a_list = isinstance(obj, ListObj) or (isinstance(item, Leaf) and isinstance(item.kind, ListOf))
    if stem == "held" and a_list and tuple(site) not in run.decisions.grouped:
        run.decisions.grouped.add(tuple(site))
        raise Restart


def hold_lists(run: Run, item: Value, kind: Kind) -> None:
    """A run-time list takes an item: the lists in it that have another length elsewhere are lists at run time."""
    if isinstance(item, Tup):
        same = isinstance(kind, TupleKind) and len(kind.items) == len(item.items)
        parts = kind.items if isinstance(kind, TupleKind) and same else (Unknown(),) * len(item.items)
        for part, part_kind in zip(item.items, parts, strict=True):
            hold_lists(run, part, part_kind)
        return
    if class_of(run, item) is list and instance_of(run, item) is not None:
        run.refuse("a list that is in a dict of lists goes into another container", ways.COPY_LIST)
    if instance_of(run, item) is not None and (is_varied(run, item) or watches_in(run, item)):
        active = " with active values" if is_varied(run, item) else ""
        run.refuse(
            f"objects{active} in a list that grows at run time",
            ways.TUPLES,
            concrete=True,
        )
    if watches_in(run, item):
        run.refuse("an iterator in a list that grows at run time", ways.LIST)
    if isinstance(item, Known) and is_set(item.value):
        copy_made(run, item)
    check_operators_of(run, item)
    if isinstance(item, Method) and is_varied(run, item) and not run.passive:
        run.refuse("only the run knows which method of an active value is called", ways.CALL, concrete=True)
    if not isinstance(item, Ref):
        return
    obj = run.state.heap[item.id]
    if isinstance(obj, ListObj):
        of_known_length = isinstance(kind, ListKind) and len(kind.items) == len(obj.items)
        if isinstance(kind, (ListOf, ListKind)) and not of_known_length:
            if obj.site is None:
                run.refuse("lists of different lengths in a run-time list", ways.APPEND)
            make_dynamic(run, obj)
        obj.held = True
        copy_made(run, item)
        for part in obj.items:
            if isinstance(part, (Ref, Tup)):
                hold_lists(run, part, Unknown())
    elif is_varied(run, item):
        run.refuse(
            "dicts with active values in a list that grows at run time",
            ways.TUPLES,
            concrete=True,
        )
    elif isinstance(obj, DictObj):
        copy_made(run, item)


def check_operators_of(run: Run, item: Value) -> None:
    """Only the run knows which item is read: that operators mean what they do for numbers has to hold for all."""
    if isinstance(item, Known) and has_own_operators(item.value):
        run.refuse(
            f"an object of class {type(item.value).__name__}, with operators of its own, is in a container where "
            "only the run knows which item is read",
            ways.FUNCTION,
        )


def learn_item(run: Run, lst: Leaf, item: Value) -> None:
    """What a run-time list takes becomes part of what is known of it."""
    assert isinstance(lst.kind, ListOf)
    if is_flat(run, item):
        run.refuse("array.flat in a list whose items only the run knows", ways.FLAT)
    if isinstance(item, Leaf) and not item.varied and is_text_of_active(run, item.expr):
        run.names.texts.add(atom_key(lst.expr))
    share_kind(run, lst.kind.item, item, lst.varied)
    if lst.varied and not run.passive:
        follow_lists(run, item)
    sites = sites_of_list(run, atom_key(lst.expr))
    for site in sorted(sites, key=repr):
        learn_at(run, site, lst, item)
    if atom_key(lst.expr) not in run.lists.site_of:
        takes_in(run, lst, item)


def learn_at(run: Run, site: Any, lst: Leaf, item: Value) -> None:
    """What a run-time list that is made at a place takes."""
    kind, known = timeless(kind_in_run(run, item)), run.decisions.dynamic.get(site)
    joined = kind if known is None else timeless(join_kind(run, known, kind))
    varied = is_varied(run, item) and not run.passive
    if varied or (lst.varied and not run.passive):
        check_form(run, kind, known, joined)
    if (known is None or joined != known) or (varied and site not in run.decisions.varied_lists):
        if known is None:
            run.decisions.learn(site, joined)
        run.decisions.dynamic[site] = joined
        if varied:
            run.decisions.varied_lists.add(site)
        goes_on_with(run, lst, joined, varied)


def goes_on_with(run: Run, lst: Leaf, joined: Kind, varied: bool) -> None:
    """What a run-time list holds is other than was known. Where these are numbers, the rest is lowered with that, to
    see what else is to be learnt: a function that fills ten lists would start again ten times.

    Raises:
        Restart: where they are something else.
    """
    if not (isinstance(joined, Number) and isinstance(lst.kind, ListOf) and isinstance(lst.kind.item, Number)):
        raise Restart
    go_on_guessing(run)
    if varied and not lst.varied:
        mark_varied(run, Leaf(lst.expr, ListOf(joined)), True)


def check_form(run: Run, kind: Kind, known: Kind | None, joined: Kind) -> None:
    """The items of a list with active values are of one form, and no dicts."""
    forms = (ListOf, ListKind, TupleKind, Object)
    told = known is not None and not any(type(k) is Unknown or isinstance(k, Static) for k in (kind, known))
    several = told and type(joined) is Unknown and any(isinstance(k, forms) for k in (kind, known))
    if several or isinstance(joined, DictKind):
        run.refuse(
            "a run-time list of active values has items of several forms, or dicts",
            ways.LIST_EACH,
            concrete=True,
        )


def items_in(run: Run, item: Value) -> tuple[Value, ...]:
    """The items of a tuple or a list that is known item by item; of another value, this alone."""
    if isinstance(item, Tup):
        return item.items
    obj = run.state.heap.get(item.id) if isinstance(item, Ref) else None
    return tuple(obj.items) if isinstance(obj, ListObj) else () if isinstance(item, Ref) else (item,)


def share_kind(run: Run, kind: Kind, item: Value, active: bool) -> None:
    """A list goes into a list of lists that get floats, say, by an index: then it may be the one that gets them.

    Args:
        active: does that list hold active values? What they are need not be known then.
    """
    parts = items_in(run, item)
    if isinstance(kind, (TupleKind, ListKind)) and len(parts) == len(kind.items):
        for part_kind, part in zip(kind.items, parts, strict=True):
            share_kind(run, part_kind, part, active)
    if not (isinstance(item, Leaf) and isinstance(item.kind, ListOf) and isinstance(kind, ListOf)):
        return
    sites = sites_of_list(run, atom_key(item.expr))
    if not sites:
        learn_part(run, item, timeless(join_kind(run, item.kind.item, kind.item)), False)
    for site in sorted(sites, key=repr):
        known = run.decisions.dynamic.get(site)
        joined = timeless(kind.item if known is None else join_kind(run, known, kind.item))
        told = not isinstance(joined, (Unknown, Nothing)) or (active and type(joined) is Unknown)
        if joined != known and told:
            run.decisions.learn(site, joined)
            run.decisions.dynamic[site] = joined
            raise Restart


def follow_lists(run: Run, item: Value) -> None:
    """A list that goes into a list of active lists is active from the start: its changes are followed."""
    for part in items_in(run, item):
        if isinstance(part, (Tup, Ref)):
            follow_lists(run, part)
        if not isinstance(part, Leaf) or not isinstance(part.kind, ListOf):
            continue
        if part.varied:
            mark_outer(run, atom_key(part.expr))  # what is stored there is in the list that it was taken from
            continue
        sites = sites_of_list(run, atom_key(part.expr)) - run.decisions.varied_lists
        if is_float_kind(part.kind) and sites:
            run.decisions.varied_lists |= sites
            raise Restart
        if is_float_kind(part.kind):
            gets_active(run, part)
            mark_varied(run, part, True)
            mark_outer(run, atom_key(part.expr))


def learn_part(run: Run, lst: Leaf, kind: Kind, varied: bool) -> bool:
    """A list that is an item of a run-time list becomes active, or holds items of this kind: what is known of the
    outer list changes. False where nothing is known about that."""
    assert isinstance(lst.kind, ListOf)
    name, inner = atom_key(lst.expr), kind
    more = varied and not (lst.varied and run.facts.varied.issuperset(outer_lists(run, name)))
    if name not in run.lists.part_of or (kind == lst.kind.item and not more):
        return name in run.lists.part_of
    while name in run.lists.part_of:
        name, part = run.lists.part_of[name]
        whole = run.facts.kinds[name]
        assert isinstance(whole, ListOf)
        inner = ListOf(inner)
        inner = with_part(whole.item, part, inner)
    site = run.lists.site_of.get(name)
    if site is None:
        return False
    known = run.decisions.dynamic.get(site)
    joined = timeless(inner if known is None else join_kind(run, known, inner))
    if joined == known and not (varied and site not in run.decisions.varied_lists):
        return True
    run.decisions.learn(site, joined)
    run.decisions.dynamic[site] = joined
    if varied:
        run.decisions.varied_lists.add(site)
    raise Restart


def takes_in(run: Run, lst: Leaf, item: Value) -> None:
    """A list that was made in one piece (by a comprehension, say) gets an active item: then it is active, too."""
    assert isinstance(lst.kind, ListOf)
    varied = is_varied(run, item) and not run.passive
    if learn_part(run, lst, join_kind(run, lst.kind.item, timeless(kind_of(run, item))), varied):
        return
    joined = join_kind(run, lst.kind.item, timeless(kind_of(run, item)))
    if isinstance(lst.kind.item, ListKind) and joined != lst.kind.item:
        rows_of_any_length(run, atom_key(lst.expr))
    if holds_complex(joined) and not holds_complex(lst.kind.item) and not isinstance(lst.kind.item, Nothing):
        run.refuse(
            "complex numbers go into a list that was made with real ones",
            "make the list with complex numbers, such as [0j for ...]",
        )
    if joined != lst.kind.item and any(isinstance(k, Static) for k in leaves_of(lst.kind.item)):
        run.refuse(
            "a list that was made in one piece, all of the same constants, takes others",
            ways.APPEND,
        )
    if not varied:
        return
    not_known = isinstance(lst.kind.item, Nothing) and not sites_of_list(run, atom_key(lst.expr))
    other = isinstance(joined, Unknown) and joined != lst.kind.item
    if isinstance(lst.kind.item, Array) and lst.kind.item.shape == ():
        other = other and not isinstance(kind_of(run, item), Number)  # (np.zeros_like of numbers gives arrays)
    if not_known or other or not is_float_kind(lst.kind.item):
        run.refuse(
            "active values go into a list that was made with values of another kind",
            ways.FLOATS,
        )
    if not lst.varied:
        gets_active(run, lst)
        mark_varied(run, lst, True)
    mark_outer(run, atom_key(lst.expr))  # (one that is active from the start was taken from a list that may not be)


def outer_lists(run: Run, name: str) -> Iterator[str]:
    """The lists that a list was taken from."""
    while name in run.lists.part_of:
        name, _ = run.lists.part_of[name]
        yield name


def mark_outer(run: Run, name: str) -> None:
    """The lists that a list was taken from become active with it, and so do others that were taken from those."""
    for outer in list(outer_lists(run, name)):
        for key in (outer, *(k for k, (owner, _) in run.lists.part_of.items() if owner == outer)):
            if key not in run.facts.varied:
                mark_varied(run, Leaf(load(key), run.facts.kinds[key], False), True)
