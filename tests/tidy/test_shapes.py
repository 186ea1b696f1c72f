from __future__ import annotations

import numpy as np
import pytest

from s2sad.core import Facts, statements, text
from s2sad.kinds.dims import Dim
from s2sad.kinds.kind import Array
from s2sad.tidy.shapes import shapes_elsewhere

N, M = Dim.symbol("n"), Dim.symbol("m")
FLOAT, SINGLE = np.dtype(float), np.dtype(np.float32)
KINDS = {
    "x": Array(FLOAT, (N,)),
    "a": Array(FLOAT, (N,)),
    "s": Array(SINGLE, (N,)),
    "p": Array(FLOAT, (N, M)),
    "q": Array(FLOAT, (M, N)),
    "z": Array(FLOAT, (M,)),
}


def changed(source: str, parameters: str = "xp") -> str:
    return text(shapes_elsewhere(statements(source), Facts(kinds=dict(KINDS)), list(parameters)))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a = f(x)\nb = a.size + len(a)", "a = f(x)\nb = x.size + len(x)"),
        ("a = f(x)\nb = np.zeros_like(a)", "a = f(x)\nb = np.zeros_like(x)"),
        ("q = f(x)\nb = q.shape[0]", "q = f(x)\nb = p.shape[1]"),
        ("z = f(q)\nb = 1.0 / z.size + len(z)", "z = f(q)\nb = 1.0 / p.shape[1] + p.shape[1]"),
        ("s = f(x)\nb = s.shape", "s = f(x)\nb = x.shape"),
        ("a = f(x)\nif c:\n    b = a.shape", "a = f(x)\nif c:\n    b = x.shape"),
    ],
)
def test_asked_elsewhere(source: str, expected: str) -> None:
    assert changed(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "a = f(x)\nb = a.size * a",  # it is needed anyway
        "a = f(x)\na = g(a)\nb = a.size",  # bound twice
        "q = f(x)\nb = q.shape",  # nothing has this shape
        "s = f(x)\nb = np.zeros_like(s)",  # of another dtype
        "b = k.size",  # not known
    ],
)
def test_stays(source: str) -> None:
    assert changed(source) == text(statements(source))


def test_layouts_that_matter() -> None:
    facts = Facts(kinds=dict(KINDS), laid_out=True)
    body = statements("a = f(x)\nb = np.zeros_like(a)")
    assert shapes_elsewhere(body, facts, ["x"]) == body
