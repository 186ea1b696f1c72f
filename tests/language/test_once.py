"""A call that changes something, in every position where an expression may stand: it happens once, and in order.

Each context is a statement with a call in the place of `@`; the rest of what the call changes counts in the result.
"""

from __future__ import annotations

import pathlib
import zlib

import numpy as np
import pytest
from s2sad import DerivationError

from tests import generator, numeric

#: calls that change the list `c`: one that is followed, one that is left to the run
CALLS = {"followed": "c.pop()", "left": "heapq.heappop(c)"}
CONTEXTS = (pathlib.Path(__file__).parent / "contexts.txt").read_text().splitlines()
#: contexts that are refused, with the calls that are
REFUSED = {
    "for e in (v * @ for v in x): s = s * e": {"followed", "left"},
    "try: s = s * x[@ % 3]\\nexcept IndexError: pass": {"followed", "left"},
    "try: s = s * x[@ + 1]\\nexcept IndexError: s = s * @": {"followed", "left"},
    "s = s * np.einsum('i,i->', x, [@, 1, 1])": {"followed", "left"},
    "s = s * np.vstack([x, [@, 2, 3]])[1, 0]": {"left"},
    "z[@ % 3] *= s * @": {"left"},
    "s = s * (1, 2, 3, 4)[@ % 3 :][0]": {"left"},
    "q = {1: x[0], 2: x[1], 3: s, 4: s, 5: s}; s = q.pop(@)": {"left"},
}
HELPERS = """
import contextlib
import functools
import heapq
import math

import numpy as np


def helper(u, k=2):
    return u * k


@contextlib.contextmanager
def ctx(k):
    yield k


class Holder:
    def __init__(self, x):
        self.n = 1
        self.v = x * 1.0


def f(x, n):
    c = [1, 1, 2, 2, 2, 3, 3, 4, 5]
    g = Holder(x)
    z = x * 2
    s = x[0] * x[1]
"""


def program(context: str, call: str) -> str:
    """The module of a context: several lines are told apart by a `;`, or by an `\\n` where they are one statement."""
    lines: list[str] = []
    for part in context.replace("@@", "\0").replace("@", call).replace("\0", "@").split("\\n"):
        lines += part.split("; ") if not part.startswith((" ", "for", "while", "if", "with", "try", "match")) else [part]
    body = "".join(f"    {line}\n" for line in lines)
    return f"{HELPERS}{body}    return s * len(c) * (c[-1] + z.sum()) + c[0]\n"


@pytest.mark.sampled(14, each=False)
@pytest.mark.parametrize(
    "context",
    [pytest.param(c, marks=[pytest.mark.slow] if zlib.crc32(c.encode()) % 3 else []) for c in CONTEXTS],
)
@pytest.mark.parametrize("call", CALLS)
def test_once_and_in_order(context: str, call: str, tmp_path: pathlib.Path) -> None:
    f = generator.load(program(context, CALLS[call]), tmp_path / "contexts.py")
    args = np.array([0.7, 1.1, 0.4]), 3
    if call in REFUSED.get(context, ()):
        with pytest.raises(DerivationError):
            numeric.check_reverse(f, args, 0)
        return
    numeric.check_reverse(f, args, 0)
    numeric.check_forward(f, args, 0)
