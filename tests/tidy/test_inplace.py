from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2sad import grad
from s2sad.core import Facts, statements, text
from s2sad.kinds.kind import Array, Dim, ListOf, Number
from s2sad.tidy.inplace import elide_copies, update_in_place
from tests import numeric
from tests.amounts import examples

from .programs import ARRAY, check


@pytest.mark.slow
@settings(max_examples=examples(30), deadline=None)
@given(st.integers(0, 10**9))
def test_random_programs_compute_the_same(seed: int) -> None:
    for change in (elide_copies, update_in_place):
        check(change, seed, exact=False)


def facts() -> Facts:
    kinds = dict.fromkeys(("p", "q", "v", "g", "h", "A", "B"), ARRAY) | {"x": Number(float), "y": Number(float)}
    kinds |= {"n": Number(int), "u": Array(np.dtype("f4"), (Dim.of(4),))}
    kinds |= {"l": ListOf(ARRAY), "r": ListOf(Number(float))}
    return Facts(kinds=kinds)


IN_PLACE = {
    "number": ("x = x + y\nreturn x", "x += y\nreturn x"),
    "number at the end": ("x = y + x\nreturn x", "x += y\nreturn x"),
    "minus": ("x = x - y - 2.0\nreturn x", "x -= y + 2.0\nreturn x"),
    "both": ("x = x - y + 2.0\nreturn x", "x += 2.0 - y\nreturn x"),
    "times": ("x = x * y\nreturn x", "x *= y\nreturn x"),
    "over": ("x = x / y\nreturn x", "x /= y\nreturn x"),
    "not minus x": ("x = y - x\nreturn x", "x = y - x\nreturn x"),
    "own array": ("A = np.zeros(4)\nA = A + p\nreturn A", "A = np.zeros(4)\nA += p\nreturn A"),
    "array of the caller": ("p = p + q\nreturn p", "p = p + q\nreturn p"),
    "shared array": (
        "A = np.zeros(4)\nB = A\nA = A + p\nreturn A, B",
        "A = np.zeros(4)\nB = A\nA = A + p\nreturn (A, B)",
    ),
    "array in a list": (
        "A = np.zeros(4)\nl.append(A)\nA = A + p\nreturn A, l",
        "A = np.zeros(4)\nl.append(A)\nA = A + p\nreturn (A, l)",
    ),
    "part of an array": ("A = np.zeros(4)\nA[1:] = A[1:] * y\nreturn A", "A = np.zeros(4)\nA[1:] *= y\nreturn A"),
    "item of a list of arrays": ("l[0] = l[0] * y\nreturn l", "l[0] = l[0] * y\nreturn l"),
    "item of a list of numbers": ("r[0] = r[0] * y\nreturn r", "r[0] *= y\nreturn r"),
    "dtype grows": ("u = np.ones(4, 'f4')\nu = u + p\nreturn u", "u = np.ones(4, 'f4')\nu = u + p\nreturn u"),
    "negative": ("A = np.zeros(4)\nA[1:] += -p[1:]\nreturn A", "A = np.zeros(4)\nA[1:] -= p[1:]\nreturn A"),
    "negative factor": ("A = np.zeros(4)\nA += -2.0 * p\nreturn A", "A = np.zeros(4)\nA -= 2.0 * p\nreturn A"),
}


@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place(name: str) -> None:
    before, after = IN_PLACE[name]
    assert text(update_in_place(statements(before), facts())) == text(statements(after))


def test_owned_parameters_may_be_updated() -> None:
    assert text(update_in_place(statements("p = p + q\nreturn p"), facts(), (), {"p"})) == "p += q\nreturn p"


def test_statements_of_the_user_stay() -> None:
    body = statements("x = x + y\nreturn x")
    body[0].user = True
    assert text(update_in_place(body, facts())) == "x = x + y\nreturn x"


