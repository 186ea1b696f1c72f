"""What is refused, and what to do instead: reason and way out are true, and the way out works."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

from s2sad import DerivationError, grad, hvp, jvp, vjp
from s2sad.derivative import Derivative
from tests import generator, numeric

HEAD = """import heapq
import itertools

import numpy as np

from s2sad import grad


class Node:
    def __init__(self, v):
        self.v = v

    @grad(wrt="x")
    def d(self, x):
        return self.v * x * x


def square(v, x):
    return v * x * x


M = Node(3.0)


def f(x):
"""
#: what is refused, the reason, a word of the way out, and the way out
REFUSED = (
    (
        "out, i = [], 0\n    while x[i] > 0.5:\n        out.append(Node(3.0))\n        i += 1\n    return sum(o.v for o in out) * x[0]",
        "objects in a list that grows",
        "append tuples",
        "out, i = [], 0\n    while x[i] > 0.5:\n        out.append((3.0, i))\n        i += 1\n    return sum(o[0] for o in out) * x[0]",
    ),
    (
        "s, k = 0.0, itertools.count()\n    for v in x:\n        s = s + v * next(k)\n        s = s * next(k)\n    return s",
        "is used in several places",
        "an int of your own",
        "s, k = 0.0, 0\n    for v in x:\n        s = s + v * k\n        k = k + 1\n        s = s * k\n        k = k + 1\n    return s",
    ),
    (
        "h, s = [(x[0], 0)], 0.0\n    while h:\n        d, n = heapq.heappop(h)\n        s = s + d\n        if d < 3.0:\n"
        "            heapq.heappush(h, (d + x[1], n + 1))\n    return s",
        "is changed by a function of the library",
        "items.pop(items.index(min(items)))",
        "h, s = [(x[0], 0)], 0.0\n    while h:\n        d, n = h.pop(h.index(min(h)))\n        s = s + d\n        if d < 3.0:\n"
        "            h.append((d + x[1], n + 1))\n    return s",
    ),
    (
        "return M.d(x[0]) * x[1]",
        "a derivative and a method",
        "call grad of that",
        "return grad(square, wrt='x')(M.v, x[0]) * x[1]",
    ),
)  # fmt: skip


@pytest.mark.parametrize(("body", "reason", "way_out", "instead"), REFUSED)
def test_ways_out(body: str, reason: str, way_out: str, instead: str, tmp_path: pathlib.Path) -> None:
    x = np.array([1.1, 0.7, 0.3])
    f = generator.load(f"{HEAD}    {body}\n", tmp_path / "refused.py")
    f(x)
    with pytest.raises(DerivationError) as caught:
        grad(f)(x)
    assert reason in str(caught.value) and way_out in (caught.value.way_out or "")
    numeric.check(generator.load(f"{HEAD}    {instead}\n", tmp_path / "instead.py"), (x,), 0)


def of_two(x: float, y: float) -> float:
    return x * x * y


@pytest.mark.parametrize(
    ("inner", "args"), [(hvp(of_two), (1.0, 2.0, 1.0)), (jvp(of_two), (1.0, 2.0, 1.0)), (vjp(of_two), (1.0, 2.0))]
)
def test_of_what_is_no_gradient(inner: Derivative, args: tuple[float, ...]) -> None:
    """They are given more arguments than the primal: that is not what is wrong."""
    for named in ({}, {"y": 2.0}):
        with pytest.raises(DerivationError, match="cannot be differentiated again"):
            grad(inner)(*args, **named)
