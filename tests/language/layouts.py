"""Views and copies by ravel, reshape and flat of arrays that lie in memory in all ways; slots of lists; sorted dicts."""

import numpy as np

from tests.language.corpus import normal, program, uniform


@program("views through a reshape", args=lambda: (normal(4, 4),))
def relu_inplace_on_flat_view(A):
    B = np.tanh(A)
    flat = B.reshape(-1)
    flat[flat < 0.0] = 0.0
    return np.sum(B * A)


@program("views through a reshape", args=lambda: (np.asfortranarray(normal(4, 4)),), shared=True)
def unpack_fortran(A):
    v = A.ravel(order="F")
    v *= np.arange(1.0, 17.0)
    return np.sum(A**2) + v[0]


@program("views through a reshape", args=lambda: (normal(4, 8)[:, ::2],), shared=True)
def strided_argument(A):
    v = A.ravel()
    v[::3] = 0.5
    return v @ v + np.sum(A)


@program("views through a reshape", args=lambda: (uniform(8),))
def weights_from_one_vector(theta):
    W = theta[:6].reshape(2, 3)
    b = theta[6:]
    W *= 0.5
    W[0] += b[0]
    return np.sum(np.tanh(W)) + theta @ theta


@program("views through a reshape", args=lambda: (normal(2, 3, 4),))
def merge_two_axes(T):
    M = T.reshape(6, 4)
    M -= M.mean(axis=0)
    M[0] *= T[1, 1]
    return np.sum(T**2)


@program("views through a reshape", args=lambda: (normal(2, 3, 4),))
def moved_axes_then_flat(T):
    R = np.moveaxis(T, 0, -1)
    f = R.reshape(-1)
    f[:4] *= 2.0
    return np.sum(T**2) + f @ f


@program("views through a reshape", args=lambda: (uniform(8), 2))
def grid_of_blocks(x, n):
    G = np.zeros((n, 4))
    rows = [G[i] for i in range(n)]
    for i, row in enumerate(rows):
        row[:] = x[4 * i : 4 * i + 4]
        row[1:] *= row[:-1]
    return np.sum(G.ravel() ** 2)


@program("views through a reshape", args=lambda: (normal(2, 3),))
def squeeze_and_expand(A):
    B = A[None] * 2.0
    v = B.squeeze()
    v[0] = v[1] * A[0]
    w = np.expand_dims(v, 0).reshape(-1)
    w[0] = 3.0 * A[1, 1]
    return np.sum(B**2)


@program("views through a reshape", args=lambda: (uniform(8),))
def halves_as_complex_parts(x):
    z = x[:4] + 1j * x[4:]
    re = z.real
    re *= 2.0
    re[0] = x[7]
    return np.sum(np.abs(z) ** 2)


@program("views through a reshape", args=lambda: (normal(4, 4),))
def diagonal_through_flat(A):
    B = A.copy()
    B.flat[:: B.shape[1] + 1] += 1.0
    B.ravel()[1] = A[0, 0] * A[1, 1]
    return np.linalg.det(B)


@program("views through a reshape", args=lambda: (normal(4, 4), normal(4, seed=1)))
def helper_writes_flat(A, v):
    def put(M, values):
        flat = M.ravel()
        flat[: len(values)] = values

    B = A.T.copy()
    put(B, v * 2.0)
    C = A.T
    put(C, v)
    return np.sum(B * A) + np.sum(C**2)


@program("sorted items of dicts", args=lambda: ({"mass": 1.5, "drag": 0.3, "area": 0.7},))
def sorted_items_weighted(p):
    s = 0.0
    for k, (name, v) in enumerate(sorted(p.items(), reverse=True)):
        s += (k + 1) * v**2
    return s


@program("sorted items of dicts", args=lambda: ({"a": uniform(8)[:3], "b": uniform(8)[3:6]},))
def sorted_items_of_arrays(p):
    return sum(np.sum(v * (k + 1.0)) ** 2 for k, (name, v) in enumerate(sorted(p.items())))


@program("sorted items of dicts", args=lambda: ({"x": 0.4, "y": 1.2, "z": 0.8},))
def sorted_by_value(p):
    ordered = sorted(p.items(), key=lambda item: item[1])
    return ordered[0][1] * ordered[-1][1] ** 2 + sum(v for _, v in ordered[1:])


@program("sorted items of dicts", args=lambda: ({"x": 0.4, "y": 1.2, "z": 0.8},), refused="may")
def smallest_by_value(p):
    name = min(p, key=p.get)
    rest = {k: v for k, v in p.items() if k != name}
    return p[name] * sum(rest.values())


@program("sorted items of dicts", args=lambda: ({"u": 1.0, "v": 2.0}, "v"))
def chosen_by_argument(p, name):
    q = {k: v**2 for k, v in sorted(p.items())}
    q[name] *= 3.0
    return sum(q.values()) * p[name]


@program("sorted items of dicts", args=lambda: ({"u": 1.0, "v": 2.0}, 0.5))
def key_from_data(p, t):
    key = "u" if p["u"] * t > 0.3 else "v"
    p2 = dict(p)
    return p2[key] ** 2 + p[key] * p["v"]


@program("sorted items of dicts", args=lambda: ([("b", 1.0), ("a", 2.0), ("c", 0.5)],))
def sorted_pairs(pairs):
    total = 1.0
    for name, value in sorted(pairs):
        total = total * value + len(name)
    return total


