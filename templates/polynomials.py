"""Polynomials: NumPy's own (highest power first) and the families of np.polynomial (lowest first).

The families are said by their recurrences (DLMF 18.9), evaluated by Clenshaw's algorithm."""

import numpy as np

from s2sad.kinds.kind import Unknown
from s2sad.rules import adjoint, d, definition, linear, tangent
from s2sad.runtime import helpers

# -- np.poly* ----------------------------------------------------------------------------------------------------------


@adjoint(np.roots)
def roots(y, p):
    """By the implicit function theorem: a multiple root has no derivative."""
    d[p] = narrow(p, real_like(-(d[y] / np.polyval(np.polyder(p), y)) @ np.vander(y, np.size(p)), p))


@tangent(np.roots)
def roots(y, p):
    d[y] = narrow(p, -np.polyval(d[p], y) / np.polyval(np.polyder(p), y), y)


@definition(np.poly)
def poly(seq_of_zeros):
    """Of a matrix: through its eigenvalues."""
    zeros = np.linalg.eigvals(seq_of_zeros) if np.ndim(seq_of_zeros) == 2 else np.asarray(seq_of_zeros)
    y = np.zeros(np.shape(zeros)[0] + 1, dtype=zeros.dtype)
    y[0] = 1.0
    for k in range(np.shape(zeros)[0]):
        y[1 : k + 2] = y[1 : k + 2] - zeros[k] * y[: k + 1]
    return y


@definition(np.polyder, given=("m",))
def polyder(p, m=1):
    return p if m == 0 else np.polyder(np.polyder(p), m - 1)


@definition(np.polyint, given=("m", "k"))
def polyint(p, m=1, k=None):
    if m == 0:
        return p
    if k is None:
        return np.polyint(np.polyint(p), m - 1)
    constants = np.atleast_1d(np.asarray(k))
    if m > 1 and np.size(constants) == 1:
        constants = constants[0] * np.ones(m)
    y = np.concatenate((p / np.arange(np.size(p), 0, -1), constants[:1]))
    return y if m == 1 else np.polyint(y, m - 1, constants[1:])


def _are_no_vectors(call):
    unknown = [isinstance(call.kind(name), Unknown) for name in call.named]
    return not any(unknown) and any(call.rank(name) != 1 for name in call.named)


@definition(np.polydiv, when=_are_no_vectors)
def polydiv(u, v):
    return np.polydiv(np.atleast_1d(u), np.atleast_1d(v))


@adjoint(np.polydiv)
def polydiv(y, u, v):
    """Of u = v q + r: the equations of the quotient are triangular, with one number along each diagonal, and so are
    their transposes. Leading coefficients that are not zero."""
    of_rank(u, 1, 1)
    of_rank(v, 1, 1)
    g = divided_back(y[0], v, d[y[0]], d[y[1]])
    d[u] = narrow(u, real_like(g[-np.size(u) :], u))
    d[v] = narrow(v, real_like(-np.correlate(g, conjugated(y[0]), "valid"), v))


@tangent(np.polydiv)
def polydiv(y, u, v):
    of_rank(u, 1, 1)
    of_rank(v, 1, 1)
    left = d[u] - np.convolve(d[v], y[0])[: np.size(u)]
    w = v / v[0]
    quotient = np.polydiv(left, w)[0]
    d[y] = (quotient / v[0], (left - np.convolve(w, quotient)[: np.size(u)])[-np.size(y[1]) :])


@adjoint(helpers.deconvolved)
def deconvolved(y, t, v):
    """The transpose of a triangular matrix with one number along each diagonal is that matrix turned around."""
    back = helper("deconvolved", t, d[y][::-1], v)[::-1]
    d[t] = back
    d[v] = -np.correlate(np.concatenate((back, np.zeros(np.size(v) - 1))), conjugated(y), "valid")


@tangent(helpers.deconvolved)
def deconvolved(y, t, v):
    d[y] = helper("deconvolved", y, d[t] - np.convolve(d[v], y)[: np.size(t)], v)


