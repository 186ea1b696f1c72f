"""The operators on small functions: values, forms of wrt, structures, decorators, composition."""

import functools
import math
from dataclasses import dataclass, replace

import numpy as np
import pytest

from s2sad import BadArgument, grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp


def f(x, y=2.0):
    return math.sin(x) * y


def square(x):
    return x * x


def loss(w, X):
    return np.sum((X @ w) ** 2)


def vector(x, k):
    y = np.exp(x) * k
    return y * y


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    return rng.normal(size=3), rng.normal(size=(4, 3))


@dataclass(frozen=True)
class Rates:
    short: float
    long: float


RATES = Rates(0.01, 0.03)


def test_an_object_from_outside_is_replaced_in_part():
    def spread(x):
        rates = replace(RATES, short=x)
        return (rates.long - rates.short) ** 2

    assert grad(spread)(0.02) == pytest.approx(-0.02)
    assert hessian(spread)(0.02) == pytest.approx(2.0)


def test_a_pair_says_has_aux():
    with pytest.raises(BadArgument, match="has_aux=True where the second part"):
        grad(lambda x: (x * x, {"x": x}))(1.0)


def test_wrt_forms():
    assert grad(f)(1.0) == pytest.approx(2 * math.cos(1.0))
    assert grad(f, 1)(1.0, 3.0) == pytest.approx(math.sin(1.0))
    assert grad(f, "y")(1.0, 3.0) == pytest.approx(math.sin(1.0))
    assert grad(f, wrt=("y", 0))(1.0, 3.0) == pytest.approx((math.sin(1.0), 3 * math.cos(1.0)))
    assert isinstance(grad(f, wrt=("x",))(1.0), tuple)
    assert grad(f, wrt=("y", 0)).wrt == ("y", "x")


def test_defaults_and_keywords():
    g = grad(f)
    assert g(1.0) == g(x=1.0) == g(1.0, y=2.0) == g(y=2.0, x=1.0)


