"""What the primal raises, the derivative raises: checks for computations that the derivative does not need.

A sum of two arrays has a derivative that reads neither, so that nothing would be left of it that minds their shapes; so
it is with an element that is only added, or a `reshape` that nobody reads. Where a statement is dead but its kinds do
not prove that it does not raise, `eliminate` puts the cheapest expression in its place that raises when it does, as a
statement of its own. Such a check goes where something else in the output raises at the same time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import gast
import numpy as np

from s2sad.analysis.binding import targets, turns_surely
from s2sad.analysis.counts import count_check, counted
from s2sad.core import Expr, Facts, Stmt, blocks_of, clone, load, names_bound, quote, text, walk, walk_names
from s2sad.kinds import dims
from s2sad.kinds.dims import ONE
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Dict, Dim, Kind, List, ListOf, Number, Static, Text, Tuple, Unknown
from s2sad.kinds.kind import Callable as CallableKind
from s2sad.tidy.deadcode import branch, eliminate
from s2sad.tidy.effects import Effects, nested
from s2sad.tidy.rebuild import with_blocks, with_fields
from s2sad.transform.fit import dim_expr, shape_expr
from s2sad.transform.operand import Operand

#: expressions whose parts are not evaluated in any case, or more than once
_NOT_ALWAYS = (
    *(gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp),
    *(gast.Lambda, gast.IfExp, gast.BoolOp),
)
_MATRICES = (np.linalg.solve, np.linalg.inv, np.linalg.cholesky)
_JOINS = (np.stack, np.concatenate, np.vstack, np.hstack, np.column_stack)
_EXTREMES = (np.max, np.min, np.amax, np.amin, np.argmax, np.argmin, max, min)
_JUMPS = (gast.Return, gast.Raise, gast.Break, gast.Continue)

Shape = tuple[Dim, ...]


def eliminate_checked(
    body: list[Stmt], facts: Facts, parameters: Sequence[str], numpy: Callable[[], str], **known: Any
) -> list[Stmt]:
    """As `eliminate`, but where what is left out may raise, its check stays.

    Args:
        body: the core statements of a function.
        facts: what is known of its names.
        parameters: the names that come in bound.
        numpy: the name of NumPy, which is imported where it has none yet.
        known: what else `eliminate` takes.

    >>> from s2sad.core import statements
    >>> def row(length):
    ...     return Array(np.dtype(float), (length,))
    >>> n, m = Dim.symbol("n"), Dim.symbol("m")
    >>> facts = Facts(kinds={"x": row(n), "y": row(n), "t": row(Dim.of(3)), "a": row(m), "i": Number(int)})
    >>> body = statements("t = np.ones(3)\\nu = x + t\\nv = x + y\\nw = a[i]\\nv = a[0]\\nreturn x")
    >>> print(text(eliminate_checked(body, facts, ["x", "y", "a", "i"], lambda: "np")))
    np.broadcast_shapes(x.shape, (3,))
    a[i]
    return x
    """
    checks = _Checks(body, facts, parameters, numpy)
    return _without_covered(eliminate(body, facts, checks=checks.of, parameters=parameters, **known), facts)


class _Checks:
    """What may raise in the statements of a function."""

    def __init__(self, body: list[Stmt], facts: Facts, parameters: Sequence[str], numpy: Callable[[], str]) -> None:
        self.facts, self.numpy = facts, numpy
        self.given = {*parameters, *facts.globals} - names_bound(body)
        self.sources = [Operand(load(p), facts.kinds[p]) for p in parameters if p in self.given and p in facts.kinds]
        self.local = names_bound(body) - set(parameters)
        #: for each statement: what is bound before it, and the loops that it is in
        self.bound: dict[int, frozenset[str]] = {}
        self.loops: dict[int, tuple[Any, ...]] = {}
        self.breaks: list[frozenset[str]] = []
        self.visit(body, frozenset(parameters), ())

    def of(self, statement: Stmt, runs: bool) -> list[Stmt]:
        """The checks of a statement that is dead.

        Args:
            runs: do the loops that it is in run in any case? Else those stay that cost next to nothing: a loop is not
                run for the elements that it reads, or what would have to be computed in it.
        """
        if not isinstance(statement, (gast.Assign, gast.Expr)) or isinstance(statement.value, gast.Constant):
            return []
        if isinstance(statement, gast.Assign) and isinstance(statement.value, gast.Name):
            return []  # paths join by copies, also of what has no value yet
        found: dict[str, Expr] = {}
        for node in _evaluated(statement.value):
            check = self.check(node, statement)
            if check is not None and (runs or self.is_light(check, statement)):
                found.setdefault(text(check), check)
                if check is node:
                    break  # (its parts are evaluated with it)
        made = [gast.Expr(c) for c in found.values()]
        for one in made:
            one.origin = getattr(statement, "origin", None)
        return made

    def check(self, node: Any, at: Stmt) -> Expr | None:
        """The cheapest expression that raises when a node does, the node itself perhaps; None where it does not."""
        if isinstance(node, gast.Name):
            lacking = node.id in self.local and node.id not in self.bound.get(id(at), self.local)
            return clone(node) if lacking else None
        if isinstance(node, gast.Subscript):
            return node if self.may_lack(node, at) else None
        if isinstance(node, gast.ListComp):
            return self.count(node)
        if isinstance(node, gast.BinOp) and isinstance(node.op, gast.MatMult):
            return self.product(node, node.left, node.right)
        if isinstance(node, (gast.BinOp, gast.Compare)) or _is_elementwise(node, self.facts):
            return self.fitting(node)
        return self.call(node) if isinstance(node, gast.Call) else None

    def fitting(self, node: Any) -> Expr | None:
        """The shapes of arrays that are put together element by element, where they are not known to fit."""
        operands = _operands(node)
        shapes = [_shape(o, self.facts) for o in operands]
        if None in shapes or _fit(shapes):
            return None
        return self.broadcast(node, [o for o, shape in zip(operands, shapes, strict=True) if shape])

    def broadcast(self, node: Any, operands: list[Expr]) -> Expr:
        """`np.broadcast_shapes(...)` of the shapes of arrays; the node itself where these are not known beforehand."""
        made = []
        for operand in operands:
            named = isinstance(operand, gast.Name) and operand.id in self.given
            made.append(quote("x.shape", x=operand) if named else self.shape_of(self.kind(operand)))
        if any(m is None for m in made):
            return node
        return gast.Call(quote(f"{self.numpy()}.broadcast_shapes"), made, [])

    def shape_of(self, kind: Any) -> Expr | None:
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
        shape = _shape(value, self.facts)
        if shape and shape[0].known:
            return None
        alike = [s.expr for s in self.sources if shape and s.shape and s.shape[0] == shape[0]]
        given = isinstance(value, gast.Name) and value.id in self.given
        return count_check(alike[0], pattern) if alike and not given else node

    def product(self, node: Any, left: Expr, right: Expr) -> Expr | None:
        """A matrix product where the lengths are not known to be equal: without the rows, or columns, it is cheap."""
        a, b = _shape(left, self.facts), _shape(right, self.facts)
        if not a or not b or a[-1] == b[max(len(b) - 2, 0)]:
            return None
        if len(a) == len(b) == 1 and ONE not in (*a, *b):
            return self.broadcast(node, [left, right])
        parts = {"a": left, "b": right}
        if len(a) == 2:
            return quote("a[:0] @ b", **parts)
        return quote("a @ b[:, :0]", **parts) if len(b) == 2 else node

    def call(self, node: Any) -> Expr | None:
        method = isinstance(node.func, gast.Attribute) and not isinstance(self.kind(node.func), CallableKind)
        name = node.func.attr if method else ""
        target = None if method else getattr(self.kind(node.func), "value", None)
        args = [node.func.value, *node.args] if method else node.args
        if not args or any(isinstance(a, gast.Starred) for a in args):
            return None
        kinds = [self.kind(a) for a in args]
        first = kinds[0]
        if method and isinstance(first, (List, ListOf)):
            return self.of_list(name, node)
        if target in (int, float, complex):
            return node if isinstance(first, Text) or isinstance(getattr(first, "value", None), str) else None
        if target is np.reshape or (name == "reshape" and isinstance(first, Array)):
            before, after = _shape(args[0], self.facts), _shape(node, self.facts)
            return node if before is None or after is None or _size(before) != _size(after) else None
        if target in _MATRICES:
            return node
        if (target in _EXTREMES and len(args) == 1) or name in ("max", "min", "argmax", "argmin"):
            shape = _shape(args[0], self.facts)
            if isinstance(first, Array):
                return None if shape is None or all(dims.at_least(d, 1) for d in shape) else node
            return node if isinstance(first, ListOf) or first == List(()) else None
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
        if target is np.broadcast_shapes:
            lengths = [_lengths(a, self.facts) for a in args]
            return None if None not in lengths and _fit(lengths) else node
        return None

    def of_list(self, name: str, node: Any) -> Expr | None:
        """What raises when a method of a list does, without changing it."""
        items, args = node.func.value, node.args
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
        return [_shape(a, self.facts) for a in args]

    def kind(self, node: Expr) -> Kind:
        return infer(node, self.facts)

    def is_light(self, check: Expr, at: Stmt) -> bool:
        """Does a check look at what is given alone, or at what loops run over, without any element?"""
        looped = {loop.target.id for loop in self.loops.get(id(at), ()) if isinstance(loop.target, gast.Name)}
        if not {n.id for n in walk_names(check)} <= self.given | looped:
            return False
        if isinstance(check, gast.Subscript):
            return isinstance(check.value, gast.Dict) or isinstance(self.kind(check.value), Dict)
        return isinstance(check, gast.Call) and getattr(check.func, "attr", "") == "broadcast_shapes"

    # --- elements and items

    def may_lack(self, node: Any, at: Stmt) -> bool:
        """Is it an element or an item that may not be there?"""
        if any(isinstance(n, gast.Call) for n in walk(node)):
            return False
        if isinstance(node.value, gast.Dict):
            return True
        if not isinstance(node.value, gast.Name):
            return False
        kind = self.kind(node.value)
        if not isinstance(kind, (Array, ListOf, List, Dict, Unknown)):
            return False
        indices = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
        shape = kind.shape if isinstance(kind, Array) else None
        plain = all(not isinstance(i, gast.Constant) or type(i.value) is int for i in indices)
        lengths = shape if shape is not None and plain else None
        if isinstance(kind, List):
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

    # --- what is bound

    def visit(self, block: list[Stmt], bound: frozenset[str], loops: tuple[Any, ...]) -> frozenset[str] | None:
        """Note what is bound before each statement of a block. What is bound behind it; None: it is not reached."""
        now: frozenset[str] | None = bound
        for s in block:
            here = now if now is not None else frozenset(self.local | bound)
            self.bound[id(s)], self.loops[id(s)] = here, loops
            if isinstance(s, gast.If) and self.is_flag(s.test):
                here = now = frozenset(self.local | here)
                self.visit(s.body, here, loops)
                self.visit(s.orelse, here, loops)
            elif isinstance(s, gast.If):
                ends = [self.visit(s.body, here, loops), self.visit(s.orelse, here, loops)]
                reached = [end for end in ends if end is not None]
                now = frozenset.intersection(*reached) if reached else None
            elif isinstance(s, gast.For):
                inside = self.visit(s.body, here | set(targets(s)), (*loops, s))
                self.visit(s.orelse, here, loops)
                now = inside if inside is not None and self.turns(s) else here
            elif isinstance(s, gast.While):
                outer, self.breaks = self.breaks, []
                self.visit(s.body, here, loops)
                self.visit(s.orelse, here, loops)
                endless = isinstance(s.test, gast.Constant) and bool(s.test.value)
                now = frozenset.intersection(*self.breaks) if endless and self.breaks else here
                self.breaks = outer
            elif isinstance(s, gast.With):
                named = {n.id for i in s.items if i.optional_vars is not None for n in walk_names(i.optional_vars)}
                now = self.visit(s.body, here | named, loops)
            elif isinstance(s, _JUMPS):
                if isinstance(s, gast.Break):
                    self.breaks.append(here)
                now = None
            elif list(blocks_of(s)):
                for part in blocks_of(s):
                    self.visit(part, frozenset(self.local | here), loops)
                now = frozenset(self.local | here)  # (what is tried: nothing in it is left out)
            else:
                copied = s.value.id if isinstance(s, gast.Assign) and isinstance(s.value, gast.Name) else None
                lacking = copied in self.local and copied not in here
                now = here - set(targets(s)) if lacking else here | set(targets(s))
        return now

    def is_flag(self, test: Any) -> bool:
        """Does a test ask which way was taken before? What is bound there is bound here."""
        inner = test.operand if isinstance(test, gast.UnaryOp) else test
        return isinstance(inner, gast.Name) and inner.id in self.local and inner.id not in self.facts.user_name

    def turns(self, loop: Any) -> bool:
        """Does a loop turn at least once, to the end of its body?"""
        if turns_surely(loop):
            return True
        if any(isinstance(n, (gast.Break, gast.Continue)) for s in loop.body for n in gast.walk(s)):
            return False
        ends = self.ends_of(loop)
        if ends is not None:
            return dims.at_least(ends[1] - ends[0], 0)
        shape = _shape(loop.iter, self.facts)
        return bool(shape) and dims.at_least(shape[0], 1)  # type: ignore[index]


def _put(place: Dim | None, variable: Dim, least: Dim, most: Dim) -> Dim | None:
    """An index with an end of a loop in place of its variable: `least` where it is added, `most` where subtracted."""
    if place is None:
        return None
    factor = dict(place.terms).get(variable.terms[0][0], 0)
    return place + (least if factor > 0 else most) * factor - variable * factor


def _evaluated(node: Any) -> Iterator[Any]:
    """An expression and those in it that are evaluated once, whatever their values."""
    yield node
    if not isinstance(node, _NOT_ALWAYS):
        for child in gast.iter_child_nodes(node):
            yield from _evaluated(child)


def _shape(node: Expr, facts: Facts) -> Shape | None:
    """The shape of a value, () for a number; None where it is not known."""
    kind = infer(node, facts)
    if isinstance(kind, Array):
        return kind.shape
    return () if isinstance(kind, Number) or isinstance(getattr(kind, "value", None), (int, float, complex)) else None


def _lengths(node: Expr, facts: Facts) -> Shape | None:
    """The lengths that a shape holds, where they are known."""
    kind = infer(node, facts)
    items = kind.items if isinstance(kind, Tuple) else None
    if isinstance(kind, Static) and isinstance(kind.value, tuple):
        return tuple(Dim.of(v) for v in kind.value)
    values = [getattr(i, "value", None) for i in items] if items is not None else [None]
    values = [Dim.of(v) if type(v) is int else v for v in values]
    return tuple(values) if all(isinstance(v, Dim) for v in values) else None  # type: ignore[arg-type]


def _size(shape: Shape) -> Dim:
    return dims.product_of(shape)


def _fit(shapes: Sequence[Any]) -> bool:
    """Are shapes known to broadcast?"""
    return all(
        a == b or ONE in (a, b) or dims.clipped(a) == b or dims.clipped(b) == a
        for k, first in enumerate(shapes)
        for second in shapes[k + 1 :]
        for a, b in zip(reversed(first), reversed(second), strict=False)
    )


def _is_elementwise(node: Any, facts: Facts) -> bool:
    if not isinstance(node, gast.Call) or node.keywords or any(isinstance(a, gast.Starred) for a in node.args):
        return False
    target = getattr(infer(node.func, facts), "value", None)
    return (isinstance(target, np.ufunc) and target.signature is None) or (target is np.where and len(node.args) == 3)


def _operands(node: Any) -> list[Expr]:
    if isinstance(node, gast.AugAssign):
        return [node.target, node.value]
    if isinstance(node, gast.BinOp):
        return [node.left, node.right]
    return [node.left, *node.comparators] if isinstance(node, gast.Compare) else list(node.args)


# --- what else raises at the same time


def _without_covered(body: list[Stmt], facts: Facts) -> list[Stmt]:
    """The statements without the checks of what is evaluated anyway, where these are run or further out.

    >>> from s2sad.core import statements
    >>> body = statements("for i in u:\\n    a[k]\\nelse:\\n    b = 1\\nwith c:\\n    a[k]\\nreturn a[k] * b")
    >>> print(text(_without_covered(body, Facts(kinds={"a": Array(np.dtype(float), (ONE,))}))))
    b = 1
    with c:
        pass
    return a[k] * b
    """
    known: set[tuple[Any, Any]] = set()
    effects = Effects(facts)

    def is_check(s: Stmt) -> bool:
        return isinstance(s, gast.Expr) and effects.of(s).check

    def note(block: list[Stmt], path: tuple[Any, ...]) -> None:
        for s in block:
            if not is_check(s):
                known.update(
                    (path, key) for part in _headers(s) for n in _evaluated(part) for key in _keys(n, facts, lists)
                )
            for k, inner in enumerate(blocks_of(s)):
                note(inner, (*path, _step(s, k)))

    def kept(block: list[Stmt], path: tuple[Any, ...]) -> list[Stmt]:
        out: list[Stmt] = []
        for s in block:
            if isinstance(s, gast.Try):
                out.append(s)  # (what raises there decides what is run)
                continue
            if is_check(s):
                keys = _keys(s.value, facts, lists)
                if any((path[:k], key) in known for k in range(len(path) + 1) for key in keys):
                    continue
                known.update((path, key) for key in keys)
            steps = iter([(*path, _step(s, k)) for k, _ in enumerate(blocks_of(s))])
            made = with_blocks(s, partial(inside, steps))
            if isinstance(made, gast.If):
                out += branch(made, made.body, made.orelse, effects)
            elif isinstance(made, gast.For) and not made.body and effects.of(made).pure:
                out += made.orelse  # (its body held nothing else, and no `break`)
            elif isinstance(made, (gast.For, gast.While, gast.With)) and not made.body:
                out.append(with_fields(made, body=[gast.Pass()]))
            else:
                out.append(made)
        return out

    def inside(steps: Iterator[tuple[Any, ...]], block: list[Stmt]) -> list[Stmt]:
        return kept(block, next(steps))

    if not any(is_check(s) for top in body for s in nested(top)):
        return body
    lists = _lists_alike(body)
    note(body, ())
    return kept(body, ())


def _lists_alike(body: list[Stmt]) -> dict[str, str]:
    """Lists that are made as long as others, as adjoints are: `g = [0.0] * len(v)`, `g = [... for v0 in v]`."""
    found: dict[str, str] = {}
    for s in (s for top in body for s in nested(top)):
        if not (isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Name)):
            continue
        value = s.value
        count = value.right if isinstance(value, gast.BinOp) and isinstance(value.left, gast.List) else None
        like = count.args[0] if isinstance(count, gast.Call) and getattr(count.func, "id", "") == "len" else None
        like = value.generators[0].iter if isinstance(value, gast.ListComp) else like
        if isinstance(like, gast.Name):
            found[s.targets[0].id] = like.id
    return found


def _headers(statement: Any) -> list[Any]:
    """The expressions of a statement that are evaluated when it is reached."""
    if isinstance(statement, gast.AugAssign):
        return [statement]
    if isinstance(statement, gast.Assign):
        return [*statement.targets, statement.value]
    parts = [getattr(statement, name, None) for name in ("test", "iter", "value")]
    return [p for p in parts if isinstance(p, gast.AST)]


def _step(statement: Any, part: int) -> Any:
    """What a block is run for: the sweep back has the same branches, and loops over the same names."""
    if isinstance(statement, gast.If):
        return text(statement.test), part
    if isinstance(statement, gast.For):
        names = frozenset(n.id for n in walk_names(statement.iter)) - {"reversed"}
        return text(statement.target), names, part
    return id(statement), part


def _keys(node: Any, facts: Facts, lists: dict[str, str]) -> list[Any]:
    """What stands for all that raises when a node does."""
    if isinstance(node, gast.Subscript):
        shape = _shape(node.value, facts)
        index = text(node.slice)
        base = text(node.value)
        return [(shape, index), (base, index)] if shape else [(lists.get(base, base), index)]
    count = counted(node)
    if count is not None:
        shape = _shape(count[0], facts)
        return [("count", tuple(count[1]), shape[0] if shape else text(count[0]))]
    target = getattr(infer(node.func, facts), "value", None) if isinstance(node, gast.Call) else None
    if target is np.broadcast_shapes:
        return [("fit", frozenset(_lengths(a, facts) for a in node.args))]
    if isinstance(node, (gast.BinOp, gast.AugAssign)) or _is_elementwise(node, facts) or target is np.full_like:
        shapes = frozenset(s for o in _operands(node) if (s := _shape(o, facts)))
        if not isinstance(getattr(node, "op", None), gast.MatMult) or all(len(s) == 1 for s in shapes):
            return [("fit", shapes), text(node)]
    if target in (np.linalg.solve, np.linalg.inv) and node.args:
        matrix = node.args[0]
        plain = matrix.value if isinstance(matrix, gast.Attribute) and matrix.attr == "T" else matrix
        return [("regular", text(plain))]
    return [text(node)] if isinstance(node, (gast.Call, gast.BinOp, gast.Name)) else []
