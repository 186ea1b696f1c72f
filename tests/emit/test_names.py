"""What a derivative makes names for has no name of the user's, even where that is read no more."""

import ast
import inspect
import math

import numpy as np
import pytest

from s2sad import grad, jvp


def likelihood(beta, X):
    """The adjoint of eta is not called beta."""
    eta = X @ beta
    for k in range(1, len(eta)):
        eta[k] += np.sin(eta[k - 1])
    return np.sum(eta)


def march(u, t, dt):
    """Neither the tangent of a temporary, nor that of t, is called dt."""
    t = t * dt
    for _ in range(3):
        u = u + dt * np.sin(u * t) * np.cos(t)
    return np.sum(u)


def growth(t, g):
    """A temporary is not called t, an adjoint not g."""
    rate = math.exp(-g * t)
    v = [1.0, 2.0]
    for k in range(2):
        v[k] = math.sin(rate * v[k]) * math.exp(rate)
    return v[0] * v[1]


CASES = [
    (likelihood, (np.ones(3), np.arange(12.0).reshape(4, 3) / 12.0), 0),
    (march, (np.ones(3), 0.5, 0.1), ("u", "t")),
    (growth, (0.3, 0.7), ("t", "g")),
]


@pytest.mark.parametrize(("f", "args", "wrt"), CASES, ids=[c[0].__name__ for c in CASES])
@pytest.mark.parametrize("op", [grad, jvp])
def test_names_of_parameters_keep_their_meaning(f, args, wrt, op):
    derivative = op(f, wrt=wrt)
    at = args[0] if wrt == 0 else args[:2]
    derivative(*args, *([at] if op is jvp else []))
    (made,) = [n for n in ast.parse(derivative.source).body if isinstance(n, ast.FunctionDef)]
    own = set(f.__code__.co_varnames[: f.__code__.co_argcount])
    bound = {n.id for n in ast.walk(made) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    assert not (bound & own) - by_the_user(f), derivative.source


def by_the_user(f):
    """The names that a function binds itself."""
    tree = ast.parse(inspect.getsource(f))
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
