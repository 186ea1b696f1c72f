"""Data: comprehensions, functional tools, namedtuples, dataclasses, lists and dicts in full."""

import functools
import itertools
import math
from collections import OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from tests.language.corpus import normal, program, uniform

Point = namedtuple("Point", "x y")


class Material(NamedTuple):
    density: float
    modulus: float
    name: str = "steel"


@dataclass
class Beam:
    length: float
    load: float
    width: float = 0.1
    height: float = 0.2

    @property
    def inertia(self):
        return self.width * self.height**3 / 12.0


@dataclass(frozen=True)
class Layer:
    W: np.ndarray
    b: np.ndarray
    name: str = "dense"


@dataclass
class Network:
    layers: list
    scale: float = 1.0
    history: list = field(default_factory=list)


@program("list comprehensions", args=lambda: (normal(5),))
def squares(x):
    return sum([v * v for v in x])


@program("list comprehensions", args=lambda: (normal(6), 0.5))
def filtered(x, c):
    kept = [c * v for v in x if v > 0]
    return sum(kept) * kept[0]


@program("list comprehensions", args=lambda: (0.4, 5))
def powers_to_array(x, n):
    p = np.array([x**k for k in range(n)])
    return p @ p


@program("list comprehensions", args=lambda: (normal(3, 3),))
def nested_comprehension(A):
    table = [[A[i, j] * A[j, i] for j in range(3)] for i in range(3)]
    return np.sum(np.array(table) ** 2)


@program("list comprehensions", args=lambda: (uniform(4), uniform(3, seed=1)))
def two_loops_in_one(x, y):
    terms = [a * math.exp(-b) for a in x for b in y if a > b]
    return sum(terms)


@program("list comprehensions", args=lambda: ([normal(2), normal(3)], 2.0))
def comprehension_of_arrays(parts, c):
    scaled = [c * p for p in parts]
    return np.sum(np.concatenate(scaled) ** 3)


@program("list comprehensions", args=lambda: (normal(4), normal(4, seed=1)))
def comprehension_with_ternary(x, y):
    z = [a if a > b else b * b for a, b in zip(x, y)]
    return z[0] * z[1] + z[2] * z[3]


@program("list comprehensions", args=lambda: (0.3, 4))
def comprehension_calls_closure(w, n):
    def basis(k, t):
        return math.sin((k + 1) * w * t)

    grid = [0.1 * i for i in range(n)]
    rows = [[basis(k, t) for k in range(3)] for t in grid]
    return sum(r[0] * r[2] for r in rows)


@program("list comprehensions", args=lambda: (normal(5),))
def comprehension_scope(x):
    v = 2.0
    doubled = [v * v for v in x]
    return sum(doubled) * v


@program("dict and set comprehensions", args=lambda: ({"a": 0.5, "b": 1.5},))
def dict_comprehension(p):
    q = {k: v * v for k, v in p.items()}
    return q["a"] * q["b"]


@program("dict and set comprehensions", args=lambda: (uniform(3),))
def dict_from_enumerate(x):
    d = {i: math.log(v) for i, v in enumerate(x)}
    return d[0] * d[2] + sum(d.values())


@program("dict and set comprehensions", args=lambda: ({"a": 0.5, "b": 1.5, "skip": 3.0},))
def filtered_dict(p):
    q = {name: 2.0 * v for name, v in p.items() if name != "skip"}
    return sum(q.values()) ** 2 * len(q)


@program("dict and set comprehensions", args=lambda: ({"W": normal(2, 2), "b": normal(2)}, {"W": normal(2, 2, seed=1), "b": normal(2, seed=1)}))
def gradient_step_on_dicts(p, g):
    new = {k: p[k] - 0.1 * g[k] ** 2 for k in p}
    return np.sum(new["W"] @ new["b"])


@program("dict and set comprehensions", args=lambda: (0.5,))
def dict_of_functions_of_x(x):
    table = {name: f(x) for name, f in [("s", math.sin), ("c", math.cos)]}
    return table["s"] ** 2 * table["c"]


@program("dict and set comprehensions", args=lambda: (0.7, [3, 1, 3, 2]))
def set_of_exponents(x, ks):
    exponents = {k for k in ks if k != 2}
    return sum(x**k for k in sorted(exponents))


