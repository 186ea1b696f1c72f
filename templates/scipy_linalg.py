"""SciPy's linear algebra. Sources: Giles 2008; Mathias 1996 and Al-Mohy and Higham 2009 for functions of matrices; Kao
and Hennequin 2020 for Lyapunov, Sylvester and Riccati equations. Real matrices."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from scipy import linalg

from s2sad.kinds import known
from s2sad.kinds.dims import at_least
from s2sad.kinds.kind import Array, Number, Static, Tuple
from s2sad.rules import adjoint, d, definition, tangent, zero
from s2sad.runtime import helpers
from s2sad.runtime.helpers import eigenvector_signs, orthogonal_factor, row_order, upper_block


@adjoint(linalg.inv)
def inv(y, a):
    d[a] = -mT(y) @ d[y] @ mT(y)


@tangent(linalg.inv)
def inv(y, a):
    d[y] = -y @ d[a] @ y


@adjoint(linalg.det, lazy=True)
def det(y, a):
    """By the cofactors (Jacobi): of singular matrices as well."""
    d[a] = matrix_wide(d[y]) * helper("cofactors", a, a, y)


@tangent(linalg.det)
def det(y, a):
    d[y] = summed_matrix(d[a] * helper("cofactors", a, a, y))


@adjoint(linalg.solve)
def solve(y, a, b, lower=False, *, assume_a=None, transposed=False):
    """What assume_a says is kept: of "sym" and "pos" one triangle is read, and gets the cotangent."""
    of_rank(a, 2, 99)
    if is_plain_solve(assume_a, transposed):
        t = solved_transposed(a, d[y], b)
        d[a] = solve_matrix_back(t, y, a, b)
    else:
        real_only(a)
        t = structured_solve(a, d[y], b, lower, assume_a, not transposed)
        d[a] = structured_back(t, y, a, b, lower, assume_a, transposed)
    d[b] = solve_right_back(t, b)


@tangent(linalg.solve)
def solve(y, a, b, lower=False, *, assume_a=None, transposed=False):
    of_rank(a, 2, 99)
    if is_plain_solve(assume_a, transposed):
        d[y] = solved(a, minus_product(d[b], d[a], y, b), b)
    else:
        real_only(a)
        da = structured_part(d[a], a, lower, assume_a, transposed)
        d[y] = structured_solve(a, minus_product(d[b], da, y, b), b, lower, assume_a, transposed)


@known.rule(linalg.solve_triangular)
def _as_right_hand_side(args, kwargs):
    """As long as the right-hand sides, also where the lengths of the matrix have other symbols."""
    if len(args) < 2 or not (isinstance(args[0], Array) and isinstance(args[1], Array)):
        return None
    a, b = args[:2]
    if a.shape is None or b.shape is None or len(a.shape) != 2 or len(b.shape) not in (1, 2):
        return None
    if a.dtype.kind not in "fc" or b.dtype.kind not in "fc":
        return None
    return Array(np.result_type(a.dtype, b.dtype), b.shape)


@adjoint(linalg.solve_triangular)
def solve_triangular(y, a, b, trans=0, lower=False, unit_diagonal=False):
    """One triangle of a is read, and gets the cotangent."""
    t = triangular_solve(a, d[y], transposed_trans(trans), lower, unit_diagonal)
    d[a] = triangle_back(t, y, trans, lower, unit_diagonal)
    d[b] = t


@tangent(linalg.solve_triangular)
def solve_triangular(y, a, b, trans=0, lower=False, unit_diagonal=False):
    right = triangle_right(d[b], d[a], y, trans, lower, unit_diagonal)
    d[y] = triangular_solve(a, right, trans, lower, unit_diagonal)


@adjoint(linalg.expm)
def expm(y, A):
    """By the Frechet derivative at the transpose."""
    of_rank(A, 2, 99)
    d[A] = frechet(mT(A), d[y])


@tangent(linalg.expm)
def expm(y, A):
    of_rank(A, 2, 99)
    d[y] = frechet(A, d[A])


#: complex for real matrices with negative eigenvalues
known.rule(linalg.logm, linalg.sqrtm, linalg.fractional_matrix_power)(known.value_typed)


@adjoint(linalg.logm, linalg.tanm, linalg.coshm, linalg.sinhm, linalg.tanhm)
def function_of_matrix(y, A):
    """By the Frechet derivative, a block of the function of [[A, E], [0, A]]; its transpose is that at the transpose.

    Cost: a function of a matrix of twice the size, eight times the work.
    """
    d[A] = real_like(mT(function_of_block(A, mT(d[y]))), A)


@tangent(linalg.logm, linalg.tanm, linalg.coshm, linalg.sinhm, linalg.tanhm)
def function_of_matrix(y, A):
    d[y] = function_of_block(A, d[A])


@adjoint(linalg.sinm)
def sinm(y, A):
    """Of a real matrix the imaginary part of the exponential of iA, by its Frechet derivative; else as logm."""
    if is_real_matrix(A):
        d[A] = np.imag(linalg.expm_frechet(1j * A.T, 1j * d[y], compute_expm=False))
    else:
        d[A] = mT(function_of_block(A, mT(d[y])))


@tangent(linalg.sinm)
def sinm(y, A):
    if is_real_matrix(A):
        d[y] = np.imag(linalg.expm_frechet(1j * A, 1j * d[A], compute_expm=False))
    else:
        d[y] = function_of_block(A, d[A])


@adjoint(linalg.cosm)
def cosm(y, A):
    """As sinm, the real part."""
    if is_real_matrix(A):
        d[A] = np.real(linalg.expm_frechet(1j * A.T, 1j * d[y], compute_expm=False))
    else:
        d[A] = mT(function_of_block(A, mT(d[y])))


@tangent(linalg.cosm)
def cosm(y, A):
    if is_real_matrix(A):
        d[y] = np.real(linalg.expm_frechet(1j * A, 1j * d[A], compute_expm=False))
    else:
        d[y] = function_of_block(A, d[A])


@adjoint(linalg.fractional_matrix_power)
def fractional_matrix_power(y, A, t):
    """In the matrix; as logm, with a direction that is as large as the matrix."""
    real_only(A)
    size = np.max(np.abs(A)) or 1.0
    d[A] = real_like(mT(function_of_block(A, mT(size * d[y]), t)) / size, A)


@tangent(linalg.fractional_matrix_power)
def fractional_matrix_power(y, A, t):
    real_only(A)
    size = np.max(np.abs(A)) or 1.0
    d[y] = function_of_block(A, size * d[A], t) / size


@definition(linalg.expm_frechet)
def expm_frechet(A, E, method=None, compute_expm=True, check_finite=True):
    """As a block of the exponential of [[A, E], [0, A]]."""
    n = A.shape[-1]
    whole = linalg.expm(upper_block(A, E))
    if compute_expm:
        return whole[..., :n, :n], whole[..., :n, n:]
    return whole[..., :n, n:]


@adjoint(linalg.sqrtm)
def sqrtm(y, A):
    """By a Sylvester equation with the root: its eigenvalues must not add up to 0."""
    of_rank(A, 2, 2)
    d[A] = real_like(linalg.solve_sylvester(y.T, y.T, d[y]), A)


@tangent(linalg.sqrtm)
def sqrtm(y, A):
    of_rank(A, 2, 2)
    d[y] = linalg.solve_sylvester(y, y, d[A])


@adjoint(linalg.solve_sylvester)
def solve_sylvester(y, a, b, q):
    of_rank(a, 2, 2)
    t = linalg.solve_sylvester(a.T, b.T, d[y])
    d[a] = -t @ y.T
    d[b] = -y.T @ t
    d[q] = t


@tangent(linalg.solve_sylvester)
def solve_sylvester(y, a, b, q):
    of_rank(a, 2, 2)
    d[y] = linalg.solve_sylvester(a, b, d[q] - d[a] @ y - y @ d[b])


@adjoint(linalg.solve_continuous_lyapunov)
def solve_continuous_lyapunov(y, a, q):
    of_rank(a, 2, 2)
    real_only(a)
    t = linalg.solve_continuous_lyapunov(a.T, d[y])
    d[a] = -t @ y.T - t.T @ y
    d[q] = t


@tangent(linalg.solve_continuous_lyapunov)
def solve_continuous_lyapunov(y, a, q):
    of_rank(a, 2, 2)
    real_only(a)
    d[y] = linalg.solve_continuous_lyapunov(a, d[q] - d[a] @ y - y @ d[a].T)


@adjoint(linalg.solve_discrete_lyapunov)
def solve_discrete_lyapunov(y, a, q):
    of_rank(a, 2, 2)
    real_only(a)
    t = linalg.solve_discrete_lyapunov(a.T, d[y])
    d[a] = t @ a @ y.T + t.T @ a @ y
    d[q] = t


@tangent(linalg.solve_discrete_lyapunov)
def solve_discrete_lyapunov(y, a, q):
    of_rank(a, 2, 2)
    real_only(a)
    d[y] = linalg.solve_discrete_lyapunov(a, d[q] + d[a] @ y @ a.T + a @ y @ d[a].T)


@adjoint(linalg.cholesky)
def cholesky(y, a, lower=False):
    """Murray 2016. One triangle of a is read, and gets the cotangent.

    Cost: as np.linalg.cholesky.
    """
    of_rank(a, 2, 99)
    real_only(a)
    if lower:
        d[a] = helper("cholesky_back", a, d[y], y)
    else:
        d[a] = mT(helper("cholesky_back", a, mT(d[y]), mT(y)))


@tangent(linalg.cholesky)
def cholesky(y, a, lower=False):
    of_rank(a, 2, 99)
    real_only(a)
    if lower:
        s = np.linalg.solve(y, mT(np.linalg.solve(y, triangle_symmetric(d[a], "L"))))
        d[y] = y @ half_lower(s, a)
    else:
        s = np.linalg.solve(mT(y), mT(np.linalg.solve(mT(y), triangle_symmetric(d[a], "U"))))
        d[y] = mT(half_lower(s, a)) @ y


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


# -- bands -------------------------------------------------------------------------------------------------------------


@adjoint(linalg.solve_banded)
def solve_banded(y, l_and_u, ab, b):
    """The corners of ab that lie outside of the matrix have the derivative 0."""
    of_rank(ab, 2, 2)
    real_only(ab)
    below, above = l_and_u[0], l_and_u[1]
    t = linalg.solve_banded((above, below), banded_transpose(ab, below, above), d[y])
    d[ab] = banded_outer(-t, y, ab, below, above)
    d[b] = t


@tangent(linalg.solve_banded)
def solve_banded(y, l_and_u, ab, b):
    of_rank(ab, 2, 2)
    real_only(ab)
    below, above = l_and_u[0], l_and_u[1]
    d[y] = linalg.solve_banded((below, above), ab, d[b] - banded_product(d[ab], y, below, above))


@adjoint(linalg.solveh_banded)
def solveh_banded(y, ab, b, *, lower=False):
    """The corner of ab that lies outside of the matrix has the derivative 0."""
    of_rank(ab, 2, 2)
    real_only(ab, b)
    t = linalg.solveh_banded(ab, d[y], lower=lower)
    d[ab] = symmetric_banded_outer(-t, y, ab, lower)
    d[b] = t


@tangent(linalg.solveh_banded)
def solveh_banded(y, ab, b, *, lower=False):
    of_rank(ab, 2, 2)
    real_only(ab, b)
    d[y] = linalg.solveh_banded(ab, d[b] - symmetric_banded_product(d[ab], y, lower), lower=lower)


def _solution_kind(args, kwargs, matrix, right):
    """The kind of a solution: the shape of the right-hand side."""
    types, shape = [known.dtype_of(args[i]) for i in (matrix, right)], known.shape_of(args[right])
    if shape is None or not all(t is not None and t.kind in "fc" for t in types):
        return None
    return Array(np.result_type(*types), shape)


known.RULES[linalg.solve_banded] = lambda args, kwargs: _solution_kind(args, kwargs, 1, 2)
known.RULES[linalg.solveh_banded] = lambda args, kwargs: _solution_kind(args, kwargs, 0, 1)


# -- matrices made of their entries ------------------------------------------------------------------------------------


def vector_of(c):
    """One vector: stacks of them have no rule."""
    if not isinstance(c, np.ndarray):
        c = np.asarray(c)
    if c.ndim != 1:
        raise NoDerivative("stacks of vectors have no rule", "call it for each, one after the other")
    return c


@definition(linalg.toeplitz)
def toeplitz(c, r=None):
    c = vector_of(c)
    r = np.conj(c) if r is None else vector_of(r)
    return np.array(sliding_window_view(np.concatenate((c[::-1], r[1:])), len(r))[::-1])


@definition(linalg.circulant)
def circulant(c):
    c = vector_of(c)
    return np.array(sliding_window_view(np.concatenate((c[::-1], c[:0:-1])), len(c))[::-1])


@definition(linalg.hankel)
def hankel(c, r=None):
    c = vector_of(c)
    r = np.zeros(len(c)) if r is None else vector_of(r)
    return np.array(sliding_window_view(np.concatenate((c, r[1:])), len(r)))


@definition(linalg.companion)
def companion(a):
    c = np.eye(len(a) - 1, k=-1, dtype=complex) if np.iscomplexobj(a) else np.eye(len(a) - 1, k=-1)
    c[0] = -a[1:] / a[0]
    return c


@definition(linalg.leslie)
def leslie(f, s):
    is_complex = np.iscomplexobj(f) or np.iscomplexobj(s)
    m = np.zeros((len(f), len(f)), complex) if is_complex else np.zeros((len(f), len(f)))
    m[0] = f
    m[np.arange(1, len(f)), np.arange(len(s))] = s
    return m


@definition(linalg.fiedler)
def fiedler(a):
    """Where two entries are equal, 0."""
    return np.abs(a[:, None] - a)


@definition(linalg.khatri_rao)
def khatri_rao(a, b):
    return np.reshape(a[:, None, :] * b, (a.shape[0] * b.shape[0], a.shape[1]))


@definition(linalg.block_diag)
def block_diag(*arrs):
    parts = [part if isinstance(part, np.ndarray) and part.ndim == 2 else np.atleast_2d(part) for part in arrs]
    row, column = 0, 0
    for part in parts:
        row, column = row + part.shape[0], column + part.shape[1]
    is_complex = any([np.iscomplexobj(part) for part in parts])
    out = np.zeros((row, column), complex) if is_complex else np.zeros((row, column))
    row, column = 0, 0
    for part in parts:
        out[row : row + part.shape[0], column : column + part.shape[1]] = part
        row, column = row + part.shape[0], column + part.shape[1]
    return out


@adjoint(linalg.solve_toeplitz)
def solve_toeplitz(y, c_or_cr, b):
    """By the transposed system; along each diagonal the products of t and y are summed."""
    real_only(y)
    t = toeplitz_solve_transposed(c_or_cr, d[y])
    d[c_or_cr] = toeplitz_back(c_or_cr, t, y)
    d[b] = t


@tangent(linalg.solve_toeplitz)
def solve_toeplitz(y, c_or_cr, b):
    real_only(y)
    d[y] = linalg.solve_toeplitz(c_or_cr, toeplitz_right(d[c_or_cr], c_or_cr, d[b], y))


# -- Riccati equations -------------------------------------------------------------------------------------------------


@adjoint(linalg.solve_continuous_are)
def solve_continuous_are(y, a, b, q, r):
    """By a Lyapunov equation with the closed loop a - b k; k = inv(r) b' y. q and r are taken to be symmetric."""
    real_only(a, b, q, r)
    k = np.linalg.solve(r, b.T @ y)
    c = a - b @ k
    t = linalg.solve_continuous_lyapunov(c, -0.5 * (d[y] + d[y].T))
    d[a] = 2.0 * (y @ t)
    d[b] = -2.0 * (y @ t @ k.T)
    d[q] = t
    d[r] = k @ t @ k.T


