"""How often a function is lowered until it is known which of its lists are lists of the run."""

from __future__ import annotations

import collections
import heapq
import json
import math
from typing import Any

import numpy as np
import pytest

from s2sad import DerivationError, grad, jvp
from s2sad.core import Facts
from s2sad.normal import lower
from tests import generator, numeric


def queues(v, n):
    s = 0.0
    lists = [[2, 0] for _ in range(3)]
    for k in range(n):
        one = lists[k]
        s = math.tanh(v[1 if 1 in lists[k] else 3] + s)
        heapq.heappush(one, k + 1)
    return s + 0.1 * len(lists[1]) * v[0]


def test_what_is_learnt_in_vain_is_not_learnt_again_and_again(monkeypatch):
    """Each list in the list would have to be one of the run, which the loop that is written out does not make it."""
    tries = []

    def one_more():
        tries.append(1)
        return Facts()

    monkeypatch.setattr(lower, "Facts", one_more)
    grad(queues)(np.linspace(0.5, 1.0, 5), 3)
    assert len(tries) < 30
    monkeypatch.undo()
    numeric.check_reverse(queues, (np.linspace(0.5, 1.0, 5), 3), 0)


def polynomials(x, n):
    a = [1.0, 2.0, x]
    b = [2.0, x, 3.0]
    c = [x, 1.0, 2.0]
    d = [1.0, x, x]
    e = [x, x, 4.0]
    total = 0.0
    for i in range(n):
        total = total + a[i] * b[i]
        total = total * c[i] + d[i] * e[i]
    return total


def test_lists_that_are_indexed_in_the_run_are_found_in_one_try(monkeypatch):
    tries = []

    def one_more():
        tries.append(1)
        return Facts()

    monkeypatch.setattr(lower, "Facts", one_more)
    grad(polynomials)(1.5, 3)
    assert len(tries) == 2
    monkeypatch.undo()
    numeric.check_reverse(polynomials, (1.5, 3), 0)


def test_a_long_delay_line(tmp_path):
    """What goes from name to name is found to be active one name a try, and so are the adjoints that come back."""
    lines = ["import numpy as np", "", "", "def f(x, n):", *(f"    a{k} = 0.0" for k in range(60)), "    s = 0.0"]
    lines += ["    for _ in range(n):", "        s += a59 * x", *(f"        a{k} = a{k - 1}" for k in range(59, 0, -1))]
    delayed = generator.load("\n".join([*lines, "        a0 = x * x", "    return s", ""]), tmp_path / "delayed.py")
    numeric.check(delayed, (1.3, 64), 0)


def gated(x, rows):
    state, skipped = {"x": x, "n": 0}, 0
    for row in rows:
        if row["z"] is None:
            continue
        if state["x"] * row["z"] > 2.5:
            skipped += 1
            continue
        state = {**state, "x": state["x"] * row["z"], "n": state["n"] + 1}
    return state["x"] / state["n"] + skipped * x


def test_paths_meet_at_the_end_of_a_turn():
    """A loop that is written out turn by turn does not double with each `continue`."""
    rows = [{"z": None if k == 2 else 1.0 + 0.1 * k} for k in range(8)]
    numeric.check(gated, (1.5, rows), 0)
    derivative = grad(gated)
    derivative(1.5, rows)
    assert len(derivative.source.splitlines()) < 120


def counted_in_a_try(x: float, n: int) -> float:
    try:
        seen: dict[int, int] = collections.defaultdict(int)
        for k in range(3):
            seen[k % 2] = seen[k % 2] + 1
        y = math.tanh(0.1 * seen[0] * x)
        k = np.argsort(np.ones(4))
        for i in range(n):
            np.add.at(k, [i, 0], 1)
    except ValueError:
        y = x
    return y * x


def test_a_dict_is_as_it_was() -> None:
    """What is stored into a dict of the run, to see whether that raises, is taken back: else it is counted twice."""
    numeric.check(counted_in_a_try, (0.7, 2), 0)


def item_of_a_dict_in_a_try(x: float, n: int) -> float:
    held = {}
    for i in range(n):
        held[i] = np.arange(3.0)
    try:
        held[n - 2] += 1.0
        y = 1.0 / x
    except ZeroDivisionError:
        y = 0.0
    return float(y * held[n - 2][1])


def item_of_an_item_in_a_try(x: float, n: int) -> float:
    held = {}
    for i in range(n):
        held[i] = [i + 1]
    try:
        held[n - 2][0] += 1
        y = 1.0 / x
    except ZeroDivisionError:
        y = 0.0
    return y * held[n - 2][0]


def item_of_what_is_not_known_in_a_try(x: float, n: int) -> float:
    held = json.loads("[1, 2, 3]")
    try:
        held[n - 2] += 1
        y = 1.0 / x
    except ZeroDivisionError:
        y = 0.0
    return y * held[n - 2]


def item_of_an_array_of_objects_in_a_try(x: float, n: int) -> float:
    held = np.empty(2, dtype=object)
    held[0] = held[1] = [1]
    try:
        held[n - 3][0] += 1
        y = 1.0 / x
    except ZeroDivisionError:
        y = 0.0
    return float(y * held[n - 3][0])


@pytest.mark.parametrize("operator", [grad, jvp])
@pytest.mark.parametrize(
    "f",
    [
        item_of_a_dict_in_a_try,
        item_of_an_item_in_a_try,
        item_of_what_is_not_known_in_a_try,
        item_of_an_array_of_objects_in_a_try,
    ],
)
def test_what_an_item_holds_is_not_taken_back(f: Any, operator: Any) -> None:
    """To put the items of before back is not enough where an item itself was changed: it was counted twice."""
    given = (1.5, 3) if operator is grad else (1.5, 3, 1.0)
    with pytest.raises(DerivationError, match="would happen twice"):
        operator(f)(*given)
