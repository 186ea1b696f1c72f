"""Outer products with the rows or the columns of a matrix, which a loop adds up, are one matrix product behind it.

The adjoint of a matrix by whose rows or columns a loop goes gets an outer product in each turn, which is as large as
the matrix: memory is all that takes time then. Here what a turn multiplies with its row is kept as a row of another
matrix, and there is one product of the two. (It adds up the same terms in another order.) Rows or columns that the loop
does not come to stay out of it: nan and inf in them are multiplied with nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

import gast
import numpy as np

from s2sad.analysis.effects import WORLD, Effects, nested
from s2sad.analysis.known_calls import dotted
from s2sad.analysis.nests import affine, counts_from_the_start, in_single_steps, turns
from s2sad.analysis.scope import Scope
from s2sad.core import Expr, Facts, Stmt, assign, clone, global_name, load, names_bound, quote, store, text, walk
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Dim, Kind
from s2sad.tidy.elements import BORDER, end_of
from s2sad.tidy.first import makes_zeros
from s2sad.tidy.rebuild import is_users, with_blocks, with_fields

_DOUBLE = np.dtype(float)


class _Outer(NamedTuple):
    """`total[:, part] += np.outer(matrix[:, at], factor)` and its like.

    Attributes:
        total, matrix: the names of the two matrices.
        at: the index of the row or the column.
        axis: along which axis of the matrix it counts.
        left_out: how many rows or columns the loop does not come to, at the start and at the end.
        factor: what the row or column is multiplied with.
        part: where this stands in the other axis of the total.
        first: is the row or column the first argument of the product?
    """

    total: str
    matrix: str
    at: Expr
    axis: int
    left_out: tuple[int, int]
    factor: Expr
    part: Any
    first: bool
    op: type


def outer_products_at_once(
    body: list[Stmt],
    facts: Facts,
    *,
    effects: Effects | None = None,
    same: Iterable[Iterable[str]] = (),
    parameters: Collection[str] | None = None,
) -> list[Stmt]:
    """The statements with one matrix product in the place of outer products that a loop adds up.

    Args: as for `deadcode.eliminate`.

    >>> from s2sad.core import statements
    >>> from s2sad.kinds.kind import Dim, Number
    >>> n, m = Dim.symbol("n"), Dim.symbol("m")
    >>> kinds = {"A": Array(_DOUBLE, (n, m)), "bA": Array(_DOUBLE, (n, m)), "h": Array(_DOUBLE, (m, m))}
    >>> facts = Facts(kinds=kinds | {"i": Number(int)})
    >>> facts.globals["np"] = np
    >>> loop = "for i in range(A.shape[1]):\\n  bA += np.outer(A[:, i], h[i])"
    >>> print(text(outer_products_at_once(statements(f"bA = np.zeros_like(A)\\n{loop}\\nreturn bA"), facts)))
    gs = np.zeros((A.shape[1], A.shape[1]))
    for i in range(A.shape[1]):
        gs[i] = h[i]
    bA = A @ gs
    return bA
    """
    if facts.laid_out or facts.identities or not any(is_outer(n, facts) for top in body for n in walk(top)):
        return body
    return _OuterProducts(Scope(body, facts, effects, same=same, parameters=parameters)).block(body)


class _OuterProducts:
    def __init__(self, scope: Scope) -> None:
        self.scope, self.facts = scope, scope.facts

    def block(self, statements: list[Stmt]) -> list[Stmt]:
        out: list[Stmt] = []
        for s in statements:
            s = with_blocks(s, self.block)
            if turns(s) is None:
                out.append(s)
                continue
            out += self.loop(s, out)
        return out

    def loop(self, loop: Any, before: list[Stmt]) -> list[Stmt]:
        """A loop with what goes around it; of the statements before it, zeros go that nobody needs any more."""
        around: list[Stmt] = []
        behind: list[Stmt] = []
        for s in loop.body:
            found = self.outer(s, loop)
            if found is None:
                continue
            name, twin = self.facts.fresh("gs", temp=False), self.twin(found, loop, s)
            self.facts.kinds[name] = self.rows(found)
            total = _like(
                gast.AugAssign(store(found.total), found.op(), self.product(found, name, twin is not None)), s
            )
            index = found.at if _is_whole(found.part) else gast.Tuple([found.at, found.part], gast.Load())
            row = _like(assign(gast.Subscript(load(name), clone(index), gast.Store()), found.factor), s)
            loop = with_fields(loop, body=[row if t is s else t for t in loop.body if t is not twin])
            zeros = self.zeros(before, loop, total)
            if zeros is not None:
                before.remove(zeros)
                total = _like(assign(total.target, total.value), s)
            lengths = self.lengths(found, None if zeros is None else zeros.value)
            around.append(assign(name, quote("np.zeros(n)", np=global_name(np, "np", self.facts), n=lengths)))
            behind.append(total)
        return [*around, loop, *behind]

    def outer(self, s: Any, loop: Any) -> _Outer | None:
        """The outer product that a statement of a loop adds, where that can be done behind the loop."""
        if type(s) is not gast.AugAssign or is_users(s) or type(s.op) not in (gast.Add, gast.Sub):
            return None
        if not is_outer(s.value, self.facts) or loop.target.id in names_bound(loop.body):
            return None
        total = s.target.value if type(s.target) is gast.Subscript else s.target
        if type(total) is not gast.Name or not self.is_matrix(total.id):
            return None
        for k, row in enumerate(s.value.args):
            factor = s.value.args[1 - k]
            axis = self.axis(row, loop)
            parts = _slices(s.target)
            if axis is None or parts is None or not _is_whole(parts[k]) or not _is_vector(infer(factor, self.facts)):
                continue
            index = row.slice.elts[axis] if type(row.slice) is gast.Tuple else row.slice
            of: Any = self.facts.kinds[row.value.id]
            left_out = self.left_out(loop, index, of.shape[axis])
            if left_out is None:
                continue
            found = _Outer(total.id, row.value.id, index, axis, left_out, factor, parts[1 - k], k == 0, type(s.op))
            if self.is_left_alone(found, loop):
                return found
        return None

    def is_matrix(self, name: str) -> bool:
        kind = self.facts.kinds.get(name)
        return isinstance(kind, Array) and kind.dtype == _DOUBLE and not kind.mixed and len(kind.shape or ()) == 2

    def axis(self, row: Any, loop: Any) -> int | None:
        """Along which axis of a matrix a loop takes its rows or columns, none of them twice."""
        if type(row) is not gast.Subscript or type(row.value) is not gast.Name or not self.is_matrix(row.value.id):
            return None
        parts = row.slice.elts if type(row.slice) is gast.Tuple else [row.slice]
        at = [k for k, part in enumerate(parts) if type(part) is not gast.Slice]
        index = affine(parts[at[0]]) if len(at) == 1 else None
        if index is None or index[0] != loop.target.id or not counts_from_the_start(index, [loop]):
            return None
        if not all(_is_whole(part) for k, part in enumerate(parts) if k != at[0]):
            return None
        return at[0]

    def left_out(self, loop: Any, index: Expr, length: Dim) -> tuple[int, int] | None:
        """How many rows or columns a loop does not come to, at the start and at the end; None where these may be more
        than a few."""
        known, by = turns(loop), affine(index)
        if known is None or by is None or not in_single_steps(loop):
            return None
        ends = end_of(known.low, self.facts), end_of(known.high, self.facts)
        if ends[0] is None or ends[1] is None:
            return None
        before, behind = ends[0] + (known.above_low + by[1]), length - 1 - (ends[1] + (known.above_high + by[1]))
        few = before.known and behind.known and min(before.const, behind.const) >= 0
        return (before.const, behind.const) if few and before.const + behind.const <= BORDER else None

    def is_left_alone(self, found: _Outer, loop: Any) -> bool:
        """Is nothing done in the loop with the total but adding to it, and does the matrix stay as it is?"""
        scope, total, matrix = self.scope, found.total, found.matrix
        bases = scope.bases(total)
        if {total, matrix} & scope.captured or bases & (scope.bases(matrix) | scope.bases(WORLD)):
            return False
        if matrix in names_bound(loop.body):
            return False
        if scope.deep(loop)[2] & scope.memory(matrix):
            return False
        added = [n.target for n in nested(loop) if type(n) is gast.AugAssign and type(n.op) in (gast.Add, gast.Sub)]
        names = [t.value if type(t) is gast.Subscript else t for t in added]
        own = {id(n) for n in names if type(n) is gast.Name and n.id == total}
        uses = [n for n in walk(loop) if type(n) is gast.Name and bases & scope.bases(n.id)]
        return all(id(n) in own for n in uses)

    def rows(self, found: _Outer) -> Array:
        """The kind of the matrix of what is multiplied with the rows or columns."""
        of_matrix: Any = self.facts.kinds[found.matrix]
        of_total: Any = self.facts.kinds[found.total]
        return Array(_DOUBLE, (of_matrix.shape[found.axis], of_total.shape[found.first]))

    def product(self, found: _Outer, rows: str, twin: bool) -> Expr:
        """What the outer products add up to, with that of which it is the transpose if there is that."""
        matrix, (before, behind) = found.matrix, found.left_out
        if (before or behind) and not twin:
            some = f"{before or ''}:{-behind or ''}"
            matrix, rows = f"{matrix}[:, {some}]" if found.axis else f"{matrix}[{some}]", f"{rows}[{some}]"
        matrix = matrix if (found.axis == 1) == found.first else f"{matrix}.T"
        factors = f"({rows} + {rows}.T)" if twin else rows if found.first else f"{rows}.T"
        return quote(f"{matrix} @ {factors}" if found.first else f"{factors} @ {matrix}")

    def lengths(self, found: _Outer, zeros: Any) -> Expr:
        """How long the matrix of the rows is, where the total starts as these zeros, or stands already."""
        other: Expr = quote(f"{found.total}.shape[{int(found.first)}]")
        if zeros is not None and zeros.func.attr == "zeros_like":
            other = quote(f"x.shape[{int(found.first)}]", x=zeros.args[0])
        elif zeros is not None:
            other = zeros.args[0].elts[found.first]
        return gast.Tuple([quote(f"{found.matrix}.shape[{found.axis}]"), clone(other)], gast.Load())

    def twin(self, found: _Outer, loop: Any, outer: Stmt) -> Stmt | None:
        """`total[:, at] += matrix[:, part] @ factor`, the transpose of which is what the outer products add up to."""
        alike = self.facts.kinds[found.total] == self.facts.kinds[found.matrix]
        if type(found.factor) is not gast.Name or not alike or found.first != (found.axis == 1):
            return None
        before, behind = found.left_out
        if before or (behind and found.part.upper is not None):  # (what a turn comes to in this way is not left out)
            return None
        at, part = (text(gast.Subscript(load("x"), e, gast.Load()))[2:-1] for e in (found.at, found.part))
        if found.first:
            places = {f"{found.total}[:, {at}]"}
            columns = (f"{found.matrix}[:, {part}]", *([found.matrix] if _is_whole(found.part) else ()))
            values = {f"{c} @ {found.factor.id}" for c in columns}
        else:
            places = {f"{found.total}[{at}]", f"{found.total}[{at}, :]"}
            whole = [found.matrix] if _is_whole(found.part) else ()
            rows = (f"{found.matrix}[{part}]", f"{found.matrix}[{part}, :]", *whole)
            values = {v for r in rows for v in (f"{found.factor.id} @ {r}", f"{r}.T @ {found.factor.id}")}
        for s in loop.body:
            if type(s) is gast.AugAssign and type(s.op) is found.op and text(s.target) in places:
                same = not is_users(s) and text(s.value) in values
                first, last = sorted((loop.body.index(s), loop.body.index(outer)))
                if same and not self.changes(loop.body[first + 1 : last], found):
                    return s
        return None

    def changes(self, statements: list[Stmt], found: _Outer) -> bool:
        """Do some statements give another value to what is multiplied, or to where it stands?"""
        read = {found.factor.id, *(n.id for n in (*walk(found.at), *walk(found.part)) if type(n) is gast.Name)}
        memory = self.scope.memory(found.factor.id)
        return any(names_bound([t]) & read or self.scope.deep(t)[2] & memory for t in statements)

    def zeros(self, before: list[Stmt], loop: Any, total: Any) -> Any:
        """The statement that makes the zeros which nothing but the product is added to: that is the total then."""
        name = total.target.id
        fits = type(total.op) is gast.Add and infer(total.value, self.facts) == self.facts.kinds.get(name)
        at = next((k for k in range(len(before) - 1, -1, -1) if _reads(before[k], name)), None)
        s: Any = None if at is None or not fits or _reads(loop, name) else before[at]
        if s is None or not makes_zeros(s, self.facts) or is_users(s) or s.targets[0].id != name:
            return None
        of = s.value.args[0] if len(s.value.args) == 1 and not s.value.keywords else None
        told = type(of) is gast.Name if s.value.func.attr == "zeros_like" else type(of) is gast.Tuple
        between = {n for t in before[before.index(s) + 1 :] for n in names_bound([t])}
        return s if told and not between & {n.id for n in walk(of) if type(n) is gast.Name} else None


def _like(new: Any, s: Any) -> Any:
    """A new statement in the place of one of the derivative's."""
    new.origin, new.grad_of = None, getattr(s, "grad_of", None)
    return new


def _reads(s: Any, name: str) -> bool:
    return any(type(n) is gast.Name and n.id == name for n in walk(s))


def is_outer(node: Any, facts: Facts) -> bool:
    """Is it `np.outer(a, b)`?"""
    path = dotted(node.func) if type(node) is gast.Call and len(node.args) == 2 and not node.keywords else None
    return path is not None and path[1:] == ("outer",) and facts.globals.get(path[0]) is np


def _slices(target: Any) -> list[Any] | None:
    """The two slices of a part of a matrix."""
    whole = gast.Slice(None, None, None)
    if type(target) is gast.Name:
        return [whole, whole]
    parts = list(target.slice.elts) if type(target.slice) is gast.Tuple else [target.slice]
    if len(parts) > 2 or any(type(p) is not gast.Slice for p in parts):
        return None
    return [*parts, whole][:2]


def _is_whole(part: Any) -> bool:
    return type(part) is gast.Slice and part.lower is None and part.upper is None and part.step is None


def _is_vector(kind: Kind) -> bool:
    return isinstance(kind, Array) and kind.dtype == _DOUBLE and not kind.mixed and len(kind.shape or ()) == 1