@program("sorted items of dicts", args=lambda: ({"b": uniform(4)[:2], "a": uniform(4)[2:]}, 0.7))
def weights_fall_by_name(parts, decay):
    total, weight = 0.0, 1.0
    for _, part in sorted(parts.items(), reverse=True):
        total += weight * np.sum(part**2)
        weight *= decay
    return total


@program("slots of lists", args=lambda: (uniform(4),))
def slots_that_change_places(x):
    slots = [x * 1.0, x**2, np.sin(x)]
    slots[0], slots[1] = slots[1], slots[0] * x[0]
    slots[1], slots[2] = slots[2], slots[1] * x[1]
    slots[0][1] = slots[2][0]
    return np.sum(slots[0] * slots[1]) + slots[2] @ x


@program("slots of lists", args=lambda: (uniform(8), 3))
def pyramid(x, n):
    levels = [x * 1.0]
    for _ in range(n):
        levels.append(0.5 * (levels[-1][::2] + levels[-1][1::2]))
    levels[1][0] *= 3.0
    levels[0] = levels[0] * levels[-1]
    return np.sum(levels[0]) + np.sum(levels[1] ** 2) * levels[2][0]


@program("slots of lists", args=lambda: (uniform(8), 3))
def history_of_copies(x, n):
    u, history = x.copy(), []
    for _ in range(n):
        u[1:] += 0.3 * u[:-1] * u[1:]
        history.append(u.copy())
    history[0][0] = x[3]
    return sum(np.sum(h**2) for h in history)


@program("slots of lists", args=lambda: (uniform(8), 3))
def swapped_slots(x, n):
    bufs = [x.copy(), x * 2.0]
    for _ in range(n):
        bufs[0][1:] = bufs[1][:-1] * bufs[0][1:]
        bufs[0], bufs[1] = bufs[1], bufs[0]
    return bufs[0] @ bufs[1]


@program("slots of lists", args=lambda: (uniform(8), 4))
def ring_of_arrays(x, n):
    ring = [np.zeros(8) for _ in range(3)]
    for k in range(n):
        ring[k % 3] = x * (k + 1.0)
        ring[k % 3][0] += ring[(k + 1) % 3][1]
    return sum(np.sum(r**2) for r in ring)


@program("slots of lists", args=lambda: ([uniform(8), uniform(8)[:4]],))
def list_argument_slots(parts):
    parts[0][1:] *= parts[1][0]
    parts[1] = parts[1] * 2.0
    return np.sum(parts[0]) + parts[1] @ parts[1]


@program("slots of lists", args=lambda: (uniform(8), 3))
def same_buffer_in_the_list(x, n):
    u, kept = x.copy(), []
    for k in range(n):
        u *= 1.1
        u[0] += u[k] ** 2
        kept.append(u)
    return kept[0] @ kept[-1]


@program("slots of lists", args=lambda: (uniform(8), 3))
def early_result_list(x, n):
    def collect(v):
        out = []
        for k in range(len(v)):
            if v[k] > 1.4:
                return out
            out.append(v[k] ** 2)
        return out

    got = collect(x)
    return sum(got) * (1.0 + len(got))


@program("views through a reshape", args=lambda: (normal(4, 4),))
def branches_and_loops(A):
    B = A.copy()
    v = B.reshape(-1)
    v[0] *= A[1, 1]
    if A[0, 0] > 0:
        v[1:] = v[1:] * v[:-1]
        B[1] += v[0:4]
    else:
        B *= 2.0
    w = v[2]
    for i in range(3):
        v[i] += B[i, i] * v[i + 1]
    return np.sum(B * A) + w


@program("views through a reshape", args=lambda: (-normal(4, 4),), refused="may")
def view_of_what_may_be_replaced(A):
    B = A.copy()
    v = B.reshape(-1)
    if A[0, 0] > 0:
        v[1:] = v[1:] * v[:-1]
        B = B * 2.0
    else:
        v[3] = v[4] ** 2
    v[5] = A[0, 0] * 2.0
    return np.sum(B * A) + v[1] * v[3]


@program("views through a reshape", args=lambda: (normal(4, 4), 3))
def view_in_each_turn(A, n):
    B = A * 1.0
    total = 0.0
    for k in range(n):
        M = B.reshape(2, 8)
        M[0, k] *= M[1, k]
        total = total + np.sum(M[0])
        B[k] = B[k] * M[1, 0]
    return total + np.sum(B**2)


@program("views through a reshape", args=lambda: (normal(4, 4), 3))
def whole_array_replaced(A, n):
    B = A * 1.0
    for k in range(n):
        v = B.reshape(-1)
        v[k] = v[k + 1] ** 2
        B = B * 1.5 + A
    return np.sum(B**2)


@program("views through a reshape", args=lambda: (uniform(8), 2))
def while_and_break(x, n):
    M = np.zeros((2, 4))
    f = M.ravel()
    f[:] = x
    k = 0
    while True:
        f[k] *= M[1, 0]
        if f[k] > 1.2 or k > 5:
            break
        M[0] += f[4:] * 0.1
        k += 1
    return f @ f + M[0, 1]


@program("views through a reshape", args=lambda: (normal(4, 4),))
def two_views_of_one(A):
    B = A * 2.0
    p, q = B.reshape(2, 8), B.reshape(8, 2)
    p[0] = q[:, 0] * p[1]
    q[0, 1] = p[1, 2] ** 2
    B[3] -= p[0, :4]
    return np.sum(p * q.reshape(2, 8)) + np.sum(B)


