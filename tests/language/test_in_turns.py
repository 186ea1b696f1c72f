"""Objects and lists that loops hand on from turn to turn: under which names they stand behind a turn, and behind the loop.

Each program makes objects, hands them on under other names in a loop, changes one, and reads another.
"""

from __future__ import annotations

import pathlib
import random

import pytest

from tests import amounts
from tests.language.test_held import verdict

HEAD = """
import copy
from collections import deque
from types import SimpleNamespace

import numpy as np


class Cell:
    def __init__(self, v):
        self.v = v
        self.next = None


def first(p, q):
    return p


def handed(p, k):
    return p if k == 0 else handed(p, k - 1)


"""
#: what is handed on (read as `@.v`, changed as `@.v = ..`), and what stands for `.v` in it
OBJECTS = {"Cell(#)": ".v", "SimpleNamespace(v=#)": ".v", "[#]": "[0]", "{'v': #}": "['v']", "deque([#, 1.0])": "[0]"}
MOVES = (
    "a, b = b, a", "if i == 1:\n            a = c", "t = a\n        a = b\n        b = t", "a, b, c = b, c, a", "a = first(b, a)",
    "if x[i] > 0.6:\n            a = b", "a = c if i else b", "b = a\n        a = NEW", "a = NEW", "keep = a\n        a = b",
    "h[0], h[1] = h[1], h[0]\n        a = h[0]", "o.best = a if x[i] > 0.6 else b\n        a = o.best", "c = b\n        a, b = b, a",
    "a = [a, b][i % 2]", "for _ in range(2):\n            a, b = b, a", "if a is b:\n            continue\n        a = b",
    "a = NEW\n        b = a\n        a = c if i == 1 else a", "a = b = NEW\n        if x[i] > 0.6:\n            b = c",
    "a = NEW\n        o.best = a if i else b", "d = NEW\n        a, b = (d, a) if x[i] > 0.6 else (b, d)",
    "a = handed(b, i)", "b = copy.copy(a)", "o.best, a = a, o.best", "while k > 0:\n            k = k - 1\n            a, c = c, a",
)  # fmt: skip
CHANGES = ("@V = x[1]", "@V = @V * x[2]", "@V += 1.0", "@V, $V = $V, @V", "first(@, $)V = x[0] * x[1]", "")
READS = (
    "@V", "@V * $V", "(x[1] if @ is $ else x[2] * 3.0)", "@V + 2.0 * $V", "o.bestV + @V", "h[0]V * 0.5 + @V", "keepV * @V",
    "(x[0] if @ in [$] else 0.0)",
)  # fmt: skip


def program(draw: random.Random) -> str:
    """One of all programs, by chance."""
    new, part = draw.choice(list(OBJECTS.items()))

    def filled(text: str) -> str:
        one, other = draw.sample(["a", "b", "c"], 2)
        return text.replace("@", one).replace("$", other).replace("V", part)

    move = draw.choice(MOVES).replace("NEW", new.replace("#", "x[i]"))
    inside = [move, filled(draw.choice(CHANGES)), filled("s = s * 0.5 + " + draw.choice(READS)) if draw.random() < 0.5 else ""]
    draw.shuffle(inside)
    lines = [f"{name} = {new.replace('#', value)}" for name, value in zip("abc", ("x[0]", "x[1] * 2.0", "2.0"), strict=True)]
    lines += ["s, k = 0.0, n", "h = [a, b]", "o = SimpleNamespace(best=c)", "keep = a", "for i in range(n):"]
    lines += [f"    {line}" for line in inside if line] + [filled(draw.choice(CHANGES))]
    lines += [filled("return s + " + draw.choice(READS))]
    return HEAD + "def f(x, n):\n" + "".join(f"    {line}\n" for line in lines if line)


@pytest.mark.parametrize("block", [pytest.param(k, marks=[pytest.mark.slow] if k else []) for k in range(2)])
def test_in_turns(block: int, tmp_path: pathlib.Path) -> None:
    draw = random.Random(block)
    verdicts = [verdict(program(draw), tmp_path / f"turns_{k}.py") for k in range(60 if amounts.ALL else 30)]
    assert verdicts.count("right") > 5


