"""Lists of numbers: sums, products, means, extrema of what Python's own functions take."""

from __future__ import annotations

import gast
from s2sad.templates.macros.basics import as_operand, is_grown, known_items
from s2sad.templates.macros.elementwise import is_chosen
from s2sad.templates.macros.reductions import expand_reduced, product_of_others

from s2sad.expansion.fit import fit, literal
from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand
from s2sad.expansion.zero import ZERO
from s2sad.kinds.kind import Array, ListOf


def _list(context, x):
    """The items of a list argument (parts), or None for an array."""
    return None if isinstance(x.kind, Array) else known_items(context, x)


@macro
def spread(context, g, x):
    """The cotangent of a sum, to each item."""
    if is_grown(x):
        return Operand(context.quote("[g] * len(x)", g=as_operand(g), x=x).expr, x.kind)
    items = _list(context, x)
    if items is None:
        return expand_reduced(context, g, x, 0)
    g = as_operand(g)
    out = []
    for item_ in items:
        if not context.is_active(item_):
            out.append(ZERO)
        elif item_.is_scalar and g.is_scalar:
            out.append(g)
        else:
            out.append(fit(g, context.y.kind, item_, context.facts, context.sources))
    return out


@macro
def total_of(context, tangents):
    """The sum of the tangents of the items."""
    if tangents is ZERO:
        return ZERO
    if isinstance(tangents.kind, ListOf):
        return context.quote("sum(t)", t=tangents)
    if not isinstance(tangents.expr, (gast.List, gast.Tuple)):
        return context.quote("np.sum(t, axis=0)", t=tangents)
    total = None
    for t in tangents.expr.elts:
        if isinstance(t, gast.Constant) and t.value == 0.0:
            continue
        total = t if total is None else gast.BinOp(total, gast.Add(), t)
    return total if total is not None else ZERO


def _sum_of(context, terms):
    total = None
    for term in terms:
        total = term.expr if total is None else gast.BinOp(total, gast.Add(), term.expr)
    return ZERO if total is None else context.operand(total)


def _active_tangents(context, items, tangents):
    """Items and their tangents, of those that vary."""
    exprs = tangents.expr.elts if isinstance(tangents, Operand) else tangents
    return [(i, x, t) for i, (x, t) in enumerate(zip(items, exprs, strict=True)) if context.is_active(x)]


@macro
def inner_products(context, items, tangents):
    """The sum of x_i * dx_i."""
    if tangents is ZERO:
        return ZERO
    items = items if isinstance(items, list) else known_items(context, items)
    exprs = tangents.expr.elts

    return _sum_of(
        context,
        [
            context.quote("x * t", x=x, t=t)
            for x, t in zip(items, exprs, strict=True)
            if not (isinstance(t, gast.Constant) and t.value == 0.0)
        ],
    )


@macro
def scaled_items(context, g, items):
    """g * x_i for each item."""
    return [context.quote("g * x", g=g, x=x) for x in known_items(context, items)]


@macro
def difference_parts(context, g, p, q):
    """g * (p_i - q_i) for each item."""
    g = context.local("g", as_operand(g))
    pairs = zip(known_items(context, p), known_items(context, q), strict=True)
    return [context.quote("g * (a - b)", g=g, a=a, b=b) for a, b in pairs]


@macro
def difference_products(context, p, q, tangents):
    """The sum of (p_i - q_i) * dp_i."""
    if tangents is ZERO:
        return ZERO
    others = known_items(context, q)
    return _sum_of(
        context,
        [
            context.quote("(a - b) * t", a=x, b=others[i], t=t)
            for i, x, t in _active_tangents(context, known_items(context, p), tangents)
        ],
    )


@macro
def deviations(context, g, data, m):
    """g * (x_i - m) for each item."""
    items = _list(context, data)
    if items is None:
        return context.quote("g * (x - m)", g=g, x=data, m=m)
    g = context.local("g", as_operand(g))
    return [context.quote("g * (x - m)", g=g, x=x, m=m) for x in items]


