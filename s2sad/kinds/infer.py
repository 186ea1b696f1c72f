"""The kind of an expression, from the kinds of its names."""

from __future__ import annotations

import builtins
import enum
import operator
from collections.abc import Mapping
from dataclasses import replace
from types import ModuleType
from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, Facts, Written, items_of, text
from s2sad.kinds import dims, known, subscript
from s2sad.kinds.bind import kind_of_global
from s2sad.kinds.calls import BINARY, COMPARE, MAKES_PLAIN, UNARY, call_kind, of_array, own_class
from s2sad.kinds.draws import draw_kind
from s2sad.kinds.kind import (
    Array,
    Callable,
    Dict,
    Dim,
    Either,
    Kind,
    List,
    ListOf,
    Number,
    Object,
    PlaceLists,
    Places,
    Records,
    Static,
    Text,
    Tuple,
    Unknown,
)
from s2sad.kinds.known import UNKNOWN
from s2sad.kinds.known_python import shape_kind
from s2sad.kinds.labelled import attribute_of_labelled, is_labelled, method_of_labelled, part_kind
from s2sad.runtime import helpers
from s2sad.runtime.decide import Look, bound_in, decide, moves
from s2sad.runtime.identity import class_entry, in_table
from s2sad.runtime.structures import Whole


def infer(expr: Expr, facts: Facts) -> Kind:
    """The kind of an expression; Unknown() where nothing is known. Never raises.

    Args:
        expr: a gast expression over names in facts.kinds, facts.globals and builtins.
        facts: what is known of the names.

    >>> from s2sad.core import quote
    >>> n = Dim.symbol("n")
    >>> kind = infer(quote("x[1:] * 2.0"), Facts(kinds={"x": Array(np.dtype("f8"), (n,))}))
    >>> kind.dtype, str(kind.shape[0])
    (dtype('float64'), 'n - 1')
    """
    try:
        visit = _VISIT.get(type(expr))
        return visit(expr, facts) if visit is not None else UNKNOWN
    except RecursionError:
        raise
    except Exception:
        return UNKNOWN


# -- what is asked of attributes and functions -------------------------------------------------------------------------


@known.rule(getattr)
def _getattr(args: list[Kind], kwargs: dict[str, Kind]) -> Kind:
    present = _has(args[0], known.literal(args[1]))
    if present is False and len(args) > 2:
        return args[2]
    return attribute_kind(args[0], known.literal(args[1])) if present else UNKNOWN


@known.rule(hasattr)
def _hasattr(args: list[Kind], kwargs: dict[str, Kind]) -> Kind:
    present = _has(args[0], known.literal(args[1]))
    return Number(bool) if present is None else Static(present)


@known.rule(helpers.product_with_zeros)
def _product_with_zeros(args: list[Kind], kwargs: dict[str, Kind]) -> Kind:
    return call_kind(args[0].value, args[2:]) if isinstance(args[0], Callable) else UNKNOWN


@known.rule(callable)
def _callable(args: list[Kind], kwargs: dict[str, Kind]) -> Kind:
    cls = known.class_of(args[0])
    return Number(bool) if cls is None else Static(callable(getattr(args[0], "value", None)) or "__call__" in dir(cls))


def _has(kind: Kind, name: str) -> bool | None:
    """hasattr(value, name), where the kind decides it."""
    if isinstance(kind, (Static, Callable)):
        return hasattr(kind.value, name)
    if isinstance(kind, Object):
        return True if hasattr(kind.cls, name) or any(key == name for key, _ in kind.attributes) else None
    cls = known.class_of(kind)
    return None if cls is None else hasattr(cls, name)


# -- expressions -------------------------------------------------------------------------------------------------------


def _name(expr: Expr, facts: Facts) -> Kind:
    kind = facts.kinds.get(expr.id)
    if kind is not None:
        return kind
    if expr.id in facts.globals:
        value = facts.globals[expr.id]
        decide(value, Look.READ)  # (`kind_of_global` leaves those out that move)
        return Callable(value) if type(value) is ModuleType or isinstance(value, Written) else kind_of_global(value)
    if hasattr(builtins, expr.id):
        return kind_of_global(getattr(builtins, expr.id))
    return UNKNOWN


