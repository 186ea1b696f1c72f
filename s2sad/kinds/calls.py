"""The kind of what a call gives: by a rule, from an example, or nothing that is known."""

from __future__ import annotations

import enum
import inspect
import itertools
import operator
from collections.abc import Hashable, Mapping
from dataclasses import replace
from types import FunctionType
from typing import Any

import gast
import numpy as np

from s2sad.kinds import dims, known, known_arrays, known_operators, known_python  # noqa: F401  their rules
from s2sad.kinds.bind import is_plain_class, kind_of_global
from s2sad.kinds.draws import draw
from s2sad.kinds.example import by_example, dims_of
from s2sad.kinds.kind import (
    Array,
    Callable,
    Dict,
    Dim,
    Either,
    Kind,
    List,
    ListOf,
    Nothing,
    Number,
    Object,
    Static,
    Text,
    Tuple,
    Unknown,
    of_one_field,
)
from s2sad.kinds.known import UNKNOWN
from s2sad.kinds.labelled import anything_of, computed_kind, is_labelled, labelled_by, length_of_labelled, whole_kind
from s2sad.kinds.pure import is_pure, words
from s2sad.knowledge import registry
from s2sad.knowledge.registry import helper_like
from s2sad.runtime.identity import in_table, key_of
from s2sad.runtime.structures import Whole

BINARY: dict[type, Any] = {
    gast.Add: operator.add, gast.Sub: operator.sub, gast.Mult: operator.mul, gast.Div: operator.truediv,
    gast.FloorDiv: operator.floordiv, gast.Mod: operator.mod, gast.Pow: operator.pow, gast.MatMult: operator.matmul,
    gast.LShift: operator.lshift, gast.RShift: operator.rshift, gast.BitAnd: operator.and_, gast.BitOr: operator.or_,
    gast.BitXor: operator.xor,
}  # fmt: skip
UNARY: dict[type, Any] = {
    gast.USub: operator.neg, gast.UAdd: operator.pos, gast.Not: operator.not_, gast.Invert: operator.invert,
}  # fmt: skip
COMPARE: dict[type, Any] = {
    gast.Eq: operator.eq, gast.NotEq: operator.ne, gast.Lt: operator.lt, gast.LtE: operator.le, gast.Gt: operator.gt,
    gast.GtE: operator.ge,
}  # fmt: skip

_cache: dict[Any, Kind] = {}
_CACHE_SIZE = 8192


def call_kind(target: Any, args: list[Kind], kwargs: Mapping[str, Kind] | None = None) -> Kind:
    """The kind of target(*args, **kwargs); Unknown() where the function or an argument is not known. Never raises."""
    kwargs = dict(kwargs) if kwargs else {}
    for given in (args, kwargs.values()):
        for k in given:
            if type(k) is Either:
                return _of_either(target, args, kwargs) if isinstance(target, Hashable) else UNKNOWN
    key: Any = None
    try:
        of = key_of(target)
        key = (of, _key(args), _key(kwargs.values()), tuple(kwargs)) if kwargs else (of, _key(args))
        found = _cache.get(key)
        if found is not None:
            return _of_each_type(target, args, kwargs, _perhaps_of_ints(target, args, kwargs, found))
    except TypeError:  # something that has no hash
        key = None
    count = dims.fresh_count()
    try:
        result = _call(target, list(args), kwargs)
    except RecursionError:
        raise
    except Exception:
        result = UNKNOWN
    if key is not None and count == dims.fresh_count():
        if len(_cache) >= _CACHE_SIZE:
            _cache.clear()
        _cache[key] = result
    return _of_each_type(target, args, kwargs, _perhaps_of_ints(target, args, kwargs, result))


