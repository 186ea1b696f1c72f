"""Densities and distribution functions of SciPy, in their argument and parameters. z = (x - loc) / scale."""

import numpy as np
from scipy import special, stats

from s2sad.rules import elementwise

_PLAIN = [stats.norm, stats.laplace, stats.logistic, stats.cauchy, stats.expon, stats.uniform]
_SHAPED = [stats.t, stats.gamma, stats.chi2, stats.lognorm, stats.weibull_min, stats.pareto]


def _of(distributions, name):
    """The methods of this name."""
    return [getattr(distribution, name) for distribution in distributions]


# -- without a shape parameter -----------------------------------------------------------------------------------------


@elementwise(*_of(_PLAIN, "logpdf"))
def logpdf(y, x, loc=0.0, scale=1.0):
    z = (x - loc) / scale
    slope = log_density_slope(z)
    return slope / scale, -slope / scale, -(1.0 + z * slope) / scale


@elementwise(*_of(_PLAIN, "pdf"))
def pdf(y, x, loc=0.0, scale=1.0):
    z = (x - loc) / scale
    slope = log_density_slope(z)
    return y * slope / scale, -y * slope / scale, -y * (1.0 + z * slope) / scale


@elementwise(*_of(_PLAIN, "cdf"))
def cdf(y, x, loc=0.0, scale=1.0):
    density = of_distribution("pdf", x, loc, scale)
    return density, -density, -density * (x - loc) / scale


@elementwise(*_of(_PLAIN, "sf"))
def sf(y, x, loc=0.0, scale=1.0):
    density = of_distribution("pdf", x, loc, scale)
    return -density, density, density * (x - loc) / scale


@elementwise(*_of(_PLAIN, "logcdf"))
def logcdf(y, x, loc=0.0, scale=1.0):
    ratio = np.exp(of_distribution("logpdf", x, loc, scale) - y)
    return ratio, -ratio, -ratio * (x - loc) / scale


@elementwise(*_of(_PLAIN, "logsf"))
def logsf(y, x, loc=0.0, scale=1.0):
    ratio = np.exp(of_distribution("logpdf", x, loc, scale) - y)
    return -ratio, ratio, ratio * (x - loc) / scale


@elementwise(*_of(_PLAIN, "ppf"))
def ppf(y, q, loc=0.0, scale=1.0):
    return 1.0 / of_distribution("pdf", y, loc, scale), 1.0, (y - loc) / scale


@elementwise(*_of(_PLAIN, "isf"))
def isf(y, q, loc=0.0, scale=1.0):
    return -1.0 / of_distribution("pdf", y, loc, scale), 1.0, (y - loc) / scale


# -- with one, in which only the density is differentiated -------------------------------------------------------------


@elementwise(*_of(_SHAPED, "logpdf"))
def logpdf(y, x, a, loc=0.0, scale=1.0):
    z = (x - loc) / scale
    slope = log_density_slope(z, a)
    return slope / scale, log_density_shape(z, a), -slope / scale, -(1.0 + z * slope) / scale


@elementwise(*_of(_SHAPED, "pdf"))
def pdf(y, x, a, loc=0.0, scale=1.0):
    z = (x - loc) / scale
    slope = log_density_slope(z, a)
    return y * slope / scale, y * log_density_shape(z, a), -y * slope / scale, -y * (1.0 + z * slope) / scale


@elementwise(*_of(_SHAPED, "cdf"))
def cdf(y, x, a, loc=0.0, scale=1.0):
    density = of_distribution("pdf", x, a, loc, scale)
    return density, None, -density, -density * (x - loc) / scale


@elementwise(*_of(_SHAPED, "sf"))
def sf(y, x, a, loc=0.0, scale=1.0):
    density = of_distribution("pdf", x, a, loc, scale)
    return -density, None, density, density * (x - loc) / scale


@elementwise(*_of(_SHAPED, "logcdf"))
def logcdf(y, x, a, loc=0.0, scale=1.0):
    ratio = np.exp(of_distribution("logpdf", x, a, loc, scale) - y)
    return ratio, None, -ratio, -ratio * (x - loc) / scale


@elementwise(*_of(_SHAPED, "ppf"))
def ppf(y, q, a, loc=0.0, scale=1.0):
    return 1.0 / of_distribution("pdf", y, a, loc, scale), None, 1.0, (y - loc) / scale


@elementwise(stats.beta.logpdf)
def beta_logpdf(y, x, a, b, loc=0.0, scale=1.0):
    z = (x - loc) / scale
    slope = (a - 1.0) / z - (b - 1.0) / (1.0 - z)
    return (
        slope / scale,
        np.log(z) - special.psi(a) + special.psi(a + b),
        np.log1p(-z) - special.psi(b) + special.psi(a + b),
        -slope / scale,
        -(1.0 + z * slope) / scale,
    )


# -- counts ------------------------------------------------------------------------------------------------------------


@elementwise(stats.poisson.logpmf)
def poisson_logpmf(y, k, mu):
    """In the rate."""
    return None, k / mu - 1.0


@elementwise(stats.poisson.pmf)
def poisson_pmf(y, k, mu):
    """In the rate."""
    return None, y * (k / mu - 1.0)


@elementwise(stats.binom.logpmf)
def binom_logpmf(y, k, n, p):
    """In the probability."""
    return None, None, k / p - (n - k) / (1.0 - p)


@elementwise(stats.binom.pmf)
def binom_pmf(y, k, n, p):
    """In the probability."""
    return None, None, y * (k / p - (n - k) / (1.0 - p))


@elementwise(stats.nbinom.logpmf)
def nbinom_logpmf(y, k, n, p):
    """In n and the probability."""
    return None, special.psi(k + n) - special.psi(n) + np.log(p), n / p - k / (1.0 - p)
