"""Containers in containers, of what is not active, that change: read as they were, whatever holds them."""

from __future__ import annotations

import copy
import heapq
from collections import Counter, defaultdict, deque

import numpy as np

from tests.language.corpus import program


def point():
    return np.array([0.7, 1.1, 0.4]), 3


def make(n):
    d = defaultdict(int)
    d[n] = 2
    return d


def make_one(n):
    d = {}
    d[n] = defaultdict(int)
    d[n][n] = 2
    return d


def make_many(n):
    return [defaultdict(int) for k in range(n)]


class Box:
    def __init__(self, n):
        self.d = defaultdict(int)
        self.d[n] = 1


def boxed(n):
    return Box(n)


def make_pair(n):
    d = defaultdict(int)
    d[n] = 1
    return d, 1


@program("dicts", args=point)
def defaultdict_that_a_function_returns(x, n):
    d = make(n)
    s = x[0]
    for k in range(n):
        s = s * x[1] + len(d) * x[2]
        s = s + d[k]
    return s


@program("match", args=point)
def guard_that_changes_the_subject(x, n):
    c = [3, 1, 2]
    match c:
        case [a, b, d] if c.pop() > 5:
            s = x[0]
        case [a, b] if c.pop() == 1:
            s = x[0] * a * b
        case _:
            s = x[1]
    return s * len(c)


@program("match", args=point)
def guard_that_changes_what_it_captured(x, n):
    c = [[3], 1, 2]
    match c:
        case [a, b, d] if a.pop() > 2:
            s = x[0] * (len(a) + 1) * b
        case _:
            s = x[1]
    return s * len(c)


@program("dicts", args=point)
def defaultdict_in_a_dict_from_a_function(x, n):
    d = make_one(n)
    s = x[0]
    e = d[n]
    for k in range(n):
        s = s * x[1] + len(e) * x[2]
        s = s + e[k]
    return s


@program("dicts", args=point)
def defaultdicts_in_a_list_from_a_function(x, n):
    d = make_many(n)
    s = x[0]
    for k in range(n):
        s = s * x[1] + len(d[1]) * x[2]
        s = s + d[1][k]
    return s


@program("dicts", args=point)
def defaultdict_in_an_object_from_a_function(x, n):
    b = boxed(n)
    s = x[0]
    for k in range(n):
        s = s * x[1] + len(b.d) * x[2]
        s = s + b.d[k]
    return s


@program("dicts", args=point)
def defaultdict_in_a_tuple_from_a_function(x, n):
    d, m = make_pair(n)
    s = x[0]
    for k in range(n):
        s = s * x[1] + len(d) * x[2] * m
        s = s + d[k]
    return s


@program("dicts", args=point)
def defaultdict_filled_where_it_is_made(x, n):
    d = (lambda m: defaultdict(int, {m: 1}))(n)
    s = x[0]
    for k in range(n):
        s = s * x[1] + len(d) * x[2]
        s = s + d[k]
    return s


@program("dicts", args=point)
def defaultdicts_one_by_one(x, n):
    ds = [make_pair(k)[0] for k in range(n)]
    s = x[0]
    for d in ds:
        for k in range(n):
            s = s * x[1] + len(d) * x[2]
            s = s + d[k]
    return s


@program("local lists", args=point)
def sets_in_a_list_that_grow(x, n):
    ds = []
    for i in range(n):
        ds.append(set())
    s = x[0]
    for i in range(n):
        for k in range(n):
            s = s * x[1] + len(ds[i]) * x[2]
            e = ds[i]
            e.add(k)
    return s


@program("local lists", args=point)
def setdefault_of_dicts_in_a_list(x, n):
    ds = [{} for i in range(n)]
    s = x[0]
    for i in range(n):
        for k in range(n):
            s = s * x[1] + len(ds[i]) * x[2]
            ds[i].setdefault(k, 2)
    return s


@program("local lists", args=point)
def lists_in_pairs_that_grow(x, n):
    c = [(i, []) for i in range(n)]
    s = x[0]
    for i in range(n):
        for k in range(n):
            s = s * x[1] + len(c[i][1]) * x[2]
            c[i][1].append(k)
    return s


@program("local lists", args=point)
def lists_in_lists_in_a_list(x, n):
    c = [[[]] for i in range(n)]
    s = x[0]
    for i in range(n):
        for k in range(n):
            s = s * x[1] + sum(1 for e in c[i][0]) * x[2]
            c[i][0].append(k)
    return s


@program("local lists", args=point)
def dicts_in_pairs_that_grow(x, n):
    c = [(i, {}) for i in range(n)]
    s = x[0]
    for i in range(n):
        for k in range(n):
            s = s * x[1] + len(c[i][1]) * x[2]
            c[i][1][k] = 2
    return s


