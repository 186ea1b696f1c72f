"""What the backward sweep computes again in place of a tape: which values can be, and what each costs.

    t = x[i] * w[j]      reads what stands                    computed again
    t = np.exp(x) @ A    costs more than what a tape does     taped
    y[i] = t             y stays as it is behind              read where it is stored
"""

from __future__ import annotations

import itertools
from collections.abc import Collection
from typing import Any

import gast
import numpy as np

from s2sad.analysis.binding import leaves_loop
from s2sad.analysis.headers import is_pop
from s2sad.analysis.memory import Memory
from s2sad.core import Expr, Facts, Stmt, assign, atom_key, clone, is_operation, items_of, target_of, walk_names
from s2sad.kinds.atoms import kind_of_atom
from s2sad.kinds.kind import Array, Dict, Kind, List, ListOf, Number, Object, Tuple, Unknown

#: what computing a number again may cost when nothing else of the loop is taped, and when something is
ALONE, BESIDE = 9, 2


class Recomputation:
    """The choice between a tape and computing again, for the values of one function."""

    def __init__(
        self, block_of: dict[int, list[Stmt]], definition: dict[str, list[Stmt]], memory: Memory, facts: Facts
    ) -> None:
        """`block_of` tells in which block a statement stands, by its id; `definition` what binds a name."""
        self.block_of, self.definition, self.memory, self.facts = block_of, definition, memory, facts

    def kind(self, expr: Expr) -> Kind:
        return kind_of_atom(expr, self.facts)

    def decide(
        self, names: list[str], block: list[Stmt], own: set[str]
    ) -> tuple[set[str], dict[str, Expr], list[str]]:
        """Which names are computed again (with what they need), which are read where they are stored, and which are
        taped."""
        places = {n: place for n in names if (place := self.stored_in(n, block, own)) is not None}
        for limit in (ALONE, BESIDE):
            again: set[str] = set()
            taped = [n for n in names if not self.repeatable(n, block)]
            have = set(taped)
            rest = [n for n in names if n not in have]
            for name in rest:
                plan = self.plan(name, block, own, have | again, limit)
                if plan is None:
                    taped.append(name)
                    have.add(name)
                else:
                    again |= plan
            taped = [n for n in taped if n not in places]
            if not taped or limit == BESIDE:
                break
        used = self.reached(names, again, own)
        return again & used, {n: places[n] for n in have & places.keys()}, [n for n in taped if n in names]

    def stored_in(self, name: str, block: list[Stmt], own: set[str]) -> Expr | None:
        """The part of an array that a value is stored in, in the same turn, and that stays as it is: `y[i] = t`.

        `own`: the names that have other values in other turns, but for the loop's own variable.
        """
        made, kind = self.definition.get(name, []), self.facts.kinds.get(name)
        if len(made) != 1 or self.block_of.get(id(made[0])) is not block or getattr(made[0], "copy", False):
            return None
        if isinstance(kind, Array) and self.memory.is_overwritten(name):
            return None
        at = next(k for k, s in enumerate(block) if s is made[0])
        for s in itertools.takewhile(lambda s: not leaves_loop(s), block[at:]):
            target: Any = target_of(s)
            if not isinstance(target, gast.Subscript) or not isinstance(s.value, gast.Name) or s.value.id != name:
                continue
            part = gast.Subscript(clone(target.value), clone(target.slice), gast.Load())
            parts = items_of(target.slice)
            whole = self.kind(target.value) if isinstance(target.value, gast.Name) else None
            if not isinstance(whole, Array) or not all(map(self.is_basic, parts)):
                continue
            if {n.id for n in walk_names(part)} & own:
                continue
            same = kind == self.kind(part) if isinstance(kind, Array) else _dtype_of(kind) == whole.dtype
            known = not isinstance(kind, Array) or (kind.shape is not None and not kind.mixed)
            if same and known and not self.reads_overwritten(target.value.id, target.slice, s):
                return part
        return None

    def reached(self, names: list[str], again: set[str], own: set[str]) -> set[str]:
        out, todo = set(names), list(names)
        while todo:
            name = todo.pop()
            if name in again:
                for n in walk_names(self.definition[name][0].value):
                    if n.id in again and n.id not in out:
                        out.add(n.id)
                        todo.append(n.id)
        return out

    def repeatable(self, name: str, block: list[Stmt]) -> bool:
        places = self.definition.get(name, [])
        if not (
            len(places) == 1
            and self.block_of.get(id(places[0])) is block
            and isinstance(places[0], gast.Assign)
            and (isinstance(places[0].targets[0], gast.Name) or self.unpacks_item(places[0]))
            and not getattr(places[0], "copy", False)
        ):
            return False
        # what is stored in an array later is not in one that is made anew; of views, cost() asks for what they show
        return self.is_view(places[0].value) or not self.reads_overwritten(name, None, places[0])

    def takes_apart(self, statement: Any, expr: Expr) -> bool:
        """Is it the item that a statement takes numbers out of?"""
        return isinstance(statement, gast.Assign) and statement.value is expr and self.unpacks_item(statement)

    def unpacks_item(self, statement: Any) -> bool:
        """Does a statement take numbers apart that stand in a list and stay what they are? `x, y = points[k]`"""
        target, value = statement.targets[0], statement.value
        if not isinstance(target, gast.Tuple) or not all(isinstance(n, gast.Name) for n in target.elts):
            return False
        if not isinstance(value, gast.Subscript) or not isinstance(value.value, gast.Name):
            return False
        kind = self.kind(value)
        if not isinstance(kind, (Tuple, List)) or not all(isinstance(k, Number) for k in kind.items):
            return False
        once = all(len(self.definition[n.id]) == 1 for n in target.elts)
        return once and (isinstance(kind, Tuple) or not self.memory.is_overwritten(value.value.id))

    def again(self, name: str, among: Collection[str]) -> Stmt:
        """The statement that computes a name again, where all of some names are."""
        definition: Any = self.definition[name][0]
        target = definition.targets[0]
        if isinstance(target, gast.Name) or all(n.id in among for n in target.elts):
            return clone(definition)
        at = next(k for k, n in enumerate(target.elts) if n.id == name)
        return assign(name, gast.Subscript(clone(definition.value), gast.Constant(at, None), gast.Load()))

    def plan(self, name: str, block: list[Stmt], own: set[str], have: set[str], limit: int) -> set[str] | None:
        """The names to compute again for `name`, or None where that is not possible or costs too much."""
        done: set[str] = set()
        return done if self._planned(name, block, own - have, done, limit, 0) is not None else None

    def _planned(
        self, name: str, block: list[Stmt], wanted: set[str], done: set[str], limit: int, depth: int
    ) -> int | None:
        """What is left of the limit when a name is computed again, with all that this takes; None for too little."""
        if name in done or name not in wanted:
            return limit
        if not self.repeatable(name, block) or depth > 6:
            return None
        definition = self.definition[name][0]
        left: int | None = limit - self.cost(definition.value, definition, {})
        for n in walk_names(definition.value):
            if left is None or left < 0:
                return None
            if n.id != name:
                left = self._planned(n.id, block, wanted, done, left, depth + 1)
        done.add(name)
        return left if left is None or left >= 0 else None

    def cost(self, expr: Expr, statement: Stmt, memo: dict[int, int]) -> int:
        """What evaluating an expression again costs, in additions of numbers; 1000 where it must not be done."""
        never = 1000
        if isinstance(expr, gast.Constant):
            return 0
        if isinstance(expr, gast.Name):
            return 0 if not self.reads_overwritten(expr.id, None, statement) else never
        part = isinstance(expr, (gast.Subscript, gast.Attribute)) and atom_key(expr) in self.facts.kinds
        if part and self.reads_overwritten(atom_key(expr), None, statement):  # a part of an argument
            return never
        if isinstance(expr, gast.Subscript):
            kind = self.kind(expr)
            if getattr(expr, "makes_item", False):
                return never
            if isinstance(expr.value, gast.Attribute) and expr.value.attr == "shape":
                return 1
            if isinstance(expr.value, gast.Call) and isinstance(expr.slice, gast.Slice):
                return self.cost_of_range(expr, statement, memo)
            key = atom_key(expr.value) if isinstance(expr.value, (gast.Name, gast.Subscript, gast.Attribute)) else None
            if key is None or self.reads_overwritten(key, expr.slice, statement):
                return never
            inside = sum(self.cost(p, statement, memo) for p in _index_parts(expr.slice))
            if isinstance(kind, (Number, Array, Unknown, ListOf)) or self.takes_apart(statement, expr):
                return 1 + inside
            return never
        if isinstance(expr, gast.Attribute):
            if expr.attr in ("shape", "size", "ndim", "dtype"):
                return 1
            if expr.attr == "T":
                return 1 + self.cost(expr.value, statement, memo)
            return 0 if atom_key(expr) in self.facts.kinds else (1 if isinstance(expr.value, gast.Name) else never)
        if isinstance(expr, gast.Call):
            return self.call_cost(expr, statement, memo)
        if isinstance(expr, (gast.BinOp, gast.UnaryOp, gast.Compare, gast.BoolOp, gast.IfExp)):
            if isinstance(expr, (gast.BinOp, gast.UnaryOp)) and isinstance(self.kind(expr), (Array, Unknown)):
                return never
            if is_operation(expr, gast.MatMult):
                return never
            parts = [c for c in gast.iter_child_nodes(expr) if isinstance(c, gast.expr)]
            looked_for = isinstance(expr, gast.Compare) and isinstance(expr.ops[0], (gast.In, gast.NotIn))
            if looked_for and self.may_be_spent(parts[1]):
                return never
            own = (
                3
                if is_operation(expr, gast.Pow)
                and not isinstance(expr.right, gast.Constant)
                else 1
            )
            return own + sum(self.cost(p, statement, memo) for p in parts)
        if isinstance(expr, gast.Tuple):
            return sum(self.cost(p, statement, memo) for p in expr.elts)
        return never

    def cost_of_range(self, expr: Any, statement: Stmt, memo: dict[int, int]) -> int:
        """What a part of a range costs, that stands for the places of a slice: `range(len(x))[i:]`."""
        func = expr.value.func
        if not isinstance(func, gast.Name) or func.id != "range" or expr.value.keywords:
            return 1000
        parts = (*expr.value.args, *_index_parts(expr.slice))
        return sum(self.cost(p, statement, memo) for p in parts)

    def may_be_spent(self, part: Expr) -> bool:
        """May it be an iterator, which gives its items once?"""
        outside = isinstance(part, gast.Name) and part.id in self.facts.globals
        return isinstance(self.kind(part), Unknown) and not outside

    def call_cost(self, expr: Any, statement: Stmt, memo: dict[int, int]) -> int:
        func = expr.func
        if is_pop(expr) or expr.keywords:
            return 1000
        inside = sum(self.cost(a, statement, memo) for a in expr.args)
        if isinstance(func, gast.Name) and func.id == "len":
            kinds = self.facts.kinds  # (what is not known may be a list, or a dict of lists, that gets longer)
            grown = any(
                isinstance(kinds[key], (Dict, Object))
                or (isinstance(kinds[key], Tuple) and not isinstance(part, gast.Name))
                or (isinstance(kinds[key], (List, ListOf, Unknown)) and self.reads_overwritten(key, None, statement))
                for part in expr.args
                for key in self.memory.keys(part)
            )
            read = (gast.Name, gast.Attribute, gast.Subscript)
            return 1000 if grown else 1 + (0 if isinstance(expr.args[0], read) else inside)
        if isinstance(func, gast.Name) and func.id in ("abs", "float", "int", "min", "max"):
            return 1000 if func.id in ("min", "max") and any(map(self.may_be_spent, expr.args)) else 1 + inside
        target = _resolve(func, self.facts)
        module = getattr(target, "__module__", None) or ("numpy" if type(target).__name__ == "ufunc" else "")
        if (
            module in ("math", "numpy")
            and isinstance(self.kind(expr), Number)
            and not any(isinstance(self.kind(a), (Array, Unknown)) for a in expr.args)
        ):
            return 4 + inside
        return 1000

    def is_view(self, value: Expr) -> bool:
        """Is an expression memory that others have, too? An index array or a mask makes a copy, a slice of a list a new
        list."""
        sliced = isinstance(value, gast.Subscript) and isinstance(value.slice, gast.Slice)
        if sliced and isinstance(self.kind(value.value), (List, ListOf, Unknown)):
            return False
        if not isinstance(value, gast.Subscript) or isinstance(self.kind(value.value), ListOf):
            return isinstance(value, (gast.Name, gast.Subscript, gast.Attribute))
        if getattr(value.value, "attr", "") == "flat":
            return False
        parts = items_of(value.slice)
        return all(map(self.is_basic, parts))

    def is_basic(self, part: Expr) -> bool:
        if isinstance(part, (gast.Slice, gast.Constant)):
            return not isinstance(getattr(part, "value", None), bool)
        kind = self.kind(part)
        return isinstance(kind, Number) and not issubclass(kind.type, (bool, np.bool_))

    def reads_overwritten(self, key: str, index: Expr | None, statement: Stmt) -> bool:
        kind = self.facts.kinds.get(key)
        if kind is None and "[" in key:
            return self.reads_overwritten(key[: key.rindex("[")], None, statement)  # in a container in a container
        if kind is None or isinstance(kind, Number):
            return False
        if isinstance(kind, Object) and self.memory.find(key) in map(self.memory.find, self.memory.object_changes):
            return True
        place = self.memory.places.get(id(statement))
        return place is None or self.memory.overwritten_after(key, index, place, own=False)


def _dtype_of(kind: Kind | None) -> Any:
    """The type of the elements of an array that holds such numbers as they are."""
    return np.dtype(kind.type) if isinstance(kind, Number) and kind.type in (float, complex, np.float64) else None


def _index_parts(index: Expr) -> list[Expr]:
    parts = items_of(index)
    out: list[Expr] = []
    for part in parts:
        if isinstance(part, gast.Slice):
            out.extend(p for p in (part.lower, part.upper, part.step) if p is not None)
        else:
            out.append(part)
    return out


def _resolve(func: Expr, facts: Facts) -> Any:
    if isinstance(func, gast.Name):
        return facts.globals.get(func.id)
    if isinstance(func, gast.Attribute):
        owner = _resolve(func.value, facts)
        return getattr(owner, func.attr, None) if owner is not None else None
    return None
