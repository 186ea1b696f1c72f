"""The same elements in another arrangement, and diagonals."""

from __future__ import annotations

import numpy as np
from s2sad.templates.macros.basics import as_operand, is_static, maybe_complex
from s2sad.templates.macros.calls import call_of

from s2sad.expansion.fit import ONE
from s2sad.expansion.macros import macro
from s2sad.expansion.operand import NOT_STATIC, Operand
from s2sad.expansion.zero import ZERO
from s2sad.kinds.kind import Array, Tuple
from s2sad.runtime import helpers

# -- shapes ------------------------------------------------------------------------------------------------------------


@macro
def inverse_permutation(context, axes, rank):
    """The permutation that undoes np.transpose with these axes, as a literal."""
    if not is_static(axes):
        return context.quote("np.argsort(a)", a=axes)
    axes = [a % len(axes) for a in axes]
    return tuple(axes.index(i) for i in range(len(axes)))


# -- rearranging -------------------------------------------------------------------------------------------------------


@macro
def reshaped(context, g, x, order="C"):
    """g in the shape of x."""
    g = as_operand(g)
    if order in ("K", "A"):
        order = "C"  # (of one axis: others are refused before)
    if x.is_scalar:
        if g.is_scalar:
            return g
        return Operand(context.quote("np.sum(g)", g=g).expr, x.kind)
    if x.ndim == 1 and isinstance(x.kind, Array) and order == "C":
        call = g if g.ndim == 1 else context.quote("np.ravel(g)", g=g)
    elif order == "C":
        call = context.quote(
            "np.reshape(g, np.shape(x))" if not isinstance(x.kind, Array) else "g.reshape(x.shape)", g=g, x=x
        )
    else:
        call = context.quote("np.reshape(g, np.shape(x), order=o)", g=g, x=x, o=order)
    if g.is_complex and not maybe_complex(context, x):
        call = context.quote("v.real", v=call)
    return Operand(call.expr, x.kind)


@macro
def transposed_back(context, g, x, axes):
    """The transpose of g that undoes np.transpose(x, axes)."""
    if isinstance(axes, (list, tuple)) and axes and all(isinstance(a, Operand) for a in axes):
        values = [a.static for a in axes]
        if any(v is NOT_STATIC for v in values):
            raise context.unknown("the axes")
        axes = values[0] if len(values) == 1 else tuple(values)
    if axes is None or (is_static(axes) and len(axes) == 0):
        if x.ndim is not None and x.ndim < 2:
            return g
        return context.quote("g.T" if g.ndim is not None else "np.transpose(g)", g=g)
    return context.quote("np.transpose(g, a)", g=g, a=inverse_permutation(context, axes, x.ndim))


@macro
def swapped(context, g, x, axis1, axis2):
    """np.swapaxes undone."""
    if x.ndim == 2 and is_static(axis1) and is_static(axis2) and axis1 % 2 != axis2 % 2:
        return context.quote("g.T", g=g)
    return context.quote("np.swapaxes(g, i, j)", g=g, i=axis1, j=axis2)


@macro
def rolled_back(context, g, x, axis, start):
    """np.rollaxis undone."""
    if x.ndim is None or not is_static(axis) or not is_static(start):
        raise context.unknown("the rank, the axis and the start")
    axes = np.rollaxis(np.empty(tuple(range(1, x.ndim + 1))), axis, start).shape
    return context.quote("np.transpose(g, a)", g=g, a=tuple(axes.index(i + 1) for i in range(x.ndim)))


@macro
def flipped(context, g, axis):
    """np.flip"""
    if g.ndim == 1:
        return context.quote("g[::-1]", g=g)
    return context.quote("np.flip(g)" if axis is None else "np.flip(g, a)", g=g, a=axis)


@macro
def rolled(context, g, shift, axis):
    """np.roll undone."""
    if isinstance(shift, (tuple, list)):
        back = tuple(-s for s in shift)
    elif is_static(shift):
        back = -shift
    elif isinstance(shift.kind, Tuple):
        back = context.quote("tuple(-s for s in t)", t=shift)
    else:
        back = context.quote("-s", s=shift)
    return context.quote("np.roll(g, s)" if axis is None else "np.roll(g, s, axis=a)", g=g, s=back, a=axis)


@macro
def converted(context, g, x):
    """g with the type of x."""
    y = context.y
    if y.dtype is not None and y.dtype.kind not in "fc":
        return ZERO
    if not isinstance(g, Operand):  # a literal, such as the seed
        return g
    if x.dtype is not None and x.dtype == g.dtype:
        return g
    if x.is_scalar and x.is_number:
        return g
    if g.is_complex and x.dtype is not None and x.dtype.kind != "c":
        g = context.quote("g.real", g=g)
    if g.is_number:
        return g
    return Operand(context.quote("g.astype(x.dtype)", g=g, x=x).expr, x.kind)


@macro
def item_back(context, g, x, args):
    """A number put back to its place in zeros."""
    if x.shape is not None and all(d == ONE for d in x.shape):
        return g
    if not args:
        return Operand(context.quote("np.full_like(x, g)", x=x, g=g).expr, x.kind)
    raise context.unknown("the index")


# -- diagonals ---------------------------------------------------------------------------------------------------------


@macro
def trace_back(context, g, a, offset, axis1, axis2):
    """The adjoint of np.trace: g on the diagonal."""
    if a.ndim == 2 and (axis1, axis2) == (0, 1):
        text = "g * np.eye(a.shape[0]"
        if offset != 0 or a.shape[0] != a.shape[1]:
            text += ", a.shape[1], k"
        text += ")" if a.dtype == np.dtype(float) else ", dtype=a.dtype)"
        return context.quote(text, g=g, a=a, k=offset)
    spread = g if as_operand(g).is_scalar else context.quote("g[..., None]", g=g)
    return Operand(call_of(context, helpers.from_diagonal, spread, a, offset, axis1, axis2), a.kind)


@macro
def diag_back(context, g, v, k):
    """The adjoint of np.diag, which takes a diagonal or makes one."""
    if v.ndim == 1 or (v.ndim == 2 and k == 0 and v.shape[0] == v.shape[1]):
        return context.quote("np.diag(g)" if k == 0 else "np.diag(g, k)", g=g, k=k)
    return Operand(call_of(context, helpers.diag_back, g, v, k), v.kind)


@macro
def diagonal_back(context, g, a, offset, axis1, axis2):
    """The adjoint of np.diagonal."""
    if a.ndim == 2 and offset == 0 and (axis1, axis2) == (0, 1) and a.shape[0] == a.shape[1]:
        return context.quote("np.diag(g)", g=g)
    return Operand(call_of(context, helpers.from_diagonal, g, a, offset, axis1, axis2), a.kind)
