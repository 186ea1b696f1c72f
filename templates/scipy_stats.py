"""Densities and distribution functions of SciPy, in their argument and parameters. z = (x - loc) / scale."""

from collections import namedtuple

import numpy as np
from scipy import linalg, special, stats

from s2sad.rules import definition, elementwise

_PLAIN = [stats.norm, stats.laplace, stats.logistic, stats.cauchy, stats.expon, stats.uniform]
#: of which the densities have rules, and no moments
_DENSITIES = [stats.halfnorm, stats.halfcauchy]
_SHAPED = [stats.t, stats.gamma, stats.chi2, stats.lognorm, stats.weibull_min, stats.pareto]


def _of(distributions, name):
    """The methods of this name."""
    return [getattr(distribution, name) for distribution in distributions]


# -- without a shape parameter -----------------------------------------------------------------------------------------


@elementwise(*_of([*_PLAIN, *_DENSITIES], "logpdf"))
def logpdf(y, x, loc=0.0, scale=1.0):
    z = (x - loc) / scale
    slope = log_density_slope(z)
    return slope_or_0(slope / scale), slope_or_0(-slope / scale), slope_or_0(-(1.0 + z * slope) / scale)


@elementwise(*_of([*_PLAIN, *_DENSITIES], "pdf"))
def pdf(y, x, loc=0.0, scale=1.0):
    z = (x - loc) / scale
    slope = log_density_slope(z)
    return y * slope / scale, -y * slope / scale, -y * (1.0 + z * slope) / scale


@elementwise(*_of([*_PLAIN, *_DENSITIES], "cdf"))
def cdf(y, x, loc=0.0, scale=1.0):
    density = of_distribution("pdf", x, loc, scale)
    return density, -density, -density * (x - loc) / scale


@elementwise(*_of([*_PLAIN, *_DENSITIES], "sf"))
def sf(y, x, loc=0.0, scale=1.0):
    density = of_distribution("pdf", x, loc, scale)
    return -density, density, density * (x - loc) / scale


@elementwise(*_of([d for d in (*_PLAIN, *_DENSITIES) if d is not stats.norm], "logcdf"))
def logcdf(y, x, loc=0.0, scale=1.0):
    ratio = slope_or_0(np.exp(of_distribution("logpdf", x, loc, scale) - y))
    return ratio, -ratio, -ratio * (x - loc) / scale


@elementwise(*_of([d for d in (*_PLAIN, *_DENSITIES) if d is not stats.norm], "logsf"))
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


@elementwise(*_of([*_PLAIN, *_DENSITIES], "ppf"))
def ppf(y, q, loc=0.0, scale=1.0):
    return 1.0 / of_distribution("pdf", y, loc, scale), 1.0, (y - loc) / scale


@elementwise(*_of([*_PLAIN, *_DENSITIES], "isf"))
def isf(y, q, loc=0.0, scale=1.0):
    return -1.0 / of_distribution("pdf", y, loc, scale), 1.0, (y - loc) / scale


# -- with one; in it the distribution functions of t, gamma and chi2 are differentiated as special.gammainc and stdtr --


@elementwise(*_of(_SHAPED, "logpdf"))
def logpdf(y, x, a, loc=0.0, scale=1.0):
    z = in_support((x - loc) / scale)
    slope = log_density_slope(z, a)
    return (
        slope_or_0(slope / scale),
        slope_or_0(log_density_shape(z, a)),
        slope_or_0(-slope / scale),
        slope_or_0(-(1.0 + z * slope) / scale),
    )


@elementwise(*_of(_SHAPED, "pdf"))
def pdf(y, x, a, loc=0.0, scale=1.0):
    z = in_support((x - loc) / scale)
    slope = log_density_slope(z, a)
    return y * slope / scale, y * log_density_shape(z, a), -y * slope / scale, -y * (1.0 + z * slope) / scale


@elementwise(*_of(_SHAPED, "cdf"))
def cdf(y, x, a, loc=0.0, scale=1.0):
    density = of_distribution("pdf", x, a, loc, scale)
    return density, distribution_shape(x, a, loc, scale), -density, -density * (x - loc) / scale


@elementwise(*_of(_SHAPED, "sf"))
def sf(y, x, a, loc=0.0, scale=1.0):
    density = of_distribution("pdf", x, a, loc, scale)
    return -density, -distribution_shape(x, a, loc, scale), density, density * (x - loc) / scale


