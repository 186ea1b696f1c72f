"""Distances between all pairs: over several blocks, at ties, with nan, in single precision, against a plain formula."""

from __future__ import annotations

import numpy as np
import pytest

import s2sad

distance = pytest.importorskip("scipy.spatial.distance")


def cityblock(g, a, b):
    return np.sum(g * distance.cdist(a, b, "cityblock"))


def chebyshev(g, a, b):
    return np.sum(g * distance.cdist(a, b, "chebyshev"))


def canberra(g, a, b):
    return np.sum(g * distance.cdist(a, b, "canberra"))


def braycurtis(g, a, b):
    return np.sum(g * distance.cdist(a, b, "braycurtis"))


def slopes(name, u, v):
    """The derivatives with respect to u and v, of all pairs: those of the elements, one by one."""
    apart, y = u - v, distance.cdist(u[:, 0], v[0], name)[..., None]
    if name == "cityblock":
        return np.sign(apart), -np.sign(apart)
    if name == "chebyshev":
        farthest = np.abs(apart) == y
        slope = np.sign(apart) * farthest / np.sum(farthest, axis=-1, keepdims=True)
        return slope, -slope
    if name == "canberra":
        total = np.abs(u) + np.abs(v)
        total = np.where(total == 0.0, 1.0, total)
        first, second = np.sign(apart) / total, np.abs(apart) / total**2
        return first - second * np.sign(u), -first - second * np.sign(v)
    total = np.sum(np.abs(u + v), axis=-1, keepdims=True)
    return (np.sign(apart) - y * np.sign(u + v)) / total, (-np.sign(apart) - y * np.sign(u + v)) / total


def expected(name, g, a, b):
    of_a, of_b = slopes(name, a[:, None], b[None])
    return np.einsum("ij,ijk->ik", g, of_a), np.einsum("ij,ijk->jk", g, of_b)


METRICS = [cityblock, chebyshev, canberra, braycurtis]
#: one block; several of rows, of elements, of both; nothing to compare with
SHAPES = [(4, 3, 2), (250, 190, 3), (70, 60, 90), (3, 50000, 2), (1, 1, 1), (5, 4, 300)]


@pytest.mark.parametrize("f", METRICS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("values", ["positive", "both signs", "ties"])
def test_against_the_formula(f, shape, values):
    n, m, d = shape
    rng = np.random.default_rng(3)
    a, b, g = rng.uniform(0.1, 2.0, (n, d)), rng.uniform(0.1, 2.0, (m, d)), rng.normal(size=(n, m))
    if values != "positive":
        a, b = a - 1.0, b - 1.0
    if values == "ties":  # equal elements, zeros, and several that are farthest apart; no pair of vectors of zeros
        a, b = np.round(2.0 * a) / 2.0, np.round(2.0 * b) / 2.0
        a[:, 0] += 4.0
    found = s2sad.grad(f, wrt=(1, 2))(g, a, b)
    for one, other in zip(found, expected(f.__name__, g, a, b), strict=True):
        assert np.allclose(one, other, rtol=1e-10, atol=1e-11 * np.sqrt(n * m))


@pytest.mark.parametrize("f", [cityblock, canberra, braycurtis])  # SciPy's chebyshev passes over nan
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_nan_stays(f):
    a, b, g = np.array([[1.0, 2.0], [3.0, np.nan]]), np.array([[2.0, 0.5]]), np.ones((2, 1))
    of_a, of_b = s2sad.grad(f, wrt=(1, 2))(g, a, b)
    assert np.isfinite(of_a[0]).all()
    assert np.isnan(of_a[1, 1])
    assert np.isnan(of_b[0, 1])


@pytest.mark.parametrize("f", METRICS)
def test_types(f):
    rng = np.random.default_rng(4)
    g, a, b = rng.normal(size=(4, 3)), rng.normal(size=(4, 2)), rng.normal(size=(3, 2))
    single = a.astype(np.float32)
    of_a = s2sad.grad(f, wrt=1)(g, single, b)
    assert of_a.dtype == np.float32
    assert np.allclose(of_a, expected(f.__name__, g, single.astype(float), b)[0], rtol=1e-5, atol=1e-5)
    counts = np.array([[3, 1], [0, 2], [7, 5]], dtype=np.uint8)
    of_a = s2sad.grad(f, wrt=1)(g, a, counts)
    assert np.allclose(of_a, expected(f.__name__, g, a, counts.astype(float))[0])


def pairs(g, x):
    return np.sum(g * distance.pdist(x, "chebyshev"))


def test_chebyshev_of_equal_vectors():
    """Their distance is 0, and so is its derivative; others share what is equally far apart."""
    x = np.array([[1.0, 2.0], [1.0, 2.0], [2.0, 3.0]])
    found = s2sad.grad(pairs, wrt=1)(np.array([1.0, 2.0, 4.0]), x)
    assert np.array_equal(found, [[-1.0, -1.0], [-2.0, -2.0], [3.0, 3.0]])
