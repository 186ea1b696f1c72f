"""One container in another, under two names: what changes under one name has changed under the other.

Each program makes a list, dict, set or deque, puts it somewhere, changes it under one of its names, and reads it under
the other.
"""

from __future__ import annotations

import pathlib
import random
import zlib

import numpy as np
import pytest
from s2sad import DerivationError, jvp, value_and_grad
from s2sad.frontend.diagnostics import Defect

from tests import amounts, generator

#: what is held, whether active values are in it at first or not
LISTS = ("[1.0, 2.0]", "[x[0], x[1]]", "[x[0] * x[1], 2.0]", "[]", "list(x)", "[v * x[2] for v in x]", "[1, 2]", "grown(x, n)")
NESTED = ("[[1.0, 2.0], [3.0]]", "[[x[0]], [x[1], 2.0]]", "[[v] for v in x]", "[[], [2.0]]")
DICTS = ("{0: 1.0, 1: 2.0}", "{0: x[0], 1: x[1]}", "{}", "{i: v for i, v in enumerate(x)}")
DEQUES = ("deque([1.0, 2.0])", "deque([x[0], x[1]])", "deque([x[0], x[1]], 2)")
ARRAYS = ("np.zeros(3)", "np.array([1.0, 2.0, 3.0])", "x * 2.0", "x.copy()", "np.ones((2, 3))[0]", "np.array([1, 2, 3])")
OF_ARRAYS = ("[np.zeros(2), x[:2] * 2.0]", "[np.ones(2), np.zeros(2)]", "[x[:2].copy() for i in range(n)]")
OF_LISTS = ("{0: [x[0]], 1: [1.0]}", "{0: [1.0], 1: [2.0, 0.5]}", "{i: [v] for i, v in enumerate(x)}", "{0: [], 1: [1]}")
OBJECTS = ("Holder(x[0])", "Holder(1.0)", "Holder(2)", "SimpleNamespace(d=x[0])", "SimpleNamespace(d=0.5)")
SETS = ("{1, 2}", "set()", "set(range(n))")
#: what holds it (@), and where it stands there; k is known to the run only
HOLDERS = {
    "h = {}; h[k] = @": "h[k]",
    "h = {0: []}; h[k] = @": "h[k]",
    "h = {k: @}": "h[k]",
    "h = dict([(k, @)])": "h[k]",
    "h = {}; h.setdefault(k, @)": "h[k]",
    "h = {}; h.update({k: @})": "h[k]",
    "h = defaultdict(lambda: @); q = h[k]": "h[k]",
    "h = dict.fromkeys(range(n), @)": "h[k]",
    "h = {i: @ for i in range(n)}": "h[k]",
    "h = []\nfor i in range(n): h.append(@)": "h[k]",
    "h = [@ for i in range(n)]": "h[k]",
    "h = [@] * n": "h[k]",
    "h = [None] * n; h[k] = @": "h[k]",
    "h = [@, @, @]": "h[k]",
    "h = [@, [], []]; h.insert(k, @)": "h[k]",
    "h = [(i, @) for i in range(n)]": "h[k][1]",
    "h = [[@] for i in range(n)]": "h[k][0]",
    "h = list(repeat(@, n))": "h[k]",
    "h = list(map(lambda i: @, range(n)))": "h[k]",
    "h = deque(); h.append(@)": "h[0]",
    "h = several(@, n)": "h[k]",
    "h = several_and_one(@, n)": "h[0][k]",
    "h = [v for v in [@, []] if k == 1]": "h[0]",
    "h = tuple(@ for i in range(n))": "h[k]",
    "h = list(reversed([@, @]))": "h[k]",
    "h = sorted([@], key=len)": "h[0]",
    "h = [Holder(@) for i in range(n)]": "h[k].d",
    "h = Holder(@)": "h.d",
    "h = Holder({}); h.d[k] = @": "h.d[k]",
    "h = @ if k == 1 else None": "h",
    "h = @ or None": "h",
    "h = [@, None][k - 1]": "h",
    "h = [[], @]; h.reverse()": "h[0]",
    "h = {k: [@]}": "h[k][0]",
    "h = same(@)": "h",
    "h = again(@, k)": "h",
    "h = again_in(@, k)": "h[k]",
    "h = [*map(same, [@, @])]": "h[1]",
    "h, m = @, 1": "h",
    "h = (lambda v: v)(@)": "h",
    "h = max([@], key=len)": "h",
    "h = next(iter([@]))": "h",
    "h = np.array([k, 2]).tolist() and @": "h",
    "h = [[], @].pop()": "h",
    "h = {k: @}.pop(k)": "h",
    "h = {k: @}.get(k, None)": "h",
    "h = Holder(@).__dict__": "h['d']",
    "h = copy.copy([@, @])": "h[k]",
    "h = list({k: @}.values())": "h[0]",
    "h = [v for i, v in enumerate([@] * n)]": "h[k]",
    "h = []; h += [@, @]": "h[k]",
    "h = []; h[:] = [@, @]": "h[k]",
    "h = [0, 0]; h[k] = @": "h[k]",
    "(h, *m) = [@, @]": "m[0]",
    "h = Pair(k, @)": "h.b",
    "h = [Pair(k, @) for i in range(n)]": "h[k].b",
    "h = filled(@, k)": "h.d",
    "h = None\nfor i in range(n): h = @": "h",
    "h = list(zip(range(n), [@] * n))": "h[k][1]",
    "h = ([@] + [[]])": "h[0]",
    "h = ChainMap({k: @})": "h[k]",
}
#: what changes it, by what it is
CHANGES_OF_LISTS = (
    "@.append(x[1])", "@.append(2.0)", "@.extend([x[1], 1.0])", "@ += [x[2]]", "@.insert(0, x[1])", "@[:] = [x[1]]",
    "@.pop()", "@.clear()", "grow(@, x, k)", "@[0] = x[1]", "@[-1] = 3.0", "@[0] += x[1]", "del @[0]", "@.reverse()", "@.sort()", "put(@, x)",
    "@ *= 2", "scaled(@, x[1])", "heapq.heappush(@, x[1])",
)  # fmt: skip
CHANGES = {
    LISTS: CHANGES_OF_LISTS,
    NESTED: ("@[0].append(x[1])", "@.append([x[1]])", "@[0][0] = x[1]", "@[0] = [x[1], 1.0]", "@.pop()", "put(@[0], x)", "@[0] += [x[1]]", "@.reverse()"),
    DICTS: ("@[0] = x[1]", "@[5] = x[1]", "@.update({1: x[1]})", "@[k] = x[2]", "del @[0]", "@.clear()", "@.pop(0)", "@[k] += x[1]",
            "@.setdefault(k, x[1])", "put_at(@, x)"),
    DEQUES: ("@.append(x[1])", "@.popleft()", "@.appendleft(x[1])", "@[0] = x[1]", "@.rotate(1)", "@[0] *= x[1]"),
    ARRAYS: ("@[0] = x[1]", "@ += x", "@[:] = x", "@[k] *= x[1]", "@.fill(2.0)", "np.add(@, x, out=@)", "@[1:] += x[:2]",
             "scaled(@, x[1])", "@[k] = 3.0", "@ *= x[2]", "@.sort()"),
    OF_ARRAYS: ("@[0][1] = x[1]", "@[0] += x[:2]", "@.append(x[1:])", "@[1] = x[:2]", "@[k - 1][0] = 2.0", "@.reverse()"),
    OF_LISTS: ("@[0].append(x[1])", "@[0] = [x[1]]", "@[k].append(x[2])", "@[0] += [x[1]]", "@[5] = [x[0]]", "put(@[1], x)"),
    OBJECTS: ("@.d = x[1]", "@.d += x[1]", "@.d *= 2.0", "@.e = x[0]", "setattr(@, 'd', x[2])", "vars(@)['d'] = x[1]"),
    SETS: ("@.add(k)", "@ |= {7}", "@.discard(1)", "@.clear()"),
}  # fmt: skip
READS = {
    LISTS: ("sum(@)", "len(@)", "sum([v * v for v in @])", "(@[-1] if @ else 0.5)", "total(@)"),
    NESTED: ("sum(@[0])", "len(@)", "sum(sum(v) for v in @)", "len(@[0])"),
    DICTS: ("sum(@.values())", "len(@)", "@.get(0, 0.5)", "sum(v * v for v in @.values())"),
    DEQUES: ("sum(@)", "@[0]", "len(@)"),
    ARRAYS: ("np.sum(@)", "@[0]", "@[k]", "sum([v * v for v in @])", "np.dot(@, x)"),
    OF_ARRAYS: ("np.sum(@[0])", "sum(np.sum(v) for v in @)", "len(@)", "np.dot(@[0], x[1:])"),
    OF_LISTS: ("sum(@[0])", "sum(sum(v) for v in @.values())", "len(@[0])", "sum(@[k])"),
    OBJECTS: ("@.d", "getattr(@, 'e', 0.5)", "@.d * @.d", "sum(vars(@).values())"),
    SETS: ("len(@)", "sum(@)", "(1 in @)"),
}
PROGRAM = """
import copy
import heapq
from collections import ChainMap, defaultdict, deque, namedtuple
from itertools import repeat
from types import SimpleNamespace

import numpy as np
import pytest

Pair = namedtuple("Pair", "a b")


class Holder:
    def __init__(self, d):
        self.d = d


def several(u, n):
    return [u for i in range(n)]


def several_and_one(u, n):
    return [u for i in range(n)], 1


def same(u):
    return u


def again(u, k):
    return u if k <= 0 else again(u, k - 1)


def again_in(u, k):
    return [u, [], u] if k <= 0 else again_in(u, k - 1)


def filled(u, k):
    h = Holder([])
    if k > 0:
        h.d = u
    return h


def grow(u, x, k):
    if k >= 0:
        u.append(x[0] * x[1])
        grow(u, x, k - 1)


def put(u, x):
    u.append(x[0] * x[1])


def put_at(u, x):
    u[3] = x[0] * x[1]


def scaled(u, c):
    for i in range(len(u)):
        u[i] = u[i] * c


def total(u):
    t = 0.0
    for v in u:
        t = t + v * v
    return t


def grown(x, n):
    out = []
    for i in range(n):
        out.append(x[i] * x[i])
    return out


def f(x, n):
    k = 1 if x[0] > 0.0 else 2
    u = {made}
    {holder}
    s = x[0]
    {change}
    return s + {read} * x[2]
"""


