"""Rules that are definitions (polynomials, statistics, histograms, sparse matrices, sets) against the same mathematical
problem in numbers of 40 digits (`tests.rules.problems`)."""

from __future__ import annotations

import operator
import statistics

import numpy as np
import pytest

pytest.importorskip("mpmath")
pytest.importorskip("scipy")

from numpy import polynomial as series
from scipy import sparse, stats
from scipy.sparse import linalg as sparse_linalg

from s2sad import rules
from s2sad.cli import import_optional
from tests.rules import test_exact, test_functionals_exact
from tests.rules.problems import SOLVED, differences, mp, table

import_optional()

pytestmark = pytest.mark.slow

ROWS, row = table()

X = np.array([0.3, -0.7, 1.2, 0.5])
Y = np.array([1.1, 0.4, -0.6, 2.3])
C = np.array([0.7, -1.3, 0.4, 1.9])
U = np.array([0.8, 1.7, 2.9])
P = np.array([0.4, 1.3, 2.2, 3.6, 5.1])
A = np.array([[2.1, 0.3, 0.4], [0.2, 1.7, -0.3], [0.6, 0.1, 2.4]])


# -- polynomials: by their roots, powers and products; the orthogonal ones as mpmath knows them


def power(k, x):
    return x**k


def hermite_e(k, x):
    return mp.hermite(k, x / mp.sqrt(2)) * mp.mpf(2) ** (-mp.mpf(k) / 2)


def laguerre(k, x):
    return mp.laguerre(k, 0, x)


def combined(basis, c, x):
    return sum((a * basis(k, x) for k, a in enumerate(c)), mp.mpf(0))


def at_each(basis):
    return lambda x, c: [combined(basis, c, v) for v in x]


def products(p, q):
    out = [mp.mpf(0)] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            out[i + j] += a * b
    return out


def from_roots(roots):
    out = [mp.mpf(1)]
    for r in roots:
        out = products(out, [-r, mp.mpf(1)])
    return out


def integral(c):
    return [mp.mpf(0), *(a / (k + 1) for k, a in enumerate(c))]


def derivative(c):
    return [k * a for k, a in enumerate(c)][1:]


def fitted(x, y, degree):
    a = mp.matrix([[v**k for k in range(degree + 1)] for v in x])
    return list(mp.lu_solve(a.T * a, a.T * mp.matrix(y)))


row("np.poly", lambda r: np.poly(r), lambda r: from_roots(r)[::-1], X)
row("np.poly1d", lambda c, x: np.poly1d(c)(x), lambda c, x: combined(power, c[::-1], x), C, 0.7)
row(
    "np.poly1d", lambda c, x: (np.poly1d(c) * np.poly1d(c[:2]) - 2.0 * np.poly1d(c)).deriv()(x),
    lambda c, x: combined(power, derivative(products(c[::-1], [c[1], c[0]])), x)
    - 2 * combined(power, derivative(c[::-1]), x), C, 0.7,
)  # fmt: skip
row("np.poly1d", lambda r, x: np.poly1d(r, True).integ()(x), lambda r, x: combined(
    power, integral(from_roots(r)), x), U, 0.7)  # fmt: skip
row("np.polynomial.polynomial.polyval", lambda x, c: series.polynomial.polyval(x, c), at_each(power), X, C)
row("np.polynomial.chebyshev.chebval", lambda x, c: series.chebyshev.chebval(x, c), at_each(mp.chebyt), X, C)
row("np.polynomial.legendre.legval", lambda x, c: series.legendre.legval(x, c), at_each(mp.legendre), X, C)
row("np.polynomial.hermite.hermval", lambda x, c: series.hermite.hermval(x, c), at_each(mp.hermite), X, C)
row("np.polynomial.hermite_e.hermeval", lambda x, c: series.hermite_e.hermeval(x, c), at_each(hermite_e), X, C)
row("np.polynomial.laguerre.lagval", lambda x, c: series.laguerre.lagval(x, c), at_each(laguerre), X, C)


def rows_of(basis):
    return lambda x: [[basis(k, v) for k in range(4)] for v in x]


