"""What generated code calls where the kinds are not known. Each helper needs numpy alone: its source is copied into the module that uses it."""

from __future__ import annotations

from typing import Any

import numpy as np


def unbroadcast(g: Any, x: Any) -> Any:
    """Sum g over the axes along which x was broadcast to give g.

    >>> unbroadcast(np.ones((2, 3)), np.zeros((1, 3))), unbroadcast(np.ones(3), 0.0)
    (array([[2., 2., 2.]]), np.float64(3.0))
    """
    shape = np.shape(x)
    extra = np.ndim(g) - len(shape)
    if extra > 0:
        g = np.sum(g, axis=tuple(range(extra)))
    axes = tuple(i for i, n in enumerate(shape) if n == 1 and np.shape(g)[i] != 1) if np.ndim(g) == len(shape) else ()
    if axes:
        g = np.sum(g, axis=axes, keepdims=True)
    return np.real(g) if np.iscomplexobj(g) and not np.iscomplexobj(x) else g


def expand_reduced(g: Any, x: Any, axis: Any, keepdims: bool = False) -> Any:
    """The cotangent (or value) g of a reduction of x over axis, broadcast back to the shape of x.

    >>> expand_reduced(np.array([1.0, 2.0]), np.zeros((2, 3)), 1)
    array([[1., 1., 1.],
           [2., 2., 2.]])
    """
    if not keepdims and axis is not None and np.ndim(g) < np.ndim(x):
        g = np.expand_dims(g, axis)
    return np.broadcast_to(g, np.shape(x))


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
    return np.reshape(np.sum(total, axis=tuple(i for i in range(np.ndim(total)) if (
        i < np.ndim(total) - np.ndim(a) or np.shape(a)[i - np.ndim(total) + np.ndim(a)] == 1 != np.shape(total)[i]
    ))), np.shape(a))


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
    return np.reshape(np.sum(total, axis=tuple(i for i in range(np.ndim(total)) if (
        i < np.ndim(total) - np.ndim(b) or np.shape(b)[i - np.ndim(total) + np.ndim(b)] == 1 != np.shape(total)[i]
    ))), np.shape(b))


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
    new = object.__new__(type(obj))
    new.__dict__.update(obj.__dict__)
    new.__dict__.update(parts)
    return new


def as_gradient(g: Any, x: Any) -> Any:
    """A gradient in the shape and dtype of its argument, whatever these are."""
    if isinstance(x, np.ndarray):
        return np.broadcast_to(g, x.shape).astype(x.dtype)
    return g
