"""Calls as people write them who come from SciPy, autograd or JAX."""

import functools

import numpy as np
import pytest

import s2sad
from s2sad import elementwise_grad, grad, hessian, hvp, jacobian, jvp, stop_gradient, value_and_grad, vjp
from s2sad.frontend.diagnostics import BadArgument, DerivationError
from s2sad.rules import elementwise
from s2sad.testing import check_grads
from tests import numeric


def product(x, y):
    return np.sum(x * x * y)


X, Y = np.array([1.0, 2.0]), np.array([3.0, 4.0])


def rosenbrock(x, a, b):
    return np.sum(b * (x[1:] - x[:-1] ** 2) ** 2 + (a - x[:-1]) ** 2)


def test_hessp_is_that_of_scipy():
    optimize = pytest.importorskip("scipy.optimize")
    found = optimize.minimize(
        rosenbrock,
        np.zeros(4),
        args=(1.0, 100.0),
        jac=grad(rosenbrock),
        hessp=hvp(rosenbrock).hessp,
        method="trust-krylov",
    )
    np.testing.assert_allclose(found.x, 1.0, rtol=1e-6)
    np.testing.assert_array_equal(hvp(product).hessp(X, Y, Y), hvp(product)(X, Y, Y))


@pytest.mark.parametrize(("operator", "word"), [(jvp, "tangent"), (hvp, "vector")])
def test_what_is_missing_behind_the_arguments_is_called_that(operator, word):
    name = {"tangent": "tangent", "vector": "v"}[word]
    with pytest.raises(TypeError, match=rf"(?s)the {word} is missing.*{operator.__name__}\(product\)\(x, y, {name}\)"):
        operator(product)(X, Y)
    with pytest.raises(TypeError, match="missing a required argument"):
        operator(product)(X)


def test_lists_and_negative_positions():
    for wrt in ([0, 1], (-2, -1), ["x", -1]):
        np.testing.assert_array_equal(grad(product, wrt=wrt)(X, Y), [2 * X * Y, X * X])
    np.testing.assert_array_equal(grad(product, wrt=-1)(X, Y), X * X)
    with pytest.raises(BadArgument, match="position -3 is out of range"):
        grad(product, wrt=-3)
    with pytest.raises(BadArgument, match="names y twice"):
        grad(product, wrt=(1, -1))


@pytest.mark.parametrize("operator", [grad, value_and_grad, vjp, jvp, jacobian, hessian, hvp, elementwise_grad])
def test_names_of_other_libraries_get_a_hint(operator):
    for name in ("argnums", "argnum"):
        with pytest.raises(BadArgument, match=rf"has no parameter {name}.\n?.*write wrt=1"):
            operator(product, **{name: 1})
    with pytest.raises(TypeError, match="has no parameter nonsense"):
        operator(product, nonsense=1)


def with_other(x, n):
    seen = []
    for i in range(n):
        x = x * x
        seen.append(i)
    return np.sum(x), {"x": x, "seen": seen}


def test_has_aux():
    df = grad(with_other, has_aux=True)
    slope, other = df(X, 2)
    np.testing.assert_array_equal(slope, 4 * X**3)
    np.testing.assert_array_equal(other["x"], X**4)
    assert other["seen"] == [0, 1]
    (value, other), slope = value_and_grad(with_other, has_aux=True)(X, 2)
    assert value == np.sum(X**4) and other["seen"] == [0, 1]
    np.testing.assert_array_equal(slope, 4 * X**3)

    @grad(has_aux=True)
    def same(x):
        return x * x, x

    assert same(3.0) == (6.0, 3.0)
    array, (_, copied) = X.copy(), grad(lambda x: (np.sum(x), x), has_aux=True)(X)
    assert copied is not X and (copied == array).all()
    with pytest.raises(BadArgument, match="has to return a pair"):
        grad(product, has_aux=True)(X, Y)


