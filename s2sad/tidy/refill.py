"""`A[i] = 0.0` that something is added to at once is a store of that something."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import gast

from s2sad.analysis.effects import Effects, nested
from s2sad.analysis.scope import Scope, scope_of
from s2sad.core import Facts, Stmt, names_bound, names_read, text
from s2sad.tidy.rebuild import with_fields


def store_instead_of_adding(
    body: list[Stmt],
    facts: Facts,
    live_out: Iterable[str] = (),
    *,
    effects: Effects | None = None,
    same: Iterable[Iterable[str]] = (),
    parameters: Collection[str] | None = None,
) -> list[Stmt]:
    """The statements with `A[i] = 0.0` and a later `A[i] += e` as `A[i] = e`.

    Only plain assignments and additions that have nothing to do with the memory of A may stand between the two.

    Args: as for `deadcode.eliminate`.

    >>> import numpy as np
    >>> from s2sad.core import statements
    >>> from s2sad.kinds.kind import Array, Number
    >>> facts = Facts(kinds={"A": Array(np.dtype(float), None), "g": Number(float), "b": Number(float)})
    >>> body = statements("A = np.ones(n)\\ng = A[0]\\nA[0] = 0.0\\nb += g\\nA[0] += 3.0 * g\\nreturn A, b")
    >>> body[2].zeroing = True  # it stands in the backward sweep
    >>> print(text(store_instead_of_adding(body, facts)))
    A = np.ones(n)
    g = A[0]
    b += g
    A[0] = 3.0 * g
    return (A, b)
    """
    if not any(_is_zeroing(n) for s in body for n in nested(s)):
        return body
    scope = scope_of(body, facts, effects, live_out=live_out, same=same, parameters=parameters)
    return _block(body, scope)


def _block(body: list[Stmt], scope: Scope) -> list[Stmt]:
    out = list(body)
    for k, statement in enumerate(body):
        blocks = {f: getattr(statement, f) for f in ("body", "orelse", "finalbody") if getattr(statement, f, None)}
        if blocks:
            out[k] = with_fields(statement, **{f: _block(b, scope) for f, b in blocks.items()})
    dropped = set()
    for k, statement in enumerate(out):
        if not _is_zeroing(statement):
            continue
        at = _addition(out, k, scope)
        if at is not None:
            added: Any = out[at]
            value = added.value if isinstance(added.op, gast.Add) else gast.UnaryOp(gast.USub(), added.value)
            new = gast.Assign([added.target], value, None)
            for name, mark in added.__dict__.items():
                if name not in added._fields:
                    setattr(new, name, mark)
            out[at] = new
            dropped.add(k)
    return [s for k, s in enumerate(out) if k not in dropped] if dropped else out


def _is_zeroing(statement: Any) -> bool:
    """Is it a `A[i] = 0.0` of the backward sweep, of an array with a name?"""
    return (
        getattr(statement, "zeroing", False)
        and isinstance(statement, gast.Assign)
        and isinstance(statement.targets[0], gast.Subscript)
        and isinstance(statement.targets[0].value, gast.Name)
    )


def _addition(block: list[Stmt], k: int, scope: Scope) -> int | None:
    """Where in a block something is added to the place that statement k sets to zero, with nothing in the way."""
    zeroing: Any = block[k]
    target = zeroing.targets[0]
    place, memory = text(target), scope.bases(target.value.id)
    for at in range(k + 1, len(block)):
        statement: Any = block[at]
        if not isinstance(statement, (gast.Assign, gast.AugAssign)):
            return None
        reads = names_read(statement)
        if _adds_to(statement, place):
            touched = names_read(statement.value) | names_read(statement.target.slice)
            return None if any(scope.bases(n) & memory for n in touched) else at
        if any(scope.bases(n) & memory for n in reads | names_bound(statement)):
            return None
        if names_bound(statement) & names_read(target) or scope.effects.of(statement).effects:
            return None
        stored = statement.targets[0] if isinstance(statement, gast.Assign) else statement.target
        if isinstance(stored, gast.Subscript) and any(
            scope.bases(n) & scope.bases(b) for n in names_read(target.slice) for b in names_read(stored.value)
        ):
            return None
    return None


def _adds_to(statement: Any, place: str) -> bool:
    return (
        isinstance(statement, gast.AugAssign)
        and isinstance(statement.op, (gast.Add, gast.Sub))
        and isinstance(statement.target, gast.Subscript)
        and text(statement.target) == place
    )