row("np.polynomial.polynomial.polyvander", lambda x: series.polynomial.polyvander(x, 3), rows_of(power), X)
row("np.polynomial.chebyshev.chebvander", lambda x: series.chebyshev.chebvander(x, 3), rows_of(mp.chebyt), X)
row("np.polynomial.legendre.legvander", lambda x: series.legendre.legvander(x, 3), rows_of(mp.legendre), X)
row("np.polynomial.hermite.hermvander", lambda x: series.hermite.hermvander(x, 3), rows_of(mp.hermite), X)
row("np.polynomial.hermite_e.hermevander", lambda x: series.hermite_e.hermevander(x, 3), rows_of(hermite_e), X)
row("np.polynomial.laguerre.lagvander", lambda x: series.laguerre.lagvander(x, 3), rows_of(laguerre), X)


def polynomial(c, x):
    p = series.Polynomial(c)
    return np.array([p(x), p.deriv()(x), p.integ()(x)])


def of_powers(c, x):
    return [combined(power, p, x) for p in (c, derivative(c), integral(c))]


row("np.polynomial.polynomial.Polynomial", polynomial, of_powers, C, 0.7)
row("np.polynomial.chebyshev.Chebyshev", lambda x, c: series.Chebyshev(c)(x), at_each(mp.chebyt), X, C)
row("np.polynomial.legendre.Legendre", lambda x, c: series.Legendre(c)(x), at_each(mp.legendre), X, C)
row("np.polynomial.hermite.Hermite", lambda x, c: series.Hermite(c)(x), at_each(mp.hermite), X, C)
row("np.polynomial.hermite_e.HermiteE", lambda x, c: series.HermiteE(c)(x), at_each(hermite_e), X, C)
row("np.polynomial.laguerre.Laguerre", lambda x, c: series.Laguerre(c)(x), at_each(laguerre), X, C)
row("np.polynomial.polynomial.polyadd", lambda p, q: series.polynomial.polyadd(p, q), lambda p, q: [
    *(a + b for a, b in zip(p, q, strict=False)), p[3]], C, U)  # fmt: skip
row("np.polynomial.polynomial.polysub", lambda p, q: series.polynomial.polysub(q, p), lambda p, q: [
    *(b - a for a, b in zip(p, q, strict=False)), -p[3]], C, U)  # fmt: skip
row("np.polynomial.polynomial.polymul", lambda p, q: series.polynomial.polymul(p, q), products, C, U)
row("np.polynomial.polynomial.polymulx", lambda p: series.polynomial.polymulx(p), lambda p: [mp.mpf(0), *p], C)
row("np.polynomial.polynomial.polypow", lambda p: series.polynomial.polypow(p, 3), lambda p: products(
    p, products(p, p)), U)  # fmt: skip
row("np.polynomial.polynomial.polyder", lambda p: series.polynomial.polyder(p, 2, scl=0.5), lambda p: [
    a / 4 for a in derivative(derivative(p))], C)  # fmt: skip
row("np.polynomial.polynomial.polyint", lambda p: series.polynomial.polyint(p), integral, C)
row("np.polynomial.polynomial.polyint", lambda p, k: series.polynomial.polyint(p, 1, k=[k], lbnd=1.0)[0], lambda p, k: (
    k - sum(integral(p))), C, 0.4)  # fmt: skip
row("np.polynomial.polynomial.polyfromroots", lambda r: series.polynomial.polyfromroots(r), from_roots, X)
row("np.polynomial.polynomial.polyvalfromroots", lambda x, r: series.polynomial.polyvalfromroots(x, r), lambda x, r: [
    mp.fprod(v - s for s in r) for v in x], X, U)  # fmt: skip
row("np.polynomial.polynomial.polyroots", lambda r: series.polynomial.polyroots(series.polynomial.polyfromroots(r)),
    lambda r: list(r), U, to=SOLVED)  # fmt: skip
row("np.polynomial.polynomial.polyfit", lambda x, y: series.polynomial.polyfit(x, y, 2), lambda x, y: fitted(x, y, 2),
    X, Y, to=SOLVED)  # fmt: skip


def in_two(x, y, c):
    return sum(c[i][j] * x**i * y**j for i in range(3) for j in range(3))


