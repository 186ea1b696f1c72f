"""Special functions of SciPy. The derivatives are those of the NIST Digital Library of Mathematical Functions."""

import numpy as np
from scipy import special

from s2sad.rules import adjoint, d, definition, elementwise, tangent, zero
from s2sad.runtime import helpers
from s2sad.runtime.helpers import largest

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


@definition(helpers.rgamma_slope)
def rgamma_slope(y, z):
    """Away from the poles of gamma: at them its own derivative is nan."""
    return -y * special.psi(z)


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


@definition(helpers.poch_slope)
def poch_slope(y, z, m):
    """Away from the poles of gamma."""
    return y * helpers.psi_increase(z, m)


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


@definition(helpers.binom_slope)
def binom_slope(y, n, k, of_k):
    """Away from the poles of gamma."""
    return y * (helpers.psi_increase(k + 1.0, n - 2.0 * k) if of_k else helpers.psi_increase(n - k + 1.0, k))


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


# -- logistic functions, entropies -------------------------------------------------------------------------------------


@elementwise(special.expit)
def expit(y, x):
    return y * (1.0 - y)


@elementwise(special.logit)
def logit(y, x):
    return 1.0 / (x * (1.0 - x))


@elementwise(special.log_expit)
def log_expit(y, x):
    return special.expit(-x)


@elementwise(special.xlogy)
def xlogy(y, a, b):
    """0 in the second argument where both are 0, as the function is 0 for all of them."""
    return np.log(b), ratio_or_0(a, b)


@elementwise(special.xlog1py)
def xlog1py(y, a, b):
    """0 in the second argument where the first is 0 and 1 + b is, as the function is 0 for all of them."""
    return np.log1p(b), ratio_or_0(a, 1.0 + b)


@elementwise(special.entr)
def entr(y, x):
    return -1.0 - np.log(x)


@elementwise(special.rel_entr)
def rel_entr(y, a, b):
    """0 in the second argument where both are 0, as the function is 0 for all of them."""
    return helper("log_ratio", y, a, b) + 1.0, -ratio_or_0(a, b)


@elementwise(special.kl_div)
def kl_div(y, a, b):
    """1 in the second argument where both are 0, as the function is the second argument then."""
    return helper("log_ratio", y, a, b), 1.0 - ratio_or_0(a, b)


@elementwise(helpers.log_ratio)
def log_ratio(y, a, b):
    return 1.0 / a, -1.0 / b


@elementwise(special.huber)
def huber(y, delta, r):
    """Twice differentiable but where |r| = delta."""
    return np.maximum(np.abs(r) - delta, 0.0), np.clip(r, -delta, delta)


@elementwise(special.pseudo_huber)
def pseudo_huber(y, delta, r):
    """y = delta q with q = h - delta, which is written without the difference."""
    h = np.hypot(delta, r)
    q = r / (h + delta) * r
    return q / h * q, r / h * delta


@elementwise(special.boxcox)
def boxcox(y, x, lmbda):
    """In x."""
    return x ** (lmbda - 1.0), None


@elementwise(special.boxcox1p)
def boxcox1p(y, x, lmbda):
    """In x."""
    return (1.0 + x) ** (lmbda - 1.0), None


zero(helpers.largest)


@definition(special.logsumexp, given=("b", "return_sign"))
def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False):
    """Of a sum of weighted terms. Real ones."""
    if np.iscomplexobj(a) or np.iscomplexobj(b):
        raise NoDerivative(
            "with b or return_sign it has a rule for real terms alone, and these may be complex",
            "make them floats, np.asarray(a, dtype=float), or take np.log of np.sum of np.exp",
        )
    shift = largest(a, axis)
    terms = np.exp(a - shift) if b is None else b * np.exp(a - shift)
    total = np.sum(terms, axis=axis, keepdims=keepdims)
    base = shift if keepdims else np.reshape(shift, np.shape(total))
    if return_sign:
        return np.log(np.abs(total)) + base, np.sign(total)
    return np.log(total) + base


