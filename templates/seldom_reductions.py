"""Reductions and statistics in their seldom used forms, said with the functions that have rules."""

import numpy as np

from s2sad.rules import definition


def _cast(a, dtype):
    """The elements as a reduction with this dtype takes them: ints have no derivative."""
    return a if dtype is None else np.asarray(a).astype(dtype)


def _start(initial, a, dtype):
    """The initial value as NumPy takes it: ints take only what is before the point."""
    return np.asarray(initial).astype(dtype) if np.asarray(a).dtype.kind in "biu" else initial


def _not_of_ints(dtype):
    if dtype is not None and np.dtype(dtype).kind not in "fc":
        raise NoDerivative("a variance of ints", "leave it out")


@definition(np.sum, given=("initial",))
def sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=0, where=True):
    parts = _cast(a, dtype)
    return np.sum(parts, axis=axis, keepdims=keepdims, where=where) + _start(initial, parts, int)


@definition(np.mean, given=("where",))
def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    there = np.broadcast_to(where, np.shape(a))
    y = np.sum(_cast(a, dtype), axis=axis, keepdims=keepdims, where=where)
    return _cast(y / np.sum(there, axis=axis, keepdims=keepdims), dtype)


@definition(np.prod, given=("initial", "where"))
def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=1, where=True):
    parts = _cast(a, dtype) if isinstance(where, bool) else np.where(where, _cast(a, dtype), 1)
    return np.prod(parts, axis=axis, keepdims=keepdims) * _start(initial, parts, int)


@definition(*{np.max, np.amax}, given=("initial", "where"))
def max(a, axis=None, out=None, keepdims=False, initial=np._NoValue, where=True):
    first = _start(initial, a, np.asarray(a).dtype)
    if np.size(a) == 0:
        return np.sum(a, axis=axis, keepdims=keepdims) + first
    if isinstance(where, bool):
        return np.maximum(np.max(a, axis=axis, keepdims=keepdims), first)
    return np.maximum(np.max(np.where(where, a, first), axis=axis, keepdims=keepdims), first)


@definition(*{np.min, np.amin}, given=("initial", "where"))
def min(a, axis=None, out=None, keepdims=False, initial=np._NoValue, where=True):
    first = _start(initial, a, np.asarray(a).dtype)
    if np.size(a) == 0:
        return np.sum(a, axis=axis, keepdims=keepdims) + first
    if isinstance(where, bool):
        return np.minimum(np.min(a, axis=axis, keepdims=keepdims), first)
    return np.minimum(np.min(np.where(where, a, first), axis=axis, keepdims=keepdims), first)


@definition(np.var, given=("where", "mean", "correction"))
def var(
    a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=np._NoValue, correction=np._NoValue
):
    _not_of_ints(dtype)
    off = ddof if correction is np._NoValue else correction
    if isinstance(where, bool) and mean is np._NoValue:
        return np.var(a, axis=axis, ddof=off, keepdims=keepdims)
    centre = np.mean(a, axis=axis, keepdims=True, where=where) if mean is np._NoValue else mean
    count = np.sum(np.broadcast_to(where, np.shape(a)), axis=axis, keepdims=keepdims)
    away = a - centre
    squares = np.real(away * np.conj(away)) if np.iscomplexobj(away) else away**2
    return np.sum(squares, axis=axis, keepdims=keepdims, where=where) / (count - off)


@definition(np.std, given=("where", "mean", "correction"))
def std(
    a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=np._NoValue, correction=np._NoValue
):
    """0 where all are equal."""
    _not_of_ints(dtype)
    off = ddof if correction is np._NoValue else correction
    if isinstance(where, bool) and mean is np._NoValue:
        return np.std(a, axis=axis, ddof=off, keepdims=keepdims)
    v = np.var(a, axis=axis, ddof=off, keepdims=keepdims, where=where, mean=mean)
    return np.where(v == 0.0, 0.0, np.sqrt(np.where(v == 0.0, 1.0, v)))[()]


