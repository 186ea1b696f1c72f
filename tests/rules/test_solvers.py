"""Solvers that take functions: roots, minima, integrals and differential equations, by their rules."""

from __future__ import annotations

import functools
import inspect
import types

import numpy as np
import pytest

pytest.importorskip("scipy")

from scipy import integrate, optimize, stats

import s2sad
from s2sad import rules
from s2sad.cli import import_optional
from s2sad.knowledge import registry
from tests import amounts, numeric

import_optional()

_rng = np.random.default_rng(5)
GENERAL = np.eye(3) * 3.0 + 0.3 * _rng.normal(size=(3, 3))
POSITIVE = GENERAL @ GENERAL.T
TIMES = np.linspace(0.0, 1.5, 5)


# -- roots


def cubic(x, p, q):
    return x**3 - p * x - q


def bracketed(p, q):
    return optimize.brentq(cubic, 0.5, 9.0, args=(p, q)) ** 2


def other_methods(p):
    total = optimize.brenth(lambda x: x**3 - p, 0.5, 9.0) + optimize.bisect(lambda x: x**2 - p, 0.1, 9.0, xtol=1e-13)
    return total + optimize.ridder(lambda x: np.exp(x) - p, -3.0, 9.0) * optimize.toms748(
        cubic, 0.5, 9.0, args=(p, 0.3)
    )


def closure(p, q):
    c = p * q

    def balance(x):
        return x**3 - c * x - q

    return optimize.brentq(balance, 0.5, 9.0)


def by_newton(p):
    return optimize.newton(lambda x: np.cos(x) - p * x, 0.7, fprime=lambda x: -np.sin(x) - p)


class Law:
    def __init__(self, constants):
        self.constants = constants

    def balance(self, x, w):
        return self.constants["a"] * x + w[0] * x**3 - w[1]


def of_an_object(constants, w):
    law = Law(constants)
    found = optimize.root_scalar(law.balance, args=(w,), bracket=(0.0, 5.0))
    return found.root


def system(p, A):
    solution = optimize.root(lambda x: A @ x + p * x**3 - 1.0, np.ones(3), tol=1e-13)
    return np.sum(solution.x**2)


def system_by_fsolve(p, A):
    x = optimize.fsolve(lambda x: A @ x + np.tanh(p * x) - 1.0, np.ones(3), xtol=1e-13)
    return x[0] * x[2]


def fixed(p):
    return optimize.fixed_point(lambda x: np.cos(p * x), 0.5, xtol=1e-13)


def fixed_vector(p, A):
    return np.sum(optimize.fixed_point(lambda x: 0.2 * np.tanh(A @ x) + p, np.zeros(3), xtol=1e-13) ** 2)


def root_of_an_integral(p):
    return optimize.brentq(lambda x: integrate.quad(lambda s: np.exp(-p * s * s), 0.0, x)[0] - 0.4, 0.0, 3.0)


# -- minima


def minimum(p, A):
    found = optimize.minimize(
        lambda x: 0.5 * x @ A @ x + p * np.sum(x**4) - np.sum(x), np.zeros(3), tol=1e-12,
        jac=lambda x: 0.5 * (A + A.T) @ x + 4.0 * p * x**3 - 1.0,
    )  # fmt: skip
    return found.x[0] * found.x[1] + found.fun


BOX = optimize.Bounds([0.0, -np.inf, -1.0], [np.inf, np.inf, 0.25])


STEEP = np.array([1.0, 2.0, 3.0])
TIGHT = {"ftol": 1e-16, "gtol": 1e-13}


def bounded_minimum(p):
    """With unknowns on their lower bounds, on their upper bounds, or on none, as p says."""
    found = optimize.minimize(
        lambda x: (x - p) @ (STEEP * (x - p)) + p[2] * x[0] * x[1] + 0.1 * np.sum(x**4), np.full(3, 0.1),
        jac=lambda x: 2.0 * STEEP * (x - p) + p[2] * np.array([x[1], x[0], 0.0]) + 0.4 * x**3,
        bounds=[(0.0, None), (None, None), (-1.0, 0.25)], options=TIGHT,
    )  # fmt: skip
    return found.x @ STEEP + found.x[0] * found.x[1] + found.fun


def boxed_minimum(p):
    found = optimize.minimize(
        lambda x: (x - p) @ (STEEP * (x - p)) + 0.2 * x[1] * x[2] + 0.1 * np.sum(x**4), np.full(3, 0.1), bounds=BOX,
        jac=lambda x: 2.0 * STEEP * (x - p) + 0.2 * np.array([0.0, x[2], x[1]]) + 0.4 * x**3, options=TIGHT,
    )  # fmt: skip
    return found.x @ found.x


def scalar_minimum(p):
    found = optimize.minimize_scalar(lambda x: (x - p) ** 2 + p * x**4, bracket=(-1.0, 2.0), options={"xtol": 1e-12})
    return found.fun + found.x


# -- least squares


def saturating(x, a, b):
    return a * (1.0 - np.exp(-b * x))


def fitted_curve(y, x):
    (a, b), _ = optimize.curve_fit(saturating, x, y, p0=(1.0, 1.0), ftol=1e-14, xtol=1e-14, gtol=1e-14)
    return a * b


def fitted_with_errors(y, sigma):
    x = np.linspace(0.2, 2.0, 5)
    best, _ = optimize.curve_fit(lambda t, a, b: a + b * t**2, x, y, sigma=sigma)
    return best[0] * best[1]


def least_squares(y, k):
    x = np.linspace(0.2, 2.0, 5)

    def misfit(p):
        return p[0] * np.exp(-p[1] * x * k) - y

    def slopes(p):
        e = np.exp(-p[1] * x * k)
        return np.stack([e, -p[0] * x * k * e], axis=1)

    found = optimize.least_squares(misfit, np.array([1.0, 0.5]), jac=slopes, method="lm", xtol=1e-15, ftol=1e-15)
    return np.sum(found.x**2)


# -- integrals


def integral(p, a, b):
    return integrate.quad(lambda x: np.exp(-p * x) * x, a, b)[0]


def integral_of_many(p, w, b):
    value, _ = integrate.quad(lambda x, q: np.exp(-p * x) * np.sin(q * x) + w[0] * x, 0.0, b, args=(w[1],))
    return value * value


def vector_integral(w, b):
    value, _ = integrate.quad_vec(lambda x: np.exp(-w * x), 0.0, b, epsabs=1e-12)
    return np.sum(value**2)


def over_the_line(p):
    return integrate.quad(lambda x: np.exp(-p * x * x), -np.inf, np.inf, epsabs=1e-10)[0]


def by_nodes(p, b):
    return integrate.fixed_quad(lambda x: np.exp(-p * x), 0.0, b, n=7)[0]


