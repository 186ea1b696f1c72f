"""What stands around calls that stay calls: arguments that are overwritten, loops, branches, captures, objects."""

import numpy as np
import pytest

import s2sad
from tests import numeric


def rate(u, a):
    t = np.sin(u) * a
    s = t * t + u
    q = s / (1.0 + t * t)
    return q * u - t


def heavy(u, a):
    s = u * 0.0
    for _ in range(3):
        s = np.tanh(s + a * u) * u
    return s + u * u


def pick(u, a):
    if a > 0.5:
        return np.sin(u) * a + u * u * a - u / (2.0 + a * a)
    return np.cos(u) * a - u * a + u * u / (3.0 + a)


def overwritten(u, a):
    k = rate(u, a)
    u[1] = a * 2.0
    m = rate(u, a)
    u *= 0.5
    return np.sum(k * m) + np.sum(rate(u, a))


def same_twice(u, a):
    k = rate(u, a)
    v = u
    m = rate(v, a)
    v[0] = 3.0
    return np.sum(k * m * u)


def zero_trips(u, a):
    k = u
    for _ in range(0):
        k = heavy(k, a)
    for _ in range(len(u) - 3):
        k = heavy(k, a)
    return np.sum(k) + np.sum(heavy(u, a))


def in_while(u, a):
    k = u.copy()
    n = 0
    while n < 5:
        n += 1
        k = heavy(k, a)
        if np.sum(k) > 1.5:
            break
        k[0] = a
    return np.sum(heavy(k, a))


def in_branch(u, a):
    if a > 10.0:
        k = heavy(u, a)
        k[0] = a
    else:
        k = pick(u, a) * 2.0
    u[:] = k
    return np.sum(pick(u, 0.2) + pick(u, a) + heavy(k, a))


def in_branch_tape(u, a):
    s = 0.0
    for i in range(4):
        if i % 2:
            u = heavy(u, a)
        else:
            u = u * 1.1
            u[0] *= a
        s += np.sum(heavy(u, a * 0.5))
    return s


def comp(u, a):
    return sum([np.sum(heavy(u * c, a)) for c in (1.0, 2.0, 3.0)]) + np.sum(heavy(u, a))


GAIN = {"gain": 0.3}


def glob(u):
    t = np.sin(u) * GAIN["gain"]
    s = t * t + u * GAIN["gain"]
    return s / (1.0 + t * t) + t * s - u


def with_global(u, a):
    return np.sum(glob(u) * glob(u * a))


def captured(u, a):
    c = a * 2.0

    def inner(v):
        t = np.sin(v) * c
        s = t * t + v
        return s / (1.0 + t * t) + t * c - v * s

    k = inner(u)
    c = a * a
    m = inner(u)
    return np.sum(k * m)


def early(u, a):
    for i in range(4):
        k = heavy(u, a)
        if i == 2:
            return np.sum(k * u) + a
        u = u + 0.1 * heavy(k, a)
    return np.sum(u)


class Layer:
    def __init__(self, w):
        self.w = w

    def f(self, u):
        t = np.sin(u) * self.w
        s = t * t + u
        return s / (1.0 + t * t) + t * self.w - u * s


def meth(u, a):
    layer = Layer(a)
    k = layer.f(u)
    layer.w = layer.w * 2.0
    m = layer.f(k)
    return np.sum(k * m) + np.sum(Layer(a * a).f(u))


def two(u, a):
    t = np.sin(u) * a
    s = t * t + u
    q = s / (1.0 + t * t) * t
    return q, t * s


def pair_results(u, a):
    p, q = two(u, a)
    r, _ = two(p, a)
    u[0] = 0.0
    _, z = two(u * q, a)
    return np.sum(r * q) + np.sum(z[1:])


def lens(u, a):
    return (
        np.sum(rate(u[1:], a)) + np.sum(rate(u[:-1], a) * rate(u[1:], a)) + np.sum(rate(u[:1], a) * u) + rate(u[0], a)
    )


AROUND = [
    overwritten,
    same_twice,
    zero_trips,
    in_while,
    in_branch,
    in_branch_tape,
    comp,
    with_global,
    captured,
    early,
    meth,
    pair_results,
    lens,
]


@pytest.mark.long
@pytest.mark.parametrize("f", AROUND, ids=lambda f: f.__name__)
def test_around_kept_calls(f):
    args = np.array([0.6, -1.2, 0.4, 1.7, -0.3]), 0.8
    numeric.check_reverse(f, args, (0, 1))
    numeric.check_forward(f, args, (0, 1))
    numeric.check_second(f, args, (0, 1))
    assert "_bwd" in numeric.derived(s2sad.value_and_grad, f, (0, 1)).source
    _, pullback = s2sad.vjp(f, wrt=(0, 1))(*args)
    for first, second in zip(pullback(1.0), pullback(1.0), strict=True):
        np.testing.assert_array_equal(first, second)


def test_what_a_kept_function_reads_of_a_global_is_read_anew(monkeypatch):
    args = np.array([0.6, -1.2, 0.4]), 0.8
    for gain in (0.3, 0.9):
        monkeypatch.setitem(GAIN, "gain", gain)
        numeric.check_reverse(with_global, args, (0, 1))