@definition(np.nansum, given=("initial", "where"))
def nansum(a, axis=None, dtype=None, out=None, keepdims=False, initial=0, where=True):
    """nan takes no part, and gets 0."""
    parts = _cast(np.where(where & ~np.isnan(a), a, 0.0), dtype)
    return np.sum(parts, axis=axis, keepdims=keepdims) + _start(initial, a if dtype is None else parts, int)


@definition(np.nanprod, given=("initial", "where"))
def nanprod(a, axis=None, dtype=None, out=None, keepdims=False, initial=1, where=True):
    """nan takes no part, and gets 0."""
    parts = _cast(np.where(where & ~np.isnan(a), a, 1.0), dtype)
    return np.prod(parts, axis=axis, keepdims=keepdims) * _start(initial, a if dtype is None else parts, int)


@definition(np.nanmax, given=("initial", "where"))
def nanmax(a, axis=None, out=None, keepdims=False, initial=np._NoValue, where=True):
    y = np.nanmax(np.where(where, a, np.nan), axis=axis, keepdims=keepdims)
    return y if initial is np._NoValue else np.fmax(y, _start(initial, a, np.asarray(a).dtype))


@definition(np.nanmin, given=("initial", "where"))
def nanmin(a, axis=None, out=None, keepdims=False, initial=np._NoValue, where=True):
    y = np.nanmin(np.where(where, a, np.nan), axis=axis, keepdims=keepdims)
    return y if initial is np._NoValue else np.fmin(y, _start(initial, a, np.asarray(a).dtype))


@definition(np.nanmean, given=("where",))
def nanmean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    """nan takes no part, and gets 0."""
    return np.nanmean(np.where(where, _cast(a, dtype), np.nan), axis=axis, keepdims=keepdims)


@definition(np.nanvar, given=("where", "mean", "correction"))
def nanvar(
    a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=np._NoValue, correction=np._NoValue
):
    """nan takes no part, and gets 0."""
    _not_of_ints(dtype)
    if mean is not np._NoValue:
        raise NoDerivative("np.nanvar and np.nanstd with mean", "leave it out")
    off = ddof if correction is np._NoValue else correction
    return np.nanvar(np.where(where, a, np.nan), axis=axis, ddof=off, keepdims=keepdims)


@definition(np.nanstd, given=("where", "mean", "correction"))
def nanstd(
    a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=np._NoValue, correction=np._NoValue
):
    _not_of_ints(dtype)
    if mean is not np._NoValue:
        raise NoDerivative("np.nanvar and np.nanstd with mean", "leave it out")
    off = ddof if correction is np._NoValue else correction
    return np.nanstd(np.where(where, a, np.nan), axis=axis, ddof=off, keepdims=keepdims)


@definition(np.average, given=("returned",))
def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    y = np.average(a, axis=axis, weights=weights, keepdims=keepdims)
    if not returned:
        return y
    if weights is None:
        return y, np.full(np.shape(y), np.size(a) / np.size(y))[()]
    if np.ndim(weights) == np.ndim(a):
        return y, np.sum(weights, axis=axis, keepdims=keepdims)
    return y, np.full(np.shape(y), np.sum(weights))


# -- order -------------------------------------------------------------------------------------------------------------

#: the position of the quantile q among n sorted elements is n q + a + q (1 - a - b) - 1, counted from 0
_POSITIONS = {
    "linear": (1.0, 1.0), "hazen": (0.5, 0.5), "weibull": (0.0, 0.0), "interpolated_inverted_cdf": (0.0, 1.0),
    "median_unbiased": (1.0 / 3.0, 1.0 / 3.0), "normal_unbiased": (0.375, 0.375),
}  # fmt: skip


def _position(n, q, method):
    """Where the quantile is among n sorted elements."""
    if method in _POSITIONS:
        a, b = _POSITIONS[method]
        return np.clip(n * q + (a + q * (1.0 - a - b)) - 1.0, 0.0, n - 1.0)
    # steps: the position is what NumPy says of the numbers 0 ... n - 1; it does not vary with q
    return np.round(np.quantile(np.arange(n), q, method=method), 1)