@adjoint(special.logsumexp, lazy=True)
def logsumexp(y, a, axis=None, b=None, keepdims=False, return_sign=False):
    """Without weights b."""
    d[a] = expand_reduced(d[y], a, axis, keepdims) * np.exp(a - expand_reduced(y, a, axis, keepdims))


@tangent(special.logsumexp)
def logsumexp(y, a, axis=None, b=None, keepdims=False, return_sign=False):
    d[y] = reduced("sum", np.exp(a - expand_reduced(y, a, axis, keepdims)) * d[a], axis, keepdims)


@adjoint(special.softmax)
def softmax(y, x, axis=None):
    d[x] = y * (d[y] - kept("sum", d[y] * y, axis))


@tangent(special.softmax)
def softmax(y, x, axis=None):
    d[y] = y * (d[x] - kept("sum", d[x] * y, axis))


@adjoint(special.log_softmax)
def log_softmax(y, x, axis=None):
    d[x] = d[y] - np.exp(y) * kept("sum", d[y], axis)


@tangent(special.log_softmax)
def log_softmax(y, x, axis=None):
    d[y] = d[x] - kept("sum", np.exp(y) * d[x], axis)


# -- Bessel functions, in their argument -------------------------------------------------------------------------------


@elementwise(special.j0)
def j0(y, x):
    return -special.j1(x)


@elementwise(special.j1)
def j1(y, x):
    """Near 0 by its series: SciPy's jv of order 2 takes twenty-five times the time of j0."""
    series = 0.5 - x * x * (0.1875 - x * x / 76.8)
    return np.where(np.abs(x) < 0.01, series, special.j0(x) - y / nonzero(x))


@elementwise(special.y0)
def y0(y, x):
    return -special.y1(x)


@elementwise(special.y1)
def y1(y, x):
    return special.y0(x) - y / x


@elementwise(special.jv)
def jv(y, v, z):
    return None, 0.5 * (special.jv(v - 1, z) - special.jv(v + 1, z))


@elementwise(special.yv)
def yv(y, v, z):
    return None, special.yv(v - 1, z) - v * y / z


@elementwise(special.yn)
def yn(y, n, x):
    return None, special.yn(n - 1, x) - n * y / x


@elementwise(special.kn)
def kn(y, n, x):
    return None, -special.kn(n - 1, x) - n * y / x


@elementwise(special.iv)
def iv(y, v, z):
    return None, 0.5 * (special.iv(v - 1, z) + special.iv(v + 1, z))


@elementwise(special.kv)
def kv(y, v, z):
    return None, -special.kv(v - 1, z) - v * y / z


@elementwise(special.ive)
def ive(y, v, z):
    """Of real arguments; exp(-abs(z)) has slope 0 at 0. Far out, where the difference cancels, by its asymptotic series
    (from DLMF 10.25)."""
    real_only(z)
    w, m = 1.0 / np.maximum(np.abs(z), 1.0), 0.125 - 0.5 * v * v
    series = w * (0.5 + w * (m + w * (m + w * m * (1.5 + 0.5 * m + w * (3.0 + 2.0 * m)))))
    near = 0.5 * (special.ive(v - 1, z) + special.ive(v + 1, z)) - np.sign(z) * y
    return None, np.where(np.abs(z) > 1000.0 * (1.0 + v * v), -np.sign(z) * y * series, near)


@elementwise(special.kve)
def kve(y, v, z):
    """Far out as ive."""
    if is_complex(z):
        return None, y - special.kve(v - 1, z) - v * y / z
    w, m = 1.0 / np.maximum(z, 1.0), 0.125 - 0.5 * v * v
    series = w * (0.5 - w * (m - w * (m - w * m * (1.5 + 0.5 * m - w * (3.0 + 2.0 * m)))))
    return None, np.where(z > 1000.0 * (1.0 + v * v), -y * series, y - special.kve(v - 1, z) - v * y / z)


