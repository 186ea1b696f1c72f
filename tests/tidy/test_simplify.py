from __future__ import annotations

import random
from typing import Any

import gast
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from s2sad.core import Facts, quote, text
from s2sad.kinds.bind import kinds_of
from s2sad.tidy.simplify import simplify
from tests.versions import since

VALUES: dict[str, Any] = {
    "a": 1.3,
    "b": -0.7,
    "g": 2.1,
    "i": 3,
    "j": 2,
    "x": np.array([0.5, -1.5, 2.0]),
    "y": np.array([1.5, 0.3, -0.8]),
    "M": np.array([[1.0, 2.0, 0.5], [0.1, -0.4, 1.1]]),
    "u": np.array([0.5, 1.5, -2.0], np.float32),
    "v": np.array([1.25, -0.5, 0.75], np.float32),
    "s": np.float32(1.5),
    "t": np.float64(0.3),
    "k": np.array([1, 2, 3]),
    "w": np.array([100, 2, 3], np.int8),
    "m": np.array([True, False, True]),
    "z": np.array(0.4),
    "c": np.array([1.0 + 2.0j, 0.5, -1.0j]),
}


def facts() -> Facts:
    return Facts(kinds=kinds_of(VALUES), globals={"np": np})


def expression(r: random.Random, depth: int, names: str) -> str:
    c = r.random()
    if depth == 0 or c < 0.15:
        if r.random() < 0.35:
            return r.choice(["1.0", "2.0", "-1.0", "0.5", "3", "1", "2", "0.1", "-3.0"])
        return r.choice(names)
    if c < 0.25:
        return f"(-{expression(r, depth - 1, names)})"
    if c < 0.30 and not set(names) & set("uvs"):  # it would blow single precision up
        return f"np.sin({expression(r, depth - 1, names)})"
    if c < 0.36:
        return f"np.sum({expression(r, depth - 1, names)})"
    if c < 0.42:
        return f"({expression(r, depth - 1, names)}) ** {r.choice(['2', '1.0', '1', '2.0'])}"
    if c < 0.46:
        zero = r.choice(["({} + 0.0)", "(0.0 - {})", "({} - 0.0)", "(0.0 * {})", "(0 + {})"])
        return zero.format(expression(r, depth - 1, names))
    op = r.choice(["*", "*", "*", "/", "+", "-"])
    left = expression(r, depth - 1, names)
    right = left if op == "+" and r.random() < 0.3 else expression(r, depth - 1, names)
    return f"({left} {op} {right})"


def value(source: str, values: dict[str, Any] = VALUES) -> Any:
    with np.errstate(all="ignore"):
        return eval(source, {"np": np, **values})


def of_moved(source: str, share: float) -> Any:
    """The value where each float, and each complex number, is a little larger or smaller, by shares of their own."""
    moved = {
        name: (x * (1.0 + share * (-1) ** n * (1.0 + n % 5))).astype(x.dtype) if x.dtype.kind in "fc" else VALUES[name]
        for n, (name, x) in enumerate((name, np.asarray(x)) for name, x in VALUES.items())
    }
    return value(source, moved)


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 10**9))
@example(2816)  # np.sum(m ** 2.0) of bools
@example(63213)  # (a * 3) / (-a) is -3.0
@example(39299363)  # a divisor that is 0 but for rounding
@example(41931)  # np.sum(w ** 2.0) of short ints
def test_random_expressions_keep_value_shape_and_dtype(seed: int) -> None:
    check(seed)


def check(seed: int) -> bool:
    r = random.Random(seed)
    names = r.choice(["abgij", "abgijxyM", "abxuvsi", "abguvstk", "abxykmwi", "abgzxt", "abcxg", "".join(VALUES)])
    source = expression(r, r.randint(2, 5), names)
    try:
        before = value(source)
    except (ZeroDivisionError, OverflowError, ValueError, TypeError):
        return False
    if not np.isfinite(before).all():
        return False  # near a division by zero, rounding is all there is
    single = np.asarray(before).dtype in (np.float32, np.complex64) or any(n in source for n in "uvs")
    rtol = 2e-3 if single else 1e-6
    atol = (1e-4 if single else 1e-9) * np.max(np.abs(np.asarray(before)), initial=1.0)
    try:
        moved = of_moved(source, 2e-7 if single else 1e-15)
    except (ZeroDivisionError, OverflowError):
        return False
    if not np.allclose(before, moved, rtol=rtol, atol=atol):
        return False  # a few roundings decide what it is
    after = text(simplify(quote(source), facts(), fresh=r.random() < 0.5))
    try:
        got = value(after)
    except ZeroDivisionError:
        return False
    message = f"{source}\n{after}\n{before!r}\n{got!r}"
    assert np.shape(before) == np.shape(got), message
    if since("numpy", "2.0") or np.ndim(before):  # in NumPy 1 an np.float32 times a float is a float
        assert np.asarray(before).dtype == np.asarray(got).dtype, message
    assert isinstance(before, np.ndarray) == isinstance(got, np.ndarray), message
    assert np.allclose(before, got, rtol=rtol, atol=atol, equal_nan=True), message
    return after != text(quote(source))


