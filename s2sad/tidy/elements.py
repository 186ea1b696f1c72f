"""Loops that come to the elements of arrays one by one read them from lists: there they are Python's numbers.

An element that is read from an array is a NumPy scalar, and arithmetic with these takes two to four times as long as
with Python's numbers. So where a loop comes to every element of an array, and to nothing but elements, the array is
made a list before it (`A.tolist()`), and an array again behind it where it is read as one. That changes no value and
no rounding; what NumPy's scalars answer otherwise than Python's numbers is left alone: quotients by what may be 0 and
powers, which Python's numbers raise for, and everything that looks at the type.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import Any

import gast
import numpy as np

from s2sad.analysis.effects import Effects, nested
from s2sad.analysis.known_calls import dotted
from s2sad.analysis.nests import affine, turns
from s2sad.analysis.ranges import sign
from s2sad.analysis.scope import Scope
from s2sad.core import Expr, Facts, Stmt, assign, blocks_of, form, global_name, load, quote, text, walk
from s2sad.kinds import dims
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Dim, Kind, Number
from s2sad.tidy.rebuild import with_fields

_DOUBLE = np.dtype(float)
#: numbers that make doubles of doubles, as Python's and as NumPy's
_REAL = (float, int, bool, np.float64, np.int64, np.bool_)
_ARITHMETIC = (gast.Add, gast.Sub, gast.Mult)
_PICKS = ("min", "max", "abs")
_OF_SHAPE = ("shape", "size", "ndim", "dtype")
#: an axis that is longer than the turns of a loop by more is not one that the loop runs along
BORDER = 8
#: elements and operations with them in a loop, for which two more lines of text are worth it
_ENOUGH = 12
_OPERATIONS = (gast.BinOp, gast.UnaryOp, gast.Compare, gast.Call, gast.AugAssign)


def elements_from_lists(body: list[Stmt], facts: Facts, parameters: Collection[str]) -> list[Stmt]:
    """The statements with lists in the place of the arrays whose elements their loops come to one by one.

    Args:
        body: the statements of one function, tidied; nothing is derived from them any more.
        facts: what is known of its names.
        parameters: the names that come in bound.

    Returns:
        New statements; those that did not change are the same nodes.

    >>> from s2sad.core import statements
    >>> from s2sad.kinds.kind import Dim
    >>> n, i = Dim.symbol("n"), Dim.symbol("i$")
    >>> kinds = {"x": Array(_DOUBLE, (n,)), "y": Array(_DOUBLE, (n,)), "n": Number(int, n), "i": Number(int, i)}
    >>> facts = Facts(kinds=kinds)
    >>> facts.globals["np"] = np
    >>> loop = "for i in range(1, n):\\n  y[i] = y[i - 1] * x[i] + 2.0 * x[i - 1] - x[i] + x[i] * x[i - 1]"
    >>> before = statements(f"y = np.zeros(n)\\n{loop}\\nreturn y")
    >>> print(text(elements_from_lists(before, facts, ["x", "n"])))
    y = np.zeros(n)
    y_items = y.tolist()
    x_items = x.tolist()
    for i in range(1, n):
        y_items[i] = y_items[i - 1] * x_items[i] + 2.0 * x_items[i - 1] - x_items[i] + x_items[i] * x_items[i - 1]
    y = np.array(y_items)
    return y
    """
    if not any(type(s) is gast.For for s in body) or facts.identities or facts.laid_out:
        return body
    return _Lists(body, facts, parameters).written()


def is_long(loop: Any, length: Any, around: Mapping[str, Any], facts: Facts) -> bool:
    """Has the loop about as many turns as an axis is long, or (in a triangle) half of them?"""
    known = turns(loop)
    assert known is not None
    ends: list[Any] = []
    for end, above in ((known.low, known.above_low), (known.high, known.above_high)):
        by = affine(end)
        if by is not None and by[0] in around:
            ends.append(None)
            continue
        value = end_of(end, facts)
        if value is None:
            return False
        ends.append(value + above)
    low, high = (ends[0] or dims.ZERO, ends[1] or length) if ends != [None, None] else (dims.ZERO, None)
    left = None if high is None else length - (high - low)
    return left is not None and left.known and left.const <= BORDER


def end_of(end: Expr, facts: Facts) -> Dim | None:
    """What is known of the number that a range starts or ends at."""
    if type(end) is gast.Constant and type(end.value) is int:
        return dims.ZERO + end.value
    return getattr(infer(end, facts), "value", None)


class _Differs(Exception):
    """What comes of these lists would not be the same: pairs of a loop's place and an array."""

    def __init__(self, found: frozenset[tuple[int, str]]) -> None:
        self.found = found


