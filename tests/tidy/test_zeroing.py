from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2sad.core import Facts, Stmt, statements, text
from s2sad.kinds.kind import Array, Number
from s2sad.tidy.zeroing import drop_zeroing
from tests.amounts import examples

from .programs import run, same

ARRAY = Array(np.dtype(float), None)


def facts() -> Facts:
    kinds = dict.fromkeys(("A", "B", "p", "q"), ARRAY) | dict.fromkeys(("g", "h", "x"), Number(float))
    return Facts(kinds=kinds | dict.fromkeys(("i", "j", "k", "n"), Number(int)))


def program(seed: int) -> list[Stmt]:
    """Loops that read, clear and add to elements of two arrays of 7 rows."""
    r = random.Random(seed)
    shape = r.choice(["7", "(7, 3)"])

    def element() -> str:
        return r.choice(["i", "i", "i + 1", "i - 1", "i + 2", "0", "1", "5", "6"])

    def index(inside: bool) -> str:
        if shape != "7" and r.random() < 0.6:
            rows = r.choice([":", "1:", "i" if inside else "2"])
            return f"{rows}, {r.choice(['0', '1:', ':1', ':2', '2', '1', ':'])}"
        if inside and r.random() < 0.7:
            return element()
        return r.choice(["0", "1", "6", "1:", ":1", "2:4", "4:", ":2", "1:-1", ":", "k:", "k"])

    def lines(inside: bool, count: int) -> list[str]:
        out = []
        for _ in range(count):
            a, b, c = r.choice("AB"), r.choice("AB"), r.random()
            if c < 0.4:
                out.append(f"{a}[{index(inside)}] = 0.0")
            elif c < 0.6:
                out.append(f"g = g + np.sum({a}[{index(inside)}])")
            elif c < 0.8:
                out.append(f"{a}[{index(inside)}] += g")
            elif c < 0.85:
                out.append(f"{a}[{index(inside)}] = g")
            elif c < 0.9:
                out.append(f"{a}[{index(inside)}] += np.sum({b})")
            elif c < 0.95 and inside:
                out += [f"if g > {r.choice('01')}.0:", f"  {a}[{index(inside)}] = 0.0"]
            else:
                out.append(f"g = g + {a}.shape[0]")
        return out

    head = r.choice(["range(1, 5)", "range(4)", "range(2, 5)", "reversed(range(1, 5))", "reversed(range(5))"])
    body = [
        f"A = np.ones({shape})",
        f"B = np.arange(7.0)[:, None] + np.zeros({shape})" if shape != "7" else "B = np.arange(7.0)",
    ]
    body += ["g = x", *lines(False, r.randint(0, 2))]
    if r.random() < 0.8:
        inner = lines(True, r.randint(1, 5))
        if r.random() < 0.2:
            inner.append("i = i + 1")
        nest = r.random() < 0.3
        if nest and r.random() < 0.5:
            inner.insert(0, "A = np.ones(" + shape + ")")
        body += ["for j in range(2):"] if nest else []
        pad = "  " if nest else ""
        body += [f"{pad}for i in {head}:", *(f"{pad}  {line}" for line in inner)]
    body += [*lines(False, r.randint(0, 3)), r.choice(["return g", "return g, A", "return A[0], g", "return B[4:], g"])]
    return statements("\n".join(body))


@settings(max_examples=examples(120), deadline=None)
@given(st.integers(0, 10**9))
def test_random_programs_compute_the_same(seed: int) -> None:
    check(seed)


