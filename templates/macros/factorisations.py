"""Eigenvalues, singular values, QR, least squares."""

from __future__ import annotations

import gast
from s2sad.templates.macros.basics import as_operand, conjugated, parts_of
from s2sad.templates.macros.calls import call_helper, call_helper_again, call_of, several_results
from s2sad.templates.macros.linalg import mH, minus_product, mT, real_like, real_values, triangle_symmetric, vector_wide

from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand
from s2sad.expansion.refusal import NoDerivative
from s2sad.expansion.zero import ZERO
from s2sad.kinds.kind import Tuple, Unknown
from s2sad.runtime import helpers
from s2sad.transform import spectral


@macro
def differences(context, w):
    """w_j - w_i at (i, j)."""
    if w is ZERO:
        return ZERO
    w = as_operand(w)
    return context.quote("w - w[:, None]" if w.ndim == 1 else "w[..., None, :] - w[..., :, None]", w=w)


@macro
def eigh_back(context, y, a, gw, gv, uplo, gs=ZERO):
    """The adjoint of a symmetric matrix from those of its eigenvalues and vectors, and of itself in their basis."""
    w, v = parts_of(context, y)[:2]
    if gv is ZERO and gs is ZERO:
        return call_helper(context, "spectral", a, gw, a, uplo, v)
    inner = gs if v.is_complex else real_values(context, gs)
    if gv is not ZERO:
        no_phases(context, v)
        back = vectors_back(context, context.quote("t @ g", t=mT(context, v), g=gv), w, gw)
        inner = back if inner is ZERO else context.quote("s + i", s=inner, i=back)
    if v.is_complex:
        inner = context.local("t", inner)
        inner = context.quote("0.5 * (s + t)", s=inner, t=mH(context, inner))
    if gw is not ZERO:
        inner = context.quote("d + i", d=diagonal_matrix(context, gw, w), i=inner)
    return context.quote("c @ i @ t", c=conjugated(context, v), i=inner, t=mT(context, v))


@macro
def diagonal_matrix(context, g, w):
    """The matrix with g on its diagonal, which is as long as w."""
    if g is ZERO:
        return ZERO
    if as_operand(g).ndim == 1:
        return context.quote("np.diag(g)", g=g)
    return context.quote("g[..., None] * np.eye(w.shape[-1])", g=g, w=w)


@macro
def divided_differences(context, g, w, slope):
    """Divided differences of g at w."""
    if g is ZERO and slope is ZERO:
        return ZERO
    g = context.quote("np.zeros_like(w)", w=w) if g is ZERO else with_a_sign(context, g, w)
    slope = 0.0 if slope is ZERO else slope
    like = context.quote("g[..., None] * g[..., None, :]", g=g)
    return call_helper(context, "divided_differences", like, g, w, slope)


@macro
def with_a_sign(context, g, w):
    """Values of which there are differences: booleans have none, and those of unsigned numbers wrap around."""
    g = as_operand(g)
    return context.quote("g.astype(w.dtype)", g=g, w=w) if g.dtype is not None and g.dtype.kind in "biu" else g


@macro
def second_differences(context, p, q, g, w, slope, bend):
    """How a product q with divided differences moves where the matrix does, along p: not at all where these are those
    of the eigenvalues themselves. (One slope for all of them is no sign of that: steps have the slope 0, and jump.)"""
    if p is ZERO or as_operand(g).text == as_operand(w).text:
        return ZERO
    g = with_a_sign(context, g, w)
    return call_helper(context, "second_differences", q, p, q, g, w, slope, bend)


@macro
def vectors_back(context, m, w, gw):
    """The adjoint of a symmetric matrix from that of its eigenvectors, in their basis."""
    gw = context.quote("np.zeros_like(w)", w=w) if gw is ZERO else gw
    return call_helper(context, "turns_back", m, m, w, gw)


@macro
def no_phases(context, v):
    """Refuse complex eigenvectors and singular vectors: each may be turned by a phase."""
    if v.is_complex:
        raise phases(context)
    return True


def phases(context):
    """Why complex vectors have no derivative."""
    way_out = "compute the values alone (eigvalsh, compute_uv=False)"
    name = "np.linalg.eigh" if context.rule.target is spectral.eigh_and_matrix else context.rule.name
    return NoDerivative(f"{name}: the phase of complex vectors is arbitrary", way_out)


@macro
def eigh_tangents(context, y, p):
    """The tangents of eigenvalues and vectors, where p is that of the matrix in their basis; of that, too, if asked."""
    w, v = parts_of(context, y)[:2]
    p = context.local("p", as_operand(p))
    values = call_helper_again(context, "eigenvalue_slopes", p, w)
    vectors = phases(context) if v.is_complex else eigh_vectors(context, w, v, p)
    return [values, vectors, p][: len(y.expr.elts)]


