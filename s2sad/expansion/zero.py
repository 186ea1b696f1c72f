"""The symbolic zero: the derivative of what does not vary; and the sums of derivatives, without it."""

from __future__ import annotations

from typing import Any

import gast

from s2sad.core import Expr


class _Zero:
    """The derivative of what does not vary."""

    def __repr__(self) -> str:
        return "ZERO"


ZERO = _Zero()


def is_zero(expr: Any) -> bool:
    if expr is ZERO or expr is None:
        return True
    if isinstance(expr, gast.Constant):
        return expr.value is not None and not isinstance(expr.value, (str, bytes)) and expr.value == 0
    return isinstance(expr, (int, float)) and expr == 0


def is_seed(node: Any, value: Any) -> bool:
    """Is this d[y], and its value 1.0?"""
    derivative = isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) and node.value.id == "d"
    return derivative and isinstance(value, gast.Constant) and value.value == 1.0


def add(left: Expr | None, right: Expr) -> Expr:
    if left is None:
        return right
    positive = without_minus(right)
    if positive is not None:
        return gast.BinOp(left, gast.Sub(), positive)
    return gast.BinOp(left, gast.Add(), right)


def without_minus(expr: Expr) -> Expr | None:
    """-a * b / c without its minus; None for an expression that does not start with one."""
    if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.USub):
        return expr.operand
    if isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Mult, gast.Div)):
        left = without_minus(expr.left)
        return None if left is None else gast.BinOp(left, expr.op, expr.right)
    return None
