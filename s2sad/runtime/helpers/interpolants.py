"""SciPy's interpolants."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def piecewise_polynomial(c: Any, x: Any, t: Any, nu: int = 0, extrapolate: Any = True) -> Any:
    """The nu-th derivative at t of polynomials with coefficients c between the points x: scipy.interpolate.PPoly.

    >>> piecewise_polynomial(np.array([[2.0], [1.0]]), np.array([0.0, 1.0]), 0.5)
    array(2.)
    """
    from scipy.interpolate import PPoly

    c, x = np.ascontiguousarray(c, np.result_type(c, float)), np.ascontiguousarray(x, float)
    return PPoly.construct_fast(c, x, extrapolate)(t, nu)


def surface_slope(x: float, y: float, tck: Any, dx: int, dy: int) -> Any:
    """A derivative of scipy.interpolate.bisplev at a point, of splines of every degree; it is 0 off the knots.

    >>> float(surface_slope(0.25, 0.5, ([0.0, 0, 1, 1], [0.0, 0, 1, 1], [0.0, 1, 3, 6], 1, 1), 1, 0))
    4.0
    """
    from scipy.interpolate import BSpline, bisplev

    tx, ty, c, kx, ky = tck
    for order, point, t, k in ((dx, x, tx, kx), (dy, y, ty, ky)):
        if order and not t[k] <= point <= t[-k - 1]:
            return 0.0
    if dx < kx and dy < ky:
        return bisplev(x, y, tck, dx, dy)
    x, y = min(max(x, tx[kx]), tx[-kx - 1]), min(max(y, ty[ky]), ty[-ky - 1])
    along = BSpline(np.asarray(tx), np.reshape(c, (len(tx) - kx - 1, -1)), kx)(x, dx)
    return BSpline(np.asarray(ty), along, ky)(y, dy)[()]


def piecewise_polynomial_back(
    g: Any, c: Any, x: Any, t: Any, nu: int = 0, extrapolate: Any = True
) -> Any:
    """The adjoint of c in piecewise_polynomial(c, x, t, nu, extrapolate), whose adjoint is g.

    >>> piecewise_polynomial_back(1.0, np.zeros((2, 1)), np.array([0.0, 1.0]), 0.5)
    array([[0.5],
           [1. ]])
    """
    t = np.ravel(t)
    g = np.reshape(g, (len(t), *np.shape(c)[2:]))
    if extrapolate == "periodic":
        t = x[0] + (t - x[0]) % (x[-1] - x[0])
    i = np.clip(np.searchsorted(x, t, "right") - 1, 0, len(x) - 2)
    h = t - x[i]
    weights = np.ones(len(t)) if extrapolate else ((t >= x[0]) & (t <= x[-1])) * 1.0
    out = np.zeros(np.shape(c))
    for power in range(nu, len(c)):
        term = math.perm(power, nu) * h ** (power - nu) * weights
        np.add.at(out[len(c) - 1 - power], i, np.reshape(term, (-1, *[1] * (np.ndim(c) - 2))) * g)
    return out


def cubic_spline(x: Any, y: Any, start: str = "not-a-knot", end: str = "not-a-knot") -> Any:
    """The coefficients of the cubic spline through y: scipy.interpolate.CubicSpline.

    >>> cubic_spline(np.array([0.0, 2.0]), np.array([0.0, 1.0]))
    array([[0. ],
           [0. ],
           [0.5],
           [0. ]])
    """
    from scipy.interpolate import CubicSpline

    return CubicSpline(x, y, bc_type=(start, end)).c


def cubic_spline_back(g: Any, x: Any, start: str = "not-a-knot", end: str = "not-a-knot") -> Any:
    """The adjoint of y in cubic_spline(x, y, start, end), whose adjoint is g: the transposed equations for the slopes.

    >>> cubic_spline_back(np.array([[0.0], [0.0], [1.0], [0.0]]), np.array([0.0, 2.0]))
    array([-0.5,  0.5])
    """
    from scipy.linalg import solve_banded

    n, h = len(x), np.diff(x)
    low, middle, high = np.zeros(n), np.ones(n), np.zeros(n)
    # the right-hand sides are sums of the mean slopes: of that before the point, of that behind, of the next ones
    before, behind, next_but = np.zeros(n), np.zeros(n), {"start": 0.0, "end": 0.0}
    if n > 2:
        low[1:-1], middle[1:-1], high[1:-1] = h[1:], 2.0 * (h[:-1] + h[1:]), h[:-1]
        before[1:-1], behind[1:-1] = 3.0 * h[1:], 3.0 * h[:-1]
    knots = "not-a-knot" if n > 2 else "line"
    for side, kind, i in (("start", start, 0), ("end", end, -1)):
        kind = knots if kind == "not-a-knot" else kind
        first, second = (h[0], h[1 if n > 2 else 0]) if i == 0 else (h[-1], h[-2 if n > 2 else -1])
        off, near = (high, behind) if i == 0 else (low, before)
        if kind == "not-a-knot" and n > 3:
            both = first + second
            middle[i], off[i] = second, both
            near[i] = (first + 2.0 * both) * second / both
            next_but[side] = first**2 / both
        elif kind == "not-a-knot" and (start, end) == ("not-a-knot", "not-a-knot"):  # a parabola
            off[i], near[i] = 1.0, 2.0
        elif kind == "not-a-knot":
            both = first + second
            middle[i], off[i] = second, both
            near[i] = (first + 2.0 * both) * second / both
            next_but[side] = first**2 / both
        elif kind == "natural":
            middle[i], off[i], near[i] = 2.0, 1.0, 3.0
        elif kind == "line":
            near[i] = 1.0
    bands = np.zeros((3, n))
    bands[0, 1:], bands[1], bands[2, :-1] = low[1:], middle, high[:-1]
    g = np.asarray(g)
    cubic, square, slope, value = np.reshape(g, (4, n - 1, -1))
    width = h[:, None]
    # the coefficients are sums of the slopes at both ends and of the mean slope
    bend = cubic / width**2 - square / width
    ends = np.zeros((n, value.shape[1]))
    ends[:-1] = bend + slope - square / width
    ends[1:] += bend
    w = solve_banded((1, 1), bands, ends)
    slopes = square / width - 2.0 * bend + behind[:-1, None] * w[:-1] + before[1:, None] * w[1:]
    if n > 2:
        slopes[1] += next_but["start"] * w[0]
        slopes[-2] += next_but["end"] * w[-1]
    out = np.zeros_like(ends)
    out[:-1] = value - slopes / width
    out[1:] += slopes / width
    return np.reshape(out, (n, *g.shape[2:]))


def spline_knots(x: Any, k: int = 3) -> Any:
    """The knots of scipy.interpolate.make_interp_spline(x, y, k)."""
    from scipy.interpolate import make_interp_spline

    return make_interp_spline(x, np.zeros(len(x)), k).t


def interpolating_coefficients(x: Any, y: Any, k: int = 3) -> Any:
    """The coefficients of the B-spline through y: scipy.interpolate.make_interp_spline(x, y, k).

    >>> interpolating_coefficients(np.array([0.0, 1.0]), np.array([3.0, 4.0]), 1)
    array([3., 4.])
    """
    from scipy.interpolate import make_interp_spline

    return make_interp_spline(x, y, k).c


def interpolating_coefficients_back(g: Any, x: Any, k: int = 3) -> Any:
    """The adjoint of y in interpolating_coefficients(x, y, k), whose adjoint is g: the transposed equations.

    >>> interpolating_coefficients_back(np.array([3.0, 4.0]), np.array([0.0, 1.0]), 1)
    array([3., 4.])
    """
    from scipy.interpolate import BSpline
    from scipy.sparse.linalg import spsolve

    matrix = BSpline.design_matrix(x, spline_knots(x, k), k)
    return np.reshape(spsolve(matrix.T.tocsc(), np.reshape(g, (len(x), -1))), np.shape(g))


def b_spline(t: Any, c: Any, k: int, x: Any, nu: int = 0, extrapolate: Any = True) -> Any:
    """The nu-th derivative at x of a B-spline with knots t and coefficients c: scipy.interpolate.BSpline.

    >>> b_spline(np.array([0.0, 0.0, 1.0, 1.0]), np.array([1.0, 3.0]), 1, 0.5)
    array(2.)
    """
    from scipy.interpolate import BSpline

    return BSpline(t, c, k, extrapolate)(x, nu)


def b_spline_back(g: Any, t: Any, c: Any, k: int, x: Any, nu: int = 0, extrapolate: Any = True) -> Any:
    """The adjoint of c in b_spline(t, c, k, x, nu, extrapolate), whose adjoint is g.

    >>> b_spline_back(1.0, np.array([0.0, 0.0, 1.0, 1.0]), np.zeros(2), 1, 0.25)
    array([0.75, 0.25])
    """
    from scipy.interpolate import BSpline

    out = np.zeros(np.shape(c))
    if nu > k:
        return out
    if nu == 0:
        x = np.ravel(x)
        n = len(t) - k - 1
        g = np.reshape(g, (len(x), *np.shape(c)[1:]))
        if extrapolate is False:
            inside = (x >= t[k]) & (x <= t[n])
            x, g = x[inside], g[inside]
        elif extrapolate == "periodic":
            x = t[k] + (x - t[k]) % (t[n] - t[k])
        matrix = BSpline.design_matrix(x, t, k, extrapolate=True)
        out[:n] = np.reshape(matrix.T @ np.reshape(g, (len(x), -1)), (n, *np.shape(c)[1:]))
        return out
    # the derivative has the differences of the coefficients over those of the knots
    n = len(t) - k - 1
    inner = b_spline_back(g, t[1:-1], c[: n - 1], k - 1, x, nu - 1, extrapolate)
    widths = t[k + 1 : k + n] - t[1:n]
    steps = inner * np.reshape(k / np.where(widths == 0.0, 1.0, widths), (-1, *[1] * (np.ndim(c) - 1)))
    out[1:n] += steps
    out[: n - 1] -= steps
    return out


def interval_of(x: Any, t: Any) -> Any:
    """Which of the intervals between the points x each t lies in; the first or the last for those outside.

    >>> interval_of(np.array([0.0, 1.0, 3.0]), np.array([-1.0, 0.5, 1.0, 3.0]))
    array([0, 0, 1, 1])
    """
    return np.clip(np.searchsorted(x, t, side="right") - 1, 0, np.searchsorted(x, x[-1]) - 1)


def cell_of(p: Any, x: Any) -> Any:
    """Which of the intervals between points that go up or down each x lies in; the first or the last for those outside.

    >>> cell_of(np.array([3.0, 1.0, 0.0]), np.array([4.0, 2.5, 0.5]))
    array([0, 0, 1])
    """
    rising = p[0] < p[-1]
    i = np.clip(np.searchsorted(p if rising else p[::-1], x, side="right") - 1, 0, len(p) - 2)
    return i if rising else len(p) - 2 - i


def point_of(x: Any, t: Any, kind: str) -> Any:
    """Which of the points x gives the value at each t: scipy.interpolate.interp1d.

    >>> point_of(np.array([0.0, 1.0, 3.0]), np.array([0.5, 1.0, 2.2]), "nearest")
    array([0, 1, 2])
    """
    if kind == "previous":
        i = np.searchsorted(x, t, side="right") - 1
    elif kind == "next":
        i = np.searchsorted(x, t, side="left")
    else:
        i = np.searchsorted(0.5 * (x[1:] + x[:-1]), t, side="left" if kind == "nearest" else "right")
    return np.clip(i, 0, len(x) - 1)


def box_of(x: Any) -> Any:
    """The middle of points and half of their extent, along each axis.

    >>> box_of(np.array([[0.0, 1.0], [4.0, 1.0]]))
    (array([2., 1.]), array([2., 1.]))
    """
    low, high = np.min(x, axis=0), np.max(x, axis=0)
    return 0.5 * (low + high), np.where(high > low, 0.5 * (high - low), 1.0)


def nearest_of(points: Any, x: Any) -> Any:
    """Which of some points is the nearest to each x.

    >>> nearest_of(np.array([[0.0, 1.0], [4.0, 1.0]]), np.array([[3.0, 3.0]]))
    array([1])
    """
    from scipy.spatial import KDTree

    return KDTree(points).query(x)[1]


def simplex_of(points: Any, x: Any) -> Any:
    """Which of some points are the corners of the simplex that each x lies in, and whether it lies in one.

    >>> corners, inside = simplex_of(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), np.array([[0.2, 0.3], [2.0, 2.0]]))
    >>> np.sort(corners), inside
    (array([[0, 1, 2],
           [0, 1, 2]], dtype=int32), array([ True, False]))
    """
    from scipy.spatial import Delaunay

    triangles = Delaunay(points)
    found = triangles.find_simplex(x)
    return triangles.simplices[np.maximum(found, 0)], found >= 0
