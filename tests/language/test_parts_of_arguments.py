"""What is said of names holds of parts of arguments, too: p[0], d["y"], o.y.

Each program is asked for its derivative with respect to a number that is an argument of its own, and that stands in a
container: it is right or refused, both ways.
"""

from __future__ import annotations

import ast
import copy
import pathlib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from s2sad import DerivationError, grad, jvp

from tests import generator, numeric


def buffered(y, v):
    u = np.zeros(3)
    w = np.ndarray(3, buffer=u)
    w[1] = y
    return np.sum(u * 2.0) * y


def listed(y, v):
    held = []
    for _ in range(3):
        held.append(v)
    v[1] += y
    return np.sum(np.array(held) ** 2)


def added_at(y, v):
    held = [v for _ in range(2)]
    np.add.at(v, 1, y)
    return np.sum(np.array(held) ** 2)


def in_a_dict(y, v):
    held = {}
    for k in range(2):
        held[k] = v
    v[1] = y
    return np.sum(held[0] * 2.0)


def chosen(y, v):
    u = v if v[0] > 0.0 else np.zeros(3)
    u[1] = y
    return np.sum(v * 2.0)


def apart(y, v):
    w = v.copy()
    held = []
    for _ in range(3):
        held.append(w)
    v[1] = y
    return np.sum(np.array(held) ** 2) * v[1]


def formatted(y, v):
    return float(f"{y}") * 2.0 + y


def printed(y, v):
    text = "%.12f" % y
    return float(text) * y


def printed_with_more(y, v):
    return float("%r%s" % (y, "")) * y


def as_complex(y, v):
    return complex(str(y)).real * y


def as_numpys(y, v):
    return np.float64(str(y)) * y


def evaluated(y, v):
    return ast.literal_eval(repr(y)) * y


def parsed(y, v):
    return np.fromstring(f"{y} 2", sep=" ")[0] * y


def a_label(y, v):
    label = f"{y:.3f}" + "%s" % y
    return y * y * len(label.split()) if "." in label else y


PROGRAMS = (
    *(buffered, listed, added_at, in_a_dict, chosen, apart),
    *(formatted, printed, printed_with_more, as_complex, as_numpys, evaluated, parsed, a_label),
)
RIGHT = (apart, a_label)
V = np.array([0.4, 1.2, -0.7])


def alone(f: Callable[..., Any]) -> tuple[Callable[..., Any], Any]:
    return f, lambda y: (y, V.copy())


def starred(f: Callable[..., Any]) -> tuple[Callable[..., Any], Any]:
    return (lambda *p: f(*p)), lambda y: (y, V.copy())


def array_in_dict(f: Callable[..., Any]) -> tuple[Callable[..., Any], Any]:
    return (lambda y, d: f(y, d["v"])), lambda y: (y, {"v": V.copy(), "w": 2.0 * V})


def number_in_list(f: Callable[..., Any]) -> tuple[Callable[..., Any], Any]:
    return (lambda p, v: f(p[0], v)), lambda y: ([y], V.copy())


def array_in_object(f: Callable[..., Any]) -> tuple[Callable[..., Any], Any]:
    return (lambda y, o: f(y, o.v)), lambda y: (y, SimpleNamespace(v=V.copy(), w=V * 2.0))


@pytest.mark.parametrize("way", [alone, starred, array_in_dict, number_in_list, array_in_object])
@pytest.mark.parametrize("program", PROGRAMS)
def test_parts_of_arguments(program: Callable[..., Any], way: Callable[..., Any]) -> None:
    f, arguments = way(program)
    step = 1e-6
    expected = (f(*arguments(0.5 + step)) - f(*arguments(0.5 - step))) / (2.0 * step)
    derivatives = (
        lambda args: grad(f)(*args),
        lambda args: jvp(f)(*args, [1.0] if way is number_in_list else 1.0)[1],
    )
    for derivative in derivatives:
        args = arguments(0.5)
        before = copy.deepcopy(args)
        try:
            found = derivative(args)
        except DerivationError:
            assert program not in RIGHT
            continue
        assert np.allclose(np.ravel(found), expected, rtol=1e-6), (found, expected)
        assert repr(args) == repr(before)


@pytest.mark.parametrize("change", ["v **= 2", "v *= 2.0", "v[0] = 5.0", "v[:] = v * v"])
@pytest.mark.parametrize("kept", ["v * 1.0", "1.0 * v", "v + 0.0", "v.copy()", "v[1:] * 1.0"])
def test_what_is_kept_of_a_part(kept: str, change: str, tmp_path: pathlib.Path) -> None:
    """Its tangent is not the memory that is overwritten."""
    ways = {'p["v"]': ("f(p)", {"v": V}), "p[0]": ("f(*p)", V), "p[0].v": ("f(p)", [SimpleNamespace(v=V)])}
    for k, (part, (head, given)) in enumerate(ways.items()):
        lines = [f"def {head}:", f"    v = {part}", f"    u = {kept}", f"    {change}", "    return np.sum(u) + np.sum(v)"]
        f = generator.load("import numpy as np\n\n\n" + "\n".join(lines) + "\n", tmp_path / f"kept_{k}.py")
        numeric.check(f, (given,), 0)


@pytest.mark.parametrize("mask", ["v > 0.5", "np.abs(v) > 0.5", "v.argsort()[:2]", "[int(v[0] > 0.5)]"])
def test_an_index_made_of_an_overwritten_part_is_kept(mask: str, tmp_path: pathlib.Path) -> None:
    turns = ["    for k in range(2):", f"        w[{mask}] *= y", "        v[...] += 0.7 * v[::-1].copy()"]
    starts = {'v, w, y = p["v"], p["w"], p["y"]': {"v": V, "w": V + 1.0, "y": 0.5}, "v, w, y = p": [V, V + 1.0, 0.5]}
    for k, (start, given) in enumerate(starts.items()):
        lines = ["def f(p):", f"    {start}", *turns, "    return np.sum(w * w) + np.sum(v)"]
        f = generator.load("import numpy as np\n\n\n" + "\n".join(lines) + "\n", tmp_path / f"index_{k}.py")
        numeric.check(f, (given,), 0)
