"""Lengths: what is said of them holds for all values of the symbols."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2sad.core import Facts, quote
from s2sad.kinds import dims
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Dim, Number, Static

n, m = Dim.symbol("n"), Dim.symbol("m")
i = dims.variable("i")


def bounds():
    yield None
    for c in range(-4, 5):
        yield Dim.of(c)
    yield from (n - 1, n, n - 3, n * -1, i, i + 1, i + 2, i - 1, n - 2, m, n + 1, dims.floordiv(n, Dim.of(2)))


@pytest.mark.parametrize("step", [1, 2, 3, -1, -2])
def test_slice_length(step):
    for start, stop in itertools.product(bounds(), repeat=2):
        for base in (n, n - 1, n + 1, i, dims.product(n, m), Dim.of(3), dims.clipped(n - 3)):
            length = dims.slice_length(base, start, stop, step)
            for sizes in ({"n": a, "m": b, "i$": c} for a in (2, 3, 5) for b in (2, 4) for c in (-3, -1, 0, 1, 2, 6)):
                size = dims.value(base, sizes)
                if size < 0:
                    continue
                first = None if start is None else dims.value(start, sizes)
                last = None if stop is None else dims.value(stop, sizes)
                expected = len(range(size)[first:last:step])
                assert dims.value(length, sizes) == expected, (str(base), str(start), str(stop), sizes, str(length))


LINEAR = st.builds(
    lambda a, b, c, k: n * a + m * b + i * c + k,
    st.integers(-2, 3), st.integers(-2, 2), st.integers(-1, 1), st.integers(-4, 4),
)  # fmt: skip
VALUES = st.fixed_dictionaries({"n": st.integers(2, 7), "m": st.integers(2, 7), "i$": st.integers(-5, 5)})


@settings(max_examples=300, deadline=None)
@given(LINEAR, LINEAR, VALUES)
def test_arithmetic(a, b, sizes):
    x, y = dims.value(a, sizes), dims.value(b, sizes)
    checks = {
        dims.product(a, b): x * y,
        dims.minimum(a, b): min(x, y),
        dims.maximum(a, b): max(x, y),
        dims.clipped(a): max(x, 0),
        a + b: x + y,
        a - b: x - y,
    }
    for result, expected in checks.items():
        assert dims.value(result, sizes) == expected
        low = dims.lower(result)
        assert low is None or low <= expected
    if y:
        quotient = dims.floordiv(a, b)
        assert dims.value(quotient, sizes) == x // y
        assert dims.value(dims.remainder(a, b), sizes) == x % y
        exact = dims.exact_quotient(a, b)
        assert exact is None or dims.value(exact, sizes) * y == x


def test_names_are_one_to_one():
    made = {}
    pairs = [n, m, n + 1, n - m, n * 2, i, dims.product(n, m), Dim.of(3)]
    for a, b in itertools.product(pairs, repeat=2):
        for function in (dims.product, dims.minimum, dims.maximum, dims.floordiv, dims.remainder):
            result = function(a, b)
            sizes = [{"n": u, "m": v, "i$": w} for u, v, w in [(2, 3, 5), (7, 4, -1), (11, 5, 2)]]
            values = tuple(dims.value(result, s) for s in sizes)
            assert made.setdefault(result, values) == values


def test_broadcasting():
    one, k, f = Dim.of(1), Dim.symbol("k$"), dims.fresh()
    assert dims.broadcast_shapes((n, m), (m,)) == (n, m)
    assert dims.broadcast_shapes((n, one), (one, m)) == (n, m)
    assert dims.broadcast_shapes((), (n,)) == (n,)
    assert dims.broadcast_shapes((Dim.of(3),), (Dim.of(4),)) is None
    assert dims.broadcast_shapes((n,), (k,)) == (n,)  # n is at least 2, so that k is 1 or n
    assert dims.broadcast_shapes((k,), (k,)) == (k,)
    both = dims.broadcast_shapes((k,), (f,))
    assert both not in ((k,), (f,))


def test_fresh_lengths_are_all_different():
    assert dims.fresh() != dims.fresh()


@pytest.mark.parametrize(
    "text", ["n < 2", "n == 0", "n > 1", "min(n, 5) > 0", "n // 2 > 0", "n * m > 1", "max(n - 5, m - 5) >= 0"]
)
def test_a_test_of_a_length_that_is_written_down_as_a_letter_is_not_decided(text):
    kinds = {"n": Number(int, Dim.symbol("n")), "m": Number(int, Dim.symbol("m"))}
    assert not isinstance(infer(quote(text), Facts(kinds=kinds)), Static)


@pytest.mark.parametrize(("text", "answer"), [("n < 2", False), ("n // 2 >= 0", True), ("n * m > 1", True)])
def test_a_test_of_a_length_of_a_call_is_decided(text, answer):
    kinds = {"n": Number(int, Dim.symbol("x.0")), "m": Number(int, Dim.symbol("y.0"))}
    assert infer(quote(text), Facts(kinds=kinds)) == Static(answer)


def test_what_holds_for_all_lengths_is_decided():
    kinds = {"n": Number(int, Dim.symbol("n"))}
    assert infer(quote("n >= 0"), Facts(kinds=kinds)) == Static(True)
    assert infer(quote("n + 1 > 0"), Facts(kinds=kinds)) == Static(True)
