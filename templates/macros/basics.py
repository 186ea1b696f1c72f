"""What templates ask of operands: is it a number, is it known, which axes has it; derivatives in the shape wanted."""

from __future__ import annotations

import gast
import numpy as np

from s2sad.expansion.fit import Product, fit, helper, literal
from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand, Part
from s2sad.expansion.zero import ZERO
from s2sad.frontend import ways
from s2sad.kinds.kind import ListOf, Number, Tuple, Unknown


def is_static(value):
    """Is an argument of a macro known now?"""
    return not isinstance(value, Operand)


def axes_of(context, axis, rank):
    """A literal axis argument as a sorted tuple of axes from 0; all of them for None."""
    if axis is None:
        return tuple(range(rank))
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    if not all(isinstance(a, (int, np.integer)) for a in axes):
        raise context.unknown("the axis (an int or a tuple of ints)")
    if any(not -rank <= a < rank for a in axes):
        raise context.refuse(f"axis {axis} is out of range for {rank} dimensions")
    return tuple(sorted(int(a) % rank for a in axes))


@macro
def is_scalar(context, x):
    """Is x known to be a number or a 0-d array?"""
    return x.is_scalar if isinstance(x, Operand) else isinstance(x, (int, float, complex))


@macro
def is_number(context, x):
    """Is x known to be a Python number?"""
    return x.is_number if isinstance(x, Operand) else isinstance(x, (int, float, complex))


@macro
def is_complex(context, x):
    """Is x known to be complex?"""
    return isinstance(x, Operand) and x.is_complex


@macro
def maybe_complex(context, x):
    """Can x be complex, for all that is known?"""
    return isinstance(x, Operand) and (x.dtype is None or x.is_complex)


@macro
def rank_of(context, x):
    """The rank of x where it is known, else None."""
    return x.ndim if isinstance(x, Operand) else np.ndim(x)


@macro
def or_zero(context, value):
    """The derivative, or 0.0 where it is zero."""
    return literal(0.0) if value is ZERO else value


@macro
def fitted(context, value, virtual, target):
    """A contribution with the shape of `virtual` fitted to the argument it goes to."""
    if value is ZERO:
        return ZERO
    if not isinstance(value, Operand):
        value = literal(value)
    if not isinstance(target, Part) or not context.is_active(target):
        return ZERO
    return fit(Product.of(value.expr, context.facts), virtual.kind, target, context.facts, context.sources)


@macro
def nonzero(context, x):
    """x, or 1.0 where it is 0: a divisor whose numerator vanishes with it."""
    if x.is_scalar:
        return context.quote("x or 1.0", x=x)
    return context.quote("np.where(x == 0.0, 1.0, x)", x=x)


def name_of_helper(context, function):
    from s2sad.core import load

    return load(helper(function, context.facts))


def matrix_cotangent(context, g):
    """The cotangent of a product: as it is when scalar or full, else made full."""
    return g if g.is_scalar else context.local("g", context.broadcast(g, context.y.kind))


def multiplied(context, g, text, **parts):
    """g * (an expression), with the scalar in front."""
    product = Product.of(context.quote(text, **parts).expr, context.facts)
    return Operand(*_built(product.times(g, context.facts, context.y.kind)))


def _built(product):
    return product.expr(), product.kind


def as_array(context, value):
    """An array that may have been given as a list of constants."""
    return context.quote("np.array(x)", x=value) if isinstance(value, (list, tuple)) else as_operand(value)


def as_operand(value):
    return value if isinstance(value, Operand) else literal(value)


@macro
def along(context, axis, a):
    """The axis of a cumulative function, counted from the front where that can be said."""
    if axis is None:
        return 0 if a.ndim == 1 else None
    return axis % a.ndim if is_static(axis) and a.ndim else axis


@macro
def may_be_empty(context, x):
    """Is nothing known of its lengths? An empty array has a signature of its own."""
    return x.shape is None


@macro
def is_empty(context, x):
    """Is it known to have no elements?"""
    x = as_operand(x)
    return x.ndim is not None and any(dim.known and dim.const == 0 for dim in x.shape)


def known_items(context, arrays):
    items = arrays.items() if isinstance(arrays, Part) else list(arrays)
    if items is None:
        raise context.refuse(
            "how many arrays there are must be known when code is generated", "write them out as a list"
        )
    return [literal(x) if isinstance(x, (bool, int, float, complex)) else x for x in items]


