"""Histograms and windows."""

import builtins

import numpy as np

from s2sad.kinds import known
from s2sad.kinds.kind import Array
from s2sad.rules import adjoint, d, definition, linear, tangent, zero
from s2sad.runtime.helpers import bins_of

zero(bins_of)


@known.rule(bins_of)
def bins_kind(args, kwargs):
    """A number for each element."""
    shape = known.shape_of(args[0])
    return None if shape is None else Array(np.dtype(np.intp), shape)


@linear(np.bincount)
def bincount(y, x, weights=None, minlength=0):
    d[weights] = d[y][x]


# -- cumulative, polynomials, histograms -------------------------------------------------------------------------------


@adjoint(np.histogram)
def histogram(y, a, bins=10, range=None, density=None, weights=None):
    """In the weights."""
    if range is None and np.ndim(bins) == 0:
        edges = np.histogram_bin_edges(a, bins)  # a fraction of the time that the counts take, which may not be needed
        d[weights] = d[y[0]][bins_of(a, edges)]
    else:
        own = d[y[0]][np.searchsorted(y[1][1:-1], a, "right")]
        d[weights] = np.where((a >= y[1][0]) & (a <= y[1][-1]), own, 0.0)


@tangent(np.histogram)
def histogram(y, a, bins=10, range=None, density=None, weights=None):
    d[y] = (np.histogram(a, y[1], weights=d[weights])[0], 0.0)


# -- statistics --------------------------------------------------------------------------------------------------------


@definition(np.histogram, given=("density",))
def histogram(a, bins=10, range=None, density=None, weights=None):
    counts, edges = np.histogram(a, bins, range, weights=weights)
    return (counts / np.sum(counts) / np.diff(edges) if density else counts), edges


# -- histograms, windows -----------------------------------------------------------------------------------------------


def bin_edges(x, bins, range):
    """The edges of the bins along one axis: given, or of a number of bins from the smallest element to the largest."""
    if not isinstance(bins, (int, np.integer)):
        return np.asarray(bins)
    if range is not None:
        return np.linspace(range[0], range[1], bins + 1)
    first, last = np.min(x), np.max(x)
    if first == last:
        first, last = first - 0.5, last + 0.5
    return np.linspace(first, last, bins + 1)


@definition(np.histogram2d)
def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    """In the weights, and in the points the edges: the counts are piecewise constant in the points."""
    if density:
        raise NoDerivative("np.histogram2d with density", "divide by the sum and the areas")
    pair = bins if not isinstance(bins, (int, np.integer)) and len(bins) == 2 else (bins, bins)
    across, up = (None, None) if range is None else (range[0], range[1])
    columns, rows = bin_edges(x, pair[0], across), bin_edges(y, pair[1], up)
    across = np.clip(np.searchsorted(columns, x, side="right") - 1, 0, np.size(columns) - 2)
    up = np.clip(np.searchsorted(rows, y, side="right") - 1, 0, np.size(rows) - 2)
    inside = (x >= columns[0]) & (x <= columns[-1]) & (y >= rows[0]) & (y <= rows[-1])
    total = np.zeros((np.size(columns) - 1) * (np.size(rows) - 1))
    at = (across * (np.size(rows) - 1) + up)[inside]
    np.add.at(total, at, 1.0 if weights is None else np.asarray(weights)[inside])
    return np.reshape(total, (np.size(columns) - 1, np.size(rows) - 1)), columns, rows


@definition(np.histogramdd)
def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    """In the weights, and in the points the edges: the counts are piecewise constant in the points."""
    if density:
        raise NoDerivative("np.histogramdd with density", "divide by the sum and the volumes")
    if isinstance(sample, (list, tuple)):  # of arrays: one for each axis
        sample = np.stack(sample, axis=-1)
    several = not isinstance(bins, (int, np.integer))
    at, inside = np.zeros(np.shape(sample)[0], dtype=int), np.ones(np.shape(sample)[0], dtype=bool)
    edges, shape = [], []
    for k in builtins.range(np.shape(sample)[1]):
        x = sample[:, k]
        edge = bin_edges(x, bins[k] if several else bins, None if range is None else range[k])
        at = at * (np.size(edge) - 1) + np.clip(np.searchsorted(edge, x, side="right") - 1, 0, np.size(edge) - 2)
        inside = inside & (x >= edge[0]) & (x <= edge[-1])
        edges.append(edge)
        shape.append(np.size(edge) - 1)
    total = np.zeros(np.prod(np.array(shape)))
    np.add.at(total, at[inside], 1.0 if weights is None else np.asarray(weights)[inside])
    return np.reshape(total, tuple(shape)), tuple(edges)


@definition(np.histogram_bin_edges)
def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """Of a number of bins: from the smallest element to the largest."""
    if not isinstance(bins, int) or range is not None:
        raise NoDerivative("np.histogram_bin_edges in this form", "give the number of bins, and no range")
    return np.linspace(np.min(a), np.max(a), bins + 1)


@definition(np.kaiser)
def kaiser(M, beta):
    """In beta."""
    t = (2.0 * np.arange(M) - (M - 1)) / (M - 1)
    return np.i0(beta * np.sqrt(np.maximum(1.0 - t * t, 0.0))) / np.i0(beta)


@definition(np.fft.fftfreq, active=("d",))
def fftfreq(n, d=1.0):
    return np.fft.fftfreq(n) / d


@definition(np.fft.rfftfreq, active=("d",))
def rfftfreq(n, d=1.0):
    return np.fft.rfftfreq(n) / d
