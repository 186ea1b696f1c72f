"""A name for each value: tidy text uses one name for several, one after the other."""

from __future__ import annotations

from typing import Any

import gast

from s2sad.core import Facts, Stmt, blocks_of, walk, walk_names


def with_own_names(body: list[Stmt], facts: Facts) -> None:
    """Give each value that is replaced later in its block a name of its own, in place.

        g = b[1:-1]         g_1 = b[1:-1]
        c += g @ t     ->   c += g_1 @ t
        g = k * g           g = k * g_1

    >>> from s2sad.core import quote_statements, text, Names
    >>> body = quote_statements("g = b[1:-1]\\nc += g @ t\\ng = k * g")
    >>> with_own_names(body, Facts(taken=Names(["g"])))
    >>> print(text(body))
    g_1 = b[1:-1]
    c += g_1 @ t
    g = k * g_1
    """
    for statement in body:
        if not isinstance(statement, gast.Try):
            for inner in blocks_of(statement):
                with_own_names(inner, facts)
    bound: dict[str, int] = {}
    for place, statement in enumerate(body):
        name = _whole(statement)
        if name is not None and name in bound and not any(map(_leaves, body[bound[name] : place])):
            _rename(body[bound[name] : place], statement, name, facts)
        for other in _stored(statement):
            bound.pop(other, None)  # from here on it has a value of another kind, or may have
        if name is not None:
            bound[name] = place


def _leaves(statement: Stmt) -> bool:
    """May it leave the block, so that somebody reads what was to be replaced?"""
    return any(isinstance(n, (gast.Break, gast.Continue)) for n in walk(statement))


def _whole(statement: Stmt) -> str | None:
    """The name that a statement binds, and nothing else."""
    if isinstance(statement, gast.Assign) and len(statement.targets) == 1:
        target: Any = statement.targets[0]
        return str(target.id) if isinstance(target, gast.Name) else None
    return None


def _stored(statement: Stmt) -> set[str]:
    return {n.id for n in walk_names(statement) if not isinstance(n.ctx, gast.Load)}


def _rename(between: list[Stmt], last: Any, name: str, facts: Facts) -> None:
    new = facts.fresh(name)
    facts.kinds.pop(new, None)
    if name in facts.kinds:
        facts.kinds[new] = facts.kinds[name]
    for part in (*between, last.value):
        for node in walk_names(part):
            if node.id == name:
                node.id = new


def without_versions(body: list[Stmt], facts: Facts, parameters: list[str]) -> None:
    """Rename what is called as Numba calls a version of another name, in place: it takes the two for one.

        t = a + b                t = a + b
        t_1 = t == c       ->    t1 = t == c

    >>> from s2sad.core import quote_statements, text, Names
    >>> body = quote_statements("t = a + b\\nt_1 = t == c\\ng_1 = t_1")
    >>> without_versions(body, Facts(taken=Names(["t", "t_1", "g_1"])), ["a", "b", "c"])
    >>> print(text(body))
    t = a + b
    t1 = t == c
    g_1 = t1
    """
    stored = {name for statement in body for name in _stored(statement)} - set(parameters)
    every = {n.id for statement in body for n in walk_names(statement)}
    renamed = {}
    for name in sorted(stored):
        stem, _, number = name.rpartition("_")
        if number.isdigit() and stem in every:
            renamed[name] = new = facts.fresh(f"{stem}{number}")
            facts.kinds.pop(new, None)
            if name in facts.kinds:
                facts.kinds[new] = facts.kinds[name]
    for node in (n for statement in body for n in walk_names(statement)):
        node.id = renamed.get(node.id, node.id)
