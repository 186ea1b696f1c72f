"""Linear algebra. Sources: M. Giles, Collected matrix derivative results for forward and reverse mode AD (2008);
S. Walter and L. Lehmann, Algorithmic differentiation of linear algebra functions (2010); M. Seeger et al.,
Auto-differentiating linear algebra (2017). Functions that read one triangle of a matrix give a cotangent to that
triangle only."""

import numpy as np

from s2sad.rules import adjoint, d, definition, linear, shares_memory, tangent, zero
from s2sad.transform import spectral


@adjoint(np.linalg.solve)
def solve(y, a, b):
    t = solved_transposed(a, d[y], b)
    d[a] = solve_matrix_back(t, y, a, b)
    d[b] = solve_right_back(t, b)


@tangent(np.linalg.solve)
def solve(y, a, b):
    d[y] = solved(a, minus_product(d[b], d[a], y, b), b)


@adjoint(np.linalg.inv)
def inv(y, a):
    """Giles 2008, 2.2.3"""
    d[a] = -mT(y) @ d[y] @ mT(y)


@tangent(np.linalg.inv)
def inv(y, a):
    d[y] = -y @ d[a] @ y


@adjoint(np.linalg.pinv, newer=("rtol",))
def pinv(y, a, rcond=None, hermitian=False, *, rtol=None):
    """Golub and Pereyra 1973. Where the rank changes there is no derivative. hermitian=True reads one triangle, the
    lower."""
    x = a if not hermitian else lower_symmetric(a)
    h = mT(d[y])
    s = -mT(y) @ d[y] @ mT(y) + conjugated((h - x @ (y @ h)) @ (y @ mH(y))) + conjugated(mH(y) @ y @ (h - h @ y @ x))
    if not hermitian:
        d[a] = s
    elif is_complex(a):
        d[a] = half_lower(s + mH(s), a)
    else:
        d[a] = one_triangle(s, "L")


@tangent(np.linalg.pinv, newer=("rtol",))
def pinv(y, a, rcond=None, hermitian=False, *, rtol=None):
    x = a if not hermitian else lower_symmetric(a)
    da = d[a] if not hermitian else lower_symmetric(d[a])
    h = mH(da)
    d[y] = -y @ da @ y + y @ mH(y) @ (h - h @ x @ y) + (h - y @ x @ h) @ mH(y) @ y


@adjoint(np.linalg.det, lazy=True)
def det(y, a):
    """By the cofactors (Jacobi): of singular matrices as well."""
    d[a] = matrix_wide(d[y]) * helper("cofactors", a, a, y)


@tangent(np.linalg.det)
def det(y, a):
    d[y] = summed_matrix(d[a] * helper("cofactors", a, a, y))


@adjoint(np.linalg.slogdet)
def slogdet(y, a):
    """The sign of a real matrix is constant; that of a complex one turns."""
    if maybe_complex(a):
        t = d[y[0]] * y[0]
        d[a] = matrix_wide(d[y[1]] + (t - np.real(t))) * mT(np.linalg.inv(a))
    else:
        d[a] = matrix_wide(d[y[1]]) * mT(np.linalg.inv(a))


@tangent(np.linalg.slogdet)
def slogdet(y, a):
    t = np.trace(np.linalg.solve(a, d[a]), axis1=-2, axis2=-1)
    if maybe_complex(a):
        d[y] = ((t - np.real(t)) * y[0], np.real(t))
    else:
        d[y] = (0.0, t)


@adjoint(np.linalg.cholesky, newer=("upper",))
def cholesky(y, a, /, *, upper=False):
    """The lower triangle of a is read, and gets the cotangent: by blocks (Murray 2016); of complex matrices as in
    Seeger et al. 2017.

    Cost: below n = 128 no mathematics, but calls: some forty of NumPy's, which has no triangular solve, beside one of
    LAPACK's; from there on three to four times the function's.
    """
    if maybe_complex(a):
        p = half_lower(mT(y) @ d[y], a)
        s = np.linalg.solve(mT(y), mT(np.linalg.solve(mH(y), mT(p))))
        d[a] = half_lower(s + mH(s), a)
    else:
        d[a] = helper("cholesky_back", a, d[y], y)


@tangent(np.linalg.cholesky, newer=("upper",))
def cholesky(y, a, /, *, upper=False):
    s = np.linalg.solve(y, mH(np.linalg.solve(y, lower_symmetric(d[a]))))
    d[y] = y @ half_lower(s, a)


