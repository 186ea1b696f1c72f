"""Views that a loop takes of arrays whose names it binds anew: what is stored goes to the memory that they view.

Each program takes a view of an array in a loop, stores through one of the two names, binds the array's name anew, and
reads the view in that turn, in the next one, or after the loop.
"""

from __future__ import annotations

import pathlib
import random

import pytest

from tests.language.test_held import verdict

PROGRAM = """import numpy as np


def f(x, n):
    s = 0.0
    a = x * 2.0
    b = x * 3.0
    c = x * x
    m = np.outer(x, x + 1.0)
    {loop}
        {body}
    return {result}
"""
LOOPS = (
    "for k in range(3):",
    "for k, e in enumerate(x):",
    "k = -1\n    while k < 2:\n        k += 1",
    "for k in range(n):\n        if k == 2: break",
    "for k in range(n):\n        if k == 1: continue",
)
#: the same memory, or a copy
VIEWS = (
    *("a[:]", "a", "a[1:]", "a[::-1]", "a.copy()", "a[None][0]", "m[k % 3]", "m.T[1]", "m", "m.ravel()[:3]"),
    *("(a, 1)[0]", "a.imag + a", "a.real", "np.flip(a)", "np.split(a, [1])[1]", "m.T.reshape(9)[:3]", "c[:]"),
)
STORES = (
    *("a *= x[2]", "a[0] = x[1]", "b *= 0.5", "b[0] += x[0]", "b[:] = 0.3", "m *= x[0]", "m[0] = x", "a += 0.1"),
    *("c[1] = x[0]", "np.add(a, x, out=a)", "a[-1], a[0] = a[0], a[-1]"),
)
REBINDINGS = (
    *("a = a * 0.5", "a = np.sin(a)", "a = m[0]", "a = x * a", "a = b * 2.0", "m = m * 0.9", "a = c[:]"),
    *("a, c = c, a", "c = a * x[0]", "b = b + 0.1", "m = np.outer(a, c)", "m = m.T.copy()", "m = m.T * x[1]"),
    *("a, b = b, a[:]", "a = a[::-1]", "m = m.T", "a, b = b, a[::-1]"),
)
READS = (
    *("s += np.sum(b)", "s += a[0] * x[1]", "s += np.sum(c * c)", "s += b[-1] * np.sum(m)", "if s > 0.4: continue"),
    *("if s > 1.5: break", "if k == 1: b = a[:]", "c = b", "c = a[:]", "for j in range(2): a = a * x[j]"),
    *("s += np.sin(a[1]) * a[1]", "s += np.sin(m[0, 1]) * m[0, 1]", "s += np.sum(np.sin(a[:1]) * b[1:2])"),
)
RESULTS = (
    *("float(s + np.sum(np.sin(b)))", "float(s + b.flat[1] + np.sum(a))", "float(s + np.sum(b) * np.sum(c))"),
    *("float(s + np.sum(m * b))", "float(s + a[1])"),
)


def program(draw: random.Random) -> str:
    """One of all programs, by chance."""
    body = ["b = " + draw.choice(VIEWS), draw.choice(STORES), draw.choice(REBINDINGS)]
    body += draw.sample(STORES + REBINDINGS + READS, draw.randint(0, 2))
    if draw.random() < 0.4:
        draw.shuffle(body)
    text = PROGRAM.replace("{loop}", draw.choice(LOOPS)).replace("{body}", "\n        ".join(body))
    return text.replace("{result}", draw.choice(RESULTS))


@pytest.mark.sampled(6)
@pytest.mark.parametrize("block", [pytest.param(k, marks=[pytest.mark.slow] if k > 0 else []) for k in range(12)])
def test_views_in_loops(block: int, tmp_path: pathlib.Path) -> None:
    draw = random.Random(block)
    verdicts = [verdict(program(draw), tmp_path / f"view_{k}.py") for k in range(10)]
    assert verdicts.count("right") > 4


