"""What SciPy's special functions and distributions are in mpmath, and where they are looked at."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import mpmath
from mpmath import mp
from scipy import special, stats

from tests.rules.ranges import Row

INF = math.inf


def grid(*lines: Any) -> tuple[Any, ...]:
    """All combinations of arguments."""
    return tuple(itertools.product(*lines))


def inverse(f: Callable[[Any], Any], start: float, value: Any) -> Any:
    """Where f is a value, by secants from what SciPy says."""
    x = mpmath.mpf(start)
    step = abs(x) * mpmath.mpf(2) ** -40 or mpmath.mpf(2) ** -40
    here, there = f(x) - value, f(x + step) - value
    y = x + step
    for _ in range(60):
        if there == here or abs(y - x) <= abs(y) * mp.eps * 16:
            break
        x, y = y, y - there * (y - x) / (there - here)
        here, there = there, f(y) - value
    return y


def exprel(x: Any) -> Any:
    return mp.expm1(x) / x if x else mpmath.mpf(1)


def gammainc(a: Any, x: Any) -> Any:
    return mp.gammainc(a, 0, x, regularized=True)


def gammaincc(a: Any, x: Any) -> Any:
    return mp.gammainc(a, x, regularized=True)


def betainc(a: Any, b: Any, x: Any) -> Any:
    return mp.betainc(a, b, 0, x, regularized=True)


def betaincc(a: Any, b: Any, x: Any) -> Any:
    return mp.betainc(b, a, 0, 1 - x, regularized=True)


def ndtr(x: Any) -> Any:
    return mp.erfc(-x / mp.sqrt(2)) / 2


def stdtr(df: Any, t: Any) -> Any:
    tail = mp.betainc(df / 2, mpmath.mpf(1) / 2, 0, df / (df + t * t), regularized=True) / 2
    return tail if t < 0 else 1 - tail


def xlog(a: Any, value: Any) -> Any:
    return a * mp.log(value) if a else mpmath.mpf(0)


def binomial(n: Any, k: Any) -> Any:
    return mp.gammaprod([n + 1], [k + 1, n - k + 1])


def rising(z: Any, m: Any) -> Any:
    return mp.gammaprod([z + m], [z])


def slope_of(f: Callable[..., Any], k: int) -> Callable[..., Any]:
    """The derivative of a function in one of its arguments, also where formulas have poles."""

    def slope(*args: Any) -> Any:
        step = mpmath.mpf(10) ** -(mp.dps // 3)
        ahead, behind = ([v + way * step * (i == k) for i, v in enumerate(args)] for way in (1, -1))
        return (f(*ahead) - f(*behind)) / (2 * step)

    return slope


BINOMIALS = grid((0.3, 3.0, 3.3, 10.5, 40.0, -0.5, -2.5), (0.0, 0.3, 2.5, 3.0, 4.0, 20.0, -1.0, -2.0, -0.4))


def kelvin(real: Any, imaginary: Any, sign: int) -> Callable[[Any], Any]:
    """The derivative of a Kelvin function of order 0, by those of order 1."""
    return lambda x: (real(1, x) + sign * imaginary(1, x)) / mp.sqrt(2)


def half(n: int, x: Any, f: Any) -> Any:
    return mp.sqrt(mp.pi / (2 * x)) * f(n + mpmath.mpf(1) / 2, x)


def carlson_g(x: Any, y: Any, z: Any) -> Any:
    return mp.elliprg(x, y, z)


def quarter(p: Any, c: int) -> Any:
    """The integral of cos**2 (or of sin**2) / sqrt(cos**2 + p sin**2) over a quarter turn."""
    k, e = mp.ellipk(1 - p), mp.ellipe(1 - p)
    return (e - p * k) / (1 - p) if c else (k - e) / (1 - p)


def faddeeva(z: Any) -> Any:
    return mp.exp(-z * z) * mp.erfc(-1j * z)


def owens(h: Any, a: Any) -> Any:
    return mp.quad(lambda t: mp.exp(-h * h * (1 + t * t) / 2) / (1 + t * t), [0, a]) / (2 * mp.pi)


def gegenbauer(n: int, a: Any, x: Any) -> Any:
    before, found = mpmath.mpf(0), mpmath.mpf(1)
    for k in range(1, n + 1):
        before, found = found, (2 * x * (k + a - 1) * found - (k + 2 * a - 2) * before) / k
    return found


LINE = (1e-10, 1e-3, 0.3, 1.0, 2.5, 10.0, 40.0)
BOTH = (*LINE, -1e-10, -0.3, -2.5, -10.0)
UNIT = (1e-9, 0.3, 0.5, 0.9, 0.999999)
FAR = (1e3, 1e6)
SIZES = (1e-200, 1e-9, 0.3, 2.5, 50.0, 1e8, 1e20)

#: where gamma functions are next to their poles: so near that what is large in two terms leaves no digits of the others
NEAR_POLES = [
    Row("special.gamma(x)", mp.gamma, only=(1e-9, -1e-12, -1.0 + 1e-6, -20.0 + 1e-8)),
    Row("special.gammaln(x)", lambda x: mp.log(abs(mp.gamma(x))), only=(1e-9, -1e-12, -1.0 + 1e-6, -3.0 - 1e-9)),
    Row("special.psi(x)", mp.digamma, only=(1e-9, -1e-12, -1.0 + 1e-6, -3.0 - 1e-9)),
    Row("special.rgamma(x)", mp.rgamma, only=(
        1e-9, -1e-12, 0.3, 0.7, -1.0 + 1e-6, -1.0 - 1e-9, -3.0 + 1e-3, -20.0 + 1e-8)),
    Row("special.beta(a, b)", mp.beta, only=grid((1e-9, -1.0 + 1e-6, -2.5), (0.3, 2.0, 7.5)), digits=60),
    Row("special.poch(a, b)", rising, only=(
        *grid((1e-9, 1e-4, -0.7, -2.5), (0.3, 2.0, 3.0, -0.4)), (-2.5, 2.5), (-4.000001, 2.0)), digits=60),
    Row("special.binom(a, b)", binomial, only=(
        (-0.7, 0.3), (2.5, 3.500001), (0.3, 1.3), (5.2, -1.0 + 1e-7), (3.1, -2.2), (-0.5, 2.500001), (2.5, 9.5 + 1e-9)),
        digits=60),
]  # fmt: skip
ROWS = [
    Row("special.bei(x)", lambda x: mp.bei(0, x), only=(0.0, *BOTH)),
    Row("special.ber(x)", lambda x: mp.ber(0, x), only=(0.0, *BOTH)),
    Row("special.kei(x)", lambda x: mp.kei(0, x), only=LINE),
    Row("special.ker(x)", lambda x: mp.ker(0, x), only=LINE),
    Row("special.beip(x)", kelvin(mp.bei, mp.ber, -1), only=(0.0, *BOTH)),
    Row("special.berp(x)", kelvin(mp.ber, mp.bei, 1), only=(0.0, *BOTH)),
    Row("special.keip(x)", kelvin(mp.kei, mp.ker, -1), only=LINE),
    Row("special.kerp(x)", kelvin(mp.ker, mp.kei, 1), only=LINE),
    Row("special.cbrt(x)", lambda x: mp.sign(x) * mp.cbrt(abs(x)), said={0.0: INF}),
    Row("special.cosdg(x)", lambda x: mp.cos(mp.radians(x)), below=1e4),
    Row("special.sindg(x)", lambda x: mp.sin(mp.radians(x)), below=1e4),
    Row("special.tandg(x)", lambda x: mp.tan(mp.radians(x)), below=1e4),
    Row("special.cotdg(x)", lambda x: mp.cot(mp.radians(x)), only=(1e-3, 0.3, 20.0, 45.0, 89.0, -30.0)),
    Row("special.cosm1(x)", lambda x: mp.cos(x) - 1, below=1e4),
    Row("special.ellipe(x)", mp.ellipe, only=(0.0, *UNIT, *(-x for x in LINE), -1e10)),
    Row("special.ellipk(x)", mp.ellipk, only=(0.0, *UNIT, *(-x for x in LINE), -1e10)),
    Row("special.ellipkm1(x)", lambda x: mp.ellipk(1 - x), only=(*UNIT, *LINE)),
    Row("special.erfinv(x)", mp.erfinv, only=(0.0, *UNIT, -0.3, -0.999), forms=("f4", "f8", "float")),
    Row(
        "special.erfcinv(x)",
        lambda x: inverse(mp.erfc, float(special.erfcinv(float(x))), x),
        only=(1e-9, 0.3, 1.0, 1.7),
        ulps=1e3,
    ),
    Row("special.erfi(x)", mp.erfi, only=(0.0, *BOTH[:-1], -5.0), below=25.0),
    Row("special.exp1(x)", mp.e1, only=LINE),
    Row("special.exp10(x)", lambda x: mpmath.mpf(10) ** x),
    Row("special.exp2(x)", lambda x: mpmath.mpf(2) ** x),
    Row("special.expi(x)", mp.ei, only=(*LINE, -0.3, -10.0)),
    Row("special.expm1(x)", mp.expm1),
    Row("special.exprel(x)", exprel, only=(0.0, *BOTH, 300.0, -300.0, -1e5)),
    Row("special.gamma(x)", mp.gamma, only=(1e-9, 1e-3, 0.3, 1.0, 1.4, 20.0, 150.0, -0.3, -20.5)),
    Row("special.loggamma(x)", mp.loggamma, only=(1e-9, 0.3, 1.4, 20.0, 1e6)),
    Row("special.rgamma(x)", mp.rgamma, only=(0.0, 1e-9, 0.3, 1.0, 1.4, 20.0, -0.3, -1.0, -5.0, -5.5, -1e-9)),
    Row("special.i0(x)", lambda x: mp.besseli(0, x), only=(0.0, *BOTH, 300.0)),
    Row("special.i1(x)", lambda x: mp.besseli(1, x), only=(0.0, *BOTH, 300.0)),
    # (in between the digits of the result are fewer by its argument: five hundred roundings at most)
    Row(
        "special.i0e(x)", lambda x: mp.besseli(0, x) * mp.exp(-abs(x)), only=(*BOTH, *FAR), said={0.0: 0.0}, ulps=500.0
    ),
    Row("special.i1e(x)", lambda x: mp.besseli(1, x) * mp.exp(-abs(x)), only=(*BOTH, *FAR), ulps=500.0),
    Row("special.j0(x)", lambda x: mp.besselj(0, x), only=(0.0, *BOTH, 1e3)),
    Row("special.j1(x)", lambda x: mp.besselj(1, x), only=(0.0, *BOTH, 0.02, 1e3)),
    Row("special.k0(x)", lambda x: mp.besselk(0, x), only=(*LINE, 600.0)),
    Row("special.k1(x)", lambda x: mp.besselk(1, x), only=(*LINE, 600.0)),
    Row("special.k0e(x)", lambda x: mp.besselk(0, x) * mp.exp(x), only=(*LINE, *FAR), ulps=500.0),
    Row("special.k1e(x)", lambda x: mp.besselk(1, x) * mp.exp(x), only=(*LINE, *FAR), ulps=500.0),
    Row("special.y0(x)", lambda x: mp.bessely(0, x), only=(*LINE, 1e3)),
    Row("special.y1(x)", lambda x: mp.bessely(1, x), only=(*LINE, 1e3)),
    Row("special.lambertw(x)", mp.lambertw, only=(1e-9, 0.3, 2.0, 50.0, 1e100, -0.3), forms=("f8",)),
    Row("special.log1p(x)", mp.log1p),
    Row("special.ndtr(x)", ndtr, digits=800, only=(0.0, *BOTH, -35.0), below=60.0),
    Row(
        "special.ndtri(x)",
        lambda x: inverse(ndtr, float(special.ndtri(float(x))), x),
        only=(1e-200, 1e-9, 0.3, 0.5, 0.9),
        ulps=1e3,
    ),
    Row(
        "special.ndtri_exp(x)",
        lambda x: inverse(lambda y: mp.log(ndtr(y)), float(special.ndtri_exp(float(x))), x),
        only=(-1e3, -50.0, -3.0, -0.7, -0.1, -1e-9),
        ulps=1e3,
    ),
    Row(
        "special.spence(x)",
        lambda x: mp.re(mp.polylog(2, 1 - x)),
        said={0.0: -INF},
        only=(1e-9, 0.3, 0.9, 0.999999, 1.0, 1.000001, 1.9),
    ),
    Row(
        "special.wrightomega(x)",
        lambda x: inverse(lambda y: y + mp.log(y), float(special.wrightomega(float(x))), x),
        only=(-30.0, -3.0, 0.0, 0.3, 20.0, 1e5),
        forms=("f8", "float"),
    ),
    # (complex alone, as a number)
    Row(
        "special.wofz(complex(a, b)).real",
        lambda a, b: mp.re(faddeeva(mpmath.mpc(a, b))),
        forms=("float",),
        ulps=64.0,
        only=((0.3, 0.4), (-2.5, 0.1), (1e-9, 1e-9), (3.0, 5.0)),
    ),
    # -- of two arguments --
    Row("special.beta(a, b)", mp.beta, only=grid((1e-9, 0.3, 2.5, 50.0, 1e8), (0.3, 7.0, 200.0)), digits=60),
    Row(
        "special.betaln(a, b)",
        lambda a, b: mp.log(abs(mp.beta(a, b))),
        only=grid((*SIZES, -0.5, -2.000001, -20.3), (*SIZES, -0.7)),
        digits=60,
    ),
    Row(
        "special.binom(a, b)",
        binomial,
        only=grid(
            (1e-200, 1e-9, 3.0, 3.3, 10.5, 40.2, 1e3, 1e8, 1e15, -0.999, -2.5, -20.0001),
            (0.0, 0.3, 1e-200, 1e-9, 2.5, 3.0, 4.0, 20.0, -1.0, -2.0, -0.4),
        ),
        digits=60,
    ),
    Row(
        "special.poch(a, b)",
        rising,
        only=grid(
            (*SIZES, 0.0, -1.0, -3.0, -1e-9, -2.5, -3.0001, -40.25), (0.0, 0.3, 1e-200, 1e-6, 2.0, 3.5, 50.0, -0.6)
        ),
        forms=("f4", "f8", "float"),  # (in half precision z + m is rounded to a pole)
        digits=60,
    ),
    Row("helpers.rgamma_slope(special.rgamma(x), x)", slope_of(mp.rgamma, 0), only=(
        0.3, 2.5, 20.0, 0.0, -1.0, -3.0, -7.0, -2.5, -0.3), digits=60, ulps=64.0),
    Row("helpers.poch_slope(special.poch(a, b), a, b)", slope_of(rising, 0), only=grid(
        (0.3, 2.5, 20.0, 0.0, -1.0, -3.0, -7.0, -2.5, -40.25), (0.3, 2.0, 3.5, 9.0, -0.6)), digits=60, ulps=64.0,
        said={(-3.0, 2.0): (2.0, math.nan), (-7.0, 2.0): (2.0, math.nan)}),
    Row("helpers.binom_slope(special.binom(a, b), a, b, True)", slope_of(binomial, 1), only=BINOMIALS, digits=60,
        ulps=64.0),
    Row("helpers.binom_slope(special.binom(a, b), a, b, False)", slope_of(binomial, 0), only=BINOMIALS, digits=60,
        ulps=64.0),
    # (its derivative is a difference of two trigammas: two thousand roundings in what is here)
    Row(
        "helpers.psi_increase(a, b)",
        lambda a, b: mp.psi(0, a + b) - mp.psi(0, a),
        only=grid((1e-9, 0.3, 2.5, 50.0), (0.3, 7.0, 200.0)),
        ulps=2e3,
    ),
    Row("special.boxcox(x, 0.4)", lambda x: (x ** mpmath.mpf(0.4) - 1) / mpmath.mpf(0.4), only=LINE),
    Row("special.boxcox1p(x, 0.4)", lambda x: ((1 + x) ** mpmath.mpf(0.4) - 1) / mpmath.mpf(0.4), only=LINE),
    Row("special.inv_boxcox(x, 0.4)", lambda x: (1 + mpmath.mpf(0.4) * x) ** (1 / mpmath.mpf(0.4)), only=BOTH[:-2]),
    Row(
        "special.inv_boxcox1p(x, 0.4)", lambda x: (1 + mpmath.mpf(0.4) * x) ** (1 / mpmath.mpf(0.4)) - 1, only=BOTH[:-2]
    ),
    Row(
        "special.gammainc(a, x)",
        lambda x, a: gammainc(a, x),
        only=grid((1e-9, 0.3, 2.5, 20.0, 40.0), (1e-3, 0.3, 2.5, 30.0)),
        digits=400,
    ),
    Row(
        "special.gammaincc(a, x)",
        lambda x, a: gammaincc(a, x),
        only=grid((1e-9, 0.3, 2.5, 20.0, 40.0), (1e-3, 0.3, 2.5, 30.0)),
        digits=400,
    ),
    Row(
        "special.gammaincinv(a, x)",
        lambda x, a: inverse(lambda y: gammainc(a, y), float(special.gammaincinv(float(a), float(x))), x),
        only=grid((1e-3, 0.3, 0.9), (0.3, 2.5, 30.0)),
        ulps=100.0,
    ),
    Row(
        "special.gammainccinv(a, x)",
        lambda x, a: inverse(lambda y: gammaincc(a, y), float(special.gammainccinv(float(a), float(x))), x),
        only=grid((1e-3, 0.3, 0.9), (0.3, 2.5, 30.0)),
        ulps=100.0,
    ),
    Row(
        "special.chdtr(a, x)",
        lambda x, a: gammainc(a / 2, x / 2),
        only=grid((1e-9, 0.3, 2.5, 20.0), (1e-3, 0.3, 2.5, 30.0)),
        digits=400,
    ),
    Row(
        "special.chdtrc(a, x)",
        lambda x, a: gammaincc(a / 2, x / 2),
        only=grid((1e-9, 0.3, 2.5, 20.0), (1e-3, 0.3, 2.5, 30.0)),
        digits=400,
    ),
    Row("special.ellipeinc(a, b)", mp.ellipe, only=grid((1e-9, 0.3, 1.5, 4.0, -9.0), (1e-9, 0.3, 0.999, -0.4, -20.0))),
    Row("special.ellipkinc(a, b)", mp.ellipf, only=grid((1e-9, 0.3, 1.5, 4.0, -9.0), (1e-9, 0.3, 0.999, -0.4, -20.0))),
    Row("special.elliprc(a, b)", mp.elliprc, only=grid((1e-9, 0.3, 1.0, 20.0), (0.3, 0.3001, 1.0, 1.00000001, 50.0))),
    Row("special.expn(2, x)", lambda x: mp.expint(2, x), only=LINE),
    Row(
        "special.huber(a, b)",
        lambda a, b: b * b / 2 if abs(b) <= a else a * (abs(b) - a / 2),
        only=grid((0.3, 1e-3, 20.0), (0.0, 1e-9, 0.1, -2.0, 1e3)),
    ),
    Row("special.hyp0f1(1.7, x)", lambda x: mp.hyp0f1(mpmath.mpf(1.7), x), only=BOTH),
    Row("special.owens_t(a, b)", owens, only=((0.0, 0.3), (-2.5, 0.3), (0.3, -1.5), (4.0, 20.0))),
    Row("special.pdtr(2, x)", lambda x: gammaincc(mpmath.mpf(3), x), forms=("f4", "f8", "float"), only=LINE),
    Row("special.pdtrc(2, x)", lambda x: gammainc(mpmath.mpf(3), x), forms=("f4", "f8", "float"), only=LINE),
    Row("special.polygamma(1, x)", lambda x: mp.polygamma(1, x), only=(1e-3, 0.3, 1.4, 20.0, 1e6)),
    Row("special.powm1(a, b)", lambda a, b: mp.powm1(a, b), only=grid((0.3, 1.000001, 20.0), (1e-9, 0.3, -2.5, 7.0))),
    Row(
        "special.stdtr(a, x)",
        lambda x, a: stdtr(a, x),
        only=grid((-30.0, -0.3, 1e-9, 2.5), (0.3, 2.5, 50.0)),
        ulps=64.0,
    ),
    Row(
        "special.stdtrit(a, x)",
        lambda x, a: inverse(lambda t: stdtr(a, t), float(special.stdtrit(float(a), float(x))), x),
        only=grid((1e-3, 0.3, 0.9), (0.7, 2.5, 50.0)),
        ulps=5e3,
    ),
    Row(
        "special.kl_div(a, b)",
        lambda a, b: xlog(a, a / b) - a + b,
        only=grid((1e-200, 1e-9, 0.3, 20.0), (1e-200, 0.3, 1e6)),
    ),
    Row(
        "special.rel_entr(a, b)", lambda a, b: xlog(a, a / b), only=grid((1e-200, 1e-9, 0.3, 20.0), (1e-200, 0.3, 1e6))
    ),
    Row(
        "special.xlog1py(a, b)",
        lambda a, b: a * mp.log1p(b),
        only=grid((0.0, 1e-9, -0.3, 20.0), (1e-200, 0.3, 1e6, -0.999)),
    ),
    Row("special.zeta(2.3, x)", lambda x: mp.zeta(mpmath.mpf(2.3), x), only=(1e-3, 0.3, 1.0, 20.0, 1e4)),
]
for n, name, f in [
    (n, name, f)
    for name, f in {
        "jv": mp.besselj,
        "yv": mp.bessely,
        "iv": mp.besseli,
        "kv": mp.besselk,
        "jve": mp.besselj,
        "yve": mp.bessely,
        "yn": mp.bessely,
        "kn": mp.besselk,
        "ive": lambda v, x: mp.besseli(v, x) * mp.exp(-abs(x)),
        "kve": lambda v, x: mp.besselk(v, x) * mp.exp(x),
        "struve": mp.struveh,
        "modstruve": mp.struvel,
        "jvp": lambda v, x: mp.besselj(v, x, 1),
        "yvp": lambda v, x: (mp.bessely(v - 1, x) - mp.bessely(v + 1, x)) / 2,
        "ivp": lambda v, x: mp.besseli(v, x, 1),
        "kvp": lambda v, x: -(mp.besselk(v - 1, x) + mp.besselk(v + 1, x)) / 2,
    }.items()
    for n in (0, 2)
]:
    far = (300.0, 1e4) if name in ("ive", "kve") else (0.0,) if "struve" in name else ()
    ROWS.append(
        Row(
            f"special.{name}({n}, x)",
            lambda x, n=n, f=f: f(mpmath.mpf(n), x),
            only=(1e-9, 1e-3, *LINE[2:-1], *far),
            ulps=500.0 if sum(far) else 64.0,
        )
    )
for name, f in {"jn": mp.besselj, "yn": mp.bessely, "in": mp.besseli, "kn": mp.besselk}.items():
    ROWS.append(
        Row(f"special.spherical_{name}(2, x)", lambda x, f=f: half(2, x, f), only=(1e-3, *LINE[2:-1]), ulps=64.0)
    )
for n in (0, 1, 3):
    POLYNOMIALS = {
        "legendre": mp.legendre,
        "chebyt": mp.chebyt,
        "chebyu": mp.chebyu,
        "hermite": mp.hermite,
        "hermitenorm": lambda n, x: mp.hermite(n, x / mp.sqrt(2)) / mp.sqrt(mpmath.mpf(2) ** n),
        "laguerre": lambda n, x: mp.laguerre(n, 0, x),
    }
    for name, f in POLYNOMIALS.items():
        ROWS.append(
            Row(
                f"special.eval_{name}({n}, x)",
                lambda x, n=n, f=f: f(n, x),
                only=(0.0, 1e-9, 0.3, -0.7, 0.999999, 1.0, -1.0),
                ulps=64.0,
            )
        )
    ROWS += [
        Row(
            f"special.eval_genlaguerre({n}, 1.3, x)",
            lambda x, n=n: mp.laguerre(n, mpmath.mpf(1.3), x),
            only=(0.0, 1e-9, 0.3, 5.0),
            ulps=64.0,
        ),
        Row(
            f"special.eval_gegenbauer({n}, 1.3, x)",
            lambda x, n=n: gegenbauer(n, mpmath.mpf(1.3), x),
            only=(0.0, 1e-9, 0.3, 1.0),
            ulps=64.0,
        ),
        Row(
            f"special.eval_jacobi({n}, 1.3, 0.6, x)",
            lambda x, n=n: mp.jacobi(n, mpmath.mpf(1.3), mpmath.mpf(0.6), x),
            only=(0.0, 1e-9, 0.3, 1.0),
            ulps=64.0,
        ),
    ]
ROWS += [
    Row("helpers.trigamma(x)", lambda x: mp.polygamma(1, x), only=(1e-3, 0.3, 1.4, 8.0, 20.0, 1e6, -0.3, -5.5)),
    Row(
        "helpers.log_ratio(a, b)", lambda a, b: mp.log(a / b), only=grid((1e-200, 1e-9, 0.3, 20.0), (1e-200, 0.3, 1e6))
    ),
    Row("helpers.elliptic_integral(x, 1.0, 0.0)", lambda x: quarter(x, 1), only=(1e-6, 0.3, 0.9, 5.0, 1e6), ulps=64.0),
    Row("helpers.elliptic_integral(x, 0.0, 1.0)", lambda x: quarter(x, 0), only=(1e-6, 0.3, 0.9, 5.0, 1e6), ulps=64.0),
    Row(
        "helpers.gammainc_slope(a, x)",
        lambda x, a: mp.diff(lambda t: gammainc(t, x), a),
        only=grid((0.3, 2.5), (0.4, 7.0)),
        ulps=64.0,
    ),
    Row(
        "helpers.stdtr_slope(a, x)",
        lambda x, a: mp.diff(lambda t: stdtr(t, x), a),
        only=grid((0.3, -2.5), (0.7, 7.0)),
        ulps=64.0,
    ),
    Row(
        "helpers.betainc_slope(a, b, x, 'a')",
        lambda x, a, b: mp.diff(lambda t: betainc(t, b, x), a),
        only=((0.3, 0.7, 2.5), (0.6, 7.0, 2.5)),
        ulps=64.0,
    ),
]
THREE = ((0.3, 2.5, 30.0), (0.4, 7.0), (1e-9, 0.3, 0.9))
ROWS += [
    Row("special.betainc(a, b, x)", lambda x, a, b: betainc(a, b, x), only=grid(THREE[2], *THREE[:2]), ulps=64.0),
    Row(
        "special.betaincc(a, b, x)",
        lambda x, a, b: betaincc(a, b, x),
        only=grid(THREE[2], *THREE[:2]),
        ulps=64.0,
        digits=400,
    ),
    Row(
        "special.betaincinv(a, b, x)",
        lambda x, a, b: inverse(lambda y: betainc(a, b, y), float(special.betaincinv(float(a), float(b), float(x))), x),
        only=grid((0.01, 0.6), (0.4, 2.5), (0.4, 7.0)),
        ulps=64.0,
    ),
    Row(
        "special.gdtr(a, b, x)",
        lambda x, a, b: gammainc(b, a * x),
        only=grid((1e-3, 0.3, 5.0), (0.4, 7.0), (0.4, 7.0)),
        ulps=64.0,
    ),
    Row(
        "special.gdtrc(a, b, x)",
        lambda x, a, b: gammaincc(b, a * x),
        only=grid((1e-3, 0.3, 5.0), (0.4, 7.0), (0.4, 7.0)),
        ulps=64.0,
    ),
    Row(
        "special.elliprf(a, b, c)", mp.elliprf, only=grid((1e-3, 0.3, 1.0), (0.4, 1.0), (1.0, 1.0001, 50.0)), ulps=64.0
    ),
    Row("special.elliprg(a, b, c)", carlson_g, only=grid((1e-3, 0.3, 1.0), (0.4, 1.0), (1.0, 1.0001, 50.0)), ulps=64.0),
    Row(
        "special.elliprd(a, b, c)",
        mp.elliprd,
        only=grid((1e-9, 1.0, 1.00000001), (0.3, 1.0), (0.3, 1.0, 1e6)),
        ulps=16.0,
    ),
    Row(
        "special.elliprj(a, b, c, x)",
        lambda x, a, b, c: mp.elliprj(a, b, c, x),
        only=(
            *grid((0.3, 1.0), (0.3,), (0.3, 1.0), (0.3, 1.0, 1.00000001)),
            *((p, 0.3, 2.5, 50.0) for p in (1e-9, 0.6, 5.0, 1e6, -0.3)),
        ),
        ulps=16.0,
    ),
    Row("special.hyp1f1(1.3, 2.1, x)", lambda x: mp.hyp1f1(mpmath.mpf(1.3), mpmath.mpf(2.1), x), only=BOTH, ulps=64.0),
    Row(
        "special.hyperu(1.3, 2.1, x)",
        lambda x: mp.hyperu(mpmath.mpf(1.3), mpmath.mpf(2.1), x),
        only=LINE[2:],
        ulps=64.0,
    ),
    Row(
        "special.hyp2f1(1.3, 2.1, 1.7, x)",
        lambda x: mp.hyp2f1(mpmath.mpf(1.3), mpmath.mpf(2.1), mpmath.mpf(1.7), x),
        only=(0.0, 1e-9, 0.3, 0.9, -0.7, -20.0),
        ulps=64.0,
    ),
]
if hasattr(special, "betainccinv"):
    ROWS.append(
        Row(
            "special.betainccinv(a, b, x)",
            lambda x, a, b: inverse(
                lambda y: betaincc(a, b, y), float(special.betainccinv(float(a), float(b), float(x))), x
            ),
            only=grid((0.01, 0.6), (0.4, 2.5), (0.4, 7.0)),
            ulps=64.0,
        )
    )
if hasattr(special, "softplus"):
    ROWS.append(Row("special.softplus(x)", lambda x: mp.log1p(mp.exp(x)), points=(-20.0, -100.0), below=700.0))

# -- distributions: density, distribution function and its complement, of z = (x - loc) / scale and the shapes --

WHOLE = (-20.0, -0.3, 1e-9, 0.7, 5.0)
ABOVE = (1e-9, 0.3, 0.9, 4.0, 40.0)


def t_density(z: Any, a: Any) -> Any:
    return mp.gamma((a + 1) / 2) / mp.sqrt(a * mp.pi) / mp.gamma(a / 2) * (1 + z * z / a) ** (-(a + 1) / 2)


#: name: density, distribution function, complement, arguments, shapes
DISTRIBUTIONS: dict[str, Any] = {
    "norm": (mp.npdf, ndtr, lambda z: ndtr(-z), (*WHOLE, -200.0), ()),
    "laplace": (
        lambda z: mp.exp(-abs(z)) / 2,
        lambda z: mp.exp(z) / 2 if z < 0 else 1 - mp.exp(-z) / 2,
        lambda z: mp.exp(-z) / 2 if z > 0 else 1 - mp.exp(z) / 2,
        WHOLE,
        (),
    ),
    "logistic": (
        lambda z: mp.exp(-abs(z)) / (1 + mp.exp(-abs(z))) ** 2,
        lambda z: 1 / (1 + mp.exp(-z)),
        lambda z: 1 / (1 + mp.exp(z)),
        WHOLE,
        (),
    ),
    "cauchy": (
        lambda z: 1 / (mp.pi * (1 + z * z)),
        lambda z: mp.atan2(1, -z) / mp.pi,
        lambda z: mp.atan2(1, z) / mp.pi,
        WHOLE,
        (),
    ),
    "halfnorm": (lambda z: 2 * mp.npdf(z), lambda z: 2 * ndtr(z) - 1, lambda z: 2 * ndtr(-z), ABOVE[:-1], ()),
    "halfcauchy": (
        lambda z: 2 / (mp.pi * (1 + z * z)),
        lambda z: 2 * mp.atan(z) / mp.pi,
        lambda z: 2 * mp.atan2(1, z) / mp.pi,
        ABOVE,
        (),
    ),
    "expon": (lambda z: mp.exp(-z), lambda z: -mp.expm1(-z), lambda z: mp.exp(-z), ABOVE, ()),
    "uniform": (lambda z: mpmath.mpf(1) + 0 * z, lambda z: z, lambda z: 1 - z, (1e-9, 0.3, 0.9), ()),
    "t": (t_density, lambda z, a: stdtr(a, z), lambda z, a: stdtr(a, -z), WHOLE, ((0.7, 30.0),)),
    "gamma": (
        lambda z, a: z ** (a - 1) * mp.exp(-z) / mp.gamma(a),
        lambda z, a: gammainc(a, z),
        lambda z, a: gammaincc(a, z),
        ABOVE,
        ((0.7, 12.0),),
    ),
    "chi2": (
        lambda z, a: z ** (a / 2 - 1) * mp.exp(-z / 2) / mp.gamma(a / 2) / mpmath.mpf(2) ** (a / 2),
        lambda z, a: gammainc(a / 2, z / 2),
        lambda z, a: gammaincc(a / 2, z / 2),
        ABOVE,
        ((0.7, 12.0),),
    ),
    "lognorm": (
        lambda z, a: mp.npdf(mp.log(z) / a) / (a * z),
        lambda z, a: ndtr(mp.log(z) / a),
        lambda z, a: ndtr(-mp.log(z) / a),
        (0.01, 0.3, 0.9, 4.0),
        ((0.9, 2.0),),
    ),
    "weibull_min": (
        lambda z, a: a * z ** (a - 1) * mp.exp(-(z**a)),
        lambda z, a: -mp.expm1(-(z**a)),
        lambda z, a: mp.exp(-(z**a)),
        ABOVE,
        ((0.7, 1.3),),
    ),
    "pareto": (
        lambda z, a: a / z ** (a + 1),
        lambda z, a: 1 - z**-a,
        lambda z, a: z**-a,
        (1.001, 3.0, 100.0),
        ((0.7, 12.0),),
    ),
    "beta": (
        lambda z, a, b: z ** (a - 1) * (1 - z) ** (b - 1) / mp.beta(a, b),
        lambda z, a, b: betainc(a, b, z),
        lambda z, a, b: betaincc(a, b, z),
        (1e-9, 0.3, 0.9),
        ((0.7, 12.0), (2.5,)),
    ),
}


def method(name: str, how: str) -> Callable[..., Any]:
    """A method of a distribution: of its argument, shapes, and scale where that is an argument."""
    density, below, above, _, shapes = DISTRIBUTIONS[name]
    own = getattr(getattr(stats, name), how)

    def of(x: Any, *more: Any) -> Any:
        given, scale = more[: len(shapes)], more[-1]
        z = x / scale
        if how in ("pdf", "logpdf"):
            return density(z, *given) / scale if how == "pdf" else mp.log(density(z, *given) / scale)
        if how in ("cdf", "logcdf", "sf", "logsf"):
            found = (below if how.endswith("cdf") else above)(z, *given)
            return mp.log(found) if how.startswith("log") else found
        start = float(own(float(x), *map(float, given)))
        return scale * inverse(lambda y: (below if how == "ppf" else above)(y, *given), start, x)

    return of


for name, (_, _, _, line, shapes) in DISTRIBUTIONS.items():
    letters = "abc"[: len(shapes) + 1]
    given = ", ".join(["x", *letters[:-1], f"scale={letters[-1]}"])
    for how in ("pdf", "logpdf", "cdf", "sf", "logcdf", "logsf", "ppf", "isf"):
        at = grid(line, *shapes, (1.0, 2.5))
        if how in ("ppf", "isf"):  # (inverses take long)
            at = grid((0.3, 0.9) if shapes else (1e-9, 0.3, 0.9), *(shape[:1] for shape in shapes), (2.5,))
        ROWS.append(
            Row(
                f"stats.{name}.{how}({given})",
                method(name, how),
                only=at,
                ulps=200.0,
                digits=30,
                forms=("f4", "f8", "float"),
            )
        )
COUNTS: dict[str, Any] = {
    "poisson": (
        lambda k, a: a**k * mp.exp(-a) / mp.factorial(k),
        lambda k, a: gammaincc(mpmath.mpf(k + 1), a),
        ("a",),
        ((0.3, 4.0, 60.0),),
    ),
    "binom": (
        lambda k, a: mp.binomial(9, k) * a**k * (1 - a) ** (9 - k),
        lambda k, a: betaincc(mpmath.mpf(k + 1), mpmath.mpf(9 - k), a),
        ("9", "a"),
        ((1e-9, 0.3, 0.9),),
    ),
    "nbinom": (
        lambda k, a, b: mp.gamma(k + a) / mp.gamma(a) / mp.factorial(k) * b**a * (1 - b) ** k,
        lambda k, a, b: betainc(a, mpmath.mpf(k + 1), b),
        ("a", "b"),
        ((0.4, 5.0), (1e-3, 0.3, 0.9)),
    ),
    "bernoulli": (lambda k, a: a if k else 1 - a, None, ("a",), ((1e-9, 0.3, 0.9),)),
    "geom": (lambda k, a: (1 - a) ** (k - 1) * a, None, ("a",), ((1e-9, 0.3, 0.9),)),
}
for name, (mass, below, letters, lines) in COUNTS.items():
    for how in ("pmf", "logpmf", "cdf", "sf", "logcdf", "logsf"):
        if below is None and "pmf" not in how:
            continue
        if name == "nbinom" and how.startswith("log") and "pmf" not in how:
            continue
        for k in (1, 3) if name not in ("bernoulli",) else (0, 1):

            def of_count(*more: Any, k: int = k, how: str = how, mass: Any = mass, below: Any = below) -> Any:
                if "pmf" in how:
                    found = mass(k, *more)
                else:
                    found = below(k, *more) if how.endswith("cdf") else 1 - below(k, *more)
                return mp.log(found) if how.startswith("log") else found

            ROWS.append(
                Row(
                    f"stats.{name}.{how}({k}, {', '.join(letters)})",
                    of_count,
                    only=grid(*lines),
                    ulps=64.0,
                    digits=30,
                    forms=("f4", "f8", "float"),
                )
            )
#: those that the installed SciPy has
ROWS = [row for row in ROWS if not row.text.startswith("special.") or hasattr(special, row.text[8:].partition("(")[0])]
