"""SciPy's linear algebra: systems with a structure, functions of matrices, factors, bands."""

from __future__ import annotations

import gast
import numpy as np
from s2sad.templates.macros.basics import as_operand, is_static, parts_of
from s2sad.templates.macros.calls import call_helper, call_of
from s2sad.templates.macros.factorisations import vectors_back
from s2sad.templates.macros.linalg import mT, one_triangle, solve_matrix_back, triangle_symmetric, vector_wide

from s2sad.expansion.fit import as_literal
from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand
from s2sad.expansion.zero import ZERO
from s2sad.kinds.kind import Tuple, Unknown
from s2sad.runtime import helpers

# -- linear algebra ----------------------------------------------------------------------------------------------------

_SYMMETRIC = ("sym", "symmetric", "her", "hermitian", "pos", "positive definite")
_GENERAL = (None, "gen", "general")


@macro
def is_plain_solve(context, assume_a, transposed):
    """Does linalg.solve make no use of a structure?"""
    if not isinstance(transposed, bool) or not is_static(assume_a):
        raise context.unknown("assume_a and transposed")
    if assume_a not in (*_GENERAL, *_SYMMETRIC):
        raise context.refuse(f"assume_a={assume_a!r} has no rule", "leave it out")
    return assume_a in _GENERAL and not transposed


@macro
def triangle_name(context, lower):
    """The triangle that is read."""
    if not isinstance(lower, bool):
        raise context.unknown("lower")
    return "L" if lower else "U"


@macro
def structured_solve(context, a, right, b, lower, assume_a, transposed):
    """linalg.solve with its options."""
    if right is ZERO:
        return ZERO
    if a.ndim != 2 or b.ndim is None:
        raise context.refuse(
            "stacks of matrices have no rule with assume_a or transposed", "call it for each, one after the other"
        )
    keywords = []
    if assume_a in _SYMMETRIC:
        if lower:
            keywords.append(gast.keyword("lower", gast.Constant(True, None)))
        keywords.append(gast.keyword("assume_a", gast.Constant(assume_a, None)))
    elif transposed:
        keywords.append(gast.keyword("transposed", gast.Constant(True, None)))
    call = gast.Call(context.function_expr(context.rule.target), [as_literal(a), as_literal(right)], keywords)
    return Operand(call, context.y.kind)


@macro
def structured_back(context, t, y, a, b, lower, assume_a, transposed):
    """The adjoint of the matrix in linalg.solve."""
    if assume_a in _GENERAL:
        return solve_matrix_back(context, y, t, a, b) if transposed else solve_matrix_back(context, t, y, a, b)
    return one_triangle(context, solve_matrix_back(context, t, y, a, b), triangle_name(context, lower))


@macro
def structured_part(context, da, a, lower, assume_a, transposed):
    """The tangent of the matrix that linalg.solve sees."""
    if da is ZERO:
        return ZERO
    if assume_a in _GENERAL:
        return mT(context, da) if transposed else da
    return triangle_symmetric(context, da, triangle_name(context, lower))


@macro
def triangular_solve(context, a, right, trans, lower, unit_diagonal):
    """linalg.solve_triangular, without the options that are left to their defaults."""
    if right is ZERO:
        return ZERO
    options = {"trans": (trans, 0), "lower": (lower, False), "unit_diagonal": (unit_diagonal, False)}
    keywords = [gast.keyword(k, as_literal(v)) for k, (v, default) in options.items() if v is not default]
    call = gast.Call(context.function_expr(context.rule.target), [as_literal(a), as_literal(right)], keywords)
    return Operand(call, context.y.kind)


def _frechet_of_stacks():
    """Does expm_frechet take stacks of matrices? (That of SciPy 1.11 takes one.)"""
    from scipy.linalg import expm_frechet

    try:
        expm_frechet(np.zeros((1, 1, 1)), np.zeros((1, 1, 1)))
    except ValueError:
        return False
    return True


@macro
def frechet(context, x, e):
    """The derivative of the exponential of x in the direction e."""
    if e is ZERO:
        return ZERO
    if x.ndim != 2 and not _frechet_of_stacks():
        raise context.refuse(
            "stacks of matrices have no rule in this version of SciPy", "call it for each, one after the other"
        )
    module = context.global_expr("linalg")
    return Operand(context.quote("m.expm_frechet(x, e, compute_expm=False)", m=module, x=x, e=e).expr, context.y.kind)


