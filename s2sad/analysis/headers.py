"""What statements and their headers look like: calls of core functions, pops, ranges."""

from __future__ import annotations

from typing import Any

import gast

from s2sad.core import Expr, Stmt, quote


def is_pop(call: Any) -> bool:
    return isinstance(call.func, gast.Attribute) and call.func.attr == "pop"


def is_range(node: Any) -> bool:
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Name):
        return False
    return node.func.id == "range" or (node.func.id == "reversed" and is_range(node.args[0]))


def first_turns(header: Expr, counter: str) -> Expr:
    """The indices of the first turns of a range loop, last one first.

    >>> from s2sad.core import text
    >>> text(first_turns(quote("range(n)"), "turns")), text(first_turns(quote("range(a, b, 2)"), "turns"))
    ('reversed(range(turns))', 'reversed(range(a, a + 2 * turns, 2))')
    >>> text(first_turns(quote("reversed(range(n))"), "turns"))
    'range(n - turns, n)'
    """
    inner = header.args[0] if header.func.id == "reversed" else header
    start = inner.args[0] if len(inner.args) > 1 else gast.Constant(0, None)
    step = inner.args[2] if len(inner.args) > 2 else None
    if inner is header:
        if len(inner.args) == 1:
            return quote("reversed(range(k))", k=counter)
        if step is None:
            return quote("reversed(range(a, a + k))", a=start, k=counter)
        return quote("reversed(range(a, a + s * k, s))", a=start, s=step, k=counter)
    if step is None:
        stop = inner.args[-1]
        return quote("range(b - k, b)", b=stop, k=counter)
    return quote("reversed(r[::-1][:k])", r=inner, k=counter)


def has_break(body: list[Stmt]) -> bool:
    for statement in body:
        if isinstance(statement, gast.Break):
            return True
        if isinstance(statement, (gast.For, gast.While)):
            continue
        for name in ("body", "orelse"):
            block = getattr(statement, name, None)
            if isinstance(block, list) and has_break(block):
                return True
    return False
