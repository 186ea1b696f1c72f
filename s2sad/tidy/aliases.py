"""Which names may share memory.

Flow-insensitive: a name has one set of bases for the whole function. A base is a name at which memory comes in: where
it is allocated, or a parameter, or a global. Two names whose bases do not meet never share memory.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from types import ModuleType
from typing import Any

from s2sad.core import Facts, Stmt
from s2sad.tidy.effects import WORLD, Effect, Effects, nested

Roots = dict[str, frozenset[str]]


def roots(
    body: list[Stmt],
    facts: Facts,
    effects: Effects | None = None,
    parameters: Collection[str] = (),
    same: Iterable[Iterable[str]] = (),
) -> Roots:
    """The bases of every name's memory.

    Args:
        body: the statements of one function.
        facts: what is known of its names; numbers have no memory.
        effects: the effects of the statements, where they are known already.
        parameters: the names that come in bound (needed for those that are bound again only).
        same: groups of parameters that may share memory.

    Returns:
        name -> bases; empty for a number. A base WORLD stands for memory that unknown code may hold, too.

    >>> from s2sad.core import statements
    >>> r = roots(statements("y = np.zeros(n)\\nv = y[1:-1].T\\nw = y + 1.0"), Facts())
    >>> sorted(r["v"]), sorted(r["w"])
    (['y'], ['w'])
    """
    effects = effects or Effects(facts)
    return bases_of([effects.of(s) for top in body for s in nested(top)], effects, parameters, same)[0]


def bases_of(
    summaries: Iterable[Effect], effects: Effects, parameters: Collection[str] = (), same: Iterable[Iterable[str]] = ()
) -> tuple[Roots, Roots, set[str]]:
    """The roots, the direct roots, and the bases that are allocated in the function and nowhere else.

    A container reaches the memory of its parts; the direct roots are without those: what a store into the name changes.

    Args:
        summaries: the effects of all statements of the function.
        effects: the owner of the summaries.
        parameters: the names that come in bound.
        same: groups of parameters that may share memory.
    """
    shares: dict[str, set[str]] = {}
    copies: dict[str, set[str]] = {}
    keeps: list[tuple[frozenset[str], frozenset[str], bool]] = []
    read: set[str] = set()
    fresh: set[str] = set()
    for e in summaries:
        for name, shared in e.defines:
            known = shares.get(name)
            if known is None:
                known = shares[name] = set()
            if not shared:
                fresh.add(name)
            elif e.copy:
                copies.setdefault(name, set()).update(shared)
            else:
                known |= shared
        read.update(e.reads)
        if e.keeps:
            keeps += e.keeps
    has_memory = effects.has_memory
    reach: dict[str, set[str]] = {WORLD: {WORLD}}
    direct: dict[str, set[str]] = {WORLD: {WORLD}}
    edges: list[tuple[set[str], set[str], str, bool]] = []
    outside = (read - shares.keys()) | set(parameters)
    for name in shares.keys() | outside:
        reach[name], direct[name] = ({name}, {name}) if has_memory(name) else (set(), set())
    for name, taken in shares.items():
        mine = reach[name]
        if not mine:
            continue
        taken.discard(name)
        copied = copies.get(name, set()) - {name}
        if taken or copied:
            mine_directly = direct[name]
            if name not in fresh and name not in parameters:
                mine.clear()  # only ever a view of others: no base itself
                mine_directly.clear()
            for other in taken:
                edges.append((mine, mine_directly, other, False))
            for other in copied:
                edges.append((mine, mine_directly, other, True))
    for group in same:
        members = set(group)
        for member in members:
            reach.setdefault(member, set()).update(members)
            direct.setdefault(member, set()).update(members)
    contents: dict[str, set[str]] = {}
    reachable = {n for n in outside if n not in parameters and _is_data(effects.facts.globals.get(n))}
    if reachable:
        contents[WORLD] = reachable
    changed = bool(edges or keeps or contents)
    while changed or _found_bases(shares, reach, direct, has_memory):
        changed = False
        for mine, mine_directly, other, is_copy in edges:
            theirs = reach.get(other)
            if theirs is None:
                theirs = reach[other] = {other}
                direct[other] = {other}
            if not theirs <= mine:
                mine |= theirs
                changed = True
            theirs = direct[other] if is_copy else theirs
            if not theirs <= mine_directly:
                mine_directly |= theirs
                changed = True
        for containers, values, deep in keeps:
            held: set[str] = set()
            for v in values:
                held |= reach.get(v, {v})
            for container in containers if held else ():
                for base in (reach if deep else direct).get(container, {container}):
                    inside = contents.setdefault(base, set())
                    if not held <= inside:
                        inside |= held
                        changed = True
        for bases in reach.values() if contents else ():
            extra: set[str] = set()
            for base in bases & contents.keys():
                extra |= contents[base]
            if not extra <= bases:
                bases |= extra
                changed = True
    frozen = {n: frozenset(b) for n, b in reach.items()}
    return frozen, {n: frozenset(b) for n, b in direct.items()}, fresh - outside


def _found_bases(
    names: Iterable[str], reach: dict[str, set[str]], direct: dict[str, set[str]], has_memory: Any
) -> bool:
    """Names that share memory in a circle only got it from where we cannot see: each is a base of its own."""
    lost = [name for name in names if not reach[name] and has_memory(name)]
    for name in lost:
        reach[name].add(name)
        direct[name].add(name)
    return bool(lost)


def _is_data(value: object) -> bool:
    """May code elsewhere store into this global's memory?"""
    return value is not None and not callable(value) and not isinstance(value, ModuleType | int | float | complex | str)
