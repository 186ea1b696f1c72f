"""Iterators compute an item when they are asked for it: what changes between two items is seen, or the program is refused.

Each program runs over an iterator in a loop, and changes something in a turn: what the iterator runs over, or what its
function reads; or the function changes something itself, and not all items are asked for.
"""

from __future__ import annotations

import pathlib
import random

import numpy as np
import pytest

from tests import amounts, generator, numeric
from tests.language.test_held import verdict

#: iterators over @; p is a test, and q a function of an item
KINDS = (
    "filter(p, @)",
    "map(q, @)",
    "itertools.chain(@, [x[1]])",
    "itertools.chain([x[2]], @)",
    "itertools.chain.from_iterable([@, [x[1]]])",
    "itertools.islice(@, 2)",
    "itertools.islice(@, 1, None)",
    "itertools.accumulate(@)",
    "itertools.accumulate(@, lambda a, b: a + q(b))",
    "itertools.takewhile(p, @)",
    "itertools.dropwhile(lambda v: not p(v), @)",
    "itertools.filterfalse(lambda v: not p(v), @)",
    "itertools.compress(@, [1, 0, 1])",
    "itertools.starmap(lambda a, b: q(a) + b, zip(@, x))",
    "(a + b for a, b in itertools.zip_longest(@, [x[0]], fillvalue=0.0))",
    "itertools.chain(reversed(@), [x[0]])",
    "(v for i, v in enumerate(filter(p, @)))",
    "itertools.chain(map(q, @), [x[1]])",
    "itertools.islice(map(q, @), 2)",
    "itertools.islice(filter(p, @), 1)",
    "itertools.accumulate(map(q, @))",
    "filter(p, map(q, @))",
    "map(q, filter(p, @))",
    "(a * b for a, b in itertools.pairwise(@))",
    "(a * b for a, b in itertools.pairwise(map(q, @)))",
    "(a * b for a, b in zip(map(q, @), [1.0]))",
    "(a * b for a, b in zip([1.0], map(q, @)))",
    "(a * b for a, b in zip(x, filter(p, @)))",
    "(a * b for a, b in zip(map(q, @), map(p, x)))",
    "(a * b for a, b in zip(itertools.cycle(map(q, @)), [1.0, 2.0, 3.0, 4.0]))",
    "(a * b for a, b in zip(itertools.cycle(@), [1.0, 2.0, 3.0, 4.0]))",
    "map(lambda a, b: a * b, map(q, @), [1.0])",
    "map(lambda a, b: a * b, x, filter(p, @))",
    "reversed(list(map(q, @)))",
)
#: what they run over
SOURCES = ("list(x)", "x.copy()", "[x[0], x[1], x[2]]", "grown(x, n)", "[x[0] * x[1], 2.0]")
#: functions: without effects, reading a variable or a list that changes, or with effects
FUNCTIONS = (
    "def p(v): return v < 9.0\n    def q(v): return v * v",
    "def p(v): return v < lim\n    def q(v): return v * lim",
    "p = lambda v: v < box[0]\n    q = lambda v: v * box[0]",
    "p = Reads(state).p\n    q = Reads(state).q",
    "def p(v):\n        nonlocal c\n        c = c + v\n        return True\n"
    "    def q(v):\n        nonlocal c\n        c = c + v * v\n        return v",
    "def p(v):\n        seen.append(v)\n        return True\n    def q(v):\n        seen.append(v)\n        return v * x[0]",
)
#: what a turn does
TURNS = (
    "pass",
    "u[1] = x[0] * x[2]",
    "u[-1] *= 0.5",
    "w = u[:]\n        w[1] = 0.3 * x[0]",
    "change(u, x)",
    "if len(u) < 6: u = u + u",
    "if hasattr(u, 'append') and len(u) < 6: u.append(v * x[1])",
    "lim = 0.5",
    "box[0] = 0.5",
    "state.lim = 0.5",
    "if v > 0.6:\n            lim = box[0] = state.lim = 0.6\n            continue",
    "if s > 0.5: break",
    "c = c * 0.5",
    "seen.append(1.0)",
    "s = s + c + sum(seen)",
)
#: how it is run through
LOOPS = (
    "for v in {it}:\n        s = s + v * x[0]\n        {turn}",
    "g = {it}\n    for v in g:\n        s = s + v * x[0]\n        {turn}",
    "for v in {it}:\n        {turn}\n        s = s * 0.5 + v",
    "for k, v in enumerate({it}):\n        s = s + v * k\n        {turn}",
)
PROGRAM = """
import itertools
import numpy as np


class State:
    def __init__(self):
        self.lim, self.on = 9.0, True


class Reads:
    def __init__(self, state):
        self.state = state

    def p(self, v):
        return v < self.state.lim

    def q(self, v):
        return v * self.state.lim


def change(u, x):
    u[1] = x[0] * 0.25


def grown(x, n):
    out = []
    for i in range(n):
        out.append(x[i] * x[i])
    return out


def f(x, n):
    lim, box, state, seen, c, s = 9.0, [9.0], State(), [], 0.0, x[0]
    u = {source}
    {functions}
    {loop}
    return s + c * x[1] + 0.1 * sum(seen) + 0.01 * u[1] + 0.1 * len(u)
"""

