from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2sad.core import Facts, Names, statements, text
from s2sad.kinds.kind import Number
from s2sad.tidy import tidy
from tests.amounts import examples

from .programs import PARAMETERS, check


@pytest.mark.slow
@settings(max_examples=examples(50), deadline=None)
@given(st.integers(0, 10**9), st.booleans())
def test_random_programs_compute_the_same(seed: int, given_parameters: bool) -> None:
    parameters = set(PARAMETERS) if given_parameters else None
    check(lambda body, facts: tidy(body, facts, parameters=parameters), seed, exact=False)


def test_adjoint_of_a_recurrence() -> None:
    raw = statements("""
        x_1 = x
        tape = []
        for i in range(n):
            t1 = h * r
            t2 = t1 * x_1
            t3 = 1.0 - x_1
            t4 = t2 * t3
            x_2 = x_1 + t4
            tape.append(x_1)
            x_1 = x_2
        bx_1 = 1.0
        br = 0.0
        for i in reversed(range(n)):
            x_1 = tape.pop()
            t5 = 1.0 - x_1
            g = bx_1
            g_1 = g * t5
            g_2 = g_1 * h
            br_1 = g_2 * x_1
            br = br + br_1
            t6 = h * r
            g_3 = -g
            g_4 = g_3 * x_1
            bx_2 = g_4 * t6
            bx_3 = g_1 * t6
            bx_4 = bx_1 + bx_2
            bx_5 = bx_4 + bx_3
            bx_1 = bx_5
        return bx_1, br
    """)
    names = {"x": "x", "x_1": "x", "x_2": "x"} | {f"bx_{k}": "bx" for k in range(1, 6)} | {"br": "br", "br_1": "br"}
    temps = {f"t{k}" for k in range(1, 7)} | {"g", "g_1", "g_2", "g_3", "g_4", "br_1", "bx_2", "bx_3", "bx_4", "bx_5"}
    kinds = {n: Number(float) for n in [*names, *temps, "h", "r"]} | {"n": Number(int), "i": Number(int)}
    facts = Facts(kinds=kinds, temps=temps, user_name=names, taken=Names(kinds))
    assert text(tidy(raw, facts, parameters={"x", "r", "h", "n"})) == text(
        statements("""
        tape = []
        for i in range(n):
            tape.append(x)
            x += h * r * x * (1.0 - x)
        bx = 1.0
        br = 0.0
        for i in reversed(range(n)):
            x = tape.pop()
            g = bx * (1.0 - x)
            br += g * h * x
            t6 = h * r
            bx += g * t6 - bx * x * t6
        return (bx, br)
    """)
    )