@macro
def of_two_signals(context, x, other):
    """Do both signals have a derivative? Then they may be of like length, and a convolution in mode "valid" with all
    of the cotangent would transform at twice that."""
    return context.is_active(x) and context.is_active(other)


@macro
def is_real_matrix(context, x):
    """Is x known to be one real matrix?"""
    return x.ndim == 2 and x.dtype is not None and not x.is_complex


@macro
def function_of_block(context, x, e, *rest):
    """The derivative of a function of a matrix x in the direction e: a block of the function of [[x, e], [0, x]]."""
    if e is ZERO:
        return ZERO
    if any(not is_static(r) and context.is_active(r) for r in rest):
        raise context.refuse("it has no derivative with respect to this argument")
    function = context.function_expr(context.rule.target)
    block = call_of(context, helpers.upper_block, x, e)
    call = gast.Call(function, [block, *(as_literal(r) for r in rest)], [])
    corner = "f[: x.shape[-1], x.shape[-1] :]" if as_operand(x).ndim == 2 else "f[..., : x.shape[-1], x.shape[-1] :]"
    return Operand(context.quote(corner, f=call, x=x).expr, context.y.kind)


@macro
def permuted_rows(context, y, value, permute_l):
    """The permutation of linalg.lu times a matrix."""
    if permute_l is True:
        return value
    return context.quote("p @ v", p=parts_of(context, y)[0], v=value)


@macro
def permuted_back(context, y, value, permute_l):
    """The transposed permutation of linalg.lu times a matrix."""
    if permute_l is True:
        return value
    return context.quote("t @ v", t=mT(context, parts_of(context, y)[0]), v=value)


@macro
def lu_tangents(context, dl, du, permute_l):
    """The tangents of the results of linalg.lu."""
    if not isinstance(permute_l, bool):
        raise context.unknown("permute_l")
    return [dl, du] if permute_l else [ZERO, dl, du]


@macro
def with_vectors(context, g, a, v, uplo, *others):
    """The symmetric matrix with eigenvectors v and eigenvalues g: by a helper where v are those of one matrix, and all
    of them, so that it can be derived once more where eigenvalues are equal."""
    if all(other is None for other in others):
        return call_helper(context, "spectral", a, g, a, uplo, v)
    return ZERO if g is ZERO else context.quote("(v * g) @ t", v=v, g=vector_wide(context, g), t=mT(context, v))


@macro
def all_of_eigh(context, a, b, lower, subset_by_index=None, subset_by_value=None):
    """Eigenvalues and eigenvectors, of those that are asked for."""
    args = [as_literal(a)] + ([] if b is None else [as_literal(b)])
    keywords = [] if lower else [gast.keyword("lower", gast.Constant(False, None))]
    for name, subset in (("subset_by_index", subset_by_index), ("subset_by_value", subset_by_value)):
        if subset is not None:
            keywords.append(gast.keyword(name, as_literal(subset)))
    call = gast.Call(gast.Attribute(context.global_expr("linalg"), "eigh", gast.Load()), args, keywords)
    return context.operand(call)


def _eye(x, name):
    """The text of an identity matrix as large as x, and of its type."""
    plain = x.dtype is None or x.dtype == np.dtype(float)
    return f"np.eye({name}.shape[-1])" if plain else f"np.eye({name}.shape[-1], dtype={name}.dtype)"


@macro
def half_diagonal(context, q):
    """Half of the diagonal, as a matrix."""
    if q is ZERO:
        return ZERO
    return context.quote(f"0.5 * q * {_eye(q, 'q')}", q=q)


@macro
def metric_back(context, y, gw, gv):
    """The adjoint of b in a v = w b v from those of w and v (before it is gathered in one triangle)."""
    w, v = parts_of(context, y)
    t = mT(context, v)
    wide = vector_wide(context, w)
    if gv is ZERO:
        return ZERO if gw is ZERO else context.quote("(v * -(g * w)) @ t", v=v, g=vector_wide(context, gw), w=wide, t=t)
    m = context.local("m", context.quote("t @ g", t=t, g=gv))
    inner = context.quote("t * w + h", t=vectors_back(context, m, w, gw), w=wide, h=half_diagonal(context, m))
    if gw is not ZERO:
        inner = context.quote(f"i + g * w * {_eye(w, 'w')}", i=inner, g=vector_wide(context, gw), w=wide)
    return context.quote("-v @ i @ t", v=v, i=inner, t=t)


