"""SciPy's statistics of samples beyond moments: densities of kernels, trimmed and circular ones, transformations."""

import numpy as np
from s2sad.templates.scipy_stats import plain_policy
from scipy import stats
from scipy.special import logsumexp

from s2sad.rules import definition


class KernelDensity:
    """A sum of Gaussian kernels around the points of a data set: gaussian_kde."""

    def __init__(self, dataset, bw_method):
        self.dataset = dataset[None] if dataset.ndim == 1 else dataset
        self.d = self.dataset.shape[0]
        self.n = self.dataset.shape[1]
        self.factor = bandwidth(bw_method, self.n, self.d)
        centred = self.dataset - np.mean(self.dataset, axis=1, keepdims=True)
        self.covariance = self.factor**2 * (centred @ centred.T) / (self.n - 1.0)
        self.root = np.linalg.cholesky(self.covariance)
        self.white = np.linalg.solve(self.root, self.dataset)

    def logpdf(self, x):
        points = np.linalg.solve(self.root, as_columns(x, self.d))
        energy = 0.5 * np.sum((points[:, :, None] - self.white[:, None, :]) ** 2, axis=0)
        norm = np.sum(np.log(np.diag(self.root))) + 0.5 * self.d * np.log(2.0 * np.pi) + np.log(self.n)
        return logsumexp(-energy, axis=1) - norm

    def evaluate(self, points):
        return np.exp(self.logpdf(points))

    def pdf(self, x):
        return np.exp(self.logpdf(x))

    def __call__(self, points):
        return np.exp(self.logpdf(points))


def bandwidth(method, n, d):
    """The width of the kernels in terms of the spread of the data."""
    if method is None or method == "scott":
        return n ** (-1.0 / (d + 4.0))
    if method == "silverman":
        return (n * (d + 2.0) / 4.0) ** (-1.0 / (d + 4.0))
    if callable(method):
        raise NoDerivative("a function as bw_method has no rule", "give the number")
    return method


def as_columns(x, d):
    """Points as the columns of a matrix."""
    x = np.atleast_1d(x)
    if x.ndim == 2:
        return x
    return x[None] if d == 1 else x[:, None]


@definition(stats.gaussian_kde)
def gaussian_kde(dataset, bw_method=None, weights=None):
    """In the data, the bandwidth and where it is evaluated."""
    if weights is not None:
        raise NoDerivative("weights have no rule", "write the sum of the kernels out")
    return KernelDensity(dataset, bw_method)


@definition(stats.trim_mean)
def trim_mean(a, proportiontocut, axis=0):
    """Equal elements share evenly."""
    if axis is None:
        a, axis = np.ravel(a), 0
    cut = int(proportiontocut * a.shape[axis])
    return np.mean(np.moveaxis(np.sort(a, axis=axis), axis, 0)[cut : a.shape[axis] - cut], axis=0)


def only_without_limits(limits):
    if limits is not None:
        raise NoDerivative("limits have no rule", "choose the elements by a mask before")


@definition(stats.tmean)
def tmean(a, limits=None, inclusive=(True, True), axis=None, *, nan_policy="propagate", keepdims=False):
    plain_policy(nan_policy)
    only_without_limits(limits)
    return np.mean(a, axis=axis, keepdims=keepdims)


@definition(stats.tvar)
def tvar(a, limits=None, inclusive=(True, True), axis=0, ddof=1, *, nan_policy="propagate", keepdims=False):
    plain_policy(nan_policy)
    only_without_limits(limits)
    return np.var(a, axis=axis, ddof=ddof, keepdims=keepdims)


@definition(stats.tstd)
def tstd(a, limits=None, inclusive=(True, True), axis=0, ddof=1, *, nan_policy="propagate", keepdims=False):
    plain_policy(nan_policy)
    only_without_limits(limits)
    return np.std(a, axis=axis, ddof=ddof, keepdims=keepdims)


@definition(stats.median_abs_deviation)
def median_abs_deviation(x, axis=0, center=np.median, scale=1.0, nan_policy="propagate", *, keepdims=False):
    """From the median; 0 where an element is the median."""
    plain_policy(nan_policy)
    if center is not np.median or isinstance(scale, str):
        raise NoDerivative("another centre, or a scale by name, has no rule", "divide by the number")
    return np.median(np.abs(x - np.median(x, axis=axis, keepdims=True)), axis=axis, keepdims=keepdims) / scale


@definition(stats.boxcox)
def boxcox(x, lmbda=None, alpha=None, optimizer=None):
    """With lmbda, not 0."""
    if lmbda is None:
        raise NoDerivative("the transformation that it chooses has no rule", "give lmbda")
    return (x**lmbda - 1.0) / lmbda


@definition(stats.yeojohnson)
def yeojohnson(x, lmbda=None, *, nan_policy="propagate", axis=None, keepdims=False):
    """With lmbda, not 0 or 2."""
    if lmbda is None:
        raise NoDerivative("the transformation that it chooses has no rule", "give lmbda")
    up = x >= 0.0
    above = np.expm1(lmbda * np.log1p(np.where(up, x, 0.0))) / lmbda
    below = -np.expm1((2.0 - lmbda) * np.log1p(-np.where(up, 0.0, x))) / (2.0 - lmbda)
    return np.where(up, above, below)


def resultant(samples, high, low, axis, keepdims):
    """The mean of points on a circle: its sine and its cosine."""
    angles = (samples - low) * (2.0 * np.pi / (high - low))
    return np.mean(np.sin(angles), axis=axis, keepdims=keepdims), np.mean(np.cos(angles), axis=axis, keepdims=keepdims)


@definition(stats.circmean)
def circmean(samples, high=2.0 * np.pi, low=0.0, axis=None, nan_policy="propagate", *, keepdims=False):
    plain_policy(nan_policy)
    s, c = resultant(samples, high, low, axis, keepdims)
    return np.arctan2(s, c) % (2.0 * np.pi) * ((high - low) / (2.0 * np.pi)) + low


@definition(stats.circvar)
def circvar(samples, high=2.0 * np.pi, low=0.0, axis=None, nan_policy="propagate", *, keepdims=False):
    plain_policy(nan_policy)
    s, c = resultant(samples, high, low, axis, keepdims)
    return 1.0 - np.hypot(s, c)


@definition(stats.circstd)
def circstd(samples, high=2.0 * np.pi, low=0.0, axis=None, nan_policy="propagate", *, normalize=False, keepdims=False):
    plain_policy(nan_policy)
    s, c = resultant(samples, high, low, axis, keepdims)
    spread = np.sqrt(-2.0 * np.log(np.hypot(s, c)))
    return spread if normalize else spread * ((high - low) / (2.0 * np.pi))