@program("dict and set comprehensions", args=lambda: (uniform(4),))
def dict_by_zip(x):
    d = dict(zip("abcd", x))
    e = {k: d[k] * d["a"] for k in "bcd"}
    return sum(e[k] for k in e)


@program("dict and set comprehensions", args=lambda: (uniform(2, 2),))
def nested_dict_comprehension(A):
    d = {i: {j: A[i, j] ** (i + 1) for j in range(2)} for i in range(2)}
    return d[0][1] * d[1][0]


@program("generator expressions", args=lambda: (normal(5), normal(5, seed=1)))
def sum_of_products(x, y):
    return sum(a * b for a, b in zip(x, y)) ** 2


@program("generator expressions", args=lambda: (uniform(5),))
def max_and_min_of_generator(x):
    return max(v * v for v in x) * min(math.exp(-v) for v in x)


@program("generator expressions", args=lambda: (normal(3), 4))
def sum_of_arrays(x, n):
    return np.sum(sum(x * k for k in range(n)) ** 2)


@program("generator expressions", args=lambda: (uniform(4),))
def tuple_and_list_of_generator(x):
    t = tuple(v * v for v in x)
    u = list(v + 1 for v in t)
    return t[0] * u[1] * u[3]


@program("generator expressions", args=lambda: (uniform(4),))
def math_tools_over_generators(x):
    return math.prod(1 + v for v in x) + math.fsum(v * v for v in x)


@program("generator expressions", args=lambda: (uniform(5), 1.0))
def any_all_over_generators(x, limit):
    if any(v > limit for v in x) and all(v > 0 for v in x):
        return sum(v for v in x if v > limit) * limit
    return 0.0


@program("generator expressions", args=lambda: (normal(3, 3),))
def nested_generators(A):
    return sum(sum(A[i, j] * (i - j) for j in range(3)) ** 2 for i in range(3))


@program("generator expressions", args=lambda: ({"a": 0.5, "b": 1.5},))
def generator_over_dict(p):
    norm = math.sqrt(sum(v * v for v in p.values()))
    return sum(v / norm * len(k) for k, v in p.items())


@program("map filter reduce", args=lambda: (uniform(4),))
def map_function(x):
    return sum(map(math.log, x)) * sum(map(lambda v: v * v, x))


@program("map filter reduce", args=lambda: (uniform(4), uniform(4, seed=1)))
def map_of_two(x, y):
    z = list(map(lambda a, b: a**b, x, y))
    return z[0] * z[-1]


@program("map filter reduce", args=lambda: (normal(6),))
def filter_positive(x):
    kept = list(filter(lambda v: v > 0, x))
    return sum(v * v for v in kept) / len(kept)


@program("map filter reduce", args=lambda: (uniform(5),))
def reduce_product(x):
    return functools.reduce(lambda a, b: a * b, x)


@program("map filter reduce", args=lambda: ([0.5, 0.1, 0.7], 0.3))
def reduce_horner(c, x):
    return functools.reduce(lambda p, a: p * x + a, c, 1.0)


@program("map filter reduce", args=lambda: ([normal(2, 2), normal(2, 2, seed=1), normal(2, 2, seed=2)],))
def reduce_matrix_chain(ms):
    return np.sum(functools.reduce(np.matmul, ms) ** 2)


@program("map filter reduce", args=lambda: (normal(3, 2),))
def map_over_rows(A):
    norms = [*map(np.linalg.norm, A)]
    return norms[0] * norms[1] + norms[2]


@program("map filter reduce", args=lambda: ((0.5, 1.5, 2.5),))
def map_unpacked(p):
    a, b, c = map(math.sqrt, p)
    return a * b * c**2


@program("itertools", args=lambda: (normal(5),))
def accumulate(x):
    return sum(s * s for s in itertools.accumulate(x))


@program("itertools", args=lambda: (uniform(4), uniform(3)))
def chain(x, y):
    total = 1.0
    for v in itertools.chain(x, y):
        total = total * v + 0.1
    return total


@program("itertools", args=lambda: (uniform(2), uniform(3)))
def product_of_two(x, y):
    return sum(a**b for a, b in itertools.product(x, y))


@program("itertools", args=lambda: (normal(5),))
def pairwise(x):
    return sum((b - a) ** 2 * a for a, b in itertools.pairwise(x))


