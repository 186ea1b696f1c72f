"""SciPy's linear algebra: factorisations, eigenvalues, singular values, least squares."""

import numpy as np
from scipy import linalg

from s2sad.kinds import known
from s2sad.kinds.dims import at_least
from s2sad.kinds.kind import Array, Number, Static, Tuple
from s2sad.rules import adjoint, d, definition, tangent, zero
from s2sad.runtime import helpers
from s2sad.runtime.helpers import eigenvector_signs, orthogonal_factor, row_order


def factor_is_not_known(call):
    """Of a system with a factor: is it unknown which triangle that is, or which shape the right-hand side has, or are
    there options, such as to overwrite what the adjoint reads?"""
    if call.given("overwrite_b") or call.given("check_finite"):
        return True
    factor = call.kind(next(iter(call.named)))
    known_factor = isinstance(factor, Tuple) and len(factor.items) == 2 and isinstance(factor.items[0], Array)
    if not known_factor or factor.items[0].dtype.kind == "c" or call.is_complex("b"):
        return True
    lower = factor.items[1]
    known_triangle = isinstance(lower, Static) or (isinstance(lower, Number) and lower.value is not None)
    return not known_triangle or call.rank("b") not in (1, 2)


def _factored_kind(args, kwargs):
    """The kind of the solution of a system with a factor."""
    factor, b = args[0], args[1] if len(args) > 1 else kwargs.get("b")
    if not (isinstance(factor, Tuple) and factor.items and isinstance(b, Array)):
        return None
    of_factor = known.dtype_of(factor.items[0])
    return None if of_factor is None else Array(np.result_type(of_factor, b.dtype), b.shape)


known.RULES[linalg.cho_solve] = known.RULES[linalg.cho_solve_banded] = _factored_kind


# -- factorisations ----------------------------------------------------------------------------------------------------


@definition(linalg.cho_factor)
def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    """The triangle that is not the factor is 0 (SciPy leaves there what was in a)."""
    return linalg.cholesky(a, lower=lower), lower


@definition(linalg.cho_solve, when=factor_is_not_known)
def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    """Where it is not known which triangle is the factor, or which shape b has; nothing is overwritten."""
    c, lower = c_and_lower
    if np.iscomplexobj(c):
        raise NoDerivative("complex matrices have no rule", "take np.linalg.solve")
    if lower:
        return linalg.solve_triangular(c, linalg.solve_triangular(c, b, lower=True), trans=1, lower=True)
    return linalg.solve_triangular(c, linalg.solve_triangular(c, b, trans=1))


@adjoint(linalg.cho_solve)
def cho_solve(y, c_and_lower, b):
    """Of the matrix A = L L^T the adjoint is -t y^T, and of L the symmetric part of that times L.

    Cost: of one right-hand side and its factor: the factor's adjoint is a matrix, which goes back through the
    factorisation; solve(a, b, assume_a="pos") has no factor, and costs twice the function.
    """
    of_rank(b, 1, 2)
    t = linalg.cho_solve(c_and_lower, d[y])
    d[c_and_lower] = factor_back(c_and_lower, t, d[y], y, b)
    d[b] = t


@tangent(linalg.cho_solve)
def cho_solve(y, c_and_lower, b):
    d[y] = linalg.cho_solve(c_and_lower, d[b] - factor_moved(d[c_and_lower], c_and_lower, y))


@adjoint(linalg.lu_factor)
def lu_factor(y, a):
    """Walter and Lehmann 2010. Square; the pivots are constant.

    Cost: two products and two triangular solves are 6 n^3 operations, beside the 2/3 n^3 of the factorisation.
    """
    of_rank(a, 2, 2)
    real_only(a)
    g = d[y[0]]
    lo = np.tril(y[0], -1)
    w = np.tril(lo.T @ np.tril(g, -1) + g, -1) + np.triu(np.triu(g) @ np.triu(y[0]).T)
    s = linalg.solve_triangular(y[0], w, trans=1, lower=True, unit_diagonal=True)
    d[a] = linalg.solve_triangular(y[0], s.T).T[np.argsort(row_order(y[1]))]


