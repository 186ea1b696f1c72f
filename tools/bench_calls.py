"""What tools/bench_rules.py measures: a call of each function that has a rule, at a size where arrays dominate."""

from __future__ import annotations

from typing import Any

import numpy as np

_rng = np.random.default_rng(0)


def uniform(*shape: int) -> Any:
    return _rng.uniform(0.2, 0.9, shape)


def well(*shape: int) -> Any:
    """Well-conditioned matrices."""
    return _rng.normal(size=shape) / np.sqrt(shape[-1]) + 2.0 * np.eye(shape[-1])


_spd = _rng.normal(size=(300, 300))
_circulant = np.concatenate([[40.0], uniform(199)])
VALUES: dict[str, Any] = {
    "x": uniform(10_000), "y": uniform(10_000), "A": uniform(100, 80), "B": uniform(80, 60),
    "C": uniform(100, 80),
    "u": _rng.normal(size=10_000), "k": uniform(300), "h": uniform(80), "q": uniform(100), "s": 0.7, "t": 1.3,
    "G": well(100, 100), "P": _spd[:100] @ _spd[:100].T + np.eye(100), "Q": _spd @ _spd.T + np.eye(300),
    "T": well(60, 12, 12), "R": _rng.normal(size=(150, 60)),
    "V": uniform(4000, 3), "W": uniform(4000, 3), "K": uniform(40, 30), "L": uniform(50, 20), "p": uniform(8),
    "i": _rng.integers(0, 10_000, 10_000), "j": _rng.integers(0, 80, (100, 80)), "mask": uniform(10_000) > 0.5,
    "grid": np.sort(uniform(1000)), "z": uniform(4096) + 1j * uniform(4096), "S": uniform(20, 20, 20),
    "one": 1.0 + 0.001 * _rng.normal(size=10_000), "long": uniform(4096), "F": well(64, 64).reshape(8, 8, 8, 8),
    "g": uniform(8, 8), "Y": uniform(40, 1000), "D": uniform(3, 4000), "I": uniform(160, 160),
    "J": uniform(150, 5), "N": uniform(120, 5), "stable": 0.02 * _rng.normal(size=(40, 40)) - 0.5 * np.eye(40),
    "H": well(40, 40), "S40": (lambda m: m @ m.T + np.eye(40))(_rng.normal(size=(40, 40))), "rhs": uniform(40, 40),
    "b100": uniform(100), "bands": np.concatenate([uniform(1, 9000), 3.0 + uniform(1, 9000), uniform(1, 9000)]),
    "b9000": uniform(9000), "c200": _circulant, "b200": uniform(200), "count": _rng.integers(0, 6, 10_000),
    "bits": _rng.integers(0, 2, 10_000), "den": np.array([1.3, -0.5, 0.2]), "num": np.array([0.3, 0.2, 0.1]),
    "sos": np.array([[0.3, 0.2, 0.1, 1.0, -0.4, 0.1], [0.5, -0.2, 0.0, 1.0, 0.3, 0.0]]),
    "sections": np.array([[0.3, 0.2, 0.1, 1.0, -0.4, 0.1], [0.5, -0.2, 0.0, 1.0, 0.3, 0.0]]),
    "points": 6.0 + 50.0 * uniform(2, 1000), "knots": np.linspace(0.0, 1.0, 400), "values": uniform(400),
    "slopes": uniform(400), "table": uniform(400, 30), "simplex": np.array([0.2, 0.5, 0.3]), "M": uniform(500, 3),
    "mean3": uniform(3), "P3": np.eye(3) + 0.1, "scattered": uniform(200, 2), "at": uniform(300, 2),
    "heights": uniform(200), "pieces": uniform(4, 5000), "ends": np.linspace(0.0, 1.0, 5001),
    "axis40": np.linspace(0.0, 1.0, 40), "plane": uniform(40, 40),
    "rows": _rng.integers(0, 1000, 9000), "cols": _rng.integers(0, 1000, 9000), "stored": uniform(9000),
    "b1000": uniform(1000), "diagonal": np.arange(1000), "clamped": np.repeat([0.0, 1.0], 4),
    "times": np.linspace(0.0, 2.0, 30),
}  # fmt: skip
FIXED = {
    "i", "j", "mask", "grid", "count", "bits", "points", "knots", "simplex", "scattered", "at", "axis40", "rows",
    "cols", "diagonal", "ends", "times", "sections", "clamped",
}  # fmt: skip

