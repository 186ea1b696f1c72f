"""Which stores can touch what was read: every claim is held against loops that run."""

from __future__ import annotations

import itertools

import gast
import numpy as np
import pytest

from s2sad.analysis.memory import disjoint
from s2sad.analysis.memory_scan import analyse
from s2sad.core import Facts, quote, statements, text
from s2sad.kinds.kind import Array, Dim, Number
from s2sad.runtime.helpers import unbroadcast

LOOPS = ["range(4)", "range(1, 5)", "range(2, 6)", "range(1, 6, 2)", "range(4, 0, -1)", "range(k, 5)", "range(0, 6, k)"]
POINTS = [
    "0",
    "1",
    "-1",
    "-2",
    "2",
    "i",
    "i + 1",
    "i - 1",
    "1 + i",
    "i - 2",
    "i + 2",
    "-i",
    "2 - i",
    "j",
    "j + 1",
    "i + j",
    "2 * i",
]
SLICES = ["1:", ":-1", ":", "2:", ":2", "::2", "1:-1", "-1:", ":1", "i:", ":i", "i + 1:", "1:i", "::-1", "-2:", ":-2"]


def cells(index: str, size: int, values: dict[str, int]) -> set[int] | None:
    """The elements that an index touches, or None where it raises."""
    try:
        found = eval(f"cells[{index}]", {"cells": np.arange(size), **values})
    except IndexError:
        return None
    return set(np.atleast_1d(found).tolist())


def touched(read: str, store: str, header: str, later: bool, size: int, values: dict[str, int]) -> bool:
    """Does a store after a read in `for i in header` touch what was read? Programs that raise do not count."""
    turns = list(eval(header, dict(values)))
    reads = [cells(read, size, {**values, "i": i}) for i in turns]
    writes = [cells(store, size, {**values, "i": i}) for i in turns]
    if None in reads or None in writes:
        return False
    return any(r & w for t, r in enumerate(reads) for w in writes[t if later else t + 1 :])


@pytest.mark.parametrize("header", LOOPS)
def test_disjoint_in_a_loop(header):
    (loop,) = statements(f"for i in {header}:\n  pass")
    settings = [{"k": k, "j": j} for k in (1, 2) for j in (0, 2)]
    claims = 0
    for read, store in itertools.product([*POINTS, *SLICES], repeat=2):
        for later in (True, False):
            if not disjoint(index(read), index(store), later, [loop]):
                continue
            claims += 1
            for size, values in itertools.product((1, 2, 3, 5, 6, 8), settings):
                assert not touched(read, store, header, later, size, values), (read, store, later, size, values)
    assert claims > 10


def index(source: str) -> gast.AST:
    return quote(f"a[{source}]").slice


def test_disjoint_without_a_loop():
    claims = 0
    for read, store in itertools.product([*POINTS, *SLICES], repeat=2):
        if not disjoint(index(read), index(store), True, []):
            continue
        claims += 1
        for size, i, j in itertools.product((1, 2, 3, 5), (0, 1, 2), (0, 1)):
            values = {"i": i, "j": j}
            r, w = cells(read, size, values), cells(store, size, values)
            assert r is None or w is None or not r & w, (read, store, size, values)
    assert claims > 10


def test_disjoint_in_two_dimensions():
    parts = ["0", "1", "-1", "i", "i - 1", "1:", ":", ":-1", "...", "None"]
    (loop,) = statements("for i in range(1, 4):\n  pass")
    pairs = [f"{a}, {b}" for a, b in itertools.product(parts, repeat=2) if not a == b == "..."]
    grid = np.arange(16).reshape(4, 4)
    claims = 0
    for read, store, later in itertools.product(pairs, pairs, (True, False)):
        if not disjoint(index(read), index(store), later, [loop]):
            continue
        claims += 1
        for first in range(1, 4):
            r = set(np.ravel(eval(f"grid[{read}]", {"grid": grid, "i": first})).tolist())
            for second in range(first if later else first + 1, 4):
                w = set(np.ravel(eval(f"grid[{store}]", {"grid": grid, "i": second})).tolist())
                assert not r & w, (read, store, later)
    assert claims > 50


