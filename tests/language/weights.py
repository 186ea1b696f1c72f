"""Arrays of the module as weights, masks and indices: of floats, ints and bools, of any rank."""

import numpy as np

from tests.language.corpus import normal, program

ROW = np.array([1.0, 2.0, 3.0])
COLUMN = np.array([[1.0], [2.0], [3.0]])
COUNTS = np.array([1, 2, 3])
SHORT = np.array([3, 1, 2], dtype=np.int32)
KEPT = np.array([True, False, True])
TABLE = np.arange(9).reshape(3, 3)


@program("global arrays", args=lambda: (normal(3),))
def weights_of_lower_rank(x):
    h = np.zeros((2, 3))
    h[:] = x
    return float((h * ROW).sum()) + (np.outer(x, x) * ROW).mean()


@program("global arrays", args=lambda: (normal(3),))
def weights_that_broadcast_the_argument(x):
    return (x * COLUMN).sum()


@program("global arrays, for", args=lambda: (normal(3),))
def weights_of_rows_that_were_stored(x):
    h = np.zeros((4, 3))
    h[0] = x
    v = h[0]
    for k in range(1, 4):
        h[k] = v * x
        v = h[k]
    return float((h * ROW).sum())


@program("global arrays", args=lambda: (normal(3),))
def whole_numbers_as_weights(x):
    a = x * 2
    a[0] *= x[1]
    return float((a * COUNTS).sum()) + (x * SHORT).sum()


@program("global arrays", args=lambda: (normal(3),))
def products_with_whole_numbers(x):
    a = x * 2
    a[1] *= x[1]
    return float(np.dot(COUNTS, a)) + np.einsum("i,i", a, SHORT) + (a @ COUNTS) * np.add.reduce(a * SHORT)


@program("global arrays", args=lambda: (normal(3),))
def a_mask_as_weights(x):
    a = x * 2
    a[0] *= x[1] * 0.3
    return float((a * KEPT).sum()) + (x * ~KEPT).sum() + np.dot(a, KEPT) + np.where(KEPT, x, COUNTS).sum()


@program("global arrays, for", args=lambda: (normal(3),))
def whole_numbers_after_stores_in_a_loop(x):
    a = x * 2
    for k in range(3):
        a[k] = a[k] * x[k] * 0.3
    b = a * COUNTS
    a[1:] += b[:-1] * 0.5
    return float((a * COUNTS).sum())


@program("global arrays", args=lambda: (normal(3),))
def table_of_whole_numbers(x):
    a = np.outer(x, x)
    a[a > 1] -= 0.5
    root = np.linalg.cholesky(np.outer(x, x) + np.eye(3))
    return float((a * TABLE).sum()) + (root * TABLE).sum() + (x * TABLE[1] / ROW).sum()


@program("global arrays", args=lambda: (normal(3), np.array([1, 2, 3])), wrt=0)
def less_whole_numbers(x, n):
    y = x * 1.0
    y[2] *= y[0]
    y[1] += y[0] * 0.3
    return np.sum(-n * y) + np.sum(-(n * n) * x) + np.sum(x * -n)


@program("global arrays", args=lambda: (normal(3), np.ones((3, 3), dtype=bool)), wrt=0)
def bools_in_einsum(x, n):
    both = np.sum(np.einsum("ij,ij,k->k", n, n, x))
    return np.einsum("ij,k->", n, x) + np.einsum("ij,j,k->", n, n[0], x) + both
