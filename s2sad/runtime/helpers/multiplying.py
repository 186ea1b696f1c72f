"""Products of vectors, matrices and stacks of matrices, products of all others, convolutions."""

from __future__ import annotations

from typing import Any

import numpy as np


def product_with_zeros(multiply: Any, at: int, *args: Any) -> Any:
    """multiply(*args), a sum of products: where the factor args[at] is zero, a product is zero, be the others infinite.

    >>> product_with_zeros(np.matmul, 0, np.array([[0.0, 2.0], [0.0, 0.0]]), np.array([np.inf, 3.0]))
    array([6., 0.])
    """
    y = multiply(*args)
    if not np.any(np.isnan(y)):
        return y
    there = [i for i, x in enumerate(args) if isinstance(x, np.ndarray) and x.dtype.kind in "fc" and i != at]
    finite, met = list(args), 0.0
    for i in there:
        finite[i] = np.where(np.isfinite(args[i]), args[i], 0.0)
        ones = [np.ones(np.shape(x)) if k in there else x for k, x in enumerate(args)]
        ones[at], ones[i] = np.where(args[at] != 0.0, 1.0, 0.0), np.where(np.isfinite(args[i]), 0.0, 1.0)
        met = met + multiply(*ones)
    return np.where(np.isnan(y) & (met == 0.0), multiply(*finite), y)[()]


def matmul_left(g: Any, a: Any, b: Any) -> Any:
    """The adjoint of a in `a @ b`, whose adjoint is g.

    >>> matmul_left(np.array([1.0, 2.0]), np.zeros((2, 2)), np.array([3.0, 4.0]))
    array([[3., 4.],
           [6., 8.]])
    """
    if np.ndim(a) == 1 and np.ndim(b) == 1:
        return g * b
    if np.ndim(b) == 1:
        return np.multiply(g[..., None], b)
    if np.ndim(a) == 1:
        return np.tensordot(g, np.swapaxes(b, -1, -2), np.ndim(g))
    total = g @ np.swapaxes(b, -1, -2)
    return np.reshape(
        np.sum(
            total,
            axis=tuple(
                i
                for i in range(np.ndim(total))
                if (
                    i < np.ndim(total) - np.ndim(a)
                    or np.shape(a)[i - np.ndim(total) + np.ndim(a)] == 1 != np.shape(total)[i]
                )
            ),
        ),
        np.shape(a),
    )


def matmul_right(g: Any, a: Any, b: Any) -> Any:
    """The adjoint of b in `a @ b`, whose adjoint is g.

    >>> matmul_right(np.array([1.0, 2.0]), np.eye(2), np.array([3.0, 4.0]))
    array([1., 2.])
    """
    if np.ndim(a) == 1 and np.ndim(b) == 1:
        return g * a
    if np.ndim(b) == 1:
        return np.tensordot(g, a, np.ndim(g))
    if np.ndim(a) == 1:
        return a[:, None] * g[..., None, :]
    total = np.swapaxes(a, -1, -2) @ g
    return np.reshape(
        np.sum(
            total,
            axis=tuple(
                i
                for i in range(np.ndim(total))
                if (
                    i < np.ndim(total) - np.ndim(b)
                    or np.shape(b)[i - np.ndim(total) + np.ndim(b)] == 1 != np.shape(total)[i]
                )
            ),
        ),
        np.shape(b),
    )


def dot_left(g: Any, a: Any, b: Any) -> Any:
    """The adjoint of a in np.dot(a, b), whose adjoint is g.

    >>> dot_left(1.0, np.zeros(2), np.array([3.0, 4.0]))
    array([3., 4.])
    """
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return np.sum(g * b) if np.ndim(a) == 0 else g * b
    first, rank = np.ndim(a) - 1, np.ndim(b)
    free = tuple(i for i in range(rank) if i != max(rank - 2, 0))
    return np.tensordot(g, b, (tuple(range(first, np.ndim(g))), free))


