"""Names that share memory: each program right, or refused where the sharing cannot be decided."""

import numpy as np

from tests.language.corpus import normal, program, uniform

# --- views of a local array


@program("views written through", args=lambda: (normal(6),))
def slice_view(x):
    y = x * 1.0
    v = y[1:4]
    v *= x[:3]
    return np.sum(y * y)


@program("views written through", args=lambda: (normal(6),))
def base_changes_under_view(x):
    y = x * x
    v = y[2:5]
    y[3] = x[0] * 2.0
    return np.sum(v * v)


@program("views written through", args=lambda: (normal(6),))
def view_value_kept_in_product_before_base_changes(x):
    y = x * 1.0
    v = y[:3]
    s = np.sum(v * v)
    y[0] = 5.0 * x[5]
    return s * np.sum(v)


@program("views written through", args=lambda: (normal(6),))
def reshape_view(x):
    y = x * 2.0
    M = y.reshape(2, 3)
    M[1] = M[0] * x[:3]
    M[:, 0] += x[4]
    return y @ y


@program("views written through", args=lambda: (normal(2, 3),))
def transpose_view(A):
    B = A.copy()
    T = B.T
    T[0] = 1.5 * T[1]
    T[2, 0] *= A[0, 0]
    return np.sum(B**2)


@program("views written through", args=lambda: (normal(6),))
def ravel_view(x):
    M = (x * x).reshape(3, 2)
    flat = M.ravel()
    flat[::2] = x[:3]
    return np.sum(M**2)


@program("views written through", args=lambda: (normal(8),))
def view_of_view(x):
    y = x.copy()
    a = y[1:7]
    b = a[::2]
    b *= x[5:]
    a[1] = b[0] * b[1]
    return np.sum(y * np.arange(8.0)) + b @ b


@program("views written through", args=lambda: (normal(6),))
def two_overlapping_views(x):
    y = x * 1.0
    left, right = y[:-1], y[1:]
    left[...] = left * right
    right += left
    return np.sum(y**2)


@program("views written through", args=lambda: (normal(5),))
def reversed_view(x):
    y = x * x
    r = y[::-1]
    r[0] = x[0]
    r[1:3] *= y[1:3]
    return y @ x


@program("views written through", args=lambda: (normal(3, 4),))
def row_and_column_views_cross(A):
    B = A * 1.0
    row, col = B[1], B[:, 2]
    row *= 2.0
    col[...] = col * row[:3]
    row[2] += A[0, 0]
    return np.sum(B * A)


@program("views written through", args=lambda: (normal(5),))
def ellipsis_view(x):
    y = x * 3.0
    v = y[...]
    v[2] = x[1] ** 2
    w = y[:]
    w += v
    return np.sum(y)


@program("views written through", args=lambda: (normal(4),))
def new_axis_view(x):
    y = x * 1.0
    col = y[:, None]
    col *= 2.0
    col[1, 0] = x[0] * x[1]
    return np.sum(y * y)


@program("views written through", args=lambda: (normal(2, 3, 2),))
def swapaxes_and_slices(A):
    B = A * A
    S = np.swapaxes(B, 0, 2)
    S[0, 1:] *= A[0, 1:, :]
    return np.sum(B**2)


@program("views written through", args=lambda: (normal(6),))
def view_in_each_iteration(x):
    y = x * 1.0
    for i in range(1, 5):
        window = y[i - 1 : i + 2]
        window[1] = np.sum(window) * 0.5
    return np.sum(y * y)


@program("views written through", args=lambda: (normal(3, 3),))
def diagonal_through_flat_view(A):
    B = A * 1.0
    flat = B.reshape(-1)
    flat[::4] = flat[::4] ** 2 + A[0]
    return np.sum(B * A)


@program("views written through", args=lambda: (normal(8), 2))
def staggered_views_over_steps(x, n):
    u = x.copy()
    inner, left, right = u[1:-1], u[:-2], u[2:]
    for _ in range(n):
        inner += 0.1 * (left - 2.0 * inner + right) * inner
    return np.sum(u**2)


# --- copies that only look like views


@program("copies", args=lambda: (normal(6),))
def fancy_indexing_copies(x):
    y = x * 1.0
    c = y[[0, 2, 4]]
    c *= 10.0
    return np.sum(y * y) + c @ c


@program("copies", args=lambda: (normal(6),))
def mask_indexing_copies(x):
    y = x * 1.0
    c = y[y > 0]
    c[:] = 1.0
    return np.sum(y * y) + np.sum(c) * x[0]


@program("copies", args=lambda: (normal(2, 3),))
def ravel_of_transpose_copies(A):
    B = A * 1.0
    flat = B.T.ravel()
    flat[0] = 7.0
    flat *= 2.0
    return np.sum(B**2) + flat @ flat


@program("copies", args=lambda: (normal(2, 3),))
def reshape_of_transpose_copies(A):
    B = A * 1.0
    R = B.T.reshape(2, 3)
    R[0] = A[1]
    return np.sum(B * A) + np.sum(R * R)


@program("copies", args=lambda: (normal(2, 3),))
def flatten_copies(A):
    B = A * 1.0
    f = B.flatten()
    f[1:] = f[:-1] * f[1:]
    return np.sum(B**2) + np.sum(f)


