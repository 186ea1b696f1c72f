"""Inferred kinds against the real thing: an expression is inferred once and run for several sizes of its arguments."""

import math
import operator
import warnings
from collections import namedtuple

import numpy as np
import pytest

from s2sad.core import Facts, quote
from s2sad.kinds import calls, dims, draws, infer
from s2sad.kinds.bind import kinds_of, signature_key
from s2sad.kinds.kind import Array, Callable, Dim, ListOf, Number, Static, Tuple, Unknown
from s2sad.kinds.query import rank_of
from tests.kinds.agree import Sizes, agree, bind

F8 = np.dtype(np.float64)
Point = namedtuple("Point", "u v")
STEP = 3


def arguments(n, p, q, k, j):
    rng = np.random.default_rng(n + 10 * p)
    A = rng.normal(size=(n, n))
    return {
        "x": rng.normal(size=n), "y": rng.normal(size=n), "w": rng.normal(size=p), "X": rng.normal(size=(n, p)),
        "T": rng.normal(size=(q, n, p)), "A": A @ A.T + n * np.eye(n), "row": rng.normal(size=(1, p)),
        "col": rng.normal(size=(n, 1)), "zero": np.array(2.5), "f4": rng.normal(size=n).astype(np.float32),
        "z": rng.normal(size=n) + 1j, "mask": rng.random(n) < 0.6, "idx": rng.integers(0, n, q), "ints": np.arange(n),
        "jdx": rng.integers(0, p, q), "v": rng.normal(size=q), "a": 0.7, "s": np.float64(0.3), "s4": np.float32(0.3),
        "k": k, "j": j, "c": 0.5 + 1j, "flag": True, "mode": "linear", "nothing": None,
        "params": {"W": rng.normal(size=(p, q)), "b": rng.normal(size=q), "scale": 2.0},
        "pair": (1.5, rng.normal(size=n)), "xs": [0.5, 1.5, 2.5], "point": Point(1.0, rng.normal(size=n)),
    }  # fmt: skip


#: n, p, q, k, j: always three different lengths of at least 2
SIZES = [(6, 4, 3, 2, 1), (2, 3, 5, 1, 0), (3, 2, 7, 4, 2), (9, 5, 2, 3, -1), (4, 11, 3, 5, -2), (5, 7, 13, 0, 3)]
GLOBALS = {"np": np, "math": math, "operator": operator, "STEP": STEP, "sqrt": math.sqrt, "WEIGHTS": np.ones((3, 2))}

