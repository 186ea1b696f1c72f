"""Arrays in place, completely: out=, copyto, put, fill, sort, flat, add.at, containers, globals."""

import math

import numpy as np

from tests.language.corpus import normal, program, uniform

WEIGHTS = np.array([0.5, 1.5, -1.0, 2.0])
STATE = np.zeros(3)


@program("out arguments", args=lambda: (normal(4), normal(4, seed=1)))
def ufuncs_with_out(x, y):
    z = np.empty(4)
    np.multiply(x, y, out=z)
    np.exp(z, out=z)
    np.add(z, x, z)
    return np.sum(z * y)


@program("out arguments", args=lambda: (normal(3, 3), normal(3, 3, seed=1)))
def matmul_and_dot_with_out(A, B):
    C = np.empty((3, 3))
    np.matmul(A, B, out=C)
    D = np.empty((3, 3))
    np.dot(C, A, out=D)
    return np.sum(C * D)


@program("out arguments", args=lambda: (normal(3, 4),))
def reductions_with_out(A):
    s = np.empty(4)
    np.sum(A * A, axis=0, out=s)
    m = np.zeros(3)
    A.mean(axis=1, out=m)
    return np.sum(s) * m[0]


@program("out arguments", args=lambda: (normal(6),))
def out_is_a_slice(x):
    y = np.zeros(6)
    np.sin(x[:3], out=y[1:4])
    np.multiply(y[1:4], 2.0, out=y[2:5])
    return np.sum(y**2)


@program("out arguments", args=lambda: (normal(6),))
def out_with_where(x):
    y = np.zeros(6)
    np.log(x, out=y, where=x > 0)
    np.negative(x, out=y, where=x < -0.5)
    return np.sum(y * x)


@program("out arguments", args=lambda: (normal(5),))
def cumsum_with_out_and_clip_in_place(x):
    y = np.empty(5)
    np.cumsum(x, out=y)
    np.clip(y, -0.6, 0.6, out=y)
    return np.sum(y * x)


@program("out arguments", args=lambda: (normal(4), 3))
def workspace_for_a_loop(x, n):
    work, u = np.empty(4), x.copy()
    for _ in range(n):
        np.multiply(u, 0.5, out=work)
        np.sin(work, out=work)
        np.subtract(u, work, out=u)
    return u @ u


@program("out arguments", args=lambda: (normal(4), normal(4, seed=1)))
def out_argument_of_the_caller(x, result):
    np.maximum(x, 0.0, out=result)
    result *= x
    return np.sum(result)


@program("whole-array writes", args=lambda: (normal(4), 2.0))
def copyto(x, c):
    y = np.empty(4)
    np.copyto(y, x)
    np.copyto(y, c * x, where=x > 0)
    np.copyto(y[:1], c)
    return np.sum(y**2)


@program("whole-array writes", args=lambda: (normal(4), 2.0))
def fill_and_put(x, c):
    y = np.empty(5)
    y.fill(c)
    np.put(y, [0, 2], x[:2] * c)
    y.put([4], x[3])
    return np.sum(y**2)


@program("whole-array writes", args=lambda: (normal(5),))
def sort_in_place(x):
    y = x * 2.0
    y.sort()
    z = x.copy()
    z[::-1].sort()
    return y @ z


@program("whole-array writes", args=lambda: (normal(3, 4),))
def sort_rows_in_place(A):
    B = A**2
    B.sort(axis=1)
    B[0].sort()
    return np.sum(B * np.arange(12.0).reshape(3, 4))


@program("whole-array writes", args=lambda: (normal(3, 4), normal(12)))
def flat_and_ravel_writes(A, v):
    B = A * 1.0
    B.flat[3] = v[0] * v[1]
    B.flat[::5] = v[:3]
    B.ravel()[1] += v[2]
    B.flat = B.ravel() * v
    return np.sum(B**2)


@program("whole-array writes", args=lambda: (normal(3, 3), 2.0))
def fill_diagonal_and_masks(A, c):
    B = A * A
    np.fill_diagonal(B, c)
    np.putmask(B, A < 0, -c * A)
    np.place(B, A > 1.0, [c])
    return np.sum(B * A)


@program("whole-array writes", args=lambda: (normal(4, 3),))
def put_along_axis(A):
    B = A * 1.0
    k = np.argmax(A, axis=1)[:, None]
    np.put_along_axis(B, k, 2.0 * np.take_along_axis(A, k, 1) ** 2, axis=1)
    return np.sum(B)


