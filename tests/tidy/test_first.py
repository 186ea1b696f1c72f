"""What is added to zeros first is stored: the programs compute the same."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2sad.core import Facts, Origin, Stmt, statements, text
from s2sad.kinds.kind import Array, Dim, Number
from s2sad.tidy.first import store_first
from s2sad.tidy.inplace import update_in_place
from s2sad.tidy.unpack import unpack
from tests.amounts import examples

from . import test_zeroing
from .programs import run, same


def facts() -> Facts:
    known = test_zeroing.facts()
    known.globals["np"] = np
    return known


def program(seed: int) -> list[Stmt]:
    """Loops that read, store and add to elements of zeros."""
    make = random.Random(seed).choice([test_zeroing.program, test_zeroing.nest])
    source = text(make(seed)).replace("np.arange(49.0).reshape(7, 7)", "np.zeros((7, 7))")
    return statements(source.replace("np.ones", "np.zeros"))


@settings(max_examples=examples(120), deadline=None)
@given(st.integers(0, 10**9))
def test_random_programs_compute_the_same(seed: int) -> None:
    check(seed)


def check(seed: int) -> bool:
    body = program(seed)
    try:
        before = run(body)
    except Exception:
        return False
    after = store_first(body, facts())
    assert same(before, run(after)), text(body) + "\n-----\n" + text(after)
    return after is not body


CASES = {
    "twice": ("A = np.zeros(3)\nA[0] += x\nA[0] += x\nreturn A", "A[0] = x\nA[0] += x"),
    "apart": ("A = np.zeros(3)\nA[0] += x\nA[1:] -= x\nreturn A", "A[0] = x\nA[1:] = -x"),
    "in every turn": ("A = np.zeros(3)\nfor i in range(3):\n  A[0] += x\nreturn A", "A[0] += x"),
    "an element a turn": ("A = np.zeros(3)\nfor i in range(3):\n  A[i] += x\nreturn A", "A[i] = x"),
    "wraps around": ("A = np.zeros(3)\nfor i in range(3):\n  A[i - 1] += x\nreturn A", "A[i - 1] += x"),
    "neighbours": ("A = np.zeros(3)\nfor i in range(2):\n  A[i] += x\n  A[i + 1] += x\nreturn A", "A[i + 1] += x"),
    "behind a call": ("A = np.zeros(3)\nf(A)\nA[0] += x\nreturn A", "A[0] += x"),
    "a view": ("A = np.zeros(3)\nB = A[:2]\nB[0] = x\nA[0] += x\nreturn A", "A[0] += x"),
    "no zeros": ("A = np.ones(3)\nA[0] += x\nreturn A", "A[0] += x"),
    "in a while": ("A = np.zeros(3)\nwhile x < 3.0:\n  x += 1.0\n  A[0] += x\nreturn A", "A[0] += x"),
    "whole numbers": ("q = np.zeros(3)\nq[0] += 1j\nreturn q", "q[0] += 1j"),
}


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    source, expected = CASES[name]
    assert expected in text(store_first(statements(source), facts())).replace("    ", "")


@pytest.mark.parametrize(
    ("length", "added", "stored"),
    [
        ("x.0", "A[:m] += x\nA[m:2 * m] += x\nA[2 * m:] += x", "A[:m] = x\nA[m:2 * m] = x\nA[2 * m:] = x"),
        ("x.0", "A[:m + 1] += x\nA[m:] += x", "A[:m + 1] = x\nA[m:] += x"),
        ("x.0", "A[:m - 2] += x\nA[m - 2:] += x", "A[:m - 2] = x\nA[m - 2:] = x"),
        ("x.0", "A[:m - 3] += x\nA[m - 3:] += x", "A[:m - 3] = x\nA[m - 3:] += x"),  # -1 counts from the end
        ("m", "A[:m] += x\nA[m:] += x", "A[:m] = x\nA[m:] = x"),
        ("m", "A[:m - 1] += x\nA[m - 1:] += x", "A[:m - 1] = x\nA[m - 1:] += x"),  # a written length may be 0
        ("?1", "A[:m] += x\nA[m:] += x", "A[:m] = x\nA[m:] += x"),  # one value of several
        ("m$", "A[:m] += x\nA[m:] += x", "A[:m] = x\nA[m:] += x"),  # any number
    ],
)
def test_bounds_that_are_lengths(length: str, added: str, stored: str) -> None:
    known = facts()
    known.kinds["m"] = Number(int, Dim.symbol(length))
    body = statements(f"A = np.zeros(3 * m)\n{added}\nreturn A")
    assert text(store_first(body, known)).split("\n")[1:-1] == text(statements(stored)).split("\n")


def test_written_as_the_user_wrote_it() -> None:
    body = statements("x = x + g\nx = x + g\nx = g + x\nA = A + x")
    for statement, line in zip(body, ("x += g", "x = x + g", "x += g", "A += x"), strict=True):
        statement.origin = Origin("f.py", 1, line)
    kinds = {"x": Number(float), "g": Number(float), "A": Array(np.dtype(float), None)}
    assert text(update_in_place(body, Facts(kinds=kinds))) == "x += g\nx = x + g\nx = g + x\nA = A + x"


def test_unpacked_where_all_parts_are_known() -> None:
    origin, other = Origin("f.py", 1, "a, b = x[0], x[1]"), Origin("f.py", 2, "a, b = x")
    for marks, line in (({}, origin), ({"parts": 2}, other)):
        body = statements("a = x[0]\nb = x[1]")
        for statement in body:
            statement.origin = line
            statement.__dict__.update(marks)
        assert text(unpack(body, Facts())) == ("a, b = x" if marks else "a, b = (x[0], x[1])")
    body = statements("a = x[0]\nx = x[1]")
    for statement in body:
        statement.origin, statement.parts = other, 2
    assert len(unpack(body, Facts())) == 2
