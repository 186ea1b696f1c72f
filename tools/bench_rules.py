"""What a gradient costs beside its function: for each rule, at a size where arrays dominate
and stay in the cache (fresh memory would be most of what is measured).

python tools/bench_rules.py                 the worst first
python tools/bench_rules.py linalg          those whose name holds this
python tools/bench_rules.py --limit 5       exit status 1 when one that is not excused is above 5

The function is sum(w * f(...)), the gradient with respect to all of its float arguments but w; the ratio is that of
their times in the processor.
"""

from __future__ import annotations

import argparse
import linecache
import os
import re
import time
import warnings
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one thread, whose time is measured whatever else runs

import numpy as np

import s2sad

_rng = np.random.default_rng(0)


def uniform(*shape: int) -> Any:
    return _rng.uniform(0.2, 0.9, shape)


def well(*shape: int) -> Any:
    """Well-conditioned matrices."""
    return _rng.normal(size=shape) / np.sqrt(shape[-1]) + 2.0 * np.eye(shape[-1])


_spd = _rng.normal(size=(100, 100))
VALUES: dict[str, Any] = {
    "x": uniform(10_000), "y": uniform(10_000), "A": uniform(100, 80), "B": uniform(80, 60),
    "C": uniform(100, 80),
    "u": _rng.normal(size=10_000), "k": uniform(300), "h": uniform(80), "q": uniform(100), "s": 0.7, "t": 1.3,
    "G": well(100, 100), "P": _spd @ _spd.T + np.eye(100), "T": well(60, 12, 12), "R": _rng.normal(size=(150, 60)),
    "V": uniform(4000, 3), "W": uniform(4000, 3), "K": uniform(40, 30), "L": uniform(50, 20), "p": uniform(8),
    "i": _rng.integers(0, 10_000, 10_000), "j": _rng.integers(0, 80, (100, 80)), "mask": uniform(10_000) > 0.5,
    "grid": np.sort(uniform(1000)), "z": uniform(4096) + 1j * uniform(4096), "S": uniform(20, 20, 20),
    "one": 1.0 + 0.001 * _rng.normal(size=10_000), "long": uniform(4096), "F": well(64, 64).reshape(8, 8, 8, 8),
    "g": uniform(8, 8),
}  # fmt: skip
FIXED = {"i", "j", "mask", "grid"}

#: an elementwise function of each argument, then one line for each of the others
CALLS: list[str] = [
    *(f"np.{n}(x)" for n in (
        "sin", "cos", "tan", "exp", "expm1", "exp2", "log", "log2", "log10", "log1p", "sqrt", "cbrt", "square",
        "reciprocal", "tanh", "sinh", "cosh", "arcsin", "arccos", "arctan", "arcsinh", "arctanh", "absolute", "sinc",
        "i0", "degrees", "negative", "nan_to_num", "conjugate", "real", "unwrap",
    )),
    *(f"np.{n}(x, y)" for n in (
        "add", "subtract", "multiply", "divide", "power", "arctan2", "hypot", "maximum", "minimum", "logaddexp",
        "copysign", "fmod", "remainder", "float_power",
    )),
    "x * s", "x**2", "x**3", "x**s", "np.where(mask, x, y)", "np.clip(x, 0.3, 0.8)",
    "np.sum(A)", "np.sum(A, axis=0)", "np.mean(A, axis=1)", "np.prod(one)", "np.prod(A, axis=1)", "np.max(A, axis=1)",
    "np.min(x)", "np.ptp(A, axis=0)", "np.var(A, axis=1)", "np.std(x)", "np.average(A, axis=1, weights=h)",
    "np.median(A, axis=1)", "np.quantile(x, 0.3)", "np.percentile(A, 30, axis=1)", "np.nansum(A, axis=1)",
    "np.nanmean(A, axis=0)", "np.nanvar(A, axis=1)", "np.nanmax(A, axis=1)", "np.nanprod(A, axis=1)",
    "np.nanmedian(A, axis=1)", "np.cumsum(x)", "np.cumsum(A, axis=1)", "np.cumprod(one)", "np.cumprod(A, axis=1)",
    "np.nancumsum(A, axis=0)", "np.diff(x)", "np.diff(A, n=2, axis=0)", "np.ediff1d(x)", "np.gradient(x)",
    "np.gradient(A, axis=1)", "np.trapezoid(x)", "np.trapezoid(x, y)", "np.trapezoid(A, axis=1)",
    "np.interp(x, grid, k[:1] * np.ones(1000))", "np.interp(x, grid, np.sin(grid))", "np.cov(K)", "np.corrcoef(K)",
    "np.sort(x)", "np.sort(A, axis=1)", "np.partition(x, 1000)", "np.unique(x)", "np.take(x, i)",
    "np.take(A, [3, 5, 5], axis=1)", "np.take_along_axis(A, j, axis=1)", "np.compress(mask, x)", "np.extract(mask, x)",
    "np.select([mask], [x], y)", "np.choose(mask.astype(int), [x, y])", "x[i]", "x[mask]", "x[1:-1]", "A[:, ::2]",
    "np.bincount(i, x)", "np.histogram(i, 50, weights=x)[0]", "np.maximum.accumulate(u)", "np.logaddexp.reduce(x)",
    "np.add.reduceat(x, np.arange(0, 10_000, 100))", "np.multiply.outer(h, q)",
    "np.reshape(A, (80, 100))", "np.ravel(A)", "np.transpose(A)", "np.moveaxis(S, 0, 2)", "np.swapaxes(S, 0, 2)",
    "np.flip(A)", "np.roll(A, 3, axis=1)", "np.rot90(A)", "np.tile(k, 100)", "np.repeat(A, 2, axis=1)",
    "np.pad(A, 3)", "np.pad(A, 3, mode='edge')", "np.pad(A, 3, mode='reflect')", "np.concatenate([x, y])",
    "np.stack([x, y])", "np.vstack([A, C])", "np.hstack([A, C])", "np.column_stack([x, y])", "np.split(A, 2)[0]",
    "np.broadcast_to(h, (100, 80))", "np.meshgrid(h, q)[0]", "np.insert(x, 50, s)", "np.delete(x, [3, 5])",
    "np.append(x, y)", "np.resize(x, (30, 400))", "np.tril(G)", "np.triu(G, 1)", "np.diag(G)", "np.diag(h)",
    "np.diagonal(S)", "np.trace(G)", "np.full((100, 80), s)", "np.linspace(s, t, 10_000)", "np.block([[A], [C]])",
    "A @ B", "A @ h", "h @ h", "np.matmul(T, T)", "np.dot(A, B)", "np.inner(A, C)", "np.outer(h, q)", "np.vdot(x, y)",
    "np.tensordot(S, S, axes=1)[0]", "np.einsum('ij,jk->ik', A, B)", "np.einsum('ij,ij->i', A, C)",
    "np.einsum('bij,bjk->bik', T, T)", "np.kron(K, L)", "np.cross(V, W)", "np.convolve(long, k)",
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
    "np.subtract.outer(h, q)", "np.unwrap(3.0 * u)", "np.fft.rfftfreq(10_000, s)", "np.fft.fftfreq(10_000, s)",
]  # fmt: skip


