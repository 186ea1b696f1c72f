"""May a function change what it is given? Told by its text."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from s2sad.analysis.changes import changed_outside, may_change


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


def shuffles(u):
    rng = np.random.default_rng(0)
    rng.shuffle(u)


def draws(u):
    rng = np.random.default_rng(0)
    return rng.normal(size=3) + u


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


TABLE = np.zeros(3)
NAMES = {"a": 1}
HOLDER = Holder(TABLE)


def changes_the_table():
    t = TABLE
    t[0] += 1.0


def reads_the_table(k):
    t = TABLE[1:] * k
    t[0] = NAMES.get("a", 0)
    return t


def in_another_call():
    return changes_the_table()


def hands_it_over():
    scales(TABLE)


def changes_the_holder():
    HOLDER.change()


def changes_an_item():
    for row in [TABLE, TABLE]:
        row[0] = 2.0


@pytest.mark.parametrize(
    ("function", "changes"),
    [
        (changes_the_table, TABLE),
        (reads_the_table, None),
        (in_another_call, TABLE),
        (hands_it_over, TABLE),
        (changes_the_holder, HOLDER),
        (changes_an_item, TABLE),
        (scales, None),
        (np.sum, None),
    ],
)
def test_changed_outside(function, changes):
    found = changed_outside(function)
    assert [id(v) for v in found] == ([id(changes)] if changes is not None else [])


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
        (shuffles, True),
        (Holder.change, True),
        (holds, False),
        (changes_by_making, True),
        (functools.wraps(scaled)(lambda u: scaled(u)), False),
        (len, True),  # nothing is known of what has no text
    ],
)
def test_may_change(function, changes):
    assert may_change(function) is changes
