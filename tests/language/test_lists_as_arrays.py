"""Lists and tuples where NumPy takes arrays: stored or added over a larger place, and handed to functions.

Each part of a list counts for all the elements that it goes to, as the part of an array would.
"""

from __future__ import annotations

import itertools
import pathlib

import pytest

from tests.language.test_held import verdict

PROGRAM = """import numpy as np


def pair(p, q, k):
    return (p, q) if k == 0 else pair(p * q, q + p, k - 1)


def f(x, n):
    s, t = x[0], x[1]
    A = np.outer(x, [1.0, 2.0, 0.5, 1.5])
    T = np.ones((2, 3, 4)) * x[2]
    grown, rows = [], []
    for v in x:
        grown.append(v * v)
        rows.append([v, s, v * s, 1.0])
    u = x * 2.0
    {body}
    return np.sum(A**2) + np.sum(T**3) + np.sum(u**2)
"""

#: where something is stored, and what; NumPy refuses some of these
PLACES = (
    *("A[:2]", "A[1:, :2]", "A[1]", "A[..., :2]", "A[[0, 2], :2]", "A[[0, 2]]", "A[:, 1:3]", "A[A > 0.65]", "A.T[1:]"),
    *("A[:]", "T[0]", "T[:, 1]", "T", "A[:0]", "u[:2]", "u[[0]]", "u[1:n]", "T[:, :, :1]"),
)
VALUES = (
    *("[s, t]", "(s, t * s)", "[s]", "(s,)", "s, t, 1.0, s * t", "[[s], [t], [s * t]]", "grown", "rows", "[A[0], A[1], rows[2]]"),
    *("tuple(grown)", "pair(s, t, n)", "[grown[0]]", "[[s, t]]", "[x[0:1]]", "[2.0, s]"),
)  # fmt: skip
WAYS = ("{place} = {value}", "{place} += {value}", "{place} -= {value}", "v = {place}\n    v[...] = {value}")


@pytest.mark.sampled(12, each=False)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("place", PLACES)
def test_stored(place: str, way: str, tmp_path: pathlib.Path) -> None:
    place = f"{place}[...]" if place == "T" else place
    bodies = [way.format(place=place, value=value) for value in VALUES]
    verdicts = [verdict(PROGRAM.format(body=b), tmp_path / f"p{k}.py") for k, b in enumerate(bodies)]
    assert verdicts.count("right") > 1
    assert "refused" not in verdicts


#: other ways to store, and stores in loops and branches
BODIES = (
    "np.copyto(A, [s, t, 1.0, 2.0])",
    "np.copyto(A[1:], grown + [s])",
    "np.put_along_axis(A, np.array([[0], [1], [2]]), [[s]], 1)",
    "np.add.at(A, (slice(None), [0, 0]), [s, t])",
    "np.add.at(u, [0, 0, 2], [s])",
    "np.subtract.at(A, (slice(None), [0, 0]), (s, t))",
    "B = A * (1.0 + 0.5j)\n    B[1:].real = [s, t, 1.0, 2.0]\n    A = np.abs(B)",
    "for k in range(n):\n        A[k:] = [s * k, t, 1.0, 2.0]\n        if A[k, 0] > 0.5:\n            A[:k] += [s, t, 1.0, 3.0]",
    "for k in range(n):\n        A[k:, :2] = s * k, t\n        s = s * 1.1",
    "v = [s, t, s, t] if s > 0 else [t, t, s, s]\n    A[:2] = v",
    "d = {'q': A}\n    d['q'][1:] = [s, 1.0, 2.0, s]",
    "T[:] = rows",
    "T[:1] += [rows, rows][1]",
    "A[:, :2], T[0] = grown[:2], [s, t, 2.0, 1.0]",
    "A = np.array(rows) * A",
    "u = sum(x * k for k in range(n))\n    u[1:] = [s]\n    u[:2] += [t]",
)  # fmt: skip


@pytest.mark.parametrize("body", BODIES)
def test_stored_otherwise(body: str, tmp_path: pathlib.Path) -> None:
    assert verdict(PROGRAM.format(body=body), tmp_path / "stored.py") == "right"


