"""Arrays that nothing is differentiated with respect to, and that are overwritten: by calls, through other names."""

import contextlib
import operator
import random

import numpy as np

from tests.language.corpus import normal, program


@program("constants overwritten", args=lambda: (0.7, normal(5), 2.0), wrt=0)
def put_into_weights(y, w, c):
    before = y * np.sum(w * w) * y
    np.put(w, [0, 3], c)
    return before + np.sum(w) * y**2


@program("constants overwritten", args=lambda: (0.7, normal(5), 2.0), wrt=(0, 2))
def placed_and_masked(y, w, c):
    t = np.sin(y * w)
    np.place(w, w > 0.0, 3.0)
    np.putmask(w, w < -0.5, -1.0)
    return np.sum(t * w) * c


@program("constants overwritten", args=lambda: (0.7, normal(6)), wrt=0)
def parted_in_place(y, w):
    s = np.sum(w * np.arange(6)) * y**2
    w.partition(3)
    s += w[3] * y
    np.ndarray.sort(w)
    return s + np.sum(w * np.arange(6)) * y**3


@program("constants overwritten", args=lambda: (0.7, normal(5)), wrt=0)
def noise_drawn_into_a_buffer(y, noise):
    rng = np.random.default_rng(3)
    total = 0.0
    for _ in range(3):
        total += np.sum(np.exp(y * noise))
        rng.standard_normal(out=noise)
    return total


@program("constants overwritten", args=lambda: (0.7, normal(5), normal(5, seed=1)), wrt=(0, 1))
def shuffled_data(y, x, data):
    rng = np.random.default_rng(0)
    total = 0.0
    for _ in range(2):
        rng.shuffle(data)
        total += np.sum(data * x) ** 2 * y
    return total


@program("constants overwritten", args=lambda: (normal(5),))
def clipped_into_itself_by_position(w):
    w.clip(-0.5, 0.5, w)
    return np.sum(w**2)


@program("constants overwritten", args=lambda: (normal(5),), refused="may")
def drawn_over_what_is_active(w):
    t = np.sum(w**2)
    np.random.default_rng(0).standard_normal(out=w)
    return t + np.sum(w**2)


@program("constants overwritten", args=lambda: (0.7, normal(5)), wrt=0)
def operators_as_functions(y, w):
    t = y**2 * w
    operator.setitem(w, 0, 4.0)
    operator.iadd(w, np.ones(5))
    w.__setitem__(1, -1.0)
    return np.sum(t) + np.sum(w) * y


@program("constants overwritten", args=lambda: (0.7, normal(5)), wrt=0)
def columns_of_a_table(y, w):
    table = np.zeros((2, 5))
    row = table[1]
    np.put(row, 2, w[0])
    t = np.sum(table) * y**2
    np.put_along_axis(table, np.array([[0], [1]]), 3.0, 1)
    return t * np.sum(table * y)


@program("constants overwritten", args=lambda: (0.7, normal(5), 3), wrt=0, refused="may")
def listed_before_it_is_active(y, v, n):
    held = []
    for _ in range(n):
        held.append(v)
    np.add.at(v, 1, y)
    return np.sum(np.array(held) ** 2)


def unchanged(u):
    return u


def scaled(u, c):
    u *= c


@program("constants overwritten", args=lambda: (0.7, normal(5), 2), wrt=0, refused="may")
def scaled_behind_a_call(y, w, n):
    last = None
    for _ in range(n):
        last = w
    scaled(unchanged(last), 3.0)
    return np.sum(last) * y


@program("constants overwritten", args=lambda: (0.7, [3.0, 1.0, 2.0]), wrt=0)
def shuffled_list(y, items):
    total = items[0] * y
    random.Random(2).shuffle(items)
    return total + items[0] * y**2


# --- helpers that change what they are given, seen only when they are looked into


def through_another_name(u):
    t = u
    t[0] = 1.0
    return np.sum(u)


def in_a_nested_call(u):
    return through_another_name(u[1:])


def by_out(u):
    np.add(u, 1.0, out=u)
    return 1.0


def row_by_row(table):
    for row in table["rows"]:
        row[:] = 0.5 * row
    return len(table["rows"])


def longer(items):
    kept = items
    kept.append(3.0)


