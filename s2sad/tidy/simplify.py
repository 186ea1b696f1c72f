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

from functools import cached_property
from typing import Any

import gast
import numpy as np

from s2sad.analysis.aliases import Roots, roots
from s2sad.analysis.arithmetic import DOUBLE, fits, is_length, moves, precision, product_of, quotient_of, sum_of
from s2sad.analysis.calls import dotted, makes_new
from s2sad.analysis.effects import Effects, nested
from s2sad.analysis.overlap import in_step
from s2sad.core import Expr, Facts, Stmt, text, walk_names
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Kind, Number, Static, Unknown
from s2sad.tidy.rebuild import is_users, with_fields

_ARRAY_OPERATION = 12  # one pass over an array costs as much as this many nodes to read


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
        self.body: list[Stmt] = []
        self._roots: Roots | None = None
        #: what came of expressions, and of the same ones in arithmetic of the derivative's, or where they get a name
        self._visited: dict[tuple[int, bool, bool], tuple[Expr, Expr]] = {}
        self.facts = facts
        self.kinds = facts.kinds
        self.effects = effects
        self._kinds: dict[int, tuple[Expr, Kind]] = {}
        #: inside of the derivative's own arithmetic, where values of the primal are but factors and terms
        self.inside = False

    def function(self, body: list[Stmt]) -> list[Stmt]:
        """The statements of the function with simpler expressions; what was looked at before is not looked at again."""
        self.body, self._roots = body, None
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
            self._roots = roots(self.body, self.facts, self.effects)
        held = [self._roots.get(name, frozenset({name})) for name in self.effects.shares(value)]
        return any(not h.isdisjoint(self._roots.get(target.value.id, {target.value.id})) for h in held)

    # -- kinds

    def kind(self, node: Expr) -> Kind:
        cls = type(node)
        if cls is gast.Name:
            return _of_one_type(self.kinds.get(node.id) or infer(node, self.facts))
        if cls is gast.Constant:
            value = node.value
            return Number(type(value)) if type(value) in (int, float, complex, bool) else Static(value)
        found = self._kinds.get(id(node))
        if found is None:
            found = self._kinds[id(node)] = node, _of_one_type(infer(node, self.facts))
        return found[1]

    def is_float(self, node: Expr) -> bool:
        """Is it a float or complex number or array (or unknown: the same)?"""
        kind = self.kind(node)
        if isinstance(kind, Number):
            return issubclass(kind.type, (float, complex, np.inexact))
        if isinstance(kind, Array):
            return kind.dtype.kind in "fc"
        return type(kind) is Unknown

    def is_scalar(self, node: Expr) -> bool:
        kind = self.kind(node)
        return isinstance(kind, Number) or (isinstance(kind, Static) and type(kind.value) in (int, float))

    def is_bool(self, node: Expr) -> bool:
        kind = self.kind(node)
        return isinstance(kind, Array) and kind.dtype == np.bool_

    def is_numpy(self, node: Expr) -> bool:
        """Is it a NumPy scalar, which gives inf when divided by 0 where a Python number raises?"""
        kind = self.kind(node)
        return isinstance(kind, Number) and issubclass(kind.type, np.generic)

    # -- expressions

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
            return self.product(node, fresh) if type(node.op) is gast.USub else self.operands(node)
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
            return _decided(self.operands(node, True))
        return self.operands(node, True)

    def arithmetic(self, node: Expr, fresh: bool) -> Expr:
        op = type(node.op)
        if op is gast.Mult or op is gast.Div:
            return self.product(node, fresh)
        if op is gast.Add or op is gast.Sub:
            return self.sum(node, fresh)
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

    def attribute(self, node: Expr, fresh: bool) -> Expr:
        new = self.operands(node, fresh)
        if new.attr == "T":
            inner = new.value
            if type(inner) is gast.Attribute and inner.attr == "T":
                return inner.value
            kind = self.kind(inner)
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
        kinds = [self.kind(side) for side in sides]
        matrices = all(isinstance(k, Array) and k.shape is not None and len(k.shape) == 2 for k in kinds)
        if self.facts.laid_out or not matrices or not any(map(_is_transpose, sides)):
            return node
        left, right = (s.value if _is_transpose(s) else gast.Attribute(s, "T", gast.Load()) for s in sides)
        return gast.BinOp(left, product.op, right)

    def subscript(self, node: Expr, fresh: bool) -> Expr:
        # a part of a copy that gets a name must not become a view of what was copied
        new = self.operands(node, fresh and not isinstance(self.kind(node), Number))
        if type(new.slice) is gast.Constant and new.slice.value is ... and isinstance(self.kind(new.value), Array):
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
        rank, axis = self.kind(call), words["axis"]
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
            kind = self.kind(node.func.value)
            if isinstance(kind, Array) and kind.shape != () and kind.dtype != object:
                return self.visit(node.func.value, False)  # an operand is read at once
        if is_method and node.func.attr == "copy" and not node.args and not node.keywords and not kept:
            made = self.visit(node.func.value, True)
            kind = self.kind(made)
            new = type(made) in (gast.BinOp, gast.UnaryOp) or (type(made) is gast.Call and makes_new(made))
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
                return self.total(new)
        return self.ones(new)

    def ones(self, node: Expr) -> Expr:
        """`np.full_like(x, 1.0)` as `np.ones_like(x)`."""
        path = dotted(node.func)
        if path is None or path[1:] != ("full_like",) or len(node.args) != 2 or node.keywords:
            return node
        filled = node.args[1]
        if not self.effects.calls.is_module(path[0]) or type(filled) is not gast.Constant or filled.value != 1:
            return node
        return with_fields(node, func=with_fields(node.func, attr="ones_like"), args=node.args[:1])

    def total(self, node: Expr) -> Expr:
        """np.sum of a product: a dot product where it is one, with its sign and small literals outside."""
        argument = node.args[0]
        if not (isinstance(self.kind(argument), Array) and self.is_float(argument)):
            return node
        if is_users(argument) and not self.inside:
            return node
        p = _Product(self, argument)
        parts = p.gather(argument)
        tree = parts.tree
        if p.odd or tree is None or _is_reciprocal(tree) or not all(self.is_float(f) for f in (*p.above, *p.below)):
            return node
        if not p.moves:
            tree = parts.applied(p)
        pair = (tree.left, tree.right) if type(tree) is gast.BinOp and type(tree.op) is gast.Mult else None
        if _is_square(tree) and self.is_float(tree.left):  # short ints would overflow
            pair = tree.left, tree.left
        shapes = [k.shape if isinstance(k, Array) else None for k in map(self.kind, pair or ())]
        if pair is not None and shapes[0] is not None and len(shapes[0]) == 1 and shapes[0] == shapes[1]:
            inner: Expr = gast.BinOp(pair[0], gast.MatMult(), pair[1])
        elif parts.sign < 0 or (p.moves and parts.numbers):
            inner = with_fields(node, args=[tree])
        else:
            return node
        return _Parts(parts.sign, parts.numbers if p.moves else [], inner).built(p)

    def power(self, node: Expr, fresh: bool) -> Expr:
        new = self.operands(node)
        exponent = new.right
        if type(exponent) is gast.Constant and type(exponent.value) in (int, float):
            if exponent.value == 1 and self.is_float(new.left) and not self.keeps(new.left, fresh):
                return new.left
            if exponent.value == 0 and isinstance(self.kind(new.left), Number) and self.kind(new.left) == Number(float):
                return gast.Constant(1.0, None)
        return new

    def keeps(self, node: Expr, fresh: bool) -> bool:
        """Would putting this in place of a computed value hand out memory that has another name?"""
        kind = self.kind(node)
        if isinstance(kind, Array) and kind.shape == ():
            return True  # arithmetic on a 0-d array gives a number
        return fresh and not isinstance(kind, Number) and bool(self.effects.shares(node))

    # -- sums

    def sum(self, node: Expr, fresh: bool) -> Expr:
        terms: list[tuple[bool, Expr]] = []
        self.terms(node, True, terms)
        changed = self.count(terms) or self.collect(terms)
        if changed is not None and not self.keeps(changed, fresh):
            return changed
        left, right = self.visit(node.left, False), self.visit(node.right, False)
        return self.add(node, left, right, fresh)

    def add(self, node: Expr, left: Expr, right: Expr, fresh: bool) -> Expr:
        minus = type(node.op) is gast.Sub
        for one, other, first in ((left, right, True), (right, left, False)):
            if type(one) is gast.Constant and type(one.value) in (int, float):
                if type(other) is gast.Constant and type(other.value) in (int, float):
                    a, b = (one.value, other.value) if first else (other.value, one.value)
                    folded = sum_of(a, -b if minus else b)
                    if folded is not None:
                        return number(folded)
                if one.value == 0 and self.is_float(other):
                    rest = negated(other) if first and minus else other
                    if not self.keeps(rest, fresh):
                        return rest
        opposite = positive(right)
        if opposite is not None:
            return gast.BinOp(left, gast.Add() if minus else gast.Sub(), opposite)
        if not minus:
            opposite = positive(left)
            if opposite is not None and self.movable(left, right):
                return gast.BinOp(right, gast.Sub(), opposite)
        return with_fields(node, left=left, right=right)

    def terms(self, node: Expr, plus: bool, out: list[tuple[bool, Expr]]) -> None:
        if type(node) is gast.BinOp and type(node.op) in (gast.Add, gast.Sub):
            self.terms(node.left, plus, out)
            self.terms(node.right, plus == (type(node.op) is gast.Add), out)
        else:
            out.append((plus, node))

    def count(self, terms: list[tuple[bool, Expr]]) -> Expr | None:
        """A sum of whole numbers with its constants added up: `i + 2 - 1` as `i + 1`; None for any other."""
        known = [t.value if plus else -t.value for plus, t in terms if _is_int(t)]
        others = [(plus, t) for plus, t in terms if not _is_int(t)]
        if len(known) < 2 and known != [0]:
            return None
        kinds = [self.kind(t) for _, t in others]
        whole = all(isinstance(k, Number) and k.type in (int, np.int64) for k in kinds)
        if not others or not others[0][0] or not whole:
            return None
        total = sum(known)
        if total:
            others.append((total > 0, gast.Constant(abs(total), None)))
        return self.joined([t if plus else negated(t) for plus, t in others])

    def collect(self, terms: list[tuple[bool, Expr]]) -> Expr | None:
        """The sum with equal terms added up; None when there are none."""
        products: list[tuple[_Product, _Parts, str, int | float | None]] = []
        seen: set[str] = set()
        again = False
        for plus, term in terms:
            p = _Product(self, term)
            parts = p.gather(term)
            sign = parts.sign if plus else -parts.sign
            divided = [n for n, inverse in parts.numbers if inverse or type(n) is not gast.Constant]
            times = [n.value for n, inverse in parts.numbers if not inverse and type(n) is gast.Constant]
            coefficient = p.folded(times)
            text = "" if parts.tree is None else _commuted(parts.tree)
            text += "/" + "".join(sorted(map(key_of, divided)))
            again = again or (text in seen and parts.tree is not None)
            seen.add(text)
            products.append((p, parts, text, None if coefficient is None else sign * coefficient))
        if not again or any(p.odd or c is None for p, _, _, c in products):
            return None
        result: dict[str, tuple[_Product, _Parts]] = {}
        totals: dict[str, int | float] = {}
        for k, (p, parts, text, coefficient) in enumerate(products):
            assert coefficient is not None
            if text in result and parts.tree is not None:
                total = sum_of(totals[text], coefficient)
                known = (f for f in p.above if type(self.kind(f)) is not Unknown)  # what is not may be a bool
                floats = any(map(self.is_float, known)) or bool(p.below)
                if total is None or total == 0 or not floats:
                    return None
                totals[text] = float(total)
                result[text][0].has_float = True
            else:
                text = text if parts.tree is not None else f"{k}"
                result[text], totals[text] = (p, parts), coefficient
        if not all(self.sound(p) and self.pure(p) for p, _ in result.values()):
            return None
        out = []
        for text, (p, parts) in result.items():
            rest = [(n, inverse) for n, inverse in parts.numbers if inverse or type(n) is not gast.Constant]
            size = abs(totals[text])
            numbers = rest if size == 1 and parts.tree is not None else [(gast.Constant(size, None), False), *rest]
            out.append(_Parts(-1 if totals[text] < 0 else 1, numbers, parts.tree).built(p))
        return self.joined(out)

    def joined(self, terms: list[Expr]) -> Expr:
        result = terms[0]
        for term in terms[1:]:
            result = self.add(gast.BinOp(result, gast.Add(), term), result, term, False)
        return result

    # -- products

    def product(self, node: Expr, fresh: bool) -> Expr:
        p = _Product(self, node)
        parts = p.gather(node)
        kept = self.rebuilt(node, p)
        if not self.sound(p):
            return kept
        pure = self.pure(p)
        if p.below and pure:
            parts.tree = self.cancelled(parts.tree, p)
        new = parts.built(p)
        if not pure or not (p.rearranged or self.cost(new)[0] < self.cost(kept)[0]):
            return kept
        if not self.keeps(new, fresh):
            return new
        kind = self.kind(new)
        if isinstance(kind, Array) and kind.shape and type(new) in (gast.Name, gast.Subscript, gast.Attribute):
            return gast.Call(gast.Attribute(new, "copy", gast.Load()), [], [])
        return kept

    def cancelled(self, tree: Any, p: _Product) -> Any:
        """A product without what it is divided by and multiplied with at once: `g / (a * b) * a` is `g / b`.

        Such factors come from quotients and logarithms, which have no derivative where the factor is 0 anyway. What is
        left keeps the shape and the dtype, and nothing becomes larger on the way than it is in the end.
        """
        if type(tree) is not gast.BinOp or type(tree.op) not in (gast.Mult, gast.Div) or _is_reciprocal(tree):
            return tree
        quotient: Any = tree.left
        factor, between = tree.right, None
        if type(tree.op) is gast.Div:
            return self.cancelled_below(tree, p)
        if type(quotient) is gast.BinOp and type(quotient.op) is gast.Mult:
            quotient, between = quotient.left, quotient
        if type(quotient) is not gast.BinOp or type(quotient.op) is not gast.Div:
            return tree
        divisors = [quotient.right]
        if type(quotient.right) is gast.BinOp and type(quotient.right.op) is gast.Mult:
            divisors = [quotient.right.left, quotient.right.right]
        key = key_of(factor)
        others = [d for d in divisors if key_of(d) != key]
        if len(others) == len(divisors) or len(others) > 1:
            return tree
        left = quotient.left if not others else gast.BinOp(quotient.left, gast.Div(), others[0])
        return self.without(factor, left if between is None else with_fields(between, left=left), tree, p)

    def cancelled_below(self, tree: Expr, p: _Product) -> Expr:
        """`a * b / b` as `a`."""
        product, key = tree.left, key_of(tree.right)
        if type(product) is gast.BinOp and type(product.op) is gast.Mult and not _is_reciprocal(product.left):
            for factor, rest in ((product.right, product.left), (product.left, product.right)):
                if key_of(factor) == key:
                    return self.without(factor, rest, tree, p)
        return tree

    def without(self, factor: Expr, rest: Expr, tree: Expr, p: _Product) -> Expr:
        """What is left of a product without a factor, where it has the dtype and the shape of all."""
        kind, left = self.kind(factor), self.kind(rest)
        alike = isinstance(kind, Array) and isinstance(left, Array) and None is not kind.shape == left.shape
        if not (isinstance(kind, Number) or alike) or not all(_is_double(self.kind(f)) for f in p.leaves()):
            return tree
        p.has_float = True
        return rest

    def is_passive(self, node: Expr) -> bool:
        """Is it a number of the primal's that does not depend on what is differentiated in?"""
        if not self.is_scalar(node):
            return False
        own = {n.id for n in walk_names(node)}
        if is_users(node):
            return own.isdisjoint(self.facts.varied)
        return type(node) is gast.Name and node.id in self.passive

    @cached_property
    def passive(self) -> set[str]:
        """The names that the primal binds and that do not vary."""
        users: set[str] = set()
        own: set[str] = set()
        for s in (s for top in self.body for s in nested(top)):
            (users if is_users(s) else own).update(name for name, _ in self.effects.of(s).defines)
        return (self.facts.user_name.keys() | users) - own - self.facts.varied

    def scales(self, tree: Expr) -> bool:
        """Is it a product of several numbers made by the derivative, some of them the primal's, that do not vary?"""
        if not self.is_passive_product(tree):
            return False
        run, several = self.scaling(tree)
        return run and several

    def scaling(self, tree: Expr) -> tuple[bool, bool]:
        """Has a product of such numbers one that is known to the run only, and has it several factors but 1?"""
        if type(tree) is gast.UnaryOp and type(tree.op) is gast.USub:
            return self.scaling(tree.operand)
        if type(tree) is gast.BinOp and not is_users(tree):
            left, right = self.scaling(tree.left), self.scaling(tree.right)
            return left[0] or right[0], left[1] or right[1] or not (_is_one(tree.left) or _is_one(tree.right))
        return not (type(tree) is gast.Constant or self.is_length(tree)), False

    def is_passive_product(self, tree: Expr) -> bool:
        """Is it made of literals, lengths and numbers of the primal's that do not vary?"""
        if type(tree) is gast.UnaryOp and type(tree.op) is gast.USub:
            return self.is_passive_product(tree.operand)
        if type(tree) is gast.BinOp and type(tree.op) in (gast.Mult, gast.Div) and not is_users(tree):
            return self.is_passive_product(tree.left) and self.is_passive_product(tree.right)
        return type(tree) is gast.Constant or self.is_length(tree) or self.is_passive(tree)

    def is_length(self, node: Expr) -> bool:
        return is_length(node, self.kind(node))

    def is_scalar_tree(self, tree: Expr) -> bool:
        """Is a product a number?"""
        if type(tree) is gast.BinOp and type(tree.op) in (gast.Mult, gast.Div):
            return self.is_scalar_tree(tree.left) and self.is_scalar_tree(tree.right)
        return self.is_scalar(tree)

    def rebuilt(self, node: Expr, p: _Product) -> Expr:
        """The product in its own form, with its factors simplified."""
        found = p.new.get(id(node))
        if found is not None:
            return found
        if type(node) is gast.BinOp:
            return with_fields(node, left=self.rebuilt(node.left, p), right=self.rebuilt(node.right, p))
        if type(node) is gast.UnaryOp:
            operand = self.rebuilt(node.operand, p)
            return self.signed(with_fields(node, operand=operand))
        return node

    def signed(self, node: Expr) -> Expr:
        """`-(a * b / c)` as `-a * b / c`: the same number."""
        if type(node.op) is not gast.USub or type(node.operand) is not gast.BinOp:
            return node
        first = node.operand
        while type(first) is gast.BinOp and type(first.op) in (gast.Mult, gast.Div):
            first = first.left
        kind = self.kind(first)
        floats = isinstance(kind, Number) and issubclass(kind.type, float)
        if first is node.operand or not (floats or (isinstance(kind, Array) and kind.dtype.kind == "f")):
            return node
        opposite = number(-first.value) if type(first) is gast.Constant else negated(first)
        return _with_first(node.operand, first, opposite)

    def sound(self, p: _Product) -> bool:
        """May the factors be regrouped without changing the dtype or losing a conversion?"""
        if p.odd:
            return False
        integers = unknown = 0
        only_double = True
        weak_float = p.has_float or p.divides
        some_float = False
        for factor in [*p.above, *p.below]:
            kind = self.kind(factor)
            if isinstance(kind, Number):
                cls = kind.type
                if issubclass(cls, np.generic):
                    if issubclass(cls, np.inexact):
                        some_float = True
                        only_double = only_double and cls is np.float64
                    elif cls in (np.int64, np.bool_):
                        integers += 1
                    else:
                        return False  # small integers overflow in one order and not in another
                elif issubclass(cls, (float, complex)):
                    weak_float = some_float = True
            elif isinstance(kind, Array):
                if kind.dtype.kind in "fc":
                    some_float = True
                    only_double = only_double and kind.dtype == np.float64
                elif kind.dtype in (np.int64, np.bool_):
                    integers += 1
                else:
                    return False
            elif isinstance(kind, Unknown):
                some_float = True
                only_double = False
                unknown += 1
            elif not (isinstance(kind, Static) and type(kind.value) in (int, float)):
                return False
        if not some_float and not (p.has_float and not p.above and not p.below):
            return False  # whole numbers: nothing to gain, and 1.0 * n is a conversion
        if p.has_float and abs(p.coefficient) == 1 and unknown == len(p.above) + len(p.below) > 0:
            return False  # 1.0 * u is no u where u may be a bool: two of NumPy's add up to True
        return integers == 0 or (integers == 1 and (only_double or not weak_float))

    def pure(self, p: _Product) -> bool:
        return all(self.movable(f) for f in [*p.above, *p.below])

    def movable(self, *nodes: Expr) -> bool:
        """May these be evaluated in another order?"""
        for node in nodes:
            if type(node) is not gast.Name:
                e = self.effects.of_expression(node)
                if e.effects or e.own or e.walrus:
                    return False
        return True

    def cost(self, node: Expr) -> tuple[int, bool]:
        """What a product costs to read and to run, and whether it is an array."""
        cls = type(node)
        if cls is gast.BinOp and type(node.op) in (gast.Mult, gast.Div, gast.Add, gast.Sub):
            a, first = self.cost(node.left)
            b, second = self.cost(node.right)
            array = first or second
            if type(node.op) is gast.Mult and _is_number(node.right):
                b += 1  # a coefficient stands in front
            return a + b + (1 + _ARRAY_OPERATION if array else 1), array
        if cls is gast.UnaryOp and type(node.op) is gast.USub:
            if type(node.operand) is gast.Constant:
                return 1, False
            a, array = self.cost(node.operand)
            return a + (1 + _ARRAY_OPERATION if array else 1), array
        if cls is gast.Constant:
            return 1, False
        return 3, not self.is_scalar(node)