#: where it changes (@ stands for the change of what # is, $ for what is read): once, under a name of its own, on one
#: path, or in turns of a loop that reads the other name before
FORMS = {
    "@": "#",
    "e = #\n    @": "e",
    "if x[1] > 0.0:\n        @": "#",
    "for i in range(n):\n        s = s * x[1] + $\n        @": "#",
    "for e in [#, #]:\n        @": "e",
    "def change(e):\n        @\n    change(#)": "e",
    "e, m = #, 1\n    @": "e",
    "e = None\n    for i in range(n):\n        e = #\n    @": "e",
    "e = # if x[1] > 0.0 else []\n    @": "e",
    "e = []\n    if x[1] > 0.0:\n        e = #\n    @": "e",
    "for i in range(n):\n        e = #\n        s = s * x[1] + $\n        @": "e",
    "keep = [#]\n    e = keep.pop()\n    @": "e",
    "i = 0\n    while i < k:\n        i += 1\n        e = #\n        @\n        s = s + $": "e",
}


def program(draw: random.Random) -> str:
    """One of all programs, by chance."""
    kinds, changes = draw.choice(list(CHANGES.items()))
    holder, place = draw.choice(list(HOLDERS.items()))
    form, name = draw.choice(list(FORMS.items()))
    changed, other = draw.choice([("u", place), (place, "u")])
    reads = draw.choice(READS[kinds]).replace("@", other)
    body = form.replace("@", draw.choice(changes).replace("@", name)).replace("#", changed).replace("$", reads)
    text = PROGRAM.replace("{made}", draw.choice(kinds))
    text = text.replace("{holder}", holder.replace("@", "u").replace("\n", "\n    "))
    return text.replace("{change}", body).replace("{read}", reads)