@program("copies", args=lambda: (normal(5),))
def array_of_array_copies(x):
    y = np.array(x)
    y[1] = x[0] * x[2]
    z = np.asarray(y)
    z[0] = 2.0 * x[3]
    return y @ x


@program("copies", args=lambda: (normal(5),))
def element_is_a_number(x):
    y = x * 1.0
    e = y[2]
    y[2] = 0.0
    e += 1.0
    return e * e + np.sum(y)


@program("copies", args=lambda: (normal(5),))
def explicit_copy_keeps_old_values(x):
    y = x * 1.0
    old = y.copy()
    y[:] = y * old
    y[1:] += old[:-1]
    return y @ old


@program("copies", args=lambda: (normal(3, 4),))
def sum_of_parts_is_fresh(A):
    B = A * 1.0
    s = B[0] + B[1]
    s *= B[2]
    B[0] = s
    return np.sum(B * A)


@program("copies", args=lambda: (normal(6),))
def list_of_array_copies(x):
    y = x * 1.0
    values = list(y)
    y[0] = 9.0
    return values[0] * values[1] + np.sum(y)


# --- one array under two names


@program("second names", args=lambda: (normal(4),))
def plain_second_name(x):
    y = x * 1.0
    z = y
    z[0] = x[1] * x[2]
    y += 1.0
    return np.sum(z * z)


@program("second names", args=lambda: (normal(4),))
def second_name_of_argument(x):
    y = x
    y[1:] *= x[:-1]
    return np.sum(x**2)


@program("second names", args=lambda: (normal(4),))
def augmented_changes_both(x):
    y = x * 2.0
    z = y
    y *= x
    return np.sum(z) + np.sum(y * z)


@program("second names", args=lambda: (normal(4),))
def rebinding_separates(x):
    y = x * 2.0
    z = y
    y = y * x
    y[0] = 1.0
    return np.sum(z * z) + np.sum(y)


@program("second names", args=lambda: (normal(4), True))
def alias_in_branch(x, flag):
    y = x * 1.0
    z = y if flag else y.copy()
    z[0] = 3.0 * x[1]
    return np.sum(y * y)


@program("second names", args=lambda: (normal(4),), refused="may")
def alias_decided_by_data(x):
    y = x * 1.0
    w = x * 2.0
    z = y if x[0] > 0 else w
    z[1] = x[0] * x[2]
    return np.sum(y * y) + np.sum(w)


@program("second names", args=lambda: (normal(4), 3), refused="may")
def alias_rotates_in_loop(x, n):
    a, b = x * 1.0, x * x
    for _ in range(n):
        a, b = b, a
        a[1:] += b[:-1]
    return a @ b + a[0]


@program("second names", args=lambda: (normal(4),))
def conditional_copy_by_length(x):
    y = np.atleast_1d(x)
    y[0] *= 2.0
    return np.sum(x * y)


@program("second names", args=lambda: (normal(4),))
def asarray_is_the_same(x):
    y = np.asarray(x, dtype=float)
    y[2] = y[0] * y[1]
    return np.sum(x**2)


@program("second names", args=lambda: (normal(5),))
def chained_assignment_shares(x):
    a = b = np.zeros(5)
    a[:3] = x[:3]
    b[1:] += x[1:] ** 2
    return a @ b


# --- the same memory as two arguments


@program("same array twice", args=lambda: (lambda a: (a, a))(normal(4)), shared=True)
def argument_twice_read_only(x, y):
    return np.sum(x * y) + np.sum(x**3)


@program("same array twice", args=lambda: (lambda a: (a, a))(normal(4)), shared=True, refused="may")
def argument_twice_overwritten(x, y):
    x[0] = y[1] * y[2]
    y[3] *= x[0]
    return np.sum(x * y)


@program("same array twice", args=lambda: (lambda a: (a, a))(normal(6)), shared=True, refused="may")
def argument_twice_scaled(x, y):
    x *= 2.0
    y += x
    return np.sum(x) * np.sum(y)


@program("same array twice", args=lambda: (lambda a: (a[:-1], a[1:]))(normal(6)), shared=True, refused="may")
def arguments_overlap(x, y):
    x[1:] *= y[:-1]
    return np.sum(y * y) + x[0]


@program("same array twice", args=lambda: (lambda a: (a, a[2:4]))(normal(6)), shared=True, refused="may")
def argument_and_its_view(x, part):
    part *= x[0]
    x[2] += part[1]
    return np.sum(x**2)


@program("same array twice", args=lambda: (lambda a: (a, a.T))(normal(3, 3)), shared=True, refused="may")
def argument_and_its_transpose(A, B):
    A[0] = B[1] * A[2]
    return np.sum(B * B * A)


@program("same array twice", args=lambda: (lambda a: ([a, a], a[0]))(normal(4)), wrt=0, shared=True, refused="may")
def list_holding_array_twice(pair, c):
    pair[0][1] = pair[1][0] * 2.0
    pair[1] *= 3.0
    return np.sum(pair[0] ** 2)