def _of_one_type(kind: Kind) -> Kind:
    """The kind of a value; NumPy's bool, where it may be one on some path: two of these add up to True, ints to 2."""
    if isinstance(kind, Number) and np.bool_ in kind.types:
        return Number(np.bool_)
    return Array(np.dtype(bool), kind.shape) if isinstance(kind, Array) and kind.mixed else kind


class _Product:
    """What a product is made of."""

    def __init__(self, simplifier: Simplifier, node: Expr) -> None:
        self.of = simplifier
        #: literals, and the factors of the run above and below the line
        self.literals: list[int | float] = []
        self.above: list[Expr] = []
        self.below: list[Expr] = []
        self.numbers: list[Expr] = []
        self.new: dict[int, Expr] = {}
        self.divides = self.divides_numbers = self.has_float = False
        self.odd = False  # a zero, inf or nan
        self.rearranged = False  # whatever it costs
        self.scan(node, False)
        kinds = [simplifier.kind(f) for f in self.leaves()]
        self.precision = precision(kinds)
        #: may literals and lengths move past factors of the run?
        self.moves = moves(kinds, self.literals) and self.folded(self.literals) is not None

    def leaves(self) -> list[Expr]:
        return [*self.above, *self.below]

    @property
    def coefficient(self) -> int | float:
        return self.folded(self.literals) or 2.0

    def scan(self, node: Expr, inverse: bool) -> None:
        """Look at the factors."""
        cls = type(node)
        if cls is gast.BinOp and type(node.op) in (gast.Mult, gast.Div):
            if type(node.op) is gast.Div:
                self.divides = True
                self.divides_numbers = self.divides_numbers or (
                    self.of.is_scalar(node.left) and self.of.is_scalar(node.right)
                )
            self.scan(node.left, inverse)
            self.scan(node.right, inverse == (type(node.op) is gast.Mult))
        elif cls is gast.UnaryOp and type(node.op) is gast.USub:
            self.scan(node.operand, inverse)
        elif cls is gast.Constant and type(node.value) in (int, float):
            value = node.value
            self.has_float = self.has_float or type(value) is float
            if value == 0 or value != value or abs(value) == float("inf"):
                self.odd = True
            elif not inverse:
                self.literals.append(value)
        else:
            leaf = self.of.visit(node, False)
            self.new[id(node)] = leaf
            if leaf is not node and _is_product(leaf):
                self.scan(leaf, inverse)
            elif self.of.is_length(leaf):
                self.numbers.append(leaf)
            else:
                (self.below if inverse else self.above).append(leaf)

    def folded(self, literals: list[int | float]) -> int | float | None:
        """The literals multiplied; None where they must stay apart."""
        total: int | float | None = 1
        for literal in literals:
            total = None if total is None else product_of(total, literal, self.precision)
        return total

    def gather(self, node: Expr) -> _Parts:
        """The product as a sign, literals and lengths, and the factors of the run in their order."""
        cls = type(node)
        if cls is gast.BinOp and type(node.op) is gast.Mult:
            return self.multiplied(node, self.gather(node.left), self.gather(node.right))
        if cls is gast.BinOp and type(node.op) is gast.Div:
            return self.divided(node, self.gather(node.left), self.gather(node.right))
        if cls is gast.UnaryOp and type(node.op) is gast.USub:
            parts = self.gather(node.operand)
            return _Parts(-parts.sign, parts.numbers, parts.tree)
        if cls is gast.Constant and type(node.value) in (int, float):
            value = node.value
            return _Parts(-1 if value < 0 else 1, [(gast.Constant(abs(value), None), False)] if abs(value) != 1 else [])
        leaf = self.new.get(id(node), node)
        if leaf is not node and _is_product(leaf):
            return self.gather(leaf)
        return _Parts(1, [(leaf, False)]) if self.of.is_length(leaf) else _Parts(1, [], leaf)

    def multiplied(self, node: Expr, a: _Parts, b: _Parts) -> _Parts:
        sign = a.sign * b.sign
        if a.tree is None:
            return _Parts(sign, a.numbers + b.numbers, b.tree)
        if b.tree is None:
            return _Parts(sign, b.numbers + a.numbers, a.tree)
        if is_users(node) or not self.of.scales(node.left) or self.of.is_passive_product(b.tree):
            if self.moves:
                return _Parts(sign, a.numbers + b.numbers, with_fields(node, left=a.tree, right=b.tree))
            return _Parts(sign, [], with_fields(node, left=a.applied(self), right=b.applied(self)))
        # Numbers of the primal's that the derivative itself would multiply with each other first (the cotangent 1 of a
        # result that they scale) are applied one by one, as the primal does it
        self.rearranged = True
        if self.moves:
            return _Parts(sign, a.numbers + b.numbers, _scaled(a.tree, b.tree))
        return _Parts(sign, [], _scaled(node.left, b.applied(self)))

    def divided(self, node: Expr, a: _Parts, b: _Parts) -> _Parts:
        sign = a.sign * b.sign
        below = [(n, not inverse) for n, inverse in b.numbers]
        if b.tree is None:
            return _Parts(sign, a.numbers + below if a.tree is None else below + a.numbers, a.tree)
        if not self.moves:
            if a.tree is None:
                one = a.applied(self) if a.numbers else gast.Constant(1.0, None)
                return _Parts(sign, [], with_fields(node, left=one, right=b.applied(self)))
            return _Parts(sign, [], with_fields(node, left=a.applied(self), right=b.applied(self)))
        if a.tree is None:
            return _Parts(sign, a.numbers + below, with_fields(node, left=gast.Constant(1.0, None), right=b.tree))
        return _Parts(sign, a.numbers + below, with_fields(node, left=a.tree, right=b.tree))


