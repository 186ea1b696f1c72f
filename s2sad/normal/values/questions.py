"""Questions about abstract values, kinds and expressions that need nothing of the run."""

from __future__ import annotations

import dataclasses
import enum
import sys
import types
from collections.abc import Callable as Function
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, OfNodes, atom_key, clone, text, walk, walk_names
from s2sad.kinds import dims
from s2sad.kinds.dims import is_fixed
from s2sad.kinds.joined import is_python_number, join_kinds
from s2sad.kinds.kind import Array, Dict, Dim, Either, Kind, List, ListOf, Number, Object, Static, Tuple, Unknown
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.labelled import is_labelled
from s2sad.kinds.query import is_float_kind
from s2sad.normal.iteration.watch import DICT_VIEWS
from s2sad.normal.values.abstract import (
    Choice,
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
    Unbound,
    Value,
    is_none,
)
from s2sad.runtime.identity import class_entry


def is_list_of_the_run(value: Value) -> bool:
    """Is it a list, a dict or a tuple that is read at run time?"""
    return isinstance(value, Leaf) and isinstance(value.kind, (ListOf, List, Dict, Tuple))


def is_new_list(value: Expr, deep: bool) -> bool:
    """Does an expression make a list that nobody else holds? `deep`: and lists in it that nobody else holds.

    >>> from s2sad.core import quote
    >>> is_new_list(quote("[row] * n"), False), is_new_list(quote("[row] * n"), True)
    (True, False)
    >>> is_new_list(quote("a or b"), False)
    False
    """
    if isinstance(value, gast.BinOp):
        return not deep
    if isinstance(value, (gast.List, gast.Tuple)):
        return not deep or all(isinstance(e, gast.Constant) or is_new_list(e, deep) for e in value.elts)
    if isinstance(value, gast.ListComp):
        return not deep or is_new_list(value.elt, deep)
    if isinstance(value, gast.Call):
        makes = isinstance(value.func, gast.Name) and value.func.id in ("list", "sorted") and not deep
        listed = isinstance(value.func, gast.Attribute) and value.func.attr == "tolist"
        return makes or listed or getattr(value, "new", False)
    return False


def data_kind(value: Any) -> Kind | None:
    """The kind of a table of numbers that is there at derivation: lists and tuples of one form.

    >>> str(data_kind([1.0, 2.5])), data_kind({"a": 1.0})
    ("ListOf(item=Number(type=<class 'float'>, value=None))", None)
    """
    if is_python_number(value) and not isinstance(value, (bool, complex)):
        return Number(type(value))
    if not isinstance(value, (list, tuple)) or not value or hasattr(value, "_fields"):
        return None
    kinds = [data_kind(v) for v in value]
    first = kinds[0]
    for kind in kinds:
        if kind is None or first is None or type(kind) is not type(first):
            return None
        first = join_kinds(first, kind, dims.fresh)
    return None if isinstance(first, Unknown) or first is None else ListOf(first)


def own_new(cls: type) -> types.FunctionType | None:
    """The __new__ of a class, where it is the user's."""
    for base in cls.__mro__:
        if is_standard(base) or "_fields" in vars(base):
            return None
        found = vars(base).get("__new__")
        if found is not None:
            function = getattr(found, "__func__", found)
            return function if isinstance(function, types.FunctionType) else None
    return None


def made_of_items(cls: type) -> bool:
    """Are objects of a class that is built on tuple made of their items, and nothing else?"""
    return cls is tuple or (own_new(cls) is None and type(class_entry(cls, "__init__")) is not types.FunctionType)


def is_standard(cls: type) -> bool:
    """Is it a class of NumPy, SciPy or the standard library, whose objects are not looked into?"""
    module = (getattr(cls, "__module__", "") or "").split(".")[0]
    if cls.__name__ == "SimpleNamespace":
        return False
    if module in ("numpy", "scipy", "builtins") or is_labelled(cls):
        return True
    return module in sys.stdlib_module_names and module != "__main__"


def item_read(expr: Expr, key: Any) -> Expr:
    return gast.Subscript(clone(expr), gast.Constant(key, None), gast.Load())


def name_part(key: Any) -> str:
    word = f"_{key}"
    return word if word.isidentifier() else "_item"


