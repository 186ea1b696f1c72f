"""Adjoints and tangents of single statements and blocks: what accumulates, what is set to zero, what is absent."""

from __future__ import annotations

import gast
import numpy as np
import pytest

from s2sad.core import text
from tests.derive.programs import X, Y, calls_of, derived, generated
from tests.numeric import check, check_forward, check_reverse, check_second


def overwritten_element(x):
    a = x * 1.0
    a[1] = x[0] * x[2]
    a[1] = a[1] * a[0]
    return np.sum(a * a)


def overwritten_by_a_constant(x):
    a = x * x
    a[:] = 3.0
    return np.sum(a * x)


def overlapping_slices(x):
    a = x * 1.0
    a[1:] = a[:-1] * x[1:]
    a[:-1] += a[1:]
    return np.sum(a * a)


def reversed_in_place(x):
    a = x * x
    a[:] = a[::-1]
    return np.sum(a * np.arange(4.0))


def broadcast_store(x):
    a = np.zeros((3, 4))
    a[1:] = x
    a[:, 0] = x[1]
    a[0] += x[0] * x
    return np.sum(a**2)


def mask_store(x):
    a = x * 2.0
    a[a > 0.5] = x[0]
    a[x < 0.0] *= x[x < 0.0]
    return np.sum(a * a)


def repeated_index(x):
    i = np.array([0, 0, 2])
    a = x[i] * x[i]
    b = np.zeros(4)
    np.add.at(b, i, a)
    return np.sum(b * x)


def store_of_repeated_index(x):
    i = np.array([0, 0, 2])
    a = x * 1.0
    a[i] += x[:3]
    return np.sum(a * a)


def augmented_divisions(x):
    a = x * 1.0
    a[1:] /= x[:-1]
    a **= 2
    a[0] -= a[1] * a[2]
    return np.sum(a)


def tuple_targets(x):
    a, (b, c) = x[0], (x[1], x[2])
    a, b = b * c, a
    x[0], x[1] = x[1], x[0]
    return a + b * x[0] + x[1] ** 2


def fan_out(x):
    y = np.sin(x)
    return np.sum(y * y) + y[0] * y[1] + np.sum(y[1:] / (y[:-1] + 3.0))


def inactive_branch(x):
    y = x * x
    if y[0] > 100.0:
        y = np.zeros(4)
    return np.sum(y * x)


def dead_code(x):
    unused = np.exp(x) ** 7
    unused[0] = 3.0
    return np.sum(x * 2.0)


def zero_turns(x):
    s = x[0]
    for i in range(int(x.size) - 4):
        s = s * x[i]
    return s * x[1]


def two_results_of_one(x):
    m = np.outer(x, x) + np.diag(np.array([1.0, 3.0, 6.0, 10.0]))
    sign, logdet = np.linalg.slogdet(m)
    w, v = np.linalg.eigh(m)
    return logdet * sign + w[0] + np.sum(v[:, 3]) ** 2


PROGRAMS = [
    overwritten_element,
    overwritten_by_a_constant,
    overlapping_slices,
    reversed_in_place,
    broadcast_store,
    mask_store,
    repeated_index,
    store_of_repeated_index,
    augmented_divisions,
    tuple_targets,
    fan_out,
    inactive_branch,
    dead_code,
    zero_turns,
    two_results_of_one,
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_both_modes(f):
    check(f, (X,))


SMOOTH = [f for f in PROGRAMS if f is not two_results_of_one]


@pytest.mark.parametrize("f", SMOOTH)
def test_second_order(f):
    check_second(f, (X,), 0)


@pytest.mark.parametrize("result", ["grad", "jvp"])
def test_dead_code_is_not_there(result):
    made = generated(dead_code, X, result=result)
    assert "exp" not in made if result == "grad" else made.count("exp") <= 1, made


def test_inactive_arguments_have_no_adjoint():
    def f(x, y):
        z = np.sin(y) * x
        return np.sum(z * np.exp(y))

    made = generated(f, X, Y)
    assert "by" not in made and "cos" not in made, made
    tangent = generated(f, X, Y, result="jvp")
    assert "dy" not in tangent and "cos" not in tangent, tangent


def test_the_forward_mode_has_one_sweep_and_no_tape():
    def f(x, n):
        s = x
        for _ in range(n):
            s = np.sin(s) * s
        return s

    tree = derived(f, 0.7, 3, result="jvp").functions[-1]
    assert sum(isinstance(n, gast.For) for n in gast.walk(tree)) == 1, text(tree)
    assert "append" not in text(tree)
    assert calls_of(f, "sin", 0.7, 3, result="jvp") == 1


def test_a_linear_primal_needs_no_value():
    def f(x, y):
        return np.sum(3.0 * x - x / 2.0) + 0.0 * np.sum(y)

    made = generated(f, X, Y)
    assert "np.sum" not in made, made


def test_unread_adjoints_are_not_made():
    def f(x, y):
        a = x * y
        b = a * 2.0
        return np.sum(b)

    made = generated(f, X, Y)
    assert len(made.splitlines()) <= 3, made


def _scaled(x, y):
    y *= x
    return np.sum(y * y)


def _scaled_in_a_list(x, y):
    y[0] *= x
    y[1][0] = x * y[0][1]
    return np.sum(y[0]) * y[1][0] * x


def _list_items(x, y):
    for i in range(len(y)):
        y[i] = y[i] * x
    return y[0] * y[1]


@pytest.mark.parametrize(
    ("f", "y"),
    [
        (_scaled, lambda: np.array([1.0, 2.0])),
        (_scaled_in_a_list, lambda: [np.array([1.0, 2.0]), np.array([3.0, 4.0])]),
        (_list_items, lambda: [1.5, -2.0]),
    ],
)
def test_active_values_go_into_an_argument_that_is_not_in_wrt(f, y):
    for one in (check_forward, check_reverse):
        one(f, (0.7, y()), 0)


def _by_minus_unsigned(x, n):
    return np.sum(x * (-n))


def _less_minus_an_unsigned_number(x, n):
    return np.sum(x * x - x * (-n[1])) * -np.sum(n)


def _by_unsigned_differences(x, n):
    return np.sum(-x * (n - n[::-1]))


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # NumPy's, of the primal
@pytest.mark.parametrize("f", [_by_minus_unsigned, _less_minus_an_unsigned_number, _by_unsigned_differences])
def test_the_minus_of_an_unsigned_number_stays_where_it_is(f):
    """It counts modulo a power of two: -n is 255 for an n of 1."""
    check(f, (X, np.array([1, 2, 3, 4][: len(X)], dtype=np.uint8)), 0, second=True)