def _constant(expr: Expr, facts: Facts) -> Kind:
    value = expr.value
    if type(value) is int:
        return Number(int, Dim.of(value))
    if type(value) in (float, complex):
        return Number(type(value))
    return Static(value)


#: what the methods of operators are called, behind __ or __r
_METHODS = {
    op: {"Mult": "mul", "Div": "truediv", "MatMult": "matmul", "BitAnd": "and", "BitOr": "or", "BitXor": "xor",
         "LShift": "lshift", "RShift": "rshift"}.get(op.__name__, op.__name__.lower()) + "__"
    for op in BINARY
}  # fmt: skip


def _binary(expr: Expr, facts: Facts) -> Kind:
    return _of_operands(type(expr.op), infer(expr.left, facts), infer(expr.right, facts))


def binary_kind(op: type, left: Kind, right: Kind) -> Kind:
    """The kind of a binary operation, by the kinds of its operands. Never raises.

    >>> binary_kind(gast.Mult, Number(int), Number(float)).type
    <class 'float'>
    """
    try:
        return _of_operands(op, left, right)
    except RecursionError:
        raise
    except Exception:
        return UNKNOWN


def _of_operands(op: type, left: Kind, right: Kind) -> Kind:
    for this, other, prefix in ((left, right, "__"), (right, left, "__r")):  # of a library's object: its method knows
        if not isinstance(this, Object):
            continue
        method = class_entry(this.cls, prefix + _METHODS[op])
        if in_table(method, known.RULES):
            return call_kind(method, [this, other])
    kind = call_kind(BINARY[op], [left, right])
    return kind if op is gast.Div else _among_ints(kind, left, right)


def _among_ints(kind: Kind, *operands: Kind) -> Kind:
    """The kind of a number made of ints, some of which count as floats: in the function it is an int."""
    if not isinstance(kind, Number):
        return kind
    for k in operands:
        if isinstance(k, Number) and k.types and Whole in k.types:
            break
    else:
        return kind
    return replace(kind, types=frozenset((Whole,))) if all(map(_is_whole, operands)) else kind


def _is_whole(kind: Kind) -> bool:
    if isinstance(kind, Static):
        return type(kind.value) is int
    return isinstance(kind, Number) and (kind.type is int or Whole in kind.types)


def _unary(expr: Expr, facts: Facts) -> Kind:
    operand = infer(expr.operand, facts)
    kind = _among_ints(call_kind(UNARY[type(expr.op)], [operand]), operand)
    if isinstance(expr.op, gast.Invert) and isinstance(operand, (Array, Number)) and operand.trues is not None:
        assert isinstance(kind, (Array, Number))
        shape = operand.shape if isinstance(operand, Array) else ()
        return replace(kind, trues=dims.product_of(shape or ()) - operand.trues)
    return kind


def _compare(expr: Expr, facts: Facts) -> Kind:
    kinds = [infer(e, facts) for e in (expr.left, *expr.comparators)]
    results = [_compare_one(type(op), kinds[i], kinds[i + 1]) for i, op in enumerate(expr.ops)]
    return _chain(results, False)


def _compare_one(op: type, left: Kind, right: Kind) -> Kind:
    if op in (gast.Is, gast.IsNot):
        same = is_same(left, right)
        return Number(bool) if same is None else Static(same if op is gast.Is else not same)
    if op in (gast.In, gast.NotIn):
        member = is_member(left, right)
        return Number(bool) if member is None else Static(member if op is gast.In else not member)
    if op in (gast.Eq, gast.NotEq):
        answer = is_equal(left, right)
        if answer is not None:
            return Static(answer if op is gast.Eq else not answer)
    return call_kind(COMPARE[op], [left, right])


