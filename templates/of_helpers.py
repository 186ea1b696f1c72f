"""The helpers of generated code themselves: most are the transpose of a NumPy function, so that function is theirs.

With these, what generated code calls can be differentiated again. `x` only says where things go: no derivative."""

import numpy as np

from s2sad.rules import adjoint, d, definition, elementwise, linear, tangent, zero
from s2sad.runtime import helpers


@linear(helpers.unbroadcast)
def unbroadcast(y, g, x):
    d[g] = spread_over(fitted_to(d[y], g), g)
    d[x] = 0.0


@linear(helpers.expand_reduced)
def expand_reduced(y, g, x, axis, keepdims=False):
    d[g] = np.sum(d[y], axis=axis, keepdims=keepdims)
    d[x] = 0.0


@linear(helpers.take_back)
def take_back(y, g, x, indices, axis=None):
    d[g] = np.take(d[y], indices, axis)
    d[x] = 0.0


@linear(helpers.take_along_back)
def take_along_back(y, g, x, indices, axis=-1):
    d[g] = np.take_along_axis(d[y], indices, axis)
    d[x] = 0.0


@linear(helpers.repeat_back)
def repeat_back(y, g, x, repeats, axis=None):
    d[g] = np.repeat(d[y], repeats, axis)
    d[x] = 0.0


@linear(helpers.sliding_windows_back)
def sliding_windows_back(y, g, x, window_shape, axis=None):
    d[g] = np.lib.stride_tricks.sliding_window_view(d[y], window_shape, axis)
    d[x] = 0.0


@linear(helpers.tile_back)
def tile_back(y, g, x, reps):
    d[g] = np.tile(d[y], reps)
    d[x] = 0.0


@linear(helpers.pad_back)
def pad_back(y, g, x, pad_width, mode="constant"):
    d[g] = pad_call(d[y], pad_width, mode)
    d[x] = 0.0


@linear(helpers.diff_back)
def diff_back(y, g, n=1, axis=-1, length=None):
    d[g] = np.diff(d[y], n, axis)


@linear(helpers.gradient_back)
def gradient_back(y, g, spacing=1.0, axis=0, edge_order=1):
    d[g] = np.gradient(d[y], spacing, axis=axis, edge_order=edge_order)


@linear(helpers.from_diagonal)
def from_diagonal(y, g, x, offset=0, axis1=0, axis2=1):
    d[g] = fitted_to(np.diagonal(d[y], offset, axis1, axis2), g)
    d[x] = 0.0


@linear(helpers.diag_back)
def diag_back(y, g, v, k=0):
    d[g] = np.diag(d[y], k)
    d[v] = 0.0


@linear(helpers.sort_back)
def sort_back(y, g, x, axis=-1):
    d[g] = call_helper_again("sort_tangent", d[y], x, axis)
    d[x] = 0.0


@linear(helpers.partition_back)
def partition_back(result, g, x, y, kth, axis=-1):
    d[g] = call_helper_again("partition_tangent", d[result], x, y, kth, axis)
    d[x] = 0.0
    d[y] = 0.0


@linear(helpers.partition_tangent)
def partition_tangent(result, dx, x, y, kth, axis=-1):
    d[dx] = call_helper_again("partition_back", d[result], x, y, kth, axis)
    d[x] = 0.0
    d[y] = 0.0


@linear(helpers.sort_tangent)
def sort_tangent(y, dx, x, axis=-1):
    d[dx] = call_helper_again("sort_back", d[y], x, axis)
    d[x] = 0.0


@linear(helpers.quantile_back)
def quantile_back(y, g, x, q, axis=None, keepdims=False):
    d[g] = call_helper_again("quantile_tangent", d[y], x, q, axis, keepdims)
    d[x] = 0.0


@linear(helpers.quantile_tangent)
def quantile_tangent(y, dx, x, q, axis=None, keepdims=False):
    d[dx] = call_helper_again("quantile_back", d[y], x, q, axis, keepdims)
    d[x] = 0.0


@linear(helpers.quantiles_back)
def quantiles_back(y, g, x, q, axis=None, keepdims=False):
    d[g] = call_helper_again("quantiles_tangent", d[y], x, q, axis, keepdims)
    d[x] = 0.0


@linear(helpers.quantiles_tangent)
def quantiles_tangent(y, dx, x, q, axis=None, keepdims=False):
    d[dx] = call_helper_again("quantiles_back", d[y], x, q, axis, keepdims)
    d[x] = 0.0


@linear(helpers.matmul_left)
def matmul_left(y, g, a, b):
    d[g] = np.matmul(d[y], b)
    d[b] = call_helper_again("matmul_right", g, d[y], b)
    d[a] = 0.0


@linear(helpers.matmul_right)
def matmul_right(y, g, a, b):
    d[g] = np.matmul(a, d[y])
    d[a] = call_helper_again("matmul_left", g, a, d[y])
    d[b] = 0.0


