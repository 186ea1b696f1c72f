"""The Derivative object: look-up, what it shows, pickling, threads, what changes under it, bad input."""

import functools
import inspect
import math
import pickle
import pydoc
import threading
import traceback

import numpy as np
import pytest

import s2sad
from s2sad import BadArgument, DerivationError, NoSource, grad, hessian, jacobian, jvp, value_and_grad, vjp

SCALE = 2.0
OPTIONS = {"mode": "linear"}


def scaled(x):
    return x * SCALE


def by_option(x):
    if OPTIONS["mode"] == "linear":
        return x * 3.0
    return x * x * 3.0


def part(x):
    return x * SCALE


def through_helper(x):
    return part(x) * 2.0


def f(x, y, k=2):
    """Multiply."""
    return x * y * k


@grad
def decorated(x):
    return x * x


def undocumented(x):
    return 2.0 * x


def test_help_of_what_says_nothing():
    said = pydoc.render_doc(grad(undocumented), renderer=pydoc.plaintext)
    assert "grad of undocumented with respect to x" in said and "show() prints the code" in said


def test_looks():
    g = grad(f, wrt=("x", "y"))
    assert repr(g) == "<grad of f with respect to x, y>"
    assert str(inspect.signature(g)) == "(x, y, k=2)" and g.__doc__ == "Multiply." and g.primal is f
    assert str(inspect.signature(jvp(f))) == "(x, y, k, tangent)"
    g(1.0, 2.0)
    assert g.source.startswith("def grad_f(x, y, k=2):\n")
    assert "grad_f" in g._repr_html_()


def test_show_prints_without_colours_to_a_pipe(capsys):
    g = grad(f)
    g.show()
    assert capsys.readouterr().out == g.source


def test_source_before_any_call_uses_annotations_and_defaults():
    def annotated(x: float, n: int = 3):
        return x**n

    assert "def grad_annotated" in grad(annotated).source


def test_specialize_is_the_generated_function():
    g = grad(f)
    s = g.specialize(1.0, 2.0)
    assert inspect.isfunction(s) and s(3.0, 2.0) == 4.0 and s.__defaults__ == (2,)
    assert inspect.getsource(s) in g.source
    assert g.specialize(5.0, 6.0) is s
    assert g.specialize(np.ones(3), 2.0) is not s if np.ndim(1.0) else True


def test_tracebacks_show_generated_lines():
    def fails(x):
        return math.log(x) * x

    with pytest.raises(ValueError) as caught:
        grad(fails)(-1.0)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.filename.startswith("<s2sad grad_fails") and "math.log(x)" in last.line


def test_other_sizes_share_code():
    g = grad(lambda x: np.sum(x * x))
    first = g.specialize(np.ones(3))
    assert g.specialize(np.ones(5)) is first and g.specialize(np.ones((2, 2))) is not first


def test_equal_requests_share_code():
    grad(f)(1.0, 2.0)
    assert grad(f).specialize(1.0, 2.0) is grad(f, "x").specialize(1.0, 2.0)


def test_a_changed_global_is_noticed(monkeypatch):
    g = grad(scaled)
    assert g(1.0) == 2.0
    monkeypatch.setitem(globals(), "SCALE", 5.0)
    assert g(1.0) == 5.0


def test_a_changed_table_is_noticed(monkeypatch):
    g = grad(by_option)
    assert g(2.0) == 3.0
    monkeypatch.setitem(OPTIONS, "mode", "square")
    assert g(2.0) == 12.0


def test_a_changed_helper_is_noticed(monkeypatch):
    g = grad(through_helper)
    assert g(1.0) == 4.0
    monkeypatch.setitem(globals(), "SCALE", 3.0)
    assert g(1.0) == 6.0
    monkeypatch.setitem(globals(), "part", lambda x: x * 10.0)
    assert g(1.0) == 20.0


def test_a_changed_closure_is_noticed():
    c = 2.0

    def inner(x):
        return x * c

    g = grad(inner)
    assert g(1.0) == 2.0
    c = 3.0
    assert g(1.0) == 3.0


def test_pickles_by_reference():
    assert pickle.loads(pickle.dumps(decorated)) is decorated
    again = pickle.loads(pickle.dumps(grad(f, wrt="y")))
    assert again(1.0, 2.0) == 2.0 and again.wrt == ("y",)
    assert pickle.loads(pickle.dumps(jacobian(f, mode="forward")))._mode == "forward"


