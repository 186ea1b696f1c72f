"""SciPy's interpolants. An interpolant through active values is written out as its coefficients, which for splines are
linear in the values; one through constants stays the object that it is, and its slope is its own derivative."""

import numpy as np
from scipy import interpolate

from s2sad.rules import definition
from s2sad.runtime.helpers import (
    b_spline,
    cell_of,
    cubic_spline,
    interpolating_coefficients,
    piecewise_polynomial,
    point_of,
    spline_knots,
)


class PiecewisePolynomial:
    """Polynomials between points, with coefficients from the highest power on: PPoly."""

    def __init__(self, c, x, extrapolate=True):
        self.c = c
        self.x = x
        self.extrapolate = extrapolate

    def __call__(self, x, nu=0, extrapolate=None):
        return piecewise_polynomial(self.c, self.x, x, nu, self.extrapolate if extrapolate is None else extrapolate)

    def derivative(self, nu=1):
        c = self.c
        for _ in range(nu):
            powers = np.arange(c.shape[0] - 1.0, 0.0, -1.0)
            c = c[:-1] * np.reshape(powers, (-1,) + (1,) * (c.ndim - 1)) if c.shape[0] > 1 else 0.0 * c
        return PiecewisePolynomial(c, self.x, self.extrapolate)

    def antiderivative(self):
        return PiecewisePolynomial(self.raised(), self.x, not_repeated(self.extrapolate))

    def raised(self):
        """The coefficients of the antiderivative that is 0 at the first of the points."""
        powers = np.arange(self.c.shape[0], 0.0, -1.0)
        c = self.c / np.reshape(powers, (-1,) + (1,) * (self.c.ndim - 1))
        h = np.reshape(np.diff(self.x), (-1,) + (1,) * (self.c.ndim - 2))
        gains = np.zeros_like(c[0])
        for k in range(c.shape[0]):
            gains = (gains + c[k]) * h
        before = np.cumsum(gains, axis=0) - gains
        return np.concatenate([c, before[None]])

    def integrate(self, a, b, extrapolate=None):
        extrapolate = self.extrapolate if extrapolate is None else extrapolate
        whole = PiecewisePolynomial(self.raised(), self.x, not_repeated(extrapolate))
        if extrapolate == "periodic":
            return repeated(whole, b, self.x[0], self.x[-1]) - repeated(whole, a, self.x[0], self.x[-1])
        return whole(b) - whole(a)


def not_repeated(extrapolate):
    """What an antiderivative has: that of what is repeated is none outside of one period."""
    return False if extrapolate == "periodic" else extrapolate


def repeated(whole, t, low, high):
    """The integral from low to t of what is repeated with a period, from the antiderivative over one."""
    turns = np.floor((t - low) / (high - low))
    return turns * (whole(high) - whole(low)) + whole(t - turns * (high - low)) - whole(low)


class SplineOfCoefficients:
    """A B-spline: BSpline."""

    def __init__(self, t, c, k, extrapolate=True):
        self.t = t
        self.c = c
        self.k = k
        self.extrapolate = extrapolate

    def __call__(self, x, nu=0, extrapolate=None):
        return b_spline(self.t, self.c, self.k, x, nu, self.extrapolate if extrapolate is None else extrapolate)

    def derivative(self, nu=1):
        if nu == 0:
            return self
        widths = self.t[self.k + 1 : -1] - self.t[1 : -self.k - 1]
        slopes = np.where(widths == 0.0, 0.0, self.k / np.where(widths == 0.0, 1.0, widths))
        c = self.c[: len(self.t) - self.k - 1]
        c = np.reshape(slopes, (-1,) + (1,) * (c.ndim - 1)) * np.diff(c, axis=0)
        return SplineOfCoefficients(self.t[1:-1], c, self.k - 1, self.extrapolate).derivative(nu - 1)

    def antiderivative(self, nu=1):
        if nu == 0:
            return self
        c = self.c[: len(self.t) - self.k - 1]
        widths = np.reshape(self.t[self.k + 1 :] - self.t[: -self.k - 1], (-1,) + (1,) * (c.ndim - 1))
        sums = np.concatenate([np.zeros_like(c[:1]), np.cumsum(widths * c, axis=0) / (self.k + 1.0)])
        t = np.concatenate([self.t[:1], self.t, self.t[-1:]])
        return SplineOfCoefficients(t, sums, self.k + 1, not_repeated(self.extrapolate)).antiderivative(nu - 1)

    def integrate(self, a, b, extrapolate=None):
        extrapolate = self.extrapolate if extrapolate is None else extrapolate
        whole = SplineOfCoefficients(self.t, self.c, self.k).antiderivative()
        low, high = self.t[self.k], self.t[len(self.t) - self.k - 1]
        if extrapolate == "periodic":
            return repeated(whole, b, low, high) - repeated(whole, a, low, high)
        if extrapolate:
            return whole(b) - whole(a)
        return whole(np.clip(b, low, high)) - whole(np.clip(a, low, high))  # it is zero outside


