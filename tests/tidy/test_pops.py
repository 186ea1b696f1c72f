"""Items that are taken from the end of a list that is dropped then are read by their places."""

from __future__ import annotations

import pytest

from s2sad import grad, vjp
from s2sad.core import statements, text
from s2sad.tidy.pops import items_of_emptied

MADE = "xs = [a, b]\nxs.append(c)\nbs = [0.0] * len(xs)\nfor k in range(n):\n  bs[k] += g\n"


def after(source: str, live_out: tuple[str, ...] = ()) -> str:
    return text(items_of_emptied(statements(source), live_out))


def test_places_count_from_the_start_where_the_length_is_known() -> None:
    made = after(MADE + "bc = bs.pop()\nbb = bs.pop()\nreturn bb, bc")
    assert made.endswith("bc = bs[2]\nbb = bs[1]\nreturn (bb, bc)")


def test_places_count_from_the_end_where_it_is_not() -> None:
    made = after("bs = list(g)\nbs[0] *= 2.0\nbb = bs.pop()\nba = bs.pop()")
    assert made.endswith("bb = bs[-1]\nba = bs[-2]")
    other = "q = [xs, 1.0]\nbs = [0.0] * len(xs)\n"  # (the display of another list, which holds it)
    assert after(other + "bb = bs.pop()").endswith("bb = bs[-1]")
    grown = MADE.replace("xs.append(c)", "for i in range(n):\n  xs.append(i)")
    assert after(grown + "bb = bs.pop()").endswith("bb = bs[-1]")


def test_a_copy_that_is_only_emptied_is_not_needed() -> None:
    assert after("bs = list(g)\nbb = bs.pop()\nba = bs.pop()").endswith("bb = g[-1]\nba = g[-2]")


@pytest.mark.parametrize(
    "source",
    [
        "bs = [0.0] * 2\nbb = bs.pop()\nreturn bs",  # read later
        "bs = [0.0] * 2\nbb = bs.pop()\nfor k in range(n):\n  ba += bs.pop()",
        "bs = [0.0] * 2\nkept = bs\nbb = bs.pop()",  # somebody else has it
        "bs = [0.0] * 2\nkept.append(bs)\nbb = bs.pop()",
        "bs = g\nbb = bs.pop()",
        "bs = [0.0] * 2\nbb = bs.pop(0)",
        "if n:\n  bs = [0.0]\nelse:\n  bs = [1.0]\nbb = bs.pop()",
    ],
)
def test_lists_that_are_not_dropped_stay(source: str) -> None:
    assert after(source) == text(statements(source))


def test_lists_that_are_read_after_the_function_stay() -> None:
    source = "bs = [0.0] * 2\nbb = bs.pop()"
    assert after(source, ("bs",)) == source


def losses(a: float, b: float, c: float = 3.0, d: float = 0.0) -> float:
    shares, perf = [a, b, c, d], 1.0
    for p in shares:
        perf *= 1.0 - p / 100.0
    return perf


def test_the_gradient_takes_one_item() -> None:
    made = grad(losses, wrt="b")
    assert made(1.0, 2.0) == pytest.approx(-0.99 * 0.97 / 100.0)
    assert "pop()" not in made.source.replace("tape.pop()", "") and "[1]" in made.source


def spread(a: float, n: int) -> list[float]:
    made = []
    made.append(a)
    made.append(a * a)
    for k in range(n):
        made[k] = made[k] * 2.0
    return made


def test_the_cotangent_of_a_list_is_left_as_it_was() -> None:
    _, pullback = vjp(spread)(3.0, 1)
    given = [1.0, 10.0]
    assert pullback(given) == pytest.approx(2.0 + 60.0)
    assert given == [1.0, 10.0]
