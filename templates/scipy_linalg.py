"""SciPy's linear algebra. Sources: Giles 2008; Al-Mohy and Higham 2009 for the exponential; Kao and Hennequin 2020 for
Lyapunov and Sylvester equations. Real matrices."""

import numpy as np
from scipy import linalg

from s2sad.rules import adjoint, d, tangent


@adjoint(linalg.inv)
def inv(y, a):
    d[a] = -mT(y) @ d[y] @ mT(y)


@tangent(linalg.inv)
def inv(y, a):
    d[y] = -y @ d[a] @ y


@adjoint(linalg.det)
def det(y, a):
    """Through the inverse: a singular matrix is an error."""
    d[a] = matrix_wide(d[y] * y) * mT(np.linalg.inv(a))


@tangent(linalg.det)
def det(y, a):
    d[y] = y * np.trace(np.linalg.solve(a, d[a]), axis1=-2, axis2=-1)


@adjoint(linalg.solve)
def solve(y, a, b):
    """Without lower and assume_a."""
    real_only(a)
    t = solved_transposed(a, d[y], b)
    d[a] = solve_matrix_back(t, y, a, b)
    d[b] = solve_right_back(t, b)


@tangent(linalg.solve)
def solve(y, a, b):
    d[y] = solved(a, minus_product(d[b], d[a], y, b), b)


@adjoint(linalg.solve_triangular)
def solve_triangular(y, a, b, trans=0, lower=False, unit_diagonal=False):
    """One triangle of a is read, and gets the cotangent."""
    real_only(a)
    flipped_trans = transposed_trans(trans)
    t = linalg.solve_triangular(a, d[y], trans=flipped_trans, lower=lower, unit_diagonal=unit_diagonal)
    d[a] = triangle_back(t, y, trans, lower, unit_diagonal)
    d[b] = t


@tangent(linalg.solve_triangular)
def solve_triangular(y, a, b, trans=0, lower=False, unit_diagonal=False):
    real_only(a)
    right = triangle_right(d[b], d[a], y, trans, lower, unit_diagonal)
    d[y] = linalg.solve_triangular(a, right, trans=trans, lower=lower, unit_diagonal=unit_diagonal)


@adjoint(linalg.expm)
def expm(y, A):
    """By the Frechet derivative at the transpose."""
    real_only(A)
    d[A] = linalg.expm_frechet(A.T, d[y], compute_expm=False)


@tangent(linalg.expm)
def expm(y, A):
    d[y] = linalg.expm_frechet(A, d[A], compute_expm=False)


@adjoint(linalg.expm_frechet)
def expm_frechet(y, A, E, method=None, compute_expm=True):
    """As a block of the exponential of [[A, E], [0, A]]. Without the exponential itself."""
    if compute_expm is not False:
        raise NoDerivative("only compute_expm=False has a rule")
    m = np.block([[A, E], [np.zeros_like(A), A]])
    g = np.block([[np.zeros_like(A), d[y]], [np.zeros_like(A), np.zeros_like(A)]])
    t = linalg.expm_frechet(m.T, g, compute_expm=False)
    d[A] = t[: A.shape[0], : A.shape[0]] + t[A.shape[0] :, A.shape[0] :]
    d[E] = t[: A.shape[0], A.shape[0] :]


@tangent(linalg.expm_frechet)
def expm_frechet(y, A, E, method=None, compute_expm=True):
    if compute_expm is not False:
        raise NoDerivative("only compute_expm=False has a rule")
    m = np.block([[A, E], [np.zeros_like(A), A]])
    dm = np.block([[zeros_for(d[A], A), zeros_for(d[E], E)], [np.zeros_like(A), zeros_for(d[A], A)]])
    t = linalg.expm_frechet(m, dm, compute_expm=False)
    d[y] = t[: A.shape[0], A.shape[0] :]


@adjoint(linalg.sqrtm)
def sqrtm(y, A):
    """By a Sylvester equation with the root: its eigenvalues must not add up to 0."""
    real_only(A)
    d[A] = linalg.solve_sylvester(y.T, y.T, d[y])


@tangent(linalg.sqrtm)
def sqrtm(y, A):
    real_only(A)
    d[y] = linalg.solve_sylvester(y, y, d[A])


@adjoint(linalg.solve_sylvester)
def solve_sylvester(y, a, b, q):
    real_only(a)
    t = linalg.solve_sylvester(a.T, b.T, d[y])
    d[a] = -t @ y.T
    d[b] = -y.T @ t
    d[q] = t


@tangent(linalg.solve_sylvester)
def solve_sylvester(y, a, b, q):
    real_only(a)
    d[y] = linalg.solve_sylvester(a, b, d[q] - d[a] @ y - y @ d[b])


@adjoint(linalg.solve_continuous_lyapunov)
def solve_continuous_lyapunov(y, a, q):
    real_only(a)
    t = linalg.solve_continuous_lyapunov(a.T, d[y])
    d[a] = -t @ y.T - t.T @ y
    d[q] = t


@tangent(linalg.solve_continuous_lyapunov)
def solve_continuous_lyapunov(y, a, q):
    real_only(a)
    d[y] = linalg.solve_continuous_lyapunov(a, d[q] - d[a] @ y - y @ d[a].T)


@adjoint(linalg.solve_discrete_lyapunov)
def solve_discrete_lyapunov(y, a, q):
    real_only(a)
    t = linalg.solve_discrete_lyapunov(a.T, d[y])
    d[a] = t @ a @ y.T + t.T @ a @ y
    d[q] = t


@tangent(linalg.solve_discrete_lyapunov)
def solve_discrete_lyapunov(y, a, q):
    real_only(a)
    d[y] = linalg.solve_discrete_lyapunov(a, d[q] + d[a] @ y @ a.T + a @ y @ d[a].T)


@adjoint(linalg.cholesky)
def cholesky(y, a, lower=False):
    """Seeger et al. 2017. One triangle of a is read, and gets the cotangent."""
    real_only(a)
    if lower:
        p = half_lower(mT(y) @ d[y], a)
        s = linalg.solve_triangular(mT(y), mT(linalg.solve_triangular(mT(y), mT(p))))
        d[a] = np.tril(s) + mT(np.triu(s, 1))
    else:
        p = half_lower(y @ mT(d[y]), a)
        s = linalg.solve_triangular(y, mT(linalg.solve_triangular(y, mT(p))))
        d[a] = mT(np.tril(s)) + np.triu(s, 1)


@tangent(linalg.cholesky)
def cholesky(y, a, lower=False):
    real_only(a)
    if lower:
        s = np.linalg.solve(y, mT(np.linalg.solve(y, triangle_symmetric(d[a], "L"))))
        d[y] = y @ half_lower(s, a)
    else:
        s = np.linalg.solve(mT(y), mT(np.linalg.solve(mT(y), triangle_symmetric(d[a], "U"))))
        d[y] = mT(half_lower(s, a)) @ y
