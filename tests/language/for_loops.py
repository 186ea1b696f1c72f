"""`for` over ranges, arrays, lists, enumerate and zip."""

import json
import math

import numpy as np

from tests.language.corpus import normal, program, uniform


@program("for range", args=lambda: (0.1, 1.3, 0.01, 40))
def logistic_growth(x: float, r: float, h: float, n: int) -> float:
    for i in range(n):
        x = x + h * r * x * (1.0 - x)
    return x


@program("for range", args=lambda: (1.1, 5))
def product_by_loop(x, n):
    p = 1.0
    for k in range(n):
        p = p * (x + k)
    return p


@program("for range", args=lambda: (0.7, 8))
def taylor_sine(x, terms):
    total, term = 0.0, x
    for k in range(1, terms):
        total += term
        term = -term * x * x / ((2 * k) * (2 * k + 1))
    return total


@program("for range", args=lambda: (uniform(5), 0.3))
def polynomial_by_horner(coefficients, x):
    p = 0.0
    for i in range(len(coefficients)):
        p = p * x + coefficients[i]
    return p


@program("for range", args=lambda: (normal(6), 0.9))
def discounted_return(rewards, gamma):
    total, weight = 0.0, 1.0
    for t in range(rewards.size):
        total += weight * rewards[t]
        weight *= gamma
    return total


@program("for range", args=lambda: (1.0, 0.0, 0.1, 20))
def pendulum(theta, omega, h, steps):
    for _ in range(steps):
        omega = omega - h * math.sin(theta)
        theta = theta + h * omega
    return theta


@program("for range", args=lambda: (normal(3, 3) / 3, normal(3), 4))
def power_iteration(A, v, k):
    for _ in range(k):
        w = A @ v
        v = w / np.sqrt(w @ w)
    return v @ A @ v


@program("for range", args=lambda: (normal(4), 3))
def array_carried(x, n):
    y = x
    for _ in range(n):
        y = np.sin(y) + x
    return np.sum(y * y)


@program("for range", args=lambda: (0.5, 6))
def index_used_in_formula(x, n):
    s = 0.0
    for k in range(n):
        s += x**k / (k + 1.0) + math.cos(k * x)
    return s


@program("for range", args=lambda: (0.3, 0.2, 7))
def two_carried_values(a, b, n):
    for i in range(n):
        a, b = a + 0.1 * b * b, b - 0.1 * a
    return a * b


@program("for range", args=lambda: (1.5, 4))
def loop_variable_after_loop(x, n):
    for i in range(n):
        y = x * i
    return y * i + x


@program("reversed and stepped range", args=lambda: (uniform(5), 0.3))
def horner_backwards(c, x):
    p = 0.0
    for i in reversed(range(len(c))):
        p = p * x + c[i]
    return p


@program("reversed and stepped range", args=lambda: (uniform(5), 0.3))
def horner_with_negative_step(c, x):
    p = c[-1]
    for i in range(len(c) - 2, -1, -1):
        p = p * x + c[i] * p
    return p


@program("reversed and stepped range", args=lambda: (normal(9),))
def simpson(f):
    total = f[0] + f[-1]
    for i in range(1, 8, 2):
        total = total + 4.0 * f[i]
    for i in range(2, 8, 2):
        total = total + 2.0 * f[i]
    return (total / 24.0) ** 2


@program("reversed and stepped range", args=lambda: (normal(6), uniform(6, seed=1)))
def back_substitution_bidiagonal(b, d):
    x = np.zeros(6)
    x[5] = b[5] / d[5]
    for i in range(4, -1, -1):
        x[i] = (b[i] - 0.5 * x[i + 1]) / d[i]
    return x @ x


@program("reversed and stepped range", args=lambda: (1.2, 10, 3))
def step_from_argument(x, n, step):
    y = x
    for k in range(0, n, step):
        y = y * x + k
    return y


