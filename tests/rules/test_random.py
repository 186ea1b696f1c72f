"""Random draws: made once, and differentiable in the parameters of location-scale families."""

from __future__ import annotations

import numpy as np
import pytest

import s2sad
from s2sad import rules
from tests import numeric

PARAMETERS = {
    "normal": (0.3, 0.8), "laplace": (0.3, 0.8), "logistic": (0.3, 0.8), "gumbel": (0.3, 0.8), "uniform": (0.2, 1.4),
    "exponential": (0.7,), "rayleigh": (0.7,), "lognormal": (0.3, 0.8), "weibull": (1.7,), "power": (1.7,),
    "pareto": (2.3,), "triangular": (0.2, 0.9, 2.0), "gamma": (2.0, 0.7), "vonmises": (0.3, 2.0),
}  # fmt: skip
#: what follows the draw, where that is not all
FOLLOWED = {"gamma": ("b",), "vonmises": ("a",)}


def slope(f, parameters, i, h=1e-5):
    moved = [[p + (s * h if k == i else 0.0) for k, p in enumerate(parameters)] for s in (1, -1)]
    return (f(*moved[0]) - f(*moved[1])) / (2 * h)


def program(text, **names):
    import linecache

    file = f"<draw {len(linecache.cache)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    scope = {"np": np, **names}
    exec(compile(text, file, "exec"), scope)
    return scope["f"]


@pytest.mark.parametrize("make", ["np.random.default_rng(5)", "np.random.RandomState(5)", "np.random"])
@pytest.mark.parametrize("size", ["", ", size=(2, 3)"])
@pytest.mark.parametrize("name", PARAMETERS)
def test_draw(name, size, make):
    names = ["a", "b", "c"][: len(PARAMETERS[name])]
    f = program(
        f"def f({', '.join(names)}):\n"
        f"    {'np.random.seed(5)' if make == 'np.random' else 'pass'}\n"
        f"    rng = {make}\n"
        f"    first = rng.standard_normal()\n"
        f"    y = rng.{name}({', '.join(names)}{size})\n"
        f"    return np.sum(y**2) * first * rng.standard_normal()\n"
    )
    parameters = PARAMETERS[name]
    wrt = tuple(n for n in names if n in FOLLOWED.get(name, names))
    value, got = s2sad.value_and_grad(f, wrt=wrt)(*parameters)
    assert value == f(*parameters)
    forward = s2sad.jvp(f, wrt=wrt)
    for i, g in zip(wrt, got, strict=True):
        np.testing.assert_allclose(g, slope(f, parameters, names.index(i)), rtol=1e-6)
        direction = tuple(float(k == i) for k in wrt)
        tangent = forward(*parameters, direction)[1]
        np.testing.assert_allclose(tangent, g, rtol=1e-12)
    numeric.check_second(f, parameters, tuple(names.index(n) for n in wrt))


@pytest.mark.parametrize("make", ["np.random.default_rng(5)", "np.random.RandomState(5)", "np.random"])
def test_normal_vectors(make):
    f = program(
        f"def f(mean, cov):\n"
        f"    {'np.random.seed(5)' if make == 'np.random' else 'pass'}\n"
        f"    rng = {make}\n"
        f"    return np.sum(rng.multivariate_normal(mean, cov, size=4) ** 3)\n"
    )
    numeric.check(f, (np.array([0.3, 0.8]), np.array([[1.3, 0.2], [0.2, 0.9]])), 0, second=True)


def test_parameters_are_arrays():
    def f(loc, scale, rng):
        return np.sum(rng.normal(loc, scale, size=(4, 3)) ** 3)

    loc, scale = np.array([0.1, 0.2, 0.3]), np.array([0.5, 0.6, 0.7])
    got = s2sad.grad(f, wrt=(0, 1))(loc, scale, np.random.default_rng(2))
    z = np.random.default_rng(2).normal(loc, scale, size=(4, 3))
    np.testing.assert_allclose(got[0], np.sum(3 * z**2, axis=0))
    np.testing.assert_allclose(got[1], np.sum(3 * z**2 * (z - loc) / scale, axis=0))


def test_generator_is_left_where_the_primal_leaves_it():
    def f(x, rng):
        return x * rng.normal(x, 1.0) + rng.random()

    mine, theirs = np.random.default_rng(1), np.random.default_rng(1)
    s2sad.grad(f)(0.5, mine)
    f(0.5, theirs)
    assert mine.random() == theirs.random()


@pytest.mark.parametrize("make", ["np.random.default_rng(5)", "np.random.RandomState(5)", "np.random"])
@pytest.mark.parametrize("draw", ["poisson(3.0 * x)", "binomial(9, x)", "geometric(x)", "negative_binomial(5, x)"])
def test_counts_are_constant(draw, make):
    seed = "np.random.seed(5)" if make == "np.random" else "pass"
    f = program(f"def f(x):\n    {seed}\n    rng = {make}\n    return x * rng.{draw}\n")
    assert s2sad.grad(f)(0.7) == pytest.approx(f(0.7) / 0.7)


def test_shape_parameters_are_refused():
    def f(x, rng):
        return rng.gamma(x)

    def g(x, rng):
        return rng.beta(x, 1.0)

    for h in (f, g):
        with pytest.raises(s2sad.DerivationError):
            s2sad.grad(h)(2.0, np.random.default_rng(1))


def test_every_draw_is_tested():
    names = {r.name.split(".")[-1] for r in rules.registry() if r.name.startswith("np.random.") and not r.zero}
    assert names == {*PARAMETERS, "multivariate_normal"}
