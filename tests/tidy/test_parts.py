"""Small arrays of which every item is stored are made of their items; what is anything else stays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from s2sad import grad, vjp
from s2sad.core import Facts, statements, text
from s2sad.kinds.kind import Array, Dim, Kind, Number
from s2sad.tidy.parts import checked_counts, made_of_parts
from tests import numeric

ZEROS = "a = np.zeros_like(x)\n"
CASES = {
    "in order": ("a[0] = u\na[1] = v", "a = np.array([u, v])"),
    "backwards": ("a[1] = u * v\na[0] = u", "a = np.array([u, u * v])"),
    "behind others": ("w = u\na[0] = u\na[1] = v", None),
    "one twice": ("a[0] = u\na[0] = v", None),
    "one alone": ("a[0] = u", None),
    "one added to": ("a[0] = u\na[1] += v", None),
    "reads itself": ("a[0] = u\na[1] = a[0] * v", None),
    "from the end": ("a[0] = u\na[-1] = v", None),
    "of an int": ("a[0] = u\na[1] = n", None),
    "of a complex number": ("a[0] = u\na[1] = c", None),
    "of what is not known": ("a[0] = u\na[1] = f(u)", None),
}


def facts(a: Kind) -> Facts:
    kinds: dict[str, Kind] = {"a": a, "x": a, "n": Number(int), "c": Number(complex)}
    known = Facts(kinds=kinds | dict.fromkeys("uvw", Number(float)))
    known.globals["np"] = np
    return known


def vector(length: Any, dtype: Any = float) -> Array:
    return Array(np.dtype(dtype), (Dim.of(length) if isinstance(length, int) else Dim.symbol(length),))


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    stores, expected = CASES[name]
    before = statements(ZEROS + stores)
    after = made_of_parts(before, facts(vector(2)))
    assert text(after) == (text(before) if expected is None else expected)


@pytest.mark.parametrize("a", [vector(3), vector("n"), vector(2, np.float32), vector(2, complex)])
def test_other_lengths_and_types_stay(a: Array) -> None:
    before = statements(ZEROS + "a[0] = u\na[1] = v")
    assert text(made_of_parts(before, facts(a))) == text(before)


@pytest.mark.parametrize(
    ("check", "length"),
    [
        ("_, _ = x", 2),
        ("[None for _, _ in [x]]", 2),
        ("_, *_ = x", None),
        ("[None for _, *_ in [x]]", None),
        ("p, q = f(x)", None),
        ("if u:\n    _, _ = x", None),
    ],
)
def test_what_was_unpacked_has_a_length(check: str, length: int | None) -> None:
    known = facts(vector("n"))
    assert checked_counts(statements(check), known) == ({} if length is None else {Dim.symbol("n"): length})
    body = statements(check + "\n" + ZEROS + "a[0] = u\na[1] = v")
    assert ("np.array([u, v])" in text(made_of_parts(body, known))) == (length is not None)


def test_a_check_behind_says_nothing_of_what_is_before() -> None:
    body = statements(ZEROS + "a[0] = u\na[1] = v\nif u:\n    return a\n_, _ = x\nreturn a")
    assert text(made_of_parts(body, facts(vector("n")))) == text(body)


def lorenz(s: Any) -> Any:
    x, y, z = s
    return np.array([10.0 * (y - x), x * (28.0 - z) - y, x * y - z])


def either(s: Any, n: int) -> Any:
    if n == 2:
        x, y = s
        return x * y
    return s[0] * s[1]


def test_derivatives() -> None:
    s, g = np.array([0.3, 0.7, 1.1]), np.array([1.0, -2.0, 0.5])
    numeric.check_reverse(lorenz, (s,), 0)
    pullback = vjp(lorenz)(s)[1]
    np.testing.assert_allclose(pullback(2.0 * g), 2.0 * pullback(g))
    single = s.astype(np.float32)
    assert vjp(lorenz)(single)[1](g.astype(np.float32)).dtype == np.float32
    np.testing.assert_allclose(grad(either)(s, 3), [0.7, 0.3, 0.0])
    np.testing.assert_allclose(grad(either)(s[:2], 2), [0.7, 0.3])
