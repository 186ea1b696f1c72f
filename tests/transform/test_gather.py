"""Additions to the same place become one: when, and what must keep them apart."""

from __future__ import annotations

import copy
import random

import numpy as np
import pytest

from s2sad.core import Facts, statements, text
from s2sad.kinds.kind import Array, Dim
from s2sad.transform.gather import gather_additions, known_shapes


def gathered(source: str) -> str:
    return text(gather_additions(statements(source), Facts()))


@pytest.mark.parametrize(
    "first, second, expected",
    [
        ("b[1:] += g", "b[1:] += h", "b[1:] += g + h"),
        ("b[1:] += g", "b[1:] -= h", "b[1:] += g - h"),
        ("b[1:] -= g", "b[1:] += h", "b[1:] += h - g"),
        ("b[1:] -= g", "b[1:] -= h", "b[1:] -= g + h"),
        ("b[i, :] += g", "b[i, :] += 2.0 * h", "b[i, :] += g + 2.0 * h"),
    ],
)
def test_two_become_one(first, second, expected):
    assert gathered(f"{first}\n{second}") == expected


def test_three_become_one():
    assert gathered("b[0] += g\nb[1] += g\nb[0] += h\nb[0] -= g") == "b[1] += g\nb[0] += g + h - g"


BLOCKERS = [
    "c = b * 2.0",  # reads the array
    "b[1:] = 0.0",  # sets it
    "c = f(b)",
    "c[0] += b[1]",
    "d[b[0]] += g",
    "b *= 2.0",
    "print(g)",
    "t = tape.pop()",
    "c[0] = tape.pop()",
    "if k:\n    b[0] += g",
    "for i in range(n):\n    b[i] += g",
    "while k:\n    k = b[0]",
    "raise E",
    "b[0] *= g",
    "g[0] = 1.0",  # changes what is added
    "c[0] = b[1]",
]


@pytest.mark.parametrize("blocker", BLOCKERS)
def test_what_keeps_them_apart(blocker):
    source = f"b[1:] += g\n{blocker}\nb[1:] += h"
    assert gathered(source) == source


def test_other_names_do_not():
    assert gathered("b[1:] += g\nc[0] = 1.0\nb[1:] += h") == "c[0] = 1.0\nb[1:] += g + h"
    assert gathered("b[1:] += g\nk = 2.0 * h\nc[0] += k\nb[1:] += k") == "k = 2.0 * h\nc[0] += k\nb[1:] += g + k"


@pytest.mark.parametrize(
    "source",
    [
        # the place is another one; what is added is another value
        "b[i] += g\ni = j + 1\nb[i] += h",
        "b[1:] += g\ng = 2.0 * h\nb[1:] += g",
        "b[1:] += g\nb = c * 1.0\nb[1:] += h",  # the array is another one
        "b[1:] += g\nx, y = t\nb[y] += h\nb[1:] += x",
        # a store through a view of the array, or of what is added
        "c = b[:2]\nb[0] += h\nc[0] = 1.0\nb[0] += h",
        "c = x[1:]\nb[1:] += x[0]\nc[0] = 1.0\nb[1:] += x[1]",
        "c = x[:1]\nb[1:] += x[0]\nc[0] = 1.0\nb[1:] += x[0]",
    ],
)
def test_names_that_are_bound_in_between(source):
    names = {n: np.arange(1.0, 5.0) * k for k, n in enumerate("bcgh", 1)}
    names.update(i=0, j=1, t=(3.0, 2), g=2.0, h=3.0, x=np.arange(3.0))
    before, after = copy.deepcopy(names), copy.deepcopy(names)
    exec(source, before)
    exec(gathered(source), after)
    assert np.array_equal(before["b"], after["b"]), gathered(source)


def test_blocks_are_gathered_on_their_own():
    done = gathered("b[0] += g\nif k:\n    b[0] += g\n    b[0] += h\nelse:\n    b[0] += h\nb[0] += h")
    assert done == "b[0] += g\nif k:\n    b[0] += g + h\nelse:\n    b[0] += h\nb[0] += h"


@pytest.mark.parametrize("seed", range(60))
def test_random_sweeps_compute_the_same(seed):
    """Every name is bound once, as in a raw backward sweep."""
    r = random.Random(seed)
    lines, values = [], ["g", "h"]
    for k in range(14):
        choice = r.random()
        value = r.choice(values)
        if choice < 0.6:
            lines.append(f"{r.choice('bc')}[{r.choice(['0', '1:', ':-1', '::2'])}] {r.choice('+-')}= {value}")
        elif choice < 0.8:
            lines.append(f"v{k} = {r.choice(['2.0 * ' + value, 'b[0] + ' + value, 'c[-1] * 0.5'])}")
            values.append(f"v{k}")
        elif choice < 0.9:
            lines.append(f"{r.choice('bc')}[{r.choice(['0', '1:'])}] = {r.choice(['0.0', value])}")
        else:
            lines.append(f"if p:\n    {r.choice('bc')}[0] += {value}\n    {r.choice('bc')}[0] -= g")
    source = "\n".join(lines)
    start = {"b": np.arange(4.0), "c": np.arange(4.0) * 3.0, "g": 2.0, "h": 7.0, "p": seed % 2}
    before, after = copy.deepcopy(start), copy.deepcopy(start)
    exec(source, before)
    exec(gathered(source), after)
    assert np.allclose(before["b"], after["b"]) and np.allclose(before["c"], after["c"]), source


def test_lengths_are_read_off_what_stands():
    kind = Array(np.dtype(float), (Dim.symbol("n"),))
    other = Array(np.dtype(float), (Dim.symbol("m"),))
    facts = Facts(kinds={"x": kind, "t": kind, "u": other}, temps={"t", "u"})
    body = statements("g = h / t.size\nk = np.zeros(u.shape)")
    known_shapes(body, facts, ["x"], [])
    assert text(body) == "g = h / x.size\nk = np.zeros(u.shape)"


def test_memory_under_another_name_is_read_in_between():
    source = "g = b.reshape(1, 5)\ng[0, 2:] += g[0, 2:]\ng[0, 2:] += b[[1, 1, 4]]"
    assert gathered(source) == source


def test_a_part_with_a_name_is_read_in_between():
    source = "g = b[1:4]\nb[1:] += e\nh = 2.0 * g\nb[1:] += h"
    assert gathered(source) == source


def test_an_addition_to_a_view_stays_in_its_place():
    source = "g = b.T\nb[0] += e\ng[1] += b[0]\nb[0] += f"
    assert gathered(source) == source


def test_an_array_that_is_new_is_read_under_another_name_in_between():
    source = "b = np.zeros_like(v)\ng = b.reshape(1, 5)\nb[3] += e\nh = -g[0]\ng[0] += h\nb[3] += 1.0"
    assert gathered(source) == source
