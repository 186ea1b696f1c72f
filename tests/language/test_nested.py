"""Containers in containers, of what is not active: what is read of one before it changes is what it was then.

Each program makes containers of one kind in a holder, and in a loop reads one of them and then changes it.
"""

from __future__ import annotations

import pathlib
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from s2sad import DerivationError, value_and_grad

from tests import generator

#: how one is made, and what changes it
MADE = {
    "[]": [
        "@.append(k)", "@.extend([k])", "@.insert(0, k)", "@ += [k]", "@[:] = [k] * (k + 1)", "bisect.insort(@, k)",
        "heapq.heappush(@, k)",
    ],
    "{}": [
        "@.setdefault(k, 2)", "@[k] = 2", "@.update([(k, 1)])", "@.update({k: 1})", "@ |= {k: 1}",
        "q = @.setdefault(k, 2)",
    ],
    "set()": ["@.add(k)", "@ |= {k}", "@.update([k])"],
    "defaultdict(int)": ["q = @[k]", "s = s + @[k]", "@[k] += 1", "@.setdefault(k, 2)"],
    "defaultdict(list)": ["q = @[k]", "@[k].append(1)", "@[k] += [1]"],
    "deque()": ["@.append(k)", "@.extend([k])"],
    "Counter()": ["@[k] += 1", "@.update([k])"],
}  # fmt: skip
#: what holds them, and where one stands
HOLDERS = {
    "c = []\nfor i in range(n): c.append(@)": "c[i]",
    "c = [@ for i in range(n)]": "c[i]",
    "c = {i: @ for i in range(n)}": "c[i]",
    "c = {}\nfor i in range(n): c[i] = @": "c[i]",
    "c = defaultdict(lambda: @)": "c[i]",
    "c = (@, @, @)": "c[i]",
    "c = [@, @, @]": "c[i]",
    "c = {0: @, 1: @, 2: @}": "c[i]",
    "c = Holder(@)": "c.d",
    "c = [Holder(@) for i in range(n)]": "c[i].d",
    "c = [[@] for i in range(n)]": "c[i][0]",
    "c = [(i, @) for i in range(n)]": "c[i][1]",
    "c = several(n)": "c[i]",
    "c = Holder(several(n))": "c.d[i]",
    "c, m = several(n), 1": "c[i]",
    "c, m = several_and_one(n)": "c[i]",
    "c = given": "c[i]",
}
READS = ["len(@)", "sum(@)", "sum(1 for e in @)", "bool(@)", "(1 in @)", "len(list(@))"]
PROGRAM = """
import bisect
import heapq
from collections import Counter, defaultdict, deque


class Holder:
    def __init__(self, d):
        self.d = d


def several(n):
    return [@ for i in range(n)]


def several_and_one(n):
    return [@ for i in range(n)], 1


def f(x, n, given):
    s = x[0]
    {holder}
    for i in range(n):
        for k in range(n):
            s = s * x[1] + {read} * x[2]
            {change}
    return s
"""


def programs() -> Iterator[str]:
    for made, changes in MADE.items():
        for holder, place in HOLDERS.items():
            lines = holder.replace("@", made).replace("\n", "\n    ")
            for change in changes:
                for read in READS:
                    for named in (False, True):
                        changed = change.replace("@", "e" if named else place)
                        changed = f"e = {place}; {changed}" if named else changed
                        text = PROGRAM.replace("@", made).replace("{holder}", lines)
                        yield text.replace("{read}", read.replace("@", place)).replace("{change}", changed)


def share(text: str) -> int:
    return zlib.crc32(text.encode()) % 120


@pytest.mark.sampled(24, each=False)
@pytest.mark.parametrize("block", [pytest.param(k, marks=[pytest.mark.slow] if k > 2 else []) for k in range(24)])
def test_read_before_it_changes(block: int, tmp_path: pathlib.Path) -> None:
    right = 0
    for text in (t for t in programs() if share(t) == block):
        f = generator.load(text, tmp_path / f"nested_{zlib.crc32(text.encode())}.py")
        make = f.__globals__["several"]

        def primal(x: Any, f: Any = f, make: Any = make) -> Any:
            return f(x, 3, make(3))

        x = np.array([0.7, 1.1, 0.4])
        try:
            value = primal(x)
        except (TypeError, AttributeError, KeyError):
            continue
        along = np.array([0.3, -0.5, 0.8])
        slope = (primal(x + 1e-6 * along) - primal(x - 1e-6 * along)) / 2e-6
        try:
            got, gradient = value_and_grad(f, wrt=0)(x, 3, make(3))
        except DerivationError:
            continue
        assert abs(got - value) <= 1e-12 * max(1.0, abs(value)), text
        assert abs(gradient @ along - slope) <= 1e-5 * max(1.0, abs(slope)), text
        right += 1
    assert right > 20
