"""Loops of the backward sweep over independent rows, columns or elements are operations on all of them."""

from __future__ import annotations

import inspect
import warnings

import numpy as np
import pytest

from s2sad import grad
from tests.numeric import check, check_second

_RNG = np.random.default_rng(7)
A, B, q, w = _RNG.normal(size=(5, 4)), _RNG.normal(size=(5, 4)), _RNG.normal(size=5), _RNG.normal(size=4)
S = _RNG.normal(size=(4, 4)) + 3.0 * np.eye(4)


def loops(f, args, wrt):
    """The loops of the backward sweep, and the text."""
    source = inspect.getsource(grad(f, wrt=wrt).specialize(*args))
    return source.count("reversed(range("), source


def gram_schmidt(A):
    A = A.copy()
    Q = np.zeros_like(A)
    R = np.zeros((A.shape[1], A.shape[1]))
    for k in range(A.shape[1]):
        R[k, k] = np.sqrt(np.dot(A[:, k], A[:, k]))
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, A.shape[1]):
            R[k, j] = np.dot(Q[:, k], A[:, j])
            A[:, j] -= Q[:, k] * R[k, j]
    return np.sum(Q * np.cos(Q)) + np.sum(np.sin(R))


def triangular_product(c, A, B):
    B = B.copy()
    for i in range(B.shape[0]):
        for j in range(B.shape[1]):
            B[i, j] += np.dot(A[i + 1 :, i], B[i + 1 :, j])
    B *= c
    return np.sum(B * B)


def rank_updates(c, C, A):
    C = C.copy()
    for i in range(A.shape[0]):
        for k in range(A.shape[1]):
            C[i, : i + 1] += c * A[i, k] * A[: i + 1, k]
    return np.sum(np.sin(C))


def two_rank_updates(c, C, A, B):
    C = C.copy()
    for i in range(A.shape[0]):
        for k in range(A.shape[1]):
            C[i, : i + 1] += A[: i + 1, k] * c * B[i, k] + B[: i + 1, k] * c * A[i, k]
    return np.sum(np.sin(C))


def right_part(A):
    A = A.copy()
    for i in range(A.shape[0]):
        for j in range(i, A.shape[0]):
            A[i, j] -= A[i, :i] @ A[:i, j]
    return np.sum(np.sin(A))


def symmetric(c, C, A, B):
    C = C.copy()
    t = np.empty(C.shape[1])
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[:i, j] += c * B[i, j] * A[i, :i]
            t[j] = B[:i, j] @ A[i, :i]
        C[i, :] += c * B[i, :] * A[i, i] + c * t
    return np.sum(np.sin(C))


def between(A, q):
    """The first and the last row have no turn."""
    y = np.zeros_like(A)
    for i in range(A.shape[0]):
        for j in range(1, A.shape[1] - 1):
            y[i, j] = A[i, j] * q[i] - A[i, j] / (2.0 + q[i])
    return np.sum(y * y)


def backwards(A, w):
    y = np.zeros_like(w)
    for i in range(2):
        for j in range(A.shape[1] - 1, -1, -1):
            y[j] += A[i, j] * w[j] * w[j]
    return np.sum(np.sin(y))


def curves(A, w):
    y = np.zeros_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            y[i, j] = np.sin(A[i, j]) * w[j] + np.tanh(A[i, j] * A[i, j]) + np.exp(-w[j]) ** 3
    return np.sum(y * y)


def factors(P, Q, rows, columns, values):
    total = 0.0
    for k in range(len(values)):
        e = values[k] - P[rows[k]] @ Q[columns[k]]
        total += e * e
    return total


def factors_backwards(P, Q, rows, columns, values):
    total = 0.0
    for k in range(rows.shape[0] - 1, 0, -1):
        e = values[k] - P[rows[k]] @ Q[columns[k]]
        total += e * e * values[k]
    return total


def picked_numbers(w, rows, values):
    total = 0.0
    for k in range(rows.shape[0]):
        total += np.sin(w[rows[k]]) * values[k] - w[rows[k]] * w[rows[k]]
    return total


ROWS, COLUMNS = np.array([0, 2, 2, -1, 4, 0]), np.array([1, 1, 0, 4, -2, 1])
VALUES = _RNG.normal(size=6)
SQUARE = _RNG.normal(size=(5, 5))


@pytest.mark.parametrize(
    "f, args, count",
    [
        (gram_schmidt, (A,), 1),
        (triangular_product, (0.7, SQUARE, A), 1),
        (rank_updates, (0.7, SQUARE, A), 1),
        (two_rank_updates, (0.7, SQUARE, A, B), 1),
        (right_part, (S,), 1),
        (symmetric, (0.7, A, SQUARE, B), 1),
        (between, (A, q), 1),
        (backwards, (A, w), 1),
        (curves, (A, w), 1),
        (factors, (A, B, ROWS, COLUMNS, VALUES), 0),
        (factors_backwards, (A, B, ROWS, COLUMNS, VALUES), 0),
        (picked_numbers, (q, ROWS, VALUES), 0),
    ],
)
def test_independent_turns_are_one_operation(f, args, count):
    wrt = tuple(k for k, a in enumerate(args) if np.asarray(a).dtype == float)
    check(f, args, wrt=wrt)
    check_second(f, args, wrt)
    found, source = loops(f, args, wrt)
    assert found == count, source


