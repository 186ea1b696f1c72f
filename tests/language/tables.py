"""Dicts whose keys only the run knows, groups, columns of rows, and records in lists that grow."""

import inspect
import warnings
from collections import Counter, defaultdict, namedtuple
from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tests.language.corpus import normal, program

X = np.array([0.7, 1.3, 0.4])
LABELS = np.array([0, 1, 0])
WORDS = ["a", "b", "a"]
X4 = np.array([0.7, 1.3, 0.4, 0.9])
LABELS4 = np.array([0, 1, 0, 2])
WORDS4 = ["a", "b", "a", "c"]
MET = np.array([0, 1, 0, 0])
PAIRS = [(0.5, 1.2), (0.7, -0.3), (1.1, 0.4)]
P = namedtuple("P", "m v")


class Q(NamedTuple):
    w: float
    k: int = 2

    def area(self):
        return self.w**self.k


@dataclass
class Particle:
    m: float
    v: float

    def energy(self):
        return 0.5 * self.m * self.v**2


class Body:
    def __init__(self, m, pos):
        self.m = m
        self.pos = pos


def network():
    parameters = {
        "W1": normal(4, 3),
        "b1": normal(4, 1, seed=1),
        "W2": normal(1, 4, seed=2),
        "b2": normal(1, 1, seed=3),
    }
    return parameters, normal(3, 5, seed=4), normal(1, 5, seed=5)


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()))
def sums_by_key(x, labels):
    d = {}
    for k, v in zip(labels, x):
        d[k] = d.get(k, 0.0) + v
    return sum(v**2 for v in d.values())


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()))
def sums_in_a_defaultdict(x, labels):
    d = defaultdict(float)
    for k, v in zip(labels, x):
        d[k] += v**2
    s = 0.0
    for k in d:
        s += np.sin(d[k])
    return s


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()))
def items_that_begin_with_zero(x, labels):
    d = {}
    for k, v in zip(labels, x):
        if k not in d:
            d[k] = 0.0
        d[k] += v**2
    return sum(np.sqrt(v) * (k + 1) for k, v in d.items()) * len(d)


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()))
def products_by_key(x, labels):
    d = {}
    for i in range(len(labels)):
        k = labels[i]
        if k in d:
            d[k] *= x[i]
        else:
            d[k] = x[i] ** 2
    return max(d.values()) * d[labels[1]]


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()))
def means_by_key(x, labels):
    d = defaultdict(float)
    n = defaultdict(int)
    for k, v in zip(labels, x):
        d[k] += v
        n[k] += 1
    return sum((d[k] / n[k]) ** 2 for k in d)


@program("dict operations", args=lambda: (X.copy(), list(WORDS)))
def first_key_known(x, labels):
    d = {"a": x[0]}
    for i in range(len(labels)):
        d[labels[i].strip()] = x[i] * d["a"]
    return d["a"] * d["b"] + len(d)


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()))
def setdefault_and_the_values_as_an_array(x, labels):
    d = dict()
    for i in range(len(labels)):
        d.setdefault(labels[i], 1.0)
        d[labels[i]] *= x[i] ** 2
    vals = np.array(list(d.values()))
    return np.sum(vals**2) + max(d, key=d.get)


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()))
def keys_of_a_set(x, labels):
    d = {k: 0.0 for k in set(labels)}
    for k, v in zip(labels, x):
        d[k] += v**2
    return sum(d[k] ** 2 for k in sorted(d))


@program("dict operations", args=lambda: (X.copy(), [(0, 1), (1, 2)]))
def neighbours_in_a_defaultdict(x, edges):
    nb = defaultdict(list)
    for i, j in edges:
        nb[i].append(j)
        nb[j].append(i)
    s = 0.0
    for i in range(len(x)):
        for j in nb[i]:
            s += (x[i] - x[j]) ** 2 * x[j]
    return s


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()))
def entropy_of_shares(x, labels):
    d = {}
    for k, v in zip(labels, x):
        d[k] = d.get(k, 0.0) + np.exp(v)
    total = sum(d.values())
    p = {k: v / total for k, v in d.items()}
    return -sum(q * np.log(q) for q in p.values())