@program("whole-array writes", args=lambda: (normal(4),))
def assigned_whole_and_shape_kept(x):
    y = np.zeros((2, 2))
    y[:] = x.reshape(2, 2)
    y[:] = y.T @ y
    return np.sum(y)


@program("ufunc.at", args=lambda: (normal(5), np.array([0, 1, 1, 3, 0])))
def add_at(x, idx):
    h = np.zeros(4)
    np.add.at(h, idx, x**2)
    return h @ h


@program("ufunc.at", args=lambda: (normal(5), np.array([0, 1, 1, 3, 0])))
def subtract_at(x, idx):
    h = np.ones(4) * x[0]
    np.subtract.at(h, idx, np.sin(x))
    return np.sum(h**3)


@program("ufunc.at", args=lambda: (normal(4, 3), np.array([2, 0, 2, 2])))
def add_rows_at(A, idx):
    out = np.zeros((3, 3))
    np.add.at(out, idx, A)
    return np.sum(out**2)


@program("ufunc.at", args=lambda: (normal(4), np.array([0, 1, 2]), np.array([1, 2, 0])))
def assemble_matrix(k, rows, cols):
    K = np.zeros((3, 3))
    for r, c, v in zip(rows, cols, k):
        K[r, r] += v
        K[c, c] += v
        K[r, c] -= v * v
    np.add.at(K, (rows, cols), k[1:])
    return np.sum(K @ K)


@program("ufunc.at", args=lambda: (2.0, np.array([0, 1, 1, 3, 0]), normal(5)))
def add_number_at(c, idx, x):
    h = x * x
    np.add.at(h, idx, c)
    return h @ x


@program("ufunc.at", args=lambda: (normal(5), np.array([0, 1, 3])))
def add_at_of_self(x, idx):
    y = x * 1.0
    np.add.at(y, idx, y[idx] * x[0])
    return y @ y


@program("ufunc.at", args=lambda: (normal(6), np.array([[0, 1], [1, 2], [0, 2]])))
def scatter_edges(u, edges):
    f = np.zeros(3)
    for i, j in edges:
        flux = (u[i] - u[j]) * u[i]
        f[i] -= flux
        f[j] += flux
    return f @ f + np.sum(u)


@program("ufunc.at", args=lambda: (normal(3, 4), 3))
def add_at_slices(A, n):
    out = np.zeros((5, 4))
    for k in range(n):
        np.add.at(out, (slice(k, k + 3), slice(None)), A * (k + 1))
    return np.sum(out**2)


@program("mixed indices", args=lambda: (normal(4, 5), np.array([0, 2])))
def slices_and_index_arrays(A, rows):
    B = A * 1.0
    B[rows, 1:3] = A[rows, 3:] ** 2
    B[rows[:, None], [0, 4]] *= 2.0
    return np.sum(B * A)


@program("mixed indices", args=lambda: (normal(4, 5),))
def mask_and_column(A):
    B = A * 1.0
    m = A[:, 0] > 0
    B[m, 2] = A[m, 1] ** 2
    B[m, :] += A[m][:, :1]
    return np.sum(B**2)


@program("mixed indices", args=lambda: (normal(2, 3, 4), 1))
def integers_slices_and_ellipsis(A, k):
    B = A * 1.0
    B[k, ..., 2] = A[0, :, 0] ** 2
    B[..., k, None, -1] += A[:, 0, :1]
    B[0, 1, ::2] *= B[1, 1, ::2]
    return np.sum(B**2)


@program("mixed indices", args=lambda: (normal(5),))
def negative_and_computed_indices(x):
    y = np.zeros(5)
    for i in range(5):
        y[-i - 1] = x[i] * x[i - 2]
        y[(i * 3) % 5] += x[i] ** 2
    return np.sum(y**2)


@program("mixed indices", args=lambda: (normal(3, 3),))
def tuple_index_variables(A):
    B = A * 1.0
    here = (1, 2)
    there = (slice(None), 0)
    B[here] = A[0, 0] ** 2
    B[there] *= A[1]
    B[np.s_[:2, 1:]] += 1.0
    return np.sum(B * A)


@program("mixed indices", args=lambda: (normal(3, 3),))
def triangle_indices(A):
    B = np.zeros((3, 3))
    i, j = np.triu_indices(3)
    B[i, j] = A[i, j] ** 2
    B[np.tril_indices(3, -1)] = A[np.tril_indices(3, -1)]
    return np.sum(B @ A)