@program("itertools", args=lambda: (uniform(4),), second=False)
def products_of_all_but_one(x):
    n = len(x)
    total = 0.0
    for places in itertools.combinations(list(range(n)), n - 1):
        product = 1.0
        for place in places:
            product *= x[place]
        total += product
    return total


@program("itertools", args=lambda: (uniform(4), 3), second=False)
def groups_of_a_number_of_items(x, k):
    total = 0.0
    for group in itertools.combinations(x, k):
        total += math.prod(group) * len(group)
    for group in itertools.permutations(x[:3], k - 1):
        total += group[0] * group[-1] ** 2
    return total


@program("itertools", args=lambda: ([0.5, 1.5, 2.0],))
def groups_with_repetition(x):
    total = 0.0
    for a, b, c in itertools.combinations_with_replacement(x, len(x)):
        total += a * b / c
    return total


@program("itertools", args=lambda: (normal(4, 2),))
def combinations(points):
    e = 0.0
    for p, q in itertools.combinations(points, 2):
        e += 1.0 / (1.0 + (p - q) @ (p - q))
    return e


@program("itertools", args=lambda: (0.4,))
def count_and_islice(x):
    s = 0.0
    for k in itertools.islice(itertools.count(1), 5):
        s += x**k / k
    return s


@program("itertools", args=lambda: (uniform(5), (2.0, 0.5)))
def cycle_and_zip_longest(x, w):
    s = sum(a * b for a, b in zip(x, itertools.cycle(w)))
    for a, b in itertools.zip_longest(x, w, fillvalue=1.0):
        s += a * b * b
    return s


@program("itertools", args=lambda: (uniform(6),))
def takewhile_and_repeat(x):
    s = 0.0
    for v in itertools.takewhile(lambda v: v > 0.3, x):
        s += v * v
    for c in itertools.repeat(0.5, 3):
        s = s * c + x[0]
    return s


@program("itertools", args=lambda: (uniform(5),))
def accumulate_with_function(x):
    products = list(itertools.accumulate(x, lambda a, b: a * b + 1.0))
    return products[-1] * products[1]


@program("sorted and sums", args=lambda: (normal(5),))
def sorted_values(x):
    s = sorted(x)
    return s[0] * s[-1] + s[2] ** 2


@program("sorted and sums", args=lambda: ([(2.0, 0.5), (1.0, 1.5), (3.0, 0.1)],))
def sorted_by_key(pairs):
    total = 0.0
    for k, (a, b) in enumerate(sorted(pairs, key=lambda p: p[1])):
        total += (k + 1) * a * b
    return total


@program("sorted and sums", args=lambda: (normal(5),))
def sorted_reverse_by_abs(x):
    s = sorted(x, key=abs, reverse=True)
    return sum(v**2 / (i + 1) for i, v in enumerate(s))


@program("sorted and sums", args=lambda: ({"b": 0.5, "a": 1.5, "c": 0.2},))
def sorted_dict_items(p):
    s = 0.0
    for k, (name, v) in enumerate(sorted(p.items())):
        s += v ** (k + 1)
    best = max(p, key=lambda name: p[name])
    return s * p[best]


@program("sorted and sums", args=lambda: ([normal(3), normal(3, seed=1), normal(3, seed=2)],))
def sum_over_arrays(parts):
    total = sum(parts)
    shifted = sum(parts, np.ones(3))
    return total @ shifted


@program("sorted and sums", args=lambda: (uniform(5),))
def min_and_max_with_key(x):
    closest = min(x, key=lambda v: abs(v - 1.0))
    largest = max(list(x) + [0.1])
    return closest**2 * largest


@program("sorted and sums", args=lambda: (normal(5), normal(5, seed=1)))
def order_by_other(x, y):
    order = sorted(range(5), key=lambda i: y[i])
    return sum(x[i] * k for k, i in enumerate(order)) ** 2


@program("sorted and sums", args=lambda: (0.5, 1.5))
def list_sort_in_place(x, y):
    v = [x * y, x, y * y]
    v.sort()
    v.reverse()
    return v[0] * 2.0 + v[1] * v[2]


@program("arrays of computed parts", args=lambda: (0.5, 1.5))
def array_of_expressions(x, y):
    v = np.array([x * y, x + y, 1.0])
    return v @ v


