"""An adjoint that another one is added to whole, and that nobody reads again, takes its memory over."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad.core import Facts, statements, text
from s2sad.kinds.kind import Array, Dim
from s2sad.tidy.take_over import take_over

ROW = Array(np.dtype(float), (Dim.symbol("n"),))


def result(source: str, **kinds: Array) -> str:
    facts = Facts(kinds={name: ROW for name in ("b", "c", "d", "e", "g")} | kinds)
    facts.globals["np"] = np
    return text(take_over(statements(source), facts, parameters=["g"]))


def test_taken_over():
    before = "c = g + 1.0\nb = np.zeros_like(g)\nb[1:] += g[1:]\nb[:-1] -= g[1:]\nb += c\nreturn b"
    assert result(before).split("\n") == ["c = g + 1.0", "b = c", "b[1:] += g[1:]", "b[:-1] -= g[1:]", "return b"]


def test_turn_after_turn():
    loop = (
        "c = g + 1.0\nfor k in range(9):\n    b = np.zeros_like(g)\n    b[1:] += g[1:]\n    b += c\n    c = b\nreturn c"
    )
    assert "zeros" not in result(loop)


@pytest.mark.parametrize(
    ("between", "after", "kinds"),
    [
        ("b[1:] += c[1:]", "", {}),  # what is added has to be read before
        ("c[0] = 2.0", "", {}),
        ("d = c[1:]\nd[0] = 2.0", "", {}),
        ("b[0] = 2.0", "", {}),
        ("b[1:] += b[:-1]", "", {}),
        ("d = b[1:]", "", {}),
        ("if g[0] > 0.0:\n    return b", "", {}),
        ("", "e = c + 1.0\n", {}),
        ("", "", {"c": Array(np.dtype(float), (Dim.symbol("m"),))}),
        ("", "", {"c": Array(np.dtype(np.float32), (Dim.symbol("n"),))}),
    ],
)
def test_left_as_it_is(between, after, kinds):
    before = f"c = g + 1.0\nb = np.zeros_like(g)\n{between}\nb += c\n{after}return b"
    assert result(before, **kinds) == text(statements(before))


@pytest.mark.parametrize("made", ["g", "g[1:]", "np.broadcast_to(1.0, g.shape)"])
def test_memory_of_others(made):
    before = f"c = {made}\nb = np.zeros_like(g)\nb[0] += 1.0\nb += c\nreturn b"
    assert result(before) == text(statements(before))


def test_an_array_added_to_itself():
    before = "b = np.zeros_like(g)\nb[2] += 1.0\nb += b\nreturn b"
    assert result(before) == text(statements(before))
