"""Taking and choosing elements, functions along axes, joining and padding in seldom used forms."""

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
    if np.result_type(first) == np.float64:
        y = np.empty((np.shape(flat)[0], *np.shape(first)))
    else:
        y = np.empty((np.shape(flat)[0], *np.shape(first)), np.result_type(first))
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


# -- sequences ---------------------------------------------------------------------------------------------------------


if hasattr(np, "row_stack") and np.row_stack is not np.vstack:

    @definition(np.row_stack)
    def row_stack(tup, *, dtype=None, casting="same_kind"):
        return np.vstack(tup)
