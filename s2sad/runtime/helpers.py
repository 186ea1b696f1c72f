"""What generated code calls where an expression does not say it.

Each helper needs numpy alone: its source is copied into the module that uses it.
"""

from __future__ import annotations

import copy
import itertools
import math
from typing import Any

import numpy as np


def unbroadcast(g: Any, x: Any) -> Any:
    """Sum g over the axes along which x was broadcast to give g; axes of length 1 that a store left out come back.

    >>> unbroadcast(np.ones((2, 3)), np.zeros((1, 3))), unbroadcast(np.ones(3), 0.0)
    (array([[2., 2., 2.]]), np.float64(3.0))
    """
    shape = np.shape(x)
    if np.shape(g) != shape or not shape:
        extra = np.ndim(g) - len(shape)
        if extra > 0 or (isinstance(g, np.ndarray) and not g.shape):  # (a number is nobody else's memory)
            g = np.sum(g, axis=tuple(range(extra)))
        elif extra < 0:
            g = np.reshape(g, (1,) * -extra + np.shape(g))
        axes = tuple(i for i, n in enumerate(shape) if n == 1 and np.shape(g)[i] != 1)
        if axes:
            g = np.sum(g, axis=axes, keepdims=True)
    return np.real(g) if np.iscomplexobj(g) and not np.iscomplexobj(x) else g


def expand_reduced(g: Any, x: Any, axis: Any, keepdims: bool = False) -> Any:
    """The cotangent (or value) g of a reduction of x over axis, broadcast back to the shape of x.

    >>> expand_reduced(np.array([1.0, 2.0]), np.zeros((2, 3)), 1)
    array([[1., 1., 1.],
           [2., 2., 2.]])
    """
    if not keepdims and axis is not None and 0 < np.ndim(g) < np.ndim(x):
        g = np.expand_dims(g, axis)
    return np.broadcast_to(g, np.shape(x))


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


def stored_cotangent(b: Any, index: Any) -> Any:
    """The adjoint of `a[index] = value` for an index with integer arrays: where one element was stored to several
    times only the last one counts.

    >>> stored_cotangent(np.array([1.0, 2.0, 3.0]), np.array([0, 2, 0]))
    array([0., 3., 1.])
    """
    g = b[index]
    turn = np.arange(g.size).reshape(g.shape)
    last = np.zeros(b.shape, dtype=int)
    last[index] = turn
    return np.where(last[index] == turn, g, 0.0)


def like(obj: Any, **parts: Any) -> Any:
    """An object of the same class with the given attributes, and the others shared."""
    new = copy.copy(obj)
    for name, value in parts.items():
        object.__setattr__(new, name, value)
    return new


def made(cls: Any, **attributes: Any) -> Any:
    """An object of a class with the given attributes."""
    new: Any = cls.__new__(cls)
    for name, value in attributes.items():
        object.__setattr__(new, name, value)
    return new


def zeros_in(x: Any) -> Any:
    """The tangent of a constant of any kind; None where it has none.

    >>> zeros_in([2.0, (3, "W"), math.inf])
    [0.0, (0.0, None), 0.0]
    """
    if isinstance(x, (list, tuple)):
        parts = [zeros_in(part) for part in x]
        return parts if isinstance(x, list) else tuple(parts)
    if not isinstance(x, (int, float, complex, np.ndarray, np.generic)) or np.asarray(x).dtype.kind not in "biufc":
        return None
    zeros = 0.0 * np.zeros_like(x)  # (an infinite constant has a tangent of zero, too)
    return zeros if isinstance(x, (np.ndarray, np.generic)) else zeros.item()