@program("arrays of computed parts", args=lambda: (0.4,))
def rotation_matrix(t):
    R = np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]])
    return (R @ np.array([1.0, 2.0])) @ np.array([t, 3.0])


@program("arrays of computed parts", args=lambda: (normal(3), normal(3, seed=1)))
def stack_rows(x, y):
    A = np.stack([x, y, x * y])
    return np.linalg.det(A + np.eye(3))


@program("arrays of computed parts", args=lambda: (normal(3), 2.0))
def concatenate_parts(x, c):
    v = np.concatenate([x, [c, c * x[0]], np.zeros(1), (x * c)[1:]])
    return np.sum(v[1:] * v[:-1])


@program("arrays of computed parts", args=lambda: (normal(2), normal(2, seed=1)))
def vstack_hstack(x, y):
    return np.sum(np.vstack((x, y)) @ np.hstack([x, y]).reshape(2, 2)) + np.sum(np.column_stack((x, y)) ** 2)


@program("arrays of computed parts", args=lambda: (0.3, 1.2))
def list_of_lists_to_array(a, b):
    rows = []
    for i in range(3):
        rows.append([a * i, b**i])
    M = np.array(rows)
    return np.sum(M.T @ M)


@program("arrays of computed parts", args=lambda: (normal(4), 3))
def stacked_history(x, n):
    states = [x]
    for _ in range(n):
        states.append(np.sin(states[-1]) + 0.1)
    H = np.array(states)
    return np.mean(H[-1] * H[0]) + np.sum(H[:, 1])


@program("arrays of computed parts", args=lambda: (normal(2, 2), normal(2, 2, seed=1)))
def block_matrix(A, B):
    M = np.block([[A, np.zeros((2, 2))], [A @ B, B]])
    return np.sum(M @ M)


@program("namedtuples", args=lambda: (Point(0.5, 1.5),))
def namedtuple_argument(p):
    return p.x * p.y + p[0] ** 2


@program("namedtuples", args=lambda: (0.5, 1.5), second=False)
def namedtuple_result(a, b):
    return Point(a * b, y=a - b)


@program("namedtuples", args=lambda: (Point(0.5, 1.5), Point(normal(2), 2.0)))
def namedtuples_nested(p, q):
    mid = Point(x=p.x + q.y, y=np.sum(q.x) * p.y)
    return mid.x * mid.y


@program("namedtuples", args=lambda: (Material(7.8, 2.1),))
def typed_namedtuple(m):
    return math.sqrt(m.modulus / m.density) * len(m.name)


@program("namedtuples", args=lambda: (Point(0.5, 1.5),))
def replace_field(p):
    q = p._replace(x=p.y * 2.0)
    return q.x * p.x + q.y


@program("namedtuples", args=lambda: (Point(0.5, 1.5), 3))
def namedtuple_carried(p, n):
    for _ in range(n):
        p = Point(p.x + 0.1 * p.y, p.y - 0.1 * math.sin(p.x))
    return p.x * p.y


@program("namedtuples", args=lambda: ([Point(0.1, 0.2), Point(1.0, 0.5), Point(0.3, 1.2)],))
def polygon_area(points):
    area = 0.0
    for p, q in zip(points, points[1:] + points[:1]):
        area += p.x * q.y - q.x * p.y
    return (0.5 * area) ** 2


@program("namedtuples", args=lambda: (Point(0.5, 1.5),))
def namedtuple_unpacked_and_compared(p):
    x, y = p
    if p == Point(0.0, 0.0):
        return x
    return sum(p) * x / y + p._asdict()["y"]


@program("dataclasses", args=lambda: (Beam(2.0, 500.0),))
def beam_deflection(beam):
    E = 2.1e5
    return beam.load * beam.length**3 / (48.0 * E * beam.inertia)


@program("dataclasses", args=lambda: (Layer(normal(3, 2), normal(2)), normal(4, 3)))
def frozen_dataclass(layer, x):
    return np.sum(np.tanh(x @ layer.W + layer.b))


@program("dataclasses", args=lambda: (Network([Layer(normal(2, 3), normal(3)), Layer(normal(3, 1), normal(1))], 1.5), normal(4, 2)))
def nested_dataclasses(net, x):
    for layer in net.layers:
        x = np.tanh(x @ layer.W + layer.b)
    return net.scale * np.sum(x**2)