@program("reversed and stepped range", args=lambda: (0.4, 9))
def range_from_expression(x, n):
    y = 1.0
    for k in range(n // 2, n - 1):
        y = y + k * x * y
    return y


@program("reversed and stepped range", args=lambda: (normal(7), 0.6))
def exponential_smoother_both_ways(x, a):
    level = x[0]
    for i in range(1, len(x)):
        level = a * x[i] + (1 - a) * level
    for i in range(len(x) - 1, 0, -1):
        level = a * x[i] * level + (1 - a) * level
    return level


@program("reversed and stepped range", args=lambda: (1.1, 12))
def stepped_range_with_uneven_end(x, n):
    s = 0.0
    for i in range(1, n, 5):
        s = s + x**i
    for i in range(n, 1, -7):
        s = s * x + i
    return s


@program("nested for", args=lambda: (normal(3, 3), normal(3)))
def quadratic_form_by_loops(A, x):
    s = 0.0
    for i in range(3):
        for j in range(3):
            s += x[i] * A[i, j] * x[j]
    return s


@program("nested for", args=lambda: (normal(4, 2),))
def pairwise_potential(points):
    energy = 0.0
    n = len(points)
    for i in range(n):
        for j in range(i + 1, n):
            d = points[i] - points[j]
            r2 = d @ d
            energy += 1.0 / (0.5 + r2)
    return energy


@program("nested for", args=lambda: (normal(3, 4), normal(4, 2)))
def matrix_product_by_loops(A, B):
    C = np.zeros((3, 2))
    for i in range(3):
        for j in range(2):
            for k in range(4):
                C[i, j] += A[i, k] * B[k, j]
    return np.sum(C**2)


@program("nested for", args=lambda: (0.3, 4, 3))
def inner_loop_carries_outer_value(x, n, m):
    y = x
    for i in range(n):
        z = y
        for j in range(m):
            z = z * y + 0.1 * x
        y = 0.5 * z + 0.1 * y
    return y


@program("nested for", args=lambda: (0.2, 4))
def triangular_loops(x, n):
    total = 0.0
    for i in range(n):
        part = 1.0
        for j in range(i):
            part = part * (x + j)
        total = total + part
    return total


@program("nested for", args=lambda: (uniform(4, 4) + 4 * np.eye(4),))
def lu_determinant(A):
    U = A.copy()
    n = len(U)
    for k in range(n):
        for i in range(k + 1, n):
            factor = U[i, k] / U[k, k]
            for j in range(k, n):
                U[i, j] -= factor * U[k, j]
    det = 1.0
    for k in range(n):
        det *= U[k, k]
    return det


@program("nested for", args=lambda: (uniform(3, 3), 3))
def cholesky_by_hand(S, n):
    A = S @ S.T + n * np.eye(n)
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = A[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            if i == j:
                L[i, j] = np.sqrt(s)
            else:
                L[i, j] = s / L[j, j]
    return np.sum(L)


@program("nested for", args=lambda: (normal(5, 5), 2))
def jacobi_sweeps(u, sweeps):
    for _ in range(sweeps):
        v = u.copy()
        for i in range(1, 4):
            for j in range(1, 4):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]) + 0.1 * u[i, j] ** 2
        u = v
    return np.sum(u**2)


@program("zero-trip loop", args=lambda: (2.0, 0))
def no_iterations(x, n):
    y = x
    for _ in range(n):
        y = y * y
    return y * x


@program("zero-trip loop", args=lambda: (2.0, 3))
def sometimes_no_iterations(x, n):
    total = 0.0
    for i in range(n):
        p = x
        for _ in range(i - 1):
            p = p * x
        total += p
    return total


@program("zero-trip loop", args=lambda: (1.5, np.zeros((0, 2))))
def empty_array(x, rows):
    s = x
    for row in rows:
        s = s + row[0] * x
    return s * s


@program("zero-trip loop", args=lambda: (1.5, []))
def empty_list(x, items):
    s = x
    for item in items:
        s = s * item
    return s * s


@program("zero-trip loop", args=lambda: (1.5, 4, 2))
def backwards_range_is_empty(x, a, b):
    s = x
    for k in range(a, b):
        s = s * k
    return s * x


@program("zero-trip loop", args=lambda: (1.5,))
def while_never_entered(x):
    y = x * x
    while y < 1.0:
        y = y * 2.0
    return y * x


@program("zero-trip loop", args=lambda: (normal(3), 0))
def store_never_happens(x, n):
    y = x * 2.0
    for i in range(n):
        y[i] = 0.0
    return np.sum(y * x)


@program("zero-trip loop", args=lambda: (0.8, 0))
def zip_of_empty(x, n):
    a = [x * k for k in range(n)]
    s = x
    for u, v in zip(a, a):
        s += u * v
    return s * s


@program("for over array", args=lambda: (normal(6),))
def sum_of_squares(x):
    s = 0.0
    for v in x:
        s += v * v
    return s