def dot_right(g: Any, a: Any, b: Any) -> Any:
    """The adjoint of b in np.dot(a, b), whose adjoint is g.

    >>> dot_right(1.0, np.array([3.0, 4.0]), np.zeros(2))
    array([3., 4.])
    """
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return np.sum(g * a) if np.ndim(b) == 0 else g * a
    axes = tuple(range(np.ndim(a) - 1))
    total = np.tensordot(g, a, (axes, axes))
    return total if np.ndim(b) == 1 else np.moveaxis(total, -1, -2)


def kron_left(g: Any, a: Any, b: Any) -> Any:
    """The adjoint of a in np.kron(a, b), whose adjoint is g.

    >>> kron_left(np.ones(4), np.zeros(2), np.array([1.0, 2.0]))
    array([3., 3.])
    """
    rank = max(np.ndim(a), np.ndim(b))
    m = (1,) * (rank - np.ndim(a)) + np.shape(a)
    n = (1,) * (rank - np.ndim(b)) + np.shape(b)
    blocks = np.reshape(g, tuple(length for pair in zip(m, n) for length in pair))  # noqa: B905
    odd = tuple(range(1, 2 * rank, 2))
    return np.reshape(np.tensordot(blocks, np.reshape(b, n), (odd, tuple(range(rank)))), np.shape(a))


def kron_right(g: Any, a: Any, b: Any) -> Any:
    """The adjoint of b in np.kron(a, b), whose adjoint is g.

    >>> kron_right(np.ones(4), np.array([1.0, 2.0]), np.zeros(2))
    array([3., 3.])
    """
    rank = max(np.ndim(a), np.ndim(b))
    m = (1,) * (rank - np.ndim(a)) + np.shape(a)
    n = (1,) * (rank - np.ndim(b)) + np.shape(b)
    blocks = np.reshape(g, tuple(length for pair in zip(m, n) for length in pair))  # noqa: B905
    even = tuple(range(0, 2 * rank, 2))
    return np.reshape(np.tensordot(blocks, np.reshape(a, m), (even, tuple(range(rank)))), np.shape(b))


def convolve_back(g: Any, x: Any, other: Any, mode: str = "full", correlated: bool | None = False) -> Any:
    """The adjoint of x in np.convolve(x, other, mode), in np.correlate(x, other, mode) or, where correlated is None,
    in np.correlate(other, x[::-1], mode).

    >>> convolve_back(np.ones(4), np.zeros(3), np.array([1.0, 2.0]))
    array([3., 3., 3.])
    """
    m, n = np.shape(x)[0], np.shape(other)[0]
    kernel = np.conj(other[::-1]) if correlated else other
    size = m + n - 1
    if mode == "full":
        start = size - np.shape(g)[0]  # not 0 for np.polymul, which leaves zeros in front out
    elif mode == "same":
        start = (min(m, n) - 1) // 2
        if (correlated and m < n) or (correlated is None and n < m):  # NumPy turns a short first argument around
            start = size - max(m, n) - start
    else:
        start = min(m, n) - 1
    full = np.zeros(size, dtype=np.result_type(g, other))
    full[start : start + np.shape(g)[0]] = g
    return np.convolve(full, kernel[::-1], "valid")


def product_of_others(x: Any, axis: Any = None) -> Any:
    """At each place the product of the other elements of x along axis.

    >>> product_of_others(np.array([2.0, 3.0, 4.0]))
    array([12.,  8.,  6.])
    """
    whole = np.prod(x, axis=axis, keepdims=True)
    if np.all(((whole != 0.0) | (np.abs(x) > 1e-15)) & np.isfinite(whole)):  # 0 for being too small is as good
        return whole / x
    shape = np.shape(x)
    if isinstance(axis, tuple):
        moved = np.moveaxis(x, axis, tuple(range(len(shape) - len(axis), len(shape))))
    else:
        moved = np.moveaxis(x, axis, -1) if axis is not None else np.reshape(x, -1)
    rows = np.reshape(moved, (*moved.shape[: moved.ndim - len(axis)], -1)) if isinstance(axis, tuple) else moved
    before, after = np.ones_like(rows), np.ones_like(rows)
    before[..., 1:] = np.cumprod(rows[..., :-1], axis=-1)
    after[..., :-1] = np.cumprod(rows[..., :0:-1], axis=-1)[..., ::-1]
    others = before * after
    if axis is None:
        return np.reshape(others, shape)
    if isinstance(axis, tuple):
        return np.moveaxis(np.reshape(others, moved.shape), tuple(range(len(shape) - len(axis), len(shape))), axis)
    return np.moveaxis(others, -1, axis)


