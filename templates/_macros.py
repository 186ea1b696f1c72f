"""Generation-time functions that templates call by name: each returns the expression that fits the kinds at hand."""

from __future__ import annotations

import operator

import numpy as np

from s2sad.kinds.kind import Array, Dim, Number, Tuple
from s2sad.runtime import helpers
from s2sad.transform.expand import NoDerivative, ZERO, literal, macro
from s2sad.transform.fit import ONE, Product, count_expr, fit, helper
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
        raise context.refuse("the axis must be an int or a tuple of ints that is known when code is generated")
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
def sign_of(context, x, y):
    """The derivative of abs."""
    if x.is_complex:
        return context.quote("np.conj(x) / y", x=x, y=nonzero(context, y))
    if x.is_number:
        return context.quote("(x > 0.0) - (x < 0.0)", x=x)
    return context.quote("np.sign(x)", x=x)


@macro
def power_in_base(context, y, x, p):
    """d(x**p)/dx"""
    if isinstance(p, Operand):
        if p.is_scalar and p.expr.__class__.__name__ == "Name":
            return context.quote("p * x ** (p - 1 if p else 1)", p=p, x=x)
        if p.is_scalar:
            return context.quote("p * x ** (p - 1)", p=p, x=x)
        return context.quote("p * x ** np.where(p == 0, 1, p - 1)", p=p, x=x)
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
def power_in_exponent(context, y, x):
    """d(x**p)/dp, which is 0 at x = 0."""
    if not isinstance(x, Operand):
        x = literal(x)
        if x.static == 0:
            return literal(0.0)
        return Operand(context.quote("y", y=y).expr, y.kind) if x.static == np.e else context.quote(
            "y * f(x)", y=y, x=x, f=context.global_expr("log"))
    if x.is_scalar:
        return context.quote("y * f(x or 1.0)", y=y, x=x, f=context.global_expr("log"))
    return context.quote("y * np.log(np.where(x == 0.0, 1.0, x))", y=y, x=x)


@macro
def choice(context, a, b, y, g):
    """g where a is chosen against b to be y; shared evenly when they are equal."""
    if all(not isinstance(v, Operand) or v.is_number for v in (a, b)):
        return context.quote("g * ((a == y) - 0.5 * (a == b))", a=a, b=b, y=y, g=g)
    return context.quote("np.where(a == b, 0.5 * g, g * (a == y))", a=a, b=b, y=y, g=g)


# -- reductions --------------------------------------------------------------------------------------------------------


@macro
def expand_reduced(context, g, x, axis=None, keepdims=False):
    """A value of the shape of the reduced x (or smaller) indexed so that it broadcasts against x."""
    if g is ZERO:
        return ZERO
    if not isinstance(g, Operand):
        g = literal(g)
    rank = x.ndim
    if rank is None or not is_static(axis) or not is_static(keepdims) or g.ndim is None:
        if axis is None and is_static(keepdims):
            call = context.quote("np.broadcast_to(g, np.shape(x))", g=g, x=x)
        elif keepdims is False:
            call = context.quote("f(g, x, a)", f=_name(context, helpers.expand_reduced), g=g, x=x, a=axis)
        else:
            call = context.quote(
                "f(g, x, a, k)", f=_name(context, helpers.expand_reduced), g=g, x=x, a=axis, k=keepdims)
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
    import gast

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
        return context.quote("np.size(x) / np.size(y)", x=x, y=context.y)
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
    return Operand(*_built(Product.of(context.quote(text, **parts).expr, context.facts).times(g, context.facts)))


def _built(product):
    return product.expr(), product.kind


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
def sinc_slope(context, x):
    """The derivative of sin(pi x) / (pi x), which is 0 at 0."""
    if x.is_number:
        return context.quote("(np.cos(np.pi * x) - np.sinc(x)) / (x or 1.0)", x=x)
    return context.quote("(np.cos(np.pi * x) - np.sinc(x)) / np.where(x == 0.0, 1.0, x)", x=x)


@macro
def angle_slope(context, z, deg):
    """d angle(z) / dz = -i / z, of which the real part in the pairing counts."""
    if not z.is_complex:
        return ZERO
    if deg is True:
        return context.quote("-57.29577951308232j / z", z=z)
    return context.quote("-1j / z", z=z)


# -- rearranging -------------------------------------------------------------------------------------------------------


@macro
def reshaped(context, g, x, order="C"):
    """g in the shape of x."""
    g = _as_operand(g)
    if x.is_scalar:
        if g.is_scalar:
            return g
        return Operand(context.quote("np.sum(g)", g=g).expr, x.kind)
    if x.ndim == 1 and isinstance(x.kind, Array) and order == "C":
        call = context.quote("np.ravel(g)", g=g)
    elif order == "C":
        call = context.quote("np.reshape(g, np.shape(x))" if not isinstance(x.kind, Array) else "g.reshape(x.shape)",
                             g=g, x=x)
    else:
        call = context.quote("np.reshape(g, np.shape(x), order=o)", g=g, x=x, o=order)
    return Operand(call.expr, x.kind)


@macro
def transposed_back(context, g, x, axes):
    """The transpose of g that undoes np.transpose(x, axes)."""
    if isinstance(axes, (list, tuple)) and axes and all(isinstance(a, Operand) for a in axes):
        values = [a.static for a in axes]
        if any(v is NOT_STATIC for v in values):
            raise context.refuse("the axes must be literal")
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
        raise context.refuse("the rank, axis and start must be known when code is generated", "use np.moveaxis")
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
def only(context, g, arguments):
    """The cotangent when a function that takes several arguments got one."""
    if len(arguments) != 1:
        raise context.refuse("several arguments at once have no rule", "call it for each")
    return g


@macro
def converted(context, g, x):
    """g with the type of x."""
    y = context.y
    if y.dtype is not None and y.dtype.kind not in "fc":
        return ZERO
    if x.dtype is not None and x.dtype == g.dtype:
        return g
    if x.is_scalar and x.is_number:
        return g
    if g.is_complex and x.dtype is not None and x.dtype.kind != "c":
        g = context.quote("np.real(g)", g=g)
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
    raise context.refuse("item(index) has no rule", "index the array: x[i]")


@macro
def items_of(context, g, x):
    """The cotangent of np.array(x): g itself, or its items when x is a nest of lists."""
    if g is ZERO:
        return ZERO
    items = x.items() if isinstance(x, Part) else None
    if items is None:
        if isinstance(x.kind, Array) or x.is_scalar or isinstance(x.kind, Number):
            value = converted(context, g, x)
            if context.y.ndim is not None and x.ndim is not None and context.y.ndim > x.ndim and not g.is_scalar:
                return reshaped(context, g, x)
            return value
        raise context.refuse("its argument is a list whose items are not known when code is generated")
    full = g if g.is_scalar else context.broadcast(g, context.y.kind)
    if full.is_scalar and context.y.ndim:
        return [_nested(context, None, item, full) for item in items]
    return [_nested(context, full, item, None, (i,)) for i, item in enumerate(items)]


def _nested(context, g, item, scalar, index=()):
    """The cotangent of one item of a nested list."""
    inner = item.items()
    if inner is None:
        if scalar is not None:
            return scalar
        text = f"g[{', '.join(map(str, index))}]"
        return context.quote(text, g=g)
    return [_nested(context, g, part, scalar, (*index, i)) for i, part in enumerate(inner)]
