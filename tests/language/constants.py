"""Arrays that nothing is differentiated with respect to, and that are overwritten: by calls, through other names."""

import operator
import random

import numpy as np

from tests.language.corpus import normal, program


@program("constants overwritten", args=lambda: (0.7, normal(5), 2.0), wrt=0)
def put_into_weights(y, w, c):
    before = y * np.sum(w * w) * y
    np.put(w, [0, 3], c)
    return before + np.sum(w) * y**2


@program("constants overwritten", args=lambda: (0.7, normal(5), 2.0), wrt=(0, 2))
def placed_and_masked(y, w, c):
    t = np.sin(y * w)
    np.place(w, w > 0.0, 3.0)
    np.putmask(w, w < -0.5, -1.0)
    return np.sum(t * w) * c


@program("constants overwritten", args=lambda: (0.7, normal(6)), wrt=0)
def parted_in_place(y, w):
    s = np.sum(w * np.arange(6)) * y**2
    w.partition(3)
    s += w[3] * y
    np.ndarray.sort(w)
    return s + np.sum(w * np.arange(6)) * y**3


@program("constants overwritten", args=lambda: (0.7, normal(5)), wrt=0)
def noise_drawn_into_a_buffer(y, noise):
    rng = np.random.default_rng(3)
    total = 0.0
    for _ in range(3):
        total += np.sum(np.exp(y * noise))
        rng.standard_normal(out=noise)
    return total


@program("constants overwritten", args=lambda: (0.7, normal(5), normal(5, seed=1)), wrt=(0, 1))
def shuffled_data(y, x, data):
    rng = np.random.default_rng(0)
    total = 0.0
    for _ in range(2):
        rng.shuffle(data)
        total += np.sum(data * x) ** 2 * y
    return total


@program("constants overwritten", args=lambda: (normal(5),))
def clipped_into_itself_by_position(w):
    w.clip(-0.5, 0.5, w)
    return np.sum(w**2)


@program("constants overwritten", args=lambda: (normal(5),), refused="may")
def drawn_over_what_is_active(w):
    t = np.sum(w**2)
    np.random.default_rng(0).standard_normal(out=w)
    return t + np.sum(w**2)


@program("constants overwritten", args=lambda: (0.7, normal(5)), wrt=0)
def operators_as_functions(y, w):
    t = y**2 * w
    operator.setitem(w, 0, 4.0)
    operator.iadd(w, np.ones(5))
    w.__setitem__(1, -1.0)
    return np.sum(t) + np.sum(w) * y


@program("constants overwritten", args=lambda: (0.7, normal(5)), wrt=0)
def columns_of_a_table(y, w):
    table = np.zeros((2, 5))
    row = table[1]
    np.put(row, 2, w[0])
    t = np.sum(table) * y**2
    np.put_along_axis(table, np.array([[0], [1]]), 3.0, 1)
    return t * np.sum(table * y)


@program("constants overwritten", args=lambda: (0.7, normal(5), 3), wrt=0, refused="may")
def listed_before_it_is_active(y, v, n):
    held = []
    for _ in range(n):
        held.append(v)
    np.add.at(v, 1, y)
    return np.sum(np.array(held) ** 2)


def unchanged(u):
    return u


def scaled(u, c):
    u *= c


@program("constants overwritten", args=lambda: (0.7, normal(5), 2), wrt=0, refused="may")
def scaled_behind_a_call(y, w, n):
    last = None
    for _ in range(n):
        last = w
    scaled(unchanged(last), 3.0)
    return np.sum(last) * y


@program("constants overwritten", args=lambda: (0.7, [3.0, 1.0, 2.0]), wrt=0)
def shuffled_list(y, items):
    total = items[0] * y
    random.Random(2).shuffle(items)
    return total + items[0] * y**2
