"""What the primal raises, the derivative raises: checks for computations that the derivative does not need.

A sum of two arrays has a derivative that reads neither, so that nothing would be left of it that minds their shapes; so
it is with an element that is only added, or a `reshape` that nobody reads. Where a statement is dead but its kinds do
not prove that it does not raise, `eliminate` puts the cheapest expression in its place that raises when it does, as a
statement of its own. Such a check goes where something else in the output raises at the same time.
"""

from __future__ import annotations

import ast
import builtins
import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any

import gast
import numpy as np

from s2sad.analysis.binding import Bits, may_jump, may_lack_value, targets, turns_surely
from s2sad.analysis.counts import count_check, counted
from s2sad.analysis.effects import Effects, nested
from s2sad.core import (
    Expr,
    Facts,
    Stmt,
    blocks_of,
    clone,
    is_operation,
    items_of,
    load,
    names_bound,
    quote,
    text,
    walk,
    walk_names,
)
from s2sad.expansion.fit import dim_expr, shape_expr
from s2sad.expansion.operand import Operand
from s2sad.kinds import dims
from s2sad.kinds.dims import ONE
from s2sad.kinds.fitting import (
    Shape,
    divides_numbers,
    fits,
    fits_into,
    is_elementwise,
    lengths_in,
    operands_of,
    shape_of,
)
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import (
    Array,
    Dict,
    Dim,
    Either,
    Kind,
    List,
    ListOf,
    Number,
    PlaceLists,
    Places,
    Static,
    Text,
    Tuple,
    Unknown,
)
from s2sad.kinds.kind import Callable as CallableKind
from s2sad.kinds.pure import is_pure
from s2sad.kinds.trial import is_told, may_be_called, operation, raised
from s2sad.tidy.deadcode import eliminate
from s2sad.tidy.rebuild import with_blocks
from s2sad.transform.covered import COMPREHENSIONS, without_covered

_MATRICES = (np.linalg.solve, np.linalg.inv, np.linalg.cholesky)
_JOINS = (np.stack, np.concatenate, np.vstack, np.hstack, np.column_stack)
_EXTREMES = (np.max, np.min, np.amax, np.amin, np.argmax, np.argmin, max, min)
#: the parts of a statement that are evaluated when it is reached
_EVALUATED = {
    **dict.fromkeys((gast.Assign, gast.AugAssign, gast.Expr), ("value",)),
    **dict.fromkeys((gast.If, gast.While), ("test",)),
    gast.For: ("iter",),
}
#: what may raise for the kinds of its operands, or their values
_OPERATIONS = (
    gast.BinOp, gast.UnaryOp, gast.Compare, gast.Call, gast.Subscript, gast.JoinedStr, gast.Dict, gast.Set, gast.Assign,
    gast.AugAssign,
)  # fmt: skip
_JUMPS = (gast.Return, gast.Raise, gast.Break, gast.Continue)


def eliminate_checked(
    body: list[Stmt],
    facts: Facts,
    parameters: Sequence[str],
    numpy: Callable[[], str],
    effects: Effects | None = None,
    **known: Any,
) -> list[Stmt]:
    """As `eliminate`, but where what is left out may raise, its check stays.

    Args:
        body: the core statements of a function.
        facts: what is known of its names.
        parameters: the names that come in bound.
        numpy: the name of NumPy, which is imported where it has none yet.
        effects: what is known of the statements already.
        known: what else `eliminate` takes.

    >>> from s2sad.core import statements
    >>> def row(length):
    ...     return Array(np.dtype(float), (length,))
    >>> n, m = Dim.symbol("n"), Dim.symbol("m")
    >>> facts = Facts(kinds={"x": row(n), "y": row(n), "t": row(Dim.of(3)), "a": row(m), "i": Number(int)})
    >>> facts.globals["np"] = np
    >>> body = statements("t = np.ones(3)\\nu = x + t\\nv = x + y\\nw = a[i]\\nv = a[0]\\nreturn x")
    >>> print(text(eliminate_checked(body, facts, ["x", "y", "a", "i"], lambda: "np")))
    np.broadcast_shapes(x.shape, (3,))
    a[i]
    return x
    """
    if effects is None:
        effects = Effects(facts)
        left = eliminate_checked(body, facts, parameters, numpy, effects, **known)
        effects.forget()  # (what was found out holds on to them)
        return left
    checks = _Checks(body, facts, parameters, numpy)
    left = eliminate(body, facts, checks=checks.of, parameters=parameters, effects=effects, **known)
    left = without_covered(left, facts, parameters, effects)
    if not any(isinstance(s, (gast.For, gast.While)) for top in left for s in nested(top)):
        return left
    # what is read in a loop by its own check alone is needed as long as that stands there
    alone = eliminate(left, facts, parameters=parameters, effects=effects, **known)
    needed = {id(s) for top in alone for s in nested(top)}
    return _with_checks(left, {id(s) for top in left for s in nested(top)} - needed, checks)


