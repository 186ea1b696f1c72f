"""`while`, and leaving loops early: break, continue, return."""

import itertools
import math

import numpy as np

from tests.language.corpus import normal, program, uniform


@program("while", args=lambda: (7.0, 2.5))
def newton_root(a: float, p: float) -> float:
    x = a
    n = 0
    while abs(x**p - a) > 1e-12:
        x = x - (x**p - a) / (p * x ** (p - 1.0))
        n += 1
        if n == 50:
            break
    return x


@program("while", args=lambda: (0.3,))
def doubling(x):
    while x < 10.0:
        x = x * 2.0
    return x


@program("while", args=lambda: (1.5, 4))
def count_down(x, n):
    y = 1.0
    while n > 0:
        y = y * x + n
        n -= 1
    return y


@program("while", args=lambda: (5.0, 3.0))
def arithmetic_geometric_mean(a, b):
    while abs(a - b) > 1e-13:
        a, b = 0.5 * (a + b), math.sqrt(a * b)
    return a


@program("while", args=lambda: (1.3, 0.2, 0.1))
def integrate_until(v, drag, h):
    t, height = 0.0, 0.0
    while t < 0.95:
        height = height + h * v
        v = v - h * drag * v * v
        t = t + 0.1
    return height


@program("while", args=lambda: (normal(5), 1e-10), wrt=0)
def normalise_until_small(x, tol):
    y = x
    change = 1.0
    while change > tol:
        z = 0.5 * (y + np.sin(y) * 0.5)
        change = np.max(np.abs(z - y))
        y = z + 0.0 * x
    return np.sum(y * x + x * x)


@program("while", args=lambda: (0.8, 3))
def nested_while(x, n):
    i = 0
    s = x
    while i < n:
        j = 0
        while j < i:
            s = s + 0.1 * s * x
            j += 1
        s = math.sin(s) + x
        i += 1
    return s


@program("while", args=lambda: (0.6, 1e-12), wrt=0)
def kepler_equation(M, tol):
    e = 0.3
    E = M
    while True:
        step = (E - e * math.sin(E) - M) / (1.0 - e * math.cos(E))
        E = E - step
        if abs(step) < tol:
            return E


@program("while", args=lambda: (uniform(6),))
def while_over_array(x):
    i, s = 0, 0.0
    while i < len(x) and s < 3.0:
        s = s + x[i] ** 2
        i = i + 1
    return s * s


@program("while", args=lambda: (2.0, 5.0), refused="may")
def bisection_inside(lo, hi):
    target = 10.0
    a, b = lo, hi
    k = 0
    while k < 6:
        m = 0.5 * (a + b)
        if m * m < target:
            a = m
        else:
            b = m
        k += 1
    return a * b


@program("break", args=lambda: (0.4, 20))
def stop_when_large(x, n):
    y = x
    for _ in range(n):
        y = y + y * x
        if y > 1.5:
            break
    return y


@program("break", args=lambda: (uniform(8), 3.0))
def first_to_exceed(x, limit):
    s = 0.0
    for v in x:
        if s + v > limit:
            break
        s += v
    return s * s + limit


@program("break", args=lambda: (normal(3, 4),))
def break_inner_only(A):
    s = 0.0
    for row in A:
        for v in row:
            if v < -0.5:
                break
            s += v * v
    return s


@program("break", args=lambda: (0.9,))
def while_true_break(x):
    total, term, k = 0.0, 1.0, 0
    while True:
        total = total + term
        k += 1
        term = term * x / k
        if abs(term) < 1e-15:
            break
    return total


@program("break", args=lambda: (1.7, 6))
def break_before_and_after_update(x, n):
    y = 1.0
    for i in range(n):
        if y > 20.0:
            break
        y = y * x
        if i == 3:
            break
        y = y + x
    return y


@program("break", args=lambda: (normal(6), 2))
def break_on_counter_after_store(x, stop):
    y = np.zeros(6)
    for i in range(6):
        y[i] = x[i] ** 2
        if i == stop:
            break
    return np.sum(y * x)


@program("break", args=lambda: (uniform(5), uniform(5, seed=1)))
def break_in_zip(x, y):
    s = 1.0
    for a, b in zip(x, y):
        s = s * (a + b)
        if s > 5.0:
            s = s - a
            break
    return s


@program("break", args=lambda: (0.5, 5))
def break_out_of_two_loops(x, n):
    s = x
    done = False
    for i in range(n):
        for j in range(n):
            s = s * (1.0 + 0.1 * x)
            if s > 0.6:
                done = True
                break
        if done:
            break
    return s * s


@program("break", args=lambda: (0.4, 0.0))
def break_keeps_last_value(x, y):
    last = y
    for c in [1.0, 2.0, 3.0, 4.0]:
        if c * x > 1.4:
            break
        last = last + c * x * x
    return last * c


@program("continue", args=lambda: (normal(7),))
def skip_negatives(x):
    s = 0.0
    for v in x:
        if v < 0:
            continue
        s += v**3
    return s


@program("continue", args=lambda: (0.3, 9))
def skip_multiples(x, n):
    y = 1.0
    for i in range(n):
        if i % 3 == 0:
            continue
        y = y + x * y / i
    return y


@program("continue", args=lambda: (normal(4, 4),))
def skip_diagonal(A):
    s = 0.0
    for i in range(4):
        for j in range(4):
            if i == j:
                continue
            s += A[i, j] * A[j, i]
    return s


