"""Rules of functions that take functions, and of those that make some (solvers, integrals, interpolants), against the
same mathematical problem in numbers of 40 digits (`tests.rules.problems`)."""

from __future__ import annotations

import inspect
import itertools

import numpy as np
import pytest

pytest.importorskip("mpmath")
pytest.importorskip("scipy")

from scipy import integrate, interpolate, optimize, stats

from s2sad import rules
from s2sad.cli import import_optional
from s2sad.knowledge import registry
from tests.rules import references
from tests.rules.problems import FITTED, INTEGRATED, PLACE, SOLVED, STEP, differences, flat, mp, numbers, table

import_optional()

pytestmark = pytest.mark.slow

ROWS, row = table()


# -- roots: of one equation, and of several ----------------------------------------------------------------------------


def cubic(x, p, q):
    return x**3 - p * x - q


def root_of(f, start):
    """A root by Newton's method, of one equation or of several."""
    x = mp.matrix([mp.mpf(v) for v in flat(start)])
    for _ in range(9):
        x -= mp.lu_solve(mp.matrix(jacobian_of(f, list(x))), mp.matrix(f(list(x))))
    return list(x)


def jacobian_of(f, x):
    columns = []
    for k in range(len(x)):
        ahead, behind = (f([*x[:k], x[k] + by, *x[k + 1 :]]) for by in (STEP, -STEP))
        columns.append([(a - b) / (2 * STEP) for a, b in zip(ahead, behind, strict=True)])
    return [list(r) for r in zip(*columns, strict=True)]


def root_of_cubic(p, q):
    return root_of(lambda x: [cubic(x[0], p, q)], [1.5])


for _solver in (optimize.brentq, optimize.brenth, optimize.bisect, optimize.ridder, optimize.toms748):
    row(
        f"scipy.optimize.{_solver.__name__}",
        lambda p, q, _solver=_solver: _solver(cubic, 0.5, 9.0, args=(p, q), xtol=1e-14, rtol=1e-14),
        root_of_cubic, 1.2, 0.7, to=SOLVED,
    )  # fmt: skip
# a root in the thousandths of a function with slopes in the millions
row(
    "scipy.optimize.brentq", lambda p, q: optimize.brentq(lambda x: 1e6 * (np.exp(p * x) - q), -1.0, 1.0, xtol=1e-16),
    lambda p, q: mp.log(q) / p, 3.0, 1.003, to=SOLVED,
)  # fmt: skip
for _options in ({}, {"fprime": lambda x: -np.sin(x)}, {"x1": 0.9}):
    row(
        "scipy.optimize.newton",
        lambda p, _options=_options: optimize.newton(lambda x: np.cos(x) - p, 0.7, tol=1e-14, **_options),
        mp.acos, 0.6, to=SOLVED,
    )  # fmt: skip
row(
    "scipy.optimize.root_scalar",
    lambda p, q: optimize.root_scalar(cubic, args=(p, q), bracket=(0.5, 9.0), xtol=1e-14).root,
    root_of_cubic, 1.2, 0.7, to=SOLVED,
)  # fmt: skip
row(
    "scipy.optimize.root_scalar",
    lambda p: optimize.root_scalar(
        lambda x: np.exp(x) - p, x0=0.5, fprime=np.exp, fprime2=np.exp, method="halley", xtol=1e-14
    ).root,
    mp.log, 1.7, to=SOLVED,
)  # fmt: skip
row(
    "scipy.optimize.fixed_point", lambda p: optimize.fixed_point(lambda x: np.cos(p * x), 0.5, xtol=1e-14),
    lambda p: root_of(lambda x: [mp.cos(p * x[0]) - x[0]], [0.7]), 0.8, to=SOLVED,
)  # fmt: skip


def two(z, p, q):
    return [z[0] ** 2 + p[0] * z[1] - p[1], z[0] - q * z[1] ** 3]


def two_roots(p, q):
    return root_of(lambda z: two(z, p, q), [1, 1])


P = np.array([1.3, 1.7])
row(
    "scipy.optimize.fsolve", lambda p, q: optimize.fsolve(two, [1.0, 1.0], args=(p, q), xtol=1e-14),
    two_roots, P, 0.6, to=SOLVED,
)  # fmt: skip
for _method in ("hybr", "lm"):
    row(
        "scipy.optimize.root",
        lambda p, q, _method=_method: optimize.root(two, [1.0, 1.0], args=(p, q), method=_method, tol=1e-14).x,
        two_roots, P, 0.6, to=SOLVED,
    )  # fmt: skip
row(
    "scipy.optimize.fixed_point",
    lambda p: optimize.fixed_point(lambda x: 0.3 * np.tanh(x[::-1]) + p, np.zeros(2), xtol=1e-14),
    lambda p: root_of(lambda x: [mp.mpf(0.3) * mp.tanh(x[1 - k]) + p[k] - x[k] for k in (0, 1)], [0.5, 0.8]),
    np.array([0.4, 0.7]), to=SOLVED,
)  # fmt: skip

# -- minima: where the slopes are 0 ------------------------------------------------------------------------------------


def bowl(x, p):
    return (x[0] - p[0]) ** 2 + 2.0 * (x[1] - p[1] * x[0]) ** 2 + 0.25 * p[0] * x[1] ** 4


def slopes_of_bowl(x, p):
    inner = x[1] - p[1] * x[0]
    return [2 * (x[0] - p[0]) - 4 * p[1] * inner, 4 * inner + p[0] * x[1] ** 3]


def bottom(p):
    return root_of(lambda x: slopes_of_bowl(x, p), [0.8, 0.5])


def slopes_in_array(x, p):
    return np.array(slopes_of_bowl(x, p))


def least(p):
    x = bottom(p)
    return (x[0] - p[0]) ** 2 + 2 * (x[1] - p[1] * x[0]) ** 2 + p[0] * x[1] ** 4 / 4


WEIGHTS = np.array([0.9, 0.7])
row(
    "scipy.optimize.minimize",
    lambda p: optimize.minimize(bowl, np.ones(2), (p,), jac=slopes_in_array, tol=1e-11).x, bottom, WEIGHTS, to=SOLVED,
)  # fmt: skip
row(
    "scipy.optimize.minimize",
    lambda p: optimize.minimize(bowl, np.ones(2), (p,), jac=slopes_in_array, tol=1e-11).fun, least, WEIGHTS, to=SOLVED,
)  # fmt: skip


