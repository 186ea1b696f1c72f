"""Functions that are given to integrals and differential equations, and jump: at places that stay all is well; at
places that move with active values the derivative has a term there, and they are refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

pytest.importorskip("scipy")

from scipy import integrate, special, stats

import s2sad
from s2sad.cli import import_optional
from tests import numeric

import_optional()
pytestmark = pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning")

TIMES = np.array([0.0, 0.4, 1.0])
START = np.array([1.0, 0.3])


def hinges(x, p):
    t = 0.0
    for k in range(4):
        if x > p * k:
            t += x - p * k
    return t


def early(x, p):
    if x < p:
        return 0.0
    return (x - p) * 3


def capped_by_mask(x, p):
    a = np.array([x, x * x, p])
    a[a > p] = p
    return np.sum(a)


CONTINUOUS = [
    hinges,
    early,
    capped_by_mask,
    lambda x, p: max(x, p),
    lambda x, p: x - p if x > p else 0.0,
    lambda x, p: p if x < 0.5 else 2.0,
    lambda x, p: np.where(x > p, x, p),
    lambda x, p: abs(x - p),
    lambda x, p: np.clip(x, 0.2, p),
    lambda x, p: p * np.sign(x - 0.5),
    lambda x, p: (x - p) ** 2 if x >= p else (p - x) * 3,
    lambda x, p: p if math.floor(x * 3) == 1 else p * p,
    lambda x, p: (x > p) * (x - p),
    lambda x, p: float(x > p) * (x - p),
    lambda x, p: np.heaviside(x - p, 0.5) * (x - p) * p,
    lambda x, p: np.exp(x) if x < p else np.exp(p),
    lambda x, p: p * x / p if 2 * x < p else p / 2,
    lambda x, p: 1.0 - x * p if x * p < 1 else 0.0,
    lambda x, p: np.sin(np.arctan2(x - p, -1.0)),
    lambda x, p: np.sin(x / p % 1.0 * 2 * np.pi),
    lambda x, p: np.interp(x, np.array([0.0, p, 1.0]), np.array([0.0, 1.0, p])),
    lambda x, p: x if p > 0.2 else p,
    lambda x, p: p if x == p else x * p,
    lambda x, p: stats.norm.pdf(x, p, 1.0) + special.erf(x * p),
    lambda x, p: stats.expon.pdf(x, 0.0, p),
    lambda x, p: p if np.isfinite(x * p) else 0.0,
    lambda x, p: p * x / abs(x - 0.3) * (x - 0.3),
    lambda x, p: p * (x - 0.3) / np.sqrt((x - 0.3) * (x - 0.3)),
    lambda x, p: x / (p + x),
    lambda x, p: x / (p + abs(x - p)),
    lambda x, p: abs(x - p) / (1.0 + abs(x - p)),
    lambda x, p: (x - p) / np.sqrt((x - p) ** 2 + 0.1),
    lambda x, p: (x - p) / np.maximum(abs(x - p), 0.2),
    lambda x, p: np.tanh((x - p) / 0.3) + np.arctan(p * x / (1.0 + x * x)),
    lambda x, p: 1.0 / (1.0 + np.exp((x - p) / p)),
    lambda x, p: np.exp(-x / p) / (1.0 + np.exp(-x * p)) ** 2,
    lambda x, p: np.arctan2(x - p, 1.0 + x * x) + np.hypot(x - p, 0.1),
    lambda x, p: np.clip(x, 0.2, p) / (x + p),
    lambda x, p: np.tanh(x / (0.5 + np.maximum(x - p, 0.0))),
]


def left_at(x, p):
    t = 0.0
    for k in range(4):
        if x < p * k:
            break
        t += 1
    return t


def counted(x, p):
    k = 0
    while k * p < x:
        k += 1
    return k * 1.0


def two_values(x, p):
    if x < p:
        return 0.0
    return 1.0


def through_a_view(x, p):
    a = np.zeros(3)
    b = a[1:]
    b[0] = 1.0 if x < p else 2.0
    return a[1]


def through_a_view_of_one_path(x, p):
    a = np.zeros(3)
    if x < 0.5:
        b = a
    else:
        b = np.ones(3)
        b[1] = x
    b[0] = 1.0 if x < p else 2.0
    return a[0]


def through_a_list(x, p):
    a = []
    a.append(1.0 if x < p else 2.0)
    return a[0]


def through_an_exception(x, p):
    try:
        if x < p:
            raise ValueError
        v = 1.0
    except ValueError:
        v = 2.0
    return v


JUMPING = [
    left_at,
    counted,
    two_values,
    through_a_view,
    through_a_view_of_one_path,
    through_a_list,
    through_an_exception,
    lambda x, p: 1.0 if x < p else 0.0,
    lambda x, p: np.heaviside(x - p, 0.5),
    lambda x, p: np.where(x < p, 1.0, 2.0),
    lambda x, p: (x < p) * 2.0,
    lambda x, p: float(x < p),
    lambda x, p: np.sign(x - p),
    lambda x, p: (x - p) / abs(x - p),
    lambda x, p: p * x / abs(x - p) * (x - p),
    lambda x, p: p * x * (x - p) / abs(x - p),
    lambda x, p: 1.0 / (x - p) * abs(x - p),
    lambda x, p: abs(x - p) * (x - p) ** -1,
    lambda x, p: np.divide(x - p, np.abs(x - p)),
    lambda x, p: np.multiply(np.reciprocal(x - p), np.abs(x - p)),
    lambda x, p: (x - p) / np.sqrt((x - p) * (x - p)),
    lambda x, p: (x - p) / ((x - p) ** 2) ** 0.5,
    lambda x, p: (x - p) / math.sqrt(abs(x - p) ** 2),
    lambda x, p: (x - p) / np.hypot(x - p, 0.0),
    lambda x, p: np.maximum(x - p, 0.0) / (x - p),
    lambda x, p: np.clip(x - p, 0.0, 0.3) / (x - p),
    lambda x, p: (x * x - p) / abs(x * x - p),
    lambda x, p: np.sin(x - p) / abs(np.sin(x - p)),
    lambda x, p: (x - p if x > p else p - x) / (x - p),
    lambda x, p: np.arctan(1.0 / (x - p)),
    lambda x, p: np.tanh(p / (x - p)),
    lambda x, p: 1.0 / (1.0 + np.exp(1.0 / (x - p))),
    lambda x, p: np.sum(np.arctan(np.array([x, 1.0 / (x - p)]))),
    lambda x, p: np.arctan(np.tan(x / p)),
    lambda x, p: np.angle(x - p + 0j),
    lambda x, p: math.atan2(0.0, x - p),
    lambda x, p: np.floor_divide(x, p) + np.remainder(x, p) ** 2,
    lambda x, p: np.round(x / p, 1),
    lambda x, p: np.copysign(p, x - p),
    lambda x, p: np.digitize(x, np.array([0.0, p])) * 1.0,
    lambda x, p: int(x / p) * 1.0,
    lambda x, p: round(x / p) * 1.0,
    lambda x, p: np.floor(x / p),
    lambda x, p: x % p,
    lambda x, p: x // p,
    lambda x, p: np.fmod(x, p),
    lambda x, p: math.copysign(1.0, x - p),
    lambda x, p: np.arctan2(x - p, -1.0),
    lambda x, p: np.array([1.0, 2.0])[int(x > p)],
    lambda x, p: [1.0, p][x > p],
    lambda x, p: np.sum(np.array([x, 2 * x]) > p) * 1.0,
    lambda x, p: np.argmax(np.array([x, p])) * 1.0,
    lambda x, p: np.searchsorted(np.array([0.0, p, 1.0]), x) * 1.0,
    lambda x, p: np.interp(x, np.array([0.0, p]), np.array([0.0, 1.0]), right=5.0),
    lambda x, p: ((x > p) and 1.0) or 2.0,
    lambda x, p: 1.0 if 0.2 < x < p else 0.0,
    lambda x, p: np.select([x < p], [1.0], 2.0),
    lambda x, p: np.exp(x) if x < p else 2.0 * np.exp(p),
    lambda x, p: integrate.quad(lambda u: u if x < p else 0.0, 0.0, 1.0)[0],
    lambda x, p: stats.uniform.pdf(x, p, 1.0),
    lambda x, p: stats.expon.pdf(x, p),
]


def integral(f):
    return lambda p: integrate.quad(lambda x: f(x, p), 0.0, 1.0, epsabs=1e-11, limit=200)[0]


@pytest.mark.parametrize("f", CONTINUOUS, ids=range(len(CONTINUOUS)))
def test_what_jumps_nowhere_or_at_places_that_stay(f):
    numeric.check_reverse(integral(f), (0.43,), 0, rtol=1e-4)
    numeric.check_forward(integral(f), (0.43,), 0, rtol=1e-4)


@pytest.mark.parametrize("f", JUMPING, ids=range(len(JUMPING)))
def test_jumps_that_move_are_refused(f):
    for derive in (s2sad.grad, lambda g: lambda p: s2sad.jvp(g)(p, 1.0)):
        with pytest.raises(s2sad.DerivationError, match="the integrand may jump"):
            derive(integral(f))(0.43)


def test_integrals_of_several_variables():
    def inside(p):
        return integrate.dblquad(lambda y, x: p * x if y < x else 0.0, 0.0, 1.0, 0.0, 1.0)[0]

    assert np.isclose(s2sad.grad(inside)(0.4), 1.0 / 3.0)
    with pytest.raises(s2sad.DerivationError, match="may jump"):
        s2sad.grad(lambda p: integrate.dblquad(lambda y, x: float(y < p * x), 0.0, 1.0, 0.0, 1.0)[0])(0.4)
    with pytest.raises(s2sad.DerivationError, match="may jump"):
        s2sad.grad(lambda p: integrate.dblquad(lambda y, x: y * (x < p), 0.0, 1.0, 0.0, 1.0)[0])(0.4)
    with pytest.raises(s2sad.DerivationError, match="may jump"):
        s2sad.grad(lambda p: np.sum(integrate.quad_vec(lambda x: np.where(p > x, 1.0, p), 0.0, 1.0)[0]))(
            np.array([0.2, 0.4])
        )


def test_the_way_out_of_an_integral():
    """In pieces that meet at the jump."""

    def pieces(p, a):
        return integrate.quad(lambda x: a * np.exp(x), 0.0, p)[0] + integrate.quad(lambda x: p * x, p, 1.0)[0]

    for check in (numeric.check_reverse, numeric.check_forward, numeric.check_second):
        check(pieces, (0.43, 1.3), (0, 1))


# --- at places that are known: those of points=


def at_a_point(p, k):
    return integrate.quad(lambda x: k * np.exp(x) if x < p else p * x, 0.0, 1.0, points=[p])[0]


def at_several_points(p, k):
    c = 0.5 * p
    return integrate.quad(
        lambda x: np.where(2.0 * x < 2.0 * c, k, p * x) * np.heaviside(x - k, 0.5), 0.0, 1.0, points=[c, 0.5, k]
    )[0] ** 2


def turned_round(p, k):
    return integrate.quad(lambda x, p: k * np.exp(x) if x < p else p * x, 1.0, 0.0, args=(p,), points=[p, 0.5])[0]


def up_to_k(p, k):
    return integrate.quad(lambda x: k * np.exp(x) if x < p else p * x, 0.0, k, points=[p])[0]


def of_a_kink(p, k):
    return integrate.quad(lambda x: max(x, p) ** 2 * k, 0.0, 1.0, points=[p])[0]


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (at_a_point, (0.43, 1.3)),
        (at_several_points, (0.43, 0.7)),
        (turned_round, (0.43, 1.3)),
        (up_to_k, (0.43, 0.3)),
        (up_to_k, (0.43, 0.8)),
        (of_a_kink, (0.43, 1.2)),
    ],
)
def test_jumps_at_points_that_are_known(f, args):
    for check in (numeric.check_reverse, numeric.check_forward, numeric.check_second):
        check(f, args, (0, 1), rtol=1e-5)


def test_jumps_beside_the_points_are_refused():
    def squared(p):
        return integrate.quad(lambda x: 1.0 if x * x < p else 0.0, 0.0, 1.0, points=[p])[0]

    def another(p):
        return integrate.quad(lambda x: 1.0 if x < p else 0.0, 0.0, 1.0, points=[p + 0.1])[0]

    for f in (squared, another):
        for derive in (s2sad.grad, lambda g: lambda p: s2sad.jvp(g)(p, 1.0)):
            with pytest.raises(s2sad.DerivationError, match=r"hand it to quad, points=\[place\]"):
                derive(f)(0.4)


def test_second_derivatives():
    """The derivative of a kink jumps, that of its square does not."""
    numeric.check_second(lambda p: integrate.quad(lambda x: max(x - p, 0.0) ** 2, 0.0, 1.0)[0], (0.43,), 0, rtol=1e-4)
    with pytest.raises(s2sad.DerivationError, match="may jump"):
        s2sad.hessian(lambda p: integrate.quad(lambda x: np.maximum(x, p), 0.0, 1.0)[0])(0.43)


def limited(y, t, p):
    d = np.zeros(2)
    for i in range(2):
        d[i] = -p * max(y[i] - 0.1, 0.0)
    return d


SMOOTH_RATES = [
    limited,
    lambda y, t, p: -p * np.maximum(y - p, 0.0),
    lambda y, t, p: [y[1], -p * y[0] if y[0] > 0.9 else p * 0.9 * (y[0] - 1.9)],
    lambda y, t, p: np.where(y > p, p - y, 0.0),
    lambda y, t, p: [np.cos(np.arctan2(y[0], y[1])), p],
    lambda y, t, p: -0.2 * y / (y[0] ** 2 + y[1] ** 2) ** 1.5 * p,
    lambda y, t, p: [-p * y[0] / (0.5 + y[0]), p * np.exp(-1.0 / y[0]) - 0.2 * y[1] / np.linalg.norm(y)],
]
JUMPING_RATES = [
    lambda y, t, p: [0.5 if t < p else 0.1, 0.0],
    lambda y, t, p: [p, 2.0 if y[0] > 1.2 else 1.0],
    lambda y, t, p: [p, 0.2 * np.sign(y[0] - 1.3)],
    lambda y, t, p: np.where(y > p * 2, 1.0, 2.0),
    lambda y, t, p: [1.0, int(t / p) * 1.0],
    lambda y, t, p: [1.0, -p if t % (p * 0.7) > p * 0.3 else 0.3],
    lambda y, t, p: -p * y / abs(y - 0.2) * (y - 0.2),
    lambda y, t, p: -p * y * (y - 0.9) / np.sqrt((y - 0.9) ** 2),
]


def by_odeint(f):
    return lambda p: np.sum(integrate.odeint(lambda y, t: f(y, t, p), START, TIMES, rtol=1e-10, atol=1e-10)[-1])


def by_solve_ivp(f):
    def g(p):
        return np.sum(
            integrate.solve_ivp(lambda t, y: f(y, t, p), (0.0, 1.0), START, "LSODA", rtol=1e-10, atol=1e-10).y[:, -1]
        )

    return g


@pytest.mark.parametrize("solved", [by_odeint, by_solve_ivp])
def test_rates(solved):
    for f in SMOOTH_RATES:
        numeric.check_reverse(solved(f), (0.43,), 0, rtol=1e-3)
        numeric.check_forward(solved(f), (0.43,), 0, rtol=1e-3)
    for f in JUMPING_RATES:
        for derive in (s2sad.grad, lambda g: lambda p: s2sad.jvp(g)(p, 1.0)):
            with pytest.raises(s2sad.DerivationError, match="the right-hand side may jump"):
                derive(solved(f))(0.43)


def test_what_moves_nothing_jumps_as_it_likes():
    """The end of the interval does not move the jumps; the start does, and the state at the start."""

    def up_to(end):
        return integrate.solve_ivp(
            lambda t, y: [2.0 if y[0] > 1.2 else 1.0], (0.0, end), [1.0], rtol=1e-10, atol=1e-10
        ).y[0, -1]

    assert np.isclose(s2sad.grad(up_to)(0.43), 2.0)

    def begun_at(y0):
        return integrate.solve_ivp(
            lambda t, y: [2.0 if y[0] > 1.2 else 1.0], (0.0, 1.0), [y0], rtol=1e-10, atol=1e-10
        ).y[0, -1]

    with pytest.raises(s2sad.DerivationError, match=r"may jump at a place that moves .*`y\[0\] > 1.2`"):
        s2sad.grad(begun_at)(1.0)


def test_the_way_out_of_an_equation_that_jumps_at_a_state():
    """Solved up to an event, where the state meets the place, and on from there."""

    def pieces(p, k):
        def reached(t, y):
            return y[0] - 1.0 - 0.2 * p

        reached.terminal = True
        first = integrate.solve_ivp(
            lambda t, y: [0.5 + k * y[0]], (0.0, 9.0), [1.0], events=reached, rtol=1e-10, atol=1e-10
        )
        second = integrate.solve_ivp(
            lambda t, y: [0.1 - k * y[0]], (first.t[-1], 1.0), first.y[:, -1], rtol=1e-10, atol=1e-10
        )
        return second.y[0, -1]

    numeric.check_reverse(pieces, (0.43, 0.7), (0, 1), rtol=1e-5)
    numeric.check_forward(pieces, (0.43, 0.7), (0, 1), rtol=1e-5)


def test_the_way_out_of_an_equation():
    """Solved up to the jump, and on from there."""

    def pieces(p, k):
        first = integrate.solve_ivp(lambda t, y: [0.5 - k * y[0]], (0.0, p), [1.0], rtol=1e-10, atol=1e-10)
        second = integrate.solve_ivp(lambda t, y: [0.1 - k * y[0]], (p, 1.0), first.y[:, -1], rtol=1e-10, atol=1e-10)
        return second.y[0, -1]

    numeric.check_reverse(pieces, (0.43, 0.7), (0, 1), rtol=1e-5)
    numeric.check_forward(pieces, (0.43, 0.7), (0, 1), rtol=1e-5)
