"""Checks without which the same is raised, for something else in the function raises it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from s2sad.analysis.binding import may_lack_value
from s2sad.analysis.counts import counted
from s2sad.analysis.effects import Effects, nested
from s2sad.analysis.numbering import Numbering, Path, Step, exclusive
from s2sad.core import Expr, Facts, Stmt, children, quote_statements
from s2sad.kinds.fitting import divides_numbers, fits, inner_lengths, is_elementwise, lengths_in, operands_of, shape_of
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Number
from s2sad.tidy.deadcode import branch
from s2sad.tidy.rebuild import negate, with_blocks, with_fields


def without_covered(
    body: list[Stmt], facts: Facts, parameters: Collection[str] = (), effects: Effects | None = None
) -> list[Stmt]:
    """The statements without the checks of what is evaluated anyway, where these are run or further out.

    What is evaluated before does; what is evaluated behind it does where nothing in between leaves the function.

    >>> from s2sad.core import statements, text
    >>> from s2sad.kinds.kind import Array, Dim
    >>> def left(lines):
    ...     kinds = {"a": Array(np.dtype(float), (Dim.symbol("n"),))}
    ...     print(text(without_covered(statements(lines), Facts(kinds=kinds))))
    >>> left("for i in u:\\n    a[k]\\nelse:\\n    b = 1\\nwith c:\\n    a[k]\\nreturn a[k] * b")
    b = 1
    with c:
        pass
    return a[k] * b
    >>> left("a[k]\\nk = 2\\na[k]\\nif c:\\n    raise e\\nreturn a[k]")
    a[k]
    k = 2
    a[k]
    if c:
        raise e
    return a[k]
    """
    effects = effects or Effects(facts)
    if not any(_is_check(s, effects) for top in body for s in nested(top)):
        return body
    return _Covered(body, facts, effects, parameters).kept(body)


def _is_check(s: Stmt, effects: Effects) -> bool:
    return isinstance(s, gast.Expr) and effects.of(s).check


@dataclass(frozen=True)
class _Place:
    """Where something is evaluated: in which blocks, and how many statements stand before it."""

    path: Path
    at: int

    def in_a_loop_with(self, other: _Place, but_not: _Place) -> bool:
        """Is there a loop around two places that is not around a third?"""
        mine, yours, theirs = ({s.owner for s in p.path if s.turns} for p in (self, other, but_not))
        return bool((mine & yours) - theirs)


#: what stands for what raises when a check does, one for each of them; and where
_Wanted = tuple[list[Any], _Place]


class _Covered:
    """Which checks of a function are covered."""

    def __init__(self, body: list[Stmt], facts: Facts, effects: Effects, parameters: Collection[str]) -> None:
        self.facts, self.effects, self.at = facts, effects, 0
        self.nothing = may_lack_value(body, frozenset(parameters))
        #: where what may raise is evaluated, by what stands for all that raises at the same time
        self.evaluated: dict[Any, list[_Place]] = {}
        #: where the function is left, or the turn of a loop ends
        self.exits: list[_Place] = []
        self.ends: list[_Place] = []
        #: of each check
        self.wanted: dict[int, list[_Wanted]] = {}
        self.numbers = Numbering(body, facts, effects, parameters)
        checks = [s.value for top in body for s in nested(top) if _is_check(s, effects)]
        #: the sorts of keys that checks have: what else is evaluated covers none of them
        self.sorts = {_sort(key, node) for check in checks for node in _sides(check) for key in self.keys(node, True)}
        self.numbers.run(self.see)
        self.covered = {check for check, wanted in self.wanted.items() if self.is_covered(wanted)}

    def see(self, s: Stmt, path: Path) -> None:
        self.at += 1
        here = _Place(path, self.at)
        if _is_check(s, self.effects):
            self.wanted[id(s)] = list(self.wanted_by(s.value, here))
            return
        for key in (key for part in _headers(s) for node in self.looked_at(part) for key in self.keys(node)):
            self.evaluated.setdefault(key, []).append(here)
        if isinstance(s, (gast.Return, gast.Raise, gast.Assert)):
            self.exits.append(here)
        elif isinstance(s, (gast.Break, gast.Continue)):
            self.ends.append(here)

    def looked_at(self, part: Any) -> list[Any]:
        """What is evaluated in an expression, without that which covers no check that is there."""
        sorts = self.sorts
        found = []
        for node in evaluated(part):
            cls = type(node)
            if cls is gast.Name:
                covers = gast.Name in sorts
            elif cls is gast.Subscript:
                covers = "element" in sorts or "item" in sorts
            elif cls is gast.BinOp:
                op = type(node.op)
                covers = op in sorts or "fit" in sorts
                covers = covers or ("nonzero" in sorts and op in _DIVIDES) or (op is gast.MatMult and "inner" in sorts)
            else:
                covers = cls not in _NO_CHECK
            if covers:
                found.append(node)
        return found

    def wanted_by(self, check: Expr, place: _Place) -> Iterator[_Wanted]:
        """A check, or what is checked on each side of a condition."""
        if not isinstance(check, gast.IfExp):
            yield self.keys(check, True), place
            return
        cause, turned = self.numbers.asked(check.test)
        for k, side in enumerate((check.body, check.orelse)):
            if not isinstance(side, gast.Constant):
                yield from self.wanted_by(side, _Place((*place.path, Step(cause, k ^ turned, id(check))), place.at))

    def is_covered(self, wanted: list[_Wanted]) -> bool:
        """Is what raises when a check does evaluated anyway? Else the check is, and covers others."""
        found = ((place, (p for key in keys for p in self.evaluated.get(key, ()))) for keys, place in wanted)
        if all(any(self.covers(p, place) for p in others) for place, others in found):
            return True
        for keys, place in wanted:
            for key in keys:
                self.evaluated.setdefault(key, []).append(place)
        return False

    def covers(self, place: _Place, check: _Place) -> bool:
        """Is a place passed whenever another one is, and nothing left in between?"""
        if place.path != check.path[: len(place.path)]:
            return False
        if place.at <= check.at:
            return True
        left = [*self.exits, *(e for e in self.ends if e.in_a_loop_with(place, _NOWHERE))]
        return not any(
            (e.at > check.at or e.in_a_loop_with(check, place))
            and (e.at < place.at or e.in_a_loop_with(place, check))
            and not exclusive(e.path, check.path)
            for e in left
        )

    # --- what is left

    def kept(self, block: list[Stmt]) -> list[Stmt]:
        out: list[Stmt] = []
        for s in block:
            if id(s) in self.covered:
                continue
            if id(s) in self.wanted or isinstance(s, gast.Try):  # (what raises there decides what is run)
                out += self.as_statements(s)
                continue
            made = with_blocks(s, self.kept)
            if isinstance(made, gast.If):
                out += branch(made, made.body, made.orelse, self.effects)
            elif isinstance(made, gast.For) and not made.body and self.effects.of(made).pure:
                out += made.orelse  # (its body held nothing else, and no `break`)
            elif isinstance(made, (gast.For, gast.While, gast.With)) and not made.body:
                out.append(with_fields(made, body=[gast.Pass()]))
            else:
                out.append(made)
        return out

    def as_statements(self, s: Any) -> list[Stmt]:
        """A check as lines: that of one side of a condition is in a branch."""
        check = s.value if isinstance(s, gast.Expr) else None
        if isinstance(check, gast.Name) and check.id in self.nothing:
            name = self.facts.user_name.get(check.id, check.id)
            flag = isinstance(self.facts.kinds.get(check.id), Number) and name.removeprefix("no_") in self.facts.users
            name = name.removeprefix("no_") if flag else name  # (it says whether what has that name is None)
            reason = f"cannot access local variable {name!r} where it is not associated with a value"
            made = quote_statements(f"if x is None: raise UnboundLocalError({reason!r})", x=check)
        elif isinstance(check, gast.IfExp):
            sides = []
            for side in (check.body, check.orelse):
                line = gast.Expr(side)
                line.origin = getattr(s, "origin", None)
                sides.append([] if isinstance(side, gast.Constant) else self.as_statements(line))
            first, second = sides
            test = check.test if first else negate(check.test)
            made = [gast.If(test, first or second, second if first else [])]
        else:
            return [s]
        for one in made:
            one.origin = getattr(s, "origin", None)
        return made

    # --- what stands for what

    def keys(self, node: Any, check: bool = False) -> list[Any]:
        """What stands for all that raises when a node does, which is a check or what is computed anyway."""
        facts, number = self.facts, self.numbers.of
        if isinstance(node, gast.Subscript):
            shape, index = shape_of(node.value, facts), number(node.slice)
            own = ("item", self.numbers.length(node.value), index)
            return [("element", shape, index), own] if shape else [own]
        count = counted(node)
        if count is not None:
            shape = shape_of(count[0], facts)
            return [("count", tuple(count[1]), shape[0] if shape else number(count[0]))]
        target = getattr(infer(node.func, facts), "value", None) if isinstance(node, gast.Call) else None
        if target is np.broadcast_shapes:
            return [("fit", frozenset(lengths_in(a, facts) for a in node.args))]
        if isinstance(getattr(node, "op", None), gast.MatMult):
            inner = inner_lengths(node, facts) if isinstance(node, gast.BinOp) else None
            vectors = all(len(shape_of(o, facts) or ()) == 1 for o in operands_of(node))
            fit = [("fit", frozenset((n,) for n in inner))] if inner and vectors else []
            return [*fit, ("inner", inner)] if inner else [number(node)]
        if divides_numbers(node, facts):
            return [("nonzero", number(v)) for v in ([node.right] if check else _factors(node.right))]
        if isinstance(node, (gast.BinOp, gast.AugAssign)) or is_elementwise(node, facts) or target is np.full_like:
            shapes = frozenset(s for o in operands_of(node) if (s := shape_of(o, facts)))
            its_shapes_fit = check and fits(list(shapes))  # (something else may not)
            return [number(node)] if its_shapes_fit else [("fit", shapes), number(node)]
        if target in (np.linalg.solve, np.linalg.inv) and node.args:
            matrix = node.args[0]
            plain = matrix.value if isinstance(matrix, gast.Attribute) and matrix.attr == "T" else matrix
            return [("regular", number(plain))]
        if target in (np.histogram, np.histogram_bin_edges) and len(node.args) == 2:
            weights = [k.value for k in node.keywords if k.arg == "weights"]
            shape = shape_of(node.args[0], facts)
            if len(weights) == len(node.keywords) and all(shape and shape_of(w, facts) == shape for w in weights):
                return [("binned", *map(number, node.args)), number(node)]
        if isinstance(node, gast.Name) and node.id in self.nothing:
            return [("bound", number(node))] if check else []
        return [number(node)] if isinstance(node, _KNOWN_BY_ALL) else []


def _sides(check: Expr) -> Iterator[Expr]:
    """A check, or what is checked on the sides of a condition."""
    if not isinstance(check, gast.IfExp):
        yield check
        return
    for side in (check.body, check.orelse):
        if not isinstance(side, gast.Constant):
            yield from _sides(side)


def _sort(key: Any, node: Expr) -> Any:
    """What a key of a check is about; of a number, which kind of expression it is the number of."""
    if isinstance(key, tuple):
        return key[0]
    return type(node.op) if isinstance(node, gast.BinOp) else type(node)


_NOWHERE = _Place((), 0)
#: operators that raise for a zero on the right, and expressions that stand for no check
_DIVIDES = frozenset((gast.Div, gast.FloorDiv, gast.Mod))
_NO_CHECK = frozenset((gast.Constant, gast.Attribute, gast.UnaryOp, gast.Slice))
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
#: what is the same only where all of it is
_KNOWN_BY_ALL = (gast.Call, gast.BinOp, gast.Name, gast.Compare, gast.BoolOp, *COMPREHENSIONS)
#: expressions whose parts are not evaluated in any case, or more than once
NOT_ALWAYS = (*COMPREHENSIONS, gast.Lambda, gast.IfExp, gast.BoolOp)


def evaluated(node: Any) -> list[Any]:
    """An expression and those in it that are evaluated once, whatever their values."""
    found: list[Any] = []
    todo = [node]
    while todo:
        one = todo.pop()
        found.append(one)
        if not isinstance(one, NOT_ALWAYS):
            todo += reversed(children(one))
    return found


def _factors(node: Any) -> list[Expr]:
    """A divisor, and what it is a product or a power of: none of them is zero where it is not."""
    if not isinstance(node, gast.BinOp) or not isinstance(node.op, (gast.Mult, gast.Pow)):
        return [node]
    return [node, *_factors(node.left), *(_factors(node.right) if isinstance(node.op, gast.Mult) else ())]


def _headers(statement: Any) -> list[Any]:
    """The expressions of a statement that are evaluated when it is reached."""
    if isinstance(statement, gast.AugAssign):
        return [statement]
    if isinstance(statement, gast.Assign):
        return [*statement.targets, statement.value]
    parts = [getattr(statement, name, None) for name in ("test", "iter", "value")]
    return [p for p in parts if isinstance(p, gast.AST)]
