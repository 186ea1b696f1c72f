"""What is refused, with a diagnostic; and the same constructs on inactive data, which pass."""

import ctypes
import io
import math

import numpy as np

from tests.language.corpus import normal, program

TOTAL = 0.0
libm_like = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda t: t * t)


@program("refusals", args=lambda: (0.5,), refused=True)
def writes_a_global(x):
    global TOTAL
    TOTAL = x * x
    return TOTAL * x


@program("refusals", args=lambda: (0.5,), refused=True)
def evaluates_a_string(x):
    return eval("x * x") + x


@program("refusals", args=lambda: (0.5,), refused=True)
def executes_a_string(x):
    scope = {"x": x}
    exec("y = x * x", scope)
    return scope["y"]


@program("refusals", args=lambda: (normal(3),), refused=True)
def set_of_the_items_of_an_active_array(x):
    s = 0.0
    for v in {*x, 1.0}:
        s += v * v
    return s


@program("user functions", args=lambda: (0.5,))
def generator_on_active_data(x):
    def powers(t):
        for k in range(3):
            yield t**k

    return sum(powers(x))


@program("refusals", args=lambda: (0.5,), refused=True)
def foreign_function(x):
    return libm_like(x)


@program("refusals", args=lambda: (0.5,), refused=True)
def active_value_in_a_string(x):
    return float(str(x)) * 2.0


@program("refusals", args=lambda: (normal(3),), refused=True)
def texts_of_active_values_as_an_array(x):
    return np.sum(np.array([f"{v}" for v in x], dtype=float) * x)


@program("refusals", args=lambda: (normal(3),), refused=True)
def list_of_texts_as_an_array(x):
    texts = []
    for v in x:
        texts.append(str(v))
    return np.asarray(texts).astype(float)[0] * x[1]


@program("refusals", args=lambda: (normal(3),), refused=True)
def text_stored_into_an_array(x):
    y = np.zeros(3)
    for k in range(3):
        y[k] = "%.12f" % x[k]
    return np.sum(y * x)


@program("refusals", args=lambda: (normal(3),), refused=True)
def text_read_as_a_file(x):
    return np.sum(np.loadtxt(io.StringIO(f"{x[0]} {x[1]}")) * x[0])


@program("refusals", args=lambda: (np.array([0.7, 1.3, 0.4]),), refused=True)
def list_of_methods_of_an_active_array(x):
    methods = []
    for _ in range(3):
        methods.append(x.sum)
    return methods[int(x[1])]()


@program("refusals", args=lambda: (np.array([0.7, 1.3, 0.4]), 3), refused="may")
def comprehension_of_methods_of_an_active_array(x, n):
    s = 0.0
    for method in [x.sum for _ in range(n)]:
        s += method()
    return s


@program("refusals", args=lambda: (np.array([0.7, 1.3, 0.4]),), refused="may")
def tuples_in_a_list_of_none(x):
    pairs = [None] * len(x)
    for k in range(len(x)):
        pairs[k] = (x[k], x[k] ** 2)
    return pairs[0][0] * pairs[1][1]


@program("refusals", args=lambda: (np.array([0.7, 1.3, 0.4]),), refused="may")
def lists_in_a_list_of_none(x):
    rows = [None for _ in x]
    for k in range(len(x)):
        rows[k] = [x[k], x[k] ** 2]
    s = 0.0
    for a, b in rows:
        s += a * b
    return s


@program("refusals", args=lambda: (np.array([0.7, 1.3, 0.4]),), refused="may")
def tuples_and_none_in_a_list(x):
    found = [None]
    for k in range(len(x)):
        found.append((x[k], x[0]))
    return found[1][0] * found[-1][1]


@program("refusals", args=lambda: (normal(3),), refused=True)
def object_array(x):
    a = np.empty(3, dtype=object)
    a[0] = x[0] * x[1]
    return a[0] * 2.0


@program("refusals", args=lambda: (0.5,), refused=True)
def coroutine(x):
    async def f(t):
        return t * t

    c = f(x)
    try:
        c.send(None)
    except StopIteration as stop:
        return stop.value