@adjoint(np.linalg.eigh)
def eigh(y, a, UPLO="L"):
    """Giles 2008, 3.1. One triangle of a is read. Vectors of equal eigenvalues are arbitrary: nan where they matter.
    Where only eigenvalues matter all is finite, and in products `v @ diag(f(w)) @ conj(v.T)`, which are functions of a:
    in second order, too, of real matrices. Complex vectors, whose phase is arbitrary, are refused elsewhere."""
    d[a] = one_triangle(eigh_back(y, a, d[y[0]], d[y[1]], UPLO), UPLO)


@tangent(np.linalg.eigh)
def eigh(y, a, UPLO="L"):
    d[y] = eigh_tangents(y, mH(y[1]) @ triangle_symmetric(d[a], UPLO) @ y[1])


@adjoint(spectral.eigh_and_matrix)
def eigh_and_matrix(y, a, UPLO="L"):
    d[a] = one_triangle(eigh_back(y, a, d[y[0]], d[y[1]], UPLO, d[y[2]]), UPLO)


@tangent(spectral.eigh_and_matrix)
def eigh_and_matrix(y, a, UPLO="L"):
    d[y] = eigh_tangents(y, mH(y[1]) @ triangle_symmetric(d[a], UPLO) @ y[1])


@adjoint(spectral.of_basis)
def of_basis(y, v, x):
    d[x] = mT(v) @ d[y] @ conjugated(v)


@tangent(spectral.of_basis)
def of_basis(y, v, x):
    d[y] = v @ d[x] @ mH(v)


@adjoint(spectral.in_basis)
def in_basis(y, v, x):
    d[x] = conjugated(v) @ d[y] @ mT(v)


@tangent(spectral.in_basis)
def in_basis(y, v, x):
    d[y] = mH(v) @ d[x] @ v


@adjoint(spectral.on_diagonal)
def on_diagonal(y, g, w, s, slope):
    """Daleckii and Krein 1965."""
    d[s] = d[y] * divided_differences(g, w, slope)
    d[g] = diagonal_of(d[y])


@tangent(spectral.on_diagonal)
def on_diagonal(y, g, w, s, slope):
    d[y] = divided_differences(g, w, slope) * d[s] + diagonal_matrix(d[g], w)


@adjoint(spectral.traced)
def traced(y, x, g, w, s, slope):
    d[x] = d[y] * diagonal_matrix(g, w)
    d[g] = d[y] * diagonal_of(x)
    d[s] = d[y] * mT(x) * divided_differences(g, w, slope)


@tangent(spectral.traced)
def traced(y, x, g, w, s, slope):
    moved = divided_differences(g, w, slope) * d[s]
    d[y] = np.sum(diagonal_of(d[x]) * g + diagonal_of(x) * d[g]) + np.sum(mT(x) * moved)


@adjoint(spectral.with_differences)
def with_differences(y, x, k, g, w, s, slope, bend):
    """Daleckii and Krein 1965, of second order."""
    d[x] = d[y] * k
    d[s] = second_differences(d[y], mT(x), g, w, slope, bend)


@tangent(spectral.with_differences)
def with_differences(y, x, k, g, w, s, slope, bend):
    d[y] = d[x] * k + second_differences(d[s], x, g, w, slope, bend) + x * divided_differences(d[g], w, d[slope])


@adjoint(np.linalg.eigvalsh)
def eigvalsh(y, a, UPLO="L"):
    """One triangle of a is read. Where eigenvalues meet, the derivative of one of the orderings; of symmetric functions
    of them the second derivative, too, forward over reverse (hvp, hessian)."""
    d[a] = one_triangle(helper("spectral", a, d[y], a, UPLO, None), UPLO)


@tangent(np.linalg.eigvalsh)
def eigvalsh(y, a, UPLO="L"):
    w, v = np.linalg.eigh(a, UPLO)
    d[y] = helper("eigenvalue_slopes", y, mH(v) @ triangle_symmetric(d[a], UPLO) @ v, w)


@adjoint(np.linalg.eigvals)
def eigvals(y, a):
    """Where eigenvalues meet there is no derivative."""
    w, v = np.linalg.eig(a)
    d[a] = real_like(np.linalg.solve(mT(v), mT(v * vector_wide(d[y]))), a)