COPIES = {
    "unchanged": ("g = A[1:].copy()\nB[1:] += 2.0 * g\nreturn B", "g = A[1:]\nB[1:] += 2.0 * g\nreturn B"),
    "zeroed": (
        "g = A[1:].copy()\nA[1:] = 0.0\nh = 2.0 * g\nB[1:] += h\nreturn A, B",
        "g = A[1:]\nh = 2.0 * g\nA[1:] = 0.0\nB[1:] += h\nreturn (A, B)",
    ),
    "zeroed, then read elsewhere": (
        "g = A[1:].copy()\nA[1:] = 0.0\nh = A * 2.0\nB[1:] += g\nreturn A, B, h",
        "g = A[1:].copy()\nA[1:] = 0.0\nh = A * 2.0\nB[1:] += g\nreturn (A, B, h)",
    ),
    "zeroed, then added to": (
        "g = A[1:].copy()\nA[1:] = 0.0\nA[:-1] += g\nreturn A",
        "g = A[1:].copy()\nA[1:] = 0.0\nA[:-1] += g\nreturn A",
    ),
    "added to while read": ("g = A[1:].copy()\nA[:-1] += g\nreturn A", "g = A[1:]\nA[:-1] += g\nreturn A"),
    "read after a store": (
        "g = A[1:].copy()\nA[:-1] += g\nB[1:] += g\nreturn A, B",
        "g = A[1:].copy()\nA[:-1] += g\nB[1:] += g\nreturn (A, B)",
    ),
    "stored through": (
        "g = A[1:].copy()\ng[0] = 1.0\nB[1:] += g\nreturn A, B",
        "g = A[1:].copy()\ng[0] = 1.0\nB[1:] += g\nreturn (A, B)",
    ),
    "returned": ("g = A.copy()\nreturn g", "g = A.copy()\nreturn g"),
    "kept in a list": ("g = A.copy()\nl.append(g)\nreturn A", "g = A.copy()\nl.append(g)\nreturn A"),
    "index bound again": (
        "g = A[n:].copy()\nn = 2\nB[n:] += g\nreturn B",
        "g = A[n:].copy()\nn = 2\nB[n:] += g\nreturn B",
    ),
    "index of the zeroing bound again": (
        "g = A[1:].copy()\nA[n:] = 0.0\nn = 2\nB[1:] += g\nreturn A, B, n",
        "g = A[1:].copy()\nA[n:] = 0.0\nn = 2\nB[1:] += g\nreturn (A, B, n)",
    ),
    "view of a view": (
        "v = A[1:]\ng = A[1:].copy()\nv[0] = 1.0\nB[1:] += g\nreturn A, B",
        "v = A[1:]\ng = A[1:].copy()\nv[0] = 1.0\nB[1:] += g\nreturn (A, B)",
    ),
    "the store that moved is behind another copy": (
        "g = p.copy()\np[0] = 0.0\nh = q.copy()\nq[:] = 0.0\nx = g[1]\nq[:] += h * x\nreturn p, q",
        "g = p\nh = q.copy()\nq[:] = 0.0\nx = g[1]\np[0] = 0.0\nq[:] += h * x\nreturn p, q",
    ),
    "a view of it is read": (
        "g = A[1:].copy()\nh = g[1:]\nB[2:] += h\nreturn A, B",
        "g = A[1:]\nh = g[1:]\nB[2:] += h\nreturn A, B",
    ),
} | {
    f"of which a view is {name}": (f"g = A[1:].copy()\nh = g[1:]\n{body}", f"g = A[1:].copy()\nh = g[1:]\n{body}")
    for name, body in {
        "read behind a zeroing": "A[1:] = 0.0\nB[2:] += h\nreturn A, B",
        "read after a store": "A[0] += y\nB[2:] += h\nreturn A, B",
        "stored through": "h[0] = 1.0\nB[2:] += h\nreturn A, B",
        "returned": "return h",
        "kept in a list": "l.append(h)\nreturn A",
        "added to the array itself": "A[2:] += h\nreturn A",
        "read in a turn after a store": "for n in range(2):\n    A[:] += y\n    B[2:] += h\nreturn B",
    }.items()
}


@pytest.mark.parametrize("name", COPIES)
def test_copies(name: str) -> None:
    before, after = COPIES[name]
    assert text(elide_copies(statements(before), facts())) == text(statements(after))


def test_a_copy_of_a_copy_that_is_a_view_by_now_stays() -> None:
    body = statements("t = a.copy()\ng = t[:].copy()\na[:] += g\nreturn g * a")
    facts = Facts(kinds=dict.fromkeys("atg", Array(np.dtype(float), None)))
    assert text(elide_copies(body, facts)).count("copy") == 1


def convolved(x, w):
    out = np.empty((x.shape[0], x.shape[1] - 1, w.shape[1]))
    for i in range(x.shape[1] - 1):
        out[:, i, :] = np.sum(x[:, i : i + 2, None] * w, axis=1)
    return np.sum(out * out)


def test_parts_of_adjoints_that_are_read_through_views_are_neither_copied_nor_zeroed() -> None:
    gradient = grad(convolved, wrt=(0, 1))
    x, w = np.linspace(-1.0, 1.0, 15).reshape(3, 5), np.linspace(0.3, 1.0, 6).reshape(2, 3)
    gradient(x, w)
    assert "copy()" not in gradient.source and "= 0.0" not in gradient.source
    numeric.check(convolved, (x, w), (0, 1))
