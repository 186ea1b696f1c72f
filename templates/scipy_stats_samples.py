"""SciPy's statistics of samples beyond moments: densities of kernels, trimmed and circular ones, transformations."""

from collections import namedtuple

import numpy as np
from scipy import special, stats
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