@macro
def eigh_vectors(context, w, v, p):
    """The tangent of the eigenvectors."""
    no_phases(context, v)
    return context.quote("v @ t", v=v, t=call_helper(context, "turns", as_operand(p), p, w))


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
    w, v = parts_of(context, y)
    if gv is ZERO:
        if gw is ZERO:
            return ZERO
        right = mT(context, context.quote("v * g", v=v, g=vector_wide(context, gw)))
        return real_like(context, context.quote("np.linalg.solve(t, r)", t=mT(context, v), r=right), a)
    gw = context.quote("np.zeros_like(w)", w=w) if gw is ZERO else gw
    return Operand(call_of(context, helpers.eig_back, gw, gv, w, v), a.kind)


@macro
def eig_vectors(context, w, v, p):
    """The tangent of unit eigenvectors."""
    return Operand(call_of(context, helpers.eig_vectors, p, w, v), v.kind)


def _svd_reduced(context, a, full_matrices):
    if full_matrices is not False and (a.shape is None or a.shape[-1] != a.shape[-2]):
        raise context.refuse("with full_matrices=True only square matrices have a rule", "give full_matrices=False")


@macro
def svd_back(context, y, a, g, full_matrices, compute_uv, hermitian):
    """The adjoint of a matrix from those of its singular values and vectors."""
    if compute_uv is False and a.is_complex:
        return Operand(call_of(context, helpers.singular, g, a), a.kind)
    if compute_uv is False:
        u, s, vt = (context.facts.fresh(n) for n in ("u", "s", "vt"))
        from s2sad.core import assign, load
        from s2sad.expansion.fit import as_literal

        pattern = gast.Tuple([gast.Name(n, gast.Store(), None, None) for n in (u, s, vt)], gast.Store())
        call = context.quote("np.linalg.svd(a, full_matrices=False)", a=a)
        kinds = call.kind.items if isinstance(call.kind, Tuple) else (Unknown(),) * 3
        context.facts.kinds.update(zip((u, s, vt), kinds, strict=True))
        context.statements.append(assign(pattern, as_literal(call)))
        u, vt = (conjugated(context, Operand(load(n), k)) for n, k in ((u, kinds[0]), (vt, kinds[2])))
        return context.quote("(u * g) @ v", u=u, v=vt, g=vector_wide(context, g))
    u, s, vt = parts_of(context, y)
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
    return Operand(call_of(context, helpers.svd_back, *zeros, u, s, vt), a.kind)


@macro
def svd_tangent(context, y, a, da, full_matrices, compute_uv, hermitian):
    """The tangents of singular values and vectors."""
    if compute_uv is False:
        return Operand(call_of(context, helpers.svdvals_tangent, da, a), y.kind)
    u, s, vt = parts_of(context, y)
    no_phases(context, u)
    _svd_reduced(context, a, full_matrices)
    call = call_of(context, helpers.svd_tangent, da, u, s, vt)
    return several_results(context, call, ("du", "ds", "dvt"), (u, s, vt))


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
        return Operand(call_of(context, helpers.qr_back, context.quote("np.zeros_like(q)", q=q), g, q, y), a.kind)
    q, r = parts_of(context, y)
    gq, gr = (
        context.quote("np.zeros_like(x)", x=x) if part is ZERO else part for part, x in zip(g, (q, r), strict=True)
    )
    return Operand(call_of(context, helpers.qr_back, gq, gr, q, r), a.kind)


@macro
def qr_tangent(context, y, a, da, mode):
    """The tangents of the factors."""
    _qr_mode(context, a, mode)

    if mode == "r":
        q = context.quote("np.linalg.qr(a)[0]", a=a)
        call = gast.Subscript(call_of(context, helpers.qr_tangent, da, q, y), gast.Constant(1, None), gast.Load())
        return Operand(call, y.kind)
    q, r = parts_of(context, y)
    return several_results(context, call_of(context, helpers.qr_tangent, da, q, r), ("dq", "dr"), (q, r))


@macro
def lstsq_back(context, y, a, b, g):
    """The adjoint of the matrix of a least-squares problem, from those of its solution, residuals, singular values."""
    x, residuals, _, _ = parts_of(context, y)
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
    x, residuals, _, s = parts_of(context, y)
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
        ds = Operand(call_of(context, helpers.svdvals_tangent, da, a), s.kind)
    text = "np.full(y.shape, 2.0 * (r @ c))" if x.ndim == 1 else "np.sum(2.0 * r * c, axis=0)[:y.size]"
    return [dx, context.quote(text, y=residuals, r=r, c=change), ZERO, ds]
