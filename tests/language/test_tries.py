"""A `try` that stops in the middle: what has happened stays so, wherever its body stops."""

from __future__ import annotations

import itertools
import pathlib
from typing import Any

import numpy as np
import pytest
from s2sad import jvp, value_and_grad, vjp
from s2sad.normal import keep

from tests import generator, numeric

HELPERS = """import contextlib
import math

import numpy as np


class Count:
    def __init__(self):
        self.n, self.total = 0, 1.0

    def add(self, v):
        self.n += 1
        self.total = self.total * v


def rooted(a, b):
    if a < 0.0:
        raise ValueError("negative")
    return b * math.sqrt(a)


"""
#: what the body of a try changes: what is there before, the k-th change with a value @ that may raise, what is read
CHANGES = {
    "name": ("s = x", "s = s * @", "s"),
    "two names": ("s = t = x", "s, t = t * @, s + @", "s + t"),
    "array": ("s = w * x", "s[{k}] = @ * s[{k} + 1]", "np.sum(s * s)"),
    "array added to": ("s = w * x", "s[{k}] += @", "np.sum(s * s)"),
    "whole array": ("s = w * x", "s *= @", "np.sum(s * s)"),
    "slice": ("s = w * x", "s[{k}:] = @ * s[{k}:]", "np.sum(s * s)"),
    "list": ("s = [x]", "s.append(s[-1] * @)", "sum(s) * len(s)"),
    "list item": ("s = [x, x * x, 2.0]", "s[{k}] = @", "s[0] * s[1] + s[2]"),
    "dict": ("s = {'a': x, 'b': 1.0}", "s['a'] = @ * s['b']; s['b'] = s['a'] * x", "s['a'] * s['b']"),
    "object": ("s = Count()", "s.add(@)", "s.total * s.n * x"),
    "attributes": ("s = Count()\n    s.total = x", "s.n, s.total = s.n + 1, s.total + @ * x", "s.total * (1 + s.n)"),
    "printed": ("s = x", "print('step', {k}, round(s, 6))\n        s = s + @", "s"),
    "given list": ("s = x", "seen.append(x * {k})\n        s = s * @", "s * sum(seen)"),
}
#: the body of the try, with three changes of which one may stop it
BODIES = {
    "straight": "{0}\n{1}\n{2}",
    "branch": "{0}\nif x > 0.5:\n    {1}\nelse:\n    {2}\n{2}",
    "loop": "for k in range(3):\n    {k}",
    "while": "k = 0\nwhile k < 3:\n    {k}\n    k += 1",
    "loop with jumps": "for k in range(5):\n    if k > 2:\n        break\n    if w[k] > 8.0:\n        continue\n    {k}",
    "inner": "{0}\ntry:\n    {1}\nexcept KeyError:\n    pass\n{2}",
    "inner caught": "{0}\ntry:\n    {1}\nexcept ValueError:\n    r = r + x * x\n{2}",
    "inner finally": "{0}\ntry:\n    {1}\nfinally:\n    r = r * x\n{2}",
    "inner else": "{0}\ntry:\n    {1}\nexcept KeyError:\n    r = 5.0\nelse:\n    {2}\nr = r + x",
    "loop of tries": "for k in range(3):\n    try:\n        {k}\n    except ValueError:\n        r = r * x\n",
}
#: and what follows it
HANDLERS = {
    "pass": "except ValueError:\n    pass",
    "value": "except ValueError as e:\n    r = x * x if e.args else 2.0",
    "two": "except KeyError:\n    r = 7.0\nexcept (ValueError, IndexError):\n    r = r + 2.0 * x",
    "else": "except ValueError:\n    r = x\nelse:\n    r = r * x * 3.0",
    "finally": "except ValueError:\n    r = x * 2.0\nfinally:\n    r = r * r",
    "return": "except ValueError:\n    return x * {read}",
    "again": "except ValueError:\n    r = r * {read}",
}
VALUES = {"root": "math.sqrt(w[{k}] - 1.0)", "raise": "rooted(w[{k}] - 1.0, x)"}
PLACES = [None, 0, 1, 2]


def written(change: str, body: str, handler: str, value: str) -> str:
    """The text of a program."""
    before, step, read = CHANGES[change]
    steps: dict[str, str] = {}
    for k in ("0", "1", "2", "k"):
        steps[k] = step.replace("@", VALUES[value]).replace("{k}", k).replace("        ", "")
    text = BODIES[body]
    out = []
    for line in text.split("\n"):
        at = len(line) - len(line.lstrip())
        for k, one in steps.items():
            line = line.replace(f"{{{k}}}", one.replace("\n", "\n" + " " * at))
        out += line.split("\n")
    lines = ["try:", *(f"    {line}" for line in out), *HANDLERS[handler].replace("{read}", read).split("\n")]
    inner = "".join(f"    {line}\n" for line in lines)
    return f"{HELPERS}def f(x, w, seen):\n    {before}\n    r = x\n{inner}    return r * ({read})\n"


def arguments(place: int | None) -> tuple[Any, ...]:
    w = np.array([1.7, 2.6, 1.4, 2.2])
    if place is not None:
        w[place] = 0.6
    return 1.3, w, [0.5]


def same_effects(f: Any, args: tuple[Any, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """What is printed is printed once, in order."""
    along = (1.0, np.ones(4))
    capsys.readouterr()
    f(*numeric.fresh(args))
    printed = capsys.readouterr().out
    value_and_grad(f, (0, 1))(*numeric.fresh(args))
    assert capsys.readouterr().out == printed
    _, pull = vjp(f, (0, 1))(*numeric.fresh(args))
    pull(1.0)
    pull(1.0)
    assert capsys.readouterr().out == printed
    jvp(f, (0, 1))(*numeric.fresh(args), along)
    assert capsys.readouterr().out == printed


def programs() -> list[Any]:
    """All changes in all bodies, each with handlers and values in turn."""
    handlers, values = itertools.cycle(HANDLERS), itertools.cycle([*VALUES, "root"])
    return [
        pytest.param(c, b, next(handlers), next(values), id=f"{c} {b}") for c, b in itertools.product(CHANGES, BODIES)
    ]


@pytest.mark.sampled(18, each=False)
@pytest.mark.parametrize(("change", "body", "handler", "value"), programs())
def test_what_happened_stays(
    change: str, body: str, handler: str, value: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    f = generator.load(written(change, body, handler, value), tmp_path / "tries.py")
    for k, place in enumerate(PLACES):
        args = arguments(place)
        with keep.policy("always" if k % 2 else "choose"):
            numeric.check(f, args, (0, 1), second=k == 1)
            same_effects(f, args, capsys)
