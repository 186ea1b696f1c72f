from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2sad.core import Facts, statements, text
from s2sad.kinds.kind import Number
from s2sad.tidy.deadcode import eliminate
from tests.amounts import examples

from .programs import ARRAY, check


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 10**9))
def test_random_programs_compute_the_same(seed: int) -> None:
    check(eliminate, seed)


CASES = {
    "array filled for nobody": ("a = np.zeros(n)\nfor i in range(n):\n  a[i] = i\nreturn n", "return n"),
    "sum nobody reads": ("s = 0.0\nfor i in range(n):\n  s = s + p[i]\nreturn n", "return n"),
    "augmented": ("s = 0.0\nfor i in range(n):\n  s += p[i]\nreturn n", "return n"),
    "tape": (
        "tape = []\nfor i in range(n):\n  tape.append(p[i])\nfor i in range(n):\n  s = tape.pop()\nreturn n",
        "return n",
    ),
    "unknown call stays": ("a = np.zeros(n)\nf(a)\nreturn n", "a = np.zeros(n)\nf(a)\nreturn n"),
    "check stays": ("a = np.sin(p)\nnp.cos(a)\nreturn n", "a = np.sin(p)\nnp.cos(a)\nreturn n"),
    "parameter store stays": ("p[0] = 1.0\nreturn n", "p[0] = 1.0\nreturn n"),
    "store into what a parameter held": (
        "p[0] = 1.0\np = np.zeros(n)\np[:] = 2.0\nreturn n",
        "p[0] = 1.0\np = np.zeros(n)\np[:] = 2.0\nreturn n",
    ),
    "store through view": (
        "a = np.zeros(n)\nv = a[1:]\nv[0] = 1.0\nreturn a",
        "a = np.zeros(n)\nv = a[1:]\nv[0] = 1.0\nreturn a",
    ),
    "last store": ("a = p.copy()\nx = a[0]\na[0] = 0.0\nreturn x", "a = p.copy()\nx = a[0]\nreturn x"),
    "overwritten": ("a = np.zeros(n)\na[0] = 1.0\na[...] = 2.0\nreturn a", "a = np.zeros(n)\na[...] = 2.0\nreturn a"),
    "dead branch": ("if n > 3:\n  x = 1\nelse:\n  f(n)\nreturn n", "if not n > 3:\n  f(n)\nreturn n"),
    "dead if": ("if n > 3:\n  x = 1\nreturn n", "return n"),
    "pure while": ("i = 0\nwhile i < n:\n  i += 1\nreturn n", "return n"),
    "break is kept": (
        "while True:\n  f(n)\n  if n > 2:\n    break\nreturn n",
        "while True:\n  f(n)\n  if n > 2:\n    break\nreturn n",
    ),
    "dead pair": ("x, y = np.linalg.qr(p)\nreturn n", "return n"),
    "printing": ("x = p[0]\nprint(x)\nreturn n", "x = p[0]\nprint(x)\nreturn n"),
    "shape needs no contents": (
        "a = np.zeros(n)\na[0] = 1.0\nb = np.ones_like(a)\nreturn b",
        "a = np.zeros(n)\nb = np.ones_like(a)\nreturn b",
    ),
    "try": (
        "try:\n  x = p[9]\nexcept IndexError:\n  f(n)\nreturn n",
        "try:\n  x = p[9]\nexcept IndexError:\n  f(n)\nreturn n",
    ),
    "store into an item of itself": (
        "u = [p[0]]\nh = [u]\nr = h\nr = r[0]\nr[0] = 1.0\nreturn u",
        "u = [p[0]]\nh = [u]\nr = h\nr = r[0]\nr[0] = 1.0\nreturn u",
    ),
    "the length of one list or another": (
        "u = []\nu.append(n)\nv = []\nreturn len(u if n > 3 else v)",
        "u = []\nu.append(n)\nv = []\nreturn len(u if n > 3 else v)",
    ),
    "augmented item of a container": (
        "u = [1.0]\nd = {0: u}\nd[0] *= 2\nreturn u",
        "u = [1.0]\nd = {0: u}\nd[0] *= 2\nreturn u",
    ),
    "added in place, asked for its shape": (
        "a = p.copy()\na += b\nreturn np.zeros_like(a)",
        "a = p.copy()\nreturn np.zeros_like(a)",
    ),
    "added in place": ("a = p.copy()\na += b\nreturn a", "a = p.copy()\na += b\nreturn a"),
    "added in place of a view": (
        "a = p.copy()\nv = a[1:]\nv += x\nreturn a",
        "a = p.copy()\nv = a[1:]\nv += x\nreturn a",
    ),
    "added in place of a number": ("s = 1.0\ns += x\nreturn s", "s = 1.0\ns += x\nreturn s"),
    "closure": ("x = 1\ng = lambda: x\nx = 2\nreturn g", "x = 1\ng = lambda: x\nx = 2\nreturn g"),
}


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    before, after = CASES[name]
    facts = Facts(kinds={"p": ARRAY, "a": ARRAY, "v": ARRAY, "b": ARRAY, "n": Number(int), "i": Number(int)})
    facts.kinds |= {"x": Number(float), "s": Number(float)}
    assert text(eliminate(statements(before), facts)) == text(statements(after))


def test_owned_parameters_and_live_out() -> None:
    facts = Facts(kinds={"p": ARRAY, "x": Number(float)})
    body = statements("x = p[0]\np[0] = 0.0\nx = 2.0 * x")
    assert text(eliminate(body, facts, {"x"}, {"p"})) == "x = p[0]\nx = 2.0 * x"
    assert text(eliminate(body, facts, {"x"})) == text(body)
    assert eliminate(body, facts, (), {"p"}) == []
