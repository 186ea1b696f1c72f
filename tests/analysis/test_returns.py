"""Functions that return new memory, told by their text: on small trees."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad.analysis.returns import all_new, returns_new
from s2sad.core import statements


class Holder:
    """An object whose operators hand out what it holds."""

    def __init__(self, u: np.ndarray) -> None:
        self.u = u

    def __add__(self, other: object) -> np.ndarray:
        return self.u


def added(u):
    return u + 1.0


def added_twice(u):
    return added(u) * added(2.0)


SHARED = Holder(np.zeros(3))
KNOWN = {"np": np, "Holder": Holder, "shared": SHARED, "table": np.ones(3), "added": added, "half": 0.5}.get

#: the body of f(u), and whether it is new where u is an array or a number, and where nothing is known of u
BODIES = [
    ("return np.zeros(3)", True, True),
    ("return u", False, False),
    ("return u[1:]", False, False),
    ("return u + 1", True, False),  # u may be an object whose class says what + is
    ("return -u", True, False),
    ("return u @ u == 1.0", True, False),
    ("return u.v * 2", True, False),
    ("return u[0] * 2, [u[1] + 1.0]", True, False),
    ("return np.ones(3) * half", True, True),
    ("return np.ones(3) * table", True, True),
    ("return np.ones(3) + shared", False, False),
    ("return np.sin(u)", True, False),  # a ufunc asks the class of what it is given
    ("q = Holder(u)\nreturn q + 1", False, False),
    ("q = [Holder(u)]\nreturn q[0] + 1", False, False),
    ("for q in [Holder(u)]:\n    w = q + 1\nreturn w", False, False),
    ("w = 0.0\nfor q in u:\n    w = w + q\nreturn w", True, False),
    ("w = [q * 2 for q in u]\nreturn w[0] + 1", True, False),
    ("return [1.0] + u", False, False),
    ("return added(u)", True, False),
    ("return added(2.0)", True, True),
    ("return added(Holder(u))", False, False),
    ("return u.copy() + 1", True, False),
    ("with u as q:\n    return q + 1", False, False),
    ("return unheard_of + 1", False, False),
    ("return np.multiply(u, 2.0, u)", False, False),
]


@pytest.mark.parametrize(("body", "of_plain", "of_anything"), BODIES)
def test_bodies(body, of_plain, of_anything):
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    (tree,) = statements(f"def f(u):\n{lines}")
    assert all_new(tree, KNOWN, True) is of_plain
    assert all_new(tree, KNOWN, False) is of_anything


def test_functions():
    assert returns_new(added, True) and not returns_new(added)
    assert returns_new(added_twice, True) and not returns_new(added_twice)


def with_an_object(u, by=SHARED):
    return u + by


def test_defaults_count():
    assert not returns_new(with_an_object, True)