def _of_each_type(target: Any, args: list[Kind], kwargs: Mapping[str, Kind], result: Kind) -> Kind:
    """A number computed from one that is of several types on several paths is of several types, too.

    >>> x = Number(np.float64, types=frozenset((float, np.float64)))
    >>> call_kind(operator.gt, [x, Number(float)]).of_types() == {bool, np.bool_}
    True
    >>> call_kind(operator.mul, [x, Number(np.float64)]).of_types() == {np.float64}
    True
    """
    if not isinstance(result, Number) or result.types:
        return result
    given = [*args, *kwargs.values()] if kwargs else args
    for k in given:
        if isinstance(k, Number) and k.types:
            break
    else:
        return result
    several = [len(k.types) > 1 and Whole not in k.types if isinstance(k, Number) else False for k in given]
    if not any(several) or sum(several) > 3:
        return result
    cases = [[Number(t) for t in k.types] if mixed else [k] for k, mixed in zip(given, several, strict=True)]  # type: ignore[attr-defined]
    types: set[Any] = set()
    for case in itertools.product(*cases):
        kind = call_kind(target, list(case[: len(args)]), dict(zip(kwargs, case[len(args) :], strict=True)))
        if not isinstance(kind, Number):
            return result
        types |= kind.of_types()
    return replace(result, types=frozenset(types)) if len(types) > 1 else result


#: what makes an array of the type of the numbers that it is given
_OF_NUMBERS = frozenset((np.array, np.asarray, np.asanyarray, np.full, np.arange))


def _perhaps_of_ints(target: Any, args: list[Kind], kwargs: Mapping[str, Kind], result: Kind) -> Kind:
    """An array of numbers that are ints on some paths and floats on others is of the one or the other, too.

    >>> number = Number(float, types=frozenset((int, float)))
    >>> call_kind(np.full, [Number(int, Dim.of(3)), number]).mixed, call_kind(np.array, [number]).mixed
    (True, True)
    """
    if not isinstance(result, Array) or result.mixed or not isinstance(target, Hashable) or "dtype" in kwargs:
        return result
    if target not in _OF_NUMBERS or len(args) > 1 + (target is np.full):
        return result
    given = args[1:] if target is np.full else args
    whole = [all(issubclass(t, (int, np.integer)) for t in types) for types in map(_types_in, given) if types]
    mixed = any(len({issubclass(t, (int, np.integer)) for t in types}) > 1 for types in map(_types_in, given))
    return replace(result, mixed=True) if mixed and not any(whole) else result


def _types_in(kind: Kind) -> frozenset[Any]:
    """The types that the numbers of a list may be of, where one of them may be of several."""
    if isinstance(kind, Number):
        return kind.types
    items = kind.items if isinstance(kind, (List, Tuple)) else (kind.item,) if isinstance(kind, ListOf) else ()
    certain = any(isinstance(i, Number) and not i.types and not i.whole for i in items)
    return frozenset() if certain else frozenset().union(*map(_types_in, items))


def _of_either(target: Any, args: list[Kind], kwargs: dict[str, Kind]) -> Kind:
    """The kind of a call with arguments that are arrays, or numbers or None: that of each case, where they agree.

    >>> x = Array(np.dtype("f8"), (Dim.symbol("n"),))
    >>> total = Either(x, Number(int))
    >>> call_kind(operator.add, [total, x]) == x, call_kind(operator.mul, [total, Number(float)]).other
    (True, Number(type=<class 'float'>, value=None))
    """
    given = [*args, *kwargs.values()]
    cases = [k.alternatives if isinstance(k, Either) else (k,) for k in given]
    if sum(len(case) > 1 for case in cases) > 4:
        return UNKNOWN
    found: list[Kind] = []
    for case in itertools.product(*cases):
        if not any(_raises(target, k) for k, whole in zip(case, given, strict=True) if isinstance(whole, Either)):
            kind = call_kind(target, list(case[: len(args)]), dict(zip(kwargs, case[len(args) :], strict=True)))
            if kind not in found:
                found.append(kind)
    if any(isinstance(k, Array) for k in found) and not isinstance(found[0], Array):
        return UNKNOWN  # np.dot(total, x) is a number where total is an array
    return _in_any_case(found)


