"""Builtins and library functions that look at the structure of their arguments."""

from __future__ import annotations

import collections
import collections.abc
import copy
import dataclasses
import functools
import inspect
import itertools
import math
import operator
import random
import types
import typing
from typing import Any

import gast
import numpy as np

from s2sad.core import atom_key, clone, load, quote
from s2sad.frontend import ways
from s2sad.frontend.names import is_installed
from s2sad.kinds.dims import ONE, at_least, is_fixed
from s2sad.kinds.kind import Array, Dim, Kind, ListOf, Nothing, Number, Object, Static, Unknown
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.known import int_value, shape_of
from s2sad.knowledge import registry
from s2sad.normal import caches, library
from s2sad.normal.base import CHANGES_ITS_OWN, Attempt, Restart, is_list_of_the_run, put_item, tuple_of
from s2sad.normal.calls import BUILTINS, JOINS, PRIMITIVE_MUTATORS
from s2sad.normal.expressions import _NO, BINARY, LARGEST_CHOICE, static
from s2sad.normal.iteration import ENDLESS, ITERTOOLS, POOLS, Iteration, only_looks
from s2sad.normal.iterators import next_or
from s2sad.normal.tables import Group, Table
from s2sad.normal.values import (
    Choice,
    Closure,
    DictObj,
    Instance,
    Keys,
    Known,
    Lazy,
    Leaf,
    ListObj,
    Maybe,
    Method,
    Partial,
    Ref,
    Tup,
    Value,
    contents,
    is_known_a,
    is_none,
)
from s2sad.runtime.decide import Look, decide
from s2sad.runtime.identity import class_entry
from s2sad.runtime.marks import stop_gradient
from s2sad.runtime.structures import Whole

#: those that treat arrays of different ranks differently
_BY_RANK = {np.vstack, np.hstack, np.dstack, np.column_stack}
#: what makes an array of it
_MAKERS = {np.array, np.asarray, np.asanyarray, np.fromiter}


#: lists of so many objects or tuples are sorted by comparisons that are written out
LARGEST_NETWORK = 6


class Structure(Iteration):
    """Questions that builtins ask of abstract values, and operations that they are made of."""

    def limited_list(self, args: list[Value], limit: Value) -> Value:
        """A deque with a `maxlen`: a list that drops items at the other end."""
        made: Value = _list(self, Known(list), [], {})
        most = static(limit)
        obj = self.state.heap[made.id] if isinstance(made, Ref) else None
        if isinstance(obj, ListObj):
            if not isinstance(most, int):
                self.make_dynamic(obj)
            obj.limit = most
        elif isinstance(made, Leaf):
            self.limits[atom_key(made.expr)] = self.held(limit, "limit")
        if args:
            self.call_method(Method(Known(("container" if obj is not None else "method", "extend")), made), args, {})
        return made

    def own_copy(self, value: Ref, deep: bool) -> Value | None:
        """The method of a user's class that says what a copy of its objects is."""
        obj = self.state.heap[value.id]
        if not isinstance(obj, Instance):
            return None
        own = {name for name in _OF_COPIES if _is_users(getattr(obj.cls, name, None))}
        if not deep and "__copy__" in own:
            return self.find_method(value, "__copy__")
        if issubclass(obj.cls, Table):
            return self.find_method(value, "__deepcopy__" if deep else "__copy__")
        own -= {"__copy__" if deep else "__deepcopy__"}
        if own:
            name = min(own)
            self.refuse(f"the class {obj.cls.__name__} says by {name} what a copy is", "make the copy by hand")
        return None

    def of_class(self, made: Value, cls: type) -> Value:
        """A new list or dict as one of a class that is built like it."""
        obj = self.state.heap[made.id] if isinstance(made, Ref) else None
        if isinstance(obj, (ListObj, DictObj)):
            obj.cls = cls
        elif isinstance(made, Leaf) and isinstance(made.kind, ListOf):
            self.deques_made |= self.sites(atom_key(made.expr))
        return made

    def filled_table(self, pairs: Value, items: dict[Any, Value]) -> Value:
        """dict(pairs), of keys that only the run knows; or a copy of such a dict."""
        site = self.site(self.node)
        if site not in self.decisions.unfit:
            self.decisions.unfit.add(site)
            raise Restart
        made = self.new_dict(items, site)
        update = self.find_method(made, "update")
        if update is None:
            self.refuse("a dict of dicts whose keys only the run knows", ways.LOOP)
        self.call_value(update, [pairs], {})
        return made

    def as_tuple(self, made: Value) -> Value:
        """A run-time list just made as the tuple that it stands for."""
        if isinstance(made, Leaf) and isinstance(made.kind, ListOf):
            made = self.held(made)
            self.tuples.add(atom_key(made.expr))  # type: ignore[attr-defined]
            self.tuples_made = True
        return made

    def sorted_by_swaps(self, items: list[Value], keys: list[Value], backwards: bool) -> Value:
        """Objects or tuples in order: neighbours that stand the wrong way round change places."""
        pairs: list[Value] = [Tup((self.held(k), v)) for k, v in zip(keys, items, strict=True)]
        for end in range(1, len(pairs)):
            for k in range(end, 0, -1):
                before, after = (k, k - 1) if backwards else (k - 1, k)
                chosen = self.inline_library(library.in_order, [pairs[before], pairs[after]], {})
                pairs[before], pairs[after] = self.iterate_static(chosen)
        return self.new_list([self.iterate_static(pair)[1] for pair in pairs])

    def extreme_by_choice(self, items: list[Value], key: Value | None, choice: Any) -> Value:
        """The largest or least of objects or tuples, which are compared one after the other."""
        given = key is not None and not is_none(key)
        best: Value | None = None
        for item in items:
            score = self.held(self.scored(key, item)) if given and key is not None else item
            pair = Tup((score, item))
            best = pair if best is None else self.inline_library(choice, [best, pair], {})
        assert best is not None
        return self.iterate_static(best)[1]

    def class_of(self, value: Value) -> type | None:
        if isinstance(value, Tup):
            return type({}.keys()) if value.cls is Keys else value.cls
        if isinstance(value, Ref):
            obj = self.state.heap[value.id]
            if isinstance(obj, Instance) and issubclass(obj.cls, Table):
                return static(obj.attributes["like"])  # type: ignore[no-any-return]
            return list if obj.cls is Group else obj.cls
        if isinstance(value, Known):
            return value.cls
        if isinstance(value, Partial):
            return functools.partial
        if isinstance(value, Closure):
            return types.FunctionType
        if isinstance(value, Method):
            return types.MethodType
        if isinstance(value, Leaf):
            if isinstance(value.kind, Number):
                return value.kind.type
            if isinstance(value.kind, Array):
                return np.ndarray
            if isinstance(value.kind, ListOf):
                if not self.deques_made and atom_key(value.expr) in self.tuples:
                    return tuple
                self.refuse_unknown_class()
                return list
            if isinstance(value.kind, TupleKind):
                return value.kind.cls
        if self.perhaps_list(value):
            self.refuse_unknown_class()
        return None

    def has_attribute(self, value: Value, name: str) -> bool:
        if isinstance(value, Ref):
            obj = self.state.heap[value.id]
            self.fresh(obj)
            if isinstance(obj, Instance):
                if name in obj.partial:
                    self.may_lack(name)
                found = class_entry(obj.cls, name, _NO)
                if isinstance(found, property) and name not in obj.attributes:
                    self.refuse(f"hasattr() of the property {name!r}", "ask for what it reads")
                slot = isinstance(found, types.MemberDescriptorType)  # of an attribute that is not set
                return name in obj.attributes or (hasattr(obj.cls, name) and not slot)
            return hasattr(obj.cls, name)
        if isinstance(value, Known):
            self.check_computed(value, name)
            return value.has(name)
        cls = self.class_of(value)
        return cls is not None and hasattr(cls, name)

    def stays(self, value: Value) -> bool:
        """Is it a run-time value with nothing active in it, which a builtin may be called with as it is?"""
        if self.changes_on_the_way(value):
            return False
        if self.passive and self.textual(value):
            return not self.is_static_iterable(value)
        if self.is_varied(value) or self.is_static_iterable(value) or isinstance(value, Ref):
            return False
        return self.textual(value) and not (isinstance(value, Lazy) and value.function in (map, filter))

    def changes_on_the_way(self, value: Value) -> bool:
        """May it change a list, an array or an object to run through a map or a filter?"""
        if not isinstance(value, Lazy):
            return False
        if value.function in (map, filter) and self.may_have_effect(value.args[0]):
            return True
        return any(map(self.changes_on_the_way, value.args))

    def may_have_effect(self, function: Value) -> bool:
        """May a call of a function change what others see?"""
        if isinstance(function, Partial):
            return self.may_have_effect(function.function)
        if isinstance(function, Choice):
            return self.may_have_effect(function.first) or self.may_have_effect(function.second)
        if isinstance(function, Method):
            named = static(function.function)
            return named[-1] in CHANGES_ITS_OWN if isinstance(named, tuple) else True
        if is_known_a(function, types.FunctionType):
            changes = self.decisions.changes
            return changes.may_change(function.value) or bool(changes.changed_outside(function.value))
        return False

    def scored(self, key: Value, item: Value) -> Value:
        self.passive += 1
        try:
            return self.call_value(key, [item], {})
        finally:
            self.passive -= 1

    def sum_array(self, leaf: Leaf) -> Value:
        """sum(array): over the first axis."""
        assert isinstance(leaf.kind, Array)
        several = leaf.kind.shape is None or len(leaf.kind.shape) > 1
        if several and leaf.kind.shape and not at_least(leaf.kind.shape[0], 1):
            length = leaf.kind.shape[0]
            if length.known:
                return _number(0)  # of nothing: not an array of zeros
            if is_fixed(length) and not any(mark in str(length) for mark in "$#"):
                reason = "sum() of rows is a row, or 0 where there are none, and how many there are is not known"
                self.refuse(reason, "use np.sum with axis=0", concrete=True)
        return self.numpy_call(np.sum, [leaf, _number(0)] if several else [leaf])

    def numpy_call(self, target: Any, args: list[Value]) -> Value:
        """An operation by a NumPy function that the user did not write."""
        name = target.__name__
        return self.operation(
            target,
            lambda exprs, _: gast.Call(gast.Attribute(load(self.global_name("np", np)), name, gast.Load()), exprs, []),
            args,
        )

    def dtype_of_items(self, *kinds: Kind) -> list[Value]:
        """The dtype of an array of what has these kinds, where it has to be said: of complex numbers. (NumPy tells it
        from the items: among those of single precision may be floats of Python's, which have double.)"""
        told = [k.dtype if isinstance(k, Array) else k.type for k in kinds if isinstance(k, (Array, Number))]
        dtype = np.result_type(*told) if told else np.dtype(float)
        return [Known(complex, load("complex"))] if dtype == np.dtype(complex) else []

    def as_array(self, value: Value, dtype: Value | None = None) -> Value:
        """A run-time list as an array; `dtype`: what it is made of where the items do not tell."""
        if isinstance(value, Leaf) and isinstance(value.kind, ListOf):
            item = value.kind.item
            rows = item
            while isinstance(rows, ListOf):
                rows = rows.item
            if _plain_item(rows):
                return self.numpy_call(np.array, [value, *([dtype] if dtype else self.dtype_of_items(rows))])
            if isinstance(item, (TupleKind, ListKind)) and all(isinstance(k, Number) for k in item.items):
                return self.inline_library(
                    library.table_of, [value, _number(len(item.items)), *self.dtype_of_items(*item.items)], {}
                )
            self.refuse(
                "an array is made of a list whose items are of mixed form",
                ways.ONE_FORM,
                concrete=True,
            )
        return value


