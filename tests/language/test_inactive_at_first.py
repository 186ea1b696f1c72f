"""Arrays that are updated in place while nothing of them varies yet, and become active later."""

from __future__ import annotations

import pathlib
import random

import numpy as np
import pytest

from tests import generator, numeric, verdict

#: what is done to two arrays of which none is active, and what makes them active
BEFORE = (
    *("u **= v", "u /= v", "u //= v", "u %= v", "u *= v", "u += v", "u -= v", "v **= 2", "v /= u", "u **= u", "u /= u"),
    *("u[1:] /= v[1:]", "u[:2] **= v[:2]", "v[0] *= u[1]", "p /= q", "p **= q", "q %= p", "p *= v"),
)
ACTIVE = ("v *= y", "u *= y", "u += y", "v[1] = y", "u[:] = v * y", "p += y", "q *= y", "np.add.at(u, 1, y)")
AFTER = ("u += v", "v -= u", "u *= v", "p *= q", "u[1:] *= v[1:]", "v /= u")
NAMES = ("p, q = u[:2], v[:2]", "p = u[1:]; q = u[:2]", "p = u; q = v", "p = u * v; q = p", "p, q = u[1, ...], v[0, ...]")


def program(draw: random.Random) -> str:
    turn = [*draw.choices(BEFORE, k=draw.randrange(1, 3)), draw.choice(ACTIVE), *draw.choices(AFTER, k=2)]
    lines = [*draw.choice(NAMES).split("; ")]
    if draw.randrange(3) == 0:
        # (in a second turn u is a multiple of v, and rounding decides of u // v)
        lines += ["for k in range(n):", *(f"    {line}".replace("//=", "/=").replace("%=", "*=") for line in turn)]
    elif draw.randrange(3) == 0:
        lines += [*turn[:1], "if y > 0.1:", *(f"    {line}" for line in turn[1:])]
    else:
        lines += turn
    lines.append(draw.choice(("return np.sum(u)", "return np.sum(u * v)", "return np.sum(p) + np.sum(v)")))
    return "import numpy as np\n\n\ndef f(y, u, v, n):\n" + "".join(f"    {line}\n" for line in lines)


VECTORS = (0.5, np.array([0.4, 1.2, 0.7]), np.array([1.1, 0.6, 0.9]), 2)
MATRICES = (0.5, np.array([[0.4, 1.2], [0.7, 0.3]]), np.array([[1.1, 0.6], [0.9, 0.8]]), 2)


@pytest.mark.long
@pytest.mark.sampled(8, each=False)
@pytest.mark.parametrize("block", range(5))
def test_inactive_at_first(block: int, tmp_path: pathlib.Path) -> None:
    draw = random.Random(block)
    kinds = []
    for k in range(25):
        text, wrt = program(draw), draw.choice((0, 0, (0, 1), (0, 2)))
        args = MATRICES if "..." in text else VECTORS
        f = generator.load(text, tmp_path / f"at_first_{k}.py")
        if verdict.fair(f, args, wrt):
            found = verdict.judge(numeric.check, f, args, wrt)
            assert found.kind in ("right", "refused"), f"{found.kind}: {found.detail}\nwrt {wrt}\n{text}"
            kinds.append(found.kind)
    assert kinds.count("right") > 8
