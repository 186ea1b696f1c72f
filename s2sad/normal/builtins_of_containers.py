"""Builtins that make containers and iterators, go through them, and copy them."""

from __future__ import annotations

import collections
import collections.abc
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
from s2sad.normal import iteration as _iteration  # noqa: F401  (fills the table of itertools)
from s2sad.normal import library
from s2sad.normal.base import Attempt, Restart, put_item
from s2sad.normal.expressions import _NO, static
from s2sad.normal.handlers import BUILTINS, ENDLESS, ITERTOOLS, POOLS, builtin
from s2sad.normal.iterators import next_or
from s2sad.normal.structure import list_of, number_in
from s2sad.normal.values import (
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

#: lists of so many objects or tuples are sorted by comparisons that are written out
LARGEST_NETWORK = 6


def _view_of(name: str) -> Any:
    """What a class that is a Mapping has its keys, values and items from: __iter__ and __getitem__."""

    def handler(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
        (owner,) = args
        if not isinstance(owner, Known) or self.instance_of(owner) is None:
            return NotImplemented
        keys = [static(k) for k in self.iterate_static(owner)]
        if _NO in keys:
            return NotImplemented
        read = (lambda key: Known(None)) if name == "keys" else (lambda key: self.subscript_value(owner, Known(key)))
        made = self.new_dict({key: self.held(read(key)) for key in keys}, self.site(self.node))
        return self.container_method(made, name, [], {})

    return handler


BUILTINS.update({getattr(collections.abc.Mapping, name): _view_of(name) for name in ("keys", "values", "items")})


@builtin(tuple)
def _tuple(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if not args:
        return Tup(())
    if self.stays(args[0]):
        return self.opaque(function, args, kwargs)
    if isinstance(args[0], Leaf) and isinstance(args[0].kind, ListOf):
        return self.as_tuple(self.inline_library(library.list_of, args[:1], {}))  # the list may change, it does not
    value = self.materialized(args[0])
    if isinstance(value, Leaf):
        return self.as_tuple(value)
    return Tup(tuple(self.held(v) for v in self.iterate_static(value)))


@builtin(dict)
def _dict(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value], factory: Value | None = None) -> Any:
    items: dict[Any, Value] = {}
    if args:
        obj = self.state.heap[args[0].id] if isinstance(args[0], Ref) else None
        if isinstance(obj, DictObj):
            items.update(obj.items)
        elif self.stays(args[0]) and factory is not None:
            call = gast.Call(load(self.global_name("defaultdict", collections.defaultdict)), [], [])
            call.args = [self.expression(factory), *map(self.expression, args)]
            call.keywords = [gast.keyword(name, self.expression(value)) for name, value in kwargs.items()]
            return self.define("table", call, Object(collections.defaultdict))
        elif self.stays(args[0]):
            return self.opaque(function, args, kwargs)
        elif isinstance(args[0], Known) and isinstance(args[0].value, dict):
            for key, value in args[0].value.items():
                items[key] = self.from_python(value, self.expression(Known(value)))
        elif self.passive and not self.is_static_iterable(args[0]):
            return self.opaque(function, args, kwargs)
        elif self.instance_of(args[0]) is not None or not self.is_static_iterable(args[0]):
            if kwargs:
                self.refuse("dict(d, key=value) of a dict whose keys only the run knows", ways.ONE_BY_ONE)
            return self.filled_table(args[0], items)
        else:
            for pair in self.iterate_static(args[0]):
                key_value, value = self.iterate_static(pair)
                key = static(key_value)
                if key is _NO:
                    if kwargs:
                        reason = "dict(pairs, key=value) with keys that only the run knows"
                        self.refuse(reason, ways.ONE_BY_ONE)
                    return self.filled_table(args[0], items)
                items[key] = self.held(value)
    items.update({k: self.held(v) for k, v in kwargs.items()})
    return self.new_dict(items, self.site(self.node), factory)


@builtin(set, frozenset)
def _set(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if args and self.is_static_iterable(args[0]) and not self.decisions.sets_change:
        items = [static(v) for v in self.iterate_static(args[0])]
        if _NO not in items:
            return Known(frozenset(items), self.call_node(self.expression(function), args, kwargs))
    return NotImplemented


@builtin(zip, enumerate, reversed, map, filter)
def _lazy(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if function.value is enumerate and "iterable" in kwargs:
        args, kwargs = [kwargs["iterable"]], {k: v for k, v in kwargs.items() if k != "iterable"}
    if function.value is not reversed:  # zip, map, ... ask for iterators where they are made
        first = 1 if function.is_one_of(map, filter) else 0
        args = [*args[:first], *(v if self.is_asked(v) else self.by_its_iter(v) for v in args[first:])]
    args = [self.held(v) for v in args]
    if any(shape_of(self.kind(v)) == () or is_none(v) for v in args):  # a number is not run through
        self.keep_check(function, args)
    return self.lazy(function.value, args, kwargs)


@builtin(range)
def _range(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    args = [self._without_variation(v) if self.is_varied(v) else v for v in args]
    kinds = [self.kind(v) for v in args]
    step = int_value(kinds[2]) if len(args) == 3 else ONE
    if not all(map(_is_int, kinds)) or step is None or not step.known or not step.const:
        self.keep_check(function, args)
    return Lazy(range, tuple(args))


def _is_int(kind: Kind) -> bool:
    return int_value(kind) is not None or (isinstance(kind, Number) and issubclass(kind.type, (int, np.integer)))


@builtin(iter)
def _iter(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if self.is_asked(args[0]) or (
        isinstance(args[0], Lazy) and args[0].function not in (range, dict.values, dict.items)
    ):
        return args[0]
    made = _lazy(self, function, args, kwargs)
    kept = len(args) == 1 and not self.text_only and not self.asked_by_loop
    return self.giving_once(made) if kept and self.is_static_iterable(made) else made


@builtin(next)
def _next(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    value = args[0]
    obj = self.state.heap[value.id] if isinstance(value, Ref) else None
    if self.is_asked(value) and len(args) == 2:
        return self.inline_library(next_or, args, {})
    if isinstance(obj, Instance):
        self.refuse("next() of an object of yours with a default", ways.LOOP)
    if isinstance(value, Ref) and isinstance(obj, ListObj) and obj.once:
        self.fresh(obj)
        if obj.items and value.id not in self.state.run:
            return obj.items.pop(0)
        if obj.spent or obj.items:
            self.ask_in_steps(self.made_at(value))
            reason = "next() of an iterator that was run through: how much of it is left is not followed"
            self.refuse(reason, ways.LIST)
        if len(args) > 1:
            return args[1]
        self.refuse("next() of an iterator that is at its end raises StopIteration", ways.CORRECT)
    if isinstance(value, Lazy) or (isinstance(value, Leaf) and isinstance(value.kind, ListOf)):
        if self.is_static_iterable(value):
            items = self.without_changes(lambda: self.iterate_static(value), value)
            if items or len(args) > 1:
                return items[0] if items else args[1]
        if isinstance(value, Lazy) and value.function in ENDLESS:
            return self.first_of(value, 1)[0]
    if self.is_varied(value):
        self.ask_in_steps(self.made_at(value))
        self.refuse("next() of active values", "index the list or array")
    if any(map(self.is_varied, args[1:])):
        self.refuse("next() with an active value for where there is nothing", ways.ASK)
    if isinstance(value, Leaf) and self.is_generator(value) and not self.watched[atom_key(value.expr)].generator:
        args = [Leaf(gast.Call(load("iter"), [self.expression(value)], []), Unknown(), nested=True), *args[1:]]
    call = self.call_node(self.expression(function), args, kwargs)
    self.handed_on(call, Unknown())
    return self.define("item", call, Unknown())


def sort_key(value: Value) -> Any:
    """What a value is sorted by, where that is known at derivation."""
    if isinstance(value, Tup):
        items = [sort_key(v) for v in value.items]
        return _NO if _NO in items else tuple(items)
    return static(value)


@builtin(sorted)
def _sorted(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    reverse = kwargs.get("reverse", Known(False))
    key = kwargs.get("key", Known(None))
    if self.is_static_iterable(args[0]):
        items = [self.held(v) for v in self.iterate_static(args[0])]
        attempt = Attempt(self)
        keys = items if is_none(key) else [self.scored(key, v) for v in items]
        known = [sort_key(v) for v in keys]
        if _NO in known and all(isinstance(v, Tup) and v.items for v in keys):
            first = [sort_key(v.items[0]) for v in keys]  # where these differ, they decide
            apart = _NO not in first and all(a != b for a, b in itertools.combinations(first, 2))
            known = first if apart else known
        if _NO not in known and static(reverse) in (True, False):
            attempt.keep()
            try:
                order = sorted(range(len(items)), key=known.__getitem__, reverse=static(reverse))
            except TypeError as error:
                self.refuse(f"this raises TypeError: {error}", ways.CORRECT, raises=error)
            return self.new_list([items[k] for k in order])
        structured = any(isinstance(v, (Ref, Tup)) for v in items)
        if structured and static(reverse) in (True, False) and len(items) <= LARGEST_NETWORK:
            attempt.keep()
            return self.sorted_by_swaps(items, keys, bool(static(reverse)))
        attempt.undo()  # (another way, which computes the keys itself)
    if self.stays(args[0]) and self.textual(key):
        return self.opaque(function, args, kwargs)
    if not self.is_varied(args[0]) and self.textual(args[0]) and self.textual(key):
        return self.opaque(function, args, kwargs)
    return self.inline_library(library.sorted_list, [self.materialized(args[0]), key, reverse], {})


@builtin(collections.deque, collections.OrderedDict)
def _collection(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """collections.deque and OrderedDict as lists and dicts."""
    if function.value is collections.deque:
        limit = args[1] if len(args) > 1 else kwargs.get("maxlen", Known(None))
        given = args[:1] or [v for k, v in kwargs.items() if k == "iterable"]
        without = is_none(limit)
        return self.of_class(
            list_of(self, Known(list), given, {}) if without else self.limited_list(given, limit), collections.deque
        )
    if function.value is collections.OrderedDict:
        return self.of_class(_dict(self, Known(dict), args, kwargs), collections.OrderedDict)
    return NotImplemented


@builtin(collections.defaultdict)
def _defaultdict(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if not self.decisions.has_defaultdicts:
        self.decisions.has_defaultdicts = True
        if not self.trials:
            raise Restart
    return _dict(self, Known(dict), args[1:], kwargs, args[0]) if args else NotImplemented


@builtin(copy.copy, copy.deepcopy)
def _copy(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
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
            method = self.own_copy(value, deep)
            if method is not None:
                return self.held(self.call_value(method, [], {}))  # type: ignore[no-any-return]
            obj = self.state.heap[value.id].copy()
            obj.expr = None
            new: Ref = self.allocate(obj)
            if deep:
                made[value.id] = new  # it may hold itself
            for key, part in list(contents(obj).items()):
                made_of = copied(part, False)
                put_item(self.state.heap[new.id], key, made_of)  # (paths may have joined)
            return new
        if isinstance(value, Tup) and deep:
            return Tup(tuple(copied(v, False) for v in value.items), value.cls)
        if isinstance(value, Leaf) and isinstance(value.kind, Array) and (top or deep):
            return self.held(self.numpy_call(np.copy, [value]))  # type: ignore[no-any-return]
        if isinstance(value, Leaf) and isinstance(value.kind, ListOf) and (top or deep):
            if deep and not isinstance(value.kind.item, Number):
                self.refuse("a deep copy of a run-time list of arrays", ways.ONE_BY_ONE)
            if self.limit_of(value) is not None:
                return self.dynamic_method(value, "copy", [], {})  # type: ignore[no-any-return]
            return self.inline_library(library.list_of, [value], {})  # type: ignore[no-any-return]
        if isinstance(value, Leaf) and isinstance(value.kind, Unknown) and value.varied:
            return self.held(self.numpy_call(np.positive, [value]))  # type: ignore[no-any-return]  # number or array
        if isinstance(value, Leaf) and isinstance(value.kind, (Unknown, Object)) and not value.varied:
            copies = gast.Call(self.expression(function), [self.expression(value)], [])
            return self.define("copied", copies, value.kind)  # type: ignore[no-any-return]
        return value

    return copied(args[0], True)


@builtin(vars)
def _vars(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    return self.attribute(args[0], "__dict__") if args else NotImplemented


def _copied_fields(self: Any, args: list[Value], kwargs: dict[str, Value]) -> dict[Any, Value] | None:
    """The fields of a dataclass object by name, their arrays and lists copied; None where that is not known."""
    obj = self.state.heap[args[0].id] if isinstance(args[0], Ref) else None
    if kwargs or len(args) > 1 or not isinstance(obj, Instance) or not dataclasses.is_dataclass(obj.cls):
        return None
    self.all_attributes(obj)
    parts = {f.name: obj.attributes[f.name] for f in dataclasses.fields(obj.cls) if f.name in obj.attributes}
    if not all(isinstance(v, (Leaf, Known)) for v in parts.values()):
        return None
    deep = Known(copy.deepcopy)
    return {k: _copy(self, deep, [v], {}) if isinstance(v, Leaf) else v for k, v in parts.items()}


@builtin(dataclasses.asdict)
def _asdict(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """dataclasses.asdict(obj), of one whose fields are numbers and arrays."""
    fields = _copied_fields(self, args, kwargs)
    return NotImplemented if fields is None else self.allocate(DictObj(fields, self.site(self.node)))


@builtin(dataclasses.astuple)
def _astuple(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """dataclasses.astuple(obj), of one whose fields are numbers and arrays."""
    fields = _copied_fields(self, args, kwargs)
    return NotImplemented if fields is None else Tup(tuple(fields.values()))


@builtin(dict.fromkeys)
def _fromkeys(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """dict.fromkeys(keys, value)"""
    keys = [static(v) for v in self.iterate_static(args[0])] if self.is_static_iterable(args[0]) else [_NO]
    site = self.site(self.node)
    if kwargs or not 1 <= len(args) <= 2 or any(self.is_varied(v) for v in args[:1]):
        return NotImplemented
    if _NO in keys and (site in self.decisions.unfit or any(self.is_varied(v) for v in args)):
        self.refuse("a dict of active values gets keys that are not known at derivation", ways.KEYS, concrete=True)
    if site in self.decisions.tables and any(map(self.is_varied, args)):
        self.decisions.tables.discard(site)
        self.decisions.unfit.add(site)
        raise Restart
    if _NO in keys or site in self.decisions.tables:
        given = [self.expression(args[0]), *(self.kept_in_run(v) for v in args[1:])]
        leaf = self.define("table", gast.Call(self.expression(function), given, []), Unknown())
        self.table_of[atom_key(leaf.expr)] = site
        return leaf
    value = self.held(args[1]) if len(args) > 1 else Known(None)
    return self.new_dict(dict.fromkeys(keys, value), site)


@builtin(operator.ior)
def _updated(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """operator.ior(a, b): of dicts it writes into the first."""
    if any(isinstance(v, Ref) for v in args):
        self.refuse("operator.ior of a dict", ways.NEW_VALUE)
    return NotImplemented


@builtin(dataclasses.fields)
def _fields(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """dataclasses.fields(object): their names and metadata are known."""
    cls: Any = static(args[0]) if isinstance(static(args[0]), type) else self.class_of(args[0])
    if not isinstance(cls, type) or not dataclasses.is_dataclass(cls):
        return NotImplemented
    base = gast.Call(self.expression(function), [load(self.global_name(cls.__name__, cls))], [])
    return Tup(
        tuple(
            Known(f, gast.Subscript(clone(base), gast.Constant(k, None), gast.Load()))
            for k, f in enumerate(dataclasses.fields(cls))
        )
    )


@builtin(dataclasses.replace)
def _replace(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """dataclasses.replace(obj, ...)"""
    obj = self.instance_of(args[0])
    cls = None if obj is None else obj.cls
    if cls is None or not dataclasses.is_dataclass(cls):
        return NotImplemented
    kept = [f.name for f in dataclasses.fields(cls) if f.init and f.name not in kwargs]
    kept = [n for n in kept if not isinstance(obj, Instance) or n in obj.attributes]
    return self.instantiate(Known(cls), [], {**{n: self.attribute(args[0], n) for n in kept}, **kwargs})


@builtin(itertools.pairwise, *ITERTOOLS, *ENDLESS)
def _itertool(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    names = {itertools.count: ("start", "step"), itertools.repeat: ("object", "times")}.get(function.value)
    if kwargs and names:  # what these are given by name has a place, too
        first = {"start": number_in(0)} if function.value is itertools.count else {}
        given = {**first, **dict(zip(names, args, strict=False)), **kwargs}
        args, kwargs = [given[n] for n in names if n in given], {}
    held = [self.held(v) for v in args]
    named = {k: self.held(v) for k, v in kwargs.items()}
    if function.value in POOLS:
        return self.pooled(function.value, held, named)
    return self.lazy(function.value, held, named)
