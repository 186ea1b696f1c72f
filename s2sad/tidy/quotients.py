"""The cotangent of a quotient, times what was divided: the quotient has a name already, and nothing is divided again.

The derivative of a softmax comes as `(g / s - np.sum(g * y / s)) * e`. It is `(g - np.sum(g * y)) * y`, of `y = e / s`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

import gast
import numpy as np

from s2sad.analysis.effects import Effects, nested
from s2sad.analysis.known_calls import dotted
from s2sad.analysis.scope import Scope, scope_of
from s2sad.core import Expr, Facts, Stmt, load, text
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Number
from s2sad.tidy.rebuild import is_users, with_blocks, with_expressions, with_fields

_DOUBLE = np.dtype(float)


def quotients_again(
    body: list[Stmt],
    facts: Facts,
    live_out: Iterable[str] = (),
    *,
    effects: Effects | None = None,
    same: Iterable[Iterable[str]] = (),
    parameters: Collection[str] | None = None,
) -> list[Stmt]:
    """The statements with quotients that have a name in the place of their parts.

    Args: as for `coalesce`.

    >>> from s2sad.core import statements
    >>> from s2sad.kinds.kind import Dim
    >>> n, m = Dim.symbol("n"), Dim.symbol("m")
    >>> facts = Facts(kinds={k: Array(_DOUBLE, (n, m)) for k in "gey"} | {"s": Array(_DOUBLE, (n, Dim.of(1)))})
    >>> facts.globals["np"] = np
    >>> before = "y = e / s\\nreturn (g / s - np.sum(g * y / s, axis=1, keepdims=True)) * e"
    >>> print(text(quotients_again(statements(before), facts, parameters=["e", "s", "g"])))
    y = e / s
    return (g - np.sum(g * y, axis=1, keepdims=True)) * y
    """
    if not any(_is_quotient(s) for s in body):
        return body
    scope = scope_of(body, facts, effects, live_out=live_out, same=same, parameters=parameters)
    known = _quotients(body, scope)
    return _Again(facts, known).block(body) if known else body


def _is_quotient(s: Any) -> bool:
    """`y = e / s`, of names?"""
    if type(s) is not gast.Assign or len(s.targets) != 1 or type(s.value) is not gast.BinOp:
        return False
    parts = (s.targets[0], s.value.left, s.value.right)
    return type(s.value.op) is gast.Div and all(type(p) is gast.Name for p in parts)


def _quotients(body: list[Stmt], scope: Scope) -> dict[tuple[str, str], tuple[str, int]]:
    """The name of each quotient `e / s` that stands until the end, and where it gets it."""
    inside = [s for top in body for s in nested(top)]
    bound = Counter(name for s in inside for name in scope.effects.of(s).binds)
    bound.update(scope.parameters)
    on_top = {name for s in body for name in scope.effects.of(s).binds} | scope.parameters
    stored = 0
    for s in inside:
        stored |= scope.masks(s).store
    found: dict[tuple[str, str], tuple[str, int]] = {}
    for at, s in enumerate(body):
        if not _is_quotient(s):
            continue
        names = (s.targets[0].id, s.value.left.id, s.value.right.id)
        memory = scope.memory(names[0]) | scope.memory(names[1]) | scope.memory(names[2])
        plain = all(bound[n] == 1 and n in on_top and n not in scope.captured for n in names)
        if plain and not stored & memory and len(set(names)) == 3:
            found.setdefault((names[1], names[2]), (names[0], at))
    return found


class _Again:
    def __init__(self, facts: Facts, known: dict[tuple[str, str], tuple[str, int]]) -> None:
        self.facts, self.known = facts, known

    def block(self, body: list[Stmt]) -> list[Stmt]:
        out = []
        for at, s in enumerate(body):
            stand = {pair: name for pair, (name, made) in self.known.items() if made < at}
            out.append(self.statement(s, stand) if stand else s)
        return out

    def statement(self, s: Stmt, stand: dict[tuple[str, str], str]) -> Stmt:
        s = with_blocks(s, lambda inner: [self.statement(t, stand) for t in inner])
        if is_users(s) or type(s) in (gast.FunctionDef, gast.ClassDef):
            return s
        return self.visit(s, stand)

    def visit(self, node: Any, stand: dict[tuple[str, str], str]) -> Any:
        node = with_expressions(node, lambda inner: self.visit(inner, stand))
        if type(node) is not gast.BinOp or type(node.op) is not gast.Mult:
            return node
        for total, factor in ((node.left, node.right), (node.right, node.left)):
            if type(total) is not gast.BinOp or type(total.op) not in (gast.Add, gast.Sub):
                continue
            for (above, below), name in stand.items():
                if type(factor) is gast.Name and factor.id == above and self.fit(total, above, below):
                    whole = self.without(total, below)
                    if whole is not None:
                        return with_fields(node, left=whole, right=load(name))
        return node

    def fit(self, total: Expr, *names: str) -> bool:
        """Is all of it in double precision, so that the order does not matter to a type?"""
        kinds = [infer(total, self.facts), *(self.facts.kinds.get(n) for n in names)]
        return all(
            (isinstance(k, Array) and k.dtype == _DOUBLE and not k.mixed)
            or (isinstance(k, Number) and issubclass(k.type, float))
            for k in kinds
        )

    def without(self, node: Any, below: str) -> Any:
        """A sum, a product or a reduction that is divided by a name, without that; None where it is not."""
        if is_users(node):
            return None
        if type(node) is gast.UnaryOp and type(node.op) is gast.USub:
            inner = self.without(node.operand, below)
            return None if inner is None else with_fields(node, operand=inner)
        if type(node) is gast.BinOp:
            return self.arithmetic(node, below)
        if type(node) is gast.Subscript and text(node).endswith("[:, None]"):
            inner = self.without_sum(node.value, below, kept=False)
            return None if inner is None else with_fields(node, value=inner)
        return self.without_sum(node, below, kept=True)

    def arithmetic(self, node: Any, below: str) -> Any:
        if type(node.op) is gast.Div and type(node.right) is gast.Name and node.right.id == below:
            return node.left
        if type(node.op) in (gast.Add, gast.Sub):
            left, right = self.without(node.left, below), self.without(node.right, below)
            return None if left is None or right is None else with_fields(node, left=left, right=right)
        if type(node.op) in (gast.Mult, gast.Div):
            left = self.without(node.left, below)
            return None if left is None else with_fields(node, left=left)
        return None

    def without_sum(self, node: Any, below: str, kept: bool) -> Any:
        """`np.sum(x / s, axis=1, keepdims=True)` where s has one element along the axis; or a row's, without that."""
        if type(node) is gast.UnaryOp and type(node.op) is gast.USub and not is_users(node):
            inner = self.without_sum(node.operand, below, kept)
            return None if inner is None else with_fields(node, operand=inner)
        path = dotted(node.func) if type(node) is gast.Call and len(node.args) == 1 and not is_users(node) else None
        if path is None or path[1:] != ("sum",) or self.facts.globals.get(path[0]) is not np:
            return None
        words = {k.arg: getattr(k.value, "value", None) for k in node.keywords}
        axis, of = words.get("axis"), self.facts.kinds.get(below)
        if words.keys() != ({"axis", "keepdims"} if kept else {"axis"}) or type(axis) is not int:
            return None
        summed = infer(node.args[0], self.facts)
        if not isinstance(of, Array) or not isinstance(summed, Array) or None in (of.shape, summed.shape):
            return None
        rank = len(summed.shape or ())
        if len(of.shape or ()) != rank or (words.get("keepdims") is not True if kept else rank != 2 or axis % 2 != 1):
            return None
        length = (of.shape or ())[axis]
        inner = self.without(node.args[0], below) if length.known and length.const == 1 else None
        return None if inner is None else with_fields(node, args=[inner])
