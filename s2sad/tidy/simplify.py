"""Algebra on expressions, for derivatives that read as if written by hand.

A product is taken apart into a numeric coefficient, numerators and denominators, and written again with the coefficient
and the scalars first, so that few array temporaries arise; a sum loses its double signs, zeros and repeated terms. What
does not get shorter or cheaper stays as it is.

Values change by rounding only, dtypes and shapes never: an expression that mixes integer arrays with floats of another
dtype than float64 is left alone, since there the dtype depends on the order. `0.0 * x` stays: x may be inf or nan.
Where a denominator is exactly zero, an inf may become a nan or change its sign. A fresh array stays fresh: `x * 1.0`
becomes `x.copy()`, not `x`, where the result gets a name.
"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.analysis.aliases import Roots, roots
from s2sad.analysis.effects import Effects
from s2sad.analysis.known_calls import dotted, makes_new
from s2sad.analysis.overlap import in_step
from s2sad.core import Expr, Facts, Stmt, text
from s2sad.kinds.kind import Array, Number
from s2sad.tidy.algebra import is_of_literals, positive
from s2sad.tidy.coefficients import Products
from s2sad.tidy.factors import Factors
from s2sad.tidy.rebuild import is_users, with_fields
from s2sad.tidy.sums import Sums


def simplify(expr: Expr, facts: Facts, *, fresh: bool = False, effects: Effects | None = None) -> Expr:
    """The expression, simpler.

    Args:
        expr: a gast expression.
        facts: what is known of its names.
        fresh: whether the result gets a name or is handed on, so that it must stay new memory where it was.
        effects: what is known of the function's statements already.

    Returns:
        An expression of the same value (but for rounding), shape and dtype; the node itself where nothing is gained.

    >>> from s2sad.core import quote
    >>> f = Facts(kinds={n: Number(float) for n in "abg"})
    >>> [gast.unparse(simplify(quote(t), f)) for t in ("-(a * -b)", "2.0 * (g * 0.5)", "a + -b", "g * a + g * a")]
    ['a * b', 'g', 'a - b', '2.0 * g * a']
    """
    return Simplifier(facts, effects or Effects(facts)).visit(expr, fresh)


class Simplifier:
    """Simplifies the expressions of one function."""

    def __init__(self, facts: Facts, effects: Effects) -> None:
        self.facts = facts
        self.effects = effects
        self._roots: Roots | None = None
        #: what came of expressions, and of the same ones in arithmetic of the derivative's, or where they get a name
        self._visited: dict[tuple[int, bool, bool], tuple[Expr, Expr]] = {}
        self.factors = Factors(facts, effects)
        self.products = Products(self.factors, self.visit)
        self.sums = Sums(self.factors, self.products, self.visit)
        #: inside of the derivative's own arithmetic, where values of the primal are but factors and terms
        self.inside = False

    def function(self, body: list[Stmt]) -> list[Stmt]:
        """The statements of the function with simpler expressions; what was looked at before is not looked at again."""
        self.factors.body, self._roots = body, None
        return self.block(body)

    def block(self, statements: list[Stmt]) -> list[Stmt]:
        """The statements with simpler expressions; those marked `user` stay as the user wrote them."""
        return [self.statement(s) for s in statements]

    def statement(self, s: Stmt) -> Stmt:
        cls = type(s)
        if cls is gast.Assign:
            if is_users(s):
                return s
            stored = type(s.targets[0]) is gast.Subscript and type(s.targets[0].value) is gast.Name
            copies = stored and self.effects.is_array(s.targets[0].value.id)
            s = with_fields(s, targets=[self.place(t) for t in s.targets])
            if is_of_literals(s.value) and type(s.targets[0]) is gast.Name and s.targets[0].id in self.facts.temps:
                return s  # `renest` puts it where it is read: the dtype there says whether it may be one number
            value = self.visit(s.value, not copies)
            if copies and value is not s.value and self.is_torn(s.targets[0], value):
                value = self.visit(s.value, True)
            return s if value is s.value else with_fields(s, value=value)
        if cls is gast.AugAssign:
            if is_users(s):
                return s
            s = with_fields(s, target=self.place(s.target))
            value = self.visit(s.value, False)
            return s if value is s.value else with_fields(s, value=value)
        if cls in (gast.Expr, gast.Return):
            if s.value is None or is_users(s):
                return s
            value = self.visit(s.value, True)
            return s if value is s.value else with_fields(s, value=value)
        changes: dict[str, Any] = {}
        for field in ("body", "orelse", "finalbody"):
            block = getattr(s, field, None)
            if block and cls not in (gast.FunctionDef, gast.ClassDef):
                changes[field] = self.block(block)
        for field in ("handlers", "cases"):
            for_each = getattr(s, field, None)
            if for_each:
                changes[field] = [with_fields(p, body=self.block(p.body)) for p in for_each]
        if cls in (gast.If, gast.While) and not is_users(s):
            changes["test"] = self.visit(s.test, False)
        return with_fields(s, **changes) if changes else s

    def place(self, target: Expr) -> Expr:
        """A place that is stored into, with simpler indices."""
        if type(target) is not gast.Subscript or type(target.value) is not gast.Name:
            return target
        return with_fields(target, slice=self.visit(target.slice, False))

    def is_torn(self, target: Any, value: Expr) -> bool:
        """Would a store overwrite what it still has to read?"""
        if not self.effects.shares(value) or in_step(target, value, self.facts):
            return False
        if self._roots is None:
            self._roots = roots(self.factors.body, self.facts, self.effects)
        held = [self._roots.get(name, frozenset({name})) for name in self.effects.shares(value)]
        return any(not h.isdisjoint(self._roots.get(target.value.id, {target.value.id})) for h in held)

    def visit(self, node: Expr, fresh: bool) -> Expr:
        cls = type(node)
        if cls is gast.Name or cls is gast.Constant or (is_users(node) and not self.inside):
            return node
        key = id(node), fresh, self.inside
        found = self._visited.get(key)
        if found is None:
            found = self._visited[key] = node, self._simpler(node, fresh)
        return found[1]

    def _simpler(self, node: Expr, fresh: bool) -> Expr:
        cls = type(node)
        if cls is gast.BinOp:
            outside, self.inside = self.inside, True
            try:
                return self.arithmetic(node, fresh)
            finally:
                self.inside = outside
        if cls is gast.UnaryOp:
            return self.products.product(node, fresh) if type(node.op) is gast.USub else self.operands(node)
        if cls is gast.Call:
            return self.call(node, fresh)
        if cls is gast.Attribute:
            return self.attribute(node, fresh)
        if cls is gast.Subscript:
            return self.subscript(node, fresh)
        if cls is gast.Compare:
            return self.operands(node)
        if cls in (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp, gast.JoinedStr):
            return node
        if cls is gast.IfExp:
            return _decided(self.asked(self.operands(node, True)))
        return self.operands(node, True)

    def arithmetic(self, node: Expr, fresh: bool) -> Expr:
        op = type(node.op)
        if op is gast.Mult or op is gast.Div:
            return self.products.product(node, fresh)
        if op is gast.Add or op is gast.Sub:
            return self.sums.sum(node, fresh)
        return self.power(node, fresh) if op is gast.Pow else self.operands(node)

    def operands(self, node: Expr, fresh: bool = False) -> Expr:
        """The node with its parts simplified."""
        changes: dict[str, Any] = {}
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, gast.expr):
                changes[field] = self.visit(value, fresh)
            elif isinstance(value, list):
                changes[field] = [self.visit(v, fresh) if isinstance(v, gast.expr) else v for v in value]
        return with_fields(node, **changes)

    def asked(self, choice: Expr) -> Expr:
        """A conditional expression that asks for a number rather than for its opposite.

        >>> from s2sad.core import quote
        >>> gast.unparse(simplify(quote("a / b if -b else 0.0"), Facts(kinds={"b": Number(float)})))
        'a / b if b else 0.0'
        """
        test = choice.test
        opposite = type(test) is gast.UnaryOp and type(test.op) is gast.USub
        plain = opposite and self.factors.is_scalar(test.operand) and self.factors.is_float(test.operand)
        return with_fields(choice, test=test.operand) if plain else choice

    def attribute(self, node: Expr, fresh: bool) -> Expr:
        new = self.operands(node, fresh)
        if new.attr == "T":
            inner = new.value
            if type(inner) is gast.Attribute and inner.attr == "T":
                return inner.value
            kind = self.factors.kind(inner)
            if isinstance(kind, Array) and kind.shape is not None and len(kind.shape) == 1:
                return inner
            return self.transposed_product(new)
        return new

    def transposed_product(self, node: Expr) -> Expr:
        """`(A.T @ B).T` as `B.T @ A`, and so where the second matrix is a transpose."""
        product = node.value
        if type(product) is not gast.BinOp or type(product.op) is not gast.MatMult:
            return node
        sides = (product.right, product.left)
        kinds = [self.factors.kind(side) for side in sides]
        matrices = all(isinstance(k, Array) and k.shape is not None and len(k.shape) == 2 for k in kinds)
        if self.facts.laid_out or not matrices or not any(map(_is_transpose, sides)):
            return node
        left, right = (s.value if _is_transpose(s) else gast.Attribute(s, "T", gast.Load()) for s in sides)
        return gast.BinOp(left, product.op, right)

    def subscript(self, node: Expr, fresh: bool) -> Expr:
        # a part of a copy that gets a name must not become a view of what was copied
        new = self.operands(node, fresh and not isinstance(self.factors.kind(node), Number))
        if (
            type(new.slice) is gast.Constant
            and new.slice.value is ...
            and isinstance(self.factors.kind(new.value), Array)
        ):
            return new.value
        return self.kept_sum(new) or _item_of_literal(new) or new

    def kept_sum(self, node: Expr) -> Expr | None:
        """`np.sum(x, axis=1, keepdims=True)[:, 0]` as `np.sum(x, axis=1)`; of several axes, too."""
        call = node.value
        if type(call) is gast.UnaryOp and type(call.op) is gast.USub:
            inner = self.kept_sum(with_fields(node, value=call.operand))
            return None if inner is None else with_fields(call, operand=inner)
        if type(call) is not gast.Call or len(call.args) != 1 or type(call.func) is not gast.Attribute:
            return None
        words = {k.arg: k.value for k in call.keywords}
        if call.func.attr != "sum" or words.keys() != {"axis", "keepdims"} or not _is_true(words["keepdims"]):
            return None
        parts = node.slice.elts if type(node.slice) is gast.Tuple else [node.slice]
        rank, axis = self.factors.kind(call), words["axis"]
        given: list[Any] = [getattr(a, "value", None) for a in (axis.elts if type(axis) is gast.Tuple else [axis])]
        if not isinstance(rank, Array) or rank.shape is None or any(type(a) is not int for a in given):
            return None
        summed = {a % len(rank.shape) for a in given}
        if len(parts) != max(summed, default=0) + 1 or len(rank.shape) == len(summed):
            return None
        for at, part in enumerate(parts):
            whole = type(part) is gast.Slice and part.lower is None and part.upper is None and part.step is None
            if not (type(part) is gast.Constant and part.value == 0 if at in summed else whole):
                return None
        return with_fields(call, keywords=[k for k in call.keywords if k.arg == "axis"])

    def call(self, node: Expr, fresh: bool = True) -> Expr:
        info, is_method = self.effects.calls.of(node)
        kept = self.facts.laid_out or self.facts.identities
        kept = kept or is_users(node)  # (lies row after row: what is summed in another order is rounded otherwise)
        read_at_once = not (fresh or kept)  # (what lies otherwise makes other layouts)
        if read_at_once and is_method and not node.args and not node.keywords and node.func.attr == "copy":
            kind = self.factors.kind(node.func.value)
            if isinstance(kind, Array) and kind.shape != () and kind.dtype != object:
                return self.visit(node.func.value, False)  # an operand is read at once
        if is_method and node.func.attr == "copy" and not node.args and not node.keywords and not kept:
            made = self.visit(node.func.value, True)
            kind = self.factors.kind(made)
            new = type(made) in (gast.BinOp, gast.UnaryOp) or (type(made) is gast.Call and makes_new(made))
            new = new or self.picks(made)
            if new and isinstance(kind, Array) and kind.shape:
                return made
        fresh = not (info.effect == "none" and info.shares == "nothing" and not info.writes)
        new = (
            with_fields(
                node,
                func=with_fields(node.func, value=self.visit(node.func.value, fresh)) if is_method else node.func,
                args=[a if type(a) is gast.Starred else self.visit(a, fresh) for a in node.args],
                keywords=[with_fields(k, value=self.visit(k.value, fresh)) for k in node.keywords],
            )
            if not is_method or type(node.func) is gast.Attribute
            else node
        )
        if not is_method and len(new.args) == 1 and not new.keywords:
            path = dotted(new.func)
            if path is not None and path[-1] == "sum" and len(path) == 2 and self.effects.calls.is_module(path[0]):
                users = is_users(new.args[0]) and not self.inside
                return new if users else self.products.total(new)
        return self.ones(new)

    def picks(self, node: Expr) -> bool:
        """Is it `x[i]` with an array of indices, or with a mask: elements in memory of their own?"""
        if type(node) is not gast.Subscript or type(node.slice) in (gast.Slice, gast.Tuple):
            return False
        base, index = self.factors.kind(node.value), self.factors.kind(node.slice)
        return isinstance(base, Array) and isinstance(index, Array) and bool(index.shape)

    def ones(self, node: Expr) -> Expr:
        """`np.full_like(x, 1.0)` as `np.ones_like(x)`."""
        path = dotted(node.func)
        if path is None or path[1:] != ("full_like",) or len(node.args) != 2 or node.keywords:
            return node
        filled = node.args[1]
        if not self.effects.calls.is_module(path[0]) or type(filled) is not gast.Constant or filled.value != 1:
            return node
        return with_fields(node, func=with_fields(node.func, attr="ones_like"), args=node.args[:1])

    def power(self, node: Expr, fresh: bool) -> Expr:
        new = self.operands(node)
        exponent = new.right
        if type(exponent) is gast.Constant and type(exponent.value) in (int, float):
            if exponent.value == 1 and self.factors.is_float(new.left) and not self.factors.keeps(new.left, fresh):
                return new.left
            if (
                exponent.value == 0
                and isinstance(self.factors.kind(new.left), Number)
                and self.factors.kind(new.left) == Number(float)
            ):
                return gast.Constant(1.0, None)
        return new


def _holds(test: Expr) -> bool:
    """Does `a or b or ...` hold whatever its names are, because one of its parts is a number other than 0?"""
    if type(test) is not gast.BoolOp or type(test.op) is not gast.Or:
        return False
    numbers = [v for v in test.values if is_of_literals(v)]
    names = sum(type(v) is gast.Name for v in test.values)
    known = (all(c.value for c in gast.walk(v) if type(c) is gast.Constant) for v in numbers)
    return len(numbers) + names == len(test.values) and any(known)


def _decided(choice: Expr) -> Expr:
    """A conditional expression without the choices in it that its own condition decides.

    >>> from s2sad.core import quote, text
    >>> text(_decided(quote("(a if n > 0 else 0.0) + b if n > 0 else (c if n > 0 else d)")))
    'a + b if n > 0 else d'
    >>> text(_decided(quote("x ** (1 / 3 - 1) / 3 if x or 1 / 3 else 0.0")))
    'x ** (1 / 3 - 1) / 3'
    """
    if _holds(choice.test):
        return choice.body
    if not all(isinstance(n, _PLAIN) for n in gast.walk(choice.test)):
        return choice
    asked = text(choice.test)

    def within(node: Expr, side: str) -> Expr:
        if type(node) is gast.IfExp and text(node.test) == asked:
            return within(getattr(node, side), side)
        if not isinstance(node, (gast.BinOp, gast.UnaryOp, gast.Call, gast.IfExp)):
            return node
        changes: dict[str, Any] = {}
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, gast.expr):
                changes[field] = within(value, side)
            elif isinstance(value, list):
                changes[field] = [within(v, side) if isinstance(v, gast.expr) else v for v in value]
        return with_fields(node, **changes)

    return with_fields(choice, body=within(choice.body, "body"), orelse=within(choice.orelse, "orelse"))


#: what a condition may be made of that says the same twice
_PLAIN = (
    gast.Name, gast.Constant, gast.Compare, gast.BoolOp, gast.UnaryOp, gast.expr_context, gast.cmpop, gast.boolop,
    gast.unaryop,
)  # fmt: skip


def _item_of_literal(node: Expr) -> Expr | None:
    """`[np.zeros_like(a), np.zeros_like(b)][1]` as `np.zeros_like(b)`: nothing happens where the others are made."""
    if type(node.value) not in (gast.List, gast.Tuple):
        return None
    index = positive(node.slice)
    at = getattr(node.slice if index is None else index, "value", None)
    items = node.value.elts
    if type(at) is not int or not all(map(_is_zeros, items)):
        return None
    at = at if index is None else -at
    if not -len(items) <= at < len(items):
        return None
    item: Expr = items[at]
    return item


def _is_zeros(node: Expr) -> bool:
    """A number, or `np.zeros_like(a)` of what is not itself computed: leaving it out loses no effect."""
    if type(node) is not gast.Call:
        return type(node) is gast.Constant
    named = type(node.func) is gast.Attribute and node.func.attr == "zeros_like"
    return named and sum(type(part) is gast.Call for part in gast.walk(node)) == 1


def _is_transpose(node: Expr) -> bool:
    return type(node) is gast.Attribute and node.attr == "T"


def _is_true(node: Expr) -> bool:
    return type(node) is gast.Constant and node.value is True


def simplify_statements(body: list[Stmt], facts: Facts, effects: Effects | None = None) -> list[Stmt]:
    """All expressions of a function's statements, simpler; statements marked `user` stay as they are.

    >>> from s2sad.core import statements, text
    >>> print(text(simplify_statements(statements("bx += -(1.0 * a)"), Facts(kinds={"a": Number(float)}))))
    bx += -a
    >>> import numpy as np
    >>> from s2sad.kinds.kind import Dim
    >>> of_three = Facts(kinds={"u": Array(np.dtype(float), (Dim.of(3),))})
    >>> print(text(simplify_statements(statements("u[1:] = 1.0 * u[:-1]; u[::2] = 1.0 * u[:2]"), of_three)))
    u[1:] = u[:-1]
    u[::2] = u[:2].copy()
    """
    return Simplifier(facts, effects or Effects(facts)).function(body)