@program("for over array", args=lambda: (normal(4, 3), normal(3, seed=1)))
def rows(A, w):
    out = 0.0
    for row in A:
        out = out + np.tanh(row @ w)
    return out


@program("for over array", args=lambda: (normal(4, 3),))
def columns_through_transpose(A):
    best = 1.0
    for column in A.T:
        best = best * (1.0 + column @ column)
    return best


@program("for over array", args=lambda: (normal(5), 0.2))
def recurrent_net(xs, w):
    h = 0.0
    for x in xs:
        h = np.tanh(w * h + x)
    return h * h


@program("for over array", args=lambda: (0.5, np.linspace(0.0, 1.0, 5)))
def over_constant_grid(a, grid):
    area = 0.0
    for t in grid[1:]:
        area += math.exp(-a * t) * 0.25
    return area


@program("for over array", args=lambda: (normal(2, 3, 2),))
def nested_over_array(cube):
    s = 0.0
    for plane in cube:
        for row in plane:
            s += row[0] * row[1] * np.sum(plane)
    return s


@program("for over array", args=lambda: (normal(5),))
def over_a_slice_and_a_product(x):
    s = 1.0
    for v in x[1:] * x[:-1]:
        s = s * (2.0 + v)
    return s


@program("for over array", args=lambda: (normal(4), np.array([2, 0, 3, 2])))
def over_indices(x, order):
    s = x[0]
    for i in order:
        s = s * 0.5 + x[i] * i
    return s * s


@program("for over array", args=lambda: (normal(4, 3),))
def rows_summed_in_place(A):
    total = np.zeros(3)
    for row in A:
        total += row * row
    return total @ total


@program("for over list", args=lambda: ([0.5, 1.5, -0.3],))
def over_list_of_numbers(values):
    s = 0.0
    for v in values:
        s += math.sin(v) * s + v
    return s


@program("for over list", args=lambda: (0.6,))
def over_literal_list(x):
    y = x
    for c in [1.0, 0.5, 0.25]:
        y = y + c * x * y
    return y


@program("for over list", args=lambda: ([normal(3, 2), normal(2, 4, seed=1), normal(4, 1, seed=2)], normal(3)))
def layers(weights, x):
    for W in weights:
        x = np.tanh(x @ W)
    return x[0]


@program("for over list", args=lambda: (normal(3),))
def over_built_list(x):
    powers = [x, x * x, x**3]
    total = 0.0
    for p in powers:
        total += np.sum(p)
    return total * total


@program("for over list", args=lambda: ([(0.2, 1.1), (1.0, -0.4), (2.0, 0.3)], 0.5))
def over_list_of_pairs(data, slope):
    loss = 0.0
    for x, y in data:
        loss += (slope * x - y) ** 2
    return loss


@program("for over list", args=lambda: (0.3, 0.8))
def over_tuple_of_arguments(x, y):
    total = 1.0
    for v in (x, y, x * y):
        total = total * (1.0 + v * v)
    return total


@program("for over list", args=lambda: (0.7,))
def over_list_of_functions(x):
    s = 0.0
    for g in [math.sin, math.exp, lambda t: t * t]:
        s += g(x)
    return s


@program("for over list", args=lambda: (1.2, ["double", "square", "double"]))
def over_list_of_strings(x, commands):
    for c in commands:
        if c == "double":
            x = 2.0 * x
        else:
            x = x * x
    return x


@program("enumerate", args=lambda: (normal(5),))
def enumerate_array(x):
    s = 0.0
    for i, v in enumerate(x):
        s += (i + 1) * v * v
    return s


@program("enumerate", args=lambda: ([0.3, 0.6, 0.9], 0.4))
def enumerate_list(c, x):
    p = 0.0
    for k, ck in enumerate(c):
        p += ck * x**k
    return p


@program("enumerate", args=lambda: (normal(3, 4),))
def enumerate_rows(A):
    s = 0.0
    for i, row in enumerate(A):
        s += row[i] * np.sum(row)
    return s


@program("enumerate", args=lambda: (normal(4),))
def enumerate_with_start(x):
    s = 1.0
    for n, v in enumerate(x, start=2):
        s = s + v**n / n
    return s


@program("enumerate", args=lambda: (normal(5), normal(5, seed=1)))
def enumerate_and_other_array(x, y):
    out = np.empty(5)
    for i, v in enumerate(x):
        out[i] = v * y[-i]
    return np.sum(np.sin(out))