row("np.polynomial.polynomial.polyval2d", lambda x, y, c: series.polynomial.polyval2d(x, y, c), lambda x, y, c: [
    in_two(v, w, c) for v, w in zip(x, y, strict=True)], X, Y, A)  # fmt: skip
row("np.polynomial.polynomial.polygrid2d", lambda x, y, c: series.polynomial.polygrid2d(x, y, c), lambda x, y, c: [
    in_two(v, w, c) for v in x for w in y], X, U, A)  # fmt: skip


# -- statistics


def mean(x):
    return mp.fsum(x) / len(x)


def covariance(x, y):
    return mp.fsum((a - mean(x)) * (b - mean(y)) for a, b in zip(x, y, strict=True)) / (len(x) - 1)


def correlation(x, y):
    return covariance(x, y) / mp.sqrt(covariance(x, x) * covariance(y, y))


def line(x, y):
    slope = covariance(x, y) / covariance(x, x)
    return [slope, mean(y) - slope * mean(x)]


def regression(x, y):
    found = statistics.linear_regression(list(x), list(y))
    return np.array([found.slope, found.intercept])


def through_zero(x, y):
    return statistics.linear_regression(list(x), list(y), proportional=True).slope


def ranks(x, y):
    return [[sum(b < a for b in v) for a in v] for v in (x, y)]


def quantiles(x, n):
    """Those of the exclusive method: at k (m + 1) / n among m."""
    x, m, out = sorted(x), len(x), []
    for k in range(1, n):
        place = min(max(mp.mpf(k * (m + 1)) / n, 1), m - mp.mpf(10) ** -30)
        low = int(place)
        out.append(x[low - 1] + (place - low) * (x[low] - x[low - 1]))
    return out


def normal(mu, sigma, x):
    d = statistics.NormalDist(mu, sigma)
    wide = d * 2.0 + 1.0
    return np.array([d.pdf(x), d.cdf(x), d.zscore(x), wide.cdf(x)])


def normal_exactly(mu, sigma, x):
    wide = mp.ncdf((x - 2 * mu - 1) / (2 * sigma))
    return [mp.npdf(x, mu, sigma), mp.ncdf((x - mu) / sigma), (x - mu) / sigma, wide]


row("statistics.correlation", lambda x, y: statistics.correlation(list(x), list(y)), correlation, X, Y)
row("statistics.covariance", lambda x, y: statistics.covariance(list(x), list(y)), covariance, X, Y)
row("statistics.linear_regression", regression, line, X, Y)
row("statistics.linear_regression", through_zero, lambda x, y: mp.fdot(x, y) / mp.fdot(x, x), X, Y)
row("statistics.geometric_mean", lambda x: statistics.geometric_mean(list(x)), lambda x: mp.fprod(x) ** (
    mp.mpf(1) / len(x)), P)  # fmt: skip
row("statistics.harmonic_mean", lambda x: statistics.harmonic_mean(list(x)), lambda x: len(x) / mp.fsum(
    1 / v for v in x), P)  # fmt: skip
row("statistics.harmonic_mean", lambda x, w: statistics.harmonic_mean(list(x), list(w)), lambda x, w: mp.fsum(
    w) / mp.fsum(b / a for a, b in zip(x, w, strict=True)), U, P[:3])  # fmt: skip
row("statistics.median", lambda x: statistics.median(list(x)), lambda x: sum(sorted(x)[1:3]) / 2, X)
row("statistics.median", lambda x: statistics.median(list(x)), lambda x: sorted(x)[1], U)
row("statistics.median_high", lambda x: statistics.median_high(list(x)), lambda x: sorted(x)[2], X)
row("statistics.median_low", lambda x: statistics.median_low(list(x)), lambda x: sorted(x)[1], X)
row("statistics.median_grouped", lambda x: statistics.median_grouped(list(x)), lambda x: sorted(x)[2] - mp.mpf(
    1) / 2 + (mp.mpf(4) / 2 - 2), X)  # fmt: skip