def _rows(a, axis):
    """The elements that belong together along the last axis."""
    if axis is None:
        return np.ravel(a)
    if isinstance(axis, int):
        return np.moveaxis(a, axis, -1)
    moved = np.moveaxis(a, axis, tuple(range(-len(axis), 0)))
    return np.reshape(moved, (*np.shape(moved)[: np.ndim(a) - len(axis)], -1))


def _kept(y, a, axis, q, keepdims):
    """The axes of length 1 that keepdims asks for."""
    if not keepdims:
        return y
    first = np.ndim(q)
    if axis is None:
        return np.expand_dims(y, tuple(range(first, first + np.ndim(a))))
    axes = (axis,) if isinstance(axis, int) else axis
    return np.expand_dims(y, tuple([first + k % np.ndim(a) for k in axes]))


def _weighted_quantile(a, q, axis, weights):
    """The first of the elements in order up to which the weights are at least the share q of all."""
    rows = _rows(a, axis)
    w = _rows(weights, axis) if np.ndim(weights) == np.ndim(a) else np.broadcast_to(weights, np.shape(rows))
    order = np.argsort(rows, axis=-1, kind="stable")
    sums = np.cumsum(np.take_along_axis(w, order, axis=-1), axis=-1)
    shares = sums / sums[..., -1:]
    rows = np.take_along_axis(rows, order, axis=-1)
    if np.ndim(q) == 0:
        return np.take_along_axis(rows, np.sum(shares < q, axis=-1, keepdims=True), axis=-1)[..., 0]
    at = np.sum(shares[..., None, :] < q[:, None], axis=-1)
    return np.moveaxis(np.take_along_axis(rows, at, axis=-1), -1, 0)


@definition(np.quantile, given=("method", "weights"), active=("q",))
def quantile(
    a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None
):  # fmt: skip
    """Equal elements share evenly; q has a derivative where the method is continuous in it, 0 elsewhere. With weights
    it is one of the elements, of equal ones the first."""
    if isinstance(q, (list, tuple)):
        q = np.array(q)
    if weights is not None:
        if method != "inverted_cdf":
            raise ValueError("Only method 'inverted_cdf' supports weights.")
        return _kept(_weighted_quantile(a, q, axis, np.asarray(weights)), a, axis, q, keepdims)
    rows = np.sort(_rows(a, axis), axis=-1)
    n = np.shape(rows)[-1]
    at = _position(n, q, method)
    low = np.asarray(np.floor(at)).astype(int)
    high = np.minimum(low + 1, n - 1)
    part = at - low
    y = rows[..., low] * (1.0 - part) + rows[..., high] * part
    if np.ndim(q) == 1:
        y = np.moveaxis(y, -1, 0)
    return _kept(y, a, axis, q, keepdims)


@definition(np.percentile, given=("method", "weights"), active=("q",))
def percentile(
    a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None
):  # fmt: skip
    """Equal elements share evenly; q has a derivative where the method is continuous in it, 0 elsewhere."""
    if isinstance(q, (list, tuple)):
        q = np.array(q)
    return np.quantile(a, q / 100.0, axis=axis, method=method, keepdims=keepdims, weights=weights)


@definition(np.nanquantile)
def nanquantile(
    a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None
):  # fmt: skip
    """Equal elements share evenly; nan takes no part, and gets 0."""
    if method not in _POSITIONS or weights is not None:
        raise NoDerivative(f"np.nanquantile with method={method!r} or weights", "drop what is nan, and use np.quantile")
    if isinstance(q, (list, tuple)):
        q = np.array(q)
    there = np.where(np.isnan(a), np.nan, a)  # the same; what is nan gets 0, be the slope of what made it nan
    rows = np.sort(_rows(there, axis), axis=-1)  # nan comes last
    n = np.sum(~np.isnan(rows), axis=-1, keepdims=True)
    at = _position(n, q, method)
    low = np.maximum(np.floor(at).astype(int), 0)
    high = np.maximum(np.minimum(low + 1, n - 1), 0)
    part = at - low
    y = np.take_along_axis(rows, low, axis=-1) * (1.0 - part) + np.take_along_axis(rows, high, axis=-1) * part
    y = y[..., 0] if np.ndim(q) == 0 else np.moveaxis(y, -1, 0)
    return _kept(y, a, axis, q, keepdims)


