"""Which functions may change what they are given: arrays, lists and objects that their caller sees."""

from __future__ import annotations

import collections
import copy
import dataclasses
import enum
import functools
import inspect
import sys
import types
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

import gast
import numpy as np

from s2sad.analysis.known_calls import CHANGE_FIRST, METHOD_OUT, METHODS, NUMPY, changes_receiver, out_position, words
from s2sad.analysis.leaving import left_out, where_absent, without_raises
from s2sad.analysis.returns import Bindings, root_of
from s2sad.core import Expr, walk
from s2sad.frontend.diagnostics import DerivationError
from s2sad.frontend.source import tree_to_look_at
from s2sad.kinds.pure import is_pure
from s2sad.runtime.identity import held_items

_DISPLAYS = (gast.List, gast.Tuple, gast.Dict, gast.Set, gast.ListComp, gast.DictComp, gast.SetComp, gast.GeneratorExp)


_Key = tuple[int, int, bool, bool, frozenset[str]]


class Changes:
    """What calls of the user's functions may change, told by their text and by that of the functions they call.

    What is not understood counts as a change. The answers are kept: they are those of one derivation, in which what
    globals and closures hold stays the same.
    """

    def __init__(self) -> None:
        self._known: dict[_Key, tuple[Any, bool]] = {}
        #: functions that are being looked at: a call of one of these is taken to change nothing until it is known
        self._open: set[_Key] = set()
        #: answers that were found while others were open
        self._supposed: dict[_Key, tuple[Any, bool]] = {}
        self._stores: dict[tuple[int, int], tuple[Any, _Stores | None]] = {}

    def may_change(
        self, function: Any, plain: bool = True, makes: bool = False, absent: frozenset[str] = frozenset()
    ) -> bool:
        """May a call of a function store into memory that it is given, or that others hold?

        Args:
            function: a function of the user's.
            plain: it is given numbers, text, arrays, and containers of these: their methods are Python's and NumPy's.
            makes: it is an `__init__`: its first argument is new.
            absent: parameters that are left at None.
        """
        if not isinstance(function, (types.FunctionType, types.MethodType)):
            return True
        key = *_key(function), plain, makes, absent
        known = self._known.get(key) or self._supposed.get(key)
        if known is not None or key in self._open:
            return known is not None and known[1]
        self._open.add(key)
        stores = self.stores_of(function, makes, plain, absent)
        changes = stores is None or stores.found_one()
        self._open.discard(key)
        if changes:  # certain; but not what was found while it was taken to change nothing
            self._known[key] = function, True
            self._supposed.clear()
        else:
            self._supposed[key] = function, False
        if not self._open:
            self._known |= self._supposed
            self._supposed.clear()
        return changes

    def may_be_seen(self, function: Any) -> bool:
        """Would somebody notice if a function or a class of the user's was called twice instead of once: does it change
        what others hold, print, draw random numbers, ask for the time?

        What is not understood counts as seen.
        """
        all_given = frozenset[str]()
        made = _run_when_made(function) if isinstance(function, type) else [(function, False)]
        todo: list[tuple[Any, bool, Changes, frozenset[str]]] = [(one, new, self, all_given) for one, new in made]
        looked = set[_Key]()
        while todo:
            one, new, told, absent = todo.pop()
            key = (*_key(one), new, told is self, absent)
            if key in looked:
                continue
            looked.add(key)
            known = isinstance(one, (types.FunctionType, types.MethodType))
            stores = told.stores_of(one, absent=absent) if known else None
            if stores is None or told.may_change(one, makes=new, absent=absent) or told.changed_outside(one):
                return True
            implied = [f for cls in stores.classes_outside() for f in implicit(cls)]
            todo += [(f, False, told.whole, all_given) for f in [*stores.handed_over(), *implied]]
            for call in (n for n in stores.nodes if isinstance(n, gast.Call)):
                callees = stores.called(call)
                if callees is None:
                    return True
                cls = stores.found(call.func)
                run = _run_when_made(cls) if isinstance(cls, type) else [(f, False) for f in callees]
                todo += [(f, own, stores.asked(call), stores.left_out(call)) for f, own in run]
        return False

    @property
    def whole(self) -> Changes:
        """The same of functions that something calls which may catch what they raise."""
        return self

    @functools.cached_property
    def once(self) -> Changes:
        """The same of functions that are called again only where they have raised nothing."""
        return _WithoutRaises(self)

    def stores_of(
        self, function: Any, makes: bool = False, plain: bool = True, absent: frozenset[str] = frozenset()
    ) -> _Stores | None:
        """What a function stores into; None where its text is not there."""
        found = _seen(function, absent)
        return None if found is None else _Stores(*found, makes, plain, self)

    def object_may_be_seen(self, cls: type) -> bool:
        """Would somebody notice if what operators, attributes and functions of libraries run of an object of a class
        ran twice?"""
        return any(map(self.may_be_seen, implicit(cls)))

    def changed_outside(self, function: Any) -> list[Any]:
        """The lists, dicts, arrays and objects of globals that a call of a function of the user's may store into.

        What it is handed is another question (`may_change`).
        """
        found: dict[int, Any] = {}
        todo, seen = [function], {_key(function)}
        while todo:
            one = todo.pop()
            if not isinstance(one, (types.FunctionType, types.MethodType)) or _is_standard(one):
                continue
            if _key(one) not in self._stores:
                text = _seen(one)
                self._stores[_key(one)] = one, None if text is None else _Stores(*text, changes=self)
            stores = self._stores[_key(one)][1]
            if stores is None:
                continue
            found |= {id(v): v for v in stores.stored_outside()}
            callees = stores.callees()
            todo += [c for c in callees if _key(c) not in seen]
            seen |= set(map(_key, callees))
        return list(found.values())