class _Changed:
    """A value that is a number of NumPy's now, and would be one of Python's.

    Attributes:
        of: the places of the loops and the arrays that it comes from.
        truth: is it a bool?
    """

    def __init__(self, of: frozenset[tuple[int, str]], truth: bool = False) -> None:
        self.of, self.truth = of, truth


class _Lists:
    def __init__(self, body: list[Stmt], facts: Facts, parameters: Collection[str]) -> None:
        self.body, self.facts = body, facts
        self.scope = Scope(body, facts, Effects(facts), parameters=parameters)
        self.loops = [k for k, s in enumerate(body) if type(s) is gast.For]
        self.tapes = self.own_tapes()
        self.parameters = parameters
        self.logarithms: set[str] | None = None
        self.chosen: set[tuple[int, str]] = set()
        self.names: dict[str, _Changed] = {}
        #: the conditions of the choices around the expression that is looked at
        self.tests: list[Any] = []
        self.kinds: dict[int, tuple[Kind, Any]] = {}
        self.totals: dict[int, Any] = {}
        self.mentioned = {id(s): {*_names(s)} for top in body for s in nested(top) if not any(blocks_of(s))}

    @cached_property
    def values(self) -> dict[str, dict[str, Any]]:
        """The values that names are given, by their forms: of one form, a name is the same throughout."""
        found: dict[str, dict[str, Any]] = {name: {"": None} for name in self.parameters}
        for s in (s for top in self.body for s in nested(top)):
            for name, value in self.restored(s) or _bindings(s):
                found.setdefault(name, {})["" if value is None else form(value)] = value
        return found

    def kind(self, node: Expr) -> Kind:
        """What is known of an expression of the function: asked once, as nothing changes until all is rewritten."""
        known = self.kinds.get(id(node))
        if known is None:
            known = self.kinds[id(node)] = infer(node, self.facts), node
        return known[0]

    def total(self, s: Any) -> Any:
        """What `a op= b` binds, as an expression."""
        known = self.totals.get(id(s))
        if known is None:
            known = self.totals[id(s)] = gast.BinOp(with_fields(s.target, ctx=gast.Load()), s.op, s.value)
        return known

    # --- which arrays

    def written(self) -> list[Stmt]:
        chosen = {(k, name) for k in self.loops for name in self.candidates(k)}
        while chosen:
            self.chosen, self.names, self.tests = chosen, {}, []
            try:
                self.check()
            except _Differs as differs:
                chosen = chosen - differs.found
                continue
            worth = {(k, name) for k, name in chosen if self.is_worth_it(k, name)}
            if worth == chosen:
                break
            chosen = worth
        return self.rewritten(chosen) if chosen else self.body

    def is_worth_it(self, k: int, name: str) -> bool:
        """Are elements of the array read, and is enough done with such elements in the loop to pay for the lists?"""
        nodes = list(walk(self.body[k]))
        added = {id(n.target) for n in nodes if type(n) is gast.AugAssign}
        lists = [n for n in nodes if self.is_list(n, k)]
        read = any(n.value.id == name and (type(n.ctx) is gast.Load or id(n) in added) for n in lists)
        operations = [n for n in nodes if type(n) in _OPERATIONS and self.is_changed(n, k)]
        return read and len(lists) + len(operations) >= _ENOUGH

    def candidates(self, k: int) -> Iterator[str]:
        """The arrays of doubles to which a loop comes element by element, to most of the elements."""
        loop, scope = self.body[k], self.scope
        places: dict[str, list[tuple[Any, list[Any]]]] = {}
        others: set[str] = set()
        _accesses(loop, [], places, others)
        stored = scope.deep(loop)[2]
        for name, found in places.items():
            kind = self.facts.kinds.get(name)
            if name in others or name in scope.captured or not _of_doubles(kind):
                continue
            alone = scope.holders(name) == 1 and scope.bases(name) == {name} and name in scope.fresh
            if stored & scope.memory(name) and (not alone or name in scope.parameters):
                continue
            if all(self.is_element(node.slice, kind) for node, _ in found) and any(
                self.runs_along(node.slice, loops, kind) for node, loops in found
            ):
                yield name

    def is_element(self, index: Expr, kind: Any) -> bool:
        parts = index.elts if type(index) is gast.Tuple else [index]
        kinds = [self.kind(p) for p in parts]
        return len(parts) == len(kind.shape) and all(isinstance(k, Number) and k.type in (int, np.int64) for k in kinds)

    def runs_along(self, index: Expr, loops: list[Any], kind: Any) -> bool:
        """Do the loops around an access take it along all axes, each by a variable of its own?"""
        around = {loop.target.id: loop for loop in loops if turns(loop) is not None}
        parts = [affine(p) for p in (index.elts if type(index) is gast.Tuple else [index])]
        names = [p[0] for p in parts if p is not None and p[0] is not None]
        if len(set(names)) < len(parts) or not set(names) <= around.keys():
            return False
        return all(is_long(around[n], length, around, self.facts) for n, length in zip(names, kind.shape, strict=True))

    def own_tapes(self) -> set[str]:
        """The lists of the derivative's own to which values are appended and from which they are popped alone."""
        uses: dict[str, int] = {}
        for s in (s for top in self.body for s in nested(top)):
            name = _pushed_to(s) or _popped_from(s)
            if name is not None:
                uses[name] = uses.get(name, 0) + 1
            elif type(s) is gast.Assign and type(s.targets[0]) is gast.Name and _is_empty_list(s.value):
                uses[s.targets[0].id] = uses.get(s.targets[0].id, 0) + 1
        count: dict[str, int] = {}
        for node in (n for s in self.body for n in walk(s)):
            if type(node) is gast.Name and node.id in uses:
                count[node.id] = count.get(node.id, 0) + 1
        return {n for n, k in uses.items() if count[n] == k and n in self.facts.tapes}

    def restored(self, s: Any) -> list[tuple[str, Any]]:
        """What the names are given that a tape gives back, where it is the value of that name."""
        tape = _popped_from(s)
        if tape not in self.tapes:
            return []
        pushed = [p.value.args[0] for top in self.body for p in nested(top) if _pushed_to(p) == tape]
        targets = s.targets[0].elts if type(s.targets[0]) is gast.Tuple else s.targets
        found: list[tuple[str, Any]] = []
        for value in pushed:
            values = value.elts if type(value) is gast.Tuple else [value]
            if len(values) != len(targets) or not all(type(t) is gast.Name for t in targets):
                return []
            found += [(t.id, v) for t, v in zip(targets, values, strict=True) if form(t) != form(v)]
        return found or [("", None)]

    # --- what becomes of their elements

    def check(self) -> None:
        """Follow the elements through the function.

        Raises:
            _Differs: something would not be the same.
        """
        before = None
        while before != (now := {n: c.of for n, c in self.names.items()}):
            before = now
            for k, s in enumerate(self.body):
                self.statement(s, k)

    def is_list(self, node: Any, k: int) -> bool:
        return type(node) is gast.Subscript and type(node.value) is gast.Name and (k, node.value.id) in self.chosen

    def statement(self, s: Any, k: int) -> None:
        cls, names = type(s), self.mentioned.get(id(s))
        if names is not None and names.isdisjoint(self.names) and not any((k, name) in self.chosen for name in names):
            return
        if cls is gast.Assign and len(s.targets) == 1:
            self.bind(s.targets[0], s.value, k)
        elif cls is gast.AugAssign:
            total = self.total(s)
            if type(s.op) not in _ARITHMETIC and self.is_changed(total, k):
                self.differs(total, k=k)
            self.bind(s.target, total, k)
        elif cls is gast.Return:
            self.returned(s.value, k)
        elif cls is gast.Expr and _pushed_to(s) in self.tapes:
            found = self.parts(s.value.args[0], k)
            self.note(_pushed_to(s), *found)
        elif cls in (gast.If, gast.While, gast.For):
            header = s.test if cls is not gast.For else s.iter
            value = self.value(header, k)
            if value is not None and cls is gast.For:
                raise _Differs(value.of)
            for block in blocks_of(s):
                for inner in block:
                    self.statement(inner, k)
        else:
            self.differs(s, k=k)

    def bind(self, target: Any, value: Any, k: int) -> None:
        cls, tape = type(target), _popped(value) or ""
        if cls in (gast.Tuple, gast.List):
            if type(value) is gast.Tuple and len(value.elts) == len(target.elts):
                for t, v in zip(target.elts, value.elts, strict=True):
                    self.bind(t, v, k)
            elif tape in self.tapes and all(type(t) is gast.Name for t in target.elts):
                for t in target.elts:
                    self.note(t.id, self.names.get(tape))
            else:
                self.differs(target, value, k=k)
            return
        found = self.names.get(tape) if tape in self.tapes else self.value(value, k)
        if cls is gast.Name:
            self.note(target.id, found)
        elif cls is gast.Subscript:
            self.value(target.slice, k, changed=False)
            kind = self.kind(value)
            number = isinstance(kind, Number) and kind.of_types() <= {float, np.float64}
            if self.is_list(target, k):
                if not number or (found is not None and found.truth):
                    raise _Differs(frozenset({(k, target.value.id)}) | (found.of if found else frozenset()))
            elif found is not None and not (_of_doubles(self.kind(target.value)) and number):
                raise _Differs(found.of)
        elif found is not None:
            raise _Differs(found.of)

    def note(self, name: str | None, *found: _Changed | None) -> None:
        known = [c for c in found if c is not None]
        if name is None or not known:
            return
        before = self.names.get(name)
        of = frozenset().union(*(c.of for c in known), before.of if before else ())
        self.names[name] = _Changed(of, any(c.truth for c in known) or (before is not None and before.truth))

    def returned(self, value: Any, k: int) -> None:
        """Numbers are returned as NumPy's, as they would have been (see `rewritten`)."""
        for part in value.elts if type(value) is gast.Tuple else [value]:
            if type(part) is gast.Tuple:
                self.returned(part, k)
                continue
            found = None if part is None else self.value(part, k)
            if found is not None and (found.truth or not self.types_of(part) <= {float, np.float64}):
                raise _Differs(found.of)

    def types_of(self, part: Any) -> frozenset[Any]:
        kind = self.kind(part)
        return kind.of_types() if isinstance(kind, Number) else frozenset({object})

    def parts(self, value: Any, k: int) -> list[_Changed | None]:
        return [self.value(v, k) for v in (value.elts if type(value) is gast.Tuple else [value])]

    def is_changed(self, node: Any, k: int) -> bool:
        return any(self.names.get(n.id) if type(n) is gast.Name else self.is_list(n, k) for n in walk(node))

    def differs(self, *nodes: Any, k: int) -> None:
        """Raises: _Differs, where anything in the nodes would be another number."""
        found: set[tuple[int, str]] = set()
        for node in (n for top in nodes for n in walk(top)):
            if type(node) is gast.Name and node.id in self.names:
                found |= self.names[node.id].of
            elif self.is_list(node, k):
                found.add((k, node.value.id))
        if found:
            raise _Differs(frozenset(found))

    def value(self, node: Any, k: int, changed: bool = True) -> _Changed | None:
        """What becomes of an expression: None where it is the same as before.

        Raises:
            _Differs: it would be another value, or (where nothing may be `changed`) of another type.
        """
        found = self._value(node, k)
        if found is not None and not changed:
            raise _Differs(found.of)
        return found

    def _value(self, node: Any, k: int) -> _Changed | None:
        cls = type(node)
        if cls is gast.Name:
            return self.names.get(node.id)
        if cls is gast.Constant:
            return None
        if cls is gast.Subscript and self.is_list(node, k):
            self.value(node.slice, k, changed=False)
            return _Changed(frozenset({(k, node.value.id)}))
        if cls is gast.BinOp:
            return self.operation(node, k)
        if cls is gast.UnaryOp:
            found = self.value(node.operand, k)
            if type(node.op) is gast.Not or found is None:
                return None
            if found.truth or type(node.op) is gast.Invert:
                raise _Differs(found.of)
            return found
        if cls is gast.Compare:
            sides = [self.value(n, k) for n in (node.left, *node.comparators)]
            if any(type(op) not in (gast.Lt, gast.LtE, gast.Gt, gast.GtE, gast.Eq, gast.NotEq) for op in node.ops):
                self.differs(node, k=k)
            return self.together(sides, node, truth=True)
        if cls is gast.BoolOp or cls is gast.IfExp:
            values = node.values if cls is gast.BoolOp else [node.body, node.orelse]
            if cls is gast.IfExp:
                self.value(node.test, k)
                self.tests.append(node.test)
            found_each = [self.value(v, k) for v in values]
            if cls is gast.IfExp:
                self.tests.pop()
            known = [c for c in found_each if c is not None]
            mixed = len({c.truth for c in known}) > 1
            joined = self.together(found_each, node, truth=bool(known) and known[0].truth)
            if joined is not None and mixed:
                raise _Differs(joined.of)
            return joined
        if cls is gast.Call:
            return self.call(node, k)
        self.differs(node, k=k)
        return None

    def together(self, parts: list[_Changed | None], node: Any, truth: bool = False) -> _Changed | None:
        """What comes of several numbers: nothing changes in arrays."""
        known = [c for c in parts if c is not None]
        if not known:
            return None
        of = frozenset().union(*(c.of for c in known))
        kind = self.kind(node)
        if isinstance(kind, Array):
            return None
        if not isinstance(kind, Number):
            raise _Differs(of)
        return _Changed(of, truth)

    def operation(self, node: Any, k: int) -> _Changed | None:
        sides = [self.value(node.left, k), self.value(node.right, k)]
        known = [c for c in sides if c is not None]
        if not known:
            return None
        of = frozenset().union(*(c.of for c in known))
        kinds = [self.kind(side) for side in (node.left, node.right)]
        if not all(_is_real(kind) for kind in kinds):
            raise _Differs(of)
        if isinstance(self.kind(node), Array):
            return None
        floats = [
            isinstance(kind, Number) and kind.type in (float, np.float64) and not (side is not None and side.truth)
            for kind, side in zip(kinds, sides, strict=True)
        ]
        if type(node.op) is gast.Div:
            if not self.is_nonzero(node.right) or not floats[1]:
                raise _Differs(of)
        elif type(node.op) not in _ARITHMETIC:
            raise _Differs(of)
        if not any(floats):
            raise _Differs(of)  # bools of NumPy's do not add up to numbers
        return _Changed(of)

    def call(self, node: Any, k: int) -> _Changed | None:
        given = [self.value(a, k) for a in node.args if type(a) is not gast.Starred]
        for keyword in (*node.keywords, *(a for a in node.args if type(a) is gast.Starred)):
            self.differs(keyword, k=k)
        if type(node.func) is not gast.Name:
            path = dotted(node.func)
            owner = None if path is None or len(path) != 2 else self.facts.globals.get(path[0])
            known = [c for c in given if c is not None]
            if owner is math or (owner is np and isinstance(getattr(np, path[1], None), np.ufunc)):  # type: ignore[index]
                if any(c.truth for c in known) or not all(_is_real(self.kind(a)) for a in node.args if known):
                    self.differs(node, k=k)
                return None  # a number of the same type, of whatever is given
            self.differs(node, k=k)
            return None
        name = node.func.id
        if name in self.facts.globals or name not in (*_PICKS, "float", "int"):
            self.differs(node, k=k)
            return None
        if name in _PICKS and not (len(node.args) == 1 and name != "abs"):
            return self.together(given, node)
        if name in ("float", "int"):
            return None
        self.differs(node, k=k)
        return None

    # --- divisors

    def is_nonzero(self, node: Expr) -> bool:
        """Is a divisor certainly not 0: positive, a count of what is chosen, or what a logarithm was taken of?"""
        if type(node) is gast.Constant:
            return bool(node.value)
        if self.is_above_zero(self.spelled_out(node)) or any(
            _counts(self.spelled_out(node), text(test)) for test in self.tests
        ):
            return True
        if self.logarithms is None:
            calls = (n for s in self.body for n in walk(s) if type(n) is gast.Call and n.args)
            taken = [c.args[0] for c in calls if dotted(c.func) is not None and self.is_logarithm(c)]
            self.logarithms = {text(self.spelled_out(e)) for e in taken}
        return text(self.spelled_out(node)) in self.logarithms

    def is_above_zero(self, node: Any) -> bool:
        """A sum of positive literals and what is never negative? (An exponential may be so small that it is 0.)"""
        if type(node) is gast.Constant:
            return type(node.value) in (int, float) and node.value > 0
        if type(node) is not gast.BinOp or type(node.op) is not gast.Add:
            return False
        sides = [node.left, node.right]
        return any(map(self.is_above_zero, sides)) and all(sign(side, self.facts) for side in sides)

    def is_logarithm(self, call: Any) -> bool:
        """One of math's: it raises where it is taken of 0."""
        path = dotted(call.func)
        of_math = path is not None and self.facts.globals.get(path[0]) is math and len(path) == 2
        return of_math and path[1] in ("log", "log2", "log10")  # type: ignore[index]

    def spelled_out(self, node: Any) -> Any:
        """An expression with what the compiler's names stand for."""
        if type(node) is gast.Name and node.id in self.facts.temps:
            found = self.values.get(node.id, {})
            (only,) = found.values() if len(found) == 1 else (None,)
            return node if only is None else self.spelled_out(only)
        if type(node) is gast.Name and len(self.values.get(node.id, ())) > 1:
            return gast.Name(f"{node.id}@{id(node)}", node.ctx, None, None)  # which value it is, is not known
        if not isinstance(node, gast.expr):
            return node
        changes: dict[str, Any] = {}
        for field in node._fields:
            child = getattr(node, field, None)
            if isinstance(child, list):
                changes[field] = [self.spelled_out(c) for c in child]
            elif isinstance(child, gast.expr):
                changes[field] = self.spelled_out(child)
        return with_fields(node, **changes)

    # --- the text

    def rewritten(self, chosen: set[tuple[int, str]]) -> list[Stmt]:
        result: list[Stmt] = []
        lists: dict[str, str] = {}
        #: arrays whose lists are up to date; and arrays that are not
        current: set[str] = set()
        behind: set[str] = set()
        for k, s in enumerate(self.body):
            here = [n for n in dict.fromkeys(_names(s)) if (k, n) in chosen]
            touched = set(_names(s)) - set(here)
            for name in here:
                if name not in lists:
                    lists[name] = self.facts.fresh(f"{name}_{'items' if self.rank(name) == 1 else 'rows'}", temp=False)
                if name not in current:
                    result.append(assign(lists[name], quote("x.tolist()", x=load(name))))
                    current.add(name)
            for name in sorted(behind & touched & _read_whole(s)):
                result.append(self.array_again(name, lists[name]))
                behind.discard(name)
            stored = self.scope.deep(s)[2] | self.scope.deep(s)[1]
            changed = {n for n in current.difference(here) if stored & (self.scope.memory(n) | self.scope.bit(n))}
            current, behind = current - changed, behind - changed
            result.append(self.statement_with(s, {n: lists[n] for n in here}))
            behind |= {n for n in here if stored & self.scope.memory(n)}
        return [self.with_numbers(s) for s in result]

    def rank(self, name: str) -> int:
        kind = self.facts.kinds[name]
        assert isinstance(kind, Array) and kind.shape is not None
        return len(kind.shape)

    def array_again(self, name: str, items: str) -> Stmt:
        np_ = global_name(np, "np", self.facts)
        if self.rank(name) == 1:
            return assign(name, quote("n.array(items)", n=np_, items=load(items)))
        made = quote("n.reshape(items, x.shape)", n=np_, items=load(items), x=load(name))
        whole = gast.Subscript(load(name), gast.Constant(..., None), gast.Store())  # (it lies in memory as it did)
        return gast.Assign([whole], made, None)

    def statement_with(self, node: Any, lists: dict[str, str]) -> Any:
        """A copy of a loop with the elements of lists; the node itself where there are none."""
        if not lists or not any(n in lists for n in _names(node)):
            return node
        if type(node) is gast.Subscript and type(node.value) is gast.Name and node.value.id in lists:
            index = self.statement_with(node.slice, lists)
            parts = index.elts if type(index) is gast.Tuple else [index]
            made: Expr = load(lists[node.value.id])
            for part in parts[:-1]:
                made = gast.Subscript(made, part, gast.Load())
            constant = type(node.ctx) is gast.Store
            return gast.Subscript(made, parts[-1], gast.Store() if constant else gast.Load())
        changes: dict[str, Any] = {}
        for field in node._fields:
            child = getattr(node, field, None)
            if isinstance(child, list):
                changes[field] = [self.statement_with(c, lists) if isinstance(c, gast.AST) else c for c in child]
            elif isinstance(child, gast.AST):
                changes[field] = self.statement_with(child, lists)
        return with_fields(node, **changes)

    def with_numbers(self, s: Any) -> Stmt:
        """`return total` of a number that came from a list, as one of NumPy's."""
        if type(s) is not gast.Return or s.value is None:
            return s
        with_them: Stmt = with_fields(s, value=self.as_numpys(s.value))
        return with_them

    def as_numpys(self, value: Any) -> Any:
        if type(value) is gast.Tuple:
            return with_fields(value, elts=[self.as_numpys(v) for v in value.elts])
        if self.types_of(value) != {float} and self.is_changed(value, -1) and self._value(value, -1) is not None:
            return quote("n.float64(x)", n=global_name(np, "np", self.facts), x=value)
        return value


