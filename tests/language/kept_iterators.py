"""Iterators that stand in containers, objects, parameters and closures: they give each item once there, too."""

import itertools
import math
import queue
import types
from dataclasses import dataclass

import numpy as np

from tests.language.corpus import program


def pair():
    return 0.7, 1.2


class Loader:
    def __init__(self, data):
        self.it = iter(data)
        self.pairs = zip(data, data[1:])

    def draw(self):
        return next(self.it)


def first_and_rest(it):
    return next(it), it


@program("iterators", args=pair)
def in_an_attribute(x, y):
    loader = Loader([x, y, 2.0])
    a, b = next(loader.pairs), next(loader.pairs)
    return loader.draw() + 3 * loader.draw() * loader.draw() + a[0] * b[1]


@program("iterators", args=pair)
def one_iterator_in_two_places(x, y):
    grouped = sum(a - b for a, b in zip(*[iter([x, y, 2.0, x])] * 2))
    one, other = (iter([x, y, 3.0]),) * 2
    return grouped + next(one) * 5 + next(other) * 7


@program("iterators", args=pair)
def in_a_closure_or_a_default(x, y):
    draw = (lambda it: lambda: next(it))(iter([x, y]))

    def another(it=iter([y, x, 3.0])):
        return next(it)

    return draw() + 3 * draw() + 5 * another() + 7 * another()


@program("iterators", args=pair)
def in_a_dict_and_a_list(x, y):
    sources = {"a": iter([x, y, x * y]), "b": map(np.sin, [y, x])}
    stack = [iter([x, 2.0])]
    stack.append(iter([y, 3.0]))
    total = next(stack[-1]) + next(stack[0]) * next(stack[-1])
    total = total + next(sources["a"]) * next(sources["b"])
    return total * 2 + next(sources["a"]) * next(sources["b"])


@program("iterators", args=pair, refused="may")
def in_a_dict_and_asked_in_a_loop(x, y):
    sources = {"a": iter([x, y, x * y])}
    total = 1.0
    for k in range(2):
        total = total * (k + 1) + next(sources["a"])
    return total


@program("iterators", args=pair, refused="may")
def stack_of_iterators(x, y):
    stack = [iter([x, [y, 2.0], 3.0])]
    total = 0.0
    while stack:
        v = next(stack[-1], None)
        if v is None:
            stack.pop()
        elif isinstance(v, list):
            stack.append(iter(v))
        else:
            total = total * 0.5 + v
    return total


@dataclass
class Source:
    items: object


@program("iterators", args=pair)
def in_what_is_built_of_keywords(x, y):
    d = dict(a=zip([x, y], [y, 2.0]))
    d.update(b=map(np.sin, [x, y]))
    both = dict.fromkeys("cd", zip([x, y], [y, 2.0]))
    space, source = types.SimpleNamespace(z=zip([x, y], [y, 2.0])), Source(reversed([x, y]))
    total = next(d["a"])[0] + 3 * next(d["a"])[0] + 5 * next(d["b"]) + 7 * next(d["b"])
    total = total + next(both["c"])[0] * 2 + next(both["d"])[0] * 3 + next(space.z)[0] + 4 * next(space.z)[1]
    return total + next(source.items) + 6 * next(source.items)


@program("iterators", args=pair, refused="may")
def in_an_object_and_run_through_twice(x, y):
    source, s = Source(zip([x, y], [y, 2.0])), 0.0
    for a, b in source.items:
        s += a * b
    for a, b in source.items:
        s += 5 * a * b
    return s


@program("iterators", args=pair)
def queue_of_numbers(x, y):
    q = queue.SimpleQueue()
    q.put(3)
    return x * y * q.get()


@program("iterators", args=pair)
def given_and_handed_back(x, y):
    v, it = first_and_rest(iter([x, y, 3.0]))
    return v + next(it) * 3 + sum(it)


@program("iterators", args=pair, refused="may")
def asked_for_an_item_that_it_has(x, y):
    it = iter([x, y, 3.0])
    return (y in it) * next(it)


@program("iterators", args=pair, refused="may")
def counter_in_an_object(x, y):
    loader = Loader([x, y])
    loader.count = itertools.count(1)
    return next(loader.count) * x + next(loader.count) * y


@program("iterators", args=lambda: (np.array([0.7, 1.2, 0.4, 0.9]),), refused="may")
def groups_of_a_list_of_the_run(u):
    values = []
    for v in u:
        values.append(v * v)
    return sum(a - 2 * b for a, b in zip(*[iter(values)] * 2))


