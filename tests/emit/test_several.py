"""Several derivatives in one module: functions that they have in common stand there once."""

import numpy as np
import pytest

from s2sad import grad
from s2sad.emit.module import compose_all


def rate(u, k):
    """How fast it goes."""
    a = np.sin(u) * k
    b = np.cos(u) + a * a
    c = a * b + u
    d = c * np.tanh(b)
    return d + a * c


def first(u):
    return np.sum(rate(u, 2.0) * rate(u + 1.0, 2.0) + rate(2.0 * u, 2.0))


def second(u):
    return np.sum(rate(u, 2.0) + rate(3.0 * u, 2.0) ** 2 - rate(u - 1.0, 2.0))


def third(u):
    return rate(u, 2.0) + rate(3.0 * u, 2.0) ** 2 - rate(u - 1.0, 2.0)


def module_of(*calls):
    made = []
    for f, argument in calls:
        g = grad(f)
        g(argument)
        made.append(g._store.last.derived)
    text = compose_all(made).text
    namespace = {}
    exec(text, namespace)
    return text, namespace


@pytest.mark.quick
def test_what_two_derivatives_call_stands_there_once():
    x = np.array([0.3, 0.7])
    text, found = module_of((first, x), (second, x))
    defined = [line.split("(")[0] for line in text.splitlines() if line.startswith("def ")]
    assert len(set(defined)) == len(defined) and sum(name.startswith("def rate") for name in defined) <= 3
    np.testing.assert_allclose(found["grad_first"](x), grad(first)(x))
    np.testing.assert_allclose(found["grad_second"](x), grad(second)(x))


def test_functions_of_one_name_for_other_kinds_are_told_apart():
    x = np.array([0.3, 0.7])
    text, found = module_of((second, x), (third, 0.3))
    assert "def rate_bwd(" in text and "def rate_bwd_1(" in text
    np.testing.assert_allclose(found["grad_second"](x), grad(second)(x))
    assert found["grad_third"](0.3) == grad(third)(0.3)


def test_what_is_called_comes_before_what_calls_it():
    text, _ = module_of((first, np.ones(2)))
    lines = [line for line in text.splitlines() if line.startswith("def ")]
    assert lines[-1].startswith("def grad_first(") and len(lines) > 1