def verdict(text: str, path: pathlib.Path) -> str:
    """Is the derivative of a program right, is the program refused, or is it no program?"""
    f = generator.load(text, path)
    x, n = np.array([0.7, 1.1, 0.4]), 3
    try:
        value = f(x, n)
    except (TypeError, AttributeError, KeyError, IndexError, RuntimeError, ValueError, RecursionError):
        return "none"
    if np.ndim(value):
        return "none"
    along = np.array([0.3, -0.5, 0.8])
    slope = (f(x + 1e-6 * along, n) - f(x - 1e-6 * along, n)) / 2e-6
    tolerance = 1e-5 * max(1.0, abs(slope))
    try:
        got, gradient = value_and_grad(f, wrt=0)(x, n)
    except DerivationError as error:
        assert not isinstance(error, Defect), error
        return "refused"
    assert abs(got - value) <= 1e-12 * max(1.0, abs(value)), text
    assert abs(gradient @ along - slope) <= tolerance, text
    if not (amounts.ALL or zlib.crc32(text.encode()) % 3 == 0):  # one in three in forward mode, too
        return "right"
    try:
        got, tangent = jvp(f, wrt=0)(x, n, along)
    except DerivationError as error:
        assert not isinstance(error, Defect), error
        return "refused"
    assert abs(got - value) <= 1e-12 * max(1.0, abs(value)), text
    assert abs(tangent - slope) <= tolerance, text
    return "right"


