"""SciPy's distributions: slopes of densities in their argument and their parameters."""

from __future__ import annotations

import gast
from s2sad.templates.macros.basics import is_static
from s2sad.templates.macros.calls import call_helper

from s2sad.expansion.fit import literal
from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand

#: d log f(z) / dz of the standard densities; a is the shape parameter
_LOG_SLOPES = {
    "norm": "-z", "laplace": "-np.sign(z)", "logistic": "-np.tanh(0.5 * z)", "cauchy": "-2.0 * z / (1.0 + z * z)",
    "expon": "-1.0", "uniform": "0.0", "t": "-(a + 1.0) * z / (a + z * z)", "gamma": "(a - 1.0) / z - 1.0",
    "chi2": "(0.5 * a - 1.0) / z - 0.5", "lognorm": "-(1.0 + np.log(z) / a**2) / z",
    "weibull_min": "(a - 1.0) / z - a * z ** (a - 1.0)", "pareto": "-(a + 1.0) / z",
    "halfnorm": "-z", "halfcauchy": "-2.0 * z / (1.0 + z * z)",
}  # fmt: skip

#: d log f(z) / da
_LOG_SHAPES = {
    "t": "0.5 * (special.psi(0.5 * a + 0.5) - special.psi(0.5 * a) - 1.0 / a - np.log1p(z * z / a)"
    " + (a + 1.0) * z * z / (a * (a + z * z)))",
    "gamma": "np.log(z) - special.psi(a)",
    "chi2": "0.5 * (np.log(0.5 * z) - special.psi(0.5 * a))",
    "lognorm": "(np.log(z) ** 2 / a**2 - 1.0) / a",
    "weibull_min": "1.0 / a + np.log(z) - z**a * np.log(z)",
    "pareto": "1.0 / a - np.log(z)",
}


@macro
def log_density_slope(context, z, a=None):
    """The derivative of the logarithm of a standard density."""
    text = _LOG_SLOPES[context.rule.target.__self__.name]
    return float(text) if text in ("-1.0", "0.0") else context.quote(text, z=z, a=a)


@macro
def log_density_shape(context, z, a):
    """The derivative of the logarithm of a standard density with respect to its shape parameter."""
    text = _LOG_SHAPES[context.rule.target.__self__.name]
    return context.quote(text, z=z, a=a, special=context.global_expr("special"))


#: distributions with densities that are positive everywhere
_UNBOUNDED = ("norm", "laplace", "logistic", "cauchy", "t")


@macro
def in_support(context, z):
    """z, or where the density is 0 a point at which its logarithm has slopes: 0 * nan would be nan."""
    name = context.rule.target.__self__.name
    if name in _UNBOUNDED:
        return z
    empty = "-np.inf" if context.rule.target.__name__.startswith("log") else "0.0"
    return context.quote(f"np.where(y == {empty}, m, z)", y=context.y, z=z, m=0.5 if name == "beta" else 1.0)


@macro
def slope_or_0(context, slope):
    """A slope of the logarithm of a density or of a distribution function, or 0 where that is 0."""
    if context.rule.target.__self__.name in _UNBOUNDED:
        return slope
    if is_static(slope):
        slope = literal(slope)
    return context.quote("np.where(y == -np.inf, 0.0, s)", y=context.y, s=slope)


#: d F(z) / da of the distribution functions; z is 1 where that is 0
_DISTRIBUTION_SHAPES = {
    "lognorm": "-np.exp(-0.5 * (np.log(z) / a) ** 2) * np.log(z) / (np.sqrt(2.0 * np.pi) * a**2)",
    "weibull_min": "np.exp(-(z**a)) * z**a * np.log(z)",
    "pareto": "np.log(z) / z**a",
}


@macro
def distribution_shape(context, x, a, loc, scale):
    """The derivative of the distribution function with respect to the shape parameter."""
    name = context.rule.target.__self__.name
    z = x if is_static(loc) and loc == 0.0 else context.quote("x - l", x=x, l=loc)
    z = z if is_static(scale) and scale == 1.0 else context.quote("z / s", z=z, s=scale)
    if name == "gamma":
        return call_helper(context, "gammainc_slope", context.y, a, z)
    if name == "chi2":
        half = [context.quote("0.5 * v", v=v) for v in (a, z)]
        return context.quote("0.5 * s", s=call_helper(context, "gammainc_slope", context.y, *half))
    if name == "t":
        return call_helper(context, "stdtr_slope", context.y, a, z)
    low = 1.0 if name == "pareto" else 0.0
    z = context.local("z", z)
    z = context.local("z", context.quote("np.where(z <= low, 1.0, z)", z=z, low=low))
    return context.quote(_DISTRIBUTION_SHAPES[name], z=z, a=a)


@macro
def log_distribution_shape(context, ratio, x, a, loc, scale):
    """The derivative of the distribution function with respect to the shape parameter, over that function, by the
    density over that function where the shape is a power or a scale of it: far out both vanish."""
    name = context.rule.target.__self__.name
    if name not in _DISTRIBUTION_SHAPES:
        weight = slope_or_0(context, context.quote("np.exp(-y)", y=context.y))
        return context.quote("w * s", w=weight, s=distribution_shape(context, x, a, loc, scale))
    apart = x if is_static(loc) and loc == 0.0 else context.quote("x - l", x=x, l=loc)
    z = apart if is_static(scale) and scale == 1.0 else context.quote("d / s", d=apart, s=scale)
    z = context.local("z", z)
    low = 1.0 if name == "pareto" else 0.0
    logarithm = context.quote("np.log(np.where(z <= low, 1.0, z))", z=z, low=low)
    slope = context.quote("r * d / a * t", r=ratio, d=apart, a=a, t=logarithm)
    return context.quote("-s", s=slope) if name == "lognorm" else slope


@macro
def beta_shape(context, a, b, x, which):
    """The derivative of the regularized incomplete beta function with respect to one of its parameters."""
    return call_helper(context, "betainc_slope", context.y, a, b, x, which)


@macro
def of_distribution(context, method, *args):
    """Another method of the distribution, without a last loc of 0 and scale of 1."""
    from s2sad.expansion.fit import as_literal

    owner = context.rule.target.__self__
    stats = context.global_expr("stats")
    args = list(args)
    if is_static(args[-1]) and args[-1] == 1.0:
        args.pop()
        if is_static(args[-1]) and args[-1] == 0.0:
            args.pop()
    function = gast.Attribute(gast.Attribute(stats, owner.name, gast.Load()), method, gast.Load())
    call = gast.Call(function, [as_literal(a) for a in args], [])
    return Operand(call, context.y.kind)
