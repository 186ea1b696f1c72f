"""What a matrix is known for spares work: its inverse, where it is computed, solves the transposed system as well; the
sum over a product with an identity is a trace.

A transposed system may be solved by the inverse: what NumPy computes for it has a small right residual `A @ inv - I`
(each column is a solution of its own), which is the left residual of `inv.T` for `A.T`; so `inv.T @ v` is as near to
the solution, in relation to its size, as `np.linalg.solve(A.T, v)` is. Of the system itself that does not hold: it is
left. What stands in the user's function is left, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

import gast
import numpy as np

from s2sad.analysis.effects import Effects, nested
from s2sad.analysis.known_calls import dotted
from s2sad.analysis.scope import Scope
from s2sad.core import Expr, Facts, Stmt, assign, load, quote, walk, walk_names
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array
from s2sad.tidy.rebuild import is_users, with_blocks, with_expressions

_DOUBLE = np.dtype(float)
#: what evaluates its parts not always, or not once
_BRANCHES = frozenset((
    gast.IfExp, gast.BoolOp, gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp, gast.NamedExpr
))  # fmt: skip


def know_matrices(
    body: list[Stmt],
    facts: Facts,
    *,
    effects: Effects | None = None,
    same: Iterable[Iterable[str]] = (),
    parameters: Collection[str] | None = None,
) -> list[Stmt]:
    """The statements with inverses and traces in the place of transposed systems and of sums over identities.

    Args: as for `deadcode.eliminate`.

    >>> from s2sad.core import statements, text
    >>> from s2sad.kinds.kind import Dim
    >>> n = Dim.symbol("n")
    >>> facts = Facts(kinds={"K": Array(_DOUBLE, (n, n)), "y": Array(_DOUBLE, (n,)), "e": Array(_DOUBLE, (n, n))})
    >>> facts.globals["np"] = np
    >>> body = statements("bK = c * np.linalg.inv(K).T\\nby = np.linalg.solve(K.T, y)")
    >>> print(text(know_matrices(body, facts)))
    inv = np.linalg.inv(K)
    bK = c * inv.T
    by = inv.T @ y
    >>> print(text(know_matrices(statements("e = np.eye(n)\\nbs = np.sum(K * e)"), facts)))
    e = np.eye(n)
    bs = np.trace(K)
    """
    called = {path[1:] for top in body for n in walk(top) if (path := _path(n, facts))}
    inverts, sums = {("linalg", "inv"), ("linalg", "solve")} <= called, {("eye",), ("sum",)} <= called
    if not (inverts or sums) or facts.laid_out or facts.identities:
        return body
    worker = _Matrices(body, Scope(body, facts, effects, same=same, parameters=parameters))
    return worker.block(body)


class _Matrices:
    """
    Attributes:
        bound: how often names are bound.
        eyes: names of identities that stay such.
    """

    def __init__(self, body: list[Stmt], scope: Scope) -> None:
        self.scope, self.facts = scope, scope.facts
        self.bound = Counter(n.id for n in walk_names(body) if not isinstance(n.ctx, gast.Load))
        self.stored = 0
        for top in body:
            self.stored |= scope.deep(top)[2]
        named = (s for top in body for s in nested(top) if self.binds(s))
        self.eyes = {s.targets[0].id for s in named if self.is_eye(s.value) and self.stays(s.targets[0].id)}

    def binds(self, s: Any) -> bool:
        """Does a statement alone give a name its value?"""
        plain = type(s) is gast.Assign and len(s.targets) == 1 and type(s.targets[0]) is gast.Name
        return plain and self.bound[s.targets[0].id] == 1 and s.targets[0].id not in self.scope.parameters

    def stays(self, name: str) -> bool:
        return name not in self.scope.captured and not self.stored & self.scope.memory(name)

    def is_eye(self, value: Any) -> bool:
        return _path(value, self.facts)[1:] == ("eye",) and len(value.args) == 1 and not value.keywords

    def block(self, body: list[Stmt]) -> list[Stmt]:
        body = [with_blocks(s, self.block) for s in body]
        body = [s if is_users(s) else self.traced(s) for s in body]
        done = set[str]()
        while True:
            found = next((p for p in self.systems(body) if p[0] not in done), None)
            if found is None:
                return body
            done.add(found[0])
            body = self.inverted(body, *found)

    def systems(self, body: list[Stmt]) -> Iterable[tuple[str, int]]:
        """The matrices that are inverted in a block, and where."""
        for k, s in enumerate(body):
            if not any(type(n) in _BRANCHES for n in walk(s)) and type(s) in (gast.Assign, gast.AugAssign):
                for n in walk(s):
                    if _path(n, self.facts)[1:] == ("linalg", "inv") and self.is_square(n):
                        yield n.args[0].id, k

    def is_square(self, call: Any) -> bool:
        one = len(call.args) == 1 and not call.keywords and type(call.args[0]) is gast.Name
        return one and _is_matrix(self.facts.kinds.get(call.args[0].id))

    def inverted(self, body: list[Stmt], matrix: str, at: int) -> list[Stmt]:
        """The block in which systems of the transposed matrix are solved by the inverse, which a statement computes."""
        first, last = at, at
        while first and not is_users(body[first - 1]) and not self.changes(body[first - 1], matrix):
            first -= 1
        while last + 1 < len(body) and not self.changes(body[last], matrix):
            last += 1
        solved = [k for k in range(first, last + 1) if self.solves(body[k], matrix)]
        if not solved:
            return body
        s: Any = body[at]
        if self.binds(s) and _is_inverse(s.value, matrix, self.facts):
            name, made = s.targets[0].id, list[Stmt]()
            if solved[0] < at or not self.stays(name):
                return body
        elif is_users(s):
            return body
        else:
            name = self.facts.fresh("inv", temp=False)
            value = next(n for n in walk(s) if _is_inverse(n, matrix, self.facts))
            self.facts.kinds[name] = infer(value, self.facts)
            made = [assign(name, value)]
        start = min(at, *solved)
        reads = {*solved, at} if made else set(solved)
        tail = [self.reading(t, matrix, name) if k in reads else t for k, t in enumerate(body[start : last + 1], start)]
        return [*body[:start], *made, *tail, *body[last + 1 :]]

    def changes(self, s: Stmt, matrix: str) -> bool:
        """May a statement bind a matrix anew or store into it?"""
        changed = self.scope.deep(s)[1] | self.scope.deep(s)[2]
        return bool(changed & (self.scope.bit(matrix) | self.scope.memory(matrix)))

    def solves(self, s: Any, matrix: str) -> bool:
        """Does a statement of the derivative's solve a system of the transposed matrix?"""
        if is_users(s) or type(s) not in (gast.Assign, gast.AugAssign) or any(type(n) in _BRANCHES for n in walk(s)):
            return False
        return any(self.is_system(n, matrix) for n in walk(s))

    def is_system(self, node: Any, matrix: str) -> bool:
        """Is it `np.linalg.solve(matrix.T, v)`, with a vector or a matrix?"""
        if _path(node, self.facts)[1:] != ("linalg", "solve") or len(node.args) != 2 or node.keywords or is_users(node):
            return False
        of: Any = node.args[0]
        if type(of) is not gast.Attribute or of.attr != "T" or type(of.value) is not gast.Name or of.value.id != matrix:
            return False
        kind = infer(node.args[1], self.facts)
        right = isinstance(kind, Array) and kind.dtype == _DOUBLE and not kind.mixed and len(kind.shape or ()) in (1, 2)
        return right and _is_matrix(self.facts.kinds.get(matrix))

    def reading(self, node: Any, matrix: str, name: str) -> Any:
        """The tree that reads an inverse by its name."""
        if _is_inverse(node, matrix, self.facts):
            return load(name)
        node = with_expressions(node, lambda inner: self.reading(inner, matrix, name))
        return quote(f"{name}.T @ v", v=node.args[1]) if self.is_system(node, matrix) else node

    def traced(self, node: Any) -> Any:
        """The tree with traces in the place of sums over products with an identity."""
        node = with_expressions(node, self.traced)
        path = _path(node, self.facts)
        if path[1:] != ("sum",) or len(node.args) != 1 or node.keywords or is_users(node):
            return node
        of: Any = node.args[0]
        if type(of) is not gast.BinOp or type(of.op) is not gast.Mult:
            return node
        for eye, other in ((of.left, of.right), (of.right, of.left)):
            if type(eye) is gast.Name and eye.id in self.eyes and self.is_like(other, eye.id):
                return quote("np.trace(x)", np=path[0], x=other)
        return node

    def is_like(self, other: Expr, eye: str) -> bool:
        kind, of = infer(other, self.facts), self.facts.kinds.get(eye)
        return _is_matrix(kind) and isinstance(kind, Array) and isinstance(of, Array) and kind.shape == of.shape


def _path(node: Any, facts: Facts) -> tuple[str, ...]:
    """The dotted path of a function of NumPy's that is called; () for anything else."""
    path = dotted(node.func) if type(node) is gast.Call else None
    return tuple(path) if path is not None and facts.globals.get(path[0]) is np else ()


def _is_inverse(node: Any, matrix: str, facts: Facts) -> bool:
    """Is it `np.linalg.inv(matrix)`?"""
    if _path(node, facts)[1:] != ("linalg", "inv") or len(node.args) != 1 or node.keywords:
        return False
    return type(node.args[0]) is gast.Name and node.args[0].id == matrix


def _is_matrix(kind: Any) -> bool:
    """Is it a matrix of doubles?"""
    return isinstance(kind, Array) and kind.dtype == _DOUBLE and not kind.mixed and len(kind.shape or ()) == 2
