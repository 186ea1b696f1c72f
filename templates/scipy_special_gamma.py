"""Special functions: the gamma family, error functions and the normal distribution."""

import numpy as np
from scipy import special

from s2sad.rules import definition, elementwise
from s2sad.runtime import helpers

# -- the gamma family --------------------------------------------------------------------------------------------------


@elementwise(special.gamma)
def gamma(y, z):
    return y * special.psi(z)


@elementwise(special.gammaln, special.loggamma)
def gammaln(y, z):
    return special.psi(z)


@elementwise(special.rgamma)
def rgamma(y, z):
    return helper("rgamma_slope", y, y, z)


@elementwise(helpers.rgamma_slope)
def rgamma_slope(s, y, z):
    """With y, which is what it is of z."""
    return 0.0, helper("rgamma_curve", s, s, y, z)


@definition(helpers.rgamma_curve)
def rgamma_curve(s, y, z):
    """Away from the poles of gamma: at them its own derivative is nan."""
    return -s * special.psi(z) - y * helpers.trigamma(z)


@elementwise(special.psi)
def psi(y, z):
    """Of arrays by recurrence and asymptotic series (DLMF 5.15): SciPy's polygamma takes twenty-five times the time."""
    return special.polygamma(1, z) if is_scalar(z) and not is_complex(z) else helper("trigamma", y, z)


@elementwise(helpers.trigamma)
def trigamma(y, x):
    if is_complex(x):
        raise NoDerivative("SciPy has no polygamma functions of complex numbers", "take real arguments")
    return special.polygamma(2, x)


@elementwise(special.polygamma)
def polygamma(y, n, x):
    return None, special.polygamma(n + 1, x)


@elementwise(special.poch)
def poch(y, z, m):
    """As betaln; also where the result is 0."""
    return helper("poch_slope", y, y, z, m), y * special.psi(z + m)


@elementwise(helpers.poch_slope)
def poch_slope(s, y, z, m):
    """With y, which is what it is of z and m."""
    total = z + m
    return 0.0, helper("poch_curve", s, s, y, z, m), s * special.psi(total) + y * helper("trigamma", y, total)


@definition(helpers.poch_curve)
def poch_curve(s, y, z, m):
    """Away from the poles of gamma."""
    return s * helpers.psi_increase(z, m) + y * (helpers.trigamma(z + m) - helpers.trigamma(z))


@elementwise(special.beta)
def beta(y, a, b):
    """As betaln."""
    return -y * helper("psi_increase", y, a, b), -y * helper("psi_increase", y, b, a)


@elementwise(special.betaln)
def betaln(y, a, b):
    """The difference of two psi is made without cancellation."""
    return -helper("psi_increase", y, a, b), -helper("psi_increase", y, b, a)


@elementwise(special.binom)
def binom(y, n, k):
    """As poch."""
    return helper("binom_slope", y, y, n, k, False), helper("binom_slope", y, y, n, k, True)


@elementwise(helpers.binom_slope)
def binom_slope(s, y, n, k, of_k):
    """With y, which is what it is of n and k."""
    of_n, of_other = helper("binom_curve", s, s, y, n, k, of_k, False), helper("binom_curve", s, s, y, n, k, of_k, True)
    return 0.0, of_n, of_other, None


@definition(helpers.binom_curve)
def binom_curve(s, y, n, k, of_k, in_k):
    """Away from the poles of gamma."""
    change = helpers.psi_increase(k + 1.0, n - 2.0 * k) if in_k else helpers.psi_increase(n - k + 1.0, k)
    bend = helpers.trigamma(n - k + 1.0)
    if of_k and in_k:
        return s * change - y * (bend + helpers.trigamma(k + 1.0))
    return s * change + y * (bend if of_k or in_k else helpers.trigamma(n + 1.0) - bend)


@elementwise(helpers.psi_increase)
def psi_increase(y, b, a):
    above = helper("trigamma", y, a + b)
    return above - helper("trigamma", y, b), above


@elementwise(special.gammainc)
def gammainc(y, a, x):
    """In the parameter by differentiating the power series and the continued fraction, to second order."""
    return helper("gammainc_slope", y, a, x), np.exp((a - 1.0) * np.log(x) - x - special.gammaln(a))


@elementwise(special.gammaincc)
def gammaincc(y, a, x):
    """As gammainc."""
    return -helper("gammainc_slope", y, a, x), -np.exp((a - 1.0) * np.log(x) - x - special.gammaln(a))


@elementwise(special.gammaincinv)
def gammaincinv(y, a, p):
    """As gammainc."""
    width = np.exp(y - (a - 1.0) * np.log(y) + special.gammaln(a))
    return -helper("gammainc_slope", y, a, y) * width, width


@elementwise(special.gammainccinv)
def gammainccinv(y, a, p):
    """As gammainc."""
    width = np.exp(y - (a - 1.0) * np.log(y) + special.gammaln(a))
    return -helper("gammainc_slope", y, a, y) * width, -width


@elementwise(helpers.gammainc_slope)
def gammainc_slope(y, a, x, order=1):
    if order == 2:
        raise NoDerivative("its third derivative in the parameter has no rule")
    density = np.exp((a - 1.0) * np.log(x) - x - special.gammaln(a))
    return helper("gammainc_slope", y, a, x, 2), density * (np.log(x) - special.psi(a)), None


@elementwise(special.betainc)
def betainc(y, a, b, x):
    """In the parameters by differentiating the continued fraction, to second order."""
    density = np.exp((a - 1.0) * np.log(x) + (b - 1.0) * np.log1p(-x) - special.betaln(a, b))
    return helper("betainc_slope", y, a, b, x, "a"), helper("betainc_slope", y, a, b, x, "b"), density