@program("views through a reshape", args=lambda: (normal(4, 4), normal(4, 4, seed=1)))
def flat_view_in_a_call(A, C):
    def scale(M, s):
        v = M.ravel()
        v *= s
        return v[0]

    B = A @ C
    return scale(B, A[0, 0]) * scale(B, C[1, 1]) + np.sum(B)


@program("views through a reshape", args=lambda: (normal(5), normal(4)))
def copy_of_a_transpose_is_contiguous(v, w):
    rows = np.outer(v, w).T.copy()
    same = np.ascontiguousarray(rows)
    same[1] = 2.0
    return np.sum(rows[1]) + rows[0] @ v


@program("views through a reshape", args=lambda: (normal(5), normal(4)))
def results_lie_as_the_copy_does(v, w):
    rows = np.outer(v, w).T.copy()
    double = 2.0 * rows
    flat = double.ravel()
    flat[1] = 5.0
    return np.sum(double * double) + v[0] * rows[1, 1]


@program("ndarray attributes, views through a reshape", args=lambda: (uniform(4),))
def shape_changed_in_place(x):
    a = np.outer(x, x) + 1.0
    b = a[0]
    a.shape = (a.size,)
    return np.sum(a * np.arange(a.size)) + b[1]


@program("ndarray attributes", args=lambda: (uniform(4), 3))
def shape_changed_in_each_turn(x, n):
    s = 0.0
    for k in range(n):
        r = np.sin(x * k)
        r.shape = (-1, 1)
        s = s + np.sum(r * x)
    return s


def as_column(a):
    a.shape = (-1, 1)
    return a


@program("ndarray attributes, views written through", args=lambda: (uniform(4),))
def shape_changed_by_a_helper(x):
    y = x * 2.0
    z = as_column(y)
    y[0, 0] = x[1] ** 2
    return np.sum(z @ z.T) + y.shape[0]


class Filter:
    def __init__(self, state):
        self.state = np.atleast_2d(state)
        self.state.shape = state.size, 1
        self.start = self.state

    def step(self, matrix):
        self.state = matrix @ self.state
        return self


@program("ndarray attributes, methods and attributes", args=lambda: (uniform(3), normal(3, 3)), wrt=(0, 1))
def shape_of_an_attribute_changed(x, matrix):
    f = Filter(x).step(matrix)
    return np.sum(f.state**2) + np.sum(f.start * f.state)


@program("ndarray attributes", args=lambda: (uniform(4), 0.4), refused="may")
def shape_of_one_or_the_other_changed(x, c):
    y, z = x * 2.0, x * 3.0
    w = y if c > 0.5 else z
    w.shape = (-1, 1)
    return np.sum(y * x) + np.sum(w)


@program("ndarray attributes", args=lambda: (uniform(4), 3), refused="may")
def shape_changed_while_a_list_holds_it(x, n):
    y = x * 2.0
    rows = []
    for _ in range(n):
        rows.append(y)
    y.shape = (-1, 1)
    return np.sum(rows[0] * x) + np.sum(y * x)


@program("ndarray attributes", args=lambda: (uniform(4),))
def shape_of_what_asarray_returns(x):
    y = x * 2.0
    rows = [np.asarray(y), np.atleast_1d(y), y]
    y.shape = (-1, 1)
    return np.sum(rows[0] * x) + np.sum(rows[1] * x)


@program("views through a reshape", args=lambda: (normal(4), normal(4, seed=1)))
def diagonal_of_a_copy_in_fortran_order(v, w):
    turned = np.asfortranarray(np.outer(w, v))
    diagonal = np.einsum("ii->i", turned)
    rows = turned.swapaxes(0, 1)
    turned[...] = np.tanh(w)
    return np.sum(diagonal * diagonal) + np.sum(turned[1:]) + np.sum(rows[1:])


@program("views through a reshape", args=lambda: (normal(4), normal(4, seed=1)))
def copy_in_fortran_order_stays_so(v, w):
    rows = np.tile(w, (4, 1))
    turned = np.asfortranarray(rows)
    rows[:] = w * v
    turned.reshape(-1)[::5] += v
    return np.sum(turned * turned) + np.sum(rows)


@program("views through a reshape", args=lambda: (0.7, uniform(5), 3), wrt=(0, 1))
def turned_after_a_loop_through_a_flat_view(y, w, n):
    m = np.zeros((5, 5))
    for _ in range(n):
        m.ravel()[23] = y * w[0]
    m = np.asfortranarray(m)
    return np.sum(m[1:]) * w[1]


@program("views through a reshape", args=lambda: (0.7, uniform(4), uniform(4, seed=1)), wrt=(0, 1, 2))
def sorted_after_a_store_through_a_flat_view(y, v, w):
    m = np.stack([v, w, v * w], axis=0)
    for k in range(2):
        m.ravel()[k] = y
        m.sort(axis=0)
    return np.sum(m * w)


