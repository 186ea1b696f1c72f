"""What values the variable of a loop takes says how long slices are that move with it."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from s2sad import grad
from tests.numeric import check

_RNG = np.random.default_rng(7)
x, w, A = _RNG.normal(size=9), _RNG.normal(size=3), _RNG.normal(size=(5, 5))


def windows(x, w):
    k = len(w)
    y = 0.0
    for i in range(len(x) - k + 1):
        y = y + np.sum(np.tanh(x[i : i + k] * w))
    return y


def windows_from_the_end(x, w):
    y = 0.0
    for i in range(len(x) - len(w), -1, -1):
        y = y + np.sum(np.tanh(x[i : i + len(w)] * w))
    return y


def every_second(x, w):
    y = 0.0
    for i in reversed(range(1, len(x) - len(w), 2)):
        y = y + np.sum(np.tanh(x[i - 1 : i - 1 + len(w)] * w))
    return y


@pytest.mark.parametrize("f", [windows, windows_from_the_end, every_second])
def test_a_window_that_fits_is_as_long_as_it_says(f):
    check(f, (x, w), wrt=(0, 1))
    assert "unbroadcast" not in inspect.getsource(grad(f, wrt=(0, 1)).specialize(x, w))


def clipped(x, w):
    """The last windows are shorter, down to one element."""
    y = 0.0
    for i in range(len(x)):
        y = y + np.sum(np.tanh(x[i : i + len(w)])) * w[0]
    return y


def broadcast(x, w):
    """The last window has one element, that is broadcast."""
    y = 0.0
    for i in range(len(x) - len(w), len(x), 2):
        y = y + (np.sum(x[i : i + len(w)] * w) if i != len(x) - 1 - 2 + 1 else 0.0)
    return y


def one_left(x, w):
    y = 0.0
    for i in range(len(x) - 1, len(x)):
        y = y + np.sum(x[i : i + 3] * w)
    return y


def wraps(x, w):
    """Before the start, indices count from the end."""
    y = 0.0
    for i in range(-3, 1):
        y = y + np.sum(x[i:] ** 2) * w[0] + x[i]
    return y


def changed_inside(x, w):
    y = 0.0
    for i in range(len(x) - len(w)):
        i = i + 2
        y = y + np.sum(x[i : i + len(w)]) * np.sum(w[: i + 1])
    return y * x[i]


def behind_the_loop(x, w):
    for i in range(len(w)):
        x = x * w[i]
    return np.sum(x[i:] ** 2) + np.sum(x[: i + 1])


def triangle(x, w):
    y = 0.0
    for i in range(len(x)):
        for j in range(i, len(x)):
            y = y + np.sum(x[i:j] ** 2) * w[0] + x[j] * x[j - i]
    return y


def grown(x, w):
    """The bound of the loop moves while it runs, and the loop does not."""
    n = 3
    y = 0.0
    for i in range(n):
        n = n + 2
        y = y + np.sum(x[i:n] ** 2) * w[i]
    return y


def in_step(x, w):
    y = 0.0
    for k, v in enumerate(w):
        y = y + np.sum(x[k : k + 7] ** 2) * v + np.sum(x[: len(w) - k])
    return y


@pytest.mark.parametrize(
    "f", [clipped, broadcast, one_left, wraps, changed_inside, behind_the_loop, triangle, grown, in_step]
)
def test_windows_that_are_cut_off_or_turn_around(f):
    check(f, (x, w), wrt=(0, 1))


def pivots(x, w):
    """The largest element of what is left changes places with the first: an int that numpy finds is an int."""
    x = x.copy()
    for k in range(len(x) - 1):
        p = k + np.argmax(np.abs(x[k:]))
        x[k], x[p] = x[p], x[k]
        x[k + 1 :] -= 0.1 * x[k] * w[0]
    return np.sum(x * np.arange(1.0, 10.0))


def ranked_rests(x, w):
    y = 0.0
    for k in range(len(x) - 2):
        rest = np.sort(x[k + 1 :])
        y = y + rest[0] * w[0] + np.median(x[k:]) * np.ptp(x[: k + 2]) + np.sum(np.cumsum(x[k:]) * x[k:])
    return y


@pytest.mark.parametrize("f", [pivots, ranked_rests])
def test_what_functions_give_for_the_rest_behind_the_variable(f):
    check(f, (x, w), wrt=(0, 1))
