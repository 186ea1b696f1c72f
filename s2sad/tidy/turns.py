"""What the expressions of a loop come to in all of its turns at once.

A number of each turn is a vector, and a vector of each turn a matrix, with the turns on one of its axes: for all j,
`A[:, j] * s[j]` is `A * s`, and `A[:, j] @ q` is `q @ A`. Of what the user wrote only arithmetic is taken together,
which is the same for an element as for an array of them. Arrays are those of doubles, and indices known to be inside: a
slice raises nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, NamedTuple

import gast
import numpy as np

from s2sad.analysis.known_calls import dotted
from s2sad.analysis.nests import affine, in_single_steps, turns
from s2sad.analysis.scope import Scope
from s2sad.core import Expr, Facts, clone, is_operation, items_of, load, names_bound, names_read, quote, walk
from s2sad.kinds import dims
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Dim, Number
from s2sad.tidy.elements import end_of
from s2sad.tidy.rebuild import is_users, with_fields

_DOUBLE = np.dtype(float)
ELEMENTWISE = (gast.Add, gast.Sub, gast.Mult, gast.Div)
_INT = np.dtype(np.int64)
_REAL = {float, np.float64, int}
#: what is computed for whole matrices takes memory, and memory takes time, where rows stay in the cache
_MATRICES = 6
#: functions of NumPy of one element, which may round the last bit of many otherwise
_FUNCTIONS = frozenset((
    "abs", "arctan", "cos", "cosh", "exp", "expm1", "log", "log1p", "sign", "sin", "sinh", "sqrt", "square", "tan",
    "tanh",
))  # fmt: skip
_IN_BOUNDS = (gast.Constant, gast.BinOp, gast.UnaryOp, gast.Attribute, gast.Subscript)


class NoBatch(Exception):
    """The turns of a loop are no batch, as far as is known."""


class Value(NamedTuple):
    """What an expression is in all turns.

    Attributes:
        tree: the expression for all turns at once.
        rank: of its value in one turn, 0 or 1.
        axis: which axis of the tree's value counts the turns; None where it is the same in each.
        length: of a vector.
        picks: is it an int that picks a row?
    """

    tree: Expr
    rank: int
    axis: int | None
    length: Dim | None = None
    picks: bool = False


class Place(NamedTuple):
    """Where an array is read or stored into: what its index comes to on each axis, from which to which; the axis and
    the constant of the index that counts the turns."""

    spans: tuple[tuple[Dim | None, Dim | None], ...]
    own: tuple[int, int] | None


class Turns:
    """What the expressions of a loop come to in all of its turns at once.

    Args:
        scope: that of the function.
        loop: the loop.
        bound: the names that certainly have a value before it.
    """

    def __init__(self, scope: Scope, loop: Any, bound: set[str]) -> None:
        self.scope, self.facts, self.body, self.bound = scope, scope.facts, loop.body, bound
        known = turns(loop)
        if known is None or not in_single_steps(loop):
            raise NoBatch
        self.variable: str = loop.target.id
        self.inside = names_bound(loop.body)
        ends = number_of(known.low, self.facts), number_of(known.high, self.facts)
        names = names_read([known.low, known.high])
        unbound = self.is_unbound(known.low) or self.is_unbound(known.high)
        if ends[0] is None or ends[1] is None or unbound or {self.variable, *names} & self.inside:
            raise NoBatch
        #: the first and the last value of the variable, and what the bounds are made of
        self.low, self.high = ends[0] + known.above_low, ends[1] + known.above_high
        self.ends = (known.low, known.above_low), (known.high, known.above_high + 1)
        #: what names are that are given a value in each turn
        self.values: dict[str, Value] = {}
        self.matrices = 0

    # --- places in arrays
    def accesses(self, node: Any) -> Iterable[Any]:
        """Where a statement comes to arrays, as subscripts of names or as names."""
        if type(node) is gast.Subscript and type(node.value) is gast.Name:
            yield node
            yield from self.accesses(node.slice)
        elif type(node) is gast.Name:
            yield node
        elif type(node) is not gast.Attribute or node.attr not in ("shape", "size"):
            for inner in gast.iter_child_nodes(node):
                yield from self.accesses(inner)

    def place(self, node: Any) -> Place:
        whole = type(node) is gast.Name
        shape = self.vector_or_matrix(node.id if whole else node.value.id).shape
        parts = [] if whole else items_of(node.slice)
        assert shape is not None
        if whole or any(type(part) is gast.Constant and part.value is Ellipsis for part in parts):
            return Place(tuple((dims.ZERO, n - 1) for n in shape), None)
        spans: list[tuple[Dim | None, Dim | None]] = []
        own = None
        for k, (part, n) in enumerate(zip(parts, shape, strict=False)):
            if type(part) is not gast.Slice and not _is_one(part, self.facts):
                raise NoBatch  # (what stands for several axes, or for none)
            if type(part) is gast.Slice:
                low = dims.ZERO if part.lower is None else self.number(part.lower)
                high = n if part.upper is None else self.number(part.upper)
                low = low if low is not None and dims.at_least(low, 0) else dims.ZERO
                spans.append((low, high - 1 if high is not None and dims.at_least(high, 0) else n - 1))
            elif self.mentions(part) and (affine(part) or ("",))[0] != self.variable:
                spans.append((None, None))  # (any of them, also twice)
            elif self.mentions(part):
                by = self.counted(part)
                if own is not None or not dims.at_least(self.low + by, 0):
                    raise NoBatch
                own = k, by
                spans.append((self.low + by, self.high + by))
            else:
                value = self.number(part)
                value = value if value is not None and dims.at_least(value, 0) else None
                spans.append((value, value))
        return Place(tuple(spans), own)

    def changing(self) -> set[str]:
        """Names that are bound in the loop, and stay the same arrays."""
        return set()

    def vector_or_matrix(self, name: str) -> Array:
        kind = self.facts.kinds.get(name)
        if not isinstance(kind, Array) or kind.dtype != _DOUBLE or kind.mixed or kind.shape is None:
            raise NoBatch
        return kind

    def mentions(self, node: Any) -> bool:
        """Does it differ from turn to turn?"""
        return any(type(n) is gast.Name and (n.id == self.variable or n.id in self.inside) for n in walk(node))

    def counted(self, part: Expr) -> int:
        """What is added to the variable in an index."""
        by = affine(part)
        if by is None or by[0] != self.variable:
            raise NoBatch
        return by[1]

    def number(self, node: Expr) -> Dim | None:
        return None if self.mentions(node) else number_of(node, self.facts)

    # --- expressions
    def value(self, node: Any, want: int | None = None) -> Value:
        """What an expression is in all turns; a vector's turns on this axis, where it is all the same."""
        form = self.forms.get(type(node))
        found = None if form is None else form(self, node, want)
        if found is None or found.picks:
            raise NoBatch
        return found

    def picked(self, node: Any) -> Value:
        """The ints that pick a row in each turn: `rows[j]`, for all j."""
        found = self.forms[type(node)](self, node, None) if type(node) in (gast.Name, gast.Subscript) else None
        if found is None or not found.picks:
            raise NoBatch
        return found

    def constant(self, node: Any, want: int | None) -> Value:
        if type(node.value) not in (int, float):
            raise NoBatch
        return Value(node, 0, None)

    def name(self, node: Any, want: int | None) -> Value:
        if node.id in self.values:
            found = self.values[node.id]
            return found._replace(tree=load(found.tree.id) if type(found.tree) is gast.Name else clone(found.tree))
        if node.id in self.inside or node.id == self.variable or node.id not in self.bound:
            raise NoBatch
        return self.kept(node)

    def kept(self, node: Expr) -> Value:
        """What is the same in all turns."""
        kind = infer(node, self.facts)
        if isinstance(kind, Number) and {kind.type, *kind.of_types()} <= _REAL:
            return Value(node, 0, None)
        if not isinstance(kind, Array) or kind.dtype != _DOUBLE or kind.mixed or len(kind.shape or ()) != 1:
            raise NoBatch
        assert kind.shape is not None
        return Value(node, 1, None, kind.shape[0])

    def subscript(self, node: Any, want: int | None) -> Value:
        if type(node.value) is not gast.Name or node.value.id in self.inside - self.changing():
            raise NoBatch
        if node.value.id not in self.bound:
            raise NoBatch
        kind: Any = self.facts.kinds.get(node.value.id)
        picks = isinstance(kind, Array) and kind.dtype == _INT and not kind.mixed and len(kind.shape or ()) == 1
        shape: Any = (kind if picks else self.vector_or_matrix(node.value.id)).shape
        parts = items_of(node.slice)
        if len(parts) > len(shape):
            raise NoBatch
        out: list[Any] = []
        rank, axis = 0, None
        for part, n in zip(parts, shape, strict=False):
            if type(part) is gast.Slice:
                self.check_slice(part)
                out.append(part)
                rank += 1
            elif not _is_one(part, self.facts):
                raise NoBatch
            elif self.mentions(part):
                if axis is not None:
                    raise NoBatch
                if (affine(part) or ("",))[0] == self.variable:
                    out.append(self.all_turns(self.counted(part), n))
                elif node.value.id in self.changing() or not all(type(p) in (gast.Slice, type(part)) for p in parts):
                    raise NoBatch  # (what is picked is a copy)
                else:
                    out.append(self.picked(part).tree)
                axis = rank
            else:
                self.check_index(part, n)
                out.append(part)
        rank += len(shape) - len(parts)
        if rank > 1:
            raise NoBatch
        length = None
        if rank:
            row = infer(node, self.facts)
            if not isinstance(row, Array) or len(row.shape or ()) != 1:
                raise NoBatch
            assert row.shape is not None
            length = row.shape[0]
        while out and _is_whole(out[-1]):
            out.pop()
        if not out:
            return Value(load(node.value.id), rank, axis, length, picks)
        if picks and axis is None:
            raise NoBatch
        index = out[0] if len(out) == 1 else gast.Tuple(out, gast.Load())
        return Value(gast.Subscript(load(node.value.id), clone(index), gast.Load()), rank, axis, length, picks)

    def check_slice(self, part: Any) -> None:
        for end in (part.lower, part.upper):
            if end is not None and (self.mentions(end) or number_of(end, self.facts) is None or self.is_unbound(end)):
                raise NoBatch
        if part.step is not None:
            raise NoBatch

    def check_index(self, part: Expr, length: Dim) -> None:
        """Is an index inside, also where the loop has no turn?"""
        value = number_of(part, self.facts)
        inside = value is not None and dims.at_least(value, 0) and dims.at_most(value - length, -1)
        if not inside or self.is_unbound(part):
            raise NoBatch

    def is_unbound(self, node: Expr) -> bool:
        """Is it not known to have a value, or no plain arithmetic of ints and lengths of arrays?"""
        if type(node) is gast.Call and type(node.func) is gast.Name and node.func.id == "len" and len(node.args) == 1:
            of: Any = node.args[0]
            array = type(of) is gast.Name and isinstance(self.facts.kinds.get(of.id), Array)
            return not array or of.id not in self.bound or "len" in self.bound
        if type(node) is gast.Name:
            return node.id not in self.bound
        inner = [n for n in gast.iter_child_nodes(node) if isinstance(n, gast.expr)]
        return not isinstance(node, _IN_BOUNDS) or any(map(self.is_unbound, inner))

    def all_turns(self, by: int, length: Dim) -> Any:
        """The slice of all indices that a loop comes to, which are inside."""
        first, behind = self.low + by, self.high + (1 + by)
        if not (dims.at_least(first, 0) and dims.at_least(behind, 0) and dims.at_most(behind - length, 0)):
            raise NoBatch
        ends = [None if e == whole else _plus(*end, by) for e, whole, end in (
            (first, dims.ZERO, self.ends[0]), (behind, length, self.ends[1])
        )]  # fmt: skip
        return gast.Slice(ends[0], ends[1], None)

    def unary(self, node: Any, want: int | None) -> Value:
        if type(node.op) is not gast.USub:
            raise NoBatch
        of = self.value(node.operand, want)
        return self.counted_matrix(of._replace(tree=gast.UnaryOp(gast.USub(), of.tree)))

    def binary(self, node: Any, want: int | None) -> Value:
        if type(node.op) is gast.MatMult:
            return self.dot(node, node.left, node.right)
        power = type(node.op) is gast.Pow and not is_users(node)
        if not power and type(node.op) not in ELEMENTWISE:
            raise NoBatch
        a, b = self.value(node.left, want), self.value(node.right, want)
        if power and a.axis is None and b.axis is None:  # (Python's numbers raise)
            raise NoBatch
        if type(node.op) is gast.Div and a.axis is None and b.axis is None and not a.rank | b.rank:
            kinds = infer(node.left, self.facts), infer(node.right, self.facts)
            if not any(isinstance(k, Number) and k.type is np.float64 for k in kinds):  # (Python's numbers raise)
                raise NoBatch
        s, v = (a, b) if b.rank else (b, a)
        if type(node.op) is gast.Mult and v.rank > s.rank and s.axis is not None and v.axis is None:
            at = want or 0
            first, second = (v, s) if at else (s, v)
            made = quote("np.outer(a, b)", np=self.numpy(), a=first.tree, b=second.tree)
            return self.counted_matrix(Value(made, 1, at, v.length))
        (a, b), (rank, axis, length) = self.fitted([a, b], want)
        return self.counted_matrix(Value(gast.BinOp(a.tree, node.op, b.tree), rank, axis, length))

    def compare(self, node: Any, want: int | None) -> Value:
        if len(node.ops) != 1 or type(node.ops[0]) not in (gast.Eq, gast.NotEq, gast.Lt, gast.LtE, gast.Gt, gast.GtE):
            raise NoBatch
        found = [self.value(node.left, want), self.value(node.comparators[0], want)]
        if all(v.axis is None for v in found):
            raise NoBatch
        (a, b), (rank, axis, length) = self.fitted(found, want)
        return self.counted_matrix(Value(gast.Compare(a.tree, node.ops, [b.tree]), rank, axis, length))

    def fitted(self, values: list[Value], want: int | None) -> tuple[list[Value], tuple[int, int | None, Dim | None]]:
        """Operands with their turns on the same axis, and the rank, the axis and the length of what comes of them."""
        rank = max(v.rank for v in values)
        if all(v.axis is None for v in values):
            axis = None
        elif not rank:
            axis = 0
        else:
            axis = next((v.axis for v in values if v.rank and v.axis is not None), want or 0)
        lengths = {v.length for v in values if v.rank}
        if len(lengths) > 1 or None in lengths:
            raise NoBatch
        return [self.spread(v, rank, axis) for v in values], (rank, axis, next(iter(lengths), None))

    def spread(self, v: Value, rank: int, axis: int | None) -> Value:
        """A value such that it meets matrices whose turns are on this axis."""
        if v.axis is None or axis is None or not rank:
            column = v.rank and v.axis is None and axis == 1
        elif v.rank:
            return v if v.axis == axis else v._replace(tree=quote("x.T", x=v.tree), axis=axis)
        else:
            column = axis == 0
        if not column:
            return v
        tree: Any = v.tree
        index: Any = getattr(tree, "slice", None)
        if type(index) is gast.Tuple and any(type(part) is gast.Slice for part in index.elts):
            index = gast.Tuple([*index.elts, gast.Constant(None, None)], gast.Load())
            return v._replace(tree=with_fields(tree, slice=index))
        return v._replace(tree=quote("x[:, None]", x=v.tree))

    def counted_matrix(self, v: Value) -> Value:
        self.matrices += v.rank == 1 and v.axis is not None
        if self.matrices > _MATRICES:
            raise NoBatch
        return v

    def call(self, node: Any, want: int | None) -> Value:
        if type(node.func) is gast.Attribute and node.func.attr == "copy" and not node.args and not node.keywords:
            of = self.value(node.func.value, want)
            return of._replace(tree=quote("x.copy()", x=of.tree)) if of.rank or of.axis is not None else of
        path = dotted(node.func)
        if path is None or len(path) != 2 or self.facts.globals.get(path[0]) is not np or node.keywords:
            raise NoBatch
        if path[1] == "dot" and len(node.args) == 2:
            return self.dot(node, *node.args)
        if path[1] == "sum" and len(node.args) == 1 and not is_users(node):
            of = self.value(node.args[0], want)
            if of.rank != 1 or of.axis is None:
                raise NoBatch
            made = quote(f"np.sum(x, axis={1 - of.axis})", np=self.numpy(), x=of.tree)
            return Value(made, 0, 0)
        if path[1] in _FUNCTIONS and len(node.args) == 1 and not is_users(node):
            of = self.value(node.args[0], want)
            if of.axis is None:
                raise NoBatch
            return self.counted_matrix(of._replace(tree=with_fields(node, args=[of.tree])))
        if path[1] == "where" and len(node.args) == 3:
            values = [self.value(a, want) for a in node.args]
            if values[0].axis is None:
                raise NoBatch
            (c, x, y), (rank, axis, length) = self.fitted(values, want)
            made = quote("np.where(c, x, y)", np=self.numpy(), c=c.tree, x=x.tree, y=y.tree)
            return self.counted_matrix(Value(made, rank, axis, length))
        raise NoBatch

    def numpy(self) -> Expr:
        name = next((name for name, value in self.facts.globals.items() if value is np), None)
        if name is None:  # (there are numbers alone)
            raise NoBatch
        return load(name)

    def dot(self, node: Any, left: Any, right: Any) -> Value:
        """The product of two vectors in each turn."""
        a, b = self.value(left), self.value(right)
        if is_users(node) or not a.rank or not b.rank or a.length is None or a.length != b.length:
            raise NoBatch
        if a.axis is None and b.axis is None:
            return Value(gast.BinOp(a.tree, gast.MatMult(), b.tree), 0, None)
        if a.axis is not None and b.axis is not None:
            b = self.spread(b, 1, a.axis)
            return Value(quote(f"np.sum(a * b, axis={1 - a.axis})", np=self.numpy(), a=a.tree, b=b.tree), 0, 0)
        rows, vector = (b, a) if a.axis is None else (a, b)
        return Value(self.product(rows, vector.tree, rows.axis == 0), 0, 0)

    def product(self, rows: Value, vector: Expr, first: bool) -> Expr:
        """A matrix with a vector: `A @ v`, or `v @ A`."""
        return gast.BinOp(*((rows.tree, gast.MatMult(), vector) if first else (vector, gast.MatMult(), rows.tree)))

    def total(self, node: Any) -> Expr:
        """What an expression adds up to, over all turns."""
        if is_operation(node, gast.Add, gast.Sub) and self.mentions(node.left) and self.mentions(node.right):
            return gast.BinOp(self.total(node.left), node.op, self.total(node.right))
        if type(node) is gast.UnaryOp and type(node.op) is gast.USub:
            return gast.UnaryOp(node.op, self.total(node.operand))
        if type(node) is gast.BinOp and type(node.op) is gast.Mult:
            a, b = self.value(node.left), self.value(node.right)
            s, v = (a, b) if b.rank else (b, a)
            if not s.rank and s.axis is not None and v.rank:
                if v.axis is None:
                    made = quote("np.sum(s)", np=self.numpy(), s=s.tree)
                    return gast.BinOp(made, gast.Mult(), v.tree)
                return self.product(v, s.tree, v.axis == 1)
            if not a.rank and not b.rank and a.axis is not None and b.axis is not None:
                return gast.BinOp(a.tree, gast.MatMult(), b.tree)
        of = self.value(node)
        if of.axis is None:
            raise NoBatch
        inner: Any = of.tree
        if not of.rank and (dotted(getattr(inner, "func", inner)) or ())[1:] == ("sum",):
            return with_fields(inner, keywords=[])  # (a sum of sums)
        return quote(f"np.sum(x, axis={of.axis})" if of.rank else "np.sum(x)", np=self.numpy(), x=inner)

    forms: ClassVar[dict[type, Callable[..., Value]]] = {
        gast.Constant: constant,
        gast.Name: name,
        gast.Subscript: subscript,
        gast.UnaryOp: unary,
        gast.BinOp: binary,
        gast.Compare: compare,
        gast.Call: call,
    }