@program("arrays of computed parts", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def at_least_two_axes_of_numbers(x, n):
    parts = [x[1], x[0] * x[2]]
    table = np.array(parts, ndmin=2)
    return table[0, 1] * x[2] + np.sum(table**2)


@program("arrays of computed parts", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def at_least_three_axes_of_rows(x, n):
    table = np.array([x, np.sin(x)], ndmin=3, copy=True)
    table[0, 0] *= x[1]
    return table[0, 1, 2] * np.sum(table[0, 0] ** 2)


@program("views written through", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def part_of_a_split_of_constants_is_overwritten(x, n):
    w = np.array([0.3, 0.2, 0.1])
    u = np.split(np.concatenate([w, w]), 2)[-1]
    u[1:3] = np.sin(x[1:])
    return np.sum(u * u)


@program("views written through", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def two_names_of_one_part_of_a_split(x, n):
    parts = np.split(np.ones(2 * n), 2)
    last = parts[-1]
    second = parts[1]
    last[0] = x[0]
    return np.sum(second**2) * x[1]


@program("views written through", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def parts_of_a_split_by_a_run_time_index(x, n):
    parts = np.split(np.ones(2 * n), 2)
    for k in range(2):
        parts[k][k] = x[k]
    return np.sum(parts[0] ** 2) * x[1] + np.sum(parts[1])


@program("views written through", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def constant_factors_are_overwritten(x, n):
    q, r = np.linalg.qr(np.eye(3))
    q[0] = x
    return np.sum(q**2) * r[0, 0]


@program("views written through", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def columns_of_a_constant_are_overwritten(x, n):
    u = np.hsplit(np.ones((n, n)), n)[0]
    u[1:, 0] = np.sin(x[1:])
    return np.sum(u * u)


@program("views written through", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def joined_and_partly_overwritten(x):
    u = np.concatenate([x[::-1], x])
    u[1:3] = np.tanh(x[1:])
    return np.sum(u * u)


@program("mask stores", args=lambda: (0.3, -0.6, uniform(5), uniform(5, seed=1)), wrt=(0, 1, 2, 3))
def number_taken_from_all_of_a_mask(x, y, v, w):
    items = list(w)
    square = v[:, None] * v
    rows = [[x, x * x]]
    y = y**2 - y
    x -= np.tanh(y / (2.0 + x**2))
    never = np.zeros(5, dtype=bool)
    v[~never] -= y
    table = np.asfortranarray(np.outer(v, v))
    v *= v + w
    total = x + y + np.sum(v * v) + np.sum(square[1:]) + np.sum(table[1:])
    return total + sum(items) + np.sum(w[never]) + rows[0][1]


@program("same array twice", args=lambda: (uniform(3), uniform(3, seed=1)), wrt=(0, 1))
def differences_of_order_zero(x, w):
    s = np.sum(x**3)
    z = np.diff(x, n=0) + w
    return np.sum(z * z) + s


@program("same array twice", args=lambda: (uniform(3), uniform(5, seed=1), 1), wrt=(0, 1))
def padded_and_used_twice(x, w, k):
    s = np.sum(x**3)
    z = np.pad(x, k) + w
    return np.sum(z * z) + s


@program("del and one-path variables", args=lambda: (-0.6, uniform(5)), wrt=(0, 1))
def sum_that_keeps_its_axis_on_one_path(y, w):
    both = w * 1.0
    c = w[0] <= 2.0
    if c:
        o = np.array([y])
        u = np.broadcast_to(o, (5,)).copy()
        s = u * 2
    else:
        v = w * w
    both = both * both
    if c:
        r = np.sum(s, keepdims=True)[0] * np.exp(y)
    else:
        r = v[0]
    return r + np.sum(both)


@program("del and one-path variables", args=lambda: (-0.6, uniform(5)), wrt=(0, 1))
def sum_on_a_path_where_another_has_no_array(y, w):
    c = w[0] <= 2.0
    d = w[1] > 9.0
    if c:
        o = np.array([y])
        u = np.broadcast_to(o, (5,)).copy()
        s = u * 2
    else:
        v = w * w
    if d:
        if c:
            r = np.sum(s, keepdims=True)[0] * np.exp(y)
        else:
            r = v[0]
    else:
        r = np.sum(s) * y
    return r + np.sum(w)


@program("del and one-path variables", args=lambda: (-0.6, uniform(5)), wrt=(0, 1))
def sums_that_keep_their_axes_on_some_paths(y, w):
    c = w[0] <= 2.0
    d = w[1] > 9.0
    if c:
        o = np.array([y])
        u = np.broadcast_to(o, (5, 5)).copy()
        s = u * 2
    if d:
        if c:
            r = np.sum(s, axis=0, keepdims=True)[0, 0] * np.exp(y)
        else:
            r = w[0]
    elif w[0] > 100:
        r = y
    else:
        t = np.mean(s, axis=1, keepdims=True)
        r = np.sum(t * t) * y
    return r + np.sum(w)


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def arrays_of_two_paths_in_a_loop(x, n):
    if n > 2:
        m = np.outer(x, x)
    else:
        v = x * 2
    s = 0.0
    for k in range(n):
        if n > 2:
            s = s + m[k, 0] * x[k]
        else:
            s = s + v[k]
    return s


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 0))
def item_of_an_array_that_a_loop_without_turns_makes(x, n):
    total = 0.0
    for k in range(n):
        s = x * k
    for k in range(n):
        total += s[k] * x[0]
    return total


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 0))
def stores_into_an_array_of_one_path(x, n):
    total = 0.0
    if n > 1:
        s = np.sin(x)
    for i in range(n):
        s[i] = s[i] * x[0]
    if n > 1:
        total = np.sum(s)
    return total * x[0]


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 0))
def list_of_one_path_in_a_loop(x, n):
    total = 0.0
    if n > 1:
        s = []
        for i in range(n):
            s.append(x[i])
    for i in range(n):
        total += s[i] ** 2
    return total * x[0]


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def array_that_an_earlier_loop_makes(x, n):
    total = 0.0
    for k in range(n):
        s = x * k
    for k in range(n):
        total += np.sum(s)* x[0]
    return total


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def array_of_one_path_in_a_while(x, n):
    total = 0.0
    if n > 1:
        s = x * 3
    i = 0
    while i < n:
        total += np.sum(s)* x[0]
        i += 1
    return total


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def closure_over_an_array_of_one_path(x, n):
    total = 0.0
    if n > 1:
        s = np.sin(x)
    for i in range(n):
        def g(t):
            return s[i] * t
        total += g(x[0])
    return total * x[0]


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def first_turn_makes_what_others_change(x, n):
    for i in range(n):
        if i == 0:
            m = np.outer(x, x)
        else:
            m = m * x
    r = 0.0
    while n > 0:
        n -= 1
        r += m[n, 0] * x[n]
    return r + x[0]


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def inner_loop_without_turns_makes_an_array(x, n):
    rows = []
    for i in range(n):
        for j in range(i):
            q = x * j
        for j in range(i):
            rows.append(q[j] * x[i])
    return sum(rows) + x[0]


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def array_of_odd_turns(x, n):
    for i in range(n):
        if i % 2:
            q = x * i
        for j in range(i % 2):
            x = x + q[j] * 0.1
    return x[0] + x[1]


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def array_of_all_turns_but_the_first(x, n):
    for i in range(n):
        if i > 0:
            q = q * x if i > 1 else x * i
        for j in range(i):
            x = x + q[j] * 0.1
    return x[0] + x[1]


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def array_of_the_turn_before(x, n):
    i = 0
    while True:
        if i > 1:
            break
        if i == 1:
            for k in range(2):
                x = x + q[k] * 0.1
        q = x * x
        i += 1
    return np.sum(x) + np.sum(q)


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 3), second=False)
def array_of_late_turns_in_nested_loops(x, n):
    for i in range(n):
        if i > 1:
            s = x * 2
        for j in range(i - 1):
            for k in range(j + 1):
                x = x + s[k] * 0.1
    return np.sum(x)