def at_its_bounds(p, low):
    """The first is on its lower bound."""
    second = root_of(lambda x: [slopes_of_bowl([low, x[0]], p)[1]], [0.5])[0]
    return [low, second, (low - p[0]) ** 2 + 2 * (second - p[1] * low) ** 2 + p[0] * second**4 / 4]


def bounded(p, low):
    found = optimize.minimize(
        bowl, np.full(2, 2.0), (p,), jac=slopes_in_array, bounds=[(low, None), (-1.0, 3.0)],
        options={"ftol": 1e-16, "gtol": 1e-12},
    )  # fmt: skip
    return np.append(found.x, found.fun)


row("scipy.optimize.minimize", bounded, at_its_bounds, WEIGHTS, 1.4, to=FITTED)


def least_of_one(p):
    x = root_of(lambda x: [2 * (x[0] - p) + 4 * p * x[0] ** 3], [0.4])[0]
    return [x, (x - p) ** 2 + p * x**4]


def scalar(p):
    found = optimize.minimize_scalar(lambda x: (x - p) ** 2 + p * x**4, (-1.0, 2.0), options={"xtol": 1e-12})
    return np.array([found.x, found.fun])


row("scipy.optimize.minimize_scalar", scalar, least_of_one, 0.6, to=PLACE)


def scalar_within(p, high):
    found = optimize.minimize_scalar(
        lambda x: (x - p) ** 2 + p * x**4, bounds=(-1.0, high), options={"xatol": 1e-13}, method="bounded"
    )
    return np.array([found.x, found.fun])


row("scipy.optimize.minimize_scalar", scalar_within, lambda p, h: [h, (h - p) ** 2 + p * h**4], 0.6, 0.2, to=PLACE)
row("scipy.optimize.minimize_scalar", scalar_within, lambda p, h: least_of_one(p), 0.6, 0.9, to=PLACE)

TIMES = np.array([0.2, 0.7, 1.1, 1.6, 2.0])
DATA = np.array([0.35, 0.71, 0.98, 1.13, 1.02])
ERRORS = np.array([0.3, 0.2, 0.4, 0.3, 0.2])


def decay(x, a, b):
    return a * np.exp(-b * x)


def fit_of(x, y, sigma):
    """The slopes of the sum of squares are 0."""

    def equations(z):
        a, b = z
        total = [mp.mpf(0), mp.mpf(0)]
        for t, v, s in zip(x, y, sigma, strict=True):
            e = mp.exp(-b * t)
            misfit = (a * e - v) / s**2
            total = [total[0] + misfit * e, total[1] - misfit * a * t * e]
        return total

    return root_of(equations, [0.6, -0.3])



def least_squares(y, k):
    return optimize.least_squares(
        lambda p: p[0] * np.exp(-p[1] * TIMES * k) - y, np.array([0.6, -0.3]), method="lm",
        jac=lambda p: np.stack([np.exp(-p[1] * TIMES * k), -p[0] * TIMES * k * np.exp(-p[1] * TIMES * k)], axis=1),
        ftol=1e-15, xtol=1e-15, gtol=1e-15,
    ).x  # fmt: skip


def scaled_fit(y, k):
    return fit_of([t * k for t in numbers(TIMES)], y, [1] * len(y))


row(
    "scipy.optimize.curve_fit",
    lambda x, y, s: optimize.curve_fit(decay, x, y, (0.6, -0.3), s, ftol=1e-15, xtol=1e-15, gtol=1e-15)[0],
    fit_of, TIMES, DATA, ERRORS, to=FITTED,
)  # fmt: skip
row(
    "scipy.optimize.curve_fit",
    lambda x, y: optimize.curve_fit(lambda x, a, b: a * x[0] + b * x[1] ** 2, x, y, ftol=1e-15, xtol=1e-15)[0],
    lambda x, y: list(equations_of_lines([[a, b**2] for a, b in zip(*x, strict=True)], y)),
    np.stack([TIMES, ERRORS]), DATA, to=FITTED,
)  # fmt: skip
row("scipy.optimize.least_squares", least_squares, scaled_fit, DATA, 0.9, to=FITTED)


def squares_on_a_bound(y, low):
    return optimize.least_squares(
        lambda p: p[0] + p[1] * TIMES - y, np.array([2.0, 0.1]), bounds=([low, -9.0], [9.0, 9.0]),
        jac=lambda p: np.stack([np.ones(5), TIMES], axis=1), ftol=1e-15, xtol=1e-15, gtol=1e-15,
    ).x  # fmt: skip


def slope_through(y, low):
    t = numbers(TIMES)
    return [low, sum(a * (v - low) for a, v in zip(t, y, strict=True)) / sum(a * a for a in t)]


row("scipy.optimize.least_squares", squares_on_a_bound, slope_through, DATA, 0.8, to=PLACE)


def equations_of_lines(a, b):
    """The normal equations."""
    a, b = mp.matrix(a), mp.matrix(b)
    return mp.lu_solve(a.T * a, a.T * b)


MATRIX = np.array([[1.0, 0.2], [0.4, 1.1], [0.7, -0.6]])


def linear_fit(a, b):
    found = optimize.lsq_linear(a, b)
    return np.array([*found.x, *found.fun, found.cost])


def exact_linear_fit(a, b):
    x = equations_of_lines(a, b)
    rest = list(mp.matrix(a) * x - mp.matrix(b))
    return [*x, *rest, sum(r * r for r in rest) / 2]


def linear_fit_within(a, b):
    return optimize.lsq_linear(a, b, bounds=([0.8, -3.0], [3.0, 3.0]), tol=1e-14).x


def with_the_first_at(a, b):
    first = mp.mpf(0.8)
    above = sum(r[1] * (v - r[0] * first) for r, v in zip(a, b, strict=True))
    return [first, above / sum(r[1] ** 2 for r in a)]


row(
    "scipy.optimize.lsq_linear",
    lambda a, b: optimize.lsq_linear(a, b, bounds=([0.8, -3.0], [3.0, 3.0]), method="bvls").x, with_the_first_at,
    MATRIX, DATA[:3],
)  # fmt: skip
row("scipy.optimize.lsq_linear", linear_fit, exact_linear_fit, MATRIX, DATA[:3])
row("scipy.optimize.lsq_linear", linear_fit_within, with_the_first_at, MATRIX, DATA[:3])

# -- integrals ---------------------------------------------------------------------------------------------------------


def area(p, a, b):
    return mp.quad(lambda x: mp.exp(-p * x) * x, [a, b])


