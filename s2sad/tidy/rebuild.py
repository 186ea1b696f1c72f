"""Building changed trees without touching the ones they come from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from s2sad.core import Expr, Stmt, children_of

_OPPOSITE: dict[type, type] = {
    gast.Eq: gast.NotEq,
    gast.NotEq: gast.Eq,
    gast.Is: gast.IsNot,
    gast.IsNot: gast.Is,
    gast.In: gast.NotIn,
    gast.NotIn: gast.In,
}


def with_fields(node: Any, **changes: Any) -> Any:
    """The node with some fields replaced: the node itself when they are the same already.

    >>> import gast
    >>> gast.unparse(with_fields(gast.parse("x + y").body[0].value, op=gast.Sub()))
    'x - y'
    """
    old = node.__dict__
    for name, value in changes.items():
        before = old.get(name)
        if before is not value and not (isinstance(value, list) and _same(value, before)):
            break
    else:
        return node
    cls: Any = type(node)
    new = cls.__new__(cls)
    new.__dict__.update(old)
    new.__dict__.update(changes)
    return new


def is_users(node: Any) -> bool:
    """Does a statement stand in the user's function (it has an origin), as written there, or is an expression from one
    that does (`as_users`)? What it computes keeps every bit: nothing may be rearranged in it."""
    fields = node.__dict__
    return fields.get("origin") is not None or fields.get("user", False)


def as_users(expr: Expr, statement: Any) -> Expr:
    """The expression of a statement, which stays the user's where it is put if the statement is."""
    if not is_users(statement) or type(expr) in (gast.Name, gast.Constant):
        return expr
    fields = statement.__dict__
    marked: Expr = with_fields(expr, origin=fields.get("origin"), user=fields.get("user", False))
    return marked


def _same(first: list[Any], second: list[Any]) -> bool:
    return len(first) == len(second) and all(a is b for a, b in zip(first, second, strict=True))


def negate(test: Expr) -> Expr:
    """The opposite of a condition. An order is not turned round: `not a < b` holds for nan.

    >>> import gast
    >>> tests = ("x is None", "not c", "a < b", "not c and a < b", "c and a < b")
    >>> [gast.unparse(negate(gast.parse(t).body[0].value)) for t in tests]
    ['x is not None', 'c', 'not a < b', 'c or not a < b', 'not (c and a < b)']
    """
    if type(test) is gast.UnaryOp and type(test.op) is gast.Not:
        return test.operand
    if type(test) is gast.Compare and len(test.ops) == 1 and type(test.ops[0]) in _OPPOSITE:
        return with_fields(test, ops=[_OPPOSITE[type(test.ops[0])]()])
    if type(test) is gast.BoolOp:
        parts = [negate(part) for part in test.values]
        if 2 * sum(type(part) is gast.UnaryOp for part in parts) <= len(parts):  # (no more `not` than there were)
            return with_fields(test, op=gast.Or() if type(test.op) is gast.And else gast.And(), values=parts)
    return gast.UnaryOp(gast.Not(), test)


def with_expressions(node: Any, change: Callable[[Any], Any]) -> Any:
    """A statement or an expression with the expressions right in it changed, but for those of the user's.

    >>> from s2sad.core import quote
    >>> text = "f({'a': x, **y}, [z])"
    >>> gast.unparse(with_expressions(quote(text), lambda e: gast.Constant(1, None)))
    '1(1, 1)'
    >>> gast.unparse(with_expressions(quote(text).args[0], lambda e: gast.Constant(1, None)))
    '{1: 1, **1}'
    """

    def changed(value: Any) -> Any:
        return change(value) if isinstance(value, gast.expr) and not is_users(value) else value

    changes: dict[str, Any] = {}
    fields = node.__dict__
    for field in children_of(type(node)):
        value = fields.get(field)
        if value is not None:
            changes[field] = [changed(v) for v in value] if type(value) is list else changed(value)
    return with_fields(node, **changes)


def with_blocks(s: Stmt, visit: Callable[[list[Stmt]], list[Stmt]]) -> Stmt:
    """The statement with its blocks changed."""
    if type(s) in (gast.FunctionDef, gast.ClassDef):
        return s
    changes: dict[str, Any] = {}
    for field in ("body", "orelse", "finalbody"):
        block = getattr(s, field, None)
        if block:
            changes[field] = visit(block)
    for field in ("handlers", "cases"):
        parts = getattr(s, field, None)
        if parts:
            changes[field] = [with_fields(p, body=visit(p.body)) for p in parts]
    return with_fields(s, **changes) if changes else s
