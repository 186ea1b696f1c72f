"""Generation-time functions that templates call by name: each returns the expression that fits the kinds at hand."""

from __future__ import annotations

import inspect
import itertools
import operator

import gast
import numpy as np

from s2sad.core import text
from s2sad.frontend import ways
from s2sad.kinds.kind import Array, Dim, Either, List, ListOf, Number, Tuple, Unknown
from s2sad.kinds.known import shape_of
from s2sad.runtime import helpers
from s2sad.transform.expand import ZERO, literal, macro
from s2sad.transform.fit import ONE, Product, broadcast_shape, count_expr, fit, helper
from s2sad.transform.operand import NOT_STATIC, Operand, Part


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
def axis_from_0(context, axis, rank):
    """A literal axis counted from the front."""
    return axes_of(context, axis, rank)[0]


# -- scalars and arrays ------------------------------------------------------------------------------------------------


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
def valid_count(context, there, x, axis, keepdims):
    """How many along the axis are there."""
    text = "np.sum(t"
    if axis is not None:
        text += ", axis=a"
    text += ", dtype=x.dtype" if isinstance(x.kind, Array) else ", dtype=np.result_type(x)"
    if keepdims is not False and axis is not None:
        text += ", keepdims=k"
    return context.quote(text + ")", t=there, x=x, a=axis, k=keepdims)


@macro
def is_known(context, x):
    """Is the value of x known when code is generated?"""
    return is_static(x)


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
    chosen = _is_chosen(context, a, b, y)
    if all(not isinstance(v, Operand) or v.is_number for v in (a, b)) or y.dtype == np.dtype(float):
        return context.quote("g * c", g=g, c=chosen)
    return context.quote("np.where(a == b, 0.5 * g, g * (a == y))", a=a, b=b, y=y, g=g)


def _is_chosen(context, a, b, y):
    """1 where a is the one of a and b that y is, 1/2 where both are."""
    constant = getattr(b, "static", NOT_STATIC)
    if type(constant) in (int, float) and constant == constant:
        form = "((a > b) + 0.5 * (a == b))" if "max" in context.rule.name else "((a < b) + 0.5 * (a == b))"
    else:
        form = "((a == y) - 0.5 * (a == b))"
    return context.quote(form, a=a, b=b, y=y)


# -- reductions --------------------------------------------------------------------------------------------------------


@macro
def expand_reduced(context, g, x, axis=None, keepdims=False):
    """A value of the shape of the reduced x (or smaller) indexed so that it broadcasts against x."""
    if g is ZERO:
        return ZERO
    if not isinstance(g, Operand):
        g = literal(g)
    rank = x.ndim
    if isinstance(x.kind, Either) and g.is_scalar:  # every element of the array has it, and so has a number
        return g
    if rank is None or not is_static(axis) or not is_static(keepdims) or g.ndim is None:
        if axis is None and is_static(keepdims):
            call = context.quote("np.broadcast_to(g, np.shape(x))", g=g, x=x)
        elif keepdims is False:
            call = context.quote("f(g, x, a)", f=_name(context, helpers.expand_reduced), g=g, x=x, a=axis)
        else:
            call = context.quote(
                "f(g, x, a, k)", f=_name(context, helpers.expand_reduced), g=g, x=x, a=axis, k=keepdims
            )
        return Operand(call.expr, x.kind)
    if g.is_scalar or keepdims or rank == 0:
        return g
    gone = axes_of(context, axis, rank)
    left, items = g.ndim, []
    for i in reversed(range(rank)):
        if left == 0:
            break
        if i in gone:
            items.insert(0, None)
        else:
            items.insert(0, slice(None))
            left -= 1
    if all(isinstance(i, slice) for i in items):
        return g
    return _indexed(context, g, items)


def _indexed(context, g, items):
    """g[items], where items are None and full slices"""
    from s2sad.transform.fit import as_literal

    index = [gast.Slice(None, None, None) if isinstance(i, slice) else gast.Constant(None, None) for i in items]
    expr = gast.Subscript(as_literal(g), gast.Tuple(index, gast.Load()), gast.Load())
    dims = iter(g.shape)
    shape = tuple(next(dims) if isinstance(i, slice) else ONE for i in items)
    return Operand(expr, Array(g.dtype, shape))


def _name(context, function):
    from s2sad.core import load

    return load(helper(function, context.facts))


@macro
def count(context, x, axis=None, y=None):
    """The number of elements that a reduction of x over axis takes together."""
    if x.ndim is None or not is_static(axis):
        if axis is None:
            return context.quote("np.size(x)", x=x)
        if isinstance(axis, int):
            return context.quote("np.shape(x)[a]", x=x, a=axis)
        return context.quote("np.size(x) / max(np.size(y), 1)", x=x, y=context.y)
    dims = [x.shape[a] for a in axes_of(context, axis, x.ndim)]
    value = Dim.of(1)
    return Operand(count_expr(dims, [x]), Number(int, dims[0] if len(dims) == 1 else value if not dims else None))


@macro
def reduced(context, function, x, axis=None, keepdims=False):
    """`np.sum(x, axis=axis, keepdims=True)` and its like, without the arguments that have their defaults."""
    if x is ZERO:
        return ZERO
    text = f"np.{function}(x"
    if axis is not None:
        text += ", axis=a"
    if keepdims is not False:
        text += ", keepdims=k"
    return context.quote(text + ")", x=x, a=axis, k=keepdims)


@macro
def kept(context, function, x, axis=None):
    """A reduction that broadcasts against x: a number, or with its axes kept."""
    return reduced(context, function, x, axis, axis is not None)


# -- shapes ------------------------------------------------------------------------------------------------------------


@macro
def shape_like(context, x):
    """x.shape"""
    return context.quote("np.shape(x)" if not isinstance(x.kind, Array) else "x.shape", x=x)


@macro
def inverse_permutation(context, axes, rank):
    """The permutation that undoes np.transpose with these axes, as a literal."""
    if not is_static(axes):
        return context.quote("np.argsort(a)", a=axes)
    axes = [a % len(axes) for a in axes]
    return tuple(axes.index(i) for i in range(len(axes)))


# -- products ----------------------------------------------------------------------------------------------------------


def _matrix_cotangent(context, g):
    """The cotangent of a product: as it is when scalar or full, else made full."""
    return g if g.is_scalar else context.local("g", context.broadcast(g, context.y.kind))


def _times(context, g, text, **parts):
    """g * (an expression), with the scalar in front."""
    product = Product.of(context.quote(text, **parts).expr, context.facts)
    return Operand(*_built(product.times(g, context.facts, context.y.kind)))


def _built(product):
    return product.expr(), product.kind


def as_array(context, value):
    """An array that may have been given as a list of constants."""
    return context.quote("np.array(x)", x=value) if isinstance(value, (list, tuple)) else _as_operand(value)


def _as_operand(value):
    return value if isinstance(value, Operand) else literal(value)


@macro
def matmul_left(context, g, a, b):
    """The adjoint of a in a @ b."""
    if not context.is_active(a):
        return ZERO
    g = _as_operand(g)
    if None in (a.ndim, b.ndim) or g.ndim is None:
        call = context.quote("f(g, a, b)", f=_name(context, helpers.matmul_left), g=g, a=a, b=b)
        return Operand(call.expr, a.kind)
    g = _matrix_cotangent(context, g)
    lazy = g.is_scalar
    match a.ndim, b.ndim:
        case 1, 1:
            return _times(context, g, "b", b=b)
        case 2, 1:
            return _times(context, g, "b", b=b) if lazy else context.quote("np.outer(g, b)", g=g, b=b)
        case 1, 2:
            return _times(context, g, "np.sum(b, axis=1)", b=b) if lazy else context.quote("b @ g", g=g, b=b)
        case 2, 2:
            return _times(context, g, "np.sum(b, axis=1)", b=b) if lazy else context.quote("g @ b.T", g=g, b=b)
    g = context.local("g", context.broadcast(g, context.y.kind))
    match a.ndim, b.ndim:
        case _, 1:
            return context.quote("g[..., None] * b", g=g, b=b)
        case _, 2:
            return context.quote("g @ b.T", g=g, b=b)
        case 1, _:
            return context.quote("np.tensordot(g, np.swapaxes(b, -1, -2), n)", g=g, b=b, n=g.ndim)
    value = context.quote("g @ np.swapaxes(b, -1, -2)", g=g, b=b)
    return _unbatched(context, value, a, g, b.shape[-2])


@macro
def matmul_right(context, g, a, b):
    """The adjoint of b in a @ b."""
    if not context.is_active(b):
        return ZERO
    g = _as_operand(g)
    if None in (a.ndim, b.ndim) or g.ndim is None:
        call = context.quote("f(g, a, b)", f=_name(context, helpers.matmul_right), g=g, a=a, b=b)
        return Operand(call.expr, b.kind)
    g = _matrix_cotangent(context, g)
    lazy = g.is_scalar
    match a.ndim, b.ndim:
        case 1, 1:
            return _times(context, g, "a", a=a)
        case 2, 1:
            return _times(context, g, "np.sum(a, axis=0)", a=a) if lazy else context.quote("a.T @ g", g=g, a=a)
        case 1, 2:
            return _times(context, g, "a[:, None]", a=a) if lazy else context.quote("np.outer(a, g)", g=g, a=a)
        case 2, 2:
            if lazy:
                return _times(context, g, "np.sum(a, axis=0)[:, None]", a=a)
            return context.quote("a.T @ g", g=g, a=a)
    g = context.local("g", context.broadcast(g, context.y.kind))
    match a.ndim, b.ndim:
        case _, 1:
            return context.quote("np.tensordot(g, a, n)", g=g, a=a, n=g.ndim)
        case _, 2:
            axes = tuple(range(a.ndim - 1))
            return context.quote("np.tensordot(a, g, (m, m))", g=g, a=a, m=axes)
        case 1, _:
            return context.quote("a[:, None] * g[..., None, :]", g=g, a=a)
    value = context.quote("np.swapaxes(a, -1, -2) @ g", g=g, a=a)
    return _unbatched(context, value, b, g, b.shape[-2])


def _unbatched(context, value, target, g, inner):
    """A stack of matrices summed over the batch axes that the target was broadcast along."""
    batch = context.y.shape[:-2]
    virtual = Array(g.dtype, (*batch, *target.shape[-2:]))
    if value.shape is None:
        value = Operand(value.expr, virtual)
    return fit(value, virtual, target, context.facts, context.sources)


# -- special slopes ----------------------------------------------------------------------------------------------------


@macro
def angle_slope(context, z, deg):
    """d angle(z) / dz = -i / z, of which the real part in the pairing counts."""
    if not maybe_complex(context, z):
        return ZERO
    if deg is True:
        return context.quote("-57.29577951308232j / z", z=z)
    return context.quote("-1j / z", z=z)


# -- rearranging -------------------------------------------------------------------------------------------------------


@macro
def reshaped(context, g, x, order="C"):
    """g in the shape of x."""
    g = _as_operand(g)
    if order in ("K", "A"):
        order = "C"  # (of one axis: others are refused before)
    if x.is_scalar:
        if g.is_scalar:
            return g
        return Operand(context.quote("np.sum(g)", g=g).expr, x.kind)
    if x.ndim == 1 and isinstance(x.kind, Array) and order == "C":
        call = g if g.ndim == 1 else context.quote("np.ravel(g)", g=g)
    elif order == "C":
        call = context.quote(
            "np.reshape(g, np.shape(x))" if not isinstance(x.kind, Array) else "g.reshape(x.shape)", g=g, x=x
        )
    else:
        call = context.quote("np.reshape(g, np.shape(x), order=o)", g=g, x=x, o=order)
    if g.is_complex and not maybe_complex(context, x):
        call = context.quote("v.real", v=call)
    return Operand(call.expr, x.kind)


@macro
def transposed_back(context, g, x, axes):
    """The transpose of g that undoes np.transpose(x, axes)."""
    if isinstance(axes, (list, tuple)) and axes and all(isinstance(a, Operand) for a in axes):
        values = [a.static for a in axes]
        if any(v is NOT_STATIC for v in values):
            raise context.unknown("the axes")
        axes = values[0] if len(values) == 1 else tuple(values)
    if axes is None or (is_static(axes) and len(axes) == 0):
        if x.ndim is not None and x.ndim < 2:
            return g
        return context.quote("g.T" if g.ndim is not None else "np.transpose(g)", g=g)
    return context.quote("np.transpose(g, a)", g=g, a=inverse_permutation(context, axes, x.ndim))


@macro
def swapped(context, g, x, axis1, axis2):
    """np.swapaxes undone."""
    if x.ndim == 2 and is_static(axis1) and is_static(axis2) and axis1 % 2 != axis2 % 2:
        return context.quote("g.T", g=g)
    return context.quote("np.swapaxes(g, i, j)", g=g, i=axis1, j=axis2)


@macro
def rolled_back(context, g, x, axis, start):
    """np.rollaxis undone."""
    if x.ndim is None or not is_static(axis) or not is_static(start):
        raise context.unknown("the rank, the axis and the start")
    axes = np.rollaxis(np.empty(tuple(range(1, x.ndim + 1))), axis, start).shape
    return context.quote("np.transpose(g, a)", g=g, a=tuple(axes.index(i + 1) for i in range(x.ndim)))


@macro
def flipped(context, g, axis):
    """np.flip"""
    if g.ndim == 1:
        return context.quote("g[::-1]", g=g)
    return context.quote("np.flip(g)" if axis is None else "np.flip(g, a)", g=g, a=axis)


@macro
def rolled(context, g, shift, axis):
    """np.roll undone."""
    if isinstance(shift, (tuple, list)):
        back = tuple(-s for s in shift)
    elif is_static(shift):
        back = -shift
    elif isinstance(shift.kind, Tuple):
        back = context.quote("tuple(-s for s in t)", t=shift)
    else:
        back = context.quote("-s", s=shift)
    return context.quote("np.roll(g, s)" if axis is None else "np.roll(g, s, axis=a)", g=g, s=back, a=axis)