EXPRESSIONS = """
x + 1
x * a
2.0 * x - y
a * a
a + 1
a ** 2
a ** k
k + 1
k * k
k // 2
k % 3
-k
k / 2
k > 1
s * a
a * s
s4 * a
s4 * s
s4 * 2
f4 * 2.0
f4 * s
f4 * x
f4 + ints
ints / 2
ints * 2
ints // 2
ints ** 2
mask & mask
~mask
mask * x
x > 0
x > y
x * c
z * 2
z.real
z.imag
np.abs(z)
abs(z)
abs(a)
abs(c)
abs(x)
-x
zero * 2
zero + x
zero * zero
np.sin(zero)
np.sin(x)
np.sin(a)
np.sin(f4)
np.sin(ints)
np.exp(s4)
math.sin(a)
math.sqrt(s)
sqrt(a)
math.floor(a)
math.pi * a
np.pi
np.inf
X + row
X + col
X * w
X - x[:, None]
row * col
X @ w
X.T @ x
X @ params["W"]
X @ params["W"] + params["b"]
x @ y
T @ w
T @ params["W"]
np.dot(X, w)
np.dot(x, y)
np.dot(2.0, x)
X.dot(w)
np.matmul(A, X)
np.outer(x, w)
np.inner(X, X)
np.vdot(x, y)
np.tensordot(X, T, axes=([0], [1]))
np.einsum("ij,kj->ik", X, X)
np.einsum("ij,j->", X, w)
np.kron(x, w)
np.cross(X[:, :1] * np.ones(3), np.ones(3))
x[0]
x[-1]
x[k - k]
x[1:]
x[:-1]
x[1:-1]
x[2:]
x[:-2] - 2 * x[1:-1] + x[2:]
x[3:]
x[:-3]
x[:1]
x[:2]
x[:5]
x[-1:]
x[-2:]
x[-5:]
x[5:]
x[1:4]
x[::2]
x[1::2]
x[::-1]
x[::-2]
x[-1::-1]
x[-2::-1]
x[4:1:-1]
x[k:]
x[:k]
x[k:k + 2]
x[-k:]
x[:-k]
x[j:]
x[:j]
x[k:-1]
x[2:k]
x[len(x) - 1:]
x[:len(x)]
x[len(x) // 2:]
x[:len(x) // 2]
x[::STEP]
x[None]
x[:, None]
x[..., None]
x[...]
zero[()]
zero[...]
zero[None]
X[0]
X[-1]
X[0, 1]
X[:, 0]
X[0, :]
X[..., 0]
X[1:, :-1]
X[:, None, :]
X[::2, 1:]
X[1:-1, 1:-1]
T[0]
T[0, 1]
T[:, 0, 1:]
T[..., 0]
T[0, ..., 0]
x[mask]
x[~mask]
X[mask]
X[mask, 0]
X[mask, 1:]
X[mask][0:0]
x[idx]
X[idx]
X[idx, 1]
X[idx, jdx]
X[idx, :2]
X[:, jdx]
X[idx[:, None], jdx]
X[idx][:, None]
T[:, idx, 0]
T[0, :, jdx]
T[:, idx, jdx]
T[0, idx]
x[[0, 1]]
x[[0, 1, 1]]
X[[0, 1], [1, 0]]
X[[0], :]
x[np.array(1)]
x[(0,)]
X[(0, 1)]
X[0][1]
X[:, 0][1:]
params["W"]
params["scale"] * 2
params["W"].T
params["b"][1:]
pair[0]
pair[1][1:]
pair[-1]
xs[0]
xs[1:]
xs + [a]
xs * 2
(a, x) + (1.0,)
point.u
point.v * 2
point[1]
len(x)
len(X)
len(xs)
len(x) - 1
len(x) == 1
len(x) > 0
len(x) == 0
len(params)
X.shape
X.shape[0]
X.shape[1] - 1
X.shape[0] * X.shape[1]
X.shape[:1]
X.ndim
X.ndim == 2
X.size
X.size // 2
x.dtype
X.T
X.T.shape
T.T
np.shape(X)
np.size(X)
np.ndim(X)
np.zeros(3)
np.zeros(len(x))
np.zeros(k)
np.zeros((k, 2))
np.zeros(X.shape)
np.zeros((len(x) - 1, 3))
np.zeros(len(x), dtype=int)
np.zeros(3, bool)
np.zeros(len(x) - 2) + x[1:-1]
np.ones((2, 3), dtype=np.float32)
np.full(3, 1)
np.full((2, k), a)
np.full(X.shape, 1.0)
np.zeros_like(x)
np.zeros_like(ints)
np.zeros_like(ints, dtype=float)
np.zeros_like(a)
np.ones_like(X)
np.full_like(x, 2)
np.empty_like(x) * 0 == 0
np.eye(3)
np.eye(len(x))
np.eye(3, 4)
np.eye(k)
np.identity(len(x))
np.diag(x)
np.diag(A)
np.diag(X)
np.diagonal(X)
np.arange(5)
np.arange(k)
np.arange(1, len(x))
np.arange(0, len(x), 2)
np.arange(len(x), 0, -1)
np.arange(0.0, 1.0, 0.25)
np.arange(3.0)
np.linspace(0.0, 1.0, 7)
np.linspace(0, 1, len(x))
np.linspace(0, a, k + 2)
np.sum(x)
np.sum(X, axis=0)
np.sum(X, axis=-1)
np.sum(X, axis=1, keepdims=True)
np.sum(T, axis=(0, 2))
np.sum(mask)
np.sum(f4)
np.sum(a)
x.sum()
X.sum(0)
X.sum(axis=1)
X.sum(axis=(0, 1))
x.mean()
X.mean(axis=0, keepdims=True)
f4.mean()
ints.mean()
np.mean(xs)
np.max(X, axis=1)
X.max()
x.min()
np.min(ints)
np.prod(X, axis=0)
np.var(x)
np.std(X, axis=0)
np.std(X, axis=0, ddof=1)
np.median(X, axis=0)
np.any(x > 0)
np.all(X > 0, axis=0)
np.argmax(x)
np.argmax(X, axis=1)
x.argmin()
np.argsort(x)
np.sort(x)
np.cumsum(x)
np.cumsum(X, axis=1)
np.cumsum(X)
np.cumprod(x)
np.ptp(x)
np.percentile(x, 30)
np.quantile(X, 0.5, axis=0)
np.average(x, weights=x * x)
np.nansum(X, axis=0)
np.linalg.norm(x)
np.linalg.norm(X, axis=1)
np.linalg.norm(X)
np.where(x > 0, x, 0.0)
np.where(x > 0, 1, 0)
np.where(mask)[0]
np.where(a > 0, a, 1.0)
np.where(X > 0, row, col)
np.maximum(x, 0)
np.maximum(x, y)
np.maximum(a, 0.0)
np.minimum(f4, 1.0)
np.clip(x, 0.0, 1.0)
x.clip(0, 1)
np.sign(x)
np.power(x, 2)
np.logaddexp(0.0, x)
np.hypot(a, x)
np.arctan2(x, y)
np.floor(x)
np.isnan(x)
np.isfinite(a)
np.sqrt(ints)
np.square(k)
np.divmod(x, 2.0)
np.modf(x)
x.astype(int)
x.astype(np.float32)
x.astype("f4")
x.copy()
x.tolist()
np.copy(x)
np.array(x)
np.array(xs)
np.array([a, 1.0, 2])
np.array([x, y])
np.array([[a, 1.0], [2.0, a]])
np.array(a)
np.array([1, 2, 3])
np.asarray(x)
np.asarray(xs)
np.asarray(a, dtype=float)
np.asarray(ints, dtype=float)
np.atleast_1d(a)
np.atleast_1d(x)
np.atleast_2d(x)
np.concatenate([x, y])
np.concatenate((x, w))
np.concatenate([x[:1], x[1:]])
np.concatenate([[0.0], x, [a]])
np.concatenate([X, X], axis=1)
np.concatenate([X, col], axis=1)
np.concatenate([ints, x])
np.stack([x, y])
np.stack([x, y], axis=1)
np.stack((x, y), axis=-1)
np.vstack([x, y])
np.hstack([x, w])
np.hstack([X, col])
np.column_stack([x, y])
np.append(x, 1.0)
np.append(x[1:], 1.0)
np.diff(x)
np.diff(x, n=2)
np.diff(x, n=3)
np.diff(X, axis=0)
np.diff(x[mask])
np.reshape(x, (-1, 1))
X.reshape(-1)
X.reshape(X.shape[1], X.shape[0])
X.reshape(len(x), -1)
X.ravel()
X.flatten()
X[1:].ravel()
X.ravel().reshape(X.shape)
x.reshape(1, -1)
x.reshape((1, len(x)))
T.reshape(T.shape[0], -1)
T.transpose(1, 0, 2)
np.transpose(X)
np.transpose(T, (2, 0, 1))
np.swapaxes(T, 0, 1)
np.moveaxis(T, 0, -1)
np.expand_dims(x, 0)
np.expand_dims(x, -1)
np.squeeze(row)
np.squeeze(col, axis=1)
np.squeeze(x[mask])
np.broadcast_to(x, (3, len(x)))
np.broadcast_to(row, X.shape)
np.tile(x, 2)
np.tile(x, (2, 1))
np.repeat(x, 2)
np.repeat(x, k)
np.repeat(X, 3, axis=0)
np.repeat(x, ints)
np.roll(x, 1)
np.flip(x)
np.flip(X, axis=0)
np.pad(x, 1)
np.pad(x, (1, 2))
np.pad(X, ((1, 1), (0, 0)))
np.rot90(X)
np.triu(A)
np.tril(A, -1)
np.trace(A)
np.unique(ints)
np.nonzero(x > 0)
np.flatnonzero(mask)
np.searchsorted(np.sort(x), 0.1)
np.digitize(x, np.array([0.0, 1.0]))
np.bincount(ints)
np.histogram(x, bins=5)
np.interp(a, np.sort(x), y)
np.interp(w, np.sort(x), y)
np.convolve(x, w)
np.convolve(x, w, "same")
np.convolve(x, w, mode="valid")
np.convolve(x, np.ones(3), "same")
np.convolve(x, np.ones(4), "valid")
np.correlate(x, y)
np.gradient(x)
np.trapezoid(x)
np.meshgrid(x, w)
np.meshgrid(x, w, indexing="ij")
np.polyval([1.0, 2.0], x)
np.vander(x, 3)
np.outer(x[1:], w[:-1])
np.cov(X)
np.linalg.solve(A, x)
np.linalg.solve(A, X)
np.linalg.inv(A)
np.linalg.det(A)
np.linalg.slogdet(A)
np.linalg.cholesky(A)
np.linalg.eigh(A)
np.linalg.eigvalsh(A)
np.linalg.eigvals(A)
np.linalg.qr(X)
np.linalg.svd(X)
np.linalg.svd(X, full_matrices=False)
np.linalg.svd(X, compute_uv=False)
np.linalg.pinv(X)
np.linalg.lstsq(X, x, rcond=None)
np.linalg.matrix_power(A, 3)
np.linalg.matrix_rank(X)
np.linalg.multi_dot([A, X, w])
np.fft.fft(x)
np.fft.rfft(x)
np.fft.fft2(X)
np.fft.fftfreq(len(x))
np.real(z)
np.conj(z)
np.conj(x)
z.conj()
np.add.reduce(x)
np.add.outer(x, w)
np.multiply.accumulate(x)
np.take(x, idx)
np.take(X, idx, axis=0)
x.take(idx)
np.take_along_axis(X, np.argsort(X, axis=1), axis=1)
np.select([x > 0, x < -1], [x, -x])
np.nan_to_num(x)
np.float64(a)
np.float32(a)
np.int64(k)
float(s)
float(x[0])
int(a)
int(k)
bool(k)
complex(a)
round(a)
round(a, 2)
round(s, 2)
np.round(x, 1)
min(a, 1.0)
max(k, 2)
min(k, j)
max(x)
sum(xs)
sum([x, y])
sum(x)
sum(k * i for i in [])
range(k)
list(xs)
tuple(xs)
list(reversed(xs))
sorted(xs)
divmod(k, 2)
divmod(a, 2.0)
pow(a, 2)
isinstance(a, float)
isinstance(k, int)
isinstance(x, np.ndarray)
isinstance(x, (float, int))
isinstance(s, float)
isinstance(xs, (list, tuple))
isinstance(nothing, str)
type(a)
x is None
nothing is None
nothing is not None
mode == "linear"
mode != "linear"
mode in ("linear", "cubic")
"W" in params
"Z" not in params
mode.upper()
flag and a > 0
nothing is None or a > 0
not flag
not a > 0
0 < a < 1
1 < 2 < 3
a if flag else x
a if a > 0 else 1.0
x if a > 0 else y
x[1:] if a > 0 else x[:-1]
nothing or 1.0
[a, x]
(a, x)[1]
{"u": a, "v": x}["v"]
{**params, "more": x}
[*xs, a]
params.keys()
params.items()
params.get("scale")
params.get("none", 1.0)
x.item(0)
s.item()
getattr(x, "ndim")
hasattr(x, "foo")
callable(a)
np.random.normal(size=(len(x), 3))
np.random.rand(3, len(x))
np.random.default_rng(0).normal(0.0, 1.0, len(x))
np.random.uniform(0.0, 1.0)
operator.add(a, x)
WEIGHTS.T
WEIGHTS @ np.ones(2)
STEP * a
x.nothing
undefined + x
x + w if False else x
"a" + "b"
np.newaxis
x[slice(1, None)]
np.finfo(float).eps
sqrt(a) * s
np.ndarray
math.prod(X.shape)
np.prod(X.shape)
np.allclose(x, y)
np.array_equal(x, y)
np.linalg.norm(x, ord=1)
np.heaviside(x, 0.5)
np.ediff1d(x)
np.insert(x, 0, 1.0)
np.delete(x, 0)
np.delete(x, [0, 1])
np.compress(mask, x)
np.extract(mask, x)
np.split(x[:2], 2)
np.array_split(x, 3)
np.apply_along_axis(np.sum, 0, X)
np.fill_diagonal(A, 0.0)
np.triu_indices(3)
np.triu_indices(len(x), 1)
np.polyfit(np.sort(x), y, 1)
np.linalg.cond(A)
""".strip().splitlines()