def cumprod_back(g: Any, x: Any, y: Any, axis: Any = None) -> Any:
    """The adjoint of x in y = np.cumprod(x, axis), whose adjoint is g; right where x is zero.

    >>> cumprod_back(np.ones(3), np.array([2.0, 0.0, 4.0]), np.array([2.0, 0.0, 0.0]))
    array([ 1., 10.,  0.])
    """
    if axis is None:
        return np.reshape(cumprod_back(np.reshape(g, -1), np.reshape(x, -1), np.reshape(y, -1), 0), np.shape(x))
    if np.all(((y != 0.0) | (np.abs(x) > 1e-15)) & np.isfinite(y)):  # 0 for being too small is as good
        return np.flip(np.cumsum(np.flip(g * y, axis), axis=axis), axis) / x
    if axis != 0:
        return np.moveaxis(
            cumprod_back(np.moveaxis(g, axis, 0), np.moveaxis(x, axis, 0), np.moveaxis(y, axis, 0), 0), 0, axis
        )
    out = np.empty(np.shape(x), dtype=np.result_type(g, x))
    before = np.concatenate([np.ones_like(x[:1]), y[:-1]])
    total = g[-1]
    for i in range(len(x) - 1, -1, -1):
        out[i] = before[i] * total
        total = g[i - 1] + x[i] * total
    return out


def cumprod_tangent(dx: Any, x: Any, y: Any, axis: Any = None) -> Any:
    """The tangent of y = np.cumprod(x, axis); right where x is zero.

    >>> cumprod_tangent(np.ones(2), np.array([2.0, 0.0]), np.array([2.0, 0.0]))
    array([1., 2.])
    """
    if axis is None:
        return cumprod_tangent(np.reshape(dx, -1), np.reshape(x, -1), np.reshape(y, -1), 0)
    if np.all(((y != 0.0) | (np.abs(x) > 1e-15)) & np.isfinite(y)):
        return y * np.cumsum(dx / x, axis=axis)
    if axis != 0:
        return np.moveaxis(
            cumprod_tangent(np.moveaxis(dx, axis, 0), np.moveaxis(x, axis, 0), np.moveaxis(y, axis, 0), 0), 0, axis
        )
    out = np.empty(np.shape(y), dtype=np.result_type(dx, y))
    out[0] = dx[0]
    for i in range(1, len(x)):
        out[i] = out[i - 1] * x[i] + y[i - 1] * dx[i]
    return out


def deconvolved(t: Any, v: Any) -> Any:
    """The first coefficients of the quotient of two power series: y with np.convolve(y, v)[: len(t)] == t.

    >>> deconvolved(np.array([2.0, 5.0, 5.0]), np.array([1.0, 2.0]))
    array([2., 1., 3.])
    """
    n, m = len(t), len(v) - 1
    y, rest = np.concatenate((t, np.zeros(m, t.dtype))) / v[0], v[1:] / v[0]
    for k in range(n):
        y[k + 1 : k + 1 + m] -= y[k] * rest
    return y[:n]


def finite_slope(s: Any) -> Any:
    """A slope where it is finite, else 0; it counts as a constant.

    >>> finite_slope(np.array([2.0, np.inf])), finite_slope(0.5)
    (array([2., 0.]), 0.5)
    """
    if isinstance(s, float):  # a number of Python's leaves single precision as it is
        return float(s) if np.isfinite(s) else 0.0
    return np.where(np.isfinite(s), s, 0.0)[()]


def through_zero(x: Any, g: Any, s: Any) -> Any:
    """x times a slope s where a derivative g is zero, else 0: how g * s changes there when g changes by x.

    An x that is infinite or nan there belongs to what was left out, which stays 0.

    >>> through_zero(np.array([2.0, 2.0, np.nan]), np.array([0.0, 1.0, 0.0]), 3.0)
    array([6., 0., 0.])
    """
    return np.where((g == 0.0) & np.isfinite(x), x, 0.0)[()] * s
