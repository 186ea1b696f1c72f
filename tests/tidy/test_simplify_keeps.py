"""What simplification must keep: the difference between slices, and new memory."""

import numpy as np

from s2sad.core import Facts, quote, text
from s2sad.kinds.kind import Array, Dim
from s2sad.tidy.simplify import simplify


def test_slices_with_the_same_numbers_are_not_the_same() -> None:
    facts = Facts(kinds={"v": Array(np.dtype(float), (Dim.symbol("n"),))}, globals={"np": np})
    assert text(simplify(quote("v[::2] + v[2:]"), facts)) == "v[::2] + v[2:]"
    assert text(simplify(quote("v[:2] - v[2:]"), facts)) == "v[:2] - v[2:]"


def test_a_sum_that_comes_to_one_array_stays_new_memory() -> None:
    facts = Facts(kinds={"v": Array(np.dtype(float), (Dim.symbol("n"),))}, globals={"np": np})
    assert text(simplify(quote("v + v - v"), facts, fresh=True)) != "v"
    assert text(simplify(quote("v + v - v"), facts)) == "v"


def test_a_part_of_a_copy_is_no_view() -> None:
    facts = Facts(kinds={"a": Array(np.dtype(float), (Dim.symbol("n"),))}, globals={"np": np})
    assert text(simplify(quote("a.copy()[:2]"), facts, fresh=True)) == "a.copy()[:2]"
    assert text(simplify(quote("a.copy()[:2] * 2.0"), facts)) == "2.0 * a[:2]"
