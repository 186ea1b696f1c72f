"""Lists of lists, and lists that are one list or another, at run time."""

from __future__ import annotations

import numpy as np

from tests.language.corpus import normal, program


def values() -> tuple[np.ndarray]:
    return (np.array([0.3, -0.5, 0.8, 0.6]),)


@program("run-time lists", args=values)
def one_list_or_the_other(x):
    a = []
    b = []
    for k in range(len(x)):
        a.append(x[k] * 2.0)
        b.append(x[k] ** 2)
    if x[0] > 0.0:
        v = a
    else:
        v = b
    s = 0.0
    for k in range(len(v)):
        s += v[k] * a[k] * b[k]
    return s


@program("run-time lists", args=values)
def list_replaced_in_a_loop(x):
    a = []
    for k in range(len(x)):
        a.append(x[k] * 2.0)
    v = a
    for j in range(3):
        w = []
        for k in range(len(v)):
            w.append(v[k] * v[0] + a[k])
        if w[0] > 100.0:
            break
        v = w
    return sum(v) + a[1]


@program("run-time lists", args=values)
def array_copied_on_one_path(x):
    y = x
    if x[0] > 0:
        y = y.copy()
        y[0] = 2 * x[1]
    return np.sum(y * y)


@program("run-time lists", args=values)
def array_copied_on_one_path_and_used(x):
    y = np.sin(x)
    z = y
    if x[0] > 0:
        y = y.copy()
        y[0] += 2 * x[1]
    return np.sum(y * y) + np.sum(z * z * z)


@program("lists of lists", args=values)
def rows_of_lists(x):
    rows = []
    for i in range(len(x)):
        row = []
        for j in range(i + 1):
            row.append(x[i] * x[j] + 1.0)
        rows.append(row)
    s = 0.0
    for i in range(len(rows)):
        for j in range(len(rows[i])):
            s += rows[i][j] ** 2 * (i + 1)
    return s


@program("lists of lists", args=values)
def dp_table(x):
    table = [[1.0, x[0]]]
    for i in range(1, len(x)):
        row = [1.0]
        for j in range(1, i + 1):
            row.append(x[i] * table[i - 1][j - 1] + table[i - 1][j] ** 2)
        row.append(x[i])
        table.append(row)
    return sum(table[-1])


@program("lists of lists", args=values)
def stack_of_stacks(x):
    outer = []
    for i in range(len(x)):
        inner = [x[i]]
        while inner[-1] > 0.1 and len(inner) < 5:
            inner.append(inner[-1] * x[0])
        outer.append((i, inner))
    s = 0.0
    while outer:
        i, inner = outer.pop()
        t = 0.0
        while inner:
            t = t * 0.5 + inner.pop() ** 2 * (i + 1.0)
        s = s * 1.1 + t
    return s


@program("lists of lists", args=values)
def buckets(x):
    b = [[] for _ in range(3)]
    for k in range(len(x)):
        b[k % 3].append(x[k] ** 2)
    s = 0.0
    for lst in b:
        p = 1.0
        for v in lst:
            p *= v
        s += p
    return s


@program("lists of lists", args=values)
def matrix_in_lists(x):
    n = len(x)
    m = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            m[i][j] = x[i] * x[j]
    for i in range(n - 1):
        m[i + 1][0] += m[i][1] * x[0]
        m[i][i] *= 2.0
    return sum(m[i][j] ** 2 for i in range(n) for j in range(n))


@program("lists of lists", args=values, refused="may")
def row_changed_while_held(x):
    rows = []
    row = []
    for i in range(len(x)):
        row.append(x[i])
        rows.append(row)
    return sum(rows[0]) + rows[1][0]


@program("lists of lists", args=values)
def sharing_two(x):
    a, b = [], []
    for i in range(len(x)):
        r = [x[i], x[i] ** 2]
        if x[i] > 0.5:
            r.append(1.0)
        a.append(r)
        b.append(r)
    s = 0.0
    for i in range(len(x)):
        s += a[i][0] * b[i][1]
    return s


