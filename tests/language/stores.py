"""Arrays written in place: elements, slices, steps, ellipsis, masks, index arrays."""

import math

import numpy as np

from tests.language.corpus import normal, program, uniform


@program("element stores", args=lambda: (normal(6), 0.9))
def linear_recurrence(x, decay):
    y = np.zeros(len(x))
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = decay * y[i - 1] + np.sin(x[i])
    return np.sum(y**2)


@program("element stores", args=lambda: (normal(4),))
def reads_what_it_overwrites(x):
    y = x * 2.0
    for i in range(1, 4):
        y[i] = y[i] * y[i - 1]
    return np.sum(y)


@program("element stores", args=lambda: (normal(4),))
def stored_twice(x):
    y = np.zeros(4)
    y[0] = x[0] * x[1]
    y[1] = np.exp(y[0])
    y[0] = x[2] ** 2
    y[1] = y[1] * y[0]
    return y[0] + y[1]


@program("element stores", args=lambda: (0.5, 1.5))
def matrix_from_numbers(a, b):
    M = np.zeros((2, 2))
    M[0, 0] = a
    M[0, 1] = -b
    M[1, 0] = b
    M[1, 1] = a * b
    return np.linalg.det(M @ M) + M[0][1] * M[1][1]


@program("element stores", args=lambda: (normal(5),))
def constant_stored_over_active(x):
    y = x * x
    y[2] = 0.0
    y[-1] = 1.0
    return np.sum(y * x)


@program("element stores", args=lambda: (normal(5), np.array([0, 3, 3, 1])))
def counting_stores(x, idx):
    h = np.zeros(5)
    for k in idx:
        h[k] = h[k] + x[k] * x[0]
    return h @ h


@program("element stores", args=lambda: (uniform(4),))
def element_augmented(x):
    y = np.ones(4)
    for i in range(4):
        y[i] *= x[i]
        y[i] += x[3 - i] ** 2
        y[i] /= 1.0 + x[i]
        y[i] -= y[i - 1]
        y[i] **= 2
    return np.sum(y)


@program("element stores", args=lambda: (normal(3, 4),))
def row_by_row_stores(A):
    B = np.empty((3, 4))
    for i in range(3):
        for j in range(4):
            B[i, j] = A[i, j] * A[i, 0]
    B[1][2] = 7.0 * A[0, 0]
    return np.sum(B * B)


@program("element stores", args=lambda: (normal(6),))
def bubble_sort(x):
    y = x.copy()
    n = len(y)
    for i in range(n):
        for j in range(n - 1 - i):
            if y[j] > y[j + 1]:
                tmp = y[j]
                y[j] = y[j + 1]
                y[j + 1] = tmp
    return y @ np.arange(1.0, n + 1.0) + y[0] * y[-1]


@program("slice stores", args=lambda: (normal(8), normal(8, seed=1), 4))
def heat_two_buffers(A, B, steps):
    for t in range(1, steps):
        B[1:-1] = 0.33333 * (A[:-2] + A[1:-1] + A[2:])
        A[1:-1] = 0.33333 * (B[:-2] + B[1:-1] + B[2:])
    return np.sum(A * np.arange(A.size))


@program("slice stores", args=lambda: (normal(7), 0.05, 3))
def burgers(u, nu, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1] += nu * (u[2:] - 2.0 * u[1:-1] + u[:-2]) - 0.1 * u[1:-1] * (u[2:] - u[:-2])
    return np.sum(u * u)


@program("slice stores", args=lambda: (normal(3), normal(4, seed=1)))
def concatenation_by_stores(x, y):
    z = np.empty(7)
    z[:3] = x
    z[3:] = y * 2.0
    return np.sum(z[1:] * z[:-1])


@program("slice stores", args=lambda: (normal(4, 4), normal(4)))
def rows_and_columns(A, v):
    B = A * 1.0
    B[0] = v
    B[:, 1] = v * v
    B[2, 1:3] = v[:2] * B[0, :2]
    return np.sum(B**3)


