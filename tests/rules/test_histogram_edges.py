"""The gradient of a weighted histogram asks for its edges, and does not count again."""

import numpy as np
import pytest

from s2sad import grad
from tests import numeric


def means(data, radius, n):
    counts = np.histogram(radius, n)[0]
    sums = np.histogram(radius, n, weights=data)[0]
    return np.sum(sums / counts)


def in_range(data, radius, n):
    return np.sum(np.histogram(radius, n, range=(0.0, 0.5), weights=data)[0] ** 2)


@pytest.mark.parametrize("function", [means, in_range])
def test_weights(function):
    r = np.random.default_rng(3)
    data, radius = r.normal(size=40), np.concatenate([np.linspace(0.0, 1.0, 33), r.random(7)])
    numeric.check_reverse(function, (data, radius, 8), (0,))


def test_the_weighted_counts_are_not_computed():
    gradient = grad(means)
    data, radius = np.arange(6.0), np.linspace(0.0, 1.0, 6)
    gradient(data, radius, 3)
    code = [line for line in gradient.source.splitlines() if "#" not in line]
    assert sum("np.histogram(" in line for line in code) == 1
    with pytest.raises(ValueError, match="finite"):
        gradient(data, np.full(6, np.inf), 3)
    with pytest.raises(ValueError):
        gradient(data[:2], radius, 3)