def excuse(expression: str) -> str:
    """Why the gradient costs more than a few times the function: what the rules that are called say of their cost."""
    from s2sad import rules

    called = set(re.findall(r"\bnp\.([a-z_.0-9]+)\(", expression))
    found = [r for r in rules.registry() if r.name.removeprefix("np.") in called]
    return "; ".join(dict.fromkeys(r.cost for r in found if r.cost))


def program(expression: str, name: str) -> Callable[..., Any]:
    """A function with source that returns an expression."""
    text = re.sub(r"'[^']*'", "''", expression)
    names = [n for n in dict.fromkeys(re.findall(r"(?<![\w.'])[A-Za-z]\w*", text)) if n in VALUES]
    names = [n for n in names if re.search(rf"(?<![\w.]){n}(?!\w|=[^=])", text)]
    source = f"def {name}({', '.join(names)}):\n    return {expression}\n"
    file = f"<bench {expression} {name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    scope: dict[str, Any] = {"np": np}
    exec(compile(source, file, "exec"), scope)
    f = scope[name]
    f.names = names
    return f  # type: ignore[no-any-return]


def seconds(*calls: Callable[[], Any]) -> list[float]:
    """The best of several runs of each, taken in turns: what else runs meanwhile disturbs all of them alike."""
    repeats = []
    for call in calls:
        call()
        start = time.process_time()
        call()
        once = time.process_time() - start
        repeats.append(max(1, min(1000, int(0.01 / max(once, 1e-7)))))
    best = [float("inf")] * len(calls)
    for _ in range(7):
        for k, call in enumerate(calls):
            start = time.process_time()
            for _ in range(repeats[k]):
                call()
            best[k] = min(best[k], (time.process_time() - start) / repeats[k])
    return best


def ratio(expression: str) -> tuple[float, float, str]:
    """The gradient's time over the function's, the function's time, and the gradient's text."""
    f = program(expression, "f")
    args = [VALUES[n] for n in f.names]  # type: ignore[attr-defined]
    value = f(*args)
    weights = _rng.normal(size=np.shape(value)) if np.ndim(value) else 1.0
    inner = f"np.real({expression})" if np.iscomplexobj(value) else f"({expression})"
    weighted = f"np.sum(weights * {inner})"
    VALUES["weights"] = weights
    FIXED.add("weights")
    total = program(weighted, "total")
    names: list[str] = total.names  # type: ignore[attr-defined]
    gradient = s2sad.grad(total, wrt=tuple(i for i, n in enumerate(names) if n not in FIXED))
    given = [VALUES[n] for n in names]
    specialized = gradient.specialize(*given)
    own, both = seconds(lambda: total(*given), lambda: specialized(*given))
    return both / own, own, gradient.source


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pattern", nargs="?", default="", help="only calls that hold this text")
    parser.add_argument("--limit", type=float, help="fail when a ratio that is not excused is above this")
    parser.add_argument("--part", default="1/1", help="only the second of three parts: 2/3")
    parser.add_argument("--top", type=int, default=1000, help="how many to print")
    parser.add_argument("--show", action="store_true", help="print the gradients as well")
    chosen = parser.parse_args()
    part, parts = map(int, chosen.part.split("/"))
    expressions = [e for e in CALLS if chosen.pattern in e][part - 1 :: parts]
    found = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for expression in expressions:
            try:
                found.append((*ratio(expression), expression))
            except AttributeError as error:
                print(f"not in this version: {expression} ({error})")
    found.sort(reverse=True)
    for times, own, text, expression in found[: chosen.top]:
        print(f"{times:8.1f}  {1e6 * own:10.1f} us  {expression}  {excuse(expression)}")
        if chosen.show:
            print(text)
    above = [e for times, _, _, e in found if chosen.limit and times > chosen.limit and not excuse(e)]
    return int(bool(above))


if __name__ == "__main__":
    raise SystemExit(main())
