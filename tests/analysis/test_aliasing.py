"""Names that may share memory: what is followed, what is refused, and what the refusal says."""

from __future__ import annotations

import contextlib
import inspect
import types

import gast
import numpy as np
import pytest

from s2sad import DerivationError, grad, jvp, vjp
from s2sad.analysis.aliasing import check_rebindings
from s2sad.analysis.memory_scan import analyse
from s2sad.core import Facts, statements
from s2sad.frontend.source import function_tree
from s2sad.kinds.kind import Array, Dim, Number, Unknown
from tests.derive.programs import X, Y
from tests.numeric import check, check_second

# --- followed


def second_name(x):
    y = x * 2.0
    z = y
    z[0] = 1.0
    return np.sum(y * y)


def view_of_view(x):
    y = x * 2.0
    v = y[1:]
    w = v[::2]
    w *= 3.0
    return np.sum(y * v[0])


def reshape_view(x):
    y = x * 1.0
    m = y.reshape(2, 2)
    m[0] = m[1] * y[0]
    return np.sum(y * y)


def transpose_view(x):
    y = np.outer(x, x)
    t = y.T
    t[0] = x * 3.0
    return np.sum(y * np.arange(16.0).reshape(4, 4))


def swapped_buffers(x):
    a, b = x * 1.0, np.zeros(4)
    for _ in range(3):
        b[1:] = a[:-1] * a[1:]
        b[0] = a[3]
        a, b = b, a
    return np.sum(a)


def name_moves_on(x):
    a = x * 1.0
    b = a
    a = a * 2.0
    a[0] = 0.0
    return np.sum(a * b)


def known_list_of_one_array_twice(x):
    a = x * 1.0
    both = [a, a]
    both[0][0] = 2.0
    both[1][1] *= x[2]
    return np.sum(both[0] * a)


def overwritten_by_a_helper(x):
    def double(v):
        v *= 2.0

    y = x * 1.0
    double(y[1:3])
    double(y)
    return np.sum(y * x)


def branch_that_copies(x):
    a = x * 1.0
    b = a if x[0] > 100.0 else a.copy()
    return np.sum(a) + np.sum(b)


def either_but_not_read_again(x):
    a, b = x * 1.0, x * 2.0
    c = a if x[0] > 0.0 else b
    c[0] = 0.0
    return np.sum(c * c)


def overwritten_before_they_join(x):
    a, b = x * 1.0, x * 2.0
    a[0] = 5.0
    c = a if x[0] > 0.0 else b
    return np.sum(c * a * b)


def copied_in_a_list(x):
    states = []
    a = x * 1.0
    for i in range(3):
        a[0] = a[0] * a[1] + i
        states.append(a.copy())
    s = 0.0
    for k in range(len(states)):
        s += np.sum(states[k] ** 2)
    return s


def new_array_each_turn(x, n):
    states = []
    for i in range(n):
        a = x * i
        a[0] = x[1]
        states.append(a)
    s = 0.0
    for a in states:
        s += np.sum(a * a)
    return s


def mask_is_no_view(x):
    y = x * 1.0
    m = y[y > 0.0]
    m[0] = 100.0
    return np.sum(y) + np.sum(m * m)


def index_array_is_no_view(x):
    y = x * 1.0
    z = y[[0, 2]]
    z *= 3.0
    return np.sum(y * y) + np.sum(z)


@pytest.mark.parametrize(
    "f",
    [
        second_name,
        view_of_view,
        reshape_view,
        transpose_view,
        swapped_buffers,
        name_moves_on,
        known_list_of_one_array_twice,
        overwritten_by_a_helper,
        branch_that_copies,
        either_but_not_read_again,
        overwritten_before_they_join,
        copied_in_a_list,
        mask_is_no_view,
        index_array_is_no_view,
    ],
)
def test_followed(f):
    check(f, (X,))
    check(f, (-X,))


FOLLOWED = [
    second_name,
    view_of_view,
    reshape_view,
    transpose_view,
    swapped_buffers,
    known_list_of_one_array_twice,
    overwritten_by_a_helper,
    either_but_not_read_again,
    copied_in_a_list,
]


@pytest.mark.parametrize("f", FOLLOWED)
def test_followed_in_second_order(f):
    check_second(f, (X,), 0)


def test_new_arrays_in_a_list():
    check(new_array_each_turn, (X, 3))


# --- refused, or right


def either_and_read_again(x):
    a, b = x * 1.0, x * 2.0
    c = a if x[0] > 0.0 else b
    c[0] = 0.0  # here
    return np.sum(c * a)


def either_in_a_branch(x):
    a, b = x * 1.0, x * 2.0
    if x[0] > 0.0:
        c = a
    else:
        c, _ = b, 1.0
    c *= x  # here
    return np.sum(b * c)


