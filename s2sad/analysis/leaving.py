"""Where an exception leaves a function, and where something in the function may catch it."""

from __future__ import annotations

import types
from typing import Any

import gast

from s2sad.analysis.effects import nested
from s2sad.core import Stmt, blocks_of, clone, is_constant, walk

_JUMPS = (gast.Return, gast.Break, gast.Continue, gast.Yield, gast.YieldFrom, gast.Await)
_LATER = (gast.FunctionDef, gast.Lambda, gast.GeneratorExp, gast.ClassDef)


def raises(body: list[Stmt]) -> bool:
    """Do statements end with a raise, whatever happens in them?

    >>> raises(gast.parse("t = f(x)\\nraise ValueError(t)").body), raises(gast.parse("if a: raise ValueError").body)
    (True, False)
    >>> raises(gast.parse("if a: raise ValueError\\nelse:\\n    t = f(x)\\n    raise KeyError(t)").body)
    True
    """
    return _passed(body) == 0


def without_raises(tree: Any) -> tuple[Any, set[int]]:
    """A function without the statements that run on the way to a raise which leaves it, and the ids of the nodes that
    run where exceptions may be caught, or later.

    Where a call has raised nothing, none of the former have run.

    >>> from s2sad.core import statements
    >>> f = statements("def f(x):\\n if x:\\n  log(x)\\n  raise E\\n try: g(x)\\n except E: pass\\n return x")[0]
    >>> tree, caught = without_raises(f)
    >>> len(tree.body[0].body), [n.func.id for n in walk(tree) if isinstance(n, gast.Call) and id(n) in caught]
    (1, ['g'])
    """
    tree, caught = clone(tree), set[int]()
    if not any(isinstance(n, gast.Raise) for n in walk(tree)):
        return tree, {id(n) for s in tree.body for part in _guarded(s) for n in walk(part)}
    todo = [tree.body]
    while todo:
        block = todo.pop()
        block[_passed(block) :] = [gast.Raise(None, None)] if _passed(block) < len(block) else []
        for statement in block:
            guarded = _guarded(statement)
            caught |= {id(n) for part in guarded for n in walk(part)}
            inner = () if type(statement) in (gast.FunctionDef, gast.ClassDef) else blocks_of(statement)
            todo += [b for b in inner if not (b and id(b[0]) in caught)]
    return tree, caught


def left_out(call: Any, function: Any) -> frozenset[str]:
    """The parameters of a function that a call of it, by its name, leaves at None."""
    if not isinstance(function, types.FunctionType) or hasattr(function, "__wrapped__"):
        return frozenset()
    if any(isinstance(a, gast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        return frozenset()
    positional = function.__code__.co_varnames[: function.__code__.co_argcount]
    defaults = dict(zip(positional[::-1], (function.__defaults__ or ())[::-1], strict=False))
    defaults |= function.__kwdefaults__ or {}
    given = {*positional[: len(call.args)], *(k.arg for k in call.keywords)}
    return frozenset(name for name, value in defaults.items() if value is None and name not in given)


def where_absent(tree: Any, names: frozenset[str]) -> Any:
    r"""A function without the branches for parameters that are given: these are None.

    >>> from s2sad.core import statements
    >>> f = statements("def f(level=None):\n  if level is not None: table[0] = level\n  return table[0]")[0]
    >>> [type(s).__name__ for s in where_absent(f, frozenset({"level"})).body]
    ['Pass', 'Return']
    """
    names -= {n.id for s in tree.body for n in walk(s) if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)}
    tests = [s for s in walk(tree) if isinstance(s, gast.If) and _is_none(s.test, names) is not None]
    if not tests:
        return tree
    tree = clone(tree)
    todo = [tree.body]
    while todo:
        block = todo.pop()
        for k, statement in enumerate(block):
            taken = _is_none(statement.test, names) if isinstance(statement, gast.If) else None
            if taken is not None:
                block[k : k + 1] = (statement.body if taken else statement.orelse) or [gast.Pass()]
                todo.append(block)
                break
        else:
            todo += [b for s in block for b in blocks_of(s) if type(s) not in (gast.FunctionDef, gast.ClassDef)]
    return tree


def _is_none(test: Any, names: frozenset[str]) -> bool | None:
    """The truth of `name is None`, of names that are; None for other tests."""
    plain = isinstance(test, gast.Compare) and isinstance(test.left, gast.Name) and test.left.id in names
    if not plain or len(test.ops) > 1 or not isinstance(test.ops[0], (gast.Is, gast.IsNot)):
        return None
    other = test.comparators[0]
    return isinstance(test.ops[0], gast.Is) if is_constant(other, None) else None


def _guarded(statement: Stmt) -> list[Any]:
    """The parts of a statement that run where an exception may be caught, or when something else calls them."""
    found: list[Any] = [n for n in walk(statement) if isinstance(n, _LATER)]
    for inner in nested(statement):
        if isinstance(inner, gast.With):
            found += inner.body
        elif isinstance(inner, gast.Try) and (inner.finalbody or not all(raises(h.body) for h in inner.handlers)):
            found += [*inner.body, *inner.orelse] if inner.finalbody else inner.body
            found += [s for h in inner.handlers for s in h.body] if inner.finalbody else []
    return found


def _passed(body: list[Stmt]) -> int:
    """How many statements of a block come before those that lead to its raise, whatever happens in them."""
    count = len(body)
    last = body[-1] if body else None
    if isinstance(last, gast.If) and last.orelse and raises(last.body) and raises(last.orelse):
        count -= 1
    elif not isinstance(last, gast.Raise):
        return count
    while count and not any(isinstance(n, _JUMPS) for n in walk(body[count - 1])):
        count -= 1
    return count