def is_same(a: Kind, b: Kind) -> bool | None:
    """`a is b`, where the kinds decide it."""
    for one, other in ((a, b), (b, a)):
        if isinstance(one, Either) and isinstance(other, Static):
            answers = {is_same(k, other) for k in one.alternatives}
            return answers.pop() if len(answers) == 1 else None
    if isinstance(a, (Static, Callable)) and isinstance(b, (Static, Callable)):
        if isinstance(a.value, (str, int, float, bytes, tuple)) and not isinstance(a.value, bool):
            return None if a.value == b.value else False
        return a.value is b.value
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return None
    if isinstance(a, Number) and isinstance(b, Number):
        return None
    for one, other in ((a, b), (b, a)):
        if isinstance(one, (Static, Callable)) and not isinstance(other, (Static, Callable)):
            if isinstance(one.value, bool) and isinstance(other, Number) and bool in other.of_types():
                return None
            return False
    return None


def is_equal(a: Kind, b: Kind) -> bool | None:
    """`a == b` for values that are no numbers or arrays, where the kinds decide it."""
    plain = (str, bytes, type(None), enum.Enum, type)
    for one, other in ((a, b), (b, a)):
        if not isinstance(one, (Static, Callable)) or not isinstance(one.value, plain):
            continue
        if isinstance(other, (Static, Callable)):
            try:
                return bool(one.value == other.value)
            except Exception:
                return None
        if isinstance(other, (Number, List, ListOf, Tuple, Dict)) and not isinstance(one.value, enum.Enum):
            return False
    if isinstance(a, Tuple) and isinstance(b, Tuple):
        if len(a.items) != len(b.items):
            return False
        answers = [_equal_part(x, y) for x, y in zip(a.items, b.items, strict=True)]
        return False if False in answers else (True if all(answers) else None)
    return None


def _equal_part(a: Kind, b: Kind) -> bool | None:
    answer = is_equal(a, b)
    if answer is None:
        kind = call_kind(operator.eq, [a, b])
        return kind.value if isinstance(kind, Static) and isinstance(kind.value, bool) else None
    return answer


def is_member(a: Kind, b: Kind) -> bool | None:
    """`a in b`, where the kinds decide it."""
    if isinstance(b, Dict):
        value = known.literal(a) if isinstance(a, (Static, Number)) and known.truth(a) is not None else None
        return (value in [k for k, _ in b.items]) if isinstance(a, Static) or value is not None else None
    if isinstance(b, Static) and isinstance(a, Static):
        try:
            return bool(a.value in b.value)
        except TypeError:
            return None
    if isinstance(b, (Tuple, List)):
        answers = [_equal_part(a, item) for item in b.items]
        return True if True in answers else (None if None in answers else False)
    return None


def _chain(results: list[Kind], stop: bool) -> Kind:
    """The kind of `and` (stop=False) and `or` (stop=True) of several values."""
    left: list[Kind] = []
    for i, kind in enumerate(results):
        decided = known.truth(kind)
        if decided is stop or i == len(results) - 1:
            left.append(kind)
            break
        if decided is None:
            left.append(kind)
    return left[0] if len(left) == 1 else _either(left)


def _either(kinds: list[Kind]) -> Kind:
    """The kind of a value that has one of several kinds."""
    first = kinds[0]
    if all(k == first for k in kinds):
        return first
    if all(isinstance(k, Number) or (isinstance(k, Static) and isinstance(k.value, bool)) for k in kinds):
        types = {k.type if isinstance(k, Number) else bool for k in kinds}
        return Number(types.pop()) if len(types) == 1 else known.same_number(kinds)
    if all(isinstance(k, Array) for k in kinds):
        arrays = [k for k in kinds if isinstance(k, Array)]
        if len({a.dtype for a in arrays}) == 1:
            ranks = {len(a.shape) if a.shape is not None else -1 for a in arrays}
            if len(ranks) == 1 and -1 not in ranks:
                columns = zip(*[a.shape for a in arrays if a.shape is not None], strict=True)
                return Array(arrays[0].dtype, tuple([c[0] if len(set(c)) == 1 else dims.fresh() for c in columns]))
            return Array(arrays[0].dtype, None)
    return UNKNOWN


