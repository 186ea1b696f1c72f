"""What published packages write: constructs that stood between tools/packages and a right derivative."""

import copy
import functools
import math
import sys

import numpy as np

from tests.language.corpus import normal, program, uniform

TABLE = {"a": 2.0}


# --- attributes that are not there


@program("try, packages", args=lambda: (normal(4),))
def type_of_a_number(q):
    total = np.sum(q**2)
    try:
        small = np.finfo(total.type).eps
    except (AttributeError, ValueError):
        small = 1e-15
    if total < small:
        return 0.0
    return q[0] / math.sqrt(total)


@program("try, packages", args=lambda: (1.7,))
def any_of_a_number(x):
    y = x * x
    try:
        large = (abs(y) > 100.0).any()
    except AttributeError:
        large = abs(y) > 100.0
    return 100.0 if large else y * x


# --- checks over a few arguments


def aligned(*series):
    head, tail = series[0], series[1:]
    n = len(head)
    if isinstance(head, np.ndarray) and all(len(s) == n and isinstance(s, np.ndarray) for s in tail):
        return series
    return [eval("unknown")(s) for s in series]


@program("list comprehensions, packages", args=lambda: (normal(4), normal(4, seed=1)))
def checked_by_all(x, y):
    x, y = aligned(x, y)
    return np.sum(x * y**2)


@program("list comprehensions, packages", args=lambda: (0.7, None))
def decided_by_any(x, y):
    if any(v is None for v in (x, y)):
        return x * x
    return x * y


# --- one item


@program("packages", args=lambda: (uniform(4),))
def item_at_the_least(v):
    rate = 1.0 / v - 1.0
    return rate.item(np.argmin(np.abs(rate))) ** 2


@program("packages", args=lambda: (np.array([-5.0, 10.5, 1.0, -8.0, 1.0]),))
def item_of_roots(values):
    r = np.roots(values[::-1])
    r = r[(r.imag == 0) & (r.real > 0)].real
    rate = 1.0 / r - 1.0
    return rate.item(np.argmin(np.abs(rate)))


# --- arrays of no axes as buffers


@program("out arguments, packages", args=lambda: (uniform(4),))
def chain_of_out(x):
    out = np.empty(x.shape[1:])
    out[()] = np.mean(x * x, axis=0)
    out = np.subtract(np.power(np.add(out, 1, out=out), 2, out=out), 1, out=out)
    return out.item()


@program("out arguments, packages", args=lambda: (uniform(3),))
def number_read_before_its_buffer_changes(x):
    out = np.empty(())
    out[()] = x[0]
    t = np.add(out, 1)
    out[...] = 0.5 * x[1]
    return (t * out * x[2]).item()


@program("out arguments, packages", args=lambda: (uniform(4),), second=False)
def views_of_a_result(x):
    out = np.empty(x.shape[1:] + (2,))
    beta = out[..., 1]
    if beta.ndim == 0:
        beta = beta[np.newaxis]
    np.divide(np.mean(x * x, axis=0), 3.0, out=beta)
    np.subtract(np.mean(x, axis=0) * beta.item(), 1.0, out=out[..., 0])
    return out


@program("out arguments, packages", args=lambda: (uniform(3),))
def argument_made_two_dimensional(a):
    if a.ndim < 2:
        a = np.atleast_2d(a)
    a /= np.linalg.norm(a, axis=1)[:, None]
    return np.sum(a[:, 0] * a[:, 1] ** 2)


# --- a try that stops half way


@program("try", args=lambda: (2.0,))
def raises_on_one_path(x):
    try:
        if x > 0:
            y = TABLE["b"]
        else:
            y = x * x
    except KeyError:
        y = 3.0 * x
    return y * x


@program("try", args=lambda: (-2.0,))
def raises_on_the_other_path(x):
    try:
        if x > 0:
            y = TABLE["b"]
        else:
            y = x * x
    except KeyError:
        y = 3.0 * x
    return y * x


@program("try", args=lambda: (-2.0,), refused="may")
def raises_in_a_conditional_expression(x):
    try:
        y = TABLE["b"] if x > 0 else x * x
    except KeyError:
        y = 3.0 * x
    return y * x


