"""Expressions in which a later part overwrites what an earlier one reads: Python goes from left to right."""

import math

import numpy as np

from tests.language.corpus import program


def bump(u, y):
    u[0] += y
    return y * 2


@program("order of evaluation", args=lambda: (1.3,))
def operands(y):
    u = np.ones(3)
    return u[0] + bump(u, y) + u[0]


@program("order of evaluation", args=lambda: (1.3,))
def arguments(y):
    u = np.ones(3)

    def f(a, b, c):
        return a * 3 + b * 5 + c * 7

    return f(u[0], bump(u, y), u[0])


@program("order of evaluation", args=lambda: (1.3,))
def tuple_items(y):
    u = np.ones(3)
    t = (u[0], bump(u, y), u[0])
    return t[0] * 3 + t[1] * 5 + t[2] * 7


@program("order of evaluation", args=lambda: (1.3,))
def list_items(y):
    u = np.ones(3)
    l = [np.sum(u), bump(u, y), np.sum(u)]
    return l[0] * 3 + l[1] * 5 + l[2] * 7


@program("order of evaluation", args=lambda: (1.3,))
def added_to_another_element(y):
    u = np.ones(3)
    u[1] += bump(u, y) * u[0]
    return u[1] * 2 + u[0]


@program("order of evaluation", args=lambda: (1.3,))
def added_to_a_number(y):
    u = np.ones(3)
    s = 1.0
    s += bump(u, y) + u[0]
    return s


@program("order of evaluation", args=lambda: (1.3,))
def indices_that_count(y):
    i = [0]
    u = np.ones(3)

    def nxt():
        i[0] += 1
        return i[0]

    u[nxt()] = y * nxt()
    u[nxt() - 1] += y
    return u[0] * 2 + u[1] * 3 + u[2] * 5


@program("order of evaluation", args=lambda: (1.3,))
def branch_behind_its_test(y):
    u = np.ones(3)
    return u[0] * y if bump(u, y) > 0 else u[1]


@program("order of evaluation", args=lambda: (1.3,))
def conjunction(y):
    u = np.ones(3)
    if u[0] < 1.5 and bump(u, y) > 0 and u[0] > 2:
        return u[0] * y
    return y


@program("order of evaluation", args=lambda: (1.3,))
def dict_values(y):
    u = np.ones(3)
    d = {"a": u[0] * y, "b": bump(u, y), "c": u[0] * y}
    return d["a"] + 2 * d["b"] + 3 * d["c"]


@program("order of evaluation", args=lambda: (1.3,))
def unpacked(y):
    u = np.ones(3)
    a, b = u[0], bump(u, y)
    return a * y + b * u[0]


@program("order of evaluation", args=lambda: (1.3,))
def walrus_first(y):
    u = np.ones(3)
    return (k := u[0]) * y + bump(u, k * y) + u[0] * k


@program("order of evaluation", args=lambda: (1.3,))
def array_of_items(y):
    u = np.ones(3)
    return np.dot(u, [bump(u, y), u[0], u[0] * y])


@program("order of evaluation", args=lambda: (1.3,))
def counter_between_calls(y):
    n = 0

    def count(v):
        nonlocal n
        n += 1
        return v * n

    return count(y) + count(y) * count(y)


@program("order of evaluation", args=lambda: (1.3,))
def list_methods_in_one_expression(y):
    u = [1.0, 2.0]
    return u[0] * 2 + (u.append(y) or len(u)) * y + u.pop() + len(u)


@program("order of evaluation", args=lambda: (1.3,))
def targets_from_left_to_right(y):
    u = np.ones(3)
    x = u
    x, u[0] = 2 * u, y
    return np.sum(x) + np.sum(u)


@program("order of evaluation", args=lambda: (1.3,))
def index_bound_before_its_use(y):
    u = np.ones(3)
    i = 0
    i, u[i] = 1, y
    return u[0] * 2 + u[1] * 5 + i


@program("order of evaluation", args=lambda: (1.3,))
def sum_of_calls(y):
    u = np.ones(3)
    s = sum(bump(u, y * k) * u[0] for k in range(3))
    return s + u[0]


@program("order of evaluation", args=lambda: (1.3,))
def comprehension_of_calls(y):
    u = np.ones(3)
    v = [bump(u, y) * e for e in u]
    return sum(v) + u[0]