@tangent(linalg.lu_factor)
def lu_factor(y, a):
    of_rank(a, 2, 2)
    real_only(a)
    s = linalg.solve_triangular(y[0], d[a][row_order(y[1])], lower=True, unit_diagonal=True)
    m = linalg.solve_triangular(y[0], s.T, trans=1).T
    d[y] = (np.tril(y[0], -1) @ np.tril(m, -1) + np.tril(m, -1) + np.triu(m) @ np.triu(y[0]), 0.0)


@definition(linalg.lu_solve)
def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    lu, piv = lu_and_piv
    order = row_order(piv)
    if trans == 0:
        t = linalg.solve_triangular(lu, b[order], lower=True, unit_diagonal=True)
        return linalg.solve_triangular(lu, t)
    t = linalg.solve_triangular(lu, b, trans=1)
    return linalg.solve_triangular(lu, t, trans=1, lower=True, unit_diagonal=True)[np.argsort(order)]


@definition(linalg.orth)
def orth(A, rcond=None):
    """As the left singular vectors."""
    u, s, vt = linalg.svd(A, full_matrices=False)
    least = np.finfo(float).eps * max(np.shape(A)) if rcond is None else rcond
    return u[:, : np.count_nonzero(s > least * np.max(s))]


@adjoint(linalg.lu)
def lu(y, a, permute_l=False, *, p_indices=False):
    """Walter and Lehmann 2010. Square; the permutation is constant.

    Cost: as lu_factor.
    """
    real_only(a)
    square_only(a)
    if p_indices is not False:
        raise NoDerivative("p_indices=True has no rule", "leave it out")
    lo, up = y[-2], y[-1]
    w = np.tril(mT(lo) @ d[y[-2]], -1) + np.triu(d[y[-1]] @ mT(up))
    if rank_of(a) == 2 and permute_l is False:
        s = linalg.solve_triangular(lo, w, trans=1, lower=True, unit_diagonal=True)
        d[a] = permuted_rows(y, linalg.solve_triangular(up, s.T).T, permute_l)
    else:
        s = np.linalg.solve(mT(lo), w)
        d[a] = permuted_rows(y, mT(np.linalg.solve(up, mT(s))), permute_l)


@tangent(linalg.lu)
def lu(y, a, permute_l=False, *, p_indices=False):
    real_only(a)
    square_only(a)
    if p_indices is not False:
        raise NoDerivative("p_indices=True has no rule", "leave it out")
    lo, up = y[-2], y[-1]
    s = np.linalg.solve(lo, permuted_back(y, d[a], permute_l))
    m = mT(np.linalg.solve(mT(up), mT(s)))
    d[y] = lu_tangents(lo @ np.tril(m, -1), np.triu(m) @ up, permute_l)


zero(helpers.eigenvector_signs)


@definition(linalg.eigh, given=("type", "subset_by_index", "subset_by_value"), when=lambda call: call.is_complex("a"))
def eigh(
    a, b=None, *, lower=True, eigvals_only=False, overwrite_a=False, overwrite_b=False, type=1, check_finite=True,
    subset_by_index=None, subset_by_value=None, driver=None,
):  # fmt: skip
    """Of the types 2 and 3 by the Cholesky factor of b, as in LAPACK; of subsets by all eigenvectors, on which the
    derivative of each depends."""
    if np.iscomplexobj(a) or np.iscomplexobj(b):
        if b is not None or subset_by_index is not None or subset_by_value is not None:
            raise NoDerivative(
                "complex matrices have no rule with b or a subset", "take the values of np.linalg.eigvalsh"
            )
        triangle = "L" if lower else "U"
        return np.linalg.eigvalsh(a, triangle) if eigvals_only else np.linalg.eigh(a, triangle)
    if type == 1:
        w, v = linalg.eigh(a, b, lower=lower)
    else:
        factor = np.linalg.cholesky(b if lower else b.T)
        whole = np.tril(a) + np.tril(a, -1).T if lower else np.triu(a) + np.triu(a, 1).T
        w, z = np.linalg.eigh(factor.T @ whole @ factor)
        v = linalg.solve_triangular(factor, z, trans=1, lower=True) if type == 2 else factor @ z
    if subset_by_index is not None:
        first, last = subset_by_index
        w, v = w[first : last + 1], v[:, first : last + 1]
    if subset_by_value is not None:
        above, up_to = subset_by_value
        inside = (w > above) & (w <= up_to)
        w, v = w[inside], v[:, inside]
    if eigvals_only:
        return w
    return w, v * eigenvector_signs(v, a, b, lower, type, subset_by_index, subset_by_value)