def buffers_swapped_now_and_then(x):
    a, b = x * 1.0, x * 2.0
    for i in range(4):
        b[i] = a[i] * 3.0  # here
        if a[i] > 0.5:
            a, b = b, a
    return np.sum(a * b)


def overwritten_while_in_a_list(x, n):
    states = []
    a = x * 1.0
    for i in range(n):
        a[0] = a[0] * a[1] + i
        states.append(a)  # here
    s = 0.0
    for v in states:
        s += np.sum(v * v)
    return s


def view_of_either(x):
    a, b = x * 1.0, x * 2.0
    c = a if x[0] > 0.0 else b
    v = c[1:]
    v *= 2.0  # here
    return np.sum(a) + np.sum(c * c)


def taken_from_a_list_and_overwritten(x, n):
    states = [x * i for i in range(n)]
    a = states[n - 1]
    a[0] = x[1] * 7.0
    return np.sum(states[n - 1] * x)


def right_or_refused(f, *args):
    """A DerivationError that names the marked line, or a right answer."""
    try:
        check(f, args)
    except DerivationError as error:
        return error
    return None


@pytest.mark.parametrize(
    "f, args",
    [
        (either_and_read_again, (X,)),
        (either_in_a_branch, (X,)),
        (buffers_swapped_now_and_then, (X,)),
        (overwritten_while_in_a_list, (X, 3)),
        (view_of_either, (X,)),
        (taken_from_a_list_and_overwritten, (X, 3)),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_refused_or_right(f, args):
    error = right_or_refused(f, *args)
    if error is None:
        check(f, (-X, *args[1:]))
        return
    lines, first = inspect.getsourcelines(f)
    marked = [first + k for k, line in enumerate(lines) if line.endswith("# here\n")]
    assert error.file == __file__
    assert not marked or error.line == marked[0], str(error)
    assert ".copy()" in error.way_out
    assert "^" in str(error)


def made_anew_while_another_has_a_view(x):
    a, c = x * 1.0, x * 3.0
    for i in range(3):
        if x[i] > 0.5:
            c = a[::-1]
        c *= x  # here
        a = a * x
    return np.sum(a * c)


def test_the_refusal_names_both():
    with pytest.raises(DerivationError, match=r"c may be the same array as \w+ here, and \w+ is used") as caught:
        grad(made_anew_while_another_has_a_view)(X.copy())
    assert str(caught.value).splitlines()[1].strip() == "c *= x  # here"
    assert str(caught.value).splitlines()[-1].startswith("Way out: make a copy with .copy()")


@pytest.mark.parametrize("operator", [grad, vjp])
def test_refused_before_anything_runs(operator, capsys):
    def f(x):
        print("running")
        a, c = x * 1.0, x * 3.0
        for i in range(3):
            if x[i] > 0.5:
                c = a[::-1]
            c *= x
            a = a * x
        return np.sum(a * c)

    with pytest.raises(DerivationError):
        operator(f)(X.copy())
    assert capsys.readouterr().out == ""


# --- arguments that share memory


def writes_the_first(x, y):
    x[0] = y[1] * 3.0
    x *= y
    return np.sum(x * y)


def writes_nothing(x, y):
    return np.sum(x * np.sin(y))


def test_one_array_given_twice():
    check(writes_the_first, (X, Y), (0, 1))
    x = X.copy()
    check(writes_the_first, (x, x), (0, 1), shared=True)
    check(writes_nothing, (x, x), (0, 1), shared=True)


def test_overlapping_arrays_that_are_read():
    check(writes_nothing, (X[1:], X[:-1]), (0, 1))
    assert np.allclose(grad(writes_nothing)(X[1:], X[:-1]), np.sin(X[:-1]))


def test_overlapping_arrays_that_are_written():
    whole = X.copy()
    with pytest.raises(DerivationError, match="x and y share memory, and the function overwrites it"):
        grad(writes_the_first, wrt=(0, 1))(whole[1:], whole[:-1])
    assert np.array_equal(whole, X)
    # and the same function still takes arrays of their own
    check(writes_the_first, (X, Y), (0, 1))


def test_overlap_in_forward_mode():
    whole = X.copy()
    try:
        value, _ = jvp(writes_the_first)(whole[1:], whole[:-1], np.ones(3))
    except DerivationError:
        return
    copy = X.copy()
    assert np.isclose(value, writes_the_first(copy[1:], copy[:-1]))


def writes_the_first_alone(x, y):
    x *= 2.0
    return np.sum(y**2)


def test_what_is_written_is_read_by_the_other_name_alone():
    x = X.copy()
    check(writes_the_first_alone, (x, x), (0, 1), shared=True)
    assert np.allclose(grad(writes_the_first_alone, wrt=1)(x, x), 8.0 * X)
    assert np.array_equal(x, X)


class Part:
    def __init__(self, a):
        self.a = a


def writes_attribute(p, q):
    p.a = 3.0 * q.a
    return q.a**2


def writes_item(p, q):
    p["a"] = 3.0 * q["a"]
    return q["a"] ** 2


def grows(p, q):
    p.append(p[0])
    return sum(v * v for v in q)


def writes_items(p, q):
    for k in range(len(p)):
        p[k] = 2.0 * p[k]
    return sum(v * v for v in q)


def writes_array_of_attribute(p, q):
    p.a[0] = 3.0 * q.a[0]
    return q.a[0] ** 2


def writes_part(p, q=None):
    p["first"].a = 3.0 * p["second"].a
    return p["second"].a ** 2


TWICE = [
    (writes_attribute, lambda: Part(2.0), 2),
    (writes_item, lambda: {"a": 2.0}, 2),
    (grows, lambda: [2.0, 3.0], 2),
    (grows, lambda: [2.0, 3.0] * 50, 2),
    (writes_items, lambda: [2.0, 3.0] * 50, 2),
    (writes_array_of_attribute, lambda: Part(np.ones(2)), 2),
    (writes_part, lambda: dict.fromkeys(("first", "second"), Part(2.0)), 1),
]


@pytest.mark.parametrize(("f", "make", "count"), TWICE)
def test_one_container_given_twice(f, make, count):
    given = make()
    with pytest.raises(DerivationError, match=r"are one object, and the function changes it|share memory"):
        grad(f)(*[given] * count)
    if count == 2:
        check(f, (make(), make()), (0, 1))  # and two are two


def moves_rows(rows, x):
    for row in rows:
        row[0] = row[0] * x
    return sum(row[0] * row[1] for row in rows)


def appends_rows(rows, x):
    rows.append([x, 2.0 * x])
    return sum(row[0] * row[1] for row in rows)


@pytest.mark.parametrize("count", [4, 90])
def test_one_row_given_twice(count):
    row = [0.4, 0.9]
    once = [[0.1 * k, 0.3] for k in range(count)]
    with pytest.raises(DerivationError, match=r"\[0\] and rows\[1\] are one object, and the function changes it"):
        grad(moves_rows, wrt=1)([row, row, *once], 0.7)
    check(moves_rows, (once, 0.7), wrt=1)
    assert grad(appends_rows, wrt=1)([row, row, *once], 0.7) == pytest.approx(2.8)  # (no row changes)


@pytest.mark.parametrize("count", [4, 90])
def test_rows_that_change_stay_the_callers_as_they_were(count):
    rows = [[0.1 * k, 0.3] for k in range(count)]
    grad(moves_rows, wrt=(0, 1))(rows, 0.7)
    assert rows == [[0.1 * k, 0.3] for k in range(count)]


def reads_twice(p, q):
    return p.a * q.a if p is q else p.a + q.a


def test_one_object_given_twice_and_left_alone():
    p = Part(2.0)
    assert (grad(reads_twice)(p, p).a, grad(reads_twice)(p, Part(2.0)).a) == (2.0, 1.0)


# --- names that may be memory in which active values are stored, on small trees

ACTIVE_LATER = [
    ("w = known(u)\nu[0] = x\ny = w[0]", True),  # what is not looked into may hand back what it is given
    ("w = known(u)\nw[0] = x\ny = u[0]", True),
    ("w = known(u)\nw[0] = x\ny = x", False),
    ("w = np.array(known(u))\nu[0] = x\ny = w[0]", False),
    ("w = np.sin(u)\nu[0] = x\ny = w[0]", False),
    ("w = known(3)\nv = known(3)\nw[0] = x\ny = v[0]", True),  # and what it has kept
    ("s = known(u)\nw = known(3)\nw[0] = x\ny = u[0]", True),
    ("s = known(u)\nw = np.zeros(3)\nw[0] = x\ny = u[0]", False),
    ("w = np.ndarray(3, buffer=u)\nu[0] = x\ny = w[0]", True),
    ("if c:\n    w = u\nelse:\n    w = v\nu[0] = x\ny = w[0]", True),
]


@pytest.mark.parametrize(("program", "refused"), ACTIVE_LATER)
def test_active_later(program, refused):
    body = statements(program)
    array, number = Array(np.dtype(float), (Dim.of(3),)), Number(float)
    kinds = {"u": array, "v": array, "w": Unknown(), "s": Unknown(), "x": number, "y": number, "c": Number(bool)}
    stored = {s.targets[0].value.id for s in body if isinstance(getattr(s, "targets", [None])[0], gast.Subscript)}
    facts = Facts(kinds=kinds, varied={"x", *stored}, globals={"np": np, "known": second_name})
    core = types.SimpleNamespace(source=function_tree(second_name))
    with pytest.raises(DerivationError, match="active values") if refused else contextlib.nullcontext():
        check_rebindings(body, analyse(body, facts, {}), core, {"y"})
