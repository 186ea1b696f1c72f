"""How often a lowering begins: what is plain of lists is learnt at once, and not again for each loop that is written
out."""

from __future__ import annotations

from typing import Any

import pytest

from s2sad import grad
from s2sad.normal.base import Decisions
from tests import numeric


def several_lists(x: float, n: int) -> float:
    a, b, c, d = [], [x], [x * 2.0], [0.5]
    for i in range(n):
        a.append(x * i)
        b.append(x + i)
        c.append(a[-1] * b[-1])
        d.append(c[0] * 2.0)
    return sum(a) + sum(b) + sum(c) + sum(d)


def lists_and_dicts_of_lists(x: float, n: int) -> float:
    r = 0.0
    a, b, c = [], [x], [x * 2.0]
    for i in range(n):
        a.append(x * i)
    for i in range(n):
        b.append(x + a[i])
    for i in range(n):
        c.append(b[i] * 2.0)
    for i in range(n):
        r += a[i] * b[i] * c[i]
    first: dict[int, list[float]] = {0: [], 1: [x], 2: [x, x]}
    for i in range(3):
        first[i].append(r)
    second: dict[int, list[float]] = {0: [], 1: [x], 2: [x, x]}
    for i in range(3):
        second[i].append(x * r)
    third: dict[int, list[float]] = {0: [], 1: [x], 2: [x, x]}
    for i in range(3):
        third[i].append(x * r)
    return sum(first[0]) * sum(second[1]) + sum(third[2])


@pytest.mark.parametrize(("f", "most"), [(several_lists, 2), (lists_and_dicts_of_lists, 7)])
def test_starts(f: Any, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    numeric.check(f, (0.7, 4), 0)
    counted = []
    begin = Decisions.begin
    monkeypatch.setattr(Decisions, "begin", lambda self: (counted.append(self), begin(self)))
    monkeypatch.setenv("S2SAD_CACHE", "0")
    grad(f)(0.7, 4)
    assert len(counted) <= most
