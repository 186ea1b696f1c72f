"""What sorting, quantiles, partitions and extrema pick, and sets."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def places_in_order(x: Any) -> Any:
    """Where the elements of x stand, counted through all of it, in the order that sorts the last axis.

    >>> places_in_order(np.array([[3.0, 1.0], [5.0, 6.0]]))
    array([[1, 0],
           [2, 3]])
    """
    order = np.argsort(x, axis=-1)
    if np.ndim(x) > 1:
        rows = np.reshape(np.arange(math.prod(x.shape[:-1])), (*x.shape[:-1], 1))
        order += x.shape[-1] * rows
    return order


def shared_by_equals(g: Any, x: Any) -> Any:
    """g, and its mean where neighbours on the last axis of x are equal.

    >>> shared_by_equals(np.array([1.0, 3.0, 5.0]), np.array([7.0, 7.0, 8.0]))
    array([2., 2., 5.])
    """
    first = np.ones(x.shape, dtype=bool)
    np.not_equal(x[..., 1:], x[..., :-1], out=first[..., 1:])
    if np.all(first):
        return g
    group = np.cumsum(first) - 1
    mean = np.bincount(group, np.ravel(g)) / np.bincount(group)
    return np.reshape(mean[group], x.shape).astype(np.result_type(g, 1.0))


def sort_tangent(dx: Any, x: Any, axis: Any = -1) -> Any:
    """The tangent of np.sort(x, axis): sorted along; equal elements share evenly.

    >>> sort_tangent(np.array([1.0, 2.0, 4.0]), np.array([3.0, 1.0, 1.0]))
    array([3., 3., 1.])
    """
    if axis is None:
        dx, x, axis = np.reshape(dx, -1), np.reshape(x, -1), 0
    x, dx = np.moveaxis(x, axis, -1), np.moveaxis(dx, axis, -1)
    order = places_in_order(x)
    return np.moveaxis(shared_by_equals(np.take(dx, order), np.take(x, order)), -1, axis)


def sort_back(g: Any, x: Any, axis: Any = -1) -> Any:
    """The adjoint of x in np.sort(x, axis), whose adjoint is g; equal elements share evenly.

    >>> sort_back(np.array([1.0, 2.0, 4.0]), np.array([3.0, 1.0, 1.0]))
    array([4. , 1.5, 1.5])
    """
    shape = np.shape(x)
    if axis is None:
        x, axis = np.reshape(x, -1), 0
    x, g = np.moveaxis(x, axis, -1), np.moveaxis(g, axis, -1)
    order = places_in_order(x)
    out = np.empty(x.size, dtype=np.result_type(g, 1.0))
    out[order] = shared_by_equals(g, np.take(x, order))
    return np.reshape(np.moveaxis(np.reshape(out, x.shape), -1, axis), shape)


def quantile_parts(x: Any, q: float, axis: Any = None) -> Any:
    """What np.quantile(x, q, axis) is made of: pairs of a share and where the elements are that it is a share of.

    >>> [(share, where.tolist()) for share, where in quantile_parts(np.array([3.0, 1.0, 2.0, 9.0]), 0.5)]
    [(0.5, [False, False, True, False]), (0.5, [True, False, False, False])]
    """
    axes = range(np.ndim(x)) if axis is None else [a % np.ndim(x) for a in ([axis] if isinstance(axis, int) else axis)]
    lengths = [1 if i in axes else n for i, n in enumerate(np.shape(x))]
    last = np.moveaxis(x, axes, range(np.ndim(x) - len(axes), np.ndim(x)))
    rows = np.reshape(last, (math.prod(lengths), math.prod(np.shape(x)[i] for i in axes)))
    at = q * (rows.shape[1] - 1.0)
    low = min(max(math.floor(at), 0), rows.shape[1] - 1)
    high = min(low + 1, rows.shape[1] - 1)
    ordered = np.partition(rows, (low, high), axis=1)
    values = [np.reshape(ordered[:, i], lengths) for i in (low, high)]
    return [(share, x == value) for share, value in zip((1.0 - at + low, at - low), values, strict=True) if share]


def quantile_tangent(dx: Any, x: Any, q: float, axis: Any = None, keepdims: bool = False) -> Any:
    """The tangent of np.quantile(x, q, axis); equal elements share evenly.

    >>> quantile_tangent(np.array([1.0, 2.0, 4.0, 8.0]), np.array([3.0, 1.0, 2.0, 9.0]), 0.5)
    np.float64(2.5)
    """
    axis = tuple(axis) if isinstance(axis, list) else axis
    return sum(share * np.mean(dx, axis=axis, keepdims=keepdims, where=w) for share, w in quantile_parts(x, q, axis))


def quantile_back(g: Any, x: Any, q: float, axis: Any = None, keepdims: bool = False) -> Any:
    """The adjoint of x in np.quantile(x, q, axis), whose adjoint is g; equal elements share evenly.

    >>> quantile_back(1.0, np.array([3.0, 1.0, 2.0, 9.0]), 0.5)
    array([0.5, 0. , 0.5, 0. ])
    """
    axis = tuple(axis) if isinstance(axis, list) else axis
    g = g if axis is None or keepdims else np.expand_dims(g, axis)
    out = np.zeros_like(x)
    for share, where in quantile_parts(x, q, axis):
        out += where * (share * g / np.count_nonzero(where, axis=axis, keepdims=axis is not None))
    return out


def quantiles_tangent(dx: Any, x: Any, q: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The tangent of np.quantile(x, q, axis) for several q; equal elements share evenly.

    >>> quantiles_tangent(np.array([1.0, 2.0, 4.0, 8.0]), np.array([3.0, 1.0, 2.0, 9.0]), [0.5, 1.0])
    array([2.5, 8. ])
    """
    axes = tuple(range(np.ndim(x))) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    axes = tuple(a % np.ndim(x) for a in axes)
    rest = tuple(i for i in range(np.ndim(x)) if i not in axes)
    lengths = tuple(np.shape(x)[i] for i in rest)
    taken = tuple(np.shape(x)[i] for i in axes)
    rows = np.reshape(np.transpose(x, rest + axes), (int(np.prod(lengths)), int(np.prod(taken))))
    drows = np.reshape(np.transpose(dx, rest + axes), rows.shape)
    order = np.argsort(rows, axis=1)
    rows, drows = np.take_along_axis(rows, order, 1), np.take_along_axis(drows, order, 1)
    starts = np.ones(rows.shape, dtype=bool)
    starts[:, 1:] = rows[:, 1:] != rows[:, :-1]
    if not np.all(starts):
        group = np.cumsum(starts.ravel()) - 1
        mean = np.bincount(group, drows.ravel()) / np.bincount(group)
        drows = np.reshape(mean[group], rows.shape).astype(drows.dtype)
    at = np.asarray(q) * (rows.shape[1] - 1.0)
    low = np.clip(np.floor(at).astype(int), 0, rows.shape[1] - 1)
    high = np.minimum(low + 1, rows.shape[1] - 1)
    weight = (at - low).astype(drows.dtype)
    out = np.moveaxis(drows[:, low] * (1 - weight) + drows[:, high] * weight, 0, -1)
    kept = tuple(1 if i in axes else n for i, n in enumerate(np.shape(x))) if keepdims else lengths
    return np.reshape(out, np.shape(q) + kept)[()]