def _key(function: Any) -> tuple[int, int]:
    """What tells functions apart, and methods by what they are bound to."""
    bound = isinstance(function, types.MethodType)
    return (id(function.__func__), id(function.__self__)) if bound else (id(function), 0)


def _seen(function: Any, absent: frozenset[str] = frozenset()) -> tuple[Any, Callable[[str], Any]] | None:
    """The tree of a function, and what the names in it stand for that are not its own.

    The first argument of a method of a class is such a name: it stands for the class. Of other bound methods nothing
    is known.
    """
    given: dict[str, Any] = {}
    if isinstance(function, types.MethodType):
        cls, function = function.__self__, function.__func__
        if not isinstance(cls, type) or not isinstance(function, types.FunctionType):
            return None
        given = {name: cls for name in function.__code__.co_varnames[: function.__code__.co_argcount][:1]}
    try:
        tree = tree_to_look_at(function)
    except DerivationError:
        return None
    if given:
        tree = copy.copy(tree)
        tree.args = copy.copy(tree.args)
        positional = "posonlyargs" if tree.args.posonlyargs else "args"
        setattr(tree.args, positional, getattr(tree.args, positional)[1:])
    if absent:
        tree = where_absent(tree, absent)
    inner = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=False))

    def look_up(name: str) -> Any:
        if name in given:
            return given[name]
        try:
            return inner[name].cell_contents if name in inner else function.__globals__.get(name)
        except ValueError:  # not bound yet
            return None

    return tree, look_up


class _WithoutRaises(Changes):
    """The same of functions that have raised nothing: what they do on the way to a raise has not happened."""

    def __init__(self, whole: Changes) -> None:
        super().__init__()
        self._whole = whole
        self._texts: dict[tuple[int, int, frozenset[str]], tuple[Any, tuple[Any, set[int]]]] = {}

    @property
    def whole(self) -> Changes:
        return self._whole

    def stores_of(
        self, function: Any, makes: bool = False, plain: bool = True, absent: frozenset[str] = frozenset()
    ) -> _Stores | None:
        found = _seen(function, absent)
        if found is None:
            return None
        text, look_up = found
        key = *_key(function), absent
        if key not in self._texts:
            self._texts[key] = function, without_raises(text)
        tree, caught = self._texts[key][1]
        return _Stores(tree, look_up, makes, plain, self, caught)

    def changed_outside(self, function: Any) -> list[Any]:
        """Of the function itself: those that it calls are looked at one by one (`may_be_seen`)."""
        stores = self.stores_of(function)
        return [] if stores is None else stores.stored_outside()


