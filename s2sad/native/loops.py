"""Stores of elementwise expressions as loops over elements: no array in between, and nothing is copied onto itself.

    u[1:-1] += k * t    ->    for i in range(len(u[1:-1])):
                                  u[i + 1] += k * t[i]

A statement becomes a loop where all lengths are equal for certain, and where what is stored is not read elsewhere on
the right. (Numba makes one loop of an expression, into memory of its own, and copies it from there.)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, Facts, Stmt, assign, blocks_of, clone, load, text, walk_names
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Dim, Number, Static
from s2sad.native.kinds_here import called, follow
from s2sad.tidy.aliases import Roots, roots

#: functions of NumPy that work element by element, on numbers as on arrays
_ELEMENTWISE = (
    np.exp, np.log, np.sin, np.cos, np.tan, np.tanh, np.sinh, np.cosh, np.sqrt, np.abs, np.log1p, np.expm1, np.arctan,
    np.arcsin, np.arccos, np.sign, np.maximum, np.minimum,
)  # fmt: skip
_OPERATORS = (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.Pow)


class _Stays(Exception):
    """A statement that cannot be a loop."""


def with_loops(body: list[Stmt], facts: Facts, parameters: list[str], raises: bool = False) -> list[Stmt]:
    """The statements, with stores of elementwise expressions as loops.

    Args:
        body: the statements of a function.
        facts: what is known of its names.
        parameters: the names of its parameters.
        raises: does a division of numbers by zero raise? One of arrays does not: it is no loop then.

    >>> from s2sad.core import quote_statements, text
    >>> n = Dim.symbol("n")
    >>> x = Array(np.dtype(float), (n,))
    >>> facts = Facts(kinds={"u": x, "t": Array(np.dtype(float), (n - 2,)), "k": Number(float)}, globals={"np": np})
    >>> print(text(with_loops(quote_statements("u[1:-1] += k * t"), facts, ["u", "t", "k"])))
    for i in range(len(u[1:-1])):
        u[i + 1] += k * t[i]
    """
    memory = roots(body, facts, parameters=parameters)
    turns: list[str] = []
    made: dict[int, list[Stmt]] = {}

    def visit(statement: Stmt, here: Facts) -> None:
        if isinstance(statement, (gast.Assign, gast.AugAssign)):
            try:
                made[id(statement)] = _Loop(here, memory, statement, turns, raises).statements()
            except _Stays:
                return

    follow(body, facts, visit)

    def replaced(block: list[Stmt]) -> list[Stmt]:
        out = []
        for statement in block:
            for inner in blocks_of(statement):
                inner[:] = replaced(inner)
            out += made.get(id(statement), [statement])
        return out

    return replaced(body)


@dataclass
class _Loop:
    """One statement on its way to a loop."""

    facts: Facts
    memory: Roots
    statement: Any
    #: the variables of loops, which all of a function's share
    names: list[str]
    raises: bool
    turns: list[str] = field(default_factory=list)
    shape: tuple[Dim, ...] = ()
    #: numbers that are computed once, in front of the loop
    before: list[Stmt] = field(default_factory=list)

    def statements(self) -> list[Stmt]:
        statement = self.statement
        augmented = isinstance(statement, gast.AugAssign)
        target = statement.target if augmented else statement.targets[0]
        if not augmented and (len(statement.targets) != 1 or not isinstance(target, gast.Subscript)):
            raise _Stays
        if augmented and (not isinstance(statement.op, _OPERATORS) or self.may_raise(statement.op)):
            raise _Stays
        read = clone(target)
        read.ctx = gast.Load()
        kind = self.kind(read)
        if not isinstance(kind, Array) or not kind.shape or kind.dtype != np.float64:
            raise _Stays
        if isinstance(statement.value, (gast.Name, gast.Constant, gast.Subscript)) and not augmented:
            raise _Stays  # a copy, or one number for all: Numba's own way does as well
        self.shape = kind.shape
        while len(self.names) < len(kind.shape):
            self.names.append(self.facts.fresh("ijklmn"[len(self.names)]))
        self.turns = self.names[: len(kind.shape)]
        self.stored = text(read)
        self.bases = self.bases_of(read)
        value = self.element(statement.value)
        place = self.item(read)
        place.ctx = gast.Store()
        store: Any = (
            gast.AugAssign(place, statement.op, value) if augmented else gast.Assign([place], value, None)
        )
        sizes = [f"len({self.stored})"] if len(self.turns) == 1 else [
            f"{self.stored}.shape[{k}]" for k in range(len(self.turns))
        ]  # fmt: skip
        for turn, size in reversed(list(zip(self.turns, sizes, strict=True))):
            header = gast.parse(f"for {turn} in range({size}): pass").body[0]
            header.body = [store]
            store = header
        for name in ("origin", "comment"):
            if name in statement.__dict__:
                setattr(store, name, statement.__dict__[name])
        return [*self.before, store]

    def kind(self, node: Expr) -> Any:
        return infer(node, self.facts)

    def may_raise(self, op: Any) -> bool:
        return self.raises and isinstance(op, (gast.Div, gast.Pow))

    def bases_of(self, node: Any) -> frozenset[str]:
        while isinstance(node, (gast.Subscript, gast.Attribute)):
            node = node.value
        if not isinstance(node, gast.Name):
            raise _Stays
        return self.memory.get(node.id, frozenset((node.id,)))

    def element(self, node: Any) -> Expr:
        """An expression for one element."""
        kind = self.kind(node)
        if isinstance(kind, (Number, Static)):
            return self.number(node, kind)
        if not isinstance(kind, Array) or not kind.shape or kind.dtype != np.float64:
            raise _Stays
        if isinstance(node, gast.BinOp) and isinstance(node.op, _OPERATORS) and not self.may_raise(node.op):
            return gast.BinOp(self.element(node.left), node.op, self.element(node.right))
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
            return gast.UnaryOp(node.op, self.element(node.operand))
        if isinstance(node, gast.Call):
            if not any(called(node.func, self.facts) is f for f in _ELEMENTWISE) or node.keywords:
                raise _Stays
            return gast.Call(clone(node.func), [self.element(a) for a in node.args], [])
        if kind.shape != self.shape[len(self.shape) - len(kind.shape) :]:
            raise _Stays
        if self.bases & self.bases_of(node) and text(node) != self.stored:
            raise _Stays
        return self.item(node)

    def number(self, node: Any, kind: Any) -> Expr:
        """A number: as it stands where it is a name or a constant, else computed once."""
        types = kind.of_types() if isinstance(kind, Number) else {type(kind.value)}
        if not types <= {int, float, np.float64, np.int64}:
            raise _Stays
        if isinstance(node, (gast.Name, gast.Constant)):
            return clone(node)
        name = self.facts.fresh("factor")
        self.facts.kinds[name] = kind
        self.before.append(assign(name, clone(node)))
        return load(name)

    def item(self, node: Any) -> Any:
        """One element of an array, or of a basic slice of one."""
        count = len(self.kind(node).shape)
        turns = self.turns[len(self.turns) - count :]
        if isinstance(node, gast.Name):
            return _at(node, [load(t) for t in turns])
        if not isinstance(node, gast.Subscript) or not isinstance(node.value, gast.Name):
            raise _Stays
        base = self.kind(node.value)
        if not isinstance(base, Array) or base.shape is None:
            raise _Stays
        parts = list(node.slice.elts) if isinstance(node.slice, gast.Tuple) else [node.slice]
        parts += [gast.Slice(None, None, None)] * (len(base.shape) - len(parts))
        places: list[Expr] = []
        for part in parts:
            if isinstance(part, gast.Slice):
                places.append(_shifted(load(turns[len([p for p in places if _is_turn(p, turns)])]), part))
            elif isinstance(part, (gast.Name, gast.Constant)) and isinstance(self.kind(part), (Number, Static)):
                if isinstance(part, gast.Constant) and type(part.value) is not int:
                    raise _Stays
                places.append(clone(part))
            else:
                raise _Stays
        return _at(node.value, places)


def _is_turn(place: Any, turns: list[str]) -> bool:
    return any(n.id in turns for n in walk_names(place))


def _at(node: Any, places: list[Expr]) -> Any:
    index = places[0] if len(places) == 1 else gast.Tuple(places, gast.Load())
    return gast.Subscript(clone(node), index, gast.Load())


def _shifted(turn: Expr, part: Any) -> Expr:
    """The place of an element of a slice that begins at a constant, or at the end of nothing."""
    if part.step is not None and not (isinstance(part.step, gast.Constant) and part.step.value in (None, 1)):
        raise _Stays
    start = part.lower
    if start is None:
        return turn
    if isinstance(start, gast.Constant) and type(start.value) is int and start.value >= 0:
        return turn if not start.value else gast.BinOp(turn, gast.Add(), clone(start))
    raise _Stays
