"""Iterators that have a name, or are handed on: what they read may change before they are run through."""

import copy
import functools
import itertools
import math
from collections import deque

import numpy as np

from tests.language.corpus import program


def xs():
    return (np.array([0.7, 1.9, 1.1, 0.4]),)


class Gain:
    def __init__(self, k):
        self.k = k
        self.u = np.array([1.0, 2.0, 3.0])

    def scale(self, e):
        return self.k * e

    def scaled(self):
        return (self.k * e for e in self.u)

    def bump(self):
        self.k = 3.0 * self.k


def add_to_second(w):
    w[1] = w[0] * 3.0


def summed_behind_a_bump(values, o):
    o.bump()
    return sum(values)


def sum_of_squares(values):
    return sum(v * v for v in values)


def twice(values):
    return sum(values) + sum(values)


@program("iterators", args=xs, refused="may")
def array_changed_under_another_name(u):
    v = u
    g = (2.0 * e for e in u)
    v[1] = 5.0 * v[0]
    return sum(g)


@program("iterators", args=xs, refused="may")
def array_changed_by_a_function(u):
    g = (2.0 * e for e in u)
    add_to_second(u)
    return sum(g)


@program("iterators", args=xs, refused="may")
def array_changed_by_out(u):
    g = (e * e for e in u)
    np.multiply(u, 2.0, out=u)
    return sum(g)


@program("iterators", args=lambda: (1.3,), refused="may")
def variable_changed_by_a_closure(c):
    g = (c * e for e in [1.0, 2.0])

    def triple():
        nonlocal c
        c = c * 3.0

    triple()
    return sum(g)


@program("iterators", args=lambda: (1.3,), refused="may")
def variable_of_the_function_that_is_mapped(c):
    def times_c(e):
        return c * e

    g = map(times_c, [1.0, 2.0])
    c = 3.0 * c
    return sum(g)


@program("iterators", args=lambda: (1.3,), refused="may")
def attribute_changed_under_another_name(c):
    o = Gain(c)
    q = o
    g = (o.k * e for e in [1.0, 2.0])
    q.k = 3.0 * c
    return sum(g)


@program("iterators", args=lambda: (1.3,), refused="may")
def method_that_is_mapped(c):
    o = Gain(c)
    g = map(o.scale, [1.0, 2.0])
    o.bump()
    return sum(g)


@program("iterators", args=lambda: (1.3,), refused="may")
def handed_to_a_function_that_changes_it(c):
    o = Gain(c)
    return summed_behind_a_bump((o.k * e for e in [1.0, 2.0]), o)


@program("iterators", args=lambda: (1.3,), refused="may")
def returned_by_a_method(c):
    o = Gain(c)
    g = o.scaled()
    o.u[1] = 3.0 * c
    return sum(g)


@program("iterators", args=lambda: (1.3,), refused="may")
def returned_before_a_variable_changes(x):
    def make():
        c = x
        g = (c * e for e in [1.0, 2.0])
        c = 3.0 * x
        return g

    return sum(make())


@program("iterators", args=lambda: (1.3,), refused="may")
def held_in_a_list(c):
    gs = [(c * e for e in [1.0, 2.0])]
    c = 3.0 * c
    return sum(gs[0])


@program("iterators", args=lambda: (1.3,), refused="may")
def held_in_an_attribute(c):
    o = Gain(c)
    o.g = (c * e for e in [1.0, 2.0])
    c = 3.0 * c
    return sum(o.g)


@program("iterators", args=lambda: (1.3,), refused="may")
def list_that_grows(c):
    items = [c, 2.0]
    g = (c * e for e in items)
    items.append(3.0 * c)
    return sum(g)


@program("iterators", args=lambda: (1.3, 4), refused="may")
def run_time_list_that_grows(c, n):
    items = []
    for i in range(n):
        items.append(c * i)
    g = (c * e for e in items)
    items.append(c * c)
    return sum(g)


@program("iterators", args=lambda: (1.3,), refused="may")
def iterator_of_a_list_that_changes(c):
    items = [c, 2.0]
    g = iter(items)
    other = items
    other[1] = c * c
    return sum(g)


@program("iterators", args=lambda: (1.3,), refused="may")
def keys_of_a_dict_that_grows(c):
    d = {"a": c, "b": 2.0}
    keys = d.keys()
    d["z"] = c * c
    return len(keys) * c + (c if "z" in keys else 0.0)