@macro
def converted(context, g, x):
    """g with the type of x."""
    y = context.y
    if y.dtype is not None and y.dtype.kind not in "fc":
        return ZERO
    if not isinstance(g, Operand):  # a literal, such as the seed
        return g
    if x.dtype is not None and x.dtype == g.dtype:
        return g
    if x.is_scalar and x.is_number:
        return g
    if g.is_complex and x.dtype is not None and x.dtype.kind != "c":
        g = context.quote("g.real", g=g)
    if g.is_number:
        return g
    return Operand(context.quote("g.astype(x.dtype)", g=g, x=x).expr, x.kind)


@macro
def item_back(context, g, x, args):
    """A number put back to its place in zeros."""
    if x.shape is not None and all(d == ONE for d in x.shape):
        return g
    if not args:
        return Operand(context.quote("np.full_like(x, g)", x=x, g=g).expr, x.kind)
    raise context.unknown("the index")


@macro
def items_of(context, g, x, ndmin=0):
    """The cotangent of np.array(x, ndmin=ndmin): g itself, or its items when x is a nest of lists."""
    if g is ZERO:
        return ZERO
    g = literal(g) if is_static(g) else g
    items = x.items() if isinstance(x, Part) else None
    if items is None:
        if isinstance(x.kind, (Array, Number, Unknown)):
            value = converted(context, g, x)
            if context.y.ndim is not None and x.ndim is not None and context.y.ndim > x.ndim and not g.is_scalar:
                return reshaped(context, g, x)
            return value
        if isinstance(x.kind, ListOf):  # the adjoint of a run-time list is added to item by item
            return rows_back(context, g, x, "g", 0)
        raise context.unknown("its argument is a list whose items")
    g = _as_operand(g)
    full = g if g.is_scalar else context.broadcast(g, context.y.kind)
    if full.is_scalar and context.y.ndim:
        return [_nested(context, None, item, full) for item in items]
    in_front: tuple[int, ...] = ()  # indices of the axes of length 1 that ndmin put in front
    if not (is_static(ndmin) and ndmin < 2):
        rank = _rank_of_nest(x)
        if rank is None or context.y.ndim is None:
            raise context.unknown("the rank of its items, to which ndmin adds,")
        in_front = (0,) * (context.y.ndim - rank)
    return [_nested(context, full, item, None, (*in_front, i)) for i, item in enumerate(items)]


def _rank_of_nest(item):
    """The rank of the array that a nested list becomes; None where it is not known."""
    parts = item.items()
    if not parts:
        return item.ndim if parts is None else 1
    inner = _rank_of_nest(parts[0])
    return None if inner is None else 1 + inner


def _nested(context, g, item, scalar, index=()):
    """The cotangent of one item of a nested list."""
    inner = item.items()
    if inner is None:
        if scalar is not None:
            return scalar
        text = f"g[{', '.join(map(str, index))}]"
        return context.quote(text, g=g)
    return [_nested(context, g, part, scalar, (*index, i)) for i, part in enumerate(inner)]


def _call(context, function, *args):
    """A call of a run-time helper on operands and plain values."""
    from s2sad.transform.fit import as_literal

    nodes = [as_literal(a) for a in args]
    for i, node in enumerate(nodes):
        if isinstance(node, gast.Slice):
            bounds = [gast.Constant(None, None) if b is None else b for b in (node.lower, node.upper, node.step)]
            nodes[i] = gast.Call(gast.Name("slice", gast.Load(), None, None), bounds, [])
    return gast.Call(_name(context, function), nodes, [])


@macro
def dot_left(context, g, a, b):
    """The adjoint of a in np.dot(a, b)."""
    if not context.is_active(a):
        return ZERO
    g, b = _as_operand(g), _as_operand(b)
    if a.is_scalar or b.is_scalar:
        product = Product.of(b.expr, context.facts).times(g, context.facts, context.y.kind)
        return fit(product, context.y.kind, a, context.facts, context.sources)
    if None in (a.ndim, b.ndim):
        return Operand(_call(context, helpers.dot_left, g, a, b), a.kind)
    if max(a.ndim, b.ndim) <= 2:
        return matmul_left(context, g, a, b)
    g = context.local("g", context.broadcast(g, context.y.kind))
    first = a.ndim - 1
    there = tuple(range(first, g.ndim))
    here = tuple(i for i in range(b.ndim) if i != max(b.ndim - 2, 0))
    return context.quote("np.tensordot(g, b, (i, j))", g=g, b=b, i=there, j=here)


@macro
def dot_right(context, g, a, b):
    """The adjoint of b in np.dot(a, b)."""
    if not context.is_active(b):
        return ZERO
    g, a = _as_operand(g), _as_operand(a)
    if a.is_scalar or b.is_scalar:
        product = Product.of(a.expr, context.facts).times(g, context.facts, context.y.kind)
        return fit(product, context.y.kind, b, context.facts, context.sources)
    if None in (a.ndim, b.ndim):
        return Operand(_call(context, helpers.dot_right, g, a, b), b.kind)
    if max(a.ndim, b.ndim) <= 2:
        return matmul_right(context, g, a, b)
    g = context.local("g", context.broadcast(g, context.y.kind))
    axes = tuple(range(a.ndim - 1))
    if b.ndim == 1:
        return context.quote("np.tensordot(g, a, (m, m))", g=g, a=a, m=axes)
    return context.quote("np.moveaxis(np.tensordot(g, a, (m, m)), -1, -2)", g=g, a=a, m=axes)


@macro
def inner_part(context, g, a, b, which):
    """The adjoints of np.inner(a, b)."""
    me, other = (a, b) if which == 0 else (b, a)
    if not context.is_active(me):
        return ZERO
    g, other = _as_operand(g), _as_operand(other)
    a, b = (me, other) if which == 0 else (other, me)
    if a.is_scalar or b.is_scalar:
        product = Product.of(other.expr, context.facts).times(g, context.facts, context.y.kind)
        return fit(product, context.y.kind, me, context.facts, context.sources)
    if None in (a.ndim, b.ndim):
        raise context.unknown("the ranks")
    if a.ndim == b.ndim == 1:
        return _times(context, g, "b", b=other)
    g = context.local("g", context.broadcast(g, context.y.kind))
    if which == 0:
        return context.quote("np.tensordot(g, b, n)", g=g, b=b, n=b.ndim - 1)
    axes = tuple(range(a.ndim - 1))
    return context.quote("np.tensordot(g, a, (m, m))", g=g, a=a, m=axes)


@macro
def vdot_part(context, g, a, b, which):
    """The adjoints of np.vdot(a, b), which conjugates a."""
    me, other = (a, b) if which == 0 else (b, a)
    if not context.is_active(me):
        return ZERO
    g, other = _as_operand(g), as_array(context, other)
    flat = "b" if other.ndim in (0, 1) else "np.ravel(b)"
    if which == 0 and maybe_complex(context, context.y):
        value = context.quote(f"np.conj(g * {flat})", g=g, b=other)
    else:
        conjugates = which == 1 and maybe_complex(context, other)
        value = _times(context, g, f"np.conj({flat})" if conjugates else flat, b=other)
    return reshaped(context, value, me)


@macro
def outer_part(context, g, a, b, which):
    """The adjoints of np.outer(a, b)."""
    me, other = (a, b) if which == 0 else (b, a)
    if not context.is_active(me):
        return ZERO
    g, other = _as_operand(g), as_array(context, other)
    flat = other if other.ndim == 1 else context.quote("np.ravel(x)", x=other)
    if g.is_scalar and me.ndim == 1:
        return _times(context, g, "np.sum(b)", b=other)
    g = context.local("g", context.broadcast(g, context.y.kind))
    value = context.quote("g @ b" if which == 0 else "b @ g", g=g, b=flat)
    return value if me.ndim == 1 else reshaped(context, value, me)


@macro
def factors_of(context, multiply, args):
    """The factors of a product by one of NumPy's functions."""
    return einsum_operands(context, args) if multiply.kind.value is np.einsum else args[:2]


@macro
def factor_of_product_back(context, multiply, g, args, x):
    """The adjoint of one of them."""
    function = multiply.kind.value
    if function is np.einsum:
        return einsum_part(context, g, args, x)
    a, b, *axes = args
    which = 0 if x.key == a.key else 1
    if function in (np.matmul, np.dot):
        return (matmul_left, matmul_right)[which](context, g, a, b)
    if function is np.tensordot:
        return tensordot_part(context, g, a, b, axes[0].static if axes else 2, which)
    part = {np.inner: inner_part, np.outer: outer_part, np.vdot: vdot_part, np.kron: kron_part}[function]
    return part(context, g, a, b, which)


@macro
def tensordot_part(context, g, a, b, axes, which):
    """The adjoints of np.tensordot(a, b, axes): contract with the other, then put the axes back in order."""
    a, b = _as_operand(a), _as_operand(b)
    me, other = (a, b) if which == 0 else (b, a)
    if not context.is_active(me):
        return ZERO
    if None in (a.ndim, b.ndim) or not is_static(axes):
        raise context.unknown("the ranks and axes")
    if isinstance(axes, (int, np.integer)):
        over_a, over_b = tuple(range(a.ndim - axes, a.ndim)), tuple(range(axes))
    else:
        over_a, over_b = (tuple(x) if isinstance(x, (tuple, list)) else (x,) for x in axes)
    over_a, over_b = tuple(i % a.ndim for i in over_a), tuple(i % b.ndim for i in over_b)
    free_a = [i for i in range(a.ndim) if i not in over_a]
    free_b = [i for i in range(b.ndim) if i not in over_b]
    n = len(free_a)
    if which == 0:
        in_g, in_other = tuple(range(n, n + len(free_b))), tuple(free_b)
        # what is left: the free axes of a, then the summed axes in the order of b
        order = free_a + [over_a[over_b.index(i)] for i in sorted(over_b)]
    else:
        in_g, in_other = tuple(range(n)), tuple(free_a)
        order = free_b + [over_b[over_a.index(i)] for i in sorted(over_a)]
    g = _as_operand(g)
    if g.is_scalar and not context.y.ndim:
        value = _times(context, g, "x", x=other)
        left = sorted(over_b if which == 0 else over_a)
        value = Operand(value.expr, other.kind if len(left) == other.ndim else value.kind)
    else:
        value = context.quote("np.tensordot(g, x, (i, j))", g=g, x=other, i=in_g, j=in_other)
    if order == sorted(order):
        return value
    return context.quote("np.transpose(v, p)", v=value, p=tuple(order.index(i) for i in range(len(order))))


@macro
def kron_part(context, g, a, b, which):
    """The adjoints of np.kron(a, b)."""
    me = a if which == 0 else b
    if not context.is_active(me):
        return ZERO
    a, b = as_array(context, a), as_array(context, b)
    if (a.ndim, b.ndim) == (2, 2):
        blocks = "g.reshape(a.shape[0], b.shape[0], a.shape[1], b.shape[1])"
        if which == 0:
            return context.quote(f"np.einsum('ikjl,kl->ij', {blocks}, b)", g=g, a=a, b=b)
        return context.quote(f"np.einsum('ikjl,ij->kl', {blocks}, a)", g=g, a=a, b=b)
    if (a.ndim, b.ndim) == (1, 1):
        return context.quote(
            "g.reshape(a.size, b.size) @ b" if which == 0 else "a @ g.reshape(a.size, b.size)", g=g, a=a, b=b
        )
    function = helpers.kron_left if which == 0 else helpers.kron_right
    return Operand(_call(context, function, g, a, b), me.kind)


@macro
def cross_part(context, g, a, b, axisa, axisb, axisc, axis, which):
    """The adjoints of np.cross(a, b) on vectors of three."""
    me = a if which == 0 else b
    if not context.is_active(me):
        return ZERO
    three = Dim.of(3)
    if axis is not None:
        axisa = axisb = axisc = axis
    if not (is_static(axisa) and is_static(axisb) and is_static(axisc)) or a.ndim is None or b.ndim is None:
        raise context.unknown("the axes and ranks")
    if None in (axisa, axisb, axisc):
        raise context.refuse("a product whose axis is None", "say which axis holds the vectors")
    for x, i in ((a, axisa), (b, axisb)):
        if x.shape[i].known and x.shape[i] != three:
            raise context.refuse("vectors of two have no rule", "write the product out")
    shape = broadcast_shape([a.shape, b.shape])
    rank = max(a.ndim, b.ndim)
    if shape is not None and context.y.shape is None:
        g = context.broadcast(_as_operand(g), Array(a.dtype, shape))
    mine, theirs = (axisa, axisb) if which == 0 else (axisb, axisa)
    last = all(i in (-1, x.ndim - 1) for i, x in ((axisa, a), (axisb, b))) and axisc in (-1, rank - 1)
    if last:
        text = "np.cross(b, g)" if which == 0 else "np.cross(g, a)"
        value = context.quote(text, g=g, a=a, b=b)
        full = Array(a.dtype, shape)
        value = value if value.shape is not None else Operand(value.expr, full)
        return fit(value, full, me, context.facts, context.sources)
    text = "np.cross(b, g, i, k, j)" if which == 0 else "np.cross(g, a, k, i, j)"
    value = context.quote(text, g=g, a=a, b=b, i=theirs, j=mine, k=axisc)
    rests = [[d for k, d in enumerate(x.shape) if k != i % x.ndim] for x, i in ((a, axisa), (b, axisb))]
    if a.ndim != b.ndim or rests[0] != rests[1]:
        raise context.refuse(
            "broadcast vectors along another axis than the last have no rule", "move the axes with np.moveaxis first"
        )
    return Operand(value.expr, me.kind)


@macro
def vecdot_part(context, g, a, b, which):
    """The adjoints of np.vecdot(a, b), which conjugates a."""
    me, other = (a, b) if which == 0 else (b, a)
    if not context.is_active(me):
        return ZERO
    g = _as_operand(g)
    wide = g if g.is_scalar else context.quote("g[..., None]", g=g)
    conj = maybe_complex(context, a) or maybe_complex(context, b)
    text = "g * x" if not conj else "np.conj(g * x)" if which == 0 else "g * np.conj(x)"
    value = context.quote(text, g=wide, x=other)
    if value.shape is None or me.shape is None or context.y.shape is None:
        return Operand(_call(context, helpers.unbroadcast, value, me), me.kind)
    virtual = Array(value.dtype, (*context.y.shape, a.shape[-1]))
    return fit(value, virtual, me, context.facts, context.sources)