@program("mixed indices", args=lambda: (normal(4, 4),))
def ix_and_nonzero(A):
    B = A * 1.0
    B[np.ix_([0, 2], [1, 3])] = A[:2, :2] ** 2
    k = np.nonzero(A > 0.5)
    B[k] = A[k] ** 3
    B[np.where(A < -0.5)] *= 0.5
    return np.sum(B)


@program("mixed indices", args=lambda: (normal(4, 3), np.array([0, 1, 2, 1])))
def one_per_row(A, labels):
    B = np.exp(A)
    B[np.arange(4), labels] -= 1.0
    B[range(4), labels] *= A[:, 0]
    return np.sum(B**2)


@program("all augmented stores", args=lambda: (uniform(4), uniform(4, seed=1)))
def every_operator_on_elements(x, y):
    z = x * 1.0
    z[0] += y[0]
    z[1] -= y[1] * z[0]
    z[2] *= y[2]
    z[3] /= y[3] + z[2]
    z[0] **= 2
    z[1] %= 10.0
    z[2] //= 100.0
    return np.sum(z**2)


@program("all augmented stores", args=lambda: (uniform(6), 1.5))
def every_operator_on_slices(x, c):
    z = x * 1.0
    z[1:] += c * z[:-1]
    z[:3] -= x[3:]
    z[::2] *= x[::2]
    z[1::2] /= c
    z[:] **= 2
    z[4:] **= c
    return np.sum(z)


@program("all augmented stores", args=lambda: (uniform(4), uniform(4)))
def power_by_array_in_place(x, p):
    y = x * 1.0
    y **= p
    y *= y
    y -= y * y
    return np.sum(y)


@program("all augmented stores", args=lambda: (normal(3, 3), normal(3, 3, seed=1)))
def matmul_in_place(A, B):
    C = A * 1.0
    C @= B
    C[:] @= A
    return np.sum(C)


@program("all augmented stores", args=lambda: (normal(4), 2.0))
def right_side_reads_target(x, c):
    y = x * c
    y -= y @ x
    y /= np.sqrt(1.0 + y @ y)
    y[1:] -= y[1:] * y[0]
    y += y[0]
    return np.sum(y**3)


@program("all augmented stores", args=lambda: (normal(3, 4), normal(4), 0.5))
def broadcast_into_each(A, row, c):
    B = A * A
    B += row
    B *= c
    B[1] /= 2.0 + row**2
    B[:, 0] -= c
    return np.sum(B**2)


@program("all augmented stores", args=lambda: ({"u": normal(4), "v": [normal(2), 0.5]},))
def augmented_in_containers(p):
    p["u"] *= 2.0
    p["u"][1:] += p["u"][:-1]
    p["v"][0] *= p["v"][1]
    p["v"][1] *= 3.0
    return np.sum(p["u"] ** 2) + np.sum(p["v"][0]) * p["v"][1]


@program("all augmented stores", args=lambda: (normal(3),))
def targets_in_tuples(x):
    def split(t):
        return t * t, t + 1.0

    e, p = np.zeros(3), np.zeros(3)
    for i in range(3):
        e[i], p[i] = split(x[i])
    a, b = np.zeros(2), np.ones(2)
    a[0] = b[1] = x[0] * x[1]
    e[0], e[1] = e[1], e[0] * p[2]
    return e @ p + np.sum(a * b) + b[1]


@program("empty filled piece by piece", args=lambda: (normal(3), normal(3, seed=1)))
def block_matrix_by_hand(x, y):
    M = np.empty((6, 2))
    M[:3, 0] = x
    M[3:, 0] = y
    M[:3, 1] = x * y
    M[3:, 1] = 1.0
    return np.sum(M.T @ M)


@program("empty filled piece by piece", args=lambda: (0.5, 1.5, 5))
def trajectory_table(x, v, n):
    out = np.empty((n, 2))
    for i in range(n):
        x, v = x + 0.1 * v, v - 0.1 * np.sin(x)
        out[i] = x, v
    return np.sum(out[:, 0] * out[:, 1]) + out[-1, 0]


@program("empty filled piece by piece", args=lambda: (normal(4),))
def polynomial_features(x):
    X = np.empty((4, 3))
    for k in range(3):
        X[:, k] = x**k
    return np.linalg.det(X.T @ X)


@program("empty filled piece by piece", args=lambda: (normal(4), normal(4, seed=1)))
def filled_by_helper(a, b):
    def rhs(t, y, dy):
        dy[0] = y[1]
        dy[1] = -a[0] * y[0] + b[0] * t
        dy[2:] = y[2:] * y[0]

    y, dy = a * 1.0, np.empty(4)
    for k in range(3):
        rhs(0.1 * k, y, dy)
        y += 0.1 * dy
    return y @ b


