"""What follows a branch is written once: paths are kept apart only where kinds differ, and until nobody reads that."""

from __future__ import annotations

import math

import numpy as np
import pytest

from s2sad import grad
from tests.numeric import check


def list_or_array(x, n):
    if n > 1:  # noqa: SIM108
        v = [x[0], x[1]]
    else:
        v = x[:2]
    s = v[0] * v[1]
    t = math.erf(s)
    return t * s


def chosen_list_or_array(x, n):
    v = [x[0], x[1]] if n > 1 else x[:2]
    s = v[0] * v[1]
    t = math.erf(s)
    return t * s


def tuples_of_two_lengths(x, n):
    if n > 1:  # noqa: SIM108
        c = (x[0], x[1], x[2])
    else:
        c = (x[0],)
    s = sum(c)
    z = math.erf(s)
    return z * z


def two_in_a_row(x, n):
    if n > 1:  # noqa: SIM108
        v = [x[0], x[1]]
    else:
        v = x[:2]
    if n > 2:  # noqa: SIM108
        w = (x[0], x[1])
    else:
        w = (x[0],)
    a = v[0] * v[1] * sum(w)
    return math.erf(a) * a


def read_late(x, n):
    if n > 1:  # noqa: SIM108
        v = (x[0], x[1])
    else:
        v = x[:2]
    t = v[0] + 1.0
    u = t * v[1]
    if u > 100.0:
        raise ValueError("too large")
    v = math.erf(u)
    return v * v


def behind_an_inner_branch(x, n):
    if n > 1:
        if n > 2:  # noqa: SIM108
            v = [x[0], x[1]]
        else:
            v = x[1:]
        a = x[2] * x[0]
    else:
        v = x[:2]
        a = x[1]
    s = v[0] * v[1] * a
    return math.erf(s) * s


def in_a_loop(x, n):
    s = 0.0
    for i in range(3):
        if x[i] > 0.5 * n:  # noqa: SIM108
            v = (x[i], x[0])
        else:
            v = (x[i],)
        t = sum(v)
        s += t * math.erf(t)
    return s


def guard_first(x, n):
    a = x[0]
    if n > 1:
        if n > 2:
            return a * x[1]
        a = a * 2.0
    b = a * math.erf(x[1])
    c = b * b
    return c + a


def guard_first_otherwise(x, n):
    a = x[0]
    if n < 2:
        a = a * 2.0
    else:
        if n > 2:
            return a * x[1]
        a = a + x[1]
    b = a * math.erf(x[1])
    return b * b


def guard_behind_else(x, n):
    h = x[0]
    if h > 0.5 * n:
        h = x[1] * 2.0
    elif h > 10.0:
        return 1.0
    else:
        h = h * x[2]
    b = h * math.erf(x[1])
    return b * b


def guard_at_the_end_of_a_chain(x, n):
    h = x[0]
    if n > 2:
        h = x[1] * 2.0
    elif n == 2:
        h = h * x[2]
    elif h > 0.3:
        return h * x[1]
    b = h * math.erf(x[1])
    return b * b


def guard_that_rebinds(x, n):
    h = x[0]
    if h > n:
        h = x[1] * 2.0
    elif (h := h + 5.0) < 0.0:
        return h
    b = h * math.erf(x[1])
    return b * b


def guard_whose_call_rebinds(x, n):
    h = x[0]

    def moved():
        nonlocal h
        h = h + 5.0
        return h

    if h > n:
        h = x[1] * 2.0
    elif moved() < 0.0:
        return h
    b = h * math.erf(x[1])
    return b * b


def guard_in_a_loop(x, n):
    s = x[0]
    for v in x:
        if v > 0.5:
            if v > 0.7 * n:
                continue
            if s > 2.0:
                break
            v = v * 2.0
        w = math.erf(v)
        s += w * v
    return s * s


FUNCTIONS = [
    list_or_array,
    chosen_list_or_array,
    tuples_of_two_lengths,
    two_in_a_row,
    read_late,
    behind_an_inner_branch,
    in_a_loop,
    guard_first,
    guard_first_otherwise,
    guard_behind_else,
    guard_at_the_end_of_a_chain,
    guard_that_rebinds,
    guard_whose_call_rebinds,
    guard_in_a_loop,
]


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_what_follows_a_branch_is_written_once(f):
    x = np.array([0.4, 0.6, 0.9])
    for n in (1, 2, 3):
        check(f, (x, n), second=n == 2)
    derivative = grad(f)
    derivative(x, 2)
    assert derivative.source.count("math.exp(") == 1  # (the slope of erf)