def same_constant(a: Any, b: Any) -> bool:
    """Can one constant stand for another? Objects of the user's, and what may change, stand for themselves alone.

    >>> same_constant((1, "a"), (1, "a")), same_constant((1, "a"), (1.0, "a")), same_constant([1], [1])
    (True, False, False)
    """
    if a is b:
        return True
    if type(a) is not type(b) or isinstance(a, np.ndarray):
        return False
    if isinstance(a, (types.MethodType, types.BuiltinMethodType)):  # made anew where it is read
        return a.__self__ is b.__self__ and a.__name__ == b.__name__ and a == b
    if isinstance(a, (tuple, frozenset, set, slice)):
        one, other = parts_of_constant(a), parts_of_constant(b)
        return len(one) == len(other) and all(map(same_constant, one, other))
    try:
        return is_standard(type(a)) and hash(a) == hash(b) and bool(a == b) and repr(a) == repr(b)
    except Exception:
        return False


def parts_of_constant(value: Any) -> list[Any]:
    if isinstance(value, slice):
        return [value.start, value.stop, value.step]
    return list(value) if isinstance(value, tuple) else sorted(value, key=repr)


def same_expr(a: Expr, b: Expr) -> bool:
    if isinstance(a, gast.Name) and isinstance(b, gast.Name):
        return bool(a.id == b.id)
    if isinstance(a, gast.Constant) and isinstance(b, gast.Constant):
        return type(a.value) is type(b.value) and bool(a.value == b.value)
    return type(a) is type(b) and text(a) == text(b)


def stem(slot: tuple[Any, ...]) -> str:
    name = str(slot[2])
    if name.isidentifier():
        return name
    return {"#returned": "returned", "#result": "result"}.get(name, "item")


def has_fields(kind: Kind) -> bool:
    """Is it the kind of a namedtuple, or of a run-time list that holds some?"""
    if isinstance(kind, ListOf):
        return has_fields(kind.item)
    return isinstance(kind, Tuple) and (hasattr(kind.cls, "_fields") or any(map(has_fields, kind.items)))


def may_be_none(values: list[Value], tuples: bool = False) -> bool:
    """Are some of the values None, and the others run-time values, or tuples where these are asked for?"""
    absent = [is_none(v) for v in values]
    forms = (Maybe, Tup) if tuples else (Leaf, Maybe)
    return all(a or isinstance(v, forms) for a, v in zip(absent, values, strict=True)) and (
        (any(absent) and not all(absent)) or any(isinstance(v, Maybe) for v in values)
    )


def none_of(value: Value) -> Value:
    """Whether a value is None."""
    if isinstance(value, Leaf) and isinstance(value.kind, Unknown):  # it may be joined of None and a number
        test = gast.Compare(clone(value.expr), [gast.Is()], [gast.Constant(None, None)])
        return Leaf(test, Number(bool), nested=True)
    return value.none if isinstance(value, Maybe) else Known(is_none(value))


def tuple_of(value: Value) -> Value:
    """A tuple that may be None as the tuple: where it is taken apart, it is there."""
    return value.value if isinstance(value, Maybe) and isinstance(value.value, Tup) else value


def is_function(value: Value) -> bool:
    """Is it a function, or one of several?"""
    if not isinstance(value, Known):
        return isinstance(value, (Closure, Choice, Method, Partial))
    return value.can_be_called and (value.is_a(type) or is_standard(value.cls))


def is_callable(value: Value) -> bool:
    """Is it a function, or an object of the user's that can be called?"""
    return is_function(value) or (isinstance(value, Known) and value.can_be_called)


def may_be_functions(values: list[Value]) -> bool:
    """Are they functions, or None in the place of one?"""
    return all(is_function(v) or is_none(v) for v in values) and not all(map(is_none, values))


def alternatives(value: Value) -> Iterator[Value]:
    """The functions that a value may be."""
    if isinstance(value, Choice):
        yield from alternatives(value.first)
        yield from alternatives(value.second)
    else:
        yield value


def name_of(function: Value) -> str:
    """What a function is called, where it has a name."""
    if isinstance(function, (Method, Partial)):
        return name_of(function.function)
    if is_none(function):
        return "none"
    tree = function.source.tree if isinstance(function, Closure) else None
    name = tree.name if tree is not None else getattr(getattr(function, "value", None), "__name__", "")
    return name if name.isidentifier() and not name.startswith("lambda") else "first"


def value_of(value: Value) -> Value:
    """The value where it is not None."""
    if isinstance(value, Maybe):
        return value.value
    return Unbound() if is_none(value) else value