def _counts(node: Any, test: str) -> bool:
    """Is it the number of conditions that hold, the given one among them?

    >>> _counts(quote("1.0 * (a == m) + (b == m)"), "b == m"), _counts(quote("1.0 * (a == m) + b"), "a == m")
    (True, False)
    """
    terms: list[Any] = []
    while type(node) is gast.BinOp and type(node.op) is gast.Add:
        terms.append(node.right)
        node = node.left
    terms.append(node)
    terms = [t.right if type(t) is gast.BinOp and text(t.left) == "1.0" else t for t in terms]
    return all(type(t) is gast.Compare for t in terms) and test in map(text, terms)


def _of_doubles(kind: Any) -> bool:
    return isinstance(kind, Array) and kind.dtype == _DOUBLE and not kind.mixed and bool(kind.shape)


def _is_real(kind: Any) -> bool:
    """Is what a double makes of it the same whether the double is Python's or NumPy's?"""
    if isinstance(kind, Number):
        return all(t in _REAL for t in kind.of_types())
    return isinstance(kind, Array) and not kind.mixed and kind.dtype in (_DOUBLE, np.dtype(np.int64), np.dtype(bool))


def _names(node: Any) -> Iterator[str]:
    return (str(n.id) for n in walk(node) if type(n) is gast.Name)