@macro
def qr_mode_of(context, mode):
    """NumPy's name of a mode of linalg.qr."""
    if mode not in ("full", "economic"):
        raise context.refuse(f"mode {mode!r} has no rule", 'give mode="economic"')
    return "complete" if mode == "full" else "reduced"


@macro
def banded_transpose(context, ab, below, above):
    """The transposed matrix in banded form."""
    return Operand(call_of(context, helpers.banded_transpose, ab, below, above), ab.kind)


@macro
def banded_outer(context, t, y, ab, below, above):
    """The band of the outer product of t and y."""
    return Operand(call_of(context, helpers.banded_outer, t, y, below, above), ab.kind)


@macro
def banded_product(context, ab, y, below, above):
    """A banded matrix times y."""
    if ab is ZERO:
        return ZERO
    return Operand(call_of(context, helpers.banded_product, ab, y, below, above), context.y.kind)


def _factor_and_triangle(context, factor):
    """A Cholesky factor that came with the name of its triangle; its number of diagonals beside the main one."""
    c, lower = factor.items()
    if c.ndim not in (None, 2) or context.y.ndim not in (None, 1, 2):
        raise context.refuse("stacks of systems have no rule", "call it for each, one after the other")
    beside = c.shape[0] - 1 if c.shape is not None else None
    beside = beside.const if beside is not None and beside.known else context.quote("len(c) - 1", c=c)
    return c, bool(lower.static), beside


@macro
def factor_back(context, factor, t, dy, y, b):
    """The adjoint of the Cholesky factor L of a system A y = b: of A it is -t y^T, of L its symmetric part times L."""
    if not context.is_active(factor):
        return ZERO
    c, lower, _ = _factor_and_triangle(context, factor)
    solve = Operand(context.global_expr("solve_triangular"), Unknown())
    half = "solve(c, b, lower=True)" if lower else "solve(c, b, trans=1)"
    p, q = (context.quote(half, solve=solve, c=c, b=right) for right in (b, dy))  # L^T y and L^T t
    pairs = ((t, p), (y, q)) if lower else ((p, t), (q, y))
    outer = "np.outer(s, u)" if y.ndim == 1 else "s @ u.T"
    first, second = (context.quote(outer, s=s, u=u) for s, u in pairs)
    return [context.quote("-np.tril(f + s)" if lower else "-np.triu(f + s)", f=first, s=second), ZERO]


@macro
def factor_moved(context, tangent, factor, y):
    """The tangent of A = L L^T, times y."""
    if tangent is ZERO:
        return ZERO
    c, lower, _ = _factor_and_triangle(context, factor)
    dc = tangent.expr.elts[0]
    triangle = "tril" if lower else "triu"
    c, dc = (context.local("factor", context.quote(f"np.{triangle}(c)", c=part)) for part in (c, dc))
    text = "d @ (c.T @ y) + c @ (d.T @ y)" if lower else "d.T @ (c @ y) + c.T @ (d @ y)"
    return context.quote(text, c=c, d=dc, y=y)


@macro
def banded_factor_back(context, factor, t, y):
    """As factor_back, of a factor in banded form."""
    if not context.is_active(factor):
        return ZERO
    c, lower, k = _factor_and_triangle(context, factor)
    upper = context.local("upper", Operand(call_of(context, helpers.banded_transpose, c, k, 0), c.kind)) if lower else c
    p, q = (Operand(call_of(context, helpers.banded_product, upper, x, 0, k), y.kind) for x in (y, t))
    pairs = ((t, p), (y, q)) if lower else ((p, t), (q, y))
    width = (k, 0) if lower else (0, k)
    first, second = (Operand(call_of(context, helpers.banded_outer, *pair, *width), c.kind) for pair in pairs)
    return [context.quote("-(a + b)", a=first, b=second), ZERO]


@macro
def banded_factor_moved(context, tangent, factor, y):
    """As factor_moved, of a factor in banded form."""
    if tangent is ZERO:
        return ZERO
    c, lower, k = _factor_and_triangle(context, factor)
    dc = Operand(tangent.expr.elts[0], c.kind)

    def turned(part, below, above):
        return context.local("turned", Operand(call_of(context, helpers.banded_transpose, part, below, above), c.kind))

    def times(part, x, below, above):
        return Operand(call_of(context, helpers.banded_product, part, x, below, above), y.kind)

    (upper, dupper), (low, dlow) = (
        ((turned(c, k, 0), turned(dc, k, 0)), (c, dc)) if lower else ((c, dc), (turned(c, 0, k), turned(dc, 0, k)))
    )
    one, other = times(dlow, times(upper, y, 0, k), k, 0), times(low, times(dupper, y, 0, k), k, 0)
    return context.quote("a + b", a=one, b=other)