def _raises(target: Any, kind: Kind) -> bool:
    """Does a function raise for a number, or for None, where it is meant for an array? (np.sum(None) is None.)"""
    if isinstance(kind, Static) and kind.value is None:
        return target in _OPERATORS or isinstance(target, np.ufunc) or target in _NOT_OF_NONE
    return isinstance(kind, Number) and target in _NOT_OF_NUMBERS


def taken_by(target: Any, kind: Kind) -> Kind:
    """The kind of an argument that a function was called with: an array, where it raises for the other."""
    if isinstance(kind, Either) and isinstance(target, Hashable) and _raises(target, kind.other):
        return kind.array
    return kind


#: what nobody applies to None and goes on with the result
_OPERATORS = {*BINARY.values(), operator.neg, operator.pos, operator.invert}
_NOT_OF_NONE = {
    np.sum, np.mean, np.prod, np.max, np.min, np.amax, np.amin, np.std, np.var, np.dot, np.linalg.norm, np.trace,
    np.cumsum, np.linalg.det, np.linalg.inv, np.linalg.solve, len, sum, max, min,
}  # fmt: skip
_NOT_OF_NUMBERS = {operator.matmul, np.matmul, len, sum, np.trace, np.linalg.det, np.linalg.inv}


def _in_any_case(found: list[Kind]) -> Kind:
    """The kind of what has one of several kinds."""
    if len(found) == 1:
        return found[0]
    arrays = [a for k in found for a in ((k.array,) if isinstance(k, Either) else (k,)) if isinstance(a, Array)]
    numbers = [n for k in found for n in ((k.other,) if isinstance(k, Either) else (k,)) if isinstance(n, Number)]
    if len(arrays) + len(numbers) != sum(1 + isinstance(k, Either) for k in found) or not numbers:
        return UNKNOWN
    types = {n.type for n in numbers}
    number = Number(types.pop()) if len(types) == 1 else known.same_number([*numbers])
    if not arrays:
        return number
    array = arrays[0]
    if not isinstance(number, Number) or not of_one_field(array, number):
        return UNKNOWN
    return Either(array, number) if array.shape not in (None, ()) and all(a == array for a in arrays) else UNKNOWN


def of_array(kind: Kind, name: str | None = None) -> Kind:
    """The kind of a value that is indexed, or asked for an attribute: an array's where others would raise."""
    if isinstance(kind, Either) and (kind.is_plain if name is None else not kind.has(name)):
        return kind.array
    return kind


def _key(kinds: Any) -> tuple[Any, ...]:
    # Static(1), Static(True) and Static(1.0) are equal, and functions have no hash in a kind
    return tuple([k if type(k) is Array or type(k) is Number else _strict(k) for k in kinds])


def _strict(kind: Kind) -> Any:
    if isinstance(kind, Static):
        return (Static, type(kind.value), key_of(kind.value))
    if isinstance(kind, Callable):
        return (Callable, key_of(kind.value))
    if isinstance(kind, (Tuple, List)):
        return (type(kind), getattr(kind, "cls", None), _key(kind.items))
    if isinstance(kind, Dict):
        return (Dict, tuple([(type(k), k, _strict(v)) for k, v in kind.items]))
    return kind


