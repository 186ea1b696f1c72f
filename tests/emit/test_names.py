"""What a derivative makes names for has no name of the user's, even where that is read no more."""

import ast
import inspect
import math
import re

import numpy as np
import pytest

from s2sad import grad, jvp, vjp
from tests.numeric import check


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


class Body:
    def __init__(self, pos, vel):
        self.pos, self.vel = pos, vel


def gates(z, c):
    i, f, o, g = np.split(z, 4)
    kept = f * f * c + i * i * g * g
    return np.sum(o * o * np.tanh(kept) * np.exp(i * f * o * g))


def moved(x, v, dt):
    body = Body(x, v)
    body.vel = body.vel - dt * np.sin(body.pos)
    body.pos = body.pos + dt * body.vel
    return np.sum(body.pos * body.vel * body.pos)


def split_twice(z):
    both = a, b = np.split(z, 2)
    return np.sum(both[0] * a * np.sin(b) * both[1])


def test_what_is_unpacked_and_attributes_have_the_users_names():
    z, c = np.linspace(0.1, 0.8, 8), np.array([0.3, 0.9])
    derivative = grad(gates)
    derivative(z, c)
    assert "i, f, o, g = np.split(z, 4)" in derivative.source
    assert all(f"    b{name} = " in derivative.source for name in "og")  # (the others stand where they are read)
    check(gates, (z, c), wrt=(0, 1))
    derivative = grad(moved)
    derivative(c, c, 0.1)
    assert "pos = " in derivative.source and "bpos" in derivative.source
    check(moved, (c, c, 0.1), wrt=(0, 1, 2), second=True)
    check(split_twice, (z,))


def test_names_in_a_pullback_have_one_number():
    def f(x, w):
        for row in w:
            x = np.tanh(x * row)
        return x

    derivative = vjp(f)
    _, pullback = derivative(np.ones(2), np.ones((3, 2)))
    assert pullback(np.ones(2)).shape == (2,)
    assert not re.search(r"_\d+_\d+\b", derivative.source)
