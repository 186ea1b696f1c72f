"""Does what a derivation relied on outside of the function still hold: globals, closure variables, helpers?"""

from __future__ import annotations

import types
from typing import Any

from s2sad.frontend.names import is_installed, references
from s2sad.kinds.bind import kind_of_global

#: (where it is bound, its name, what it was, its kind where the object itself can change)
Guard = tuple[Any, str, Any, Any]


def guards_of(fn: types.FunctionType) -> tuple[Guard, ...]:
    """What a function and the user's functions that it calls look up outside of themselves, as it is now.

    Modules, classes and installed functions are taken to stay what they are.
    """
    found: dict[tuple[int, str], Guard] = {}
    seen: set[int] = set()
    todo = [fn]
    while todo:
        current = todo.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        for where, name, value in references(current):
            if isinstance(value, (types.ModuleType, type, types.BuiltinFunctionType)):
                continue
            if isinstance(value, types.FunctionType):
                if is_installed(value):
                    continue
                todo.append(value)
            elif isinstance(getattr(value, "__wrapped__", None), types.FunctionType):
                todo.append(value.__wrapped__)
            changeable = isinstance(value, (list, dict)) or (hasattr(value, "__dict__") and not callable(value))
            found[id(where), name] = (where, name, value, kind_of_global(value) if changeable else None)
    return tuple(found.values())


def hold(guards: tuple[Guard, ...]) -> bool:
    """Is everything still what it was?"""
    for where, name, value, kind in guards:
        try:
            now = where[name] if where.__class__ is dict else where.cell_contents
        except (KeyError, ValueError):
            return False
        if now is not value or (kind is not None and kind_of_global(value) != kind):
            return False
    return True