class _Parts:
    """A product taken apart: its sign, literals and lengths (with True: below the line), the outermost first, and the
    factors of the run as they stand (None: there are none; with None above the line: one over the rest)."""

    __slots__ = ("numbers", "sign", "tree")

    def __init__(self, sign: int, numbers: list[tuple[Expr, bool]], tree: Expr | None = None) -> None:
        self.sign, self.numbers, self.tree = sign, numbers, tree

    def applied(self, p: _Product) -> Expr:
        """The numbers times the tree."""
        return _Parts(1, self.numbers, self.tree).built(p)

    def built(self, p: _Product) -> Expr:
        """The product, written: literals and lengths first, where these may be multiplied beforehand."""
        number_of = p.precision if self.tree is not None else DOUBLE
        size = p.folded([n.value for n, inverse in self.numbers if not inverse and type(n) is gast.Constant])
        lengths = [n for n, inverse in self.numbers if not inverse and type(n) is not gast.Constant]
        divisors = [n for n, inverse in self.numbers if inverse and type(n) is gast.Constant]
        below = [n for n, inverse in self.numbers if inverse and type(n) is not gast.Constant]
        if size is None:
            return self.one_by_one(p)
        for divisor in list(divisors):  # 2.0 * x / 2.0
            quotient = quotient_of(size, divisor.value, number_of)
            if quotient is not None and (divisor.value == 1 or size != 1):
                size = quotient
                divisors.remove(divisor)
        if len(self.numbers) > 1:
            whole = float(size)
            for divisor in divisors:
                whole /= divisor.value
            if not fits(whole, number_of, len(lengths), len(below)):
                return self.one_by_one(p)
        early = (p.divides_numbers or any(map(p.of.is_numpy, p.leaves()))) and (p.moves or not divisors)
        if (size != 1 or lengths) and (divisors or below) and not p.moves and not (early and self.tree is not None):
            return self.one_by_one(p)  # what is multiplied first and then divided may be out of range in between
        head: list[Expr] = list(lengths)
        under = [*divisors, *below]
        alone = self.tree is None and p.has_float and not under  # what would be a whole number: 1.0 * len(x)
        if size != 1 or (self.tree is None and (alone or not head)):
            if type(size) is int and (size == 1 or alone or (not head and self.tree is None)) and p.has_float:
                size = float(size)
            head.insert(0, gast.Constant(size, None))
        if self.sign < 0 and head:
            head[0] = negated(head[0])
        tree = self.tree
        if tree is None:
            return _over(_times(head), under)
        if not head:
            tree = _without_one(tree)
        if self.sign < 0 and not head:
            tree = _opposite(tree, p)
        if not head and not under:
            return tree
        if head and under and early and not p.of.is_scalar_tree(tree):
            return _put(tree, [_over(_times(head), under)], p)
        return _over(_put(tree, head, p), under)

    def one_by_one(self, p: _Product) -> Expr:
        """The numbers, the innermost first, where they are too large or too small to be multiplied beforehand."""
        p.rearranged = p.rearranged or (len(self.numbers) > 1 and self.tree is not None)
        result = None if self.tree is None else _without_one(self.tree)
        if result is None:
            for n, inverse in self.numbers:
                if result is None:
                    result = gast.BinOp(gast.Constant(1.0, None), gast.Div(), n) if inverse else n
                else:
                    result = gast.BinOp(result, gast.Div() if inverse else gast.Mult(), n)
        else:
            for n, inverse in reversed(self.numbers):
                result = gast.BinOp(result, gast.Div(), n) if inverse else gast.BinOp(n, gast.Mult(), result)
        assert result is not None
        return result if self.sign > 0 else _opposite(result, p)


