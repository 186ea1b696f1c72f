"""SciPy's sparse matrices."""

from __future__ import annotations

from typing import Any

import numpy as np


def sparse_product(data: Any, row: Any, col: Any, shape: Any, x: Any) -> Any:
    """The product of a sparse matrix, given by its entries and where they stand, and x.

    >>> sparse_product(np.array([2.0, 3.0]), np.array([0, 1]), np.array([1, 1]), (2, 2), np.array([1.0, 10.0]))
    array([20., 30.])
    """
    from scipy.sparse import coo_array

    return coo_array((data, (row, col)), shape) @ x


def pairs_that_meet(first: Any, second: Any) -> Any:
    """The places i and j, in two lists of numbers, for which first[i] == second[j].

    >>> pairs_that_meet(np.array([0, 2, 1]), np.array([2, 0, 2]))
    (array([0, 1, 1]), array([1, 0, 2]))
    """
    order = np.argsort(second, kind="stable")
    low, high = np.searchsorted(second[order], first), np.searchsorted(second[order], first, side="right")
    counts = high - low
    i = np.repeat(np.arange(len(first)), counts)
    within = np.arange(len(i)) - np.repeat(np.cumsum(counts) - counts, counts)
    return i, order[low[i] + within]


def sparse_solution(data: Any, row: Any, col: Any, shape: Any, b: Any) -> Any:
    """The solution of a system with a sparse matrix, given by its entries and where they stand.

    >>> sparse_solution(np.array([2.0, 4.0]), np.array([0, 1]), np.array([0, 1]), (2, 2), np.array([1.0, 1.0]))
    array([0.5 , 0.25])
    """
    from scipy.sparse import coo_array
    from scipy.sparse.linalg import spsolve

    return spsolve(coo_array((data, (row, col)), shape).tocsc(), b)
