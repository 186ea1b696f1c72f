"""Lists that loops fill, as a person writes them; and where the loop has to stay."""

from __future__ import annotations

import math

import numpy as np
import pytest

from s2sad import grad
from s2sad.core import Facts, statements, text
from s2sad.emit.gathered import gathered
from s2sad.kinds.kind import Array, Dim, ListOf, Number, Object, Tuple

NUMBERS = ListOf(Number(float))
FACTS = Facts(
    kinds={
        "x": NUMBERS,
        "y": NUMBERS,
        "out": NUMBERS,
        "b": NUMBERS,
        "ps": ListOf(Tuple((Number(float), Number(float)))),
        "u": Array(np.dtype(float), (Dim.symbol("n"),)),
        "places": Object(range),
    },
    globals={"math": math},
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("out = []\nfor v in x:\n  out.append(v)", "out = list(x)"),
        ("out = []\nfor v in x:\n  out.append(v * v)", "out = [v * v for v in x]"),
        ("out = []\nfor v in x:\n  if v > 0.0:\n    out.append(v)", "out = [v for v in x if v > 0.0]"),
        ("out = []\nfor k in range(len(x)):\n  v = x[k]\n  out.append(-v)", "out = [-item for item in x]"),
        ("out = []\nfor k in range(len(u)):\n  out.append(float(u[k]))", "out = u.tolist()"),
        ("out = []\nfor k in range(len(x)):\n  out.append(x[k] * item)", "out = [k * item for k in x]"),
        ("out = []\nfor k in range(len(x))[2:]:\n  out.append(x[k])", "out = x[2:]"),
        (
            "places = range(len(x))[2:]\nout = []\nfor k in places:\n  out.append(x[k])",
            "places = range(len(x))[2:]\nout = x[2:]",
        ),
        ("out = []\nfor k in places:\n  p, q = ps[k]\n  out.append((p, q))", "out = [ps[k] for k in places]"),
        ("out = [1.0]\nfor v in x:\n  out.append(v)\nout.append(2.0)", "out = [1.0, *x, 2.0]"),
        ("out = []\nc = f(z)\nout.append(c)\nfor v in x:\n  out.append(v)", "c = f(z)\nout = [c, *x]"),
        ("b = [0.0] * len(x)\nfor k in reversed(range(len(x))):\n  b[k] += 2.0", "b = [2.0 for k in range(len(x))]"),
        (
            "b = [0.0] * len(x)\nfor k in reversed(range(len(x))):\n  v = x[k]\n  b[k] -= math.exp(v)",
            "b = [-math.exp(v) for v in x]",
        ),
        (
            "b = [0.0] * len(x)\nfor k in reversed(range(len(x))):\n  v = x[k]\n  w = y[k]\n  b[k] += v * w",
            "b = [v * y[k] for k, v in enumerate(x)]",
        ),
    ],
)
def test_a_list_in_one_expression(before, after):
    assert text(gathered(statements(before), FACTS)) == after


@pytest.mark.parametrize(
    "stays",
    [
        # what it is read for on the way, or behind
        "out = []\nfor v in x:\n  out.append(v + len(out))",
        "out = []\nz = out\nfor v in x:\n  out.append(v)",
        "out = []\nfor v in x:\n  out.append(v)\nz = v",
        "out = []\nfor v in x:\n  out.append(v)\nfor v in range(v):\n  z = 1",
        "out = []\nfor v in x:\n  out.append(v)\nelse:\n  z = 1",
        "out = [c]\nc = f(z)\nfor v in x:\n  out.append(v)",
        "out = []\nfor v in x:\n  w = g(v)\n  out.append(w * w)",
        # another length, another order
        "b = [0.0] * len(y)\nfor k in reversed(range(len(x))):\n  b[k] += 2.0",
        "b = [0.0] * len(x)\nfor k in reversed(range(len(x))):\n  b[k] += y.pop()",
        "b = [0.0] * len(x)\nfor k in reversed(range(len(x))):\n  b[k] += b[0]",
        "b = [1.0] * len(x)\nfor k in reversed(range(len(x))):\n  b[k] += 2.0",
    ],
)
def test_a_loop_that_stays(stays):
    tree = statements(stays)
    assert gathered(tree, FACTS) is tree


def test_a_slice_is_one_of_the_list_as_it_was():
    changed = "places = range(len(x))[2:]\nx.append(1.0)\nout = []\nfor k in places:\n  out.append(x[k])"
    assert text(gathered(statements(changed), FACTS)).endswith("out = [x[k] for k in places]")
    of_an_array = "out = []\nfor k in range(len(u))[1:]:\n  out.append(u[k])"
    assert text(gathered(statements(of_an_array), FACTS)) == "out = [u[k] for k in range(len(u))[1:]]"


def test_a_loop_of_several_lines_is_the_users():
    def f(xs):
        out = []
        for v in xs:
            out.append(v * v)
        return sum(out) * max([math.sin(v) for v in xs])

    derivative = grad(f)
    derivative([0.1 * k for k in range(20)])
    assert "out.append(v * v)" in derivative.source
    assert "[math.sin(v) for v in xs]" in derivative.source


def test_the_text_is_as_long_for_five_rows_as_for_fifty():
    def f(A, x):
        return sum(sum(a * b for a, b in zip(row, x, strict=True)) ** 2 for row in A)

    texts = set()
    for n in (5, 50):
        derivative = grad(f)
        derivative([[0.1 * i + j for j in range(n)] for i in range(n)], [0.5] * n)
        texts.add(derivative.source)
    assert len(texts) == 1
    assert len(texts.pop().splitlines()) < 30