row("scipy.integrate.quad",
    lambda p, a, b: integrate.quad(lambda x: np.exp(-p * x) * x, a, b, epsabs=1e-12, epsrel=1e-12)[0],
    area, 0.7, 0.2, 1.9)  # fmt: skip
row("scipy.integrate.quad", lambda p, a, b: integrate.quad(lambda x: np.exp(-p * x) * x, a, b)[0],
    area, 0.7, 1.9, 0.2)  # fmt: skip
# over a half line; with an end at which the derivative's integrand is infinite; of arguments
row("scipy.integrate.quad",
    lambda p, a: integrate.quad(lambda x, q: np.exp(-q * x * x), a, np.inf, (p,), epsabs=1e-12, epsrel=1e-12)[0],
    lambda p, a: mp.quad(lambda x: mp.exp(-p * x * x), [a, mp.inf]), 0.8, 0.3)  # fmt: skip
row("scipy.integrate.quad", lambda p, b: integrate.quad(lambda x: x**p, 0.0, b, epsabs=1e-12, epsrel=1e-12)[0],
    lambda p, b: b ** (p + 1) / (p + 1), 0.5, 1.3, to=SOLVED)  # fmt: skip
# a kink inside, and a jump at a point that moves
row("scipy.integrate.quad",
    lambda p: integrate.quad(lambda x: abs(x - p) * np.exp(x), 0.0, 1.0, points=[0.4], epsabs=1e-12, epsrel=1e-12)[0],
    lambda p: mp.quad(lambda x: abs(x - p) * mp.exp(x), [0, p, 1]), 0.4)  # fmt: skip
row("scipy.integrate.quad",
    lambda p, q: integrate.quad(
        lambda x: np.exp(q * x) if x < p else 0.3 * x, 0.0, 1.0, points=[p], epsabs=1e-12, epsrel=1e-12
    )[0],
    lambda p, q: mp.quad(lambda x: mp.exp(q * x), [0, p]) + mp.mpf(0.3) * (1 - p * p) / 2, 0.4, 0.8)  # fmt: skip
row("scipy.integrate.quad_vec",
    lambda w, a, b: integrate.quad_vec(lambda x: np.exp(-w * x), a, b, epsabs=1e-12, epsrel=1e-12)[0],
    lambda w, a, b: [(mp.exp(-v * a) - mp.exp(-v * b)) / v for v in w], P, 0.2, 1.4)  # fmt: skip
row("scipy.integrate.quad_vec",
    lambda w: integrate.quad_vec(lambda x: np.exp(-w * x), 0.0, np.inf, epsabs=1e-12, epsrel=1e-12)[0],
    lambda w: [1 / v for v in w], P)  # fmt: skip


def gauss(f, a, b, n):
    """The sum over the roots of a polynomial of Legendre."""
    total = mp.mpf(0)
    for start in np.polynomial.legendre.leggauss(n)[0]:
        u = mp.findroot(lambda x: mp.legendre(n, x), mp.mpf(float(start)))
        slope = n * (mp.legendre(n - 1, u) - u * mp.legendre(n, u)) / (1 - u * u)
        total += 2 / ((1 - u * u) * slope**2) * f((a + b + (b - a) * u) / 2)
    return (b - a) / 2 * total


row("scipy.integrate.fixed_quad", lambda p, a, b: integrate.fixed_quad(lambda x, q: np.exp(-q * x), a, b, (p,), n=3)[0],
    lambda p, a, b: gauss(lambda x: mp.exp(-p * x), a, b, 3), 0.8, 0.1, 1.4)  # fmt: skip
row("scipy.integrate.dblquad",
    lambda p, a: integrate.dblquad(
        lambda v, u: u * np.exp(p * v), 0.0, a, 0.2, lambda u: p * u, epsabs=1e-12, epsrel=1e-12
    )[0],
    lambda p, a: mp.quad(lambda u: u * (mp.exp(p * p * u) - mp.exp(p * mp.mpf(0.2))) / p, [0, a]),
    0.8, 1.4)  # fmt: skip
row("scipy.integrate.tplquad",
    lambda p, a: integrate.tplquad(
        lambda w, v, u, q: u * v * np.exp(-q * w), 0.0, 1.0, 0.0, lambda u: a * u, 0.0, a, args=(p,)
    )[0],
    lambda p, a: a**2 / 8 * (1 - mp.exp(-p * a)) / p, 0.8, 1.4)  # fmt: skip
row("scipy.integrate.nquad",
    lambda p, a: integrate.nquad(lambda v, u, q: u * np.exp(-q * v), [lambda u, q: (0.0, q * u), (0.0, a)], (p,))[0],
    lambda p, a: mp.quad(lambda u: u * (1 - mp.exp(-p * p * u)) / p, [0, a]), 0.8, 1.4)  # fmt: skip

# -- differential equations that have solutions in closed form ---------------------------------------------------------

AT = np.array([0.0, 0.3, 1.0, 1.5])


def logistic(t, y0, p, q):
    """y' = p y - q y**2."""
    e = mp.exp(p * t)
    return y0 * e / (1 + q * y0 * (e - 1) / p)


def growth(t, y, p, q):
    return p * y - q * y**2


row("scipy.integrate.odeint",
    lambda y0, p, q: integrate.odeint(growth, y0, AT, (p, q), tfirst=True, rtol=1e-11, atol=1e-11)[:, 0],
    lambda y0, p, q: [logistic(mp.mpf(float(t)), y0, p, q) for t in AT], 0.4, 1.3, 0.6, to=INTEGRATED)  # fmt: skip
row("scipy.integrate.odeint",
    lambda y0, t: integrate.odeint(lambda y, t: -0.5 * y * t, y0, t, rtol=1e-11, atol=1e-11)[:, 0],
    lambda y0, t: [y0 * mp.exp(-(v**2 - t[0] ** 2) / 4) for v in t], 0.4, AT, to=INTEGRATED)  # fmt: skip


def top(t, y, k):
    """Euler's rigid body: Jacobi's elliptic functions."""
    return [y[1] * y[2], -y[0] * y[2], -k * y[0] * y[1]]


def elliptic(k, end):
    return [mp.ellipfun(name, end, m=k) for name in ("sn", "cn", "dn")]


def turning(method):
    return lambda k, end: integrate.solve_ivp(
        top, (0.0, end), [0.0, 1.0, 1.0], method, args=(k,), rtol=1e-11, atol=1e-11
    ).y[:, -1]


for _method in ("RK45", "DOP853", "Radau", "LSODA"):
    row("scipy.integrate.solve_ivp", turning(_method), elliptic, 0.6, 1.7, to=INTEGRATED)
