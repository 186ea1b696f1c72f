"""What is recorded: nothing where nothing need be, otherwise one entry a turn of what cannot be computed again."""

from __future__ import annotations

import inspect

import gast
import numpy as np
import pytest

from s2sad import grad
from tests.derive.programs import X, Y, appends, calls_of, decided, derived, generated, tapes
from tests.numeric import check, check_second

# --- nothing to record


def straight(x, y):
    a = np.sin(x) * y
    b = a * a + np.exp(a)
    return np.sum(b / y)


def reassigned(x):
    x = x * 2.0
    x = x * x
    x = np.sin(x)
    return np.sum(x)


def branched(x, k):
    y = np.sum(x * x)
    z = y * k if y > 1.0 else np.sqrt(y)
    if k > 0.0:
        z = z * y
    return z


def scan(x, a):
    s = 0.0
    out = np.empty(x.size)
    for i in range(x.size):
        s = a * s + x[i]
        out[i] = s
    return out @ out


def linear_stencil(u, n):
    u = u.copy()
    for _ in range(n):
        u[1:-1] += 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u)


def linear_in_place(x):
    a = np.zeros(4)
    for i in range(1, 4):
        a[i] = 0.5 * a[i - 1] + x[i]
    return np.sum(a)


def sum_of_squares(x):
    s = 0.0
    for i in range(x.size):
        s += x[i] * x[i]
    return s


def over_items(x, y):
    s = 0.0
    for a, b in zip(x, y, strict=True):
        s += a * a * b
    return s


def known_index(x, idx):
    s = 0.0
    for i in range(idx.size):
        k = idx[i]
        s += x[k] ** 2 * x[i]
    return s


def geometric_by_store(x):
    a = np.zeros(4)
    a[0] = x[0]
    for i in range(1, 4):
        a[i] = a[i - 1] * x[i]
    return np.sum(a)


def branch_on_the_index(x):
    s = 0.0
    for i in range(x.size):
        if i % 2 == 0:
            s += x[i] ** 2
        else:
            s -= np.sin(x[i])
    return s


def branch_on_an_element(x):
    s = 0.0
    for i in range(x.size):
        if x[i] > 0.0:
            s += x[i] ** 2
        else:
            s -= x[i] ** 3
    return s


NO_TAPE = [
    (straight, (X, Y)),
    (reassigned, (X,)),
    (branched, (X, 2.0)),
    (scan, (X, 0.9)),
    (linear_stencil, (X, 3)),
    (linear_in_place, (X,)),
    (sum_of_squares, (X,)),
    (over_items, (X, Y)),
    (known_index, (X, np.array([3, 0, 0]))),
    (geometric_by_store, (X,)),
    (branch_on_the_index, (X,)),
    (branch_on_an_element, (X,)),
]


@pytest.mark.parametrize("f, args", NO_TAPE, ids=lambda v: getattr(v, "__name__", ""))
def test_no_tape(f, args):
    assert appends(f, *args) == 0, generated(f, *args)
    assert "taped" not in decided(f, *args)
    check(f, args)


def weighted_stencil(u, w, n):
    for _ in range(n):
        u[1:-1] += 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return u @ w


def loops_of(f, *args):
    return sum(isinstance(n, gast.For) for n in gast.walk(derived(f, *args).functions[-1]))


def test_linear_loops_have_no_forward_sweep():
    assert loops_of(weighted_stencil, X, Y, 3) == 1, generated(weighted_stencil, X, Y, 3)


def test_a_shape_keeps_no_forward_sweep():
    assert loops_of(linear_stencil, X, 3) == 1, generated(linear_stencil, X, 3)


def test_straight_code_copies_nothing():
    assert calls_of(straight, "copy", X, Y) == 0
    assert calls_of(reassigned, "copy", X) == 0


# --- computed again


def test_elements_are_read_again():
    assert "x[i]" in generated(sum_of_squares, X)