def fields(env):
    facts = Facts(kinds=kinds_of(env), globals=dict(GLOBALS))
    return facts


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_kind_describes_the_value(text):
    first = arguments(*SIZES[0])
    facts = fields(first)
    kind = infer.infer(quote(text), facts)
    key = signature_key(tuple(first.values()))
    for size in SIZES:
        env = arguments(*size)
        assert signature_key(tuple(env.values())) == key
        sizes = Sizes()
        for name, value in env.items():
            bind(facts.kinds[name], value, sizes)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = eval(text, dict(GLOBALS), env)
        except Exception:
            continue
        agree(kind, value, sizes, f"{text} at {size}")


def test_most_kinds_are_known():
    facts = fields(arguments(*SIZES[0]))
    unknown = [text for text in EXPRESSIONS if isinstance(infer.infer(quote(text), facts), Unknown)]
    assert len(unknown) <= 12, unknown


def same(*texts):
    facts = fields(arguments(*SIZES[0]))
    kinds = [infer.infer(quote(text), facts) for text in texts]
    return all(k == kinds[0] for k in kinds)


def test_equal_lengths_are_proved():
    assert same("x[1:]", "x[:-1]", "np.diff(x)", "np.zeros(len(x) - 1)")
    assert same("x[2:]", "x[1:-1]", "x[:-2]", "np.zeros(len(x) - 2)", "np.diff(x, n=2)")
    assert same("x[4:]", "x[2:-2]", "x[:-4]")
    assert same("x[k:k + 2]", "y[k:k + 2]")
    assert same("x[::2]", "y[::2]")
    assert same("X.ravel()", "X.T.ravel()", "X.reshape(-1)")
    assert same("x", "X @ w", "X[:, 0]", "np.sum(X, axis=1)", "np.linalg.solve(A, x)")
    assert same("x[:5]", "y[:5]")
    assert same("x[len(x) // 2:]", "np.zeros(len(x) - len(x) // 2)")
    assert same("x[:, None] * w", "X")


