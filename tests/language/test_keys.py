"""Active floats as keys of dicts and items of sets: derivatives do not go through these, and it is said so."""

from __future__ import annotations

import pathlib

import pytest

from tests.language.test_held import verdict

REFUSED = (
    "h = {v: i for i, v in enumerate(x)}",
    "h = {}; h[x[0]] = 1.0",
    "h = {x[0]: 1.0, x[1]: 2.0}",
    "h = {float(v): 1 for v in x}",
    "h = {}; i = float(x[0]); h[i] = 1.0",
    "h = {}; h.setdefault(float(x[0]), 1)",
    "h = {}; h.update([(x[0], 2.0)])",
    "h = dict([(x[0], 1.0)])",
    "h = dict(zip(x, range(3)))",
    "h = Counter(); h[x[0]] += 1",
    "h = defaultdict(float); h[x[0]] += 1.0",
    "h = defaultdict(list)\n    for v in x: h[v].append(1.0)",
    "h = {x[0], x[1]}",
    "h = set(float(v) for v in x)",
    "h = {1.0}; h |= {x[0]}",
    "h = {**{x[0]: 1.0}}",
)
FOLLOWED = (
    "h = {int(v * 10): v for v in x}",
    "h = {}\n    for v in x: h[round(v, 1)] = v",
    "h = {}\n    for v in x: h[math.floor(v)] = v",
    "h = {}\n    for v in x: h[int(v > 0.5)] = v",
)
PROGRAM = """
import math
from collections import Counter, defaultdict


def f(x, n):
    {made}
    return {read} * x[1]
"""


@pytest.mark.parametrize("made", REFUSED)
def test_refused(made: str, tmp_path: pathlib.Path) -> None:
    assert verdict(PROGRAM.format(made=made, read="sum(h)"), tmp_path / "keys.py") == "refused"


@pytest.mark.parametrize("made", FOLLOWED)
def test_followed(made: str, tmp_path: pathlib.Path) -> None:
    assert verdict(PROGRAM.format(made=made, read="sum(h.values())"), tmp_path / "keys.py") == "right"