# at times that vary, between ends that vary, backward
row("scipy.integrate.solve_ivp",
    lambda y0, t, p: np.ravel(
        integrate.solve_ivp(growth, (0.0, 2.0), y0, t_eval=t, args=(p, 0.6), method="DOP853", rtol=1e-11, atol=1e-11).y
    ),
    lambda y0, t, p: [logistic(v, y, p, mp.mpf(0.6)) for y in y0 for v in t],
    np.array([0.4, 0.2]), np.array([0.3, 1.1]), 1.3, to=INTEGRATED)  # fmt: skip
row("scipy.integrate.solve_ivp",
    lambda a, b, y0: integrate.solve_ivp(lambda t, y: -y * t, (a, b), [y0], rtol=1e-11, atol=1e-11).y[0, -1],
    lambda a, b, y0: y0 * mp.exp((a * a - b * b) / 2), 1.2, 0.3, 0.8, to=INTEGRATED)  # fmt: skip


def reached(t, y, p, q, level):
    return y[0] - level


reached.terminal = True


def until(y0, p, level):
    found = integrate.solve_ivp(
        lambda t, y, p, q, level: growth(t, y, p, q), (0.0, 9.0), [y0], events=reached, args=(p, 0.3, level),
        rtol=1e-11, atol=1e-11,
    )  # fmt: skip
    return np.array([found.t[-1], found.t_events[0][0], found.y_events[0][0, 0], found.y[0, -1]])


def time_until(y0, p, level):
    q = mp.mpf(0.3)
    t = mp.log(level * (p - q * y0) / (y0 * (p - q * level))) / p
    return [t, t, level, level]


row("scipy.integrate.solve_ivp", until, time_until, 0.4, 1.3, 2.1, to=INTEGRATED)


def passed(p, v):
    """An event that does not end it, seen twice: a stone at a height."""
    found = integrate.solve_ivp(
        lambda t, y: [y[1], -p], (0.0, 2.0), [0.0, v], events=lambda t, y: y[0] - 0.5, max_step=0.1,
        rtol=1e-11, atol=1e-11,
    )  # fmt: skip
    return np.append(found.t_events[0], found.y_events[0][:, 1])


def exactly_passed(p, v):
    root = mp.sqrt(v * v - p)
    return [(v - root) / p, (v + root) / p, root, -root]


row("scipy.integrate.solve_ivp", passed, exactly_passed, 9.8, 5.0, to=INTEGRATED)

# -- interpolants: polynomials between points, by the equations that they satisfy --------------------------------------

X = np.array([0.0, 0.7, 1.1, 2.0, 2.6, 3.1])
Y = np.array([0.3, 1.2, 0.9, 1.6, 1.4, 2.9])
FLAT = np.array([0.3, 0.3, 1.2, 1.5, 0.4, 0.9])
T = np.array([0.31, 1.53, 2.87, 0.7])
OUTSIDE = np.array([-0.4, 1.3, 3.6])


def powers(h, order, n=4):
    """The derivatives of h ** 0, h ** 1, ..."""
    return [mp.mpf(0) if k < order else mp.ff(k, order) * h ** (k - order) for k in range(n)]


def interval(x, t):
    return max(0, min(sum(1 for v in x if v <= t), len(x) - 1) - 1)


def evaluated(pieces, x, t, order=0):
    """A derivative of polynomials between points, whose coefficients begin with the constant."""
    i = interval(x, t)
    return sum(c * p for c, p in zip(pieces[i], powers(t - x[i], order, len(pieces[i])), strict=True))


def at_all(pieces, x, t, order=0):
    return [evaluated(pieces, x, v, order) for v in t]


def cubics(x, y, *ends):
    """The coefficients of a cubic spline: all conditions at once. An end has (order, value), or is not a knot: None."""
    m = len(x) - 1
    rows, rights = [], []

    def condition(parts, right):
        line = [mp.mpf(0)] * (4 * m)
        for i, factors, sign in parts:
            for k, f in enumerate(factors):
                line[4 * i + k] += sign * f
        rows.append(line)
        rights.append(right)

    for i in range(m):
        h = x[i + 1] - x[i]
        condition([(i, powers(mp.mpf(0), 0), 1)], y[i])
        condition([(i, powers(h, 0), 1)], y[i + 1])
        if i + 1 < m:
            for order in (1, 2):
                condition([(i, powers(h, order), 1), (i + 1, powers(mp.mpf(0), order), -1)], mp.mpf(0))
    for end, inner, last, at in zip(ends, (0, m - 2), (0, m - 1), (mp.mpf(0), x[-1] - x[-2]), strict=True):
        if end is None:
            condition([(inner, powers(mp.mpf(0), 3), 1), (inner + 1, powers(mp.mpf(0), 3), -1)], mp.mpf(0))
        else:
            condition([(last, powers(at, end[0]), 1)], end[1])
    c = list(mp.lu_solve(mp.matrix(rows), mp.matrix(rights)))
    return [c[4 * i : 4 * i + 4] for i in range(m)]


def hermite(x, y, s):
    """The coefficients of cubic polynomials with given values and slopes at their ends."""
    pieces = []
    for i in range(len(x) - 1):
        h = x[i + 1] - x[i]
        equations = mp.matrix([powers(mp.mpf(0), 0), powers(mp.mpf(0), 1), powers(h, 0), powers(h, 1)])
        pieces.append(list(mp.lu_solve(equations, mp.matrix([y[i], s[i], y[i + 1], s[i + 1]]))))
    return pieces


def integral(pieces, x, a, b):
    """Of the polynomials, from a to b, beyond the points too."""
    def up_to(t):
        total = mp.mpf(0)
        for i, c in enumerate(pieces):
            ends = (x[i + 1] if i + 1 < len(pieces) and t > x[i + 1] else t) - x[i]
            if i == 0 or t > x[i]:
                total += sum(v * ends ** (k + 1) / (k + 1) for k, v in enumerate(c))
        return total

    return up_to(b) - up_to(a)


def natural(x, y):
    return cubics(x, y, (2, mp.mpf(0)), (2, mp.mpf(0)))


def plain(x, y):
    return cubics(x, y, None, None)


row("scipy.interpolate.CubicSpline", lambda x, y, t: interpolate.CubicSpline(x, y)(t),
    lambda x, y, t: at_all(plain(x, y), x, t), X, Y, T)  # fmt: skip