@program("local lists", args=point)
def sets_in_a_dict_that_grow(x, n):
    c = {0: set(), 1: set(), 2: set()}
    s = x[0]
    for i in range(n):
        for k in range(n):
            s = s * x[1] + sum(1 for e in c[i]) * x[2]
            c[i].add(k)
    return s


@program("dicts", args=point)
def dicts_in_a_tuple_that_grow(x, n):
    c = (dict(), {}, {})
    s = x[0]
    for i in range(n):
        for k in range(n):
            s = s * x[1] + len(c[i]) * x[2]
            c[i].setdefault(k, 2)
    return s


@program("dicts", args=point)
def dict_of_a_list_joined_in_place(x, n):
    c = [{} for i in range(n)]
    s = x[0]
    for i in range(n):
        for k in range(n):
            s = s * x[1] + len(c[i]) * x[2]
            e = c[i]
            e |= {k: 1}
    return s


@program("dicts", args=point)
def set_of_a_dict_joined_in_place(x, n):
    c = {0: set(), 1: set(), 2: set()}
    s = x[0]
    for i in range(n):
        for k in range(n):
            s = s * x[1] + len(c[i]) * x[2]
            e = c[i]
            e |= {k}
    return s


@program("dicts", args=point)
def heaps_in_pairs(x, n):
    c = [(i, []) for i in range(n)]
    s = x[0]
    for i in range(n):
        for k in range(n):
            s = s * x[1] + len(c[i][1]) * x[2]
            heapq.heappush(c[i][1], k)
    return s


@program("dicts", args=point, refused="may")
def dict_joined_in_place_that_a_list_holds(x, n):
    done = dict([(i, 1) for i in range(n)])
    c = [done for i in range(n)]
    s = x[0]
    for k in range(n):
        s = s * x[1] + len(c[k]) * x[2]
        done |= {k + 3: 1}
    return s


@program("dicts", args=point)
def dicts_that_a_defaultdict_makes(x, n):
    c = defaultdict(lambda: {})
    s = x[0]
    for i in range(n):
        for k in range(n):
            s = s * x[1] + len(c[i]) * x[2]
            c[i][k] = 2
    return s


@program("dicts", args=point)
def dict_that_a_lambda_makes_is_kept(x, n):
    c = defaultdict(lambda: {})
    s = x[0]
    for i in range(n):
        s = s * x[1] + len(c[i]) * x[2]
        c[i][1] = 2
        s = s * x[1] + len(c[i]) * x[2]
    return s


@program("dicts", args=point)
def item_of_a_dict_that_a_lambda_makes(x, n):
    c = defaultdict(lambda: {})
    c[0][1] = 2
    return x[0] * c[0][1]


@program("while", args=point)
def sets_of_what_was_seen(x, n):
    seen = [set() for _ in range(n)]
    s = x[0]
    for k in range(2 * n):
        if k % n not in seen[(k + 1) % n]:
            s = s * x[k % n] + len(seen[k % n])
            seen[k % n].add(k % 2)
    return s


@program("while", args=point)
def jobs_as_dicts(x, n):
    jobs = [{"id": k, "left": k + 1} for k in range(n)]
    s = x[0]
    while any(j["left"] for j in jobs):
        for j in jobs:
            if j["left"]:
                s = s * x[j["id"]] + j["left"]
                j["left"] -= 1
    return s


@program("while", args=point)
def hits_of_a_cache(x, n):
    cache = {}
    s = x[0]
    for k in range(2 * n):
        key = k % 2
        if key in cache:
            cache[key]["hits"] += 1
        else:
            cache[key] = {"hits": 0}
        s = s * x[k % n] + cache[key]["hits"] * x[1]
    return s


@program("while", args=point)
def stack_of_pairs_with_lists(x, n):
    stack = [(0, [1, 2])]
    s = x[0]
    while stack:
        node, todo = stack[-1]
        if not todo:
            stack.pop()
            continue
        k = todo.pop()
        s = s * x[k % n] + len(todo)
        if k < 4:
            stack.append((k, [k + 2]))
    return s


@program("if", args=point)
def test_of_a_list_in_a_pair(x, n):
    c = [(j, []) for j in range(n)]
    s = x[0]
    for k in range(n):
        if (2 if c[1][1] else 1) > 1:
            s = s * 0.5
        heapq.heappush(c[1][1], k)
    return s