@program("iterators", args=lambda: (1.3,))
def keys_of_a_dict_whose_values_change(c):
    d = {"a": c, "b": 2.0}
    keys = d.keys()
    d["a"] = c * c
    return sum(d[k] for k in keys)


@program("iterators", args=lambda: (1.3,), refused="may")
def changed_while_a_loop_runs_over_it(c):
    g = (c * e for e in [1.0, 2.0])
    t = 0.0
    for v in g:
        t = t + v
        c = c * 3
    return t * c


@program("iterators", args=xs, refused="may")
def changed_by_the_loop_that_runs_over_it(u):
    t, c = 0.0, 1.0
    for i, v in enumerate(c * e for e in u):
        t = t + v
        c = c * (3 + i)
    return t * c


@program("iterators", args=xs, refused="may")
def late_binding_in_inner_generators(u):
    gs = [(a * b for b in (1.0, 2.0)) for a in u]
    return sum(gs[0])


@program("iterators", args=lambda: (1.3, 2.0), refused="may")
def late_binding_in_two_inner_generators(a, b):
    gs = [(v * b for b in (1.0, 2.0)) for v in (a, b)]
    return sum(gs[0])


@program("iterators", args=xs, refused="may")
def functions_of_a_generator(u):
    fs = (lambda t: t * a for a in u)
    return sum(f(2.0) for f in fs)


@program("iterators", args=lambda: (1.3,), refused="may")
def run_through_twice(c):
    g = (c * e for e in [1.0, 2.0])
    return sum(g) + 10 * sum(g)


@program("iterators", args=xs, refused="may")
def run_through_twice_at_run_time(u):
    g = (2.0 * e for e in u)
    return sum(g) + 10 * sum(g)


@program("iterators", args=xs, refused="may")
def run_through_twice_by_a_function(u):
    return twice(e * 2 for e in u)


@program("iterators", args=lambda: (1.3, 3), refused="may")
def run_through_in_each_turn(c, n):
    t = 0.0
    g = (c * e for e in [1.0, 2.0])
    for k in range(n):
        t = t + (k + 1) * sum(g)
    return t


@program("iterators", args=lambda: (1.3,))
def pairs_of_one_iterator(c):
    it = iter([c, 2.0 * c, 3.0 * c, 4.0, 5.0 * c])
    t = 0.0
    for a, b in zip(it, it):
        t = t + a * b
    return t


@program("iterators", args=xs)
def handed_to_a_function(u):
    g = (e * 2 for e in u)
    return sum_of_squares(g) * sum_of_squares(e * 3 for e in u)


@program("iterators", args=xs)
def generator_of_a_generator(u):
    g = (e for e in u)
    h = (2 * v * u[0] for v in g)
    return sum(h)


@program("iterators", args=xs)
def function_that_returns_a_generator(u):
    def multiples(n):
        return (u[i] * n for i in range(len(u)))

    return sum(multiples(2)) * sum(multiples(3))


@program("iterators", args=xs)
def changed_behind_the_last_use(u):
    g = (e * e for e in u)
    s = sum(g)
    u[1] = s * u[0]
    return s * u[1]


@program("iterators", args=xs)
def chained_and_changed_before(u):
    v = u[1:]
    v[0] = u[0] * 3.0
    g = itertools.chain(u, v)
    return sum(g) * v[1]


@program("iterators", args=xs)
def first_and_rest_of_an_array(u):
    it = iter(u)
    s = next(it)
    for v in it:
        s = s * v + v
    return s


@program("iterators", args=xs)
def neighbours_by_an_iterator(u):
    it = iter(u)
    before, s = next(it, None), 0.0
    for v in it:
        s += (v - before) ** 3
        before = v
    return s


@program("iterators", args=xs)
def pairs_of_one_iterator_over_an_array(u):
    it = iter(u)
    s = 0.0
    for a, b in zip(it, it):
        s += a * b * b
    return s


@program("iterators", args=xs, refused="may")
def array_overwritten_between_items(u):
    y = u * 1.0
    it = iter(y)
    a = next(it)
    y[1] = a * a
    return a * next(it)


@program("iterators", args=xs, refused="may")
def zip_asks_the_first_before_it_finds_the_second_empty(u):
    q, s = [], 0.0
    for _, b in zip(map(q.append, u), q):  # noqa: B905
        s = s + b * u[0]
    return s


