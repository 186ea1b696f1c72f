"""Would it be seen if statements ran twice, or stopped half way?"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Collection
from typing import Any

import gast
import numpy as np

from s2sad.analysis.effects import nested
from s2sad.analysis.leaving import raises
from s2sad.analysis.memory import own_parts
from s2sad.core import Facts, Stmt, blocks_of, walk, walk_names
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, ListOf, Unknown
from s2sad.kinds.kind import Callable as CallableKind
from s2sad.normal.values.abstract import contents

#: functions that make a new array
_MAKERS = (np.zeros, np.ones, np.empty, np.full, np.zeros_like, np.ones_like, np.empty_like, np.full_like, np.array)


def is_quiet_context(expr: Any) -> bool:
    """Is it a call that only says what to do with warnings, until the `with` around it ends?"""
    function = expr.func if isinstance(expr, gast.Call) else None
    word = getattr(function, "attr", getattr(function, "id", ""))
    return word in ("catch_warnings", "simplefilter", "filterwarnings", "errstate")


def changes(before: dict[int, Any], after: dict[int, Any]) -> bool:
    """Have containers changed?"""
    for ref, old in before.items():
        was, now = contents(old), contents(after[ref]) if ref in after else {}
        if any(was.get(key) is not now.get(key) for key in {**was, **now}):
            return True
    return False


def gives(statement: Stmt, target: str) -> bool:
    """Does a statement give a name its value?"""
    to = statement.targets[0] if isinstance(statement, gast.Assign) else None
    return isinstance(to, gast.Name) and to.id == target


def has_effect(
    body: list[Stmt],
    own: Collection[str] = (),
    stores: dict[str, list[Stmt]] | None = None,
    seen: Callable[[Any, Collection[str], bool], bool] | None = None,
    once: bool = False,
) -> bool:
    """Would running these statements twice be seen?

    Args:
        own: names of arrays that they make themselves.
        stores: where given, it takes the stores into other arrays, by their names, and these do not count.
        seen: tells of a call inside of an expression whether it would be seen (`iteration.watching.is_seen`).
        once: they run again where they have raised nothing: a path that ends with a raise runs once.
    """
    if once and raises(body):
        seen = None
    for statement in body:
        if seen is not None and not isinstance(statement, (gast.Raise, gast.With)):
            alone = statement.value if isinstance(statement, gast.Expr) else None
            own_part = [h.type for h in statement.handlers if h.type] if isinstance(statement, gast.Try) else None
            parts = [n for part in (own_parts(statement) if own_part is None else own_part) for n in walk(part)]
            calls = [n for n in parts if isinstance(n, gast.Call) and (n is not alone or is_builtin_call(n))]
            if any(seen(call, own, once) for call in calls):
                return True
        if isinstance(statement, gast.With) and all(is_quiet_context(item.context_expr) for item in statement.items):
            inside = [s for s in statement.body if not (isinstance(s, gast.Expr) and is_quiet_context(s.value))]
            if has_effect(inside, own, stores, seen):
                return True
            continue
        if isinstance(statement, (gast.With, gast.Delete)):
            return True
        if isinstance(statement, (gast.Assign, gast.AugAssign)):
            targets = statement.targets if isinstance(statement, gast.Assign) else [statement.target]
            for target in targets:
                if is_of(target, own) or (
                    isinstance(statement, gast.Assign) and isinstance(target, (gast.Name, gast.Tuple))
                ):
                    continue
                base = root_of(target)
                if stores is None or base is None or len(targets) > 1:
                    return True
                stores.setdefault(base.id, []).append(statement)
        scatter = getattr(statement, "scatter", None)
        if scatter is not None and stores is not None and isinstance(scatter[0], gast.Name):
            if not is_of(scatter[0], own):
                stores.setdefault(scatter[0].id, []).append(statement)
        elif isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Call):
            if _grown(statement, own):
                continue
            if not is_builtin_call(statement.value) and not getattr(statement, "pure", False):
                return True
            for written in getattr(statement, "written", ()):
                if written is None or (stores is None and not is_of(written, own)):
                    return True
                if stores is not None and not is_of(written, own):
                    stores.setdefault(root_of(written).id, []).append(statement)
        caught = isinstance(statement, gast.Try) and not all(raises(h.body) for h in statement.handlers)
        leaves = once and not caught
        if any(has_effect(block, own, stores, seen, leaves) for block in blocks_of(statement)):
            return True
    return False


def _grown(statement: Any, names: Collection[str]) -> bool:
    """Does a statement only put something into a list of these names?"""
    call = statement.value if isinstance(statement, gast.Expr) else None
    func = call.func if isinstance(call, gast.Call) else None
    return isinstance(func, gast.Attribute) and func.attr in ("append", "insert") and _is_name_of(func.value, names)


def _is_name_of(expr: Any, names: Collection[str]) -> bool:
    return isinstance(expr, gast.Name) and expr.id in names


def stores_into(body: list[Stmt], names: Collection[str]) -> set[int]:
    """The ids of the statements that store into arrays or lists of these names.

    >>> from s2sad.core import statements
    >>> body = statements("u[0] = 1.0\\nv[0] = 1.0\\nu.append(2.0)\\nu = v")
    >>> [id(s) in stores_into(body, {"u"}) for s in body]
    [True, False, True, False]
    """
    found = set()
    for statement in (s for top in body for s in nested(top)):
        targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
        through = isinstance(statement, (gast.Assign, gast.AugAssign)) and any(
            is_of(t, names) and not (isinstance(statement, gast.Assign) and isinstance(t, gast.Name)) for t in targets
        )
        scatter = getattr(statement, "scatter", None)
        written = [*getattr(statement, "written", ()), *(scatter[:1] if scatter is not None else ())]
        if through or _grown(statement, names) or any(w is not None and is_of(w, names) for w in written):
            found.add(id(statement))
    return found


def is_builtin_call(call: Any) -> bool:
    """Is a builtin function called, other than print?"""
    function = call.func
    return isinstance(function, gast.Name) and hasattr(builtins, function.id) and function.id != "print"


def root_of(target: Any) -> Any:
    """The name of the array that is stored into: u of `u` and `u[k]`; None for attributes and the like."""
    base = target.value if isinstance(target, gast.Subscript) else target
    return base if isinstance(base, gast.Name) else None


def stores_half_way(body: list[Stmt], stores: Collection[int], stage: str, may_raise: Callable[[Stmt], bool]) -> bool:
    """May the body of a try stop between two of its statements' steps, when one of these has stored already?

    Args:
        stores: the ids of the statements that store.
        stage: the name that counts the statements that were done: each begins where it gets a value.
        may_raise: tells which statements may.
    """
    stored = False
    for statement in body:
        if gives(statement, stage):
            stored = False
        elif stored and may_raise(statement):
            return True
        if any(id(s) in stores for s in nested(statement)):
            stored = True
            if isinstance(statement, gast.If):
                if any(stores_half_way(block, stores, stage, may_raise) for block in blocks_of(statement)):
                    return True
            elif any(blocks_of(statement)):
                return True  # (a loop: its next turn may raise)
    return False


def is_of(target: Any, own: Collection[str]) -> bool:
    """Is it an array of these names, or a part of one?"""
    base = root_of(target)
    return base is not None and base.id in own


def own_arrays(facts: Facts, body: list[Stmt]) -> set[str]:
    """The names of arrays and lists that statements make, of memory that nothing else shares."""
    made: dict[str, bool] = {}
    for statement in (n for s in body for n in gast.walk(s) if isinstance(n, gast.Assign)):
        new = makes_array(facts, statement.value) or isinstance(statement.value, (gast.List, gast.ListComp))
        for target in statement.targets:
            for part in walk_names(target) if isinstance(target, (gast.Name, gast.Tuple)) else ():
                made[part.id] = made.get(part.id, True) and new
    return {n for n, new in made.items() if new and isinstance(facts.kinds.get(n), (Array, ListOf, Unknown))}


def makes_array(facts: Facts, value: Any) -> bool:
    if not isinstance(value, gast.Call):
        return isinstance(value, (gast.BinOp, gast.UnaryOp, gast.Compare))
    kind = infer(value.func, facts)
    target = kind.value if isinstance(kind, CallableKind) else None
    return isinstance(target, np.ufunc) or any(target is maker for maker in _MAKERS)
