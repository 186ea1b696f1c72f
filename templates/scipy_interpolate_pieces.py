"""What interpolants are made of: piecewise polynomials, splines, their coefficients."""

from s2sad.kinds import known
from s2sad.kinds.kind import Array
from s2sad.rules import adjoint, d, linear, tangent
from s2sad.runtime import helpers


@adjoint(helpers.piecewise_polynomial)
def piecewise_polynomial_rule(y, c, x, t, nu=0, extrapolate=True):
    d[c] = helper("piecewise_polynomial_back", c, d[y], c, x, t, nu, extrapolate)
    d[t] = to_points(d[y] * call_helper_again("piecewise_polynomial", c, x, t, nu + 1, extrapolate), t)


@tangent(helpers.piecewise_polynomial)
def piecewise_polynomial_rule(y, c, x, t, nu=0, extrapolate=True):
    d[y] = call_helper_again("piecewise_polynomial", d[c], x, t, nu, extrapolate) + call_helper_again(
        "piecewise_polynomial", c, x, t, nu + 1, extrapolate
    ) * from_points(d[t], t)


@adjoint(helpers.piecewise_polynomial_back)
def piecewise_polynomial_back(y, g, c, x, t, nu=0, extrapolate=True):
    d[g] = call_helper_again("piecewise_polynomial", d[y], x, t, nu, extrapolate)
    d[t] = to_points(g * call_helper_again("piecewise_polynomial", d[y], x, t, nu + 1, extrapolate), t, c)
    d[c] = 0.0


@tangent(helpers.piecewise_polynomial_back)
def piecewise_polynomial_back(y, g, c, x, t, nu=0, extrapolate=True):
    d[y] = call_helper_again("piecewise_polynomial_back", d[g], c, x, t, nu, extrapolate) + call_helper_again(
        "piecewise_polynomial_back", g * from_points(d[t], t, c), c, x, t, nu + 1, extrapolate
    )
    d[c] = 0.0


@linear(helpers.cubic_spline)
def cubic_spline_rule(y_, x, y, start="not-a-knot", end="not-a-knot"):
    plain_ends(start, end)
    d[y] = helper("cubic_spline_back", y, d[y_], x, start, end)


@linear(helpers.cubic_spline_back)
def cubic_spline_back(y, g, x, start="not-a-knot", end="not-a-knot"):
    d[g] = call_helper_again("cubic_spline", x, d[y], start, end)


@linear(helpers.interpolating_coefficients)
def interpolating_coefficients_rule(c, x, y, k=3):
    d[y] = helper("interpolating_coefficients_back", y, d[c], x, k)


@linear(helpers.interpolating_coefficients_back)
def interpolating_coefficients_back(y, g, x, k=3):
    d[g] = call_helper_again("interpolating_coefficients", x, d[y], k)


@adjoint(helpers.b_spline)
def b_spline_rule(y, t, c, k, x, nu=0, extrapolate=True):
    d[c] = helper("b_spline_back", c, d[y], t, c, k, x, nu, extrapolate)
    d[x] = to_points(d[y] * call_helper_again("b_spline", t, c, k, x, nu + 1, extrapolate), x)


@tangent(helpers.b_spline)
def b_spline_rule(y, t, c, k, x, nu=0, extrapolate=True):
    d[y] = call_helper_again("b_spline", t, d[c], k, x, nu, extrapolate) + call_helper_again(
        "b_spline", t, c, k, x, nu + 1, extrapolate
    ) * from_points(d[x], x)


@adjoint(helpers.b_spline_back)
def b_spline_back(y, g, t, c, k, x, nu=0, extrapolate=True):
    d[g] = call_helper_again("b_spline", t, d[y], k, x, nu, extrapolate)
    d[x] = to_points(g * call_helper_again("b_spline", t, d[y], k, x, nu + 1, extrapolate), x, c, 1)
    d[c] = 0.0


@tangent(helpers.b_spline_back)
def b_spline_back(y, g, t, c, k, x, nu=0, extrapolate=True):
    d[y] = call_helper_again("b_spline_back", d[g], t, c, k, x, nu, extrapolate) + call_helper_again(
        "b_spline_back", g * from_points(d[x], x, c, 1), t, c, k, x, nu + 1, extrapolate
    )
    d[c] = 0.0


@known.rule(helpers.piecewise_polynomial)
def piecewise_kind(args, kwargs):
    """The shape of the points, then what the coefficients have behind their first two axes."""
    c, t = known.shape_of(args[0]), known.shape_of(args[2])
    return None if c is None or t is None else Array(known.F8, t + c[2:])


@known.rule(helpers.spline_knots)
def knots_kind(args, kwargs):
    """As many as there are points, and k + 1 more."""
    shape, k = known.shape_of(args[0]), known.int_value(args[1]) if len(args) > 1 else known.Dim.of(3)
    return None if not shape or k is None else Array(known.F8, (shape[0] + k + 1,))


@known.rule(helpers.b_spline)
def b_spline_kind(args, kwargs):
    """The shape of the points, then what the coefficients have behind their first axis."""
    c, x = known.shape_of(args[1]), known.shape_of(args[3])
    return None if c is None or x is None else Array(known.F8, x + c[1:])


@known.rule(helpers.cubic_spline)
def cubic_kind(args, kwargs):
    """Four coefficients for each interval."""
    y = args[1]
    return Array(known.F8, (known.Dim.of(4), y.shape[0] - 1, *y.shape[1:])) if isinstance(y, Array) else None


@known.rule(helpers.cubic_spline_back)
def cubic_back_kind(args, kwargs):
    """A value for each end of an interval."""
    g = args[0]
    return Array(known.F8, (g.shape[1] + 1, *g.shape[2:])) if isinstance(g, Array) else None


@known.rule(helpers.interpolating_coefficients)
def values_kind(args, kwargs):
    return args[1] if isinstance(args[1], Array) else None


@known.rule(helpers.piecewise_polynomial_back)
def coefficients_kind(args, kwargs):
    return args[1] if isinstance(args[1], Array) else None


@known.rule(helpers.b_spline_back)
def spline_coefficients_kind(args, kwargs):
    return args[2] if isinstance(args[2], Array) else None


@known.rule(helpers.interpolating_coefficients_back)
def same_kind(args, kwargs):
    return args[0] if isinstance(args[0], Array) else None
