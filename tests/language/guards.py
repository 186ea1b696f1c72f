"""The guard work of real functions: None, isinstance, switches, tables, checks, imports, coercions."""

import collections.abc
import copy
import dataclasses
import enum
import functools
import inspect
import math
import numbers
import typing
import warnings
from collections.abc import Callable, Sequence
from math import exp, log, sqrt
from math import pi as PI
from typing import Any, Literal

import numpy as np

from tests.language.corpus import normal, program, uniform

R_GAS = 8.31446
ANTOINE = {"water": (8.07131, 1730.63, 233.426), "ethanol": (8.20417, 1642.89, 230.3)}
WINDOWS: dict[str, Callable[[Any], Any]] = {
    "hann": lambda t: 0.5 - 0.5 * np.cos(2 * PI * t),
    "linear": lambda t: t,
    "sqrt": np.sqrt,
}
LEGENDRE = [[1.0], [0.0, 1.0], [-0.5, 0.0, 1.5], [0.0, -1.5, 0.0, 2.5]]
TABLE = np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.9]])


class Phase(enum.Enum):
    LIQUID = 1
    GAS = 2


@program("None tests", args=lambda: (0.5, None, None))
def two_optional_parameters(x, slope=None, offset=None):
    if slope is None:
        slope = 2.0
    if offset is None:
        offset = slope * x
    return slope * x * x + offset


@program("None tests", args=lambda: (normal(4), None))
def optional_weights(x, weights=None):
    if weights is None:
        weights = np.ones_like(x) / len(x)
    m = np.sum(weights * x)
    return np.sum(weights * (x - m) ** 2)


@program("None tests", args=lambda: (normal(4), uniform(4)))
def given_weights(x, weights=None):
    w = weights if weights is not None else 1.0
    return np.sum(w * x**2) / np.sum(w)


@program("None tests", args=lambda: (normal(3, 4), None))
def optional_axis(x, axis=None):
    s = np.sum(x, axis=axis)
    if axis is not None:
        s = s[0]
    return s * s


@program("None tests", args=lambda: (300.0, 1e5, None))
def one_of_three_is_missing(T=None, P=None, V=None):
    if V is None:
        return R_GAS * T / P
    if P is None:
        return R_GAS * T / V
    return P * V / R_GAS


@program("None tests", args=lambda: ([0.5, None, 1.5],))
def none_in_a_list(values):
    s = 1.0
    for v in values:
        if v is not None:
            s *= v * v
    return s


@program("None tests", args=lambda: (1.3,))
def helper_returns_none(x):
    def lookup(k):
        if k > 2:
            return None
        return k * x

    total = 0.0
    for k in range(5):
        r = lookup(k)
        if r is None:
            break
        total += r * r
    return total


@program("None tests", args=lambda: (uniform(6),))
def best_so_far(x):
    best = None
    for v in x:
        if best is None or v > best:
            best = v
    return best * best


@program("isinstance", args=lambda: (0.5, 2.0))
def number_or_array(x, y):
    if isinstance(x, (int, float)):
        x = np.array([x, x * x])
    return np.sum(x * y)


@program("isinstance", args=lambda: ([0.5, 1.5], 2.0))
def list_or_array(x, c):
    if isinstance(x, list):
        x = np.array(x)
    return np.sum(x**c)


@program("isinstance", args=lambda: (normal(3),))
def abstract_numbers(x):
    scale = 2.0
    if isinstance(x, numbers.Number):
        return x * scale
    if isinstance(x, np.ndarray) and x.ndim == 1:
        return np.sum(x * x) * scale
    raise TypeError("a number or a vector")


@program("isinstance", args=lambda: (0.7, (1.0, 2.0)))
def scalar_or_pair(x, bounds):
    if isinstance(bounds, tuple):
        lower, upper = bounds
    else:
        lower, upper = -bounds, bounds
    return (x - lower) * (upper - x)


@program("isinstance", args=lambda: ({"a": 0.5, "b": [1.5, {"c": 2.0}]},))
def recursion_over_a_tree(tree):
    if isinstance(tree, dict):
        return sum(recursion_over_a_tree(v) for v in tree.values())
    if isinstance(tree, (list, tuple)):
        return sum(recursion_over_a_tree(v) for v in tree)
    return tree**3