row("scipy.interpolate.CubicSpline",
    lambda x, y, a, t: interpolate.CubicSpline(x, y, bc_type=((1, a), (2, 0.3)))(t, 1),
    lambda x, y, a, t: at_all(cubics(x, y, (1, a), (2, mp.mpf(0.3))), x, t, 1),
    X, Y, 0.2, OUTSIDE)  # fmt: skip


def natural_parts(y, t):
    spline = interpolate.CubicSpline(X, y, bc_type="natural")
    return np.append(spline.derivative(2)(t), spline.integrate(t[0], t[1]))


row("scipy.interpolate.CubicSpline", natural_parts,
    lambda y, t: [*at_all(natural(numbers(X), y), numbers(X), t, 2),
                  integral(natural(numbers(X), y), numbers(X), t[0], t[1])],
    Y, OUTSIDE)  # fmt: skip
row("scipy.interpolate.CubicHermiteSpline", lambda x, y, s, t: interpolate.CubicHermiteSpline(x, y, s)(t),
    lambda x, y, s, t: at_all(hermite(x, y, s), x, t), X, Y, FLAT, T)  # fmt: skip


def monotone(x, y):
    """Fritsch and Butland 1984; at the ends as Moler 2004."""
    n = len(x)
    h = [x[i + 1] - x[i] for i in range(n - 1)]
    m = [(y[i + 1] - y[i]) / h[i] for i in range(n - 1)]
    s = [mp.mpf(0)] * n
    for i in range(1, n - 1):
        if m[i - 1] * m[i] > 0:
            w, v = 2 * h[i] + h[i - 1], h[i] + 2 * h[i - 1]
            s[i] = (w + v) / (w / m[i - 1] + v / m[i])
    for i, a, b in ((0, 0, 1), (n - 1, n - 2, n - 3)):
        d = ((2 * h[a] + h[b]) * m[a] - h[a] * m[b]) / (h[a] + h[b])
        if d * m[a] <= 0:
            d = mp.mpf(0)
        elif m[a] * m[b] < 0 and abs(d) > 3 * abs(m[a]):
            d = 3 * m[a]
        s[i] = d
    return hermite(x, y, s)


BESIDE = np.append(T[:3], 0.9)  # at the points the second derivative jumps
RISING = np.array([0.1, 0.4, 0.9, 1.6, 2.9, 3.0])
for _y in (Y, RISING, np.array([0.0, 0.1, 2.0, 2.5, 2.4, 0.0])):
    row("scipy.interpolate.PchipInterpolator scipy.interpolate.pchip_interpolate",
        lambda x, y, t: np.append(
            interpolate.PchipInterpolator(x, y)(t[:2]), interpolate.pchip_interpolate(x, y, t[2:], 1)
        ),
        lambda x, y, t: [*at_all(monotone(x, y), x, t[:2]), *at_all(monotone(x, y), x, t[2:], 1)],
        X, _y, BESIDE)  # fmt: skip
row("scipy.interpolate.PchipInterpolator",
    lambda y, a, b: interpolate.PchipInterpolator(X, y).antiderivative()(b)
    + interpolate.PchipInterpolator(X, y).integrate(a, b),
    lambda y, a, b: integral(monotone(numbers(X), y), numbers(X), mp.mpf(0), b)
    + integral(monotone(numbers(X), y), numbers(X), a, b),
    RISING, 0.4, 2.8)  # fmt: skip


def akima(x, y, modified):
    n = len(x)
    m = {i: (y[i + 1] - y[i]) / (x[i + 1] - x[i]) for i in range(n - 1)}
    m[-1], m[n - 1] = 2 * m[0] - m[1], 2 * m[n - 2] - m[n - 3]
    m[-2], m[n] = 2 * m[-1] - m[0], 2 * m[n - 1] - m[n - 2]
    s = []
    for i in range(n):
        u, v = abs(m[i + 1] - m[i]), abs(m[i - 1] - m[i - 2])
        if modified:
            u, v = u + abs(m[i + 1] + m[i]) / 2, v + abs(m[i - 1] + m[i - 2]) / 2
        s.append((u * m[i - 1] + v * m[i]) / (u + v))
    return hermite(x, y, s)


row("scipy.interpolate.Akima1DInterpolator",
    lambda x, y, t: np.append(
        interpolate.Akima1DInterpolator(x, y)(t), interpolate.Akima1DInterpolator(x, y, method="makima")(t)
    ),
    lambda x, y, t: [*at_all(akima(x, y, False), x, t), *at_all(akima(x, y, True), x, t)],
    X, Y, T)  # fmt: skip


def turned(c):
    """The coefficients for each interval, with the constant first."""
    return [list(piece)[::-1] for piece in zip(*c, strict=True)]


COEFFICIENTS = np.stack([Y[:5], FLAT[:5], RISING[:5]])
row("scipy.interpolate.PPoly",
    lambda c, x, t: np.append(interpolate.PPoly(c, x)(t), interpolate.PPoly(c, x).derivative()(t)),
    lambda c, x, t: [evaluated(turned(c), x, v, k) for k in (0, 1) for v in t],
    COEFFICIENTS, X, T[:3])  # fmt: skip
row("scipy.interpolate.PPoly", lambda c, x, a, b: interpolate.PPoly(c, x).integrate(a, b),
    lambda c, x, a, b: integral(turned(c), x, a, b), COEFFICIENTS, X, -0.4, 3.3)  # fmt: skip
SMOOTH, SPLINE = interpolate.CubicSpline(X, Y), interpolate.make_interp_spline(X, Y)
LEVEL, KNOTS = interpolate.UnivariateSpline(X, Y, s=0), interpolate.splrep(X, Y)
row("scipy.interpolate.PPoly.__call__ scipy.interpolate.BSpline.__call__ scipy.interpolate.UnivariateSpline.__call__"
    " scipy.interpolate.splev",
    lambda t: SMOOTH(t) + SPLINE(t, 1) * LEVEL(t) + interpolate.splev(t, KNOTS, 2),
    lambda t: [
        evaluated(SAME, numbers(X), v) * (1 + evaluated(SAME, numbers(X), v, 1)) + evaluated(SAME, numbers(X), v, 2)
        for v in t
    ],
    np.array([-0.4, 0.31, 1.53, 3.6]))  # fmt: skip
SAME = plain(numbers(X), numbers(Y))
row("scipy.interpolate.PPoly.integrate scipy.interpolate.BSpline.integrate",
    lambda a, b: SMOOTH.integrate(a, b) * SPLINE.integrate(b, a),
    lambda a, b: -(integral(SAME, numbers(X), a, b) ** 2), 0.4, 3.3)  # fmt: skip

# B-splines: the recursion of Cox and de Boor