def test_lengths_that_only_look_equal():
    assert not same("x[:5]", "x")
    assert not same("x[mask]", "x[mask]")  # the mask may have changed
    assert not same("x[k:]", "x[:k]")
    assert not same("np.zeros(3)", "x[:3]")
    assert not same("x[::2]", "x[1::2]")


def test_an_int_without_a_value_is_never_one_length():
    facts = Facts(kinds={"i": Number(int), "x": Array(F8, (Dim.symbol("n"),))}, globals={"np": np})
    for text in ("np.zeros(i)", "x[i:]", "x[:i]", "np.repeat(x, i)", "np.linspace(0, 1, i)"):
        one, two = (infer.infer(quote(text), facts) for _ in range(2))
        assert rank_of(one) == 1
        assert one != two
    facts.kinds["i"] = Number(int, dims.variable("i"))
    assert infer.infer(quote("x[i:i + 3]"), facts) == infer.infer(quote("x[i:i + 3]"), facts)
    assert infer.infer(quote("np.zeros(i)"), facts) == Array(F8, (dims.variable("i"),))


def test_arrays_of_unknown_rank():
    facts = Facts(kinds={"x": Array(F8, None), "u": Unknown()}, globals={"np": np})
    assert infer.infer(quote("x * 2"), facts) == Array(F8, None)
    assert infer.infer(quote("np.sum(x)"), facts) == Number(np.float64)
    assert infer.infer(quote("x[1:]"), facts) == Array(F8, None)
    assert infer.infer(quote("x[0]"), facts) == Unknown()
    assert infer.infer(quote("np.ravel(x)"), facts).shape is not None
    assert infer.infer(quote("u + x"), facts) == Unknown()
    assert infer.infer(quote("isinstance(u, float)"), facts) == Number(bool)
    assert infer.infer(quote("u is None"), facts) == Number(bool)