def over_a_square(p, a):
    return integrate.dblquad(lambda v, u: np.sin(p * u * v), 0.0, a, 0.0, 1.0)[0]


def over_a_triangle(p, a):
    return integrate.nquad(lambda v, u: u * v * np.exp(-p * v), [lambda u: (0.0, u), (0.0, a)])[0]


def over_a_box(p, a):
    return integrate.nquad(lambda v, u, c: np.sin(c * u * v), [(0.0, a), (0.0, 1.0)], args=(p,))[0]


def over_a_cube(p, a):
    return integrate.tplquad(lambda w, v, u: u * v * np.exp(-p * w), 0.0, 1.0, 0.0, 1.0, 0.0, a)[0]


def density(data, x):
    kernels = stats.gaussian_kde(data)
    return np.sum(np.cos(kernels(x))) + np.sum(stats.gaussian_kde(data, 0.4).logpdf(x)) + kernels.pdf(x)[0]


def density_of_plane(data, x, width):
    return np.sum(np.cos(stats.gaussian_kde(data, width).evaluate(x)) * stats.gaussian_kde(data, "silverman")(x))


def expectation(mu, sigma):
    return integrate.quad(lambda x: stats.norm.pdf(x, mu, sigma) * np.tanh(x), -9.0, 9.0, epsabs=1e-11)[0]


# -- differential equations


def lotka(y, t, a, b):
    return np.array([a[0] * y[0] - b * y[0] * y[1], -a[1] * y[1] + b * y[0] * y[1] * np.cos(t)])


def by_odeint(y0, a, b):
    y = integrate.odeint(lotka, y0, TIMES, args=(a, b), rtol=1e-11, atol=1e-11)
    return y[-1, 0] * y[-1, 1] + np.sum(y[2])


def by_odeint_of_time(p, start):
    y = integrate.odeint(lambda t, y: -p * y * t, start, TIMES, rtol=1e-11, atol=1e-11, tfirst=True)
    return np.sum(y**2)


def by_solve_ivp(y0, a, b):
    found = integrate.solve_ivp(
        lambda t, y, c: lotka(y, t, a, c), (0.0, 1.5), y0, rtol=1e-11, atol=1e-11, t_eval=TIMES, args=(b,)
    )
    return np.sum(found.y[:, -1] ** 2) + np.sum(found.y[0])


def by_another_method(y0):
    found = integrate.solve_ivp(lambda t, y: -y * y, (0.0, 1.0), y0, "DOP853", rtol=1e-11, atol=1e-11)
    return np.sum(found.y[:, -1] ** 2)


def behind_the_start(y0, k):
    found = integrate.solve_ivp(
        lambda t, y: np.array([y[1], -k * y[0]]), (0.0, 2.0), y0, t_eval=[0.5, 1.0, 1.9], rtol=1e-11, atol=1e-11
    )
    return found.y[0, 1] * found.y[1, 0] + found.y[0, 2]


def lists(x0, v0, k):
    """A start and slopes in lists, as many write them."""
    found = integrate.solve_ivp(lambda t, s: [s[1], -k * s[0]], [0.0, 1.0], [x0, v0], rtol=1e-11, atol=1e-11)
    y = integrate.odeint(lambda s, t: [s[1], -k * s[0] * t], [x0, v0], TIMES, rtol=1e-11, atol=1e-11)
    return found.y[0, -1] + y[-1, 1]


def one_equation(k, v0):
    """Slopes that are numbers."""
    y = integrate.odeint(lambda v, t: -k * v[0] ** 2 + 0.1 * t, [v0], TIMES, rtol=1e-11, atol=1e-11)
    found = integrate.solve_ivp(lambda t, v: -k * float(v[0]), (0.0, 1.0), [v0], rtol=1e-11, atol=1e-11)
    return float(y[-1][0]) * found.y[0, -1]


def list_of_equations(p, q):
    found = optimize.root(lambda z: [z[0] ** 2 + z[1] - p, z[0] - q * z[1]], [1.0, 1.0], tol=1e-13)
    return found.x[0] * found.x[1]


def one_equation_as_a_number(p):
    found = optimize.root(lambda z: z[0] ** 3 + z[0] - p, [0.3], tol=1e-13)
    return found.x[0] * optimize.fsolve(lambda z: z[0] ** 3 + p * z[0] - 1.0, [0.3], xtol=1e-13)[0]


def more_equations_than_unknowns(p, u):
    """Of lengths that are known, and of a length that the run says."""
    x = np.linspace(0.0, 2.0, 7)
    exact = {"xtol": 1e-15, "ftol": 1e-15}

    def misfit(v):
        return v[0] * np.exp(-v[1] * x * p) - 1.0 / (1.0 + x * x)

    found = optimize.root(misfit, [1.0, 0.5], method="lm", options=exact)
    rows = optimize.root(
        lambda v: np.array([v[k % 2] + 0.1 * k * v[0] - p**k for k in range(len(u))]) - u,
        [1.0, 0.5],
        method="lm",
        options=exact,
    )
    square = optimize.root(lambda v: v**3 + v - p * x, x, method="lm", options=exact)
    return found.x[0] * found.x[1] + rows.x[0] * rows.x[1] + square.x[2]


def in_a_loop(p):
    total = 0.0
    x = 0.5
    for k in range(3):
        x = optimize.newton(lambda z, k=k, x=x: z**3 + p * z - 1.0 - 0.1 * k * x, x)
        total = total + x * x
    return total


def overwritten_later(p):
    w = np.array([p, 2.0])
    x = optimize.brentq(lambda z: z**3 - w[0] * z - w[1], 0.5, 9.0)
    w[0] = 5.0
    return x * w[0]


def into_what_it_captures(u):
    total = 0.0
    for k in range(3):
        u[k] = optimize.brentq(lambda z, k=k: z + z**3 - u[k], -9.0, 9.0)
        total = total + u[k] ** 2
    return total


def in_a_comprehension(ps):
    first = np.sum(np.array([optimize.brentq(lambda x, q=q: x**3 + x - q, -9.0, 9.0) for q in ps]))
    return first * sum(optimize.brentq(lambda x, q=q: x**3 + x - q, -9.0, 9.0) ** 2 for q in ps)


def list_in_a_bootstrap(rate, quotes):
    factors = [1.0]
    for k in range(len(quotes)):
        def excess(z, k=k):
            paid = 0.0
            for j in range(1, len(factors)):
                paid += quotes[k] * factors[j]
            return paid + z * (1.0 + quotes[k]) - rate

        factors.append(optimize.brentq(excess, -9.0, 9.0, xtol=1e-14, rtol=1e-14))
    return factors[-1] * factors[1]