def _full_fit(call):
    seldom = any(call.given(name) for name in ("w", "full", "cov"))
    return call.varied("x") or call.varied("w") or seldom or call.rank("y") != 1


@definition(np.polyfit, when=_full_fit)
def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    """As a least-squares problem with scaled columns."""
    left, right = np.vander(x, deg + 1), y
    if w is not None:
        left = w[:, None] * left
        right = w * right if np.ndim(right) == 1 else w[:, None] * right
    scale = np.sqrt(np.sum(left * left, axis=0))
    solution = np.linalg.lstsq(left / scale, right, rcond=None)[0]
    c = (solution.T / scale).T
    if not full and not cov:
        return c
    rest = np.sum((right - left @ c) ** 2, axis=0)
    if full:
        rest = rest if np.ndim(y) > 1 else np.reshape(rest, (1,))
        return c, rest, deg + 1, np.linalg.svd(left / scale, compute_uv=False), rcond
    base = np.linalg.inv((left / scale).T @ (left / scale)) / np.outer(scale, scale)
    variance = 1.0 if cov == "unscaled" else rest / (np.shape(left)[0] - (deg + 1))
    return c, base * variance if np.ndim(y) == 1 else base[:, :, None] * variance


@definition(np.polyval, when=lambda call: (call.rank("p") or 0) > 1)
def polyval(p, x):
    """Of rows of coefficients the sum of rows times powers."""
    y = p[0] + 0.0 * x
    for k in range(1, np.shape(p)[0]):
        y = y * x + p[k]
    return y


# -- np.polynomial -----------------------------------------------------------------------------------------------------

_polynomial = np.polynomial.polynomial


@definition(_polynomial.polyval)
def polyval_(x, c, tensor=True):
    if np.ndim(c) == 1:
        return np.polyval(c[::-1], x)
    columns = _columns(c, x) if tensor else c
    y = columns[-1] + 0.0 * x
    for k in range(2, np.shape(c)[0] + 1):
        y = columns[-k] + y * x
    return y


@definition(_polynomial.polyval2d)
def polyval2d(x, y, c):
    total = np.polyval(c[-1, ::-1], y)
    for k in range(np.shape(c)[0] - 2, -1, -1):
        total = total * x + np.polyval(c[k, ::-1], y)
    return total


@definition(_polynomial.polygrid2d)
def polygrid2d(x, y, c):
    return np.vander(x, np.shape(c)[0], increasing=True) @ c @ np.vander(y, np.shape(c)[1], increasing=True).T


@definition(_polynomial.polyvalfromroots)
def polyvalfromroots(x, r, tensor=True):
    if np.ndim(r) != 1:
        raise NoDerivative("several sets of roots have no rule", "call it for each, one after the other")
    y = np.ones(np.shape(x))[()]
    for k in range(len(r)):
        y = y * (x - r[k])
    return y


@definition(_polynomial.polyadd)
def polyadd(c1, c2):
    return np.polyadd(c1[::-1], c2[::-1])[::-1]


@definition(_polynomial.polysub)
def polysub(c1, c2):
    return np.polysub(c1[::-1], c2[::-1])[::-1]


@definition(_polynomial.polymul)
def polymul(c1, c2):
    return np.convolve(c1, c2)


@definition(_polynomial.polymulx)
def polymulx(c):
    return np.concatenate((np.zeros(1), c))


@definition(_polynomial.polypow)
def polypow(c, pow, maxpower=None):
    if pow == 0:
        return np.ones(1)
    y = c
    for _ in range(pow - 1):
        y = np.convolve(y, c)
    return y


@definition(_polynomial.polydiv, when=_are_no_vectors)
def polydiv_(c1, c2):
    return _polynomial.polydiv(np.atleast_1d(c1), np.atleast_1d(c2))


@adjoint(_polynomial.polydiv)
def polydiv_(y, c1, c2):
    """As np.polydiv."""
    of_rank(c1, 1, 1)
    of_rank(c2, 1, 1)
    g = turned(divided_back(turned(y[0]), turned(c2), turned(d[y[0]]), turned(d[y[1]])))
    d[c1] = narrow(c1, real_like(g[: np.size(c1)], c1))
    d[c2] = narrow(c2, real_like(-np.correlate(g, conjugated(y[0]), "valid"), c2))