def test_nothing_with_an_effect_is_run(capsys):
    ran = []

    def mine(x):
        ran.append(x)
        return x

    facts = Facts(kinds={"x": Array(F8, (Dim.symbol("n"),))}, globals={"np": np, "mine": mine})
    state = np.random.get_state()[1].copy()
    for text in ("mine(x)", "print(x)", "np.save('f', x)", "np.random.seed(3)", "np.vectorize(mine)(x)", "open('f')",
                 "np.apply_along_axis(mine, 0, x)", "np.random.shuffle(x)", "np.random.normal(0.0, x)", "eval('1')",
                 "np.seterr(all='raise')", "np.frompyfunc(mine, 1, 1)(x)", "__import__('os')"):  # fmt: skip
        infer.infer(quote(text), facts)
    assert not ran
    assert capsys.readouterr().out == ""
    assert (np.random.get_state()[1] == state).all()


def test_constants_are_frozen_where_they_come_from():
    facts = Facts(globals={"np": np, "N": 3, "NAME": "a", "TABLE": {"a": 1.0}, "f": math.sin})
    assert infer.infer(quote("np.zeros(N)"), facts) == Array(F8, (Dim.of(3),))
    assert infer.infer(quote("NAME == 'a'"), facts) == Static(True)
    assert infer.infer(quote("TABLE[NAME]"), facts) == Number(float)
    assert infer.infer(quote("f"), facts) == Callable(math.sin)