CASES = {
    "-(a * -b)": "a * b",
    "[np.zeros_like(x), np.zeros_like(y)][-1]": "np.zeros_like(y)",
    "[np.zeros_like(x), 0.0][1]": "0.0",
    "[np.zeros_like(x), np.sin(y)][0]": "[np.zeros_like(x), np.sin(y)][0]",
    "[np.zeros_like(side(x)), 0.0][1]": "[np.zeros_like(side(x)), 0.0][1]",
    "2.0 * (g * 0.5)": "g",
    "a * 1.0": "a",
    "x * 1.0": "x.copy()",
    "x * 1.0 + y": "x + y",
    "1.0 * g / x": "g / x",
    "a + 0.0": "a",
    "a - -b": "a + b",
    "a * b / b": "a",
    "g / (a * b) * a": "g / b",
    "x / y * g * y": "x * g",
    "a / x * x": "a / x * x",
    "u * v / u": "u * v / u",
    "i * a / i": "i * a / i",
    "0.0 * a": "0.0 * a",
    "a ** 1.0": "a",
    "g * a + g * a": "2.0 * g * a",
    "-a + b": "b - a",
    "2.0 * 3.0 * a": "6.0 * a",
    "--a": "a",
    "np.sum(x * x)": "x @ x",
    "np.sum(2.0 * x * y)": "2.0 * (x @ y)",
    "np.sum(-x)": "-np.sum(x)",
    "np.sum(x ** 2)": "x @ x",
    "np.sum(M * M)": "np.sum(M * M)",
    "M.T.T @ x": "M @ x",
    "(M.T @ M).T": "M.T @ M",
    "(M.T @ M).T.copy()": "M.T @ M",
    "M.T.copy()": "M.T.copy()",
    "(M @ M.T).T": "M @ M.T",
    "(M.T @ x).T": "M.T @ x",
    "g * x * 0.5 * a": "0.5 * g * x * a",
    "1.0 / (a * a) * g * -1.0": "-g / (a * a)",
    "a + b * -2.0": "a - 2.0 * b",
    "i * 1.0": "i * 1.0",
    "1.0 * k": "1.0 * k",
    "w * (2.0 * u)": "w * (2.0 * u)",
    "g * 2.0 * a ** (2 - 1)": "2.0 * g * a",
    "-(a - b) * g": "(b - a) * g",
    "0.1 * a * 0.3": "0.03 * a",
    "a / 3.0 * 2.0": "2.0 * a / 3.0",
    "1.0 * (x @ y)": "x @ y",
    "f(a) * g * 1.0": "f(a) * g * 1.0",
    "np.sum(M[:, :, None] * x, axis=1, keepdims=True)[:, 0]": "np.sum(M[:, :, None] * x, axis=1)",
    "np.sum(M[:, :, None] * x, axis=(1, 2), keepdims=True)[:, 0, 0].copy()": "np.sum(M[:, :, None] * x, axis=(1, 2))",
    "np.sum(M[:, :, None] * x, axis=(0, 2), keepdims=True)[0, :, 0]": "np.sum(M[:, :, None] * x, axis=(0, 2))",
    "np.sum(M * x, axis=0, keepdims=True)[0, 1]": "np.sum(M * x, axis=0, keepdims=True)[0, 1]",
}


@pytest.mark.parametrize("source", CASES)
def test_case(source: str) -> None:
    assert text(simplify(quote(source), facts(), fresh=True)) == CASES[source]


def test_what_does_not_change_is_the_same_node() -> None:
    for source in ("a * b + x", "np.sin(x) * y", "x[i] - a / b"):
        node = quote(source)
        assert simplify(node, facts()) is node
    assert isinstance(simplify(quote("a * 1.0"), facts()), gast.Name)