#: what was found wrong: in which loop, what a turn does, and what is read after the loop
FOUND = (
    ("for k in range(2):", "b = a[:]; a *= x[2]; a = a * 0.5", "b[0]"),
    ("for k in range(2):", "b = a[:]; a[0] *= x[2]; a = np.sin(a)", "b.sum()"),
    ("for k in range(3):", "b = a[1:]; b *= x[1]; a = np.sin(a) + x", "b[1] + a.sum()"),
    ("for k in range(3):", "s += b[0]; b = a[:]; a *= x[2]; a = a + x", "s"),
    ("for k in range(3):", "b = a[:]; b[0] = x[1]; a = a * b", "b[1] + a[0]"),
    ("for k in range(n):", "row = m[k]; row /= row.sum(); m = m * 0.5", "row[0]"),
    ("for k in range(3):", "b = a[-2:]; b *= 0.5; a = np.append(a, b[0] * x[0])", "b[0] + a[0]"),
    ("for k in range(2):", "b = a[:]; b[0] = x[1]; a = a * 0.5", "b[1]"),
    ("for k, e in enumerate(x):", "b = a[None][:, 0]; a *= x[2]; a = a * 0.5", "np.sum(b)"),
    ("for k in range(2):", "b = np.astype(a, float, copy=False); a *= x[2]; a = a * 0.5", "b[0]"),
    # from the second turn on, a is the array that c views
    ("for k, e in enumerate(x):", "a[0] = x[1]; a, c = c, a; s += a[0]; c = a[:]", "s"),
    # two views that wait for each other
    ("for k in range(3):", "b = a[:]; d = c[:]; b[0] *= x[1]; d[1] = x[0]; a, c = d * 1.0, b * 2.0", "b[0] + d[1]"),
    ("for k in range(3):", "b = a[::-1]; d = c[::-1]; b[0] *= x[1]; d[1] = x[0]; a, c = d, b", "a[0] * x[0] + c[1]"),
    # the method .copy() lies row after row, np.copy as what it copies
    ("for k in range(2):", "m.ravel()[1] *= x[2]; m = m.T.copy()", "m.sum()"),
    ("for k in range(3):", "b = m.ravel()[:3]; b[0] += x[0]; m = m.T.copy()", "m.sum()"),
    ("for k in range(2):", "q = (m if k else m.T.copy()); q.ravel()[1] *= x[2]; s += q[0, 1] * q[1, 0]", "s"),
    ("for k in range(2):", "q = np.matmul(p, m); q.reshape(-1)[5] = x[1]; s += np.sum(q * q)", "s"),
    ("for k in range(2):", "q = np.linspace(m.T, m.T * 2.0, 3); q.reshape(-1)[5] = x[1]; s += np.sum(q * q)", "s"),
    # the imaginary part of reals is no view of them
    ("for k in range(2):", "s += a.imag[1]; a /= 2.0", "s + a[0]"),
    ("for k in range(2):", "b = np.imag(a); a /= 2.0", "b[1] + a[0]"),
    # the same index of what is bound to a part of itself is another element in the next turn
    ("for k in range(2):", "t = a[1]; s += np.sin(t) * t; a[0] = s * 0.3; a = a[1:]", "s"),
    ("for k in range(2):", "t = a[:1] * x[k]; s += np.sum(np.sin(t) * t); a[2] = s * 0.3; a = a[::-1]", "s"),
    ("for k in range(2):", "t = m[0, 1]; s += np.sin(t) * t; m[1, 0] = s * 0.3; m = m.T", "s"),
    ("while len(a) > 1:", "t = a[1]; s += np.sin(t) * t; a[0] = s * 0.3; a = a[1:]", "s"),
    ("for k in range(2):", "t = d['a'][1]; s += np.sin(t) * t; d['a'][0] = s * 0.3; d['a'] = d['a'][1:]", "s"),
)


@pytest.mark.parametrize(("loop", "body", "result"), FOUND)
def test_found(loop: str, body: str, result: str, tmp_path: pathlib.Path) -> None:
    text = PROGRAM.replace(
        "    {loop}", "    d = {'a': x * 1.0}\n    p = np.ones((4, 2, 3, 3)).transpose(1, 0, 2, 3)\n    {loop}"
    )
    text = text.replace("{loop}", loop).replace("{body}", body.replace("; ", "\n        ")).replace("{result}", result)
    assert verdict(text, tmp_path / "found.py") in ("right", "refused")
