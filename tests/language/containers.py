"""Tuples, lists and dicts: as arguments, locals and results."""

import bisect
import collections
import heapq
import math
import operator
import random

import numpy as np

from tests.language.corpus import normal, program, uniform


@program("local lists", args=lambda: (0.7, 5))
def trajectory(x, n):
    path = []
    for _ in range(n):
        x = x + 0.1 * math.sin(x)
        path.append(x)
    return path[-1] * path[0] + path[2]


@program("local lists", args=lambda: (1.2,))
def stack_machine(x):
    stack = []
    stack.append(x)
    stack.append(x * x)
    b = stack.pop()
    a = stack.pop()
    stack.append(a + b)
    stack.append(a * b)
    return stack.pop() / stack.pop()


@program("local lists", args=lambda: (normal(5),))
def prefix_sums(x):
    sums = [0.0]
    for v in x:
        sums.append(sums[-1] + v)
    out = 0.0
    for s in sums:
        out += s * s
    return out


@program("local lists", args=lambda: (normal(3, 3), normal(3)))
def krylov_vectors(A, v):
    basis = [v]
    for _ in range(3):
        basis.append(A @ basis[-1])
    return sum(np.sum(b * basis[0]) for b in basis)


@program("local lists", args=lambda: (0.4, 6))
def pop_in_loop(x, n):
    stack = []
    for i in range(n):
        stack.append(x**i)
    s = 1.0
    while stack:
        s = s * 0.5 + stack.pop()
    return s


@program("local lists", args=lambda: (0.5, 1.5))
def list_item_overwritten(x, y):
    v = [x, y, x * y]
    v[0] = v[1] * v[2]
    v[-1] += v[0]
    return v[0] * v[1] + v[2]


@program("local lists", args=lambda: (uniform(6),))
def list_by_branches(x):
    small, large = [], []
    for v in x:
        if v < 1.0:
            small.append(v)
        else:
            large.append(v * v)
    return sum(small) * sum(large)


@program("local lists", args=lambda: (0.8, 1.1))
def list_length_steers(x, y):
    todo = [x, y]
    total = 0.0
    while len(todo) > 0:
        v = todo.pop(0)
        total += v * v
        if v > 0.3:
            todo.append(v * 0.4)
    return total


@program("local lists", args=lambda: (normal(4),))
def list_of_lists(x):
    table = [[v * w for w in x] for v in x]
    trace = 0.0
    for i in range(4):
        trace += table[i][i] * table[0][i]
    return trace


@program("local lists", args=lambda: (0.9, 4))
def list_of_pairs(x, n):
    states = [(x, 1.0)]
    for k in range(n):
        p, v = states[-1]
        states.append((p + 0.1 * v, v - 0.1 * math.sin(p)))
    p, v = states.pop()
    return p * p + v * states[1][1]


@program("tuples", args=lambda: ((0.5, 1.5), 2.0))
def tuple_argument(p, c):
    return p[0] * p[1] + c * p[0]


@program("tuples", args=lambda: (0.5, 1.5), second=False)
def tuple_result(x, y):
    return x * y, math.sin(x), 2.0


@program("tuples", args=lambda: (0.5, 1.5))
def tuple_local(x, y):
    t = (x, y, x * y)
    u = t + (t[2] * 2.0,)
    return u[-1] * u[0] + len(u)


@program("tuples", args=lambda: (((0.5, 1.5), (2.0, normal(3))),))
def nested_tuple_argument(p):
    (a, b), (c, v) = p
    return a * b + c * np.sum(v * v)


@program("tuples", args=lambda: (0.5, 1.5, 3))
def tuple_carried_by_loop(x, y, n):
    state = (x, y)
    for _ in range(n):
        state = (state[1], state[0] * state[1] + 0.1)
    return state[0] * state[1]


@program("tuples", args=lambda: (normal(3), normal(3, seed=1)))
def tuple_of_arrays(x, y):
    pair = x * y, x + y
    total = 0.0
    for a in pair:
        total += np.sum(a**2)
    return total


@program("tuples", args=lambda: ((0.2, 0.4, 0.6),))
def tuple_slice(p):
    head, tail = p[:2], p[1:]
    return head[0] * tail[0] + head[1] * tail[1]


@program("tuples", args=lambda: (0.5, 1.5), second=False)
def nested_tuple_result(x, y):
    return (x * y, (x, [y, x - y])), np.array([x, y]) * x