def apart(a: Place, b: Place) -> bool:
    """Do two places have no element in common, whatever turns they are those of?"""
    for (low, high), (first, last) in zip(a.spans, b.spans, strict=False):
        for end, start in ((high, first), (last, low)):
            if end is not None and start is not None and dims.at_most(end - start, -1):
                return True
    return False


def _is_one(part: Expr, facts: Facts) -> bool:
    """Is an index an int?"""
    kind = infer(part, facts)
    return isinstance(kind, Number) and kind.of_types() <= {int, np.int64}


def number_of(node: Expr, facts: Facts) -> Dim | None:
    """What is known of an int."""
    by = affine(node)
    value = dims.ZERO + by[1] if by is not None and by[0] is None else end_of(node, facts)
    return value if isinstance(value, Dim) else None


def _is_whole(part: Any) -> bool:
    return type(part) is gast.Slice and part.lower is None and part.upper is None and part.step is None


def _plus(end: Expr, above: int, by: int) -> Expr:
    """An end of a range with a constant added."""
    known = affine(end)
    if known is not None:
        name, constant = known[0], known[1] + above + by
        if name is None:
            return quote(str(constant)) if constant >= 0 else gast.Constant(constant, None)
        return quote(f"{name} + {constant}" if constant > 0 else f"{name} - {-constant}") if constant else load(name)
    constant = above + by
    if not constant:
        return clone(end)
    return gast.BinOp(clone(end), gast.Add() if constant > 0 else gast.Sub(), gast.Constant(abs(constant), None))
