"""Products of vectors, matrices and stacks of matrices, and convolutions."""

from __future__ import annotations

import numpy as np
from s2sad.templates.macros.basics import (
    as_array,
    as_operand,
    conjugated,
    is_static,
    matrix_cotangent,
    maybe_complex,
    multiplied,
    name_of_helper,
    of_rank,
)
from s2sad.templates.macros.calls import call_of
from s2sad.templates.macros.einsum import einsum_operands, einsum_part
from s2sad.templates.macros.linalg import real_like
from s2sad.templates.macros.shapes import reshaped

from s2sad.expansion.fit import Product, broadcast_shape, fit
from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand
from s2sad.expansion.zero import ZERO
from s2sad.kinds.kind import Array, Dim
from s2sad.runtime import helpers

# -- products ----------------------------------------------------------------------------------------------------------


@macro
def matmul_left(context, g, a, b):
    """The adjoint of a in a @ b."""
    if not context.is_active(a):
        return ZERO
    g = as_operand(g)
    if None in (a.ndim, b.ndim) or g.ndim is None:
        call = context.quote("f(g, a, b)", f=name_of_helper(context, helpers.matmul_left), g=g, a=a, b=b)
        return Operand(call.expr, a.kind)
    g = matrix_cotangent(context, g)
    lazy = g.is_scalar
    match a.ndim, b.ndim:
        case 1, 1:
            return multiplied(context, g, "b", b=b)
        case 2, 1:
            return multiplied(context, g, "b", b=b) if lazy else context.quote("np.outer(g, b)", g=g, b=b)
        case 1, 2:
            return multiplied(context, g, "np.sum(b, axis=1)", b=b) if lazy else context.quote("b @ g", g=g, b=b)
        case 2, 2:
            return multiplied(context, g, "np.sum(b, axis=1)", b=b) if lazy else context.quote("g @ b.T", g=g, b=b)
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
    g = as_operand(g)
    if None in (a.ndim, b.ndim) or g.ndim is None:
        call = context.quote("f(g, a, b)", f=name_of_helper(context, helpers.matmul_right), g=g, a=a, b=b)
        return Operand(call.expr, b.kind)
    g = matrix_cotangent(context, g)
    lazy = g.is_scalar
    match a.ndim, b.ndim:
        case 1, 1:
            return multiplied(context, g, "a", a=a)
        case 2, 1:
            return multiplied(context, g, "np.sum(a, axis=0)", a=a) if lazy else context.quote("a.T @ g", g=g, a=a)
        case 1, 2:
            return multiplied(context, g, "a[:, None]", a=a) if lazy else context.quote("np.outer(a, g)", g=g, a=a)
        case 2, 2:
            if lazy:
                return multiplied(context, g, "np.sum(a, axis=0)[:, None]", a=a)
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


# -- rearranging -------------------------------------------------------------------------------------------------------


@macro
def dot_left(context, g, a, b):
    """The adjoint of a in np.dot(a, b)."""
    if not context.is_active(a):
        return ZERO
    g, b = as_operand(g), as_operand(b)
    if a.is_scalar or b.is_scalar:
        product = Product.of(b.expr, context.facts).times(g, context.facts, context.y.kind)
        return fit(product, context.y.kind, a, context.facts, context.sources)
    if None in (a.ndim, b.ndim):
        return Operand(call_of(context, helpers.dot_left, g, a, b), a.kind)
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
    g, a = as_operand(g), as_operand(a)
    if a.is_scalar or b.is_scalar:
        product = Product.of(a.expr, context.facts).times(g, context.facts, context.y.kind)
        return fit(product, context.y.kind, b, context.facts, context.sources)
    if None in (a.ndim, b.ndim):
        return Operand(call_of(context, helpers.dot_right, g, a, b), b.kind)
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
    g, other = as_operand(g), as_operand(other)
    a, b = (me, other) if which == 0 else (other, me)
    if a.is_scalar or b.is_scalar:
        product = Product.of(other.expr, context.facts).times(g, context.facts, context.y.kind)
        return fit(product, context.y.kind, me, context.facts, context.sources)
    if None in (a.ndim, b.ndim):
        raise context.unknown("the ranks")
    if a.ndim == b.ndim == 1:
        return multiplied(context, g, "b", b=other)
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
    g, other = as_operand(g), as_array(context, other)
    flat = "b" if other.ndim in (0, 1) else "np.ravel(b)"
    if which == 0 and maybe_complex(context, context.y):
        value = context.quote(f"np.conj(g * {flat})", g=g, b=other)
    else:
        conjugates = which == 1 and maybe_complex(context, other)
        value = multiplied(context, g, f"np.conj({flat})" if conjugates else flat, b=other)
    return reshaped(context, value, me)


@macro
def outer_part(context, g, a, b, which):
    """The adjoints of np.outer(a, b)."""
    me, other = (a, b) if which == 0 else (b, a)
    if not context.is_active(me):
        return ZERO
    g, other = as_operand(g), as_array(context, other)
    flat = other if other.ndim == 1 else context.quote("np.ravel(x)", x=other)
    if g.is_scalar and me.ndim == 1:
        return multiplied(context, g, "np.sum(b)", b=other)
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
    a, b = as_operand(a), as_operand(b)
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
    g = as_operand(g)
    if g.is_scalar and not context.y.ndim:
        value = multiplied(context, g, "x", x=other)
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
    return Operand(call_of(context, function, g, a, b), me.kind)


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
        g = context.broadcast(as_operand(g), Array(a.dtype, shape))
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
    g = as_operand(g)
    wide = g if g.is_scalar else context.quote("g[..., None]", g=g)
    conj = maybe_complex(context, a) or maybe_complex(context, b)
    text = "g * x" if not conj else "np.conj(g * x)" if which == 0 else "g * np.conj(x)"
    value = context.quote(text, g=wide, x=other)
    if value.shape is None or me.shape is None or context.y.shape is None:
        return Operand(call_of(context, helpers.unbroadcast, value, me), me.kind)
    virtual = Array(value.dtype, (*context.y.shape, a.shape[-1]))
    return fit(value, virtual, me, context.facts, context.sources)


# -- convolution -------------------------------------------------------------------------------------------------------


@macro
def convolve_part(context, g, x, other, mode, correlated):
    """The adjoint of x in np.convolve(x, other, mode) or np.correlate(x, other, mode)."""
    of_rank(context, x, 1, 1)
    if not context.is_active(x):
        return ZERO
    other = as_operand(other)
    if other.is_scalar:  # a polynomial of one coefficient
        return real_like(context, context.quote("g * c", g=g, c=conjugated(context, other)), x)
    value = Operand(call_of(context, helpers.convolve_back, g, x, other, mode, correlated), x.kind)
    return real_like(context, value, x) if as_operand(g).is_complex or other.is_complex else value


@macro
def correlate_kernel(context, g, a, v, mode):
    """The adjoint of v in np.correlate(a, v, mode): that of a convolution with conj(v) reversed, reversed."""
    if not context.is_active(v):
        return ZERO
    a = as_operand(a)
    correlated = False if is_static(mode) and mode != "same" else None
    value = context.quote("f[::-1]", f=call_of(context, helpers.convolve_back, g, v, a, mode, correlated))
    if a.is_complex or v.is_complex or context.y.dtype is None:
        value = real_like(context, conjugated(context, value), v)
    return Operand(value.expr, v.kind)
