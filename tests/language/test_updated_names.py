"""Names that `p -= q` alone uses: it reads no name's value, yet it changes an array that has other names.

Each program binds two names to arrays in some way, updates them, swaps and hands on, and reads the arrays by their
other names.
"""

from __future__ import annotations

import pathlib
import random

import numpy as np
import pytest

from tests import generator, numeric, verdict

HEAD = """
import numpy as np


class Cell:
    def __init__(self, a):
        self.a = a


"""
#: what the two names are bound to
BOUND = (
    "p, q = u, v",
    "p, q = rows",
    "p, q = rows[0], rows[1]",
    "p = rows[1]; q = rows[0]",
    "p, q = [u, rows[0]]",
    "p, q = held['a'], held['b']",
    "p, q = cell.a, v",
    "p, *q = u, v, rows[0]; q = q[0]",
    "(p, q), r = (u, rows[1]), v",
    "p = q = rows[0]",
    "p = r = u; q = v",
    "p, q = u[1:], v[:-1]",
    "p, q = u[::-1], rows[0]",
    "q = (p := rows[0])",
    "p, q = (u, v) if x > 0.1 else (v, u)",
)
UPDATES = (
    *("p -= q", "q -= p", "p *= x", "q *= x", "p += 0.5 * q", "q += p * q", "p /= 2.0", "q **= 2", "p -= x"),
    *("p[0] = x", "q[1:] *= x"),
)
MOVES = (
    *("p, q = q, p", "p = q", "q = p", "p, q = (q, p)", "q, p = p, q * 1.0", "p = p * x", "p = u", "q = rows[1]"),
    *("r = p", "p, r = q, p", "q, r = p + q, p", "p = rows[n - 1]", "p = held['a']"),
)


def block(draw: random.Random, depth: int) -> list[str]:
    lines: list[str] = []
    for _ in range(draw.randrange(1, 4)):
        form = draw.randrange(12 if depth else 5)
        within = block(draw, depth - 1) if form > 4 else []
        inner = [f"    {line}" for line in within]
        if form < 3:
            lines.append(draw.choice(UPDATES))
        elif form < 5:
            lines.append(draw.choice(MOVES))
        elif form == 5:
            lines += [f"if {draw.choice(('x > 0.1', 'u[0] > 0.2', 'n > 1'))}:", *inner]
            if draw.randrange(2):
                lines += ["else:", f"    {draw.choice(MOVES + UPDATES)}"]
        elif form == 6:
            lines += [f"for k in range({draw.choice(('n', '2', 'n - 1'))}):", *inner]
            if draw.randrange(3) == 0:
                lines += [
                    f"    if {draw.choice(('p[0] > 0.3', 'k > 0'))}:",
                    f"        {draw.choice(('break', 'continue'))}",
                ]
                lines.append(f"    {draw.choice(UPDATES)}")
        elif form == 7:
            lines += ["with np.errstate(all='ignore'):", *inner]
        elif form == 8:
            lines += ["try:", f"    {draw.choice(MOVES)}", f"    if {draw.choice(('n > 1', 'x > 2.0'))}:"]
            lines += ["        raise ValueError", "except ValueError:", *inner]
        elif form == 9:
            lines += ["match (p, q):", "    case (q, p):", *(f"    {line}" for line in inner)]
        elif form == 10:
            lines += ["def inner(p, q):", *inner, f"    return {draw.choice(('p', 'q', 'np.sum(p)', '(p, q)'))}"]
            call = draw.choice(("inner(p, q)", "inner(q, p)", "inner(rows[0], rows[1])", "inner(u, q)"))
            is_pair = lines[-1].endswith("(p, q)")
            is_array = lines[-1].endswith((" p", " q"))
            lines.append(f"{'p, q = ' if is_pair else 'p = ' if is_array and draw.randrange(2) else ''}{call}")
        else:
            names = sorted({line.strip().split("=")[0].strip("+-*/ ").split("[")[0] for line in within} & {"p", "q"})
            lines += ["def change():", f"    nonlocal {', '.join(['p', 'q'] if len(names) != 1 else names)}"]
            lines += ["    nonlocal r", *inner, "change()"]
    return lines


def program(draw: random.Random) -> str:
    start = ["rows = np.array([u, v])", "held = {'a': u, 'b': v}", "cell = Cell(rows[0])", "r = v"]
    body = [*start, *draw.choice(BOUND).split("; "), *block(draw, 2)]
    read = " + ".join(
        draw.sample(["np.sum(u * W)", "np.sum(v ** 2)", "np.sum(rows * C)", "np.sum(p)", "np.sum(q * r)"], 3)
    )
    weights = ["W = np.arange(1.0, 5.0)", "C = np.arange(8.0).reshape(2, 4)"]
    return HEAD + "def f(x, u, v, n):\n" + "".join(f"    {line}\n" for line in [*weights, *body, f"return {read}"])


#: arguments that have no name yet where a function is given them
GIVEN = (
    *(
        "rows[0]",
        "rows[1]",
        "u[::-1]",
        "v[:]",
        "held['a']",
        "cell.a",
        "u * x",
        "v + 1.0",
        "np.abs(u)",
        "pair[0]",
        "pair[1]",
    ),
    *("rows.T[:, 0]", "rows[n - 1]", "np.array([u, v])[1]", "first(u, v)", "u"),
)


def called(draw: random.Random) -> str:
    """A function of arrays without a name, which updates and hands on before it reads."""
    lines = [draw.choice(UPDATES + MOVES if k else UPDATES[:6]) for k in range(draw.randrange(1, 5))]
    if draw.randrange(3) == 0:
        lines += block(draw, 1)
    lines = [line.replace("q, p + q", "q, r") for line in lines]
    inner = ["def inner(p, q, r=v):", *(f"    {line}" for line in lines)]
    inner.append(f"    return {draw.choice(('np.sum(p ** 2)', 'np.sum(q ** 2)', 'np.sum(p * q * r)', 'p[0] + q[-1]'))}")
    start = ["rows = np.array([u, v])", "held = {'a': u, 'b': v}", "cell = Cell(rows[0])", "pair = [u * 2.0, v]"]
    given = ", ".join(draw.choice(GIVEN) for _ in range(2))
    read = draw.choice(("", " + np.sum(u * v)", " + np.sum(rows[0]) + np.sum(v)", " + pair[0][1]"))
    lines = [*start, *inner, f"return inner({given}){read}"]
    return HEAD + "def first(u, v):\n    return u\n\n\ndef f(x, u, v, n):\n" + "".join(f"    {k}\n" for k in lines)


ARGUMENTS = (0.7, np.array([0.4, 1.2, -0.7, 0.3]), np.array([1.1, 0.6, -0.9, 0.8]), 2)
WRT = (0, 1, 2, (0, 1), (1, 2), (0, 1, 2))


@pytest.mark.long
@pytest.mark.sampled(8, each=False)
@pytest.mark.parametrize("seed", range(8))
def test_updated_names(seed: int, tmp_path: pathlib.Path) -> None:
    draw = random.Random(seed)
    kinds = []
    for k in range(15):
        text, wrt = draw.choice((program, called))(draw), draw.choice(WRT)
        f = generator.load(text, tmp_path / f"updated_{k}.py")
        if verdict.fair(f, ARGUMENTS, wrt):
            found = verdict.judge(numeric.check, f, ARGUMENTS, wrt)
            assert found.kind in ("right", "refused"), f"{found.kind}: {found.detail}\nwrt {wrt}\n{text}"
            kinds.append(found.kind)
    assert kinds.count("right") > 4
