"""Lists and tuples, nested to any depth, where NumPy makes arrays of them."""

import numpy as np

from tests.language.corpus import normal, program, uniform


@program("nests", args=lambda: (normal(3),))
def array_of_three_levels(x):
    a = np.array([[[x[0], x[1]]], [[2.0, x[2] ** 2]]])
    return np.sum(a**2) + np.sum(np.asarray((((x[0], x[1]), (x[2], 1.0)),), dtype=float) ** 3)


@program("nests", args=lambda: (normal(3),))
def array_of_four_levels(x):
    w = np.array([[[[x[1], 0.1], [0.2, x[2]]]], [[[x[0], 1.0], [x[2], 0.5]]]])
    return np.sum(w**2 * np.arange(8.0).reshape(w.shape))


@program("nests", args=lambda: (normal(2),))
def rotations_side_by_side(x):
    c, s = np.cos(x[0]), np.sin(x[1])
    r = np.array([[[c, -s], [s, c]], [[c, s], [-s, c]]])
    return np.sum((r[0] @ r[1]) ** 3)


@program("nests", args=lambda: (normal(3),))
def arrays_in_the_third_level(x):
    return np.sum(np.array([[[x, x * 2], [x**2, x]]]) ** 2) + np.array([[[x[:2], [x[2], 1.0]]]]).sum() ** 2


@program("nests", args=lambda: (normal(3),))
def nested_comprehensions_as_an_array(x):
    a = np.array([[[x[i] * j * k for i in range(3)] for j in range(2)] for k in range(2)])
    return np.sum(a**2)


@program("nests", args=lambda: (normal(3),))
def nests_that_are_joined(x):
    joined = np.concatenate([[[[x[0]], [x[1]]]], [[[x[2]], [1.0]]]])
    return np.sum(joined**2) + np.sum(np.stack([[[x[0], x[1]]], [[x[2], 1.0]]]) ** 3) + np.sum([[[x[0] ** 2, x[1]]]])


@program("nests", args=lambda: (normal(3),))
def nests_in_operations(x):
    a = np.zeros((1, 2, 2))
    a[0] = [[x[0], x[1]], [x[2], 1.0]]
    a[:] += [[[x[0], 1.0], [x[1], x[2]]]]
    product = np.einsum("ijk,k->", [[[x[0], x[1], x[2]]]], x)
    return np.sum(a**2) + np.sum(x * [[[x[0], x[1], 2.0]]]) * product


@program("nests", args=lambda: (normal(3),))
def lists_of_arrays_in_elementwise_functions(x):
    mask = np.array([[True, False, True], [False, True, True]])
    chosen = np.where(mask, [x, x * 2], [x**2, x])
    return np.sum(chosen**2) + np.sum(np.maximum([x, x * 2], 0.1) ** 2) * np.sum(np.clip([x, x**2], -0.5, 1.5))


@program("nests", args=lambda: (uniform(3),))
def lists_of_arrays_in_products(x):
    a = np.multiply([x, x * 2], [x[0], x[1], x[2]])
    mean = np.average([x, x * 2], axis=0, weights=[x[0], x[1]])
    return np.sum(a**2) + np.sum(np.einsum("ij,j->i", [x, x * 2], x) ** 2) + np.sum(mean**2)


@program("nests", args=lambda: (normal(3),))
def lists_of_numbers_beside_arrays(x):
    rows = np.vstack([[x[0], 1.0, x[1]], x * 2, (1.0, 2.0, x[2])])
    ends = np.hstack(([x[0]], x * 2, [1.0]))
    return np.sum(rows**2) + np.sum(ends**3) + np.sum(np.column_stack([[x[0], 1.0, x[1]], x * 2])[:, 0] ** 2)


@program("nests", args=lambda: (normal(3), 3), second=False)
def list_of_the_last_turn(x, n):
    a = [x[0]]
    for i in range(n):
        b = a
        a = a + [x[i] ** 2]
    return sum(b)


@program("nests", args=lambda: (normal(3), 3))
def array_of_the_last_turn(x, n):
    s = x[0]
    p = x[1]
    for i in range(n):
        p = s
        s = np.full(i + 1, x[i]) * np.sum(p)
    return np.sum(p) * np.sum(s)