@program("dict operations", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def memo_of_a_while_loop(x, n):
    memo = {}
    k = 5
    while k < 9:
        memo[k] = x[k % 3] * (memo[k - 1] if k - 1 in memo else 1.0)
        k += 1
    return memo[8] + memo[6]


@program("dict operations", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def product_of_polynomials_in_a_dict(x, n):
    d = defaultdict(float)
    for i in range(n):
        for j in range(i + 1):
            d[i + j] += x[i] * x[j]
    return sum(c * 0.5**p for p, c in d.items())


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()))
def arrays_by_key(x, labels):
    d = {}
    for k, v in zip(labels, x):
        d[k] = np.array([v, v**2])
    return sum(np.sum(v) for v in d.values())


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()))
def tuples_by_key(x, labels):
    d = {}
    for k, v in zip(labels, x):
        d[k] = (v, v**2)
    return sum(a * b for a, b in d.values()) + d[0][1]


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()))
def largest_item(x, labels):
    d = {}
    for k, v in zip(labels, x):
        d[k] = d.get(k, 0.0) + v
    best = max(d.items(), key=lambda kv: kv[1])
    return best[1] ** 2


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()))
def missing_key_by_exception(x, labels):
    d = {}
    for k, v in zip(labels, x):
        try:
            d[k] += v
        except KeyError:
            d[k] = v
    return d[0] * d[1]


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()))
def pairs_as_keys(x, labels):
    d = {}
    for k, v in zip(labels, x):
        d[k, int(v > 0.5)] = v**2
    return sum(v * k[1] for k, v in d.items())


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()))
def dict_of_zip_and_its_copy(x, labels):
    d = dict(zip(labels, x))
    e = dict(d)
    e[0] = e[0] ** 2
    return d[0] * e[0] + sum(e.values()) ** 2


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()))
def dict_of_pairs(x, labels):
    d = dict((k, v**2) for k, v in zip(labels, x))
    m = min(d.values())
    return sum((v - m) ** 2 for k, v in sorted(d.items())) + d.get(5, 2.0) * x[0]


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()))
def two_names_of_a_dict(x, labels):
    d = {}
    e = d
    for k, v in zip(labels, x):
        e[k] = v + d.get(k, 1.0)
    return sum(d.values()) * len(e)


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()))
def a_function_fills_a_dict(x, labels):
    def tally(d, k, v):
        d[k] = d.get(k, 0.0) + v
        return d

    d = {}
    for k, v in zip(labels, x):
        d = tally(d, k, v**2)
    if isinstance(d, dict) and d:
        return d[0] * d[1]
    return 0.0


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()))
def a_new_dict_in_each_turn(x, labels):
    s = 0.0
    for t in range(3):
        d = defaultdict(float)
        for k, v in zip(labels, x):
            d[k] += v * (t + 1.0)
        for k, v in d.items():
            s += v**2 * (k + 1)
    return s


@program("dict operations", args=lambda: (X.copy(), list(WORDS)))
def a_key_on_one_path(x, labels):
    d = {}
    if x[0] > 0.5:
        d["a"] = x[1]
    for k, v in zip(labels, x):
        d[k] = v
    return sum(d.values()) if "a" in d else 0.0


@program("dict operations", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def table_with_pairs_as_keys(x, n):
    d = {}
    for i in range(n):
        for j in range(n):
            d[i, j] = x[i] * x[j] + d.get((i - 1, j), 0.0)
    tot = 0.0
    for (i, j), v in d.items():
        if i > j:
            tot += v**2
    return tot


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()))
def counts_that_become_floats(x, labels):
    counts = defaultdict(int)
    for k in labels:
        counts[k] += 1
        counts[k] /= 2.0
    return sum(v / counts[k] for k, v in zip(labels, x))


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()))
def counts_by_get(x, labels):
    counts = {}
    for k in labels:
        counts[k] = counts.get(k, 0) + 1
    s = 0.0
    for k, v in zip(labels, x):
        s += v**2 / counts[k]
    return s


@program("dict operations", args=lambda: (X.copy(), list(WORDS)))
def conditional_item(x, words):
    d = {}
    for w in words:
        d[w] = d[w] * x[1] if w in d else x[0]
    return d["a"] * d["b"]


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()))
def items_set_in_loops_over_the_dict(x, labels):
    d = {}
    for k, v in zip(labels, x):
        d[k] = v
    for k in d.keys():
        d[k] = d[k] ** 2
    for k, v in d.items():
        d[k] = v * d[0]
    return d[1] + d[0]


@program("dict operations", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def memo_of_a_recursion(x, n):
    cache = {}

    def f(i):
        if i < 2:
            return x[i]
        if i not in cache:
            cache[i] = f(i - 1) * f(i - 2)
        return cache[i]

    return f(n + 2)


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()))
def views_that_are_read_later(x, labels):
    d = {}
    for k, v in zip(labels, x):
        d[k] = v
    vals = d.values()
    d[7] = x[0] ** 2
    it = d.items()
    d[8] = x[1] ** 2
    return sum(vals) ** 2 + sum(v * k for k, v in it)


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()), refused="may")
def items_in_a_counter(x, labels):
    c = Counter()
    for k, v in zip(labels, x):
        c[k] += v
    return sum(v**2 for v in c.values())