def element_of_a_local(x):
    w = np.sin(x)
    s = 0.0
    for i in range(3):
        v = w[i]
        s += v * v * w[i + 1]
    return s


def element_of_an_overwritten(x):
    w = np.sin(x)
    s = 0.0
    for i in range(4):
        v = w[i]
        w[i] = 0.0
        s += v * v
    return s + np.sum(w)


def element_overwritten_before(x):
    w = x * 1.0
    s = 0.0
    for i in range(1, 4):
        w[i] = w[i] + w[i - 1] ** 2
        s += w[i] * w[i - 1]
    return s


def short_expression(x):
    s = 1.0
    for i in range(4):
        t = x[i] * 2.0 + i
        s = s + t * t
    return s


def test_elements_of_unchanged_arrays_are_not_taped():
    assert appends(element_of_a_local, X) == 0
    assert appends(short_expression, X) == 0
    assert appends(element_overwritten_before, X) <= 1


@pytest.mark.parametrize(
    "f", [element_of_a_local, element_of_an_overwritten, element_overwritten_before, short_expression]
)
def test_elements(f):
    check(f, (X,), second=f is not element_overwritten_before)


def test_elements_of_overwritten_arrays_are_kept():
    made = decided(element_of_an_overwritten, X)
    assert made.get("taped") or made.get("copied"), generated(element_of_an_overwritten, X)


# --- one entry a turn


def recurrence(x, n):
    for _ in range(n):
        x = np.sin(x) * x
    return x


def two_values(x, n):
    a, b = x, 1.0
    for _ in range(n):
        a, b = a * b, np.sin(a) + b * b * 0.1
    return a + b


def newton(a):
    x = a
    while abs(x * x - a) > 1e-9:
        x = 0.5 * (x + a / x)
    return x


def nested(x, n):
    s = x
    for _ in range(n):
        t = s
        for j in range(3):
            t = t * t * 0.3 + j * 0.1
        s = s + np.sin(t)
    return s


def taped_in_a_branch(x, n):
    s = x
    for _ in range(n):
        if s > 0.6:
            t = np.sin(s)
            s = t * s
        else:
            s = s * s + 0.7
    return s


def arrays(x, n):
    for _ in range(n):
        x = np.tanh(x * x + 0.1)
    return np.sum(x)


