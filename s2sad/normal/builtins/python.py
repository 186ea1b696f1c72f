"""Builtins that ask what a value is, choose between values or add them up; those of arrays and containers beside."""

from __future__ import annotations

import collections
import functools
import inspect
import math
import operator
import types
import typing
from typing import Any

import gast
import numpy as np

from s2sad.core import clone, load, quote
from s2sad.frontend import ways
from s2sad.frontend.names import is_installed
from s2sad.kinds.dims import at_least
from s2sad.kinds.kind import Array, Dim, Kind, ListOf, Nothing, Number, Object, Static, Unknown
from s2sad.knowledge import registry
from s2sad.normal.calls import caches, library
from s2sad.normal.calls.dispatch import call_value
from s2sad.normal.calls.objects import inline_library, super_object
from s2sad.normal.calls.passive import call_node, opaque
from s2sad.normal.changing import container_changed
from s2sad.normal.expressions.atoms import nested
from s2sad.normal.expressions.attributes import attribute, call_method_named
from s2sad.normal.expressions.choices import choose, known_truth
from s2sad.normal.expressions.displays import new_dict
from s2sad.normal.expressions.operation import operation
from s2sad.normal.expressions.operators import binary
from s2sad.normal.expressions.subscripts import textual
from s2sad.normal.handlers import BUILTINS, builtin
from s2sad.normal.iteration.asking import allocate, is_static_iterable, kept_iterator, materialized
from s2sad.normal.iteration.at_once import iterate_static
from s2sad.normal.iteration.watching import one_by_one_of, run_over, without_changes
from s2sad.normal.memory import leaf_of
from s2sad.normal.names import hold
from s2sad.normal.run import Run
from s2sad.normal.statements.assign import set_attribute
from s2sad.normal.values.abstract import (
    NUMBER_WITHIN,
    Closure,
    DictObj,
    Instance,
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
    is_none,
)
from s2sad.normal.values.classes import (
    class_of,
    find_method,
    has_methods,
    instance_of,
    perhaps_list,
    refuse_unknown_class,
    static,
)
from s2sad.normal.values.entering import goes_by
from s2sad.normal.values.facts import infer_kind, is_varied, kind_of
from s2sad.normal.values.lists_of_the_run import new_list
from s2sad.normal.values.making import constant, expression, shown_value
from s2sad.normal.values.questions import is_list_of_the_run, is_standard, only_looks, tuple_of
from s2sad.normal.values.structure import (
    as_array,
    extreme_by_choice,
    has_attribute,
    number_in,
    numpy_call,
    stays,
    sum_array,
)
from s2sad.normal.words import BINARY, LARGEST_CHOICE, NO
from s2sad.normal.writing import check_not_read_back, define, fresh, write
from s2sad.runtime.decide import Look, decide
from s2sad.runtime.marks import stop_gradient
from s2sad.runtime.structures import Whole