@program("dataclasses", args=lambda: (0.5, 1.5))
def dataclass_built_inside(x, y):
    b = Beam(x, y, height=x * y)
    b.load = b.load * 2.0
    return b.length * b.load * b.height + b.width * x


@program("dataclasses", args=lambda: (0.5, 1.5), second=False)
def dataclass_result(x, y):
    return Beam(length=x * y, load=x, width=2.0)


@program("dataclasses", args=lambda: (Beam(2.0, 5.0),))
def dataclass_replaced(beam):
    long = replace(beam, length=beam.length * 2.0, load=beam.width)
    return long.length * long.load * beam.load


@program("dataclasses", args=lambda: (Beam(2.0, 5.0), 3))
def dataclass_attribute_updated_in_loop(beam, n):
    for _ in range(n):
        beam.load *= 1.1
        beam.length += 0.1 * beam.load
    return beam.length


@program("dataclasses", args=lambda: ([Beam(2.0, 5.0), Beam(1.0, 0.5, 0.3)],))
def list_of_dataclasses(beams):
    return sum(b.load * b.inertia for b in beams) * max(b.length for b in beams)


@program("list operations", args=lambda: (0.5, 1.5))
def extend_insert_pop(x, y):
    v = [x]
    v.extend([y, x * y])
    v.insert(1, 2.0 * x)
    last = v.pop()
    first = v.pop(0)
    return last * first + v[0] * v[1]


@program("list operations", args=lambda: (0.5, 1.5))
def plus_times_and_slices(x, y):
    v = [x] * 2 + [y, x * y]
    w = v[::2] + v[-2:]
    v += [w[1]]
    return w[0] * w[2] + v[-1] ** 2


@program("list operations", args=lambda: (0.5, 1.5))
def slice_assignment(x, y):
    v = [0.0] * 4
    v[1:3] = [x, y]
    v[3:] = [x * y, x]
    return sum(a * b for a, b in zip(v, v[1:]))


@program("list operations", args=lambda: (0.5, 1.5))
def starred_literals(x, y):
    v = [x, y]
    w = [*v, x * y, *reversed(v)]
    t = (*w, 1.0)
    return t[0] * t[2] + t[4] ** 2


@program("list operations", args=lambda: (0.5, 1.5))
def list_copied_and_aliased(x, y):
    v = [x, y]
    same, other = v, v[:]
    same[0] = x * y
    other[1] = 3.0
    return v[0] * v[1] + other[0] * other[1]


@program("list operations", args=lambda: (0.5, 1.5))
def index_count_and_strings(x, y):
    names = ["a", "b", "c"]
    v = [x, y, x * y]
    k = names.index("c")
    return v[k] ** 2 * names.count("a") + v[names.index("b")]


@program("list operations", args=lambda: (0.7, 4))
def deque_window(x, n):
    window = deque([x, x * x], maxlen=2)
    for _ in range(n):
        window.append(window[0] + 0.5 * window[1])
    return window[0] * window[-1]


@program("list operations", args=lambda: (normal(3),))
def nested_list_updated(x):
    grid = [[0.0, 0.0] for _ in range(3)]
    for i in range(3):
        grid[i][0] = x[i]
        grid[i][1] += grid[i - 1][0] * x[i]
    return sum(a * b for a, b in grid)


@program("dict operations", args=lambda: (0.5, 1.5))
def update_and_merge(x, y):
    d = {"a": x}
    d.update(b=y, c=x * y)
    d.update({"a": d["b"] * 2})
    e = {**d, "z": d["a"]} | {"b": 1.0}
    return e["z"] * e["c"] + e["b"]


@program("dict operations", args=lambda: (0.5, 1.5))
def setdefault_and_pop(x, y):
    d = {}
    d.setdefault("a", x)
    d.setdefault("a", y)
    v = d.pop("a") * d.pop("none", y)
    return v * v + len(d)


@program("dict operations", args=lambda: (uniform(5), ["a", "b", "a", "c", "b"]))
def group_sums(x, labels):
    sums = {}
    for v, k in zip(x, labels):
        sums[k] = sums.get(k, 0.0) + v
    return sum(s**2 for s in sums.values())


