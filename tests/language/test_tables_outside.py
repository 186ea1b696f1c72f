"""Loops over tables of the module's: rows of one form make a loop, whatever their number; others are written out."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator
from math import cos, exp, sin
from typing import Any, NamedTuple

import pytest
from s2sad import DerivationError, grad

from tests import numeric


class Term(NamedTuple):
    size: float
    late: bool
    wave: Callable[[float], float]
    turns: dict[int, int]


def cube(u: float) -> float:
    return u * u * u


PAIRS = [(0.5, 1), (0.2, 2), (0.1, 3), (0.4, -1), (0.3, 5)]
TERMS = [Term(0.1 * k, k % 3 == 0, sin if k % 2 else cos, {0: k % 2, 2: k % 3}) for k in range(7)]
WAVES = [(sin, 1.0), (cos, 2), (exp, 0.1), (sin, 0.4), (cos, 0.7)]
OWN = [(cube, 1.0), (sin, 2.0), (cube, 0.1), (sin, 0.4), (cube, 0.7)]
WORDS = [("a", 1.0), ("b", 2.0), ("a", 3.0), ("a", 4.0), ("b", 0.5)]
TABLES: list[Any] = [PAIRS, TERMS, WAVES, OWN, WORDS]


@pytest.fixture(autouse=True)
def as_they_were() -> Iterator[None]:
    before = [list(t) for t in TABLES]
    yield
    for table, rows in zip(TABLES, before, strict=True):
        table[:] = rows


def of_pairs(x: float) -> float:
    total = 0.0
    for size, turns in PAIRS:
        total += size * sin(turns * x)
    return total


def of_terms(x: float) -> float:
    arguments = [x, None, x * x]
    total = 0.0
    for term in TERMS:
        angle = 0.0
        for place, factor in term.turns.items():
            if factor != 0:
                argument = arguments[place]
                if argument:
                    angle += argument * factor
                else:
                    raise ValueError
        total += term.size * (x if term.late else 1) * term.wave(angle)
    return total


def of_waves(x: float) -> float:
    return functools.reduce(operator.add, [wave(factor * x) for wave, factor in WAVES])


def in_steps(x: float) -> float:
    for k, (wave, factor) in enumerate(WAVES):
        x = wave(factor * x) + k * x
        if x > 50.0:
            break
    return x


def side_by_side(x: float) -> float:
    total = 0.0
    for (size, turns), (wave, _) in zip(PAIRS, WAVES, strict=True):
        total += size * wave(turns * x)
    return total


def picks_rows(x: float) -> float:
    values, total = [x, x * x, x * 3.0, 1.0, 2.0, 4.0], 0.0
    best = None
    for row in PAIRS:
        total += values[row[1]] * row[0]
        if best is None or row[0] > best[0]:
            best = row
    return total + best[0] * x


def of_own(x: float) -> float:
    total = 0.0
    for wave, factor in OWN:
        total += wave(factor * x) * factor
    return total


def of_words(x: float) -> float:
    total = 0.0
    for word, factor in WORDS:
        total += factor * x if word == "a" else factor * x * x
    return total


LOOPS = [of_pairs, of_terms, in_steps, side_by_side, picks_rows]
WRITTEN_OUT = [of_waves, of_own, of_words]


@pytest.mark.parametrize("f", [*LOOPS, *WRITTEN_OUT], ids=lambda f: f.__name__)
def test_right(f: Any) -> None:
    numeric.check_reverse(f, (0.3,), 0)
    numeric.check_forward(f, (0.3,), 0)


@pytest.mark.parametrize("f", LOOPS, ids=lambda f: f.__name__)
def test_stays_a_loop(f: Any) -> None:
    df = grad(f)
    df(0.3)
    assert "for " in df.source
    assert len(df.source.splitlines()) < 60


@pytest.mark.parametrize("f", WRITTEN_OUT[1:], ids=lambda f: f.__name__)
def test_written_out(f: Any) -> None:
    """A function of the user's is another one in a module that is built; words decide what is done."""
    df = grad(f)
    df(0.3)
    assert "for " not in df.source


@pytest.mark.parametrize("f", LOOPS, ids=lambda f: f.__name__)
def test_second_order(f: Any) -> None:
    numeric.check_reverse(grad(f), (0.3,), 0)


def test_the_table_is_read_in_each_call() -> None:
    df, near = grad(of_pairs), 1e-6

    def check() -> None:
        assert df(0.3) == pytest.approx((of_pairs(0.3 + near) - of_pairs(0.3 - near)) / (2.0 * near), rel=1e-7)

    check()
    PAIRS.append((2.0, 4))
    check()
    PAIRS[0] = (1, 1.5)  # of other kinds
    check()
    PAIRS[2:] = []
    check()


def test_a_function_that_was_not_there() -> None:
    df, near = grad(of_terms), 1e-6
    df(0.3)
    TERMS[1] = TERMS[1]._replace(wave=exp, turns={0: 1, 2: 1})
    assert df(0.3) == pytest.approx((of_terms(0.3 + near) - of_terms(0.3 - near)) / (2.0 * near), rel=1e-7)


def stores_into_a_row(x: float) -> float:
    total = 0.0
    for term in TERMS:
        term.turns[0] = 2
        total += term.turns[0] * x
    return total


def test_rows_are_not_written_to() -> None:
    with pytest.raises(DerivationError, match="outside the function"):
        grad(stores_into_a_row)(0.3)


ASKED: dict[str, Any] = {"rate": 2.0, "steps": [1.0, 2.0]}


def test_what_a_table_is_asked_for_has_to_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """`TABLE.get(key, default)` looks at what it holds there, and at what is not there."""

    def f(x: float) -> float:
        total = x * x * ASKED.get("rate", 1.0) * ASKED.get("other", x)
        for step in ASKED.get("steps", ()):
            total = total * step
        return total

    derivative = grad(f)
    assert derivative(1.5) == pytest.approx(3.0 * 1.5**2 * 4.0)
    monkeypatch.setitem(ASKED, "rate", 5.0)
    assert derivative(1.5) == pytest.approx(3.0 * 1.5**2 * 10.0)
    monkeypatch.setitem(ASKED, "other", 7.0)
    assert derivative(1.5) == pytest.approx(2.0 * 1.5 * 70.0)
    monkeypatch.setitem(ASKED, "steps", [3.0])
    assert derivative(1.5) == pytest.approx(2.0 * 1.5 * 105.0)
    monkeypatch.delitem(ASKED, "rate")
    assert derivative(1.5) == pytest.approx(2.0 * 1.5 * 21.0)
