"""What is said of the order in which loops come to an element, against running the loops."""

from __future__ import annotations

import random

import gast
from hypothesis import given, settings
from hypothesis import strategies as st

from s2sad.analysis.nests import never_after, turns
from s2sad.core import blocks_of, statements

SIZE = 6  # along each axis: indices may wrap around


def program(seed: int) -> str:
    """A nest of loops in which a table is looked at twice."""
    r = random.Random(seed)
    lines: list[str] = []

    def loop(name: str, outer: list[str], depth: int) -> None:
        low = r.choice(["0", "1", "2", *(v + r.choice(["", " + 1", " - 1"]) for v in outer)])
        high = r.choice(["n", "n - 1", "4", *(v + r.choice(["", " + 1", " + 2"]) for v in outer)])
        forms = [f"range({low}, {high})", f"range({high})", f"range({high} - 1, {low} - 1, -1)", f"range({low}, n, 2)"]
        head = r.choice(forms)
        head = f"reversed({head})" if r.random() < 0.3 else head
        lines.append("  " * depth + f"for {name} in {head}:")

    def look(name: str, variables: list[str], depth: int) -> None:
        def part() -> str:
            return r.choice([*(v + r.choice(["", "", " + 1", " - 1"]) for v in variables * 2), "0", "1", "-1", "n - 1"])

        lines.append("  " * depth + f"{name}({part()}, {part()})")

    names = r.choice([["i"], ["i", "j"], ["i", "j"], ["i", "j", "k"]])
    ends = r.randint(0, len(names))  # the first look stands in this many of the loops
    before = r.random() < 0.5
    for depth, name in enumerate(names):
        if depth == ends and before:
            look("first", names[:depth], depth)
        loop(name, names[:depth], depth)
        if r.random() < 0.03:
            lines.append("  " * (depth + 1) + f"{name} = {name} - 1")
    if ends == len(names) and before:
        look("first", names, ends)
    inner = r.random() < 0.3
    if inner:  # the second one in a loop of its own
        loop("m", names, len(names))
        look("second", [*names, "m"], len(names) + 1)
    else:
        look("second", names, len(names))
    if not before:
        look("first", names[:ends], ends)
    return "\n".join(lines)


def found(tree: list[gast.AST], name: str) -> tuple[gast.AST, list[gast.AST]]:
    for statement in tree:
        if isinstance(statement, gast.Expr) and statement.value.func.id == name:
            return gast.Tuple(statement.value.args, gast.Load()), []
        for block in blocks_of(statement):
            index, loops = found(block, name)
            if index is not None:
                return index, [statement, *loops]
    return None, []


def wrapped(index: int) -> int:
    """An index that is too large raises, and one below 0 counts from the end."""
    return index if index >= 0 else index + SIZE


def check(seed: int) -> bool:
    source = program(seed)
    tree = statements(source)
    (one, around_one), (two, around_two) = found(tree, "first"), found(tree, "second")
    shared = [a for a, b in zip(around_one, around_two, strict=False) if a is b]
    behind = source.index("second") > source.index("first")
    if not never_after(one, two, around_one, around_two, shared, behind):
        return False
    for n in (1, 3, 5):
        seen: set[tuple[int, int]] = set()

        def first(a: int, b: int, seen: set[tuple[int, int]] = seen) -> None:
            seen.add((wrapped(a), wrapped(b)))

        def second(a: int, b: int, seen: set[tuple[int, int]] = seen) -> None:
            assert (wrapped(a), wrapped(b)) not in seen, source

        exec(source, {"n": n, "first": first, "second": second})
    return True


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 10**9))
def test_random_nests(seed: int) -> None:
    check(seed)


def test_often_enough() -> None:
    assert sum(check(seed) for seed in range(300)) > 60


def test_no_turns() -> None:
    heads = ("range(0, n, k)", "xs", "range(*a)", "range(0, n, 0)", "enumerate(xs)")
    assert [turns(statements(f"for i in {head}: pass")[0]) for head in heads] == [None] * len(heads)