@program("constants overwritten", args=lambda: (0.7, normal(5), normal(5, seed=1)), wrt=(0, 1))
def changed_by_helpers(y, v, w):
    s = y * np.sum(w * v)
    t = s * s * through_another_name(w)
    t = t + np.sum(w * v) * in_a_nested_call(w)
    return t * by_out(w) + np.sum(w * v) * y * s


@program("constants overwritten", args=lambda: (0.7, normal(2, 3)), wrt=0)
def rows_of_a_table_changed(y, rows):
    s = y * np.sum(rows)
    count = row_by_row({"rows": rows})
    return s**2 * count + y * np.sum(rows)


@program("constants overwritten", args=lambda: (0.7,))
def list_made_longer_by_another_name(y):
    items = [1.0, 2.0]
    s = y * sum(items)
    longer(items)
    return s * y * sum(items)


def either(u, same):
    return u if same else u.copy()


@program("constants overwritten", args=lambda: (normal(5), normal(5, seed=1), 2), wrt=0)
def stored_in_one_or_the_other(v, w, n):
    u = either(w, n > 1)
    s = np.sum(u * v) * 0.5
    u[1] = 2.0
    return s * np.sum(v) + np.sum(u * v)


@program("constants overwritten, methods and attributes", args=lambda: (0.4, 3.0), wrt=0)
def static_method_that_sees_a_variable(x, scale):
    class Spring:
        def __init__(self, k):
            self.k = k * scale

        @staticmethod
        def shifted(u):
            return u + x**2

    return Spring(scale).k + Spring.shifted(scale)


@contextlib.contextmanager
def pinned(u):
    u[0] = 3.0
    yield u
    u[1] = 4.0


@program("constants overwritten, with", args=lambda: (0.7, normal(5)), wrt=0, refused="may")
def pinned_for_a_while(y, w):
    s = np.sum(w) * y**2
    with pinned(w) as u:
        s = s + np.sum(u) * y
    return s * y + np.sum(w) * y


@program("constants overwritten, with", args=lambda: (0.7, normal(5)), wrt=0, refused="may")
def pinned_under_a_name(y, w):
    s = np.sum(w) * y**2
    pin = pinned(w)
    with pin as u:
        s = s + np.sum(u) * y
    return s * y + np.sum(w) * y


def advanced(u):
    t = u
    t[0] = 2.0 * t[0] + 1.0
    return np.sum(t)


@program("constants overwritten", args=lambda: (0.7, normal(5), normal(5, seed=1)))
def changed_by_a_condition(y, v, w):
    s = np.sum(w * v) * y
    if advanced(w) > -100.0:
        s = s * y
    k = int(advanced(w) > 0.0)
    return s + np.sum(w * w) * v[k]


@program("constants overwritten, try", args=lambda: (0.7, normal(5), normal(5, seed=1)), refused="may")
def changed_by_a_call_that_is_tried(y, v, w):
    s = np.sum(w * v) * y
    try:
        advanced(w)
        raise ValueError
    except ValueError:
        r = np.sum(w) * y
    return s * r + np.sum(w * w)


COUNTS = np.zeros(2)
SEEN = {}


def counted():
    counts = COUNTS
    counts[0] += 1.0
    return 1.0


def remembered(k):
    seen = SEEN
    if k not in seen:
        seen[k] = k * 2.0
    return seen[k]


@program("constants overwritten", args=lambda: (0.7,), refused=True)
def global_changed_by_a_call(y):
    a = COUNTS[0] * y * y
    counted()
    return a * COUNTS[0] * y


@program("constants overwritten", args=lambda: (0.7, 3), wrt=0)
def remembered_by_a_helper(y, n):
    return y * y * remembered(n) + remembered(n + 1) * y


@program("constants overwritten", args=lambda: (0.7, normal(3), 2), wrt=(0, 1))
def methods_taken_off_their_classes(y, w, n):
    items = [y, 2.0]
    for _ in range(n):
        list.append(items, y * y)
    list.reverse(items)
    np.ndarray.sort(w)
    return sum(items) * items[0] + np.sum(w * np.arange(3.0))


def also(letters):
    seen = letters
    seen.add("c")


@program("constants overwritten", args=lambda: (0.7,), refused="may")
def set_changed_by_another_name(y):
    letters = {"a"}
    also(letters)
    return y ** len(letters)


def turned(items):
    kept = items
    kept.reverse()
    return kept[0]


@program("constants overwritten", args=lambda: (0.7,))
def list_turned_by_another_name(y):
    names = ["a", "b"]
    first = turned(names)
    return y**2 * (2.0 if names[0] == "b" else 3.0) * (1.0 if first == "b" else 7.0)


