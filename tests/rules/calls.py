"""Calls of NumPy and of Python's numeric modules as users write them, each differentiated in whole programs.

`CALLS` lists expressions over the names of `VALUES`. In each, the floats in capital or small letters vary; names in
`FIXED` do not (masks, indices, bins).
"""

from __future__ import annotations

import copy
import linecache
import re
from typing import Any

import numpy as np

_rng = np.random.default_rng(11)


def _normal(*shape: int) -> Any:
    return _rng.normal(size=shape)


def _distinct(*shape: int) -> Any:
    """Numbers in (0.2, 1.8) of which no two are near."""
    n = int(np.prod(shape))
    return _rng.permutation(np.linspace(0.2, 1.8, n) + 0.01 * _rng.normal(size=n)).reshape(shape)


VALUES: dict[str, Any] = {
    # numbers and vectors, positive and distinct; u and v with signs
    "s": 0.7, "t": 1.3, "r": 0.45,
    "x": _distinct(5), "y": _distinct(5), "w": _distinct(5), "p": _distinct(3), "q": _distinct(3), "h": _distinct(4),
    "u": _normal(5), "v": _normal(4), "long": _distinct(12),
    # matrices: A (3, 4), B (4, 3), C (3, 4); G, S and P are square, P positive definite; stacks T, U, Q
    "A": _distinct(3, 4), "B": _distinct(4, 3), "C": _distinct(3, 4), "N": _normal(3, 4), "V": _distinct(2, 3),
    "G": _normal(4, 4) + 4.0 * np.eye(4), "S": _normal(3, 3) + 3.0 * np.eye(3), "D": _normal(3, 3),
    "P": (lambda m: m @ m.T + np.eye(4))(_normal(4, 4)),
    "T": _distinct(2, 3, 4), "U": _normal(2, 3, 3) + 3.0 * np.eye(3), "Q": _normal(2, 4, 3), "R": _normal(2, 3, 4),
    "E": _distinct(2, 3), "F": _normal(2, 2, 2, 2) + 2.0 * np.eye(4).reshape(2, 2, 2, 2), "tri": _distinct(1, 3),
    "z": _normal(4) + 1j * _normal(4), "Z": _normal(3, 4) + 1j * _normal(3, 4), "H": _normal(3, 3) + 1j * _normal(3, 3),
    "c": 0.4 + 0.3j,
    # what does not vary
    "mask": np.array([[True, False, True, True], [False, True, True, False], [True, True, False, True]]),
    "keep": np.array([True, False, True, True, False]),
    "at": np.array([0, 2, 2, 4]), "pick": np.array([[0, 2], [1, 3], [3, 0]]), "which": np.array([0, 1, 1, 0, 1]),
    "k": 2, "n": 5, "grid": np.array([0.0, 0.4, 1.0, 1.3, 2.0]), "bins": np.array([0.0, 0.5, 1.0, 2.0]),
    "cuts": np.array([0.3, 0.8]),
    "holes": np.array([[0.7, np.nan, 1.3, 0.4], [np.nan, 0.9, 0.2, 1.6], [0.5, 1.1, np.nan, np.nan]]),
}  # fmt: skip
FIXED = {"mask", "keep", "at", "pick", "which", "k", "n", "grid", "bins", "cuts", "holes"}

