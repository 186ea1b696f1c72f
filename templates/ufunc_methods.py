"""Methods of universal functions: np.add.reduce, np.multiply.outer, ..."""

import numpy as np

from s2sad.rules import adjoint, d, linear, tangent


@linear(np.add.reduce, lazy=True)
def add_reduce(y, array, axis=0, dtype=None, out=None, *, keepdims=False):
    d[array] = expand_reduced(d[y], array, axis, keepdims)


@linear(np.add.accumulate)
def add_accumulate(y, array, axis=0, dtype=None, out=None):
    d[array] = cumsum_back(d[y], array, axis)


@adjoint(np.multiply.reduce, lazy=True)
def multiply_reduce(y, array, axis=0, dtype=None, out=None, *, keepdims=False):
    """Right where factors are zero."""
    d[array] = expand_reduced(d[y], array, axis, keepdims) * product_of_others(array, axis)


@tangent(np.multiply.reduce)
def multiply_reduce(y, array, axis=0, dtype=None, out=None, *, keepdims=False):
    d[y] = reduced("sum", d[array] * product_of_others(array, axis), axis, keepdims)


@adjoint(np.multiply.accumulate)
def multiply_accumulate(y, array, axis=0, dtype=None, out=None):
    """Right where factors are zero."""
    d[array] = helper("cumprod_back", array, d[y], array, y, along(axis, array))


@tangent(np.multiply.accumulate)
def multiply_accumulate(y, array, axis=0, dtype=None, out=None):
    d[y] = helper("cumprod_tangent", y, d[array], array, y, along(axis, array))


@adjoint(np.maximum.reduce, np.minimum.reduce, selects=True)
def maximum_reduce(y, array, axis=0, dtype=None, out=None, *, keepdims=False):
    """Where several are extreme they share evenly."""
    hit = mask_of(array == expand_reduced(y, array, axis, keepdims), array)
    d[array] = expand_reduced(d[y], array, axis, keepdims) / kept("sum", hit, axis) * hit


@tangent(np.maximum.reduce, np.minimum.reduce, selects=True)
def maximum_reduce(y, array, axis=0, dtype=None, out=None, *, keepdims=False):
    hit = mask_of(array == expand_reduced(y, array, axis, keepdims), array)
    d[y] = reduced("sum", d[array] * hit, axis, keepdims) / reduced("sum", hit, axis, keepdims)


@linear(np.add.reduceat, selects=True)
def add_reduceat(y, array, indices, axis=0, dtype=None, out=None):
    """The cotangent of each piece, repeated."""
    if axis is None:
        raise NoDerivative("np.add.reduceat with axis=None", "give the axis")
    d[array] = helper("reduceat_back", array, d[y], array, indices, axis)


@adjoint(np.add.outer)
def add_outer(y, A, B):
    d[A] = summed_last(d[y], B)
    d[B] = summed_first(d[y], A)


@tangent(np.add.outer)
def add_outer(y, A, B):
    d[y] = np.add.outer(zeros_for(d[A], A), zeros_for(d[B], B))


@adjoint(np.subtract.outer)
def subtract_outer(y, A, B):
    d[A] = summed_last(d[y], B)
    d[B] = -summed_first(d[y], A)


@tangent(np.subtract.outer)
def subtract_outer(y, A, B):
    d[y] = np.subtract.outer(zeros_for(d[A], A), zeros_for(d[B], B))


@linear(np.multiply.outer)
def multiply_outer(y, A, B):
    d[A] = np.tensordot(d[y], B, rank_of(B))
    d[B] = np.tensordot(A, d[y], rank_of(A))