@program("dict operations", args=lambda: (X.copy(), LABELS.copy()), refused="may")
def items_taken_out(x, labels):
    d = {}
    for k, v in zip(labels, x):
        if k in d:
            d.pop(k)
        d[k] = v
    return sum(d.values())


@program("dict operations, local lists", args=lambda: (X4.copy(), LABELS4.copy()))
def groups_by_setdefault(x, labels):
    d = {}
    for i in range(len(x)):
        d.setdefault(labels[i], []).append(x[i])
    s = 0.0
    for k, v in d.items():
        s += sum(v) ** 2 * (k + 1)
    return s


@program("dict operations, local lists", args=lambda: (X4.copy(), LABELS4.copy()))
def groups_in_a_defaultdict(x, labels):
    d = defaultdict(list)
    for k, v in zip(labels, x):
        d[k].append(v)
    return sum(np.mean(v) ** 2 for v in d.values())


@program("dict operations, local lists", args=lambda: (X4.copy(), LABELS4.copy()))
def spread_within_groups(x, labels):
    d = {}
    for k, v in zip(labels, x):
        if k not in d:
            d[k] = []
        d[k].append(v)
    s = 0.0
    for k, vs in d.items():
        m = sum(vs) / len(vs)
        for v in vs:
            s += (v - m) ** 2
    return s


@program("dict operations, local lists", args=lambda: (X4.copy(), LABELS4.copy()))
def distance_from_the_mean_of_the_group(x, labels):
    d = defaultdict(list)
    for k, v in zip(labels, x):
        d[k].append(v)
    means = {k: sum(v) / len(v) for k, v in d.items()}
    return sum((v - means[k]) ** 2 for k, v in zip(labels, x))


@program("dict operations, local lists", args=lambda: (X4.copy(), list(WORDS4)))
def groups_that_begin_with_one(x, labels):
    d = {}
    for k, v in zip(labels, x):
        if k in d:
            d[k].append(v)
        else:
            d[k] = [v]
    return sum(v[0] * v[-1] for v in d.values()) + np.var(d["a"]) + max(d["a"])


@program("dict operations, local lists", args=lambda: (X4.copy(), LABELS4.copy()))
def second_name_of_a_group(x, labels):
    d = defaultdict(list)
    for k, v in zip(labels, x):
        d[k].append(v)
        l = d[k]
        d[k].append(2.0 * v)
        l.append(x[0])
    return sum(sum(v) ** 2 for v in d.values())


@program("dict operations, local lists", args=lambda: (X4.copy(), LABELS4.copy()))
def pairs_in_groups(x, labels):
    d = defaultdict(list)
    for i, k in enumerate(labels):
        d[k].append((i, x[i]))
    return sum(v ** (j + 1) for g in d.values() for j, v in g)


@program("dict operations, local lists", args=lambda: (X4.copy(), LABELS4.copy()))
def groups_as_arrays(x, labels):
    d = defaultdict(list)
    for k, v in zip(labels, x):
        d[k].append(v)
    arrs = {k: np.array(v) for k, v in d.items()}
    return sum(np.sum(a**2) * len(a) for a in arrs.values())


@program("dict operations, local lists", args=lambda: (X4.copy(), LABELS4.copy()))
def largest_group(x, labels):
    d = defaultdict(lambda: [])
    for k, v in zip(labels, x):
        d[k].append(v)
    best = max(d, key=lambda k: sum(d[k]))
    return sum(d[best]) ** 2


@program("dict operations, local lists", args=lambda: (X4.copy(), LABELS4.copy()), refused="may")
def group_that_changes_under_its_own_name(x, labels):
    d = {}
    l = []
    for k, v in zip(labels, x):
        l = [v]
        d[k] = l
        l.append(v**2)
    return sum(sum(v) for v in d.values())


