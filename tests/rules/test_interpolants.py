"""Interpolants, objects that are built and then called: in the values and in the points, at first and second order."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("scipy")

from scipy.interpolate import (
    Akima1DInterpolator,
    BSpline,
    CubicHermiteSpline,
    CubicSpline,
    LinearNDInterpolator,
    NearestNDInterpolator,
    PchipInterpolator,
    PPoly,
    RBFInterpolator,
    RectBivariateSpline,
    RegularGridInterpolator,
    UnivariateSpline,
    bisplev,
    griddata,
    interp1d,
    interpn,
    make_interp_spline,
    pchip_interpolate,
    splev,
    splrep,
)

import s2sad
from s2sad import rules
from s2sad.cli import import_optional
from s2sad.frontend.diagnostics import DerivationError
from tests import amounts
from tests.numeric import check_forward, check_reverse, check_second
from tests.rules.programs import total_of

X = np.array([0.0, 0.7, 1.1, 2.0, 2.6, 3.1, 4.0])
Y = np.array([0.3, 1.2, 0.9, 1.6, 1.4, 2.9, 3.1])
ROWS = np.stack([Y, Y[::-1] ** 2], axis=1)
T = np.array([0.31, 1.53, 2.27, 3.81, 0.89])
OUTSIDE = np.array([-0.4, 0.31, 1.53, 4.3])
SMOOTH = CubicSpline(X, Y)
SPLINE = make_interp_spline(X, Y)
SMOOTHED = UnivariateSpline(X, Y, s=0)
LEVEL = UnivariateSpline(X, Y, s=0, ext=3)
BROKEN = UnivariateSpline(X, Y, k=1, s=0)
SURFACE = RectBivariateSpline(X, X, np.outer(Y, Y))
GRID = RegularGridInterpolator((X, X[:4]), np.outer(Y, Y[:4]))
KNOTS = splrep(X, Y)


def cubic(y, t):
    spline = CubicSpline(X, y)
    return spline(t) * np.cos(t)


def natural(y, t):
    return CubicSpline(X, y, bc_type="natural")(t)


def mixed(y, t):
    return CubicSpline(X, y, bc_type=("clamped", "not-a-knot"))(t)


def two_points(y, t):
    return CubicSpline(X[:2], y[:2])(t)


def three_points(y, t):
    return CubicSpline(X[:3], y[:3])(t) + CubicSpline(X[:3], y[1:4], bc_type=("natural", "not-a-knot"))(t)


def rows(y, t):
    return CubicSpline(X, y)(t)


def slope(y, t):
    spline = CubicSpline(X, y)
    return spline(t, 1) + spline.derivative()(t) ** 2 + spline.derivative(2)(t)


def area(y, a, b):
    return CubicSpline(X, y).integrate(a, b)


def primitive(y, t):
    return PchipInterpolator(X, y).antiderivative()(t)


def hermite(y, s, t):
    return CubicHermiteSpline(X, y, s)(t)


def monotone(y, t):
    return PchipInterpolator(X, y)(t)


def akima(y, t):
    return Akima1DInterpolator(X, y)(t)


def polynomials(c, t):
    return PPoly(c, X[:4])(t)


def polynomials_beyond_their_ends(c, t):
    cut = PPoly(c, X[:4], extrapolate=False)
    return cut(t, extrapolate=True) - 2.0 * cut(T[:2]) + PPoly(c, X[:4])(t, extrapolate=None)


def b_spline(y, t):
    return make_interp_spline(X, y)(t)


def b_spline_slope(y, t):
    return make_interp_spline(X, y, k=5)(t, 2)


def coefficients(c, t):
    return BSpline(SPLINE.t, c, 3)(t)


def lines(y, t):
    return interp1d(X, y)(t)


def curves(y, t):
    return interp1d(X, y, kind="cubic", fill_value="extrapolate")(t) + interp1d(X, y, kind="quadratic")(t)


def in_a_loop(y, n):
    spline = CubicSpline(X, y)
    t = 0.4
    for _ in range(n):
        t = t + 0.1 * spline(t)
    return t * np.ones(1)


def constant(t):
    return SMOOTH(t) * SPLINE(t, 1) + SMOOTHED(t)


def constant_slope(t):
    return SMOOTH.derivative()(t)


def constant_built_here(t, y):
    spline = CubicSpline(X, y)
    return spline(t)


def constant_area(a, b):
    return SMOOTH.integrate(a, b) + SPLINE.integrate(a, b)


def surface(x, y):
    return SURFACE.ev(x, y)


def knots(t):
    return splev(t, KNOTS)


def level_outside(t):
    """These stay at their values at the ends; the derivatives of the splines go on."""
    level = LEVEL(t) * SMOOTHED(t, ext=3) + splev(t, KNOTS, 0, 3)
    return level * LEVEL(t, 1) + SURFACE.ev(t, t[::-1] + 0.1) + splev(t, KNOTS, 1, 3)


def test_splines_that_are_level_outside():
    check_reverse(total_of(level_outside, 1), (OUTSIDE,), 0)
    check_forward(total_of(level_outside, 1), (OUTSIDE,), 0)


HEIGHTS = np.sin(np.arange(5.0))[:, None] * np.arange(6.0) + np.arange(6.0) ** 2
SHEETS = [
    (*RectBivariateSpline(np.arange(5.0), np.arange(6.0), HEIGHTS, kx=kx, ky=ky).tck, kx, ky)
    for kx, ky in ((3, 3), (1, 2), (3, 1))
]


def sheets(x, y):
    smooth, bent, mixed = SHEETS
    return float(bisplev(x, y, smooth)) * bisplev(y, 0.5, bent) + bisplev(x, y, mixed) + bisplev(9.0, y, smooth)


def on_a_grid(values, points):
    return RegularGridInterpolator((X, X[:4]), values)(points)


def extrapolated(values, points):
    f = RegularGridInterpolator((X, X[:4]), values, bounds_error=False, fill_value=None)
    return f(2.0 * points - 1.0) * interpn((X, X[:4]), values, points)


def parts(values, x, y):
    return RegularGridInterpolator((X, X[:4]), values)((x, y))


def constant_grid(points):
    return GRID(points)


def periodic(y, t):
    return CubicSpline(X, y, bc_type="periodic")(t)


def at_the_points(x, t):
    return CubicSpline(x, Y)(t)


def with_ends(x, y, t):
    return CubicSpline(x, y, bc_type=((1, 0.3), (2, 0.1)))(t)


def ends(y, low, high):
    return CubicSpline(X, y, bc_type=((1, low), (2, high)))(T)


def clamped_in_points(x, y, t):
    return CubicSpline(x, y, bc_type="clamped")(t) + CubicSpline(x, y, bc_type="natural")(t, 1)


def monotone_in_points(x, y, t):
    return PchipInterpolator(x, y)(t) + pchip_interpolate(x, y, t, 1)


def akima_in_points(x, y, t):
    return Akima1DInterpolator(x, y)(t) + Akima1DInterpolator(x, y, method="makima")(t)


def hermite_in_points(x, y, t):
    return CubicHermiteSpline(x, y, 0.3 * y)(t) + PPoly(np.stack([y[:-1], y[1:]]), x)(t)


def between_two_points(x, y, t):
    line = PchipInterpolator(x, y)(t) * griddata(x, y, t) + griddata(x[::-1], y[::-1], t, method="nearest")
    return line + Akima1DInterpolator(x, y)(t)


def constant_between_knots(t):
    return BROKEN(t, 1) * BROKEN(t) + SMOOTHED(t, 3) * t


def lines_in_points(x, y, t):
    return interp1d(x, y)(t)


def steps(x, y, t):
    return interp1d(x, y, kind="previous")(t) + interp1d(x, y, "next")(t) + interp1d(x, y, "nearest")(t)


def b_spline_in_points(x, y, t):
    return make_interp_spline(x, y, k=2)(t)


def lines_as_b_spline(x, y, t):
    return make_interp_spline(x, y, k=1)(t)


def b_spline_in_knots(t, c, x):
    return BSpline(t, c, 3)(x, 1) + BSpline(t, c, 3, extrapolate=False)(x)


def b_spline_beyond_its_ends(t, c, x):
    return BSpline(t, c, 3, extrapolate=False)(x, extrapolate=True) - 2.0 * BSpline(t, c, 3)(x, extrapolate=None)


def b_spline_derived(c, a, b):
    spline = BSpline(KNOTTED, c, 3)
    return spline.integrate(a, b) + spline.derivative(2)(a) * spline.antiderivative()(b)


def radial(y, d, x):
    return RBFInterpolator(y, d)(x)


def gaussians(y, d, epsilon):
    f = RBFInterpolator(y, d, kernel="gaussian", epsilon=epsilon, smoothing=0.2 * epsilon, degree=-1)
    return f(SITES) + RBFInterpolator(y, d, kernel="quintic")(SITES) * RBFInterpolator(y, d, kernel="linear")(SITES)


def triangles(points, values, xi):
    return griddata(points, values, xi) + LinearNDInterpolator(points, values)(xi)


def nearest(points, values, xi):
    return griddata(points, values, xi, method="nearest") * NearestNDInterpolator(points, values)(xi)


SITES = np.array([[0.31, 1.53], [2.27, 0.46], [3.81, 1.9]])
SCATTERED = np.array([[-0.5, -0.3], [4.4, 0.1], [4.9, 3.2], [-0.2, 2.8], [2.1, 1.2]])
HEXAGON = np.concatenate([SCATTERED, [[1.0, -0.8], [3.1, 3.9]]])
#: knots of which none two are equal
KNOTTED = np.array([-0.9, -0.5, -0.2, 0.1, 2.3, 3.9, 4.2, 4.4, 4.9])

CASES = {
    "grid": (on_a_grid, (np.outer(Y, Y[:4]), SITES), (0, 1)),
    "grid extrapolated": (extrapolated, (np.outer(Y, Y[:4]), SITES), (0, 1)),
    "grid parts": (parts, (np.outer(Y, Y[:4]), T[:3], SITES[:, 1].copy()), (0, 1, 2)),
    "grid constant": (constant_grid, (SITES,), (0,)),
    "cubic": (cubic, (Y, T), (0, 1)),
    "extrapolated": (cubic, (Y, OUTSIDE), (0, 1)),
    "number": (natural, (Y, 1.3), (0, 1)),
    "natural": (natural, (Y, T), (0, 1)),
    "mixed": (mixed, (Y, T), (0, 1)),
    "two points": (two_points, (Y, T), (0, 1)),
    "three points": (three_points, (Y, T), (0, 1)),
    "rows": (rows, (ROWS, T), (0, 1)),
    "slope": (slope, (Y, T), (0, 1)),
    "area": (area, (Y, 0.4, 3.3), (0, 1, 2)),
    "primitive": (primitive, (Y, T), (0, 1)),
    "hermite": (hermite, (Y, Y[::-1].copy(), T), (0, 1, 2)),
    "monotone": (monotone, (Y, T), (0, 1)),
    "akima": (akima, (Y, T), (0, 1)),
    "polynomials beyond their ends": (
        polynomials_beyond_their_ends, (np.stack([Y[:3], Y[1:4]]), OUTSIDE[:2]), (0, 1),
    ),
    "polynomials": (polynomials, (np.stack([Y[:3], Y[1:4]]), T[:3]), (0, 1)),
    "b-spline": (b_spline, (Y, T), (0, 1)),
    "b-spline rows": (b_spline, (ROWS, T), (0, 1)),
    "b-spline slope": (b_spline_slope, (Y, T), (0, 1)),
    "coefficients": (coefficients, (Y, T), (0, 1)),
    "lines": (lines, (Y, T), (0, 1)),
    "curves": (curves, (Y, T), (0, 1)),
    "loop": (in_a_loop, (Y, 3), (0,)),
    "constant": (constant, (T,), (0,)),
    "constant slope": (constant_slope, (T,), (0,)),
    "constant built here": (constant_built_here, (T, Y), (0,)),
    "constant area": (constant_area, (0.4, 3.3), (0, 1)),
    "surface": (surface, (T, T[::-1].copy()), (0, 1)),
    "knots": (knots, (T,), (0,)),
    "sheets": (sheets, (1.4, 2.7), (0, 1)),
    "cubic in points": (at_the_points, (X, T), (0, 1)),
    "ends": (with_ends, (X, Y, T), (0, 1, 2)),
    "ends in their values": (ends, (Y, 0.3, 0.1), (0, 1, 2)),
    "clamped rows in points": (clamped_in_points, (X, ROWS, T), (0, 1, 2)),
    "clamped in points": (clamped_in_points, (X, Y, T), (0, 1, 2)),
    "monotone in points": (monotone_in_points, (X, Y, T), (0, 1, 2)),
    "akima in points": (akima_in_points, (X, Y, T), (0, 1, 2)),
    "hermite in points": (hermite_in_points, (X, Y, T), (0, 1, 2)),
    "two points in points": (between_two_points, (X[:2], Y[:2], 0.3 * X[:2] + 0.5 * X[1]), (0, 1, 2)),
    "constant between knots": (constant_between_knots, (T,), (0,)),
    "lines in points": (lines_in_points, (X, Y, T), (0, 1, 2)),
    "steps": (steps, (X, Y, T), (0, 1, 2)),
    "b-spline in points": (b_spline_in_points, (X, Y, T), (0, 1, 2)),
    "b-spline of rows in points": (b_spline_in_points, (X, ROWS, T), (0, 1, 2)),
    "b-spline of lines": (lines_as_b_spline, (X, Y, T), (0, 1, 2)),
    "b-spline in knots": (b_spline_in_knots, (KNOTTED, Y[:5], T), (0, 1, 2)),
    "b-spline beyond its ends": (b_spline_beyond_its_ends, (KNOTTED, Y[:5], OUTSIDE), (0, 1, 2)),
    "b-spline derived": (b_spline_derived, (Y[:5], 0.4, 2.1), (0, 1, 2)),
    "gaussians": (gaussians, (HEXAGON, Y, 0.7), (0, 1, 2)),
    "radial": (radial, (SCATTERED, Y[:5], SITES), (0, 1, 2)),
    "radial of rows": (radial, (SCATTERED, ROWS[:5], SITES), (0, 1, 2)),
    "triangles": (triangles, (SCATTERED, Y[:5], SITES), (0, 1, 2)),
    "triangles of rows": (triangles, (SCATTERED, ROWS[:5], SITES), (0, 1, 2)),
    "nearest": (nearest, (SCATTERED, Y[:5], SITES), (0, 1, 2)),
}


@pytest.mark.parametrize("name", CASES)
def test_both_modes(name):
    """By turns: what is differentiated is the definition, by the same steps in both."""
    f, args, wrt = CASES[name]
    total, modes = total_of(f, len(args)), (check_reverse, check_forward)
    for check in modes if amounts.ALL else modes[len(name) % 2 :][:1]:
        check(total, args, wrt)


#: what is derived twice in minutes
SLOW = {"b-spline in points", "b-spline of rows in points", "b-spline in knots"}


@pytest.mark.sampled(30, each=False)
@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in CASES if name not in SLOW])
def test_second_order(name):
    f, args, wrt = CASES[name]
    check_second(total_of(f, len(args)), args, wrt)


@pytest.mark.parametrize(
    ("f", "args", "words"),
    [(periodic, (Y, T), "boundary conditions")],
    ids=["periodic"],
)
def test_refused(f, args, words):
    with pytest.raises(DerivationError, match=words):
        s2sad.grad(total_of(f, 2))(*args)


def test_the_object_stays_where_it_is_constant():
    derivative = s2sad.grad(constant_total)
    derivative(T)
    assert "SMOOTH(t, 1)" in derivative.source


def constant_total(t):
    return np.sum(SMOOTH(t))


def test_every_rule_is_tested_here():
    tested = (
        "Akima1DInterpolator BSpline BSpline.__call__ BSpline.integrate BivariateSpline.ev CubicHermiteSpline"
        " CubicSpline PPoly PPoly.__call__ PPoly.integrate PchipInterpolator UnivariateSpline.__call__"
        " RegularGridInterpolator RegularGridInterpolator.__call__ interp1d interpn make_interp_spline splev bisplev"
        " LinearNDInterpolator NearestNDInterpolator RBFInterpolator griddata pchip_interpolate"
    )
    import_optional()
    registered = {r.name for r in rules.registry() if "scipy.interpolate" in r.name}
    registered = {n.removeprefix("scipy.interpolate.").removeprefix("interpnd.") for n in registered}  # (SciPy 1.11)
    assert registered == set(tested.split())
