"""Densities and distribution functions inside, outside and at the borders of their support."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

pytest.importorskip("scipy")

from scipy import stats

import s2sad
from tests import amounts, numeric
from tests.rules import calls

#: distributions with shapes, and points outside of the support and in it (with loc 0.3 and scale 1.4 as well)
CONTINUOUS = {
    "norm": (), "laplace": (), "logistic": (), "cauchy": (), "expon": (), "uniform": (), "t": (2.5,), "gamma": (2.6,),
    "halfnorm": (), "halfcauchy": (),
    "chi2": (5.2,), "lognorm": (0.8,), "weibull_min": (2.6,), "pareto": (2.2,), "beta": (2.6, 3.7),
}  # fmt: skip
DISCRETE = {"poisson": (1.7,), "binom": (4, 0.3), "nbinom": (2.0, 0.3), "bernoulli": (0.3,), "geom": (0.3,)}
METHODS = ("pdf", "cdf", "sf", "logpdf", "logcdf", "logsf")
POINTS = np.array([-2.1, -0.4, 0.45, 0.7, 0.85, 1.6, 2.4])
COUNTS = np.array([-3, -1, 0, 1, 2, 4, 6])


#: each distribution by each method; the continuous ones with a place and a scale by every other, or by all of them with
#: S2SAD_TESTS=all
BY_METHODS = [
    pytest.param(name, method, placed, id=f"{name}-{method}{'-placed' if placed else ''}")
    for (i, name), (j, method) in itertools.product(enumerate([*CONTINUOUS, *DISCRETE]), enumerate(METHODS))
    for placed in ((False, True) if name in CONTINUOUS else (False,))
    if amounts.ALL or name in DISCRETE or placed == bool((i + j) % 2)
]


@pytest.mark.parametrize(("name", "method", "placed"), BY_METHODS)
def test_both_sides_of_the_border(name, method, placed):
    """Of logarithms the exponential, which is 0 where they are -inf."""
    counts = name in DISCRETE
    method = method.replace("pdf", "pmf") if counts else method
    if counts and not hasattr(getattr(stats, name), method):
        pytest.skip("no such method")
    shapes = DISCRETE[name] if counts else CONTINUOUS[name]
    names = ["a", "b"][: len(shapes)]
    values = {"x": COUNTS if counts else POINTS, **dict(zip(names, shapes, strict=True))}
    if placed:
        values |= {"m": 0.3, "s": 1.4}
    call = f"stats.{name}.{method}({', '.join(values)})"
    program = calls.Program(f"np.exp({call})" if method.startswith("log") else call, values, {"stats": stats})
    wrt = tuple(i for i, n in enumerate(program.names) if not isinstance(values[n], int) and not (counts and n == "x"))
    try:
        with np.errstate(all="ignore"):
            if amounts.ALL or len(name + method) % 2:  # (by turns: the modes share the rule)
                numeric.check_reverse(program.f, program.args, wrt)
            if amounts.ALL or len(name + method) % 2 == 0:
                numeric.check_forward(program.f, program.args, wrt)
    except s2sad.DerivationError as error:
        assert "has no derivative rule" in error.reason or "has neither" in error.reason  # not all of the discrete ones


#: at the border of the support, where the density of 0 is continuous
AT_THE_BORDER = [
    ("gamma", 0.0, (3.5,)), ("chi2", 0.0, (6.5,)), ("lognorm", 0.0, (0.8,)), ("weibull_min", 0.0, (3.5,)),
    ("beta", 0.0, (3.5, 2.0)), ("beta", 1.0, (3.5, 4.0)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "x", "shapes"), AT_THE_BORDER)
@pytest.mark.parametrize("method", METHODS)
def test_at_the_border(name, x, shapes, method):
    function = f"np.exp(stats.{name}.{method}" if method.startswith("log") else f"(stats.{name}.{method}"
    values = dict(zip("xab", (x, *shapes), strict=False))
    program = calls.Program(f"{function}({', '.join(values)}))", values, {"stats": stats})
    wrt = tuple(range(len(values)))
    with np.errstate(all="ignore"):
        got = s2sad.grad(program.f, wrt=wrt)(*program.args)
        slopes = [s2sad.jvp(program.f, wrt=k)(*program.args, 1.0)[1] for k in wrt]
    np.testing.assert_allclose(got, 0.0)
    np.testing.assert_allclose(slopes, 0.0)


def test_an_impossible_observation_has_weight_0_in_a_mixture():
    def mixture(x, a, s):
        return np.sum(np.logaddexp(stats.gamma.logpdf(x, a), stats.norm.logpdf(x, 0.0, s)))

    numeric.check(mixture, (np.array([-1.0, 0.7, 2.0]), 2.0, 1.3), (0, 1, 2))
