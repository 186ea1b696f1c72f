"""The shapes of what is put together: are they known to fit?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, Facts
from s2sad.kinds import dims
from s2sad.kinds.dims import ONE
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Dim, Number, Static, Tuple

Shape = tuple[Dim, ...]


def shape_of(node: Expr, facts: Facts) -> Shape | None:
    """The shape of a value, () for a number; None where it is not known."""
    kind = infer(node, facts)
    if isinstance(kind, Array):
        return kind.shape
    return () if isinstance(kind, Number) or isinstance(getattr(kind, "value", None), (int, float, complex)) else None


def lengths_in(node: Expr, facts: Facts) -> Shape | None:
    """The lengths that a shape holds, where they are known."""
    kind = infer(node, facts)
    items = kind.items if isinstance(kind, Tuple) else None
    if isinstance(kind, Static) and isinstance(kind.value, tuple):
        return tuple(Dim.of(v) for v in kind.value)
    values = [getattr(i, "value", None) for i in items] if items is not None else [None]
    values = [Dim.of(v) if type(v) is int else v for v in values]
    return tuple(values) if all(isinstance(v, Dim) for v in values) else None  # type: ignore[arg-type]


def fits(shapes: Sequence[Any]) -> bool:
    """Are shapes known to broadcast?"""
    return all(
        a == b or ONE in (a, b) or dims.clipped(a) == b or dims.clipped(b) == a
        for k, first in enumerate(shapes)
        for second in shapes[k + 1 :]
        for a, b in zip(reversed(first), reversed(second), strict=False)
    )


def fits_into(given: Shape, shape: Shape) -> bool:
    """Is what has one shape known to fit into a place of another?"""
    known = all(a in (b, ONE) for a, b in zip(reversed(given), reversed(shape), strict=False))
    return known and len(given) <= len(shape)


def divides_numbers(node: Any, facts: Facts) -> bool:
    """Is one of Python's numbers divided by another one, which raises for zero?"""
    if not isinstance(node, gast.BinOp) or not isinstance(node.op, (gast.Div, gast.FloorDiv, gast.Mod)):
        return False
    kinds = [infer(o, facts) for o in (node.left, node.right)]
    return all(getattr(k, "type", type(getattr(k, "value", None))) in (bool, int, float, complex) for k in kinds)


def inner_lengths(node: Any, facts: Facts) -> tuple[Dim, Dim] | None:
    """The two lengths that a matrix product sums over; None where they are not known."""
    a, b = shape_of(node.left, facts), shape_of(node.right, facts)
    return (a[-1], b[max(len(b) - 2, 0)]) if a and b else None


def is_elementwise(node: Any, facts: Facts) -> bool:
    """Is it a call that puts its arguments together element by element?"""
    if not isinstance(node, gast.Call) or node.keywords or any(isinstance(a, gast.Starred) for a in node.args):
        return False
    target = getattr(infer(node.func, facts), "value", None)
    return (isinstance(target, np.ufunc) and target.signature is None) or (target is np.where and len(node.args) == 3)


def operands_of(node: Any) -> list[Expr]:
    """What an operator, a comparison or a call puts together."""
    if isinstance(node, gast.AugAssign):
        return [node.target, node.value]
    if isinstance(node, gast.BinOp):
        return [node.left, node.right]
    return [node.left, *node.comparators] if isinstance(node, gast.Compare) else list(node.args)
