"""Does what a derivation relied on outside of the function still hold: globals, closure variables, helpers, classes?"""

from __future__ import annotations

import functools
import sys
import types
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from s2sad.frontend.names import attribute_names, is_installed, is_installed_file, references
from s2sad.kinds.bind import kind_of_global, state_of

#: (where it is bound, its name, what it was, its form where the object itself can change). Where: the dict of a module,
#: a closure cell, a class, a function (for its defaults); None for what a call was given
Guard = tuple[Any, str, Any, Any]

_MISSING = object()
#: what can change in no other way than by another object in its place
_CONSTANT = (int, float, complex, str, bytes, type(None), np.generic, np.ndarray, np.dtype, np.ufunc)
#: so many items of a list or a dict are looked at for functions and objects
_LOOKED_INTO = 64


def guards_of(fn: types.FunctionType, given: Iterable[Any] = ()) -> tuple[tuple[Guard, ...], tuple[Any, ...]]:
    """What a function and the user's code that it may run look up outside of themselves, as it is now.

    That is: the globals and closure variables of functions; of the user's classes and modules, what has a name that
    occurs as an attribute in that code; and so on with what stands there. Modules as such and installed code are taken
    to stay what they are.

    Args:
        fn: the function.
        given: what a call gives it: functions, objects and what holds them.

    Returns:
        The guards, and the arrays, containers and objects among what is looked up: an argument may be one of them.
    """
    walk = _Walk()
    walk.run(fn, given)
    return tuple(walk.found.values()), tuple(walk.outside.values())


class _Walk:
    def __init__(self) -> None:
        self.found: dict[tuple[int, str], Guard] = {}
        self.seen: dict[int, Any] = {}
        self.todo: list[Any] = []
        #: the names of attributes in the code that was seen, and where such are looked up
        self.names: dict[str, None] = {}
        self.owners: list[Any] = []
        self.outside: dict[int, Any] = {}

    def run(self, fn: types.FunctionType, given: Iterable[Any]) -> None:
        self.todo.append(fn)
        for value in given:
            self.todo.append(value)
            if callable(value) and not isinstance(value, (types.FunctionType, type)):
                self.found[id(value), ""] = (None, "", value, form_of(value))
                for part in _held(value):
                    self.is_outside(part)
        while self.todo:
            while self.todo:
                self.look_at(self.todo.pop())
            for owner in self.owners:
                self.look_up(owner)

    def is_outside(self, value: Any) -> None:
        if isinstance(value, np.ndarray) or _can_change(value):
            self.outside[id(value)] = value
        if callable(value):
            for part in _held(value):
                self.is_outside(part)

    def note(self, where: Any, name: str, value: Any) -> None:
        """What is bound somewhere is relied on."""
        if isinstance(value, types.ModuleType):
            if id(value) not in self.seen:
                self.todo.append(value)
            return
        if (id(where), name) not in self.found:
            self.found[id(where), name] = (where, name, value, form_of(value) if _can_change(value) else None)
            self.is_outside(value)
            self.todo.append(value)

    def look_at(self, value: Any) -> None:
        if isinstance(value, _CONSTANT) or id(value) in self.seen:
            return
        self.seen[id(value)] = value
        if isinstance(value, types.FunctionType):
            if not is_installed(value):
                self.names.update(dict.fromkeys(attribute_names(value.__code__)))
                for where, name, held in references(value):
                    self.note(where, name, held)
                if value.__defaults__ and (id(value), "") not in self.found:
                    self.found[id(value), ""] = value, "", value.__defaults__, form_of(value.__defaults__)
                    self.todo.extend(value.__defaults__)
                self.todo.extend((value.__kwdefaults__ or {}).values())
                self.owners.append(value)
            self.todo.append(getattr(value, "__wrapped__", None))
        elif isinstance(value, (type, types.ModuleType)):
            if is_own(value):
                self.owners.append(value)
                self.todo.extend(value.__mro__[1:] if isinstance(value, type) else ())
        elif not isinstance(value, types.BuiltinFunctionType):
            self.todo.extend(_parts(value))

    def look_up(self, owner: Any) -> None:
        """Attributes of a class, a module or a function that some code may ask for."""
        held = vars(owner)
        for name in list(held):
            # what operators and statements call has no name in the code
            operator = isinstance(owner, type) and name[:2] == "__" and isinstance(held[name], types.FunctionType)
            if (name in self.names and name != "__s2sad__") or operator:
                self.note(owner if isinstance(owner, type) else held, name, held[name])


def _held(value: Any) -> tuple[Any, ...]:
    """What a callable is bound to."""
    if isinstance(value, types.MethodType):
        return (value.__self__,)
    return (*value.args, *value.keywords.values()) if isinstance(value, functools.partial) else ()


def _parts(value: Any) -> Iterator[Any]:
    """What an object leads to that may be or hold code."""
    yield type(value)
    yield from _held(value)
    if isinstance(value, (list, tuple, set, frozenset, deque)):
        yield from list(value)[:_LOOKED_INTO]
    elif isinstance(value, dict):
        yield from list(value.values())[:_LOOKED_INTO]
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
    elif is_own(type(value)):
        yield from list((state_of(value) or {}).values())[:_LOOKED_INTO]
    yield getattr(value, "__wrapped__", None)
    yield getattr(value, "primal", None)  # of a derivative


def is_own(owner: type | types.ModuleType) -> bool:
    """Is a class or a module the user's, rather than Python's or installed?"""
    name = owner.__module__ if isinstance(owner, type) else owner.__name__
    module = sys.modules.get(name) if isinstance(owner, type) else owner
    if name.partition(".")[0] == "s2sad":
        return False
    if module is None or module.__name__ == "__main__":
        return True
    file = getattr(module, "__file__", None)
    return file is not None and not is_installed_file(file)


def _can_change(value: Any) -> bool:
    functions = (types.FunctionType, types.BuiltinFunctionType, type, staticmethod, classmethod, property)
    if isinstance(value, tuple):
        return any(map(_can_change, value))
    return not isinstance(value, (*_CONSTANT, *functions))


def form_of(value: Any) -> Any:
    """What an object is like as far as code depends on it: its kind, and the items of sets and the like."""
    if isinstance(value, (set, frozenset)):
        return frozenset(value)
    if isinstance(value, (tuple, deque)):
        return tuple(map(form_of, value))
    if isinstance(value, functools.partial):
        return tuple(map(form_of, value.args)), tuple((k, form_of(v)) for k, v in value.keywords.items())
    if isinstance(value, types.MethodType):
        return form_of(value.__self__)
    if callable(value) and is_own(type(value)):
        state = state_of(value) or {}
        return type(value), tuple((name, kind_of_global(held)) for name, held in state.items())
    return kind_of_global(value)


def hold(guards: tuple[Guard, ...]) -> bool:
    """Is everything still what it was?"""
    for where, name, value, form in guards:
        if where.__class__ is dict:
            now = where.get(name, _MISSING)
        elif where is None:
            now = value
        elif isinstance(where, type):
            now = where.__dict__.get(name, _MISSING)
        elif where.__class__ is types.FunctionType:
            now = where.__defaults__
        else:
            try:
                now = where.cell_contents
            except ValueError:
                return False
        if now is not value or (form is not None and form_of(value) != form):
            return False
    return True
