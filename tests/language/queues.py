"""Lists that grow and shrink at both ends: queues, stacks, work lists, tables of short rows, deques."""

from collections import deque

import numpy as np

from tests.language.corpus import normal, program, uniform


@program("queues, while", args=lambda: (0.8, 1.1))
def work_list(x, y):
    todo = [x, y]
    total = 0.0
    while len(todo) > 0:
        v = todo.pop(0)
        total += v * v
        if v > 0.3:
            todo.append(v * 0.4)
    return total


@program("queues, list operations", args=lambda: (0.7, 4))
def inserted_everywhere(x, n):
    q = []
    for k in range(n):
        q.insert(0, x * (k + 1))
        q.insert(1, x**k)
        q.insert(-1, x * x * k)
        if k % 2:
            q.insert(7, x)
    q.reverse()
    s = 0.0
    while len(q) > 3:
        s = s * 0.9 + q.pop(1) * q.pop(-2)
    return s + q[0]


@program("queues, sorted and sums", args=lambda: (0.7, 5))
def sorted_in_place_and_cleared(x, n):
    q = []
    for k in range(n):
        q.append((np.sin(x * k), x * k))
    q.sort(key=lambda p: -p[0])
    q.sort(key=lambda p: p[0], reverse=True)
    a = q[0][0] * q[1][1]
    q.clear()
    q.append((x, x))
    return a * q[0][0]


@program("queues, list operations", args=lambda: (0.7, 3))
def extended_and_copied(x, n):
    q, r = [], []
    for k in range(n):
        q.append(x * k)
        r.append(x**2)
    q.extend(r)
    q += r[1:]
    p = q.copy()
    p.sort()
    q[0] = 7 * x
    return sum((i + 1) * v for i, v in enumerate(p)) + q[0]


@program("queues", args=lambda: (uniform(4),))
def deque_at_both_ends(xs):
    d = deque()
    for v in xs:
        d.appendleft(v * v)
        if len(d) > 2:
            d.pop()
    s = 0.0
    while d:
        s = 2 * s + d.popleft()
    return s


@program("queues, arrays in containers", args=lambda: (uniform(4),))
def rows_in_front(xs):
    rows = []
    for v in xs:
        rows.insert(0, v * xs)
    r = rows.pop(1)
    return r @ rows[0]


@program("queues, for", args=lambda: (0.8, 5))
def length_that_changes_in_the_loop(x, n):
    q = []
    s = 0.0
    for k in range(n):
        for j in range(len(q)):
            s = s * 0.9 + q[j] * j * s
        q.append(x * (k + 1))
        for v in q:
            s = s + v * s
        if k % 2:
            q.pop()
    return s + q[0]


@program("queues, while", args=lambda: (0.7, 5))
def length_that_shrinks(x, n):
    q = []
    for k in range(n):
        q.append(x * k)
    s = 1.0
    while q:
        for j in range(len(q) - 1):
            s = s * 0.9 + q[j] * s
        q.pop()
        if len(q) > 3:
            s = s * x
    return s


@program("queues, for", args=lambda: (0.8, 5))
def length_in_arithmetic(x, n):
    q = []
    s = x * 1.0
    for k in range(n):
        q.append(x * k)
        s = s * 0.5 + s * q[len(q) - 1]
        s += np.sum((s * np.ones(7))[: len(q)])
        s = s * len(q) * 0.3
        s = s + s * x if len(q) > 2 else s * x
    q.pop()
    return s + q[0]


@program("local lists, for", args=lambda: (0.8, 5))
def short_rows(x, n):
    rows = []
    for k in range(n):
        rows.append([x * k, x**2])
    rows.insert(1, [x, 3.0])
    a, b = rows.pop(0)
    return sum(r[0] * r[1] for r in rows) + a + b


@program("local lists, while", args=lambda: (0.8,))
def short_rows_while(x):
    rows = [[x, 1.0]]
    while rows[-1][0] < 5.0:
        u, v = rows[-1]
        rows.append([u * 1.5 + v, v * x])
    rows[0] = [rows[1][0], x]
    return np.sum(np.array(rows) ** 2)


@program("local lists, list operations", args=lambda: (0.8, 4), second=False)
def rows_as_result(x, n):
    return [[x * k, x**k] for k in range(n)]


