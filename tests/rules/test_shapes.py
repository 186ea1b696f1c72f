"""Distribution functions in their shape parameters, against values from mpmath with forty digits."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("scipy")

import s2sad
from s2sad.runtime import helpers

GAMMA = [
    (0.001, 0.3, -0.9059989515573, -0.3205803048162),
    (0.5, 1e-06, -0.01563030411424, 0.2154561775435),
    (2.5, 2.0, -0.2745513219459, 0.06707717180911),
    (2.5, 9.0, -0.004741679548194, -0.006217598371257),
    (50.0, 20.0, -1.169027338162e-8, 1.072971019278e-8),
    (50.0, 51.0, -0.05540593351636, -0.00109716364771),
    (300.0, 330.0, -0.005377499752459, -0.0005126679003894),
    (10.0, 60.0, -5.308677545136e-16, -9.584328564208e-16),
]
BETA = [
    (0.05, 0.5, 1e-08, -7.330251083516, 0.08484773936517, -0.1016211010501),
    (2.5, 3.0, 0.2, -0.118328064418, 0.05580708803324, -0.04507653619349),
    (2.5, 3.0, 0.9, -0.004848943634729, 0.01143199412958, 0.008369632406104),
    (0.5, 30.0, 0.000999, -0.6852960127964, 0.003174208360363, -0.004954017129545),
    (200.0, 30.0, 0.87, -0.01017798112298, 0.06830536178966, -9.227393856097e-5),
    (20.0, 400.0, 0.06, -0.04217832149831, 0.002369144813508, 0.0006016200705667),
    # where the fraction takes the most steps
    (104.9, 0.00112, 0.9906, -4.004636913805e-6, 0.225109080907, -0.003577778399251),
    (0.01, 2.0, 0.3, -0.5062684388493, 0.003672947232991, 0.365446438528),
    (0.7, 300.0, 0.0056, -0.2303206340436, 0.0006869425566139, 0.001193782248734),
]
STUDENT = [
    (0.1, 3.0, 0.8878383270343, -4.20383271154),
    (1.0, -0.5, -0.0332289650821, 0.04889864847289),
    (3.0, 1e-05, 9.732981650453e-8, -5.958123253294e-8),
    (10.0, -40.0, -2.384657443049e-12, 5.047816138726e-12),
    (61.0, 1.0, 3.224661141411e-5, -1.052861498468e-6),
    (3000.0, 2.0, 1.50022312977e-8, -1.000306486551e-11),
]


@pytest.mark.parametrize(("a", "x", "first", "second"), GAMMA)
def test_gammainc(a, x, first, second):
    assert helpers.gammainc_slope(a, x) == pytest.approx(first, rel=1e-10)
    assert helpers.gammainc_slope(a, x, 2) == pytest.approx(second, rel=1e-9)


@pytest.mark.parametrize(("a", "b", "x", "of_a", "of_b", "of_both"), BETA)
def test_betainc(a, b, x, of_a, of_b, of_both):
    assert helpers.betainc_slope(a, b, x, "a") == pytest.approx(of_a, rel=1e-10)
    assert helpers.betainc_slope(a, b, x, "b") == pytest.approx(of_b, rel=1e-10)
    assert helpers.betainc_slope(a, b, x, "ab") == pytest.approx(of_both, rel=1e-9)


@pytest.mark.parametrize(("df", "t", "first", "second"), STUDENT)
def test_student(df, t, first, second):
    assert helpers.stdtr_slope(df, t) == pytest.approx(first, rel=1e-10)
    assert helpers.stdtr_slope(df, t, 2) == pytest.approx(second, rel=1e-9)


def test_edges():
    """Outside of the support, and at its ends, the distribution function does not move."""
    np.testing.assert_array_equal(helpers.gammainc_slope(1.7, np.array([-1.0, 0.0, np.inf])), 0.0)
    np.testing.assert_array_equal(helpers.betainc_slope(1.7, 2.4, np.array([-1.0, 0.0, 1.0, 2.0]), "b"), 0.0)
    np.testing.assert_array_equal(helpers.stdtr_slope(3.0, np.array([0.0])), 0.0)
    assert np.isnan(helpers.gammainc_slope(1.7, np.nan)) and np.isnan(helpers.stdtr_slope(3.0, np.nan))
    assert helpers.gammainc_slope(np.zeros(0), np.zeros(0)).shape == (0,)
    assert helpers.betainc_slope(np.zeros(0), 2.0, 0.5, "a").shape == (0,)
    np.testing.assert_array_equal(helpers.betainc_slope(1.0, -2.5, np.array([3.0]), "a"), 0.0)


def test_nan_stays_where_it_is():
    shapes = np.array([1.7, np.nan])
    for slope, alone in (
        (helpers.gammainc_slope(shapes, 0.6), helpers.gammainc_slope(1.7, 0.6)),
        (helpers.betainc_slope(shapes, 2.4, 0.6, "b"), helpers.betainc_slope(1.7, 2.4, 0.6, "b")),
        (helpers.stdtr_slope(shapes, 0.6), helpers.stdtr_slope(1.7, 0.6)),
    ):
        np.testing.assert_allclose(slope, [alone, np.nan], rtol=1e-12)


def test_elements_do_not_depend_on_their_neighbours():
    """Small, large and lopsided shapes at once, on both sides: as many steps as the slowest takes."""
    a, b, x = np.transpose([case[:3] for case in BETA])
    for which in ("a", "b", "aa", "ab", "bb"):
        alone = [helpers.betainc_slope(*case[:3], which) for case in BETA]
        np.testing.assert_allclose(helpers.betainc_slope(a, b, x, which), alone, rtol=1e-11)


def test_a_fit_by_its_distribution_function():
    """The gradient of a distance between two distribution functions, and its Hessian; a third derivative is refused."""
    from scipy import stats

    x = np.linspace(0.2, 3.0, 7)

    def distance(a, scale):
        return np.sum((stats.gamma.cdf(x, a, 0.0, scale) - x / 4.0) ** 2)

    gradient, hessian = s2sad.grad(distance)(1.7, 0.8), s2sad.hessian(distance)(1.7, 0.8)
    h = 1e-4
    assert gradient == pytest.approx((distance(1.7 + h, 0.8) - distance(1.7 - h, 0.8)) / (2 * h), rel=1e-7)
    moved = [s2sad.grad(distance)(1.7 + k * h, 0.8) for k in (1, -1)]
    assert hessian == pytest.approx((moved[0] - moved[1]) / (2 * h), rel=1e-7)
    with pytest.raises(s2sad.DerivationError, match="third derivative"):
        s2sad.grad(s2sad.grad(s2sad.grad(distance)))(1.7, 0.8)