row("statistics.quantiles", lambda x: np.array(statistics.quantiles(list(x), n=5)), lambda x: quantiles(x, 5), P)
row("statistics.NormalDist", normal, normal_exactly, 0.4, 1.3, 0.9)
row("statistics.NormalDist", normal, normal_exactly, 0.4, 0.02, 0.61)


def density(x, p):
    """By Scott's rule: the standard deviation of a kernel is that of the sample over the fifth root of its size."""
    width = mp.sqrt(covariance(x, x)) * mp.mpf(len(x)) ** (-mp.mpf(1) / 5)
    return [mean([mp.npdf(v, center, width) for center in x]) for v in p]


row("scipy.stats.gaussian_kde", lambda x, p: stats.gaussian_kde(x)(p), density, P, U)


# -- reductions that leave out what is no number; histograms; windows

HOLES = np.array([False, True, False, False, False])


def without_holes(x):
    return sorted(v for v, hole in zip(x, HOLES, strict=True) if not hole)


def quantile(x, q):
    place = q * (len(x) - 1)
    low = min(int(place), len(x) - 2)
    return x[low] + (place - low) * (x[low + 1] - x[low])


row("np.nanmedian", lambda x: np.nanmedian(np.where(HOLES, np.nan, x)), lambda x: sum(without_holes(x)[1:3]) / 2, P)
row("np.nanquantile", lambda x: np.nanquantile(np.where(HOLES, np.nan, x), [0.2, 0.9]), lambda x: [
    quantile(without_holes(x), mp.mpf(q)) for q in (0.2, 0.9)], P)  # fmt: skip
row("np.nanpercentile", lambda x: np.nanpercentile(np.where(HOLES, np.nan, x), 35.0), lambda x: quantile(
    without_holes(x), mp.mpf("0.35")), P)  # fmt: skip


def counted(x, y, w, bins):
    """The weights of points in equal boxes."""
    places = []
    for values in (x, y):
        low, high = min(values), max(values)
        places.append([min(int((v - low) / (high - low) * bins), bins - 1) for v in values])
    out = [[mp.mpf(0)] * bins for _ in range(bins)]
    for i, j, v in zip(*places, w, strict=True):
        out[i][j] += v
    return out


def edges(x, bins):
    return [min(x) + (max(x) - min(x)) * mp.mpf(k) / bins for k in range(bins + 1)]


ACROSS, DOWN = X[[0, 1, 2, 3, 0]] + 0.01 * P, Y[[0, 3, 1, 2, 2]] + 0.02 * P
row("np.histogram2d", lambda w: np.histogram2d(ACROSS, DOWN, 3, weights=w)[0], lambda w: counted(
    [mp.mpf(v) for v in ACROSS], [mp.mpf(v) for v in DOWN], w, 3), P)  # fmt: skip
row("np.histogram2d", lambda x: np.histogram2d(x, DOWN, 3)[1], lambda x: edges(x, 3), ACROSS)
row("np.histogramdd", lambda w: np.histogramdd(np.stack([ACROSS, DOWN], axis=1), 3, weights=w)[0], lambda w: counted(
    [mp.mpf(v) for v in ACROSS], [mp.mpf(v) for v in DOWN], w, 3), P)  # fmt: skip
row("np.histogramdd", lambda x: np.histogramdd(np.stack([x, DOWN], axis=1), 3)[1][0], lambda x: edges(x, 3), ACROSS)
row("np.histogram_bin_edges", lambda x: np.histogram_bin_edges(x, 4), lambda x: edges(x, 4), X)


def kaiser(beta, n):
    places = [2 * mp.mpf(k) / (n - 1) - 1 for k in range(n)]
    return [mp.besseli(0, beta * mp.sqrt(1 - v * v)) / mp.besseli(0, beta) for v in places]


for beta in (1e-6, 0.3, 8.6, 300.0):
    row("np.kaiser", lambda beta: np.kaiser(6, beta), lambda beta: kaiser(beta, 6), beta)
for base, value in ((2.7, 0.4), (10.0, 1e200), (0.3, 0.02)):
    row("np.lib.scimath.logn", lambda n, x: np.lib.scimath.logn(n, x), lambda n, x: mp.log(x) / mp.log(n), base, value)


# -- what only moves elements


def unique(values):
    return sorted(set(values))