@program("order of evaluation", args=lambda: (1.3,))
def element_as_a_loop_variable(y):
    u = np.ones(3)
    for u[0] in (y, 2 * y):
        u[1] += u[0]
    return np.sum(u)


@program("order of evaluation", args=lambda: (1.3,))
def scaled_by_what_changes(y):
    u = np.array([1.0, 2.0, 3.0])
    u -= u[0] * y
    u -= u[0] * y
    return u @ u


@program("order of evaluation", args=lambda: (1.3,))
def added_to_the_same_element(y):
    u = np.ones(3)
    u[0] += bump(u, y)
    u[0] *= bump(u, y)
    return u[0] * u[1]


@program("order of evaluation", args=lambda: (1.3,))
def compared_before(y):
    u = np.ones(3)
    if u[0] < bump(u, y) * u[0]:
        return u[0] * y
    return y


def stir(u, j, c):
    u[j] = math.tanh(u[j] + 0.5 * c)
    return u[j] + 0.25


def squared(y):
    return y * y


@program("order of evaluation", args=lambda: (1.3,))
def stored_by_the_test_of_a_ternary(y):
    u = np.ones(3)
    x = y if stir(u, 1, squared(y)) > 0.3 else u[2]
    return x * u[1]


@program("order of evaluation", args=lambda: (1.3,))
def stored_by_a_test(y):
    u = np.ones(3)
    if stir(u, 1, y * y) > 0.3:
        return u[1]
    return y


@program("order of evaluation", args=lambda: (1.3,))
def stored_by_the_test_of_a_loop(y):
    u = np.ones(3)
    while stir(u, 1, y * y) > 1.15:
        u[1] *= 0.1
        y *= 0.5
    return u[1] + y


@program("order of evaluation", args=lambda: (1.3,))
def stored_by_a_comparison_that_has_a_name(y):
    u = np.ones(3)
    large = stir(u, 0, squared(y)) > 0.3
    return np.sum(u) * (2.0 if large else 1.0)


# --- calls in places that are read and written, and in what any() and all() look at


def counter():
    count = [0]

    def following():
        count[0] += 1
        return count[0] - 1

    return following, count


@program("order of evaluation", args=lambda: (1.3,))
def index_of_an_augmented_item(x):
    items = [x, x * x]
    following, count = counter()
    items[following()] += 3 * x
    items[following()] *= 2 * x
    return items[0] + 10 * items[1] + count[0]


@program("order of evaluation", args=lambda: (1.3,))
def key_that_is_popped(x):
    d = {"a": x, "b": x * x}
    keys = ["a", "b"]
    d[keys.pop()] += 3 * x
    return d["a"] + 10 * d["b"] + len(keys)


@program("order of evaluation", args=lambda: (1.3,))
def owner_of_an_augmented_item(x):
    calls = []
    items = [x, x * x]

    def get():
        calls.append(x)
        return items

    get()[1] += x
    get()[0] *= x
    return items[0] + items[1] * sum(calls)


@program("order of evaluation", args=lambda: (1.3,))
def any_stops_where_it_knows(x):
    seen = []

    def large(v):
        seen.append(v * v)
        return v > 1

    found = any(large(x * k) for k in range(5))
    return sum(seen) + found


@program("order of evaluation", args=lambda: (np.array([0.3, 1.2, 3.0, 0.1]),))
def all_and_any_of_an_array(u):
    seen = []

    def large(v):
        seen.append(v * v)
        return v > 1

    found = all(large(v) for v in u[::-1]) or any(large(v) for v in u)
    return sum(seen) + found


@program("order of evaluation", args=lambda: (np.array([0.3, 1.2, 3.0, 0.1]), 4))
def any_that_stores(u, n):
    hits = np.zeros(4)

    def bad(i):
        hits[i] += u[i]
        return u[i] > 1

    if any(bad(i) for i in range(n)):
        return np.sum(hits * u)
    return 0.0


@program("order of evaluation", args=lambda: (np.array([0.3, 1.2, 3.0, 0.1]),))
def first_that_fits(u):
    first = next((v * v for v in u if v > 1), 0.0)
    place = next(i for i, v in enumerate(u) if v > 1)
    return first * place * next((v for v in u if v > 5), u[0])


