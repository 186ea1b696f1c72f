"""Sums, means, products, extrema, variances, quantiles, and the cumulative forms."""

import numpy as np

from s2sad.rules import adjoint, d, definition, linear, tangent


@linear(np.sum, lazy=True)
def sum(y, a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    if where is True:
        d[a] = expand_reduced(d[y], a, axis, keepdims)
    else:
        d[a] = np.where(where, expand_reduced(d[y], a, axis, keepdims), 0.0)


@linear(np.mean, lazy=True)
def mean(y, a, axis=None, dtype=None, out=None, keepdims=False):
    d[a] = expand_reduced(d[y] / count(a, axis), a, axis, keepdims)


@adjoint(np.average, lazy=True)
def average(y, a, axis=None, weights=None, returned=False, *, keepdims=False):
    if weights is None:
        d[a] = expand_reduced(d[y] / count(a, axis), a, axis, keepdims)
    else:
        w = weights_along(weights, a, axis)
        g = expand_reduced(d[y], a, axis, keepdims) / kept("sum", w, axis)
        d[a] = g * w
        d[weights] = weights_back(g * (a - expand_reduced(y, a, axis, keepdims)), weights, a, axis)


@tangent(np.average)
def average(y, a, axis=None, weights=None, returned=False, *, keepdims=False):
    if weights is None:
        d[y] = reduced("mean", d[a], axis, keepdims)
    else:
        w = weights_along(weights, a, axis)
        total = reduced("sum", w, axis, keepdims)
        d[y] = (
            reduced("sum", w * d[a], axis, keepdims) / total
            + reduced(
                "sum", weights_along(d[weights], a, axis) * (a - expand_reduced(y, a, axis, keepdims)), axis, keepdims
            )
            / total
        )


@adjoint(np.max, np.min, *{np.amax, np.amin} - {np.max, np.min}, lazy=True, selects=True)
def max(y, a, axis=None, out=None, keepdims=False):
    """Where several are extreme they share evenly."""
    hit = mask_of(a == expand_reduced(y, a, axis, keepdims), a)
    d[a] = expand_reduced(d[y], a, axis, keepdims) / kept("sum", hit, axis) * hit


@tangent(np.max, np.min, *{np.amax, np.amin} - {np.max, np.min}, selects=True)
def max(y, a, axis=None, out=None, keepdims=False):
    hit = mask_of(a == expand_reduced(y, a, axis, keepdims), a)
    d[y] = reduced("sum", d[a] * hit, axis, keepdims) / reduced("sum", hit, axis, keepdims)


@adjoint(np.nanmax, np.nanmin, lazy=True, selects=True)
def nanmax(y, a, axis=None, out=None, keepdims=False):
    """Where several are extreme they share evenly; nan takes no part, and gets 0."""
    hit = mask_of(a == expand_reduced(y, a, axis, keepdims), a)
    d[a] = np.where(hit, expand_reduced(d[y], a, axis, keepdims) / kept("sum", hit, axis), 0.0)


@tangent(np.nanmax, np.nanmin, selects=True)
def nanmax(y, a, axis=None, out=None, keepdims=False):
    hit = mask_of(a == expand_reduced(y, a, axis, keepdims), a)
    d[y] = reduced("sum", np.where(hit, d[a], 0.0), axis, keepdims) / reduced("sum", hit, axis, keepdims)


@adjoint(np.ptp, lazy=True, selects=True)
def ptp(y, a, axis=None, out=None, keepdims=False):
    """Where several are extreme they share evenly."""
    high = mask_of(a == kept("max", a, axis), a)
    low = mask_of(a == kept("min", a, axis), a)
    g = expand_reduced(d[y], a, axis, keepdims)
    d[a] = g / kept("sum", high, axis) * high - g / kept("sum", low, axis) * low


@tangent(np.ptp, selects=True)
def ptp(y, a, axis=None, out=None, keepdims=False):
    high = mask_of(a == kept("max", a, axis), a)
    low = mask_of(a == kept("min", a, axis), a)
    d[y] = reduced("sum", d[a] * (high / kept("sum", high, axis) - low / kept("sum", low, axis)), axis, keepdims)


@adjoint(np.prod, lazy=True)
def prod(y, a, axis=None, dtype=None, out=None, keepdims=False):
    """Right where factors are zero: each factor gets the product of the others."""
    d[a] = expand_reduced(d[y], a, axis, keepdims) * product_of_others(a, axis)


@tangent(np.prod)
def prod(y, a, axis=None, dtype=None, out=None, keepdims=False):
    d[y] = reduced("sum", d[a] * product_of_others(a, axis), axis, keepdims)


@adjoint(np.var, lazy=True)
def var(y, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    centred = a - kept("mean", a, axis)
    d[a] = expand_reduced(2.0 * d[y] / freedom(a, axis, ddof), a, axis, keepdims) * conjugated(centred)


@tangent(np.var)
def var(y, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    t = reduced("sum", conjugated(a - kept("mean", a, axis)) * d[a], axis, keepdims)
    d[y] = 2.0 * real_values(t) / freedom(a, axis, ddof)


@adjoint(np.std, lazy=True)
def std(y, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    """0 where all are equal."""
    centred = a - kept("mean", a, axis)
    d[a] = expand_reduced(d[y] / (freedom(a, axis, ddof) * nonzero(y)), a, axis, keepdims) * conjugated(centred)


@tangent(np.std)
def std(y, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    t = reduced("sum", conjugated(a - kept("mean", a, axis)) * d[a], axis, keepdims)
    d[y] = real_values(t) / (freedom(a, axis, ddof) * nonzero(y))


# -- cumulative --------------------------------------------------------------------------------------------------------


@linear(np.cumsum)
def cumsum(y, a, axis=None, dtype=None, out=None):
    d[a] = cumsum_back(d[y], a, axis)


@adjoint(np.nancumsum, selects=True)
def nancumsum(y, a, axis=None, dtype=None, out=None):
    """nan takes no part, and gets 0."""
    d[a] = np.where(np.isnan(a), 0.0, cumsum_back(d[y], a, axis))


@tangent(np.nancumsum, selects=True)
def nancumsum(y, a, axis=None, dtype=None, out=None):
    d[y] = np.cumsum(np.where(np.isnan(a), 0.0, d[a]), axis=axis)


@adjoint(np.cumprod)
def cumprod(y, a, axis=None, dtype=None, out=None):
    """Right where factors are zero."""
    d[a] = helper("cumprod_back", a, d[y], a, y, along(axis, a))


@tangent(np.cumprod)
def cumprod(y, a, axis=None, dtype=None, out=None):
    d[y] = helper("cumprod_tangent", y, d[a], a, y, along(axis, a))


if hasattr(np, "cumulative_sum"):

    @linear(np.cumulative_sum)
    def cumulative_sum(y, x, *, axis=None, dtype=None, out=None, include_initial=False):
        d[x] = cumsum_back(d[y], x, axis)

    @adjoint(np.cumulative_prod)
    def cumulative_prod(y, x, *, axis=None, dtype=None, out=None, include_initial=False):
        """Right where factors are zero."""
        d[x] = helper("cumprod_back", x, d[y], x, y, along(axis, x))

    @tangent(np.cumulative_prod)
    def cumulative_prod(y, x, *, axis=None, dtype=None, out=None, include_initial=False):
        d[y] = helper("cumprod_tangent", y, d[x], x, y, along(axis, x))


@linear(np.diff)
def diff(y, a, n=1, axis=-1):
    d[a] = diff_adjoint(d[y], a, n, axis)


@linear(np.ediff1d)
def ediff1d(y, ary):
    d[ary] = ediff1d_adjoint(d[y], ary)


@adjoint(np.trapezoid if hasattr(np, "trapezoid") else np.trapz)
def trapezoid(result, y, x=None, dx=1.0, axis=-1):
    if is_complex(x) and not is_complex(y):
        raise NoDerivative("complex points of real values have no rule", "write values + 0j")
    if x is None:
        d[y] = helper("trapezoid_back", y, d[result], y, dx, axis)
        d[dx] = np.sum(d[result] * helper("trapezoid_unit", result, y, axis))
    else:
        d[y] = helper("trapezoid_values_back", y, d[result], y, x, axis)
        d[x] = helper("trapezoid_points_back", x, d[result], y, x, axis)


@tangent(np.trapezoid if hasattr(np, "trapezoid") else np.trapz)
def trapezoid(result, y, x=None, dx=1.0, axis=-1):
    if x is None:
        d[result] = trapezoid_call(d[y], None, dx, axis) + trapezoid_call(y, None, d[dx], axis)
    else:
        d[result] = trapezoid_call(d[y], x, 1.0, axis) + trapezoid_call(y, d[x], 1.0, axis)


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


# -- nan takes no part -------------------------------------------------------------------------------------------------


@adjoint(np.nansum, lazy=True, selects=True)
def nansum(y, a, axis=None, dtype=None, out=None, keepdims=False):
    """nan takes no part, and gets 0."""
    d[a] = np.where(np.isnan(a), 0.0, expand_reduced(d[y], a, axis, keepdims))


@tangent(np.nansum, selects=True)
def nansum(y, a, axis=None, dtype=None, out=None, keepdims=False):
    d[y] = reduced("sum", np.where(np.isnan(a), 0.0, d[a]), axis, keepdims)


@adjoint(np.nanmean, lazy=True, selects=True)
def nanmean(y, a, axis=None, dtype=None, out=None, keepdims=False):
    """nan takes no part, and gets 0."""
    there = ~np.isnan(a)
    d[a] = np.where(there, expand_reduced(d[y], a, axis, keepdims) / valid_count(there, a, axis, True), 0.0)


@tangent(np.nanmean, selects=True)
def nanmean(y, a, axis=None, dtype=None, out=None, keepdims=False):
    there = ~np.isnan(a)
    d[y] = reduced("sum", np.where(there, d[a], 0.0), axis, keepdims) / valid_count(there, a, axis, keepdims)


@adjoint(np.nanvar, lazy=True, selects=True)
def nanvar(y, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    """nan takes no part, and gets 0."""
    there = ~np.isnan(a)
    count = valid_count(there, a, axis, True) - ddof
    centred = conjugated(a - kept("nanmean", a, axis))
    d[a] = np.where(there, 2.0 * expand_reduced(d[y], a, axis, keepdims) / count * centred, 0.0)


@tangent(np.nanvar, selects=True)
def nanvar(y, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    there = ~np.isnan(a)
    centred = conjugated(a - kept("nanmean", a, axis))
    t = reduced("sum", np.where(there, centred * d[a], 0.0), axis, keepdims)
    d[y] = 2.0 * real_values(t / (valid_count(there, a, axis, keepdims) - ddof))


@adjoint(np.nanstd, lazy=True, selects=True)
def nanstd(y, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    """nan takes no part, and gets 0; 0 where all are equal."""
    there = ~np.isnan(a)
    count = valid_count(there, a, axis, True) - ddof
    centred = conjugated(a - kept("nanmean", a, axis))
    d[a] = np.where(there, expand_reduced(d[y] / nonzero(y), a, axis, keepdims) / count * centred, 0.0)


@tangent(np.nanstd, selects=True)
def nanstd(y, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    there = ~np.isnan(a)
    centred = conjugated(a - kept("nanmean", a, axis))
    t = reduced("sum", np.where(there, centred * d[a], 0.0), axis, keepdims)
    d[y] = real_values(t / (valid_count(there, a, axis, keepdims) - ddof)) / nonzero(y)


@adjoint(np.nanprod, lazy=True, selects=True)
def nanprod(y, a, axis=None, dtype=None, out=None, keepdims=False):
    """nan takes no part, and gets 0."""
    x = np.where(np.isnan(a), 1.0, a)
    d[a] = np.where(np.isnan(a), 0.0, expand_reduced(d[y], a, axis, keepdims) * product_of_others(x, axis))


@tangent(np.nanprod, selects=True)
def nanprod(y, a, axis=None, dtype=None, out=None, keepdims=False):
    x = np.where(np.isnan(a), 1.0, a)
    d[y] = reduced("sum", np.where(np.isnan(a), 0.0, d[a] * product_of_others(x, axis)), axis, keepdims)


# -- cumulative, polynomials, histograms -------------------------------------------------------------------------------


@adjoint(np.nancumprod, selects=True)
def nancumprod(y, a, axis=None, dtype=None, out=None):
    """nan takes no part, and gets 0."""
    x = np.where(np.isnan(a), 1.0, a)
    d[a] = np.where(np.isnan(a), 0.0, helper("cumprod_back", a, d[y], x, y, along(axis, x)))


@tangent(np.nancumprod, selects=True)
def nancumprod(y, a, axis=None, dtype=None, out=None):
    x = np.where(np.isnan(a), 1.0, a)
    d[y] = helper("cumprod_tangent", y, np.where(np.isnan(a), 0.0, d[a]), x, y, axis)


# -- seldom used forms -------------------------------------------------------------------------------------------------


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