class _Stores(Bindings):
    """What one function stores into; `caught`: its nodes that run where exceptions may be caught."""

    def __init__(
        self,
        tree: Any,
        look_up: Callable[[str], Any],
        makes: bool = False,
        plain: bool = True,
        changes: Changes | None = None,
        caught: Collection[int] = (),
    ) -> None:
        super().__init__(tree, look_up, plain)
        self.changes, self.given_plain, self.caught = changes or Changes(), plain, caught
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
        targets = [t for s in self.nodes if isinstance(s, gast.Assign) for t in s.targets]
        unpacked = [n for t in targets if not isinstance(t, gast.Name) for n in walk(t)]
        bound += [n for n in unpacked if isinstance(getattr(n, "ctx", None), gast.Store)]
        self.shallow -= {n.id for n in bound if isinstance(n, gast.Name)}

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
        # (an object of the user's may be anything, and hold what it is made of)
        own = isinstance(target, type) and _is_standard(target)
        return own and not issubclass(target, np.generic | np.ndarray | memoryview)

    def is_own(self, expr: Expr) -> bool:
        """Is the memory that a store through `expr[...]` or `expr.attribute` changes the function's own?"""
        if isinstance(expr, gast.Name):
            return expr.id in self.shallow or expr.id in self.own
        root = root_of(expr)
        if not isinstance(root, gast.Name):
            return root is expr and self.is_made(expr)
        if isinstance(expr, gast.Attribute) and root is expr.value and root.id in self.own:
            return all(map(self.is_new, self.bound_to(expr)))
        return root.id in self.arrays or (root.id in self.new and self.deep)

    def bound_to(self, attribute: Any) -> Iterator[Expr | None]:
        """What is bound to an attribute; an expression that is not known, where nothing is."""
        stores = [(n, t) for n in self.nodes if isinstance(n, gast.Assign) for t in n.targets]
        stores += [(n, n.target) for n in self.nodes if isinstance(n, gast.AnnAssign)]
        found = [n.value for n, t in stores if isinstance(t, gast.Attribute) and t.attr == attribute.attr]
        yield from found or [attribute]

    def found_one(self) -> bool:
        r"""Is there a store that may be seen by the caller?

        >>> from s2sad.core import statements
        >>> def told(text):
        ...     return _Stores(statements(text)[0], {"np": np}.get).found_one()
        >>> told("def f(u):\n  v = np.zeros(3)\n  v[0] = u[0]\n  v += u\n  return v")
        False
        >>> told("def f(u):\n  t = u\n  t[0] = 1.0"), told("def f(u):\n  np.put(u, 0, 1.0)")
        (True, True)
        >>> told("def f(u):\n  kept = [u]\n  kept.append(1.0)"), told("def f(u):\n  kept = [u]\n  kept[0][1] = 1.0")
        (False, True)
        """
        last = (gast.Nonlocal, gast.Yield, gast.YieldFrom, gast.Await)
        if any(isinstance(n, last) for n in self.nodes) or self.binds_globals():
            return True
        # (what they will be given is not known: objects, where there are any)
        if any(self.changes.whole.may_change(f, self.without_objects()) for f in self.handed_over()):
            return True
        return not all(self.is_own(e) or self.is_new(e) for e in self.written())

    def left_out(self, call: Any) -> frozenset[str]:
        """The parameters that a call leaves at None."""
        return left_out(call, self.found(call.func)) if isinstance(call.func, gast.Name) else frozenset()

    def binds_globals(self) -> bool:
        """Does it give a global another value?"""
        shared = {n for s in self.nodes if isinstance(s, gast.Global) for n in s.names}
        bound = {n.id for n in self.nodes if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)}
        by_others = (gast.Import, gast.ImportFrom, gast.FunctionDef, gast.ClassDef, gast.ExceptHandler)
        return bool(shared & bound) or (bool(shared) and any(isinstance(n, by_others) for n in self.nodes))

    def asked(self, call: Any) -> Changes:
        """Who knows of what is called there."""
        return self.changes.whole if id(call) in self.caught else self.changes

    def without_objects(self) -> bool:
        """Is the function given none of the user's objects, and does it make none?"""
        made = [self.found(n.func) for n in self.nodes if isinstance(n, gast.Call)]
        return self.given_plain and not any(isinstance(m, type) and not _is_standard(m) for m in made)

    def stored_outside(self) -> list[Any]:
        """What of the globals' is stored into, by whatever name."""
        reaching: dict[str, list[Any]] = {}
        while True:
            found = {n: self.outside(given, reaching) for n, given in self.sources.items()}
            if {n: len(v) for n, v in found.items()} == {n: len(v) for n, v in reaching.items()}:
                break
            reaching = found
        return self.outside(self.written(), reaching)

    def callees(self) -> list[Any]:
        """The functions that it calls or names, and those of the classes that it makes objects of."""
        called = [self.found(n.func) for n in self.nodes if isinstance(n, gast.Call)]
        found = self.handed_over()
        for one in called:
            while isinstance(one, functools.partial):
                one = one.func
            if isinstance(one, type) and not _is_standard(one):
                held = [f for base in one.__mro__ for f in vars(base).values() if isinstance(f, types.FunctionType)]
                found += _not_generated(one, held)
            elif callable(one) and not isinstance(one, type):
                found.append(inspect.unwrap(one))
        return found

    def called(self, call: Any) -> list[Any] | None:
        """The functions of the user's that a call runs; None where it may do more than compute, or is not known."""
        target = self.found(call.func)
        while isinstance(target, functools.partial):
            target = target.func
        if target is None:
            if isinstance(call.func, gast.Attribute):  # (that of a base class is among those of the class)
                quiet = call.func.attr in _MAKERS if _is_super(call.func.value) else is_quiet_method(call.func.attr)
                return [] if quiet else None
            return [] if isinstance(call.func, gast.Name) and call.func.id in self.inner else None
        if isinstance(target, type):
            return _makers(target)
        if is_quiet(target):
            return []
        return [inspect.unwrap(target)] if not _is_standard(target) else None

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

    def looked_at(self) -> set[int]:
        """The ids of the nodes that only are compared with `is`, which runs nothing of theirs."""
        alone = (n for n in self.nodes if isinstance(n, gast.Compare))
        only = (n for n in alone if all(isinstance(op, (gast.Is, gast.IsNot)) for op in n.ops))
        return {id(side) for n in only for side in (n.left, *n.comparators)}

    def classes_outside(self) -> set[type]:
        """The classes of the user's of which globals are, or hold, objects, and those that are named for something
        other than to make one."""
        called = {id(n.func) for n in self.nodes if isinstance(n, gast.Call)} | self.looked_at()
        read = {n.id for n in self.nodes if isinstance(n, gast.Name) and n.id not in self.local and id(n) not in called}
        named = [n for n in self.nodes if isinstance(n, (gast.Name, gast.Attribute)) and id(n) not in called]
        held = _held_by([*map(self.look_up, read), *map(self.found, named)])
        return {c for v in held for c in (type(v), v) if isinstance(c, type) and not _is_of_library(c)}

    def written(self) -> Iterator[Expr]:
        """What is stored into: u of `u[i] = e`, `u.part = e`, `u += e`, `u.sort()` and `np.put(u, i, e)`."""
        for node in self.nodes:
            if isinstance(node, (gast.Subscript, gast.Attribute)) and not isinstance(node.ctx, gast.Load):
                yield node.value
            elif isinstance(node, gast.AugAssign):
                yield node.target  # (beside what holds it: an item, or an attribute, may be an array)
            elif isinstance(node, gast.Call):
                yield from self.written_by(node)
            elif isinstance(node, gast.withitem):
                yield from self.entered(node.context_expr)

    def entered(self, manager: Expr) -> list[Expr]:
        """What a context manager may store into when it is entered or left."""
        target = self.found(manager.func) if isinstance(manager, gast.Call) else None
        if target is None or not isinstance(manager, gast.Call):
            return [] if self.found(manager) is not None else [manager]
        methods = [getattr(target, name, None) for name in ("__enter__", "__exit__")]
        own = [m for m in methods if isinstance(m, types.FunctionType) and not _is_standard(m)]
        changes = any(self.changes.whole.may_change(m, plain=False, makes=True) for m in own)
        return [*manager.args, *(k.value for k in manager.keywords)] if changes else []

    def written_by(self, call: Any) -> list[Expr]:
        """What a call may store into."""
        func = call.func
        given = [a.value if isinstance(a, gast.Starred) else a for a in call.args]
        named = [k.value for k in call.keywords]
        outs = [k.value for k in call.keywords if k.arg == "out" or (k.arg or "").startswith("overwrite_")]
        target = self.found(func)
        if target is not None:
            return outs + self.written_by_known(target, given, named, self.asked(call), call)
        if isinstance(func, gast.Attribute):  # a method
            if _is_super(func.value) and func.attr in _MAKERS:  # (of a base class: it is looked at beside this one)
                return outs
            owner = self.global_object(func.value)
            method = getattr(type(owner), func.attr, None)
            if isinstance(method, types.FunctionType):  # of an object that a global holds
                return [*outs, func.value, *given, *named] if self.asked(call).may_change(method, plain=False) else outs
            if owner is not None or self.is_plain(func.value):
                if changes_receiver(func.attr):
                    return [*outs, func.value, *(given[:1] if func.attr == "shuffle" else ())]  # of a random generator
                if func.attr in METHODS or func.attr in _READERS:
                    return outs + given[METHOD_OUT.get(func.attr, 99) :]
            return [*outs, func, *given, *named]  # an object that may change itself, and what it holds
        if isinstance(func, gast.Lambda) or (isinstance(func, gast.Name) and func.id in self.inner):
            return outs  # its statements are among these
        return outs + given + named

    def global_object(self, expr: Expr) -> Any:
        """What a name of a global stands for; None for what is not known before the call."""
        known = isinstance(expr, gast.Name) and expr.id not in self.local
        return self.look_up(expr.id) if known else None

    def written_by_known(
        self, target: Any, given: list[Any], named: list[Any], asked: Changes, call: Any
    ) -> list[Expr]:
        name = getattr(target, "__name__", "")
        module = getattr(target, "__module__", None) or ""
        owner = getattr(target, "__self__", None)
        if isinstance(target, np.ufunc) or module.split(".")[0] in ("numpy", "scipy") or isinstance(owner, np.ufunc):
            known = NUMPY.get(f"random.{name}" if "random" in module else name)
            places = list(known.writes) if known is not None else [0] if name == "at" else []
            places += range(out_position(target), len(given))
            return [given[k] for k in places if k < len(given)]
        if _is_standard(target):
            return given[:1] if name in CHANGE_FIRST else []
        while isinstance(target, functools.partial):
            target = target.func
        target = inspect.unwrap(target) if not isinstance(target, type) else target
        plain = all(map(self.is_plain, [*given, *named]))
        if isinstance(target, type):
            changes = any(asked.may_change(f, plain, makes=True) for f in _makers(target))
        else:
            changes = asked.may_change(target, plain, absent=self.left_out(call))
        return [*given, *named] if changes else []