def test_call_kind_takes_targets_and_kinds():
    n, m = Dim.symbol("n"), Dim.symbol("m")
    x = Array(F8, (n, m))
    assert calls.call_kind(np.sum, [x], {"axis": Number(int, Dim.of(0))}) == Array(F8, (m,))
    assert calls.call_kind(operator.mul, [x, Number(float)]) == x
    assert calls.call_kind(np.linalg.slogdet, [Array(F8, (n, n))], {}).items == (Number(np.float64),) * 2
    assert calls.call_kind(range, [Number(int, n)]) == ListOf(Number(int))
    assert calls.call_kind(lambda v: v, [x], {}) == Unknown()
    assert calls.element_kind(x) == Array(F8, (m,))
    assert infer.method_kind(x, "sum", [Number(int, Dim.of(1))]) == Array(F8, (n,))


def test_in_place_operators_keep_the_array():
    f4 = Array(np.dtype(np.float32), (Dim.symbol("n"),))
    assert calls.call_kind(operator.iadd, [f4, Array(F8, f4.shape)]) == f4
    assert calls.call_kind(operator.imul, [Number(float), f4]).dtype == np.float32
    assert calls.call_kind(operator.iadd, [Number(int), Number(float)]) == Number(float)


def test_whole_slices_keep_any_length():
    for length in (Dim.symbol("n"), Dim.symbol("s@3"), dims.variable("k"), dims.fresh()):
        facts = Facts(kinds={"x": Array(F8, (length,))}, globals={"np": np})
        for text in ("x[:]", "x[0:]", "x[::1]", "x[::-1]", "x[...]"):
            assert infer.infer(quote(text), facts) == Array(F8, (length,))
        assert infer.infer(quote("x[1:]"), facts) == infer.infer(quote("x[:-1]"), facts)