def test_two_threads_derive_at_once():
    def work(x, y):
        return np.sum(np.tanh(x) * y)

    x, y = np.ones(4), np.arange(4.0)
    g = grad(work)
    results, barrier = [], threading.Barrier(4)

    def run():
        barrier.wait()
        results.append(g(x, y))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(results) == 4
    for r in results:
        np.testing.assert_allclose(r, (1 - np.tanh(x) ** 2) * y)


# Bad input


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: grad(f, wrt="z"), "no parameter 'z'"),
        (lambda: grad(f, wrt=7), "out of range"),
        (lambda: grad(f, wrt=-9), "out of range"),
        (lambda: grad(f, wrt=("x", 0)), "names x twice"),
        (lambda: grad(f, wrt=()), "names no parameter"),
        (lambda: grad(f, wrt=1.5), "neither a position nor a name"),
        (lambda: grad(f, wrt=True), "neither a position nor a name"),
        (lambda: grad(0), "not a function"),
        (lambda: jacobian(f, mode="sideways"), "mode='sideways'"),
        (lambda: grad(f)(True, 1.0), "a bool"),
        (lambda: grad(f)("a", 1.0), "a string"),
        (lambda: grad(f)(None, 1.0), "None"),
        (lambda: grad(f)(np.arange(3), 1.0), "integer array"),
        (lambda: grad(f)(np.array([True]), 1.0), "dtype bool"),
        (lambda: grad(f)(f, 1.0), "function"),
        (lambda: grad(f)([None], 1.0), "holds no float"),
        (lambda: grad(lambda x: x * 2.0)(np.ones(3)), "scalar"),
        (lambda: vjp(f)(1.0, 2.0)[1](np.ones(3)), "shape"),
        (lambda: vjp(f)(np.ones(3), 2.0)[1](1.0), "shape"),
        (lambda: vjp(f)(np.ones(3), 2.0)[1](np.ones(3) * 1j), "complex"),
        (lambda: jvp(f)(np.ones(3), 2.0, np.ones(2)), "shape"),
        (lambda: jvp(f, wrt=("x", "y"))(1.0, 2.0, 1.0), "tuple of 2"),
        (lambda: jvp(f)(1.0, 2.0, "a"), "not a number"),
        (lambda: jacobian(f)(1.0 + 1j, 2.0), "complex"),
    ],
)
def test_bad_input(make, words):
    with pytest.raises(BadArgument, match=words) as caught:
        make()
    assert "Way out: " in str(caught.value)
    assert isinstance(caught.value, TypeError)


def test_a_result_that_is_no_float():
    with pytest.raises(DerivationError):
        grad(lambda x: int(x) + 1)(2.5)
    with pytest.raises(DerivationError):
        grad(lambda x: "text")(2.5)


@pytest.mark.parametrize("operator", [grad, value_and_grad, vjp, jvp, jacobian, hessian, s2sad.hvp])
def test_no_source(operator):
    with pytest.raises(NoSource, match="built in"):
        operator(open)


def test_missing_arguments():
    with pytest.raises(TypeError, match="missing a required argument: 'y'"):
        grad(f)(1.0)
    with pytest.raises(TypeError, match="tangent is missing"):
        jvp(f)()


def stops_or_doubles(x, n):
    s = x
    for _ in range(n):
        s = s * x
        if s > 10.0:
            break
    else:
        s = s * 2.0
    return s


def test_the_pullback_knows_whether_a_loop_ended():
    for x in (1.3, 4.0):
        value, pullback = vjp(stops_or_doubles)(x, 3)
        assert value == stops_or_doubles(x, 3)
        assert pullback(1.0) == pytest.approx(grad(stops_or_doubles)(x, 3))


def product_of_three(a, b, c=2.0):
    return a * b * c


def test_a_bound_keyword_is_given_again():
    g = grad(functools.partial(product_of_three, 2.0, c=3.0))
    assert (g(5.0), g(5.0, c=1.0)) == (6.0, 2.0)


def turns_of_a_tape(x, n=3):
    total = 0.0
    for _ in range(n):
        total = total + np.sum(np.tanh(x))
    return total


def test_a_derivative_inside_that_keeps_a_list():
    x = np.array([0.3, 0.4])
    slopes = grad(lambda q: np.sum(grad(turns_of_a_tape)(q)))(x)
    assert np.allclose(slopes, -6.0 * np.tanh(x) / np.cosh(x) ** 2)
