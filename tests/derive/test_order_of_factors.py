"""The primal's values keep every bit, and factors of the run their order: random programs near the ends of the range.

The truth is a forward sweep in long double; what may be expected of a derivative is what a forward and a reverse sweep
give that compute each product as it stands, in the dtype of the program.
"""

from __future__ import annotations

import linecache
import random
from typing import Any

import numpy as np
import pytest

import s2sad
from tests import amounts

TYPES: dict[str, Any] = {"half": np.float16, "single": np.float32, "double": np.float64}
LITERALS = {
    "half": [100.0, 250.0, 0.01, 4e-3],
    "single": [1e20, 3e18, 1e-20, 1e30, 1e-30],
    "double": [1e200, 1e150, 1e-200, 1e-160, 3e180],
}
SIZES = {
    "half": [1, 1, 20, 0.02],
    "single": [1, 1, 1e18, 1e-18, 1e25],
    "double": [1, 1, 1e150, 1e-150, 1e200, 1e-200],
}
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


class Writer:
    """Writes programs of products, quotients, sums, literals, lengths, calls, loops, branches and stores."""

    def __init__(self, seed: int) -> None:
        self.r = random.Random(seed)
        self.dtype = self.r.choice(list(TYPES))

    def literal(self) -> str:
        return repr(self.r.choice([2.0, 0.5, 3.0, 0.1, 7.0, *LITERALS[self.dtype] * 2]))

    def number(self) -> str:
        return self.r.choice(["a", "b", "c", "a", "n", "m", "(a * b)", "(a / c)", self.literal(), self.literal()])

    def vector(self, depth: int) -> str:
        if depth == 0:
            return self.r.choice(["x", "y", "x", "np.exp(-x)", "x * y", "x**2"])
        forms = ["{s} * ({v})", "({v}) * {s}", "({v}) / {s}", "({v}) / {s} / {t}", "({v}) * {t} / {t}", "h({v}, {s})"]
        forms += ["({v}) * ({u})", "({v}) / ({u})", "-({v})", "({v}) + ({w})", "({v}) - ({w})"]
        parts = {"s": self.number(), "t": self.literal(), "v": self.vector(depth - 1), "w": self.vector(depth - 1)}
        return self.r.choice(forms).format(**parts, u=self.vector(0))

    def statements(self) -> list[str]:
        return self.r.choice(
            [
                [f"y = {self.vector(2)}"],
                ["y = y.copy()", f"y[0] = {self.number()} * x[1] / {self.literal()} / n"],
                ["y = y + 0.0", f"y *= {self.number()}", f"y /= {self.number()}"],
                ["for _ in range(2):", f"    y = y * {self.number()} / {self.number()} + x * {self.literal()}"],
                [f"if a * b / {self.number()} > 1.0:", f"    y = y * {self.number()} / c", "else:", "    y = -y * a"],
                [f"k = a * {self.number()} / {self.literal()}", "y = k * y * b"],
            ]
        )

    def program(self, simple: bool) -> Any:
        lines = ["def h(u, s):", f"    return s * u / {self.literal()}", "def f(x, y, a, b, c):"]
        body = ["n = x.shape[0]", "m = len(y)"]
        for _ in range(0 if simple else self.r.randint(0, 3)):
            body += self.statements()
        form = self.r.choice(
            ["np.sum({})", "np.sum({}) / n / m", "a * np.sum({})", "np.sum({}) / b * c", "np.sum({}) * np.sum(x)"]
            + ([] if simple else ["np.mean({})", "({}) @ y", "{}", "np.sum({}, axis=0) * 2.0 * a"])
        )
        body.append(f"return {form.format(self.vector(self.r.randint(1, 4)))}")
        source = "\n".join([*lines, *("    " + line for line in body)]) + "\n"
        file = f"<order of factors {hash(source)}>"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        names: dict[str, Any] = {"np": np}
        exec(compile(source, file, "exec"), names)
        return names["f"]

    def arguments(self) -> list[Any]:
        dtype = TYPES[self.dtype]
        numbers = self.r.choice([float, dtype])

        def size() -> float:
            return float(self.r.choice(SIZES[self.dtype]))

        vectors = [np.array([self.r.uniform(0.5, 1.5) for _ in range(3)]) * size() for _ in range(2)]
        scalars = [numbers(dtype(self.r.uniform(0.5, 1.5) * size())) for _ in range(3)]
        return [*(v.astype(dtype) for v in vectors), *scalars]


