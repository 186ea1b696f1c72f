"""Kind rules of functions whose result kind is stated rather than found by example.

They are here for one of three reasons: the lengths of the result depend on values (`np.unique`), an example would be
slow or impossible (`np.zeros((n, 784))`, ufuncs), or the result is a length or an int whose value is worth knowing.
"""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Callable as Function
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from s2sad.kinds import dims
from s2sad.kinds.example import by_example
from s2sad.kinds.kind import (
    Array,
    Callable,
    Dict,
    Dim,
    Kind,
    List,
    ListOf,
    Number,
    Object,
    Records,
    Static,
    Tuple,
    Unknown,
)
from s2sad.kinds.pure import words
from s2sad.runtime import helpers

Rule = Function[..., Kind | None]

F8 = np.dtype(np.float64)
#: target -> rule; a rule returns None to leave the answer to an example
RULES: dict[Any, Rule] = {}
#: rules that want to know for which function they are asked
WITH_TARGET: set[Rule] = set()


def rule(*targets: Any) -> Function[[Rule], Rule]:
    def register(function: Rule) -> Rule:
        for target in targets:
            RULES[target] = function
        if "target" in inspect.signature(function).parameters:
            WITH_TARGET.add(function)
        return function

    return register


# --- what a kind says ------------------------------------------------------------------------------------------------


def int_value(kind: Kind | None) -> Dim | None:
    """The value of an int, where known."""
    if isinstance(kind, Number):
        return kind.value
    if isinstance(kind, Static) and type(kind.value) is int:
        return Dim.of(kind.value)
    return None


def shape_of(kind: Kind) -> tuple[Dim, ...] | None:
    """The shape that np.asarray(kind) has, or None."""
    if isinstance(kind, Array):
        return kind.shape
    if isinstance(kind, Number) or (isinstance(kind, Static) and isinstance(kind.value, (bool, int, float, complex))):
        return ()
    if isinstance(kind, (List, Tuple)) and kind.items:
        inner = shape_of(kind.items[0])
        if inner is None:
            return None
        for item in kind.items[1:]:
            other = shape_of(item)
            if other is None or len(other) != len(inner):
                return None
            if any(a != b and a.known and b.known for a, b in zip(inner, other, strict=True)):
                return None
            # parts that do not fit raise, so that any of the two may be taken, and best a plain number
            inner = tuple(a if a.known else b for a, b in zip(inner, other, strict=True))
        return (Dim.of(len(kind.items)), *inner)
    if isinstance(kind, ListOf):
        inner = shape_of(kind.item)
        return None if inner is None else (dims.fresh(), *inner)
    return None


def dtype_of(kind: Kind) -> np.dtype[Any] | None:
    """The dtype that np.asarray(kind) has, or None."""
    if isinstance(kind, Array):
        return kind.dtype
    if isinstance(kind, Number):
        return np.dtype(kind.type) if kind.type in _SCALARS or issubclass(kind.type, np.generic) else None
    if isinstance(kind, Static):
        return np.dtype(type(kind.value)) if type(kind.value) in _SCALARS else None
    if isinstance(kind, (List, Tuple)) and kind.items:
        found = [dtype_of(item) for item in kind.items]
        return None if any(d is None for d in found) else np.result_type(*[d for d in found if d is not None])
    if isinstance(kind, ListOf):
        return dtype_of(kind.item)
    return None


_SCALARS = (bool, int, float, complex)


def dtype_argument(kind: Kind | None) -> np.dtype[Any] | None:
    """The dtype that a dtype= argument asks for, or None."""
    value = _written_dtype(kind)
    if value is None:
        return None
    try:
        dtype: np.dtype[Any] = np.dtype(value)
        return dtype
    except (TypeError, ValueError):
        return None


def _written_dtype(kind: Kind | None) -> Any:
    """What stands for a dtype; that of records may be a list of names and dtypes."""
    if isinstance(kind, List):
        return [_written_dtype(k) for k in kind.items]
    if isinstance(kind, Tuple):
        return tuple(map(_written_dtype, kind.items))
    return kind.value if isinstance(kind, (Static, Callable)) else None


def _of_dtype(dtype: np.dtype[Any] | None, shape: Any) -> Kind:
    """The kind of an array of a dtype, which may be unknown."""
    if dtype is None or any(d.known and d.const < 0 for d in shape or ()):
        return Unknown()  # (there is no array of a negative length)
    return Array(dtype, shape) if dtype.kind in "fciub" else Records(dtype)


def is_none(kind: Kind | None) -> bool:
    """Is the argument left out or the constant None?"""
    return kind is None or (isinstance(kind, Static) and kind.value is None)


def argument(args: list[Kind], kwargs: dict[str, Kind], position: int, name: str) -> Kind | None:
    """An argument by position or name."""
    return args[position] if len(args) > position else kwargs.get(name)


def literal(kind: Kind | None, default: Any = None) -> Any:
    """The Python value of an argument that is known at derivation; raises LookupError when it is not."""
    if kind is None:
        return default
    if isinstance(kind, Static):
        return kind.value
    if isinstance(kind, Number) and kind.value is not None and kind.value.known:
        return kind.value.const
    if isinstance(kind, Tuple):
        return tuple(literal(item) for item in kind.items)
    raise LookupError


def as_shape(kind: Kind | None) -> tuple[Dim, ...] | None:
    """The shape that a shape argument (an int or a tuple or list of ints) stands for; negative ints are kept."""
    if kind is None:
        return None
    if isinstance(kind, (Number, Static)):
        value = int_value(kind)
        if value is None and isinstance(kind, Number) and issubclass(kind.type, (int, np.integer)):
            value = dims.fresh()
        return None if value is None else (value,)
    if isinstance(kind, (Tuple, List)):
        parts = [as_shape(item) if not isinstance(item, (Tuple, List)) else None for item in kind.items]
        if any(p is None for p in parts):
            return None
        return tuple(p[0] for p in parts if p)
    return None