@elementwise(special.betaincinv)
def betaincinv(y, a, b, p):
    """As betainc."""
    width = np.exp((1.0 - a) * np.log(y) + (1.0 - b) * np.log1p(-y) + special.betaln(a, b))
    return -helper("betainc_slope", y, a, b, y, "a") * width, -helper("betainc_slope", y, a, b, y, "b") * width, width


@elementwise(helpers.betainc_slope)
def betainc_slope(y, a, b, x, which):
    if len(which) == 2:
        raise NoDerivative("its third derivatives in the parameters have no rule")
    density = np.exp((a - 1.0) * np.log(x) + (b - 1.0) * np.log1p(-x) - special.betaln(a, b))
    mixed = helper("betainc_slope", y, a, b, x, "ab")
    if which == "a":
        rest = np.log(x) - special.psi(a) + special.psi(a + b)
        return helper("betainc_slope", y, a, b, x, "aa"), mixed, density * rest, None
    rest = np.log1p(-x) - special.psi(b) + special.psi(a + b)
    return mixed, helper("betainc_slope", y, a, b, x, "bb"), density * rest, None


# -- error functions and normal distribution ---------------------------------------------------------------------------


@elementwise(special.erf)
def erf(y, z):
    return 1.1283791670955126 * np.exp(-z * z)


@elementwise(special.erfc)
def erfc(y, z):
    return -1.1283791670955126 * np.exp(-z * z)


@elementwise(special.erfcx)
def erfcx(y, z):
    """Far out, where the difference cancels, by its asymptotic series (DLMF 7.12)."""
    if is_complex(z):
        return 2.0 * z * y - 1.1283791670955126
    w = 0.5 / np.maximum(z, 1.0) ** 2
    series = 1.1283791670955126 * w * (1.0 - w * (3.0 - w * (15.0 - w * (105.0 - 945.0 * w))))
    return np.where(z > 30.0, -series, 2.0 * z * y - 1.1283791670955126)


@elementwise(special.erfi)
def erfi(y, z):
    return 1.1283791670955126 * np.exp(z * z)


@elementwise(special.dawsn)
def dawsn(y, z):
    """Far out as erfcx (DLMF 7.12)."""
    if is_complex(z):
        return 1.0 - 2.0 * z * y
    w = 0.5 / np.maximum(np.abs(z), 1.0) ** 2
    series = w * (1.0 + w * (3.0 + w * (15.0 + w * (105.0 + 945.0 * w))))
    return np.where(np.abs(z) > 30.0, -series, 1.0 - 2.0 * z * y)


@elementwise(special.erfinv)
def erfinv(y, z):
    return 0.8862269254527580 * np.exp(y * y)


@elementwise(special.erfcinv)
def erfcinv(y, z):
    return -0.8862269254527580 * np.exp(y * y)


@elementwise(special.ndtr)
def ndtr(y, x):
    return 0.3989422804014327 * np.exp(-0.5 * x * x)


@elementwise(special.log_ndtr)
def log_ndtr(y, x):
    """The density over the probability: both vanish, their scaled quotient does not."""
    return 0.7978845608028654 / special.erfcx(-0.7071067811865476 * x)


@elementwise(special.ndtri)
def ndtri(y, p):
    return 2.5066282746310002 * np.exp(0.5 * y * y)


@elementwise(special.owens_t)
def owens_t(y, h, a):
    return (
        -0.19947114020071635 * np.exp(-0.5 * h * h) * special.erf(0.7071067811865476 * a * h),
        0.15915494309189535 * np.exp(-0.5 * h * h * (1.0 + a * a)) / (1.0 + a * a),
    )


@elementwise(special.stdtr)
def stdtr(y, df, t):
    """In the degrees of freedom through betainc, to second order."""
    density = np.exp(
        special.gammaln(0.5 * (df + 1.0)) - special.gammaln(0.5 * df) - 0.5 * (df + 1.0) * np.log1p(t * t / df)
    ) / np.sqrt(np.pi * df)
    return helper("stdtr_slope", y, df, t), density


@elementwise(helpers.stdtr_slope)
def stdtr_slope(y, df, t, order=1):
    if order == 2:
        raise NoDerivative("its third derivative in the degrees of freedom has no rule")
    log_slope = 0.5 * (
        special.psi(0.5 * (df + 1.0)) - special.psi(0.5 * df) - np.log1p(t * t / df) + (t * t - 1.0) / (df + t * t)
    )
    density = np.exp(
        special.gammaln(0.5 * (df + 1.0)) - special.gammaln(0.5 * df) - 0.5 * (df + 1.0) * np.log1p(t * t / df)
    ) / np.sqrt(np.pi * df)
    return helper("stdtr_slope", y, df, t, 2), density * log_slope, None


@elementwise(special.chdtr)
def chdtr(y, v, x):
    """As gammainc."""
    density = np.exp((0.5 * v - 1.0) * np.log(0.5 * x) - 0.5 * x - special.gammaln(0.5 * v))
    return 0.5 * helper("gammainc_slope", y, 0.5 * v, 0.5 * x), 0.5 * density


@elementwise(special.chdtrc)
def chdtrc(y, v, x):
    """As gammainc."""
    density = np.exp((0.5 * v - 1.0) * np.log(0.5 * x) - 0.5 * x - special.gammaln(0.5 * v))
    return -0.5 * helper("gammainc_slope", y, 0.5 * v, 0.5 * x), -0.5 * density


# -- more of probability and elementary functions ----------------------------------------------------------------------


@definition(special.multigammaln)
def multigammaln(a, d):
    total = 0.25 * d * (d - 1) * np.log(np.pi)
    for j in range(d):
        total = total + special.gammaln(a - 0.5 * j)
    return total
