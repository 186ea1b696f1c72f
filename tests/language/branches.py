"""Branches: if, ternaries, boolean operators, chained comparisons, several returns."""

import math

import numpy as np

from tests.language.corpus import normal, program, uniform


@program("if", args=lambda: (2.0, -1.0))
def leaky(x, y):
    if x > y:
        z = x * y
    else:
        z = x - 0.1 * y
    return z * z


@program("if", args=lambda: (0.3,))
def smoothstep(x):
    if x <= 0.0:
        y = 0.0
    elif x >= 1.0:
        y = 1.0
    else:
        y = x * x * (3.0 - 2.0 * x)
    return y


@program("if", args=lambda: (4.0, 1.5))
def huber(r, delta):
    a = abs(r)
    if a <= delta:
        loss = 0.5 * r * r
    else:
        loss = delta * (a - 0.5 * delta)
    return loss


@program("if", args=lambda: (45_000.0, 1.0))
def income_tax(income, scale):
    tax = 0.0
    if income > 10_000.0:
        tax = tax + 0.1 * (min(income, 30_000.0) - 10_000.0)
    if income > 30_000.0:
        tax = tax + 0.2 * (min(income, 60_000.0) - 30_000.0)
    if income > 60_000.0:
        tax = tax + 0.4 * (income - 60_000.0)
    return scale * tax * tax / income


@program("if", args=lambda: (0.4, 0.7, 2))
def nested_ifs(x, y, mode):
    out = x
    if mode > 0:
        if x < y:
            out = out * y
            if mode == 2:
                out = out + math.sin(y)
        else:
            out = -out
    else:
        out = out / y
    return out * x


@program("if", args=lambda: (normal(6), 0.5))
def clip_norm(g, limit):
    norm = np.sqrt(np.sum(g * g))
    if norm > limit:
        g = g * (limit / norm)
    return np.sum(g * np.arange(6.0)) + norm


@program("if", args=lambda: (1.2, 0.8))
def only_on_one_path(x, y):
    scale = 2.0
    if x > 1.0:
        excess = x - 1.0
        scale = scale + excess * excess
    return scale * y


@program("if", args=lambda: (3.0, -2.0))
def condition_overwritten_by_branch(x, y):
    if x > 0:
        x = -x * y
    if x > 0:
        x = x * x
    else:
        x = x + y
    return x * y


@program("if", args=lambda: (normal(5), True))
def switch_argument(x, squared):
    if squared:
        y = x**2
    else:
        y = np.abs(x)
    return np.mean(y)


@program("if", args=lambda: (normal(5), "softplus"))
def string_switch(x, kind):
    if kind == "relu":
        y = np.maximum(x, 0.0)
    elif kind == "softplus":
        y = np.log1p(np.exp(x))
    else:
        y = x
    return np.sum(y * x)


# --- ternaries


@program("ternary", args=lambda: (0.5, -2.0))
def ternary_of_products(x, y):
    return x * y if x > y else x + y


@program("ternary", args=lambda: (-0.5, 2.0))
def leaky_relu(x, slope):
    y = x if x > 0 else 0.01 * x
    return slope * y + y * y


@program("ternary", args=lambda: (1.4, 0.3))
def nested_ternary(x, y):
    w = x if x > 2.0 else (x * x if x > 1.0 else x**3)
    return w * y


@program("ternary", args=lambda: (1.4, 0.3))
def ternary_inside_expression(x, y):
    return 3.0 * (x if y < x else y) - (1.0 if x > 0 else -1.0) * x * y


@program("ternary", args=lambda: (normal(4), 1e-3))
def ternary_guards_division(x, eps):
    total = np.sum(x)
    return np.sum(x * x) / (total if abs(total) > eps else eps)


@program("ternary", args=lambda: (2.0, 3))
def ternary_on_integer(x, n):
    return x**n * (1 if n % 2 == 0 else -1) + (x if n else 0.0)


@program("ternary", args=lambda: (2.0, None))
def ternary_default(x, scale):
    scale = 1.5 if scale is None else scale
    return x * scale * x


@program("ternary", args=lambda: (0.7, 0.1))
def ternary_of_calls(x, y):
    def left(t):
        return math.exp(-t * t)

    def right(t):
        return 1.0 / (1.0 + t)

    return (left if x > 0 else right)(x * y) + (left(x) if y < 0 else right(y))


@program("ternary", args=lambda: (normal(3), normal(3, seed=1)))
def ternary_of_arrays(a, b):
    chosen = a if a[0] > b[0] else b
    return np.sum(chosen * chosen * a)


# --- boolean operators and comparisons


@program("boolean operators", args=lambda: (0.5, 0.8))
def inside_unit_square(x, y):
    if x > 0 and x < 1 and y > 0 and y < 1:
        return x * y
    return 0.0


@program("boolean operators", args=lambda: (-0.5, 0.8))
def either_or(x, y):
    if x > 0 or y > 0.5:
        r = x * x * y
    else:
        r = x
    return r


@program("boolean operators", args=lambda: (0.0, 0.8), wrt=1)
def value_or_default(x, y):
    z = x or 2.0
    return z * y + x * y


@program("boolean operators", args=lambda: (1.5, 0.8))
def value_and_value(x, y):
    z = x and y
    return z * x