@elementwise(special.i0)
def i0(y, x):
    return special.i1(x)


@elementwise(special.i1)
def i1(y, x):
    """Near 0 by its series: SciPy's iv of order 2 takes many times the time of i0."""
    series = 0.5 + x * x * (0.1875 + x * x / 76.8)
    return np.where(np.abs(x) < 0.01, series, special.i0(x) - y / nonzero(x))


@elementwise(special.i0e)
def i0e(y, x):
    """Far out as ive."""
    w = 1.0 / np.maximum(np.abs(x), 1.0)
    series = w * (0.5 + w * (0.125 + w * (0.125 + w * (0.1953125 + w * 0.40625))))
    return np.where(np.abs(x) > 1000.0, -np.sign(x) * y * series, special.i1e(x) - np.sign(x) * y)


@elementwise(special.i1e)
def i1e(y, x):
    """Near 0 as i1, far out as ive."""
    series = np.exp(-np.abs(x)) * (0.5 + x * x * (0.1875 + x * x / 76.8))
    near = np.where(np.abs(x) < 0.01, series, special.i0e(x) - y / nonzero(x)) - np.sign(x) * y
    w = 1.0 / np.maximum(np.abs(x), 1.0)
    far = w * (0.5 - w * (0.375 + w * (0.375 + w * (0.4921875 + w * 0.84375))))
    return np.where(np.abs(x) > 1000.0, -np.abs(y) * far, near)


@elementwise(special.k0)
def k0(y, x):
    return -special.k1(x)


@elementwise(special.k1)
def k1(y, x):
    return -special.k0(x) - y / x


@elementwise(special.k0e)
def k0e(y, x):
    """Far out as ive."""
    w = 1.0 / np.maximum(x, 1.0)
    series = w * (0.5 - w * (0.125 - w * (0.125 - w * (0.1953125 - w * 0.40625))))
    return np.where(x > 1000.0, -y * series, y - special.k1e(x))


@elementwise(special.k1e)
def k1e(y, x):
    """Far out as ive."""
    w = 1.0 / np.maximum(x, 1.0)
    series = w * (0.5 + w * (0.375 - w * (0.375 - w * (0.4921875 - w * 0.84375))))
    return np.where(x > 1000.0, -y * series, y - special.k0e(x) - y / x)


@adjoint(special.airy)
def airy(y, z):
    """y'' = z y"""
    d[z] = d[y[0]] * y[1] + d[y[1]] * z * y[0] + d[y[2]] * y[3] + d[y[3]] * z * y[2]


@tangent(special.airy)
def airy(y, z):
    d[y] = (y[1] * d[z], z * y[0] * d[z], y[3] * d[z], z * y[2] * d[z])


# -- integrals ---------------------------------------------------------------------------------------------------------


@elementwise(special.exp1)
def exp1(y, z):
    return -np.exp(-z) / z


@elementwise(special.expi)
def expi(y, x):
    return np.exp(x) / x


@elementwise(special.expn)
def expn(y, n, x):
    return None, -special.expn(n - 1, x)


@elementwise(special.spence)
def spence(y, z):
    """At a complex 1 it is not evaluated."""
    if is_complex(z):
        return np.log(z) / (1.0 - z)
    return -1.0 / special.exprel(np.log(z))


@adjoint(special.sici)
def sici(y, x):
    d[x] = d[y[0]] * np.sin(x) / x + d[y[1]] * np.cos(x) / x


@tangent(special.sici)
def sici(y, x):
    d[y] = (np.sin(x) / x * d[x], np.cos(x) / x * d[x])


@adjoint(special.shichi)
def shichi(y, x):
    d[x] = d[y[0]] * np.sinh(x) / x + d[y[1]] * np.cosh(x) / x


@tangent(special.shichi)
def shichi(y, x):
    d[y] = (np.sinh(x) / x * d[x], np.cosh(x) / x * d[x])


@adjoint(special.fresnel)
def fresnel(y, z):
    d[z] = d[y[0]] * np.sin(1.5707963267948966 * z * z) + d[y[1]] * np.cos(1.5707963267948966 * z * z)


