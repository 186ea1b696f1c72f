"""A new version of an adjoint waits until the old one has been read for the last time: they may share a name then."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

import gast

from s2sad.analysis.effects import Effects, nested
from s2sad.analysis.liveness import Liveness, liveness_of
from s2sad.analysis.scope import Scope, scope_of
from s2sad.core import Facts, Stmt, walk_names
from s2sad.tidy.rebuild import is_users, with_blocks


def postpone(
    body: list[Stmt],
    facts: Facts,
    live_out: Iterable[str] = (),
    *,
    effects: Effects | None = None,
    same: Iterable[Iterable[str]] = (),
    parameters: Collection[str] | None = None,
) -> list[Stmt]:
    """The statements of the derivative in an order in which `b_1 = f(b)` comes after the last reader of b.

    What the user wrote stays in its order.

    Args: as for `coalesce`.

    >>> from s2sad.core import statements, text
    >>> body = statements("bx_1 = bx + g\\nbf = 2.0 * bx\\nreturn bx_1, bf")
    >>> print(text(postpone(body, Facts(user_name={"x": "x"}))))
    bf = 2.0 * bx
    bx_1 = bx + g
    return (bx_1, bf)
    """
    adjoints = {f"{letter}{user}" for user in facts.user_name.values() for letter in "bd"}  # and tangents
    if not any(_version_read(s, adjoints) for top in body for s in nested(top)):
        return body
    scope = scope_of(body, facts, effects, live_out=live_out, same=same, parameters=parameters)
    return _Postponed(scope, liveness_of(body, scope), adjoints).block(body)


class _Postponed:
    def __init__(self, scope: Scope, liveness: Liveness, adjoints: set[str]) -> None:
        self.scope = scope
        self.liveness = liveness
        self.adjoints = adjoints  # of the user's variables

    def block(self, statements: list[Stmt]) -> list[Stmt]:
        result = [with_blocks(s, self.block) for s in statements]
        moved = list(statements)
        for k in reversed(range(len(moved))):
            old = _version_read(moved[k], self.adjoints)
            if old is not None:
                at = self.place(moved, k, old)
                for order in (result, moved):
                    order.insert(at, order.pop(k))
        return result

    def place(self, statements: list[Stmt], k: int, old: set[str]) -> int:
        """Where a statement may move to, so that the names that it reads are not read afterwards; else where it is."""
        s, scope = statements[k], self.scope
        name = s.targets[0].id
        use, define, store, keep = scope.masks(s)
        waiting = 0
        for other in old:
            waiting |= scope.bit(other)
        if keep or store or name in scope.captured or not self.liveness.after[id(s)] & waiting:
            return k
        for at in range(k + 1, len(statements)):
            t = statements[at]
            if any(type(inner) in _JUMPS for inner in nested(t)):
                break  # nothing moves past a way out
            uses, defines, stores = scope.deep(t)
            if uses & (define | scope.memory(name)) or (defines | stores) & (use | define):
                break
            if not self.liveness.after[id(t)] & waiting:
                return at
        return k


_JUMPS = frozenset((gast.Return, gast.Break, gast.Continue, gast.Raise))


def _stem(name: str) -> str:
    return re.sub(r"_\d+$", "", name)


def _version_read(s: Any, adjoints: set[str]) -> set[str] | None:
    """The other versions of an adjoint that a statement reads to make a new one."""
    if type(s) is not gast.Assign or len(s.targets) != 1 or type(s.targets[0]) is not gast.Name or is_users(s):
        return None
    name = s.targets[0].id
    if _stem(name) not in adjoints:
        return None
    found = {n.id for n in walk_names(s.value) if n.id != name and _stem(n.id) == _stem(name)}
    return found or None
