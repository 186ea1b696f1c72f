"""Clipping, interpolation, differences, polynomials, statistics of several variables, sequences."""

import numpy as np

from s2sad.kinds import known
from s2sad.kinds.kind import Array
from s2sad.rules import adjoint, d, elementwise, linear, tangent, zero
from s2sad.runtime import helpers


@adjoint(np.clip, broadcasts=True, selects=True)
def clip(y, a, a_min=None, a_max=None, out=None, *, min=None, max=None):
    """At a bound both share evenly."""
    d[a] = clip_part(d[y], a, either(a_min, min), either(a_max, max), "a")
    d[either(a_min, min)] = clip_part(d[y], a, either(a_min, min), either(a_max, max), "low")
    d[either(a_max, max)] = clip_part(d[y], a, either(a_min, min), either(a_max, max), "high")


@tangent(np.clip, broadcasts=True, selects=True)
def clip(y, a, a_min=None, a_max=None, out=None, *, min=None, max=None):
    d[y] = (
        clip_part(d[a], a, either(a_min, min), either(a_max, max), "a")
        + clip_part(derivative(either(a_min, min)), a, either(a_min, min), either(a_max, max), "low")
        + clip_part(derivative(either(a_max, max)), a, either(a_min, min), either(a_max, max), "high")
    )


@adjoint(np.ndarray.clip, broadcasts=True, selects=True)
def clip(y, self, min=None, max=None, out=None):
    """At a bound both share evenly."""
    d[self] = clip_part(d[y], self, min, max, "a")
    d[min] = clip_part(d[y], self, min, max, "low")
    d[max] = clip_part(d[y], self, min, max, "high")


@tangent(np.ndarray.clip, broadcasts=True, selects=True)
def clip(y, self, min=None, max=None, out=None):
    d[y] = (
        clip_part(d[self], self, min, max, "a")
        + clip_part(derivative(min), self, min, max, "low")
        + clip_part(derivative(max), self, min, max, "high")
    )


@elementwise(np.heaviside)
def heaviside(y, x, h):
    """0 with respect to x, also at the step."""
    return 0.0, (x == 0.0) * 1.0


@elementwise(np.unwrap)
def unwrap(y, p, discont=None, axis=-1, *, period=6.283185307179586):
    return 1.0


@elementwise(np.i0)
def i0(y, x):
    """The Bessel function I1: that of I0 times a continued fraction."""
    return bessel_i1_of(x)


@known.rule(helpers.interp_slope)
def interp_slope_kind(args, kwargs):
    """A slope for each place."""
    if not all(isinstance(a, Array) and a.dtype.kind in "fc" for a in args):
        return None
    return Array(np.result_type(args[1].dtype, args[2].dtype), args[0].shape)


@known.rule(helpers.interp_back)
def interp_back_kind(args, kwargs):
    """The shape of the points; as wide as the cotangent."""
    if not all(isinstance(a, Array) and a.dtype.kind in "fc" for a in args):
        return None
    return Array(np.result_type(args[0].dtype, args[2].dtype), args[2].shape)


@adjoint(np.interp, selects=True)
def interp(y, x, xp, fp, left=None, right=None, period=None):
    """At the points the slope on the right; 0 outside."""
    d[x] = d[y] * helper("interp_slope", y, x, xp, fp)
    d[xp] = helper("interp_back", xp, -d[y] * helper("interp_slope", y, x, xp, fp), x, xp)
    d[fp] = helper("interp_back", fp, d[y], x, xp)


@tangent(np.interp, selects=True)
def interp(y, x, xp, fp, left=None, right=None, period=None):
    slope = helper("interp_slope", y, x, xp, fp)
    d[y] = d[x] * slope - np.interp(x, xp, d[xp]) * slope + np.interp(x, xp, d[fp])


@adjoint(np.gradient)
def gradient(y, f, *varargs, axis=None, edge_order=1):
    """Along one axis. No derivative with respect to the spacing."""
    d[f] = gradient_back(d[y], f, varargs, axis, edge_order)


@tangent(np.gradient)
def gradient(y, f, *varargs, axis=None, edge_order=1):
    d[y] = gradient_call(d[f], f, varargs, axis, edge_order)


@adjoint(np.polyval)
def polyval(y, p, x):
    """All powers of x for the coefficients."""
    of_rank(p, 0, 1)
    d[p] = summed_with_powers(d[y], x, p)
    d[x] = d[y] * np.polyval(np.polyder(p), x)