def _decided(choice: Expr) -> Expr:
    """A conditional expression without the choices in it that its own condition decides.

    >>> from s2sad.core import quote, text
    >>> text(_decided(quote("(a if n > 0 else 0.0) + b if n > 0 else (c if n > 0 else d)")))
    'a + b if n > 0 else d'
    """
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


def _is_product(node: Expr) -> bool:
    cls = type(node)
    return cls in (gast.UnaryOp, gast.Constant) or _is_quotient_or_product(node)


def is_of_literals(node: Expr) -> bool:
    """Is it a product of several literals?

    >>> from s2sad.core import quote
    >>> [is_of_literals(quote(t)) for t in ("1e20 * -2.0 / 3.0", "2.0", "2.0 * a")]
    [True, False, False]
    """
    if type(node) is not gast.BinOp or type(node.op) not in (gast.Mult, gast.Div):
        return False
    return all(_is_number(side) or is_of_literals(side) for side in (node.left, node.right))


def _is_reciprocal(tree: Expr) -> bool:
    """Is it one over something?"""
    return type(tree) is gast.BinOp and type(tree.op) is gast.Div and _is_one(tree.left)


def _is_one(node: Expr) -> bool:
    return type(node) is gast.Constant and node.value == 1


def _without_one(tree: Expr) -> Expr:
    """A product in which `1.0 / a * b` is `b / a`."""
    if type(tree) is not gast.BinOp or type(tree.op) not in (gast.Mult, gast.Div):
        return tree
    left, right = _without_one(tree.left), _without_one(tree.right)
    if type(tree.op) is gast.Mult and _is_reciprocal(left):
        return with_fields(left, left=right)
    return with_fields(tree, left=left, right=right)


