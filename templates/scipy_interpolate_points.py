"""SciPy's interpolants in the points that they go through, and in scattered points.

Where the points are active, splines are written out in NumPy; which interval, simplex or nearest point is meant is
constant."""

import math

import numpy as np
from scipy import interpolate, linalg
from scipy.spatial.distance import cdist

from s2sad.kinds import known
from s2sad.kinds.kind import Array, Tuple
from s2sad.rules import definition, zero
from s2sad.runtime import helpers
from s2sad.runtime.helpers import box_of, interval_of, nearest_of, simplex_of, spline_knots

zero(helpers.interval_of, helpers.cell_of, helpers.point_of, helpers.box_of, helpers.nearest_of, helpers.simplex_of)


@known.rule(helpers.interval_of, helpers.cell_of, helpers.point_of)
def interval_kind(args, kwargs):
    """A number for each t."""
    shape = known.shape_of(args[1])
    return None if shape is None else Array(np.dtype(np.int64), shape)


@known.rule(helpers.nearest_of)
def nearest_kind(args, kwargs):
    """A number for each point."""
    shape = known.shape_of(args[1])
    return None if shape is None else Array(np.dtype(np.int64), shape[:-1])


@known.rule(helpers.box_of)
def box_kind(args, kwargs):
    """Two numbers for each axis."""
    shape = known.shape_of(args[0])
    return None if shape is None else Tuple((Array(known.F8, shape[1:]),) * 2)


@known.rule(helpers.simplex_of)
def simplex_kind(args, kwargs):
    """One corner more than there are axes, for each point."""
    shape = known.shape_of(args[1])
    if shape is None:
        return None
    return Tuple((Array(np.dtype(np.int32), (*shape[:-1], shape[-1] + 1)), Array(np.dtype(bool), shape[:-1])))


# -- piecewise polynomials and splines ---------------------------------------------------------------------------------


def wide(v, rank):
    """A number for each point in a shape that broadcasts against values of some more dimensions."""
    return np.reshape(v, np.shape(v) + (1,) * rank)


def only_within(total, t, low, high, rank, extrapolate):
    """nan outside of the points, unless extrapolated."""
    if extrapolate == "periodic":
        raise NoDerivative("a periodic interpolant has no derivative in its points", "wrap the arguments before")
    if extrapolate:
        return total
    return np.where(wide((t >= low) & (t <= high), rank), total, np.nan)


@definition(helpers.piecewise_polynomial, active=("x",))
def piecewise_polynomial(c, x, t, nu=0, extrapolate=True):
    i = interval_of(x, t)
    rank = c.ndim - 2
    s = wide(t - x[i], rank)
    total = math.perm(c.shape[0] - 1, nu) * c[0][i]
    for k in range(1, c.shape[0] - nu):
        total = total * s + math.perm(c.shape[0] - 1 - k, nu) * c[k][i]
    return only_within(total, t, x[0], x[-1], rank, extrapolate)


def _of_values(call):
    """Are the boundary conditions other than the three that the linear rule knows, or x active?"""
    return not all(isinstance(call.static(end), str) for end in ("start", "end"))


@definition(helpers.cubic_spline, active=("x",), when=_of_values)
def cubic_spline(x, y, start="not-a-knot", end="not-a-knot"):
    if len(x) < 4:
        raise ValueError("a cubic spline has a derivative in its points where there are four of them at least")
    h = np.diff(x)
    mean = np.diff(y, axis=0) / wide(h, y.ndim - 1)
    own, off, right = spline_end(start, h[0], h[1], mean[0], mean[1], 1.0)
    last, before, end_right = spline_end(end, h[-1], h[-2], mean[-1], mean[-2], -1.0)
    none = np.zeros(1)
    bands = np.stack([
        np.concatenate([none, np.reshape(off, (1,)), h[:-1]]),
        np.concatenate([np.reshape(own, (1,)), 2.0 * (h[:-1] + h[1:]), np.reshape(last, (1,))]),
        np.concatenate([h[1:], np.reshape(before, (1,)), none]),
    ])  # fmt: skip
    inner = 3.0 * (wide(h[1:], y.ndim - 1) * mean[:-1] + wide(h[:-1], y.ndim - 1) * mean[1:])
    rights = np.concatenate([right[None], inner, end_right[None]])
    if y.ndim > 2:
        rights = np.reshape(rights, (len(x), -1))
    s = linalg.solve_banded((1, 1), bands, rights)
    if y.ndim > 2:
        s = np.reshape(s, y.shape)
    bend = (s[:-1] + s[1:] - 2.0 * mean) / wide(h, y.ndim - 1)
    return np.stack([bend / wide(h, y.ndim - 1), (mean - s[:-1]) / wide(h, y.ndim - 1) - bend, s[:-1], y[:-1]])