def is_grown(arrays):
    """Is it a list that grows at run time, whose items have no names?"""
    return isinstance(arrays, Part) and isinstance(arrays.kind, ListOf)


@macro
def item(context, values, index):
    """One of several values that a macro gave."""
    return values[index]


@macro
def listed(context, *parts):
    """Arguments as a list."""
    return list(parts)


@macro
def zeros_for(context, value, like):
    """The tangent, or zeros."""
    return context.zeros_like(as_operand(like)) if value is ZERO else value


@macro
def conjugated(context, x):
    """The complex conjugate of what may be complex, else x itself."""
    if x is ZERO:
        return ZERO
    return context.quote("np.conj(x)", x=x) if can_be_complex(context, as_operand(x)) else x


def can_be_complex(context, x):
    """Can a value of a rule be complex, for all that is known of it and of the arguments?"""
    unknown = any(isinstance(a.kind, Unknown) or a.is_complex for a in (*context.args, context.y))
    return x.is_complex or (x.dtype is None and unknown)


@macro
def real_only(context, *arrays):
    """Refuse complex matrices."""
    if any(isinstance(a, Operand) and a.is_complex for a in arrays):
        raise context.refuse("complex matrices have no rule")
    return None


def parts_of(context, y):
    """The results of a function with several, as operands."""
    if not isinstance(y.expr, gast.Tuple):
        raise context.refuse("its results must be unpacked", ways.UNPACK)
    kinds = y.kind.items if isinstance(y.kind, Tuple) else (Unknown(),) * len(y.expr.elts)
    return [Operand(e, k) for e, k in zip(y.expr.elts, kinds, strict=True)]


@macro
def either(context, first, second):
    """The one of two arguments that was given."""
    return second if first is None else first


@macro
def derivative(context, part):
    """The tangent of an argument, or zero."""
    if isinstance(part, Part) and context.is_active(part):
        context.read.add(part.key)
        return context.tangents[part.key]
    return ZERO


@macro
def of_rank(context, x, least, most):
    """Refuse arrays that are known to have fewer axes, or more."""
    if x.ndim is not None and not least <= x.ndim <= most:
        raise context.refuse(f"arrays of rank {x.ndim} have no rule", "use np.reshape")


@macro
def in_single_too(context, value, x):
    """What a helper computes in float64, in float32 where x is that."""
    if x.dtype is None or x.dtype == np.dtype(float) or not isinstance(value, Operand):
        return value
    return Operand(context.quote("v.astype(x.dtype)", v=value, x=x).expr, x.kind)


@macro
def spread_over(context, value, target):
    """A value, a number perhaps, at the full size of what it is the derivative of."""
    if isinstance(target.kind, Number):
        return value  # np.broadcast_to would make an array of no axes, which nobody may write to
    return context.quote("np.broadcast_to(g, np.shape(x))", g=value, x=target)


@macro
def summed_last(context, g, other):
    """g summed over its last axes, which are those of `other`."""
    n = other.ndim if isinstance(other, Operand) else np.ndim(other)
    if n is None:
        raise context.unknown("the ranks")
    return g if n == 0 else context.quote("np.sum(g, axis=a)", g=g, a=tuple(range(-n, 0)) if n > 1 else -1)


@macro
def summed_first(context, g, other):
    """g summed over its first axes, which are those of `other`."""
    n = other.ndim if isinstance(other, Operand) else np.ndim(other)
    if n is None:
        raise context.unknown("the ranks")
    return g if n == 0 else context.quote("np.sum(g, axis=a)", g=g, a=tuple(range(n)) if n > 1 else 0)


@macro
def literal_mode(context, mode, *others):
    """Refuse a mode that is not known when code is generated, or not one of those named."""
    if not isinstance(mode, str):
        raise context.unknown("the mode")
    if others and mode not in others:
        raise context.refuse(f"mode {mode!r} has no rule", f"modes with a rule: {', '.join(others)}")


def names_in(text):
    return {n.id for n in gast.walk(gast.parse(text)) if isinstance(n, gast.Name)}


def rank_of_image(context, x):
    if x.ndim is None:
        raise context.unknown("the rank of the image")
    return x.ndim


@macro
def shaped_as(context, value, x):
    """A contribution whose shape is that of the argument, though their lengths have different names."""
    return ZERO if value is ZERO else Operand(as_operand(value).expr, x.kind)
