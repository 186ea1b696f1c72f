"""Outer products that a loop adds up are one matrix product behind it, where that is the same."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from s2sad import grad
from tests.numeric import check, check_second

_RNG = np.random.default_rng(3)
A, B, h = _RNG.normal(size=(5, 4)), _RNG.normal(size=(4, 4)), _RNG.normal(size=4)


def correlations(A):
    c = np.zeros((A.shape[1], A.shape[1]))
    for i in range(A.shape[1] - 1):
        c[i, i + 1 :] = A[:, i] @ A[:, i + 1 :]
    return np.sum(np.sin(c))


def rows(A):
    c = np.zeros((A.shape[0], A.shape[0]))
    for i in range(A.shape[0]):
        c[i, i:] = A[i:] @ A[i]
    return np.sum(np.sin(c))


def samples(A, B):
    y = 0.0
    for i in range(A.shape[0]):
        y = y + np.sum(np.tanh(B @ A[i]))
    return y


def recurrent(B, A):
    hs = np.zeros((A.shape[0], 4))
    hs[0] = A[0]
    for i in range(1, A.shape[0]):
        hs[i] = np.tanh(B @ hs[i - 1] + A[i])
    return np.sum(hs[-1] ** 2)


def columns(A, h):
    y = 0.0
    for j in range(A.shape[1] - 1, -1, -1):
        y = y + np.sum(np.exp(0.1 * (A[:, j] @ A)) * h)
    return y


@pytest.mark.parametrize(
    "f, args, wrt",
    [
        (correlations, (A,), (0,)),
        (rows, (A,), (0,)),
        (samples, (A, B), (0, 1)),
        (recurrent, (B, A), (0, 1)),
        (columns, (A, h), (0, 1)),
    ],
)
def test_a_loop_of_outer_products_is_one_product(f, args, wrt):
    check(f, args, wrt=wrt)
    check_second(f, args, wrt)
    source = inspect.getsource(grad(f, wrt=wrt).specialize(*args))
    assert "np.outer" not in source, source


def behind_the_first(A):
    y = 0.0
    for i in range(1, A.shape[1]):
        y = y + np.sum((A[:, i] @ A[:, i:]) ** 2)
    return y


def of_pairs(A, B):
    y = 0.0
    for i in range(1, A.shape[0] - 1):
        y = y + np.sum(np.tanh(B @ A[i] + A[i + 1]))
    return y


def in_twos(A, B):
    y = 0.0
    for i in range(0, A.shape[0], 2):
        y = y + np.sum(np.tanh(B @ A[i]))
    return y


@pytest.mark.parametrize(
    "f, args, unread",
    [
        (behind_the_first, (A,), np.s_[:, 0]),
        (of_pairs, (A, B), np.s_[0]),
        (in_twos, (A, B), np.s_[1::2]),
        (correlations, (A[:, :1],), np.s_[:0]),
        (of_pairs, (A[:1], B), np.s_[0]),
        (of_pairs, (A[:0], B), np.s_[:0]),
    ],
)
def test_rows_and_columns_that_nobody_reads_may_be_infinite(f, args, unread):
    check(f, args, wrt=tuple(range(len(args))))
    want = grad(f, wrt=tuple(range(len(args))))(*args)
    with_inf = args[0].copy()
    with_inf[unread] = np.inf
    for got, expected in zip(grad(f, wrt=tuple(range(len(args))))(with_inf, *args[1:]), want, strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-15)


def few(A, B, n):
    """Of a few rows, a product with all of them would take longer."""
    y = 0.0
    for i in range(n):
        y = y + np.sum(np.tanh(B @ A[i]))
    return y


def twice(A, B):
    """Each row comes several times."""
    y = 0.0
    for i in range(A.shape[0]):
        y = y + np.sum(np.tanh(B @ A[i // 2]))
    return y


def changed(A, B):
    A = A.copy()
    y = 0.0
    for i in range(A.shape[0]):
        y = y + np.sum(np.tanh(B @ A[i]))
        A[i] = A[i] * 0.5
    return y + np.sum(A)


def scaled(B, A):
    """The adjoint of B is multiplied in each turn."""
    y = 0.0
    for i in range(A.shape[0]):
        y = y + np.sum(np.tanh(B @ A[i]))
        B = B * 0.5
    return y


@pytest.mark.parametrize("f, args", [(few, (A, B, 2)), (twice, (A, B)), (changed, (A, B)), (scaled, (B, A))])
def test_a_loop_of_others_stays(f, args):
    check(f, args, wrt=(0, 1))
    assert "np.outer" in inspect.getsource(grad(f, wrt=(0, 1)).specialize(*args))
