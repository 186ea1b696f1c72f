"""Random draws. Draws of location-scale families are differentiable in their parameters: the draw is made once, and
its derivative follows from the draw itself (reparameterisation). Counts are constant. A draw that varies with a shape
parameter by rejection (gamma, beta, chisquare, ...) has no rule: an active argument is refused."""

import numpy as np

from s2sad.rules import effects, elementwise, zero

_OWNERS = (np.random.Generator, np.random.RandomState)


def _methods(name):
    """The methods of generators of this name."""
    return [getattr(owner, name) for owner in _OWNERS]


@elementwise(*_methods("normal"), *_methods("laplace"), *_methods("logistic"), *_methods("gumbel"))
def normal(y, self, loc=0.0, scale=1.0, size=None):
    """At scale 0 there is no derivative."""
    return 0.0, 1.0, (y - loc) / scale


@elementwise(np.random.normal, np.random.laplace, np.random.logistic, np.random.gumbel)
def normal(y, loc=0.0, scale=1.0, size=None):
    """At scale 0 there is no derivative."""
    return 1.0, (y - loc) / scale


@elementwise(*_methods("uniform"))
def uniform(y, self, low=0.0, high=1.0, size=None):
    return 0.0, (high - y) / (high - low), (y - low) / (high - low)


@elementwise(np.random.uniform)
def uniform(y, low=0.0, high=1.0, size=None):
    return (high - y) / (high - low), (y - low) / (high - low)


@elementwise(*_methods("exponential"), *_methods("rayleigh"))
def exponential(y, self, scale=1.0, size=None):
    return 0.0, y / scale


@elementwise(np.random.exponential, np.random.rayleigh)
def exponential(y, scale=1.0, size=None):
    return y / scale


@elementwise(*_methods("lognormal"))
def lognormal(y, self, mean=0.0, sigma=1.0, size=None):
    return 0.0, y, y * (np.log(y) - mean) / sigma


@elementwise(np.random.lognormal)
def lognormal(y, mean=0.0, sigma=1.0, size=None):
    return y, y * (np.log(y) - mean) / sigma


@elementwise(*_methods("weibull"), *_methods("power"))
def weibull(y, self, a, size=None):
    return 0.0, -y * np.log(y) / a


@elementwise(np.random.weibull, np.random.power)
def weibull(y, a, size=None):
    return -y * np.log(y) / a


@elementwise(*_methods("pareto"))
def pareto(y, self, a, size=None):
    return 0.0, -(1.0 + y) * np.log1p(y) / a


@elementwise(np.random.pareto)
def pareto(y, a, size=None):
    return -(1.0 + y) * np.log1p(y) / a


@elementwise(*_methods("triangular"))
def triangular(y, self, left, mode, right, size=None):
    """By the derivative of the inverse distribution function."""
    below = y <= mode
    low, high = 0.5 * (y - left), 0.5 * (right - y)
    return (
        0.0,
        np.where(below, 1.0 - low / (right - left) - low / (mode - left), high / (right - left)),
        np.where(below, low / (mode - left), high / (right - mode)),
        np.where(below, low / (right - left), 1.0 - high / (right - left) - high / (right - mode)),
    )


@elementwise(np.random.triangular)
def triangular(y, left, mode, right, size=None):
    """By the derivative of the inverse distribution function."""
    below = y <= mode
    low, high = 0.5 * (y - left), 0.5 * (right - y)
    return (
        np.where(below, 1.0 - low / (right - left) - low / (mode - left), high / (right - left)),
        np.where(below, low / (mode - left), high / (right - mode)),
        np.where(below, low / (right - left), 1.0 - high / (right - left) - high / (right - mode)),
    )


@elementwise(*_methods("vonmises"))
def vonmises(y, self, mu, kappa, size=None):
    """Only in the mean direction."""
    return 0.0, 1.0, None


@elementwise(np.random.vonmises)
def vonmises(y, mu, kappa, size=None):
    """Only in the mean direction."""
    return 1.0, None


@elementwise(*_methods("gamma"))
def gamma(y, self, shape, scale=1.0, size=None):
    """Only in the scale."""
    return 0.0, None, y / scale


@elementwise(np.random.gamma)
def gamma(y, shape, scale=1.0, size=None):
    """Only in the scale."""
    return None, y / scale


@elementwise(*_methods("multivariate_normal"))
def multivariate_normal(y, self, mean, cov, size=None):
    """Only in the mean: for the covariance draw standard normals and multiply with its Cholesky factor."""
    return 0.0, 1.0, None


@elementwise(np.random.multivariate_normal)
def multivariate_normal(y, mean, cov, size=None):
    """Only in the mean: for the covariance draw standard normals and multiply with its Cholesky factor."""
    return 1.0, None


_COUNTS = ("poisson", "binomial", "geometric", "negative_binomial")

for _name in _COUNTS:
    zero(*_methods(_name), getattr(np.random, _name))

effects(
    *(
        method
        for name in (
            *("normal", "laplace", "logistic", "gumbel", "uniform", "exponential", "rayleigh", "lognormal", "weibull"),
            *("power", "pareto", "gamma", "multivariate_normal", "triangular", "vonmises", *_COUNTS),
        )
        for method in (*_methods(name), getattr(np.random, name))
    )
)