@program("try", args=lambda: (2.0,), refused="may")
def raises_behind_an_append(x):
    items = []
    try:
        for _ in range(3):
            items.append(x)
            y = TABLE["b"]
    except KeyError:
        y = 3.0 * x
    return y * sum(items)


@program("try", args=lambda: (2.0,), refused="may")
def fails_behind_an_append(x):
    items = []
    try:
        items.append(x)
        y = math.sqrt(x - 3.0)
    except ValueError:
        y = 3.0 * x
    return y * sum(items)


@program("try", args=lambda: (2.0,))
def fails_behind_a_store_into_a_dict(x):
    kept = {"n": 1.0}
    try:
        kept["n"] = x
        y = math.sqrt(x - 3.0)
    except ValueError:
        y = 3.0 * x
    return y * kept["n"]


@program("try", args=lambda: (5.0,))
def passes_behind_a_store_into_a_dict(x):
    kept = {"n": 1.0}
    try:
        kept["n"] = x
        y = math.sqrt(x - 3.0)
    except ValueError:
        y = 3.0 * x
    return y * kept["n"]


@program("try", args=lambda: (2.0,), refused="may")
def fails_in_a_loop_that_changed_something(x):
    a = 1.0
    try:
        for _ in range(3):
            a = a * x
            y = math.sqrt(x - 3.0)
    except ValueError:
        y = 3.0 * x
    return y * a


@program("try", args=lambda: (2.0,), refused="may")
def fails_in_a_branch_that_changed_something(x):
    a = 1.0
    try:
        if x > 0.0:
            a = a * x
            y = math.sqrt(x - 3.0)
        else:
            y = 1.0
    except ValueError:
        y = 3.0 * x
    return y * a


class Counter:
    def __init__(self, x):
        self.x = x
        self.n = 1.0

    def root(self):
        self.n = self.x
        return math.sqrt(self.x - 3.0)


@program("try", args=lambda: (2.0,), refused="may")
def fails_in_a_method_that_changed_something(x):
    c = Counter(x)
    try:
        y = c.root() + c.root()
    except ValueError:
        y = 3.0 * x
    return y * c.n


@program("try", args=lambda: (2.0,))
def overwritten_by_the_handler(x):
    try:
        a = x * x
        y = math.sqrt(x - 3.0) * a
    except ValueError:
        a = 2.0 * x
        y = 3.0 * a
    return y * a


@program("try, packages", args=lambda: (0.4, 0.7))
def store_into_a_number(lat, lon):
    with np.errstate(all="ignore"):
        alpha = np.arcsin(np.cos(lat) * np.sin(lon))
    try:
        half = np.sin(alpha) / 2.0
        alpha[alpha > 1.0] = 0.0
    except TypeError:
        if alpha > 1.0:
            alpha = 0.0
    return alpha * lat


@program("try, packages", args=lambda: (uniform(3), 0.7))
def store_into_an_array_of_the_try(u, x):
    try:
        with np.errstate(all="ignore"):
            s = np.cos(u) * x
            alpha = np.arcsin(s)
        alpha[s > 0.5] = 0.25 * x
    except (ArithmeticError, TypeError, ValueError):
        alpha = 0.0 * u
    return np.sum(alpha * u)


# --- values of several forms


@program("try, packages", args=lambda: (0.7, 2))
def lists_of_lists_by_dimension(dt, dim):
    if dim == 2:
        q = [[0.25 * dt**4, 0.5 * dt**3], [0.5 * dt**3, dt**2]]
    else:
        q = [[dt**4, dt**3, dt], [dt**3, dt**2, dt], [dt, dt, 1.0]]
    return np.sum(np.array(q))


class Filter:
    def __init__(self, x):
        self.x = x
        self.score = sys.float_info.min
        self.shape = np.ravel

    def step(self, z):
        self.x = self.x + 0.5 * np.sin(z - self.x)
        self.score = None
        self.shape = np.abs


@program("methods and attributes, packages", args=lambda: (0.3, normal(3)))
def attribute_that_becomes_none_in_a_loop(x, zs):
    f = Filter(x)
    for z in zs:
        f.step(z)
    return f.x**2


