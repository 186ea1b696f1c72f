"""Contributions that go into the branches that make them."""

import numpy as np

from s2sad.core import Facts, statements, text
from s2sad.kinds.kind import Number
from s2sad.tidy.sink import sink_contributions, sink_into_branches


def sunk(source: str, *live: str) -> str:
    return text(sink_contributions(statements(source), Facts(), live))


def test_every_branch_that_contributes_gets_its_own():
    source = "if c:\n    b = g\nelif d:\n    b = 2.0 * g\nelse:\n    b = 0.0\na[i] -= b"
    assert sunk(source) == "if c:\n    a[i] -= g\nelif d:\n    a[i] -= 2.0 * g"


def test_what_follows_the_value_stays_before_the_contribution():
    source = "if c:\n    b = g\n    d = 2.0\nelse:\n    b = 0.0\n    d = 1.0\na += b\ne = d"
    assert sunk(source) == "if c:\n    b = g\n    d = 2.0\n    a += b\nelse:\n    d = 1.0\ne = d"


def test_one_contribution_after_the_other():
    source = "if c:\n    b = g\n    d = h\nelse:\n    b = 0.0\n    d = 0.0\na[i] += b\ne[i] += d"
    assert sunk(source) == "if c:\n    b = g\n    d = h\n    a[i] += b\n    e[i] += d"


def unchanged(source: str, *live: str) -> bool:
    return sunk(source, *live) == text(statements(source))


def test_a_value_that_is_read_again_stays():
    source = "if c:\n    b = g\nelse:\n    b = 0.0\na[i] += b"
    assert unchanged(source + "\nd = b")
    assert unchanged(source, "b")


def test_a_value_of_an_earlier_turn_stays():
    source = "b = 1.0\nfor i in range(3):\n    if c:\n        b = g\n    elif d:\n        b = 0.0\n    a[i] += b"
    assert unchanged(source)


def test_an_index_that_the_branch_changes_stays():
    assert unchanged("if c:\n    b = g\n    i = 2\nelse:\n    b = 0.0\na[i] += b")


def test_without_a_zero_there_is_nothing_to_gain():
    assert unchanged("if c:\n    b = g\nelse:\n    b = h\na[i] += b")


def test_a_name_keeps_the_shape_that_zeros_give_it():
    source = "if c:\n    b = g\nelse:\n    b = np.zeros_like(x)\na += b"
    facts = Facts(globals={"np": np})
    assert text(sink_contributions(statements(source), facts)) == text(statements(source))
    part = source.replace("a += b", "a[i] += b")
    assert text(sink_contributions(statements(part), facts)) == "if c:\n    a[i] += g"


def branched(source: str, *live: str) -> str:
    return text(sink_into_branches(statements(source), Facts(kinds=dict.fromkeys("bcghnxy", Number(float))), live))


def test_a_number_is_computed_where_it_is_read():
    source = "g = 2.0 / x\nh = -g\nif c:\n    for i in range(n):\n        b += h\nelse:\n    b = 0.0"
    assert branched(source) == (
        "if c:\n    g = 2.0 / x\n    h = -g\n    for i in range(n):\n        b += h\nelse:\n    b = 0.0"
    )


def test_a_number_stays_that_is_read_elsewhere_or_changes():
    for source in (
        "g = 2.0 / x\nif c:\n    b = g\nelse:\n    b = -g",
        "g = 2.0 / x\nif g:\n    b = g",
        "g = 2.0 / x\nif c:\n    b = g\ny = g",
        "g = 2.0 / x\nx = 1.0\nif c:\n    b = g",
        "g = 2.0 / x\nif c:\n    x = 1.0\n    b = g",
        "g = 2.0 / x\nx += 1.0\nif c:\n    b = g",
        "g = A @ x\nif c:\n    b = g",
        "g = f(x)\nif c:\n    b = g",
        "g = 2.0 / x\nfor i in range(n):\n    x = y\nif c:\n    b = g",
    ):
        assert branched(source) == text(statements(source))
    assert branched("g = 2.0 / x\nif c:\n    b = g", "g") == "g = 2.0 / x\nif c:\n    b = g"
