"""Arrays that start as numbers or None: what is known of them, and what fits their adjoints."""

import operator

import gast
import numpy as np
import pytest

from s2sad import grad
from s2sad.core import Facts, load, quote
from s2sad.expansion.fit import fit
from s2sad.expansion.operand import Operand
from s2sad.kinds.calls import call_kind, taken_by
from s2sad.kinds.infer import attribute_kind, infer, is_same
from s2sad.kinds.joined import join_kinds
from s2sad.kinds.kind import Array, Dim, Either, Number, Static, Unknown

N, M = Dim.symbol("n"), Dim.symbol("m")
VECTOR, MATRIX = Array(np.dtype(float), (N,)), Array(np.dtype(float), (M, N))
TOTAL, NONE = Either(VECTOR, Number(int)), Either(VECTOR, Static(None))


def fresh() -> Dim:
    return Dim.symbol("s")


def test_joins():
    assert join_kinds(Number(int, Dim.of(0)), VECTOR, fresh) == TOTAL
    assert join_kinds(VECTOR, Static(None), fresh) == NONE
    assert join_kinds(TOTAL, VECTOR, fresh) == TOTAL
    assert join_kinds(TOTAL, Number(float), fresh) == Either(VECTOR, Number(float))
    assert join_kinds(TOTAL, Static(None), fresh) == Unknown()
    assert join_kinds(Number(float), Array(np.dtype(float), ()), fresh) == Unknown()


@pytest.mark.parametrize(
    "text, kind",
    [
        ("total + x", VECTOR),
        ("total * 2.0", Either(VECTOR, Number(float))),
        ("total * W", MATRIX),
        ("np.sum(total)", Number(np.float64)),
        ("absent + x", VECTOR),
        ("np.sum(absent)", Number(np.float64)),
        ("total[0]", Number(np.float64)),
        ("total.shape[0]", Number(int, N)),
        ("np.dot(total, x)", Unknown()),  # an array where total is a number
        ("W @ total", Array(np.dtype(float), (M,))),
        ("W + total * v", Unknown()),
        ("absent is None", Number(bool)),
        ("total is None", Static(False)),
    ],
)
def test_kinds(text, kind):
    kinds = {"total": TOTAL, "absent": NONE, "x": VECTOR, "W": MATRIX, "v": Array(np.dtype(float), (M, Dim.of(1)))}
    found = infer(quote(text), Facts(kinds=kinds, globals={"np": np}))
    assert found == kind


def test_attributes_of_numbers_are_not_the_arrays():
    assert attribute_kind(TOTAL, "real") == Unknown()
    assert attribute_kind(NONE, "T") == VECTOR
    assert is_same(NONE, Static(None)) is None
    assert taken_by(operator.add, NONE) == VECTOR and taken_by(operator.add, TOTAL) == TOTAL
    assert call_kind(operator.add, [TOTAL, TOTAL]) == TOTAL


def fitted(value, virtual, target, *others):
    facts = Facts(globals={"np": np})
    sources = [target, *others, Operand(load("y"), virtual)]
    return fit(value, virtual, target, facts, sources).text


def test_adjoints_of_constant_starts():
    g, x = Operand(load("g"), VECTOR), Operand(load("x"), VECTOR)
    loose = Operand(load("total"), Either(VECTOR, Number(int), loose=True))
    tight = Operand(load("total"), TOTAL)
    assert fitted(g, VECTOR, loose, x) == "g"
    assert fitted(g, VECTOR, tight, x) == "unbroadcast(g, total)"
    assert fitted(Operand(load("g"), TOTAL), TOTAL, tight) == "g"
    assert fitted(Operand(load("g"), MATRIX), MATRIX, loose) == "np.sum(g, axis=0)"
    assert fitted(Operand(load("s"), Number(float)), VECTOR, loose, x) == "np.broadcast_to(s, x.shape)"


def test_numbers_beside_them():
    a = Operand(load("a"), Number(float))
    total = Operand(load("total"), TOTAL)
    assert fitted(Operand(load("g"), TOTAL), TOTAL, a, total) == "np.sum(g)"
    assert fitted(Operand(load("s"), Number(float)), TOTAL, a, total) == "s * np.size(total)"


def scaled(xs, n):
    total = None
    for i in range(n):
        row = np.sin(xs[i])
        total = row if total is None else total + row
    return np.sum(total**2)


def test_the_first_turn_leaves_no_trace():
    derivative = grad(scaled)
    derivative(np.ones((3, 2)), 3)
    backward = derivative.source.partition("btotal =")[2]
    assert "None" not in backward and "tape" not in derivative.source and "unbroadcast" not in derivative.source
    assert gast.parse(derivative.source)
