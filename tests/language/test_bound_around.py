"""`nonlocal p`, and every way to bind p: the variable of the function around it has the value then."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

from tests import generator, numeric

#: ways to bind p to something else, or to nothing, before it is a number again
BOUND = (
    "del p",
    "try:\n    raise ValueError\nexcept ValueError as p:\n    pass",
    "def p():\n    return x\np = p() * 3.0",
    "class p:\n    z = 3.0\np = p.z * x",
    "import math as p\np = p.sin(x)",
    "from math import sin as p\np = p(x)",
    "with np.errstate() as p:\n    pass",
    "for p in (1.0, 2.0):\n    pass",
    "(p := 4.0)",
    "p, *r = [x, y, x]",
    "match [x, y]:\n    case [p, _]:\n        p = p * 2.0",
    "p = lambda: x\np = p()",
    "p += x",
    "if x > 0.1:\n    del p\nelse:\n    p = 0.0",
    "for k in range(2):\n    del p\n    p = x * k",
)
BEHIND = ("p = 3.0 * x", "p = y * x + 1.0", "def again():\n    nonlocal p\n    p = x * x\nagain()")


@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("bound", BOUND)
def test_bound_around(bound: str, behind: str, tmp_path: pathlib.Path) -> None:
    body = ["nonlocal p", *bound.split("\n"), *behind.split("\n")]
    inner = "".join(f"        {line}\n" for line in body)
    text = f"import numpy as np\n\n\ndef f(x, y):\n    p = y\n    def g():\n{inner}    g()\n    return p * x\n"
    f = generator.load(text, tmp_path / "around.py")
    numeric.check(f, (0.5, 1.3), (0, 1))


@pytest.mark.parametrize("bound", ["del u", "for u in (v, v * 2.0):\n    pass", "def u():\n    return v\nu = u()"])
def test_arrays_bound_around(bound: str, tmp_path: pathlib.Path) -> None:
    inner = "".join(f"        {line}\n" for line in ["nonlocal u", *bound.split("\n"), "u = v * y"])
    text = f"def f(y, u, v):\n    w = u\n    def g():\n{inner}    g()\n    u[0] *= y\n    return (u * w).sum()\n"
    f = generator.load(text, tmp_path / "arrays.py")
    numeric.check(f, (0.5, np.array([0.4, 1.2]), np.array([1.1, 0.6])), (0, 1, 2))
