"""Numbers of names run from 1 on: where most of a variable's versions are gone, so are the gaps."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

import gast

from s2sad.core import Facts, Stmt, in_order, walk_names
from s2sad.tidy.coalesce import renamed


def number(
    body: list[Stmt],
    facts: Facts,
    live_out: Iterable[str] = (),
    parameters: Collection[str] = (),
    *,
    others: Iterable[Facts] = (),
) -> list[Stmt]:
    """The statements with the compiler's names numbered in the order in which they appear. Brings the facts up to date.

    Args:
        live_out: names that stay, because others read them.
        parameters: names that stay, because they come in bound.
        others: facts of functions that see the same names.

    >>> from s2sad.core import statements, text
    >>> facts = Facts(user_name={"x_4": "x", "x_2": "x", "x": "x"}, temps={"t", "t_3"})
    >>> body = statements("x_4 = 2.0 * x\\nt_3 = x_4 + x\\nx_2 = t_3\\nreturn x_2 * x_4 * t_3")
    >>> print(text(number(body, facts, (), ["x"])))
    x_1 = 2.0 * x
    t = x_1 + x
    x_2 = t
    return x_2 * x_1 * t
    """
    inside: set[str] = set()
    fixed = {*live_out, *parameters, *facts.globals}
    nodes = in_order(body)
    for node in nodes:
        cls = type(node)
        if cls in (gast.FunctionDef, gast.ClassDef, gast.Lambda):
            fixed |= {n.id for n in walk_names(node)}  # and what it reads of ours
        elif cls in (gast.Global, gast.Nonlocal):
            fixed.update(node.names)
        elif cls is gast.ExceptHandler and node.name is not None:
            fixed.add(getattr(node.name, "id", node.name))
        elif cls is gast.Name:
            inside.add(node.id)
    order = list(dict.fromkeys(n.id for n in nodes if type(n) is gast.Name))
    moving = {name: stem for name in order if name not in fixed and (stem := _stem(name, facts)) is not None}
    used = inside - moving.keys() | fixed
    names: dict[str, str] = {}
    tried: dict[str, int] = {}
    for name, stem in moving.items():
        k = tried.get(stem, 0)
        found = f"{stem}_{k}" if k else stem
        while found in used or not (found in moving or _is_free(found, facts)):
            k += 1
            found = f"{stem}_{k}"
        tried[stem] = k
        used.add(found)
        names[name] = found
    changed = {old: new for old, new in names.items() if old != new}
    if not changed:
        return body
    for known in (facts, *others):
        _rename_facts(known, names)
    result: list[Stmt] = renamed(body, changed)
    return result


def _stem(name: str, facts: Facts) -> str | None:
    """What a name of the compiler's is a numbered version of; None for other names."""
    found = re.fullmatch(r"(.+)_\d+", name)
    if found is None or facts.user_name.get(name) == name:
        return None
    stem = found[1]
    return stem if facts.user_name.get(name, stem if name in facts.temps else None) == stem else None


def _is_free(name: str, facts: Facts) -> bool:
    """May a name be given that does not occur: is it nobody's, or the compiler's?"""
    return name not in facts.taken or name in facts.temps or facts.user_name.get(name) is not None


def _rename_facts(facts: Facts, names: dict[str, str]) -> None:
    tables: tuple[dict[str, Any], ...] = (facts.kinds, facts.user_name, facts.lies)
    for table in tables:
        found: dict[str, Any] = {new: table.get(old) for old, new in names.items()}
        for new, value in found.items():
            if value is None:
                table.pop(new, None)
            else:
                table[new] = value
    for group in (facts.temps, facts.varied):
        members = {new for old, new in names.items() if old in group}
        group -= set(names.values()) - members
        group |= members
    facts.taken.update(names.values())