@tangent(np.linalg.eigvals)
def eigvals(y, a):
    w, v = np.linalg.eig(a)
    d[y] = diagonal_of(np.linalg.solve(v, d[a] @ v))


@adjoint(np.linalg.eig)
def eig(y, a):
    """Eigenvectors as LAPACK scales them: of length 1, the largest component real; nan where eigenvalues are equal."""
    d[a] = real_like(eig_back(y, a, d[y[0]], d[y[1]]), a)


@tangent(np.linalg.eig)
def eig(y, a):
    p = np.linalg.solve(y[1], d[a] @ y[1])
    d[y] = (diagonal_of(p), eig_vectors(y[0], y[1], p))


@adjoint(np.linalg.svd)
def svd(y, a, full_matrices=True, compute_uv=True, hermitian=False):
    """Walter and Lehmann 2010. The vectors of real matrices, reduced or square; the values of all. Equal singular
    values whose vectors matter: nan."""
    if hermitian is not False:
        raise NoDerivative("hermitian=True has no rule", "use np.linalg.eigh")
    d[a] = svd_back(y, a, d[y], full_matrices, compute_uv, hermitian)


@tangent(np.linalg.svd)
def svd(y, a, full_matrices=True, compute_uv=True, hermitian=False):
    if hermitian is not False:
        raise NoDerivative("hermitian=True has no rule", "use np.linalg.eigh")
    d[y] = svd_tangent(y, a, d[a], full_matrices, compute_uv, hermitian)


@adjoint(np.linalg.qr)
def qr(y, a, mode="reduced"):
    """Walter and Lehmann 2010; Seeger et al. 2017 for matrices wider than tall. Of full rank."""
    d[a] = qr_back(y, a, d[y], mode)


@tangent(np.linalg.qr)
def qr(y, a, mode="reduced"):
    d[y] = qr_tangent(y, a, d[a], mode)


@adjoint(np.linalg.lstsq)
def lstsq(y, a, b, rcond=None):
    """Golub and Pereyra 1973: the solution of least length where there are several. Where the rank changes there is no
    derivative. Real matrices."""
    real_only(a)
    parts = lstsq_back(y, a, b, d[y])
    d[a] = item(parts, 0)
    d[b] = item(parts, 1)


@tangent(np.linalg.lstsq)
def lstsq(y, a, b, rcond=None):
    real_only(a)
    d[y] = lstsq_tangent(a, b, y, d[a], d[b])


@adjoint(np.linalg.norm, lazy=True)
def norm(y, x, ord=None, axis=None, keepdims=False):
    """0 where the 2-norm is 0; in the 1-norm and the infinity norms sign(0) = 0, and those that tie share evenly."""
    d[x] = norm_back(y, x, d[y], ord, axis, keepdims)


@tangent(np.linalg.norm)
def norm(y, x, ord=None, axis=None, keepdims=False):
    d[y] = norm_tangent(y, x, d[x], ord, axis, keepdims)


@adjoint(np.linalg.matrix_power)
def matrix_power(y, a, n):
    d[a] = helper("matrix_power_back", a, d[y], a, n)


@tangent(np.linalg.matrix_power)
def matrix_power(y, a, n):
    d[y] = mT(helper("matrix_power_back", a, mT(d[a]), a, n))


@adjoint(np.linalg.multi_dot)
def multi_dot(y, arrays, *, out=None):
    d[arrays] = multi_dot_back(d[y], arrays)


@tangent(np.linalg.multi_dot)
def multi_dot(y, arrays, *, out=None):
    d[y] = multi_dot_tangent(d[arrays], arrays)


@tangent(np.linalg.tensorsolve)
def tensorsolve(y, a, b, axes=None):
    d[y] = np.linalg.tensorsolve(a, tensor_minus(d[b], d[a], y))


@adjoint(np.linalg.tensorsolve)
def tensorsolve(y, a, b, axes=None):
    t = reshaped(np.linalg.solve(np.reshape(a, (np.size(b), np.size(b))).T, np.ravel(d[y])), b)
    d[a] = reshaped(-np.outer(t, y), a)
    d[b] = real_like(t, b) if is_complex(a) else t


@adjoint(np.linalg.tensorinv)
def tensorinv(y, a, ind=2):
    d[a] = helper("tensorinv_back", a, d[y], a, y)


@tangent(np.linalg.tensorinv)
def tensorinv(y, a, ind=2):
    d[y] = helper("tensorinv_tangent", y, d[a], y)


