"""Special functions of SciPy: logistic functions, entropies, hypergeometric and elementary functions, polynomials. The
derivatives are those of the NIST Digital Library of Mathematical Functions."""

import numpy as np
from scipy import special

from s2sad.rules import adjoint, d, definition, elementwise, tangent, zero
from s2sad.runtime import helpers
from s2sad.runtime.helpers import largest

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


if hasattr(special, "softplus"):

    @elementwise(special.softplus)
    def softplus(y, x):
        return special.expit(x)


zero(special.gammasgn)