def _is_float(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@builtin(float)
def _float(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if not args and not kwargs:
        return constant(run, 0.0)
    if len(args) != 1:
        return NotImplemented
    (value,) = args
    known = static(value)
    if isinstance(known, str) and not _is_float(known):
        error = ValueError(f"could not convert string to float: {known!r}")
        run.refuse(f"float() of {known!r} raises a ValueError", ways.CORRECT, raises=error)
    if isinstance(known, (str, int, float)) and not isinstance(value, Leaf):
        return Leaf(call_node(run, load("float"), args, {}), Number(float), const=float(known), nested=True)
    if isinstance(value, Leaf) and isinstance(value.kind, Number) and value.kind.type is float:
        return value
    leaf = leaf_of(run, value)
    shape = leaf.kind.shape if isinstance(leaf.kind, Array) else None
    if run.attempts and shape and any(at_least(d, 2) for d in shape):
        unfit = TypeError("only 0-dimensional arrays can be converted to Python scalars")
        run.refuse("float() of an array raises a TypeError", ways.ELEMENT, raises=unfit)
    if run.attempts and shape:
        run.refuse("whether float() of an array raises depends on its length", ways.ELEMENT, concrete=True)
    if isinstance(leaf.kind, Unknown):
        check_not_read_back(run, leaf.expr)
    if leaf.varied and not run.passive and isinstance(leaf.kind, (Unknown,)):
        return leaf
    if leaf.varied and not run.passive:
        return operation(run, float, lambda exprs, _: gast.Call(load("float"), exprs, []), [leaf])
    run.lost = run.lost or leaf.varied
    return Leaf(call_node(run, load("float"), args, {}), Number(float), nested=True)


@builtin(len)
def _len(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    value = tuple_of(*args)
    count: int | None = None
    if isinstance(value, Tup):
        count = len(value.items)
    elif isinstance(value, Ref):
        obj = run.state.heap[value.id]
        fresh(run, obj)
        if isinstance(obj, (ListObj, DictObj)):
            count = len(obj.items)
        else:
            method = find_method(run, value, "__len__")
            if method is not None:
                return call_value(run, method, [], {})
    elif isinstance(value, Known):
        goes_by(run, value)
        try:
            count = value.ask(Look.LENGTH)
        except TypeError as reason:
            run.refuse(str(reason), ways.ASK, raises=reason)
    if count is not None:
        expr = (
            call_node(run, load("len"), args, {})
            if isinstance(value, Ref) and run.state.heap[value.id].expr is not None
            else gast.Constant(count, None)
        )
        return Leaf(expr, Number(int, Dim.of(count)), const=count, nested=not isinstance(expr, gast.Constant))
    kind = kind_of(run, value)
    if run.attempts and isinstance(kind, Number):
        error = TypeError(f"object of type {kind.type.__name__!r} has no len()")
        run.refuse("len() of a number raises a TypeError", ways.CORRECT, raises=error)
    node = call_node(run, load("len"), args, {})
    return Leaf(node, infer_kind(run, node), nested=True)


@builtin(isinstance)
def _isinstance(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    value, classes = args
    wanted = static(classes)
    if wanted is NO:
        return NotImplemented
    check_classes(run, wanted, goes_by_attributes=isinstance(value, Known))
    if isinstance(value, Maybe):
        there = static(_isinstance(run, function, [value.value, classes], kwargs))
        if there is NO:
            return nested(run, call_node(run, load("isinstance"), [shown_value(run, value), classes], {}))
        absent = isinstance(None, wanted)
        if there == absent:
            return Known(absent)
        flag = expression(run, value.none)
        return Leaf(flag if absent else gast.UnaryOp(gast.Not(), flag), Number(bool), nested=True)
    if isinstance(value, Leaf) and perhaps_list(run, value):
        either = {issubclass(c, wanted) for c in (list, tuple, collections.deque)}
        if isinstance(value.kind, ListOf) and len(either) == 1:
            return Known(either.pop())
        if isinstance(value.kind, Unknown) and len(either) > 1:
            refuse_unknown_class(run)
    if _stands_for_an_int(value):
        either = {issubclass(c, wanted) for c in (int, float)}
        return Known(either.pop()) if len(either) == 1 else _asks_for_an_int(run)
    if isinstance(value, Leaf) and isinstance(value.kind, Number) and value.kind.types:  # of one type or another
        either = {issubclass(c, wanted) for c in value.kind.types}
        return Known(either.pop()) if len(either) == 1 else nested(run, call_node(run, load("isinstance"), args, {}))
    cls = class_of(run, value)
    if cls is None:
        if isinstance(value, Leaf) and isinstance(value.kind, Array):  # of any rank, or a NumPy scalar
            either = {issubclass(c, wanted) for c in (np.ndarray, value.kind.dtype.type)}
            if len(either) == 1:
                return Known(either.pop())
        never = all(issubclass(c, _NEVER_ACTIVE) for c in _classes_of(wanted))
        if never and isinstance(value, Leaf) and is_varied(run, value):
            return Known(False)
        return nested(run, call_node(run, load("isinstance"), args, {}))
    return Known(is_subclass(cls, wanted))


#: what an active value of which only the run knows the form is none of: it is a number, an array or a list
_NEVER_ACTIVE = (collections.abc.MappingView, dict, str, bytes)


def check_classes(run: Run, wanted: Any, goes_by_attributes: bool = False) -> None:
    """Refuse classes that say themselves, in Python, which objects and classes are theirs; a Protocol does so of what
    may get other attributes."""
    for cls in _classes_of(wanted):
        methods = [inspect.getattr_static(type(cls), name, None) for name in ("__instancecheck__", "__subclasscheck__")]
        hook = inspect.getattr_static(cls, "__subclasshook__", None)
        methods.append(getattr(hook, "__func__", None))
        by_attributes = goes_by_attributes and getattr(cls, "_is_protocol", False)
        if by_attributes or any(isinstance(m, types.FunctionType) and not is_installed(m) for m in methods):
            run.refuse(
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


def _asks_for_an_int(run: Run) -> Any:
    return run.refuse(
        "the function asks whether this is an int, and it was passed as one; with respect to it, it counts as a float",
        "pass a float; or leave it out of wrt, as an argument of its own",
    )


@builtin(type)
def _type(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if len(args) == 1:
        if _stands_for_an_int(args[0]):
            return _asks_for_an_int(run)
        cls = class_of(run, args[0])
        several = isinstance(args[0], Leaf) and isinstance(args[0].kind, Number) and bool(args[0].kind.types)
        if cls is not None and not several:
            return Known(cls)
    return NotImplemented


@builtin(callable)
def _callable(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    (value,) = args
    if isinstance(value, Known):
        return Known(value.can_be_called)
    if isinstance(value, (Closure, Method, Partial)):
        return Known(True)
    if isinstance(value, Ref):
        return Known(find_method(run, value, "__call__") is not None)
    return Known(False)


@builtin(getattr, object.__getattribute__)
def _getattr(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    name = static(args[1])
    if not isinstance(name, str):
        return NotImplemented
    if len(args) > 2 and not has_attribute(run, args[0], name):
        return args[2]
    return attribute(run, args[0], name)


@builtin(hasattr)
def _hasattr(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    name = static(args[1])
    if isinstance(args[0], Leaf) and isinstance(args[0].kind, Unknown):
        if perhaps_list(run, args[0]):
            refuse_unknown_class(run)
        return NotImplemented
    return Known(has_attribute(run, args[0], str(name)))


@builtin(id)
def _id(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    value = args[0]
    made = isinstance(value, Ref) and run.state.heap[value.id].expr is None
    if made or isinstance(value, (Tup, Closure, Method)) or is_list_of_the_run(value):
        run.refuse("id() of an object that is made or changed here", ways.TRUE)
    run.facts.identities = True
    return NotImplemented


def _zero() -> Leaf:
    return Leaf(gast.Constant(0, None), Number(int, Dim.of(0)), const=0)


@builtin(functools.partial)
def _partial(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    return Partial(args[0], tuple(hold(run, v) for v in args[1:]), tuple((k, hold(run, v)) for k, v in kwargs.items()))


@builtin(print)
def _print(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    write(run, gast.Expr(call_node(run, expression(run, function), args, kwargs)))
    return Known(None)


def _refused(reason: str, way: str) -> Any:
    def handler(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
        run.refuse(reason, way)

    return handler


@builtin(library.pythons)
def _pythons(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """A number of NumPy's as Python's: the same where nothing is computed otherwise with it."""
    kind = kind_of(run, args[0])
    same = isinstance(kind, Number) and issubclass(kind.type, (int, float, np.integer, np.bool_))
    return args[0] if same else call_method_named(run, hold(run, args[0]), "item")


@builtin(sum, math.fsum, math.prod)
def _sum(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    value = args[0]
    start = args[1] if len(args) > 1 else kwargs.get("start", number_in(1 if function.value is math.prod else 0))
    if not is_varied(run, start) and stays(run, value):
        return opaque(run, function, args, kwargs)
    op = gast.Mult if function.value is math.prod else gast.Add
    if isinstance(value, Leaf) and isinstance(value.kind, Array) and value.varied and op is gast.Add and len(args) == 1:
        return sum_array(run, value)
    if is_static_iterable(run, value) or (isinstance(value, Ref)):
        items = iterate_static(run, value)
        given = len(args) > 1 or kwargs
        total = start if given or not items else None
        if run.passive and textual(run, value):
            return opaque(run, function, args, kwargs)
        first = items[0] if total is None and op is gast.Add else None
        if isinstance(first, (Tup, Ref, Known)) and class_of(run, first) in _NO_ADDENDS:
            error = TypeError("unsupported operand type(s) for +: 'int' and a container")
            run.refuse("sum begins with 0, and this is no number", ways.CORRECT, raises=error)
        if total is None and has_methods(run, items[0]) and find_method(run, items[0], "__radd__"):
            total = start  # which may make another object of the first one
        if total is None and _may_be_bool(kind_of(run, items[0])):
            total = start  # of which it makes ints: True + True is True for arrays
        if total is None and len(items) == 1 and isinstance(kind_of(run, items[0]), Array):
            return numpy_call(run, np.copy, items)  # 0 + array
        for item in items:
            total = item if total is None else binary(run, op, total, item)
        return total
    grown = value.kind if isinstance(value, Leaf) and value.varied and len(args) == 1 and not kwargs else None
    if isinstance(grown, ListOf) and isinstance(grown.item, Number) and op is gast.Add:
        callee = expression(run, function)
        return operation(run, function.value, lambda exprs, _: gast.Call(clone(callee), exprs, []), [value])
    fold = library.product_of if function.value is math.prod else library.sum_of
    return inline_library(run, fold, [value, start], {})


#: what cannot be added to 0
_NO_ADDENDS = (str, bytes, list, tuple, dict, set, frozenset)


def _may_be_bool(kind: Kind) -> bool:
    if isinstance(kind, Static):
        return isinstance(kind.value, (bool, np.bool_))
    of_bools = isinstance(kind, Number) and issubclass(kind.type, (bool, np.bool_))
    return of_bools or (isinstance(kind, Array) and kind.dtype.kind == "b") or type(kind) is Unknown


@builtin(max, min)
def _extreme(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """max and min: as a choice between their arguments."""
    varied = any(is_varied(run, v) for v in args) or ("default" in kwargs and is_varied(run, kwargs["default"]))
    if (not varied or run.passive) and all(textual(run, v) for v in [*args, *kwargs.values()]):
        return opaque(run, function, args, kwargs)
    key = kwargs.get("key")
    given = key is not None and not is_none(key)
    if given and len(args) == 1 and isinstance(args[0], Lazy) and not only_looks(args[0]):
        # (the key of an item is asked for before the next item is computed)
        return one_by_one_of(
            run, args[0], lambda: materialized(run, args[0]), lambda items: _extreme(run, function, [items], kwargs)
        )
    largest = function.value is max
    if len(args) > 1 or is_static_iterable(run, args[0]) or isinstance(args[0], Ref):
        items = [hold(run, v) for v in (args if len(args) > 1 else iterate_static(run, args[0]))]
        if not items and "default" in kwargs:
            return kwargs["default"]
        by_name = key is not None and len(items) <= LARGEST_CHOICE and all(isinstance(static(v), str) for v in items)
        if by_name or any(isinstance(v, (Ref, Tup)) for v in items):
            choice = library.larger if largest else library.smaller
            sources = [] if len(args) > 1 else args
            return run_over(run, sources, lambda: extreme_by_choice(run, items, key, choice))
        args = items if len(args) > 1 else args
    if given:
        held = materialized(run, args[0]) if len(args) == 1 else new_list(run, [hold(run, v) for v in args])
        if "default" in kwargs and isinstance(held, Ref) and not iterate_static(run, held):
            return kwargs["default"]
        if "default" in kwargs and isinstance(held, Leaf):
            run.refuse(f"{function.value.__name__} with a key and a default", ways.ASK)
        by_key = library.largest_by if largest else library.smallest_by
        sources = [] if len(args) > 1 else args
        return run_over(run, sources, lambda: inline_library(run, by_key, [held, key or Known(None)], {}))
    if len(args) == 1:
        value = args[0]
        if not is_static_iterable(run, value) and not isinstance(value, Ref):
            if not (isinstance(value, Leaf) and isinstance(value.kind, (Array, Unknown))):
                value = materialized(run, value)
            if isinstance(value, Leaf) and isinstance(value.kind, ListOf):
                if not isinstance(value.kind.item, (Number, Nothing)):
                    if "default" in kwargs:
                        run.refuse(f"{function.value.__name__} of tuples and a default", ways.ASK)
                    return inline_library(run, library.largest_of if largest else library.smallest_of, [value], {})
                value = as_array(run, value)
            if "default" in kwargs:
                test = gast.Compare(
                    gast.Call(load("len"), [expression(run, value)], []), [gast.Gt()], [gast.Constant(0, None)]
                )
                return choose(run, test, lambda: numpy_call(run, function.value, [value]), lambda: kwargs["default"])
            return numpy_call(run, np.max if largest else np.min, [value])
        args = iterate_static(run, value)
        if not args:
            if "default" in kwargs:
                return kwargs["default"]
            run.refuse(f"{function.value.__name__}() of nothing raises ValueError", ways.ASK)
    if len(args) == 1:
        return args[0]
    if registry.lookup(function.value) is not None and all(
        isinstance(kind_of(run, v), (Number, Unknown)) for v in args
    ):
        return operation(
            run, function.value, lambda exprs, _: gast.Call(expression(run, function), exprs, []), list(args)
        )
    result = args[0]
    op = gast.GtE if largest else gast.LtE
    for other in args[1:]:
        a, b = hold(run, result), hold(run, other)
        test = gast.Compare(expression(run, a), [op()], [expression(run, b)])
        result = choose(run, test, lambda v=a: v, lambda v=b: v)
    return result


@builtin(bool)
def _bool(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """bool() of what is known to be true or false."""
    known = known_truth(run, args[0]) if len(args) == 1 and not kwargs and not instance_of(run, args[0]) else None
    return NotImplemented if known is None else Known(known)


@builtin(any, all)
def _any_all(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if not is_static_iterable(run, args[0]):
        if textual(run, args[0]):
            run.lost = run.lost or is_varied(run, args[0])
            return Leaf(call_node(run, expression(run, function), args, kwargs), Number(bool), nested=True)
        args = [without_changes(run, lambda: materialized(run, args[0]))]
    stop = function.value is any
    open_ends = []
    for item in without_changes(run, lambda: iterate_static(run, args[0])):
        truth = known_truth(run, item)
        if truth is None:
            open_ends.append(item)
        elif truth is stop:
            return Known(stop)
    if not open_ends:
        return Known(not stop)
    display = gast.Tuple([expression(run, v) for v in open_ends], gast.Load())
    return Leaf(gast.Call(expression(run, function), [display], []), Number(bool), nested=True)


@builtin(functools.reduce)
def _reduce(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if is_static_iterable(run, args[1]) or isinstance(args[1], Ref):

        def reduced(items: list[Value]) -> Value:
            items = [*args[2:], *items]
            if not items:
                run.refuse("reduce() of nothing without a first value raises TypeError", "give it a first value")
            total = items[0]
            for item in items[1:]:
                total = hold(run, call_value(run, args[0], [total, item], {}))
            return total

        found: Value = one_by_one_of(run, args[1], lambda: iterate_static(run, args[1]), reduced)
        return found
    if len(args) > 2:
        return inline_library(run, library.reduce_of, args, {})
    if isinstance(args[1], Leaf):
        return inline_library(run, library.reduce_rest, args, {})

    def rest(source: Value) -> Value:
        result: Value = inline_library(run, library.reduce_rest, [args[0], source], {})
        return result

    return one_by_one_of(run, args[1], lambda: materialized(run, args[1]), rest)


@builtin(super)
def _super(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    return super_object(run, args)


@builtin(setattr)
def _setattr(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    name = static(args[1])
    if not isinstance(name, str):
        run.refuse("setattr with a name that is not known at derivation", ways.ASSIGN)
    set_attribute(run, args[0], name, args[2])
    return Known(None)


@builtin(inspect.ismethod, inspect.isfunction)
def _is_method(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """inspect.ismethod and inspect.isfunction of what is known, or is no function for certain."""
    value = args[0] if len(args) == 1 and not kwargs else None
    if isinstance(value, Known):
        return constant(run, bool(function.value(value.value)))
    if isinstance(value, Leaf) and isinstance(value.kind, (Number, Array, ListOf)):
        return constant(run, False)
    return NotImplemented


@builtin(object.__setattr__)
def _set_plainly(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """object.__setattr__: of a frozen dataclass, too, and past properties."""
    name = static(args[1])
    obj = run.state.heap[args[0].id] if isinstance(args[0], Ref) else None
    if not isinstance(obj, Instance) or not isinstance(name, str):
        run.refuse("object.__setattr__ on something that is not an object of known attributes", ways.ASSIGN)
    assert isinstance(obj, Instance)
    obj.attributes[name] = hold(run, kept_iterator(run, args[2]), name)
    container_changed(run, obj)
    return Known(None)


@builtin(float.__new__)
def _new_number(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """float.__new__(cls, x): an object of a class that is built on float, which is a number and has attributes."""
    cls: Any = static(args[0]) if args else None
    plain = not isinstance(cls, type) or not issubclass(cls, float) or is_standard(cls)
    if plain or len(args) != 2 or kwargs or hasattr(cls, NUMBER_WITHIN):
        return call_value(run, args[0], args[1:], kwargs) if cls is float else NotImplemented
    number = hold(run, call_value(run, Known(float, load("float")), args[1:], {}))
    return allocate(run, Instance(cls, {NUMBER_WITHIN: number}, run.site(run.node)))


@builtin(object.__new__, types.SimpleNamespace.__new__)
def _new(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """object.__new__(cls): no attributes yet."""
    cls = static(args[0])
    if not isinstance(cls, type) or len(args) > 1:
        run.refuse("object.__new__ of a class that is not known at derivation", "call the class")
    return allocate(run, Instance(cls, {}, run.site(run.node)))


@builtin(divmod)
def _divmod(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    a, b = (hold(run, v) for v in args)
    return Tup((binary(run, gast.FloorDiv, a, b), binary(run, gast.Mod, a, b)))


_SINGLE = (np.float32, np.float16)


@builtin(complex)
def _complex(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    parts = [*args, *kwargs.values()]
    for value in parts:
        if isinstance(value, Leaf) and isinstance(value.kind, Unknown):
            check_not_read_back(run, value.expr)
    if not any(is_varied(run, v) for v in args) or run.passive:
        return NotImplemented
    # numbers in single precision become floats first, as `complex` has none
    single = [isinstance(v, Leaf) and isinstance(v.kind, Number) and v.kind.type in _SINGLE for v in parts]
    as_float = Known(float, load("float"))
    parts = [call_value(run, as_float, [v], {}) if s else v for v, s in zip(parts, single, strict=True)]
    if len(parts) == 1:
        return binary(run, gast.Add, parts[0], Leaf(gast.Constant(0j, None), Number(complex), const=0j))
    imaginary = binary(run, gast.Mult, Leaf(gast.Constant(1j, None), Number(complex), const=1j), parts[1])
    return binary(run, gast.Add, parts[0], imaginary)


_OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "or_")


@builtin(*(getattr(operator, n) for n in _OPERATORS))
def _operator(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """operator.add and the like as the operators that they are."""
    for op, target in BINARY.items():
        if target is function.value and len(args) == 2:
            return binary(run, op, *args)
    return NotImplemented


_FLOATING = (np.float64, np.float32, np.float16, np.longdouble, np.complex128, np.complex64)


@builtin(*_FLOATING)
def _not_read_back(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.float64(text)"""
    for value in args:
        if isinstance(value, Leaf) and isinstance(value.kind, (Unknown, Object)):
            check_not_read_back(run, value.expr)
    return NotImplemented


@builtin(str, repr, format)
def _text(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """str, repr and format: text, which carries no derivative."""
    known = [static(v) for v in args]
    if function.value is str and len(args) == 1 and isinstance(known[0], (str, int)) and not isinstance(args[0], Tup):
        return Known(str(known[0]))
    return Leaf(call_node(run, expression(run, function), args, kwargs), Unknown(), nested=True)


@builtin(functools.wraps)
def _wraps(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """functools.wraps(f): a decorator that changes nothing but names."""
    return Known(_itself)


@builtin(functools.lru_cache, functools.cache)
def _cached(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """functools.cache and lru_cache of a function that is defined here: the function."""
    if len(args) == 1 and not kwargs and isinstance(args[0], (Closure, Method, Partial)):
        return _called_again(run, function, args, kwargs)
    if any(isinstance(v, Known) and v.can_be_called for v in args):
        return NotImplemented
    return Known(_cache_of)


def _cache_of(function: Any) -> Any:
    return function


@builtin(_cache_of)
def _called_again(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """A cached function as the function, where calling it again gives the same."""
    found = args[0]
    while not isinstance(found, Closure):
        if not isinstance(found, (Method, Partial)):
            return args[0]
        found = found.function
    tree = found.source.tree
    run.calls.memoized.add(id(tree))
    reason = caches.effect_of(tree)
    for name in caches.free_names(tree):
        held = run.state.frames.get(found.frame, {}).get(name) if found.frame is not None else None
        if reason is None and isinstance(held, Closure) and held.source.tree is not tree:
            reason = caches.effect_of(held.source.tree)
    frame = found.frame
    while frame is not None and reason is None:
        around = run.frames[frame].source.tree
        changes = caches.changed_later(tree, around)
        reason = f"reads {changes!r}, which changes," if changes is not None else None
        if isinstance(tree, gast.FunctionDef) and caches.results_changed(tree.name, around):
            run.calls.cached.add(id(tree))
        frame = run.frames[frame].parent
    if reason is not None:
        run.refuse(f"a function that {reason} is cached: its second call gives what the first gave", ways.NOT_CACHED)
    return args[0]


def _itself(function: Any) -> Any:
    return function


@builtin(_itself)
def _same_value(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    return args[0]


@builtin(stop_gradient)
def _stopped(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """stop_gradient(x): x, where it stands now, as a constant."""
    (value,) = (*args, *kwargs.values())
    if isinstance(value, Tup):
        return Tup(tuple(_stopped(run, function, [v], {}) for v in value.items), value.cls)
    obj = run.state.heap[value.id] if isinstance(value, Ref) else None
    if isinstance(obj, ListObj):
        return new_list(run, [_stopped(run, function, [v], {}) for v in obj.items])
    if isinstance(obj, DictObj):
        return new_dict(run, {k: _stopped(run, function, [v], {}) for k, v in obj.items.items()}, run.site(run.node))
    if not is_varied(run, value):
        return value
    if not isinstance(value, Leaf) or isinstance(value.kind, (ListOf, Object)):
        run.refuse("stop_gradient of this value", "give it a number, an array, or a tuple, list or dict of them")
    held = hold(run, value)
    assert isinstance(held, Leaf)
    assert isinstance(held, Leaf)
    copied = {Number: "x", Array: "x.copy()"}.get(type(held.kind), "+x")
    return define(run, "t", quote(copied, x=held.expr), held.kind)


@builtin(eval)
def _eval(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """eval with names of its own that hold nothing active is a call like any other."""
    if kwargs or len(args) < 2 or any(is_varied(run, v) for v in args) or not all(textual(run, v) for v in args):
        run.refuse("eval is not differentiated", "write the expression out")
    return opaque(run, function, args, kwargs)


@builtin(object.__init__)
def _nothing(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """object.__init__ and the like."""
    return Known(None)


@builtin(typing.cast)
def _second(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """typing.cast"""
    return args[1] if len(args) == 2 else NotImplemented


BUILTINS.update(
    {
        exec: _refused("exec is not differentiated", "write the statements out"),
        globals: _refused("globals() is a dictionary that the generated module has not", "name the global itself"),
        locals: _refused("locals() is not followed", "write a dictionary of the names that are needed"),
    }
)
