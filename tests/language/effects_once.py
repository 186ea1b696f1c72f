"""What is not active changes on the way: it is read as it was, and what changes it happens once and in order."""

from __future__ import annotations

import array
import bisect
import collections
import heapq
import math
import random
import types
from heapq import heappush
from typing import NamedTuple

import numpy as np

from tests.language.corpus import program


def point():
    return np.array([0.7, 1.1, 0.4]), 3


# --- bounds of loops that are read from arrays which change


@program("for", args=point)
def bounds_that_the_inner_loop_changes(x, n):
    counts = np.array([2, 0, 1, 3])
    s = x[0]
    for k in range(n):
        for _ in range(counts[k]):
            s = s * x[1]
            counts[k] = counts[2]
    return s


@program("for", args=point)
def bounds_that_the_outer_loop_sorts(x, n):
    counts = np.array([2, 0, 1, 3])
    s = x[0]
    for k in range(n):
        for _ in range(counts[k]):
            s = s * x[1]
        counts[:] = np.sort(counts)
    return s


@program("for", args=point)
def bounds_that_all_grow(x, n):
    counts = np.array([2, 0, 1, 3])
    s = x[0]
    for k in range(n):
        for _ in range(counts[k]):
            s = s * x[1]
            counts += 1
    return s


@program("for", args=point)
def bounds_of_rows_that_move(x, n):
    starts = np.array([0, 1, 2, 3])
    y = np.zeros(3)
    for i in range(n):
        for k in range(starts[i], starts[i + 1]):
            y[i] += x[k] * x[k - 1]
        starts[:-1] = starts[1:]
    return y @ y


@program("for", args=point)
def run_over_a_list_of_an_array(x, n):
    table = np.arange(6).reshape(2, 3)
    counts = np.zeros(3)
    counts[n - 1] = 2.0
    s = x[0]
    for a, b, c in table.tolist():
        s = s * x[a % 3] + b * c
    for e in counts.tolist():
        s = s * x[1] + e
    return s


# --- functions of the library that change a list


@program("local lists", args=point)
def heap_whose_length_counts(x, n):
    heap = [(0.5, 1)]
    same = heap
    s = x[0]
    for k in range(n - 1):
        s = s * x[1] + len(same) * x[2]
        heapq.heappush(heap, (k * 0.5, k))
    return s


@program("local lists", args=point)
def heap_whose_top_counts(x, n):
    heap = [0.5]
    s = x[0]
    for k in range(n - 1):
        s = s * x[1] + heap[0] * x[2]
        heapq.heappush(heap, -k * 0.5)
    return s


@program("local lists", args=point)
def heap_that_is_renewed(x, n):
    heap = []
    s = x[0]
    for k in range(n):
        heappush(heap, -k)
        s = s * x[1] * heap[0] + len(heap)
        if len(heap) > 1:
            s *= heapq.heappushpop(heap, 7)
    return s * len(heap)


@program("local lists", args=point)
def heaps_in_a_dict(x, n):
    heaps = {"a": [5, 3], "b": [1, 2]}
    s = x[0]
    for k in range(n):
        s = s * x[1] + heaps["a"][0] * x[2] * len(heaps["b"])
        heappush(heaps["a"], k)
        if heaps["b"]:
            heapq.heappop(heaps["b"])
    return s * len(heaps["a"])


@program("local lists", args=point)
def shuffled_with_a_generator_of_its_own(x, n):
    order = [5, 3, 1, 2]
    r = random.Random(3)
    s = x[0]
    for _ in range(n - 1):
        s = s * x[1] + order[0] * x[2]
        r.shuffle(order)
    return s


@program("local lists", args=point)
def sorted_into(x, n):
    order = [5, 7]
    s = x[0]
    for k in range(n):
        s = s * x[1] + order[0] * x[2]
        bisect.insort(order, k)
    return s * len(order)


# --- objects of the library that change


@program("local lists", args=point)
def index_by_the_length_of_a_counter(x, n):
    seen = collections.Counter()
    same = seen
    s = 0.0
    for k in range(n):
        s = s + x[len(same)] * x[1]
        seen[k] += 1
    return s


@program("local lists", args=point)
def index_by_the_length_of_bytes(x, n):
    data = bytearray(b"abc")
    same = data
    s = 0.0
    for _ in range(2):
        s = s + x[len(same) - 3] * x[1]
        data.append(4)
    return s


