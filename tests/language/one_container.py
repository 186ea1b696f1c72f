"""One container that stands in several places of another, or under a key that only the run knows; and dicts whose keys
only the run knows, which lose some."""

import math
from collections import defaultdict

import numpy as np

from tests.language.corpus import normal, program

ONE = "second names"
KEYS = "dict operations"
#: the other path is the one that is taken
POINTS = ((0.7, -0.4, 2), (-0.6, 0.5, 3))


def place(x, n):
    return n % 2 if x > 0.0 else 1


@program(ONE, args=lambda: POINTS[0])
def list_in_a_list_twice(x, y, n):
    c = [x, 0.5]
    h = [c, c]
    k = place(x, n)
    c.append(x * y)
    h[k][0] = y * y
    return sum(v * v for v in h[k]) + len(h[k]) * x


@program(ONE, args=lambda: POINTS[1])
def list_in_a_list_that_grows_on_a_path(x, y, n):
    c = []
    h = [c] * 3
    e = h[place(x, n) + 1]
    if y > x:
        e.append(math.tanh(x * y))
        e *= 2
    x = math.tanh(x + 0.3 * sum(c))
    e.append(x)
    return sum(h[place(y, n)]) * x


@program(ONE, args=lambda: POINTS[0])
def dict_in_a_list_of_a_comprehension(x, y, n):
    c = {0: x, 1: y}
    h = [c for _ in range(3)]
    k = place(x, n)
    for i in range(n):
        x = math.tanh(x + 0.3 * sum(c.values()))
        h[k][0] = x * y
        c[1] *= h[k + 1][0]
    return x * h[k].get(1, 0.5)


@program(ONE, args=lambda: POINTS[0])
def in_tuples_with_other_numbers(x, y, n):
    c = {0: x, 1: y}
    h = [(i * i, c) for i in range(3)]
    k = place(x, n) + 1
    h[k][1][0] *= y
    number, held = h[k]
    return number * sum(held.values()) + c[0] * x


@program(ONE, args=lambda: POINTS[1])
def in_a_dict_of_a_comprehension(x, y, n):
    c = [[y], [x, 0.5]]
    h = {j: c for j in range(3)}
    k = place(x, n)
    c[k].append(x * y)
    h[k][0] += [y]
    return sum(sum(row) for row in h[k + 1]) * x


@program(ONE, args=lambda: POINTS[0])
def of_fromkeys(x, y, n):
    c = {0: x, 1: y}
    h = dict.fromkeys(["a", "b"], c)
    name = "a" if x > 0.0 else "b"
    h[name].update({1: x * y})
    return sum(h["b"].values()) * sum(h[name].values())


@program(ONE, args=lambda: POINTS[0])
def in_a_tuple(x, y, n):
    c = [x, y]
    h = c, c
    h[place(x, n)].append(x * y)
    return sum(v**2 for v in h[place(y, n)]) + len(c)


@program(ONE, args=lambda: (normal(4), normal(4, seed=1), 2))
def array_in_a_list_twice(u, v, n):
    w = u * v
    h = [w, w]
    k = n % 2
    h[k][1] *= w[0]
    w += h[k - 1][::-1].copy()
    return np.sum(h[k] * v)


@program(ONE, args=lambda: POINTS[0])
def there_is_no_such_place(x, y, n):
    c = [x, y]
    h = [c, c]
    try:
        s = sum(h[n])
    except IndexError:
        s = y * x
    d = {0: c, 1: c}
    try:
        s += sum(d[n + 1])
    except KeyError:
        s *= x
    c.append(s)
    return sum(h[-n])


@program(ONE, args=lambda: POINTS[0])
def under_a_key_of_the_run(x, y, n):
    c = [x, 0.5]
    h = {n: c}
    c.append(x * y)
    h[n][0] *= y
    h[n] += [x]
    return sum(v * v for v in h[n]) + len(c) * x


@program(ONE, args=lambda: POINTS[1])
def dict_under_a_key_of_the_run(x, y, n):
    c = {0: x, 1: y}
    k = 1 if x > 0.1 else 2
    h = {k: c}
    for i in range(n):
        c[1] = math.tanh(x * h[k][0])
        h[k][0] = x * c[1]
    return sum(c.values()) + (1.0 if 1 in h else y) * len(h)


