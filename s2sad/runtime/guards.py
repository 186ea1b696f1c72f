"""The names that a function and the code that it may run look up outside of themselves: globals, closure variables,
attributes of classes and modules. What they stand for now are conditions of a derivation; what was seen of the objects
that they stand for are others (`runtime.conditions`)."""

from __future__ import annotations

import functools
import importlib.util
import operator
import sys
import types
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import gast
import numpy as np

from s2sad.core import walk
from s2sad.frontend.diagnostics import DerivationError
from s2sad.frontend.installed import is_installed_file
from s2sad.frontend.names import attribute_names, global_names, imported_modules, is_installed, references
from s2sad.frontend.source import tree_to_look_at
from s2sad.kinds.bind import is_callable, state_of
from s2sad.runtime.conditions import (
    MISSING,
    ClassIs,
    Condition,
    HasNames,
    Lacks,
    MadeOf,
    NameIs,
)
from s2sad.runtime.identity import check_what_it_is, held_attribute, held_items, is_gone, keys_of

#: what can change in no other way than by another object in its place
_CONSTANT = (int, float, complex, str, bytes, type(None), np.generic, np.ndarray, np.dtype, np.ufunc)
#: of these, types that long lists are made of
_PLAIN = frozenset((int, float, complex, str, bool, type(None)))
#: functions that are given the name of an attribute, and what leads to all of them
_BY_NAME = frozenset(("getattr", "hasattr"))
_ALL_NAMES = frozenset(("vars", "dir", "__dict__", "getmembers", "attrgetter", "methodcaller"))
#: classes of the standard library that do nothing but hold what they are given
_NAMESPACES = frozenset((("types", "SimpleNamespace"), ("argparse", "Namespace")))


def guards_of(fn: types.FunctionType, given: Iterable[Any] = ()) -> tuple[tuple[Condition, ...], tuple[Any, ...]]:
    """What a function and the user's code that it may run look up outside of themselves, as it is now.

    That is: the globals and closure variables of functions; of the user's classes and modules, what has a name that
    occurs as an attribute in that code (all of it where names are computed), and that there is nothing else; and so on
    with what stands there. Installed code is taken to stay what it is.

    Args:
        fn: the function.
        given: what a call gives it: functions, objects and what holds them.

    Returns:
        The conditions, and the arrays, containers and objects among what is looked up: an argument may be one of them.
    """
    walk = _Walk()
    walk.run(fn, given)
    return tuple(walk.found.values()), tuple(walk.outside.values())


