"""What calling a function does beyond computing."""

from __future__ import annotations

from typing import Any

import gast

from s2sad.analysis.effects import Effects, nested
from s2sad.core import Facts, Stmt, blocks_of, walk
from s2sad.normal.calls.functions import CoreFunction


def effect_of(body: list[Stmt], facts: Facts) -> str:
    """What calling a function with this body does beyond computing: "none", "raises", "own" or "unknown"."""
    effects = Effects(facts)
    worst = 0
    order = ("none", "raises", "own", "unknown")
    for statement in body:
        for inner in nested(statement):
            effect = effects.of(inner)
            called = [
                n.function.effect
                for n in walk(header_of(inner))
                if isinstance(n, gast.Call) and isinstance(getattr(n, "function", None), CoreFunction)
            ]
            if isinstance(inner, (gast.Raise, gast.Assert)):
                called.append("raises")
            elif isinstance(inner, gast.With):
                called.append("none")
            elif effect.unknown:
                called.append("unknown")
            elif effect.own and not called:
                called.append("own")
            worst = max([worst, *(order.index(e) for e in called)])
    return order[worst]


def header_of(statement: Stmt) -> Any:
    """A statement without its blocks, to walk."""
    blocks = [id(s) for b in blocks_of(statement) for s in b]
    parts = []
    for name in statement._fields:
        value = getattr(statement, name, None)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, gast.AST) and id(item) not in blocks:
                parts.append(item)
    return gast.Tuple([p for p in parts if isinstance(p, gast.expr)], gast.Load())