@program("local lists", args=point)
def first_of_an_array_that_grows(x, n):
    data = array.array("d", [1.0, 2.0])
    s = x[0]
    for k in range(2):
        s = s * x[1] * data[0]
        data.insert(0, k + 3)
    return s


@program("local lists", args=point)
def counter_that_is_updated(x, n):
    seen = collections.Counter("aab")
    same = seen
    s = x[0]
    for _ in range(2):
        s = s * x[1] * seen["a"]
        same.update("aab")
    return s


@program("local lists", args=point)
def attribute_that_is_set(x, n):
    c = types.SimpleNamespace(a=1, b=2)
    s = x[0]
    for k in range(n):
        s = s * x[1] + c.a * x[2]
        c.a += k
        setattr(c, "a", c.a + 1)  # noqa: B010
    return s * c.a


# --- dicts that make an item where one is read


@program("dicts", args=point)
def reading_makes_an_item(x, n):
    seen = collections.defaultdict(int)
    s = x[0]
    for k in range(n):
        if len(seen):
            s = s * x[1]
        s = s * x[seen[k]]
    return s * len(seen)


@program("dicts", args=point)
def reading_makes_a_list(x, n):
    seen = collections.defaultdict(list)
    s = x[0]
    for k in range(n):
        s = s * x[1] + len(seen) * x[2]
        s = s + sum(seen[k])
    return s


@program("dicts", args=point)
def read_for_nothing_else(x, n):
    seen = collections.defaultdict(int)
    s = x[0]
    for k in range(n):
        s = s * x[1] + len(seen) * x[2]
        seen[k]  # noqa: B018
    return s


@program("dicts", args=point)
def lists_that_one_path_makes(x, n):
    c = {0: [1], 1: [2], 2: []}
    s = x[0]
    for k in range(3):
        if sum(len(q) for q in c.values()) > 1:
            c.setdefault(k + 1, []).append(k)
        s = s * x[1] + len(c)
    return s


# --- what happens though nothing else does


@program("while", args=point)
def loop_that_never_turns_takes_one(x, n):
    c = [4, 1, 3, 2]
    s = x[0]
    while c.pop() > 2:
        s = s * x[1]
    return s * len(c) * c[-1]


@program("for", args=point)
def keys_that_draw(x, n):
    c = [4, 1, 3, 2]
    s = sorted([x[0], x[1]], key=lambda v: v * c.pop())[0]
    return s * len(c) * c[-1]


@program("dicts", args=point)
def key_that_is_taken_from_a_list(x, n):
    c = [4, 1, 3, 2]
    heapq.heapify(c)
    s = x[0] * {heapq.heappop(c): 2}.get(1, 3)
    return s * len(c) * c[0]


@program("for", args=point)
def bounds_in_order(x, n):
    c = [1, 4, 3, 2, 5]
    heapq.heapify(c)
    s = x[0]
    for e in range(0, len(c), heapq.heappop(c)):
        s = s * x[1] + e
    return s * len(c)


@program("for", args=point)
def step_that_is_taken_from_a_list(x, n):
    c = [2, 3, 1, 5]
    s = x[0]
    for _ in range(0, len(c), c.pop()):
        s = s * x[1]
    return s * len(c)


@program("print", args=point)
def text_of_what_changes_in_it(x, n):
    c = [1, 2, n]
    t = f"{c}{c.pop()}{len(c)}{c}"
    return x[0] * len(t) + len(c) * (1 if t == "[1, 2, 3]32[1, 2]" else 2) * x[1]


# --- in the body of a try


class Move(NamedTuple):
    along: float
    up: float

    def __mul__(self, c):
        return Move(self.along * c, self.up * c)


@program("try", args=point, second=False)
def namedtuple_in_a_try(x, n):
    try:
        p = Move(1, 0.5)
        for _ in range(n):
            p = p * math.tanh(x[0])
        s = p.along * x[n - 1]
    except (IndexError, TypeError):
        s = x[1]
    return s



@program("try", args=point, refused="may")
def draw_in_a_try(x, n):
    r = random.Random(3)
    s = x[0]
    try:
        s = s * r.random() * x[n - 2]
    except IndexError:
        s = s * x[1]
    return s * r.random()


@program("try", args=point, refused="may")
def item_taken_out_in_a_try(x, n):
    c = {n: 2, 3: 4, 7: n}
    s = x[0]
    try:
        s = s * c.popitem()[1] * x[n - 2]
    except IndexError:
        s = s * x[1]
    return s * len(c)


