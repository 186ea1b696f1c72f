"""Memory that becomes active later: under another name, through a call, or while a loop runs over it."""

import functools
import itertools
import math
import random

import numpy as np

from tests.language.corpus import normal, program


def same(u):
    return u


def pick(a, b, c):
    if c:
        return a
    return b


class Box:
    def __init__(self, n):
        self.u = np.zeros(n)

    def get(self):
        return self.u

    def __iter__(self):
        return iter(self.u)

    def bump(self, y):
        self.u[2] += y


@functools.lru_cache
def table(n):
    return np.zeros(n)


@program("activity through memory", args=lambda: (1.3,))
def memory_that_a_method_returned(x):
    q = Box(5)
    w = q.get()
    w[1] = x
    return q.u[1] * 2


@program("activity through memory", args=lambda: (1.3,))
def memory_that_a_function_handed_back(x):
    u = np.ones(5)
    w = same(u)
    w[1] = x
    return u[1] * 2


@program("activity through memory", args=lambda: (1.3,))
def memory_handed_back_in_a_list(x):
    u = np.ones(5)
    w = [same(u)]
    w[0][1] = x
    return u[1] * 2


@program("activity through memory", args=lambda: (1.3,))
def memory_handed_back_in_a_tuple(x):
    u = np.ones(5)
    w = same((u, 3))
    w[0][1] = x
    return u[1] * 2


@program("activity through memory", args=lambda: (1.3,))
def memory_that_a_function_chose(x):
    u = np.ones(5)
    v = np.zeros(5)
    w = pick(u, v, 3 > 2)
    w[1] = x
    return u[1] * 2 + v[1]


@program("activity through memory", args=lambda: (1.3,))
def array_bound_in_a_partial(y):
    u = np.zeros(5)
    f = functools.partial(np.dot, u)
    u[2] = y
    return f(np.ones(5)) * y


@program("activity through memory", args=lambda: (1.3,))
def array_as_a_default(y):
    u = np.zeros(5)

    def f(w=u):
        return np.sum(w * w)

    u[2] = y
    return f()


@program("activity through memory", args=lambda: (1.3,))
def array_as_a_default_of_a_lambda(y):
    u = np.zeros(5)
    f = lambda k, w=u: w[k] * 2
    u[2] = y
    return f(2)


@program("activity through memory", args=lambda: (1.3,))
def method_of_an_array_taken_before(y):
    u = np.zeros(5)
    g = u.dot
    u[2] = y
    return g(np.arange(5.0))


@program("activity through memory", args=lambda: (1.3,))
def arrays_of_a_tuple_run_through(y):
    u = np.zeros(3)
    s = 0.0
    for w in (u, np.ones(3)):
        s += np.sum(w) * y
        u += y
        s += np.sum(w)
    return s


@program("activity through memory", args=lambda: (1.3,))
def dict_items_seen_later(y):
    p = {"a": 1.0, "b": 2.0}
    it = p.items()
    p["b"] = y
    return sum(v for k, v in it)


@program("activity through memory", args=lambda: (1.3,))
def dict_values_seen_later(y):
    p = {"a": 1.0, "b": 2.0}
    vs = p.values()
    p["b"] = y
    return sum(vs)


@program("activity through memory", args=lambda: (1.3,))
def one_of_two_arrays(y):
    u = np.zeros(5)
    v = np.ones(5)
    w = u if y > 0 else v
    u[2] = y
    return w[2] * 3


@program("activity through memory", args=lambda: (1.3,))
def array_or_a_part_of_it(y):
    u = np.zeros(5)
    w = u if y > 0 else u[1:]
    u[2] = y
    return w[2] * 3


@program("activity through memory", args=lambda: (1.3,))
def one_of_the_arrays_in_a_list(y):
    u, v = np.zeros(5), np.zeros(5)
    a = [u, v][int(y > 0)]
    v[2] = y
    return a[2] * 3


@program("activity through memory", args=lambda: (1.3,))
def one_of_the_arrays_in_a_dict(y):
    u, v = np.zeros(5), np.zeros(5)
    d = {"u": u, "v": v}
    k = "v" if y > 0 else "u"
    a = d[k]
    v[2] = y
    return a[2] * 3


@program("what a loop runs over changes", args=lambda: (1.3,))
def elements_of_an_array_that_changes(y):
    u = np.zeros(5)
    for e in u:
        u[3] += y - e
    return np.sum(u)