#: the methods that run when an object is made
_MAKERS = ("__init__", "__new__", "__post_init__")
#: those that are given the class
_OF_CLASS = ("__new__", "__init_subclass__", "__class_getitem__")


def _makers(cls: type) -> list[Any]:
    """The functions of the user's that run when an object of a class is made."""
    own = [vars(base).get(name) for base in cls.__mro__ for name in _MAKERS]
    return [f for f in own if isinstance(f, types.FunctionType) and not _is_standard(f)]


def implicit(cls: type) -> list[Any]:
    """The functions of the user's that operators, attributes, statements and functions of libraries may run of an
    object: special methods, properties, and methods that are named like those of arrays and containers."""
    found: list[Any] = []
    for base in cls.__mro__:
        for name, value in () if _is_of_library(base) else vars(base).items():
            special = (name.startswith("__") and name.endswith("__")) or is_quiet_method(name)
            if isinstance(value, property):
                found += [value.fget, value.fset, value.fdel]
            elif isinstance(value, functools.cached_property):
                found.append(value.func)
            elif isinstance(value, (types.FunctionType, staticmethod, classmethod)):
                function: Any = inspect.unwrap(value)  # type: ignore[arg-type]
                found += [function] if special and name not in _MAKERS else []
            else:  # it may say itself what it is as an attribute
                found += [getattr(type(value), way, None) for way in ("__get__", "__set__")]
    return _not_generated(cls, [f for f in found if isinstance(f, types.FunctionType) and not _is_standard(f)])