@definition(linalg.eigvalsh, given=("type",), when=lambda call: call.is_complex("a"))
def eigvalsh(
    a, b=None, *, lower=True, overwrite_a=False, overwrite_b=False, type=1, check_finite=True, subset_by_index=None,
    subset_by_value=None, driver=None,
):  # fmt: skip
    return linalg.eigh(
        a, b, lower=lower, eigvals_only=True, type=type, subset_by_index=subset_by_index,
        subset_by_value=subset_by_value,
    )  # fmt: skip


@adjoint(linalg.eigh)
def eigh(y, a, b=None, *, lower=True, eigvals_only=False, type=1):
    """Giles 2008, 3.1. Equal eigenvalues whose vectors matter: nan. One triangle is read. No subsets."""
    real_only(a, b)
    uplo = triangle_name(lower)
    if eigvals_only:
        w, v = all_of_eigh(a, b, lower)
        d[a] = one_triangle(with_vectors(d[y], a, v, uplo, b), uplo)
        d[b] = one_triangle((v * vector_wide(-d[y] * w)) @ mT(v), uplo)
    else:
        d[a] = one_triangle(eigh_back(y, a, d[y[0]], d[y[1]], uplo), uplo)
        d[b] = one_triangle(metric_back(y, d[y[0]], d[y[1]]), uplo)


@tangent(linalg.eigh)
def eigh(y, a, b=None, *, lower=True, eigvals_only=False, type=1):
    real_only(a, b)
    uplo = triangle_name(lower)
    if eigvals_only:
        w, v = all_of_eigh(a, b, lower)
        p = mT(v) @ triangle_symmetric(d[a], uplo) @ v
        q = mT(v) @ triangle_symmetric(d[b], uplo) @ v
        d[y] = call_helper_again("eigenvalue_slopes", p - q * vector_wide(w), w)
    else:
        p = mT(y[1]) @ triangle_symmetric(d[a], uplo) @ y[1]
        q = mT(y[1]) @ triangle_symmetric(d[b], uplo) @ y[1]
        r = p - q * vector_wide(y[0])
        dv = y[1] @ (call_helper_again("turns", r, y[0]) - half_diagonal(q))
        d[y] = (call_helper_again("eigenvalue_slopes", r, y[0]), dv)


@adjoint(linalg.eigvalsh)
def eigvalsh(y, a, b=None, *, lower=True, type=1, subset_by_index=None, subset_by_value=None):
    """One triangle is read. Where eigenvalues meet, the derivative of one of the orderings."""
    real_only(a, b)
    w, v = all_of_eigh(a, b, lower, subset_by_index, subset_by_value)
    uplo = triangle_name(lower)
    d[a] = one_triangle(with_vectors(d[y], a, v, uplo, b, subset_by_index, subset_by_value), uplo)
    d[b] = one_triangle((v * vector_wide(-d[y] * w)) @ mT(v), uplo)


@tangent(linalg.eigvalsh)
def eigvalsh(y, a, b=None, *, lower=True, type=1, subset_by_index=None, subset_by_value=None):
    real_only(a, b)
    uplo = triangle_name(lower)
    w, v = all_of_eigh(a, b, lower, subset_by_index, subset_by_value)
    p = mT(v) @ triangle_symmetric(d[a], uplo) @ v
    q = mT(v) @ triangle_symmetric(d[b], uplo) @ v
    d[y] = call_helper_again("eigenvalue_slopes", p - q * vector_wide(w), w)