def basis(t, k, i, at):
    if k == 0:
        return mp.mpf(1) if t[i] <= at < t[i + 1] else mp.mpf(0)
    total = mp.mpf(0)
    if t[i + k] > t[i]:
        total += (at - t[i]) / (t[i + k] - t[i]) * basis(t, k - 1, i, at)
    if t[i + k + 1] > t[i + 1]:
        total += (t[i + k + 1] - at) / (t[i + k + 1] - t[i + 1]) * basis(t, k - 1, i + 1, at)
    return total


def b_spline(t, c, k, at):
    return sum(v * basis(t, k, i, at) for i, v in enumerate(c))


def slope_of_spline(t, c, k):
    return t[1:-1], [k * (c[i + 1] - c[i]) / (t[i + k + 1] - t[i + 1]) for i in range(len(c) - 1)]


def by_simpson(f, ends):
    """The integral of parabolas between some points."""
    pairs = itertools.pairwise(ends)
    return sum((b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b)) for a, b in pairs)


KNOTTED = np.array([-0.9, -0.5, -0.2, 0.1, 2.3, 3.9, 4.2, 4.4, 4.9])
row("scipy.interpolate.BSpline scipy.interpolate.splev",
    lambda t, c, x: np.append(interpolate.BSpline(t, c, 3)(x[:2], 1), interpolate.splev(x[2:], (t, c, 3))),
    lambda t, c, x: [*(b_spline(*slope_of_spline(t, c, 3), 2, v) for v in x[:2]),
                     *(b_spline(t, c, 3, v) for v in x[2:])],
    KNOTTED, Y[:5], T)  # fmt: skip
row("scipy.interpolate.BSpline", lambda t, c, a, b: interpolate.BSpline(t, c, 2).integrate(a, b),
    lambda t, c, a, b: by_simpson(lambda x: b_spline(t, c, 2, x), [a, *(v for v in t if a < v < b), b]),
    KNOTTED, FLAT, 0.4, 3.4)  # fmt: skip


def spline_through(x, y, k):
    """Knots and coefficients."""
    half = k // 2 if k % 2 == 0 else (k + 1) // 2
    inner = x if k % 2 else [(a + b) / 2 for a, b in zip(x[1:], x[:-1], strict=True)]
    t = [*[x[0]] * (k + 1), *inner[half : len(inner) - half], *[x[-1]] * (k + 1)]
    last = t[-1] * (1 + mp.eps * 1024)  # the last of the points belongs to the last interval
    wide = [last if v == t[-1] else v for v in t]
    equations = mp.matrix([[basis(wide, k, i, at) for i in range(len(x))] for at in x])
    return wide, list(mp.lu_solve(equations, mp.matrix(y)))


for _k in (1, 2, 5):
    row("scipy.interpolate.make_interp_spline",
        lambda x, y, t, _k=_k: interpolate.make_interp_spline(x, y, k=_k)(t),
        lambda x, y, t, _k=_k: [b_spline(*spline_through(x, y, _k), _k, v) for v in t], X, Y, T[:3])  # fmt: skip
row("scipy.interpolate.make_interp_spline",
    lambda x, y, t: np.append(
        interpolate.make_interp_spline(x, y)(t), interpolate.make_interp_spline(x, y, bc_type="natural")(t, 1)
    ),
    lambda x, y, t: [*at_all(plain(x, y), x, t), *at_all(natural(x, y), x, t, 1)],
    X, Y, OUTSIDE)  # fmt: skip
row("scipy.interpolate.interp1d",
    lambda y, t: interpolate.interp1d(X, y, kind="cubic", fill_value="extrapolate")(t),
    lambda y, t: at_all(plain(numbers(X), y), numbers(X), t), Y, OUTSIDE)  # fmt: skip
row("scipy.interpolate.interp1d", lambda y, t: interpolate.interp1d(X, y, kind="quadratic")(t),
    lambda y, t: [b_spline(*spline_through(numbers(X), y, 2), 2, v) for v in t], Y, T[:3])  # fmt: skip


def lines(x, y):
    order = sorted(range(len(x)), key=lambda i: x[i])
    x, y = [x[i] for i in order], [y[i] for i in order]
    return [[y[i], (y[i + 1] - y[i]) / (x[i + 1] - x[i])] for i in range(len(x) - 1)], x


row("scipy.interpolate.interp1d",
    lambda x, y, t, low: interpolate.interp1d(x, y, bounds_error=False, fill_value=(low, 2.0 * low))(t),
    lambda x, y, t, low: [low, evaluated(*lines(x, y), t[1]), 2 * low], X[::-1].copy(), Y, OUTSIDE, 0.3)  # fmt: skip
row("scipy.interpolate.interp1d",
    lambda y, t: interpolate.interp1d(X, y, "previous")(t) + 2.0 * interpolate.interp1d(X, y, "next")(t)
    + 4.0 * interpolate.interp1d(X, y, "nearest")(t),
    lambda y, t: [y[0] + 2 * y[1] + 4 * y[0], y[2] + 2 * y[3] + 4 * y[2], y[4] + 2 * y[5] + 4 * y[5]],
    Y, T[:3])  # fmt: skip

# beyond the points: repeated, zero, or none

def over_turns(f, low, high, a, b):
    """The integral of what is repeated, where a is in the first turn and b in the third."""
    return f(low, high) * 2 + f(low, b - 2 * (high - low)) - f(low, a)


row("scipy.interpolate.PPoly",
    lambda c, x, a, b: interpolate.PPoly(c, x, extrapolate="periodic").integrate(a, b),
    lambda c, x, a, b: over_turns(lambda *ends: integral(turned(c), x, *ends), x[0], x[-1], a, b),
    COEFFICIENTS, X, 0.5, 8.3)  # fmt: skip
row("scipy.interpolate.PPoly", lambda c, t: interpolate.PPoly(c, X).derivative(3)(t) + interpolate.PPoly(c, X)(t, 2),
    lambda c, t: at_all(turned(c), numbers(X), t, 2), COEFFICIENTS, T[:3])  # fmt: skip


def spline_integral(t, c, *ends):
    """Of a spline of degree 2 within its base interval."""
    a, b = (min(max(v, t[2]), t[len(c)]) for v in ends)
    cuts = sorted([a, *(v for v in t if min(a, b) < v < max(a, b)), b])
    return mp.sign(b - a) * by_simpson(lambda x: b_spline(t, c, 2, x), cuts)


