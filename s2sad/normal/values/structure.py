"""Containers and objects as Python sees them: their copies, their items, their classes."""

from __future__ import annotations

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
from s2sad.normal import above
from s2sad.normal.above import call_method, call_value, inline_library, opaque
from s2sad.normal.calls import library
from s2sad.normal.decisions import Restart
from s2sad.normal.expressions.attributes import check_computed
from s2sad.normal.expressions.displays import new_dict
from s2sad.normal.expressions.operation import operation
from s2sad.normal.expressions.subscripts import textual
from s2sad.normal.handlers import builtin
from s2sad.normal.iteration.asking import allocate, is_static_iterable, materialized
from s2sad.normal.iteration.at_once import iterate_static
from s2sad.normal.joining import may_lack
from s2sad.normal.learning import make_dynamic
from s2sad.normal.names import hold
from s2sad.normal.run import CHANGES_ITS_OWN, Run
from s2sad.normal.values.abstract import (
    Choice,
    DictObj,
    Instance,
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
from s2sad.normal.values.classes import class_of, find_method, static
from s2sad.normal.values.facts import global_name, is_varied
from s2sad.normal.values.lists_of_the_run import dynamic_list, new_list
from s2sad.normal.values.tables import Table
from s2sad.normal.words import NO
from s2sad.normal.writing import fresh, sites_of_list
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
def list_of(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if not args:
        site = run.site(run.node)
        if site in run.decisions.dynamic:
            return dynamic_list(run, site, [])
        return allocate(run, ListObj([], site))
    value = args[0]
    if stays(run, value):
        return opaque(run, function, args, kwargs)
    if isinstance(value, Leaf) and isinstance(value.kind, ListOf) and not is_static_iterable(run, value):
        return inline_library(run, library.list_of, [value], {})
    return materialized(run, value)


def limited_list(run: Run, args: list[Value], limit: Value) -> Value:
    """A deque with a `maxlen`: a list that drops items at the other end."""
    made: Value = list_of(run, Known(list), [], {})
    most = static(limit)
    obj = run.state.heap[made.id] if isinstance(made, Ref) else None
    if isinstance(obj, ListObj):
        if not isinstance(most, int):
            make_dynamic(run, obj)
        obj.limit = most
    elif isinstance(made, Leaf):
        run.lists.limits[atom_key(made.expr)] = hold(run, limit, "limit")
    if args:
        call_method(run, Method(Known(("container" if obj is not None else "method", "extend")), made), args, {})
    return made


def own_copy(run: Run, value: Ref, deep: bool) -> Value | None:
    """The method of a user's class that says what a copy of its objects is."""
    obj = run.state.heap[value.id]
    if not isinstance(obj, Instance):
        return None
    own = {name for name in _OF_COPIES if _is_users(getattr(obj.cls, name, None))}
    if not deep and "__copy__" in own:
        return find_method(run, value, "__copy__")
    if issubclass(obj.cls, Table):
        return find_method(run, value, "__deepcopy__" if deep else "__copy__")
    own -= {"__copy__" if deep else "__deepcopy__"}
    if own:
        name = min(own)
        run.refuse(f"the class {obj.cls.__name__} says by {name} what a copy is", "make the copy by hand")
    return None


def of_class(run: Run, made: Value, cls: type) -> Value:
    """A new list or dict as one of a class that is built like it."""
    obj = run.state.heap[made.id] if isinstance(made, Ref) else None
    if isinstance(obj, (ListObj, DictObj)):
        obj.cls = cls
    elif isinstance(made, Leaf) and isinstance(made.kind, ListOf):
        run.lists.deques_made |= sites_of_list(run, atom_key(made.expr))
    return made


def filled_table(run: Run, pairs: Value, items: dict[Any, Value]) -> Value:
    """dict(pairs), of keys that only the run knows; or a copy of such a dict."""
    site = run.site(run.node)
    if site not in run.decisions.unfit:
        run.decisions.unfit.add(site)
        raise Restart
    made = new_dict(run, items, site)
    update = find_method(run, made, "update")
    if update is None:
        run.refuse("a dict of dicts whose keys only the run knows", ways.LOOP)
    call_value(run, update, [pairs], {})
    return made


def sorted_by_swaps(run: Run, items: list[Value], keys: list[Value], backwards: bool) -> Value:
    """Objects or tuples in order: neighbours that stand the wrong way round change places."""
    pairs: list[Value] = [Tup((hold(run, k), v)) for k, v in zip(keys, items, strict=True)]
    for end in range(1, len(pairs)):
        for k in range(end, 0, -1):
            before, after = (k, k - 1) if backwards else (k - 1, k)
            chosen = inline_library(run, library.in_order, [pairs[before], pairs[after]], {})
            pairs[before], pairs[after] = iterate_static(run, chosen)
    return new_list(run, [iterate_static(run, pair)[1] for pair in pairs])


def extreme_by_choice(run: Run, items: list[Value], key: Value | None, choice: Any) -> Value:
    """The largest or least of objects or tuples, which are compared one after the other."""
    given = key is not None and not is_none(key)
    best: Value | None = None
    for item in items:
        score = hold(run, scored(run, key, item)) if given and key is not None else item
        pair = Tup((score, item))
        best = pair if best is None else inline_library(run, choice, [best, pair], {})
    assert best is not None
    return iterate_static(run, best)[1]


def has_attribute(run: Run, value: Value, name: str) -> bool:
    if isinstance(value, Ref):
        obj = run.state.heap[value.id]
        fresh(run, obj)
        if isinstance(obj, Instance):
            if name in obj.partial:
                may_lack(run, name)
            found = class_entry(obj.cls, name, NO)
            if isinstance(found, property) and name not in obj.attributes:
                run.refuse(f"hasattr() of the property {name!r}", "ask for what it reads")
            slot = isinstance(found, types.MemberDescriptorType)  # of an attribute that is not set
            return name in obj.attributes or (hasattr(obj.cls, name) and not slot)
        return hasattr(obj.cls, name)
    if isinstance(value, Known):
        check_computed(run, value, name)
        return value.has(name)
    cls = class_of(run, value)
    return cls is not None and hasattr(cls, name)


def stays(run: Run, value: Value) -> bool:
    """Is it a run-time value with nothing active in it, which a builtin may be called with as it is?"""
    if changes_on_the_way(run, value):
        return False
    if run.passive and textual(run, value):
        return not is_static_iterable(run, value)
    if is_varied(run, value) or is_static_iterable(run, value) or isinstance(value, Ref):
        return False
    return textual(run, value) and not (isinstance(value, Lazy) and value.function in (map, filter))


def changes_on_the_way(run: Run, value: Value) -> bool:
    """May it change a list, an array or an object to run through a map or a filter?"""
    if not isinstance(value, Lazy):
        return False
    if value.function in (map, filter) and may_have_effect(run, value.args[0]):
        return True
    return any(changes_on_the_way(run, v) for v in value.args)


def may_have_effect(run: Run, function: Value) -> bool:
    """May a call of a function change what others see?"""
    if isinstance(function, Partial):
        return may_have_effect(run, function.function)
    if isinstance(function, Choice):
        return may_have_effect(run, function.first) or may_have_effect(run, function.second)
    if isinstance(function, Method):
        named = static(function.function)
        return named[-1] in CHANGES_ITS_OWN if isinstance(named, tuple) else True
    if is_known_a(function, types.FunctionType):
        changes = run.decisions.changes
        return changes.may_change(function.value) or bool(changes.changed_outside(function.value))
    return False


def scored(run: Run, key: Value, item: Value) -> Value:
    run.passive += 1
    try:
        return call_value(run, key, [item], {})
    finally:
        run.passive -= 1


def sum_array(run: Run, leaf: Leaf) -> Value:
    """sum(array): over the first axis."""
    assert isinstance(leaf.kind, Array)
    several = leaf.kind.shape is None or len(leaf.kind.shape) > 1
    if several and leaf.kind.shape and not at_least(leaf.kind.shape[0], 1):
        length = leaf.kind.shape[0]
        if length.known:
            return number_in(0)  # of nothing: not an array of zeros
        if is_fixed(length) and not any(mark in str(length) for mark in "$#"):
            reason = "sum() of rows is a row, or 0 where there are none, and how many there are is not known"
            run.refuse(reason, "use np.sum with axis=0", concrete=True)
    return numpy_call(run, np.sum, [leaf, number_in(0)] if several else [leaf])


@above.numpy_call.answer
def numpy_call(run: Run, target: Any, args: list[Value]) -> Value:
    """An operation by a NumPy function that the user did not write."""
    name = target.__name__
    return operation(
        run,
        target,
        lambda exprs, _: gast.Call(gast.Attribute(load(global_name(run, "np", np)), name, gast.Load()), exprs, []),
        args,
    )


def dtype_of_items(run: Run, *kinds: Kind) -> list[Value]:
    """The dtype of an array of what has these kinds, where it has to be said: of complex numbers. (NumPy tells it
    from the items: among those of single precision may be floats of Python's, which have double.)"""
    told = [k.dtype if isinstance(k, Array) else k.type for k in kinds if isinstance(k, (Array, Number))]
    dtype = np.result_type(*told) if told else np.dtype(float)
    return [Known(complex, load("complex"))] if dtype == np.dtype(complex) else []


@above.as_array.answer
def as_array(run: Run, value: Value, dtype: Value | None = None) -> Value:
    """A run-time list as an array; `dtype`: what it is made of where the items do not tell."""
    if isinstance(value, Leaf) and isinstance(value.kind, ListOf):
        item = value.kind.item
        rows = item
        while isinstance(rows, ListOf):
            rows = rows.item
        if plain_item(rows):
            return numpy_call(run, np.array, [value, *([dtype] if dtype else dtype_of_items(run, rows))])
        if isinstance(item, (TupleKind, ListKind)) and all(isinstance(k, Number) for k in item.items):
            return inline_library(
                run, library.table_of, [value, number_in(len(item.items)), *dtype_of_items(run, *item.items)], {}
            )
        run.refuse(
            "an array is made of a list whose items are of mixed form",
            ways.ONE_FORM,
            concrete=True,
        )
    return value
