"""What loops record, as arrays where that is known to fit, and as lists where it is not."""

import math

import numpy as np
import pytest

from s2sad import grad, hvp

pytest.importorskip("numba")
pytestmark = pytest.mark.filterwarnings("ignore:.*faster on contiguous")

X = np.array([0.7, 0.4, 1.1, 0.9, 0.3, 1.6])


def counted(x, a, b):
    s = 1.0
    for i in range(a, b):
        s = s * math.sin(s * x[i % len(x)]) + 0.1 * i
    return s


def backwards(x, a, b):
    s = 1.0
    for i in range(b - 1, -1, -1):
        s = s * math.sin(s * x[i % len(x)]) + 0.5
    for i in range(b, a, -1):
        s = s * math.cos(s * x[i % len(x)]) + 0.5
    for i in range(-2, b):
        s = s * math.cos(s + x[i % len(x)]) + 0.5
    return s


def nested(x, a, b):
    s = 1.0
    for i in range(b):
        for j in range(len(x)):
            s = s * math.sin(s * x[(i + j) % len(x)]) + a
        s = s * s * 0.5
    return s


def in_a_loop(x, a, b):
    total = 0.0
    for k in range(3):
        s = x[k]
        for i in range(a, b):
            s = s * math.sin(s) + total * i
        total += s * s
    return total


def with_ints(x, a, b):
    s, k = 1.0, 1
    for i in range(b):
        k = k * 3 % 7
        s = s * math.sin(s * x[k % len(x)]) ** k + x[i % len(x)]
    return s


def in_single(x, a, b):
    s = np.float32(0.5) * x
    for _ in range(b):
        s = s * np.sin(s)
    return np.sum(s)


def bound_again(x, a, n):
    s = x[0]
    for i in range(n):
        n = n - 1
        s = s * math.sin(s + x[i % len(x)])
    for i in range(n):
        s = s * math.sin(s + x[i % len(x)])
    return s + n


def by_steps(x, a, b):
    s, step = 1.0, b if b else 2
    for i in range(a, 2 * b, step):
        s = s * math.sin(s * x[i % len(x)]) + 0.5
    return s


def triangle(x, a, b):
    s = 1.0
    for i in range(b):
        for j in range(i + a):
            s = s * math.sin(s * x[(i + j) % len(x)]) + 0.5
    return s


def shorter_and_shorter(x, a, b):
    y, s = x, 1.0
    for _ in range(3):
        for j in range(len(y) - 1):
            s = s * math.sin(s * y[j]) + 0.5
        y = y[1:] * 1.5
    return s + np.sum(y)


def left(x, a, b):
    s = x[0]
    for _ in range(b):
        if s > 100.0:
            break
        s = s * s + x[1]
    return s


def until(x, a, b):
    s = x[0]
    while s < 100.0:
        s = s * s + x[2]
    return s


ARRAYS = [counted, backwards, nested, in_a_loop, with_ints]
LISTS = [by_steps, triangle, shorter_and_shorter, left, until]


@pytest.mark.parametrize("f", [*ARRAYS, *LISTS, in_single, bound_again], ids=lambda f: f.__name__)
def test_what_is_recorded_is_read_again(f):
    compiled, plain = grad(f, compile="numba"), grad(f)
    for a, b in ((0, 4), (1, 5), (3, 3), (4, 1), (-2, 2), (0, -2)):
        np.testing.assert_allclose(compiled(X, a, b), plain(X, a, b), rtol=1e-10, atol=1e-12)
    recorded = [line for line in compiled.source.splitlines() if line.strip().startswith("tape")]
    if f in ARRAYS:
        assert any("np.empty" in line for line in recorded) and not any("[]" in line for line in recorded)
    if f in LISTS:
        assert any("[]" in line for line in recorded)


def test_it_is_so_in_the_second_derivative():
    v = np.sin(X)
    for f in (nested, backwards):
        found = hvp(f, compile="numba")(X, 1, 3, v)
        np.testing.assert_allclose(found, hvp(f)(X, 1, 3, v), rtol=1e-10)


def walk(x):
    s = 0.5
    for i in range(1, len(x)):
        s = s * math.sin(s * x[i] * x[i - 1])
    return s


def test_indices_of_a_tape_need_no_checks():
    slope = grad(walk, compile="numba")
    np.testing.assert_allclose(slope(X), grad(walk)(X), rtol=1e-12)
    assert "np.empty" in slope.source and "boundscheck" not in slope.source