row("np.block", lambda a, x: np.block([[a, a * 2.0], [x, x]]), lambda a, x: [
    *([*r, *(2 * v for v in r)] for r in a), [*x, *x]], A, U)  # fmt: skip
row("np.fromiter", lambda x: np.fromiter((v * v for v in x), float), lambda x: [v * v for v in x], X)
row("np.row_stack", lambda x, y: np.row_stack([x, y]) if hasattr(np, "row_stack") else np.vstack([x, y]), lambda x, y: [
    x, y], X, Y)  # fmt: skip
row("np.ix_", lambda a: a[np.ix_([0, 2], [1, 2])], lambda a: [[a[i][j] for j in (1, 2)] for i in (0, 2)], A)
row("np.sort_complex", lambda x: np.real(np.sort_complex(x)), sorted, X)
row("np.union1d", lambda x, y: np.union1d(x, y), lambda x, y: unique([*x, *y]), X, Y)
row("np.intersect1d", lambda x: np.intersect1d(x, x[1:]), lambda x: unique(x[1:]), X)
row("np.setdiff1d", lambda x: np.setdiff1d(x, x[1:]), lambda x: x[:1], X)
row("np.setxor1d", lambda x, y: np.setxor1d(x, y), lambda x, y: unique([*x, *y]), X, Y)
if hasattr(np, "unique_all"):
    row("np.unique_all", lambda x: np.unique_all(x).values, unique, X)
    row("np.unique_counts", lambda x: np.unique_counts(x).values, unique, X)
    row("np.unique_inverse", lambda x: np.unique_inverse(x).values, unique, X)
    row("np.unique_values", lambda x: np.unique_values(x), unique, X)
if hasattr(np, "unstack"):
    row("np.unstack", lambda a: np.unstack(a, axis=1)[2], lambda a: [r[2] for r in a], A)
if hasattr(np, "astype"):
    row("np.astype", lambda x: np.astype(x, np.float64), lambda x: x, X)
row("operator.getitem", lambda x: operator.getitem(x, slice(1, 3)), lambda x: x[1:3], X)
row("operator.concat", lambda s, t: operator.concat([s], [t])[1], lambda s, t: t, 0.3, 0.7)
row("operator.iconcat", lambda s, t: operator.iconcat([s], [t])[0], lambda s, t: s, 0.3, 0.7)


def stored(x, t):
    x = x.copy()
    operator.setitem(x, 1, t * t)
    return x


row("operator.setitem", stored, lambda x, t: [x[0], t * t, *x[2:]], X, 0.7)
row("operator.call", lambda x: operator.call(np.exp, x) if hasattr(operator, "call") else np.exp(x), lambda x: [
    mp.exp(v) for v in x], X)  # fmt: skip
row("operator.iadd", lambda s, t: operator.iadd(s, t), lambda s, t: s + t, 0.3, 0.7)
row("operator.isub", lambda s, t: operator.isub(s, t), lambda s, t: s - t, 0.3, 0.7)
row("operator.imul", lambda s, t: operator.imul(s, t), lambda s, t: s * t, 0.3, 0.7)
row("operator.itruediv", lambda s, t: operator.itruediv(s, t), lambda s, t: s / t, 0.3, 0.7)
row("operator.ipow", lambda s, t: operator.ipow(s, t), lambda s, t: s**t, 0.3, 0.7)
row("operator.imod", lambda s, t: operator.imod(s, t), lambda s, t: s - t * mp.floor(s / t), 2.3, 0.7)
row("operator.ifloordiv", lambda s, t: operator.ifloordiv(s, t) * t, lambda s, t: t * mp.floor(s / t), 2.3, 0.7)


def product(a, x):
    return [mp.fdot(r, x) for r in a]


row("operator.imatmul", lambda a, b: operator.imatmul(a.copy(), b), lambda a, b: [
    [mp.fdot(r, [s[j] for s in b]) for j in range(3)] for r in a], A, A[::-1] ** 2)  # fmt: skip


# -- sparse matrices

PLACES = (np.array([0, 0, 1, 2, 2]), np.array([0, 2, 1, 0, 2]))