def dict_in_a_bootstrap(a):
    factors = {}
    for t in (1.0, 2.0):
        def excess(z):
            return sum(factors.values()) + a - z * z

        factors[f"{int(t)}Y"] = optimize.newton(excess, 1.3, tol=1e-14)
    return factors["2Y"] * factors["1Y"]


def rows_in_a_list(xs):
    rows = [(x * 2.0, x * x) for x in xs]

    def excess(z):
        total = 0.0
        for slope, shift in rows:
            total += slope * z + shift
        return total - 3.0

    return optimize.brentq(excess, -20.0, 20.0) * sum(row[0] for row in rows)


def list_in_integrands(a, b):
    weights = []
    for k in range(3):
        weights.append(a * k + b)

    def area(z):
        return sum(weights) * z + weights[-1] * z * z

    def rates(t, z):
        total = 0.0 * z
        for i in range(len(weights)):
            total += weights[i] * z
        return total

    end = integrate.solve_ivp(rates, (0.0, 1.0), np.array([a, b]), rtol=1e-12, atol=1e-12).y[0, -1]
    fixed = optimize.fixed_point(lambda z: weights[1] * np.cos(z), 0.3, xtol=1e-14)
    return integrate.quad(area, 0.0, a)[0] + end + fixed


def array_filled_by_roots(a):
    t, z = np.array([1.0, 2.0]), np.zeros(2)
    z[0] = a
    z[1] = optimize.brentq(lambda x: x**3 + x - z[0] * t[0], -5.0, 5.0)
    return z[1] * z[0]


def tried_with_a_distribution(p, s):
    try:
        return optimize.brentq(lambda v: s * stats.norm.cdf(v) - p, 1e-3, 3.0, xtol=1e-14, rtol=1e-14)
    except ValueError:
        return 0.1 * p


class Polynomial:
    def __init__(self, c):
        self.c = c

    def __call__(self, x):
        return x**3 - self.c[0] * x - self.c[1]


def object_that_is_called(c):
    return optimize.brentq(Polynomial(c), 0.5, 9.0) * optimize.brentq(
        functools.partial(lambda q, x: x**2 - q, c[0]), 0.1, 9.0
    )


def method_of_a_distribution(mu, q):
    half = integrate.quad(stats.norm(mu, 1.0).pdf, -np.inf, 1.0, epsabs=1e-11)[0]
    return half * integrate.quad(lambda x, q: np.exp(-q * x), 0.0, 1.0, args=q)[0] * integrate.quad(np.sin, 0.0, q)[0]


_start, _a = np.array([1.4, 0.3]), np.array([0.5, 0.8])
_data = np.array([0.35, 0.71, 0.98, 1.13, 1.32])
PROGRAMS = [
    (bracketed, (1.2, 0.7)),
    (list_in_a_bootstrap, (1.0, np.array([0.03, 0.04, 0.05]))),
    (dict_in_a_bootstrap, (1.3,)),
    (rows_in_a_list, (np.array([0.4, 0.9, 0.7]),)),
    (list_in_integrands, (0.3, 0.4)),
    (array_filled_by_roots, (0.3,)),
    (tried_with_a_distribution, (0.7, 1.2)),
    (other_methods, (1.6,)),
    (closure, (1.2, 0.7)),
    (by_newton, (0.8,)),
    (of_an_object, ({"a": 1.3}, np.array([0.4, 2.0]))),
    (system, (0.3, GENERAL)),
    (system_by_fsolve, (0.3, GENERAL)),
    (fixed, (0.8,)),
    (fixed_vector, (0.4, GENERAL)),
    (root_of_an_integral, (0.8,)),
    (minimum, (0.3, POSITIVE)),
    (bounded_minimum, (np.array([-0.5, 0.7, 0.9]),)),
    (bounded_minimum, (np.array([0.5, 0.7, 0.1]),)),
    (boxed_minimum, (np.array([-0.5, 0.7, 0.1]),)),
    (boxed_minimum, (np.array([0.5, 0.7, 0.9]),)),
    (scalar_minimum, (0.6,)),
    (fitted_curve, (_data, np.linspace(0.2, 2.0, 5))),
    (fitted_with_errors, (_data, np.array([0.3, 0.2, 0.4, 0.3, 0.2]))),
    (least_squares, (_data[::-1].copy(), 0.9)),
    (integral, (0.7, 0.2, 1.9)),
    (integral_of_many, (0.7, np.array([0.3, 1.2]), 1.4)),
    (vector_integral, (np.array([0.3, 1.2]), 1.4)),
    (over_the_line, (0.8,)),
    (by_nodes, (0.8, 1.4)),
    (over_a_square, (0.8, 1.4)),
    (over_a_cube, (0.8, 1.4)),
    (over_a_triangle, (0.8, 1.4)),
    (over_a_box, (0.8, 1.4)),
    (density, (_data, np.array([0.4, 0.9]))),
    (density_of_plane, (np.stack([_data, _data[::-1] ** 2]), np.array([[0.4, 0.9], [0.2, 0.6]]), 0.5)),
    (expectation, (0.3, 1.2)),
    (by_odeint, (_start, _a, 0.7)),
    (by_odeint_of_time, (0.7, 1.3)),
    (by_solve_ivp, (_start, _a, 0.7)),
    (by_another_method, (_start,)),
    (behind_the_start, (_start, 1.3)),
    (lists, (1.0, 0.3, 1.4)),
    (one_equation, (0.5, 2.0)),
    (list_of_equations, (1.7, 0.6)),
    (one_equation_as_a_number, (1.3,)),
    (more_equations_than_unknowns, (1.3, np.zeros(2))),
    (more_equations_than_unknowns, (1.3, np.zeros(4))),
    (in_a_loop, (0.7,)),
    (overwritten_later, (1.2,)),
    (into_what_it_captures, (np.array([0.5, 1.2, 3.0]),)),
    (in_a_comprehension, (np.array([0.5, 1.2, 3.0]),)),
    (object_that_is_called, (np.array([1.2, 0.7]),)),
    (method_of_a_distribution, (0.3, 0.7)),
]


@pytest.mark.sampled(8, each=False)
@pytest.mark.parametrize(("f", "args"), PROGRAMS, ids=[f.__name__ for f, _ in PROGRAMS])
def test_solver(f, args):
    wrt = tuple(range(len(args)))
    numeric.check_reverse(f, args, wrt)
    numeric.check_forward(f, args, wrt)
    numeric.check_second(f, args, wrt)


def test_every_solver_has_a_program():
    text = "\n".join(inspect.getsource(f) for f, _ in PROGRAMS)
    solvers = [r.name for r in rules.registry() if registry.functional(r.target) is not None]
    assert len(solvers) >= 14
    assert not [s for s in solvers if s.removeprefix("scipy.") not in text]