def _put(tree: Expr, numbers: list[Expr], p: _Product) -> Expr:
    """Numbers multiplied with the first factor of a product, or with a last one that is a number where that is none."""
    if not numbers or _is_one(tree):
        return _times(numbers) if numbers else tree
    if p.moves and type(tree) is gast.BinOp and type(tree.op) in (gast.Mult, gast.Div) and not is_users(tree):
        if (
            type(tree.op) is gast.Mult
            and p.of.is_scalar_tree(tree.right)
            and not p.of.is_scalar_tree(_first(tree.left))
        ):
            return with_fields(tree, left=_put(tree.right, numbers, p), right=tree.left)
        return with_fields(tree, left=_put(tree.left, numbers, p), right=tree.right)
    return _times([*numbers, tree])


def _first(tree: Expr) -> Expr:
    """The first factor of a product of the derivative's."""
    while type(tree) is gast.BinOp and type(tree.op) in (gast.Mult, gast.Div) and not is_users(tree):
        tree = tree.left
    return tree


def _opposite(tree: Expr, p: _Product) -> Expr:
    """A product with its sign turned: a difference in it is turned round, else its first factor gets a minus."""
    turned = _turned(tree)
    if turned is not None:
        return turned
    if _is_one(tree):
        return number(-1.0)
    if type(tree) is gast.BinOp and type(tree.op) in (gast.Mult, gast.Div):
        if p.of.is_bool(tree.left):
            return with_fields(tree, right=_opposite(tree.right, p))
        return with_fields(tree, left=_opposite(tree.left, p))
    if p.of.is_bool(tree):
        return gast.BinOp(number(-1.0 if p.has_float else -1), gast.Mult(), tree)
    return negated(tree)