@elementwise(*_of(_SHAPED, "logcdf"))
def logcdf(y, x, a, loc=0.0, scale=1.0):
    ratio = slope_or_0(np.exp(of_distribution("logpdf", x, a, loc, scale) - y))
    return ratio, log_distribution_shape(ratio, x, a, loc, scale), -ratio, -ratio * (x - loc) / scale


@elementwise(*_of(_SHAPED, "logsf"))
def logsf(y, x, a, loc=0.0, scale=1.0):
    ratio = slope_or_0(np.exp(of_distribution("logpdf", x, a, loc, scale) - y))
    return -ratio, -log_distribution_shape(ratio, x, a, loc, scale), ratio, ratio * (x - loc) / scale


@elementwise(*_of(_SHAPED, "ppf"))
def ppf(y, q, a, loc=0.0, scale=1.0):
    density = of_distribution("pdf", y, a, loc, scale)
    return 1.0 / density, -distribution_shape(y, a, loc, scale) / density, 1.0, (y - loc) / scale


@elementwise(*_of(_SHAPED, "isf"))
def isf(y, q, a, loc=0.0, scale=1.0):
    density = of_distribution("pdf", y, a, loc, scale)
    return -1.0 / density, -distribution_shape(y, a, loc, scale) / density, 1.0, (y - loc) / scale


# -- beta, whose distribution function is differentiated in its shapes as special.betainc -----------------------------


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


# -- moments: of parameters for which they are not finite, what SciPy says ---------------------------------------------


@definition(stats.norm.mean, stats.laplace.mean, stats.logistic.mean)
def location_mean(loc=0, scale=1):
    return loc + 0.0 * scale if np.ndim(scale) else loc


@definition(stats.norm.var)
def norm_var(loc=0, scale=1):
    return scale**2 + 0.0 * loc if np.ndim(loc) else scale**2


@definition(stats.norm.entropy)
def norm_entropy(loc=0, scale=1):
    return 0.5 * np.log(2.0 * np.pi * np.e) + np.log(scale) + 0.0 * loc


@definition(stats.expon.mean)
def expon_mean(loc=0, scale=1):
    return loc + scale


@definition(stats.expon.var)
def expon_var(loc=0, scale=1):
    return scale**2 + 0.0 * loc if np.ndim(loc) else scale**2


@definition(stats.expon.entropy)
def expon_entropy(loc=0, scale=1):
    return 1.0 + np.log(scale) + 0.0 * loc


@definition(stats.laplace.var)
def laplace_var(loc=0, scale=1):
    return 2.0 * scale**2 + 0.0 * loc


@definition(stats.laplace.entropy)
def laplace_entropy(loc=0, scale=1):
    return 1.0 + np.log(2.0 * scale) + 0.0 * loc


@definition(stats.logistic.var)
def logistic_var(loc=0, scale=1):
    return np.pi**2 / 3.0 * scale**2 + 0.0 * loc


@definition(stats.logistic.entropy)
def logistic_entropy(loc=0, scale=1):
    return 2.0 + np.log(scale) + 0.0 * loc


@definition(stats.uniform.mean)
def uniform_mean(loc=0, scale=1):
    return loc + 0.5 * scale


@definition(stats.uniform.var)
def uniform_var(loc=0, scale=1):
    return scale**2 / 12.0 + 0.0 * loc


@definition(stats.uniform.entropy)
def uniform_entropy(loc=0, scale=1):
    return np.log(scale) + 0.0 * loc


@definition(stats.cauchy.entropy)
def cauchy_entropy(loc=0, scale=1):
    return np.log(4.0 * np.pi * scale) + 0.0 * loc


@definition(stats.gamma.mean)
def gamma_mean(a, loc=0, scale=1):
    return loc + a * scale


@definition(stats.gamma.var)
def gamma_var(a, loc=0, scale=1):
    return a * scale**2 + 0.0 * loc


@definition(stats.gamma.entropy)
def gamma_entropy(a, loc=0, scale=1):
    return a + special.gammaln(a) + (1.0 - a) * special.psi(a) + np.log(scale) + 0.0 * loc


@definition(stats.chi2.mean)
def chi2_mean(df, loc=0, scale=1):
    return loc + df * scale


@definition(stats.chi2.var)
def chi2_var(df, loc=0, scale=1):
    return 2.0 * df * scale**2 + 0.0 * loc


