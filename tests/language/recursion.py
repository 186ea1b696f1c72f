"""Recursion whose depth only the run-time values decide."""

from __future__ import annotations

import functools
import math
from collections import namedtuple

import numpy as np

from tests.language.corpus import normal, program, uniform

# --- quadrature, roots, series


def _simpson(f, a, b, fa, fm, fb, whole, tol):
    m = 0.5 * (a + b)
    fl, fr = f(0.5 * (a + m)), f(0.5 * (m + b))
    left = (m - a) / 6.0 * (fa + 4.0 * fl + fm)
    right = (b - m) / 6.0 * (fm + 4.0 * fr + fb)
    if abs(left + right - whole) <= 15.0 * tol:
        return left + right + (left + right - whole) / 15.0
    return _simpson(f, a, m, fa, fl, fm, left, 0.5 * tol) + _simpson(f, m, b, fm, fr, fb, right, 0.5 * tol)


@program("run-time recursion", args=lambda: (0.1, 1.7, 2.3), wrt=(0, 1, 2))
def simpson_until_tolerance(a, b, w):
    def f(t):
        return math.exp(-t) * math.sin(w * t * t)

    fa, fm, fb = f(a), f(0.5 * (a + b)), f(b)
    return _simpson(f, a, b, fa, fm, fb, (b - a) / 6.0 * (fa + 4.0 * fm + fb), 1e-4)


@program("run-time recursion", args=lambda: (0.0, 2.0, 1.3), wrt=2)
def trapezoid_with_depth(a, b, w):
    def area(lo, hi, depth=20):
        mid = 0.5 * (lo + hi)
        coarse = 0.5 * (hi - lo) * (math.cos(w * lo) + math.cos(w * hi))
        fine = 0.25 * (hi - lo) * (math.cos(w * lo) + 2.0 * math.cos(w * mid) + math.cos(w * hi))
        if depth == 0 or abs(fine - coarse) < 1e-3:
            return fine
        return area(lo, mid, depth - 1) + area(mid, hi, depth - 1)

    return area(a, b)


@program("run-time recursion", args=lambda: (1.0, 2.5), wrt=(0, 1))
def newton_until_convergence(x, a):
    step = (x**3 - a) / (3.0 * x * x)
    if abs(step) < 1e-12:
        return x - step
    return newton_until_convergence(x - step, a)


def _bisect(f, lo, hi, tol):
    mid = 0.5 * (lo + hi)
    if hi - lo < tol:
        return mid
    if f(lo) * f(mid) > 0.0:
        return _bisect(f, mid, hi, tol)
    return _bisect(f, lo, mid, tol)


@program("run-time recursion", args=lambda: (0.3, 2.1), wrt=(0, 1), second=False)
def bisection(lo, hi):
    return _bisect(lambda t: t * t - 2.0, lo - 0.1 * hi, hi, 0.5) ** 2


@program("run-time recursion", args=lambda: (0.4,))
def continued_fraction(x):
    def tail(k):
        if x**k < 1e-6:
            return 1.0 + x
        return k + x / tail(k + 1)

    return tail(1)


@program("run-time recursion", args=lambda: (3.7,))
def exponential_by_halving(x):
    if abs(x) < 0.1:
        return 1.0 + x + x * x / 2.0 + x**3 / 6.0
    return exponential_by_halving(0.5 * x) ** 2


@program("run-time recursion", args=lambda: (0.7, 0.2), wrt=(0, 1))
def arithmetic_geometric_mean(a, b):
    def mean(p, q):
        if abs(p - q) < 1e-13:
            return p
        return mean(0.5 * (p + q), math.sqrt(p * q))

    return a / mean(a, b)


@program("run-time recursion", args=lambda: (0.9, 1e-5), wrt=0)
def series_with_remainder(x, tol):
    def rest(term, k):
        if abs(term) < tol:
            return 0.0
        return term + rest(-term * x * x / ((k + 1) * (k + 2)), k + 2)

    return rest(x, 1)


# --- arrays


def _norm(v, count):
    s = np.sum(v * v)
    if s < 1.0:
        return v, count
    return _norm(0.5 * v, count + 1)


@program("run-time recursion", args=lambda: (normal(5) * 4.0,))
def halve_until_small(v):
    w, count = _norm(v, 0)
    return np.sum(w**3) * (1.0 + count)


@program("run-time recursion", args=lambda: (uniform(4) + 1.0,), second=False)
def pull_towards_mean(v):
    spread = np.max(v) - np.min(v)
    if spread < 1e-2:
        return v * spread
    return pull_towards_mean(0.5 * (v + np.mean(v)))