@adjoint(linalg.eigvals)
def eigvals(y, a):
    """Where eigenvalues meet there is no derivative."""
    w, v = np.linalg.eig(a)
    d[a] = real_like(np.linalg.solve(mT(v), mT(v * vector_wide(d[y]))), a)


@tangent(linalg.eigvals)
def eigvals(y, a):
    w, v = np.linalg.eig(a)
    d[y] = diagonal_of(np.linalg.solve(v, d[a] @ v))


known.rule(linalg.eig)(known.value_typed_pair)


@adjoint(linalg.eig)
def eig(y, a, b=None, left=False, right=True):
    """Of the eigenvectors only where all are real: the phase of others is arbitrary (ValueError). With the defaults."""
    if b is not None or left is not False or right is not True:
        raise NoDerivative("b, left and right have no rule", "use eigh, or solve for the standard problem")
    d[a] = real_like(eig_back(y, a, d[y[0]], d[y[1]]), a)


@tangent(linalg.eig)
def eig(y, a, b=None, left=False, right=True):
    if b is not None or left is not False or right is not True:
        raise NoDerivative("b, left and right have no rule", "use eigh, or solve for the standard problem")
    p = np.linalg.solve(y[1], d[a] @ y[1])
    d[y] = (diagonal_of(p), eig_vectors(y[0], y[1], p))


@adjoint(linalg.svd)
def svd(y, a, full_matrices=True, compute_uv=True):
    """Walter and Lehmann 2010. Reduced, or square. Equal singular values whose vectors matter: nan."""
    d[a] = svd_back(y, a, d[y], full_matrices, compute_uv, False)


@tangent(linalg.svd)
def svd(y, a, full_matrices=True, compute_uv=True):
    d[y] = svd_tangent(y, a, d[a], full_matrices, compute_uv, False)


@adjoint(linalg.svdvals)
def svdvals(y, a):
    if is_complex(a):
        d[a] = helper("singular", a, d[y], a)
    else:
        u, s, vt = np.linalg.svd(a, full_matrices=False)
        d[a] = (u * vector_wide(d[y])) @ vt


@tangent(linalg.svdvals)
def svdvals(y, a):
    u, s, vt = np.linalg.svd(a, full_matrices=False)
    d[y] = real_values(np.sum(conjugated(u) * (d[a] @ mH(vt)), axis=-2))


@adjoint(linalg.qr)
def qr(y, a, *, mode="full", pivoting=False):
    """Walter and Lehmann 2010. mode="economic", or square; not wider than tall, of full rank."""
    real_only(a)
    d[a] = qr_back(y, a, d[y], qr_mode_of(mode))


@tangent(linalg.qr)
def qr(y, a, *, mode="full", pivoting=False):
    real_only(a)
    d[y] = qr_tangent(y, a, d[a], qr_mode_of(mode))


def _may_be_singular(call):
    """Is the positive factor not known to have full rank: the matrix not known to be as tall as wide (or as wide)?"""
    kind, side = call.kind("a"), call.static("side")
    if not isinstance(kind, Array) or kind.shape is None or len(kind.shape) != 2 or side not in ("right", "left"):
        return True
    rows, columns = kind.shape if side == "right" else kind.shape[::-1]
    return not at_least(rows - columns, 0)


@definition(linalg.polar, when=_may_be_singular)
def polar(a, side="right"):
    """The orthogonal factor is that of the matrix as it stands or turned, whichever is tall; full rank."""
    u = orthogonal_factor(a) if a.shape[0] >= a.shape[1] else orthogonal_factor(a.T).T
    return (u, u.T @ a) if side == "right" else (u, a @ u.T)


@adjoint(helpers.orthogonal_factor)
def orthogonal_factor_(y, a):
    real_only(a)
    p = y.T @ a
    s = call_helper_again("positive_sylvester", p, y.T @ d[y])
    h = np.linalg.solve(p, d[y].T).T
    d[a] = y @ (s - s.T) + (h - y @ (y.T @ h))


