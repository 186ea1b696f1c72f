"""Integrals of functions, and what has to be smooth for them."""

import gast
import numpy as np
from s2sad.templates.macros.functions import (
    active_items,
    along_vector,
    call_of_function,
    derivative_of,
    function_of,
    further_items,
    listed_contributions,
    new_name,
    parameters_of,
    remembered,
    tangents_of_items,
    written,
)

from s2sad.analysis.crossings import jump
from s2sad.analysis.forms import Atom
from s2sad.core import load
from s2sad.expansion.fit import as_literal
from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand, Part
from s2sad.expansion.zero import ZERO
from s2sad.kinds.kind import Array, Number
from s2sad.normal.values.making import expression

# -- jumps -------------------------------------------------------------------------------------------------------------


def core_of(function, kinds):
    """A function in core Python, and what it returns; None where the kinds of its parameters are not known."""
    from s2sad.frontend.source import function_tree
    from s2sad.normal.lower import lower_function

    names = parameters_of(function)
    if any(kind is None for kind in kinds):
        return None

    def make():
        varied = tuple(n for n, k in zip(names, kinds, strict=True) if _is_float(k))
        core = lower_function(function_tree(function), dict(zip(names, kinds, strict=True)), varied)
        return core, expression(core.run, core.result)

    return remembered(function, ("core", tuple(kinds)), make)


def _is_float(kind):
    if isinstance(kind, Number):
        return issubclass(kind.type, float | np.floating)
    return isinstance(kind, Array) and kind.dtype is not None and kind.dtype.kind == "f"


def smooth_along(context, function, kinds, along, moved, words, way_out, places=()):
    """Refuse a function that may jump at a place that moves: the derivative has a term there.

    along, moved: the positions of the parameters that it is integrated over, and of those that vary; places: of those
    that are places at which it may jump.
    """
    names = parameters_of(function)
    traits = {n: Atom(i in along, i in moved) for i, n in enumerate(names)}
    found = jump(*core_of(function, kinds), traits, core_of, [names[i] for i in places])
    if found:
        moving = f"{words} may jump at a place that moves with active values (`{found}`), and the derivative has a term"
        raise context.refuse(f"{moving} there that this leaves out", way_out)


def _smooth_integrand(context, function, kinds, wrt, places=()):
    way_out = "integrate up to the place and on from there, each piece by its own formula, added up, or give the place "
    way_out += "a name, compare with it, and hand it to quad, points=[place]; write a kink "
    moved = {i + 1 for i in wrt}
    smooth_along(context, function, kinds, {0}, moved, "the integrand", way_out + KINK, [i + 1 for i in places])


def _places(context, function, kinds, wrt, items, points):
    """Which of args are places at which an integrand jumps: active ones that are among the points."""
    if not isinstance(points, Part):
        return []
    known = {point.text for point in points.items() or ()}
    found = [i for i in wrt if items[i].text in known and items[i].ndim == 0]
    traits = {n: Atom(i == 0, i - 1 in wrt) for i, n in enumerate(parameters_of(function))}
    return found if found and jump(*core_of(function, kinds), traits, core_of) else []


def _step_at(context, function, place, a, b, items):
    """What an integral gains as a place at which the integrand jumps moves up: the value below it minus that above."""
    names = {}
    for name, end in (("f", "-np.inf"), ("h", "np.inf")):
        beside = context.quote(f"np.nextafter(p, {end})", p=place)
        names[name] = Operand(call_of_function(context, function, beside, *items), place.kind)
    if not isinstance(a, Operand) and not isinstance(b, Operand):
        step = context.quote("f - h" if a <= b else "h - f", **names)
        return context.quote("s if a < p < b else 0.0", s=step, p=place, a=min(a, b), b=max(a, b))
    names |= {n: gast.Name(n, gast.Load(), None, None) for n in ("min", "max")}
    names["s"] = context.quote("np.sign(b - a)", a=a, b=b)
    return context.quote("s * (f - h) if min(a, b) < p < max(a, b) else 0.0", a=a, b=b, p=place, **names)


KINK = "with max, min, abs or np.clip"


# -- integrals ---------------------------------------------------------------------------------------------------------


def _integral(context, function, a, b, args, options, kind):
    """The value of the integral of a function."""
    vector = not (isinstance(kind, Number) or (isinstance(kind, Array) and kind.shape == ()))
    module = context.global_expr("integrate")
    keywords = [gast.keyword("args", gast.Tuple([as_literal(i) for i in args], gast.Load()))] if args else []
    keywords += [gast.keyword(k, as_literal(v)) for k, v in options.items() if not vector or k in ("epsabs", "epsrel")]
    solver = gast.Attribute(module, "quad_vec" if vector else "quad", gast.Load())
    name = load(context.name_of(function, function.__name__))
    call = gast.Call(solver, [name, as_literal(a), as_literal(b)], keywords)
    return Operand(gast.Subscript(call, gast.Constant(0, None), gast.Load()), kind)