class M:
    def __init__(self, a): self.a = a
    def run(self, n):
        if n > 2:
            b = self.a * 2
        else:
            c = [self.a[0]]
        t = 0.0
        for i in range(n):
            t += b[i] * self.a[i] if n > 2 else c[0]
        return t


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def dict_of_one_path_in_a_loop(x, n):
    if n > 2:
        d = {"u": x * 2, "v": [x[0]]}
    t = 0.0
    for i in range(n):
        t += d["u"][i] * d["v"][0]
    return t


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 0), second=False)
def list_of_one_path_or_none_at_all(x, n):
    if n > 2:
        rows = [x * k for k in range(n)]
    t = 0.0
    for row in (rows if n > 2 else []):
        t += row[0] * row[1]
    return t + x[0]


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def array_of_one_path_changes_in_a_loop(x, n):
    if n > 2:
        u = x.copy()
    for i in range(n):
        if i:
            u[i] += u[i - 1] * x[i]
    w = u if n > 2 else x
    return np.sum(w * w)


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def table_of_one_path(x, n):
    if n > 2:
        acc = 0.0
        m = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            m[i, j] = x[i] * x[j] + acc
            acc = acc + m[i, j]
    return acc if n > 0 else x[0]


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def returns_out_of_a_loop_that_makes_its_array(x, n):
    k = 0
    s = x[0]
    while k < 3 and n > 0:
        for i in range(3):
            u = np.tanh(x)
        for j in range(3):
            if s > 5.0:
                return s
            s = s * u[2]
        k += 1
    return s


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def returns_out_of_loops_with_arrays_of_inner_loops(x, n):
    k = 0
    s = x[0]
    while k < 3:
        for i in range(n):
            u = np.tanh(x * s)
            q = u[2]
        for j in range(n):
            if q > 5.0:
                return q
            s = np.tanh(u[2])
        k += 1
    return s


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def array_of_some_turns_and_a_return(x, n):
    s = x[0]
    for k in range(n):
        if k != 1:
            u = np.tanh(x * s)
        for j in range(n):
            if s > 5.0:
                return s
            s = np.tanh(u[2])
    return s


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def pair_that_a_loop_without_turns_makes(x, n):
    n = n - 3
    for i in range(n):
        a, b = np.sin(x), [x[0]]
    t = x[0] * 2
    for i in range(n):
        t += a[i] * b[0]
    return t


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def dict_that_a_loop_without_turns_makes(x, n):
    n = n - 3
    t = x[0]
    for i in range(n):
        d = {"k": x * i}
    while n > 0:
        t += np.sum(d["k"])
        n -= 1
    return t


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def two_arrays_of_later_turns(x, n):
    t = 0.0
    for i in range(n):
        if i == 1:
            w = x * i
            z = np.outer(w, x)
        if i >= 1:
            for k in range(n):
                t += z[k, i] * w[k]
    return t


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 3), second=False)
def mean_that_keeps_its_axis_in_a_loop(x, n):
    if n > 2:
        m = np.outer(x, x)
    else:
        v = x
    s = 0.0
    for k in range(n):
        if n > 2:
            s = s + np.mean(m, axis=1, keepdims=True)[k, 0] * x[k]
        else:
            s = s + v[k]
    return s


