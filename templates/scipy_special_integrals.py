"""Special functions that are integrals, elliptic ones among them."""

import numpy as np
from scipy import special

from s2sad.rules import adjoint, d, definition, elementwise, tangent
from s2sad.runtime import helpers

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


# -- more of probability and elementary functions ----------------------------------------------------------------------


@elementwise(special.ellipkm1)
def ellipkm1(y, p):
    """As ellipk."""
    if is_scalar(p):
        return special.elliprd(0.0, 1.0, p) / -6.0
    return -0.5 * helper("elliptic_integral", y, p, 1.0, 0.0) / p