row("scipy.interpolate.BSpline",
    lambda t, c, a, b: interpolate.BSpline(t, c, 2, extrapolate=False).integrate(b, a)
    + 2.0 * interpolate.BSpline(t, c, 2).integrate(1.0, b, extrapolate=False),
    lambda t, c, a, b: spline_integral(t, c, b, a) + 2 * spline_integral(t, c, mp.mpf(1), b),
    KNOTTED, FLAT, 0.4, 6.5)  # fmt: skip
row("scipy.interpolate.BSpline",
    lambda t, c, a, b: interpolate.BSpline(t, c, 2).integrate(a, b, extrapolate="periodic"),
    lambda t, c, a, b: over_turns(lambda *ends: spline_integral(t, c, *ends), t[2], t[-3], a, b),
    KNOTTED, FLAT, 0.4, 10.1)  # fmt: skip
row("scipy.interpolate.make_interp_spline",
    lambda x, y, a, b: interpolate.make_interp_spline(x, y, bc_type="natural").integrate(a, b, extrapolate=False),
    lambda x, y, a, b: integral(natural(x, y), x, a, x[-1]), X, Y, 0.4, 3.6)  # fmt: skip
CUT = interpolate.BSpline(KNOTTED, FLAT, 2, extrapolate=False)
row("scipy.interpolate.BSpline.integrate", lambda a, b: CUT.integrate(a, b) + CUT.integrate(b, 1.0),
    lambda a, b: spline_integral(numbers(KNOTTED), numbers(FLAT), a, b)
    + spline_integral(numbers(KNOTTED), numbers(FLAT), b, mp.mpf(1)), 0.4, 6.5)  # fmt: skip


def behind(y, t):
    """Steps go on to one side: to the other they are nan."""
    before = interpolate.interp1d(X, y, "previous", fill_value="extrapolate", axis=0)(t)
    after = interpolate.interp1d(X, y, "next", fill_value="extrapolate", axis=0)(t)
    return np.concatenate((np.ravel(before[1:]), np.ravel(after[:-1]), np.isnan([before[0, 0], after[-1, 1]]) * 1.0))


row("scipy.interpolate.interp1d", behind,
    lambda y, t: [*y[2], *y[5], *y[0], *y[3], mp.mpf(1), mp.mpf(1)], np.stack([Y, FLAT], axis=1), OUTSIDE)  # fmt: skip

# several dimensions


def between(points, values, at):
    """Linear along each axis."""
    if not points:
        return values
    i = interval(points[0], at[0])
    u = (at[0] - points[0][i]) / (points[0][i + 1] - points[0][i])
    return (1 - u) * between(points[1:], values[i], at[1:]) + u * between(points[1:], values[i + 1], at[1:])


TABLE = np.outer(Y, FLAT[:3]) + np.arange(3.0)
SITES = np.array([[0.31, 0.53], [2.87, 0.46], [1.3, 0.9]])
AXIS = X[:3]
row("scipy.interpolate.RegularGridInterpolator scipy.interpolate.interpn",
    lambda x, y, z, at: interpolate.RegularGridInterpolator((x, y), z)(at) * interpolate.interpn((x, y), z, at),
    lambda x, y, z, at: [between([x, y], z, p) ** 2 for p in at], X, AXIS, TABLE, SITES)  # fmt: skip
row("scipy.interpolate.RegularGridInterpolator scipy.interpolate.interpn",
    lambda x, y, z, at: interpolate.RegularGridInterpolator((x, y), z)(at) * interpolate.interpn((x, y), z, at),
    lambda x, y, z, at: [between([x[::-1], y], z[::-1], p) ** 2 for p in at], X[::-1].copy(), AXIS, TABLE,
    SITES)  # fmt: skip
row("scipy.interpolate.RegularGridInterpolator",
    lambda z, at: interpolate.RegularGridInterpolator((X, AXIS), z, bounds_error=False, fill_value=None)(9.0 - at),
    lambda z, at: [between([numbers(X), numbers(AXIS)], z, [9 - v for v in p]) for p in at],
    TABLE, SITES)  # fmt: skip
row("scipy.interpolate.RegularGridInterpolator scipy.interpolate.interpn",
    lambda z, at: np.concatenate((
        interpolate.RegularGridInterpolator((X,), z)(at[:, :1]), interpolate.interpn((X,), z, at[:, 1:])
    )),
    lambda z, at: [
        [between([numbers(X)], [v[k] for v in z], [p[i]]) for k in range(3)] for i in (0, 1) for p in at
    ],
    TABLE, SITES)  # fmt: skip
GRID = interpolate.RegularGridInterpolator((X, AXIS), TABLE)
row("scipy.interpolate.RegularGridInterpolator.__call__", lambda at: GRID(at),
    lambda at: [between([numbers(X), numbers(AXIS)], numbers(TABLE), p) for p in at], SITES)  # fmt: skip
SURFACE = interpolate.RectBivariateSpline(X, X, np.outer(Y, FLAT) + np.outer(X, X), s=0)


ALONG = [plain(numbers(X), v) for v in numbers(np.outer(Y, FLAT) + np.outer(X, X))]


def surface(x, y):
    """A spline along each axis."""
    points = numbers(X)
    return evaluated(plain(points, [evaluated(pieces, points, y) for pieces in ALONG]), points, x)


row("scipy.interpolate.BivariateSpline.ev", lambda x, y: SURFACE.ev(x, y),
    lambda x, y: [surface(a, b) for a, b in zip(x, y, strict=True)], T[:2], T[1:3])  # fmt: skip
SHEET = (*SURFACE.tck, 3, 3)
row("scipy.interpolate.bisplev", lambda x, y: float(interpolate.bisplev(x, y, SHEET)), surface, 1.4, 2.7)

CORNERS = np.array([[-0.5, -0.3], [4.4, 0.1], [4.9, 3.2], [-0.2, 2.8], [2.1, 1.2]])
INSIDE = np.array([[0.9, 1.3], [3.1, 0.7], [3.3, 2.0], [1.9, 2.5]])
TRIANGLES = [[0, 3, 4], [0, 1, 4], [1, 2, 4], [2, 3, 4]]  # the middle one is a corner of each


def on_triangles(points, values, at):
    found = []
    for corners, p in zip(TRIANGLES, at, strict=True):
        equations = mp.matrix([[points[c][0] for c in corners], [points[c][1] for c in corners], [1, 1, 1]])
        shares = mp.lu_solve(equations, mp.matrix([*p, 1]))
        found.append(sum(s * values[c] for s, c in zip(shares, corners, strict=True)))
    return found


