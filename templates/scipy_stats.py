"""Densities and distribution functions of SciPy, in their argument and parameters. z = (x - loc) / scale."""

import numpy as np
from scipy import special, stats

from s2sad.rules import elementwise

PLAIN = [stats.norm, stats.laplace, stats.logistic, stats.cauchy, stats.expon, stats.uniform]
#: of which the densities have rules, and no moments
_DENSITIES = [stats.halfnorm, stats.halfcauchy]
SHAPED = [stats.t, stats.gamma, stats.chi2, stats.lognorm, stats.weibull_min, stats.pareto]


def _of(distributions, name):
    """The methods of this name."""
    return [getattr(distribution, name) for distribution in distributions]


# -- without a shape parameter -----------------------------------------------------------------------------------------


@elementwise(*_of([*PLAIN, *_DENSITIES], "logpdf"))
def logpdf(y, x, loc=0.0, scale=1.0):
    z = (x - loc) / scale
    slope = log_density_slope(z)
    return slope_or_0(slope / scale), slope_or_0(-slope / scale), slope_or_0(-(1.0 + z * slope) / scale)


@elementwise(*_of([*PLAIN, *_DENSITIES], "pdf"))
def pdf(y, x, loc=0.0, scale=1.0):
    z = (x - loc) / scale
    slope = log_density_slope(z)
    return y * slope / scale, -y * slope / scale, -y * (1.0 + z * slope) / scale


@elementwise(*_of([*PLAIN, *_DENSITIES], "cdf"))
def cdf(y, x, loc=0.0, scale=1.0):
    density = of_distribution("pdf", x, loc, scale)
    return density, -density, -density * (x - loc) / scale


@elementwise(*_of([*PLAIN, *_DENSITIES], "sf"))
def sf(y, x, loc=0.0, scale=1.0):
    density = of_distribution("pdf", x, loc, scale)
    return -density, density, density * (x - loc) / scale


@elementwise(*_of([d for d in (*PLAIN, *_DENSITIES) if d is not stats.norm], "logcdf"))
def logcdf(y, x, loc=0.0, scale=1.0):
    ratio = slope_or_0(np.exp(of_distribution("logpdf", x, loc, scale) - y))
    return ratio, -ratio, -ratio * (x - loc) / scale


@elementwise(*_of([d for d in (*PLAIN, *_DENSITIES) if d is not stats.norm], "logsf"))
def logsf(y, x, loc=0.0, scale=1.0):
    ratio = slope_or_0(np.exp(of_distribution("logpdf", x, loc, scale) - y))
    return -ratio, ratio, ratio * (x - loc) / scale


@elementwise(stats.norm.logcdf)
def norm_logcdf(y, x, loc=0.0, scale=1.0):
    """As special.log_ndtr: the density over the probability, far out where both vanish."""
    z = (x - loc) / scale
    ratio = 0.7978845608028654 / special.erfcx(-0.7071067811865476 * z) / scale
    return ratio, -ratio, -ratio * z


@elementwise(stats.norm.logsf)
def norm_logsf(y, x, loc=0.0, scale=1.0):
    """As logcdf."""
    z = (x - loc) / scale
    ratio = 0.7978845608028654 / special.erfcx(0.7071067811865476 * z) / scale
    return -ratio, ratio, ratio * z


@elementwise(*_of([*PLAIN, *_DENSITIES], "ppf"))
def ppf(y, q, loc=0.0, scale=1.0):
    return 1.0 / of_distribution("pdf", y, loc, scale), 1.0, (y - loc) / scale


@elementwise(*_of([*PLAIN, *_DENSITIES], "isf"))
def isf(y, q, loc=0.0, scale=1.0):
    return -1.0 / of_distribution("pdf", y, loc, scale), 1.0, (y - loc) / scale


# -- with one; in it the distribution functions of t, gamma and chi2 are differentiated as special.gammainc and stdtr --


@elementwise(*_of(SHAPED, "logpdf"))
def logpdf(y, x, a, loc=0.0, scale=1.0):
    z = in_support((x - loc) / scale)
    slope = log_density_slope(z, a)
    return (
        slope_or_0(slope / scale),
        slope_or_0(log_density_shape(z, a)),
        slope_or_0(-slope / scale),
        slope_or_0(-(1.0 + z * slope) / scale),
    )


@elementwise(*_of(SHAPED, "pdf"))
def pdf(y, x, a, loc=0.0, scale=1.0):
    z = in_support((x - loc) / scale)
    slope = log_density_slope(z, a)
    return y * slope / scale, y * log_density_shape(z, a), -y * slope / scale, -y * (1.0 + z * slope) / scale


@elementwise(*_of(SHAPED, "cdf"))
def cdf(y, x, a, loc=0.0, scale=1.0):
    density = of_distribution("pdf", x, a, loc, scale)
    return density, distribution_shape(x, a, loc, scale), -density, -density * (x - loc) / scale


