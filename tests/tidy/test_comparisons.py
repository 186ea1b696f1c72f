"""What the backward sweep only compares is kept as comparisons."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from s2sad import grad
from tests.numeric import check, check_second

_RNG = np.random.default_rng(5)
P, x = _RNG.random((4, 4)), _RNG.normal(size=4)


def shortest(P):
    P = P.copy()
    for k in range(len(P)):
        P[:] = np.minimum(P[:], np.add.outer(P[:, k], P[k, :]))
    return np.sum(P)


def rectified(P, x):
    for _ in range(3):
        x = np.maximum(P @ x - 0.25, 0.0)
    return np.sum(x * x)


@pytest.mark.parametrize("f, args, wrt", [(shortest, (P,), (0,)), (rectified, (P, x), (0, 1))])
def test_comparisons_are_kept_instead_of_what_is_compared(f, args, wrt):
    check(f, args, wrt=wrt)
    check_second(f, args, wrt)
    source = inspect.getsource(grad(f, wrt=wrt).specialize(*args))
    forward, backward = source.split("reversed(", 1)
    assert "==" in forward and "==" not in backward, source


def test_ties_share_as_in_one_step():
    """A zero diagonal makes every element of row and column k as short as the way by k."""
    P = np.array([[0.0, 1.0], [3.0, 0.0]])
    g = np.ones((2, 2))
    for k in reversed(range(2)):
        half = 0.5 * g
        g, way = g.copy(), np.zeros((2, 2))
        for i in range(2):
            for j in range(2):
                if i == k or j == k:  # tied
                    g[i, j] = half[i, j]
                    way[i, j] = half[i, j]
                else:  # the element itself is 0, and shorter
                    way[i, j] = 0.0
        g[:, k] += way.sum(axis=1)
        g[k, :] += way.sum(axis=0)
    np.testing.assert_allclose(grad(shortest)(P), g)


def also_read(P, x):
    """What is compared is a factor as well."""
    y = 0.0
    for _ in range(3):
        t = P @ x
        x = np.maximum(t, 0.5 * x) * t
        y = y + np.sum(x)
    return y


def test_what_is_read_otherwise_is_kept_as_it_is():
    check(also_read, (P, x), wrt=(0, 1))
