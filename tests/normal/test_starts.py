"""How often a lowering begins: what is plain of lists is learnt at once, and not again for each loop that is written
out."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from s2sad import DerivationError, grad
from s2sad.derivative import GeneratedDerivative
from s2sad.normal.calls import core_functions
from s2sad.normal.decisions import Decisions
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


def one_after_the_other(x: float, n: int) -> float:
    a = [x]
    for i in range(n):
        a.append(a[-1] * 0.5 + i)
    b = [0.5]
    for i in range(n):
        b.append(a[i] * x)
    c: list[float] = []
    for i in range(n):
        c.append(a[i] + b[i])
    return sum(c) * b[-1]


def in_a_function(x: float, n: int) -> float:
    def made(y: float) -> float:
        return one_after_the_other(y, n) + one_after_the_other(y * 0.5, n)

    return made(x) + made(x + 0.25)


@pytest.mark.parametrize(
    ("f", "most"), [(several_lists, 2), (lists_and_dicts_of_lists, 7), (one_after_the_other, 2), (in_a_function, 9)]
)
def test_starts(f: Any, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    numeric.check(f, (0.7, 4), 0)
    counted = []
    begin = Decisions.begin
    monkeypatch.setattr(Decisions, "begin", lambda self: (counted.append(self), begin(self)))
    monkeypatch.setenv("S2SAD_CACHE", "0")
    grad(f)(0.7, 4)
    assert len(counted) <= most


def bent(a: float) -> float:
    b = a * a + 0.5
    c = b / (1.0 + b * b)
    return c * a - b


def halved(a: float) -> float:
    if a < 0.5:
        return bent(a) + bent(a * 0.5)
    return bent(a) * halved(a * 0.5)


def test_what_a_recursion_calls_is_lowered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """In each lowering: what a called function does has nothing to do with what is known of the recursion."""
    numeric.check(halved, (1.7,), 0)
    lowered: Counter[tuple[int, str]] = Counter()
    lower = core_functions.lower_core

    def counting(run: Any, function: Any) -> None:
        lowered[id(run.program), function.name] += 1
        lower(run, function)

    monkeypatch.setattr(core_functions, "lower_core", counting)
    monkeypatch.setenv("S2SAD_CACHE", "0")
    grad(halved)(1.7)
    times = {name: n for (_, name), n in lowered.items()}
    assert times == {"bent": 1, "halved": 2}


class Kept:
    def __init__(self, v: float) -> None:
        self.v = v


def objects_in_a_list(x: float) -> float:
    held = []
    while x < 3.0:
        x = x * 1.5
        held.append(Kept(x))
    return sum(h.v for h in held)


def test_refused_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are no lengths and no ints, nothing more is known of them in another try."""
    tries = []
    derive = GeneratedDerivative._derive
    monkeypatch.setattr(GeneratedDerivative, "_derive", lambda self, *a: (tries.append(a), derive(self, *a))[1])
    monkeypatch.setenv("S2SAD_CACHE", "0")
    with pytest.raises(DerivationError, match="objects") as refused:
        grad(objects_in_a_list)(0.7)
    assert refused.value.remedy.concrete and len(tries) == 1