def test_the_module_stands_alone():
    """The functions that are handed over are written into it."""
    text = s2sad.grad(closure).specialize(1.2, 0.7).__code__.co_filename
    assert text.startswith("<s2sad grad_closure")
    source = s2sad.grad(closure, wrt=("p", "q"))
    source(1.2, 0.7)
    scope: dict = {}
    exec(source.source, scope)
    assert np.allclose(scope["grad_closure"](1.2, 0.7), source(1.2, 0.7))
    assert "def balance(x, c, q):" in source.source


@pytest.mark.parametrize(
    ("f", "words"),
    [
        (lambda p: optimize.brentq(lambda x: x - p, 0.0, 3.0, full_output=True)[0], "full_output"),
        (lambda p: integrate.quad(lambda x: x * p, 0.0, 1.0)[1], "error"),
        (lambda p: optimize.minimize(lambda x: (x[0] - p) ** 2, np.ones(1), bounds=BOX, method="CG").x[0], "keeps no"),
        (lambda p: optimize.minimize(np.sum, np.ones(1), bounds=optimize.Bounds(p, 3.0)).x[0], "give them as they are"),
    ],
)  # fmt: skip
def test_what_has_no_rule_is_refused(f, words):
    with pytest.raises(s2sad.DerivationError, match=words):
        s2sad.grad(f)(0.5)


# -- linear least squares

TALL = _rng.normal(size=(6, 3))


def fitted_line(A, b):
    found = optimize.lsq_linear(A, b)
    return np.sum(found.x**2) + found.cost + found.fun[0]


def fitted_inside_bounds(A, b, high):
    """Of the three unknowns one is at its upper bound, and one at its lower."""
    return np.sum(optimize.lsq_linear(A, b, bounds=(-0.1, high), method="bvls").x ** 3)


def test_linear_least_squares():
    target = TALL @ np.array([0.9, -0.7, 0.2]) + 0.1 * np.cos(np.arange(6.0))
    assert set(optimize.lsq_linear(TALL, target, (-0.1, 0.5), method="bvls").active_mask) == {1, -1, 0}
    for f, args in ((fitted_line, (TALL, target)), (fitted_inside_bounds, (TALL, target, 0.5))):
        for check in (numeric.check_reverse, numeric.check_forward, numeric.check_second):
            check(f, args, tuple(range(len(args))))


# -- the times of differential equations


def hunted(y, t, a, k):
    return np.array([a * y[0] - y[0] * y[1] * np.sin(t + 1.0), y[0] * y[1] * k - y[1]])


def hunted_first(t, y, a, k):
    return [a * y[0] - y[0] * y[1] * np.sin(t + 1.0), y[0] * y[1] * k - y[1]]


def at_times(y0, t, a):
    return np.sum(integrate.odeint(hunted, y0, t, args=(a, 0.7), rtol=1e-11, atol=1e-11) ** 2)


def at_times_of_numbers(end, k):
    times = np.array([0.0, 0.5 * end, end])
    return integrate.odeint(lambda v, t: -k * v * t, 1.3, times, rtol=1e-11, atol=1e-11)[-1, 0] ** 2


def up_to(y0, end, a):
    found = integrate.solve_ivp(hunted_first, (0.0, end), y0, args=(a, 0.7), rtol=1e-11, atol=1e-11)
    return np.sum(found.y[:, -1] ** 2)


def between(y0, start, end):
    found = integrate.solve_ivp(hunted_first, (start, end), y0, args=(1.1, 0.7), rtol=1e-11, atol=1e-11)
    return np.sum(found.y[:, -1] ** 2) + found.t[-1] ** 2 + found.t[0]


def at_points_up_to(y0, end, a):
    points = np.linspace(0.0, end, 5)
    found = integrate.solve_ivp(
        hunted_first, [0.0, end], y0, t_eval=points, args=(a, 0.7), rtol=1e-11, atol=1e-11
    )
    return np.sum(found.y**2) + np.sum(found.t * found.y[0])


def at_points(y0, points, start):
    found = integrate.solve_ivp(
        hunted_first, (start, 3.0), y0, t_eval=points, args=(1.1, 0.7), rtol=1e-11, atol=1e-11
    )
    return np.sum(found.y**2)


def in_an_array(span, k):
    found = integrate.solve_ivp(lambda t, v: -k * v * t, span, [1.3], rtol=1e-11, atol=1e-11)
    return found.y[0, -1] ** 2


def times_in_lists(p, q):
    y = integrate.odeint(lambda v, t: -p * v * t, q, [0.0, p, 1.0], rtol=1e-11, atol=1e-11)
    found = integrate.solve_ivp(lambda t, v: -p * v * t, (0.0, 1.0), [q], t_eval=(0.0, p, 1.0), rtol=1e-11, atol=1e-11)
    return y[1, 0] * y[2, 0] + found.y[0, 1] * found.t[1]


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (times_in_lists, (0.7, 0.9)),
        (at_times, (np.array([1.0, 0.5]), np.array([0.1, 0.5, 0.9, 1.6]), 1.1)),
        (at_times_of_numbers, (1.4, 0.8)),
        (up_to, (np.array([1.0, 0.5]), 1.5, 1.1)),
        (between, (np.array([1.0, 0.5]), 0.2, 1.5)),
        (at_points_up_to, (np.array([1.0, 0.5]), 1.5, 1.1)),
        (at_points, (np.array([1.0, 0.5]), np.array([0.5, 0.9, 1.6]), 0.1)),
        (in_an_array, (np.array([0.2, 1.4]), 0.8)),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_times(f, args):
    """In the times that are given and in the ends of the interval."""
    wrt = tuple(range(len(args)))
    numeric.check_reverse(f, args, wrt, rtol=1e-5)
    numeric.check_forward(f, args, wrt, rtol=1e-5)
    if amounts.ALL or f not in (at_times, at_points_up_to, between):  # of which others have each part
        numeric.check_second(f, args, wrt, rtol=1e-5)


def test_the_end_of_an_interval_costs_one_evaluation():
    derivative = s2sad.grad(up_to, wrt=1)
    derivative(np.array([1.0, 0.5]), 1.5, 1.1)
    assert "_back(" not in derivative.source


def test_without_derivative_of_the_solution():
    """A closure that captures nothing active is handed over too."""

    def f(p):
        c = 2.0
        return p * optimize.brentq(lambda x: x * x - c, 0.0, 3.0)

    assert np.isclose(s2sad.grad(f)(1.0), np.sqrt(2.0))


# -- minima of one unknown between bounds, on one of which it moves with it


