"""An array under a second name that an expression chose or handed out, overwritten through it, and read before and
after by the first: what the backward sweep reads of it is what was there."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest
from s2sad.normal.calls import keep

from tests import generator, numeric

#: ways to give u, or v, the name y
WAYS = {
    "sorted": "y = sorted([u, v], key=np.sum)[0]",
    "unpacked": "y, w = sorted([u, v], key=np.sum)",
    "a recursive function": "y = alternating(u, v, n)",
    "a pair of a recursive function": "y, w = pair(u, v, n)",
    "an object of a recursive function": "y = boxed(u, v, n).u",
    "a choice from a dict": "y = by_key({'a': u, 'b': v}, 'a' if c > 0.0 else 'b')",
    "a choice from a list, converted": "y = np.asarray([u, v][int(c < 0.0)])",
    "the largest of what functions give": "y = max(np.asarray(u), alternating(u, v, n), key=np.sum)",
    "a named expression": "s += (y := sorted([u, v], key=np.sum)[0])[0] * x[0]",
    "an object": "y = Box(u if c > 0.0 else v).u",
    "in a loop": "for y in sorted([u, v], key=np.sum):\n        s += y[1] * x[0]",
}
PROGRAM = """import numpy as np


class Box:
    def __init__(self, u):
        self.u = u


def alternating(u, v, n):
    if n <= 1:
        return u
    return alternating(v, u, n - 2)


def pair(u, v, n):
    if n <= 1:
        return u, v
    return pair(v, u, n - 2)


def boxed(u, v, n):
    if n <= 1:
        return Box(u)
    return boxed(v, u, n - 2)


def by_key(d, k):
    return d[k]


def f(x, z, c, n):
    {made}
    s = np.sum(x * u * v) + np.sum(np.sin(x * u))
    {way}
    s += np.sum(x * y * y)
    y[1:] = y[:-1] * 0.7
    return (s + np.sum(x * y) * np.sum(x * u) + np.sum(x * v * u)) * x[0]
"""
MADE = ("u, v = np.array([1.5, 0.7, 0.4]), np.array([0.2, 0.9, 0.3])", "u, v = z[0], z[1]")
X, Z = np.array([0.7, 1.3, 0.4]), np.array([[0.35, 0.6, 0.9], [1.1, 0.2, 0.8]])


@pytest.mark.sampled(8, cover=True)
@pytest.mark.parametrize("policy", ["always", "never"])
@pytest.mark.parametrize("made", MADE, ids=["made", "given"])
@pytest.mark.parametrize("way", WAYS)
def test_what_was_there_is_read(way: str, made: str, policy: str, tmp_path: pathlib.Path) -> None:
    f = generator.load(PROGRAM.format(way=WAYS[way], made=made), tmp_path / "f.py")
    with keep.policy(policy):
        for c, n in ((1.0, 3), (-1.0, 4)):
            numeric.check(f, (X, Z, c, n), 0, second=way == "sorted")
