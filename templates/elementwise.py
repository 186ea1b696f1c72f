"""Functions of one number at a time: math and NumPy's universal functions."""

import cmath
import math

import numpy as np

from s2sad.rules import adjoint, d, definition, elementwise, linear, tangent, zero

# -- powers, exponentials, logarithms ----------------------------------------------------------------------------------


@elementwise(np.exp, math.exp, cmath.exp)
def exp(y, x):
    return y


@elementwise(np.expm1, math.expm1)
def expm1(y, x):
    return y + 1.0


@elementwise(np.exp2)
def exp2(y, x):
    return y * 0.6931471805599453


@elementwise(np.log)
def log(y, x):
    return 1.0 / x


@elementwise(math.log, cmath.log)
def log(y, x, base=None):
    if base is None:
        return 1.0 / x
    return 1.0 / (x * log(base)), -y / (base * log(base))


@elementwise(np.log2, math.log2)
def log2(y, x):
    return 1.4426950408889634 / x


@elementwise(np.log10, math.log10, cmath.log10)
def log10(y, x):
    return 0.4342944819032518 / x


@elementwise(np.log1p, math.log1p)
def log1p(y, x):
    return 1.0 / (1.0 + x)


@elementwise(np.sqrt, math.sqrt, cmath.sqrt)
def sqrt(y, x):
    """At 0 the derivative is infinite: NumPy says inf, math raises ZeroDivisionError."""
    return 0.5 / y


@elementwise(np.emath.sqrt)
def emath_sqrt(y, x):
    """Complex where x is negative. At 0 the derivative is infinite."""
    return 0.5 / y


@elementwise(np.emath.log)
def emath_log(y, x):
    """Complex where x is negative."""
    return 1.0 / x


@elementwise(np.emath.log2)
def emath_log2(y, x):
    """Complex where x is negative."""
    return 1.0 / (math.log(2.0) * x)


@elementwise(np.emath.log10)
def emath_log10(y, x):
    """Complex where x is negative."""
    return 1.0 / (math.log(10.0) * x)


@elementwise(np.emath.arcsin)
def emath_arcsin(y, x):
    """Complex outside [-1, 1]: in terms of y, which is of one branch. At -1 and 1 the derivative is infinite."""
    return 1.0 / np.cos(y)


@elementwise(np.emath.arccos)
def emath_arccos(y, x):
    """Complex outside [-1, 1]: in terms of y, which is of one branch. At -1 and 1 the derivative is infinite."""
    return -1.0 / np.sin(y)


@elementwise(np.emath.arctanh)
def emath_arctanh(y, x):
    """Complex outside [-1, 1]."""
    return 1.0 / (1.0 - x * x)


@elementwise(np.emath.power)
def emath_power(y, x, p):
    """Complex where x is negative. At 0 as **."""
    return p * np.emath.power(base_of_power(x, p), p - 1.0), y * np.emath.log(nonzero(x)) if active(p) else None


@definition(np.emath.logn)
def logn(n, x):
    return np.emath.log(x) / np.emath.log(n)


@elementwise(np.cbrt)
def cbrt(y, x):
    """At 0 the derivative is infinite."""
    return 1.0 / (3.0 * y * y)


@elementwise(np.square)
def square(y, x):
    return 2.0 * x


@elementwise(np.reciprocal)
def reciprocal(y, x):
    return -y * y


@elementwise(math.pow)
def pow(y, x, p):
    """x**0 has derivative 0, also at x = 0. 0**p has derivative 0 with respect to p."""
    return power_in_base(y, x, p), power_in_exponent(y, x) if active(p) else None


@elementwise(np.logaddexp)
def logaddexp(y, a, b):
    return exp(a - y), exp(b - y)


@elementwise(np.logaddexp2)
def logaddexp2(y, a, b):
    return exp2(a - y), exp2(b - y)


# -- trigonometric and hyperbolic --------------------------------------------------------------------------------------


@elementwise(np.sin, math.sin, cmath.sin)
def sin(y, x):
    return cos(x)


@elementwise(np.cos, math.cos, cmath.cos)
def cos(y, x):
    return -sin(x)


@elementwise(np.tan, math.tan, cmath.tan)
def tan(y, x):
    return 1.0 + y * y


@elementwise(np.arcsin)
def arcsin(y, x):
    """At -1 and 1 the derivative is infinite."""
    return 1.0 / sqrt(1.0 - x * x)


@elementwise(math.asin, cmath.asin)
def asin(y, x):
    """At -1 and 1 the derivative is infinite: ZeroDivisionError."""
    return 1.0 / sqrt(1.0 - x * x)


@elementwise(np.arccos)
def arccos(y, x):
    """At -1 and 1 the derivative is infinite."""
    return -1.0 / sqrt(1.0 - x * x)


@elementwise(math.acos, cmath.acos)
def acos(y, x):
    """At -1 and 1 the derivative is infinite: ZeroDivisionError."""
    return -1.0 / sqrt(1.0 - x * x)


@elementwise(np.arctan, math.atan, cmath.atan)
def arctan(y, x):
    return 1.0 / (1.0 + x * x)


@elementwise(np.arctan2, math.atan2)
def arctan2(y, a, b):
    """At (0, 0) there is no derivative. Divided twice, as the square of r leaves the range before its root does."""
    r = hypot(a, b)
    return b / r / r, -a / r / r


@elementwise(np.sinh, math.sinh, cmath.sinh)
def sinh(y, x):
    return cosh(x)


@elementwise(np.cosh, math.cosh, cmath.cosh)
def cosh(y, x):
    return sinh(x)


@elementwise(np.tanh, math.tanh, cmath.tanh)
def tanh(y, x):
    return 1.0 - y * y


