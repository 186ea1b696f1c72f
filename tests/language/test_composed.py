"""Functions made around other functions, `lambda z: g(f(z))`: written out as other calls are, however many they are.

Only what calls itself is a recursion.
"""

from __future__ import annotations

import pathlib

import numpy as np
import pytest
from s2sad import DerivationError, grad

from tests import generator, numeric, verdict

HEAD = """import functools

import numpy as np


def mk(f, g):
    def h(z):
        return g(f(z))

    return h


def scaled(a, f):
    def g(z):
        return a * f(z)

    return g


def times(a):
    return lambda f: scaled(a, f)


def power(f, n):
    def g(z):
        for _ in range(n):
            z = f(z)
        return z

    return g


@times(1.5)
@times(2.0)
@times(2.5)
@times(0.5)
@times(1.1)
def stacked(z):
    return z * z


FS = [np.sin, np.cos, np.tanh, np.exp] * 3
CHAIN = functools.reduce(mk, FS)


"""
#: what is composed, of x
COMPOSED = (
    "mk(mk(mk(mk(mk(mk(np.sin, np.cos), np.sin), np.cos), np.sin), np.exp), np.tanh)(x)",
    "functools.reduce(lambda f, g: lambda z: g(f(z)), FS)(x)",
    "functools.reduce(lambda f, g: lambda z: g(f(z)), [times(x)(f) for f in FS])(x)",
    "CHAIN(x)",
    "stacked(x) + CHAIN(stacked(x))",
    "scaled(x, scaled(x, scaled(2.0, scaled(3.0, scaled(x, scaled(1.0, np.sin))))))(x)",
    "power(power(power(np.sin, 3), 2), 2)(x)",
    "functools.reduce(lambda h, _: mk(h, h), range(5), np.sin)(x)",
    "functools.reduce(lambda h, k: functools.partial(lambda f, z: np.sin(f(z)) * k, h), range(1, 7), np.cos)(x)",
)
#: recursions with closures: a run-time test, or what a closure has captured, ends them
RECURSIVE = (
    "half = lambda z: z * 1.5 if z < 0.1 else np.sin(half(z / 2)) * z\n    return half(x)",
    "outer = lambda z: (lambda w: outer(w * 0.5) + w if w > 0.05 else np.sin(w))(z)\n    return outer(x)",
    "rep = lambda n: (lambda z: z) if n == 0 else mk(np.sin, rep(n - 1))\n    return rep(6)(x)",
    "rec = lambda n: lambda z: z if n == 0 else z * rec(n - 1)(z)\n    return rec(9)(x)",
    "rec = lambda z, c: (lambda w: w if w > c else rec(w * 1.5, c))(z)\n    return rec(x, 4.0)",
    "Y = lambda f: (lambda g: g(g))(lambda g: f(lambda n: g(g)(n)))\n"
    "    return Y(lambda self: lambda z: z if z < 0.05 else np.sin(self(z * 0.5)) * z)(x)",
)


@pytest.mark.parametrize("composed", [*(f"return {c}" for c in COMPOSED), *RECURSIVE])
def test_composed(composed: str, tmp_path: pathlib.Path) -> None:
    f = generator.load(f"{HEAD}def f(x):\n    {composed}\n", tmp_path / "composed.py")
    with verdict.time_limit(20):
        numeric.check(f, (0.3,), 0)


def test_a_chain_is_straight_line_code(tmp_path: pathlib.Path) -> None:
    f = generator.load(
        f"{HEAD}def f(x):\n    return mk(mk(mk(np.sin, np.cos), np.sin), np.cos)(x)\n", tmp_path / "f.py"
    )
    df = grad(f)
    df(0.3)
    assert df.source.count("def ") == 1


GROWING = """import numpy as np


def f(x):
    def made(inner):
        def h(z):
            return z if z < 0.1 else BODY

        return h

    return made(np.sin)(x)
"""


@pytest.mark.parametrize("body", ("made(h)(z / 2) * inner(z)", "made(h)(z / 2) + made(h)(z / 3) * inner(z)"))
def test_without_end(body: str, tmp_path: pathlib.Path) -> None:
    """A function that is made anew at each step of a recursion of which only the run knows the end."""
    f = generator.load(GROWING.replace("BODY", body), tmp_path / "growing.py")
    with verdict.time_limit(20), pytest.raises(DerivationError, match="nested too deeply"):
        grad(f)(0.3)


#: trees and chains, as what a recursion returns
BUILT = {
    "(x[lo], None, None)": "(l[0] * r[0], l, r)",
    "(x[lo], ())": "(l[0] * r[0], (l, r))",
    "(x[lo], None)": "(x[lo] * r[0], [l, r])",
    "{'v': x[lo], 'l': None}": "{'v': l['v'] * r['v'], 'l': [l, r]}",
    "SimpleNamespace(v=x[lo], l=None)": "SimpleNamespace(v=l.v * r.v, l=[l, r])",
}


@pytest.mark.parametrize("leaf", BUILT)
@pytest.mark.parametrize("n", (1, 4, 7))
def test_trees(leaf: str, n: int, tmp_path: pathlib.Path) -> None:
    value = ".v" if leaf.startswith("Simple") else "['v']" if leaf.startswith("{") else "[0]"
    lines = [
        "from types import SimpleNamespace\n\n",
        "def build(x, lo, hi):",
        f"    if hi - lo == 1: return {leaf}",
        "    mid = (lo + hi) // 2",
        "    l, r = build(x, lo, mid), build(x, mid, hi)",
        f"    return {BUILT[leaf]}\n\n",
        f"def f(x): return build(x, 0, len(x)){value}\n",
    ]
    f = generator.load("\n".join(lines), tmp_path / "tree.py")
    with verdict.time_limit(20):
        numeric.check(f, (np.linspace(0.5, 1.5, n),), 0)


def test_a_result_of_another_structure_for_each_depth(tmp_path: pathlib.Path) -> None:
    text = (
        "def made(x):\n    return (x, None) if x < 0.5 else (x, made(x * 0.7))\n\n\ndef f(x):\n    return made(x)[0]\n"
    )
    with verdict.time_limit(20), pytest.raises(DerivationError, match="another structure for each depth"):
        grad(generator.load(text, tmp_path / "f.py"))(3.0)
