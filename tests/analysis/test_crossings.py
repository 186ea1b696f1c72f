"""Where what is integrated jumps at a place that moves: the condition, or none."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from s2sad.analysis.crossings import jump
from s2sad.analysis.forms import Atom
from s2sad.core import Facts, load, statements
from s2sad.kinds.dims import Dim
from s2sad.kinds.kind import Array, Number

OF_THREE = Array(np.dtype(float), (Dim.of(3),))
KINDS = {"x": Number(float), "p": Number(float), "a": OF_THREE, "b": OF_THREE, "c": OF_THREE}

#: statements that compute y, and where it jumps
JUMPS = {
    "y = 1.0 if x < p else 0.0": "x < p",
    "y = x - p if x > p else 0.0": "",
    "y = p if x < 0.5 else 2.0": "",
    "if x < p:\n    y = 1.0\nelse:\n    y = 2.0": "x < p",
    "if x < p:\n    y = x\nelse:\n    y = p": "",
    # through what is stored into, under each name of it
    "a = np.zeros(3)\na[0] = 1.0 if x < p else 2.0\ny = a[0]": "x < p",
    "a = np.zeros(3)\nb = a[1:]\nb[0] = 1.0 if x < p else 2.0\ny = a[1]": "x < p",
    "a = np.zeros(3)\nb = a\nc = b\nc[0] = 1.0 if x < p else 2.0\ny = a[1]": "x < p",
    "a = np.zeros(3)\nb, c = a, a\nc[0] = 1.0 if x < p else 2.0\ny = a[1]": "x < p",
    "a = np.zeros(3)\nb = a * 2.0\nb[0] = 1.0 if x < p else 2.0\ny = a[1]": "",
    "a = np.zeros(3)\nif x < 0.5:\n    b = a\nelse:\n    b = np.ones(3)\nb[0] = 1.0 if x < p else x\ny = a[1]": "x < p",
    "a = np.zeros(3)\nb = a[1:]\na[a > p] = p\ny = b[1]": "",
    "a = np.zeros(3)\na += 1.0 if x < p else 2.0\ny = a[1]": "x < p",
    # in loops, and where they are left
    "y = 0.0\nfor k in range(4):\n    y += 1.0 if x < p * k else 2.0": "x < p * k",
    "y = 0.0\nfor k in range(4):\n    if x < p * k:\n        break\n    y += 1.0": "x < p * k",
    "y = 0.0\nfor k in range(4):\n    if x < 0.5 * k:\n        break\n    y += p": "",
    "y = 0.0\nwhile y * p < x:\n    y += 1.0": "y * p < x",
    "y = 0.0\nwhile y * 0.5 < x:\n    y += 1.0": "",
    # by conditions put together
    "y = np.where(x < p, 0.0, 1.0) * np.logical_and(x < p, x < 0.5)": "",
    "y = np.where(x < p, 0.0, 1.0) * np.logical_or(x < p, x < 0.5)": "x < p",
    "y = np.where(x < p, 0.0, 1.0) * np.logical_not(x < p) * (x - p)": "",
    "y = 1.0\ntry:\n    y = x * p\nexcept ValueError:\n    y = 2.0": "try",
}


def found(text: str) -> str:
    core = SimpleNamespace(body=statements(text), facts=Facts(dict(KINDS), globals={"np": np}))
    return jump(core, load("y"), {"x": Atom(along=True), "p": Atom(moved=True)})


@pytest.mark.parametrize("text", JUMPS)
def test_where_a_result_jumps(text: str) -> None:
    assert found(text) == JUMPS[text]