LEFT = np.array([1, 3, 5, -1, -1, -1, -1])
RIGHT = np.array([2, 4, 6, -1, -1, -1, -1])


@program("run-time recursion", args=lambda: (normal(7), 0.7), wrt=(0, 1))
def sum_over_a_tree(weights, decay):
    def below(node):
        if node < 0:
            return 0.0
        return weights[node] ** 2 + decay * (below(LEFT[node]) + below(RIGHT[node]))

    return below(0)


@program("run-time recursion", args=lambda: (normal(9), 0.4), wrt=(0, 1))
def best_split_of_a_segment(x, penalty):
    def cost(lo, hi):
        part = x[lo:hi]
        here = np.sum((part - np.mean(part)) ** 2)
        mid = (lo + hi) // 2
        if here < penalty or hi - lo < 2:
            return here
        return penalty + cost(lo, mid) + cost(mid, hi)

    return cost(0, len(x))


@program("run-time recursion", args=lambda: (np.array([[2.0, 0.3], [0.1, 1.5]]),))
def square_root_of_a_matrix(A):
    def step(X, Y):
        if np.max(np.abs(X @ X - A)) < 1e-10:
            return X
        return step(0.5 * (X + np.linalg.inv(Y)), 0.5 * (Y + np.linalg.inv(X)))

    return np.sum(step(A, np.eye(len(A))) ** 2)


@program("run-time recursion", args=lambda: (np.array([3.0, 1.5]), 0.1), wrt=(0, 1))
def descend(x, rate):
    g = np.array([x[0] + 0.2 * x[1], 2.0 * x[1] + 0.2 * x[0]])
    if np.sqrt(g @ g) < 0.5:
        return np.sum(x * x)
    return descend(x - rate * g, rate)


# --- several functions, several results, containers


def _even(x):
    return x * x if x < 1.0 else _odd(x - 1.0) * 0.5


def _odd(x):
    return math.sin(x) if x < 1.0 else x + _even(x - 1.0)


@program("run-time recursion", args=lambda: (5.3,))
def even_and_odd(x):
    return _even(x) * _odd(x + 0.5)


def _expression(x, y):
    if x > 2.0:
        return _term(0.5 * x, y) + _term(0.3 * x, y)
    return x * y


def _term(x, y):
    if y > 1.5:
        return _expression(x, 0.6 * y) * _term(x, 0.5 * y)
    return math.exp(-x * y)


@program("run-time recursion", args=lambda: (4.1, 2.2), wrt=(0, 1))
def terms_and_expressions(x, y):
    return _expression(x, y)


Interval = namedtuple("Interval", "lo hi")


@program("run-time recursion", args=lambda: (0.2, 3.1), wrt=(0, 1))
def narrow_a_named_interval(lo, hi):
    def narrow(i):
        if i.hi - i.lo < 0.5:
            return i
        third = (i.hi - i.lo) / 3.0
        return narrow(Interval(i.lo + 0.5 * third, i.hi - third))

    found = narrow(Interval(lo, hi))
    return found.lo * found.hi**2


@program("run-time recursion", args=lambda: ({"scale": 1.4, "shift": np.array([0.3, -0.2])},))
def parameters_in_a_dict(p):
    def iterate(x, model):
        y = np.tanh(model["scale"] * x) + model["shift"]
        if np.max(np.abs(y - x)) < 1e-2:
            return y
        return iterate(y, model)

    return np.sum(iterate(np.array([1.0, -1.0]), p) ** 2)


@program("run-time recursion", args=lambda: (6.5, 1.2), wrt=(0, 1))
def several_results(x, y):
    def divide(p, q, turns):
        if p < q:
            return p, turns, q
        rest, n, last = divide(p - q, 1.1 * q, turns + 1)
        return rest * q, n, last + rest

    rest, n, last = divide(x, y, 0)
    return rest * last + n * x