CALLS: list[str] = [
    line.strip()
    for line in """
    # ufuncs with where=, out=, dtype=
    np.sin(x, where=keep, out=np.zeros(5))
    np.add(x, y, where=keep, out=np.zeros(5))
    np.multiply(A, h, where=mask, out=np.ones((3, 4)))
    np.exp(x, out=np.empty(5))
    np.sin(x, dtype=float)
    np.add(x, y, dtype=np.float64)
    np.divide(x, y, out=np.zeros_like(x), where=keep)
    np.sqrt(x, np.empty_like(x))
    np.log(A, where=mask, out=np.zeros_like(A))
    # reductions
    np.sum(A, where=mask)
    np.sum(A, axis=1, where=mask, initial=2.0)
    np.sum(A, initial=s)
    np.sum(A, axis=0, dtype=float)
    np.sum(A, axis=1, out=np.empty(3))
    A.sum(axis=0, keepdims=True)
    A.sum(where=mask)
    np.mean(A, axis=1, where=mask)
    np.mean(A, where=mask)
    A.mean(0)
    np.mean(A, axis=0, dtype=np.float64, keepdims=True)
    np.prod(A, axis=1, where=mask)
    np.prod(A, initial=2.0)
    np.prod(T, axis=(0, 2))
    np.max(A, axis=1, initial=1.0)
    np.max(A, where=mask, initial=0.0)
    np.max(A, axis=1, where=mask, initial=-1.0)
    np.min(A, axis=0, where=mask, initial=9.0)
    np.max(x, initial=s)
    np.max(x[5:], initial=s)
    np.max(A[3:], axis=0, initial=s)
    np.min(A[3:], axis=0, keepdims=True, initial=s)
    np.sum(np.take(A, [], axis=0)) + A[0]
    np.amax(A, axis=0, initial=1.0)
    np.amin(A, where=mask, initial=9.0)
    np.var(A, axis=1, where=mask)
    np.var(A, ddof=1)
    np.var(A, axis=0, ddof=k)
    np.var(A, axis=1, mean=np.mean(A, axis=1, keepdims=True))
    np.var(A, axis=1, correction=1)
    np.std(A, axis=1, ddof=1, keepdims=True)
    np.std(A, where=mask)
    np.std(A, axis=0, correction=1)
    np.std(A, axis=1, mean=np.mean(A, axis=1, keepdims=True))
    x.std(ddof=1)
    x.var()
    np.ptp(A, axis=0)
    np.ptp(x)
    np.average(A)
    np.average(A, axis=1, weights=h)
    np.average(A, weights=C)
    np.average(A, axis=0, weights=p, returned=True)
    np.average(x, returned=True)
    np.average(T, axis=(1, 2), weights=A)
    np.median(A)
    np.median(A, axis=1)
    np.median(A, axis=0, keepdims=True)
    np.median(T, axis=(0, 2))
    np.percentile(x, 30)
    np.percentile(A, [20, 50, 90], axis=1)
    np.quantile(A, 0.3, axis=0)
    np.quantile(x, cuts)
    np.quantile(x, s)
    np.quantile(x, 0.4, method="lower")
    np.quantile(x, 0.4, method="higher")
    np.quantile(x, 0.4, method="midpoint")
    np.quantile(x, 0.4, method="nearest")
    np.quantile(x, 0.4, method="hazen")
    np.quantile(x, 0.4, method="weibull")
    np.quantile(x, 0.4, method="median_unbiased")
    np.quantile(x, 0.4, method="normal_unbiased")
    np.quantile(x, 0.45, method="interpolated_inverted_cdf")
    np.quantile(x, 0.4, method="inverted_cdf")
    np.quantile(x, 0.4, method="averaged_inverted_cdf")
    np.quantile(x, 0.4, method="closest_observation")
    np.percentile(A, 35, axis=0, method="higher")
    np.cumsum(A, axis=1)
    np.cumsum(A)
    np.cumsum(x, dtype=float)
    np.cumprod(A, axis=0)
    np.cumprod(x)
    A.cumsum(0)
    A.cumprod(1)
    np.cumulative_sum(x, include_initial=True)
    np.cumulative_sum(A, axis=1)
    np.cumulative_prod(x, include_initial=True)
    np.cumulative_prod(A, axis=0, include_initial=True)
    np.maximum.accumulate(u)
    np.minimum.accumulate(N, axis=1)
    np.logaddexp.reduce(x)
    np.logaddexp.reduce(A, axis=1)
    np.logaddexp.reduce(A, axis=0, keepdims=True)
    np.logaddexp.accumulate(x)
    np.hypot.reduce(x)
    np.fmax.reduce(A, axis=1)
    np.fmin.reduce(x)
    np.fmax.accumulate(u)
    np.subtract.reduce(x)
    np.subtract.reduce(A, axis=1)
    np.divide.reduce(x)
    np.true_divide.reduce(A, axis=0)
    np.subtract.accumulate(x)
    np.divide.accumulate(x)
    np.add.reduce(A, axis=1, where=mask)
    np.add.reduce(A, axis=(0, 1))
    np.add.reduce(A)
    np.multiply.reduce(A, axis=1)
    np.add.accumulate(A, 1)
    np.multiply.accumulate(A, axis=1)
    np.add.reduceat(x, [0, 2, 3])
    np.add.reduceat(A, [0, 2], axis=1)
    np.add.reduceat(x, [0, 3, 1, 4])
    np.multiply.reduceat(x, [0, 2])
    np.maximum.reduceat(x, [0, 2])
    np.add.outer(x, p)
    np.subtract.outer(A, p)
    np.multiply.outer(x, A)
    np.divide.outer(x, p)
    np.maximum.outer(x, p)
    np.minimum.outer(x, p)
    np.power.outer(x, p)
    np.hypot.outer(x, p)
    np.arctan2.outer(x, p)
    np.logaddexp.outer(x, p)
    # nan
    np.nansum(np.where(keep, x, np.nan))
    np.nanmean(np.where(mask, A, np.nan), axis=1)
    np.nanvar(np.where(mask, A, np.nan), axis=1, ddof=1)
    np.nanstd(np.where(mask, A, np.nan), axis=0)
    np.nanprod(np.where(mask, A, np.nan), axis=1)
    np.nanmax(np.where(mask, A, np.nan), axis=1)
    np.nanmin(np.where(mask, A, np.nan))
    np.nancumsum(np.where(mask, A, np.nan), axis=1)
    np.nancumsum(np.where(keep[:4], h, np.nan))
    np.nancumprod(np.where(mask, A, np.nan), axis=0)
    np.nansum(holes * s, axis=1)
    np.nanmean(holes * s + r)
    np.nanvar(holes * h, axis=1)
    np.nanvar(holes * s, axis=0, ddof=1)
    np.nanstd(np.sin(holes * s), axis=1)
    np.nanprod(holes * s, axis=1)
    np.nanmax(holes * s, axis=1)
    np.nanmax(np.log(holes * h) + r)
    np.nanmin(holes * h, axis=0)
    np.nancumsum(holes * s, axis=1)
    np.nancumsum(holes * h)
    np.nancumprod(holes * s, axis=1)
    np.nancumprod(holes * h)
    np.nanmedian(holes * s, axis=1)
    np.nanmedian(holes[0] * s)
    np.nanquantile(holes * h, 0.4, axis=1)
    np.nanpercentile(holes * s + r, 30.0)
    np.nancumprod(np.where(keep[:4], h, np.nan))
    np.nanmedian(np.where(mask, A, np.nan), axis=1)
    np.nanmedian(np.where(mask, A, np.nan))
    np.nanmedian(np.where(keep[:4], h, np.nan))
    np.nanquantile(np.where(mask, A, np.nan), 0.3, axis=1)
    np.nanquantile(np.where(keep[:4], h, np.nan), cuts)
    np.nanpercentile(np.where(mask, A, np.nan), 40, axis=1)
    np.nanpercentile(np.where(mask, A, np.nan), [20, 60], axis=0, keepdims=True)
    np.nan_to_num(np.where(keep[:4], h, np.nan), nan=2.0)
    # statistics
    np.cov(A)
    np.cov(x, y)
    np.cov(A, rowvar=False)
    np.cov(A, C)
    np.cov(A, bias=True)
    np.cov(A, ddof=0)
    np.cov(A, fweights=[1, 2, 1, 3])
    np.cov(A, aweights=h)
    np.cov(x)
    np.corrcoef(A)
    np.corrcoef(x, y)
    np.corrcoef(A, rowvar=False)
    np.histogram(grid, bins=3, weights=x)[0]
    np.histogram(grid, bins=bins, weights=x)[0]
    np.histogram(grid, bins, weights=x, density=True)[0]
    np.bincount(which, weights=x)
    np.bincount(which, x, minlength=4)
    np.digitize(x, bins) * x
    np.searchsorted(grid, x) * x
    x[np.argsort(u)]
    np.histogram2d(grid, grid**2, bins=2, weights=x)[0]
    np.histogramdd(np.stack([grid, grid**2], axis=1), bins=2, weights=x)[0]
    np.histogram2d(x, y, bins=3)[0] * s
    np.histogram2d(x, y, bins=3)[1]
    np.histogram2d(x, y, bins=(2, 3), range=[[0.0, 1.0], [0.2, 1.5]])[0] * s
    np.histogram2d(x, y, bins=[bins, 4], weights=w)[0]
    np.histogram2d(x, y, bins=bins, weights=w)[0]
    np.histogramdd(np.stack([x, y], axis=1), bins=2)[1][0]
    np.histogramdd(np.stack([x, y], axis=1), bins=[2, 3], weights=w)[0]
    np.histogramdd(np.stack([x, y], axis=1), bins=[bins, bins], weights=w)[0]
    np.kaiser(6, s)
    np.histogram_bin_edges(x, 4)
    # sorting and selecting
    np.union1d(x, p)
    np.unique(x, return_inverse=True)[0]
    np.unique(x, return_index=True, return_counts=True)[0]
    (a := np.unique(x, return_inverse=True), a[0][a[1]])[1]
    np.setdiff1d(x, p)
    np.intersect1d(x, x[:3])
    np.setxor1d(x, p)
    np.unique_values(x)
    np.unique_counts(x).values
    np.unique_inverse(x)[0]
    np.unique_all(x).values
    np.sort(A, axis=0)
    np.sort(x)[::-1]
    np.sort(A, axis=None)
    np.sort(z)
    np.sort_complex(x)
    np.partition(x, 2)
    np.partition(A, 1, axis=0)
    x[np.argpartition(u, 2)]
    np.take_along_axis(A, pick, axis=1)
    np.take_along_axis(A, np.argsort(N, axis=1), 1)
    np.take(A, [0, 2, 2], axis=1)
    np.take(x, at)
    np.take(x, at, mode="clip")
    np.take(x, [0, 7], mode="wrap")
    x.take(at)
    x.compress(keep)
    np.unique(x)
    np.unique(A)
    np.select([x > 1.0, x > 0.5], [x**2, y], default=s)
    np.choose(which, [x, y])
    np.choose(which, np.array([x, y]))
    np.compress([True, False, True], A, axis=0)
    np.extract(mask, A)
    np.piecewise(x, [x < 1.0, x >= 1.0], [lambda v: v**2, lambda v: np.sin(v)])
    np.piecewise(x, [x < 1.0], [lambda v: v**2, 2.0])
    np.where(mask, A, h)
    A[mask]
    A[np.nonzero(mask)]
    np.apply_along_axis(lambda v: np.sum(v**2), 1, A)
    np.apply_along_axis(lambda v: np.cumsum(v), 0, A)
    np.apply_along_axis(np.sort, 1, A)
    np.apply_over_axes(np.sum, T, [0, 2])
    np.vectorize(lambda a, b: a * b if a > b else b**2)(x, y)
    np.vectorize(math.sin)(A)
    np.vectorize(lambda a: np.sum(a**2), signature="(n)->()")(A)
    np.fromfunction(lambda i, j: s * i + t * j**2, (3, 4))
    # differences, integrals, interpolation
    np.diff(x)
    np.diff(A, n=2, axis=1)
    np.diff(x, prepend=0.0)
    np.diff(x, prepend=s, append=t)
    np.diff(x, n=0, prepend=s)
    np.diff(A, 0, 0, A[:1], A[:2])
    np.diff(A, axis=1, append=p[:, None])
    np.diff(A, axis=0, prepend=0)
    np.ediff1d(x)
    np.ediff1d(A)
    np.ediff1d(x, to_begin=0.0, to_end=[1.0, 2.0])
    np.ediff1d(x, to_begin=s, to_end=t)
    np.gradient(x)
    np.gradient(x, 0.5)
    np.gradient(x, s)
    np.gradient(x, grid)
    np.gradient(x, np.cumsum(y))
    np.gradient(x, edge_order=2)
    np.gradient(x, np.cumsum(y), edge_order=2)
    np.gradient(A)
    np.gradient(A, axis=1)
    np.gradient(A, 0.5, 2.0)
    np.gradient(A, s, t)
    np.gradient(A, 0.5, axis=(0, 1))
    np.gradient(A, np.cumsum(p), np.cumsum(h))
    np.gradient(T, axis=(0, 2))
    np.trapezoid(x)
    np.trapezoid(x, y)
    np.trapezoid(A, np.cumsum(h), axis=1)
    np.trapezoid(A, axis=0, dx=s)
    np.trapezoid(A, C)
    np.arctan2(np.interp(q, np.cumsum(h), z).imag, np.interp(q, np.cumsum(h), z).real)
    np.interp(q, np.cumsum(h), z).real
    np.interp(x, grid, y)
    np.interp(s, grid, y)
    np.interp(x, np.cumsum(y), w)
    np.interp(x, grid, y, left=s, right=t)
    np.interp(x, grid, y, period=3.0)
    np.interp(7.0 * x, grid, y, period=-3.0)
    np.dot([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], statistics.quantiles(p, n=9))
    np.interp(A, grid, y)
    np.unwrap(3.0 * u)
    np.unwrap(A, axis=0)
    # polynomials
    np.convolve(x, p)
    np.convolve(x, p, "same")
    np.convolve(x, p, mode="valid")
    np.convolve(z, p)
    np.correlate(x, p)
    np.correlate(x, p, "full")
    np.correlate(x, p, "same")
    np.correlate(p, x, "same")
    np.correlate(h, long, "same")
    np.correlate(z, u, "same")
    np.cross(A[:, :3], p)
    np.cross(p, q)
    np.cross(V, V[::-1] ** 2)
    np.kron(A, S)
    np.kron(x, p)
    np.kron(A, p)
    np.vander(p)
    np.vander(p, 4, increasing=True)
    np.polyval(p, s)
    np.polyval(p, A)
    np.polyval([s, t, 1.0], x)
    np.polyfit(grid, x, 2)
    np.polyfit(y, x, 2)
    np.polyfit(y, x, 1, w=w)
    np.polyfit(y, np.outer(x, p), 1)
    np.poly1d(p)(x)
    np.poly1d(p).deriv()(x)
    np.poly1d([s, 2.0, t])(r)
    np.polyadd(p, h)
    np.polysub(x, p)
    np.polymul(p, h)
    np.polyder(x)
    np.polyder(x, 2)
    np.polyint(p)
    np.polyint(p, 2)
    np.polyint(p, k=s)
    np.polydiv(x, p)[0]
    np.polydiv(x, p)[1]
    np.poly(p)
    np.roots(np.array([1.0, -6.0, 11.0, -6.0]) * (1.0 + 0.01 * h))
    np.polynomial.polynomial.polyval(s, p)
    np.polynomial.polynomial.polyval(x, p)
    np.polynomial.polynomial.polyadd(p, h)
    np.polynomial.polynomial.polymul(p, h)
    np.polynomial.polynomial.polyder(x)
    np.polynomial.polynomial.polyint(p)
    np.polynomial.polynomial.polyvander(p, 3)
    np.polynomial.polynomial.polyval2d(s, t, A)
    np.polynomial.polynomial.polyfit(grid, x, 2)
    np.polynomial.chebyshev.chebval(x, p)
    np.polynomial.legendre.legval(x, p)
    np.polynomial.hermite.hermval(x, p)
    np.polynomial.hermite_e.hermeval(x, p)
    np.polynomial.laguerre.lagval(x, p)
    np.polynomial.chebyshev.chebvander(x, 3)
    np.polynomial.legendre.legvander(x, 3)
    np.polynomial.hermite.hermvander(x, 3)
    np.polynomial.hermite_e.hermevander(x, 3)
    np.polynomial.laguerre.lagvander(A, 2)
    np.polynomial.polynomial.polyfromroots(p)
    np.polynomial.polynomial.polyroots(np.array([-6.0, 11.0, -6.0, 1.0]) * (1.0 + 0.01 * h))
    np.polynomial.polynomial.polygrid2d(x, p, A)
    np.polynomial.polynomial.polymulx(p)
    np.polynomial.polynomial.polypow(p, 3)
    np.polynomial.polynomial.polyvalfromroots(x, p)
    np.polynomial.polynomial.polydiv(x, p)[0]
    np.polynomial.polynomial.polysub(p, h)
    np.polynomial.Hermite(p)(x)
    np.polynomial.HermiteE(p)(x)
    np.polynomial.Laguerre(p)(x)
    np.polynomial.Legendre(p)(s)
    np.polynomial.Polynomial(p)(x)
    np.polynomial.Polynomial(p).deriv()(s) + np.polynomial.Polynomial(p).integ()(t)
    (np.polynomial.Polynomial(p) * np.polynomial.Polynomial(q))(s)
    (np.poly1d(p) * np.poly1d(q) + 2.0)(s)
    np.polynomial.Chebyshev(p)(s)
    # rearranging
    np.block([[A, B.T], [h, h]])
    np.block([x, p])
    np.block([[S, D], [D, S]])
    np.block(list(A))
    np.block([r * r for r in A])
    np.block([r for r in T])
    np.block([[r[0] * s, r[1:]] for r in A])
    np.block([r[0] * r[1] for r in A])
    np.insert(x, 1, s)
    np.insert(x, [1, 3], [s, t])
    np.insert(A, 1, h, axis=0)
    np.insert(A, 2, s, axis=1)
    np.delete(x, 1)
    np.delete(A, [0, 2], axis=1)
    np.delete(x, slice(1, 3))
    np.append(x, p)
    np.append(A, h[None, :], axis=0)
    np.resize(x, (3, 4))
    np.rot90(A)
    np.rot90(A, 2)
    np.rollaxis(T, 2)
    np.moveaxis(T, 0, -1)
    np.swapaxes(T, 0, 2)
    np.permute_dims(T, (2, 0, 1))
    np.matrix_transpose(T)
    T.mT
    A.T
    T.transpose(2, 0, 1)
    np.unstack(A)[1]
    np.unstack(A, axis=1)[2]
    np.unstack(A, axis=1)[-1] * np.unstack(B)[0]
    sum(r * r[0] for r in np.unstack(A))
    [np.sum(r) for r in np.unstack(A, axis=1)][1] * s
    np.stack(np.unstack(A)) * A
    np.split(h, 2)[1]
    np.array_split(x, 3)[0]
    np.hsplit(A, 2)[1]
    np.vsplit(B, 2)[0]
    np.dsplit(T, 2)[1]
    np.column_stack([x, y])
    np.dstack([A, C])
    np.vstack([x, y])
    np.hstack([x, p])
    np.stack([x, y], axis=1)
    np.concat([x, p])
    np.concatenate([A, C], axis=1)
    np.broadcast_arrays(p[:, None], h)[0]
    np.broadcast_to(p[:, None], (3, 4))
    np.atleast_1d(s)
    np.atleast_2d(x)
    np.atleast_3d(A)
    np.tril(A)
    np.triu(A, 1)
    np.tril(T, -1)
    np.diag(x)
    np.diag(S, 1)
    np.diagflat(x, 1)
    np.diagonal(A, 1)
    np.diagonal(T, axis1=1, axis2=2)
    T.diagonal(0, 1, 2)
    np.meshgrid(x, p)[0]
    np.meshgrid(x, p, indexing="ij")[1]
    np.meshgrid(x, p, sparse=True)[1]
    A[np.ix_([0, 2], [1, 3])]
    np.pad(A, 1)
    np.pad(A, ((1, 0), (0, 2)), mode="edge")
    np.pad(x, 2, mode="reflect")
    np.pad(x, 2, mode="constant", constant_values=s)
    np.pad(x, 2, mode="linear_ramp", end_values=t)
    np.pad(A, ((1, 0), (2, 1)), mode="mean")
    np.pad(A, 1, mode="linear_ramp", end_values=s)
    np.pad(x, 2, mode="mean")
    np.pad(x, 2, mode="maximum")
    np.pad(x, (1, 2), mode="wrap")
    np.tile(A, (2, 1))
    np.repeat(A, 2, axis=1)
    np.repeat(A, [1, 2, 0], axis=0)
    A.repeat(2)
    np.roll(A, 1, axis=1)
    np.roll(A, (1, 2), axis=(0, 1))
    np.flip(A, 0)
    np.flip(A)
    np.squeeze(tri)
    np.expand_dims(x, 1)
    np.reshape(A, (2, 6))
    A.reshape(-1, order="F")
    A.ravel("F")
    A.flatten()
    A.flat[3]
    np.ravel(A)
    np.astype(x, float)
    np.trim_zeros(x)
    np.copy(A)
    np.asarray_chkfinite(A)
    np.require(A)
    np.row_stack([x, y])
    np.full((2, 3), s)
    np.full_like(A, s)
    np.arange(s, 3.0, t)
    np.fft.fftfreq(4, s)
    np.fft.rfftfreq(4, s)
    np.linspace(s, t, 5)
    np.linspace(p, q, 4)
    np.linspace(p, q, 4, axis=1)
    np.linspace(s, t, 5, retstep=True)[1]
    np.logspace(s, t, 4)
    np.logspace(s, t, 4, base=r)
    np.geomspace(s, t, 4)
    np.array([s, t, s * t])
    np.array([[s, t], [t, r]])
    np.array([s, t], ndmin=2)
    np.array([x, y], ndmin=3)
    np.asarray([x, y])
    np.r_[x, s, p]
    np.c_[x, y]
    # products
    np.einsum("ij,jk", A, B)
    np.einsum("ij,jk->ik", A, B)
    np.einsum("ii", S)
    np.einsum("ii->i", S)
    np.einsum("...ij,...jk->...ik", T, Q)
    np.einsum("ij,j->", A, h)
    np.einsum("i,j,k->ijk", p, q, h)
    np.einsum("ij,ik,kl->jl", A, S, D)
    np.einsum("iij->j", np.stack([S, D], axis=2))
    np.einsum("ij...->...ji", T)
    np.einsum(A, [0, 1], B, [1, 2], [0, 2])
    np.einsum(A, [0, 1], B, [1, 0])
    np.einsum(T, [Ellipsis, 0], h, [0], [Ellipsis])
    np.einsum("ij,jk->ik", A, B, optimize=True)
    np.einsum("i,i->", z, z)
    np.tensordot(A, B, 1)
    np.tensordot(T, A, axes=2)
    np.tensordot(T, A, axes=([1, 2], [0, 1]))
    np.tensordot(T, A, axes=(1, 0))
    np.tensordot(x, p, 0)
    np.inner(A, C)
    np.inner(A, h)
    np.inner(T, h)
    np.vdot(A, C)
    np.vdot(z, z)
    np.vecdot(A, h)
    np.vecdot(T, A)
    np.vecdot(A, p[:, None], axis=0)
    np.vecdot(Z, z)
    np.matvec(A, h)
    np.matvec(T, h)
    np.matvec(T, T[:, 0])
    np.vecmat(p, A)
    np.vecmat(T[:, :, 0], T)
    np.vecmat(p, T)
    np.matmul(T, B)
    np.matmul(A, Q)
    np.matmul(T, Q)
    np.matmul(h, B)
    np.matmul(T, h)
    np.matmul(p, T)
    np.dot(A, B)
    np.dot(T, B)
    np.dot(T, Q)
    np.outer(A, p)
    A.dot(h)
    h @ G @ h
    np.trace(T, axis1=1, axis2=2)
    A.trace(1)
    # linalg
    np.linalg.solve(G, h)
    np.linalg.solve(U, p)
    np.linalg.solve(U, U @ U)
    np.linalg.inv(U)
    np.linalg.pinv(A)
    np.linalg.pinv(R)
    np.linalg.pinv(P, hermitian=True)
    np.linalg.lstsq(B, h)[0]
    np.linalg.lstsq(B, G)[0]
    np.linalg.lstsq(B, h, rcond=None)[1]
    np.linalg.lstsq(B, h, rcond=None)[3]
    np.linalg.lstsq(A, p, rcond=None)[0]
    np.linalg.det(U)
    np.linalg.slogdet(U)[1]
    np.linalg.cholesky(P)
    np.linalg.cholesky(P, upper=True)
    np.linalg.eigh(P)[0]
    np.linalg.eigh(P, UPLO="U")[0]
    np.linalg.eigh(P).eigenvalues
    np.linalg.eigh(P)[1] ** 2
    np.linalg.eigvalsh(P)
    np.linalg.eigvals(np.diag(p) + 0.01 * S)
    np.linalg.eigvals(D)
    np.linalg.eig(np.diag(p) + 0.01 * S)[0]
    np.linalg.eig(np.diag(p) + 0.01 * S)[1] ** 2
    np.linalg.eig(D)[0]
    np.abs(np.linalg.eig(D)[1]) ** 2
    np.linalg.eigvals(U)
    np.linalg.svd(A, compute_uv=False)
    np.linalg.svd(R, full_matrices=False)[1]
    np.linalg.svd(A, full_matrices=False)[0] ** 2
    np.linalg.svd(A)[1]
    np.linalg.svd(S)[2] ** 2
    np.linalg.svd(R)[0] ** 2
    np.linalg.svdvals(A)
    np.linalg.qr(B)[1]
    np.linalg.qr(B)[0]
    np.linalg.qr(A)[1]
    np.linalg.qr(A)[0]
    np.linalg.qr(B, mode="r")
    np.linalg.qr(A, mode="r")
    np.linalg.qr(G, mode="complete")[0]
    np.linalg.qr(B, mode="complete")[1]
    np.linalg.qr(Q)[1]
    np.linalg.norm(A)
    np.linalg.norm(x)
    np.linalg.norm(u, 1)
    np.linalg.norm(u, np.inf)
    np.linalg.norm(u, -np.inf)
    np.linalg.norm(u, 3)
    np.linalg.norm(u, s)
    np.linalg.norm(u, 0) * x
    np.linalg.norm(N, axis=1)
    np.linalg.norm(N, ord=1)
    np.linalg.norm(N, ord=2)
    np.linalg.norm(N, ord=-2)
    np.linalg.norm(N, ord=-1)
    np.linalg.norm(N, ord=np.inf)
    np.linalg.norm(N, ord="nuc")
    np.linalg.norm(N, ord="fro", keepdims=True)
    np.linalg.norm(R, ord=2, axis=(1, 2))
    np.linalg.norm(R, ord="nuc", axis=(0, 2))
    np.linalg.norm(R, ord=2, axis=(2, 0))
    np.linalg.norm(R, ord=1, axis=(2, 0))
    np.linalg.norm(R, ord=1, axis=(0, 1), keepdims=True)
    np.linalg.norm(N, ord=3, axis=0)
    np.linalg.norm(R, axis=(0, 2))
    np.linalg.norm(z)
    np.linalg.norm(Z, axis=1)
    np.linalg.norm(Z, 1)
    np.linalg.norm(Z, "nuc")
    np.linalg.vector_norm(R, axis=(0, 2))
    np.linalg.vector_norm(R, axis=(0, 2), ord=3)
    np.linalg.vector_norm(N, ord=1)
    np.linalg.vector_norm(N, axis=1, ord=np.inf, keepdims=True)
    np.linalg.matrix_norm(R, ord="nuc")
    np.linalg.matrix_norm(R, keepdims=True)
    np.linalg.matrix_power(S, 3)
    np.linalg.matrix_power(S, -2)
    np.linalg.matrix_power(U, 2)
    np.linalg.matrix_power(S, 0)
    np.linalg.multi_dot([A, B, S])
    np.linalg.multi_dot([h, B, p])
    np.linalg.multi_dot([A, B, S, D])
    np.linalg.cond(S)
    np.linalg.cond(S, 2)
    np.linalg.cond(S, 1)
    np.linalg.cond(S, "fro")
    np.linalg.cond(S, -2)
    np.linalg.cond(S, np.inf)
    np.linalg.cond(U)
    np.linalg.cond(U, 1)
    np.linalg.tensorsolve(F, F[0, 0] + F[1, 1])
    np.linalg.tensorsolve(np.moveaxis(F, 0, 2), F[1, 0], axes=(2,))
    np.linalg.tensorinv(F)
    np.linalg.matrix_rank(A) * A
    np.linalg.cross(V, p)
    np.linalg.diagonal(T, offset=1)
    np.linalg.outer(p, h)
    np.linalg.trace(T)
    np.linalg.vecdot(T, A)
    np.linalg.matmul(A, B)
    np.linalg.tensordot(A, B, axes=1)
    np.linalg.matrix_transpose(A)
    np.linalg.inv(H)
    np.linalg.solve(H, Z)
    np.linalg.det(H)
    np.linalg.slogdet(H)[1]
    np.linalg.slogdet(H)[0]
    np.linalg.cholesky(H @ np.conj(H.T) + np.eye(3))
    np.linalg.eigvalsh(H + np.conj(H.T))
    np.linalg.eigh(H + np.conj(H.T))[0]
    np.linalg.eigvals(H)
    np.linalg.pinv(Z)
    np.linalg.svd(Z, compute_uv=False)
    np.linalg.svdvals(Z)
    np.linalg.qr(H)[1]
    # complex
    np.real(z * z)
    np.imag(np.exp(z))
    np.conj(z) * z
    np.abs(z)
    np.absolute(Z)
    np.angle(z)
    np.angle(z, deg=True)
    z.real * z.imag
    z.conj()
    np.sqrt(z)
    np.log(z)
    np.exp(1j * x)
    np.sin(z) / np.cosh(z)
    np.power(z, 2.5)
    np.real_if_close(x)
    np.square(z)
    np.reciprocal(z)
    # fft
    np.fft.fft(x)
    np.fft.fft(z, n=6)
    np.fft.fft(A, axis=0, norm="ortho")
    np.fft.ifft(z, norm="forward")
    np.fft.rfft(x)
    np.fft.rfft(x, n=8)
    np.fft.rfft(A, n=3, axis=1)
    np.fft.irfft(z)
    np.fft.irfft(z, n=7, norm="ortho")
    np.fft.hfft(z)
    np.fft.ihfft(x)
    np.fft.fft2(A)
    np.fft.fft2(T, axes=(0, 1))
    np.fft.ifft2(Z)
    np.fft.fftn(T)
    np.fft.fftn(T, s=(2, 2), axes=(1, 2))
    np.fft.ifftn(Z, norm="ortho")
    np.fft.rfft2(A)
    np.fft.irfft2(Z)
    np.fft.rfftn(T)
    np.fft.rfftn(T, axes=(0, 2))
    np.fft.irfftn(Z)
    np.fft.irfftn(Z, s=(3, 5), axes=(0, 1))
    np.fft.fftshift(np.fft.fft(x))
    np.fft.ifftshift(A, axes=0)
    # elementwise
    np.hypot(A, h)
    np.arctan2(u, x)
    np.logaddexp(u, x)
    np.clip(x, 0.5, 1.2)
    np.clip(x, s, t)
    np.clip(x, min=s)
    np.clip(x, max=t)
    x.clip(s, t)
    np.heaviside(u, 0.5) * x
    np.sinc(u)
    np.i0(x)
    np.cbrt(x)
    np.emath.logn(3.0, x + 0.5)
    np.emath.power(x + 0.5, 1.5)
    np.emath.log2(x + 0.5) + np.emath.log10(x + 0.5)
    np.emath.arcsin(x / 4) + np.emath.arccos(x / 4) * np.emath.arctanh(x / 4)
    np.float_power(x, y)
    np.pow(x, 2)
    np.acos(x / 2)
    np.asinh(x)
    np.atan2(x, y)
    np.fmod(x, t)
    np.remainder(u, t)
    np.mod(x, s)
    np.divmod(x, s)[1]
    np.modf(3.0 * x)[0]
    np.frexp(x)[0]
    np.ldexp(x, which)
    np.copysign(x, u)
    np.nextafter(x, 2.0)
    np.maximum(x, s)
    np.fmin(x, y)
    np.abs(u)
    np.fabs(u)
    np.sign(u) * x
    np.round(x, 2) * x
    np.around(u) * x
    np.isclose(x, y) * x
    np.trunc(3 * x) * x
    np.deg2rad(x)
    np.expm1(x)
    np.exp2(x)
    np.logaddexp2(x, y)
    np.positive(x)
    np.square(x)
    np.nan_to_num(x)
    # math
    math.fma(s, t, r)
    math.sumprod([s, t], [r, 2.0])
    math.sumprod(x, y)
    math.cbrt(s)
    math.exp2(s)
    math.dist([s, t], [r, 1.0])
    math.dist(p, q)
    math.hypot(s, t, r)
    math.hypot(*p)
    math.prod([s, t, r])
    math.prod(p)
    math.prod(x, start=s)
    math.fsum([s, t, r])
    math.fsum(x)
    math.fsum(v**2 for v in x)
    math.log(s, t)
    math.log1p(s) + math.expm1(t)
    math.pow(s, t)
    math.atan2(s, t)
    math.copysign(s, -1.0)
    math.fmod(t, s)
    math.remainder(t, s)
    math.modf(t)[0]
    math.ldexp(s, 3)
    math.frexp(s)[0]
    math.erf(s) * math.erfc(t)
    math.gamma(t) + math.lgamma(s)
    math.degrees(s) * math.radians(t)
    math.floor(t) * s
    math.isqrt(5) * s
    math.comb(5, 2) * s
    math.nextafter(s, 2.0)
    # cmath
    cmath.exp(c)
    cmath.log(c)
    cmath.sqrt(c)
    cmath.phase(c)
    cmath.polar(c)[0]
    cmath.rect(s, t)
    cmath.sin(c) * cmath.tanh(c)
    cmath.acosh(c)
    cmath.log10(c)
    # operator
    operator.add(s, t)
    operator.mul(x, y)
    operator.truediv(x, s)
    operator.pow(x, 2)
    operator.matmul(A, h)
    operator.neg(x)
    operator.abs(u)
    operator.mod(x, s)
    operator.itemgetter(1)([s, t])
    operator.itemgetter(0, 2)([s, t, r])[1]
    operator.itemgetter(2)(x)
    operator.attrgetter("T")(A)
    operator.methodcaller("sum", axis=0)(A)
    operator.getitem(x, 2)
    operator.iadd(s, t)
    operator.isub(s, t)
    operator.imul(s, t)
    operator.itruediv(s, t)
    operator.ipow(s, t)
    operator.imod(t, s)
    operator.ifloordiv(t, s) * s
    operator.iconcat([s], [t])[1]
    operator.imatmul(A, G)
    (a := x.copy(), operator.setitem(a, 2, s), a)[2]
    (a := x.copy(), operator.iadd(a, y), a)[2]
    functools.reduce(operator.mul, [s, t, r])
    operator.concat([s], [t])[1]
    operator.length_hint([1, 2]) * s
    operator.call(math.sin, s)
    # statistics
    statistics.mean([s, t, r])
    statistics.mean(x)
    statistics.fmean([s, t, r])
    statistics.fmean(x)
    statistics.fmean([s, t, r], weights=[1.0, 2.0, 3.0])
    statistics.fmean(x, weights=y)
    statistics.geometric_mean([s, t, r])
    statistics.harmonic_mean([s, t, r])
    statistics.harmonic_mean([s, t, r], weights=[1.0, 2.0, 3.0])
    statistics.variance([s, t, r])
    statistics.variance([s, t, r], statistics.mean([s, t, r]))
    statistics.pvariance([s, t, r])
    statistics.pvariance([s, t, r], mu=s)
    statistics.stdev(x)
    statistics.pstdev([s, t, r])
    statistics.median([s, t, r])
    statistics.median([s, t, r, 1.0])
    statistics.median_low([s, t, r, 1.0])
    statistics.median_high([s, t, r, 1.0])
    statistics.covariance([s, t, r], [1.0, r, s])
    statistics.covariance(x, y)
    statistics.median_grouped([s, t, r, 1.0])
    statistics.correlation([s, t, r], [1.0, r, s])
    statistics.linear_regression([s, t, r], [1.0, r, s]).slope
    statistics.linear_regression(x, y).intercept
    statistics.linear_regression([s, t, r], [1.0, r, s], proportional=True).slope
    np.array(statistics.quantiles([s, t, r, 1.0, 0.2]))
    np.array(statistics.quantiles(x, n=3, method="inclusive"))
    # builtins
    sum([s, t, r])
    sum([s, t], r)
    sum(A[3:]) + s
    sum(x)
    max(s, t, r)
    min([s, t, r])
    max(x)
    abs(u)
    pow(s, 3)
    pow(x, t)
    round(s) * t
    divmod(t, s)[1]
    complex(s, t)
    float(s)
    np.float64(s)
    np.float64(x) * x
    np.float64([s, t]) * [t, s]
    np.longdouble(x) * x
    np.complex128(s) * s
    np.complex128(x) * (1.0 + 2.0j)
    np.int64(3.0 * s) * s
    np.int32(3.0 * x) * x
    np.bool_(x) * x
    # seldom used arguments
    np.choose([0, 1, 2, 1], A)
    np.choose(which + 1, [x, y], mode="wrap")
    np.choose(which * 3, [x, y], mode="clip")
    np.choose(which * 3, np.array([x, y]), mode="clip")
    np.piecewise(s, [s < 0.5, s >= 0.5], [lambda v: v, lambda v: v**3])
    np.piecewise(s, [s < 0.5], [0.0, lambda v: v**3])
    np.piecewise(x, [x < 0.5], [0.0, lambda v: v**3])
    np.pad(x, 2, mode="reflect", reflect_type="odd")
    np.pad(x, (2, 7), mode="reflect", reflect_type="odd")
    np.pad(x, 2, "symmetric", reflect_type="odd")
    np.pad(A, ((1, 2), (0, 1)), "symmetric", reflect_type="odd")
    np.pad(A, 1, mode="constant", constant_values=((s, t), (r, 0.0)))
    np.pad(A, ((1, 2), (0, 1)), mode="constant", constant_values=(s, t))
    np.pad(x, (2, 1), mode="constant", constant_values=(s, t))
    np.pad(x, (2, 1), constant_values=s)
    np.pad(x, (2, 1), "linear_ramp", end_values=(s, t))
    np.pad(A, 2, "linear_ramp", end_values=((s, t), (1.0, r)))
    np.unique(A, axis=0)
    np.unique(A, axis=1)
    np.unique(x, sorted=True)
    np.atleast_1d(s, t)[1]
    np.atleast_2d(x, s)[0]
    np.atleast_2d(x, s)[1]
    np.atleast_3d(x, A)[1]
    np.ix_(x, p)[0] * np.ix_(x, p)[1]
    np.fromiter([s, t, r], dtype=float)
    np.fromiter((v**2 for v in x), float)
    np.fromiter((v**2 for v in [s, t, r]), float, count=2)
    np.nansum(A, axis=1, initial=s)
    np.nansum(A, where=mask)
    np.nanprod(A, axis=0, where=mask, initial=2.0)
    np.nanmin(A, axis=1, initial=0.4)
    np.nanmean(A, axis=1, where=mask)
    np.nanvar(A, axis=1, where=mask)
    np.nanstd(A, axis=1, where=mask, ddof=1)
    np.cov(Z)
    np.cov(Z, bias=True)
    np.cov(Z, bias=None)
    np.cov(z)
    (np.poly1d(p) ** 2)(s)
    np.poly1d(p).integ(2, [s, t])(r)
    np.polynomial.chebyshev.chebval(x, A)
    np.polynomial.legendre.legval(V, A)
    np.polynomial.laguerre.lagval(s, A)
    np.polynomial.hermite.hermval(h, A, tensor=False)
    np.polynomial.polynomial.polyval(x, A)
    np.pad(x, (1, 2), constant_values=[s, t])
    np.pad(x, (1, 2), "linear_ramp", end_values=[s, t])
    np.pad(V, 1, constant_values=[[s, t], [r, 2.0]])
    np.pad(x, 2, "mean", stat_length=9)
    np.polyint(p, 2, [1.5, s])
    np.polynomial.polynomial.polyfit(grid, x, 1, full=True)[0]
    np.polyint(p, 2, s)
    np.poly1d(p)[5] + np.poly1d(p)[-1] + np.poly1d(p)[1]
    np.polynomial.polynomial.polypow(p, 0) * s
    np.polymul(p, [0.0, s, t])
    np.poly1d([0.0, s, t]).coeffs * np.poly1d([0.0, s, t]).order
    (2.0 - np.poly1d(p))(s)
    np.poly1d(p)(np.poly1d(q))(s)
    (np.poly1d(h) / np.poly1d(q[:2]))[0](s)
    np.lib.stride_tricks.sliding_window_view(x, 3)
    np.lib.stride_tricks.sliding_window_view(x, k)
    np.lib.stride_tricks.sliding_window_view(A, 2, axis=1)
    np.lib.stride_tricks.sliding_window_view(A, (2, 2))
    np.lib.stride_tricks.sliding_window_view(A, (2, 3), axis=(1, 0))
    np.lib.stride_tricks.sliding_window_view(x, 3) @ p
    np.mean(np.lib.stride_tricks.sliding_window_view(x, window_shape=3), axis=-1)
    np.lib.stride_tricks.sliding_window_view(z, 2)
    np.reshape(A, (2, -1), copy=True)
    np.ravel(x, order="K")
    np.polyval(A, s)
    np.polyval(A, h)
    np.polyfit(x, y, 1, full=True)[0]
    np.polyfit(x, y, 1, cov=True)[0]
    np.polyfit(x, y, 1, cov=True)[1]
    np.polyfit(x, y, 1, cov="unscaled", w=w)[1]
    np.polyfit(x, y, 2, full=True)[1]
    np.polyfit(x, y, 2, full=True)[3]
    np.polyfit(x, np.outer(y, p), 2, full=True)[1]
    np.polyfit(x, np.outer(y, p), 1, cov=True)[1]
    np.modf(x, out=(np.empty(5), np.empty(5)))[0]
    np.divmod(x, s, out=(np.empty(5), np.empty(5)))[1]
    np.modf(x, out=(np.empty(5), None))[0]
    np.vectorize(lambda a: a**2, otypes=[float])(x)
    np.vectorize(lambda a: a**2, otypes="d")(x)
    np.vectorize(lambda a, b: a @ b, signature="(n),(n)->()")(A, h)
    np.vectorize(lambda a, b: np.outer(a, b), signature="(n),(m)->(n,m)")(A, x)
    np.vectorize(lambda m, v: m @ v, signature="(n,n),(n)->(n)")(U, p)
    np.vectorize(lambda m: np.trace(m), signature="(n,n)->()")(U)
    np.vectorize(lambda a, t: a * t, signature="(n),()->(n)")(A, s)
    np.float_power.reduce(p)
    np.float_power.reduce(x)
    np.copysign.reduce(u)
    np.remainder.reduce(x)
    np.float_power.accumulate(p)
    statistics.NormalDist(s, t).pdf(r)
    statistics.NormalDist(s, t).cdf(r)
    statistics.NormalDist(s, t).zscore(r) + statistics.NormalDist(s, t).variance
    (statistics.NormalDist(s, t) + statistics.NormalDist(r, s) * 2.0).cdf(r)
    (a := x.copy(), np.put_along_axis(a, at[:2], s, axis=None), a)[2]
    (a := x.copy(), np.put_along_axis(a, at[:2], s, 0), a)[2]
    np.matmul(T, Q, axes=[(-2, -1), (-2, -1), (-2, -1)])
    np.matmul(T, Q, axes=[(1, 2), (1, 2), (0, 1)])
    np.quantile(A, 0.3, weights=C, method="inverted_cdf", axis=1)
    np.quantile(A, [0.3, 0.7], weights=C, method="inverted_cdf", axis=0)
    np.quantile(A, 0.3, weights=h, method="inverted_cdf", axis=1, keepdims=True)
    np.quantile(x, 0.4, weights=y, method="inverted_cdf")
    np.percentile(x, 60, weights=y, method="inverted_cdf")
    np.quantile(A, 0.4, weights=C, method="inverted_cdf")
    # stores by functions
    (a := A.copy(), np.fill_diagonal(a, s), a)[2]
    (a := A.copy(), np.fill_diagonal(a, p), a)[2]
    (a := A.copy(), np.putmask(a, mask, s), a)[2]
    (a := A.copy(), np.putmask(a, mask, C), a)[2]
    (a := A.copy(), np.place(a, mask, [s, t]), a)[2]
    (a := A.copy(), np.place(a, mask, p), a)[2]
    (a := x.copy(), np.put(a, [0, 2], [s, t]), a)[2]
    (a := A.copy(), np.put_along_axis(a, pick, C[:, :2], axis=1), a)[2]
    (a := A.copy(), np.put_along_axis(a, pick, s, 1), a)[2]
    (a := x.copy(), np.add.at(a, at, h), a)[2]
    (a := x.copy(), np.subtract.at(a, at, h), a)[2]
    (a := x.copy(), np.multiply.at(a, [0, 2, 3], p), a)[2]
    (a := x.copy(), np.multiply.at(a, at, h), a)[2]
    (a := x.copy(), np.divide.at(a, [0, 2, 3], p), a)[2]
    (a := x.copy(), np.maximum.at(a, [0, 2, 3], p), a)[2]
    (a := x.copy(), np.exp.at(a, [0, 2]), a)[2]
    (a := A.copy(), np.multiply.at(a, [0, 1, 1], h), a)[2]
    (a := x.copy(), np.multiply.at(a, keep, p), a)[2]
    (a := x.copy(), np.maximum.at(a, [0, 2, 2], [s]), a)[2]
    (a := x.copy(), np.copyto(a, y), a)[2]
    (a := x.copy(), np.copyto(a, y, where=keep), a)[2]
    (a := x.copy(), a.fill(s), a)[2]
    (a := x.copy(), a.sort(), a)[2]
    (a := x.copy(), a.partition(2), a)[2]
    (a := x.copy(), a.put([0, 1], s), a)[2]
    """.splitlines()
    if line.strip() and not line.strip().startswith("#")
]


