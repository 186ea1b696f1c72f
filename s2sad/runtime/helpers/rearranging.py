"""Repeating, padding, taking, inserting, windows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def tile_back(g: Any, x: Any, reps: Any) -> Any:
    """The adjoint of x in np.tile(x, reps), whose adjoint is g.

    >>> tile_back(np.arange(6.0), np.zeros(2), 3)
    array([6., 9.])
    """
    counts = (reps,) if np.ndim(reps) == 0 else tuple(reps)
    rank = max(len(counts), np.ndim(x))
    counts = (1,) * (rank - len(counts)) + counts
    lengths = (1,) * (rank - np.ndim(x)) + np.shape(x)
    blocks = np.reshape(g, tuple(n for pair in zip(counts, lengths) for n in pair))  # noqa: B905
    return np.reshape(np.sum(blocks, axis=tuple(range(0, 2 * rank, 2))), np.shape(x))


def repeat_back(g: Any, x: Any, repeats: Any, axis: Any = None) -> Any:
    """The adjoint of x in np.repeat(x, repeats, axis), whose adjoint is g.

    >>> repeat_back(np.arange(4.0), np.zeros(2), [1, 3])
    array([0., 6.])
    """
    axis = axis if np.ndim(x) else None
    flat, g = (np.reshape(x, -1), g) if axis is None else (np.moveaxis(x, axis, 0), np.moveaxis(g, axis, 0))
    counts = np.broadcast_to(repeats, len(flat))
    some = counts > 0
    out = np.zeros(flat.shape, dtype=np.result_type(g, flat.dtype))
    out[some] = np.add.reduceat(g, (np.cumsum(counts) - counts)[some], axis=0)
    return np.reshape(out, np.shape(x)) if axis is None else np.moveaxis(out, 0, axis)


def pad_back(g: Any, x: Any, pad_width: Any, mode: str = "constant") -> Any:
    """The adjoint of x in np.pad(x, pad_width, mode), whose adjoint is g.

    >>> pad_back(np.arange(4.0), np.zeros(2), 1, "edge")
    array([1., 5.])
    """
    widths = np.broadcast_to(np.asarray(pad_width), (np.ndim(x), 2))
    for axis, (before, after) in enumerate(widths.tolist()):
        n = np.shape(x)[axis]
        g = np.moveaxis(g, axis, 0)
        if mode == "constant":
            g = g[before : before + n]
        else:
            source = np.pad(np.arange(n), (before, after), mode)  # type: ignore[call-overload]
            out = g[before : before + n].copy()
            np.add.at(out, source[:before], g[:before])
            np.add.at(out, source[before + n :], g[before + n :])
            g = out
        g = np.moveaxis(g, 0, axis)
    return g


def take_back(g: Any, x: Any, indices: Any, axis: Any = None) -> Any:
    """The adjoint of x in np.take(x, indices, axis), whose adjoint is g.

    >>> take_back(np.arange(4.0), np.zeros(3), [0, 2, 2, -1])
    array([0., 0., 6.])
    """
    dtype = np.result_type(g, np.asarray(x).dtype)
    before, n, behind = 1, np.size(x), 1
    if axis is not None:
        axis = axis % np.ndim(x)
        before, n, behind = math.prod(np.shape(x)[:axis]), np.shape(x)[axis], math.prod(np.shape(x)[axis + 1 :])
    places: Any = np.ravel(indices if np.size(indices) else np.zeros(0, int))  # of an empty list: of floats
    places = np.take(np.arange(n), places)  # from the start, and there
    if before != 1 or behind != 1:
        rows = np.reshape(np.arange(before) * n, (-1, 1)) + places
        places = np.ravel(np.reshape(rows * behind, (before, len(places), 1)) + np.arange(behind))
    if dtype.kind == "c":
        out = np.zeros(np.size(x), dtype=dtype)
        np.add.at(out, places, np.ravel(g))
    else:  # several times faster than np.add.at where it adds rows
        out = np.bincount(places, np.ravel(g), np.size(x)).astype(dtype)
    return np.reshape(out, np.shape(x))


def take_along_back(g: Any, x: Any, indices: Any, axis: Any = -1) -> Any:
    """The adjoint of x in np.take_along_axis(x, indices, axis), whose adjoint is g.

    >>> take_along_back(np.array([1.0, 2.0]), np.zeros(3), np.array([1, 1]), 0)
    array([0., 3., 0.])
    """
    out = np.zeros(np.shape(x), dtype=np.result_type(g, np.asarray(x).dtype))
    if axis is None:
        np.add.at(np.reshape(out, -1), indices, g)
        return out
    axis = axis % np.ndim(x)
    where = list(np.ogrid[tuple(slice(0, n) for n in np.shape(g))])
    where[axis] = indices
    if any(n == 1 != m for n, m in zip(np.shape(x), np.shape(g))):  # noqa: B905
        where = [w if np.shape(x)[i] != 1 else w * 0 for i, w in enumerate(where)]
    np.add.at(out, tuple(where), g)
    return out


def delete_back(g: Any, x: Any, obj: Any, axis: Any = None) -> Any:
    """The adjoint of x in np.delete(x, obj, axis), whose adjoint is g.

    >>> delete_back(np.array([1.0, 2.0]), np.zeros(3), 1)
    array([1., 0., 2.])
    """
    flat = np.reshape(x, -1) if axis is None else np.moveaxis(x, axis, 0)
    left = np.delete(np.arange(len(flat)), obj)
    out = np.zeros(flat.shape, dtype=np.result_type(g, flat.dtype))
    out[left] = g if axis is None else np.moveaxis(g, axis, 0)
    return np.reshape(out, np.shape(x)) if axis is None else np.moveaxis(out, 0, axis)


def resize_back(g: Any, x: Any) -> Any:
    """The adjoint of x in np.resize(x, shape), whose adjoint is g.

    >>> resize_back(np.arange(3.0), np.zeros(2))
    array([2., 1.])
    """
    n = max(np.size(x), 1)
    rounds = -(-np.size(g) // n)
    wide = np.zeros(rounds * n, dtype=np.result_type(g, 1.0))
    wide[: np.size(g)] = np.ravel(g)
    return np.reshape(np.sum(np.reshape(wide, (rounds, n)), axis=0)[: np.size(x)], np.shape(x))


def sliding_windows_back(g: Any, x: Any, window_shape: Any, axis: Any = None) -> Any:
    """The adjoint of x in sliding_window_view(x, window_shape, axis), whose adjoint is g.

    >>> sliding_windows_back(np.array([[1.0, 2.0], [3.0, 4.0]]), np.zeros(3), 2)
    array([1., 5., 4.])
    """
    window = window_shape if isinstance(window_shape, tuple) else (window_shape,)
    axes = range(np.ndim(x)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    if np.ndim(x) == np.size(window) == 1:  # g[i, k] goes to i + k: rows moved by i, as in an array one column wider
        g = g if np.shape(g)[0] <= np.shape(g)[1] else np.swapaxes(g, 0, 1)
        n, m = np.shape(g)
        rows = np.zeros((n, n + m), dtype=np.result_type(np.asarray(g), 1.0))
        rows[:, :m] = g
        return np.sum(np.reshape(np.ravel(rows)[: n * (n + m - 1)], (n, n + m - 1)), axis=0)
    out = np.zeros(np.shape(x), dtype=np.result_type(np.asarray(g), 1.0))
    for start in np.ndindex(*window):
        place = [slice(None)] * np.ndim(x)
        for k, first in zip(axes, start, strict=True):
            place[k] = slice(first, first + np.shape(g)[k % np.ndim(x)])
        out[tuple(place)] += g[(..., *start)]
    return out


def trim_zeros_back(g: Any, x: Any, trim: str = "fb") -> Any:
    """The adjoint of x in np.trim_zeros(x, trim), whose adjoint is g.

    >>> trim_zeros_back(np.array([1.0]), np.array([0.0, 2.0, 0.0]))
    array([0., 1., 0.])
    """
    first = int(np.argmax(np.append(x, 1.0) != 0)) if "f" in trim.lower() else 0
    out = np.zeros(np.shape(x), dtype=np.result_type(np.asarray(g), 1.0))
    out[first : first + len(g)] = g
    return out


def trim_zeros_tangent(dx: Any, x: Any, trim: str = "fb") -> Any:
    """The tangent of np.trim_zeros(x, trim).

    >>> trim_zeros_tangent(np.array([5.0, 0.0, 7.0]), np.array([0.0, 2.0, 3.0]))
    array([0., 7.])
    """
    first = int(np.argmax(np.append(x, 1.0) != 0)) if "f" in trim.lower() else 0
    return dx[first : first + len(np.trim_zeros(x, trim))]  # type: ignore[arg-type]


def reduceat_back(g: Any, x: Any, indices: Any, axis: int = 0) -> Any:
    """The adjoint of x in np.add.reduceat(x, indices, axis), whose adjoint is g.

    >>> reduceat_back(np.array([1.0, 2.0]), np.zeros(5), [1, 3])
    array([0., 1., 1., 2., 2.])
    """
    g, n = np.moveaxis(g, axis, 0), np.shape(x)[axis]
    starts = np.asarray(indices)
    out = np.zeros((n, *g.shape[1:]), dtype=np.result_type(g, 1.0))
    lengths = np.append(starts[1:], n) - starts
    if len(starts) and np.all(lengths > 0):
        out[starts[0] :] = np.repeat(g, lengths, axis=0)
    else:  # sums that overlap, and single elements
        lengths = np.maximum(lengths, 1)
        before = np.cumsum(lengths) - lengths
        at = np.repeat(starts - before, lengths) + np.arange(np.sum(lengths))
        np.add.at(out, at, np.repeat(g, lengths, axis=0))
    return np.moveaxis(out, 0, axis)


def insert_back(g: Any, x: Any, obj: Any, axis: Any = None) -> Any:
    """The adjoint of x in np.insert(x, obj, values, axis), whose adjoint is g.

    >>> insert_back(np.array([1.0, 2.0, 3.0]), np.zeros(2), 1)
    array([1., 3.])
    """
    n = np.size(x) if axis is None else np.shape(x)[axis]
    count = np.shape(g)[0 if axis is None else axis] - n
    if np.ndim(obj) == 0 and not isinstance(obj, slice):
        i = obj % n if obj < 0 else obj
        before, _, behind = np.split(g, [i, i + count], axis=axis or 0)
        return np.reshape(np.concatenate((before, behind), axis=axis or 0), np.shape(x))
    old = np.flatnonzero(np.insert(np.arange(n), obj, np.full(count, -1)) >= 0)
    return np.reshape(np.take(g, old, axis=axis), np.shape(x))


def insert_values_back(g: Any, x: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    """The adjoint of values in np.insert(x, obj, values, axis), whose adjoint is g.

    >>> insert_values_back(np.array([1.0, 2.0, 3.0]), np.zeros(2), 1, 0.0)
    np.float64(2.0)
    """
    n = np.size(x) if axis is None else np.shape(x)[axis]
    count = np.shape(g)[0 if axis is None else axis] - n
    if np.ndim(obj) == 0 and not isinstance(obj, slice):
        i = obj % n if obj < 0 else obj
        new = np.split(g, [i, i + count], axis=axis or 0)[1]
        new = np.moveaxis(new, axis or 0, 0)  # as np.insert does with the values, when there is one index
    else:
        at = np.insert(np.arange(n), obj, np.arange(n, n + count))
        new = np.take(g, np.argsort(at)[n:], axis=axis)
    wide = np.reshape(values, (1,) * (new.ndim - np.ndim(values)) + np.shape(values))
    axes = tuple(i for i in range(new.ndim) if wide.shape[i] == 1 != new.shape[i])
    return np.reshape(np.sum(new, axis=axes), np.shape(values))[()]
