"""Arrays, NumPy's scalars and ranks: what is said of a call, held against what NumPy's functions return."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from s2sad.core import Facts, quote
from s2sad.kinds.dims import Dim
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Number
from tests import amounts

X = np.array([0.7, 1.1, 0.4])
VALUES = {"x": X, "m": np.outer(X, X[:2]), "z": np.array(0.7), "s": np.float64(0.7), "a": 0.7, "np": np}
N, M = Dim.symbol("n"), Dim.symbol("m")
FLOAT = np.dtype(float)
KINDS = {
    "x": Array(FLOAT, (N,)),
    "m": Array(FLOAT, (N, M)),
    "z": Array(FLOAT, ()),
    "s": Number(np.float64),
    "a": Number(float),
}
#: what has an effect, or asks the machine
LEFT_OUT = {
    *("save", "savez", "savez_compressed", "savetxt", "load", "loadtxt", "fromfile", "genfromtxt", "memmap", "test"),
    *("set_printoptions", "seterr", "seterrcall", "setbufsize", "info", "show_config", "show_runtime", "get_include"),
    *("copyto", "place", "put", "putmask", "fill_diagonal", "put_along_axis", "printoptions", "errstate"),
    "cross",  # of vectors of three: NumPy gives up those of two
    *("tofile", "dump", "dumps", "setflags", "resize", "fill", "setfield", "itemset", "partition", "sort", "byteswap"),
}
OPERANDS = ("x", "m", "z", "s", "a")
FORMS = (
    *("{0}", "{0}, {0}", "{0}, x", "{0}, 0", "{0}, 1", "{0}, 0.5", "0.5, {0}", "{0}, ()", "{0}, (1, 1)", "{0}, -1"),
    *("{0}, axis=0", "{0}, axis=-1", "{0}, axis=None", "{0}, keepdims=True", "{0}, axis=0, keepdims=True"),
    *("{0}, {0}, {0}", "{0}, 1, 0.5"),
)
METHOD_FORMS = ("", "0", "1", "1, 1", "(1, 1)", "-1", "()", "axis=0", "axis=None", "x", "[0, 0]", "0.5")


def _functions(owner: object, prefix: str) -> list[str]:
    names = (n for n in dir(owner) if not n.startswith("_") and n not in LEFT_OUT)
    return [f"{prefix}.{n}" for n in names if callable(getattr(owner, n)) and not isinstance(getattr(owner, n), type)]


def _told_wrong(call: str) -> str | None:
    """What is said of a call that is not so."""
    facts = Facts(kinds=dict(KINDS), globals={"np": np})
    kind = infer(quote(call), facts)
    if not isinstance(kind, (Number, Array)):
        return None
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = eval(call, {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in VALUES.items()})
    except Exception:
        return None
    array = isinstance(value, np.ndarray)
    rank = len(kind.shape) if isinstance(kind, Array) and kind.shape is not None else None
    if array != isinstance(kind, Array) or (rank is not None and rank != np.ndim(value)):
        return f"{call}: {kind}, and it is a {type(value).__name__} of shape {np.shape(value)}"
    return None


@pytest.mark.parametrize("name", [*_functions(np, "np"), *_functions(np.linalg, "np.linalg")])
def test_functions(name):
    calls = [f"{name}({form.format(operand)})" for form in FORMS for operand in OPERANDS]
    calls = calls if amounts.ALL else calls[len(name) % 2 :: 2]
    assert not [wrong for wrong in map(_told_wrong, calls) if wrong]


@pytest.mark.parametrize("name", sorted({n for n in dir(np.ndarray) if not n.startswith("_")} - LEFT_OUT))
def test_methods(name):
    calls = (f"{operand}.{name}({form})" for form in METHOD_FORMS for operand in OPERANDS)
    assert not [wrong for wrong in map(_told_wrong, calls) if wrong]
