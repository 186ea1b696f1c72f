"""SciPy's linear algebra. Sources: Giles 2008; Mathias 1996 and Al-Mohy and Higham 2009 for functions of matrices; Kao
and Hennequin 2020 for Lyapunov, Sylvester and Riccati equations. Real matrices."""

import numpy as np
from scipy import linalg

from s2sad.kinds import known
from s2sad.kinds.kind import Array
from s2sad.rules import adjoint, d, definition, tangent
from s2sad.runtime.helpers import upper_block


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
