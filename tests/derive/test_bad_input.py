"""Bad input gets one clear error before anything runs: file, line, caret, reason, way out."""

from __future__ import annotations

import builtins
from pathlib import Path

import numpy as np
import pytest

from s2sad import BadArgument, DerivationError, NoSource, grad, hvp, jacobian, jvp, value_and_grad, vjp
from tests.derive.programs import X

LINES = Path(__file__).read_text().splitlines()
ran: list[str] = []


@pytest.fixture(autouse=True)
def nothing_runs():
    ran.clear()
    yield
    assert not ran, "the function ran"


def place(error: DerivationError, part: str) -> None:
    """Does the error show file and line, the source line that holds `part`, and a caret under it?"""
    shown = str(error).splitlines()
    assert shown[0] == f"{__file__}:{error.line}", shown
    assert LINES[error.line - 1].strip() == shown[1].strip()
    assert part in shown[1], shown
    start = shown[2].index("^")
    assert set(shown[2].strip()) == {"^"}
    assert part in shown[1][start : start + len(shown[2].strip())] or shown[1][start:].startswith(part[:1]), shown
    assert shown[-1].startswith("Way out: ") and len(shown) >= 5
    assert error.reason and error.way_out


# --- no source


@pytest.mark.parametrize("fn", [open, builtins.input, "text".join], ids=["open", "input", "join"])
def test_no_source(fn):
    with pytest.raises(NoSource) as caught:
        grad(fn)(1.0)
    assert caught.value.reason and caught.value.way_out


def test_no_source_of_executed_text():
    namespace: dict = {}
    exec("def f(x):\n    return x * x", namespace)
    with pytest.raises(NoSource) as caught:
        grad(namespace["f"])(1.0)
    assert "Way out" in str(caught.value)


def test_two_lambdas_that_cannot_be_told_apart():
    f, g = lambda x: x * x, lambda x: x * x
    try:
        assert grad(f)(3.0) == grad(g)(3.0) == 6.0  # the same text: either will do
    except NoSource as error:
        assert "lambda" in str(error)


# --- constructs


def generator(x):
    yield x * 2.0


async def coroutine(x):
    return x * 2.0


counter = 0.0


def global_write(x):
    global counter
    print("running")
    counter = x * 2.0
    return counter


def evaluates(x):
    print("running")
    return eval("x * 2.0")


def executes(x):
    print("running")
    exec("y = x * 2.0")
    return x


def inner_generator(x):
    def items():
        yield x
        yield x * x

    s = 0.0
    for v in items():
        s += v
    return s