@tangent(special.fresnel)
def fresnel(y, z):
    d[y] = (np.sin(1.5707963267948966 * z * z) * d[z], np.cos(1.5707963267948966 * z * z) * d[z])


@elementwise(special.ellipk)
def ellipk(y, m):
    """Without cancellation near 0, of numbers by Carlson's integrals (DLMF 19.25), of arrays by means (DLMF 19.8)."""
    if is_scalar(m):
        return special.elliprd(0.0, 1.0, 1.0 - m) / 6.0
    return 0.5 * helper("elliptic_integral", y, 1.0 - m, 1.0, 0.0) / (1.0 - m)


@elementwise(special.ellipe)
def ellipe(y, m):
    """As ellipk."""
    if is_scalar(m):
        return special.elliprd(0.0, 1.0 - m, 1.0) / -6.0
    return -0.5 * helper("elliptic_integral", y, 1.0 - m, 0.0, 1.0)


@elementwise(helpers.elliptic_integral)
def elliptic_integral(y, p, c, s):
    """The parts in cos**2 and sin**2 differ by 1 - p times an integral of one sign, by a step of Landen's
    transformation: nothing cancels. (c, s) is (1, 0) or (0, 1)."""
    k = 1.0 + np.sqrt(p)
    step = helper("elliptic_integral", y, 4.0 * (k - 1.0) / (k * k), 0.0, 1.0) / k**3
    if s == 0.0:
        return -step, None, None
    return step - 0.5 * helper("elliptic_integral", y, p, 1.0, 0.0) / p, None, None


@elementwise(special.ellipkinc)
def ellipkinc(y, phi, m):
    """As ellipk; n half turns of phi are n complete integrals each."""
    n = np.round(phi / np.pi)
    s = np.sin(phi - n * np.pi)
    root = 1.0 - m * s * s
    own = s**3 * special.elliprd(1.0 - s * s, 1.0, root)
    return 1.0 / np.sqrt(root), (own + 2.0 * n * special.elliprd(0.0, 1.0, 1.0 - m)) / 6.0


@elementwise(special.ellipeinc)
def ellipeinc(y, phi, m):
    """As ellipkinc."""
    n = np.round(phi / np.pi)
    s = np.sin(phi - n * np.pi)
    root = 1.0 - m * s * s
    own = s**3 * special.elliprd(1.0 - s * s, root, 1.0)
    return np.sqrt(root), (own + 2.0 * n * special.elliprd(0.0, 1.0 - m, 1.0)) / -6.0


@adjoint(special.ellipj, broadcasts=True)
def ellipj(y, u, m):
    """Of sn, cn, dn and the amplitude, of which u is the integral of the first kind. m between 0 and 1."""
    sn, cn, dn = y[0], y[1], y[2]
    g = d[y[0]] * cn - d[y[1]] * sn - d[y[2]] * (m * sn * cn / dn) + d[y[3]]
    d[u] = g * dn
    d[m] = -0.5 * d[y[2]] * sn * sn / dn - g * dn * derivative_in_m(y[3], m)


@tangent(special.ellipj, broadcasts=True)
def ellipj(y, u, m):
    sn, cn, dn = y[0], y[1], y[2]
    t = dn * (d[u] - derivative_in_m(y[3], m) * d[m])
    d[y] = (cn * t, -sn * t, -0.5 * sn * sn / dn * d[m] - m * sn * cn / dn * t, t)


@elementwise(special.elliprf)
def elliprf(f, x, y, z):
    """DLMF 19.18"""
    return special.elliprd(y, z, x) / -6.0, special.elliprd(z, x, y) / -6.0, special.elliprd(x, y, z) / -6.0


@elementwise(special.elliprc)
def elliprc(f, x, y):
    """As elliprf(x, y, y)."""
    return special.elliprd(y, y, x) / -6.0, special.elliprd(x, y, y) / -3.0