def test_elementwise_grad():
    np.testing.assert_allclose(elementwise_grad(np.sin)(X), np.cos(X))
    first, second = elementwise_grad(lambda x, y: x * y * y, wrt=(0, 1))(X, Y)
    np.testing.assert_array_equal(first, Y * Y)
    np.testing.assert_array_equal(second, 2 * X * Y)
    assert elementwise_grad(lambda x: x**3)(2.0) == 12.0


def halted(x):
    frozen = stop_gradient(x)
    x = x * 2.0
    return np.sum(x * frozen) + np.sum(stop_gradient({"a": [x * x]})["a"][0])


def loss_of_slopes(x, y):
    return np.sum(elementwise_grad(scaled, wrt="y")(x, y) ** 2)


def scaled(x, y):
    return np.tanh(y) * x


def test_elementwise_grad_of_itself():
    x = np.array([0.3, 0.7])
    second = -2.0 * np.tanh(x) * (1.0 - np.tanh(x) ** 2)
    np.testing.assert_allclose(elementwise_grad(elementwise_grad(np.tanh))(x), second)
    np.testing.assert_allclose(elementwise_grad(elementwise_grad(scaled, wrt=1), wrt="y")(2.0, x), 2.0 * second)
    np.testing.assert_allclose(jacobian(elementwise_grad(np.tanh))(x), np.diag(second))
    third = elementwise_grad(elementwise_grad(elementwise_grad(np.exp)))
    np.testing.assert_allclose(third(x), np.exp(x))
    assert elementwise_grad(elementwise_grad(lambda x: x**3))(2.0) == 12.0
    numeric.check(loss_of_slopes, (x, x + 1.0), (0, 1), second=True)


def test_elementwise_grad_in_a_class():
    slope = Scale.__dict__["slope"]
    assert slope.operator == "elementwise_grad" and Scale(3.0).slope(2.0) == 12.0


class Scale:
    def __init__(self, factor):
        self.factor = factor

    @elementwise_grad(wrt="x")
    def slope(self, x):
        return self.factor * x * x


def test_stop_gradient():
    np.testing.assert_array_equal(grad(halted)(X), 2.0 * X)
    assert jvp(halted)(X, np.ones(2)) == (halted(X), 2.0 * np.sum(X))
    assert grad(halted)(3.0) == 6.0 and "stop_gradient" not in grad(halted).source
    assert grad(lambda x: x * s2sad.stop_gradient(x))(3.0) == 3.0

    def overwritten(x):
        frozen = stop_gradient(x)
        y = x * 1.0
        y[0] = 5.0
        return np.sum(y * frozen)

    np.testing.assert_array_equal(grad(overwritten)(X), [0.0, X[1]])


def test_a_result_of_one_element_says_what_to_write():
    with pytest.raises(BadArgument, match=r"of shape \(1,\)\n?.*Way out: return its only number: write \[0\]"):
        grad(lambda x: x * x)(np.ones(1))
    assert grad(lambda x: (x * x)[0])(np.ones(1)) == 2.0
    with pytest.raises(BadArgument, match=r"write \[0, 0\] behind it"):
        grad(lambda x: np.sum(x, keepdims=True))(np.ones((2, 2)))


@pytest.mark.parametrize("empty", [[], {}, (), {"a": [], "b": ()}])
def test_empty_containers_come_back_empty(empty):
    def f(empty, x):
        return x * x

    assert grad(f, wrt=(0, 1))(empty, 3.0) == (empty, 6.0)
    assert grad(f)(empty, 3.0) == empty


@pytest.mark.parametrize("f", [lambda z: 3.0 * z.real, lambda z: abs(z), lambda z: 2.0, lambda z: (z * z).imag])
@pytest.mark.parametrize("cls", [complex, np.complex128, np.complex64])
def test_the_gradient_of_a_complex_number_is_complex(f, cls):
    found = grad(f)(cls(3 + 4j))
    assert isinstance(found, (complex, np.complexfloating))
    assert found == pytest.approx(grad(f)(3 + 4j))


