"""Sums, means, products, quantiles and cumulative sums along axes."""

from __future__ import annotations

import gast
import numpy as np
from s2sad.templates.macros.basics import as_operand, axes_of, is_static, name_of_helper
from s2sad.templates.macros.calls import call_helper, call_of

from s2sad.expansion.fit import ONE, count_expr, literal
from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand
from s2sad.expansion.zero import ZERO
from s2sad.kinds.kind import Array, Dim, Either, Number
from s2sad.runtime import helpers

# -- scalars and arrays ------------------------------------------------------------------------------------------------


@macro
def valid_count(context, there, x, axis, keepdims):
    """How many along the axis are there."""
    text = "np.sum(t"
    if axis is not None:
        text += ", axis=a"
    text += ", dtype=x.dtype" if isinstance(x.kind, Array) else ", dtype=np.result_type(x)"
    if keepdims is not False and axis is not None:
        text += ", keepdims=k"
    return context.quote(text + ")", t=there, x=x, a=axis, k=keepdims)


# -- reductions --------------------------------------------------------------------------------------------------------


@macro
def expand_reduced(context, g, x, axis=None, keepdims=False):
    """A value of the shape of the reduced x (or smaller) indexed so that it broadcasts against x."""
    if g is ZERO:
        return ZERO
    if not isinstance(g, Operand):
        g = literal(g)
    rank = x.ndim
    if isinstance(x.kind, Either) and g.is_scalar:  # every element of the array has it, and so has a number
        return g
    if rank is None or not is_static(axis) or not is_static(keepdims) or g.ndim is None:
        if axis is None and is_static(keepdims):
            # (np.broadcast_to would make float64 of a number of Python's, beside float32)
            call = context.quote("np.zeros_like(x) + g", g=g, x=x)
        elif keepdims is False:
            call = context.quote("f(g, x, a)", f=name_of_helper(context, helpers.expand_reduced), g=g, x=x, a=axis)
        else:
            call = context.quote(
                "f(g, x, a, k)", f=name_of_helper(context, helpers.expand_reduced), g=g, x=x, a=axis, k=keepdims
            )
        return Operand(call.expr, x.kind)
    if g.is_scalar or keepdims or rank == 0:
        return g
    gone = axes_of(context, axis, rank)
    left, items = g.ndim, []
    for i in reversed(range(rank)):
        if left == 0:
            break
        if i in gone:
            items.insert(0, None)
        else:
            items.insert(0, slice(None))
            left -= 1
    if all(isinstance(i, slice) for i in items):
        return g
    return _indexed(context, g, items)


def _indexed(context, g, items):
    """g[items], where items are None and full slices"""
    from s2sad.expansion.fit import as_literal

    index = [gast.Slice(None, None, None) if isinstance(i, slice) else gast.Constant(None, None) for i in items]
    expr = gast.Subscript(as_literal(g), gast.Tuple(index, gast.Load()), gast.Load())
    dims = iter(g.shape)
    shape = tuple(next(dims) if isinstance(i, slice) else ONE for i in items)
    return Operand(expr, Array(g.dtype, shape))


@macro
def count(context, x, axis=None, y=None):
    """The number of elements that a reduction of x over axis takes together."""
    if x.ndim is None or not is_static(axis):
        if axis is None:
            return context.quote("np.size(x)", x=x)
        if isinstance(axis, int):
            return context.quote("np.shape(x)[a]", x=x, a=axis)
        return context.quote("np.size(x) / max(np.size(y), 1)", x=x, y=context.y)
    dims = [x.shape[a] for a in axes_of(context, axis, x.ndim)]
    value = Dim.of(1)
    return Operand(count_expr(dims, [x]), Number(int, dims[0] if len(dims) == 1 else value if not dims else None))


@macro
def reduced(context, function, x, axis=None, keepdims=False):
    """`np.sum(x, axis=axis, keepdims=True)` and its like, without the arguments that have their defaults."""
    if x is ZERO:
        return ZERO
    text = f"np.{function}(x"
    if axis is not None:
        text += ", axis=a"
    if keepdims is not False:
        text += ", keepdims=k"
    return context.quote(text + ")", x=x, a=axis, k=keepdims)


