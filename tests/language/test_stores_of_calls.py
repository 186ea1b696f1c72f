"""Calls that store through an argument: into the derivative's own copy of what the caller gave, wherever it stands.

`ufunc.at`, `out=` by name and by position, np.put and the like, for arrays that are arguments and that are in containers;
as statements, and inside of expressions.
"""

from __future__ import annotations

import pathlib
import types

import numpy as np
import pytest
from s2sad import DerivationError

from tests import generator, numeric

#: what is stored into W; V are values
CALLS = (
    "np.add.at(W, [0, 1], V)",
    "np.subtract.at(W, [0, 1], V)",
    "np.multiply.at(W, [0, 1], V)",
    "np.maximum.at(W, [0, 0], V)",
    "np.negative.at(W, [0])",
    "np.hypot.at(W, slice(0, 1), V[0])",
    "at(W, [0], V[0])",
    "(lambda u: u.at(W, [0], V[0]))(np.divide)",
    "functools.partial(np.power.at, W)([0], V[0])",
    "called(W, V)",
    "np.add.accumulate(V, 0, None, W)",
    "np.multiply.reduce(np.ones((2, 2)), 0, None, W)",
    "np.maximum.reduceat(V, [0, 1], 0, None, W)",
    "np.add.accumulate(V, out=W)",
    "np.multiply.outer(V, 2.0, out=W)",
    "np.put(W, [0], V[1])",
    "np.place(W, W > 0.0, V)",
    "np.putmask(W, W > 0.0, V)",
    "np.copyto(W, V)",
    "np.copyto(W, V, where=W > 0.0)",
    "np.fill_diagonal(W.reshape(1, 2), V)",
    "np.put_along_axis(W, np.array([0]), V[1], 0)",
    "W.put([0], V[1])",
    "W.sort()",
    "V.cumsum(0, None, W)",
)
#: parameters, where W and V stand, and how the arguments are made of the two
PLACES = {
    "arguments": ("x, w, v", "w", "v", lambda w, v: (1.3, w, v)),
    "a dict": ("x, d", "d['w']", "d['v']", lambda w, v: (1.3, {"w": w, "v": v})),
    "a list": ("x, d", "d[0]", "d[1]", lambda w, v: (1.3, [w, v])),
    "lists in a dict": ("x, d", "d['a'][0]", "d['a'][1]", lambda w, v: (1.3, {"a": [w, v]})),
    "an object": ("x, d", "d.w", "d.v", lambda w, v: (1.3, types.SimpleNamespace(w=w, v=v))),
    "a star": ("x, *d", "d[0]", "d[1]", lambda w, v: (1.3, w, v)),
    "active values": ("x, w, d", "w", "(d['v'] * x)", lambda w, v: (1.3, w, {"v": v})),
}
FORMS = (
    "CALL; r = x * W[0]",
    "r = x * W[0] if CALL is None else x * W[1]",
    "any(CALL is None for k in range(1)); r = x * W[0]",
    "for k in range(2): CALL\n    r = x * W[0]",
)
HELPERS = """
import functools

import numpy as np

at = np.subtract.at


def called(w, v):
    np.subtract.at(w, [0], v[0])


"""


@pytest.mark.sampled(16, cover=True)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("call", CALLS)
def test_stores(call: str, place: str, tmp_path: pathlib.Path) -> None:
    parameters, w, v, made = PLACES[place]
    for form in FORMS:
        body = form.replace("CALL", call).replace("W", w).replace("V", v)
        f = generator.load(f"{HELPERS}def f({parameters}):\n    {body}\n    return r\n", tmp_path / "stores.py")
        for one in (numeric.check_reverse, numeric.check_forward):
            try:
                one(f, made(np.array([1.0, 2.0]), np.array([2.0, 4.0])), 0)
            except DerivationError:
                assert place == "active values" or form is not FORMS[0]


@pytest.mark.parametrize("place", [p for p in PLACES if p != "active values"])
def test_stores_through_a_buffer(place: str, tmp_path: pathlib.Path) -> None:
    parameters, w, _, made = PLACES[place]
    f = generator.load(f"def f({parameters}):\n    {w}.data[0] = 5.0\n    return x * {w}[0]\n", tmp_path / "buffer.py")
    args = made(np.array([1.0, 2.0]), np.array([2.0, 4.0]))
    numeric.check_reverse(f, args, 0)
    numeric.check_forward(f, args, 0)
