"""SciPy's linear algebra that is said in other functions: factors by other names, and matrices with a structure."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from s2sad.templates.scipy_linalg_factors import factor_is_not_known
from scipy import linalg

from s2sad.kinds import known
from s2sad.kinds.kind import Array
from s2sad.rules import adjoint, d, definition, tangent, zero
from s2sad.runtime import helpers
from s2sad.runtime.helpers import banded_transpose, pivots_of

_STRUCTURES = ("diagonal", "tridiagonal", "banded", "upper triangular", "lower triangular")


@definition(linalg.solve, when=lambda call: call.static("assume_a") in _STRUCTURES)
def solve(a, b, lower=False, overwrite_a=False, overwrite_b=False, check_finite=True, assume_a=None, transposed=False):
    if transposed:
        raise NoDerivative("transposed=True has no rule with a structure", "transpose the matrix")
    if assume_a == "banded":
        return linalg.solve(a, b)
    if assume_a == "upper triangular":
        return linalg.solve_triangular(a, b)
    if assume_a == "lower triangular":
        return linalg.solve_triangular(a, b, lower=True)
    if assume_a == "diagonal":
        return b / np.diag(a) if b.ndim == 1 else b / np.diag(a)[:, None]
    none = np.zeros_like(a[0, :1])
    bands = np.stack([
        np.concatenate([none, np.diag(a, 1)]), np.diag(a), np.concatenate([np.diag(a, -1), none])
    ])  # fmt: skip
    return linalg.solve_banded((1, 1), bands, b)


@definition(linalg.pinvh)
def pinvh(a, atol=None, rtol=None, lower=True, return_rank=False, check_finite=True):
    """One triangle of a is read. Where the rank changes there is no derivative."""
    if return_rank:
        raise NoDerivative("return_rank=True has no rule", "leave it out")
    if atol is not None or rtol is not None:
        raise NoDerivative("atol and rtol have no rule", "use np.linalg.pinv with rcond")
    half = np.tril(a) if lower else np.triu(a)
    return linalg.pinv(half + half.T - np.diag(np.diag(a)))


@adjoint(linalg.signm)
def signm(y, A):
    """By a Sylvester equation with the square root of A @ A, which is y @ A; no eigenvalue may be 0."""
    of_rank(A, 2, 2)
    real_only(A)
    p = y @ A
    t = linalg.solve_sylvester(p.T, p.T, d[y])
    d[A] = t - y.T @ t @ y.T


@tangent(linalg.signm)
def signm(y, A):
    of_rank(A, 2, 2)
    real_only(A)
    p = y @ A
    d[y] = linalg.solve_sylvester(p, p, d[A] - y @ d[A] @ y)


zero(helpers.pivots_of)


@known.rule(helpers.pivots_of)
def pivots_kind(args, kwargs):
    """An index for each column."""
    shape = known.shape_of(args[0])
    return None if shape is None else known.Array(np.dtype(np.int32), shape[1:])


@definition(linalg.qr, given=("pivoting",), when=lambda call: call.static("mode") == "r")
def qr(a, overwrite_a=False, lwork=None, mode="full", pivoting=False, check_finite=True):
    if pivoting:
        p = pivots_of(a)
        if mode == "r":
            return linalg.qr(a[:, p], mode="r")[0], p
        q, r = linalg.qr(a[:, p], mode=mode)
        return q, r, p
    if mode != "r":
        return linalg.qr(a, mode=mode)
    r = linalg.qr(a, mode="economic")[1]
    if a.shape[0] > a.shape[1]:
        r = np.concatenate([r, np.zeros((a.shape[0] - a.shape[1], a.shape[1]))])
    return (r,)


@definition(linalg.rq)
def rq(a, overwrite_a=False, lwork=None, mode="full", check_finite=True):
    """The factors of the matrix with its rows and columns reversed and exchanged. Not taller than wide."""
    back, triangle = linalg.qr(a[::-1, ::-1].T, mode="economic")
    r = triangle.T[::-1, ::-1]
    if mode != "economic" and a.shape[0] != a.shape[1]:
        raise NoDerivative("of a matrix that is not square only mode='economic' has a rule", 'give mode="economic"')
    if mode == "r":
        return r
    return r, back.T[::-1, ::-1]


@definition(linalg.qr_multiply)
def qr_multiply(a, c, mode="right", pivoting=False, conjugate=False, overwrite_a=False, overwrite_c=False):
    if pivoting or conjugate:
        raise NoDerivative("pivoting and conjugate have no rule", "call linalg.qr, and multiply")
    q, r = linalg.qr(a, mode="economic")
    return (q @ c if mode == "left" else c @ q), r


@definition(linalg.matmul_toeplitz)
def matmul_toeplitz(c_or_cr, x, check_finite=False, workers=None):
    """By the Fourier transforms of a circulant matrix in which this one stands. Real."""
    if isinstance(c_or_cr, tuple):
        c, r = c_or_cr
    else:
        c, r = c_or_cr, c_or_cr
    if np.iscomplexobj(c) or np.iscomplexobj(r) or np.iscomplexobj(x):
        raise NoDerivative("complex matrices have no rule", "use scipy.linalg.toeplitz and @")
    n = len(c) + len(r) - 1
    around = np.fft.rfft(np.concatenate([c, r[:0:-1]]))
    if x.ndim == 1:
        return np.fft.irfft(around * np.fft.rfft(x, n), n)[: len(c)]
    return np.fft.irfft(around[:, None] * np.fft.rfft(x, n, axis=0), n, axis=0)[: len(c)]


@definition(linalg.solve_circulant)
def solve_circulant(c, b, singular="raise", tol=None, caxis=-1, baxis=0, outaxis=0):
    """Of one real matrix that is not singular."""
    if c.ndim != 1 or baxis != 0 or outaxis != 0:
        raise NoDerivative("other axes have no rule", "call it for each, one after the other")
    if np.iscomplexobj(c) or np.iscomplexobj(b):
        raise NoDerivative("complex matrices have no rule", "divide by np.fft.fft(c)")
    n = len(c)
    around = np.fft.rfft(c)
    if b.ndim == 1:
        return np.fft.irfft(np.fft.rfft(b) / around, n)
    return np.fft.irfft(np.fft.rfft(b, axis=0) / around[:, None], n, axis=0)


@definition(linalg.convolution_matrix)
def convolution_matrix(a, n, mode="full"):
    whole = linalg.toeplitz(np.concatenate([a, np.zeros(n - 1)]), np.concatenate([a[:1], np.zeros(n - 1)]))
    shorter, longer = min(len(a), n), max(len(a), n)
    if mode == "same":
        return whole[(shorter - 1) // 2 : (shorter - 1) // 2 + longer]
    return whole[shorter - 1 : longer] if mode == "valid" else whole


@definition(linalg.cho_solve_banded, when=factor_is_not_known)
def cho_solve_banded(cb_and_lower, b, overwrite_b=False, check_finite=True):
    """As cho_solve where something is not known: by two systems with triangular bands."""
    cb, lower = cb_and_lower
    k = cb.shape[0] - 1
    if lower:
        t = linalg.solve_banded((k, 0), cb, b)
        return linalg.solve_banded((0, k), banded_transpose(cb, k, 0), t)
    t = linalg.solve_banded((k, 0), banded_transpose(cb, 0, k), b)
    return linalg.solve_banded((0, k), cb, t)


@adjoint(linalg.cho_solve_banded)
def cho_solve_banded(y, cb_and_lower, b):
    """As cho_solve: the diagonals of the factor that are stored."""
    of_rank(b, 1, 2)
    t = linalg.cho_solve_banded(cb_and_lower, d[y])
    d[cb_and_lower] = banded_factor_back(cb_and_lower, t, y)
    d[b] = t


@tangent(linalg.cho_solve_banded)
def cho_solve_banded(y, cb_and_lower, b):
    d[y] = linalg.cho_solve_banded(cb_and_lower, d[b] - banded_factor_moved(d[cb_and_lower], cb_and_lower, y))


# -- bands -------------------------------------------------------------------------------------------------------------


@adjoint(linalg.solve_banded)
def solve_banded(y, l_and_u, ab, b):
    """The corners of ab that lie outside of the matrix have the derivative 0."""
    of_rank(ab, 2, 2)
    real_only(ab)
    below, above = l_and_u[0], l_and_u[1]
    t = linalg.solve_banded((above, below), banded_transpose(ab, below, above), d[y])
    d[ab] = banded_outer(-t, y, ab, below, above)
    d[b] = t


@tangent(linalg.solve_banded)
def solve_banded(y, l_and_u, ab, b):
    of_rank(ab, 2, 2)
    real_only(ab)
    below, above = l_and_u[0], l_and_u[1]
    d[y] = linalg.solve_banded((below, above), ab, d[b] - banded_product(d[ab], y, below, above))


@adjoint(linalg.solveh_banded)
def solveh_banded(y, ab, b, *, lower=False):
    """The corner of ab that lies outside of the matrix has the derivative 0."""
    of_rank(ab, 2, 2)
    real_only(ab, b)
    t = linalg.solveh_banded(ab, d[y], lower=lower)
    d[ab] = symmetric_banded_outer(-t, y, ab, lower)
    d[b] = t


@tangent(linalg.solveh_banded)
def solveh_banded(y, ab, b, *, lower=False):
    of_rank(ab, 2, 2)
    real_only(ab, b)
    d[y] = linalg.solveh_banded(ab, d[b] - symmetric_banded_product(d[ab], y, lower), lower=lower)


def _solution_kind(args, kwargs, matrix, right):
    """The kind of a solution: the shape of the right-hand side."""
    types, shape = [known.dtype_of(args[i]) for i in (matrix, right)], known.shape_of(args[right])
    if shape is None or not all(t is not None and t.kind in "fc" for t in types):
        return None
    return Array(np.result_type(*types), shape)


known.RULES[linalg.solve_banded] = lambda args, kwargs: _solution_kind(args, kwargs, 1, 2)
known.RULES[linalg.solveh_banded] = lambda args, kwargs: _solution_kind(args, kwargs, 0, 1)


# -- matrices made of their entries ------------------------------------------------------------------------------------


def vector_of(c):
    """One vector: stacks of them have no rule."""
    if not isinstance(c, np.ndarray):
        c = np.asarray(c)
    if c.ndim != 1:
        raise NoDerivative("stacks of vectors have no rule", "call it for each, one after the other")
    return c


@definition(linalg.toeplitz)
def toeplitz(c, r=None):
    c = vector_of(c)
    r = np.conj(c) if r is None else vector_of(r)
    return np.array(sliding_window_view(np.concatenate((c[::-1], r[1:])), len(r))[::-1])


@definition(linalg.circulant)
def circulant(c):
    c = vector_of(c)
    return np.array(sliding_window_view(np.concatenate((c[::-1], c[:0:-1])), len(c))[::-1])


@definition(linalg.hankel)
def hankel(c, r=None):
    c = vector_of(c)
    r = np.zeros(len(c)) if r is None else vector_of(r)
    return np.array(sliding_window_view(np.concatenate((c, r[1:])), len(r)))


@definition(linalg.companion)
def companion(a):
    c = np.eye(len(a) - 1, k=-1, dtype=complex) if np.iscomplexobj(a) else np.eye(len(a) - 1, k=-1)
    c[0] = -a[1:] / a[0]
    return c


@definition(linalg.leslie)
def leslie(f, s):
    is_complex = np.iscomplexobj(f) or np.iscomplexobj(s)
    m = np.zeros((len(f), len(f)), complex) if is_complex else np.zeros((len(f), len(f)))
    m[0] = f
    m[np.arange(1, len(f)), np.arange(len(s))] = s
    return m


@definition(linalg.fiedler)
def fiedler(a):
    """Where two entries are equal, 0."""
    return np.abs(a[:, None] - a)


@definition(linalg.khatri_rao)
def khatri_rao(a, b):
    return np.reshape(a[:, None, :] * b, (a.shape[0] * b.shape[0], a.shape[1]))


@definition(linalg.block_diag)
def block_diag(*arrs):
    parts = [part if isinstance(part, np.ndarray) and part.ndim == 2 else np.atleast_2d(part) for part in arrs]
    row, column = 0, 0
    for part in parts:
        row, column = row + part.shape[0], column + part.shape[1]
    is_complex = any([np.iscomplexobj(part) for part in parts])
    out = np.zeros((row, column), complex) if is_complex else np.zeros((row, column))
    row, column = 0, 0
    for part in parts:
        out[row : row + part.shape[0], column : column + part.shape[1]] = part
        row, column = row + part.shape[0], column + part.shape[1]
    return out


@adjoint(linalg.solve_toeplitz)
def solve_toeplitz(y, c_or_cr, b):
    """By the transposed system; along each diagonal the products of t and y are summed."""
    real_only(y)
    t = toeplitz_solve_transposed(c_or_cr, d[y])
    d[c_or_cr] = toeplitz_back(c_or_cr, t, y)
    d[b] = t


@tangent(linalg.solve_toeplitz)
def solve_toeplitz(y, c_or_cr, b):
    real_only(y)
    d[y] = linalg.solve_toeplitz(c_or_cr, toeplitz_right(d[c_or_cr], c_or_cr, d[b], y))
