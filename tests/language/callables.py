"""Functions: star arguments, partial, decorators, defaults, callbacks, functions of other modules."""

import functools
import math
import operator
import statistics

import numpy as np

from tests.language import containers, functions
from tests.language.corpus import normal, program, uniform
from tests.language.functions import activation, square


def traced(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        print("->", f.__name__)
        return f(*args, **kwargs)

    return wrapper


def scaled_by(factor):
    def decorate(f):
        @functools.wraps(f)
        def wrapper(x):
            return factor * f(x)

        return wrapper

    return decorate


def checked(f):
    def wrapper(x, *rest, **options):
        if np.any(np.isnan(x)):
            raise ValueError("nan")
        return f(x, *rest, **options)

    return wrapper


@traced
def traced_square(x):
    return x * x


@scaled_by(3.0)
def tripled_sine(x):
    return math.sin(x)


class Squared:
    """What it wraps is called, and more is done besides."""

    def __init__(self, f):
        functools.update_wrapper(self, f)
        self.f = f

    def __call__(self, x):
        return self.f(x) ** 2


class Tripled:
    def __init__(self, f):
        self.__wrapped__ = f

    def __call__(self, x):
        return 3.0 * self.__wrapped__(x)


class Ignored:
    def __init__(self, f):
        functools.update_wrapper(self, f)

    @staticmethod
    def __call__(x):
        return math.cos(x)


@Squared
def squared_sine(x):
    return math.sin(x)


@Tripled
def tripled_cosine(x):
    return math.cos(x)


@Ignored
def ignored_sine(x):
    return math.sin(x)


@Squared
@functools.lru_cache
def squared_cached(x):
    return x * x


class WithDecorated:
    f = squared_sine


@functools.lru_cache(maxsize=None)
def binomial(n, k):
    return 1 if k in (0, n) else binomial(n - 1, k - 1) + binomial(n - 1, k)


@functools.lru_cache
def cached_power(x, n):
    return x**n


def weighted(*values, weight=1.0, **named):
    total = weight * sum(values)
    for name, value in named.items():
        total += value * len(name)
    return total


@program("star arguments", args=lambda: (0.5, 1.5))
def calls_varargs(x, y):
    return weighted(x, y, x * y) * weighted(weight=x) + weighted(x, weight=y, ab=x * x)


@program("star arguments", args=lambda: ((0.5, 1.5), 2.0))
def star_at_the_call(pair, z):
    def f(a, b, c):
        return a * b + c * c * a

    return f(*pair, z) + f(z, *pair) + f(*[z, z, z])


@program("star arguments", args=lambda: ({"a": 0.5, "b": 1.5},))
def double_star_at_the_call(options):
    def f(a, b=2.0, c=3.0):
        return a * b + c * a

    return f(**options) + f(c=options["b"], **{"a": options["a"]})


@program("star arguments", args=lambda: (0.5, 1.5, 2.5))
def own_varargs(x, *more):
    total = x
    for m in more:
        total = total * m + x
    return total


@program("star arguments", args=lambda: (0.5,))
def own_kwargs(x, **options):
    return x * options.get("scale", 2.0) + x**2 * len(options)


@program("star arguments", args=lambda: (0.5, 1.5))
def forwarded(x, y):
    def inner(a, b, *, p=1.0):
        return a**2 * b * p

    def outer(*args, **kwargs):
        return 2.0 * inner(*args, **kwargs)

    return outer(x, y) + outer(x, b=y, p=x)


@program("star arguments", args=lambda: (normal(3), normal(3, seed=1)))
def varargs_of_arrays(x, y):
    def total(*arrays):
        return sum(np.sum(a * a) for a in arrays) / len(arrays)

    return total(x) * total(x, y, x * y)


@program("star arguments", args=lambda: (0.5, 1.5))
def varargs_count_steers(x, y):
    def mean(first, *others):
        if not others:
            return first * first
        return (first + sum(others)) / (1 + len(others))

    return mean(x) * mean(x, y) + mean(y, x, x * y)


@program("partial and decorators", args=lambda: (0.5, 1.5))
def functools_partial(x, y):
    def f(a, b, c=1.0):
        return a * b**2 + c * a

    g = functools.partial(f, x)
    h = functools.partial(f, c=y)
    return g(y) + h(y, x) + functools.partial(g, c=2.0)(x)


@program("partial and decorators", args=lambda: (normal(4),))
def partial_of_library(x):
    rows = functools.partial(np.sum, axis=0)
    relu = functools.partial(activation, kind="relu")
    return rows(x.reshape(2, 2) ** 2)[0] + np.sum(relu(x) * x)


@program("partial and decorators", args=lambda: (0.5,))
def calls_decorated(x):
    return traced_square(x) * tripled_sine(x)


@program("partial and decorators", args=lambda: (0.4, 4))
def cached_coefficients(x, n):
    return sum(binomial(n, k) * x**k * math.cos(k * x) for k in range(n + 1))


@program("partial and decorators", args=lambda: (0.4, 4))
def cached_function_of_active(x, n):
    return cached_power(x, n) + cached_power(2.0, n) * x


@program("partial and decorators", args=lambda: (0.4,))
def decorator_inside(x):
    def twice(f):
        return lambda t: f(f(t))

    @twice
    def step(t):
        return t + x * math.sin(t)

    return step(x)


@program("partial and decorators", args=lambda: (normal(3), 2.0))
@checked
def decorated_itself(x, c):
    return np.sum(c * x**2)


@program("partial and decorators", args=lambda: (0.4,))
@scaled_by(2.0)
@traced
def decorated_twice(x):
    return x**3


@program("partial and decorators", args=lambda: (0.7,))
def decorated_by_classes(x):
    return squared_sine(x) * tripled_cosine(x) * ignored_sine(x) + squared_cached(x) * WithDecorated.f(x)


@program("partial and decorators", args=lambda: (0.7, squared_sine, [tripled_cosine, ignored_sine]))
def decorated_by_classes_as_arguments(x, f, others):
    return f(x) * others[0](x) + others[1](x) + sum(map(f, [x]))


@program("callbacks", args=lambda: (0.5, {"f": math.sin, "g": square}))
def callbacks_in_dict(x, table):
    return table["f"](x) * table["g"](x)


@program("callbacks", args=lambda: (normal(4), [np.tanh, np.sin, square]))
def pipeline_of_functions(x, stages):
    for stage in stages:
        x = stage(x) + 0.1 * x
    return np.sum(x)


@program("callbacks", args=lambda: (0.9, operator.mul, operator.sub))
def operators_passed(x, f, g):
    return f(x, g(x, 2.0))


@program("callbacks", args=lambda: (0.0, 1.0, 0.7, 8))
def trapezoid_rule(a, b, w, n):
    def integrate(f, lo, hi, m):
        h = (hi - lo) / m
        s = 0.5 * (f(lo) + f(hi))
        for i in range(1, m):
            s += f(lo + i * h)
        return s * h

    return integrate(lambda t: math.exp(-w * t * t), a, b, n)


@program("callbacks", args=lambda: (2.0, 0.3))
def fixed_point_solver(a, b):
    def solve(g, x, steps=25):
        for _ in range(steps):
            x = g(x)
        return x

    return solve(lambda x: 0.5 * math.cos(a * x) + b, 0.1)


@program("callbacks", args=lambda: (0.5,))
def compose(x):
    def compose_all(*fs):
        return functools.reduce(lambda f, g: lambda t: g(f(t)), fs)

    return compose_all(math.sin, math.exp, square)(x)


@program("callbacks", args=lambda: (normal(3), None))
def optional_callback(x, callback):
    total = 0.0
    for v in x:
        total += v**2
        if callback is not None:
            callback(v)
    return total


@program("callbacks", args=lambda: (0.5, 1.5))
def currying(x, y):
    add = lambda a: lambda b: lambda c: a * b + c  # noqa: E731
    return add(x)(y)(x * y) * add(1.0)(x)(y)


@program("other modules", args=lambda: (0.7, 5))
def function_of_another_module(x, n):
    return containers.trajectory(x, n) * functions.power(x, 3)


@program("other modules", args=lambda: (normal(4),))
def constant_of_another_module(x):
    return functions.GRAVITY * np.sum(functions.normalise(x * 2.0) * np.arange(4.0)) + functions.COEFFICIENTS @ x[:3]


@program("other modules", args=lambda: ([0.5, 1.5, 1.0],))
def standard_library_python(values):
    return statistics.fmean(values) ** 2


@program("other modules", args=lambda: (uniform(4),), numpy="2.0")
def numpy_python_function(x):
    return np.polyval(x, 0.5) + np.trapezoid(x) ** 2


@program("other modules", args=lambda: (0.5, 1.1))
def attribute_chain_of_modules(x, y):
    import tests.language.functions

    return tests.language.functions.square(x) + np.linalg.norm(np.array([x, y]))


@program("other modules", args=lambda: (0.4, 1.2))
def operator_tools(x, y):
    first = operator.itemgetter(0)
    return first((x, y)) * operator.itemgetter("b")({"b": y}) + operator.attrgetter("real")(x)


@program("other modules", args=lambda: (0.3, 0.4))
def builtin_sums(x, y):
    return math.dist((x, y), (1.0, 2.0)) + math.sumprod([x, y], [y, 2.0]) if hasattr(math, "sumprod") else (
        math.dist((x, y), (1.0, 2.0)) + x * y + 2.0 * y
    )


@program("other modules", args=lambda: (uniform(5),))
def helper_in_module_uses_its_own_globals(x):
    return functions.free_fall(x[0], x[1]) + functions.module_array(x[2])


COUNTER = {"calls": 0}


def counted_default(x, history=[]):  # noqa: B006
    history.append(1.0)
    return x * len(history) / len(history)


@program("nonlocal and defaults", args=lambda: (0.5,))
def accumulator_factory(x):
    def accumulator(total):
        def add(v):
            nonlocal total
            total += v
            return total

        return add

    acc = accumulator(x)
    acc(x * x)
    return acc(1.0) * acc(x)


@program("nonlocal and defaults", args=lambda: (0.5, 3))
def nonlocal_loop_state(x, n):
    y, k = x, 0

    def step():
        nonlocal y, k
        y = y + 0.1 * math.sin(y)
        k += 1

    while k < n:
        step()
    return y * k


@program("nonlocal and defaults", args=lambda: (normal(3),))
def nonlocal_array(x):
    best = x * 0.0

    def consider(c):
        nonlocal best
        if np.sum(c) > np.sum(best):
            best = c * c

    consider(x)
    consider(-x)
    return np.sum(best)


@program("nonlocal and defaults", args=lambda: (0.5,))
def defaults_evaluated_once(x):
    y = x

    def f(t, c=y * y):
        return t * c

    y = 100.0
    return f(x) + f(y * 0.01)


@program("nonlocal and defaults", args=lambda: (0.5, 3))
def loop_bound_lambdas(x, n):
    fs = [lambda t, k=k: t**k for k in range(1, n + 1)]
    return sum(f(x) for f in fs)


@program("nonlocal and defaults", args=lambda: (0.5, 3))
def late_binding_lambdas(x, n):
    fs = [lambda t: t**k for k in range(1, n + 1)]
    return sum(f(x) for f in fs)


@program("nonlocal and defaults", args=lambda: (0.5,))
def closure_sees_later_value(x):
    scale = 1.0

    def f(t):
        return scale * t

    scale = x * 3.0
    return f(x)


@program("nonlocal and defaults", args=lambda: (0.5, 1.2))
def closure_in_container(x, y):
    ops = {"mul": lambda t: t * y, "add": lambda t: t + x}
    total = x
    for name in ("mul", "add", "mul"):
        total = ops[name](total)
    return total
