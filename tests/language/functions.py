"""User functions: several results, overwritten arguments, defaults, keywords, recursion, closures, lambdas."""

import math

import numpy as np

from tests.language.corpus import normal, program, uniform

GRAVITY = 9.81
COEFFICIENTS = np.array([1.0, -0.5, 0.25])
CONSTANTS = {"k": 1.380649, "offset": [0.1, 0.2]}


def square(x):
    return x * x


def rates(x, y, a, b):
    return a * x - b * x * y, b * x * y - y


def split(v):
    half = len(v) // 2
    return v[:half], v[half:]


def axpy(a, x, y):
    y += a * x


def relax(u, weight):
    u[1:-1] = (1 - weight) * u[1:-1] + 0.5 * weight * (u[:-2] + u[2:])


def normalise(v):
    v /= np.sqrt(np.sum(v * v))
    return v


def activation(z, kind="tanh", gain=1.0):
    if kind == "tanh":
        return np.tanh(gain * z)
    if kind == "relu":
        return np.maximum(gain * z, 0.0)
    raise ValueError(f"unknown activation {kind!r}")


def power(x, n):
    if n == 0:
        return 1.0
    if n % 2:
        return x * power(x, n - 1)
    return power(x * x, n // 2)


@program("user functions", args=lambda: (0.5, 1.5))
def calls_helper_twice(x, y):
    return square(x) * square(y) + square(square(x))


@program("user functions", args=lambda: (1.1, 0.4, 0.05, 5))
def euler_with_rates(a, b, h, n):
    x, y = 1.5, 0.7
    for _ in range(n):
        dx, dy = rates(x, y, a, b)
        x += h * dx
        y += h * dy
    return x * y


@program("user functions", args=lambda: (normal(6),))
def views_from_helper(v):
    q, p = split(v)
    return 0.5 * p @ p + np.sum(np.cos(q))


@program("user functions", args=lambda: (0.7,))
def helper_of_helper(x):
    def inner(t):
        return math.exp(-square(t))

    def outer(t):
        return inner(t) * inner(2 * t) + t

    return outer(outer(x))


@program("user functions", args=lambda: (normal(3, 2), normal(2), normal(4, 3)))
def layered_network(W, b, X):
    def layer(inputs, weights, bias):
        return activation(inputs @ weights + bias)

    out = layer(X, W, b)
    return np.sum(out * out)


@program("user functions", args=lambda: (0.5, 1.5))
def one_result_ignored(x, y):
    def stats(a, b):
        total = a + b
        product = a * b
        return total, product, total / product

    _, p, r = stats(x, y)
    t = stats(p, x)[0]
    return p * r + t


@program("user functions", args=lambda: (2.0, 3.0))
def free_fall(t, m):
    height = 0.5 * GRAVITY * t**2
    return m * GRAVITY * height


@program("user functions", args=lambda: (0.3,))
def module_array(x):
    powers = np.array([1.0, x, x * x])
    return powers @ COEFFICIENTS + CONSTANTS["k"] * x * CONSTANTS["offset"][1]


@program("user functions", args=lambda: (normal(4), uniform(4)))
def constant_argument_to_helper(x, w):
    return np.sum(activation(x, gain=2.0) * w) + activation(1.0) * x[0]


@program("user functions", args=lambda: (0.8, 3))
def helper_with_loop(x, n):
    def series(t, terms):
        s, p = 0.0, 1.0
        for k in range(terms):
            p = p * t / (k + 1)
            s += p
        return s

    return series(x, n) * series(x * x, n + 2)


@program("procedures", args=lambda: (normal(4), normal(4, seed=1), 0.5))
def daxpy(x, y, a):
    axpy(a, x, y)
    axpy(a, y, x)
    return x @ y


@program("procedures", args=lambda: (normal(7), 0.6, 3))
def relaxation(u, weight, n):
    for _ in range(n):
        relax(u, weight)
    return np.sum(u * u)


@program("procedures", args=lambda: (normal(4),))
def returns_its_argument(v):
    w = normalise(v)
    w[0] *= 2.0
    return np.sum(v**3) + w[1]


@program("procedures", args=lambda: (normal(5),))
def procedure_on_a_view(x):
    def double(part):
        part *= 2.0

    double(x[1:3])
    double(x[2:])
    return np.sum(x**2)


@program("procedures", args=lambda: (normal(3, 4), normal(4)))
def procedure_on_rows(A, v):
    for i in range(3):
        axpy(A[i, 0], v, A[i])
    return np.sum(A**2)


@program("procedures", args=lambda: (normal(4), normal(4, seed=1)))
def procedure_with_out_argument(x, y):
    def multiply(a, b, out):
        for i in range(len(a)):
            out[i] = a[i] * b[i]

    z = np.empty(4)
    multiply(x, y, z)
    multiply(z, x, z)
    return np.sum(z)


@program("procedures", args=lambda: (normal(4), 0.3))
def fills_and_returns_nothing(x, c):
    def fill(target, value):
        target[:] = value
        target[1:] += x[1:]
        return

    y = np.empty(4)
    fill(y, c)
    return y @ y


@program("procedures", args=lambda: (normal(4),))
def procedure_returns_number_and_overwrites(x):
    def step(u):
        e = np.sum(u * u)
        u *= 0.5
        return e

    return step(x) + 2.0 * step(x) * x[0]


@program("procedures", args=lambda: (0.4, 1.3))
def procedure_fills_list(x, y):
    def collect(bag, v):
        bag.append(v)
        bag.append(v * v)

    bag = []
    collect(bag, x)
    collect(bag, y)
    return bag[0] * bag[3] + bag[1]


@program("procedures", args=lambda: (normal(3),))
def procedure_fills_dict(x):
    def observe(record, v):
        record["energy"] = v @ v
        record["count"] = record.get("count", 0) + 1

    record = {}
    observe(record, x)
    observe(record, 2.0 * x)
    return record["energy"] * record["count"]


@program("defaults and keywords", args=lambda: (normal(4),))
def keyword_calls(z):
    return np.sum(activation(z, gain=0.5)) + np.sum(activation(kind="relu", z=z))


@program("defaults and keywords", args=lambda: (0.5,))
def own_default(x, c=2.0, *, n=3):
    return c * x**n


@program("defaults and keywords", args=lambda: (0.5, 1.5))
def default_from_enclosing(x, y):
    def shifted(t, by=y):
        return t * by

    y = y * 10.0
    return shifted(x) + shifted(x, y) + shifted(by=x, t=2.0)


@program("defaults and keywords", args=lambda: (0.5, 1.5))
def many_defaults(x, y):
    def blend(a, b=1.0, c=2.0, *, d=3.0, e=4.0):
        return a * b + c * d**2 + e * a

    return blend(x) + blend(x, y) + blend(x, c=y, e=x) + blend(y, d=x)


@program("defaults and keywords", args=lambda: (0.5,))
def default_none(x):
    def scaled(t, factor=None):
        if factor is None:
            factor = t
        return factor * t

    return scaled(x) + scaled(x, 3.0) + scaled(2.0, factor=x)


@program("defaults and keywords", args=lambda: (0.9, 0.2))
def keyword_only_helper(a, b):
    def ratio(*, top, bottom):
        return top / bottom

    return ratio(bottom=a, top=b) + ratio(top=a, bottom=2.0 + b)


@program("defaults and keywords", args=lambda: (normal(3, 4),))
def keywords_of_numpy(A):
    s = np.sum(a=A, axis=0)
    m = np.mean(A, axis=-1, keepdims=True)
    return np.sum(s * s) + np.sum((A - m) ** 2)


@program("defaults and keywords", args=lambda: (0.5, 1.5))
def positional_only(x, y):
    def mix(a, /, b, *, c=0.1):
        return a * b**2 + c * a

    return mix(x, b=y) + mix(y, x, c=x)


@program("recursion", args=lambda: (1.3, 7))
def fast_power(x, n):
    return power(x, n)


@program("recursion", args=lambda: (0.4, 5))
def nested_root(x, depth):
    if depth == 0:
        return x
    return math.sqrt(1.0 + x * nested_root(x, depth - 1))


@program("recursion", args=lambda: (uniform(7),))
def divide_and_conquer_product(v):
    if len(v) == 1:
        return v[0]
    m = len(v) // 2
    return divide_and_conquer_product(v[:m]) * divide_and_conquer_product(v[m:])


@program("recursion", args=lambda: (0.3, 6))
def recursive_fibonacci(x, n):
    if n < 2:
        return x * (n + 1)
    return recursive_fibonacci(x, n - 1) + x * recursive_fibonacci(x, n - 2)


@program("recursion", args=lambda: (0.7, 3))
def recursive_pair_or_none(x, depth):
    def powers(v, k):
        if k == 0:
            return None
        inner = powers(0.5 * v, k - 1)
        if inner is None:
            return v, 2.0 * v
        return inner[0] + v, inner[1] * v

    a, b = powers(x, depth)
    return a * b


@program("recursion", args=lambda: (0.7,))
def recursive_pair_or_none_until_small(x):
    def powers(v):
        if v < 0.2:
            return None
        inner = powers(0.5 * v)
        if inner is None:
            return v, 2.0 * v
        return inner[0] + v, inner[1] * v

    a, b = powers(x)
    return a * b


@program("recursion", args=lambda: (0.0, 1.0, 1.3, 3))
def adaptive_simpson(a, b, w, depth):
    def f(t):
        return math.sin(w * t) * t

    m = 0.5 * (a + b)
    whole = (b - a) / 6.0 * (f(a) + 4.0 * f(m) + f(b))
    if depth == 0:
        return whole
    return adaptive_simpson(a, m, w, depth - 1) + adaptive_simpson(m, b, w, depth - 1)


@program("recursion", args=lambda: (0.6, 4))
def chebyshev(x, n):
    if n == 0:
        return 1.0
    if n == 1:
        return x
    return 2.0 * x * chebyshev(x, n - 1) - chebyshev(x, n - 2)


@program("recursion", args=lambda: (1.2, 5))
def recursive_helper_inside(x, n):
    def continued(k):
        if k > n:
            return x
        return k + x / continued(k + 1)

    return continued(1)


@program("recursion", args=lambda: (uniform(8), 2))
def recursive_haar_transform(v, levels):
    def haar(part, k):
        if k == 0:
            return
        n = len(part) // 2
        even, odd = part[::2] * 1.0, part[1::2] * 1.0
        part[:n] = 0.5 * (even + odd)
        part[n:] = even * odd
        haar(part[:n], k - 1)

    haar(v, levels)
    return np.sum(v**2)


def even_part(x, n):
    return 1.0 if n == 0 else x * odd_part(x, n - 1)


def odd_part(x, n):
    return x if n == 0 else math.sin(x) + even_part(x, n - 1)


@program("recursion", args=lambda: (0.7, 5))
def mutual_recursion(x, n):
    return even_part(x, n) * odd_part(x, 2)


@program("closures and lambdas", args=lambda: (0.5, 1.5))
def closure_over_argument(x, y):
    def f(t):
        return x * t + y

    return f(f(x)) * f(y)


@program("closures and lambdas", args=lambda: (0.5, 1.5))
def local_lambda(x, y):
    g = lambda t: t * y  # noqa: E731
    return g(x) + g(g(x))


@program("closures and lambdas", args=lambda: (0.6, 3))
def function_as_argument(x, n):
    def iterate(g, t, k):
        for _ in range(k):
            t = g(t)
        return t

    return iterate(lambda t: math.cos(t) * x, x, n) + iterate(square, x, 2)


@program("closures and lambdas", args=lambda: (0.6, 1.4))
def function_as_result(a, b):
    def line(slope, offset):
        return lambda t: slope * t + offset

    f = line(a, b)
    g = line(b, a)
    return f(g(2.0)) * f(0.5)


@program("closures and lambdas", args=lambda: (math.sin, 0.6))
def function_argument(f, x):
    return f(x) * f(2 * x)


@program("closures and lambdas", args=lambda: (normal(4), 0.3))
def closure_over_array(x, c):
    def energy(k):
        return c * x[k] ** 2

    total = 0.0
    for k in range(4):
        total += energy(k) * (k + 1)
    return total


@program("closures and lambdas", args=lambda: (0.5,))
def nonlocal_counter(x):
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v * v

    add(x)
    add(total * x + 1.0)
    return total


def make_model(order, rate):
    def model(x):
        y = x
        for _ in range(order):
            y = y + rate * math.sin(y)
        return y

    return model


third_order = program("closures and lambdas", args=lambda: (0.4,))(make_model(3, 0.2))


@program("closures and lambdas", args=lambda: (normal(3),))
def closure_writes_array(x):
    y = np.zeros(3)

    def put(i, v):
        y[i] = v * x[0]

    for i in range(3):
        put(i, x[i])
    return y @ y


@program("closures and lambdas", args=lambda: (0.5, 1.2))
def rk4_with_function(x0, k):
    def rk4(f, y, t, h):
        k1 = f(t, y)
        k2 = f(t + 0.5 * h, y + 0.5 * h * k1)
        k3 = f(t + 0.5 * h, y + 0.5 * h * k2)
        k4 = f(t + h, y + h * k3)
        return y + h / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)

    y, t = x0, 0.0
    for _ in range(4):
        y = rk4(lambda s, v: -k * v + math.sin(s), y, t, 0.1)
        t += 0.1
    return y


