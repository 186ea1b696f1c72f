"""Which functions return memory of their own: what nobody else could overwrite."""

from __future__ import annotations

import builtins
import types
from collections.abc import Callable, Iterator
from typing import Any

import gast
import numpy as np

from s2sad.analysis.known_calls import CHANGE_FIRST, changes_receiver, makes_new
from s2sad.core import Expr, walk
from s2sad.frontend.diagnostics import DerivationError
from s2sad.frontend.source import tree_to_look_at
from s2sad.runtime.decide import found_once

#: functions that are being looked at: they may call themselves
_open: set[tuple[int, bool, bool]] = set()

#: what these make of values has none of their memory in it
_NEW = (gast.Constant, gast.JoinedStr)

#: and these, of numbers and arrays; what an operator makes of an object of the user's is for its class to say
ARITHMETIC = (gast.BinOp, gast.UnaryOp, gast.Compare)

#: types of what arrays hold
_NUMBERS = (float, int, bool, complex, np.float64, np.float32, np.int64, np.int32, np.intp, np.complex128, np.bool_)

#: builtins that make numbers, arrays and containers of these
_PLAIN = (float, int, bool, complex, len, str, abs, min, max, sum, range, enumerate, zip, reversed, list, tuple, sorted)

#: methods that are those of operators
OPERATORS = frozenset(
    f"__{prefix}{name}__"
    for name in (
        *("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "matmul", "and", "or", "xor"),
        *("lshift", "rshift"),
    )
    for prefix in ("", "r", "i")
) | frozenset(f"__{name}__" for name in ("neg", "pos", "abs", "invert", "eq", "ne", "lt", "le", "gt", "ge"))


def returns_new(function: Any, plain: bool = False, ours: bool = False) -> bool:
    """Is all that a function of the user's returns certain to be numbers, text, or arrays that nobody else holds?

    Told by its text: it returns what operators and functions of NumPy make anew, under any name of its own.

    Args:
        function: the function.
        plain: it is called with numbers, arrays, and containers of these, for which operators mean what Python and
            NumPy have them mean.
        ours: it is a run-time helper, whose operators make new memory whatever they are of.
    """
    if not isinstance(function, types.FunctionType):
        return False
    key = id(function), plain, ours
    # for the next derivation, its globals may stand for other things
    known: dict[Any, bool] = found_once(function, _verdicts)
    if key not in known:
        if key in _open:
            return False
        try:
            tree = tree_to_look_at(function)
        except DerivationError:
            return False
        given = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
        plain_ones = plain and all(map(is_plain, given))
        _open.add(key)
        try:
            known[key] = all_new(tree, function.__globals__.get, plain_ones, ours)
        finally:
            _open.discard(key)
    return known[key]


def _verdicts(function: types.FunctionType) -> dict[Any, bool]:
    """Where it is kept what is found out about a function."""
    return {}


def is_plain(value: Any, depth: int = 3) -> bool:
    """Is it a number, text or an array of NumPy's own, or a container of these?"""
    if isinstance(value, (tuple, list)) and type(value) in (tuple, list):
        return depth > 0 and all(is_plain(v, depth - 1) for v in value)
    if type(value) is dict:
        return depth > 0 and all(is_plain(v, depth - 1) for v in value.values())
    plain = isinstance(value, (bool, int, float, complex, str, bytes, np.generic, np.dtype, type(None), slice))
    return plain or (type(value) is np.ndarray and value.dtype != object)


def all_new(tree: Any, look_up: Callable[[str], Any], plain: bool = False, ours: bool = False) -> bool:
    """Like `returns_new`, for the tree of a function; `look_up` says what its globals stand for.

    >>> import numpy as np
    >>> from s2sad.core import statements
    >>> def told(text, plain=True):
    ...     return all_new(statements(text)[0], {"np": np}.get, plain)
    >>> told("def f(u):\\n  v = np.sin(u)\\n  v[0] = 1.0\\n  return v, 2 * u"), told("def f(u):\\n  return u[1:]")
    (True, False)
    >>> told("def f(u):\\n  v = 0.0\\n  for v in u:\\n    pass\\n  return v")
    False
    >>> told("def f(t=np.float64):\\n  return np.array([1.0, 0.0], t)")
    True
    >>> told("def f(u):\\n  return u + 1", plain=False), told("def f(u):\\n  return np.ones(3) + 1", plain=False)
    (False, True)
    """
    return Bindings(tree, look_up, plain, ours).all_new()


class Bindings:
    """What the names of one function are."""

    def __init__(self, tree: Any, look_up: Callable[[str], Any], plain: bool, ours: bool = False) -> None:
        self.ours = ours
        self.nodes = [n for s in tree.body for n in walk(s)]
        self.values: dict[str, list[Any]] = {}
        self.sources: dict[str, list[Any]] = {}
        told = set()
        for node in self.nodes:
            targets = node.targets if isinstance(node, gast.Assign) else [getattr(node, "target", None)]
            if isinstance(node, (gast.Assign, gast.AnnAssign, gast.AugAssign, gast.NamedExpr)):
                for target in targets:
                    if isinstance(target, gast.Name):
                        told.add(id(target))
                        self.sources.setdefault(target.id, []).append(node.value)
                        if not isinstance(node, gast.AugAssign):  # a number anew, or the array that the name had
                            self.values.setdefault(target.id, []).append(node.value)
                    elif isinstance(target, (gast.Tuple, gast.List)):
                        self.taken_from(target, node.value)
            if isinstance(node, (gast.For, gast.comprehension)):
                self.taken_from(node.target, node.iter)
        otherwise = {n.id for n in self.nodes if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)
                     and id(n) not in told}  # fmt: skip
        parameters = {n.id for n in walk(tree.args) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Param)}
        self.local = set(self.values) | otherwise | parameters
        self.look_up = look_up
        self.new = set(self.values) - otherwise - parameters
        #: names of arrays that the function makes: what is stored into these is copied
        self.arrays: set[str] = set()
        #: is all that is put into what the function makes new as well?
        self.deep = True
        # of names that are bound as the targets of a with or an except nothing is known
        self.plain = (self.local if plain else self.local - parameters) & (self.sources.keys() | parameters)

    def taken_from(self, target: Any, source: Expr) -> None:
        """Names that are items of a value, or items of these."""
        for node in walk(target):
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store):
                self.sources.setdefault(node.id, []).append(source)

    def all_new(self) -> bool:
        inner = (gast.FunctionDef, gast.ClassDef, gast.Lambda, gast.Yield, gast.YieldFrom, gast.Await)
        if any(isinstance(n, inner) for n in self.nodes):
            return False
        self.settle()
        if not self.deep:  # nothing is known of what its lists and dicts hold
            self.new = self.arrays
        return all(self.is_new(n.value) for n in self.nodes if isinstance(n, gast.Return))

    def settle(self) -> None:
        """Which names hold plain values only, and which of them new ones: as many as do not contradict each other."""
        while True:
            fine = {name for name in self.plain if all(map(self.is_plain, self.sources.get(name, ())))}
            if fine == self.plain:
                break
            self.plain = fine
        while True:
            fine = {name for name in self.new if all(map(self.is_new, self.values[name]))}
            if fine == self.new:
                break
            self.new = fine
        self.arrays = {name for name in self.new if all(map(self.is_array, self.values[name]))}
        self.deep = all(map(self.is_new, self.put_in()))

    def is_new(self, expr: Expr | None) -> bool:
        """Is a value new memory, all that it holds included?"""
        if expr is None or isinstance(expr, _NEW):
            return True
        if isinstance(expr, ARITHMETIC):
            joins = isinstance(expr, gast.BinOp) and any(map(_is_display, (expr.left, expr.right)))
            return not joins and self.is_plain(expr)
        if isinstance(expr, gast.Name):
            return expr.id in self.new
        if isinstance(expr, gast.IfExp):
            return self.is_new(expr.body) and self.is_new(expr.orelse)
        if isinstance(expr, (gast.BoolOp, gast.Dict)):
            return all(map(self.is_new, expr.values))
        if isinstance(expr, (gast.Tuple, gast.List)):
            return all(map(self.is_new, expr.elts))
        if isinstance(expr, gast.ListComp):
            return self.is_new(expr.elt)
        return isinstance(expr, gast.Call) and self.call_makes_new(expr)

    def put_in(self) -> Iterator[Expr]:
        """What is stored into containers and arrays, or given to methods that change their receiver."""
        for node in self.nodes:
            if isinstance(node, (gast.Assign, gast.AugAssign, gast.AnnAssign)):
                targets = node.targets if isinstance(node, gast.Assign) else [node.target]
                bound = isinstance(node, gast.Assign) and all(isinstance(t, gast.Name) for t in targets)
                if not (bound or all(map(self.takes_copies, targets))):
                    yield node.value  # a[i] = value, a.part += value, items += value
            elif isinstance(node, gast.Call):
                method = isinstance(node.func, gast.Attribute) and changes_receiver(node.func.attr)
                if method or getattr(self.found(node.func), "__name__", "") in CHANGE_FIRST:
                    yield from (*node.args[0 if method else 1 :], *(k.value for k in node.keywords))

    def takes_copies(self, target: Any) -> bool:
        """Is a store into a target, or an update of it, one of an array that the function makes?"""
        root = root_of(target)
        return isinstance(root, gast.Name) and root.id in self.arrays

    def is_array(self, expr: Expr) -> bool:
        """Is it a new array of numbers, or a number?"""
        if isinstance(expr, gast.Constant):
            return True
        if not isinstance(expr, gast.Call):
            return isinstance(expr, ARITHMETIC) and self.is_new(expr)
        module = (getattr(self.found(expr.func), "__module__", None) or "").split(".")[0]
        return module == "numpy" and self.is_new(expr) and not any(map(self.may_be_of_objects, expr.keywords))

    def may_be_of_objects(self, keyword: Any) -> bool:
        """May a keyword say that an array holds objects?"""
        if keyword.arg == "dtype":
            named = isinstance(keyword.value, gast.Constant) and not str(keyword.value.value).lower().startswith("o")
            of_another = isinstance(keyword.value, gast.Attribute) and keyword.value.attr == "dtype"
            return not (named or of_another or self.found(keyword.value) in _NUMBERS)
        return keyword.arg is None

    def is_plain(self, expr: Expr | None) -> bool:
        """Is a value made of numbers, text and arrays alone, so that no class of the user's defines its operators?"""
        if self.ours or expr is None or isinstance(expr, (*_NEW, gast.Slice)):
            return True
        if isinstance(expr, gast.Name):
            found = self.look_up(expr.id)
            return expr.id in self.plain if expr.id in self.local else found is not None and is_plain(found)
        if isinstance(expr, gast.Attribute):
            found = self.found(expr)
            return is_plain(found) if found is not None else self.is_plain(expr.value)
        if isinstance(expr, (gast.Subscript, gast.Starred)):
            return self.is_plain(expr.value)
        if isinstance(expr, gast.Call):
            target, func = self.found(expr.func), expr.func
            arguments = all(map(self.is_plain, [*expr.args, *(k.value for k in expr.keywords)]))
            if target is None and isinstance(func, gast.Attribute):
                return arguments and self.is_plain(func.value)  # a method of an array
            return arguments and (self.is_numeric(target) or target in _PLAIN or returns_new(target, True))
        if isinstance(expr, (gast.ListComp, gast.GeneratorExp)):
            return self.is_plain(expr.elt)
        plain = (*ARITHMETIC, gast.IfExp, gast.BoolOp, gast.Tuple, gast.List, gast.Dict)
        children = [n for n in gast.iter_child_nodes(expr) if isinstance(n, gast.expr)]
        return isinstance(expr, plain) and all(map(self.is_plain, children))

    def found(self, node: Expr) -> Any:
        """What a dotted name of a module or of a builtin stands for; None for what is not known before the call."""
        names = []
        while isinstance(node, gast.Attribute):
            names.append(node.attr)
            node = node.value
        if not isinstance(node, gast.Name) or node.id in self.local:
            return None
        target = self.look_up(node.id)
        if target is None and not names:
            target = getattr(builtins, node.id, None)
        for name in reversed(names):
            if not isinstance(target, types.ModuleType):
                return None
            target = getattr(target, name, None)
        return target

    def is_numeric(self, target: Any) -> bool:
        module = (getattr(target, "__module__", None) or type(target).__module__).split(".")[0]
        return module in ("numpy", "math", "cmath")

    def call_makes_new(self, call: Any) -> bool:
        target = self.found(call.func)
        if target is None:
            return False
        module = (getattr(target, "__module__", None) or type(target).__module__).split(".")[0]
        if module == "numpy":
            copies = target is np.array and not any(k.arg in ("copy", None) for k in call.keywords)
            ufunc = isinstance(target, np.ufunc)  # it hands itself over to a class that says how
            return (copies or makes_new(call)) and (not ufunc or all(map(self.is_plain, call.args)))
        arguments = all(map(self.is_plain, [*call.args, *(k.value for k in call.keywords)]))
        numbers = target in (float, int, bool, complex, len, str)
        return module in ("math", "cmath") or numbers or returns_new(target, arguments, self.ours)


def root_of(expr: Expr) -> Expr:
    """What parts are taken of: u of `u[i].part`."""
    while isinstance(expr, (gast.Subscript, gast.Attribute)):
        expr = expr.value
    return expr


def _is_display(expr: Expr) -> bool:
    return isinstance(expr, (gast.List, gast.Tuple, gast.ListComp))
