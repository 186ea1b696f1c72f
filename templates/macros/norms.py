"""Norms of vectors and matrices."""

from __future__ import annotations

import numpy as np
from s2sad.templates.macros.basics import as_operand, axes_of, is_static, maybe_complex, nonzero
from s2sad.templates.macros.calls import call_of
from s2sad.templates.macros.elementwise import mask_of, sign_of
from s2sad.templates.macros.reductions import expand_reduced, kept, reduced

from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand
from s2sad.expansion.zero import ZERO
from s2sad.runtime import helpers


def _norm_case(context, x, ord, axis):
    """Which norm this is: "2" (also Frobenius), a vector norm with its order, or a matrix norm with its order."""
    if not is_static(axis) or not is_static(ord):
        raise context.unknown("ord and axis")
    if ord is None:
        return "2", None
    if axis is None:
        if x.ndim is None:
            raise context.unknown("with an order the rank")
        matrix = x.ndim == 2
    else:
        matrix = isinstance(axis, (tuple, list)) and len(axis) == 2
    if (matrix and ord in ("fro", "f")) or (not matrix and ord == 2):
        return "2", None
    return ("matrix" if matrix else "vector"), ord


def _norm_slope(context, y, x, ord, axis, keepdims):
    """The derivative of a norm as an array of the shape of x (to be multiplied with the cotangent, broadcast back)."""
    case, ord = _norm_case(context, x, ord, axis)
    yx = expand_reduced(context, y, x, axis, keepdims)
    conj = maybe_complex(context, x)
    xc = context.quote("np.conj(x)", x=x) if conj else x
    if case == "2":
        return context.quote("x / y", x=xc, y=nonzero(context, yx))
    if case == "vector":
        if isinstance(axis, (tuple, list)) and len(axis) > 1:
            raise context.refuse("an order along several axes has no rule")
        if ord == 0:
            return ZERO
        sign = sign_of(context, x, context.quote("np.abs(x)", x=x)) if conj else context.quote("np.sign(x)", x=x)
        if ord == 1:
            return sign
        if ord in (np.inf, -np.inf):
            hit = mask_of(context, context.quote("np.abs(x) == y", x=x, y=yx), x)
            hit = context.local("hit", hit)
            return context.quote("hit / n * s", hit=hit, n=kept(context, "sum", hit, axis), s=sign)
        power = context.quote("(np.abs(x) / y) ** p", x=x, y=nonzero(context, yx), p=ord - 1)
        return context.quote("p * s", p=power, s=sign)
    if conj:
        raise context.refuse("orders of complex matrices have no rule")
    axes = axes_of(context, axis, x.ndim) if x.ndim is not None else None
    if x.ndim is None:
        raise context.unknown("with an order the rank")
    if ord in (2, -2, "nuc"):
        return Operand(call_of(context, helpers.spectral_slope, x, ord), x.kind)
    if ord in (1, -1, np.inf, -np.inf):
        rows, columns = (0, 1) if axis is None else axes
        along = rows if abs(ord) == 1 else columns
        sums = context.local("sums", context.quote("np.sum(np.abs(x), axis=i, keepdims=True)", x=x, i=along))
        full = y if axis is None or keepdims else context.quote("np.expand_dims(y, i)", y=y, i=(rows, columns))
        hit = context.local("hit", mask_of(context, context.quote("s == y", s=sums, y=full), x))
        both = tuple(sorted((rows, columns)))
        return context.quote("hit / np.sum(hit, axis=b, keepdims=True) * np.sign(x)", hit=hit, x=x, b=both)
    raise context.refuse(f"order {ord!r} has no rule")


@macro
def norm_back(context, y, x, g, ord, axis, keepdims):
    """The adjoint of np.linalg.norm."""
    case, _ = _norm_case(context, x, ord, axis)
    g = as_operand(g)
    if case == "2":
        scaled = context.quote("g / y", g=g, y=nonzero(context, y))
        wide = expand_reduced(context, scaled, x, axis, keepdims)
        return context.quote("g * x", g=wide, x=context.quote("np.conj(x)", x=x) if maybe_complex(context, x) else x)
    slope = _norm_slope(context, y, x, ord, axis, keepdims)
    if slope is ZERO:
        return ZERO
    return context.quote("g * s", g=expand_reduced(context, g, x, axis, keepdims), s=slope)


@macro
def norm_tangent(context, y, x, dx, ord, axis, keepdims):
    """The tangent of np.linalg.norm."""
    case, _ = _norm_case(context, x, ord, axis)
    if case == "2":
        product = context.quote("x * dx", x=context.quote("np.conj(x)", x=x) if maybe_complex(context, x) else x, dx=dx)
        total = reduced(context, "sum", product, axis, keepdims)
        if maybe_complex(context, x):
            total = context.quote("np.real(t)", t=total)
        return context.quote("t / y", t=total, y=nonzero(context, y))
    slope = _norm_slope(context, y, x, ord, axis, keepdims)
    if slope is ZERO:
        return ZERO
    total = reduced(context, "sum", context.quote("s * dx", s=slope, dx=dx), axis, keepdims)
    return context.quote("np.real(t)", t=total) if maybe_complex(context, x) else total


@macro
def vector_norm_back(context, y, x, g, ord, axis, keepdims):
    """The adjoint of np.linalg.vector_norm."""
    if ord == 2:
        return norm_back(context, y, x, g, None, axis, keepdims)
    if axis is None and x.ndim != 1:  # (it has a definition)
        raise context.refuse("an order over several axes has no rule", "call it for each, one after the other")
    return norm_back(context, y, x, g, ord, 0 if axis is None else axis, keepdims)


@macro
def vector_norm_tangent(context, y, x, dx, ord, axis, keepdims):
    """The tangent of np.linalg.vector_norm."""
    if ord == 2:
        return norm_tangent(context, y, x, dx, None, axis, keepdims)
    if axis is None and x.ndim != 1:  # (it has a definition)
        raise context.refuse("an order over several axes has no rule", "call it for each, one after the other")
    return norm_tangent(context, y, x, dx, ord, 0 if axis is None else axis, keepdims)