#: what was found wrong: objects, a loop, and what is returned
FOUND = (
    ("a, b = Cell(x[0]), Cell(2.0)\n    c = a", "a, b = b, a", "b.v = x[2]\n    return c.v"),
    ("a, b = [x[0]], [2.0]\n    c = a", "a, b = b, a\n        a[0] = x[1]", "return c[0]"),
    ("a, c = Cell(2.0), Cell(x[0])", "if i == 1:\n            a = c", "a.v = x[1]\n    return c.v"),
    ("a, c = Cell(2.0), Cell(1.0)", "if i == 1:\n            a = c", "return x[0] * (a is c)"),
    ("o, w = SimpleNamespace(best=Cell(2.0)), Cell(x[0])", "if x[i] > 1.0:\n            o.best = w", "o.best.v = x[1]\n    return w.v"),
    ("c, k = Cell(1.0), n", "k = k + 0", "return x[0] * (handed(c, k) is c)"),
    ("c = Cell(1.0)", "a = Cell(x[0])\n        b = a\n        a = c if i == 1 else a", "a.v = x[1] * x[2]\n    return b.v * x[0]"),
    ("c = Cell(1.0)", "a = Cell(x[0])\n        b = a\n        a = c if i == 1 else a", "return x[0] * (a is b)"),
    ("c = [1.0]", "a = [x[0], x[1]]\n        b = a\n        if i == 1:\n            a = c", "a[0] = x[1] * x[2]\n    return b[0] * x[0]"),
    ("a = Cell(x[0])\n    a.next = a", "a = Cell(a.v * x[1])\n        a.next = a", "return a.v"),
)  # fmt: skip


@pytest.mark.parametrize(("made", "turn", "end"), FOUND)
def test_found(made: str, turn: str, end: str, tmp_path: pathlib.Path) -> None:
    text = HEAD + f"def f(x, n):\n    {made}\n    for i in range(n):\n        {turn}\n    {end}\n"
    assert verdict(text, tmp_path / "found.py") in ("right", "refused")


#: objects that are two in every turn are followed
FOLLOWED = (
    ("a, b = Cell(x[0]), Cell(x[1])", "a, b = b, a\n        a.v = a.v * x[2]", "return a.v * b.v ** 2"),
    ("a, b, c = Cell(x[0]), Cell(x[1]), Cell(1.0)", "a, b, c = b, c, a\n        b.v = b.v * x[2]", "return a.v * b.v ** 2 + c.v"),
    ("a = object()", "a = x[i]", "return a * 2.0"),
    ("a, b = [x[0]], [2.0]", "b[0] = a[0] * x[1]\n        a, b = b, a", "return a[0] * b[0]"),
)  # fmt: skip


@pytest.mark.parametrize(("made", "turn", "end"), FOLLOWED)
def test_followed(made: str, turn: str, end: str, tmp_path: pathlib.Path) -> None:
    text = HEAD + f"def f(x, n):\n    {made}\n    for i in range(n):\n        {turn}\n    {end}\n"
    assert verdict(text, tmp_path / "followed.py") == "right"


LENGTHS = (
    # a list of arrays of one element, into which larger ones are stored: the cotangent of what stood there is as small
    "h = []\n    for i in range(2):\n        h.append(np.ones(1))\n        h[i] = h[i] * x[i]\n    s = x[2]\n    for i in range(2):\n"
    "        s = s + np.sum(h[-1] ** 2)\n        h[-1] = x * 1.0\n    return s + np.sum(h[0])",
    "k = 1 if x[0] < 5.0 else 2\n    s = x[2]\n    h = [x[1], np.full(3, s)]\n    for i in range(k + 1):\n        u = h[k]\n"
    "        h[k] = x[i]\n        s = s + np.sum(u)\n        s = s * 0.5 + sum(np.sum(u * v) for u, v in zip(h, h[1:]))\n"
    "    return s + float(np.sum(h[-1])) * len(h) + np.sum(h[0])",
    "k = 1 if x[0] < 5.0 else 2\n    h = [x[:k]] * 2\n    s = x[2]\n    for i in range(k + 1):\n        h[-1] = x[:i]\n"
    "        h.append(x[:i])\n        s = s * 0.5 + np.sum(h[-1] ** 2) * (2.0 if h[0] is h[-1] else 1.0)\n    return s",
)  # fmt: skip


@pytest.mark.parametrize("body", LENGTHS)
def test_items_of_several_lengths(body: str, tmp_path: pathlib.Path) -> None:
    assert verdict(f"{HEAD}def f(x, n):\n    {body}\n", tmp_path / "lengths.py") == "right"
