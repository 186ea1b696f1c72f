from __future__ import annotations

import math

import numpy as np
import pytest

from s2sad.core import Facts, statements, text
from s2sad.kinds.kind import Array, Number
from s2sad.tidy.common import reading_kept, share_kept, share_temporaries


def shared(source: str) -> str:
    kinds = {n: Number(float) for n in ("t", "t_1", "x", "y")}
    kinds.update({n: Array(np.dtype(float), None) for n in ("u", "u_1", "v")})  # type: ignore[misc]
    facts = Facts(kinds=kinds, temps={"t", "t_1", "u", "u_1"}, globals={"math": math, "np": np})
    return text(share_temporaries(statements(source), facts, ["a", "b"]))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("t = math.sin(x)\na = t\nt_1 = math.sin(x)\nb = t_1", "t = math.sin(x)\na = t\nb = t"),
        ("t = x * y\nif a:\n    t_1 = x * y\n    b = t_1", "t = x * y\nif a:\n    b = t"),
        ("t = x * y\nfor k in a:\n    t_1 = x * y\n    b = t_1", "t = x * y\nfor k in a:\n    b = t"),
        ("u = np.sin(v)\na = u @ v\nu_1 = np.sin(v)\nb = u_1 @ a", "u = np.sin(v)\na = u @ v\nb = u @ a"),
        ("u = v[1:]\na = u @ u\nu_1 = v[1:]\nb = u_1 @ a", "u = v[1:]\na = u @ u\nb = u @ a"),  # one view
        ("u = v[1:]\nv[1] = 2.0\nu_1 = v[1:]\nb = u_1 @ u", "u = v[1:]\nv[1] = 2.0\nb = u @ u"),
        # alike through another that is the same
        (
            "x = 2.0 * y\nt = 2.0 * y\nt_1 = math.sin(t)\na = t_1 * t\nb = math.sin(x) * t",
            "x = 2.0 * y\nt_1 = math.sin(x)\na = t_1 * x\nb = t_1 * x",
        ),
        # calls in expressions: of a name of the user's, in a block, below a minus
        ("y = math.sin(x)\nb = 2.0 * math.sin(x) + y", "y = math.sin(x)\nb = 2.0 * y + y"),
        ("u = np.sin(v)\na = u @ v\nif x:\n    b = x * np.sin(v)", "u = np.sin(v)\na = u @ v\nif x:\n    b = x * u"),
        ("y = math.sin(x)\nb = f(-math.sin(x), y)", "y = math.sin(x)\nb = f(-y, y)"),
    ],
)
def test_shared(source: str, expected: str) -> None:
    assert shared(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "u = v[1:]\nv = np.sin(v)\nu_1 = v[1:]\nb = u_1 @ u",  # a view of another array
        "t = math.sin(x)\nx = 2.0\nt_1 = math.sin(x)",  # what it reads is bound again
        "t = v[0]\nv[0] = 1.0\nt_1 = v[0]",  # or stored into
        "if a:\n    t = x * y\nt_1 = x * y",  # on one path only
        "for k in a:\n    t = x * y\n    x = t\nt_1 = x * y",
        "t = f(x)\nt_1 = f(x)",  # calls of what may have an effect
        "u = np.sin(v)\nu_1 = np.sin(v)\nu_1[0] = 1.0",  # two arrays, one of them overwritten
        "u = np.sin(v)\nu_1 = np.sin(v)\nreturn u, u_1",  # two arrays for the caller
        "t = math.sin(x)\nt_1 = math.sin(x)\nt_1 = 2.0",  # bound again
        # calls in expressions
        "y = math.sin(x)\nx = 2.0\nb = x * math.sin(x) * y",
        "u = np.sin(v)\nv[0] = 1.0\nb = x * np.sin(v) + u",
        "u = np.sin(v)\nu[0] = 1.0\nb = x * np.sin(v) + u",
        "u = np.sin(v)\nb = [np.sin(v), u]",  # the array goes somewhere
        "y = math.sin(x)\nb = [y * math.sin(x) for x in v]",
        "if a:\n    y = math.sin(x)\nb = x * math.sin(x)",
        "y = f(x)\nb = y * f(x)",
        "t = x * y\ntry:\n    x = f(y)\nexcept ValueError:\n    t_1 = x * y\n    b = t_1",  # bound before the handler
    ],
)
def test_stays(source: str) -> None:
    assert shared(source) == text(statements(source))


