"""Remove what nobody needs: assignments, stores, whole loops whose results are never read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import gast

from s2sad.analysis.effects import Effects
from s2sad.analysis.liveness import FindChecks, Liveness
from s2sad.analysis.scope import Scope, scope_of
from s2sad.core import Facts, Stmt
from s2sad.tidy.rebuild import negate, with_fields


def eliminate(
    body: list[Stmt],
    facts: Facts,
    live_out: Iterable[str] = (),
    owned: Collection[str] = (),
    *,
    effects: Effects | None = None,
    same: Iterable[Iterable[str]] = (),
    parameters: Collection[str] | None = None,
    checks: FindChecks | None = None,
) -> list[Stmt]:
    """The statements without those that nothing observable depends on.

    Args:
        body: the statements of one function.
        facts: what is known of its names.
        live_out: names read after the last statement.
        owned: parameters whose contents do not matter to the caller.
        effects: what is known of the statements already.
        same: groups of parameters that may share memory.
        parameters: the names that come in bound; found by liveness when not given.
        checks: what has to stay of a statement that is dead, for it may raise (`s2sad.transform.checks`).

    Returns:
        New lists; statements that did not change are the same nodes.

    >>> from s2sad.core import statements, text
    >>> before = statements("a = np.zeros(n)\\nfor i in range(n):\\n  a[i] = x\\nb = 2 * x\\nreturn b")
    >>> print(text(eliminate(before, Facts())))
    b = 2 * x
    return b
    """
    scope = scope_of(body, facts, effects, live_out=live_out, owned=owned, same=same, parameters=parameters)
    liveness = Liveness(body, scope, strong=True, checks=checks)
    return prune(body, liveness.needed, scope, liveness.left)


def prune(body: list[Stmt], needed: set[int], scope: Scope, left: Mapping[int, list[Stmt]] | None = None) -> list[Stmt]:
    """The statements of a block that are needed, and in them only those that are; checks in place of what is `left`."""
    result: list[Stmt] = []
    left = left or {}
    for s in body:
        if id(s) not in needed:
            continue
        cls = type(s)
        if id(s) in left:
            result += left[id(s)]
        elif cls is gast.If:
            first, second = (prune(block, needed, scope, left) for block in (s.body, s.orelse))
            result.extend(branch(s, first, second, scope.effects))
        elif cls in (gast.For, gast.While, gast.With):
            changes = {"body": prune(s.body, needed, scope, left) or [gast.Pass()]}
            if cls is not gast.With and s.orelse:
                changes["orelse"] = prune(s.orelse, needed, scope, left)
            result.append(with_fields(s, **changes))
        elif cls is gast.Try:
            result.append(
                with_fields(
                    s,
                    body=prune(s.body, needed, scope, left) or [gast.Pass()],
                    orelse=prune(s.orelse, needed, scope, left),
                    finalbody=prune(s.finalbody, needed, scope, left),
                    handlers=[
                        with_fields(h, body=prune(h.body, needed, scope, left) or [gast.Pass()]) for h in s.handlers
                    ],
                )
            )
        elif cls is gast.Match:
            cases = [with_fields(c, body=prune(c.body, needed, scope, left) or [gast.Pass()]) for c in s.cases]
            result.append(with_fields(s, cases=cases))
        else:
            result.append(s)
    return result


def branch(s: Stmt, body: list[Stmt], orelse: list[Stmt], effects: Effects) -> list[Stmt]:
    """An `if` with what is left of its sides; of its test what it does, where nothing is left.

    >>> from s2sad.core import statements, text
    >>> before = statements("if c:\\n    a = 1\\nelse:\\n    b = 2")[0]
    >>> print(text(branch(before, [], before.orelse, Effects(Facts()))))
    if not c:
        b = 2
    """
    if body:
        return [with_fields(s, body=body, orelse=orelse)]
    if orelse:
        return [with_fields(s, test=negate(s.test), body=orelse, orelse=[])]
    effect = effects.of_expression(s.test)
    if effect.pure and not effect.walrus:
        return []
    node = gast.Expr(s.test)
    node.origin = getattr(s, "origin", None)
    return [node]