def nest(seed: int) -> list[Stmt]:
    """Nests of loops that read, clear and add to elements of a table."""
    r = random.Random(seed)

    def part(names: str) -> str:
        return r.choice([*(n + r.choice(["", "", " - 1", " + 1"]) for n in names * 2), "0", "1", "6"])

    def lines(names: str, count: int) -> list[str]:
        out = []
        for _ in range(count):
            place = f"A[{part(names)}, {part(names)}]" if r.random() < 0.9 else f"A[{part(names)}]"
            clear = place if r.random() < 0.5 else "A[i, j]"
            forms = [f"g = g + np.sum({place})", f"{place} += g", f"{clear} = 0.0", f"{clear} = 0.0"]
            out.append(r.choice(forms if names == "ij" else [f"{place} += g", f"{place} = 0.0"]))
        return out

    ranges = ["range(4)", "range(1, 6)", "range(5, 0, -1)", "range(4, -1, -1)", "range(2, 6, 2)"]
    inner = [*ranges, "range(i)", "range(i, 5)", "range(i + 1, 6)", "range(i - 1, 5)"]

    def head(choices: list[str]) -> str:
        chosen = r.choice(choices)
        return f"reversed({chosen})" if r.random() < 0.5 else chosen

    body = ["A = np.arange(49.0).reshape(7, 7)", "g = x"]
    for _ in range(r.randint(1, 2)):
        body += [f"for i in {head(ranges)}:", *(f"  {line}" for line in lines("i", r.randint(0, 1)))]
        body += [f"  for j in {head(inner)}:", *(f"    {line}" for line in lines("ij", r.randint(1, 4)))]
        body += [f"  {line}" for line in lines("i", r.randint(0, 1))]
        body += [f"for i in {head(ranges)}:", "  " + r.choice(["A[i, 0] += g", "A[0, i] = 0.0", "g = g + A[0, i]"])]
    body.append(r.choice(["return g", "return g, A[0, 0]", "return g, A[1, 0]"]))
    return statements("\n".join(body))


@settings(max_examples=examples(160), deadline=None)
@given(st.integers(0, 10**9))
def test_random_nests_compute_the_same(seed: int) -> None:
    check(seed, nest)


def check(seed: int, program: Callable[[int], list[Stmt]] = program) -> bool:
    body = program(seed)
    try:
        before = run(body)
    except Exception:
        return False
    after = drop_zeroing(body, facts())
    assert same(before, run(after)), text(body) + "\n-----\n" + text(after)
    return after is not body


TABLE = "A = np.ones((9, 9))\nfor i in range(1, 9):\n  for j in range(1, n):\n    A[i, j] = 0.0\n    A[{}] += x\n"

CASES = {
    "columns": ("A = np.ones(3)\nA[:, 4:] = 0.0\nreturn A[:, :4]", True),
    "columns that meet": ("A = np.ones(3)\nA[:, 3:] = 0.0\nreturn A[:, :4]", False),
    "downwards": ("A = np.ones(9)\nfor i in reversed(range(1, 9)):\n  A[i] = 0.0\n  A[i - 1] += x\nreturn A[0]", True),
    "upwards": ("A = np.ones(9)\nfor i in range(1, 9):\n  A[i] = 0.0\n  A[i - 1] += x\nreturn A[0]", False),
    "wraps around": (
        "A = np.ones(9)\nfor i in reversed(range(9)):\n  A[i] = 0.0\n  A[i - 1] += x\nreturn x",
        False,
    ),
    "read behind the loop": ("A = np.ones(9)\nfor i in reversed(range(1, 9)):\n  A[i] = 0.0\nreturn A[1]", False),
    "returned": ("A = np.ones(9)\nA[0] = 0.0\nreturn A", False),
    "a view is held": ("A = np.ones(9)\nB = A[1:]\nA[1:] = 0.0\nreturn B", False),
    "not allocated here": ("p[0] = 0.0\nreturn p[1:]", False),
    "a table, upwards": (TABLE.format("i - 1, j") + "return x", False),
    "a table, downwards": (TABLE.format("i + 1, j") + "return x", True),
    "a table, along the row": (TABLE.format("i, j + 1") + "return x", True),
    "a table, along the row, the other way": (TABLE.format("i, j - 1") + "return x", False),
    "a table, another row": (TABLE.format("j, i") + "return x", False),
    "a table and its edge": (TABLE.format("i, j + 1") + "for k in range(1, 9):\n  A[k, 0] += x\nreturn A[0, 0]", True),
    "a table and its rows": (TABLE.format("i, j + 1") + "for k in range(1, 9):\n  A[k, 1] += x\nreturn x", False),
    "a mask is no axis": ("A = np.ones(3)\nA[q, 1:] = 0.0\nreturn A[q, :1]", False),
}


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    source, goes = CASES[name]
    after = text(drop_zeroing(statements(source), facts()))
    assert ("= 0.0" not in after) == goes
