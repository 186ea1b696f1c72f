"""Sums, products and quotients as trees: what they look like, and how their parts are put together."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import gast

from s2sad.core import Expr
from s2sad.tidy.rebuild import is_users, with_fields


def number(value: int | float) -> Expr:
    """A number as a node.

    >>> gast.dump(number(-2.0))[:13]
    'UnaryOp(op=US'
    """
    if value < 0:
        return gast.UnaryOp(gast.USub(), gast.Constant(-value, None))
    return gast.Constant(value, None)


def negated(node: Expr) -> Expr:
    """Minus the node, without a double sign.

    >>> from s2sad.core import quote
    >>> [gast.unparse(negated(quote(t))) for t in ("-x", "a - b", "x")]
    ['x', 'b - a', '-x']
    """
    if type(node) is gast.UnaryOp and type(node.op) is gast.USub:
        return node.operand
    if is_difference(node):
        return gast.BinOp(node.right, gast.Sub(), node.left)
    return gast.UnaryOp(gast.USub(), node)


def positive(node: Expr) -> Expr | None:
    """The node without its leading minus; None when it has none.

    >>> from s2sad.core import quote
    >>> gast.unparse(positive(quote("-a * b / c")))
    'a * b / c'
    """
    if type(node) is gast.UnaryOp and type(node.op) is gast.USub:
        return node.operand
    if type(node) is gast.BinOp and type(node.op) in (gast.Mult, gast.Div, gast.MatMult):
        left = positive(node.left)
        return None if left is None else with_fields(node, left=left)
    return None


def key_of(node: Any, blank: Container[str] = ()) -> str:
    """A text that two trees share when they are equal, or differ in names that are left blank alone."""
    cls = type(node)
    if cls is gast.Name:
        return "" if node.id in blank else str(node.id)
    if cls is gast.Constant:
        return repr(node.value)
    parts = [cls.__name__]
    fields = node.__dict__
    for field in cls._fields:
        value = fields.get(field)
        if isinstance(value, gast.AST):
            parts.append(key_of(value, blank) if type(value)._fields else f"({type(value).__name__})")
        elif isinstance(value, list):
            keys = (key_of(v, blank) if isinstance(v, gast.AST) else repr(v) for v in value)
            parts.append(f"[{','.join(keys)}]")
        else:
            parts.append(repr(value))  # None too: [::2] is not [2:]
    return "(" + " ".join(parts) + ")"


def is_of_literals(node: Expr) -> bool:
    """Is it a product of several literals?

    >>> from s2sad.core import quote
    >>> [is_of_literals(quote(t)) for t in ("1e20 * -2.0 / 3.0", "2.0", "2.0 * a")]
    [True, False, False]
    """
    if type(node) is not gast.BinOp or type(node.op) not in (gast.Mult, gast.Div):
        return False
    return all(is_number(side) or is_of_literals(side) for side in (node.left, node.right))


def is_product(node: Expr) -> bool:
    cls = type(node)
    return cls in (gast.UnaryOp, gast.Constant) or is_quotient_or_product(node)


def is_quotient_or_product(node: Expr) -> bool:
    return type(node) is gast.BinOp and type(node.op) in (gast.Mult, gast.Div)


def is_reciprocal(tree: Expr) -> bool:
    """Is it one over something?"""
    return type(tree) is gast.BinOp and type(tree.op) is gast.Div and is_one(tree.left)


def is_one(node: Expr) -> bool:
    return type(node) is gast.Constant and node.value == 1


def is_number(node: Expr) -> bool:
    return type(node) is gast.Constant or (type(node) is gast.UnaryOp and type(node.operand) is gast.Constant)


def is_int(node: Expr) -> bool:
    return type(node) is gast.Constant and type(node.value) is int


def is_difference(node: Expr) -> bool:
    return type(node) is gast.BinOp and type(node.op) is gast.Sub


def is_square(node: Expr) -> bool:
    return (
        type(node) is gast.BinOp
        and type(node.op) is gast.Pow
        and type(node.right) is gast.Constant
        and node.right.value == 2
        and type(node.left) is gast.Name
    )


def without_one(tree: Expr) -> Expr:
    """A product in which `1.0 / a * b` is `b / a`."""
    if type(tree) is not gast.BinOp or type(tree.op) not in (gast.Mult, gast.Div):
        return tree
    left, right = without_one(tree.left), without_one(tree.right)
    if type(tree.op) is gast.Mult and is_reciprocal(left):
        return with_fields(left, left=right)
    return with_fields(tree, left=left, right=right)


def turned(tree: Expr) -> Expr | None:
    """A product with a difference in it turned round; None when there is none above the line."""
    if type(tree) is not gast.BinOp:
        return None
    if type(tree.op) is gast.Sub:
        return negated(tree)
    if type(tree.op) not in (gast.Mult, gast.Div):
        return None
    left = turned(tree.left)
    if left is not None:
        return with_fields(tree, left=left)
    right = turned(tree.right) if type(tree.op) is gast.Mult else None
    return None if right is None else with_fields(tree, right=right)


def scaled(scales: Expr, tree: Expr) -> Expr:
    """A product of numbers applied one by one, the last first, but for its sign: `-a * b` to x gives `a * (b * x)`."""
    if type(scales) is gast.UnaryOp and type(scales.op) is gast.USub:
        return scaled(scales.operand, tree)
    if type(scales) is gast.BinOp and type(scales.op) in (gast.Mult, gast.Div) and not is_users(scales):
        if type(scales.op) is gast.Mult:
            outer, inner = scales.left, scales.right
            if is_quotient_or_product(inner) and not is_quotient_or_product(outer):
                outer, inner = inner, outer  # a number in front of a product came to it last
            return scaled(outer, scaled(inner, tree))
        return scaled(scales.left, gast.BinOp(tree, gast.Div(), scales.right))
    if is_one(scales):
        return tree
    return gast.BinOp(scales, gast.Mult(), tree)


def commuted(tree: Expr) -> str:
    """A text that two products share when they differ by the sides of their factors alone."""
    if type(tree) is gast.BinOp and type(tree.op) is gast.Mult:
        sides = sorted((commuted(tree.left), commuted(tree.right)))
        return f"({sides[0]} * {sides[1]})"
    if type(tree) is gast.BinOp and type(tree.op) is gast.Div:
        return f"({commuted(tree.left)} / {commuted(tree.right)})"
    return key_of(tree)


def times(factors: list[Expr]) -> Expr:
    result = factors[0]
    for factor in factors[1:]:
        result = gast.BinOp(result, gast.Mult(), factor)
    return result


def over(above: Expr, below: list[Expr]) -> Expr:
    return gast.BinOp(above, gast.Div(), times(below)) if below else above


def with_first(product: Expr, first: Expr, new: Expr) -> Expr:
    """A product with another first factor."""
    if product is first:
        return new
    return gast.BinOp(with_first(product.left, first, new), product.op, product.right)
