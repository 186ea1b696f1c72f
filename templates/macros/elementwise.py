"""Slopes of functions of one number: powers, quotients, choices, angles, elliptic integrals."""

from __future__ import annotations

import operator

import numpy as np
from s2sad.templates.macros.basics import is_static, maybe_complex, nonzero
from s2sad.templates.macros.calls import call_of

from s2sad.expansion.fit import literal
from s2sad.expansion.macros import macro
from s2sad.expansion.operand import NOT_STATIC, Operand
from s2sad.expansion.zero import ZERO
from s2sad.kinds.kind import Array, List
from s2sad.runtime import helpers

# -- scalars and arrays ------------------------------------------------------------------------------------------------


@macro
def mask_of(context, test, x):
    """A condition as zeros and ones of the type of x; bools do for float64."""
    if isinstance(x.kind, Array) and x.dtype == np.dtype(float):
        return Operand(test.expr, Array(np.dtype(bool), x.shape))
    if isinstance(x.kind, Array):
        return Operand(context.quote("t.astype(x.dtype)", t=test, x=x).expr, x.kind)
    if isinstance(x.kind, List):  # of arrays
        x = context.quote("np.array(x)", x=x)
    return Operand(context.quote("np.asarray(t, dtype=np.result_type(x))", t=test, x=x).expr, x.kind)


@macro
def order_below(context, n):
    """n - 1, and 0 for 0: the order of a polynomial that is multiplied by n."""
    if is_static(n):
        return max(n - 1, 0)
    return context.quote("np.maximum(n - 1, 0)", n=n)


@macro
def ratio_or_0(context, a, b):
    """a / b, and 0 where both are 0."""
    if is_static(a) and a != 0.0:
        return context.quote("a / b", a=a, b=b)
    return context.quote("a / np.where((a == 0.0) & (b == 0.0), 1.0, b)", a=a, b=b)


@macro
def sign_of(context, x, y):
    """The derivative of abs."""
    if x.is_complex or x.dtype is None:
        return context.quote("np.conj(x) / y", x=x, y=nonzero(context, y))
    if x.is_number:
        return context.quote("(x > 0.0) - (x < 0.0)", x=x)
    return context.quote("np.sign(x)", x=x)


@macro
def power_in_base(context, y, x, p):
    """d(x**p)/dx"""
    if isinstance(p, Operand):
        if p.dtype is not None and p.dtype.kind in "biu":
            form = "p * x ** (p - 1 if p else 1)" if p.is_scalar else "p * x ** np.where(p == 0, 1, p - 1)"
        elif p.is_scalar and (is_static(x) or x.is_scalar):
            form = "p * x ** (p - 1.0) if x or p else 0.0"
        else:  # (only where both are 0: second derivatives are right where one of them is)
            form = "p * np.where((x == 0.0) & (p == 0.0), 1.0, x) ** (p - 1.0)"
        return context.quote(form, p=p, x=x)
    if isinstance(p, (bool, complex)) or not isinstance(p, (int, float)):
        p = operator.index(p) if isinstance(p, bool) else p
    if p == 0:
        return literal(0.0)
    if p == 1:
        return literal(1.0)
    if p == 2:
        return context.quote("2.0 * x", x=x)
    if p == 0.5:
        return context.quote("0.5 / y", y=y)
    if p == -1:
        return context.quote("-y / x", x=x, y=y)
    factor = float(p) if isinstance(p, int) else p
    return context.quote("p * x ** q", x=x, p=factor, q=p - 1)


@macro
def base_of_power(context, x, p):
    """x, or 1.0 where x and p are 0: what is raised to p - 1 and multiplied by p."""
    return x if is_static(p) and p != 0 else context.quote("np.where((x == 0.0) & (p == 0.0), 1.0, x)", x=x, p=p)


@macro
def power_in_exponent(context, y, x):
    """d(x**p)/dp, which is 0 at x = 0."""
    if not isinstance(x, Operand):
        x = literal(x)
        if x.static == 0:
            return literal(0.0)
        return (
            Operand(context.quote("y", y=y).expr, y.kind)
            if x.static == np.e
            else context.quote("y * f(x)", y=y, x=x, f=context.global_expr("log"))
        )
    if x.is_scalar:
        return context.quote("y * f(x or 1.0)", y=y, x=x, f=context.global_expr("log"))
    return context.quote("y * np.log(np.where(x == 0.0, 1.0, x))", y=y, x=x)


@macro
def choice(context, a, b, y, g):
    """g where a is chosen against b to be y; shared evenly when they are equal."""
    # a product with a mask: np.where is slow where the mask is irregular
    chosen = is_chosen(context, a, b, y)
    if all(not isinstance(v, Operand) or v.is_number for v in (a, b)) or y.dtype == np.dtype(float):
        return context.quote("g * c", g=g, c=chosen)
    return context.quote("np.where(a == b, 0.5 * g, g * (a == y))", a=a, b=b, y=y, g=g)


@macro
def rest_of_choice(context, a, b, y, g, own):
    """What the share of a in g leaves for b: no second mask, where nothing infinite is taken from itself."""
    careful = context.care.leaves_out or context.care.infinite or context.care.strong
    if careful or not context.is_active(a) or not context.is_active(b) or y.dtype != np.dtype(float):
        return choice(context, b, a, y, g)
    return context.quote("g - own", g=g, own=own)


def is_chosen(context, a, b, y):
    """1 where a is the one of a and b that y is, 1/2 where both are."""
    constant = getattr(b, "static", NOT_STATIC)
    if type(constant) in (int, float) and constant == constant:
        form = "((a > b) + 0.5 * (a == b))" if "max" in context.rule.name else "((a < b) + 0.5 * (a == b))"
    else:
        form = "((a == y) - 0.5 * (a == b))"
    return context.quote(form, a=a, b=b, y=y)


# -- special slopes ----------------------------------------------------------------------------------------------------


@macro
def angle_slope(context, z, deg):
    """d angle(z) / dz = -i / z, of which the real part in the pairing counts."""
    if not maybe_complex(context, z):
        return ZERO
    if deg is True:
        return context.quote("-57.29577951308232j / z", z=z)
    return context.quote("-1j / z", z=z)


# -- lists of numbers --------------------------------------------------------------------------------------------------


@macro
def digamma_of(context, x):
    """The logarithmic derivative of the gamma function."""
    return Operand(call_of(context, helpers.digamma, x), x.kind)


# -- numeric -----------------------------------------------------------------------------------------------------------


@macro
def bessel_i1_of(context, x):
    """The modified Bessel function of order 1."""
    return Operand(call_of(context, helpers.bessel_i1, x), x.kind)


# -- linear algebra ----------------------------------------------------------------------------------------------------


@macro
def derivative_in_m(context, phi, m):
    """The derivative of ellipkinc(phi, m) in m."""
    own = "s**3 * special.elliprd(1.0 - s * s, 1.0, 1.0 - m * s * s) + 2.0 * n * special.elliprd(0.0, 1.0, 1.0 - m)"
    n = context.local("n", context.quote("np.round(phi / np.pi)", phi=phi))
    s = context.local("s", context.quote("np.sin(phi - n * np.pi)", phi=phi, n=n))
    special = context.operand(context.global_expr("special"))
    return context.quote(f"({own}) / 6.0", s=s, n=n, m=m, special=special)