@pytest.mark.parametrize(
    "read, store, header, later",
    [
        ("i - 1", "i", "range(1, n)", True),
        ("i", "i + 1", "range(n)", True),
        ("i", "i", "range(n)", False),
        ("i, 0", "i + 1, 0", "range(n)", True),
        ("i, 0", "j, 1", "range(n)", True),
        ("0", "1:", "range(n)", True),
        ("-1", ":-1", "range(n)", True),
    ],
)
def test_what_must_be_seen(read, store, header, later):
    (loop,) = statements(f"for i in {header}:\n  pass")
    assert disjoint(index(read), index(store), later, [loop])


@pytest.mark.parametrize(
    "read, store, header, later",
    [
        ("i - 1", "i", "range(n)", True),  # -1 is the last element
        ("i", "i - 1", "range(1, n)", True),
        ("i", "i + 1", "range(n, 0, -1)", True),
        ("i", "i + 1", "range(m, n)", True),  # m may be negative
        ("m", "m + 1", "range(n)", True),
        ("mask", "0", "range(n)", True),
        ("0", "-1", "range(n)", True),
        ("..., 0", "0, 1", "range(n)", True),
    ],
)
def test_what_must_not_be_claimed(read, store, header, later):
    (loop,) = statements(f"for i in {header}:\n  pass")
    assert not disjoint(index(read), index(store), later, [loop])


# --- Memory

VECTOR = Array(np.dtype(float), (Dim.symbol("n"),))


def memory_of(source: str, alias: dict[str, str] | None = None, **kinds):
    body = statements(source)
    names = {n.id for s in body for n in gast.walk(s) if isinstance(n, gast.Name)}
    other = ("i", "n", "range", "np", "len", "t", "unbroadcast")
    facts = Facts(kinds={n: VECTOR for n in names if n not in other} | kinds)
    facts.kinds.update({n: Number(int) for n in ("i", "n") if n in names})
    facts.kinds.update({"t": Number(float)} if "t" in names else {})
    facts.globals["unbroadcast"] = unbroadcast
    return body, analyse(body, facts, alias or {})


def test_only_stored_names_are_overwritten():
    _, memory = memory_of("a = x * 2.0\nb = a\nb[0] = t\nc = x.copy()")
    assert memory.is_overwritten("a") and memory.is_overwritten("b")
    assert not memory.is_overwritten("x") and not memory.is_overwritten("c")


def test_views_are_one_memory():
    _, memory = memory_of("v = x[1:]\nw = v\nw += y", alias={"v": "x"})
    assert memory.is_overwritten("x") and not memory.is_overwritten("y")


def test_what_unbroadcast_gives_may_be_its_argument():
    _, memory = memory_of("v = x[1:]\nw = unbroadcast(v, y)\nx[0] = t", alias={"v": "x"})
    assert memory.is_overwritten("w") and not memory.is_overwritten("y")


@pytest.mark.parametrize(
    "source, key, read, expected",
    [
        ("b = a * 2.0\na[0] = t", "a", 0, True),
        ("a[0] = t\nb = a * 2.0", "a", 1, False),
        ("for i in range(n):\n  t = a[i]\n  a[i] = t", "a", 1, True),
        ("for i in range(n):\n  a[i] = t\n  b = a * 2.0", "a", 2, True),
        ("for i in range(n):\n  a = x * 2.0\n  b = a * 2.0\n  c = a\n  a[0] = t", "a", 2, True),
        ("for i in range(n):\n  a = x * 2.0\n  a[0] = t\n  b = a * 2.0", "a", 3, False),
        ("for i in range(n):\n  a[0] = t\nb = a * 2.0", "a", 2, False),
        ("b = a * 2.0\nfor i in range(n):\n  a[0] = t", "a", 0, True),
        ("b = a * 2.0\nif t:\n  a[0] = t", "a", 0, True),
    ],
)
def test_overwritten_after(source, key, read, expected):
    body, memory = memory_of(source)
    order = sorted(memory.places.values(), key=lambda p: p.order)
    assert memory.overwritten_after(key, None, order[read]) is expected, text(body)


def test_index_is_used():
    body, memory = memory_of("for i in range(1, n):\n  t = a[i - 1]\n  a[i] = t")
    read = body[0].body[0]
    assert not memory.overwritten_after("a", read.value.slice, memory.places[id(read)])
    assert memory.overwritten_after("a", None, memory.places[id(read)])


def test_a_statement_may_overwrite_what_it_reads():
    body, memory = memory_of("a[0] = a[0]")
    place = memory.places[id(body[0])]
    assert memory.overwritten_after("a", index("0"), place, own=True)
    assert not memory.overwritten_after("a", index("0"), place)
