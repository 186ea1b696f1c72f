"""Linear algebra of numbers of mpmath, by the plainest means: with a hundred digits nothing has to be stable.

What is arbitrary (the signs of vectors, the order of rows and of eigenvalues) is as LAPACK chose.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.rules.exact import apply, mp, reference

Matrix = Any


def floats(x: Matrix) -> Matrix:
    """The same in double precision, scaled by a power of two to ordinary size."""
    size = max((abs(v) for v in np.ravel(x).tolist()), default=0)
    scale = mp.mpf(2) ** -int(mp.floor(mp.log(size, 2))) if size else mp.mpf(1)
    kind = complex if any(isinstance(v, mp.mpc) for v in np.ravel(x).tolist()) else float
    return np.array([kind(v * scale) for v in np.ravel(x).tolist()], kind).reshape(np.shape(x))


def is_complex(x: Any) -> bool:
    return any(isinstance(v, (complex, mp.mpc)) for v in np.ravel(np.asarray(x, object)).tolist())


def stacked(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of one matrix, of stacks of them."""

    def of_stack(a: Matrix, *args: Any, **kwargs: Any) -> Any:
        a = np.asarray(a)
        if a.ndim <= 2:
            return function(a, *args, **kwargs)
        lead = a.shape[:-2]
        results = [function(m, *args, **kwargs) for m in a.reshape(-1, *a.shape[-2:])]
        if isinstance(results[0], tuple):
            return tuple(joined([r[i] for r in results], lead) for i in range(len(results[0])))
        return joined(results, lead)

    return of_stack


def joined(parts: list[Any], lead: tuple[int, ...]) -> Matrix:
    out = np.empty((len(parts), *np.shape(parts[0])), object)
    for i, part in enumerate(parts):
        out[i] = part
    return out.reshape((*lead, *np.shape(parts[0])))


def eye(n: int) -> Matrix:
    out = np.full((n, n), mp.mpf(0), object)
    np.fill_diagonal(out, mp.mpf(1))
    return out


def diagonal(w: Matrix) -> Matrix:
    out = np.full((len(w), len(w)), mp.mpf(0), object)
    np.fill_diagonal(out, w)
    return out


def conj(a: Matrix) -> Matrix:
    return np.conjugate(a)


def eliminated(a: Matrix, b: Matrix) -> tuple[Matrix, Matrix, int]:
    """Triangular system with the same solution, and the sign of the permutation."""
    a, b, sign = np.array(a, object), np.array(b, object), 1
    n = len(a)
    for k in range(n):
        p = k + max(range(n - k), key=lambda i: abs(a[k + i, k]))
        if p != k:
            a[[k, p]], b[[k, p]], sign = a[[p, k]], b[[p, k]], -sign
        for i in range(k + 1, n):
            if a[i, k] != 0:
                m = a[i, k] / a[k, k]
                a[i, k:] = a[i, k:] - m * a[k, k:]
                b[i] = b[i] - m * b[k]
    return a, b, sign


def solved(a: Matrix, b: Matrix) -> Matrix:
    """a x = b, with the right-hand sides along the first axis of b."""
    a, b, _ = eliminated(a, b)
    x = np.array(b, object)
    for i in reversed(range(len(a))):
        for j in range(i + 1, len(a)):
            x[i] = x[i] - a[i, j] * x[j]
        x[i] = x[i] / a[i, i]
    return x


@reference(np.linalg.inv)
@stacked
def inv(a: Matrix) -> Matrix:
    return solved(a, eye(len(a)))


@reference(np.linalg.solve)
def solve(a: Matrix, b: Matrix) -> Matrix:
    a, b = np.asarray(a), np.asarray(b)
    if b.ndim == 1:
        return inv(a) @ b
    return inv(a) @ b


@reference(np.linalg.det)
@stacked
def det(a: Matrix) -> Any:
    a, _, sign = eliminated(a, a[:, 0])
    return sign * math.prod(a[i, i] for i in range(len(a)))