@elementwise(special.elliprd)
def elliprd(f, x, y, z):
    """By duplication (DLMF 19.26): also where arguments are equal, or nearly."""
    dx = helper("carlson_slope", f, x, y, z)
    dy = helper("carlson_slope", f, y, x, z)
    own = np.where(x == 0.0, 0.0, x * dx) + np.where(y == 0.0, 0.0, y * dy)
    return dx, dy, -(1.5 * f + own) / z


#: by its text: it is smooth where its arguments are equal
definition(helpers.carlson_slope)(helpers.carlson_slope)


@elementwise(special.elliprg)
def elliprg(f, x, y, z):
    r = special.elliprf(x, y, z)
    return (
        0.25 * r - x * special.elliprd(y, z, x) / 12.0,
        0.25 * r - y * special.elliprd(z, x, y) / 12.0,
        0.25 * r - z * special.elliprd(x, y, z) / 12.0,
    )


@elementwise(special.elliprj)
def elliprj(f, x, y, z, p):
    """As elliprd."""
    dx = helper("carlson_slope", f, x, y, z, p, f)
    dy = helper("carlson_slope", f, y, z, x, p, f)
    dz = helper("carlson_slope", f, z, x, y, p, f)
    own = np.where(x == 0.0, 0.0, x * dx) + np.where(y == 0.0, 0.0, y * dy) + np.where(z == 0.0, 0.0, z * dz)
    return dx, dy, dz, -(1.5 * f + own) / p


# -- hypergeometric functions, zeta, elementary functions --------------------------------------------------------------


@elementwise(special.hyp0f1)
def hyp0f1(y, v, z):
    """In z."""
    return None, special.hyp0f1(v + 1.0, z) / v


@elementwise(special.hyp1f1)
def hyp1f1(y, a, b, x):
    """In x."""
    return None, None, a / b * special.hyp1f1(a + 1.0, b + 1.0, x)


@elementwise(special.hyp2f1)
def hyp2f1(y, a, b, c, z):
    """In z."""
    return None, None, None, a * b / c * special.hyp2f1(a + 1.0, b + 1.0, c + 1.0, z)


@elementwise(special.zeta)
def zeta(y, x, q=None):
    """In q."""
    return None, -x * special.zeta(x + 1.0, q) if q is not None else None


@elementwise(special.wrightomega)
def wrightomega(y, z):
    return y / (1.0 + y)


@elementwise(special.lambertw)
def lambertw(y, z, k=0, tol=1e-8):
    return 1.0 / (np.exp(y) * (1.0 + y))


@elementwise(special.cosm1)
def cosm1(y, x):
    return -np.sin(x)


@elementwise(special.exp10)
def exp10(y, x):
    return 2.302585092994046 * y


@elementwise(special.exp2)
def exp2(y, x):
    return 0.6931471805599453 * y


@elementwise(special.expm1)
def expm1(y, x):
    return y + 1.0


@elementwise(special.log1p)
def log1p(y, x):
    return 1.0 / (1.0 + x)


@elementwise(special.cbrt)
def cbrt(y, x):
    """At 0 the derivative is infinite."""
    return 1.0 / (3.0 * y * y)


@elementwise(special.sindg)
def sindg(y, x):
    return 0.017453292519943295 * special.cosdg(x)


@elementwise(special.cosdg)
def cosdg(y, x):
    return -0.017453292519943295 * special.sindg(x)


@elementwise(special.tandg)
def tandg(y, x):
    return 0.017453292519943295 * (1.0 + y * y)


@elementwise(special.eval_hermite)
def eval_hermite(y, n, x):
    return None, 2.0 * n * special.eval_hermite(order_below(n), x)


@elementwise(special.eval_hermitenorm)
def eval_hermitenorm(y, n, x):
    return None, n * special.eval_hermitenorm(order_below(n), x)


@elementwise(special.eval_chebyt)
def eval_chebyt(y, n, x):
    return None, n * special.eval_chebyu(n - 1, x)


