"""NumPy's functions that are not lowered as calls: stores through indices and masks, arrays of lists, dtypes."""

from __future__ import annotations

import operator
import random
from typing import Any

import gast
import numpy as np

from s2sad.core import clone, load
from s2sad.frontend import ways
from s2sad.kinds.kind import Array, Dim, ListOf, Number, Unknown
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.normal.calls import library
from s2sad.normal.calls.dispatch import call_value, vectorized
from s2sad.normal.calls.objects import inline_library
from s2sad.normal.calls.passive import call_node, handed_on
from s2sad.normal.calls.primitives import primitive
from s2sad.normal.calls.tables import JOINS
from s2sad.normal.expressions.attributes import attribute
from s2sad.normal.expressions.operation import operand, operation
from s2sad.normal.expressions.operators import list_as_array, numpy_function
from s2sad.normal.expressions.subscripts import flat_places, index_of
from s2sad.normal.handlers import PRIMITIVE_MUTATORS, builtin
from s2sad.normal.iteration.asking import allocate, is_static_iterable, materialized
from s2sad.normal.iteration.at_once import iterate_static
from s2sad.normal.memory import leaf_of, mark_varied, stores_in_passing
from s2sad.normal.names import hold
from s2sad.normal.run import Run
from s2sad.normal.statements.stores import as_stored, holds_floats, store_into, written_through
from s2sad.normal.values.abstract import Instance, Known, Lazy, Leaf, ListObj, Ref, Tup, Value, is_none
from s2sad.normal.values.classes import class_of, find_method, static
from s2sad.normal.values.facts import global_name, infer_kind, is_varied, kind_of
from s2sad.normal.values.making import constant, expression
from s2sad.normal.values.structure import as_array, number_in, numpy_call, plain_item
from s2sad.normal.words import NO
from s2sad.normal.writing import anchor, define, write

#: those that treat arrays of different ranks differently
_BY_RANK = {np.vstack, np.hstack, np.dstack, np.column_stack}
#: what makes an array of it
_MAKERS = {np.array, np.asarray, np.asanyarray, np.fromiter}
#: functions that return an array itself where it has at least this rank
_LEAST_RANKS = {np.asarray: 0, np.asanyarray: 0, np.atleast_1d: 1, np.atleast_2d: 2, np.atleast_3d: 3}