@tangent(_polynomial.polydiv)
def polydiv_(y, c1, c2):
    of_rank(c1, 1, 1)
    of_rank(c2, 1, 1)
    left = d[c1] - np.convolve(d[c2], y[0])[: np.size(c1)]
    w = c2 / c2[-1]
    quotient = np.polydiv(left[::-1], w[::-1])[0][::-1]
    d[y] = (quotient / c2[-1], (left - np.convolve(w, quotient)[: np.size(c1)])[: np.size(y[1])])


@definition(_polynomial.polyder)
def polyder_(c, m=1, scl=1, axis=0):
    if np.ndim(c) != 1:
        raise NoDerivative("np.polynomial's polyder of several dimensions", "call it for each, one after the other")
    return np.polyder(c[::-1], m)[::-1] * scl**m


@definition(_polynomial.polyint)
def polyint_(c, m=1, k=None, lbnd=0, scl=1, axis=0):
    if np.ndim(c) != 1 or m != 1:
        raise NoDerivative(
            "np.polynomial's polyint of several dimensions or orders", "call it for each, one after the other"
        )
    y = np.concatenate((np.zeros(1), scl * c / np.arange(1, np.size(c) + 1)))
    first = 0.0 if k is None else k[0] if isinstance(k, (list, tuple)) else k
    return y + (first - np.polyval(y[::-1], lbnd)) * (np.arange(np.size(y)) == 0)


@definition(_polynomial.polyvander)
def polyvander(x, deg):
    return np.reshape(np.vander(np.ravel(x), deg + 1, increasing=True), (*np.shape(x), deg + 1))


@definition(_polynomial.polyfit)
def polyfit_(x, y, deg, rcond=None, full=False, w=None):
    if full:
        c, rest, rank, singular, _ = np.polyfit(x, y, deg, full=True, w=w)
        return c[::-1], [rest, rank, singular, len(x) * np.finfo(float).eps if rcond is None else rcond]
    return np.polyfit(x, y, deg, w=w)[::-1]


@definition(_polynomial.polyroots)
def polyroots(c):
    """By the implicit function theorem: a multiple root has no derivative."""
    return np.sort(np.roots(c[::-1]))


@definition(_polynomial.polyfromroots)
def polyfromroots(roots):
    return np.poly(roots)[::-1]


def _columns(c, x):
    """The coefficients of each column for all of x."""
    return np.reshape(c, (*np.shape(c), *(1,) * np.ndim(x)))


@definition(np.polynomial.chebyshev.chebval)
def chebval(x, c, tensor=True):
    if tensor and np.ndim(c) > 1:
        c = _columns(c, x)
    a, b = c[-1] + 0.0 * x, 0.0 * x if np.ndim(c) == 1 else 0.0 * (c[-1] + 0.0 * x)
    for k in range(2, np.shape(c)[0] + 1):
        a, b = c[-k] - b + 2.0 * x * a, a
    return a - x * b


@definition(np.polynomial.legendre.legval)
def legval(x, c, tensor=True):
    if tensor and np.ndim(c) > 1:
        c = _columns(c, x)
    n = np.shape(c)[0]
    a, b = c[-1] + 0.0 * x, 0.0 * x if np.ndim(c) == 1 else 0.0 * (c[-1] + 0.0 * x)
    for k in range(n - 2, -1, -1):
        a, b = c[k] + (2.0 * k + 1.0) / (k + 1.0) * x * a - (k + 1.0) / (k + 2.0) * b, a
    return a


@definition(np.polynomial.hermite.hermval)
def hermval(x, c, tensor=True):
    if tensor and np.ndim(c) > 1:
        c = _columns(c, x)
    n = np.shape(c)[0]
    a, b = c[-1] + 0.0 * x, 0.0 * x if np.ndim(c) == 1 else 0.0 * (c[-1] + 0.0 * x)
    for k in range(n - 2, -1, -1):
        a, b = c[k] + 2.0 * x * a - 2.0 * (k + 1.0) * b, a
    return a


