"""Control flow as a person writes it: no else behind a jump, no empty branches, ternaries where the user had them."""

from __future__ import annotations

from typing import Any

import gast

from s2sad.core import Stmt
from s2sad.tidy.algebra import key_of
from s2sad.tidy.rebuild import is_users, negate, with_fields

_JUMPS = frozenset((gast.Return, gast.Break, gast.Continue, gast.Raise))


def straighten(body: list[Stmt]) -> list[Stmt]:
    """The statements with simpler branches. Nothing is moved or evaluated in another order.

    - an else behind a branch that always leaves goes one level out
    - `if c: pass` with an else becomes `if not c`
    - what follows a jump is dropped
    - `while True: if not c: break; ...` becomes `while c: ...`
    - an If with the attribute `ternary` that only assigns one name becomes a conditional expression again

    >>> from s2sad.core import statements, text
    >>> print(text(straighten(statements("if c:\\n  return a\\nelse:\\n  x = 1\\nreturn x"))))
    if c:
        return a
    x = 1
    return x
    """
    result: list[Stmt] = []
    for s in body:
        cls = type(s)
        if cls is gast.Pass and len(body) > 1:
            continue
        new = [s] if cls in _PLAIN else _straight(s)
        result.extend(new)
        if new and type(new[-1]) in _JUMPS:
            break
    return result or ([gast.Pass()] if body else [])


def return_at_once(body: list[Stmt]) -> list[Stmt]:
    """The statements of a function with what its last return would read returned where it is bound by the compiler.

    >>> from s2sad.core import statements, text
    >>> body = statements("if c:\\n    g = 2.0 * x\\n    bx = g * x\\nelse:\\n    bx = 0.0\\nreturn bx")
    >>> print(text(return_at_once(body)))
    if c:
        g = 2.0 * x
        return g * x
    return 0.0
    """
    last: Any = body[-1] if len(body) > 1 else None
    if type(last) is not gast.Return or type(last.value) is not gast.Name:
        return body
    made = _returning(body[-2], last)
    return body if made is None else straighten([*body[:-2], made])


def _returning(s: Any, last: Any) -> Stmt | None:
    """A statement that returns what it binds to the name that is returned behind it; None where it does not do so."""
    if type(s) is gast.Assign and not is_users(s) and [*map(key_of, s.targets)] == [key_of(last.value)]:
        made = gast.Return(s.value)
        for name, mark in s.__dict__.items():
            if name not in s._fields:
                setattr(made, name, mark)
        return made
    if type(s) is not gast.If or not s.orelse:
        return None
    sides = []
    for side in (s.body, s.orelse):
        end = side[-1] if type(side[-1]) in _LEAVES else _returning(side[-1], last)
        if end is None:
            return None
        sides.append([*side[:-1], end])
    return with_fields(s, body=sides[0], orelse=sides[1])


_LEAVES = frozenset((gast.Return, gast.Raise))


_PLAIN = frozenset((gast.Assign, gast.AugAssign, gast.Expr, gast.Return, gast.FunctionDef, gast.ClassDef, gast.Pass))


def _straight(s: Stmt) -> list[Stmt]:
    cls = type(s)
    if cls is gast.If:
        return _if(s)
    changes: dict[str, Any] = {}
    for field in ("body", "orelse", "finalbody"):
        block = getattr(s, field, None)
        if block:
            changes[field] = straighten(block)
    for field in ("handlers", "cases"):
        parts = getattr(s, field, None)
        if parts:
            changes[field] = [with_fields(p, body=straighten(p.body)) for p in parts]
    if not changes:
        return [s]
    new = with_fields(s, **changes)
    return [_while(new) if cls is gast.While else new]


def _if(s: Stmt) -> list[Stmt]:
    first, second = straighten(s.body), straighten(s.orelse)
    if _is_empty(second):
        second = []
    if _is_empty(first):
        if not second:
            return [with_fields(s, body=[gast.Pass()], orelse=[])]
        return [with_fields(s, test=negate(s.test), body=second, orelse=[])]
    if getattr(s, "ternary", False) and len(first) == 1 and len(second) == 1:
        made = _ternary(s, first[0], second[0])
        if made is not None:
            return [made]
    if second and type(first[-1]) in _JUMPS:
        return [with_fields(s, body=first, orelse=[]), *second]
    return [with_fields(s, body=first, orelse=second)]


def _is_empty(block: list[Stmt]) -> bool:
    return all(type(s) is gast.Pass for s in block)


def _ternary(s: Stmt, first: Stmt, second: Stmt) -> Stmt | None:
    """`x = a if c else b` out of two assignments."""
    if type(first) is not gast.Assign or type(second) is not gast.Assign:
        return None
    one, two = first.targets, second.targets
    if len(one) != 1 or len(two) != 1 or type(one[0]) is not gast.Name or type(two[0]) is not gast.Name:
        return None
    if one[0].id != two[0].id:
        return None
    made = gast.Assign(one, gast.IfExp(s.test, first.value, second.value), None)
    for name, value in s.__dict__.items():
        if name not in s._fields and name != "ternary":
            setattr(made, name, value)
    return made


def _while(s: Stmt) -> Stmt:
    """`while True: if not c: break; ...` -> `while c: ...`"""
    if s.orelse or not (type(s.test) is gast.Constant and s.test.value is True) or len(s.body) < 2:
        return s
    head = s.body[0]
    if type(head) is not gast.If or head.orelse or len(head.body) != 1 or type(head.body[0]) is not gast.Break:
        return s
    return with_fields(s, test=negate(head.test), body=s.body[1:])