@pytest.mark.sampled(6)
@pytest.mark.parametrize("block", [pytest.param(k, marks=[pytest.mark.slow] if k > 1 else []) for k in range(5)])
def test_held_under_two_names(block: int, tmp_path: pathlib.Path) -> None:
    draw = random.Random(block)
    verdicts = [verdict(program(draw), tmp_path / f"held_{k}.py") for k in range(80 if amounts.ALL else 40)]
    assert verdicts.count("right") > 4


#: what was found wrong
FOUND = (
    ("[]", "h = [u] * 3", "h[k].insert(0, x[1])", "sum(v * v for v in u)"),
    ("[x[0], x[1]]", "h = dict.fromkeys(range(n), u)", "u.sort()", "len(h[k])"),
    ("[1, 2]", "h = ChainMap({k: u})", "h[k][:] = [x[1]]", "total(u)"),
    ("[1, 2]", "h = {}; h.setdefault(k, u)", "h[k] *= 2", "len(u)"),
    ("set(range(n))", "h = {0: []}; h[k] = u", "h[k] |= {7}", "sum(u)"),
    ("frozenset(range(n))", "h = u", "u |= {7}", "len(h)"),
    ("[]", "h = again(u, k)", "h += [x[2]]", "len(u)"),
    ("[]", "h = {k: u}.get(k, None)\n    e = []\n    if x[1] > 0.0: e = u", "e[:] = [x[1]]", "len(h)"),
)


@pytest.mark.parametrize(("made", "holder", "change", "read"), FOUND)
def test_found(made: str, holder: str, change: str, read: str, tmp_path: pathlib.Path) -> None:
    text = PROGRAM.replace("{made}", made).replace("{holder}", holder).replace("{change}", change)
    assert verdict(text.replace("{read}", read), tmp_path / "found.py") in ("right", "refused")
