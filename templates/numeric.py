"""Clipping, interpolation, differences, statistics of several variables."""

import numpy as np

from s2sad.kinds import known
from s2sad.kinds.kind import Array
from s2sad.rules import adjoint, d, definition, elementwise, tangent, zero
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
    off = ddof if ddof is not None else (1 if bias == 0 else 0)  # (None is not 0)
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
