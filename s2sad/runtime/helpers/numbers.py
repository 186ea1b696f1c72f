"""Slopes of functions of one number that NumPy does not have, and conditions of solutions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def sides_of_bounds(a: Any, b: Any, low: Any, high: Any) -> Any:
    """-1, 0 or 1: which unknowns of a bounded least-squares problem are at their lower bound, inside, at the upper.

    By the method that ends on bounds and not beside them, of columns of length 1: its tolerance is no relative one.

    >>> sides_of_bounds(np.eye(2), np.array([0.5, 2.0]), 0.0, 1.0)
    array([0, 1])
    """
    from scipy.optimize import lsq_linear

    lengths = np.linalg.norm(a, axis=0)
    lengths[lengths == 0.0] = 1.0
    size = np.linalg.norm(b) or 1.0
    scale = lengths / size
    found = lsq_linear(a / lengths, b / size, (low * scale, high * scale), "bvls", 1e-14, max_iter=10 * len(scale))
    free = found.active_mask == 0
    if not np.all(free) and np.linalg.matrix_rank(a * free) < np.sum(free):
        raise np.linalg.LinAlgError("the equations do not determine the unknowns that are at no bound: no derivative")
    return found.active_mask.astype(int)


def digamma(x: Any) -> Any:
    """The logarithmic derivative of the gamma function, by recurrence and asymptotic series.

    >>> round(float(digamma(1.0)), 12)
    -0.577215664902
    """
    reflected = x < 0.5
    z = np.where(reflected, 1.0 - x, x)
    total = np.zeros(np.shape(x))
    for _ in range(8):
        total = total - np.where(z < 8.0, 1.0 / z, 0.0)
        z = np.where(z < 8.0, z + 1.0, z)
    w = 1.0 / (z * z)
    series = w * (
        1.0 / 12.0
        - w
        * (1.0 / 120.0 - w * (1.0 / 252.0 - w * (1.0 / 240.0 - w * (1.0 / 132.0 - w * (691.0 / 32760.0 - w / 12.0)))))
    )
    total = total + np.log(z) - 0.5 / z - series
    slope = np.tan(np.pi * np.where(reflected, x, 0.25))
    total = np.where(reflected, total - np.pi / slope, total)
    return total if np.ndim(x) else float(total)


def bessel_i1(x: Any) -> Any:
    """The modified Bessel function of the first kind of order 1: np.i0 times the continued fraction of their quotient.

    >>> round(float(bessel_i1(1.0)), 12)
    0.565159103992
    """
    steps = 12 + int(np.sqrt(40.0 * np.max(np.minimum(np.abs(x), 750.0), initial=0.0)))
    quotient: Any = 0.0
    for k in range(steps, 0, -1):
        quotient = x / (2.0 * k + x * quotient)
    return (np.i0(x) * quotient).astype(np.result_type(x))


def bessel_i1_slope(x: Any) -> Any:
    """The derivative of bessel_i1: np.i0(x) - bessel_i1(x) / x without division by x.

    >>> bessel_i1_slope(np.array([0.0, 1.0])).round(8)
    array([0.5       , 0.70090677])
    """
    steps = 12 + int(np.sqrt(40.0 * np.max(np.minimum(np.abs(x), 750.0), initial=0.0)))
    quotient: Any = 0.0
    for k in range(steps, 1, -1):
        quotient = x / (2.0 * k + x * quotient)
    return (np.i0(x) * (1.0 - 1.0 / (2.0 + x * quotient))).astype(np.result_type(x))


def regular(jacobian: Any, x: Any = None, residual: Any = None) -> Any:
    """The Jacobian of equations at their solution x, where the implicit function theorem holds there.

    The Hessian of what is minimised is one. At a kink or a jump there is a residual, and Newton's step leads away.

    >>> regular(np.eye(2), np.ones(2), np.zeros(2))
    array([[1., 0.],
           [0., 1.]])
    """
    right = np.zeros(len(np.atleast_1d(jacobian))) if residual is None else np.atleast_1d(residual)
    try:
        step = np.linalg.solve(np.atleast_2d(jacobian), right)
    except np.linalg.LinAlgError:
        words = "the Jacobian at the solution (the Hessian at the minimum) is singular: there is no derivative here"
        raise np.linalg.LinAlgError(words) from None
    if residual is not None and np.any(np.abs(step) > 1e-3 * (1.0 + np.abs(x))):
        raise np.linalg.LinAlgError("the solution lies at a kink or a jump: the formula for its derivative fails here")
    return jacobian


def sinc_slope(x: Any, order: int = 1) -> Any:
    """A derivative of np.sinc: near 0 by the power series, elsewhere by those of sin(pi x) = pi x sinc(x).

    >>> [float(abs(sinc_slope(x))) for x in (0.0, 1.0)], round(float(sinc_slope(0.0, 2)), 12)
    ([0.0, 1.0], -3.289868133696)
    """
    t = np.pi * np.asarray(x)
    near = np.abs(t) < order
    small, t = np.where(near, t, 0.0), np.where(near, 1.0, t)
    series: Any = 0.0
    first = (order + 1) // 2
    for k in range(first + 9 + order, first - 1, -1):
        series = (-1.0) ** k / ((2 * k + 1) * math.factorial(2 * k - order)) + small * small * series
    slope = np.sin(t) / t
    for n in range(1, order + 1):
        slope = ((-1.0) ** (n // 2) * (np.cos(t) if n % 2 else np.sin(t)) - n * slope) / t
    slope = np.pi**order * np.where(near, small ** (order % 2) * series, slope)
    return slope.astype(np.result_type(x))[()]