class _Walk:
    def __init__(self) -> None:
        self.found: dict[tuple[int, str], Condition] = {}
        self.seen: dict[int, Any] = {}
        self.todo: list[Any] = []
        #: the names of attributes in the code that was seen, and where such are looked up
        self.names: dict[str, None] = {}
        self.owners: list[Any] = []
        #: are there names that are computed, and the modules that code with such names refers to
        self.computed = False
        self.asked: set[int] = set()
        self.outside: dict[int, Any] = {}

    def run(self, fn: types.FunctionType, given: Iterable[Any]) -> None:
        self.todo.append(fn)
        for value in given:
            check_what_it_is(value)
            self.todo.append(value)
            if issubclass(type(value), types.ModuleType):
                self.asked.add(id(value))
        while self.todo:
            while self.todo:
                self.look_at(self.todo.pop())
            for owner in self.owners:
                self.look_up(owner)
        for owner in self.owners:
            self.note_absence(owner)

    def is_outside(self, value: Any) -> None:
        if is_gone(value):
            return
        if isinstance(value, np.ndarray) or _can_change(value):
            self.outside[id(value)] = value
        if callable(value):
            for part in _held(value):
                self.is_outside(part)

    def note(self, where: Any, name: str, value: Any) -> None:
        """What is bound somewhere is relied on."""
        if (id(where), name) not in self.found:
            check_what_it_is(value)
            about = f"{where.__qualname__}.{name}" if isinstance(where, type) else name
            self.found[id(where), name] = NameIs(about, where, name, value)
            if is_gone(value):
                return
            if not isinstance(value, types.ModuleType):
                self.is_outside(value)
            self.todo.append(value)

    def look_at(self, value: Any) -> None:
        if id(value) in self.seen or is_gone(value):
            return
        check_what_it_is(value)
        if isinstance(value, _CONSTANT) and (type(value) in _PLAIN or not is_own(type(value))):
            return
        self.seen[id(value)] = value
        if isinstance(value, types.FunctionType):
            if not is_installed(value):
                self.look_into(value)
                self.owners.append(value)
            self.todo.append(held_attribute(value, "__wrapped__"))
        elif isinstance(value, (type, types.ModuleType)):
            if is_own(value):
                self.owners.append(value)
                self.todo.extend((type(value), *value.__mro__[1:]) if isinstance(value, type) else ())
        else:
            if is_callable(value):
                for part in _held(value):
                    self.is_outside(part)
            self.todo.extend(_parts(value))
            self.names.update(dict.fromkeys(_names_in(value)))

    def look_into(self, function: types.FunctionType) -> None:
        """A function of the user's: what it is made of, and what it looks up."""
        code, outer = function.__code__, function.__globals__
        self.names.update(dict.fromkeys(attribute_names(code)))
        spec = NameIs("__spec__", outer, "__spec__", outer.get("__spec__", MISSING))  # loading it again makes another
        self.found.setdefault((id(outer), "__spec__"), spec)
        for where, name, held in references(function):
            self.note(where, name, held)
        for name in global_names(code):
            if (id(outer), name) not in self.found:  # a builtin, or nothing yet
                self.found[id(outer), name] = NameIs(name, outer, name, outer.get(name, MISSING))
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            if (id(cell), name) not in self.found:
                self.found[id(cell), name] = NameIs(name, cell, name, MISSING)
        modules = list(self.imported(function))
        for name, module in modules:
            if not isinstance(module, types.ModuleType) or is_own(module):
                self.note(sys.modules, name, module)
        keywords = function.__kwdefaults__
        values = *(function.__defaults__ or ()), *(keywords or {}).values()
        made_of = code, function.__defaults__, keywords, tuple((keywords or {}).items())
        self.found[id(function), ""] = MadeOf(function.__qualname__, function, *made_of)
        self.todo.extend(values)
        if _computes_names(function):
            self.computed = True
            self.asked.update(id(held) for _, _, held in references(function))
            self.asked.update(id(module) for _, module in modules)

    def imported(self, function: types.FunctionType) -> Iterator[tuple[str, Any]]:
        """The modules that a function imports, and the packages that they are in, as far as they are there."""
        for name, dots in imported_modules(function.__code__):
            if dots:
                package = function.__globals__.get("__package__")
                try:
                    name = importlib.util.resolve_name("." * dots + name, package)
                except ImportError:
                    continue
            parts = name.split(".")
            for i in range(1, len(parts) + 1):
                whole = ".".join(parts[:i])
                yield whole, sys.modules.get(whole, MISSING)

    def look_up(self, owner: Any) -> None:
        """Attributes of a class, a module or a function that some code may ask for."""
        held = vars(owner)
        asked = self.any_name(owner)
        for name in list(held):
            special = name[:2] == "__"
            # what operators and statements call has no name in the code
            operated = isinstance(owner, type) and special and _is_method(held[name])
            if (name in self.names and name != "__s2sad__") or operated or (asked and not special):
                self.note(owner if isinstance(owner, type) else held, name, held[name])

    def any_name(self, owner: Any) -> bool:
        """May any attribute of a class, a module or a function be asked for?"""
        return self.computed and (isinstance(owner, (type, types.FunctionType)) or id(owner) in self.asked)

    def note_absence(self, owner: Any) -> None:
        """What a class, a module or a function has not is relied on, too."""
        held = vars(owner)
        if isinstance(owner, type):
            # its methods are operators, or hide those of its bases
            self.found[id(owner), ""] = ClassIs(owner.__qualname__, owner, owner.__mro__, frozenset(held))
        elif isinstance(owner, types.ModuleType) and self.any_name(owner):
            self.found[id(held), ""] = HasNames(owner.__name__, held, frozenset(held))
        elif isinstance(owner, types.ModuleType) or not self.names.keys().isdisjoint(_ASKS):
            without = frozenset({*self.names, "__getattr__"} - held.keys() - {"__s2sad__"})
            self.found[id(held), ""] = Lacks(owner.__name__, held, without)


