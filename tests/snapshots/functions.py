"""Representative functions, written as users write them, whose derivatives are kept for review."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Snapshot:
    f: Callable[..., Any]
    args: tuple[Any, ...]
    wrt: Any
    form: str


SNAPSHOTS: dict[str, Snapshot] = {}


def keep(*args: Any, wrt: Any = 0, form: str = "grad") -> Callable[[Any], Any]:
    """Keep a derivative of the function: `form` is grad, value_and_grad, vjp, jvp, or "second" (jvp of grad)."""

    def entered(f: Any) -> Any:
        name = f.__name__ if form == "grad" else f"{f.__name__}_{form}"
        assert name not in SNAPSHOTS
        SNAPSHOTS[name] = Snapshot(f, args, wrt, form)
        return f

    return entered


def vec(n: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).uniform(0.3, 1.3, size=n)


def mat(m: int, n: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).uniform(-1.0, 1.0, size=(m, n))


def spd(n: int) -> Any:
    a = mat(n, n)
    return a @ a.T + n * np.eye(n)


# Straight line


@keep(1.3, 0.4, wrt=("x", "y"))
@keep(1.3, 0.4, wrt=("x", "y"), form="jvp")
@keep(1.3, 0.4, form="second")
def formula(x, y):
    """A formula on numbers."""
    u = x * y + math.sin(x)
    return u / (1.0 + y * y)


@keep(2.0, 3.0, wrt=("p", "t"))
def antoine(p, t):
    log_p = 8.07 - 1730.63 / (t + 233.4)
    return math.sqrt(p * 10.0**log_p)


@keep(vec(4))
@keep(vec(4), form="jvp")
@keep(vec(4), form="second")
def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


@keep(vec(3), 0.2, mat(5, 3), vec(5), wrt=("w", "b"))
@keep(vec(3), 0.2, mat(5, 3), vec(5), wrt=("w", "b"), form="value_and_grad")
def ridge(w, b, X, y):
    r = X @ w + b - y
    return r @ r / len(y) + 0.1 * np.sum(w**2)


@keep(vec(4), 2)
def cross_entropy(z, k):
    z = z - np.max(z)
    return np.log(np.sum(np.exp(z))) - z[k]


@keep(mat(4, 3), form="vjp")
def softmax(z):
    e = np.exp(z - np.max(z, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


@keep(vec(3), mat(4, 3), wrt=("scale", "X"))
def standardised(scale, X):
    mean = np.mean(X, axis=0)
    spread = np.sqrt(np.var(X, axis=0) + 1e-3)
    return np.sum(np.tanh(scale * (X - mean) / spread))


@keep({"W": mat(3, 2), "b": vec(2), "out": vec(2)}, mat(4, 3), vec(4))
def perceptron(p, X, y):
    hidden = np.tanh(X @ p["W"] + p["b"])
    return np.mean((hidden @ p["out"] - y) ** 2)


# Linear algebra


@keep(spd(3), vec(3), wrt=("A", "b"))
def quadratic_form(A, b):
    return b @ np.linalg.solve(A, b)


@keep(spd(3), vec(3))
def gaussian(K, y):
    L = np.linalg.cholesky(K)
    z = np.linalg.solve(L, y)
    return 0.5 * (z @ z) + np.sum(np.log(np.diag(L)))


@keep(mat(3, 4), mat(4, 2), wrt=("A", "B"))
def products(A, B):
    return np.trace(A @ B @ B.T @ A.T) + np.sum(np.einsum("ij,jk->ik", A, B))


@keep(spd(3))
def log_determinant(A):
    return np.linalg.slogdet(A)[1] + np.trace(np.linalg.inv(A))


# Branches


@keep(0.7, 0.4, wrt=("x", "d"))
def huber(x, d):
    if abs(x) <= d:
        return 0.5 * x * x
    return d * (abs(x) - 0.5 * d)


@keep(vec(4), "smooth")
def by_name(x, kind="smooth"):
    if kind == "smooth":
        y = np.log1p(np.exp(x))
    elif kind == "hard":
        y = np.maximum(x, 0.0)
    else:
        raise ValueError(kind)
    return y.sum()


@keep(0.5, None, wrt="x")
def with_default(x, scale=None):
    if scale is None:
        scale = 2.0
    return scale * x**2


@keep(1.3, 0.2, wrt=("x", "y"))
def nested_branches(x, y):
    if x > y:
        r = x * y
        if r > 1.0:  # noqa: SIM108
            r = r * r
        else:
            r = r + x
    else:
        r = y / x
    return r * x if r > 0.0 else -r


# Loops


@keep(0.9, 5)
def power(x, n):
    r = 1.0
    for _ in range(n):
        r *= x
    return r


@keep(0.5, 3.1, 4, wrt=("x", "r"))
@keep(0.5, 3.1, 4, wrt=("x", "r"), form="jvp")
@keep(0.5, 3.1, 4, form="second")
def logistic_map(x, r, steps):
    for _ in range(steps):
        x = r * x * (1.0 - x)
    return x


@keep(vec(5))
def horner(c):
    total = 0.0
    for k in reversed(range(len(c))):
        total = total * 0.7 + c[k]
    return total


@keep(2.0)
@keep(2.0, form="jvp")
def newton(a):
    x = a
    while abs(x * x - a) > 1e-10:
        x = 0.5 * (x + a / x)
    return x


@keep(vec(6))
def until_large(x):
    total = 0.0
    for v in x:
        total += v * v
        if total > 2.0:
            break
    return total


@keep(vec(6), 0.8)
def skipping(x, floor):
    total = 0.0
    for i, v in enumerate(x):
        if v < floor:
            continue
        total += np.sin(v) * i
    return total


@keep(vec(6))
def first_large(x):
    for i in range(len(x)):
        if x[i] > 1.0:
            return x[i] ** 2
    return np.sum(x)


@keep(vec(4), vec(4, 1), wrt=("a", "b"))
def zipped(a, b):
    total = 0.0
    for u, v in zip(a, b, strict=True):
        total += math.exp(-u * v)
    return total


@keep(mat(3, 4))
def nested_loops(A):
    total = 0.0
    for i in range(A.shape[0]):
        row = 1.0
        for j in range(A.shape[1]):
            row *= A[i, j]
        total += row * row
    return total


# Stores and views


@keep(vec(5), 0.9, wrt=("x", "decay"))
@keep(vec(5), 0.9, wrt=("x", "decay"), form="jvp")
@keep(vec(5), 0.9, form="second")
def scan(x, decay):
    y = np.zeros(len(x))
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = decay * y[i - 1] + np.sin(x[i])
    return np.sum(y**2)


@keep(vec(6), 0.1, 3, wrt=("u", "rate"))
def heat(u, rate, steps):
    for _ in range(steps):
        u[1:-1] += rate * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u**2)


@keep(vec(6), 3)
def overwritten(A, steps):
    for _ in range(steps):
        A[1:-1] = A[1:-1] * A[2:] + np.sin(A[:-2])
    return np.sum(A)


@keep(mat(3, 3))
def through_a_view(A):
    row = A[1]
    row *= 2.0
    A.T[0] = row**2
    return np.sum(A**3)


@keep(vec(5))
def masked(x):
    y = x.copy()
    y[y > 1.0] = 1.0
    return np.sum(y**2)


@keep(vec(5), np.array([0, 2, 2, 4]))
def gathered(table, rows):
    return np.sum(table[rows] ** 2)


@keep(vec(4), 3)
def swapped_buffers(a, steps):
    b = np.zeros_like(a)
    for _ in range(steps):
        b[1:] = 0.5 * (a[1:] + a[:-1] ** 2)
        a, b = b, a
    return np.sum(a)


# Calls and containers


def force(x, k):
    return -k * x + 0.1 * x**3


@keep(1.0, 0.0, 2.0, 4, wrt=("x", "k"))
def leapfrog(x, v, k, steps):
    h = 0.1
    for _ in range(steps):
        v += 0.5 * h * force(x, k)
        x += h * v
        v += 0.5 * h * force(x, k)
    return 0.5 * v * v + 0.5 * k * x * x


@keep(vec(3), vec(3, 1), wrt=("a", "b"))
def pairs(a, b):
    def distance(p, q):
        return np.sqrt(np.sum((p - q) ** 2))

    return distance(a, b) + distance(a, 2.0 * b)


@keep(0.8, 4)
def collected(x, n):
    terms = []
    term = 1.0
    for k in range(1, n):
        term *= x / k
        terms.append(term)
    return sum(terms)


@keep(2.0, 1.0)
def root_or_error(a, start):
    x = start
    for _ in range(50):
        f = x**3 - a
        if abs(f) < 1e-10:
            break
        x = x - f / (3 * x**2)
    else:
        raise RuntimeError("no convergence")
    return x


@keep(vec(4))
def comprehension(x):
    return sum([v * v for v in x]) + max(math.sin(v) for v in x)


@dataclass
class Spring:
    stiffness: float
    length: float

    def energy(self, x):
        return 0.5 * self.stiffness * (x - self.length) ** 2


@keep(Spring(2.0, 0.7), 1.5, wrt=("spring", "x"))
def of_an_object(spring, x):
    return spring.energy(x) + spring.energy(2.0 * x)


@keep(1.2, form="vjp")
def several_results(x):
    return math.sin(x), {"square": x * x}


def area(f, a, b, tol):
    m = 0.5 * (a + b)
    coarse = 0.5 * (b - a) * (f(a) + f(b))
    fine = 0.5 * coarse + 0.5 * (b - a) * f(m)
    if abs(fine - coarse) < tol:
        return fine
    return area(f, a, m, 0.5 * tol) + area(f, m, b, 0.5 * tol)


@keep(1.5, 2.0, wrt=("b", "w"))
def adaptive_quadrature(b, w):
    return area(lambda t: math.sin(w * t), 0.0, b, 1e-2)


@keep(0.4)
def continued_fraction(x):
    def tail(k):
        return 1.0 + x if x**k < 1e-6 else k + x / tail(k + 1)

    return tail(1)


@keep(0.4, form="jvp")
def continued_fraction_forward(x):
    return continued_fraction(x)


@keep(vec(5), 1.3, 0.2, 0.8, 1.1, form="vjp")
def moffat(x, amplitude, center, sigma, beta):
    return amplitude / (((x - center) / max(1e-15, sigma)) ** 2 + 1) ** beta


@keep(vec(3), form="vjp")
def lorenz(state):
    x, y, z = state
    return np.array([10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z])


@keep(3.0, 1.1, wrt=("D", "h"))
def partial_circle(D, h):
    R = 0.5 * D
    area = R * R * math.acos((R - h) / R) - (R - h) * math.sqrt(2.0 * R * h - h * h)
    if area < 0.0:
        area = 0.0
    return area


@keep(0.4, 995.0, 8e-4, 6e-4)
def pressure_drop(velocity, rho, mu, mu_wall):
    if mu_wall:
        factor = (mu / mu_wall) ** 0.14
        drop = (velocity * rho) ** 2 / (rho * factor)
    else:
        drop = (velocity * rho) ** 2 / rho
    return drop


@keep(1e5, 2.0)
def friction_factor(Re, A):
    t = 7.0 / Re
    return 8.0 * (t**0.9 + A) ** (1.0 / 12.0)