def in_words(words: str, kinds: dict[str, Kind]) -> Kind:
    """The kind that words such as "float", "like x0" say; see `rules.takes_functions`.

    >>> in_words("flat x0", {"x0": Number(float)}).shape[0].const
    1
    """
    parts = words.split(" and ")
    if len(parts) > 1:
        return Tuple(tuple(in_words(part, kinds) for part in parts))
    how, *names = words.split()
    if how == "float":
        return Number(float)
    if how == "float64":
        return Number(np.float64)
    if how == "result":  # what the function gives, as lowering found it
        function = next((k.value for k in kinds.values() if isinstance(k, Callable)), None)
        found: Kind = getattr(function, "__s2sad_result__", Unknown())
        return found
    if how in ("parameters", "covariance"):  # one number for each parameter but the first
        code = next((getattr(k.value, "__code__", None) for k in kinds.values() if isinstance(k, Callable)), None)
        n = dims.fresh() if code is None else Dim.of(code.co_argcount - 1)
        return Array(F8, (n,) if how == "parameters" else (n, n))
    if how == "some":  # numbers, not known how many
        return Array(F8, (dims.fresh(),))
    shapes = [shape_of(kinds[n]) if n in kinds else None for n in names]
    if any(s is None for s in shapes):
        return Array(F8, None)
    joined = tuple(d for s in shapes if s is not None for d in s)
    if how == "like":
        return Number(np.float64) if joined == () else Array(F8, joined)
    if how == "flat":  # one axis
        return Array(F8, (dims.product_of(joined),) if joined else (Dim.of(1),))
    if how == "rows":  # a row for each time, a column for each number
        last = shapes[1] or (Dim.of(1),)
        return Array(F8, (*(shapes[0] or ()), *last))
    if how == "states":  # not known how many, a column for each number
        return Array(F8, (dims.fresh(), dims.product_of(joined) if joined else Dim.of(1)))
    if how == "columns":  # a row for each number, a column for each time
        return Array(F8, (dims.product_of(joined) if joined else Dim.of(1), dims.fresh()))
    raise ValueError(words)


def number(kind: Kind) -> Kind:
    """A Static number as a Number."""
    if isinstance(kind, Static) and type(kind.value) in _SCALARS:
        return Number(type(kind.value), Dim.of(kind.value) if type(kind.value) is int else None)
    return kind


# --- ufuncs ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _scalar_result(target: Any, classes: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """The dtypes of a ufunc's results for operand classes: a dtype for an array, a type for a scalar."""
    values = []
    for cls in classes:
        if isinstance(cls, np.dtype):
            if cls.kind not in "fciub":
                return None
            values.append(np.ones(1, cls))
        else:
            values.append(cls(True if cls in (bool, np.bool_) else 1))
    with np.errstate(all="ignore"):
        try:
            result = target(*values)
        except Exception:
            return None
    parts = result if isinstance(result, tuple) else (result,)
    return tuple(p.dtype if isinstance(p, np.ndarray) else type(p) for p in parts)


def ufunc_kind(target: Any, args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """The kind of an elementwise function's result."""
    if kwargs or len(args) != target.nin or target.signature is not None:
        return None
    return elementwise(target, args)


def elementwise(target: Any, args: list[Kind]) -> Kind | None:
    """The kind of target(*args) for a function that works element by element and broadcasts."""
    classes: list[Any] = []
    shapes: list[tuple[Dim, ...] | None] = []
    for arg in args:
        if isinstance(arg, Array):
            classes.append(arg.dtype)
            shapes.append(arg.shape)
            if arg.shape == () and len(args) > 1:
                classes[-1] = arg.dtype.type  # a 0-d array counts as a scalar of its type
        elif isinstance(arg, Number):
            classes.append(arg.type)
            shapes.append(())
        elif isinstance(arg, Static) and type(arg.value) in _SCALARS:
            classes.append(type(arg.value))
            shapes.append(())
        elif isinstance(arg, (List, Tuple, ListOf)):
            dtype = dtype_of(arg)
            if dtype is None:
                return None
            classes.append(dtype)
            shapes.append(shape_of(arg))
        else:
            return None
    found = _scalar_result(target, tuple(classes))
    if found is None:
        return None
    shape: tuple[Dim, ...] | None = ()
    for other in shapes:
        if other is None or shape is None:
            shape = None
        else:
            shape = dims.broadcast_shapes(shape, other)
            if shape is None:
                return Unknown()  # raises at run time
    results = tuple([_element(cls, shape) for cls in found])
    return results[0] if len(results) == 1 else Tuple(results)


def _element(cls: Any, shape: tuple[Dim, ...] | None) -> Kind:
    dtype = np.dtype(cls)
    if shape == ():
        return Number(cls.type if isinstance(cls, np.dtype) else cls)
    return Array(dtype, shape)


# --- operators on Python values --------------------------------------------------------------------------------------

_UFUNC_OF = {
    operator.add: np.add, operator.sub: np.subtract, operator.mul: np.multiply, operator.truediv: np.true_divide,
    operator.floordiv: np.floor_divide, operator.mod: np.remainder, operator.pow: np.power, operator.neg: np.negative,
    operator.pos: np.positive, operator.abs: np.absolute, abs: np.absolute, operator.invert: np.invert,
    operator.and_: np.bitwise_and, operator.or_: np.bitwise_or, operator.xor: np.bitwise_xor,
    operator.lshift: np.left_shift, operator.rshift: np.right_shift,
    operator.lt: np.less, operator.le: np.less_equal, operator.gt: np.greater, operator.ge: np.greater_equal,
    operator.eq: np.equal, operator.ne: np.not_equal, divmod: np.divmod, pow: np.power,
    operator.iadd: np.add, operator.isub: np.subtract, operator.imul: np.multiply, operator.itruediv: np.true_divide,
    operator.ifloordiv: np.floor_divide, operator.imod: np.remainder, operator.ipow: np.power,
}  # fmt: skip
_PLAIN = {operator.iadd: operator.add, operator.isub: operator.sub, operator.imul: operator.mul,
          operator.itruediv: operator.truediv, operator.ifloordiv: operator.floordiv, operator.imod: operator.mod,
          operator.ipow: operator.pow, operator.imatmul: operator.matmul}  # fmt: skip
_INT_OPERATORS: dict[Any, Function[..., Dim | None]] = {
    operator.add: lambda a, b: a + b,
    operator.sub: lambda a, b: a - b,
    operator.mul: dims.product,
    operator.floordiv: lambda a, b: None if b == dims.ZERO else dims.floordiv(a, b),
    operator.mod: lambda a, b: None if b == dims.ZERO else dims.remainder(a, b),
    operator.neg: lambda a: a * -1,
    operator.pos: lambda a: a,
    operator.abs: lambda a: a if dims.at_least(a, 0) else (a * -1 if dims.at_most(a, 0) else None),
    operator.pow: lambda a, b: Dim.of(a.const**b.const) if a.known and b.known and 0 <= b.const < 64 else None,
}


def compare(target: Any, a: Dim, b: Dim) -> bool | None:
    """What a comparison of two int values is, where it is the same for all values of the symbols."""
    d = a - b
    low, high = dims.certain_lower(d), dims.certain_lower(d * -1)
    zero = d == dims.ZERO
    positive, negative = low is not None and low > 0, high is not None and high > 0
    not_negative, not_positive = low is not None and low >= 0, high is not None and high >= 0
    answers = {
        operator.eq: (zero, positive or negative), operator.ne: (positive or negative, zero),
        operator.lt: (negative, not_negative), operator.le: (not_positive, positive),
        operator.gt: (positive, not_positive), operator.ge: (not_negative, negative),
    }  # fmt: skip
    yes, no = answers[target]
    return True if yes else (False if no else None)


_COMPARISONS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)