@macro
def deviation_products(context, data, m, tangents):
    """The sum of (x_i - m) * dx_i."""
    if tangents is ZERO:
        return ZERO
    items = _list(context, data)
    if items is None:
        return context.quote("np.sum((x - m) * t)", x=data, m=m, t=tangents)
    return _sum_of(
        context, [context.quote("(x - m) * t", x=x, m=m, t=t) for _, x, t in _active_tangents(context, items, tangents)]
    )


def _product(context, factors):
    total = None
    for factor in factors:
        expr = factor.expr if isinstance(factor, Operand) else literal(factor).expr
        if isinstance(expr, gast.Constant) and expr.value in (1, 1.0):
            continue
        total = expr if total is None else gast.BinOp(total, gast.Mult(), expr)
    return literal(1.0) if total is None else context.operand(total)


@macro
def other_products(context, g, iterable, start):
    """g times the other factors, for each factor."""
    items = _list(context, iterable)
    if items is None:
        return context.quote("g * p", g=g, p=_product(context, [product_of_others(context, iterable, None), start]))
    return [_product(context, [as_operand(g), start, *items[:i], *items[i + 1 :]]) for i in range(len(items))]


@macro
def start_product(context, g, iterable):
    """g times all factors."""
    items = _list(context, iterable)
    return (
        context.quote("g * np.prod(x)", g=g, x=iterable)
        if items is None
        else _product(context, [as_operand(g), *items])
    )


@macro
def product_tangent(context, tangents, dstart, iterable, start):
    """The product rule."""
    items = _list(context, iterable)
    if items is None:
        raise context.unknown("the number of factors")
    terms = []
    if tangents is not ZERO:
        for i, _, t in _active_tangents(context, items, tangents):
            terms.append(_product(context, [context.operand(t), start, *items[:i], *items[i + 1 :]]))
    if dstart is not ZERO:
        terms.append(_product(context, [as_operand(dstart), *items]))
    return _sum_of(context, terms)


@macro
def choices_of(context, args):
    """What the builtin max chooses from."""
    if len(args) == 1:
        if isinstance(args[0].kind, Array):
            return args
        return known_items(context, args[0])
    return args


def _hits(context, args, y):
    """For each choice, is it the result? The first as a float: two True of NumPy's add up to True, not to 2."""
    hits = [context.quote("(x == y)", x=x, y=y) for x in choices_of(context, args)]
    return [context.quote("1.0 * h", h=hits[0]), *hits[1:]]


@macro
def share_of(context, g, x, args, y):
    """The share of one of the arguments of max."""
    if not context.is_active(x):
        return ZERO
    if isinstance(x.kind, Array):
        return context.quote("g * (x == y) / np.sum(x == y)", g=g, x=x, y=y)
    choices = choices_of(context, args)
    if len(choices) == 2:
        other = next(c for c in choices if getattr(c, "key", None) != x.key)
        return context.quote("g * c", g=g, c=is_chosen(context, x, other, y))
    n = context.local("t", _sum_of(context, _hits(context, args, y)))
    return context.quote("g / n * (x == y)", g=g, x=x, y=y, n=n)


@macro
def tangents_of(context, args):
    """The tangents of what the builtin max chooses from."""
    context.read.update(a.key for a in args)
    choices = choices_of(context, args)
    return [context.tangents.get(x.key, ZERO) for x in choices]


@macro
def share_tangent(context, tangents, args, y):
    """The tangent of max."""
    choices = choices_of(context, args)
    if len(choices) == 1 and isinstance(choices[0].kind, Array):
        return context.quote("np.sum(t * (x == y)) / np.sum(x == y)", t=tangents[0], x=choices[0], y=y)
    if len(choices) == 2:
        pairs = [(*choices, tangents[0]), (*reversed(choices), tangents[1])]
        chosen = [
            context.quote("t * c", t=t, c=is_chosen(context, x, other, y)) for x, other, t in pairs if t is not ZERO
        ]
        return _sum_of(context, chosen)
    n = _sum_of(context, _hits(context, args, y))
    terms = [
        context.quote("t * (x == y)", t=t, x=x, y=y) for x, t in zip(choices, tangents, strict=True) if t is not ZERO
    ]
    return context.quote("s / n", s=_sum_of(context, terms), n=n)
