"""A number that becomes an array in a loop, in double and in single precision.

Where it is a number its adjoint is one; where it is an array, one number may stand for all elements of its adjoint until
they are summed.
"""

from __future__ import annotations

import pathlib
import random

import numpy as np
import pytest
from s2sad import DerivationError, jvp, value_and_grad

from tests import generator, numeric, verdict

STARTS = ("0", "1.5", "y", "x[1] * 2", "x[0] * y", "np.sum(x)", "0.0", "1", "2.0 * y", "np.float64(2.0)")
TURNS = (
    *("b = b + x", "b = b * x", "b = x if k == 1 else b", "b = b + (x if k == 1 else y)", "b = b + x * b", "b += x"),
    *("b = np.sin(b) + x", "b = b + c", "b = b * 2.0 - x", "b = np.maximum(b, x)", "b = np.where(x > 0.5, b, x)"),
)
OTHERS = ("pass", "c = c + x", "c = c * b", "c = c + y", "c = x", "c = b + c")
ENDS = (
    *("np.sum(b) * x[0]", "np.sum(b + c)", "np.sum(b * c)", "np.sum(np.sin(b))", "np.mean(b) * y", "np.max(b * y)"),
    *("np.sum(b * x)", "np.sum(b - c) ** 2", "np.mean(b + c * x)", "np.sum(b ** 2)", "np.prod(b) + np.sum(c)"),
    *("np.sum(np.maximum(b, c))", "np.sum(np.ravel(b)) * np.sum(c)", "np.sum(np.where(b > c, b, c))"),
)
X, Y = np.array([0.7131, 1.1277, 0.4219]), 0.8713


def program(draw: random.Random) -> str:
    lines = [f"b, c = {draw.choice(STARTS)}, {draw.choice(STARTS)}", "for k in range(n):"]
    lines += [f"    {draw.choice(TURNS)}", f"    {draw.choice(OTHERS)}", f"return {draw.choice(ENDS)}"]
    return "import numpy as np\n\ndef f(x, y, n):\n" + "".join(f"    {line}\n" for line in lines)


@pytest.mark.long
@pytest.mark.sampled(8, each=False)
@pytest.mark.parametrize("block", range(8))
def test_in_both_precisions(block: int, tmp_path: pathlib.Path) -> None:
    draw = random.Random(block)
    right = 0
    for k in range(15):
        text, n, wrt = program(draw), draw.randrange(1, 4), draw.choice([0, 1, (0, 1)])
        f = generator.load(text, tmp_path / f"becomes_{k}.py")
        if not verdict.fair(f, (X, Y, n), wrt):
            continue
        found = verdict.judge(numeric.check, f, (X, Y, n), wrt)
        assert found.kind in ("right", "refused"), f"{found.kind}: {found.detail}\nwrt {wrt}, n {n}\n{text}"
        x = X.astype(np.float32)
        try:
            pairs = [(value_and_grad(f, wrt)(a, Y, n), jvp(f)(a, Y, n, a)) for a in (X, x)]
        except DerivationError:
            continue
        double, single = map(numeric.flatten, pairs)
        np.testing.assert_allclose(single, double, rtol=5e-4, atol=1e-4, err_msg=f"wrt {wrt}, n {n}\n{text}")
        right += 1
    assert right > 8