@program("same array twice", args=lambda: (lambda a: ({"u": a, "v": a},))(normal(4)), shared=True, refused="may")
def dict_holding_array_twice(state):
    state["u"][1:] = state["v"][:-1] * state["u"][1:]
    return np.sum(state["v"] * np.arange(4.0))


@program("same array twice", args=lambda: (normal(5),))
def helper_gets_one_array_twice(x):
    def multiply_add(a, b, out):
        out[:] = a * b
        out += a

    multiply_add(x, x, x)
    return np.sum(x * x)


@program("same array twice", args=lambda: (normal(6),))
def helper_gets_overlapping_views(x):
    def blend(target, source):
        target *= 0.5
        target += source * source

    y = x * 1.0
    blend(y[:-1], y[1:])
    blend(y[2:], y[:-2])
    return np.sum(y**2)


@program("same array twice", args=lambda: (normal(4),))
def local_list_holding_array_twice(x):
    y = x * 1.0
    both = [y, y]
    both[0][0] = x[1] ** 2
    both[1] *= 2.0
    return np.sum(y * both[0])


# --- helpers and views


@program("helpers and views", args=lambda: (normal(6),))
def helper_overwrites_view_of_callers_array(x):
    def relax(part):
        part[1:-1] = 0.5 * (part[:-2] + part[2:])

    y = x * x
    relax(y[1:])
    relax(y[:4])
    return y @ y


@program("helpers and views", args=lambda: (normal(6),))
def helper_returns_view(x):
    def interior(a):
        return a[1:-1]

    y = x.copy()
    inside = interior(y)
    inside *= y[0]
    return np.sum(y**2)


@program("helpers and views", args=lambda: (normal(2, 3),))
def helper_returns_transpose_that_is_written(A):
    def transposed(M):
        return M.T

    B = A * 1.0
    transposed(B)[1] = A[:, 0] * 2.0
    return np.sum(B * A)


@program("helpers and views", args=lambda: (normal(4),))
def helper_returns_argument_itself(x):
    def identity(a):
        return a

    y = x * 1.0
    z = identity(y)
    z[0] = x[2] * x[3]
    return np.sum(y**2)


@program("helpers and views", args=lambda: (normal(4),))
def helper_stores_argument_in_list(x):
    def remember(store, a):
        store.append(a)

    kept = []
    y = x * 1.0
    remember(kept, y)
    y[0] = x[1] * 3.0
    return np.sum(kept[0] ** 2)


@program("helpers and views", args=lambda: (normal(5),))
def helper_reads_after_caller_writes(x):
    def energy(a):
        return a @ a

    y = x * 1.0
    e0 = energy(y)
    y[2:] = y[:3] * 2.0
    e1 = energy(y)
    y *= 0.5
    return e0 * e1 + energy(y)


@program("helpers and views", args=lambda: (normal(3, 3),))
def rows_handed_out_one_by_one(A):
    def orthogonalise(v, others):
        for w in others:
            v -= (v @ w) * w

    B = A * 1.0
    for i in range(3):
        orthogonalise(B[i], B[:i])
        B[i] /= np.sqrt(B[i] @ B[i])
    return B[0, 0] * B[1, 1] + B[2, 0]