@program("slice stores", args=lambda: (2.5, normal(5)))
def number_broadcast_into_slice(c, x):
    y = np.zeros(5)
    y[1:4] = c
    y[:2] += c * x[:2]
    y[3:] *= x[3:]
    return np.sum(y * y)


@program("slice stores", args=lambda: (normal(3), normal(2, 3)))
def row_broadcast_into_matrix(row, A):
    B = np.ones((2, 3))
    B[:] = row
    B[:, :2] *= A[:, :2]
    B[1:] -= A[:1]
    return np.sum(B**2)


@program("slice stores", args=lambda: (normal(6),))
def slice_augmented_nonlinear(x):
    y = x.copy()
    y[::1] *= x
    y[2:5] **= 2
    y[1:] /= 2.0 + np.cos(x[:-1])
    return np.sum(y)


@program("slice stores", args=lambda: (normal(6),))
def overlapping_shift(x):
    y = x * x
    y[1:] = y[:-1] * x[1:]
    y[:-1] += y[1:]
    return np.sum(y * y)


@program("slice stores", args=lambda: (normal(5, 5), 2))
def game_of_diffusion(u, steps):
    for _ in range(steps):
        u[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        u[0, :] = u[1, :]
        u[:, -1] = 0.0
    return np.sum(u * u)


@program("step and ellipsis stores", args=lambda: (normal(8),))
def interleave(x):
    y = np.empty(8)
    y[::2] = x[:4]
    y[1::2] = x[4:] * y[::2]
    return np.sum(y * y)


@program("step and ellipsis stores", args=lambda: (normal(6),))
def reversed_store(x):
    y = np.zeros(6)
    y[::-1] = x * x
    y[-2::-2] += x[:3]
    return y @ np.arange(6.0)


@program("step and ellipsis stores", args=lambda: (normal(2, 3, 4), normal(2, 3)))
def ellipsis_last_axis(A, b):
    B = A * 1.0
    B[..., 0] = b
    B[..., 1] *= b
    B[0, ...] -= 1.0
    return np.sum(B**2)


@program("step and ellipsis stores", args=lambda: (normal(4),))
def ellipsis_everything(x):
    y = np.zeros(4)
    y[...] = x * 3.0
    y[...] *= x
    y[...] = y + x
    return np.sum(y)


@program("step and ellipsis stores", args=lambda: (normal(9), 2))
def red_black_sweep(u, sweeps):
    for _ in range(sweeps):
        u[1:-1:2] = 0.5 * (u[:-2:2] + u[2::2])
        u[2:-1:2] = 0.5 * (u[1:-2:2] + u[3::2])
    return np.sum(u**3)


@program("step and ellipsis stores", args=lambda: (normal(3, 4), normal(3)))
def new_axis_store(A, v):
    B = np.zeros((3, 4))
    B[:, :] = v[:, None]
    B[:, None, 1:2] = A[:, None, 1:2]
    return np.sum(B * A)


@program("step and ellipsis stores", args=lambda: (normal(8), 3))
def computed_slices(x, k):
    y = x.copy()
    for i in range(k):
        y[i : i + k] = y[i : i + k] * x[k - i : 2 * k - i]
    s = slice(1, None, 3)
    y[s] += x[s] ** 2
    return np.sum(y)


@program("step and ellipsis stores", args=lambda: (normal(4, 6),))
def checkerboard(A):
    B = A.copy()
    B[::2, ::2] *= 2.0
    B[1::2, 1::2] = B[::2, ::2] * A[1::2, 1::2]
    return np.sum(B * A)


@program("mask stores", args=lambda: (normal(7),))
def relu_by_mask(x):
    y = x.copy()
    y[y < 0] = 0.0
    return np.sum(y**2)


@program("mask stores", args=lambda: (normal(7), 0.5))
def winsorise(x, limit):
    y = x * 1.0
    high = y > limit
    y[high] = limit + 0.1 * (y[high] - limit)
    y[y < -limit] = -limit
    return np.sum(y * x)


@program("mask stores", args=lambda: (normal(6), normal(6, seed=1)))
def masked_rows_from_other(x, y):
    z = np.zeros(6)
    m = x > y
    z[m] = x[m] ** 2
    z[~m] = y[~m] * x[~m]
    return np.sum(np.sin(z))


@program("mask stores", args=lambda: (normal(6),))
def masked_augmented(x):
    y = x.copy()
    y[x > 0] *= 3.0
    y[x <= 0] += x[x <= 0] ** 2
    y[np.abs(x) > 0.5] -= 1.0
    return np.sum(y**2)


@program("mask stores", args=lambda: (normal(4, 3), np.array([True, False, True, True])))
def mask_of_rows(A, keep):
    B = A * A
    B[~keep] = 0.0
    B[keep, 1] = A[keep, 0]
    return np.sum(B)


@program("mask stores", args=lambda: (uniform(5), 1.0))
def guarded_logarithm(x, c):
    out = np.zeros_like(x)
    ok = x > c * 0.5
    out[ok] = np.log(x[ok])
    return np.sum(out) * c


@program("mask stores", args=lambda: (normal(3, 3),))
def two_dimensional_mask(A):
    B = A.copy()
    B[A > 0] = A[A > 0] ** 2
    B[np.eye(3, dtype=bool)] = 1.5
    return np.sum(B * A)


@program("mask stores", args=lambda: (normal(6), 2.0))
def scalar_by_mask(x, c):
    y = np.ones(6)
    y[x > 0] = c
    y[x < -0.1] = c * c
    return y @ x


@program("index array stores", args=lambda: (normal(3), np.array([4, 0, 2])))
def scatter(x, idx):
    y = np.zeros(5)
    y[idx] = x * x
    return y @ np.arange(5.0)


@program("index array stores", args=lambda: (normal(4), np.array([1, 1, 0, 2])))
def repeated_store_last_wins(x, idx):
    y = np.zeros(3)
    y[idx] = x**2
    return np.sum(y * np.array([1.0, 2.0, 3.0]))


@program("index array stores", args=lambda: (normal(4), np.array([1, 1, 0, 2])))
def repeated_augmented_counts_once(x, idx):
    y = np.ones(3) * x[0]
    y[idx] += x
    return np.sum(y**2)


@program("index array stores", args=lambda: (normal(4), np.array([1, 1, 0, 2])))
def scatter_add(x, idx):
    y = np.zeros(3)
    np.add.at(y, idx, x * x)
    return np.sum(y**2)


@program("index array stores", args=lambda: (normal(4, 4), normal(4)))
def diagonal_store(A, d):
    B = A.copy()
    i = np.arange(4)
    B[i, i] = d
    B[i, 0] *= d
    return np.sum(B**2)


@program("index array stores", args=lambda: (normal(5, 2), np.array([0, 2]), normal(2, 2)))
def rows_by_list(A, idx, R):
    B = A * 1.0
    B[[3, 1]] = R
    B[idx, 1] += R[0]
    B[[0, 4], :] *= R
    return np.sum(B**2)


@program("index array stores", args=lambda: (normal(6), np.array([5, 4, 3, 2, 1, 0])))
def permuted_store(x, perm):
    y = np.empty(6)
    y[perm] = x
    y[perm[:3]] *= x[:3]
    return np.sum(y * x)


@program("index array stores", args=lambda: (normal(3, 4), np.array([0, 2]), np.array([[1], [3]])))
def mixed_index_store(A, rows, cols):
    B = A * 2.0
    B[rows, cols] = A[:2, :2] ** 2
    B[1:, rows] -= A[1:, :2]
    return np.sum(B**2)


@program("index array stores", args=lambda: (normal(6),))
def store_at_argsort(x):
    order = np.argsort(x)
    rank = np.empty(6)
    rank[order] = np.arange(6.0) * x[order]
    return rank @ x


@program("overwritten arguments", args=lambda: (normal(5),))
def argument_scaled_in_place(x):
    x *= 2.0
    return np.sum(x**2)


@program("overwritten arguments", args=lambda: (normal(5), 3))
def argument_stepped_in_place(x, n):
    for _ in range(n):
        x[1:] = x[1:] * x[:-1]
    return np.sum(x)


@program("overwritten arguments", args=lambda: (normal(4), normal(4, seed=1)))
def output_argument(x, out):
    out[:] = np.sin(x)
    out[0] = x[1] * x[2]
    return out @ x


@program("overwritten arguments", args=lambda: ({"u": normal(5), "k": 0.1}, 2))
def array_in_dict_overwritten(state, n):
    u = state["u"]
    for _ in range(n):
        u[1:-1] += state["k"] * (u[2:] - 2 * u[1:-1] + u[:-2]) * u[1:-1]
    return np.sum(state["u"] ** 2)


@program("overwritten arguments", args=lambda: (normal(4), normal(4, seed=1)))
def argument_used_before_and_after(x, y):
    s = np.sum(x * y)
    x[:] = y * y
    return s * np.sum(x)


@program("overwritten arguments", args=lambda: (normal(3, 3), normal(3)))
def gauss_elimination_in_place(A, b):
    A += 4.0 * np.eye(3)
    n = len(b)
    for k in range(n):
        for i in range(k + 1, n):
            m = A[i, k] / A[k, k]
            A[i, k:] -= m * A[k, k:]
            b[i] -= m * b[k]
    for k in range(n - 1, -1, -1):
        b[k] = (b[k] - A[k, k + 1 :] @ b[k + 1 :]) / A[k, k]
    return b @ b


@program("overwritten arguments", args=lambda: (normal(5), 0.5))
def argument_zeroed(x, c):
    s = c * x[0] * x[4]
    x[:] = 0.0
    x[2] = s
    return np.sum(x) ** 2


@program("overwritten arguments", args=lambda: (normal(4),))
def argument_overwritten_in_branch(x):
    if x[0] > 0:
        x[1] = x[0] * x[2]
    else:
        x[1:] *= x[0]
    return np.sum(x * x)


@program("overwritten arguments", args=lambda: (normal(6), 1.2))
def argument_overwritten_while(x, limit):
    n = 0
    while np.sum(x * x) > limit:
        x[n] *= 0.3
        n += 1
    return np.sum(x) * limit


@program("overwritten arguments", args=lambda: ([normal(3), normal(3, seed=1)],))
def arrays_in_list_overwritten(buffers):
    a, b = buffers
    a[:] = a * b
    buffers[1][0] = a[2]
    return np.sum(buffers[0]) + np.sum(b * b)


@program("slice stores", args=lambda: (uniform(6), 0.7), wrt=(0, 1))
def overwritten_as_it_was_read_before(u, c):
    u[::2] = u[:3] * 1.0
    u[1:] = u[:-1]
    u[:2] = u[4:]
    u[2::2], u[:4:2] = u[:4:2].copy(), u[2::2][::-1].copy()
    u[:] = u[::-1]
    return np.sum(u * np.arange(6.0)) * c


@program("element stores", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def table_of_dynamic_programming(x):
    C = np.zeros((4, 5))
    C[0, 0] = x[0]
    for i in range(1, 4):
        C[i, 0] = C[i - 1, 0] * x[1]
    for j in range(1, 5):
        C[0, j] = C[0, j - 1] + x[2] ** 2
    for i in range(1, 4):
        for j in range(1, 5):
            C[i, j] = C[i - 1, j] * C[i, j - 1] + np.sin(C[i - 1, j - 1]) * x[j % 3]
    return C[-1, -1]


@program("element stores", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def table_stored_twice(x):
    C = np.ones((3, 3))
    for t in range(2):
        for i in range(1, 3):
            for j in range(1, 3):
                C[i, j] = C[i - 1, j] * C[i, j - 1] * x[i] + C[i, j] ** 2 * x[0]
    return np.sum(C)


@program("element stores", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def table_anew_each_turn(x):
    total = 0.0
    for k in range(3):
        C = np.ones((3, 3))
        for i in range(1, 3):
            for j in range(1, 3):
                C[i, j] = C[i - 1, j] * C[i, j - 1] * x[k] + np.sin(C[i - 1, j - 1] * x[0])
        total += C[2, 2] ** 2
    return total


@program("element stores", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def table_that_wraps_around(x):
    C = np.ones((3, 3))
    for i in range(3):
        for j in range(3):
            C[i, j] = C[i - 1, j] * C[i, j - 1] * x[i] + 0.1 * C[i, j] ** 2
    return np.sum(C)


@program("element stores", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def table_upwards(x):
    C = np.ones((4, 4))
    for i in range(2, -1, -1):
        for j in range(3):
            C[i, j] = C[i + 1, j] * C[i, j + 1] * x[i] + 0.1 * C[i + 1, j + 1] ** 2
    return np.sum(C)


@program("element stores", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def cholesky_by_hand(x):
    A = np.array([[4.0 + x[0], x[1], 0.3], [x[1], 3.0, x[2]], [0.3, x[2], 2.0 + x[0] ** 2]])
    L = np.zeros((3, 3))
    for i in range(3):
        for j in range(i + 1):
            s = 0.0
            for k in range(j):
                s += L[i, k] * L[j, k]
            if i == j:
                L[i, j] = math.sqrt(A[i, i] - s)
            else:
                L[i, j] = (A[i, j] - s) / L[j, j]
    return np.sum(L**2 * np.arange(9.0).reshape(3, 3))


@program("element stores", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def elimination_and_back_substitution(x):
    A = np.array([[4.0 + x[0], x[1], 0.3], [0.7 * x[1], 3.0, x[2]], [0.3, x[2], 2.0 + x[0] ** 2]])
    b = np.array([x[0], 1.0, x[1] * x[2]])
    for k in range(3):
        for i in range(k + 1, 3):
            f = A[i, k] / A[k, k]
            for j in range(k, 3):
                A[i, j] -= f * A[k, j]
            b[i] -= f * b[k]
    y = np.zeros(3)
    for i in range(2, -1, -1):
        s = b[i]
        for j in range(i + 1, 3):
            s -= A[i, j] * y[j]
        y[i] = s / A[i, i]
    return np.sum(y**2)


@program("element stores", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def elimination_above_too(x):
    A = np.array([[4.0 + x[0], x[1], 0.3], [0.7 * x[1], 3.0, x[2]], [0.3, x[2], 2.0 + x[0] ** 2]])
    for k in range(3):
        for i in range(3):
            if i != k:
                f = A[i, k] / A[k, k]
                for j in range(3):
                    A[i, j] -= f * A[k, j]
    return A[0, 0] * A[1, 1] * A[2, 2] + np.sum(A**2)


@program("element stores", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def table_at_a_changed_variable(x):
    C = np.ones((6, 4))
    for i in range(1, 3):
        for j in range(1, 3):
            i = i + 1
            C[i, j] = C[i - 1, j] * C[i, j - 1] * x[0] + x[j]
    return np.sum(C**2)


@program("element stores", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def table_stored_again_along_the_row(x):
    C = np.ones((4, 4))
    for i in range(1, 4):
        for j in range(1, 4):
            C[i, j] = C[i - 1, j] * x[0] + C[i, j - 1] ** 2 * x[1]
        for j in range(1, 4):
            C[i, j] = C[i, j] * C[i, j - 1] * x[2]
    return np.sum(C)


@program("element stores", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def table_and_its_transpose(x):
    C = np.ones((4, 4))
    for i in range(4):
        for j in range(i):
            C[i, j] = C[j, i] * x[0] + np.sin(x[1] * (i + j))
            C[j, i] = C[i, j] ** 2 * x[2]
    return np.sum(C)


@program("element stores", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def shortest_paths(x):
    D = np.array([[0.1, x[0], 3.0], [x[1], 0.2, 0.5 * x[2]], [0.3, 4.0 * x[0] * x[1], 0.1]])
    for k in range(3):
        for i in range(3):
            for j in range(3):
                D[i, j] = min(D[i, j], D[i, k] + D[k, j])
    return np.sum(D**2)


@program("element stores", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def table_of_every_other_row(x):
    C = np.ones((7, 3))
    for i in range(2, 7, 2):
        for j in range(3):
            C[i, j] = C[i - 2, j] * C[i - 1, j] * x[j] + C[i - 1, j] ** 2
            C[i - 1, j] = x[0] * C[i, j]
    return np.sum(C)


@program("element stores", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def table_from_its_end(x):
    C = np.ones((4, 4))
    for i in reversed(range(3)):
        for j in reversed(range(3)):
            C[i, j] = C[i + 1, j] * C[i, j + 1] * x[j] + C[i + 1, j + 1] ** 2 * x[i]
    return C[0, 0]


@program("element stores", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def table_and_two_loops_of_a_name(x):
    C = np.ones((4, 4))
    for i in range(1, 4):
        C[i, 0] = C[i - 1, 0] * x[0] * C[i, 1]
        for j in range(1, 4):
            C[i, j] = C[i - 1, j] * C[i, j - 1] * x[1]
    for i in range(1, 3):
        C[i, 0] = C[i + 1, 0] * C[i, 2] * x[2]
    return np.sum(C**2)


@program("element stores", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def table_with_a_view_stored_into(x):
    C = np.ones((4, 4))
    row = C[1]
    for i in range(1, 4):
        for j in range(1, 4):
            C[i, j] = C[i - 1, j] * C[i, j - 1] * x[1] + np.sin(x[0] * j)
            row[j] = C[i, j] * x[2]
    return np.sum(C**2)


@program("element stores", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def table_with_an_inner_bound_below(x):
    C = np.ones((5, 5))
    for i in range(1, 5):
        for j in range(i - 1, 5):
            C[i, j] = C[j, i] * x[0] + C[i - 1, j] * x[1] * C[i, j - 1]
    return np.sum(np.sin(C[1:3]))


@program("slice stores", args=lambda: (normal(6),))
def views_of_itself_in_step(x):
    u = x * 2.0
    u[:3] = u[::2]
    u[1:] = u[:-1]
    u[::2] = u[1::2]
    u[::-1] = u
    u[1::2] = u[:3]
    late, early = u[2:], u[:-2]
    late[:] = early
    return np.sum(u**2 * np.arange(6.0))


@program("slice stores", args=lambda: (normal(4, 4),))
def rows_and_columns_of_itself(a):
    a = a * 2.0
    for i in range(4):
        a[i, i + 1 :] = a[i + 1 :, i]
    a[0] = a[2]
    a[:, 1] = a[1]
    a.T[0] = a.T[3]
    a[1, ::2] = a[0, :2]
    return np.sum(a**3)


@program("slice stores", args=lambda: (normal(6),), refused="may")
def view_of_itself_out_of_step(x):
    u = x * 2.0
    u[::2] = u[:3]
    return np.sum(u**2 * np.arange(6.0))


@program("slice stores", args=lambda: (normal(4, 4),), refused="may")
def column_into_another_row(a):
    a = a * 2.0
    a[1] = a[:, 2]
    return np.sum(a**3)


@program("mask stores", args=lambda: (normal(6),), refused="may")
def view_of_itself_through_a_mask(x):
    u = x * 2.0
    mask = np.arange(6) % 3 == 1
    u[mask] = u[:2]
    return np.sum(u**2)


@program("out arguments", args=lambda: (normal(4),), refused=True)
def concatenated_into_itself(x):
    u = x * 2.0
    np.concatenate([u[1:], u[:1]], out=u)
    return np.sum(u**2 * np.arange(4.0))


@program("out arguments", args=lambda: (normal(4),))
def concatenated_into_another_array(x):
    u, turned, both = x * 2.0, np.zeros(4), np.zeros((2, 4))
    np.concatenate([u[1:], u[:1]], out=turned)
    np.stack((u, turned), out=both)
    np.ptp(both, axis=0, out=u)
    return np.sum(both * u * np.arange(4.0))
