"""What the primal raises, the derivative raises, though it does not need the value that is not there."""

from __future__ import annotations

import ast
import textwrap

import numpy as np
import pytest

from s2sad import DerivationError, grad, hessian, jvp, value_and_grad, vjp
from tests import generator

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


def updated_array_that_nobody_reads(x, a):
    y = np.zeros(3)
    y += a
    return np.sum(x)


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


def one_of_two(x, v):
    a, _b = v
    return np.sum(x) + a


def none_of_two(x, v):
    _a, _b = v
    return np.sum(x)


def both(x, v):
    a, b = v
    return np.sum(x) * a * b


def of_what_is_computed(x):
    a, _b = np.sin(x)
    return a * a


def nested(x, w):
    (a, _b), _c = w
    return np.sum(x) + a


def first_and_last_of(x, v):
    a, *_r, b = v
    return np.sum(x) * a + b


def rows(x, w):
    s = 0.0
    for a, _b in w:
        s = np.sin(s + a * x[0])
    return s


def in_a_branch(x, v):
    a = 1.0
    if x[1] > 0.0:
        _, a = v
    return np.sum(x) * a


ROW = np.arange(3.0)
PAIR = np.ones(2)
#: function, arguments for which there is a value, and those for which there is none
CASES = [
    (added_to_a_new_array, (ROW,), (np.ones(2),)),
    (added_to_a_global, (ROW,), (np.ones(2),)),
    *((f, (ROW, PAIR), (ROW, V)) for f in (one_of_two, none_of_two, both, in_a_branch)),
    (of_what_is_computed, (PAIR,), (ROW,)),
    (nested, (ROW, np.ones((2, 2))), (ROW, np.ones((2, 3)))),
    (first_and_last_of, (ROW, V), (ROW, np.ones(1))),
    (rows, (ROW, np.ones((3, 2))), (ROW, np.ones((2, 3)))),
    (one_subtracted_from_the_other, (ROW, ROW), (ROW, np.ones(2))),
    (sum_that_nobody_reads, (ROW, ROW), (ROW, np.ones(2))),
    (as_long_as_is_said, (ROW, 3), (ROW, 2)),
    (updated_array_that_nobody_reads, (V, V), (V, np.ones(4))),
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


# --- what raises, where it stands, and what is asked for

A, B = np.ones(3), np.ones(2)
REGULAR, SINGULAR, NEGATIVE = np.eye(2), np.zeros((2, 2)), -np.eye(2)
#: an operation on a, b, i and word whose value no derivative reads, with the arguments at which it raises
OPERATIONS = {
    "sum": ("np.sum(a + b)", {"b": B}),
    "sum with what is computed": ("np.sum(2.0 * a + np.arange(2.0 + i))", {"i": 0}),
    "product": ("np.sum(a * b)", {"b": B}),
    "function of two": ("np.sum(np.maximum(a, b))", {"b": B}),
    "where": ("np.sum(np.where(a > 0.0, a, b))", {"b": B}),
    "reshape": ("np.sum(a.reshape(3, i))", {"i": 2}),
    "np.reshape": ("np.sum(np.reshape(a, (i, 3)))", {"i": 2}),
    "stack": ("np.sum(np.stack([a, b]))", {"b": B}),
    "concatenate": ("np.sum(np.concatenate([m, c]))", {"c": np.ones((2, 3))}),
    "@": ("a @ b", {"b": B}),
    "matrix @": ("np.sum(m @ c)", {"c": np.ones((3, 2))}),
    "dot": ("np.dot(a, b)", {"b": B}),
    "cross": ("np.sum(np.cross(a, b))", {"b": np.ones(5)}),
    "einsum": ("np.einsum('i,i->', a, b)", {"b": B}),
    "element": ("a[i]", {"i": 3}),
    "computed element": ("a[i + 1]", {"i": 2}),
    "item": ("LEVELS[i]", {"i": 2}),
    "item of a table": ("TABLE[i]", {"i": 3}),
    "item by text": ("WORDS[word]", {"word": "2"}),
    "item by a number as text": ("WORDS[str(i)]", {"i": 2}),
    "item of a display": ("(1.0, 2.0)[i]", {"i": 2}),
    "letter": ("len('ab'[i])", {"i": 2}),
    "rows that are written down": ("np.sum(a[np.array([0, 2])])", {"a": B}),
    "mask that is written down": ("np.sum(a[np.array([True, False, True])])", {"a": B}),
    "take": ("np.take(a, i)", {"i": 3}),
    "split": ("np.sum(np.split(a, 3)[0])", {"a": B}),
    "axis": ("np.sum(np.sum(m, axis=1))", {"m": A}),
    "axes": ("np.sum(np.swapaxes(m, 0, 1))", {"m": A}),
    "place of an item": ("LEVELS.index(i)", {"i": 3}),
    "int": ("int(word)", {"word": "one"}),
    "largest of none": ("max(items)", {"items": []}),
    "negative length": ("np.sum(np.zeros(i))", {"i": -1}),
    "length that is no int": ("np.sum(np.ones(i))", {"i": 1.5}),
    "length of a number": ("len(m)", {"m": 2.0}),
    "index that is no int": ("a[i]", {"i": 1.5}),
    "an index too many": ("np.sum(a[0, i:])", {}),
    "step of nothing": ("np.sum(a[::i])", {"i": 0}),
    "text and array": ("len('a' + a)", {}),
    "an argument too many": ("np.sum(a, axes=1)", {}),
    "negative power": ("0.0 ** i", {"i": -1}),
    "text that is no number": ("np.array(word, float)", {"word": "one"}),
    "condition of elements": ("(1.0 if a else 2.0)", {}),
    "chain of elements": ("(1.0 if 0.0 < a < 2.0 else 2.0)", {}),
    "repeated less than never": ("np.sum(np.repeat(a, i))", {"i": -1}),
    "items of a number": ("len(list(m))", {"m": 2.0}),
    "solve": ("np.sum(np.linalg.solve(m, np.ones(2)))", {"m": SINGULAR}),
    "inv": ("np.sum(np.linalg.inv(m))", {"m": SINGULAR}),
    "cholesky": ("np.sum(np.linalg.cholesky(m))", {"m": NEGATIVE}),
}
FINE = {"a": A, "b": A, "m": REGULAR, "c": REGULAR, "i": 1, "word": "1", "items": [1.0, 2.0]}
ARGUMENTS = ", ".join(FINE)
PLACES = {
    "top": "    v = {}\n    return np.sum(np.sin(x)) + v\n",
    "nobody reads it": "    v = {}\n    return np.sum(np.sin(x))\n",
    "branch": "    v = 0.0\n    if x[0] > 0.0:\n        v = {}\n    return np.sum(np.sin(x)) + v\n",
    "loop": "    y, v = x, 0.0\n    for _ in range(2):\n        y, v = np.sin(y), {}\n    return np.sum(y) + v\n",
    "helper": "    return np.sum(np.sin(x)) + helper(ARGUMENTS)\n\n\ndef helper(ARGUMENTS):\n    return {}\n",
    "behind a raise": "    if i < 0:\n        raise KeyError(i)\n    return np.sum(np.sin(x)) + {}\n",
    "behind a while": "    k = 0\n    while k < 3:\n        k += 1\n    return np.sum(np.sin(x)) + k * {}\n",
}
#: where second derivatives are taken, too
TWICE = ("loop", "helper")
HEAD = "import numpy as np\n\nTABLE, WORDS = {1: 2.0, 2: 3.0}, {'1': 2.0}\nLEVELS = [1.0, 2.0]\n\n\n"
HEAD += "def f(x, ARGUMENTS):\n"


@pytest.mark.sampled(10, cover=True)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_wherever_it_stands(operation, place, tmp_path):
    expression, wrong = OPERATIONS[operation]
    text = (HEAD + PLACES[place].replace("{}", expression)).replace("ARGUMENTS", ARGUMENTS)
    f = generator.load(text, tmp_path / "program.py")
    x, fine, bad = np.arange(1.0, 4.0), tuple(FINE.values()), tuple({**FINE, **wrong}.values())
    with pytest.raises(Exception) as caught:
        f(x, *bad)
    # the checks are found with the first derivative: a second one goes through what that has made of them
    for operator in OPERATORS if place == "top" else ("grad", "second") if place in TWICE else ("grad",):
        if wrong:  # (else there is nothing for which it does not raise)
            OPERATORS[operator](f, x, *fine)
        with pytest.raises((caught.type, DerivationError)):
            OPERATORS[operator](f, x, *bad)


# --- what is read by its own check alone


def of_what_it_was(x, n, r):
    v = r
    for _ in range(n):
        v = 1.0 / (v - 1.0)
    return x * x


def stores_that_nobody_reads(x, n, r):
    y = np.zeros(3)
    y[0] = [r] * n
    return x * x


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("f, right, wrong", [(of_what_it_was, 3.0, 1.0), (stores_that_nobody_reads, None, 2.0)])
def test_values_that_only_a_check_reads(f, right, wrong, operator):
    if right is not None:
        OPERATORS[operator](f, 0.5, 3, right)
    with pytest.raises((ZeroDivisionError, ValueError, DerivationError)):
        OPERATORS[operator](f, 0.5, 3, wrong)


# --- names that have no value


def bound_in_a_branch(x, n):
    if n > 1:
        y = 2.0 * x
    return x + 0 * y


def bound_in_a_loop(x, n):
    for i in range(n):
        y = 2.0 * i
    return x + y


def variable_of_a_loop(x, n):
    for i in range(n):  # noqa: B007
        pass
    return x + i


def scaled(x, n):
    if n > 0:
        t = 2.0
    return np.array([x, 2.0])[0] * t


def scaled_in_a_loop(x, n):
    y = x
    for _ in range(3):
        if n > 0:
            t = 2.0
        y = y * t
    return y


def copied_in_a_loop(x, n):
    for _ in range(3):
        if n > 0:
            t = 2.0
        y = t
    return x * y


def put_into_a_list(x, n):
    if n > 0:
        t = 2.0
    items = []
    for _ in range(3):
        items.append(t)
    return x * items[0]


def asked_for(x, n):
    if n > 0:
        chosen = n > 1
    if chosen:
        x = x * 2.0
    return x * 3.0


def stored(x, n):
    if n > 0:
        t = 2.0
    y = np.zeros(2)
    y[0] = t
    return x * y[0]


UNBOUND = (asked_for, scaled, scaled_in_a_loop, copied_in_a_loop, put_into_a_list, stored)


def deleted(x, n):
    y = 2.0
    if n < 1:
        del y
    return x + y


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("f", [bound_in_a_branch, bound_in_a_loop, variable_of_a_loop, deleted, *UNBOUND])
def test_names_without_a_value(f, operator):
    assert np.isfinite(np.sum(f(0.5, 2)))
    with pytest.raises((UnboundLocalError, DerivationError)):
        OPERATORS[operator](f, 0.5, 0)


def none_or_compared(x, n):
    if n > 1:
        t = None
    elif n > 0:
        t = x
    y = x if t is None else t * 2.0
    return x * 2.0 + 0.0 * len([y])


def none_or_listed(x, n):
    if n > 1:
        t = None
    elif n > 0:
        t = np.ones(3) * x
    held = []
    held.append(t)
    return x * 2.0


def none_or_returned(x, n):
    if n > 1:
        t = None
    elif n > 0:
        t = x
    y = t
    return x * 2.0 if y is None else y


def none_in_a_turn(x, n):
    for i in range(3 - n):
        if i > 1 or n > 1:
            t = None
        elif i > 0 or n > 0:
            t = x
        y = [t]
    return x * 2.0 + len(y)


def array_or_none(v, n):
    if n:
        return v
    return None


def none_on_a_list(x, n):
    held = [array_or_none(x, i) for i in range(n + 2)]
    return x if held[0] is None else 2.0 * x


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("f", [none_or_compared, none_or_listed, none_or_returned, none_in_a_turn])
def test_names_that_may_be_none_or_have_no_value(f, operator):
    for n in (2, 1):
        assert np.isfinite(np.sum(OPERATORS[operator](f, 0.5, n)))
    with pytest.raises(UnboundLocalError, match="variable 't'"):
        OPERATORS[operator](f, 0.5, 0)


@pytest.mark.parametrize("operator", OPERATORS)
def test_none_is_a_value(operator):
    want = {"value_and_grad": (0.5, 1.0), "jvp": (0.5, 1.0), "second": 0.0}.get(operator, 1.0)
    assert np.all(OPERATORS[operator](none_on_a_list, 0.5, 1) == np.array(want))


#: what raises for what it is given, whoever reads it; `a` is [1, 2]
RAISING = (
    "a.pop([1])", "del a[[1]]", "a.insert(1.5, 3)", "a[range(2)[[1]]]", "range(3)[1.5]", "range(1.5)",
    "a.remove(7)", "sum(['a', 'b'])", "sum([[1], [2]])", "sum([(1,), (2,)])", "{[1.0]: 2.0}", "set([[1]])",
    "int(math.nan)", "a.index(7)", "divmod(1, 0)", "{'k': 1}.get()", "a.clear(1)", "bytes(-1)", "next(iter([]))",
    "np.zeros(-1)", "max([])", "reversed(5)", "a.append()",
)  # fmt: skip


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("line", RAISING)
def test_lines_that_raise(line, operator, tmp_path):
    text = f"import math\nimport numpy as np\ndef f(x):\n    a = [1, 2]\n    {line}\n    return x**3\n"
    f = generator.load(text, tmp_path / "lines.py")
    with pytest.raises(Exception) as wanted:
        f(2.0)
    with pytest.raises((wanted.type, DerivationError)):
        OPERATORS[operator](f, 2.0)


def popped(x, n):
    stack = [1.0] * n
    stack.pop()
    return np.sum(x) + stack.pop()


@pytest.mark.parametrize("operator", OPERATORS)
def test_more_is_popped_than_there_is(operator):
    OPERATORS[operator](popped, ROW, 2)
    with pytest.raises((IndexError, DerivationError)):
        OPERATORS[operator](popped, ROW, 1)


# --- where nothing has to be looked at


def inside_the_loop(x, a):
    y, s = x, 0.0
    for i in range(len(a) - 1):
        y = np.sin(y)
        s += a[i] + a[i + 1]
    return np.sum(y) + s


def same_shape(x, a):
    b = 2.0 * a
    return np.sum(np.sin(x)) + np.sum(a + b[::-1]) + np.sum(np.stack([a, b])) + np.dot(a, b)


def reshaped(x, a):
    return np.sum(np.sin(x)) + np.sum(a.reshape(-1)) + np.sum(a.reshape(a.size, 1))


@pytest.mark.parametrize("f", [inside_the_loop, same_shape, reshaped])
def test_what_is_proved_leaves_nothing(f):
    d = grad(f)
    d(ROW, V)
    function = d.source.partition("def grad_")[2].partition("\n")[2]
    assert "a" not in {n.id for n in ast.walk(ast.parse(textwrap.dedent(function))) if isinstance(n, ast.Name)} or (
        f is inside_the_loop and "a[" not in function
    )


def changes_the_globals(x):
    globals()["LEVELS"] += [3.0]
    return np.sum(x)


@pytest.mark.parametrize("operator", OPERATORS)
def test_the_dictionary_of_globals_is_refused(operator):
    with pytest.raises(DerivationError, match=r"globals\(\)"):
        OPERATORS[operator](changes_the_globals, ROW)


# --- unpacking of what is known to have another number of items


def of_new_ones(x, v):
    a, _b = np.ones(3)
    return np.sum(x) + a


def of_too_few(x, v):
    a, _b, *_rest = np.ones(1)
    return np.sum(x) + a


def of_a_number(x, v):
    a, _b = v
    return np.sum(x) + a


def first_of_a_number(x, v):
    a, *_rest = v
    return np.sum(x) + a


def wrong_in_a_branch(x, v):
    if x[0] > 0.0:
        return np.sum(x)
    a, _b = np.ones(3)
    return np.sum(x) + a


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("v", [2.0, np.float64(2.0), np.ones(())], ids=["float", "float64", "0-d"])
@pytest.mark.parametrize("f", [of_new_ones, of_too_few, of_a_number, first_of_a_number])
def test_what_is_unpacked_has_another_number_of_items(f, v, operator):
    with pytest.raises((TypeError, ValueError)) as caught:
        f(ROW, v)
    with pytest.raises((caught.type, DerivationError)):
        OPERATORS[operator](f, ROW, v)


def first_of_numbers(x, n):
    items = []
    for i in range(n):
        items.append(float(i))
    _first, *_rest = items
    return np.sum(x)


def first_of_active_numbers(x, n):
    items = []
    for i in range(n):
        items.append(x[0] * i)
    _first, *_rest = items
    return np.sum(x)


def first_of_an_array(x, n):
    _first, *_rest = np.arange(n) * 1.0
    return np.sum(x)


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("f", [first_of_numbers, first_of_active_numbers, first_of_an_array])
def test_the_first_of_nothing(f, operator):
    with pytest.raises(ValueError, match="not enough values to unpack"):
        OPERATORS[operator](f, ROW, 0)
    OPERATORS[operator](f, ROW, 1)


def test_parts_that_nobody_reads_are_unpacked_with_the_others():
    d = value_and_grad(in_a_branch)
    d(ROW, PAIR)
    assert "        _, a = v\n" in d.source and "v[" not in d.source
    d = grad(none_of_two)
    d(ROW, PAIR)
    assert "    _, _ = v\n    return np.ones_like(x)\n" in d.source
    d = grad(both)
    d(ROW, PAIR)
    assert d.source.partition("def ")[2].count("= v") == 1


def underscore_is_read(x, v):
    _ = 2.0 * x[0]
    a, _b = v
    return _ * a


def test_a_variable_called_underscore_keeps_its_value():
    for operator in (grad, value_and_grad):
        found = operator(underscore_is_read)(ROW, 3.0 * PAIR)
        np.testing.assert_array_equal(found if operator is grad else found[1], [6.0, 0.0, 0.0])
    assert jvp(underscore_is_read)(ROW, 3.0 * PAIR, V) == (0.0, 6.0)


@pytest.mark.parametrize("operator", OPERATORS)
def test_what_would_be_unpacked_on_another_path(operator):
    OPERATORS[operator](wrong_in_a_branch, ROW + 1.0, 1.0)


def scaled_by_positions(x):
    return np.sum(x * np.arange(x.size))


def inner_part_updated(x, n):
    u = x.copy()
    for _k in range(n):
        u[1:-1] += 0.1 * (u[2:] - u[:-2])
    return np.sum(u)


def part_updated(x, i):
    u = x.copy()
    u[i : i + 2] += 0.5 * x[i : i + 2]
    u[i : i + 1] = 3.0 * x[i : i + 1]
    return np.sum(u)


@pytest.mark.parametrize(("f", "args"), [(scaled_by_positions, ()), (inner_part_updated, (3,)), (part_updated, (1,))])
def test_what_cannot_raise_for_its_kinds_has_no_check(f, args):
    d = grad(f)
    d(np.array([0.5, 1.5, -1.0, 2.0]), *args)
    (function,) = ast.parse(d.source).body[1:]
    assert not any(isinstance(s, ast.Expr) for s in ast.walk(function)), d.source


def part_that_nobody_reads(x, v):
    part = v[:2]
    part += v[1:]
    return np.sum(x)


@pytest.mark.parametrize("operator", OPERATORS)
def test_an_update_of_a_part_that_nobody_reads(operator):
    OPERATORS[operator](part_that_nobody_reads, ROW, V)
    with pytest.raises(ValueError, match="broadcast"):
        OPERATORS[operator](part_that_nobody_reads, ROW, np.ones(5))
