"""What is refused, and what to do instead: reason and way out are true, and the way out works."""

from __future__ import annotations

import ast
import pathlib
from collections.abc import Iterator

import numpy as np
import pytest

from s2sad import DerivationError, grad, hvp, jvp, vjp
from s2sad.derivative import Derivative
from tests import generator, numeric

HEAD = """import heapq
import itertools

import numpy as np

from s2sad import grad


class Node:
    def __init__(self, v):
        self.v = v

    @grad(wrt="x")
    def d(self, x):
        return self.v * x * x


def square(v, x):
    return v * x * x


M = Node(3.0)
TOTAL = 0.0


def f(x):
"""
#: what is refused, the reason, a word of the way out, and the way out
REFUSED = (
    (
        "out, i = [], 0\n    while x[i] > 0.5:\n        out.append(Node(3.0))\n        i += 1\n    return sum(o.v for o in out) * x[0]",
        "objects in a list that grows",
        "append tuples",
        "out, i = [], 0\n    while x[i] > 0.5:\n        out.append((3.0, i))\n        i += 1\n    return sum(o[0] for o in out) * x[0]",
    ),
    (
        "s, k = 0.0, itertools.count()\n    for v in x:\n        s = s + v * next(k)\n        s = s * next(k)\n    return s",
        "is used in several places",
        "an int of your own",
        "s, k = 0.0, 0\n    for v in x:\n        s = s + v * k\n        k = k + 1\n        s = s * k\n        k = k + 1\n    return s",
    ),
    (
        "h, s = [(x[0], 0)], 0.0\n    while h:\n        d, n = heapq.heappop(h)\n        s = s + d\n        if d < 3.0:\n"
        "            heapq.heappush(h, (d + x[1], n + 1))\n    return s",
        "is changed by a function of the library",
        "items.pop(items.index(min(items)))",
        "h, s = [(x[0], 0)], 0.0\n    while h:\n        d, n = h.pop(h.index(min(h)))\n        s = s + d\n        if d < 3.0:\n"
        "            h.append((d + x[1], n + 1))\n    return s",
    ),
    (
        "return M.d(x[0]) * x[1]",
        "a derivative and a method",
        "call grad of that",
        "return grad(square, wrt='x')(M.v, x[0]) * x[1]",
    ),
    (
        "return np.sum(np.pad(x, 1, mode=('edge', 'wrap')[int(x[0] > 1.0)]) ** 2)",
        "the mode must be known",
        "write it in the call as a constant",
        "return np.sum(np.pad(x, 1, mode='wrap') ** 2) if x[0] > 1.0 else np.sum(np.pad(x, 1, mode='edge') ** 2)",
    ),
    (
        "return np.sum(np.einsum(('ij->i', 'ij->j')[int(x[0] > 1.0)], np.outer(x, x)) * x)",
        "the subscripts must be known",
        "write it in the call as a constant",
        "return np.sum((np.einsum('ij->j', np.outer(x, x)) if x[0] > 1.0 else np.einsum('ij->i', np.outer(x, x))) * x)",
    ),
    (
        "return np.sum(np.tensordot(np.outer(x, x), np.outer(x, x), axes=int(x[0] > 1.0)))",
        "the ranks and axes must be known",
        "write it in the call as a constant",
        "a = np.outer(x, x)\n    return np.sum(np.tensordot(a, a, axes=1)) if x[0] > 1.0 else np.sum(np.tensordot(a, a, axes=0))",
    ),
    (
        "global TOTAL\n    TOTAL = x[0] * x[0]\n    return TOTAL * x[1]",
        "writes to globals",
        "pass the value as an argument and return it",
        "def squared(total):\n        total = total + x[0] * x[0]\n        return total\n\n"
        "    return squared(0.0) * x[1]",
    ),
    (
        "return eval('x[0] * x[1]') + x[2]",
        "eval is not differentiated",
        "write the expression out",
        "return x[0] * x[1] + x[2]",
    ),
    (
        "scope = {'x': x}\n    exec('y = x[0] * x[1]', scope)\n    return scope['y']",
        "exec is not differentiated",
        "write the statements out",
        "y = x[0] * x[1]\n    return y",
    ),
    (
        "s = 0.0\n    for v in {*x, 1.0}:\n        s += v * v\n    return s",
        "an item of a set",
        "keep it in a list",
        "s = 0.0\n    for v in [*x, 1.0]:\n        s += v * v\n    return s",
    ),
    (
        "def powers(t):\n        for k in range(3):\n            yield t**k\n\n    return sum(powers(x[0]))",
        "generators and async functions",
        "return a list or an array",
        "def powers(t):\n        return [t**k for k in range(3)]\n\n    return sum(powers(x[0]))",
    ),
    (
        "return float(str(x[0])) * 2.0",
        "read back from text",
        "keep the number beside the text",
        "text, number = str(x[0]), x[0]\n    return number * len(text) / len(text) * 2.0",
    ),
    (
        "a = np.empty(3, dtype=object)\n    a[0] = x[0] * x[1]\n    return a[0] * 2.0",
        "an array of objects",
        "use an array of floats, or a list",
        "a = np.empty(3)\n    a[0] = x[0] * x[1]\n    return a[0] * 2.0",
    ),
    (
        "u, v = np.zeros(5), np.ones(5)\n    w = u if x[0] > 0.0 else v\n    u[2] = x[1]\n"
        "    return w[2] * 3.0 * x[0]",
        "may be the same memory",
        "make a copy with .copy() before",
        "u, v = np.zeros(5), np.ones(5)\n    w = u.copy() if x[0] > 0.0 else v\n    u[2] = x[1]\n"
        "    return w[2] * 3.0 * x[0] + u[2]",
    ),
    (
        "u, y = np.ones(5), x[0]\n    g = (e * y for e in u)\n    u[2] = y\n    return sum(g)",
        "computes its items when it is run through",
        "make it a list: [... for ...]",
        "u, y = np.ones(5), x[0]\n    g = [e * y for e in u]\n    u[2] = y\n    return sum(g) + u[2]",
    ),
    (
        "u = np.matrix([[1.0, 2.0], [3.0, 4.0]])\n    return np.sum(x[0] * u * u)",
        "of the class matrix",
        "make it a plain array with np.asarray(...)",
        "u = np.asarray(np.matrix([[1.0, 2.0], [3.0, 4.0]]))\n    return np.sum(x[0] * u @ u)",
    ),
    (
        "q = [x[0]]\n    for k in range(len(x)):\n        q.append(x[1] * k)\n    s = 0.0\n"
        "    for e in q:\n        if len(q) < 9:\n            q.append(e)\n        s += e * x[1]\n"
        "    return s",
        "what this loop runs over is changed",
        "run over a copy: list(...)",
        "q = [x[0]]\n    for k in range(len(x)):\n        q.append(x[1] * k)\n    s = 0.0\n"
        "    for e in list(q):\n        if len(q) < 9:\n            q.append(e)\n"
        "        s += e * x[1]\n    return s",
    ),
    (
        "u = x.copy()\n    try:\n        for k in range(7):\n            u[k] = x[0] * u[k]\n"
        "    except IndexError:\n        u[0] += x[1]\n    return np.sum(u)",
        "a try that may stop in the middle",
        "change them behind the try, or in its else",
        "u, n = x.copy(), 7\n    try:\n        u[n - 1]\n    except IndexError:\n"
        "        n = len(u)\n    for k in range(n):\n        u[k] = x[0] * u[k]\n"
        "    u[0] += x[1]\n    return np.sum(u)",
    ),
    (
        "async def g(t):\n        return t * t\n\n    c = g(x[0])\n    try:\n        c.send(None)\n"
        "    except StopIteration as stop:\n        return stop.value",
        "async functions are not differentiated",
        "write it as a plain function",
        "def g(t):\n        return t * t\n\n    return g(x[0])",
    ),
)  # fmt: skip


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize(("body", "reason", "way_out", "instead"), REFUSED)
def test_ways_out(body: str, reason: str, way_out: str, instead: str, tmp_path: pathlib.Path) -> None:
    x = np.array([1.1, 0.7, 0.3])
    f = generator.load(f"{HEAD}    {body}\n", tmp_path / "refused.py")
    f(x)
    with pytest.raises(DerivationError) as caught:
        grad(f)(x)
    assert reason in str(caught.value) and way_out in (caught.value.way_out or "")
    numeric.check(generator.load(f"{HEAD}    {instead}\n", tmp_path / "instead.py"), (x,), 0)


