"""What README.md says is refused is refused, with the line and a way out; one program for each row of its table."""

import ctypes
import decimal
import re
from collections import deque
from pathlib import Path

import numpy as np
import pytest

from s2sad import DerivationError, grad

TEXT = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
OUTSIDE = np.zeros(2)
TOTAL = 0.0
foreign = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda t: t)


def yields(x):
    def powers():
        for k in range(3):
            yield x**k

    return sum(powers())


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


def shares_perhaps(x, k):
    y = x if k > 3 else x.copy()
    y[0] = 2.0
    return np.sum(x * y)


def shrinks_in_place(v):
    if np.sum(v) < 1.0:
        return np.sum(v * v)
    v *= 0.5
    return shrinks_in_place(v)


def halves(x):
    if x < 1.0:
        return [x]
    return [*halves(x * 0.5), x]


def sums_halves(x):
    return sum(halves(x))


def counts_on_the_way(x):
    total = 0.0

    def go(y):
        nonlocal total
        total = total + y * y
        return y if y < 1.0 else go(y * 0.5)

    return go(x) + total


def sorts_grown(x, n):
    values = []
    for i in range(n):
        values.append(x * i)
    values.sort()
    return values[1]


def mixes(x, n):
    values = []
    for _ in range(n):
        values.append(x)
        values.append(np.array([x, x]))
    return np.sum(values[1])


def splits(x, words):
    total = 0.0
    for word in words.split():
        total += x * len(word)
    return total


def different_keys(x):
    found = {}
    if x > 1.0:
        found["large"] = x
    else:
        found["small"] = x
    return sum(found.values())


def buffers(x, n):
    pair = [x.copy(), 2.0 * x]
    for i in range(n):
        pair[i % 2][0] += pair[(i + 1) % 2][1] ** 2
    return pair[0][0]


def hands_over(x):
    return np.frompyfunc(lambda t: t * x, 1, 1)(2.0)


def window(x, n):
    last = deque(maxlen=2)
    for i in range(n):
        last.append(x * i)
    return sum(last)


def decimals(x):
    return float(decimal.Decimal(x))


def through_text(x):
    return float(str(x))


def square(x):
    return x * x


V = np.array([0.5, 1.5])
CASES = [
    ("generators", yields, (0.5,)),
    ("`eval`", evaluates, (0.5,)),
    ("writes to globals", writes_outside, (0.5,)),
    ("writes to globals", writes_global, (0.5,)),
    ("builtins", calls_foreign, (0.5,)),
    ("arrays that may", shares_perhaps, (V, 4)),
    ("recursion", shrinks_in_place, (np.ones(3),)),
    ("recursion", sums_halves, (5.0,)),
    ("recursion", counts_on_the_way, (5.0,)),
    ("on lists that grow", sorts_grown, (0.5, 3)),
    ("lists that grow", mixes, (0.5, 2)),
    ("loops over", splits, (0.5, "a bb")),
    ("dicts and objects", different_keys, (0.5,)),
    ("arrays in a list", buffers, (V, 3)),
    ("functions that are handed", hands_over, (0.5,)),
    ("`deque", window, (0.5, 4)),
    ("`fractions`", decimals, (0.5,)),
    ("float values read back", through_text, (0.5,)),
    ("`wrt` arguments", square, (np.arange(3),)),
    ("`wrt` arguments", square, (True,)),
    ("`wrt` arguments", square, ("text",)),
]


@pytest.mark.parametrize(("row", "f", "args"), CASES)
def test_refused(row, f, args):
    with pytest.raises(DerivationError) as caught:
        grad(f)(*args)
    assert "test_readme_limits.py" in str(caught.value) and caught.value.way_out


def test_every_row_has_a_program():
    table = TEXT.split("| refused | why | way out |\n|---|---|---|\n")[1].split("\n\n")[0]
    rows = re.findall(r"^\| (.*?) \|", table, re.MULTILINE)
    assert all(any(r.startswith(start) for start, _, _ in CASES) for r in rows)
    assert all(any(r.startswith(start) for r in rows) for start, _, _ in CASES)
