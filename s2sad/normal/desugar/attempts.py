"""What a `try` leaves behind when its body stops half way: names that the rest of the function may still read.

The body of a try is lowered twice: once to see which path is taken, and once for that path. What the handler finds has
to be what the statements before the exception left. These are questions about the user's tree alone.
"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.core import clone, walk_names


def stored(body: list[Any]) -> set[str]:
    """The names that statements give values or take them from.

    >>> sorted(stored(gast.parse("a, b = 1, 2\\nif c:\\n  d = (e := a)\\nfor i in x: del f").body))
    ['a', 'b', 'd', 'e', 'f', 'i']
    """
    return {n.id for s in body for n in walk_names(s) if not isinstance(n.ctx, gast.Load)}


def unfinished(statement: Any) -> set[str]:
    """The names that a statement may have given values already when something in it fails.

    >>> unfinished(gast.parse("a = f(b)").body[0]), unfinished(gast.parse("with c:\\n  a = 1\\n  b = 2").body[0])
    (set(), {'a'})
    """
    if isinstance(statement, (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Expr)):
        return {n.target.id for n in gast.walk(statement) if isinstance(n, gast.NamedExpr)}
    if isinstance(statement, gast.If):
        return _before_last(statement.body) | _before_last(statement.orelse)
    if isinstance(statement, gast.With):
        targets = {n.id for i in statement.items if i.optional_vars is not None for n in walk_names(i.optional_vars)}
        return targets | _before_last(statement.body)
    return stored([statement])


def _before_last(body: list[Any]) -> set[str]:
    return stored(body[:-1]) | unfinished(body[-1]) if body else set()


def exposed(node: Any, given: set[str], function: Any) -> set[str]:
    """Which of these names, given values in the body of a try, may be read after an exception was caught?

    >>> tree = gast.parse('''
    ... def f(x):
    ...     try:
    ...         a = x
    ...         b = c = 1 / x
    ...     except ZeroDivisionError:
    ...         b = 0.0
    ...         a = a + 1.0
    ...     return a + b
    ... ''').body[0]
    >>> exposed(tree.body[0], {"a", "b", "c"}, tree)
    {'a'}
    """
    inside = {id(n) for s in [*node.body, *node.handlers, *node.orelse] for n in gast.walk(s)}
    outside = {n.id for n in walk_names(function) if isinstance(n.ctx, gast.Load) and id(n) not in inside}
    shared = {x for n in gast.walk(function) if isinstance(n, (gast.Nonlocal, gast.Global)) for x in n.names}
    found: set[str] = given & shared
    for handler in node.handlers:
        path = _Path()
        left = path.block(handler.body, set(given))
        found |= path.read | (((left or set()) | path.escaped) & outside)
    return found


class _Path:
    """Reads of old values along the paths through a block."""

    def __init__(self) -> None:
        #: names that were read while they had their old value
        self.read: set[str] = set()
        #: names that still had it where a path jumps away
        self.escaped: set[str] = set()

    def block(self, body: list[Any], old: set[str]) -> set[str] | None:
        """The names that have their old value behind a block; None where control does not get there."""
        for statement in body:
            after = self.statement(statement, old)
            if after is None:
                return None
            old = after
        return old

    def reads(self, part: Any, old: set[str]) -> None:
        if part is not None:
            self.read |= {n.id for n in walk_names(part) if isinstance(n.ctx, gast.Load)} & old

    def statement(self, s: Any, old: set[str]) -> set[str] | None:
        if isinstance(s, gast.If):
            self.reads(s.test, old)
            ends = [self.block(s.body, old), self.block(s.orelse, old)]
            return _either(ends)
        if isinstance(s, (gast.For, gast.While)):
            if isinstance(s, gast.For):
                self.reads(s.iter, old)
                given = {n.id for n in walk_names(s.target) if isinstance(n.ctx, gast.Store)}
            else:
                self.reads(s.test, old)
                given = set()
            self.block(s.body, old - given)
            return _either([self.block(s.orelse, old), old])
        if isinstance(s, gast.With):
            for item in s.items:
                self.reads(item.context_expr, old)
            return self.block(s.body, old)
        if isinstance(s, gast.Try):
            body = self.block(s.body, old)
            ends = [None if body is None else self.block(s.orelse, body)]
            ends += [self.block(h.body, old) for h in s.handlers]
            final = self.block(s.finalbody, old)
            return None if final is None else _either([end if end is None else end & final for end in ends])
        if isinstance(s, (gast.Return, gast.Raise)):
            self.reads(s, old)
            return None
        if isinstance(s, (gast.Break, gast.Continue)):
            self.escaped |= old
            return None
        if isinstance(s, gast.AugAssign):
            self.read |= {n.id for n in walk_names(s.target)} & old
        self.reads(s, old)
        simple = isinstance(s, (gast.Assign, gast.AnnAssign))
        targets = (s.targets if isinstance(s, gast.Assign) else [s.target]) if simple else []
        return old - {n.id for t in targets for n in walk_names(t) if isinstance(n.ctx, gast.Store)}


def _either(ends: list[set[str] | None]) -> set[str] | None:
    reached = [end for end in ends if end is not None]
    return set().union(*reached) if reached else None


def asked_before(statement: Any, owner: type) -> tuple[Any, type[Exception]] | None:
    """Where a statement does nothing but take something out of a list or a dict: the test that tells whether it is
    there, and what is raised if it is not. None for other statements.

    >>> test = lambda text, owner: asked_before(gast.parse(text).body[0], owner)
    >>> [gast.unparse(test(s, o)[0]) for s, o in (("v = q.pop()", list), ("q.remove(k)", list), ("v = d.pop(k)", dict))]
    ['q', 'k in q', 'k in d']
    >>> test("v = q.pop() + 1.0", list), test("q.remove(f(k))", list), test("v = d.pop(k, 0.0)", dict)
    (None, None, None)
    """
    call = statement.value if isinstance(statement, (gast.Assign, gast.Expr)) else None
    if not isinstance(call, gast.Call) or call.keywords or not isinstance(call.func, gast.Attribute):
        return None
    if isinstance(statement, gast.Assign) and not all(isinstance(t, gast.Name) for t in statement.targets):
        return None
    held, word, given = call.func.value, call.func.attr, call.args
    if not _is_path(held) or not all(isinstance(a, (gast.Name, gast.Constant)) for a in given):
        return None
    at_end = not given or (isinstance(given[0], gast.Constant) and given[0].value in (0, -1))
    if owner is list and word in ("pop", "popleft") and at_end and len(given) < 2:
        return clone(held), IndexError
    if len(given) == 1 and (owner, word) in ((list, "remove"), (dict, "pop")):
        return gast.Compare(clone(given[0]), [gast.In()], [clone(held)]), ValueError if owner is list else KeyError
    return None


def _is_path(expr: Any) -> bool:
    """Is it a name, or an attribute of one?"""
    while isinstance(expr, gast.Attribute):
        expr = expr.value
    return isinstance(expr, gast.Name)