def _call(target: Any, args: list[Kind], kwargs: dict[str, Kind]) -> Kind:
    constant = _folded(target, args, kwargs)
    if constant is not None:
        return constant
    if target in _OPERATORS and any(isinstance(k, Nothing) for k in args):
        return Nothing()  # an item of a list of which is not known yet what it takes
    own = _class_of_array(target, args, kwargs) or _filtered(target, args) or _written(target, args)
    if own is not None:
        return own
    helper = _helper(target)
    known_as = target if helper is None else helper
    rule = known.RULES.get(known_as)
    if rule is not None:
        result = rule(args, kwargs, known_as) if rule in known.WITH_TARGET else rule(args, kwargs)
        if result is not None:
            return result
    solver = registry.functional(target) if (getattr(target, "__module__", None) or "").startswith("scipy.") else None
    if solver is not None and solver.result is not None:
        order = list(inspect.signature(target).parameters)
        return known.in_words(solver.result, {**dict(zip(order, args, strict=False)), **kwargs})
    if isinstance(target, np.ufunc) and is_pure(target):
        result = known.ufunc_kind(target, args, kwargs)
        if result is not None:
            return result
    if helper is not None and not any(isinstance(a, (Unknown, Object)) for a in (*args, *kwargs.values())):
        found = by_example(helper, args, kwargs)
        return found if _symbols(found) <= _symbols(*args, *kwargs.values()) else UNKNOWN
    if any(isinstance(a, (Unknown, Object)) for a in (*args, *kwargs.values())) or not is_pure(target):
        return draw(target, args, kwargs) or _adjoint_of_argument(target, args) or UNKNOWN
    found = by_example(target, args, kwargs, lengths=target not in known.DATA_DEPENDENT)
    if isinstance(found, Number) and found.type is int and _is_smooth(target, (*args, *kwargs.values())):
        return UNKNOWN  # `max(0, distance)`: an int of the examples only
    return (_adjoint_of_argument(target, args) or found) if isinstance(found, Unknown) else found


def _is_smooth(target: Any, args: tuple[Kind, ...]) -> bool:
    """Is it a function of floats that has a derivative?"""
    rule = registry.lookup(target)
    return rule is not None and not rule.zero and any((known.dtype_of(k) or np.dtype(int)).kind in "fc" for k in args)