@program("empty filled piece by piece", args=lambda: (uniform(4), uniform(3), normal(4)))
def thomas_algorithm(diagonal, upper, rhs):
    n = len(rhs)
    d = diagonal + 3.0
    c, x = np.empty(n - 1), np.empty(n)
    c[0] = upper[0] / d[0]
    x[0] = rhs[0] / d[0]
    for i in range(1, n):
        w = d[i] - 0.5 * c[i - 1]
        if i < n - 1:
            c[i] = upper[i] / w
        x[i] = (rhs[i] - 0.5 * x[i - 1]) / w
    for i in range(n - 2, -1, -1):
        x[i] -= c[i] * x[i + 1]
    return x @ x


@program("empty filled piece by piece", args=lambda: (normal(5), normal(3)))
def convolution_by_hand(x, k):
    out = np.empty(3)
    for i in range(3):
        out[i] = x[i : i + 3] @ k
    return out @ out


@program("empty filled piece by piece", args=lambda: (normal(4), 3))
def empty_like_and_full_like(x, n):
    y = np.empty_like(x)
    y[:] = x[::-1]
    z = np.full_like(x, 2.0)
    w = np.ones((2,) + x.shape)
    z[1:n] = y[1:n] * x[1:n]
    w[1] = z * x
    return np.sum(w * y)


@program("empty filled piece by piece", args=lambda: (0.3, 0.9))
def finite_difference_table(a, b):
    n = 4
    T = np.zeros((n, n))
    for i in range(n):
        T[i, 0] = np.exp(a * i) * b
    for j in range(1, n):
        for i in range(n - j):
            T[i, j] = (T[i + 1, j - 1] - T[i, j - 1]) / j
    return T[0, 3] + T[0, 2] ** 2


@program("arrays in containers", args=lambda: ([normal(3), normal(3, seed=1)], 3))
def double_buffer_in_list(buffers, n):
    for k in range(n):
        old, new = buffers[k % 2], buffers[(k + 1) % 2]
        new[:] = np.sin(old) + 0.5 * new
    return np.sum(buffers[0] * buffers[1])


@program("arrays in containers", args=lambda: ({"a": normal(3), "b": normal(3, seed=1)},))
def arrays_in_dict_by_name(state):
    for name in ("a", "b"):
        state[name][0] *= 2.0
    state["a"][1:] = state["b"][:-1] ** 2
    return np.sum(state["a"] * state["b"])


@program("arrays in containers", args=lambda: (normal(3), normal(3, seed=1)))
def list_of_the_callers_arrays(x, y):
    for k, a in enumerate([x, y]):
        a *= k + 2.0
        a[k] = 1.0
    return x @ y


@program("arrays in containers", args=lambda: (normal(2, 3),))
def list_of_rows(A):
    B = A * 1.0
    rows = [B[0], B[1]]
    rows[0] += rows[1]
    rows[1][0] = 3.0 * A[0, 0]
    return np.sum(B**2)


@program("arrays in containers", args=lambda: (normal(3),))
def tuple_of_workspaces(x):
    ws = np.zeros(3), np.zeros((3, 3))
    ws[0][:] = x * x
    ws[1][1] = ws[0]
    ws[0][0] = 5.0
    return np.sum(ws[1]) + np.sum(ws[0] * x)


@program("arrays in containers", args=lambda: (normal(4), 2))
def list_slots_rebound_and_written(x, n):
    levels = [x * 1.0]
    for _ in range(n):
        levels.append(levels[-1][::2] + levels[-1][1::2] if len(levels[-1]) > 1 else levels[-1])
    levels[0][0] *= 2.0
    levels[-1] = levels[-1] * levels[0][0]
    return np.sum(levels[-1]) + np.sum(levels[1] ** 2)


@program("arrays in containers", args=lambda: (normal(3), 0.5))
def container_passed_to_procedure(x, c):
    def advance(state, h):
        state["x"] += h * state["v"]
        state["v"] -= h * np.sin(state["x"])

    state = {"x": x.copy(), "v": np.zeros(3)}
    for _ in range(3):
        advance(state, c)
    return state["x"] @ state["v"]


@program("arrays in containers", args=lambda: (normal(2, 2),))
def dict_of_views(A):
    B = A * 1.0
    parts = {"top": B[0], "left": B[:, 0]}
    parts["top"] *= 2.0
    parts["left"][:] = parts["left"] ** 2
    return np.sum(B)