@adjoint(np.linalg.cond)
def cond(y, x, p=None):
    """Of the 2-norm, through the singular values."""
    u, s, vt = np.linalg.svd(x, full_matrices=False)
    largest, least = conjugated(column(u, 0) * row(vt, 0)), conjugated(column(u, -1) * row(vt, -1))
    d[x] = matrix_wide(d[y] / s[..., -1]) * (largest - matrix_wide(y) * least)


@tangent(np.linalg.cond)
def cond(y, x, p=None):
    u, s, vt = np.linalg.svd(x, full_matrices=False)
    largest, least = conjugated(column(u, 0) * row(vt, 0)), conjugated(column(u, -1) * row(vt, -1))
    d[y] = real_values(np.sum((largest - matrix_wide(y) * least) * d[x], axis=(-2, -1))) / s[..., -1]


zero(np.linalg.matrix_rank)


if hasattr(np.linalg, "vector_norm"):

    @adjoint(np.linalg.vector_norm, lazy=True)
    def vector_norm(y, x, /, *, axis=None, keepdims=False, ord=2):
        """As np.linalg.norm of vectors."""
        d[x] = vector_norm_back(y, x, d[y], ord, axis, keepdims)

    @tangent(np.linalg.vector_norm)
    def vector_norm(y, x, /, *, axis=None, keepdims=False, ord=2):
        d[y] = vector_norm_tangent(y, x, d[x], ord, axis, keepdims)

    @adjoint(np.linalg.matrix_norm, lazy=True)
    def matrix_norm(y, x, /, *, keepdims=False, ord="fro"):
        """As np.linalg.norm of matrices."""
        d[x] = norm_back(y, x, d[y], ord, (-2, -1), keepdims)

    @tangent(np.linalg.matrix_norm)
    def matrix_norm(y, x, /, *, keepdims=False, ord="fro"):
        d[y] = norm_tangent(y, x, d[x], ord, (-2, -1), keepdims)

    @adjoint(np.linalg.svdvals)
    def svdvals(y, x, /):
        if is_complex(x):
            d[x] = helper("singular", x, d[y], x)
        else:
            u, s, vt = np.linalg.svd(x, full_matrices=False)
            d[x] = (u * vector_wide(d[y])) @ vt

    @tangent(np.linalg.svdvals)
    def svdvals(y, x, /):
        u, s, vt = np.linalg.svd(x, full_matrices=False)
        d[y] = real_values(np.sum(conjugated(u) * (d[x] @ mH(vt)), axis=-2))


# -- linalg ------------------------------------------------------------------------------------------------------------


if hasattr(np.linalg, "vecdot"):

    @linear(np.linalg.cross)
    def cross(y, x1, x2, /, *, axis=-1):
        d[x1] = cross_part(d[y], x1, x2, axis, axis, axis, None, 0)
        d[x2] = cross_part(d[y], x1, x2, axis, axis, axis, None, 1)

    @linear(np.linalg.diagonal)
    def diagonal(y, x, /, *, offset=0):
        d[x] = diagonal_back(d[y], x, offset, -2, -1)

    shares_memory(np.linalg.diagonal)

    @linear(np.linalg.trace)
    def trace(y, x, /, *, offset=0, dtype=None):
        d[x] = trace_back(d[y], x, offset, -2, -1)

    @linear(np.linalg.tensordot)
    def tensordot(y, x1, x2, /, *, axes=2):
        d[x1] = tensordot_part(d[y], x1, x2, axes, 0)
        d[x2] = tensordot_part(d[y], x1, x2, axes, 1)

    @linear(np.linalg.vecdot)
    def vecdot(y, x1, x2, /, *, axis=-1):
        d[x1] = vecdot_part(d[y], x1, x2, 0)
        d[x2] = vecdot_part(d[y], x1, x2, 1)


if hasattr(np, "matvec"):

    @linear(np.matvec)
    def matvec(y, A, B):
        """A vector of one dimension."""
        only_vector(B)
        d[A] = matmul_left(d[y], A, B)
        d[B] = matmul_right(d[y], A, B)

    @linear(np.vecmat)
    def vecmat(y, A, B):
        """A real vector of one dimension."""
        only_vector(A)
        d[A] = matmul_left(d[y], A, B)
        d[B] = matmul_right(d[y], A, B)


# -- seldom used forms -------------------------------------------------------------------------------------------------