def as_gradient(g: Any, x: Any) -> Any:
    """A gradient in the shape and dtype of its argument, a number or an array of floats.

    >>> as_gradient(2.0, 3.0), as_gradient(2.0, np.zeros(2))
    (2.0, array([2., 2.]))
    >>> as_gradient(2.0, [3.0])
    Traceback (most recent call last):
    TypeError: this derivative is for numbers and arrays of floats, not for a list: derive it for what is passed
    """
    if type(x) in (np.ndarray, np.memmap) and x.dtype.kind in "fc":
        return np.full_like(x, g)
    if isinstance(x, (int, float, complex, np.number)) and type(x) is not bool:
        return g
    what = f"an array of {x.dtype}" if type(x) is np.ndarray else f"a {type(x).__name__}"
    raise TypeError(
        f"this derivative is for numbers and arrays of floats, not for {what}: derive it for what is passed"
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


def from_diagonal(g: Any, x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """Zeros of the shape of x with g on a diagonal: np.diagonal undone.

    >>> from_diagonal(np.array([1.0, 2.0]), np.zeros((2, 3)), 1)
    array([[0., 1., 0.],
           [0., 0., 2.]])
    """
    rows, columns = np.shape(x)[axis1], np.shape(x)[axis2]
    n = max(0, min(rows + min(offset, 0), columns - max(offset, 0)))
    i = np.arange(n)
    out = np.zeros(np.shape(x), dtype=np.result_type(g, np.asarray(x).dtype))
    moved = np.moveaxis(out, (axis1, axis2), (-2, -1))
    moved[..., i - min(offset, 0), i + max(offset, 0)] = g
    return out


def diag_back(g: Any, v: Any, k: int = 0) -> Any:
    """The adjoint of v in np.diag(v, k), whose adjoint is g.

    >>> diag_back(np.array([1.0, 2.0]), np.zeros((2, 3)), 1)
    array([[0., 1., 0.],
           [0., 0., 2.]])
    """
    if np.ndim(v) == 1:
        return np.diagonal(g, k)
    i = np.arange(np.shape(g)[0])
    out = np.zeros(np.shape(v), dtype=np.result_type(g, np.asarray(v).dtype))
    out[i - min(k, 0), i + max(k, 0)] = g
    return out


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


def cofactors(a: Any, det: Any) -> Any:
    """The derivative of det = np.linalg.det(a): det * inv(a).T, and of a singular matrix by its singular values.

    >>> cofactors(np.array([[1.0, 2.0], [2.0, 4.0]]), 0.0).round(12)
    array([[ 4., -2.],
           [-2.,  1.]])
    """
    if np.all(det):
        return np.asarray(det)[..., None, None] * np.swapaxes(np.linalg.inv(a), -1, -2)
    u, s, vt = np.linalg.svd(a)
    sign = np.linalg.det(u) * np.linalg.det(vt)
    return (np.conj(u) * (sign[..., None] * product_of_others(s, -1))[..., None, :]) @ np.conj(vt)


def cofactors_tangent(da: Any, a: Any) -> Any:
    """The tangent of cofactors(a): the second derivative of the determinant, and so its own transpose. By the singular
    values whatever these are: inverses would lose all digits near a singular matrix.

    >>> cofactors_tangent(np.array([[1.0, 2.0], [3.0, 4.0]]), np.zeros((2, 2))).round(12)
    array([[ 4., -3.],
           [-2.,  1.]])
    """
    u, s, vt = np.linalg.svd(a)
    p = np.conj(np.swapaxes(u, -1, -2)) @ da @ np.conj(np.swapaxes(vt, -1, -2))
    one = np.eye(np.shape(a)[-1], dtype=s.dtype)
    rest = (1.0 - one) * product_of_others(np.where(one == 1.0, 1.0, s[..., None, :]), -1)
    c = one * (rest @ np.diagonal(p, axis1=-2, axis2=-1)[..., None]) - rest * np.swapaxes(p, -1, -2)
    return (np.linalg.det(u) * np.linalg.det(vt))[..., None, None] * (np.conj(u) @ c @ np.conj(vt))


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


def diff_back(g: Any, n: int = 1, axis: int = -1, length: Any = None) -> Any:
    """The adjoint of x in np.diff(x, n, axis), whose adjoint is g; the length of x where it may be less than n.

    >>> diff_back(np.array([1.0, 1.0]))
    array([-1.,  0.,  1.])
    """
    g = np.moveaxis(g, axis, 0)
    for _ in range(n):
        out = np.zeros((len(g) + 1, *g.shape[1:]), dtype=np.result_type(g, 1.0))
        out[1:] = g
        out[:-1] -= g
        g = out
    return np.moveaxis(g[:length], 0, axis)


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


def trapezoid_unit(v: Any, axis: int = -1) -> Any:
    """The integral of v by the trapezoidal rule with distance 1.

    >>> trapezoid_unit(np.array([1.0, 2.0, 3.0]))
    np.float64(4.0)
    """
    v = np.moveaxis(v, axis, -1)
    return np.sum(v[..., 1:] + v[..., :-1], axis=-1) / 2.0


def trapezoid_back(g: Any, v: Any, dx: Any, axis: int = -1) -> Any:
    """The adjoint of v in the trapezoidal rule with distance dx.

    >>> trapezoid_back(1.0, np.zeros(3), 1.0)
    array([0.5, 1. , 0.5])
    """
    moved = np.moveaxis(v, axis, -1)
    step = np.broadcast_to(
        np.asarray(dx * np.expand_dims(g, -1) / 2.0, dtype=np.asarray(v).dtype),
        (*moved.shape[:-1], max(moved.shape[-1] - 1, 0)),
    )
    out = np.zeros_like(moved)
    out[..., 1:] += step
    out[..., :-1] += step
    return np.moveaxis(out, -1, axis)


def trapezoid_values_back(g: Any, v: Any, x: Any, axis: int = -1) -> Any:
    """The adjoint of v in np.trapezoid(v, x, axis=axis), whose adjoint is g.

    >>> trapezoid_values_back(1.0, np.zeros(3), np.array([0.0, 1.0, 3.0]))
    array([0.5, 1.5, 1. ])
    """
    moved = np.moveaxis(v, axis, -1)
    points = x if np.ndim(x) == 1 else np.moveaxis(x, axis, -1)
    step = np.expand_dims(g, -1) * np.diff(points) / 2.0
    out = np.zeros_like(moved)
    out[..., 1:] += step
    out[..., :-1] += step
    return np.moveaxis(out, -1, axis)


def trapezoid_points_back(g: Any, v: Any, x: Any, axis: int = -1) -> Any:
    """The adjoint of x in np.trapezoid(v, x, axis=axis), whose adjoint is g.

    >>> trapezoid_points_back(1.0, np.array([1.0, 1.0, 1.0]), np.zeros(3))
    array([-1.,  0.,  1.])
    """
    moved = np.moveaxis(v, axis, -1)
    step = np.expand_dims(g, -1) * (moved[..., 1:] + moved[..., :-1]) / 2.0
    out = np.zeros(moved.shape, dtype=step.dtype)
    out[..., 1:] += step
    out[..., :-1] -= step
    if np.ndim(x) == 1:
        return np.sum(out, axis=tuple(range(out.ndim - 1)))
    return np.moveaxis(out, -1, axis)


def places_in_order(x: Any) -> Any:
    """Where the elements of x stand, counted through all of it, in the order that sorts the last axis.

    >>> places_in_order(np.array([[3.0, 1.0], [5.0, 6.0]]))
    array([[1, 0],
           [2, 3]])
    """
    order = np.argsort(x, axis=-1)
    if np.ndim(x) > 1:
        rows = np.reshape(np.arange(math.prod(x.shape[:-1])), (*x.shape[:-1], 1))
        order += x.shape[-1] * rows
    return order


def shared_by_equals(g: Any, x: Any) -> Any:
    """g, and its mean where neighbours on the last axis of x are equal.

    >>> shared_by_equals(np.array([1.0, 3.0, 5.0]), np.array([7.0, 7.0, 8.0]))
    array([2., 2., 5.])
    """
    first = np.ones(x.shape, dtype=bool)
    np.not_equal(x[..., 1:], x[..., :-1], out=first[..., 1:])
    if np.all(first):
        return g
    group = np.cumsum(first) - 1
    mean = np.bincount(group, np.ravel(g)) / np.bincount(group)
    return np.reshape(mean[group], x.shape).astype(np.result_type(g, 1.0))


def sort_tangent(dx: Any, x: Any, axis: Any = -1) -> Any:
    """The tangent of np.sort(x, axis): sorted along; equal elements share evenly.

    >>> sort_tangent(np.array([1.0, 2.0, 4.0]), np.array([3.0, 1.0, 1.0]))
    array([3., 3., 1.])
    """
    if axis is None:
        dx, x, axis = np.reshape(dx, -1), np.reshape(x, -1), 0
    x, dx = np.moveaxis(x, axis, -1), np.moveaxis(dx, axis, -1)
    order = places_in_order(x)
    return np.moveaxis(shared_by_equals(np.take(dx, order), np.take(x, order)), -1, axis)


def sort_back(g: Any, x: Any, axis: Any = -1) -> Any:
    """The adjoint of x in np.sort(x, axis), whose adjoint is g; equal elements share evenly.

    >>> sort_back(np.array([1.0, 2.0, 4.0]), np.array([3.0, 1.0, 1.0]))
    array([4. , 1.5, 1.5])
    """
    shape = np.shape(x)
    if axis is None:
        x, axis = np.reshape(x, -1), 0
    x, g = np.moveaxis(x, axis, -1), np.moveaxis(g, axis, -1)
    order = places_in_order(x)
    out = np.empty(x.size, dtype=np.result_type(g, 1.0))
    out[order] = shared_by_equals(g, np.take(x, order))
    return np.reshape(np.moveaxis(np.reshape(out, x.shape), -1, axis), shape)


def quantile_parts(x: Any, q: float, axis: Any = None) -> Any:
    """What np.quantile(x, q, axis) is made of: pairs of a share and where the elements are that it is a share of.

    >>> [(share, where.tolist()) for share, where in quantile_parts(np.array([3.0, 1.0, 2.0, 9.0]), 0.5)]
    [(0.5, [False, False, True, False]), (0.5, [True, False, False, False])]
    """
    axes = range(np.ndim(x)) if axis is None else [a % np.ndim(x) for a in ([axis] if isinstance(axis, int) else axis)]
    lengths = [1 if i in axes else n for i, n in enumerate(np.shape(x))]
    last = np.moveaxis(x, axes, range(np.ndim(x) - len(axes), np.ndim(x)))
    rows = np.reshape(last, (math.prod(lengths), math.prod(np.shape(x)[i] for i in axes)))
    at = q * (rows.shape[1] - 1.0)
    low = min(max(math.floor(at), 0), rows.shape[1] - 1)
    high = min(low + 1, rows.shape[1] - 1)
    ordered = np.partition(rows, (low, high), axis=1)
    values = [np.reshape(ordered[:, i], lengths) for i in (low, high)]
    return [(share, x == value) for share, value in zip((1.0 - at + low, at - low), values, strict=True) if share]


def quantile_tangent(dx: Any, x: Any, q: float, axis: Any = None, keepdims: bool = False) -> Any:
    """The tangent of np.quantile(x, q, axis); equal elements share evenly.

    >>> quantile_tangent(np.array([1.0, 2.0, 4.0, 8.0]), np.array([3.0, 1.0, 2.0, 9.0]), 0.5)
    np.float64(2.5)
    """
    axis = tuple(axis) if isinstance(axis, list) else axis
    return sum(share * np.mean(dx, axis=axis, keepdims=keepdims, where=w) for share, w in quantile_parts(x, q, axis))


def quantile_back(g: Any, x: Any, q: float, axis: Any = None, keepdims: bool = False) -> Any:
    """The adjoint of x in np.quantile(x, q, axis), whose adjoint is g; equal elements share evenly.

    >>> quantile_back(1.0, np.array([3.0, 1.0, 2.0, 9.0]), 0.5)
    array([0.5, 0. , 0.5, 0. ])
    """
    axis = tuple(axis) if isinstance(axis, list) else axis
    g = g if axis is None or keepdims else np.expand_dims(g, axis)
    out = np.zeros_like(x)
    for share, where in quantile_parts(x, q, axis):
        out += where * (share * g / np.count_nonzero(where, axis=axis, keepdims=axis is not None))
    return out


def quantiles_tangent(dx: Any, x: Any, q: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The tangent of np.quantile(x, q, axis) for several q; equal elements share evenly.

    >>> quantiles_tangent(np.array([1.0, 2.0, 4.0, 8.0]), np.array([3.0, 1.0, 2.0, 9.0]), [0.5, 1.0])
    array([2.5, 8. ])
    """
    axes = tuple(range(np.ndim(x))) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    axes = tuple(a % np.ndim(x) for a in axes)
    rest = tuple(i for i in range(np.ndim(x)) if i not in axes)
    lengths = tuple(np.shape(x)[i] for i in rest)
    taken = tuple(np.shape(x)[i] for i in axes)
    rows = np.reshape(np.transpose(x, rest + axes), (int(np.prod(lengths)), int(np.prod(taken))))
    drows = np.reshape(np.transpose(dx, rest + axes), rows.shape)
    order = np.argsort(rows, axis=1)
    rows, drows = np.take_along_axis(rows, order, 1), np.take_along_axis(drows, order, 1)
    starts = np.ones(rows.shape, dtype=bool)
    starts[:, 1:] = rows[:, 1:] != rows[:, :-1]
    if not np.all(starts):
        group = np.cumsum(starts.ravel()) - 1
        mean = np.bincount(group, drows.ravel()) / np.bincount(group)
        drows = np.reshape(mean[group], rows.shape).astype(drows.dtype)
    at = np.asarray(q) * (rows.shape[1] - 1.0)
    low = np.clip(np.floor(at).astype(int), 0, rows.shape[1] - 1)
    high = np.minimum(low + 1, rows.shape[1] - 1)
    weight = (at - low).astype(drows.dtype)
    out = np.moveaxis(drows[:, low] * (1 - weight) + drows[:, high] * weight, 0, -1)
    kept = tuple(1 if i in axes else n for i, n in enumerate(np.shape(x))) if keepdims else lengths
    return np.reshape(out, np.shape(q) + kept)[()]


def quantiles_back(g: Any, x: Any, q: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The adjoint of x in np.quantile(x, q, axis) for several q, whose adjoint is g; equal elements share evenly.

    >>> quantiles_back(np.array([1.0, 3.0]), np.array([3.0, 1.0, 2.0, 9.0]), [0.5, 1.0])
    array([0.5, 0. , 0.5, 3. ])
    """
    axes = tuple(range(np.ndim(x))) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    axes = tuple(a % np.ndim(x) for a in axes)
    rest = tuple(i for i in range(np.ndim(x)) if i not in axes)
    lengths = tuple(np.shape(x)[i] for i in rest)
    moved = np.transpose(x, rest + axes)
    rows = np.reshape(moved, (int(np.prod(lengths)), int(np.prod(moved.shape[len(rest) :]))))
    order = np.argsort(rows, axis=1)
    rows = np.take_along_axis(rows, order, 1)
    at = np.ravel(q) * (rows.shape[1] - 1.0)
    low = np.clip(np.floor(at).astype(int), 0, rows.shape[1] - 1)
    high = np.minimum(low + 1, rows.shape[1] - 1)
    weight = at - low
    grows = np.reshape(np.asarray(g), (len(at), rows.shape[0])).T
    out = np.zeros_like(rows)
    np.add.at(out, (slice(None), low), grows * (1 - weight))  # type: ignore[arg-type]
    np.add.at(out, (slice(None), high), grows * weight)  # type: ignore[arg-type]
    starts = np.ones(rows.shape, dtype=bool)
    starts[:, 1:] = rows[:, 1:] != rows[:, :-1]
    shares = out.copy()
    if not np.all(starts):
        group = np.cumsum(starts.ravel()) - 1
        mean = np.bincount(group, out.ravel()) / np.bincount(group)
        shares = np.reshape(mean[group], rows.shape)
    np.put_along_axis(out, order, shares, 1)
    return np.transpose(np.reshape(out, moved.shape), np.argsort(rest + axes))


def tile_back(g: Any, x: Any, reps: Any) -> Any:
    """The adjoint of x in np.tile(x, reps), whose adjoint is g.

    >>> tile_back(np.arange(6.0), np.zeros(2), 3)
    array([6., 9.])
    """
    counts = (reps,) if np.ndim(reps) == 0 else tuple(reps)
    rank = max(len(counts), np.ndim(x))
    counts = (1,) * (rank - len(counts)) + counts
    lengths = (1,) * (rank - np.ndim(x)) + np.shape(x)
    blocks = np.reshape(g, tuple(n for pair in zip(counts, lengths) for n in pair))  # noqa: B905
    return np.reshape(np.sum(blocks, axis=tuple(range(0, 2 * rank, 2))), np.shape(x))


def repeat_back(g: Any, x: Any, repeats: Any, axis: Any = None) -> Any:
    """The adjoint of x in np.repeat(x, repeats, axis), whose adjoint is g.

    >>> repeat_back(np.arange(4.0), np.zeros(2), [1, 3])
    array([0., 6.])
    """
    axis = axis if np.ndim(x) else None
    flat, g = (np.reshape(x, -1), g) if axis is None else (np.moveaxis(x, axis, 0), np.moveaxis(g, axis, 0))
    counts = np.broadcast_to(repeats, len(flat))
    some = counts > 0
    out = np.zeros(flat.shape, dtype=np.result_type(g, flat.dtype))
    out[some] = np.add.reduceat(g, (np.cumsum(counts) - counts)[some], axis=0)
    return np.reshape(out, np.shape(x)) if axis is None else np.moveaxis(out, 0, axis)


def pad_back(g: Any, x: Any, pad_width: Any, mode: str = "constant") -> Any:
    """The adjoint of x in np.pad(x, pad_width, mode), whose adjoint is g.

    >>> pad_back(np.arange(4.0), np.zeros(2), 1, "edge")
    array([1., 5.])
    """
    widths = np.broadcast_to(np.asarray(pad_width), (np.ndim(x), 2))
    for axis, (before, after) in enumerate(widths.tolist()):
        n = np.shape(x)[axis]
        g = np.moveaxis(g, axis, 0)
        if mode == "constant":
            g = g[before : before + n]
        else:
            source = np.pad(np.arange(n), (before, after), mode)  # type: ignore[call-overload]
            out = g[before : before + n].copy()
            np.add.at(out, source[:before], g[:before])
            np.add.at(out, source[before + n :], g[before + n :])
            g = out
        g = np.moveaxis(g, 0, axis)
    return g


def take_back(g: Any, x: Any, indices: Any, axis: Any = None) -> Any:
    """The adjoint of x in np.take(x, indices, axis), whose adjoint is g.

    >>> take_back(np.arange(4.0), np.zeros(3), [0, 2, 2, -1])
    array([0., 0., 6.])
    """
    dtype = np.result_type(g, np.asarray(x).dtype)
    before, n, behind = 1, np.size(x), 1
    if axis is not None:
        axis = axis % np.ndim(x)
        before, n, behind = math.prod(np.shape(x)[:axis]), np.shape(x)[axis], math.prod(np.shape(x)[axis + 1 :])
    places: Any = np.ravel(indices if np.size(indices) else np.zeros(0, int))  # of an empty list: of floats
    places = np.take(np.arange(n), places)  # from the start, and there
    if before != 1 or behind != 1:
        rows = np.reshape(np.arange(before) * n, (-1, 1)) + places
        places = np.ravel(np.reshape(rows * behind, (before, len(places), 1)) + np.arange(behind))
    if dtype.kind == "c":
        out = np.zeros(np.size(x), dtype=dtype)
        np.add.at(out, places, np.ravel(g))
    else:  # several times faster than np.add.at where it adds rows
        out = np.bincount(places, np.ravel(g), np.size(x)).astype(dtype)
    return np.reshape(out, np.shape(x))


def take_along_back(g: Any, x: Any, indices: Any, axis: Any = -1) -> Any:
    """The adjoint of x in np.take_along_axis(x, indices, axis), whose adjoint is g.

    >>> take_along_back(np.array([1.0, 2.0]), np.zeros(3), np.array([1, 1]), 0)
    array([0., 3., 0.])
    """
    out = np.zeros(np.shape(x), dtype=np.result_type(g, np.asarray(x).dtype))
    if axis is None:
        np.add.at(np.reshape(out, -1), indices, g)
        return out
    axis = axis % np.ndim(x)
    where = list(np.ogrid[tuple(slice(0, n) for n in np.shape(g))])
    where[axis] = indices
    if any(n == 1 != m for n, m in zip(np.shape(x), np.shape(g))):  # noqa: B905
        where = [w if np.shape(x)[i] != 1 else w * 0 for i, w in enumerate(where)]
    np.add.at(out, tuple(where), g)
    return out


def delete_back(g: Any, x: Any, obj: Any, axis: Any = None) -> Any:
    """The adjoint of x in np.delete(x, obj, axis), whose adjoint is g.

    >>> delete_back(np.array([1.0, 2.0]), np.zeros(3), 1)
    array([1., 0., 2.])
    """
    flat = np.reshape(x, -1) if axis is None else np.moveaxis(x, axis, 0)
    left = np.delete(np.arange(len(flat)), obj)
    out = np.zeros(flat.shape, dtype=np.result_type(g, flat.dtype))
    out[left] = g if axis is None else np.moveaxis(g, axis, 0)
    return np.reshape(out, np.shape(x)) if axis is None else np.moveaxis(out, 0, axis)


def resize_back(g: Any, x: Any) -> Any:
    """The adjoint of x in np.resize(x, shape), whose adjoint is g.

    >>> resize_back(np.arange(3.0), np.zeros(2))
    array([2., 1.])
    """
    n = max(np.size(x), 1)
    rounds = -(-np.size(g) // n)
    wide = np.zeros(rounds * n, dtype=np.result_type(g, 1.0))
    wide[: np.size(g)] = np.ravel(g)
    return np.reshape(np.sum(np.reshape(wide, (rounds, n)), axis=0)[: np.size(x)], np.shape(x))


def sliding_windows_back(g: Any, x: Any, window_shape: Any, axis: Any = None) -> Any:
    """The adjoint of x in sliding_window_view(x, window_shape, axis), whose adjoint is g.

    >>> sliding_windows_back(np.array([[1.0, 2.0], [3.0, 4.0]]), np.zeros(3), 2)
    array([1., 5., 4.])
    """
    window = window_shape if isinstance(window_shape, tuple) else (window_shape,)
    axes = range(np.ndim(x)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    if np.ndim(x) == np.size(window) == 1:  # g[i, k] goes to i + k: rows moved by i, as in an array one column wider
        g = g if np.shape(g)[0] <= np.shape(g)[1] else np.swapaxes(g, 0, 1)
        n, m = np.shape(g)
        rows = np.zeros((n, n + m), dtype=np.result_type(np.asarray(g), 1.0))
        rows[:, :m] = g
        return np.sum(np.reshape(np.ravel(rows)[: n * (n + m - 1)], (n, n + m - 1)), axis=0)
    out = np.zeros(np.shape(x), dtype=np.result_type(np.asarray(g), 1.0))
    for start in np.ndindex(*window):
        place = [slice(None)] * np.ndim(x)
        for k, first in zip(axes, start, strict=True):
            place[k] = slice(first, first + np.shape(g)[k % np.ndim(x)])
        out[tuple(place)] += g[(..., *start)]
    return out


def trim_zeros_back(g: Any, x: Any, trim: str = "fb") -> Any:
    """The adjoint of x in np.trim_zeros(x, trim), whose adjoint is g.

    >>> trim_zeros_back(np.array([1.0]), np.array([0.0, 2.0, 0.0]))
    array([0., 1., 0.])
    """
    first = int(np.argmax(np.append(x, 1.0) != 0)) if "f" in trim.lower() else 0
    out = np.zeros(np.shape(x), dtype=np.result_type(np.asarray(g), 1.0))
    out[first : first + len(g)] = g
    return out


def trim_zeros_tangent(dx: Any, x: Any, trim: str = "fb") -> Any:
    """The tangent of np.trim_zeros(x, trim).

    >>> trim_zeros_tangent(np.array([5.0, 0.0, 7.0]), np.array([0.0, 2.0, 3.0]))
    array([0., 7.])
    """
    first = int(np.argmax(np.append(x, 1.0) != 0)) if "f" in trim.lower() else 0
    return dx[first : first + len(np.trim_zeros(x, trim))]  # type: ignore[arg-type]


def matrix_power_back(g: Any, x: Any, n: int) -> Any:
    """The adjoint of x in np.linalg.matrix_power(x, n), whose adjoint is g.

    >>> matrix_power_back(np.eye(2), 2.0 * np.eye(2), 3)
    array([[12.,  0.],
           [ 0., 12.]])
    """
    sign = 1.0
    if n < 0:
        x, n, sign = np.linalg.inv(x), -n, -1.0
    t = np.swapaxes(x, -1, -2)
    power, out = t, g if n else np.zeros_like(x)
    for k in range(int(n).bit_length() - 2, -1, -1):  # the derivative of t**n along g, by squaring
        out = power @ out + out @ power
        odd = (n >> k) % 2
        if k or odd:
            power = power @ power
        if odd:
            out = power @ g + out @ t
        if k and odd:
            power = power @ t
    return out if sign > 0 else -t @ out @ t


def solve_transposed(g: Any, a: Any, b: Any) -> Any:
    """The solution of the transposed system for a g with the shape of np.linalg.solve(a, b).

    >>> solve_transposed(np.array([1.0, 2.0]), 2.0 * np.eye(2), np.zeros(2))
    array([0.5, 1. ])
    """
    t = np.swapaxes(a, -1, -2)
    return np.linalg.solve(t, g[..., None])[..., 0] if np.ndim(b) == 1 else np.linalg.solve(t, g)


def solve_product(a: Any, y: Any, b: Any) -> Any:
    """a times the solution y of a system with the right-hand side b.

    >>> solve_product(2.0 * np.eye(2), np.array([1.0, 2.0]), np.zeros(2))
    array([2., 4.])
    """
    return (a @ y[..., None])[..., 0] if np.ndim(b) == 1 else a @ y


def solve_matrix_back(t: Any, y: Any, a: Any, b: Any) -> Any:
    """The adjoint of a in y = np.linalg.solve(a, b), where t solves the transposed system for the adjoint of y.

    >>> solve_matrix_back(np.array([1.0, 3.0]), np.array([1.0, 2.0]), np.eye(2), np.zeros(2))
    array([[-1., -2.],
           [-3., -6.]])
    """
    out = -t[..., :, None] * y[..., None, :] if np.ndim(b) == 1 else -t @ np.swapaxes(y, -1, -2)
    out = np.sum(out, axis=tuple(range(out.ndim - np.ndim(a))))
    return np.sum(out, axis=tuple(i for i, n in enumerate(np.shape(a)) if n == 1 != out.shape[i]), keepdims=True)


def cholesky_back(g: Any, y: Any) -> Any:
    """The adjoint of the lower triangle of a matrix whose Cholesky factor is y, with the adjoint g: by blocks of
    columns, the last first (Murray 2016).

    >>> cholesky_back(np.eye(2), np.array([[2.0, 0.0], [0.0, 4.0]]))
    array([[0.25 , 0.   ],
           [0.   , 0.125]])
    """
    b, n = np.tril(g) * 1.0, np.shape(y)[-1]
    size = n // (n // 40 + 1) + 1
    half = np.tri(size, dtype=y.dtype) - 0.5 * np.eye(size, dtype=y.dtype)
    for end in range(n, 0, -size):
        start = max(end - size, 0)
        own, column = y[..., start:end, start:end], b[..., start:, start:end]
        top, below = column[..., : end - start, :], column[..., end - start :, :]
        x, half = np.linalg.inv(own), half[: end - start, : end - start]
        p = np.swapaxes(own, -1, -2) @ top
        if end < n:
            turned = np.swapaxes(below, -1, -2)
            p -= turned @ y[..., end:, start:end]
            below[...] = below @ x
            b[..., start:end, :start] -= turned @ y[..., end:, :start]
        p *= half
        s = np.swapaxes(x, -1, -2) @ (p + np.swapaxes(p, -1, -2)) @ x
        if start:
            top[...] = s
            b[..., start:, :start] -= column @ y[..., start:end, :start]
        top[...] = s * half
    return b


def svdvals_tangent(dx: Any, x: Any) -> Any:
    """The tangent of the singular values of x.

    >>> svdvals_tangent(np.eye(2), np.diag([3.0, 2.0]))
    array([1., 1.])
    """
    u, _, vt = np.linalg.svd(x, full_matrices=False)
    return np.real(np.sum(np.conj(u) * (dx @ np.conj(np.swapaxes(vt, -1, -2))), axis=-2))


def spectral(g: Any, a: Any, uplo: str = "L", v: Any = None) -> Any:
    """The conjugate of the Hermitian matrix with the eigenvectors of a and eigenvalues g: whatever their phases are.

    `v` are the eigenvectors, where they are known.

    >>> spectral(np.array([1.0, 3.0]), np.array([[5.0, 1.0], [1.0, 5.0]]))
    array([[2., 1.],
           [1., 2.]])
    """
    v = np.linalg.eigh(a, uplo)[1] if v is None else v  # type: ignore[call-overload]
    return (np.conj(v) * g[..., None, :]) @ np.swapaxes(v, -1, -2)


def equal_parts(w: Any) -> Any:
    """Slices of ascending eigenvalues that are equal up to rounding, of two and more.

    >>> equal_parts(np.array([1.0, 2.0, 2.0, 3.0]))
    [slice(1, 3, None)]
    """
    near = np.finfo(w.dtype).eps ** (2 / 3) * np.max(np.abs(w), initial=0.0)
    ends = [0, *(np.flatnonzero(np.diff(w) > near) + 1), len(w)]
    return [slice(int(i), int(j)) for i, j in itertools.pairwise(ends) if j - i > 1]


def over_gaps(p: Any, gap: Any, near: Any, unread: Any = True) -> Any:
    """p / gap; where a gap is at most `near` its digits are rounding: nan, and 0 where p is 0 and `unread` says so.

    >>> over_gaps(np.array([1.0, 1.0, 0.0]), np.array([2.0, 1e-17, 1e-17]), 1e-11)
    array([0.5, nan, 0. ])
    """
    lost = np.abs(gap) <= near
    return np.where(lost & unread & (p == 0.0), 0.0, p / np.where(lost, np.nan, gap))


def gaps(w: Any) -> Any:
    """w_j - w_i at (i, j), inf on the diagonal.

    >>> gaps(np.array([1.0, 3.0]))
    array([[inf,  2.],
           [-2., inf]])
    """
    return np.where(np.eye(w.shape[-1], dtype=bool), np.inf, w[..., None, :] - w[..., :, None])


def least_gap(w: Any, condition: Any = 1.0) -> Any:
    """The gap of eigenvalues of which rounding leaves too few digits for a derivative of their vectors.

    >>> print(f"{least_gap(np.array([1.0, 3.0])).item():.0e}")
    1e-10
    """
    eps = np.finfo(w.dtype).eps
    share = np.minimum(np.maximum(eps ** (2 / 3), w.shape[-1] * eps * condition), 1.0)
    return (share * np.max(np.abs(w), axis=-1, initial=0.0))[..., None, None]


def unread_pairs(m: Any, gap: Any, gw: Any) -> Any:
    """Is nothing made of two vectors? Their cotangents are 0, and those of their values. Of values equal to the last
    bit this says nothing: log(w) of two that are 1 has no cotangents for the vectors, and log(a) has a derivative.

    >>> bool(unread_pairs(np.zeros((2, 2)), gaps(np.array([1.0, 3.0])), np.zeros(2)).all())
    True
    """
    read = (m != 0.0) | (gw != 0.0)[..., None, :]
    return ~(read | np.swapaxes(read, -1, -2)) & (gap != 0.0)


def turns(p: Any, w: Any) -> Any:
    """The tangent of eigenvectors in their own basis, where p is that of the matrix; nan of equal eigenvalues.

    >>> turns(np.array([[5.0, 1.0], [1.0, 5.0]]), np.array([1.0, 3.0]))
    array([[ 0. ,  0.5],
           [-0.5,  0. ]])
    """
    return over_gaps(p, gaps(w), least_gap(w))


def turns_back(m: Any, w: Any, gw: Any) -> Any:
    """The adjoint of a symmetric matrix in the basis of its eigenvectors, where m is theirs and gw that of eigenvalues.

    Of equal eigenvalues nan, where they are read: of v @ diag(f(w)) @ v.T it is f'(w), which m and gw do not tell.

    >>> turns_back(np.array([[5.0, 1.0], [0.0, 5.0]]), np.array([1.0, 3.0]), np.zeros(2)) + 0.0
    array([[0. , 0.5],
           [0. , 0. ]])
    """
    gap = gaps(w)
    return over_gaps(m, gap, least_gap(w), unread_pairs(m, gap, gw))


def eigenvalue_slopes(p: Any, w: Any) -> Any:
    """The tangent of ascending eigenvalues w, where p is the tangent of the matrix in the basis of its eigenvectors.

    Equal eigenvalues part in the order of the eigenvalues of their block.

    >>> eigenvalue_slopes(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([1.0, 1.0]))
    array([-1.,  1.])
    """
    slopes = np.real(np.diagonal(p, axis1=-2, axis2=-1)).copy()
    for k in np.ndindex(w.shape[:-1]):
        for part in equal_parts(w[k]):
            slopes[k][part] = np.linalg.eigvalsh(p[k][part, part])
    return slopes


def spectral_ratios(g: Any, w: Any) -> Any:
    """(g_j - g_i) / (w_j - w_i) for ascending w; where these are equal, 0 if g is equal there, too, else nan.

    >>> spectral_ratios(np.array([2.0, 6.0, 6.0]), np.array([1.0, 3.0, 3.0]))
    array([[0., 2., 2.],
           [2., 0., 0.],
           [2., 0., 0.]])
    """
    gap, rise = w[..., None, :] - w[..., :, None], g[..., None, :] - g[..., :, None]
    ratios = rise / np.where(gap == 0.0, 1.0, gap)
    for k in np.ndindex(w.shape[:-1]):
        near = np.finfo(w.dtype).eps ** 0.5 * np.max(np.abs(g[k]), initial=0.0)
        for part in equal_parts(w[k]):
            ratios[k][part, part] = 0.0 if np.ptp(g[k][part]) <= near else np.nan
    return ratios


def spectral_tangent(dg: Any, da: Any, g: Any, w: Any, v: Any) -> Any:
    """The tangent of spectral(g, a), where w and v are eigenvalues and eigenvectors of a.

    Vectors of equal eigenvalues are turned to where they tend along da: there dg is known (`eigenvalue_slopes`).

    >>> swap = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> np.round(spectral_tangent(np.array([-6.0, 6.0]), swap, np.ones(2), np.ones(2), np.eye(2)), 12) + 0.0
    array([[0., 6.],
           [6., 0.]])
    """
    v = v.copy()
    for k in np.ndindex(w.shape[:-1]):
        for part in equal_parts(w[k]):
            own = v[k][:, part]
            v[k][:, part] = own @ np.linalg.eigh(np.conj(own.T) @ da[k] @ own)[1]
    vh = np.conj(np.swapaxes(v, -1, -2))
    inner = (vh @ da @ v) * spectral_ratios(g, w) + dg[..., None, :] * np.eye(w.shape[-1], dtype=w.dtype)
    return np.conj(v @ inner @ vh)


def spectral_back(gy: Any, g: Any, w: Any, v: Any) -> Any:
    """The adjoint of a in spectral(g, a), where w and v are eigenvalues and eigenvectors of a.

    What g does where eigenvalues part is not known in reverse.

    Raises:
        ValueError: eigenvalues are equal, and the cotangent asks how they part.

    >>> spectral_back(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([1.0, 5.0]), np.array([1.0, 2.0]), np.eye(2))
    array([[0., 4.],
           [4., 0.]])
    """
    vh = np.conj(np.swapaxes(v, -1, -2))
    q = vh @ gy @ v
    q = 0.5 * (q + np.conj(np.swapaxes(q, -1, -2)))
    ratios = spectral_ratios(g, w)
    for k in np.ndindex(w.shape[:-1]):
        near = np.finfo(w.dtype).eps ** (2 / 3) * np.max(np.abs(q[k]), initial=0.0)
        for part in equal_parts(w[k]):
            block = q[k][part, part]
            if np.any(np.abs(block - np.diag(np.diag(block))) > near) and np.all(ratios[k][part, part] == 0.0):
                raise ValueError(
                    "reverse mode over reverse mode has no second derivative of equal eigenvalues: take hvp or hessian"
                )
    return np.conj(v @ (q * ratios) @ vh)


def largest(a: Any, axis: Any = None) -> Any:
    """The largest elements, with axes of length 1, and 0 for those that are not finite: what a sum of exponentials is
    shifted by.

    >>> largest(np.array([1.0, 3.0]))
    array([3.])
    """
    y = np.max(np.real(a), axis=axis, keepdims=True)
    return np.where(np.isfinite(y), y, 0.0)


def sides_of_bounds(a: Any, b: Any, low: Any, high: Any) -> Any:
    """-1, 0 or 1: which unknowns of a bounded least-squares problem are at their lower bound, inside, at the upper.

    By the method that ends on bounds and not beside them, of columns of length 1: its tolerance is no relative one.

    >>> sides_of_bounds(np.eye(2), np.array([0.5, 2.0]), 0.0, 1.0)
    array([0, 1])
    """
    from scipy.optimize import lsq_linear

    lengths = np.linalg.norm(a, axis=0)
    lengths[lengths == 0.0] = 1.0
    size = np.linalg.norm(b) or 1.0
    scale = lengths / size
    found = lsq_linear(a / lengths, b / size, (low * scale, high * scale), "bvls", 1e-14, max_iter=10 * len(scale))
    free = found.active_mask == 0
    if not np.all(free) and np.linalg.matrix_rank(a * free) < np.sum(free):
        raise np.linalg.LinAlgError("the equations do not determine the unknowns that are at no bound: no derivative")
    return found.active_mask.astype(int)


def singular(g: Any, a: Any) -> Any:
    """The conjugate of the matrix with the singular vectors of a and the numbers g in place of its singular values.

    >>> singular(np.array([2.0, 1.0]), np.diag([5.0, 3.0j])).imag + 0.0
    array([[ 0.,  0.],
           [ 0., -1.]])
    """
    u, _, vt = np.linalg.svd(a, full_matrices=False)
    return np.conj((u * g[..., None, :]) @ vt)


def singular_slope(e: Any, g: Any, a: Any) -> Any:
    """The conjugate of the derivative of conj(singular(g, a)) along e: whatever the phases of the vectors are.

    >>> np.round(singular_slope(np.eye(2) * 1j, np.ones(2), np.diag([5.0, 4.0])).imag + 0.0, 12)
    array([[-0.2 ,  0.  ],
           [ 0.  , -0.25]])
    """
    u, s, vt = np.linalg.svd(a, full_matrices=False)
    ut, v = np.conj(np.swapaxes(u, -1, -2)), np.conj(np.swapaxes(vt, -1, -2))
    p = ut @ e @ v
    turned = np.conj(np.swapaxes(p, -1, -2))
    gap, rise = s[..., None, :] - s[..., :, None], g[..., None, :] - g[..., :, None]
    even = rise / np.where((gap == 0.0) & (rise == 0.0), 1.0, gap)
    odd = (g[..., None, :] + g[..., :, None]) / (s[..., None, :] + s[..., :, None])
    inner = 0.5 * (p + turned) * even + 0.5 * (p - turned) * odd
    scale = (g / s)[..., None, :]
    return np.conj(u @ inner @ vt + ((e @ v - u @ p) * scale) @ vt + (u * scale) @ (ut @ e - p @ vt))


def svd_back(gu: Any, gs: Any, gvt: Any, u: Any, s: Any, vt: Any) -> Any:
    """The adjoint of x in u, s, vt = np.linalg.svd(x, full_matrices=False).

    >>> svd_back(np.zeros((2, 2)), np.ones(2), np.zeros((2, 2)), np.eye(2), np.array([3.0, 2.0]), np.eye(2))
    array([[1., 0.],
           [0., 1.]])
    """
    ut, v, gv = np.swapaxes(u, -1, -2), np.swapaxes(vt, -1, -2), np.swapaxes(gvt, -1, -2)
    row, column, near = s[..., None, :], s[..., :, None], least_gap(s)
    gap = gaps(s)
    right = row / (row + column)  # (the squares of tiny and of huge singular values are not numbers)
    left = column / (row + column)
    a, b = ut @ gu, vt @ gv
    inner = (a - np.swapaxes(a, -1, -2)) * right + left * (b - np.swapaxes(b, -1, -2))
    inner = over_gaps(inner, gap, near, unread_pairs(np.abs(a) + np.abs(b), gap, gs))
    out = u @ (inner + gs[..., None] * np.eye(s.shape[-1])) @ vt
    unread = (row != 0.0) & (gs == 0.0)[..., None, :]
    if u.shape[-2] != u.shape[-1]:
        out = out + over_gaps(gu - u @ a, row, near, unread) @ vt
    if v.shape[-2] != v.shape[-1]:
        out = out + u @ np.swapaxes(over_gaps(gv - v @ b, row, near, unread), -1, -2)
    return out.astype(u.dtype)


def svd_tangent(dx: Any, u: Any, s: Any, vt: Any) -> Any:
    """The tangents of u, s, vt = np.linalg.svd(x, full_matrices=False).

    >>> svd_tangent(np.eye(2), np.eye(2), np.array([3.0, 2.0]), np.eye(2))[1]
    array([1., 1.])
    """
    ut, v = np.swapaxes(u, -1, -2), np.swapaxes(vt, -1, -2)
    row, column, near = s[..., None, :], s[..., :, None], least_gap(s)
    gap = gaps(s)
    right = row / (row + column)  # (the squares of tiny and of huge singular values are not numbers)
    left = column / (row + column)
    p = ut @ dx @ v
    pt = np.swapaxes(p, -1, -2)
    du = u @ over_gaps(p * right + left * pt, gap, near)
    dv = v @ over_gaps(left * p + pt * right, gap, near)
    if u.shape[-2] != u.shape[-1]:
        du = du + over_gaps(dx @ v - u @ p, row, near)
    if v.shape[-2] != v.shape[-1]:
        dv = dv + over_gaps(np.swapaxes(dx, -1, -2) @ u - v @ pt, row, near)
    ds = np.diagonal(p, axis1=-2, axis2=-1)
    return du.astype(u.dtype), ds, np.swapaxes(dv, -1, -2).astype(u.dtype)


def qr_back(gq: Any, gr: Any, q: Any, r: Any) -> Any:
    """The adjoint of x in q, r = np.linalg.qr(x), for x of full rank. Of a wide x the left square part is factored, and
    the rest of r is q.H times the rest of x.

    >>> qr_back(np.zeros((2, 2)), np.eye(2), np.eye(2), np.eye(2))
    array([[1., 0.],
           [0., 1.]])
    """
    n = np.shape(r)[-2]
    rest = np.conj(gr[..., n:])
    gq = np.conj(gq) + q @ r[..., n:] @ np.conj(np.swapaxes(rest, -1, -2))
    square, gr = r[..., :n], np.conj(gr[..., :n])
    m = gr @ np.conj(np.swapaxes(square, -1, -2)) - np.conj(np.swapaxes(q, -1, -2)) @ gq
    upper = np.triu(m, 1)
    both = upper + np.conj(np.swapaxes(upper, -1, -2)) + np.real(m) * np.eye(n, dtype=q.dtype)
    t = np.linalg.solve(np.conj(square), np.swapaxes(gq + q @ both, -1, -2))
    return np.conj(np.concatenate([np.swapaxes(t, -1, -2), q @ rest], axis=-1))


def qr_tangent(dx: Any, q: Any, r: Any) -> Any:
    """The tangents of q, r = np.linalg.qr(x), for x of full rank.

    >>> qr_tangent(np.eye(2), np.eye(2), np.eye(2))[1]
    array([[1., 0.],
           [0., 1.]])
    """
    n = np.shape(r)[-2]
    square, qh = r[..., :n], np.conj(np.swapaxes(q, -1, -2))
    t = np.linalg.solve(np.swapaxes(square, -1, -2), np.swapaxes(dx[..., :n], -1, -2))
    c = np.swapaxes(t, -1, -2)
    m = qh @ c
    low = np.tril(m, -1)
    turn = low - np.conj(np.swapaxes(low, -1, -2)) + (m - np.real(m)) * np.eye(n, dtype=q.dtype)
    dq = c - q @ (m - turn)
    dr = (m - turn) @ square
    last = np.conj(np.swapaxes(dq, -1, -2)) @ (q @ r[..., n:]) + qh @ dx[..., n:]
    return dq, np.concatenate([dr, last], axis=-1)


def spectral_slope(x: Any, ord: Any) -> Any:
    """The derivative of np.linalg.norm(x, ord) for the orders 2, -2 and "nuc".

    >>> spectral_slope(np.diag([3.0, 2.0]), "nuc")
    array([[1., 0.],
           [0., 1.]])
    """
    u, s, vt = np.linalg.svd(x, full_matrices=False)
    if ord == "nuc":
        return u @ vt
    hit = (s == (s[..., :1] if ord == 2 else s[..., -1:])).astype(s.dtype)
    return (u * (hit / np.sum(hit, axis=-1, keepdims=True))[..., None, :]) @ vt


def tensorinv_back(g: Any, x: Any, y: Any) -> Any:
    """The adjoint of x in y = np.linalg.tensorinv(x, ind), whose adjoint is g.

    >>> tensorinv_back(np.eye(2), 2.0 * np.eye(2), 0.5 * np.eye(2))
    array([[-0.25,  0.  ],
           [ 0.  , -0.25]])
    """
    n = round(np.sqrt(np.size(x)))
    t = np.reshape(y, (n, n)).T
    return np.reshape(-t @ np.reshape(g, (n, n)) @ t, np.shape(x))


def tensorinv_tangent(dx: Any, y: Any) -> Any:
    """The tangent of y = np.linalg.tensorinv(x, ind).

    >>> tensorinv_tangent(np.eye(2), 0.5 * np.eye(2))
    array([[-0.25,  0.  ],
           [ 0.  , -0.25]])
    """
    n = round(np.sqrt(np.size(y)))
    m = np.reshape(y, (n, n))
    return np.reshape(-m @ np.reshape(dx, (n, n)) @ m, np.shape(y))


def eig_vectors(p: Any, w: Any, v: Any) -> Any:
    """The tangent of eigenvectors v of length 1 whose largest component is real, where p is inv(v) @ dx @ v.

    >>> eig_vectors(np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([1.0, 2.0]), np.eye(2))
    array([[0., 1.],
           [0., 0.]])
    """
    t = v @ over_gaps(p, gaps(w), least_gap(w, np.linalg.cond(v)))
    if np.isrealobj(t) or not t.size:
        return t - v * np.sum(v * t, axis=-2, keepdims=True)
    at = np.argmax(np.abs(v) * (np.imag(v) == 0.0), axis=-2)[..., None, :]
    turn = np.imag(np.take_along_axis(t, at, -2)) / np.take_along_axis(v, at, -2)
    return t - v * (np.real(np.sum(np.conj(v) * t, axis=-2, keepdims=True)) + 1j * turn)


def eig_back(gw: Any, gv: Any, w: Any, v: Any) -> Any:
    """The adjoint of x in w, v = np.linalg.eig(x), for eigenvectors of length 1 whose largest component is real.

    >>> eig_back(np.array([1.0, 0.0]), np.zeros((2, 2)), np.array([1.0, 2.0]), np.eye(2))
    array([[1., 0.],
           [0., 0.]])
    """
    gap, vt = gaps(w), np.swapaxes(v, -1, -2)
    along = np.sum(v * gv, axis=-2, keepdims=True)
    g = gv - np.conj(v) * np.real(along)
    if np.iscomplexobj(v) and v.size:
        at = np.argmax(np.abs(v) * (np.imag(v) == 0.0), axis=-2)[..., None, :]
        there = np.arange(v.shape[-1])[:, None] == at
        g = g - 1j * (there * np.imag(along)) / np.take_along_axis(v, at, -2)
    m = vt @ g
    inner = over_gaps(m, gap, least_gap(w, np.linalg.cond(v)), unread_pairs(m, gap, gw))
    inner = inner + gw[..., None] * np.eye(w.shape[-1], dtype=v.dtype)
    return np.linalg.solve(vt, inner @ vt)


def fft_back(g: Any, x: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    """The adjoint of x in np.fft.fft(x, n, axis, norm), whose adjoint is g.

    >>> fft_back(np.array([1.0, 0.0]), np.zeros(2))
    array([1., 1.])
    """
    m = np.shape(x)[axis]
    out = np.moveaxis(np.fft.fft(g, None, axis, norm), axis, -1)[..., :m]
    if out.shape[-1] < m:
        out = np.concatenate([out, np.zeros((*out.shape[:-1], m - out.shape[-1]), dtype=out.dtype)], axis=-1)
    out = np.moveaxis(out, -1, axis)
    return out if np.iscomplexobj(x) else np.real(out)


def ifft_back(g: Any, x: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    """The adjoint of x in np.fft.ifft(x, n, axis, norm), whose adjoint is g.

    >>> ifft_back(np.array([1.0, 0.0]), np.zeros(2))
    array([0.5, 0.5])
    """
    m = np.shape(x)[axis]
    out = np.moveaxis(np.fft.ifft(g, None, axis, norm), axis, -1)[..., :m]
    if out.shape[-1] < m:
        out = np.concatenate([out, np.zeros((*out.shape[:-1], m - out.shape[-1]), dtype=out.dtype)], axis=-1)
    out = np.moveaxis(out, -1, axis)
    return out if np.iscomplexobj(x) else np.real(out)


def rfft_back(g: Any, x: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    """The adjoint of x in np.fft.rfft(x, n, axis, norm), whose adjoint is g.

    >>> rfft_back(np.array([1.0, 0.0]), np.zeros(2))
    array([1., 1.])
    """
    m = np.shape(x)[axis]
    size = m if n is None else n
    out = np.moveaxis(np.real(np.fft.fft(g, size, axis, norm)), axis, -1)[..., :m]
    if out.shape[-1] < m:
        out = np.concatenate([out, np.zeros((*out.shape[:-1], m - out.shape[-1]), dtype=out.dtype)], axis=-1)
    return np.moveaxis(out, -1, axis)


def irfft_back(g: Any, x: Any, axis: int = -1, norm: Any = None) -> Any:
    """The adjoint of x in np.fft.irfft(x, n, axis, norm), whose adjoint is g.

    >>> irfft_back(np.array([1.0, 0.0]), np.zeros(2, dtype=complex))
    array([0.5-0.j, 0.5-0.j])
    """
    size, m = np.shape(g)[axis], np.shape(x)[axis]
    other = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}[norm]
    out = np.moveaxis(np.conj(np.fft.rfft(g, None, axis, other)), axis, -1)  # type: ignore[arg-type]
    out[..., 1 : (size + 1) // 2] *= 2.0
    out = out[..., :m]
    if out.shape[-1] < m:
        out = np.concatenate([out, np.zeros((*out.shape[:-1], m - out.shape[-1]), dtype=out.dtype)], axis=-1)
    return np.moveaxis(out, -1, axis)


def hfft_back(g: Any, x: Any, axis: int = -1, norm: Any = None) -> Any:
    """The adjoint of x in np.fft.hfft(x, n, axis, norm), whose adjoint is g.

    >>> hfft_back(np.array([1.0, 0.0]), np.zeros(2, dtype=complex))
    array([1.+0.j, 1.+0.j])
    """
    size, m = np.shape(g)[axis], np.shape(x)[axis]
    out = np.moveaxis(np.fft.rfft(g, None, axis, norm), axis, -1)
    out[..., 1 : (size + 1) // 2] *= 2.0
    out = out[..., :m]
    if out.shape[-1] < m:
        out = np.concatenate([out, np.zeros((*out.shape[:-1], m - out.shape[-1]), dtype=out.dtype)], axis=-1)
    return np.moveaxis(out, -1, axis)


def ihfft_back(g: Any, x: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    """The adjoint of x in np.fft.ihfft(x, n, axis, norm), whose adjoint is g.

    >>> ihfft_back(np.array([1.0, 0.0]), np.zeros(2))
    array([0.5, 0.5])
    """
    m = np.shape(x)[axis]
    size = m if n is None else n
    other = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}[norm]
    out = np.moveaxis(np.real(np.fft.fft(np.conj(g), size, axis, other)), axis, -1)[..., :m]  # type: ignore[arg-type]
    if out.shape[-1] < m:
        out = np.concatenate([out, np.zeros((*out.shape[:-1], m - out.shape[-1]), dtype=out.dtype)], axis=-1)
    return np.moveaxis(out, -1, axis)


def fftn_back(g: Any, x: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    """The adjoint of x in np.fft.fftn(x, s, axes, norm), whose adjoint is g.

    >>> fftn_back(np.array([[1.0, 0.0]]), np.zeros((1, 2)))
    array([[1., 1.]])
    """
    if axes is None:
        axes = tuple(range(np.ndim(x))) if s is None else tuple(range(-len(s), 0))
    out = np.fft.fftn(g, None, axes, norm)
    for axis in axes:
        m = np.shape(x)[axis]
        out = np.moveaxis(out, axis, -1)[..., :m]
        if out.shape[-1] < m:
            out = np.concatenate([out, np.zeros((*out.shape[:-1], m - out.shape[-1]), dtype=out.dtype)], axis=-1)
        out = np.moveaxis(out, -1, axis)
    return out if np.iscomplexobj(x) else np.real(out)


def ifftn_back(g: Any, x: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    """The adjoint of x in np.fft.ifftn(x, s, axes, norm), whose adjoint is g.

    >>> ifftn_back(np.array([[1.0, 0.0]]), np.zeros((1, 2)))
    array([[0.5, 0.5]])
    """
    if axes is None:
        axes = tuple(range(np.ndim(x))) if s is None else tuple(range(-len(s), 0))
    out = np.fft.ifftn(g, None, axes, norm)
    for axis in axes:
        m = np.shape(x)[axis]
        out = np.moveaxis(out, axis, -1)[..., :m]
        if out.shape[-1] < m:
            out = np.concatenate([out, np.zeros((*out.shape[:-1], m - out.shape[-1]), dtype=out.dtype)], axis=-1)
        out = np.moveaxis(out, -1, axis)
    return out if np.iscomplexobj(x) else np.real(out)


def rfftn_back(g: Any, x: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    """The adjoint of x in np.fft.rfftn(x, s, axes, norm), whose adjoint is g.

    >>> rfftn_back(np.array([[1.0, 0.0]]), np.zeros((1, 2)))
    array([[1., 1.]])
    """
    if axes is None:
        axes = tuple(range(np.ndim(x))) if s is None else tuple(range(-len(s), 0))
    last = axes[-1]
    size = np.shape(x)[last] if s is None else s[-1]
    out = (
        np.fft.fft(np.fft.fftn(g, None, axes[:-1], norm), size, last, norm)
        if len(axes) > 1
        else np.fft.fft(g, size, last, norm)
    )
    out = np.real(out)
    for axis in axes:
        m = np.shape(x)[axis]
        out = np.moveaxis(out, axis, -1)[..., :m]
        if out.shape[-1] < m:
            out = np.concatenate([out, np.zeros((*out.shape[:-1], m - out.shape[-1]), dtype=out.dtype)], axis=-1)
        out = np.moveaxis(out, -1, axis)
    return out


def irfftn_back(g: Any, x: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    """The adjoint of x in np.fft.irfftn(x, s, axes, norm), whose adjoint is g.

    >>> irfftn_back(np.array([[1.0, 0.0]]), np.zeros((1, 2), dtype=complex)).real
    array([[0.5, 0.5]])
    """
    if axes is None:
        axes = tuple(range(np.ndim(x))) if s is None else tuple(range(-len(s), 0))
    last = axes[-1]
    size = np.shape(g)[last]
    other = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}[norm]
    out = np.moveaxis(np.conj(np.fft.rfft(g, None, last, other)), last, -1)  # type: ignore[arg-type]
    out[..., 1 : (size + 1) // 2] *= 2.0
    out = np.moveaxis(out, -1, last)
    if len(axes) > 1:
        out = np.fft.ifftn(out, None, axes[:-1], norm)
    for axis in axes:
        m = np.shape(x)[axis]
        out = np.moveaxis(out, axis, -1)[..., :m]
        if out.shape[-1] < m:
            out = np.concatenate([out, np.zeros((*out.shape[:-1], m - out.shape[-1]), dtype=out.dtype)], axis=-1)
        out = np.moveaxis(out, -1, axis)
    return out


def digamma(x: Any) -> Any:
    """The logarithmic derivative of the gamma function, by recurrence and asymptotic series.

    >>> round(float(digamma(1.0)), 12)
    -0.577215664902
    """
    reflected = x < 0.5
    z = np.where(reflected, 1.0 - x, x)
    total = np.zeros(np.shape(x))
    for _ in range(8):
        total = total - np.where(z < 8.0, 1.0 / z, 0.0)
        z = np.where(z < 8.0, z + 1.0, z)
    w = 1.0 / (z * z)
    series = w * (
        1.0 / 12.0
        - w
        * (1.0 / 120.0 - w * (1.0 / 252.0 - w * (1.0 / 240.0 - w * (1.0 / 132.0 - w * (691.0 / 32760.0 - w / 12.0)))))
    )
    total = total + np.log(z) - 0.5 / z - series
    slope = np.tan(np.pi * np.where(reflected, x, 0.25))
    total = np.where(reflected, total - np.pi / slope, total)
    return total if np.ndim(x) else float(total)


def bessel_i1(x: Any) -> Any:
    """The modified Bessel function of the first kind of order 1: np.i0 times the continued fraction of their quotient.

    >>> round(float(bessel_i1(1.0)), 12)
    0.565159103992
    """
    steps = 12 + int(np.sqrt(40.0 * np.max(np.minimum(np.abs(x), 750.0), initial=0.0)))
    quotient: Any = 0.0
    for k in range(steps, 0, -1):
        quotient = x / (2.0 * k + x * quotient)
    return (np.i0(x) * quotient).astype(np.result_type(x))


def regular(jacobian: Any, x: Any = None, residual: Any = None) -> Any:
    """The Jacobian of equations at their solution x, where the implicit function theorem holds there.

    The Hessian of what is minimised is one. At a kink or a jump there is a residual, and Newton's step leads away.

    >>> regular(np.eye(2), np.ones(2), np.zeros(2))
    array([[1., 0.],
           [0., 1.]])
    """
    right = np.zeros(len(np.atleast_1d(jacobian))) if residual is None else np.atleast_1d(residual)
    try:
        step = np.linalg.solve(np.atleast_2d(jacobian), right)
    except np.linalg.LinAlgError:
        words = "the Jacobian at the solution (the Hessian at the minimum) is singular: there is no derivative here"
        raise np.linalg.LinAlgError(words) from None
    if residual is not None and np.any(np.abs(step) > 1e-3 * (1.0 + np.abs(x))):
        raise np.linalg.LinAlgError("the solution lies at a kink or a jump: the formula for its derivative fails here")
    return jacobian


def sinc_slope(x: Any, order: int = 1) -> Any:
    """A derivative of np.sinc: near 0 by the power series, elsewhere by those of sin(pi x) = pi x sinc(x).

    >>> [float(abs(sinc_slope(x))) for x in (0.0, 1.0)], round(float(sinc_slope(0.0, 2)), 12)
    ([0.0, 1.0], -3.289868133696)
    """
    t = np.pi * np.asarray(x)
    near = np.abs(t) < order
    small, t = np.where(near, t, 0.0), np.where(near, 1.0, t)
    series: Any = 0.0
    first = (order + 1) // 2
    for k in range(first + 9 + order, first - 1, -1):
        series = (-1.0) ** k / ((2 * k + 1) * math.factorial(2 * k - order)) + small * small * series
    slope = np.sin(t) / t
    for n in range(1, order + 1):
        slope = ((-1.0) ** (n // 2) * (np.cos(t) if n % 2 else np.sin(t)) - n * slope) / t
    slope = np.pi**order * np.where(near, small ** (order % 2) * series, slope)
    return slope.astype(np.result_type(x))[()]


def interp_slope(x: Any, xp: Any, fp: Any) -> Any:
    """The derivative of np.interp(x, xp, fp) with respect to x.

    >>> interp_slope(np.array([0.5, 3.0]), np.array([0.0, 1.0]), np.array([0.0, 2.0]))
    array([2., 0.])
    """
    if len(xp) < 2:
        return 0.0 * x
    i = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, len(xp) - 2)
    inside = (x >= xp[0]) & (x <= xp[-1])
    return inside * (fp[i + 1] - fp[i]) / (xp[i + 1] - xp[i])


def interp_back(g: Any, x: Any, xp: Any) -> Any:
    """The adjoint of fp in np.interp(x, xp, fp), whose adjoint is g.

    >>> interp_back(np.array([1.0, 1.0]), np.array([0.25, 3.0]), np.array([0.0, 1.0]))
    array([0.75, 1.25])
    """
    if len(xp) < 2:
        return np.full(len(xp), np.sum(g))
    i = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, len(xp) - 2)
    t = np.clip((x - xp[i]) / (xp[i + 1] - xp[i]), 0.0, 1.0)
    out = np.zeros(len(xp), dtype=np.result_type(g, xp))
    np.add.at(out, i, g * (1.0 - t))
    np.add.at(out, i + 1, g * t)
    return out


def gradient_back(g: Any, spacing: Any = 1.0, axis: int = 0, edge_order: int = 1) -> Any:
    """The adjoint of f in np.gradient(f, spacing, axis=axis), whose adjoint is g.

    >>> gradient_back(np.array([0.0, 1.0, 0.0]))
    array([-0.5,  0. ,  0.5])
    """
    g = np.moveaxis(g, axis, -1)
    n = g.shape[-1]
    h = np.diff(spacing) if np.ndim(spacing) else np.full(n - 1, spacing, dtype=np.result_type(g, 1.0))
    out = np.zeros(g.shape, dtype=np.result_type(g, 1.0))
    left, right = h[:-1], h[1:]
    inner = g[..., 1:-1]
    out[..., :-2] -= inner * (right / (left * (left + right)))
    out[..., 1:-1] += inner * ((right - left) / (left * right))
    out[..., 2:] += inner * (left / (right * (left + right)))
    if edge_order == 1:
        out[..., 0] -= g[..., 0] / h[0]
        out[..., 1] += g[..., 0] / h[0]
        out[..., -2] -= g[..., -1] / h[-1]
        out[..., -1] += g[..., -1] / h[-1]
    else:
        a, b = h[0], h[1]
        out[..., 0] -= g[..., 0] * ((2.0 * a + b) / (a * (a + b)))
        out[..., 1] += g[..., 0] * ((a + b) / (a * b))
        out[..., 2] -= g[..., 0] * (a / (b * (a + b)))
        a, b = h[-2], h[-1]
        out[..., -3] += g[..., -1] * (b / (a * (a + b)))
        out[..., -2] -= g[..., -1] * ((a + b) / (a * b))
        out[..., -1] += g[..., -1] * ((2.0 * b + a) / (b * (a + b)))
    return np.moveaxis(out, -1, axis)


def vander_back(g: Any, x: Any, increasing: bool = False) -> Any:
    """The adjoint of x in np.vander(x, N, increasing), whose adjoint is g.

    >>> vander_back(np.ones((1, 3)), np.array([2.0]))
    array([5.])
    """
    columns = g if increasing else g[:, ::-1]
    out = np.zeros_like(x)
    for k in range(g.shape[-1] - 1, 0, -1):
        out = out * x + k * columns[:, k]
    return out


def vander_tangent(dx: Any, x: Any, y: Any, increasing: bool = False) -> Any:
    """The tangent of y = np.vander(x, N, increasing).

    >>> vander_tangent(np.ones(1), np.array([2.0]), np.ones((1, 3)))
    array([[4., 1., 0.]])
    """
    n = y.shape[-1]
    powers = np.arange(n) if increasing else np.arange(n)[::-1]
    return (dx[:, None] * powers * x[:, None] ** np.maximum(powers - 1, 0)).astype(y.dtype)


def cov_back(g: Any, x: Any, rowvar: bool = True, ddof: int = 1) -> Any:
    """The adjoint of x in np.cov(x, rowvar=rowvar, ddof=ddof), whose adjoint is g.

    >>> cov_back(1.0, np.array([1.0, 3.0]))
    array([-2.,  2.])
    """
    if np.iscomplexobj(x):
        raise TypeError("covariances of complex variables have no derivative rule")
    rows = x if rowvar or np.ndim(x) == 1 else x.T
    centred = rows - np.mean(rows, axis=-1, keepdims=True)
    if np.ndim(x) == 1 or rows.shape[0] == 1:
        return 2.0 * g * (centred if rowvar or np.ndim(x) == 1 else centred.T) / (rows.shape[-1] - ddof)
    out = (g + g.T) @ centred / (rows.shape[-1] - ddof)
    return out if rowvar else out.T


def cov_tangent(dx: Any, x: Any, rowvar: bool = True, ddof: int = 1) -> Any:
    """The tangent of np.cov(x, rowvar=rowvar, ddof=ddof).

    >>> cov_tangent(np.array([0.0, 1.0]), np.array([1.0, 3.0]))
    np.float64(2.0)
    """
    if np.iscomplexobj(x):
        raise TypeError("covariances of complex variables have no derivative rule")
    rows, drows = (x, dx) if rowvar or np.ndim(x) == 1 else (x.T, dx.T)
    rows, drows = np.atleast_2d(rows), np.atleast_2d(drows)
    centred = rows - np.mean(rows, axis=-1, keepdims=True)
    half = drows @ centred.T / (rows.shape[-1] - ddof)
    return np.squeeze(half + half.T)[()]


def corrcoef_back(g: Any, x: Any, y: Any, rowvar: bool = True) -> Any:
    """The adjoint of x in y = np.corrcoef(x, rowvar=rowvar), whose adjoint is g.

    >>> corrcoef_back(np.eye(2), np.array([[1.0, 2.0, 4.0], [2.0, 1.0, 1.0]]), np.eye(2)).shape
    (2, 3)
    """
    if np.iscomplexobj(x):
        raise TypeError("covariances of complex variables have no derivative rule")
    if np.ndim(y) == 0:
        return 0.0 * x
    rows = np.asarray(x if rowvar else x.T, np.result_type(x, float))  # as np.corrcoef itself
    centred = rows - np.mean(rows, axis=-1, keepdims=True)
    norms = np.sqrt(np.sum(centred * centred, axis=-1, keepdims=True))
    unit = centred / norms
    h = (g + g.T) @ unit
    out = (h - unit * np.sum(unit * h, axis=-1, keepdims=True)) / norms
    return (out if rowvar else out.T).astype(x.dtype)


def corrcoef_tangent(dx: Any, x: Any, y: Any, rowvar: bool = True) -> Any:
    """The tangent of y = np.corrcoef(x, rowvar=rowvar).

    >>> corrcoef_tangent(np.ones((2, 3)), np.array([[1.0, 2.0, 4.0], [2.0, 1.0, 1.0]]), np.eye(2)).shape
    (2, 2)
    """
    if np.iscomplexobj(x):
        raise TypeError("covariances of complex variables have no derivative rule")
    if np.ndim(y) == 0:
        return 0.0 * y
    rows, drows = (x, dx) if rowvar else (x.T, dx.T)
    rows = np.asarray(rows, np.result_type(x, float))  # as np.corrcoef itself
    centred = rows - np.mean(rows, axis=-1, keepdims=True)
    norms = np.sqrt(np.sum(centred * centred, axis=-1, keepdims=True))
    unit = centred / norms
    turned = (drows - np.mean(drows, axis=-1, keepdims=True)) / norms
    turned = turned - unit * np.sum(unit * turned, axis=-1, keepdims=True)
    half = turned @ unit.T
    return half + half.T


def unique_back(g: Any, x: Any) -> Any:
    """The adjoint of x in np.unique(x), whose adjoint is g; equal elements share evenly.

    >>> unique_back(np.array([1.0, 2.0]), np.array([5.0, 3.0, 5.0]))
    array([1., 1., 1.])
    """
    _, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
    return np.reshape((g / counts)[inverse], np.shape(x)).astype(np.result_type(g, 1.0))


def unique_tangent(dx: Any, x: Any) -> Any:
    """The tangent of np.unique(x); equal elements share evenly.

    >>> unique_tangent(np.array([1.0, 2.0, 3.0]), np.array([5.0, 3.0, 5.0]))
    array([2., 2.])
    """
    _, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
    out = np.zeros(len(counts), dtype=dx.dtype)
    np.add.at(out, np.ravel(inverse), np.ravel(dx))
    return (out / counts).astype(dx.dtype)


def places_in_parts(x: Any, y: Any, kth: Any) -> Any:
    """Where in x, counted through all of it, the elements of y = np.partition(x, kth) come from: np.partition goes by
    comparisons, so that numbers with their places in their last bits go the same ways. Where the last bits matter, or
    there are none to spare, x and y are sorted.

    >>> places_in_parts(np.array([5.0, 3.0, 4.0]), np.array([3.0, 4.0, 5.0]), 1)
    array([1, 2, 0])
    """
    n = x.shape[-1]
    if x.dtype == np.float64 and np.all(np.isfinite(x)):
        last = (1 << n.bit_length()) - 1
        marked = x.view(np.int64) & ~last
        marked |= np.arange(n)
        places = np.partition(marked.view(np.float64), kth).view(np.int64)
        places &= last
        if np.ndim(x) > 1:
            places += n * np.reshape(np.arange(math.prod(x.shape[:-1])), (*x.shape[:-1], 1))
        if np.array_equal(np.take(x, places), y):
            return places
    places = np.empty(x.size, dtype=int)
    places[places_in_order(y)] = places_in_order(x)
    return np.reshape(places, x.shape)


def shared_with_kth(g: Any, y: Any, kth: Any) -> Any:
    """g, and its mean where y = np.partition(x, kth) is equal to a kth element.

    >>> shared_with_kth(np.array([1.0, 3.0, 5.0]), np.array([7.0, 7.0, 8.0]), 1)
    array([2., 2., 5.])
    """
    for k in np.atleast_1d(kth):
        equal = y == y[..., k, None]
        if np.count_nonzero(equal) > y.size // y.shape[-1]:
            total, count = (np.sum(v, axis=-1, keepdims=True) for v in (g * equal, equal))
            g = np.where(equal, total / count.astype(np.result_type(g, 1.0)), g)
    return g


def partition_back(g: Any, x: Any, y: Any, kth: Any, axis: Any = -1) -> Any:
    """The adjoint of x in y = np.partition(x, kth, axis), whose adjoint is g; those equal to a kth share evenly.

    >>> partition_back(np.array([1.0, 2.0]), np.array([5.0, 3.0]), np.array([3.0, 5.0]), 0)
    array([2., 1.])
    """
    shape = np.shape(x)
    if axis is None:
        x, axis = np.reshape(x, -1), 0
    x, y, g = np.swapaxes(x, axis, -1), np.swapaxes(y, axis, -1), np.swapaxes(g, axis, -1)
    out = np.empty(x.size, dtype=np.result_type(g, 1.0))
    if x.size:
        out[places_in_parts(x, y, kth)] = shared_with_kth(g, y, kth)
    return np.reshape(np.swapaxes(np.reshape(out, x.shape), axis, -1), shape)


def partition_tangent(dx: Any, x: Any, y: Any, kth: Any, axis: Any = -1) -> Any:
    """The tangent of y = np.partition(x, kth, axis); those equal to a kth share evenly.

    >>> partition_tangent(np.array([1.0, 2.0]), np.array([5.0, 3.0]), np.array([3.0, 5.0]), 0)
    array([2., 1.])
    """
    if axis is None:
        dx, x, axis = np.reshape(dx, -1), np.reshape(x, -1), 0
    x, y, dx = np.swapaxes(x, axis, -1), np.swapaxes(y, axis, -1), np.swapaxes(dx, axis, -1)
    if not x.size:
        return np.swapaxes(dx, axis, -1)
    return np.swapaxes(shared_with_kth(np.take(dx, places_in_parts(x, y, kth)), y, kth), axis, -1)


def reduceat_back(g: Any, x: Any, indices: Any, axis: int = 0) -> Any:
    """The adjoint of x in np.add.reduceat(x, indices, axis), whose adjoint is g.

    >>> reduceat_back(np.array([1.0, 2.0]), np.zeros(5), [1, 3])
    array([0., 1., 1., 2., 2.])
    """
    g, n = np.moveaxis(g, axis, 0), np.shape(x)[axis]
    starts = np.asarray(indices)
    out = np.zeros((n, *g.shape[1:]), dtype=np.result_type(g, 1.0))
    lengths = np.append(starts[1:], n) - starts
    if len(starts) and np.all(lengths > 0):
        out[starts[0] :] = np.repeat(g, lengths, axis=0)
    else:  # sums that overlap, and single elements
        lengths = np.maximum(lengths, 1)
        before = np.cumsum(lengths) - lengths
        at = np.repeat(starts - before, lengths) + np.arange(np.sum(lengths))
        np.add.at(out, at, np.repeat(g, lengths, axis=0))
    return np.moveaxis(out, 0, axis)


def insert_back(g: Any, x: Any, obj: Any, axis: Any = None) -> Any:
    """The adjoint of x in np.insert(x, obj, values, axis), whose adjoint is g.

    >>> insert_back(np.array([1.0, 2.0, 3.0]), np.zeros(2), 1)
    array([1., 3.])
    """
    n = np.size(x) if axis is None else np.shape(x)[axis]
    count = np.shape(g)[0 if axis is None else axis] - n
    if np.ndim(obj) == 0 and not isinstance(obj, slice):
        i = obj % n if obj < 0 else obj
        before, _, behind = np.split(g, [i, i + count], axis=axis or 0)
        return np.reshape(np.concatenate((before, behind), axis=axis or 0), np.shape(x))
    old = np.flatnonzero(np.insert(np.arange(n), obj, np.full(count, -1)) >= 0)
    return np.reshape(np.take(g, old, axis=axis), np.shape(x))


def insert_values_back(g: Any, x: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    """The adjoint of values in np.insert(x, obj, values, axis), whose adjoint is g.

    >>> insert_values_back(np.array([1.0, 2.0, 3.0]), np.zeros(2), 1, 0.0)
    np.float64(2.0)
    """
    n = np.size(x) if axis is None else np.shape(x)[axis]
    count = np.shape(g)[0 if axis is None else axis] - n
    if np.ndim(obj) == 0 and not isinstance(obj, slice):
        i = obj % n if obj < 0 else obj
        new = np.split(g, [i, i + count], axis=axis or 0)[1]
        new = np.moveaxis(new, axis or 0, 0)  # as np.insert does with the values, when there is one index
    else:
        at = np.insert(np.arange(n), obj, np.arange(n, n + count))
        new = np.take(g, np.argsort(at)[n:], axis=axis)
    wide = np.reshape(values, (1,) * (new.ndim - np.ndim(values)) + np.shape(values))
    axes = tuple(i for i in range(new.ndim) if wide.shape[i] == 1 != new.shape[i])
    return np.reshape(np.sum(new, axis=axes), np.shape(values))[()]


# --- special functions -----------------------------------------------------------------------------------------------


def trigamma(x: Any) -> Any:
    """scipy.special.polygamma(1, x), the derivative of psi, by recurrence and asymptotic series; of complex x as well.

    >>> round(float(trigamma(1.0)), 12)
    1.644934066848
    """
    x = np.asarray(x)
    x = x.astype(np.result_type(x.dtype, np.float32), copy=False)
    negative = np.real(x) < 0.0
    reflect = np.any(negative)
    z = np.where(negative, 1.0 - x, x) if reflect else x
    with np.errstate(all="ignore"):
        r = 1.0 / (z + 8.0)
        w = r * r
        series = w * (7.0 / 6.0 - w * (3617.0 / 510.0))  # the numbers are Bernoulli's
        series = w * (1.0 / 42.0 - w * (1.0 / 30.0 - w * (5.0 / 66.0 - w * (691.0 / 2730.0 - series))))
        total = r + w * (0.5 + r * (1.0 / 6.0 - w * (1.0 / 30.0 - series)))
        for k in range(7, -1, -1):
            r = 1.0 / (z + float(k))
            total = total + r * r
        if reflect:
            sine = np.sin(np.pi * (x - np.round(np.real(x))))
            total = np.where(negative, np.where(np.isinf(sine), 0.0, np.pi / sine) ** 2 - total, total)
    return total[()]


def rgamma_slope(y: Any, z: Any) -> Any:
    """The derivative of y = scipy.special.rgamma(z): by reflection (DLMF 5.5.3) at the poles of gamma.

    >>> rgamma_slope(np.zeros(3), np.array([0.0, -1.0, -2.0]))
    array([ 1., -1.,  2.])
    """
    from scipy import special

    z = np.asarray(z)
    pole = (y == 0.0) & (np.real(z) <= 0.0)
    n = np.where(pole, z, 0.0)
    own = -y * special.psi(np.where(pole, 1.0, z))
    return np.where(pole, np.cos(np.pi * n) * special.gamma(1.0 - n), own).astype(own.dtype, copy=False)[()]


def log_ratio(a: Any, b: Any) -> Any:
    """log(a / b), also where the quotient is no number of the precision or has few digits.

    >>> log_ratio(np.array([1e200, 2.0]), np.array([1e-200, 2.0])).round(3)
    array([921.034,   0.   ])
    """
    with np.errstate(all="ignore"):
        q = np.divide(a, b)
        normal = (np.abs(q) >= np.finfo(np.asarray(q).dtype).tiny) & np.isfinite(q)
        return np.where(normal, np.log(q), np.log(a) - np.log(b))[()]


def elliptic_integral(p: Any, c: float, s: float) -> Any:
    """The integral of (c cos**2 + s sin**2) / sqrt(cos**2 + p sin**2) over a quarter turn, by arithmetic and geometric
    means: nothing cancels unless c and s do (Bulirsch 1969; DLMF 19.8).

    >>> round(float(elliptic_integral(0.25, 1.0, 1.0)), 10)  # scipy.special.ellipk(0.75)
    2.1565156475
    """
    with np.errstate(all="ignore"):
        a, g = 1.0, np.sqrt(p)
        near = 3.0 * np.sqrt(np.finfo(g.dtype).eps)
        for _ in range(16):  # so many where p is the smallest of numbers
            last = not np.any(np.abs(a - g) > near * a)
            total = a + g
            c, s = 0.5 * (c + s), (c * g + s * a) / total
            a, g = 0.5 * total, np.sqrt(a * g)
            if last:
                break
        return 0.25 * np.pi * (c + s) / g


def carlson_slope(x: Any, y: Any, z: Any, p: Any = None, f: Any = 0.0) -> Any:
    """The derivative of f = scipy.special.elliprj(x, y, z, p) in x; without p that of elliprd(x, y, z).

    It is half the difference of elliprj at p and at x, over p - x. Carlson's duplication (DLMF 19.26) makes a quarter
    of each difference; what it adds is divided by p - x on paper, so that nothing cancels. Where p is far from
    x, or negative, the difference itself has all digits.

    >>> carlson_slope(1.0, 1.0, 1.0).round(12).item(), carlson_slope(1.0, 1.0, 1.0, 1.0, 1.0).round(12).item()
    (-0.3, -0.3)
    """
    from scipy.special import elliprd

    kind = np.result_type(x, y, z, z if p is None else p)
    with np.errstate(all="ignore"):
        far, plain, q = False, 0.0, z
        if p is not None:
            far = (np.real(p) < 0.25 * np.abs(x)) | (np.real(p) > 4.0 * np.abs(x + y + z))
            plain = 0.5 * (f - elliprd(y, z, x)) / np.where(far, p - x, 1.0)
            q = np.where(far, x, p)
        scale = np.asarray(x + y + z + q)
        x, y, z, q = x / scale, y / scale, z / scale, q / scale
        total, part = 0.0, 1.0
        for _ in range(11):
            r, s, t = np.sqrt(x), np.sqrt(y), np.sqrt(z)
            roots, step = r + s + t, r * s + s * t + t * r
            a = q * roots + r * s * t
            added = 3.0 * roots / (r * (x + step) * a)
            if p is not None:
                b = np.sqrt(q) * (q + step) / a
                added = added + (q - y) * (q - z) / a**3 * elliprd(b * b, b * b, 1.0)
            total, part = total + part * added, part / 16.0
            x, y, z, q = 0.25 * (x + step), 0.25 * (y + step), 0.25 * (z + step), 0.25 * (q + step)
        total = total + 0.6 * part * ((3.0 * x + y + z + 2.0 * q) / 7.0) ** -2.5
        near = -0.5 * total / scale / scale / np.sqrt(scale)
        return np.where(far, plain, near).astype(kind, copy=False)[()]


# --- distribution functions in their shape parameters ----------------------------------------------------------------


def gammainc_logs(a: Any, x: Any) -> Any:
    """The derivatives in a of the logarithms of scipy.special.gammainc(a, x) for x up to a + 1, by its power series,
    and of scipy.special.gammaincc(a, x) from there on, by its continued fraction."""
    from scipy.special import psi

    steps = 100 + 10 * int(np.sqrt(np.fmax.reduce(np.real(a), axis=None, initial=1.0)))
    limit = np.real(a) + 1.0
    low, high = np.minimum(x, limit), np.maximum(x, limit)
    term, slope, total, slopes = 1.0, 0.0, 1.0, 0.0
    for n in range(1, steps if np.any(x < limit) else 1):
        below = a + n
        ratio = low / below
        slope = (slope - term / below) * ratio
        term = term * ratio
        total, slopes = total + term, slopes + slope
        if n % 8 == 0 and np.all(np.abs(term) < 1e-20 * np.abs(total)):
            break
    f, df = high + (2.0 * steps + 1.0) - a, -1.0
    for n in range(steps if np.any(x >= limit) else 0, 0, -1):
        df = -1.0 + n / f + n * (n - a) * df / (f * f)
        f = high + (2.0 * n - 1.0) - a - n * (n - a) / f
    return slopes / total + np.log(low) - psi(a + 1.0), np.log(high) - psi(a) - df / f


def gammainc_slope(a: Any, x: Any, order: int = 1) -> Any:
    """The first or second derivative of scipy.special.gammainc(a, x) with respect to a.

    >>> round(float(gammainc_slope(2.0, 1.5)), 12)
    -0.313488637825
    """
    from scipy.special import gammainc, gammaincc

    a, x = np.asarray(a, dtype=float), np.asarray(x, dtype=float)
    with np.errstate(all="ignore"):
        low, high = gammainc_logs(a, x)
        if order == 2:
            tilted = gammainc_logs(a + 1e-20j, x)  # the complex step
            low, high = (u * u + 1e20 * np.imag(t) for u, t in zip((low, high), tilted, strict=True))
        far = x >= a + 1.0
        above = gammaincc(a, np.where(far, x, np.inf))  # slow where it is not small
        slope = np.where(far, -above * high, gammainc(a, x) * low)
    return np.where((x <= 0.0) | (x == np.inf), 0.0, slope)[()]


def psi_increase(b: Any, a: Any) -> Any:
    """psi(a + b) - psi(b) of scipy.special, to all its digits where both arguments have one sign: by recurrence and
    the difference of asymptotic series (DLMF 5.5, 5.11), of negative arguments by reflection.

    >>> float(psi_increase(1e8, 0.5)) * 1e8, float(psi_increase(2.0, 1e-200)) * 1e200
    (0.50000000125, 0.6449340668482264)
    """
    from scipy.special import psi

    kind = np.result_type(a, b)
    a, b = np.asarray(a, np.result_type(kind, float)), np.asarray(b, np.result_type(kind, float))
    with np.errstate(all="ignore"):
        total = a + b
        turned, mixed = np.real(b) < 0.0, (np.real(b) < 0.0) != (np.real(total) < 0.0)
        low, high = np.where(turned, 1.0 - total, b), np.where(turned, 1.0 - b, total)
        found: Any = 0.0
        for k in range(10):
            found = found + a / (high + k) / (low + k)
        low, high = low + 10.0, high + 10.0
        p, q = low**-2.0, high**-2.0
        slope, value = 0.0, 0.0  # of the series in p and q, divided by p - q
        for term in (1 / 12, -691 / 32760, 1 / 132, -1 / 240, 1 / 252, -1 / 120, 1 / 12):
            slope, value = value + p * slope, term + q * value
        slope = value + p * slope
        found = found + np.log1p(a / low) + a / low / high * (0.5 + (1.0 / low + 1.0 / high) * slope)
        if np.any(turned):
            sine, of_b, of_total = (np.sin(np.pi * (u - np.round(np.real(u)))) for u in (a, b, total))
            sign = np.cos(np.pi * (np.round(np.real(a)) - np.round(np.real(b)) - np.round(np.real(total))))
            found = np.where(turned, np.where(sine == 0.0, 0.0, np.pi * sign * sine / of_b / of_total) - found, found)
        if np.any(mixed):
            found = np.where(mixed, psi(total) - psi(b), found)
        return found.astype(kind, copy=False)[()]


def poch_slope(y: Any, z: Any, m: Any) -> Any:
    """The derivative of y = scipy.special.poch(z, m) in z, also where it is 0 (at a pole of gamma).

    >>> poch_slope(np.array([0.0, 6.0]), np.array([-1.0, -3.0]), 2.0)
    array([-1., -5.])
    """
    from scipy import special

    kind, z, m = np.result_type(y, z, m), np.asarray(z, float), np.asarray(m, float)
    pole = (y == 0.0) & (z <= 0.0) & (z == np.round(z))
    n = np.where(pole, z, 0.0)
    with np.errstate(all="ignore"):
        own = y * psi_increase(np.where(pole, 1.0, z), m)
        edge = np.cos(np.pi * n) * special.gamma(1.0 - n) * special.gamma(z + m)
    return np.where(pole, edge, own).astype(kind, copy=False)[()]


def binom_slope(y: Any, n: Any, k: Any, of_k: bool) -> Any:
    """The derivative of y = scipy.special.binom(n, k) in n or in k, also where it is 0 (at a pole of gamma).

    >>> [binom_slope(y, 3.0, k, True).round(3).item() for y, k in ((3.0, 1.0), (0.0, 4.0), (0.0, -1.0))]
    [1.5, -0.25, 0.25]
    """
    from scipy import special

    kind, n, k = np.result_type(y, n, k), np.asarray(n, float), np.asarray(k, float)
    rest = n - k
    below = (k < 0.0) & (k == np.round(k))
    j = np.where(below, -k, -rest)
    pole = (y == 0.0) & (j > 0.0) & (j == np.round(j))
    j = np.where(pole, j, 1.0)
    with np.errstate(all="ignore"):
        edge = -np.cos(np.pi * j) / (j * special.binom(n + j, j))
        turned = (rest < -1.0) & ~pole if of_k else (rest < -1.0) & (n > -1.0) & ~pole
        # by reflection: the fraction of n - k has more digits than n - k
        cotangent = np.pi / np.tan(np.pi * np.where(turned, k - np.round(k) - (n - np.round(n)), 0.5))
        if of_k:
            change = np.where(turned, cotangent - psi_increase(-rest, n + 1.0), psi_increase(k + 1.0, rest - k))
            edge = np.where(below, edge, -edge)
        else:
            change = np.where(turned, psi_increase(-rest, n + rest + 1.0) - cotangent, psi_increase(rest + 1.0, k))
            edge = np.where(below, 0.0, edge)
        return np.where(pole, edge, y * change).astype(kind, copy=False)[()]


def betainc_logs(a: Any, b: Any, x: Any) -> Any:
    """The derivatives in a and in b of the logarithm of scipy.special.betainc(a, b, x), or of 1 - betainc(a, b, x)
    where x is above (a + 1) / (a + b + 2), by the continued fraction that converges fast there."""
    turned = x > np.real((a + 1.0) / (a + b + 2.0))  # there it is betainc(b, a, 1 - x)
    p, q, z = np.where(turned, b, a), np.where(turned, a, b), np.where(turned, 1.0 - x, x)
    f, fp, fq, total, minus_z = 1.0, 0.0, 0.0, a + b, -z
    size = np.sqrt(np.fmax.reduce(np.real(total), axis=None, initial=1.0))
    rate = np.arctanh(np.sqrt(1.0 - min(1.0, np.fmax.reduce(z, axis=None, initial=1e-16))))  # late terms: exp(-2 rate)
    steps = 8 + int(3.0 * size + min(18.0 / rate, 60.0 + 3.0 * size))
    under = 1.0 / (p + steps)
    for k in range(steps, 0, -1):
        m = k // 2
        over, under = under, 1.0 / (p + (k - 1))
        if k % 2:
            below, ahead = minus_z * over * under, total + m
            tq = (p + m) * below
            t, tp = ahead * tq, tq + ahead * below
        else:
            tq = m * z * over * under
            t, tp = (q - m) * tq, 0.0
        tp = tp - t * (over + under)
        inverse = 1.0 / f
        t = t * inverse
        f, fp, fq = 1.0 + t, (tp - t * fp) * inverse, (tq - t * fq) * inverse
    of_p, of_q = -1.0 / p - fp / f, -fq / f
    of_a, of_b = np.where(turned, of_q, of_p), np.where(turned, of_p, of_q)
    return np.log(x) + psi_increase(a, b) + of_a, np.log1p(-x) + psi_increase(b, a) + of_b


def betainc_slope(a: Any, b: Any, x: Any, which: Any) -> Any:
    """The derivative of scipy.special.betainc(a, b, x) with respect to "a", "b" (or an array of these), or twice: "aa",
    "ab", "bb".

    >>> round(float(betainc_slope(2.0, 3.0, 0.25, "a")), 12), round(float(betainc_slope(2.0, 3.0, 0.25, "bb")), 12)
    (-0.228053602324, -0.000417938776)
    """
    from scipy.special import betainc

    a, b, x = (np.asarray(v, dtype=float) for v in (a, b, x))
    with np.errstate(all="ignore"):
        of_a, of_b = betainc_logs(a, b, x)
        if isinstance(which, np.ndarray):
            part = np.where(which == "a", of_a, of_b)
        elif len(which) == 1:
            part = of_a if which == "a" else of_b
        elif which == "bb":
            part = of_b**2 + 1e20 * np.imag(betainc_logs(a, b + 1e-20j, x)[1])  # the complex step
        else:
            tilted = betainc_logs(a + 1e-20j, b, x)
            part = of_a**2 + 1e20 * np.imag(tilted[0]) if which == "aa" else of_a * of_b + 1e20 * np.imag(tilted[1])
        turned = x > (a + 1.0) / (a + b + 2.0)
        tail = betainc(np.where(turned, b, a), np.where(turned, a, b), np.where(turned, 1.0 - x, x))
        slope = np.where(turned, -tail, tail) * part
    return np.where((x <= 0.0) | (x >= 1.0), 0.0, slope)[()]


def stdtr_slope(df: Any, t: Any, order: int = 1) -> Any:
    """The first or second derivative of scipy.special.stdtr(df, t), Student's distribution function, in df.

    >>> round(float(stdtr_slope(3.0, 1.5)), 12)
    0.014677120429
    """
    from scipy.special import gammaln

    df, t = np.asarray(df, dtype=float), np.asarray(t, dtype=float)
    u, w, half = t * t / (df + t * t), df / (df + t * t), 0.5 * df
    near = u < 0.5
    if order == 1:
        arguments = np.where(near, 0.5, half), np.where(near, half, 0.5), np.where(near, u, w)
        of_half = betainc_slope(*arguments, np.where(near, "b", "a")) * np.where(near, 1.0, -1.0)
    else:
        of_half = np.where(near, betainc_slope(0.5, half, u, "bb"), -betainc_slope(half, 0.5, w, "aa"))
    with np.errstate(all="ignore"):
        log_w = -np.log1p(t * t / df)
        series = 0.5 * np.log(half) - 0.125 / half + half**-3.0 / 192.0 - half**-5.0 / 640.0
        ratio = np.where(half > 30.0, series, gammaln(half + 0.5) - gammaln(half))  # the logarithm of two gammas'
        moved = np.exp(0.5 * np.log(u / np.pi) + half * log_w + ratio) / df
        slope = 0.5 * of_half - moved
        if order == 2:
            of_log = log_w + psi_increase(half, 0.5)
            slope = 0.25 * of_half - moved * (of_log + 0.5 * (u - w / df) - 1.0 / df)
    return (np.sign(t) * 0.5 * np.where(t == 0.0, 0.0, slope))[()]


# --- SciPy's linear algebra -----------------------------------------------------------------------------------------


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


# --- SciPy's integrals ------------------------------------------------------------------------------------------------


def simpson_weights(n: int) -> Any:
    """What Simpson's rule multiplies n samples at distance 1 with (Cartwright's in the last interval for even n).

    >>> 3.0 * simpson_weights(5)
    array([1., 4., 2., 4., 1.])
    """
    if n < 3:
        return np.full(n, 0.5 * (n - 1))
    w = np.zeros(n)
    m = n - 1 if n % 2 == 0 else n
    w[: m - 2 : 2] += 1.0 / 3.0
    w[1 : m - 1 : 2] += 4.0 / 3.0
    w[2:m:2] += 1.0 / 3.0
    if n % 2 == 0:
        w[-3:] += np.array([-1.0, 8.0, 5.0]) / 12.0
    return w


def simpson_weights_at(x: Any) -> Any:
    """What Simpson's rule multiplies samples at the points x with.

    >>> 3.0 * simpson_weights_at(np.arange(5.0))
    array([1., 4., 2., 4., 1.])
    """
    n = len(x)
    h = np.diff(x)
    w = np.zeros(n)
    if n < 3:
        w += 0.5 * np.sum(h)
        return w
    i = 2 * np.arange((n - 1) // 2)  # the first points of whole pairs of intervals
    h0, h1 = h[i], h[i + 1]
    both = h0 + h1
    w[i] += both * (2.0 - h1 / h0) / 6.0
    w[i + 1] += both**3 / (6.0 * h0 * h1)
    w[i + 2] += both * (2.0 - h0 / h1) / 6.0
    if n % 2 == 0:
        a, b = h[n - 3], h[n - 2]
        w[n - 1] += (2.0 * b**2 + 3.0 * a * b) / (6.0 * (a + b))
        w[n - 2] += (b**2 + 3.0 * a * b) / (6.0 * a)
        w[n - 3] -= b**3 / (6.0 * a * (a + b))
    return w


# --- SciPy's signals --------------------------------------------------------------------------------------------------


def starts_of_segments(n: int, length: int, overlap: int) -> Any:
    """Where the overlapping segments of a signal of n samples begin.

    >>> starts_of_segments(9, 4, 2)
    array([0, 2, 4])
    """
    return np.arange(0, n - length + 1, length - overlap)


def one_sided_weights(n: int) -> Any:
    """How often the frequencies of a one-sided spectrum of n samples are there in the whole one.

    >>> one_sided_weights(4), one_sided_weights(5)
    (array([1., 2., 1.]), array([1., 2., 2.]))
    """
    weights = np.full(n // 2 + 1, 2.0)
    weights[0] = 1.0
    if n % 2 == 0:
        weights[-1] = 1.0
    return weights


def whole_convolution(g: Any, in1: Any, in2: Any, mode: str, late: bool = False) -> Any:
    """Part of a convolution of in1 and in2 put into the place that it has in the full convolution.

    In mode "same" `late` says that of two middles the later one is taken.

    >>> whole_convolution(np.array([1.0, 2.0]), np.zeros(2), np.zeros(3), "same")
    array([0., 1., 2., 0.])
    """
    shapes = list(zip(np.shape(in1), np.shape(in2)))  # noqa: B905
    out = np.zeros([m + n - 1 for m, n in shapes], dtype=np.result_type(np.asarray(g), 1.0))
    starts = [min(m, n) - 1 if mode == "valid" else (n - 1 + late) // 2 for m, n in shapes]
    out[tuple(slice(s, s + n) for s, n in zip(starts, np.shape(g)))] = g  # noqa: B905
    return out


def part_of_convolution(full: Any, in1: Any, in2: Any, mode: str, late: bool = False) -> Any:
    """The part of a full convolution of in1 and in2 that a mode asks for.

    >>> part_of_convolution(np.arange(4.0), np.zeros(2), np.zeros(3), "same")
    array([1., 2.])
    """
    shapes = list(zip(np.shape(in1), np.shape(in2)))  # noqa: B905
    if mode == "valid":
        return full[tuple(slice(min(m, n) - 1, max(m, n)) for m, n in shapes)]
    return full[tuple(slice((n - 1 + late) // 2, (n - 1 + late) // 2 + m) for m, n in shapes)]


def convolution_back(g: Any, x: Any, other: Any, mode: str = "full", method: str = "auto") -> Any:
    """The adjoint of x in scipy.signal.convolve(x, other, mode, method) from that of the full convolution, g.

    >>> convolution_back(np.array([1.0, 2.0, 3.0]), np.zeros(2), np.array([4.0, 5.0]))
    array([14., 23.])
    """
    from scipy import fft, signal

    if not np.size(g):
        return np.zeros_like(x)
    if method == "auto":
        method = signal.choose_conv_method(x, other, mode) if np.ndim(x) else "direct"
    if method == "direct" or np.ndim(x) == 0:
        out = signal.convolve(g, np.flip(other), "valid", "direct")
    else:
        # at the length of g what goes round the transforms does not reach the places of x
        real = not (np.iscomplexobj(g) or np.iscomplexobj(other))
        lengths = [fft.next_fast_len(n, real) for n in np.shape(g)]
        if real:
            out = fft.irfftn(fft.rfftn(g, lengths) * np.conj(fft.rfftn(other, lengths)), lengths)
        else:
            out = fft.ifftn(fft.fftn(g, lengths) * np.conj(fft.fftn(np.conj(other), lengths)))
        out = out[tuple([slice(n) for n in np.shape(x)])]
    return out if np.iscomplexobj(x) else np.real(out)


def lagged_products(w: Any, x: Any, b: Any, axis: int = -1) -> Any:
    """For each k below the length of b the sum of w[n] * x[n - k]: the adjoint of b in a filter.

    >>> lagged_products(np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0]), np.zeros(2))
    array([32., 23.])
    """
    w, x = np.moveaxis(w, axis, -1), np.moveaxis(x, axis, -1)
    n = np.shape(x)[-1]
    if np.ndim(x) == 1 and n and np.size(b):
        return np.correlate(np.concatenate([w, np.zeros(np.size(b) - 1, dtype=w.dtype)]), x, "valid")
    return np.array([np.vdot(w[..., k:], x[..., : max(n - k, 0)]) for k in range(np.size(b))])


def lfilter_back(g: Any, gz: Any, b: Any, a: Any, axis: int = -1) -> Any:
    """The adjoints of x and zi in y, zf = scipy.signal.lfilter(b, a, x, axis, zi): the filter run backward in time.

    >>> lfilter_back(np.array([1.0, 1.0]), np.array([0.0]), [1.0], [1.0, -0.5])
    (array([1.5, 1. ]), array([1.5]))
    """
    from scipy.signal import lfilter

    n = np.shape(g)[axis]
    b, a = np.atleast_1d(b) / np.atleast_1d(a)[0], np.atleast_1d(a) / np.atleast_1d(a)[0]
    # the final state is what the filter would go on with: behind the signal, with the denominator taken off
    tail = np.flip(lfilter(a, [1.0], np.flip(gz, axis), axis), axis)
    w = np.flip(lfilter([1.0], a, np.flip(np.concatenate([g, tail], axis), axis), axis), axis)
    x = np.flip(lfilter(b, [1.0], np.flip(w, axis), axis), axis)
    return np.take(x, np.arange(n), axis), np.take(w, np.arange(np.shape(gz)[axis]), axis)


def sosfilt_back(g: Any, gz: Any, sos: Any, axis: int = -1) -> Any:
    """The adjoints of x and zi in y, zf = scipy.signal.sosfilt(sos, x, axis, zi).

    >>> sosfilt_back(np.array([1.0, 1.0]), np.zeros((1, 2)), [[1.0, 0.0, 0.0, 1.0, -0.5, 0.0]])
    (array([1.5, 1. ]), array([[1.5, 1. ]]))
    """
    states = np.zeros_like(gz)
    for k in reversed(range(len(sos))):
        g, states[k] = lfilter_back(g, gz[k], sos[k][:3], sos[k][3:], axis)
    return g, states


def odd_extension_back(g: Any, n: int, padtype: Any) -> Any:
    """The adjoint of a signal that was continued by n samples at both ends of its last axis, as filtfilt does."""
    if n == 0 or padtype is None:
        return g
    out = g[..., n:-n].copy()
    left, right = g[..., n - 1 :: -1], g[..., : -n - 1 : -1]
    sign = -1.0 if padtype == "odd" else 1.0
    if padtype == "constant":
        out[..., 0] += np.sum(left, axis=-1)
        out[..., -1] += np.sum(right, axis=-1)
        return out
    if padtype == "odd":
        out[..., 0] += 2.0 * np.sum(left, axis=-1)
        out[..., -1] += 2.0 * np.sum(right, axis=-1)
    out[..., 1 : n + 1] += sign * left
    out[..., -n - 1 : -1] += sign * right
    return out


def filtfilt_back(g: Any, b: Any, a: Any, axis: int = -1, padtype: Any = "odd", padlen: Any = None) -> Any:
    """The adjoint of x in scipy.signal.filtfilt(b, a, x, axis, padtype, padlen), whose adjoint is g."""
    from scipy.signal import lfilter_zi

    b, a = np.atleast_1d(b), np.atleast_1d(a)
    pad = (3 * max(len(a), len(b)) if padlen is None else padlen) if padtype is not None else 0
    zi = lfilter_zi(b, a)
    g = np.moveaxis(g, axis, -1)
    g = np.concatenate([np.zeros((*g.shape[:-1], pad)), g, np.zeros((*g.shape[:-1], pad))], -1)
    for _ in range(2):
        g, states = lfilter_back(np.flip(g, -1), np.zeros((*g.shape[:-1], len(zi))), b, a)
        g[..., 0] += states @ zi
    return np.moveaxis(odd_extension_back(g, pad, padtype), -1, axis)


def sosfiltfilt_back(g: Any, sos: Any, axis: int = -1, padtype: Any = "odd", padlen: Any = None) -> Any:
    """The adjoint of x in scipy.signal.sosfiltfilt(sos, x, axis, padtype, padlen), whose adjoint is g."""
    from scipy.signal import sosfilt_zi

    sos = np.atleast_2d(sos)
    edge = 2 * len(sos) + 1 - min(np.sum(sos[:, 2] == 0), np.sum(sos[:, 5] == 0))
    pad = int(3 * edge if padlen is None else padlen) if padtype is not None else 0
    zi = sosfilt_zi(sos)
    g = np.moveaxis(g, axis, -1)
    g = np.concatenate([np.zeros((*g.shape[:-1], pad)), g, np.zeros((*g.shape[:-1], pad))], -1)
    for _ in range(2):
        g, states = sosfilt_back(np.flip(g, -1), np.zeros((len(sos), *g.shape[:-1], 2)), sos)
        g[..., 0] += np.einsum("s...k,sk->...", states, zi)
    return np.moveaxis(odd_extension_back(g, pad, padtype), -1, axis)


def decimate_back(g: Any, x: Any, q: int, n: Any = None, axis: int = -1, zero_phase: bool = True) -> Any:
    """The adjoint of x in scipy.signal.decimate(x, q, n, axis=axis, zero_phase=zero_phase), whose adjoint is g."""
    from scipy.signal import cheby1, sosfilt

    sos = cheby1(8 if n is None else n, 0.05, 0.8 / q, output="sos")
    out = np.zeros_like(x)
    out[(slice(None),) * (axis % np.ndim(x)) + (slice(None, None, q),)] = g
    if zero_phase:
        return sosfiltfilt_back(out, sos, axis)
    return np.flip(sosfilt(sos, np.flip(out, axis), axis), axis)


def resample_poly_back(
    g: Any, x: Any, up: int, down: int, axis: int = 0, window: Any = ("kaiser", 5.0)
) -> Any:
    """The adjoint of x in scipy.signal.resample_poly(x, up, down, axis, window), whose adjoint is g."""
    from scipy.signal import firwin

    up, down = up // math.gcd(up, down), down // math.gcd(up, down)
    if up == down:
        return g
    half = 10 * max(up, down)
    h = up * firwin(2 * half + 1, 1.0 / max(up, down), window=window)
    before = down - half % down
    h = np.concatenate([np.zeros(before), h])
    g = np.moveaxis(g, axis, -1)
    start = (half + before) // down
    g = np.concatenate([np.zeros((*g.shape[:-1], start)), g], -1)
    moved = np.empty((*g.shape[:-1], np.shape(x)[axis]))
    return np.moveaxis(upfirdn_back(g, h, moved, up, down), -1, axis)


def savgol_back(
    g: Any, window_length: int, polyorder: int, deriv: int = 0, delta: float = 1.0, axis: int = -1
) -> Any:
    """The adjoint of x in scipy.signal.savgol_filter(x, ...) in mode "interp", whose adjoint is g."""
    from scipy.ndimage import correlate1d
    from scipy.signal import savgol_coeffs, savgol_filter

    half = window_length // 2
    g = np.moveaxis(g, axis, 0)
    middle = g * 1.0
    middle[:half] = middle[len(middle) - half :] = 0.0
    weights = savgol_coeffs(window_length, polyorder, deriv=deriv, delta=delta)
    out = correlate1d(middle, weights, 0, mode="constant")
    # at the ends a polynomial is fitted to the first and the last samples
    fit = savgol_filter(np.eye(window_length), window_length, polyorder, deriv, delta, 0)
    out[:window_length] += np.tensordot(fit[:half], g[:half], (0, 0))
    out[len(out) - window_length :] += np.tensordot(fit[window_length - half :], g[len(g) - half :], (0, 0))
    return np.moveaxis(out, 0, axis)


def kernel_back(
    g: Any, x: Any, weights: Any, mode: str, origin: Any = 0, axis: Any = None, convolved: bool = False
) -> Any:
    """The adjoint of the weights in scipy.ndimage.correlate (or convolve), or along an axis, whose adjoint is g.

    `mode` is that of np.pad.

    >>> kernel_back(np.array([1.0, 0.0, 0.0]), np.array([1.0, 2.0, 3.0]), np.zeros(3), "constant")
    array([0., 1., 2.])
    """
    rank = np.ndim(x)
    axes = range(rank) if axis is None else [axis % rank]
    sizes = dict(zip(axes, np.shape(weights)))  # noqa: B905
    origins = dict(zip(axes, np.broadcast_to(origin, len(sizes)).tolist()))  # noqa: B905
    widths = [(sizes[a] // 2 + abs(origins[a]) + 1,) * 2 if a in sizes else (0, 0) for a in range(rank)]
    wide = np.pad(x, widths, mode)  # type: ignore[call-overload]
    out = np.zeros(np.shape(weights))
    for place in np.ndindex(*np.shape(weights)):
        # correlate reads x[i + k - size // 2 - origin], convolve x[i - (k - size // 2 - origin)]
        starts = dict(zip(axes, place))  # noqa: B905
        index = []
        for a in range(rank):
            shift = 0
            if a in sizes:
                shift = starts[a] - sizes[a] // 2 - origins[a]
                shift = -shift if convolved else shift
            index.append(slice(widths[a][0] + shift, widths[a][0] + shift + np.shape(x)[a]))
        out[place] = np.einsum(g, range(rank), wide[tuple(index)], range(rank), ())
    return out


def upfirdn_back(g: Any, h: Any, x: Any, up: int = 1, down: int = 1, axis: int = -1) -> Any:
    """The adjoint of x in scipy.signal.upfirdn(h, x, up, down, axis), whose adjoint is g."""
    from scipy.signal import upfirdn

    # x[j] is at j * up + len(h) - 1: zeros before the filter make that a multiple of up
    late = -(len(h) - 1) % up
    moved = np.moveaxis(upfirdn(np.concatenate([np.zeros(late), np.flip(h)]), g, down, up, axis), axis, -1)
    start, n = (len(h) - 1 + late) // up, np.shape(x)[axis]
    part = moved[..., start : start + n]
    out = np.zeros((*part.shape[:-1], n), part.dtype)
    out[..., : part.shape[-1]] = part
    return np.moveaxis(out, -1, axis)


def upfirdn_filter_back(g: Any, h: Any, x: Any, up: int = 1, down: int = 1, axis: int = -1) -> Any:
    """The adjoint of h in scipy.signal.upfirdn(h, x, up, down, axis), whose adjoint is g."""
    g, x = np.moveaxis(g, axis, -1), np.moveaxis(x, axis, -1)
    common = math.gcd(up, down)
    every, each = up // common, down // common
    out = np.zeros(len(h))
    product = np.dot if g.ndim == 1 else np.vdot
    for k in range(0, len(h), common):  # h[k] meets x[j] where n * down = j * up + k: every so often
        n = k // common * pow(each, -1, every) % every
        n += max(0, -(-(k - n * down) // (down * every))) * every
        j = (n * down - k) // up
        some, others = g[..., n::every], x[..., j::each]
        count = min(some.shape[-1], others.shape[-1])
        out[k] = product(some[..., :count], others[..., :count])
    return out


def positive_sylvester(p: Any, right: Any) -> Any:
    """The solution s of p @ s + s @ p = right, for a symmetric p with positive eigenvalues.

    >>> positive_sylvester(np.diag([1.0, 3.0]), np.ones((2, 2))).round(12)
    array([[0.5       , 0.25      ],
           [0.25      , 0.16666667]])
    """
    w, v = np.linalg.eigh(p)
    return v @ (v.T @ right @ v / (w[:, None] + w)) @ v.T


def gauss_rule(n: int) -> Any:
    """The n nodes and weights of Gauss between -1 and 1 that scipy.integrate.fixed_quad has and keeps.

    >>> gauss_rule(2)[0].round(6), gauss_rule(2)[1].round(6)
    (array([-0.57735,  0.57735]), array([1., 1.]))
    """
    from scipy.integrate import fixed_quad

    nodes = []

    def each(x: Any) -> Any:
        nodes.append(x)
        return np.eye(len(x))

    weights = fixed_quad(each, -1.0, 1.0, n=n)[0]
    return nodes[0], weights


def romberg_weights(n: int) -> Any:
    """The weights that Romberg's method gives to n = 2**k + 1 values: those of trapezoidal rules of all widths, each
    eliminating the next power of the width.

    >>> romberg_weights(3) * 3.0
    array([1., 4., 1.])
    """
    rules = []
    width = 1
    while width < n:
        rule = np.zeros(n)
        rule[::width] = width
        rule[0] = rule[-1] = 0.5 * width
        rules.append(rule)
        width *= 2
    power = 4.0
    while len(rules) > 1:
        rules = [rules[k] + (rules[k] - rules[k + 1]) / (power - 1.0) for k in range(len(rules) - 1)]
        power *= 4.0
    return rules[0]


def trigonometric_back(
    g: Any, x: Any, name: str, type: int = 2, s: Any = None, axes: Any = None, norm: Any = None
) -> Any:
    """The adjoint of x in a cosine or sine transform of scipy.fft (dct, idst, ... along axes), whose adjoint is g.

    >>> trigonometric_back(np.array([1.0, 0.0]), np.zeros(2), "dct")
    array([2., 2.])
    """
    from scipy import fft

    if axes is None:
        axes = tuple(range(np.ndim(x)))[-len(s) if s is not None else 0 :]
    inverse = name.startswith("i")
    plain = getattr(fft, name.lstrip("i"))
    # the inverse of type 2 is type 3, but for a factor
    kind = {2: 3, 3: 2}.get(type, type) if inverse else type
    transposed = {2: 3, 3: 2}.get(kind, kind)
    for axis in np.atleast_1d(axes).tolist():
        g = np.moveaxis(g, axis, -1)
        n, m = g.shape[-1], np.shape(x)[axis]
        ends = np.ones(n)
        if plain is fft.dct:
            if kind == 1:
                ends[1:-1] = 2.0
            ends[0] = 2.0 if kind in (2, 3) else ends[0]
        elif kind in (2, 3):
            ends[-1] = 2.0
        if norm == "ortho":
            g = plain(g, transposed, norm=norm)
        elif kind == 1:
            g = ends * plain(g / ends, 1)
        else:
            g = plain(g * ends, 3) if kind == 2 else plain(g, transposed) / ends
        size = n + (kind == 1) * (-1 if plain is fft.dct else 1)
        if norm != "ortho" and (norm == "forward") != inverse:
            g = g / (2 * size)
        if m < n:
            g = g[..., :m]
        elif m > n:
            g = np.concatenate([g, np.zeros((*g.shape[:-1], m - n))], axis=-1)
        g = np.moveaxis(g, -1, axis)
    return g


# --- splines on a grid: scipy.ndimage ---------------------------------------------------------------------------------


def spline_basis(u: Any, order: int, nu: int = 0) -> Any:
    """What the order + 1 coefficients around a point count, u behind a knot; the nu-th derivatives of that.

    >>> spline_basis(np.array([0.25]), 1), spline_basis(np.array([0.25]), 1, 1)
    (array([[0.75],
           [0.25]]), array([[-1.],
           [ 1.]]))
    """
    basis = np.zeros((order + 1, *np.shape(u)))
    if nu > order:
        return basis
    basis[0] = 1.0
    for k in range(1, order - nu + 1):  # the recursion of Cox and de Boor, in place, without its divisors
        basis[k] = u * basis[k - 1]
        for j in range(k - 1, 0, -1):
            basis[j] *= (j + 1) - u
            basis[j] += (u + (k - j)) * basis[j - 1]
        basis[0] *= 1 - u
    if order - nu > 1:
        basis /= math.factorial(order - nu)
    for k in range(order - nu + 1, order + 1):  # a derivative is a difference of splines of one order less
        basis[1 : k + 1] = basis[:k] - basis[1 : k + 1]
        basis[0] *= -1.0
    return basis


def spline_weights(x: Any, n: int, order: int, mode: str, nus: Any = (0,)) -> Any:
    """Which of n coefficients the spline at coordinates x is made of, and with which weights: those of each of its
    derivatives `nus`.

    `mode` says what is behind the ends, as in scipy.ndimage.

    >>> spline_weights(np.array([0.25, 3.0]), 3, 1, "constant")
    (array([[0, 1],
           [1, 0]]), [array([[0.75, 0.  ],
           [0.25, 0.  ]])])
    """
    at = x = np.asarray(x, dtype=float)
    sign: Any = 1.0  # d(where it is read)/dx
    inside: Any = True
    behind = mode
    if mode == "mirror" and n > 1:
        at = np.abs(x) % (2 * n - 2)
        sign = np.where(at > n - 1, -1.0, 1.0) * np.where(x < 0, -1.0, 1.0)
        at = np.where(at > n - 1, 2 * n - 2 - at, at)
    elif mode in ("reflect", "grid-mirror") and n > 1:
        at = (x + 0.5) % (2 * n)
        sign = np.where(at > n, -1.0, 1.0)
        at, behind = np.where(at > n, 2 * n - at, at) - 0.5, "reflect"
    elif mode == "wrap" and n > 1:
        at = np.where(x < 0, x + (n - 1) * (np.floor(-x / (n - 1)) + 1), x - (n - 1) * np.floor(x / (n - 1)))
        at, behind = np.where((x < 0) | (x > n - 1), at, x), "mirror"
    elif mode == "grid-wrap":
        at = np.where((x < 0) | (x > n - 1), x % n, x)
    elif mode == "nearest":
        at = np.clip(x, -order - 1, n + order)  # far enough that all coefficients are the last one
    elif mode == "constant":
        inside, behind = (x >= 0) & (x <= n - 1), "mirror"
    elif mode != "grid-constant":
        at = np.zeros(np.shape(x))
    knot = np.floor(at if order % 2 else at + 0.5)
    u = at - knot if order % 2 else at + 0.5 - knot
    # the coefficients behind the ends: those that the mode takes for them
    source = np.arange(-order - 1, n + order + 1)
    if behind in ("nearest", "grid-constant") or n == 1:
        source = np.clip(source, 0, n - 1)
    elif behind == "grid-wrap":
        source = source % n
    elif behind == "reflect":
        source = source % (2 * n)
        source = np.minimum(source, 2 * n - 1 - source)
    else:
        source = source % (2 * n - 2)
        source = np.minimum(source, 2 * n - 2 - source)
    index = np.add.outer(np.arange(order + 1), knot.astype(int) + (order + 1 - order // 2))
    weights = [spline_basis(u, order, nu) for nu in nus]
    outside = mode == "constant" and not inside.all()
    for w, nu in zip(weights, nus):  # noqa: B905
        if nu and np.ndim(sign):
            w *= sign**nu
        if outside:
            w *= inside
        if behind == "grid-constant":
            w *= (index > order) & (index <= order + n)
    return source.take(index, mode="clip", out=index), weights


def spline_rows(index: Any, shape: Any, corner: Any = (), row: Any = 0) -> Any:
    """The coefficients around the points, counted through an image of a shape: those along the last axis together,
    behind their places along the other axes."""
    if len(index) == 1:
        yield corner, row + index[0]
    else:
        for j, i in enumerate(index[0]):
            yield from spline_rows(index[1:], shape[1:], (*corner, j), (row + i) * shape[1])


def spline_blocks(shape: Any, coordinates: Any, order: int, mode: str, nus: Any) -> Any:
    """The points, as many at a time as the cache holds the coefficients of: which they are, where those lie along each
    axis, and what they count."""
    points = np.reshape(coordinates, (len(shape), -1))
    for start in range(0, points.shape[1], 8192):
        part = slice(start, start + 8192)
        found = [spline_weights(t, n, order, mode, nus) for t, n in zip(points[:, part], shape)]  # noqa: B905
        yield part, [index for index, _ in found], [weights for _, weights in found]


def spline_sums(c: Any, coordinates: Any, order: int, mode: str, derivatives: Any) -> Any:
    """The spline in several variables with the coefficients c, at points: derivatives of it, each of which is given by
    its order along each axis.

    >>> spline_sums(np.array([1.0, 3.0, 7.0]), np.array([[0.25, 1.5]]), 1, "mirror", [[0], [1]])
    array([[1.5, 5. ],
           [2. , 4. ]])
    """
    coordinates, flat = np.asarray(coordinates), np.ravel(c)
    out = np.zeros((len(derivatives), math.prod(coordinates.shape[1:])))
    nus = range(1 + max(max(nu) for nu in derivatives))
    for part, index, weights in spline_blocks(np.shape(c), coordinates, order, mode, nus):
        for corner, row in spline_rows(index, np.shape(c)):
            around = flat[row]
            for m, nu in enumerate(derivatives):
                term = np.einsum("kp,kp->p", weights[-1][nu[-1]], around)
                for a, j in enumerate(corner):
                    term *= weights[a][nu[a]][j]
                out[m, part] += term
    return np.reshape(out, (-1, *coordinates.shape[1:]))


def spline_sums_back(g: Any, shape: Any, coordinates: Any, order: int, mode: str, derivatives: Any) -> Any:
    """The adjoint of the coefficients, of a shape, in spline_sums, whose adjoint is g."""
    out = np.zeros(math.prod(shape))
    g = np.reshape(g, (len(derivatives), -1))
    nus = range(1 + max(max(nu) for nu in derivatives))
    for part, index, weights in spline_blocks(shape, coordinates, order, mode, nus):
        for corner, row in spline_rows(index, shape):
            for m, nu in enumerate(derivatives):
                term = g[m, part]
                for a, j in enumerate(corner):
                    term = term * weights[a][nu[a]][j]
                np.add.at(out, np.ravel(row), np.ravel(term * weights[-1][nu[-1]]))
    return np.reshape(out, shape)


def spline_margin(order: int, mode: str, prefilter: bool) -> int:
    """How many coefficients scipy.ndimage puts around those of an image."""
    return 12 if prefilter and order > 1 and mode in ("nearest", "grid-constant") else 0


def spline_coefficients(x: Any, order: int, mode: str, prefilter: bool) -> Any:
    """The coefficients of the spline through an image."""
    from scipy.ndimage import spline_filter

    if not prefilter or order < 2:
        return x
    margin = spline_margin(order, mode, prefilter)
    wide = np.pad(x, margin, "edge" if mode == "nearest" else "constant") if margin else x
    return spline_filter(wide, order, mode=mode)


def spline_filter_back(g: Any, order: int, axis: int, mode: str) -> Any:
    """The adjoint of x in scipy.ndimage.spline_filter1d(x, order, axis, mode=mode), whose adjoint is g.

    Reflection at the first and the last element makes the filter symmetric once these count half. Reflection behind
    them makes it symmetric too, but as SciPy starts the recursion that is so only of arrays that are not short.
    """
    from scipy.ndimage import spline_filter1d

    n = np.shape(g)[axis]
    if mode in ("reflect", "grid-mirror", "nearest") and order > 1 and n < 40:  # 0.43**40 is as good as 0
        return matrix_along(spline_filter1d(np.eye(n), order, 0, mode=mode).T, g, axis)
    if mode in ("reflect", "grid-mirror", "nearest", "grid-wrap") or order < 2:
        return spline_filter1d(g, order, axis, mode=mode)
    ends = np.ones(np.shape(g)[axis])
    ends[[0, -1]] = 0.5
    ends = np.reshape(ends, [-1 if k == axis % np.ndim(g) else 1 for k in range(np.ndim(g))])
    return ends * spline_filter1d(g / ends, order, axis, mode=mode)


def spline_coefficients_back(g: Any, order: int, mode: str, prefilter: bool) -> Any:
    """The adjoint of an image whose spline has coefficients with the adjoint g."""
    if not prefilter or order < 2:
        return g
    for axis in range(np.ndim(g)):
        g = spline_filter_back(g, order, axis, mode)
    margin = spline_margin(order, mode, prefilter)
    if margin:
        inner = np.empty([n - 2 * margin for n in np.shape(g)])
        return pad_back(g, inner, margin, "edge" if mode == "nearest" else "constant")
    return g


def interpolation_back(
    g: Any, x: Any, coordinates: Any, order: int = 3, mode: str = "constant", prefilter: bool = True
) -> Any:
    """The adjoint of x in scipy.ndimage.map_coordinates(x, coordinates, ...), whose adjoint is g.

    >>> interpolation_back(np.array([1.0]), np.zeros(3), np.array([[0.25]]), 1)
    array([0.75, 0.25, 0.  ])
    """
    margin = spline_margin(order, mode, prefilter)
    shape = [n + 2 * margin for n in np.shape(x)]
    out = spline_sums_back(g, shape, np.asarray(coordinates) + margin, order, mode, [[0] * np.ndim(x)])
    return spline_coefficients_back(out, order, mode, prefilter)


def interpolation_slopes(
    x: Any, coordinates: Any, order: int = 3, mode: str = "constant", prefilter: bool = True
) -> Any:
    """The derivatives of scipy.ndimage.map_coordinates(x, coordinates, ...) with respect to each coordinate.

    >>> interpolation_slopes(np.array([1.0, 3.0, 7.0]), np.array([[0.25, 1.5]]), 1)
    array([[2., 4.]])
    """
    at = np.asarray(coordinates) + spline_margin(order, mode, prefilter)
    along = np.eye(np.ndim(x), dtype=int)
    return spline_sums(spline_coefficients(x, order, mode, prefilter), at, order, mode, along)


def interpolation_slopes_back(
    g: Any, x: Any, coordinates: Any, order: int = 3, mode: str = "constant", prefilter: bool = True
) -> Any:
    """The adjoint of x in interpolation_slopes(x, coordinates, ...), whose adjoint is g, or g for each of the axes."""
    margin = spline_margin(order, mode, prefilter)
    shape = [n + 2 * margin for n in np.shape(x)]
    at = np.asarray(coordinates) + margin
    out = spline_sums_back(np.broadcast_to(g, at.shape), shape, at, order, mode, np.eye(np.ndim(x), dtype=int))
    return spline_coefficients_back(out, order, mode, prefilter)


def interpolation_curvature(
    x: Any, coordinates: Any, v: Any, order: int = 3, mode: str = "constant", prefilter: bool = True
) -> Any:
    """The second derivatives of map_coordinates with respect to the coordinates, times v."""
    at = np.asarray(coordinates) + spline_margin(order, mode, prefilter)
    along = np.eye(np.ndim(x), dtype=int)
    twice = np.reshape(along[:, None] + along, (-1, np.ndim(x)))
    sums = spline_sums(spline_coefficients(x, order, mode, prefilter), at, order, mode, twice)
    return np.sum(np.reshape(sums, (np.ndim(x), *at.shape)) * v, axis=1)


def spline_matrix(x: Any, n: int, order: int, mode: str, nu: int = 0) -> Any:
    """The sparse matrix that makes the spline at coordinates x, or its nu-th derivative, of n coefficients.

    >>> spline_matrix(np.array([0.25, 1.0]), 3, 1, "mirror").toarray()
    array([[0.75, 0.25, 0.  ],
           [0.  , 1.  , 0.  ]])
    """
    from scipy.sparse import csr_array

    index, (weights,) = spline_weights(x, n, order, mode, (nu,))
    starts = np.arange(0, index.size + 1, order + 1)
    return csr_array((np.ravel(weights.T), np.ravel(index.T), starts), shape=(len(x), n))


def matrix_along(m: Any, x: Any, axis: int) -> Any:
    """A matrix times the vectors along one axis of an array.

    >>> matrix_along(np.array([[1.0, 1.0]]), np.array([[1.0, 2.0], [3.0, 4.0]]), 1)
    array([[3.],
           [7.]])
    """
    x = np.moveaxis(x, axis, 0)
    y = m @ np.reshape(x, (len(x), math.prod(x.shape[1:])))
    return np.moveaxis(np.reshape(y, (len(y), *x.shape[1:])), 0, axis)


def shifted_image_back(
    g: Any, x: Any, shift: Any, order: int = 3, mode: str = "constant", prefilter: bool = True
) -> Any:
    """The adjoint of x in scipy.ndimage.shift(x, shift, ...), whose adjoint is g: a product of one matrix an axis.

    >>> shifted_image_back(np.array([0.0, 1.0, 0.0]), np.zeros(3), 0.25, 1)
    array([0.25, 0.75, 0.  ])
    """
    margin = spline_margin(order, mode, prefilter)
    for a, (n, s) in enumerate(zip(np.shape(x), np.broadcast_to(shift, np.ndim(x)))):  # noqa: B905
        m = spline_matrix(np.arange(n) - s + margin, n + 2 * margin, order, mode)
        g = matrix_along(m.T, g, a)
    return spline_coefficients_back(g, order, mode, prefilter)


def shifted_image_slopes(x: Any, shift: Any, order: int = 3, mode: str = "constant", prefilter: bool = True) -> Any:
    """The slopes along each axis of an image where scipy.ndimage.shift(x, shift, ...) reads it.

    >>> shifted_image_slopes(np.array([1.0, 3.0, 7.0]), 0.25, 1)
    array([[0., 2., 4.]])
    """
    margin = spline_margin(order, mode, prefilter)
    image = spline_coefficients(x, order, mode, prefilter)
    slopes: Any = []
    for a, (n, s) in enumerate(zip(np.shape(x), np.broadcast_to(shift, np.ndim(x)))):  # noqa: B905
        at = np.arange(n) - s + margin
        m = spline_matrix(at, n + 2 * margin, order, mode)
        slope = spline_matrix(at, n + 2 * margin, order, mode, 1)
        slopes = [*(matrix_along(m, t, a) for t in slopes), matrix_along(slope, image, a)]
        image = matrix_along(m, image, a)
    return np.array(slopes)


def zoomed_image_back(g: Any, x: Any, order: int = 3, mode: str = "constant", prefilter: bool = True) -> Any:
    """The adjoint of x in scipy.ndimage.zoom(x, ...), whose adjoint is g: a product of one matrix an axis.

    >>> zoomed_image_back(np.array([0.0, 1.0, 1.0]), np.zeros(2), 1)
    array([0.5, 1.5])
    """
    margin = spline_margin(order, mode, prefilter)
    for a, (n, k) in enumerate(zip(np.shape(x), np.shape(g))):  # noqa: B905
        m = spline_matrix(np.linspace(0, n - 1, k) + margin, n + 2 * margin, order, mode)
        g = matrix_along(m.T, g, a)
    return spline_coefficients_back(g, order, mode, prefilter)


def ranked_tangent(dx: Any, x: Any, values: Any, sizes: Any, mode: str) -> Any:
    """The tangent of a filter that takes one element of each window of x; equal elements share evenly.

    >>> ranked_tangent(np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 3.0]), np.array([3.0, 3.0, 3.0]), (3,), "edge")
    array([2.        , 3.        , 3.33333333])
    """
    widths = [(n // 2, (n - 1) // 2) for n in sizes]
    x, dx = np.pad(x, widths, mode), np.pad(dx, widths, mode)  # type: ignore[call-overload]
    total, count = np.zeros(values.shape), np.zeros(values.shape)
    for start in np.ndindex(*sizes):
        part = tuple(slice(s, s + n) for s, n in zip(start, values.shape))  # noqa: B905
        hit = x[part] == values
        total += hit * dx[part]
        count += hit
    return total / np.maximum(count, 1.0)


def ranked_back(g: Any, x: Any, values: Any, sizes: Any, mode: str) -> Any:
    """The adjoint of x in a filter that takes one element of each window of x; equal elements share evenly.

    >>> ranked_back(np.array([0.0, 1.0, 0.0]), np.array([1.0, 3.0, 3.0]), np.array([3.0, 3.0, 3.0]), (3,), "edge")
    array([0. , 0.5, 0.5])
    """
    widths = [(n // 2, (n - 1) // 2) for n in sizes]
    wide = np.pad(x, widths, mode)  # type: ignore[call-overload]
    count = np.zeros(values.shape)
    for start in np.ndindex(*sizes):
        count += wide[tuple(slice(s, s + n) for s, n in zip(start, values.shape))] == values  # noqa: B905
    share = g / np.maximum(count, 1.0)
    out = np.zeros(wide.shape)
    for start in np.ndindex(*sizes):
        part = tuple(slice(s, s + n) for s, n in zip(start, values.shape))  # noqa: B905
        out[part] += (wide[part] == values) * share
    return pad_back(out, x, widths, mode)


def extreme_stages(x: Any, values: Any, sizes: Any, mode: str, largest: bool) -> Any:
    """How a maximum (or minimum) filter of x takes its values, one axis after the other: each axis, and for each place
    in the windows along it where that holds the extreme; and how many elements of each window are equal to its extreme.

    An element is the largest of a rectangle if it is the largest of its column, and that the largest of the row.
    """
    extreme = np.fmax if largest else np.fmin
    axes = [axis for axis, size in enumerate(sizes) if size > 1]
    count: Any = 1
    stages: Any = []
    for axis in axes:
        size, n = sizes[axis], np.shape(x)[axis]
        wide = padded_along(x, axis, size, mode)
        if axis == axes[-1]:
            top = np.moveaxis(values, axis, 0)
        else:
            top = wide[:n].copy()
            for k in range(1, size):
                extreme(top, wide[k : k + n], out=top)
        hits = [wide[k : k + n] == top for k in range(size)]
        equal = hits
        if stages:  # what stands at a place is the extreme of a window, of which several elements may be equal to it
            behind = math.prod(len(h) for _, h in stages)
            counts = padded_along(count, axis, size, mode, behind)
            equal = [hit * counts[k : k + n] for k, hit in enumerate(hits)]
        count = np.zeros_like(top, np.min_scalar_type(math.prod(sizes)))
        for found in equal:
            count += found
        count = np.moveaxis(count, 0, axis)
        stages.append((axis, hits))
        x = np.moveaxis(top, 0, axis)
    return stages, np.maximum(count, 1)  # none is equal to a value that is not a number


def padded_along(x: Any, axis: int, size: int, mode: str, constant: int = 0) -> Any:
    """An array with what the windows along an axis hold behind its ends; that axis first."""
    widths = [(size // 2, (size - 1) // 2) if a == axis else (0, 0) for a in range(np.ndim(x))]
    options = {"constant_values": constant} if mode == "constant" else {}
    return np.moveaxis(np.pad(x, widths, mode, **options), axis, 0)  # type: ignore[call-overload]


def extremes_tangent(dx: Any, x: Any, values: Any, sizes: Any, mode: str, largest: bool = True) -> Any:
    """The tangent of values, a maximum (or minimum) filter of x; equal elements share evenly.

    >>> extremes_tangent(np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 3.0]), np.array([3.0, 3.0, 3.0]), (3,), "edge")
    array([2.        , 3.        , 3.33333333])
    """
    stages, count = extreme_stages(x, values, sizes, mode, largest)
    for axis, hits in stages:
        wide = padded_along(dx, axis, len(hits), mode)
        dx = np.moveaxis(sum(hit * wide[k : k + len(hit)] for k, hit in enumerate(hits)), 0, axis)
    return dx / count


def extremes_back(g: Any, x: Any, values: Any, sizes: Any, mode: str, largest: bool = True) -> Any:
    """The adjoint of x in values, a maximum (or minimum) filter of x, whose adjoint is g; equal elements share evenly.

    >>> extremes_back(np.array([0.0, 1.0, 0.0]), np.array([1.0, 3.0, 3.0]), np.array([3.0, 3.0, 3.0]), (3,), "edge")
    array([0. , 0.5, 0.5])
    """
    stages, count = extreme_stages(x, values, sizes, mode, largest)
    g = g / count
    for axis, hits in reversed(stages):
        n, before, after = g.shape[axis], len(hits) // 2, (len(hits) - 1) // 2
        wide = np.zeros([n + before + after if a == axis else m for a, m in enumerate(g.shape)])
        wide, g = np.moveaxis(wide, axis, 0), np.moveaxis(g, axis, 0)
        part = np.empty_like(g)
        for k, hit in enumerate(hits):
            wide[k : k + n] += np.multiply(hit, g, out=part)
        g = wide[before : before + n]
        if mode != "constant":
            source = np.pad(np.arange(n), (before, after), mode)  # type: ignore[call-overload]
            for k in (*range(before), *range(before + n, len(wide))):
                g[source[k]] += wide[k]
        g = np.moveaxis(g, 0, axis)
    return g


# --- scipy.spatial ---


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


# --- scipy.interpolate ------------------------------------------------------------------------------------------------


def piecewise_polynomial(c: Any, x: Any, t: Any, nu: int = 0, extrapolate: Any = True) -> Any:
    """The nu-th derivative at t of polynomials with coefficients c between the points x: scipy.interpolate.PPoly.

    >>> piecewise_polynomial(np.array([[2.0], [1.0]]), np.array([0.0, 1.0]), 0.5)
    array(2.)
    """
    from scipy.interpolate import PPoly

    c, x = np.ascontiguousarray(c, np.result_type(c, float)), np.ascontiguousarray(x, float)
    return PPoly.construct_fast(c, x, extrapolate)(t, nu)


def surface_slope(x: float, y: float, tck: Any, dx: int, dy: int) -> Any:
    """A derivative of scipy.interpolate.bisplev at a point, of splines of every degree; it is 0 off the knots.

    >>> float(surface_slope(0.25, 0.5, ([0.0, 0, 1, 1], [0.0, 0, 1, 1], [0.0, 1, 3, 6], 1, 1), 1, 0))
    4.0
    """
    from scipy.interpolate import BSpline, bisplev

    tx, ty, c, kx, ky = tck
    for order, point, t, k in ((dx, x, tx, kx), (dy, y, ty, ky)):
        if order and not t[k] <= point <= t[-k - 1]:
            return 0.0
    if dx < kx and dy < ky:
        return bisplev(x, y, tck, dx, dy)
    x, y = min(max(x, tx[kx]), tx[-kx - 1]), min(max(y, ty[ky]), ty[-ky - 1])
    along = BSpline(np.asarray(tx), np.reshape(c, (len(tx) - kx - 1, -1)), kx)(x, dx)
    return BSpline(np.asarray(ty), along, ky)(y, dy)[()]


def piecewise_polynomial_back(
    g: Any, c: Any, x: Any, t: Any, nu: int = 0, extrapolate: Any = True
) -> Any:
    """The adjoint of c in piecewise_polynomial(c, x, t, nu, extrapolate), whose adjoint is g.

    >>> piecewise_polynomial_back(1.0, np.zeros((2, 1)), np.array([0.0, 1.0]), 0.5)
    array([[0.5],
           [1. ]])
    """
    t = np.ravel(t)
    g = np.reshape(g, (len(t), *np.shape(c)[2:]))
    if extrapolate == "periodic":
        t = x[0] + (t - x[0]) % (x[-1] - x[0])
    i = np.clip(np.searchsorted(x, t, "right") - 1, 0, len(x) - 2)
    h = t - x[i]
    weights = np.ones(len(t)) if extrapolate else ((t >= x[0]) & (t <= x[-1])) * 1.0
    out = np.zeros(np.shape(c))
    for power in range(nu, len(c)):
        term = math.perm(power, nu) * h ** (power - nu) * weights
        np.add.at(out[len(c) - 1 - power], i, np.reshape(term, (-1, *[1] * (np.ndim(c) - 2))) * g)
    return out


def cubic_spline(x: Any, y: Any, start: str = "not-a-knot", end: str = "not-a-knot") -> Any:
    """The coefficients of the cubic spline through y: scipy.interpolate.CubicSpline.

    >>> cubic_spline(np.array([0.0, 2.0]), np.array([0.0, 1.0]))
    array([[0. ],
           [0. ],
           [0.5],
           [0. ]])
    """
    from scipy.interpolate import CubicSpline

    return CubicSpline(x, y, bc_type=(start, end)).c


def cubic_spline_back(g: Any, x: Any, start: str = "not-a-knot", end: str = "not-a-knot") -> Any:
    """The adjoint of y in cubic_spline(x, y, start, end), whose adjoint is g: the transposed equations for the slopes.

    >>> cubic_spline_back(np.array([[0.0], [0.0], [1.0], [0.0]]), np.array([0.0, 2.0]))
    array([-0.5,  0.5])
    """
    from scipy.linalg import solve_banded

    n, h = len(x), np.diff(x)
    low, middle, high = np.zeros(n), np.ones(n), np.zeros(n)
    # the right-hand sides are sums of the mean slopes: of that before the point, of that behind, of the next ones
    before, behind, next_but = np.zeros(n), np.zeros(n), {"start": 0.0, "end": 0.0}
    if n > 2:
        low[1:-1], middle[1:-1], high[1:-1] = h[1:], 2.0 * (h[:-1] + h[1:]), h[:-1]
        before[1:-1], behind[1:-1] = 3.0 * h[1:], 3.0 * h[:-1]
    knots = "not-a-knot" if n > 2 else "line"
    for side, kind, i in (("start", start, 0), ("end", end, -1)):
        kind = knots if kind == "not-a-knot" else kind
        first, second = (h[0], h[1 if n > 2 else 0]) if i == 0 else (h[-1], h[-2 if n > 2 else -1])
        off, near = (high, behind) if i == 0 else (low, before)
        if kind == "not-a-knot" and n > 3:
            both = first + second
            middle[i], off[i] = second, both
            near[i] = (first + 2.0 * both) * second / both
            next_but[side] = first**2 / both
        elif kind == "not-a-knot" and (start, end) == ("not-a-knot", "not-a-knot"):  # a parabola
            off[i], near[i] = 1.0, 2.0
        elif kind == "not-a-knot":
            both = first + second
            middle[i], off[i] = second, both
            near[i] = (first + 2.0 * both) * second / both
            next_but[side] = first**2 / both
        elif kind == "natural":
            middle[i], off[i], near[i] = 2.0, 1.0, 3.0
        elif kind == "line":
            near[i] = 1.0
    bands = np.zeros((3, n))
    bands[0, 1:], bands[1], bands[2, :-1] = low[1:], middle, high[:-1]
    g = np.asarray(g)
    cubic, square, slope, value = np.reshape(g, (4, n - 1, -1))
    width = h[:, None]
    # the coefficients are sums of the slopes at both ends and of the mean slope
    bend = cubic / width**2 - square / width
    ends = np.zeros((n, value.shape[1]))
    ends[:-1] = bend + slope - square / width
    ends[1:] += bend
    w = solve_banded((1, 1), bands, ends)
    slopes = square / width - 2.0 * bend + behind[:-1, None] * w[:-1] + before[1:, None] * w[1:]
    if n > 2:
        slopes[1] += next_but["start"] * w[0]
        slopes[-2] += next_but["end"] * w[-1]
    out = np.zeros_like(ends)
    out[:-1] = value - slopes / width
    out[1:] += slopes / width
    return np.reshape(out, (n, *g.shape[2:]))


def spline_knots(x: Any, k: int = 3) -> Any:
    """The knots of scipy.interpolate.make_interp_spline(x, y, k)."""
    from scipy.interpolate import make_interp_spline

    return make_interp_spline(x, np.zeros(len(x)), k).t


def interpolating_coefficients(x: Any, y: Any, k: int = 3) -> Any:
    """The coefficients of the B-spline through y: scipy.interpolate.make_interp_spline(x, y, k).

    >>> interpolating_coefficients(np.array([0.0, 1.0]), np.array([3.0, 4.0]), 1)
    array([3., 4.])
    """
    from scipy.interpolate import make_interp_spline

    return make_interp_spline(x, y, k).c


def interpolating_coefficients_back(g: Any, x: Any, k: int = 3) -> Any:
    """The adjoint of y in interpolating_coefficients(x, y, k), whose adjoint is g: the transposed equations.

    >>> interpolating_coefficients_back(np.array([3.0, 4.0]), np.array([0.0, 1.0]), 1)
    array([3., 4.])
    """
    from scipy.interpolate import BSpline
    from scipy.sparse.linalg import spsolve

    matrix = BSpline.design_matrix(x, spline_knots(x, k), k)
    return np.reshape(spsolve(matrix.T.tocsc(), np.reshape(g, (len(x), -1))), np.shape(g))


def b_spline(t: Any, c: Any, k: int, x: Any, nu: int = 0, extrapolate: Any = True) -> Any:
    """The nu-th derivative at x of a B-spline with knots t and coefficients c: scipy.interpolate.BSpline.

    >>> b_spline(np.array([0.0, 0.0, 1.0, 1.0]), np.array([1.0, 3.0]), 1, 0.5)
    array(2.)
    """
    from scipy.interpolate import BSpline

    return BSpline(t, c, k, extrapolate)(x, nu)


def b_spline_back(g: Any, t: Any, c: Any, k: int, x: Any, nu: int = 0, extrapolate: Any = True) -> Any:
    """The adjoint of c in b_spline(t, c, k, x, nu, extrapolate), whose adjoint is g.

    >>> b_spline_back(1.0, np.array([0.0, 0.0, 1.0, 1.0]), np.zeros(2), 1, 0.25)
    array([0.75, 0.25])
    """
    from scipy.interpolate import BSpline

    out = np.zeros(np.shape(c))
    if nu > k:
        return out
    if nu == 0:
        x = np.ravel(x)
        n = len(t) - k - 1
        g = np.reshape(g, (len(x), *np.shape(c)[1:]))
        if extrapolate is False:
            inside = (x >= t[k]) & (x <= t[n])
            x, g = x[inside], g[inside]
        elif extrapolate == "periodic":
            x = t[k] + (x - t[k]) % (t[n] - t[k])
        matrix = BSpline.design_matrix(x, t, k, extrapolate=True)
        out[:n] = np.reshape(matrix.T @ np.reshape(g, (len(x), -1)), (n, *np.shape(c)[1:]))
        return out
    # the derivative has the differences of the coefficients over those of the knots
    n = len(t) - k - 1
    inner = b_spline_back(g, t[1:-1], c[: n - 1], k - 1, x, nu - 1, extrapolate)
    widths = t[k + 1 : k + n] - t[1:n]
    steps = inner * np.reshape(k / np.where(widths == 0.0, 1.0, widths), (-1, *[1] * (np.ndim(c) - 1)))
    out[1:n] += steps
    out[: n - 1] -= steps
    return out


def interval_of(x: Any, t: Any) -> Any:
    """Which of the intervals between the points x each t lies in; the first or the last for those outside.

    >>> interval_of(np.array([0.0, 1.0, 3.0]), np.array([-1.0, 0.5, 1.0, 3.0]))
    array([0, 0, 1, 1])
    """
    return np.clip(np.searchsorted(x, t, side="right") - 1, 0, np.searchsorted(x, x[-1]) - 1)


def cell_of(p: Any, x: Any) -> Any:
    """Which of the intervals between points that go up or down each x lies in; the first or the last for those outside.

    >>> cell_of(np.array([3.0, 1.0, 0.0]), np.array([4.0, 2.5, 0.5]))
    array([0, 0, 1])
    """
    rising = p[0] < p[-1]
    i = np.clip(np.searchsorted(p if rising else p[::-1], x, side="right") - 1, 0, len(p) - 2)
    return i if rising else len(p) - 2 - i


def point_of(x: Any, t: Any, kind: str) -> Any:
    """Which of the points x gives the value at each t: scipy.interpolate.interp1d.

    >>> point_of(np.array([0.0, 1.0, 3.0]), np.array([0.5, 1.0, 2.2]), "nearest")
    array([0, 1, 2])
    """
    if kind == "previous":
        i = np.searchsorted(x, t, side="right") - 1
    elif kind == "next":
        i = np.searchsorted(x, t, side="left")
    else:
        i = np.searchsorted(0.5 * (x[1:] + x[:-1]), t, side="left" if kind == "nearest" else "right")
    return np.clip(i, 0, len(x) - 1)


def box_of(x: Any) -> Any:
    """The middle of points and half of their extent, along each axis.

    >>> box_of(np.array([[0.0, 1.0], [4.0, 1.0]]))
    (array([2., 1.]), array([2., 1.]))
    """
    low, high = np.min(x, axis=0), np.max(x, axis=0)
    return 0.5 * (low + high), np.where(high > low, 0.5 * (high - low), 1.0)


def nearest_of(points: Any, x: Any) -> Any:
    """Which of some points is the nearest to each x.

    >>> nearest_of(np.array([[0.0, 1.0], [4.0, 1.0]]), np.array([[3.0, 3.0]]))
    array([1])
    """
    from scipy.spatial import KDTree

    return KDTree(points).query(x)[1]


def simplex_of(points: Any, x: Any) -> Any:
    """Which of some points are the corners of the simplex that each x lies in, and whether it lies in one.

    >>> corners, inside = simplex_of(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), np.array([[0.2, 0.3], [2.0, 2.0]]))
    >>> np.sort(corners), inside
    (array([[0, 1, 2],
           [0, 1, 2]], dtype=int32), array([ True, False]))
    """
    from scipy.spatial import Delaunay

    triangles = Delaunay(points)
    found = triangles.find_simplex(x)
    return triangles.simplices[np.maximum(found, 0)], found >= 0


# --- scipy.sparse -----------------------------------------------------------------------------------------------------


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