def _turned(tree: Expr) -> Expr | None:
    """A product with a difference in it turned round; None when there is none above the line."""
    if type(tree) is not gast.BinOp:
        return None
    if type(tree.op) is gast.Sub:
        return negated(tree)
    if type(tree.op) not in (gast.Mult, gast.Div):
        return None
    left = _turned(tree.left)
    if left is not None:
        return with_fields(tree, left=left)
    right = _turned(tree.right) if type(tree.op) is gast.Mult else None
    return None if right is None else with_fields(tree, right=right)


def _scaled(scales: Expr, tree: Expr) -> Expr:
    """A product of numbers applied one by one, the last first, but for its sign: `-a * b` to x gives `a * (b * x)`."""
    if type(scales) is gast.UnaryOp and type(scales.op) is gast.USub:
        return _scaled(scales.operand, tree)
    if type(scales) is gast.BinOp and type(scales.op) in (gast.Mult, gast.Div) and not is_users(scales):
        if type(scales.op) is gast.Mult:
            outer, inner = scales.left, scales.right
            if _is_quotient_or_product(inner) and not _is_quotient_or_product(outer):
                outer, inner = inner, outer  # a number in front of a product came to it last
            return _scaled(outer, _scaled(inner, tree))
        return _scaled(scales.left, gast.BinOp(tree, gast.Div(), scales.right))
    if _is_one(scales):
        return tree
    return gast.BinOp(scales, gast.Mult(), tree)