# --- iterators of which somebody can tell when they compute their items: they are followed item by item


def point():
    return 0.4, np.array([0.3, 0.7, -0.2, 0.5, 1.1])


def same(u):
    return u


def touch(u, c):
    u[0] = u[0] * c + 0.1
    return u[1] * c


def rising(c, n):
    for k in range(n):
        if c > 2.5:
            return
        yield c * (k + 1)
        c = c * 1.5


def waves(u, x):
    for e in u:
        yield math.sin(e) * x
        yield e


def first_and_sum(values):
    return next(values) * 0.5 + sum(values)


@program("iterators", args=point)
def map_asked_once_and_drained_later(x, v):
    u = [x, 0.5, v[1]]
    m = map(lambda q: q * x, u)
    a = next(m)
    u[1] = x * x
    return a + sum(m) * 2.0


@program("iterators", args=point)
def filter_of_a_list_that_a_turn_changes(x, v):
    u = list(v)
    m = filter(lambda q: q < 1.0, u)
    t = x
    for e in m:
        t = math.tanh(t + e)
        u[2] = t * 0.5
    return t + u[2]


@program("iterators", args=point)
def generator_expression_reads_what_a_turn_changes(x, v):
    u = v.copy()
    t = 0.0
    c = 0.5
    for e in (e * c for e in u):
        t = t + e
        c = e * x
    return t + c


@program("iterators", args=point)
def conditional_items_asked_at_two_places(x, v):
    u = v.copy()
    m = (e * x for e in u if e > -1.0)
    u[1] = x * 0.3
    return next(m) * sum(m)


@program("iterators", args=point)
def zip_with_map_of_what_changes(x, v):
    u = v.copy()
    m = zip(u, map(math.cos, u))
    u[0] = x
    return next(m)[1] * sum(p * q for p, q in m)


@program("iterators", args=point)
def running_sums_used_on_both_paths(x, v):
    u = v.copy()
    m = itertools.accumulate(u)
    if x > 0.1:
        y = sum(p * q for p, q in zip(m, v))
    else:
        y = max(m)
    return y + sum(m)


@program("iterators", args=point)
def zip_of_one_and_what_is_left(x, v):
    u = v.copy()
    m = iter(u)
    y = sum(p * q for p, q in zip(m, m))
    return y + sum(m)


@program("iterators", args=point)
def chain_left_in_the_middle(x, v):
    u = v.copy()
    m = itertools.chain(u, [x])
    y = next(m)
    u[1] = x
    for e in m:
        y = y * 0.5 + e
        if e > 0.9:
            break
    return y * sum(m)


@program("iterators", args=point)
def takewhile_beside_a_count(x, v):
    u = v.copy()
    t = x
    for k, e in enumerate(itertools.takewhile(lambda q: q < 5.0, u)):
        t = math.tanh(t + e * (k + 1))
        u[1] = t
    return t


@program("iterators", args=point)
def any_leaves_the_rest(x, v):
    u = [x, 0.5, v[1]]
    m = reversed(u)
    y = float(any(q > 0.3 for q in m))
    return y * x + sum(m)


@program("iterators", args=point)
def slice_of_what_changes_before_it_is_reduced(x, v):
    u = v.copy()
    m = itertools.islice(u, 1, 4)
    u[2] = x
    y = functools.reduce(lambda p, q: 0.5 * p + q, m)
    return y + sum(m)


@program("iterators", args=point)
def sum_of_a_generator(x, v):
    u = rising(x, 3)
    return sum(u)


@program("iterators", args=point)
def loop_over_a_generator_that_is_left(x, v):
    t = 0.0
    for e in rising(x, 4):
        t = math.tanh(t + e)
        if t > 0.9:
            break
    return t


@program("iterators", args=point)
def generator_asked_at_two_places(x, v):
    m = rising(x, 3)
    a = next(m)
    return a * sum(m)


@program("iterators", args=point)
def list_extended_by_what_is_left(x, v):
    bag = [x]
    m = map(lambda q: q * x, v)
    a = next(m)
    bag.extend(m)
    return sum(bag) * a


@program("iterators", args=point)
def items_unpacked_behind_a_change(x, v):
    u = list(v)
    m = (e * x for e in u)
    u[0] = x
    k, *rest = m
    return k * sum(rest)