def dense(data):
    out = [[mp.mpf(0)] * 3 for _ in range(3)]
    for v, i, j in zip(data, *PLACES, strict=True):
        out[i][j] += v
    return out


def turned(a):
    return [list(column) for column in zip(*a, strict=True)]


def solved(a, b):
    return list(mp.lu_solve(mp.matrix(a), mp.matrix(b)))


D = np.array([2.1, 0.4, 1.7, 0.6, 2.4])
row("scipy.sparse.coo_array", lambda d, x: sparse.coo_array((d, PLACES), shape=(3, 3)) @ x, lambda d, x: product(
    dense(d), x), D, U)  # fmt: skip
row("scipy.sparse.csc_array", lambda d, x: sparse.csc_array((d, PLACES), shape=(3, 3)) @ x, lambda d, x: product(
    dense(d), x), D, U)  # fmt: skip
row("scipy.sparse.csr_array scipy.sparse.csr_array.__matmul__",
    lambda d, x: sparse.csr_array((d, PLACES), shape=(3, 3)) @ x, lambda d, x: product(dense(d), x), D, U)  # fmt: skip
row("scipy.sparse.csr_array.__rmatmul__", lambda d, x: x @ sparse.csr_array((d, PLACES), shape=(3, 3)), lambda d, x: (
    product(turned(dense(d)), x)), D, U)  # fmt: skip
row("scipy.sparse.csr_array.dot", lambda d, x: sparse.csr_array((d, PLACES), shape=(3, 3)).dot(x), lambda d, x: product(
    dense(d), x), D, U)  # fmt: skip
row("scipy.sparse.csr_array.__mul__", lambda d, x, s: (sparse.csr_array((d, PLACES), shape=(3, 3)) * s) @ x,
    lambda d, x, s: [s * v for v in product(dense(d), x)], D, U, 0.7)  # fmt: skip
row("scipy.sparse.csr_array.__rmul__", lambda d, x, s: (s * sparse.csr_array((d, PLACES), shape=(3, 3))) @ x,
    lambda d, x, s: [s * v for v in product(dense(d), x)], D, U, 0.7)  # fmt: skip
row("scipy.sparse.csr_array.__truediv__", lambda d, x, s: (sparse.csr_array((d, PLACES), shape=(3, 3)) / s) @ x,
    lambda d, x, s: [v / s for v in product(dense(d), x)], D, U, 0.7)  # fmt: skip
row("scipy.sparse.linalg.spsolve",
    lambda d, b: sparse_linalg.spsolve(sparse.csc_array((d, PLACES), shape=(3, 3)), b), lambda d, b: solved(
    dense(d), b), D, U, to=SOLVED)  # fmt: skip
COLUMNS = sparse.csc_matrix(A)
row("SuperLU.solve", lambda b: sparse_linalg.splu(COLUMNS).solve(b), lambda b: solved(
    [[mp.mpf(v) for v in r] for r in A], b), U, to=SOLVED)  # fmt: skip

#: rules that are held nowhere in higher precision, and why
NONE = {
    "np.float16": "it rounds", "np.float32": "it rounds", "np.complex64": "it rounds",
    "np.complex128": "it makes a real number complex: no function of one",
}  # fmt: skip


def test_each_rule_is_held_in_higher_precision():
    """Each public rule, by this table or by one of the others; and each of these names is one of a rule."""
    held = {name for case in ROWS.values() for name in case.rules.split()}
    known = {rule.name: rule for rule in rules.registry()}
    assert held | set(NONE) <= set(known)
    others = {*test_exact.RULES, *test_functionals_exact.of_functions(), *NONE}
    # (draws and the rules of other packages have tests of their own)
    elsewhere = ("np.random.", "tests.", "bottleneck.", "pandas.")
    missing = [
        name
        for name, rule in known.items()
        if not rule.zero and rule.partials is None and name not in held | others and not name.startswith(elsewhere)
    ]
    assert not missing, f"no row says what these are: {missing}"


@pytest.mark.sampled(4, each=False)
@pytest.mark.parametrize("name", ROWS)
def test_against_the_problem_in_higher_precision(name):
    off = differences(ROWS[name])
    assert not off, "\n".join(off)