@pytest.mark.parametrize(
    "fn, part",
    [
        (generator, "yield"),
        (coroutine, "coroutine"),
        (global_write, "counter"),
        (evaluates, "eval"),
        (executes, "exec"),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)
@pytest.mark.parametrize("operator", [grad, jvp, vjp])
def test_constructs(fn, part, operator, capsys):
    args = (2.0, 1.0) if operator is jvp else (2.0,)
    with pytest.raises(DerivationError) as caught:
        operator(fn)(*args)
    assert capsys.readouterr().out == ""
    shown = str(caught.value).splitlines()
    assert shown[0].startswith(f"{__file__}:"), shown
    assert "^" in shown[2] and shown[-1].startswith("Way out: "), shown
    assert part in shown[1], shown


def test_generators_inside_are_refused_or_right():
    try:
        assert grad(inner_generator)(3.0) == 7.0
    except DerivationError as error:
        assert error.line and error.way_out


def test_neither_rule_nor_source(capsys):
    opaque = np.frompyfunc(lambda v: v * v, 1, 1)

    def f(x):
        print("running")
        return np.sum(opaque(x))

    with pytest.raises(DerivationError) as caught:
        grad(f)(X.copy())
    place(caught.value, "opaque(x)")
    assert capsys.readouterr().out == ""


def test_neither_rule_nor_source_of_numpy():
    def f(x):
        return np.sum(np.packbits(x))

    with pytest.raises(DerivationError) as caught:
        grad(f)(X.copy())
    place(caught.value, "np.packbits(x)")


def test_the_same_calls_without_active_arguments_are_fine():
    opaque = np.frompyfunc(lambda v: v * v, 1, 1)

    def f(x, k):
        return x * float(opaque(k))

    assert grad(f)(2.0, 3.0) == 9.0


# --- wrt


def two(x, y):
    ran.append("x")
    return x * y


@pytest.mark.parametrize("wrt", ["z", 2, -3, (0, 2), ("x", "z"), (0, 0), ("x", "x"), (0, "x"), ("y", -1)])
@pytest.mark.parametrize("operator", [grad, value_and_grad, vjp, jvp, jacobian, hvp])
def test_wrt(wrt, operator):
    with pytest.raises(BadArgument) as caught:
        operator(two, wrt=wrt)(2.0, 3.0)
    error = caught.value
    assert isinstance(error, DerivationError) and error.reason and error.way_out
    assert error.file == __file__ and error.line, str(error)


@pytest.mark.parametrize("wrt", [(), 1.5, None, []])
def test_wrt_of_another_type(wrt):
    with pytest.raises((BadArgument, TypeError)):
        grad(two, wrt=wrt)(2.0, 3.0)


@pytest.mark.parametrize(
    "value, words",
    [
        (True, "bool"),
        (np.bool_(False), "bool"),
        ("abc", "string"),
        (np.arange(3), "integer array"),
        (np.array([True]), "bool"),
        (None, "None"),
        (np.array(["a"]), "dtype"),
        (len, "len"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("operator", [grad, value_and_grad, vjp, jacobian])
def test_kinds_of_wrt_arguments(value, words, operator):
    with pytest.raises(BadArgument, match=words) as caught:
        operator(two)(value, 3.0)
    assert caught.value.way_out and caught.value.file == __file__


def test_ints_count_as_floats():
    def f(x, y):
        return x**2 * y

    assert grad(f)(3, 2) == 12.0 and isinstance(grad(f)(3, 2), float)
    assert grad(f, wrt=(0, 1))(3, 2) == (12.0, 9.0)
    assert value_and_grad(f)(3, 2) == (18.0, 12.0)
    assert np.isclose(jvp(f)(3, 2, 1)[1], 12.0)


# --- results


def tuple_result(x):
    print("running")
    return x, x


def int_result(x):
    print("running")
    return int(x)


def bool_result(x):
    print("running")
    return x > 0.0


def none_result(x):
    print("running")
    x * 2.0


@pytest.mark.parametrize("operator", [grad, value_and_grad])
@pytest.mark.parametrize("fn", [tuple_result, int_result, bool_result, none_result])
def test_results_of_another_kind(fn, operator, capsys):
    with pytest.raises(BadArgument) as caught:
        operator(fn)(2.0)
    assert capsys.readouterr().out == ""
    error = caught.value
    assert error.file == __file__ and error.line and "^" in str(error) and error.way_out
    if fn is not none_result:
        assert "return" in error.text


def test_a_string_for_a_result():
    def f(x):
        return f"{x}"

    with pytest.raises(BadArgument):
        grad(f)(2.0)


@pytest.mark.parametrize("n", [1, 4])
@pytest.mark.parametrize("operator", [grad, value_and_grad])
def test_array_results(operator, n, capsys):
    def f(x):
        print("running")
        return x * 2.0

    with pytest.raises(BadArgument, match="scalar") as caught:
        operator(f)(np.ones(n))
    place(caught.value, "return x * 2.0")
    assert ("[0]" if n == 1 else "vjp") in caught.value.way_out and capsys.readouterr().out == ""


# --- cotangents and tangents


@pytest.mark.parametrize(
    "cotangent", [np.ones(3), 1.0, np.ones((4, 1)), [1.0] * 3, (1.0, 2.0), "a", None, np.ones(4) * 1j], ids=repr
)
def test_cotangents(cotangent):
    def f(x):
        return x * 2.0

    _, pullback = vjp(f)(X.copy())
    with pytest.raises(BadArgument, match="cotangent") as caught:
        pullback(cotangent)
    assert caught.value.way_out


@pytest.mark.parametrize("cotangent", [(1.0,), 1.0, (1.0, 2.0, 3.0), (1.0, np.ones(2)), {"a": 1.0}], ids=repr)
def test_cotangents_of_pairs(cotangent):
    def f(x):
        return x * 2.0, x

    _, pullback = vjp(f)(3.0)
    with pytest.raises(BadArgument, match="cotangent"):
        pullback(cotangent)
    assert pullback((1.0, 1.0)) == 3.0


@pytest.mark.parametrize("tangent", [np.ones(3), 1.0, np.ones((4, 1)), None, "a", np.ones(4) * 1j], ids=repr)
def test_tangents(tangent):
    def f(x):
        return x * 2.0

    with pytest.raises(BadArgument, match="tangent") as caught:
        jvp(f)(X.copy(), tangent)
    assert caught.value.way_out


def test_integer_cotangents_count_as_floats():
    def f(x):
        return x * x

    _, pullback = vjp(f)(X.copy())
    got = pullback(np.arange(4))
    assert got.dtype == float and np.allclose(got, 2.0 * X * np.arange(4))
    _, tangent = jvp(f)(X.copy(), np.arange(4))
    assert tangent.dtype == float and np.allclose(tangent, 2.0 * X * np.arange(4))


# --- decorators and what is no function


@pytest.mark.parametrize("what", [3, None, "name", np.ones(3), [1]], ids=repr)
def test_no_function(what):
    with pytest.raises((TypeError, DerivationError)):
        result = grad(what)
        result(1.0)


def test_errors_can_be_caught_as_one_kind_and_pickled():
    import pickle

    with pytest.raises(DerivationError) as caught:
        grad(global_write)(1.0)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)


def test_an_error_does_not_stick():
    def f(x, y):
        return x * y

    with pytest.raises(BadArgument):
        grad(f)("a", 2.0)
    assert grad(f)(3.0, 2.0) == 2.0


# --- the primal's own mistakes


def product_of_numbers(a, s):
    return a @ s


def cross_with_a_number(a, s):
    return np.sum(np.cross(a, s))


@pytest.mark.parametrize(
    ("fn", "args", "words"),
    [
        (product_of_numbers, (2.0, 3.0), "matmul raises TypeError"),
        (cross_with_a_number, (np.ones(2), 3.0), "cross raises"),
    ],
)
def test_what_raises_for_any_values(fn, args, words):
    with pytest.raises(DerivationError, match=words):
        grad(fn, wrt=(0, 1))(*args)


def test_a_matrix_times_a_number_raises_what_numpy_raises():
    with pytest.raises(ValueError, match="matmul"):
        grad(lambda a, s: np.sum(a @ s), wrt=(0, 1))(np.ones((2, 2)), 3.0)


def test_a_sum_of_nothing_has_a_float_for_its_gradient():
    def weighted(xs, y):
        total = 0
        for x in xs:
            total += x * y
        return total * y

    assert type(grad(weighted, wrt="y")(np.zeros(0), 2.0)) is float