def _boolean(expr: Expr, facts: Facts) -> Kind:
    return _chain([infer(v, facts) for v in expr.values], isinstance(expr.op, gast.Or))


def _conditional(expr: Expr, facts: Facts) -> Kind:
    decided = known.truth(infer(expr.test, facts))
    if decided is not None:
        return infer(expr.body if decided else expr.orelse, facts)
    return _either([infer(expr.body, facts), infer(expr.orelse, facts)])


def _items(elements: list[Expr], facts: Facts) -> tuple[Kind, ...] | None:
    """The kinds of the elements of a display; None when a starred part has no known length."""
    items: list[Kind] = []
    for element in elements:
        if isinstance(element, gast.Starred):
            kind = infer(element.value, facts)
            if not isinstance(kind, (Tuple, List)):
                return None
            items.extend(kind.items)
        else:
            items.append(infer(element, facts))
    return tuple(items)


def _tuple(expr: Expr, facts: Facts) -> Kind:
    items = _items(expr.elts, facts)
    return UNKNOWN if items is None else Tuple(items)


def _list(expr: Expr, facts: Facts) -> Kind:
    items = _items(expr.elts, facts)
    return UNKNOWN if items is None else List(items)


def _dict(expr: Expr, facts: Facts) -> Kind:
    items: dict[Any, Kind] = {}
    for key, value in zip(expr.keys, expr.values, strict=True):
        if key is None:
            part = infer(value, facts)
            if not isinstance(part, Dict):
                return UNKNOWN
            items.update(part.items)
        else:
            items[known.literal(infer(key, facts))] = infer(value, facts)
    return Dict(tuple(items.items()))


def _attribute(expr: Expr, facts: Facts) -> Kind:
    base = infer(expr.value, facts)
    if isinstance(base, Dict) and isinstance(expr.value, gast.Name):  # of a class of dicts with attributes
        found = getattr(facts.globals.get(expr.value.id), expr.attr, None)
        return kind_of_global(found) if isinstance(found, (int, float, np.ndarray)) else UNKNOWN
    return _part_of_argument(attribute_kind(base, expr.attr), expr, facts)


def attribute_kind(base: Kind, name: str) -> Kind:
    """The kind of base.name."""
    base = of_array(base, name)
    if isinstance(base, Array):
        if name == "shape":
            return shape_kind([base], {}) or UNKNOWN
        if name == "T":
            return base if base.shape is None else Array(base.dtype, base.shape[::-1])
        if name == "mT" and base.shape is not None and len(base.shape) > 1:
            return Array(base.dtype, (*base.shape[:-2], base.shape[-1], base.shape[-2]))
        if name == "size":
            return Number(int) if base.shape is None else Number(int, dims.product_of(base.shape))
        if name == "ndim":
            return Number(int) if base.shape is None else Number(int, Dim.of(len(base.shape)))
        if name == "dtype":
            return UNKNOWN if base.mixed else Static(base.dtype)
        if name in ("real", "imag"):
            return Array(np.zeros(0, base.dtype).real.dtype, base.shape)
        if name in ("itemsize", "nbytes"):
            return Number(int)
        return UNKNOWN
    if isinstance(base, Number):
        return _number_attribute(base, name)
    if isinstance(base, Object) and is_labelled(base.cls):
        return attribute_of_labelled(base, name) or UNKNOWN
    if own_class(base):
        return base if name in ("T", "H", "I", "real", "imag") else UNKNOWN
    if isinstance(base, Object):
        for key, kind in base.attributes:
            if key == name:
                return kind
        value = getattr(base.cls, name, None)
        if isinstance(value, property) and value in known.RULES:
            return call_kind(value, [base])
        if value is None or isinstance(value, property) or hasattr(type(value), "__get__"):
            return UNKNOWN
        return _kind_of_attribute(base.cls, name)
    if isinstance(base, Tuple):
        fields = getattr(base.cls, "_fields", ())
        return base.items[fields.index(name)] if name in fields else UNKNOWN
    if isinstance(base, Callable) and isinstance(base.value, (ModuleType, type)):
        return _kind_of_attribute(base.value, name)
    if isinstance(base, Static) and isinstance(base.value, (enum.Enum, np.dtype, np.finfo, np.iinfo)):
        return kind_of_global(getattr(base.value, name))
    if isinstance(base, Callable) and hasattr(base.value, name):
        return kind_of_global(getattr(base.value, name))
    return UNKNOWN