class ConditionedSpline:
    """A cubic spline with conditions at its ends, evaluated as polynomials: make_interp_spline with bc_type."""

    def __init__(self, polynomial):
        self.polynomial = polynomial

    def __call__(self, x, nu=0, extrapolate=None):
        return self.polynomial(x, nu, extrapolate)

    def derivative(self, nu=1):
        return ConditionedSpline(self.polynomial.derivative(nu))

    def antiderivative(self):
        return ConditionedSpline(self.polynomial.antiderivative())

    def integrate(self, a, b, extrapolate=None):
        if extrapolate is None or extrapolate:
            return self.polynomial.integrate(a, b, extrapolate)
        low, high = self.polynomial.x[0], self.polynomial.x[-1]
        return self.polynomial.integrate(np.clip(a, low, high), np.clip(b, low, high))  # it is zero outside


class LinearInterpolant:
    """Straight lines: interp1d of kind "linear"."""

    def __init__(self, x, y, extrapolate):
        self.polynomial = PiecewisePolynomial(line_coefficients(x, y), x, extrapolate)

    def __call__(self, x):
        return self.polynomial(x)


class StepInterpolant:
    """The value at one of the points: interp1d of kinds "nearest", "nearest-up", "previous" and "next"."""

    def __init__(self, x, y, kind, extrapolate):
        self.x = x
        self.y = y
        self.kind = kind
        self.extrapolate = extrapolate

    def __call__(self, x):
        value = self.y[point_of(self.x, x, self.kind)]
        if self.extrapolate and self.kind in ("nearest", "nearest-up"):
            return value
        low, high = x < self.x[0], x > self.x[-1]
        without = low if self.kind == "previous" else high  # the side on which none comes before, or next
        outside = without if self.extrapolate else low | high
        if self.y.ndim > 1:
            outside = np.reshape(outside, np.shape(x) + (1,) * (self.y.ndim - 1))
        return np.where(outside, np.nan, value)


class FilledInterpolant:
    """An interpolant with other values below and above the points: interp1d with fill_value."""

    def __init__(self, inside, x, below, above, rank):
        self.inside = inside
        self.x = x
        self.below = below
        self.above = above
        self.rank = rank

    def __call__(self, x):
        low, high = x < self.x[0], x > self.x[-1]
        if self.rank > 1:
            low, high = (np.reshape(m, np.shape(x) + (1,) * (self.rank - 1)) for m in (low, high))
        return np.where(low, self.below, np.where(high, self.above, self.inside(x)))


class TurnedInterpolant:
    """An interpolant of values whose first axis was another one: what it gives has that axis at its place again."""

    def __init__(self, inside, axis):
        self.inside = inside
        self.axis = axis

    def __call__(self, x, nu=0, extrapolate=None):
        if nu == 0 and extrapolate is None:
            return self.turned(self.inside(x), np.ndim(x))
        return self.turned(self.inside(x, nu, extrapolate), np.ndim(x))

    def turned(self, value, rank):
        """The value with the axes of x, which are its first, behind `axis` others."""
        if rank == 0:
            return value
        first = rank + self.axis
        return np.transpose(value, (*range(rank, first), *range(rank), *range(first, np.ndim(value))))

    def derivative(self, nu=1):
        return TurnedInterpolant(self.inside.derivative(nu), self.axis)

    def antiderivative(self):
        return TurnedInterpolant(self.inside.antiderivative(), self.axis)

    def integrate(self, a, b, extrapolate=None):
        return self.inside.integrate(a, b, extrapolate)


