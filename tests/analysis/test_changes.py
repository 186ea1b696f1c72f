"""May a function change what it is given? Told by its text."""

from __future__ import annotations

import functools
from typing import ClassVar

import numpy as np
import pytest

from s2sad.analysis.changes import Changes


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


def even_steps(u, k):
    return 1.0 if k == 0 else odd_steps(u, k - 1)


def odd_steps(u, k):
    r = even_steps(u, k - 1) if k > 0 else 1.0
    scales(u)
    return r


def even_counts(u, k):
    return 1.0 if k == 0 else odd_counts(u, k - 1)


def odd_counts(u, k):
    return even_counts(u, k - 1) if k > 0 else np.sum(u)


def calling(function):
    def call(u):
        return function(u)

    return call


calls_scales, calls_scaled = calling(scales), calling(scaled)


def tells_an_object(u):
    holder = Holder(u)
    holder.change()


def tells_it_to_sort(u):
    u.sort()


def asks_for_the_mean(u):
    return u.mean()


class Timed:
    def __init__(self, u):
        self.u = u

    def __enter__(self):
        self.entered = True

    def __exit__(self, *args):
        self.entered = False


class Doubled(Timed):
    def __enter__(self):
        self.u *= 2.0


def enters(u):
    with Timed(u):
        return np.sum(u)


def enters_and_changes(u):
    with Doubled(u):
        return np.sum(u)


def is_quiet(u):
    with np.errstate(all="ignore"):
        return np.sum(u)


def updates_an_item(u):
    kept = [u]
    kept[0] += 1.0


def updates_what_it_made(u):
    v = np.zeros(3, dtype=float)
    for i in range(3):
        v[i] += u[i]
    return v


class Summed:
    def __init__(self, u):
        self.total = 0.0
        for v in u:
            self.total += v


def sums(u):
    return Summed(u).total


def tells(holder):
    holder.change()
    return 1.0


def tells_two(u):
    return sum(map(tells, [Holder(u), Holder(u)]))


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
    found = Changes().changed_outside(function)
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
        (even_steps, True),
        (odd_steps, True),
        (even_counts, False),
        (odd_counts, False),
        (calls_scales, True),
        (calls_scaled, False),
        (tells_an_object, True),
        (tells_two, True),
        (tells_it_to_sort, True),
        (updates_an_item, True),
        (updates_what_it_made, False),
        (sums, False),
        (enters, False),
        (enters_and_changes, True),
        (is_quiet, False),
        (len, True),  # nothing is known of what has no text
    ],
)
def test_may_change(function, changes):
    assert Changes().may_change(function) is changes


def test_what_each_function_changes_is_asked_once_and_in_any_order():
    asked = [even_steps, odd_steps, even_counts, odd_counts, calls_scaled, calls_scales]
    told = [True, True, False, False, False, True]
    changes = Changes()
    assert [changes.may_change(f) for f in asked] == told
    changes = Changes()
    assert [changes.may_change(f) for f in reversed(asked)] == told[::-1]


def test_methods_are_known_where_no_object_of_the_users_is_given():
    assert not Changes().may_change(asks_for_the_mean, plain=True)
    assert Changes().may_change(asks_for_the_mean, plain=False)


class Named:
    table: ClassVar[dict[str, float]] = {"one": 1.0}

    def __init__(self, u):
        self.u = u

    @classmethod
    def of(cls, name):
        return cls(cls.table[name])

    @classmethod
    def kept(cls, u):
        cls.table["two"] = u
        return cls(u)


def test_methods_of_a_class_are_bound_to_it() -> None:
    changes = Changes()
    assert not changes.may_be_seen(Named.of)
    assert changes.may_be_seen(Named.kept)
    assert not changes.changed_outside(Named.of)
    assert changes.may_be_seen(Named(1.0).of.__func__)  # of what class is not known


_level = 2.0
_label = "a"


class Marker:
    def __repr__(self):
        print("shown")
        return "marker"


MISSING = Marker()


def level(given=None):
    global _level
    old = _level
    if given is not None:
        _level = given
    return old


def label(given=None):
    global _label
    if given is None:
        _label = "b"
    return _label


def read_only():
    global _level
    return _level


def reads_level(x):
    return x * level()


def sets_level(x):
    return x * level(3.0)


def sets_level_by_name(x):
    return x * level(given=3.0)


def may_set_level(x, *values):
    return x * level(*values)


def sets_label_to_what_is_missing(x):
    return x if label() else -x


def given_anew(x, given=None):
    given = 3.0
    if given is not None:
        print(x)
    return x


def gives_anew(x):
    return given_anew(x)


def is_missing(x):
    return x is MISSING


def shows_what_is_missing(x):
    return 0.0 if x is MISSING else float(str(MISSING))


@pytest.mark.parametrize(
    ("function", "seen"),
    [
        (read_only, False),
        (reads_level, False),
        (sets_level, True),
        (sets_level_by_name, True),
        (may_set_level, True),
        (level, True),  # of what it is given nothing is known
        (sets_label_to_what_is_missing, True),
        (gives_anew, True),
        (is_missing, False),
        (shows_what_is_missing, True),
    ],
)
def test_a_parameter_that_is_left_at_none_sets_nothing(function, seen):
    assert Changes().may_be_seen(function) is seen


def warned(x):
    if x > 10.0:
        print("too large")
        raise ValueError(x)
    return x * x


def warned_twice(x):
    return warned(x) + warned(x + 1.0)


def warned_and_mended(x):
    try:
        return warned(x)
    except ValueError:
        return x


def warned_and_raised_again(x):
    try:
        return warned(x)
    except ValueError as error:
        print("again")
        raise TypeError from error


def printed_before(x):
    print("x")
    if x > 10.0:
        raise ValueError(x)
    return x


def printed_or_left(x):
    for k in range(3):
        if x > k:
            print(k)
            if x > 2.0 * k:
                break
            raise ValueError(x)
    return x


def printed_at_last(x):
    if x < 10.0:
        return x
    print(x)
    raise ValueError(x)


def handed_on(x, values):
    return sorted(values, key=warned), x


def warned_later(x):
    return lambda: warned(x)


def warned_where_it_is_left(x):
    with np.errstate(all="ignore"):
        return warned(x)


def warned_and_closed(x):
    try:
        return warned(x)
    finally:
        x = 0.0


def warned_in_turns(x):
    for k in range(3):
        yield k * x
        print(k)
        raise ValueError(x)


@pytest.mark.parametrize(
    ("function", "seen"),
    [
        (warned, False),
        (warned_twice, False),
        (warned_and_raised_again, False),
        (printed_at_last, False),
        (warned_and_mended, True),
        (printed_before, True),
        (printed_or_left, True),
        (handed_on, True),
        (warned_later, True),
        (warned_where_it_is_left, True),
        (warned_and_closed, True),
        (warned_in_turns, True),
    ],
)
def test_what_is_done_on_the_way_to_a_raise_is_done_once(function, seen):
    changes = Changes()
    assert changes.once.may_be_seen(function) is seen
    assert changes.may_be_seen(function)
