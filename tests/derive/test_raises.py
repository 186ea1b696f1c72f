"""What the primal raises, the derivative raises, though it does not need the value that is not there."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import DerivationError, grad, hessian, jvp, value_and_grad, vjp

V = np.ones(3)
TABLE = {1: 2.0, 2: 3.0}
LEVELS = [1.0, 2.0]


def added_to_a_new_array(x):
    return np.sum(x + np.ones(3))


def added_to_a_global(x):
    return np.sum(x + V)


def one_subtracted_from_the_other(x, y):
    return np.sum(x - 2.0 * y)


def sum_that_nobody_reads(x, y):
    z = x + y  # noqa: F841
    return np.sum(x)


def as_long_as_is_said(x, n):
    return np.sum(x + np.ones(n))


def element(x, a, i):
    return np.sum(x) + a[i]


def elements(x, a, i):
    return np.sum(x) + np.sum(a[i])


def element_of_a_matrix(x, m, i):
    return np.sum(x) + m[0, i]


def element_that_nobody_reads(x):
    x[5]
    return np.sum(x)


def item(x, items, i):
    return np.sum(x) + items[i]


def item_of_a_global(x, i):
    return np.sum(x) + LEVELS[i]


def of_a_table(x, k):
    return np.sum(x) + TABLE[k]


def of_a_display(x, k):
    return np.sum(x) + {1: 2.0, 2: 3.0}[k]


def of_a_known_table(x):
    return np.sum(x) + TABLE["c"]


def taken(x, i):
    return np.sum(np.take(x, i))


def rows_taken(m, i):
    return np.sum(m.take(i, axis=1))


ROW = np.arange(3.0)
#: function, arguments for which there is a value, and those for which there is none
CASES = [
    (added_to_a_new_array, (ROW,), (np.ones(2),)),
    (added_to_a_global, (ROW,), (np.ones(2),)),
    (one_subtracted_from_the_other, (ROW, ROW), (ROW, np.ones(2))),
    (sum_that_nobody_reads, (ROW, ROW), (ROW, np.ones(2))),
    (as_long_as_is_said, (ROW, 3), (ROW, 2)),
    (element, (ROW, V, 2), (ROW, V, 3)),
    (elements, (ROW, V, np.array([0, 2])), (ROW, V, np.array([0, 3]))),
    (element_of_a_matrix, (ROW, np.ones((2, 3)), 2), (ROW, np.ones((2, 3)), 3)),
    (element_that_nobody_reads, (np.arange(6.0),), (ROW,)),
    (item, (ROW, [1.0, 2.0], 1), (ROW, [1.0, 2.0], 2)),
    (item_of_a_global, (ROW, 1), (ROW, 2)),
    (of_a_table, (ROW, 1), (ROW, 3)),
    (of_a_display, (ROW, 1), (ROW, 3)),
    (of_a_known_table, None, (ROW,)),
    (taken, (ROW, 2), (ROW, 7)),
    (taken, (ROW, np.array([-3, 1])), (ROW, np.array([-4, 1]))),
    (rows_taken, (np.ones((2, 3)), [0, -1]), (np.ones((2, 3)), [0, 3])),
]
OPERATORS = {
    "grad": lambda f, x, *args: grad(f)(x, *args),
    "value_and_grad": lambda f, x, *args: value_and_grad(f)(x, *args),
    "vjp": lambda f, x, *args: vjp(f)(x, *args)[1](1.0),
    "jvp": lambda f, x, *args: jvp(f)(x, *args, np.ones_like(x)),
    "second": lambda f, x, *args: hessian(f)(x, *args),
}


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("f, right, wrong", CASES, ids=[c[0].__name__ for c in CASES])
def test_the_derivative_raises(f, right, wrong, operator):
    with pytest.raises(Exception) as caught:
        f(*wrong)
    if right is not None:
        OPERATORS[operator](f, *right)
    with pytest.raises((caught.type, DerivationError)):
        OPERATORS[operator](f, *wrong)


# --- where there is nothing to check, or something else does it


def fits(x, y):
    return np.sum(x + y)


def one_for_all(x):
    return np.sum(x + np.ones(1)) + np.sum(x + 1.0)


def in_a_product(x, y):
    return np.sum(x * y)


def first_and_last(x, a):
    return np.sum(x) + a[0] + a[-1]


def by_a_test(x, a, i):
    return np.sum(x) + (a[i] if i < len(a) else 0.0)


def behind_a_test(x, a, i):
    if i >= len(a):
        return np.sum(x)
    return np.sum(x) + a[i]


def never_asked(x, a, i):
    return np.sum(x) + sum([a[i] for _ in range(0)])


def tried(x, a, i):
    try:
        y = a[i]
    except IndexError:
        y = 0.0
    return np.sum(x) + y


QUIET = [
    (fits, (ROW, V)),
    (one_for_all, (ROW,)),
    (in_a_product, (ROW, V)),
    (first_and_last, (ROW, V)),
    (by_a_test, (ROW, V, 7)),
    (behind_a_test, (ROW, V, 7)),
    (never_asked, (ROW, V, 7)),
    (tried, (ROW, V, 7)),
]


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("f, args", QUIET, ids=[c[0].__name__ for c in QUIET])
def test_no_check_that_is_not_due(f, args, operator):
    f(*args)
    OPERATORS[operator](f, *args)
    if f in (fits, one_for_all, in_a_product, first_and_last):
        d = grad(f)
        d(*args)
        lines = d.source.partition("def grad_")[2]
        assert "broadcast_shapes" not in lines and "a[" not in lines
