"""Lists at run time: what they start with does not decide what they hold later."""

from __future__ import annotations

import numpy as np
import pytest

from tests.numeric import check, check_reverse


def appended(x, n):
    b = [(0.0, 0.0) for _ in range(n)]
    for i in range(n):
        b.append((x * i, x))
    s = 0.0
    for _ in range(n):
        g, h = b.pop()
        s = s * h + g
    return s


def beside_a_counter(x, n):
    b = [(k, 0.0) for k in range(n)]
    b.append((7, x))
    s = 0.0
    for k, v in b:
        s = s + k * v
    return s


def nested_tuples(x, n):
    b = [(k, (0.0, 1.0)) for k in range(n)]
    b += [(1, (x, x * x))]
    s = 0.0
    for k, (v, w) in b:
        s = s + k * v * w
    return s


def inserted(x, n):
    b = [(1.0, 2.0) for _ in range(n)]
    b.insert(0, (x, x))
    g, h = b[0]
    return g * h


def extended(x, n):
    b = [(1.0, 2.0) for _ in range(n)]
    b.extend([(x, x)])
    g, h = b[-1]
    return g * h


def arrays_in_tuples(x, n):
    b = [(0.0, np.zeros(2)) for _ in range(n)]
    for _ in range(n):
        b.append((x, np.array([x, 2.0])))
    g, h = b.pop()
    return g * h[0]


def under_a_second_name(x, n):
    pairs = [(0.0, 0.0) for _ in range(n)]
    other = pairs
    other.append((x, x))
    return pairs[-1][0] * pairs[-1][1]


def in_a_helper(x, n):
    def add(items):
        items.append((x, x))

    pairs = [(0.0, 0.0) for _ in range(n)]
    add(pairs)
    return pairs[-1][0] * pairs[-1][1]


def in_a_branch(x, n):
    pairs = [(0.0, 0.0) for _ in range(n)]
    if x > 0.0:
        pairs.append((x, x))
    return pairs[-1][0] * pairs[-1][1]


def repeated(x, n):
    b = [(0.0, 0.0)] * n
    for i in range(n):
        b.append((x * i, x))
    s = 0.0
    for _ in range(n):
        g, h = b.pop()
        s = s * h + g
    return s


def lists_in_it(x, n):
    b = [[0.0, 1.0] for _ in range(n)]
    for i in range(n):
        b[i][0] = x * i
    s = 0.0
    for i in range(n):
        s = s * b[i][1] + b[i][0] * x
    return s


def dicts_in_it(x, n):
    b = [{"a": 0.0} for _ in range(n)]
    for i in range(n):
        b[i]["a"] = x * i
    s = 0.0
    for i in range(n):
        s = s * x + b[i]["a"] * x
    return s


def numbers(x, n):
    b = [0.0 for _ in range(n)]
    for i in range(n):
        b.append(x * i)
    return sum(b) * b[-1]


def stored(x, n):
    b = [0.0 for _ in range(n)]
    for i in range(n):
        b[i] = x * i
    return sum(b)


def pair_of_constants(x, n):
    pair = (0.0, 0.0)
    for k in range(n):
        pair = (pair[1] + x, x * k)
    return pair[0] * pair[1]


FOLLOWED = [
    inserted,
    appended,
    beside_a_counter,
    extended,
    arrays_in_tuples,
    under_a_second_name,
    in_a_helper,
    in_a_branch,
    numbers,
    repeated,
    lists_in_it,
    dicts_in_it,
    pair_of_constants,
]


@pytest.mark.parametrize("f", FOLLOWED)
def test_lists(f):
    check(f, (0.7, 3))


def test_numbers_stored_into_a_list():
    check_reverse(stored, (0.7, 3), 0)
    check(stored, (0.7, 3))
