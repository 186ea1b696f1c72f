"""The helpers of SciPy's special functions, against values from mpmath with sixty digits."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("scipy")

from scipy import special

import s2sad
from s2sad.runtime import helpers

TRIGAMMA = [
    (1e-8, 10000000000000001.0),
    (0.03, 1112.6867360264796),
    (1.0, 1.6449340668482264),
    (7.5, 0.1426158966967038),
    (8.0, 0.13313701469403143),
    (60.0, 0.016806327117635388),
    (1e10, 1.00000000005e-10),
    (-0.3, 13.945160267805722),
    (-0.9999999, 100000000105273.81),
    (-2.5, 9.5392466449891238),
    (-40.75, 19.71496756495509),
]
#: the parts of cos**2 and sin**2
ELLIPTIC = [
    (1e-100, 1.0, 115.51554901082217),
    (1e-9, 0.99999999487603635, 10.747927287404042),
    (0.01, 0.98892643575285373, 2.7067109272370209),
    (0.3, 0.88437375336868858, 1.1909893819237806),
    (0.999999999, 0.78539816349562308, 0.78539816369197261),
    (1.0, 0.78539816339744831, 0.78539816339744831),
    (1.0000001, 0.78539815357997163, 0.78539813394501901),
    (5.0, 0.60302024208760699, 0.40643266790160462),
    (1e7, 0.0026706518853091758, 0.00031622764038993316),
]
#: the second derivatives of ellipk and ellipe
ELLIPTIC_SECOND = [
    (-1e6, 5.22053089191333e-15, -2.49997202233028e-10),
    (-0.5, 0.189126773980888, -0.088144375972784),
    (1e-10, 0.441786467003104, -0.147262155655429),
    (0.0, 0.441786466911065, -0.147262155637022),
    (0.4, 1.27366511613207, -0.276052542829134),
    (0.999, 499875.824108062, -248.870165587053),
]


def test_trigamma():
    x, value = np.transpose(TRIGAMMA)
    np.testing.assert_allclose(helpers.trigamma(x), value, rtol=1e-15)
    for one, expected in TRIGAMMA:  # with and without reflection
        assert helpers.trigamma(one) == pytest.approx(expected, rel=1e-15)


def test_trigamma_at_its_edges():
    with np.errstate(all="raise"):
        np.testing.assert_array_equal(helpers.trigamma(np.array([0.0, -0.0, -3.0, 1e-200])), np.inf)
        np.testing.assert_array_equal(helpers.trigamma(np.array([1e300, np.inf, np.nan])), [1e-300, 0.0, np.nan])
    assert helpers.trigamma(np.zeros((0, 2))).shape == (0, 2)
    assert isinstance(helpers.trigamma(np.array(2.0)), np.float64)
    np.testing.assert_array_equal(helpers.trigamma([1, 2]), helpers.trigamma(np.array([1.0, 2.0])))


def test_trigamma_of_single_precision():
    x = np.array([0.01, 0.7, 3.0, 1e5, -0.3, -7.6], dtype=np.float32)
    assert helpers.trigamma(x).dtype == np.float32
    np.testing.assert_allclose(helpers.trigamma(x), special.polygamma(1, x.astype(float)), rtol=2e-6)


def test_elliptic_integral():
    p, of_cos, of_sin = np.transpose(ELLIPTIC)
    np.testing.assert_allclose(helpers.elliptic_integral(p, 1.0, 0.0), of_cos, rtol=1.5e-15)
    np.testing.assert_allclose(helpers.elliptic_integral(p, 0.0, 1.0), of_sin, rtol=1.5e-15)
    for one, expected, _ in ELLIPTIC:  # in as many steps as it takes alone
        assert helpers.elliptic_integral(one, 1.0, 0.0) == pytest.approx(expected, rel=1.5e-15)
    single = helpers.elliptic_integral(p.astype(np.float32), 0.0, 1.0)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single[1:], of_sin[1:], rtol=2e-6)


def test_elliptic_integrals_at_their_edges():
    """Infinite slopes where m is 1; beyond, where the functions are not defined, nan that harms no neighbour."""

    def total(f, m):
        return np.sum(f(m))

    m = np.array([0.5, 1.0, 2.0, np.nan])
    with np.errstate(all="ignore"):
        for f, at_1 in ((special.ellipk, np.inf), (special.ellipe, -np.inf)):
            slope = s2sad.grad(total, wrt=1)(f, m)
            np.testing.assert_array_equal(slope[1:], [at_1, np.nan, np.nan])
            assert slope[0] == pytest.approx(s2sad.grad(total, wrt=1)(f, 0.5), rel=1e-14)
        slope = s2sad.grad(total, wrt=1)(special.ellipkm1, np.array([1e-300, 0.0, -1.0]))
        np.testing.assert_allclose(slope, [-5e299, -np.inf, np.nan])


@pytest.mark.parametrize(("which", "f"), [(0, special.ellipk), (1, special.ellipe)])
def test_second_derivatives_of_elliptic_integrals(which, f):
    def total(m):
        return np.sum(f(m))

    m, *second = np.transpose(ELLIPTIC_SECOND)
    np.testing.assert_allclose(np.diag(s2sad.hessian(total)(m)), second[which], rtol=1e-13)


def test_psi_of_arrays_to_third_order():
    def total(x):
        return np.sum(special.gammaln(x))

    x = np.array([0.3, 2.0, -0.7, 40.0])
    np.testing.assert_allclose(np.diag(s2sad.hessian(total)(x)), special.polygamma(1, x), rtol=1e-13)
    third = s2sad.hessian(lambda x: np.sum(special.psi(x)))(x)
    np.testing.assert_allclose(np.diag(third), special.polygamma(2, x), rtol=1e-13)


def test_trigamma_of_complex_numbers():
    """From functional equations: one step, reflection, doubling (DLMF 5.5); far from the real axis it is 1 / z."""
    z = np.array([0.3 + 0.4j, 2.0 - 3.0j, -1.3 + 0.2j, -4.5 - 2.0j, 8.0 + 30.0j])
    t = helpers.trigamma
    np.testing.assert_allclose(t(z + 1.0), t(z) - 1.0 / z**2, rtol=1e-13)
    np.testing.assert_allclose(t(z) + t(1.0 - z), (np.pi / np.sin(np.pi * z)) ** 2, rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(4.0 * t(2.0 * z), t(z) + t(z + 0.5), rtol=1e-13)
    np.testing.assert_allclose(t(-3.0 + 1e9j), 1.0 / (-3.0 + 1e9j), rtol=1e-8)


def test_second_derivative_of_the_complex_logarithm_of_gamma():
    def total(s):
        return special.loggamma(s * (0.4 + 0.3j)).real + special.loggamma(s - 2.7 + 0.5j).imag

    def slope(s):
        return (special.psi(s * (0.4 + 0.3j)) * (0.4 + 0.3j)).real + special.psi(s - 2.7 + 0.5j).imag

    np.testing.assert_allclose(s2sad.hessian(total)(1.2), difference(slope, 1.2), rtol=1e-9)


def test_derivative_of_psi_of_complex_numbers():
    def total(s):
        return np.sum(np.abs(special.psi(s * np.array([0.4 + 0.3j, -2.2 + 0.1j]))))

    np.testing.assert_allclose(s2sad.grad(total)(1.2), difference(total, 1.2), rtol=1e-9)
    with pytest.raises(s2sad.DerivationError, match="no polygamma functions of complex numbers"):
        s2sad.hessian(total)(1.2)


def difference(f, x, step=2e-4):
    """A derivative by central differences of fourth order."""
    return (8.0 * (f(x + step) - f(x - step)) - f(x + 2 * step) + f(x - 2 * step)) / (12.0 * step)


def test_rgamma_at_the_poles_of_gamma():
    at = np.array([0.0, -1.0, -2.0, -5.0, 0.5])
    wanted = [1.0, -1.0, 2.0, -120.0, -special.psi(0.5) * special.rgamma(0.5)]
    np.testing.assert_allclose(s2sad.grad(lambda x: np.sum(special.rgamma(x)))(at), wanted, rtol=1e-12)
    assert s2sad.grad(lambda x: special.rgamma(x))(-3.0) == pytest.approx(-6.0)


@pytest.mark.parametrize("size", [1e200, 1e-200])
def test_entropies_of_quotients_beyond_the_precision(size):
    a, b = np.array([size]), np.array([1.0 / size])
    slope = 2.0 * np.log(size)
    assert s2sad.grad(lambda a, b: np.sum(special.rel_entr(a, b)))(a, b)[0] == pytest.approx(slope + 1.0)
    assert s2sad.grad(lambda a, b: np.sum(special.kl_div(a, b)))(a, b)[0] == pytest.approx(slope)