@reference(np.linalg.slogdet)
def slogdet(a: Matrix) -> Any:
    d = np.asarray(det(a))
    return type(np.linalg.slogdet(np.eye(2)))(elements(mp.sign, d), elements(lambda v: mp.log(abs(v)), d))


def elements(f: Callable[..., Any], x: Any) -> Any:
    x = np.asarray(x)
    out = np.empty(x.shape, object)
    for k in np.ndindex(*x.shape):
        out[k] = f(x[k])
    return out[()]


def lower_part(a: Matrix, uplo: str = "L") -> Matrix:
    """The matrix of which one triangle is read."""
    if uplo.upper() != "L":
        a = conj(a.T)
    low = np.tril(a, -1)
    return low + conj(low.T) + diagonal(np.array([mp.re(v) for v in np.diagonal(a)], object))


def factored(a: Matrix) -> Matrix:
    """The lower Cholesky factor; the lower triangle is read."""
    n = len(a)
    c = np.full((n, n), mp.mpf(0), object)
    for j in range(n):
        for i in range(j, n):
            t = a[i, j] - sum((c[i, k] * conj(c[j, k]) for k in range(j)), mp.mpf(0))
            c[i, j] = mp.sqrt(mp.re(t)) if i == j else t / c[j, j]
    return c


@reference(np.linalg.cholesky)
def cholesky(a: Matrix, /, *, upper: bool = False) -> Matrix:
    one = stacked(lambda m: conj(factored(conj(m.T)).T) if upper else factored(m))
    return one(a)


def eigen_symmetric(a: Matrix) -> tuple[Matrix, Matrix]:
    """Ascending eigenvalues and vectors, by Jacobi's rotations (of the real form of complex matrices: by mpmath)."""
    m = mp.matrix(a.tolist())
    w, v = mp.eighe(m) if is_complex(a) else mp.eigsy(m)
    return np.array([mp.re(x) for x in w], object), np.array(v.tolist(), object).reshape(a.shape)


def turned(v: Matrix, as_in: Matrix) -> Matrix:
    """Columns with the signs (or phases) of others."""
    out = np.array(v, object)
    for k in range(v.shape[1]):
        overlap = sum(
            (conj(x) * mp.mpmathify(y) for x, y in zip(v[:, k], as_in[:, k].tolist(), strict=True)), mp.mpf(0)
        )
        out[:, k] = v[:, k] * (overlap / abs(overlap))
    return out


@reference(np.linalg.eigh)
def eigh(a: Matrix, UPLO: str = "L") -> Any:
    @stacked
    def one(a: Matrix) -> Any:
        whole = lower_part(a, UPLO)
        w, v = eigen_symmetric(whole)
        return w, turned(v, np.linalg.eigh(floats(whole))[1])

    return one(a)


@reference(np.linalg.eigvalsh)
def eigvalsh(a: Matrix, UPLO: str = "L") -> Any:
    return stacked(lambda m: eigen_symmetric(lower_part(m, UPLO))[0])(a)


def eigen_general(a: Matrix) -> tuple[Matrix, Matrix]:
    """Eigenvalues as LAPACK orders them, vectors as it scales them."""
    w, v = mp.eig(mp.matrix(a.tolist()))
    w, v = np.array(w, object), np.array(v.tolist(), object).reshape(a.shape)
    size = max(abs(x) for x in np.ravel(a).tolist())
    scale = mp.mpf(2) ** -int(mp.floor(mp.log(size, 2)))
    wanted, vectors = np.linalg.eig(floats(a))
    order, left = [], list(range(len(w)))
    for x in wanted.tolist():
        near = min(left, key=lambda k: abs(w[k] * scale - x))
        left.remove(near)
        order.append(near)
    w, v = w[order], v[:, order]
    if not np.iscomplexobj(wanted):
        w, v = elements(mp.re, w), v
    for k in range(len(w)):
        column = v[:, k] / mp.sqrt(sum(abs(x) ** 2 for x in v[:, k]))
        top = int(np.argmax(np.abs(vectors[:, k])))
        phase = mp.mpmathify(complex(vectors[top, k])) / column[top]
        column = column * (phase / abs(phase))
        v[:, k] = elements(mp.re, column) if not np.iscomplexobj(wanted) else column
    return w, v


