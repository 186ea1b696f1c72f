"""`a += b` and `a = u[i]` where only the run knows whether a is a number or an array: right, or refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests import numeric, verdict


def scale(u, c):
    u *= c
    return u


def blend(target, source):
    target += 0.5 * source * source


def scaled_in_a_callee(v, w, n):
    total = 0.0
    for _ in range(1, n):
        total += v
    scale(total, 0.5)
    return np.sum(total)


def what_the_callee_returns(v, w, n):
    total = 0.0
    for _ in range(1, n):
        total += v
    total = scale(total, 0.5)
    return np.sum(total * w)


def the_last_of_a_loop(v, w, n):
    last = None
    for _ in range(1, n):
        last = v
    blend(last, w)
    return np.sum(v)


def view_of_a_sum(v, w, n):
    total = 0
    for k in range(n):
        total = total + v * (k + 1.0)
    scale(total[1:], 0.5)
    return np.sum(total * total)


def with_itself(v, w, n):
    total = 0
    for _ in range(1, n):
        total += w
    blend(total, total)
    return np.sum(total * total)


def summed(v, n):
    """An array, of which it is not known that it is one."""
    u = 1.0
    for _ in range(n):
        u = 0.5 * u - np.sin(v)
    return u + v


def element_read_after_a_store(v, w, n):
    u = summed(v, n)
    a = u[-1]
    u[-1] = 0.0
    return a * a * np.sum(u * w)


def elements_read_after_stores(v, w, n):
    u = summed(v, n)
    total = 0.0
    for _ in range(n):
        a = u[-1]
        u[-1] = 0.0
        total += 0.3 * a * w[1]
        total += 0.7 * a * w[2]
        u += w
    return np.sum(u * v) * total


def elements_read_before_stores(v, w, n):
    u = summed(v, n)
    for k in range(n):
        a = u[-1]
        u[-1] = a * w[1]
        b = u[k]
        u[k] = 0.3 * b * b
    return np.sum(u * v)


@pytest.mark.parametrize("check", [numeric.check_reverse, numeric.check_forward], ids=["reverse", "forward"])
@pytest.mark.parametrize(
    "f",
    [
        scaled_in_a_callee,
        what_the_callee_returns,
        the_last_of_a_loop,
        view_of_a_sum,
        with_itself,
        element_read_after_a_store,
        elements_read_after_stores,
        elements_read_before_stores,
    ],
    ids=lambda f: f.__name__,
)
def test_never_wrong(f: Callable[..., Any], check: Callable[..., None]) -> None:
    v, w = np.array([0.3, 0.5, -0.7]), np.array([0.7, -0.4, 1.1])
    found = verdict.judge(check, f, (v, w, 3), (0, 1))
    assert found.kind in {"right", "refused"}, found.detail
    if f in (what_the_callee_returns, elements_read_before_stores):
        assert found.kind == "right", found.detail