class GridInterpolant:
    """Linear interpolation between the points of a grid, along all axes; filled outside, or extrapolated."""

    def __init__(self, points, values, extrapolate=False, fill=np.nan):
        self.points = points
        self.values = values
        self.extrapolate = extrapolate
        self.fill = fill

    def __call__(self, xi, method=None):
        if method is not None and method != "linear":
            raise NoDerivative("only the method linear has a rule", "use it, or scipy.ndimage.map_coordinates")
        at = as_points(xi, len(self.points))
        more = self.values.ndim - len(self.points)
        total = corners(self.values, cells(self.points, at, 0, more), ())
        if self.extrapolate:
            return total
        outside = beyond(self.points, at, 0)
        if more > 0:
            outside = np.reshape(outside, np.shape(outside) + (1,) * more)
        return np.where(outside, self.fill, total)


def as_points(xi, n):
    """What SciPy takes for points in n dimensions: a tuple has their coordinates, and a vector is a row of points."""
    if isinstance(xi, tuple) and len(xi) > 1:
        return xi
    array = np.asarray(xi[0] if isinstance(xi, tuple) else xi)
    return np.reshape(array, (-1, n)) if np.ndim(array) == 1 else array


def coordinate(xi, k):
    return xi[k] if isinstance(xi, tuple) else xi[..., k]


def cells(points, xi, k, more):
    """For each axis from k on the interval that points lie in, and where in it: for values of some more dimensions."""
    if k == len(points):
        return ()
    p, x = points[k], coordinate(xi, k)
    i = cell_of(p, x)
    u = (x - p[i]) / (p[i + 1] - p[i])
    if more > 0:
        u = np.reshape(u, np.shape(u) + (1,) * more)
    return (i, u), *cells(points, xi, k + 1, more)


def corners(values, places, index):
    """The weighted sum of the values at the corners of a cell."""
    if len(index) == len(places):
        return values[index]
    i, u = places[len(index)]
    return (1.0 - u) * corners(values, places, (*index, i)) + u * corners(values, places, (*index, i + 1))


def beyond(points, xi, k):
    """Which points are outside of the grid, along one of the axes from k on."""
    p, x = points[k], coordinate(xi, k)
    outside = (x < min(p[0], p[-1])) | (x > max(p[0], p[-1]))
    return outside if k + 1 == len(points) else outside | beyond(points, xi, k + 1)


@definition(interpolate.RegularGridInterpolator)
def RegularGridInterpolator(
    points, values, method="linear", bounds_error=True, fill_value=np.nan, *, solver=None, solver_args=None
):
    """In values on a grid, numbers or arrays, and in the points; filled outside, or extrapolated with
    fill_value=None."""
    if method != "linear":
        raise NoDerivative("only the method linear has a rule", "use it, or scipy.ndimage.map_coordinates")
    return GridInterpolant(points, values, fill_value is None and not bounds_error, fill_value)


@definition(interpolate.RegularGridInterpolator.__call__)
def grid_call(self, xi, method=None, *, nu=None):
    """In the points."""
    if nu is not None:
        raise NoDerivative("nu has no rule", "leave it out")
    extrapolate = self.fill_value is None and not self.bounds_error
    return GridInterpolant(self.grid, self.values, extrapolate, self.fill_value)(xi, method)


@definition(interpolate.interpn)
def interpn(points, values, xi, method="linear", bounds_error=True, fill_value=np.nan):
    """In values on a grid, numbers or arrays, and in the points."""
    if method != "linear":
        raise NoDerivative("only the method linear has a rule", "use it, or scipy.ndimage.map_coordinates")
    return GridInterpolant(points, values, fill_value is None and not bounds_error, fill_value)(xi)


def over_points(h, y):
    """Numbers for each interval in a shape that broadcasts against values."""
    return np.reshape(h, (-1,) + (1,) * (y.ndim - 1))


def line_coefficients(x, y):
    """The coefficients of straight lines."""
    return np.stack([np.diff(y, axis=0) / over_points(np.diff(x), y), y[:-1]])


