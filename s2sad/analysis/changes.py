"""Which functions may change what they are given: arrays, lists and objects that their caller sees."""

from __future__ import annotations

import collections
import enum
import functools
import inspect
import sys
import types
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import gast
import numpy as np

from s2sad.analysis.calls import METHOD_OUT, METHODS, NUMPY, out_position, words
from s2sad.analysis.returns import _Function
from s2sad.core import Expr, walk
from s2sad.frontend.diagnostics import DerivationError
from s2sad.frontend.source import function_tree

_KNOWN: weakref.WeakKeyDictionary[Any, dict[bool, bool]] = weakref.WeakKeyDictionary()
_OUTSIDE: weakref.WeakKeyDictionary[Any, dict[int, list[Any]]] = weakref.WeakKeyDictionary()

#: methods that change their receiver, beside those of analysis/calls.py
_CHANGERS = frozenset(words(
    "popleft appendleft extendleft rotate difference_update intersection_update symmetric_difference_update "
    "setflags setflat move_to_end send throw close write sort shuffle"
))

#: functions of the standard library that change their first argument
_FIRST = frozenset(words(
    "setattr delattr next setitem delitem heapify heappush heappop heapreplace heappushpop insort insort_left "
    "insort_right shuffle iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift irshift "
    "iconcat"
))

_DISPLAYS = (gast.List, gast.Tuple, gast.Dict, gast.Set, gast.ListComp, gast.DictComp, gast.SetComp, gast.GeneratorExp)


def may_change(function: Any, makes: bool = False) -> bool:
    """May a call of a function store into memory that it is given, or that others hold?

    Told by its text, and by that of the functions it calls. What is not understood counts as a change.

    Args:
        function: a function of the user's.
        makes: it is an `__init__`: its first argument is new.
    """
    code = getattr(function, "__code__", None)
    if not isinstance(function, types.FunctionType) or code is None:
        return True
    known = _KNOWN.setdefault(code, {})
    if makes not in known:
        known[makes] = False  # while it is looked at: it may call itself
        found = _seen(function)
        known[makes] = found is None or changes_arguments(*found, makes)
    return known[makes]


def changed_outside(function: Any) -> list[Any]:
    """The lists, dicts, arrays and objects of globals that a call of a function of the user's may store into.

    Told by its text, and by that of the functions it calls; what it is handed is another question (`may_change`).
    """
    code = getattr(function, "__code__", None)
    if not isinstance(function, types.FunctionType) or code is None or _is_standard(function):
        return []
    known = _OUTSIDE.setdefault(code, {})
    key = id(function.__closure__) if function.__closure__ else 0
    if key not in known:
        known[key] = []  # while it is looked at: it may call itself
        found = _seen(function)
        if found is not None:
            known[key] = _Stores(*found, makes=False).stored_outside()
    return known[key]


def _seen(function: Any) -> tuple[Any, Callable[[str], Any]] | None:
    """The tree of a function, and what the names in it stand for that are not its own."""
    try:
        tree = function_tree(function).tree
    except DerivationError:
        return None
    inner = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=False))

    def look_up(name: str) -> Any:
        try:
            return inner[name].cell_contents if name in inner else function.__globals__.get(name)
        except ValueError:  # not bound yet
            return None

    return tree, look_up


def changes_arguments(tree: Any, look_up: Callable[[str], Any], makes: bool = False) -> bool:
    """Like `may_change`, for the tree of a function; `look_up` says what its globals stand for.

    >>> from s2sad.core import statements
    >>> def told(text):
    ...     return changes_arguments(statements(text)[0], {"np": np}.get)
    >>> told("def f(u):\\n  v = np.zeros(3)\\n  v[0] = u[0]\\n  v += u\\n  return v")
    False
    >>> told("def f(u):\\n  t = u\\n  t[0] = 1.0"), told("def f(u):\\n  np.put(u, 0, 1.0)")
    (True, True)
    >>> told("def f(u):\\n  kept = [u]\\n  kept.append(1.0)"), told("def f(u):\\n  kept = [u]\\n  kept[0][1] = 1.0")
    (False, True)
    """
    return _Stores(tree, look_up, makes).found_one()