class Program:
    """A program around one expression: what it computes, its arguments, and which of them vary."""

    def __init__(self, expression: str, values: dict[str, Any] = VALUES, more: dict[str, Any] | None = None) -> None:
        import cmath
        import functools
        import math
        import operator
        import statistics

        modules = {
            "np": np, "math": math, "cmath": cmath, "operator": operator, "statistics": statistics,
            "functools": functools, **(more or {}),
        }  # fmt: skip
        text = re.sub(r'"[^"]*"', '""', expression)
        free = [n for n in dict.fromkeys(re.findall(r"(?<![\w.])[A-Za-z_]\w*", text)) if n in values]
        bound = set(re.findall(r"\bfor (\w+) in", text)) | set(re.findall(r"(\w+) :=", text))
        for parameters in re.findall(r"lambda ([^:]*):", text):
            bound |= {p.strip() for p in parameters.split(",")}
        keywords = set(re.findall(r"[(,] *(\w+)=", text))
        used = {n for n in free if re.search(rf"(?<![\w.]){n}(?!\w|=[^=])", text)}
        self.names = [n for n in free if n in used and n not in bound and (n not in keywords or n in used)]
        self.wrt = tuple(i for i, n in enumerate(self.names) if n not in FIXED)
        self.args = tuple(copy.deepcopy(values[n]) for n in self.names)  # a program may write into them
        with np.errstate(all="ignore"):
            value = eval(expression, {**modules, **dict(zip(self.names, self.args, strict=True))})
        lines = [f"result = {expression}"]
        if isinstance(value, (tuple, list)):
            parts = [f"result[{i}]" for i in range(len(value)) if np.asarray(value[i]).dtype.kind in "fc"]
            terms = [self.term(part, eval(part, {"result": value})) for part in parts]
        else:
            terms = [self.term("result", value)]
        lines.append(f"return {' + '.join(terms)}")
        source = f"def f({', '.join(self.names)}):\n" + "".join(f"    {line}\n" for line in lines)
        file = f"<call {id(self)}>"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        scope: dict[str, Any] = {**modules, "weigh": weigh}
        exec(compile(source, file, "exec"), scope)
        self.source, self.f = source, scope["f"]

    @staticmethod
    def term(name: str, value: Any) -> str:
        if np.ndim(value) == 0:
            return f"(np.real({name}) ** 2 + 0.7 * np.imag({name}))" if np.iscomplexobj(value) else f"{name} ** 2"
        if np.iscomplexobj(value):
            return f"weigh(np.real({name})) + 0.7 * weigh(np.imag({name}))"
        return f"weigh({name})"


def weigh(a: Any) -> Any:
    """A number that depends on each element of an array in another way, and not linearly."""
    weights = np.reshape(np.cos(np.arange(np.size(a)) + 0.5), np.shape(a))
    return np.sum(weights * a + 0.5 * a * a)
