"""A number on one path and one of NumPy's bools on the other: two of these add up to True, and times 1 they are a number."""

from __future__ import annotations

import pathlib
from collections.abc import Callable

import numpy as np
import pytest

from tests import generator, numeric

BOUND = (
    "t = 0\nif x > 0.1:\n    t = u[0] > 0.1",
    "t = 0.0\nif x > 0.1:\n    t = u[0] > 0.1",
    "t = np.zeros(2) if x > 2.0 else u > 0.1",
    "t = np.zeros(2, dtype=int) if x > 2.0 else u > 0.1",
    "t = True\nfor k in range(2):\n    t = t * (u[0] > 0.1)",
    "t = u > 0.1",
    "t = 0\nif x > 0.1:\n    t = (u[0] > 0.1) * True",
)
RESULTS = ("(t * 1.0 + t) * x", "(t + t) * x", "(t * 1 + t) * x", "t * 1.0 + t * t + t * x", "(1.0 * t + t + t) * x * x")


@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize("bound", BOUND)
def test_bools_and_numbers(bound: str, result: str, tmp_path: pathlib.Path) -> None:
    lines = [*bound.split("\n"), f"return np.sum({result}) + np.sum(u) * x"]
    text = "import numpy as np\n\n\ndef f(x, u):\n" + "".join(f"    {line}\n" for line in lines)
    f = generator.load(text, tmp_path / "bools.py")
    numeric.check(f, (1.25, np.array([0.4, 1.3])), (0, 1))


@pytest.mark.parametrize("store", ["np.add.at(q, [0, 0], x)", "np.subtract.at(q, [0, 1], x)", "q[...] = x", "q[0] += x"])
def test_floats_stored_into_ints_are_cut_off(store: str, tmp_path: pathlib.Path) -> None:
    lines = ["q = np.zeros(2, dtype=int)", store, "return np.sum(q * u) + x"]
    text = "import numpy as np\n\n\ndef f(x, u):\n" + "".join(f"    {line}\n" for line in lines)
    f = generator.load(text, tmp_path / "ints.py")
    numeric.check(f, (1.25, np.array([0.4, 1.3])), (0, 1))


class Cubing(int):
    """What a float on the left does not ask, and an int does."""

    def __rmul__(self, other: float) -> float:
        return other**3

    def __gt__(self, other: float) -> bool:
        return True


TWO = Cubing(2)


def times_two(x: float) -> float:
    return x * TWO


def three_times_two(x: float) -> float:
    return x**2 * (3 * TWO)


def beside_two(x: float) -> float:
    return x**2 if x < TWO else x**3


@pytest.mark.parametrize("f", [times_two, three_times_two, beside_two])
def test_a_float_knows_what_an_int_of_any_class_means(f: Callable[[float], float]) -> None:
    numeric.check(f, (3.3,), (0,))
