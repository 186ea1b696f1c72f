"""The calls on which the rules of SciPy's functions of numbers and matrices, its transforms, its statistics and its
integrals are tested; see test_scipy.py. Those of one or two arguments that work by elements need none."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.rules.cases import Case, K, a, s, spd
from tests.versions import since

#: calls of functions that are not elementwise in two arguments at most
CASES: dict[str, list[Case]] = {
    "scipy.special.polygamma": [K(1, a(3)), K(0, 0.7)],
    "scipy.special.betainc": [K(1.3, 2.1, a(3)), K(1.0 + a(3), 2.0 + a(3), a(2, 3)), K(8.3, 2.1, 0.9)],
    "scipy.special.betaincinv": [K(1.3, 2.1, a(3)), K(8.3, 2.1, 0.6)],
    "scipy.special.hyp1f1": [K(1.3, 2.1, a(3), _={"inactive": (0, 1)})],
    "scipy.special.hyp2f1": [K(1.3, 2.1, 1.7, 0.8 * a(3), _={"inactive": (0, 1, 2)})],
    "scipy.special.zeta": [K(2.3, a(3), _={"inactive": (0,)})],
    "scipy.signal.savgol_coeffs": [K(5, 2, 1, 0.7), K(5, 3, 2, 0.7, use="dot")],
    "scipy.special.lambertw": [K(a(3))],
    "scipy.special.logsumexp": [K(a(4)), K(a(2, 3)), K(a(2, 3), axis=1), K(a(2, 3), axis=0, keepdims=True)],
    "scipy.special.softmax": [K(a(4)), K(a(2, 3), axis=1), K(a(2, 3))],
    "scipy.special.log_softmax": [K(a(4)), K(a(2, 3), axis=1), K(a(2, 3))],
    "scipy.special.binom": [K(a(3) + 3.0, a(3))],
    "scipy.special.poch": [K(a(3), a(3))],
    "scipy.special.huber": [K(0.5, np.array([-0.9, -0.2, 0.3, 1.1]))],
    "scipy.special.pseudo_huber": [K(0.5, np.array([-0.9, -0.2, 0.3, 1.1]))],
    "scipy.special.erfcinv": [K(a(3))],
    "scipy.special.ellipkinc": [K(a(3), 0.4), K(np.array([-4.0, 2.0, 9.0]), a(3)), K(0.7, -0.4)],
    "scipy.special.ellipeinc": [K(a(3), 0.4), K(np.array([-4.0, 2.0, 9.0]), a(3)), K(0.7, -0.4)],
    "scipy.special.ellipj": [K(a(3), 0.4), K(0.5, 0.3), K(np.array([-4.0, 2.0, 9.0]), a(3))],
    "scipy.special.elliprf": [K(a(3), 0.3 + a(3), 1.4), K(0.5, a(2, 3), 1.7)],
    "scipy.special.elliprd": [K(a(3), 1.1 + a(3), 2.4), K(0.2, a(2, 3) + 0.3, 1.7)],
    "scipy.special.elliprg": [K(a(3), 1.3 + a(3), 2.6), K(0.2, a(2, 3) + 0.3, 1.7)],
    "scipy.special.elliprj": [K(a(3), 1.1 + a(3), 2.4, 3.1), K(0.2, a(2, 3) + 0.3, 1.7, 0.1)],
    "scipy.special.elliprc": [K(a(3), 1.3 + a(3)), K(0.5, 0.4)],
}  # fmt: skip

#: two arguments, of which the first, or the second, has no derivative
ORDERS = [
    "jv",
    "yv",
    "yn",
    "kn",
    "iv",
    "kv",
    "ive",
    "kve",
    "expn",
    "eval_hermite",
    "eval_hermitenorm",
    "eval_chebyt",
    "eval_chebyu",
]
FIRST_FIXED = ["hyp0f1"]
for _name in ORDERS:
    CASES["scipy.special." + _name] = [K(2, a(3)), K(2, 0.7)]
for _name in FIRST_FIXED:
    CASES["scipy.special." + _name] = [K(1.7, a(3), _={"inactive": (0,)}), K(1.7, a(2, 3), _={"inactive": (0,)})]
for _name in ("gammainc", "gammaincc", "gammaincinv", "gammainccinv", "stdtr", "chdtr", "chdtrc"):
    CASES["scipy.special." + _name] = [K(1.7, a(3)), K(1.0 + a(3), a(2, 3)), K(3.7, 0.4), K(0.4, 0.9)]
for _name in ("norm", "laplace", "logistic", "cauchy", "expon", "uniform", "halfnorm", "halfcauchy"):
    for _method in ["logpdf", "pdf", "cdf", "sf", "logcdf", "logsf", "ppf", "isf"]:
        CASES[f"scipy.stats.{_name}.{_method}"] = [
            K(a(3), -0.3, 2.7), K(a(3)), K(0.4, a(2) * -0.2, a(2) + 2.0), K(a(3), _={"inactive": ()}, scale=2.3)
        ]  # fmt: skip
_stable = np.diag([0.3, -0.5, 0.6]) + 0.1 * a(3, 3)
CASES["scipy.linalg.expm_frechet"] = [K(a(3, 3), a(3, 3), compute_expm=False), K(a(2, 2), a(2, 2))]
CASES["scipy.linalg.sqrtm"] = [K(spd(3))]
CASES["scipy.linalg.solve_triangular"] = [
    K(spd(3), a(3)), K(spd(3), a(3, 2), lower=True), K(spd(3), a(3), 1), K(spd(3), a(3), "T", True, True)
]  # fmt: skip
CASES["scipy.linalg.orth"] = [K(a(4, 3)), K(a(2, 4))]
CASES["scipy.linalg.solve_sylvester"] = [K(spd(3), spd(2), a(3, 2))]
CASES["scipy.linalg.solve_continuous_lyapunov"] = [K(spd(3), a(3, 3))]
CASES["scipy.linalg.solve_discrete_lyapunov"] = [K(_stable, a(3, 3))]
CASES["scipy.linalg.cholesky"] = [K(spd(3)), K(spd(3), lower=True)]
for _name in ("fft", "ifft", "rfft", "irfft"):
    CASES["scipy.fft." + _name] = [K(a(4)), K(a(5), 7), K(a(2, 4), axis=0), K(a(4), norm="ortho")]
for _name in ("fftn", "ifftn", "fft2", "ifft2"):
    CASES["scipy.fft." + _name] = [K(a(3, 4)), K(a(3, 4), (4, 5), (0, 1))]
for _name in ("hfftn", "hfft2"):
    CASES["scipy.fft." + _name] = [K(a(3, 4) + 0.3j), K(a(3, 4) + 0.3j, (2, 5), norm="ortho")]
for _name in ("ihfftn", "ihfft2"):
    CASES["scipy.fft." + _name] = [K(a(3, 4)), K(a(3, 4), (4, 5), (0, 1), "forward")]
for _name in ("dct", "idct", "dst", "idst"):
    _orthogonal = since("scipy", "1.12") or _name.endswith("ct")
    CASES["scipy.fft." + _name] = [
        *((K(a(4), norm="ortho"), K(a(5), 3, norm="ortho"), K(a(2, 4), axis=0, norm="ortho")) if _orthogonal else ()),
        *((K(a(4), 1, norm="ortho"),) if _orthogonal else ()),
        *(K(a(5), t) for t in (1, 2, 3, 4)), K(a(5), 2, 7), K(a(6), 3, 4), K(a(4, 2), axis=0, norm="forward"),
        K(a(2, 5), 1, axis=1, norm="backward"), K(a(5), 1, norm="forward"),
    ]  # fmt: skip
    CASES["scipy.fft." + _name + "n"] = [
        *((K(a(3, 4), norm="ortho"),) if _orthogonal else ()), K(a(3, 4)), K(a(3, 4), 3, (4, 3)),
        K(a(3, 4, 2), 2, axes=(0, 1), norm="forward"),
        K(a(3, 4, 2), 4, (5, 3), (1, 2)),
    ]  # fmt: skip
for _name in ("hfft", "ihfft"):
    CASES["scipy.fft." + _name] = [K(a(4)), K(a(5), 7), K(a(2, 4), axis=0), K(a(4), norm="ortho")]
for _name in ("rfftn", "irfftn", "rfft2", "irfft2"):
    CASES["scipy.fft." + _name] = [K(a(3, 4)), K(a(3, 4), (4, 5), (0, 1)), K(a(3, 4), norm="ortho")]
for _name in ("fht", "ifht"):
    CASES["scipy.fft." + _name] = [
        K(a(6), 0.3, 1.5, _={"inactive": (1, 2)}), K(a(2, 5), 0.3, 0.5, 0.2, _={"inactive": (1, 2, 3)})
    ]  # fmt: skip
for _name in ("fftshift", "ifftshift"):
    CASES["scipy.fft." + _name] = [K(a(4)), K(a(5))]
CASES["scipy.integrate.trapezoid"] = [K(a(4)), K(a(4), np.array([0.0, 0.3, 0.5, 1.1]))]
for _name in ("boxcox", "boxcox1p"):
    CASES["scipy.special." + _name] = [K(a(3), 0.4, _={"inactive": (1,)})]


def on(module: str, names: str, *cases: Case, **options: Any) -> None:
    """Set the cases of functions of a module."""
    for case in cases:
        case.options.update(options)
    for name in names.split():
        CASES.setdefault(f"scipy.{module}.{name}", []).extend(cases)


def near_identity(n: int) -> Any:
    """A matrix whose functions are smooth."""
    return np.eye(n) + 0.3 * a(n, n, low=-0.5)


def apart(n: int, m: int) -> Any:
    """A matrix whose singular vectors have the same signs in float32."""
    return np.eye(n, m) * np.array([4.0, 2.0, 1.0]) + 0.2 * a(n, m)


def general(n: int, m: int) -> Any:
    """A matrix with signs, of full rank."""
    return a(n, m, low=-0.9) + 2.0 * np.eye(n, m)


# -- special functions that have a series near 0 -----------------------------------------------------------------------

on("special", "j1 i1 i1e", K(0.7), K(0.004), K(a(2, 3)), K(np.array([-0.007, 0.003, 0.0105, -3.0, 9.0])))

# -- linalg ------------------------------------------------------------------------------------------------------------

on("linalg", "inv det", K(spd(3)))
on("linalg", "expm", K(a(3, 3)), *([K(a(2, 3, 3))] if since("scipy", "1.15") else ()))
on("linalg", "logm cosm sinm tanm coshm sinhm tanhm", K(near_identity(3)))
on("linalg", "fractional_matrix_power", K(spd(3), 0.3), inactive=(1,))
on(
    "linalg", "solve",
    K(spd(3), a(3)), K(spd(3), a(3, 2)), K(spd(3), a(3), assume_a="pos"), K(spd(3), a(3, 2), assume_a="sym"),
    K(spd(3), a(3), lower=True, assume_a="sym"), K(spd(3), a(3), True, assume_a="pos"),
    K(general(3, 3), a(3), transposed=True), K(general(3, 3), a(3, 2), transposed=True),
)  # fmt: skip
on("linalg", "cho_factor", K(spd(3)), reads={0: "np.triu(y0)"})
on("linalg", "cho_factor", K(spd(3), lower=True), K(spd(3), True), reads={0: "np.tril(y0)"})
on("linalg", "cho_solve", K((a(3, 3) + np.eye(3), False), a(3)), K((a(3, 3) + np.eye(3), True), a(3, 2)))
on("linalg", "lu_factor", K(general(3, 3)))
on("linalg", "lu", K(general(3, 3)[[1, 2, 0]]), K(general(3, 3)[[1, 2, 0]], True))
_piv = np.array([1, 2, 2], dtype=np.int32)
on(
    "linalg", "lu_solve",
    K((general(3, 3), _piv), a(3)), K((general(3, 3), _piv), a(3, 2), 1), K((general(3, 3), _piv), a(3, 2), trans=0),
)  # fmt: skip
_symmetric = np.diag([1.0, 2.0, 4.0]) + 0.3 * a(3, 3)
on(
    "linalg", "eigh",
    K(_symmetric, driver="evd"), K(_symmetric, lower=False, driver="evd"),
    K(spd(3), spd(3)), K(spd(3), spd(3), lower=False),
    K(spd(3), eigvals_only=True), K(spd(3), spd(3), eigvals_only=True),
)  # fmt: skip
on("linalg", "eigvalsh", K(spd(3)), K(spd(3), spd(3)), K(spd(3), spd(3), lower=False), K(spd(3), lower=False))
on("linalg", "eigvals", K(np.diag([1.0, 2.0, 4.0]) + 0.2 * a(3, 3)))
on("linalg", "eig", K(np.diag([1.0, 2.0, 4.0]) + 0.2 * a(3, 3)), skip=(1,), known_only=True)
on(
    "linalg", "svd",
    K(apart(3, 3)), K(apart(4, 3), full_matrices=False), K(apart(2, 3), False), K(general(4, 3), compute_uv=False),
)  # fmt: skip
on("linalg", "svdvals", K(general(4, 3)), K(general(2, 3)))
on("linalg", "qr", K(general(3, 3)), K(general(4, 3), mode="economic"))
on("linalg", "polar", K(general(3, 3)), K(general(4, 3)), K(general(3, 3), side="left"), K(general(2, 3), "left"),
   K(general(2, 3)), K(general(4, 3), side="left"))
on("linalg", "orthogonal_procrustes", K(general(4, 3), general(4, 3)))
on("linalg", "pinv", K(general(3, 3)), K(general(4, 3)), K(general(2, 3)))
on("linalg", "lstsq", K(general(4, 3), a(4)), K(general(4, 3), a(4, 2)), skip=(1, 2, 3))
on("linalg", "norm", K(s(4)), K(s(3, 3)), K(s(3, 4), axis=1), K(s(3, 4), 1, 0, True))
on("linalg", "norm", K(np.array([0.3, -1.2, 0.7]), np.inf))
_band = np.array([[0.0, 0.3, 0.2, 0.4], [2.0, 3.0, 2.5, 2.2], [0.4, 0.1, -0.3, 0.2], [0.1, 0.2, 0.0, 0.0]])
on("linalg", "solve_banded", K((2, 1), _band, a(4)), K((2, 1), _band, a(4, 2)), K((1, 1), _band[:3], a(4)))
on("linalg", "solveh_banded", K(_band[:2], a(4)), K(_band[1:], a(4, 2), lower=True), K(_band[1:3], a(4), lower=True))
on("linalg", "toeplitz hankel", K(a(4)), K(a(3), a(4)), K(a(4), a(2)))
on("linalg", "circulant fiedler", K(a(4)))
on("linalg", "companion", K(1.0 + a(4)))
on("linalg", "leslie", K(a(4), a(3)))
on("linalg", "khatri_rao", K(a(2, 3), a(4, 3)))
on("linalg", "block_diag", K(a(2, 3), a(1, 2)), K(a(2, 2), a(3), a(2, 1)))
_first = np.array([3.0, 0.4, -0.5, 0.2])
on("linalg", "solve_toeplitz", K(_first, a(4)), K((_first, _first[::-1] * 0.3 + np.eye(4)[0] * 2.94), a(4)),
   K((_first, a(4)), a(4)))


if since("scipy", "1.15"):
    on(
        "linalg", "solve",
        *(K(general(3, 3), a(3, 2), assume_a=f"{which} triangular") for which in ("lower", "upper")),
        *(K(general(3, 3), a(3), assume_a=which) for which in ("diagonal", "tridiagonal", "banded")),
        K(general(3, 3), a(3, 2), assume_a="diagonal"),
    )  # fmt: skip
on("linalg", "qr", K(general(3, 3), mode="r"), K(general(4, 3), mode="r"), K(general(2, 3), mode="r"))
on("linalg", "qr", K(general(3, 3), pivoting=True), K(general(4, 3), mode="economic", pivoting=True))
on("linalg", "rq", K(general(3, 3)), K(general(2, 3), mode="economic"), K(general(3, 3), mode="r"))
on("linalg", "qr_multiply", K(general(4, 3), a(3, 2), "left"), K(general(4, 3), a(4)), K(general(3, 3), a(2, 3)))
on("linalg", "pinvh", K(spd(3)), K(spd(3), lower=False))
on("linalg", "signm", K(np.diag([1.5, -2.0, 0.9]) + 0.2 * a(3, 3)))
_row = np.array([0.7, -0.2, 0.4])
on("linalg", "matmul_toeplitz", K(a(4), a(4)), K((a(4), _row), a(3, 2)))
on("linalg", "solve_circulant", K(np.array([3.0, 0.4, -0.5, 0.2]), a(4)), K(np.array([3.0, 0.4, 0.7]), a(3, 2)))
on("linalg", "convolution_matrix", K(a(3), 4), K(a(5), 3, "same"), K(a(3), 4, mode="same"), K(a(4), 3, "valid"))
_factor = np.array([[0.0, 0.3, 0.2, 0.4], [2.0, 3.0, 2.5, 2.2]])
on("linalg", "cho_solve_banded", K((_factor, False), a(4)), K((_factor[::-1].copy(), True), a(4, 2)))
on("linalg", "solve_continuous_are", K(general(3, 3), general(3, 2), spd(3), spd(2)), symmetric=(2, 3))
on("linalg", "solve_discrete_are", K(general(3, 3), general(3, 2), spd(3), spd(2)), symmetric=(2, 3))

for _cases in (n for k, n in CASES.items() if k.startswith(("scipy.linalg.", "scipy.fft.", "scipy.integrate."))):
    for _case in _cases:
        _case.options["known_only"] = True

# -- stats -------------------------------------------------------------------------------------------------------------

for _name in ("t", "gamma", "chi2", "lognorm", "weibull_min", "pareto"):
    for _method in ("logpdf", "pdf", "cdf", "sf", "logcdf", "logsf", "ppf", "isf"):
        _x = a(3) + (2.0 if _name == "pareto" and _method not in ("ppf", "isf") else 0.0)
        on(
            "stats", f"{_name}.{_method}",
            K(_x, 1.7, -0.3, 1.4), K(_x, 2.3), K(0.7 + (2.0 if _name == "pareto" else 0.0) * (_x[0] > 2.0), 2.3),
        )  # fmt: skip
for _method in ("logpdf", "pdf", "cdf", "sf", "logcdf", "logsf", "ppf", "isf"):
    on("stats", f"beta.{_method}", K(a(3), 1.7, 2.4), K(a(3), 1.7, 2.4, -0.1, 1.3))
_counts = np.array([0, 2, 3])
for _method in ("logpmf", "pmf", "cdf", "sf", "logcdf", "logsf"):
    on("stats", f"poisson.{_method}", K(_counts, 1.7), K(_counts + 1, a(3), 1, _={"inactive": (2,)}))
    on("stats", f"binom.{_method}", K(_counts[:2], 4, 0.3), K(_counts[:2], 4, a(2)))
on("stats", "nbinom.logpmf nbinom.pmf", K(_counts, 2.4, 0.3), K(_counts, 2.4, a(3)))
on("stats", "nbinom.cdf nbinom.sf", K(_counts, 2.4, 0.3), K(_counts, 2.4, a(3)))
on("stats", "bernoulli.logpmf bernoulli.pmf", K(np.array([0, 1]), 0.3))
on("stats", "geom.logpmf geom.pmf", K(np.array([1, 3]), 0.3))
for _name in ("norm", "laplace", "logistic", "expon", "uniform", "cauchy"):
    for _method in ("mean", "var", "std", "entropy") if _name != "cauchy" else ("entropy",):
        on("stats", f"{_name}.{_method}", K(0.3, 1.4), K(a(3), 1.4), K(0.3, a(3)), K(scale=1.4))
for _name, _shapes in (
    ("t", (3.7,)), ("gamma", (1.7,)), ("chi2", (3.7,)), ("lognorm", (0.7,)), ("weibull_min", (1.7,)),
    ("pareto", (3.7,)), ("beta", (1.7, 2.4)),
):  # fmt: skip
    for _method in ("mean", "var", "std", "entropy"):
        on("stats", f"{_name}.{_method}", K(*_shapes, 0.3, 1.4), K(*_shapes), K(_shapes[0] + a(3), *_shapes[1:]))
for _method in ("mean", "var", "std"):
    on("stats", f"poisson.{_method}", K(1.7))
    on("stats", f"binom.{_method} nbinom.{_method}", K(4, 0.3))
on(
    "stats", "multivariate_normal.logpdf multivariate_normal.pdf",
    K(a(3), a(3), spd(3)), K(a(4, 3), a(3), spd(3)), K(a(3), cov=spd(3)), K(a(3), a(3), spd(3), True),
    K(a(3), a(3), 0.7), K(a(4, 3), a(3), 0.7), K(a(3), a(3), a(3)), K(a(4, 3), a(3), a(3)), K(a(3), cov=0.7),
    K(a(3), 0.2, 0.7), K(0.4, 0.2, 0.7), K(a(3), a(3)), K(a(3)),
)  # fmt: skip
on("stats", "multivariate_normal.entropy", K(a(3), spd(3), _={"inactive": (0,)}), K(cov=spd(3)))
on("stats", "multivariate_normal.entropy", K(a(3), 0.7, _={"inactive": (0,)}), K(cov=0.7))
_simplex = np.array([0.2, 0.5, 0.3])
on("stats", "dirichlet.logpdf dirichlet.pdf", K(_simplex, 1.0 + a(3)), inactive=(0,))
on("stats", "dirichlet.logpdf", K(np.stack([_simplex, _simplex[::-1]], axis=1), 1.0 + a(3)), inactive=(0,))
on("stats", "dirichlet.mean dirichlet.var dirichlet.entropy", K(1.0 + a(3)))
on(
    "stats", "gmean hmean",
    K(a(4)), K(a(3, 2)), K(a(3, 2), axis=1), K(a(3, 2), axis=None), K(a(3, 2), weights=a(3, 2)),
    K(a(3, 2), keepdims=True),
)  # fmt: skip
on("stats", "pmean", K(a(4), 1.5), K(a(3, 2), 2.5, axis=1), K(a(4), 1.5, weights=a(4)))
on("stats", "zscore", K(a(4)), K(a(3, 2)), K(a(3, 2), axis=1, ddof=1), K(a(3, 2), axis=None))
on("stats", "gzscore", K(a(4)), K(a(3, 2), axis=1))
on("stats", "zmap", K(a(4), a(5)), K(a(3, 2), a(4, 2)))
on("stats", "gstd sem variation", K(a(4)), K(a(4, 2)), K(a(2, 4), axis=1), K(a(4, 2), axis=None, ddof=0))
on("stats", "moment", K(a(4) ** 2, 3), K(a(4, 2), order=2), K(a(4), 3, center=0.2), K(a(2, 3), 2, axis=None))
on(
    "stats", "skew kurtosis",
    K(a(5) ** 2), K(a(5, 2) ** 2), K(a(5) ** 2, bias=False), K(a(2, 5) ** 2, axis=1),
    K(a(2, 3) ** 2, axis=None, bias=False),
)  # fmt: skip
on("stats", "kurtosis", K(a(5), fisher=False))
on("stats", "entropy", K(a(4)), K(a(4), a(4)), K(a(3, 2), base=2), K(a(3, 2), a(3, 2), axis=1))
on("stats", "iqr", K(a(6)), K(a(5, 2), axis=0), K(a(6), rng=(10, 80)))
on("stats", "boxcox_llf", K(0.4, 1.0 + a(5)))
on("stats", "trim_mean", K(a(7), 0.3), K(a(5, 3), 0.2, axis=1), K(a(2, 4), 0.3, None))
on("stats", "tmean tvar tstd", K(a(5)), K(a(4, 3), axis=1))
on("stats", "median_abs_deviation", K(a(6) ** 2), K(a(5, 2) ** 2, axis=0, scale=1.4))
on("stats", "boxcox", K(a(4), 0.4), K(1.0 + a(3), 1.7))
on("stats", "yeojohnson", K(s(4), 0.4), K(s(3), lmbda=1.7))
if since("scipy", "1.12"):
    on("stats", "circmean circvar circstd", K(a(4, 3), axis=0, keepdims=True), K(a(2, 3), keepdims=True))
on("stats", "circmean circvar circstd", K(a(5)), K(a(4, 3), 3.0, -1.0, axis=1, _={"inactive": (1, 2)}))
on("stats", "pearsonr", K(a(6), a(6)))
on("stats", "linregress", K(a(6), a(6)))

# -- integrate; what takes functions is in test_solvers.py -------------------------------------------------------------

_points = np.linspace(0.0, 2.0, 7) ** 1.3
on("integrate", "simpson", K(a(7)), K(a(6), dx=0.3), K(a(7), _points), K(a(6), x=_points[:6]), K(a(5, 2), axis=0))
on("integrate", "simpson", K(a(2)), K(a(3, 2), np.array([0.2, 0.5])))
on(
    "integrate", "cumulative_trapezoid",
    K(a(7)), K(a(7), _points), K(a(5, 2), dx=0.3, axis=0), K(a(4), initial=0), K(a(2, 7), _points),
)  # fmt: skip
on("integrate", "cumulative_simpson", K(a(7)), K(a(6), x=_points[:6]), K(a(5, 2), dx=0.3, axis=0), K(a(4), initial=0.0))
on("integrate", "romb", K(a(5)), K(a(2, 9), 0.2), K(a(5, 2), axis=0))
for _name in ("simpson", "cumulative_trapezoid", "cumulative_simpson", "romb"):
    for _case in CASES["scipy.integrate." + _name]:
        _case.options.setdefault("inactive", ("initial",))

# -- special -----------------------------------------------------------------------------------------------------------

on("special", "eval_legendre eval_laguerre struve modstruve jve yve", K(2, a(3)), K(3, 0.7))
on("special", "eval_genlaguerre eval_gegenbauer", K(3, 1.3, a(3)), inactive=(1,))
on("special", "eval_jacobi", K(3, 1.3, 0.6, a(3)), inactive=(1, 2))
on("special", "spherical_jn spherical_yn spherical_in spherical_kn", K(2, a(3)), K(2, a(3), True), K(1, 0.7))
on("special", "jvp yvp ivp kvp", K(2, a(3)), K(2, a(3), 2))
on("special", "hyperu", K(1.3, 2.1, a(3)), inactive=(0, 1))
on("special", "betaincc betainccinv", K(1.3, 2.1, a(3)))
on("special", "pdtr pdtrc", K(2, 1.0 + a(3)))
on("special", "gdtr gdtrc", K(a(3), 1.7, a(3)))
on("special", "stdtrit", K(3.7, a(3)), K(1.7, 0.3))
on("special", "ndtri_exp", K(-a(3)), K(-0.7))
on("special", "inv_boxcox inv_boxcox1p", K(a(3), 0.4), inactive=(1,))
on("special", "powm1", K(a(3), 1.7), K(a(3), 0.1 + a(3)))
on("special", "wofz", K(a(3) + 0.3j), K(0.4 + 0.2j))
on("special", "multigammaln", K(1.7 + a(3), 2), K(2.3, 3))

# -- optimize; what takes functions is in test_solvers.py --------------------------------------------------------------

on("optimize", "nnls", K(a(4, 3) + np.eye(4, 3), a(4)), known_only=True)
