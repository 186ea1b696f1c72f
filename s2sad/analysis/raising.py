"""Which statements of core Python may raise an exception that a handler is for?"""

from __future__ import annotations

import builtins
import math
from collections.abc import Container
from typing import Any

import gast
import numpy as np

from s2sad.core import INVENTED, Facts, Stmt
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Callable, Kind, ListOf, Number, Static, Text

#: arithmetic that gives a number for any two numbers
_SAFE = (gast.Add, gast.Sub, gast.Mult)
_PLAIN = (bool, int, float)
#: what NumPy raises where it is told to
_TOLD = (FloatingPointError, Warning)


def may_raise(
    statement: Stmt, facts: Facts, unsure: Container[str] = (), caught: tuple[type[BaseException], ...] = (Exception,)
) -> bool:
    """May a statement raise an exception that is caught?

    Args:
        unsure: names that may have no value.
        caught: the classes that handlers are for.

    >>> from s2sad.core import statements
    >>> facts = Facts(kinds={"x": Number(float), "q": ListOf(Number(float)), "a": Array(np.dtype(float), None)})
    >>> body = statements("y = x * 2.0\\ny = 2.0 / x\\nq.append(x)\\nprint(x)\\ny = a[0]\\nif x > 1.0:\\n    pass")
    >>> [may_raise(s, facts) for s in body]
    [False, True, False, False, True, False]
    >>> [may_raise(s, facts, caught=(ZeroDivisionError,)) for s in body]
    [False, True, False, False, False, False]
    """
    return not _Sure(facts, unsure, caught).statement(statement)


def real_store(statement: Stmt, facts: Facts) -> bool:
    """Is a real number stored into an array of such, at a place that an index says?"""
    if isinstance(statement, gast.Assign) and len(statement.targets) == 1:
        target, value = statement.targets[0], statement.value
    elif isinstance(statement, gast.AugAssign) and isinstance(statement.op, _SAFE):
        target, value = statement.target, statement.value
    else:
        return False
    sure = _Sure(facts, (), ())
    array = sure.kind(target.value) if isinstance(target, gast.Subscript) else None
    real = isinstance(array, Array) and array.dtype is not None and array.dtype.kind == "f"
    kind = infer(value, facts)
    number = isinstance(kind, Number) and all(issubclass(t, (*_PLAIN, np.floating)) for t in kind.of_types())
    return real and number and sure.at_indices(target.slice)


class _Sure:
    """What is certain to raise nothing that is caught."""

    def __init__(self, facts: Facts, unsure: Container[str], caught: tuple[type[BaseException], ...]) -> None:
        self.facts, self.unsure, self.caught = facts, unsure, caught

    def unless(self, *raised: type[BaseException]) -> bool:
        """Are these classes of exceptions not caught?"""
        return not any(issubclass(c, r) or issubclass(r, c) for c in self.caught for r in raised)

    def statement(self, s: Stmt) -> bool:
        if isinstance(s, gast.Assign) and all(isinstance(t, gast.Name) for t in s.targets):
            return self.value(s.value)
        if isinstance(s, (gast.Assign, gast.AugAssign)):
            return real_store(s, self.facts) and self.value(s.value) and self.unless(IndexError)
        if isinstance(s, gast.Expr):
            return self.effect(s.value) if isinstance(s.value, gast.Call) else self.value(s.value)
        if isinstance(s, gast.If):
            return self.value(s.test) and all(map(self.statement, [*s.body, *s.orelse]))
        return isinstance(s, gast.Pass)

    def value(self, e: Any) -> bool:
        if isinstance(e, gast.Constant):
            return True
        if isinstance(e, gast.Name):
            invented = INVENTED in self.facts.user_name.get(e.id, "")  # these have values where they are read
            return e.id not in self.unsure or invented or self.unless(NameError)
        if isinstance(e, (gast.Tuple, gast.List)):
            return all(map(self.value, e.elts))
        if isinstance(e, gast.BinOp):
            return self.number(e.left) and self.number(e.right) and (isinstance(e.op, _SAFE) or self.divides(e))
        if isinstance(e, gast.UnaryOp):
            return self.number(e.operand) and not isinstance(e.op, gast.Invert)
        if isinstance(e, gast.BoolOp):
            return all(map(self.number, e.values))
        if isinstance(e, gast.Compare):
            return all(self.number(part) for part in [e.left, *e.comparators])
        if isinstance(e, gast.IfExp):
            return all(self.value(part) for part in (e.test, e.body, e.orelse))
        if isinstance(e, gast.Subscript):
            items = isinstance(self.kind(e.value), (Array, ListOf)) and self.value(e.value)
            return items and self.at_indices(e.slice) and self.unless(IndexError)
        return isinstance(e, gast.Call) and not e.keywords and self.function(e)

    def divides(self, e: Any) -> bool:
        """Is it a division or a power, of which what it may raise is not caught?"""
        arithmetic = isinstance(e.op, (gast.Div, gast.FloorDiv, gast.Mod, gast.Pow))
        if isinstance(e.op, gast.Div) and isinstance(e.right, gast.Constant) and e.right.value:
            return True
        return arithmetic and self.unless(ZeroDivisionError, OverflowError)

    def function(self, call: Any) -> bool:
        """Is a function of numbers called, of which what it may raise is not caught?"""
        kind = infer(call.func, self.facts)
        target = kind.value if isinstance(kind, Callable) else None
        if not call.args or not all(map(self.number, call.args)):
            return False
        if isinstance(target, np.ufunc):
            return self.unless(*_TOLD, TypeError)
        return getattr(math, getattr(target, "__name__", ""), None) is target and self.unless(
            ValueError, OverflowError, TypeError
        )

    def number(self, e: Any) -> bool:
        """Is it a real number, computed without an exception?"""
        if not self.value(e):
            return False
        kind = infer(e, self.facts)
        if not isinstance(kind, Number):
            return False
        plain = all(t in _PLAIN for t in kind.of_types())
        return plain or (all(issubclass(t, (*_PLAIN, np.floating)) for t in kind.of_types()) and self.unless(*_TOLD))

    def at_indices(self, index: Any) -> bool:
        """Is an index made of ints?"""
        if isinstance(index, gast.Tuple):
            return all(map(self.at_indices, index.elts))
        plain = isinstance(index, (gast.Name, gast.Constant, gast.UnaryOp))
        kind = infer(index, self.facts) if plain and self.value(index) else None
        return isinstance(kind, Number) and all(t is int for t in kind.of_types())

    def effect(self, call: Any) -> bool:
        """Is something put into a list, or printed?"""
        if call.keywords or not all(isinstance(a, (gast.Name, gast.Constant)) and self.value(a) for a in call.args):
            return False
        if isinstance(call.func, gast.Attribute):
            owner = call.func.value
            return isinstance(self.kind(owner), ListOf) and self.value(owner) and call.func.attr == "append"
        printed = isinstance(call.func, gast.Name) and self.facts.globals.get("print", builtins.print) is builtins.print
        if printed and call.func.id == "print":
            return all(map(self.shows, call.args))
        return self.function(call)

    def shows(self, e: Any) -> bool:
        """Is it printed without code of the user's?"""
        return isinstance(e, gast.Constant) or isinstance(self.kind(e), (Number, Array, Static, Text))

    def kind(self, e: Any) -> Kind | None:
        return self.facts.kinds.get(e.id) if isinstance(e, gast.Name) else None