@builtin(np.iscomplexobj, np.isrealobj)
def _complexity(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.iscomplexobj and np.isrealobj, which are known with the kind."""
    kind = kind_of(run, args[0])
    if not isinstance(kind, (Number, Array)) or (kind.types if isinstance(kind, Number) else kind.mixed):
        return NotImplemented
    dtype = kind.dtype if isinstance(kind, Array) else np.dtype(kind.type)
    return Known((dtype.kind == "c") is (function.value is np.iscomplexobj))


@builtin(np.vectorize)
def _vectorize(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.vectorize(f) as a function."""
    kwargs.pop("cache", None)
    given = kwargs.pop("otypes", Known(None))
    listed = isinstance(given, Ref) and isinstance(run.state.heap[given.id], ListObj)
    otypes = [static(v) for v in iterate_static(run, given)] if listed else static(given)
    if otypes not in (None, "d", [float], (float,), ["d"], [np.float64]):
        run.refuse("np.vectorize with these otypes", "leave them out: floats follow")
    signature = static(kwargs.pop("signature", Known(None)))
    if kwargs or len(args) != 1:
        return NotImplemented
    return vectorized(run, args[0], signature, given=otypes is not None)


@builtin(library.one_float)
def _one_float(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """What np.vectorize stores: complex numbers would be cut to their real parts."""
    value = hold(run, args[0])
    if isinstance(value, (Tup, Ref)):
        run.refuse("np.vectorize of a function with several results", "make a function of each, or write a loop")
    kind = value.kind if isinstance(value, Leaf) else None
    if isinstance(kind, Number) and issubclass(kind.type, (complex, np.complexfloating)):
        run.refuse("np.vectorize of a function with complex values", "use np.array of a list of them")
    return value


@builtin(library.in_double)
def _in_double(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """Are all of these known to be floats of double precision?"""
    kinds = [kind_of(run, value) for value in args]
    return Known(all(float in (getattr(k, "type", None), getattr(k, "dtype", None)) for k in kinds))


@builtin(np.copyto)
def _copyto(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.copyto(dst, src, casting, where)"""
    given = dict(zip(("dst", "src", "casting", "where"), args, strict=False)) | kwargs
    casting = static(given.pop("casting", Known("same_kind")))
    if given.keys() - {"dst", "src", "where"} or casting != "same_kind":
        run.refuse("np.copyto with this casting", ways.STORE)
    where = given.get("where", Known(True))
    if static(where) is True:
        store_into(run, given["dst"], gast.Constant(Ellipsis, None), given["src"])
        return Known(None)
    if not any(is_varied(run, v) for v in given.values()):
        return _writes(run, function, args, kwargs)
    return _masked_store(run, function, [given["dst"], where, given["src"]], {})


PRIMITIVE_MUTATORS[np.copyto] = _copyto


@builtin(np.add.at)
def _add_at(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if any(is_varied(run, v) for v in args):
        stores_in_passing(run)
    target, index, value = args
    base = written_through(run, target)
    where = anchor(run, leaf_of(run, index)).expr if not isinstance(index, Tup) else operand(run, index)
    atoms = [base.expr, where, operand(run, as_stored(run, base, where, value))]
    call = gast.Call(expression(run, function), [clone(a) for a in atoms], [])
    statement = write(run, gast.Expr(call))
    statement.scatter = (atoms[0], atoms[1], atoms[2])
    mark_varied(run, base, is_varied(run, value) and holds_floats(run, base))
    return Known(None)


@builtin(
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
)
def _from_list(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """NumPy functions of a run-time list with active values."""
    if not args or run.passive:
        return NotImplemented
    value = args[0]
    if isinstance(value, Lazy) and function.value is np.fromiter:
        value = materialized(run, value)
    if isinstance(value, Lazy) or not is_varied(run, value):
        return NotImplemented
    if function.value in _BY_RANK and isinstance(value, (Ref, Tup)) and is_static_iterable(run, value):
        parts = [list_as_array(run, v, True) for v in iterate_static(run, value)]
        if any(isinstance(v, (Ref, Tup)) for v in iterate_static(run, value)):
            return primitive(run, function, [allocate(run, ListObj(parts, None)), *args[1:]], kwargs)
    if isinstance(value, Ref):
        obj = run.state.heap[value.id]
        if not isinstance(obj, ListObj):
            return NotImplemented
        if not any(isinstance(v, Leaf) and isinstance(v.kind, ListOf) for v in obj.items):
            return NotImplemented
        items: list[Value] = [as_array(run, v) for v in obj.items]
        return primitive(run, function, [allocate(run, ListObj(items, obj.site)), *args[1:]], kwargs)
    if not (isinstance(value, Leaf) and isinstance(value.kind, ListOf)):
        return NotImplemented
    item = value.kind.item
    target = function.value
    axis = static(args[1]) if len(args) > 1 else static(kwargs["axis"]) if "axis" in kwargs else 0
    if target in JOINS and plain_item(item):
        return primitive(run, function, args, kwargs)
    if target in JOINS and (len(args) > 2 or kwargs.keys() - {"axis"} or target is np.dstack):
        run.refuse(f"np.{target.__name__} of a run-time list of such items", ways.ONE_BY_ONE)
    made = as_array(run, value)
    if target in JOINS:  # of tuples and short lists of numbers, which are the rows
        if target is np.vstack or (target is np.stack and axis == 0):
            return made
        if target is np.column_stack or (target is np.stack and axis in (1, -1)):
            return numpy_call(run, np.transpose, [made])
        if target is np.hstack or axis in (0, None, -1):
            return numpy_call(run, np.ravel, [made])
        run.refuse(f"np.{target.__name__} of a run-time list along this axis", ways.ONE_BY_ONE)
    if target in _MAKERS:
        given = args[1] if len(args) > 1 else kwargs.get("dtype", Known(None))
        kind = kind_of(run, made)
        dtype, own = static(given), kind.dtype if isinstance(kind, Array) else None
        if len(args) <= 2 and kwargs.keys() <= {"dtype", "copy", "order", "subok"}:
            if dtype is None or (dtype in (float, np.float64) and own == np.dtype(float)):
                return made
            if dtype in (float, np.float64) and own is None and plain_item(item):
                return as_array(run, value, given)
        if target is np.fromiter and dtype not in (float, np.float64):
            run.refuse("np.fromiter of active values with a dtype other than float", "use np.array")
    if target is np.append:
        run.refuse("np.append of a run-time list", "use np.stack")
    return call_value(run, function, [made, *args[1:]], kwargs)


@builtin(np.block)
def _block(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.block of a run-time list of active arrays: one row, joined along the last axis."""
    if len(args) != 1 or kwargs or run.passive:
        return NotImplemented
    (value,) = args
    kind: Any = value.kind.item if isinstance(value, Leaf) and isinstance(value.kind, ListOf) else None
    if not isinstance(kind, (Array, Unknown)) or not is_varied(run, value):
        return NotImplemented
    if not isinstance(kind, Array) or kind.shape is None:
        run.refuse(
            "np.block of a run-time list of arrays whose rank is not known",
            "use np.concatenate, np.hstack or np.column_stack",
        )
    if not kind.shape:
        return as_array(run, value)
    return call_value(run, Known(np.concatenate), [value, number_in(-1)], {})


@builtin(np.isscalar)
def _isscalar(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    cls = class_of(run, args[0])
    return NotImplemented if cls is None else Known(issubclass(cls, (int, float, complex, str, bytes, np.generic)))


@builtin(*_LEAST_RANKS)
def _same_array(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.asarray and the like of what is such an array already: the array itself, not another one."""
    value, rank = args[0] if args else None, _LEAST_RANKS[function.value]
    kind = value.kind if isinstance(value, Leaf) else None
    if not rank and len(args) == 3:  # (array, dtype, order)
        dtype = {} if static(args[1]) is None else {"dtype": args[1]}
        return call_value(run, function, args[:1], {**dtype, "order": args[2], **kwargs})
    if isinstance(kind, Array) and kind.shape is not None and len(kind.shape) >= max(rank, 1):
        if rank and len(args) == 1 and not kwargs:
            return value
        dtype = static(args[1]) if len(args) == 2 else static(kwargs.get("dtype", Known(None)))
        if not rank and len(args) <= 2 and set(kwargs) <= {"dtype"} and (dtype is None or _is_dtype(dtype, kind.dtype)):
            return value
    return _from_list(run, function, args, kwargs)


@builtin(*(f for f in (np.issubdtype, getattr(np, "isdtype", None)) if f is not None))
def _of_dtypes(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.issubdtype and np.isdtype of dtypes that are known."""
    known = [_static_dtype(v) for v in args]
    if kwargs or any(v is NO for v in known):
        return NotImplemented
    try:
        return constant(run, bool(function.value(*known)))
    except (TypeError, ValueError):
        return NotImplemented


def _static_dtype(value: Value) -> Any:
    """A dtype, or what says a kind of dtypes, where it is known."""
    if isinstance(value, Tup):
        parts = [_static_dtype(v) for v in value.items]
        return NO if any(p is NO for p in parts) else tuple(parts)
    found = static(value)
    return found if isinstance(found, (np.dtype, type, str)) else NO


def _is_dtype(given: Any, dtype: np.dtype[Any]) -> bool:
    try:
        return bool(np.dtype(given) == dtype)
    except TypeError:
        return False


@builtin(np.require)
def _require(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.require: what it asks for beyond a dtype is how the array lies in memory."""
    given = dict(zip(("a", "dtype", "requirements"), args, strict=False)) | kwargs
    if "a" not in given or set(given) - {"a", "dtype", "requirements"}:
        return NotImplemented
    asked = given.get("requirements", Known(None))
    if isinstance(asked, Ref) and isinstance(run.state.heap[asked.id], ListObj):
        asked = Tup(tuple(iterate_static(run, asked)))
    names = static(asked)
    names = () if names is None else (names,) if isinstance(names, str) else names
    if names is NO or not set(names) <= {"C", "F"} or len(names) > 1:
        return NotImplemented
    options = {k: given[k] for k in ("dtype",) if k in given and not is_none(given[k])}
    does, kind = "asarray", kind_of(run, given["a"])
    if names and isinstance(kind, Array) and kind.rank:  # (of a number, these would make an array with an axis)
        does = {"C": "ascontiguousarray", "F": "asfortranarray"}[names[0]]
    elif names:
        options["order"] = Known(*names)
    return call_value(run, numpy_function(run, does), [given["a"]], options)


@builtin(np.ndarray.__new__)
def _new_array(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.ndarray.__new__(cls, shape, float, buffer): an object whose class is written on top of arrays.

    What the methods of the class do with its attributes is followed; what NumPy does with it is refused.
    """
    cls, names = static(args[0]) if args else None, ("cls", "shape", "dtype", "buffer")
    given = dict(zip(names, args, strict=False)) | kwargs
    derived = isinstance(cls, type) and cls is not np.ndarray and issubclass(cls, np.ndarray)
    if not derived or set(given) - set(names) or "buffer" not in given:
        return NotImplemented
    assert isinstance(cls, type)
    ref = allocate(run, Instance(cls, {}, run.site(run.node)))
    finalize = find_method(run, ref, "__array_finalize__")
    if finalize is not None:
        call_value(run, finalize, [Known(None)], {})
    return ref


@builtin(np.fill_diagonal)
def _fill_diagonal(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.fill_diagonal(array, value) as a store through the indices of the diagonal."""
    if kwargs or len(args) != 2:
        run.refuse("np.fill_diagonal with wrap", ways.STORE)
    base = written_through(run, args[0])
    rank = len(base.kind.shape) if isinstance(base.kind, Array) and base.kind.shape is not None else 0
    if rank != 2 or not isinstance(kind_of(run, args[1]), Number):
        if not is_varied(run, args[0]) and not is_varied(run, args[1]):
            return _writes(run, function, args, kwargs)
        if rank < 2:
            run.refuse("np.fill_diagonal of an array whose rank is not known", ways.STORE)
        return inline_library(run, library.diagonal_filled, [base, args[1]], {})
    name = load(global_name(run, "np", np))
    count = gast.Call(load("min"), [gast.Attribute(clone(base.expr), "shape", gast.Load())], [])
    places = gast.Call(gast.Attribute(name, "arange", gast.Load()), [count], [])
    diagonal = define(run, "diagonal", places, Array(np.dtype(int), (run.symbol(),)))
    index = gast.Tuple([clone(diagonal.expr), clone(diagonal.expr)], gast.Load())
    store_into(run, base, index, args[1])
    return Known(None)


@builtin(np.putmask, np.place)
def _masked_store(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.putmask and np.place as stores through a mask."""
    if not any(is_varied(run, v) for v in args):
        return _writes(run, function, args, kwargs)
    if len(args) != 3 or kwargs:
        run.refuse(f"np.{function.value.__name__} in this form", ways.STORE)
    base, mask, value = args
    if isinstance(value, Ref) and len(items := iterate_static(run, value)) == 1:
        value = items[0]
    held = hold(run, mask, "mask")
    kind, whole, of_mask = kind_of(run, value), kind_of(run, base), kind_of(run, held)
    fits = isinstance(whole, Array) and isinstance(of_mask, Array) and of_mask.shape == whole.shape is not None
    if (isinstance(kind, Array) and kind.shape != ()) or (function.value is np.copyto and not fits):
        same = isinstance(kind, Array) and isinstance(whole, Array) and kind.shape == whole.shape is not None
        if function.value is np.copyto:
            # the values and the mask are broadcast
            old = hold(run, leaf_of(run, base))
            store_into(run, base, gast.Constant(Ellipsis, None), numpy_call(run, np.where, [held, value, old]))
            return Known(None)
        if function.value is np.place:
            return inline_library(run, library.placed, [base, held, value], {})
        if not same:
            run.refuse(
                f"np.{function.value.__name__} with values that are repeated",
                ways.STORE,
            )
        index = expression(run, held)
        value = operation(
            run,
            operator.getitem,
            lambda exprs, _: gast.Subscript(exprs[0], clone(index), gast.Load()),
            [hold(run, value)],
        )
    elif not isinstance(kind, (Number, Array)):
        if function.value is np.place:
            return inline_library(run, library.placed, [base, held, value], {})
        run.refuse(f"np.{function.value.__name__} with these values", ways.STORE)
    store_into(run, base, expression(run, held), value)
    return Known(None)


@builtin(np.subtract.at)
def _subtract_at(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if not any(is_varied(run, v) for v in args):
        return NotImplemented
    stores_in_passing(run)
    name = gast.Attribute(gast.Attribute(load(global_name(run, "np", np)), "add", gast.Load()), "at", gast.Load())
    value = list_as_array(run, args[2], tuples=True, arrays=True)
    negative = hold(run, operation(run, operator.neg, lambda exprs, _: gast.UnaryOp(gast.USub(), exprs[0]), [value]))
    return _add_at(run, Known(np.add.at, name), [args[0], args[1], negative], kwargs)


@builtin(np.put)
def _put(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.put(array, places, values): a store through positions in the flattened array."""
    if not any(is_varied(run, v) for v in args) or run.passive:
        return _writes(run, function, args, kwargs)
    if kwargs or len(args) != 3:
        run.refuse("np.put with a mode", ways.STORE)
    base = written_through(run, args[0])
    places, value = args[1:]
    count = _lengths(kind_of(run, places))
    given = _lengths(kind_of(run, value))
    if given not in ((), count):
        run.refuse(
            "np.put with values that are repeated",
            ways.STORE,
            concrete=True,
        )
    store_into(run, base, index_of(run, flat_places(run, base, places)), value)
    return Known(None)


def _lengths(kind: Any) -> Any:
    """The shape of an index or of values."""
    if isinstance(kind, (ListKind, TupleKind)):
        return (Dim.of(len(kind.items)),)
    return kind.shape if isinstance(kind, Array) else () if isinstance(kind, Number) else None


@builtin(np.put_along_axis)
def _put_along_axis(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.put_along_axis(array, places, values, axis): the other axes are run through by ranges."""
    axis: Any = static(args[3]) if len(args) > 3 else static(kwargs["axis"]) if "axis" in kwargs else NO
    if not any(is_varied(run, v) for v in args):
        return _writes(run, function, args, kwargs)
    base = written_through(run, args[0])
    shape = (base.kind.shape or ()) if isinstance(base.kind, Array) else ()
    if axis is None and len(shape) == 1:
        axis = 0
    if not isinstance(axis, int) or not shape:
        run.refuse("np.put_along_axis of an array of unknown rank, or along an axis that is not known", ways.STORE)
    np_ = load(global_name(run, "np", np))
    parts: list[Any] = []
    for k in range(len(shape)):
        if k in (axis, axis + len(shape)):
            parts.append(anchor(run, leaf_of(run, args[1]), "places").expr)
            continue
        count = gast.Subscript(
            gast.Attribute(clone(base.expr), "shape", gast.Load()), gast.Constant(k, None), gast.Load()
        )
        along = gast.Call(gast.Attribute(clone(np_), "arange", gast.Load()), [count], [])
        if len(shape) > 1:
            sizes = [gast.Constant(-1 if j == k else 1, None) for j in range(len(shape))]
            along = gast.Call(gast.Attribute(along, "reshape", gast.Load()), sizes, [])
        parts.append(define(run, "along", along, infer_kind(run, along)).expr)
    store_into(run, base, parts[0] if len(parts) == 1 else gast.Tuple(parts, gast.Load()), args[2])
    return Known(None)


@builtin(np.ndindex)
def _ndindex(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.ndindex(shape): a list of tuples of ints."""
    if len(args) == 1 and isinstance(args[0], Tup):
        args = list(args[0].items)
    shape = kind_of(run, args[0]) if len(args) == 1 else None
    rank = len(shape.items) if isinstance(shape, TupleKind) else len(args)
    call = gast.Call(load("list"), [call_node(run, expression(run, function), args, {})], [])
    return Leaf(call, ListOf(TupleKind((Number(int),) * rank)), nested=True)


@builtin(np.ndenumerate)
def _ndenumerate(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.ndenumerate(array): its indices beside its elements."""
    (array,) = args
    held = hold(run, array)
    kind = kind_of(run, held)
    if not isinstance(kind, Array) or kind.shape is None or not is_varied(run, held):
        return NotImplemented
    places = _ndindex(run, Known(np.ndindex), [attribute(run, held, "shape")], {})
    return Lazy(zip, (hold(run, places), hold(run, attribute(run, held, "flat"))))


@builtin(random.shuffle, np.random.shuffle)
def _writes(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """A library function that writes into its first argument."""
    if any(is_varied(run, v) for v in [*args, *kwargs.values()]):
        name = getattr(function.value, "__name__", "this function")
        run.refuse(f"{name} writes into an array with active values", ways.STORE)
    call = call_node(run, expression(run, function), args, kwargs)
    handed_on(run, call, Unknown())
    write(run, gast.Expr(call))
    return Known(None)
