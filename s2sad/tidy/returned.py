"""What is handed back beside a pullback: short values stand in the return, long ones are the result by name."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import gast

from s2sad.core import Expr, Facts, Stmt, load, names_bound, walk_names
from s2sad.tidy.coalesce import renamed
from s2sad.tidy.renest import renest

LINE = 80  # the return is not made longer than this


def put_in_return(
    body: list[Stmt], value: Expr, beside: Expr, facts: Facts, read: Collection[str], parameters: Collection[str]
) -> tuple[list[Stmt], Stmt]:
    """The statements without temporaries that are nothing but (parts of) the value, and `return value, beside`.

    Args:
        body: the statements of the function, of which new lists are made.
        value: what is returned.
        beside: the pullback; making it does nothing that a value could notice.
        facts: what is known of the names.
        read: the names that the pullback reads.
        parameters: those of the function.

    >>> from s2sad.core import quote, statements, text
    >>> body = statements("t = np.sin(x)\\nt_1 = a * t")
    >>> body, last = put_in_return(body, quote("t_1"), quote("pullback"), Facts(temps={"t", "t_1"}), {"t"}, ["x", "a"])
    >>> print(text([*body, last]))
    t = np.sin(x)
    return (a * t, pullback)
    """
    done: Any = gast.Return(gast.Tuple([value, beside], gast.Load()))
    own = {n.id for n in walk_names(value)} & facts.temps - {*read}
    at = len(body)
    while at and _binds_one_of(body[at - 1], own):
        at -= 1
    *rest, last = renest([*body[at:], done], facts, read, parameters=[*parameters, *names_bound(body[:at])], line=LINE)
    moved = [s for s in body[at:] if s not in rest]
    if moved and (origin := getattr(moved[-1], "origin", None)) is not None:
        last.origin = origin
    return [*body[:at], *rest], last


def call_it_result(
    body: list[Stmt], inside: list[Stmt], value: Expr, facts: Facts, others: Facts
) -> tuple[list[Stmt], list[Stmt], Expr]:
    """The statements, those of the pullback, and the value, which is called `result` where it had no name.

    >>> from s2sad.core import quote, statements, text
    >>> body, inside = statements("t_1 = np.exp(x)"), statements("return g * t_1")
    >>> facts = Facts(temps={"t_1"})
    >>> body, inside, value = call_it_result(body, inside, quote("t_1"), facts, facts)
    >>> print(text([*body, *inside]), text(value))
    result = np.exp(x)
    return g * result result
    """
    if type(value) is not gast.Name or value.id not in facts.temps:
        return body, inside, value
    name = others.fresh("result", temp=False)
    for known in (facts, others):
        if value.id in known.kinds:
            known.kinds[name] = known.kinds[value.id]
    names = {value.id: name}
    return renamed(body, names), renamed(inside, names), load(name)


def _binds_one_of(s: Any, names: Collection[str]) -> bool:
    if type(s) is not gast.Assign or len(s.targets) != 1 or type(s.targets[0]) is not gast.Name:
        return False
    return s.targets[0].id in names