#: what asks for all items, or for the first that do
READERS = (
    "sum({it})",
    "sum(list({it}))",
    "sum(v + 0.1 * len(seen) for v in {it})",
    "sum([v * c for v in {it}])",
    "next(iter({it}))",
    "float(any(v > 0.5 for v in {it}))",
    "float(any({it}))",
    "float(all({it}))",
    "float(0.7 in {it})",
    "max({it})",
    "functools.reduce(lambda a, b: a * b + c, {it})",
    "sorted({it})[0]",
    "next(v for v in {it})",
    "max({it}, key=lambda v: -v + c)",
)


def text(source: str, functions: str, loop: str) -> str:
    program = PROGRAM.replace("import itertools", "import functools\nimport itertools")
    return program.replace("{source}", source).replace("{functions}", functions).replace("{loop}", loop)


def program(draw: random.Random) -> str:
    """One of all programs, by chance."""
    it = draw.choice(KINDS).replace("@", "u")
    if draw.random() < 0.2:
        loop = "s = s + " + draw.choice(READERS).replace("{it}", it)
    else:
        loop = draw.choice(LOOPS).replace("{it}", it).replace("{turn}", draw.choice(TURNS))
    return text(draw.choice(SOURCES), draw.choice(FUNCTIONS), loop)


@pytest.mark.sampled(48, each=False)
@pytest.mark.parametrize("block", [pytest.param(k, marks=[pytest.mark.slow] if k > 1 else []) for k in range(16)])
def test_changed_while_it_is_run_through(block: int, tmp_path: pathlib.Path) -> None:
    programs = [program(random.Random(f"{block} {k}")) for k in range(6 if block < 2 else 60 if amounts.ALL else 20)]
    verdicts = [verdict(one, tmp_path / f"lazy_{k}.py") for k, one in enumerate(programs)]
    assert verdicts.count("right") > 1


#: what was found wrong: what is made, and the loop
FOUND = (
    ("", "for v in filter(lambda v: v < 9.0, u):\n        s = s + v\n        u[1] = x[0] * x[2]"),
    ("", "for v in filter(lambda v: v < lim, x):\n        s = s + v\n        lim = 1.0"),
    ("", "for v in itertools.takewhile(p, x):\n        break"),
    ("", "for w, v in zip(map(p, x), [1.0]):\n        s = s + w * v"),
    ("", "for v in itertools.accumulate(u):\n        s = s + v\n        if len(u) < 5: u.append(v * x[1])"),
    ("u = x.copy()", "for v in itertools.islice(u, 2):\n        s = s + v\n        u[1] = x[0] * x[2]"),
    ("u = x.copy()", "g = itertools.product(u, u)\n    u[0] = x[1]\n    for a, b in g: s = s + a * b"),
    ("u = [x[0], 2.0]", "for v in itertools.chain.from_iterable([u, [x[1]]]):\n        u[1] = x[0]\n        s = s + v"),
    ("r = np.random.default_rng(0)", "for v in filter(lambda v: r.random() < 0.7, x): s = s + v * r.random()"),
    ("", "s = functools.reduce(lambda a, b: a * b + sum(seen), map(p, x))"),
    ("", "s = float(any(map(p, [x[0], x[1]])))"),
    ("", "for v in (v for v in [x[0], x[1]] if v < lim - 8.2):\n        s = s + v\n        lim = 19.0"),
)
APPENDS = "def p(v):\n        seen.append(v)\n        return v * v"


@pytest.mark.parametrize(("made", "loop"), FOUND)
def test_found(made: str, loop: str, tmp_path: pathlib.Path) -> None:
    assert verdict(text("list(x)", f"{APPENDS}\n    {made}", loop), tmp_path / "found.py") in ("right", "refused")


