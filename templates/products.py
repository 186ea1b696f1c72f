"""Products of vectors, matrices and stacks of matrices; sums of products by indices."""

import operator

import numpy as np

from s2sad.rules import HANDED_ON, d, definition, linear
from s2sad.runtime import helpers


@linear(operator.matmul, np.matmul, *([np.linalg.matmul] if hasattr(np.linalg, "matmul") else []), lazy=True)
def matmul(y, a, b):
    d[a] = matmul_left(d[y], a, b)
    d[b] = matmul_right(d[y], a, b)


@linear(np.dot, lazy=True)
def dot(y, a, b):
    d[a] = dot_left(d[y], a, b)
    d[b] = dot_right(d[y], a, b)


@linear(np.inner, lazy=True)
def inner(y, a, b):
    d[a] = inner_part(d[y], a, b, 0)
    d[b] = inner_part(d[y], a, b, 1)


@linear(np.vdot)
def vdot(y, a, b):
    d[a] = vdot_part(d[y], a, b, 0)
    d[b] = vdot_part(d[y], a, b, 1)


@linear(np.outer, *([np.linalg.outer] if hasattr(np.linalg, "outer") else []), lazy=True)
def outer(y, a, b):
    d[a] = outer_part(d[y], a, b, 0)
    d[b] = outer_part(d[y], a, b, 1)


@linear(np.tensordot)
def tensordot(y, a, b, axes=2):
    d[a] = tensordot_part(d[y], a, b, axes, 0)
    d[b] = tensordot_part(d[y], a, b, axes, 1)


@linear(np.kron)
def kron(y, a, b):
    d[a] = kron_part(d[y], a, b, 0)
    d[b] = kron_part(d[y], a, b, 1)


@linear(np.cross)
def cross(y, a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    d[a] = cross_part(d[y], a, b, axisa, axisb, axisc, axis, 0)
    d[b] = cross_part(d[y], a, b, axisa, axisb, axisc, axis, 1)


@linear(np.einsum)
def einsum(y, *operands):
    for x in einsum_operands(operands):
        d[x] = einsum_part(d[y], operands, x)


@linear(np.trace, selects=True)
def trace(y, a, offset=0, axis1=0, axis2=1):
    d[a] = trace_back(d[y], a, offset, axis1, axis2)


@linear(np.diag, selects=True)
def diag(y, v, k=0):
    d[v] = diag_back(d[y], v, k)


@linear(np.diagflat)
def diagflat(y, v, k=0):
    d[v] = reshaped(np.diag(d[y], k), v)


@linear(np.diagonal, selects=True)
def diagonal(y, a, offset=0, axis1=0, axis2=1):
    d[a] = diagonal_back(d[y], a, offset, axis1, axis2)


@linear(np.tril, selects=True)
def tril(y, m, k=0):
    d[m] = fitted(np.tril(d[y], k) if k != 0 else np.tril(d[y]), y, m)


@linear(np.triu, selects=True)
def triu(y, m, k=0):
    d[m] = fitted(np.triu(d[y], k) if k != 0 else np.triu(d[y]), y, m)


@linear(np.convolve)
def convolve(y, a, v, mode: HANDED_ON = "full"):
    d[a] = convolve_part(d[y], a, v, mode, False)
    d[v] = convolve_part(d[y], v, a, mode, False)


@linear(np.correlate)
def correlate(y, a, v, mode: HANDED_ON = "valid"):
    d[a] = convolve_part(d[y], a, v, mode, True)
    d[v] = correlate_kernel(d[y], a, v, mode)


if hasattr(np, "vecdot"):

    @linear(np.vecdot, broadcasts=False)
    def vecdot(y, a, b, *, axis=-1):
        d[a] = vecdot_part(d[y], a, b, 0)
        d[b] = vecdot_part(d[y], a, b, 1)


@linear(helpers.product_with_zeros)
def product_with_zeros(y, multiply, at, *args):
    for x in factors_of(multiply, args):
        d[x] = factor_of_product_back(multiply, d[y], args, x)


# -- sequences ---------------------------------------------------------------------------------------------------------


@definition(np.matmul, given=("axes",))
def matmul(x1, x2, *, axes=None):
    first, second, to = axes
    if isinstance(first, int) or isinstance(second, int) or isinstance(to, int):
        raise NoDerivative("np.matmul of vectors along axes", "use np.tensordot")
    return np.moveaxis(np.moveaxis(x1, first, (-2, -1)) @ np.moveaxis(x2, second, (-2, -1)), (-2, -1), to)


# -- products ----------------------------------------------------------------------------------------------------------


if hasattr(np, "vecdot"):

    @definition(np.vecdot, *([np.linalg.vecdot] if hasattr(np.linalg, "vecdot") else []), given=("axis",))
    def vecdot(x1, x2, /, *, axis=-1):
        return np.vecdot(np.moveaxis(x1, axis, -1), np.moveaxis(x2, axis, -1))


if hasattr(np, "matvec"):

    @definition(np.matvec, when=lambda call: call.rank("x2") != 1)
    def matvec(x1, x2, /):
        return (x1 @ x2[..., None])[..., 0]

    @definition(np.vecmat, when=lambda call: call.rank("x1") != 1 or call.is_complex("x1"))
    def vecmat(x1, x2, /):
        return (np.conj(x1)[..., None, :] @ x2)[..., 0, :]
