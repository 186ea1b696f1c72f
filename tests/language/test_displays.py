"""Lists and tuples of active values, as they stand, where NumPy makes arrays of them: `a[:] = [s, t]`.

What is stored, added or given to a function is broadcast as an array would be, in both modes.
"""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

from tests import amounts, generator, numeric

#: what is stored, in the place of #; into the array k, of the shape (3, 2)
STORED = (
    *("[x[0], x[1]]", "(x[0], x[1] * x[2])", "[x[0], 2]", "(1.0, x[2])", "[x[0]]", "(x[1],)", "x[0],", "[[x[0], x[1]]]"),
    *("[[x[0]], [x[1]], (x[2],)]", "[x[:2], x[1:], x[:2] * x[1]]", "((x[0], 1.0), [2, x[1]], x[1:])", "[*x[:2]]"),
    *("[x[:1], x[1:2], x[2:]]", "tuple(x[1:])", "[v * v for v in x[:2]]", "[x[0] if x[1] > 0.0 else 2.0, x[1]]"),
)  # fmt: skip
STORES = (
    *("k[:] = #", "k[:] += #", "k[:] -= #", "k += #", "k -= #", "k[:] *= #", "k[:] /= #", "k[rows] = #"),
    *("np.add.at(k, rows, #)", "np.subtract.at(k, rows, #)", "np.add.at(k, [0, 1, 0], #)", "np.subtract.at(k, [2, 1, 2], #)"),
    *("for i in range(2): k[[i, 1, 2]] += #", "np.copyto(k, #)", "k[k > 0.0] = x[2]; k[::-1] -= #"),
)  # fmt: skip
#: places given by an index to each axis, or one, and what is added there
AT = (
    *("add.at(k, ([0, 1, 0], [1, 1, 1]), [x[0], 2, x[0] * x[1]])", "subtract.at(k, ([0, 1, 0], [1, 1, 1]), (x[0], 2, x[1]))"),
    *("subtract.at(k, ([0, 1, 0], [1, 0, 1]), tuple(x))", "add.at(k, ([0, 1, 0], [1, 0, 1]), (x[1],))"),
    *("add.at(k, [[0, 1], [1, 2]], [x[:2], x[1:]])", "add.at(k, 1, (x[0], x[1]))", "subtract.at(k, (0, 1), x[0])"),
    *("subtract.at(k, [0, 0], (3, 4))", "add.at(k[0], [0, 1, 0], [x[0], x[1], x[2]])", "add.at(k, mask, [x[0], 2.0])"),
)  # fmt: skip
#: functions of an array of two numbers, or of several, given as # and $
CALLS = (
    *("np.where(k > 2, #, 2.0)", "np.where(k > 2, 1.0, #)", "np.where([True, False], #, $)", "np.clip(k, #, None)"),
    *("np.clip(k, None, $)", "np.clip(#, 0.2, x[2] + k)", "np.add(#, k)", "np.hypot(#, k)", "k * np.array(#)", "np.full(2, #)"),
    *("np.cumsum(#)", "np.roll(#, 1) * [1, 2]", "np.tile(#, 2)", "np.repeat(#, 2)", "np.diff(#)", "np.kron(#, $)", "np.sort(#)"),
    *("np.convolve(#, $)", "np.interp(#, (0, 1.0, 2.0), $ + $[:1])", "np.linspace(#, $, 4)", "np.einsum('i,ji->j', #, k)"),
    *("np.average(#, weights=$)", "np.full_like(k, #)", "np.take(#, [0, 1, 1])", "np.trapezoid(#, $)", "np.polyval(#, $)"),
    *("np.append(#, $) * [1, 2, 3, 4]", "np.nan_to_num(#)", "np.matmul(#, k.T)", "np.vdot(#, $)", "np.inner(#, k)", "np.dot(#, $)"),
    *("np.linalg.norm(#)", "np.linalg.solve(k[:2] + np.eye(2), #)", "np.gradient(# + $)", "np.diag(#)", "np.meshgrid(#, $ + #)[0] * [3, 4]"),
    *("np.meshgrid(#, $)[1] * [[3], [4]]", "np.multiply.outer(#, $)", "np.add.accumulate(#)", "np.std(#)", "np.outer(#, $)"),
    *("np.median(# + $)", "np.percentile(#, 30)", "np.broadcast_to(#, (3, 2)) * k", "np.pad(k, 1, constant_values=#)"),
    *("np.cross(# + #[:1], $ + $[:1])", "np.fft.rfft(#).real", "np.reshape(#, (2, 1)) * k[:2]", "np.expand_dims(#, 0) * k"),
)  # fmt: skip
DISPLAYS = (("[x[0], x[1]]", "[x[1], 2.0]"), ("(x[0], x[1])", "(x[1], 2.0)"), ("(x[0], 3)", "(x[2], x[1])"))
HEAD = """import numpy as np


def f(x):
    k = np.array([[0.5, 1.0], [2.0, 3.0], [4.0, 5.0]])
    rows = np.array([0, 2, 1])
    mask = np.array([True, False, False])
"""


def check(body: str, path: pathlib.Path) -> bool:
    """Is the program right? False where it is none: what is stored does not fit."""
    f = generator.load(HEAD + body, path)
    try:
        f(np.array([1.1, 0.7, 0.3]))
    except (ValueError, IndexError):
        return False
    numeric.check(f, (np.array([1.1, 0.7, 0.3]),), 0)
    return True


@pytest.mark.sampled(16, each=False)
@pytest.mark.parametrize("store", STORES)
def test_stored(store: str, tmp_path: pathlib.Path) -> None:
    fit = 0
    for k, value in enumerate(STORED):
        body = f"    {store.replace('#', value)}\n    return np.sum(k ** 2 * np.arange(6.0).reshape(3, 2))\n"
        fit += check(body, tmp_path / f"stored_{k}.py")
    assert fit > 4


@pytest.mark.parametrize("added", AT)
def test_added_at_places(added: str, tmp_path: pathlib.Path) -> None:
    assert check(f"    np.{added}\n    return np.sum(k ** 2 * np.arange(6.0).reshape(3, 2))\n", tmp_path / "added.py")


@pytest.mark.parametrize("call", CALLS)
def test_given(call: str, tmp_path: pathlib.Path) -> None:
    turn = CALLS.index(call) % len(DISPLAYS)
    for k, (one, other) in enumerate(DISPLAYS if amounts.ALL else DISPLAYS[turn:][:1]):
        given = call.replace("#", one).replace("$", other)
        assert check(f"    return np.sum(({given}) ** 2)\n", tmp_path / f"given_{k}.py")
