"""Objects and lists under several names, changed in conditions, compared and chosen among."""

import dataclasses

import numpy as np

from tests.language.corpus import normal, program


class Cell:
    """A number in a box."""

    def __init__(self, v):
        self.v = v

    def grow(self, factor):
        self.v = self.v * factor
        return self.v


class Amount:
    """A number with every operator."""

    def __init__(self, v):
        self.v = v

    def __float__(self):
        return self.v * 2.0

    def __round__(self, digits=0):
        return Amount(self.v + digits)

    def __bool__(self):
        return self.v > 0.3

    def __eq__(self, other):
        return self.v == other.v

    def __hash__(self):
        return 1

    def __iadd__(self, other):
        self.v = self.v + other.v
        return self

    def __matmul__(self, other):
        return self.v * other.v

    def __contains__(self, x):
        return x < self.v

    def __iter__(self):
        return iter([self.v, 2 * self.v])

    def __pow__(self, n):
        return Amount(self.v**n)

    def __truediv__(self, c):
        return Amount(self.v / c)

    def __rtruediv__(self, c):
        return Amount(c / self.v)

    def __pos__(self):
        return self


@dataclasses.dataclass(order=True)
class Ranked:
    rank: float
    value: float


@program("second names", args=lambda: (0.4, 1.2), refused="may")
def object_chosen_then_changed(x, y):
    a, b = Cell(x), Cell(y)
    c = a if x > 0.3 else b
    a.v = a.v * 3
    return c.v


@program("second names", args=lambda: (0.4, 1.2), refused="may")
def list_chosen_then_changed(x, y):
    a, b = [x, 1.0], [y, 2.0]
    c = a if x > 0.3 else b
    c[0] = c[0] * 5
    return a[0] * b[0]


@program("second names, for", args=lambda: (0.4, 1.2), refused="may")
def chosen_list_changed_in_loop(x, y):
    a, b = [x, 1.0], [y, 2.0]
    for _ in range(2):
        c = a if x > 0.3 else b
        c[0] = c[0] * 5
        a, b = b, a
    return a[0] * b[0] ** 2


@program("second names, for", args=lambda: (0.4, 1.2))
def objects_swapped_and_changed(x, y):
    a, b = Cell(x), Cell(y)
    for _ in range(3):
        a, b = b, a
        a.v = a.v * x
    return a.v * b.v**2


@program("second names, for", args=lambda: (0.9, 1.2), refused="may")
def best_so_far_is_changed(x, y):
    a, b = Cell(x), Cell(y)
    best = a
    for _ in range(3):
        if best.v > y:
            best = b
        a.v = a.v * x * 3.0
    return a.v * b.v**2 * best.v


@program("second names, for", args=lambda: (0.4, 1.2), refused="may")
def two_names_of_a_new_object(x, y):
    a = b = Cell(x)
    for _ in range(3):
        c = Cell(y * a.v + b.v)
        a.v = a.v * 2
        c.v = c.v + b.v
        a = c
        b = c
    return a.v * b.v


@program("second names, for", args=lambda: (0.4, 1.2))
def object_handed_on(x, y):
    a = {"p": Cell(x), "q": 1.0}
    b = Cell(y)
    for _ in range(3):
        b.v = b.v * a["p"].v
        a = {"p": b, "q": a["q"] * y}
        b = Cell(b.v + x)
    return a["p"].v * b.v


@program("second names, for", args=lambda: (0.4, 1.2))
def best_so_far(x, y):
    best, now = Cell(x), Cell(y)
    for _ in range(3):
        now = Cell(now.v * 1.3 + best.v)
        if now.v > 2.0:
            best = now
    return best.v * now.v


@program("effects", args=lambda: (0.4,))
def condition_writes_an_array(x):
    log = np.zeros(1)

    def noted(v):
        log[0] = v * 3.0
        return v

    if noted(x) > 0.2:
        return log[0] * x
    return x


@program("effects", args=lambda: (0.4,))
def condition_writes_a_list(x):
    log = [0.0]

    def noted(v):
        log[0] = v * 3.0
        return v

    if noted(x) > 0.2:
        return log[0] * x
    return x


@program("effects, while", args=lambda: (0.4,))
def condition_writes_a_variable(x):
    t = 0.0

    def tripled(v):
        nonlocal t
        t = v * 3.0
        return t

    while tripled(x) < 0.2:
        x = x + 1.0
    return t * x


@program("effects, while", args=lambda: (0.4,))
def condition_changes_an_object(x):
    c = Cell(x)
    turns = 0
    while c.grow(2.0) < 3.0:
        turns += 1
    return c.v * turns


@program("effects", args=lambda: (0.4,))
def condition_takes_from_a_stack(x):
    stack = [x, 2 * x, 3 * x]
    if stack.pop() > 0.5 and stack.pop() > 0.1:
        return stack[0] ** 2
    return x


@program("effects, print", args=lambda: (0.4,))
def text_changes_a_list(x):
    v = [x * x]
    print(f"{v.append(x**3)} {len(v)}")
    return v[0] * v[1]


@program("effects", args=lambda: (0.4,))
def rounding_of_a_method_that_counts(x):
    c = Cell(x)
    n = round(c.grow(1.5) + 1.1)
    return c.v * n + x