def hermite_coefficients(x, y, s):
    """The coefficients of cubic polynomials with values y and slopes s."""
    h = over_points(np.diff(x), y)
    mean = np.diff(y, axis=0) / h
    bend = (s[:-1] + s[1:] - 2.0 * mean) / h
    return np.stack([bend / h, (mean - s[:-1]) / h - bend, s[:-1], y[:-1]])


def only_first_axis(axis):
    if axis != 0:
        raise NoDerivative("only axis=0 has a rule", "move the axes with np.moveaxis first")


def turned_first(y, axis):
    """The values with the axis along which they are interpolated in front."""
    return y if axis in (0, -np.ndim(y)) else np.moveaxis(y, axis, 0)


def turned_back(interpolant, y, axis):
    """The interpolant of values whose axis is elsewhere than in front."""
    return interpolant if axis in (0, -np.ndim(y)) else TurnedInterpolant(interpolant, axis % np.ndim(y))


@definition(interpolate.CubicSpline)
def CubicSpline(x, y, axis=0, bc_type="not-a-knot", extrapolate=None):
    """In the values; of four points or more in these too. Not with bc_type="periodic"."""
    x, y = np.asarray(x), np.asarray(y)
    y = turned_first(y, axis)
    if isinstance(bc_type, tuple):
        start, end = bc_type
    else:
        start, end = bc_type, bc_type
    spline = PiecewisePolynomial(cubic_spline(x, y, start, end), x, True if extrapolate is None else extrapolate)
    return turned_back(spline, y, axis)


@definition(interpolate.CubicHermiteSpline)
def CubicHermiteSpline(x, y, dydx, axis=0, extrapolate=None):
    """In the values, the slopes and the points."""
    x, y = np.asarray(x), np.asarray(y)
    only_first_axis(axis)
    return PiecewisePolynomial(hermite_coefficients(x, y, dydx), x, True if extrapolate is None else extrapolate)


@definition(interpolate.PchipInterpolator)
def PchipInterpolator(x, y, axis=0, extrapolate=None):
    """Fritsch and Butland 1984. In the values and the points."""
    x, y = np.asarray(x), np.asarray(y)
    y = turned_first(y, axis)
    s = monotone_slopes(np.diff(x), np.diff(y, axis=0))
    made = PiecewisePolynomial(hermite_coefficients(x, y, s), x, True if extrapolate is None else extrapolate)
    return turned_back(made, y, axis)


def monotone_slopes(steps, rises):
    """The slopes of a monotone cubic interpolant: weighted harmonic means of the slopes on both sides."""
    h = over_points(steps, rises)
    m = rises / h
    if len(m) == 1:
        return np.concatenate([m, m])
    flat = m[1:] * m[:-1] <= 0.0
    before, behind = np.where(flat, 1.0, m[:-1]), np.where(flat, 1.0, m[1:])
    w, v = 2.0 * h[1:] + h[:-1], h[1:] + 2.0 * h[:-1]
    inner = np.where(flat, 0.0, (w + v) / (w / before + v / behind))
    first = one_sided(h[:1], h[1:2], m[:1], m[1:2])
    last = one_sided(h[-1:], h[-2:-1], m[-1:], m[-2:-1])
    return np.concatenate([first, inner, last])


def one_sided(h, k, m, n):
    """The slope at an end: of the parabola, unless that is not monotone."""
    s = ((2.0 * h + k) * m - h * n) / (h + k)
    s = np.where(s * m <= 0.0, 0.0, s)
    return np.where((m * n < 0.0) & (np.abs(s) > 3.0 * np.abs(m)), 3.0 * m, s)