def _is_quotient_or_product(node: Expr) -> bool:
    return type(node) is gast.BinOp and type(node.op) in (gast.Mult, gast.Div)


def _commuted(tree: Expr) -> str:
    """A text that two products share when they differ by the sides of their factors alone."""
    if type(tree) is gast.BinOp and type(tree.op) is gast.Mult:
        sides = sorted((_commuted(tree.left), _commuted(tree.right)))
        return f"({sides[0]} * {sides[1]})"
    if type(tree) is gast.BinOp and type(tree.op) is gast.Div:
        return f"({_commuted(tree.left)} / {_commuted(tree.right)})"
    return key_of(tree)


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


def _is_square(node: Expr) -> bool:
    return (
        type(node) is gast.BinOp
        and type(node.op) is gast.Pow
        and type(node.right) is gast.Constant
        and node.right.value == 2
        and type(node.left) is gast.Name
    )


def _is_true(node: Expr) -> bool:
    return type(node) is gast.Constant and node.value is True


def _is_double(kind: Kind) -> bool:
    """Is it a number or an array in double precision, so that leaving it out changes no dtype?"""
    if isinstance(kind, Number):
        return kind.type in (float, np.float64)
    return isinstance(kind, Array) and kind.dtype == np.float64


def _is_difference(node: Expr) -> bool:
    return type(node) is gast.BinOp and type(node.op) is gast.Sub