@program("what a loop runs over changes", args=lambda: (1.3,))
def numbered_elements_that_change(y):
    u = np.zeros(5)
    for k, e in enumerate(u):
        u[(k + 1) % 5] += y * (1 + e)
    return np.sum(u * u)


@program("what a loop runs over changes", args=lambda: (1.3,))
def elements_beside_others_that_change(y):
    u = np.zeros(5)
    v = np.ones(5)
    for e, d in zip(u, v):
        u[3] += y - e * d
    return np.sum(u)


@program("what a loop runs over changes", args=lambda: (1.3,))
def iterator_made_before(y):
    u = np.zeros(5)
    v = np.ones(5)
    it = zip(u, v)
    u[2] = y
    s = 0.0
    for e, d in it:
        s += e * d * e
    return s


@program("what a loop runs over changes", args=lambda: (1.3,))
def rows_that_change(y):
    u = np.zeros((3, 2))
    for row in u:
        u[1] += y - row[0]
    return np.sum(u * u)


@program("what a loop runs over changes", args=lambda: (1.3,))
def rows_changed_in_place(y):
    u = np.zeros((3, 2))
    for row in u:
        row += y
        u[2] += row
    return np.sum(u * u)


@program("what a loop runs over changes", args=lambda: (1.3,))
def backwards_over_what_changes(y):
    u = np.zeros(5)
    for e in reversed(u):
        u[1] += y - e
    return np.sum(u)


@program("what a loop runs over changes", args=lambda: (1.3,))
def items_of_a_list_that_changes(y):
    u = [0.0, 1.0, 2.0]
    for e in u:
        u[2] += y - e
    return u[2]


@program("what a loop runs over changes", args=lambda: (1.3,), refused="may")
def pairs_of_neighbours_that_change(y):
    u = np.zeros(5)
    for a, b in itertools.pairwise(u):
        u[2] += y + a * b - b
    return np.sum(u)


@program("what a loop runs over changes", args=lambda: (1.3,))
def elements_of_a_view_that_changes(y):
    u = np.zeros(5)
    for e in u[1:]:
        u[3] += y - e
    return np.sum(u)


@program("what a loop runs over changes", args=lambda: (1.3,))
def flat_elements_that_change(y):
    u = np.zeros(5)
    for e in u.flat:
        u[3] += y - e
    return np.sum(u)


@program("what a loop runs over changes", args=lambda: (1.3,))
def mapped_elements_that_change(y):
    u = np.zeros(5)
    m = map(lambda e: e * 2, u)
    u[2] = y
    return sum(m)


@program("what a loop runs over changes", args=lambda: (1.3,))
def array_in_a_dict_run_through(y):
    d = {"u": np.zeros(3)}
    for k, w in d.items():
        for e in w:
            d["u"][1] += y - e
    return np.sum(d["u"])


@program("what a loop runs over changes", args=lambda: (1.3,))
def comprehension_before_and_loop_after(y):
    u = np.zeros(3)
    s = [e * 2 for e in u]
    for e in u:
        s[1] += e
        u[:] = u + y
    return s[1]


@program("what a loop runs over changes", args=lambda: (1.3,))
def object_that_changes_while_it_is_run_through(y):
    p = Box(5)
    s = 0.0
    for e in p:
        p.bump(y)
        s += e
    return s


@program("what a loop runs over changes", args=lambda: (1.3,))
def numbered_items_that_change(y):
    u = [1.0, 2.0, 3.0]
    s = 0.0
    for k, e in enumerate(u):
        if k < 2:
            u[k + 1] = e * y
        s += e
    return s


@program("what a loop runs over changes", args=lambda: (1.3,))
def items_beside_others_that_change(y):
    u = [1.0, 2.0, 3.0]
    v = [y, 1.0, 2.0]
    s = 0.0
    for a, b in zip(u, v):
        v[2] = v[2] * y
        s += a * b
    return s


@program("what a loop runs over changes", args=lambda: (1.3,))
def items_of_a_dict_that_changes(y):
    p = {"a": 1.0, "b": 2.0}
    s = 0.0
    for k, w in p.items():
        p["b"] = y * w
        s += w
    return s


@program("what a loop runs over changes", args=lambda: (1.3,))
def values_of_a_dict_that_changes(y):
    p = {"a": 1.0, "b": 2.0}
    s = 0.0
    for w in p.values():
        p["b"] = y * w
        s += w
    return s


@program("what a loop runs over changes", args=lambda: (1.3,))
def list_that_grows_while_it_is_run_through(y):
    u = [y]
    for e in u:
        if len(u) < 4:
            u.append(e * y)
    return sum(u)