@program("zip, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def sums_of_two_columns(x, n):
    rows = []
    for i in range(n):
        rows.append((x[i], x[i] ** 2))
    a, b = zip(*rows)
    return sum(a) * sum(b)


@program("zip, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def columns_as_arrays(x, n):
    rows = []
    for i in range(n):
        rows.append((x[i], np.sin(x[i])))
    a, b = zip(*rows)
    return np.sum(np.array(a) * np.array(b))


@program("zip, run-time lists", args=lambda: (list(PAIRS),))
def columns_of_an_argument(pairs):
    xs, ys = zip(*pairs)
    s = 0.0
    for u, v in zip(xs, ys):
        s += u * v**2
    return s


@program("zip, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3), numpy="2.0")
def times_and_values(x, n):
    t, y = 0.0, x[0]
    out = []
    while t < 1.0:
        y = y + 0.25 * np.sin(y) * x[1]
        t += 0.25
        out.append([t, y])
    ts, ys = zip(*out)
    return np.trapezoid(ys, ts)


@program("zip, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def columns_of_arrays(x, n):
    rows = []
    for i in range(n):
        rows.append((x * x[i], x[i]))
    a, b = zip(*rows)
    return np.sum(np.stack(a)) * sum(b)


@program("zip, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def columns_as_lists(x, n):
    rows = []
    for i in range(n):
        rows.append((x[i], x[i] ** 2))
    a, b = [list(c) for c in zip(*rows)]
    return a[0] * b[-1] + len(a)


@program("zip, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def loop_over_columns(x, n):
    rows = []
    for i in range(n):
        rows.append((x[i], x[i] ** 2))
    s = 0.0
    for col in zip(*rows):
        s += max(col) * sum(col)
    return s


@program("zip, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def columns_of_a_comprehension(x, n):
    ts = []
    for i in range(n):
        ts.append(x[i])
    a, b = zip(*[(t, t * t) for t in ts])
    return sum(a) + sum(b) * a[0]


@program("zip, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def columns_of_what_there_is_so_far(x, n):
    rows = []
    i = 0
    s = 0.0
    while i < n:
        if len(rows) > 1:
            a, b = zip(*rows)
            s += sum(a) * b[0]
        rows.append((x[i], x[i] ** 2))
        i += 1
    return s


@program("zip, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def columns_of_stored_rows(x, n):
    rows = []
    for i in range(n):
        rows.append((i, x[i] ** 2))
    rows[1] = (0, x[0])
    idx, vals = zip(*rows)
    return sum(x[i] * v for i, v in zip(idx, vals)) + len(vals)


@program("zip, run-time lists", args=lambda: (list(PAIRS), 2.0), wrt=(1,))
def columns_of_sorted_pairs(pts, a):
    s = 0.0
    for p in pts:
        s += a * p[0]
    xs, ys = zip(*sorted(pts, key=lambda p: p[0]))
    return s * np.interp(0.6, xs, ys)


@program("zip, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def columns_of_short_arrays(x, n):
    rows = []
    for i in range(n):
        rows.append(np.array([x[i], x[i] ** 2]))
    a, b = zip(*rows)
    return sum(a) * sum(b)


@program("zip, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def rest_of_a_column(x, n):
    rows = []
    for i in range(n):
        rows.append((x[i], x[i] ** 2))
    (a0, *ra), b = zip(*rows)
    return a0 * sum(ra) + max(b)


@program("zip, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def list_of_columns(x, n):
    rows = []
    for i in range(n):
        rows.append((x[i], x[i] ** 2))
    cols = list(zip(*rows))
    return np.dot(cols[0], cols[1]) + np.array(list(zip(*rows)))[1].sum()


@program("zip, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def columns_as_long_as_the_shortest_row(x, n):
    rows = []
    for i in range(n):
        r = []
        for j in range(i, n):
            r.append(x[j])
        rows.append(r)
    return sum(sum(c) for c in zip(*rows))


@program("namedtuples, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def sorted_namedtuples(x, n):
    ps = []
    for i in range(n):
        ps.append(P(x[i], x[i] ** 2))
    ps = sorted(ps, key=lambda p: -p.m)
    return ps[0].v * ps[1].m


@program("namedtuples, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def namedtuples_that_are_picked(x, n):
    ps = []
    for i in range(n):
        ps.append(P(x[i], x[i] ** 2))
    heavy = [p.v for p in ps if p.m > 0.5]
    return sum(heavy) ** 2 + max(ps, key=lambda p: p.v).m


@program("namedtuples, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def namedtuples_active_and_constant(x, n):
    ps = [P(1.0, 2.0)]
    for i in range(n):
        ps.append(P(x[i], 3.0))
    k = sum(p.v > 2.5 for p in ps)
    names = [p.m > 0.5 for p in ps]
    return sum(p.m**2 for p in ps) * k + sum(names) * x[0]


@program("namedtuples, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def namedtuples_with_methods(x, n):
    ps = []
    for i in range(n):
        ps.append(Q(x[i]))
    return sum(q.area() for q in ps) + sum(isinstance(q, Q) for q in ps) * x[0]


@program("namedtuples, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def index_of_the_least_namedtuple(x, n):
    ps = []
    for i in range(n):
        ps.append(P(x[i], i))
    k = [p.v for p in ps]
    best = min(range(n), key=lambda j: ps[j].m)
    return ps[best].m ** 2 + x[k[1]]


@program("namedtuples, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def constant_namedtuples(x, n):
    ps = []
    for i in range(n):
        ps.append(P(i, 2.0 * i))
    js = [p.m for p in ps if p.v > 1.0]
    t = max(ps, key=lambda p: p.v)
    return sum(x[j] ** 2 for j in js) * t.v


@program("namedtuples, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def namedtuples_stored_anew(x, n):
    ps = []
    for i in range(n):
        ps.append(P(x[i], x[i] ** 2))
    for i in range(n):
        p = ps[i]
        ps[i] = p._replace(v=p.v + p.m)
    ps[0] = P(ps[1].m, ps[0].v)
    a, b = zip(*ps)
    return sum(a) * sum(b) + ps[-1][1]


@program("dict operations, local lists", args=lambda: (X4.copy(), MET.copy()))
def places_that_are_met_so_far(x, labels):
    place = {}
    s = 0.0
    for i in range(len(x)):
        k = labels[i]
        if k not in place:
            place[k] = []
        at = place[k]
        for j in range(len(at)):
            s += x[at[j]] * x[i] ** 2
        at.append(i)
    return s


@program("dict operations, local lists", args=lambda: (X4.copy(), MET.copy()))
def earlier_places(x, labels):
    place = {}
    s = 0.0
    for i in range(len(x)):
        k = labels[i]
        if k not in place:
            place[k] = []
        for j in place[k]:
            s += x[j] * x[i] ** 2
        place[k].append(i)
    return s


@program("dict operations, local lists", args=lambda: (X4.copy(), MET.copy()))
def number_of_places_so_far(x, labels):
    place = {}
    s = 0.0
    for i in range(len(x)):
        k = labels[i]
        if k not in place:
            place[k] = []
        s += x[i] ** 2 * len(place[k])
        place[k].append(i)
    return s


@program("dict operations, local lists", args=lambda: (X4.copy(), MET.copy()))
def places_by_two_indices(x, labels):
    place = {}
    s = 0.0
    for i in range(len(x)):
        k = labels[i]
        if k not in place:
            place[k] = []
        for j in range(len(place[k])):
            s += x[place[k][j]] * x[i] ** 2
        place[k].append(i)
    return s


@program("dict operations, local lists", args=lambda: (X4.copy(), MET.copy()))
def lists_under_a_key_that_varies(x, labels):
    at = {0: [], 1: []}
    s = 0.0
    for i in range(len(x)):
        k = labels[i]
        a = at[k]
        n = len(a)
        for j in range(n):
            s += x[a[j]] * x[i] ** 2
        a.append(i)
    return s


@program("dict operations, local lists", args=lambda: (X4.copy(), MET.copy(), {0: [], 1: []}))
def lists_of_an_argument_that_grow(x, labels, at):
    s = 0.0
    for i in range(len(x)):
        k = labels[i]
        at[k].append(i)
        for j in at[k]:
            s += x[j] * x[i] ** 2
    return s


@program("dict operations, local lists", args=lambda: (X4.copy(), MET.copy()), refused="may")
def lists_in_a_tuple_that_grow(x, labels):
    at = ([], [])
    s = 0.0
    for i in range(len(x)):
        k = labels[i]
        a = at[k]
        n = len(a)
        for j in range(n):
            s += x[a[j]] * x[i] ** 2
        a.append(i)
    return s


@program("dict operations, local lists", args=lambda: (X4.copy(), MET.copy(), {0: [], 1: []}), refused="may")
def list_of_an_argument_changed_before(x, labels, at):
    s = 0.0
    at[1].append(2)
    for i in range(len(x)):
        for j in at[labels[i]]:
            s += x[j] * x[i] ** 2
    return s


@program("tuples, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def tuple_that_is_added_to(x, n):
    u = []
    for i in range(n):
        u.append(x[i])
    v = tuple(u)
    w = v
    v += (x[0],)
    return sum(v) * sum(w)


@program("tuples, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def tuple_that_is_repeated(x, n):
    u = []
    for i in range(n):
        u.append(x[i])
    v = tuple(u)
    w = v
    v *= 2
    return sum(v) * sum(w)


@program("tuples, run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def list_that_is_added_to_beside_a_tuple(x, n):
    u = []
    for i in range(n):
        u.append(x[i])
    w = tuple(u)
    u += [2.0 * x[0]]
    u += w
    u *= 2
    return sum(u) * sum(w)


@program("tuples, isinstance", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def tuple_of_a_list_is_a_tuple(x, n):
    u = []
    for i in range(n):
        u.append(x[i])
    v = tuple(u)
    return sum(v) ** 2 if isinstance(v, tuple) else sum(v)


@program("tuples, isinstance", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def column_is_a_tuple(x, n):
    u = []
    for i in range(n):
        u.append((x[i], 1.0))
    v, _ = zip(*u)
    return sum(v) ** 2 if isinstance(v, tuple) else sum(v)


@program("tuples, isinstance", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def column_is_no_list(x, n):
    u = []
    for i in range(n):
        u.append((x[i], 1.0))
    v, _ = zip(*u)
    return sum(v) ** 2 if type(v) is list else sum(v)


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def index_taken_from_a_stack(x, n):
    u = []
    for i in range(n):
        u.append(x[i])
    stack = list(range(n))
    while stack:
        u[stack.pop()] += x[0] ** 2
    return u[0] * u[1] * u[2]


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def index_taken_from_a_queue(x, n):
    u = []
    for i in range(n):
        u.append(x[i])
    stack = [0, 2, 1, 1]
    for i in range(n):
        u[stack.pop(0)] *= x[i]
    return u[0] * u[1] + u[2]


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), ["K0", "K1", "K2"]))
def keys_made_of_text(x, names):
    d = {"k0": 1.0, "k1": 2.0, "k2": 0.5}
    s = 1.0
    for i in range(len(x)):
        k = names[i].lower()
        s = s * d[k] * x[i] ** 2
        if "%s!" % k == "k1!":
            s = s**2
    return s


@program("run-time lists", args=lambda: (X.copy(), LABELS.copy()))
def product_before_the_first_append(x, labels):
    u = []
    for i in range(len(labels)):
        if len(u) > labels[i]:
            u[labels[i]] *= x[i]
        else:
            u.append(x[i] ** 2)
    return sum(u) * u[0]


@program("run-time lists", args=lambda: (X.copy(), LABELS.copy()))
def sum_before_the_first_append(x, labels):
    u = []
    for i in range(len(labels)):
        if len(u) > labels[i]:
            u[labels[i]] += x[i]
        else:
            u.append(x[i] ** 2)
    return sum(u) * u[0]


@program("dicts", args=lambda: network(), wrt=(0,))
def layers_by_number(params, X, Y):
    L = len(params) // 2
    A = X
    for l in range(1, L):
        A = np.tanh(params["W" + str(l)] @ A + params["b" + str(l)])
    Z = params["W" + str(L)] @ A + params["b" + str(L)]
    return np.mean((Z - Y) ** 2)


@program("dicts", args=lambda: (*network(), 2), wrt=(0,))
def gradients_by_layer(params, X, Y, L):
    grads = {}
    for l in reversed(range(1, L + 1)):
        grads["dW" + str(l)] = 2.0 * params["W" + str(l)]
    new = {}
    for l in range(1, L + 1):
        new["W" + str(l)] = params["W" + str(l)] - 0.1 * grads["dW" + str(l)] ** 2
    return sum(np.sum(new[k]) for k in new)


@program("dicts", args=lambda: (np.array([0.7, 1.1, 0.4]), "abc", "adc"), wrt=(0,))
def edit_distance_in_a_dict(x, s, t):
    D = {}
    for i in range(len(s) + 1):
        D[i, 0] = i * x[0]
    for j in range(len(t) + 1):
        D[0, j] = j * x[1]
    for i in range(1, len(s) + 1):
        for j in range(1, len(t) + 1):
            c = 0.0 if s[i - 1] == t[j - 1] else x[2]
            D[i, j] = min(D[i - 1, j] + x[0], D[i, j - 1] + x[1], D[i - 1, j - 1] + c)
    return D[len(s), len(t)]


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def objects_of_a_comprehension(x, n):
    ps = [Particle(x[i], 2.0 * x[i]) for i in range(n)]
    return sum(p.energy() for p in ps)


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def objects_that_move(x, n):
    ps = []
    for i in range(n):
        ps.append(Particle(x[i], 1.0))
    for t in range(2):
        for p in ps:
            p.v = p.v - 0.1 * p.m * p.v**2
    return sum(p.energy() for p in ps)


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def bodies_that_attract(x, n):
    ps = []
    for i in range(n):
        ps.append(Body(x[i], np.array([x[i], 1.0 + i])))
    e = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            r = np.linalg.norm(ps[i].pos - ps[j].pos)
            e += ps[i].m * ps[j].m / r
    return e


@program("effects", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def namedtuples_of_a_run_time_list_are_printed(x, n):
    bodies = []
    for i in range(n):
        bodies.append(P(x[i], x[i] ** 2))
    print(bodies[0], f"{bodies[1]}")
    return sum(b.m * b.v for b in bodies)


@program("refusals", args=lambda: (np.array([0.7, 1.1, 0.4]), 3), refused=True)
def namedtuples_of_a_run_time_list_are_returned(x, n):
    bodies = []
    for i in range(n):
        bodies.append(P(x[i], x[i] ** 2))
    return {"all": bodies}


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def caps_that_may_be_infinite(x, n):
    caps = [np.inf, "none", 2.0]
    items = []
    for i in range(n):
        items.append((x[i] ** 2, caps[i]))
    items[1] = (x[1] * x[0], x[0] * 9)
    total = 0.0
    for value, limit in items:
        total += min(value, limit)
    return total


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def pairs_inside_of_pairs(x, n):
    items = []
    for i in range(n):
        items.append((i, (x[i] ** 2, x[i])))
    total = 0.0
    for k, pair in items:
        total += k * pair[0] * pair[1]
    return total


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def pairs_inside_of_pairs_are_popped(x, n):
    items = [((0.0, x[0]), x[1] * 2)]
    for i in range(n):
        items.append(((x[i] ** 2, x[i]), x[0]))
    total = 0.0
    while len(items) > 1:
        (a, b), c = items.pop()
        total += a * b * c
    return total * items[0][0][1]


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def pairs_inside_of_pairs_are_stored_and_sorted(x, n):
    items = []
    for i in range(n):
        items.append((i, (x[i] ** 2, x[i])))
    items[1] = (7, (x[0], x[1] * x[1]))
    items.sort(key=lambda t: t[1][0])
    return sum(k * a * b for k, (a, b) in items)


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def weighted_edges(x, n):
    edges = []
    for i in range(n):
        edges.append(((i, i + 1), x[i]))
    total = 0.0
    for (i, j), weight in edges:
        total += weight ** 2 * (i + j)
    return total


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def weighted_edges_of_a_comprehension(x, n):
    edges = [((i, i + 1), x[i]) for i in range(n)]
    total = 0.0
    for (i, j), weight in edges:
        total += weight ** 2 * (i + j)
    return total


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def stack_of_depths_and_pairs(x, n):
    stack = [(0, (x, 1.0))]
    total = 0.0
    while stack:
        depth, (v, s) = stack.pop()
        total += s * np.sum(v * v)
        if depth < n:
            stack.append((depth + 1, (v[1:], s * 0.5 * x[0])))
    return total


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def best_of_pairs_inside_of_pairs(x, n):
    items = []
    for i in range(n):
        items.append((i, (x[i] ** 2, x[i])))
    best = max(items, key=lambda t: t[1][1])
    first = items[0][1]
    return best[1][0] * first[1]


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def lists_inside_of_pairs(x, n):
    items = []
    for i in range(n):
        items.append((i, [x[i] ** 2, x[i]]))
    return sum(a * b for k, (a, b) in items)


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def namedtuples_inside_of_pairs(x, n):
    items = []
    for i in range(n):
        items.append((i, P(x[i], (x[i] ** 2, 1.0))))
    total = 0.0
    for k, p in items:
        total += p.m * p.v[0]
    return total


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def whole_numbers_inside_of_pairs_change(x, n):
    items = []
    for i in range(n):
        items.append((x[i], [i, i + 1]))
    items[0][1][0] = 5
    for a, idx in items:
        idx.append(4)
    return sum(a * sum(idx) for a, idx in items)


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def pairs_inside_of_pairs_take_the_place_of_others(x, n):
    items = [(i, (x[i], x[i] ** 2)) for i in range(n)]
    items.append((9, (x[0], 1.0)))
    k, (a, b) = items[-1]
    items[0] = k, (a * b, b)
    items[1] = items[0]
    out = np.array([b * a for k, (a, b) in items])
    return np.sum(out)


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def views_inside_of_pairs(x, n):
    u = x * 1.0
    items = []
    for i in range(n):
        items.append((i, (u[1:], x[i])))
        u = u * x
    s = 0.0
    for i, (v, c) in reversed(items):
        s += np.sum(v) * c
    return s


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def pairs_inside_of_pairs_are_swapped(x, n):
    items = []
    for i in range(n):
        items.append((i, (x[i], x * x[i])))
    a, b = items[0], items[-1]
    items[0], items[-1] = b, a
    i, (c, v) = items.pop()
    return c * np.sum(v * v) + sum(q[1][0] * q[1][1][0] for q in items)


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def pairs_inside_of_pairs_in_columns(x, n):
    items = [(0, (1.0, 2.0))]
    for i in range(n):
        items.append((i, (x[i], x[0])))
    z = list(zip(*items))
    return sum(p[0] * p[1] for p in z[1])


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def four_deep_rows(x, n):
    items = []
    for i in range(n):
        items.append((i, ((x[i], 2), (x[0] * i, "s"))))
    if x[0] > 0:
        items.insert(0, (5, ((x[1] ** 2, 3), (x[2], "t"))))
    del items[1]
    return sum(k * a * m + b * len(s) for k, ((a, m), (b, s)) in items)


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def run_time_lists_inside_of_pairs(x, n):
    groups = []
    for i in range(n):
        lst = []
        for j in range(i + 1):
            lst.append(x[j])
        groups.append(((i, lst), x[i]))
    for (k, lst), a in groups:
        lst[0] = lst[0] * a
    total = 0.0
    for (k, lst), a in groups:
        for v in lst:
            total += v * k * a
    return total


# --- what is found by counted keys, and by the parameters of what was found ---


class Catalogue(MutableMapping):
    """Functions by names, whatever their case; it warns of names that collide."""

    def __init__(self, data=None):
        self._data = {}
        self.update({} if data is None else data)

    def __setitem__(self, item, value):
        self._data[item] = value

    def __getitem__(self, item):
        try:
            return self._data[item]
        except KeyError:
            pass
        return self[dict(zip(self.lower_keys(), self.keys(), strict=True))[str(item).lower()]]

    def __delitem__(self, item):
        del self._data[item]

    def __iter__(self):
        yield from self._data.keys()

    def __len__(self):
        return len(self._data)

    @staticmethod
    def _warn_of_collisions(keys):
        collisions = [key for key, count in Counter(keys).items() if count > 1]
        if collisions:
            warnings.warn(f"{list(set(keys))} collide", stacklevel=2)

    def lower_keys(self):
        keys = [str(key).lower() for key in self._data]
        self._warn_of_collisions(keys)
        yield from iter(keys)


def squared(x, gain=2.0):
    return gain * x * x


def cubed(x, gain=1.0, offset=0.5):
    return gain * x**3 + offset * x


CATALOGUE = Catalogue({"Squared": squared, "CUBED": cubed})


def only_its_own(function, **kwargs):
    names = list(inspect.signature(function).parameters.keys())
    for key in set(kwargs.keys()) - set(names):
        kwargs.pop(key)
    return kwargs


@program("dicts", args=lambda: (0.7,))
def found_in_any_case(x):
    return CATALOGUE["squared"](x) * CATALOGUE["cubed"](x) + CATALOGUE["CUBED"](x)


@program("dicts", args=lambda: (0.7,))
def found_with_its_own_options(x):
    function = CATALOGUE["cubed"]
    return function(x, **only_its_own(function, offset=2.0, power=3)) ** 2


@program("dicts", args=lambda: (0.7, "squared"))
def found_by_an_option(x, method):
    function = CATALOGUE[method.upper()] if method == "cubed" else CATALOGUE[method]
    return function(x, **only_its_own(function, gain=x, offset=2.0))


def repeated(keys):
    return [key for key, count in Counter(keys).items() if count > 1]


@program("dicts", args=lambda: (0.7,))
def nothing_counted_twice(x):
    if repeated(["sin", "cos"]):
        x = x * 100.0
    return x * x


@program("dicts", args=lambda: (0.7,))
def something_counted_twice(x):
    for _ in repeated(["sin", "cos", "sin"]):
        x = x * np.sin(x)
    return x * x


@program("dicts", args=lambda: (0.7,))
def weights_that_are_counted(x):
    total = 0.0
    for key, count in Counter(["a", "b", "a", "a"]).items():
        total += x**count if key == "a" else np.sin(x * count)
    return total * sum(Counter(("a", "b", "a")).values())


@program("dicts", args=lambda: (0.7,))
def most_common_of_all(x):
    ((_, most), *others) = Counter(["a", "b", "a"]).most_common()
    return x**most * (1.0 + x * len(others)) + Counter(["a", "b"]).total() * x


@program("dicts", args=lambda: (0.7,))
def counts_that_grow(x):
    counts = Counter(["a", "b", "a"])
    before = list(counts.items())
    counts["a"] += 2
    counts.update(["b"])
    total = 0.0
    for (_, old), (_, new) in zip(before, list(counts.items()), strict=False):
        total += x**new - old * x
    return total * total


@program("dicts", args=lambda: (np.array([0.7, 0.4, 1.1]), ["u", "v", "u"]))
def counts_of_an_argument(v, names):
    total = 0.0
    for k, count in enumerate(Counter(names).values()):
        total += v[k] ** count
    return total * total
