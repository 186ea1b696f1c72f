"""Differences, integrals over samples, interpolation, statistics of several variables."""

from __future__ import annotations

from typing import Any

import numpy as np


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
    rows, drows = np.atleast_2d(rows).astype(float), np.atleast_2d(drows)  # as np.cov computes it
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
