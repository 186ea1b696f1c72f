"""May a function change what it is given? Told by its text."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from s2sad.analysis.changes import may_change


def scales(u):
    u *= 2


def scaled(u):
    v = np.array(u)
    v *= 2
    return v


def calls(u):
    return scales(u)


def calls_with_new(u):
    v = u + 1.0
    scales(v)
    return v


def hands_over(rows):
    return list(map(scales, rows))


def alias(u):
    t = u
    t[0] = 1.0


def collects(rows):
    kept = []
    for row in rows:
        kept.append(row)
    return kept


def collects_and_changes(rows):
    kept = []
    for row in rows:
        kept.append(row)
    kept[0][0] = 1.0


def nested(u):
    def inner():
        u[0] = 1.0

    inner()


def unknown(u, g):
    return g(u)


def counts(text):
    found = {}
    for letter in text:
        found[letter] = found.get(letter, 0) + 1
    return found


def fills_rows(n):
    rows = [[0.0 for _ in range(n)] for _ in range(n)]
    for i in range(n):
        rows[i][i] = float(n)
    return rows


class Holder:
    def __init__(self, u):
        self.u = u

    def change(self):
        self.u += 1.0


class Changer:
    def __init__(self, u):
        u[0] = 1.0


def holds(u):
    return Holder(u)


def changes_by_making(u):
    return Changer(u)


@pytest.mark.parametrize(
    ("function", "changes"),
    [
        (scales, True),
        (scaled, False),
        (calls, True),
        (calls_with_new, False),
        (hands_over, True),
        (alias, True),
        (collects, False),
        (collects_and_changes, True),
        (nested, True),
        (unknown, True),
        (counts, False),
        (fills_rows, False),
        (Holder.change, True),
        (holds, False),
        (changes_by_making, True),
        (functools.wraps(scaled)(lambda u: scaled(u)), False),
        (len, True),  # nothing is known of what has no text
    ],
)
def test_may_change(function, changes):
    assert may_change(function) is changes
