"""What docs/limits.md says is refused is refused, with the line and a way out; a program for each row of its tables."""

import contextlib
import ctypes
import decimal
import functools
import math
import re
from pathlib import Path

import numpy as np
import pytest

from s2sad import DerivationError, grad

TEXT = (Path(__file__).parent.parent / "docs" / "limits.md").read_text(encoding="utf-8")
OUTSIDE = np.zeros(2)
TWICE = [1.0, 2.0]
TOTAL = 0.0
foreign = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda t: t)


def yields(x):
    def powers():
        for k in range(3):
            _ = yield x**k

    return sum(powers())


@contextlib.contextmanager
def pinned(u):
    u[0] = 3.0
    yield u


def enters(x):
    u = x * np.ones(2)
    with pinned(u) as t:
        return np.sum(t * t)


def runs_later(x):
    items = (x * e * k for e in (1.0, 2.0) for k in (1, 2))
    x = 3.0 * x
    return sum(items) + x


def computed_ahead(x):
    s, u = 0.0, x.copy()
    for v in filter(None, u):
        s, u[2] = s + v, s
    return s


def grows(x, n):
    u = [x]
    for k in range(n):
        u.append(k * x)
    for e in u:
        if len(u) < 9:
            u.append(e * x)
    return u[-1]


def of_a_matrix(x):
    m = np.matrix([[1.0, 2.0], [3.0, 4.0]]) * x
    return np.sum(m * m)


def evaluates(x):
    return x * eval("x")


def writes_outside(x):
    OUTSIDE[0] = x
    return OUTSIDE[0] * x


def writes_global(x):
    global TOTAL
    TOTAL = x
    return TOTAL * x


def calls_foreign(x):
    return foreign(x)


def shares_perhaps(x):
    u, v = x * 1.0, x * 3.0
    for k in range(3):
        if x[k] > 0.8:
            v = u[::-1]  # v goes on to be a view of this u, and u is made anew
        v *= x
        u = u * x
    return np.sum(u * v)


def out_of_step(x):
    u = x * np.ones(6)
    u[::2] = u[:3]
    return np.sum(u * u)


def written_while_read(x):
    u = x * np.ones(3)
    np.concatenate([u[1:], u[:1]], out=u)
    return np.sum(u * u)


class Found:
    pass


def different_attributes(x):
    found = Found()
    if x > 1.0:
        found.large = x
    else:
        found.small = x
    return sum(vars(found).values())


def returned_by_key(x, keys):
    return {k: v**2 for k, v in zip(keys, x, strict=True)}


def objects_as_found(x):
    found = []
    for v in x:
        if v > 0.0:
            found.append(Found())
            found[-1].size = v
    return sum(f.size for f in found)


def buffers(x):
    several = []
    while len(several) < x[1]:
        several.append(x * len(several))
    last = several[int(x[0])]
    last[0] = x[1]
    return np.sum(several[0] * last)


def hands_over(x):
    return np.frompyfunc(lambda t: t * x, 1, 1)(2.0)


class Beyond(Exception):
    def __init__(self, value):
        self.value = value


def carried(x):
    try:
        if x > 0.1:
            raise Beyond(x * x)
    except Beyond as error:
        return error.value
    return x


def decimals(x):
    return float(decimal.Decimal(x))


def halves(p):
    lo, hi = 0.0, 2.0
    for _ in range(50):
        mid = (lo + hi) / 2.0
        lo, hi = (lo, mid) if mid**2 > p else (mid, hi)
    return mid


def through_text(x):
    return float(str(x))


def square(x):
    return x * x


class Swallowing:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return True


def swallows(x):
    y = x
    with Swallowing():
        y = x**2
        raise ValueError
    return y


def caches(x):
    calls = []

    @functools.cache
    def power(k):
        calls.append(x)
        return x**k

    return power(2) + power(2) + sum(calls)


class Cached:
    def __init__(self, a):
        self.a = a

    @functools.cache  # noqa: B019
    def twice(self):
        return 2.0 * self.a


def caches_method(x):
    return Cached(x).twice()


class Node:
    def __init__(self, value):
        self.value, self.me = value, self


def leads_back(x):
    a, b = Node(x), Node(2.0)
    if x > 0.1:
        a = b
    return a.value * x


def cuts(x):
    return np.vectorize(lambda v: 0 if v > 0.6 else v * v)(x).sum()


def averages(x, len):
    items = []
    for k in range(len):
        items.append(x * k)
    return np.array(items).mean()



V = np.array([0.5, 1.5])
def doubles(a, b):
    a[0] = 2.0 * a[0]
    return b[0] * a[0]


def adds_outside(u):
    u += 1.0
    return np.sum(u * OUTSIDE)