@program("lists of lists", args=values, refused="may")
def sharing_two_popped(x):
    a, b = [], []
    for i in range(len(x)):
        r = [x[i], x[i] ** 2]
        if x[i] > 0.5:
            r.append(1.0)
        a.append(r)
        b.append(r)
    s = 0.0
    for i in range(len(x)):
        s += a[i].pop()
        s += b[i][-1] * x[0]
    return s


@program("lists of lists", args=values, refused="may")
def peek(x):
    st = [[x[0]]]
    for i in range(1, len(x)):
        top = st[-1]
        if x[i] > 0.0:
            top.append(x[i] * 2.0)
        else:
            st.append([x[i] ** 2])
    return sum(sum(r) ** 2 for r in st)


@program("lists of lists", args=values)
def three_deep(x):
    deep = []
    for i in range(len(x)):
        mid = []
        for j in range(2):
            low = []
            for k in range(i + j):
                low.append(x[i] * (k + 1.0))
            mid.append(low)
        deep.append(mid)
    s = 0.0
    for i in range(len(deep)):
        for j in range(len(deep[i])):
            for k in range(len(deep[i][j])):
                s += deep[i][j][k] ** 2
    return s


@program("lists of lists", args=values)
def swapped(x):
    rows = []
    for i in range(len(x)):
        rows.append([x[i], x[i] ** 2, 1.0 + x[0]])
    rows[0], rows[1] = rows[1], rows[0]
    return rows[0][0] * rows[1][1] + rows[2][2]


@program("run-time lists", args=values)
def all_items_replaced(x):
    a = []
    b = []
    for k in range(len(x)):
        a.append(x[k])
        b.append(x[k] ** 2)
    a[:] = [v + w * v for v, w in zip(a, b)]
    return sum(v * v for v in a)


@program("run-time lists", args=values)
def empty_on_one_path(x):
    found = []
    if x[0] > 0.1:
        found = []
        for k in range(len(x)):
            found.append(x[k] * x[0])
    total = x[1]
    for k in range(len(found)):
        total += found[k] ** 2
    return total


@program("run-time lists", args=values)
def popped_before_it_gets_another_name(x):
    a, b = [], []
    for k in range(len(x)):
        a.append(x[k] ** 2)
        b.append(x[k])
    last = a.pop()
    kept = a if last > 0.1 else b
    total = last
    for k in range(len(kept)):
        total += kept[k] * b[k]
    return total


@program("run-time lists", args=values)
def two_lists_that_take_turns(x):
    now = []
    for k in range(len(x)):
        now.append(x[k] * 0.5)
    for step in range(3):
        new = []
        for k in range(len(now)):
            new.append(now[k] + 0.1 * now[k - 1] ** 2 * (step + 1.0))
        if new[0] > 10.0:
            new = now
        now = new
    return sum(v * v for v in now)


@program("lists of lists", args=values)
def read_only_lists_in_two_places(x):
    table, index = [], []
    for i in range(len(x)):
        row = []
        for j in range(i + 1):
            row.append(x[i] * (j + 1.0))
        table.append(row)
        index.append((i, row, x[i]))
    total = 0.0
    for i, row, scale in index:
        for j in range(len(row)):
            total += row[j] * table[i][0] * scale
    return total


@program("lists of lists", args=values)
def list_taken_out_and_put_back(x):
    stack = []
    for i in range(len(x)):
        row = []
        for j in range(i + 1):
            row.append(x[i] * x[j])
        stack.append(row)
    for _ in range(3):
        row = stack.pop()
        row.append(x[0] ** 2)
        stack.append(row)
    total = 0.0
    for row in stack:
        p = 1.0
        for v in row:
            p = p * (1.0 + 0.1 * v)
        total += p
    return total