@program("isinstance", args=lambda: (0.5, 3))
def integer_order(x, n):
    if not isinstance(n, int):
        raise TypeError("n must be an integer")
    if isinstance(n, bool):
        raise TypeError("n is a flag")
    return x**n


@program("isinstance", args=lambda: (np.float64(0.5), np.float64(1.5)))
def numpy_scalars(x, y):
    if np.isscalar(x) and isinstance(y, np.floating):
        return x * y**2
    return x + y


@program("isinstance", args=lambda: (normal(3), None))
def sequence_or_callable(x, f):
    if callable(f):
        x = f(x)
    elif isinstance(f, Sequence):
        x = x * np.asarray(f)
    if hasattr(x, "shape") and len(x.shape) == 1:
        x = x[:, None]
    return np.sum(x @ x.T)


@program("string and enum switches", args=lambda: (350.0, "water"))
def vapour_pressure(T, fluid="water"):
    A, B, C = ANTOINE[fluid]
    return 10 ** (A - B / (C + T - 273.15))


@program("string and enum switches", args=lambda: (0.5, Phase.GAS))
def density(x, phase):
    if phase is Phase.LIQUID:
        return 1000.0 * (1 - 0.001 * x)
    elif phase == Phase.GAS:
        return 1.2 / (1 + x) ** 2
    raise ValueError(phase)