@definition(stats.chi2.entropy)
def chi2_entropy(df, loc=0, scale=1):
    a = 0.5 * df
    return a + np.log(2.0 * scale) + special.gammaln(a) + (1.0 - a) * special.psi(a) + 0.0 * loc


@definition(stats.beta.mean)
def beta_mean(a, b, loc=0, scale=1):
    return loc + scale * a / (a + b)


@definition(stats.beta.var)
def beta_var(a, b, loc=0, scale=1):
    return scale**2 * a * b / ((a + b) ** 2 * (a + b + 1.0)) + 0.0 * loc


@definition(stats.beta.entropy)
def beta_entropy(a, b, loc=0, scale=1):
    shapes = special.betaln(a, b) - (a - 1.0) * special.psi(a) - (b - 1.0) * special.psi(b)
    return shapes + (a + b - 2.0) * special.psi(a + b) + np.log(scale) + 0.0 * loc


@definition(stats.lognorm.mean)
def lognorm_mean(s, loc=0, scale=1):
    return loc + scale * np.exp(0.5 * s**2)


@definition(stats.lognorm.var)
def lognorm_var(s, loc=0, scale=1):
    return scale**2 * np.exp(s**2) * np.expm1(s**2) + 0.0 * loc


@definition(stats.lognorm.entropy)
def lognorm_entropy(s, loc=0, scale=1):
    return 0.5 * np.log(2.0 * np.pi * np.e) + np.log(s * scale) + 0.0 * loc


@definition(stats.weibull_min.mean)
def weibull_mean(c, loc=0, scale=1):
    return loc + scale * special.gamma(1.0 + 1.0 / c)


@definition(stats.weibull_min.var)
def weibull_var(c, loc=0, scale=1):
    return scale**2 * (special.gamma(1.0 + 2.0 / c) - special.gamma(1.0 + 1.0 / c) ** 2) + 0.0 * loc


@definition(stats.weibull_min.entropy)
def weibull_entropy(c, loc=0, scale=1):
    return np.euler_gamma * (1.0 - 1.0 / c) + 1.0 + np.log(scale / c) + 0.0 * loc


@definition(stats.pareto.mean)
def pareto_mean(b, loc=0, scale=1):
    return loc + scale * np.where(b > 1.0, b / (b - 1.0), np.inf)


@definition(stats.pareto.var)
def pareto_var(b, loc=0, scale=1):
    return scale**2 * np.where(b > 2.0, b / ((b - 1.0) ** 2 * (b - 2.0)), np.inf) + 0.0 * loc


@definition(stats.pareto.entropy)
def pareto_entropy(b, loc=0, scale=1):
    return 1.0 + 1.0 / b + np.log(scale / b) + 0.0 * loc


@definition(stats.t.mean)
def t_mean(df, loc=0, scale=1):
    return np.where(df > 1.0, loc + 0.0 * scale, np.inf)


@definition(stats.t.var)
def t_var(df, loc=0, scale=1):
    return scale**2 * np.where(df > 2.0, df / (df - 2.0), np.where(df > 1.0, np.inf, np.nan)) + 0.0 * loc


@definition(stats.t.entropy)
def t_entropy(df, loc=0, scale=1):
    half = 0.5 * (df + 1.0)
    slope = half * (special.psi(half) - special.psi(0.5 * df))
    return slope + 0.5 * np.log(df) + special.betaln(0.5 * df, 0.5) + np.log(scale) + 0.0 * loc


@definition(stats.poisson.mean)
def poisson_mean(mu, loc=0):
    return mu + loc


@definition(stats.poisson.var)
def poisson_var(mu, loc=0):
    return mu + 0.0 * loc


@definition(stats.binom.mean)
def binom_mean(n, p, loc=0):
    return n * p + loc


@definition(stats.binom.var)
def binom_var(n, p, loc=0):
    return n * p * (1.0 - p) + 0.0 * loc


@definition(stats.nbinom.mean)
def nbinom_mean(n, p, loc=0):
    return n * (1.0 - p) / p + loc


@definition(stats.nbinom.var)
def nbinom_var(n, p, loc=0):
    return n * (1.0 - p) / p**2 + 0.0 * loc


def _std(distribution):
    @definition(distribution.std)
    def std(*args, **kwds):
        return np.sqrt(distribution.var(*args, **kwds))


for _distribution in (*_PLAIN, *_SHAPED, stats.beta, stats.poisson, stats.binom, stats.nbinom):
    if _distribution is not stats.cauchy:
        _std(_distribution)