@definition(np.polynomial.hermite_e.hermeval)
def hermeval(x, c, tensor=True):
    if tensor and np.ndim(c) > 1:
        c = _columns(c, x)
    n = np.shape(c)[0]
    a, b = c[-1] + 0.0 * x, 0.0 * x if np.ndim(c) == 1 else 0.0 * (c[-1] + 0.0 * x)
    for k in range(n - 2, -1, -1):
        a, b = c[k] + x * a - (k + 1.0) * b, a
    return a


@definition(np.polynomial.laguerre.lagval)
def lagval(x, c, tensor=True):
    if tensor and np.ndim(c) > 1:
        c = _columns(c, x)
    n = np.shape(c)[0]
    a, b = c[-1] + 0.0 * x, 0.0 * x if np.ndim(c) == 1 else 0.0 * (c[-1] + 0.0 * x)
    for k in range(n - 2, -1, -1):
        a, b = c[k] + (2.0 * k + 1.0 - x) / (k + 1.0) * a - (k + 1.0) / (k + 2.0) * b, a
    return a


def _ones(shape, x):
    """Ones, complex where x is."""
    return np.ones(shape, complex) if np.iscomplexobj(x) else np.ones(shape)


@definition(np.polynomial.chebyshev.chebvander)
def chebvander(x, deg):
    v = _ones((*np.shape(x), deg + 1), x)
    for k in range(1, deg + 1):
        v[..., k] = x if k == 1 else 2.0 * x * v[..., k - 1] - v[..., k - 2]
    return v


@definition(np.polynomial.legendre.legvander)
def legvander(x, deg):
    v = _ones((*np.shape(x), deg + 1), x)
    for k in range(1, deg + 1):
        v[..., k] = x if k == 1 else ((2.0 * k - 1.0) * x * v[..., k - 1] - (k - 1.0) * v[..., k - 2]) / k
    return v


@definition(np.polynomial.hermite.hermvander)
def hermvander(x, deg):
    v = _ones((*np.shape(x), deg + 1), x)
    for k in range(1, deg + 1):
        v[..., k] = 2.0 * x if k == 1 else 2.0 * x * v[..., k - 1] - 2.0 * (k - 1.0) * v[..., k - 2]
    return v


@definition(np.polynomial.hermite_e.hermevander)
def hermevander(x, deg):
    v = _ones((*np.shape(x), deg + 1), x)
    for k in range(1, deg + 1):
        v[..., k] = x if k == 1 else x * v[..., k - 1] - (k - 1.0) * v[..., k - 2]
    return v


@definition(np.polynomial.laguerre.lagvander)
def lagvander(x, deg):
    v = _ones((*np.shape(x), deg + 1), x)
    for k in range(1, deg + 1):
        v[..., k] = 1.0 - x if k == 1 else ((2.0 * k - 1.0 - x) * v[..., k - 1] - (k - 1.0) * v[..., k - 2]) / k
    return v


# -- classes -----------------------------------------------------------------------------------------------------------


