"""Cotangents in the shape, type and structure of what they are of."""

from __future__ import annotations

import copy
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
        if extra < 0:
            g = np.reshape(g, (1,) * -extra + np.shape(g))
        elif extra > 0 or (isinstance(g, np.ndarray) and not g.shape):  # (a number is nobody else's memory)
            g = np.sum(g, axis=tuple(range(extra)))
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


def stored_cotangent(b: Any, index: Any) -> Any:
    """The adjoint of `a[index] = value` for an index with integer arrays: where one element was stored to several
    times only the last one counts.

    >>> stored_cotangent(np.array([1.0, 2.0, 3.0]), np.array([0, 2, 0]))
    array([0., 3., 1.])
    """
    g = b[index]
    turn = np.arange(g.size).reshape(g.shape)
    last = np.zeros(b.shape, dtype=np.intp)
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


def made_number(cls: Any, number: float, **attributes: Any) -> Any:
    """An object of a class that is built on float, with the given attributes.

    >>> class Length(float):
    ...     pass
    >>> made_number(Length, 2.0, unit="m").unit
    'm'
    """
    new: Any = float.__new__(cls, number)
    for name, value in attributes.items():
        object.__setattr__(new, name, value)
    return new


def zeros_in(x: Any) -> Any:
    """The tangent of a constant of any kind; None where it has none.

    >>> zeros_in([2.0, (3, "W"), np.inf])
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