@tangent(linalg.solve_continuous_are)
def solve_continuous_are(y, a, b, q, r):
    real_only(a, b, q, r)
    k = np.linalg.solve(r, b.T @ y)
    c = a - b @ k
    m = y @ (d[a] - d[b] @ k)
    s = 0.5 * d[q] + 0.5 * (k.T @ d[r] @ k)
    d[y] = linalg.solve_continuous_lyapunov(c.T, -(m + m.T + s + s.T))


@adjoint(linalg.solve_discrete_are)
def solve_discrete_are(y, a, b, q, r):
    """By a Lyapunov equation with the closed loop a - b k. q and r are taken to be symmetric."""
    real_only(a, b, q, r)
    k = np.linalg.solve(r + b.T @ y @ b, b.T @ y @ a)
    c = a - b @ k
    t = linalg.solve_discrete_lyapunov(c, 0.5 * (d[y] + d[y].T))
    m = 2.0 * (y @ c @ t)
    d[a] = m
    d[b] = -m @ k.T
    d[q] = t
    d[r] = k @ t @ k.T


@tangent(linalg.solve_discrete_are)
def solve_discrete_are(y, a, b, q, r):
    real_only(a, b, q, r)
    k = np.linalg.solve(r + b.T @ y @ b, b.T @ y @ a)
    c = a - b @ k
    m = c.T @ y @ (d[a] - d[b] @ k)
    s = 0.5 * d[q] + 0.5 * (k.T @ d[r] @ k)
    d[y] = linalg.solve_discrete_lyapunov(c.T, m + m.T + s + s.T)
