"""Every operator, on numbers and arrays, broadcast each way."""

import math
import operator

import numpy as np

from tests.language.corpus import normal, program, uniform


@program("operators", args=lambda: (1.5, -0.4, 2.2))
def plus_minus_signs(a, b, c):
    return -(a - b) - (-c) + (+a) * (-b - +c)


@program("operators", args=lambda: (1.5, 0.4, 2.2, 3.3))
def chained_division(a, b, c, d):
    return a / b / c * d / (a + d)


@program("operators", args=lambda: (1.5, 2.3))
def powers_both_ways(x, p):
    return x**p + p**x + x**2 + 2.0**p + x**-1.5


@program("operators", args=lambda: (0.7, -1.2))
def integer_powers(x, y):
    return x**3 + y**2 - y**3 * x**1 + x**0 + y**-2


@program("operators", args=lambda: (7.3, 2.1))
def floor_and_modulo(x, y):
    return x % y + (x // y) * y * y + (-x) % y


@program("operators", args=lambda: (uniform(5), uniform(5, seed=1)))
def modulo_of_arrays(x, y):
    return np.sum((10.0 * x) % y + (10.0 * x) // y * x)


@program("operators", args=lambda: (normal(4), 2.0))
def number_with_array(x, a):
    return np.sum(a * x + x / a - a / (3.0 + x * x) + (a - x) ** 2)


@program("operators", args=lambda: (normal(4, 1), normal(5, seed=1), normal(1, 5, seed=2)))
def outer_by_broadcasting(col, row, one_row):
    table = col * row + one_row / (2.0 + col**2) - row
    return np.sum(table * table)


@program("operators", args=lambda: (normal(3, 4), normal(4, 2, seed=1), normal(2, seed=2), normal(3, seed=3)))
def matrix_products(A, B, v, u):
    return u @ A @ B @ v + np.sum(A @ B)


@program("operators", args=lambda: (normal(2, 3, 4), normal(4, 3, seed=1), normal(2, 3, 3, seed=2)))
def batched_matrix_products(A, B, C):
    return np.sum((A @ B) * C) + np.sum(np.sin(C @ A))


@program("operators", args=lambda: (1.1, 0.3))
def operator_module(x, y):
    return operator.mul(x, y) + operator.truediv(x, operator.add(x, y)) - operator.neg(operator.pow(x, 2))


@program("operators", args=lambda: (uniform(6), uniform(6, seed=1)))
def array_powers(x, p):
    return np.sum(x**p) + np.sum(2.0**x) + np.sum(x**2) + np.sum(x**0.5) + np.sum(x**-1)


@program("operators", args=lambda: (-2.5, 1.5))
def builtins_on_numbers(x, y):
    return abs(x) * y + pow(y, 3) + max(x, y) * min(x, y) + divmod(x, y)[1] + float(y)


@program("operators", args=lambda: (3.0, np.array([1, 2, 3])))
def integers_in_float_code(x, k):
    return np.sum(x**k) + np.sum(k * x) + x * k[1] + 7 // 2 * x + 7 % 4 / x


@program("operators", args=lambda: (normal(5),))
def comparison_results_as_numbers(x):
    return np.sum((x > 0) * x) + np.sum((x < 0.5) * (x >= -1.0) * np.exp(x))


@program("operators", args=lambda: (0.8, 0.2))
def math_functions(x, y):
    a = math.sqrt(x) + math.exp(-y) + math.log1p(x * y) + math.atan2(y, x)
    return a * math.hypot(x, y) + math.tanh(x) - math.cosh(y) + math.pow(x, y) + math.fabs(-y)


@program("operators", args=lambda: (normal(3, 3),))
def inverted_masks(x):
    big = x > 0.1
    return np.sum(x[~big] ** 2) + np.sum(x[big & (x < 1.0)]) * 3.0 + np.sum(x[big | (x < -0.5)] ** 3)