def _kind_of_attribute(owner: Any, name: str) -> Kind:
    """The kind of what a module or a class holds; of an int that is read in the run, its value is not known."""
    value = getattr(owner, name)
    where = bound_in(owner, name)
    return Number(int) if type(value) is int and where is not None and moves(where, name) else kind_of_global(value)


def _number_attribute(base: Number, name: str) -> Kind:
    if name in ("real", "imag"):
        value = base.type(1)
        return Number(type(getattr(value, name)), base.value if name == "real" else None)
    if issubclass(base.type, np.generic):
        if name == "shape":
            return Tuple(())
        if name == "ndim":
            return Number(int, dims.ZERO)
        if name == "size":
            return Number(int, dims.ONE)
        if name == "dtype":
            return UNKNOWN if base.types else Static(np.dtype(base.type))
        if name == "T":
            return base
    return UNKNOWN


def _subscript(expr: Expr, facts: Facts) -> Kind:
    joiner = _joiner(expr.value, facts)
    if joiner is not None:
        return _joined(joiner, expr.slice, facts)
    base = infer(expr.value, facts)
    if isinstance(base, (Tuple, List, Dict)):
        return _part_of_argument(index_kind(base, expr.slice, facts), expr, facts)
    return index_kind(base, expr.slice, facts)


def _part_of_argument(kind: Kind, expr: Expr, facts: Facts) -> Kind:
    """The kind of a part of a container: a list that is one at run time has no length of its own any more."""
    own = facts.kinds.get(text(expr)) if isinstance(kind, List) else None
    return own if isinstance(own, ListOf) else kind


def _joiner(expr: Expr, facts: Facts) -> Any:
    """np.r_ or np.c_, where an expression is one of them."""
    if isinstance(expr, gast.Attribute) and expr.attr in ("r_", "c_") and isinstance(expr.value, gast.Name):
        return getattr(np, expr.attr) if facts.globals.get(expr.value.id) is np else None
    found = facts.globals.get(expr.id) if isinstance(expr, gast.Name) else None
    return found if found is np.r_ or found is np.c_ else None


def _joined(joiner: Any, parts: Expr, facts: Facts) -> Kind:
    """The kind of np.r_[parts] and np.c_[parts]: of the call that does the same.

    >>> from s2sad.core import quote
    >>> str(infer(quote("np.r_[0:3, 1.0]"), Facts(globals={"np": np})).shape[0])
    '4'
    """
    items = items_of(parts)
    kinds: list[Kind] = []
    for item in items:
        if isinstance(item, gast.Slice):
            bounds = [gast.Constant(0, None) if item.lower is None else item.lower, item.upper, item.step]
            given = [infer(b, facts) for b in bounds if b is not None]
            if item.upper is None or not all(isinstance(k, Number) and k.type is not complex for k in given):
                return UNKNOWN
            kinds.append(call_kind(np.arange, given))
        else:
            kinds.append(infer(item, facts))
    ranks = [_rank_of(k) for k in kinds]
    if None in ranks:
        return UNKNOWN
    least, largest = min(r for r in ranks if r is not None), max(r for r in ranks if r is not None)
    if joiner is np.c_:
        return call_kind(np.column_stack, [Tuple(tuple(kinds))]) if largest <= 2 else UNKNOWN
    if largest > 1 and least < largest:
        return UNKNOWN
    return call_kind(np.hstack if largest <= 1 else np.concatenate, [Tuple(tuple(kinds))])