def up_to_a_bound(p, q):
    found = optimize.minimize_scalar(
        lambda x: (x - q) ** 2 + x**3 * q, bounds=(0.1, p), method="bounded", options={"xatol": 1e-11}
    )
    return found.x**2 + 3.0 * found.fun


def from_a_bound(p, q):
    return optimize.minimize_scalar(
        lambda x: (x - q) ** 2 + x**3 * q, bounds=(p, 9.0), method="bounded", options={"xatol": 1e-11}
    ).x


def bounds_in_an_array(bounds, q):
    found = optimize.minimize_scalar(
        lambda x, q: (x - q) ** 2, bounds=bounds, args=(q,), method="bounded", options={"xatol": 1e-11}
    )
    return found.x * found.fun


def concave(p, q):
    found = optimize.minimize_scalar(
        lambda x: -((x - q) ** 2), bounds=(0.0, p), method="bounded", options={"xatol": 1e-11}
    )
    return found.x * found.fun


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (up_to_a_bound, (0.2, 0.9)),
        (up_to_a_bound, (2.0, 0.9)),
        (from_a_bound, (1.2, 0.9)),
        (from_a_bound, (0.1, 0.9)),
        (bounds_in_an_array, (np.array([0.1, 0.5]), 0.9)),
        (bounds_in_an_array, (np.array([0.1, 1.5]), 0.9)),
        (concave, (1.5, 0.4)),
    ],
)
def test_minima_between_bounds(f, args):
    for check in (numeric.check_reverse, numeric.check_forward, numeric.check_second):
        check(f, args, (0, 1), rtol=1e-4)


def test_a_minimum_that_was_found_roughly_is_on_its_bound_as_well():
    def f(p):
        return optimize.minimize_scalar(lambda x: (x - 0.9) ** 2, bounds=(0.0, p), method="bounded").x

    assert s2sad.grad(f)(0.7) == 1.0
    assert s2sad.grad(f)(1.7) == 0.0


# -- minima and least squares between bounds that vary: what is on a bound moves with it


def pulled(x, p):
    return (x - p) @ (STEEP * (x - p)) + p[2] * x[0] * x[1] + 0.1 * np.sum(x**4)


def pull(x, p):
    return 2.0 * STEEP * (x - p) + p[2] * np.array([x[1], x[0], 0.0]) + 0.4 * x**3


def between_pairs(method=None, **options):
    """The first is on its lower bound, the last on its upper one, for PULL; none is for its absolute values."""

    def f(p, a, b):
        found = optimize.minimize(
            lambda x: pulled(x, p), np.full(3, 0.1), jac=lambda x: pull(x, p), method=method,
            bounds=[(a, None), (None, None), (-1.0, b * a)], **options,
        )  # fmt: skip
        return found.x @ STEEP + found.x[0] * found.x[1] + 2.0 * found.fun

    return f


def between_rows(p, bounds):
    found = optimize.minimize(
        lambda x: pulled(x, p), np.full(3, 0.1), jac=lambda x: pull(x, p), bounds=bounds, options=TIGHT
    )
    return found.x @ STEEP + found.x[0] * found.x[1] + found.fun


def between_rows_and_pairs(p, bounds):
    found = optimize.minimize(
        lambda x: pulled(x, p), np.full(3, 0.1), jac=lambda x: pull(x, p), options=TIGHT,
        bounds=[bounds[0], (bounds[1, 0], 9.0), (-1.0, bounds[2, 1])],
    )  # fmt: skip
    return found.x @ STEEP + found.x[0] * found.x[1] + found.fun


PULL = np.array([-0.5, 0.7, 0.9])
ROWS = np.array([[0.1, 3.0], [-2.0, 2.0], [-1.0, 0.25]])


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (between_pairs(options=TIGHT), (PULL, 0.05, 3.0)),
        (between_pairs(options=TIGHT), (np.abs(PULL), 0.05, 30.0)),
        (between_pairs("TNC", tol=1e-12), (PULL, 0.05, 3.0)),
        (between_pairs("SLSQP", tol=1e-12), (PULL, 0.05, 3.0)),
        (between_pairs("trust-constr", tol=1e-12), (PULL, 0.05, 3.0)),
        (between_rows, (PULL, ROWS)),
        (between_rows_and_pairs, (PULL, ROWS)),
    ],
)
def test_minima_on_bounds_that_move(f, args):
    for check in (numeric.check_reverse, numeric.check_forward):
        check(f, args, tuple(range(len(args))), rtol=1e-4)


def test_second_derivatives_of_minima_on_bounds_that_move():
    numeric.check_second(between_pairs(options=TIGHT), (PULL, 0.05, 3.0), (0, 1, 2), rtol=1e-4)
    numeric.check_second(between_rows, (PULL, ROWS), (0, 1), rtol=1e-4)


def spread(x, p):
    return np.array([x[0] - p[0], x[1] - p[1] + 0.3 * x[0] * x[2], x[2] - p[2] + x[0] * 0.2, np.sum(x) - 1.0])


def fit_between(p, low, high, **options):
    x = optimize.least_squares(
        spread, np.full(3, 0.15), bounds=(low, high), args=(p,), ftol=1e-15, xtol=1e-15, gtol=1e-15, **options
    ).x
    return STEEP @ x**2


def between_lists(p, a, b):
    return fit_between(p, [a, -9.0, -1.0], [9.0, 9.0, b * a])


def between_arrays(p, a, b):
    return fit_between(p, a * np.ones(3), b * np.arange(1.0, 4.0), method="dogbox")


def between_two_rows(p, bounds):
    x = optimize.least_squares(spread, np.full(3, 0.15), args=(p,), bounds=bounds, ftol=1e-15, xtol=1e-15, gtol=1e-15).x
    return STEEP @ x**2


def between_constants(p):
    return fit_between(p, 0.05, [0.3, np.inf, 0.25])


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (between_lists, (PULL, 0.1, 2.0)),
        (fit_between, (PULL, 0.1, 0.4)),
        (fit_between, (np.abs(PULL), 0.01, 4.0)),
        (between_arrays, (PULL, 0.1, 0.2)),
        (between_two_rows, (PULL, np.array([[0.1, -1.0, -1.0], [2.0, 2.0, 0.2]]))),
        (between_constants, (PULL,)),
    ],
)
def test_least_squares_between_bounds(f, args):
    for check in (numeric.check_reverse, numeric.check_forward, numeric.check_second):
        check(f, args, tuple(range(len(args))), rtol=1e-4)


def test_least_squares_found_roughly_are_on_their_bound_as_well():
    def f(p):
        return optimize.least_squares(lambda x: x - 0.9, np.full(1, 0.1), bounds=(0.0, p)).x[0]

    assert s2sad.grad(f)(0.7) == 1.0
    assert s2sad.grad(f)(1.7) == 0.0


