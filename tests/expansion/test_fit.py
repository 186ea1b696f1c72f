"""Contributions fitted to their arguments."""

from __future__ import annotations

import gast
import numpy as np
import pytest

from s2sad import grad
from s2sad.core import Facts, load
from s2sad.expansion.fit import Product, fit, smaller
from s2sad.expansion.operand import Operand
from s2sad.kinds.kind import Array, Dim, Number, Unknown
from tests import generator

M, N, ONE = Dim.symbol("m"), Dim.symbol("n"), Dim.of(1)
SIZES = {M: 2, N: 3, ONE: 1}


def array(*dims):
    return Array(np.dtype(float), dims) if dims else Number(float)


SHAPES = [(), (N,), (ONE,), (M, N), (ONE, N), (M, ONE), (ONE, ONE), (M, ONE, N), (ONE, M, N), (M, M, N)]


def broadcastable(small, large):
    try:
        got = np.broadcast_shapes(tuple(SIZES[d] for d in small), tuple(SIZES[d] for d in large))
    except ValueError:
        return False
    return got == tuple(SIZES[d] for d in large)


CASES = [
    (have, full, want)
    for full in SHAPES
    for have in SHAPES
    for want in SHAPES
    if broadcastable(have, full) and broadcastable(want, full)
]


@pytest.mark.parametrize(("have", "full", "want"), CASES)
def test_fit_sums_and_counts(have, full, want):
    rng = np.random.default_rng(0)
    values = {
        "g": rng.normal(size=tuple(SIZES[d] for d in have)),
        "x": np.zeros(tuple(SIZES[d] for d in want)),
        "y": np.zeros(tuple(SIZES[d] for d in full)),
    }
    facts = Facts(kinds={"g": array(*have), "x": array(*want), "y": array(*full)}, globals={"np": np})
    target, y = Operand(load("x"), array(*want)), Operand(load("y"), array(*full))
    out = fit(Product(2.0, [Operand(load("g"), array(*have))]), array(*full), target, facts, [target, y])
    got = eval(gast.unparse(out.expr), {**facts.globals, **values})
    full_value = np.broadcast_to(2.0 * values["g"], values["y"].shape)
    lead = full_value.ndim - values["x"].ndim
    wanted = full_value.sum(axis=tuple(range(lead)))
    ones = tuple(i for i, n in enumerate(values["x"].shape) if n == 1)
    wanted = wanted.sum(axis=ones, keepdims=True)
    assert np.broadcast_shapes(np.shape(got), values["x"].shape) == values["x"].shape
    assert np.shape(got) == tuple(SIZES[d] for d in (out.shape or ()))
    np.testing.assert_allclose(np.broadcast_to(got, values["x"].shape), wanted)


def text(num, full, want, coefficient=1, sources=()):
    operands = [Operand(load(name), kind) for name, kind in num]
    facts = Facts(kinds=dict(num), globals={"np": np})
    return fit(Product(coefficient, operands), full, Operand(load("t"), want), facts, sources).text


def test_expressions_are_those_of_an_expert():
    v, m, s = array(N), array(M, N), Number(float)
    assert text([("g", v), ("x", v)], v, s) == "g @ x"
    assert text([("g", m), ("x", m)], m, s, 2.0) == "2.0 * np.sum(g * x)"
    assert text([("s", s), ("g", v), ("x", v)], v, s, -1) == "-s * (g @ x)"
    assert text([("g", m)], m, v) == "np.sum(g, axis=0)"
    assert text([("g", m)], m, array(M, ONE)) == "np.sum(g, axis=1, keepdims=True)"
    assert text([("g", s)], m, s, 1, [Operand(load("x"), m)]) == "g * x.size"
    assert text([("g", s)], m, v, 1, [Operand(load("x"), m)]) == "g * x.shape[0]"
    assert text([("g", s), ("x", m)], m, m, 2.0) == "2.0 * g * x"


def test_unknown_shapes_use_the_helper():
    assert text([("g", Unknown())], Unknown(), Unknown()) == "unbroadcast(g, t)"


def test_complex_contributions_to_real_arguments():
    z = Array(np.dtype(complex), (N,))
    assert text([("g", z)], z, array(N)) == "g.real"


def test_wider_contributions_are_narrowed():
    small = Array(np.dtype(np.float32), (N,))
    assert text([("g", array(N))], array(N), small) == "g.astype(t.dtype)"


def test_contributions_of_ints_have_the_precision_of_what_they_are_for():
    ints = Array(np.dtype(int), (N,))
    small = Array(np.dtype(np.float32), (N,))
    assert text([("k", ints)], ints, array(N)) == "1.0 * k"
    assert text([("k", ints)], ints, small) == "(1.0 * k).astype(t.dtype)"
    assert text([("k", Number(np.int64)), ("v", small)], small, small) == "(k * v).astype(t.dtype)"


def test_wider_contributions_of_unknown_lengths_are_narrowed():
    small = Array(np.dtype(np.float32), None)
    assert text([("g", Array(np.dtype(float), None))], Array(np.dtype(float), None), small) == (
        "unbroadcast(g.astype(t.dtype), t)"
    )
    assert text([("g", Unknown())], Unknown(), small) == "unbroadcast(g, t).astype(t.dtype)"
    assert text([("g", small)], small, small) == "unbroadcast(g, t)"


BESIDE = [
    ("np.sum(x * np.arange(3))", None),
    ("np.sum(x @ np.arange(3))", None),
    ("np.sum(x[::-1] * (x > 1))", None),
    ("np.sum(np.cumsum(x) * w)", np.int64(3)),
    ("np.sqrt(x @ x) * w", np.int64(3)),
    ("np.max(np.outer(x, x), axis=1) @ w", np.arange(3)),
    ("np.sum(np.diff(x) * w)", np.array([0.5, 2.0])),
    ("np.sum(np.delete(x, 1) * w)", np.array([0.5, 2.0])),
    ("np.sum(np.choose([0, 1, 0], [x, 2 * x]) * w)", np.arange(3)),
    ("np.sum(np.take_along_axis(x, np.array([1, 1]), 0) * w)", np.array([0.5, 2.0])),
]


@pytest.mark.parametrize(("value", "w"), BESIDE)
def test_gradients_of_single_precision_beside_wider_values(value, w, tmp_path):
    f = generator.load(f"import numpy as np\n\n\ndef f(x, w):\n    return {value}\n", tmp_path / "f.py")
    x = np.array([0.5, 1.5, 2.5], np.float32)
    gradient = grad(f)(x, w)
    assert gradient.dtype == np.float32
    np.testing.assert_allclose(gradient, grad(f)(x.astype(float), w), rtol=1e-5)


def test_smaller():
    assert smaller(array(), array(N)) and smaller(array(ONE, N), array(M, N))
    assert not smaller(array(M), array(N))
