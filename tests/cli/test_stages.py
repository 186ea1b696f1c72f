"""Every stage of a derivation runs: core Python computes what the primal does, the raw adjoint and tangent what the
finished derivatives do. (A place that was only held for a value would be an unknown name.)"""

import copy
import math

import numpy as np
import pytest

from s2sad import grad, jvp
from s2sad.runtime.load import load
from s2sad.stages import stage_of, stage_text
from tests import numeric


def line(x, y):
    return x * math.sin(y) + x / y


def branch(x, y):
    if x > y:
        s = x * x
    elif y > 10.0:
        s = y
    else:
        s = x * y
    return s + y


def early(x, n):
    for i in range(n):
        if x * i > 2.0:
            return x * i
    return x * x


def newton(a):
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


def scan(x, n):
    y = np.zeros(n)
    y[0] = x[0]
    for i in range(1, n):
        y[i] = y[i - 1] * np.sin(x[i])
    return np.sum(y**2)


def overwritten(A, steps):
    for _ in range(steps):
        A[1:-1] = A[1:-1] * A[2:] + np.sin(A[:-2])
    return np.sum(A * A)


def view(A):
    row = A[0]
    row *= 2.0
    return np.sum(A**3)


def called(x, y):
    return line(line(x, y), y) + branch(x, y)


def softmax(z, k):
    e = np.exp(z - np.max(z))
    return -np.log(e[k] / np.sum(e))


def solve(A, b):
    return b @ np.linalg.solve(A, b)


def dictionary(p, x):
    return np.sum(np.tanh(x @ p["W"] + p["b"]) ** 2)


def collected(x, n):
    parts = []
    for i in range(n):
        parts.append(x ** (i + 1))
        if parts[-1] > 50.0:
            continue
        x = x + 0.1
    return sum(parts)


def sides(x, n):
    total = 0.0
    for i in range(n):
        if i % 2 == 0:
            continue
        total += x[i] * x[i - 1]
    return total


V = np.array([0.3, 1.2, 0.8, 0.5])
M = np.array([[2.0, 0.3, 0.1], [0.2, 1.5, 0.4], [0.1, 0.0, 1.1]])
CASES = [
    (line, (1.2, 0.7)),
    (branch, (1.2, 0.7)),
    (branch, (0.7, 1.2)),
    (early, (0.7, 9)),
    (early, (0.7, 2)),
    (newton, (2.0,)),
    (scan, (V, 4)),
    (overwritten, (V, 3)),
    (view, (M,)),
    (called, (1.2, 0.7)),
    (softmax, (V, 2)),
    (solve, (M, V[:3])),
    (dictionary, ({"W": M, "b": V[:3]}, M)),
    (collected, (1.1, 4)),
    (sides, (V, 4)),
]


def close(found, expected):
    np.testing.assert_allclose(numeric.flatten(found), numeric.flatten(expected), rtol=1e-12, atol=1e-14)


def ran(derivative, stage, args):
    generated = derivative._generated()
    text = stage_text(generated, stage)
    return load(text, stage_of(generated, stage))(*copy.deepcopy(args))


@pytest.mark.parametrize(("f", "args"), CASES)
def test_stages_run(f, args):
    reverse = grad(f)
    expected = reverse(*args)
    close(ran(reverse, "normal", args), f(*copy.deepcopy(args)))
    close(ran(reverse, "adjoint", args), expected)

    along = numeric.direction(args, 0, np.random.default_rng(0))
    forward = jvp(f)
    value, tangent = forward(*args, along)
    close(ran(forward, "normal", args), value)
    close(ran(forward, "tangent", (*args, along)), (value, tangent))