@program("what a loop runs over changes", args=lambda: (1.3,))
def early_end_over_a_list_that_changes(y):
    u = [y, 2.0, 3.0]
    s = 0.0
    for e in u:
        if e > 100:
            break
        u[2] = e * y
        s += e
    return s


@program("what a loop runs over changes", args=lambda: (1.3,))
def backwards_over_a_list_that_changes(y):
    u = [y, 2.0, 3.0, 4.0]
    s = 0.0
    for e in reversed(u):
        u[0] += e * y
        s += e
    return s


@program("what a loop runs over changes", args=lambda: (1.3,))
def names_beside_elements_that_change(y):
    u = np.array([1.0, 2.0, 3.0])
    s = 0.0
    for c, e in zip(["a", "b", "c"], u):
        u[2] += y
        s += e if c != "b" else 2 * e
    return s


class Series:
    def __init__(self, *items):
        self.items = list(items)
        self.named = {"first": items[0], "last": items[-1]}

    def __iter__(self):
        return iter(self.items)


class Table(Series):
    def __iter__(self):
        return iter(self.named)


@program("what a loop runs over changes", args=lambda: (0.7, 0.6, np.array([0.7, 0.9, 2.1])))
def list_beside_an_array_that_changes(x, y, w):
    u = [x, y, w[1]]
    for a, b in zip(w, u):
        u.append(u.pop(0) * a)
        y = y + b
    for a, b in zip(w, reversed(u)):
        u[0] = a * b
        x = x + b * y
    return x * u[0] + y


@program("what a loop runs over changes", args=lambda: (0.7, 0.6), refused="may")
def reversed_list_that_shrinks(x, y):
    u = [x, y, x * y]
    total = 0.0
    for e in reversed(u):
        total = total * y + e
        u.pop()
    return total


@program("what a loop runs over changes, operator methods", args=lambda: (0.7, 0.6))
def object_that_changes_as_a_loop_runs_over_it(x, y):
    series, table = Series(x, y, 0.5), Table(x, y)
    for e in series:
        y = math.tanh(y + e * x)
        series.items[2] = y * x
    for name in table:
        table.named[name] = table.named[name] * y
    for k, e in enumerate(series):
        x = x + k * e
        series.items[-1] = x
    return x + table.named["first"] * table.named["last"] + sum(series)


@program("what a loop runs over changes", args=lambda: (1.3,))
def two_lists_that_change_in_turn(y):
    a, b = [1.0, 2.0], [3.0]
    for e in a:
        b.append(e * y)
    for e in b:
        a[0] = a[0] + e
    return a[0]


@program("what a loop runs over changes", args=lambda: (1.3,))
def generator_over_an_array_that_changes(y):
    u = np.zeros(5)
    g = (e * y for e in u)
    u[2] = y
    return sum(g)


@program("what a loop runs over changes", args=lambda: (1.3,))
def generator_of_a_name_that_changes(y):
    g = (e * y for e in [1.0, 2.0])
    y = 3.0 * y
    return sum(g)


@program("activity through memory", args=lambda: (1.3,))
def rows_in_a_list_and_the_whole(y):
    u = np.zeros((2, 3))
    r = list(u)
    r[0][1] = y
    return np.sum(u)


@program("activity through memory", args=lambda: (1.3,), refused="may")
def rows_in_a_tuple_and_the_whole(y):
    u = np.zeros((2, 3))
    r = tuple(u)
    u[1] = y
    return np.sum(r[1])


@program("activity through memory", args=lambda: (1.3,), refused=True)
def memory_that_a_cache_keeps(y):
    w = table(5)
    w[2] = y
    v = table(5)
    return v[2] * 2


@program("activity through memory", args=lambda: (np.array([0.1, -0.2, 0.3]),))
def largest_so_far(returns):
    worth = np.empty(4)
    worth[0] = start = 100
    np.cumprod(1 + returns, out=worth[1:])
    worth[1:] *= start
    top = np.fmax.accumulate(worth)
    return np.min((worth - top) / top)


@program("activity through memory", args=lambda: (1.3,))
def view_of_a_view(x):
    u = np.zeros(3)
    v = np.squeeze(u[None])
    u[0] = x
    return v[0] * 2 * x


@program("activity through memory", args=lambda: (1.3,))
def flattened_slice(x):
    u = np.zeros((3, 2))
    v = np.ravel(u[1:])
    u[1, 1] = x
    return v[1] * 2 * x


