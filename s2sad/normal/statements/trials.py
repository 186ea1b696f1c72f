"""What is known of the body of a try: what it may raise, how far it comes, what catches it."""

from __future__ import annotations

import builtins
import dataclasses
import types
from typing import Any

import gast

from s2sad.core import Stmt, atom_key, clone, walk
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds.kind import Array, Dict, Kind, List, Number, Static, Tuple
from s2sad.normal.desugar.jumps import before_jumps, invented, once_for, placed
from s2sad.normal.values.abstract import Leaf


class Raises(DerivationError):
    """What is lowered raises for certain, for every argument of these kinds."""

    exception: type[BaseException] = Exception


#: functions that take numbers and arrays
PLAIN = (abs, float, len, min, max, round, bool)
#: what arithmetic and functions of numbers raise
NUMERIC = (ArithmeticError, ValueError, TypeError)


@dataclasses.dataclass
class Trial:
    """The body of a try, lowered for its exceptions alone."""

    node: Any
    #: the name that counts the statements that were done
    stage: str
    #: how many branches and loops were open before it, and the last container that there was
    level: tuple[int, int]
    last: int
    #: the function that the try stands in
    frame: Any = None
    #: the classes of exceptions that it is for
    caught: tuple[type[BaseException], ...] = (BaseException,)
    #: do all its handlers raise something?
    lost: bool = False
    #: how many statements were done; the one that is being lowered, and has it changed a container?
    done: int = 0
    statement: Any = None
    changed: bool = False
    #: where the statement is written to from which place on, and the containers before it
    start: tuple[list[Stmt], int] = dataclasses.field(default_factory=lambda: ([], 0))
    before: dict[int, Any] = dataclasses.field(default_factory=dict)
    #: has one before it?
    leaves: bool = False
    #: a statement that may stop when it has changed a container
    torn: Any = None
    #: the functions of the user's that stay calls in it, by their places
    calls: dict[Any, Any] = dataclasses.field(default_factory=dict)
    #: a loop whose items are computed in its turns, where that may stop
    turns: Any = None


@dataclasses.dataclass(frozen=True)
class Before:
    """What the body of a try does before it raises for certain."""

    #: would it be seen that the statement that raises is begun twice, and that all of it is done twice?
    last_is_seen: bool
    is_seen: bool
    #: may they raise something else before?
    last_may_stop: bool
    may_stop: bool


class Step(gast.stmt):  # type: ignore[misc]
    """In the body of a try that is lowered for its exceptions: so many statements are done."""

    _fields = ()

    def __init__(self, trial: Trial, done: int) -> None:
        super().__init__()
        self.trial, self.done = trial, done


class Unproven(gast.stmt):  # type: ignore[misc]
    """Behind the body of a try that has run to its end before: what was known of exceptions before it holds again."""

    _fields = ()

    def __init__(self, before: bool) -> None:
        super().__init__()
        self.before = before


class Caught(gast.stmt):  # type: ignore[misc]
    """At the start of a handler: its name stands for the exception that was caught."""

    _fields = ()

    def __init__(self, user: str, exception: Leaf) -> None:
        super().__init__()
        self.user, self.exception = user, exception


def suppressed(node: Any) -> list[Any]:
    """`with suppress(E): A` as `try: A` / `except E: pass`."""
    kinds = gast.Tuple(list(node.items[0].context_expr.args), gast.Load())
    return placed([gast.Try(list(node.body), [gast.ExceptHandler(kinds, None, [gast.Pass()])], [], [])], node)


def settled_with(node: Any) -> Any:
    """A `with` that does nothing when it is left: the jumps out of it are made."""

    def make() -> list[Any]:
        return placed([gast.With(node.items, before_jumps(node.body, [], invented("result", node)), None)], node)

    return once_for(node, "settled", make)[0]


def without_finally(node: Any) -> list[Any]:
    """A try whose `finally` is written behind it and before the jumps out of it."""
    final = node.finalbody
    inner = list(node.body)
    if node.handlers:
        inner = placed([gast.Try(node.body, node.handlers, node.orelse, [])], node)
    result = invented("result", node)
    return [*before_jumps(inner, final, result), *clone(final)]


def is_plain_function(function: Any) -> bool:
    """Is it NumPy, math, one of their functions, a class of exceptions, or a builtin that takes numbers?"""
    if isinstance(function, type):
        return function in PLAIN or issubclass(function, BaseException)
    home = function.__name__ if isinstance(function, types.ModuleType) else getattr(function, "__module__", "")
    return function in PLAIN or (home or "").split(".")[0] in ("numpy", "math")


def raises_one_of(statement: Stmt, classes: tuple[type[BaseException], ...]) -> bool:
    """Does a statement hold a `raise` of one of these classes, or of a class that is not known?"""
    for node in walk(statement):
        if isinstance(node, gast.Raise):
            raised = node.exc.func if isinstance(node.exc, gast.Call) else node.exc
            known = getattr(builtins, raised.id, None) if isinstance(raised, gast.Name) else None
            if not isinstance(known, type) or issubclass(known, classes):
                return True
    return False


def classes_in(value: Any) -> tuple[type[BaseException], ...]:
    found = value if isinstance(value, tuple) else (value,)
    return tuple(c for c in found if isinstance(c, type) and issubclass(c, BaseException))


def paths_in(body: list[Any]) -> set[str]:
    """The names that are read, and the parts of values: `a`, `p.rate`, `items[0]`."""
    nodes = [n for s in body for n in walk(s) if isinstance(n, (gast.Name, gast.Attribute, gast.Subscript))]
    owners = {id(n.value) for n in nodes if isinstance(n, (gast.Attribute, gast.Subscript))}
    return {atom_key(n) for n in nodes if id(n) not in owners}


def is_within(key: str, whole: str) -> bool:
    """Is it a value, or a part of it?"""
    return key == whole or (key.startswith(whole) and key[len(whole)] in ".[")


def identifier_in(part: Any) -> str:
    return str(getattr(part, "id", part))


def reads_name(body: list[Any], identifier: str) -> bool:
    return any(isinstance(n, gast.Name) and n.id == identifier for s in body for n in walk(s))


def is_builtin_kind(kind: Kind | None) -> bool:
    """Is it a number, an array, text, or a container of these, so that no operator of it is the user's?"""
    if isinstance(kind, (Tuple, List)):
        return all(map(is_builtin_kind, kind.items))
    if isinstance(kind, Dict):
        return all(is_builtin_kind(k) for _, k in kind.items)
    return isinstance(kind, (Number, Array, Static))
