"""Kinds as people write them down."""

import dataclasses
import typing
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from s2sad.kinds import dims
from s2sad.kinds.kind import Array, Dict, Dim, List, ListOf, Number, Object, Static, Tuple, Unknown
from s2sad.kinds.spec import SpecError, from_annotation, parse_kinds

F8, F4 = np.dtype(np.float64), np.dtype(np.float32)
n, p, d, h = (Dim.symbol(s) for s in "npdh")


def one(text):
    return parse_kinds(f"x: {text}")["x"]


def test_the_brief_form():
    kinds = parse_kinds("x: f8[n, p], k: int, w: float, params: {W1: f8[d, h], b1: f8[h]}, xs: list[f8[n]]")
    assert list(kinds) == ["x", "k", "w", "params", "xs"]
    assert kinds["x"] == Array(F8, (n, p))
    assert kinds["k"] == Number(int, dims.variable("k"))
    assert kinds["w"] == Number(float)
    assert kinds["params"] == Dict((("W1", Array(F8, (d, h))), ("b1", Array(F8, (h,)))))
    assert kinds["xs"] == ListOf(Array(F8, (n,)))


def test_every_form():
    assert one("f8") == Number(np.float64)
    assert one("f4[3]") == Array(F4, (Dim.of(3),))
    assert one("float32[n]") == Array(F4, (n,))
    assert one("float[n]") == Array(F8, (n,))
    assert one("f8[]") == Array(F8, ())
    assert one("f8[...]") == Array(F8, None)
    assert one("f8[n + 1, 2*n - 1]") == Array(F8, (n + 1, n * 2 - 1))
    assert one("f8[n*p]") == Array(F8, (dims.product(n, p),))
    assert one("f8[_, _]").shape[0] != one("f8[_, _]").shape[0]
    assert one("None") == Static(None)
    assert one("True") == Static(True)
    assert one("'linear'") == Static("linear")
    assert one('"a b"') == Static("a b")
    assert one("3") == Number(int, Dim.of(3))
    assert one("-1") == Number(int, Dim.of(-1))
    assert one("[float, f8[n]]") == List((Number(float), Array(F8, (n,))))
    assert one("(float, int)").items[0] == Number(float)
    assert one("tuple[float, float]") == Tuple((Number(float), Number(float)))
    assert one("list[float]") == ListOf(Number(float))
    assert one("list[int]") == ListOf(Number(int))
    assert one("?") == Unknown()
    assert one("str") == Object(str)
    assert one("bool") == Number(bool)
    assert one("complex") == Number(complex)
    assert one("{'a b': float, 1: int}").items[0][0] == "a b"
    assert parse_kinds("") == {}


def test_an_int_named_like_a_length_is_it():
    kinds = parse_kinds("x: f8[n], n: int, m: int")
    assert kinds["n"] == Number(int, n)
    assert kinds["m"] == Number(int, dims.variable("m"))


@pytest.mark.parametrize(
    "text",
    ["x", "x f8", "x:", "x: f8[n", "x: f8[n] y: f8", "x: q", "x: f8, x: f8", "x: f8[n,,p]", "x: {a float}", "3: f8",
     "x: list[]", "x: f8[-]", "x: -a", "x: f99[n]", "x: f8[n]]", "x: 'open", "x: (f8"],
)  # fmt: skip
def test_what_cannot_be_read_is_an_error(text):
    with pytest.raises(SpecError, match="expected"):
        parse_kinds(text)


@dataclasses.dataclass
class Config:
    rate: float
    w: "npt.NDArray[np.float64]"
    other: Any = None
    inner: "Config | None" = None


NOT_KNOWN = (("other", Unknown()), ("inner", Unknown()))


class Pair(NamedTuple):
    u: float
    v: int


class Options(typing.TypedDict):
    a: float


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [
        (float, Number(float)), (int, Number(int)), (complex, Number(complex)), (bool, Number(bool)),
        (str, Object(str)), (None, Static(None)), (np.ndarray, Array(F8, None)), (np.float32, Number(np.float32)),
        (npt.NDArray[np.float64], Array(F8, None)), (npt.NDArray[np.float32], Array(F4, None)),
        (npt.NDArray[np.int64], Array(np.dtype(np.int64), None)), (npt.NDArray[Any], Array(F8, None)),
        (float | None, Number(float)), ("Optional[np.ndarray]", Array(F8, None)), (float | int, Number(float)),
        (float | np.ndarray, None), (list[float], ListOf(Number(float))),
        (list[list[float]], ListOf(ListOf(Number(float)))),
        (tuple[float, float], Tuple((Number(float), Number(float)))), (tuple[float, ...], None),
        (dict[str, float], None), (Any, None), (npt.ArrayLike, None), (typing.TypeVar("T"), None),
        (Literal["linear"], Static("linear")), (typing.Annotated[float, "metres"], Number(float)),
        (typing.Callable[[float], float], None), (object, None),
        ("float", Number(float)), ("np.ndarray", Array(F8, None)), ("numpy.ndarray | None", Array(F8, None)),
        ("float | None", Number(float)), ("Optional[float]", Number(float)), ("Union[float, int]", Number(float)),
        ("npt.NDArray[np.float32]", Array(F4, None)), ("list[float]", ListOf(Number(float))),
        ("List[int]", ListOf(Number(int))),
        ("Tuple[float, float]", Tuple((Number(float), Number(float)))), ("Whatever", None), ("f(", None), ("", None),
        ("f8[n, p]", Array(F8, (n, p))), ("Float[Array, 'n p']", Array(F8, (n, p))),
        ("Float[np.ndarray, 'n 3']", Array(F8, (n, Dim.of(3)))), ("Float[Array, '']", Array(F8, ())),
        ("Float32[Array, 'n']", Array(F4, (n,))), ("Float[Array, '*batch n']", Array(F8, None)),
        ("jt.Float[Array, 'n+1']", Array(F8, (n + 1,))), ("Int[Array, 'n']", Array(np.dtype(np.int64), (n,))),
        (Pair, Tuple((Number(float), Number(int)), Pair)), (Options, Dict((("a", Number(float)),))),
        (Config, Object(Config, (("rate", Number(float)), ("w", Array(F8, None)), *NOT_KNOWN))),
    ],
)  # fmt: skip
def test_annotations(annotation, kind):
    assert from_annotation(annotation) == kind


def test_lengths_that_say_nothing_are_any():
    first, second, third = from_annotation("Float[Array, '#n _ m']").shape
    assert third == Dim.symbol("m") and len({first, second, third, n}) == 4
