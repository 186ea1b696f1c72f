"""`a += b` where only the run knows whether a is a number or an array: right, or refused, also in a callee."""

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


@pytest.mark.parametrize("check", [numeric.check_reverse, numeric.check_forward], ids=["reverse", "forward"])
@pytest.mark.parametrize(
    "f",
    [scaled_in_a_callee, what_the_callee_returns, the_last_of_a_loop, view_of_a_sum, with_itself],
    ids=lambda f: f.__name__,
)
def test_never_wrong(f: Callable[..., Any], check: Callable[..., None]) -> None:
    v, w = np.array([0.3, 0.5, -0.7]), np.array([0.7, -0.4, 1.1])
    found = verdict.judge(check, f, (v, w, 3), (0, 1))
    assert found.kind in {"right", "refused"}, found.detail
    if f is what_the_callee_returns:
        assert found.kind == "right", found.detail