class _Stores(_Function):
    """What one function stores into."""

    def __init__(self, tree: Any, look_up: Callable[[str], Any], makes: bool) -> None:
        super().__init__(tree, look_up, plain=True)
        self.inner = {n.name for n in self.nodes if isinstance(n, (gast.FunctionDef, gast.ClassDef))}
        self.local |= self.inner
        self.settle()
        arguments = [*tree.args.posonlyargs, *tree.args.args]
        self.own = {arguments[0].id} if makes and arguments else set()
        self.shallow = {n for n in self.values if n in self.sources and all(map(self.is_made, self.values[n]))}
        bound = [n for n in walk(tree.args) if isinstance(n, gast.Name)]
        bound += [n for s in self.nodes if isinstance(s, (gast.For, gast.comprehension)) for n in walk(s.target)]
        bound += [n for s in self.nodes if isinstance(s, gast.withitem) for n in walk(s.optional_vars or gast.Pass())]
        bound += [n for s in self.nodes if isinstance(s, gast.Lambda) for n in walk(s.args)]
        bound += [n for s in self.nodes if isinstance(s, gast.FunctionDef) for n in walk(s.args)]
        unpacked = [t for s in self.nodes if isinstance(s, gast.Assign) for t in s.targets if not _is_name(t)]
        bound += [n for t in unpacked for n in walk(t) if isinstance(getattr(n, "ctx", None), gast.Store)]
        self.shallow -= {n.id for n in bound if isinstance(n, gast.Name)}
        #: is all that is put into what the function makes new as well?
        self.deep = all(map(self.is_new, self.put_in()))

    def put_in(self) -> Iterator[Expr]:
        """What is stored into containers and arrays, or given to methods that change their receiver."""
        for node in self.nodes:
            targets = node.targets if isinstance(node, gast.Assign) else [getattr(node, "target", None)]
            if isinstance(node, (gast.Assign, gast.AugAssign, gast.AnnAssign)) and not all(map(_is_name, targets)):
                yield node.value  # a[i] = value, a.part += value
            if isinstance(node, gast.AugAssign) and all(map(_is_name, targets)):
                yield node.value
            method = node.func if isinstance(node, gast.Call) else None
            if isinstance(method, gast.Attribute) and _changes_receiver(method.attr):
                yield from (*node.args, *(k.value for k in node.keywords))

    def is_made(self, expr: Expr) -> bool:
        """Is it a new object, whatever it holds?"""
        if isinstance(expr, _DISPLAYS) or self.is_new(expr):
            return True
        if isinstance(expr, gast.Name):
            return False
        if isinstance(expr, gast.IfExp):
            return self.is_made(expr.body) and self.is_made(expr.orelse)
        if not isinstance(expr, gast.Call):
            return False
        target = self.found(expr.func)
        if target is None:
            return isinstance(expr.func, gast.Attribute) and expr.func.attr in ("copy", "tolist") and not expr.keywords
        return isinstance(target, type) and not issubclass(target, np.generic | np.ndarray | memoryview)

    def is_own(self, expr: Expr) -> bool:
        """Is the memory that a store through `expr[...]` or `expr.attribute` changes the function's own?"""
        if isinstance(expr, gast.Name):
            return expr.id in self.shallow or expr.id in self.own
        root = expr
        while isinstance(root, (gast.Subscript, gast.Attribute)):
            root = root.value
        deep = isinstance(root, gast.Name) and root.id in self.new and self.deep
        return deep or (root is expr and self.is_made(expr))

    def found_one(self) -> bool:
        """Is there a store that may be seen by the caller?"""
        last = (gast.Global, gast.Nonlocal, gast.Yield, gast.YieldFrom, gast.Await)
        if any(isinstance(n, last) for n in self.nodes) or any(map(may_change, self.handed_over())):
            return True
        return not all(self.is_own(e) or self.is_new(e) for e in self.written())

    def stored_outside(self) -> list[Any]:
        """What of the globals' is stored into, by whatever name."""
        reaching: dict[str, list[Any]] = {}
        while True:
            found = {n: self.outside(given, reaching) for n, given in self.sources.items()}
            if {n: len(v) for n, v in found.items()} == {n: len(v) for n, v in reaching.items()}:
                break
            reaching = found
        callees = [self.found(n.func) for n in self.nodes if isinstance(n, gast.Call)]
        stored = self.outside(self.written(), reaching)
        for callee in (*callees, *self.handed_over()):
            stored += changed_outside(inspect.unwrap(callee)) if isinstance(callee, types.FunctionType) else []
        return list({id(v): v for v in stored}.values())

    def outside(self, values: Iterable[Expr], reaching: dict[str, list[Any]]) -> list[Any]:
        """The objects of globals whose memory some values may be; `reaching`: what is known of the function's names."""
        found: list[Any] = []
        for expr in values:
            names = {n.id for n in walk(expr) if isinstance(n, gast.Name)} if not self.is_new(expr) else set()
            for name in names:
                held = reaching.get(name, ()) if name in self.local else (self.look_up(name),)
                found += filter(_is_mutable, held)
        return list({id(v): v for v in found}.values())

    def handed_over(self) -> list[Any]:
        """Functions of the user's that are not called here, but named."""
        called = {id(n.func) for n in self.nodes if isinstance(n, gast.Call)}
        named = [n for n in self.nodes if isinstance(n, (gast.Name, gast.Attribute)) and id(n) not in called]
        return [f for f in map(self.found, named) if isinstance(f, types.FunctionType) and not _is_standard(f)]

    def written(self) -> Iterator[Expr]:
        """What is stored into: u of `u[i] = e`, `u.part = e`, `u += e`, `u.sort()` and `np.put(u, i, e)`."""
        for node in self.nodes:
            if isinstance(node, (gast.Subscript, gast.Attribute)) and not isinstance(node.ctx, gast.Load):
                yield node.value
            elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
                yield node.target
            elif isinstance(node, gast.Call):
                yield from self.written_by(node)

    def written_by(self, call: Any) -> list[Expr]:
        """What a call may store into."""
        func = call.func
        given = [a.value if isinstance(a, gast.Starred) else a for a in call.args]
        named = [k.value for k in call.keywords]
        outs = [k.value for k in call.keywords if k.arg == "out" or (k.arg or "").startswith("overwrite_")]
        target = self.found(func)
        if target is not None:
            return outs + self.written_by_known(target, given, named)
        if isinstance(func, gast.Attribute):  # a method
            if _changes_receiver(func.attr):
                return [*outs, func.value, *(given[:1] if func.attr == "shuffle" else ())]  # of a random generator
            if func.attr in METHODS or func.attr in _READERS:
                return outs + given[METHOD_OUT.get(func.attr, 99) :]
            method = self.method_of_global(func)
            if method is not None:
                return [*outs, func.value, *given, *named] if may_change(method) else outs
            return [*outs, func.value, *given, *named]
        if isinstance(func, gast.Lambda) or (isinstance(func, gast.Name) and func.id in self.inner):
            return outs  # its statements are among these
        return outs + given + named

    def method_of_global(self, func: Any) -> Any:
        """The method of an object that a global holds, where that is a function; else None."""
        owner = self.look_up(func.value.id) if isinstance(func.value, gast.Name) else None
        if not isinstance(func.value, gast.Name) or func.value.id in self.local or owner is None:
            return None
        found = getattr(type(owner), func.attr, None)
        return found if isinstance(found, types.FunctionType) else None

    def written_by_known(self, target: Any, given: list[Any], named: list[Any]) -> list[Expr]:
        name = getattr(target, "__name__", "")
        module = getattr(target, "__module__", None) or ""
        owner = getattr(target, "__self__", None)
        if isinstance(target, np.ufunc) or module.split(".")[0] in ("numpy", "scipy") or isinstance(owner, np.ufunc):
            known = NUMPY.get(f"random.{name}" if "random" in module else name)
            places = list(known.writes) if known is not None else [0] if name == "at" else []
            places += range(out_position(target), len(given))
            return [given[k] for k in places if k < len(given)]
        if _is_standard(target):
            return given[:1] if name in _FIRST else []
        while isinstance(target, functools.partial):
            target = target.func
        target = inspect.unwrap(target) if not isinstance(target, type) else target
        if isinstance(target, type):
            made = getattr(target, "__init__", None)
            changes = isinstance(made, types.FunctionType) and may_change(made, makes=True)
        else:
            changes = may_change(target)
        return [*given, *named] if changes else []