def kept(source: str, kept: str, handed_out: str = "") -> tuple[str, dict[str, str]]:
    kinds = {n: Number(float) for n in ("t", "t_1", "x", "y")}
    kinds.update({n: Array(np.dtype(float), None) for n in ("u", "u_1", "v")})  # type: ignore[misc]
    facts = Facts(kinds=kinds, temps={"t", "t_1", "u", "u_1"}, globals={"math": math, "np": np})
    body, names, _ = share_kept(statements(source), facts, kept.split(), handed_out.split(), ("x", "y", "v"))
    return text(body), names


def test_kept_once() -> None:
    assert kept("t = v[0]\nt_1 = v[0]", "t t_1") == ("t = v[0]", {"t_1": "t"})
    assert kept("u = np.sin(v)\nu_1 = np.sin(v)", "u u_1") == ("u = np.sin(v)", {"u_1": "u"})


@pytest.mark.parametrize(
    ("source", "names", "handed_out"),
    [
        ("t = v[0]\nv[0] = 1.0\nt_1 = v[0]", "t t_1", ""),  # another value
        ("u = np.sin(v)\nu_1 = np.sin(v)", "u", "u_1"),  # the caller may store into what he gets
        ("u = np.sin(v)\nu_1 = np.sin(v)", "u_1", "u"),
        ("t = x * y\nfor k in v:\n    t_1 = x * y", "t t_1", ""),  # bound in turns
        ("t = x * y\nt_1 = x * y", "t", ""),  # not kept
    ],
)
def test_not_kept_once(source: str, names: str, handed_out: str) -> None:
    assert kept(source, names, handed_out) == (text(statements(source)), {})


@pytest.mark.parametrize(
    ("source", "handed_out", "sweep", "expected"),
    [
        ("y = math.sin(x)", "", "t = g * math.sin(x)", "t = g * y"),
        ("u = np.sin(v)\nx = 2.0", "", "t = g * np.sin(v)", "t = g * u"),
        ("y = math.sin(x)\nx = 2.0", "", "t = g * math.sin(x)", None),
        ("u = np.sin(v)\nv[0] = 2.0", "", "t = g * np.sin(v)", None),
        ("u = np.sin(v)", "u", "t = g * np.sin(v)", None),  # the caller may store into it
        ("for k in v:\n    y = math.sin(x)", "", "t = g * math.sin(x)", None),
        ("y = math.sin(x)", "", "x = 2.0 * g\nt = g * math.sin(x)", None),
        ("u = np.sin(v)", "", "v[0] = 1.0\nt = g * np.sin(v)", None),
        ("u = np.sin(v)", "", "w = v[1:]\nw[0] = 1.0\nt = g * np.sin(v)", None),
    ],
)
def test_a_sweep_of_its_own_reads_what_calls_gave(source, handed_out, sweep, expected) -> None:
    kinds = {n: Number(float) for n in ("t", "x", "y", "g")}
    kinds.update({n: Array(np.dtype(float), None) for n in ("u", "v", "w")})  # type: ignore[misc]
    facts = Facts(kinds=kinds, temps={"t"}, globals={"math": math, "np": np})
    _, _, calls = share_kept(statements(source), facts, (), handed_out.split(), ("x", "v"))
    found = reading_kept(statements(sweep), calls, facts, ("x", "y", "u", "v", "g"))
    assert text(found) == (text(statements(sweep)) if expected is None else expected)