@program("iterators", args=lambda: (0.7,), refused="may")
def draws_of_a_generator_when_it_is_run_through(x):
    rng = np.random.default_rng(0)
    s = 1.0
    for v in (x * rng.normal() for _ in range(3)):
        s = s * v + rng.normal()
    return s


@program("iterators", args=lambda: (0.7,), refused="may")
def draws_of_a_generator_behind_another_draw(x):
    rng = np.random.default_rng(0)
    noise = (rng.normal() for _ in range(2))
    k = rng.normal()
    return sum(v * x for v in noise) * k


@program("iterators", args=lambda: (0.7,))
def draws_of_a_generator_that_is_used_up_at_once(x):
    rng = np.random.default_rng(0)
    u = np.array(list(x * rng.normal() for _ in range(3)))
    return np.sum(u * u) + max(tuple(x * rng.normal() for _ in range(3)))


@program("iterators", args=pair, refused="may")
def mapped_by_what_changes_the_list(x, y):
    values = [x, y]

    def twice(v):
        values[1] += v
        return v * 2

    return sum(map(twice, values))


@program("iterators", args=pair, refused="may")
def largest_by_what_changes_the_list(x, y):
    values = [x, y]

    def key(v):
        values[1] = values[1] * 2
        return v

    return max(values, key=key)


class Model:
    def __init__(self, w):
        self.w, self.n = w, 0

    def parameters(self):
        self.n += 1
        return {"w": self.w * self.n, "b": self.w}


@program("order of evaluation, dict operations", args=lambda: (0.7,))
def head_of_a_loop_calls_once(x):
    model = Model(x)
    s = 1.0
    for v in model.parameters().values():
        s = s * v
    return s + sum(v * v for k, v in model.parameters().items())


@program("order of evaluation", args=lambda: (np.array([0.7, 1.2, 0.4]),))
def head_of_a_loop_draws_once(x):
    rng = np.random.default_rng(0)
    s = 0.0
    for i in rng.permutation(3).tolist():
        s = s * 0.5 + x[i]
    for word in f"{rng.integers(9)} {rng.integers(9)}".split():
        s = s + x[0] * int(word)
    return s


@program("iterators, sorted and sums", args=lambda: ([0.7, 1.3, 2.1],))
def named_iterators_in_functions_that_look_twice(u):
    squares = (v * v for v in u)
    powers = map(math.exp, u)
    first = next(powers)
    halves = (0.5 * v for v in u)
    doubles = map(lambda v: 2.0 * v, u)
    least = min(halves, key=lambda v: -v)
    return sum(sorted(squares)) * max(powers, default=0.0) * first + least * sorted(doubles, reverse=True)[0]


def run_twice(it):
    return sum(it) + 2.0 * sum(it)


def run_on_one_path(it, often):
    if often:
        return 3.0 * sum(it)
    return max(it)


def parts_and_all(w):
    return map(np.sin, w), zip(w, w[1:])


@program("iterators", args=lambda: (np.array([0.7, 1.2, 0.4]), 0.6))
def run_through_once_each(w, y):
    sines, neighbours = parts_and_all(w)
    total = run_on_one_path(map(np.cos, w), y > 0.0)
    for it in [map(np.exp, w), (v * y for v in [y, 2.0])]:
        total = total + sum(it)
    first, *rest = (p * q for p, q in zip(w, w))
    return total + sum(sines) * sum(a * b for a, b in neighbours) + first * sum(rest) * y


@program("iterators", args=lambda: (np.array([0.7, 1.2, 0.4]), 0.6), refused="may")
def run_through_twice_by_a_function(w, y):
    return run_twice(map(np.sin, w)) * y


@program("iterators", args=lambda: (np.array([0.7, 1.2, 0.4]), 0.6), refused="may")
def run_through_twice_in_a_tuple(w, y):
    both = parts_and_all(w)
    return y * sum(both[0]) + len(list(both[0])) + sum([v for v, _ in both[1]]) + sum(u for _, u in both[1])


@program("iterators, list comprehensions", args=lambda: (np.array([0.7, 1.2, 0.4]), 0.6), refused="may")
def run_through_by_each_item(w, y):
    squares = {"all": map(np.square, w)}
    return sum(k * y + sum(squares["all"]) for k in range(3))


@program("iterators", args=lambda: (np.array([0.7, 1.2, 0.4]), 0.6), refused="may")
def rest_of_what_was_sliced(w, y):
    it = map(abs, [0.7, -0.5, y])
    return w[0] * sum(itertools.islice(it, 2)) + sum(it)


@program("iterators", args=lambda: (np.array([0.7, 1.2, 0.4]), 0.6), refused="may")
def source_changed_before_an_array_is_made(w, y):
    u = [y, 0.5, w[1]]
    chained = itertools.chain(u, [y])
    u[1] = w[2]
    return np.sum(np.fromiter(chained, dtype=float))