def _with_checks(block: list[Stmt], of: set[int], checks: _Checks) -> list[Stmt]:
    """The statements with the checks of some of them in front."""
    if not of:
        return block
    out: list[Stmt] = []
    for s in block:
        if id(s) in of and isinstance(s, (gast.Assign, gast.AugAssign)):
            out += checks.of(s)
        out.append(with_blocks(s, lambda inner: _with_checks(inner, of, checks)))
    return out


class _Checks:
    """What may raise in the statements of a function."""

    def __init__(self, body: list[Stmt], facts: Facts, parameters: Sequence[str], numpy: Callable[[], str]) -> None:
        self.facts, self.numpy = facts, numpy
        bound = names_bound(body)
        self.given = {*parameters, *facts.globals} - bound
        self.sources = [Operand(load(p), facts.kinds[p]) for p in parameters if p in self.given and p in facts.kinds]
        self.local = bound - set(parameters)
        #: for each statement: what is bound before it, as bits, and the loops that it is in
        self.bound: dict[int, int] = {}
        self.bits = Bits()
        self.locals = self.bits.of(self.local)
        self.loops: dict[int, tuple[Any, ...]] = {}
        #: for each statement: what the `while` loops around it ask for
        self.asked: dict[int, tuple[str, ...]] = {}
        self.tests: list[str] = []
        self.breaks: list[int] = []
        #: names of tests that have been computed, and not asked for since
        self.told: set[str] = set()
        #: names that stand for nothing on paths where a variable is not bound
        self.nothing = may_lack_value(body, frozenset(parameters))
        #: the ints in arrays of literals that have one name each: `rows = np.array([0, 2])`
        self.written: dict[str, list[int]] = {}
        #: what the comprehensions bind that are looked into
        self.own: frozenset[str] = frozenset()
        self.visit(body, self.bits.of(parameters), ())

    def of(self, statement: Stmt) -> list[Stmt]:
        """The checks of a statement that is dead, of what is evaluated when it is reached."""
        parts = [getattr(statement, name, None) for name in _EVALUATED.get(type(statement), ())]
        if isinstance(statement, gast.Assign) and isinstance(statement.value, gast.Name):
            parts = []  # paths join by copies, also of what has no value yet
        look = self.asked_for if isinstance(statement, (gast.If, gast.While)) else self.within
        found = {text(c): c for part in parts for c in look(part, statement)}
        if isinstance(statement, (gast.Assign, gast.AugAssign)):
            stored = self.stored(statement)
            found |= {text(c): c for c in stored or self.put_anyway(statement)}
        made = [gast.Expr(c) for c in found.values()]
        for one in made:
            one.origin = getattr(statement, "origin", None)
        return made

    def within(self, node: Any, at: Stmt) -> list[Expr]:
        """The checks of an expression and of its parts, in the order in which these are evaluated."""
        check = self.check(node, at) or self.tried(node, at)
        if check is node:
            return [node]  # its parts are evaluated with it
        if isinstance(node, gast.Lambda):
            return []
        if isinstance(node, gast.IfExp):
            sides = [_together(self.within(side, at)) for side in (node.body, node.orelse)]
            if sides == [None, None]:
                return self.asked_for(node.test, at)
            return [gast.IfExp(node.test, *(side or gast.Constant(None, None) for side in sides))]
        if isinstance(node, gast.BoolOp):
            first, *rest = node.values
            asked = [c for v in rest[:-1] for c in self.asked_for(v, at)]
            return [node] if asked or self.within(rest[-1], at) else self.asked_for(first, at)
        if isinstance(node, COMPREHENSIONS) and counted(node) is None:
            return self.of_items(node, at)
        children = [counted(node)[0]] if counted(node) else list(gast.iter_child_nodes(node))  # type: ignore[index]
        if any(isinstance(c, gast.GeneratorExp) and self.of_items(c, at) for c in children):
            return [node]  # (how many of its items are asked for, it says itself)
        found = [c for child in children for c in self.within(child, at)]
        return found if check is None else [*found, check]

    def asked_for(self, test: Any, at: Stmt) -> list[Expr]:
        """The checks of a condition, which an array of several elements is not."""
        shape = getattr(self.kind(test), "shape", None)
        if not shape or all(d == ONE for d in shape):
            return self.within(test, at)
        return [gast.UnaryOp(gast.Not(), test)]

    def of_items(self, node: Any, at: Stmt) -> list[Expr]:
        """The checks of a comprehension: of what it runs over, or one over all of its items."""
        first, *others = node.generators
        around, self.own = self.own, self.own | names_bound([g.target for g in node.generators])
        items = [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]
        keys = [] if isinstance(node, (gast.ListComp, gast.GeneratorExp)) else items[:1]
        checks = [c for item in items for c in self.within(item, at)] + [c for k in keys for c in self.hashed(k)]
        counts = any(self.may_unpack_wrongly(g) for g in node.generators)
        counts = counts or any(self.asked_for(i, at) for g in node.generators for i in g.ifs)
        counts = counts or any(self.within(g.iter, at) for g in others)
        self.own = around
        if not (checks or counts):
            return self.within(first.iter, at)
        return [gast.ListComp(_together(checks) or gast.Constant(None, None), node.generators)]

    def may_unpack_wrongly(self, generator: Any) -> bool:
        """May there be more or fewer items than names for them, or than other items beside them?"""
        over, target = generator.iter, generator.target
        function = getattr(over.func, "id", "") if isinstance(over, gast.Call) else ""
        if function == "zip" and any(k.arg == "strict" for k in over.keywords):
            return True
        if not isinstance(target, gast.Tuple):
            return False
        known = {"zip": len(getattr(over, "args", ())), "enumerate": 2}.get(function)
        if isinstance(over, gast.Call) and getattr(over.func, "attr", "") == "items":
            known = 2
        shape = shape_of(over, self.facts)
        rows = shape[1] if shape is not None and len(shape) > 1 else None
        item = getattr(self.kind(over), "item", None)
        if isinstance(item, Tuple):
            known = len(item.items)
        return known != len(target.elts) and rows != Dim.of(len(target.elts))

    def check(self, node: Any, at: Stmt) -> Expr | None:
        """The cheapest expression that raises when a node does, the node itself perhaps; None where it does not."""
        if isinstance(node, gast.Name):
            bound = node.id in self.own or self.bits[node.id] & self.bound.get(id(at), self.locals)
            lacking = (node.id in self.local and not bound) or self.is_nowhere(node.id)
            alone = isinstance(at, gast.Expr) and any(node is side for side in sides_of(at.value))
            return clone(node) if lacking or (alone and node.id in self.nothing) else None
        if isinstance(node, gast.Subscript):
            return node if self.may_lack(node, at) else None
        if isinstance(node, gast.ListComp):
            return self.count(node)
        if is_operation(node, gast.MatMult):
            return self.product(node, node.left, node.right)
        if divides_numbers(node, self.facts):
            return None if self.is_nonzero(node.right) else node
        if isinstance(node, gast.Compare) and isinstance(node.ops[0], (gast.In, gast.NotIn)):
            looked_up = isinstance(self.kind(node.comparators[0]), (Dict, Places, PlaceLists))
            return next(iter(self.hashed(node.left)), None) if looked_up else None
        if isinstance(node, gast.Compare) and isinstance(node.ops[0], (gast.Is, gast.IsNot)):
            return None
        if isinstance(node, (gast.BinOp, gast.Compare)) or is_elementwise(node, self.facts):
            return self.fitting(node)
        return self.call(node, at) if isinstance(node, gast.Call) else None

    def is_nowhere(self, name: str) -> bool:
        """Has a name no meaning at all?"""
        known = (self.local, self.given, self.own, self.facts.kinds, self.facts.globals)
        return not any(name in names for names in known) and not hasattr(builtins, name)

    def is_nonzero(self, node: Any) -> bool:
        """Is a number known not to be zero?"""
        value = getattr(self.kind(node), "value", None) if not isinstance(node, gast.Constant) else node.value
        return dims.at_least(value, 1) if isinstance(value, Dim) else bool(value)

    def tried(self, node: Any, at: Stmt) -> Any:
        """An operation, a store or an update that raises for examples of its operands' kinds; else None."""
        if not isinstance(node, _OPERATIONS) or (isinstance(node, gast.Assign) and not _is_store(node)):
            return None
        made = operation(node, self.kind)
        kinds = [self.kind(o) for o in made.operands]
        for k, kind in enumerate(kinds):
            if not (may_be_called(kind) if isinstance(kind, CallableKind) else is_told(kind)):
                return None
            if k in made.indices and isinstance(kind, Array) and kind.dtype.kind in "iub":
                return None
        method = isinstance(node, gast.Call) and not isinstance(kinds[0], CallableKind)
        of_array = method and isinstance(kinds[0], (Array, Number, Either))
        if of_array and not is_pure(getattr(np.ndarray, node.func.attr, None)):
            return None
        place = node if isinstance(node, gast.Subscript) else None
        ends: list[Any] = [self.ends_of_value(k, at) for k in kinds]
        if place is not None or isinstance(node, (gast.Assign, gast.AugAssign)):
            # (which places there are is asked elsewhere; how many a slice names is not known)
            if made.ends and place is None:
                return None
            ends = [end if k in made.steps else None for k, end in enumerate(ends)]
            kinds = [Static(0) if k in made.indices and _is_int(kind) else kind for k, kind in enumerate(kinds)]
        error = raised(made.form, kinds, ends)
        if error is None or (place is not None and isinstance(kinds[0], Dict) and isinstance(error, KeyError)):
            return None
        return node

    def put_anyway(self, statement: Any) -> list[Expr]:
        """A store, or an update, as an expression, where it raises for what is put there: `e[0] = [1.0, 2.0]`."""
        if self.tried(statement, statement) is None:
            return []
        target = statement.targets[0] if isinstance(statement, gast.Assign) else statement.target
        place, value = clone(target), statement.value
        place.ctx = gast.Load()
        if isinstance(statement, gast.AugAssign):
            value = gast.BinOp(place, statement.op, value)
            if isinstance(target, gast.Name) or self.tried(value, statement) is not None:
                return [value]
        if not isinstance(self.kind(target.value), Array) or self.tried(place, statement) is not None:
            return [place]
        return [quote(f"{self.numpy()}.full_like(p, v)", p=place, v=value)]

    def stored(self, statement: Any) -> list[Expr]:
        """The checks of a store: that there is a place for it, and that it fits in there."""
        target = statement.targets[0] if isinstance(statement, gast.Assign) else statement.target
        if isinstance(statement, gast.AugAssign) and isinstance(target, gast.Name):
            return self.fitted_into(load(target.id), [], statement.value)
        if not isinstance(target, gast.Subscript):
            return []
        if isinstance(statement, gast.Assign) and not isinstance(self.kind(target.value), (Array, List, ListOf)):
            return self.hashed(target.slice)
        place = gast.Subscript(target.value, target.slice, gast.Load())
        return self.fitted_into(place, self.within(place, statement), statement.value)

    def fitted_into(self, place: Any, found: list[Expr], value: Expr) -> list[Expr]:
        """The checks of a place, and that a value fits in there."""
        shape, given = shape_of(place, self.facts), shape_of(value, self.facts)
        if place in found or not shape or given is None or fits_into(given, shape):
            return found
        length = self.lengths_of(self.kind(place)) or quote("p.shape", p=place)
        return [*found, quote(f"{self.numpy()}.broadcast_to(v, s)", v=value, s=length)]

    def fitting(self, node: Any) -> Expr | None:
        """The shapes of arrays that are put together element by element, where they are not known to fit."""
        operands = operands_of(node)
        shapes = [shape_of(o, self.facts) for o in operands]
        if None in shapes or fits(shapes):
            return None
        return self.broadcast(node, [o for o, shape in zip(operands, shapes, strict=True) if shape])

    def broadcast(self, node: Any, operands: list[Expr]) -> Expr:
        """`np.broadcast_shapes(...)` of the shapes of arrays; the node itself where these are not known beforehand."""
        made = []
        for operand in operands:
            named = isinstance(operand, gast.Name) and operand.id in self.given
            made.append(quote("x.shape", x=operand) if named else self.lengths_of(self.kind(operand)))
        if any(m is None for m in made):
            return node
        return gast.Call(quote(f"{self.numpy()}.broadcast_shapes"), made, [])

    def lengths_of(self, kind: Any) -> Expr | None:
        """An expression for a shape, in lengths and ints of what is given."""
        whole = shape_expr(kind, self.sources)
        items = [self.length(d) for d in kind.shape]
        return whole or (None if None in items else gast.Tuple(items, gast.Load()))

    def length(self, dim: Dim) -> Expr | None:
        """An expression for a length: `2 * x.size + 1`."""
        found: Expr | None = None
        for symbol, factor in dim.terms:
            part = dim_expr(Dim.symbol(symbol), self.sources)
            if part is None:
                return None
            part = part if factor == 1 else quote("k * n", k=factor, n=part)
            found = part if found is None else quote("a + b", a=found, b=part)
        if found is None or not dim.const:
            return found or gast.Constant(dim.const, None)
        return quote("a + b", a=found, b=dim.const) if dim.const > 0 else quote("a - b", a=found, b=-dim.const)

    def count(self, node: Any) -> Expr | None:
        """The number of items, of something given that has as many where there is such: `a, b = np.sin(x)` of x."""
        found = counted(node)
        if found is None:
            return None
        value, pattern = found
        shape = shape_of(value, self.facts)
        if shape and shape[0].known:
            return None
        alike = [s.expr for s in self.sources if shape and s.shape and s.shape[0] == shape[0]]
        given = isinstance(value, gast.Name) and value.id in self.given
        return count_check(alike[0], pattern) if alike and not given else node

    def product(self, node: Any, left: Expr, right: Expr) -> Expr | None:
        """A matrix product where the lengths are not known to be equal: without the rows, or columns, it is cheap."""
        a, b = shape_of(left, self.facts), shape_of(right, self.facts)
        if not a or not b or a[-1] == b[max(len(b) - 2, 0)]:
            return None
        if len(a) == len(b) == 1 and ONE not in (*a, *b):
            return self.broadcast(node, [left, right])
        parts = {"a": left, "b": right}
        if len(a) == 2:
            return quote("a[:0] @ b", **parts)
        return quote("a @ b[:, :0]", **parts) if len(b) == 2 else node

    def call(self, node: Any, at: Stmt) -> Expr | None:
        method = isinstance(node.func, gast.Attribute) and not isinstance(self.kind(node.func), CallableKind)
        name = node.func.attr if method else ""
        target = None if method else getattr(self.kind(node.func), "value", None)
        args = [node.func.value, *node.args] if method else node.args
        if not args or any(isinstance(a, gast.Starred) for a in args):
            return None
        kinds = [self.kind(a) for a in args]
        first = kinds[0]
        if method and not isinstance(first, (Array, List, ListOf)) and node.args and self.is_keyed(name, first):
            return next(iter(self.hashed(node.args[0])), None)
        if method and (isinstance(first, (List, ListOf)) or (name == "pop" and len(args) == 2)):
            return self.of_list(name, node, at)
        if target in (int, float, complex):
            return node if isinstance(first, Text) or isinstance(getattr(first, "value", None), str) else None
        if target is np.reshape or (name == "reshape" and isinstance(first, Array)):
            before, after = shape_of(args[0], self.facts), shape_of(node, self.facts)
            sizes = [None if s is None else dims.product_of(s) for s in (before, after)]
            return node if None in sizes or sizes[0] != sizes[1] else None
        if target in _MATRICES:
            return node
        if (target in _EXTREMES and len(args) == 1) or name in ("max", "min", "argmax", "argmin"):
            shape = shape_of(args[0], self.facts)
            if isinstance(first, Array):
                return None if shape is None or all(dims.at_least(d, 1) for d in shape) else node
            return node if isinstance(first, ListOf) or first == List(()) else None
        if target in (np.take, np.split) and len(args) == 2:
            shape = shape_of(args[0], self.facts)
            if shape is None or len(shape) != 1:
                return None
            if target is np.take:
                return node if self.is_open(args[1], shape[0], at) else None
            parts = getattr(kinds[1], "value", None)
            return node if isinstance(parts, Dim) and not _divides(parts, shape[0]) else None
        if target is np.dot or (name == "dot" and isinstance(first, Array)):
            return self.product(node, *args[:2]) if len(args) >= 2 else None
        if target is np.matmul:
            return self.product(node, *args[:2])
        if target is np.cross:
            known = [s is not None and bool(s) and s[-1] in (Dim.of(2), Dim.of(3)) for s in self.shapes(args[:2])]
            return None if all(known) else node
        if target is np.einsum:
            return node if self.is_open_sum(args) else None
        if target in _JOINS and isinstance(args[0], (gast.Tuple, gast.List)):
            shapes: list[Any] = self.shapes(args[0].elts)
            if None in shapes or (target in (np.concatenate, np.hstack) and all(len(s) == 1 for s in shapes)):
                return None
            return node if any(s != shapes[0] for s in shapes) and not self.is_joined(target, shapes, node) else None
        if target is np.broadcast_to and len(args) == 2:
            given, into = shape_of(args[0], self.facts), lengths_in(args[1], self.facts)
            return None if given is not None and into is not None and fits_into(given, into) else node
        if target is np.broadcast_shapes:
            lengths = [lengths_in(a, self.facts) for a in args]
            return None if None not in lengths and fits(lengths) else node
        return None

    def is_keyed(self, name: str, of: Kind) -> bool:
        """Does a method of a dict or a set look for its argument?"""
        return name in ("get", "setdefault", "add", "discard") or (
            name in ("pop", "remove") and isinstance(of, (Dict, Places, PlaceLists))
        )

    def hashed(self, key: Expr) -> list[Expr]:
        """The check of a key: a list has no hash."""
        return [quote("hash(k)", k=key)] if _is_unhashable(self.kind(key)) else []

    def of_list(self, name: str, node: Any, at: Stmt) -> Expr | None:
        """What raises when a method of a list does, without changing it."""
        items, args = node.func.value, node.args
        if name == "pop" and not args and text(items) in self.asked.get(id(at), ()):
            return None  # there is one
        if name == "insert" and args and not _is_int(self.kind(args[0])):
            return quote("x[i:]", x=items, i=args[0])
        if name in ("index", "remove") and args:
            return quote("x.index(v)", x=items, v=args[0])
        return quote("x[i]", x=items, i=args[0] if args else -1) if name == "pop" else None

    def is_joined(self, target: Any, shapes: list[Any], node: Any) -> bool:
        """Do arrays fit that are joined along an axis where they need not be alike?"""
        if target is np.stack or len({len(s) for s in shapes}) > 1:
            return False
        at = [self.kind(k.value) for k in node.keywords if k.arg == "axis"] or [self.kind(a) for a in node.args[1:2]]
        axis = getattr(at[0], "value", None) if at else Dim.of(0)
        axis = axis.const if isinstance(axis, Dim) and axis.known else axis
        axis = 1 if target is np.hstack else axis
        if type(axis) is not int:
            return False
        rest = [[d for k, d in enumerate(s) if k != axis % len(s)] for s in shapes]
        return all(r == rest[0] for r in rest)

    def is_open_sum(self, args: list[Expr]) -> bool:
        """May a letter of an `einsum` stand for two lengths?"""
        rule = getattr(self.kind(args[0]), "value", None)
        if not isinstance(rule, str) or "." in rule:
            return False
        lengths: dict[str, Dim] = {}
        for letters, shape in zip(rule.split("->")[0].replace(" ", "").split(","), self.shapes(args[1:]), strict=False):
            if shape is None:
                return False
            for letter, dim in zip(letters, shape, strict=False):
                if lengths.setdefault(letter, dim) != dim:
                    return True
        return False

    def shapes(self, args: Sequence[Expr]) -> list[Shape | None]:
        return [shape_of(a, self.facts) for a in args]

    def kind(self, node: Expr) -> Kind:
        return infer(node, self.facts)

    # --- elements and items

    def may_lack(self, node: Any, at: Stmt) -> bool:
        """Is it an element or an item that may not be there?"""
        kind = self.kind(node.value)
        if isinstance(kind, Dict) and isinstance(self.kind(node.slice), Text):
            return True
        if any(isinstance(n, gast.Call) for n in walk(node)):
            return False
        if isinstance(node.value, gast.Dict):
            return True
        shown = isinstance(node.value, (gast.Tuple, gast.List, gast.Constant))
        if isinstance(kind, Static) and type(kind.value) is str:
            kind = List((kind,) * len(kind.value))
        if isinstance(node.slice, gast.Slice) or not (shown or isinstance(node.value, gast.Name)):
            return False
        if not isinstance(kind, (Array, ListOf, List, Tuple, Dict, Unknown)):
            return False
        indices = items_of(node.slice)
        shape = kind.shape if isinstance(kind, Array) else None
        plain = all(not isinstance(i, gast.Constant) or type(i.value) is int for i in indices)
        lengths = shape if shape is not None and plain else None
        if isinstance(kind, (List, Tuple)):
            lengths = (Dim.of(len(kind.items)),)
        return any(
            self.is_open(i, lengths[k] if lengths is not None and k < len(lengths) else None, at)
            for k, i in enumerate(indices)
        )

    def is_open(self, index: Any, length: Dim | None, at: Stmt) -> bool:
        """May there be nothing at an index? At 0 and -1 there is, but in what is empty, and nobody would look there."""
        kind = self.kind(index)
        if isinstance(index, gast.Constant) or isinstance(kind, Static):
            value = index.value if isinstance(index, gast.Constant) else kind.value  # type: ignore[attr-defined]
            if type(value) is not int:
                return isinstance(value, str)
            place = Dim.of(value)
            if value in (0, -1) and not isinstance(at, gast.Expr):
                return False
        elif isinstance(kind, Array):
            if kind.dtype.kind == "b" and kind.shape is not None and len(kind.shape) == 1 and length is not None:
                return kind.shape[0] != length and kind.trues is None
            written = self.written.get(getattr(index, "id", ""))
            if written:
                ends = [] if length is None else [length - max(written) - 1, length + min(written)]
                return not (ends and all(dims.at_least(d, 0) for d in ends))
            return kind.dtype.kind in "iu" and {n.id for n in walk_names(index)} <= self.given
        elif isinstance(kind, Number):
            if kind.value is None:
                return True
            place = kind.value
        else:
            return False
        if length is None:
            return True
        low, high = self.range_of(place, at)
        inside = high is not None and dims.at_least(length - high, 1)
        return not (inside and low is not None and dims.at_least(low + length, 0))

    def range_of(self, place: Dim, at: Stmt) -> tuple[Dim | None, Dim | None]:
        """The least and the largest value of an index, said without the variables of the loops that it is in."""
        low: Dim | None = place
        high: Dim | None = place
        for loop in reversed(self.loops.get(id(at), ())):
            ends = self.ends_of(loop)
            kind = self.facts.kinds.get(getattr(loop.target, "id", ""))
            own = kind.value if isinstance(kind, Number) else None
            if ends is None or own is None or len(own.terms) != 1 or own.const or own.terms[0][1] != 1:
                continue
            least, most = ends
            low = _put(low, own, least, most)
            high = _put(high, own, most, least)
        return low, high

    def ends_of(self, loop: Any) -> tuple[Dim, Dim] | None:
        """The first and the last of a `range` that a loop runs over, the smaller one first."""
        call = loop.iter
        if isinstance(call, gast.Call) and getattr(call.func, "id", "") == "reversed":
            call = call.args[0]
        if not (isinstance(call, gast.Call) and getattr(call.func, "id", "") == "range"):
            return None
        bounds: list[Any] = [getattr(self.kind(a), "value", None) for a in call.args]
        bounds = [Dim.of(b) if type(b) is int else b for b in bounds]
        if not all(isinstance(b, Dim) for b in bounds):
            return None
        start, stop, step = (Dim.of(0), bounds[0], ONE) if len(bounds) == 1 else (*bounds[:2], *(bounds[2:] or [ONE]))
        if not step.known or not step.const:
            return None
        return (start, stop - 1) if step.const > 0 else (stop + 1, start)

    def ends_of_value(self, kind: Kind, at: Stmt) -> tuple[int | None, int | None]:
        """The least and the greatest value of an int, where they are known as numbers."""
        if not isinstance(kind, Number) or kind.value is None:
            return None, None
        low, high = self.range_of(kind.value, at)
        return (None if low is None else dims.lower(low)), (high.const if high is not None and high.known else None)

    # --- what is bound

    def visit(self, block: list[Stmt], bound: int, loops: tuple[Any, ...]) -> int | None:
        """Note what is bound before each statement of a block. What is bound behind it; None: it is not reached."""
        now: int | None = bound
        bits = self.bits
        for s in block:
            here = now if now is not None else self.locals | bound
            self.bound[id(s)], self.loops[id(s)], self.asked[id(s)] = here, loops, tuple(self.tests)
            if isinstance(s, gast.If) and self.is_flag(s.test):
                here = now = self.locals | here
                self.visit(s.body, here, loops)
                self.visit(s.orelse, here, loops)
            elif isinstance(s, gast.If):
                ends = [self.visit(s.body, here, loops), self.visit(s.orelse, here, loops)]
                now = _in_all([end for end in ends if end is not None])
            elif isinstance(s, gast.For):
                inside = self.visit(s.body, here | bits.of(targets(s)), (*loops, s))
                self.visit(s.orelse, here, loops)
                now = inside if inside is not None and self.turns(s) else here
            elif isinstance(s, gast.While):
                outer, self.breaks = self.breaks, []
                self.tests.append(text(s.test))
                self.visit(s.body, here, loops)
                self.tests.pop()
                self.visit(s.orelse, here, loops)
                endless = isinstance(s.test, gast.Constant) and bool(s.test.value)
                now = _in_all(self.breaks) if endless and self.breaks else here
                self.breaks = outer
            elif isinstance(s, gast.With):
                named = (n.id for i in s.items if i.optional_vars is not None for n in walk_names(i.optional_vars))
                now = self.visit(s.body, here | bits.of(named), loops)
            elif isinstance(s, _JUMPS):
                if isinstance(s, gast.Break):
                    self.breaks.append(here)
                now = None
            elif list(blocks_of(s)):
                for part in blocks_of(s):
                    self.visit(part, self.locals | here, loops)
                now = self.locals | here  # (what is tried: nothing in it is left out)
            else:
                copied = s.value.id if isinstance(s, gast.Assign) and isinstance(s.value, gast.Name) else None
                lacking = copied in self.local and not bits[copied] & here
                for name in targets(s):
                    self.written[name] = literals(s.value) if name not in self.written else []
                if isinstance(s, gast.Assign) and isinstance(s.value, (gast.Compare, gast.BoolOp, gast.UnaryOp)):
                    self.told.update(targets(s))
                own = bits.of(targets(s))
                now = here & ~own if lacking else here | own
        return now

    def is_flag(self, test: Any) -> bool:
        """Does a test ask which way was taken before? What is bound there is bound here."""
        inner = test.operand if isinstance(test, gast.UnaryOp) else test
        if not isinstance(inner, gast.Name) or inner.id not in self.local or inner.id in self.facts.user_name:
            return False
        if inner.id in self.told:  # just now: it is here that the way is taken
            self.told.remove(inner.id)
            return False
        return True

    def turns(self, loop: Any) -> bool:
        """Does a loop turn at least once, to the end of its body?"""
        if turns_surely(loop):
            return True
        if may_jump(loop):
            return False
        ends = self.ends_of(loop)
        if ends is not None:
            return dims.at_least(ends[1] - ends[0], 0)
        shape = shape_of(loop.iter, self.facts)
        return bool(shape) and dims.at_least(shape[0], 1)  # type: ignore[index]