def _rank_of(kind: Kind) -> int | None:
    return of_array(kind).rank if kind.rank is None else kind.rank


def index_kind(base: Kind, index_expr: Expr, facts: Facts) -> Kind:
    """The kind of base[index]; index_expr is the expression (or Slice, or Tuple of these) between the brackets.

    >>> from s2sad.core import quote
    >>> x = Array(np.dtype("f8"), (Dim.symbol("n"), Dim.symbol("m")))
    >>> kind = index_kind(x, quote("x[1:-1, None, 0]").slice, Facts())
    >>> [str(d) for d in kind.shape]
    ['n - 2', '1']
    """
    if isinstance(base, Object) and is_labelled(base.cls):
        return part_kind(base, infer(index_expr, facts))
    if own_class(base):
        return base
    if isinstance(base, (Places, PlaceLists)):
        return Number(int) if isinstance(base, Places) else Places()
    try:
        found = subscript.subscript(of_array(base), _index_items(index_expr, facts), isinstance(index_expr, gast.Tuple))
    except RecursionError:
        raise
    except Exception:
        return UNKNOWN
    if isinstance(base, Array) and base.mixed and isinstance(found, Array):
        return replace(found, mixed=True)
    return found


def _index_items(expr: Expr, facts: Facts) -> list[Any]:
    """The parts of an index: a Kind, or subscript.Slice for a slice."""
    if isinstance(expr, gast.Slice):
        return [_slice(expr, facts)]
    if isinstance(expr, gast.Tuple) and not any(isinstance(e, gast.Starred) for e in expr.elts):
        return [_slice(e, facts) if isinstance(e, gast.Slice) else infer(e, facts) for e in expr.elts]
    return [infer(expr, facts)]


def _slice(expr: Expr, facts: Facts) -> Any:
    return subscript.Slice(*[None if e is None else infer(e, facts) for e in (expr.lower, expr.upper, expr.step)])


def _call_expr(expr: Expr, facts: Facts) -> Kind:
    args = _items(expr.args, facts)
    if args is None:
        return UNKNOWN
    kwargs: dict[str, Kind] = {}
    for keyword in expr.keywords:
        kind = infer(keyword.value, facts)
        if keyword.arg is not None:
            kwargs[keyword.arg] = kind
        elif isinstance(kind, Dict):
            kwargs.update(kind.items)
        else:
            return UNKNOWN
    if isinstance(expr.func, gast.Attribute):
        base = infer(expr.func.value, facts)
        held = isinstance(base, Object) and any(k == expr.func.attr and type(v) is Callable for k, v in base.attributes)
        if not held and not (isinstance(base, Callable) and isinstance(base.value, (ModuleType, type))):
            return method_kind(base, expr.func.attr, list(args), kwargs)
    target = infer(expr.func, facts)
    if isinstance(target, Object):
        return call_kind(target.cls.__call__, [target, *args], kwargs)
    if isinstance(target, Callable) and type(target.value).__call__ in known.RULES:
        return call_kind(type(target.value).__call__, [target, *args], kwargs)
    return call_kind(target.value, list(args), kwargs) if isinstance(target, Callable) else UNKNOWN