@program("string and enum switches", args=lambda: (normal(5), "median"))
def unknown_option_falls_through(x, kind: Literal["mean", "rms", "median"]):
    if kind == "mean":
        r = np.mean(x)
    elif kind == "rms":
        r = np.sqrt(np.mean(x**2))
    elif kind == "median":
        r = np.sort(x)[len(x) // 2]
    else:
        raise ValueError(f"unknown kind {kind}")
    return r * np.sum(x)


@program("string and enum switches", args=lambda: (0.6, "COS "))
def normalised_string(x, name):
    name = name.strip().lower()
    if name == "sin":
        return math.sin(x)
    if name.startswith("c"):
        return math.cos(x) * x
    return x


@program("string and enum switches", args=lambda: (normal(4, 4), "upper"))
def side_switch(A, side):
    T = np.triu(A) if side == "upper" else np.tril(A)
    return np.sum(T @ T)


@program("string and enum switches", args=lambda: (0.4, "linear", "per year"))
def two_switches(rate, compounding, unit):
    years = 2.0 if unit.endswith("year") else 2.0 / 12
    if compounding != "continuous":
        growth = 1 + rate * years
    else:
        growth = exp(rate * years)
    return growth**2


@program("string and enum switches", args=lambda: (uniform(3), "xyz"))
def letters_pick_components(v, order):
    total = 0.0
    for k, letter in enumerate(order):
        if letter == "x":
            total += v[0] * k
        elif letter == "y":
            total += v[1] * v[0]
        else:
            total += v[2] ** 2
    return total


@program("string and enum switches", args=lambda: (0.9, {"method": "newton", "steps": 4}))
def options_dict(a, options):
    x = 1.0
    for _ in range(options["steps"]):
        if options["method"] == "newton":
            x = x - (x * x - a) / (2 * x)
        else:
            x = 0.5 * (x + a)
    return x


@program("in tests and tables", args=lambda: (0.3, "hann"))
def function_table(t, window):
    if window not in WINDOWS:
        raise KeyError(window)
    return WINDOWS[window](t) ** 2


@program("in tests and tables", args=lambda: (0.4, 3))
def coefficient_table(x, n):
    total = 0.0
    for k, c in enumerate(LEGENDRE[n]):
        total += c * x**k
    return total


@program("in tests and tables", args=lambda: (0.4, 1.2, 1))
def array_table(x, y, row):
    a, b = TABLE[row]
    return a * x + b * y + TABLE[row + 1, 0] * x * y


@program("in tests and tables", args=lambda: ({"alpha": 0.3, "beta": 0.8},))
def key_in_dict(p):
    s = 0.0
    for name in ("alpha", "beta", "gamma"):
        if name in p:
            s += p[name] ** 2
    return s


@program("in tests and tables", args=lambda: (0.5, "b"))
def in_tuple_and_set(x, mode):
    if mode in ("a", "b") and mode not in {"c", "d"}:
        x = x * x
    return x * (2.0 if 3 in [1, 2, 3] else 1.0)


@program("in tests and tables", args=lambda: (1.5, 2))
def table_of_local_functions(x, k):
    def cube(t):
        return t**3

    actions = {0: math.sin, 1: lambda t: t + x, 2: cube}
    return actions[k](x) + actions.get(7, math.exp)(x)


@program("in tests and tables", args=lambda: (normal(6), (1, 4)))
def skip_listed_indices(x, skip):
    s = 0.0
    for i in range(len(x)):
        if i in skip:
            continue
        s += x[i] ** 2 * i
    return s


@program("in tests and tables", args=lambda: (25.0,))
def piecewise_table(T):
    pieces = [(0.0, 20.0, 1.0, 0.1), (20.0, 40.0, 2.0, 0.05)]
    for low, high, a, b in pieces:
        if low <= T < high:
            return a + b * (T - low) ** 2
    raise ValueError("out of range")


@program("module constants", args=lambda: (0.5, 1.5))
def uses_imported_names(x, y):
    return sqrt(x) * exp(-y) + log(x + y) * PI + R_GAS * x


@program("module constants", args=lambda: (0.5,))
def import_inside(x):
    import math as m
    from math import sin

    import numpy as numpy_here

    return sin(x) * m.cos(x) + numpy_here.tanh(x)


@program("module constants", args=lambda: (normal(3, 3),))
def import_of_submodule_inside(A):
    from numpy import linalg as la
    from numpy.linalg import det

    return la.norm(A) * det(A + 3 * np.eye(3))


@program("module constants", args=lambda: (0.4,))
def constants_of_modules(x):
    return math.pi * x**2 + np.e**x + math.tau * x + np.finfo(float).eps * x


@program("module constants", args=lambda: (0.4, 1e-3))
def infinity_and_nan(x, eps):
    best = math.inf
    for c in (0.1, 0.5, 1.0):
        v = (x - c) ** 2 + eps
        if v < best:
            best = v
    return best if not math.isnan(best) else x


@program("module constants", args=lambda: (0.4,))
def nested_constant_containers(x):
    a, b, c = ANTOINE["ethanol"]
    return a * x - b / (c + LEGENDRE[2][2] * x)


@program("module constants", args=lambda: (0.4, 2))
def constant_computed_from_constants(x, n):
    scale = R_GAS * 2 / len(LEGENDRE)
    order = len(LEGENDRE[n]) - 1
    return scale * x**order


@program("module constants", args=lambda: (uniform(4),))
def aliased_function(x):
    f = np.log
    total = np.sum
    return total(f(x) * x)


@program("raise behind a check", args=lambda: (0.5,))
def domain_check_passes(x):
    if x <= 0:
        raise ValueError("x must be positive")
    return log(x) * x


@program("raise behind a check", args=lambda: (-0.5,), raises=ValueError)
def domain_check_fails(x):
    if x <= 0:
        raise ValueError(f"x must be positive, not {x}")
    return log(x) * x


@program("raise behind a check", args=lambda: (normal(3, 2), normal(3)))
def shape_check(A, b):
    if A.ndim != 2:
        raise ValueError("A must be a matrix")
    if A.shape[0] != b.shape[0]:
        raise ValueError("shapes do not fit: %s, %s" % (A.shape, b.shape))
    return np.sum((A.T @ b) ** 2)


@program("raise behind a check", args=lambda: (0.5, "cubic"), raises=NotImplementedError)
def unknown_method(x, method):
    if method == "linear":
        return x
    raise NotImplementedError(method)


@program("raise behind a check", args=lambda: (0.9, 50))
def convergence_check(x, maxiter):
    y = x
    for _ in range(maxiter):
        z = math.cos(y) * x
        if abs(z - y) < 1e-10:
            break
        y = z
    else:
        raise RuntimeError("no convergence")
    return z


@program("raise behind a check", args=lambda: (0.9, 2), raises=RuntimeError)
def no_convergence(x, maxiter):
    y = x
    for _ in range(maxiter):
        z = math.cos(y) * x
        if abs(z - y) < 1e-10:
            return z
        y = z
    raise RuntimeError(f"no convergence after {maxiter} iterations")


@program("raise behind a check", args=lambda: (0.5, 0.8))
def check_in_helper(x, y):
    def check(name, value, low=0.0, high=1.0):
        if not low <= value <= high:
            raise ValueError(f"{name} = {value} is not in [{low}, {high}]")
        return value

    return check("x", x) ** 2 * check(name="y", value=y)


@program("raise behind a check", args=lambda: (1.5, 0.8), raises=ValueError)
def check_in_helper_fails(x, y):
    def check(name, value):
        if value > 1:
            raise ValueError(f"{name} is too large")

    check("x", x)
    return x * y


@program("coercions", args=lambda: (0.5, 2.0))
def to_float(x, y):
    x = float(x)
    y = np.float64(y)
    return x * y + float(x * y)


@program("coercions", args=lambda: ([0.5, 1.5, -1.0], 2.0))
def asarray_of_list(values, c):
    v = np.asarray(values)
    w = np.asanyarray(values, dtype=float)
    return np.sum(v * w) ** c


@program("coercions", args=lambda: (0.7,))
def atleast_1d_of_number(x):
    v = np.atleast_1d(x)
    w = np.asarray(x)
    return np.sum(v**2) * float(w)


@program("coercions", args=lambda: (normal(4),))
def atleast_2d(x):
    A = np.atleast_2d(x)
    return np.sum(A.T @ A)


@program("coercions", args=lambda: (normal(4), 2.0))
def nan_to_num(x, c):
    with np.errstate(invalid="ignore"):
        y = np.sqrt(x)
    return np.sum(np.nan_to_num(y) * c) + np.sum(np.nan_to_num(x) ** 2)


@program("coercions", args=lambda: (normal(4), 1.5))
def errstate_and_mask(x, c):
    with np.errstate(divide="ignore", invalid="ignore"):
        r = np.where(x > 0, np.log(np.abs(x)) * c, 0.0)
    return np.sum(r)


@program("coercions", args=lambda: (3, 0.5))
def integer_arguments_become_floats(n, x):
    k = float(n)
    a = np.array([1, 2, n], dtype=float)
    return x**k * np.sum(a * x)


@program("coercions", args=lambda: (normal(5),))
def masked_store_on_computed_data(x):
    y = x**2 - 0.3
    y[y < 0] = 0
    if np.all(y == 0):
        return 0.0
    return np.sum(y) / np.max(y)


@program("coercions", args=lambda: (0.5, 0.7))
def equality_of_computed_values(a, b):
    d = a - b
    if d == 0:
        return a
    return (math.exp(a) - math.exp(b)) / d


@program("coercions", args=lambda: ((0.5, 1.5),))
def array_from_tuple(p):
    v = np.array(p, float)
    u = np.array([p[0] * 2, 1.0])
    return v @ u


# --- guards as packages write them


def _scaled(x, *args, options={}, **more):  # noqa: B006
    return x * (2.0 + len(args) + len(options)) + more.get("offset", 0.0)


@program("packages", args=lambda: (0.7,))
def empty_defaults_are_passed_on(x, args=(), kwargs={}):  # noqa: B006
    return _scaled(x, *args, **kwargs) ** 2


@program("packages", args=lambda: (1.2, 4))
def recursion_with_a_last_turn(x, most):
    def again(c, turn):
        c = math.sqrt(c + 1.0)
        if c < 5.0 and turn < most and x > 0.0:
            c = again(c, turn + 1)
        return c

    return again(x, 0)


def _small_to_zero(e, n):
    """As pymap3d does: arrays in place, numbers (which take no items) by rebinding."""
    try:
        e[abs(e) < 0.1] = 0.0
        n[abs(n) < 0.1] = 0.0
    except TypeError:
        if abs(e) < 0.1:
            e = 0.0
        if abs(n) < 0.1:
            n = 0.0
    return e * n


@program("packages", args=lambda: (0.3, 0.4), wrt=(0, 1))
def items_of_a_number(e, n):
    return _small_to_zero(e, n) ** 2


@program("packages", args=lambda: (normal(4), normal(4)), wrt=(0, 1))
def items_of_an_array(e, n):
    return np.sum(_small_to_zero(1.0 * e, n * n) ** 2)


@program("packages", args=lambda: (normal(4), uniform(4)), wrt=(0, 1))
def numpy_may_be_missing(x, y):
    try:
        x = np.asarray(x)
        angle = np.empty_like(x)
        steep = np.abs(y) < 1e-9
        angle[~steep] = np.arctan(x[~steep] / y[~steep])
        angle[steep] = np.pi / 2
    except NameError:
        angle = math.atan2(x, y)
    return np.sum(angle * angle)


@program("packages", args=lambda: (normal(4), normal(4)), wrt=(0, 1))
def a_name_for_series_only(a, b):
    product = a * b
    try:
        product.name = "product"
    except AttributeError:
        pass
    return np.sum(product * product)


@program("packages", args=lambda: (0.8, -0.5))
def unbound_name_is_caught(x, flag):
    if flag > 0:
        z = x * 2.0
    try:
        y = z + 1.0
    except NameError:
        y = x
    return y * x


@program("packages", args=lambda: (normal(3), normal(3)), wrt=(0, 1))
def columns_side_by_side(a, b):
    m = np.c_[a, b, a * b]
    v = np.r_[1.0, a, np.sum(b)]
    rows = np.r_[[a / np.linalg.norm(a)], [b]]
    return np.sum(m * m.T[0, 0]) + np.sum(v**2 * np.arange(5.0)) + np.sum(rows @ rows.T)


@program("packages", args=lambda: (0.3, 1.4), wrt=(0, 1))
def masks_of_numbers(x, y):
    V, W = np.broadcast_arrays(x, y)
    out = np.full_like(V, np.nan, dtype=np.float64)
    above = W > 1.0
    if np.any(above):
        out[above] = V[above] ** 2 * W[above]
    if np.any(~above):
        out[~above] = V[~above] * W[~above]
    return out.item()


@program("packages", args=lambda: (0.3, 0.5, 1.5), wrt=(0, 1, 2), second=False)
def parts_that_may_be_none(m, a, b, given=None):
    first, second = given, None
    flow = m * 2.0
    if a and b:
        first = flow * a
        second = flow * b + a
    elif a and first:
        second = flow - first
    return {"flow": flow, "first": first, "second": second, "a": a}


@program("packages", args=lambda: (0.3, 0.5, 0.0), wrt=(0, 1))
def truth_of_what_may_be_none(m, a, b):
    rate = None
    if a and b:
        rate = m * a
    if not rate:
        rate = m * m
    return rate * a


def _or_default(value, default):
    if value is None:
        return default
    return value


def _attest(condition, message=""):
    if not condition:
        raise AssertionError(message)


DTYPE = np.float64
OPTIONS = {"tol": 1e-8, "factor": 2.0}


@program("packages", args=lambda: (normal(3),))
def dtype_chosen_by_a_helper(a, dtype=None):
    dtype = _or_default(dtype, DTYPE)
    _attest(dtype in (np.float64, np.float32), "a float dtype")
    a = np.asarray(a, dtype)
    x, y, z = np.array([a[..., i] for i in range(a.shape[-1])])
    return dtype(x * y + z * z)


@program("packages", args=lambda: (normal(4), normal(4)), wrt=(0, 1))
def computed_under_a_mask(a, b):
    logs = np.log(a, out=np.zeros_like(a), where=np.array(a > 0))
    ratio = np.divide(a, b, out=np.ones_like(b), where=b > 0.1)
    total = np.add(ratio, logs * a, out=np.zeros_like(b))
    return np.sum(total**2)


@dataclasses.dataclass
class Sampled:
    x: float
    y: float = dataclasses.field(default=2.0, metadata={"positive": True})
    units: str = "SI"

    def __post_init__(self):
        for f in dataclasses.fields(self):
            if f.metadata.get("positive") and getattr(self, f.name) < 0:
                raise ValueError(f"{f.name} must be positive")
        for f in dataclasses.fields(self):
            if f.name in ("x", "y"):
                setattr(self, f.name, np.asarray(getattr(self, f.name), dtype=float))


@program("packages", args=lambda: (0.3, 0.5), wrt=(0, 1))
def fields_of_a_dataclass(x, y):
    given = Sampled(x, y)
    return given.x * given.y * given.y


@dataclasses.dataclass
class Rectangle:
    """A dataclass with an __init__ of its own."""

    area: float
    side: float

    def __init__(self, a, b, name=""):
        self.area = a * b
        self.side = a


def _standard(name):
    return Rectangle(2.0, 3.0, name)


@program("packages", args=lambda: (0.3,))
def object_from_a_helper(x, name="A4"):
    sheet = _standard(name)
    mine = Rectangle(x, sheet.side)
    return mine.area * sheet.area * x


@program("packages", args=lambda: (0.3, 0.4), wrt=(0, 1))
def warnings_as_errors(x, y):
    try:
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("error")
            angle = np.arctan(x / y)
    except (ArithmeticError, RuntimeWarning):
        angle = np.pi / 2
    return angle * x


@program("packages", args=lambda: (0.3,))
def import_that_fails_elsewhere(x, more={}):  # noqa: B006
    options = {**OPTIONS, **more, "x": x}
    if np.isscalar(x):
        return options["factor"] * options["x"] ** 2
    import a_module_that_nobody_has as series

    return series.total(x)


@program("packages", args=lambda: (0.3,))
def import_that_is_caught(x):
    try:
        import a_module_that_nobody_has as fast
    except ImportError:
        return x * x
    return fast.square(x)


COARSE, FINE = [1.0, 2.0, 3.5], [0.5, 1.5]
COARSE_TABLE, FINE_TABLE = [[1.0, 2.0], [0.5, 0.2]], [[1.5, 2.0], [0.5, 1.2]]


@program("packages", args=lambda: (0.7,))
def tables_by_range(x):
    if x > 1:
        points, table = COARSE, COARSE_TABLE
    else:
        points, table = FINE, FINE_TABLE
    total = 0.0
    for point in points:
        total = total + point * x**2
    for i in range(len(table)):
        for j in range(len(table[i])):
            total += table[i][j] * x
    return total + points[0] * x


@dataclasses.dataclass
class Inputs:
    x: float = 1.0
    y: float = 1.0
    unit: str = "SI"

    def __post_init__(self):
        if self.unit == "SI":
            self.x = self.x * 2.0


@dataclasses.dataclass
class ChosenInputs(Inputs):
    def __init__(self, x, y, unit="SI"):
        super().__init__(x=x, y=y, unit=unit)


@program("packages", args=lambda: (0.3, 0.5), wrt=(0, 1))
def init_of_the_parent_dataclass(x, y):
    given = ChosenInputs(x, y)
    return given.x * given.y * given.y


@program("packages", args=lambda: (normal(3) + 2.0,))
def dtype_of_an_array(a):
    a = np.asarray(a)
    same = np.float64(a)
    first = np.float64(a[..., 0])
    if first > 3 * np.finfo(a.dtype).eps:
        return np.sum(same * first)
    return first


def _cosd(angle):
    return np.cos(np.radians(angle))


def _projection(a, b):
    p = _cosd(a) * _cosd(b) + _cosd(a - b)
    try:
        p.name = "projection"
    except AttributeError:
        pass
    return p


@program("packages", args=lambda: (0.3, 30.0, 40.0))
def kinds_of_passive_calls(x, a, b):
    return x * _projection(a, b) ** 2


class Checked:
    def __init__(self, gain):
        self.gain = gain
        self.limit = None
        for name in ["gain", "limit"]:
            if self.__getattribute__(name) is not None and not self.__getattribute__(name) > 0:
                raise ValueError("{0} is {1:f}".format(name, self.gain))
        self.message = "the gain is {0:f}".format(self.gain)


@program("packages", args=lambda: (0.7, 0.4), wrt=(0, 1))
def attributes_checked_by_name(gain, x):
    return Checked(gain).gain * x * x


@program("packages", args=lambda: (33.0, 40.0), wrt=(0, 1))
def tangent_named_like_a_keyword(az, el):
    el = np.radians(el)
    az = np.radians(az)
    return np.cos(el) * np.sin(az) + el * az


BANDS = "CDEFGHJKLMNPQRSTUVWXX"


@program("packages", args=lambda: (51.2, 7.5), wrt=(0, 1), second=False)
def letters_in_the_result(latitude, longitude):
    zone = int((longitude + 180) / 6) + 1
    return latitude * 2.0, longitude * latitude, zone, BANDS[int(latitude + 80) >> 3]


MODE = "plain"


def get_mode():
    return MODE


def set_mode(mode):
    global MODE
    MODE = mode


class mode_of:
    """A setting that holds inside of a with block."""

    def __init__(self, mode):
        self.mode, self.before = mode, get_mode()

    def __enter__(self):
        set_mode(self.mode)
        return self

    def __exit__(self, *args):
        set_mode(self.before)


def quotient(a, b):
    if get_mode() == "shifted":
        return a / (b + 0.5)
    return a / b


def third(k):
    return quotient(k, 3.0)


@program("string and enum switches,module constants", args=lambda: (0.7,))
def setting_in_a_global_for_a_while(x):
    with mode_of("shifted"):
        y = quotient(x, 2.0 * x + 1.0)
    return y * quotient(1.0, x)


@program("string and enum switches,module constants", args=lambda: (0.7,))
def setting_that_inactive_calls_depend_on(x):
    with mode_of("shifted"):
        y = third(2.0)
    return x**2 * y + x * third(2.0)


@program("string and enum switches", args=lambda: (0.7,), refused="may")
def setting_that_data_decide(x):
    before = MODE
    set_mode("shifted" if x > 0.0 else "plain")
    y = quotient(x, x + 2.0)
    set_mode(before)
    return y


@functools.cache
def checked(method, methods):
    found = [m for m in methods if m.lower() == method.lower()]
    if not found:
        raise ValueError(method)
    return found[0]


SHAPES = {"linear": lambda x: 2.0 * x, "square": np.square}


@program("string and enum switches", args=lambda: (0.7,))
def method_looked_up_by_a_cached_check(x):
    return SHAPES[checked("Square", tuple(SHAPES))](x) * SHAPES[checked("linear", tuple(SHAPES))](x)


def accepted_by(function, **options):
    options = copy.copy(options)
    known = list(inspect.signature(function).parameters.keys())
    for key in set(options.keys()) - set(known):
        options.pop(key)
    return options


@program("in tests and tables", args=lambda: (0.7, 1.3))
def options_that_a_function_accepts(x, y):
    def weighted(a, weight=1.0, offset=0.0):
        return a * weight + offset

    return quotient(x, **accepted_by(quotient, b=y, scale=2.0)) + weighted(x, **accepted_by(third, k=1.0) and {})


@dataclasses.dataclass
class Polar:
    radius: float
    angle: float


@program("packages", args=lambda: (0.7, 1.3))
def fields_of_a_dataclass_as_a_tuple(x, y):
    r, t = dataclasses.astuple(Polar(x * y, x + y))
    return r * np.cos(t)


@program("isinstance", args=lambda: (0.7,))
def number_or_array_by_its_type(x):
    a = np.asarray(x, float)
    if isinstance(a, (collections.abc.KeysView, dict)):
        a = list(a)
    kind = np.float64
    return typing.cast("float", kind(a)) ** 2 * a


root_of = None


def lazily_imported(x):
    global root_of
    if root_of is None:
        from math import sqrt as root_of
    return root_of(x)


@program("module constants", args=lambda: (0.7,))
def import_into_a_global_at_the_first_use(x):
    return lazily_imported(x) * x


@program("raise behind a check", args=lambda: (0.7,))
def name_that_nobody_defined_behind_a_check(x):
    if x > 3.0:
        return x * not_defined_anywhere  # noqa: F821
    return x * x


@program("coercions", args=lambda: (np.array([0.7, 1.3]), 2.0))
def method_of_tables_only(x, y):
    share = x / y
    try:
        share.fillna(0.0, inplace=True)
    except AttributeError:
        share = np.where(np.isnan(share), 0.0, share)
    return np.sum(share * x)


@program("packages, non-differentiable steps", args=lambda: (normal(3, 3), normal(3)))
def shapes_are_checked_by_a_try(a, b):
    if a.shape != b.shape:
        try:
            np.broadcast_shapes(a.shape, b.shape)
        except ValueError as error:
            raise ValueError("these shapes do not fit") from error
    if np.issubdtype(a.dtype, np.integer):
        a = a / np.iinfo(a.dtype).max
    return np.sum(np.sin(a) * b)


if hasattr(np.ndarray, "__array_namespace__"):

    @program("packages, isinstance", args=lambda: (normal(3, 3), normal(3)))
    def functions_of_the_array_standard(a, b):
        xp = a.__array_namespace__()
        device = getattr(b, "device", None)
        if inspect.ismethod(device):
            device = device()
        if xp.isdtype(a.dtype, ("real floating", "complex floating")) and device == "cpu":
            a = a + xp.linalg.norm(b) * xp.eye(3, dtype=a.dtype)
        return xp.sum(xp.exp(-xp.linalg.solve(a, b)))
