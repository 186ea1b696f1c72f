"""Inverses that are computed anyway solve transposed systems, and sums over identities are traces."""

from __future__ import annotations

import inspect
import re

import numpy as np
import pytest

from s2sad import grad, value_and_grad
from tests.numeric import check, check_second

_RNG = np.random.default_rng(7)
M = _RNG.normal(size=(4, 4)) + 3.0 * np.eye(4)
W, b = _RNG.normal(size=(4, 3)), _RNG.normal(size=4)
STACK = np.stack([M, M.T])


def likelihood(length, noise, K, b):
    A = np.exp(-K / length) + noise * np.eye(len(b))
    return b @ np.linalg.solve(A, b) + np.linalg.slogdet(A)[1]


def several_sides(A, W):
    return np.sum(np.sin(np.linalg.solve(A, W))) + np.linalg.slogdet(A)[1]


def inverted_by_the_user(A, b):
    inv = np.linalg.inv(A)
    return np.sum(np.tanh(inv)) + np.sum(np.cos(np.linalg.solve(A, b)))


def in_turns(A, b):
    y = 0.0
    for k in range(3):
        B = A + k * np.eye(4)
        y += np.linalg.slogdet(B)[1] * np.sum(np.linalg.solve(B, b))
    return y


@pytest.mark.parametrize(
    "f, args, wrt",
    [
        (likelihood, (0.7, 3.0, (M + M.T) ** 2, b), (0, 1, 2, 3)),
        (several_sides, (M, W), (0, 1)),
        (inverted_by_the_user, (M, b), (0, 1)),
    ],
)
def test_a_transposed_system_is_solved_by_the_inverse(f, args, wrt):
    gradient = grad(f, wrt=wrt)
    gradient(*args)
    assert "inv.T @" in gradient.source and gradient.source.count(".inv(") == 1
    assert not re.search(r"solve\(\w+\.T", gradient.source)
    check(f, args, wrt)
    check_second(f, args, wrt)


def test_what_turns_invert_and_solve():
    check(in_turns, (M, b), (0, 1))


def test_the_inverse_is_as_near_to_the_solution():
    """Of a matrix with condition 1e10 the cotangent of the right side is as near as that of the solver."""
    q, p = (np.linalg.qr(_RNG.normal(size=(8, 8)))[0] for _ in range(2))
    A = q @ np.diag(np.logspace(0.0, -10.0, 8)) @ p
    for side in (A @ np.ones(8), np.ones(8)):
        w = np.linalg.solve(A.T, side)

        def f(B, v, t=A.T @ w):
            return np.linalg.slogdet(B)[1] + t @ np.linalg.solve(B, v)

        gradient = grad(f, wrt=(0, 1))
        found = gradient(A, np.zeros(8))[1]
        assert "inv.T @" in gradient.source
        assert np.max(np.abs(found - w)) <= 1e-4 * np.max(np.abs(w))


def stored_between(A, b):
    A = A.copy()
    y = np.linalg.slogdet(A)[1]
    A[0] *= 2.0
    return y + np.sum(np.linalg.solve(A, b))


def bound_between(A, b):
    y = np.linalg.slogdet(A)[1]
    A = A * A
    return y + np.sum(np.linalg.solve(A, b))


def another(A, b, B):
    return np.linalg.slogdet(B)[1] + np.sum(np.linalg.solve(A, b))


def of_the_transposed(A, b):
    return np.linalg.slogdet(A.T)[1] + np.sum(np.linalg.solve(A, b))


def of_a_stack(A, b):
    return np.sum(np.linalg.slogdet(A)[1]) + np.sum(np.linalg.solve(A, np.stack([b, b])[..., None]) ** 2)


def on_a_path(A, b):
    y = np.sum(np.linalg.solve(A, b))
    if y > 100.0:
        y = y + np.linalg.slogdet(A)[1]
    return y


def by_the_user(A, b):
    return np.sum(np.linalg.solve(A.T, b)) * np.sum(np.linalg.inv(A))


def inverse_overwritten(A, b):
    inv = np.linalg.inv(A)
    inv[0] = 0.0
    return np.sum(inv * inv) + np.sum(np.linalg.solve(A, b))


def inverse_taken_again(A, b):
    inv = np.linalg.inv(A)
    y = np.sum(inv**3)
    inv = np.linalg.inv(A + 1.0)
    return y + np.sum(inv**3) + np.sum(np.linalg.solve(A, b))


def inverted_once(A):
    return np.sum(np.linalg.inv(A) ** 2)


@pytest.mark.parametrize(
    "f, args",
    [
        *((f, (M, b)) for f in (stored_between, bound_between, of_the_transposed, on_a_path, by_the_user)),
        *((f, (M, b)) for f in (inverse_overwritten, inverse_taken_again)),
        (another, (M, b, M + 1.0)),
        (of_a_stack, (STACK, b)),
        (inverted_once, (M,)),
    ],
)
def test_what_stays(f, args):
    gradient = value_and_grad(f, wrt=tuple(range(len(args))))
    value, _ = gradient(*args)
    assert value == f(*args)
    check(f, args, tuple(range(len(args))))
    if f not in (of_a_stack, inverted_once, inverse_taken_again):
        assert ".T @ np.ones_like" not in gradient.source and "np.linalg.solve(" in gradient.source


def eye_that_is_scaled(s, A):
    e = np.eye(4)
    return np.sum(np.sin(A + s * e))


def eye_that_is_stored_into(s, A):
    e = np.eye(4)
    e[0, 1] = 5.0
    return np.sum(np.sin(A + s * e))


def eye_of_a_row(s, A):
    return np.sum(s * np.eye(4) * A[:1])


def shifted_eye(s, A):
    return np.sum(np.sin(A + s * np.eye(4, k=1)))


def eye_that_is_weighed(s, A):
    return np.sum(np.sin(A + s * np.eye(4) * A))


@pytest.mark.parametrize(
    "f", [eye_that_is_scaled, eye_that_is_stored_into, eye_of_a_row, shifted_eye, eye_that_is_weighed]
)
def test_sums_over_identities_are_traces(f):
    gradient = grad(f)
    gradient(0.3, M)
    assert ("np.trace" in gradient.source) == (f in (eye_that_is_scaled, eye_that_is_weighed)), inspect.getsource(f)
    check(f, (0.3, M), (0, 1))
    check_second(f, (0.3, M), (0, 1))