def test_a_range_fits_an_array_of_its_length():
    facts = Facts(kinds={"k": Number(int, dims.variable("k"))}, globals={"np": np})
    assert infer.infer(quote("np.arange(k) * np.ones(k)"), facts) == Array(F8, (dims.variable("k"),))


def test_static_and_numbers_do_not_share_cache_entries():
    one = calls.call_kind(operator.mul, [Static("a"), Static(2)])
    assert one == Static("aa")
    x = Array(F8, (Dim.symbol("n"), Dim.symbol("m")))
    keep = calls.call_kind(np.sum, [x, Number(int, Dim.of(0))], {"keepdims": Static(True)})
    drop = calls.call_kind(np.sum, [x, Number(int, Dim.of(0))], {"keepdims": Static(False)})
    assert (rank_of(keep), rank_of(drop)) == (2, 1)


def test_an_int_type_error_is_unknown():
    facts = fields(arguments(*SIZES[0]))
    for text in ("np.sum(x, axis=3)", "x[0, 0]", "a[0]", "x @ a", "np.zeros('a')", "math.sin(x)", "a + 'b'"):
        infer.infer(quote(text), facts)
    assert infer.infer(quote("np.sum(x, axis=3)"), facts) == Unknown()
    assert infer.infer(quote("x[0, 0]"), facts) == Unknown()


def test_tuple_is_kept_through_calls():
    facts = fields(arguments(*SIZES[0]))
    kind = infer.infer(quote("np.linalg.qr(A)"), facts)
    assert isinstance(kind, Tuple)
    assert kind.cls.__name__ == "QRResult"


def test_permutations_and_choices() -> None:
    n, k = Dim.symbol("n"), Dim.of(3)
    floats = Array(np.dtype(float), (n, Dim.symbol("m")))
    integers = np.dtype(np.int64)
    assert draws.draw_kind("permutation", [Number(int, n)], {}) == Array(integers, (n,))
    assert draws.draw_kind("permutation", [floats], {}) == floats
    assert draws.draw_kind("choice", [Number(int, n), Number(int, k)], {"replace": Static(False)}) == Array(
        integers, (k,)
    )
    assert draws.draw_kind("choice", [Array(np.dtype(float), (n,))], {}) == Number(np.float64)
    assert draws.draw_kind("choice", [floats, Number(int, k)], {}) is None


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (Static(True), Number(bool), None), (Static(True), Number(float), False), (Static(None), Number(bool), False),
        (Static(None), Tuple(()), False), (Static(None), Static(None), True), (Static(True), Static(False), False),
        (Static(2), Static(2), None), (Static(2), Static(3), False), (Number(float), Number(float), None),
        (Number(float), Tuple(()), None), (Static(None), Unknown(), None),
    ],
)  # fmt: skip
def test_one_is_the_other_where_the_kinds_decide_it(a, b, same):
    assert infer.is_same(a, b) is same and infer.is_same(b, a) is same
