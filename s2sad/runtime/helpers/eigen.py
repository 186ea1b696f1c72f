"""Eigenvalues and eigenvectors."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np


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


def divided_differences(g: Any, w: Any, slope: Any) -> Any:
    """(g_i - g_j) / (w_i - w_j), where g is a function of w and `slope` its derivative.

    The mean of two slopes, where it is what the quotient is but for rounding, or where eigenvalues hardly differ.

    >>> divided_differences(np.array([1.0, 4.0, 4.0]), np.array([1.0, 2.0, 2.0]), np.array([2.0, 4.0, 4.0]))
    array([[2., 3., 3.],
           [3., 4., 4.],
           [3., 4., 4.]])
    """
    slope = slope + np.zeros_like(g)
    gap, rise = w[..., :, None] - w[..., None, :], g[..., :, None] - g[..., None, :]
    mean, bend = 0.5 * (slope[..., :, None] + slope[..., None, :]), slope[..., :, None] - slope[..., None, :]
    eps = np.finfo(w.dtype).eps
    size, steep, far = np.abs(g) + np.abs(slope * w), np.abs(slope), np.max(np.abs(w), axis=-1)[..., None, None]
    exact = np.abs(rise - mean * gap) <= 8.0 * eps * np.maximum(size[..., :, None], size[..., None, :])
    steady = np.abs(bend) <= eps ** (1 / 3) * np.maximum(steep[..., :, None], steep[..., None, :])
    near = (gap == 0.0) | exact | (steady & (np.abs(gap) <= eps ** (2 / 3) * far))
    return np.where(near, mean, rise / np.where(near, 1.0, gap))


def second_differences(p: Any, q: Any, g: Any, w: Any, slope: Any, bend: Any) -> Any:
    """The sum over k of the second divided differences g[i, k, j] times (p_ik q_kj + q_ik p_kj).

    g is a function of w, which ascends, `slope` and `bend` are its derivatives. So v @ this @ v.T is the derivative
    along a matrix that is p in the basis v, of the derivative along one that is q.

    >>> p, w = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([3.0, 3.0])
    >>> second_differences(p, p, w**3, w, 3.0 * w**2, 6.0 * w)
    array([[18.,  0.],
           [ 0., 18.]])
    """
    slope, bend, eps = slope + np.zeros_like(g), bend + np.zeros_like(g), np.finfo(w.dtype).eps
    gap, rise = w[..., :, None] - w[..., None, :], g[..., :, None] - g[..., None, :]
    near, size, steep = gap == 0.0, np.abs(g) + np.abs(slope * w), np.abs(slope)
    # the first differences from slopes (Hermite), where the quotient is the same but for rounding
    first = 0.5 * (slope[..., :, None] + slope[..., None, :]) - gap * (bend[..., :, None] - bend[..., None, :]) / 12.0
    quotient = rise / np.where(near, 1.0, gap)
    error = 8.0 * eps * np.maximum(size[..., :, None], size[..., None, :]) / np.where(near, 1.0, np.abs(gap))
    near = near | (np.abs(quotient - first) <= error)
    error = np.where(near, 8.0 * eps * np.maximum(steep[..., :, None], steep[..., None, :]), error)
    first = np.where(near, first, quotient)
    n, total = w.shape[-1], np.zeros(np.broadcast_shapes(p.shape, q.shape), np.result_type(p, q, g))
    for k in range(n):
        low, mid, high = np.sort(np.stack([*np.indices((n, n)), np.full((n, n), k)]), axis=0)
        gap, rise = w[..., high] - w[..., low], first[..., mid, high] - first[..., low, mid]
        mean = (bend[..., low] + bend[..., mid] + bend[..., high]) / 6.0
        near = (gap == 0.0) | (np.abs(rise - mean * gap) <= error[..., mid, high] + error[..., low, mid])
        second = np.where(near, mean, rise / np.where(gap == 0.0, 1.0, gap))
        rows, columns = (p[..., :, k, None], q[..., :, k, None]), (q[..., k, None, :], p[..., k, None, :])
        total += second * (rows[0] * columns[0] + rows[1] * columns[1])
    return total


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