class Poly1d:
    """What np.poly1d does, for active coefficients."""

    def __init__(self, c_or_r, r=False, variable=None):
        self.all = np.poly(c_or_r) if r else np.asarray(c_or_r)  # with zeros in front, which matter seldom

    @property
    def coeffs(self):
        return _without_zeros(self.all)

    @property
    def coef(self):
        return _without_zeros(self.all)

    @property
    def c(self):
        return _without_zeros(self.all)

    @property
    def order(self):
        return np.size(_without_zeros(self.all)) - 1

    @property
    def o(self):
        return np.size(_without_zeros(self.all)) - 1

    def __call__(self, val):
        if not isinstance(val, Poly1d):
            return np.polyval(self.all, val)
        composed = Poly1d(self.all[:1])
        for k in range(1, np.size(self.all)):
            composed = composed * val + self.all[k]
        return composed

    def __getitem__(self, k):
        if k < 0 or k > np.size(self.all) - 1:
            return 0.0
        return self.all[np.size(self.all) - 1 - k]

    def __len__(self):
        return np.size(_without_zeros(self.all)) - 1

    def __neg__(self):
        return Poly1d(-self.all)

    def __add__(self, other):
        return Poly1d(np.polyadd(self.all, _coefficients(other)))

    def __radd__(self, other):
        return Poly1d(np.polyadd(self.all, _coefficients(other)))

    def __sub__(self, other):
        return Poly1d(np.polysub(self.all, _coefficients(other)))

    def __mul__(self, other):
        return Poly1d(np.convolve(self.all, _coefficients(other)))

    def __rmul__(self, other):
        return Poly1d(np.convolve(self.all, _coefficients(other)))

    def __rsub__(self, other):
        return Poly1d(np.polysub(_coefficients(other), self.all))

    def __truediv__(self, other):
        if isinstance(other, Poly1d):
            quotient, rest = np.polydiv(self.coeffs, other.coeffs)
            return Poly1d(quotient), Poly1d(rest)
        return Poly1d(self.all / other)

    def __pow__(self, n):
        power = np.ones(1)
        for _ in range(n):
            power = np.convolve(power, self.all)
        return Poly1d(power)

    def deriv(self, m=1):
        return Poly1d(np.polyder(self.all, m))

    def integ(self, m=1, k=0):
        return Poly1d(np.polyint(self.all, m, k))


def _without_zeros(c):
    trimmed = np.trim_zeros(c, "f")
    return trimmed if np.size(trimmed) else np.zeros(1)


def _coefficients(other):
    return other.all if isinstance(other, Poly1d) else np.atleast_1d(other)


class Series:
    """What the classes of np.polynomial do, for active coefficients: evaluation on the domain."""

    def __init__(self, coef, domain=None, window=None, symbol="x"):
        if domain is not None or window is not None:
            raise NoDerivative("a domain or window", "map the argument yourself")
        self.coef = np.asarray(coef)


class Polynomial(Series):
    def __call__(self, arg):
        return np.polyval(self.coef[::-1], arg)

    def __add__(self, other):
        return Polynomial(np.polyadd(self.coef[::-1], _series(other)[::-1])[::-1])

    def __sub__(self, other):
        return Polynomial(np.polysub(self.coef[::-1], _series(other)[::-1])[::-1])

    def __mul__(self, other):
        return Polynomial(np.convolve(self.coef, _series(other)))

    def __rmul__(self, other):
        return Polynomial(np.convolve(self.coef, _series(other)))

    def deriv(self, m=1):
        if m == 0:
            return Polynomial(np.array(self.coef))
        return Polynomial(np.polyder(self.coef[::-1], m)[::-1])

    def integ(self, m=1, k=None, lbnd=None):
        if m == 0:
            return Polynomial(np.array(self.coef))
        start = 0.0 if lbnd is None else lbnd
        if k is None:
            return Polynomial(np.polynomial.polynomial.polyint(self.coef, m, lbnd=start))
        return Polynomial(np.polynomial.polynomial.polyint(self.coef, m, k, start))


def _series(other):
    return other.coef if isinstance(other, Series) else np.atleast_1d(other)


class Chebyshev(Series):
    def __call__(self, arg):
        return np.polynomial.chebyshev.chebval(arg, self.coef)


class Legendre(Series):
    def __call__(self, arg):
        return np.polynomial.legendre.legval(arg, self.coef)


class Hermite(Series):
    def __call__(self, arg):
        return np.polynomial.hermite.hermval(arg, self.coef)


class HermiteE(Series):
    def __call__(self, arg):
        return np.polynomial.hermite_e.hermeval(arg, self.coef)


class Laguerre(Series):
    def __call__(self, arg):
        return np.polynomial.laguerre.lagval(arg, self.coef)


@definition(np.poly1d)
def poly1d(c_or_r, r=False, variable=None):
    """Its calls are np.polyval."""
    return Poly1d(c_or_r, r)


# What the classes of np.polynomial are given they copy: others may overwrite it, and `p.coef` may be overwritten.
@definition(np.polynomial.Polynomial)
def polynomial(coef, domain=None, window=None, symbol="x"):
    return Polynomial(np.array(coef), domain, window)


