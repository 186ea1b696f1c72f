"""SciPy's linear algebra."""

from __future__ import annotations

from typing import Any

import numpy as np


def row_order(pivots: Any) -> Any:
    """The rows of a matrix in the order that LAPACK's row exchanges bring them to.

    >>> row_order(np.array([2, 2, 2]))
    array([2, 0, 1])
    """
    order = np.arange(len(pivots))
    for i, k in enumerate(pivots):
        order[i], order[k] = order[k], order[i]
    return order


def pivots_of(a: Any) -> Any:
    """The columns of a matrix in the order in which scipy.linalg.qr with pivoting takes them.

    >>> pivots_of(np.array([[1.0, 3.0], [2.0, 0.0]]))
    array([1, 0], dtype=int32)
    """
    from scipy.linalg import qr

    return qr(a, mode="r", pivoting=True)[1]


def eigenvector_signs(
    v: Any, a: Any, b: Any, lower: bool, type: int, subset_by_index: Any, subset_by_value: Any
) -> Any:
    """1 or -1 for each eigenvector: as scipy.linalg.eigh gives them.

    >>> eigenvector_signs(np.array([[-1.0, 0.0], [0.0, 1.0]]), np.diag([1.0, 2.0]), np.eye(2), True, 2, None, None)
    array([-1.,  1.])
    """
    from scipy.linalg import eigh

    theirs = eigh(a, b, lower=lower, type=type, subset_by_index=subset_by_index, subset_by_value=subset_by_value)[1]
    return np.where(np.sum(v * theirs, axis=0) < 0.0, -1.0, 1.0)


def orthogonal_factor(a: Any) -> Any:
    """The orthonormal columns of the polar decomposition of a matrix that is at least as tall as wide.

    >>> orthogonal_factor(np.array([[0.0, -2.0], [3.0, 0.0]]))
    array([[ 0., -1.],
           [ 1.,  0.]])
    """
    from scipy.linalg import polar

    return polar(a)[0]


def upper_block(x: Any, e: Any) -> Any:
    """[[x, e], [0, x]]: functions of it have the derivative at x in the direction e beside the diagonal.

    >>> upper_block(np.eye(1), 2.0 * np.eye(1))
    array([[1., 2.],
           [0., 1.]])
    """
    above = np.concatenate((x, e), axis=-1)
    below = np.concatenate((np.zeros_like(x), x), axis=-1)
    return np.concatenate((above, below), axis=-2)


def banded_transpose(ab: Any, below: int, above: int) -> Any:
    """The transpose of a matrix with some lower and upper diagonals, both in banded form.

    >>> banded_transpose(np.array([[0.0, 5.0, 6.0], [1.0, 2.0, 3.0]]), 0, 1)
    array([[1., 2., 3.],
           [5., 6., 0.]])
    """
    n = ab.shape[1]
    out = np.zeros_like(ab)
    for k in range(-below, above + 1):
        out[below + k, max(-k, 0) : n - max(k, 0)] = ab[above - k, max(k, 0) : n - max(-k, 0)]
    return out


def banded_outer(t: Any, y: Any, below: int, above: int) -> Any:
    """Some lower and upper diagonals of the outer product of t and y, in banded form; columns are summed.

    >>> banded_outer(np.array([1.0, 2.0]), np.array([3.0, 4.0]), 0, 1)
    array([[0., 4.],
           [3., 8.]])
    """
    n = len(t)
    out = np.zeros((below + above + 1, n), np.result_type(t, y))
    for k in range(-below, above + 1):
        product = t[max(-k, 0) : n - max(k, 0)] * y[max(k, 0) : n - max(-k, 0)]
        out[above - k, max(k, 0) : n - max(-k, 0)] = product if product.ndim == 1 else np.sum(product, axis=1)
    return out


def banded_product(ab: Any, y: Any, below: int, above: int) -> Any:
    """A matrix with some lower and upper diagonals, in banded form, times y.

    >>> banded_product(np.array([[0.0, 4.0], [3.0, 8.0]]), np.ones(2), 0, 1)
    array([7., 8.])
    """
    n = len(y)
    out = np.zeros_like(y)
    for k in range(-below, above + 1):
        entries = ab[above - k, max(k, 0) : n - max(-k, 0)]
        out[max(-k, 0) : n - max(k, 0)] += (entries if y.ndim == 1 else entries[:, None]) * y[
            max(k, 0) : n - max(-k, 0)
        ]
    return out


def symmetric_banded_outer(t: Any, y: Any, ab: Any, lower: bool = False) -> Any:
    """The cotangent t y' of a symmetric matrix in banded form, gathered in the half that is read.

    >>> symmetric_banded_outer(np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.zeros((2, 2)))
    array([[ 0., 10.],
           [ 3.,  8.]])
    """
    n, u = len(t), len(ab) - 1
    out = np.zeros_like(ab)
    for k in range(u + 1):
        product = t[: n - k] * y[k:] + t[k:] * y[: n - k] if k else t * y
        if product.ndim == 2:
            product = np.sum(product, axis=1)
        if lower:
            out[k, : n - k] = product
        else:
            out[u - k, k:] = product
    return out


def symmetric_banded_product(ab: Any, y: Any, lower: bool = False) -> Any:
    """A symmetric matrix of which one half is given in banded form, times y.

    >>> symmetric_banded_product(np.array([[0.0, 4.0], [3.0, 8.0]]), np.ones(2))
    array([ 7., 12.])
    """
    n, u = len(y), len(ab) - 1
    out = np.zeros_like(y)
    for k in range(u + 1):
        entries = ab[k, : n - k] if lower else ab[u - k, k:]
        if y.ndim == 2:
            entries = entries[:, None]
        out[: n - k] += entries * y[k:]
        if k:
            out[k:] += entries * y[: n - k]
    return out