def _is_int(kind: Kind) -> bool:
    return isinstance(kind, Number) and kind.type is int


@lru_cache(maxsize=1024)
def _number_type(target: Any, types: tuple[type, ...]) -> type | None:
    """The type of an operator's result on scalars of these types, where all values agree."""
    found = set()
    with np.errstate(all="ignore"):
        for value in (1, 2):
            try:
                found.add(type(target(*[t(value) for t in types])))
            except Exception:
                return None
    return found.pop() if len(found) == 1 else None


@rule(*_UFUNC_OF)
def _operator(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    if target in _PLAIN and args and isinstance(args[0], Array):
        return args[0]  # in place: the same array
    target = _PLAIN.get(target, target)
    if target is abs:
        target = operator.abs
    if kwargs or len(args) > 2:
        return None
    if all(isinstance(a, Static) for a in args) and not all(type(a.value) in (int, float) for a in args):  # type: ignore[attr-defined]
        return None  # folded by the caller
    args = [number(a) for a in args]
    if all(isinstance(a, Number) for a in args):
        numbers = [a for a in args if isinstance(a, Number)]
        values = [a.value for a in numbers]
        if all(a.type is int for a in numbers) and None not in values:
            known = [v for v in values if v is not None]
            if target in _COMPARISONS:
                decided = compare(target, *known)
                return Number(bool) if decided is None else Static(decided)
            if target in _INT_OPERATORS:
                result = _INT_OPERATORS[target](*known)
                if result is not None:
                    return Number(int, result)
                if target is operator.pow and known[1].known and known[1].const < 0:
                    return Number(float)
        if target is divmod and len(numbers) == 2:
            first, second = _operator(args, {}, operator.floordiv), _operator(args, {}, operator.mod)
            return Tuple((first, second)) if first and second else None
        found = _number_type(target, tuple([a.type for a in numbers]))
        return Number(found) if found is not None else None
    if any(isinstance(a, Array) for a in args):
        if not all(isinstance(a, (Array, Number, List, Tuple, ListOf)) for a in args):
            if target in (operator.eq, operator.ne) and any(is_none(a) for a in args):
                return None
            return Unknown()
        return elementwise(_UFUNC_OF[target], args)
    return _sequence_operator(target, args)


def _one_kind(items: Sequence[Kind]) -> Kind | None:
    """The kind that all items have; None where they have several (1 and True are two constants, though equal)."""
    kinds = {(k, type(k.value) if isinstance(k, Static) else None) for k in items}
    return items[0] if len(kinds) == 1 else None


def _sequence_operator(target: Any, args: list[Kind]) -> Kind | None:
    if len(args) != 2:
        return None
    a, b = args
    if target is operator.add:
        if isinstance(a, List) and isinstance(b, List):
            return List(a.items + b.items)
        if isinstance(a, Tuple) and isinstance(b, Tuple):
            return Tuple(a.items + b.items)
        if isinstance(a, (List, ListOf)) and isinstance(b, (List, ListOf)):
            items = [k for x in (a, b) for k in ((x.item,) if isinstance(x, ListOf) else x.items)]
            item = _one_kind(items) or same_number([number(k) for k in items])
            return ListOf(item) if not isinstance(item, Unknown) else None
    if target is operator.mul:
        if isinstance(b, (List, Tuple)):
            a, b = b, a
        count = int_value(b)
        if isinstance(a, (List, Tuple)) and _is_int(b):
            if count is not None and count.known and 0 <= count.const * len(a.items) <= 64:
                items_ = a.items * count.const
                return List(items_) if isinstance(a, List) else Tuple(items_)
            only = _one_kind(a.items) if isinstance(a, List) else None
            if only is not None:
                return ListOf(only)
    if target in _COMPARISONS and not any(isinstance(k, (Unknown, Object)) for k in args):
        return Number(bool)
    return None


@rule(operator.imatmul)
def _imatmul(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    return args[0] if isinstance(args[0], Array) else Unknown()


@rule(operator.matmul, np.matmul)
def _matmul(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    if kwargs or len(args) != 2:
        return None
    a, b = (shape_of(k) for k in args)
    types = [dtype_of(k) for k in args]
    if any(t is None for t in types) or any(isinstance(k, Number) for k in args):
        return None
    dtype = np.result_type(*[t for t in types if t is not None])
    if a is None or b is None:
        return Array(dtype, None)
    if not a or not b:
        return Unknown()
    if dims.broadcast(a[-1], b[-2] if len(b) > 1 else b[0]) is None:
        return Unknown()
    tail = (a[-2:-1] if len(a) > 1 else ()) + (b[-1:] if len(b) > 1 else ())
    batch = dims.broadcast_shapes(a[:-2], b[:-2])
    if batch is None:
        return Unknown()
    shape = batch + tail
    return Array(dtype, shape) if shape else Number(dtype.type)


@rule(np.dot, np.ndarray.dot)
def _dot(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    if len(args) == 2 and not kwargs:
        a, b = (shape_of(k) for k in args)
        if a == () or b == ():
            return elementwise(np.multiply, args)
        if a is not None and b is not None and len(a) <= 2 and len(b) <= 2:
            return _matmul(args, kwargs)
    return None


@rule(np.tensordot)
def _tensordot(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """The axes that are not summed over; those that are may well have lengths that are not known to be equal."""
    axes = argument(args, kwargs, 2, "axes")
    if len(args) < 2 or (axes is not None and not known_lengths(axes)):
        return None
    a, b = (shape_of(k) for k in args[:2])
    types = [dtype_of(k) for k in args[:2]]
    if a is None or b is None or any(t is None for t in types):
        return None
    try:
        over = literal(axes, 2)
    except LookupError:
        return None
    if isinstance(over, int):
        left, right = set(range(len(a) - over, len(a))), set(range(over))
    else:
        first, second = ((i,) if isinstance(i, int) else i for i in over)
        left, right = {i % len(a) for i in first}, {i % len(b) for i in second}
    rest = [d for i, d in enumerate(a) if i not in left] + [d for i, d in enumerate(b) if i not in right]
    return Array(np.result_type(*[t for t in types if t is not None]), tuple(rest))


# --- creation --------------------------------------------------------------------------------------------------------


@rule(np.zeros, np.ones, np.empty)
def _zeros(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    shape = as_shape(argument(args, kwargs, 0, "shape"))
    wanted = argument(args, kwargs, 1, "dtype")
    dtype = F8 if is_none(wanted) else dtype_argument(wanted)
    return _of_dtype(dtype, shape)


@rule(np.loadtxt, np.genfromtxt, np.fromiter, np.frombuffer)
def _read_in(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    wanted = argument(args, kwargs, 1, "dtype")
    dtype = F8 if wanted is None else dtype_argument(wanted)
    parts = {"unpack", "names", "usecols", "converters", "usemask"} & kwargs.keys()
    return _of_dtype(dtype, None) if not parts else Unknown()


@rule(np.full)
def _full(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    shape = as_shape(argument(args, kwargs, 0, "shape"))
    value = argument(args, kwargs, 1, "fill_value")
    wanted = argument(args, kwargs, 2, "dtype")
    dtype = dtype_argument(wanted) if not is_none(wanted) else (dtype_of(value) if value is not None else None)
    return _of_dtype(dtype, shape)


@rule(np.zeros_like, np.ones_like, np.empty_like, np.full_like)
def _like(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    if not args:
        return None
    given = kwargs.get("dtype", args[2] if target is np.full_like and len(args) > 2 else None)
    if target is not np.full_like and len(args) > 1:
        given = args[1]
    dtype = dtype_of(args[0]) if is_none(given) else dtype_argument(given)
    shape = as_shape(kwargs["shape"]) if not is_none(kwargs.get("shape")) else shape_of(args[0])
    if isinstance(args[0], Records) and is_none(given):
        return args[0]
    return _of_dtype(dtype, shape)


@rule(np.array, np.asarray, np.asanyarray, np.ascontiguousarray, np.atleast_1d, np.copy)
def _asarray(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    if not args or (len(args) > 1 and target is np.atleast_1d) or "ndmin" in kwargs:
        return None
    wanted = argument(args, kwargs, 1, "dtype") if target is not np.copy else None
    dtype = dtype_of(args[0]) if is_none(wanted) else dtype_argument(wanted)
    if isinstance(args[0], Records) and is_none(wanted):
        return args[0]
    if dtype is not None and dtype.kind not in "fciub":
        return Records(dtype)
    if dtype is None or isinstance(args[0], (Unknown, Object, Dict)):
        return Unknown()
    shape = shape_of(args[0])
    if shape == () and target in (np.atleast_1d, np.ascontiguousarray):
        shape = (dims.ONE,)
    return Array(dtype, shape)


@rule(np.arange)
def _arange(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    if not args or any(name != "dtype" for name in kwargs):
        return None
    bounds = [number(a) for a in args[:3]]
    types = [dtype_of(b) for b in bounds]
    wanted = argument(args, kwargs, 3, "dtype")
    if not is_none(wanted):
        dtype = dtype_argument(wanted)
    else:
        dtype = None if any(t is None for t in types) else np.result_type(*[t for t in types if t is not None])
    if dtype is None:
        return Unknown()
    values = [int_value(b) for b in bounds]
    if None in values:
        return Array(dtype, (dims.fresh(),))
    known = [v for v in values if v is not None]
    return Array(dtype, (range_length(known),))


def range_length(bounds: list[Dim]) -> Dim:
    """len(range(*bounds))."""
    start, stop = (dims.ZERO, bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
    step = bounds[2] if len(bounds) == 3 else dims.ONE
    if step.known and step.const > 0:
        return dims.ceil_div(dims.clipped(stop - start), step.const)
    if step.known and step.const < 0:
        return dims.ceil_div(dims.clipped(start - stop), -step.const)
    name = f"len(range({start}, {stop}, {step}))"
    return dims.define(name, lambda a, b, c: len(range(a, b, c or 1)), (start, stop, step), 0)


# --- joining and reshaping -------------------------------------------------------------------------------------------


@rule(np.concatenate)
def _concatenate(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    if not args or not isinstance(args[0], (Tuple, List)) or any(name != "axis" for name in kwargs):
        return None
    try:
        axis = literal(argument(args, kwargs, 1, "axis"), 0)
    except LookupError:
        return None
    types = [dtype_of(item) for item in args[0].items]
    shapes = [shape_of(item) for item in args[0].items]
    if not types or any(t is None for t in types) or axis is None:
        return None
    dtype = np.result_type(*[t for t in types if t is not None])
    if None in shapes:
        return Array(dtype, None)
    known = [s for s in shapes if s is not None]
    rank = len(known[0])
    if any(len(s) != rank for s in known) or not -rank <= axis < rank:
        return Unknown()
    axis %= rank
    total = dims.ZERO
    for s in known:
        total = total + s[axis]
    rest = list(known[0])
    for s in known[1:]:
        rest = [a if a.known else b for a, b in zip(rest, s, strict=True)]
    rest[axis] = total
    return Array(dtype, tuple(rest))


@rule(np.stack)
def _stack(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    if not args or any(name != "axis" for name in kwargs):
        return None
    shape, dtype = shape_of(args[0]), dtype_of(args[0])
    try:
        axis = literal(argument(args, kwargs, 1, "axis"), 0)
    except LookupError:
        return None
    if dtype is None or not isinstance(args[0], (Tuple, List, ListOf)):
        return None
    if shape is None:
        return Array(dtype, None)
    rest = list(shape[1:])
    if not -len(shape) <= axis < len(shape):
        return Unknown()
    rest.insert(axis % len(shape), shape[0])
    return Array(dtype, tuple(rest))


@rule(np.reshape, np.ndarray.reshape)
def _reshape(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    if not args:
        return None
    wanted = args[1] if len(args) > 1 else kwargs.get("shape", kwargs.get("newshape"))
    if target is np.ndarray.reshape and len(args) > 2:
        wanted = Tuple(tuple(args[1:]))
    dtype, shape = dtype_of(args[0]), as_shape(wanted)
    if dtype is None:
        return None
    if shape is None:
        return Array(dtype, None)
    old = shape_of(args[0])
    minus = [i for i, d in enumerate(shape) if dims.at_most(d, -1)]
    if minus:
        rest = dims.product_of(d for i, d in enumerate(shape) if i != minus[0])
        if old is None or len(minus) > 1:
            length = dims.fresh()
        else:
            # it divides, or the primal raises
            length = dims.floordiv(dims.product_of(old), rest) if rest != dims.ZERO else dims.ZERO
        shape = tuple(length if i == minus[0] else d for i, d in enumerate(shape))
    else:
        shape = tuple(_reshaped(d, i, shape, old) for i, d in enumerate(shape))
    return (_of_scalar(args[0]) if shape == () else None) or Array(dtype, shape)


def _reshaped(dim: Dim, position: int, shape: tuple[Dim, ...], old: tuple[Dim, ...] | None) -> Dim:
    """The length that an int in a new shape stands for: an int that is not known to be positive may be -1."""
    if dims.at_least(dim, 0) or shape.count(dim) > 1:  # -1 can stand only once
        return dim
    if old is None:
        return dims.fresh()
    rest = dims.product_of(d for i, d in enumerate(shape) if i != position)
    total = dims.product_of(old)
    if dims.product(dim, rest) == total:
        return dim
    name = f"({dim}) if not -1 else ({total}) // ({rest})"
    return dims.define(name, lambda d, t, r: d if d >= 0 else t // r if r else 0, (dim, total, rest), 0)


@rule(np.squeeze, np.ndarray.squeeze)
def _squeeze(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """Without an axis, the rank depends on which lengths are 1."""
    shape, dtype = (shape_of(args[0]), dtype_of(args[0])) if args else (None, None)
    if dtype is None or not is_none(argument(args, kwargs, 1, "axis")):
        return None
    if shape is None or not all(d.known or dims.at_least(d, 2) for d in shape):
        return Array(dtype, None)
    return _of_scalar(args[0]) or Array(dtype, tuple(d for d in shape if d != dims.ONE))


def _of_scalar(kind: Kind) -> Number | None:
    """A NumPy scalar that a function gives back as one: methods of its own do what is asked for."""
    return kind if isinstance(kind, Number) and issubclass(kind.type, np.generic) else None


@rule(np.cov, np.corrcoef)
def _cov(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """The covariance of a single row is a 0-d array."""
    if any(isinstance(k, Number) for k in args):
        return None
    known_shape = args and len(args) == 1 and isinstance(args[0], Array) and args[0].shape is not None
    if known_shape and all(d.known or dims.at_least(d, 2) for d in args[0].shape):  # type: ignore[attr-defined]
        return None
    return Array(F8, None)


@rule(np.ravel, np.ndarray.ravel, np.ndarray.flatten)
def _ravel(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    if not args:
        return None
    dtype, shape = dtype_of(args[0]), shape_of(args[0])
    if dtype is None:
        return None
    return Array(dtype, (dims.fresh() if shape is None else dims.product_of(shape),))


@rule(np.convolve, np.correlate)
def _convolve(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    mode = literal(argument(args, kwargs, 2, "mode"), "full" if target is np.convolve else "valid")
    shapes = [shape_of(a) for a in args[:2]]
    types = [dtype_of(a) for a in args[:2]]
    if mode not in ("full", "same", "valid") or not all(s is not None and len(s) == 1 for s in shapes):
        return None
    (n,), (m,) = (s for s in shapes if s is not None)
    longest = dims.maximum(n, m)
    # neither is empty, or NumPy raises
    lengths = {"full": n + m - 1, "same": longest, "valid": longest - dims.minimum(n, m) + 1}
    dtype = np.result_type(*[t for t in types if t is not None])
    return None if any(t is None for t in types) else Array(dtype, (lengths[mode],))


@rule(np.polydiv, np.polynomial.polynomial.polydiv)
def _polydiv(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    u, v = (*args, *kwargs.values())
    if not (isinstance(u, Array) and isinstance(v, Array)):
        return Tuple((Unknown(), Unknown()))
    dtype = np.result_type(u.dtype, v.dtype, np.float32 if u.dtype.kind in "fc" else np.float64)
    return Tuple((Array(dtype, (dims.fresh(),)), Array(dtype, (dims.fresh(),))))


@rule(np.lib.stride_tricks.sliding_window_view)
def _windows(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    base, given = args[0], argument(args, kwargs, 1, "window_shape")
    axis = literal(argument(args, kwargs, 2, "axis"))
    if not isinstance(base, Array) or base.shape is None or given is None:
        return None
    parts = given.items if isinstance(given, (Tuple, List)) else (given,)
    window = [n for part in parts if (n := int_value(part)) is not None]
    axes = range(len(base.shape)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    if len(window) != len(axes):
        return Array(base.dtype, None)
    shape = list(base.shape)
    for k, n in zip(axes, window, strict=True):
        shape[k] = shape[k] - n + 1
    return Array(base.dtype, (*shape, *window))


@rule(np.broadcast_to)
def _broadcast_to(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    dtype = dtype_of(args[0]) if args else None
    return None if dtype is None else Array(dtype, as_shape(argument(args, kwargs, 1, "shape")))


@rule(np.where)
def _where(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    if len(args) == 1:
        shape = shape_of(args[0])
        if shape is None:
            return Unknown()
        count = dims.fresh()
        return Tuple(tuple(Array(np.dtype(np.intp), (count,)) for _ in shape))
    if len(args) == 3:
        shapes = [shape_of(a) for a in args]
        types = [dtype_of(a) for a in args[1:]]
        if any(t is None for t in types):
            return None
        # Python scalars are weak: let NumPy say
        example = [np.ones(1, a.dtype) if isinstance(a, Array) else a for a in args[1:]]
        values = [e if isinstance(e, np.ndarray) else np.ones(1, t) if not isinstance(e, Number) else e.type(1)
                  for e, t in zip(example, types, strict=True)]  # fmt: skip
        dtype = np.where(np.ones(1, bool), *values).dtype
        joint: tuple[Dim, ...] | None = ()
        for s in shapes:
            joint = None if s is None or joint is None else dims.broadcast_shapes(joint, s)
        return Array(dtype, joint)
    return None


# --- lengths, numbers, Python's own functions ------------------------------------------------------------------------


@rule(len)
def _len(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    kind = args[0] if args else Unknown()
    if isinstance(kind, Array) and kind.shape:
        return Number(int, kind.shape[0])
    if isinstance(kind, (Tuple, List, Dict)):
        return Number(int, Dim.of(len(kind.items)))
    if isinstance(kind, Static) and isinstance(kind.value, (str, bytes)):
        return Number(int, Dim.of(len(kind.value)))
    return Number(int)


@rule(np.shape)
def _shape(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    shape = shape_of(args[0]) if len(args) == 1 else None
    return Unknown() if shape is None else Tuple(tuple(Number(int, d) for d in shape))


@rule(np.size)
def _size(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    shape = shape_of(args[0]) if len(args) == 1 and not kwargs else None
    return Number(int) if shape is None else Number(int, dims.product_of(shape))


@rule(np.ndim)
def _ndim(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    shape = shape_of(args[0]) if args else None
    return Number(int) if shape is None else Number(int, Dim.of(len(shape)))


@rule(object)
def _object(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    return Object(object)


@rule(float)
def _float(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    return Number(float)


@rule(complex)
def _complex(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    return Number(complex)


@rule(bool, operator.truth)
def _bool(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    decided = truth(args[0]) if args else False
    return Number(bool) if decided is None else Static(decided)


@rule(operator.not_)
def _not(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    decided = truth(args[0])
    return Number(bool) if decided is None else Static(not decided)


def truth(kind: Kind) -> bool | None:
    """bool(value), where it is the same for every value of the kind."""
    if isinstance(kind, Static):
        try:
            return bool(kind.value)
        except Exception:
            return None
    if isinstance(kind, (Tuple, List, Dict)):
        return len(kind.items) > 0
    if isinstance(kind, Number) and kind.value is not None:
        return compare(operator.ne, kind.value, dims.ZERO)
    if isinstance(kind, Callable):
        return True
    return None


@rule(int, operator.index)
def _int(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    return Number(int, int_value(args[0]) if args else dims.ZERO)


@rule(range)
def _range(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    return ListOf(Number(int))


@rule(min, max)
def _min(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    if kwargs:
        return None
    if len(args) == 1 and isinstance(args[0], (Tuple, List)):
        args = list(args[0].items)
    elif len(args) == 1:
        item = element_of(args[0])
        return item if isinstance(item, Number) else Unknown()
    args = [number(a) for a in args]
    if not args or not all(isinstance(a, (Number, Array)) for a in args):
        return None
    values = [int_value(a) for a in args]
    if all(_is_int(a) for a in args):
        if None in values:
            return Number(int)
        combine = dims.minimum if target is min else dims.maximum
        result = values[0]
        for v in values[1:]:
            assert result is not None and v is not None
            result = combine(result, v)
        return Number(int, result)
    return same_number(args)


def same_number(args: list[Kind]) -> Kind:
    """The kind of a value that is one of several numbers."""
    types = {a.type for a in args if isinstance(a, Number)}
    if not all(isinstance(a, Number) for a in args):
        return Unknown()
    each = frozenset().union(*(a.of_types() for a in args if isinstance(a, Number)))
    if len(types) == 1:
        return Number(types.pop(), types=each if len(each) > 1 else frozenset())
    if types <= {int, float}:
        return Number(float, types=each)  # int or float: a float serves for both
    if types <= {int, float, np.int64, np.float64} and types & {float, np.float64}:
        return Number(np.float64, types=each)
    return Unknown()


def element_of(kind: Kind) -> Kind:
    """The kind of what iterating over a value gives (one kind for all of it), or Unknown()."""
    if isinstance(kind, Array):
        if kind.shape is None:
            return Unknown()
        if not kind.shape:
            return Unknown()
        return Array(kind.dtype, kind.shape[1:]) if len(kind.shape) > 1 else Number(kind.dtype.type)
    if isinstance(kind, ListOf):
        return kind.item
    if isinstance(kind, (Tuple, List)):
        found = set(kind.items)
        if len(found) == 1:
            return found.pop()
        return same_number(list(kind.items)) if kind.items else Unknown()
    return Unknown()


@rule(sum)
def _sum(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    if not args:
        return None
    start = argument(args, kwargs, 1, "start") or Number(int, dims.ZERO)
    if isinstance(args[0], (Tuple, List)):
        total: Kind = start
        for item in args[0].items:
            total = _operator([total, item], {}, operator.add) or Unknown()
        return total
    item = element_of(args[0])
    total = _operator([start, item], {}, operator.add) or Unknown()
    again = _operator([total, item], {}, operator.add)
    if total == again and not isinstance(total, Number):
        return total
    if isinstance(total, Number) and isinstance(again, Number) and total.type == again.type:
        return Number(total.type)
    return Unknown()


@rule(round)
def _round(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    if isinstance(args[0], Number):
        digits = argument(args, kwargs, 1, "ndigits")
        if is_none(digits):
            return Number(int, args[0].value)
        return Number(args[0].type)
    return None


@rule(isinstance)
def _isinstance(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    decided = is_instance(args[0], args[1]) if len(args) == 2 else None
    return Number(bool) if decided is None else Static(decided)


def class_of(kind: Kind) -> type | None:
    """The class of the values of a kind, or None."""
    if isinstance(kind, Number):
        return kind.type
    if isinstance(kind, Array):
        return np.ndarray
    if isinstance(kind, (Static, Callable)):
        return type(kind.value)
    if isinstance(kind, (Tuple, Object)):
        return kind.cls
    if isinstance(kind, (List, ListOf)):
        return list
    return dict if isinstance(kind, Dict) else None


def is_instance(kind: Kind, classes: Kind) -> bool | None:
    """isinstance(value, classes), where the kinds decide it."""
    cls = class_of(kind)
    if isinstance(classes, Tuple):
        answers = [is_instance(kind, c) for c in classes.items]
        return True if True in answers else (None if None in answers else False)
    if cls is None or not isinstance(classes, (Callable, Static)):
        return None
    try:
        if isinstance(kind, (Static, Callable)):
            return isinstance(kind.value, classes.value)
        either = {issubclass(c, classes.value) for c in (kind.of_types() if isinstance(kind, Number) else {cls})}
        return either.pop() if len(either) == 1 else None
    except TypeError:
        return None


@rule(zip)
def _zip(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    return ListOf(Tuple(tuple(element_of(a) for a in args)))


@rule(enumerate)
def _enumerate(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    return ListOf(Tuple((Number(int), element_of(args[0]))))


@rule(list, tuple, reversed, sorted)
def _list(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    if not args:
        return Tuple(()) if target is tuple else List(())
    kind = args[0]
    if isinstance(kind, Dict):
        kind = List(tuple(Static(k) for k, _ in kind.items))
    if isinstance(kind, (List, Tuple)):
        items = kind.items
        if target is reversed:
            items = items[::-1]
        if target is sorted:
            item = element_of(kind)
            items = tuple(item for _ in items)
        return Tuple(items) if target is tuple else List(items)
    if isinstance(kind, Array) and kind.shape and kind.shape[0].known and kind.shape[0].const <= 64:
        items = (element_of(kind),) * kind.shape[0].const
        return Tuple(items) if target is tuple else List(items)
    item = element_of(kind)
    return Unknown() if isinstance(item, Unknown) or target is tuple else ListOf(item)


@rule(math.prod)
def _prod(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    if len(args) == 1 and not kwargs and isinstance(args[0], (Tuple, List)):
        total: Kind = Number(int, dims.ONE)
        for item in args[0].items:
            total = _operator([total, item], {}, operator.mul) or Unknown()
        return total
    return None


@rule(math.floor, math.ceil, math.trunc)
def _floor(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    return Number(int, int_value(args[0]) if args else None)


# --- lengths that depend on values -----------------------------------------------------------------------------------

DATA_DEPENDENT = frozenset(
    f
    for f in (
        getattr(np, name, None)
        for name in words(
            "unique nonzero flatnonzero argwhere extract compress trim_zeros union1d intersect1d setdiff1d"
        " setxor1d bincount repeat roots polyadd polysub polymul polydiv poly polyint polyder histogram"
        " histogram_bin_edges delete insert unique_values unique_counts unique_inverse unique_all select_dtypes"
        " array_split split hsplit vsplit dsplit pad tile resize r_ c_ ix_ mask_indices unwrap packbits unpackbits"
        " histogramdd histogram2d block"
        )
    )
    if f is not None
) | {np.linalg.lstsq, np.ndarray.nonzero, np.ndarray.compress, np.ndarray.repeat, np.fft.hfft}


def known_lengths(kind: Kind) -> bool:
    """Are all ints and bools in an argument known, so that no length can depend on them?"""
    if isinstance(kind, (Tuple, List)):
        return all(known_lengths(item) for item in kind.items)
    return isinstance(kind, Static) or (isinstance(kind, Number) and kind.value is not None)


@rule(np.delete)
def _delete(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    base, taken = args[0], argument(args, kwargs, 1, "obj")
    axis = literal(argument(args, kwargs, 2, "axis"))
    one = isinstance(taken, (Number, Static)) and int_value(taken) is not None
    if one and isinstance(base, Array) and base.shape and (axis is not None or len(base.shape) == 1):
        shape = list(base.shape)
        shape[axis or 0] = shape[axis or 0] - 1  # an index outside is an error
        return Array(base.dtype, tuple(shape))
    return _counted(args, kwargs, np.delete)


@rule(np.insert)
def _insert(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    base, place, new = args[0], argument(args, kwargs, 1, "obj"), argument(args, kwargs, 2, "values")
    axis, shape = literal(argument(args, kwargs, 3, "axis")), None if new is None else shape_of(new)
    one = isinstance(place, (Number, Static)) and int_value(place) is not None and isinstance(axis, (int, type(None)))
    if one and isinstance(base, Array) and base.shape and shape is not None and len(shape) < len(base.shape):
        lengths = list(base.shape)
        if axis is not None or len(lengths) == 1:
            lengths[axis or 0] = lengths[axis or 0] + 1
            return Array(base.dtype, tuple(lengths))
    return _counted(args, kwargs, np.insert)


@rule(np.repeat, np.ndarray.repeat, np.tile, np.pad, np.resize,
      np.block, np.polyint, np.polyder)  # fmt: skip
def _counted(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    """Lengths depend on the values of the second argument: fine where these are known."""
    exact = target is np.block or all(known_lengths(kind) for kind in (*args[1:2], *kwargs.values()))
    return by_example(target, args, kwargs, lengths=exact)


@rule(np.split, np.array_split, np.hsplit, np.vsplit, np.dsplit)
def _split(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    base, sections = args[0], int_value(argument(args, kwargs, 1, "indices_or_sections"))
    if target is not np.array_split and sections and sections.known and isinstance(base, Array) and base.shape:
        axis = literal(argument(args, kwargs, 2, "axis"), 0)
        if target is not np.split:
            axis = 0 if target is np.vsplit or len(base.shape) == 1 else 1 if target is np.hsplit else 2
        shape = list(base.shape)
        shape[axis] = dims.floordiv(shape[axis], sections)
        return List((Array(base.dtype, tuple(shape)),) * sections.const)
    return _counted(args, kwargs, target)


@rule(np.cross, *([np.linalg.cross] if hasattr(np.linalg, "cross") else []))
def _cross(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """Vectors of three; by example the lengths would not be three."""
    if len(args) == 2 and not kwargs:
        return elementwise(np.multiply, args) if _vectors_of_three(args) else None
    try:
        axis = literal(argument(args, kwargs, 5, "axis"))
        axes = [literal(argument(args, kwargs, 2 + i, n), -1) for i, n in enumerate(("axisa", "axisb", "axisc"))]
    except LookupError:
        return None
    axes = [axis] * 3 if axis is not None else axes
    parts = []
    for kind, i in zip(args[:2], axes, strict=False):
        shape = shape_of(kind)
        if not shape or not -len(shape) <= i < len(shape) or (shape[i].known and shape[i].const != 3):
            return None
        parts.append(tuple(d for k, d in enumerate(shape) if k != i % len(shape)))
    rest = dims.broadcast_shapes(*parts)
    dtypes = [dtype_of(k) for k in args[:2]]
    if rest is None or any(d is None for d in dtypes):
        return None
    at = axes[2] % (len(rest) + 1)
    dtype = np.result_type(*[d for d in dtypes if d is not None])
    return Array(dtype, (*rest[:at], Dim.of(3), *rest[at:]))


def _vectors_of_three(args: list[Kind]) -> bool:
    shapes = [shape_of(k) for k in args]
    return all(s is not None and s and not (s[-1].known and s[-1].const != 3) for s in shapes)


@rule(np.linspace, np.logspace, np.geomspace)
def _linspace(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    if len(args) > 5 or not set(kwargs) <= {"num", "endpoint", "base", "start", "stop"}:
        return None
    num = argument(args, kwargs, 2, "num")
    length = Dim.of(50) if num is None else int_value(num)
    ends = [argument(args, kwargs, i, n) for i, n in enumerate(("start", "stop"))]
    if length is None or any(e is None for e in ends):
        return None
    both = elementwise(np.add, [e for e in ends if e is not None])
    shape, dtype = (shape_of(both), dtype_of(both)) if both is not None else (None, None)
    if shape is None or dtype is None:
        return None
    return Array(np.result_type(dtype, np.float64) if dtype.kind != "c" else dtype, (length, *shape))


@rule(np.linalg.solve)
def _solve(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """As long as the right-hand sides, also where the lengths of the matrix have other symbols."""
    if len(args) != 2 or kwargs:
        return None
    a, b = args
    if not (isinstance(a, Array) and isinstance(b, Array)) or a.shape is None or b.shape is None:
        return None
    if len(a.shape) != 2 or len(b.shape) not in (1, 2) or a.dtype.kind not in "fc" or b.dtype.kind not in "fc":
        return None
    return Array(np.result_type(a.dtype, b.dtype), b.shape)


@rule(np.linalg.eig)
def value_typed_pair(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """Real or complex: that depends on the values."""
    dtype = dtype_of(args[0]) if args else None
    return None if dtype is not None and dtype.kind == "c" else Tuple((Unknown(), Unknown()))


@rule(np.linalg.eigvals, np.roots, np.real_if_close, np.emath.sqrt, np.emath.power)
@rule(np.emath.log, np.emath.log2, np.emath.log10, np.emath.arcsin, np.emath.arccos, np.emath.arctanh)
def value_typed(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """Real or complex: that depends on the values."""
    dtype = dtype_of(args[0]) if args else None
    return None if dtype is not None and dtype.kind == "c" else Unknown()


def is_value_typed(target: Any) -> bool:
    """Is it a function whose results are real or complex by the values that it is given?"""
    try:
        return RULES.get(target) in (value_typed, value_typed_pair)
    except TypeError:  # a function of ctypes, say, has no hash
        return False


@rule(np.eye, np.identity)
def _eye(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    rows = as_shape(argument(args, kwargs, 0, "N" if target is np.eye else "n"))
    columns = argument(args, kwargs, 1, "M") if target is np.eye else None
    wanted = kwargs.get("dtype", args[3] if target is np.eye and len(args) > 3 else None)
    dtype = F8 if is_none(wanted) else dtype_argument(wanted)
    second = rows if is_none(columns) else as_shape(columns)
    return Array(dtype, rows + second) if rows and second and dtype is not None else Unknown()


@rule(np.histogram)
def _histogram(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    bins = argument(args, kwargs, 1, "bins")
    if isinstance(bins, Array) and bins.shape is not None and len(bins.shape) == 1:
        weights, density = argument(args, kwargs, 4, "weights"), argument(args, kwargs, 3, "density")
        if not is_none(density) and literal(density, None) is not False:
            return Tuple((Array(F8, (bins.shape[0] - dims.ONE,)), bins))
        dtype = np.dtype(int) if weights is None or is_none(weights) else dtype_of(weights)
        return None if dtype is None else Tuple((Array(dtype, (bins.shape[0] - dims.ONE,)), bins))
    return by_example(np.histogram, args, kwargs, lengths=bins is None or int_value(bins) is not None)


@rule(np.partition, np.argpartition)
def _partition(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    """As if sorted: a small example need not have a kth element."""
    axis = argument(args, kwargs, 2, "axis")
    like = np.sort if target is np.partition else np.argsort
    return by_example(like, args[:1], {} if axis is None else {"axis": axis})


@rule(np.take)
def _take(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """With zeros for indices that are written out: a small example need not have such elements."""
    if len(args) < 2 or not isinstance(args[1], (List, Tuple, Number)):
        return None
    return by_example(np.take, [args[0], _zero_indices(args[1]), *args[2:]], kwargs)


def _zero_indices(kind: Kind) -> Kind:
    if isinstance(kind, (List, Tuple)):
        return List(tuple(map(_zero_indices, kind.items)))
    return Number(int, Dim.of(0)) if isinstance(kind, Number) and issubclass(kind.type, (int, np.integer)) else kind


@rule(np.digitize)
def _digitize(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    shape = shape_of(args[0]) if args else None
    if shape is None:
        return None
    return Array(np.dtype(np.intp), shape) if shape else Number(np.intp)


@rule(np.argmax, np.argmin)
def _argmax(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """Of whatever array: without an axis it is one number."""
    return Number(np.int64) if len(args) == 1 and not kwargs and isinstance(args[0], Unknown) else None


@rule(np.finfo, np.iinfo)
def _finfo(args: list[Kind], kwargs: dict[str, Kind], target: Any = None) -> Kind | None:
    dtype = dtype_argument(args[0]) or dtype_of(args[0])
    return Unknown() if dtype is None else Static(target(dtype))


@rule(type)
def _type(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    cls = class_of(args[0]) if len(args) == 1 else None
    several = len(args) == 1 and isinstance(args[0], Number) and bool(args[0].types)
    return Unknown() if cls is None or several else Callable(cls)


@rule(str, repr, format)
def _str(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    return Object(str)


# --- helpers of generated code ---------------------------------------------------------------------------------------


@rule(helpers.unbroadcast)
def _unbroadcast(args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """The shape of the second argument, and real where that is."""
    g, x = (dtype_of(k) for k in args)
    shape = shape_of(args[1])
    if g is None or x is None or shape is None:
        return Unknown()
    dtype = g if x.kind == "c" or g.kind != "c" else np.real(np.zeros(1, g)).dtype
    return Array(dtype, shape) if shape else Number(dtype.type)