#: an elementwise function of each argument, then one line for each of the others
NUMPY: list[str] = [
    *(f"np.{n}(x)" for n in (
        "sin", "cos", "tan", "exp", "expm1", "exp2", "log", "log2", "log10", "log1p", "sqrt", "cbrt", "square",
        "reciprocal", "tanh", "sinh", "cosh", "arcsin", "arccos", "arctan", "arcsinh", "arctanh", "absolute", "sinc",
        "i0", "degrees", "negative", "nan_to_num", "conjugate", "real", "unwrap",
    )),
    *(f"np.{n}(x, y)" for n in (
        "add", "subtract", "multiply", "divide", "power", "arctan2", "hypot", "maximum", "minimum", "logaddexp",
        "copysign", "fmod", "remainder", "float_power",
    )),
    "np.float64(x)", "np.float32(x)", "np.float16(x)", "np.longdouble(x)", "np.complex128(x)", "np.complex64(x)",
    "x * s", "x**2", "x**3", "x**s", "np.where(mask, x, y)", "np.clip(x, 0.3, 0.8)",
    "np.sum(A)", "np.sum(A, axis=0)", "np.mean(A, axis=1)", "np.prod(one)", "np.prod(A, axis=1)", "np.max(A, axis=1)",
    "np.min(x)", "np.ptp(A, axis=0)", "np.var(A, axis=1)", "np.std(x)", "np.average(A, axis=1, weights=h)",
    "np.median(A, axis=1)", "np.quantile(x, 0.3)", "np.percentile(A, 30, axis=1)", "np.nansum(A, axis=1)",
    "np.nanmean(A, axis=0)", "np.nanvar(A, axis=1)", "np.nanmax(A, axis=1)", "np.nanprod(A, axis=1)",
    "np.nanmedian(A, axis=1)", "np.cumsum(x)", "np.cumsum(A, axis=1)", "np.cumprod(one)", "np.cumprod(x)",
    "np.prod(x)", "np.cumprod(A, axis=1)",
    "np.nancumsum(A, axis=0)", "np.diff(x)", "np.diff(A, n=2, axis=0)", "np.ediff1d(x)", "np.gradient(x)",
    "np.gradient(A, axis=1)", "np.trapezoid(x)", "np.trapezoid(x, y)", "np.trapezoid(A, axis=1)",
    "np.interp(x, grid, k[:1] * np.ones(1000))", "np.interp(x, grid, np.sin(grid))", "np.cov(K)", "np.corrcoef(K)",
    "np.sort(x)", "np.sort(A, axis=1)", "np.partition(x, 1000)", "np.unique(x)", "np.take(x, i)",
    "np.take(A, [3, 5, 5], axis=1)", "np.take_along_axis(A, j, axis=1)", "np.compress(mask, x)", "np.extract(mask, x)",
    "np.select([mask], [x], y)", "np.choose(mask.astype(int), [x, y])", "x[i]", "x[mask]", "x[1:-1]", "A[:, ::2]",
    "np.bincount(i, x)", "np.histogram(i, 50, weights=x)[0]", "np.maximum.accumulate(u)", "np.logaddexp.reduce(x)",
    "np.add.reduceat(x, np.arange(0, 10_000, 100))", "np.multiply.outer(h, q)", "np.emath.logn(3.0, x)",
    "np.reshape(A, (80, 100))", "np.ravel(A)", "np.transpose(A)", "np.moveaxis(S, 0, 2)", "np.swapaxes(S, 0, 2)",
    "np.flip(A)", "np.roll(A, 3, axis=1)", "np.ix_(h)[0]", "np.rot90(A)", "np.tile(k, 100)", "np.repeat(A, 2, axis=1)",
    "np.pad(A, 3)", "np.pad(A, 3, mode='edge')", "np.pad(A, 3, mode='reflect')", "np.concatenate([x, y])",
    "np.stack([x, y])", "np.vstack([A, C])", "np.hstack([A, C])", "np.column_stack([x, y])", "np.split(A, 2)[0]",
    "np.broadcast_to(h, (100, 80))", "np.meshgrid(h, q)[0]", "np.insert(x, 50, s)", "np.delete(x, [3, 5])",
    "np.append(x, y)", "np.resize(x, (30, 400))", "np.tril(G)", "np.triu(G, 1)", "np.diag(G)", "np.diag(h)",
    "np.diagonal(S)", "np.trace(G)", "np.full((100, 80), s)", "np.linspace(s, t, 10_000)", "np.block([[A], [C]])",
    "A @ B", "A @ h", "h @ h", "np.matmul(T, T)", "np.dot(A, B)", "np.inner(A, C)", "np.outer(h, q)", "np.vdot(x, y)",
    "np.tensordot(S, S, axes=1)[0]", "np.einsum('ij,jk->ik', A, B)", "np.einsum('ij,ij->i', A, C)",
    "np.einsum('bij,bjk->bik', T, T)", "np.einsum('ij,jk,kl->il', K.T, K, K.T)",
    "np.einsum('ij,jk,kl->il', A, B, B.T, optimize=True)", "np.kron(K, L)", "np.cross(V, W)", "np.convolve(long, k)",
    "np.correlate(long, k)", "np.vander(h, 8)", "np.polyval(p, x)", "np.polyfit(grid, np.sin(grid) * s, 3)",
    "np.polymul(h, k)", "np.roots(p)", "np.vecdot(A, C)",
    "np.linalg.solve(G, G[0])", "np.linalg.solve(G, G)", "np.linalg.solve(T, T)", "np.linalg.inv(G)",
    "np.linalg.inv(T)",
    "np.linalg.det(G)", "np.linalg.slogdet(G)[1]", "np.linalg.cholesky(P)", "np.linalg.eigh(P)[0]",
    "np.linalg.eigh(P)[1]", "np.linalg.eigvalsh(P)", "np.linalg.eigvals(G)", "np.linalg.eig(P)[0]",
    "np.linalg.svd(R, full_matrices=False)[1]", "np.linalg.svd(R, full_matrices=False)[0]",
    "np.linalg.svd(R, compute_uv=False)", "np.linalg.qr(R)[1]", "np.linalg.qr(R)[0]", "np.linalg.pinv(R)",
    "np.linalg.lstsq(R, R[:, 0] * s + 0.1)[0]", "np.linalg.norm(x)", "np.linalg.norm(x, 1)", "np.linalg.norm(x, 3)",
    "np.linalg.norm(A, axis=1)", "np.linalg.norm(R, 2)", "np.linalg.norm(R, 'nuc')", "np.linalg.matrix_power(G, 5)",
    "np.linalg.multi_dot([A, B, B.T])", "np.linalg.cond(G)", "np.linalg.tensorsolve(F, g)", "np.linalg.tensorinv(F)",
    "np.fft.fft(z)", "np.fft.ifft(z)", "np.fft.rfft(long)", "np.fft.irfft(z)", "np.fft.fft2(A)", "np.fft.rfftn(S)",
    "np.fft.fftshift(x)",
    # what is left, so that each rule of NumPy's is here
    *(f"np.{n}(x)" for n in (
        "positive", "fabs", "deg2rad", "rad2deg", "radians", "array", "asarray", "asanyarray", "asarray_chkfinite",
        "ascontiguousarray", "asfortranarray", "atleast_1d", "atleast_2d", "atleast_3d", "copy", "flipud",
        "cumulative_sum", "squeeze", "real_if_close", "require", "unique_values",
        "sort_complex", "polyder", "polyint", "trim_zeros",
    )),
    *(f"np.{n}(x, y)" for n in ("fmax", "fmin", "logaddexp2", "nextafter", "polyadd", "polysub")),
    "np.arccosh(1.0 + x)", "np.angle(z)", "np.imag(z)", "np.modf(3.0 * x)[0]", "np.frexp(x)[0]", "np.ldexp(x, 3)",
    "np.divmod(x, 0.3)[1]", "np.heaviside(u, 0.5) * x", "np.cumulative_prod(one)", "np.nancumprod(one)",
    "np.amax(A, axis=1)", "np.amin(A, axis=1)", "np.nanmin(A, axis=1)", "np.nanstd(A, axis=1)",
    "np.nanquantile(A, 0.3, axis=1)", "np.nanpercentile(A, 30, axis=1)", "np.diagflat(h)", "np.full_like(A, s)",
    "np.logspace(s, t, 10_000)", "np.geomspace(s, t, 10_000)", "np.kaiser(5000, s)",
    "np.fromfunction(lambda i: s * i, (10_000,))",
    "np.histogram2d(i, i, 20, weights=x)[0]", "np.histogramdd(np.stack([i, i], axis=1), 20, weights=x)[0]",
    "np.histogram_bin_edges(x, 50)", "np.apply_along_axis(np.sort, 1, A)", "np.apply_over_axes(np.sum, S, [0, 2])",
    "np.piecewise(x, [mask], [np.sin, np.cos])", "np.unstack(K)[3]", "np.broadcast_arrays(h, C)[0]",
    "np.array_split(x, 3)[1]", "np.hsplit(A, 2)[1]", "np.vsplit(A, 2)[1]", "np.dsplit(S, 2)[1]", "np.dstack([A, C])",
    "np.row_stack([x, y])", "np.expand_dims(A, 1)", "np.fliplr(A)", "np.rollaxis(S, 2)", "np.matrix_transpose(T)",
    "np.linalg.matrix_transpose(T)", "A.flatten()", "x.item(5) * x", "np.union1d(x, y)", "np.intersect1d(x, y)",
    "np.setdiff1d(x, y)", "np.setxor1d(x, y)", "np.unique_all(x).values", "np.unique_counts(x).values",
    "np.unique_inverse(x).values", "np.poly(p)", "np.poly1d(p)(x)", "np.polydiv(k, p)[0]", "np.matvec(A, h)",
    "np.vecmat(q, A)", "np.linalg.svdvals(R)", "np.linalg.matrix_norm(R)", "np.linalg.vector_norm(A, axis=1)",
    "np.fft.fftn(S)", "np.fft.ifftn(S)", "np.fft.ifft2(A)", "np.fft.rfft2(A)", "np.fft.irfft2(np.fft.rfft2(A))",
    "np.fft.irfftn(np.fft.rfftn(S))", "np.fft.hfft(z)", "np.fft.ihfft(long)", "np.fft.ifftshift(x)",
    "np.add.reduce(A, axis=1)", "np.multiply.reduce(A, axis=1)", "np.maximum.reduce(A, axis=1)",
    "np.minimum.reduce(A, axis=1)", "np.add.accumulate(x)", "np.multiply.accumulate(one)", "np.add.outer(h, q)",
    "np.subtract.outer(h, q)", "np.linalg.cholesky(Q)", "np.stack(np.unstack(Y))", "np.repeat(V, 2, axis=0)",
    "np.repeat(x, np.arange(10_000) % 3)", "np.apply_along_axis(lambda r: r / np.sum(r), 1, A)",
    "np.lib.stride_tricks.sliding_window_view(x, 5)", "np.lib.stride_tricks.sliding_window_view(A, (3, 3))",
    "np.fromiter((v * v for v in k), float)",
    # along the other axis, and broadcast
    "np.sort(A, axis=0)", "np.partition(A, 20, axis=1)", "np.partition(A, 20, axis=0)", "np.cumsum(A, axis=0)",
    "np.cumprod(A, axis=0)", "np.prod(A, axis=0)", "np.max(A, axis=0)", "np.max(A)", "np.min(S, axis=(0, 2))",
    "np.mean(S, axis=1)", "np.sum(S, axis=(0, 2))", "np.var(A, axis=0)", "np.var(S, axis=(0, 2))", "np.std(A, axis=1)",
    "np.median(A, axis=0)", "np.median(x)", "np.quantile(A, [0.2, 0.5, 0.9], axis=0)", "np.percentile(x, [10, 50, 90])",
    "np.ptp(A, axis=1)", "np.ptp(x)",
    "np.average(A, axis=0, weights=q)", "np.trapezoid(A, axis=0)", "np.gradient(A, axis=0)", "np.diff(A, axis=0)",
    "np.maximum.accumulate(A, axis=0)", "np.maximum.accumulate(A, axis=1)",
    "np.add.reduceat(A, np.arange(0, 80, 8), axis=1)",
    "np.take(A, [3, 5, 5], axis=0)",
    "np.take(A, j[:, 0], axis=0)", "np.take(A, j[:, 0], axis=1)",
    "np.take_along_axis(A, j[:, :1], axis=1)", "A[[3, 5, 5]]", "A[:, [3, 5, 5]]",
    "A[[3, 5, 5], [1, 1, 2]]", "np.roll(A, 3)", "np.repeat(A, 3, axis=0)", "np.tile(A, (3, 2))", "np.tile(h, (50, 1))",
    "np.linalg.norm(A, axis=0)", "np.linalg.norm(S, axis=(1, 2))", "np.linalg.norm(A, 1, axis=0)",
    "np.linalg.norm(A, np.inf)", "np.linalg.norm(A, 1)", "np.fft.fft(A, axis=0)", "np.fft.rfft(A, axis=0)",
    "np.linalg.vector_norm(A, axis=0)", "np.linalg.det(T)", "np.linalg.slogdet(T)[1]",
    "np.linalg.cholesky(P3 + T[:, :3, :1] * 0.01 * np.eye(3))",
    "np.linalg.eigh(T)[0]", "np.linalg.eigh(T)[1]", "np.linalg.svd(T)[1]", "np.linalg.qr(T)[0]", "np.linalg.pinv(T)",
    *(f"A {o} {b}" for o in ("+", "-", "*", "/") for b in ("h", "q[:, None]", "s")),
    *(f"np.{n}(A, h)" for n in ("maximum", "minimum", "power", "arctan2", "hypot", "logaddexp")),
    "np.add.outer(h, q)", "h[:, None] * q", "np.where(A > h, A, h)", "np.where(A > 0.5, A, 0.0)",
    "np.matmul(T, T[0])", "np.matmul(T[0], T)", "np.matmul(T, T[0, 0])", "np.tensordot(S, S, axes=([0, 1], [0, 1]))",
    "np.einsum('ijk,k->ij', S, S[0, 0])", "np.einsum('i,j->ij', h, q)", "np.einsum('ii->i', G)", "np.cross(V, W[0])",
    "np.linalg.solve(T, T[0])", "np.linalg.solve(T, T[:, :, 0, None])", "np.linalg.solve(T[0], T)",
    # series, and draws
    *(f"np.polynomial.{m}.{f}" for m, f in (
        ("chebyshev", "chebval(x, p)"), ("hermite", "hermval(x, p)"), ("hermite_e", "hermeval(x, p)"),
        ("laguerre", "lagval(x, p)"), ("legendre", "legval(x, p)"), ("chebyshev", "chebvander(x, 5)"),
        ("hermite", "hermvander(x, 5)"), ("hermite_e", "hermevander(x, 5)"), ("laguerre", "lagvander(x, 5)"),
        ("legendre", "legvander(x, 5)"),
        *(("polynomial", f) for f in (
            "polyval(x, p)", "polyvander(x, 5)", "polyadd(x, y)", "polysub(x, y)", "polymul(h, k)", "polymulx(x)",
            "polyder(x)", "polyint(x)", "polydiv(k, p)[0]", "polypow(p, 5)", "polyroots(p)", "polyfromroots(p)",
            "polyvalfromroots(x, p)", "polyval2d(x, y, g)", "polygrid2d(h, q, g)", "polyfit(grid, np.sin(grid) * s, 3)",
        )),
    )),
    *(f"np.random.{n}(1.0 + x, y)" for n in ("normal", "uniform", "gumbel", "laplace", "logistic", "lognormal")),
    "np.random.gamma(2.0, 1.0 + x)",
    *(f"np.random.{n}(1.0 + x)" for n in ("exponential", "pareto", "power", "rayleigh", "weibull")),
    "np.random.vonmises(x, 2.0)", "np.random.triangular(x, 1.0 + x, 2.0 + x)",
    "np.random.multivariate_normal(mean3, np.eye(3), 2000)", "np.unwrap(3.0 * u)", "np.fft.rfftfreq(10_000, s)",
    "np.fft.fftfreq(10_000, s)",
]  # fmt: skip


