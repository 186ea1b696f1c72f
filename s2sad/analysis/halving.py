"""Searches by halving: their results depend on active values through tests alone, so that they are refused.

    while hi - lo > 1e-12:
        mid = 0.5 * (lo + hi)
        if mid**2 > p:           # p is active
            hi = mid
        else:
            lo = mid

Each value that lo, hi and mid have is one of the first two or a mean of them: differentiated as it stands, the root
depends on where the search began, and not on p. Where what decides is not active (a list of bits), all is well.
"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.analysis.effects import nested
from s2sad.core import Expr, Facts, Stmt, is_operation, names_bound, names_read, target_of, walk, walk_names
from s2sad.frontend.diagnostics import error_at
from s2sad.kinds.kind import Array, Number, Unknown

REASON = "a search by halving, whose steps depend on active values through tests alone: these have no derivative"
WAY_OUT = "let scipy.optimize.brentq find the root: it has a rule"


def check_halving(body: list[Stmt], facts: Facts, core: Any, live: set[str]) -> None:
    """Refuse loops that halve a bracket by tests of active values, where their result is read.

    Raises:
        DerivationError: at the mean.
    """
    for loop in (s for top in body for s in nested(top) if isinstance(s, (gast.For, gast.While))):
        mean = halving(loop, facts)
        if mean is not None and _read_outside(mean[1], loop, body, live):
            raise error_at(mean[0], core.source, REASON, WAY_OUT)


def _read_outside(names: set[str], loop: Stmt, body: list[Stmt], live: set[str]) -> bool:
    inside = {id(n) for n in walk_names(loop)}
    read = {n.id for n in walk_names(body) if id(n) not in inside and isinstance(n.ctx, gast.Load)}
    return bool(names & (read | live))


def halving(loop: Any, facts: Facts) -> tuple[Stmt, set[str]] | None:
    """The statement with the mean of a bracket, and the names of the bracket, where a loop halves one.

    >>> from s2sad.core import statements
    >>> loop = statements('''
    ... while b - a > 1e-9:
    ...     m = a + (b - a) / 2
    ...     if f(m) > p:
    ...         b = m
    ...     else:
    ...         a = m
    ... ''')[0]
    >>> facts = Facts({n: Number(float) for n in "abmp"}, varied={"p"})
    >>> sorted(halving(loop, facts)[1])
    ['a', 'b', 'm']
    >>> halving(loop, Facts(facts.kinds))
    """
    inside = [s for top in loop.body for s in nested(top)]
    given = _given(inside)
    bracket = {n for n in given if isinstance(facts.kinds.get(n), (Number, Array, Unknown))}
    count = -1
    while count != len(bracket):
        count = len(bracket)
        bracket = {n for n in bracket if all(_stays(e, bracket, given) for e, _ in given[n])}
    means = [(s, parts) for n in given if n in bracket for e, s in given[n] if (parts := _mean(e, bracket, given))]
    makers = {n for n in bracket if any(_mean(e, bracket, given) for e, _ in given[n])}
    for statement, parts in means:
        both = all(_reaches(n, makers, bracket, given) for n in parts)
        if both and _chosen_by_active(inside, bracket, given, facts):
            return statement, bracket
    return None


Given = dict[str, list[tuple[Expr, Stmt]]]


def _given(inside: list[Stmt]) -> Given:
    """What each name of a loop is given: by assignments, by stores, by np.copyto; None for what is not followed."""
    given: Given = {}
    for s in inside:
        if isinstance(s, gast.Assign):
            target = s.targets[0]
            if isinstance(target, gast.Name):
                given.setdefault(target.id, []).append((s.value, s))
            elif isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name):
                given.setdefault(target.value.id, []).append((s.value, s))
            else:
                for n in walk_names(target):
                    given.setdefault(n.id, []).append((None, s))
        elif isinstance(s, gast.AugAssign):
            for n in walk_names(s.target):
                given.setdefault(n.id, []).append((None, s))
        elif isinstance(s, gast.For):
            given.setdefault(s.target.id, []).append((None, s))
        elif isinstance(s, gast.Expr) and isinstance(s.value, gast.Call):
            arguments = s.value.args
            if _word(s.value) == "copyto" and len(arguments) == 2 and isinstance(arguments[0], gast.Name):
                given.setdefault(arguments[0].id, []).append((arguments[1], s))
    return given


def _word(call: Any) -> str:
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


def _sources(expr: Expr) -> list[Expr] | None:
    """The names that an expression takes its values from, element by element, where it only chooses."""
    if isinstance(expr, gast.Name):
        return [expr]
    if isinstance(expr, gast.Subscript):
        return _sources(expr.value)
    if isinstance(expr, gast.IfExp):
        parts = [_sources(expr.body), _sources(expr.orelse)]
    elif isinstance(expr, gast.Call) and _word(expr) == "where" and len(expr.args) == 3:
        parts = [_sources(expr.args[1]), _sources(expr.args[2])]
    elif isinstance(expr, gast.Call) and _word(expr) in ("copy", "array", "positive"):
        owner = expr.func.value if isinstance(expr.func, gast.Attribute) and not expr.args else None
        return _sources(owner if owner is not None else expr.args[0]) if owner is not None or expr.args else None
    else:
        return None
    return None if None in parts else [n for p in parts if p is not None for n in p]


def _stays(expr: Expr, bracket: set[str], given: Given) -> bool:
    """Is a value one of the bracket's, or a mean of two of them?"""
    sources = _sources(expr)
    if sources is not None:
        return all(n.id in bracket for n in sources)
    return bool(_mean(expr, bracket, given))