# -- several variables -------------------------------------------------------------------------------------------------


@definition(stats.multivariate_normal.logpdf)
def multivariate_logpdf(x, mean=None, cov=1, allow_singular=False):
    """By the Cholesky factor of cov, of which the lower triangle is read, and gets the cotangent. A singular cov has no
    derivative: LinAlgError."""
    if allow_singular and np.linalg.cond(cov) > 4.5e9:  # where SciPy takes the pseudo-inverse
        raise np.linalg.LinAlgError("the density of a singular normal distribution has no derivative in its covariance")
    if np.ndim(cov) < 2:
        return _independent_logpdf(x, mean, cov)
    if np.ndim(x) > 2 or np.ndim(x) == 0:
        raise NoDerivative("x must be a vector or rows of vectors", "use np.reshape")
    factor = np.linalg.cholesky(cov)
    deviation = x if mean is None else x - mean
    if np.ndim(x) == 2:
        deviation = deviation.T
    z = linalg.solve_triangular(factor, deviation, lower=True)
    square = z @ z if np.ndim(x) == 1 else np.sum(z**2, axis=0)
    return -0.5 * (square + len(cov) * np.log(2.0 * np.pi)) - np.sum(np.log(np.diag(factor)))


def _independent_logpdf(x, mean, cov):
    """Of variables with one variance, or one each; without a mean, or with a number as the mean, of one variable."""
    if mean is None or np.ndim(mean) == 0:
        if np.ndim(cov) != 0 or np.ndim(x) > 1:
            raise NoDerivative("the dimension must be known: by a vector as the mean or a matrix as cov", "give mean")
        deviation = x if mean is None else x - mean
        return -0.5 * (deviation**2 / cov + np.log(2.0 * np.pi * cov))
    if np.ndim(mean) != 1 or np.ndim(x) > 2 or np.ndim(x) == 0:
        raise NoDerivative("x must be a vector or rows of vectors", "use np.reshape")
    if np.shape(x)[-1] != len(mean):
        raise ValueError("x and the mean must have as many variables")
    square = np.sum((x - mean) ** 2 / cov, axis=-1)
    return -0.5 * (square + np.sum(np.log(2.0 * np.pi * cov * np.ones(len(mean)))))


@definition(stats.multivariate_normal.pdf)
def multivariate_pdf(x, mean=None, cov=1, allow_singular=False):
    """As logpdf."""
    return np.exp(multivariate_logpdf(x, mean, cov, allow_singular))


@definition(stats.multivariate_normal.entropy)
def multivariate_entropy(mean=None, cov=1):
    if np.ndim(cov) < 2:
        if np.ndim(cov) == 1 and np.ndim(mean) != 1:
            raise NoDerivative("the dimension must be known", "give np.diag(cov)")
        count = np.size(mean) if np.ndim(mean) == 1 else 1
        return 0.5 * np.sum(np.log(2.0 * np.pi * np.e * cov * np.ones(count)))
    return 0.5 * len(cov) * np.log(2.0 * np.pi * np.e) + np.sum(np.log(np.diag(np.linalg.cholesky(cov))))


@definition(stats.dirichlet.logpdf)
def dirichlet_logpdf(x, alpha):
    """x holds as many numbers as alpha."""
    if np.ndim(x) > 2 or np.ndim(alpha) != 1:
        raise NoDerivative("x must be a vector or a matrix of columns", "call it for each, one after the other")
    powers = special.xlogy(alpha - 1.0, x) if np.ndim(x) == 1 else special.xlogy((alpha - 1.0)[:, None], x)
    return special.gammaln(np.sum(alpha)) - np.sum(special.gammaln(alpha)) + np.sum(powers, axis=0)


@definition(stats.dirichlet.pdf)
def dirichlet_pdf(x, alpha):
    """As logpdf."""
    return np.exp(dirichlet_logpdf(x, alpha))


@definition(stats.dirichlet.mean)
def dirichlet_mean(alpha):
    return alpha / np.sum(alpha)


@definition(stats.dirichlet.var)
def dirichlet_var(alpha):
    total = np.sum(alpha)
    return alpha * (total - alpha) / (total**2 * (total + 1.0))


@definition(stats.dirichlet.entropy)
def dirichlet_entropy(alpha):
    total = np.sum(alpha)
    spread = (total - len(alpha)) * special.psi(total) - np.sum((alpha - 1.0) * special.psi(alpha))
    return np.sum(special.gammaln(alpha)) - special.gammaln(total) + spread