def into_a_table(x, n):
    table = {k: [1.0, 2.0] for k in range(n)}
    table[int(x[0] > 0.0)][0] = x[1]
    return table[1][0]


def by_value(x):
    table = {v: i for i, v in enumerate(x)}
    return sum(table)


def several_forms(x, n):
    items = []
    for k in range(n):
        items.append((x[k], 1) if x[k] > 2.0 else [x[k]])
    return items[int(x[0] > 0.0)][0]


def one_of_two_lists(x, n):
    a, b = [x], [2.0 * x]
    c = a if n > 2 else b
    return x if c is a else x * x


def item_raises(u):
    total = u[0]
    try:
        for root in map(lambda v: math.sqrt(1.0 - v), u):
            total = total + root
    except ValueError:
        total = total * 3.0
    return total


def addresses(x):
    a, b = [x], [x]
    return x if id(a) == id(b) else x * x


def last_of_the_turns(x):
    last = None
    while x < 3.0:
        x = 1.0 + x * x
        if x > 1.5:
            last = Holder(x)
    return x if last is None else last.v * x


class Holder:
    def __init__(self, v):
        self.v = v


class Cell:
    def run(self, v):
        return v * v


CELLS = [Cell(), Cell()]


def by_index(x, n):
    return CELLS[n - 2].run(x)


def as_they_lie(A):
    return np.sum(A.ravel("K") * np.arange(4.0))


CASES = [
    ("`@contextmanager`", enters, (0.5,)),
    ("generators", yields, (0.5,)),
    ("iterators", runs_later, (0.5,)),
    ("`filter(None, ...)`", computed_ahead, (np.array([0.7, 1.1, 0.4]),)),
    ("lists that get longer", grows, (0.5, 2)),
    ("arrays of other classes", of_a_matrix, (0.5,)),
    ("`eval`", evaluates, (0.5,)),
    ("writes to globals", writes_outside, (0.5,)),
    ("writes to globals", writes_global, (0.5,)),
    ("builtins", calls_foreign, (0.5,)),
    ("arrays that may", shares_perhaps, (V,)),
    ("arguments that are one object", doubles, (TWICE, TWICE)),
    ("arguments that are one object", adds_outside, (OUTSIDE,)),
    ("whether two names", one_of_two_lists, (0.5, 3)),
    ("whether two names", addresses, (0.5,)),
    ('`order="K"`', as_they_lie, (np.ones((2, 2)),)),
    ("a view stored", out_of_step, (0.5,)),
    ("a view stored", written_while_read, (0.5,)),
    ("what a loop hands on", last_of_the_turns, (0.5,)),
    ("objects that get different", different_attributes, (0.5,)),
    ("dicts with keys that only", returned_by_key, (np.ones(2), np.array([3, 4]))),
    ("methods and operators of objects", by_index, (0.5, 3)),
    ("objects with active", objects_as_found, (np.ones(30),)),
    ("arrays in a list", buffers, (V,)),
    ("active values that go into", into_a_table, (np.ones(3), 3)),
    ("active floats as keys", by_value, (np.ones(3),)),
    ("run-time lists of active values", several_forms, (np.ones(3), 3)),
    ("functions that are handed", hands_over, (0.5,)),
    ("active values that are read from an exception", carried, (0.5,)),
    ("a `with` block", swallows, (0.5,)),
    ("a `try` around a loop", item_raises, (V,)),
    ("cached functions", caches, (0.5,)),
    ("cached functions", caches_method, (0.5,)),
    ("objects that lead to themselves", leads_back, (0.5,)),
    ("`np.vectorize`", cuts, (V,)),
    ("a parameter that hides", averages, (0.5, 3)),
    ("`fractions`", decimals, (0.5,)),
    ("roots found by halving", halves, (0.5,)),
    ("float values read back", through_text, (0.5,)),
    ("`wrt` arguments", square, (np.arange(3),)),
    ("`wrt` arguments", square, (True,)),
    ("`wrt` arguments", square, ("text",)),
]


@pytest.mark.parametrize(("row", "f", "args"), CASES)
def test_refused(row, f, args):
    with pytest.raises(DerivationError) as caught:
        grad(f)(*args)
    assert "test_limits.py" in str(caught.value) and caught.value.way_out


def test_every_row_has_a_program():
    tables = [part.split("\n\n")[0] for part in TEXT.split("| refused | why | way out |\n|---|---|---|\n")[1:]]
    rows = re.findall(r"^\| (.*?) \|", "\n".join(tables), re.MULTILINE)
    assert len(rows) > 30
    assert all(any(r.startswith(start) for start, _, _ in CASES) for r in rows)
    assert all(any(r.startswith(start) for r in rows) for start, _, _ in CASES)