def quantiles_back(g: Any, x: Any, q: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The adjoint of x in np.quantile(x, q, axis) for several q, whose adjoint is g; equal elements share evenly.

    >>> quantiles_back(np.array([1.0, 3.0]), np.array([3.0, 1.0, 2.0, 9.0]), [0.5, 1.0])
    array([0.5, 0. , 0.5, 3. ])
    """
    axes = tuple(range(np.ndim(x))) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    axes = tuple(a % np.ndim(x) for a in axes)
    rest = tuple(i for i in range(np.ndim(x)) if i not in axes)
    lengths = tuple(np.shape(x)[i] for i in rest)
    moved = np.transpose(x, rest + axes)
    rows = np.reshape(moved, (int(np.prod(lengths)), int(np.prod(moved.shape[len(rest) :]))))
    order = np.argsort(rows, axis=1)
    rows = np.take_along_axis(rows, order, 1)
    at = np.ravel(q) * (rows.shape[1] - 1.0)
    low = np.clip(np.floor(at).astype(int), 0, rows.shape[1] - 1)
    high = np.minimum(low + 1, rows.shape[1] - 1)
    weight = at - low
    grows = np.reshape(np.asarray(g), (len(at), rows.shape[0])).T
    out = np.zeros_like(rows)
    np.add.at(out, (slice(None), low), grows * (1 - weight))  # type: ignore[arg-type]
    np.add.at(out, (slice(None), high), grows * weight)  # type: ignore[arg-type]
    starts = np.ones(rows.shape, dtype=bool)
    starts[:, 1:] = rows[:, 1:] != rows[:, :-1]
    shares = out.copy()
    if not np.all(starts):
        group = np.cumsum(starts.ravel()) - 1
        mean = np.bincount(group, out.ravel()) / np.bincount(group)
        shares = np.reshape(mean[group], rows.shape)
    np.put_along_axis(out, order, shares, 1)
    return np.transpose(np.reshape(out, moved.shape), np.argsort(rest + axes))


def largest(a: Any, axis: Any = None) -> Any:
    """The largest elements, with axes of length 1, and 0 for those that are not finite: what a sum of exponentials is
    shifted by.

    >>> largest(np.array([1.0, 3.0]))
    array([3.])
    """
    y = np.max(np.real(a), axis=axis, keepdims=True)
    return np.where(np.isfinite(y), y, 0.0)


def unique_back(g: Any, x: Any) -> Any:
    """The adjoint of x in np.unique(x), whose adjoint is g; equal elements share evenly.

    >>> unique_back(np.array([1.0, 2.0]), np.array([5.0, 3.0, 5.0]))
    array([1., 1., 1.])
    """
    _, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
    return np.reshape((g / counts)[inverse], np.shape(x)).astype(np.result_type(g, 1.0))


def unique_tangent(dx: Any, x: Any) -> Any:
    """The tangent of np.unique(x); equal elements share evenly.

    >>> unique_tangent(np.array([1.0, 2.0, 3.0]), np.array([5.0, 3.0, 5.0]))
    array([2., 2.])
    """
    _, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
    out = np.zeros(len(counts), dtype=dx.dtype)
    np.add.at(out, np.ravel(inverse), np.ravel(dx))
    return (out / counts).astype(dx.dtype)


def places_in_parts(x: Any, y: Any, kth: Any) -> Any:
    """Where in x, counted through all of it, the elements of y = np.partition(x, kth) come from: np.partition goes by
    comparisons, so that numbers with their places in their last bits go the same ways. Where the last bits matter, or
    there are none to spare, x and y are sorted.

    >>> places_in_parts(np.array([5.0, 3.0, 4.0]), np.array([3.0, 4.0, 5.0]), 1)
    array([1, 2, 0])
    """
    n = x.shape[-1]
    if x.dtype == np.float64 and np.all(np.isfinite(x)):
        last = (1 << n.bit_length()) - 1
        marked = x.view(np.int64) & ~last
        marked |= np.arange(n)
        places = np.partition(marked.view(np.float64), kth).view(np.int64)
        places &= last
        if np.ndim(x) > 1:
            places += n * np.reshape(np.arange(math.prod(x.shape[:-1])), (*x.shape[:-1], 1))
        if np.array_equal(np.take(x, places), y):
            return places
    places = np.empty(x.size, dtype=int)
    places[places_in_order(y)] = places_in_order(x)
    return np.reshape(places, x.shape)


def shared_with_kth(g: Any, y: Any, kth: Any) -> Any:
    """g, and its mean where y = np.partition(x, kth) is equal to a kth element.

    >>> shared_with_kth(np.array([1.0, 3.0, 5.0]), np.array([7.0, 7.0, 8.0]), 1)
    array([2., 2., 5.])
    """
    for k in np.atleast_1d(kth):
        equal = y == y[..., k, None]
        if np.count_nonzero(equal) > y.size // y.shape[-1]:
            total, count = (np.sum(v, axis=-1, keepdims=True) for v in (g * equal, equal))
            g = np.where(equal, total / count.astype(np.result_type(g, 1.0)), g)
    return g


def partition_back(g: Any, x: Any, y: Any, kth: Any, axis: Any = -1) -> Any:
    """The adjoint of x in y = np.partition(x, kth, axis), whose adjoint is g; those equal to a kth share evenly.

    >>> partition_back(np.array([1.0, 2.0]), np.array([5.0, 3.0]), np.array([3.0, 5.0]), 0)
    array([2., 1.])
    """
    shape = np.shape(x)
    if axis is None:
        x, axis = np.reshape(x, -1), 0
    x, y, g = np.swapaxes(x, axis, -1), np.swapaxes(y, axis, -1), np.swapaxes(g, axis, -1)
    out = np.empty(x.size, dtype=np.result_type(g, 1.0))
    if x.size:
        out[places_in_parts(x, y, kth)] = shared_with_kth(g, y, kth)
    return np.reshape(np.swapaxes(np.reshape(out, x.shape), axis, -1), shape)


def partition_tangent(dx: Any, x: Any, y: Any, kth: Any, axis: Any = -1) -> Any:
    """The tangent of y = np.partition(x, kth, axis); those equal to a kth share evenly.

    >>> partition_tangent(np.array([1.0, 2.0]), np.array([5.0, 3.0]), np.array([3.0, 5.0]), 0)
    array([2., 1.])
    """
    if axis is None:
        dx, x, axis = np.reshape(dx, -1), np.reshape(x, -1), 0
    x, y, dx = np.swapaxes(x, axis, -1), np.swapaxes(y, axis, -1), np.swapaxes(dx, axis, -1)
    if not x.size:
        return np.swapaxes(dx, axis, -1)
    return np.swapaxes(shared_with_kth(np.take(dx, places_in_parts(x, y, kth)), y, kth), axis, -1)


def bins_of(a: Any, edges: Any) -> Any:
    """In which of bins of one width each element of a is; what is on an edge is in the bin on its right.

    Computed, and mended where rounding has led over an edge: a search among the edges takes five times as long.

    >>> bins_of(np.array([0.0, 0.5, 0.9, 1.0]), np.array([0.0, 0.5, 1.0]))
    array([0, 1, 1, 1])
    """
    a, inner, inf = np.asarray(a), edges[1:-1], np.full_like(edges[:1], np.inf)
    at = ((a - edges[0]) / (edges[-1] - edges[0]) * (len(edges) - 1)).astype(np.intp)
    at = np.clip(at, 0, len(inner))
    at = at - (a < np.concatenate((-inf, inner))[at])
    return at + (a >= np.concatenate((inner, inf))[at])
