"""The pullback of a function that overwrites arrays in its arguments, whatever holds them."""

from __future__ import annotations

import itertools
import pathlib
from collections import namedtuple
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from s2sad import jacobian, vjp
from tests import generator, numeric


@dataclass
class Pair:
    a: Any
    b: Any


Named = namedtuple("Named", "a b")

#: what holds two arrays, and where they are in p
HELD = {
    "dict": (lambda a, b: {"a": a, "b": b}, "p['a']", "p['b']"),
    "list": (lambda a, b: [a, b], "p[0]", "p[-1]"),
    "tuple": (lambda a, b: (a, b), "p[0]", "p[1]"),
    "nested": (lambda a, b: {"l": [a, (b, 2.0)]}, "p['l'][0]", "p['l'][1][0]"),
    "object": (lambda a, b: SimpleNamespace(a=a, b=b), "p.a", "p.b"),
    "dataclass": (Pair, "p.a", "p.b"),
    "namedtuple": (Named, "p.a", "p.b"),
}
BODIES = (
    "a = A\na[1] = a[0] * b[2]\nreturn b * a",
    "A[1] = A[0] * B[2]\nreturn A",
    "A[:] = A * B\nB[0] = A[1]\nreturn A * B",
    "a, b = A, B\na += b\nb *= a\nreturn a * b",
    "a = A\nfor i in range(2):\n    a[i] = a[i + 1] * B[i]\nreturn a * a",
    "a = A[1:]\na[0] = A[0] ** 2\nreturn A * b",
    "if B[0] > 0.0:\n    A[0] = B[1] ** 2\nelse:\n    A[1] = 2.0\nreturn np.array([np.sum(A * B), A[0]])",
    "A[0] = B[0] * b[0]\nreturn {'s': A, 't': B * A}['t'] + A",
)


@pytest.mark.parametrize(("holder", "body"), list(itertools.product(HELD, BODIES)))
def test_overwritten_parts(holder: str, body: str, tmp_path: pathlib.Path) -> None:
    hold, a, b = HELD[holder]
    lines = body.replace("A", a).replace("B", b).splitlines()
    f = generator.load(
        "import numpy as np\n\ndef f(p, b):\n" + "".join(f"    {line}\n" for line in lines), tmp_path / "f.py"
    )
    args = (hold(np.array([0.5, 0.2, 0.1]), np.array([1.5, -0.4, 0.7])), np.array([1.0, 0.4, 0.2]))
    before = numeric.fresh(args)
    value, pullback = vjp(f, (0, 1))(*args)
    expected = f(*numeric.fresh(args))
    np.testing.assert_allclose(value, expected)
    rows = [pullback(row) for row in np.eye(len(value))]
    numeric.assert_untouched(args, before)
    along = numeric.direction(args, (0, 1), np.random.default_rng(0))
    slope, _ = numeric.directional(f, args, (0, 1), along)
    np.testing.assert_allclose([numeric.inner(row, along)[0] for row in rows], slope, rtol=1e-6, atol=1e-9)
    by_columns = jacobian(f, 1, mode="forward")(*args)
    np.testing.assert_allclose(jacobian(f, 1, mode="reverse")(*args), by_columns, rtol=1e-9, atol=1e-12)