def _each(form: str, names: str) -> list[str]:
    """A call of each of the functions."""
    return [form.replace("NAME", name) for name in names.split()]


SCIPY: list[str] = [
    # special functions of one argument, of a known order, of two and more
    *_each("special.NAME(x)", """
        bei beip ber berp cbrt cosdg cosm1 cotdg dawsn ellipe ellipk ellipkm1 entr erf erfc erfcinv erfcx erfi erfinv
        exp1 exp10 exp2 expi expit expm1 exprel gamma gammaln i0 i0e i1 i1e j0 j1 k0 k0e k1 k1e kei keip ker kerp
        lambertw log1p log_expit log_ndtr log_softmax loggamma logit logsumexp ndtr ndtri psi rgamma sindg softmax
        softplus spence tandg wofz wrightomega y0 y1
    """),
    *(f"special.{n}(x)[0]" for n in ("airy", "fresnel", "sici", "shichi")),
    *_each("special.NAME(2, x)", """
        jv yv iv kv jve yve ive kve jvp yvp ivp kvp yn kn expn struve modstruve spherical_jn spherical_yn spherical_in
        spherical_kn eval_chebyt eval_chebyu eval_hermite eval_hermitenorm eval_laguerre eval_legendre polygamma pdtr
        pdtrc
    """),
    *_each("special.NAME(x, y)", """
        beta betaln chdtr chdtrc ellipeinc ellipkinc elliprc gammainc gammaincc kl_div owens_t poch powm1 rel_entr
        stdtr xlog1py xlogy
    """),
    *_each("special.NAME(1.5, x)", """
        chdtr gammainc gammaincc gammaincinv gammainccinv huber hyp0f1 pseudo_huber stdtr stdtrit
    """),
    "special.gammaincinv(1.0 + y, x)", "special.stdtrit(3.0 + y, x)",
    "special.binom(4.0 + x, y)", "special.boxcox(x, 0.4)", "special.boxcox1p(x, 0.4)", "special.inv_boxcox(x, 0.4)",
    "special.inv_boxcox1p(x, 0.4)", "special.ellipj(x, y)[0]", "special.ellipj(x, 0.4)[2]", "special.ndtri_exp(-x)",
    "special.multigammaln(1.7 + x, 2)", "special.log_softmax(A, axis=1)", "special.softmax(A, axis=1)",
    "special.logsumexp(A, axis=1)", "special.zeta(2.3, x)", "special.hyp1f1(1.3, 2.1, x)",
    "special.hyperu(1.3, 2.1, x)",
    "special.hyp2f1(1.3, 2.1, 1.7, x)", "special.eval_genlaguerre(3, 1.3, x)", "special.eval_gegenbauer(3, 1.3, x)",
    "special.eval_jacobi(3, 1.3, 0.6, x)", "special.betainc(1.3, 2.1, x)", "special.betaincc(1.3, 2.1, x)",
    "special.betainc(1.0 + x, 2.0 + y, 0.4)", "special.betaincinv(1.3, 2.1, x)", "special.betainccinv(1.3, 2.1, x)",
    "special.betaincinv(1.0 + x, 2.0 + y, 0.4)",
    "special.gdtr(1.3, 1.7, x)", "special.gdtrc(1.3, 1.7, x)", "special.elliprf(x, y, 1.4)",
    "special.elliprd(x, y, 1.4)", "special.elliprg(x, y, 1.4)", "special.elliprj(x, y, 1.4, 0.7)",
    # linear algebra
    "linalg.solve(G, b100)", "linalg.solve(G, G)", "linalg.solve(P, b100, assume_a='pos')",
    "linalg.solve(P, P, assume_a='pos')", "linalg.solve(Q, Q, assume_a='pos')",
    "linalg.solve(P, b100, assume_a='sym')", "linalg.solve(G, G, assume_a='lower triangular')",
    "linalg.solve_triangular(G, b100, lower=True)", "linalg.solve_triangular(G, G, lower=True)",
    "linalg.inv(G)", "linalg.det(G)", "linalg.lu(Q)[2]", "linalg.lu_factor(Q)[0]",
    "linalg.lu_solve(linalg.lu_factor(Q), k)",
    "linalg.cholesky(P, lower=True)", "linalg.cholesky(Q, lower=True)",
    "linalg.cho_factor(Q)[0]", "linalg.cho_solve(linalg.cho_factor(Q), Q)",
    "linalg.cho_solve(linalg.cho_factor(Q), k)",
    "linalg.eigh(P)[0]", "linalg.eigh(P)[1]", "linalg.eigvalsh(P)",
    "linalg.eigvalsh(P, P + np.eye(100))", "linalg.eigvals(G)", "linalg.eig(P)[0]",
    "linalg.svd(R, full_matrices=False)[1]", "linalg.svd(R, full_matrices=False)[0]", "linalg.svdvals(R)",
    "linalg.qr(R, mode='economic')[0]", "linalg.qr(R, mode='economic')[1]", "linalg.qr(R, mode='r')[0]",
    "linalg.qr_multiply(R, R.T)[0]", "linalg.rq(G)[0]", "linalg.polar(Q)[0]", "linalg.polar(R)[1]",
    "linalg.orthogonal_procrustes(R, R[::-1])[0]", "linalg.pinv(R)", "linalg.pinvh(P)",
    "linalg.lstsq(R, R[:, 0] * s + 0.1)[0]", "linalg.norm(A)", "linalg.norm(G, 2)", "linalg.norm(A, 1)",
    "linalg.solve_banded((1, 1), bands, b9000)", "linalg.solveh_banded(bands[:2], b9000)",
    "linalg.cho_solve_banded((bands[:2], False), b9000)",
    "linalg.toeplitz(k)", "linalg.hankel(k)", "linalg.circulant(k)", "linalg.fiedler(k)", "linalg.companion(k)",
    "linalg.leslie(k, k[:-1])", "linalg.convolution_matrix(k, 60)", "linalg.khatri_rao(A, A)",
    "linalg.block_diag(A, B)", "linalg.solve_toeplitz(c200, b200)", "linalg.solve_circulant(c200, b200)",
    "linalg.matmul_toeplitz(c200, b200)", "linalg.expm(H)", "linalg.expm_frechet(H, rhs)[1]", "linalg.logm(H)",
    "linalg.sqrtm(S40)", "linalg.cosm(H)", "linalg.sinm(H)", "linalg.tanm(0.1 * H)", "linalg.coshm(H)",
    "linalg.sinhm(H)", "linalg.tanhm(H)", "linalg.signm(H)", "linalg.fractional_matrix_power(S40, 0.3)",
    "linalg.solve_sylvester(H, H.T, rhs)", "linalg.solve_continuous_lyapunov(stable, rhs)",
    "linalg.solve_discrete_lyapunov(stable, rhs)", "linalg.solve_continuous_are(stable, rhs, S40, S40)",
    "linalg.solve_discrete_are(stable, rhs, S40, S40)",
    # transforms
    *_each("fft.NAME(z)", "fft ifft irfft hfft fftshift ifftshift"), *_each("fft.NAME(long)", "rfft ihfft"),
    *_each("fft.NAME(A)", "fft2 ifft2 rfft2"), *_each("fft.NAME(S)", "fftn ifftn rfftn"),
    "fft.irfft2(fft.rfft2(A))", "fft.irfftn(fft.rfftn(S))", *_each("fft.NAME(long)", "dct idct dst idst"),
    *_each("fft.NAME(A)", "dctn idctn dstn idstn"), "fft.fht(long, 0.01, 1.5)", "fft.ifht(long, 0.01, 1.5)",
    "fft.fft(A, axis=0)",
    # distributions
    *(
        f"stats.{n}.{m}(x, {loc})"
        for n, loc in (
            ("norm", "s, t"), ("laplace", "s, t"), ("logistic", "s, t"), ("cauchy", "s, t"), ("expon", "0.1, t"),
            ("uniform", "0.1, 1.3"),
        ) for m in ("pdf", "logpdf", "cdf", "logcdf", "sf", "logsf", "ppf", "isf")
    ),
    *(
        f"stats.{n}.{m}({'1.0 + ' * (n == 'pareto' and m not in ('ppf', 'isf'))}x, {shape})"
        for n, shape in (
            ("t", "3.7"), ("gamma", "1.7"), ("chi2", "3.7"), ("lognorm", "0.7"), ("weibull_min", "1.7"),
            ("pareto", "3.7"), ("beta", "1.7, 2.4"),
        ) for m in ("pdf", "logpdf", "cdf", "logcdf", "sf", "logsf", "ppf", "isf")
    ),
    *(
        f"stats.{n}.{m}(x, {shape})"
        for n, shape in (("gamma", "2.0 * t"), ("t", "3.0 * t"), ("beta", "t, 2.0 * t"), ("lognorm", "t"))
        for m in ("logpdf", "cdf", "ppf")
    ),
    *(f"stats.{n}.{m}(x, y)" for n in ("norm", "laplace", "logistic", "expon", "uniform")
      for m in ("mean", "var", "std", "entropy")),
    "stats.cauchy.entropy(x, y)",
    *(f"stats.{n}.{m}(5.0 + x)" for n in ("t", "gamma", "chi2", "lognorm", "weibull_min", "pareto")
      for m in ("mean", "var", "std", "entropy")),
    *(f"stats.beta.{m}(1.0 + x, y)" for m in ("mean", "var", "std", "entropy")),
    *(f"stats.poisson.{m}(count, 1.0 + x)" for m in ("pmf", "logpmf", "cdf", "logcdf", "sf", "logsf")),
    *(f"stats.binom.{m}(count, 8, x)" for m in ("pmf", "logpmf", "cdf", "logcdf", "sf", "logsf")),
    *(f"stats.nbinom.{m}(count, 8, x)" for m in ("pmf", "logpmf", "cdf", "sf")),
    *(f"stats.{n}(x)" for n in ("poisson.mean", "poisson.var", "poisson.std")),
    *(f"stats.{n}.{m}(8, x)" for n in ("binom", "nbinom") for m in ("mean", "var", "std")),
    *(f"stats.bernoulli.{m}(bits, x)" for m in ("pmf", "logpmf")),
    *(f"stats.geom.{m}(count + 1, x)" for m in ("pmf", "logpmf")),
    *(f"stats.multivariate_normal.{m}(V, mean3, P3)" for m in ("pdf", "logpdf")),
    "stats.multivariate_normal.entropy(cov=P)", "stats.dirichlet.logpdf(simplex, 1.0 + mean3)",
    "stats.dirichlet.pdf(simplex, 1.0 + mean3)", "stats.dirichlet.mean(b1000)", "stats.dirichlet.var(b1000)",
    "stats.dirichlet.entropy(b1000)",
    # samples
    *_each("stats.NAME(A, axis=1)", """
        gmean hmean gstd sem variation skew kurtosis entropy iqr tmean tvar tstd median_abs_deviation zscore gzscore
        circmean circstd circvar
    """),
    *_each("stats.NAME(x)", "gmean hmean gstd sem variation skew kurtosis entropy tmean tvar tstd zscore circmean"),
    "stats.pmean(A, 1.5, axis=1)", "stats.zmap(A, C, axis=1)", "stats.moment(A, 3, axis=1)",
    "stats.entropy(A, C, axis=1)", "stats.trim_mean(A, 0.2, axis=1)", "stats.boxcox(x, 0.4)",
    "stats.boxcox_llf(0.4, x)", "stats.yeojohnson(u, 0.4)", "stats.pearsonr(x, y)[0]", "stats.linregress(x, y)[0]",
    "stats.gaussian_kde(k)(b100)",
    # signals
    "signal.convolve(long, k)", "signal.fftconvolve(long, k)", "signal.oaconvolve(long, k)",
    "signal.correlate(long, k)", "signal.convolve(I, g)", "signal.convolve2d(I, g)",
    "signal.convolve2d(I, g, 'same', 'symm')", "signal.correlate2d(I, g)", "signal.lfilter(num, den, long)",
    "signal.lfilter(num, [1.0], long)",
    "signal.lfilter(k, [1.0], long)", "signal.lfilter([0.3, 0.2], [1.0, -0.4], A, axis=0)",
    "signal.lfilter_zi(num, den)", "signal.sosfilt(sections, long)", "signal.sosfilt_zi(sos)",
    "signal.filtfilt([0.3, 0.2], [1.0, -0.4], long)", "signal.filtfilt(num, den, long)",
    "signal.sosfiltfilt(sections, long)", "signal.hilbert(long)", "signal.detrend(long)",
    "signal.detrend(A, axis=0)", "signal.savgol_filter(long, 11, 3)", "signal.resample(long, 3000)",
    "signal.resample_poly(long, 3, 2)", "signal.upfirdn(h, long, 3, 2)", "signal.decimate(long, 4)",
    "signal.chirp(x, 1.2, 2.0, 3.1)", "signal.chirp(x, s, 2.0, t)",
    "signal.welch(long, nperseg=256)[1]", "signal.csd(long, long[::-1], nperseg=256)[1]",
    "signal.coherence(long, long[::-1], nperseg=256)[1]", "signal.periodogram(long)[1]",
    "signal.spectrogram(long, nperseg=256)[2]", "signal.stft(long, nperseg=256)[2]",
    "signal.istft(z.reshape(64, 64))[1]", "signal.freqz(num, den, 2000)[1]", "signal.freqs(num, den, x)[1]",
    "signal.freqz_sos(sos, 2000)[1]", "signal.sosfreqz(sos, 2000)[1]", "signal.group_delay((num, den), 2000)[1]",
    "signal.zpk2tf(k[:30], k[30:60], s)[0]", "signal.medfilt(long, 5)", "signal.medfilt2d(I, 5)",
    "signal.wiener(I, 5)",
    "signal.windows.gaussian(5000, 1000.0 * s)", "signal.windows.general_gaussian(5000, t, 1000.0 * s)",
    "signal.windows.general_hamming(5000, s)", "signal.windows.kaiser(5000, t)", "signal.windows.tukey(5000, s)",
    "signal.windows.exponential(5000, tau=1000.0 * s)", "signal.windows.general_cosine(5000, mean3)",
    # images
    *(f"ndimage.{n}(I, g, mode='{m}')" for n in ("convolve", "correlate") for m in ("reflect", "constant", "wrap")),
    *_each("ndimage.NAME(I, g[0])", "convolve1d correlate1d"), "ndimage.correlate1d(I, g[0], axis=0)",
    *_each("ndimage.NAME(I, 1.5)", """
        gaussian_filter gaussian_filter1d gaussian_laplace gaussian_gradient_magnitude
    """),
    "ndimage.gaussian_filter(I, 1.5, mode='constant')",
    *_each("ndimage.NAME(I, 5)", """
        uniform_filter uniform_filter1d maximum_filter minimum_filter maximum_filter1d minimum_filter1d median_filter
        grey_erosion grey_dilation grey_opening grey_closing morphological_gradient morphological_laplace white_tophat
        black_tophat
    """),
    "ndimage.percentile_filter(I, 30, 5)", "ndimage.rank_filter(I, 3, 5)",
    *_each("ndimage.NAME(I)", "laplace prewitt sobel center_of_mass spline_filter1d"),
    "ndimage.map_coordinates(I, points, order=1)", "ndimage.map_coordinates(I, points)",
    "ndimage.shift(I, 1.3, order=1)", "ndimage.shift(I, t)", "ndimage.zoom(I, 2)", "ndimage.zoom(I, 1.5, order=1)",
    "ndimage.rotate(I, 17.3)", "ndimage.affine_transform(I, np.array([[0.9, 0.2], [-0.1, 1.1]]))",
    *_each("ndimage.NAME(z.reshape(64, 64), 2)", "fourier_gaussian fourier_shift fourier_uniform fourier_ellipsoid"),
    # distances
    *(f"spatial.distance.{n}(x, y)" for n in (
        "euclidean", "sqeuclidean", "cityblock", "chebyshev", "canberra", "braycurtis", "cosine", "correlation",
        "jensenshannon", "minkowski",
    )),
    "spatial.distance.seuclidean(x, y, x + 1.0)", "spatial.distance.mahalanobis(b100, q, P)",
    *(f"spatial.distance.cdist(J, N, '{m}')" for m in (
        "euclidean", "sqeuclidean", "cityblock", "chebyshev", "canberra", "braycurtis", "cosine", "correlation",
        "minkowski",
    )),
    "spatial.distance.cdist(A, C)", "spatial.distance.cdist(A, C, 'sqeuclidean')",
    "spatial.distance.cdist(A, C, 'cityblock')",
    *(f"spatial.distance.pdist(J{m})" for m in ("", ", 'sqeuclidean'", ", 'cityblock'", ", 'cosine'")),
    "spatial.distance.squareform(k)",
    # integrals, interpolation
    "integrate.trapezoid(x)", "integrate.simpson(x)", "integrate.simpson(A, axis=0)",
    "integrate.simpson(values, x=knots)", "integrate.cumulative_trapezoid(x)", "integrate.cumulative_simpson(x)",
    "integrate.cumulative_simpson(A, axis=0)", "integrate.romb(long[:2049])",
    "interpolate.CubicSpline(knots, values)(b1000)", "interpolate.CubicSpline(knots, table)(b1000)",
    "interpolate.PchipInterpolator(knots, values)(b1000)", "interpolate.pchip_interpolate(knots, values, b1000)",
    "interpolate.Akima1DInterpolator(knots, values)(b1000)",
    "interpolate.CubicHermiteSpline(knots, values, slopes)(b1000)", "interpolate.PPoly(pieces, ends)(b1000)",
    "interpolate.PPoly(pieces, ends).integrate(0.1, s)", "interpolate.make_interp_spline(knots, values)(b1000)",
    "interpolate.BSpline(np.linspace(-0.1, 1.1, 404), values, 3)(b1000)",
    "interpolate.BSpline(np.linspace(-0.1, 1.1, 404), values, 3).integrate(0.1, s)",
    "interpolate.interp1d(knots, values)(b1000)",
    "interpolate.RegularGridInterpolator((axis40, axis40), plane)(at)",
    "interpolate.interpn((axis40, axis40), plane, at)",
    "interpolate.RBFInterpolator(scattered, heights)(at)",
    "interpolate.griddata(scattered, heights, at, fill_value=0.0)",
    "interpolate.LinearNDInterpolator(scattered, heights, 0.0)(at)",
    "interpolate.NearestNDInterpolator(scattered, heights)(at)",
    "interpolate.splev(b1000, interpolate.splrep(knots, np.sin(knots)))",
    "interpolate.RectBivariateSpline(axis40, axis40, np.outer(axis40, axis40)).ev(b1000, b1000)",
    "interpolate.bisplev(0.3 * s, 0.5 * t, (clamped, clamped, np.arange(16.0), 3, 3))",
    # sparse matrices
    "sparse.csr_array((stored, (rows, cols)), shape=(1000, 1000)) @ b1000",
    "sparse.csc_array((stored, (rows, cols)), shape=(1000, 1000)) @ b1000",
    "sparse.coo_array((stored, (rows, cols)), shape=(1000, 1000)).dot(b1000)",
    "b1000 @ sparse.csr_array((stored, (rows, cols)), shape=(1000, 1000))",
    "sparse.linalg.spsolve(sparse.csc_array((4.0 + b1000, (diagonal, diagonal)), shape=(1000, 1000)), b1000)",
    # what takes functions
    "integrate.quad(lambda v: np.exp(-s * v * v), 0.0, t)[0]",
    "integrate.fixed_quad(lambda v: np.exp(-s * v * v), 0.0, t, n=20)[0]",
    "integrate.quad_vec(lambda v: np.exp(-h * v), 0.0, 1.0)[0]",
    "integrate.nquad(lambda v, r: np.exp(-s * v * r), [(0.0, 1.0), (0.0, t)])[0]",
    "optimize.lsq_linear(R, R[:, 0] * s).x",
    "fft.hfftn(A + 0.1j)", "fft.hfft2(A + 0.1j)", "fft.ihfftn(A)", "fft.ihfft2(A)", "linalg.orth(R)",
    "signal.savgol_coeffs(201, 3, 1, s)",
    "integrate.dblquad(lambda v, r: np.exp(-s * v * r), 0.0, 1.0, 0.0, 1.0)[0]",
    "integrate.tplquad(lambda v, r, e: np.exp(-s * v * r * e), 0.0, 1.0, 0.0, 1.0, 0.0, 1.0)[0]",
    "integrate.odeint(lambda v, r: -s * v, mean3, times)",
    "integrate.solve_ivp(lambda r, v: -s * v, (0.0, 2.0), mean3).y[:, -1]",
    *_each("optimize.NAME(lambda v: v**3 - s * v - t, 0.1, 9.0)", "bisect brenth brentq ridder toms748"),
    "optimize.newton(lambda v: v**3 - s * v - t, 2.0)", "optimize.root_scalar(lambda v: v**3 - s * v - t, x0=2.0).root",
    "optimize.fixed_point(lambda v: np.cos(s * v), 0.5)",
    "optimize.fsolve(lambda v: H @ v + np.tanh(s * v) - 1.0, np.ones(40))",
    "optimize.root(lambda v: H @ v + s * v**3 - 1.0, np.ones(40)).x",
    "optimize.minimize(lambda v: v @ S40 @ v - s * np.sum(v), np.ones(40)).x",
    "optimize.minimize_scalar(lambda v: (v - s) ** 2 + t * v**4).x", "optimize.nnls(np.abs(R), R[:, 0] * s + 0.1)[0]",
    "optimize.least_squares(lambda v: R @ v - s, np.ones(60)).x",
    "optimize.curve_fit(lambda r, a, b: a * np.exp(-b * r), grid, np.exp(-s * grid))[0]",
]  # fmt: skip

CALLS = NUMPY + SCIPY