# -- events


def landed(t, y):
    return y[0]


landed.terminal = True


def flight(v):
    found = integrate.solve_ivp(lambda t, y: [y[1], -9.8], (0.0, 9.0), [0.5, v], events=landed, rtol=1e-10, atol=1e-10)
    return found.t[-1]


def speed_at_the_ground(v, drag):
    found = integrate.solve_ivp(
        lambda t, y: [y[1], -9.8 - drag * y[1]], (0.0, 9.0), [0.5, v], events=[landed], rtol=1e-10, atol=1e-10
    )
    return found.y[1, -1]


def over_hills(p, h):
    """An event that depends on the time and on what it captures, and is asked for in all ways."""

    def hit(t, y):
        return y[0] - h * np.sin(t * p)

    hit.terminal = True
    hit.direction = -1
    found = integrate.solve_ivp(
        lambda t, y: [y[1], -9.8 - p * y[1]], (0.0, 9.0), [0.5 + h, 1.3], events=hit, rtol=1e-10, atol=1e-10
    )
    return found.t[-1] ** 2 + found.y[0, -1] * found.y[1, -1] + found.t_events[0][0] * np.sum(found.y_events[0][0] ** 2)


def with_args(p, v):
    def hit(t, y, p):
        return y[0] - 0.1 * p

    hit.terminal = True
    found = integrate.solve_ivp(
        lambda t, y, p: [y[1], -9.8 * p], (0.0, 9.0), [0.5, v], events=hit, args=(p,), rtol=1e-10, atol=1e-10
    )
    return found.t[-1] * found.y[1, -1]


def through_several(p, h):
    """Events that do not end the run: each of their times."""

    def up(t, y):
        return y[0] - h

    def turned(t, y):
        return y[1]

    found = integrate.solve_ivp(
        lambda t, y: [y[1], -p * y[0]], (0.0, 9.0), [1.0, h], events=[up, turned], rtol=1e-10, atol=1e-10
    )
    times = found.t_events[0]
    return np.sum(times * np.cos(times)) + np.sum(found.y_events[1][:, 0] ** 3) + found.y[0, -1] * found.t[-1]


def that_never_comes(p, end):
    def hit(t, y):
        return y[0] + 100.0

    hit.terminal = True
    found = integrate.solve_ivp(
        lambda t, y: [y[1], -p * y[0]], (0.0, end), [0.5, end], events=hit, rtol=1e-10, atol=1e-10
    )
    return found.t[-1] * found.y[1, -1] + np.sum(found.t_events[0])


def between_ends(start, end):
    def hit(t, y):
        return y[0] - 0.1 * t

    hit.terminal = True
    found = integrate.solve_ivp(
        lambda t, y: [y[1], -9.8 + np.sin(t)], (start, end), [0.5, 1.0], events=hit, rtol=1e-10, atol=1e-10
    )
    return found.t[-1] * found.y[1, -1] + found.t[0] + found.t_events[0][0]


def of_arrays(w, y0):
    def hit(t, y):
        return y[0] - w[0] * t

    def turned(t, y):
        return y[1]

    hit.terminal = True
    found = integrate.solve_ivp(
        lambda t, y: np.array([y[1], -w[1] * y[0]]), (0.0, 19.0), y0, "DOP853", events=(turned, hit), rtol=1e-10,
        atol=1e-10,
    )  # fmt: skip
    return found.t[-1] * found.y[1, -1] + found.status


def at_points_before_an_event(p, y0):
    def hit(t, y):
        return y[0] - 0.1 * p

    hit.terminal = True
    points = np.linspace(0.0, 19.0, 50)
    found = integrate.solve_ivp(
        lambda t, y: [y[1], -p * y[0]], (0.0, 19.0), y0, t_eval=points, events=hit, rtol=1e-10, atol=1e-10
    )
    return found.y[0, -1] * found.t_events[0][0]


def decayed_to(p, h):
    def reached(t, y):
        return y[0] - h

    reached.terminal = True
    return integrate.solve_ivp(
        lambda t, y: -p * y, (0.0, 9.0), [1.5], events=reached, rtol=1e-10, atol=1e-10
    ).t[-1]


EVENTS = [
    (flight, (1.0,)),
    (speed_at_the_ground, (1.0, 0.1)),
    (over_hills, (0.7, 0.2)),
    (with_args, (0.7, 1.2)),
    (through_several, (1.7, 0.2)),
    (that_never_comes, (0.7, 1.2)),
    (between_ends, (0.2, 9.0)),
    (of_arrays, (np.array([0.2, 1.3]), np.array([1.0, 0.3]))),
    (at_points_before_an_event, (0.7, np.array([1.0, 0.3]))),
    (decayed_to, (0.7, 0.3)),
]


@pytest.mark.parametrize(("f", "args"), EVENTS, ids=lambda f: getattr(f, "__name__", ""))
def test_events(f, args):
    for check in (numeric.check_reverse, numeric.check_forward):
        check(f, args, tuple(range(len(args))), rtol=1e-5)


@pytest.mark.sampled(3, each=False)
@pytest.mark.parametrize(("f", "args"), [EVENTS[i] for i in (1, 2, 4)], ids=lambda f: getattr(f, "__name__", ""))
def test_second_derivatives_of_events(f, args):
    numeric.check_second(f, args, (0, 1), rtol=1e-4)


def test_a_way_to_the_time_of_an_event():
    def time_of_flight(v):
        def height(t):
            return integrate.solve_ivp(lambda t, y: [y[1], -9.8], (0.0, t), [0.5, v], rtol=1e-11, atol=1e-11).y[0, -1]

        return optimize.brentq(height, 0.2, 3.0, xtol=1e-13)

    for check in (numeric.check_reverse, numeric.check_forward, numeric.check_second):
        check(time_of_flight, (1.0,), 0, rtol=1e-5)
    assert np.isclose(s2sad.grad(time_of_flight)(1.0), s2sad.grad(flight)(1.0))


def ended_by_two(p):
    def up(t, y):
        return y[0] - 0.1 * p

    def turned(t, y):
        return y[1]

    up.terminal = True
    turned.terminal = True
    return integrate.solve_ivp(lambda t, y: [y[1], -p * y[0]], (0.0, 9.0), [1.0, 0.3], events=[up, turned]).t[-1]


def jumping_event(p):
    def up(t, y):
        return 1.0 if y[0] > 0.1 * p else -1.0

    up.terminal = True
    return integrate.solve_ivp(lambda t, y: [y[1], -p * y[0]], (0.0, 9.0), [1.0, 0.3], events=up).t[-1]