def _not_generated(cls: type, functions: list[Any]) -> list[Any]:
    """Methods of a class without those that `dataclass` writes, which change nothing that is seen."""
    by_dataclass = ("<string>", dataclasses.__file__) if dataclasses.is_dataclass(cls) else ()
    return [f for f in functions if f.__code__.co_filename not in by_dataclass]


def _run_when_made(cls: type) -> list[tuple[Any, bool]]:
    """The functions of the user's that run when an object of a class is made, and those that may run of it later; is
    their first argument the new object?"""
    found = [*_makers(cls), *implicit(cls)]
    own = [value for base in cls.__mro__ for name, value in vars(base).items() if name not in _OF_CLASS]
    methods = {id(inspect.unwrap(f)) for v in own for f in (v, getattr(v, "fget", v), getattr(v, "func", v))}
    return [(f, id(f) in methods) for f in found]


def _held_by(values: Iterable[Any]) -> list[Any]:
    """Values, and those in the containers among them."""
    found: dict[int, Any] = {}
    todo = list(values)
    while todo:
        value = todo.pop()
        if id(value) in found or isinstance(value, types.ModuleType):
            continue
        found[id(value)] = value
        if isinstance(value, dict):
            todo += value.values()
        elif isinstance(value, (list, tuple, set, frozenset, collections.deque)):
            todo += value
    return list(found.values())


