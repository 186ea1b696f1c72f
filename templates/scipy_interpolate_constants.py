"""Interpolants through constants, in their points."""

import numpy as np
from s2sad.templates.scipy_interpolate import SplineOfCoefficients
from scipy import interpolate

from s2sad.kinds import known
from s2sad.kinds.kind import Array, Callable, Number, Object
from s2sad.rules import adjoint, d, definition, tangent
from s2sad.runtime import helpers


@adjoint(interpolate.PPoly.__call__, interpolate.BSpline.__call__)
def call(y, self, x, nu=0, extrapolate=None):
    """In the points."""
    d[x] = to_points(d[y] * evaluated(self, x, nu + 1, extrapolate), x)


@tangent(interpolate.PPoly.__call__, interpolate.BSpline.__call__)
def call(y, self, x, nu=0, extrapolate=None):
    d[y] = evaluated(self, x, nu, extrapolate, 1) * from_points(d[x], x)


@adjoint(interpolate.UnivariateSpline.__call__)
def univariate_call(y, self, x, nu=0, ext=None):
    """In the points."""
    d[x] = d[y] * univariate_slope(self, x, nu, off_the_knots(self, ext, nu))


@tangent(interpolate.UnivariateSpline.__call__)
def univariate_call(y, self, x, nu=0, ext=None):
    d[y] = univariate_slope(self, x, nu, off_the_knots(self, ext, nu)) * d[x]


@adjoint(interpolate.PPoly.integrate, interpolate.BSpline.integrate)
def integrate(y, self, a, b, extrapolate=None):
    """In the limits."""
    d[b] = d[y] * integrand(self, b, extrapolate)
    d[a] = -d[y] * integrand(self, a, extrapolate)


@tangent(interpolate.PPoly.integrate, interpolate.BSpline.integrate)
def integrate(y, self, a, b, extrapolate=None):
    d[y] = integrand(self, b, extrapolate) * d[b] - integrand(self, a, extrapolate) * d[a]


@adjoint(interpolate.RectBivariateSpline.ev)
def ev(z, self, xi, yi, dx=0, dy=0):
    """In the points."""
    d[xi] = d[z] * surface(self, xi, yi, dx + 1, dy, 0)
    d[yi] = d[z] * surface(self, xi, yi, dx, dy + 1, 1)


@tangent(interpolate.RectBivariateSpline.ev)
def ev(z, self, xi, yi, dx=0, dy=0):
    d[z] = surface(self, xi, yi, dx + 1, dy, 0) * d[xi] + surface(self, xi, yi, dx, dy + 1, 1) * d[yi]


@definition(interpolate.splev, active=("tck",))
def splev(x, tck, der=0, ext=0):
    """In the coefficients and the knots."""
    if ext != 0:
        raise NoDerivative("in the coefficients only ext=0 has a rule", "clip the points")
    t, c, k = tck
    return SplineOfCoefficients(t, c[: len(t) - k - 1], k)(x, der)


@adjoint(interpolate.splev)
def splev(y, x, tck, der=0, ext=0):
    """In the points."""
    d[x] = d[y] * sp("interpolate.splev", x, tck, der + 1, off_the_knots(tck, ext, der))


@tangent(interpolate.splev)
def splev(y, x, tck, der=0, ext=0):
    d[y] = sp("interpolate.splev", x, tck, der + 1, off_the_knots(tck, ext, der)) * d[x]


@adjoint(interpolate.bisplev)
def bisplev(z, x, y, tck, dx=0, dy=0):
    """In the coordinates of one point."""
    one_point(x, y)
    d[x] = d[z] * helper("surface_slope", z, x, y, tck, dx + 1, dy)
    d[y] = d[z] * helper("surface_slope", z, x, y, tck, dx, dy + 1)


@tangent(interpolate.bisplev)
def bisplev(z, x, y, tck, dx=0, dy=0):
    one_point(x, y)
    across = helper("surface_slope", z, x, y, tck, dx + 1, dy)
    d[z] = across * d[x] + helper("surface_slope", z, x, y, tck, dx, dy + 1) * d[y]


@adjoint(helpers.surface_slope)
def surface_slope(z, x, y, tck, dx, dy):
    d[x] = d[z] * helper("surface_slope", z, x, y, tck, dx + 1, dy)
    d[y] = d[z] * helper("surface_slope", z, x, y, tck, dx, dy + 1)


@tangent(helpers.surface_slope)
def surface_slope(z, x, y, tck, dx, dy):
    across = helper("surface_slope", z, x, y, tck, dx + 1, dy)
    d[z] = across * d[x] + helper("surface_slope", z, x, y, tck, dx, dy + 1) * d[y]


@known.rule(interpolate.bisplev, helpers.surface_slope)
def point_kind(args, kwargs):
    return Number(np.float64) if len(args) > 1 and all(isinstance(a, Number) for a in args[:2]) else None


def _rank_behind(kind):
    """How many axes the values of an interpolant have, or None."""
    if isinstance(kind, Callable):
        c = getattr(kind.value, "c", None)
        first = 2 if isinstance(kind.value, interpolate.PPoly) else 1
        return None if c is None else np.ndim(c) - first
    if isinstance(kind, Object):
        first = 2 if issubclass(kind.cls, interpolate.PPoly) else 1
        attributes = dict(kind.attributes)
        c = attributes.get("c", attributes.get("_c"))
        return len(c.shape) - first if isinstance(c, Array) and c.shape is not None else None
    return None


@known.rule(interpolate.PPoly.__call__, interpolate.BSpline.__call__)
def call_kind(args, kwargs):
    """The shape of the points, for an interpolant of numbers."""
    points = known.shape_of(args[1]) if len(args) > 1 else None
    return Array(known.F8, points) if points is not None and _rank_behind(args[0]) == 0 else None


@known.rule(interpolate.UnivariateSpline.__call__)
def univariate_kind(args, kwargs):
    points = known.shape_of(args[1]) if len(args) > 1 else None
    return None if points is None else Array(known.F8, points)


@known.rule(
    interpolate.CubicSpline, interpolate.PchipInterpolator, interpolate.Akima1DInterpolator,
    interpolate.CubicHermiteSpline, interpolate.make_interp_spline, interpolate.UnivariateSpline,
    interpolate.InterpolatedUnivariateSpline, interpolate.LSQUnivariateSpline, interpolate.RectBivariateSpline,
)  # fmt: skip
def interpolant_kind(args, kwargs, target):
    """An interpolant; of its coefficients only the rank is known, where the values are along the first axis."""
    cls = interpolate.BSpline if target is interpolate.make_interp_spline else target
    y = known.argument(args, kwargs, 1, "y")
    shape = None if y is None else known.shape_of(y)
    if shape is None or "axis" in kwargs or not issubclass(cls, (interpolate.PPoly, interpolate.BSpline)):
        return Object(cls)
    first = (known.Dim.of(4), known.dims.fresh()) if issubclass(cls, interpolate.PPoly) else (known.dims.fresh(),)
    return Object(cls, (("c", Array(known.F8, (*first, *shape[1:]))),))


@known.rule(interpolate.PPoly.derivative, interpolate.PPoly.antiderivative, interpolate.BSpline.derivative,
            interpolate.BSpline.antiderivative)  # fmt: skip
def derived_kind(args, kwargs):
    """Again an interpolant."""
    if isinstance(args[0], Object):
        cls = interpolate.PPoly if issubclass(args[0].cls, interpolate.PPoly) else interpolate.BSpline
        return Object(cls, tuple(a for a in args[0].attributes if a[0] in ("c", "_c")))
    return None
