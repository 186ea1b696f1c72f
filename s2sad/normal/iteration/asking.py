"""Iterators: who asks them for items, what they have left, what keeps them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import gast
import numpy as np

from s2sad.core import atom_key, clone, load
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds.kind import Array, ListOf
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.normal import above
from s2sad.normal.above import (
    binary,
    by_its_iter,
    can_be_asked_in_steps,
    check_watch,
    inline_library,
    instantiate,
    iterate_static,
    new_list,
    run_through,
    stepping,
    watch_lazy,
    with_source,
)
from s2sad.normal.calls import library
from s2sad.normal.desugar.generators import is_plain
from s2sad.normal.frames import Changed
from s2sad.normal.handlers import ENDLESS, ITERTOOLS
from s2sad.normal.iteration.iterators import (
    SILENT,
    WITH_PEEK,
    Asked,
    Chained,
    Counted,
    Mapped,
    Starred,
    Steps,
    StepsOfArray,
    StepsOfDeque,
    StepsOfList,
    Summed,
    SummedUp,
)
from s2sad.normal.iteration.watch import DICT_VIEWS, FUNCTIONS, IN_TURNS, WITH_FUNCTION, reads, turned
from s2sad.normal.names import hold
from s2sad.normal.run import Attempt, Run
from s2sad.normal.values.abstract import (
    DictObj,
    Instance,
    Known,
    Lazy,
    Leaf,
    ListObj,
    Ref,
    Tup,
    Value,
    contents,
    is_none,
)
from s2sad.normal.values.classes import find_method, instance_of, static, within
from s2sad.normal.values.entering import from_python, goes_by
from s2sad.normal.values.facts import kind_of, sets_of_the_run
from s2sad.normal.values.joined import is_a_deque
from s2sad.normal.values.making import ask_in_steps, constant, expression
from s2sad.normal.values.questions import UNROLL, tuple_of
from s2sad.normal.writing import define
from s2sad.runtime.decide import Look


@above.allocate.answer
def allocate(run: Run, obj: ListObj | DictObj | Instance) -> Ref:
    held = contents(obj)
    if any(isinstance(v, Lazy) or is_generator(run, v) for v in held.values()) and not getattr(obj, "once", False):
        kept = {id(v): kept_iterator(run, v) for v in held.values()}  # one iterator in several places stays one
        if isinstance(obj, ListObj):
            obj.items = [kept[id(v)] for v in obj.items]
        elif isinstance(obj, DictObj):
            obj.items = {k: kept[id(v)] for k, v in obj.items.items()}
    ref = run.next_id()
    run.state.heap[ref] = obj
    return Ref(ref)


def is_empty(run: Run, value: Value) -> bool:
    """Is it a container that holds nothing at all? (Of an object without attributes that is not known: it may keep
    its state elsewhere.)"""
    if isinstance(value, Tup):
        return all(is_empty(run, v) for v in value.items)
    if not isinstance(value, Ref):
        return False
    obj = run.state.heap[value.id]
    parts = contents(obj).values()
    return (bool(parts) or not isinstance(obj, Instance)) and all(is_empty(run, v) for v in parts)


def lazy(run: Run, function: Any, args: Iterable[Value], kwargs: dict[str, Value]) -> Value:
    """An iterator that is made here."""
    args, site = tuple(args), run.site(run.node)
    stepping = run.decisions.in_steps and item_by_item(run, function, args, kwargs)
    if stepping:
        return stepping
    made = run.frame, run.node, len(run.turns.turning)
    lengths = lengths_asked(run, function, args)
    return Lazy(function, args, tuple(kwargs.items()), made=made, site=site, lengths=lengths)


def follows_in_passing(run: Run) -> bool:
    """Are functions followed that are called for what has no derivative, as they change something?"""
    return run.decisions.in_passing and not (run.text_only or run.raising)


#: iterators whose items are made while a loop runs
LAZY = {zip, enumerate, reversed, map, filter, iter}
#: iterators that ask another one whether there is an item
TAKE_FROM_OTHERS = (Mapped, Starred, Summed, SummedUp, Counted, Chained)
#: iterators that no list holds, and what to write instead
_ENDLESS: dict[Any, str] = {
    itertools.count: "count with an int of your own: k = k + 1",
    itertools.cycle: "use an index of your own: items[k % len(items)]",
    itertools.repeat: "use the value itself",
}


def known_range(run: Run, value: Value) -> range | None:
    """The range whose bounds are all known."""
    if not isinstance(value, Lazy) or value.function is not range:
        return None
    bounds = [static(v) for v in value.args]
    return range(*bounds) if all(isinstance(b, (int, np.integer)) for b in bounds) else None


def joined_lists(run: Run, left: Value, right: Value) -> Value:
    """The sum of two lists of which one is a list at run time."""
    return inline_library(run, _joined_lists, [left, right], {})


def known_items(run: Run, value: Known) -> list[Value]:
    goes_by(run, value)
    if value.is_a(Changed) and value.ask(Look.LENGTH) > 1:
        sets_of_the_run(run)
    if instance_of(run, value) is not None:
        items = items_told(run, value)
        if items is not None:
            return items
        own = by_its_iter(run, value)
        if own is value:
            run.refuse("an object of a class without __iter__ is run through", ways.METHOD)
        return iterate_static(run, own)
    cls = value.cls
    if not hasattr(cls, "__iter__") and not hasattr(cls, "__getitem__"):
        run.refuse("this cannot be iterated over", "loop over a range, an array or a list")
    if value.expr is not None and value.cls in (list, tuple):
        parts = [value.ask(Look.PART, i) for i in range(value.ask(Look.LENGTH))]
        return [
            from_python(run, v, gast.Subscript(clone(value.expr), gast.Constant(i, None), gast.Load()), place=place)
            for i, (v, place) in enumerate(parts)
        ]
    items = list(value.value)
    return [from_python(run, v, expression(run, Known(v))) for v in items]


def items_told(run: Run, value: Known) -> list[Value] | None:
    """The items that an object's __iter__ gives, where its text tells them; None where it stays a call.

    Not where the object has a length of which it matters how often it is asked for: list() asks for that, too.
    """
    for name in ("__len__", "__length_hint__"):
        method = find_method(run, value, name)
        function = with_source(run, method) if method is not None else None
        if method is not None and (function is None or not is_plain(function.source.tree)):
            return None
    attempt, place = Attempt(run), (run.call_path, run.frame, run.node, run.origin)
    try:
        items = iterate_static(run, by_its_iter(run, value, looked_into=True))
    except DerivationError:
        run.call_path, run.frame, run.node, run.origin = place
        attempt.undo()
        return None
    attempt.keep()
    return items


def is_static_iterable(run: Run, value: Value) -> bool:
    """Are the items known one by one (a container, a short range with known bounds, zip of such ...)?"""
    value = tuple_of(value)
    if isinstance(value, (Tup, Known)):
        return True
    if isinstance(value, Ref):
        return not isinstance(run.state.heap[value.id], Instance)
    if isinstance(value, Lazy):
        if value.function is range:
            known = known_range(run, value)
            return known is not None and len(known) <= UNROLL
        parts = value.args[1:] if value.function in (map, filter) else value.args
        if value.function is enumerate:
            parts = parts[:1]
        if value.function == itertools.chain.from_iterable and is_static_iterable(run, parts[0]):
            parts = tuple(held_in(run, parts[0], 2)[1:])
        return bool(parts) and all(is_static_iterable(run, v) for v in parts)
    return isinstance(value, Leaf) and isinstance(value.kind, TupleKind)


def materialized(run: Run, value: Value) -> Value:
    """An iterable as a list: of known structure where it has one, else a list at run time."""
    if isinstance(value, Lazy) and value.function in DICT_VIEWS:
        return new_list(run, [hold(run, v) for v in iterate_static(run, value)])
    if isinstance(value, Lazy):
        run_through(run, value)
    if isinstance(value, Lazy) and value.function not in LAZY and value.function is not range:
        handler = ITERTOOLS.get(value.function)
        if handler is None:
            run.refuse(f"{value.function.__name__} of active values", ways.LOOP)
        check_watch(run, value.watch)
        return handler(run, list(value.args), dict(value.kwargs))  # type: ignore[no-any-return]
    if isinstance(value, Lazy) and value.function is filter:
        return filtered(run, *value.args)
    if isinstance(value, Leaf) and isinstance(value.kind, ListOf):
        return value
    if is_static_iterable(run, value) or (isinstance(value, Ref)):
        items = [hold(run, v) for v in iterate_static(run, value)]
        return new_list(run, items, value)
    return inline_library(run, library.list_of, [value], {})


def indexable(run: Run, value: Value) -> Value:
    """The value itself where it can be indexed, else as a list."""
    return value if isinstance(value, Leaf) and isinstance(value.kind, (Array, ListOf)) else materialized(run, value)


def filtered(run: Run, function: Value, items: Value) -> Value:
    if is_none(function):
        return inline_library(run, _truthy, [items], {})
    return inline_library(run, _chosen, [function, items], {})


@above.once.answer
def once(run: Run, name: str, value: Lazy) -> Value:
    """An iterator gets a name: it may be run through once only."""
    if value.function in (range, slice, *DICT_VIEWS):
        return value
    if is_static_iterable(run, value):
        return giving_once(run, value)
    if reads(run.frame.source.tree, name) > 1:
        if value.function is iter and can_be_asked_in_steps(run, name, value.args[0]):
            return instantiate(run, Known(Steps), list(value.args), {})
        kind = kind_of(run, value.args[0]) if value.function is iter else None
        size = kind.shape[0] if isinstance(kind, Array) and kind.shape else None
        if size is not None and size.known and size.const <= UNROLL:
            return giving_once(run, value)
        ask_in_steps(run, value.site)
        way_out = _ENDLESS.get(value.function, ways.LIST)
        run.refuse(f"the iterator {name!r} is used in several places", way_out, concrete=size is not None)
    return value


@above.made_at.answer
def made_at(run: Run, value: Value) -> Any:
    """The place where an iterator was made that is not followed item by item; None for other values."""
    if isinstance(value, Leaf):
        return run.iterators.watched[atom_key(value.expr)].site if is_generator(run, value) else None
    obj = run.state.heap[value.id] if isinstance(value, Ref) else value
    return getattr(obj.watch if isinstance(obj, ListObj) else obj, "site", None)


def is_asked(run: Run, value: Value) -> bool:
    """Is it an iterator that is followed item by item?"""
    obj = run.state.heap[value.id] if isinstance(value, Ref) else None
    return isinstance(obj, Instance) and issubclass(obj.cls, Asked)


def item_by_item(run: Run, function: Any, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value | None:
    """An iterator that is followed item by item: one of which somebody can tell when it computes its items, or that
    takes them from such a one. None where there is none like it."""
    asked = [v for v in args if is_asked(run, v)]
    if run.site(run.node) not in run.decisions.in_steps and not asked:
        return None
    made = stepping(run, function, list(args), kwargs)
    if made is None and asked:
        run.refuse(*IN_TURNS)
    return made


def only_takes(run: Run, value: Value) -> bool:
    """Does an iterator give the items of arrays and lists as they are, so that taking one changes nothing else?"""
    own = iterators_of(run, value)
    return all(run.state.heap[ref].cls in (*WITH_PEEK, Counted, Chained) for ref in own)


def iterators_of(run: Run, value: Value) -> set[int]:
    """An iterator that is followed item by item, and those that it takes its items from."""
    if not isinstance(value, Ref) or not is_asked(run, value):
        return set()
    parts = contents(run.state.heap[value.id]).values()
    return {value.id}.union(*(iterators_of(run, part) for part in parts))


def iterator_of(run: Run, cls: type, given: Sequence[Value | None]) -> Value | None:
    """An iterator of what it is given, where it can be made of that."""
    return None if None in given else instantiate(run, Known(cls), list(given), {})  # type: ignore[arg-type]


def is_list(run: Run, value: Value) -> bool:
    obj = run.state.heap[value.id] if isinstance(value, Ref) else None
    return isinstance(obj, ListObj) and not obj.once


def asked_source(run: Run, value: Value, forms: tuple[type, ...] = (Asked,)) -> Value | None:
    """What an iterator that is followed takes its items from; None where that is of no form that is followed."""
    if is_asked(run, value):
        cls = run.state.heap[value.id].cls  # type: ignore[attr-defined]
        plain = issubclass(cls, forms) and (cls not in TAKE_FROM_OTHERS or all_silent(run, value, forms))
        return value if plain else None
    obj = run.state.heap[value.id] if isinstance(value, Ref) else None
    if isinstance(obj, ListObj) and obj.once:
        ask_in_steps(run, made_at(run, value))
        return None
    if isinstance(value, Lazy) and value.function is range:
        return instantiate(run, Known(StepsOfArray), [hold(run, materialized(run, value))], {})
    if isinstance(value, Lazy):
        ask_in_steps(run, value.site)
        return None
    if isinstance(value, Leaf) and is_generator(run, value):
        ask_in_steps(run, made_at(run, value))
        return None
    if (isinstance(value, Leaf) and isinstance(value.kind, ListOf)) or isinstance(obj, ListObj):
        return over_list(run, value, StepsOfList, StepsOfDeque)
    array = isinstance(value, Leaf) and isinstance(value.kind, Array) and bool(value.kind.shape)
    if array or isinstance(value, Tup) or (isinstance(value, Known) and value.cls in (list, tuple)):
        return instantiate(run, Known(StepsOfArray), [value], {})
    return None


def over_list(run: Run, items: Value, of_list: type, of_deque: type) -> Value | None:
    """An iterator over a list or a deque; None where it is not known which of the two that is."""
    is_deque = is_a_deque(run, items)
    return None if is_deque is None else instantiate(run, Known(of_deque if is_deque else of_list), [items], {})


def all_silent(run: Run, value: Value, forms: tuple[type, ...]) -> bool:
    """Do the sources of an iterator say whether there is an item with nothing computed and changed, too?"""
    assert isinstance(value, Ref)
    sources = [v for v in contents(run.state.heap[value.id]).values() if is_asked(run, v)]
    return forms != SILENT or all(asked_source(run, v, forms) is not None for v in sources)


def giving_once(run: Run, value: Lazy) -> Value:
    """The items of an iterator, as something that gives them once."""
    node = run.site(run.node)
    made, watch = watch_lazy(run, lambda: Tup(tuple(hold(run, v) for v in iterate_static(run, value))), value)
    assert isinstance(made, Tup)
    watch.site = value.site
    return allocate(run, ListObj(list(made.items), node, None, True, watch=watch))


@above.kept_iterator.answer
def kept_iterator(run: Run, value: Value, taken_apart: bool = False) -> Value:
    """What goes into a container or an attribute: an iterator gives its items once there, too.

    pairs = [iter(u)] * 2; zip(*pairs)        both are one iterator

    Args:
        taken_apart: into a tuple that may be unpacked at once.
    """
    if isinstance(value, Tup) and any(isinstance(v, Lazy | Tup) or is_generator(run, v) for v in value.items):
        return Tup(tuple(kept_iterator(run, v, taken_apart) for v in value.items), value.cls)
    if run.text_only:
        return value
    if isinstance(value, Lazy) and value.function not in (range, slice, *DICT_VIEWS):
        endless = value.function in ENDLESS or (value.function is iter and not is_static_iterable(run, value))
        if is_static_iterable(run, value) and not endless:
            return giving_once(run, value)
    else:
        endless = is_generator(run, value)
    if endless and not taken_apart:
        ask_in_steps(run, made_at(run, value))
        reason = "an iterator kept in a container, an object or a parameter: where it stands is not followed"
        run.refuse(reason, "keep the list and an index into it")
    return value


def items_listed(run: Run, leaf: Leaf) -> Leaf:
    """The items of what is a generator in the run, too, in a list: the backward sweep asks for them once more."""
    watch = run.iterators.watched.get(atom_key(leaf.expr))
    if watch is None or not watch.generator:
        return leaf
    return define(run, "items", gast.Call(load("list"), [clone(leaf.expr)], []), leaf.kind)


def is_generator(run: Run, value: Value) -> bool:
    """Is it a generator, whose items are in a list at run time here?"""
    return isinstance(value, Leaf) and bool(run.iterators.watched) and atom_key(value.expr) in run.iterators.watched


@above.what_is_left.answer
def what_is_left(run: Run, value: Value) -> Value:
    """The items that an iterator has left, as a list: what lowers a call may look at them more than once.

    m = map(f, u); sorted(m)        a look for the keys and one for the items; a second look at m finds none
    """
    obj = run.state.heap[value.id] if isinstance(value, Ref) else None
    if is_asked(run, value):
        return by_its_iter(run, value)
    return materialized(run, value) if isinstance(obj, ListObj) and obj.once else value


def slice_bounds(run: Run, values: list[Value]) -> list[Value]:
    if len(values) == 1:
        return [constant(run, 0), values[0], constant(run, 1)]
    return [*values, constant(run, 1)][:3]


def first_of(run: Run, value: Lazy, count: int) -> list[Value]:
    """The first items of an endless iterator."""
    if value.function is itertools.repeat:
        return [hold(run, value.args[0])] * count
    if value.function is itertools.cycle:
        items = [hold(run, v) for v in iterate_static(run, value.args[0])]
        return [items[k % len(items)] for k in range(count)]
    start = value.args[0] if value.args else constant(run, 0)
    step = value.args[1] if len(value.args) > 1 else constant(run, 1)
    out = [start]
    while len(out) < count:
        out.append(hold(run, binary(run, gast.Add, out[-1], step)))
    return out[:count]


def _joined_lists(left: Any, right: Any) -> Any:
    out = []
    for item in left:
        out.append(item)
    for item in right:
        out.append(item)
    return out


def _truthy(items: Any) -> Any:
    return [item for item in items if item]


def _chosen(function: Any, items: Any) -> Any:
    return [item for item in items if function(item)]


def as_tuple(run: Run, made: Value) -> Value:
    """A run-time list just made as the tuple that it stands for."""
    if isinstance(made, Leaf) and isinstance(made.kind, ListOf):
        made = hold(run, made)
        run.lists.tuples.add(atom_key(made.expr))  # type: ignore[attr-defined]
        run.lists.tuples_made = True
    return made


def sources(run: Run, value: Value, depth: int = 1) -> tuple[list[Value], list[Value]]:
    """What an iterator reads: values that its functions may look into, and containers of which it gives the items
    as they are."""
    if not isinstance(value, Lazy):
        return [], held_in(run, value, depth)
    parts = [*value.args, *(v for _, v in value.kwargs)]
    if value.function in WITH_FUNCTION or any(isinstance(v, FUNCTIONS) for v in parts):
        return parts, []
    depth += bool(value.function == itertools.chain.from_iterable)
    found = [sources(run, part, depth) for part in parts]
    return [v for deep, _ in found for v in deep], [v for _, flat in found for v in flat]


def held_in(run: Run, value: Value, depth: int) -> list[Value]:
    """A container, and those in it down to a depth."""
    if isinstance(value, Lazy):
        deep, flat = sources(run, value, depth)
        return [*deep, *flat]
    parts: tuple[Value, ...] = value.items if isinstance(value, Tup) else ()
    if isinstance(value, Ref):
        obj = run.state.heap[value.id]
        if isinstance(obj, Instance):  # its methods look into it
            return list(within(run, value, set()))
        parts = tuple(contents(obj).values())
    inner = [v for part in parts for v in held_in(run, part, depth - 1)] if depth > 1 else []
    return [value, *inner] if isinstance(value, (Ref, Leaf)) else inner


def lengths_asked(run: Run, function: Any, args: Iterable[Value]) -> list[tuple[Value, Any]]:
    """What an iterator looks at whose length it asks for when it is made, with that length.

    reversed(u)                     counts from where u ends now, whatever is appended later
    map(f, table.values())          raises a RuntimeError where the dict, or a deque, is of another length later
    """
    views = (v.args[0] if isinstance(v, Lazy) and v.function in DICT_VIEWS else v for v in args)
    found = ((v, length_now(run, v)) for v in views if function is reversed or must_keep_its_length(run, v))
    return [(v, length) for v, length in found if length is not None]


def must_keep_its_length(run: Run, value: Value) -> bool:
    """Is it a container that must not get another length while somebody iterates over it?"""
    obj = run.state.heap[value.id] if isinstance(value, Ref) else None
    return isinstance(obj, DictObj) or is_a_deque(run, value) is not False


def length_now(run: Run, value: Value) -> Any:
    """What differs where a container has got another length, or other keys; None where that is not known."""
    if isinstance(value, Leaf) and isinstance(value.kind, ListOf):
        return run.memory.lists_resized.count(atom_key(value.expr))
    obj = run.state.heap[value.id] if isinstance(value, Ref) else None
    if isinstance(obj, DictObj):
        return list(obj.items)
    if not isinstance(obj, ListObj) or obj.once:
        return None
    return len(obj.items), run.memory.lists_resized.count(turned(value))  # type: ignore[arg-type]