@program("iterators", args=point)
def iterator_in_a_list_read_twice(x, v):
    u = list(v)
    m = map(math.sin, u)
    u[0] = x
    h = [m]
    return sum(h[0]) + sum(h[0])


@program("iterators", args=point)
def list_plus_what_is_left(x, v):
    u = list(v)
    m = map(math.sin, u)
    u[0] = x
    bag = [x]
    bag += m
    bag[1:] = m
    return sum(bag)


@program("iterators", args=point)
def iterators_into_dicts(x, v):
    u = list(v)
    m = map(math.sin, u)
    u[0] = x
    return dict(enumerate(m))[0] + sum({k: q for k, q in enumerate(m)}.values())


@program("iterators", args=point)
def iterator_into_an_array(x, v):
    u = list(v)
    m = map(math.sin, u)
    u[0] = x
    return np.sum(np.fromiter(m, dtype=float)) + math.prod(m)


@program("iterators", args=point)
def neighbours_of_what_changes(x, v):
    u = list(v)
    m = itertools.pairwise(u)
    u[0] = x
    return sum(p * q for p, q in m)


@program("iterators", args=point)
def chain_of_lists_in_a_list(x, v):
    u = v.copy()
    c = x
    m = itertools.chain.from_iterable([u, [c], u])
    u[1] = x
    return next(m) * sum(m)


@program("iterators", args=point)
def asked_in_a_loop_with_a_default(x, v):
    u = v.copy()
    m = map(lambda q: q * x, u)
    t = 0.0
    for k in range(2):
        t = t + next(m, 0.5) * k + sum(m)
    return t + sum([x, *m])


@program("iterators", args=point)
def filter_of_what_is_computed(x, v):
    u = v.copy()
    m = filter(lambda q: q > 0.1, map(lambda q: q * x, u))
    u[1] = x
    return next(m) * sum(m)


@program("iterators", args=point)
def columns_of_what_is_zipped(x, v):
    u = v.copy()
    m = zip(u, v)
    if x < 0.5:
        y = list(m)[-1][1]
    else:
        y = sum(list(zip(*m))[1]) * x
    return y


@program("iterators", args=point)
def asked_in_a_loop_and_unpacked_behind_it(x, v):
    u = v.copy()
    m = map(math.sin, u)
    for k in range(2):
        x = x * next(m)
        u[3] = x
    a, b, c = m
    return a * b + c * x


@program("iterators", args=point)
def neighbours_asked_at_two_places(x, v):
    u = list(v)
    m = itertools.pairwise(u)
    a = next(m)
    u[2] = x
    return sum(p * q for p, q in m) + a[0] * a[1]


@program("iterators", args=point)
def zip_of_an_iterator_and_a_map_over_what_changes(x, v):
    out = []
    for a in zip(iter(v), map(lambda q: q * x, v)):
        v[2] = x
        out.append(a[0] * a[1])
    return sum(out)


@program("iterators", args=point)
def generator_expression_over_a_generator(x, v):
    return sum(e * e for e in waves(v, x))


@program("iterators", args=point)
def generator_unpacked(x, v):
    a, *b = waves(v[:2], x)
    return a * sum(b)


@program("iterators", args=point)
def zip_asks_the_first_before_the_second(x, v):
    q, s = [], 0.0
    for a, b in zip(map(q.append, v), q):
        s = s + b * x
    return s


@program("iterators", args=point)
def items_in_groups_of_two(x, v):
    values = list(v)
    for k in range(int(x * 4.0)):
        values.append(v[k])
    return sum(a - 2.0 * b for a, b in zip(*[iter(values)] * 2))


@program("iterators", args=point)
def three_side_by_side(x, v):
    u = v.copy()
    m = zip(u, map(math.sin, v), u[1:])
    u[2] = x
    a, b, c = next(m)
    return sum(p * q * r for p, q, r in m) + a * b + c


@program("iterators", args=point)
def items_that_change_a_list(x, v):
    u = [x, 0.5, v[1]]
    m = (touch(u, 0.5) + e for e in [x, 0.3])
    a = u[0]
    return a * sum(m) + u[0]


@program("iterators", args=point)
def zip_of_one_map(x, v):
    m = map(lambda q: q * x, v)
    n = zip(m, m)
    t = sum(p * q for p, q in n)
    return t + sum(m)


@program("iterators", args=point)
def loop_that_asks_for_more(x, v):
    u = v.copy()
    m = iter(u)
    t = 0.0
    for a in m:
        b = next(m, 0.5)
        u[4] = a * x
        t = t + a * b
    return t