# -- statistics of samples ---------------------------------------------------------------------------------------------


def plain_policy(nan_policy, dtype=None):
    """nan_policy and dtype as they are when they are left out."""
    if nan_policy != "propagate" or dtype is not None:
        raise NoDerivative("nan_policy and dtype have no rule", "leave it out")


@definition(stats.gmean)
def gmean(a, axis=0, dtype=None, weights=None, *, nan_policy="propagate", keepdims=False):
    plain_policy(nan_policy, dtype)
    if weights is None:
        return np.exp(np.mean(np.log(a), axis=axis, keepdims=keepdims))
    return np.exp(np.average(np.log(a), axis=axis, weights=weights, keepdims=keepdims))


@definition(stats.hmean)
def hmean(a, axis=0, dtype=None, *, weights=None, nan_policy="propagate", keepdims=False):
    plain_policy(nan_policy, dtype)
    if weights is None:
        return 1.0 / np.mean(1.0 / a, axis=axis, keepdims=keepdims)
    return 1.0 / np.average(1.0 / a, axis=axis, weights=weights, keepdims=keepdims)


@definition(stats.pmean)
def pmean(a, p, *, axis=0, dtype=None, weights=None, nan_policy="propagate", keepdims=False):
    """p must not be 0 where it varies."""
    plain_policy(nan_policy, dtype)
    if weights is None:
        return np.mean(a**p, axis=axis, keepdims=keepdims) ** (1.0 / p)
    return np.average(a**p, axis=axis, weights=weights, keepdims=keepdims) ** (1.0 / p)


@definition(stats.zscore)
def zscore(a, axis=0, ddof=0, nan_policy="propagate"):
    plain_policy(nan_policy)
    return (a - np.mean(a, axis=axis, keepdims=True)) / np.std(a, axis=axis, ddof=ddof, keepdims=True)


@definition(stats.zmap)
def zmap(scores, compare, axis=0, ddof=0, nan_policy="propagate"):
    plain_policy(nan_policy)
    spread = np.std(compare, axis=axis, ddof=ddof, keepdims=True)
    return (scores - np.mean(compare, axis=axis, keepdims=True)) / spread


@definition(stats.gzscore)
def gzscore(a, *, axis=0, ddof=0, nan_policy="propagate"):
    plain_policy(nan_policy)
    return zscore(np.log(a), axis, ddof)


@definition(stats.gstd)
def gstd(a, axis=0, ddof=1, *, keepdims=False, nan_policy="propagate"):
    plain_policy(nan_policy)
    return np.exp(np.std(np.log(a), axis=axis, ddof=ddof, keepdims=keepdims))


@definition(stats.moment)
def moment(a, order=1, axis=0, nan_policy="propagate", *, center=None, keepdims=False):
    """Of one order."""
    plain_policy(nan_policy)
    if np.ndim(order) != 0:
        raise NoDerivative("several orders have no rule", "call it for each, one after the other")
    if center is None:
        return np.mean((a - np.mean(a, axis=axis, keepdims=True)) ** order, axis=axis, keepdims=keepdims)
    return np.mean((a - center) ** order, axis=axis, keepdims=keepdims)


@definition(stats.skew)
def skew(a, axis=0, bias=True, nan_policy="propagate", *, keepdims=False):
    plain_policy(nan_policy)
    deviation = a - np.mean(a, axis=axis, keepdims=True)
    m2 = np.mean(deviation**2, axis=axis, keepdims=keepdims)
    m3 = np.mean(deviation**3, axis=axis, keepdims=keepdims)
    n = np.size(a) if axis is None else np.shape(a)[axis]
    if bias or n < 3:
        return m3 / m2**1.5
    return np.sqrt(n * (n - 1.0)) / (n - 2.0) * m3 / m2**1.5


@definition(stats.kurtosis)
def kurtosis(a, axis=0, fisher=True, bias=True, nan_policy="propagate", *, keepdims=False):
    plain_policy(nan_policy)
    deviation = a - np.mean(a, axis=axis, keepdims=True)
    m2 = np.mean(deviation**2, axis=axis, keepdims=keepdims)
    m4 = np.mean(deviation**4, axis=axis, keepdims=keepdims)
    ratio = m4 / m2**2
    n = np.size(a) if axis is None else np.shape(a)[axis]
    if not bias and n > 3:
        ratio = ((n**2 - 1.0) * ratio - 3.0 * (n - 1.0) ** 2) / ((n - 2.0) * (n - 3.0)) + 3.0
    return ratio - 3.0 if fisher else ratio