def terminal_at_times(p):
    def up(t, y):
        return y[0] - 0.1 * p

    if p > 0.5:
        up.terminal = True
    return integrate.solve_ivp(lambda t, y: [y[1], -p * y[0]], (0.0, 9.0), [1.0, 0.3], events=up).t[-1]


def at_points_that_vary(p):
    points = np.array([0.1, p])
    return integrate.solve_ivp(lambda t, y: [y[1], -9.8], (0.0, 9.0), [0.5, p], t_eval=points, events=landed).y[0, -1]


@pytest.mark.parametrize(
    ("f", "words"),
    [
        (ended_by_two, "several events may end the run"),
        (jumping_event, "the event may jump"),
        (terminal_at_times, "right behind its definition"),
        (at_points_that_vary, "before the times that are asked for"),
    ],
)
def test_events_that_are_refused(f, words):
    for derive in (s2sad.grad, lambda g: lambda v: s2sad.jvp(g)(v, 1.0)):
        with pytest.raises(s2sad.DerivationError, match=words):
            derive(f)(0.7)


def test_what_is_set_on_an_event_later_counts_from_then_on():
    def late(t, y):
        return y[0]

    def end(v):
        return integrate.solve_ivp(lambda t, y: [y[1], -9.8], (0.0, 1.0), [0.1, v], events=late).t[-1]

    slope = s2sad.grad(end)
    assert slope(1.0) == 0.0
    late.terminal = True
    assert np.isclose(slope(1.0), 0.1613508, rtol=1e-4)
    late.terminal = False
    assert slope(1.0) == 0.0


def test_an_event_that_depends_on_nothing_active():
    def constant(v):  # what ends at the same time whatever v is
        found = integrate.solve_ivp(lambda t, y: [y[1], -9.8], (0.0, 9.0), [0.5, 1.0], events=landed)
        return v * found.t[-1]

    assert np.isclose(s2sad.grad(constant)(2.0), constant(1.0))


# -- what else solvers return: the same verdict in both modes


def _integral(solver, *limits):
    return lambda p: solver(lambda *x: p * np.prod(x), *limits)


def _with_all(solver, *args, **options):
    return lambda p: solver(lambda x, *t: x**3 - p, *args, full_output=True, **options)


UNIT = (0.0, 1.0)
#: a solver's call, and what is read of its result: parts, attributes
RESULTS = [
    (_integral(integrate.quad, *UNIT), "0 1"),
    (_integral(integrate.dblquad, *UNIT, *UNIT), "0 1"),
    (_integral(integrate.tplquad, *UNIT, *UNIT, *UNIT), "0 1"),
    (_integral(integrate.nquad, [UNIT, UNIT]), "0 1"),
    (lambda p: integrate.quad_vec(lambda x: p * x * np.ones(2), 0.0, 1.0), "0 1"),
    (lambda p: integrate.quad(lambda x: p * x, 0.0, 1.0, full_output=1), "0 1"),
    (
        lambda p: integrate.solve_ivp(lambda t, y: -p * y, (0.0, p), [1.0], rtol=1e-8, atol=1e-8),
        "t y sol nfev njev status success",
    ),
    (lambda p: integrate.odeint(lambda y, t: -p * y, [1.0], [0.0, 1.0], full_output=True), "0"),
    (
        lambda p: optimize.minimize(lambda x: np.sum((x - p) ** 2), np.ones(2)),
        "x fun jac hess_inv nfev nit njev success status",
    ),
    (lambda p: optimize.minimize_scalar(lambda x: (x - p) ** 2), "x fun nfev nit success"),
    (
        lambda p: optimize.least_squares(lambda x: x - p, np.ones(2)),
        "x cost fun jac grad optimality active_mask nfev njev status success",
    ),
    (lambda p: optimize.root(lambda x: x**3 - p, np.ones(2)), "x fun fjac r qtf nfev success status"),
    (
        lambda p: optimize.root_scalar(lambda x: x**3 - p, bracket=(0.0, 3.0)),
        "root iterations function_calls converged",
    ),
    (_with_all(optimize.fsolve, np.ones(2)), "0 1 2"),
    (_with_all(optimize.brentq, 0.0, 3.0), "0 1"),
    (lambda p: optimize.curve_fit(lambda x, a, b: a + b * x, TIMES, p * np.cos(TIMES), p0=(1.0, 1.0)), "0 1"),
    (lambda p: optimize.nnls(p * TALL[:, :2], np.ones(6)), "0 1"),
    (lambda p: optimize.lsq_linear(p * TALL, np.ones(6)), "x fun cost optimality nit status success"),
]


def _verdict(derive):
    """A number, or the words of a refusal."""
    try:
        return float(derive(0.7))
    except s2sad.DerivationError as error:
        return str(error).split("^\n")[-1]


@pytest.mark.parametrize("call, part", [(call, part) for call, parts in RESULTS for part in parts.split()])
def test_both_modes_agree_on_what_is_read(call, part):
    def read(p):
        found = call(p)
        return np.sum(found[int(part)] if part.isdigit() else getattr(found, part))

    reverse, forward = _verdict(s2sad.grad(read)), _verdict(lambda p: s2sad.jvp(read)(p, 1.0)[1])
    if isinstance(reverse, float):
        assert np.isclose(reverse, forward, rtol=1e-5, atol=1e-7) and np.isfinite(forward)
    else:
        assert reverse == forward


def test_a_part_without_a_rule_may_be_looked_at():
    """An estimated error decides, and is no part of what varies."""

    def checked(p):
        value, error = integrate.quad(lambda x: np.exp(p * x), 0.0, 1.0)
        return value if error < 1e-6 else 2.0 * value

    numeric.check_reverse(checked, (0.7,), 0)
    numeric.check_forward(checked, (0.7,), 0)


def test_a_whole_result_is_refused_in_both_modes():
    for read in (
        lambda p: integrate.quad(lambda x: p * x, 0.0, 1.0),
        lambda p: [integrate.quad(lambda x: p * x, 0.0, b) for b in (1.0, 2.0)],
    ):
        with pytest.raises(s2sad.DerivationError, match="only the first part"):
            s2sad.jvp(read)(0.7, 1.0)


def test_nonnegative_least_squares_in_one_argument():
    def of_the_matrix(A):
        found = optimize.nnls(A, np.ones(6))
        return found[0] @ found[0] + found[1]

    for check in (numeric.check_reverse, numeric.check_forward):
        check(of_the_matrix, (np.abs(TALL[:, :2]),), 0)


# -- minima and roots at kinks: a clear error where they lie on one, the derivative where they do not