@program("activity through memory", args=lambda: (1.3,))
def views_one_in_the_other(x):
    u = np.zeros((2, 3))
    v = np.moveaxis(np.transpose(u[:, 1:])[None], 0, 1)[1]
    u[1, 2] = x
    u[0, 2] += x * x
    return np.sum(v**2) * x


@program("activity through memory", args=lambda: (1.3,))
def broadcast_view_of_a_row(x):
    u = np.zeros((3, 3))
    v = np.broadcast_to(u[0], (3, 3))
    u[0, 1] = x
    return np.sum(v) * x


@program("activity through memory", args=lambda: (1.3,), refused="may")
def stored_through_what_was_drawn(x):
    u = np.zeros(3)
    v = random.choice([u, u])
    v[0] = x
    return u[0] * 2 * x


@program("activity through memory", args=lambda: (1.3,), refused="may")
def stored_through_an_iterator_of_the_library(x):
    u = np.zeros(3)
    v = list(itertools.islice([u, u], 1))[0]
    v[0] = x
    return u[0] * 2 * x


@program("activity through memory", args=lambda: (1.3,), refused="may")
def stored_through_a_buffer(x):
    u = np.zeros(3)
    v = np.ndarray(3, buffer=u)
    v[0] = x
    return u[0] * 2 * x


@program("activity through memory", args=lambda: (1.3,), refused="may")
def memory_view(x):
    u = np.zeros(3)
    v = np.asarray(memoryview(u))
    u[0] = x
    return v[0] * 2 * x


@program("activity through memory", args=lambda: (1.3,), refused="may")
def edges_handed_back(x):
    edges = np.array([0.0, 1.0, 2.0])
    _, same = np.histogram(np.array([0.5, 1.5]), edges)
    edges[0] = x
    return same[0] * 2 * x


@program("activity through memory", args=lambda: (1.3,), refused="may")
def attribute_of_an_unknown_object(x):
    u = np.zeros(3)
    v = np.ma.array(u).data
    v[0] = x
    return u[0] * 2 * x


@program("activity through memory", args=lambda: (1.3,))
def second_argument_is_where_it_goes(x):
    u, v = np.array([0.1, 0.2]), np.zeros(2)
    w = v[1:]
    np.sin(u, v)
    return x * w[0] + np.sum(v)


@program("refusals", args=lambda: (2.0,), refused=True)
def product_of_matrices(x):
    u = np.matrix([[1.0, 2.0], [3.0, 4.0]])
    return np.sum(x * u * u)


@program("refusals", args=lambda: (np.matrix([[1.0, 2.0], [3.0, 4.0]]), np.ones(2)), wrt=1, refused=True)
def matrix_as_an_argument(m, x):
    return np.sum(m * x[:, None])


@program(
    "refusals", args=lambda: (np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0]), np.ones(3)), wrt=1, refused=True
)
def masked_array_as_an_argument(m, x):
    return np.sum(m * x)


@program("refusals", args=lambda: (np.matrix([[1.0, 2.0], [3.0, 4.0]]), 2.0), wrt=1)
def matrix_made_plain(m, x):
    return np.sum(np.asarray(m) * x) * x + np.sum(m * m) * x


class Holder:
    """Operators that hand out what the object holds."""

    def __init__(self, u):
        self.u = u

    def __add__(self, other):
        return self.u

    def __neg__(self):
        return self.u

    def __mul__(self, other):
        return self


def added(q):
    return q + 1


def negated(q):
    return -q


def doubled_and_added(d):
    return d["a"] * 2 + 1


def added_here(u):
    return [Holder(u)][0] + 1


def one_more(u):
    return u + 1


def two_arrays(n):
    return np.zeros(n), np.ones(n)


def with_defaults():
    return {"a": 1.0, "b": np.zeros(2), "c": [1.0, 2.0]}


def holder_of_three():
    return Holder(np.zeros(3))


def shifted_pair(u):
    return [u[0] + 1.0, u[1] * 2]


@program("activity through memory", args=lambda: (1.3,))
def operator_of_a_class_that_hands_out(x):
    u = np.zeros(3)
    w = added(Holder(u))
    u[0] = x
    return w[0] * x


@program("activity through memory", args=lambda: (1.3,))
def negation_that_hands_out(x):
    u = np.zeros(3)
    w = negated(Holder(u))
    w[0] = x
    return u[0] * x