@definition(interpolate.Akima1DInterpolator)
def Akima1DInterpolator(x, y, axis=0, *, method="akima", extrapolate=None):
    """Akima 1970. In the values and the points."""
    x, y = np.asarray(x), np.asarray(y)
    only_first_axis(axis)
    if method not in ("akima", "makima"):
        raise NoDerivative("only the methods 'akima' and 'makima' have a rule", 'give method="makima"')
    m = np.diff(y, axis=0) / over_points(np.diff(x), y)
    forever = False if extrapolate is None else extrapolate
    if len(m) == 1:
        return PiecewisePolynomial(hermite_coefficients(x, y, np.concatenate([m, m])), x, forever)
    first, last = 2.0 * m[:1] - m[1:2], 2.0 * m[-1:] - m[-2:-1]
    m = np.concatenate([2.0 * first - m[:1], first, m, last, 2.0 * last - m[-1:]])
    bends = np.abs(np.diff(m, axis=0))
    if method == "makima":
        bends = bends + 0.5 * np.abs(m[1:] + m[:-1])
    total = bends[2:] + bends[:-2]
    bent = total > 1e-9 * np.max(total)
    weighted = (bends[2:] * m[1:-2] + bends[:-2] * m[2:-1]) / np.where(bent, total, 1.0)
    s = np.where(bent, weighted, 0.5 * (m[3:] + m[:-3]))
    return PiecewisePolynomial(hermite_coefficients(x, y, s), x, forever)


@definition(interpolate.pchip_interpolate)
def pchip_interpolate(xi, yi, x, der=0, axis=0):
    """As PchipInterpolator."""
    return PchipInterpolator(xi, yi, axis)(x, der)


@definition(interpolate.PPoly)
def PPoly(c, x, extrapolate=None, axis=0):
    """In the coefficients and the points."""
    only_first_axis(axis)
    return PiecewisePolynomial(c, x, True if extrapolate is None else extrapolate)


@definition(interpolate.BSpline)
def BSpline(t, c, k, extrapolate=True, axis=0):
    """In the coefficients and the knots."""
    only_first_axis(axis)
    return SplineOfCoefficients(t, c, k, extrapolate)


@definition(interpolate.make_interp_spline)
def make_interp_spline(x, y, k=3, t=None, bc_type=None, axis=0, check_finite=True):
    """In the values and the points, with the knots that it has without t; of the boundary conditions those of cubic
    splines.

    Cost: no mathematics: the transposed equations, which have a band, are general sparse ones to SciPy.
    """
    if t is not None or (bc_type is not None and k != 3):
        raise NoDerivative("t has no rule, nor bc_type but of cubic splines", "leave it out")
    x, y = np.asarray(x), np.asarray(y)
    if bc_type is not None:
        return ConditionedSpline(CubicSpline(x, y, axis, bc_type))
    y = turned_first(y, axis)
    return turned_back(SplineOfCoefficients(spline_knots(x, k), interpolating_coefficients(x, y, k), k), y, axis)


@definition(interpolate.interp1d)
def interp1d(x, y, kind="linear", axis=-1, copy=True, bounds_error=None, fill_value=np.nan, assume_sorted=False):
    """In the values and the points; outside of these nan or what fill_value says, or extrapolated."""
    extrapolate = fill_value == "extrapolate" if isinstance(fill_value, str) else False
    x, y = np.asarray(x), np.asarray(y)
    y = turned_first(y, axis)
    if not assume_sorted:
        order = np.argsort(x)
        x, y = x[order], y[order]
    if fill_value is np.nan or extrapolate:
        return turned_back(interpolant_of(x, y, kind, extrapolate), y, axis)
    below, above = fill_value if isinstance(fill_value, (tuple, list)) else (fill_value, fill_value)
    if np.ndim(below) > 0 or np.ndim(above) > 0:
        raise NoDerivative("a fill_value that is an array has no rule", "give a number, or a tuple of two")
    filled = FilledInterpolant(interpolant_of(x, y, kind, True), x, below, above, np.ndim(y))
    return turned_back(filled, y, axis)


def interpolant_of(x, y, kind, extrapolate):
    """What interp1d makes of points in order."""
    if kind == "linear" or kind == "slinear" or kind == 1:
        return LinearInterpolant(x, y, extrapolate)
    if kind in ("nearest", "nearest-up", "previous", "next"):
        return StepInterpolant(x, y, kind, extrapolate)
    if kind == "quadratic" or kind == 2:
        return SplineOfCoefficients(spline_knots(x, 2), interpolating_coefficients(x, y, 2), 2, extrapolate)
    if kind == "cubic" or kind == 3:
        return SplineOfCoefficients(spline_knots(x, 3), interpolating_coefficients(x, y, 3), 3, extrapolate)
    raise NoDerivative("this kind has no rule", "use one of SciPy's by name")
