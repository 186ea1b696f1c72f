"""The check that there are as many items as an unpacking has targets, as an expression.

`a, b = v` is lowered to `a = v[0]` and `b = v[1]`, which do not mind a third item: where the length is not known, the
core has the unpacking itself in front of them, without what it binds. `tidy.unpack` makes one line of them all.
"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.core import Expr, quote


def count_check(value: Expr, pattern: list[str]) -> Expr:
    """An expression that raises what unpacking a value into targets raises.

    >>> from s2sad.core import load, text
    >>> text(count_check(load("v"), ["_", "*_"]))
    '[None for _, *_ in [v]]'
    """
    return quote(f"[None for {', '.join(pattern)} in [v]]", v=value)


def counted(node: Any) -> tuple[Expr, list[str]] | None:
    """What a check made by `count_check` unpacks, and into how many targets; None for any other expression.

    >>> from s2sad.core import load
    >>> value, pattern = counted(count_check(load("v"), ["_", "_"]))
    >>> value.id, pattern
    ('v', ['_', '_'])
    """
    if type(node) is not gast.ListComp or type(node.elt) is not gast.Constant or node.elt.value is not None:
        return None
    (one, *more) = node.generators
    if more or one.ifs or type(one.target) is not gast.Tuple or type(one.iter) is not gast.List:
        return None
    pattern = ["*_" if type(t) is gast.Starred else "_" for t in one.target.elts]
    return (one.iter.elts[0], pattern) if len(one.iter.elts) == 1 else None
