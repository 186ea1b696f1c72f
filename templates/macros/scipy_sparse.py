"""SciPy's sparse matrices."""

from __future__ import annotations

import gast
from s2sad.templates.macros.basics import is_static

from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand
from s2sad.expansion.zero import ZERO
from s2sad.kinds.kind import Tuple


@macro
def at_entries(context, left, row, right, col):
    """The product of two dense factors at the places of the entries of a sparse matrix."""
    if left is ZERO:
        return ZERO
    if right.ndim is None:
        raise context.unknown("the ranks")
    if right.ndim == 1:
        return context.quote("a[i] * b[j]", a=left, i=row, b=right, j=col)
    return context.quote("np.sum(a[i] * b[j], axis=1)", a=left, i=row, b=right, j=col)


@macro
def reversed_shape(context, shape):
    """The shape of the transposed matrix."""
    if isinstance(shape, Operand) and isinstance(shape.expr, gast.Tuple):
        return Operand(gast.Tuple(shape.expr.elts[::-1], gast.Load()), Tuple(shape.kind.items[::-1]))
    return tuple(shape[::-1]) if is_static(shape) else context.quote("s[::-1]", s=shape)


@macro
def self_transposed(context, matrix):
    """The transposed matrix."""
    return context.quote("a.T", a=matrix)


@macro
def other_trans(context, trans):
    """The trans argument of the transposed system."""
    if trans not in ("N", "T"):
        raise context.unknown("trans ('N' or 'T')")
    return "T" if trans == "N" else "N"
