"""A statement on arrays as parts: actions on elements, which become loops, and what is left of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, Facts, assign, clone, load, names_read, text, walk
from s2sad.kinds.dims import ONE, at_least
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Dim, Kind, Number, Static
from s2sad.native.kinds_here import called
from s2sad.native.nests import DTYPES, ELEMENTWISE, FLOATS, LOGICAL, OPERATORS, REDUCTIONS, Action, Stays, reduction
from s2sad.native.subset import Subset
from s2sad.runtime import helpers

_PURE = frozenset(("numpy", "math", "builtins", "s2sad"))
_METHODS = frozenset(("copy", "sum", "mean", "max", "min"))
_NUMBERS = {float, int, np.float64, np.float32, np.int64}


@dataclass
class Run:
    """What is known where a statement comes: the run of actions so far, and the names."""

    actions: list[Action]
    facts: Facts
    subset: Subset
    #: by statement: what is known of names there
    kinds: Mapping[int, dict[str, Kind]]
    #: what is known of names that were made on the way
    extra: dict[str, Kind]
    #: an expression for a length in front of the run
    size: Callable[[Dim], Expr]
    #: may two names share memory?
    meet: Callable[[str, str], bool]


class Parts:
    """A statement as parts: actions on elements, and what is left of it."""

    def __init__(self, run: Run, statement: Any) -> None:
        self.run = run
        self.statement = statement
        kinds = {**run.kinds.get(id(statement), run.facts.kinds), **run.extra}
        self.here = replace(run.facts, kinds=kinds)
        self.parts: list[Any] = []

    def of(self) -> list[Any]:
        statement = self.statement
        if not isinstance(statement, (gast.Assign, gast.AugAssign, gast.Return, gast.Expr)) or statement.value is None:
            return [statement]
        if not self.is_pure(statement):
            return [statement]
        try:
            last = self.last(self.with_sizes(clone(statement)))
        except Stays:
            return [statement]
        parts = [*self.parts, last]
        trees = [p.statement if isinstance(p, Action) else p for p in parts]
        for tree in trees:
            tree.origin = statement.__dict__.get("origin")
            tree.__dict__.pop("comment", None)
        if "comment" in statement.__dict__:
            trees[0].comment = statement.__dict__["comment"]
        return parts

    def with_sizes(self, node: Any) -> Any:
        """With the lengths of arrays that the run may never make as those of others."""
        made = {a.name for a in self.run.actions if a.does in ("define", "view")}
        length = self.length(node, made)
        if length is not None:
            return length
        for name, value in gast.iter_fields(node) if made else ():
            if isinstance(value, gast.AST):
                setattr(node, name, self.with_sizes(value))
            elif isinstance(value, list):
                setattr(node, name, [self.with_sizes(v) if isinstance(v, gast.AST) else v for v in value])
        return node

    def length(self, node: Any, made: set[str]) -> Expr | None:
        """What `x.shape[k]`, `x.size` or `len(x)` is without x."""
        axis = node.slice.value if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Constant) else None
        inner: Any = node.value if axis is not None else node
        if isinstance(inner, gast.Attribute) and inner.attr == ("size" if axis is None else "shape"):
            x = inner.value
        elif isinstance(node, gast.Call) and len(node.args) == 1 and called(node.func, self.here) is len:
            x, axis = node.args[0], 0
        else:
            return None
        kind = self.kind(x)
        if not isinstance(x, gast.Name) or x.id not in made or not isinstance(kind, Array) or not kind.shape:
            return None
        if axis is not None and (type(axis) is not int or not -len(kind.shape) <= axis < len(kind.shape)):
            return None
        found: Expr | None = None
        for dim in kind.shape if axis is None else (kind.shape[axis],):
            part = self.run.size(dim)
            found = part if found is None else gast.BinOp(found, gast.Mult(), part)
        return found

    def last(self, statement: Any) -> Any:
        made: Any = None
        if isinstance(statement, gast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, gast.Name):
                made = self.bound(target.id, statement)
            elif isinstance(target, gast.Subscript):
                made = self.stored(target, None, statement)
        elif isinstance(statement, gast.AugAssign):
            made = self.stored(statement.target, statement.op, statement)
        elif isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Call):
            made = self.scattered(statement)
        if made is not None:
            return made
        if isinstance(statement, gast.Return):
            whole = statement.value.elts if isinstance(statement.value, gast.Tuple) else [statement.value]
            whole = [self.named(v, "part") if self.is_compound(v) else self.part(v) for v in whole]
            statement.value = gast.Tuple(whole, gast.Load()) if isinstance(statement.value, gast.Tuple) else whole[0]
        elif isinstance(statement, gast.AugAssign):
            statement.value = self.part(statement.value)
        elif isinstance(statement, gast.Assign):
            statement.value = self.atomic(statement.value)
        return statement

    def is_pure(self, statement: Any) -> bool:
        for node in walk(statement):
            if isinstance(node, (gast.Lambda, gast.ListComp, gast.GeneratorExp, gast.DictComp, gast.SetComp,
                                 gast.NamedExpr, gast.IfExp, gast.BoolOp, gast.Await, gast.Yield)):  # fmt: skip
                return False
            if isinstance(node, gast.Call):
                function = called(node.func, self.here)
                module = (getattr(function, "__module__", None) or "").partition(".")[0]
                if function is None:
                    is_method = isinstance(node.func, gast.Attribute) and node.func.attr in _METHODS
                    if not is_method or not isinstance(self.kind(node.func.value), Array):
                        return False
                elif function != np.add.at and not isinstance(function, np.ufunc) and module not in _PURE:
                    return False
        return True

    def kind(self, node: Expr) -> Any:
        return infer(node, self.here)

    def is_array(self, node: Expr) -> bool:
        kind = self.kind(node)
        return isinstance(kind, Array) and bool(kind.shape) and kind.dtype.name in DTYPES and not kind.mixed

    def is_compound(self, node: Any) -> bool:
        """Is it an array that is computed element by element?"""
        if not self.is_array(node):
            return False
        if isinstance(node, (gast.BinOp, gast.UnaryOp, gast.Compare)):
            return not isinstance(node, gast.BinOp) or isinstance(node.op, (*OPERATORS, gast.BitAnd, gast.BitOr))
        if not isinstance(node, gast.Call):
            return False
        function = called(node.func, self.here)
        return any(function is f for f in (*ELEMENTWISE, *LOGICAL, np.where, np.square, np.outer)) or self.is_reduction(
            node
        )

    def is_reduction(self, node: Any) -> bool:
        """Is it a reduction along the last axes, which is a loop inside of others?"""
        if not isinstance(node, gast.Call) or not any(called(node.func, self.here) is f for f in REDUCTIONS):
            return False
        try:
            operand, axes, _ = reduction(node, self.here)
        except Stays:
            return False
        kind = self.kind(operand)
        return (
            isinstance(kind, Array)
            and kind.shape is not None
            and kind.dtype in FLOATS
            and 0 < len(axes) < len(kind.shape)
            and axes == tuple(range(len(kind.shape) - len(axes), len(kind.shape)))
        )

    def is_view(self, node: Any) -> bool:
        if isinstance(node, gast.Attribute) and node.attr == "T":
            return isinstance(node.value, gast.Name) or self.is_view(node.value)
        if not isinstance(node, gast.Subscript):
            return False
        parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
        kinds = [None if isinstance(p, gast.Slice) else self.kind(p) for p in parts]
        return all(k is None or isinstance(k, (Number, Static)) for k in kinds) and (
            isinstance(node.value, gast.Name) or self.is_view(node.value)
        )

    # statements

    def bound(self, name: str, statement: Any) -> Any:
        value = statement.value
        if name in names_read(value):  # (another array has the name then)
            if self.is_compound(value):
                statement.value = self.named(value, name)
            return None
        if self.is_view(value) and self.is_array(value):
            self.known(name, value)
            shape = getattr(self.kind(value), "shape", None)
            return Action(statement, self.here, "view", name, value, shape or ())
        if self.is_compound(value):
            statement.value = value = self.elementwise(value)
            return self.define(name, value, statement)
        return self.reduced(name, statement)

    def known(self, name: str, value: Expr) -> None:
        kind = self.kind(value)
        self.here = replace(self.here, kinds={**self.here.kinds, name: kind})

    def define(self, name: str, value: Expr, statement: Any) -> Action:
        kind = self.kind(value)
        if not isinstance(kind, Array) or kind.dtype.name not in DTYPES or not kind.shape:
            raise Stays
        return Action(statement, self.here, "define", name, value, kind.shape)

    def reduced(self, name: str, statement: Any) -> Any:
        """A sum of all elements, or along axes in front; None: it is neither."""
        value = statement.value
        if isinstance(value, gast.BinOp) and isinstance(value.op, gast.MatMult):
            parts = [value.left, value.right]
            if any(_rank(self.kind(p)) != 1 for p in parts):
                return None
            if self.kind(parts[0]).shape != self.kind(parts[1]).shape or not all(map(self.is_floats, parts)):
                return None
            value = gast.BinOp(parts[0], gast.Mult(), parts[1])
            value = self.elementwise(value)
            statement.value = gast.Call(self.run.subset.np("sum"), [value], [])
            return Action(statement, self.here, "total", name, value, self.kind(value).shape)
        if not isinstance(value, gast.Call):
            return None
        function = called(value.func, self.here)
        if function is helpers.unbroadcast:
            return self.unbroadcast(name, statement)
        if function is None and isinstance(value.func, gast.Attribute) and value.func.attr in ("sum", "mean"):
            value = gast.Call(self.run.subset.np(value.func.attr), [value.func.value, *value.args], value.keywords)
            function = getattr(np, value.func.attr)
        if function is not np.sum and function is not np.mean:
            return None
        try:
            operand, axes, keepdims = reduction(value, self.here)
        except Stays:
            return None
        kind = self.kind(operand)
        if not self.is_floats(operand) or keepdims:
            return None
        if function is np.mean and not all(at_least(kind.shape[a], 1) for a in axes):
            return None
        does = "total" if len(axes) == len(kind.shape) else "collect"
        if does == "total" and not self.is_compound(operand) and len(kind.shape) != 1:
            return None
        operand = self.elementwise(operand)
        statement.value = clone(value)
        statement.value.args[0] = operand
        return Action(statement, self.here, does, name, operand, kind.shape, axes=axes, mean=function is np.mean)

    def unbroadcast(self, name: str, statement: Any) -> Any:
        """A sum over the axes that were broadcast: those in front."""
        g, x = statement.value.args
        of, to = self.kind(g), self.kind(x)
        if not isinstance(of, Array) or not of.shape or not self.is_floats(g):
            return None
        if isinstance(to, Number):
            to = Array(np.dtype(float), ())
        if not isinstance(to, Array) or to.shape is None or len(to.shape) > len(of.shape):
            return None
        count = len(of.shape) - len(to.shape)
        if of.shape[count:] != to.shape:
            return None
        if not count:
            statement.value = g
            return self.bound(name, statement) if self.is_compound(g) else None
        operand = self.elementwise(g)
        statement.value.args[0] = operand
        does = "collect" if to.shape else "total"
        return Action(statement, self.here, does, name, operand, of.shape, axes=tuple(range(count)))

    def is_floats(self, node: Expr) -> bool:
        kind = self.kind(node)
        return isinstance(kind, Array) and kind.shape is not None and kind.dtype in FLOATS and not kind.mixed

    def stored(self, target: Any, op: Any, statement: Any) -> Any:
        read = clone(target)
        read.ctx = gast.Load()
        if op is not None and not isinstance(op, OPERATORS[:4]):
            return None
        if not self.is_floats(read) or not self.kind(read).shape or not (
            isinstance(read, gast.Name) or self.is_view(read)
        ):  # fmt: skip
            return None
        name = read
        while not isinstance(name, gast.Name):
            name = name.value
        if op is None and isinstance(statement.value, (gast.Constant, gast.Name, gast.Subscript)):
            return None if self.is_array(statement.value) or not self.run.actions else self.store(
                statement, read, op, name.id)  # fmt: skip
        if not self.is_array(statement.value) and not isinstance(self.kind(statement.value), (Number, Static)):
            return None
        statement.value = self.operand(statement.value)
        kind = self.kind(statement.value)
        if isinstance(kind, Array) and self.overlaps(statement.value, read, name.id):
            if not self.is_compound(statement.value):
                statement.value = gast.Call(gast.Attribute(statement.value, "copy", gast.Load()), [], [])
            statement.value = self.named(statement.value, "t")
        return self.store(statement, read, op, name.id)

    def store(self, statement: Any, read: Any, op: Any, name: str) -> Action:
        return Action(statement, self.here, "store", name, statement.value, self.kind(read).shape, place=read, op=op)

    def overlaps(self, value: Expr, target: Expr, name: str) -> bool:
        """Does it read, elsewhere than where it is stored, what is stored? (Virtual arrays are looked at later.)"""
        same = text(target)

        def reads(node: Any) -> bool:
            if text(node) == same:
                return False
            if isinstance(node, gast.Name):
                return self.run.meet(node.id, name) and self.is_array(node)
            if isinstance(node, gast.Attribute) and node.attr in ("shape", "size"):
                return False
            return any(reads(child) for child in _children(node))

        return reads(value)

    def scattered(self, statement: Any) -> Any:
        call = statement.value
        if called(call.func, self.here) != np.add.at or len(call.args) != 3 or not isinstance(call.args[0], gast.Name):
            return None
        base, places, value = call.args
        target = self.kind(gast.Subscript(base, places, gast.Load()))
        found = self.kind(value)
        parts = places.elts if isinstance(places, gast.Tuple) else [places]
        if not self.is_floats(base) or not isinstance(target, Array) or not target.shape:
            return None
        if not all(isinstance(p, gast.Name) and isinstance(self.kind(p), (Array, Number)) for p in parts):
            return None
        ranks = {_rank(self.kind(p)) for p in parts}
        if len(ranks) != 1 or ranks <= {None, 0} or any(self.kind(p).dtype.kind not in "iu" for p in parts):
            return None
        if isinstance(found, Array) and found.shape != target.shape:
            return None
        call.args[2] = self.operand(value)
        return Action(statement, self.here, "scatter", base.id, call.args[2], target.shape, place=places, op=gast.Add())

    # expressions

    def operand(self, node: Any) -> Any:
        return self.elementwise(node) if self.is_array(node) else self.number(node)

    def elementwise(self, node: Any) -> Any:
        """An array whose elements can be told, with what is computed otherwise in names of their own."""
        if isinstance(node, gast.Name):
            return node
        function = called(node.func, self.here) if isinstance(node, gast.Call) else None
        if self.is_compound(node) and not self.is_reduction(node) and function is not np.outer:
            self.check_lengths(node)
        if isinstance(node, (gast.BinOp, gast.UnaryOp, gast.Compare)) and self.is_compound(node):
            for name, value in gast.iter_fields(node):
                if isinstance(value, gast.expr):
                    setattr(node, name, self.operand(value))
            if isinstance(node, gast.Compare):
                node.comparators = [self.operand(c) for c in node.comparators]
            return node
        if self.is_reduction(node):
            node.args[0] = self.elementwise(node.args[0])
            return node
        if self.is_compound(node):
            node.args = [self.operand(a) for a in node.args]
            return node
        if function is helpers.unbroadcast and self.kind(node.args[0]) == self.kind(node):
            return self.elementwise(node.args[0])
        if isinstance(node, gast.Attribute) and node.attr == "T":
            node.value = self.elementwise(node.value)
            return node
        if isinstance(node, gast.Subscript) and self.is_array(node.value):
            node.value = self.elementwise(node.value)
            return node
        if function is None and isinstance(node, gast.Call) and text(node).endswith(".copy()"):
            return self.elementwise(node.func.value)
        return self.named(node, "t")

    def check_lengths(self, node: Any) -> None:
        """Are the operands as long as their axes are, or of length 1, for certain?"""
        shape = self.kind(node).shape
        for part in _children(node):
            kind = self.kind(part) if isinstance(part, gast.expr) else None
            lengths = kind.shape or () if isinstance(kind, Array) else ()
            if any(d not in (w, ONE) for d, w in zip(lengths[::-1], shape[::-1], strict=False)):
                raise Stays

    def number(self, node: Any) -> Any:
        """A number: as it stands where it is a name or a constant, else computed in front."""
        kind = self.kind(node)
        types = kind.of_types() if isinstance(kind, Number) else {type(getattr(kind, "value", None))}
        if not types <= _NUMBERS:
            raise Stays
        inner = node.args[0] if isinstance(node, gast.Call) and len(node.args) == 1 else getattr(node, "operand", None)
        if isinstance(node, (gast.Name, gast.Constant)) or isinstance(inner, gast.Constant):
            return node
        if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Attribute) and node.value.attr == "shape":
            return node
        return self.named(node, "factor")

    def named(self, value: Any, stem: str) -> Expr:
        """A name of its own for a value, bound in front."""
        name = self.run.facts.fresh(stem)
        kind = self.kind(value)
        statement: Any = assign(name, value)
        if isinstance(kind, Array) and self.is_compound(value):
            statement.value = self.elementwise(value)
            part: Any = self.define(name, statement.value, statement)
        else:
            part = self.reduced(name, statement)
            if part is None:
                statement.value = self.atomic(value)
                part = statement
        self.parts.append(part)
        self.run.extra[name] = self.run.facts.kinds[name] = kind
        self.here = replace(self.here, kinds={**self.here.kinds, name: kind})
        return load(name)

    def atomic(self, node: Any) -> Any:
        """What is no expression over elements, with the arrays and sums inside of it in names of their own."""
        if isinstance(node, (gast.Name, gast.Constant, gast.Slice, gast.Lambda)):
            return node
        function = called(node.func, self.here) if isinstance(node, gast.Call) else None
        if function in (np.zeros_like, np.empty_like, np.ones_like, np.shape, len) and function is not None:
            return node
        for name, value in gast.iter_fields(node):
            if isinstance(value, gast.expr) and not (isinstance(node, gast.Call) and name == "func"):
                setattr(node, name, self.part(value))
            elif isinstance(value, list) and value and isinstance(value[0], gast.expr):
                setattr(node, name, [self.part(v) for v in value])
        return node

    def part(self, node: Any) -> Any:
        if self.is_compound(node):
            return self.named(node, "t")
        function = called(node.func, self.here) if isinstance(node, gast.Call) else None
        if (function is np.sum or function is np.mean) and self.is_floats(node.args[0]):
            return self.named(node, "total")
        if isinstance(node, gast.BinOp) and isinstance(node.op, gast.MatMult) and isinstance(self.kind(node), Number):
            return self.named(node, "total")
        return self.atomic(node)


def _children(node: Any) -> list[Any]:
    values = [v if isinstance(v, list) else [v] for _, v in gast.iter_fields(node)]
    return [n for v in values for n in v if isinstance(n, gast.AST)]


def _rank(kind: Any) -> int | None:
    return len(kind.shape) if isinstance(kind, Array) and kind.shape is not None else None