#: calls that take arrays
CALLS = (
    "np.where(A > 0.65, @, 0.5)", "np.where(A > 0.65, A, @)", "np.where(np.array([[True], [False], [True]]), @, A)",
    "np.broadcast_to(@, (3, 4))", "np.broadcast_arrays(@, A)[0]", "np.meshgrid(@, u)[0]", "np.meshgrid(u, @)[1]",
    "np.clip(A, @, 9.0)", "np.clip(@, 0.2, 0.8)", "np.convolve(@, @)", "np.angle(@) + s", "np.unwrap(@)", "np.i0(@)",
    "np.sinc(@)", "np.multiply.outer(@, u)", "np.subtract.outer(u, @)", "np.logaddexp.reduce(@)", "np.max(@)",
    "np.min(@)", "np.ptp(@)", "np.maximum.reduce(@)", "np.interp(@, [0.0, 1.0], [s, t])", "np.full((2, 4), @)",
    "np.cross(@[:3], u)", "np.polyval(@, s)", "np.sort(@)", "np.tile(@, 2)", "np.cumsum(@)", "np.pad(@, 1)",
    "np.linspace(@, 2.0, 3)", "np.insert(u, 1, @)", "np.append(u, @)", "np.kron(@, u)", "np.gradient(@)", "np.flip(@)",
)  # fmt: skip
GIVEN = ("(s, t, 1.0, s * t)", "[s, t, 1.0, s * t]", "(*x, s)", "tuple(rows[0])", "(grown + [t])")


@pytest.mark.sampled(8, each=False)
@pytest.mark.parametrize("call", CALLS)
def test_handed_to_a_function(call: str, tmp_path: pathlib.Path) -> None:
    bodies = [f"u = {call.replace('@', given)} * s" for given in GIVEN]
    verdicts = [verdict(PROGRAM.format(body=b), tmp_path / f"p{k}.py") for k, b in enumerate(bodies)]
    assert verdicts == ["right"] * len(GIVEN)


ROWS = ("[A[0], A[1], A[2] * s]", "(A[0], s * A[2], A[1])")
OF_ARRAYS = (
    *("np.where(A > 0.65, @, 0.5)", "np.max(@)", "np.max(@, axis=1)", "np.min(@, axis=0)", "np.ptp(@)", "np.nanmax(@)"),
    *("np.nanmean(@)", "np.maximum.reduce(@)", "np.cov(@)", "np.clip(@, 0.2, 0.8)", "np.sinc(@)", "np.i0(@)"),
    *("np.median(@, axis=0)", "np.trapezoid(@)", "np.cumsum(@, axis=0)", "np.diff(@, axis=0)", "np.broadcast_to(@, (2, 3, 4))"),
    *("np.sum(@, axis=0)", "np.mean(@)", "np.multiply.outer(@, u)", "np.linalg.norm(@)", "np.einsum('ij->j', @)"),
)  # fmt: skip


@pytest.mark.parametrize(("call", "given"), [*zip(OF_ARRAYS, itertools.cycle(ROWS))])
def test_lists_of_arrays(call: str, given: str, tmp_path: pathlib.Path) -> None:
    body = f"u = {call.replace('@', given)} * s"
    assert verdict(PROGRAM.format(body=body), tmp_path / "arrays.py") == "right"


#: NumPy stores through `flat` again and again, or as far as there is room
FLAT = (
    *("u.flat[:2] = [s]", "u.flat = [s, t]", "A.flat[:4] = [s, t]", "A.flat = [s, t]", "A.flat = [[s], [t]]", "A.flat = grown"),
    *("A.flat[1:3] = x", "A.flat[1:9] = (s, t, s * t)", "A.flat[1:9] = x", "A.flat[[0, 5, 6]] = [s]", "u.flat[:2] = x"),
    *("A.flat[[1, 2]] = s, t", "A.flat[2] = s", "A.flat[:4] = np.array([[s], [t]])", "A.flat = x", "u.flat[:2] = [s, t]"),
)  # fmt: skip


@pytest.mark.parametrize("body", FLAT)
def test_stored_through_flat(body: str, tmp_path: pathlib.Path) -> None:
    assert verdict(PROGRAM.format(body=body), tmp_path / "flat.py") == "right"