@pytest.mark.parametrize("rows, columns", [(1, 1), (1, 4), (4, 1), (2, 2), (0, 3)])
def test_short_ranges_have_no_turns(rows, columns):
    a, b = _RNG.normal(size=(rows, columns)), _RNG.normal(size=(rows, columns))
    check(between, (a, _RNG.normal(size=rows)), wrt=(0, 1))
    square = _RNG.normal(size=(rows, rows))
    check(triangular_product, (0.7, square, a), wrt=(0, 1, 2))
    check(two_rank_updates, (0.7, square, a, b), wrt=(0, 1, 2, 3))
    if rows >= columns:
        check(gram_schmidt, (a + 3.0 * np.eye(rows, columns),), wrt=(0,))


# --- loops that stay
def running(A):
    """A turn reads what the one before stored."""
    A = A.copy()
    for i in range(A.shape[0]):
        for j in range(1, A.shape[1]):
            A[i, j] += 0.5 * A[i, j - 1] * A[i, j]
    return np.sum(A * A)


def triangles(A):
    """What a turn reads grows."""
    A = A.copy()
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[:j, j]
    return np.sum(np.sin(A))


def picked(A, at):
    """Rows may come twice, and change."""
    A = A.copy()
    for i in range(2):
        for j in range(at.shape[0]):
            A[at[j], i] *= A[at[j], i]
    return np.sum(A)


def to_the_first(A):
    """All turns add to what they read."""
    A = A.copy()
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            A[i, 0] += A[i, j] * A[i, j]
    return np.sum(np.sin(A))


def from_the_end(A, n):
    """Of an index that may be negative, a slice is another one."""
    y = np.zeros(A.shape[1])
    for i in range(2):
        for j in range(-2, n):
            y[j] += A[i, j] * A[i, j]
    return np.sum(np.sin(y))


def of_unknown_length(A, n):
    """An index that is outside raises; a slice does not."""
    y = np.zeros(A.shape[1])
    for i in range(2):
        for j in range(n):
            y[j] += A[i, j] * A[i, j]
    return np.sum(np.sin(y))


def dotted(A):
    """What stands for several axes is not counted."""
    A = A.copy()
    for i in range(2):
        for j in range(A.shape[1]):
            A[..., j] *= A[..., j] * 0.5
            A[None, i, j] += A[i, j]
    return np.sum(A)


@pytest.mark.parametrize(
    "f, args",
    [
        (dotted, (A,)),
        (running, (A,)),
        (triangles, (SQUARE,)),
        (picked, (A, np.array([1, 1, 3]))),
        (to_the_first, (A,)),
        (from_the_end, (A, 2)),
        (of_unknown_length, (A, 3)),
    ],
)
def test_turns_that_need_each_other_stay_a_loop(f, args):
    check(f, args, wrt=(0,))
    found, source = loops(f, args, (0,))
    assert found == 2, source


def test_what_is_picked_by_lists_of_other_lengths():
    gradient = grad(factors, wrt=(0, 1))
    for n in (6, 3, 1, 0):
        more = gradient(A, B, ROWS, COLUMNS[: n + 1], VALUES[:n])
        same = gradient(A, B, ROWS[:n], COLUMNS[:n], VALUES[:n])
        for a, b in zip(more, same, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-15)
    with pytest.raises(IndexError):
        gradient(A, B, ROWS[:3], COLUMNS, VALUES)
    with pytest.raises(IndexError):
        gradient(A, B[:2], ROWS, COLUMNS, VALUES)


def test_a_loop_that_leaves_its_arrays_raises():
    with pytest.raises(IndexError):
        grad(of_unknown_length)(A, 5)


def guarded(A, w):
    """A product of what is not finite with a zero adjoint is left out in each turn, and so in all of them."""
    y = np.zeros_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            y[i, j] = np.where(w[j] > 0.0, A[i, j] * w[j], 0.0)
    return np.sum(y * y)


def test_what_is_left_out_is_left_out_of_the_batch():
    w = np.array([1.0, -np.inf, 2.0, -1.0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = grad(guarded)(A, w)
    np.testing.assert_allclose(found, np.where(w > 0.0, 2.0 * A * w * w, 0.0))


def in_a_branch(A, flag):
    """The turns of a branch that is not taken put nothing on the tape."""
    A = A.copy()
    y = 0.0
    for k in range(3):
        if k != flag:
            for j in range(A.shape[1]):
                A[:, j] *= A[:, j] * 0.5
                y = y + np.sum(A[:, j])
    return y + np.sum(A)


def test_tapes_of_branches():
    for flag in (0, 1, 5):
        check(in_a_branch, (A, flag), wrt=(0,))


def read_behind(A):
    """The value of the last turn is read behind the loop."""
    y = 0.0
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            t = A[i, j] * A[i, j]
            y = y + t * A[i, j]
        y = y * t + j
    return y


def test_values_of_the_last_turn():
    check(read_behind, (0.3 * A,), wrt=(0,))