@program("iterators", args=point)
def iterator_in_a_dict(x, v):
    u = v.copy()
    h = {"m": map(math.sin, u)}
    u[0] = x
    return next(h["m"]) * sum(h["m"]) + sum(h["m"])


@program("iterators", args=point)
def at_its_end_it_stays_there(x, v):
    u = list(v)
    m = iter(u)
    a = sum(m)
    u.append(x)
    return a + sum(m)


@program("iterators", args=point)
def list_that_grows_under_a_map(x, v):
    u = list(v)
    t = 0.0
    for e in map(lambda q: q * x, u):
        if len(u) < 8:
            u.append(e)
        t = t + e
    return t


@program("iterators", args=point)
def map_of_two_with_a_key(x, v):
    u = v.copy()
    m = map(lambda p, q: p - q, u, v)
    u[1] = x
    return max(m, key=lambda q: q * q) + sum(m)


@program("iterators", args=point)
def iterator_kept_in_an_object(x, v):
    class C:
        def __init__(self, u):
            self.it = map(math.sin, u)

        def two(self):
            return next(self.it) * next(self.it)

    c = C(v)
    return c.two() + c.two() * x


@program("iterators", args=point)
def looked_for_in_an_iterator(x, v):
    u = v.copy()
    m = filter(lambda q: q > 0.0, u)
    a = 0.4 in m
    return sum(m) * x


@program("iterators", args=point)
def takewhile_is_over_when_it_is_over(x, v):
    u = list(v)
    m = itertools.takewhile(lambda q: q < 1.0, u)
    a = next(m)
    u[3] = 2.0 + x
    b = sum(m)
    return a * b + sum(m)


@program("iterators", args=point)
def parts_handed_on(x, v):
    u = [x, 0.5, v[1]]
    c3 = 3
    m4 = itertools.chain.from_iterable([u, [c3], u])
    y = math.tanh(first_and_sum(m4))
    return math.tanh(y + sum(m4))


@program("iterators", args=point)
def filter_handed_on(x, w):
    u4 = list(w)
    c6 = 0.25
    m7 = same(filter(lambda q: q < c6 + 1.0, u4))
    for e5 in m7:
        x = math.tanh(x + e5 * x)
    return math.tanh(x + sum(m7))


@program("iterators", args=point)
def loop_over_an_iterator_in_a_list(x, v):
    u = v.copy()
    h = [map(math.sin, u)]
    t = next(h[0])
    for e in h[0]:
        t = t * 0.5 + e
        u[3] = t * x
    return t


@program("iterators", args=point)
def asked_under_another_name_in_the_loop(x, v):
    it = iter(v)
    h = [it]
    t = 0.0
    for e in it:
        t = t + e * next(h[0], x)
    return t


@program("iterators, list comprehensions", args=point)
def two_iterators_in_one_line(x, v):
    h = [map(math.sin, v), map(math.cos, v)]
    first = next(h[0])
    v[1] = x
    return sum([a * b for a in h[0] for b in h[1]]) * first


@program("iterators", args=point, refused="may")
def loop_over_what_a_call_gives(x, v):
    u = v.copy()
    m = map(math.sin, u)
    t = next(m)
    for e in same(m):
        t = t * 0.5 + e
        u[3] = t * x
    return t + sum(m)


@program("iterators", args=xs)
def test_that_changes_what_is_filtered(u):
    v = [u[0] * 1.0, u[1] * 1.0, u[2] * 1.0]

    def test(q):
        v[0] = 5.0 * u[3]
        return True

    return next(filter(test, v)) * sum(v)


@program("iterators", args=xs)
def first_running_sum_is_the_item(u):
    a = np.outer(u, u)
    m = itertools.accumulate(a)
    first = next(m)
    a[0, 1] = u[2]
    h = [u * 1.0, u * 2.0]
    n = itertools.accumulate(h)
    h[1] = u * 3.0
    other = next(n)
    other[0] = u[1] * u[1]
    return first[1] * sum(first) * np.sum(next(m)) + np.sum(h[0] * u) + np.sum(next(n) ** 2)


@program("iterators", args=xs)
def running_sums_of_lists(u):
    h = [[u[0]], [u[1]]]
    m = itertools.accumulate(h)
    h[1] = [u[2], u[2]]
    first = next(m)
    first[0] = u[1] * u[1]
    return sum(next(m)) * h[0][0]