def method_kind(base: Kind, name: str, args: list[Kind], kwargs: Mapping[str, Kind] | None = None) -> Kind:
    """The kind of base.name(*args, **kwargs)."""
    kwargs = dict(kwargs) if kwargs else {}
    base = of_array(base, name)
    if isinstance(base, (Array, Records)) and name == "copy" and not args:
        return base
    if isinstance(base, Array):
        if name == "astype" and args:
            dtype = known.dtype_argument(args[0])
            numbers = dtype is not None and dtype.kind in "fciub"
            return UNKNOWN if dtype is None else Array(dtype, base.shape) if numbers else Records(dtype)
        if name == "item":
            return Number(type(np.zeros(1, base.dtype).item()))
        return call_kind(getattr(np.ndarray, name), [base, *args], kwargs)
    if isinstance(base, Number):
        if issubclass(base.type, np.generic):
            if name == "item":
                return Number(type(base.type(1).item()))
            scalar = call_kind(getattr(np.ndarray, name), [Array(np.dtype(base.type), ()), *args], kwargs)
            if not isinstance(scalar, Array) or scalar.shape:  # s.reshape(1, 1) and s.ravel() are arrays
                return scalar
            return Number(scalar.dtype.type) if scalar.shape == () else UNKNOWN
        return call_kind(getattr(base.type, name), [base, *args], kwargs)
    if isinstance(base, Dict):
        return _dict_method(base, name, args)
    if isinstance(base, (List, ListOf)):
        return _list_method(base, name, args)
    if isinstance(base, Tuple) and name == "count":
        return Number(int)
    if isinstance(base, Text) or (isinstance(base, Static) and isinstance(base.value, (str, bytes))):
        return call_kind(getattr(str, name), [base, *args], kwargs)
    if isinstance(base, Static) and isinstance(base.value, np.dtype):
        return UNKNOWN
    if isinstance(base, Object):
        if issubclass(base.cls, (np.random.Generator, np.random.RandomState)):
            return draw_kind(name, args, kwargs) or UNKNOWN
        if is_labelled(base.cls):
            return method_of_labelled(base, name, not args and not kwargs) or UNKNOWN
        if own_class(base):
            return UNKNOWN if name in MAKES_PLAIN and not args and not kwargs else base
        method = getattr(base.cls, name, None)
        return call_kind(method, [base, *args], kwargs) if method in known.RULES else UNKNOWN
    if isinstance(base, Callable):
        return call_kind(getattr(base.value, name), args, kwargs)
    return UNKNOWN


def _dict_method(base: Dict, name: str, args: list[Kind]) -> Kind:
    if name == "keys":
        return List(tuple(Static(k) for k, _ in base.items))
    if name == "values":
        return List(tuple(v for _, v in base.items))
    if name == "items":
        return List(tuple(Tuple((Static(k), v)) for k, v in base.items))
    if name == "copy":
        return base
    if name in ("get", "pop") and args:
        key = known.literal(args[0])
        for k, v in base.items:
            if k == key:
                return v
        return args[1] if len(args) > 1 else Static(None)
    return Static(None) if name in ("update", "clear") else UNKNOWN


def _list_method(base: List | ListOf, name: str, args: list[Kind]) -> Kind:
    if name in ("append", "extend", "insert", "remove", "clear", "sort", "reverse"):
        return Static(None)
    if name in ("index", "count"):
        return Number(int)
    if name == "copy":
        return base
    if name == "pop":
        if isinstance(base, ListOf):
            return base.item
        position = known.literal(args[0]) if args else -1
        return base.items[position]
    return UNKNOWN


def _starred(expr: Expr, facts: Facts) -> Kind:
    return infer(expr.value, facts)


def _named(expr: Expr, facts: Facts) -> Kind:
    return infer(expr.value, facts)


def _text(expr: Expr, facts: Facts) -> Kind:
    return Text()


def _slice_object(expr: Expr, facts: Facts) -> Kind:
    bounds = (expr.lower, expr.upper, expr.step)
    return Static(slice(*[None if e is None else known.literal(infer(e, facts)) for e in bounds]))


_VISIT: dict[type, Any] = {
    gast.Name: _name, gast.Constant: _constant, gast.BinOp: _binary, gast.UnaryOp: _unary, gast.Compare: _compare,
    gast.BoolOp: _boolean, gast.IfExp: _conditional, gast.Tuple: _tuple, gast.List: _list, gast.Dict: _dict,
    gast.Attribute: _attribute, gast.Subscript: _subscript, gast.Call: _call_expr, gast.Starred: _starred,
    gast.NamedExpr: _named, gast.JoinedStr: _text, gast.Slice: _slice_object,
}  # fmt: skip