@program("constants overwritten", args=lambda: (0.7, normal(5), normal(5, seed=1)), wrt=(0, 1))
def shuffled_by_a_helper(y, v, w):
    s = y * np.sum(w * v)
    t = s * s * shuffles(w)
    return t + np.sum(w * v) * y


def shuffles(u):
    rng = np.random.default_rng(0)
    rng.shuffle(u)
    return 1.0


class Cell:
    def __init__(self, u):
        self.u = u

    def sub(self, c):
        self.u -= c

    def replace(self, c):
        self.u[0] = c

    def get(self):
        return self.u


class Box:
    def __init__(self, u):
        self.inner = Cell(u)

    def go(self):
        self.inner.sub(2.0)


def through_a_method(u):
    cell = Cell(u)
    cell.sub(1.0)
    cell.replace(2.0)
    return 1.0


def through_a_getter(u):
    held = Cell(u).get()
    held[1] = 4.0
    return 1.0


def through_two_objects(u):
    Box(u).go()
    return 1.0


def through_a_dict(u):
    parts = {"u": u}
    parts["u"][0] = 5.0
    return 1.0


@program("constants overwritten", args=lambda: (0.7, normal(5), normal(5, seed=1)), wrt=(0, 1))
def changed_by_an_object(y, v, w):
    s = np.sum(w * v) * y
    return s * s * through_a_method(w) + np.sum(w * v) * y


@program("constants overwritten", args=lambda: (0.7, normal(5), normal(5, seed=1)), wrt=0)
def changed_by_parts_of_objects(y, v, w):
    s = np.sum(w * v) * y
    t = s * s * through_a_getter(w) * through_two_objects(w)
    return t * through_a_dict(v) + np.sum(w * v) * y


def told_to(cell):
    cell.sub(1.0)
    return 1.0


@program("constants overwritten", args=lambda: (0.7, Cell(normal(4))), wrt=0)
def object_told_to_change(y, cell):
    s = y * np.sum(cell.u)
    return s * s * told_to(cell) * np.sum(cell.u)


def even_steps(u, k):
    return 1.0 if k == 0 else odd_steps(u, k - 1)


def odd_steps(u, k):
    r = even_steps(u, k - 1) if k > 0 else 1.0
    t = u
    t[0] += 1.0
    return r


@program("constants overwritten", args=lambda: (0.7, normal(5), normal(5, seed=1)), wrt=(0, 1))
def changed_by_two_that_call_each_other(y, v, w):
    s = np.sum(w * v) * y
    first = odd_steps(w, 1)
    return s * s * first * even_steps(w, 2) + np.sum(w * v) * y


def calling(function):
    def call(u):
        return function(u)

    return call


look, touch = calling(np.max), calling(through_a_method)


@program("constants overwritten", args=lambda: (0.7, normal(5), normal(5, seed=1)), wrt=(0, 1))
def changed_by_one_of_two_closures(y, v, w):
    s = np.sum(w * v) * y
    q = look(w) * touch(w)
    return s * s * q + np.sum(w * v) * y


SHELF = {"a": [1.0, 2.0]}
BOOKS = SHELF["a"]


def read_on():
    books = SHELF["a"]
    books[0] += 1.0


@program("constants overwritten", args=lambda: (0.7,), refused=True)
def part_of_a_global_changed_by_a_call(y):
    a = BOOKS[0] * y * y
    read_on()
    return a * BOOKS[0] * y


def filtered(rows):
    found = []
    for row in rows:
        if row[0] < 100.0:
            found.append(row)
    return found


@program("constants overwritten", args=lambda: (0.7, normal(5), normal(5, seed=1)), wrt=0, refused=True)
def kept_by_a_helper_and_overwritten(y, v, w):
    rows = filtered([w, v])
    rows[0][0] = y
    return np.sum(w * w) * y


def an_item_updated(u):
    kept = [u]
    kept[0] += 1.0
    parts = {"u": u}
    parts["u"] *= 2.0
    return 1.0


class Doubled:
    def __init__(self, u):
        self.u = u
        self.u *= 2.0


def made_doubled(u):
    Doubled(u)
    return 1.0


