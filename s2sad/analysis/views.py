"""Views of views: each gets a name where active values are stored in the memory that they share.

What is inactive stays as the user wrote it, and may become active by a later store; adjoints and tangents then go
through views one by one.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import gast

from s2sad.core import Expr, Facts, Stmt, assign, atom_key, blocks_of, items_of, load
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array


def name_inner_views(body: list[Stmt], facts: Facts, alias: dict[str, str]) -> None:
    """Take views of active memory apart, in place.

    v = np.squeeze(u[None])         ->          t = u[None]; v = np.squeeze(t)

    >>> from s2sad.core import statements, text
    >>> from s2sad.kinds.kind import Dim
    >>> import numpy as np
    >>> facts = Facts({"u": Array(np.dtype(float), (Dim.of(3),))}, varied={"u", "v"}, globals={"np": np})
    >>> body = statements("v = np.squeeze(u[None])")
    >>> name_inner_views(body, facts, alias := {"v": "u"})
    >>> print("; ".join(map(text, body)), alias)
    t = u[None]; v = np.squeeze(t) {'v': 't', 't': 'u'}
    """
    k = 0
    while k < len(body):
        statement = body[k]
        for block in blocks_of(statement):
            name_inner_views(block, facts, alias)
        made = _inner_view(statement, facts, alias)
        if made is not None:
            body.insert(k, made)  # which may be a view of a view itself
        else:
            k += 1


def _inner_view(statement: Stmt, facts: Facts, alias: dict[str, str]) -> Stmt | None:
    """The statement that makes the view of which a statement takes one; that has its name from then on."""
    if not isinstance(statement, gast.Assign) or getattr(statement, "apply", None) is not None:
        return None
    target = statement.targets[0]
    names = [n.id for n in (items_of(target)) if isinstance(n, gast.Name)]
    names = [n for n in names if n in alias and n in facts.varied]
    if not names or atom_key(statement.value) in facts.kinds:
        return None
    owner, part = _viewed(statement.value, facts)
    base = owner and (getattr(owner, part) if part != "args" else owner.args[0])
    if not isinstance(base, (gast.Subscript, gast.Attribute, gast.Call)) or atom_key(base) in facts.kinds:
        return None
    kind = infer(base, facts)
    if not isinstance(kind, Array):
        return None
    name = facts.fresh("t")
    facts.temps.add(name)
    facts.varied.add(name)
    facts.kinds[name] = kind
    alias[name] = alias[names[0]]
    for view in names:
        alias[view] = name
    if part == "args":
        owner.args[0] = load(name)
    else:
        setattr(owner, part, load(name))
    return assign(name, base, getattr(statement, "origin", None))


def _viewed(value: Expr, facts: Facts) -> tuple[Any, str]:
    """Where the array stands of which an expression is a view: the node, and its field."""
    if isinstance(value, gast.Subscript) and isinstance(value.value, gast.Call):
        inner = _viewed(value.value, facts)
        if not isinstance(infer(value.value, facts), Array):  # one of the parts of a split array
            return inner
    if isinstance(value, (gast.Subscript, gast.Attribute)):
        return value, "value"
    if isinstance(value, gast.Call):
        func = value.func
        if isinstance(func, gast.Attribute) and not _is_module(func.value, facts):
            return func, "value"
        if value.args:
            return value, "args"
    return None, ""


def _is_module(node: Expr, facts: Facts) -> bool:
    while isinstance(node, gast.Attribute):
        node = node.value
    return isinstance(node, gast.Name) and isinstance(facts.globals.get(node.id), ModuleType)
