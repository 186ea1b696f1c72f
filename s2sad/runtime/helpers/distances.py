"""SciPy's distances."""

from __future__ import annotations

from typing import Any

import numpy as np


def blocks_of_pairs(a: Any, b: Any, size: int = 40000) -> Any:
    """Slices of the elements and of the rows of a, few enough at a time for all pairs with b to stay in the cache; and
    memory for one number each.

    >>> blocks, room = blocks_of_pairs(np.zeros((300, 2)), np.zeros((1000, 2)))
    >>> blocks[-1], room.shape
    ((slice(1, 2, None), slice(280, 300, None)), (1, 40, 1000))
    """
    n, d = a.shape
    rows = max(1, min(n, size // max(len(b), 1)))
    elements = max(1, min(d, size // max(rows * len(b), 1)))
    starts = [(k, i) for i in range(0, n, rows) for k in range(0, d, elements)]
    blocks = [(slice(k, min(k + elements, d)), slice(i, min(i + rows, n))) for k, i in starts]
    return blocks, np.empty((elements, rows, len(b)))


def factors_of_differences(a: Any, b: Any) -> Any:
    """Matrices whose products are a[i, k] - b[j, k] for all k, i and j: as exact as, and faster than broadcasting.

    >>> left, right = factors_of_differences(np.array([[1.0], [3.0]]), np.array([[2.0]]))
    >>> (left @ right).tolist()
    [[[-1.0], [1.0]]]
    """
    left, right = np.ones((a.shape[1], len(a), 2)), np.ones((a.shape[1], 2, len(b)))
    left[..., 0] = a.T
    left[..., 1] = -1.0
    right[:, 1] = b.T
    return left, right


def product_in(room: Any, left: Any, right: Any) -> Any:
    """left @ right in memory that is there already: fresh memory costs more than the numbers.

    >>> product_in(np.empty((2, 3, 1)), np.array([[[2.0]]]), np.array([[[3.0]]]))
    array([[[6.]]])
    """
    return np.matmul(left, right, out=room[: len(left), : left.shape[1]])


def signs(x: Any) -> Any:
    """np.sign(x), by comparisons, which are faster, where nothing is nan.

    >>> signs(np.array([-2.0, 0.0, 3.0]))
    array([-1,  0,  1], dtype=int8)
    """
    if np.isnan(np.vdot(x, x)):
        return np.sign(x)
    return (x > 0.0).view(np.int8) - (x < 0.0).view(np.int8)


def cityblock_back(g: Any, a: Any, b: Any) -> Any:
    """The adjoints of a and b in scipy.spatial.distance.cdist(a, b, "cityblock"), whose adjoint is g.

    >>> cityblock_back(np.array([[2.0]]), np.array([[1.0, 3.0]]), np.array([[2.0, 2.0]]))
    (array([[-2.,  2.]]), array([[ 2., -2.]]))
    """
    ga, gb = np.zeros(a.shape, np.result_type(a, np.float32)), np.zeros(b.shape, np.result_type(b, np.float32))
    left, right = factors_of_differences(a, b)
    blocks, room = blocks_of_pairs(a, b)
    for k, i in blocks:
        part = product_in(room, left[k, i], right[k])
        part[...] = signs(part)
        part *= g[i]
        ga[i, k] = (part @ np.ones(len(b))).T
        gb[:, k] -= (np.ones(part.shape[1]) @ part).T
    return ga, gb


def chebyshev_back(g: Any, y: Any, a: Any, b: Any) -> Any:
    """The adjoints of a and b in y = scipy.spatial.distance.cdist(a, b, "chebyshev"), whose adjoint is g; where several
    elements are farthest apart they share evenly.

    >>> chebyshev_back(np.array([[2.0]]), np.array([[1.0]]), np.array([[1.0, 3.0]]), np.array([[2.0, 2.0]]))
    (array([[-1.,  1.]]), array([[ 1., -1.]]))
    """
    ga, gb = np.zeros(a.shape, np.result_type(a, np.float32)), np.zeros(b.shape, np.result_type(b, np.float32))
    left, right = factors_of_differences(a, b)
    blocks, room = blocks_of_pairs(a, b)
    sign = np.zeros((a.shape[1], *y.shape), np.int8)
    for k, i in blocks:
        apart = product_in(room, left[k, i], right[k])
        sign[k, i] = apart == y[i]
        np.negative(apart, out=apart)
        sign[k, i] -= apart == y[i]
    if np.count_nonzero(sign) != y.size or not np.all(y > 0.0):  # more than one of a pair, or equal vectors
        g = g / np.maximum(np.sum(np.abs(sign), axis=0), y == 0.0)
    for k, i in blocks:
        part = room[: k.stop - k.start, : i.stop - i.start]
        part[...] = sign[k, i]
        part *= g[i]
        ga[i, k] = (part @ np.ones(len(b))).T
        gb[:, k] -= (np.ones(part.shape[1]) @ part).T
    return ga, gb


def minkowski_back(g: Any, y: Any, a: Any, b: Any, p: Any) -> Any:
    """The adjoints of a and b in y = scipy.spatial.distance.cdist(a, b, "minkowski", p=p), whose adjoint is g; 0
    between equal vectors.

    >>> minkowski_back(np.array([[5.0]]), np.array([[5.0]]), np.array([[3.0, 4.0]]), np.array([[0.0, 0.0]]), 2)
    (array([[3., 4.]]), array([[-3., -4.]]))
    """
    ga, gb = np.zeros_like(a), np.zeros_like(b)
    y = np.where(y == 0.0, 1.0, y)
    for k in range(a.shape[1]):  # all pairs, one element of the vectors at a time
        apart = (a[:, k, None] - b[:, k]) / y
        part = g * apart if p == 2 else g * np.sign(apart) * np.abs(apart) ** (p - 1)
        ga[:, k] = np.sum(part, axis=1)
        gb[:, k] = -np.sum(part, axis=0)
    return ga, gb


def canberra_back(g: Any, a: Any, b: Any) -> Any:
    """The adjoints of a and b in scipy.spatial.distance.cdist(a, b, "canberra"), whose adjoint is g.

    >>> canberra_back(np.array([[4.0]]), np.array([[1.0]]), np.array([[3.0]]))
    (array([[-1.5]]), array([[0.5]]))
    """
    ga, gb = np.zeros(a.shape, np.result_type(a, np.float32)), np.zeros(b.shape, np.result_type(b, np.float32))
    left, right = factors_of_differences(a, b)
    wide, high = factors_of_differences(np.abs(a), -1.0 * np.abs(b))
    above, below = np.sign(a.T[..., None]).astype(np.int8), np.sign(b.T[:, None]).astype(np.int8)
    blocks, room = blocks_of_pairs(a, b, 20000)
    more = np.empty_like(room)
    for k, i in blocks:
        # |u - v| / (|u| + |v|) is 1 where the signs are opposite, and has the slope 2 |v| / (|u| + |v|)**2 where not
        part = product_in(room, left[k, i], right[k])
        part[...] = signs(part) * (above[k, i] * below[k] + np.int8(1))
        part *= g[i]
        total = product_in(more, wide[k, i], high[k])
        total[total == 0.0] = 1.0
        part /= total
        part /= total
        ga[i, k] = (part @ np.abs(b[:, k]).T[..., None])[..., 0].T
        gb[:, k] -= (np.abs(a[i, k]).T[:, None] @ part)[:, 0].T
    return ga, gb


def braycurtis_back(g: Any, y: Any, a: Any, b: Any) -> Any:
    """The adjoints of a and b in y = scipy.spatial.distance.cdist(a, b, "braycurtis"), whose adjoint is g: it is the
    quotient of the distances of a from b and from -b by blocks.

    >>> braycurtis_back(np.array([[4.0]]), np.array([[0.5]]), np.array([[1.0]]), np.array([[3.0]]))
    (array([[-1.5]]), array([[0.5]]))
    """
    from scipy.spatial.distance import cdist

    g = g / cdist(a, -1.0 * b, "cityblock")
    ga, gb = cityblock_back(g, a, b)
    g = g * y
    if np.all(a > 0.0) and np.all(b > 0.0):  # and so are all sums
        return ga - np.sum(g, axis=1, keepdims=True), gb - np.sum(g, axis=0)[:, None]
    below, above = cityblock_back(g, a, -1.0 * b)
    return ga - below, gb + above