def is_set(value: Any) -> bool:
    """Is it a set, as a value that is known?"""
    return isinstance(value, (set, frozenset))


def mentions_set(kind: Kind | None) -> bool:
    """Is there a set that is known in a kind?"""
    if isinstance(kind, ListOf):
        return mentions_set(kind.item)
    if isinstance(kind, (List, Tuple)):
        return any(map(mentions_set, kind.items))
    return isinstance(kind, Static) and is_set(kind.value)


def hold_too(obj: ListObj | DictObj | Instance, other: ListObj | DictObj | Instance) -> None:
    """What is an item of a run-time list on one path may be one afterwards."""
    if isinstance(obj, ListObj) and isinstance(other, ListObj) and other.held:
        obj.held = True


def put_item(obj: ListObj | DictObj | Instance, key: Any, value: Value) -> None:
    if isinstance(obj, Instance):
        obj.attributes[key] = value
    else:
        obj.items[key] = value


def timeless(kind: Kind) -> Kind:
    """The kind of a list item, without the lengths and values that only one run of the lowering knows.

    Lengths get symbols `item0@`, `item1@`, ... which stand for "some length" and are made fresh when an item is read.
    """
    if isinstance(kind, Array) and kind.shape is not None:
        return Array(
            kind.dtype,
            tuple(d if is_fixed(d) else Dim.symbol(f"item{i}@") for i, d in enumerate(kind.shape)),
            mixed=kind.mixed,
        )
    if isinstance(kind, Either):
        return Either(timeless(kind.array), kind.other)  # type: ignore[arg-type]
    if isinstance(kind, Tuple):
        return Tuple(tuple(timeless(k) for k in kind.items), kind.cls)
    if isinstance(kind, List):
        return List(tuple(timeless(k) for k in kind.items))
    if isinstance(kind, Number):
        return Number(kind.type, types=kind.types)
    if isinstance(kind, ListOf):
        return ListOf(timeless(kind.item))
    return kind


_FREE = OfNodes()


def free_names(tree: Any) -> set[str]:
    """The names a function's body mentions."""
    found: set[str] | None = _FREE.get(tree)
    if found is None:
        found = _FREE[tree] = {n.id for n in walk_names(tree)}
    return found


FLAGS = type(np.empty(0).flags)


def leaves_of(kind: Kind) -> list[Kind]:
    """The kinds of the items of a nest of lists and tuples."""
    if isinstance(kind, (ListKind, TupleKind)):
        return [n for item in kind.items for n in leaves_of(item)]
    return [kind]


def possible_classes(kind: Kind) -> tuple[type, ...]:
    """The classes that a number or an array of this kind may have at run time."""
    if isinstance(kind, Number):
        return (kind.type, np.dtype(kind.type).type) if kind.type in (bool, int, float, complex) else (kind.type,)
    return (np.ndarray,) if isinstance(kind, Array) else ()


FROZEN = ("rv_continuous_frozen", "rv_discrete_frozen")


def library_class(value: Value) -> type | None:
    """The class of a sparse matrix that is there at run time, or None."""
    if isinstance(value, Leaf) and isinstance(value.kind, Object):
        cls: type = value.kind.cls
    elif isinstance(value, Known):
        cls = type(value.value)
    else:
        return None
    return cls if (cls.__module__ or "").startswith("scipy.sparse") else None


def int_of_member(value: Value, method: str | None) -> Value:
    """A member of an IntEnum in arithmetic is its int, unless its class says otherwise."""
    known = value.value if isinstance(value, Known) else None
    if not isinstance(known, enum.Enum) or not isinstance(known, int) or isinstance(known, enum.Flag):
        return value
    for name in (f"__{method}__", f"__r{method}__"):
        if getattr(type(known), name, None) is not getattr(int, name, None):
            return value
    plain = int(known)
    return Leaf(gast.Constant(plain, None), Number(int, Dim.of(plain)), const=plain)


def with_part(whole: Kind, path: tuple[int, ...], part: Kind) -> Kind:
    """The kind of an item of which a part has another kind."""
    if not path or not isinstance(whole, (TupleKind, ListKind)):
        return part
    k, *rest = path
    items = (*whole.items[:k], with_part(whole.items[k], tuple(rest), part), *whole.items[k + 1 :])
    return dataclasses.replace(whole, items=items)