@program("packages", args=lambda: (0.5, 5))
def copy_of_a_number_or_an_array(x, n):
    lamb = np.array([x])
    for k in range(n):
        if k == 3:
            lamb = 1.0
        old = copy.copy(lamb)
        lamb = np.sin(lamb) * x + old
    return np.sum(lamb)


@program("coercions, packages", args=lambda: ([1.0, 2.0, 3.0],))
def list_divided_by_its_norm(axis):
    axis /= np.linalg.norm(axis)
    return axis[0] * axis[1] ** 2


@program("coercions, packages", args=lambda: ([1.0, 2.0, 3.0], normal(3)))
def array_minus_a_list(axis, b):
    c = b - axis
    d = (axis[0], axis[1], axis[2]) + c
    return np.sum(c * d)


@program("try", args=lambda: (2.0,), refused="may")
def fails_in_a_closure_that_changed_something(x):
    n = 1.0

    def root():
        nonlocal n
        n = x
        return math.sqrt(x - 3.0)

    try:
        y = root()
    except ValueError:
        y = 3.0 * x
    return y * n


# --- attributes that compute


class Cached:
    """A property that is computed once."""

    def __init__(self, function):
        self.function = function
        self.name = function.__name__

    def __get__(self, obj, cls=None):
        if obj is None:
            return self.function
        try:
            cache = obj._cache
        except AttributeError:
            cache = obj._cache = {}
        value = cache.get(self.name, None)
        if value is None:
            value = self.function(obj)
            cache[self.name] = value
        return value


class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, cls=None):
        return getattr(obj, self.name)

    def __set__(self, obj, value):
        if value < 0.0:
            raise ValueError("negative")
        setattr(obj, self.name, math.sqrt(value))


class Statistics:
    k = Positive()

    def __init__(self, x):
        self.x = x
        self.k = x * x * x

    @Cached
    def var(self):
        return self.x**2

    @functools.cached_property
    def total(self):
        return self.x * 3.0


@program("methods and attributes, packages", args=lambda: (1.3,))
def cached_by_a_descriptor(x):
    s = Statistics(x)
    first = s.var
    s.x = s.x * 5.0
    return first * s.var * s.x


@program("methods and attributes, packages", args=lambda: (1.3,))
def cached_property_keeps_its_value(x):
    s = Statistics(x)
    first = s.total
    s.x = s.x * 5.0
    return first * s.total * s.x


@program("methods and attributes, packages", args=lambda: (1.3,))
def set_through_a_descriptor(x):
    s = Statistics(x)
    s.k = s.k * x
    return s.k * s.x


# --- checked arguments


def bool_like(value, name, optional=False):
    if optional and value is None:
        return value
    if hasattr(value, "squeeze") and callable(value.squeeze):
        value = value.squeeze()
    try:
        return bool(value)
    except Exception as error:
        raise TypeError(f"{name} must be a bool") from error


@program("try, packages", args=lambda: (normal(3), False, None), wrt=0)
def result_chosen_by_a_checked_flag(x, full, level):
    full = bool_like(full, "full")
    level = bool_like(level, "level", optional=True)
    both = full and level is not None
    if both or full:
        return x, np.sum(x)
    return x[0] * x[1]


@program("list comprehensions, packages", args=lambda: (0.3, 1.7))
def sizes_of_a_list_and_more(a, b):
    n = np.atleast_1d(4)
    args = list(map(np.atleast_1d, (a, b)))
    if all([v.size == 1 for v in [n, *args]]):
        return a * b * b
    return [eval("unknown")(v) for v in args]


@program("ndarray methods, packages", args=lambda: (2.88, 0), wrt=0)
def method_of_arrays_on_another_path(lai, form):
    if form == 1:
        lai = lai.where(lai > 0.0, 0.01)
    elif form == 2:
        lai = lai.copy()
        lai[lai > 4.0] = 4.0
    return 0.5 * lai * lai


# --- shapes that NumPy takes as the same


