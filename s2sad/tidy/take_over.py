"""An adjoint that starts as zeros, and to which one that nobody reads again is added whole, is that one from the start.

So the adjoint of a copy keeps the memory of the copy's adjoint: a sweep `C = B.copy(); C[1:-1] = ..; B = C` has one
adjoint array, as it has one array of values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import gast

from s2sad.analysis.effects import WORLD, Effects, nested
from s2sad.analysis.liveness import Liveness, liveness_of
from s2sad.analysis.scope import Scope, scope_of
from s2sad.core import Facts, Stmt, load, walk
from s2sad.kinds.kind import Array
from s2sad.tidy.first import makes_zeros
from s2sad.tidy.inplace import read_only
from s2sad.tidy.rebuild import is_users, with_blocks, with_fields


def take_over(
    body: list[Stmt],
    facts: Facts,
    live_out: Iterable[str] = (),
    *,
    effects: Effects | None = None,
    same: Iterable[Iterable[str]] = (),
    parameters: Collection[str] | None = None,
) -> list[Stmt]:
    """The statements with `b = np.zeros_like(x)`, `b[i] += e`, `b += c` as `b = c`, `b[i] += e`.

    Args: as for `deadcode.eliminate`.

    >>> import numpy as np
    >>> from s2sad.core import statements, text
    >>> kind = Array(np.dtype(float), ())
    >>> facts = Facts(kinds={"b": kind, "c": kind, "g": kind})
    >>> facts.globals["np"] = np
    >>> body = statements("c = g + 1.0\\nb = np.zeros_like(g)\\nb[...] += g\\nb += c\\nreturn b")
    >>> print(text(take_over(body, facts)))
    c = g + 1.0
    b = c
    b[...] += g
    return b
    """
    if facts.laid_out or facts.identities or not any(_zeros(s, facts) for top in body for s in nested(top)):
        return body
    scope = scope_of(body, facts, effects, live_out=live_out, same=same, parameters=parameters)
    return _TakeOver(scope, liveness_of(body, scope), read_only(body)).block(body)


class _TakeOver:
    def __init__(self, scope: Scope, liveness: Liveness, read_only: set[str]) -> None:
        self.scope = scope
        self.liveness = liveness
        self.read_only = read_only

    def block(self, statements: list[Stmt]) -> list[Stmt]:
        result = list(statements)
        for k, s in enumerate(statements):
            name = _zeros(s, self.scope.facts)
            if name is None or is_users(s):
                continue
            at = self.whole_addition(statements, k, name)
            if at is not None:
                start, end = s, statements[at]
                result[result.index(start)] = with_fields(start, value=load(end.value.id))
                result.remove(end)
        return [with_blocks(s, self.block) for s in result]

    def whole_addition(self, statements: list[Stmt], k: int, name: str) -> int | None:
        """The place of `b += c`, of an array that stays as it is from `b = zeros` on and is not read afterwards."""
        for at in range(k + 1, len(statements)):
            s: Any = statements[at]
            if any(type(inner) in _JUMPS for inner in nested(s)):
                return None
            if type(s) is gast.AugAssign and type(s.target) is gast.Name and s.target.id == name:
                fits = type(s.op) is gast.Add and type(s.value) is gast.Name and self.is_free(s, name, s.value.id)
                if fits and self.is_left_alone(statements[k + 1 : at], name, s.value.id):
                    return at
            if not _only_adds(s, name):
                return None
        return None

    def is_free(self, s: Any, name: str, other: str) -> bool:
        """Is the other array of the same kind, and its memory nobody else's from here on?"""
        scope, kinds = self.scope, self.scope.facts.kinds
        kind = kinds.get(name)
        if not isinstance(kind, Array) or kind.shape is None or kind.mixed or kinds.get(other) != kind:
            return False
        bases = scope.bases(other)
        if not bases or not bases <= scope.fresh or bases & scope.bases(WORLD):
            return False
        if other == name or {name, other} & (scope.captured | scope.parameters) or other in self.read_only:
            return False
        live = self.liveness.after[id(s)] | scope.always
        return not any(bases & scope.bases(n) for n, bit in scope.bits.items() if live & bit and n != name)

    def is_left_alone(self, statements: list[Stmt], name: str, other: str) -> bool:
        """Does nothing touch the other array? (What the name holds is new: that it may once be the other's is another
        turn's matter.)"""
        bases = self.scope.bases(other)
        names = {n.id for s in statements for n in walk(s) if type(n) is gast.Name} - {name}
        return other not in names and not any(bases & self.scope.bases(n) for n in names)


_JUMPS = frozenset((gast.Return, gast.Break, gast.Continue, gast.Raise))


def _zeros(s: Any, facts: Facts) -> str | None:
    """The name in `b = np.zeros_like(..)` or `b = np.zeros(..)`."""
    return str(s.targets[0].id) if makes_zeros(s, facts) else None


def _only_adds(s: Any, name: str) -> bool:
    """Is the array only added to in a statement, with what is not read from it?"""
    uses = sum(type(n) is gast.Name and n.id == name for n in walk(s))
    added = [n.target for n in nested(s) if type(n) is gast.AugAssign and type(n.op) in (gast.Add, gast.Sub)]
    bases = [t.value if type(t) is gast.Subscript else t for t in added]
    return bool(uses == sum(type(b) is gast.Name and b.id == name for b in bases))