@program("run-time recursion", args=lambda: (0.8, 7), wrt=0)
def collatz_weights(x, n):
    if n == 1:
        return x
    if n % 2 == 0:
        return 0.9 * x + collatz_weights(0.5 * x, n // 2)
    return math.sin(x) + collatz_weights(0.8 * x, 3 * n + 1)


@program("run-time recursion", args=lambda: (2.0, 60), wrt=0)
def deeper_than_is_written_out(x, n):
    if n == 0:
        return x
    return deeper_than_is_written_out(0.9 * x + 0.1 / x, n - 1)


@program("run-time recursion", args=lambda: (3.3,))
def prints_on_the_way(x):
    print(f"{x:.3f}")
    if x < 1.0:
        return x * x
    return x * prints_on_the_way(0.5 * x)


@program("run-time recursion", args=lambda: (2.7, 0.3), wrt=(0, 1))
def raises_when_too_deep(x, y):
    def go(t, depth):
        if depth > 50:
            raise RuntimeError("no convergence")
        if t < 0.2:
            return t
        return go(t * y, depth + 1) + t * t

    return go(x, 0)


@program("run-time recursion", args=lambda: (np.array([0.3, 1.9, -0.7]), 0.8), wrt=(0, 1))
def called_in_a_loop(v, y):
    def shrink(t):
        return t if abs(t) < 0.5 else t * y + shrink(0.6 * t)

    total = 0.0
    for k in range(len(v)):
        total += shrink(v[k] * (1.0 + total)) ** 2
    return total


@program("run-time recursion", args=lambda: (np.array([2.3, 1.9]), 0.8), wrt=(0, 1))
def argument_overwritten_afterwards(v, y):
    def shrink(t):
        return t * y if np.sum(t) < 0.5 else shrink(0.6 * t) * t

    w = v * y
    a = shrink(w)
    w[0] = y
    return np.sum(a * w)


@program("run-time recursion", args=lambda: (2.9, 1.1), wrt=(0, 1))
def function_as_an_argument(x, y):
    def until(f, t, limit):
        return t if t > limit else until(f, f(t), limit) * y

    return until(lambda t: t * y + 0.5, x, 9.0)


# --- memory, effects, control


@program("run-time recursion", args=lambda: (uniform(4) + 2.0, 0.7), wrt=(0, 1))
def result_overwritten_by_the_caller(v, y):
    def smooth(t):
        if np.max(t) < 1.0:
            return np.exp(t * y)
        return np.exp(-smooth(0.5 * t)) * t

    a = smooth(v)
    b = a * a
    a[1:] *= y
    a[0] = y
    return np.sum(a * b)


@program("run-time recursion", args=lambda: (uniform(4) + 2.0, 0.7), wrt=(0, 1))
def argument_overwritten_in_a_loop(v, y):
    def smooth(t):
        return t * y if np.max(t) < 1.0 else smooth(0.5 * t) * t

    w = v * y
    total = 0.0
    for k in range(3):
        total += np.sum(smooth(w) ** 2)
        w[k] += y * total
    return total


@program("run-time recursion", args=lambda: (uniform(4) + 2.0, 0.7), wrt=(0, 1), refused="may")
def result_is_the_argument(v, y):
    def shrink(t):
        return t if np.max(t) < 1.0 else shrink(0.5 * t) * y

    w = v * 0.1
    a = shrink(w)
    w[0] = y
    return np.sum(a * w) + np.sum(shrink(v))


@program("run-time recursion", args=lambda: (uniform(4) + 2.0, 0.7), wrt=(0, 1), refused="may")
def results_share_memory(v, y):
    def split(t):
        if np.max(t) < 1.0:
            u = t * y
            return u, u[1:]
        return split(0.5 * t)

    a, b = split(v)
    a[1] = y * y
    return np.sum(a) * np.sum(b * b)


@program("run-time recursion", args=lambda: (uniform(4) + 2.0,))
def local_array_filled_piecewise(v):
    def go(t, depth):
        out = np.zeros(4)
        for k in range(4):
            out[k] = t[k] ** 2 if k % 2 else t[k - 1] * t[k]
        if np.sum(out) < 0.5:
            return out
        below = go(0.5 * out / (1.0 + np.max(t)), depth + 1)
        out[1] += below[0]
        return out + below * t

    return np.sum(go(v, 0))


@program("run-time recursion", args=lambda: (2.3, 0.6), wrt=(0, 1))
def loop_inside_that_calls_itself(x, y):
    def spread(t, width):
        if t < 0.4:
            return t * t * y
        total, part = 0.0, t
        for k in range(width):
            part = 0.4 * part + 0.1 * math.sin(total)
            total += spread(part, width - 1) * (k + 1.0)
        return total * t

    return spread(x, 3)


@program("run-time recursion", args=lambda: (2.3, 0.6), wrt=(0, 1))
def generator_over_children(x, y):
    def spread(t):
        if t < 0.6:
            return t * y
        return t + sum(spread(t * c) for c in (0.3, 0.5)) * y

    return spread(x)


@program("run-time recursion", args=lambda: (2.3, 0.6, np.random.default_rng(3)), wrt=(0, 1))
def random_walk_until_small(x, y, rng):
    def walk(t):
        if abs(t) < 0.7:
            return t * y
        return walk(0.6 * t + 0.01 * rng.normal()) * t

    return walk(x)


class Solver:
    def __init__(self, rate, tolerance):
        self.rate, self.tolerance = rate, tolerance

    def solve(self, x):
        if x * x < self.tolerance:
            return x
        return self.solve(x * self.rate) + x * x * self.rate


@program("run-time recursion", args=lambda: (Solver(0.6, 0.1), 2.0), wrt=(0, 1))
def method_that_calls_itself(solver, x):
    return solver.solve(x) * 2.0


@program("run-time recursion", args=lambda: (2.0, 0.7), wrt=(0, 1))
def object_built_inside(x, rate):
    return Solver(rate, 0.1).solve(x) ** 2


@program("run-time recursion", args=lambda: (1.3, 3.0), wrt=(0, 1))
def condition_calls_it_too(x, y):
    def root(t):
        return t if t < 1.0 else root(t / 2.0) * 1.4

    total = 0.0
    while root(y) > 0.5 and total < 30.0:
        total += root(y) * x
        y = y * 0.9
    return total


@program("run-time recursion", args=lambda: (2.9, 0.8), wrt=(0, 1))
def early_returns_in_the_middle(x, y):
    def go(t, k):
        if t < 0.3:
            return t
        a = go(0.5 * t, k + 1)
        if a > 0.2 and k > 1:
            return a * y
        b = go(0.3 * t, k + 2) if k % 2 == 0 else a
        return a * b + t

    return go(x, 0)


@program("run-time recursion", args=lambda: (np.array([[2.0, 0.5], [0.4, 3.0]]), np.array([1.0, -2.0])), wrt=(0, 1))
def newton_schulz_with_two_arrays(A, b):
    n = len(b)

    def invert(X, k):
        R = np.eye(n) - A @ X
        if np.sum(R * R) < 1e-12 or k > 30:
            return X
        return invert(X + X @ R, k + 1)

    return np.sum((invert(A.T / np.sum(A * A), 0) @ b) ** 2)


@program("run-time recursion", args=lambda: (2.1, 0.7), wrt=(0, 1))
def same_function_with_other_kinds(x, y):
    def damp(t):
        return t * y if np.sum(t * t) < 1.0 else damp(t * 0.5) * 1.1

    return damp(x) + np.sum(damp(np.array([x, y, 2.0])))


@program("run-time recursion", args=lambda: (2.1, 0.7), wrt=(0, 1))
def collected_in_a_list(x, y):
    values = []

    def visit(t):
        if t < 0.3:
            values.append(t * y)
            return
        visit(0.5 * t)
        values.append(t)
        visit(0.3 * t)

    visit(x)
    total = 0.0
    for k in range(len(values)):
        total += (k + 1.0) * values[k] ** 2
    return total


@program("run-time recursion", args=lambda: (2.1, 0.7), wrt=(0, 1))
def list_handed_down(x, y):
    def visit(t, out):
        if t < 0.3:
            out.append(t * y)
            return t
        a = visit(0.5 * t, out)
        out.append(t * a)
        return visit(0.3 * t, out) * a

    found = []
    last = visit(x, found)
    return sum(v * v for v in found) * last


@program("run-time recursion", args=lambda: (2.1, 0.7), wrt=(0, 1), refused="may")
def list_handed_down_twice(x, y):
    def visit(t, out, other):
        if t < 0.3:
            out.append(t * y)
            return t
        out.append(t)
        return visit(0.5 * t, out, other) * other[-1]

    found = [x]
    last = visit(x, found, found)
    return sum(v * v for v in found) * last


@program("run-time recursion", args=lambda: (2.1, 6), wrt=0, refused="may")
def memoised_in_a_dict(x, n):
    memo = {}

    def fib(k):
        if k < 2:
            return x
        if k not in memo:
            memo[k] = fib(k - 1) + 0.5 * fib(k - 2) * x
        return memo[k]

    return fib(n)


@program("run-time recursion", args=lambda: (1.7, np.array([0.2, 0.4, 0.3])), wrt=(0, 1))
def slices_get_shorter(x, v):
    def horner(part, t):
        if len(part) == 0:
            return 0.0
        return part[0] + t * horner(part[1:], t * 0.9)

    return horner(v, x)


@program("run-time recursion", args=lambda: (1.7 + 0.0j, 0.3), wrt=1)
def complex_numbers_on_the_way(z, y):
    def go(w):
        if abs(w) > 3.0:
            return w
        return go(w * w * (0.9 + 0.1j) + y) * y

    return abs(go(z)) ** 2


@functools.lru_cache(maxsize=None)
def _cached(x):
    return x if x < 1.0 else _cached(x * 0.5) * x


@program("run-time recursion", args=lambda: (5.3,))
def results_are_cached(x):
    return _cached(x) * 2.0


@program("run-time recursion", args=lambda: (5.3,))
def default_that_is_none(x, w=None):
    if w is None:
        w = x * 0.1
    return x * w if x < 1.0 else default_that_is_none(0.5 * x, w) + w


@program("run-time recursion", args=lambda: (5.3,))
def keywords_and_flags(x, flag=True, *, offset=0.1):
    if x < 0.6:
        return x if flag else 2.0 * x
    return keywords_and_flags(x * 0.5, not flag, offset=offset) * x + offset


@program("run-time recursion", args=lambda: (5.3,))
def tries_on_every_level(x):
    try:
        return x * x if x < 1.0 else tries_on_every_level(x * 0.5) + math.log(x)
    except ValueError:
        return x


@program("run-time recursion", args=lambda: (uniform(5) + 1.0, 0.01), wrt=0)
def base_case_of_one_element(x, small):
    if len(x) == 1:
        return 5.0 * x[0] ** 3
    if np.max(np.abs(x)) < small:
        return np.sum(x)
    return x[0] ** 2 * base_case_of_one_element(x[1:], small)


@program("run-time recursion", args=lambda: (uniform(4) + 1.0, 0.7))
def base_case_of_no_element(x, w):
    if len(x) == 0:
        return w
    return x[0] * w + base_case_of_no_element(x[1:], w * x[0])


@program("run-time recursion", args=lambda: (normal(8),))
def fourier_transform_by_halves(x):
    def transform(z):
        n = len(z)
        if n == 1:
            return z
        even, odd = transform(z[::2]), transform(z[1::2])
        turned = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
        return np.concatenate([even + turned, even - turned])

    return np.sum(np.abs(transform(x + 0j)) ** 2 * np.arange(len(x)))


# --- loops, stores, lists and early returns inside


@program("run-time recursion", args=lambda: (2.1, 0.7), wrt=(0, 1))
def while_loop_in_every_activation(x, y):
    def shrink(t, k):
        u = t
        while u > 0.6:
            u = u * y + 0.01 * k
        if t < 0.5:
            return u * t
        return u * shrink(0.6 * t, k + 1) + t

    return shrink(x, 0)


@program("run-time recursion", args=lambda: (2.1, 0.7), wrt=(0, 1))
def recursive_call_in_a_while_loop(x, y):
    def go(t):
        if t < 0.5:
            return t * y
        total, part = 0.0, t
        while part > 0.4:
            part = part * 0.6
            total = total * y + go(part) * part
        return total + t

    return go(x)


@program("run-time recursion", args=lambda: (uniform(5), 0.7), wrt=(0, 1))
def stores_in_a_loop_and_a_call_between(v, y):
    def go(t):
        out = np.zeros(len(t))
        for k in range(len(t)):
            out[k] = t[k] * t[k - 1]
        if np.sum(out) < 0.8:
            return out
        low = go(0.6 * t)
        for k in range(len(t)):
            out[k] = out[k] * low[k] + y
        return out

    return np.sum(go(v) ** 2)


@program("run-time recursion", args=lambda: (2.1, 0.7), wrt=(0, 1))
def while_loop_with_break_and_early_return(x, y):
    def go(t, depth):
        s = t
        while True:
            s = 0.5 * s * (1.0 + y)
            if s < 0.3:
                break
            if s < 0.6 and depth > 1:
                return s * t
        if depth > 3:
            return s
        return go(t * 0.8, depth + 1) * s + go(s, depth + 2)

    return go(x, 0)


def _down(x, n, acc):
    if x < 0.4:
        return acc * x
    for k in range(n):
        acc = acc + x * math.sin(acc) / (k + 1.0)
    return _up(0.7 * x, n - 1 if n > 1 else 1, acc)


def _up(x, n, acc):
    t = acc
    while t > 0.5:
        t = 0.5 * t
    return _down(x * 0.9, n + 1 if n < 2 else n, acc * 0.8 + t)


@program("run-time recursion", args=lambda: (1.9, 0.7), wrt=(0, 1))
def mutual_recursion_with_loops(x, acc):
    return _down(x, 3, acc)


@program("run-time recursion", args=lambda: (2.1, 0.7), wrt=(0, 1))
def list_built_in_every_activation(x, y):
    def go(t):
        parts = []
        u = t
        while u > 0.3:
            parts.append(u * y)
            u = u * 0.5
        if not parts:
            return t
        s = 0.0
        for k in range(len(parts)):
            s += parts[k] * parts[-1 - k]
        return s + go(t * 0.6)

    return go(x)


@program("run-time recursion", args=lambda: (2.1, 0.7), wrt=(0, 1))
def list_read_by_the_callee(x, y):
    def total(values, k):
        if k == len(values):
            return 0.0
        return values[k] ** 2 + y * total(values, k + 1)

    values = []
    t = x
    while t > 0.2:
        values.append(t * y)
        t = t * 0.7
    return total(values, 0)


@program("run-time recursion", args=lambda: (2.1, 0.7), wrt=(0, 1))
def list_grown_and_shrunk_on_the_way(x, y):
    def walk(t, trail):
        if t < 0.3:
            s = 0.0
            for k in range(len(trail)):
                s += trail[k] * (k + 1.0)
            return s * t
        trail.append(t)
        a = walk(t * 0.5, trail)
        trail.pop()
        trail.append(t * y)
        b = walk(t * 0.4, trail)
        trail.pop()
        return a + b

    return walk(x, [])


@program("run-time recursion", args=lambda: (2.1, 0.7), wrt=(0, 1))
def list_slots_stored_by_the_callee(x, y):
    def fill(out, k, t):
        if k == len(out):
            return t
        out[k] = t * y
        return fill(out, k + 1, t * 0.8 + out[k])

    out = []
    for _ in range(4):
        out.append(0.0)
    last = fill(out, 0, x)
    return sum(v * v for v in out) * last


@program("run-time recursion", args=lambda: (uniform(6), 0.7), wrt=(0, 1))
def halves_of_an_array(v, y):
    def energy(part):
        n = len(part)
        if n == 1:
            return part[0] ** 2
        s = 0.0
        for k in range(1, n):
            s += part[k] * part[k - 1]
        return s * y + energy(part[: n // 2]) * energy(part[n // 2 :])

    return energy(v)


@program("run-time recursion", args=lambda: (uniform(4), 0.7), wrt=(0, 1))
def array_overwritten_between_two_calls(v, y):
    def go(t, depth):
        if np.max(t) < 0.3 or depth > 4:
            return np.sum(t * t) * y
        w = t * 0.7
        a = go(w, depth + 1)
        w[0] = a
        w[1:] *= y
        return a * go(w * 0.5, depth + 2) + np.sum(w)

    return go(v, 0)


@program("run-time recursion", args=lambda: (uniform(4), 0.7), wrt=(0, 1))
def result_overwritten_in_a_loop(v, y):
    def go(t):
        if np.sum(t) < 1.0:
            return t * y
        r = go(t * 0.6)
        for k in range(1, len(t)):
            r[k] = r[k - 1] * t[k]
        r[0] += y
        return r * t

    return np.sum(go(v))


@program("run-time recursion", args=lambda: (uniform(3, 3), 0.7), wrt=(0, 1))
def rows_of_a_matrix_and_a_while_loop(A, y):
    def go(B, depth):
        s = np.zeros(3)
        for i in range(3):
            t = B[i] @ B[i]
            while t > 1.0:
                t = 0.5 * t
            s[i] = t * y
        if np.sum(B * B) < 0.5:
            return s
        return s + go(0.5 * B + 0.01 * s, depth + 1)

    return np.sum(go(A, 0) ** 2)


Node = namedtuple("Node", "value children")
TREE = Node(0, (Node(1, (Node(2, ()), Node(3, (Node(4, ()),)))), Node(5, ())))


@program("run-time recursion", args=lambda: (uniform(6), 0.7), wrt=(0, 1))
def fold_over_a_tree_of_objects(w, y):
    def fold(node):
        total = w[node.value]
        for child in node.children:
            total = total + math.tanh(fold(child)) * y
        return total

    return fold(TREE) ** 2


CHILDREN = [[1, 2], [3], [], [4, 5], [], []]


@program("run-time recursion", args=lambda: (uniform(6), 0.7), wrt=(0, 1))
def fold_over_lists_of_children(w, y):
    def fold(k):
        total = w[k]
        for child in CHILDREN[k]:
            total = total * (1.0 + y * fold(child))
        return total

    return fold(0)


@program("run-time recursion", args=lambda: (uniform(5), 0.7), wrt=(0, 1))
def several_results_and_a_loop(v, y):
    def best(lo, hi):
        if hi - lo == 1:
            return v[lo], v[lo] ** 2
        mid = (lo + hi) // 2
        a, p = best(lo, mid)
        b, q = best(mid, hi)
        s = 0.0
        for k in range(lo, hi):
            s += v[k] * a
        return a * y + b, s * p + q

    a, p = best(0, len(v))
    return a * p


@program("run-time recursion", args=lambda: (uniform(6),))
def quick_sort_weights(x):
    def sort(values):
        if len(values) < 2:
            return 0.0 if len(values) == 0 else values[0]
        small, large = [], []
        for v in values[1:]:
            if v < values[0]:
                small.append(v)
            else:
                large.append(v)
        return sort(small) * 0.5 + values[0] ** 2 + sort(large) * 2.0

    return sort([v * v for v in x])


@program("run-time recursion", args=lambda: (2.1, 0.7), wrt=(0, 1))
def tuples_on_a_list_handed_down(x, y):
    def visit(t, out):
        if t < 0.3:
            out.append((t, t * y))
            return
        visit(0.5 * t, out)
        out.append((t * y, t))
        visit(0.3 * t, out)

    out = []
    visit(x, out)
    total = 0.0
    for a, b in out:
        total = total * 0.9 + a * b * b
    return total


@program("run-time recursion", args=lambda: (2.1, 0.7), wrt=(0, 1))
def lists_on_a_list_handed_down(x, y):
    def visit(t, out):
        row = []
        u = t
        while u > 0.25:
            row.append(u * y)
            u = u * 0.6
        out.append(row)
        if t > 0.4:
            visit(0.5 * t, out)

    out = []
    visit(x, out)
    total = 0.0
    for row in out:
        s = 1.0
        for v in row:
            s = s * (1.0 + v)
        total += s
    return total


@program("run-time recursion", args=lambda: (uniform(4), 0.7), wrt=(0, 1))
def arrays_on_a_list_handed_down(v, y):
    def visit(t, out):
        if np.sum(t) < 0.8:
            out.append(t * y)
            return
        visit(0.5 * t, out)
        out.append(t)
        visit(0.3 * t + 0.05, out)

    out = []
    visit(v, out)
    total = np.zeros(4)
    for part in out:
        total = total * y + part**2
    return np.sum(total)


@program("run-time recursion", args=lambda: (1.3, 0.7), wrt=(0, 1))
def nested_function_with_a_loop_around_it(x, y):
    total = 0.0
    for k in range(3):

        def go(t):
            if t < 0.4 * (k + 1):
                return t * y
            s = 0.0
            for j in range(k + 1):
                s += go(t * 0.6) * (j + 1.0)
            return s

        total += go(x * (k + 1.0))
    return total


@program("run-time recursion", args=lambda: (np.array([1.2, 0.4]), 0.3), wrt=(0, 1))
def adaptive_runge_kutta(x, tol):
    def rhs(s):
        return np.array([s[1], -np.sin(s[0])])

    def step(s, h):
        k1 = rhs(s)
        k2 = rhs(s + 0.5 * h * k1)
        return s + h * k2

    def advance(s, h):
        big = step(s, h)
        half = step(step(s, 0.5 * h), 0.5 * h)
        if np.max(np.abs(big - half)) < 0.01:
            return half + (half - big) / 3.0
        return advance(advance(s, 0.5 * h), 0.5 * h)

    end = advance(x, 1.5)
    return end @ end * tol


@program("run-time recursion", args=lambda: (2.3, 0.6), wrt=(0, 1))
def hanoi_of_products(x, y):
    def move(t, n):
        if n == 0 or t < 0.2:
            return 1.0 + t
        left = move(t * y, n - 1)
        s = 0.0
        for k in range(n):
            if k % 2 == 0:
                continue
            s += left / (k + 1.0)
        return left * move(t * 0.5 + 0.01 * s, n - 1)

    return move(x, 4)


@program("run-time recursion", args=lambda: (2.1, 0.7), wrt=(0, 1), refused="may")
def fresh_list_as_result(x, y):
    def visit(t):
        out = []
        out.append(t * y)
        if t < 0.3:
            return out
        below = visit(t * 0.5)
        for k in range(len(below)):
            out.append(below[k] * y + t)
        return out

    found = visit(x)
    s = 0.0
    for k in range(len(found)):
        s += found[k] ** 2 * (k + 1.0)
    return s


@program("run-time recursion", args=lambda: (2.1, 0.7), wrt=(0, 1), refused="may")
def same_list_twice_as_result(x, y):
    def visit(t):
        a = []
        a.append(t * y)
        if t < 0.3:
            return a, a
        c, d = visit(t * 0.6)
        c.append(t)
        a.append(d[-1] * c[0])
        return a, a

    a, b = visit(x)
    a.append(x)
    return sum(a) * sum(b)


@program("run-time recursion", args=lambda: (2.1, 0.7), wrt=(0, 1))
def list_given_or_made(x, y):
    def pick(v, t):
        if t < 0.5:
            return v
        w = []
        for k in range(len(v)):
            w.append(v[k] * t)
        return pick(w, t * y)

    v = []
    u = x
    while u > 0.4:
        v.append(u)
        u = u * 0.6
    r = pick(v, x)
    q = pick(v, 0.1 * y)
    s = 0.0
    for k in range(len(r)):
        s += r[k] * q[k] + v[k]
    return s


@program("run-time recursion", args=lambda: (uniform(6),), refused="may")
def result_is_the_list_itself(x):
    def drop(v, s):
        if s < 0.8:
            return v
        return drop(v[1:], s * 0.6 + 0.1 * v[0])

    values = []
    for k in range(len(x)):
        values.append(x[k] ** 2)
    kept = drop(values, 2.0)
    kept.append(x[0])
    return sum(v * v for v in kept) + sum(values)


@program("run-time recursion", args=lambda: (5.0,))
def list_of_halves(x):
    def halves(y):
        if y < 1.0:
            return [y]
        return [*halves(y * 0.5), y]

    return sum(halves(x)) * x


@program("run-time recursion", args=lambda: (0.7, 1.1, 3))
def active_list_grows_where_only_a_shape_is_asked_for(x, y, n):
    def go(v, k, kept):
        if k == 0:
            return v
        kept.append(v * v)
        return go(v * 0.5, k - 1, kept)

    kept = []
    z = np.ones_like(go(x, n, kept))
    return z * sum(kept) * y


@program("run-time recursion", args=lambda: (0.7, 1.1, 3))
def active_array_is_filled_in_a_condition(x, y, n):
    def go(v, k, kept):
        if k == 0:
            return v
        kept[k - 1] = v * v
        return go(v * 0.5, k - 1, kept)

    kept = np.zeros(n)
    if go(x, n, kept) > 0:
        return np.sum(kept) * y
    return x


# --- recursions inside expressions


@program("run-time recursion, list comprehensions", args=lambda: (0.7, 5), wrt=0)
def recursion_in_a_generator_expression(x, n):
    def binomial(k, j):
        return 1.0 if j in (0, k) else binomial(k - 1, j - 1) * x + binomial(k - 1, j)

    return sum(binomial(n, j) for j in range(n + 1))


@program("run-time recursion, list comprehensions", args=lambda: (0.7, 5), wrt=0)
def recursion_in_comprehensions(x, n):
    def power(k):
        return x if k <= 0 else power(k - 1) * x

    listed = [power(j) for j in range(n)]
    keyed = {j: power(j) for j in range(n)}
    return listed[2] * keyed[1] + max(power(j) for j in range(n))


@program("run-time recursion, list comprehensions", args=lambda: (0.7, 4), wrt=0)
def recursion_that_stores_in_a_comprehension(x, n):
    seen = []

    def depth(k):
        seen.append(x * k)
        return 0 if k <= 0 else depth(k - 1) + 1

    depths = [depth(j) for j in range(n + 1)]
    return sum(seen) * depths[-1]


@program("run-time recursion, effects in conditions", args=lambda: (0.7, 4), wrt=0)
def recursion_that_stores_in_any(x, n):
    total = [x]

    def depth(k):
        total[0] = total[0] * x + 1.0
        return 0 if k <= 0 else depth(k - 1) + 1

    if any(depth(j) > 1 for j in range(n)):
        return total[0]
    return x


@program("run-time recursion, order of evaluation", args=lambda: (1.1, 3), wrt=0)
def read_before_a_recursion_changes_it(x, n):
    seen = [x]

    def grow(k):
        seen.append(x * k)
        return x if k <= 0 else grow(k - 1) + 1.0

    return sum(seen) * grow(n) + seen[-1] + len(seen) * grow(1)


@program("run-time recursion, for", args=lambda: (1.1, 3), wrt=0)
def loop_over_what_a_recursion_makes_longer(x, n):
    seen = [x, 1.0]

    def grow(k):
        seen.append(x * k)
        return x if k <= 0 else grow(k - 1) + 1.0

    total = 0.0
    for v in seen:
        total += v * x
        if len(seen) < 12:
            total += grow(n)
    return total


def kept_in_a_list(w, n):
    held = []
    for _k in range(n):
        held.append(w)
        w[2] *= 0.5
    return np.sum(held) + np.sum(held[0] * held[-1])


def kept_in_lists(k, v, w):
    if k == 0:
        return np.sum(v)
    return kept_in_lists(k - 1, w, v) + kept_in_a_list(w, k)


@program("run-time recursion, local lists", args=lambda: (uniform(4), uniform(4), 3), wrt=(0, 1))
def lists_of_an_array_that_is_overwritten(v, w, n):
    return kept_in_lists(n, v, w)


def rows_kept(k, w):
    if k == 0:
        return np.sum(w)
    held = [w for _j in range(k)]
    w[1] *= 0.5
    return rows_kept(k - 1, w) + np.sum(held) * k


@program("run-time recursion, local lists", args=lambda: (uniform(4), 3), wrt=(0,))
def comprehensions_of_an_array_that_is_overwritten(w, n):
    return rows_kept(n, w)
