"""Do the methods by which Python asks objects what operations mean (`__eq__`, `__lt__`, `__iter__`, ...) do nothing but
answer? Then it does not matter how often they are asked."""

from __future__ import annotations

import builtins
import collections
import types
from typing import Any

import gast

from s2sad.core import walk
from s2sad.frontend.diagnostics import DerivationError
from s2sad.frontend.names import is_installed
from s2sad.frontend.source import tree_to_look_at
from s2sad.kinds.pure import is_pure
from s2sad.runtime.conditions import MEANINGS, is_inert
from s2sad.runtime.identity import held_items, keys_of


def restless_method(cls: type) -> str | None:
    """The name of a method of a class by which Python asks its objects that does more than to give a result, seen from
    its text; None where there is none.

    >>> class Quiet:
    ...     def __eq__(self, other):
    ...         return abs(self.v - other.v) < 1.0
    >>> class Counting:
    ...     def __eq__(self, other):
    ...         self.asked += 1
    ...         return self.v == other.v
    >>> restless_method(Quiet), restless_method(Counting)
    (None, '__eq__')
    """
    for name in MEANINGS:
        method = next((c.__dict__[name] for c in cls.__mro__ if name in c.__dict__), None)
        if isinstance(method, types.FunctionType) and not is_installed(method) and not quiet(method):
            return name
    return None


def restless_in(values: list[Any]) -> str | None:
    """Such a method, with its class, of an object that is among values or in containers among them; None for none."""
    todo, seen = list(values), set[int]()
    while todo:
        one = todo.pop()
        if is_inert(one) or id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, (list, tuple, set, frozenset, collections.deque)):
            todo += held_items(one)
        elif isinstance(one, dict):
            todo += [*keys_of(one), *held_items(one)]
        elif (method := restless_method(type(one))) is not None:
            return f"{type(one).__name__}.{method}"
    return None


def quiet(function: types.FunctionType) -> bool:
    """Does a function do nothing but give a result, as far as its text says?"""
    try:
        nodes = [n for s in tree_to_look_at(function).body for n in walk(s)]
    except DerivationError:
        return True  # made by `dataclass`, say
    return not any(map(_does_something, nodes))


def _does_something(node: Any) -> bool:
    if isinstance(node, (gast.Global, gast.Nonlocal, gast.Yield, gast.YieldFrom)):
        return True
    if isinstance(node, (gast.Attribute, gast.Subscript)):
        return not isinstance(node.ctx, gast.Load)
    if isinstance(node, gast.Call):
        if isinstance(node.func, gast.Attribute) and node.func.attr in _OF_TEXT:
            return False
        known = getattr(builtins, node.func.id, None) if isinstance(node.func, gast.Name) else None
        return known is None or not (is_pure(known) or known in _ASKING or _is_exception(known))
    return False


def _is_exception(known: Any) -> bool:
    return isinstance(known, type) and issubclass(known, BaseException)


_ASKING = (iter, hash, getattr, hasattr)
#: methods of strings, which no container has
_OF_TEXT = frozenset(("lower", "upper", "strip", "startswith", "endswith", "split", "casefold", "title", "format"))
