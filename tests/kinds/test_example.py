"""Kinds by example: what may be run, and what is concluded from it."""

import math

import numpy as np
import pytest

from s2sad.kinds import dims
from s2sad.kinds.example import SIZES, by_example
from s2sad.kinds.kind import Array, Callable, Dim, Number, Static, Unknown
from s2sad.kinds.pure import is_pure

F8 = np.dtype(np.float64)
n, m = Dim.symbol("n"), Dim.symbol("m")


def shape(target, *kinds, **kwargs):
    return by_example(target, list(kinds), kwargs).shape


def vector(dim):
    return Array(F8, (dim,))


def test_the_sizes_tell_symbols_apart():
    columns = list(zip(*SIZES, strict=True))
    for a in range(len(columns)):
        for b in range(a):
            u, v = columns[a], columns[b]
            assert len({x < y for x, y in zip(u, v, strict=True)}) == 2  # both orders
            spread = v[1] - v[0]
            if (u[1] - u[0]) % spread == 0:  # no column is a * other + c
                factor = (u[1] - u[0]) // spread
                assert factor == 0 or u[0] - factor * v[0] != u[2] - factor * v[2]
    assert all(len(set(row)) == len(row) for row in SIZES)


def test_lengths_are_linear_where_they_are():
    assert shape(np.convolve, vector(n), vector(m)) == (n + m - 1,)
    assert shape(np.append, vector(n), vector(m)) == (n + m,)
    assert shape(np.kron, vector(n), vector(m)) == (dims.product(n, m),)
    assert shape(np.convolve, vector(n), vector(Dim.of(7)), Static("same")) == (dims.maximum(n, Dim.of(7)),)
    assert shape(np.diff, vector(n), n=Number(int, Dim.of(4))) == (dims.clipped(n - 4),)
    assert shape(np.linalg.svd, Array(F8, (n, m)), compute_uv=Static(False)) == (dims.minimum(n, m),)
    assert shape(np.fft.irfft, vector(n)) == (n * 2 - 2,)


def test_large_constants_cost_nothing():
    big = Array(F8, (Dim.of(5000), Dim.of(7000)))
    assert shape(np.cumsum, big, axis=Number(int, Dim.of(0))) == big.shape
    assert shape(np.linspace, Number(float), Number(float), Number(int, Dim.of(10**9))) == (Dim.of(10**9),)


def test_singular_matrices_are_not_met():
    square = Array(F8, (n, n))
    for target in (np.linalg.inv, np.linalg.cholesky):
        assert by_example(target, [square], {}) == square
    batch = Array(F8, (m, n, n))
    assert by_example(np.linalg.inv, [batch], {}) == batch


def test_domains_are_searched():
    for target in (math.acosh, math.log, math.asin, math.atanh, math.gamma):
        assert by_example(target, [Number(float)], {}) == Number(float)


def test_lengths_that_must_agree_give_rank_and_dtype():
    kind = by_example(np.linalg.solve, [Array(F8, (n, m)), vector(dims.variable("k"))], {})
    assert kind.dtype == F8
    assert len(kind.shape) == 1
    assert kind.shape[0] not in (n, m, dims.variable("k"))


def test_a_rank_that_is_not_fixed_is_not_claimed():
    count = dims.fresh()
    assert by_example(np.squeeze, [vector(count)], {}) == Array(F8, None)
    assert by_example(np.squeeze, [vector(n)], {}) == vector(n)


def test_scipy_if_it_is_there():
    special = pytest.importorskip("scipy.special")
    linalg = pytest.importorskip("scipy.linalg")
    stats = pytest.importorskip("scipy.stats")
    square = Array(F8, (n, n))
    axis = {"axis": Number(int, Dim.of(1))}
    assert by_example(special.logsumexp, [Array(F8, (n, m))], axis) == vector(n)
    assert by_example(linalg.solve_triangular, [square, vector(n)], {"lower": Static(True)}) == vector(n)
    assert by_example(linalg.expm, [square], {}) == square
    assert by_example(stats.norm.logpdf, [vector(n)], {}) == vector(n)
    assert is_pure(special.gammaln)
    assert not is_pure(stats.norm.rvs)


@pytest.mark.parametrize("target", [print, open, eval, exec, input, np.save, np.load, np.random.normal, np.random.seed,
                                    np.random.default_rng, np.seterr, np.vectorize, np.lib.stride_tricks.as_strided,
                                    np.random.default_rng(0).normal, [].append, __import__, setattr, np.ndarray.tofile,
                                    np.add.at, lambda x: x])  # fmt: skip
def test_what_must_not_be_run(target):
    assert not is_pure(target)


def test_a_function_as_argument_is_judged_too():
    assert by_example(np.apply_over_axes, [Callable(lambda a, axis: a), vector(n)], {}) == Unknown()