def is_float_key(kind: Kind) -> bool:
    """Is it the kind of a float, or of a tuple with one in it?

    >>> is_float_key(Number(float)), is_float_key(TupleKind((Number(int), Number(float)))), is_float_key(Number(int))
    (True, True, False)
    """
    if isinstance(kind, TupleKind):
        return any(map(is_float_key, kind.items))
    return isinstance(kind, Number) and is_float_kind(kind)


def last_of(items: list[Value], limit: int | None) -> list[Value]:
    """What a deque with a length limit keeps of its items."""
    return items if limit is None else items[max(0, len(items) - limit) :]


def matters(node: Any) -> bool:
    """Could it be seen that an expression was computed: has it effects, or may it fail where it is not asked for?"""
    plain = {"len", "abs", "float", "int", "min", "max"}
    for part in walk(node):
        if isinstance(part, gast.Call) and not (isinstance(part.func, gast.Name) and part.func.id in plain):
            return True
        if isinstance(part, (gast.Subscript, gast.NamedExpr)):
            return True
    return False


def holds_complex(kind: Kind) -> bool:
    """Is what has this kind a complex number or array, or has it such parts?

    >>> holds_complex(TupleKind((Number(float), Number(complex)))), holds_complex(Number(float))
    (True, False)
    """
    if isinstance(kind, Number):
        return issubclass(kind.type, (complex, np.complexfloating))
    if isinstance(kind, (TupleKind, ListKind)):
        return any(map(holds_complex, kind.items))
    return isinstance(kind, Array) and kind.dtype.kind == "c"


def is_pending(value: Value) -> bool:
    """Is it an expression that is computed where it is used?"""
    if isinstance(value, Tup):
        return any(map(is_pending, value.items))
    return isinstance(value, Leaf) and value.nested


def dim(value: Value) -> Dim | None:
    if isinstance(value, Leaf) and isinstance(value.kind, Number):
        return value.kind.value
    return None


def is_bool(kind: Kind) -> bool:
    return (isinstance(kind, Number) and kind.type in (bool, np.bool_)) or (
        isinstance(kind, Static) and isinstance(kind.value, bool)
    )


def is_plain_arithmetic(expr: Expr) -> bool:
    """Is it arithmetic on names and constants that costs next to nothing (an index, a length)?"""
    if isinstance(expr, (gast.Name, gast.Constant)):
        return True
    if isinstance(expr, gast.BinOp):
        return is_plain_arithmetic(expr.left) and is_plain_arithmetic(expr.right)
    if isinstance(expr, gast.UnaryOp):
        return is_plain_arithmetic(expr.operand)
    if isinstance(expr, gast.Attribute):
        return expr.attr in ("shape", "size", "ndim") and is_plain_arithmetic(expr.value)
    if isinstance(expr, gast.Subscript):
        return (
            isinstance(expr.value, gast.Attribute)
            and is_plain_arithmetic(expr.value)
            and isinstance(expr.slice, gast.Constant)
        )
    if isinstance(expr, gast.Call):
        return isinstance(expr.func, gast.Name) and expr.func.id == "len" and all(map(is_plain_arithmetic, expr.args))
    return False


def rank(kind: Kind) -> int:
    """The number of an array's dimensions; -1 where it is not known."""
    return len(kind.shape) if isinstance(kind, Array) and kind.shape is not None else -1


def settled(expr: Expr) -> bool | None:
    """Whether a test is true, where one of its parts decides: `x > 0 and False` is false."""
    if isinstance(expr, gast.BoolOp):
        decides = not isinstance(expr.op, gast.And)
        for part in expr.values:
            known = bool(part.value) if isinstance(part, gast.Constant) else settled(part)
            if known is decides:
                return decides
    return None


def computes_itself(held: Any) -> bool:
    """Is what a class holds an object of a class of the user's that says what it is as an attribute?"""
    cls = type(held)
    own = not is_standard(cls) and cls.__module__ != "s2sad.derivative"
    return own and isinstance(class_entry(cls, "__get__"), types.FunctionType)


def is_number_or_container(value: Any) -> bool:
    """Is it a number, a text, an array, or a container of Python's own, whose operators are known?"""
    plain = (bool, int, float, complex, str, bytes, type(None), np.generic, np.ndarray, list, tuple, dict, set, range)
    return isinstance(value, (*plain, enum.Enum, np.ufunc, slice)) or callable(value)


