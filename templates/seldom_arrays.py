"""Functions that rearrange, select, difference and apply, in their seldom used forms, said with others."""

import builtins

import numpy as np

from s2sad.kinds.kind import Array, List, Number, Tuple
from s2sad.rules import definition

# -- taking and choosing -----------------------------------------------------------------------------------------------


def _several(call):
    return len(call.named["arys"].items) != 1


@definition(np.atleast_1d, when=_several)
def atleast_1d(*arys):
    return tuple([np.atleast_1d(a) for a in arys])


@definition(np.atleast_2d, when=_several)
def atleast_2d(*arys):
    return tuple([np.atleast_2d(a) for a in arys])


@definition(np.atleast_3d, when=_several)
def atleast_3d(*arys):
    return tuple([np.atleast_3d(a) for a in arys])


@definition(np.ix_)
def ix_(*args):
    """The arguments along one axis each: views of them."""
    return tuple([_along_axis(a, k, len(args)) for k, a in enumerate(args)])


def _along_axis(a, k, n):
    values = np.asarray(a)
    if values.dtype == bool:
        values = np.nonzero(values)[0]
    return np.reshape(values, (1,) * k + (len(values),) + (1,) * (n - k - 1))


@definition(np.fromiter)
def fromiter(iter, dtype, count=-1, *, like=None):
    """Cost: no mathematics: a loop of Python for the elements, forward and backward."""
    y = np.array(list(iter), dtype)
    return y if count == -1 else y[:count]


def _uncounted(call):
    """Is the number of the parts not known at derivation?"""
    kind = call.kind("indices_or_sections")
    if call.static("indices_or_sections") is not Ellipsis or isinstance(kind, (List, Tuple)):
        return False
    return not (isinstance(kind, Array) and kind.shape and kind.shape[0].known)


@definition(np.split, when=_uncounted)
def split(ary, indices_or_sections, axis=0):
    if np.ndim(indices_or_sections) == 0 and ary.shape[axis] % indices_or_sections:
        raise ValueError("array split does not result in an equal division")
    return np.array_split(ary, indices_or_sections, axis)