#: where nothing changes, or nothing that matters: these are followed
FOLLOWED = (
    "for v in filter(lambda v: v < lim, u): s = s + v * v",
    "for v in filter(p, u): s = s + v\n    s = s + 1.0",
    "for v in list(filter(p, u)):\n        s = s + v\n        u[0] = 2.0",
    "for i, v in enumerate(filter(lambda v: v < 0.9, u)): s = s + v * i",
    "for v in itertools.chain(u, [x[1]]):\n        s = s * v\n        seen.append(s)",
    "for v in itertools.accumulate(u, lambda a, b: a * b): s = s + v",
    "for v in itertools.islice(u, 2):\n        if v > 0.9: break\n        s = s + v",
    "for v in itertools.takewhile(lambda v: v < 0.9, u):\n        lim = lim * v\n        s = s + lim",
    "for a, b in itertools.zip_longest(u, [x[0]], fillvalue=1.0) if n < 0 else zip(u, x): s = s + a * b",
    "for a, b in itertools.product(u, u):\n        s = s + a * b",
    "for a, b in itertools.combinations(u, 2):\n        s = s + a * b\n        u[0] = x[1] * x[2]",
    "for a, b in zip(map(p, x), x): s = s + a * b",
    "for a, b in zip(u, map(p, x)): s = s + a * b",
    "for v in map(lambda v: v * lim, [x[0], x[1]]):\n        s = s + v\n        lim = lim * 0.5",
    "for v in map(p, [x[0], x[1]]):\n        s = s + v + len(seen)\n        if s > 1.0: break",
    "s = s + sum(filter(p, u)) + max(map(p, u))",
    "for o in filter(lambda o: o.on, [State(), state]):\n        o.lim = x[0]\n        s = s + o.lim",
    "for o in itertools.chain([State()], [state]):\n        o.lim = o.lim * x[0]\n        s = s + o.lim",
)


@pytest.mark.parametrize("loop", FOLLOWED)
def test_followed(loop: str, tmp_path: pathlib.Path) -> None:
    assert verdict(text("list(x)", APPENDS, loop), tmp_path / "followed.py") == "right"


#: generators of what is not active, which the backward sweep runs through once more
CONSTANT = (
    "for e in (q * 2.0 for q in y):\n        s = s + e * s",
    "g = (q * 2.0 for q in y)\n    for e in g:\n        s = s + e * s",
    "for k, e in enumerate(q * 2.0 for q in y):\n        s = s + e * s * k",
    "for e, q in zip((v * 2.0 for v in y), y):\n        s = s + e * s * q",
    "for e in (v * 2.0 for v in y if v > 0.1):\n        s = s + e * s\n        if s > 100.0:\n            break",
)


@pytest.mark.parametrize("body", CONSTANT)
def test_constant_generators(body: str, tmp_path: pathlib.Path) -> None:
    f = generator.load(f"def f(s, y):\n    {body}\n    return s\n", tmp_path / "constant.py")
    numeric.check(f, (0.7, np.array([0.3, -0.2, 0.5])), 0)


#: what gives a list another length; iterators that count from where it ended when they were made
RESIZED = (
    "u.append(x[1])",
    "u += [x[2]]",
    "u.insert(0, x[0])",
    "u.pop()",
    "del u[0]",
    "u.extend([x[1], x[2]])",
    "u[:1] = [x[1], x[2]]",
    "if x[0] > 0.0: u.append(x[2])",
)
BACKWARDS = (
    "reversed(u)",
    "(v * x[0] for v in reversed(u))",
    *(kind.replace("@", "reversed(u)") for kind in KINDS if "reversed" not in kind),
)


@pytest.mark.sampled(80, cover=True)
@pytest.mark.parametrize("source", ("list(x)", "grown(x, n)", "[x[0], x[1], x[2]]"))
@pytest.mark.parametrize("made", BACKWARDS)
@pytest.mark.parametrize("change", RESIZED)
def test_backwards_from_the_end_that_was(source: str, made: str, change: str, tmp_path: pathlib.Path) -> None:
    before = f"m = {made}\n    {change}\n    s = s + sum(m)"
    between = f"m = {made}\n    s = s + next(m)\n    {change}\n    for v in m: s = s * 0.5 + v"
    turn = len(made) % 2
    for k, loop in enumerate((before, between) if amounts.ALL else (before, between)[turn:][:1]):
        found = verdict(text(source, FUNCTIONS[0], loop), tmp_path / f"back_{k}.py")
        assert found in ("right", "refused")
