"""Names that have a value on some paths only, and adjoints that go through loops."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import DerivationError, grad


def test_names_are_none_until_they_are_bound():
    def f(x, n):
        if n > 1:
            s = np.sin(x)
        total = 0.0
        for i in range(n):
            total += s[i] ** 2
        return total

    x = np.array([0.7, 1.1])
    derivative = grad(f)
    assert np.allclose(derivative(x, 2), np.sin(2 * x))
    assert np.array_equal(derivative(x, 0), np.zeros(2))
    assert "s = None\n" in derivative.source
    with pytest.raises(TypeError):  # the function itself raises, too: s has no value
        derivative(x, 1)


def test_names_that_are_bound_are_not_asked_for():
    def f(x, n):
        s = np.sin(x)
        total = 0.0
        for i in range(n):
            total += s[i] ** 2
        return total

    derivative = grad(f)
    derivative(np.ones(2), 2)
    assert "None" not in derivative.source


def test_an_exception_tells_whether_there_is_a_value():
    def f(x, n):
        if n > 1:
            s = np.sin(x)
        total = 0.0
        for i in range(n):
            try:
                total += s[i]
            except UnboundLocalError:
                total += x[0]
        return total

    with pytest.raises(DerivationError, match="an exception tells whether a name has a value"):
        grad(f)(np.ones(3), 3)