@definition(stats.sem)
def sem(a, axis=0, ddof=1, nan_policy="propagate", *, keepdims=False):
    plain_policy(nan_policy)
    n = np.size(a) if axis is None else np.shape(a)[axis]
    return np.std(a, axis=axis, ddof=ddof, keepdims=keepdims) / np.sqrt(n)


@definition(stats.variation)
def variation(a, axis=0, nan_policy="propagate", ddof=0, *, keepdims=False):
    plain_policy(nan_policy)
    spread = np.std(a, axis=axis, ddof=ddof, keepdims=keepdims)
    return spread / np.mean(a, axis=axis, keepdims=keepdims)


@definition(stats.entropy)
def entropy(pk, qk=None, base=None, axis=0, *, nan_policy="propagate", keepdims=False):
    plain_policy(nan_policy)
    p = pk / np.sum(pk, axis=axis, keepdims=True)
    if qk is None:
        total = np.sum(special.entr(p), axis=axis, keepdims=keepdims)
    else:
        q = qk / np.sum(qk, axis=axis, keepdims=True)
        total = np.sum(special.rel_entr(p, q), axis=axis, keepdims=keepdims)
    return total if base is None else total / np.log(base)


@definition(stats.iqr)
def iqr(x, axis=None, rng=(25, 75), scale=1.0, nan_policy="propagate", interpolation="linear", keepdims=False):
    plain_policy(nan_policy)
    if isinstance(scale, str) or interpolation != "linear":
        raise NoDerivative("scale by name and interpolation have no rule", "give a number for scale")
    low = np.percentile(x, rng[0], axis=axis, keepdims=keepdims)
    return (np.percentile(x, rng[1], axis=axis, keepdims=keepdims) - low) / scale


@definition(stats.boxcox_llf)
def boxcox_llf(lmb, data, *, axis=0, keepdims=False, nan_policy="propagate"):
    """lmb must not be 0 where it varies."""
    plain_policy(nan_policy)
    n = np.size(data) if axis is None else np.shape(data)[axis]
    logs = np.sum(np.log(data), axis=axis, keepdims=keepdims)
    return (lmb - 1.0) * logs - 0.5 * n * np.log(np.var((data**lmb - 1.0) / lmb, axis=axis, keepdims=keepdims))


Correlation = namedtuple("Correlation", "statistic pvalue")
Line = namedtuple("Line", "slope intercept rvalue pvalue stderr")


def _two_sided(alternative, axis=0):
    if alternative != "two-sided" or axis != 0:
        raise NoDerivative("alternative and axis have no rule", "leave it out")


@definition(stats.pearsonr)
def pearsonr(x, y, *, alternative="two-sided", method=None, axis=0):
    """Of vectors: the statistic and the two-sided p-value."""
    _two_sided(alternative, axis)
    if method is not None or np.ndim(x) != 1:
        raise NoDerivative("method and stacks of vectors have no rule", "leave it out")
    u = x - np.mean(x)
    v = y - np.mean(y)
    r = u @ v / np.sqrt((u @ u) * (v @ v))
    half = 0.5 * len(x) - 1.0
    return Correlation(r, 2.0 * stats.beta.sf(np.abs(r), half, half, loc=-1.0, scale=2.0))


@definition(stats.linregress)
def linregress(x, y, alternative="two-sided", *, axis=0, nan_policy="propagate", keepdims=False):
    """Of two vectors; without the error of the intercept."""
    plain_policy(nan_policy)
    _two_sided(alternative, axis)
    if keepdims is not False or np.ndim(x) != 1:
        raise NoDerivative("keepdims and stacks of vectors have no rule", "leave it out")
    u = x - np.mean(x)
    v = y - np.mean(y)
    slope = u @ v / (u @ u)
    r = u @ v / np.sqrt((u @ u) * (v @ v))
    stderr = np.sqrt((1.0 - r**2) * (v @ v) / (u @ u) / (len(x) - 2.0))
    pvalue = 2.0 * stats.t.sf(np.abs(slope) / stderr, len(x) - 2.0)
    return Line(slope, np.mean(y) - slope * np.mean(x), r, pvalue, stderr)