def _bindings(s: Any) -> Iterator[tuple[str, Any]]:
    """The names that a statement binds, with what each is given (None: not an expression of its own)."""
    if type(s) is gast.Assign and len(s.targets) == 1:
        target, value = s.targets[0], s.value
        if type(target) is gast.Name:
            yield target.id, value
            return
        if type(target) is gast.Tuple and type(value) is gast.Tuple and len(target.elts) == len(value.elts):
            yield from ((t.id, v) for t, v in zip(target.elts, value.elts, strict=True) if type(t) is gast.Name)
            return
    if type(s) is gast.AugAssign and type(s.target) is gast.Name:
        yield s.target.id, None
        yield s.target.id, s.value  # another value than before
    if type(s) is gast.For:
        return  # the turn's
    for node in walk(s) if type(s) in (gast.Assign, gast.With) else ():
        if type(node) is gast.Name and type(node.ctx) is gast.Store:
            yield node.id, None
            yield node.id, node


def _is_empty_list(value: Any) -> bool:
    return type(value) is gast.List and not value.elts


def _pushed_to(s: Any) -> str | None:
    """The list in `tape.append(x)`."""
    if type(s) is gast.Expr and type(s.value) is gast.Call and len(s.value.args) == 1 and not s.value.keywords:
        path = dotted(s.value.func)
        return path[0] if path is not None and path[1:] == ("append",) else None
    return None


