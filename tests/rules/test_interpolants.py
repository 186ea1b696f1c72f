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
    PchipInterpolator,
    PPoly,
    RectBivariateSpline,
    RegularGridInterpolator,
    UnivariateSpline,
    interp1d,
    interpn,
    make_interp_spline,
    splev,
    splrep,
)

import s2sad
from s2sad import rules
from s2sad.cli import import_optional
from s2sad.frontend.diagnostics import DerivationError
from tests.numeric import check_forward, check_reverse, check_second

X = np.array([0.0, 0.7, 1.1, 2.0, 2.6, 3.1, 4.0])
Y = np.array([0.3, 1.2, 0.9, 1.6, 1.4, 2.9, 3.1])
ROWS = np.stack([Y, Y[::-1] ** 2], axis=1)
T = np.array([0.31, 1.53, 2.27, 3.81, 0.89])
OUTSIDE = np.array([-0.4, 0.31, 1.53, 4.3])
SMOOTH = CubicSpline(X, Y)
SPLINE = make_interp_spline(X, Y)
SMOOTHED = UnivariateSpline(X, Y, s=0)
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


SITES = np.array([[0.31, 1.53], [2.27, 0.46], [3.81, 1.9]])

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
}


def total_of(f, count):
    """A function of as many arguments, whose result is one number."""
    if count == 1:

        def total(a):
            return np.sum(np.cos(f(a)))

    elif count == 2:

        def total(a, b):
            return np.sum(np.cos(f(a, b)))

    else:

        def total(a, b, c):
            return np.sum(np.cos(f(a, b, c)))

    return total


@pytest.mark.parametrize("name", CASES)
def test_both_modes(name):
    f, args, wrt = CASES[name]
    total = total_of(f, len(args))
    check_reverse(total, args, wrt)
    check_forward(total, args, wrt)


@pytest.mark.parametrize("name", CASES)
def test_second_order(name):
    f, args, wrt = CASES[name]
    check_second(total_of(f, len(args)), args, wrt)


@pytest.mark.parametrize(
    ("f", "args", "words"),
    [(periodic, (Y, T), "boundary conditions"), (at_the_points, (X, T), "argument x")],
    ids=["periodic", "points"],
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
        " RegularGridInterpolator RegularGridInterpolator.__call__ interp1d interpn make_interp_spline splev"
    )
    import_optional()
    registered = {r.name.removeprefix("scipy.interpolate.") for r in rules.registry() if "scipy.interpolate" in r.name}
    assert registered == set(tested.split())