def _is_standard(target: Any) -> bool:
    """Is it of Python's own library?"""
    module = (getattr(target, "__module__", None) or "").split(".")[0]
    return module == "builtins" or (module in sys.stdlib_module_names and module != "__main__")


def _is_mutable(value: Any) -> bool:
    """Is it a container, an array, or an object of a class of the user's?"""
    if isinstance(value, (list, dict, set, bytearray, np.ndarray, collections.deque)):
        return True
    cls = type(value)
    plain = isinstance(value, (type, tuple, enum.Enum, types.ModuleType)) or callable(value)
    return not plain and not _is_standard(cls) and cls.__module__.split(".")[0] not in ("numpy", "scipy")


#: methods of text, numbers and arrays that change nothing, beside those of analysis/calls.py
_READERS = frozenset(words(
    "splitlines casefold swapcase isalpha isalnum isspace isupper islower removeprefix removesuffix "
    "maketrans translate center ljust rjust expandtabs issubset issuperset isdisjoint symmetric_difference "
    "conjugate total_seconds date time timestamp isoformat strftime weekday toordinal utctimetuple timetuple "
    "dot mean group groups match search fullmatch finditer findall sub"
))


def _changes_receiver(name: str) -> bool:
    known = METHODS.get(name)
    return name in _CHANGERS or (known is not None and bool(known.writes))


def _is_name(target: Any) -> bool:
    return isinstance(target, gast.Name)