@program("lists of lists", args=values)
def levels_of_a_pyramid(x):
    levels = [[v * v for v in x]]
    while len(levels[-1]) > 1:
        below = levels[-1]
        above = []
        for k in range(len(below) - 1):
            above.append(0.5 * (below[k] + below[k + 1]) + below[k] * below[k + 1])
        levels.append(above)
    total = 0.0
    for level in levels:
        for v in level:
            total = total * 0.9 + v
    return total


@program("lists of lists", args=values)
def polynomials_as_lists(x):
    products = [[1.0]]
    for k in range(len(x)):
        last = products[k]
        new = [0.0] * (len(last) + 1)
        for j in range(len(last)):
            new[j] += last[j] * x[k]
            new[j + 1] += last[j]
        products.append(new)
    return sum(c * c for c in products[-1])


@program("lists of lists", args=values)
def groups_by_sign(x):
    groups = []
    group = []
    for k in range(len(x)):
        if k > 0 and x[k] * x[k - 1] < 0.0:
            groups.append(group)
            group = []
        group.append(x[k] ** 2)
    groups.append(group)
    total = 0.0
    for g in groups:
        total += sum(g) ** 2
    return total


def build(x):
    """Rows of growing length."""
    rows = []
    for i in range(len(x)):
        row = []
        for j in range(i + 1):
            row.append(x[i] * x[j] + 1.0)
        rows.append(row)
    return rows


def total(rows):
    s = 0.0
    for i in range(len(rows)):
        for j in range(len(rows[i])):
            s += rows[i][j] ** 2 * (i + 1.0) * (j + 2.0)
    return s


class Box:
    def __init__(self):
        self.rows = []

    def add(self, v):
        if not self.rows or len(self.rows[-1]) > 1:
            self.rows.append([])
        self.rows[-1].append(v)


def put(row, v):
    row.append(v)
    row[0] = row[0] * v


@program("lists of lists", args=values, refused="may")
def changed_while_it_has_a_name(x):
    rows = build(x)
    a = rows[0]
    rows[0].append(x[1])
    return a[-1] * 3.0 + total(rows)


@program("lists of lists", args=values, refused="may")
def popped_while_it_has_a_name(x):
    rows = build(x)
    r = rows[-1]
    q = rows.pop()
    q.append(x[0] * 2.0)
    return sum(r) + total(rows)


@program("lists of lists", args=values)
def first_items_by_a_while_loop(x):
    rows = build(x)
    k = 0
    while k < 2:
        r = rows[k]
        k = k + 1
        r[0] = x[k] ** 2
    return total(rows)


@program("lists of lists", args=values)
def tuples_with_lists_that_grow(x):
    rows = []
    for i in range(len(x)):
        row = []
        for j in range(i + 1):
            row.append(x[i] * x[j])
        rows.append((x[i], row))
    for k in range(len(rows)):
        a, r = rows[k]
        r.append(a * 2.0)
    s = 0.0
    for k in range(len(rows)):
        a, r = rows[k]
        s += a * sum(r)
    return s


@program("lists of lists", args=values)
def lists_in_an_object(x):
    b = Box()
    for i in range(len(x)):
        b.add(x[i] ** 2)
        if x[i] > 0.5:
            b.add(x[i])
    return total(b.rows)


@program("lists of lists", args=values)
def copies_that_go_their_own_way(x):
    rows = build(x)
    copy = [r[:] for r in rows]
    for i in range(len(rows)):
        copy[i].append(x[i])
        rows[i][0] = x[i] ** 2
    return total(rows) + 2.0 * total(copy)


@program("lists of lists", args=values, refused="may")
def shallow_copy_changed(x):
    rows = build(x)
    c = list(rows)
    for i in range(len(c)):
        c[i].append(x[i] ** 3)
    return total(rows) + total(c)


@program("lists of lists", args=values)
def changed_by_a_function(x):
    rows = build(x)
    for i in range(len(rows)):
        put(rows[i], x[i])
    put(rows[0], x[1])
    return total(rows)