@elementwise(special.eval_chebyu)
def eval_chebyu(y, n, x):
    return None, 2.0 * special.eval_gegenbauer(n - 1, 2.0, x)


# -- more orthogonal polynomials, in x ---------------------------------------------------------------------------------


@elementwise(special.eval_legendre)
def eval_legendre(y, n, x):
    return None, special.eval_gegenbauer(n - 1, 1.5, x)


@elementwise(special.eval_laguerre)
def eval_laguerre(y, n, x):
    return None, -special.eval_genlaguerre(n - 1, 1.0, x)


@elementwise(special.eval_genlaguerre)
def eval_genlaguerre(y, n, alpha, x):
    """In x."""
    return None, None, -special.eval_genlaguerre(n - 1, alpha + 1.0, x)


@elementwise(special.eval_gegenbauer)
def eval_gegenbauer(y, n, alpha, x):
    """In x."""
    return None, None, 2.0 * alpha * special.eval_gegenbauer(n - 1, alpha + 1.0, x)


@elementwise(special.eval_jacobi)
def eval_jacobi(y, n, alpha, beta, x):
    """In x."""
    slope = 0.5 * (n + alpha + beta + 1.0) * special.eval_jacobi(n - 1, alpha + 1.0, beta + 1.0, x)
    return None, None, None, slope


# -- more Bessel and Struve functions, in the argument -----------------------------------------------------------------


@elementwise(special.spherical_jn, special.spherical_yn)
def spherical_jn(y, n, z, derivative=False):
    if derivative:
        return None, -2.0 / z * y + (n * (n + 1.0) / (z * z) - 1.0) * function_again(n, z)
    return None, function_again(n, z, True)


@elementwise(special.spherical_in, special.spherical_kn)
def spherical_in(y, n, z, derivative=False):
    if derivative:
        return None, -2.0 / z * y + (n * (n + 1.0) / (z * z) + 1.0) * function_again(n, z)
    return None, function_again(n, z, True)


@elementwise(special.jvp, special.yvp, special.ivp, special.kvp)
def derivative_of_bessel(y, v, z, n=1):
    """In z."""
    return None, function_again(v, z, n + 1)


@elementwise(special.jve, special.yve)
def scaled_bessel(y, v, z):
    """Of real arguments."""
    return None, 0.5 * (function_again(v - 1, z) - function_again(v + 1, z))


@elementwise(special.struve)
def struve(y, v, x):
    return None, special.struve(v - 1, x) - v * y / nonzero(x)


@elementwise(special.modstruve)
def modstruve(y, v, x):
    return None, special.modstruve(v - 1, x) - v * y / nonzero(x)


@elementwise(special.ber)
def ber(y, x):
    return special.berp(x)


@elementwise(special.bei)
def bei(y, x):
    return special.beip(x)


@elementwise(special.ker)
def ker(y, x):
    return special.kerp(x)


@elementwise(special.kei)
def kei(y, x):
    return special.keip(x)


@elementwise(special.berp)
def berp(y, x):
    """By Bessel's equation."""
    return -special.bei(x) - y / nonzero(x)


@elementwise(special.beip)
def beip(y, x):
    """By Bessel's equation."""
    return special.ber(x) - np.where(x == 0.0, 0.5, y / nonzero(x))


@elementwise(special.kerp)
def kerp(y, x):
    """By Bessel's equation."""
    return -special.kei(x) - y / x


@elementwise(special.keip)
def keip(y, x):
    """By Bessel's equation."""
    return special.ker(x) - y / x


@elementwise(special.hyperu)
def hyperu(y, a, b, x):
    """In x."""
    return None, None, -a * special.hyperu(a + 1.0, b + 1.0, x)


# -- more of probability and elementary functions ----------------------------------------------------------------------


