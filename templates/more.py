"""Methods of universal functions, polynomials, weighted histograms, blocks, and the rest of linalg and cmath."""

import cmath

import numpy as np

from s2sad.rules import adjoint, d, linear, shares_memory, tangent

# -- methods of universal functions ------------------------------------------------------------------------------------


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


# -- linalg ------------------------------------------------------------------------------------------------------------

if hasattr(np.linalg, "vecdot"):

    @linear(np.linalg.cross)
    def cross(y, x1, x2, /, *, axis=-1):
        d[x1] = cross_part(d[y], x1, x2, axis, axis, axis, None, 0)
        d[x2] = cross_part(d[y], x1, x2, axis, axis, axis, None, 1)

    @linear(np.linalg.diagonal)
    def diagonal(y, x, /, *, offset=0):
        d[x] = diagonal_back(d[y], x, offset, -2, -1)

    shares_memory(np.linalg.diagonal)

    @linear(np.linalg.trace)
    def trace(y, x, /, *, offset=0, dtype=None):
        d[x] = trace_back(d[y], x, offset, -2, -1)

    @linear(np.linalg.tensordot)
    def tensordot(y, x1, x2, /, *, axes=2):
        d[x1] = tensordot_part(d[y], x1, x2, axes, 0)
        d[x2] = tensordot_part(d[y], x1, x2, axes, 1)

    @linear(np.linalg.vecdot)
    def vecdot(y, x1, x2, /, *, axis=-1):
        d[x1] = vecdot_part(d[y], x1, x2, 0)
        d[x2] = vecdot_part(d[y], x1, x2, 1)


if hasattr(np, "matvec"):

    @linear(np.matvec)
    def matvec(y, A, B):
        """A vector of one dimension."""
        only_vector(B)
        d[A] = matmul_left(d[y], A, B)
        d[B] = matmul_right(d[y], A, B)

    @linear(np.vecmat)
    def vecmat(y, A, B):
        """A real vector of one dimension."""
        only_vector(A)
        d[A] = matmul_left(d[y], A, B)
        d[B] = matmul_right(d[y], A, B)


# -- cumulative, polynomials, histograms -------------------------------------------------------------------------------


@adjoint(np.nancumprod, selects=True)
def nancumprod(y, a, axis=None, dtype=None, out=None):
    """nan takes no part, and gets 0."""
    x = np.where(np.isnan(a), 1.0, a)
    d[a] = np.where(np.isnan(a), 0.0, helper("cumprod_back", a, d[y], x, y, along(axis, x)))


@tangent(np.nancumprod, selects=True)
def nancumprod(y, a, axis=None, dtype=None, out=None):
    x = np.where(np.isnan(a), 1.0, a)
    d[y] = helper("cumprod_tangent", y, np.where(np.isnan(a), 0.0, d[a]), x, y, axis)


@adjoint(np.polymul)
def polymul(y, a1, a2):
    if is_empty(a1) or is_empty(a2):  # stands for the polynomial 0
        d[a1] = np.zeros_like(a1)
        d[a2] = np.zeros_like(a2)
    else:
        d[a1] = convolve_part(d[y], a1, a2, "full", False)
        d[a2] = convolve_part(d[y], a2, a1, "full", False)


@tangent(np.polymul)
def polymul(y, a1, a2):
    if is_empty(a1) or is_empty(a2):
        d[y] = np.polymul(zeros_for(d[a1], a1), a2) + np.polymul(a1, zeros_for(d[a2], a2))
    else:
        d[y] = (np.convolve(d[a1], a2) + np.convolve(a1, d[a2]))[-np.size(y) :]


@adjoint(np.polyadd)
def polyadd(y, a1, a2):
    d[a1] = d[y][np.size(d[y]) - np.size(a1) :]
    d[a2] = d[y][np.size(d[y]) - np.size(a2) :]


@tangent(np.polyadd)
def polyadd(y, a1, a2):
    d[y] = np.polyadd(zeros_for(d[a1], a1), zeros_for(d[a2], a2))


@adjoint(np.polysub)
def polysub(y, a1, a2):
    d[a1] = d[y][np.size(d[y]) - np.size(a1) :]
    d[a2] = -d[y][np.size(d[y]) - np.size(a2) :]


@tangent(np.polysub)
def polysub(y, a1, a2):
    d[y] = np.polysub(zeros_for(d[a1], a1), zeros_for(d[a2], a2))


@adjoint(np.polyint)
def polyint(y, p, m=1, k=None):
    """One integral."""
    d[p] = d[y][:-1] / np.arange(np.size(p), 0, -1)


@tangent(np.polyint)
def polyint(y, p, m=1, k=None):
    d[y] = np.polyint(d[p])


@adjoint(np.polyfit)
def polyfit(c, x, y, deg, rcond=None, full=False, w=None, cov=False):
    """In the values y, without weights."""
    d[y] = np.linalg.pinv(np.vander(x, deg + 1)).T @ d[c]


@tangent(np.polyfit)
def polyfit(c, x, y, deg, rcond=None, full=False, w=None, cov=False):
    d[c] = np.polyfit(x, d[y], deg)


@adjoint(np.histogram)
def histogram(y, a, bins=10, range=None, density=None, weights=None):
    """In the weights."""
    own = d[y[0]][np.searchsorted(y[1][1:-1], a, "right")]
    if range is None and isinstance(bins, int):
        d[weights] = own
    else:
        d[weights] = np.where((a >= y[1][0]) & (a <= y[1][-1]), own, 0.0)


@tangent(np.histogram)
def histogram(y, a, bins=10, range=None, density=None, weights=None):
    d[y] = (np.histogram(a, y[1], weights=d[weights])[0], 0.0)


# -- cmath -------------------------------------------------------------------------------------------------------------


@adjoint(cmath.phase)
def phase(y, z, /):
    """At 0 there is no derivative."""
    d[z] = d[y] * (-1j / z)


@tangent(cmath.phase)
def phase(y, z, /):
    d[y] = (-1j / z * d[z]).real


@adjoint(cmath.polar)
def polar(y, z, /):
    """At 0 there is no derivative."""
    d[z] = d[y[0]] * z.conjugate() / y[0] + d[y[1]] * (-1j / z)


@tangent(cmath.polar)
def polar(y, z, /):
    d[y] = ((z.conjugate() / y[0] * d[z]).real, (-1j / z * d[z]).real)


@adjoint(cmath.rect)
def rect(y, r, phi, /):
    d[r] = (d[y] * exp(1j * phi)).real
    d[phi] = (1j * d[y] * y).real


@tangent(cmath.rect)
def rect(y, r, phi, /):
    d[y] = exp(1j * phi) * d[r] + 1j * y * d[phi]