@definition(np.array_split, when=_uncounted)
def array_split(ary, indices_or_sections, axis=0):
    stops = indices_or_sections
    if np.ndim(indices_or_sections) == 0:
        part = np.arange(1, indices_or_sections)
        stops = part * (ary.shape[axis] // indices_or_sections)
        stops = stops + np.minimum(part, ary.shape[axis] % indices_or_sections)
    parts = []
    start = 0
    for stop in stops:
        parts.append(ary[start:stop] if axis == 0 else np.swapaxes(np.swapaxes(ary, 0, axis)[start:stop], 0, axis))
        start = stop
    parts.append(ary[start:] if axis == 0 else np.swapaxes(np.swapaxes(ary, 0, axis)[start:], 0, axis))
    return parts


@definition(np.vsplit, when=_uncounted)
def vsplit(ary, indices_or_sections):
    return np.split(ary, indices_or_sections)


@definition(np.hsplit, when=_uncounted)
def hsplit(ary, indices_or_sections):
    return np.split(ary, indices_or_sections, 0 if ary.ndim == 1 else 1)


@definition(np.dsplit, when=_uncounted)
def dsplit(ary, indices_or_sections):
    return np.split(ary, indices_or_sections, 2)


@definition(np.take, given=("mode",))
def take(a, indices, axis=None, out=None, mode="raise"):
    n = np.size(a) if axis is None else np.shape(a)[axis]
    if mode == "wrap":
        return np.take(a, np.mod(indices, n), axis=axis)
    if mode == "raise":
        return np.take(a, indices, axis=axis)
    return np.take(a, np.clip(indices, 0, n - 1), axis=axis)


def _wide_choice(call):
    """Are the choices one array that the index is broadcast against, or is the index anything but in range?"""
    a, choices = call.kind("a"), call.kind("choices")
    of_array = isinstance(choices, Array)
    same = of_array and isinstance(a, Array) and choices.shape is not None and a.shape == choices.shape[1:]
    return call.given("mode") or (of_array and not same)


@definition(np.choose, when=_wide_choice)
def choose(a, choices, out=None, mode="raise"):
    index = np.asarray(a)
    if mode == "wrap":
        index = np.mod(index, len(choices))
    elif mode == "clip":
        index = np.clip(index, 0, len(choices) - 1)
    if isinstance(choices, (list, tuple)):
        return np.choose(index, choices)
    places = np.broadcast_to(index, np.broadcast_shapes(np.shape(index), np.shape(choices)[1:]))
    wide = np.broadcast_to(choices, (len(choices), *np.shape(places)))
    return np.take_along_axis(wide, places[None], axis=0)[0]


@definition(np.piecewise)
def piecewise(x, condlist, funclist, *args, **kw):
    """Each function sees the elements of its condition alone."""
    conditions = list(condlist) if isinstance(condlist, (list, tuple)) else [condlist]
    if np.ndim(x) == 0:
        row = np.reshape(x, (1,))
        return np.reshape(np.piecewise(row, [np.reshape(c, (1,)) for c in conditions], funclist, *args, **kw), ())
    y = np.zeros_like(x)
    if len(funclist) > len(conditions):
        rest = np.ones(np.shape(x), dtype=bool)
        for condition in conditions:
            rest = rest & ~condition
        conditions = [*conditions, rest]
    for condition, function in zip(conditions, funclist, strict=True):
        y[condition] = function(x[condition], *args, **kw) if callable(function) else function
    return y


#: functions that do along an axis what they do with a vector
_ALONG = (
    np.sum, np.mean, np.prod, np.max, np.min, np.amax, np.amin, np.ptp, np.var, np.std, np.median, np.cumsum,
    np.cumprod, np.sort, np.flip, np.nansum, np.nanmean, np.nanmax, np.nanmin, np.nanstd, np.nanvar, np.nanmedian,
    np.linalg.norm, np.diff, np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.irfft,
)  # fmt: skip


@definition(np.apply_along_axis)
def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """Row by row; at once where NumPy's function does so."""
    if func1d in _ALONG and not args and not kwargs:
        return func1d(arr, axis=axis) if np.ndim(arr) > 1 else np.asarray(func1d(arr, axis=axis))
    rows = np.moveaxis(arr, axis, -1) if axis % np.ndim(arr) != np.ndim(arr) - 1 else arr
    lengths = np.shape(rows)[: np.ndim(arr) - 1]
    flat = rows if np.ndim(arr) == 2 else np.reshape(rows, (-1, np.shape(rows)[-1]))
    first = func1d(flat[0], *args, **kwargs)
    if np.iscomplexobj(first):
        y = np.empty((np.shape(flat)[0], *np.shape(first)), complex)
    else:
        y = np.empty((np.shape(flat)[0], *np.shape(first)))
    y[0] = first
    for k in range(1, np.shape(flat)[0]):
        y[k] = func1d(flat[k], *args, **kwargs)
    if np.ndim(arr) != 2:
        y = np.reshape(y, (*lengths, *np.shape(first)))
    own, last = axis % np.ndim(arr), np.ndim(arr) - 1
    if np.ndim(first) == 0 or own == last:
        return y
    order = [*range(own), *range(last, last + np.ndim(first)), *range(own, last)]
    return np.transpose(y, order)


@definition(np.apply_over_axes)
def apply_over_axes(func, a, axes):
    y = a
    for axis in (axes,) if isinstance(axes, int) else axes:
        part = func(y, axis)
        y = part if np.ndim(part) == np.ndim(a) else np.expand_dims(part, axis)
    return y


@definition(np.fromfunction)
def fromfunction(function, shape, *, dtype=float, like=None, **kwargs):
    grids = np.indices(shape, dtype=dtype)
    return function(*[grids[k] for k in range(len(shape))], **kwargs)


# -- differences, interpolation ----------------------------------------------------------------------------------------


def _edge(value, a, axis):
    """What np.diff puts before or behind a."""
    if np.ndim(value) > 0:
        return value
    if np.ndim(a) == 1:
        return np.array([value])
    along = axis % np.ndim(a)
    return np.full(tuple([1 if i == along else n for i, n in enumerate(np.shape(a))]), value)


@definition(np.diff, given=("prepend", "append"))
def diff(a, n=1, axis=-1, prepend=np._NoValue, append=np._NoValue):
    if n == 0:
        return a
    parts = (a,)
    if prepend is not np._NoValue:
        parts = (_edge(prepend, a, axis), *parts)
    if append is not np._NoValue:
        parts = (*parts, _edge(append, a, axis))
    if np.ndim(a) == 1 and n == 1:
        return np.diff(np.concatenate(parts))
    whole = np.concatenate(parts, axis=axis)
    return np.diff(whole, axis=axis) if n == 1 else np.diff(whole, n, axis)


@definition(np.ediff1d, given=("to_begin", "to_end"))
def ediff1d(ary, to_end=None, to_begin=None):
    y = np.diff(np.ravel(ary))
    if to_begin is not None:
        y = np.concatenate((np.atleast_1d(np.asarray(to_begin)), y))
    if to_end is not None:
        y = np.concatenate((y, np.atleast_1d(np.asarray(to_end))))
    return y


def _slope(f, h, axis, edge_order):
    """np.gradient along one axis, for an active spacing h: a number, or the coordinates of the points."""
    f = np.moveaxis(f, axis, -1) * 1.0
    y = np.empty_like(f)
    if np.ndim(h) == 0:
        y[..., 1:-1] = (f[..., 2:] - f[..., :-2]) / (2.0 * h)
        if edge_order == 1:
            y[..., 0] = (f[..., 1] - f[..., 0]) / h
            y[..., -1] = (f[..., -1] - f[..., -2]) / h
        else:
            y[..., 0] = (-1.5 * f[..., 0] + 2.0 * f[..., 1] - 0.5 * f[..., 2]) / h
            y[..., -1] = (0.5 * f[..., -3] - 2.0 * f[..., -2] + 1.5 * f[..., -1]) / h
        return np.moveaxis(y, -1, axis)
    step = np.diff(h)
    a, b = step[:-1], step[1:]
    y[..., 1:-1] = -b / (a * (a + b)) * f[..., :-2] + (b - a) / (a * b) * f[..., 1:-1] + a / (b * (a + b)) * f[..., 2:]
    if edge_order == 1:
        y[..., 0] = (f[..., 1] - f[..., 0]) / step[0]
        y[..., -1] = (f[..., -1] - f[..., -2]) / step[-1]
    else:
        a, b = step[0], step[1]
        y[..., 0] = (
            -(2.0 * a + b) / (a * (a + b)) * f[..., 0] + (a + b) / (a * b) * f[..., 1] - a / (b * (a + b)) * f[..., 2]
        )
        a, b = step[-2], step[-1]
        y[..., -1] = (
            b / (a * (a + b)) * f[..., -3] - (a + b) / (a * b) * f[..., -2] + (2.0 * b + a) / (b * (a + b)) * f[..., -1]
        )
    return np.moveaxis(y, -1, axis)


def _several_axes(call):
    axis = call.static("axis")
    return (axis is None and call.rank("f") != 1) or isinstance(axis, tuple)


@definition(np.gradient, active=("varargs",), when=_several_axes)
def gradient(f, *varargs, axis=None, edge_order=1):
    if isinstance(axis, int) or (axis is None and np.ndim(f) == 1):
        return _slope(f, varargs[0], 0 if axis is None else axis, edge_order)
    axes = tuple(range(np.ndim(f))) if axis is None else axis
    if len(varargs) == 0:
        found = [np.gradient(f, axis=k, edge_order=edge_order) for k in axes]
        return tuple(found) if len(axes) > 1 else found[0]
    steps = varargs if len(varargs) > 1 else varargs * len(axes)
    found = [np.gradient(f, h, axis=k, edge_order=edge_order) for h, k in zip(steps, axes, strict=True)]
    return tuple(found) if len(axes) > 1 else found[0]


@definition(np.interp, given=("left", "right", "period"))
def interp(x, xp, fp, left=None, right=None, period=None):
    """At the points the slope on the right."""
    if period is not None:
        period = np.abs(period)
        xp, fp = np.asarray(xp), np.asarray(fp)
        points = np.mod(xp, period)
        order = np.argsort(points)
        points, values = points[order], fp[order]
        points = np.concatenate((points[-1:] - period, points, points[:1] + period))
        values = np.concatenate((values[-1:], values, values[:1]))
        return np.interp(np.mod(x, period), points, values)
    y = np.interp(x, xp, fp)
    if left is not None:
        y = np.where(x < xp[0], left, y)
    if right is not None:
        y = np.where(x > xp[-1], right, y)
    return y[()]


# -- joining and padding -----------------------------------------------------------------------------------------------


def _depth(parts):
    return 1 + _depth(parts[0]) if isinstance(parts, (list, tuple)) else 0


def _widest(parts):
    if not isinstance(parts, (list, tuple)):
        return np.ndim(parts)
    widest = 0
    for part in parts:
        rank = _widest(part)
        widest = rank if rank > widest else widest
    return widest


def _joined(parts, rank):
    if not isinstance(parts, (list, tuple)):
        return np.reshape(parts, (1,) * (rank - np.ndim(parts)) + np.shape(parts))
    return np.concatenate([_joined(part, rank) for part in parts], axis=rank - _depth(parts))


@definition(np.block)
def block(arrays):
    if not isinstance(arrays, (list, tuple)):
        return np.array(arrays)
    depth, widest = _depth(arrays), _widest(arrays)
    return _joined(arrays, depth if depth > widest else widest)


@definition(np.insert, when=lambda call: isinstance(call.kind("values"), (List, Tuple)))
def insert(arr, obj, values, axis=None):
    return np.insert(arr, obj, np.array(values), axis)


_EDGES = {"mean": np.mean, "maximum": np.max, "minimum": np.min, "median": np.median}


def _extended(x, before, after, axis, mode, lengths):
    """x with something before and after it along an axis: of so many of the first and last elements."""
    n = np.shape(x)[axis]
    function = _EDGES[mode]
    left = x if lengths is None else np.take(x, np.arange(min(lengths[0], n)), axis=axis)
    right = x if lengths is None else np.take(x, np.arange(max(n - lengths[1], 0), n), axis=axis)
    return np.concatenate(
        (
            np.repeat(function(left, axis=axis, keepdims=True), before, axis=axis),
            x,
            np.repeat(function(right, axis=axis, keepdims=True), after, axis=axis),
        ),
        axis=axis,
    )


def _seldom_padding(call):
    unknown = not isinstance(call.kind("pad_width"), (Number, Array, Tuple, List))
    return call.static("mode") in ("linear_ramp", *_EDGES) or call.static("reflect_type") != "even" or unknown


@definition(np.pad, active=("constant_values", "end_values"), when=_seldom_padding)
def pad(array, pad_width, mode="constant", *, constant_values=0, end_values=0, stat_length=None, reflect_type="even"):
    rank = np.ndim(array)
    if not isinstance(pad_width, (int, tuple, list)):
        raise NoDerivative("np.pad with widths that are not known one by one", "give a tuple of pairs")
    if np.asarray(array).dtype.kind in "biu":
        raise NoDerivative("np.pad of integers, which rounds what it is filled with", "pad an array of floats")
    ends = _pairs(end_values if mode == "linear_ramp" else constant_values, rank)
    if not isinstance(stat_length, (int, tuple, type(None))):
        raise NoDerivative("np.pad with lengths that are not known one by one", "give a tuple of pairs")
    lengths = None if stat_length is None else _pairs(stat_length, rank)
    return _padded(array, _pairs(pad_width, rank), 0, mode, lengths, ends, reflect_type)


def _pairs(given, rank):
    """What is given for all axes, or a pair for all or for each, as a pair for each axis."""
    if isinstance(given, np.ndarray) and np.ndim(given) == 2:
        return tuple([(given[k % np.shape(given)[0], 0], given[k % np.shape(given)[0], -1]) for k in range(rank)])
    if isinstance(given, np.ndarray) and np.ndim(given) == 1:
        return ((given[0], given[-1]),) * rank
    if not isinstance(given, (tuple, list)):
        return ((given, given),) * rank
    if not isinstance(given[0], (tuple, list)):
        return ((given[0], given[-1]),) * rank
    pairs = tuple([(pair[0], pair[-1]) for pair in given])
    return pairs if len(pairs) == rank else pairs * rank


def _padded(x, widths, axis, mode, lengths, ends, reflect_type):
    """x padded along an axis and those behind it."""
    if axis == np.ndim(x):
        return x
    before, after = widths[axis]
    shape = np.shape(x)
    if mode == "linear_ramp":
        start, stop = ends[axis]
        low, high = np.take(x, [0], axis=axis), np.take(x, [-1], axis=axis)
        up = np.reshape(np.arange(before) / before, (before,) + (1,) * (np.ndim(x) - 1 - axis))
        down = np.reshape(np.arange(after)[::-1] / after, (after,) + (1,) * (np.ndim(x) - 1 - axis))
        y = np.concatenate((start + (low - start) * up, x, stop + (high - stop) * down), axis=axis)
    elif mode == "constant":
        start, stop = ends[axis]
        first = np.zeros((*shape[:axis], before, *shape[axis + 1 :]), dtype=x.dtype)
        last = np.zeros((*shape[:axis], after, *shape[axis + 1 :]), dtype=x.dtype)
        y = np.concatenate((first + start, x, last + stop), axis=axis)
    elif mode in ("reflect", "symmetric"):
        weights = np.pad(np.eye(shape[axis]), ((before, after), (0, 0)), mode=mode, reflect_type=reflect_type)
        y = np.moveaxis(np.tensordot(weights, x, axes=(1, axis)), 0, axis)
    else:
        y = _extended(x, before, after, axis, mode, None if lengths is None else lengths[axis])
    return _padded(y, widths, axis + 1, mode, lengths, ends, reflect_type)


if hasattr(np, "unstack"):

    @definition(np.unstack)
    def unstack(x, /, *, axis=0):
        """The rows, or what lies along another axis."""
        return tuple(x if axis == 0 else np.moveaxis(x, axis, 0))


# -- sets --------------------------------------------------------------------------------------------------------------


@definition(np.unique, given=("return_index", "return_inverse", "return_counts", "axis", "sorted", "equal_nan"))
def unique(
    ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True
):
    """Equal elements share evenly; of equal rows the first is taken."""
    if not equal_nan:
        raise NoDerivative("np.unique with equal_nan=False", "leave nan out first")
    if axis is not None:
        if return_index or return_inverse or return_counts:
            raise NoDerivative("np.unique along an axis, with indices or counts", "ask for these alone")
        slices = np.moveaxis(ar, axis, 0)
        rows = np.reshape(slices, (np.shape(slices)[0], -1))
        order = np.lexsort(rows.T[::-1])
        differs = np.any(rows[order[1:]] != rows[order[:-1]], axis=1)
        return np.moveaxis(slices[order[np.concatenate((np.ones(1, dtype=bool), differs))]], 0, axis)
    values, x = np.unique(ar), np.ravel(ar)
    if not (return_index or return_inverse or return_counts):
        return values
    inverse = np.searchsorted(values, x)
    out = [values]
    if return_index:
        order = np.argsort(inverse, kind="stable")
        out.append(order[np.searchsorted(inverse[order], np.arange(np.size(values)))])
    if return_inverse:
        out.append(np.reshape(inverse, np.shape(ar)))
    if return_counts:
        out.append(np.bincount(inverse))
    return tuple(out)


@definition(np.union1d)
def union1d(ar1, ar2):
    """Equal elements share evenly.

    Cost: that of np.unique, for each of the arguments.
    """
    return np.unique(np.concatenate((np.ravel(ar1), np.ravel(ar2))))


@definition(np.setdiff1d)
def setdiff1d(ar1, ar2, assume_unique=False):
    """Equal elements share evenly."""
    x = np.ravel(ar1) if assume_unique else np.unique(ar1)
    return x[np.isin(x, ar2, invert=True)]


@definition(np.intersect1d)
def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    """What is in both is taken from the first."""
    if return_indices:
        raise NoDerivative("np.intersect1d with return_indices", "index with the indices")
    x = np.unique(ar1)
    return x[np.isin(x, ar2)]


@definition(np.setxor1d)
def setxor1d(ar1, ar2, assume_unique=False):
    """Equal elements share evenly."""
    both = np.concatenate((np.unique(ar1), np.unique(ar2)))
    order = np.argsort(both, kind="stable")
    differs = np.ones(np.size(both) + 1, dtype=bool)
    differs[1:-1] = both[order][1:] != both[order][:-1]
    return both[order[differs[1:] & differs[:-1]]]


if hasattr(np, "unique_values"):

    @definition(np.unique_values)
    def unique_values(x):
        """Equal elements share evenly."""
        if np.iscomplexobj(x):
            raise NoDerivative("np.unique_values of complex numbers gives them in any order", "use np.unique")
        return np.unique(x)

    UniqueAllResult = type(np.unique_all(np.zeros(1)))
    UniqueCountsResult = type(np.unique_counts(np.zeros(1)))
    UniqueInverseResult = type(np.unique_inverse(np.zeros(1)))

    @definition(np.unique_all)
    def unique_all(x):
        """Equal elements share evenly."""
        values, indices, inverse, counts = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
        return UniqueAllResult(values, indices, inverse, counts)

    @definition(np.unique_counts)
    def unique_counts(x):
        """Equal elements share evenly."""
        values, counts = np.unique(x, return_counts=True)
        return UniqueCountsResult(values, counts)

    @definition(np.unique_inverse)
    def unique_inverse(x):
        """Equal elements share evenly."""
        values, inverse = np.unique(x, return_inverse=True)
        return UniqueInverseResult(values, inverse)


# -- histograms, windows -----------------------------------------------------------------------------------------------


def bin_edges(x, bins, range):
    """The edges of the bins along one axis: given, or of a number of bins from the smallest element to the largest."""
    if not isinstance(bins, (int, np.integer)):
        return np.asarray(bins)
    if range is not None:
        return np.linspace(range[0], range[1], bins + 1)
    first, last = np.min(x), np.max(x)
    if first == last:
        first, last = first - 0.5, last + 0.5
    return np.linspace(first, last, bins + 1)


@definition(np.histogram2d)
def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    """In the weights, and in the points the edges: the counts are piecewise constant in the points."""
    if density:
        raise NoDerivative("np.histogram2d with density", "divide by the sum and the areas")
    pair = bins if not isinstance(bins, (int, np.integer)) and len(bins) == 2 else (bins, bins)
    across, up = (None, None) if range is None else (range[0], range[1])
    columns, rows = bin_edges(x, pair[0], across), bin_edges(y, pair[1], up)
    across = np.clip(np.searchsorted(columns, x, side="right") - 1, 0, np.size(columns) - 2)
    up = np.clip(np.searchsorted(rows, y, side="right") - 1, 0, np.size(rows) - 2)
    inside = (x >= columns[0]) & (x <= columns[-1]) & (y >= rows[0]) & (y <= rows[-1])
    total = np.zeros((np.size(columns) - 1) * (np.size(rows) - 1))
    at = (across * (np.size(rows) - 1) + up)[inside]
    np.add.at(total, at, 1.0 if weights is None else np.asarray(weights)[inside])
    return np.reshape(total, (np.size(columns) - 1, np.size(rows) - 1)), columns, rows


@definition(np.histogramdd)
def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    """In the weights, and in the points the edges: the counts are piecewise constant in the points."""
    if density:
        raise NoDerivative("np.histogramdd with density", "divide by the sum and the volumes")
    if isinstance(sample, (list, tuple)):  # of arrays: one for each axis
        sample = np.stack(sample, axis=-1)
    several = not isinstance(bins, (int, np.integer))
    at, inside = np.zeros(np.shape(sample)[0], dtype=int), np.ones(np.shape(sample)[0], dtype=bool)
    edges, shape = [], []
    for k in builtins.range(np.shape(sample)[1]):
        x = sample[:, k]
        edge = bin_edges(x, bins[k] if several else bins, None if range is None else range[k])
        at = at * (np.size(edge) - 1) + np.clip(np.searchsorted(edge, x, side="right") - 1, 0, np.size(edge) - 2)
        inside = inside & (x >= edge[0]) & (x <= edge[-1])
        edges.append(edge)
        shape.append(np.size(edge) - 1)
    total = np.zeros(np.prod(np.array(shape)))
    np.add.at(total, at[inside], 1.0 if weights is None else np.asarray(weights)[inside])
    return np.reshape(total, tuple(shape)), tuple(edges)


@definition(np.histogram_bin_edges)
def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """Of a number of bins: from the smallest element to the largest."""
    if not isinstance(bins, int) or range is not None:
        raise NoDerivative("np.histogram_bin_edges in this form", "give the number of bins, and no range")
    return np.linspace(np.min(a), np.max(a), bins + 1)


@definition(np.kaiser)
def kaiser(M, beta):
    """In beta."""
    t = (2.0 * np.arange(M) - (M - 1)) / (M - 1)
    return np.i0(beta * np.sqrt(np.maximum(1.0 - t * t, 0.0))) / np.i0(beta)


@definition(np.fft.fftfreq, active=("d",))
def fftfreq(n, d=1.0):
    return np.fft.fftfreq(n) / d


@definition(np.fft.rfftfreq, active=("d",))
def rfftfreq(n, d=1.0):
    return np.fft.rfftfreq(n) / d


# -- sequences ---------------------------------------------------------------------------------------------------------


@definition(np.arange, active=("start", "stop", "step"))
def arange(start, stop=None, step=1, dtype=None):
    """In start and step: how many there are is constant."""
    if stop is None:
        y = 1.0 * np.arange(int(np.ceil(start)))
    else:
        y = start + step * np.arange(int(np.ceil((stop - start) / step)))
    return y if dtype is None else y.astype(dtype)


@definition(np.linspace, given=("retstep", "axis"))
def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    y = np.linspace(start, stop, num, endpoint)
    if dtype is not None:
        y = np.linspace(start, stop, num, endpoint, dtype=dtype)
    if axis != 0:
        y = np.moveaxis(y, 0, axis)
    return (y, (stop - start) / (num - 1 if endpoint else num)) if retstep else y


@definition(np.logspace, given=("axis",), active=("base",))
def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    y = np.power(base, np.linspace(start, stop, num, endpoint, axis=axis))
    return y if dtype is None else y.astype(dtype)


@definition(np.geomspace, given=("axis",))
def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    y = np.geomspace(start, stop, num, endpoint)
    return np.moveaxis(y if dtype is None else y.astype(dtype), 0, axis)


if hasattr(np, "row_stack") and np.row_stack is not np.vstack:

    @definition(np.row_stack)
    def row_stack(tup, *, dtype=None, casting="same_kind"):
        return np.vstack(tup)


if hasattr(np, "astype"):

    @definition(np.astype)
    def astype(x, dtype, /, *, copy=True, device=None):
        return x.astype(dtype, copy=copy)


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