def bent(x, y):
    return np.sum(kinked(x) * y)


def kinked(x):
    return x * x * x


@elementwise(kinked)
def _(y, x):
    return np.where(x > 1.5, 4.0, 3.0) * x * x


class TestCheckGrads:
    def test_what_is_right_passes(self):
        check_grads(product, (X, Y), order=2)
        check_grads(product, (X, Y), modes="reverse")
        check_grads(lambda p: np.sum(p["w"] * 2.0) * p["b"], ({"w": X, "b": 2.0},), modes=("fwd",))
        check_grads(lambda x: np.sin(x), (X,))

    @pytest.mark.parametrize("mode", ["reverse", "forward"])
    def test_what_is_wrong_is_shown(self, mode):
        with pytest.raises(AssertionError) as found:
            check_grads(bent, (X, Y), modes=(mode,))
        words = str(found.value)
        assert f"the {mode} derivative of bent for x" in words
        assert "at x[1] it is 64, and should be 48" in words

    @pytest.mark.parametrize(
        ("given", "words"),
        [
            ({"args": X}, "as a tuple"),
            ({"args": (3,)}, "No argument holds floats"),
            ({"args": (X,), "modes": ("sideways",)}, "are none"),
            ({"args": (X,), "order": 3}, "cannot be checked"),
        ],
    )
    def test_bad_input(self, given, words):
        with pytest.raises(BadArgument, match=words):
            check_grads(lambda x: np.sum(x * x), **given)

    def test_what_the_function_raises(self):
        with pytest.raises(DerivationError, match="raises LinAlgError"):
            check_grads(lambda a: np.sum(np.linalg.inv(a * 0.0)), (np.eye(2),))


def overwritten(p, x):
    x *= 2.0
    return np.sum(p["a"] * x) + (np.sum(p["b"] * x) if "b" in p else 0.0)


def test_calls_that_a_test_is_written_for_are_told_from_others():
    """After many calls of one shape: other keys, shapes, types, and one array in two places."""
    gradient, a, x = grad(overwritten, wrt=(0, 1)), np.array([1.0, 2.0]), np.array([3.0, 4.0])
    for _ in range(5):
        found, bx = gradient({"a": a}, x)
    assert gradient._store.exact.find(({"a": a}, x)) is not None
    np.testing.assert_array_equal([found["a"], bx], [2.0 * x, 2.0 * a])
    np.testing.assert_array_equal(gradient({"a": a, "b": a.copy()}, x)[1], 4.0 * a)
    np.testing.assert_array_equal(gradient({"a": np.ones(3)}, np.ones(3))[1], np.full(3, 2.0))
    assert gradient({"a": 5.0}, x)[0] == {"a": 14.0}
    with pytest.raises(DerivationError, match="share memory"):
        gradient({"a": x}, x)


SCALE = 2.0


def by_a_global(x, y):
    return SCALE * x * np.sin(y)


def test_what_is_found_at_once_is_found_under_its_conditions():
    """After many calls with numbers: another value of what was looked at outside, other types, bound arguments."""
    global SCALE
    gradient, bound = grad(by_a_global), grad(functools.partial(by_a_global, y=0.5))
    for _ in range(5):
        assert gradient(1.5, 0.5) == 2.0 * np.sin(0.5) == bound(1.5)
    assert gradient._exact.find((1.5, 0.5)) is not None and bound._exact.find((1.5,)) is None
    assert gradient._exact.find((1, 0.5)) is None and gradient._exact.find((1.5,)) is None
    for value in (3.0, 2.0, 5.0):
        SCALE = value
        assert gradient._exact.find((1.5, 0.5)) is None or value == 2.0
        for _ in range(20):
            assert gradient(1.5, 0.5) == value * np.sin(0.5) == bound(1.5)
    assert gradient(2, 0.5) == 5.0 * np.sin(0.5)
    with pytest.raises(TypeError):
        gradient(1.5)
    SCALE = 2.0