@program("local lists, second names", args=lambda: (0.8, 4), refused="may")
def row_changed_after_it_was_appended(x, n):
    rows = []
    for k in range(n):
        row = [x * k, x**2]
        rows.append(row)
        row[0] = x
    return sum(r[0] * r[1] for r in rows)


@program("queues", args=lambda: (normal(5), 3))
def moving_mean(xs, m):
    window = deque(maxlen=m)
    out = 0.0
    for v in xs:
        window.append(v * v)
        out += sum(window) / len(window) * v
    return out


@program("queues", args=lambda: (normal(5),))
def window_filled_from_the_left(xs):
    w = deque(xs[:2], maxlen=3)
    out = 0.0
    for v in xs:
        w.appendleft(v * v)
        if len(w) == 3:
            out += w[0] * w[2]
    w.extend([1.0, v])
    return out * w[1]


@program("queues", args=lambda: (0.2, 0.3, 0.4))
def rotated(x, y, z):
    w = deque([x, y, z])
    w.rotate(1)
    w.extendleft([x * y, 2.0])
    return w[0] * w[1] + w[2] ** 2 * w[3]


@program("queues, list operations", args=lambda: (uniform(5), 5))
def place_of_the_largest(a, n):
    fractions = []
    for k in range(n):
        fractions.append(a[k] * a[k])
    largest = max(fractions)
    i = fractions.index(largest)
    return a[i] * largest + fractions.count(largest) * a[0]


@program("queues, list operations", args=lambda: (uniform(5), 5))
def smallest_are_removed(a, n):
    left = []
    for k in range(n):
        left.append(a[k] * a[k])
        if k % 2 == 1:
            left.remove(min(left))
    total = 0.0
    for k in range(len(left)):
        total += left[k] * (k + 1.0)
    while left:
        i = left.index(max(left))
        total += left.pop(i) ** (i + 1)
    return total


@program("queues, list operations", args=lambda: (0.7, 1.2))
def removed_by_value(x, y):
    names = ["b", "a", "c", "a"]
    names.remove("a")
    values = {"a": x, "b": y * y, "c": x * y}
    total = 0.0
    for k, name in enumerate(names):
        total += (k + 1) * values[name]
    return total


@program("queues, for", args=lambda: (np.array([0.8, 1.7]), 4))
def grows_on_the_way_out_of_its_loop(v, n):
    q = [v[0]]
    for k in range(n):
        q.append(v[1] * k)
    s = 0.0
    for e in q:
        if e > 3.0:
            q.append(e * e)
            break
        s += e * v[1]
    return s + q[-1]


@program("queues, for", args=lambda: (np.array([0.8, 1.7]), 4), refused=True)
def grows_while_a_loop_runs_over_it(v, n):
    q = [v[0]]
    for k in range(n):
        q.append(v[1] * k)
    s = 0.0
    for e in q:
        if len(q) < 9:
            q.append(e)
        s += e * v[1]
    return s


@program("queues, for", args=lambda: (np.array([0.8, 1.7]), 4), refused=True)
def grows_in_a_loop_inside_that_is_left(v, n):
    q = [v[0]]
    for k in range(n):
        q.append(v[1] * k)
    s = 0.0
    for e in q:
        for u in v:
            if u > 1.0 and len(q) < 9:
                q.append(u * e)
                break
        s += e
    return s


@program("element stores, for over array", args=lambda: (np.array([0.8, 1.7, 0.4]), 3), refused="may")
def number_or_array_changed_while_a_loop_runs_over_it(v, n):
    u = 0
    for k in range(n):
        u = np.arange(3.0) * k
    for e in u:
        u[2] += 1
        v[0] = v[1] * e
    return np.sum(v)


@program("element stores, for over array", args=lambda: (np.array([0.8, 1.7, 0.4]), 3), wrt=0)
def number_or_array_changed_on_the_way_out_of_its_loop(v, n):
    u = 0
    for k in range(n):
        u = np.arange(3.0) * k
    for e in u:
        if e > 1.0:
            u[2] += 1
            break
        v[0] = v[1] * (e + 1)
    return np.sum(v) * u[2]


def _gathered(x, v, w):
    kept = list(v)
    np.subtract.at(w, [0, 2], np.tanh(w[:2]))
    k = 0
    while k < 3 and -1.0 < x < 1.0:
        kept[-1] += kept[0] * w[1]
        kept += [x]
        k += 1
    return x + sum(kept)