@program("try", args=point, refused="may")
def member_taken_out_in_a_try(x, n):
    c = {n, 2, 7}
    s = x[0]
    try:
        s = s * c.pop() * x[n - 2]
    except IndexError:
        s = s * x[1]
    return s * len(c)


def noted(k):
    print("noted", k)
    return k


@program("try", args=point, refused="may")
def print_in_a_try(x, n):
    s = x[0]
    try:
        s = s * noted(n) * x[n - 2]
    except IndexError:
        s = s * x[1]
    return s


def place_of(names, name):
    for k, other in enumerate(names):
        if other == name:
            return k
    raise KeyError(name)


@program("try", args=point)
def search_in_a_try(x, n):
    try:
        s = x[place_of(("a", "b"), "b")] * x[n - 3]
    except KeyError:
        s = x[0]
    return s * x[2]


class Table:
    def __init__(self):
        self.d = {3: 5, 1: 7}

    def lookup(self, k):
        if k not in self.d:
            raise KeyError(k)
        return self.d[k]


TABLE = Table()
DATA = {"a": 1, 3: 4}
NAMES = ["a", "b"]


@program("try", args=point)
def lookup_in_a_try(x, n):
    try:
        v = TABLE.lookup(n + 1) * x[1]
    except KeyError:
        v = TABLE.lookup(n)
    return x[0] * v


@program("try", args=point)
def index_in_a_try(x, n):
    try:
        v = DATA[n] + NAMES.index("b")
    except (KeyError, ValueError):
        v = 2
    return x[0] * v


@program("match", args=point)
def guard_that_changes_what_it_is_given(x, n):
    c = [3, 1, 2]
    match c:
        case [a, *rest] if rest.pop() > 1:
            s = x[0] * a * x[1] + len(rest)
        case _:
            s = x[2] * 2
    return s * len(c)


# --- what may be a truth of NumPy


@program("local lists", args=point)
def least_of_three_that_are_equal(x, n):
    table = {3: 5, 0: 2}
    low = np.arange(9)[table.pop(n, 4) % 7 + 1]
    return min(low, x[0], x[0] * 1.0) * x[1]


# --- indices that change what is there


@program("local lists", args=point)
def index_that_appends(x, n):
    c = np.argsort(np.array([n, 2, 1, 5, 4])).tolist()
    v = (x[0], True)[c.append(1) or n - 2] and x[1]
    w = (n, len(c))[c.append(1) or 1] + [len(c), c[0]][c.insert(0, 2) or n - 2]
    return x[0] * v * w + len(c) + c[0] * x[1] + sum(c)


@program("local lists", args=point)
def generator_over_what_changes_later(x, n):
    c = np.argsort(np.array([n, 2, 1, 5, 4])).tolist()
    g = (e * x[0] for e in sorted(c)[1:3])
    h = (e * x[1] for e in range(len(c)))
    c.append(-2)
    return sum(g) * sum(h) + c[0] * x[1]


# --- the value of `and` and `or`


@program("if", args=point)
def value_of_and_with_a_constant_last(x, n):
    return x[0] * (n and 5) + x[1] * (n > 2 and 4) + x[2] * (x[1] and 3)


@program("if", args=point)
def value_of_and_of_three(x, n):
    return x[0] * (x[1] and x[2] and 5) + x[1] * (n and 5 and n + 1) + (n and 0 or 4) * x[2]


@program("if", args=point)
def value_of_or_with_none_last(x, n):
    y = n > 9 or None
    z = n > 9 or "abc"
    return x[0] * (2 if y is None else 3) + x[1] * (4 if z == "abc" else 5)


@program("if", args=point)
def value_of_both(x, n):
    return x[0] * (n > 7 or 5) * (0 or (n and 2) or 7) * (n - 3 or 2.5) * ((x[0] > 5 and n > 2) or 2.5)


@program("random draws, generator expressions", args=lambda: (1.3, 0.7, 4), wrt=(0, 1), second=False)
def draws_that_any_and_all_stop(x, y, n):
    rng = np.random.default_rng(3)

    def drawn():
        t = rng.normal()
        return t * x if t > 0.0 else y

    c = any(drawn() > -5.0 for i in range(n)) and not all(drawn() > 9.0 for i in range(n))
    d = any((rng.normal() * x or y) > -5.0 for i in range(n))
    return rng.normal() * x + y * c * d
