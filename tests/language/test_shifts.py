"""Maxima that cancel and maxima that do not: the rows of one may meet the columns of another."""

from __future__ import annotations

import pathlib
import random

import numpy as np
import pytest

from tests import generator, numeric, verdict

MAXIMA = (
    *("np.max(z, axis=1)", "np.max(z, axis=0)", "np.max(z, 1)", "z.max(axis=-1)", "np.max(z)", "z.max()"),
    *("np.max(z, axis=1, keepdims=True)", "np.max(z, axis=0, keepdims=True)", "np.max(z, keepdims=True)"),
    *("np.maximum.reduce(z)", "np.maximum.reduce(z, axis=1)", "np.amax(z, axis=(0, 1))", "np.max(z, axis=(0,))"),
)
#: the maximum beside z
PLACED = ("m", "m[:, None]", "m[None]", "m[..., None]", "np.expand_dims(m, 1)", "np.expand_dims(m, 0)", "m[None, :]")
SUMS = (
    *("np.sum(e, axis=1)", "np.sum(e, axis=0)", "np.sum(e)", "e.sum(axis=-1)", "np.sum(e, axis=1, keepdims=True)"),
    *("np.sum(e, axis=0, keepdims=True)", "np.mean(e, axis=1)", "np.mean(t, axis=1)", "np.mean(t, axis=0)", "np.mean(t)"),
)
RESULTS = (
    *("np.sum(e / s * w)", "np.sum(e / s[:, None] * w)", "np.sum((np.log(s) + m) * w[0])", "np.sum((s + m) * w[1])"),
    *("np.sum((P - Q) * w)", "np.sum(np.exp(P) / np.exp(Q) * w)", "np.sum((t + P) * w)", "np.sum((t + Q) * w)"),
    *("np.sum(np.log(s) + m)", "np.sum((np.log(s) + P) * w)", "np.sum((e * np.exp(P)) * w)", "np.sum((s + Q) * w)"),
    "np.sum(np.log(s)) + np.max(m)",
)
Z = np.array([[0.3, 1.2, -0.5], [0.9, -0.4, 0.2], [-1.1, 0.6, 0.75]])


def program(draw: random.Random) -> str:
    lines = [
        "w = np.arange(9.0).reshape(3, 3)",
        f"m = {draw.choice(MAXIMA)}",
        f"t = z - {draw.choice(PLACED)}" if draw.randrange(4) else f"t = z * 1.0; t -= {draw.choice(PLACED)}",
        "e = np.exp(t)",
        f"s = {draw.choice(SUMS)}",
        f"return {draw.choice(RESULTS)}".replace("P", draw.choice(PLACED)).replace("Q", draw.choice(PLACED)),
    ]
    return "import numpy as np\n\n\ndef f(z):\n" + "".join(f"    {line}\n" for line in lines)


@pytest.mark.sampled(8, each=False)
@pytest.mark.parametrize("block", range(6))
def test_shifts(block: int, tmp_path: pathlib.Path) -> None:
    draw = random.Random(block)
    count = 0
    for k in range(30):
        text = program(draw)
        f = generator.load(text, tmp_path / f"shift_{k}.py")
        if verdict.fair(f, (Z,), 0):
            found = verdict.judge(numeric.check, f, (Z,), 0)
            assert found.kind == "right", f"{found.kind}: {found.detail}\n{text}"
            count += 1
    assert count > 12


@pytest.mark.parametrize(
    "m, back, s",
    [
        ("np.max(z)", "m", "np.sum(e)"),
        ("np.max(z, axis=1)", "m[:, None]", "np.sum(e, axis=1)"),
        ("np.max(z, axis=0)", "m", "np.sum(e, axis=0)"),
        ("np.max(z, axis=1, keepdims=True)", "m", "np.sum(e, axis=1, keepdims=True)"),
        ("np.max(z, axis=-1)", "np.expand_dims(m, -1)", "np.sum(e, axis=-1)"),
    ],
)
def test_a_maximum_that_cancels_is_a_constant(m: str, back: str, s: str, tmp_path: pathlib.Path) -> None:
    """Its own derivative, with its ties, does not appear."""
    from s2sad import grad

    lines = [f"m = {m}", f"e = np.exp(z - {back})", f"return np.sum(np.log({s}) + m)"]
    text = "import numpy as np\n\n\ndef f(z):\n" + "".join(f"    {line}\n" for line in lines)
    f = generator.load(text, tmp_path / "cancels.py")
    numeric.check(f, (Z,), 0)
    derivative = grad(f)
    derivative(Z)
    assert "==" not in derivative.source