def test_ints_count_as_floats():
    assert grad(square)(3) == 6.0 and isinstance(grad(square)(3), float)
    assert grad(lambda p: p[0] * p[1])([2, 3]) == [3.0, 2.0]
    assert value_and_grad(lambda x: x // 2 + x)(3) == (4.0, 1.0)


def test_value_and_grad(data):
    w, X = data
    value, g = value_and_grad(loss)(w, X)
    assert value == pytest.approx(loss(w, X))
    np.testing.assert_allclose(g, 2 * X.T @ (X @ w))


def test_vjp_pulls_back_many_times(data):
    w, _ = data
    value, pullback = vjp(vector, (0, 1))(w, 2.0)
    np.testing.assert_allclose(value, vector(w, 2.0))
    for cotangent in (np.ones(3), [1, 0, 2], np.ones(3)):
        c = np.asarray(cotangent, float)
        bx, bk = pullback(cotangent)
        np.testing.assert_allclose(bx, 2 * value * c)
        np.testing.assert_allclose(bk, np.sum(value * c))


def test_jvp(data):
    w, _ = data
    value, tangent = jvp(vector)(w, 2.0, np.ones(3))
    np.testing.assert_allclose(tangent, 2 * value)
    value, tangent = jvp(vector, wrt=("x", "k"))(w, 2.0, (np.zeros(3), 1))
    np.testing.assert_allclose(tangent, value)
    assert jvp(f)(1.0, tangent=2.0)[1] == pytest.approx(4 * math.cos(1.0))


@pytest.mark.parametrize("mode", ["forward", "reverse", None])
def test_jacobian(mode, data):
    w, _ = data
    np.testing.assert_allclose(jacobian(vector, mode=mode)(w, 2.0), np.diag(2 * vector(w, 2.0)))
    dw, dk = jacobian(vector, wrt=("x", "k"), mode=mode)(w, 2.0)
    assert dw.shape == (3, 3) and dk.shape == (3,)
    np.testing.assert_allclose(dk, vector(w, 2.0))
    assert jacobian(square, mode=mode)(3.0) == 6.0
    matrix = np.arange(6.0).reshape(2, 3)
    assert jacobian(lambda A: A.T * 2.0, mode=mode)(matrix).shape == (3, 2, 2, 3)


@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_jacobian_of_structures(mode):
    both = jacobian(lambda p: (p["a"] * p["b"], p["b"] * p["b"]), mode=mode)({"a": 2.0, "b": np.ones(2)})
    assert isinstance(both, tuple) and list(both[0]) == ["a", "b"]
    np.testing.assert_allclose(both[0]["a"], np.ones(2))
    np.testing.assert_allclose(both[0]["b"], 2 * np.eye(2))
    np.testing.assert_allclose(both[1]["a"], np.zeros(2))


def test_second_order():
    assert grad(grad(f))(1.0) == pytest.approx(-2 * math.sin(1.0))
    assert grad(grad(f), "y")(1.0, 2.0) == pytest.approx(math.cos(1.0))
    assert grad(grad(grad(f)))(1.0) == pytest.approx(-2 * math.cos(1.0))
    assert jvp(grad(f))(1.0, 1.0)[1] == pytest.approx(-2 * math.sin(1.0))
    assert grad(grad(square))(3) == 2.0


def test_hessian_and_hvp(data):
    w, X = data
    H = hessian(loss)(w, X)
    np.testing.assert_allclose(H, 2 * X.T @ X, atol=1e-12)
    np.testing.assert_allclose(hvp(loss)(w, X, w), H @ w, atol=1e-12)
    (xx, xy), (yx, yy) = hessian(f, ("x", "y"))(1.0, 2.0)
    assert xy == yx == pytest.approx(math.cos(1.0)) and yy == 0.0 and xx == pytest.approx(-2 * math.sin(1.0))


def test_dtype_is_kept(data):
    w, X = data
    assert grad(loss)(w.astype("f4"), X.astype("f4")).dtype == np.float32


def test_arguments_keep_their_contents():
    def overwrites(a):
        a[0] = a[1] * a[2]
        return np.sum(a)

    a = np.arange(1.0, 4.0)
    np.testing.assert_allclose(grad(overwrites)(a), [0.0, 4.0, 3.0])
    np.testing.assert_array_equal(a, [1.0, 2.0, 3.0])


# Ways to hand over a function


@grad
def bare(x, y):
    """A docstring."""
    return x * x * y


@grad(wrt=("x", "y"))
def with_options(x, y):
    return x * x * y


class Model:
    def __init__(self, c):
        self.c = c

    def loss(self, x):
        return x * x * self.c

    @grad
    def gradient(self, x):
        return x * x * self.c

    @staticmethod
    @grad
    def static(x):
        return x * x

    @grad
    @staticmethod
    def static_inside(x):
        return x * x

    def __call__(self, x):
        return self.c * x


def closure(c):
    def inner(x):
        return c * x**3

    return inner


def test_decorators():
    assert bare(3.0, 2.0) == 12.0 and with_options(3.0, 2.0) == (12.0, 9.0)
    assert bare.primal(3.0, 2.0) == 18.0
    assert bare.__name__ == "bare" and bare.__doc__ == "A docstring."


def test_methods():
    model = Model(3.0)
    assert model.gradient(2.0) == 12.0 == Model.gradient(model, 2.0)
    assert model.static(2.0) == Model.static(2.0) == model.static_inside(2.0) == 4.0
    assert grad(model.loss)(2.0) == 12.0
    assert grad(Model.loss)(model, 2.0) == 12.0
    assert Model.gradient.wrt == ("x",)
    assert grad(model)(2.0) == 3.0
    model.c = 4.0
    assert model.gradient(2.0) == 16.0


def test_closures_are_their_own_functions():
    assert (grad(closure(2.0))(1.0), grad(closure(3.0))(1.0)) == (6.0, 9.0)


def test_partials_and_lambdas():
    assert grad(functools.partial(f, y=3.0))(1.0) == pytest.approx(3 * math.cos(1.0))
    assert grad(functools.partial(lambda a, b: a * a * b, 3.0))(1.0) == 9.0
    assert grad(grad(functools.partial(f, y=3.0)))(1.0) == pytest.approx(-3 * math.sin(1.0))
    assert [grad(g)(2.0) for g in (lambda x: x * 3.0, lambda x: x * 4.0)] == [3.0, 4.0]


def test_structures():
    @dataclass
    class Parameters:
        a: float
        b: float

    assert grad(lambda p: p["a"] * p["b"])({"a": 2.0, "b": 3.0}) == {"a": 3.0, "b": 2.0}
    assert grad(lambda p: p.a * p.b)(Parameters(2.0, 3.0)) == Parameters(3.0, 2.0)


def test_keyword_only_and_variadic():
    assert grad(lambda x, *, k=3.0: x * x * k, wrt=("x", "k"))(2.0) == (12.0, 4.0)
    assert grad(lambda x, *rest: x * rest[0])(2.0, 3.0) == 3.0
    assert jvp(lambda x, *, k=3.0: x * x * k)(2.0, 1.0, k=1.0) == (4.0, 4.0)


def test_float32_stays_float32_where_nothing_depends_on_it():
    def unused(x, y):
        return y * np.float32(2.0)

    x = np.float32(1.5)
    assert type(grad(unused)(x, x)) is np.float32
    assert type(jvp(unused)(x, x, x)[1]) is np.float32
