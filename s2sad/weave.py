"""How the two sweeps of a function are put together: what is computed again, what is joined, what is commented."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from s2sad.analysis.binding import surely_bound
from s2sad.analysis.effects import nested
from s2sad.analysis.headers import is_pop
from s2sad.core import Expr, Facts, Stmt, blocks_of, clone, names_bound, target_of, walk, walk_names
from s2sad.kinds.kind import Array, ListOf, Number, Unknown
from s2sad.request import Derived
from s2sad.tidy import tidy
from s2sad.tidy.batches import batches_at_once
from s2sad.tidy.elements import elements_from_lists
from s2sad.tidy.outer_sums import outer_sums
from s2sad.tidy.rebuild import with_fields


def with_elements_from_lists(derived: Derived, kinds: Iterable[str]) -> Derived:
    """The derivation as it runs fastest without a compiler; the same one where nothing is to be gained.

    Args:
        derived: what was derived; it stays as it is.
        kinds: the parameters of the primal.
    """
    main, facts, parameters = derived.functions[-1], derived.facts, [*kinds, *derived.tangents]
    body = main.body
    if not any(isinstance(s, gast.FunctionDef) for top in body for s in nested(top)):
        body = batches_at_once(body, facts, parameters=parameters)
    if body is not main.body:
        given = main.args
        names = [*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg]
        body = tidy(body, facts, parameters={n.id for n in names if n is not None})
    body = elements_from_lists(outer_sums(body, facts), facts, parameters)
    if body is main.body:
        return derived
    return replace(derived, functions=[*derived.functions[:-1], with_fields(main, body=body)])


#: functions of NumPy that make an array, or tell its form, and compute nothing
MAKES = {"zeros", "zeros_like", "ones", "ones_like", "empty", "empty_like", "full", "full_like", "shape"}
#: how many operations on arrays may be done again rather than be kept
AGAIN = 2


def computes_again(forward: list[Stmt], facts: Facts) -> bool:
    """Are these statements, which a backward sweep starts with, worth a tape: loops, or operations on arrays?"""
    operations = 0
    for statement in (s for top in forward for s in nested(top)):
        if isinstance(statement, (gast.For, gast.While)):
            return True
        if not isinstance(statement, gast.Assign):
            continue
        computed = [n for n in walk(statement.value) if isinstance(n, (gast.Call, gast.BinOp))]
        names = {getattr(n.func, "attr", "") for n in computed if isinstance(n, gast.Call)}
        target = statement.targets[0]
        array = isinstance(target, gast.Name) and isinstance(facts.kinds.get(target.id), (Array, Unknown))
        operations += len(computed) if array and not names & MAKES else 0
    return operations > AGAIN


#: functions whose results are numbers, whatever array they are given alone
TOTALS = (np.sum, np.mean, np.prod, np.max, np.min, np.std, np.var, np.median, np.linalg.norm, float)


def is_straight(statement: Stmt) -> bool:
    """Does a statement bind names, or at most raise?"""
    if isinstance(statement, gast.If):
        return all(isinstance(s, (gast.Raise, gast.Pass)) for s in [*statement.body, *statement.orelse])
    if isinstance(statement, gast.Assign):
        return isinstance(statement.targets[0], (gast.Name, gast.Tuple))
    return isinstance(statement, (gast.Pass, gast.Assert, gast.Raise))


def clone_as_target(item: Expr) -> Expr:
    made = clone(item)
    for name in walk_names(made):
        name.ctx = gast.Store()
    made.ctx = gast.Store()
    return made


def popped(body: list[Stmt], facts: Facts) -> set[str]:
    """The lists that statements take items off."""
    return {
        n.func.value.id
        for s in body
        for n in walk(s)
        if isinstance(n, gast.Call)
        and is_pop(n)
        and isinstance(n.func.value, gast.Name)
        and isinstance(facts.kinds.get(n.func.value.id), ListOf)
    }


def joined_unbound(body: list[Stmt], parameters: list[str]) -> set[str]:
    """Names that have no value on some path to a statement that gives them a second name (where paths meet).

    What a branch asks for by a second name raises there, as in the function.

    >>> from s2sad.core import statements
    >>> body = statements("if n:\\n    c = d = 1\\ntaken = c\\nif taken:\\n    e = 1\\nf = d")
    >>> joined_unbound(body, ["n"])
    {'d'}
    """
    found: set[str] = set()

    def visit(block: list[Stmt], bound: set[str]) -> None:
        bound = set(bound)
        for k, statement in enumerate(block):
            if isinstance(statement, gast.Assign) and isinstance(statement.value, gast.Name):
                test = getattr(block[k + 1], "test", None) if k + 1 < len(block) else None
                test = test.operand if isinstance(test, gast.UnaryOp) else test
                asked = isinstance(test, gast.Name) and test.id == getattr(statement.targets[0], "id", None)
                found.update(set() if asked else {statement.value.id} - bound)
            for inner in blocks_of(statement):
                visit(inner, bound)
            bound |= surely_bound(block[k : k + 1])

    visit(body, set(parameters))
    return found & names_bound(body)


def comment_blocks(body: list[Stmt]) -> None:
    """Backward statements quote the user's line that they belong to, once for each run of them."""
    last: Any = None

    def visit(block: list[Stmt]) -> None:
        nonlocal last
        for statement in block:
            origin = getattr(statement, "grad_of", None)
            compound = isinstance(statement, (gast.For, gast.While, gast.If))
            if origin is not None and getattr(statement, "origin", None) is None and not compound:
                header = origin.text.startswith(("for ", "while ", "if ", "elif ", "with "))
                if origin is not last and not header:
                    statement.comment = f"Grad of: {origin.text}"
                last = origin
            for inner in blocks_of(statement):
                last = None if isinstance(statement, (gast.For, gast.While, gast.If)) else last
                visit(inner)

    visit(body)