@program(ONE, args=lambda: POINTS[0])
def lists_under_a_key_of_the_run(x, y, n):
    c = [[y], [y, 0.5]]
    h = {n: c}
    e = c
    if x > y:
        e[0].append(x * x)
    return sum(h[n][0]) * sum(e[1])


def changes(h, k, x):
    h[k][0] *= x
    return h[k]


@program(ONE, args=lambda: POINTS[0])
def handed_to_a_function(x, y, n):
    c = {0: x, 1: y}
    h = [c, c, c]
    k = place(x, n)
    changed = changes(h, k, y)
    changed[1] = x * c[0]
    return sum(changes(h, k + 1, x).values()) * c[1]


@program(KEYS, args=lambda: POINTS[0])
def display_of_keys_of_the_run(x, y, n):
    d = {n: x, n + 1: x * y, n - n: y}
    d[n] *= y
    return sum(v * v * (k + 1) for k, v in d.items())


@program(KEYS, args=lambda: POINTS[1])
def display_with_a_key_twice(x, y, n):
    d = {n: x, n + 0: x * y, 3: y * y}
    return sum(d.values()) * len(d)


@program(KEYS, args=lambda: POINTS[0])
def key_taken_out_in_turns(x, y, n):
    c = {0: y, 1: x}
    for _ in range(n):
        c[1] = math.tanh(x * x)
        x = math.tanh(x + 0.3 * sum(c.values()))
        c.pop(1, None)
    return x * 0.5 + 0.3 * c.get(1, 0.5) + c[0]


@program(KEYS, args=lambda: POINTS[1])
def key_taken_out_between_others(x, y, n):
    d = {}
    for i in range(5):
        d[i * i % 7] = x * i + y
    taken = d.pop(4)
    other = d.pop(n + 40, y)
    d[4] = taken * x
    s = 0.0
    for key, v in d.items():
        s = s * 0.5 + v * (key + 1)
    return s + taken + other


@program(KEYS, args=lambda: POINTS[0])
def key_deleted(x, y, n):
    d = {k + n: x * k + y for k in range(4)}
    del d[n + 1]
    d[n + 1] = x
    s = 0.0
    for key, v in d.items():
        s = s * 0.5 + v * (key + 1)
    return s


@program(KEYS, args=lambda: POINTS[0])
def emptied_from_the_end(x, y, n):
    d = {n: x, n + 1: y * x, n - n: y}
    s = 0.0
    while d:
        k, v = d.popitem()
        s = s * 0.5 + v * (k + 1) * x
    return s


@program(KEYS, args=lambda: POINTS[1])
def emptied_from_the_start(x, y, n):
    d = {n: x, n + 1: y * x, n - n: y}
    s = 0.0
    while len(d) > 0:
        k = next(iter(d))
        s = s * 0.5 + d.pop(k) * (k + 1) * x
    return s


@program(KEYS, args=lambda: POINTS[0])
def cleared_and_filled_again(x, y, n):
    d = {n: x, n + 1: y * x}
    s = sum(v * v for v in d.values())
    d.clear()
    d[n] = s * x
    d.setdefault(n + 3, x * x)
    return sum(d.values()) + len(d)


@program(KEYS, args=lambda: POINTS[0])
def taken_out_of_a_defaultdict(x, y, n):
    d = defaultdict(float)
    for i in range(6):
        d[i % n] += x * i
        if i == 3:
            y *= d.pop(1)
    return y + sum(v * v for v in d.values())


@program(KEYS, args=lambda: POINTS[1])
def keys_taken_out_of_a_list_of_them(x, y, n):
    d = {n: x, n + 1: y * x, n - n: y}
    s = 0.0
    for k in list(d):
        if k < n:
            s += d.pop(k) * x
    return s + sum(d.values()) * y


@program(KEYS, args=lambda: (normal(4), 2))
def array_taken_out(u, n):
    d = {}
    for i in range(4):
        d[i % 3] = u * u[i]
    v = d.pop(n - 1)
    return np.sum(v * d[0]) + sum(np.sum(w) for w in d.values())