def unit(x: Any, i: int) -> Any:
    if np.ndim(x) == 0:
        return type(x)(1)
    along = np.zeros_like(x)
    along[i] = 1
    return along


def derivative(name: str, f: Any, at: int) -> Any:
    return getattr(s2sad, name)(f, wrt=at)


@pytest.mark.parametrize("first", range(0, 40, 5))
def test_values_keep_every_bit(first):
    for seed in range(first, first + 5, 1 if amounts.ALL else 2):
        writer = Writer(seed)
        f, args = writer.program(False), writer.arguments()
        try:
            value = f(*[np.copy(a) if np.ndim(a) else a for a in args])
        except (ZeroDivisionError, OverflowError):
            continue
        for at in (0, 2):
            along = [unit(args[at], 0)]
            names = ["value_and_grad", "vjp", "jvp"] if np.ndim(value) == 0 else ["vjp", "jvp"]
            for name in names:
                d = derivative(name, f, at)
                try:
                    got = d(*args, *(along if name == "jvp" else []))[0]
                except (ZeroDivisionError, OverflowError):
                    continue  # of the derivative alone
                assert np.asarray(got).dtype == np.asarray(value).dtype, d.source
                np.testing.assert_array_equal(got, value, err_msg=d.source, strict=True)


class Value:
    """A value and, for each value that it is computed of, what takes a tangent or a cotangent over between the two."""

    __array_priority__ = 1000

    def __init__(self, v: Any, *edges: tuple[Any, Any]) -> None:
        self.v = v
        self.edges = [(parent, over) for parent, over in edges if isinstance(parent, Value)]

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any) -> Any:
        return RULES[ufunc](*args)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return Value(np.sum(args[0].v), (args[0], "sum"))

    def __mul__(self, other: Any) -> Any:
        return product(self, other)

    def __rmul__(self, other: Any) -> Any:
        return product(other, self)

    def __truediv__(self, other: Any) -> Any:
        return quotient(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return quotient(other, self)

    def __add__(self, other: Any) -> Any:
        return total(self, other)

    def __sub__(self, other: Any) -> Any:
        return difference(self, other)

    def __neg__(self) -> Any:
        return Value(-self.v, (self, lambda d: -d))

    def __pow__(self, two: int) -> Any:
        return Value(self.v**two, (self, lambda d: d * (2.0 * self.v)))

    @property
    def shape(self) -> Any:
        return self.v.shape

    def __len__(self) -> int:
        return len(self.v)


def plain(x: Any) -> Any:
    return x.v if isinstance(x, Value) else x


def product(a: Any, b: Any) -> Any:
    return Value(plain(a) * plain(b), (a, lambda d: d * plain(b)), (b, lambda d: d * plain(a)))


def quotient(a: Any, b: Any) -> Any:
    y = plain(a) / plain(b)
    return Value(y, (a, lambda d: d / plain(b)), (b, lambda d: -d * y / plain(b)))


def total(a: Any, b: Any) -> Any:
    return Value(plain(a) + plain(b), (a, lambda d: d), (b, lambda d: d))


def difference(a: Any, b: Any) -> Any:
    return Value(plain(a) - plain(b), (a, lambda d: d), (b, lambda d: -d))


def exponential(x: Any) -> Any:
    return Value(np.exp(x.v), (x, lambda d: d * np.exp(x.v)))


RULES = {
    np.multiply: product,
    np.true_divide: quotient,
    np.add: total,
    np.subtract: difference,
    np.exp: exponential,
}


def in_order(f: Any, args: list[Any], at: int) -> tuple[Any, Any]:
    """The derivative by a forward sweep (of each element), and by a reverse sweep."""
    x = Value(args[at])
    result = f(*args[:at], x, *args[at + 1 :])
    if not isinstance(result, Value):
        return None, None
    order: list[Value] = []

    def visit(value: Value) -> None:
        if all(value is not o for o in order):
            for parent, _ in value.edges:
                visit(parent)
            order.append(value)

    visit(result)
    columns = []
    for i in range(np.size(x.v)):
        tangents: dict[int, Any] = {id(x): unit(x.v, i)}
        for value in order:
            for parent, over in value.edges:
                d = tangents[id(parent)]
                d = np.sum(d) if over == "sum" else over(d)
                tangents[id(value)] = tangents.get(id(value), 0.0) + d
        columns.append(tangents[id(result)])
    cotangents: dict[int, Any] = {id(result): type(result.v)(1)}
    for value in reversed(order):
        for parent, over in value.edges:
            d = cotangents[id(value)]
            d = np.full(parent.v.shape, d, parent.v.dtype) if over == "sum" else over(d)
            d = np.sum(d) if np.ndim(d) > np.ndim(parent.v) else d
            cotangents[id(parent)] = cotangents.get(id(parent), 0.0) + d
    return np.reshape(columns, np.shape(x.v)), cotangents[id(x)]


@pytest.mark.parametrize("first", range(0, 120, 10))
def test_derivatives_are_right_where_they_are_in_order(first):
    for seed in range(first, first + 10, 1 if amounts.ALL else 2):
        writer = Writer(seed)
        f, args = writer.program(True), writer.arguments()
        dtype = TYPES[writer.dtype]
        for at in (0, 2):
            try:
                forward, reverse = in_order(f, args, at)
                wide = [a.astype(np.longdouble) if np.ndim(a) else np.longdouble(a) for a in args]
                want = in_order(f, wide, at)[0]
            except (ZeroDivisionError, OverflowError):
                continue
            if forward is None or not np.isfinite(forward).all() or not np.isfinite(f(*args)):
                continue
            if not (np.abs(want) > 1e-3 * np.abs(forward.astype(np.longdouble))).all():
                continue  # what cancels is rounding
            tolerance = 60 * np.finfo(dtype).eps * np.max(np.abs(want)) + 4 * float(np.finfo(dtype).smallest_subnormal)
            tolerance += 20 * np.max(np.abs(forward - want))
            d = derivative("jvp", f, at)
            got = np.reshape([d(*args, unit(args[at], i))[1] for i in range(np.size(args[at]))], np.shape(args[at]))
            assert (np.abs(got - want) <= tolerance).all(), (got, want, d.source)
            if np.isfinite(reverse).all():
                tolerance += 20 * np.max(np.abs(reverse - want))
                d = derivative("grad", f, at)
                got = d(*args)
                assert (np.abs(got - want) <= tolerance).all(), (got, want, d.source)


@pytest.mark.parametrize("dtype, a, b", [(np.float16, 300, 300), (np.float32, 1e20, 1e20), (np.float64, 1e200, 1e200)])
def test_numbers_that_scale_a_result_are_not_multiplied_first(dtype, a, b):
    def nested(x, a, b):
        return np.sum(a * (b * np.exp(-x)))

    def by_quotients(x, a, b):
        return np.sum(np.exp(-x) * 0.125 / (1.0 / a) / (1.0 / b)) / 2.0

    least = np.log(np.finfo(dtype).tiny) / -2
    x = np.array([least, least + 0.5]).astype(dtype)
    for f in (nested, by_quotients):
        value, gradient = s2sad.value_and_grad(f)(x, dtype(a), dtype(b))
        assert value == f(x, dtype(a), dtype(b))
        scale = np.exp(-x.astype(float)) if f is nested else np.exp(-x.astype(float)) * 0.0625
        np.testing.assert_allclose(gradient, -(a * scale) * b, rtol=0.02 if dtype is np.float16 else 1e-4)


@pytest.mark.parametrize("dtype, text", [(np.float16, "0.1 * (0.3 * x)"), (np.float32, "1e+20 * (1e+20 * x)")])
def test_literals_that_are_another_number_together_stay_apart(dtype, text):
    double, small = np.ones(2), np.ones(2, dtype)
    names = {"np": np}
    source = f"def f(x):\n    return np.sum({text.replace('x', 'np.exp(x)')})\n"
    file = f"<literals {text}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    exec(compile(source, file, "exec"), names)
    d = s2sad.grad(names["f"])
    d(small)
    assert text.replace("x", "np.exp(x)") in d.source
    d(double)
    assert "0.03 * np.exp(x)" in d.source or "1e+20" in text


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_literals_that_are_exact_together_meet(dtype):
    def f(x):
        return np.sum(2.0 * (0.5 * np.exp(x)))

    d = s2sad.grad(f)
    d(np.ones(2, dtype))
    assert "return np.exp(x)" in d.source


def of_a_length(x, d):
    return len(d) * x * 2


def test_a_slope_that_is_a_length_alone_is_a_float():
    slope = s2sad.grad(of_a_length)(1.5, [1, 2])
    assert type(slope) is float and slope == 4.0
