"""Lists of rows: points, samples and matrices that are lists or tuples in a list, run through and changed."""

from __future__ import annotations

import math

from tests.language.corpus import program

ROWS = [[0.4, 0.9, 0.7, 0.3], [0.8, 0.5, 0.2, 1.1], [0.6, 1.2, 0.9, 0.5], [0.3, 0.7, 1.0, 0.8], [1.1, 0.2, 0.6, 0.4]]


def rows():
    return [list(row) for row in ROWS], 0.7


def ragged():
    return [row[: 4 - k % 2] for k, row in enumerate(ROWS)], 0.7


def points():
    return [(row[0], row[1]) for row in ROWS], 0.7


@program("lists of rows", args=points)
def length_of_a_line(ps, x):
    s = 0.0
    for (x0, y0), (x1, y1) in zip(ps[:-1], ps[1:], strict=True):
        s += math.hypot(x1 - x0, y1 - y0) * x
    return s


@program("lists of rows", args=points)
def misfit_of_points(ps, x):
    return sum((y - math.exp(-x * t)) ** 2 for t, y in ps)


@program("lists of rows", args=points)
def points_replaced_on_the_way(ps, x):
    s = 0.0
    for k in range(len(ps)):
        a, b = ps[k]
        ps[k] = (b * x, a)
        s += a * a * b
    return s + ps[1][0] * ps[3][1]


@program("lists of rows", args=points)
def points_sorted_when_they_were_read(ps, x):
    s = 0.0
    for a, b in ps:
        s += a * b * b * x
    ps.sort()
    for a, b in ps:
        s = s * 0.9 + a * b
    return s


@program("lists of rows", args=points)
def points_taken_apart_and_bound_anew(ps, x):
    s = 0.0
    for k, (a, b) in enumerate(ps):
        if a > 0.5:
            a = b * x
        s += a * b * b * k
    return s


@program("lists of rows", args=points)
def pairs_of_points(ps, x):
    s = 0.0
    for i in range(len(ps)):
        for j in range(i):
            a, b = ps[i]
            c, d = ps[j]
            s += (a - c) ** 2 * (b - d) * x
    return s


@program("lists of rows", args=rows)
def product_with_each_row(A, x):
    y = [sum(a * b for a, b in zip(row, A[0], strict=True)) for row in A]
    return sum(v * v for v in y) * x


@program("lists of rows", args=rows)
def rows_changed_in_place(A, x):
    for row in A:
        row[0] = row[0] * x
    return sum(sum(row) for row in A) + A[1][0] * A[2][1]


@program("lists of rows", args=rows)
def rows_changed_by_position(A, x):
    for i in range(len(A)):
        A[i][0] += x
    t = 0.0
    for row in A:
        t += row[0] ** 2 * row[1]
    return t


@program("lists of rows", args=rows)
def rows_read_and_changed_behind(A, x):
    s = 0.0
    for a, b, c, d in A:
        s += a * b * x + c * d
    for row in A:
        row[1] = row[1] * x
    for a, b, *_ in A:
        s += a * a * b
    return s


@program("lists of rows", args=rows)
def copies_of_rows(A, x):
    T = [row[:] for row in A]
    for i in range(len(T)):
        for j in range(len(T[0])):
            T[i][j] *= x + i
    return sum(math.exp(-row[0]) * row[1] for row in T)


@program("lists of rows", args=rows)
def rows_joined_and_cut(A, x):
    B = A[1:] + A[:2]
    B[0][1] = x
    s = 0.0
    for row in B:
        s += row[0] * row[1]
    return s + sum(row[1] ** 2 for row in A)


@program("lists of rows", args=rows)
def row_that_becomes_another(A, x):
    A[0] = A[1]
    A[0][0] = x * 2.0
    s = 0.0
    for row in A:
        s += row[0] * row[1]
    return s


@program("lists of rows", args=ragged)
def rows_of_several_lengths(A, x):
    s = 0.0
    for row in A:
        for v in row:
            s = s * x + v * v
    return s


@program("lists of rows", args=ragged)
def greatest_of_each_row(A, x):
    s = 0.0
    for row in A[::-1]:
        s = s * x + max(row) * min(row) + len(row)
    return s


@program("run-time lists", args=lambda: ([0.3, 0.8, 0.5, 1.2, 0.9, 0.4, 0.7], 0.7))
def slices_side_by_side(xs, x):
    s = 0.0
    for a, b in zip(xs[:-1], xs[1:], strict=True):
        s += (b - a) ** 2 * x
    return s


