"""Containers and objects as Python sees them: their copies, their items, their classes."""

from __future__ import annotations

import functools
import types
from typing import Any

import gast
import numpy as np

from s2sad.core import atom_key, load
from s2sad.frontend import ways
from s2sad.kinds.dims import at_least, is_fixed
from s2sad.kinds.kind import Array, Dim, Kind, ListOf, Number, Unknown
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.normal import library
from s2sad.normal.base import CHANGES_ITS_OWN, Restart
from s2sad.normal.expressions import _NO, static
from s2sad.normal.handlers import builtin
from s2sad.normal.iteration import Iteration
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
    Method,
    Partial,
    Ref,
    Tup,
    Value,
    is_known_a,
    is_none,
)
from s2sad.runtime.identity import class_entry

#: methods that say what a copy of an object is
_OF_COPIES = (
    *("__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__"),
    *("__getstate__", "__setstate__", "__getnewargs__", "__getnewargs_ex__"),
)


def _is_users(method: Any) -> bool:
    """Is a method written in Python, and not by `dataclass`?"""
    return isinstance(method, types.FunctionType) and method.__module__ not in ("dataclasses", "enum")


def plain_item(kind: Kind) -> bool:
    """Are the items of a list numbers or arrays, or may they be?"""
    return isinstance(kind, (Number, Array)) or type(kind) is Unknown


def number_in(value: int) -> Leaf:
    return Leaf(gast.Constant(value, None), Number(int, Dim.of(value)), const=value)


@builtin(list)
def list_of(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
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


class Structure(Iteration):
    """Questions that builtins ask of abstract values, and operations that they are made of."""

    def limited_list(self, args: list[Value], limit: Value) -> Value:
        """A deque with a `maxlen`: a list that drops items at the other end."""
        made: Value = list_of(self, Known(list), [], {})
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
                return number_in(0)  # of nothing: not an array of zeros
            if is_fixed(length) and not any(mark in str(length) for mark in "$#"):
                reason = "sum() of rows is a row, or 0 where there are none, and how many there are is not known"
                self.refuse(reason, "use np.sum with axis=0", concrete=True)
        return self.numpy_call(np.sum, [leaf, number_in(0)] if several else [leaf])

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
            if plain_item(rows):
                return self.numpy_call(np.array, [value, *([dtype] if dtype else self.dtype_of_items(rows))])
            if isinstance(item, (TupleKind, ListKind)) and all(isinstance(k, Number) for k in item.items):
                return self.inline_library(
                    library.table_of, [value, number_in(len(item.items)), *self.dtype_of_items(*item.items)], {}
                )
            self.refuse(
                "an array is made of a list whose items are of mixed form",
                ways.ONE_FORM,
                concrete=True,
            )
        return value