_LAST = (-2, -1)


@definition(np.linalg.cholesky, given=("upper",))
def cholesky(a, /, *, upper=False):
    """The upper triangle of a is read, and gets the cotangent."""
    if not upper:
        return np.linalg.cholesky(a)
    return np.conj(np.swapaxes(np.linalg.cholesky(np.conj(np.swapaxes(a, -1, -2))), -1, -2))


@definition(np.linalg.tensorsolve, given=("axes",))
def tensorsolve(a, b, axes=None):
    if axes is None:
        return np.linalg.tensorsolve(a, b)
    order = [k for k in range(np.ndim(a)) if k not in axes] + list(axes)
    return np.linalg.tensorsolve(np.transpose(a, order), b)


def _other_condition(call):
    return call.given("p") and call.static("p") != 2


@definition(np.linalg.cond, when=_other_condition)
def cond(x, p=None):
    if p == -2:
        s = np.linalg.svd(x, compute_uv=False)
        return (s[..., -1] / s[..., 0])[()]
    return np.linalg.norm(x, p, axis=_LAST) * np.linalg.norm(np.linalg.inv(x), p, axis=_LAST)


def _lengths(x, ord, axis, keepdims):
    """The vector norm of any order, along one or several axes, of anything with absolute values."""
    a = np.abs(x)
    if ord == np.inf:
        return np.max(a, axis=axis, keepdims=keepdims)
    if ord == -np.inf:
        return np.min(a, axis=axis, keepdims=keepdims)
    return np.sum(a**ord, axis=axis, keepdims=keepdims) ** (1.0 / ord)


def _other_norm(call):
    """Norms that the templates do not say: of unknown order; of matrices that are complex or not on the last axes."""
    ord, axis = call.static("ord"), call.static("axis")
    matrix = (axis is None and call.rank("x") == 2) or (isinstance(axis, tuple) and len(axis) == 2)
    if ord is None or axis is Ellipsis:
        return False
    if ord is Ellipsis:
        return not matrix
    if not matrix or ord in ("fro", "f"):
        return False
    rank = call.rank("x")
    last = axis is None or (rank is not None and tuple(k % rank for k in axis) == (rank - 2, rank - 1))
    return not last or call.is_complex("x")


@definition(np.linalg.norm, when=_other_norm, active=("ord",))
def norm(x, ord=None, axis=None, keepdims=False):
    if (np.ndim(x) != 2 and axis is None) or isinstance(axis, int):
        return _lengths(x, ord, axis, keepdims)
    if keepdims:
        y = np.linalg.norm(np.moveaxis(x, _LAST if axis is None else axis, _LAST), ord, axis=_LAST)
        return np.expand_dims(y, (0, 1) if axis is None else tuple([k % np.ndim(x) for k in axis]))
    if axis is not None:
        x = np.moveaxis(x, axis, _LAST)
    if np.isrealobj(x):
        return np.linalg.norm(x, ord, axis=_LAST)
    if ord == 1:
        return np.max(np.sum(np.abs(x), axis=-2), axis=-1)
    if ord == -1:
        return np.min(np.sum(np.abs(x), axis=-2), axis=-1)
    if ord == "nuc":
        return np.sum(np.linalg.svd(x, compute_uv=False), axis=-1)
    if ord == 2:
        return np.max(np.linalg.svd(x, compute_uv=False), axis=-1)
    if ord == -2:
        return np.min(np.linalg.svd(x, compute_uv=False), axis=-1)
    if ord == np.inf:
        return np.max(np.sum(np.abs(x), axis=-1), axis=-1)
    return np.min(np.sum(np.abs(x), axis=-1), axis=-1)


def _several_axes(call):
    axis = call.static("axis")
    order = call.static("ord")
    return order != 2 and (order is Ellipsis or (axis is None and call.rank("x") != 1) or isinstance(axis, tuple))


if hasattr(np.linalg, "vector_norm"):

    @definition(np.linalg.vector_norm, when=_several_axes, active=("ord",))
    def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
        return _lengths(x, ord, axis, keepdims)

    def _complex_norm(call):
        return call.is_complex("x") and call.static("ord") not in ("fro", "f")

    @definition(np.linalg.matrix_norm, when=_complex_norm)
    def matrix_norm(x, /, *, keepdims=False, ord="fro"):
        return np.linalg.norm(x, ord, axis=_LAST, keepdims=keepdims)