@program("order of evaluation", args=lambda: (1.3,))
def test_that_appends(x):
    seen = []

    def large(v):
        seen.append(v * v)
        return v > 1

    if large(x * 0.5):
        r = 1.0
    elif large(x * 2):
        r = 2.0
    else:
        r = 3.0
    return sum(seen) * r


@program("order of evaluation", args=lambda: (1.3,))
def tests_that_append_and_return(x):
    seen = []

    def large(v):
        seen.append(v * v)
        return v > 1

    if large(x * 0.5):
        return sum(seen)
    if large(x * 0.7):
        return sum(seen) * 2
    return sum(seen) * 3


@program("order of evaluation", args=lambda: (0.7, 0.4))
def appends_in_parts_that_are_not_reached(x, y):
    seen = []

    def noted(v):
        seen.append(v)
        return v

    r = 1.0 if noted(y) < 1.0 or noted(100.0) else 2.0
    q = noted(x) if y > 1.0 else x * 3.0
    if x > 5.0 and noted(50.0):
        r = r * x
    assert x > 0.0, noted(1000.0)
    return (r + q) * x + sum(v * (i + 1) for i, v in enumerate(seen)) * len(seen)


@program("order of evaluation", args=lambda: (0.7, 0.4))
def a_message_is_made_for_a_failure_only(x, y):
    def describe(values):
        print("not so", values[0])
        return f"{values[1]}"

    assert x > 0.0, describe([x, y])
    return x * y * y


@program("order of evaluation", args=lambda: (0.7, 1.2))
def starred_items_are_those_of_before(x, y):
    values = [x, y, 3.0]
    a = [*values, values.pop(0)]
    b = (*values, values.pop(), *values)

    def weighed(*parts, **named):
        return sum(v * (i + 1) for i, v in enumerate(parts)) + sum(named.values())

    u = np.array([x, y])

    def raised():
        u[0] += 1.0
        return y

    c, d, e = *u, raised()
    total = weighed(*a) + 10 * weighed(*b) + c * d * e
    return total + weighed(*u, raised(), *u) + weighed(*u, k=raised())


@program("order of evaluation", args=lambda: (0.7, 1.2))
def entries_are_those_of_before(x, y):
    d = {"k": x}

    def bump():
        d["k"] = d["k"] * 2
        return y

    first = dict(**d, z=bump())
    return first["k"] + 3 * dict(**d, **{"z": bump()})["k"] + d["k"] * first["z"]


@program("order of evaluation", args=lambda: (0.7, 1.2))
def keys_before_values_in_a_dict_comprehension(x, y):
    seen = []

    def noted(v):
        seen.append(v)
        return v

    d = {f"{noted(k)}{len(seen)}": noted(v) for k, v in ((1.0, x), (2.0, y))}
    return sum(d.values()) + sum(v * (i + 1) for i, v in enumerate(seen))


@program("order of evaluation", args=lambda: (0.7, 1.2))
def start_of_a_sum_before_its_items(x, y):
    seen = []

    def noted(v):
        seen.append(v)
        return v * len(seen)

    total = sum((noted(v) for v in (x, y)), noted(x * y))
    return total + sum([noted(v) for v in (x, y)], noted(3.0))


@program("order of evaluation", args=lambda: (0.7, 1.2), refused="may")
def key_of_each_item_behind_it(x, y):
    seen = []

    def noted(v):
        seen.append(v)
        return v * len(seen)

    return max((noted(v) for v in (x, y)), key=lambda v: noted(v))


@program("order of evaluation", args=lambda: (0.7, 1.2))
def decorators_from_above_and_then_defaults(x, y):
    seen = []

    def noted(v):
        seen.append(v)
        return v

    def tagged(k):
        noted(k)
        return lambda f: lambda *a: f(*a) * 2 + k

    @tagged(x)
    @tagged(x * 3)
    def scaled(v, k=noted(y)):
        return v * k

    return scaled(x) + sum(v * (i + 1) for i, v in enumerate(seen))


@program("order of evaluation", args=lambda: (0.7, 1.2), refused="may")
def except_clauses_behind_the_one_that_fits(x, y):
    asked = [0]

    def kind(e):
        asked[0] += 1
        return e

    try:
        raise ValueError
    except kind(ValueError):
        r = x
    except kind(KeyError):
        r = y
    return r * asked[0]
