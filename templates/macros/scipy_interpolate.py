"""SciPy's interpolants."""

from __future__ import annotations

import gast
from s2sad.templates.macros.basics import as_operand, is_static

from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand
from s2sad.expansion.zero import ZERO


def _behind(context, t, rank):
    """How many axes values have behind those of the points."""
    if rank is None or t.ndim is None:
        raise context.unknown("the ranks")
    return rank - t.ndim


@macro
def to_points(context, value, t, c=None, first=2):
    """A product for each value, summed over the values at a point."""
    if value is ZERO or not context.is_active(t):
        return ZERO
    more = _behind(context, t, context.y.ndim) if c is None else c.ndim - first
    if more:
        value = context.quote("np.sum(v, axis=a)", v=value, a=tuple(range(-more, 0)) if more > 1 else -1)
    return Operand(as_operand(value).expr, t.kind)


@macro
def from_points(context, dt, t, c=None, first=2):
    """A number for each point in a shape that broadcasts against the values at it."""
    if dt is ZERO:
        return ZERO
    more = _behind(context, t, context.y.ndim) if c is None else c.ndim - first
    return context.quote("np.reshape(v, np.shape(v) + m)", v=dt, m=(1,) * more) if more else dt


@macro
def plain_ends(context, *ends):
    """Refuse boundary conditions without a rule."""
    if any(e not in ("not-a-knot", "natural", "clamped") for e in ends):
        raise context.refuse("of the boundary conditions only 'not-a-knot', 'natural' and 'clamped' have a rule")


@macro
def evaluated(context, spline, x, nu, extrapolate, more=0):
    """An interpolant at points."""
    from s2sad.expansion.fit import as_literal

    if not is_static(nu):
        raise context.unknown("nu")
    args = [as_literal(x)]
    if nu + more or extrapolate is not None:
        args.append(as_literal(nu + more))
    if extrapolate is not None:
        args.append(as_literal(extrapolate))
    return Operand(gast.Call(spline.expr, args, []), context.y.kind)


@macro
def integrand(context, spline, x, extrapolate):
    """What an interpolant adds to its integral at a limit: splines that are not extrapolated are zero outside."""
    from scipy.interpolate import PPoly

    value = evaluated(context, spline, x, 0, extrapolate)
    known = getattr(spline.kind, "value", None)
    if issubclass(getattr(spline.kind, "cls", type(known)), PPoly):
        return value
    if extrapolate is None and known is not None:
        extrapolate = known.extrapolate
    goes_on = extrapolate is not None and is_static(extrapolate) and extrapolate is not False
    return value if goes_on else context.quote("np.nan_to_num(v)", v=value)


@macro
def univariate_slope(context, spline, x, nu, ext):
    """The slope of a derivative of a spline at points: 0 where the derivative is constant between the knots."""
    slope = evaluated(context, spline, x, nu, ext, 1)
    if nu == 0:
        return slope
    form = "f if len(s.get_coeffs()) - len(s.get_knots()) >= n else np.zeros_like(t)"
    return context.quote(form, f=slope.expr, s=spline, n=nu, t=x)


@macro
def off_the_knots(context, spline, ext, nu):
    """What the slope of a spline is off its knots: 0 where the spline stays at its value at the end (ext=3); its
    derivatives do not."""
    if nu != 0:
        return ext
    if ext is None:
        return context.quote("1 if s.ext == 3 else s.ext", s=spline)
    if is_static(ext):
        return 1 if ext in (3, "const") else ext
    return context.quote("1 if e in (3, 'const') else e", e=ext)


@macro
def surface(context, spline, x, y, dx, dy, axis):
    """A derivative of a surface at points, the last one along an axis: 0 off the knots, where the surface is level."""
    slope = context.quote("s.ev(x, y, dx=i, dy=j)", s=spline, x=x, y=y, i=dx, j=dy)
    text = "np.where((s.tck[k][0] <= t) & (t <= s.tck[k][-1]), d, 0.0)"
    return Operand(context.quote(text, s=spline, k=axis, t=(x, y)[axis], d=slope).expr, context.y.kind)


@macro
def one_point(context, x, y):
    """Refuse a grid."""
    if not all(not isinstance(v, Operand) or v.is_scalar for v in (x, y)):
        raise context.refuse("only one point has a rule", "call it for each, one after the other")