#: where the names in code that looks up attributes which may not be there come from
_ASKS = _BY_NAME | _ALL_NAMES | {"AttributeError"}


def _computes_names(function: types.FunctionType) -> bool:
    """May a function look up attributes whose names do not stand in its code?"""
    names = {*attribute_names(function.__code__)}
    if names & _ALL_NAMES:
        return True
    if not names & _BY_NAME:
        return False
    try:
        tree = tree_to_look_at(function)
    except DerivationError:
        return True
    calls = [n for n in walk(tree) if isinstance(n, gast.Call) and len(n.args) > 1 and _is_one_of(n.func, _BY_NAME)]
    plain = sum(isinstance(n.args[1], gast.Constant) for n in calls)
    return plain < sum(_is_one_of(n, _BY_NAME) for n in walk(tree))


def _is_one_of(node: Any, names: frozenset[str]) -> bool:
    return isinstance(node, gast.Name) and node.id in names


def _is_method(value: Any) -> bool:
    return callable(value) or isinstance(value, (staticmethod, classmethod, property))


def _names_in(value: Any) -> Iterator[str]:
    """The names of attributes that a callable of the standard library looks up."""
    if isinstance(value, (operator.attrgetter, operator.methodcaller)):
        for name in value.__reduce__()[1]:
            if isinstance(name, str):
                yield from name.split(".")


def _held(value: Any) -> tuple[Any, ...]:
    """What a callable is bound to."""
    if isinstance(value, types.MethodType):
        return (value.__self__,)
    if isinstance(value, types.BuiltinFunctionType):  # the method of a list or of a dict, but no function
        return () if isinstance(value.__self__, (types.ModuleType, type, type(None))) else (value.__self__,)
    return (*value.args, *value.keywords.values()) if isinstance(value, functools.partial) else ()


def _parts(value: Any) -> Iterator[Any]:
    """What an object leads to that may be or hold code."""
    yield type(value)
    yield from _held(value)
    if isinstance(value, (list, tuple, set, frozenset, deque, dict)):
        yield from _no_constants(held_items(value))
        yield from _no_constants(keys_of(value) if isinstance(value, dict) else ())
    elif isinstance(value, functools.partial):
        yield value.func
    elif isinstance(value, types.MethodType):
        yield value.__func__
    elif isinstance(value, property):
        yield from (value.fget, value.fset)
    elif isinstance(value, (staticmethod, classmethod)):
        yield value.__func__
    elif isinstance(value, functools.cached_property):
        yield value.func
    elif is_own(type(value)) or (type(value).__module__, type(value).__qualname__) in _NAMESPACES:
        yield from _no_constants((state_of(value) or {}).values())
    yield held_attribute(value, "__wrapped__")
    yield held_attribute(value, "primal")  # of a derivative


def _no_constants(values: Iterable[Any]) -> list[Any]:
    return [v for v in list(values) if type(type(v)) is not type or type(v) not in _PLAIN]


def is_own(owner: type | types.ModuleType) -> bool:
    """Is a class or a module the user's, rather than Python's or installed?"""
    name = owner.__module__ if isinstance(owner, type) else vars(owner).get("__name__")
    if not isinstance(name, str):  # of the class of builtin functions it is what reads theirs
        return False
    module = sys.modules.get(name) if isinstance(owner, type) else owner
    if name.partition(".")[0] == "s2sad":
        return False
    held = vars(module) if isinstance(module, types.ModuleType) else {}  # (its `__getattr__` is not asked)
    if module is None or held.get("__name__") == "__main__":
        return True
    file, spec = held.get("__file__"), held.get("__spec__")
    if file is not None or spec is None:  # (a module without either is made by a call of types.ModuleType)
        return file is None or not is_installed_file(file)
    places = list(spec.submodule_search_locations or ())  # of a package without __init__.py
    return bool(places) and not any(map(is_installed_file, places))


def _can_change(value: Any) -> bool:
    if is_gone(value):
        return False
    functions = (types.FunctionType, types.BuiltinFunctionType, type, staticmethod, classmethod, property)
    cls = type(value)  # (not `isinstance`, which asks an object in a tuple for its class)
    if issubclass(cls, tuple):
        return any(map(_can_change, held_items(value)))
    return not issubclass(cls, (*_CONSTANT, *functions))