@program("lists of lists", args=values)
def queue_of_lists(x):
    queue = build(x)
    s = 0.0
    while queue:
        r = queue.pop(0)
        v = r.pop()
        s = s * 0.9 + v * v
        if len(r) > 0 and v > 0.5:
            queue.append(r)
    return s


@program("lists of lists", args=values)
def zipped_lists_that_change(x):
    rows = build(x)
    other = build(x * 0.5)
    for r, q in zip(rows, other):
        r.append(q[0])
        q[0] = r[0] ** 2
    return total(rows) + total(other)


@program("lists of lists", args=values)
def triangle_of_zeros_filled(x):
    rows = []
    for i in range(len(x)):
        rows.append([0.0] * (i + 1))
    for i in range(len(x)):
        for j in range(i + 1):
            rows[i][j] = x[i] * x[j]
            rows[i][0] += x[j]
    return total(rows)


@program("lists of lists", args=values, refused="may")
def chosen_list_changed(x):
    rows = build(x)
    r = rows[0] if x[0] > 0.1 else rows[1]
    r.append(x[2])
    return total(rows)


@program("lists of lists", args=values)
def best_list_so_far(x):
    rows = build(x)
    best = rows[0]
    for i in range(len(rows)):
        if rows[i][0] > best[0]:
            best = rows[i]
    s = sum(best)
    return s * s + total(rows)


@program("lists of lists", args=values, refused="may")
def best_list_changed(x):
    rows = build(x)
    best = rows[0]
    for i in range(len(rows)):
        if rows[i][0] > best[0]:
            best = rows[i]
    best[0] = x[0] * 7.0
    return total(rows)


@program("lists of lists", args=values)
def table_of_intervals(x):
    memo = [[0.0] * len(x) for _ in range(len(x))]
    n = len(x)
    for w in range(n):
        for i in range(n - w):
            j = i + w
            if w == 0:
                memo[i][j] = x[i] ** 2
            else:
                t = memo[i + 1][j] * x[i]
                for k in range(i, j):
                    t = t + memo[i][k] * memo[k + 1][j]
                memo[i][j] = t
    return memo[0][n - 1]


@program("lists of lists", args=values)
def moved_to_another_list(x):
    rows = build(x)
    spare = []
    for i in range(2):
        r = rows.pop()
        spare.append(r)
    spare[0].append(x[0])
    for r in spare:
        r[0] = r[-1] * x[1]
    rows.append(spare.pop())
    return total(rows) + total(spare)


@program("lists of lists", args=values)
def history_of_copies(x):
    hist = []
    state = []
    for k in range(len(x)):
        state.append(x[k])
    for t in range(4):
        hist.append(list(state))
        for k in range(len(state)):
            state[k] = state[k] * x[k] + 0.1 * t
    return total(hist)


@program("lists of lists", args=values)
def grown_given_away_and_begun_anew(x):
    rows = build(x)
    r = rows.pop()
    for i in range(len(x)):
        r.append(x[i] * r[0])
        if x[i] > 0.5:
            rows.append(r)
            r = [x[i]]
    return total(rows) + sum(r)


@program("lists of lists", args=values)
def one_list_changed_in_a_loop(x):
    rows = build(x)
    k = 0
    r = rows[k]
    while k < 3:
        k += 1
        r[0] = r[0] * x[k]
    return total(rows)


@program("lists of lists", args=values)
def neighbours_change_each_other(x):
    rows = build(x)
    for i in range(1, len(rows)):
        prev, cur = rows[i - 1], rows[i]
        for j in range(len(prev)):
            cur[j] = cur[j] + prev[j] * x[j]
        prev.append(cur[0])
    return total(rows)


@program("lists of lists", args=values)
def rows_and_columns(x):
    rows = build(x)
    cols = []
    for j in range(len(rows)):
        col = []
        for i in range(j, len(rows)):
            col.append(rows[i][j])
        cols.append(col)
    for i in range(len(rows)):
        rows[i][0] = cols[0][i] * 2.0
        cols[i][0] = rows[i][0] * x[i]
    return total(rows) + total(cols)


