"""Views with one axis of arrays without any, overwritten: the derivatives have no axes either."""

from __future__ import annotations

import pathlib

import pytest

from tests import generator, numeric

VIEWS = ("np.ravel(c)", "c.ravel()", "np.ascontiguousarray(c)", "c.reshape(1)", "c[None]", "np.atleast_1d(c)", "c")


@pytest.mark.parametrize("change", ["p *= x", "p[...] = x * y", "p += x", "p[:1] *= x"])
@pytest.mark.parametrize("view", VIEWS)
def test_without_axes(view: str, change: str, tmp_path: pathlib.Path) -> None:
    if view == "c" and ":1" in change:
        change = "p[()] = x * y"
    lines = ["c = np.array(y)", f"p = {view}", "r = np.positive(c)", change, "return c * 0.7 + np.sum(p) * r"]
    text = "import numpy as np\n\n\ndef f(x, y):\n" + "".join(f"    {line}\n" for line in lines)
    numeric.check(generator.load(text, tmp_path / "without.py"), (0.5, 1.3), (0, 1))