@program("helpers and views", args=lambda: (uniform(8),))
def recursive_helper_on_halves(x):
    def prefix(a):
        n = len(a)
        if n == 1:
            return
        prefix(a[: n // 2])
        prefix(a[n // 2 :])
        a[n // 2 :] *= a[n // 2 - 1]

    y = x * 1.0
    prefix(y)
    return np.sum(y)


# --- buffers


@program("buffers", args=lambda: (normal(7), 4))
def ping_pong(x, n):
    a, b = x.copy(), np.zeros(7)
    for _ in range(n):
        b[1:-1] = 0.5 * (a[:-2] + a[2:])
        b[0], b[-1] = a[0], a[-1] * a[0]
        a, b = b, a
    return a @ a


@program("buffers", args=lambda: (normal(7), normal(7, seed=1), 3))
def ping_pong_in_arguments(a, b, n):
    for _ in range(n):
        b[1:-1] = a[:-2] * a[2:]
        a, b = b, a
    return np.sum(a**2) + np.sum(b)


@program("buffers", args=lambda: (normal(5), 3))
def workspace_reused(x, n):
    work = np.empty(5)
    total = 0.0
    for k in range(n):
        work[:] = np.sin((k + 1) * x)
        work *= work
        total += np.sum(work) * x[k]
    return total


@program("buffers", args=lambda: (normal(5),))
def array_overwritten_after_use(x):
    y = x * x
    s = np.sum(y * x)
    p = y * 2.0
    y[:] = x
    return s * np.sum(y * p)


@program("buffers", args=lambda: (normal(4), 3))
def snapshots_of_a_buffer(x, n):
    u = x.copy()
    history = []
    for _ in range(n):
        u[1:] += 0.5 * u[:-1] * u[1:]
        history.append(u.copy())
    return sum(h[-1] for h in history) + np.sum(history[1] * history[2])


@program("buffers", args=lambda: (normal(4), 3))
def forgotten_copies_of_a_buffer(x, n):
    u = x.copy()
    history = []
    for _ in range(n):
        u[1:] += 0.5 * u[:-1]
        history.append(u)
    return sum(h[-1] * h[0] for h in history)


@program("buffers", args=lambda: (normal(3, 5),))
def rows_of_a_table_as_time_levels(U):
    V = U * 1.0
    for t in range(1, 3):
        now, before = V[t], V[t - 1]
        now[1:-1] = before[1:-1] + 0.1 * (before[2:] - before[:-2]) * before[1:-1]
    return np.sum(V[-1] ** 2)


@program("buffers", args=lambda: (normal(6),))
def buffer_in_dict(x):
    state = {"u": x * 1.0}
    state["half"] = state["u"][:3]
    state["half"] *= 2.0
    state["u"][1] = x[5]
    return np.sum(state["half"] ** 2) + np.sum(state["u"])


@program("buffers", args=lambda: (normal(6),))
def views_in_a_list(x):
    y = x * 1.0
    blocks = [y[:2], y[2:4], y[4:]]
    for k, block in enumerate(blocks):
        block *= k + x[0]
    blocks[0][...] = blocks[2]
    return np.sum(y * x)


@program("buffers", args=lambda: (normal(6),))
def result_shares_memory_with_local(x):
    y = x * x
    v = y[2:4]
    y[2] *= x[0]
    return v[0] * v[1] + v.sum()


@program("buffers", args=lambda: (normal(4),), second=False)
def result_is_view_of_argument(x):
    x[1] = x[0] * x[2]
    return x[:3]


@program("buffers", args=lambda: (normal(4),), second=False)
def result_holds_same_array_twice(x):
    y = x * 2.0
    out = (y, y)
    y[0] = x[1] * x[1]
    return out


# --- number or array


@program("rebinding or overwriting", args=lambda: (1.5, 2.0))
def numbers_rebind(x, y):
    z = x
    x += y
    x *= z
    return x * z


@program("rebinding or overwriting", args=lambda: (normal(3),))
def element_copy_then_augmented(x):
    y = x * 1.0
    a = y[0]
    a *= 2.0
    y[0] += a
    return np.sum(y**2)


@program("rebinding or overwriting", args=lambda: (normal(3, 2),))
def row_view_augmented_changes_matrix(A):
    B = A * 1.0
    row = B[0]
    row += A[1]
    row = row * 2.0
    row[0] = 5.0
    return np.sum(B**2) + np.sum(row)


@program("rebinding or overwriting", args=lambda: (normal(3, 2),))
def loop_rows_are_views(A):
    B = A * 1.0
    for row in B:
        row *= 2.0
        row[1] = row[0] ** 2
    return np.sum(B)


@program("rebinding or overwriting", args=lambda: (normal(4),))
def augmented_number_in_loop_over_array(x):
    s = 0.0
    for v in x:
        v *= 2.0
        s += v * v
    return s + np.sum(x)


@program("rebinding or overwriting", args=lambda: (normal(3), normal(3, seed=1)))
def augmented_in_helper_changes_array_not_number(x, y):
    def bump(a):
        a += 1.0
        return a

    n = bump(x[0])
    bump(y)
    return n * n + np.sum(y * x)


@program("rebinding or overwriting", args=lambda: (normal(2, 3),))
def unpacked_rows_are_views(A):
    B = A * 1.0
    p, q = B
    p *= q
    q[1] = p[0]
    return np.sum(B**2)


@program("rebinding or overwriting", args=lambda: (normal(4),))
def zip_rows_are_views(x):
    A, B = np.outer(x, x), np.zeros((4, 4))
    for a, b in zip(A, B):
        b[:] = a * a
        a += b
    return np.sum(A * B)


@program("views written through", args=lambda: (normal(4),))
def broadcast_view_of_a_buffer(x):
    y = x * 2.0
    v = np.broadcast_to(y, (3, len(y)))
    y[0] = x[1] * x[2]
    s = np.sum(v * v * np.arange(3.0)[:, None])
    y[1] = 1.0
    return s + np.sum(y)


@program("views written through", args=lambda: (normal(4),))
def row_of_a_broadcast_view(x):
    y = x * 2.0
    v = np.broadcast_to(y, (3, len(y)))
    y[0] = x[1] * x[2]
    w = v[1]
    s = np.sum(w * w)
    y[1] = 1.0
    return s + np.sum(y) + np.sum(v[:, 2])


@program("views written through", args=lambda: (normal(4),))
def transposed_broadcast_view(x):
    y = x * 2.0
    v = np.broadcast_to(y, (3, len(y))).T
    y[0] = x[1] * x[2]
    s = np.sum(v**2 @ np.arange(3.0))
    y[1] = 1.0
    return s + np.sum(y)


# --- results of functions that may be views


@program("views of functions", args=lambda: (normal(6),), refused="may")
def trimmed_view(x):
    y = np.sin(x)
    v = np.trim_zeros(y)
    y[0] = 3.0 * y[1]
    return np.sum(v * v) + np.sum(y**3)


@program("views of functions", args=lambda: (normal(6),), refused="may")
def difference_of_order_zero(x):
    y = np.sin(x)
    v = np.diff(y, 0)
    v[0] = 3.0 * v[1]
    return np.sum(v * v) + np.sum(y**3)


@program("views of functions", args=lambda: (normal(6),), refused="may")
def buffer_by_difference_of_order_zero(x):
    u = x * 1.0
    kept = []
    for _ in range(3):
        v = np.diff(u, n=0)
        v[0] = v[0] * 2.0
        kept.append(u)
        u = v
    return sum(np.sum(t**2) for t in kept)


@program("views of functions", args=lambda: (normal(6),), refused="may", numpy="2.0")
def array_without_copy(x):
    y = np.sin(x)
    v = np.array(y, copy=None)
    y[0] = 3.0 * y[1]
    return np.sum(v * v) + np.sum(y**3)


@program("views of functions", args=lambda: (normal(6),), refused="may")
def conjugate_of_reals(x):
    y = np.sin(x)
    v = y.conj()
    y[0] = 3.0 * y[1]
    return np.sum(v * v) + np.sum(y**3)


@program("views of functions", args=lambda: (normal(6),), refused="may")
def pieces_of_a_split(x):
    y = np.sin(x)
    v, w = np.split(y, [2])
    y[0] = 3.0 * y[1]
    return np.sum(v * v) + np.sum(w) + np.sum(y**3)


@program("views of functions", args=lambda: (normal(2, 2),), refused="may")
def einsum_that_permutes(x):
    y = np.sin(x)
    v = np.einsum("ij->ji", y)
    y[0] = 3.0 * y[1]
    return np.sum(v * v * np.arange(4.0).reshape(2, 2)) + np.sum(y**3)


@program("views of functions", args=lambda: (normal(2, 2),), numpy="2.0")
def diagonal_of_linalg(x):
    y = np.sin(x)
    v = np.linalg.diagonal(y)
    y[0] = 3.0 * y[1]
    return np.sum(v * v) + np.sum(y**3)


@program("views of functions", args=lambda: (normal(6),), refused="may")
def other_dtype(x):
    y = np.sin(x)
    v = np.asarray(y, dtype=complex)
    y[0] = 3.0 * y[1]
    return np.sum(v.real**2) + np.sum(y**3)


@program("views of functions", args=lambda: (normal(6),))
def plus_makes_a_copy(x):
    y = np.sin(x)
    v = +y
    y[0] = 3.0 * y[1]
    return np.sum(v * v) + np.sum(y**3)


@program("views of functions", args=lambda: (normal(6),))
def sum_of_one_array_is_a_copy(x):
    y = np.sin(x)
    v = sum([y])
    y[0] = 3.0 * y[1]
    return np.sum(v * v) + np.sum(y**3)


@program("views of functions", args=lambda: (normal(6),))
def output_by_position(x):
    y = np.sin(x)
    v = np.concatenate((x[:3], x[:3]), 0, y)
    v[0] = 3.0 * v[1]
    w = np.cumsum(v, 0, None, v)
    return np.sum(v * w) + np.sum(y**3)


@program("views of functions", args=lambda: (normal(6),))
def nan_to_num_in_place(x):
    y = np.sin(x)
    v = np.nan_to_num(y, copy=False)
    v[0] = 3.0 * v[1]
    return np.sum(v * v) + np.sum(y**3)


@program("views of functions", args=lambda: (normal(4), 4), refused="may")
def buffer_made_in_every_other_turn(x, n):
    u = x * 1.0
    kept = []
    for k in range(n):
        if k % 2 == 0:
            v = np.zeros_like(u)
        v += u * x
        kept.append(v)
        u = v * 0.5
    return sum(np.sum(h**2) for h in kept)


@program("helpers and views", args=lambda: (normal(5),))
def added_at_to_what_is_seen_through_a_reshape(v):
    part = v.reshape(1, 5)[0, 2:]
    np.add.at(v, [1, 1, 4], part)
    part += part
    return np.sum(v)


# --- pieces of arrays


@program("views written through", args=lambda: (normal(6),))
def pieces_of_an_array_that_changes(x):
    y = x * 1.0
    a, b = np.split(y, 2)
    y[0] = x[1] * x[2]
    return np.sum(a * b)


@program("views written through", args=lambda: (normal(6),))
def store_into_a_piece(x):
    y = x * 1.0
    a, b, c = np.split(y, [2, 4])
    a[:] = b * c[:2]
    return np.sum(y**2)


@program("views written through", args=lambda: (normal(6),))
def store_into_a_list_of_pieces(x):
    y = x * 1.0
    parts = np.array_split(y, 3)
    parts[0][:] = parts[1] * 2.0
    return np.sum(y**2)


@program("views written through", args=lambda: (normal(6),))
def every_piece_is_scaled(x):
    y = x * 1.0
    for piece in np.split(y, 3):
        piece *= piece + 2.0
    return np.sum(y**2)


@program("views written through", args=lambda: (normal(2, 3),))
def pieces_along_both_axes(x):
    y = x * 1.0
    u, v = np.vsplit(y, 2)
    v += u * 2
    a, b, c = np.hsplit(y, 3)
    b[...] = a * c
    y[0, 0] = 1.0
    return np.sum(a * b) + np.sum(y**3)


@program("views written through", args=lambda: (normal(6),))
def pieces_of_an_argument(x):
    a, b = np.split(x, 2)
    a += b
    return np.sum(x**2)


@program("views written through", args=lambda: (normal(6),))
def pieces_in_a_loop(x):
    y = x * x
    for _ in range(2):
        a, b = np.split(y, 2)
        a *= b
        y[0] += a[1]
    return np.sum(y * y)


@program("views written through", args=lambda: (normal(6),))
def pieces_of_zeros(x):
    base = np.zeros(6)
    a, b = np.split(base, [4])
    a[:] = x[:4] ** 2
    b += a[:2]
    a = b * 2.0
    a[0] = x[0]
    return np.sum(base**2) + np.sum(a * b)


@program("views written through", args=lambda: (normal(6),))
def piece_replaced_in_the_list(x):
    parts = np.split(x, 2)
    parts[0] = parts[0] * 2.0
    parts[0] += 1.0 * parts[1]
    x[0] = 2.0
    return np.sum(parts[0] * parts[1]) + np.sum(x)


@program("views written through", args=lambda: (normal(6),), refused="may")
def piece_of_zeros_replaced_in_the_list(x):
    base = np.zeros(6)
    parts = np.split(base, 2)
    parts[0] = x[:3] * 2.0
    z = parts[0]
    z += x[3:] ** 2
    base[1] = x[0]
    w = parts[1]
    w[0] = x[2]
    return np.sum(z**2) + np.sum(base) * x[1] + np.sum(parts[0])


# --- names without a tangent that hand on memory which becomes active later: forward mode read its old tangents


@program("buffers", args=lambda: (normal(3), 3), refused="may")
def buffers_swapped_with_a_copy(x, n):
    a = np.zeros(3)
    b = a
    for k in range(n):
        a[k % 3] = x[k % 3] ** 2
        a, b = b, a.copy()
    return np.sum(a * b)


@program("buffers", args=lambda: (normal(3), 3), refused="may")
def halves_swapped(x, n):
    a = np.zeros(4)
    lo, hi = a[:2], a[2:]
    for k in range(n):
        lo[0] = lo[0] + x[k]
        lo, hi = hi, lo
    return np.sum(a * a)


@program("buffers", args=lambda: (normal(3), normal(3, seed=1), 2), refused="may")
def array_and_number_swapped(v, w, n):
    a, b = w, 5
    for _ in range(n):
        a, b = b, a
    np.multiply(v, w, out=w)
    np.subtract(w, a * 0.5, out=a)
    return np.sum(w * v)


def swapped(y, v, n, change):
    a, b = np.zeros(3), np.ones(3)
    w = b
    for _ in range(n):
        np.multiply(b, v, out=a)
        a, b = b, a.copy()
    change(w)
    for _ in range(2):
        w[v > 0.5] *= y
    return np.sum(w)


@program("buffers", args=lambda: (normal(), uniform(3), 3), wrt=(0, 1), refused="may")
def buffers_swapped_and_their_old_name_scaled(y, v, n):
    def change(w):
        w *= 3
        w[0] /= 2

    return swapped(y, v, n, change)


@program("buffers", args=lambda: (normal(), uniform(3), 3), wrt=(0, 1), refused="may")
def buffers_swapped_and_their_old_name_squared(y, v, n):
    def change(w):
        w[0] = w[0] ** 2

    return swapped(y, v, n, change)


@program("buffers", args=lambda: (normal(), uniform(3), 3), wrt=(0, 1), refused="may")
def buffers_swapped_and_their_old_name_moved(y, v, n):
    def change(w):
        w[:2] += w[1:]

    return swapped(y, v, n, change)


@program("buffers", args=lambda: (normal(), uniform(3), 3), wrt=(0, 1), refused="may")
def buffers_swapped_and_their_old_name_by_itself(y, v, n):
    def change(w):
        w *= w

    return swapped(y, v, n, change)


@program("buffers", args=lambda: (normal(3), 3))
def array_and_number_swapped_and_one_read(x, n):
    a, b = np.zeros(3), 2.0
    for _ in range(n):
        a, b = b, a
    b[0] = x[0]
    return np.sum(b * x)


# --- containers made in a loop that stops early


@program("nested exits", args=lambda: (normal(3), 3))
def nested_lists_of_a_loop_that_stops(x, n):
    def first(n, w, v):
        for i in range(n):
            rows = [[w, v], [v * 2.0, w]]
            for e in w[:i]:
                rows[0][1] = rows[0][1] + e
            if i == 1:
                break
        return rows[0][1] * 2.0

    return np.sum(first(n, x * 2.0, x[0] ** 2))


# --- a number on one path, and an array of another length's name on the other


@program("accumulators", args=lambda: (normal(2), normal(4, seed=1), 3), wrt=(0, 1))
def number_that_grows_by_another_array(x, w, n):
    u = np.array([x[0], x[0], x[1], 2.0])
    a = 0.0 if n < 5 else w * x[1]
    for _ in range(3):
        a = a + u
    return np.sum(a)


# --- two arrays that take turns, of which one is an argument that has no gradient


def diffused(into, u, nu):
    into[1:-1] = u[1:-1] + nu * (u[2:] - 2.0 * u[1:-1] + u[:-2])


@program("buffers", args=lambda: (0.3, uniform(5)), wrt=0)
def buffers_swapped_of_an_inactive_start(nu, u):
    new = np.zeros_like(u)
    for _ in range(4):
        diffused(new, u, nu)
        u, new = new, u
    return np.sum(u**2)


@program("buffers", args=lambda: (0.3, uniform(5)), wrt=0)
def three_buffers_of_an_inactive_start(nu, u):
    a, b = np.zeros_like(u), np.zeros_like(u)
    for _ in range(4):
        diffused(a, u, nu)
        u, a, b = a, b, u
    return np.sum(u**2) + np.sum(b)


@program("buffers, for", args=lambda: (0.3, uniform(5)), wrt=0)
def buffers_swapped_by_a_function(nu, u):
    def step(new, old):
        diffused(new, old, nu)
        return old, new

    new = np.zeros_like(u)
    for _ in range(3):
        new, u = step(new, u)
    return np.sum(u**2)


class Field:
    def __init__(self, u):
        self.now, self.next = u, np.zeros_like(u)

    def step(self, nu):
        diffused(self.next, self.now, nu)
        self.now, self.next = self.next, self.now


@program("buffers", args=lambda: (0.3, uniform(5)), wrt=0)
def buffers_swapped_in_an_object(nu, u):
    field = Field(u)
    for _ in range(4):
        field.step(nu)
    return np.sum(field.now**2)


# --- elements named as the array that they are of, in a function that is called more than once


def halved_behind_its_elements(x, v, w):
    products = [v * x for v in v]
    doubled = w * 2.0
    w *= -0.7
    later = w[2:] * 3.0
    v[1:] = 0.5 * v[:-1]
    return np.sum(v * v) + np.sum(w * w) + sum(products) + np.sum(doubled**2) + np.sum(later**2)


@program("buffers, user functions", args=lambda: (0.6, -0.8, uniform(5), uniform(5)), wrt=(0, 1, 2, 3))
def elements_named_as_their_array(x, y, v, w):
    first = halved_behind_its_elements(x, v, w)
    return 0.1 * first + halved_behind_its_elements(y, w, v) + np.sum(v * w)


# --- numbers that a loop makes arrays, which only the run knows, and that a later loop stores into


@program("accumulators", args=lambda: (uniform(5),), wrt=0)
def sums_that_become_arrays_and_are_stored_into(w):
    p = 0.0
    for _i in range(2):
        p += w
    u = 0
    for _i in range(2):
        u += np.sin(p)
    v = 1.0
    for i in range(2):
        v += u * (i + 2.0)
        u[0] = 1.5
    return np.sum(v * v)


@program("accumulators", args=lambda: (uniform(5), 0.7, 3))
def sums_of_sums_that_are_stored_into(w, y, n):
    p = 0.0
    for _i in range(n):
        p += w[::-1]
    u = 0
    for _i in range(n):
        u += np.sin(p)
        p[2] = np.tanh(y)
    u[1] = y * y
    t = 0.0
    for _i in range(n):
        t += u * p
        u[-1] *= y
    return np.sum(t * t) + np.sum(u) + np.sum(p * p)


# --- arrays that a loop makes anew, beside the one that was there before


@program("buffers", args=lambda: (0.3, uniform(5), uniform(5, seed=1)))
def argument_made_anew_in_a_loop(c, x, w):
    first = x
    for i in range(3):
        x[i] = c * x[i + 1]
        x = np.tanh(x * w) + c
        first[0] += np.sum(np.sin(x))
    return np.sum(x * w) + np.sum(first * first)


@program("buffers", args=lambda: (0.3, uniform(5), uniform(5, seed=1)))
def made_anew_on_a_path_of_a_loop(c, x, w):
    a = x * 1.5
    b = a[::-1]
    i = 0
    while i < 4:
        if w[i] > 0.2:
            a = np.sin(a) * w
        a[i] += c
        c = np.tanh(c + b[1] * a[2])
        b[i] = c * b[i - 1]
        i += 1
    return c + np.sum(np.sin(a) * b)


@program("buffers", args=lambda: (0.3, uniform(5), uniform(5, seed=1)))
def made_anew_while_the_one_before_is_held(c, x, w):
    a = x * 1.5
    for i in range(4):
        before = a
        a = a * w
        a[i] = c
        c = np.tanh(c + np.sum(before * a))
        before[0] = c * before[1]
        c += before[0] * before[2]
    return c + np.sum(np.sin(a))


# --- arrays that a loop makes anew while names still have those of earlier turns


@program("buffers", args=lambda: (0.7, uniform(5), 4))
def one_buffer_at_first_and_then_two(c, x, n):
    a = b = x.copy()
    for _ in range(n):
        np.multiply(b, x, out=a)
        a[0] += c * b[1]
        a, b = b, a.copy()
    return np.sum(a * a) + np.sum(b)


@program("buffers", args=lambda: (0.7, uniform(5), 4))
def two_buffers_and_zeros_on_a_path(c, x, n):
    a = b = x * c
    for i in range(n):
        a[:] = 0.5 * b + x
        if x[i] > 0.3:
            a, b = b, np.zeros(5)
    return np.sum(a * a) + c * np.sum(b)


@program("buffers", args=lambda: (0.7, uniform(5), 4))
def two_buffers_that_are_inactive_at_first(c, x, n):
    a = b = np.ones(5)
    for i in range(n):
        a[:] = 0.5 * b + x
        if x[i] > 0.3:
            a, b = b, a.copy()
    return np.sum(a * a) + c * np.sum(b)


@program("buffers", args=lambda: (0.7, uniform(5), 6))
def three_buffers_of_earlier_turns(c, x, n):
    a = b = d = x + 1.0
    for i in range(n):
        a[i % 5] = c * b[(i + 1) % 5] * d[i % 5]
        if i % 3 == 1:
            a, b, d = b, d, np.tanh(a) + x
        else:
            a, d = d, a
    return np.sum(a * x) + np.sum(b * b) + c * np.sum(d)


@program("buffers", args=lambda: (0.7, uniform(5), 3))
def new_buffers_in_a_loop_in_a_loop(c, x, n):
    total = c
    for _ in range(2):
        a = b = x * c
        for i in range(n):
            b[i] += np.sin(a[i + 1])
            if i != 1:
                a, b = b.copy(), a
        total = total + np.sum(a * b)
        c = np.tanh(total)
    return total


def _next(a, b, c):
    a[0] += c * b[1]
    return b, np.tanh(a)


@program("buffers", args=lambda: (0.7, uniform(5), 4))
def new_buffers_of_a_function(c, x, n):
    a = b = x.copy()
    for _ in range(n):
        a, b = _next(a, b, c)
        a *= x
    return np.sum(a * b)


@program("buffers", args=lambda: (0.7, uniform(5), 4))
def new_buffer_beside_a_choice(c, x, n):
    u = x.copy()
    z = np.zeros(5)
    q = u if c > 0.5 else z
    u[3] = c * q[1]
    a = b = q.copy()
    for _ in range(n):
        a[:] = 0.5 * b + q
        a, b = b, np.zeros(5)
    return np.sum(u * u) + np.sum(q) + np.sum(a * a)


@program("buffers", args=lambda: (0.7, uniform(5), 3))
def new_buffer_in_a_loop_beside_a_choice_of_its_turns(c, x, n):
    a, b = x.copy(), x * x
    for _ in range(n):
        a, b = b, np.zeros(5)
    d = np.maximum(x + x, -0.7)
    for i in range(3):
        e = b if i == 1 else d
        d += np.tanh(e) * np.tanh(b[4] + c)
        b[0] = np.tanh(b[4]) * e[1]
    return np.sum(a * x) + np.sum(b * b) + np.sum(d * d)


@program("buffers", args=lambda: (0.7, uniform(5), 5))
def oldest_of_buffers_is_kept(c, x, n):
    first = a = x.copy()
    b = a
    for i in range(n):
        a[i] += c * b[0] * first[1]
        if i == 1:
            first = a
        a, b = b, np.sin(a)
    return np.sum(first * first) + np.sum(a * b)


# --- what has no derivative may have two names: the run knows


@program("buffers", args=lambda: (0.3, uniform(6), uniform(6, seed=1)))
def indices_made_anew_in_a_loop(c, x, w):
    a = np.arange(6)
    b = a
    for i in range(4):
        c = np.sin(c * x[b[0]]) + c * w[a[1]]
        b[0] = (b[0] + 1) % 6
        a = (a + 1) % 6 if i == 1 else a
        a[1] = (a[1] + 2) % 6
        c = c * x[b[1]] + w[a[0]]
    return c


@program("buffers", args=lambda: (0.3, uniform(6) - 0.5, uniform(6, seed=1)))
def masks_made_anew_in_a_loop(c, x, w):
    m = x > 0.0
    q = m
    for i in range(4):
        c = c + np.sum(x[m] * c) - np.sum(w[q])
        q[i] = not q[i]
        if i == 1:
            m = ~m
        m[i + 1] = w[i] > 0.5
        c = np.sin(c) + np.sum(np.where(q, x, w * c))
    return c


@program("buffers", args=lambda: (0.3, uniform(6), uniform(6, seed=1)))
def stacks_of_places(c, x, w):
    stack = [0]
    seen = stack
    while stack:
        e = stack.pop()
        c = c * x[e] + w[e]
        if e < 4:
            stack.append(e + 1)
        if e == 2:
            seen = stack
            stack = [5, *stack]
        if len(seen) < 3 and e > 3:
            seen.append(1)
        c = np.sin(c) + len(seen) * x[0]
        if len(stack) > 4:
            break
    return c


@program("views written through", args=lambda: (normal(5), normal(5)))
def rest_is_overwritten_by_what_lies_the_other_way_round(v, w):
    v[2:] = np.tanh(w[-1:1:-1])
    return np.sum(v * np.sin(w)) + np.sum(v)


@program("views written through", args=lambda: (normal(3), 0.7))
def part_and_number_that_change_places(w, y):
    pair = [w[:1], y]
    for _ in range(3):
        pair[0], pair[1] = pair[1], pair[0]
    return np.sum(pair[0] * pair[1]) + np.sum(w * w)