#: methods that say what a copy of an object is
_OF_COPIES = (
    *("__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__"),
    *("__getstate__", "__setstate__", "__getnewargs__", "__getnewargs_ex__"),
)


def _is_users(method: Any) -> bool:
    """Is a method written in Python, and not by `dataclass`?"""
    return isinstance(method, types.FunctionType) and method.__module__ not in ("dataclasses", "enum")


def _plain_item(kind: Kind) -> bool:
    """Are the items of a list numbers or arrays, or may they be?"""
    return isinstance(kind, (Number, Array)) or type(kind) is Unknown


def _is_float(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _float(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if not args and not kwargs:
        return self._constant(0.0)
    if len(args) != 1:
        return NotImplemented
    (value,) = args
    known = static(value)
    if isinstance(known, str) and not _is_float(known):
        error = ValueError(f"could not convert string to float: {known!r}")
        self.refuse(f"float() of {known!r} raises a ValueError", ways.CORRECT, raises=error)
    if isinstance(known, (str, int, float)) and not isinstance(value, Leaf):
        return Leaf(self.call_node(load("float"), args, {}), Number(float), const=float(known), nested=True)
    if isinstance(value, Leaf) and isinstance(value.kind, Number) and value.kind.type is float:
        return value
    leaf = self.leaf(value)
    shape = leaf.kind.shape if isinstance(leaf.kind, Array) else None
    if self.attempts and shape and any(at_least(d, 2) for d in shape):
        unfit = TypeError("only 0-dimensional arrays can be converted to Python scalars")
        self.refuse("float() of an array raises a TypeError", ways.ELEMENT, raises=unfit)
    if self.attempts and shape:
        self.refuse("whether float() of an array raises depends on its length", ways.ELEMENT, concrete=True)
    if isinstance(leaf.kind, Unknown):
        self.check_not_read_back(leaf.expr)
    if leaf.varied and not self.passive and isinstance(leaf.kind, (Unknown,)):
        return leaf
    if leaf.varied and not self.passive:
        return self.operation(float, lambda exprs, _: gast.Call(load("float"), exprs, []), [leaf])
    self.lost = self.lost or leaf.varied
    return Leaf(self.call_node(load("float"), args, {}), Number(float), nested=True)


def _len(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    value = tuple_of(*args)
    count: int | None = None
    if isinstance(value, Tup):
        count = len(value.items)
    elif isinstance(value, Ref):
        obj = self.state.heap[value.id]
        self.fresh(obj)
        if isinstance(obj, (ListObj, DictObj)):
            count = len(obj.items)
        else:
            method = self.find_method(value, "__len__")
            if method is not None:
                return self.call_value(method, [], {})
    elif isinstance(value, Known):
        self.goes_by(value)
        try:
            count = value.ask(Look.LENGTH)
        except TypeError as reason:
            self.refuse(str(reason), ways.ASK, raises=reason)
    if count is not None:
        expr = (
            self.call_node(load("len"), args, {})
            if isinstance(value, Ref) and self.state.heap[value.id].expr is not None
            else gast.Constant(count, None)
        )
        return Leaf(expr, Number(int, Dim.of(count)), const=count, nested=not isinstance(expr, gast.Constant))
    kind = self.kind(value)
    if self.attempts and isinstance(kind, Number):
        error = TypeError(f"object of type {kind.type.__name__!r} has no len()")
        self.refuse("len() of a number raises a TypeError", ways.CORRECT, raises=error)
    node = self.call_node(load("len"), args, {})
    return Leaf(node, self.infer(node), nested=True)


def _isinstance(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    value, classes = args
    wanted = static(classes)
    if wanted is _NO:
        return NotImplemented
    check_classes(self, wanted, goes_by_attributes=isinstance(value, Known))
    if isinstance(value, Maybe):
        there = static(_isinstance(self, function, [value.value, classes], kwargs))
        if there is _NO:
            return self.nested(self.call_node(load("isinstance"), [self.shown(value), classes], {}))
        absent = isinstance(None, wanted)
        if there == absent:
            return Known(absent)
        flag = self.expression(value.none)
        return Leaf(flag if absent else gast.UnaryOp(gast.Not(), flag), Number(bool), nested=True)
    if isinstance(value, Leaf) and self.perhaps_list(value):
        either = {issubclass(c, wanted) for c in (list, tuple, collections.deque)}
        if isinstance(value.kind, ListOf) and len(either) == 1:
            return Known(either.pop())
        if isinstance(value.kind, Unknown) and len(either) > 1:
            self.refuse_unknown_class()
    if _stands_for_an_int(value):
        either = {issubclass(c, wanted) for c in (int, float)}
        return Known(either.pop()) if len(either) == 1 else _asks_for_an_int(self)
    if isinstance(value, Leaf) and isinstance(value.kind, Number) and value.kind.types:  # of one type or another
        either = {issubclass(c, wanted) for c in value.kind.types}
        return Known(either.pop()) if len(either) == 1 else self.nested(self.call_node(load("isinstance"), args, {}))
    cls = self.class_of(value)
    if cls is None:
        if isinstance(value, Leaf) and isinstance(value.kind, Array):  # of any rank, or a NumPy scalar
            either = {issubclass(c, wanted) for c in (np.ndarray, value.kind.dtype.type)}
            if len(either) == 1:
                return Known(either.pop())
        never = all(issubclass(c, _NEVER_ACTIVE) for c in _classes_of(wanted))
        if never and isinstance(value, Leaf) and self.is_varied(value):
            return Known(False)
        return self.nested(self.call_node(load("isinstance"), args, {}))
    return Known(is_subclass(cls, wanted))


#: what an active value of which only the run knows the form is none of: it is a number, an array or a list
_NEVER_ACTIVE = (collections.abc.MappingView, dict, str, bytes)


def check_classes(self: Any, wanted: Any, goes_by_attributes: bool = False) -> None:
    """Refuse classes that say themselves, in Python, which objects and classes are theirs; a Protocol does so of what
    may get other attributes."""
    for cls in _classes_of(wanted):
        methods = [inspect.getattr_static(type(cls), name, None) for name in ("__instancecheck__", "__subclasscheck__")]
        hook = inspect.getattr_static(cls, "__subclasshook__", None)
        methods.append(getattr(hook, "__func__", None))
        by_attributes = goes_by_attributes and getattr(cls, "_is_protocol", False)
        if by_attributes or any(isinstance(m, types.FunctionType) and not is_installed(m) for m in methods):
            self.refuse(
                f"the class {cls.__name__} says itself which objects are its instances: that is not run here",
                "ask for a plain class, or for an attribute of the object",
            )


def is_subclass(cls: type, wanted: Any) -> bool:
    """`issubclass`, where classes may learn of others later (`ABC.register`): then what they say now is a condition."""
    for other in _classes_of(wanted):
        if other not in cls.__mro__ and type(other) is not type:
            decide(cls, Look.BUILT_ON, other)
    return issubclass(cls, wanted)


def _classes_of(wanted: Any) -> list[type]:
    """The classes in what `isinstance` is asked for: a class, a tuple of such, a union."""
    parts = wanted if isinstance(wanted, tuple) else typing.get_args(wanted)
    return [wanted] if isinstance(wanted, type) else [cls for part in parts for cls in _classes_of(part)]


def _stands_for_an_int(value: Value) -> bool:
    """Is it an int with respect to which is differentiated, which counts as a float?"""
    return isinstance(value, Leaf) and isinstance(value.kind, Number) and Whole in value.kind.types


def _asks_for_an_int(self: Any) -> Any:
    return self.refuse(
        "the function asks whether this is an int, and it was passed as one; with respect to it, it counts as a float",
        "pass a float; or leave it out of wrt, as an argument of its own",
    )


def _type(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if len(args) == 1:
        if _stands_for_an_int(args[0]):
            return _asks_for_an_int(self)
        cls = self.class_of(args[0])
        several = isinstance(args[0], Leaf) and isinstance(args[0].kind, Number) and bool(args[0].kind.types)
        if cls is not None and not several:
            return Known(cls)
    return NotImplemented


def _callable(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    (value,) = args
    if isinstance(value, Known):
        return Known(value.can_be_called)
    if isinstance(value, (Closure, Method, Partial)):
        return Known(True)
    if isinstance(value, Ref):
        return Known(self.find_method(value, "__call__") is not None)
    return Known(False)


def _getattr(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    name = static(args[1])
    if not isinstance(name, str):
        return NotImplemented
    if len(args) > 2 and not self.has_attribute(args[0], name):
        return args[2]
    return self.attribute(args[0], name)


def _hasattr(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    name = static(args[1])
    if isinstance(args[0], Leaf) and isinstance(args[0].kind, Unknown):
        if self.perhaps_list(args[0]):
            self.refuse_unknown_class()
        return NotImplemented
    return Known(self.has_attribute(args[0], str(name)))


def _id(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    value = args[0]
    made = isinstance(value, Ref) and self.state.heap[value.id].expr is None
    if made or isinstance(value, (Tup, Closure, Method)) or is_list_of_the_run(value):
        self.refuse("id() of an object that is made or changed here", ways.TRUE)
    self.facts.identities = True
    return NotImplemented


def _zero() -> Leaf:
    return Leaf(gast.Constant(0, None), Number(int, Dim.of(0)), const=0)


def _partial(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    return Partial(args[0], tuple(self.held(v) for v in args[1:]), tuple((k, self.held(v)) for k, v in kwargs.items()))


def _print(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    self.write(gast.Expr(self.call_node(self.expression(function), args, kwargs)))
    return Known(None)


def _refused(reason: str, way: str) -> Any:
    def handler(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
        self.refuse(reason, way)

    return handler


def _complexity(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.iscomplexobj and np.isrealobj, which are known with the kind."""
    kind = self.kind(args[0])
    if not isinstance(kind, (Number, Array)) or (kind.types if isinstance(kind, Number) else kind.mixed):
        return NotImplemented
    dtype = kind.dtype if isinstance(kind, Array) else np.dtype(kind.type)
    return Known((dtype.kind == "c") is (function.value is np.iscomplexobj))


def _vectorize(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.vectorize(f) as a function."""
    kwargs.pop("cache", None)
    given = kwargs.pop("otypes", Known(None))
    listed = isinstance(given, Ref) and isinstance(self.state.heap[given.id], ListObj)
    otypes = [static(v) for v in self.iterate_static(given)] if listed else static(given)
    if otypes not in (None, "d", [float], (float,), ["d"], [np.float64]):
        self.refuse("np.vectorize with these otypes", "leave them out: floats follow")
    signature = static(kwargs.pop("signature", Known(None)))
    if kwargs or len(args) != 1:
        return NotImplemented
    return self.vectorized(args[0], signature, given=otypes is not None)


def _one_float(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """What np.vectorize stores: complex numbers would be cut to their real parts."""
    value = self.held(args[0])
    if isinstance(value, (Tup, Ref)):
        self.refuse("np.vectorize of a function with several results", "make a function of each, or write a loop")
    kind = value.kind if isinstance(value, Leaf) else None
    if isinstance(kind, Number) and issubclass(kind.type, (complex, np.complexfloating)):
        self.refuse("np.vectorize of a function with complex values", "use np.array of a list of them")
    return value


def _in_double(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """Are all of these known to be floats of double precision?"""
    kinds = [self.kind(value) for value in args]
    return Known(all(float in (getattr(k, "type", None), getattr(k, "dtype", None)) for k in kinds))


def _pythons(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """A number of NumPy's as Python's: the same where nothing is computed otherwise with it."""
    kind = self.kind(args[0])
    same = isinstance(kind, Number) and issubclass(kind.type, (int, float, np.integer, np.bool_))
    return args[0] if same else self.call_method_named(self.held(args[0]), "item")


def _copyto(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.copyto(dst, src, casting, where)"""
    given = dict(zip(("dst", "src", "casting", "where"), args, strict=False)) | kwargs
    casting = static(given.pop("casting", Known("same_kind")))
    if given.keys() - {"dst", "src", "where"} or casting != "same_kind":
        self.refuse("np.copyto with this casting", ways.STORE)
    where = given.get("where", Known(True))
    if static(where) is True:
        self.store_into(given["dst"], gast.Constant(Ellipsis, None), given["src"])
        return Known(None)
    if not any(map(self.is_varied, given.values())):
        return _writes(self, function, args, kwargs)
    return _masked_store(self, function, [given["dst"], where, given["src"]], {})


def _add_at(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if any(self.is_varied(v) for v in args):
        self.stores_in_passing()
    target, index, value = args
    base = self.written(target)
    where = self.anchor(self.leaf(index)).expr if not isinstance(index, Tup) else self.operand(index)
    atoms = [base.expr, where, self.operand(self.as_stored(base, where, value))]
    call = gast.Call(self.expression(function), [clone(a) for a in atoms], [])
    statement = self.write(gast.Expr(call))
    statement.scatter = (atoms[0], atoms[1], atoms[2])
    self.mark_varied(base, self.is_varied(value) and self.holds_floats(base))
    return Known(None)


BUILTINS[np.copyto] = _copyto
BUILTINS[np.add.at] = _add_at


# --- containers


def _list(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if not args:
        site = self.site(self.node)
        if site in self.decisions.dynamic:
            return self.dynamic_list(site, [])
        return self.allocate(ListObj([], site))
    value = args[0]
    if self.stays(value):
        return self.opaque(function, args, kwargs)
    if isinstance(value, Leaf) and isinstance(value.kind, ListOf) and not self.is_static_iterable(value):
        return self.inline_library(library.list_of, [value], {})
    return self.materialized(value)


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


def _dict(
    self: Any, function: Known, args: list[Value], kwargs: dict[str, Value], factory: Value | None = None
) -> Any:
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


def _set(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if args and self.is_static_iterable(args[0]) and not self.decisions.sets_change:
        items = [static(v) for v in self.iterate_static(args[0])]
        if _NO not in items:
            return Known(frozenset(items), self.call_node(self.expression(function), args, kwargs))
    return NotImplemented


# --- iterables


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


def _range(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    args = [self._without_variation(v) if self.is_varied(v) else v for v in args]
    kinds = [self.kind(v) for v in args]
    step = int_value(kinds[2]) if len(args) == 3 else ONE
    if not all(map(_is_int, kinds)) or step is None or not step.known or not step.const:
        self.keep_check(function, args)
    return Lazy(range, tuple(args))


def _is_int(kind: Kind) -> bool:
    return int_value(kind) is not None or (isinstance(kind, Number) and issubclass(kind.type, (int, np.integer)))


def _iter(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if self.is_asked(args[0]) or (
        isinstance(args[0], Lazy) and args[0].function not in (range, dict.values, dict.items)
    ):
        return args[0]
    made = _lazy(self, function, args, kwargs)
    kept = len(args) == 1 and not self.text_only and not self.asked_by_loop
    return self.giving_once(made) if kept and self.is_static_iterable(made) else made


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
        self.refuse(
            "next() with an active value for where there is nothing", ways.ASK
        )
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


# --- sums, products, extremes


def _sum(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    value = args[0]
    start = args[1] if len(args) > 1 else kwargs.get("start", _number(1 if function.value is math.prod else 0))
    if not self.is_varied(start) and self.stays(value):
        return self.opaque(function, args, kwargs)
    op = gast.Mult if function.value is math.prod else gast.Add
    if isinstance(value, Leaf) and isinstance(value.kind, Array) and value.varied and op is gast.Add and len(args) == 1:
        return self.sum_array(value)
    if self.is_static_iterable(value) or (isinstance(value, Ref)):
        items = self.iterate_static(value)
        given = len(args) > 1 or kwargs
        total = start if given or not items else None
        if self.passive and self.textual(value):
            return self.opaque(function, args, kwargs)
        first = items[0] if total is None and op is gast.Add else None
        if isinstance(first, (Tup, Ref, Known)) and self.class_of(first) in _NO_ADDENDS:
            error = TypeError("unsupported operand type(s) for +: 'int' and a container")
            self.refuse("sum begins with 0, and this is no number", ways.CORRECT, raises=error)
        if total is None and self.has_methods(items[0]) and self.find_method(items[0], "__radd__"):
            total = start  # which may make another object of the first one
        if total is None and _may_be_bool(self.kind(items[0])):
            total = start  # of which it makes ints: True + True is True for arrays
        if total is None and len(items) == 1 and isinstance(self.kind(items[0]), Array):
            return self.numpy_call(np.copy, items)  # 0 + array
        for item in items:
            total = item if total is None else self.binary(op, total, item)
        return total
    grown = value.kind if isinstance(value, Leaf) and value.varied and len(args) == 1 and not kwargs else None
    if isinstance(grown, ListOf) and isinstance(grown.item, Number) and op is gast.Add:
        callee = self.expression(function)
        return self.operation(function.value, lambda exprs, _: gast.Call(clone(callee), exprs, []), [value])
    fold = library.product_of if function.value is math.prod else library.sum_of
    return self.inline_library(fold, [value, start], {})


#: what cannot be added to 0
_NO_ADDENDS = (str, bytes, list, tuple, dict, set, frozenset)


def _may_be_bool(kind: Kind) -> bool:
    if isinstance(kind, Static):
        return isinstance(kind.value, (bool, np.bool_))
    of_bools = isinstance(kind, Number) and issubclass(kind.type, (bool, np.bool_))
    return of_bools or (isinstance(kind, Array) and kind.dtype.kind == "b") or type(kind) is Unknown


def _number(value: int) -> Leaf:
    return Leaf(gast.Constant(value, None), Number(int, Dim.of(value)), const=value)


def _extreme(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """max and min: as a choice between their arguments."""
    varied = any(self.is_varied(v) for v in args) or ("default" in kwargs and self.is_varied(kwargs["default"]))
    if (not varied or self.passive) and all(map(self.textual, [*args, *kwargs.values()])):
        return self.opaque(function, args, kwargs)
    key = kwargs.get("key")
    given = key is not None and not is_none(key)
    if given and len(args) == 1 and isinstance(args[0], Lazy) and not only_looks(args[0]):
        # (the key of an item is asked for before the next item is computed)
        return self.one_by_one_of(
            args[0], lambda: self.materialized(args[0]), lambda items: _extreme(self, function, [items], kwargs)
        )
    largest = function.value is max
    if len(args) > 1 or self.is_static_iterable(args[0]) or isinstance(args[0], Ref):
        items = [self.held(v) for v in (args if len(args) > 1 else self.iterate_static(args[0]))]
        if not items and "default" in kwargs:
            return kwargs["default"]
        by_name = key is not None and len(items) <= LARGEST_CHOICE and all(isinstance(static(v), str) for v in items)
        if by_name or any(isinstance(v, (Ref, Tup)) for v in items):
            choice = library.larger if largest else library.smaller
            sources = [] if len(args) > 1 else args
            return self.run_over(sources, lambda: self.extreme_by_choice(items, key, choice))
        args = items if len(args) > 1 else args
    if given:
        items = self.materialized(args[0]) if len(args) == 1 else self.new_list([self.held(v) for v in args])
        if "default" in kwargs and isinstance(items, Ref) and not self.iterate_static(items):
            return kwargs["default"]
        if "default" in kwargs and isinstance(items, Leaf):
            self.refuse(f"{function.value.__name__} with a key and a default", ways.ASK)
        by_key = library.largest_by if largest else library.smallest_by
        sources = [] if len(args) > 1 else args
        return self.run_over(sources, lambda: self.inline_library(by_key, [items, key], {}))
    if len(args) == 1:
        value = args[0]
        if not self.is_static_iterable(value) and not isinstance(value, Ref):
            if not (isinstance(value, Leaf) and isinstance(value.kind, (Array, Unknown))):
                value = self.materialized(value)
            if isinstance(value, Leaf) and isinstance(value.kind, ListOf):
                if not isinstance(value.kind.item, (Number, Nothing)):
                    if "default" in kwargs:
                        self.refuse(f"{function.value.__name__} of tuples and a default", ways.ASK)
                    return self.inline_library(library.largest_of if largest else library.smallest_of, [value], {})
                value = self.as_array(value)
            if "default" in kwargs:
                test = gast.Compare(
                    gast.Call(load("len"), [self.expression(value)], []), [gast.Gt()], [gast.Constant(0, None)]
                )
                return self.choose(test, lambda: self.numpy_call(function.value, [value]), lambda: kwargs["default"])
            return self.numpy_call(np.max if largest else np.min, [value])
        args = self.iterate_static(value)
        if not args:
            if "default" in kwargs:
                return kwargs["default"]
            self.refuse(f"{function.value.__name__}() of nothing raises ValueError", ways.ASK)
    if len(args) == 1:
        return args[0]
    if registry.lookup(function.value) is not None and all(isinstance(self.kind(v), (Number, Unknown)) for v in args):
        return self.operation(
            function.value, lambda exprs, _: gast.Call(self.expression(function), exprs, []), list(args)
        )
    result = args[0]
    op = gast.GtE if largest else gast.LtE
    for other in args[1:]:
        a, b = self.held(result), self.held(other)
        test = gast.Compare(self.expression(a), [op()], [self.expression(b)])
        result = self.choose(test, lambda v=a: v, lambda v=b: v)
    return result


def _bool(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """bool() of what is known to be true or false."""
    known = self.truth(args[0]) if len(args) == 1 and not kwargs and not self.instance_of(args[0]) else None
    return NotImplemented if known is None else Known(known)


def _any_all(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if not self.is_static_iterable(args[0]):
        if self.textual(args[0]):
            self.lost = self.lost or self.is_varied(args[0])
            return Leaf(self.call_node(self.expression(function), args, kwargs), Number(bool), nested=True)
        args = [self.without_changes(lambda: self.materialized(args[0]))]
    stop = function.value is any
    open_ends = []
    for item in self.without_changes(lambda: self.iterate_static(args[0])):
        truth = self.truth(item)
        if truth is None:
            open_ends.append(item)
        elif truth is stop:
            return Known(stop)
    if not open_ends:
        return Known(not stop)
    display = gast.Tuple([self.expression(v) for v in open_ends], gast.Load())
    return Leaf(gast.Call(self.expression(function), [display], []), Number(bool), nested=True)


def _reduce(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if self.is_static_iterable(args[1]) or isinstance(args[1], Ref):

        def reduced(items: list[Value]) -> Value:
            items = [*args[2:], *items]
            if not items:
                self.refuse("reduce() of nothing without a first value raises TypeError", "give it a first value")
            total = items[0]
            for item in items[1:]:
                total = self.held(self.call_value(args[0], [total, item], {}))
            return total

        found: Value = self.one_by_one_of(args[1], lambda: self.iterate_static(args[1]), reduced)
        return found
    if len(args) > 2:
        return self.inline_library(library.reduce_of, args, {})
    if isinstance(args[1], Leaf):
        return self.inline_library(library.reduce_rest, args, {})

    def rest(source: Value) -> Value:
        result: Value = self.inline_library(library.reduce_rest, [args[0], source], {})
        return result

    return self.one_by_one_of(args[1], lambda: self.materialized(args[1]), rest)


def _from_list(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """NumPy functions of a run-time list with active values."""
    if not args or self.passive:
        return NotImplemented
    value = args[0]
    if isinstance(value, Lazy) and function.value is np.fromiter:
        value = self.materialized(value)
    if isinstance(value, Lazy) or not self.is_varied(value):
        return NotImplemented
    if function.value in _BY_RANK and isinstance(value, (Ref, Tup)) and self.is_static_iterable(value):
        parts = [self.list_as_array(v, True) for v in self.iterate_static(value)]
        if any(isinstance(v, (Ref, Tup)) for v in self.iterate_static(value)):
            return self.primitive(function, [self.allocate(ListObj(parts, None)), *args[1:]], kwargs)
    if isinstance(value, Ref):
        obj = self.state.heap[value.id]
        nested = isinstance(obj, ListObj) and any(isinstance(v, Leaf) and isinstance(v.kind, ListOf) for v in obj.items)
        if not nested:
            return NotImplemented
        items: list[Value] = [self.as_array(v) for v in obj.items]
        return self.primitive(function, [self.allocate(ListObj(items, obj.site)), *args[1:]], kwargs)
    if not (isinstance(value, Leaf) and isinstance(value.kind, ListOf)):
        return NotImplemented
    item = value.kind.item
    target = function.value
    axis = static(args[1]) if len(args) > 1 else static(kwargs["axis"]) if "axis" in kwargs else 0
    if target in JOINS and _plain_item(item):
        return self.primitive(function, args, kwargs)
    if target in JOINS and (len(args) > 2 or kwargs.keys() - {"axis"} or target is np.dstack):
        self.refuse(f"np.{target.__name__} of a run-time list of such items", ways.ONE_BY_ONE)
    made = self.as_array(value)
    if target in JOINS:  # of tuples and short lists of numbers, which are the rows
        if target is np.vstack or (target is np.stack and axis == 0):
            return made
        if target is np.column_stack or (target is np.stack and axis in (1, -1)):
            return self.numpy_call(np.transpose, [made])
        if target is np.hstack or axis in (0, None, -1):
            return self.numpy_call(np.ravel, [made])
        self.refuse(f"np.{target.__name__} of a run-time list along this axis", ways.ONE_BY_ONE)
    if target in _MAKERS:
        given = args[1] if len(args) > 1 else kwargs.get("dtype", Known(None))
        dtype, own = static(given), made.kind.dtype if isinstance(made.kind, Array) else None
        if len(args) <= 2 and kwargs.keys() <= {"dtype", "copy", "order", "subok"}:
            if dtype is None or (dtype in (float, np.float64) and own == np.dtype(float)):
                return made
            if dtype in (float, np.float64) and own is None and _plain_item(item):
                return self.as_array(value, given)
        if target is np.fromiter and dtype not in (float, np.float64):
            self.refuse("np.fromiter of active values with a dtype other than float", "use np.array")
    if target is np.append:
        self.refuse("np.append of a run-time list", "use np.stack")
    return self.call_value(function, [made, *args[1:]], kwargs)


def _block(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.block of a run-time list of active arrays: one row, joined along the last axis."""
    value = args[0] if len(args) == 1 and not kwargs and not self.passive else None
    kind: Any = value.kind.item if isinstance(value, Leaf) and isinstance(value.kind, ListOf) else None
    if not isinstance(kind, (Array, Unknown)) or not self.is_varied(value):
        return NotImplemented
    if not isinstance(kind, Array) or kind.shape is None:
        self.refuse(
            "np.block of a run-time list of arrays whose rank is not known",
            "use np.concatenate, np.hstack or np.column_stack",
        )
    if not kind.shape:
        return self.as_array(value)
    return self.call_value(Known(np.concatenate), [value, _number(-1)], {})


def _super(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    return self.super_object(args)


def _setattr(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    name = static(args[1])
    if not isinstance(name, str):
        self.refuse("setattr with a name that is not known at derivation", ways.ASSIGN)
    self.set_attribute(args[0], name, args[2])
    return Known(None)


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


def _isscalar(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    cls = self.class_of(args[0])
    return NotImplemented if cls is None else Known(issubclass(cls, (int, float, complex, str, bytes, np.generic)))


def _same_array(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.asarray and the like of what is such an array already: the array itself, not another one."""
    value, rank = args[0] if args else None, _LEAST_RANKS[function.value]
    kind = value.kind if isinstance(value, Leaf) else None
    if not rank and len(args) == 3:  # (array, dtype, order)
        dtype = {} if static(args[1]) is None else {"dtype": args[1]}
        return self.call_value(function, args[:1], {**dtype, "order": args[2], **kwargs})
    if isinstance(kind, Array) and kind.shape is not None and len(kind.shape) >= max(rank, 1):
        if rank and len(args) == 1 and not kwargs:
            return value
        dtype = static(args[1]) if len(args) == 2 else static(kwargs.get("dtype", Known(None)))
        if not rank and len(args) <= 2 and set(kwargs) <= {"dtype"} and (dtype is None or _is_dtype(dtype, kind.dtype)):
            return value
    return _from_list(self, function, args, kwargs)


def _is_method(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """inspect.ismethod and inspect.isfunction of what is known, or is no function for certain."""
    value = args[0] if len(args) == 1 and not kwargs else None
    if isinstance(value, Known):
        return self._constant(bool(function.value(value.value)))
    if isinstance(value, Leaf) and isinstance(value.kind, (Number, Array, ListOf)):
        return self._constant(False)
    return NotImplemented


def _of_dtypes(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.issubdtype and np.isdtype of dtypes that are known."""
    known = [_static_dtype(v) for v in args]
    if kwargs or any(v is _NO for v in known):
        return NotImplemented
    try:
        return self._constant(bool(function.value(*known)))
    except (TypeError, ValueError):
        return NotImplemented


def _static_dtype(value: Value) -> Any:
    """A dtype, or what says a kind of dtypes, where it is known."""
    if isinstance(value, Tup):
        parts = [_static_dtype(v) for v in value.items]
        return _NO if any(p is _NO for p in parts) else tuple(parts)
    found = static(value)
    return found if isinstance(found, (np.dtype, type, str)) else _NO


#: functions that return an array itself where it has at least this rank
_LEAST_RANKS = {np.asarray: 0, np.asanyarray: 0, np.atleast_1d: 1, np.atleast_2d: 2, np.atleast_3d: 3}


def _is_dtype(given: Any, dtype: np.dtype[Any]) -> bool:
    try:
        return bool(np.dtype(given) == dtype)
    except TypeError:
        return False


def _require(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.require: what it asks for beyond a dtype is how the array lies in memory."""
    given = dict(zip(("a", "dtype", "requirements"), args, strict=False)) | kwargs
    if "a" not in given or set(given) - {"a", "dtype", "requirements"}:
        return NotImplemented
    asked = static(given.get("requirements", Known(None)))
    does = {None: "asarray", "C": "ascontiguousarray", "F": "asfortranarray"}.get(
        asked if isinstance(asked, (str, type(None))) else "other"
    )
    if does is None:
        return NotImplemented
    dtype = given.get("dtype", Known(None))
    rest = [] if is_none(dtype) else [dtype]
    return self.call_value(self.numpy_function(does), [given["a"], *rest], {})


def _set_plainly(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """object.__setattr__: of a frozen dataclass, too, and past properties."""
    name = static(args[1])
    obj = self.state.heap[args[0].id] if isinstance(args[0], Ref) else None
    if not isinstance(obj, Instance) or not isinstance(name, str):
        self.refuse("object.__setattr__ on something that is not an object of known attributes", ways.ASSIGN)
    assert isinstance(obj, Instance)
    obj.attributes[name] = self.held(self.kept_iterator(args[2]), name)
    self.changed(obj)
    return Known(None)


def _new_array(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.ndarray.__new__(cls, shape, float, buffer): an object whose class is written on top of arrays.

    What the methods of the class do with its attributes is followed; what NumPy does with it is refused.
    """
    cls, names = static(args[0]) if args else None, ("cls", "shape", "dtype", "buffer")
    given = dict(zip(names, args, strict=False)) | kwargs
    derived = isinstance(cls, type) and cls is not np.ndarray and issubclass(cls, np.ndarray)
    if not derived or set(given) - set(names) or "buffer" not in given:
        return NotImplemented
    assert isinstance(cls, type)
    ref = self.allocate(Instance(cls, {}, self.site(self.node)))
    finalize = self.find_method(ref, "__array_finalize__")
    if finalize is not None:
        self.call_value(finalize, [Known(None)], {})
    return ref


def _new(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """object.__new__(cls): no attributes yet."""
    cls = static(args[0])
    if not isinstance(cls, type) or len(args) > 1:
        self.refuse("object.__new__ of a class that is not known at derivation", "call the class")
    return self.allocate(Instance(cls, {}, self.site(self.node)))


def _divmod(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    a, b = (self.held(v) for v in args)
    return Tup((self.binary(gast.FloorDiv, a, b), self.binary(gast.Mod, a, b)))


_SINGLE = (np.float32, np.float16)


def _complex(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    parts = [*args, *kwargs.values()]
    for value in parts:
        if isinstance(value, Leaf) and isinstance(value.kind, Unknown):
            self.check_not_read_back(value.expr)
    if not any(map(self.is_varied, args)) or self.passive:
        return NotImplemented
    # numbers in single precision become floats first, as `complex` has none
    single = [isinstance(v, Leaf) and isinstance(v.kind, Number) and v.kind.type in _SINGLE for v in parts]
    as_float = Known(float, load("float"))
    parts = [self.call_value(as_float, [v], {}) if s else v for v, s in zip(parts, single, strict=True)]
    if len(parts) == 1:
        return self.binary(gast.Add, parts[0], Leaf(gast.Constant(0j, None), Number(complex), const=0j))
    imaginary = self.binary(gast.Mult, Leaf(gast.Constant(1j, None), Number(complex), const=1j), parts[1])
    return self.binary(gast.Add, parts[0], imaginary)


def _itertool(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    names = {itertools.count: ("start", "step"), itertools.repeat: ("object", "times")}.get(function.value)
    if kwargs and names:  # what these are given by name has a place, too
        first = {"start": _number(0)} if function.value is itertools.count else {}
        given = {**first, **dict(zip(names, args, strict=False)), **kwargs}
        args, kwargs = [given[n] for n in names if n in given], {}
    held = [self.held(v) for v in args]
    named = {k: self.held(v) for k, v in kwargs.items()}
    if function.value in POOLS:
        return self.pooled(function.value, held, named)
    return self.lazy(function.value, held, named)


def _operator(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """operator.add and the like as the operators that they are."""
    for op, target in BINARY.items():
        if target is function.value and len(args) == 2:
            return self.binary(op, *args)
    return NotImplemented


def _updated(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """operator.ior(a, b): of dicts it writes into the first."""
    if any(isinstance(v, Ref) for v in args):
        self.refuse("operator.ior of a dict", ways.NEW_VALUE)
    return NotImplemented


def _not_read_back(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.float64(text)"""
    for value in args:
        if isinstance(value, Leaf) and isinstance(value.kind, (Unknown, Object)):
            self.check_not_read_back(value.expr)
    return NotImplemented


def _fill_diagonal(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.fill_diagonal(array, value) as a store through the indices of the diagonal."""
    if kwargs or len(args) != 2:
        self.refuse("np.fill_diagonal with wrap", ways.STORE)
    base = self.written(args[0])
    rank = len(base.kind.shape) if isinstance(base.kind, Array) and base.kind.shape is not None else 0
    if rank != 2 or not isinstance(self.kind(args[1]), Number):
        if not self.is_varied(args[0]) and not self.is_varied(args[1]):
            return _writes(self, function, args, kwargs)
        if rank < 2:
            self.refuse("np.fill_diagonal of an array whose rank is not known", ways.STORE)
        return self.inline_library(library.diagonal_filled, [base, args[1]], {})
    name = load(self.global_name("np", np))
    count = gast.Call(load("min"), [gast.Attribute(clone(base.expr), "shape", gast.Load())], [])
    places = gast.Call(gast.Attribute(name, "arange", gast.Load()), [count], [])
    diagonal = self.define("diagonal", places, Array(np.dtype(int), (self.symbol(),)))
    index = gast.Tuple([clone(diagonal.expr), clone(diagonal.expr)], gast.Load())
    self.store_into(base, index, args[1])
    return Known(None)


def _masked_store(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.putmask and np.place as stores through a mask."""
    if not any(self.is_varied(v) for v in args):
        return _writes(self, function, args, kwargs)
    if len(args) != 3 or kwargs:
        self.refuse(f"np.{function.value.__name__} in this form", ways.STORE)
    base, mask, value = args
    if isinstance(value, Ref) and len(items := self.iterate_static(value)) == 1:
        value = items[0]
    held = self.held(mask, "mask")
    kind, whole, of_mask = self.kind(value), self.kind(base), self.kind(held)
    fits = isinstance(whole, Array) and isinstance(of_mask, Array) and of_mask.shape == whole.shape is not None
    if (isinstance(kind, Array) and kind.shape != ()) or (function.value is np.copyto and not fits):
        same = isinstance(kind, Array) and isinstance(whole, Array) and kind.shape == whole.shape is not None
        if function.value is np.copyto:
            # the values and the mask are broadcast
            old = self.held(self.leaf(base))
            self.store_into(base, gast.Constant(Ellipsis, None), self.numpy_call(np.where, [held, value, old]))
            return Known(None)
        if function.value is np.place:
            return self.inline_library(library.placed, [base, held, value], {})
        if not same:
            self.refuse(
                f"np.{function.value.__name__} with values that are repeated",
                ways.STORE,
            )
        index = self.expression(held)
        value = self.operation(
            operator.getitem, lambda exprs, _: gast.Subscript(exprs[0], clone(index), gast.Load()), [self.held(value)]
        )
    elif not isinstance(kind, (Number, Array)):
        if function.value is np.place:
            return self.inline_library(library.placed, [base, held, value], {})
        self.refuse(f"np.{function.value.__name__} with these values", ways.STORE)
    self.store_into(base, self.expression(held), value)
    return Known(None)


def _subtract_at(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if not any(self.is_varied(v) for v in args):
        return NotImplemented
    self.stores_in_passing()
    name = gast.Attribute(gast.Attribute(load(self.global_name("np", np)), "add", gast.Load()), "at", gast.Load())
    value = self.list_as_array(args[2], tuples=True, arrays=True)
    negative = self.held(self.operation(operator.neg, lambda exprs, _: gast.UnaryOp(gast.USub(), exprs[0]), [value]))
    return _add_at(self, Known(np.add.at, name), [args[0], args[1], negative], kwargs)


def _put(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.put(array, places, values): a store through positions in the flattened array."""
    if not any(self.is_varied(v) for v in args) or self.passive:
        return _writes(self, function, args, kwargs)
    if kwargs or len(args) != 3:
        self.refuse("np.put with a mode", ways.STORE)
    base = self.written(args[0])
    places, value = args[1:]
    count = _lengths(self.kind(places))
    given = _lengths(self.kind(value))
    if given not in ((), count):
        self.refuse(
            "np.put with values that are repeated",
            ways.STORE,
            concrete=True,
        )
    self.store_into(base, self.index_of(self.flat_places(base, places)), value)
    return Known(None)


def _lengths(kind: Any) -> Any:
    """The shape of an index or of values."""
    if isinstance(kind, (ListKind, TupleKind)):
        return (Dim.of(len(kind.items)),)
    return kind.shape if isinstance(kind, Array) else () if isinstance(kind, Number) else None


def _put_along_axis(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.put_along_axis(array, places, values, axis): the other axes are run through by ranges."""
    axis: Any = static(args[3]) if len(args) > 3 else static(kwargs["axis"]) if "axis" in kwargs else _NO
    if not any(self.is_varied(v) for v in args):
        return _writes(self, function, args, kwargs)
    base = self.written(args[0])
    shape = (base.kind.shape or ()) if isinstance(base.kind, Array) else ()
    if axis is None and len(shape) == 1:
        axis = 0
    if not isinstance(axis, int) or not shape:
        self.refuse("np.put_along_axis of an array of unknown rank, or along an axis that is not known", ways.STORE)
    np_ = load(self.global_name("np", np))
    parts: list[Any] = []
    for k in range(len(shape)):
        if k in (axis, axis + len(shape)):
            parts.append(self.anchor(self.leaf(args[1]), "places").expr)
            continue
        count = gast.Subscript(
            gast.Attribute(clone(base.expr), "shape", gast.Load()), gast.Constant(k, None), gast.Load()
        )
        along = gast.Call(gast.Attribute(clone(np_), "arange", gast.Load()), [count], [])
        if len(shape) > 1:
            sizes = [gast.Constant(-1 if j == k else 1, None) for j in range(len(shape))]
            along = gast.Call(gast.Attribute(along, "reshape", gast.Load()), sizes, [])
        parts.append(self.define("along", along, self.infer(along)).expr)
    self.store_into(base, parts[0] if len(parts) == 1 else gast.Tuple(parts, gast.Load()), args[2])
    return Known(None)


def _ndindex(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.ndindex(shape): a list of tuples of ints."""
    if len(args) == 1 and isinstance(args[0], Tup):
        args = list(args[0].items)
    shape = self.kind(args[0]) if len(args) == 1 else None
    rank = len(shape.items) if isinstance(shape, TupleKind) else len(args)
    call = gast.Call(load("list"), [self.call_node(self.expression(function), args, {})], [])
    return Leaf(call, ListOf(TupleKind((Number(int),) * rank)), nested=True)


def _ndenumerate(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.ndenumerate(array): its indices beside its elements."""
    (array,) = args
    held = self.held(array)
    kind = self.kind(held)
    if not isinstance(kind, Array) or kind.shape is None or not self.is_varied(held):
        return NotImplemented
    places = _ndindex(self, Known(np.ndindex), [self.attribute(held, "shape")], {})
    return Lazy(zip, (self.held(places), self.held(self.attribute(held, "flat"))))


def _writes(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """A library function that writes into its first argument."""
    if any(self.is_varied(v) for v in [*args, *kwargs.values()]):
        name = getattr(function.value, "__name__", "this function")
        self.refuse(f"{name} writes into an array with active values", ways.STORE)
    call = self.call_node(self.expression(function), args, kwargs)
    self.handed_on(call, Unknown())
    self.write(gast.Expr(call))
    return Known(None)


def _text(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """str, repr and format: text, which carries no derivative."""
    known = [static(v) for v in args]
    if function.value is str and len(args) == 1 and isinstance(known[0], (str, int)) and not isinstance(args[0], Tup):
        return Known(str(known[0]))
    return Leaf(self.call_node(self.expression(function), args, kwargs), Unknown(), nested=True)


def _replace(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """dataclasses.replace(obj, ...)"""
    obj = self.instance_of(args[0])
    cls = None if obj is None else obj.cls
    if cls is None or not dataclasses.is_dataclass(cls):
        return NotImplemented
    kept = [f.name for f in dataclasses.fields(cls) if f.init and f.name not in kwargs]
    kept = [n for n in kept if not isinstance(obj, Instance) or n in obj.attributes]
    return self.instantiate(Known(cls), [], {**{n: self.attribute(args[0], n) for n in kept}, **kwargs})


def _collection(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """collections.deque and OrderedDict as lists and dicts."""
    if function.value is collections.deque:
        limit = args[1] if len(args) > 1 else kwargs.get("maxlen", Known(None))
        given = args[:1] or [v for k, v in kwargs.items() if k == "iterable"]
        without = is_none(limit)
        return self.of_class(
            _list(self, Known(list), given, {}) if without else self.limited_list(given, limit), collections.deque
        )
    if function.value is collections.OrderedDict:
        return self.of_class(_dict(self, Known(dict), args, kwargs), collections.OrderedDict)
    return NotImplemented


def _defaultdict(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if not self.decisions.has_defaultdicts:
        self.decisions.has_defaultdicts = True
        if not self.trials:
            raise Restart
    return _dict(self, Known(dict), args[1:], kwargs, args[0]) if args else NotImplemented


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


def _vars(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    return self.attribute(args[0], "__dict__") if args else NotImplemented


def _asdict(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """dataclasses.asdict(obj), of one whose fields are numbers and arrays."""
    fields = _copied_fields(self, args, kwargs)
    return NotImplemented if fields is None else self.allocate(DictObj(fields, self.site(self.node)))


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


def _astuple(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """dataclasses.astuple(obj), of one whose fields are numbers and arrays."""
    fields = _copied_fields(self, args, kwargs)
    return NotImplemented if fields is None else Tup(tuple(fields.values()))


def _fromkeys(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """dict.fromkeys(keys, value)"""
    keys = [static(v) for v in self.iterate_static(args[0])] if self.is_static_iterable(args[0]) else [_NO]
    site = self.site(self.node)
    if kwargs or not 1 <= len(args) <= 2 or any(self.is_varied(v) for v in args[:1]):
        return NotImplemented
    if _NO in keys and (site in self.decisions.unfit or any(self.is_varied(v) for v in args)):
        self.refuse(
            "a dict of active values gets keys that are not known at derivation", ways.KEYS, concrete=True
        )
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


def _wraps(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """functools.wraps(f): a decorator that changes nothing but names."""
    return Known(_itself)


def _cached(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """functools.cache and lru_cache of a function that is defined here: the function."""
    if len(args) == 1 and not kwargs and isinstance(args[0], (Closure, Method, Partial)):
        return _called_again(self, function, args, kwargs)
    if any(isinstance(v, Known) and v.can_be_called for v in args):
        return NotImplemented
    return Known(_cache_of)


def _cache_of(function: Any) -> Any:
    return function


def _called_again(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """A cached function as the function, where calling it again gives the same."""
    found = args[0]
    while not isinstance(found, Closure):
        if not isinstance(found, (Method, Partial)):
            return args[0]
        found = found.function
    tree = found.source.tree
    self.memoized.add(id(tree))
    reason = caches.effect_of(tree)
    for name in caches.free_names(tree):
        held = self.state.frames.get(found.frame, {}).get(name)
        if reason is None and isinstance(held, Closure) and held.source.tree is not tree:
            reason = caches.effect_of(held.source.tree)
    frame = found.frame
    while frame is not None and reason is None:
        around = self.frames[frame].source.tree
        changes = caches.changed_later(tree, around)
        reason = f"reads {changes!r}, which changes," if changes is not None else None
        if isinstance(tree, gast.FunctionDef) and caches.results_changed(tree.name, around):
            self.cached.add(id(tree))
        frame = self.frames[frame].parent
    if reason is not None:
        self.refuse(f"a function that {reason} is cached: its second call gives what the first gave", ways.NOT_CACHED)
    return args[0]


def _itself(function: Any) -> Any:
    return function


def _same_value(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    return args[0]


BUILTINS[_itself] = _same_value
BUILTINS[_cache_of] = _called_again


def _stopped(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """stop_gradient(x): x, where it stands now, as a constant."""
    (value,) = (*args, *kwargs.values())
    if isinstance(value, Tup):
        return Tup(tuple(_stopped(self, function, [v], {}) for v in value.items), value.cls)
    obj = self.state.heap[value.id] if isinstance(value, Ref) else None
    if isinstance(obj, ListObj):
        return self.new_list([_stopped(self, function, [v], {}) for v in obj.items])
    if isinstance(obj, DictObj):
        return self.new_dict({k: _stopped(self, function, [v], {}) for k, v in obj.items.items()}, self.site(self.node))
    if not self.is_varied(value):
        return value
    if not isinstance(value, Leaf) or isinstance(value.kind, (ListOf, Object)):
        self.refuse("stop_gradient of this value", "give it a number, an array, or a tuple, list or dict of them")
    held = self.held(value)
    copied = {Number: "x", Array: "x.copy()"}.get(type(held.kind), "+x")
    return self.define("t", quote(copied, x=held.expr), held.kind)


BUILTINS[stop_gradient] = _stopped


def _eval(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """eval with names of its own that hold nothing active is a call like any other."""
    if kwargs or len(args) < 2 or any(self.is_varied(v) for v in args) or not all(map(self.textual, args)):
        self.refuse("eval is not differentiated", "write the expression out")
    return self.opaque(function, args, kwargs)


def _nothing(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """object.__init__ and the like."""
    return Known(None)


def _second(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """typing.cast"""
    return args[1] if len(args) == 2 else NotImplemented


BUILTINS.update(
    {
        object.__init__: _nothing,
        typing.cast: _second,
        functools.wraps: _wraps,
        functools.lru_cache: _cached,
        functools.cache: _cached,
        eval: _eval,
        object.__new__: _new,
        np.ndarray.__new__: _new_array,
        types.SimpleNamespace.__new__: _new,
        object.__setattr__: _set_plainly,
        np.fill_diagonal: _fill_diagonal,
        np.putmask: _masked_store,
        np.place: _masked_store,
        np.subtract.at: _subtract_at,
        np.put: _put,
        np.put_along_axis: _put_along_axis,
        np.ndindex: _ndindex,
        np.ndenumerate: _ndenumerate,
        random.shuffle: _writes,
        np.random.shuffle: _writes,
        str: _text,
        repr: _text,
        format: _text,
        dataclasses.replace: _replace,
        dataclasses.asdict: _asdict,
        dataclasses.astuple: _astuple,
        collections.deque: _collection,
        collections.OrderedDict: _collection,
        collections.defaultdict: _defaultdict,
        copy.copy: _copy,
        copy.deepcopy: _copy,
        vars: _vars,
        float: _float,
        len: _len,
        isinstance: _isinstance,
        type: _type,
        callable: _callable,
        getattr: _getattr,
        object.__getattribute__: _getattr,
        setattr: _setattr,
        hasattr: _hasattr,
        id: _id,
        list: _list,
        tuple: _tuple,
        dict: _dict,
        dict.fromkeys: _fromkeys,
        set: _set,
        frozenset: _set,
        range: _range,
        zip: _lazy,
        enumerate: _lazy,
        reversed: _lazy,
        map: _lazy,
        filter: _lazy,
        iter: _iter,
        next: _next,
        sorted: _sorted,
        sum: _sum,
        math.fsum: _sum,
        math.prod: _sum,
        max: _extreme,
        min: _extreme,
        bool: _bool,
        any: _any_all,
        all: _any_all,
        divmod: _divmod,
        complex: _complex,
        super: _super,
        functools.reduce: _reduce,
        functools.partial: _partial,
        itertools.pairwise: _itertool,
        print: _print,
        exec: _refused("exec is not differentiated", "write the statements out"),
        globals: _refused("globals() is a dictionary that the generated module has not", "name the global itself"),
        locals: _refused("locals() is not followed", "write a dictionary of the names that are needed"),
        np.vectorize: _vectorize,
        library.one_float: _one_float,
        library.in_double: _in_double,
        library.pythons: _pythons,
        np.iscomplexobj: _complexity,
        np.isrealobj: _complexity,
        np.copyto: _copyto,
        np.add.at: _add_at,
        np.isscalar: _isscalar,
        np.require: _require,
        dataclasses.fields: _fields,
        np.block: _block,
    }
)
BUILTINS.update(dict.fromkeys((*ITERTOOLS, *ENDLESS), _itertool))
_FLOATING = (np.float64, np.float32, np.float16, np.longdouble, np.complex128, np.complex64)
BUILTINS.update(dict.fromkeys(_FLOATING, _not_read_back))
BUILTINS.update(
    dict.fromkeys(
        (
            np.array,
            np.stack,
            np.vstack,
            np.hstack,
            np.concatenate,
            np.column_stack,
            np.sum,
            np.mean,
            np.max,
            np.min,
            np.prod,
            np.std,
            np.var,
            np.dstack,
            np.append,
            np.linalg.norm,
            np.dot,
            np.cumsum,
            np.sort,
            np.median,
            np.diff,
            np.fromiter,
            np.average,
        ),
        _from_list,
    )
)
BUILTINS.update(dict.fromkeys(_LEAST_RANKS, _same_array))
BUILTINS.update({getattr(collections.abc.Mapping, name): _view_of(name) for name in ("keys", "values", "items")})
BUILTINS[inspect.ismethod] = BUILTINS[inspect.isfunction] = _is_method
BUILTINS.update({f: _of_dtypes for f in (np.issubdtype, getattr(np, "isdtype", None)) if f is not None})
_OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "or_")
BUILTINS.update({getattr(operator, n): _operator for n in _OPERATORS} | {operator.ior: _updated})
PRIMITIVE_MUTATORS[np.copyto] = _copyto