@program("constructs on inactive data", args=lambda: (0.5, "2 + 1"))
def eval_of_a_constant(x, text):
    return x ** eval(text, {})


@program("constructs on inactive data", args=lambda: (0.5,))
def string_of_a_number_for_a_message(x):
    label = str(x) + f"{x:.2e}" + repr(x) + "%g" % x
    return x * len(label[:2])


@program("constructs on inactive data", args=lambda: (0.5, 5))
def foreign_function_of_inactive(x, n):
    return x * libm_like(float(n))


@program("constructs on inactive data", args=lambda: (0.5, 4))
def generator_of_integers(x, n):
    def odd(m):
        for k in range(m):
            if k % 2:
                yield k

    return sum([x**k for k in list(odd(n))])


@program("constructs on inactive data", args=lambda: (normal(5), 4))
def generator_of_pairs(x, n):
    def pairs(m):
        for i in range(m):
            for j in range(i):
                yield i, j

    return sum(x[i] * x[j] for i, j in pairs(n)) + x[0]


@program("constructs on inactive data", args=lambda: (normal(6), 2))
def generator_in_chunks(x, size):
    def chunks(length):
        start = 0
        while start < length:
            yield start, min(start + size, length)
            start += size

    total = 0.0
    for k, (a, b) in enumerate(chunks(len(x))):
        total += (k + 1) * np.prod(x[a:b])
    return total


@program("constructs on inactive data", args=lambda: (0.5, 4))
def generator_used_up_twice(x, n):
    def evens(m):
        for k in range(0, m, 2):
            yield k

    found = evens(n)
    return sum(x**k for k in found) + sum(x**k for k in found)


@program("constructs on inactive data", args=lambda: (0.5,), refused=True)
def generator_without_end(x):
    def evens():
        k = 0
        while True:
            yield k
            k += 2

    total = 0.0
    for k in evens():
        if k > 5:
            break
        total += x**k
    return total


@program("constructs on inactive data", args=lambda: (0.5, [1, 2]), refused=True)
def generator_that_reads_what_changes(x, todo):
    def entries(queue):
        for k in queue:
            yield k

    total = 0.0
    for k in entries(todo):
        total += x**k
        if len(todo) < 5:
            todo.append(k + 1)
    return total


@program("constructs on inactive data", args=lambda: (0.5, [3, 1, 2]))
def set_and_sort_of_inactive(x, ks):
    order = sorted(set(ks), key=lambda k: -k)
    lookup = {k: i for i, k in enumerate(order)}
    return sum(x**k * lookup[k] for k in ks)


@program("constructs on inactive data", args=lambda: (0.5,))
def global_read_only(x):
    return TOTAL * x + x * x


@program("constructs on inactive data", args=lambda: (0.5, "a=1.5;b=2"))
def parsing_of_inactive_text(x, text):
    values = {}
    for item in text.split(";"):
        name, _, number = item.partition("=")
        values[name] = float(number)
    return values["a"] * x ** values["b"]


@program("constructs on inactive data", args=lambda: (0.5, 12))
def bit_operations_on_integers(x, n):
    k = (n >> 2) & 3 | 4
    return x ** (k ^ 1) + math.comb(n, 2) * x + (~n + 20) * x


PAIRS = [(1.0, 2.0), (3.0, 4.0), (5.0, 6.0)]


@program("constructs on inactive data", args=lambda: (np.array([0.7, 1.3, 0.4]),))
def inactive_pairs_in_a_list_of_active_ones(x):
    pairs = []
    for v in x:
        pairs.append((v, v * v))
    pairs[0] = PAIRS[int(x[1])]
    return pairs[0][0] * pairs[1][1]


@program("constructs on inactive data", args=lambda: (np.array([0.7, 1.3, 0.4]),))
def lengths_of_texts_of_active_values(x):
    names = [f"{v:.1f}" for v in x]
    return np.sum(np.array([len(n) for n in names], dtype=float) * x)


@program("constructs on inactive data", args=lambda: (np.array([0.7, 1.3, 0.4]),))
def place_of_the_largest(x):
    return x[max(range(3), key=x.__getitem__)] ** 2
