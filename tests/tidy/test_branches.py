from __future__ import annotations

import numpy as np
import pytest

from s2sad.core import Facts, Origin, statements, text
from s2sad.kinds.kind import Array, Number
from s2sad.tidy.branches import join_branches
from s2sad.tidy.meet import meet_branches

NAMES = ("a", "b", "bx", "g", "t", "u", "x", "y", "z")
FACTS = Facts(kinds=dict.fromkeys(NAMES, Number(float)), temps={"t", "u"})
FACTS.kinds["v"] = Array(np.dtype(float), None)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("if x > y:\n    a = g\nelse:\n    a = g", "a = g"),
        ("if x > y:\n    a = g\n    b = a\nelse:\n    a = g\n    b = y", "a = g\nb = a if x > y else y"),
        ("if x > y:\n    v[0] = a\n    b = a\nelse:\n    v[0] = 1.0\n    b = a", None),
        ("if x > y:\n    a = g\n    b += y\nelse:\n    b += y", "if x > y:\n    a = g\nb += y"),
        ("if x > y:\n    b += y\nelse:\n    a = g\n    b += y", "if not x > y:\n    a = g\nb += y"),
    ],
)
def test_joined(source: str, expected: str | None) -> None:
    if expected is None:
        expected = "if x > y:\n    v[0] = a\nelse:\n    v[0] = 1.0\nb = a"
    assert text(join_branches(statements(source), FACTS)) == expected


@pytest.mark.parametrize(
    "source",
    [
        "if x > y:\n    x = g\n    a = x\n    b = 1.0\nelse:\n    x = g\n    b = 2.0",  # the test reads it
        "if x > y:\n    v = a\nelse:\n    v = b",  # no number
        "if x > y:\n    a = g\nelif x > z:\n    a = b\nelse:\n    a = 0.0",  # a chain of tests stays one
        "if f(x):\n    a = g\nelse:\n    a = b\n    g = y",
    ],
)
def test_not_joined(source: str) -> None:
    assert text(join_branches(statements(source), FACTS)) == text(statements(source))


def test_branches_of_the_user_stay() -> None:
    body = statements("if x > y:\n    a = g\nelse:\n    a = b")
    for s in (body[0], body[0].body[0], body[0].orelse[0]):
        s.origin = Origin("f.py", 2, "a = g")
    assert text(join_branches(body, FACTS)) == text(body)


def met(source: str) -> str:
    return text(meet_branches(statements(source), FACTS, ["bx"], parameters=("x", "y", "g", "v")))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "if x > y:\n    t = x * y\nz = g\nif x > y:\n    bx = t * z",
            "z = g\nif x > y:\n    t = x * y\n    bx = t * z",
        ),
        (
            "if x != y:\n    t = x * y\nz = g\nif x == y:\n    bx = z\nelse:\n    bx = t",
            "z = g\nif x == y:\n    bx = z\nelse:\n    t = x * y\n    bx = t",
        ),
        (
            "if x > y:\n    a = g\nelse:\n    a = y\nif x > y:\n    bx = a",
            "if x > y:\n    a = g\n    bx = a\nelse:\n    a = y",
        ),
        (
            "if x > y:\n    if x > g:\n        t = x * y\nz = g\nif x > y:\n    if x > g:\n        bx = t * z",
            "z = g\nif x > y:\n    if x > g:\n        t = x * y\n        bx = t * z",
        ),
        (
            "if x > y:\n    t = g\nelif g:\n    u = y\nelse:\n    raise E\nz = g\n"
            "if x > y:\n    bx = t * z\nelif g:\n    bx = u",
            "if not x > y and (not g):\n    raise E\nz = g\n"
            "if x > y:\n    t = g\n    bx = t * z\nelif g:\n    u = y\n    bx = u",
        ),
    ],
)
def test_met(source: str, expected: str) -> None:
    assert met(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "if x > y:\n    t = x * y\nz = g\ny = z\nif x > g:\n    bx = t",  # another test
        "if g:\n    t = x * y\ny = 2.0\nif g:\n    bx = t",  # what it reads is bound again
        "if g:\n    t = v[0]\nv[0] = 2.0\nif g:\n    bx = t",  # or stored into
        "if g:\n    t = x * y\nz = g\nif g:\n    bx = t\nif z:\n    bx = t",  # it is read elsewhere
        "if g:\n    t = x * y\nprint(x)\nif g:\n    bx = t",  # something happens in between
        "if g:\n    bx = x * y\nz = g\nif g:\n    a = bx",  # it is read at the end
    ],
)
def test_not_met(source: str) -> None:
    assert met(source) == text(statements(source))


@pytest.mark.parametrize("store", ["v[0] = g", "v[0] += g", "a = g"])
def test_what_the_user_wrote_on_both_sides_stays(store: str) -> None:
    body = statements(f"if x > y:\n    b = g\n    {store}\nelse:\n    b = x\n    {store}")
    for s in (body[0], *body[0].body, *body[0].orelse):
        s.origin = Origin("f.py", 2, store)
    assert join_branches(body, FACTS) == body