@program("dict operations", args=lambda: (uniform(5), ["a", "b", "a", "c", "b"]))
def defaultdict_groups(x, labels):
    groups = defaultdict(list)
    for v, k in zip(x, labels):
        groups[k].append(v)
    return math.prod(sum(g) for g in groups.values())


@program("dict operations", args=lambda: ({"w": normal(2), "b": 0.5}, 0.1))
def parameters_updated_in_dict(p, rate):
    g = {"w": p["w"] ** 2, "b": math.sin(p["b"])}
    for k in p:
        p[k] = p[k] - rate * g[k]
    return np.sum(p["w"]) * p["b"]


@program("dict operations", args=lambda: (0.5, 1.5))
def tuple_keys(x, y):
    d = {(0, 0): x, (0, 1): y}
    d[1, 0] = d[0, 0] * d[0, 1]
    d[1, 1] = d[1, 0] ** 2
    return sum(v * (i + 2 * j) for (i, j), v in d.items())


@program("dict operations", args=lambda: (0.5, 1.5), second=False)
def dict_result_with_nested(x, y):
    out = OrderedDict(total=x + y)
    out["parts"] = [x * y, {"deep": x}]
    return dict(out)


@program("dict operations", args=lambda: ({"x": {"mean": 0.5, "sd": 1.2}}, 0.9))
def nested_update(p, v):
    p["x"]["mean"] = p["x"]["mean"] * v
    p["x"]["z"] = (v - p["x"]["mean"]) / p["x"]["sd"]
    return p["x"]["z"] ** 2


# --- lists of numbers where NumPy takes an array


@program("lists as arrays", args=lambda: (normal(3),))
def list_times_array(x):
    w = [0.7, 1.9, 2.5]
    return np.sum(x * w) + np.sum((w * x) ** 2) + np.sum(w - x * (1, 2, 3))


@program("lists as arrays", args=lambda: (normal(3),))
def products_with_lists(x):
    w = [0.7, 1.9, 2.5]
    A = [[2.0, 1.0, 0.0], [1.0, 3.0, 0.5]]
    return np.dot(x, w) + np.dot(w, x * x) + np.sum(np.dot(A, x) ** 2) + np.sum(A @ x) * (x @ w)


@program("lists as arrays", args=lambda: (normal(3),))
def outer_products_with_lists(x):
    w = [0.7, 1.9, 2.5]
    return np.sum(np.sin(np.outer(x, w))) + np.sum(np.kron(w, x) ** 2) + np.sum(np.kron(x, 2.0) ** 3)


@program("lists as arrays", args=lambda: (normal(3),))
def joined_with_lists(x):
    w = [0.7, 1.9, 2.5]
    y = np.append(x, w)
    z = np.concatenate([w, x])
    u = np.hstack([w, x])
    return np.sum(y**2 * z) + np.sum(np.sin(u) * y)


@program("lists as arrays", args=lambda: (normal(3),))
def filtered_by_lists(x):
    y = np.convolve(x, [1, 2, 1]) + np.correlate(x, [1.0, 0.5, 0.25], "full")
    return np.sum(y**2) + np.average(x, weights=[1, 2, 3]) ** 2


@program("lists as arrays", args=lambda: (normal(3),))
def chosen_by_a_list(x):
    y = np.choose([1, 0, 1], [x, 2.0 * x])
    z = np.where([True, False, True], x, [0.5, 0.2, 0.1])
    return np.sum(y**2) + np.sum(z**3)


@program("lists as arrays", args=lambda: (normal(3),))
def solved_for_a_list(x):
    A = np.diag(x) + 5.0 * np.eye(3)
    return np.sum(np.linalg.solve(A, [1.0, 2.0, 3.0]) ** 2) + np.sum(np.linalg.solve([[2.0, 1.0], [1.0, 3.0]], x[:2]))


@program("lists as arrays", args=lambda: (normal(3),))
def matrices_of_numbers(x):
    return np.linalg.det([[x[0], 1.0], [2.0, x[1]]]) + np.sum(np.linalg.inv([[x[0] + 9.0, 1.0], [2.0, x[1] + 9.0]]))