@program("del and one-path variables", args=lambda: (-0.6, uniform(5), 3), wrt=(0, 1))
def sum_of_what_was_none_before_a_loop(y, w, n):
    s = None
    for k in range(n):
        s = w * (y + k)
    if n > 1:
        t = np.sum(s, keepdims=True)
        r = t[0] * y
    else:
        r = y
    return r


@program("del and one-path variables", args=lambda: (-0.6, uniform(5), 3), wrt=(0, 1))
def sum_of_what_a_loop_starts_with_none(y, w, n):
    s = None
    for k in range(n):
        s = w + y if s is None else s + y
    if n > 1:
        t = np.sum(s, keepdims=True)
        r = t[0] * y
    else:
        r = y
    return r


@program("del and one-path variables", args=lambda: (-0.6, uniform(5), 3), wrt=(0, 1))
def sum_of_what_a_loop_starts_with_zero(y, w, n):
    s = 0.0
    for k in range(n):
        s = s + w * y
    if n > 1:
        t = np.sum(s, keepdims=True)
        r = t[0] * y
    else:
        r = y
    return r


@program("del and one-path variables", args=lambda: (-0.6, uniform(5), 3), wrt=(0, 1))
def greatest_of_what_may_be_none(y, w, n):
    s = None
    if n > 2:
        s = np.ones((5, 5)) * y
    if s is not None:
        t = np.max(s, axis=1, keepdims=True)
        r = np.sum(t)
    else:
        r = y
    return r * y


@program("del and one-path variables", args=lambda: (-0.6, uniform(5), 3), wrt=(0, 1))
def sum_of_what_is_none_in_the_first_turn(y, w, n):
    s = None
    for k in range(n):
        if k % 2 == 0:
            s = w * y if s is None else s * w
        elif s is not None:
            y = y + np.sum(s, keepdims=True)[0] * 0.01
    return y + np.sum(s)


@program("del and one-path variables", args=lambda: (-0.6, uniform(5), 3), wrt=(0, 1))
def greatest_of_a_sum_of_arrays_that_starts_with_zero(y, w, n):
    s = 0.0
    i = 0
    while i < n:
        s = s + w * y
        if i == 1:
            y = y * np.max(s, keepdims=True)[0]
        i += 1
    return np.sum(s) * y


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def run_time_lists_become_rows(x, n):
    m = np.zeros((n, 3))
    for i in range(n):
        lst = []
        for v in x:
            lst.append(v * i)
        m[i] = lst
    return np.sum(m ** 2)


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def nested_run_time_lists_become_tables(x, n):
    m = np.zeros((n, 2, 3))
    for i in range(n):
        rows = []
        for j in range(2):
            row = []
            for v in x:
                row.append(v * (i + j))
            rows.append(row)
        m[i] = rows
    return np.sum(m ** 2)


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def lists_of_arrays_become_tables(x, n):
    m = np.zeros((n, 2, 3))
    for i in range(n):
        rows = []
        for j in range(2):
            rows.append(x * (i + j))
        m[i] = rows
        m[i, 1, :] += rows[0]
    return np.sum(m ** 2)


@program("run-time lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def run_time_list_in_all_rows(x, n):
    m = np.zeros((n, 4, 3))
    for i in range(n):
        row = []
        for v in x:
            row.append(v * (i + 1))
        m[i] = row
        m[i, [0, 2]] -= row
    return np.sum(m ** 2)


@program("run-time lists", args=lambda: (-0.6, uniform(5), 3), wrt=(0, 1), second=False)
def sum_of_an_item_that_was_none_before_a_loop(y, w, n):
    s = None
    for k in range(n):
        s = w + y if s is None else s + y
    lst = []
    for k in range(n):
        lst.append(w * k)
    lst.append(s)
    total = 0.0
    while lst:
        v = lst.pop()
        total += np.sum(v, keepdims=True)[0] * y
    return total


@program("run-time lists", args=lambda: (-0.6, uniform(5), 3), wrt=(0, 1), second=False)
def sum_of_an_item_that_was_zero_before_a_loop(y, w, n):
    s = 0.0
    for k in range(n):
        s = s + w * y
    lst = []
    for k in range(n):
        lst.append(w * k)
    lst.append(s)
    total = 0.0
    while lst:
        v = lst.pop()
        total += np.sum(v) * y
    return total


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 1))
def sum_and_item_of_an_array_of_one_path(x, n):
    if n > 2:
        s = x * 2
    if n > 2:
        a = s[0]
    else:
        a = x[0]
    if n > 2:
        r = np.sum(s)
    else:
        r = 1.0
    return r * a


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 1))
def sum_and_rows_of_a_table_of_one_path(x, n):
    if n > 2:
        s = np.outer(x, x)
    t = x[2]
    for k in range(2):
        if n > 2:
            t = t * np.sum(s[k])
        else:
            t = t * x[0]
        if n > 1:
            t = t + (np.sum(s, keepdims=True)[0, 0] if n > 2 else x[1])
    return t


# names that have a value on one path of a turn of a loop only


def _advanced(y, e, x):
    near = y < 0.9
    if near:
        u = np.sin(x * y * e)
    y = np.sin(y)
    if near:
        y += u[0] * u[1]
    return y


