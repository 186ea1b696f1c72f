"""Index arrays, masks and bounds that are overwritten after something was selected with them; matrices of positions."""

import numpy as np

from tests.language.corpus import normal, program


@program("overwritten indices", args=lambda: (normal(6), np.array([0, 1, 3])), wrt=0)
def index_array_overwritten_between_reads(x, i):
    i = i.copy()
    a = x[i]
    i[0] = 2
    b = x[i]
    return np.sum(a * a[::-1]) + np.sum(b**3)


@program("overwritten indices", args=lambda: (normal(6), np.array([True, False, True, True, False, True])), wrt=0)
def mask_overwritten_between_reads(x, m):
    m = m.copy()
    a = x[m]
    m[0] = not m[0]
    b = x[m]
    return np.sum(a * a[::-1]) + np.sum(b * b)


@program("overwritten indices", args=lambda: (normal(6), 4), wrt=0)
def index_array_of_this_turn(x, n):
    i = np.arange(3)
    s = 0.0
    for k in range(n):
        a = x[i]
        s = s + np.sum(a**2) * k
        i[0] = k
    return s


@program("overwritten indices", args=lambda: (normal(6),))
def stores_through_an_index_array_that_changes(x):
    i = np.array([0, 1, 2])
    z = np.zeros(4)
    z[i] = x[:3] * 2.0
    i[1] = 3
    z[i] += x[3:] ** 2
    i[:] = 0
    np.add.at(z, i, x[:3] * x[3:])
    return np.sum(z**2)


@program("overwritten indices", args=lambda: (normal(5), 4), wrt=0)
def element_of_overwritten_index_array(x, n):
    perm = np.arange(n)
    s = 0.0
    for k in range(n):
        s = s + x[perm[k]] ** 2 * (k + 1)
        perm[k] = 0
    return s


@program("overwritten indices", args=lambda: (normal(4, 4), normal(4, seed=1)), wrt=0)
def elimination_with_row_pivots(A, b):
    A = A.copy()
    n = len(b)
    perm = np.arange(n)
    for k in range(n - 1):
        p = k + int(np.argmax(np.abs(A[perm[k:], k])))
        perm[k], perm[p] = perm[p], perm[k]
        for i in range(k + 1, n):
            f = A[perm[i], k] / A[perm[k], k]
            A[perm[i], k:] -= f * A[perm[k], k:]
            A[perm[i], k] = f
    d = 1.0
    for k in range(n):
        d = d * A[perm[k], k]
    return d


@program("overwritten indices", args=lambda: (normal(6), 5), wrt=0)
def bounds_from_overwritten_list(x, n):
    lim = [1, 2, 3]
    s = 0.0
    for k in range(n):
        s = s + np.sum(x[: lim[k % 3]] ** 2)
        lim[k % 3] = 4
    return s


@program("overwritten indices", args=lambda: (normal(6), 4), wrt=0)
def loop_over_overwritten_index_array(x, n):
    idx = np.arange(4)
    s = 0.0
    for k in range(n):
        for j in idx:
            s = s + x[j] ** 2 * (j + k)
        idx[k] = 0
    return s


@program("overwritten indices", args=lambda: (normal(6), 4), wrt=0)
def mask_cleared_as_the_loop_goes(x, n):
    m = np.ones(len(x), dtype=bool)
    s = 0.0
    for k in range(n):
        y = np.where(m, x, 2.0 * x)
        v = x[m]
        s = s + np.sum(y * y) + np.sum(v**3) * k
        if m[k]:
            s = s + x[k]
        m[k] = False
        x[~m] *= 1.5
    return s


@program("overwritten indices", args=lambda: (normal(6), 4), wrt=0)
def index_array_in_a_dict(x, n):
    held = {"i": np.arange(3), "w": np.ones(3)}
    s = 0.0
    for k in range(n):
        s = s + np.sum(x[held["i"]] * held["w"] * x[held["i"]])
        held["i"][0] = k
        held["w"][1] = k
    return s


@program("overwritten indices", args=lambda: (normal(6), 4), wrt=0)
def index_array_seen_backwards(x, n):
    rows = np.arange(3)
    z = np.zeros((3, 4))
    for k in range(n):
        z[rows, k] = x[rows] * (k + 1) + z[rows, k - 1]
        rows = rows[::-1]
        rows[0] = k % 3
    return np.sum(z**2)


@program("overwritten indices", args=lambda: (normal(6), 4), wrt=0)
def indices_from_a_stack(x, n):
    stack = [0, 1, 2]
    s = 0.0
    while stack:
        i = stack.pop()
        s = s + x[i] ** 2
        if i == 2:
            stack.append(3)
    return s


@program("overwritten indices", args=lambda: (normal(6), 4), wrt=0)
def counters_in_an_array(x, n):
    c = np.zeros(2, dtype=int)
    s = 0.0
    for k in range(n):
        c[0] += 1
        s += x[c[0] % 4] * x[k]
        c[1] = c[0] * 2 % 3
        s += x[c[1]] ** 2
    return s


@program("matrices of positions", args=lambda: (normal(4), normal(2, seed=1), np.array([[1, 2], [0, 1]])), wrt=(0, 1))
def positions_with_a_weight_a_column(x, w, at):
    return np.sum(x[at] * w)


@program("matrices of positions", args=lambda: (normal(4), normal(2, seed=1), np.array([[1, 2], [0, 1]])), wrt=(0, 1))
def sums_of_columns_of_positions(x, w, at):
    t = x[at]
    return t.sum(axis=0) @ w + np.sum(t[:, 0]) * w[1]


@program("matrices of positions", args=lambda: (normal(4), normal(3, seed=1), np.array([[1], [3]])), wrt=(0, 1))
def one_position_a_row(x, w, at):
    return np.sum((x[at] + np.zeros(3)) * w) + np.sum(x[at] * w[:1])


@program("matrices of positions", args=lambda: (normal(4), normal(2, seed=1), np.array([[1, 2], [0, 1]])), wrt=(0, 1))
def positions_in_a_tuple(x, w, at):
    return np.sum(x[(at,)] * w) + np.sum(x[..., at] * w**2)


@program("matrices of positions", args=lambda: (normal(4), normal(2, seed=1), [[1, 2], [0, 1]]), wrt=(0, 1))
def positions_in_lists(x, w, at):
    return np.sum(x[at] * w) + np.sum(x.reshape(-1)[np.array(at)] * w)


@program(
    "matrices of positions", args=lambda: (normal(2, 4), normal(2, seed=1), np.array([[1, 2], [0, 1]])), wrt=(0, 1)
)
def positions_in_a_row(x, w, at):
    return np.sum(x[0][at] * w) + np.sum(x[1, at] * w) + np.sum(x[:, at] * w)


@program("matrices of positions", args=lambda: (normal(4), normal(2, seed=1), np.array([[1, 2], [0, 1]])), wrt=(0, 1))
def added_at_a_matrix_of_positions(x, w, at):
    y = x.copy()
    np.add.at(y, at, np.zeros((2, 2)) + w)
    np.subtract.at(y, at, np.ones((2, 2)) * w**2)
    return np.sum(y**2)


@program("matrices of positions", args=lambda: (normal(4), normal(2, seed=1), np.array([[1, 2], [0, 1]])), wrt=(0, 1))
def read_where_something_was_stored(x, w, at):
    y = x * 2
    y[at] = 3.0 * w
    return np.sum(y[at] * w) + np.sum(y**2)