@program("lists as arrays", args=lambda: (normal(3),))
def inserted_lists(x):
    y = np.insert(x, 1, [0.7, 1.9])
    z = np.insert(x, [2, 0], x[:2])
    w = np.insert(x, slice(0, 2), x[1:])
    return np.sum(y[:3] ** 2 * z[:3]) + np.sum(z**3) + np.sum(w**2 * z)


@program("lists as arrays", args=lambda: (normal(3),))
def largest_of_a_list_of_arrays(x):
    return np.sum(np.max([x, [0.7, -1.9, 0.5]], axis=0) ** 2) + np.sum(np.sum([x, [1.0, 2.0, 3.0]], axis=0) ** 2)


@program("lists as arrays", args=lambda: (normal(2),))
def array_added_to_a_list(x):
    items = [1.0, x[0]]
    items += x * 2.0  # NumPy adds: the name holds an array from here on
    return sum(v**2 for v in items) + np.sum([x[1], 2.0] * x)


@program("lists as arrays", args=lambda: (normal(4),))
def grown_list_meets_an_array(x):
    squares = []
    for v in x:
        squares.append(v * v)
    return np.sum(squares * x) + np.sum((squares + x) ** 3)


@program("lists as arrays", args=lambda: (normal(3),))
def matrix_of_lists(x):
    A = [[1.0, x[0]], [x[1], 2.0]]
    return np.sum(A @ x[:2]) + np.sum(np.dot(A, A)) + np.linalg.norm(A) + np.trace(A)


@program("lists as arrays", args=lambda: (normal(3), 2))
def list_of_active_items_repeated(x, n):
    items = [x[0], x[1] ** 2] * n
    ones = [1.0] * n
    return sum(items) + x[2] + sum(ones) * x[0]


@program("lists as arrays", args=lambda: (normal(3), 2))
def tuples_of_active_items_repeated(x, n):
    total = x[0]
    for v in (x[0], x[1] ** 2) * n:
        total = total + v * v
    return total * sum(n * (x[2],)) + len((x[1], *(x[0],) * n))


@program("lists as arrays", args=lambda: (normal(6),))
def lists_added_in_place(x):
    y = x * 1.0
    y += [1.0, 2, 3, 4, 5, 6]
    y *= (1, 2, 3, 4, 5, 6)
    y -= [x[0]] * 6
    return np.sum(y**2)


TABLE = {"first": 1.5, "second": 2.0, "third": -0.5}
LAYERS = {k: {"base": 10.0 * k, "slope": 0.1 * k} for k in range(1, 5)}


class Constants:
    LAYERS = LAYERS


@program("module constants, dicts", args=lambda: (0.7,))
def items_of_a_module_dict(x):
    total = 0.0
    for name, weight in TABLE.items():
        total += weight * x ** len(name)
    for weight in TABLE.values():
        total += np.sin(weight * x)
    return total


@program("module constants, dicts", args=lambda: (np.array([12.0, 27.0, 41.0]),))
def layers_of_a_class(h):
    layers = Constants.LAYERS
    base, slope = np.zeros_like(h), np.zeros_like(h)
    for i in layers.keys():
        inside = (h >= layers[i]["base"]) & (h < layers[i]["base"] + 10.0)
        base += inside * layers[i]["base"]
    for _, layer in Constants.LAYERS.items():
        slope += (h >= layer["base"]) * layer["slope"]
    return np.sum(slope * (h - base) ** 2)


class Term:
    def __init__(self, weight, powers):
        self.weight, self.powers = weight, powers


TERMS = [Term(1.0 / k, {0: k, 2: 1}) for k in range(1, 5)]


@program("module constants, methods and attributes", args=lambda: (0.7,))
def dicts_of_the_objects_of_a_table(x):
    values = [x, None, x * x]
    total = 0.0
    for term in TERMS:
        product = 1.0
        for which, power in term.powers.items():
            if power != 0:
                product *= values[which] ** power
        total += term.weight * product
    return total


@program("sorted and sums", args=lambda: (np.array([0.7, 1.1, 0.4]), {"a": 2.0}))
def largest_of_one(x, table):
    pairs = [(x[0] + x[1], (x, x[1]))]
    high = max(a + u[0] for a, (u, _) in pairs)
    low = min([x[2] * high], default=1.0)
    return high * low + max(table.values()) ** 2 + max(a * b for a, b in zip([x[0]], [x[1]], strict=True))
