"""How many elements masks select: when two selections have one length, and when they may not."""

import numpy as np

from s2sad.analysis.masks import count_selected
from s2sad.analysis.memory_scan import analyse
from s2sad.core import Facts, statements
from s2sad.kinds import dims
from s2sad.kinds.kind import Array, Dim

FLOATS = np.dtype(float)


def lengths(source: str, *parts: str) -> list[Dim]:
    """The lengths of the parts after the pass, each of its own before it."""
    n = Dim.symbol("n")
    kinds = {"x": Array(FLOATS, (n,)), "y": Array(FLOATS, (n,)), "m": Array(np.dtype(bool), (n,))}
    kinds["k"] = kinds["m"]
    facts = Facts(kinds={**kinds, **{p: Array(FLOATS, (dims.fresh(),)) for p in parts}})
    body = statements(source)
    count_selected(body, analyse(body, facts, {}), facts)
    return [facts.kinds[p].shape[0] for p in parts]


def test_what_one_mask_selects_has_one_length():
    a, b, c = lengths("m = x > y\na = x[m]\nb = y[m]\nc = a * b", "a", "b", "c")
    assert a == b == c


def test_the_rest_is_what_remains():
    a, b = lengths("m = x > y\na = x[m]\nb = y[~m]", "a", "b")
    assert a + b == Dim.symbol("n")


def test_a_mask_that_is_an_argument():
    a, b = lengths("a = x[m]\nb = y[m]", "a", "b")
    assert a == b


def test_a_mask_that_is_overwritten_says_nothing():
    a, b = lengths("m = x > y\na = x[m]\nm[0] = True\nb = y[m]", "a", "b")
    assert a != b


def test_a_name_bound_twice_says_nothing():
    a, b = lengths("m = x > y\na = x[m]\nm = x < y\nb = y[m]", "a", "b")
    assert a != b


def test_a_read_of_an_earlier_turn_says_nothing():
    a, b = lengths("for k in range(3):\n    a = x[m]\n    m = x > y\n    b = y[m]", "a", "b")
    assert a != b


def test_a_mask_that_is_computed_again_selects_as_many():
    a, b = lengths("m = x > 2.0\na = x[m]\nk = x > 2.0\nb = y[k]", "a", "b")
    assert a == b


def test_a_mask_of_another_bound_selects_others():
    a, b = lengths("m = x > 2.0\na = x[m]\nk = x > 3.0\nb = y[k]", "a", "b")
    assert a != b
    a, b = lengths("m = x > 2.0\na = x[m]\nk = y > 2.0\nb = y[k]", "a", "b")
    assert a != b


def test_a_mask_of_what_was_overwritten_in_between_selects_others():
    a, b = lengths("m = x > 2.0\na = x[m]\nx[0] = 9.0\nk = x > 2.0\nb = y[k]", "a", "b")
    assert a != b
    a, b = lengths("m = x > 2.0\na = x[m]\nx = x + y\nk = x > 2.0\nb = y[k]", "a", "b")
    assert a != b


def test_a_mask_that_another_block_computed_may_be_of_an_earlier_turn():
    source = (
        "for i in range(3):\n    z = x + y\n    if i:\n        m = z > 2.0\n    k = z > 2.0\n    a = x[m]\n    b = y[k]"
    )
    a, b = lengths(source.replace("z", "x"), "a", "b")
    assert a != b


def test_a_mask_that_is_settled_before_it_selects():
    made = "m = x > y\nif n:\n    m = m & (x > 2.0)\n"
    a, b = lengths(f"{made}a = x[m]\nb = y[m]", "a", "b")
    assert a == b
    a, b = lengths(f"a = x[m]\n{made}b = y[m]", "a", "b")
    assert a != b
    a, b = lengths("m = x > y\nfor k in z:\n    m = m & (x > k)\n    a = x[m]\n    b = y[m]\n", "a", "b")
    assert a != b


def test_a_mask_of_an_attribute_or_an_item_says_nothing_of_another():
    for part in ("o.level", "levels[0]"):
        a, b = lengths(f"m = x > {part}\na = x[m]\nk = x > {part}\nb = y[k]", "a", "b")
        assert a != b
