"""Special functions of SciPy, and distribution functions in their shape parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

# -- special functions -------------------------------------------------------------------------------------------------


def trigamma(x: Any) -> Any:
    """scipy.special.polygamma(1, x), the derivative of psi, by recurrence and asymptotic series; of complex x as well.

    >>> round(float(trigamma(1.0)), 12)
    1.644934066848
    """
    x = np.asarray(x)
    x = x.astype(np.result_type(x.dtype, np.float32), copy=False)
    negative = np.real(x) < 0.0
    reflect = np.any(negative)
    z = np.where(negative, 1.0 - x, x) if reflect else x
    with np.errstate(all="ignore"):
        r = 1.0 / (z + 8.0)
        w = r * r
        series = w * (7.0 / 6.0 - w * (3617.0 / 510.0))  # the numbers are Bernoulli's
        series = w * (1.0 / 42.0 - w * (1.0 / 30.0 - w * (5.0 / 66.0 - w * (691.0 / 2730.0 - series))))
        total = r + w * (0.5 + r * (1.0 / 6.0 - w * (1.0 / 30.0 - series)))
        for k in range(7, -1, -1):
            r = 1.0 / (z + float(k))
            total = total + r * r
        if reflect:
            sine = np.sin(np.pi * (x - np.round(np.real(x))))
            total = np.where(negative, np.where(np.isinf(sine), 0.0, np.pi / sine) ** 2 - total, total)
    return total[()]


def rgamma_slope(y: Any, z: Any) -> Any:
    """The derivative of y = scipy.special.rgamma(z): by reflection (DLMF 5.5.3) at the poles of gamma.

    >>> rgamma_slope(np.zeros(3), np.array([0.0, -1.0, -2.0]))
    array([ 1., -1.,  2.])
    """
    from scipy import special

    z = np.asarray(z)
    pole = (y == 0.0) & (np.real(z) <= 0.0)
    n = np.where(pole, z, 0.0)
    own = -y * special.psi(np.where(pole, 1.0, z))
    return np.where(pole, np.cos(np.pi * n) * special.gamma(1.0 - n), own).astype(own.dtype, copy=False)[()]


def log_ratio(a: Any, b: Any) -> Any:
    """log(a / b), also where the quotient is no number of the precision or has few digits.

    >>> log_ratio(np.array([1e200, 2.0]), np.array([1e-200, 2.0])).round(3)
    array([921.034,   0.   ])
    """
    with np.errstate(all="ignore"):
        q = np.divide(a, b)
        normal = (np.abs(q) >= np.finfo(np.asarray(q).dtype).tiny) & np.isfinite(q)
        return np.where(normal, np.log(q), np.log(a) - np.log(b))[()]


def elliptic_integral(p: Any, c: float, s: float) -> Any:
    """The integral of (c cos**2 + s sin**2) / sqrt(cos**2 + p sin**2) over a quarter turn, by arithmetic and geometric
    means: nothing cancels unless c and s do (Bulirsch 1969; DLMF 19.8).

    >>> round(float(elliptic_integral(0.25, 1.0, 1.0)), 10)  # scipy.special.ellipk(0.75)
    2.1565156475
    """
    with np.errstate(all="ignore"):
        a, g = 1.0, np.sqrt(p)
        near = 3.0 * np.sqrt(np.finfo(g.dtype).eps)
        for _ in range(16):  # so many where p is the smallest of numbers
            last = not np.any(np.abs(a - g) > near * a)
            total = a + g
            c, s = 0.5 * (c + s), (c * g + s * a) / total
            a, g = 0.5 * total, np.sqrt(a * g)
            if last:
                break
        return 0.25 * np.pi * (c + s) / g


def carlson_slope(x: Any, y: Any, z: Any, p: Any = None, f: Any = 0.0) -> Any:
    """The derivative of f = scipy.special.elliprj(x, y, z, p) in x; without p that of elliprd(x, y, z).

    It is half the difference of elliprj at p and at x, over p - x. Carlson's duplication (DLMF 19.26) makes a quarter
    of each difference; what it adds is divided by p - x on paper, so that nothing cancels. Where p is far from
    x, or negative, the difference itself has all digits.

    >>> carlson_slope(1.0, 1.0, 1.0).round(12).item(), carlson_slope(1.0, 1.0, 1.0, 1.0, 1.0).round(12).item()
    (-0.3, -0.3)
    """
    from scipy.special import elliprd

    kind = np.result_type(x, y, z, z if p is None else p)
    with np.errstate(all="ignore"):
        far, plain, q = False, 0.0, z
        if p is not None:
            far = (np.real(p) < 0.25 * np.abs(x)) | (np.real(p) > 4.0 * np.abs(x + y + z))
            plain = 0.5 * (f - elliprd(y, z, x)) / np.where(far, p - x, 1.0)
            q = np.where(far, x, p)
        scale = np.asarray(x + y + z + q)
        x, y, z, q = x / scale, y / scale, z / scale, q / scale
        total, part = 0.0, 1.0
        for _ in range(11):
            r, s, t = np.sqrt(x), np.sqrt(y), np.sqrt(z)
            roots, step = r + s + t, r * s + s * t + t * r
            a = q * roots + r * s * t
            added = 3.0 * roots / (r * (x + step) * a)
            if p is not None:
                square = q * ((q + step) / a) ** 2  # soon nearly 1, where elliprd has a short series
                h = square - 1.0
                if np.all(np.abs(h) < 1e-4):
                    own = 1.0 - h * (3.0 / 5.0 - h * (3.0 / 7.0 - h * (3.0 / 9.0)))
                else:
                    own = elliprd(square, square, 1.0)
                added = added + (q - y) * (q - z) / (a * a * a) * own
            total, part = total + part * added, part / 16.0
            x, y, z, q = 0.25 * (x + step), 0.25 * (y + step), 0.25 * (z + step), 0.25 * (q + step)
        total = total + 0.6 * part * ((3.0 * x + y + z + 2.0 * q) / 7.0) ** -2.5
        near = -0.5 * total / scale / scale / np.sqrt(scale)
        return np.where(far, plain, near).astype(kind, copy=False)[()]


# -- distribution functions in their shape parameters ------------------------------------------------------------------


def gammainc_logs(a: Any, x: Any) -> Any:
    """The derivatives in a of the logarithms of scipy.special.gammainc(a, x) for x up to a + 1, by its power series,
    and of scipy.special.gammaincc(a, x) from there on, by its continued fraction."""
    from scipy.special import psi

    steps = 100 + 10 * int(np.sqrt(np.fmax.reduce(np.real(a), axis=None, initial=1.0)))
    limit = np.real(a) + 1.0
    low, high = np.minimum(x, limit), np.maximum(x, limit)
    term, slope, total, slopes = 1.0, 0.0, 1.0, 0.0
    for n in range(1, steps if np.any(x < limit) else 1):
        below = a + n
        ratio = low / below
        slope = (slope - term / below) * ratio
        term = term * ratio
        total, slopes = total + term, slopes + slope
        if n % 8 == 0 and np.all(np.abs(term) < 1e-20 * np.abs(total)):
            break
    f, df = high + (2.0 * steps + 1.0) - a, -1.0
    for n in range(steps if np.any(x >= limit) else 0, 0, -1):
        df = -1.0 + n / f + n * (n - a) * df / (f * f)
        f = high + (2.0 * n - 1.0) - a - n * (n - a) / f
    return slopes / total + np.log(low) - psi(a + 1.0), np.log(high) - psi(a) - df / f


def gammainc_slope(a: Any, x: Any, order: int = 1) -> Any:
    """The first or second derivative of scipy.special.gammainc(a, x) with respect to a.

    >>> round(float(gammainc_slope(2.0, 1.5)), 12)
    -0.313488637825
    """
    from scipy.special import gammainc, gammaincc

    a, x = np.asarray(a, dtype=float), np.asarray(x, dtype=float)
    with np.errstate(all="ignore"):
        low, high = gammainc_logs(a, x)
        if order == 2:
            tilted = gammainc_logs(a + 1e-20j, x)  # the complex step
            low, high = (u * u + 1e20 * np.imag(t) for u, t in zip((low, high), tilted, strict=True))
        far = x >= a + 1.0
        above = gammaincc(a, np.where(far, x, np.inf))  # slow where it is not small
        slope = np.where(far, -above * high, gammainc(a, x) * low)
    return np.where((x <= 0.0) | (x == np.inf), 0.0, slope)[()]


def psi_increase(b: Any, a: Any) -> Any:
    """psi(a + b) - psi(b) of scipy.special, to all its digits where both arguments have one sign: by recurrence and
    the difference of asymptotic series (DLMF 5.5, 5.11), of negative arguments by reflection.

    >>> float(psi_increase(1e8, 0.5)) * 1e8, float(psi_increase(2.0, 1e-200)) * 1e200
    (0.50000000125, 0.6449340668482264)
    """
    from scipy.special import psi

    kind = np.result_type(a, b)
    a, b = np.asarray(a, np.result_type(kind, float)), np.asarray(b, np.result_type(kind, float))
    with np.errstate(all="ignore"):
        total = a + b
        turned, mixed = np.real(b) < 0.0, (np.real(b) < 0.0) != (np.real(total) < 0.0)
        low, high = np.where(turned, 1.0 - total, b), np.where(turned, 1.0 - b, total)
        found: Any = 0.0
        for k in range(10):
            found = found + a / (high + k) / (low + k)
        low, high = low + 10.0, high + 10.0
        p, q = low**-2.0, high**-2.0
        slope, value = 0.0, 0.0  # of the series in p and q, divided by p - q
        for term in (1 / 12, -691 / 32760, 1 / 132, -1 / 240, 1 / 252, -1 / 120, 1 / 12):
            slope, value = value + p * slope, term + q * value
        slope = value + p * slope
        found = found + np.log1p(a / low) + a / low / high * (0.5 + (1.0 / low + 1.0 / high) * slope)
        if np.any(turned):
            sine, of_b, of_total = (np.sin(np.pi * (u - np.round(np.real(u)))) for u in (a, b, total))
            sign = np.cos(np.pi * (np.round(np.real(a)) - np.round(np.real(b)) - np.round(np.real(total))))
            found = np.where(turned, np.where(sine == 0.0, 0.0, np.pi * sign * sine / of_b / of_total) - found, found)
        if np.any(mixed):
            found = np.where(mixed, psi(total) - psi(b), found)
        return found.astype(kind, copy=False)[()]


def reflected(u: Any, fraction: Any = None) -> Any:
    """psi(1 - u), trigamma(1 - u) and c = pi / tan(pi u), by which psi(u) is the first less c, and trigamma(u) is
    c**2 + pi**2 less the second (DLMF 5.5.4): near a pole of gamma c is all that is large.

    `fraction` is u less the int next to it, where more digits of it are known than u has.

    >>> [x.round(3).item() for x in reflected(np.array(0.25))]
    [-1.086, 2.542, 3.142]
    """
    from scipy import special

    fraction = u - np.round(np.real(u)) if fraction is None else fraction
    return special.psi(1.0 - u), trigamma(1.0 - u), np.pi / np.tan(np.pi * fraction)


def rgamma_curve(s: Any, y: Any, z: Any) -> Any:
    """The derivative of s = rgamma_slope(y, z).

    >>> rgamma_curve(np.array([1.0, -1.0]), np.zeros(2), np.array([0.0, -1.0])).round(3)
    array([1.154, 0.846])
    """
    from scipy import special

    z = np.asarray(z)
    pole = (y == 0.0) & (np.real(z) <= 0.0)
    left = (np.real(z) < 0.5) & ~pole
    inside = np.where(pole | left, 1.0, z)
    with np.errstate(all="ignore"):
        p, t, c = reflected(np.where(left, z, 0.25))
        # (s * s / y - y * trigamma(z), without what is large in both near a pole)
        near = y * (p * p + t - np.pi**2) - 2.0 * p * (c * y)
    own = np.where(left, near, -s * special.psi(inside) - y * trigamma(inside))
    return np.where(pole, -2.0 * s * special.psi(1.0 - np.where(pole, z, 0.0)), own).astype(own.dtype, copy=False)[()]


def poch_slope(y: Any, z: Any, m: Any) -> Any:
    """The derivative of y = scipy.special.poch(z, m) in z, also where it is 0 (at a pole of gamma).

    >>> poch_slope(np.array([0.0, 6.0]), np.array([-1.0, -3.0]), 2.0)
    array([-1., -5.])
    """
    from scipy import special

    kind, z, m = np.result_type(y, z, m), np.asarray(z, float), np.asarray(m, float)
    pole = (y == 0.0) & (z <= 0.0) & (z == np.round(z))
    n = np.where(pole, z, 0.0)
    with np.errstate(all="ignore"):
        own = y * psi_increase(np.where(pole, 1.0, z), m)
        edge = np.cos(np.pi * n) * special.gamma(1.0 - n) * special.gamma(z + m)
    return np.where(pole, edge, own).astype(kind, copy=False)[()]


def ratio_curve(u: Any, m: Any, fraction: Any = None) -> Any:
    """(psi(u + m) - psi(u))**2 + trigamma(u + m) - trigamma(u) for u < 1/2, without what is large in two of them near a
    pole: the second derivative of r = gamma(u + m) / gamma(u), over r.

    >>> ratio_curve(np.array(-1.0 + 1e-9), 2.0).round(-3).item() * 1e-9
    -2.0
    """
    from scipy import special

    total = u + m
    deep = total < 0.5
    fraction = u - np.round(u) if fraction is None else fraction
    p, t, c = reflected(u, fraction)
    _, r, e = reflected(np.where(deep, total, 0.25))
    rise = np.where(deep, psi_increase(1.0 - u, -m), special.psi(np.where(deep, 1.0, total)) - p)
    sine, of_u, of_total = (np.sin(np.pi * x) for x in (m - np.round(m), fraction, total - np.round(total)))
    turn = np.cos(np.pi * (np.round(m) + np.round(u) + np.round(total))) * np.pi * sine / of_u / of_total
    far = rise * rise + t - np.where(deep, r, np.pi**2 - trigamma(np.where(deep, 1.0, total)))
    return far + np.where(deep, np.where(sine == 0.0, 0.0, 2.0 * turn * (rise - e)), 2.0 * rise * c)


def poch_curve(s: Any, y: Any, z: Any, m: Any) -> Any:
    """The derivative of s = poch_slope(y, z, m) in z.

    >>> poch_curve(np.array([-1.0, -5.0]), np.array([0.0, 6.0]), np.array([-1.0, -3.0]), 2.0).round(12)
    array([2., 2.])
    """
    from scipy import special

    kind, z, m = np.result_type(s, y, z, m), np.asarray(z, float), np.asarray(m, float)
    below = (z <= 0.0) & (z == np.round(z))
    pole, both = below & (y == 0.0), below & (y != 0.0)
    inside = np.where(pole, 1.0, z)
    with np.errstate(all="ignore"):
        low, high = np.where(both, 1.0 - z - m, inside), np.where(both, 1.0 - z, z + m)
        own = s * psi_increase(inside, m) + y * (trigamma(high) - trigamma(low))
        own = np.where((inside < 0.5) & ~both, y * ratio_curve(np.where(both, 0.25, inside), m), own)
        edge = 2.0 * s * (special.psi(z + m) - special.psi(1.0 - np.where(pole, z, 0.0)))
    return np.where(pole, edge, own).astype(kind, copy=False)[()]


def fraction_of_difference(n: Any, k: Any) -> Any:
    """n - k less the int next to it, with more digits than n - k has.

    >>> fraction_of_difference(1e-20, 2.0).item()
    1e-20
    """
    found = n - np.round(n) - (k - np.round(k))
    return found - np.round(found)


def binom_slope(y: Any, n: Any, k: Any, of_k: bool) -> Any:
    """The derivative of y = scipy.special.binom(n, k) in n or in k, also where it is 0 (at a pole of gamma).

    >>> [binom_slope(y, 3.0, k, True).round(3).item() for y, k in ((3.0, 1.0), (0.0, 4.0), (0.0, -1.0))]
    [1.5, -0.25, 0.25]
    """
    from scipy import special

    kind, n, k = np.result_type(y, n, k), np.asarray(n, float), np.asarray(k, float)
    rest = n - k
    below = (k < 0.0) & (k == np.round(k))
    j = np.where(below, -k, -rest)
    pole = (y == 0.0) & (j > 0.0) & (j == np.round(j))
    j = np.where(pole, j, 1.0)
    with np.errstate(all="ignore"):
        edge = -np.cos(np.pi * j) / (j * special.binom(n + j, j))
        turned = (rest <= -1.0) & ~pole if of_k else (rest <= -1.0) & (n > -1.0) & ~pole
        # by reflection
        cotangent = np.pi / np.tan(np.pi * np.where(turned, -fraction_of_difference(n, k), 0.5))
        if of_k:
            change = np.where(turned, cotangent - psi_increase(-rest, n + 1.0), psi_increase(k + 1.0, rest - k))
            edge = np.where(below, edge, -edge)
        else:
            change = np.where(turned, psi_increase(-rest, n + rest + 1.0) - cotangent, psi_increase(rest + 1.0, k))
            edge = np.where(below, 0.0, edge)
        return np.where(pole, edge, y * change).astype(kind, copy=False)[()]


def binom_curve(s: Any, y: Any, n: Any, k: Any, of_k: bool, in_k: bool) -> Any:
    """The derivative of s = binom_slope(y, n, k, of_k) in n or in k.

    >>> [binom_curve(s, y, 3.0, k, True, True).round(3).item() for s, y, k in ((1.5, 3.0, 1.0), (-0.25, 0.0, 4.0))]
    [-2.37, 1.042]
    """
    from scipy import special

    kind, n, k = np.result_type(s, y, n, k), np.asarray(n, float), np.asarray(k, float)
    rest = n - k
    below = (k < 0.0) & (k == np.round(k))
    j = np.where(below, -k, -rest)
    pole = (y == 0.0) & (j > 0.0) & (j == np.round(j))
    j = np.where(pole, j, 1.0)
    with np.errstate(all="ignore"):
        if of_k and in_k:
            own = s * psi_increase(k + 1.0, rest - k) - y * (trigamma(rest + 1.0) + trigamma(k + 1.0))
        elif not (of_k or in_k):
            own = s * psi_increase(rest + 1.0, k) + y * (trigamma(n + 1.0) - trigamma(rest + 1.0))
        else:
            other = psi_increase(rest + 1.0, k) if of_k else psi_increase(k + 1.0, rest - k)
            own = s * other + y * trigamma(rest + 1.0)
        # near a pole of one gamma alone
        of_rest, of_lower = (rest < -0.5) & ((n > -0.9) | (of_k and in_k)) & ~pole, (k < -0.5) & (rest > -0.5) & ~pole
        u = np.where(of_rest, rest + 1.0, np.where(of_lower, k + 1.0, 0.25))
        fraction = np.where(of_rest, fraction_of_difference(n, k), np.where(of_lower, k - np.round(k), 0.25))
        p, t, c = reflected(u, fraction)
        other = np.where(of_lower, rest, k) + 1.0
        if of_k and in_k:
            rise = p - special.psi(other)
            near = rise * (rise - 2.0 * c) + t - trigamma(other) - np.pi**2
            own = np.where(of_rest | of_lower, y * near, own)
        elif of_k or in_k:
            above, lower = special.psi(n + 1.0), special.psi(k + 1.0)
            near = np.pi**2 + c * (2.0 * p - lower - above) + (above - p) * (p - lower) - t
            own = np.where(of_rest, y * near, own)
        else:
            own = np.where(of_rest, y * ratio_curve(u, k, fraction), own)
        # where one gamma is at a pole, and the others are known
        at_j, above, under, upper = map(special.psi, (j, n + 1.0, rest + 1.0, k + 1.0))
        if of_k and in_k:
            edge = 2.0 * s * np.where(below, under - at_j, at_j - upper)
        elif of_k or in_k:
            edge = binom_slope(y, n, k, True) * np.where(below, above - under, above + upper - 2.0 * at_j)
        else:
            edge = np.where(below, 0.0, 2.0 * s * (above - at_j))
    return np.where(pole, edge, own).astype(kind, copy=False)[()]


def betainc_logs(a: Any, b: Any, x: Any) -> Any:
    """The derivatives in a and in b of the logarithm of scipy.special.betainc(a, b, x), or of 1 - betainc(a, b, x)
    where x is above (a + 1) / (a + b + 2), by the continued fraction that converges fast there."""
    turned = x > np.real((a + 1.0) / (a + b + 2.0))  # there it is betainc(b, a, 1 - x)
    p, q, z = np.where(turned, b, a), np.where(turned, a, b), np.where(turned, 1.0 - x, x)
    f, fp, fq, total, minus_z = 1.0, 0.0, 0.0, a + b, -z
    size = np.sqrt(np.fmax.reduce(np.real(total), axis=None, initial=1.0))
    rate = np.arctanh(np.sqrt(1.0 - min(1.0, np.fmax.reduce(z, axis=None, initial=1e-16))))  # late terms: exp(-2 rate)
    steps = 8 + int(3.0 * size + min(18.0 / rate, 60.0 + 3.0 * size))
    under = 1.0 / (p + steps)
    for k in range(steps, 0, -1):
        m = k // 2
        over, under = under, 1.0 / (p + (k - 1))
        if k % 2:
            below, ahead = minus_z * over * under, total + m
            tq = (p + m) * below
            t, tp = ahead * tq, tq + ahead * below
        else:
            tq = m * z * over * under
            t, tp = (q - m) * tq, 0.0
        tp = tp - t * (over + under)
        inverse = 1.0 / f
        t = t * inverse
        f, fp, fq = 1.0 + t, (tp - t * fp) * inverse, (tq - t * fq) * inverse
    of_p, of_q = -1.0 / p - fp / f, -fq / f
    of_a, of_b = np.where(turned, of_q, of_p), np.where(turned, of_p, of_q)
    return np.log(x) + psi_increase(a, b) + of_a, np.log1p(-x) + psi_increase(b, a) + of_b


def betainc_slope(a: Any, b: Any, x: Any, which: Any) -> Any:
    """The derivative of scipy.special.betainc(a, b, x) with respect to "a", "b" (or an array of these), or twice: "aa",
    "ab", "bb".

    >>> round(float(betainc_slope(2.0, 3.0, 0.25, "a")), 12), round(float(betainc_slope(2.0, 3.0, 0.25, "bb")), 12)
    (-0.228053602324, -0.000417938776)
    """
    from scipy.special import betainc

    a, b, x = (np.asarray(v, dtype=float) for v in (a, b, x))
    with np.errstate(all="ignore"):
        of_a, of_b = betainc_logs(a, b, x)
        if isinstance(which, np.ndarray):
            part = np.where(which == "a", of_a, of_b)
        elif len(which) == 1:
            part = of_a if which == "a" else of_b
        elif which == "bb":
            part = of_b**2 + 1e20 * np.imag(betainc_logs(a, b + 1e-20j, x)[1])  # the complex step
        else:
            tilted = betainc_logs(a + 1e-20j, b, x)
            part = of_a**2 + 1e20 * np.imag(tilted[0]) if which == "aa" else of_a * of_b + 1e20 * np.imag(tilted[1])
        turned = x > (a + 1.0) / (a + b + 2.0)
        tail = betainc(np.where(turned, b, a), np.where(turned, a, b), np.where(turned, 1.0 - x, x))
        slope = np.where(turned, -tail, tail) * part
    return np.where((x <= 0.0) | (x >= 1.0), 0.0, slope)[()]


def stdtr_slope(df: Any, t: Any, order: int = 1) -> Any:
    """The first or second derivative of scipy.special.stdtr(df, t), Student's distribution function, in df.

    >>> round(float(stdtr_slope(3.0, 1.5)), 12)
    0.014677120429
    """
    from scipy.special import gammaln

    df, t = np.asarray(df, dtype=float), np.asarray(t, dtype=float)
    u, w, half = t * t / (df + t * t), df / (df + t * t), 0.5 * df
    near = u < 0.5
    if order == 1:
        arguments = np.where(near, 0.5, half), np.where(near, half, 0.5), np.where(near, u, w)
        of_half = betainc_slope(*arguments, np.where(near, "b", "a")) * np.where(near, 1.0, -1.0)
    else:
        of_half = np.where(near, betainc_slope(0.5, half, u, "bb"), -betainc_slope(half, 0.5, w, "aa"))
    with np.errstate(all="ignore"):
        log_w = -np.log1p(t * t / df)
        series = 0.5 * np.log(half) - 0.125 / half + half**-3.0 / 192.0 - half**-5.0 / 640.0
        ratio = np.where(half > 30.0, series, gammaln(half + 0.5) - gammaln(half))  # the logarithm of two gammas'
        moved = np.exp(0.5 * np.log(u / np.pi) + half * log_w + ratio) / df
        slope = 0.5 * of_half - moved
        if order == 2:
            of_log = log_w + psi_increase(half, 0.5)
            slope = 0.25 * of_half - moved * (of_log + 0.5 * (u - w / df) - 1.0 / df)
    return (np.sign(t) * 0.5 * np.where(t == 0.0, 0.0, slope))[()]