def _at(context, function, x, items):
    return Operand(call_of_function(context, function, x, *items), context.y.kind.items[0])


def given_options(context, **given):
    out = {}
    for name, value in given.items():
        if isinstance(value, Operand):
            raise context.unknown(f"the argument {name}")
        if value is not None:
            out[name] = value
    return out


@macro
def integral_limit_back(context, f, limit, args, g):
    """The integrand at a limit, times the cotangent."""
    if not context.is_active(limit) or g is ZERO:
        return ZERO
    value = _at(context, function_of(context, f), limit, further_items(context, args))
    product = context.quote("g * f", g=g, f=value)
    if context.y.kind.items[0] != limit.kind and not isinstance(context.y.kind.items[0], Number):
        product = context.quote("np.sum(p)", p=product)
    return Operand(product.expr, limit.kind)


@macro
def integral_back(context, f, a, b, args, g, epsabs=None, epsrel=None, limit=None, points=None):
    """The adjoints of args: the integrals of the derivatives (Leibniz' rule)."""
    items = further_items(context, args)
    wrt = active_items(context, items)
    if not wrt or g is ZERO:
        return [ZERO] * len(items)
    function = function_of(context, f)
    options = given_options(context, epsabs=epsabs, epsrel=epsrel, limit=limit)
    value = context.y.kind.items[0]
    vector = not isinstance(value, Number)
    x = Operand(gast.Constant(0.0, None), Number(float))
    rest = items
    if vector:
        weights = context.local("g", Operand(as_literal(g), value))
        function, rest = along_vector(function, True), [*items, weights]
    kinds = [x.kind, *(i.kind for i in rest)]
    places = _places(context, function, kinds, wrt, items, points)
    _smooth_integrand(context, function_of(context, f), kinds[: len(items) + 1], wrt, places)
    options |= {} if points is None else {"points": points}
    found = {}
    for i in wrt:
        derivative = derivative_of(function, "grad", (i + 1,), kinds)
        part = _integral(context, derivative, a, b, rest, options, items[i].kind)
        if i in places:
            part = context.quote("p + s", p=part, s=_step_at(context, function, items[i], a, b, items))
        found[i] = part if vector else Operand(context.quote("g * p", g=g, p=part).expr, items[i].kind)
    return listed_contributions(items, found)


@macro
def integral_tangent(context, f, a, b, args, da, db, dargs, epsabs=None, epsrel=None, limit=None, points=None):
    """The tangent of an integral."""
    from s2sad.expansion.zero import add

    function = function_of(context, f)
    items = further_items(context, args)
    options = given_options(context, epsabs=epsabs, epsrel=epsrel, limit=limit)
    value = context.y.kind.items[0]
    total = None
    for limit_, tangent, text in ((b, db, "f * t"), (a, da, "-f * t")):
        if tangent is not ZERO:
            total = add(total, context.quote(text, f=_at(context, function, limit_, items), t=tangent).expr)
    wrt, tangents = tangents_of_items(context, items)
    if wrt:
        x = Operand(gast.Constant(0.0, None), Number(float))
        names = parameters_of(function)
        kinds = [x.kind, *(i.kind for i in items)]
        places = _places(context, function, kinds, wrt, items, points)
        _smooth_integrand(context, function, kinds, wrt, places)
        options |= {} if points is None else {"points": points}
        for i in places:
            step = _step_at(context, function, items[i], a, b, items)
            total = add(total, context.quote("t * s", t=tangents[wrt.index(i)], s=step).expr)
        jvp = derivative_of(function, "jvp", tuple(i + 1 for i in wrt), kinds)
        own = jvp.__name__
        parameters = [*names, *(new_name("d" + names[i + 1], names) for i in wrt)]
        body = [f"return {own}({', '.join(parameters)})[1]"]
        change = written(function, f"change_of_{function.__name__}", parameters, body, **{own: jvp})
        part = _integral(context, change, a, b, [*items, *tangents], options, value)
        total = add(total, as_literal(part))
    return [ZERO if total is None else Operand(total, value), no_rule(context)]


@macro
def no_influence(context, items):
    """The adjoints of a bracket."""
    return [ZERO] * len(further_items(context, items)) if isinstance(items, Part) else ZERO


def no_rule(context):
    """Why the second part of the result, such as an estimated error, has no derivative."""
    words = "only the first part of what it returns has a rule"
    return context.refuse(words, f"read that alone: {context.rule.name}(...)[0]")


@macro
def only_value(context, g):
    """Refuse a cotangent of the second part of the result, such as an estimated error."""
    if g[1] is not ZERO:
        raise no_rule(context)
