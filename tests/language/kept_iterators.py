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