def _mean(expr: Expr, bracket: set[str], given: Given) -> set[str]:
    """The two names that an expression is a weighted mean of."""
    found = _linear(expr, given, 6)
    weights = {n: w for n, w in (found or {}).items() if w}
    between = len(weights) == 2 and abs(sum(weights.values()) - 1.0) < 1e-9 and all(w > 0.0 for w in weights.values())
    return set(weights) if between and set(weights) <= bracket else set()


def _linear(expr: Expr, given: Given, depth: int) -> dict[str, float] | None:
    """An expression as a sum of names with weights ("" for a constant)."""
    if isinstance(expr, gast.Constant):
        return {"": float(expr.value)} if isinstance(expr.value, (int, float)) else None
    if isinstance(expr, gast.Subscript):
        return _linear(expr.value, given, depth) if isinstance(expr.value, gast.Name) else None
    if isinstance(expr, gast.Name):
        made = given.get(expr.id, [])
        if len(made) == 1 and depth and isinstance(made[0][0], (gast.BinOp, gast.UnaryOp, gast.Subscript)):
            return _linear(made[0][0], given, depth - 1)
        return {expr.id: 1.0}
    if is_operation(expr, gast.USub):
        return _scaled(_linear(expr.operand, given, depth), -1.0)
    if not isinstance(expr, gast.BinOp):
        return None
    left, right = _linear(expr.left, given, depth), _linear(expr.right, given, depth)
    if left is None or right is None:
        return None
    if isinstance(expr.op, (gast.Add, gast.Sub)):
        right = _scaled(right, -1.0 if isinstance(expr.op, gast.Sub) else 1.0) or {}
        return {n: left.get(n, 0.0) + right.get(n, 0.0) for n in (*left, *right)}
    if isinstance(expr.op, gast.Mult):
        if set(left) == {""}:
            return _scaled(right, left[""])
        return _scaled(left, right[""]) if set(right) == {""} else None
    if isinstance(expr.op, gast.Div) and set(right) == {""} and right[""]:
        return _scaled(left, 1.0 / right[""])
    return None


def _scaled(weights: dict[str, float] | None, by: float) -> dict[str, float] | None:
    return None if weights is None else {n: by * w for n, w in weights.items()}


def _reaches(name: str, makers: set[str], bracket: set[str], given: Given) -> bool:
    """May a name get a mean, in a turn?"""
    found, todo = {name}, [name]
    while todo:
        for expr, _ in given.get(todo.pop(), []):
            new = {n.id for n in _sources(expr) or [] if n.id in bracket} - found
            found |= new
            todo += new
    return bool(found & makers)


def _choices(inside: list[Stmt], bracket: set[str]) -> list[Any]:
    """What decides which values the bracket gets: tests of branches, masks, conditions."""
    choices: list[Any] = []
    for s in inside:
        if isinstance(s, gast.If) and names_bound([s]) & bracket:
            choices.append(s.test)
        target = target_of(s)
        copied = isinstance(s, gast.Expr) and isinstance(s.value, gast.Call) and _word(s.value) == "copyto"
        if not copied and not ({n.id for n in walk_names(target)} & bracket):
            continue
        for n in walk(s):
            if isinstance(n, gast.Call) and _word(n) in ("where", "copyto") and n.args:
                choices += [k.value for k in n.keywords] if _word(n) == "copyto" else n.args[:1]
            elif isinstance(n, gast.IfExp):
                choices.append(n.test)
            elif isinstance(n, gast.Subscript) and isinstance(n.ctx, gast.Store):
                choices.append(n.slice)
    return choices


def _chosen_by_active(inside: list[Stmt], bracket: set[str], given: Given, facts: Facts) -> bool:
    """Does what the bracket gets depend on active values?"""
    active = facts.varied | {key.split("[")[0].split(".")[0] for key in facts.varied}
    found: set[str] = set()
    todo = [name for test in _choices(inside, bracket) for name in names_read(test)]
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found.add(name)
        if name in active:
            return True
        for expr, statement in given.get(name, []):
            todo += names_read(statement if expr is None else expr)
            if isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Subscript):
                todo += names_read(statement.targets[0].slice)
    return False
