"""The arguments of a call, bound to the parameters of a template."""

from __future__ import annotations

import types
from functools import lru_cache
from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, walk
from s2sad.expansion.context import Context
from s2sad.expansion.operand import NOT_STATIC, Operand, Part, shape_of
from s2sad.frontend import ways
from s2sad.kinds.kind import Array, Kind, List, ListOf, Static, Tuple
from s2sad.kinds.kind import Callable as CallableKind
from s2sad.knowledge.rule import HANDED_ON, Template

#: keywords that change nothing in a derivative
_HARMLESS = (
    "casting", "order", "subok", "kind", "stable", "optimize", "device", "like", "check_finite", "driver",
    "lapack_driver",
)  # fmt: skip


def bind(context: Context, template: Template) -> None:
    """Bind the arguments of the call to the parameters of the template."""
    context.template = template
    env: dict[str, Any] = {template.result: context.y}
    position = 0
    used: set[str] = set()
    for parameter in template.parameters:
        name = parameter.name
        value: Any
        if parameter.kind == parameter.VAR_POSITIONAL:
            rest = context.args[position:]
            items = [Part(a.expr, a.kind, a.key) for a in rest]
            value = items
            position = len(context.args)
        elif parameter.kind != parameter.KEYWORD_ONLY and position < len(context.args):
            value = context.args[position]
            position += 1
        else:
            spelt = next((k for k in (name, *_other_names(context, name)) if k in context.kwargs), None)
            if spelt is not None:
                used.add(spelt)
                value = context.kwargs[spelt]
            elif parameter.default is not parameter.empty:
                value = parameter.default
            else:
                raise context.refuse(f"the argument {name} is missing", ways.CORRECT)
        env[name] = value
    if position < len(context.args):
        raise context.refuse(f"its rule knows {position} positional arguments, the call has {len(context.args)}")
    for keyword, part in context.kwargs.items():
        if keyword not in used and not _harmless(context, keyword, part):
            raise context.refuse(f"its rule does not know the argument {keyword}")
    for parameter in template.parameters:
        decides = isinstance(parameter.default, (bool, str)) and parameter.annotation != HANDED_ON
        if decides and parameter.name != "where":
            _check_option(context, parameter.name, env[parameter.name])
    for name, value in env.items():
        if name != template.result and _is_differentiable(context, name):
            env[name] = value = _with_arrays(context, value)
        if (
            isinstance(value, Part)
            and not context.is_active(value)
            and isinstance(value.expr, (gast.Attribute, gast.UnaryOp))
        ):
            constant = _infinite(context, value.expr)
            if constant is not None:
                env[name] = Part(value.expr, Static(constant), value.key)
    context.env = env


def _check_option(context: Context, name: str, value: Any) -> None:
    """What is on or off, and a mode by its name, is known: which of them it is decides what a template writes. (A
    function in place of a mode, as `jac` of `least_squares`, is.)"""
    is_open = isinstance(value, Operand) and value.static is NOT_STATIC
    if is_open and not isinstance(value.kind, (Array, CallableKind)):
        raise context.unknown(name)


def _is_differentiable(context: Context, name: str) -> bool:
    """Does the rule differentiate in a parameter? Then lists of numbers that are given for it are arrays."""
    rule = context.rule
    if rule.name.partition(".")[0] in ("math", "statistics", "cmath", "builtins"):
        return False  # these compute with the items of lists
    if name in ("args", "bounds", "t_span"):
        return False  # a solver hands the items of args over to the function that it is given, and reads the others
    templates = [t for t in (rule.linear, rule.adjoint, rule.tangent) if t is not None]
    return rule.partials is not None or any(name in derived_names(t) for t in templates)


def _with_arrays(context: Context, value: Any) -> Any:
    """An argument with its lists of constants made arrays: rules compute with what NumPy would make of them."""
    if isinstance(value, list):  # of *args: lists of ints in them are axes (np.einsum)
        return [v if isinstance(v, Part) and _of_ints(v.static) else _with_arrays(context, v) for v in value]
    if not isinstance(value, Part) or not isinstance(value.kind, (List, ListOf, Tuple)):
        return value
    if not context.is_active(value):
        if not _of_numbers(value.kind):
            return value
        made = context.quote("np.array(x)", x=value)
        return Part(made.expr, made.kind, value.key)
    items = value.items()
    if items is None or not isinstance(value.expr, (gast.Tuple, gast.List)):
        return value
    if not any(isinstance(i.kind, Array) and not isinstance(i.expr, (gast.Tuple, gast.List)) for i in items):
        return value  # an array that is given item by item, not a list of arrays
    new = [_with_arrays(context, item) for item in items]
    kinds = tuple(item.kind for item in new)
    kind = Tuple(kinds) if isinstance(value.kind, Tuple) else List(kinds)
    return Part(type(value.expr)([item.expr for item in new], gast.Load()), kind, value.key)


def _infinite(context: Context, expr: Expr) -> float | None:
    """The value of np.inf, -math.inf and the like."""
    if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.USub):
        value = _infinite(context, expr.operand)
        return None if value is None else -value
    if isinstance(expr, gast.Attribute) and isinstance(expr.value, gast.Name):
        module = context.facts.globals.get(expr.value.id)
        value = getattr(module, expr.attr, None) if isinstance(module, types.ModuleType) else None
        return value if isinstance(value, float) and value in (np.inf, -np.inf) else None
    return None


def _other_names(context: Context, name: str) -> list[str]:
    return [theirs for theirs, mine in context.rule.aliases.items() if mine == name]


def _harmless(context: Context, keyword: str, part: Part) -> bool:
    """May a keyword that the template does not name be left out?"""
    if keyword in _HARMLESS:
        return not context.is_active(part)
    if keyword.startswith("overwrite_"):
        return part.static is False
    if keyword == "dtype" and context.y.dtype is not None and context.y.dtype.kind in "fc":
        return True  # it says in which precision the result is
    default = {"out": None, "where": True, "dtype": None, "copy": None, "initial": NOT_STATIC}
    return keyword in default and part.static is default[keyword] and part.static is not NOT_STATIC


def _of_ints(value: Any) -> bool:
    """Is it a list or tuple of ints that is known?"""
    return isinstance(value, (list, tuple)) and all(type(v) is int for v in value)


def _of_numbers(kind: Kind) -> bool:
    """Is a list or tuple, with all that is nested in it, one of numbers?"""
    if isinstance(kind, (List, Tuple)):
        return bool(kind.items) and all(_of_numbers(item) for item in kind.items)
    if isinstance(kind, ListOf):
        return _of_numbers(kind.item)
    return shape_of(kind) == () and not isinstance(kind, Array)


def derived_in(statement: Any) -> set[str]:
    """The parameters to which a statement assigns, `d[name] = ...`, or `d[item] = ...` in a loop over them."""
    nodes = list(walk(statement))
    targets = [t for n in nodes if isinstance(n, gast.Assign) for t in n.targets if isinstance(t, gast.Subscript)]
    assigned = {
        name
        for target in targets
        if isinstance(target.value, gast.Name) and target.value.id == "d"
        for name in free_names(target.slice)
    }
    loops = [n for n in nodes if isinstance(n, gast.For) and assigned & set(free_names(n.target))]
    return assigned | {name for loop in loops for name in free_names(loop.iter)}


@lru_cache(maxsize=4096)
def derived_names(template: Template) -> frozenset[str]:
    """The parameters with respect to which a template has a derivative."""
    return frozenset(name for statement in template.body for name in derived_in(statement))


def free_names(node: Any) -> list[str]:
    return [n.id for n in walk(node) if isinstance(n, gast.Name)]
