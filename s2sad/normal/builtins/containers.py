"""Builtins that make containers and iterators, go through them, and copy them."""

from __future__ import annotations

import collections
import copy
import dataclasses
import itertools
import operator
from typing import Any

import gast
import numpy as np

from s2sad.core import atom_key, clone, load
from s2sad.frontend import ways
from s2sad.kinds.dims import ONE
from s2sad.kinds.kind import Array, Kind, ListOf, Number, Object, Unknown
from s2sad.kinds.known import int_value, shape_of
from s2sad.normal.calls import library
from s2sad.normal.calls.dispatch import call_value, keep_check
from s2sad.normal.calls.methods import container_method, dynamic_method
from s2sad.normal.calls.objects import by_its_iter, inline_library, instantiate
from s2sad.normal.calls.passive import call_node, handed_on, opaque, without_variation
from s2sad.normal.changing import kept_in_run
from s2sad.normal.decisions import Restart
from s2sad.normal.expressions.attributes import attribute, limit_of
from s2sad.normal.expressions.displays import new_dict
from s2sad.normal.expressions.subscripts import textual
from s2sad.normal.handlers import BUILTINS, ENDLESS, builtin
from s2sad.normal.iteration.asking import (
    allocate,
    as_tuple,
    first_of,
    giving_once,
    is_asked,
    is_generator,
    is_static_iterable,
    lazy,
    made_at,
    materialized,
)
from s2sad.normal.iteration.at_once import iterate_static
from s2sad.normal.iteration.iterators import next_or
from s2sad.normal.iteration.watching import without_changes
from s2sad.normal.memory import subscript_value
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
from s2sad.normal.values.classes import class_of, instance_of, static
from s2sad.normal.values.entering import from_python
from s2sad.normal.values.facts import global_name, is_varied, kind_of
from s2sad.normal.values.lists_of_the_run import new_list
from s2sad.normal.values.making import all_attributes, ask_in_steps, expression
from s2sad.normal.values.questions import put_item
from s2sad.normal.values.structure import (
    filled_table,
    limited_list,
    list_of,
    numpy_call,
    of_class,
    own_copy,
    scored,
    sorted_by_swaps,
    stays,
)
from s2sad.normal.words import NO
from s2sad.normal.writing import define, fresh

#: lists of so many objects or tuples are sorted by comparisons that are written out
LARGEST_NETWORK = 6