@program("del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def helper_with_an_array_of_one_path_in_a_loop(x):
    y = x[0]
    for e in x:
        y = _advanced(y, e, x)
    return y


@program("None tests", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def array_of_some_turns(x, n):
    y = x[0]
    for e in x:
        u = None
        if y < 0.9:
            u = np.sin(y * x * e)
        y = np.sin(y)
        for k in range(n):
            if u is not None:
                y += u[0] * u[k]
    return y


@program("None tests", args=lambda: (np.array([0.3, 1.1, 0.4]), 3))
def array_of_every_turn_that_might_be_none(x, n):
    y = x[0]
    for e in x:
        u = None
        if e < 5.0:
            u = np.sin(y * x * e)
        y = np.sin(y)
        if u is not None:
            y += u[0] * u[1]
    return y


@program("None tests, while", args=lambda: (np.array([0.7, 1.1, 0.4]), 2))
def two_arrays_of_some_turns(x, n):
    y, k = x[0], 0
    while k < n:
        k += 1
        u, v = None, None
        if y < 2.0:
            u = np.sin(y * x * k)
            if k > 1:
                v = u * x
        if v is not None:
            y += u @ v
        elif u is not None:
            y += u[0] * u[k]
    return y


@program("for, del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 0))
def array_of_a_loop_without_turns_in_a_later_loop(x, n):
    k = 0
    for _ in range(n):
        u = x * 2.0
        k += 1
    for _ in range(n + 2):
        if k > 1:
            u = np.sin(u)
    r = 0.0
    if k > 0:
        r = np.sum(u * x)
    return r + x[0]


@program("for, del and one-path variables", args=lambda: (0.5, 1.5, np.array([0.7, 1.1, 0.4]), 1), wrt=(0, 1))
def constant_array_of_a_loop_without_turns_or_a_number(x, y, w, n):
    k = 0
    for _ in range(n - 1):
        u = w
        k += 1
    if k:
        u = y
    if k:
        x = u * w
    return np.sum(x)


@program("None tests", args=lambda: (0.5, np.array([0.7, 1.1, 0.4]), 3))
def constant_array_or_none_in_a_loop(x, v, n):
    u = None
    if x > 2.0:
        u = v
    y = x
    for _ in range(n):
        if u is not None:
            y = np.sum(u * x)
            u = x * v
    return y


@program("for, del and one-path variables", args=lambda: (np.array([0.7, 1.1, 0.4]), 1))
def sorted_before_a_return_on_one_path(x, n):
    for _ in range(n):
        u = np.concatenate([x, x * x])
    u.sort()
    if n < 5:
        return x[0]
    return np.sum(u * u)


@program("local lists, second names", args=lambda: (0.5, np.array([0.7, 1.1, 0.4, 1.2]), np.array([0.7, -1.1, 0.4]), 3))
def two_lists_of_one_statement(x, v, w, n):
    pairs, last = [], v
    for k in range(n):
        pairs.append((x, v * k))
    others = []
    for k in range(5):
        others.append(w * k)
    for pair in pairs:
        x = pair[0] * np.sum(pair[1]) + last[0]
    return x + np.sum(others[-1])


# what is None on some path, put into lists and asked what it is


def _scaled(x, k):
    if x[k] < 0.9:
        return x * x[k]
    return None


def _product(x, k):
    if x[k] < 0.9:
        return x[0] * x[k]
    return None


@program("None tests", args=lambda: (np.array([0.7, 1.1, 0.4]),), second=False)
def list_of_arrays_and_none(x):
    kept = []
    for k in range(len(x)):
        kept.append(_scaled(x, k))
    total = 0.0
    for u in kept:
        if u is not None:
            total += np.sum(u)
        else:
            total += 0.5 * x[0]
    return total


@program("None tests, list comprehensions", args=lambda: (np.array([0.7, 1.1, 0.4]),), second=False)
def list_of_numbers_and_none(x):
    kept = [_product(x, k) for k in range(len(x))]
    return sum(u * u for u in kept if u is not None) + kept.count(None) * x[1]


@program("None tests", args=lambda: (np.array([0.7, 1.1, 0.4]),), second=False)
def count_of_none_in_a_short_list(x):
    kept = [_product(x, 0), _product(x, 1), _product(x, 2)]
    return sum(u * u for u in kept if u is not None) + kept.count(None) * x[1]


@program("None tests", args=lambda: (np.array([0.7, 1.1, 0.4]),), second=False)
def place_of_none_in_a_short_list(x):
    kept = [_product(x, 0), _product(x, 1), _product(x, 2)]
    return x[0] * kept.index(None) if None in kept else x[1]


@program("None tests, list comprehensions", args=lambda: (np.array([0.7, 1.1, 0.4]),), second=False)
def those_of_a_short_list_that_are_none(x):
    kept = [_product(x, 0), _product(x, 1), _product(x, 2)]
    return x[1] * len([u for u in kept if u is None])


@program("None tests, for", args=lambda: (np.array([0.7, 1.1, 0.4]),), second=False)
def pairs_with_none_of_a_loop(x):
    pairs = []
    for k in range(3):
        pairs.append((_product(x, k), k))
    return sum(u * k for u, k in pairs if u is not None) + x[1]


@program("None tests", args=lambda: (np.array([0.7, 1.1, 0.4]),), second=False)
def values_of_a_dict_that_are_none(x):
    kept = {"a": _product(x, 0), "b": _product(x, 1)}
    return x[0] * list(kept.values()).count(None) + x[1] * (kept.get("b") is None)


@program("None tests", args=lambda: (np.array([0.7, 1.1, 0.4]),), second=False)
def none_in_the_rest_of_a_list(x):
    _, *rest = [_product(x, 0), _product(x, 1), _product(x, 2)]
    return x[0] * rest.count(None)


@program("None tests", args=lambda: (np.array([0.7, 1.1, 0.4]),), second=False)
def none_in_a_list_taken_twice(x):
    kept = [_product(x, 0), _product(x, 1)] * 2
    return x[0] * kept.count(None) + sum(u for u in kept + kept if u is not None)


@program("None tests, list comprehensions", args=lambda: (np.array([0.7, 1.1, 0.4]),), second=False)
def pairs_of_numbers_and_what_may_be_none(x):
    pairs = [(_scaled(x, k), x[k]) for k in range(len(x))]
    return sum(np.sum(u) * e for u, e in pairs if u is not None)


@program("None tests, for", args=lambda: (np.array([0.7, 1.1, 0.4]),), second=False)
def rows_with_a_number_or_none(x):
    rows = []
    for k in range(len(x)):
        rows.append([_product(x, k), x[k]])
    total = 0.0
    for s, y in rows:
        total += y if s is None else s * y
    return total


@program("None tests, dicts", args=lambda: (np.array([0.7, 1.1, 0.4]), 3), second=False)
def dict_of_numbers_and_none(x, n):
    found = {}
    for k in range(n):
        found[k] = _product(x, k)
    return sum(v for v in found.values() if v is not None) + sum(x[k] for k in range(n) if found[k] is None)


@program("None tests", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def helper_asked_for_none_in_a_test(x):
    if _scaled(x, 1) is None and _product(x, 2) is not None:
        return x[1] * x[0]
    return x[2]


@program("None tests, isinstance", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def kind_of_what_may_be_none(x):
    s, u = _product(x, 1), _scaled(x, 2)
    if isinstance(s, float) or not isinstance(u, np.ndarray):
        return x[0]
    return x[1] * u[0]


@program("None tests, print", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def shown_what_may_be_none(x):
    s = _product(x, 1)
    print("s is", s, f"and {s}", [s, 1])
    if s in (None, 1.0) and s == None:  # noqa: E711
        return x[1] * len(str(s))
    return x[0]


@program("buffers", args=lambda: (0.5, np.array([0.7, -1.1, 0.4]), 3), wrt=0, refused="may")
def buffers_exchanged_and_an_argument_read_before_it_is_stored_into(y, w, n):
    a, b = w, np.zeros_like(w)
    for _ in range(n):
        b[0] = y * y
        a, b = b, a
    t = w[0]
    w[1] = y
    return t + np.sum(w)


# numbers of one type on one path, and of another on the other


def _count_or_value(x, k):
    if x[k] < 0.9:
        return 3
    return x[k]


@program("isinstance", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def int_on_one_path_and_float_on_another(x):
    s = _count_or_value(x, 0)
    if isinstance(s, int) and not isinstance(_count_or_value(x, 1), int):
        return x[1] * s
    return x[0]


@program("isinstance, for", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def int_before_a_loop_and_float_in_it(x, n):
    s, t = 3, 0
    for k in range(n):
        s = s * x[k] if isinstance(s, int) else s + x[k]
        t = t + x[k] if type(t) is not int else x[k] * 2.0
    return s * t


@program("isinstance, local lists", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def list_of_ints_and_floats(x, n):
    kept = []
    for k in range(n):
        kept.append(k if k < 2 else x[k])
    return sum(u * x[1] if isinstance(u, int) else u for u in kept)


@program("isinstance", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def true_on_one_path_and_a_number_on_another(x):
    def near(k):
        return True if x[k] < 0.9 else x[k]

    if near(0) is True and near(1) is not True:
        return x[1] * near(1)
    return x[0]


def _counts_or_values(x, k):
    if x[k] < 0.9:
        return np.array([1, 2, 3])
    return x * 2.0


@program("isinstance", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def dtype_of_ints_on_one_path_and_floats_on_another(x):
    u = _counts_or_values(x, 0)
    if u.dtype.kind == "i" and not np.issubdtype(_counts_or_values(x, 1).dtype, np.integer):
        return x[1] * np.sum(u)
    return x[0]


@program("isinstance, for", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def ints_that_become_floats_in_a_loop(x, n):
    u = _counts_or_values(x, 0)
    for _ in range(n):
        u = u * x if u.dtype.kind == "i" else u + x
    return np.sum(u)


@program("isinstance", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def complex_on_one_path(x):
    r = x[0]
    if x[1] > 2.0:
        r = r * (1 + 1j)
    return x[2] * (2.0 if np.iscomplexobj(r) else 3.0) + x[1] * (2.0 if isinstance(r, complex) else 3.0)


# --- what a number adds to its own adjoint counts once, however large the array is that it becomes


@program("accumulators", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def number_read_before_it_becomes_an_array(x, n):
    u, s = 0.0, 0.0
    for k in range(n):
        s = s + np.sum(u**2)
        u = u + x[0] if k < 1 else u + x
    return s


@program("accumulators", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def list_of_numbers_and_arrays(x, n):
    u, kept = 0.0, []
    for k in range(n):
        kept.append(u)
        u = u + x[0] if k < 1 else u + x
    return sum(np.sum(q**2) for q in kept)


@program("try", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def number_that_a_handler_spreads(x, n):
    v = 0.0
    for k in range(n):
        try:
            v = v + x[k + 1]
        except IndexError:
            v = v * x
    return np.sum(v)


@program("accumulators", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def products_of_numbers_and_arrays(x, n):
    a, b = x[0], x[1]
    for k in range(n):
        a, b = b * a, a + (x if k == 1 else 0.5)
    return np.sum(a) + np.sum(b)
