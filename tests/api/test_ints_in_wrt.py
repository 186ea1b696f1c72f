"""Ints among the numbers with respect to which is differentiated: they vary, and stay ints where one is asked for."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import DerivationError, grad, jvp, value_and_grad


def turns(config, x):
    for _ in range(config["steps"]):
        x = x - config["rate"] * x**3
    return x @ x


def edges(table, x):
    return sum(w * (x[i] - x[j]) ** 2 for i, j, w in table)


def digits(d):
    return d["w"] ** 2 * len(f"{d['n']}") + len(str(d["n"]))


def head(x, n):
    return np.sum(x[:n]) * n


def bits(d):
    return d["w"] * (d["n"] >> 1) + (d["n"] & 1)


def powers(d):
    return d["w"] * len(range(2 ** d["n"])) * (1 << d["n"]) + d["w"] * isinstance(d["n"] / 2, float)


def handed_on(d):
    return d["w"] * d["b"] + d["b"] ** 2 / 3


X = np.array([1.0, 3.0, 2.0])
CASES = (
    (turns, ({"steps": 3, "rate": 0.1}, X), {"steps": 0.0, "rate": None}),
    (edges, ([[0, 1, 0.5], [1, 2, 1.5]], X), [[0.0, 0.0, 4.0], [0.0, 0.0, 1.0]]),
    (digits, ({"w": 0.5, "n": 12},), {"w": 2.0, "n": 0.0}),
    (bits, ({"w": 0.5, "n": 5},), {"w": 2.0, "n": 0.0}),
    (powers, ({"w": 0.5, "n": 3},), {"w": 65.0, "n": 0.0}),
    (handed_on, ({"w": 1.5, "b": 0},), {"w": 0.0, "b": 1.5}),
)


@pytest.mark.parametrize(("f", "args", "expected"), CASES)
def test_ints_stay_ints_where_one_is_asked_for(f, args, expected):
    value, gradient = value_and_grad(f)(*args)
    assert value == pytest.approx(f(*args))
    if f is turns:
        h = 1e-6
        (up, x), (down, _) = ({**args[0], "rate": 0.1 + h}, X), ({**args[0], "rate": 0.1 - h}, X)
        expected = {**expected, "rate": (turns(up, x) - turns(down, x)) / (2 * h)}
    flat = {str(k): v for k, v in _leaves(gradient)}
    assert flat == pytest.approx({str(k): v for k, v in _leaves(expected)}, rel=1e-6)
    assert all(type(v) in (float, np.float64) for v in flat.values())
    assert jvp(f)(*args, args[0])[0] == pytest.approx(value)


def _leaves(tree, path=()):
    if isinstance(tree, (dict, list)):
        for k, v in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from _leaves(v, (*path, k))
    else:
        yield path, tree


def test_an_int_that_is_an_argument():
    value, (bx, bn) = value_and_grad(head, (0, 1))(X, 2)
    assert (value, bn) == (8.0, 4.0)
    np.testing.assert_array_equal(bx, [2.0, 2.0, 0.0])


def by_isinstance(d):
    return d["w"] ** 3 * d["n"] if isinstance(d["n"], int) else d["w"]


def by_type(values):
    total = 0.0
    for v in values:
        total += v * v if type(v) is float else v * 10
    return total


def a_number(d):
    return d["w"] * d["n"] if isinstance(d["n"], (int, float)) else d["w"]


def of_what_is_made_of_it(d):
    m = -(2 * d["n"] + 1)
    return d["w"] ** 3 if isinstance(m, int) else d["w"]


def of_a_sum(d):
    total = 0
    for _ in range(2):
        total = total + d["n"]
    return d["w"] ** 3 if isinstance(total, int) else d["w"]


ASKING = [(f, {"w": 1.5, "n": 3}) for f in (by_isinstance, of_what_is_made_of_it, of_a_sum)]


@pytest.mark.parametrize(("f", "argument"), [*ASKING, (by_type, [1, 2.5, 3])])
def test_functions_that_ask_for_the_type(f, argument):
    """As a float it would take another path than the function does."""
    with pytest.raises(DerivationError, match="asks whether this is an int"):
        grad(f)(argument)


def test_functions_that_ask_for_a_number():
    assert grad(a_number)({"w": 1.5, "n": 3}) == {"w": 3.0, "n": 1.5}