@program("run-time lists", args=lambda: ([0.3, 0.8, 0.5, 1.2, 0.9, 0.4, 0.7], 0.7))
def slice_of_a_sum_of_lists(xs, x):
    zs = [x, *xs] + xs[::-2]
    s = 0.0
    for i, z in enumerate(zs[2:]):
        s += z * z * i
    return s


@program("run-time lists", args=lambda: ([0.3, 0.8, 0.5, 1.2, 0.9, 0.4, 0.7], 3))
def moving_means(xs, k):
    out = []
    for i in range(len(xs) - k + 1):
        w = xs[i : i + k]
        out.append(sum(w) / k)
    return sum(o**2 for o in out)


@program("run-time lists", args=lambda: ([0.3, 0.8, 0.5, 1.2, 0.9, 0.4, 0.7], 0.7))
def list_changed_when_it_was_cut(xs, x):
    ys = xs[1:]
    for k in range(len(xs)):
        xs[k] *= x
    s = 0.0
    for a, b in zip(xs, ys):  # noqa: B905
        s += a * b * b
    return s


def many():
    return [[0.1 + 0.01 * k, 0.9 - 0.01 * k, 0.5] for k in range(70)], 0.7


@program("lists of rows", args=rows, wrt=1)
def rows_that_get_active(A, x):
    for row in A:
        row[0] = row[0] * x
    return sum(row[0] * row[1] for row in A)


@program("lists of rows", args=many, wrt=1)
def many_rows_that_get_active(A, x):
    for i in range(len(A)):
        A[i][0] += x
    return sum(row[0] ** 2 * row[1] for row in A)


@program("lists of rows", args=rows, wrt=1)
def every_other_row_gets_active(A, x):
    for k, row in enumerate(A):
        if k % 2:
            row[0] = x
    return sum(sum(row) for row in A)


@program("lists of rows", args=rows, wrt=1, refused="may")
def rows_changed_in_a_slice(A, x):
    for row in A[1:]:
        row[1] = row[0] * x
    return sum(row[0] ** 2 * row[1] for row in A)


@program("lists of rows", args=many, wrt=1, refused="may")
def rows_changed_in_a_copy(A, x):
    B = list(A)
    for row in B:
        row[1] = row[0] * x
    return sum(row[0] ** 2 * row[1] for row in A)


@program("lists of rows", args=rows, wrt=1, refused="may")
def rows_changed_side_by_side(A, x):
    for a, b in zip(A, A[1:]):  # noqa: B905
        b[0] = a[0] * x
    return sum(row[0] ** 2 * row[1] for row in A)


@program("lists of rows", args=many, wrt=1, refused="may")
def rows_changed_that_were_sorted(A, x):
    for row in sorted(A, key=lambda row: -row[0])[:4]:
        row[1] = row[0] * x
    return sum(row[0] ** 2 * row[1] for row in A)


@program("lists of rows", args=rows, wrt=1, refused="may")
def greatest_row_changed(A, x):
    best = A[0]
    for row in A:
        if row[0] > best[0]:
            best = row
    best[1] = x
    return sum(row[0] ** 2 * row[1] for row in A)


@program("lists of rows", args=many)
def many_rows_that_grow(A, x):
    for row in A:
        row.append(x)
    return sum(row[0] ** 2 * row[-1] for row in A)


@program("lists of rows", args=many, wrt=1)
def many_rows_that_shrink(A, x):
    for row in A:
        row[0] *= row.pop() * x
    return sum(row[0] ** 2 * row[-1] for row in A)


@program("lists of rows", args=many)
def shorter_row_among_many(A, x):
    A.append([x, 1.0])
    return sum(row[0] ** 2 * row[-1] for row in A)


@program("lists of rows", args=many, wrt=1, refused="may")
def rows_in_lists_of_their_own(A, x):
    held = [[row, [1.0]] for row in A]
    for pair in held:
        pair[0][0] = pair[0][0] * x
    return sum(row[0] * row[1] for row in A)


@program("lists of rows", args=many, wrt=1)
def copies_of_rows_in_lists_of_their_own(A, x):
    held = [[row[:], [1.0]] for row in A]
    for pair in held:
        pair[0][0] = pair[0][0] * x
    return sum(pair[0][0] * pair[0][1] for pair in held) + sum(row[0] for row in A)