@program("boolean operators", args=lambda: (1.5, 0.8))
def negation(x, y):
    if not x < y:
        z = x - y
    else:
        z = y - x
    return z**2 * y


@program("boolean operators", args=lambda: (normal(4), None))
def none_and_guard(x, weights):
    if weights is not None and len(weights) == len(x):
        x = x * weights
    return np.sum(x * x)


@program("boolean operators", args=lambda: (0.3, 2.0, 4))
def mixed_precedence(x, y, n):
    ok = (x > 0 and not n > 5) or (y < 1 and n == 4)
    return (x * y if ok else x / y) ** 2


@program("boolean operators", args=lambda: (normal(5),))
def any_and_all(x):
    if np.any(x > 0) and not np.all(x > 0):
        return np.sum(x**3)
    return np.sum(x)


@program("boolean operators", args=lambda: (0.0, 3.0), wrt=1)
def short_circuit_protects(x, y):
    if x != 0.0 and y / x > 1.0:
        return y / x
    return y * y + x * y


@program("chained comparisons", args=lambda: (0.5, 2.0))
def in_interval(x, y):
    if 0.0 < x < 1.0:
        return x**2 * y
    return y


@program("chained comparisons", args=lambda: (0.5, 2.0, 3.0))
def ordered(a, b, c):
    if a < b < c:
        return (b - a) * (c - b)
    return 0.0 * a


@program("chained comparisons", args=lambda: (0.5, 2.0, 3))
def mixed_chain(a, b, k):
    if 0 <= k < 5 and a != b:
        return a**k * b
    return a


@program("chained comparisons", args=lambda: (2.5, 1.0))
def tent(x, width):
    return x / width if 0 <= x <= width else (2 * width - x) * x if width < x <= 2 * width else 0.5 * x * width


@program("chained comparisons", args=lambda: (uniform(6), 1.0))
def chain_in_a_loop(x, limit):
    total = 0.0
    for v in x:
        if 0.5 < v <= limit:
            total += v * v
        elif limit < v:
            total += limit * v
    return total


@program("chained comparisons", args=lambda: (1.0, 2.0, 3.0))
def chain_with_calls(a, b, c):
    def middle(u, v):
        return 0.5 * (u + v)

    if a < middle(a, b) < middle(b, c) < c:
        return middle(a * b, c * c)
    return a


@program("chained comparisons", args=lambda: (0.2, 0.4))
def chain_decides_ternary(x, y):
    w = 1.0 - abs(x - y) if -1.0 < x - y < 1.0 else 0.0
    return w * w * x


@program("chained comparisons", args=lambda: (1.0, -1.0))
def chain_false(x, y):
    if x < y < 0:
        x = x * y
    return x * x * y


# --- several returns


@program("several returns", args=lambda: (0.5, 2.0))
def absolute_difference(x, y):
    if x > y:
        return x - y * y
    return y * y - x


@program("several returns", args=lambda: (2.5,))
def bessel_like(x):
    if x < 1.0:
        return 1.0 - x * x / 4.0
    if x < 2.0:
        return math.cos(x)
    if x < 3.0:
        y = 3.0 / x
        return y * math.sin(x + y)
    return 0.0


@program("several returns", args=lambda: (0.4, 0.1, 3.0))
def guard_clauses(x, lower, upper):
    if x < lower:
        return lower * lower
    if x > upper:
        return upper * upper
    t = (x - lower) / (upper - lower)
    return t * t * upper


@program("several returns", args=lambda: (normal(5), 0))
def returns_by_switch(x, order):
    if order == 0:
        return np.sum(np.exp(x))
    elif order == 1:
        return np.sum(x * np.exp(x))
    else:
        return 0.0


@program("several returns", args=lambda: (1.0, -3.0, 2.5))
def quadratic_root(a, b, c):
    disc = b * b - 4 * a * c
    if disc < 0:
        return -b / (2 * a)
    root = math.sqrt(disc)
    if b < 0:
        return (-b + root) / (2 * a)
    return 2 * c / (-b - root)


@program("several returns", args=lambda: (0.7, 1.2), second=False)
def returns_tuples(x, y):
    if x > y:
        return x, y
    return x * y, x - y


@program("several returns", args=lambda: (normal(6),))
def return_in_else(x):
    if x[0] > 10.0:
        y = x * 2.0
    else:
        return x[0] * np.sum(x[1:])
    return np.sum(y)


@program("several returns", args=lambda: (0.3, 2.0))
def return_in_nested_if(x, y):
    z = x * y
    if y > 1.0:
        z = z + x
        if x < 0.5:
            return z * z
        z = z - y
    return z


@program("several returns", args=lambda: (1.5, 2))
def calls_function_with_early_return(x, n):
    def positive_part(t):
        if t <= 0:
            return 0.0
        return t * t

    return positive_part(x) + n * positive_part(-x) + positive_part(x - 1.0)


@program("string and enum switches", args=lambda: (normal(3) + 2.0,))
def states_of_a_machine_by_name(x):
    state, out, i = "first", 1.0, 0
    while state != "end":
        if state == "first":
            out *= x[i]
            state = "second"
            i += 1
        elif state == "second":
            out += x[i]
            state = "third" if out > 1.0 else "first"
            i = (i + 1) % 3
        else:
            out = out * out
            state = "end"
    return out
