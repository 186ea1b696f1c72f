"""The rest of math and of the builtins: functions of numbers and of lists of numbers."""

import builtins
import math

import numpy as np

from s2sad.kinds.kind import Array
from s2sad.rules import adjoint, d, definition, elementwise, tangent


@elementwise(math.erf)
def erf(y, x):
    return 1.1283791670955126 * exp(-x * x)


@elementwise(math.erfc)
def erfc(y, x):
    return -1.1283791670955126 * exp(-x * x)


@elementwise(math.gamma)
def gamma(y, x):
    """Through the digamma function."""
    return y * digamma_of(x)


@elementwise(math.lgamma)
def lgamma(y, x):
    """Through the digamma function."""
    return digamma_of(x)


@elementwise(math.fmod, math.remainder)
def remainder(y, a, b):
    """At the jumps the derivative from the side where the quotient is constant."""
    return 1.0, (y - a) / b


@elementwise(math.ldexp, np.ldexp)
def ldexp(y, x, i):
    return ldexp(1.0, i)


@adjoint(math.modf, np.modf)
def modf(y, x):
    """The integral part is piecewise constant."""
    d[x] = d[y[0]]


@tangent(math.modf, np.modf)
def modf(y, x):
    d[y] = (d[x], 0.0)


@adjoint(math.frexp, np.frexp)
def frexp(y, x):
    """The exponent is piecewise constant."""
    d[x] = np.ldexp(d[y[0]], -y[1])


@tangent(math.frexp, np.frexp)
def frexp(y, x):
    d[y] = (np.ldexp(d[x], -y[1]), 0.0)


if hasattr(math, "cbrt"):

    @elementwise(math.cbrt)
    def cbrt(y, x):
        """At 0 the derivative is infinite: ZeroDivisionError."""
        return 1.0 / (3.0 * y * y)

    @elementwise(math.exp2)
    def exp2(y, x):
        return y * 0.6931471805599453


if hasattr(math, "fma"):

    @elementwise(math.fma)
    def fma(y, a, b, c):
        return b, a, 1.0


@adjoint(math.hypot)
def hypot(y, *coordinates):
    """0 at the origin."""
    for x in coordinates:
        d[x] = d[y] * x / (y or 1.0)


@tangent(math.hypot)
def hypot(y, *coordinates):
    d[y] = inner_products(coordinates, d[coordinates]) / (y or 1.0)


@adjoint(math.dist)
def dist(y, p, q):
    """0 where the points are the same."""
    d[p] = difference_parts(d[y] / (y or 1.0), p, q)
    d[q] = difference_parts(d[y] / (y or 1.0), q, p)


@tangent(math.dist)
def dist(y, p, q):
    d[y] = difference_products(p, q, d[p]) / (y or 1.0) + difference_products(q, p, d[q]) / (y or 1.0)


@adjoint(builtins.sum, lazy=True)
def sum(y, iterable, start=0):
    d[iterable] = spread(d[y], iterable)
    d[start] = fitted(d[y], y, start)


@tangent(builtins.sum)
def sum(y, iterable, start=0):
    d[y] = total_of(d[iterable]) + d[start]


@adjoint(math.fsum)
def fsum(y, seq):
    d[seq] = spread(d[y], seq)


@tangent(math.fsum)
def fsum(y, seq):
    d[y] = total_of(d[seq])


@adjoint(math.prod)
def prod(y, iterable, /, *, start=1):
    """Right where factors are zero."""
    d[iterable] = other_products(d[y], iterable, start)
    d[start] = start_product(d[y], iterable)


@tangent(math.prod)
def prod(y, iterable, /, *, start=1):
    d[y] = product_tangent(d[iterable], d[start], iterable, start)


if hasattr(math, "sumprod"):

    @adjoint(math.sumprod)
    def sumprod(y, p, q):
        d[p] = scaled_items(d[y], q)
        d[q] = scaled_items(d[y], p)

    @tangent(math.sumprod)
    def sumprod(y, p, q):
        d[y] = inner_products(q, d[p]) + inner_products(p, d[q])


@adjoint(builtins.max, builtins.min, selects=True)
def max(y, *args):
    """Those that are extreme share evenly."""
    for x in choices_of(args):
        d[x] = share_of(d[y], x, args, y)


@tangent(builtins.max, builtins.min, selects=True)
def max(y, *args):
    d[y] = share_tangent(tangents_of(args), args, y)


@adjoint(complex)
def complex_(y, real=0, imag=0):
    d[real] = np.real(d[y])
    d[imag] = -np.imag(d[y])


@tangent(complex)
def complex_(y, real=0, imag=0):
    d[y] = d[real] + 1j * d[imag]


# -- math --------------------------------------------------------------------------------------------------------------


@elementwise(math.nextafter)
def nextafter(y, x, towards):
    return 1.0, 0.0


def _of_array(name):
    return lambda call: isinstance(call.kind(name), Array)


@definition(math.dist, when=_of_array("p"))
def dist(p, q):
    """0 where the points are the same."""
    return float(np.linalg.norm(p - q))


@definition(math.prod, when=_of_array("iterable"))
def prod(iterable, *, start=1):
    return start * np.prod(iterable)


if hasattr(math, "sumprod"):

    @definition(math.sumprod, when=_of_array("p"))
    def sumprod(p, q):
        return float(np.dot(p, q))