@reference(np.linalg.eig)
def eig(a: Matrix) -> Any:
    return stacked(eigen_general)(a)


@reference(np.linalg.eigvals)
def eigvals(a: Matrix) -> Any:
    return stacked(lambda m: eigen_general(m)[0])(a)


def reduced_svd(a: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    if a.shape[0] < a.shape[1]:
        u, s, vt = reduced_svd(conj(a.T))
        return conj(vt.T), s, conj(u.T)
    w, v = eigen_symmetric(conj(a.T) @ a)
    w, v = w[::-1], v[:, ::-1]
    v = turned(v, conj(np.linalg.svd(floats(a), full_matrices=False)[2].T))
    s = elements(mp.sqrt, w)
    return (a @ v) / s, s, conj(v.T)


@reference(np.linalg.svd)
def svd(a: Matrix, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    u, s, vt = stacked(reduced_svd)(a)
    return (u, s, vt) if compute_uv else s


@reference(getattr(np.linalg, "svdvals", None))
def svdvals(a: Matrix) -> Any:
    return svd(a)[1]


@reference(np.linalg.pinv)
def pinv(a: Matrix, rcond: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Matrix:
    """Of matrices of full rank."""

    @stacked
    def one(a: Matrix) -> Matrix:
        a = lower_part(a) if hermitian else a
        h = conj(a.T)
        return inv(h @ a) @ h if a.shape[0] >= a.shape[1] else h @ inv(a @ h)

    return one(a)


@reference(np.linalg.lstsq)
def lstsq(a: Matrix, b: Matrix, rcond: Any = None) -> Any:
    return pinv(a) @ b, None, len(a[0]), reduced_svd(a)[1]


def orthogonalised(a: Matrix) -> tuple[Matrix, Matrix]:
    """q r = a, with the signs that LAPACK gives; as wide as the first square of a."""
    n = min(a.shape)
    q = np.array(a[:, :n], object)
    for k in range(n):
        for j in range(k):
            q[:, k] = q[:, k] - q[:, j] * sum(conj(q[:, j]) * q[:, k])
        q[:, k] = q[:, k] / mp.sqrt(sum(abs(x) ** 2 for x in q[:, k]))
    q = turned(q, np.linalg.qr(floats(a))[0])
    r = np.triu(conj(q.T) @ a)
    return q, r


@reference(np.linalg.qr)
def qr(a: Matrix, mode: str = "reduced") -> Any:
    found = stacked(orthogonalised)(a)
    return found[1] if mode == "r" else type(np.linalg.qr(np.eye(2)))(*found)


@reference(np.linalg.matrix_power)
def matrix_power(a: Matrix, n: int) -> Matrix:
    def one(a: Matrix) -> Matrix:
        out, base = eye(len(a)), inv(a) if n < 0 else a
        for _ in range(abs(n)):
            out = out @ base
        return out

    return stacked(one)(a)


@reference(np.linalg.norm)
def norm(x: Matrix, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    x = np.asarray(x)
    if axis is None and (ord is None or x.ndim == 1):
        found = vector_norm_of(np.ravel(x), 2 if ord is None else ord, 0)
        return np.reshape(found, (1,) * x.ndim) if keepdims else found
    axes = tuple(range(x.ndim)) if axis is None else (axis if isinstance(axis, tuple) else (axis,))
    axes = tuple(k % x.ndim for k in axes)
    moved = np.moveaxis(x, axes, range(-len(axes), 0))
    found = vector_norm_of(moved, 2 if ord is None else ord, -1) if len(axes) == 1 else matrix_norm_of(moved, ord)
    return np.expand_dims(np.asarray(found), axes) if keepdims else found


def vector_norm_of(x: Matrix, p: Any, axis: int) -> Any:
    size = elements(abs, x)
    if p in (math.inf, -math.inf):
        return (np.max if p > 0 else np.min)(size, axis=axis)
    return elements(lambda v: v ** (1 / mp.mpf(p)), np.sum(elements(lambda v: v ** mp.mpf(p), size), axis=axis))


def matrix_norm_of(x: Matrix, p: Any) -> Any:
    size = elements(abs, x)
    if p in (None, "fro"):
        return elements(mp.sqrt, np.sum(size * size, axis=(-2, -1)))
    if p in (1, -1, math.inf, -math.inf):
        sums = np.sum(size, axis=-2 if abs(p) == 1 else -1)
        return (np.max if p > 0 else np.min)(sums, axis=-1)
    s = svd(x)[1]
    return np.sum(s, axis=-1) if p == "nuc" else s[..., 0] if p == 2 else s[..., -1]


@reference(getattr(np.linalg, "vector_norm", None))
def vector_norm(x: Matrix, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    if axis is None or isinstance(axis, tuple):
        axes = tuple(range(np.ndim(x))) if axis is None else axis
        moved = np.moveaxis(x, axes, range(-len(axes), 0))
        moved = moved.reshape(*moved.shape[: moved.ndim - len(axes)], -1)
        found = vector_norm_of(moved, ord, -1)
        return np.expand_dims(np.asarray(found), axes) if keepdims else found
    return norm(x, ord, axis, keepdims)


@reference(getattr(np.linalg, "matrix_norm", None))
def matrix_norm(x: Matrix, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    found = stacked(lambda m: matrix_norm_of(m, ord))(x)
    return np.asarray(found)[..., None, None] if keepdims else found


@reference(np.linalg.cond)
def cond(x: Matrix, p: Any = None) -> Any:
    if p in (None, 2, -2):
        s = svd(x)[1]
        return s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    return stacked(lambda m: norm(m, p) * norm(inv(m), p))(x)


@reference(np.linalg.multi_dot)
def multi_dot(arrays: Any, *, out: Any = None) -> Any:
    found = arrays[0]
    for a in arrays[1:]:
        found = found @ a
    return found


@reference(np.linalg.tensorsolve)
def tensorsolve(a: Matrix, b: Matrix, axes: Any = None) -> Matrix:
    n = int(np.size(b))
    return solved(a.reshape(n, n), np.ravel(b)).reshape(a.shape[np.ndim(b) :])


@reference(np.linalg.tensorinv)
def tensorinv(a: Matrix, ind: int = 2) -> Matrix:
    n = int(np.prod(a.shape[:ind]))
    return inv(a.reshape(n, n)).reshape(a.shape[ind:] + a.shape[:ind])


if importlib.util.find_spec("scipy"):
    from scipy import linalg

    reference(linalg.inv)(inv)
    reference(linalg.det)(det)
    reference(linalg.norm)(
        lambda a, ord=None, axis=None, keepdims=False, check_finite=True: norm(a, ord, axis, keepdims)
    )
    reference(linalg.svdvals)(svdvals)
    reference(linalg.pinv)(lambda a, **_: pinv(a))
    reference(linalg.eigvals)(eigvals)
    reference(linalg.eig)(eig)

    @reference(linalg.svd)
    def scipy_svd(a: Matrix, full_matrices: bool = True, compute_uv: bool = True, **_: Any) -> Any:
        return svd(a, full_matrices, compute_uv)

    @reference(linalg.lstsq)
    def scipy_lstsq(a: Matrix, b: Matrix, *_: Any, **__: Any) -> Any:
        return lstsq(a, b)

    @reference(linalg.solve)
    def scipy_solve(
        a: Matrix, b: Matrix, lower: bool = False, overwrite_a: bool = False, overwrite_b: bool = False,
        check_finite: bool = True, assume_a: Any = None, transposed: bool = False,
    ) -> Matrix:  # fmt: skip
        if assume_a in ("sym", "symmetric", "pos", "positive definite", "her", "hermitian"):
            a = np.tril(a) + np.tril(a, -1).T if lower else np.triu(a) + np.triu(a, 1).T
        elif assume_a in ("upper triangular", "lower triangular"):
            a = np.triu(a) if assume_a.startswith("upper") else np.tril(a)
        elif assume_a == "diagonal":
            a = diagonal(np.diagonal(a))
        elif assume_a == "tridiagonal":
            a = np.tril(np.triu(a, -1), 1)
        elif assume_a == "banded":
            pass
        return inv(a.swapaxes(-1, -2) if transposed else a) @ b

    @reference(linalg.solve_triangular)
    def solve_triangular(
        a: Matrix, b: Matrix, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False, **_: Any
    ) -> Matrix:
        a = np.tril(a) if lower else np.triu(a)
        if unit_diagonal:
            a = a - diagonal(np.diagonal(a)) + eye(len(a))
        return solved(a if trans in (0, "N") else a.T, b)

    @reference(linalg.cholesky)
    def scipy_cholesky(a: Matrix, lower: bool = False, **_: Any) -> Matrix:
        return stacked(lambda m: factored(m) if lower else factored(m.T).T)(a)

    @reference(linalg.eigh)
    def scipy_eigh(
        a: Matrix, b: Any = None, *, lower: bool = True, eigvals_only: bool = False, type: int = 1,
        subset_by_index: Any = None, subset_by_value: Any = None, driver: Any = None, **_: Any,
    ) -> Any:  # fmt: skip
        uplo = "L" if lower else "U"
        whole = lower_part(a, uplo)
        metric = None if b is None else lower_part(b, uplo)
        if b is None:
            w, v = eigen_symmetric(whole)
        else:
            c = factored(metric)
            if type == 1:
                w, z = eigen_symmetric(solved(c, solved(c, whole).T))
            else:
                w, z = eigen_symmetric(c.T @ whole @ c)
            v = c @ z if type == 3 else solved(c.T, z)
        if b is None:
            as_in = linalg.eigh(floats(whole), lower=lower, driver=driver)[1]
        else:
            as_in = linalg.eigh(floats(whole), floats(metric), lower=lower, type=type)[1]
        v = turned(v, as_in)
        if subset_by_index is not None:
            first, last = subset_by_index
            w, v = w[first : last + 1], v[:, first : last + 1]
        if subset_by_value is not None:
            inside = [bool(subset_by_value[0] < x <= subset_by_value[1]) for x in w]
            w, v = w[inside], v[:, inside]
        return w if eigvals_only else (w, v)

    @reference(linalg.eigvalsh)
    def scipy_eigvalsh(a: Matrix, b: Any = None, **options: Any) -> Any:
        return scipy_eigh(a, b, eigvals_only=True, **options)

    def of_matrix(f: Callable[..., Any]) -> Callable[..., Any]:
        """A function of a matrix, by its eigenvalues."""

        @stacked
        def function(a: Matrix, *more: Any) -> Matrix:
            w, v = mp.eig(mp.matrix(a.tolist()))
            v = np.array(v.tolist(), object).reshape(a.shape)
            found = (v * np.array([f(x, *more) for x in w], object)) @ inv(v)
            size = max(abs(x) for x in np.ravel(found).tolist())
            real = not is_complex(a) and all(abs(mp.im(x)) < size * mp.mpf(10) ** -50 for x in np.ravel(found).tolist())
            return elements(mp.re, found) if real else found

        return lambda a, *more, **_: function(a, *more)

    for _name in ("expm", "logm", "sqrtm", "cosm", "sinm", "tanm", "coshm", "sinhm", "tanhm"):
        reference(getattr(linalg, _name))(of_matrix(getattr(mp, _name[:-1])))
    reference(linalg.fractional_matrix_power)(of_matrix(lambda x, t: mp.mpmathify(x) ** mp.mpmathify(t)))
    reference(linalg.signm)(of_matrix(lambda x: mp.sign(mp.re(x))))

    def kron_solved(terms: list[tuple[Matrix, Matrix]], q: Matrix) -> Matrix:
        """x of the equation sum(a @ x @ b) = q."""
        whole = sum(np.kron(a, b.T) for a, b in terms)
        return solved(whole, np.ravel(q)).reshape(q.shape)

    @reference(linalg.solve_sylvester)
    def solve_sylvester(a: Matrix, b: Matrix, q: Matrix) -> Matrix:
        return kron_solved([(a, eye(len(b))), (eye(len(a)), b)], q)

    @reference(linalg.solve_continuous_lyapunov)
    def solve_continuous_lyapunov(a: Matrix, q: Matrix) -> Matrix:
        return kron_solved([(a, eye(len(a))), (eye(len(a)), a.T)], q)

    @reference(linalg.solve_discrete_lyapunov)
    def solve_discrete_lyapunov(a: Matrix, q: Matrix, method: Any = None) -> Matrix:
        return kron_solved([(eye(len(a)), eye(len(a))), (-a, a.T)], q)

    def exact_floats(x: Matrix) -> Matrix:
        return np.array([float(v) for v in np.ravel(x).tolist()]).reshape(np.shape(x))

    @reference(linalg.solve_continuous_are)
    def solve_continuous_are(a: Matrix, b: Matrix, q: Matrix, r: Matrix) -> Matrix:
        """By Newton's steps from what SciPy finds (Kleinman 1968)."""
        x = apply(exactly_of, linalg.solve_continuous_are(*map(exact_floats, (a, b, q, r))))
        for _ in range(6):
            k = solved(r, b.T @ x)
            closed = a - b @ k
            x = solve_continuous_lyapunov(closed.T, -(q + k.T @ r @ k))
        return x

    @reference(linalg.solve_discrete_are)
    def solve_discrete_are(a: Matrix, b: Matrix, q: Matrix, r: Matrix) -> Matrix:
        """By Newton's steps from what SciPy finds (Hewer 1971)."""
        x = apply(exactly_of, linalg.solve_discrete_are(*map(exact_floats, (a, b, q, r))))
        for _ in range(6):
            k = solved(r + b.T @ x @ b, b.T @ x @ a)
            closed = a - b @ k
            x = solve_discrete_lyapunov(closed.T, q + k.T @ r @ k)
        return x

    from tests.rules.exact import exactly as exactly_of

    @reference(linalg.lu)
    def lu(a: Matrix, permute_l: bool = False, p_indices: bool = False, **_: Any) -> Any:
        p = linalg.lu(floats(a))[0]
        low, up = triangles(p.T.astype(int) @ a)
        return (p.astype(int) @ low, up) if permute_l else (exactly_of(p), low, up)

    def triangles(a: Matrix) -> tuple[Matrix, Matrix]:
        n = len(a)
        low, up = eye(n), np.array(a, object)
        for k in range(n):
            for i in range(k + 1, n):
                low[i, k] = up[i, k] / up[k, k]
                up[i] = up[i] - low[i, k] * up[k]
        return low, np.triu(up)

    @reference(linalg.lu_factor)
    def lu_factor(a: Matrix, **_: Any) -> Any:
        pivots = linalg.lu_factor(floats(a))[1]
        order = list(range(len(a)))
        for i, p in enumerate(pivots):
            order[i], order[p] = order[p], order[i]
        low, up = triangles(a[order])
        return np.tril(low, -1) + up, pivots

    @reference(linalg.cho_solve)
    def cho_solve(c_and_lower: Any, b: Matrix, **_: Any) -> Matrix:
        c, lower = c_and_lower
        c = np.tril(c) if lower else np.triu(c).T
        return solved(c.T, solved(c, b))

    @reference(linalg.qr)
    def scipy_qr(
        a: Matrix, overwrite_a: bool = False, lwork: Any = None, mode: str = "full", pivoting: bool = False, **_: Any
    ) -> Any:
        order = linalg.qr(floats(a), mode="r", pivoting=True)[1] if pivoting else np.arange(a.shape[1])
        q, r = orthogonalised(a[:, order])
        found = (r,) if mode == "r" else (q, r)
        if mode == "r" and a.shape[0] > a.shape[1]:
            found = (np.concatenate([r, np.full((a.shape[0] - a.shape[1], a.shape[1]), mp.mpf(0))]),)
        return (*found, order) if pivoting else found if len(found) > 1 or mode == "r" else found[0]

    @reference(linalg.polar)
    def polar(a: Matrix, side: str = "right") -> Any:
        u, s, vt = reduced_svd(a)
        return u @ vt, (vt.T * s) @ vt if side == "right" else (u * s) @ u.T

    @reference(linalg.orthogonal_procrustes)
    def orthogonal_procrustes(a: Matrix, b: Matrix, check_finite: bool = True) -> Any:
        u, s, vt = reduced_svd(a.T @ b)
        return u @ vt, sum(s)

    @reference(linalg.solve_banded)
    def solve_banded(l_and_u: Any, ab: Matrix, b: Matrix, **_: Any) -> Matrix:
        low, up = l_and_u
        n = ab.shape[1]
        a = np.full((n, n), mp.mpf(0), object)
        for i in range(n):
            for j in range(n):
                if -low <= j - i <= up:
                    a[i, j] = ab[up + i - j, j]
        return solved(a, b)

    def of_bands(ab: Matrix, lower: bool) -> Matrix:
        n, m = ab.shape[1], len(ab) - 1
        a = np.full((n, n), mp.mpf(0), object)
        for i in range(n):
            for j in range(i, min(n, i + m + 1)):
                a[i, j] = ab[j - i, i] if lower else ab[m + i - j, j]
        return a

    @reference(linalg.solveh_banded)
    def solveh_banded(
        ab: Matrix, b: Matrix, overwrite_ab: bool = False, overwrite_b: bool = False, lower: bool = False, **_: Any
    ) -> Matrix:
        a = of_bands(ab, lower)
        return solved(a + np.triu(a, 1).T, b)

    @reference(linalg.cho_solve_banded)
    def cho_solve_banded(cb_and_lower: Any, b: Matrix, **_: Any) -> Matrix:
        cb, lower = cb_and_lower
        c = of_bands(cb, lower)
        return solved(c, solved(c.T, b))

    def toeplitz_of(c: Any) -> Matrix:
        column, row = c if isinstance(c, tuple) else (c, c)
        n, m = len(column), len(row)
        return np.array([[column[i - j] if i >= j else row[j - i] for j in range(m)] for i in range(n)], object)

    @reference(linalg.solve_toeplitz)
    def solve_toeplitz(c: Any, b: Matrix, check_finite: bool = True) -> Matrix:
        return solved(toeplitz_of(c), b)

    @reference(linalg.solve_circulant)
    def solve_circulant(c: Matrix, b: Matrix, *_: Any, **__: Any) -> Matrix:
        n = len(c)
        return solved(np.array([[c[(i - j) % n] for j in range(n)] for i in range(n)], object), b)

    @reference(linalg.matmul_toeplitz)
    def matmul_toeplitz(c: Any, x: Matrix, *_: Any, **__: Any) -> Matrix:
        return toeplitz_of(c) @ x
