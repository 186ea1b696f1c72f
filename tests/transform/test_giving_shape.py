"""Sums in place of what may have been broadcast: the shape is asked of what stands, and nothing is kept for it."""

import numpy as np
import pytest

from s2sad import grad
from tests import numeric


def windows(image, kernel):
    k = kernel.shape[0]
    n = image.shape[0] - k + 1
    out = np.zeros((n, n))
    for i in range(k):
        for j in range(k):
            out += kernel[i, j] * image[i : i + n, j : j + n]
    return np.sum(out * out)


def rows(x, w, n):
    out = np.zeros((3, 4))
    for i in range(2):
        out += 2.0 * (w[i] * x[i : i + n])
    return np.sum(out**3)


def overwritten(x, w, n):
    out = np.zeros((3, 4))
    for i in range(2):
        t = x[i : i + n].copy()
        u = w[i] * t
        t[0, 0] = 0.0
        out += u
    return np.sum(out**3)


def test_windows_are_not_kept():
    r = np.random.default_rng(0)
    image, kernel = r.normal(size=(5, 5)), r.normal(size=(2, 2))
    numeric.check_reverse(windows, (image, kernel), (0, 1))
    gradient = grad(windows, wrt=(0, 1))
    gradient(image, kernel)
    assert "tape" not in gradient.source


@pytest.mark.parametrize("function", [rows, overwritten])
@pytest.mark.parametrize("n", [1, 3])
@pytest.mark.parametrize("columns", [1, 4])
def test_what_was_broadcast_is_summed(function, n, columns):
    r = np.random.default_rng(1)
    x, w = r.normal(size=(4, columns)), r.normal(size=2)
    numeric.check_reverse(function, (x, w, n), (0, 1))


def bound_again(x, w, n):
    out = np.zeros((3, 4))
    for i in range(2):
        t = w[i] * x[:n]
        u = 3.0 * t
        t = t[:, :1]
        out += u
        x = x[:1]
        out += t
    return np.sum(out**3)


def carried(x, w, n):
    out, y = np.zeros((3, 4)), x[:n]
    for i in range(2):
        t = w[i] * y
        y = y[:1]
        out += t
    return np.sum(out**3)


@pytest.mark.parametrize("function", [bound_again, carried])
@pytest.mark.parametrize("columns", [1, 4])
def test_arrays_that_are_bound_again(function, columns):
    r = np.random.default_rng(2)
    x, w = r.normal(size=(4, columns)), r.normal(size=2)
    numeric.check_reverse(function, (x, w, 3), (0, 1))
