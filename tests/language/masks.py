"""Functions with no slope, or none that is finite, where a mask leaves them out."""

import numpy as np

from tests.language.corpus import normal, program


def points():
    return np.array([0.5, -0.3, 0.7, -0.1])


@program("non-differentiable steps", args=lambda: (points(), 2.0))
def root_where_positive(x, c):
    with np.errstate(invalid="ignore"):
        y = np.where(x > 0, c * np.sqrt(x), 0.0)
    return np.sum(y)


@program("non-differentiable steps", args=lambda: (points(), np.array([0.2, 0.3, 0.1, 0.4])))
def logarithm_far_from_zero(x, y):
    r = np.sqrt(x * x + y * y)
    return np.sum(np.where(r > 0.1, np.log(r) * x, 2.0 * r))


@program("non-differentiable steps", args=lambda: (np.arange(6.0).reshape(2, 3) + 0.5, np.array([1.0, 2.0, 9.0])))
def masked_quotient_broadcast(A, b):
    with np.errstate(invalid="ignore"):
        t = 1.0 / np.sqrt(A - b)
    u = np.where(A > b, t, b)
    return np.sum(u * A)


@program("non-differentiable steps", args=lambda: (points(),))
def masked_twice(x):
    y = np.where(x > 0, x, 1.0)
    with np.errstate(invalid="ignore"):
        return np.sum(np.where(x > 0, np.log(y) * np.sqrt(x), x**2))


@program("non-differentiable steps, for", args=lambda: (points(),))
def masked_in_a_loop(x):
    s = 0.0
    with np.errstate(invalid="ignore"):
        for k in range(3):
            z = np.where(x > 0.1 * k, np.sqrt(x - 0.1 * k), 0.0)
            s = s + np.sum(z) * k
    return s


@program("non-differentiable steps", args=lambda: (normal(6),))
def element_between_two_uses_of_a_mask(x):
    t = np.sin(x)
    m = x > 0.0
    a = np.where(m, t, 0.0)
    s = t[0] ** 2 + np.sum(t[1:3])
    b = np.where(m, t, 0.0)
    return np.sum(a * a) + s + np.sum(b * b * b)


@program("non-differentiable steps", args=lambda: (normal(6),))
def mask_that_changes(x):
    m = x > 0.0
    t = np.exp(x)
    a = np.where(m, t, 0.0)
    m[0] = ~m[0]
    b = np.where(m, t, 0.0)
    return np.sum(a * a) + np.sum(b * b * b)


@program("overwritten indices, for", args=lambda: (normal(6), 3))
def mask_of_a_turn_overwritten(x, n):
    s = 0.0
    for k in range(n):
        chosen = x > -0.5
        chosen[k] = False
        s += np.sum(x[chosen] ** 2) * (k + 1)
    return s


# --- what a mask or an index array takes is a copy, which may be overwritten


@program("mask stores, copies, for", args=lambda: (np.array([1.1, 0.7, 0.3]), 2), wrt=0)
def masked_copy_overwritten_in_a_loop(x, n):
    total = 0.0
    for _ in range(n):
        part = x[x > 0.5]
        part[...] = part * part
        total = total + np.sum(part * part)
    return total


@program("mask stores, copies, for", args=lambda: (np.array([1.1, 0.7, 0.3]), 3), wrt=0)
def masked_copies_of_several_forms(x, n):
    total = 0.0
    for k in range(n):
        a, b, c = x[x > 0.0], x[np.ix_([2, 0])], x[np.nonzero(x)]
        a[0] = a[-1] * 3.0
        b *= x[k]
        c.sort()
        total = total * x[1] + np.sum(a * a) * b[0] + c[0] ** 2
    return total


@program("mask stores, copies, for", args=lambda: (np.array([[1.1, 0.7], [0.3, 0.9]]), 2), wrt=0)
def block_overwritten_in_a_loop(A, n):
    total = 0.0
    for _ in range(n):
        block = A[np.ix_([0, 1], [1, 0])]
        block[0] = block[-1] * 2.0
        total += np.sum(block * block * A)
    return total


@program("non-differentiable steps", args=lambda: (points(),))
def mask_written_at_each_use(x):
    y = np.zeros_like(x)
    y[x > 0.0] = np.log(x[x > 0.0]) * x[x > 0.0]
    return np.sum(y * x)


@program("non-differentiable steps", args=lambda: (points(), points()[::-1].copy()))
def mask_written_again_after_a_store(x, y):
    z = x * 2.0
    a = np.sum(z[z > 0.0] * y[z > 0.0])
    z[1] = 3.0 * y[1] + 9.0
    return a + np.sum(z[z > 0.0] * y[z > 0.0])


@program("non-differentiable steps, for", args=lambda: (points(), 3))
def mask_written_again_in_each_turn(x, n):
    s = 0.0
    z = x
    for k in range(n):
        w = np.full_like(z, 0.5)
        w[z < 0.6] = z[z < 0.6] ** 2
        z = w + 0.1 * k
        s += np.sum(z[z > 0.3])
    return s


@program("non-differentiable steps, if", args=lambda: (points(), 2))
def mask_of_an_earlier_turn_beside_its_like(x, n):
    s, z = 0.0, x + 0.0
    m = z > 0.0
    for k in range(n):
        z = z * z - 0.2
        if k == 0:
            m = z > 0.0
        s += np.sum(z[z > 0.0]) * np.sum(x[m])
    return s


@program("non-differentiable steps, for, if", args=lambda: (points(),))
def newton_where_small(x):
    small = x <= 0.6
    w = np.zeros_like(x)
    if np.any(small):
        z = x[small]
        g = np.log1p(x[small])
        for _ in range(3):
            e = np.exp(g)
            g = g - (g * e - z) / (e * (g + 1.0))
        w[small] = g
    return np.sum(w * x)


@program("non-differentiable steps, for, if", args=lambda: (np.array([1.0, 0.2, 0.25]), 2))
def selection_kept_into_the_next_turn(x, n):
    s, held = 0.0, x
    for k in range(n):
        m = x > 0.3 * k
        a = x[m]
        c = np.sin(x)[m]
        if k == 0:
            held = a
        s += np.sum(a * held)  # one element beside three in the second turn
        held = c
    return s


@program("non-differentiable steps, if", args=lambda: (1.5, 2.0, 0.4))
def masks_of_numbers_as_arrays(x, y, z):
    X, Y, Z = np.broadcast_arrays(x, y, 1.0 / z)
    V = np.zeros_like(X)
    m, k = Z > 0.0, Y > 5.0
    if np.any(m):
        X, Y, Z = X[m], Y[m], Z[m]
        V[m] = (X + Y) / Z - np.exp(-X * Y)
    return V.item() + np.sum(X[k[m]]) if np.any(k) else V.item() * y


@program("non-differentiable steps, if", args=lambda: (points(), np.array([1.0, np.nan, 0.4, 2.0])))
def rows_left_out_where_missing(x, y):
    kept = np.ones(x.size, dtype=bool)
    if np.any(np.isnan(y)):
        kept = np.logical_and(kept, ~np.isnan(y))
    if np.any(x < -0.2):
        kept = np.logical_and(kept, x > -0.2)
    return np.mean((x[kept] - y[kept]) ** 2)