@elementwise(np.arcsinh, math.asinh, cmath.asinh)
def arcsinh(y, x):
    if maybe_complex(x):
        return 1.0 / sqrt(x * x + 1.0)
    return 1.0 / hypot(x, 1.0)


@elementwise(np.arccosh, math.acosh, cmath.acosh)
def arccosh(y, x):
    """At 1 the derivative is infinite."""
    return 1.0 / (sqrt(x - 1.0) * sqrt(x + 1.0))


@elementwise(np.arctanh, math.atanh, cmath.atanh)
def arctanh(y, x):
    return 1.0 / (1.0 - x * x)


@elementwise(np.degrees, np.rad2deg, math.degrees)
def degrees(y, x):
    return 57.29577951308232


@elementwise(np.radians, np.deg2rad, math.radians)
def radians(y, x):
    return 0.017453292519943295


@elementwise(np.hypot)
def hypot(y, a, b):
    """At (0, 0) the derivative is 0."""
    return a / nonzero(y), b / nonzero(y)


# -- extrema, selection, signs -----------------------------------------------------------------------------------------


@adjoint(np.maximum, np.minimum, np.fmax, np.fmin, broadcasts=True, selects=True)
def maximum(y, a, b):
    """Where both are equal each gets half."""
    g = choice(a, b, y, d[y])
    d[a] = g
    d[b] = rest_of_choice(a, b, y, d[y], g)


@tangent(np.maximum, np.minimum, np.fmax, np.fmin, broadcasts=True, selects=True)
def maximum(y, a, b):
    d[y] = choice(a, b, y, d[a]) + choice(b, a, y, d[b])


@adjoint(np.where, broadcasts=True, selects=True)
def where(y, condition, a, b):
    """The branch that is not taken contributes nothing, be it nan."""
    d[a] = np.where(condition, d[y], 0.0)
    d[b] = np.where(condition, 0.0, d[y])


@tangent(np.where, broadcasts=True, selects=True)
def where(y, condition, a, b):
    d[y] = np.where(condition, or_zero(d[a]), or_zero(d[b]))


@elementwise(math.fabs)
def fabs(y, x):
    """abs'(0) = 0."""
    return sign_of(x, y)


@elementwise(np.copysign, math.copysign)
def copysign(y, a, b):
    """At a = 0 the derivative is that of the side of the sign of b."""
    return copysign(1.0, a) * copysign(1.0, b), 0.0


@adjoint(np.nan_to_num, selects=True)
def nan_to_num(y, x, copy=True, nan=0.0, posinf=None, neginf=None):
    """The derivative is 0 where x was replaced, be its slope nan."""
    d[x] = np.where(np.isfinite(x), d[y], 0.0)


@tangent(np.nan_to_num, selects=True)
def nan_to_num(y, x, copy=True, nan=0.0, posinf=None, neginf=None):
    d[y] = np.where(np.isfinite(x), d[x], 0.0)


@elementwise(np.sinc)
def sinc(y, x):
    return helper("sinc_slope", y, x)


zero(math.ceil, math.floor, math.trunc, math.isfinite, math.isinf, math.isnan, math.isclose, math.gcd, math.lcm)
zero(math.factorial, math.comb, math.perm, math.isqrt, math.ulp)


if np.lib.NumpyVersion(np.__version__) >= "2.0.0":  # the sign of the real part before

    @definition(np.sign, when=lambda call: call.is_complex("x"))
    def sign(x):
        """0 for real x."""
        r = np.abs(x)
        return x / np.where(r == 0.0, 1.0, r)


zero(np.sign, np.floor, np.ceil, np.trunc, np.rint, np.round, np.around, np.fix, np.signbit)
zero(np.isfinite, np.isinf, np.isnan, np.isclose, np.allclose, np.array_equal, np.isreal, np.iscomplex)


# -- complex -----------------------------------------------------------------------------------------------------------


@linear(np.conjugate)
def conjugate(y, x):
    d[x] = np.conj(d[y])


@linear(np.real, permutes=False)
def real(y, val):
    d[val] = d[y]


@linear(np.real_if_close)
def real_if_close(y, a, tol=100):
    """Of real arguments: whether the result of others is real depends on the values."""
    real_only(a)
    d[a] = d[y]


@linear(np.imag)
def imag(y, val):
    d[val] = -1j * d[y] if maybe_complex(val) else 0.0


@adjoint(np.angle)
def angle(y, z, deg=False):
    """At 0 there is no derivative; of a real number it is 0."""
    d[z] = angle_slope(z, deg) * d[y]


@tangent(np.angle)
def angle(y, z, deg=False):
    d[y] = np.real(angle_slope(z, deg) * d[z])


zero(cmath.isfinite, cmath.isinf, cmath.isnan, cmath.isclose)


# -- cmath -------------------------------------------------------------------------------------------------------------


@adjoint(cmath.phase)
def phase(y, z, /):
    """At 0 there is no derivative."""
    d[z] = d[y] * (-1j / z)


@tangent(cmath.phase)
def phase(y, z, /):
    d[y] = (-1j / z * d[z]).real


@adjoint(cmath.polar)
def polar(y, z, /):
    """At 0 there is no derivative."""
    d[z] = d[y[0]] * z.conjugate() / y[0] + d[y[1]] * (-1j / z)


@tangent(cmath.polar)
def polar(y, z, /):
    d[y] = ((z.conjugate() / y[0] * d[z]).real, (-1j / z * d[z]).real)


@adjoint(cmath.rect)
def rect(y, r, phi, /):
    d[r] = (d[y] * exp(1j * phi)).real
    d[phi] = (1j * d[y] * y).real


@tangent(cmath.rect)
def rect(y, r, phi, /):
    d[y] = exp(1j * phi) * d[r] + 1j * y * d[phi]
