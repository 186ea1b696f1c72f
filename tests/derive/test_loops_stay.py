"""Loops over items of one kind are loops in the derivative, whatever their number."""

from __future__ import annotations

import math

import numpy as np
import pytest

from s2sad import grad, jvp
from tests import amounts


def kalman(q, r, observations):
    m, p, total = 0.0, 1.0, 0.0
    for o in observations:
        p = 0.81 * p + q
        s = p + r
        k = p / s
        e = o - 0.9 * m
        m = 0.9 * m + k * e
        p = (1.0 - k) * p
        total += 0.5 * (math.log(s) + e * e / s)
    return total


def mixed(q, r, observations):
    total = 0.0
    for place, (o, w) in enumerate(zip(observations, observations, strict=False)):
        if o > 0.4:
            total += math.sin(q * o) * w
        else:
            total += q * r * place
    return total


def filtered(q, r, observations):
    return sum([math.exp(q * o) for o in observations if o > 0.2]) * r


def stopped(q, r, observations):
    total = q
    for o in observations:
        total = total * (1.0 + r * o)
        if total > 0.5:
            break
        total += o
    return total


def taken_apart(q, r, observations):
    a, b, *others = [math.sin(q * o) * r for o in observations]
    for o in observations:
        a += o * b
        b *= q
    return a * b + sum(others) + observations[1]


def changed_behind(q, r, observations):
    kept = [q * o for o in observations]
    for k, o in enumerate(kept):
        q = q + o * k
        r = r * q
    kept[0] = r
    return q + kept[0] + kept[-1]


PROGRAMS = [kalman, mixed, filtered, stopped, taken_apart, changed_behind]
FORMS = {"list": list, "tuple": tuple, "array": np.array}


def slopes(f, args, eps=1e-6):
    """The derivatives of a function with respect to its first two arguments."""
    q, r, items = args
    by_q = (f(q + eps, r, items) - f(q - eps, r, items)) / (2.0 * eps)
    return by_q, (f(q, r + eps, items) - f(q, r - eps, items)) / (2.0 * eps)


@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("count", [2, 3, 5, 17])
def test_right_for_every_number_of_items(f, form, count):
    if f is taken_apart and form == "array":
        pytest.skip("how many items the array has is not known")
    args = 0.3, 0.7, FORMS[form]([0.1 + 0.9 * k / count for k in range(count)])
    expected = slopes(f, args)
    np.testing.assert_allclose(grad(f, wrt=("q", "r"))(*args), expected, rtol=1e-6, atol=1e-8)
    _, tangent = jvp(f, wrt=("q", "r"))(*args, (1.0, 2.0))
    np.testing.assert_allclose(tangent, expected[0] + 2.0 * expected[1], rtol=1e-6, atol=1e-8)
    if not amounts.ALL and (count in (3, 17)) is (form == "list"):
        return  # twice, by turns
    slope = grad(f)
    curved = grad(slope)(*args)
    near = (slope(0.3 + 1e-6, *args[1:]) - slope(0.3 - 1e-6, *args[1:])) / 2e-6
    np.testing.assert_allclose(curved, near, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("f", [kalman, mixed, stopped])
@pytest.mark.parametrize("form", ["list", "tuple"])
def test_one_text_for_every_number_of_items(f, form):
    texts = set()
    for count in (5, 12, 40):
        derivative = grad(f)
        derivative(0.3, 0.7, FORMS[form]([0.1 + 0.9 * k / count for k in range(count)]))
        texts.add(derivative.source)
    assert len(texts) == 1


@pytest.mark.parametrize("f", [kalman, mixed, stopped])
def test_one_text_whatever_was_derived_before(f, monkeypatch):
    """Lengths of lists are no part of what is derived for, once there were several: it is the same text."""
    monkeypatch.setenv("S2SAD_CACHE", "0")
    texts = set()
    before = [("list", 2), ("tuple", 2), ("list", 5), ("tuple", 5), ("array", 17)]
    for form, count in [*before, ("list", 5), ("list", 12), ("list", 40)]:
        derivative = grad(f)
        derivative(0.3, 0.7, FORMS[form]([0.1 + 0.9 * k / count for k in range(count)]))
        if form == "list" and count > 2:
            texts.add(derivative.source)
    assert len(texts) == 1


@pytest.mark.parametrize("f", [kalman, mixed, changed_behind])
@pytest.mark.parametrize("count", [2, 5, 12])
def test_the_items_have_derivatives(f, count):
    items = [0.15 + 0.7 * k / count for k in range(count)]
    found = grad(f, wrt="observations")(0.3, 0.7, items)
    for k in range(count):
        up, down = ([x + e * (k == i) for i, x in enumerate(items)] for e in (1e-6, -1e-6))
        np.testing.assert_allclose(found[k], (f(0.3, 0.7, up) - f(0.3, 0.7, down)) / 2e-6, rtol=1e-5, atol=1e-8)


def short(w, xs):
    total = 0.0
    for x in xs:
        total += w * x * x
    return total


def test_what_is_shorter_is_written_out():
    derivative = grad(short)
    derivative(2.0, [1.0, 2.0, 3.0])
    assert "for" not in derivative.source
    derivative(2.0, [1.0, 2.0, 3.0, 4.0])
    assert "for " in derivative.source


def by_layers(weights, x):
    for w in weights:
        x = np.tanh(w * x)
        x = x + 0.1 * w
    return np.sum(x)


def test_arrays_of_one_shape_stay_in_a_loop():
    rng = np.random.default_rng(0)
    weights, x = [rng.normal(size=3) for _ in range(4)], rng.normal(size=3)
    derivative = grad(by_layers)
    found = derivative(weights, x)
    assert "unbroadcast" not in derivative.source
    for k, i in [(0, 0), (2, 1), (3, 2)]:
        up, down = ([w + e * np.eye(3)[i] * (j == k) for j, w in enumerate(weights)] for e in (1e-6, -1e-6))
        np.testing.assert_allclose(found[k][i], (by_layers(up, x) - by_layers(down, x)) / 2e-6, rtol=1e-5)
