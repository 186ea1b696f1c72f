"""What the backward sweep reads is kept before the user's variables get new values: these need no second names then."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import gast

from s2sad.analysis.effects import Effects, nested
from s2sad.analysis.scope import Scope, scope_of
from s2sad.core import Facts, Stmt, names_bound, walk_names
from s2sad.tidy.rebuild import with_blocks


def keep_early(
    body: list[Stmt],
    facts: Facts,
    live_out: Iterable[str] = (),
    *,
    effects: Effects | None = None,
    same: Iterable[Iterable[str]] = (),
    parameters: Collection[str] | None = None,
) -> list[Stmt]:
    """The statements with what is put on a tape in front of new versions of what is put there.

    Args: as for `coalesce`.

    >>> from s2sad.core import statements, text
    >>> body = statements("tape = []\\nx_1 = x * x\\nn = 1\\ntape.append(x)\\nx = x_1")
    >>> print(text(keep_early(body, Facts(user_name={"x": "x", "x_1": "x"}, tapes={"tape"}))))
    tape = []
    tape.append(x)
    x_1 = x * x
    n = 1
    x = x_1
    """
    inside = [s for top in body for s in nested(top)]
    lists = {name for s in inside if (name := _tape(s)) is not None}
    tapes = (lists & facts.tapes) - set(parameters or ())
    if not tapes or any(type(s) is gast.Try for s in inside):  # what is kept is not taken back where a try goes on
        return body
    scope = scope_of(body, facts, effects, live_out=live_out, same=same, parameters=parameters)
    return _kept_early(body, tapes, scope)


def _kept_early(block: list[Stmt], tapes: Collection[str], scope: Scope) -> list[Stmt]:
    out: list[Stmt] = []
    for s in block:
        at = _place(out, s, tapes, scope)
        out.insert(len(out) if at is None else at, s)
    return [with_blocks(s, lambda inner: _kept_early(inner, tapes, scope)) for s in out]


def _tape(s: Any) -> str | None:
    """The name in `tape.append(x)`."""
    call: Any = s.value if type(s) is gast.Expr else None
    func: Any = call.func if type(call) is gast.Call else None
    if type(func) is not gast.Attribute or func.attr != "append" or type(func.value) is not gast.Name:
        return None
    return str(func.value.id)


def _place(before: list[Stmt], s: Stmt, tapes: Collection[str], scope: Scope) -> int | None:
    """Where a statement goes that keeps values of which new versions are made before it; None where it stays."""
    tape = _tape(s)
    if tape not in tapes:
        return None
    uses = scope.deep(s)[0]
    of = scope.facts.user_name
    kept = {of[n] for n in scope.effects.of(s).reads if n in of}
    found = None
    for at in range(len(before) - 1, -1, -1):
        t = before[at]
        _, defined, stored = scope.deep(t)
        if (defined | stored) & uses or any(n.id == tape for n in walk_names(t)):
            break
        if any(type(inner) in _JUMPS for inner in nested(t)):
            break
        if type(t) is gast.Assign and any(of.get(name) in kept for name in names_bound(t)):
            found = at
    return found


_JUMPS = frozenset((gast.Return, gast.Break, gast.Continue, gast.Raise))