def spline_end(kind, h, k, m, n, sign):
    """The equation at an end, own * slope + off * next slope = right, where the first two intervals have lengths h and
    k and mean slopes m and n. The sign is that of the direction in which the spline goes on."""
    if kind == "not-a-knot":
        return k, h + k, ((3.0 * h + 2.0 * k) * k * m + h**2 * n) / (h + k)
    if kind == "natural":
        return 2.0, 1.0, 3.0 * m
    if kind == "clamped":
        return 1.0, 0.0, 0.0 * m
    if not isinstance(kind, tuple):
        raise NoDerivative(
            "of the boundary conditions 'not-a-knot', 'natural', 'clamped' and (order, value) have a rule"
        )
    order, value = kind
    if order == 1:
        return 1.0, 0.0, value + 0.0 * m
    return 2.0, 1.0, 3.0 * m - 0.5 * sign * h * value


@definition(helpers.spline_knots, active=("x",))
def spline_knots_of(x, k=3):
    if k == 1:
        return np.concatenate([x[:1], x, x[-1:]])
    inner = x[(k + 1) // 2 : -((k + 1) // 2)] if k % 2 == 1 else (0.5 * (x[1:] + x[:-1]))[k // 2 : -(k // 2)]
    return np.concatenate([np.repeat(x[:1], k + 1), inner, np.repeat(x[-1:], k + 1)])


def basis(t, k, x, i):
    """The k + 1 B-splines of degree k that are not 0 at points x in intervals i of the knots t (de Boor 1972)."""
    if k == 0:
        return (np.ones(np.shape(x)),)
    return raised(t, k, x, i, basis(t, k - 1, x, i), 0, 0.0)


def raised(t, k, x, i, lower, r, carried):
    """B-splines from those of one degree less, from the r-th on."""
    if r == k:
        return (carried,)
    right, left = t[i + r + 1] - x, x - t[i + 1 - k + r]
    share = lower[r] / (right + left)
    return (carried + right * share, *raised(t, k, x, i, lower, r + 1, left * share))


@definition(helpers.interpolating_coefficients, active=("x",))
def interpolating_coefficients(x, y, k=3):
    t = spline_knots(x, k)
    n = len(x)
    i = interval_of(t[k : n + 1], x) + k
    column = i - k + np.arange(k + 1)[:, None]
    place = (k + np.arange(n) - column) * n + column
    bands = np.bincount(np.ravel(place), np.ravel(np.stack(basis(t, k, x, i))), (2 * k + 1) * n)
    bands = np.reshape(bands, (2 * k + 1, n))
    if y.ndim == 1:
        return linalg.solve_banded((k, k), bands, y)
    return np.reshape(linalg.solve_banded((k, k), bands, np.reshape(y, (n, -1))), y.shape)


@definition(helpers.b_spline, active=("t",))
def b_spline(t, c, k, x, nu=0, extrapolate=True):
    n = len(t) - k - 1
    total = spline_value(t, c[:n], k, x, nu)
    return only_within(total, x, t[k], t[n], c.ndim - 1, extrapolate)


def spline_value(t, c, k, x, nu):
    """A derivative of a spline: that of one of lower degree, whose coefficients are differences."""
    rank = c.ndim - 1
    if nu > 0:
        widths = t[k + 1 : -1] - t[1 : -k - 1]
        empty = widths == 0.0
        slopes = wide(np.where(empty, 0.0, k / np.where(empty, 1.0, widths)), rank) * np.diff(c, axis=0)
        return spline_value(t[1:-1], slopes, k - 1, x, nu - 1)
    i = interval_of(t[k : len(t) - k], x) + k
    return weighted(basis(t, k, x, i), c, i - k, rank, 0)


def weighted(parts, c, first, rank, j):
    """The sum of basis functions times coefficients, from the j-th on."""
    term = wide(parts[j], rank) * c[first + j]
    return term if j + 1 == len(parts) else term + weighted(parts, c, first, rank, j + 1)


# -- scattered points --------------------------------------------------------------------------------------------------


def rows(x):
    """Points as an array of two dimensions."""
    return x[:, None] if x.ndim == 1 else x


class SimplexInterpolant:
    """Linear interpolation on the triangles of scattered points."""

    def __init__(self, points, values, fill_value):
        self.points = rows(points)
        self.values = values
        self.fill_value = fill_value

    def __call__(self, xi):
        corners, inside = simplex_of(self.points, xi)
        places = self.points[corners]
        last = places[..., -1, :]
        edges = np.swapaxes(places[..., :-1, :] - last[..., None, :], -1, -2)
        shares = np.linalg.solve(edges, (xi - last)[..., None])[..., 0]
        weights = np.concatenate([shares, 1.0 - np.sum(shares, axis=-1, keepdims=True)], axis=-1)
        rank = self.values.ndim - 1
        total = np.sum(wide(weights, rank) * self.values[corners], axis=xi.ndim - 1)
        return np.where(wide(inside, rank), total, self.fill_value)


class NearestInterpolant:
    """The value at the nearest point."""

    def __init__(self, points, values):
        self.points = rows(points)
        self.values = values

    def __call__(self, xi):
        return self.values[nearest_of(self.points, xi)]


@definition(interpolate.LinearNDInterpolator)
def LinearNDInterpolator(points, values, fill_value=np.nan, rescale=False):
    """In the points, the values and where it is evaluated: one array of all coordinates."""
    if rescale:
        raise NoDerivative("rescale has no rule", "scale the points before")
    return SimplexInterpolant(points, values, fill_value)


@definition(interpolate.NearestNDInterpolator)
def NearestNDInterpolator(x, y, rescale=False, tree_options=None):
    """In the values; piecewise constant in the points."""
    if rescale:
        raise NoDerivative("rescale has no rule", "scale the points before")
    return NearestInterpolant(x, y)


@definition(interpolate.griddata)
def griddata(points, values, xi, method="linear", fill_value=np.nan, rescale=False):
    """With the methods linear and nearest; cubic in one dimension."""
    if rescale:
        raise NoDerivative("rescale has no rule", "scale the points before")
    if np.ndim(points) == 1:
        order = np.argsort(points)
        outside = "extrapolate" if method == "nearest" else fill_value
        x, y = np.asarray(points)[order], np.asarray(values)[order]
        return interpolate.interp1d(x, y, kind=method, axis=0, bounds_error=False, fill_value=outside)(xi)
    if method == "nearest":
        return NearestInterpolant(points, values)(xi)
    if method != "linear":
        raise NoDerivative("only the methods linear and nearest have a rule", "use RBFInterpolator")
    return SimplexInterpolant(points, values, fill_value)(xi)


def radial(kernel, square):
    """A radial function of the squared distance."""
    if kernel == "gaussian":
        return np.exp(-square)
    if kernel == "multiquadric":
        return -np.sqrt(1.0 + square)
    if kernel == "inverse_multiquadric":
        return 1.0 / np.sqrt(1.0 + square)
    if kernel == "inverse_quadratic":
        return 1.0 / (1.0 + square)
    there = square > 0.0
    some = np.where(there, square, 1.0)
    if kernel == "thin_plate_spline":
        return np.where(there, 0.5 * square * np.log(some), 0.0)
    if kernel == "linear":
        return np.where(there, -np.sqrt(some), 0.0)
    if kernel == "cubic":
        return np.where(there, square * np.sqrt(some), 0.0)
    if kernel == "quintic":
        return np.where(there, -(square**2) * np.sqrt(some), 0.0)
    raise NoDerivative("this kernel has no rule", "use one of SciPy's by name")


def degree_of(kernel, degree):
    """The degree of the polynomial that is added."""
    if degree is not None:
        return degree
    if kernel == "quintic":
        return 2
    if kernel == "thin_plate_spline" or kernel == "cubic":
        return 1
    return 0


def monomials(x, degree):
    """The powers of coordinates up to a degree, side by side."""
    ones = np.ones((len(x), 1))
    if degree == 0:
        return ones
    if degree == 1:
        return np.concatenate([ones, x], axis=1)
    if degree != 2:
        raise NoDerivative("polynomials of a degree above 2 have no rule", "take a lower degree")
    first, second = np.triu_indices(x.shape[1])
    return np.concatenate([ones, x, x[:, first] * x[:, second]], axis=1)


class RadialInterpolant:
    """A sum of radial functions around the points, and a polynomial."""

    def __init__(self, y, d, smoothing, kernel, epsilon, degree):
        self.y = y
        self.kernel = kernel
        self.epsilon = epsilon
        self.degree = degree
        n = len(y)
        self.shift, self.scale = box_of(y)  # it makes the equations regular, and does not change the interpolant
        matrix = radial(kernel, epsilon**2 * cdist(y, y, "sqeuclidean")) + smoothing * np.eye(n)
        if degree < 0:
            self.weights = np.linalg.solve(matrix, d)
        else:
            p = monomials((y - self.shift) / self.scale, degree)
            m = p.shape[1]
            whole = np.concatenate([
                np.concatenate([matrix, p], axis=1), np.concatenate([p.T, np.zeros((m, m))], axis=1)
            ])  # fmt: skip
            self.weights = np.linalg.solve(whole, np.concatenate([d, np.zeros((m, *d.shape[1:]))]))

    def __call__(self, x):
        values = radial(self.kernel, self.epsilon**2 * cdist(x, self.y, "sqeuclidean"))
        if self.degree < 0:
            return values @ self.weights
        return np.concatenate([values, monomials((x - self.shift) / self.scale, self.degree)], axis=1) @ self.weights


@definition(interpolate.RBFInterpolator)
def RBFInterpolator(y, d, neighbors=None, smoothing=0.0, kernel="thin_plate_spline", epsilon=None, degree=None):
    """In the points, the values (of one dimension or two), the smoothing, epsilon and where it is evaluated."""
    if neighbors is not None:
        raise NoDerivative("neighbors has no rule", "leave it out")
    return RadialInterpolant(y, d, smoothing, kernel, 1.0 if epsilon is None else epsilon, degree_of(kernel, degree))