@macro
def symmetric_banded_outer(context, t, y, ab, lower):
    """The band of the outer product of t and y, gathered in the half that is read."""
    triangle_name(context, lower)
    return Operand(call_of(context, helpers.symmetric_banded_outer, t, y, ab, lower), ab.kind)


@macro
def symmetric_banded_product(context, ab, y, lower):
    """A symmetric banded matrix times y."""
    triangle_name(context, lower)
    if ab is ZERO:
        return ZERO
    return Operand(call_of(context, helpers.symmetric_banded_product, ab, y, lower), context.y.kind)


def _toeplitz_parts(context, c_or_cr):
    """The first column of a Toeplitz matrix, and its first row or None."""
    items = c_or_cr.items() if isinstance(c_or_cr.kind, Tuple) or isinstance(c_or_cr.expr, gast.Tuple) else None
    if items is None:
        return c_or_cr, None
    return items[0], items[1]


def _wants_writable():
    """Does solve_toeplitz refuse what cannot be written to, such as a number that is broadcast? (SciPy 1.11 does.)"""
    from scipy.linalg import solve_toeplitz

    try:
        solve_toeplitz(np.ones(1), np.broadcast_to(1.0, 1))
    except ValueError:
        return True
    return False


@macro
def toeplitz_solve_transposed(context, c_or_cr, g):
    """The solution of the transposed system, which is the system itself with all rows and columns in reversed order:
    the first element of r is not read, so that (r, c) are not the parts of the transposed matrix."""
    c, r = _toeplitz_parts(context, c_or_cr)
    if context.y.ndim != 1 or c.ndim != 1:
        raise context.refuse("only one right-hand side has a rule", "call it for each, one after the other")
    solve = context.function_expr(context.rule.target)
    if _wants_writable():
        g = Operand(context.quote("np.array(g)", g=g).expr, context.y.kind)
    if r is None:
        return Operand(gast.Call(solve, [as_literal(c), as_literal(g)], []), context.y.kind)
    parts = gast.Tuple([as_literal(c), as_literal(r)], gast.Load())
    turned = gast.Call(solve, [parts, context.quote("g[::-1]", g=g).expr], [])
    return Operand(context.quote("t[::-1]", t=Operand(turned, context.y.kind)).expr, context.y.kind)


@macro
def toeplitz_back(context, c_or_cr, t, y):
    """The adjoints of the first column and the first row: sums along the diagonals."""
    c, r = _toeplitz_parts(context, c_or_cr)
    n = context.quote("y.size - 1", y=y)
    sums = context.local("s", context.quote('np.correlate(t, y, "full")', t=t, y=y))
    column = context.quote("-s[n:]", s=sums, n=n)
    if r is None:
        row = context.quote("np.concatenate((np.zeros(1), s[n - 1 :: -1]))", s=sums, n=n)
        if context.y.shape is not None and context.y.shape[0].known and context.y.shape[0].const == 1:
            return column
        return Operand(context.quote("c - r", c=column, r=row).expr, c.kind)
    row = context.quote("-s[n::-1] * (np.arange(y.size) > 0)", s=sums, n=n, y=y)
    return [Operand(column.expr, c.kind), Operand(row.expr, r.kind)]


@macro
def toeplitz_right(context, dcr, c_or_cr, db, y):
    """db - d(T) y"""
    c, r = _toeplitz_parts(context, c_or_cr)
    if context.y.ndim != 1 or c.ndim != 1:
        raise context.refuse("only one right-hand side has a rule", "call it for each, one after the other")
    if dcr is ZERO:
        return db
    if r is None:
        first = as_literal(dcr)
    else:
        parts = [context.tangents.get(p.key, None) or context.zeros_like(p) for p in (c, r)]
        first = gast.Tuple([as_literal(p) for p in parts], gast.Load())
    function = gast.Attribute(context.global_expr("linalg"), "matmul_toeplitz", gast.Load())
    call = gast.Call(function, [first, as_literal(y)], [])
    product = Operand(call, context.y.kind)
    return context.quote("-p", p=product) if db is ZERO else context.quote("b - p", b=db, p=product)


# -- SciPy's -----------------------------------------------------------------------------------------------------------


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