@macro
def kept(context, function, x, axis=None):
    """A reduction that broadcasts against x: a number, or with its axes kept."""
    return reduced(context, function, x, axis, axis is not None)


# -- reductions by helpers ---------------------------------------------------------------------------------------------

macro(call_helper)


@macro
def freedom(context, a, axis, ddof):
    """The divisor of a variance."""
    n = count(context, a, axis)
    if not isinstance(ddof, Operand) and ddof == 0:
        return n
    return context.quote("n - k", n=n, k=ddof)


@macro
def product_of_others(context, x, axis):
    """At each place the product of the other elements along the axis."""
    return Operand(call_of(context, helpers.product_of_others, x, *([] if axis is None else [axis])), x.kind)


@macro
def cumsum_back(context, g, a, axis):
    """np.cumsum from the other end."""
    if a.ndim == 1:
        return context.quote("np.cumsum(g[::-1])[::-1]", g=g)
    if axis is None:
        return Operand(context.quote("np.reshape(np.cumsum(g[::-1])[::-1], np.shape(a))", g=g, a=a).expr, a.kind)
    return context.quote("np.flip(np.cumsum(np.flip(g, i), axis=i), i)", g=g, i=axis)


@macro
def weights_along(context, weights, a, axis):
    """The weights of np.average in a shape that broadcasts against a."""
    if weights is ZERO:
        return ZERO
    if weights.ndim is None or a.ndim is None or not is_static(axis):
        raise context.unknown("the ranks and the axis")
    if weights.ndim == a.ndim:
        return weights
    axes = axes_of(context, axis, a.ndim)
    if isinstance(axis, tuple) and [i % a.ndim for i in axis] != list(axes):
        raise context.refuse(
            "weights along axes that are not in order have no rule", "move the axes with np.moveaxis first"
        )
    items = [slice(None) if i in axes else None for i in range(axes[0], a.ndim)]
    wide = weights if None not in items else _indexed(context, weights, items)
    return context.quote("np.broadcast_to(w, a.shape)", w=wide, a=a)


@macro
def weights_back(context, value, weights, a, axis):
    """The adjoint of the weights of np.average."""
    if not context.is_active(weights):
        return ZERO
    if weights.ndim == a.ndim:
        return value
    others = tuple(i for i in range(a.ndim) if i not in axes_of(context, axis, a.ndim))
    return context.quote("np.sum(v, axis=i)", v=value, i=others[0] if len(others) == 1 else others)


@macro
def quantile_helper(context, mode, like, g, a, q, axis, keepdims):
    """The adjoint or the tangent of one quantile, or of several."""
    one = q.is_scalar if isinstance(q, Operand) else np.ndim(q) == 0
    return call_helper(context, f"quantile_{mode}" if one else f"quantiles_{mode}", like, g, a, q, axis, keepdims)


@macro
def summed_with_powers(context, g, x, p):
    """The sums of g times each power of x, from the highest that goes with p down to 1."""
    g, x = (v if v.ndim == 1 else context.quote("np.ravel(v)", v=v) for v in (as_operand(g), as_operand(x)))
    count = "len(p)" if p.ndim == 1 else "np.size(p)"
    powers = f"np.polynomial.polynomial.polyvander(x, {count})"  # column by column, where np.vander goes by rows
    length = gast.Name("len", gast.Load(), None, None)  # one power more, as a derivative may have no coefficients
    return Operand(context.quote(f"(g @ {powers})[-2::-1]", g=g, x=x, p=p, len=length).expr, p.kind)


@macro
def hundredth(context, q):
    """A percentage as a fraction."""
    if isinstance(q, Operand):
        return context.quote("q / 100.0" if q.is_scalar else "np.asarray(q) / 100.0", q=q)
    return np.divide(q, 100.0).tolist() if isinstance(q, (list, tuple)) else q / 100.0