def fuse_last_branch(forward: list[Stmt], backward: list[Stmt]) -> list[Stmt]:
    """Where the primal ends with a branch, each of its sides is followed by its own backward sweep.

    if c: F1            if c: F1; B1
    else: F2      ->    else: F2; B2
    if c: B1
    else: B2
    """
    if not forward or not backward or not isinstance(forward[-1], gast.If):
        return [*forward, *backward]
    last, first = forward[-1], backward[0]
    if not isinstance(first, gast.If) or getattr(first, "forward", None) is not last or not hasattr(first, "negated"):
        return [*forward, *backward]
    sides = (first.orelse, first.body) if first.negated else (first.body, first.orelse)
    assert last is not None
    fused = gast.If(
        last.test,
        fuse_last_branch(last.body, sides[0]),
        fuse_last_branch(last.orelse, sides[1]),
    )
    fused.origin = getattr(last, "origin", None)
    return [*forward[:-1], fused, *backward[1:]]


def definitions_in(body: list[Stmt]) -> dict[str, list[Expr]]:
    """What is assigned to each name."""
    found: dict[str, list[Expr]] = {}
    for statement in (s for top in body for s in nested(top)):
        target = target_of(statement)
        if isinstance(target, gast.Name):
            found.setdefault(target.id, []).append(statement.value)
    return found


def may_be_int(expr: Expr, definitions: dict[str, list[Expr]], facts: Facts) -> bool:
    """May a float be an int, because a sum that starts with 0 had nothing to add?

    >>> from s2sad.core import quote, statements
    >>> given = definitions_in(statements("total = 0\\nfor x in xs:\\n  total = total + 2.0 * x\\nmean = total / 2"))
    >>> [may_be_int(quote(t), given, Facts()) for t in ("total", "total * 3", "total * x", "mean")]
    [True, True, False, False]
    """
    names: set[str] = set()
    todo = [expr]
    while todo:
        for name in {n.id for n in walk_names(todo.pop())} - names:
            names.add(name)
            todo += definitions.get(name, ())
    kinds = {name: facts.kinds.get(name) for name in names}
    ints = {name for name, kind in kinds.items() if isinstance(kind, Number) and issubclass(kind.type, int)}

    def is_int(value: Expr) -> bool:
        if isinstance(value, gast.Constant):
            return type(value.value) is int
        if isinstance(value, gast.Name):
            return value.id in ints
        if isinstance(value, gast.BinOp) and not isinstance(value.op, gast.Div):
            return is_int(value.left) and is_int(value.right)
        return isinstance(value, gast.UnaryOp) and is_int(value.operand)

    more = True
    while more:
        found = {name for name in names - ints if any(map(is_int, definitions.get(name, ())))}
        more = bool(found)
        ints |= found
    return is_int(expr)


def return_node(tree: Any) -> Any:
    found = [n for n in walk(tree) if isinstance(n, gast.Return)]
    return found[-1] if found else tree