def _is_int(node: Expr) -> bool:
    return type(node) is gast.Constant and type(node.value) is int


def _is_number(node: Expr) -> bool:
    return type(node) is gast.Constant or (type(node) is gast.UnaryOp and type(node.operand) is gast.Constant)


def number(value: int | float) -> Expr:
    """A number as a node.

    >>> gast.dump(number(-2.0))[:13]
    'UnaryOp(op=US'
    """
    if value < 0:
        return gast.UnaryOp(gast.USub(), gast.Constant(-value, None))
    return gast.Constant(value, None)


def negated(node: Expr) -> Expr:
    """Minus the node, without a double sign.

    >>> from s2sad.core import quote
    >>> [gast.unparse(negated(quote(t))) for t in ("-x", "a - b", "x")]
    ['x', 'b - a', '-x']
    """
    if type(node) is gast.UnaryOp and type(node.op) is gast.USub:
        return node.operand
    if _is_difference(node):
        return gast.BinOp(node.right, gast.Sub(), node.left)
    return gast.UnaryOp(gast.USub(), node)


def positive(node: Expr) -> Expr | None:
    """The node without its leading minus; None when it has none.

    >>> from s2sad.core import quote
    >>> gast.unparse(positive(quote("-a * b / c")))
    'a * b / c'
    """
    if type(node) is gast.UnaryOp and type(node.op) is gast.USub:
        return node.operand
    if type(node) is gast.BinOp and type(node.op) in (gast.Mult, gast.Div, gast.MatMult):
        left = positive(node.left)
        return None if left is None else with_fields(node, left=left)
    return None


def _times(factors: list[Expr]) -> Expr:
    result = factors[0]
    for factor in factors[1:]:
        result = gast.BinOp(result, gast.Mult(), factor)
    return result


def _with_first(product: Expr, first: Expr, new: Expr) -> Expr:
    """A product with another first factor."""
    if product is first:
        return new
    return gast.BinOp(_with_first(product.left, first, new), product.op, product.right)


def _over(above: Expr, below: list[Expr]) -> Expr:
    return gast.BinOp(above, gast.Div(), _times(below)) if below else above


def key_of(node: Any) -> str:
    """A text that two trees share when they are equal."""
    cls = type(node)
    if cls is gast.Name:
        return str(node.id)
    if cls is gast.Constant:
        return repr(node.value)
    parts = [cls.__name__]
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, gast.AST):
            parts.append(key_of(value))
        elif isinstance(value, list):
            parts.append("[" + ",".join(key_of(v) if isinstance(v, gast.AST) else repr(v) for v in value) + "]")
        else:
            parts.append(repr(value))  # None too: [::2] is not [2:]
    return "(" + " ".join(parts) + ")"


def simplify_statements(body: list[Stmt], facts: Facts, effects: Effects | None = None) -> list[Stmt]:
    """All expressions of a function's statements, simpler; statements marked `user` stay as they are.

    >>> from s2sad.core import statements, text
    >>> print(text(simplify_statements(statements("bx += -(1.0 * a)"), Facts(kinds={"a": Number(float)}))))
    bx += -a
    >>> from s2sad.kinds.kind import Dim
    >>> of_three = Facts(kinds={"u": Array(np.dtype(float), (Dim.of(3),))})
    >>> print(text(simplify_statements(statements("u[1:] = 1.0 * u[:-1]; u[::2] = 1.0 * u[:2]"), of_three)))
    u[1:] = u[:-1]
    u[::2] = u[:2].copy()
    """
    return Simplifier(facts, effects or Effects(facts)).function(body)


__all__ = ["is_of_literals", "negated", "number", "positive", "simplify", "simplify_statements"]
