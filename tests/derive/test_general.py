"""Code for parameters of which nothing is known: right for all that is passed, or what it is has to be said."""

import re

import numpy as np
import pytest

from s2sad import grad, jvp, value_and_grad
from s2sad.derivative import Grad
from s2sad.frontend.diagnostics import BadArgument, DerivationError
from s2sad.kinds.spec import parse_kinds

C = np.array([1.5, 0.5, 2.0])


def square(x):
    return x**2


def constant(x):
    return 3.0


def total(x):
    return np.sum(np.sin(x) * x)


def scaled_total(x):
    return -2.0 * np.sum(x) / np.size(x)


def with_array(x):
    return np.sum(x * C)


def array_result(x):
    return x * C


def items(x):
    return x[0] * x[1]


def branch(x):
    return x if x > 0.0 else -2.0 * x


def inverse(x):
    return 3.0 * x**-1.0


def norm(x):
    return np.linalg.norm(x)


def looped(x):
    s = 0.0
    for v in x:
        s += v * v
    return s


def length(x):
    return np.sum(x) / len(x)


def copied(x):
    y = x.copy()
    y *= 2.0
    return np.sum(y)


def product(x):
    return np.sum(x @ C)


def reshaped(x):
    return np.sum(np.reshape(x, (-1,)) ** 3)


def transposed(x):
    return np.sum(x.T * x)


def stacked(x):
    return np.sum(np.stack([x, 2.0 * x]) ** 2)


def columns(x):
    return np.sum(np.sum(x, axis=0) ** 2)


def largest(x):
    return np.max(x) * np.mean(x)


def chosen(x):
    return np.sum(np.where(x > 0.7, x, x * x))


def powers(x):
    return np.sum(x**x)


def accumulated(x):
    return np.sum(np.cumsum(x) ** 2)


def converted(x):
    return float(x) ** 2


def through_a_name(x):
    y = x
    for _ in range(3):
        y = y * x
    return y


def added_to_itself(x):
    x += 1.0
    return np.sum(x * x)


def stored_into(x):
    x[0] = 2.0 * x[1]
    return np.sum(x * x)


def key(x):
    return x["a"] * x["b"]


def attribute(x):
    return x.a * x.b


PROGRAMS = [
    square, constant, total, scaled_total, with_array, array_result, items, branch, inverse, norm, looped, length,
    copied, product, reshaped, transposed, stacked, columns, largest, chosen, powers, accumulated, converted,
    through_a_name, added_to_itself, stored_into, key, attribute,
]  # fmt: skip
ASKED = {added_to_itself, stored_into, key, attribute}
VALUES = {
    "float": 0.8,
    "int": 2,
    "np.float64": np.float64(0.8),
    "0-d": np.array(0.8),
    "1-d": np.array([0.5, 0.9, 1.3]),
    "2-d": np.array([[0.5, 0.9, 1.3], [0.4, 0.6, 0.8]]),
    "float32": np.array([0.5, 0.9, 1.3], dtype=np.float32),
    "list": [0.5, 0.9, 1.3],
    "tuple": (0.5, 0.9),
    "ints": np.array([1, 2, 3]),
    "dict": {"a": 2.0, "b": 3.0},
    "bool": True,
    "None": None,
}


@pytest.mark.sampled(20, cover=True)
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("name", ["grad", "value_and_grad"])
def test_the_general_form(f, name):
    operator = {"grad": grad, "value_and_grad": value_and_grad}[name]
    try:
        general = operator(f).derive_for({"x": operator(f).kinds_ahead()["x"]}).function
    except DerivationError as error:
        assert f in ASKED and error.way_out
        return
    assert f not in ASKED
    for kind, value in VALUES.items():
        try:
            want = operator(f)(value)
        except Exception:
            want = None
        try:
            got = general(value)
        except Exception:
            got = None
        if got is None:
            # lists and the like are refused where the program is run with them; numbers and arrays are not
            assert want is None or kind in ("list", "tuple", "dict"), kind
            continue
        assert want is not None, (kind, got)
        if name == "value_and_grad":
            np.testing.assert_allclose(got[0], want[0], rtol=1e-6, err_msg=kind)
            got, want = got[1], want[1]
        np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-12, err_msg=kind)
        assert np.shape(got) == np.shape(want), kind


def test_the_gradient_of_an_array_is_none():
    general = grad(square).derive_for({"x": grad(square).kinds_ahead()["x"]}).function
    with pytest.raises(TypeError, match="grad needs a scalar result"):
        general(np.ones(3))
    general = grad(total).derive_for({"x": grad(total).kinds_ahead()["x"]}).function
    with pytest.raises(TypeError, match="not for a list"):
        general([1.0, 2.0])
    with pytest.raises(TypeError, match="not for an array of int64"):
        general(np.array([1, 2], dtype=np.int64))


def unpacked(length, noise, x):
    d = x[:, None] - x[None, :]
    _, logdet = np.linalg.slogdet(np.exp(-((d / length) ** 2)) + noise * np.eye(len(x)))
    return 0.5 * logdet


def layers(params, x):
    return np.sum(np.tanh(x @ params["W"] + params["b"]) @ params["V"])


def counted(x, steps):
    x += 1.0
    for _ in range(steps):
        x = x * x
    return x


@pytest.mark.parametrize("f", [layers, counted, added_to_itself, stored_into, key], ids=lambda f: f.__name__)
def test_what_is_asked_comes_with_an_answer_that_does(f):
    derivative = Grad(f)
    with pytest.raises(BadArgument, match="Nothing is known of the parameter") as caught:
        derivative.derive_for(derivative.kinds_ahead())
    error = caught.value
    assert all(name in error.reason for name in derivative.__signature__.parameters) and error.line
    example = re.search('--args "(.*)"', error.way_out)[1]
    assert derivative.derive_for(derivative.kinds_ahead(parse_kinds(example))).text


def test_an_unpacked_result_without_kinds():
    general = grad(unpacked).derive_for(grad(unpacked).kinds_ahead()).function
    x = np.linspace(0.0, 1.0, 5)
    for length in (0.5, 0.5 + x):
        np.testing.assert_allclose(general(length, 0.1, x), grad(unpacked)(length, 0.1, x), rtol=1e-12)


def test_forward_mode_without_kinds():
    for f, value in [(square, np.array([1.0, 2.0])), (key, {"a": 2.0, "b": 3.0}), (total, 2.0)]:
        derivative = jvp(f)
        try:
            general = derivative.derive_for(derivative.kinds_ahead()).function
        except BadArgument:
            continue
        np.testing.assert_allclose(general(value, value)[1], derivative(value, value)[1])