@linear(helpers.dot_left)
def dot_left(y, g, a, b):
    d[g] = np.dot(d[y], b)
    d[b] = call_helper_again("dot_right", g, d[y], b)
    d[a] = 0.0


@linear(helpers.dot_right)
def dot_right(y, g, a, b):
    d[g] = np.dot(a, d[y])
    d[a] = call_helper_again("dot_left", g, a, d[y])
    d[b] = 0.0


@linear(helpers.fft_back)
def fft_back(y, g, x, n=None, axis=-1, norm=None):
    d[g] = np.fft.fft(d[y], n, axis, norm)
    d[x] = 0.0


@linear(helpers.ifft_back)
def ifft_back(y, g, x, n=None, axis=-1, norm=None):
    d[g] = np.fft.ifft(d[y], n, axis, norm)
    d[x] = 0.0


@linear(helpers.rfft_back)
def rfft_back(y, g, x, n=None, axis=-1, norm=None):
    d[g] = np.fft.rfft(d[y], n, axis, norm)
    d[x] = 0.0


@linear(helpers.irfft_back)
def irfft_back(y, g, x, axis=-1, norm=None):
    d[g] = np.fft.irfft(d[y], np.shape(g)[axis], axis, norm)
    d[x] = 0.0


@linear(helpers.hfft_back)
def hfft_back(y, g, x, axis=-1, norm=None):
    d[g] = np.fft.hfft(d[y], np.shape(g)[axis], axis, norm)
    d[x] = 0.0


@linear(helpers.ihfft_back)
def ihfft_back(y, g, x, n=None, axis=-1, norm=None):
    d[g] = np.fft.ihfft(d[y], n, axis, norm)
    d[x] = 0.0


@linear(helpers.fftn_back)
def fftn_back(y, g, x, s=None, axes=None, norm=None):
    d[g] = np.fft.fftn(d[y], s, axes, norm)
    d[x] = 0.0


@linear(helpers.ifftn_back)
def ifftn_back(y, g, x, s=None, axes=None, norm=None):
    d[g] = np.fft.ifftn(d[y], s, axes, norm)
    d[x] = 0.0


@linear(helpers.rfftn_back)
def rfftn_back(y, g, x, s=None, axes=None, norm=None):
    d[g] = np.fft.rfftn(d[y], s, axes, norm)
    d[x] = 0.0


@linear(helpers.irfftn_back)
def irfftn_back(y, g, x, s=None, axes=None, norm=None):
    if axes is None:
        if s is None:
            d[g] = np.fft.irfftn(d[y], np.shape(g), tuple(range(np.ndim(g))), norm)
        else:
            d[g] = np.fft.irfftn(d[y], s, tuple(range(-len(s), 0)), norm)
    else:
        d[g] = np.fft.irfftn(d[y], np.take(np.shape(g), axes), axes, norm)
    d[x] = 0.0


@elementwise(helpers.sinc_slope)
def sinc_slope(y, x, order=1):
    return call_helper_again("sinc_slope", x, order + 1), None


@elementwise(helpers.bessel_i1)
def bessel_i1(y, x):
    return helper("bessel_i1_slope", y, x)


#: by its text
definition(helpers.bessel_i1_slope)(helpers.bessel_i1_slope)


@linear(helpers.unique_back)
def unique_back(y, g, x):
    d[g] = call_helper_again("unique_tangent", d[y], x)
    d[x] = 0.0


@linear(helpers.unique_tangent)
def unique_tangent(y, dx, x):
    d[dx] = call_helper_again("unique_back", d[y], x)
    d[x] = 0.0


@linear(helpers.reduceat_back)
def reduceat_back(y, g, x, indices, axis=0):
    d[g] = np.add.reduceat(d[y], indices, axis)
    d[x] = 0.0


@linear(helpers.insert_back)
def insert_back(y, g, x, obj, axis=None):
    d[g] = np.insert(d[y], obj, zeros_inserted(g, x, obj, axis), axis)
    d[x] = 0.0


@linear(helpers.insert_values_back)
def insert_values_back(y, g, x, obj, values, axis=None):
    d[g] = np.insert(np.zeros_like(x), obj, d[y], axis)
    d[x] = 0.0
    d[values] = 0.0


@adjoint(helpers.spectral)
def spectral(y, g, a, uplo="L", v=None):
    """By divided differences (Daleckii and Krein 1965): the phases of the vectors play no part. Where eigenvalues are
    equal and g is not, nan; where g is equal, too, forward over reverse alone has what it needs. `v` follows from a."""
    w, z = np.linalg.eigh(a, uplo)
    d[g] = real_values(diagonal_of(mH(z) @ d[y] @ z))
    d[a] = one_triangle(call_helper_again("spectral_back", d[y], g, w, z), uplo)
    if v is not None:
        d[v] = 0.0


