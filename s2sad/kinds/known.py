"""Kind rules of functions whose result kind is stated rather than found by example.

They are here for one of three reasons: the lengths of the result depend on values (`np.unique`), an example would be
slow or impossible (`np.zeros((n, 784))`, ufuncs), or the result is a length or an int whose value is worth knowing.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable as Function
from functools import lru_cache
from typing import Any

import numpy as np

from s2sad.kinds import dims
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


UNKNOWN = Unknown()


# -- what a kind says --------------------------------------------------------------------------------------------------


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


def of_dtype(dtype: np.dtype[Any] | None, shape: Any) -> Kind:
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
        if value is None and kind.whole:
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


# -- ufuncs ------------------------------------------------------------------------------------------------------------


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


# -- operators on Python values ----------------------------------------------------------------------------------------


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


# -- creation ----------------------------------------------------------------------------------------------------------


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


# -- lengths, numbers, Python's own functions --------------------------------------------------------------------------


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


# -- lengths that depend on values -------------------------------------------------------------------------------------

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
