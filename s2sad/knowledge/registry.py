"""The questions that are asked of the rules: which one a function has, whose memory it shares, what it calls."""

from __future__ import annotations

import sys
import types
from typing import Any

from s2sad.knowledge import tables, templates
from s2sad.knowledge.rule import Functional, Rule
from s2sad.runtime.identity import key_of


def lookup(target: Any) -> Rule | None:
    """The rule of a function, or None.

    >>> import numpy as np
    >>> lookup(np.sin).name, lookup(np.floor).zero, lookup(open)
    ('np.sin', True, None)
    """
    templates.load_for(target)
    found = tables.rules.get(key_of(target))
    if found is None and isinstance(target, types.FunctionType):
        original = helper_like(target)
        if original is not None and "scipy" in sys.modules:
            templates.load_scipy()
        return tables.rules.get(original) if original is not None else None
    return found


def registered(function: types.FunctionType) -> Rule | None:
    """The rule that somebody has registered for a function of their own; no templates are loaded to know it."""
    return tables.rules.get(function)


def helper_like(function: types.FunctionType) -> Any | None:
    """The helper that a function is, or is a copy of: generated modules hold the source of those that they use."""
    from s2sad.runtime import helpers

    original = getattr(helpers, function.__name__, None)
    if original is function and helpers.is_helper(function):
        return original
    if original is None or not isinstance(original, types.FunctionType):
        return None
    mine, theirs = function.__code__, original.__code__
    same = mine.co_code == theirs.co_code and mine.co_names == theirs.co_names
    return original if same and mine.co_varnames == theirs.co_varnames else None


def functional(target: Any) -> Functional | None:
    """How a solver calls the functions that it is given, or None."""
    templates.load_for(target)
    try:
        return tables.functionals.get(target)
    except TypeError:
        return None


def view_of(target: Any) -> int | None:
    """The position of the argument whose memory the result of a function may share, or None.

    >>> import numpy as np
    >>> view_of(np.reshape), view_of(np.sin)
    (0, None)
    """
    templates.load_for(target)
    try:
        return tables.views.get(target)
    except TypeError:
        return None


def has_effect(target: Any) -> bool:
    """Has a call of a function that has a rule an effect beside its result?

    >>> import numpy as np
    >>> has_effect(np.random.Generator.normal), has_effect(np.sin)
    (True, False)
    """
    templates.load_for(target)
    try:
        return target in tables.effects
    except TypeError:
        return False


def method(kind: Any, name: str) -> Any | None:
    """The function that a method or attribute of a value of this kind stands for, called with the value first.

    Args:
        kind: the kind of the value.
        name: the method's or attribute's name.

    Returns:
        The function, or None when the kind has no such method that is known.

    >>> import numpy as np
    >>> from s2sad.kinds.kind import Array
    >>> method(Array(np.dtype(float), None), "sum").__name__
    'sum'
    """
    from s2sad.kinds.kind import Array, Number, Object, Unknown

    templates.load_builtin()
    if isinstance(kind, Object):
        found = getattr(kind.cls, name, None)
        return found if has_effect(found) or (found is not None and lookup(found) is not None) else None
    if isinstance(kind, (Unknown, Array)):
        return tables.methods.get(name, tables.attributes.get(name))
    if isinstance(kind, Number):
        if kind.type in (float, int, complex, bool):
            return (
                tables.attributes.get(name)
                if name in ("real", "imag")
                else tables.methods.get(name)
                if name == "conjugate"
                else None
            )
        return tables.methods.get(name, tables.attributes.get(name))
    return None


def is_attribute(name: str) -> bool:
    """Is this name of `method` an attribute, read without a call?"""
    templates.load_builtin()
    return name in tables.attributes


def attribute(kind: Any, name: str) -> Any | None:
    """The function that an attribute of an array stands for (`x.T` -> np.transpose), or None."""
    return method(kind, name) if is_attribute(name) else None


def listed(*, helpers: bool = False) -> list[Rule]:
    """All rules, by name.

    Args:
        helpers: also those for the helpers of generated code.

    >>> any(rule.name == "np.tanh" and rule.forward and rule.reverse for rule in listed())
    True
    """
    templates.load_builtin()
    if "scipy" in sys.modules:
        templates.load_scipy()
    parts = ("s2sad.templates", "s2sad.transform")  # of rules, and of what is derived
    hidden = parts if helpers else (*parts, "s2sad.runtime.helpers")
    shown = (r for r in tables.rules.values() if not (getattr(r.target, "__module__", None) or "").startswith(hidden))
    return sorted(shown, key=lambda rule: rule.name)