@program("lists of lists", args=values, refused="may")
def chosen_list_of_lists_changed(x):
    a = build(x)
    b = build(x * 2.0)
    for i in range(len(a)):
        src = a if x[i] > 0.1 else b
        src[i].append(x[i] * 3.0)
    return total(a) + total(b)


@program("lists of lists", args=values)
def closure_that_changes_an_item(x):
    rows = build(x)

    def bump(k):
        rows[k][0] = rows[k][0] * x[k]
        return rows[k][0]

    s = 0.0
    for k in range(len(rows)):
        s += bump(k) * rows[0][0]
    return s + total(rows)


@program("lists of lists", args=values)
def places_by_remainders(x):
    trie = [[0.0, 0.0] for _ in range(3)]
    for i in range(len(x)):
        trie[i % 3][i % 2] += x[i] ** 2
        trie[(i + 1) % 3][1] *= x[i]
    return total(trie)


@program("lists of lists", args=values)
def two_taken_out_one_put_back(x):
    rows = build(x)
    total_ = 0.0
    while len(rows) > 1:
        a = rows.pop()
        b = rows.pop()
        merged = []
        i = 0
        while i < len(a) and i < len(b):
            merged.append(a[i] * b[i])
            i += 1
        total_ += sum(merged)
        rows.append(merged)
    return total_ + sum(rows[0])


@program("lists of lists", args=values)
def cholesky_in_lists(x):
    n = len(x)
    lower = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            s = (2.0 if i == j else 0.3) + 0.1 * x[i] * x[j]
            for k in range(j):
                s -= lower[i][k] * lower[j][k]
            lower[i][j] = np.sqrt(s) if i == j else s / lower[j][j]
    return sum(lower[i][i] for i in range(n))


@program("lists of lists", args=values)
def elimination_in_lists(x):
    n = len(x)
    A = []
    for i in range(n):
        A.append([])
        for j in range(n):
            A[i].append(1.0 / (1.0 + i + j) + (x[i] + 2.0 if i == j else 0.0))
    b = [x[i] for i in range(n)]
    for k in range(n):
        for i in range(k + 1, n):
            f = A[i][k] / A[k][k]
            for j in range(k, n):
                A[i][j] -= f * A[k][j]
            b[i] -= f * b[k]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            b[i] -= A[i][j] * b[j]
        b[i] /= A[i][i]
    return sum(v * v for v in b)


@program("lists of lists", args=lambda: (normal(3, 3, seed=4) + 2.0 * np.eye(3),))
def determinant_of_lists(A):
    rows, n = A.tolist(), len(A)
    for k in range(n):
        for i in range(k + 1, n):
            f = rows[i][k] / rows[k][k]
            for j in range(k, n):
                rows[i][j] -= f * rows[k][j]
    d = 1.0
    for k in range(n):
        d *= rows[k][k]
    return d


@program("lists of lists, list comprehensions", args=lambda: (normal(3, 3, seed=5),))
def product_of_lists(A):
    rows = A.tolist()
    columns = [list(c) for c in zip(*rows, strict=True)]
    product = [[sum(a * b for a, b in zip(r, c, strict=True)) for c in columns] for r in rows]
    return sum(product[i][i] for i in range(len(product))) + product[0][-1]


@program("lists of lists", args=lambda: (normal(2, 3, seed=6),))
def lists_of_stacked_arrays(A):
    whole = np.stack([A, A * 2.0]).tolist()
    return whole[1][0][1] * whole[0][1][2] + sum(map(sum, whole[0]))


@program("lists of lists", args=lambda: (0.6, 1.2, 3), wrt=(0, 1), refused="may")
def list_of_ints_in_a_list_that_gets_active(x, y, n):
    empty = [[] for _ in range(3)]
    y = y + 0.1 * sum(empty[n - 2])
    counts = [1, 2]
    held = [counts, counts]
    one = held[(y > 0.1) % 2]
    one.append(y * x)
    return x + 0.3 * sum(counts)