@program("global arrays", args=lambda: (normal(4),))
def global_array_read(x):
    return np.sum(WEIGHTS * x**2) + WEIGHTS[0] * x[1]


@program("global arrays", args=lambda: (normal(4),))
def global_array_copied_and_written(x):
    w = WEIGHTS.copy()
    w *= x
    w[0] = 3.0
    return np.sum(w * WEIGHTS * x)


@program("global arrays", args=lambda: (normal(3),), refused=True)
def global_array_written(x):
    STATE[:] = x
    return np.sum(STATE * x)


@program("global arrays", args=lambda: (normal(3),), refused=True)
def global_array_written_through_alias(x):
    s = STATE
    s += x
    return np.sum(s)


@program("global arrays", args=lambda: (normal(4),))
def global_array_in_helper(x):
    def weigh(v, w=WEIGHTS):
        return w @ v

    return weigh(x) * weigh(x * x)


@program("global arrays", args=lambda: (normal(4),))
def slice_of_global(x):
    head = WEIGHTS[:2]
    return np.sum(head * x[:2]) * np.sum(WEIGHTS[WEIGHTS > 0])


@program("global arrays", args=lambda: (normal(4), 1))
def global_array_indexed_in_loop(x, k):
    s = 0.0
    for i, w in enumerate(WEIGHTS):
        s += w * x[i - k] ** 2
    return s


@program("global arrays", args=lambda: (normal(4),))
def global_array_rebound_locally(x):
    W = WEIGHTS
    W = W * x
    W[1] = 0.0
    return np.sum(W**2)


@program("augmented assignment to names", args=lambda: (0.7,))
def number_read_from_a_0d_array_that_is_overwritten(x):
    p = np.array(2.0)
    p *= x
    s = 1.0 + p
    q = -p
    p *= x
    return s * p + q


@program("augmented assignment to names", args=lambda: (0.7,))
def horner_in_a_0d_array(x):
    total = np.where(x < 3.0, 0.5, 2.0)
    for c in (1.0, -2.0, 0.3):
        total *= x
        total += c
    return 1.0 - total


@program("out arguments", args=lambda: (0.7, normal(5)))
def constants_divided_where_they_may_be(x, v):
    scale = np.arange(5.0)
    np.divide(1.0, scale, out=scale, where=scale > 0)
    return x * np.sum(scale) + scale @ v


@program("out arguments", args=lambda: (normal(5), [2, -1, 0, 4, 3]))
def roots_of_a_list_where_it_is_positive(v, g):
    root = np.array(g, dtype=float)
    np.sqrt(root, where=root > 0.0, out=root, dtype=float)
    return root @ v**2


@program("views written through", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def real_and_imaginary_part_set(x):
    z = np.empty(len(x), dtype=complex)
    z.real = 0.5 * x
    z.imag = x[::-1]
    return np.sum(np.abs(z**1.3))


@program("views written through", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def parts_changed_in_a_loop(x):
    z = x * (1.0 + 2.0j)
    z.real = x[0]
    z.imag += x**2
    z.real *= 2.0
    for i in range(len(x)):
        z.imag[i] -= z.real[i - 1] * x[i]
    return np.sum(np.abs(z**2 + 1j))


@program("views written through", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def parts_of_rows_set(x):
    a = np.zeros((2, len(x)), dtype=complex)
    a[0].real = x
    a[1, 1:].imag = x[:-1]
    a[:, 0].real += x[1]
    return np.sum(np.abs(a**2 + x[0]))


@program("views written through", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def real_part_of_a_real_array_set(x):
    y = x * 2.0
    y.real = x**2
    z = y.real
    z[0] = x[1]
    return np.sum(y**3)


@program("views written through", args=lambda: (0.3, normal(5), 2))
def view_of_what_the_turn_updates_whole(x, w, n):
    a = w * 1.0
    b = w.copy()
    for _ in range(n):
        x = math.tanh(x + np.sum(a))
        b = a[:]
        a *= x
    return x + b[0] + 0.3 * np.sum(a)


@program("views written through", args=lambda: (normal(5), normal(5, seed=1)))
def rows_of_what_was_updated_whole(x, w):
    A = np.outer(x, w)
    A *= x
    total = 0.0
    for k in range(len(x)):
        row = A[k]
        total += np.sum(row * w) * x[k]
    A[...] = A + 1.0
    return total * np.sum(A[1:])