@program("tuples", args=lambda: (1.5, (2.0, "linear", None)))
def tuple_with_other_things(x, options):
    c, kind, extra = options
    if kind == "linear" and extra is None:
        return c * x
    return c * x * x


@program("dicts", args=lambda: ({"a": 0.5, "b": 1.5},))
def dict_argument(p):
    return p["a"] * p["b"] + p["a"] ** 2


@program(
    "dicts",
    args=lambda: ({"W": normal(3, 2), "b": normal(2), "scale": 1.5}, normal(4, 3)),
)
def parameters_in_dict(params, x):
    z = x @ params["W"] + params["b"]
    return params["scale"] * np.mean(np.tanh(z) ** 2)


@program("dicts", args=lambda: (0.5, 1.5))
def dict_local(x, y):
    d = {"sum": x + y, "product": x * y}
    d["ratio"] = d["product"] / d["sum"]
    d["sum"] = d["sum"] * 2.0
    return d["ratio"] * d["sum"] + d["product"]


@program("dicts", args=lambda: (0.5, 1.5), second=False)
def dict_result(x, y):
    return {"value": x * y, "parts": (x, y * y), "name": "product"}


@program("dicts", args=lambda: ({"layer1": {"w": normal(2, 2), "b": 0.1}, "layer2": {"w": normal(2), "b": 0.2}}, normal(2)))
def nested_dict_argument(params, x):
    h = np.tanh(params["layer1"]["w"] @ x + params["layer1"]["b"])
    return h @ params["layer2"]["w"] + params["layer2"]["b"]


@program("dicts", args=lambda: ({"a": 0.5, "b": 1.5, "c": 2.0},))
def dict_items_loop(p):
    s = 0.0
    for name, value in p.items():
        if name == "b":
            s += value**3
        else:
            s += value**2
    return s


@program("dicts", args=lambda: ({"a": 0.5}, 2.0))
def dict_get_with_default(options, x):
    a = options.get("a", 1.0)
    b = options.get("b", 3.0)
    return a * x**b


@program("dicts", args=lambda: ({"x": normal(3), "n": 3, "kind": "square"},))
def dict_with_settings(config):
    x = config["x"]
    if config["kind"] == "square":
        x = x * x
    return np.sum(x) * config["n"]


@program("dicts", args=lambda: (normal(4), 3))
def dict_keyed_by_integers(x, n):
    memo = {0: x[0], 1: x[1]}
    for k in range(2, n + 2):
        memo[k] = memo[k - 1] * 0.5 + memo[k - 2] ** 2
    return memo[n + 1] * x[2]


@program("dicts", args=lambda: ({"w": normal(3), "v": normal(3, seed=1)},))
def dict_values_and_keys(params):
    total = 0.0
    for v in params.values():
        total += np.sum(v * v)
    for k in params:
        total += params[k][0]
    return total * len(params)


@program("dicts", args=lambda: ({"pos": [0.1, 0.9], "mass": (1.0, 2.0)},))
def dict_of_lists(system):
    (a, b), (m, n) = system["pos"], system["mass"]
    return m * n / (b - a) ** 2


@program("list arguments", args=lambda: ([0.2, 0.4, 0.8], 1.5))
def list_argument(c, x):
    return c[0] + c[1] * x + c[2] * x * x


@program("list arguments", args=lambda: ([normal(2), normal(3)],))
def list_of_arrays_argument(parts):
    return sum(np.sum(p * p) for p in parts)


@program("list arguments", args=lambda: ([0.2, 0.4, 0.8],))
def list_argument_overwritten(c):
    c[0] = c[1] * c[2]
    c[2] *= 3.0
    return c[0] + c[2] ** 2


@program("list arguments", args=lambda: ([0.2, 0.4, 0.8],))
def list_argument_appended(c):
    c.append(c[0] * c[1])
    return sum(c) * c[-1]


@program("list arguments", args=lambda: ([0.5, 0.1, 0.8],))
def list_to_array(c):
    v = np.array(c)
    return v @ v * v[0]


@program("list arguments", args=lambda: ([0.5, 0.1, 0.8],))
def list_sum_and_max(c):
    return sum(c) * max(c) - min(c)


@program("list arguments", args=lambda: ([[0.5, 0.1], [0.8, 1.1]],))
def list_of_lists_argument(m):
    return m[0][0] * m[1][1] - m[0][1] * m[1][0]


