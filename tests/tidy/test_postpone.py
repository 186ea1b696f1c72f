from __future__ import annotations

import numpy as np
import pytest

from s2sad.core import Facts, statements, text
from s2sad.kinds.kind import Array, Number
from s2sad.tidy.postpone import postpone


def moved(source: str, **arrays: object) -> str:
    kinds = {n: Number(float) for n in ("x", "bx", "bx_1", "bf", "g", "t")}
    kinds.update({n: Array(np.dtype(float), None) for n in arrays})  # type: ignore[misc]
    return text(postpone(statements(source), Facts(kinds=kinds, user_name={"x": "x"}), ["bx_1", "bf"]))


def test_after_the_last_reader() -> None:
    assert moved("bx_1 = bx + g\nbf = 2.0 * bx\nt = 3.0 * bx") == "bf = 2.0 * bx\nt = 3.0 * bx\nbx_1 = bx + g"


@pytest.mark.parametrize(
    "source",
    [
        "bx_1 = bx + g\nbf = 2.0 * bx_1 + bx",  # the new one is read first
        "bx_1 = bx + g\ng = 1.0\nbf = 2.0 * bx",  # what it reads is bound again
        "bx_1 = f(bx)\nbf = 2.0 * bx",  # a call with effects
        "bx_1 = bx + g\nif t:\n    return bx",  # a way out
        "bf = 2.0 * bx\nbx_1 = bx + g",  # nothing reads the old one
        "g_1 = g + t\nbf = 2.0 * g",  # not a variable of the user's
    ],
)
def test_stays(source: str) -> None:
    assert moved(source) == text(statements(source))


def test_past_a_store_into_what_it_reads() -> None:
    source = "bx_1 = bx + g\ng[0] = 1.0\nbf = 2.0 * bx"
    assert moved(source, g=1, bx=1, bx_1=1) == text(statements(source))


def test_past_a_branch() -> None:
    assert moved("bx_1 = bx + g\nif t:\n    bf = 2.0 * bx\nelse:\n    bf = 0.0") == (
        "if t:\n    bf = 2.0 * bx\nelse:\n    bf = 0.0\nbx_1 = bx + g"
    )