row("scipy.interpolate.LinearNDInterpolator",
    lambda points, values, at: interpolate.LinearNDInterpolator(points, values)(at), on_triangles,
    CORNERS, Y[:5], INSIDE)  # fmt: skip
row("scipy.interpolate.griddata", lambda points, values, at: interpolate.griddata(points, values, at), on_triangles,
    CORNERS, Y[:5], INSIDE)  # fmt: skip
row("scipy.interpolate.NearestNDInterpolator scipy.interpolate.griddata",
    lambda points, values, at: interpolate.NearestNDInterpolator(points, values)(at)
    * interpolate.griddata(points, values, at, method="nearest"),
    lambda points, values, at: [
        values[min(range(5), key=lambda i: sum((a - b) ** 2 for a, b in zip(points[i], p, strict=True)))] ** 2
        for p in at
    ],
    CORNERS, Y[:5], INSIDE)  # fmt: skip

KERNELS = {
    "thin_plate_spline": (lambda r: r * r * mp.log(r) if r else mp.mpf(0), 1),
    "gaussian": (lambda r: mp.exp(-r * r), None),
    "quintic": (lambda r: -(r**5), 2),
    "cubic": (lambda r: r**3, 1),
    "linear": (lambda r: -r, 0),
    "multiquadric": (lambda r: -mp.sqrt(1 + r * r), 0),
    "inverse_quadratic": (lambda r: 1 / (1 + r * r), None),
}


def radial(kernel, points, values, at, epsilon, smoothing):
    """The equations of the weights and of a polynomial, of as many monomials as there are."""
    phi, degree = KERNELS[kernel]

    def monomials(p):
        pairs = [p[0] ** 2, p[0] * p[1], p[1] ** 2]
        return [] if degree is None else [mp.mpf(1), *(p if degree > 0 else []), *(pairs if degree > 1 else [])]

    def distance(p, q):
        square = sum((a - b) ** 2 for a, b in zip(p, q, strict=True))
        return mp.sqrt(square) if square else mp.mpf(0)

    tails = [monomials(p) for p in points]
    m = len(tails[0])
    rows = [
        [phi(epsilon * distance(p, q)) + (smoothing if p is q else 0) for q in points] + tail
        for p, tail in zip(points, tails, strict=True)
    ]
    rows += [[tail[k] for tail in tails] + [mp.mpf(0)] * m for k in range(m)]
    weights = mp.lu_solve(mp.matrix(rows), mp.matrix(list(values) + [mp.mpf(0)] * m))
    return [
        sum(w * v for w, v in zip(weights, [phi(epsilon * distance(p, q)) for q in points] + monomials(p), strict=True))
        for p in at
    ]


def by_kernel(kernel, degree):
    return lambda points, values, at, epsilon, smoothing: interpolate.RBFInterpolator(
        points, values, kernel=kernel, epsilon=epsilon, smoothing=smoothing, degree=degree
    )(at)


SEVEN = np.concatenate([CORNERS, [[1.0, -0.8], [3.1, 3.9]]])
for _kernel, (_, _degree) in KERNELS.items():
    _scaled = _kernel in ("gaussian", "multiquadric", "inverse_quadratic")
    row("scipy.interpolate.RBFInterpolator", by_kernel(_kernel, -1 if _degree is None else _degree),
        lambda *args, _kernel=_kernel: radial(_kernel, *args), SEVEN, np.append(Y, 0.8), INSIDE[:2],
        0.7 if _scaled else 1.0, 0.1)  # fmt: skip


def kernel_density(data, x, width):
    n = len(data)
    mean = sum(data) / n
    spread = width * mp.sqrt(sum((v - mean) ** 2 for v in data) / (n - 1))
    return [
        sum(mp.exp(-(((t - v) / spread) ** 2) / 2) for v in data) / (n * spread * mp.sqrt(2 * mp.pi)) for t in x
    ]


row("scipy.stats.gaussian_kde", lambda data, x, width: stats.gaussian_kde(data, width)(x), kernel_density,
    DATA, TIMES[:2], 0.4)  # fmt: skip

# -- NumPy's functions that call functions -----------------------------------------------------------------------------

row("np.apply_along_axis", lambda z, p: np.apply_along_axis(lambda v: v[0] * np.sin(p * v[1:]), 0, z),
    lambda z, p: [[z[0][k] * mp.sin(p * z[i][k]) for k in range(3)] for i in range(1, 6)], TABLE, 0.7)  # fmt: skip
row("np.apply_over_axes", lambda z: np.apply_over_axes(np.prod, z, [0, 1]), lambda z: [[mp.fprod(flat(z))]], TABLE)
row("np.fromfunction", lambda p, q: np.fromfunction(lambda i, k: np.exp(-p * i) * (q + k) ** p, (2, 3)),
    lambda p, q: [[mp.exp(-p * i) * (q + k) ** p for k in range(3)] for i in range(2)], 0.7, 0.3)  # fmt: skip
row("np.piecewise", lambda x, p: np.piecewise(x, [x < 1.0, x >= 1.9], [lambda v: p * v**2, np.sqrt, 0.5]),
    lambda x, p: [p * v**2 if v < 1 else mp.sqrt(v) if v > 1.9 else mp.mpf(1) / 2 for v in x], X, 0.7)  # fmt: skip


# -- the tests ---------------------------------------------------------------------------------------------------------

#: parameters that take a function
TAKES = {"f", "fun", "func", "func1d", "funclist", "function"}


def of_functions():
    """The rules of functions that take functions or make some."""
    for rule in rules.registry():
        if rule.zero or rule.name in references.WAYS:
            continue  # (those are held by `test_exact`)
        takes = registry.functional(rule.target) is not None
        if rule.definition is not None:
            takes = takes or bool(TAKES & set(inspect.signature(rule.definition.function).parameters))
        if takes or rule.name.startswith(("scipy.integrate.", "scipy.interpolate.", "scipy.optimize.")):
            yield rule.name


#: rules without a row, and why
NONE: dict[str, str] = {}


def test_each_rule_has_a_row():
    named = {name.replace("interpnd.", "") for case in ROWS.values() for name in case.rules.split()}
    assert {name for name in of_functions() if name.replace("interpnd.", "") not in named} == set(NONE)
    assert named <= {rule.name.replace("interpnd.", "") for rule in rules.registry()}


@pytest.mark.sampled(8, each=False)
@pytest.mark.parametrize("name", ROWS)
def test_against_the_problem_in_higher_precision(name):
    off = differences(ROWS[name])
    assert not off, "\n".join(off)
