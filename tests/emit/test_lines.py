"""Functions that are called say what they are: the first line of the primal's docstring."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from s2sad import grad, jvp
from s2sad.core import statements
from s2sad.emit.phrases import told


def rates(x: float, y: float, a: float) -> tuple[float, float]:
    """The rates of change.

    Of both.
    """
    return a * x - 0.5 * x * y, 0.5 * x * y - a * y


def steps(a: float, n: int) -> float:
    """The last state."""
    x, y = 1.0, 2.0
    for _ in range(n):
        k1x, k1y = rates(x, y, a)
        k2x, k2y = rates(x + 0.5 * k1x, y + 0.5 * k1y, a)
        k3x, k3y = rates(x + 0.5 * k2x, y + 0.5 * k2y, a)
        x, y = x + 0.1 * (k1x + k2x + k3x), y + 0.1 * (k1y + k2y + k3y)
    return x * x + y


@pytest.mark.parametrize(
    "operator, args, name, line",
    [
        (grad, (0.3, 4), "rates_bwd", "Grad of rates: The rates of change."),
        (jvp, (0.3, 4, 1.0), "rates_jvp", "Tangent of rates: The rates of change."),
    ],
)
def test_the_line_of_the_primal(operator: Any, args: tuple[Any, ...], name: str, line: str) -> None:
    df = operator(steps)
    df(*args)
    functions = {f.name: f for f in ast.parse(df.source).body if isinstance(f, ast.FunctionDef)}
    assert ast.get_docstring(functions[name]) == line
    assert list(functions).index(name) < len(functions) - 1  # callees come before callers


def test_a_line_without_room_is_left_out() -> None:
    (f,) = statements("def f(x): return x")
    assert told(f, {"f": 99 * "long"}) is f
