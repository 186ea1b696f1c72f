"""Distributions: means, variances, entropies; those of several variables."""

import numpy as np
from s2sad.templates.scipy_stats import PLAIN, SHAPED
from scipy import linalg, special, stats

from s2sad.rules import definition

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


for _distribution in (*PLAIN, *SHAPED, stats.beta, stats.poisson, stats.binom, stats.nbinom):
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
