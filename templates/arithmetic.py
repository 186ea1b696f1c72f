"""Operators, on numbers and arrays, and the ufuncs that they stand for."""

import operator

import numpy as np

from s2sad.rules import adjoint, d, definition, elementwise, tangent, zero
from s2sad.transform.fused import reciprocal_of_one_plus_exp


@elementwise(operator.add, np.add)
def add(y, a, b):
    return 1.0, 1.0


@elementwise(operator.sub, np.subtract)
def subtract(y, a, b):
    return 1.0, -1.0


@elementwise(operator.mul, np.multiply)
def multiply(y, a, b):
    return b, a


@elementwise(operator.truediv, np.divide)
def divide(y, a, b):
    return 1.0 / b, -y / b


@elementwise(reciprocal_of_one_plus_exp)
def logistic(y, u):
    """Of the result alone: what it was made of is not kept."""
    return -y * (1.0 - y)


@elementwise(operator.neg, np.negative)
def negative(y, a):
    return -1.0


@elementwise(operator.pos, np.positive)
def positive(y, a):
    return 1.0


@elementwise(operator.pow, np.power, np.float_power)
def power(y, x, p):
    """x**0 has derivative 0, also at x = 0. 0**p has derivative 0 with respect to p."""
    return power_in_base(y, x, p), power_in_exponent(y, x) if active(p) else None


@elementwise(pow)
def builtin_pow(y, base, exp, mod=None):
    """As for **; with a modulus there is no derivative."""
    return power_in_base(y, base, exp), power_in_exponent(y, base) if active(exp) else None


@elementwise(operator.mod, np.remainder)
def remainder(y, a, b):
    """At the jumps the derivative from the side where the quotient is constant."""
    return 1.0, -(a // b)


@elementwise(np.fmod)
def fmod(y, a, b):
    """At the jumps the derivative from the side where the quotient is constant."""
    return 1.0, -np.rint((a - y) / b)


@elementwise(operator.abs, abs, np.absolute, np.fabs)
def absolute(y, x):
    """abs'(0) = 0. For complex x: conj(x) / |x|."""
    return sign_of(x, y)


@adjoint(divmod, np.divmod)
def divmod_(y, a, b):
    """The quotient is piecewise constant."""
    d[a] = fitted(d[y[1]], y[1], a)
    d[b] = fitted(-y[0] * d[y[1]], y[1], b)


@tangent(divmod, np.divmod)
def divmod_(y, a, b):
    d[y] = (0.0, d[a] - y[0] * d[b])


zero(operator.floordiv, np.floor_divide)
zero(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.not_, operator.truth)
zero(operator.is_, operator.is_not, operator.contains, operator.index)
zero(operator.and_, operator.or_, operator.xor, operator.invert, operator.lshift, operator.rshift)
zero(np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal)
zero(np.logical_and, np.logical_or, np.logical_xor, np.logical_not)
zero(np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.invert, np.left_shift, np.right_shift, np.gcd, np.lcm)


# -- operator ----------------------------------------------------------------------------------------------------------


@definition(operator.getitem)
def getitem(a, b):
    return a[b]


@definition(operator.concat)
def concat(a, b):
    return a + b


@definition(operator.iadd, operator.iconcat)
def iadd(a, b):
    a += b
    return a


@definition(operator.isub)
def isub(a, b):
    a -= b
    return a


@definition(operator.imul)
def imul(a, b):
    a *= b
    return a


@definition(operator.itruediv)
def itruediv(a, b):
    a /= b
    return a


@definition(operator.ipow)
def ipow(a, b):
    a **= b
    return a


@definition(operator.imod)
def imod(a, b):
    a %= b
    return a


@definition(operator.ifloordiv)
def ifloordiv(a, b):
    a //= b
    return a


@definition(operator.imatmul)
def imatmul(a, b):
    a @= b
    return a


@definition(operator.setitem)
def setitem(a, b, c):
    a[b] = c


if hasattr(operator, "call"):

    @definition(operator.call)
    def call(obj, *args, **kwargs):
        return obj(*args, **kwargs)


zero(operator.countOf, operator.indexOf, operator.length_hint, operator.inv)
zero(operator.iand, operator.ior, operator.ixor, operator.ilshift, operator.irshift)