def _view_of(name: str) -> Any:
    """What a class that is a Mapping has its keys, values and items from: __iter__ and __getitem__."""

    def handler(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
        (owner,) = args
        if not isinstance(owner, Known) or instance_of(run, owner) is None:
            return NotImplemented
        keys = [static(k) for k in iterate_static(run, owner)]
        if NO in keys:
            return NotImplemented
        read = {key: Known(None) if name == "keys" else subscript_value(run, owner, Known(key)) for key in keys}
        made = new_dict(run, {key: hold(run, value) for key, value in read.items()}, run.site(run.node))
        return container_method(run, made, name, [], {})

    return handler


@builtin(tuple)
def _tuple(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if not args:
        return Tup(())
    if stays(run, args[0]):
        return opaque(run, function, args, kwargs)
    if isinstance(args[0], Leaf) and isinstance(args[0].kind, ListOf):
        return as_tuple(run, inline_library(run, library.list_of, args[:1], {}))  # the list may change, it does not
    value = materialized(run, args[0])
    if isinstance(value, Leaf):
        return as_tuple(run, value)
    return Tup(tuple(hold(run, v) for v in iterate_static(run, value)))


@builtin(dict)
def _dict(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value], factory: Value | None = None) -> Any:
    items: dict[Any, Value] = {}
    if args:
        obj = run.state.heap[args[0].id] if isinstance(args[0], Ref) else None
        if isinstance(obj, DictObj):
            items.update(obj.items)
        elif stays(run, args[0]) and factory is not None:
            call = gast.Call(load(global_name(run, "defaultdict", collections.defaultdict)), [], [])
            call.args = [expression(run, factory), *(expression(run, v) for v in args)]
            call.keywords = [gast.keyword(name, expression(run, value)) for name, value in kwargs.items()]
            return define(run, "table", call, Object(collections.defaultdict))
        elif stays(run, args[0]):
            return opaque(run, function, args, kwargs)
        elif isinstance(args[0], Known) and isinstance(args[0].value, dict):
            for key, value in args[0].value.items():
                items[key] = from_python(run, value, expression(run, Known(value)))
        elif run.passive and not is_static_iterable(run, args[0]):
            return opaque(run, function, args, kwargs)
        elif instance_of(run, args[0]) is not None or not is_static_iterable(run, args[0]):
            if kwargs:
                run.refuse("dict(d, key=value) of a dict whose keys only the run knows", ways.ONE_BY_ONE)
            return filled_table(run, args[0], items)
        else:
            for pair in iterate_static(run, args[0]):
                key_value, value = iterate_static(run, pair)
                key = static(key_value)
                if key is NO:
                    if kwargs:
                        reason = "dict(pairs, key=value) with keys that only the run knows"
                        run.refuse(reason, ways.ONE_BY_ONE)
                    return filled_table(run, args[0], items)
                items[key] = hold(run, value)
    items.update({k: hold(run, v) for k, v in kwargs.items()})
    return new_dict(run, items, run.site(run.node), factory)


@builtin(set, frozenset)
def _set(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if args and is_static_iterable(run, args[0]) and not run.decisions.sets_change:
        items = [static(v) for v in iterate_static(run, args[0])]
        if NO not in items:
            return Known(frozenset(items), call_node(run, expression(run, function), args, kwargs))
    return NotImplemented


@builtin(zip, enumerate, reversed, map, filter)
def _lazy(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if function.value is enumerate and "iterable" in kwargs:
        args, kwargs = [kwargs["iterable"]], {k: v for k, v in kwargs.items() if k != "iterable"}
    if function.value is not reversed:  # zip, map, ... ask for iterators where they are made
        first = 1 if function.is_one_of(map, filter) else 0
        args = [*args[:first], *(v if is_asked(run, v) else by_its_iter(run, v) for v in args[first:])]
    args = [hold(run, v) for v in args]
    if any(shape_of(kind_of(run, v)) == () or is_none(v) for v in args):  # a number is not run through
        keep_check(run, function, args)
    return lazy(run, function.value, args, kwargs)


@builtin(range)
def _range(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    args = [without_variation(run, v) if is_varied(run, v) else v for v in args]
    kinds = [kind_of(run, v) for v in args]
    step = int_value(kinds[2]) if len(args) == 3 else ONE
    if not all(map(_is_int, kinds)) or step is None or not step.known or not step.const:
        keep_check(run, function, args)
    return Lazy(range, tuple(args))


def _is_int(kind: Kind) -> bool:
    return int_value(kind) is not None or (isinstance(kind, Number) and issubclass(kind.type, (int, np.integer)))


@builtin(iter)
def _iter(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if is_asked(run, args[0]) or (
        isinstance(args[0], Lazy) and args[0].function not in (range, dict.values, dict.items)
    ):
        return args[0]
    made = _lazy(run, function, args, kwargs)
    kept = len(args) == 1 and not run.text_only and not run.iterators.asked_by_loop
    return giving_once(run, made) if kept and is_static_iterable(run, made) else made


@builtin(next)
def _next(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    value = args[0]
    obj = run.state.heap[value.id] if isinstance(value, Ref) else None
    if is_asked(run, value) and len(args) == 2:
        return inline_library(run, next_or, args, {})
    if isinstance(obj, Instance):
        run.refuse("next() of an object of yours with a default", ways.LOOP)
    if isinstance(value, Ref) and isinstance(obj, ListObj) and obj.once:
        fresh(run, obj)
        if obj.items and value.id not in run.state.run:
            return obj.items.pop(0)
        if obj.spent or obj.items:
            ask_in_steps(run, made_at(run, value))
            reason = "next() of an iterator that was run through: how much of it is left is not followed"
            run.refuse(reason, ways.LIST)
        if len(args) > 1:
            return args[1]
        run.refuse("next() of an iterator that is at its end raises StopIteration", ways.CORRECT)
    if isinstance(value, Lazy) or (isinstance(value, Leaf) and isinstance(value.kind, ListOf)):
        if is_static_iterable(run, value):
            items = without_changes(run, lambda: iterate_static(run, value), value)
            if items or len(args) > 1:
                return items[0] if items else args[1]
        if isinstance(value, Lazy) and value.function in ENDLESS:
            return first_of(run, value, 1)[0]
    if is_varied(run, value):
        ask_in_steps(run, made_at(run, value))
        run.refuse("next() of active values", "index the list or array")
    if any(is_varied(run, v) for v in args[1:]):
        run.refuse("next() with an active value for where there is nothing", ways.ASK)
    if (
        isinstance(value, Leaf)
        and is_generator(run, value)
        and not run.iterators.watched[atom_key(value.expr)].generator
    ):
        args = [Leaf(gast.Call(load("iter"), [expression(run, value)], []), Unknown(), nested=True), *args[1:]]
    call = call_node(run, expression(run, function), args, kwargs)
    handed_on(run, call, Unknown())
    return define(run, "item", call, Unknown())


def sort_key(value: Value) -> Any:
    """What a value is sorted by, where that is known at derivation."""
    if isinstance(value, Tup):
        items = [sort_key(v) for v in value.items]
        return NO if NO in items else tuple(items)
    return static(value)


@builtin(sorted)
def _sorted(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    reverse = kwargs.get("reverse", Known(False))
    key = kwargs.get("key", Known(None))
    if is_static_iterable(run, args[0]):
        items = [hold(run, v) for v in iterate_static(run, args[0])]
        attempt = Attempt(run)
        keys = items if is_none(key) else [scored(run, key, v) for v in items]
        known = [sort_key(v) for v in keys]
        if NO in known and all(isinstance(v, Tup) and v.items for v in keys):
            first = [sort_key(v.items[0]) for v in keys if isinstance(v, Tup)]  # where these differ, they decide
            apart = NO not in first and all(a != b for a, b in itertools.combinations(first, 2))
            known = first if apart else known
        if NO not in known and static(reverse) in (True, False):
            attempt.keep()
            try:
                order = sorted(range(len(items)), key=known.__getitem__, reverse=static(reverse))
            except TypeError as error:
                run.refuse(f"this raises TypeError: {error}", ways.CORRECT, raises=error)
            return new_list(run, [items[k] for k in order])
        structured = any(isinstance(v, (Ref, Tup)) for v in items)
        if structured and static(reverse) in (True, False) and len(items) <= LARGEST_NETWORK:
            attempt.keep()
            return sorted_by_swaps(run, items, keys, bool(static(reverse)))
        attempt.undo()  # (another way, which computes the keys itself)
    if stays(run, args[0]) and textual(run, key):
        return opaque(run, function, args, kwargs)
    if not is_varied(run, args[0]) and textual(run, args[0]) and textual(run, key):
        return opaque(run, function, args, kwargs)
    return inline_library(run, library.sorted_list, [materialized(run, args[0]), key, reverse], {})


@builtin(collections.deque, collections.OrderedDict)
def _collection(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """collections.deque and OrderedDict as lists and dicts."""
    if function.value is collections.deque:
        limit = args[1] if len(args) > 1 else kwargs.get("maxlen", Known(None))
        given = args[:1] or [v for k, v in kwargs.items() if k == "iterable"]
        without = is_none(limit)
        return of_class(
            run, list_of(run, Known(list), given, {}) if without else limited_list(run, given, limit), collections.deque
        )
    if function.value is collections.OrderedDict:
        return of_class(run, _dict(run, Known(dict), args, kwargs), collections.OrderedDict)
    return NotImplemented


@builtin(collections.defaultdict)
def _defaultdict(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if not run.decisions.has_defaultdicts:
        run.decisions.has_defaultdicts = True
        if not run.calls.trials:
            raise Restart
    return _dict(run, Known(dict), args[1:], kwargs, args[0]) if args else NotImplemented


@builtin(copy.copy, copy.deepcopy)
def _copy(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """copy.copy and copy.deepcopy"""
    deep = function.value is copy.deepcopy
    made: dict[Any, Value] = {}  # what stands in several places is copied once, and stands there again

    def copied(value: Value, top: bool) -> Value:
        if not (deep and isinstance(value, (Ref, Leaf))):
            return copy_of(value, top)
        key = value.id if isinstance(value, Ref) else atom_key(value.expr) if not value.nested else id(value)
        if key not in made:
            made[key] = copy_of(value, top)
        return made[key]

    def copy_of(value: Value, top: bool) -> Value:
        if isinstance(value, Ref) and (top or deep):
            method = own_copy(run, value, deep)
            if method is not None:
                return hold(run, call_value(run, method, [], {}))
            obj = run.state.heap[value.id].copy()
            obj.expr = None
            new: Ref = allocate(run, obj)
            if deep:
                made[value.id] = new  # it may hold itself
            for key, part in list(contents(obj).items()):
                made_of = copied(part, False)
                put_item(run.state.heap[new.id], key, made_of)  # (paths may have joined)
            return new
        if isinstance(value, Tup) and deep:
            return Tup(tuple(copied(v, False) for v in value.items), value.cls)
        if isinstance(value, Leaf) and isinstance(value.kind, Array) and (top or deep):
            return hold(run, numpy_call(run, np.copy, [value]))
        if isinstance(value, Leaf) and isinstance(value.kind, ListOf) and (top or deep):
            if deep and not isinstance(value.kind.item, Number):
                run.refuse("a deep copy of a run-time list of arrays", ways.ONE_BY_ONE)
            if limit_of(run, value) is not None:
                return dynamic_method(run, value, "copy", [], {})
            return inline_library(run, library.list_of, [value], {})
        if isinstance(value, Leaf) and isinstance(value.kind, Unknown) and value.varied:
            return hold(run, numpy_call(run, np.positive, [value]))  # number or array
        if isinstance(value, Leaf) and isinstance(value.kind, (Unknown, Object)) and not value.varied:
            copies = gast.Call(expression(run, function), [expression(run, value)], [])
            return define(run, "copied", copies, value.kind)
        return value

    return copied(args[0], True)


@builtin(vars)
def _vars(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    return attribute(run, args[0], "__dict__") if args else NotImplemented


def _copied_fields(run: Run, args: list[Value], kwargs: dict[str, Value]) -> dict[Any, Value] | None:
    """The fields of a dataclass object by name, their arrays and lists copied; None where that is not known."""
    obj = run.state.heap[args[0].id] if isinstance(args[0], Ref) else None
    if kwargs or len(args) > 1 or not isinstance(obj, Instance) or not dataclasses.is_dataclass(obj.cls):
        return None
    all_attributes(run, obj)
    parts = {f.name: obj.attributes[f.name] for f in dataclasses.fields(obj.cls) if f.name in obj.attributes}
    if not all(isinstance(v, (Leaf, Known)) for v in parts.values()):
        return None
    deep = Known(copy.deepcopy)
    return {k: _copy(run, deep, [v], {}) if isinstance(v, Leaf) else v for k, v in parts.items()}


@builtin(dataclasses.asdict)
def _asdict(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """dataclasses.asdict(obj), of one whose fields are numbers and arrays."""
    fields = _copied_fields(run, args, kwargs)
    return NotImplemented if fields is None else allocate(run, DictObj(fields, run.site(run.node)))


@builtin(dataclasses.astuple)
def _astuple(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """dataclasses.astuple(obj), of one whose fields are numbers and arrays."""
    fields = _copied_fields(run, args, kwargs)
    return NotImplemented if fields is None else Tup(tuple(fields.values()))


@builtin(dict.fromkeys)
def _fromkeys(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """dict.fromkeys(keys, value)"""
    keys = [static(v) for v in iterate_static(run, args[0])] if is_static_iterable(run, args[0]) else [NO]
    site = run.site(run.node)
    if kwargs or not 1 <= len(args) <= 2 or any(is_varied(run, v) for v in args[:1]):
        return NotImplemented
    if NO in keys and (site in run.decisions.unfit or any(is_varied(run, v) for v in args)):
        run.refuse("a dict of active values gets keys that are not known at derivation", ways.KEYS, concrete=True)
    if site in run.decisions.tables and any(is_varied(run, v) for v in args):
        run.decisions.tables.discard(site)
        run.decisions.unfit.add(site)
        raise Restart
    if NO in keys or site in run.decisions.tables:
        given = [expression(run, args[0]), *(kept_in_run(run, v) for v in args[1:])]
        leaf = define(run, "table", gast.Call(expression(run, function), given, []), Unknown())
        run.lists.table_of[atom_key(leaf.expr)] = site
        return leaf
    value = hold(run, args[1]) if len(args) > 1 else Known(None)
    return new_dict(run, dict.fromkeys(keys, value), site)


@builtin(operator.ior)
def _updated(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """operator.ior(a, b): of dicts it writes into the first."""
    if any(isinstance(v, Ref) for v in args):
        run.refuse("operator.ior of a dict", ways.NEW_VALUE)
    return NotImplemented


@builtin(dataclasses.fields)
def _fields(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """dataclasses.fields(object): their names and metadata are known."""
    cls: Any = static(args[0]) if isinstance(static(args[0]), type) else class_of(run, args[0])
    if not isinstance(cls, type) or not dataclasses.is_dataclass(cls):
        return NotImplemented
    base = gast.Call(expression(run, function), [load(global_name(run, cls.__name__, cls))], [])
    return Tup(
        tuple(
            Known(f, gast.Subscript(clone(base), gast.Constant(k, None), gast.Load()))
            for k, f in enumerate(dataclasses.fields(cls))
        )
    )


@builtin(dataclasses.replace)
def _replace(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """dataclasses.replace(obj, ...)"""
    obj = instance_of(run, args[0])
    cls = None if obj is None else obj.cls
    if cls is None or not dataclasses.is_dataclass(cls):
        return NotImplemented
    kept = [f.name for f in dataclasses.fields(cls) if f.init and f.name not in kwargs]
    kept = [n for n in kept if not isinstance(obj, Instance) or n in obj.attributes]
    return instantiate(run, Known(cls), [], {**{n: attribute(run, args[0], n) for n in kept}, **kwargs})


BUILTINS.update({getattr(collections.abc.Mapping, name): _view_of(name) for name in ("keys", "values", "items")})
