"""Questions about kinds."""

import collections

import numpy as np

from s2sad.kinds import query
from s2sad.kinds.kind import Array, Dict, Dim, List, ListOf, Number, Object, Static, Tuple, Unknown

F8 = np.dtype(np.float64)
VECTOR = Array(F8, (Dim.symbol("n"),))
INTS = Array(np.dtype(np.int64), (Dim.symbol("n"),))
MASK = Array(np.dtype(bool), (Dim.symbol("n"),))


def test_classes_of_kinds():
    assert query.is_number(Number(float)) and query.is_number(Static(3)) and query.is_number(Static(True))
    assert not query.is_number(VECTOR) and not query.is_number(Static("a")) and not query.is_number(Unknown())
    assert query.is_array(VECTOR) and query.is_array(Array(F8, ())) and not query.is_array(Number(float))
    for kind in (Number(float), Number(np.float32), Number(complex), VECTOR, Unknown()):
        assert query.is_float(kind), kind
    for kind in (Number(int), Number(bool), INTS, MASK, Static(None), Static(True), Static("a"), List(()), Object(str)):
        assert not query.is_float(kind), kind
    assert query.is_int(Number(int)) and query.is_int(INTS) and query.is_int(Number(np.int64))
    assert not query.is_int(Number(bool)) and not query.is_int(MASK) and not query.is_int(Static(True))
    assert query.is_bool(Number(bool)) and query.is_bool(MASK) and query.is_bool(Static(True))
    assert query.is_complex(Number(complex)) and not query.is_complex(VECTOR)


def test_dtype_and_rank():
    assert query.dtype_of(Number(float)) == F8
    assert query.dtype_of(Number(np.float32)) == np.dtype("f4")
    assert query.dtype_of(Number(int)) == np.dtype(int)
    assert query.dtype_of(List((Number(int), Number(float)))) == F8
    assert query.dtype_of(Unknown()) is None
    assert query.rank_of(Number(float)) == 0
    assert query.rank_of(VECTOR) == 1
    assert query.rank_of(Array(F8, ())) == 0
    assert query.rank_of(Array(F8, None)) is None
    assert query.rank_of(Unknown()) is None


def test_containers():
    kind = Dict((("a", Number(int)), ("b", Tuple((Static(None), List((VECTOR,)))))))
    assert list(query.leaves(kind)) == [Number(int), Static(None), VECTOR]
    assert query.is_differentiable(kind)
    assert not query.is_differentiable(List((Number(int), Static("a"))))
    assert query.is_differentiable(ListOf(Number(float)))
    assert query.is_differentiable(Object(dict, (("w", VECTOR),)))
    assert Object(dict, (("w", VECTOR),)).parts() == (("w", VECTOR),)
    assert ListOf(VECTOR).parts() == ((None, VECTOR),)
    assert VECTOR.parts() == ()


def test_containers_of_other_parts():
    whole, number, cls = Number(int), Number(float), collections.namedtuple("Pair", "a b")
    for kind in (
        *(Tuple((whole, whole), cls), List((whole,)), ListOf(whole), Dict((("a", whole),), collections.OrderedDict)),
        Object(dict, (("w", whole),)),
    ):
        made = kind.map(lambda part: number if part is whole else part)
        assert type(made) is type(kind) and getattr(made, "cls", None) is getattr(kind, "cls", None)
        assert made.parts() == tuple((key, number) for key, _ in kind.parts())
        assert made.map(lambda part: whole) == kind
    assert VECTOR.map(lambda part: number) is VECTOR