@program("constants overwritten", args=lambda: (0.7, normal(5), normal(5, seed=1)), wrt=(0, 1))
def items_and_attributes_updated(y, v, w):
    s = np.sum(w * v) * y
    return s * s * an_item_updated(w) * made_doubled(w) + np.sum(w * v) * y


class Visited:
    def __init__(self):
        self.seen = {0}

    def visit(self, k):
        self.seen.add(k)
        return len(self.seen)


@program("constants overwritten", args=lambda: (0.7,))
def set_that_grows_in_an_object(y):
    visited = Visited()
    return y * visited.visit(3) * visited.visit(4) ** y * visited.visit(3)


@program("constants overwritten", args=lambda: (0.7, normal(5)), wrt=(0, 1))
def set_changed_by_its_methods(y, v):
    kept = {1, 2}

    def note(k):
        kept.add(k)

    note(4)
    kept.discard(7)
    kept.remove(2)
    kept.update([0, 3])
    kept.difference_update((3,))
    kept.symmetric_difference_update({0, 2})
    s = y * sum(v[k] for k in sorted(kept)) * len(kept)
    kept.clear()
    return s * y ** len(kept)


@program("constants overwritten", args=lambda: (0.7, normal(5)), wrt=0)
def set_changed_that_a_list_holds(y, v):
    kept = {1, 2}
    rows = [kept, 3]
    kept.add(3)
    return y * len(rows[0]) * v[0]


@program("constants overwritten", args=lambda: (0.7, normal(5)), wrt=0)
def set_changed_by_what_the_run_says(y, v):
    kept = {1}
    for k in range(len(v)):
        if k in kept:
            continue
        kept.add(k)
        y = y * 1.1
    return y


@program("constants overwritten", args=lambda: (0.7, normal(5)), wrt=(0, 1))
def set_of_what_was_seen(y, v):
    seen = set()
    for k in range(len(v)):
        sign = v[k] > 0.0
        if sign in seen:
            continue
        seen.add(sign)
        y = y * v[k]
    return y * len(seen)


@program("constants overwritten", args=lambda: (0.7, normal(5)), wrt=0)
def set_changed_that_a_tuple_holds(y, v):
    kept = {1}
    pair = (kept, 2)
    kept.add(3)
    return y * len(pair[0]) * v[0]


@program("constants overwritten", args=lambda: (0.7, normal(5)), wrt=0)
def set_changed_that_a_default_holds(y, v):
    kept = {1}

    def size(k, seen=kept):
        return k * len(seen)

    kept |= {4}
    return size(y) * v[0]


@program("constants overwritten", args=lambda: (0.7, normal(5)), wrt=0)
def set_changed_by_a_method_kept_aside(y, v):
    kept = {1}
    note = kept.add
    note(3)
    note(4)
    return y * len(kept) * v[0]


# --- what tables hold that are asked for a key ----------------------------------------------------------------------

RATES = {"slow": 0.5, "fast": [2.0, 3.0], ("a", 1): {"rate": 1.5}}


@program("globals", args=lambda: (0.7,))
def rate_asked_for(x):
    return x * x * RATES.get("slow", 1.0)


@program("globals", args=lambda: (0.7,))
def rate_that_is_not_there(x):
    return x * x * RATES.get("none", x)


@program("globals", args=lambda: (0.7,))
def rates_asked_for_in_a_loop(x):
    s = x
    for rate in RATES.get("fast", []):
        s = s * rate + x
    for rate in RATES.get("other", []):
        s = s * rate
    return s * s


@program("globals", args=lambda: (0.7,))
def asked_by_a_tuple(x):
    found = RATES.get(("a", 1))
    missing = RATES.get(("a", 2))
    if found is None or missing is not None:
        return x
    return x * x * found.get("rate", 2.0) * found.get("other", x)


@program("globals", args=lambda: (0.7, "fast"))
def asked_by_an_argument(x, name):
    return x * x * len(RATES.get(name, ()))


@program("globals", args=lambda: (0.7,))
def asked_with_a_default_that_varies(x):
    return RATES.get("none", x * x) * RATES.get("slow", x)


@program("globals", args=lambda: (0.7,))
def asked_within_what_was_asked_for(x):
    rates = RATES.get("fast", [])
    return x ** rates[1] + RATES.get("other", {}).get("rate", x)


@program("globals", args=lambda: (0.7,))
def asked_in_a_condition(x):
    y = x * x
    if RATES.get("slow") and not RATES.get("none"):
        y = y * RATES["slow"]
    return y * len(RATES)
