"""Which names may share memory.

Flow-insensitive: a name has one set of bases for the whole function. A base is a name at which memory comes in: where
it is allocated, or a parameter, or a global. Two names whose bases do not meet never share memory.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from types import ModuleType

from s2sad.analysis.effects import WORLD, Effect, Effects, nested
from s2sad.core import Facts, Stmt

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
    shares: dict[str, set[str]] = {}  # of the names that may share the memory of others
    copies: dict[str, set[str]] = {}
    keeps: list[tuple[frozenset[str], frozenset[str], bool]] = []
    read: set[str] = set()
    bound: set[str] = set()
    fresh: set[str] = set()
    for e in summaries:
        for name, shared in e.defines:
            bound.add(name)
            if not shared:
                fresh.add(name)
            elif e.copy:
                copies.setdefault(name, set()).update(shared)
            else:
                shares.setdefault(name, set()).update(shared)
        read.update(e.reads)
        if e.keeps:
            keeps += e.keeps
    own = effects.own
    outside = (read - bound) | set(parameters)
    names = bound | outside
    frozen: Roots = {name: own[name] for name in names}
    frozen[WORLD] = _WORLD
    contents: dict[str, set[str]] = {}
    reachable = {n for n in outside if n not in parameters and _is_data(effects.facts.globals.get(n))}
    if reachable:
        contents[WORLD] = reachable
    # Whoever shares no memory is its own base; of the others the sets grow until nothing changes.
    reach: dict[str, set[str]] = {}
    direct: dict[str, set[str]] = {}
    if keeps or contents or same:
        for name, itself in frozen.items():
            if itself:  # a number reaches nothing, whatever is kept
                reach[name], direct[name] = set(itself), set(itself)
    edges: list[tuple[set[str], set[str], str, bool]] = []
    for name in {**shares, **copies}:  # in the order of the statements, mostly: then little is left for the next round
        if not own[name]:
            continue
        taken = shares.get(name, set())  # of itself, too: `r = r[k]` is what r held
        copied = copies.get(name, set()) - {name}
        if taken or copied:
            mine = reach[name] = {name}
            mine_directly = direct[name] = {name}
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
    changed = bool(edges or keeps or contents)
    while changed or _found_bases(bound, reach, direct, own):
        changed = False
        for mine, mine_directly, other, is_copy in edges:
            theirs: set[str] | frozenset[str] | None = reach.get(other)
            if theirs is None:
                theirs = frozen.get(other)
            if theirs is None:
                theirs = reach[other] = {other}
                direct[other] = {other}
            if not theirs <= mine:
                mine |= theirs
                changed = True
            theirs = direct.get(other, theirs) if is_copy else theirs
            if not theirs <= mine_directly:
                mine_directly |= theirs
                changed = True
        for containers, values, deep in keeps:
            held: set[str] = set()
            for v in values:
                held |= reach[v] if v in reach else frozen.get(v, {v})
            reached = reach if deep else direct
            for container in containers if held else ():
                for base in reached[container] if container in reached else frozen.get(container, {container}):
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
    frozen.update((n, frozenset(b)) for n, b in reach.items())
    return frozen, {n: frozenset(b) for n, b in direct.items()}, fresh - outside


_WORLD = frozenset((WORLD,))


def _found_bases(
    names: set[str], reach: dict[str, set[str]], direct: dict[str, set[str]], own: dict[str, frozenset[str]]
) -> bool:
    """Names that share memory in a circle only got it from where we cannot see: each is a base of its own."""
    lost = [name for name, bases in reach.items() if not bases and name in names and own[name]]
    for name in lost:
        reach[name].add(name)
        direct[name].add(name)
    return bool(lost)


def _is_data(value: object) -> bool:
    """May code elsewhere store into this global's memory?"""
    return value is not None and not callable(value) and not isinstance(value, ModuleType | int | float | complex | str)