def _turn_by_turn(k, x, y, v, w):
    if k == 0:
        return x
    return 0.5 * _turn_by_turn(k - 1, y, x, w, v) + _gathered(x, v, w)


@program("queues, list operations, recursion", args=lambda: (0.4, 0.3, uniform(3), uniform(3), 2), wrt=0)
def constant_list_that_becomes_active(x, y, v, w, n):
    return _turn_by_turn(n, x, y, v, w) + np.sum(v * w)


class _Shelf:
    def __init__(self):
        self.items = []

    def __len__(self):
        return len(self.items)

    def __getitem__(self, k):
        return self.items[k]


@program("queues, for", args=lambda: (np.array([0.8, 1.7]), 3), refused=True)
def object_that_grows_while_a_loop_runs_over_it(v, n):
    shelf = _Shelf()
    for k in range(n):
        shelf.items.append(v[1] * k)
    s = 0.0
    for e in shelf:
        if len(shelf) < 9:
            shelf.items.append(e)
        s += e * v[0]
    return s


@program("queues, for", args=lambda: (np.array([0.8, 1.7]), 3), refused=True)
def object_that_grows_while_a_loop_numbers_its_items(v, n):
    shelf = _Shelf()
    for k in range(n):
        shelf.items.append(v[1] * k)
    s = 0.0
    for k, e in enumerate(shelf):
        if k < 4:
            shelf.items.append(e)
        s += e * v[0]
    return s


@program("queues, list operations", args=lambda: (uniform(3), uniform(3)), wrt=0)
def constant_items_leave_a_list_that_becomes_active(x, w):
    kept = list(w)
    last = kept.pop()
    kept.extend([np.sum(w), x[2] * x[0]])
    kept.insert(0, x[1])
    return sum(k * v for k, v in enumerate(kept)) + last * kept[-1]


@program("queues, list operations", args=lambda: (uniform(3), uniform(3), 3), wrt=0)
def constant_array_put_in_a_list_of_active_ones(x, w, n):
    kept = [w, x]
    kept[0] = w * 2.0
    for _ in range(n):
        kept.append(np.tanh(x))
    return kept[0][1] * kept[-1][1]


@program("views through a reshape", args=lambda: (uniform(3),))
def reshape_that_copies_an_array_in_columns(w):
    m = np.asfortranarray(np.outer(w, w))
    u = m.reshape(-1)
    m[...] = m * w
    u[1] = 0.5
    return np.sum(u) + np.sum(m)


@program("views through a reshape, if", args=lambda: (uniform(3), 2), wrt=0)
def reshape_that_copies_in_a_branch(w, n):
    if n:
        m = np.asfortranarray(np.outer(w, w))
        u = m.reshape(-1)
        m[...] = m * w
        u[1] = 0.5
        r = np.sum(u) + np.sum(m)
    return r


@program("views through a reshape", args=lambda: (uniform(3),))
def array_read_before_its_reshape_is_overwritten(x):
    m = np.vstack([x, x * 2, x])
    square = m @ m
    u = m.reshape(-1)
    u[...] += x[0]
    return np.sum(u) + np.sum(square)


@program("views through a reshape, for", args=lambda: (uniform(3), 3), wrt=0)
def tile_read_before_its_reshape_is_overwritten(x, n):
    total = 0.0
    for k in range(n):
        m = np.tile(x, (3, 1))
        squares = m * m
        u = m.reshape(-1)
        u[k] *= x[0]
        total += np.sum(u) + np.sum(squares)
    return total


@program("list operations", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def item_is_dropped_after_the_list_was_summed(x, n):
    items = [x[2], x[1]]
    total = 0.0
    for _ in range(n):
        total += np.sum(np.array(items) ** 2)
        items.append(x[0])
    items.pop()
    return total + len(items)


@program("list operations", args=lambda: (np.array([0.7, 1.1, 0.4]), 3))
def item_is_appended_after_the_list_was_summed(x, n):
    items = [x[2], x[1]]
    total = 0.0
    for _ in range(n):
        total = total * x[0] + np.asarray(items) @ np.array(items)
        items += [x[0]]
    last = items.pop()
    return last + total