@program("list arguments", args=lambda: ([0.5, 0.1, 0.8], 2.0))
def list_slices_and_concatenation(c, x):
    d = c[1:] + [x] + c[:1]
    return d[0] * d[1] + d[2] * d[3]


def _mixture():
    return [0.3, 0.7], [[1.0, 0.15], [0.8, 1.0]]


@program("local lists", args=_mixture)
def list_of_lists_by_rows_and_by_columns(xs, params):
    cmps = range(len(xs))
    sums = []
    for j in cmps:
        row = params[j]
        total = 0.0
        for k in cmps:
            total += row[k] * xs[k]
        sums.append(total)
    out = 0.0
    for i in cmps:
        for j in cmps:
            out += params[j][i] * xs[j] / sums[j]
    return out


@program("local lists", args=_mixture)
def list_of_lists_in_nested_comprehensions(xs, taus):
    cmps = range(len(xs))
    v = [x * x for x in xs]
    s = [sum([v[j] * taus[j][i] for j in cmps]) for i in cmps]
    w = [v[j] / s[j] for j in cmps]
    return sum([sum([taus[i][j] * w[j] for j in cmps]) ** 2 for i in cmps])


@program("local lists,while", args=_mixture)
def triangle_of_a_list_of_lists(zs, k):
    n = len(zs)
    rows = [0.0] * n
    i = 0
    while i < n:
        row = k[i]
        j = 0
        while j < i:
            rows[j] += row[j] * zs[i]
            rows[i] += row[j] * zs[j]
            j += 1
        i += 1
    for i in range(n):
        rows[i] += k[i][i] * zs[i]
    return sum(r * z for r, z in zip(rows, zs))


@program("local lists", args=_mixture, refused="may")
def list_that_grows_beside_a_list_of_lists(xs, rows):
    xs.append(xs[0] * xs[1])
    total = 0.0
    for k in range(len(xs) - 1):
        for j in range(len(rows[k])):
            total += rows[k][j] * xs[k + 1] * xs[j]
    return total


@program("local lists", args=lambda: (_mixture(),), refused="may")
def list_in_a_tuple_that_grows_beside_a_list_of_lists(p):
    xs, rows = p
    xs.append(xs[0])
    total = 0.0
    for k in range(len(xs) - 1):
        for j in range(len(rows[k])):
            total += rows[k][j] * xs[j]
    return total


# --- changed in place under one of several names, and by functions of the library


@program("containers in place", args=lambda: (2.0, 3.0))
def dict_updated_by_an_operator(x, y):
    a = {"k": x}
    c = a
    a |= {"k": x * y}
    return c["k"] * a["k"]


@program("containers in place", args=lambda: (2.0, 3.0))
def list_repeated_in_place(x, y):
    a = [x, y]
    c = a
    a *= 2
    return sum(c) * a[0]


@program("containers in place", args=lambda: (2.0,), refused="may")
def set_with_two_names(x):
    s = {1, 2}
    t = s
    s |= {3}
    return len(t) * x


@program("containers in place", args=lambda: (1.3,))
def heap_of_constants(x):
    heap = [3.0, 1.0, 2.0]
    heapq.heapify(heap)
    first = heapq.heappop(heap)
    return first * x + heap[0] * x * x + len(heap)


@program("containers in place", args=lambda: (1.3,))
def inserted_in_order(x):
    marks = [1.0, 2.0, 4.0]
    bisect.insort(marks, 3.0)
    return marks[2] * x + len(marks)


@program("containers in place", args=lambda: (1.3,))
def shuffled_list(x):
    marks = [1.0, 1.0, 1.0, 2.0]
    random.seed(3)
    random.shuffle(marks)
    return (marks[0] + 2 * marks[1] + 3 * marks[2] + 4 * marks[3]) * x


@program("containers in place", args=lambda: (1.3,))
def item_deleted_by_a_function(x):
    items = [1.0, 2.0]
    operator.delitem(items, 0)
    return sum(items) * x * len(items)


@program("containers in place", args=lambda: (1.3,))
def item_set_by_a_function(x):
    d = {"a": 1.0, "b": 2.0}
    operator.setitem(d, "a", 5.0)
    operator.setitem(d, "b", x)
    return d["a"] * d["b"] * x


@program("containers in place", args=lambda: (1.3,), refused="may")
def item_put_into_another_container(x):
    c = collections.Counter(a=2)
    c["a"] *= x
    return c["a"] * x
