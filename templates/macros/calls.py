"""Calls that templates write: of a function, of the function of the rule once more, of a helper."""

from __future__ import annotations

import importlib
import inspect

import gast
from s2sad.templates.macros.basics import is_static, name_of_helper

from s2sad.expansion.fit import as_literal, literal
from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand
from s2sad.expansion.zero import ZERO
from s2sad.runtime import helpers


def call_of(context, function, *args):
    """A call of a run-time helper on operands and plain values."""
    from s2sad.expansion.fit import as_literal

    nodes = [as_literal(a) for a in args]
    for i, node in enumerate(nodes):
        if isinstance(node, gast.Slice):
            bounds = [gast.Constant(None, None) if b is None else b for b in (node.lower, node.upper, node.step)]
            nodes[i] = gast.Call(gast.Name("slice", gast.Load(), None, None), bounds, [])
    return gast.Call(name_of_helper(context, function), nodes, [])


def call_helper(context, name, like, *args):
    """A call of a run-time helper; the value has the kind of `like`. Zero when an argument is."""
    if any(a is ZERO for a in args):
        return ZERO
    args = list(args)
    function = getattr(helpers, name)
    defaults = list(inspect.signature(function).parameters.values())
    while args and len(args) == len(defaults) and is_default(args[-1], defaults[-1].default):
        args.pop()
        defaults.pop()
    return Operand(call_of(context, function, *args), like.kind if isinstance(like, Operand) else literal(like).kind)


def is_default(value, default):
    """Is an argument of a helper what it would be anyway?"""
    return is_static(value) and type(value) is type(default) and value == default


call_helper.__name__ = "helper"


@macro
def call_again(context, tangents):
    """The function itself on the tangents of all its positional arguments, of which some are zeros."""
    keywords = [gast.keyword(k, a.expr) for k, a in context.kwargs.items()]
    return Operand(context.call_expr(list(tangents.expr.elts), keywords), context.y.kind)


def several_results(context, call, names, likes):
    """Several results of a helper, unpacked into names."""
    from s2sad.core import assign, load

    fresh = [context.facts.fresh(n) for n in names]
    for n, like in zip(fresh, likes, strict=True):
        context.facts.kinds[n] = like.kind
    pattern = gast.Tuple([gast.Name(n, gast.Store(), None, None) for n in fresh], gast.Store())
    context.statements.append(assign(pattern, call))
    return gast.Tuple([load(n) for n in fresh], gast.Load())


@macro
def call_helper_again(context, name, *args):
    """A call of a helper, in the derivative of a helper; zero when an argument is."""
    if any(a is ZERO for a in args):
        return ZERO
    function = getattr(helpers, name)
    defaults = list(inspect.signature(function).parameters.values())
    args = list(args)
    while args and len(args) == len(defaults) and is_default(args[-1], defaults[-1].default):
        args.pop()
        defaults.pop()
    return call_of(context, function, *args)


@macro
def fitted_to(context, value, target):
    """A value summed to the shape of what was broadcast to it."""
    return call_of(context, helpers.unbroadcast, value, target)


@macro
def sp(context, path, *args, **kwargs):
    """A call of a function of SciPy's, `sp("signal.lfilter", b, a, x)`, without arguments that are at defaults."""
    from s2sad.expansion.fit import as_literal

    if any(a is ZERO for a in (*args, *kwargs.values())):
        return ZERO
    module, name = path.rsplit(".", 1)
    function = getattr(importlib.import_module(f"scipy.{module}"), name)
    parameters = list(inspect.signature(function).parameters.values())
    given = dict(zip((p.name for p in parameters), args, strict=False)) | kwargs
    positional, keywords, gap = [], [], False
    for p in parameters:
        if p.name not in given or (p.default is not p.empty and is_default(given[p.name], p.default)):
            gap = True
        elif gap or p.kind is p.KEYWORD_ONLY:
            keywords.append(gast.keyword(p.name, as_literal(given[p.name])))
        else:
            positional.append(as_literal(given[p.name]))
    return context.operand(gast.Call(context.function_expr(function), positional, keywords))


@macro
def only_without(context, value, default, what, way_out=""):
    """Refuse an argument that is not at its default."""
    if value is not default and not (is_static(value) and type(value) is type(default) and value == default):
        raise context.refuse(f"{what} has no rule", way_out)


@macro
def call_again_on(context, *args):
    """The function itself on other arguments."""
    from s2sad.expansion.fit import as_literal

    if any(a is ZERO for a in args):
        return ZERO
    return context.operand(context.call_expr([as_literal(a) for a in args], []))


@macro
def call_again_with(context, *args, **kwargs):
    """The function itself on other arguments, without those that are at their defaults."""
    module, name = context.rule.name.removeprefix("scipy.").rsplit(".", 1)
    return sp(context, f"{module}.{name}", *args, **kwargs)


@macro
def function_again(context, *args):
    """Another call of the function."""
    return gast.Call(context.function_expr(context.rule.target), [as_literal(a) for a in args], [])
