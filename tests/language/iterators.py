"""Iterators that have a name, or are handed on: what they read may change before they are run through."""

import itertools

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
