from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2sad.core import Origin, statements, text
from s2sad.tidy.flow import return_at_once, straighten
from tests.amounts import examples

from .programs import check

CASES = {
    "else behind return": ("if c:\n  return a\nelse:\n  x = 1\nreturn x", "if c:\n  return a\nx = 1\nreturn x"),
    "else behind break": (
        "for i in n:\n  if c:\n    break\n  else:\n    f(i)",
        "for i in n:\n  if c:\n    break\n  f(i)",
    ),
    "empty then": ("if c:\n  pass\nelse:\n  f(x)", "if not c:\n  f(x)"),
    "empty else": ("if c:\n  f(x)\nelse:\n  pass", "if c:\n  f(x)"),
    "behind a jump": ("return x\nf(x)", "return x"),
    "while": ("while True:\n  if not x < 3:\n    break\n  x += 1", "while x < 3:\n  x += 1"),
    "while with another exit": (
        "while True:\n  x += 1\n  if x > 3:\n    break",
        "while True:\n  x += 1\n  if x > 3:\n    break",
    ),
    "passes": ("pass\nx = 1\npass", "x = 1"),
    "alone": ("pass", "pass"),
}


RETURNS = {
    "one": ("x = a\nreturn x", "return a"),
    "both sides": ("if c:\n  x = a\nelse:\n  x = b\nreturn x", "if c:\n  return a\nreturn b"),
    "one side raises": ("if c:\n  x = a\nelse:\n  raise e\nreturn x", "if c:\n  return a\nraise e"),
    "a chain": (
        "if c:\n  x = a\nelif d:\n  y = b\n  x = y * y\nelse:\n  x = 0.0\nreturn x",
        "if c:\n  return a\nif d:\n  y = b\n  return y * y\nreturn 0.0",
    ),
    "one side adds": ("if c:\n  x = a\nelse:\n  x += b\nreturn x", None),
    "one side alone": ("if c:\n  x = a\nreturn x", None),
    "another name": ("if c:\n  y = a\nelse:\n  x = b\nreturn x", None),
    "two names": ("x = y = a\nreturn x", None),
    "a part": ("x[0] = a\nreturn x", None),
    "a loop": ("for i in n:\n  x = a\nreturn x", None),
}


@pytest.mark.parametrize("name", RETURNS)
def test_returned_at_once(name: str) -> None:
    before, after = RETURNS[name]
    assert text(return_at_once(statements(before))) == text(statements(after or before))


def test_names_of_the_user_stay() -> None:
    body = statements("x = a\nreturn x")
    body[0].origin = Origin("f.py", 2, "x = a")
    assert return_at_once(body) is body


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    before, after = CASES[name]
    assert text(straighten(statements(before))) == text(statements(after))


def test_ternary() -> None:
    body = statements("if c:\n  x = a\nelse:\n  x = b")
    body[0].ternary = True
    assert text(straighten(body)) == "x = a if c else b"


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 10**9))
def test_random_programs_compute_the_same(seed: int) -> None:
    check(lambda body, _: straighten(body), seed)