if hasattr(special, "betaincc"):

    @elementwise(special.betaincc)
    def betaincc(y, a, b, x):
        """As betainc."""
        density = np.exp((a - 1.0) * np.log(x) + (b - 1.0) * np.log1p(-x) - special.betaln(a, b))
        return -helper("betainc_slope", y, a, b, x, "a"), -helper("betainc_slope", y, a, b, x, "b"), -density

    @elementwise(special.betainccinv)
    def betainccinv(y, a, b, p):
        """As betainc."""
        width = np.exp((1.0 - a) * np.log(y) + (1.0 - b) * np.log1p(-y) + special.betaln(a, b))
        of_a, of_b = helper("betainc_slope", y, a, b, y, "a"), helper("betainc_slope", y, a, b, y, "b")
        return -of_a * width, -of_b * width, -width


@elementwise(special.pdtr)
def pdtr(y, k, m):
    """In m."""
    return None, -np.exp(np.floor(k) * np.log(m) - m - special.gammaln(np.floor(k) + 1.0))


@elementwise(special.pdtrc)
def pdtrc(y, k, m):
    """In m."""
    return None, np.exp(np.floor(k) * np.log(m) - m - special.gammaln(np.floor(k) + 1.0))


@elementwise(special.gdtr)
def gdtr(y, a, b, x):
    """As gammainc."""
    density = np.exp(b * np.log(a) + (b - 1.0) * np.log(x) - a * x - special.gammaln(b))
    return x / a * density, helper("gammainc_slope", y, b, a * x), density


@elementwise(special.gdtrc)
def gdtrc(y, a, b, x):
    """As gammainc."""
    density = np.exp(b * np.log(a) + (b - 1.0) * np.log(x) - a * x - special.gammaln(b))
    return -x / a * density, -helper("gammainc_slope", y, b, a * x), -density


@elementwise(special.stdtrit)
def stdtrit(y, df, p):
    """As stdtr."""
    scale = np.exp(special.gammaln(0.5 * df) - special.gammaln(0.5 * (df + 1.0)))
    width = np.sqrt(np.pi * df) * scale * (1.0 + y * y / df) ** (0.5 * (df + 1.0))
    return -helper("stdtr_slope", y, df, y) * width, width


@elementwise(special.ndtri_exp)
def ndtri_exp(y, x):
    return 2.5066282746310002 * np.exp(x + 0.5 * y * y)


@elementwise(special.inv_boxcox)
def inv_boxcox(y, x, lmbda):
    """In x."""
    return y ** (1.0 - lmbda), None


@elementwise(special.inv_boxcox1p)
def inv_boxcox1p(y, x, lmbda):
    """In x."""
    return (1.0 + y) ** (1.0 - lmbda), None


@elementwise(special.powm1)
def powm1(y, x, p):
    """Of x above 0."""
    return p * x ** (p - 1.0), (1.0 + y) * np.log(x)


@elementwise(special.exprel)
def exprel(y, x):
    """Near 0, where the difference cancels, by its series."""
    series = 0.5 + x * (1.0 / 3.0 + x * (0.125 + x * (1.0 / 30.0 + x * (1.0 / 144.0 + x / 840.0))))
    return np.where(np.abs(x) < 0.02, series, (np.exp(x) - y) / nonzero(x))


@elementwise(special.cotdg)
def cotdg(y, x):
    return -0.017453292519943295 * (1.0 + y * y)


@elementwise(special.wofz)
def wofz(y, z):
    return 1.1283791670955126j - 2.0 * z * y


@elementwise(special.ellipkm1)
def ellipkm1(y, p):
    """As ellipk."""
    if is_scalar(p):
        return special.elliprd(0.0, 1.0, p) / -6.0
    return -0.5 * helper("elliptic_integral", y, p, 1.0, 0.0) / p


@definition(special.multigammaln)
def multigammaln(a, d):
    total = 0.25 * d * (d - 1) * np.log(np.pi)
    for j in range(d):
        total = total + special.gammaln(a - 0.5 * j)
    return total


if hasattr(special, "softplus"):

    @elementwise(special.softplus)
    def softplus(y, x):
        return special.expit(x)


zero(special.gammasgn)