def _in_all(masks: list[int]) -> int | None:
    """The bits that are in all of some; None where there are none."""
    return functools.reduce(operator.and_, masks) if masks else None


def _divides(parts: Dim, length: Dim) -> bool:
    """Can an array of some length certainly be split into parts of equal length?

    >>> n = Dim.symbol("n")
    >>> [_divides(Dim.of(2), d) for d in (n, n * 4, n * 4 + 1, Dim.of(6))]
    [False, True, False, True]
    """
    if not parts.known or parts.const < 1:
        return False
    return length.const % parts.const == 0 and all(factor % parts.const == 0 for _, factor in length.terms)


def literals(value: Any) -> list[int]:
    """The ints of which an array is made; none where it is made of anything else.

    >>> literals(quote("np.array([0, -2])")), literals(quote("np.array(rows)"))
    ([0, -2], [])
    """
    items = value.args[0] if isinstance(value, gast.Call) and len(value.args) == 1 else None
    if not isinstance(items, gast.List) or not text(value.func).endswith(".array"):
        return []
    try:
        found = [ast.literal_eval(text(item)) for item in items.elts]
    except ValueError:
        return []
    return found if all(type(v) is int for v in found) else []


def _is_unhashable(kind: Kind) -> bool:
    """Is it no key of a dict?

    >>> [_is_unhashable(kind) for kind in (List(()), Tuple((Number(int), List(()))), Number(int), Unknown())]
    [True, True, False, False]
    """
    if isinstance(kind, Tuple):
        return any(map(_is_unhashable, kind.items))
    return isinstance(kind, (List, ListOf, Dict)) or (isinstance(kind, Array) and bool(kind.shape))


def _is_int(kind: Kind) -> bool:
    return isinstance(kind, Number) and issubclass(kind.type, (int, np.integer))


def _is_store(statement: Any) -> bool:
    return isinstance(statement.targets[0], gast.Subscript)


def _together(checks: list[Expr]) -> Expr | None:
    """Several checks as one expression; None for none."""
    return checks[0] if len(checks) == 1 else gast.Tuple(checks, gast.Load()) if checks else None


def _put(place: Dim | None, variable: Dim, least: Dim, most: Dim) -> Dim | None:
    """An index with an end of a loop in place of its variable: `least` where it is added, `most` where subtracted."""
    if place is None:
        return None
    factor = dict(place.terms).get(variable.terms[0][0], 0)
    return place + (least if factor > 0 else most) * factor - variable * factor


def sides_of(value: Expr) -> list[Expr]:
    """What an expression may be: the sides of a condition, else itself. (A line that is nothing but a name asks whether
    that is bound; one that puts it on a list may well put None there.)"""
    if not isinstance(value, gast.IfExp):
        return [value]
    return [*sides_of(value.body), *sides_of(value.orelse)]