@tangent(helpers.spectral)
def spectral(y, g, a, uplo="L", v=None):
    w, z = np.linalg.eigh(a, uplo)
    d[y] = spectral_moved(d[g], d[a], g, a, uplo, w, z)
    if v is not None:
        d[v] = 0.0


@definition(helpers.over_gaps)
def over_gaps(p, gap, near, unread=True):
    return p / np.where(np.abs(gap) <= near, np.nan, gap)


@adjoint(helpers.divided_differences)
def divided_differences(y, g, w, slope):
    """Where eigenvalues are equal the differences are slopes, and move as these do, unless the eigenvalues part.

    Of the products that are made of them transform/spectral.py knows more."""
    near = np.abs(call_helper_again("gaps", w)) <= call_helper_again("least_gap", w)
    t = call_helper_again("turns", np.where(near, 0.0, d[y]), w)
    r = call_helper_again("turns", d[y] * y, w)
    m = np.where(near, 0.5 * d[y], 0.0)
    d[g] = np.sum(t, axis=-2) - np.sum(t, axis=-1)
    d[w] = np.sum(r, axis=-1) - np.sum(r, axis=-2)
    d[slope] = diagonal_of(d[y]) + np.sum(m, axis=-1) + np.sum(m, axis=-2)


@tangent(helpers.divided_differences)
def divided_differences(y, g, w, slope):
    d[y] = divided_differences(d[g], w, d[slope]) - call_helper_again("turns", y * differences(d[w]), w)


definition(helpers.second_differences)(helpers.second_differences)  # it says itself what it computes


@definition(helpers.eigenvalue_slopes)
def eigenvalue_slopes(p, w):
    """Of eigenvalues that differ."""
    return np.real(np.diagonal(p, axis1=-2, axis2=-1))


@definition(helpers.spectral_tangent)
def spectral_tangent(dg, da, g, w, v):
    """Of eigenvalues that differ."""
    n = w.shape[-1]
    vh = np.conj(np.swapaxes(v, -1, -2))
    gap = np.where(np.eye(n, dtype=bool), np.inf, w[..., None, :] - w[..., :, None])
    inner = (vh @ da @ v) * ((g[..., None, :] - g[..., :, None]) / gap) + dg[..., None, :] * np.eye(n, dtype=w.dtype)
    return np.conj(v @ inner @ vh)


@definition(helpers.spectral_back)
def spectral_back(gy, g, w, v):
    """Of eigenvalues that differ."""
    vh = np.conj(np.swapaxes(v, -1, -2))
    q = vh @ gy @ v
    gap = np.where(np.eye(w.shape[-1], dtype=bool), np.inf, w[..., None, :] - w[..., :, None])
    inner = 0.5 * (q + np.conj(np.swapaxes(q, -1, -2))) * ((g[..., None, :] - g[..., :, None]) / gap)
    return np.conj(v @ inner @ vh)


@adjoint(helpers.singular)
def singular(y, g, a):
    """By divided differences, as spectral, of the Hermitian part; the map of directions is its own transpose. Where
    singular values are equal and g is not, inf or nan."""
    d[g] = helper("svdvals_tangent", g, d[y], a)
    d[a] = helper("singular_slope", a, d[y], g, a)


@tangent(helpers.singular)
def singular(y, g, a):
    d[y] = call_helper_again("singular", d[g], a) + helper("singular_slope", y, d[a], g, a)


@definition(helpers.regular)
def regular(jacobian, x=None, residual=None):
    return jacobian


@definition(helpers.cholesky_back)
def cholesky_back(g, y):
    """Seeger et al. 2017"""
    t = np.swapaxes(y, -1, -2)
    n = y.shape[-1]
    p = t @ g * (np.tri(n, dtype=y.dtype) - 0.5 * np.eye(n, dtype=y.dtype))
    s = np.linalg.solve(t, np.swapaxes(np.linalg.solve(t, np.swapaxes(p, -1, -2)), -1, -2))
    return np.tril(s) + np.swapaxes(np.triu(s, 1), -1, -2)


@adjoint(helpers.cofactors)
def cofactors(y, a, det):
    """`det` follows from a."""
    d[a] = call_helper_again("cofactors_tangent", d[y], a)
    d[det] = 0.0


@tangent(helpers.cofactors)
def cofactors(y, a, det):
    d[y] = call_helper_again("cofactors_tangent", d[a], a)
    d[det] = 0.0


@linear(helpers.through_zero)
def through_zero(y, x, g, s):
    """Linear in x alone: what g and s do beside the point is of second order."""
    d[x] = fitted_to(call_helper_again("through_zero", d[y], g, s), x)
    d[g] = 0.0
    d[s] = 0.0


zero(helpers.finite_slope)