@pytest.mark.parametrize(
    "f, args, most",
    [
        (recurrence, (0.7, 4), 1),
        (two_values, (0.7, 4), 1),
        (newton, (3.0,), 1),
        (arrays, (X, 3), 1),
        (nested, (0.4, 3), 2),
        (taped_in_a_branch, (0.4, 5), 1),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_one_append_a_turn(f, args, most):
    assert 1 <= appends(f, *args) <= most, generated(f, *args)
    assert tapes(f, *args) <= most
    check(f, args, second=True)


def test_no_turns_at_all():
    for f in (recurrence, two_values, nested, taped_in_a_branch):
        check(f, (0.7, 0))


def test_only_what_is_read_is_taped():
    def f(x, n):
        s = 0.0
        for _ in range(n):
            unread = np.cos(x) + s
            s = s + unread
            x = np.sin(x)
        return s + x

    assert decided(f, 0.7, 4)["taped"] == {"x"}
    check(f, (0.7, 4))


# --- order of tapes


def before_and_after_an_inner_loop(x, n):
    s = x
    for i in range(n):
        a = np.sin(s)
        s = a * s
        for _ in range(i):
            s = s * s * 0.4 + a
        b = np.cos(s)
        s = s * b * a
    return s


def inner_loop_first(x, n):
    s = x
    for i in range(n):
        for _ in range(i):
            s = np.sin(s) * s
        s = np.exp(-s * s)
    return s


def two_inner_loops(x, n):
    s, t = x, x * x
    for i in range(n):
        for _ in range(2):
            s = np.sin(s + t)
        for _ in range(i):
            t = t * s + np.cos(t)
    return s * t


def branch_between(x, n):
    s = x
    for _ in range(n):
        s = np.sin(s) * 1.5
        if s > 0.9:
            s = s * s
            for _ in range(2):
                s = np.cos(s) * s
        s = s * np.exp(-s)
    return s


def two_loops_in_a_row(x, n):
    s = x
    for _ in range(n):
        s = np.sin(s) * s + 0.5
    for _ in range(n + 1):
        s = np.cos(s) + s * 0.2
    return s


def arrays_and_numbers(x, n):
    v = x * 1.0
    s = 0.5
    for _ in range(n):
        for j in range(3):
            s = np.sin(s) + v[j]
        v = v * s
    return np.sum(v) * s


@pytest.mark.parametrize(
    "f", [before_and_after_an_inner_loop, inner_loop_first, two_inner_loops, branch_between, two_loops_in_a_row]
)
@pytest.mark.parametrize("n", [0, 1, 3])
def test_entries_come_back_in_order(f, n):
    check(f, (0.8, n), second=n == 3)


def test_entries_of_two_kinds():
    check(arrays_and_numbers, (X, 3), second=True)


# --- exits


def break_in_the_middle(x, n):
    s = x
    for _ in range(n):
        s = np.sin(s) + s
        if s > 2.0:
            break
        s = s * s
    return s


def break_first(x, n):
    s = x
    for _ in range(n):
        if s > 2.0:
            break
        s = s * s + 0.5
    return s


def break_at_the_end(x, n):
    s = x
    for i in range(n):
        s = s * s + 0.5
        if i > 1 and s > 1.0:
            break
    else:
        s = s * 3.0
    return s


def continue_in_the_middle(x, n):
    s = x
    for _ in range(n):
        s = np.sin(s) + s
        if s > 2.0:
            s = s * 0.3
            continue
        s = s * s
    return s


def return_in_the_middle(x, n):
    s = x
    for i in range(n):
        s = np.sin(s) * 1.7
        if s > 1.2:
            return s * s * i
        s = s * s + 0.2
    return np.exp(s)


def return_from_nested(x, n):
    s = x
    for i in range(n):
        for j in range(i):
            s = s * 1.1 + 0.5 * s * np.sin(s)
            if s > 6.0:
                return s * s + j
            if s > 5.0:
                break
        s = s * 0.8
    return -s


def while_true(x):
    s = x
    while True:
        s = s * s + 0.3
        if s > 4.0:
            break
        s = np.sin(s) + s
        if s < -9.0:
            continue
        if s > 3.0:
            return s * x
    return s


EXITS = [
    break_in_the_middle,
    break_first,
    break_at_the_end,
    continue_in_the_middle,
    return_in_the_middle,
    return_from_nested,
]


@pytest.mark.parametrize("f", EXITS)
@pytest.mark.parametrize("n", [0, 1, 2, 4, 6])
def test_exits(f, n):
    check(f, (0.7, n))


@pytest.mark.parametrize("f", EXITS)
def test_exits_of_second_order(f):
    check_second(f, (0.7, 4), 0)


@pytest.mark.parametrize("x", [0.1, 0.9, 2.5, 1.7])
def test_while_true(x):
    check(while_true, (x,), second=True)


# --- copies of what is overwritten


def overwritten_once(x):
    a = np.sin(x)
    b = a * a
    a[0] = 0.0
    return np.sum(b) + np.sum(a)


def overwritten_but_not_read(x):
    a = np.sin(x)
    b = a * 2.0
    a[0] = 0.0
    return np.sum(b) + np.sum(a)


def read_twice(x):
    a = np.sin(x)
    b = a * a
    c = np.exp(a) * a
    a[0] = 0.0
    return np.sum(b * c) + np.sum(a)


def two_states(x):
    a = np.sin(x)
    b = a * a
    a[0] = x[1]
    c = a * a
    a[1] = 0.0
    return np.sum(b * c) + np.sum(a)


def nonlinear_stencil(u, n):
    u = u.copy()
    for _ in range(n):
        u[1:-1] += 0.1 * u[1:-1] * (u[2:] - u[:-2])
    return np.sum(u * u)


@pytest.mark.parametrize(
    "f, copies",
    [(overwritten_once, 1), (overwritten_but_not_read, 0), (read_twice, 1), (two_states, 2)],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_copies_exactly_where_needed(f, copies):
    copied = [d for d in derived(f, X).decisions if d[1] == "copied"]
    assert len(copied) <= copies, generated(f, X)
    check(f, (X,), second=True)


def test_overwritten_in_a_loop():
    check(nonlinear_stencil, (X, 3), second=True)
    assert appends(nonlinear_stencil, X, 3) == 1


def forward_leaves_arguments(x, y):
    y[:] = np.sin(y) * x
    x *= 2.0
    return np.sum(x * y)


def test_overwritten_arguments():
    check(forward_leaves_arguments, (X, Y), (0, 1), second=True)


def solved(L, b):
    x = np.zeros_like(b)
    for i in range(len(b)):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]
    return np.sum(x * x)


def factored(A):
    A = A.copy()
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] = (A[i, j] - A[i, :j] @ A[j, :j]) / A[j, j]
        A[i, i] = np.sqrt(A[i, i] - A[i, :i] @ A[i, :i])
    return np.sum(np.tril(A) ** 2)


def columns(A):
    Q, lengths = np.zeros_like(A), np.zeros(A.shape[1])
    for k in range(A.shape[1]):
        lengths[k] = np.sqrt(A[:, k] @ A[:, k])
        Q[:, k] = A[:, k] / lengths[k]
    return np.sum(np.sin(Q))


_L, _b = np.tril(np.arange(16.0).reshape(4, 4) / 7.0) + 2.0 * np.eye(4), np.array([1.0, -2.0, 0.5, 3.0])


@pytest.mark.parametrize("f, args", [(solved, (_L, _b)), (factored, (_L @ _L.T,)), (columns, (_L,))])
def test_slices_and_results_that_stay_where_they_are_stored_are_read_there(f, args):
    check(f, args, wrt=tuple(range(len(args))))
    assert "tape" not in inspect.getsource(grad(f, wrt=tuple(range(len(args)))).specialize(*args))


def behind(L, b):
    x = b.copy()
    for i in range(1, len(b)):
        x[i] = x[i] * (L[i, :i] @ x[:i])
        x[i - 1] *= 2.0
    return np.sum(x)


def from_the_end(L, b):
    x = b.copy()
    for i in range(len(b)):
        x[i] = b[i] * np.sum(x[: i - 1] ** 2)
    return np.sum(x)


def backwards(L, b):
    x = b.copy()
    for i in range(len(b) - 1, 0, -1):
        x[i] = x[i] * np.sum(x[:i] ** 2)
    return np.sum(x * L[0])


def twice(L, b):
    x = b.copy()
    for i in range(len(b)):
        t = np.exp(0.1 * b[i])
        x[i] = t
        x[0] += t * x[i]
    return np.sum(x)


def rounded(L, b):
    x = np.zeros(len(b), dtype=np.float32)
    y = 0.0
    for i in range(len(b)):
        t = np.exp(b[i])
        x[i] = t
        y = y + t * L[i, i]
    return y


def cut_short(L, b):
    x = np.zeros_like(b)
    y = 0.0
    for i in range(len(b)):
        t = np.exp(b[i])
        y = y + t * L[i, i]
        if t < 0.5:
            break
        x[i] = t
    return y + np.sum(x)


@pytest.mark.parametrize("f", [behind, from_the_end, backwards, twice, rounded, cut_short])
def test_what_is_overwritten_or_is_not_stored_as_it_is_is_kept(f):
    check(f, (_L, _b), wrt=(0, 1))