@program("packages", args=lambda: (normal(4), uniform(3, 4, low=0.5, high=1.5)))
def rows_of_one_row_matrices(q, w):
    """A store leaves out axes of length 1 in front."""
    out = np.zeros((len(w), 4))
    out[0, :] = np.atleast_2d(q)
    for i in range(len(w) - 1):
        r = np.zeros(np.shape(np.atleast_2d(w[i]).T))
        p = np.atleast_2d(out[i, :]).T
        r[0] = p[0] * w[i, 0]
        r[1] = p[2] * w[i, 1]
        r[2] = p[1] * w[i, 2] ** 2
        r[3] = p[3]
        r = r.T
        out[i + 1, :] = r
    return np.sum(out**2) + out[2, 1]


@program("packages", args=lambda: (normal(4),))
def a_store_drops_two_axes(x):
    a = np.reshape(x, (1, 1, 4))
    out = np.ones(4)
    out[:] = a * a
    return np.sum(out**3)


@program("packages", args=lambda: (1.3,))
def limits_of_a_number_beside_an_array(x):
    """The first part of the tangent is a number, that of the whole an array."""
    w = np.maximum(np.atleast_1d(2.0), 0.1)
    w[w > 8.0] = np.nan
    a = np.minimum(x, 9.0)
    return np.sum(0.5 - 0.3 * a + 0.2 * w + 0.4 * np.sqrt(a) + a / np.sqrt(w))


# --- functions that call themselves in another form


@program("recursion, packages", args=lambda: (0.7, 1.5), wrt=0)
def recursion_with_two_results(x, rate, both=False):
    """The function that is called first returns a number, and is never called again."""
    if rate < 0.5:
        print("settled")
        if both:
            return np.sin(x), x**2
        return x
    slow, fast = recursion_with_two_results(x * rate, rate - 0.4, both=True)
    if both:
        return slow + x, fast * x
    return slow * fast


# --- lists where arrays are meant


@program("packages", args=lambda: (uniform(3, low=0.3, high=0.9),))
def functions_of_lists_of_numbers(x):
    """NumPy makes arrays of them."""
    waves = np.sin([x[0], x[1], 2.0]) * np.hypot([x[2], x[0], 1.0], 0.5)
    angle = np.arctan2((x[0], x[1]), [1.0, 2.0])
    table = np.exp([[x[0], x[1]], [x[2], 0.1]])
    return np.sum(waves**2) + angle[1] * np.sum(np.convolve([x[0], x[1]], [0.5, x[2]])) + table[0, 1]


@program("packages", args=lambda: (uniform(4, low=0.3, high=0.9),))
def lists_behind_a_mask(x):
    keep = np.array([True, False, True, True])
    kept = np.where(keep, [x[0], x[1], x[2], x[3]], np.nan)
    floor = np.where(keep, 0.5, [x[3], x[2] ** 2, x[1], x[0]])
    return np.nansum(kept) + np.sum(np.cumsum(floor)[1:])


@program("packages", args=lambda: ([0.4, 0.9, 0.2, 1.3],))
def a_list_is_sorted_and_differenced(x):
    steps = np.diff(np.sort(x))
    y = [v * v for v in x]
    return np.sum(steps**2) + np.maximum.accumulate(y)[2] + np.cov(x, [y[3], y[2], y[1], y[0]])[0, 1]


# --- slopes that do not exist on a path where they do not matter


@program("packages", args=lambda: (0.5, 2.0))
def film_that_dries(x, q):
    """On the path that is taken, a power with an infinite slope is one of constants."""
    dry = x - 1.0
    if dry <= 0.0:
        low = high = 0.0
        dry = 0.0
    else:
        low = 2.0 * dry
        high = math.sqrt(dry) * q
    mean = (low**4 + high**4) ** 0.25
    return dry * mean + x * q**0.5


@program("packages", args=lambda: (1.5, 2.0))
def film_that_stays(x, q):
    return film_that_dries(x, q) ** 2


@program("packages", args=lambda: (1.3, uniform(4, low=0.2, high=0.9)))
def turns_without_part(x, w):
    total = 0.0
    for k in range(len(w)):
        if w[k] * x > 1.0:
            part = math.sqrt(w[k] * x - 1.0)
        else:
            part = 0.0
        total += part**0.5 * x + math.log(1.0 + part)
    return total