@program("iterators", args=xs)
def backwards_through_a_list_that_shrinks_and_grows(u):
    v = list(u)
    m = reversed(v)
    v.pop()
    t = 0.0
    for q in m:
        t = t + q * u[0]
    v.append(u[1])
    for q in m:
        t = t + 10 * q
    return t + sum(v)


@program("iterators", args=xs)
def backwards_through_a_list_that_is_cleared(u):
    v = list(u[:2])
    m = reversed(v)
    v.clear()
    t = next(m, u[0])
    v.append(u[1])
    v.append(u[1])
    return t * next(m, u[2]) + sum(v)


@program("iterators", args=xs, refused="may")
def key_that_reads_what_the_items_change(u):
    seen = []

    def make(q):
        seen.append(q)
        return q

    return max(map(make, u), key=lambda q: q * -len(seen)) * sum(seen)


@program("iterators", args=xs, refused="may")
def key_that_changes_the_items_behind_it(u):
    w = u * 1.0

    def key(q):
        w[3] = 3.0 + q * 3.0
        return q * u[0]

    return max(w, key=key) * w[1] * w[0]


@program("iterators, try", args=xs, refused="may")
def item_of_a_loop_that_raises(u):
    v = list(u)
    t = [u[1]]
    try:
        for q in map(lambda q: math.sqrt(1.0 - q), v):
            t.append(t[-1] * q)
    except ValueError:
        t.append(u[2])
    return sum(t)


@program("iterators, try", args=xs, refused="may")
def item_of_an_iterator_made_before_the_try_raises(u):
    v = list(u)
    m = (math.sqrt(1.0 - q) for q in v)
    t = u[0]
    try:
        for q in m:
            t = t + q
    except ValueError:
        t = t * 3.0
    return t + u[1]


@program("iterators, try", args=xs, refused="may")
def item_of_a_loop_that_raises_for_certain(u):
    h = [u[0]]
    d = {0: u[0], 1: u[1], 3: u[2]}
    try:
        for q in (d[k] for k in range(4)):
            h.append(q * u[3])
    except KeyError:
        h.append(u[2])
    return sum(h) + len(h) * u[0]


@program("iterators", args=xs)
def item_that_raises_is_not_asked_for(u):
    d = {0: u[0], 1: u[1], 3: u[2]}
    m = (d[k] for k in range(4))
    t = next(m) * next(m)
    for q in map(lambda k: d[k], range(4)):
        t = t * q
        if t > 0.1:
            break
    return t


@program("iterators, try", args=xs, refused="may")
def items_before_the_one_that_raises_are_taken_in(u):
    d = {0: u[0], 1: u[1], 3: u[2]}
    h = [u[0]]
    try:
        h.extend(map(lambda k: d[k], range(4)))
    except KeyError:
        h.append(u[2])
    try:
        h += (d[k] for k in range(4))
    except KeyError:
        d.clear()
    return sum(h) * u[1] + len(h)


@program("iterators, try", args=xs, refused="may")
def pairs_before_the_one_that_raises_are_taken_in(u):
    d = {0: u[0], 1: u[1], 3: u[2]}
    h = {9: u[0]}
    try:
        h.update(map(lambda k: (k, d[k]), range(4)))
    except KeyError:
        h[7] = u[2]
    return sum(h.values()) * u[1] + len(h)


@program("iterators, try", args=xs)
def all_items_are_taken_before_one_is_stored(u):
    d = {0: u[0], 1: u[1], 3: u[2]}
    h = [u[0]]
    try:
        h.append(sum(d[k] for k in range(4)))
    except KeyError:
        h.append(u[2])
    return sum(h) * u[1] + len(h)


@program("iterators", args=xs)
def slice_from_the_end_that_was(u):
    w = [u[0], u[1], u[2]]
    m = itertools.islice(reversed(w), 1, None)
    w.append(u[3])
    return sum(m)


@program("iterators", args=xs)
def slice_from_the_end_that_was_is_unpacked(u):
    w = [u[0], u[1], u[2]]
    m = itertools.islice(reversed(w), 1, None)
    w.append(u[3])
    a, *b = m
    return a * sum(b)


@program("iterators", args=xs)
def functions_of_a_list_backwards_that_has_grown(u):
    w = []
    for q in u:
        w.append(q * q)
    m = map(lambda q: q * u[0], reversed(w))
    w.append(u[3])
    return next(m) + sum(m) * w[-1]


