from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2sad.core import Facts, Names, statements, text
from s2sad.kinds.kind import Number
from s2sad.tidy.coalesce import coalesce
from tests.amounts import examples

from .programs import PARAMETERS, check


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 10**9))
def test_random_programs_compute_the_same(seed: int) -> None:
    check(lambda body, facts: coalesce(body, facts, parameters=set(PARAMETERS)), seed)


CASES = {
    "branch": (
        "x_1 = 2.0 * x\nif c:\n  x_2 = x_1 + 1.0\nelse:\n  x_2 = x_1\nreturn x_2",
        "x = 2.0 * x\nif c:\n  x = x + 1.0\nreturn x",
    ),
    "then branch vanishes": (
        "if c:\n  x_1 = x\nelse:\n  x_1 = x + 1.0\nreturn x_1",
        "if not c:\n  x = x + 1.0\nreturn x",
    ),
    "loop": (
        "x_1 = x\nfor i in range(n):\n  x_2 = x_1 * 2.0\n  x_1 = x_2\nreturn x_1",
        "for i in range(n):\n  x = x * 2.0\nreturn x",
    ),
    "both alive": ("x_1 = x * 2.0\nreturn x + x_1", "x_1 = x * 2.0\nreturn x + x_1"),
    "alive in the loop": (
        "x_1 = 1.0\nfor i in range(n):\n  x_1 = x_1 * x\nreturn x_1",
        "x_1 = 1.0\nfor i in range(n):\n  x_1 = x_1 * x\nreturn x_1",
    ),
    "two variables stay two": ("y_1 = x\nreturn y_1", "y = x\nreturn y"),
    "temporaries are numbered anew": ("t_7 = x * x\nt_9 = t_7 * t_7\nreturn t_9", "t = x * x\nt = t * t\nreturn t"),
    "temporary into a variable": ("t_7 = x * x\nz = t_7 + 1.0\nx_1 = t_7\nreturn x_1 + z", None),
    "taken in a comprehension": (
        "x_1 = 2.0 * x\nl = [x * x for x in range(3)]\nreturn x_1, l",
        "x_1 = 2.0 * x\nl = [x * x for x in range(3)]\nreturn x_1, l",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    before, after = CASES[name]
    kinds = {n: Number(float) for n in ("x", "x_1", "x_2", "y_1", "t_7", "t_9", "z", "c")}
    users = {"x": "x", "x_1": "x", "x_2": "x", "y_1": "y", "z": "z", "c": "c"}
    facts = Facts(kinds=kinds, user_name=users, temps={"t_7", "t_9"}, taken=Names({"x", "x_1", "x_2", "t_7", "t_9"}))
    result = text(coalesce(statements(before), facts, parameters={"x", "c", "n"}))
    if after is not None:
        assert result == text(statements(after))
    else:
        assert "t_7" not in result and result.count("\n") == 2


def test_live_out_and_parameters_keep_their_names() -> None:
    facts = Facts(user_name={"x": "x", "x_1": "x"})
    assert text(coalesce(statements("x_1 = 2.0 * x"), facts, {"x_1"}, parameters={"x"})) == "x_1 = 2.0 * x"


def test_a_loop_and_one_inside_have_variables_of_their_own():
    body = statements("for k in range(n):\n  u = a[k]\n  for k_1 in range(n):\n    s += u * a[k_1]\nreturn s")
    facts = Facts(temps={"k", "k_1"})
    assert text(coalesce(body, facts)) == text(body)
    behind = statements("for k in r:\n  s += k\nfor k_1 in r:\n  s += k_1\nreturn s")
    assert "k_1" not in text(coalesce(behind, facts))