def of_two(x: float, y: float) -> float:
    return x * x * y


@pytest.mark.parametrize(
    ("inner", "args"), [(hvp(of_two), (1.0, 2.0, 1.0)), (jvp(of_two), (1.0, 2.0, 1.0)), (vjp(of_two), (1.0, 2.0))]
)
def test_of_what_is_no_gradient(inner: Derivative, args: tuple[float, ...]) -> None:
    """They are given more arguments than the primal: that is not what is wrong."""
    for named in ({}, {"y": 2.0}):
        with pytest.raises(DerivationError, match="cannot be differentiated again"):
            grad(inner)(*args, **named)


#: what refuses, and the place of the way out among its arguments
REFUSALS = {"refuse": 1, "error_at": 3, "raise_at": 3, "raised_by": 2, "_bad": 1, "source_error": 2}
REFUSALS |= dict.fromkeys(("DerivationError", "BadArgument", "NoSource", "NotFound", "Raised", "NoDerivative"), 1)
#: in these a refusal that gives no way out is given one by the function that refuses
SUPPLIED = ("aliasing.py", "target.py", "expand.py")
ROOT = pathlib.Path(__file__).parents[2]


def refusals() -> Iterator[tuple[str, ast.Call, int, bool]]:
    """Each place that refuses: where, the call, the place of the way out in it, and is one supplied?"""
    for file in sorted([*(ROOT / "s2sad").rglob("*.py"), *(ROOT / "templates").glob("*.py")]):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if name in REFUSALS:
                    first = name == "refuse" and file.name == "aliasing.py"  # the statement comes first there
                    supplied = file.parent.name == "templates" or (name == "refuse" and file.name in SUPPLIED)
                    yield f"{file.relative_to(ROOT)}:{node.lineno}", node, REFUSALS[name] + first, supplied


def test_each_refusal_has_a_way_out() -> None:
    found = list(refusals())
    assert len(found) > 700  # they are found at all
    for where, call, at, supplied in found:
        given = [k.value for k in call.keywords if k.arg == "way_out"] + call.args[at : at + 1]
        several = any(isinstance(a, ast.Starred) for a in call.args)
        empty = any(isinstance(w, ast.Constant) and not w.value for w in given)
        assert (given or several or supplied) and not empty, f"{where} refuses without a way out"


#: how many of the texts of the ways out no row of the table takes: it may only get smaller
NOT_TAKEN = 455


def test_how_many_ways_out_are_not_taken() -> None:
    texts = {
        str(way.value)
        for _, call, at, _ in refusals()
        for way in [*(k.value for k in call.keywords if k.arg == "way_out"), *call.args[at : at + 1]]
        if isinstance(way, ast.Constant) and way.value
    }
    left = {text for text in texts if not any(words in text for _, _, words, _ in REFUSED)}
    assert len(left) <= NOT_TAKEN, f"{len(left)}: add a row that takes the new text"
