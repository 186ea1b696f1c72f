"""Contributions go into the branches that make them.

Where only some paths contribute to an adjoint, the sweep joins the contribution with a zero and adds it behind the
branch. A person adds it on the path that has it, and computes what one path alone reads on that path.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from functools import cache, partial
from typing import Any

import gast

from s2sad.core import Facts, Stmt, blocks_of, names_bound, names_read, target_of, walk, walk_names
from s2sad.kinds.kind import Number
from s2sad.tidy.rebuild import is_users, with_fields

_PLAIN_ZEROS = frozenset(("zeros", "zeros_like"))


def sink_contributions(body: list[Stmt], facts: Facts, live_out: Collection[str] = ()) -> list[Stmt]:
    """The statements, with `a[i] += b` moved into the branches before it that give b another value than zero.

    The name that is added must be bound at the end of every branch and read nowhere else.

    Args:
        body: the statements of one function.
        facts: what is known of its names.
        live_out: names read after the last statement.

    >>> from s2sad.core import statements, text
    >>> print(text(sink_contributions(statements('''
    ... if c:
    ...     b = g * k
    ... else:
    ...     b = 0.0
    ... a[i] += b'''), Facts())))
    if c:
        a[i] += g * k
    """
    return _sunk(body, facts, cache(partial(_counted, body, live_out)))


def _counted(body: list[Stmt], live_out: Collection[str]) -> tuple[Counter[str], Counter[str]]:
    """How often each name is read, and how often it is bound (a parameter counts as bound twice)."""
    reads: Counter[str] = Counter()
    writes: Counter[str] = Counter()
    for name in walk_names(body):
        (reads if type(name.ctx) is gast.Load else writes)[name.id] += 1
        if type(name.ctx) is gast.Param:
            writes[name.id] += 1
    reads.update(live_out)
    return reads, writes


def _sunk(body: list[Stmt], facts: Facts, counted: Callable[[], tuple[Counter[str], Counter[str]]]) -> list[Stmt]:
    out: list[Stmt] = []
    for statement in body:
        branch = out[-1] if out else None
        name = _added(statement) if isinstance(branch, gast.If) else None
        if name is not None and (counts := counted())[0][name] == 1:
            leaves: list[Any] = []
            writes = counts[1]
            if (
                _ends(branch, name, leaves)
                and len(leaves) == writes[name]
                and any(_is_zero(v, facts) for v in leaves)
                and not _gives_shape(statement, leaves, facts)
                and not names_bound(branch) & (names_read(statement.target) | names_bound(statement.target))
            ):
                out[-1] = _moved(branch, name, statement, facts)
                continue
        blocks = {f: getattr(statement, f) for f in ("body", "orelse", "finalbody") if getattr(statement, f, None)}
        if blocks and not isinstance(statement, (gast.FunctionDef, gast.ClassDef)):
            statement = with_fields(statement, **{f: _sunk(b, facts, counted) for f, b in blocks.items()})
        out.append(statement)
    return [s for s in out if not _is_empty(s)]


def sink_into_branches(body: list[Stmt], facts: Facts, live_out: Collection[str] = ()) -> list[Stmt]:
    """The statements, with generated numbers that are read in one branch alone computed there.

    It saves the work on the other paths, and on these it may be work that cannot be done: the slope of `x ** 0.25`
    where x is the constant 0.

    Args: as for `sink_contributions`.

    >>> from s2sad.core import statements, text
    >>> from s2sad.kinds.kind import Number
    >>> facts = Facts(kinds=dict.fromkeys("ghxy", Number(float)))
    >>> print(text(sink_into_branches(statements('''
    ... g = 0.25 / x
    ... h = g * y
    ... if c:
    ...     b = 2.0 * h
    ... else:
    ...     b = 0.0
    ... return b'''), facts)))
    if c:
        g = 0.25 / x
        h = g * y
        b = 2.0 * h
    else:
        b = 0.0
    return b
    """
    return _branched(body, facts, *_counted(body, live_out))


def _branched(body: list[Stmt], facts: Facts, reads: Counter[str], writes: Counter[str]) -> list[Stmt]:
    out: list[Stmt] = []
    for statement in body:
        blocks = {f: getattr(statement, f) for f in ("body", "orelse", "finalbody") if getattr(statement, f, None)}
        if blocks and not isinstance(statement, (gast.FunctionDef, gast.ClassDef, gast.Try)):
            statement = with_fields(statement, **{f: _branched(b, facts, reads, writes) for f, b in blocks.items()})
        if isinstance(statement, gast.If):
            statement = _filled(out, statement, facts, reads, writes)
        out.append(statement)
    return out


def _filled(before: list[Stmt], branch: Any, facts: Facts, reads: Counter[str], writes: Counter[str]) -> Any:
    """A branch with what only one of its sides reads of the statements before it, which are taken away there."""
    sides = {"body": list(branch.body), "orelse": list(branch.orelse)}
    bound: set[str] | None = None  # in the branch, and between a statement and the branch
    between: list[Stmt] = []
    k = len(before)
    while k:
        k -= 1
        statement = before[k]
        name = _number_made(statement, facts)
        if name is not None and writes[name] == 1 and bound is None:
            bound = names_bound([branch, *between])
        if name is not None and writes[name] == 1 and bound is not None and not names_read(statement.value) & bound:
            for side in sides.values():
                if reads[name] and reads[name] == sum(n.id == name for s in side for n in walk_names(s)):
                    side.insert(0, statement)
                    del before[k]
                    break
            else:
                bound = bound | {name}
            continue
        if not isinstance(statement, (gast.Assign, gast.AugAssign)):
            break
        between.append(statement)
        bound = None if bound is None else bound | names_bound(statement)
    return with_fields(branch, **sides)


def _number_made(statement: Stmt, facts: Facts) -> str | None:
    """The name of a number that a generated statement computes of other numbers."""
    if not isinstance(statement, gast.Assign) or is_users(statement) or len(statement.targets) > 1:
        return None
    target = statement.targets[0]
    if not isinstance(target, gast.Name) or not isinstance(facts.kinds.get(target.id), Number):
        return None
    plain = (gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp, gast.operator, gast.unaryop, gast.expr_context)
    if not isinstance(statement.value, (gast.BinOp, gast.UnaryOp)):
        return None
    if not all(isinstance(n, plain) for n in walk(statement.value)):
        return None
    numbers = all(isinstance(facts.kinds.get(n.id), Number) for n in walk_names(statement.value))
    return str(target.id) if numbers else None


def _added(statement: Stmt) -> str | None:
    """The name that a generated statement adds to a place, or subtracts, and nothing else."""
    if not isinstance(statement, gast.AugAssign) or is_users(statement) or not isinstance(statement.value, gast.Name):
        return None
    if not isinstance(statement.op, (gast.Add, gast.Sub)):
        return None
    target = statement.target
    if isinstance(target, gast.Subscript):
        if not isinstance(target.value, gast.Name) or any(
            isinstance(n, (gast.Subscript, gast.Call, gast.Attribute)) for n in walk(target.slice)
        ):
            return None
    elif not isinstance(target, gast.Name):
        return None
    return str(statement.value.id)


def _ends(branch: Any, name: str, leaves: list[Any]) -> bool:
    """Does every way through the branch end with the name being bound? Its values are added to `leaves`."""
    for side in (branch.body, branch.orelse):
        if not side:
            return False
        last = _binding(side, name)
        if last is not None:
            leaves.append(last.value)
        elif not (isinstance(side[-1], gast.If) and _ends(side[-1], name, leaves)):
            return False
    return True


def _gives_shape(addition: Stmt, leaves: list[Any], facts: Facts) -> bool:
    """Would a name, `a += b`, stay a number where an array of zeros is not added to it?"""
    if not isinstance(addition.target, gast.Name):
        return False
    return any(_is_zero(v, facts) and not isinstance(v, gast.Constant) for v in leaves)


def _binding(side: list[Stmt], name: str) -> Any:
    """The assignment among the last statements of a block, assignments all, that binds the name."""
    for statement in reversed(side):
        if not isinstance(statement, (gast.Assign, gast.AugAssign)):
            return None
        target = target_of(statement)
        if isinstance(target, gast.Name) and target.id == name:
            return statement
    return None


def _moved(branch: Any, name: str, addition: Stmt, facts: Facts) -> Any:
    sides = {}
    for field in ("body", "orelse"):
        side = getattr(branch, field)
        last = _binding(side, name)
        if last is None:
            sides[field] = [*side[:-1], _moved(side[-1], name, addition, facts)]
        elif _is_zero(last.value, facts):
            sides[field] = [s for s in side if s is not last]
        elif last is side[-1]:
            sides[field] = [*side[:-1], with_fields(addition, value=last.value, **_place(last))]
        else:
            sides[field] = [*side, addition]
    if not sides["body"] and sides["orelse"]:
        sides["body"] = [gast.Pass()]
    return with_fields(branch, **sides)


def _place(statement: Stmt) -> dict[str, Any]:
    """Which statement of the user's function it belongs to."""
    return {"grad_of": statement.grad_of} if getattr(statement, "grad_of", None) is not None else {}


def _is_zero(value: Any, facts: Facts) -> bool:
    if isinstance(value, gast.Constant):
        return type(value.value) in (int, float) and value.value == 0
    return (
        isinstance(value, gast.Call)
        and isinstance(value.func, gast.Attribute)
        and value.func.attr in _PLAIN_ZEROS
        and isinstance(value.func.value, gast.Name)
        and getattr(facts.globals.get(value.func.value.id), "__name__", "") == "numpy"
        and all(isinstance(a, (gast.Name, gast.Constant, gast.Attribute)) for a in value.args)
        and not value.keywords
    )


def _is_empty(statement: Stmt) -> bool:
    """A branch that nothing is left of, whose condition can go with it."""
    return (
        isinstance(statement, gast.If)
        and not any(blocks_of(statement))
        and all(isinstance(n, (gast.Name, gast.Constant, gast.expr_context)) for n in walk(statement.test))
    )