def _first(n, t):
    if n > 2:
        t = t * 0.5
    while t > 1.0:
        t = t - 1.0
    return t


def _second(n, t):
    return _first(n, t) + 1.0 if t > 0 else -1.0


def _third(t):
    a = _second(3, t)
    return a * _second(2, t) + _second(1, 2.0 * t)


def _fourth(t):
    return np.exp(-_third(t)) if t < 50.0 else 0.0


def _fifth(t):
    return max(_fourth(t), 0.01) + _fourth(2.0 * t)


@program("user functions", args=lambda: (0.7, 3.1), wrt=0)
def helpers_of_helpers_on_inactive_numbers(x, t):
    s, last, step = x, 0, 0
    for k in range(4):
        if k > 0 and (last > 3 or s > 10.0):
            s = 0.5 * s
            if s < 1e-3:
                break
            step = 0
        last = step
        step = s * _fifth(t + k) - x / (1.0 + _third(t))
        s += step
    return s * s


# names of a called function that it binds in a loop only, or on one path: each call begins without them


@program("user functions", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def last_of_an_inner_loop(x):
    def last(v, m):
        for k in range(m):
            r = np.sin(v * k + 1)
        return r**3 + v

    s = 0.0
    for i in range(len(x)):
        s += last(x[i], i + 1) ** 2
    return s


@program("user functions, while", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def result_of_an_endless_loop(x):
    def first_above(v):
        while True:
            v = v * 1.5
            if v > 2:
                return v**2

    s = 0.0
    for value in x:
        s += first_above(value) ** 2
    return s


@program("user functions, for", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def found_or_an_error(x):
    def find(v):
        for k in range(5):
            v = v * 1.5
            if v > 2:
                return v, k
        raise ValueError("not found")

    s = 0.0
    for value in x:
        a, k = find(value)
        s += a**2 * k
    return s


@program("user functions, for", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def found_or_nothing(x):
    def find(v):
        for k in range(5):
            v = v * 1.5
            if v > 2:
                return v, k

    s = 0.0
    for value in x:
        a, k = find(value)
        s += a**2 * k
    return s


@program("user functions", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def innermost_of_two_loops(x):
    def last(v, m):
        for k in range(m):
            for j in range(k + 1):
                q = np.sin(k * v + j)
        return v * q**2

    s = 0.0
    for i in range(len(x)):
        s += last(x[i], i + 2) ** 2
    return s


@program("user functions", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def best_of_a_loop_and_where(x):
    def search(v, m):
        best = None
        for k in range(m):
            r = np.sin(v * k + 1)
            if best is None or r > best:
                best = r
                at = k * v
        return best * at

    s = 0.0
    for i in range(len(x)):
        s += search(x[i], i + 2)
    return s


@program("user functions, if", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def bound_and_read_under_the_same_condition(x):
    def scaled(v, flag):
        if flag:
            r = np.sin(v)
        w = v * 2.0
        if flag:
            w = r**3
        return w

    s = 0.0
    for i in range(len(x)):
        s += scaled(x[i], i != 1) ** 2
    return s


@program("user functions, if", args=lambda: (0.7, 2.0))
def roots_or_nothing(b, c):
    def roots(p, q):
        disc = p * p - 4.0 * q
        if disc > 0:
            return (-p + np.sqrt(disc)) / 2, (-p - np.sqrt(disc)) / 2
        elif disc < 0:
            return -p / 2, np.sqrt(-disc) / 2

    u, v = roots(b, c)
    return u * v + v**2


@program("user functions, dicts", args=lambda: (3.7, 2.0))
def a_dict_or_nothing(b, c):
    def roots(p, q):
        disc = p * p - 4.0 * q
        if disc < 0:
            return None
        return {"high": (-p + np.sqrt(disc)) / 2, "low": (-p - np.sqrt(disc)) / 2}

    return roots(b, c)["high"] ** 2