@program("operator methods", args=lambda: (0.4, 1.2))
def amounts(x, y):
    a, b = Amount(x), Amount(y)
    total = float(a) + (2.0 if a else 0.0) * y
    a += b
    total += float(a) * (a @ b)
    if 0.2 in a:
        total += 1.5 * x
    if a != b and 9.0 not in b:
        total += x * y
    return total + sum(a) + (a**2).v + (a / 2).v * (2 / a).v + round(b, 2).v + (+a).v


@program("sorted and sums", args=lambda: (0.5, 1.5, 0.2))
def tuples_sorted_by_first(a, b, c):
    s = sorted([(a * b, "x", c), (b, "y", a), (c, "z", b)])
    return s[0][0] * 2 + s[1][2] * s[2][0]


@program("sorted and sums, dataclasses", args=lambda: ([Ranked(0.5, 1.0), Ranked(0.7, 2.0), Ranked(0.1, 0.3)],))
def ordered_dataclasses(items):
    items = sorted(items, reverse=True)
    if items[0] > items[1]:
        return items[0].value * items[2].rank * items[1].value
    return 0.0


@program("sorted and sums, dataclasses", args=lambda: ([Ranked(0.5, 1.0), Ranked(0.7, 2.0), Ranked(0.1, 0.3)],))
def objects_by_key(items):
    ranked = sorted(items, key=lambda p: p.value * p.rank)
    most = max(items, key=lambda p: p.value)
    return ranked[0].value * ranked[2].rank * ranked[1].value + most.rank * min(items).value


@program("sorted and sums", args=lambda: ([Cell(0.4), Cell(2.0), Cell(0.2)],))
def extremes_by_attribute(cells):
    least, most = min(cells, key=lambda c: c.v), max(cells, key=lambda c: c.v)
    return least.v * most.v + sum(c.v for c in cells) ** 2


@program("operator methods, whole-array writes", args=lambda: (normal(3), 0.4))
def object_with_array_compared(x, c):
    a, b = Cell(x * c), Cell(x + c)
    larger = a if np.sum(a.v) > np.sum(b.v) else b
    return np.sum(larger.v * a.v)


# --- numbers that stand for themselves: a default of the module, told by `is` ---


class Metres(float):
    """A number with a unit."""

    def __new__(cls, value, name=""):
        return float.__new__(cls, value)


MEAN, AREA = Metres(1.5), Metres(1.5)
PLAIN = 1.5


def by_mean(x, radius=MEAN):
    return x * x * (radius if radius is MEAN else 2.0 * radius)


def by_plain(x, radius=PLAIN):
    return x * x * (radius if radius is PLAIN else 2.0 * radius)


def by_keyword(x, *, radius=PLAIN, other=AREA):
    return x * x * (2.0 if radius is not PLAIN else 3.0) * (5.0 if other is MEAN else 7.0)


def given_or(x, earth=None, radius=MEAN):
    r = earth or radius
    if r is not MEAN:
        r = Metres(r * 3.0)
    return x**3 * r


class Globe:
    def __init__(self, radius=PLAIN, area=MEAN):
        self.radius, self.area = radius, area

    def arc(self, x, radius=PLAIN):
        same = radius is self.radius
        return x * x * (2.0 if same else 3.0) * (5.0 if self.area is MEAN else 7.0)


@program("numbers told by identity", args=lambda: (0.7,))
def default_of_a_class(x):
    return by_mean(x) + by_mean(x, AREA) ** 2


@program("numbers told by identity", args=lambda: (0.7,))
def default_that_is_plain(x):
    return by_plain(x) ** 2 + by_plain(2.0 * x, 0.3)


@program("numbers told by identity", args=lambda: (0.7,))
def default_by_keyword(x):
    return by_keyword(x) + by_keyword(x, other=MEAN) ** 2


@program("numbers told by identity", args=lambda: (0.7,))
def default_behind_or(x):
    return given_or(x) + given_or(x, AREA) ** 2 + given_or(x, 0.4)


@program("numbers told by identity", args=lambda: (0.7,))
def default_kept_in_an_object(x):
    return Globe().arc(x) + Globe(area=AREA).arc(x) ** 2


@program("numbers told by identity", args=lambda: (0.7,))
def default_in_a_loop(x):
    total = 0.0
    for radius in (MEAN, AREA, 0.3):
        total = total + by_mean(x * radius, radius)
    return total * total


@program("numbers told by identity", args=lambda: (0.7, True))
def default_on_a_branch(x, round_):
    y = by_mean(x) if round_ else by_mean(x, AREA)
    return y * y


@program("numbers told by identity", args=lambda: (0.7,))
def default_of_a_nested_function(x):
    def scaled(v, radius=PLAIN):
        return v * v if radius is PLAIN else v

    return scaled(x) * scaled(x, 2.0) ** 2


def told_by_default(x, radius=PLAIN):
    return x * x * (2.0 if x is radius else 3.0)


@program("numbers told by identity", args=lambda: (0.7,), refused=True)
def default_that_may_be_the_argument(x):
    return told_by_default(x)