@definition(np.nanpercentile)
def nanpercentile(
    a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None
):  # fmt: skip
    """Equal elements share evenly; nan takes no part, and gets 0."""
    if isinstance(q, (list, tuple)):
        q = np.array(q)
    return np.nanquantile(a, q / 100.0, axis=axis, method=method, keepdims=keepdims, weights=weights)


@definition(np.nanmedian)
def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """Equal elements share evenly; nan takes no part, and gets 0."""
    return np.nanquantile(a, 0.5, axis=axis, keepdims=keepdims)


@definition(np.sort_complex)
def sort_complex(a):
    return np.sort(a) + 0j


# -- cumulative --------------------------------------------------------------------------------------------------------

if hasattr(np, "cumulative_sum"):

    @definition(np.cumulative_sum, given=("include_initial",))
    def cumulative_sum(x, *, axis=None, dtype=None, out=None, include_initial=False):
        along = 0 if axis is None else axis
        x = _cast(x, dtype)
        y = np.cumsum(x, axis=along)
        if not include_initial:
            return y
        return np.concatenate((np.zeros_like(np.take(x, [0], axis=along)), y), axis=along)

    @definition(np.cumulative_prod, given=("include_initial",))
    def cumulative_prod(x, *, axis=None, dtype=None, out=None, include_initial=False):
        """Right where factors are zero."""
        along = 0 if axis is None else axis
        x = _cast(x, dtype)
        y = np.cumprod(x, axis=along)
        if not include_initial:
            return y
        return np.concatenate((np.ones_like(np.take(x, [0], axis=along)), y), axis=along)


# -- statistics --------------------------------------------------------------------------------------------------------


@definition(np.cov, given=("y", "fweights", "aweights"), when=lambda call: call.is_complex("m"))
def cov(m, y=None, rowvar=True, bias=False, ddof=None, *, fweights=None, aweights=None, dtype=None):
    x = np.atleast_2d(m)
    if not rowvar and np.ndim(m) == 2:
        x = x.T
    if y is not None:
        other = np.atleast_2d(y)
        if not rowvar and np.ndim(y) == 2:
            other = other.T
        x = np.concatenate((x, other), axis=0)
    off = ddof if ddof is not None else (0 if bias else 1)
    if fweights is None and aweights is None and not np.iscomplexobj(x):
        return np.cov(x, ddof=off)
    counts = np.ones(np.shape(x)[1]) if fweights is None else np.asarray(fweights, dtype=float)
    shares = np.ones(np.shape(x)[1]) if aweights is None else np.asarray(aweights, dtype=float)
    w = counts * shares
    total = np.sum(w)
    centred = x - (x @ w / total)[:, None]
    freedom = total - off * np.sum(w * shares) / total
    c = (centred * w) @ (np.conj(centred.T) if np.iscomplexobj(centred) else centred.T) / freedom
    return c if y is not None or np.ndim(m) == 2 else c[0, 0]


@definition(np.corrcoef, given=("y",))
def corrcoef(x, y=None, rowvar=True, bias=np._NoValue, ddof=np._NoValue, *, dtype=None):
    a = np.atleast_2d(x)
    b = np.atleast_2d(y)
    if not rowvar and np.ndim(x) == 2:
        a = a.T
    if not rowvar and np.ndim(y) == 2:
        b = b.T
    return np.corrcoef(np.concatenate((a, b), axis=0))


@definition(np.histogram, given=("density",))
def histogram(a, bins=10, range=None, density=None, weights=None):
    counts, edges = np.histogram(a, bins, range, weights=weights)
    return (counts / np.sum(counts) / np.diff(edges) if density else counts), edges
