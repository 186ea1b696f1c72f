"""Straight-line code: formulas over numbers and arrays."""

import math

import numpy as np

from tests.language.corpus import normal, program, uniform


@program("straight line", args=lambda: (2.0, 5.0))
def textbook(x1, x2):
    return math.log(x1) + x1 * x2 - math.sin(x2)


@program("straight line", args=lambda: (1.3, 0.4, 2.0))
def overwritten_local(a, b, c):
    t = a * b
    u = t + c
    t = u * math.exp(-t)
    u = t * u
    return t + u


@program("straight line", args=lambda: (0.3, -0.7, 1.9))
def common_subexpressions(x, y, z):
    s = x * y + z
    d = x * y - z
    p = s * d
    return p * p + s / (1.0 + d * d)


@program("straight line", args=lambda: (1.7,))
def one_parameter_many_uses(x):
    a = x * x
    b = a * x
    c = b * a
    return a + b * c - c / x


@program("straight line", args=lambda: (6371.0, 0.9, 0.2, 0.8, 0.6))
def haversine(radius, lat1, lon1, lat2, lon2):
    """Great-circle distance between two points given in radians."""
    dlat = lat2 - lat1
    dlon = lon2 - lon1
    a = math.sin(dlat / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin(dlon / 2) ** 2
    return 2 * radius * math.asin(math.sqrt(a))


@program("straight line", args=lambda: (100.0, 105.0, 0.25, 0.03, 0.75))
def black_scholes_call(S, K, sigma, r, T):
    d1 = (math.log(S / K) + (r + 0.5 * sigma**2) * T) / (sigma * math.sqrt(T))
    d2 = d1 - sigma * math.sqrt(T)
    N1 = 0.5 * (1.0 + math.erf(d1 / math.sqrt(2.0)))
    N2 = 0.5 * (1.0 + math.erf(d2 / math.sqrt(2.0)))
    return S * N1 - K * math.exp(-r * T) * N2


@program("straight line", args=lambda: (normal(7), uniform(7), 0.3))
def weighted_residual(r, w, c):
    scaled = w * r
    shifted = scaled - c
    return np.sum(shifted * shifted / (1.0 + w))


@program("straight line", args=lambda: (300.0, 2.5, 0.08))
def van_der_waals(T, n, V):
    R = 8.314462618
    a, b = 0.1355, 3.2e-5
    repulsive = n * R * T / (V - n * b)
    attractive = a * n**2 / V**2
    return repulsive - attractive


@program("straight line", args=lambda: (normal(3, 4), normal(4, 2), normal(2)))
def dense_layer(X, W, b):
    z = X @ W + b
    h = np.tanh(z)
    return np.mean(h * h)


@program("straight line", args=lambda: (normal(4), normal(4, seed=1)), second=False)
def vector_result(x, y):
    u = x * y
    v = np.exp(-u)
    return v * x - y


@program("straight line", args=lambda: (normal(5), 1.5))
def result_is_an_argument_after_all(x, unused):
    y = np.sin(x) * unused
    y = x
    return np.sum(y * y)


@program("straight line", args=lambda: (2.0, 3.0))
def parameter_without_influence(x, y):
    z = y * 2.0
    z = x
    return z * z


@program("arrays of computed parts", args=lambda: (uniform(4),))
def np_r_and_np_c(x):
    s = np.r_[1, -1, -1, -1]
    q = x * s
    w = np.c_[np.sqrt(q**2), x]
    return np.sum(w @ np.r_[2.0, 3.0]) + np.sum(np.r_[0:3, x][2:6] * np.r_[1.0:5.0:1])


@program("arrays of computed parts", args=lambda: (uniform(4), 3))
def np_r_of_ranges_and_lists(x, n):
    t = np.r_[0:1:5j]
    u = np.r_[n, x, [1.0, 2.0]]
    v = np.c_[x, x**2, np.ones(4)]
    return np.sum(t) * np.sum(u**2) + np.sum(v[:, 1] * v[:, 2]) + np.sum(np.c_[[1, 2, 3, 4]] * x)
