"""`base[index] op= rhs`: base and index are computed once, before the right side, whatever this changes.

Each program changes with the right side what the target is made of: the index, what it is read from, the base, the item.
"""

from __future__ import annotations

import pathlib
import re

import numpy as np
import pytest
from s2sad import value_and_grad

from tests.language.test_held import verdict

PROGRAM = """
import numpy as np


class Box:
    def __init__(self, v, i=0):
        self.held, self.w, self.i, self.inner = v, v, i, None

    @property
    def v(self):
        return self.held

    @v.setter
    def v(self, value):
        self.held = value


def f(x, n):
    {made}

    def g(v):
        nonlocal {names}
        {change}
        return v

    kept = {names},
    {statement}
    s = {numbers} + x[2]
    for {names}, in (kept, ({names},)):
        s = s * 0.7 + {read}
    return s
"""
#: what may change: how it is made, and how it is read (what reads nothing is an index)
MADE = {
    "l": ("l = [x[0], x[1], 3.0]", "l[0] * 1.1 + l[1] * 1.7 + l[-1] * 2.3"),
    "r": ("r = []\nfor i in range(n):\n    r.append(x[i] * 2.0)", "r[0] * 1.2 + r[1] * 1.8 + r[-1] * 0.3"),
    "d": ("d = {'a': x[0], 'b': 2.0}", "d['a'] * 2.1 + d['b'] * 2.9"),
    "e": ("e = {}\nfor i in range(n):\n    e[i] = x[i] * 3.0", "e[0] * e[1] + e[2] * 0.4"),
    "a": ("a = x.copy()", "np.sum(a * np.arange(1.5, 4.0))"),
    "m": ("m = [[x[0], 1.0], [x[1], 2.0]]", "m[0][0] * 1.3 + m[1][0] * 1.9 + m[0][1] * 2.2"),
    "o": ("o = Box(x[0])\no.inner = Box(x[1])", "o.v * 3.1 + o.w * 0.7 + o.inner.v + o.inner.w * 1.4"),
    "p": ("p = Box(x[2], 1)", "p.v"),
    "c": ("c = 0", ""),
    "k": ("k = 'a'", ""),
    "q": ("q = [0, 1]", ""),
    "at": ("at = np.array([0, 1])", ""),
}


def program(statement: str, change: str) -> str:
    """A program with what the two mention."""
    used = [n for n in MADE if re.search(rf"\b{n}\b", f"{statement} {change}")]
    parts = {
        "made": "\n".join(MADE[n][0] for n in used).replace("\n", "\n    "),
        "names": ", ".join(used),
        "numbers": "c" if "c" in used else "0",
        "read": " + ".join(MADE[n][1] for n in used if MADE[n][1]),
        "statement": statement.replace("\n", "\n    "),
        "change": change.replace("\n", "\n        "),
    }
    return re.sub(r"\{(\w+)\}", lambda found: parts[found[1]], PROGRAM)


#: what was found wrong
FOUND = (
    ("l[c] += g(x[2])", "c += 1"),
    ("l[q[0]] += g(x[2])", "q.reverse()"),
    ("l[p.i] += g(x[2])", "p.i = 0"),
    ("l[c] += (c := 1) * x[2]", "pass"),
    ("l[0] += g(x[2])", "l = [9.0, 8.0, v]"),
    ("l[c : c + 1] += [g(x[2])]", "c += 1"),
    ("l[int(g(0.0)) :] += [x[2]]", "c += 1"),
    ("d[k] += g(x[2])", "k = 'b'"),
    ("e[c] *= g(x[2])", "c += 1"),
    ("m[c][0] += g(x[2])", "m.reverse()"),
    ("o.inner.v += g(x[2])", "o.inner = Box(v)"),
    ("o.w += g(x[2])", "o = Box(v)\no.inner = p"),
    ("a[q] += g(x[2])", "q.reverse()"),
    ("a[at] *= g(x[2])", "at[0] = 2"),
    ("a += g(x[2])", "a = np.ones(3)"),
    ("l += [g(x[2])]", "l = [v, 1.0]"),
    ("r += [g(x[2])]", "r = [v, 1.0]"),
)


@pytest.mark.parametrize(("statement", "change"), FOUND)
def test_found(statement: str, change: str, tmp_path: pathlib.Path) -> None:
    assert verdict(program(statement, change), tmp_path / "found.py") in ("right", "refused")


#: targets, by what their right side changes: the index, or what is changed
TARGETS = {
    "c += 1": ("l[c] *= @", "r[c] += @", "e[c] += @", "a[c] *= @", "a[c:] += @", "m[c][0] += @", "l[c] = @", "a[c] = r[c] = @", "r[c], s = @, 1"),
    "l = r = [v, 2.0, 3.0]": ("l[1] += @", "r[1] *= @", "r[1:2] += [@]", "l[0] = r[0] = @"),
    "l[0] = r[0] = v": ("l[0] += @", "r[0] *= @", "r[0:1] += [@]", "l[0] = r[0] = @"),
    "e = {0: v, 1: 1.0, 2: v}": ("e[0] += @", "e[n - 1] = @"),
    "e[0] = v": ("e[0] += @", "e[n - 3] *= @"),
    "a = np.ones(3)": ("a *= @", "a[0] += @", "a[0] = @", "for i in range(n): a += @"),
    "a[0] = v": ("a *= @", "a[0] += @", "a[0] *= @", "a[:2] -= @"),
    "o = Box(v)\no.inner = p": ("o.v += @", "o.w *= @", "o.inner.w += @", "o.v = @"),
    "o.v = o.w = v": ("o.v += @", "o.w *= @"),
    "m = [[v, 1.0], [2.0, v]]": ("m[0][0] += @", "m[0] += [@]", "m[1][0] = @"),
}  # fmt: skip


@pytest.mark.parametrize("change", TARGETS)
def test_what_the_right_side_changes(change: str, tmp_path: pathlib.Path) -> None:
    found = [
        verdict(program(target.replace("@", "g(x[2])"), change), tmp_path / f"target_{k}.py")
        for k, target in enumerate(TARGETS[change])
    ]
    assert "right" in found and "none" not in found


def three():
    yield 0.0
    yield 1.0
    yield 2.0


def by_length(x):
    return x * len(list(three())) + (x**2 if len(list(three())) > 2 else x**3)


def by_the_largest(x):
    return x + (x**2 if max(three()) > 0.5 else x**3)


def by_what_it_holds(x):
    found = three()
    return x + (x**2 if 1.0 in found else x**3)


@pytest.mark.parametrize("f", [by_length, by_the_largest, by_what_it_holds])
def test_an_iterator_that_decides_a_branch_is_run_through_once(f):
    value, slope = value_and_grad(f)(1.3)
    assert np.isclose(value, f(1.3)) and np.isclose(slope, (f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6)


def owns_its_memory(x):
    return np.sum(x) if x.base is None else np.sum(x**2)


def test_whether_an_array_is_a_view_is_asked_in_the_run():
    both, x = value_and_grad(owns_its_memory), np.array([3.0, 4.0])
    for given, value, slope in ((x, 7.0, [1.0, 1.0]), (x[:], 25.0, [6.0, 8.0])):
        got = both(given)
        assert got[0] == value and np.allclose(got[1], slope)
