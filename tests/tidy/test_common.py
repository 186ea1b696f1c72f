from __future__ import annotations

import math

import numpy as np
import pytest

from s2sad.core import Facts, statements, text
from s2sad.kinds.kind import Array, Number
from s2sad.tidy.common import share_temporaries


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
    ],
)
def test_shared(source: str, expected: str) -> None:
    assert shared(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "t = math.sin(x)\nx = 2.0\nt_1 = math.sin(x)",  # what it reads is bound again
        "t = v[0]\nv[0] = 1.0\nt_1 = v[0]",  # or stored into
        "if a:\n    t = x * y\nt_1 = x * y",  # on one path only
        "for k in a:\n    t = x * y\n    x = t\nt_1 = x * y",
        "t = f(x)\nt_1 = f(x)",  # calls of what may have an effect
        "u = np.sin(v)\nu_1 = np.sin(v)\nu_1[0] = 1.0",  # two arrays, one of them overwritten
        "u = np.sin(v)\nu_1 = np.sin(v)\nreturn u, u_1",  # two arrays for the caller
        "t = math.sin(x)\nt_1 = math.sin(x)\nt_1 = 2.0",  # bound again
        "t = x * y\ntry:\n    x = f(y)\nexcept ValueError:\n    t_1 = x * y\n    b = t_1",  # bound before the handler
    ],
)
def test_stays(source: str) -> None:
    assert shared(source) == text(statements(source))
