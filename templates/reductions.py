"""Sums, means, products, extrema, variances, and their cumulative forms."""

import numpy as np

from s2sad.rules import adjoint, d, linear, tangent


@linear(np.sum, lazy=True)
def sum(y, a, axis=None, dtype=None, out=None, keepdims=False):
    d[a] = expand_reduced(d[y], a, axis, keepdims)


@linear(np.mean, lazy=True)
def mean(y, a, axis=None, dtype=None, out=None, keepdims=False):
    d[a] = expand_reduced(d[y] / count(a, axis), a, axis, keepdims)
