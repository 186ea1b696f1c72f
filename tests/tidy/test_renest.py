from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from s2sad.core import Facts, statements, text
from s2sad.kinds.kind import ListOf, Number
from s2sad.tidy.renest import renest
from tests.amounts import examples

from .programs import ARRAY, check


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 10**9))
@example(41810)  # what waits outside of a block moved into it
def test_random_programs_compute_the_same(seed: int) -> None:
    check(renest, seed)


CASES = {
    "chain": ("t1 = p[0]\nt2 = math.sin(t1)\nx = t2 * t2\nreturn x", "t2 = math.sin(p[0])\nx = t2 * t2\nreturn x"),
    "store between": ("t1 = p[0]\np[0] = 0.0\nreturn t1", "t1 = p[0]\np[0] = 0.0\nreturn t1"),
    "store through a view between": (
        "v = p[1:]\nt1 = p[1]\nv[0] = 0.0\nreturn t1",
        "v = p[1:]\nt1 = p[1]\nv[0] = 0.0\nreturn t1",
    ),
    "store elsewhere between": ("t1 = p[0]\nq[0] = 0.0\nreturn t1", "q[0] = 0.0\nreturn p[0]"),
    "rebound between": ("t1 = x * 2.0\nx = 3.0\nreturn t1 + x", "t1 = x * 2.0\nx = 3.0\nreturn t1 + x"),
    "value before store": ("t1 = p[1] * 2.0\np[0] = t1\nreturn p", "p[0] = p[1] * 2.0\nreturn p"),
    "not into a loop": (
        "t1 = p[0]\nfor i in range(n):\n  x = x + t1\nreturn x",
        "t1 = p[0]\nfor i in range(n):\n  x = x + t1\nreturn x",
    ),
    "into an iterable": (
        "t1 = n - 1\nfor i in range(t1):\n  x = x + x\nreturn x",
        "for i in range(n - 1):\n  x = x + x\nreturn x",
    ),
    "into a test": ("t1 = x * x\nif t1 > 3.0:\n  x = 1.0\nreturn x", "if x * x > 3.0:\n  x = 1.0\nreturn x"),
    "not into a while that binds the name": (
        "t1 = x\nwhile t1 > 3.0:\n  t1 = t1 * 0.5\nreturn t1",
        "t1 = x\nwhile t1 > 3.0:\n  t1 = t1 * 0.5\nreturn t1",
    ),
    "not into while": (
        "t1 = x * x\nwhile t1 > x:\n  x = x + 1.0\nreturn x",
        "t1 = x * x\nwhile t1 > x:\n  x = x + 1.0\nreturn x",
    ),
    "copy": ("t1 = x\ny = t1 + t1\nreturn y", "t1 = x\ny = x + x\nreturn y"),
    "copy into a loop": (
        "t1 = x\nfor i in range(n):\n  y = y + t1\nreturn y",
        "t1 = x\nfor i in range(n):\n  y = y + x\nreturn y",
    ),
    "copy of what the loop binds": (
        "t1 = x\nfor i in range(n):\n  x = x + t1\nreturn x",
        "t1 = x\nfor i in range(n):\n  x = x + t1\nreturn x",
    ),
    "constant": ("t1 = 2.0\ny = t1 * x\nz = y + t1\nreturn z", "t1 = 2.0\ny = 2.0 * x\nz = y + 2.0\nreturn z"),
    "pop": ("t1 = l.pop()\np[1:] = t1\nreturn p", "p[1:] = l.pop()\nreturn p"),
    "two pops keep their order": (
        "t1 = l.pop()\nt2 = l.pop()\ny = t2 - t1\nreturn y",
        "t1 = l.pop()\ny = l.pop() - t1\nreturn y",
    ),
    "unknown calls keep their order": (
        "t1 = f(x)\nt2 = g(x)\ny = t1 + t2\nreturn y",
        "t1 = f(x)\ny = t1 + g(x)\nreturn y",
    ),
    "unknown call, used first": ("t1 = f(x)\ny = t1 + p[0]\nreturn y", "y = f(x) + p[0]\nreturn y"),
    "unknown call, others after": ("t1 = f(x)\ny = p[0] + t1\nreturn y", "t1 = f(x)\ny = p[0] + t1\nreturn y"),
    "same temp twice": ("t1 = p[0]\nx = t1\nt1 = p[1]\ny = t1\nreturn x + y", "x = p[0]\ny = p[1]\nreturn x + y"),
    "comprehension": (
        "t1 = x * x\nl = [t1 + z for z in p]\nreturn l",
        "t1 = x * x\nl = [t1 + z for z in p]\nreturn l",
    ),
    "sum of a variable": ("y = x * 2.0\ny = y + z\nreturn y", "y = x * 2.0 + z\nreturn y"),
    "sum in place": ("y = x * 2.0\ny += z\nreturn y", "y = x * 2.0 + z\nreturn y"),
    "sum into a view stays": ("v = p[1:]\nv += q\nreturn p", "v = p[1:]\nv += q\nreturn p"),
    "version moves to where it becomes the variable": (
        "x_1 = 2.0 * x\nl.append(x)\nx = x_1\nreturn x",
        "l.append(x)\nx = 2.0 * x\nreturn x",
    ),
    "read where a break leads": (
        "while True:\n  t1 = x * 2.0\n  if x > 3.0:\n    break\n  x = t1\nreturn t1",
        "while True:\n  t1 = x * 2.0\n  if x > 3.0:\n    break\n  x = t1\nreturn t1",
    ),
    "lambda": ("t1 = x * x\ng = lambda: t1\nreturn g", "t1 = x * x\ng = lambda: t1\nreturn g"),
    "store target keeps its name": ("t1 = p[1:]\nt1[0] = x\nreturn p", "t1 = p[1:]\nt1[0] = x\nreturn p"),
}


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    before, after = CASES[name]
    facts = Facts(kinds={"p": ARRAY, "q": ARRAY, "v": ARRAY, "n": Number(int), "i": Number(int), "l": ListOf(ARRAY)})
    facts.kinds |= {"x": Number(float), "y": Number(float), "z": Number(float)}
    facts.temps = {"t1", "t2", "t3"}
    facts.user_name = {"x": "x", "x_1": "x"}
    assert text(renest(statements(before), facts)) == text(statements(after))


def test_lines_stay_short_unless_the_user_wrote_them_long() -> None:
    source = "t1 = " + " + ".join(["first_long_name"] * 4) + "\nt2 = t1 * " + " * ".join(["second"] * 8) + "\nreturn t2"
    facts = Facts(temps={"t1", "t2"})
    assert len(renest(statements(source), facts)) == 2
    body = statements(source)
    for statement in body:
        statement.user = True
    assert len(renest(body, facts)) == 1
