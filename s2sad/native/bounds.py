"""Which functions read and write inside of their arrays for certain, so that nobody has to look at each index.

for i in range(1, len(x)):
    y[i] = x[i] - x[i - 1]    # 1 <= i <= len(x) - 1, and so 0 <= i - 1
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import gast

from s2sad.core import Expr, Facts, Stmt, blocks_of, clone, names_bound, walk
from s2sad.kinds.dims import certain_lower, is_fixed
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Dim, Kind, List, ListOf, Tuple
from s2sad.kinds.known import int_value
from s2sad.native.kinds_here import called, follow

#: the least and the largest value of an index
Range = tuple[Dim, Dim]


def in_range(body: list[Stmt], facts: Facts, tapes: Collection[str] = ()) -> bool:
    """Is each index of a function in its array? `tapes` are arrays whose indices are known to be.

    >>> import numpy as np
    >>> from s2sad.core import quote_statements
    >>> facts = Facts(kinds={"x": Array(np.dtype(float), (Dim.symbol("n"),))})
    >>> in_range(quote_statements("for i in range(1, len(x)): x[i] -= x[i - 1]"), facts)
    True
    >>> in_range(quote_statements("for i in range(1, len(x)): x[i] -= x[i + 1]"), facts)
    False
    """
    kinds: dict[int, dict[str, Kind]] = {}
    follow(body, facts, lambda statement, here: kinds.__setitem__(id(statement), dict(here.kinds)))
    return _Look(facts, kinds, tapes).block(body, {})


class _Look:
    def __init__(self, facts: Facts, kinds: dict[int, dict[str, Kind]], tapes: Collection[str]) -> None:
        self.facts, self.kinds, self.tapes = facts, kinds, tapes

    def block(self, body: list[Stmt], ranges: dict[str, Range]) -> bool:
        return all(self.statement(statement, ranges) for statement in body)

    def statement(self, statement: Any, ranges: dict[str, Range]) -> bool:
        here = replace(self.facts, kinds=self.kinds.get(id(statement), {}))
        own: list[Any] = []
        for _, value in gast.iter_fields(statement):
            own += [v for v in (value if isinstance(value, list) else [value]) if isinstance(v, gast.expr)]
        subscripts = (n for v in own for n in walk(v) if isinstance(n, gast.Subscript))
        if not all(self.is_inside(n, here, ranges) for n in subscripts):
            return False
        if isinstance(statement, (gast.For, gast.While)):
            bound = names_bound(statement.body)
            ranges = {n: r for n, r in ranges.items() if n not in bound | names_bound(own)}
            turns = self.turns(statement, here, ranges) if isinstance(statement, gast.For) else None
            if turns is not None and statement.target.id not in bound:
                ranges[statement.target.id] = turns
        return all(self.block(inner, ranges) for inner in blocks_of(statement))

    def turns(self, loop: Any, here: Facts, ranges: dict[str, Range]) -> Range | None:
        """The values of the variable of a loop over a range."""
        turns = loop.iter
        if not isinstance(turns, gast.Call) or turns.keywords or not isinstance(loop.target, gast.Name):
            return None
        name = getattr(turns.func, "attr", None)
        if called(turns.func, here) is not range and name != "prange":
            return None
        given = [gast.Constant(0, None), *turns.args] if len(turns.args) == 1 else turns.args
        found = [self.range_of(e, here, ranges) for e in given[:2]]
        step = _int(given[2]) if len(given) == 3 else 1
        if not step or None in found:
            return None
        start, stop = (r for r in found if r is not None)
        return (start[0], stop[1] - 1) if step > 0 else (stop[0] + 1, start[1])

    def range_of(self, node: Any, here: Facts, ranges: dict[str, Range]) -> Range | None:
        if isinstance(node, gast.Name) and node.id in ranges:
            return ranges[node.id]
        if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub)):
            left, right = (self.range_of(e, here, ranges) for e in (node.left, node.right))
            if left is None or right is None:
                return None
            if isinstance(node.op, gast.Add):
                return left[0] + right[0], left[1] + right[1]
            return left[0] - right[1], left[1] - right[0]
        value = int_value(infer(node, here))
        return None if value is None else (value, value)

    def is_inside(self, node: Any, here: Facts, ranges: dict[str, Range]) -> bool:
        if getattr(node.value, "id", None) in self.tapes:
            return True
        base = infer(_read(node.value), here)
        if isinstance(base, (Tuple, List, ListOf)) or _is_shape(node.value):
            return True  # Numba looks at these itself
        if not isinstance(base, Array) or base.shape is None:
            return False
        parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
        return len(parts) <= len(base.shape) and all(
            isinstance(part, gast.Slice) or self.is_place(part, length, here, ranges)
            for part, length in zip(parts, base.shape, strict=False)
        )

    def is_place(self, part: Expr, length: Dim, here: Facts, ranges: dict[str, Range]) -> bool:
        found = self.range_of(part, here, ranges)
        if found is None:
            return False
        least, most = found
        if not all(map(is_fixed, (length, least, most))):
            return False  # (a length that is another one at each turn says nothing)
        if most.known and most.const < 0:
            return _is_natural(length + least)
        return _is_natural(least) and _is_natural(length - 1 - most)


def _is_natural(value: Dim) -> bool:
    low = certain_lower(value)
    return low is not None and low >= 0


def _read(node: Any) -> Any:
    """A place that is stored into, as one that is read."""
    if isinstance(node, (gast.Name, gast.Subscript, gast.Attribute)) and not isinstance(node.ctx, gast.Load):
        node = clone(node)
        node.ctx = gast.Load()
    return node


def _is_shape(node: Any) -> bool:
    return isinstance(node, gast.Attribute) and node.attr == "shape"


def _int(node: Any) -> int | None:
    sign = 1
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        node, sign = node.operand, -1
    return sign * node.value if isinstance(node, gast.Constant) and type(node.value) is int else None