@tangent(helpers.orthogonal_factor)
def orthogonal_factor_(y, a):
    real_only(a)
    p = y.T @ a
    w = y.T @ d[a]
    d[y] = y @ call_helper_again("positive_sylvester", p, w - w.T) + np.linalg.solve(p, (d[a] - y @ w).T).T


@adjoint(linalg.polar)
def polar(y, a, side="right"):
    """By a Sylvester equation with the positive factor (Giles' manner), solved by its eigenvectors: full rank."""
    of_rank(a, 2, 2)
    real_only(a)
    u, p = y[0], y[1]
    if side == "right":
        s = call_helper_again("positive_sylvester", p, u.T @ d[y[0]] - d[y[1]] @ p)
        h = np.linalg.solve(p, d[y[0]].T).T
        d[a] = u @ (d[y[1]] + s - s.T) + (h - u @ (u.T @ h))
    else:
        s = call_helper_again("positive_sylvester", p, d[y[0]] @ u.T - p @ d[y[1]])
        h = np.linalg.solve(p, d[y[0]])
        d[a] = (d[y[1]] + s - s.T) @ u + (h - (h @ u.T) @ u)


@tangent(linalg.polar)
def polar(y, a, side="right"):
    of_rank(a, 2, 2)
    real_only(a)
    u, p = y[0], y[1]
    if side == "right":
        w = u.T @ d[a]
        x = call_helper_again("positive_sylvester", p, w - w.T)
        d[y] = (u @ x + np.linalg.solve(p, (d[a] - u @ w).T).T, w - x @ p)
    else:
        w = d[a] @ u.T
        x = call_helper_again("positive_sylvester", p, w - w.T)
        d[y] = (x @ u + np.linalg.solve(p, d[a] - w @ u), w - p @ x)


@adjoint(helpers.positive_sylvester)
def positive_sylvester_(y, p, right):
    t = call_helper_again("positive_sylvester", p, d[y])
    d[p] = -t @ y.T - y.T @ t
    d[right] = t


@tangent(helpers.positive_sylvester)
def positive_sylvester_(y, p, right):
    d[y] = call_helper_again("positive_sylvester", p, zeros_for(d[right], right) - d[p] @ y - y @ d[p])


@definition(linalg.orthogonal_procrustes)
def orthogonal_procrustes(A, B, check_finite=True):
    u, p = linalg.polar(A.T @ B)
    return u, np.trace(p)


@adjoint(linalg.pinv)
def pinv(y, a, *, atol=None, rtol=None, return_rank=False):
    """Golub and Pereyra 1973. Where the rank changes there is no derivative."""
    real_only(a)
    if return_rank is not False:
        raise NoDerivative("return_rank=True has no rule", "leave it out")
    h = mT(d[y])
    d[a] = -mT(y) @ d[y] @ mT(y) + (h - a @ (y @ h)) @ (y @ mT(y)) + mT(y) @ y @ (h - h @ y @ a)


@tangent(linalg.pinv)
def pinv(y, a, *, atol=None, rtol=None, return_rank=False):
    real_only(a)
    if return_rank is not False:
        raise NoDerivative("return_rank=True has no rule", "leave it out")
    h = mT(d[a])
    d[y] = -y @ d[a] @ y + y @ mT(y) @ (h - h @ a @ y) + (h - y @ a @ h) @ mT(y) @ y


@adjoint(linalg.lstsq)
def lstsq(y, a, b, cond=None):
    """Of the solution, as np.linalg.lstsq."""
    of_rank(a, 2, 2)
    real_only(a)
    parts = lstsq_back(y, a, b, d[y])
    d[a] = item(parts, 0)
    d[b] = item(parts, 1)


@tangent(linalg.lstsq)
def lstsq(y, a, b, cond=None):
    of_rank(a, 2, 2)
    real_only(a)
    d[y] = lstsq_tangent(a, b, y, d[a], d[b])


@definition(linalg.norm)
def norm(a, ord=None, axis=None, keepdims=False, check_finite=True):
    """As np.linalg.norm."""
    return np.linalg.norm(a, ord, axis, keepdims)
