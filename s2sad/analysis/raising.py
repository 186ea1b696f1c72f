"""Which statements of core Python may raise an exception that a handler is for?"""

from __future__ import annotations

import builtins
import math
from collections.abc import Collection, Container
from typing import Any

import gast
import numpy as np

from s2sad.core import INVENTED, Facts, Stmt
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Callable, Kind, List, ListOf, Number, Static, Text, Tuple

#: arithmetic that gives a number for any two numbers
_SAFE = (gast.Add, gast.Sub, gast.Mult)
_PLAIN = (bool, int, float)
#: builtins that take numbers, and what they raise for some
_OF_NUMBERS: dict[Any, tuple[type[BaseException], ...]] = {
    **dict.fromkeys((float, abs, bool, min, max), ()),
    **dict.fromkeys((int, round), (ValueError, OverflowError)),
}
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
    >>> may_raise(statements("y = something(x)")[0], facts, caught=(KeyError,))
    True
    >>> facts.kinds["k"] = Number(int)
    >>> loop = statements("for k in range(len(q)):\\n    q[k] = q[k - 1] * x\\n    y = abs(q[k])")
    >>> [may_raise(loop[0], facts, caught=(error,)) for error in (TypeError, IndexError)]
    [False, True]
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


def is_one_of(function: Any, functions: Collection[Any]) -> bool:
    return any(function is f for f in functions)


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
            return self.store(s)
        if isinstance(s, gast.Expr):
            return self.effect(s.value) if isinstance(s.value, gast.Call) else self.value(s.value)
        if isinstance(s, (gast.If, gast.While)):
            return self.has_truth(s.test) and all(map(self.statement, [*s.body, *s.orelse]))
        if isinstance(s, gast.For):
            turns = isinstance(s.target, gast.Name) and self.iterable(s.iter)
            return turns and all(map(self.statement, [*s.body, *s.orelse]))
        return isinstance(s, (gast.Pass, gast.Break, gast.Continue))

    def store(self, s: Any) -> bool:
        """Is something stored at a place of an array or a list that is certain to take it, if it is there?"""
        if not (self.value(s.value) and self.unless(IndexError)):
            return False
        if real_store(s, self.facts):
            return True
        target = s.targets[0] if isinstance(s, gast.Assign) and len(s.targets) == 1 else None
        if not isinstance(target, gast.Subscript) or not isinstance(self.kind(target.value), (ListOf, List)):
            return False
        return self.value(target.value) and self.at_index(target.slice)

    def iterable(self, e: Any) -> bool:
        """Is it a range, a list or an array, whose items are there when they are asked for?"""
        if isinstance(e, gast.Call) and not e.keywords and self.called(e) is range:
            steps = len(e.args) < 3 or (isinstance(e.args[2], gast.Constant) and e.args[2].value)
            return bool(steps) and all(map(self.at_index, e.args))
        return self.has_length(e)

    def has_truth(self, e: Any) -> bool:
        kind = infer(e, self.facts)
        return isinstance(kind, (Number, ListOf, List, Tuple, Static, Text)) and self.value(e)

    def has_length(self, e: Any) -> bool:
        kind = self.kind(e)
        there = isinstance(kind, (ListOf, List, Tuple)) or (isinstance(kind, Array) and bool(kind.shape))
        return there and self.value(e)

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
            kind = self.kind(e.value)
            there = self.at_indices if isinstance(kind, Array) else self.at_index
            items = isinstance(kind, (Array, ListOf, List, Tuple)) and self.value(e.value)
            return items and there(e.slice) and self.unless(IndexError)
        if isinstance(e, gast.ListComp):
            turns = all(isinstance(g.target, gast.Name) and self.iterable(g.iter) for g in e.generators)
            return turns and self.value(e.elt) and all(self.number(test) for g in e.generators for test in g.ifs)
        return isinstance(e, gast.Call) and not e.keywords and self.function(e)

    def divides(self, e: Any) -> bool:
        """Is it a division or a power, of which what it may raise is not caught?"""
        arithmetic = isinstance(e.op, (gast.Div, gast.FloorDiv, gast.Mod, gast.Pow))
        if isinstance(e.op, gast.Div) and isinstance(e.right, gast.Constant) and e.right.value:
            return True
        return arithmetic and self.unless(ZeroDivisionError, OverflowError)

    def function(self, call: Any) -> bool:
        """Is a function of numbers called, of which what it may raise is not caught?"""
        target = self.called(call)
        if target is len and len(call.args) == 1:
            return self.has_length(call.args[0])
        if not call.args or not all(map(self.number, call.args)):
            return False
        if is_one_of(target, _OF_NUMBERS):
            several = target not in (min, max) or len(call.args) > 1
            return several and self.unless(*_OF_NUMBERS[target])
        if isinstance(target, np.ufunc):
            return self.unless(*_TOLD, TypeError)
        of_math = target is not None and getattr(math, getattr(target, "__name__", ""), None) is target
        return of_math and self.unless(ValueError, OverflowError, TypeError)

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
            return all(map(self.at_index, index.elts))
        return self.at_index(index)

    def at_index(self, index: Any) -> bool:
        """Is it an int?"""
        kind = infer(index, self.facts) if self.value(index) else None
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
        if isinstance(e, gast.Subscript):
            return infer(e, self.facts)
        return self.facts.kinds.get(e.id) if isinstance(e, gast.Name) else None

    def called(self, call: Any) -> Any:
        """The function that is called, where it is known."""
        kind = infer(call.func, self.facts)
        return kind.value if isinstance(kind, Callable) else None