def _class_of_array(target: Any, args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """The kind of what is an array of a class other than NumPy's own, made here or made of one: `np.asmatrix(u) * 2.0`.

    >>> call_kind(operator.mul, [call_kind(np.asmatrix, [UNKNOWN]), Number(float)]).cls is np.matrix
    True
    """
    name = getattr(target, "__name__", "")
    if isinstance(target, type) and issubclass(target, np.ndarray) and not is_plain_class(target):
        return Object(target)
    if target is np.asmatrix or target is np.bmat:
        return Object(np.matrix)
    if (getattr(target, "__module__", None) or "").startswith("numpy.ma") and name not in MAKES_PLAIN:
        return Object(np.ma.MaskedArray)
    given = next((k for k in (*args, *kwargs.values()) if isinstance(k, Object) and own_class(k)), None)
    if given is not None and is_labelled(given.cls):
        if name in ("asarray", "array") and len(args) + len(kwargs) == 1:
            return whole_kind(given)
        if target is len:
            return length_of_labelled(given)
        if in_table(target, (*BINARY.values(), *COMPARE.values(), operator.invert)):
            return computed_kind(target, args, call_kind) or anything_of(given)
        return None if name in ("len", "float", "int", "bool", "asarray", "array") else anything_of(given)
    if target not in known.RULES and not isinstance(target, type):
        made = labelled_by(target)
        if made is not None:
            return made
    plain = name in MAKES_PLAIN and (len(args) + len(kwargs) == 1 or name in ("array", "asarray"))
    return None if plain else given


def _written(target: Any, args: list[Kind]) -> Kind | None:
    """The kind of a text that is made here: by `str`, by a method of text, or by joining, repeating or filling texts.

    >>> call_kind(operator.add, [Static("W"), call_kind(str, [Number(int)])])
    Text()
    """
    if target in (str, repr, format, chr, hex, bin, oct, ascii) or target in _METHODS_TO_TEXT:
        return Text()
    if target not in (operator.add, operator.mul, operator.mod) or len(args) != 2:
        return None
    first, second = map(is_text, args)
    if target is operator.mod:
        return Text() if first else None
    fits = (first and second) if target is operator.add else (first and args[1].whole) or (second and args[0].whole)
    return Text() if fits else None


def is_text(kind: Kind) -> bool:
    """Is it a string, whether its letters are known or not?"""
    return isinstance(kind, Text) or (isinstance(kind, Static) and type(kind.value) is str)


_METHODS_TO_TEXT = frozenset(
    getattr(str, name)
    for name in words(
        "capitalize center format join ljust lower lstrip removeprefix removesuffix replace rjust rstrip strip swapcase"
        " title upper zfill"
    )
)


def _filtered(target: Any, args: list[Kind]) -> Kind | None:
    """The kind of a filtered signal: that of the signal. (Filters refuse the short signals of examples.)"""
    home, signal = getattr(target, "__module__", None) or "", args[0] if args else None
    if not home.startswith("scipy.signal.") or getattr(target, "__name__", "") not in _FILTERS:
        return None
    known_ = isinstance(signal, Array) and signal.shape is not None and signal.dtype == np.float64
    return Array(np.dtype(float), signal.shape) if known_ and isinstance(signal, Array) else None


_FILTERS = words("savgol_filter detrend medfilt wiener")


def own_class(kind: Kind) -> bool:
    """Is it an array of a class other than NumPy's own, or a table or a series with labels?"""
    return isinstance(kind, Object) and (issubclass(kind.cls, np.ndarray) or is_labelled(kind.cls))


#: what is a plain array or a number, also if it is made of an array of another class (all of it)
MAKES_PLAIN = words(
    "array asarray sum mean prod min max amin amax ptp std var median any all float int bool complex abs len shape size"
    " ndim filled getdata getmask getmaskarray compressed is_masked count item tolist getA getA1 tobytes argmax argmin"
)


def _adjoint_of_argument(target: Any, args: list[Kind]) -> Kind | None:
    """The kind of what a helper returns that makes the adjoint of one of its arguments: that argument's.

    It says what examples do not show: that shapes that are not known to fit do.
    """
    from s2sad.knowledge import registry

    position = _ADJOINT_OF.get(getattr(target, "__name__", ""))
    if position is None or len(args) <= position or not isinstance(target, FunctionType):
        return None
    if registry.helper_like(target) is None:
        return None
    own, like = args[0], args[position]
    if not isinstance(like, Array) or like.shape is None or like.dtype.kind not in "fc":
        return None
    return like if isinstance(own, Unknown) or (isinstance(own, Array) and own.dtype == like.dtype) else None


#: helpers, and the position of the argument whose adjoint they make
_ADJOINT_OF = dict(
    unbroadcast=1, expand_reduced=1, matmul_left=1, matmul_right=2, dot_left=1, dot_right=2, kron_left=1, kron_right=2
)


def _helper(target: Any) -> Any | None:
    """The run-time helper that a function is, or is a copy of: they compute, and have no effect."""
    if type(target) is not FunctionType:
        return None
    original = helper_like(target)
    return original if original is not None and original.__name__ not in ("like", "made", "made_number") else None


def _symbols(*kinds: Kind) -> set[str]:
    """The symbols in the lengths and values of kinds."""
    found: dict[Dim, None] = {}
    for kind in kinds:
        dims_of(kind, found, {})
    return set(dims.base_symbols(found))


def _folded(target: Any, args: list[Kind], kwargs: dict[str, Kind]) -> Kind | None:
    """The result itself, when all arguments are known and one of them is no plain number."""
    if not args or kwargs or not all(isinstance(a, Static) for a in args):
        return None
    if not is_pure(target) or not all(_foldable(a.value) for a in args):  # type: ignore[attr-defined]
        return None
    try:
        return kind_of_global(target(*[a.value for a in args]))  # type: ignore[attr-defined]
    except Exception:
        return None


def _foldable(value: Any) -> bool:
    return value is None or isinstance(value, (str, bool, int, float, bytes, enum.Enum, np.dtype, type(Ellipsis)))


def result_kind(target: Any, *args: Kind) -> Kind:
    """The kind of an operator's result: `result_kind(operator.add, a, b)`."""
    return call_kind(target, list(args))


def element_kind(kind: Kind) -> Kind:
    """The kind of the loop variable of a loop over a value."""
    return known.element_of(List(tuple(Static(k) for k, _ in kind.items)) if isinstance(kind, Dict) else kind)
