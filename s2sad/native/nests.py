"""Loops over the elements of arrays: what array statements say, one element at a time.

A nest is a tree of loops. A statement on arrays is put into it as a statement on elements (`Nest.add`): what stands in
the place of an array is its element at the turns of the loops, and an array that nobody else reads (`Action.virtual`)
is the expression that it is made of: a number of the loop.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from s2sad.core import (
    Expr,
    Facts,
    Stmt,
    assign,
    clone,
    global_name,
    load,
    names_read,
    quote,
    quote_statements,
    store,
    text,
    walk_names,
)
from s2sad.kinds.dims import ONE, at_least, certain_lower
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Dim, Number, Static
from s2sad.kinds.known import int_value
from s2sad.native.kinds_here import called
from s2sad.runtime import helpers

#: functions of NumPy that work element by element, on numbers as on arrays
ELEMENTWISE = (
    np.exp, np.log, np.sin, np.cos, np.tan, np.tanh, np.sinh, np.cosh, np.sqrt, np.abs, np.log1p, np.expm1, np.arctan,
    np.arcsin, np.arccos, np.sign, np.maximum, np.minimum,
)  # fmt: skip
#: those that cost no more than a few additions
CHEAP = (np.abs, np.sign, np.maximum, np.minimum)
OPERATORS = (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.Pow)
#: reductions that have a loop of their own, inside of the loops over what they leave
REDUCTIONS = (np.sum, np.mean, np.max, np.min)
#: functions of truth values, on arrays of such
LOGICAL = (np.logical_and, np.logical_or, np.logical_not)
_LOGICAL = {gast.BitAnd: gast.And(), gast.BitOr: gast.Or()}
DTYPES = ("float64", "float32", "int64", "bool")
FLOATS = (np.float64, np.float32)
Shape = tuple[Dim, ...]


class Stays(Exception):
    """What cannot be a loop."""


@dataclass
class Action:
    """A statement of a run of array statements.

    Attributes:
        statement: as it stands.
        here: what is known of the names where it stands.
        does: "define" (a new array), "total" (a number), "collect" (a sum along axes in front), "store" or "scatter"
            (into an array that is there), "view".
        name: the name that it binds or stores into.
        value: the array that it is made of.
        space: the lengths of its loops.
        place: of a store, the target; of a scatter, the index.
        op: of an augmented store, the operator.
        axes: of a collection, the axes that go.
        mean: is the sum divided by its length?
        virtual: is it never made, since its elements are numbers in the loops of those that read it?
    """

    statement: Stmt
    here: Facts
    does: str
    name: str
    value: Expr
    space: Shape
    place: Any = None
    op: Any = None
    axes: tuple[int, ...] = ()
    mean: bool = False
    virtual: bool = False


@dataclass
class Level:
    """A loop: its variable, how often it runs, what is in it."""

    turn: str
    size: Expr | None
    dim: Dim | None
    outer: Level | None
    depth: int
    body: list[Any] = field(default_factory=list)
    #: what gives its turns, where these may run at once
    prange: Expr | None = None

    def statements(self) -> list[Stmt]:
        out: list[Stmt] = []
        for part in self.body:
            out += part.loop() if isinstance(part, Level) else [part]
        return out

    def loop(self) -> list[Stmt]:
        turns = gast.Call(self.prange or load("range"), [self.size], [])
        return [gast.For(store(self.turn), turns, self.statements(), [], None)]


@dataclass(frozen=True)
class Access:
    """That an element is read or written: of which array, where, for the action at which place of the run."""

    name: str
    index: tuple[str, ...]
    by: int
    added: bool = False


class Nest:
    """Loops on their way.

    Args:
        run: the actions whose virtual arrays are looked up.
        turn: gives the name of the variable of a loop, by its depth; "r" marks the loop of a reduction.
        size: gives the length of an axis as an expression.
        function: gives the function of a loop for one of NumPy's, or for "plus" (None: as it stands).
        raises: does a division of numbers raise?
        meet: may two names share memory?
        given: the names of numbers that loops have used so far, and may use again.
    """

    def __init__(
        self, run: list[Action], facts: Facts, turn: Callable[[int, str], str], size: Callable[[Dim], Expr],
        function: Callable[[Any], Expr | None], raises: bool, given: set[str],
        meet: Callable[[str, str], bool],
    ) -> None:  # fmt: skip
        self.facts = facts
        self.virtual = {a.name: k for k, a in enumerate(run) if a.virtual}
        self.run, self.given, self.meet = run, given, meet
        self.turn, self.size, self.function, self.raises = turn, size, function, raises
        self.root = Level("", None, None, None, 0)
        self.tip = self.current = self.root
        #: by the names of their variables, and of the places that are read in them, the loops
        self.levels: dict[str, Level] = {}
        self.before: list[Stmt] = []
        self.after: list[Stmt] = []
        self.reads: list[Access] = []
        self.writes: list[Access] = []
        self.numbers: set[str] = set()
        self.pulled: dict[str, int] = {}
        self.made: dict[tuple[str, tuple[str, ...]], tuple[str, Level]] = {}
        self.places: dict[str, str] = {}
        self.position = 0
        #: may a place lie outside of its array, for all that is known before the run?
        self.may_raise = False

    # the loops

    def path(self) -> list[Level]:
        """The loops around the last statement, outermost first."""
        found, level = list[Level](), self.tip
        while level.outer is not None:
            found.insert(0, level)
            level = level.outer
        return found

    def inner(self, dim: Dim, mark: str = "") -> Level:
        """A new loop in the current one."""
        level = Level(self.turn(self.current.depth, mark), self.size(dim), dim, self.current, self.current.depth + 1)
        self.levels[level.turn] = level
        self.insert(self.current, level)
        return level

    def insert(self, level: Level, part: Any) -> None:
        """Put a part into a loop, in front of the loop that is being written."""
        child = self.tip
        if child is not level:
            while child.outer is not None and child.outer is not level:
                child = child.outer
        if child is level or child not in level.body:
            level.body.append(part)
        else:
            level.body.insert(next(k for k, p in enumerate(level.body) if p is child), part)

    @contextmanager
    def at(self, level: Level) -> Iterator[None]:
        before, self.current = self.current, level
        yield
        self.current = before

    def add(self, position: int, shared: int) -> None:
        """Put an action into the loops, the first `shared` of which are those of the action before."""
        action = self.run[position]
        self.position = position
        path = self.path()[:shared]
        self.tip = self.current = path[-1] if path else self.root
        for dim in action.space[shared:]:
            self.tip = self.current = self.inner(dim)
            path.append(self.tip)
        index = [load(level.turn) for level in path]
        getattr(self, f"_{action.does}")(action, index)

    def numpy(self, source: str, **parts: Any) -> Any:
        """An expression with NumPy under the name that it has here."""
        return quote(source, np=global_name(np, "np", self.facts), **parts)

    def _append(self, source: str, **parts: Any) -> None:
        self.tip.body += quote_statements(source, **parts)

    def _define(self, action: Action, index: list[Expr]) -> None:
        kind: Any = infer(action.value, action.here)
        value = self.element(action.value, index, action.space, action.here)
        if not isinstance(value, (gast.Name, gast.Constant)) and self.reads_again(action.name):
            name = self.number_of(action.name, index)
            self.tip.body.append(assign(name, value))
            value = load(name)
        self.before += [assign(action.name, self.new("empty", action.space, kind.dtype))]
        self.tip.body.append(assign(self.write(action.name, index), value))
        if isinstance(value, gast.Name):
            self.made[action.name, tuple(map(text, index))] = value.id, self.tip

    def reads_again(self, name: str) -> bool:
        return any(name in names_read(a.value) for a in self.run)

    def number_of(self, name: str, index: list[Expr]) -> str:
        """What the element of an array is called as a number: t_ij for t[i, j]."""
        stem = re.sub(r"_(\d+)$", r"\1", name)
        plain = all(isinstance(i, gast.Name) for i in index)
        made = f"{stem}_{''.join(text(i).replace('_', '') for i in index)}" if plain else f"{stem}_at"
        if plain and (made in self.given or made not in self.facts.taken):
            self.given.add(made)
            self.facts.taken.add(made)
        else:
            made = self.facts.fresh(made)
        self.facts.kinds.pop(made, None)
        return made

    def new(self, how: str, shape: Shape, dtype: Any) -> Expr:
        sizes = [self.size(d) for d in shape]
        made = self.numpy(f"np.{how}(shape)", shape=sizes[0] if len(sizes) == 1 else gast.Tuple(sizes, gast.Load()))
        if dtype != np.float64:
            made.keywords = [gast.keyword("dtype", self.numpy(f"np.{'bool_' if dtype.kind == 'b' else dtype.name}"))]
        return made

    def _total(self, action: Action, index: list[Expr]) -> None:
        value = self.element(action.value, index, action.space, action.here)
        self.before.append(assign(action.name, gast.Constant(0.0, None)))
        self._add(action.name, value)
        if action.mean:
            count = self.size(action.space[0])
            for dim in action.space[1:]:
                count = gast.BinOp(count, gast.Mult(), self.size(dim))
            self.after += quote_statements("s /= n", s=action.name, n=count)
        if infer(action.value, action.here).dtype == np.float32:  # type: ignore[attr-defined]
            self.after.append(assign(action.name, self.numpy("np.float32(s)", s=action.name)))

    def _add(self, name: str, value: Expr) -> None:
        plus = self.function("plus")
        added = gast.AugAssign(store(name), gast.Add(), value) if plus is None else None
        self.tip.body.append(added or assign(name, gast.Call(plus, [load(name), value], [])))

    def _collect(self, action: Action, index: list[Expr]) -> None:
        value = self.element(action.value, index, action.space, action.here)
        kept = [k for k in range(len(index)) if k not in action.axes]
        shape = tuple(action.space[k] for k in kept)
        dtype = infer(action.value, action.here).dtype  # type: ignore[attr-defined]
        self.before.append(assign(action.name, self.new("zeros", shape, dtype)))
        target = self.write(action.name, [index[k] for k in kept], True)
        self.tip.body.append(gast.AugAssign(target, gast.Add(), value))
        if action.mean:
            count = self.size(action.space[action.axes[0]])
            for axis in action.axes[1:]:
                count = gast.BinOp(count, gast.Mult(), self.size(action.space[axis]))
            if dtype == np.float32:
                count = self.numpy("np.float32(n)", n=count)
            self.after += quote_statements("s /= n", s=action.name, n=count)

    def _store(self, action: Action, index: list[Expr]) -> None:
        value = self.element(action.value, index, action.space, action.here)
        added = isinstance(action.op, (gast.Add, gast.Sub))
        self.store(self.place(action.place, index, action, added), action.op, value)

    def store(self, place: Any, op: Any, value: Expr) -> None:
        if op is None:
            self.tip.body.append(assign(place, value))
        elif isinstance(op, gast.Div) and self.raises:
            read = clone(place)
            read.ctx = gast.Load()
            self.tip.body.append(assign(place, self.numpy("np.divide(a, b)", a=read, b=value)))
        else:
            self.tip.body.append(gast.AugAssign(place, op, value))

    def place(self, target: Any, index: list[Expr], action: Action, added: bool) -> Any:
        """The element of a view that is stored into."""
        count = len(self.reads)
        found = self.element(target, index, action.space, action.here)
        if not isinstance(found, gast.Subscript) or not isinstance(found.value, gast.Name):
            raise Stays
        del self.reads[count:]
        parts = list(found.slice.elts) if isinstance(found.slice, gast.Tuple) else [found.slice]
        return self.write(found.value.id, parts, added)

    def _scatter(self, action: Action, index: list[Expr]) -> None:
        places = list(action.place.elts) if isinstance(action.place, gast.Tuple) else [action.place]
        rank = max(len(getattr(infer(p, action.here), "shape", ())) for p in places)
        at = []
        for p in places:
            kind = infer(p, action.here)
            at.append(self.place_of(p, index[:rank], action.space[:rank], action.here) if isinstance(kind, Array)
                      else self.number(p))  # fmt: skip
        value = self.element(action.value, index, action.space, action.here)
        self.store(self.write(action.name, [*at, *index[rank:]], True), action.op, value)

    def write(self, name: str, index: list[Expr], added: bool = False) -> Any:
        self.writes.append(Access(name, self.texts(index), self.position, added))
        self.made = {key: made for key, made in self.made.items() if key[0] != name}
        place = at(load(name), index)
        place.ctx = gast.Store()
        return place

    def has_independent_turns(self) -> bool:
        """May the turns of the outermost loop run at once: does none touch what another one writes?

        (What a turn raises would be lost.)
        """
        loops = [part for part in self.root.body if isinstance(part, Level)]
        accesses = [*self.reads, *self.writes]
        if len(loops) != 1 or self.may_raise:
            return False
        turn = loops[0].turn
        for write in self.writes:
            axes = [k for k, i in enumerate(write.index) if i == turn or i.startswith(f"{turn} + ")]
            same = [a for a in accesses if self.meet(a.name, write.name)]
            alike = [a for a in same if a.name == write.name and len(a.index) == len(write.index)]
            if len(alike) < len(same) or not any(len({a.index[k] for a in alike}) == 1 for k in axes):
                return False
        return True

    # elements

    def element(self, node: Any, index: list[Expr], shape: Shape, here: Facts) -> Expr:
        """The element of an array at an index; of one that is broadcast, what stands there in its place.

        Args:
            node: an expression.
            index: the place in an array of the shape.
            shape: what it is broadcast to.
            here: what is known of its names.
        """
        kind = infer(node, here)
        if isinstance(kind, (Number, Static)):
            return self.number(node)
        if not isinstance(kind, Array) or kind.shape is None or kind.dtype.name not in DTYPES or kind.mixed:
            raise Stays
        rank = len(kind.shape)
        if not rank or rank > len(index):
            raise Stays
        wanted = shape[len(shape) - rank :]
        if any(d != w and d != ONE for d, w in zip(kind.shape, wanted, strict=True)):
            raise Stays
        index = [gast.Constant(0, None) if d == ONE else i
                 for d, i in zip(kind.shape, index[len(index) - rank :], strict=True)]  # fmt: skip
        found = getattr(self, f"_of_{type(node).__name__}", None)
        if found is None:
            raise Stays
        level = self.level_of(index)
        if level is self.current or not isinstance(node, (gast.BinOp, gast.Call)):
            return found(node, index, kind, here)
        with self.at(level):  # it is the same at all turns of the loops inside, whose axes it is broadcast along
            made: Expr = found(node, index, kind, here)
        if isinstance(made, (gast.Name, gast.Constant, gast.Subscript)):
            return made
        name = self.facts.fresh("t")
        self.insert(level, assign(name, made))
        return load(name)

    def number(self, node: Any) -> Expr:
        self.numbers |= names_read(node)
        return clone(node)

    def _of_Name(self, node: Any, index: list[Expr], kind: Array, here: Facts) -> Expr:
        key = node.id, tuple(map(text, index))
        if key in self.made and self.is_around(self.made[key][1]):
            return load(self.made[key][0])
        if node.id in self.virtual:
            return self.pull(node.id, index, key)
        self.reads.append(Access(node.id, self.texts(index), self.position))
        return at(load(node.id), index)

    def is_around(self, level: Level) -> bool:
        inside: Level | None = self.current
        while inside is not None and inside is not level:
            inside = inside.outer
        return inside is level

    def level_of(self, index: list[Expr]) -> Level:
        """The innermost loop that an index depends on."""
        turns = [self.levels[n.id] for i in index for n in walk_names(i) if n.id in self.levels]
        return max(turns, key=lambda t: t.depth, default=self.root)

    def pull(self, name: str, index: list[Expr], key: tuple[str, tuple[str, ...]]) -> Expr:
        """The element of an array that is never made."""
        place = self.virtual[name]
        action = self.run[place]
        level = self.level_of(index)
        self.pulled[name] = self.pulled.get(name, 0) + 1
        before, self.position = self.position, place
        with self.at(level):
            value = self.element(action.value, index, action.space, action.here)
        self.position = before
        if action.does == "view" or isinstance(value, (gast.Name, gast.Constant)):
            return value
        uses = sum(n.id == name for a in self.run for n in walk_names(a.value) if isinstance(n.ctx, gast.Load))
        if uses == 1 and level is self.current:
            return value
        made = self.number_of(name, index)
        self.insert(level, assign(made, value))
        self.made[key] = made, level
        return load(made)

    def _of_BinOp(self, node: Any, index: list[Expr], kind: Array, here: Facts) -> Expr:
        kinds = [infer(e, here) for e in (node.left, node.right)]
        if kind.dtype == bool:
            if type(node.op) not in _LOGICAL or not all(isinstance(k, Array) for k in kinds):
                raise Stays
            return gast.BoolOp(_LOGICAL[type(node.op)], [self.element(e, index, kind.shape, here)  # type: ignore[arg-type]
                                                         for e in (node.left, node.right)])  # fmt: skip
        if not isinstance(node.op, OPERATORS) or (kind.dtype not in FLOATS and isinstance(node.op, gast.Pow)):
            raise Stays
        assert kind.shape is not None
        left, right = (self.element(e, index, kind.shape, here) for e in (node.left, node.right))
        if isinstance(node.op, gast.Pow):
            right = node.right if has_half(node.right) else right
            if not isinstance(left, gast.Name) and has_half(node.right):
                name = self.facts.fresh("base")
                self.insert(self.current, assign(name, left))
                left = load(name)
            return self.power(left, right, node.right, kind)
        if isinstance(node.op, gast.Div) and self.raises:
            return self.numpy("np.divide(a, b)", a=left, b=right)
        return gast.BinOp(left, node.op, right)

    def power(self, base: Expr, exponent: Expr, written: Any, kind: Array) -> Expr:
        """A power; with halves in the exponent a root, which costs a tenth."""
        if not has_half(written):
            return gast.BinOp(base, gast.Pow(), exponent)
        value = float(text(_constant(written)))
        made = self.numpy("np.sqrt(x)", x=base)
        for _ in range(int(abs(value))):
            made = gast.BinOp(clone(base), gast.Mult(), made)
        one = "np.float32(1.0)" if kind.dtype == np.float32 else "1.0"
        return made if value > 0 else self.numpy(f"{one} / r", r=made)

    def _of_UnaryOp(self, node: Any, index: list[Expr], kind: Array, here: Facts) -> Expr:
        assert kind.shape is not None
        if isinstance(node.op, gast.USub) and kind.dtype != bool:
            return gast.UnaryOp(node.op, self.element(node.operand, index, kind.shape, here))
        if isinstance(node.op, gast.Invert) and kind.dtype == bool:
            return gast.UnaryOp(gast.Not(), self.element(node.operand, index, kind.shape, here))
        raise Stays

    def _of_Compare(self, node: Any, index: list[Expr], kind: Array, here: Facts) -> Expr:
        if len(node.ops) != 1 or isinstance(node.ops[0], (gast.In, gast.NotIn, gast.Is, gast.IsNot)):
            raise Stays
        assert kind.shape is not None
        left, right = (self.element(e, index, kind.shape, here) for e in (node.left, node.comparators[0]))
        return gast.Compare(left, node.ops, [right])

    def _of_Attribute(self, node: Any, index: list[Expr], kind: Array, here: Facts) -> Expr:
        if node.attr != "T" or kind.shape is None:
            raise Stays
        return self.element(node.value, index[::-1], kind.shape[::-1], here)

    def _of_Call(self, node: Any, index: list[Expr], kind: Array, here: Facts) -> Expr:
        shape = kind.shape
        assert shape is not None
        function, args = called(node.func, here), node.args
        if function is None and isinstance(node.func, gast.Attribute) and node.func.attr == "copy" and not args:
            return self.element(node.func.value, index, shape, here)
        if any(function is f for f in REDUCTIONS):
            return self.reduced(node, index, here)
        if any(isinstance(a, gast.Starred) for a in args) or node.keywords:
            raise Stays
        if any(function is f for f in ELEMENTWISE):
            own, elements = self.function(function), [self.element(a, index, shape, here) for a in args]
            made = gast.Call(own or clone(node.func), elements, [])
            return made if own is None or kind.dtype != np.float32 else self.numpy("np.float32(v)", v=made)
        if any(function is f for f in LOGICAL):
            return self.logical(function, args, index, shape, here)
        if function is np.where and len(args) == 3:
            test, yes, no = (self.element(a, index, shape, here) for a in args)
            return gast.IfExp(test, yes, no)
        if function is np.square:
            value = self.element(args[0], index, shape, here)
            return gast.BinOp(value, gast.Pow(), gast.Constant(2, None))
        if function is np.outer and all(_rank(infer(a, here)) == 1 for a in args):
            parts = [self.element(a, [index[k]], (shape[k],), here) for k, a in enumerate(args)]
            return gast.BinOp(parts[0], gast.Mult(), parts[1])
        if function is helpers.unbroadcast and infer(args[0], here) == kind:
            return self.element(args[0], index, shape, here)
        raise Stays

    def logical(self, function: Any, args: list[Expr], index: list[Expr], shape: Shape, here: Facts) -> Expr:
        if not all(isinstance(k, Array) and k.dtype == bool for k in (infer(a, here) for a in args)):
            raise Stays
        parts = [self.element(a, index, shape, here) for a in args]
        if function is np.logical_not:
            return gast.UnaryOp(gast.Not(), parts[0])
        return gast.BoolOp(gast.And() if function is np.logical_and else gast.Or(), parts)

    def reduced(self, node: Any, index: list[Expr], here: Facts) -> Expr:
        """A reduction along the last axes: a loop inside."""
        operand, axes, keepdims = reduction(node, here)
        kind = infer(operand, here)
        if not isinstance(kind, Array) or kind.shape is None or kind.dtype not in FLOATS:
            raise Stays
        count = len(kind.shape) - len(axes)
        function = called(node.func, here)
        if list(axes) != list(range(count, len(kind.shape))) or (keepdims and len(index) != len(kind.shape)):
            raise Stays
        if function in (np.max, np.min, np.mean) and not all(at_least(kind.shape[a], 1) for a in axes):
            raise Stays
        key = text(node) + str(self.position), tuple(map(text, index))
        if key in self.made and self.is_around(self.made[key][1]):
            return load(self.made[key][0])
        outer, tip, levels = self.current, self.tip, dict(self.levels)
        self.current = level = self.level_of(index)
        name = self.facts.fresh({np.max: "top", np.min: "least"}.get(function, "total"))
        first = {np.max: "-np.inf", np.min: "np.inf"}.get(function, "0.0")
        is_single = kind.dtype == np.float32
        is_sum = function not in (np.max, np.min)
        self.insert(level, assign(name, self.numpy(first if is_sum or not is_single else f"np.float32({first})")))
        turns = []
        for axis in axes:
            self.current = self.inner(kind.shape[axis], "r")
            self.tip = self.current
            turns.append(load(self.current.turn))
        value = self.element(operand, [*index[:count], *turns], kind.shape, here)
        if not is_sum:
            if not isinstance(value, gast.Name):
                one = self.facts.fresh("one")
                self.tip.body.append(assign(one, value))
                value = load(one)
            sign = ">" if function is np.max else "<"
            self._append(f"m = v if v {sign} m or v != v else m", m=name, v=value)
        else:
            self._add(name, value)
        self.current, self.tip, self.levels = outer, tip, levels
        value = load(name)
        if function is np.mean:
            size = self.size(kind.shape[axes[0]])
            for axis in axes[1:]:
                size = gast.BinOp(size, gast.Mult(), self.size(kind.shape[axis]))
            value = self.numpy("np.divide(s, n)" if self.raises else "s / n", s=name, n=size)
        if is_single and is_sum:  # (a sum of single precision is taken in double)
            name, value = self.facts.fresh("sum"), self.numpy("np.float32(s)", s=value)
        if not isinstance(value, gast.Name):
            self.insert(level, assign(name, value))
        self.made[key] = name, level
        return load(name)

    def _of_Subscript(self, node: Any, index: list[Expr], kind: Array, here: Facts) -> Expr:
        base = infer(node.value, here)
        if not isinstance(base, Array) or base.shape is None:
            raise Stays
        parts = list(node.slice.elts) if isinstance(node.slice, gast.Tuple) else [node.slice]
        kinds = [None if isinstance(p, gast.Slice) else infer(p, here) for p in parts]
        new = [isinstance(k, Static) and k.value is None for k in kinds]
        arrays = [k for k in kinds if isinstance(k, Array)]
        if any(isinstance(k, Static) and k.value is Ellipsis for k in kinds):
            raise Stays
        parts += [gast.Slice(None, None, None)] * (len(base.shape) - len(parts) + sum(new))
        kinds += [None] * (len(parts) - len(kinds))
        assert kind.shape is not None
        left, shape = list(index), list(kind.shape)
        joint, joint_shape = list[Expr](), tuple[Dim, ...]()
        if arrays:  # all in front, and integers: their axes come first
            if any(k.shape is None or k.dtype.kind not in "iu" for k in arrays) or any(new):
                raise Stays
            if any(not isinstance(k, Array) for k in kinds[: len(arrays)]):
                raise Stays
            rank = max(len(k.shape or ()) for k in arrays)
            joint, joint_shape = left[:rank], tuple(shape[:rank])
            left, shape = left[rank:], shape[rank:]
        places: list[Expr] = []
        for part, found, is_new in zip(parts, kinds, [*new, *[False] * len(parts)], strict=False):
            if is_new:
                left.pop(0)
            elif isinstance(part, gast.Slice):
                places.append(self.shifted(left.pop(0), part, base.shape[len(places)], here))
            elif isinstance(found, Array):
                places.append(self.place_of(part, joint, joint_shape, here))
            elif isinstance(found, (Number, Static)):
                places.append(self.fixed(part, base.shape[len(places)], int_value(found)))
            else:
                raise Stays
        if isinstance(node.value, gast.Name) and node.value.id not in self.virtual:
            self.reads.append(Access(node.value.id, self.texts(places), self.position))
            return at(load(node.value.id), places)
        return self.element(node.value, places, base.shape, here)

    def place_of(self, part: Any, index: list[Expr], shape: Shape, here: Facts) -> Expr:
        """A place that an array of places gives: read once, where its loop begins."""
        self.may_raise = True
        value = self.element(part, index, shape, here)
        if not isinstance(part, gast.Name) or not isinstance(value, gast.Subscript):
            return value
        key = f"{part.id}[]", tuple(map(text, index))
        level = self.level_of(index)
        if key not in self.made or not self.is_around(self.made[key][1]):
            name = self.number_of(part.id, index)
            with self.at(level):
                self.insert(level, assign(name, value))
            self.made[key] = name, level
            self.places[name] = text(value)
        name, self.levels[name] = self.made[key]  # (what is read there depends on the place's loop)
        return load(name)

    def texts(self, index: list[Expr]) -> tuple[str, ...]:
        """Where an element is, as it was written: `i[k]` for the name that this has got."""
        return tuple(self.places.get(place, place) for place in map(text, index))

    def fixed(self, part: Any, length: Dim, given: Dim | None) -> Expr:
        """A place that is the same for all elements: a name or a constant, from the front."""
        if given is not None and given.known and given.const < 0:
            given += length
        self.may_raise |= given is None or not all((certain_lower(d) or 0) > 0 for d in (given + 1, length - given))
        value = gast.Constant(part.value, None) if isinstance(part, gast.Constant) else part
        if isinstance(value, gast.UnaryOp) and isinstance(value.operand, gast.Constant):
            if type(value.operand.value) is int and isinstance(value.op, gast.USub):
                return gast.BinOp(self.size(length), gast.Sub(), clone(value.operand))
            raise Stays
        return self.number(part)

    def shifted(self, turn: Expr, part: Any, length: Dim, here: Facts) -> Expr:
        """The place of an element of a slice."""
        step = 1 if part.step is None else _int(part.step)
        if step == -1 and part.lower is None and part.upper is None:
            last = quote("n - 1", n=self.size(length))
            return last if _is_zero(turn) else gast.BinOp(last, gast.Sub(), turn)
        if step != 1:
            raise Stays
        start = part.lower
        if start is None or _int(start) == 0:
            return turn
        kind = infer(start, here)
        value = int_value(kind)
        if value is None or not at_least(value, 0):
            raise Stays
        self.numbers |= names_read(start)
        if _is_zero(turn):
            return clone(start)
        return gast.BinOp(turn, gast.Add(), clone(start))


def at(node: Expr, index: list[Expr]) -> Any:
    """An element of an array."""
    parts = [clone(i) for i in index]
    return gast.Subscript(node, parts[0] if len(parts) == 1 else gast.Tuple(parts, gast.Load()), gast.Load())


def reduction(node: Any, here: Facts) -> tuple[Expr, tuple[int, ...], bool]:
    """The operand, the axes and `keepdims` of a reduction."""
    given = {k.arg: k.value for k in node.keywords}
    if len(node.args) not in (1, 2) or not set(given) <= {"axis", "keepdims"}:
        raise Stays
    axis = given.get("axis", node.args[1] if len(node.args) == 2 else None)
    rank = _rank(infer(node.args[0], here))
    keepdims = given.get("keepdims", gast.Constant(False, None))
    if not rank or not isinstance(keepdims, gast.Constant):
        raise Stays
    axes = [_int(axis)] if axis is not None and not isinstance(axis, gast.Tuple) else [
        _int(e) for e in axis.elts] if axis is not None else list(range(rank))  # fmt: skip
    if isinstance(axis, gast.Constant) and axis.value is None:
        axes = list(range(rank))
    if any(a is None or not -rank <= a < rank for a in axes):
        raise Stays
    return node.args[0], tuple(sorted(a % rank for a in axes)), bool(keepdims.value)  # type: ignore[operator]


def has_half(exponent: Any) -> bool:
    """Is it a small constant between two integers?"""
    exponent = _constant(exponent)
    return isinstance(exponent, (gast.Constant, gast.UnaryOp)) and text(exponent).lstrip("-") in ("0.5", "1.5", "2.5")


def _constant(node: Any) -> Any:
    """What is written in `np.float32(0.5)`."""
    is_single = isinstance(node, gast.Call) and getattr(node.func, "attr", "") == "float32"
    return node.args[0] if is_single else node


def _int(node: Any) -> int | None:
    sign = 1
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        node, sign = node.operand, -1
    return sign * node.value if isinstance(node, gast.Constant) and type(node.value) is int else None


def _is_zero(node: Any) -> bool:
    return isinstance(node, gast.Constant) and node.value == 0


def _rank(kind: Any) -> int | None:
    return len(kind.shape) if isinstance(kind, Array) and kind.shape is not None else None
