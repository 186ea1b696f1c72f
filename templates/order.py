"""Sorting, quantiles, partitions, and sets."""

import numpy as np

from s2sad.rules import adjoint, d, definition, tangent

# -- order -------------------------------------------------------------------------------------------------------------


@adjoint(np.sort, newer=("stable",))
def sort(y, a, axis=-1, kind=None, order=None, *, stable=None):
    """Equal elements share evenly.

    Cost: the order is asked for; sorting indices takes several times what sorting numbers does.
    """
    d[a] = helper("sort_back", a, d[y], a, axis)


@tangent(np.sort, newer=("stable",))
def sort(y, a, axis=-1, kind=None, order=None, *, stable=None):
    d[y] = helper("sort_tangent", y, d[a], a, axis)


@adjoint(np.median, selects=True)
def median(y, a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """Equal elements share evenly."""
    d[a] = helper("quantile_back", a, d[y], a, 0.5, axis, keepdims)


@tangent(np.median, selects=True)
def median(y, a, axis=None, out=None, overwrite_input=False, keepdims=False):
    d[y] = helper("quantile_tangent", y, d[a], a, 0.5, axis, keepdims)


@adjoint(np.quantile, selects=True)
def quantile(y, a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    d[a] = quantile_helper("back", a, d[y], a, q, axis, keepdims)


@tangent(np.quantile, selects=True)
def quantile(y, a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    d[y] = quantile_helper("tangent", y, d[a], a, q, axis, keepdims)


@adjoint(np.percentile, selects=True)
def percentile(y, a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    d[a] = quantile_helper("back", a, d[y], a, hundredth(q), axis, keepdims)


@tangent(np.percentile, selects=True)
def percentile(y, a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    d[y] = quantile_helper("tangent", y, d[a], a, hundredth(q), axis, keepdims)


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
    part = part.astype(np.result_type(rows, q, 0.5))
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


@adjoint(np.unique, newer=("sorted",))
def unique(
    y, ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True
):
    """Equal elements share evenly.

    Cost: the order is asked for; sorting indices takes several times what sorting numbers does.
    """
    if axis is not None:
        raise NoDerivative("only the values of a flat array have a rule", "call it for each, one after the other")
    d[ar] = helper("unique_back", ar, d[y], ar)


@tangent(np.unique, newer=("sorted",))
def unique(
    y, ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True
):
    if axis is not None:
        raise NoDerivative("only the values of a flat array have a rule", "call it for each, one after the other")
    d[y] = helper("unique_tangent", y, d[ar], ar)


@adjoint(np.partition)
def partition(y, a, kth, axis=-1, kind="introselect", order=None):
    """Those that are equal to a kth element share evenly; equal ones within a part, which NumPy puts in any order, get
    what stands in their places."""
    d[a] = helper("partition_back", a, d[y], a, y, kth, axis)


@tangent(np.partition)
def partition(y, a, kth, axis=-1, kind="introselect", order=None):
    d[y] = helper("partition_tangent", y, d[a], a, y, kth, axis)


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