@program("continue", args=lambda: (0.6,))
def continue_in_while(x):
    k, s = 0, 0.0
    while k < 6:
        k += 1
        if k == 3:
            continue
        s += x**k
    return s


@program("continue", args=lambda: (normal(6), 0.5))
def continue_after_update(x, w):
    s = 0.0
    for v in x:
        s += w * v
        if v > 0:
            continue
        s -= v * v
        if v > -0.5:
            continue
        s *= 1.5
    return s


@program("continue", args=lambda: (normal(6),))
def continue_and_break(x):
    s = 1.0
    for i, v in enumerate(x):
        if i == 1:
            continue
        if i == 4:
            break
        s = s * (2.0 + v)
    return s


@program("continue", args=lambda: (normal(5), normal(5, seed=1)))
def continue_skips_store(x, y):
    out = x.copy()
    for i in range(5):
        if y[i] < 0:
            continue
        out[i] = y[i] * x[i]
    return np.sum(out**2)


@program("continue", args=lambda: (0.7, [1, 0, 2, 0, 3]))
def continue_on_zero(x, ks):
    y = x
    for k in ks:
        if not k:
            continue
        y = y * x / k + 1.0
    return y


@program("return from a loop", args=lambda: (uniform(6),))
def cumulative_until(x):
    s = 0.0
    for v in x:
        s += v
        if s > 2.0:
            return s * v
    return s


@program("return from a loop", args=lambda: (uniform(6), 100.0))
def never_returns_early(x, limit):
    s = 1.0
    for v in x:
        s *= v
        if s > limit:
            return limit
    return s * s


@program("return from a loop", args=lambda: (1.4, 0.3))
def search_interval(x, y):
    for k in range(10):
        if k * y > x:
            return (k * y - x) ** 2
    return x


@program("return from a loop", args=lambda: (normal(4, 4),))
def return_from_two_loops(A):
    s = 0.0
    for i in range(4):
        for j in range(4):
            s += A[i, j] ** 2
            if s > 4.0:
                return s * A[i, 0]
    return s


@program("return from a loop", args=lambda: (0.2,))
def return_from_while_true(x):
    y = x
    n = 0
    while True:
        y = y + x * math.exp(y)
        n += 1
        if y > 1.0:
            return y + n * x


@program("return from a loop", args=lambda: (0.3, np.array([0.0, 1.0, 2.0, 3.0]), uniform(4)))
def linear_interpolation(t, xs, ys):
    for i in range(len(xs) - 1):
        if xs[i] <= t + 1.0 < xs[i + 1]:
            w = (t + 1.0 - xs[i]) / (xs[i + 1] - xs[i])
            return (1 - w) * ys[i] + w * ys[i + 1]
    return ys[-1]


@program("return from a loop", args=lambda: (2.0, 30))
def returns_at_two_places(x, n):
    y = x
    for i in range(n):
        y = 0.5 * (y + 3.0 / y)
        if abs(y * y - 3.0) < 1e-3:
            return y * x
        if i > 20:
            return -y
    return x


@program("return from a loop", args=lambda: (uniform(5), 2))
def helper_returns_from_loop(x, k):
    def nth_power_above(values, bound):
        for i, v in enumerate(values):
            if v > bound:
                return v**i
        return 0.0

    return nth_power_above(x, 0.5) + x[0] * nth_power_above(x, 1.5) * k


@program("while", args=lambda: (uniform(3),))
def values_of_earlier_turns(x):
    s, k = 0.0, 0
    while k < 4:
        if k > 1:
            s = s + x[0] * last
            if k > 2:
                s = s * older
        if k >= 1:
            older = x[1] * k
            for j in range(2):
                last = np.sum(x) * (k + j)
        k += 1
    return s


@program("while", args=lambda: (3.64, uniform(5), uniform(5, seed=1)), wrt=(0, 1, 2))
def tested_name_that_is_an_item_elsewhere(y, v, w):
    k = 0
    while k < 3 and y > 1.5:
        y -= sum(0.3 * y if v[0] > e else 0.1 * e for e in w)
        k += 1
    s = y if w[1] < 1.0 else y
    return y * s


@program("nested exits", args=lambda: (0.7, 1.1, 4))
def name_left_by_an_endless_inner_loop(a, b, n):
    s, j = 1.0, 7
    for k in range(n):
        ahead = 10
        while True:
            j = ahead
            ahead = j + 1
            s = s * a + j
            if j > 10 + k:
                break
        if k > 0:
            s += b * j
    return s


@program("nested exits", args=lambda: (0.7, 1.1))
def two_counts_without_names(a, b):
    s = 1.0
    for _ in itertools.count():
        for _ in itertools.count(10):
            s = s * a + _
            if _ > 11:
                break
        if s > 40.0:
            break
        s += b * _
    return s


@program("loop else", args=lambda: (normal(4), 0.7))
def names_that_a_rewriting_might_take(x, a):
    next_k, completed, result, subject = a, 1.0, 2.0, x[0]
    for k in itertools.count(1):
        subject += next_k * k
        next_k = next_k * a
        if k > 3:
            break
    for e in x:
        if e > 100.0:
            break
    else:
        completed *= a
    try:
        result = result * subject
    finally:
        result += completed * next_k
    return result


@program("nested exits", args=lambda: (normal(4), 0.7))
def halved_until_small_twice(x, a):
    s = 1.0
    for e in x:
        while True:
            b = s * a
            while True:
                c = b * e
                b = b * 0.7
                if abs(c) < 0.5:
                    break
            s = s * 0.8 + 0.1 * c * c
            if b < 1.0:
                break
        s += b * c
    return s * c
