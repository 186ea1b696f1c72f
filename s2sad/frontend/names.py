"""Which outer names a function uses, and what they stand for."""

from __future__ import annotations

import builtins
import dis
import keyword
import types
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import gast

from s2sad.core import walk
from s2sad.frontend.diagnostics import error_at
from s2sad.frontend.installed import is_installed_file

if TYPE_CHECKING:
    from s2sad.frontend.source import FunctionSource

@lru_cache(maxsize=4096)
def global_names(code: types.CodeType) -> tuple[str, ...]:
    """The global names that a code object and the functions defined in it look up.

    >>> global_names((lambda x: abs(x) + len(x)).__code__)
    ('abs', 'len')
    """
    found = dict.fromkeys(
        str(i.argval)
        for i in dis.get_instructions(code)
        if i.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS")
    )
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            found.update(dict.fromkeys(global_names(const)))
    return tuple(found)


@lru_cache(maxsize=4096)
def attribute_names(code: types.CodeType) -> tuple[str, ...]:
    """The names that a code object and the functions defined in it look up in objects, or may so (`getattr`).

    >>> sorted(attribute_names((lambda x: x.real + getattr(x, "imag")).__code__))
    ['getattr', 'imag', 'real']
    """
    found = dict.fromkeys(code.co_names)
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            found.update(dict.fromkeys(attribute_names(const)))
        elif isinstance(const, str) and all(part.isidentifier() for part in const.split(".")):
            found.update(dict.fromkeys(const.split(".")))  # (operator.attrgetter takes several at once)
    return tuple(found)


@lru_cache(maxsize=4096)
def imported_modules(code: types.CodeType) -> tuple[tuple[str, int], ...]:
    """The modules that a code object and the functions defined in it import, with the dots in front of their names.

    >>> def f():
    ...     import os.path
    ...     from math import sin
    >>> imported_modules(f.__code__)
    (('os.path', 0), ('math', 0))
    """
    found: dict[tuple[str, int], None] = {}
    constants: list[Any] = []
    for i in dis.get_instructions(code):
        if i.opname == "IMPORT_NAME":
            found[str(i.argval), constants[-2]] = None  # below it: how many dots, and the names that are taken from it
        elif "CONST" in i.opname or i.opname == "LOAD_SMALL_INT":
            constants.append(i.argval)
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            found.update(dict.fromkeys(imported_modules(const)))
    return tuple(found)


def references(fn: types.FunctionType) -> Iterator[tuple[Any, str, Any]]:
    """The outer names of a function with what they stand for now: (where, name, value).

    `where` is the module's dict, or the closure cell. Builtins, and names that stand for nothing yet, are left out.
    """
    for name in global_names(fn.__code__):
        if name in fn.__globals__:
            value = fn.__globals__[name]
            if getattr(builtins, name, _MISSING) is not value:
                yield fn.__globals__, name, value
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
        try:
            yield cell, name, cell.cell_contents
        except ValueError:
            continue


_MISSING = object()


def is_installed(fn: types.FunctionType) -> bool:
    """Is this a function of Python's library or of an installed package (rather than the user's own)?"""
    return is_installed_file(fn.__code__.co_filename)


def check_hidden(made: Any, source: FunctionSource) -> None:
    """Refuse a derivative that calls a builtin whose name is one of its parameters.

    Raises:
        DerivationError: for `def f(x, len)`, where the derivative has to ask for the length of a list.
    """
    args = made.args
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    parameters = {n.id for n in every if n is not None}  # (and not the names in their annotations and defaults)
    hidden = {p for p in parameters if hasattr(builtins, p)}
    for name in sorted(hidden & _called(made) - _called(source.tree)):
        reason = f"the parameter {name} hides Python's {name}(), which the derivative calls"
        raise error_at(None, source, reason, f"give the parameter another name, {name}_")


def _called(tree: Any) -> set[str]:
    return {n.func.id for n in walk(tree) if isinstance(n, gast.Call) and isinstance(n.func, gast.Name)}


def can_follow_a_dot(name: Any) -> bool:
    """Can an attribute of this name be written as `o.name`? `setattr` takes any text.

    >>> [can_follow_a_dot(name) for name in ("x", "_x1", "lambda", "not a name", "\ufb01", 3)]
    [True, True, False, False, False, False]
    """
    if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
        return False
    return name.isascii() or unicodedata.normalize("NFKC", name) == name  # as Python reads names