# -- einsum ------------------------------------------------------------------------------------------------------------


def _einsum_spec(context, operands):
    """Subscripts of the operands and of the result, without ellipses, and the operands."""
    if isinstance(operands[0], Part) and isinstance(operands[0].static, str):
        spec = operands[0].static.replace(" ", "")
        arrays = operands[1:]
        if any(x.ndim is None for x in arrays):
            raise context.unknown("the ranks of the operands")
        left, arrow, right = spec.partition("->")
        terms = left.split(",")
    else:
        terms, right, arrays = _einsum_lists(context, operands)
        left, arrow, spec = ",".join(terms), right is not None, "".join(terms) + (right or "")
        if any(x.ndim is None for x in arrays):
            raise context.unknown("the ranks of the operands")
    if len(terms) != len(arrays):
        raise context.refuse("the subscripts do not fit the number of operands")
    if not arrow:
        letters = sorted(c for c in set(left) - {",", "."} if left.count(c) == 1)
        right = ("..." if "..." in left else "") + "".join(letters)
    free = [c for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" if c not in spec]
    ranks = [x.ndim - len(t.replace("...", "")) if "..." in t else 0 for t, x in zip(terms, arrays, strict=True)]
    widest = max(ranks, default=0)
    batch = "".join(free[:widest])
    terms = [t.replace("...", batch[widest - r :]) for t, r in zip(terms, ranks, strict=True)]
    return terms, right.replace("...", batch), list(arrays)


def _einsum_lists(context, operands):
    """The terms, the result (None where it is left out) and the arrays of np.einsum(a, [0, 1], b, [1, 2], [0, 2])."""
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

    def term(part):
        items = part.items()
        values = [i.static for i in items] if items is not None else part.static
        if not isinstance(values, (list, tuple)) or any(v is NOT_STATIC for v in values):
            raise context.unknown("the subscripts")
        return "".join("..." if v is Ellipsis else letters[v] for v in values)

    pairs = len(operands) // 2
    terms = [term(operands[2 * i + 1]) for i in range(pairs)]
    right = term(operands[-1]) if len(operands) % 2 else None
    return terms, right, [operands[2 * i] for i in range(pairs)]


@macro
def einsum_operands(context, operands):
    """The array operands of np.einsum."""
    return _einsum_spec(context, operands)[2]


@macro
def einsum_part(context, g, operands, x):
    """The adjoint of one operand of np.einsum: the same sum with the result and this operand exchanged."""
    if not context.is_active(x):
        return ZERO
    terms, result, arrays = _einsum_spec(context, operands)
    at = next(i for i, a in enumerate(arrays) if a.key == x.key)
    mine = terms[at]
    if len(set(mine)) != len(mine):
        return _einsum_diagonal(context, g, terms, result, arrays, at)
    inputs = [result, *(t for i, t in enumerate(terms) if i != at)]
    values = [g, *(a for i, a in enumerate(arrays) if i != at)]
    return _einsum(context, inputs, values, mine, x, arrays, terms)


def _is_short(x):
    """Are the elements bools, or ints of less than 64 bits?"""
    return isinstance(x.kind, Array) and (x.dtype.kind == "b" or (x.dtype.kind in "iu" and x.dtype.itemsize < 8))


def _einsum(context, inputs, values, mine, x, arrays, terms):
    """np.einsum(inputs -> mine); letters that only this operand has were summed out: they are broadcast back."""
    from s2sad.transform.fit import as_literal

    dims = {}
    for term, array in zip(terms, arrays, strict=True):
        for letter, dim in zip(term, array.shape, strict=True):
            if letter not in dims or dims[letter] == ONE:
                dims[letter] = dim
    shape = dict(zip(mine, x.shape, strict=True))
    # a length of 1 that met longer ones was broadcast: it is summed, not kept
    kept = [c for c in mine if any(c in t for t in inputs) and not (shape[c] == ONE and dims[c] != ONE)]
    g = _as_operand(values[0])
    # bools and short ints among themselves would stay what they are: their sums would not be those of floats
    values = [g, *(context.quote("v.astype(float)", v=v) if _is_short(v) else v for v in values[1:])]
    if g.is_scalar and inputs[0] == "":
        values, inputs = values[1:], inputs[1:]
        outside = g
    else:
        outside = None
    if not inputs:
        value = outside
    elif len(inputs) == 1 and inputs[0] == "".join(kept):
        value = _as_operand(values[0])
        if outside is not None:
            value = _times(context, outside, "v", v=value)
    else:
        spec = ",".join(inputs) + "->" + "".join(kept)
        call = context.quote("np.einsum(s)", s=spec)
        call.expr.args.extend(as_literal(v) for v in values)
        if len(inputs) > 2 and _in_pairs(inputs, kept) < len(set("".join(inputs))):
            call.expr.keywords.append(gast.keyword("optimize", gast.Constant(True, None)))
        from s2sad.transform.fit import kind_of

        value = Operand(call.expr, kind_of(call.expr, context.facts))
        if outside is not None:
            value = _times(context, outside, "v", v=value)
    if kept and len(kept) < len(mine):
        first = mine.index(kept[0])
        items = [slice(None) if c in kept else None for c in mine[first:]]
        if not all(isinstance(i, slice) for i in items):
            index = [gast.Slice(None, None, None) if isinstance(i, slice) else gast.Constant(None, None) for i in items]
            expr = gast.Subscript(value.expr, gast.Tuple(index, gast.Load()), gast.Load())
            dims_out = tuple(shape[c] if c in kept else ONE for c in mine[first:])
            value = Operand(expr, Array(value.dtype or np.dtype(float), dims_out))
        elif value.shape is None:
            value = Operand(value.expr, Array(value.dtype or x.dtype, tuple(shape[c] for c in kept)))
    # a length of 1 that is shared with lengths that are not, in an operand that g does not have
    return value


def _in_pairs(terms, result):
    """The most letters that a step of a sum of products runs over, two operands at a time in the best order: three for
    ij,jk,kl->il, which runs over four at once."""
    if len(terms) < 3:
        return len(set("".join(terms)))
    best = len(set("".join(terms)))
    for i, j in itertools.combinations(range(len(terms)), 2):
        rest = [t for k, t in enumerate(terms) if k not in (i, j)]
        both = set(terms[i] + terms[j])
        left = "".join(both & {*result, *"".join(rest)})
        best = min(best, max(len(both), _in_pairs([*rest, left], result)))
    return best


def _einsum_diagonal(context, g, terms, result, arrays, at):
    """An operand with a repeated index (a diagonal was taken): its adjoint is zero off the diagonal."""
    x, mine = arrays[at], terms[at]
    letters = "".join(dict.fromkeys(mine))
    free = [c for c in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" if c not in "".join(terms) + result]
    spelt, eyes, out = [], [], ""
    seen = set()
    for i, c in enumerate(mine):
        if c in seen:
            fresh = free.pop(0)
            spelt.append(c + fresh)
            eyes.append(context.quote("np.eye(x.shape[i], dtype=x.dtype)", x=x, i=i))
            out += fresh
        else:
            seen.add(c)
            out += c
    inputs = [result, *(t for i, t in enumerate(terms) if i != at), *spelt]
    values = [g, *(a for i, a in enumerate(arrays) if i != at), *eyes]
    from s2sad.transform.fit import as_literal

    call = context.quote("np.einsum(s)", s=",".join(inputs) + "->" + out)
    call.expr.args.extend(as_literal(v) for v in values)
    assert letters
    return Operand(call.expr, x.kind)


# -- diagonals ---------------------------------------------------------------------------------------------------------


@macro
def trace_back(context, g, a, offset, axis1, axis2):
    """The adjoint of np.trace: g on the diagonal."""
    if a.ndim == 2 and (axis1, axis2) == (0, 1):
        text = "g * np.eye(a.shape[0]"
        if offset != 0 or a.shape[0] != a.shape[1]:
            text += ", a.shape[1], k"
        text += ")" if a.dtype == np.dtype(float) else ", dtype=a.dtype)"
        return context.quote(text, g=g, a=a, k=offset)
    spread = g if _as_operand(g).is_scalar else context.quote("g[..., None]", g=g)
    return Operand(_call(context, helpers.from_diagonal, spread, a, offset, axis1, axis2), a.kind)


@macro
def diag_back(context, g, v, k):
    """The adjoint of np.diag, which takes a diagonal or makes one."""
    if v.ndim == 1 or (v.ndim == 2 and k == 0 and v.shape[0] == v.shape[1]):
        return context.quote("np.diag(g)" if k == 0 else "np.diag(g, k)", g=g, k=k)
    return Operand(_call(context, helpers.diag_back, g, v, k), v.kind)


@macro
def diagonal_back(context, g, a, offset, axis1, axis2):
    """The adjoint of np.diagonal."""
    if a.ndim == 2 and offset == 0 and (axis1, axis2) == (0, 1) and a.shape[0] == a.shape[1]:
        return context.quote("np.diag(g)", g=g)
    return Operand(_call(context, helpers.from_diagonal, g, a, offset, axis1, axis2), a.kind)


# -- convolution -------------------------------------------------------------------------------------------------------


@macro
def convolve_part(context, g, x, other, mode, correlated):
    """The adjoint of x in np.convolve(x, other, mode) or np.correlate(x, other, mode)."""
    of_rank(context, x, 1, 1)
    if not context.is_active(x):
        return ZERO
    other = _as_operand(other)
    if other.is_scalar:  # a polynomial of one coefficient
        return real_like(context, context.quote("g * c", g=g, c=conjugated(context, other)), x)
    value = Operand(_call(context, helpers.convolve_back, g, x, other, mode, correlated), x.kind)
    return real_like(context, value, x) if _as_operand(g).is_complex or other.is_complex else value


@macro
def correlate_kernel(context, g, a, v, mode):
    """The adjoint of v in np.correlate(a, v, mode): that of a convolution with conj(v) reversed, reversed."""
    if not context.is_active(v):
        return ZERO
    a = _as_operand(a)
    correlated = False if is_static(mode) and mode != "same" else None
    value = context.quote("f[::-1]", f=_call(context, helpers.convolve_back, g, v, a, mode, correlated))
    if a.is_complex or v.is_complex or context.y.dtype is None:
        value = real_like(context, conjugated(context, value), v)
    return Operand(value.expr, v.kind)


# -- reductions by helpers ---------------------------------------------------------------------------------------------


def call_helper(context, name, like, *args):
    """A call of a run-time helper; the value has the kind of `like`. Zero when an argument is."""
    if any(a is ZERO for a in args):
        return ZERO
    args = list(args)
    function = getattr(helpers, name)
    defaults = list(inspect.signature(function).parameters.values())
    while args and len(args) == len(defaults) and _is_default(args[-1], defaults[-1].default):
        args.pop()
        defaults.pop()
    return Operand(_call(context, function, *args), like.kind if isinstance(like, Operand) else literal(like).kind)


@macro
def along(context, axis, a):
    """The axis of a cumulative function, counted from the front where that can be said."""
    if axis is None:
        return 0 if a.ndim == 1 else None
    return axis % a.ndim if is_static(axis) and a.ndim else axis


def _is_default(value, default):
    """Is an argument of a helper what it would be anyway?"""
    return is_static(value) and type(value) is type(default) and value == default


call_helper.__name__ = "helper"
macro(call_helper)


@macro
def freedom(context, a, axis, ddof):
    """The divisor of a variance."""
    n = count(context, a, axis)
    if not isinstance(ddof, Operand) and ddof == 0:
        return n
    return context.quote("n - k", n=n, k=ddof)


@macro
def product_of_others(context, x, axis):
    """At each place the product of the other elements along the axis."""
    return Operand(_call(context, helpers.product_of_others, x, *([] if axis is None else [axis])), x.kind)


@macro
def cumsum_back(context, g, a, axis):
    """np.cumsum from the other end."""
    if a.ndim == 1:
        return context.quote("np.cumsum(g[::-1])[::-1]", g=g)
    if axis is None:
        return Operand(context.quote("np.reshape(np.cumsum(g[::-1])[::-1], np.shape(a))", g=g, a=a).expr, a.kind)
    return context.quote("np.flip(np.cumsum(np.flip(g, i), axis=i), i)", g=g, i=axis)


@macro
def weights_along(context, weights, a, axis):
    """The weights of np.average in a shape that broadcasts against a."""
    if weights is ZERO:
        return ZERO
    if weights.ndim is None or a.ndim is None or not is_static(axis):
        raise context.unknown("the ranks and the axis")
    if weights.ndim == a.ndim:
        return weights
    axes = axes_of(context, axis, a.ndim)
    if isinstance(axis, tuple) and [i % a.ndim for i in axis] != list(axes):
        raise context.refuse(
            "weights along axes that are not in order have no rule", "move the axes with np.moveaxis first"
        )
    items = [slice(None) if i in axes else None for i in range(axes[0], a.ndim)]
    wide = weights if None not in items else _indexed(context, weights, items)
    return context.quote("np.broadcast_to(w, a.shape)", w=wide, a=a)


@macro
def weights_back(context, value, weights, a, axis):
    """The adjoint of the weights of np.average."""
    if not context.is_active(weights):
        return ZERO
    if weights.ndim == a.ndim:
        return value
    others = tuple(i for i in range(a.ndim) if i not in axes_of(context, axis, a.ndim))
    return context.quote("np.sum(v, axis=i)", v=value, i=others[0] if len(others) == 1 else others)


@macro
def quantile_helper(context, mode, like, g, a, q, axis, keepdims):
    """The adjoint or the tangent of one quantile, or of several."""
    one = q.is_scalar if isinstance(q, Operand) else np.ndim(q) == 0
    return call_helper(context, f"quantile_{mode}" if one else f"quantiles_{mode}", like, g, a, q, axis, keepdims)


@macro
def summed_with_powers(context, g, x, p):
    """The sums of g times each power of x, from the highest that goes with p down to 1."""
    g, x = (v if v.ndim == 1 else context.quote("np.ravel(v)", v=v) for v in (_as_operand(g), _as_operand(x)))
    count = "len(p)" if p.ndim == 1 else "np.size(p)"
    powers = f"np.polynomial.polynomial.polyvander(x, {count})"  # column by column, where np.vander goes by rows
    length = gast.Name("len", gast.Load(), None, None)  # one power more, as a derivative may have no coefficients
    return Operand(context.quote(f"(g @ {powers})[-2::-1]", g=g, x=x, p=p, len=length).expr, p.kind)


@macro
def hundredth(context, q):
    """A percentage as a fraction."""
    if isinstance(q, Operand):
        return context.quote("q / 100.0" if q.is_scalar else "np.asarray(q) / 100.0", q=q)
    return np.divide(q, 100.0).tolist() if isinstance(q, (list, tuple)) else q / 100.0


@macro
def diff_adjoint(context, g, x, n=1, axis=-1):
    """The adjoint of np.diff; with the length of x where x may be shorter than n."""
    if g is ZERO:
        return ZERO
    if type(n) is int and n == 1 and x.ndim is not None and is_static(axis) and x.dtype in (float, complex):
        along = "" if axis in (-1, x.ndim - 1) else f"axis={axis}, "
        return context.quote(f"-np.diff(g, {along}prepend=0.0, append=0.0)", g=g)
    g = g if g.dtype == x.dtype else narrow(context, x, g)
    if n == 1 and (x.ndim == 1 or (x.ndim is not None and is_static(axis))):
        return call_helper(context, "diff_back", x, g, n, axis)
    return call_helper(context, "diff_back", x, g, n, axis, context.quote("np.shape(x)[i]", x=x, i=axis))


@macro
def ediff1d_adjoint(context, g, x):
    """The adjoint of np.ediff1d."""
    if x.ndim == 1:
        return call_helper(context, "diff_back", x, g)
    size = context.quote("np.size(x)", x=x)
    return reshaped(context, call_helper(context, "diff_back", context.y, g, 1, -1, size), x)


@macro
def may_be_empty(context, x):
    """Is nothing known of its lengths? An empty array has a signature of its own."""
    return x.shape is None


@macro
def is_empty(context, x):
    """Is it known to have no elements?"""
    x = _as_operand(x)
    return x.ndim is not None and any(dim.known and dim.const == 0 for dim in x.shape)


@macro
def trapezoid_call(context, values, x, dx, axis):
    """np.trapezoid"""
    if values is ZERO or x is ZERO or dx is ZERO:
        return ZERO
    name = "trapezoid" if hasattr(np, "trapezoid") else "trapz"
    text = f"np.{name}(v"
    if x is not None:
        text += ", x"
    elif dx != 1.0:
        text += ", dx=h"
    if axis != -1:
        text += ", axis=i"
    return context.quote(text + ")", v=values, x=x, h=dx, i=axis)


# -- joining and splitting ---------------------------------------------------------------------------------------------


def _sliced(context, g, axis, part):
    """g[:, ..., part] with `part` (a node, slice or index) at an axis."""
    from s2sad.transform.fit import as_literal

    items = [gast.Slice(None, None, None) for _ in range(axis)] + [part]
    index = items[0] if axis == 0 else gast.Tuple(items, gast.Load())
    expr = gast.Subscript(as_literal(g), index, gast.Load())
    return context.operand(expr)


def _offset(total, length):
    """The sum of two lengths as an expression: numbers are added now."""
    if total is None:
        return length
    if isinstance(total, gast.Constant) and isinstance(length, gast.Constant):
        return gast.Constant(total.value + length.value, None)
    return gast.BinOp(total, gast.Add(), length)


def _length(context, x, axis):
    """The length of x along an axis, as an expression."""
    from s2sad.core import clone

    if axis == 0 and x.ndim is None and isinstance(x, Part) and x.items() is not None:
        return gast.Constant(len(x.items()), None)
    dim = x.shape[axis] if x.ndim is not None else None
    if dim is not None and dim.known:
        return gast.Constant(dim.const, None)
    if x.ndim == 1:
        return context.quote("x.size", x=x).expr
    return clone(context.quote("np.shape(x)[i]" if not isinstance(x.kind, Array) else "x.shape[i]", x=x, i=axis).expr)


def _pieces(context, g, parts, axis):
    """The parts of g along an axis, as long as those that were joined."""
    from s2sad.core import clone

    out, start = [], None
    for i, x in enumerate(parts):
        length = _length(context, x, axis) if x.ndim != 0 else gast.Constant(1, None)
        stop = _offset(clone(start) if start is not None else None, clone(length))
        last = i == len(parts) - 1
        piece = gast.Slice(clone(start) if start is not None else None, None if last else clone(stop), None)
        if context.is_active(x):
            if x.ndim == 0:
                piece = clone(start) if start is not None else gast.Constant(0, None)
            value = g if len(parts) == 1 and x.ndim != 0 else _sliced(context, g, axis, piece)
            out.append(_own_part(context, value, x))
        else:
            out.append(ZERO)
        start = stop
    return out


def _own_part(context, value, x):
    """The part of a cotangent that is x's: real where x is and as wide as x, whatever it was joined with."""
    dtype = context.y.dtype
    if context.y.is_complex and not maybe_complex(context, x):
        value = context.quote("np.real(v)", v=value)
        dtype = np.empty(0, dtype).real.dtype
    both = isinstance(x.kind, Array) and x.kind.shape and dtype is not None and x.dtype is not None
    if both and dtype.kind == x.dtype.kind and dtype != x.dtype:
        value = context.quote("v.astype(x.dtype)", v=value, x=x)
    return Operand(value.expr, x.kind)


def _all_scalars(context, g, parts):
    return [g if context.is_active(x) else ZERO for x in parts]


def _items(context, arrays):
    items = arrays.items() if isinstance(arrays, Part) else list(arrays)
    if items is None:
        raise context.refuse(
            "how many arrays there are must be known when code is generated", "write them out as a list"
        )
    return items


def _is_grown(arrays):
    """Is it a list that grows at run time, whose items have no names?"""
    return isinstance(arrays, Part) and isinstance(arrays.kind, ListOf)


def rows_back(context, g, items, text, axis):
    """The adjoint of an array that has an item of a list in each place along an axis; `text`: its rows, of g."""
    g = _as_operand(g)
    if g.is_scalar and context.y.ndim == 1:
        return Operand(context.quote("[g] * len(y)", g=g, y=context.y).expr, items.kind)
    g = context.broadcast(g, context.y.kind)
    if axis:
        return context.quote(f"np.moveaxis(g, {axis}, 0)", g=g)
    return context.quote(text, g=g)


def pieces_back(context, g, items, axis):
    """The adjoint of the items of a list that were put one behind the other along an axis."""
    g = context.broadcast(_as_operand(g), context.y.kind)
    length, along = ("len(v)", "") if axis == 0 else (f"v.shape[{axis}]", f", axis={axis}")
    text = f"np.split(g, np.cumsum([{length} for v in items])[:-1]{along})"
    return Operand(context.quote(text, g=g, items=items).expr, items.kind)


def _grown_back(context, g, items, how, axis=0):
    """The adjoint of a list that was given to np.stack, np.concatenate, np.vstack, np.hstack, ...."""
    if not isinstance(axis, int):
        raise context.unknown("the axis")
    rank = shape_of(items.kind.item)
    rank = None if rank is None else len(rank)
    if how == "stack":
        return rows_back(context, g, items, *(("g.T", 0) if rank == 1 and axis in (1, -1) else ("g", axis)))
    if how == "concatenate":
        return pieces_back(context, g, items, axis)
    if rank is None:
        raise context.unknown("the ranks of the arrays")
    own = {"v": 2, "h": 1, "c": 2, "d": 3}[how]  # items of a lesser rank get one new axis or more
    if rank >= own:
        return pieces_back(context, g, items, {"v": 0, "h": min(rank - 1, 1), "c": 1, "d": 2}[how])
    if how == "d":
        return rows_back(context, g, items, *({0: ("g[0, 0]", 0), 1: ("g[0].T", 0), 2: ("g", 2)}[rank]))
    text = {("v", 0): "g[:, 0]", ("v", 1): "g", ("h", 0): "g", ("c", 0): "g[0]", ("c", 1): "g.T"}
    return rows_back(context, g, items, text[how, rank], 0)


@macro
def concatenate_back(context, g, arrays, axis):
    """The parts of the adjoint of np.concatenate."""
    if _is_grown(arrays):
        return _grown_back(context, g, arrays, "concatenate", axis)
    items = _items(context, arrays)
    g = _matrix_cotangent(context, _as_operand(g))
    if g.is_scalar and all(x.ndim is not None or x.items() is not None for x in items):
        return _all_scalars(context, g, items)
    g = context.broadcast(g, context.y.kind)
    if axis is None:
        pieces, start = [], None

        for x in items:
            size = context.quote("np.size(x)", x=x).expr
            stop = _offset(start, size)
            piece = _sliced(context, g, 0, gast.Slice(start, stop, None))
            pieces.append(_own_part(context, reshaped(context, piece, x), x) if context.is_active(x) else ZERO)
            start = stop
        return pieces
    if not is_static(axis):
        raise context.unknown("the axis")
    rank = next((x.ndim for x in items if x.ndim is not None), None)
    if axis < 0:
        if rank is None:
            raise context.unknown("with a negative axis the rank")
        axis += rank
    return _pieces(context, g, items, axis)


@macro
def stack_back(context, g, arrays, axis):
    """The parts of the adjoint of np.stack."""
    if _is_grown(arrays):
        return _grown_back(context, g, arrays, "stack", axis)
    items = _items(context, arrays)
    g = _matrix_cotangent(context, _as_operand(g))
    if g.is_scalar and all(x.ndim is not None or x.items() is not None for x in items):
        return _all_scalars(context, g, items)
    g = context.broadcast(g, context.y.kind)
    if axis < 0:
        if items[0].ndim is None:
            raise context.unknown("with a negative axis the rank")
        axis += items[0].ndim + 1
    out = []
    for i, x in enumerate(items):
        value = _sliced(context, g, axis, gast.Constant(i, None)) if context.is_active(x) else ZERO
        out.append(value if value is ZERO else _own_part(context, value, x))
    return out


@macro
def joined_back(context, g, arrays, how):
    """The parts of the adjoint of np.vstack, hstack, dstack and column_stack."""
    if _is_grown(arrays):
        return _grown_back(context, g, arrays, how)
    items = _items(context, arrays)
    g = _matrix_cotangent(context, _as_operand(g))
    ranks = [x.ndim for x in items]
    if None in ranks:
        raise context.unknown("the ranks of the arrays")
    if g.is_scalar:
        return _all_scalars(context, g, items)
    if how == "h":
        return _pieces(context, g, items, 0 if max(ranks) <= 1 else 1)
    axis = {"v": 0, "c": 1, "d": 2}[how]
    if how in "vc" and all(r <= 1 for r in ranks):
        out = []
        for i, x in enumerate(items):
            value = _sliced(context, g, axis, gast.Constant(i, None)) if context.is_active(x) else ZERO
            if value is not ZERO and x.ndim == 0:
                value = context.quote("v[0]", v=value)
            out.append(value if value is ZERO else _own_part(context, value, x))
        return out

    out, start = [], gast.Constant(0, None)
    for x in items:
        flat = x.ndim <= {"v": 1, "c": 1, "d": 2}[how]
        length = gast.Constant(1, None) if flat else _length(context, x, axis)
        stop = _offset(start, length)
        if not context.is_active(x):
            out.append(ZERO)
        elif flat and how in "vc":
            out.append(_own_part(context, _sliced(context, g, axis, start), x))
        else:
            piece = _sliced(context, g, axis, gast.Slice(start, stop, None))
            out.append(_own_part(context, reshaped(context, piece, x) if flat else piece, x))
        start = stop
    return out


@macro
def split_back(context, g, a, axis):
    """The parts of the cotangent of np.split joined; a part without one is zero."""
    if not isinstance(g, (list, tuple)):
        raise context.unknown("the number of its results")
    parts = context.y.kind.items if isinstance(context.y.kind, (Tuple, List)) else [None] * len(g)
    from s2sad.transform.fit import as_literal

    exprs = []
    names = context.y.expr.elts if isinstance(context.y.expr, (gast.Tuple, gast.List)) else None
    for i, piece in enumerate(g):
        if piece is ZERO:
            if names is None:
                raise context.refuse("its results must be unpacked", ways.UNPACK)
            exprs.append(context.quote("np.zeros_like(y)", y=Operand(names[i], parts[i])).expr)
        else:
            exprs.append(as_literal(piece))
    if all(p is ZERO for p in g):
        return ZERO
    call = context.quote(
        "np.concatenate(p)" if axis == 0 else "np.concatenate(p, axis=i)", p=gast.List(exprs, gast.Load()), i=axis
    )
    return Operand(call.expr, a.kind)


@macro
def split_axis(context, a, how):
    """The axis of np.hsplit, vsplit, dsplit."""
    return {"h": 0 if a.ndim == 1 else 1, "v": 0, "d": 2}[how]


# -- repeating, padding, taking ----------------------------------------------------------------------------------------


@macro
def tile_back(context, g, a, reps):
    """The adjoint of np.tile: the copies added."""
    counts = reps if is_static(reps) else None
    if counts is not None and not isinstance(counts, (tuple, list)):
        counts = (counts,)
    if counts is None or a.ndim is None:
        return Operand(_call(context, helpers.tile_back, g, a, reps), a.kind)
    if a.is_scalar:
        return context.quote("np.sum(g)", g=g)
    rank = max(len(counts), a.ndim)
    counts = (1,) * (rank - len(counts)) + tuple(counts)

    shape, axes = [], []
    for i, times in enumerate(counts):
        own = i - (rank - a.ndim)
        if times != 1 or own < 0:
            axes.append(len(shape))
            shape.append(gast.Constant(times, None))
        if own >= 0:
            shape.append(_length(context, a, own))
    if not axes:
        return g
    value = context.quote(
        "np.sum(g.reshape(s), axis=i)",
        g=g,
        s=gast.Tuple(shape, gast.Load()),
        i=axes[0] if len(axes) == 1 else tuple(axes),
    )
    return Operand(value.expr, a.kind)


@macro
def repeat_back(context, g, a, repeats, axis):
    """The adjoint of np.repeat: the copies added."""
    axis = None if a.ndim == 0 else axis
    if is_static(repeats) and isinstance(repeats, int) and a.ndim is not None and is_static(axis):
        if a.is_scalar:
            return context.quote("np.sum(g)", g=g)
        if axis is None and a.ndim != 1:
            flat = context.quote("g.reshape(a.size, n)", g=g, a=a, n=repeats)
            return reshaped(context, _summed_copies(context, flat, 2, 1, repeats), a)
        at = 0 if axis is None else axis % a.ndim
        shape = [_length(context, a, i) for i in range(a.ndim)]
        shape.insert(at + 1, gast.Constant(repeats, None))
        parts = context.quote("g.reshape(s)", g=g, s=gast.Tuple(shape, gast.Load()))
        return Operand(_summed_copies(context, parts, a.ndim + 1, at + 1, repeats).expr, a.kind)
    return Operand(_call(context, helpers.repeat_back, g, a, repeats, *([] if axis is None else [axis])), a.kind)


def _summed_copies(context, x, rank, axis, length):
    """x summed over an axis of a known length. np.sum begins anew for each of its rows, which is most of its work where
    they are short; np.einsum does not."""
    if length >= 32:
        return context.quote("np.sum(x, axis=a)", x=x, a=axis)
    letters = "ijklmnopqrstuvwxyz"[:rank]
    return context.quote("np.einsum(s, x)", s=f"{letters}->{letters.replace(letters[axis], '')}", x=x)


@macro
def pad_back(context, g, array, pad_width, mode):
    """The adjoint of np.pad."""
    if not is_static(mode):
        raise context.unknown("the mode")
    if mode not in ("constant", "edge", "wrap", "reflect", "symmetric"):
        raise context.refuse(f"mode {mode!r} has no rule")
    if mode == "constant" and is_static(pad_width) and array.ndim:
        pairs = np.broadcast_to(np.asarray(pad_width), (array.ndim, 2)).tolist()
        items = []
        for before, after in pairs:
            if not before and not after:
                items.append(gast.Slice(None, None, None))
                continue
            lower = gast.Constant(before, None) if before else None
            upper = gast.UnaryOp(gast.USub(), gast.Constant(after, None)) if after else None
            items.append(gast.Slice(lower, upper, None))
        while len(items) > 1 and items[-1].lower is items[-1].upper is None:
            items.pop()
        index = items[0] if len(items) == 1 else gast.Tuple(items, gast.Load())
        return Operand(context.quote("g[i]", g=g, i=index).expr, array.kind)
    return Operand(_call(context, helpers.pad_back, g, array, pad_width, mode), array.kind)


@macro
def take_back(context, g, a, indices, axis):
    """The adjoint of np.take: scattered, adding where an index repeats."""
    return Operand(_call(context, helpers.take_back, g, a, indices, *([] if axis is None else [axis])), a.kind)


@macro
def clip_part(context, g, a, low, high, which):
    """The adjoints of np.clip(a, low, high); at a bound both share evenly."""
    if g is ZERO:
        return ZERO
    x, b, c = a, low, high
    has_low, has_high = low is not None, high is not None
    if which == "a":
        inner = {"b": "np.where(x == b, 0.5 * g, g * (x > b))", "c": "np.where(x == c, 0.5 * g, g * (x < c))"}
        if context.y.dtype == np.dtype(float) and not context.y.is_scalar:
            inner = {"b": "g * ((x > b) + 0.5 * (x == b))", "c": "g * ((x < c) + 0.5 * (x == c))"}
        value = _as_operand(g)
        if has_low:
            value = context.quote(inner["b"], x=x, b=b, g=value)
        if has_high:
            if has_low:
                value = context.local("g", value)
            value = context.quote(inner["c"], x=x, c=c, g=value)
        return value
    if which == "low":
        if high is None:
            return context.quote("np.where(x == b, 0.5 * g, g * (x < b))", x=x, b=b, g=g)
        return context.quote("np.where(b >= c, 0.0, np.where(x == b, 0.5 * g, g * (x < b)))", x=x, b=b, c=c, g=g)
    if low is None:
        return context.quote("np.where(x == c, 0.5 * g, g * (x > c))", x=x, c=c, g=g)
    return context.quote("np.where(np.maximum(x, b) == c, 0.5 * g, g * (np.maximum(x, b) > c))", x=x, b=b, c=c, g=g)


@macro
def item(context, values, index):
    """One of several values that a macro gave."""
    return values[index]


@macro
def listed(context, *parts):
    """Arguments as a list."""
    return list(parts)


@macro
def call_again(context, tangents):
    """The function itself on the tangents of all its positional arguments, of which some are zeros."""
    keywords = [gast.keyword(k, a.expr) for k, a in context.kwargs.items()]
    return Operand(context.call_expr(list(tangents.expr.elts), keywords), context.y.kind)


@macro
def zeros_for(context, value, like):
    """The tangent, or zeros."""
    return context.zeros_like(_as_operand(like)) if value is ZERO else value


@macro
def append_call(context, a, b, axis):
    """np.append"""
    return context.quote("np.append(a, b)" if axis is None else "np.append(a, b, axis=i)", a=a, b=b, i=axis)


@macro
def pad_call(context, dx, pad_width, mode):
    """np.pad, with zeros for constants"""
    if dx is ZERO:
        return ZERO
    if mode not in ("constant", "edge", "wrap", "reflect", "symmetric"):
        raise context.refuse(f"mode {mode!r} has no rule")
    return context.quote("np.pad(x, w)" if mode == "constant" else "np.pad(x, w, m)", x=dx, w=pad_width, m=mode)


@macro
def meshgrid_back(context, g, i, arrays, x, sparse, indexing):
    """The adjoint of one vector of np.meshgrid: its grid summed along the others."""
    of_rank(context, x, 0, 1)
    if g is ZERO or not context.is_active(x):
        return ZERO
    n = len(arrays)
    own = {0: 1, 1: 0}.get(i, i) if indexing == "xy" and n > 1 else i
    others = tuple(k for k in range(n) if k != own)
    if sparse:
        return reshaped(context, _as_operand(g), x)
    if not others:
        return g
    value = context.quote("np.sum(g, axis=i)", g=g, i=others[0] if len(others) == 1 else others)
    return value if x.ndim == 1 else reshaped(context, value, x)


@macro
def unbroadcast_part(context, g, i, x):
    """The adjoint of one array of np.broadcast_arrays."""
    if g is ZERO or not context.is_active(x):
        return ZERO
    kinds = context.y.kind.items if isinstance(context.y.kind, Tuple) else ()
    virtual = kinds[i] if i < len(kinds) else g.kind
    return fit(g, virtual, x, context.facts, context.sources)


@macro
def choose_back(context, g, a, choices):
    """The adjoints of the arrays that np.choose chooses from."""
    a = as_array(context, a)
    if isinstance(choices.kind, Array):
        wide = context.quote("g[None]", g=context.broadcast(_as_operand(g), context.y.kind))
        at = context.quote("a[None]", a=a)
        return Operand(_call(context, helpers.take_along_back, wide, choices, at, 0), choices.kind)
    out = []
    for i, x in enumerate(_items(context, choices)):
        if context.is_active(x):
            plain = isinstance(a, Operand) and isinstance(a.kind, (Array, Number))
            index = a if plain else context.quote("np.asarray(a)", a=a)
            value = context.quote("np.where(a == i, g, 0.0)", a=index, i=i, g=g)
            out.append(fit(Operand(value.expr, context.y.kind), context.y.kind, x, context.facts, context.sources))
        else:
            out.append(ZERO)
    return out


@macro
def select_back(context, g, conditions, choices):
    """The adjoints of the arrays that np.select chooses from."""
    tests, out = _items(context, conditions), []
    for i, x in enumerate(_items(context, choices)):
        if not context.is_active(x):
            out.append(ZERO)
            continue
        test = tests[i]
        for earlier in tests[:i]:
            test = context.quote("t & ~e", t=test, e=earlier)
        value = context.quote("np.where(t, g, 0.0)", t=test, g=g)
        out.append(fit(Operand(value.expr, context.y.kind), context.y.kind, x, context.facts, context.sources))
    return out


@macro
def select_default_back(context, g, conditions, default):
    """The adjoint of the default of np.select."""
    if not context.is_active(default):
        return ZERO
    test = None
    for t in _items(context, conditions):
        test = t if test is None else context.quote("a | b", a=test, b=t)
    value = context.quote("np.where(t, 0.0, g)", t=test, g=g)
    return fit(Operand(value.expr, context.y.kind), context.y.kind, default, context.facts, context.sources)


@macro
def select_tangent(context, tangents, conditions, choices, default):
    """np.select on the tangents."""
    items = _items(context, choices)
    from s2sad.transform.fit import as_literal

    if tangents is ZERO:
        tangents = gast.List([as_literal(context.zeros_like(x)) for x in items], gast.Load())
    call = "np.select(c, t)" if default is ZERO else "np.select(c, t, e)"
    conditions = gast.List([as_literal(c) for c in _items(context, conditions)], gast.Load())
    return context.quote(call, c=conditions, t=tangents, e=0 if default is ZERO else default)


# -- matrices ----------------------------------------------------------------------------------------------------------


@macro
def mT(context, x):
    """The transpose of a matrix, or of each of a stack."""
    if x is ZERO:
        return ZERO
    if x.ndim == 2:
        return context.quote("x.T", x=x)
    return context.quote("np.swapaxes(x, -1, -2)", x=x)


@macro
def conjugated(context, x):
    """The complex conjugate of what may be complex, else x itself."""
    if x is ZERO:
        return ZERO
    return context.quote("np.conj(x)", x=x) if _can_be_complex(context, _as_operand(x)) else x


def _can_be_complex(context, x):
    """Can a value of a rule be complex, for all that is known of it and of the arguments?"""
    unknown = any(isinstance(a.kind, Unknown) or a.is_complex for a in (*context.args, context.y))
    return x.is_complex or (x.dtype is None and unknown)


@macro
def mH(context, x):
    """The conjugate transpose of a matrix, or of each of a stack."""
    return conjugated(context, mT(context, x))


@macro
def real_only(context, *arrays):
    """Refuse complex matrices."""
    if any(isinstance(a, Operand) and a.is_complex for a in arrays):
        raise context.refuse("complex matrices have no rule")
    return None


@macro
def square_only(context, a):
    """Refuse matrices that are not square for all that is known."""
    if a.shape is not None and a.shape[-1] != a.shape[-2]:
        raise context.refuse("only square matrices have a rule", "factorise a square block, and solve for the rest")


@macro
def matrix_wide(context, value):
    """Numbers, one a matrix, in a shape that broadcasts against the matrices."""
    if value is ZERO:
        return ZERO
    value = _as_operand(value)
    if value.is_scalar:
        return value
    return context.quote("np.asarray(v)[..., None, None]" if value.ndim is None else "v[..., None, None]", v=value)


@macro
def summed_matrix(context, p):
    """The sum of the elements of each matrix."""
    if p is ZERO:
        return ZERO
    return context.quote("np.sum(p)" if p.ndim == 2 else "np.sum(p, axis=(-2, -1))", p=p)


@macro
def vector_wide(context, value):
    """Vectors, one a matrix, that broadcast along its rows."""
    if value is ZERO:
        return ZERO
    value = _as_operand(value)
    if value.ndim in (0, 1):
        return value
    return context.quote("v[..., None, :]", v=value)


@macro
def column(context, u, i):
    """A column of each matrix, as a matrix."""
    if u.ndim == 2:
        return context.quote("u[:, i][:, None]", u=u, i=i)
    return context.quote("u[..., :, i][..., :, None]", u=u, i=i)


@macro
def row(context, v, i):
    """A row of each matrix, to broadcast against columns."""
    if v.ndim == 2:
        return context.quote("v[i]", v=v, i=i)
    return context.quote("v[..., i, :][..., None, :]", v=v, i=i)


@macro
def diagonal_of(context, p):
    """The diagonals of matrices."""
    if p is ZERO:
        return ZERO
    if p.ndim == 2:
        return context.quote("np.diag(p)", p=p)
    return context.quote("np.diagonal(p, axis1=-2, axis2=-1)", p=p)


def _vectors(a, b):
    """Is the right-hand side of a system vectors (True), or matrices (False)?"""
    return b.ndim == 1 or (_OLD and a.ndim is not None and b.ndim == a.ndim - 1)


#: NumPy 1 takes a stack of vectors for what is vectors, NumPy 2 one vector alone
_OLD = np.lib.NumpyVersion(np.__version__) < "2.0.0.dev0"


@macro
def solved_transposed(context, a, g, b):
    """The adjoint of the right-hand side of a system, with the shape of the solution."""
    if b.ndim is None:
        return Operand(_call(context, helpers.solve_transposed, g, a, b), context.y.kind)
    if _vectors(a, b) and a.ndim != 2:
        return context.quote("np.linalg.solve(t, g[..., None])[..., 0]", t=mT(context, a), g=g)
    return context.quote("np.linalg.solve(t, g)", t=mT(context, a), g=g)


@macro
def solved(context, a, right, b):
    """np.linalg.solve(a, right), where right has the shape of the solution."""
    if right is ZERO:
        return ZERO
    if b.ndim is None:
        return Operand(_call(context, helpers.solve_transposed, right, mT(context, a), b), context.y.kind)
    if _vectors(a, b) and a.ndim != 2:
        return context.quote("np.linalg.solve(a, r[..., None])[..., 0]", a=a, r=right)
    return context.quote("np.linalg.solve(a, r)", a=a, r=right)


@macro
def real_values(context, value):
    """The real part of what can be complex."""
    if value is ZERO or not _can_be_complex(context, _as_operand(value)):
        return value
    return context.quote("np.real(v)", v=value)


@macro
def real_like(context, value, a):
    """The real part, for a real argument."""
    if value is ZERO or maybe_complex(context, a):
        return value
    return Operand(context.quote("np.real(v)", v=value).expr, a.kind)


@macro
def narrow(context, x, g, like=None):
    """g in the dtype of x (or another) where x is known to be float32: some functions of NumPy always widen."""
    if g is ZERO or x.dtype is None or x.dtype.itemsize >= (16 if x.dtype.kind == "c" else 8):
        return g
    like = x if like is None else like
    return Operand(context.quote("g.astype(x.dtype)", g=g, x=like).expr, like.kind)


@macro
def turned(context, x):
    """x with its last element first."""
    if x is ZERO:
        return ZERO
    inner = _turned_around(x)
    return context.quote("x[::-1]", x=x) if inner is None else Operand(inner, x.kind)


def _turned_around(x):
    """The expression that x is the reverse of, or None."""
    expr = getattr(x, "expr", None)
    return expr.value if isinstance(expr, gast.Subscript) and text(expr).endswith("[::-1]") else None


@macro
def divided_back(context, q, v, dq, dr):
    """The adjoint of the left side of u = v q + r, highest power first, where u has at least the length of v."""
    rest = context.quote("np.zeros(np.size(v) - 1)", v=v)
    if dr is not ZERO:
        # all coefficients of u: those of the remainder come last, and of a division by a number there are none
        placed = "np.concatenate((np.zeros(np.size(q) + np.size(v) - 1 - np.size(dr)), (np.size(v) > 1) * dr))"
        placed = context.local("placed", context.quote(placed, q=q, v=v, dr=dr))
        rest = context.quote("placed[np.size(q) :]", placed=placed, q=q)
        dq, w = literal(0.0) if dq is ZERO else dq, conjugated(context, v)
        dq = context.local("t", context.quote("dq - np.correlate(placed, w, 'valid')", dq=dq, placed=placed, w=w))
    first = turned(context, _call(context, helpers.deconvolved, turned(context, dq), v))
    return context.local("g", context.quote("np.concatenate((first, rest))", first=first, rest=rest))


@macro
def multi_dot_tangent(context, tangents, arrays):
    """The product rule for a chain."""
    from s2sad.transform.expand import _add
    from s2sad.transform.fit import as_literal

    total = None
    items = _items(context, arrays)
    for i, (x, dx) in enumerate(zip(items, tangents.expr.elts, strict=True)):
        if context.is_active(x):
            factors = [as_literal(dx if k == i else other) for k, other in enumerate(items)]
            call = context.quote("np.linalg.multi_dot(f)", f=gast.List(factors, gast.Load()))
            total = _add(total, as_literal(call))
    return Operand(total, context.y.kind)


@macro
def solve_matrix_back(context, t, y, a, b):
    """The adjoint of the matrix of a system."""
    if not context.is_active(a):
        return ZERO
    if b.ndim is None:
        return Operand(_call(context, helpers.solve_matrix_back, t, y, a, b), a.kind)
    if _vectors(a, b):
        if a.ndim == 2:
            return context.quote("-np.outer(t, y)", t=t, y=y)
        value = context.quote("-t[..., :, None] * y[..., None, :]", t=t, y=y)
    else:
        value = context.quote("-t @ s", t=t, s=mT(context, y))
    return _fit_matrix(context, value, a, a.shape)


@macro
def solve_right_back(context, t, b):
    """The adjoint of the right-hand side of a system: summed where it was broadcast."""
    if not context.is_active(b):
        return ZERO
    if context.y.shape is None or b.shape is None or t.shape is None:
        return Operand(_call(context, helpers.unbroadcast, t, b), b.kind)
    return fit(t, context.y.kind, b, context.facts, context.sources)


def _fit_matrix(context, value, target, inner):
    """A stack of matrices fitted to the stack of an argument."""
    if context.y.shape is None or target.shape is None or value.shape is None:
        return Operand(_call(context, helpers.unbroadcast, value, target), target.kind)
    return fit(value, Array(value.dtype, value.shape), target, context.facts, context.sources)


@macro
def minus_product(context, db, da, y, b):
    """db - da @ y"""
    if da is ZERO:
        return db
    if b.ndim is None:
        product = Operand(_call(context, helpers.solve_product, da, y, b), context.y.kind)
    elif _vectors(da, b) and y.ndim != 1:
        product = context.quote("(da @ y[..., None])[..., 0]", da=da, y=y)
    else:
        product = context.quote("da @ y", da=da, y=y)
    if db is ZERO:
        return context.quote("-p", p=product)
    return context.quote("db - p", db=db, p=product)


@macro
def tensor_minus(context, db, da, y):
    """db - da applied to y"""
    if da is ZERO:
        return db
    product = context.quote("np.tensordot(da, y, n)", da=da, y=y, n=y.ndim)
    if y.ndim is None:
        product = context.quote("np.tensordot(da, y, np.ndim(y))", da=da, y=y)
    return context.quote("-p", p=product) if db is ZERO else context.quote("db - p", db=db, p=product)


@macro
def half_lower(context, p, a):
    """The lower triangle with half the diagonal."""
    n = "p.shape[-1]"
    dtype = ", dtype=x.dtype" if isinstance(a.kind, Array) and a.dtype != np.dtype(float) else ""
    return context.quote(f"p * (np.tri({n}{dtype}) - 0.5 * np.eye({n}{dtype}))", p=context.local("p", p), x=a)


@macro
def lower_symmetric(context, da):
    """The symmetric matrix whose lower triangle is given; the imaginary part of its diagonal is not read."""
    if da is not ZERO and da.is_complex:
        half = context.local("t", half_lower(context, da, da))
        return context.quote("x + t", x=half, t=mH(context, half))
    return context.quote("np.tril(x) + t", x=da, t=mH(context, context.quote("np.tril(x, -1)", x=da)))


@macro
def triangle_symmetric(context, da, uplo):
    """The symmetric matrix of which one triangle is read."""
    if uplo in ("L", "l"):
        return lower_symmetric(context, da)
    return context.quote("np.triu(x) + t", x=da, t=mH(context, context.quote("np.triu(x, 1)", x=da)))


@macro
def one_triangle(context, s, uplo):
    """The cotangent of a symmetric matrix gathered in the triangle that is read."""
    if s is ZERO:
        return ZERO
    s = context.local("s", s)
    if uplo in ("L", "l"):
        return context.quote("np.tril(s) + t", s=s, t=mH(context, context.quote("np.triu(s, 1)", s=s)))
    return context.quote("np.triu(s) + t", s=s, t=mH(context, context.quote("np.tril(s, -1)", s=s)))


@macro
def differences(context, w):
    """w_j - w_i at (i, j)."""
    return context.quote("w - w[:, None]" if w.ndim == 1 else "w[..., None, :] - w[..., :, None]", w=w)


def _parts_of(context, y):
    """The results of a function with several, as operands."""
    if not isinstance(y.expr, gast.Tuple):
        raise context.refuse("its results must be unpacked", ways.UNPACK)
    kinds = y.kind.items if isinstance(y.kind, Tuple) else (Unknown(),) * len(y.expr.elts)
    return [Operand(e, k) for e, k in zip(y.expr.elts, kinds, strict=True)]


@macro
def eigh_back(context, y, a, gw, gv, uplo):
    """The adjoint of a symmetric matrix from those of its eigenvalues and eigenvectors."""
    w, v = _parts_of(context, y)
    if gv is ZERO:
        return call_helper(context, "spectral", a, gw, a, uplo, v)
    no_phases(context, v)
    inner = vectors_back(context, context.quote("t @ g", t=mT(context, v), g=gv), w, gw)
    if gw is not ZERO:
        wide = (
            context.quote("np.diag(g)", g=gw)
            if _as_operand(gw).ndim == 1
            else context.quote("g[..., None] * np.eye(w.shape[-1])", g=gw, w=w)
        )
        inner = context.quote("d + i", d=wide, i=inner)
    return context.quote("v @ i @ t", v=v, i=inner, t=mT(context, v))


@macro
def vectors_back(context, m, w, gw):
    """The adjoint of a symmetric matrix from that of its eigenvectors, in their basis."""
    gw = context.quote("np.zeros_like(w)", w=w) if gw is ZERO else gw
    return call_helper(context, "turns_back", m, m, w, gw)


@macro
def no_phases(context, v):
    """Refuse complex eigenvectors and singular vectors: each may be turned by a phase."""
    if v.is_complex:
        raise context.refuse(
            "the phase of complex vectors is arbitrary", "compute the values alone (eigvalsh, compute_uv=False)"
        )
    return True


@macro
def eigh_vectors(context, w, v, p):
    """The tangent of the eigenvectors."""
    no_phases(context, v)
    return context.quote("v @ t", v=v, t=call_helper(context, "turns", _as_operand(p), p, w))


@macro
def spectral_moved(context, dg, da, g, a, uplo, w, v):
    """The tangent of a matrix with the eigenvectors v of a, whose eigenvalues are w."""
    if da is ZERO:
        return call_helper_again(context, "spectral", dg, a, uplo)
    dg = context.quote("np.zeros_like(w)", w=w) if dg is ZERO else dg
    return call_helper_again(context, "spectral_tangent", dg, triangle_symmetric(context, da, uplo), g, w, v)


@macro
def eig_back(context, y, a, gw, gv):
    """The adjoint of a general matrix from those of its eigenvalues and eigenvectors."""
    w, v = _parts_of(context, y)
    if gv is ZERO:
        if gw is ZERO:
            return ZERO
        right = mT(context, context.quote("v * g", v=v, g=vector_wide(context, gw)))
        return real_like(context, context.quote("np.linalg.solve(t, r)", t=mT(context, v), r=right), a)
    gw = context.quote("np.zeros_like(w)", w=w) if gw is ZERO else gw
    return Operand(_call(context, helpers.eig_back, gw, gv, w, v), a.kind)


@macro
def eig_vectors(context, w, v, p):
    """The tangent of unit eigenvectors."""
    return Operand(_call(context, helpers.eig_vectors, p, w, v), v.kind)


def _svd_reduced(context, a, full_matrices):
    if full_matrices is not False and (a.shape is None or a.shape[-1] != a.shape[-2]):
        raise context.refuse("with full_matrices=True only square matrices have a rule", "give full_matrices=False")


@macro
def svd_back(context, y, a, g, full_matrices, compute_uv, hermitian):
    """The adjoint of a matrix from those of its singular values and vectors."""
    if compute_uv is False and a.is_complex:
        return Operand(_call(context, helpers.singular, g, a), a.kind)
    if compute_uv is False:
        u, s, vt = (context.facts.fresh(n) for n in ("u", "s", "vt"))
        from s2sad.core import assign, load
        from s2sad.transform.fit import as_literal

        pattern = gast.Tuple([gast.Name(n, gast.Store(), None, None) for n in (u, s, vt)], gast.Store())
        call = context.quote("np.linalg.svd(a, full_matrices=False)", a=a)
        kinds = call.kind.items if isinstance(call.kind, Tuple) else (Unknown(),) * 3
        context.facts.kinds.update(zip((u, s, vt), kinds, strict=True))
        context.statements.append(assign(pattern, as_literal(call)))
        u, vt = (conjugated(context, Operand(load(n), k)) for n, k in ((u, kinds[0]), (vt, kinds[2])))
        return context.quote("(u * g) @ v", u=u, v=vt, g=vector_wide(context, g))
    u, s, vt = _parts_of(context, y)
    gu, gs, gv = g
    if gu is ZERO and gv is ZERO:
        if gs is ZERO:
            return ZERO
        if full_matrices is not False and (a.shape is None or a.shape[-1] != a.shape[-2]):
            return svd_back(context, y, a, gs, False, False, hermitian)
        return context.quote(
            "(u * g) @ v", u=conjugated(context, u), v=conjugated(context, vt), g=vector_wide(context, gs)
        )
    _svd_reduced(context, a, full_matrices)
    no_phases(context, u)
    zeros = [
        context.quote("np.zeros_like(x)", x=x) if part is ZERO else part for part, x in ((gu, u), (gs, s), (gv, vt))
    ]
    return Operand(_call(context, helpers.svd_back, *zeros, u, s, vt), a.kind)


@macro
def svd_tangent(context, y, a, da, full_matrices, compute_uv, hermitian):
    """The tangents of singular values and vectors."""
    if compute_uv is False:
        return Operand(_call(context, helpers.svdvals_tangent, da, a), y.kind)
    u, s, vt = _parts_of(context, y)
    no_phases(context, u)
    _svd_reduced(context, a, full_matrices)
    return _several(context, _call(context, helpers.svd_tangent, da, u, s, vt), ("du", "ds", "dvt"), (u, s, vt))


def _several(context, call, names, likes):
    """Several results of a helper, unpacked into names."""
    from s2sad.core import assign, load

    fresh = [context.facts.fresh(n) for n in names]
    for n, like in zip(fresh, likes, strict=True):
        context.facts.kinds[n] = like.kind
    pattern = gast.Tuple([gast.Name(n, gast.Store(), None, None) for n in fresh], gast.Store())
    context.statements.append(assign(pattern, call))
    return gast.Tuple([load(n) for n in fresh], gast.Load())


def _qr_mode(context, a, mode):
    if mode not in ("reduced", "r") and not (a.shape is not None and a.shape[-1] == a.shape[-2] and mode == "complete"):
        named = "economic" if context.rule.name.startswith("scipy") else "reduced"
        raise context.refuse(
            "of a matrix that is not square only the reduced factors have a rule", f'give mode="{named}"'
        )


@macro
def qr_back(context, y, a, g, mode):
    """The adjoint of a matrix from those of its factors."""
    _qr_mode(context, a, mode)
    if mode == "r":
        q = context.local("q", context.quote("np.linalg.qr(a)[0]", a=a))
        return Operand(_call(context, helpers.qr_back, context.quote("np.zeros_like(q)", q=q), g, q, y), a.kind)
    q, r = _parts_of(context, y)
    gq, gr = (
        context.quote("np.zeros_like(x)", x=x) if part is ZERO else part for part, x in zip(g, (q, r), strict=True)
    )
    return Operand(_call(context, helpers.qr_back, gq, gr, q, r), a.kind)


@macro
def qr_tangent(context, y, a, da, mode):
    """The tangents of the factors."""
    _qr_mode(context, a, mode)

    if mode == "r":
        q = context.quote("np.linalg.qr(a)[0]", a=a)
        call = gast.Subscript(_call(context, helpers.qr_tangent, da, q, y), gast.Constant(1, None), gast.Load())
        return Operand(call, y.kind)
    q, r = _parts_of(context, y)
    return _several(context, _call(context, helpers.qr_tangent, da, q, r), ("dq", "dr"), (q, r))


@macro
def lstsq_back(context, y, a, b, g):
    """The adjoint of the matrix of a least-squares problem, from those of its solution, residuals, singular values."""
    x, residuals, _, _ = _parts_of(context, y)
    gx, gr, _, gs = g
    vector = x.ndim == 1
    if x.ndim is None:
        raise context.unknown("the rank of the right-hand side")
    total, right = None, None
    r = ZERO
    if gx is not ZERO or gr is not ZERO:
        r = context.local("r", context.quote("b - a @ x", a=a, b=b, x=x))
    if gx is not ZERO:
        p = context.local("p", context.quote("np.linalg.pinv(a)", a=a))
        u = right = context.local("u", context.quote("p.T @ g", p=p, g=gx))
        if vector:
            text = "np.outer(r, p @ u) - np.outer(u, x) + np.outer(p.T @ x, g - a.T @ u)"
        else:
            text = "r @ (p @ u).T - u @ x.T + (p.T @ x) @ (g - a.T @ u).T"
        total = context.quote(text, r=r, p=p, u=u, x=x, g=gx, a=a)
    if gr is not ZERO:
        # the residual is orthogonal to the columns: it varies with b - a x for a fixed x
        turned = context.local("t", context.quote("2.0 * r * np.sum(g)" if vector else "2.0 * r * g", r=r, g=gr))
        right = turned if right is None else context.quote("u + t", u=right, t=turned)
        part = context.quote("np.outer(t, x)" if vector else "t @ x.T", t=turned, x=x)
        total = context.quote("-p", p=part) if total is None else context.quote("t - p", t=total, p=part)
    if gs is not ZERO:
        part = svd_back(context, Operand(y.expr, y.kind.items[3]), a, gs, False, False, False)
        total = part if total is None else context.quote("t + p", t=total, p=part)
    return [ZERO if v is None else Operand(v.expr, like.kind) for v, like in ((total, a), (right, b))]


@macro
def lstsq_tangent(context, a, b, y, da, db):
    """The tangents of the solution, the residuals and the singular values."""
    x, residuals, _, s = _parts_of(context, y)
    if x.ndim is None:
        raise context.unknown("the rank of the right-hand side")
    p = context.local("p", context.quote("np.linalg.pinv(a)", a=a))
    r = context.local("r", context.quote("b - a @ x", a=a, b=b, x=x))
    change = minus_product(context, db, da, x, b)
    if da is ZERO:
        dx, ds = context.quote("p @ c", p=p, c=change), ZERO
    else:
        change = context.local("c", change)
        t = context.local("t", context.quote("da.T @ (p.T @ x)", da=da, p=p, x=x))
        dx = context.quote("p @ c + p @ (p.T @ (da.T @ r)) + t - p @ (a @ t)", p=p, c=change, da=da, r=r, t=t, a=a)
        ds = Operand(_call(context, helpers.svdvals_tangent, da, a), s.kind)
    text = "np.full(y.shape, 2.0 * (r @ c))" if x.ndim == 1 else "np.sum(2.0 * r * c, axis=0)[:y.size]"
    return [dx, context.quote(text, y=residuals, r=r, c=change), ZERO, ds]


def _chain(context, factors):
    """A product of several factors, in the order that costs least."""
    if len(factors) < 3:
        return factors[0] if len(factors) == 1 else context.quote("p @ q", p=factors[0], q=factors[1])
    parts = {f"p{i}": factor for i, factor in enumerate(factors)}
    return context.quote(f"np.linalg.multi_dot([{', '.join(parts)}])", **parts)


def _transposed_chain(context, factors):
    """The factors of the transposed product."""
    return [context.quote("m.T", m=m) for m in reversed(factors)]


@macro
def multi_dot_back(context, g, arrays):
    """The adjoints of the factors of a chain product: chain products of the others and g."""
    items = _items(context, arrays)
    if any(k.ndim is None for k in items):
        raise context.unknown("the ranks of the factors")
    if len(items) < 2 or any(k.ndim not in (1, 2) for k in items):  # (those have a definition)
        raise context.refuse(
            "the factors must be two or more matrices, or vectors at the ends", "call it for each, one after the other"
        )
    out = []
    for i, x in enumerate(items):
        if not context.is_active(x):
            out.append(ZERO)
            continue
        before, after = items[:i], items[i + 1 :]
        row, column = items[0].ndim == 1, items[-1].ndim == 1
        if x.ndim == 1 and row and column:
            value = context.quote("g * r", g=g, r=_chain(context, before or after))
        elif x.ndim == 1:
            value = _chain(context, [*(_transposed_chain(context, before) or after), g])
        elif row and column:
            left, right = _chain(context, before), _chain(context, after)
            value = context.quote("g * np.outer(l, r)", g=g, l=left, r=right)
        elif row:
            value = context.quote("np.outer(l, r)", l=_chain(context, before), r=_chain(context, [*after, g]))
        elif column:
            left = _chain(context, [*_transposed_chain(context, before), g])
            value = context.quote("np.outer(l, r)", l=left, r=_chain(context, after))
        else:
            value = _chain(context, [*_transposed_chain(context, before), g, *_transposed_chain(context, after)])
        out.append(Operand(value.expr, x.kind))
    return out


# -- norms -------------------------------------------------------------------------------------------------------------


def _norm_case(context, x, ord, axis):
    """Which norm this is: "2" (also Frobenius), a vector norm with its order, or a matrix norm with its order."""
    if not is_static(axis) or not is_static(ord):
        raise context.unknown("ord and axis")
    if ord is None:
        return "2", None
    if axis is None:
        if x.ndim is None:
            raise context.unknown("with an order the rank")
        matrix = x.ndim == 2
    else:
        matrix = isinstance(axis, (tuple, list)) and len(axis) == 2
    if (matrix and ord in ("fro", "f")) or (not matrix and ord == 2):
        return "2", None
    return ("matrix" if matrix else "vector"), ord


def _norm_slope(context, y, x, ord, axis, keepdims):
    """The derivative of a norm as an array of the shape of x (to be multiplied with the cotangent, broadcast back)."""
    case, ord = _norm_case(context, x, ord, axis)
    yx = expand_reduced(context, y, x, axis, keepdims)
    conj = maybe_complex(context, x)
    xc = context.quote("np.conj(x)", x=x) if conj else x
    if case == "2":
        return context.quote("x / y", x=xc, y=nonzero(context, yx))
    if case == "vector":
        if isinstance(axis, (tuple, list)) and len(axis) > 1:
            raise context.refuse("an order along several axes has no rule")
        if ord == 0:
            return ZERO
        sign = sign_of(context, x, context.quote("np.abs(x)", x=x)) if conj else context.quote("np.sign(x)", x=x)
        if ord == 1:
            return sign
        if ord in (np.inf, -np.inf):
            hit = mask_of(context, context.quote("np.abs(x) == y", x=x, y=yx), x)
            hit = context.local("hit", hit)
            return context.quote("hit / n * s", hit=hit, n=kept(context, "sum", hit, axis), s=sign)
        power = context.quote("(np.abs(x) / y) ** p", x=x, y=nonzero(context, yx), p=ord - 1)
        return context.quote("p * s", p=power, s=sign)
    if conj:
        raise context.refuse("orders of complex matrices have no rule")
    axes = axes_of(context, axis, x.ndim) if x.ndim is not None else None
    if x.ndim is None:
        raise context.unknown("with an order the rank")
    if ord in (2, -2, "nuc"):
        return Operand(_call(context, helpers.spectral_slope, x, ord), x.kind)
    if ord in (1, -1, np.inf, -np.inf):
        rows, columns = (0, 1) if axis is None else axes
        along = rows if abs(ord) == 1 else columns
        sums = context.local("sums", context.quote("np.sum(np.abs(x), axis=i, keepdims=True)", x=x, i=along))
        full = y if axis is None or keepdims else context.quote("np.expand_dims(y, i)", y=y, i=(rows, columns))
        hit = context.local("hit", mask_of(context, context.quote("s == y", s=sums, y=full), x))
        both = tuple(sorted((rows, columns)))
        return context.quote("hit / np.sum(hit, axis=b, keepdims=True) * np.sign(x)", hit=hit, x=x, b=both)
    raise context.refuse(f"order {ord!r} has no rule")


@macro
def norm_back(context, y, x, g, ord, axis, keepdims):
    """The adjoint of np.linalg.norm."""
    case, _ = _norm_case(context, x, ord, axis)
    g = _as_operand(g)
    if case == "2":
        scaled = context.quote("g / y", g=g, y=nonzero(context, y))
        wide = expand_reduced(context, scaled, x, axis, keepdims)
        return context.quote("g * x", g=wide, x=context.quote("np.conj(x)", x=x) if maybe_complex(context, x) else x)
    slope = _norm_slope(context, y, x, ord, axis, keepdims)
    if slope is ZERO:
        return ZERO
    return context.quote("g * s", g=expand_reduced(context, g, x, axis, keepdims), s=slope)


@macro
def norm_tangent(context, y, x, dx, ord, axis, keepdims):
    """The tangent of np.linalg.norm."""
    case, _ = _norm_case(context, x, ord, axis)
    if case == "2":
        product = context.quote("x * dx", x=context.quote("np.conj(x)", x=x) if maybe_complex(context, x) else x, dx=dx)
        total = reduced(context, "sum", product, axis, keepdims)
        if maybe_complex(context, x):
            total = context.quote("np.real(t)", t=total)
        return context.quote("t / y", t=total, y=nonzero(context, y))
    slope = _norm_slope(context, y, x, ord, axis, keepdims)
    if slope is ZERO:
        return ZERO
    total = reduced(context, "sum", context.quote("s * dx", s=slope, dx=dx), axis, keepdims)
    return context.quote("np.real(t)", t=total) if maybe_complex(context, x) else total


@macro
def vector_norm_back(context, y, x, g, ord, axis, keepdims):
    """The adjoint of np.linalg.vector_norm."""
    if ord == 2:
        return norm_back(context, y, x, g, None, axis, keepdims)
    if axis is None and x.ndim != 1:  # (it has a definition)
        raise context.refuse("an order over several axes has no rule", "call it for each, one after the other")
    return norm_back(context, y, x, g, ord, 0 if axis is None else axis, keepdims)


@macro
def vector_norm_tangent(context, y, x, dx, ord, axis, keepdims):
    """The tangent of np.linalg.vector_norm."""
    if ord == 2:
        return norm_tangent(context, y, x, dx, None, axis, keepdims)
    if axis is None and x.ndim != 1:  # (it has a definition)
        raise context.refuse("an order over several axes has no rule", "call it for each, one after the other")
    return norm_tangent(context, y, x, dx, ord, 0 if axis is None else axis, keepdims)


# -- lists of numbers --------------------------------------------------------------------------------------------------


def _list(context, x):
    """The items of a list argument (parts), or None for an array."""
    return None if isinstance(x.kind, Array) else _items(context, x)


@macro
def digamma_of(context, x):
    """The logarithmic derivative of the gamma function."""
    return Operand(_call(context, helpers.digamma, x), x.kind)


@macro
def spread(context, g, x):
    """The cotangent of a sum, to each item."""
    if _is_grown(x):
        return Operand(context.quote("[g] * len(x)", g=_as_operand(g), x=x).expr, x.kind)
    items = _list(context, x)
    if items is None:
        return expand_reduced(context, g, x, 0)
    g = _as_operand(g)
    out = []
    for item_ in items:
        if not context.is_active(item_):
            out.append(ZERO)
        elif item_.is_scalar and g.is_scalar:
            out.append(g)
        else:
            out.append(fit(g, context.y.kind, item_, context.facts, context.sources))
    return out


@macro
def total_of(context, tangents):
    """The sum of the tangents of the items."""
    if tangents is ZERO:
        return ZERO
    if isinstance(tangents.kind, ListOf):
        return context.quote("sum(t)", t=tangents)
    if not isinstance(tangents.expr, (gast.List, gast.Tuple)):
        return context.quote("np.sum(t, axis=0)", t=tangents)
    total = None
    for t in tangents.expr.elts:
        if isinstance(t, gast.Constant) and t.value == 0.0:
            continue
        total = t if total is None else gast.BinOp(total, gast.Add(), t)
    return total if total is not None else ZERO


def _sum_of(context, terms):
    total = None
    for term in terms:
        total = term.expr if total is None else gast.BinOp(total, gast.Add(), term.expr)
    return ZERO if total is None else context.operand(total)


def _active_tangents(context, items, tangents):
    """Items and their tangents, of those that vary."""
    exprs = tangents.expr.elts if isinstance(tangents, Operand) else tangents
    return [(i, x, t) for i, (x, t) in enumerate(zip(items, exprs, strict=True)) if context.is_active(x)]


@macro
def inner_products(context, items, tangents):
    """The sum of x_i * dx_i."""
    if tangents is ZERO:
        return ZERO
    items = items if isinstance(items, list) else _items(context, items)
    exprs = tangents.expr.elts

    return _sum_of(
        context,
        [
            context.quote("x * t", x=x, t=t)
            for x, t in zip(items, exprs, strict=True)
            if not (isinstance(t, gast.Constant) and t.value == 0.0)
        ],
    )


@macro
def scaled_items(context, g, items):
    """g * x_i for each item."""
    return [context.quote("g * x", g=g, x=x) for x in _items(context, items)]


@macro
def difference_parts(context, g, p, q):
    """g * (p_i - q_i) for each item."""
    g = context.local("g", _as_operand(g))
    pairs = zip(_items(context, p), _items(context, q), strict=True)
    return [context.quote("g * (a - b)", g=g, a=a, b=b) for a, b in pairs]


@macro
def difference_products(context, p, q, tangents):
    """The sum of (p_i - q_i) * dp_i."""
    if tangents is ZERO:
        return ZERO
    others = _items(context, q)
    return _sum_of(
        context,
        [
            context.quote("(a - b) * t", a=x, b=others[i], t=t)
            for i, x, t in _active_tangents(context, _items(context, p), tangents)
        ],
    )


@macro
def deviations(context, g, data, m):
    """g * (x_i - m) for each item."""
    items = _list(context, data)
    if items is None:
        return context.quote("g * (x - m)", g=g, x=data, m=m)
    g = context.local("g", _as_operand(g))
    return [context.quote("g * (x - m)", g=g, x=x, m=m) for x in items]


@macro
def deviation_products(context, data, m, tangents):
    """The sum of (x_i - m) * dx_i."""
    if tangents is ZERO:
        return ZERO
    items = _list(context, data)
    if items is None:
        return context.quote("np.sum((x - m) * t)", x=data, m=m, t=tangents)
    return _sum_of(
        context, [context.quote("(x - m) * t", x=x, m=m, t=t) for _, x, t in _active_tangents(context, items, tangents)]
    )


def _product(context, factors):
    total = None
    for factor in factors:
        expr = factor.expr if isinstance(factor, Operand) else literal(factor).expr
        if isinstance(expr, gast.Constant) and expr.value in (1, 1.0):
            continue
        total = expr if total is None else gast.BinOp(total, gast.Mult(), expr)
    return literal(1.0) if total is None else context.operand(total)


@macro
def other_products(context, g, iterable, start):
    """g times the other factors, for each factor."""
    items = _list(context, iterable)
    if items is None:
        return context.quote("g * p", g=g, p=_product(context, [product_of_others(context, iterable, None), start]))
    return [_product(context, [_as_operand(g), start, *items[:i], *items[i + 1 :]]) for i in range(len(items))]


@macro
def start_product(context, g, iterable):
    """g times all factors."""
    items = _list(context, iterable)
    return (
        context.quote("g * np.prod(x)", g=g, x=iterable)
        if items is None
        else _product(context, [_as_operand(g), *items])
    )


@macro
def product_tangent(context, tangents, dstart, iterable, start):
    """The product rule."""
    items = _list(context, iterable)
    if items is None:
        raise context.unknown("the number of factors")
    terms = []
    if tangents is not ZERO:
        for i, _, t in _active_tangents(context, items, tangents):
            terms.append(_product(context, [context.operand(t), start, *items[:i], *items[i + 1 :]]))
    if dstart is not ZERO:
        terms.append(_product(context, [_as_operand(dstart), *items]))
    return _sum_of(context, terms)


@macro
def choices_of(context, args):
    """What the builtin max chooses from."""
    if len(args) == 1:
        if isinstance(args[0].kind, Array):
            return args
        return _items(context, args[0])
    return args


def _hits(context, args, y):
    """For each choice, is it the result? The first as a float: two True of NumPy's add up to True, not to 2."""
    hits = [context.quote("(x == y)", x=x, y=y) for x in choices_of(context, args)]
    return [context.quote("1.0 * h", h=hits[0]), *hits[1:]]


@macro
def share_of(context, g, x, args, y):
    """The share of one of the arguments of max."""
    if not context.is_active(x):
        return ZERO
    if isinstance(x.kind, Array):
        return context.quote("g * (x == y) / np.sum(x == y)", g=g, x=x, y=y)
    choices = choices_of(context, args)
    if len(choices) == 2:
        other = next(c for c in choices if getattr(c, "key", None) != x.key)
        return context.quote("g * c", g=g, c=_is_chosen(context, x, other, y))
    n = context.local("t", _sum_of(context, _hits(context, args, y)))
    return context.quote("g / n * (x == y)", g=g, x=x, y=y, n=n)


@macro
def tangents_of(context, args):
    """The tangents of what the builtin max chooses from."""
    context.read.update(a.key for a in args)
    choices = choices_of(context, args)
    return [context.tangents.get(x.key, ZERO) for x in choices]


@macro
def share_tangent(context, tangents, args, y):
    """The tangent of max."""
    choices = choices_of(context, args)
    if len(choices) == 1 and isinstance(choices[0].kind, Array):
        return context.quote("np.sum(t * (x == y)) / np.sum(x == y)", t=tangents[0], x=choices[0], y=y)
    if len(choices) == 2:
        pairs = [(*choices, tangents[0]), (*reversed(choices), tangents[1])]
        chosen = [
            context.quote("t * c", t=t, c=_is_chosen(context, x, other, y)) for x, other, t in pairs if t is not ZERO
        ]
        return _sum_of(context, chosen)
    n = _sum_of(context, _hits(context, args, y))
    terms = [
        context.quote("t * (x == y)", t=t, x=x, y=y) for x, t in zip(choices, tangents, strict=True) if t is not ZERO
    ]
    return context.quote("s / n", s=_sum_of(context, terms), n=n)


# -- numeric -----------------------------------------------------------------------------------------------------------


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
def bessel_i1_of(context, x):
    """The modified Bessel function of order 1."""
    return Operand(_call(context, helpers.bessel_i1, x), x.kind)


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
def plain_windows(context, writeable):
    """Refuse windows that are to be stored into."""
    if writeable is not False:
        raise context.refuse("windows to store into have no rule", "store into the array itself")


@macro
def simple_linspace(context, retstep, axis):
    """Refuse the extras of np.linspace, which have a definition."""
    if retstep is not False or axis != 0:
        raise context.refuse("retstep and axis have no rule", "call it for each, one after the other")


@macro
def linspace_call(context, start, stop, num, endpoint):
    """np.linspace"""
    text = "np.linspace(a, b, n)" if endpoint is True else "np.linspace(a, b, n, e)"
    return context.quote(text, a=start, b=stop, n=num, e=endpoint)


@macro
def sequence_end(context, t, g, x):
    """The adjoint of an end of a sequence: the weights times the cotangent, summed."""
    if not context.is_active(x):
        return ZERO
    if x.is_scalar and context.y.ndim == 1:
        return context.quote("t @ g", t=t, g=g)
    value = context.quote("np.tensordot(t, g, 1)", t=t, g=g)
    if x.shape is not None and context.y.shape is not None:
        return fit(
            Operand(value.expr, Array(context.y.dtype, context.y.shape[1:])),
            Array(context.y.dtype, context.y.shape[1:]),
            x,
            context.facts,
            context.sources,
        )
    return Operand(_call(context, helpers.unbroadcast, value, x), x.kind)


@macro
def gradient_call(context, df, f, varargs, axis, edge_order):
    """np.gradient"""
    _gradient_axis(context, f, varargs, axis)
    parts = {"f": df, "i": axis, "o": edge_order}
    text = "np.gradient(f"
    if varargs:
        text += ", h"
        parts["h"] = varargs[0]
    if axis is not None:
        text += ", axis=i"
    if edge_order != 1:
        text += ", edge_order=o"
    return context.quote(text + ")", **parts)


def _gradient_axis(context, f, varargs, axis):
    """The one axis along which it is taken: several, and spacings that vary, have a definition."""
    if len(varargs) > 1 or (axis is None and f.ndim != 1) or isinstance(axis, (tuple, list)):
        raise context.refuse("gradients along several axes have no rule", "call it for each, one after the other")
    if any(context.is_active(v) for v in varargs):
        raise context.refuse("the spacing has no rule", "call it for each, one after the other")
    return 0 if axis is None else axis


@macro
def gradient_back(context, g, f, varargs, axis, edge_order):
    """The adjoint of np.gradient."""
    along = _gradient_axis(context, f, varargs, axis)
    return call_helper(context, "gradient_back", f, g, varargs[0] if varargs else 1.0, along, edge_order)


@macro
def cov_ddof(context, bias, ddof):
    """The degrees of freedom that np.cov takes off. Weights and a second set of variables have a definition."""
    if any(context.env.get(name) is not None for name in ("fweights", "aweights", "y")):
        raise context.refuse("weights and other variables have no rule", "call it for each, one after the other")
    return ddof if ddof is not None else int(bias == 0)


@macro
def insert_places(context, a, obj, values, axis):
    """Where np.insert puts values: an index for each, also where several are put before one index."""
    several = isinstance(values, Operand) and values.ndim and values.ndim == (1 if axis is None else a.ndim)
    if not several or not (isinstance(obj, int) or (isinstance(obj, Operand) and obj.ndim == 0)):
        return obj
    if axis not in (None, 0):
        raise context.refuse("several slices before one index", "give the index once for each: [i] * n")
    return context.quote("np.full(len(v), i)", v=values, i=obj)


@macro
def without_inserted(context, g, a, places, values, axis):
    """The adjoint of a in np.insert: what stands before the value and behind it."""
    at, index = _one_place(a, places, values, axis)
    if at is None:
        return call_helper(context, "insert_back", a, g, a, places, axis)
    before, behind = (":, " * at + part for part in (f":{index}", f"{index + 1}:"))
    if index == 0:
        return context.quote(f"g[{behind}]", g=g)
    joined = f"np.concatenate((g[{before}], g[{behind}])" + (f", axis={at})" if at else ")")
    return Operand(context.quote(joined, g=g).expr, a.kind)


@macro
def at_inserted(context, g, a, places, values, axis):
    """The adjoint of the values in np.insert: what stands in their place."""
    at, index = _one_place(a, places, values, axis)
    if at is None:
        return call_helper(context, "insert_values_back", values, g, a, places, values, axis)
    slot = context.quote(f"g[{':, ' * at}{index}]", g=g)
    if slot.is_complex and not maybe_complex(context, values):
        slot = context.quote("v.real", v=slot)
    return fitted(context, slot, slot, values)


def _one_place(a, places, values, axis):
    """The axis and the index at which np.insert puts one value or slice, where that is known; else Nones."""
    rank = values.ndim if isinstance(values, Operand) else np.ndim(values)
    if isinstance(places, bool) or not isinstance(places, int) or a.ndim is None or rank is None:
        return None, None
    if not is_static(axis) or rank >= a.ndim or (axis is None and a.ndim != 1):
        return None, None
    return (axis or 0) % a.ndim, places if places >= 0 else places - 1


@macro
def zeros_inserted(context, g, x, obj, axis):
    """As many zeros as np.insert put into x to give the shape of g: at one index there may be several."""
    if isinstance(obj, (list, tuple)) or (isinstance(obj, Operand) and obj.ndim):
        return 0.0
    if axis is None or x.ndim == 1:
        return context.quote("np.zeros(np.size(g) - np.size(x))", g=g, x=x)
    count = "np.zeros((np.shape(g)[i] - np.shape(x)[i],) + (1,) * (np.ndim(g) - 1))"
    return context.quote(count, g=g, x=x, i=axis)


@macro
def insert_call(context, a, obj, values, axis):
    """np.insert"""
    if isinstance(obj, slice):  # no literal of its own
        obj = context.quote("slice(a, b, c)", a=obj.start, b=obj.stop, c=obj.step)
    return context.quote(
        "np.insert(a, o, v)" if axis is None else "np.insert(a, o, v, axis=i)", a=a, o=obj, v=values, i=axis
    )


@macro
def call_helper_again(context, name, *args):
    """A call of a helper, in the derivative of a helper; zero when an argument is."""
    if any(a is ZERO for a in args):
        return ZERO
    function = getattr(helpers, name)
    defaults = list(inspect.signature(function).parameters.values())
    args = list(args)
    while args and len(args) == len(defaults) and _is_default(args[-1], defaults[-1].default):
        args.pop()
        defaults.pop()
    return _call(context, function, *args)


@macro
def fitted_to(context, value, target):
    """A value summed to the shape of what was broadcast to it."""
    return _call(context, helpers.unbroadcast, value, target)


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
def only_vector(context, v):
    """Refuse stacks of vectors, and complex ones."""
    if v.ndim != 1 or maybe_complex(context, v):
        raise context.refuse("only one real vector has a rule", "use @ or np.einsum")
    return True


# -- SciPy's -----------------------------------------------------------------------------------------------------------


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
    from s2sad.transform.fit import as_literal

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


def _is_transposed(context, trans):
    if trans not in (0, 1, "N", "T"):
        raise context.unknown("trans (0 or 1)")
    return trans in (1, "T")


@macro
def transposed_trans(context, trans):
    """The trans argument of the transposed system."""
    return 0 if _is_transposed(context, trans) else 1


def _triangle(context, lower, unit, value):
    """The part of a matrix that solve_triangular reads."""
    if not isinstance(lower, bool) or not isinstance(unit, bool):
        raise context.unknown("lower and unit_diagonal")
    if lower:
        return context.quote("np.tril(v, -1)" if unit else "np.tril(v)", v=value)
    return context.quote("np.triu(v, 1)" if unit else "np.triu(v)", v=value)


@macro
def triangle_back(context, t, y, trans, lower, unit):
    """The adjoint of the matrix in solve_triangular."""
    first, second = (y, t) if _is_transposed(context, trans) else (t, y)
    if y.ndim == 1:
        product = context.quote("np.outer(a, b)", a=first, b=second)
    elif y.ndim == 2:
        product = context.quote("a @ b.T", a=first, b=second)
    else:
        raise context.unknown("the rank of the right-hand side")
    return context.quote("-p", p=_triangle(context, lower, unit, product))


@macro
def triangle_right(context, db, da, y, trans, lower, unit):
    """db - da @ y with the part of da that is read."""
    if da is ZERO:
        return db
    part = _triangle(context, lower, unit, da)
    product = context.quote("p.T @ y" if _is_transposed(context, trans) else "p @ y", p=part, y=y)
    return context.quote("-p", p=product) if db is ZERO else context.quote("b - p", b=db, p=product)