@program("iterators", args=xs, refused="may")
def running_sums_backwards_of_a_list_that_has_shrunk(u):
    w = []
    for q in u:
        w.append(q * q)
    m = itertools.accumulate(reversed(w), initial=u[0])
    w.insert(0, u[1])
    return sum(m) * len(w)


@program("iterators", args=xs, refused=True)
def dict_gets_another_key_before_its_values_are_asked_for(u):
    d = {0: u[0], 1: u[1]}
    m = itertools.islice(d.values(), 1, None)
    d[2] = u[2]
    return sum(m)


@program("iterators", args=xs, refused=True)
def deque_grows_while_it_is_run_through(u):
    d = deque([u[0], u[1]])
    t = 0.0
    for q in d:
        t = t + q
        d.append(q)
    return t


@program("iterators", args=xs, refused=True)
def deque_is_turned_before_it_is_run_through(u):
    d = deque([u[0], u[1]])
    m = map(lambda q: q * q, reversed(d))
    d.rotate(1)
    return sum(m)


@program("iterators", args=xs, refused=True)
def deque_that_grew_is_turned_while_it_is_run_through(u):
    d = deque()
    for q in u:
        d.append(q)
    m = filter(lambda q: q > 0.45, d)
    t = next(m)
    d.rotate(1)
    for q in m:
        t = t + q
    return t


@program("iterators", args=xs)
def deque_is_asked_in_several_places(u):
    d = deque([u[0], u[1], u[2]])
    m = map(lambda q: q * u[3], d)
    t = next(m)
    d[1] = u[3] * t
    for q in m:
        t = t * q
    return t + sum(d)


@program("iterators", args=xs, refused=True)
def slice_of_a_deque(u):
    return deque([u[0], u[1]])[:1][0]


@program("iterators", args=xs, refused=True)
def slice_of_a_deque_is_deleted(u):
    d = deque([u[0], u[1]])
    del d[:1]
    return d[0]


@program("iterators", args=xs, refused=True)
def slice_of_a_deque_that_grew_is_stored(u):
    d = deque()
    for q in u:
        d.append(q)
    d[:1] = [u[1]]
    return d[0]


@program("iterators", args=xs)
def slice_of_a_list_beside_a_deque(u):
    d, w = deque(), []
    for q in u:
        d.append(q)
        w.append(q * d[0])
    w[:1] = [u[1], d[1]]
    return sum(w[:3]) * d.popleft()


@program("iterators", args=xs)
def largest_of_nothing_with_a_key(u):
    return u[0] * max(map(lambda q: q * q, []), key=lambda q: q, default=u[1])


def run_through_while_it_grows(m, w, x):
    s = 0.0
    for q in m:
        s += (q[0] if isinstance(q, tuple) else q) * x
        if len(w) < 6:
            w.append(5.0)
    return s


@program("iterators", args=xs, refused=True)
def second_of_two_iterators_over_a_list_that_grows(u):
    w = []
    for i in range(3):
        w.append(float(i + 1))
    return run_through_while_it_grows(itertools.tee(w)[1], w, u[0])


@program("iterators", args=xs, refused=True)
def iterator_beside_one_over_a_list_that_grows(u):
    w = []
    for i in range(3):
        w.append(float(i + 1))
    return run_through_while_it_grows(itertools.tee(iter(w), 3)[2], w, u[0])


@program("iterators", args=xs, refused=True)
def groups_of_a_list_that_grows(u):
    w = []
    for i in range(3):
        w.append(float(i + 1))
    return run_through_while_it_grows(itertools.groupby(w), w, u[0])


@program("iterators", args=xs, refused=True)
def copy_of_an_iterator_over_a_list_that_grows(u):
    w = []
    for i in range(3):
        w.append(float(i + 1))
    return run_through_while_it_grows(copy.copy(iter(w)), w, u[0])


def halved(*values):
    for v in values:
        if v > 1.0:
            v = v * 0.5
        yield v * v


@program("iterators", args=xs)
def behind_paths_of_different_form(u):
    if u[0] > 0.5:
        kept = (u[0], "half")
    else:
        kept = {"half": 0.5}
    a, b = halved(u[0], u[1] * 2.0)
    c = sum(v * w for v, w in zip(halved(a, b), halved(b, u[2])))
    return a * b * c
