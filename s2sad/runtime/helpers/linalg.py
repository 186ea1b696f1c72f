"""Linear algebra: powers, systems, determinants, Cholesky's, singular values, QR, inverses of tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sad.runtime.helpers.eigen import gaps, least_gap, over_gaps, unread_pairs
from s2sad.runtime.helpers.multiplying import product_of_others


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