def sparse(p, q):
    """The second is zero: it stays on the kink."""
    return optimize.minimize(
        lambda x: 0.5 * np.sum((x - p) ** 2) + q * np.sum(np.abs(x)), np.full(2, 0.1), method="Nelder-Mead",
        options={"xatol": 1e-9, "fatol": 1e-15},
    )  # fmt: skip


def to_a_point(solver, **options):
    return lambda p: np.sum(solver(lambda x: np.sum(np.abs(x - p)), **options).x)


AT_KINKS = [
    (lambda p: sparse(np.array([p, 0.1]), 0.3).x[0], "kink or a jump"),
    (lambda p: optimize.minimize(lambda x: np.sum(np.abs(x - p) + (x - 0.9) ** 2), np.ones(1)).x[0], "kink or a jump"),
    (lambda p: optimize.minimize_scalar(lambda x: abs(x - p) + (x - 0.9) ** 2).x, "kink or a jump"),
    (lambda p: optimize.brentq(lambda x: np.sign(x - p) + 0.1 * x, 0.0, 3.0), "kink or a jump"),
    (to_a_point(optimize.minimize, x0=np.ones(1)), "singular"),
    (to_a_point(optimize.minimize, x0=np.ones(1), bounds=[(0.0, 3.0)]), "singular"),
    (to_a_point(optimize.minimize_scalar, bracket=(-1.0, 2.0)), "singular"),
    (to_a_point(optimize.minimize_scalar, bounds=(-1.0, 2.0)), "singular"),
    (lambda p: optimize.minimize(lambda x: (x[0] + x[1] - p) ** 2, np.ones(2)).x[0], "singular"),
    (lambda p: optimize.root(lambda x: (x[0] + x[1] - p) * np.ones(2), np.ones(2)).x[0], "singular"),
    (lambda p: optimize.fixed_point(lambda x: x + 0.0 * p, np.ones(2))[0], "singular"),
]


@pytest.mark.parametrize("f, words", AT_KINKS, ids=range(len(AT_KINKS)))
def test_where_there_is_no_derivative_the_run_says_so(f, words):
    for derive in (s2sad.grad, lambda g: lambda p: s2sad.jvp(g)(p, 1.0)):
        with pytest.raises(np.linalg.LinAlgError, match=words):
            derive(f)(0.7)


def bent(x):
    return np.where(np.abs(x) < 1.0, 0.5 * x**2, np.abs(x) - 0.5)


def away_from_kinks(p):
    robust = optimize.minimize(lambda x: np.sum(bent(x - p * np.array([1.0, 2.0, 30.0]))), np.ones(1), tol=1e-12).x[0]
    one_sided = optimize.minimize(lambda x: np.sum(np.maximum(x - p, 0.0) ** 2 + (x - 1.0) ** 2), np.ones(1)).x[0]
    return robust * one_sided + np.sum(sparse(np.array([p, 0.9]), 0.3 * p).x)


def test_minima_beside_kinks():
    for check in (numeric.check_reverse, numeric.check_forward):
        check(away_from_kinks, (0.7,), 0, rtol=1e-4)


def test_the_value_of_a_minimum_at_a_kink():
    """A kink that stays is none of the value's; one that moves moves it."""
    for check in (numeric.check_reverse, numeric.check_forward):
        check(lambda p, q: sparse(np.array([p, 0.1]), q).fun, (0.7, 0.3), (0, 1))
    for derive in (s2sad.grad, lambda g: lambda p: s2sad.jvp(g)(p, 1.0)):
        with pytest.raises(s2sad.DerivationError, match="may lie on a kink"):
            derive(lambda p: optimize.minimize(lambda x: np.sum(np.abs(x - p)) + p, np.ones(1)).fun)(0.7)


def test_numbers_of_numpy_that_solvers_hand_over():
    def decayed(p):
        found = integrate.solve_ivp(lambda t, y: [-y[0] * abs(t - p)], (0.0, 1.0), [1.0], rtol=1e-10, atol=1e-10)
        return found.y[0, -1]

    def cubed(p):
        return optimize.minimize_scalar(lambda x: abs(x) ** 3 - p * x, bounds=(0.1, 2.0), options={"xatol": 1e-10}).x

    for check in (numeric.check_reverse, numeric.check_forward):
        check(decayed, (0.43,), 0, rtol=1e-4)
        check(cubed, (0.43,), 0, rtol=1e-4)


def test_a_built_module_keeps_what_a_solver_reads_of_a_function():
    """Without `terminal` the solution in a module of its own would go on behind the event."""

    def constant(v):
        found = integrate.solve_ivp(lambda t, y: [y[1], -9.8], (0.0, 9.0), [0.5, 1.0], events=landed)
        return v * found.t[-1]

    derived = s2sad.grad(constant)
    expected = derived(2.0)
    scope: dict = {}
    exec(derived.source, scope)
    assert ".terminal = True" in derived.source
    assert np.isclose(scope["grad_constant"](2.0), expected) and np.isclose(expected, constant(1.0))


def test_tolerances_that_the_run_says():
    times = np.linspace(0.0, 2.0, 3)

    def solved(p, rtol, atol):
        found = integrate.solve_ivp(
            lambda t, y, k: -k * y, (0.0, 2.0), [p[0], 1.0], t_eval=times, args=(p[1],), rtol=rtol, atol=atol
        )
        return np.sum(found.y**2)

    def stepped(p, rtol, atol):
        return np.sum(integrate.odeint(lambda y, t, k: -k * y, [p[0], 1.0], times, (p[1],), rtol=rtol, atol=atol) ** 2)

    for program in (solved, stepped):
        numeric.check(functools.partial(program, rtol=1e-11, atol=1e-11), (np.array([1.5, 0.3]),))
        slope, p = s2sad.grad(program), np.array([1.5, 0.3])
        fine, coarse = slope(p, 1e-11, 1e-11), slope(p, 1e-2, 1e-2)
        assert 1e-7 < np.abs(fine - coarse).max() < 0.5


class Decay:
    """A model with its settings, whose method is the right-hand side."""

    def __init__(self):
        self.matrix = np.array([[1.0, 0.5], [0.0, 2.0]])
        self.settings = types.SimpleNamespace(method="DOP853", rtol=1e-11)

    def rates(self, t, y, k):
        return -k * (self.matrix @ y)

    def end(self, p):
        start = np.zeros(2)
        start[:1] = p[0]
        start[1] = 1.0
        chosen = self.settings
        found = integrate.solve_ivp(
            self.rates, (0.0, 1.0), start, args=(p[1],), method=chosen.method, rtol=self.settings.rtol, atol=1e-11
        )
        return np.sum(found.y[:, -1])


def test_settings_of_an_object():
    numeric.check(Decay().end, (np.array([1.5, 0.3]),))
