"""Items of containers that are replaced by what is computed from them: `h[-1] = h[-1] * y`.

The array that stood there has other names, which keep what it was; so have its tangent and its cotangent. Each program
puts an array of its caller's into a container, replaces it there (or overwrites it) in a loop, and reads both.
"""

from __future__ import annotations

import pathlib
import random

import numpy as np
import pytest

from tests import generator, numeric, verdict

HEAD = """
from collections import deque

import numpy as np


class Cell:
    def __init__(self, v):
        self.v = v


"""
#: what the array is put into, and where it stands there
MADE = {
    "h = [w]": "h[-1]",
    "h = [y, w]": "h[-1]",
    "h = [w, w]": "h[0]",
    "h = [v, w[:]]": "h[n - 1]",
    "h = [w] * n": "h[n - 1]",
    "h = [a for a in (v, w)]": "h[n - 1]",
    "h = list((w, v))": "h[0]",
    "h = deque([w, v])": "h[0]",
    "h = [[w]]": "h[-1][0]",
    "h = {'a': w}": "h['a']",
    "h = {n: w, 9: v}": "h[n]",
    "h = {'a': [w]}": "h['a'][0]",
    "h = Cell(w)": "h.v",
    "h = [Cell(w), Cell(v)]": "h[0].v",
}
CHANGES = (
    *("@ = @ * y", "@ = y * @", "@ = @ / y", "@ = @ + y", "@ = @ - v", "@ = -@", "@ = @ * v", "@ = @ * 1.5"),
    *("@ = np.sin(@)", "@ *= y", "@ += v", "@ = @ ** 2 * y", "@ = @ * @"),
)
#: how a list gets longer, so that its length is one of the run
GROWTH = ("", "h.append(w)", "h.append(@)", "h.insert(0, w)", "h.insert(0, 1)", "h.append(y)", "h = h + [w]")
BEFORE = ("pass", "w[1] = 0.5", "w = w * 1.0", "v = w", "w[1] *= y")
AFTER = ("np.sum(@) + np.sum(w)", "np.sum(@ ** 2) * np.sum(v * w)", "np.sum(@)")
ARGUMENTS = (1.3, np.array([0.4, 1.2, -0.7]), np.array([1.1, 0.6, -0.9]), 2)
WRT = (0, 1, 2, (0, 1), (0, 2), (1, 2), (0, 1, 2))


def program(draw: random.Random) -> str:
    made = draw.choice(list(MADE))
    growth = draw.choice(GROWTH) if made.startswith("h = [") and "Cell" not in made and "[[" not in made else ""
    turn = [draw.choice(CHANGES), *([growth] if growth else [])]
    lines = [draw.choice(BEFORE), made, "for i in range(n):", *(f"    {t}" for t in turn), f"return {draw.choice(AFTER)}"]
    return HEAD + "def f(y, v, w, n):\n" + "".join(f"    {line}\n" for line in lines).replace("@", MADE[made])


@pytest.mark.long
@pytest.mark.sampled(8, each=False)
@pytest.mark.parametrize("block", range(8))
def test_items_replaced(block: int, tmp_path: pathlib.Path) -> None:
    draw = random.Random(block)
    kinds = []
    for k in range(15):
        text, wrt = program(draw), draw.choice(WRT)
        f = generator.load(text, tmp_path / f"replaced_{k}.py")
        if verdict.fair(f, ARGUMENTS, wrt):
            found = verdict.judge(numeric.check, f, ARGUMENTS, wrt)
            assert found.kind in ("right", "refused"), f"{found.kind}: {found.detail}\nwrt {wrt}\n{text}"
            kinds.append(found.kind)
    assert kinds.count("right") > 10