def is_int(node: Any) -> bool:
    """Is it an int that is written out?"""
    number = node.operand if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) else node
    return isinstance(number, gast.Constant) and type(number.value) is int


def is_whole(cls: type) -> bool:
    """Are numbers of a type positions?"""
    return issubclass(cls, (int, np.integer))


#: containers of up to so many items keep their known structure where nothing but their length speaks against it
UNROLL = 16
#: so many functions a column of a table may hold for the run to choose from
ONE_OF = 4


@dataclass(frozen=True)
class OneOf(Unknown):
    """One of some functions: the run knows which."""

    functions: tuple[Any, ...]


@dataclass
class ByPosition:
    """A run-time iterable by position: how many items there are, and the item at a position."""

    #: None where it never ends
    length: Expr | None
    item: Function[[Leaf], Value]
    size: Dim | None = None
    #: an iterable of ints that gives the items themselves
    header: Expr | None = None
    #: the least and the greatest of these items
    bounds: tuple[Dim, Dim] | None = None
    #: is the loop over the positions run backwards?
    backwards: bool = False


@dataclass
class Opaque:
    """A run-time iterable of which only the kind of its items is known; nothing in it is active."""

    expr: Expr
    kind: Kind


def only_looks(value: Value) -> bool:
    """May what a loop runs over be looked at again, with nothing computed a second time?"""
    if isinstance(value, Lazy):
        parts = (*value.args, *(v for _, v in value.kwargs))
        return value.function in (enumerate, zip, reversed, iter, range, *DICT_VIEWS) and all(map(only_looks, parts))
    return isinstance(value, (Ref, Leaf, Known, Tup))


def own_setattr(cls: type) -> types.FunctionType | None:
    """The method of a class that sets attributes, where it has one of its own (that of a frozen dataclass raises)."""
    found = cls.__setattr__
    generated = isinstance(found, types.FunctionType) and found.__code__.co_filename == "<string>"
    return found if isinstance(found, types.FunctionType) and not generated else None


def without_methods(node: Any) -> Any:
    """A class without the bodies of its methods."""
    made = clone(node)
    for part in walk(made):
        if isinstance(part, gast.FunctionDef):
            part.body = [gast.Pass()]
    return made


def same_but_variation(a: Value, b: Value) -> bool:
    """Are two values the same at run time, whatever is known of their dependence on the wrt arguments?"""
    if isinstance(a, Tup) and isinstance(b, Tup):
        return len(a.items) == len(b.items) and all(map(same_but_variation, a.items, b.items))
    if isinstance(a, Leaf) and isinstance(b, Leaf):
        return not a.nested and not b.nested and same_expr(a.expr, b.expr)
    if isinstance(a, Known) and isinstance(b, Known):
        return a.value is b.value
    return isinstance(a, Ref) and isinstance(b, Ref) and a.id == b.id


def varied_keys(value: Value) -> set[str]:
    if isinstance(value, Tup):
        return {k for v in value.items for k in varied_keys(v)}
    return {atom_key(value.expr)} if isinstance(value, Leaf) and value.varied else set()


def varied_like(value: Value, keys: set[str]) -> Value:
    if isinstance(value, Tup):
        items = tuple(varied_like(v, keys) for v in value.items)
        return value if all(a is b for a, b in zip(items, value.items, strict=True)) else Tup(items, value.cls)
    if isinstance(value, Leaf) and not value.varied and atom_key(value.expr) in keys:
        return Leaf(value.expr, value.kind, True, value.const)
    return value


def makes_set(value: Expr) -> bool:
    """Is the value of an expression a new set, and no frozenset?

    >>> from s2sad.core import quote
    >>> makes_set(quote("{1, 2}")), makes_set(quote("set(u)")), makes_set(quote("frozenset(u)"))
    (True, True, False)
    """
    called = value.func if isinstance(value, gast.Call) else None
    return isinstance(value, (gast.Set, gast.SetComp)) or (isinstance(called, gast.Name) and called.id == "set")


#: what may raise when it is evaluated
_RAISING = (
    gast.Call, gast.Subscript, gast.BinOp, gast.UnaryOp, gast.Compare, gast.BoolOp, gast.JoinedStr, gast.Dict, gast.Set,
    gast.DictComp, gast.SetComp,
)  # fmt: skip


def may_raise(expr: Expr) -> bool:
    """Is there an operation in an expression that stands as a statement of its own?"""
    return any(isinstance(node, _RAISING) for node in walk(expr))