@program("if", args=point)
def choice_by_a_dict_in_a_pair(x, n):
    c = [(j, {0: 1}) for j in range(n)]
    s = x[0]
    for k in range(n):
        s = (1 if 1 in c[k % 2][1] else 3) * s
        c[k % 2][1][1] = 2
    return s


@program("if", args=point)
def branch_by_a_dict_in_a_pair(x, n):
    c = [(j, {}) for j in range(n)]
    c[1][1][1] = 2
    if 1 in c[1][1]:
        return x[0]
    return x[1]


@program("local lists", args=point)
def dicts_appended_then_filled(x, n):
    c9 = []
    for k10 in range(n):
        c9.append({0: 1})
    y = x[1]
    for k10 in range(n + 1):
        if len(c9[k10 % 2]) < 2:
            y = 0.1 * y
        c9[k10 % 2].setdefault(1, 2)
    c29 = []
    for k30 in range(n):
        c29.append(Counter())
    return y


@program("local lists", args=point)
def lists_in_a_tuple_after_others_grew(x, n):
    c1 = [(j, list(range(2))) for j in range(n)]
    e3 = c1[1][1]
    e3.extend([1, 1])
    c5 = ([], [], [])
    for k6 in range(n):
        c5[k6].insert(0, k6)
    return x[0] * len(c5[1])


@program("dicts", args=lambda: (np.array([0.7, 1.1, 0.4]), 3, defaultdict(int, {7: 1})), wrt=0)
def copy_of_a_defaultdict_that_is_given(x, n, given):
    d = given.copy()
    s = x[0]
    for k in range(n):
        s = s * x[1] + len(d) * x[2]
        s = s + d[k]
    return s


@program("local lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3, [deque([1]), deque(), deque()]), wrt=0)
def copies_of_deques_that_are_given(x, n, given):
    h = [copy.copy(e) for e in given]
    s = x[0]
    for i in range(n):
        for k in range(n):
            s = s * x[1] + len(h[i]) * x[2]
            h[i].appendleft(k)
    return s


@program("dicts", args=point)
def group_that_begins_with_items(x, n):
    c = defaultdict(lambda: [2, 0])
    s = x[0]
    for k in range(n):
        s = s * x[1] + len(c[k % 2]) * x[2]
        c[k % 2].append(k)
    return s


@program("dicts", args=point, refused=True)
def group_that_is_sorted_in_place(x, n):
    c = defaultdict(lambda: [])
    s = x[0]
    for i in range(n):
        for k in range(n):
            s = s * x[1] + len(c[i]) * x[2]
            heapq.heappush(c[i], k)
    return s


@program("dicts", args=point)
def table_of_one_list(x, n):
    k = 1 if x[0] > 0.0 else 2
    u = [x[0] * x[1], x[2]]
    h = {0: u, 1: u, 2: u}
    s = 1.0
    for i in range(n):
        s = s * x[1] + len(h[1])
        u.append(x[0] * i)
    return s + sum(v * v for v in h[2]) * k


@program("list comprehensions", args=point)
def named_as_what_it_runs_over(x, n):
    v = [x[i] * (i + 1) for i in range(n)]
    v = [v * x[0] for v in v if v > 0.0]
    v = [sum(v * w for v in v) for w in v]
    return sum(v * v for v in v)


@program("local lists", args=point)
def list_of_an_array_and_more(x, n):
    weights = np.arange(5.0)[[0, 2, 2, 1, 4]]
    parts = list(weights)
    parts = parts + [x[1]]
    parts = [x[0], x[2]] + list(weights[:2]) + parts
    return sum(v * v for v in parts) * x[0]


@program("constructs on inactive data", args=point)
def last_of_a_set(x, n):
    seen = set(range(n))
    y = 0.0
    for k in range(3):
        seen |= {k, 7}
        seen.add(9)
        seen.discard(k)
        for e in seen:
            y = x[0] * e + 0.1 * y
    return y * x[1]


@program("generator expressions", args=point)
def what_next_gives_where_there_is_none(x, n):
    u = [v * x[0] for v in x]
    a = next((v for v in list(u) if v > 5.0), u.pop())
    b = next((v for v in u[:] if v > 0.1), u.append(1.0))
    c = next((v for v in sorted(u) if v > 0.9), u.append(x[1]) or 2.0)
    return a + b * len(u) + c * sum(u)


def same_list(u, k):
    return u if k <= 0 else same_list(u, k - 1)


@program("run-time recursion", args=point)
def list_that_a_recursion_hands_back(x, n):
    k = 1 if x[0] > 0.0 else 2
    u = [x[0], x[1]]
    u.append(x[2] * x[0])
    h = same_list(list(u), k)
    return sum(v * v for v in h) * len(u)
