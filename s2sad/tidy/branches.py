"""What the two sides of a branch have in common stands once: before it, behind it, or in one conditional expression."""

from __future__ import annotations

from functools import partial
from typing import Any

import gast

from s2sad.core import Facts, Stmt, names_bound, names_read, walk
from s2sad.kinds.kind import Number
from s2sad.tidy.algebra import key_of
from s2sad.tidy.rebuild import is_users, negate, with_blocks, with_fields
from s2sad.tidy.renest import LINE, width_of

_PLAIN = (
    gast.Name,
    gast.Constant,
    gast.BinOp,
    gast.UnaryOp,
    gast.Compare,
    gast.BoolOp,
    gast.Attribute,
    gast.Subscript,
    gast.Tuple,
    gast.Slice,
)


def join_branches(body: list[Stmt], facts: Facts) -> list[Stmt]:
    """The statements with simpler branches. In those of the user's, what the user wrote stays as it is.

    - what both sides begin with goes before the branch, where its test does not read it, and what they end with behind
    - two assignments of one number become a conditional expression, where it fits in a line

    >>> from s2sad.core import statements, text
    >>> facts = Facts(kinds=dict.fromkeys(("g", "bx", "by", "x"), Number(float)))
    >>> print(text(join_branches(statements('''
    ... if x > 0.0:
    ...     by = g
    ...     bx = 2.0 * g
    ... else:
    ...     by = g
    ...     bx = 0.0'''), facts)))
    by = g
    bx = 2.0 * g if x > 0.0 else 0.0

    What the user's branch computes stays in it, but for temporaries of both of its sides.

    >>> from s2sad.core import Origin
    >>> body = statements("if x > 0.0:\\n    t = 2.0 * x\\n    y = t * x\\nelse:\\n    t = 2.0 * x\\n    y = t + x")
    >>> for s in (body[0], *body[0].body, *body[0].orelse):
    ...     s.origin = Origin("f.py", 2, "y = 2.0 * x * x")
    >>> print(text(join_branches(body, Facts(temps={"t"}))))
    t = 2.0 * x
    if x > 0.0:
        y = t * x
    else:
        y = t + x
    """
    return _joined(body, facts, 4)


def _joined(body: list[Stmt], facts: Facts, depth: int) -> list[Stmt]:
    out: list[Stmt] = []
    for s in body:
        chain = type(s) is gast.If and len(s.orelse) == 1 and type(s.orelse[0]) is gast.If
        s = with_blocks(s, partial(_joined, facts=facts, depth=depth + 4)) if not chain else _chain(s, facts, depth)
        out += _parted(s, facts, depth) if type(s) is gast.If and s.orelse else [s]
    return out


def _chain(branch: Any, facts: Facts, depth: int) -> Any:
    """if a: .. elif b: .. else: .., which stays one."""
    last = branch.orelse[0]
    if len(last.orelse) == 1 and type(last.orelse[0]) is gast.If:
        last = _chain(last, facts, depth)
    else:
        last = with_blocks(last, partial(_joined, facts=facts, depth=depth + 4))
    return with_fields(branch, body=_joined(branch.body, facts, depth + 4), orelse=[last])


def _parted(branch: Any, facts: Facts, depth: int) -> list[Stmt]:
    """A branch, and what stands before and behind it instead of in both of its sides."""
    first, second, users = list(branch.body), list(branch.orelse), is_users(branch)
    before: list[Stmt] = []
    behind: list[Stmt] = []
    plain = all(isinstance(n, _PLAIN) for n in walk(branch.test))
    read = names_read(branch.test)
    while plain and first and second and _same(first[0], second[0], facts) and _may_go_before(first[0], read):
        if users and len(first) + len(second) == 2:
            break
        before.append(_anybodys(first.pop(0)))
        del second[0]
    while first and second and _same(first[-1], second[-1], facts):
        if (users or not plain) and len(first) + len(second) == 2:
            break
        behind.insert(0, _anybodys(first.pop()))
        del second[-1]
    if not first and not second:
        return [*before, *behind]
    if not first:
        branch, first, second = with_fields(branch, test=negate(branch.test)), second, []
    branch = with_fields(branch, body=first, orelse=second)
    return [*before, branch if users else _conditional(branch, facts, depth) or branch, *behind]


def _same(one: Any, two: Any, facts: Facts) -> bool:
    """Are two statements of the compiler's, or what temporaries of the user's lines are, the same assignment?"""
    if type(one) is not type(two) or type(one) not in (gast.Assign, gast.AugAssign):
        return False
    bound = names_bound(one)
    may = not (is_users(one) or is_users(two)) or (bool(bound) and bound <= facts.temps)  # (a store binds no name)
    return may and key_of(one) == key_of(two)


def _anybodys(s: Stmt) -> Stmt:
    """A statement that belongs to none of the user's lines: the comments above these stay in their branch."""
    made: Stmt = with_fields(s, origin=None) if is_users(s) else s
    return made


def _may_go_before(s: Any, read: set[str]) -> bool:
    """Does an assignment change nothing but names that are not read?"""
    if type(s) is not gast.Assign or not all(type(t) is gast.Name for t in s.targets):
        return False
    return not names_bound(s) & read and not any(isinstance(n, (gast.Call, gast.NamedExpr)) for n in walk(s.value))


def _conditional(branch: Any, facts: Facts, depth: int) -> Stmt | None:
    """`x = a if c else b` for a branch that does nothing but bind one number."""
    if len(branch.body) != 1 or len(branch.orelse) != 1:
        return None
    one, two = branch.body[0], branch.orelse[0]
    if type(one) is not gast.Assign or type(two) is not gast.Assign or is_users(one) or is_users(two):
        return None
    if (
        len(one.targets) != 1
        or type(one.targets[0]) is not gast.Name
        or key_of(one.targets[0]) != key_of(two.targets[0])
    ):
        return None
    if not isinstance(facts.kinds.get(one.targets[0].id), Number):
        return None
    value = gast.IfExp(branch.test, one.value, two.value)
    if depth + len(one.targets[0].id) + 3 + width_of(value) > LINE:
        return None
    if any(isinstance(n, gast.IfExp) for side in (one, two) for n in walk(side.value)):
        return None
    made: Stmt = with_fields(one if hasattr(one, "comment") else two, targets=one.targets, value=value)
    return made