@program("enumerate", args=lambda: (normal(6), 0.3))
def enumerate_with_condition(x, w):
    s = 0.0
    for i, v in enumerate(x):
        if i % 2:
            s += w * v
        else:
            s -= v * v * w
    return s * s


@program("enumerate", args=lambda: ([normal(2), normal(3)], 1.5))
def enumerate_arrays_of_other_lengths(parts, a):
    s = 0.0
    for i, p in enumerate(parts):
        s += a**i * np.sum(p * p)
    return s


@program("enumerate", args=lambda: (0.4, 0.7))
def enumerate_tuple(x, y):
    s = 0.0
    for i, v in enumerate((x, y, x - y), 1):
        s += v**i
    return s


@program("zip", args=lambda: (normal(4), normal(4, seed=1)))
def dot_by_zip(x, y):
    s = 0.0
    for a, b in zip(x, y):
        s += a * b
    return s * s


@program("zip", args=lambda: ([normal(3, 3), normal(3, 2, seed=3)], [normal(3), normal(2)], normal(3)))
def layers_with_biases(Ws, bs, x):
    for W, b in zip(Ws, bs):
        x = np.tanh(x @ W + b)
    return np.sum(x)


@program("zip", args=lambda: (uniform(5),))
def successive_differences(x):
    s = 0.0
    for a, b in zip(x[:-1], x[1:]):
        s += (b - a) ** 2 / a
    return s


@program("zip", args=lambda: (0.5, [1.0, 2.0, 4.0], [0.3, 0.1, 0.2]))
def mixture(x, means, weights):
    p = 0.0
    for m, w in zip(means, weights):
        p += w * math.exp(-0.5 * (x - m) ** 2)
    return math.log(p)


@program("zip", args=lambda: (normal(5), normal(3)))
def zip_of_unequal_lengths(x, y):
    s = 0.0
    for a, b in zip(x, y):
        s += a * np.exp(b)
    return s


@program("zip", args=lambda: (normal(3), normal(3, seed=1), normal(3, seed=2)))
def enumerate_of_zip(a, b, c):
    s = 0.0
    for i, (u, v, w) in enumerate(zip(a, b, c)):
        s += u * v * w * (i + 1)
    return s


@program("zip", args=lambda: (normal(4), 0.5))
def zip_with_range(x, q):
    s = 0.0
    for k, v in zip(range(1, 10, 2), x):
        s += v * q**k
    return s


@program("zip", args=lambda: ((0.1, 0.4), (2.0, 3.0)))
def zip_of_tuples(p, q):
    kl = 0.0
    for a, b in zip(p, q):
        kl += a * math.log(a / b)
    return kl


@program("for range", args=lambda: (0.7, 5))
def emptied_in_an_inner_loop(x, n):
    stock = 0.0
    sold = 0.0
    for k in range(n):
        for j in range(2):
            sold += stock * (k + j)
            stock = 0.0
        stock += x * x
    return sold + stock


@program("for range", args=lambda: (normal(5),))
def differences_of_neighbours(x):
    s = 0.0
    for k in range(len(x)):
        if k > 0:
            s = s + (x[k] - previous) ** 2
        previous = x[k] * x[k]
    return s


@program("for range", args=lambda: (normal(3),))
def vector_of_the_turn_before(x):
    s = 0.0
    for k in range(4):
        if k > 0:
            s = s + u @ x
        u = np.sin(x) * k
    return s + u[0]


@program("for range", args=lambda: (0.7, normal(5)))
def last_of_none_yet(x, v):
    for k in range(4):
        for e in v[:k]:
            x = x * (1.0 + 0.1 * e)
        if k > 1:
            x = x + e * e
    return x


@program("for range", args=lambda: (0.7, normal(5)))
def value_from_the_second_turn_on(x, v):
    for k in range(4):
        if k > 0:
            e = v[k]
        if k > 1:
            x = x + e * e * x
    return x


@program("for range", args=lambda: (0.7, normal(5)))
def piece_of_an_earlier_turn(x, v):
    for k in range(4):
        if k > 0:
            x = x + e[1] * e[0] * x
        else:
            x = np.sin(x)
        if k < 2:
            e = v[k : k + 2] * x
        x = x * 2.0
    return x


@program("reversed and stepped range", args=lambda: (1.3,))
def backwards_over_what_text_held(x):
    coefficients = json.loads("[1.0, 2.0, 3.0]")
    total = 0.0
    for c in reversed(coefficients):
        total = total * x + c
    return total
