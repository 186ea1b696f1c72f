"""Products of a derivative with a slope that does not exist, or is infinite: 0 where the derivative is."""

from __future__ import annotations

import gast

from s2sad.analysis.ranges import finite
from s2sad.analysis.zeros import FULL, WHOLE
from s2sad.core import Expr, Facts, clone, load, quote, replace_names, walk
from s2sad.expansion.context import Context
from s2sad.expansion.fit import helper, kind_of
from s2sad.expansion.operand import Operand, shape_of
from s2sad.kinds.kind import Number
from s2sad.kinds.query import is_complex
from s2sad.runtime import helpers


def is_risky(context: Context, factor: Expr, level: int, divides: bool = False) -> bool:
    """May a factor (or divisor) be infinite where a derivative is zero because a piece was left out?

    A number that is infinite is so for all elements of an array: those that are not left out have no derivative.
    """
    if context.care.strong or (context.care.of_nan and level < FULL):
        return not isinstance(factor, gast.Constant)
    if level == FULL:
        return False
    if divides:
        factor = gast.BinOp(gast.Constant(1.0, None), gast.Div(), factor)
    return not finite(factor, context.facts, numbers=level == WHOLE, divisors=_divided(context))


def without_raising(context: Context, expr: Expr) -> Expr:
    """A slope whose quotients and powers of Python's numbers are infinite where they would raise.

    0.5 * dn / t    ->    0.5 * dn / np.float64(t)
    """
    for name in expr._fields:
        child = getattr(expr, name, None)
        if isinstance(child, gast.expr):
            setattr(expr, name, without_raising(context, child))
    side = raising_side(expr, context.facts, _divided(context))
    if side is not None:
        number = getattr(expr, side)
        made = "np.complex128(t)" if is_complex(kind_of(number, context.facts)) else "np.float64(t)"
        setattr(expr, side, quote(made, np=context.np, t=number))
    return expr


def _divided(context: Context) -> frozenset[str]:
    """The Python numbers by which the function itself has divided, or taken their logarithms: they are not 0."""
    if context.rule.name != "operator.truediv" and not context.rule.name.startswith("math.log"):
        return frozenset()
    plain = (a for a in context.args if isinstance(a.kind, Number) and a.kind.type in (int, float))
    return frozenset(a.text for a in plain)


def safe(context: Context, product: Expr, g: Operand) -> Operand:
    """A product with a derivative that has a name: 0 where that is 0, whatever the other factors are.

    A product that is differentiated itself has a second part, which is 0 at this point: a derivative that is zero here
    alone is multiplied with the slope in the neighbourhood.
    """
    kind = kind_of(product, context.facts)
    numbers = shape_of(kind) == () and g.is_scalar
    form = "p if g else 0.0" if numbers else "np.where(g != 0.0, p, 0.0)"
    parts = {"np": context.np, "g": g.expr, "p": product}
    if context.care.inner:
        slope = replace_names(clone(product), {g.text: gast.Constant(1.0, None)})
        form = f"({form}) + f(g, g, k(s))"
        through, constant = helpers.through_zero, helpers.finite_slope
        parts |= {"f": load(helper(through, context.facts)), "k": load(helper(constant, context.facts))}
        parts["s"] = without_raising(context, slope)
    made = quote(form, **parts)
    if numbers:
        return Operand(made, kind)
    return Operand(made, kind) if shape_of(kind) is not None else Operand(quote("x[()]", x=made), kind)


def may_raise(expr: Expr, facts: Facts) -> bool:
    """May a slope of Python's numbers raise, as where an array's is infinite?"""
    return any(raising_side(node, facts) is not None for node in walk(expr))


def raising_side(expr: Expr, facts: Facts, divisors: frozenset[str] = frozenset()) -> str | None:
    """The side of a quotient or a power that may make it raise: a Python number that may be 0."""
    if not isinstance(expr, gast.BinOp) or not isinstance(expr.op, (gast.Div, gast.Pow)):
        return None
    side = "right" if isinstance(expr.op, gast.Div) else "left"
    inverse = gast.BinOp(gast.Constant(1.0, None), gast.Div(), clone(getattr(expr, side)))
    number = Operand(getattr(expr, side), kind_of(getattr(expr, side), facts)).is_number
    return side if number and not finite(inverse, facts, divisors=divisors) else None