def _is_super(expr: Expr) -> bool:
    return isinstance(expr, gast.Call) and isinstance(expr.func, gast.Name) and expr.func.id == "super"


#: modules of the standard library whose functions do nothing but compute, and change what they are given
_QUIET_MODULES = frozenset(words(
    "math cmath statistics operator itertools functools collections copy bisect heapq fractions decimal dataclasses "
    "string re array enum numbers typing types"
))
_PLAIN = (str, bytes, list, dict, set, tuple, int, float, complex, range, collections.deque, np.ndarray)
_LOUD_BUILTINS = frozenset(words("print input open exec eval compile breakpoint __import__ exit quit help"))


def is_quiet(target: Any) -> bool:
    """Does a function of a library nothing but compute, or change what it is given?

    >>> is_quiet(len), is_quiet(np.sin), is_quiet(collections.deque.append), is_quiet(print)
    (True, True, True, False)
    """
    if is_pure(target):
        return True
    module, name = (getattr(target, "__module__", None) or "").split(".")[0], getattr(target, "__name__", "")
    owner = getattr(target, "__objclass__", None)
    if isinstance(owner, type):
        module = owner.__module__.split(".")[0]
    if module == "builtins":
        return name not in _LOUD_BUILTINS
    if module == "numpy":
        known = NUMPY.get(name)
        return name == "errstate" or (known is not None and known.effect == "none")
    return module.lstrip("_") in _QUIET_MODULES


def is_quiet_method(name: str) -> bool:
    """Does a method of this name, of an array, a text or a container, nothing but compute, or change its receiver?

    >>> is_quiet_method("sum"), is_quiet_method("append"), is_quiet_method("write"), is_quiet_method("normal")
    (True, True, False, False)
    """
    if name in ("write", "send", "throw", "close", "shuffle", "tofile", "dump"):
        return False
    known = METHODS.get(name)
    quiet = name in _READERS or changes_receiver(name) or (known is not None and known.effect == "none")
    return quiet or any(hasattr(cls, name) for cls in _PLAIN)


def _is_standard(target: Any) -> bool:
    """Is it of Python's own library?"""
    module = (getattr(target, "__module__", None) or "").split(".")[0]
    return module == "builtins" or (module in sys.stdlib_module_names and module != "__main__")


def _is_of_library(cls: type) -> bool:
    """Is it a class of Python's, NumPy's or SciPy's?"""
    return _is_standard(cls) or cls.__module__.split(".")[0] in ("numpy", "scipy")


def _is_mutable(value: Any) -> bool:
    """Is it a container, an array, or an object of a class of the user's?"""
    if isinstance(value, (list, dict, set, bytearray, np.ndarray, collections.deque)):
        return True
    cls = type(value)
    plain = isinstance(value, (type, tuple, enum.Enum, types.ModuleType)) or callable(value)
    return not plain and not _is_of_library(cls)


def reachable(values: Iterable[Any]) -> set[int]:
    """The identities of the lists, dicts, arrays and objects that values are, hold, or are views of.

    >>> row = [1.0]
    >>> reachable([{"rows": (row,)}]).isdisjoint(reachable([row]))
    False
    >>> grid = np.zeros(4)
    >>> reachable([grid[:2]]).isdisjoint(reachable([grid[2:]])), reachable([row]).isdisjoint(reachable([[1.0]]))
    (False, True)
    """
    found: set[int] = set()
    todo = list(values)
    while todo:
        value = todo.pop()
        if not (isinstance(value, tuple) or _is_mutable(value)) or id(value) in found:
            continue
        if not isinstance(value, tuple):
            found.add(id(value))
        if isinstance(value, np.ndarray):
            todo += [value.base, *(value.flat if value.dtype == object else ())]
        elif isinstance(value, (dict, list, tuple, set, collections.deque)):
            todo += held_items(value)
        todo += getattr(value, "__dict__", {}).values()
    return found


#: methods of text, numbers and arrays that change nothing, beside those of analysis/calls.py
_READERS = frozenset(words(
    "splitlines casefold swapcase isalpha isalnum isspace isupper islower removeprefix removesuffix "
    "maketrans translate center ljust rjust expandtabs issubset issuperset isdisjoint symmetric_difference "
    "conjugate total_seconds date time timestamp isoformat strftime weekday toordinal utctimetuple timetuple "
    "dot mean group groups match search fullmatch finditer findall sub"
))
