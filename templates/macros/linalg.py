"""Matrices: transposes, triangles, systems, chains of products."""

from __future__ import annotations

import gast
import numpy as np
from s2sad.templates.macros.basics import as_operand, can_be_complex, conjugated, known_items, maybe_complex
from s2sad.templates.macros.calls import call_of

from s2sad.core import text
from s2sad.expansion.fit import fit, literal
from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand
from s2sad.expansion.zero import ZERO
from s2sad.kinds.kind import Array
from s2sad.runtime import helpers


@macro
def mT(context, x):
    """The transpose of a matrix, or of each of a stack."""
    if x is ZERO:
        return ZERO
    if x.ndim == 2:
        return context.quote("x.T", x=x)
    return context.quote("np.swapaxes(x, -1, -2)", x=x)


@macro
def mH(context, x):
    """The conjugate transpose of a matrix, or of each of a stack."""
    return conjugated(context, mT(context, x))


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
    value = as_operand(value)
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
    value = as_operand(value)
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
        return Operand(call_of(context, helpers.solve_transposed, g, a, b), context.y.kind)
    if _vectors(a, b) and a.ndim != 2:
        return context.quote("np.linalg.solve(t, g[..., None])[..., 0]", t=mT(context, a), g=g)
    return context.quote("np.linalg.solve(t, g)", t=mT(context, a), g=g)


@macro
def solved(context, a, right, b):
    """np.linalg.solve(a, right), where right has the shape of the solution."""
    if right is ZERO:
        return ZERO
    if b.ndim is None:
        return Operand(call_of(context, helpers.solve_transposed, right, mT(context, a), b), context.y.kind)
    if _vectors(a, b) and a.ndim != 2:
        return context.quote("np.linalg.solve(a, r[..., None])[..., 0]", a=a, r=right)
    return context.quote("np.linalg.solve(a, r)", a=a, r=right)


@macro
def real_values(context, value):
    """The real part of what can be complex."""
    if value is ZERO or not can_be_complex(context, as_operand(value)):
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
    first = turned(context, call_of(context, helpers.deconvolved, turned(context, dq), v))
    return context.local("g", context.quote("np.concatenate((first, rest))", first=first, rest=rest))


@macro
def multi_dot_tangent(context, tangents, arrays):
    """The product rule for a chain."""
    from s2sad.expansion.fit import as_literal
    from s2sad.expansion.zero import add

    total = None
    items = known_items(context, arrays)
    for i, (x, dx) in enumerate(zip(items, tangents.expr.elts, strict=True)):
        if context.is_active(x):
            factors = [as_literal(dx if k == i else other) for k, other in enumerate(items)]
            call = context.quote("np.linalg.multi_dot(f)", f=gast.List(factors, gast.Load()))
            total = add(total, as_literal(call))
    return Operand(total, context.y.kind)


@macro
def solve_matrix_back(context, t, y, a, b):
    """The adjoint of the matrix of a system."""
    if not context.is_active(a):
        return ZERO
    if b.ndim is None:
        return Operand(call_of(context, helpers.solve_matrix_back, t, y, a, b), a.kind)
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
        return Operand(call_of(context, helpers.unbroadcast, t, b), b.kind)
    return fit(t, context.y.kind, b, context.facts, context.sources)


def _fit_matrix(context, value, target, inner):
    """A stack of matrices fitted to the stack of an argument."""
    if context.y.shape is None or target.shape is None or value.shape is None:
        return Operand(call_of(context, helpers.unbroadcast, value, target), target.kind)
    return fit(value, Array(value.dtype, value.shape), target, context.facts, context.sources)


@macro
def minus_product(context, db, da, y, b):
    """db - da @ y"""
    if da is ZERO:
        return db
    if b.ndim is None:
        product = Operand(call_of(context, helpers.solve_product, da, y, b), context.y.kind)
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
    items = known_items(context, arrays)
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
