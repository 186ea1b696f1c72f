"""Questions about calls and what they are given that need nothing of the run."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import sys
import types
from collections.abc import Callable as Function
from typing import Any

import gast
import numpy as np

from s2sad.analysis.returns import OPERATORS, is_plain
from s2sad.core import walk
from s2sad.frontend.diagnostics import DerivationError
from s2sad.frontend.names import is_installed
from s2sad.frontend.source import OfCode, tree_to_look_at
from s2sad.kinds.dims import is_fixed
from s2sad.kinds.kind import Array, Callable, Kind, ListOf, Nothing, Number, Object, Static, Text
from s2sad.kinds.kind import Dict as DictKind
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.pure import is_pure
from s2sad.knowledge import registry
from s2sad.normal.calls.tables import (
    LAZY_ONES,
    MAKE_ARRAYS_OF_LISTS,
    MUTATORS,
    OF_LISTS,
    OF_NUMBERS,
    PROGRESS_OF_RANGES,
)
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import Closure, Known, Leaf, Method, Partial, Ref, Value, contents, is_known_a
from s2sad.normal.values.classes import static
from s2sad.normal.values.questions import is_standard
from s2sad.runtime.conditions import is_inert
from s2sad.runtime.identity import held_attribute, held_items


def plain_operators(cls: type) -> bool:
    """Does a class leave operators alone?"""
    for base in cls.__mro__:
        own = vars(base).keys() & (OPERATORS | {"__array__"}) if not is_standard(base) else set()
        if own - (_COMPARISONS if dataclasses.is_dataclass(base) else set()):
            return False
    return True


#: functions that begin to write into `out` before they have read all of their arguments
WRITES_WHILE_IT_READS = (np.concatenate, np.stack, np.ptp)
_COMPARISONS = {f"__{name}__" for name in ("eq", "ne", "lt", "le", "gt", "ge")}


def narrower(meant: Any, made: Any) -> bool:
    """Is the one a type of floats of less precision than the other?"""
    if meant is None or made is None or np.dtype(meant).kind != "f" or np.dtype(made).kind != "f":
        return False
    return bool(np.dtype(meant).itemsize < np.dtype(made).itemsize)


def made_of(kind: Kind, fits: Function[[type], bool]) -> bool:
    """Is a value of this kind a number, an array, or made of these and of objects whose classes fit?"""
    if isinstance(kind, (TupleKind, ListKind)):
        return all(made_of(k, fits) for k in kind.items)
    if isinstance(kind, ListOf):
        return made_of(kind.item, fits)
    if isinstance(kind, DictKind):
        return all(made_of(v, fits) for _, v in kind.items)
    if isinstance(kind, Object):
        return fits(kind.cls) and all(made_of(v, fits) for _, v in kind.attributes)
    if isinstance(kind, Static):
        return is_plain(kind.value)
    return isinstance(kind, (Number, Array, Text, Nothing))


def wrapped_by(value: Any) -> Any:
    """What a wrapper of a library (lru_cache's, joblib's) says that it calls; None where there is no such thing.

    What the user's own class has as `__call__` is followed instead: it may do anything with what its objects wrap.
    """
    call = inspect.getattr_static(type(value), "__call__", None)
    call = getattr(call, "__func__", call)  # of a staticmethod or classmethod
    if isinstance(value, type) or (isinstance(call, types.FunctionType) and not is_installed(call)):
        return None
    return held_attribute(value, "__wrapped__")


def uses_up(function: Value) -> bool:
    """Does a function run through what it is given at once, without calling back? (So do almost all of Python's and
    NumPy's own.)"""
    if isinstance(function, Method):
        found = static(function.function)
        return isinstance(found, tuple) and found[-1] in ("extend", "extendleft", "update", "join", "fromkeys")
    if not isinstance(function, Known) or function.is_a(types.FunctionType):
        return False
    called = function.itself
    lazy = held_attribute(called, "__module__") == "itertools" or (hashable(called) and called in LAZY_ONES)
    own = isinstance(function.value, type) and not is_standard(function.value)
    return not lazy and not own


def calls_back(function: Value, node: Any) -> bool:
    """Does a call do something with each item before it asks for the next?"""
    known = static(function)
    by_key = (known is max or known is min) and any(k.arg == "key" for k in node.keywords)
    return by_key or known is functools.reduce


def shows_progress(value: Any) -> bool:
    """Does a call draw a progress bar and give the items that it is given? (tqdm, rich.progress.track)"""
    module = held_attribute(value, "__module__")
    if not isinstance(module, str) or module.partition(".")[0] not in ("tqdm", "rich"):
        return False
    name = getattr(value, "__name__", "")
    return name in (*PROGRESS_OF_RANGES, "track") or (isinstance(value, type) and name.startswith("tqdm"))


def takes_numbers(function: Any) -> bool:
    """Is it a function of Python's or NumPy's that asks no more of what it is given than the number it is?"""
    if isinstance(function, np.ufunc) or (hashable(function) and function in OF_NUMBERS):
        return True
    module = held_attribute(function, "__module__")
    return isinstance(module, str) and module.partition(".")[0] in ("numpy", "scipy", "cmath")


def is_transposed(node: Any) -> bool:
    """Is it a call with nothing but the items of one iterable, as zip(*rows)?"""
    return len(node.args) == 1 and isinstance(node.args[0], gast.Starred) and not node.keywords


def takes_arrays(target: Any) -> bool:
    """Does a function make arrays of the lists of numbers that it is given, and is its rule stated for these?"""
    module = module_path(target)
    if module[0] == "scipy":
        return len(module) > 1 and module[1] in MAKE_ARRAYS_OF_LISTS
    if module[0] != "numpy" or not hashable(target) or target in OF_LISTS:
        return isinstance(target, np.ufunc)
    return registry.lookup(target) is not None


def of_numbers(kind: Kind) -> bool:
    """Is it the kind of a list of numbers?"""
    return isinstance(kind, ListKind) and all(isinstance(k, (Number, Static)) for k in kind.items)


def module_path(target: Any) -> list[str]:
    """The way to the module that a function is from; a universal function and its methods are NumPy's.

    >>> module_path(np.add.reduceat), module_path(np.linalg.inv)[:2]
    (['numpy'], ['numpy', 'linalg'])
    """
    name = getattr(target, "__module__", None) or type(getattr(target, "__self__", None)).__module__
    return str(name).split(".")


def changes_what_was_there(block: list[Any]) -> bool:
    """Is there a call in a block for its effect, on something else than the lists that it makes?"""
    nodes = [n for s in block for n in walk(s)]
    lists = [s.targets[0] for s in nodes if isinstance(s, gast.Assign) and isinstance(s.value, gast.List)]
    own = {t.id for t in lists if isinstance(t, gast.Name)}
    calls = [n.value.func for n in nodes if isinstance(n, gast.Expr) and isinstance(n.value, gast.Call)]
    owners = [f.value if isinstance(f, gast.Attribute) else f for f in calls]
    written = {key for n in nodes for key in getattr(n, "written", ())}  # by a recursive function
    return bool(written - own) or any(not (isinstance(owner, gast.Name) and owner.id in own) for owner in owners)


def has_output(function: Any, node: Any) -> bool:
    """Is a universal function given an array for its result? What that held may be active."""
    given = any(k.arg == "out" for k in node.keywords)
    return given or (isinstance(function, np.ufunc) and len(node.args) > function.nin)


def of_compiler(function: Any) -> bool:
    """Is it a function in which s2sad says what a library function does? Such a function is always written out."""
    module = getattr(function, "__module__", None) or ""
    return module.startswith(("s2sad.templates", "s2sad.normal."))


def values_held_by(obj: Any) -> list[Value]:
    return list(contents(obj).values())


def is_generated(init: Any) -> bool:
    """Is it the __init__ that `dataclass` makes (and not one that the class brings along)?"""
    return isinstance(init, types.FunctionType) and init.__code__.co_filename == "<string>"


def is_word(key: Any) -> bool:
    return isinstance(key, str)


def holds_containers(kind: Kind) -> bool:
    """May a value of this kind be a list, a dict or a set, or hold one?"""
    if isinstance(kind, (TupleKind, ListKind)):
        return isinstance(kind, ListKind) or any(map(holds_containers, kind.items))
    return not isinstance(kind, (Number, Array, Static, Text, Nothing, Callable))


def hashable(value: Any) -> bool:
    """Can a value be looked for in a table? (Not where its class says itself what it is equal to.)"""
    try:
        return is_inert(value) and hash(value) is not None
    except TypeError:
        return False


def from_library(value: Any) -> bool:
    """Functions of NumPy, SciPy and the standard library are primitives or nothing."""
    module = (getattr(value, "__module__", "") or "").split(".")[0]
    if module == "functools" and "_from_" in getattr(getattr(value, "__code__", None), "co_name", ""):
        return False  # what total_ordering makes of the methods of a class
    return module in ("numpy", "scipy", "builtins", "_operator") or (
        module in sys.stdlib_module_names and module != "__main__"
    )


def returns_library_memory(value: Any) -> bool:
    """Is it a function of a library, or a method of a ufunc? What these share is known (analysis/calls.py)."""
    return from_library(value) or isinstance(getattr(value, "__self__", None), np.ufunc)


def is_container(value: Value) -> bool:
    """Is it a list, a dict, a set or an object?"""
    return isinstance(value, Ref) or is_known_a(value, set, frozenset)


def has_body(function: Value) -> bool:
    """Is it a function of the user's, which may store what it is given?"""
    if isinstance(function, Known):
        return isinstance(function.value, types.FunctionType) and not from_library(function.value)
    return isinstance(function, (Closure, Method, Partial))


def is_pure_call(value: Any) -> bool:
    return is_pure(value)


_MUTATES: OfCode[bool] = OfCode()


def told_by(function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """What tells the kind of a call's result: the function, and the kinds of numbers and the constants it is given.
    None where there is more to know of an argument."""
    parts: list[Any] = [function.value]
    for name, value in [*enumerate(args), *kwargs.items()]:
        if isinstance(value, Leaf) and isinstance(value.kind, Number):
            known = value.number
            parts.append((name, value.kind, type(known), known))
        elif isinstance(value, Known) and (is_plain_data(value.value) or value.is_a(float)):
            parts.append((name, type(value.value), value.value))
        else:
            return None
    return tuple(parts)


def is_plain_data(value: Any) -> bool:
    """Text, a truth value, an integer or None, or a tuple of such?"""
    if isinstance(value, tuple):
        return all(map(is_plain_data, held_items(value)))
    return value is None or isinstance(value, (str, bool, int))


def mutates(function: Any) -> bool:
    """May the function overwrite what it is given? Seen from its text: any store that is not to a plain name."""
    code: types.CodeType = function.__code__
    found = _MUTATES.get(code)
    if found is None:
        try:
            tree = tree_to_look_at(function)
        except DerivationError:
            return False
        found = False
        parameters = {a.id for a in [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]}
        for node in walk(tree):
            if isinstance(node, (gast.Subscript, gast.Attribute)) and isinstance(node.ctx, gast.Store):
                root: Any = node
                while isinstance(root, (gast.Subscript, gast.Attribute)):
                    root = root.value
                found = found or (isinstance(root, gast.Name) and root.id in parameters)
            elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
                found = found or node.target.id in parameters
            elif isinstance(node, (gast.Nonlocal, gast.Global)):
                found = True
            elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr in MUTATORS:
                root = node.func.value
                while isinstance(root, (gast.Subscript, gast.Attribute)):
                    root = root.value
                found = found or (isinstance(root, gast.Name) and root.id in parameters)
        _MUTATES.put(code, found)
    return found


def stable(kind: Kind, run: Run) -> Kind:
    """A kind found by a trial run: symbols made during it are given fresh ones."""
    return refreshed(kind, run)


def refreshed(kind: Kind, run: Run) -> Kind:
    """The kind of one item: lengths that are not fixed are new ones each time."""
    if isinstance(kind, Array) and kind.shape is not None:
        return Array(
            kind.dtype,
            tuple(d if is_fixed(d) else run.symbol() for d in kind.shape),
            mixed=kind.mixed,
        )
    if isinstance(kind, TupleKind):
        return TupleKind(tuple(refreshed(k, run) for k in kind.items), kind.cls)
    if isinstance(kind, ListKind):
        return ListKind(tuple(refreshed(k, run) for k in kind.items))
    if (
        isinstance(kind, Number)
        and issubclass(kind.type, (int, np.integer))
        and (kind.value is None or not is_fixed(kind.value))
    ):
        return Number(kind.type, run.symbol(), kind.types)
    return kind


#: what does the same as the reduce method of a universal function
REDUCTIONS = {np.add: np.sum, np.multiply: np.prod, np.maximum: np.max, np.minimum: np.min}


@functools.lru_cache(maxsize=256)
def output_position(function: Any) -> int:
    """At which position a function takes `output`, or -1."""
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return -1
    return names.index("output") if "output" in names else -1


def has_no_call(value: Any) -> bool:
    """Is it a class whose objects can be called, where only its definition says what a call is?"""
    if not isinstance(value, type) or "__call__" not in dir(value):
        return False
    rule = registry.lookup(value.__call__)
    return rule is None or rule.definition is not None


def ints_among_floats(function: Any) -> bool:
    """Are some results of a function ints as they are written, and others perhaps not?

    >>> tree = gast.parse("def f(v): return 0 if v > 0 else v * v").body[0]
    >>> ints_among_floats(tree), ints_among_floats(gast.parse("lambda v: 0.0 if v > 1 else v").body[0].value)
    (True, False)
    """
    body = [function.body] if isinstance(function, gast.Lambda) else function.body
    nodes = [n for part in body for n in _own(part)]
    bound: dict[str, list[Any]] = {}
    for node in nodes:
        if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
            bound.setdefault(node.targets[0].id, []).append(node.value)
        elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
            bound.setdefault(node.target.id, []).append(None)
    results = [n.value for n in nodes if isinstance(n, gast.Return)]
    found = {kind for r in (results or [function.body]) for kind in _literal_kinds(r, bound)}
    return found == {True, False}


def _own(node: Any) -> list[Any]:
    """The nodes of a function but not of those in it."""
    if isinstance(node, (gast.Lambda, gast.FunctionDef)):
        return []
    return [node, *(n for child in gast.iter_child_nodes(node) for n in _own(child))]


def _literal_kinds(node: Any, bound: dict[str, list[Any]]) -> set[bool]:
    """Whether the values of an expression are ints as they are written: True, False or both."""
    if isinstance(node, gast.Constant):
        return {isinstance(node.value, int)}
    if isinstance(node, gast.UnaryOp):
        return _literal_kinds(node.operand, bound)
    if isinstance(node, gast.IfExp):
        return _literal_kinds(node.body, bound) | _literal_kinds(node.orelse, bound)
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id in ("max", "min"):
        return {kind for part in node.args for kind in _literal_kinds(part, bound)} or {False}
    if isinstance(node, gast.Name) and node.id in bound and None not in bound[node.id]:
        rest = {name: values for name, values in bound.items() if name != node.id}
        return {kind for value in bound[node.id] for kind in _literal_kinds(value, rest)}
    return {False}