@elementwise(*_of(SHAPED, "sf"))
def sf(y, x, a, loc=0.0, scale=1.0):
    density = of_distribution("pdf", x, a, loc, scale)
    return -density, -distribution_shape(x, a, loc, scale), density, density * (x - loc) / scale


@elementwise(*_of(SHAPED, "logcdf"))
def logcdf(y, x, a, loc=0.0, scale=1.0):
    ratio = slope_or_0(np.exp(of_distribution("logpdf", x, a, loc, scale) - y))
    return ratio, log_distribution_shape(ratio, x, a, loc, scale), -ratio, -ratio * (x - loc) / scale


@elementwise(*_of(SHAPED, "logsf"))
def logsf(y, x, a, loc=0.0, scale=1.0):
    ratio = slope_or_0(np.exp(of_distribution("logpdf", x, a, loc, scale) - y))
    return -ratio, -log_distribution_shape(ratio, x, a, loc, scale), ratio, ratio * (x - loc) / scale


@elementwise(*_of(SHAPED, "ppf"))
def ppf(y, q, a, loc=0.0, scale=1.0):
    density = of_distribution("pdf", y, a, loc, scale)
    return 1.0 / density, -distribution_shape(y, a, loc, scale) / density, 1.0, (y - loc) / scale


@elementwise(*_of(SHAPED, "isf"))
def isf(y, q, a, loc=0.0, scale=1.0):
    density = of_distribution("pdf", y, a, loc, scale)
    return -1.0 / density, -distribution_shape(y, a, loc, scale) / density, 1.0, (y - loc) / scale


# -- beta, whose distribution function is differentiated in its shapes as special.betainc ------------------------------


@elementwise(stats.beta.logpdf)
def beta_logpdf(y, x, a, b, loc=0.0, scale=1.0):
    z = in_support((x - loc) / scale)
    slope = (a - 1.0) / z - (b - 1.0) / (1.0 - z)
    return (
        slope_or_0(slope / scale),
        slope_or_0(np.log(z) - special.psi(a) + special.psi(a + b)),
        slope_or_0(np.log1p(-z) - special.psi(b) + special.psi(a + b)),
        slope_or_0(-slope / scale),
        slope_or_0(-(1.0 + z * slope) / scale),
    )


@elementwise(stats.beta.pdf)
def beta_pdf(y, x, a, b, loc=0.0, scale=1.0):
    z = in_support((x - loc) / scale)
    slope = (a - 1.0) / z - (b - 1.0) / (1.0 - z)
    return (
        y * slope / scale,
        y * (np.log(z) - special.psi(a) + special.psi(a + b)),
        y * (np.log1p(-z) - special.psi(b) + special.psi(a + b)),
        -y * slope / scale,
        -y * (1.0 + z * slope) / scale,
    )


@elementwise(stats.beta.cdf)
def beta_cdf(y, x, a, b, loc=0.0, scale=1.0):
    density = stats.beta.pdf(x, a, b, loc, scale)
    z = (x - loc) / scale
    return density, beta_shape(a, b, z, "a"), beta_shape(a, b, z, "b"), -density, -density * z


@elementwise(stats.beta.sf)
def beta_sf(y, x, a, b, loc=0.0, scale=1.0):
    density = stats.beta.pdf(x, a, b, loc, scale)
    z = (x - loc) / scale
    return -density, -beta_shape(a, b, z, "a"), -beta_shape(a, b, z, "b"), density, density * z


@elementwise(stats.beta.logcdf)
def beta_logcdf(y, x, a, b, loc=0.0, scale=1.0):
    ratio = slope_or_0(np.exp(stats.beta.logpdf(x, a, b, loc, scale) - y))
    z, w = (x - loc) / scale, slope_or_0(np.exp(-y))
    return ratio, w * beta_shape(a, b, z, "a"), w * beta_shape(a, b, z, "b"), -ratio, -ratio * z


@elementwise(stats.beta.logsf)
def beta_logsf(y, x, a, b, loc=0.0, scale=1.0):
    ratio = slope_or_0(np.exp(stats.beta.logpdf(x, a, b, loc, scale) - y))
    z, w = (x - loc) / scale, slope_or_0(np.exp(-y))
    return -ratio, -w * beta_shape(a, b, z, "a"), -w * beta_shape(a, b, z, "b"), ratio, ratio * z


@elementwise(stats.beta.ppf)
def beta_ppf(y, q, a, b, loc=0.0, scale=1.0):
    density = stats.beta.pdf(y, a, b, loc, scale)
    z = (y - loc) / scale
    return 1.0 / density, -beta_shape(a, b, z, "a") / density, -beta_shape(a, b, z, "b") / density, 1.0, z


@elementwise(stats.beta.isf)
def beta_isf(y, q, a, b, loc=0.0, scale=1.0):
    density = stats.beta.pdf(y, a, b, loc, scale)
    z = (y - loc) / scale
    return -1.0 / density, -beta_shape(a, b, z, "a") / density, -beta_shape(a, b, z, "b") / density, 1.0, z


# -- counts: in the parameters; of binom not in n ----------------------------------------------------------------------


