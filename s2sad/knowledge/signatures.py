"""Are the parameters of a template those of the function that it is for?"""

from __future__ import annotations

import inspect
import types
from typing import Any

from s2sad.knowledge.rule import Rule, RuleError, Template


def check_signature(rule: Rule, template: Template) -> None:
    """Refuse a template whose parameters are not those of its function."""
    if fits_at_a_glance(rule.target, template):
        return
    mine = template.parameters
    if len(inspect.signature(template.function).parameters) == 0 and not template.defines:
        raise RuleError(f"{template.place}: the first parameter of a template stands for the result of {rule.name}")
    try:
        theirs = list(inspect.signature(rule.target).parameters.values())
    except (ValueError, TypeError):
        nin = getattr(rule.target, "nin", None)
        if nin is not None and len([p for p in mine if p.default is p.empty]) != nin:
            raise RuleError(f"{template.place}: {rule.name} takes {nin} arguments, the template {len(mine)}") from None
        return
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    rest = [p.name for p in theirs if p.kind == p.VAR_POSITIONAL]
    keywords = any(p.kind == p.VAR_KEYWORD for p in theirs)
    order = [p for p in theirs if p.kind in positional]
    names = {p.name for p in theirs}
    for i, parameter in enumerate(mine):
        name = parameter.name
        if parameter.kind == parameter.VAR_POSITIONAL:
            fits = bool(rest)
        elif parameter.kind in positional:
            fits = (i >= len(order) and bool(rest)) or (
                i < len(order)
                and (
                    parameter.POSITIONAL_ONLY in (order[i].kind, parameter.kind)
                    or order[i].name == name
                    or rule.aliases.get(order[i].name) == name
                )
            )
        else:
            fits = name in names or keywords
        if parameter.default is not parameter.empty and name not in names:
            fits = fits or template.defines or name in template.newer
        if not fits:
            shown = ", ".join(p.name for p in theirs)
            raise RuleError(
                f"{template.place}: parameter {name} of the template is not at its place in {rule.name}({shown})"
            )
    missing = [p.name for p in order[len([p for p in mine if p.kind in positional]) :] if p.default is p.empty]
    if missing:
        raise RuleError(f"{template.place}: the template lacks the parameter {missing[0]} of {rule.name}")


def fits_at_a_glance(target: Any, template: Template) -> bool:
    """Has a template the very parameters of its function? False: it takes a closer look to know.

    Most have, and `inspect.signature` of all functions of NumPy takes longer than loading their rules.

    >>> import numpy as np
    >>> def mean(y, a, axis=None, dtype=None): ...
    >>> def wrong(y, a, axes=None): ...
    >>> [fits_at_a_glance(np.mean, Template(f, frozenset())) for f in (mean, wrong)]
    [True, False]
    """
    code = template.function.__code__
    first = 0 if template.defines else 1
    if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS) or code.co_argcount < first:
        return False
    mine = code.co_varnames[first : code.co_argcount]
    keywords = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    if type(target).__name__ == "ufunc":
        return not keywords and len(mine) - len(template.function.__defaults__ or ()) == target.nin
    function = getattr(target, "_implementation", target)  # what NumPy's dispatch is around
    theirs = getattr(function, "__code__", None)
    if isinstance(function, types.FunctionType) and theirs is not None and not hasattr(function, "__wrapped__"):
        names = theirs.co_varnames[: theirs.co_argcount]
        others = theirs.co_varnames[theirs.co_argcount : theirs.co_argcount + theirs.co_kwonlyargcount]
        needed = len(names) - len(function.__defaults__ or ())
        return needed <= len(mine) and mine == names[: len(mine)] and {*keywords} <= {*names, *others}
    text = getattr(target, "__text_signature__", None)  # of those written in C: ($module, x, /)
    if not text or keywords or not text.endswith(", /)") or not isinstance(target, types.BuiltinFunctionType):
        return False
    parts = text.removeprefix("($module, ").removeprefix("(").removesuffix(", /)").split(", ")
    return len(parts) == len(mine) and all(part.isidentifier() for part in parts)