@program("activity through memory", args=lambda: (1.3,))
def operator_of_an_object_made_there(x):
    u = np.zeros(3)
    w = added_here(u)
    w[0] = x
    return u[0] * x


@program("activity through memory", args=lambda: ({"a": Holder(np.zeros(3))}, 1.3), wrt=1)
def operators_of_an_object_in_a_dict(q, x):
    w = doubled_and_added(q)
    q["a"].u[0] = x
    return w[0] * x


@program("activity through memory", args=lambda: (Holder(np.zeros(3)), 1.3), wrt=1)
def operator_of_an_argument(q, x):
    w = added(q)
    w[0] = x
    return q.u[0] * x


@program("activity through memory", args=lambda: (1.3,))
def operator_of_arrays_is_new(x):
    u = np.zeros(3)
    w = one_more(u)
    w[0] = x
    return u[0] * x + w[0] * x


@program("activity through memory", args=lambda: (1.3,))
def arrays_that_a_function_made(x):
    a, b = two_arrays(3)
    a[0] = x
    b *= a[0]
    return a[0] * b[1]


@program("activity through memory", args=lambda: (1.3,))
def arrays_in_a_tuple_that_a_function_made(x):
    t = two_arrays(3)
    t[0][0] = x
    t[1][1] *= 2.0
    return t[0][0] * t[1][1]


@program("activity through memory", args=lambda: (1.3,))
def containers_that_a_function_made(x):
    d = with_defaults()
    d["a"] = x
    d["b"][0] = x * x
    d["c"].append(x)
    return d["a"] * d["b"][0] + d["b"][1] + d["c"][2] * x


@program("activity through memory", args=lambda: (1.3,))
def object_that_a_function_made(x):
    d = holder_of_three()
    d.u[0] = x
    e = holder_of_three()
    e.u = x * np.ones(2)
    return d.u[0] * e.u[1]


@program("activity through memory", args=lambda: (1.3,))
def list_that_a_function_made_of_an_array(x):
    u = np.zeros(3)
    w = shifted_pair(u)
    w[0] = x
    u[0] = x
    return u[0] * x + w[0] * x + w[1]


class Buffers:
    def __init__(self, now):
        self.now = now
        self.after = now

    def set_first(self, c):
        self.after[0] = c


@program("activity through memory", args=lambda: (0.7, normal(5), normal(5, seed=1), 1), wrt=(0, 1, 2))
def one_of_two_names_bound_anew_in_a_loop(y, v, w, n):
    pair = Buffers(w.copy())
    pair.set_first(y)
    for _ in range(n):
        pair.now = v[[0, 2, 2, 1, 4]]
    return np.sum(pair.now * pair.after)


@program("activity through memory", args=lambda: (0.7, normal(5), normal(5, seed=1), 2), wrt=(0, 1, 2))
def one_of_two_names_bound_anew_in_loops_in_a_loop(y, v, w, n):
    a = w.copy()
    b = a
    a[0] = y
    s = np.dot(a, b)
    for _ in range(n):
        s = s + np.dot(a, b)
        for _ in range(n):
            b = v * b
        s = s * np.dot(a, b)
    return np.sum(a * b) * s


@program("activity through memory", args=lambda: (0.7, normal(5), normal(5, seed=1), 3), wrt=(0, 1, 2))
def one_of_two_names_bound_anew_on_paths_in_a_loop(y, v, w, n):
    pair = Buffers(w.copy())
    pair.set_first(y)
    for _ in range(n):
        if pair.now[1] > 0.0:
            pair.now = v[[0, 2, 2, 1, 4]] * pair.after
        else:
            pair.now = v - pair.now
    return np.sum(pair.now * pair.after)


@program("activity through memory", args=lambda: (normal(5), normal(5, seed=1)), wrt=(0, 1))
def maximum_that_is_overwritten(v, w):
    highest = v.max(keepdims=True)
    highest[...] = w[0]
    return np.sum(highest) * w[1]


def of_python(a):
    match a > -0.7:
        case True:
            return 2.0 * a
        case _:
            return 0.5 * a


@program("match, mixed types", args=lambda: (0.6, np.array([0.7, 0.9, 2.1])))
def tests_of_floats_and_of_numpy_floats(x, v):
    total = 0.0
    for k in range(2):
        total = total + of_python(x)
        if (x > 0.0) is True:
            total = total + x**2
        x = v[k] * 1.0
    if x > 0.2:
        y = x
    else:
        y = float(v[1])
    return total + (y if isinstance(y > 0.3, bool) else 3.0 * y)
