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
from s2sad.normal import library
from s2sad.normal.calls import JOINS
from s2sad.normal.expressions import _NO, static
from s2sad.normal.handlers import PRIMITIVE_MUTATORS, builtin
from s2sad.normal.structure import number_in, plain_item
from s2sad.normal.values import (
    Instance,
    Known,
    Lazy,
    Leaf,
    ListObj,
    Ref,
    Tup,
    Value,
    is_none,
)

#: those that treat arrays of different ranks differently
_BY_RANK = {np.vstack, np.hstack, np.dstack, np.column_stack}

#: what makes an array of it
_MAKERS = {np.array, np.asarray, np.asanyarray, np.fromiter}

#: functions that return an array itself where it has at least this rank
_LEAST_RANKS = {np.asarray: 0, np.asanyarray: 0, np.atleast_1d: 1, np.atleast_2d: 2, np.atleast_3d: 3}


@builtin(np.iscomplexobj, np.isrealobj)
def _complexity(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.iscomplexobj and np.isrealobj, which are known with the kind."""
    kind = self.kind(args[0])
    if not isinstance(kind, (Number, Array)) or (kind.types if isinstance(kind, Number) else kind.mixed):
        return NotImplemented
    dtype = kind.dtype if isinstance(kind, Array) else np.dtype(kind.type)
    return Known((dtype.kind == "c") is (function.value is np.iscomplexobj))


@builtin(np.vectorize)
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


@builtin(library.one_float)
def _one_float(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """What np.vectorize stores: complex numbers would be cut to their real parts."""
    value = self.held(args[0])
    if isinstance(value, (Tup, Ref)):
        self.refuse("np.vectorize of a function with several results", "make a function of each, or write a loop")
    kind = value.kind if isinstance(value, Leaf) else None
    if isinstance(kind, Number) and issubclass(kind.type, (complex, np.complexfloating)):
        self.refuse("np.vectorize of a function with complex values", "use np.array of a list of them")
    return value


@builtin(library.in_double)
def _in_double(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """Are all of these known to be floats of double precision?"""
    kinds = [self.kind(value) for value in args]
    return Known(all(float in (getattr(k, "type", None), getattr(k, "dtype", None)) for k in kinds))


@builtin(np.copyto)
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


PRIMITIVE_MUTATORS[np.copyto] = _copyto


@builtin(np.add.at)
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
    if target in JOINS and plain_item(item):
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
            if dtype in (float, np.float64) and own is None and plain_item(item):
                return self.as_array(value, given)
        if target is np.fromiter and dtype not in (float, np.float64):
            self.refuse("np.fromiter of active values with a dtype other than float", "use np.array")
    if target is np.append:
        self.refuse("np.append of a run-time list", "use np.stack")
    return self.call_value(function, [made, *args[1:]], kwargs)


@builtin(np.block)
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
    return self.call_value(Known(np.concatenate), [value, number_in(-1)], {})


@builtin(np.isscalar)
def _isscalar(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    cls = self.class_of(args[0])
    return NotImplemented if cls is None else Known(issubclass(cls, (int, float, complex, str, bytes, np.generic)))


@builtin(*_LEAST_RANKS)
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


@builtin(*(f for f in (np.issubdtype, getattr(np, "isdtype", None)) if f is not None))
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


def _is_dtype(given: Any, dtype: np.dtype[Any]) -> bool:
    try:
        return bool(np.dtype(given) == dtype)
    except TypeError:
        return False


@builtin(np.require)
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


@builtin(np.ndarray.__new__)
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


@builtin(np.fill_diagonal)
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


@builtin(np.putmask, np.place)
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


@builtin(np.subtract.at)
def _subtract_at(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    if not any(self.is_varied(v) for v in args):
        return NotImplemented
    self.stores_in_passing()
    name = gast.Attribute(gast.Attribute(load(self.global_name("np", np)), "add", gast.Load()), "at", gast.Load())
    value = self.list_as_array(args[2], tuples=True, arrays=True)
    negative = self.held(self.operation(operator.neg, lambda exprs, _: gast.UnaryOp(gast.USub(), exprs[0]), [value]))
    return _add_at(self, Known(np.add.at, name), [args[0], args[1], negative], kwargs)


@builtin(np.put)
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


@builtin(np.put_along_axis)
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


@builtin(np.ndindex)
def _ndindex(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.ndindex(shape): a list of tuples of ints."""
    if len(args) == 1 and isinstance(args[0], Tup):
        args = list(args[0].items)
    shape = self.kind(args[0]) if len(args) == 1 else None
    rank = len(shape.items) if isinstance(shape, TupleKind) else len(args)
    call = gast.Call(load("list"), [self.call_node(self.expression(function), args, {})], [])
    return Leaf(call, ListOf(TupleKind((Number(int),) * rank)), nested=True)


@builtin(np.ndenumerate)
def _ndenumerate(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """np.ndenumerate(array): its indices beside its elements."""
    (array,) = args
    held = self.held(array)
    kind = self.kind(held)
    if not isinstance(kind, Array) or kind.shape is None or not self.is_varied(held):
        return NotImplemented
    places = _ndindex(self, Known(np.ndindex), [self.attribute(held, "shape")], {})
    return Lazy(zip, (self.held(places), self.held(self.attribute(held, "flat"))))


@builtin(random.shuffle, np.random.shuffle)
def _writes(self: Any, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """A library function that writes into its first argument."""
    if any(self.is_varied(v) for v in [*args, *kwargs.values()]):
        name = getattr(function.value, "__name__", "this function")
        self.refuse(f"{name} writes into an array with active values", ways.STORE)
    call = self.call_node(self.expression(function), args, kwargs)
    self.handed_on(call, Unknown())
    self.write(gast.Expr(call))
    return Known(None)