@definition(np.polynomial.Chebyshev)
def chebyshev(coef, domain=None, window=None, symbol="x"):
    return Chebyshev(np.array(coef), domain, window)


@definition(np.polynomial.Legendre)
def legendre(coef, domain=None, window=None, symbol="x"):
    return Legendre(np.array(coef), domain, window)


@definition(np.polynomial.Hermite)
def hermite(coef, domain=None, window=None, symbol="x"):
    return Hermite(np.array(coef), domain, window)


@definition(np.polynomial.HermiteE)
def hermite_e(coef, domain=None, window=None, symbol="x"):
    return HermiteE(np.array(coef), domain, window)


@definition(np.polynomial.Laguerre)
def laguerre(coef, domain=None, window=None, symbol="x"):
    return Laguerre(np.array(coef), domain, window)


# -- cumulative, polynomials, histograms -------------------------------------------------------------------------------


@adjoint(np.polymul)
def polymul(y, a1, a2):
    if is_empty(a1) or is_empty(a2):  # stands for the polynomial 0
        d[a1] = np.zeros_like(a1)
        d[a2] = np.zeros_like(a2)
    else:
        d[a1] = convolve_part(d[y], a1, a2, "full", False)
        d[a2] = convolve_part(d[y], a2, a1, "full", False)


@tangent(np.polymul)
def polymul(y, a1, a2):
    if is_empty(a1) or is_empty(a2):
        d[y] = np.polymul(zeros_for(d[a1], a1), a2) + np.polymul(a1, zeros_for(d[a2], a2))
    else:
        d[y] = (np.convolve(d[a1], a2) + np.convolve(a1, d[a2]))[-np.size(y) :]


@adjoint(np.polyadd)
def polyadd(y, a1, a2):
    d[a1] = d[y][np.size(d[y]) - np.size(a1) :]
    d[a2] = d[y][np.size(d[y]) - np.size(a2) :]


@tangent(np.polyadd)
def polyadd(y, a1, a2):
    d[y] = np.polyadd(zeros_for(d[a1], a1), zeros_for(d[a2], a2))


@adjoint(np.polysub)
def polysub(y, a1, a2):
    d[a1] = d[y][np.size(d[y]) - np.size(a1) :]
    d[a2] = -d[y][np.size(d[y]) - np.size(a2) :]


@tangent(np.polysub)
def polysub(y, a1, a2):
    d[y] = np.polysub(zeros_for(d[a1], a1), zeros_for(d[a2], a2))


@adjoint(np.polyint)
def polyint(y, p, m=1, k=None):
    """One integral."""
    d[p] = d[y][:-1] / np.arange(np.size(p), 0, -1)


@tangent(np.polyint)
def polyint(y, p, m=1, k=None):
    d[y] = np.polyint(d[p])


@adjoint(np.polyfit)
def polyfit(c, x, y, deg, rcond=None, full=False, w=None, cov=False):
    """In the values y, without weights."""
    d[y] = np.linalg.pinv(np.vander(x, deg + 1)).T @ d[c]


@tangent(np.polyfit)
def polyfit(c, x, y, deg, rcond=None, full=False, w=None, cov=False):
    d[c] = np.polyfit(x, d[y], deg)


@adjoint(np.polyval)
def polyval(y, p, x):
    """All powers of x for the coefficients."""
    of_rank(p, 0, 1)
    d[p] = summed_with_powers(d[y], x, p)
    d[x] = d[y] * np.polyval(np.polyder(p), x)


@tangent(np.polyval)
def polyval(y, p, x):
    of_rank(p, 0, 1)
    d[y] = np.polyval(d[p], x) + np.polyval(np.polyder(p), x) * d[x]


@linear(np.polyder)
def polyder(y, p, m=1):
    if may_be_empty(p):
        d[p] = np.append(d[y] * np.arange(np.size(d[y]), 0, -1), 0.0)[: np.size(p)]
    else:
        d[p] = np.append(d[y] * np.arange(np.size(d[y]), 0, -1), 0.0)
