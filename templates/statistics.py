"""Python's module statistics."""

import math
import statistics

import numpy as np

from s2sad.rules import adjoint, d, definition, tangent


@adjoint(statistics.mean)
def mean(y, data):
    d[data] = spread(d[y] / len(data), data)


@tangent(statistics.mean)
def mean(y, data):
    d[y] = total_of(d[data]) / len(data)


@adjoint(statistics.fmean)
def fmean(y, data, weights=None):
    d[data] = spread(d[y] / len(data), data)


@tangent(statistics.fmean)
def fmean(y, data, weights=None):
    d[y] = total_of(d[data]) / len(data)


@adjoint(statistics.variance)
def variance(y, data, xbar=None):
    m = np.mean(data)
    d[data] = deviations(2.0 * d[y] / (len(data) - 1), data, m)


@tangent(statistics.variance)
def variance(y, data, xbar=None):
    m = np.mean(data)
    d[y] = 2.0 * deviation_products(data, m, d[data]) / (len(data) - 1)


@adjoint(statistics.pvariance)
def pvariance(y, data, mu=None):
    m = np.mean(data)
    d[data] = deviations(2.0 * d[y] / len(data), data, m)


@tangent(statistics.pvariance)
def pvariance(y, data, mu=None):
    m = np.mean(data)
    d[y] = 2.0 * deviation_products(data, m, d[data]) / len(data)


@adjoint(statistics.stdev)
def stdev(y, data, xbar=None):
    """0 where all are equal."""
    m = np.mean(data)
    d[data] = deviations(d[y] / ((len(data) - 1) * (y or 1.0)), data, m)


@tangent(statistics.stdev)
def stdev(y, data, xbar=None):
    m = np.mean(data)
    d[y] = deviation_products(data, m, d[data]) / ((len(data) - 1) * (y or 1.0))


@adjoint(statistics.pstdev)
def pstdev(y, data, mu=None):
    """0 where all are equal."""
    m = np.mean(data)
    d[data] = deviations(d[y] / (len(data) * (y or 1.0)), data, m)


@tangent(statistics.pstdev)
def pstdev(y, data, mu=None):
    m = np.mean(data)
    d[y] = deviation_products(data, m, d[data]) / (len(data) * (y or 1.0))


# -- statistics --------------------------------------------------------------------------------------------------------


def _weighted(call):
    return call.given("weights")


@definition(statistics.fmean, when=_weighted)
def fmean(data, weights=None):
    return float(np.average(np.asarray(data), weights=np.asarray(weights)))


class Normal:
    """What statistics.NormalDist does."""

    def __init__(self, mu, sigma):
        self.mean = mu
        self.median = mu
        self.mode = mu
        self.stdev = sigma
        self.variance = sigma * sigma

    def pdf(self, x):
        z = (x - self.mean) / self.stdev
        return math.exp(-0.5 * z * z) / (self.stdev * math.sqrt(2.0 * math.pi))

    def cdf(self, x):
        return 0.5 * math.erfc((self.mean - x) / (self.stdev * math.sqrt(2.0)))

    def zscore(self, x):
        return (x - self.mean) / self.stdev

    def __add__(self, other):
        if isinstance(other, Normal):
            return Normal(self.mean + other.mean, math.hypot(self.stdev, other.stdev))
        return Normal(self.mean + other, self.stdev)

    def __mul__(self, factor):
        return Normal(self.mean * factor, self.stdev * math.fabs(factor))

    def __rmul__(self, factor):
        return Normal(self.mean * factor, self.stdev * math.fabs(factor))


@definition(statistics.NormalDist)
def NormalDist(mu=0.0, sigma=1.0):
    """Its moments, pdf, cdf and zscore, sums and multiples; not inv_cdf."""
    return Normal(mu, sigma)


@definition(statistics.geometric_mean)
def geometric_mean(data):
    return math.exp(np.mean(np.log(np.asarray(data))))


@definition(statistics.harmonic_mean)
def harmonic_mean(data, weights=None):
    x = np.asarray(data)
    if weights is None:
        return float(np.size(x) / np.sum(1.0 / x))
    w = np.asarray(weights)
    return float(np.sum(w) / np.sum(w / x))


@definition(statistics.variance, active=("xbar",))
def variance(data, xbar=None):
    x = np.asarray(data)
    return float(np.sum((x - xbar) ** 2) / (np.size(x) - 1))


@definition(statistics.pvariance, active=("mu",))
def pvariance(data, mu=None):
    return float(np.mean((np.asarray(data) - mu) ** 2))


@definition(statistics.stdev, active=("xbar",))
def stdev(data, xbar=None):
    x = np.asarray(data)
    return math.sqrt(np.sum((x - xbar) ** 2) / (np.size(x) - 1))


@definition(statistics.pstdev, active=("mu",))
def pstdev(data, mu=None):
    return math.sqrt(np.mean((np.asarray(data) - mu) ** 2))


@definition(statistics.median)
def median(data):
    """Equal elements share evenly."""
    return float(np.median(np.asarray(data)))


@definition(statistics.median_low)
def median_low(data):
    """Equal elements share evenly."""
    x = np.sort(np.asarray(data))
    return float(x[(np.size(x) - 1) // 2])


@definition(statistics.median_high)
def median_high(data):
    """Equal elements share evenly."""
    x = np.sort(np.asarray(data))
    return float(x[np.size(x) // 2])


@definition(statistics.median_grouped)
def median_grouped(data, interval=1):
    """The intervals are as they are: only where the median's interval lies varies."""
    x = np.sort(np.asarray(data))
    middle = x[np.size(x) // 2]
    below, here = np.sum(x < middle), np.sum(x == middle)
    return float(middle - interval / 2.0 + interval * (np.size(x) / 2.0 - below) / here)


@definition(statistics.covariance)
def covariance(x, y):
    a, b = np.asarray(x), np.asarray(y)
    return float(np.sum((a - np.mean(a)) * (b - np.mean(b))) / (np.size(a) - 1))


def _ranks(a):
    """How many are smaller; equal ones share a rank."""
    return np.sum(a[:, None] > a, axis=1) + 0.5 * np.sum(a[:, None] == a, axis=1)


@definition(statistics.correlation)
def correlation(x, y, /, *, method="linear"):
    """Of the ranks it is piecewise constant."""
    if method != "linear":
        x, y = _ranks(np.asarray(x)), _ranks(np.asarray(y))
    a, b = np.asarray(x), np.asarray(y)
    a, b = a - np.mean(a), b - np.mean(b)
    return float(np.sum(a * b) / np.sqrt(np.sum(a * a) * np.sum(b * b)))


@definition(statistics.linear_regression)
def linear_regression(x, y, /, *, proportional=False):
    a, b = np.asarray(x), np.asarray(y)
    if proportional:
        slope = np.sum(a * b) / np.sum(a * a)
        return statistics.LinearRegression(slope=float(slope), intercept=0.0)
    centred = a - np.mean(a)
    slope = np.sum(centred * b) / np.sum(centred * centred)
    return statistics.LinearRegression(slope=float(slope), intercept=float(np.mean(b) - slope * np.mean(a)))


@definition(statistics.quantiles)
def quantiles(data, *, n=4, method="exclusive"):
    """Equal elements share evenly."""
    if method != "exclusive":
        return list(np.quantile(np.asarray(data), np.arange(1, n) / n))
    x = np.sort(np.asarray(data))
    at = np.arange(1, n) * (np.size(x) + 1)
    k = np.clip(at // n, 1, np.size(x) - 1)
    part = at / n - k
    return list(x[k - 1] * (1.0 - part) + x[k] * part)