def _popped(value: Any) -> str | None:
    """The list in `tape.pop()`."""
    path = dotted(value.func) if type(value) is gast.Call and not value.args and not value.keywords else None
    return path[0] if path is not None and path[1:] == ("pop",) else None


def _popped_from(s: Any) -> str | None:
    return _popped(s.value) if type(s) is gast.Assign else None


def _accesses(node: Any, loops: list[Any], places: dict[str, list[Any]], others: set[str]) -> None:
    """The subscripts of names in a loop, with the loops around each; and the names that are used in another way."""
    if type(node) is gast.Subscript and type(node.value) is gast.Name:
        places.setdefault(node.value.id, []).append((node, loops))
        _accesses(node.slice, loops, places, others)
        return
    if type(node) is gast.Name:
        others.add(node.id)
        return
    if _of_shape(node):
        return
    if type(node) is gast.For:
        loops = [*loops, node]
    for field in node._fields:
        child = getattr(node, field, None)
        for part in child if isinstance(child, list) else [child]:
            if isinstance(part, gast.AST):
                _accesses(part, loops, places, others)


def _of_shape(node: Any) -> bool:
    """`A.shape`, `len(A)` and the like, which ask nothing of the elements."""
    if type(node) is gast.Attribute:
        return type(node.value) is gast.Name and node.attr in _OF_SHAPE
    path = dotted(node.func) if type(node) is gast.Call and len(node.args) == 1 else None
    return path is not None and path[-1] in ("zeros_like", "len") and type(node.args[0]) is gast.Name


def _read_whole(s: Any) -> set[str]:
    """The names whose elements a statement may read: not those that it only asks for their shape."""
    found: set[str] = set()

    def visit(node: Any) -> None:
        if type(node) is gast.Name:
            found.add(node.id)
            return
        if _of_shape(node):
            return
        for field in node._fields:
            child = getattr(node, field, None)
            for part in child if isinstance(child, list) else [child]:
                if isinstance(part, gast.AST):
                    visit(part)

    visit(s)
    return found