@tangent(np.polyval)
def polyval(y, p, x):
    of_rank(p, 0, 1)
    d[y] = np.polyval(d[p], x) + np.polyval(np.polyder(p), x) * d[x]


@linear(np.polyder)
def polyder(y, p, m=1):
    if may_be_empty(p):
        d[p] = np.append(d[y] * np.arange(np.size(d[y]), 0, -1), 0.0)[: np.size(p)]
    else:
        d[p] = np.append(d[y] * np.arange(np.size(d[y]), 0, -1), 0.0)


@adjoint(np.vander)
def vander(y, x, N=None, increasing=False):
    d[x] = helper("vander_back", x, d[y], x, increasing)


@tangent(np.vander)
def vander(y, x, N=None, increasing=False):
    d[y] = helper("vander_tangent", y, d[x], x, y, increasing)


@adjoint(np.cov)
def cov(c, m, y=None, rowvar=True, bias=False, ddof=None, *, fweights=None, aweights=None, dtype=None):
    real_only(m)
    of_rank(m, 1, 2)
    d[m] = helper("cov_back", m, d[c], m, rowvar, cov_ddof(bias, ddof))


@tangent(np.cov)
def cov(c, m, y=None, rowvar=True, bias=False, ddof=None, *, fweights=None, aweights=None, dtype=None):
    real_only(m)
    d[c] = helper("cov_tangent", c, d[m], m, rowvar, cov_ddof(bias, ddof))


@adjoint(np.corrcoef)
def corrcoef(c, x, y=None, rowvar=True):
    real_only(x)
    d[x] = helper("corrcoef_back", x, d[c], x, c, rowvar)


@tangent(np.corrcoef)
def corrcoef(c, x, y=None, rowvar=True):
    real_only(x)
    d[c] = helper("corrcoef_tangent", c, d[x], x, c, rowvar)


@linear(np.bincount)
def bincount(y, x, weights=None, minlength=0):
    d[weights] = d[y][x]


@adjoint(np.linspace)
def linspace(y, start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    simple_linspace(retstep, axis)
    t = linspace_call(0.0, 1.0, num, endpoint)
    d[start] = sequence_end(1.0 - t, d[y], start)
    d[stop] = sequence_end(t, d[y], stop)


@tangent(np.linspace)
def linspace(y, start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    simple_linspace(retstep, axis)
    d[y] = linspace_call(or_zero(d[start]), or_zero(d[stop]), num, endpoint)


@adjoint(np.logspace)
def logspace(y, start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    t = linspace_call(0.0, 1.0, num, endpoint)
    d[start] = sequence_end(1.0 - t, d[y] * y * np.log(base), start)
    d[stop] = sequence_end(t, d[y] * y * np.log(base), stop)


@tangent(np.logspace)
def logspace(y, start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    d[y] = y * np.log(base) * linspace_call(or_zero(d[start]), or_zero(d[stop]), num, endpoint)


@adjoint(np.geomspace)
def geomspace(y, start, stop, num=50, endpoint=True, dtype=None, axis=0):
    t = linspace_call(0.0, 1.0, num, endpoint)
    d[start] = sequence_end(1.0 - t, d[y] * y / start, start)
    d[stop] = sequence_end(t, d[y] * y / stop, stop)


@tangent(np.geomspace)
def geomspace(y, start, stop, num=50, endpoint=True, dtype=None, axis=0):
    d[y] = y * linspace_call(or_zero(d[start] / start), or_zero(d[stop] / stop), num, endpoint)


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


@adjoint(np.insert)
def insert(y, arr, obj, values, axis=None):
    """Of what was there, and of what is put in."""
    places = insert_places(arr, obj, values, axis)
    d[arr] = without_inserted(d[y], arr, places, values, axis)
    d[values] = at_inserted(d[y], arr, places, values, axis)


@tangent(np.insert)
def insert(y, arr, obj, values, axis=None):
    places = insert_places(arr, obj, values, axis)
    d[y] = insert_call(zeros_for(d[arr], arr), places, zeros_for(d[values], values), axis)


@elementwise(np.nextafter)
def nextafter(y, x, towards):
    return 1.0, 0.0


zero(np.digitize, np.spacing, np.argpartition, np.nanargmax, np.nanargmin, np.isin, np.lexsort, np.array_equiv)
zero(np.bartlett, np.blackman, np.hamming, np.hanning, np.fft.fftfreq, np.fft.rfftfreq, np.isposinf, np.isneginf)
zero(np.isscalar, np.issubdtype, np.tril_indices_from, np.triu_indices_from, np.diag_indices_from, np.mask_indices)
