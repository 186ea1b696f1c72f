"""SciPy's images: splines on a grid, windows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2sad.runtime.helpers.rearranging import pad_back


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