def raise_first(u, c):
    u[0] = u[0] * c + 0.1
    return u[1] * c


def take_last(u):
    q = u.pop()
    if q > 0.3:
        u.append(0.5 * q)
    else:
        u.append(q)
    return q


@program("order of evaluation", args=lambda: (0.6, np.array([0.7, 0.9, 2.1])), wrt=0)
def lists_that_need_no_derivative_change_on_the_way(y, w):
    u = list(w)
    total = y * (sum(u) + raise_first(u, 2.0)) + y * sum(q * q for q in u) * raise_first(u, 0.5)
    total += y * (len([q for q in u if q < 0.8]) - raise_first(u, 1.5)) + y * u.count(0.9) * raise_first(u, 0.7)
    return total + (sum(u) < raise_first(u, 3.0) and y * u[0])


@program("order of evaluation", args=lambda: (0.7, 0.6, np.array([0.7, 0.9, 2.1])), wrt=1)
def summed_before_the_last_is_taken(x, y, w):
    u = [x, 0.5, w[1]]
    before, taken, after = sum(u), take_last(u), sum(u)
    total = before * taken + after
    for part in [sum(u), take_last(u), sum(u)]:
        total = total * y + part
    return total


@program("dict operations", args=lambda: (np.array([0.7, 1.2, 0.4]), 0.6), refused="may")
def sum_beside_a_function_under_a_key_of_the_run(w, y):
    return {y > 0.0: math.sin, 2: sum(w)}[2]


@program("iterators", args=lambda: (np.array([0.7, 1.2, 0.4]), 0.6), refused="may")
def starred_twice(w, y):
    sources = [map(np.sin, w)]
    return y * sum([*sources[0], *sources[0]])


class Gains:
    def __init__(self, *gains):
        self.gains = list(gains)

    def __call__(self, v):
        return v * self.gains[0]

    def __iter__(self):
        return iter(self.gains)


@program("iterators, operator methods", args=lambda: (np.array([0.7, 1.2, 0.4]), 0.6))
def mapped_by_an_object_with_items(w, y):
    gains = Gains(y, 2.0)
    return sum(map(gains, w)) + sum(a * b for a, b in zip(gains, w))


def total_after(it, n, y):
    if n == 0:
        return sum(it)
    return total_after(it, n - 1, y) * y


@program("iterators, recursion", args=lambda: (np.array([0.7, 1.2, 0.4]), 0.6, 2), refused="may")
def handed_twice_to_a_recursive_function(w, y, n):
    sources = (map(np.sin, w),)
    return total_after(sources[0], n, y) + total_after(sources[0], n, y)


@program("iterators", args=lambda: (np.array([0.7, 1.2, 0.4]), 0.6), refused="may")
def source_changed_before_it_is_given_by_keyword(w, y):
    u = [y, 0.5, w[1]]
    chained = itertools.chain(u, [y])
    u[1] = w[2]
    return np.sum(np.fromiter(iter=chained, dtype=float))


@program("order of evaluation", args=lambda: (0.4, 0.6, np.array([0.7, 0.9, 2.1])), wrt=1)
def last_is_taken_by_the_display_that_sums(x, y, w):
    before, taken, after = sum(a := [x, 0.5, w[1]]), (q := a.pop()), sum(a)
    return before * taken * y + after * q


def long():
    return (np.linspace(0.3, 0.9, 40),)


@program("iterators", args=long)
def first_and_the_rest_of_a_long_array(x):
    it = iter(x)
    previous, s = next(it), 0.0
    for v in it:
        s = s * 0.5 + (v - previous) ** 2 * v
        previous = v
    return s


@program("iterators", args=long)
def asked_once_a_turn(x):
    it, s = iter(x), 0.0
    rows = iter(range(len(x)))
    for k in range(len(x) + 2):
        s = s * 0.9 + next(it, 2.0) ** 2
        if k < 3:
            s = s * next(it) + next(rows)
    return s


@program("iterators", args=long)
def pairs_of_one_iterator_and_its_last(x):
    items = [v * v for v in x[:-1]]
    it = iter(items)
    s = 0.0
    for a, b in zip(it, it):
        s = s + a * b * b
        if s > 0.05:
            break
    return s * next(it) + sum(it)


@program("iterators", args=long)
def two_iterators_in_turns_until_the_end(x):
    one, other, s = iter(x), iter(x[::-1]), 0.0
    while True:
        v = next(one, None)
        if v is None:
            break
        s = s * 0.9 + v * v
        if s > 1.0:
            s = s * next(other, 0.5) * next(one, 1.0)
    return s