@elementwise(stats.poisson.logpmf)
def poisson_logpmf(y, k, mu, loc=0):
    """In the rate."""
    return None, slope_or_0((k - loc) / mu - 1.0), None


@elementwise(stats.poisson.pmf)
def poisson_pmf(y, k, mu, loc=0):
    """In the rate."""
    return None, y * ((k - loc) / mu - 1.0), None


@elementwise(stats.poisson.cdf)
def poisson_cdf(y, k, mu, loc=0):
    """In the rate."""
    return None, -stats.poisson.pmf(np.floor(k), mu, loc), None


@elementwise(stats.poisson.sf)
def poisson_sf(y, k, mu, loc=0):
    """In the rate."""
    return None, stats.poisson.pmf(np.floor(k), mu, loc), None


@elementwise(stats.poisson.logcdf)
def poisson_logcdf(y, k, mu, loc=0):
    """In the rate."""
    return None, -slope_or_0(np.exp(stats.poisson.logpmf(np.floor(k), mu, loc) - y)), None


@elementwise(stats.poisson.logsf)
def poisson_logsf(y, k, mu, loc=0):
    """In the rate."""
    return None, slope_or_0(np.exp(stats.poisson.logpmf(np.floor(k), mu, loc) - y)), None


@elementwise(stats.binom.logpmf)
def binom_logpmf(y, k, n, p, loc=0):
    """In the probability."""
    return None, None, slope_or_0((k - loc) / p - (n - k + loc) / (1.0 - p)), None


@elementwise(stats.binom.pmf)
def binom_pmf(y, k, n, p, loc=0):
    """In the probability."""
    return None, None, y * ((k - loc) / p - (n - k + loc) / (1.0 - p)), None


@elementwise(stats.binom.cdf)
def binom_cdf(y, k, n, p, loc=0):
    """In the probability."""
    return None, None, -n * stats.binom.pmf(np.floor(k), n - 1, p, loc), None


@elementwise(stats.binom.sf)
def binom_sf(y, k, n, p, loc=0):
    """In the probability."""
    return None, None, n * stats.binom.pmf(np.floor(k), n - 1, p, loc), None


@elementwise(stats.binom.logcdf)
def binom_logcdf(y, k, n, p, loc=0):
    """In the probability."""
    return None, None, -n * slope_or_0(np.exp(stats.binom.logpmf(np.floor(k), n - 1, p, loc) - y)), None


@elementwise(stats.binom.logsf)
def binom_logsf(y, k, n, p, loc=0):
    """In the probability."""
    return None, None, n * slope_or_0(np.exp(stats.binom.logpmf(np.floor(k), n - 1, p, loc) - y)), None


@elementwise(stats.nbinom.logpmf)
def nbinom_logpmf(y, k, n, p, loc=0):
    """In n and the probability."""
    of_n = special.psi(k - loc + n) - special.psi(n) + np.log(p)
    return None, slope_or_0(of_n), slope_or_0(n / p - (k - loc) / (1.0 - p)), None


@elementwise(stats.nbinom.pmf)
def nbinom_pmf(y, k, n, p, loc=0):
    """In n and the probability."""
    of_n = special.psi(np.maximum(k - loc, 0.0) + n) - special.psi(n) + np.log(p)
    return None, y * of_n, y * (n / p - (k - loc) / (1.0 - p)), None


@elementwise(stats.nbinom.cdf)
def nbinom_cdf(y, k, n, p, loc=0):
    """In n and the probability."""
    of_n = (k >= loc) * beta_shape(n, np.maximum(np.floor(k - loc), 0.0) + 1.0, p, "a")
    return None, of_n, n / p**2 * stats.nbinom.pmf(np.floor(k), n + 1, p, loc), None


@elementwise(stats.nbinom.sf)
def nbinom_sf(y, k, n, p, loc=0):
    """In n and the probability."""
    of_n = (k >= loc) * beta_shape(n, np.maximum(np.floor(k - loc), 0.0) + 1.0, p, "a")
    return None, -of_n, -n / p**2 * stats.nbinom.pmf(np.floor(k), n + 1, p, loc), None


@elementwise(stats.bernoulli.logpmf)
def bernoulli_logpmf(y, k, p, loc=0):
    """In the probability."""
    return None, slope_or_0((k - loc) / p - (1.0 - k + loc) / (1.0 - p)), None


@elementwise(stats.bernoulli.pmf)
def bernoulli_pmf(y, k, p, loc=0):
    """In the probability."""
    return None, y * ((k - loc) / p - (1.0 - k + loc) / (1.0 - p)), None


@elementwise(stats.geom.logpmf)
def geom_logpmf(y, k, p, loc=0):
    """In the probability."""
    return None, slope_or_0(1.0 / p - (k - loc - 1.0) / (1.0 - p)), None


@elementwise(stats.geom.pmf)
def geom_pmf(y, k, p, loc=0):
    """In the probability."""
    return None, y * (1.0 / p - (k - loc - 1.0) / (1.0 - p)), None
