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

from decimal import Decimal
from typing import Any

import gast
import numpy as np

from s2sad.analysis.calls import dotted, makes_new
from s2sad.analysis.overlap import in_step
from s2sad.core import Expr, Facts, Stmt
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Kind, Number, Static, Unknown
from s2sad.tidy.aliases import Roots, roots
from s2sad.tidy.effects import Effects
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

    def __init__(self, facts: Facts, effects: Effects, body: list[Stmt] | None = None) -> None:
        self.body = body or []
        self._roots: Roots | None = None
        self.facts = facts
        self.kinds = facts.kinds
        self.effects = effects
        self._kinds: dict[int, tuple[Expr, Kind]] = {}

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
        if cls is gast.Name or cls is gast.Constant:
            return node
        if cls is gast.BinOp:
            op = type(node.op)
            if op is gast.Mult or op is gast.Div:
                return self.product(node, fresh)
            if op is gast.Add or op is gast.Sub:
                return self.sum(node, fresh)
            if op is gast.Pow:
                return self.power(node, fresh)
            return self.operands(node)
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
        return self.operands(node, True)

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
        """`np.sum(x, axis=1, keepdims=True)[:, 0]` as `np.sum(x, axis=1)`."""
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
        rank = self.kind(call)
        axis = words["axis"].value if type(words["axis"]) is gast.Constant else None
        if not isinstance(rank, Array) or rank.shape is None or type(axis) is not int or len(rank.shape) < 2:
            return None
        at = axis % len(rank.shape)
        whole = (type(p) is gast.Slice and p.lower is None and p.upper is None and p.step is None for p in parts[:at])
        if len(parts) != at + 1 or not all(whole) or type(parts[at]) is not gast.Constant or parts[at].value != 0:
            return None
        return with_fields(call, keywords=[k for k in call.keywords if k.arg == "axis"])

    def call(self, node: Expr, fresh: bool = True) -> Expr:
        info, is_method = self.effects.calls.of(node)
        kept = self.facts.laid_out or self.facts.identities
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
        """np.sum of a product: a dot product where it is one, with constant factors outside."""
        argument = node.args[0]
        if not (isinstance(self.kind(argument), Array) and self.is_float(argument)):
            return node
        p = _Product()
        self.gather(argument, p, False)
        squared = [f for f in p.above if _is_square(f)]
        arrays: list[Expr] = []
        for f in p.above:
            if self.is_scalar(f):
                continue
            arrays.extend([f.left, f.left] if f in squared else [f])
        shapes = [k.shape if isinstance(k, Array) else None for k in map(self.kind, arrays)]
        scalars = [f for f in p.above if self.is_scalar(f)]
        if p.odd or not all(self.is_float(a) for a in arrays) or not all(self.is_scalar(d) for d in p.below):
            return node
        if len(arrays) == 2 and shapes[0] is not None and len(shapes[0]) == 1 and shapes[0] == shapes[1]:
            inner: Expr = gast.BinOp(arrays[0], gast.MatMult(), arrays[1])
        elif len(arrays) == 1 and not squared and not scalars and not p.below and p.coefficient not in (0, 1):
            inner = with_fields(node, args=arrays)
        else:
            return node
        p.above = [*scalars, inner]
        return self.build(p, self.scalar_first)

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
                    folded = _add(a, -b if minus else b)
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
        products: list[tuple[_Product, str, bool]] = []
        seen: dict[str, int] = {}
        again = False
        for plus, term in terms:
            p = _Product()
            self.gather(term, p, False)
            if not plus:
                p.coefficient = -p.coefficient
            text = " ".join(sorted(map(key_of, p.above))) + "/" + " ".join(sorted(map(key_of, p.below)))
            text += "".join(key_of(d) for d in p.divisors)
            again = again or (text in seen and bool(p.above))
            seen[text] = 1
            products.append((p, text, bool(p.above)))
        if not again or any(p.odd for p, _, _ in products):
            return None
        result: dict[str, _Product] = {}
        for k, (p, text, mergeable) in enumerate(products):
            if text in result and mergeable:
                total = _add(result[text].coefficient, p.coefficient)
                known = (f for f in p.above if type(self.kind(f)) is not Unknown)  # what is not may be a bool
                floats = any(map(self.is_float, known)) or bool(p.below)
                if total is None or total == 0 or not floats:
                    return None
                result[text].coefficient = float(total)
                result[text].has_float = True
            else:
                result[text if mergeable else f"{k}"] = p
        parts = list(result.values())
        if not all(self.sound(p) and self.pure(p) for p in parts):
            return None
        return self.joined([self.build(p, self.scalar_first) for p in parts])

    def joined(self, terms: list[Expr]) -> Expr:
        result = terms[0]
        for term in terms[1:]:
            result = self.add(gast.BinOp(result, gast.Add(), term), result, term, False)
        return result

    # -- products

    def product(self, node: Expr, fresh: bool) -> Expr:
        p = _Product()
        self.gather(node, p, False)
        kept = self.rebuilt(node, p)
        if not self.sound(p):
            return kept
        if p.below and self.pure(p):
            self.cancel(p)
        new = self.build(p, self.scalar_first)
        if self.cost(new)[0] >= self.cost(kept)[0] or not self.pure(p):
            return kept
        if not self.keeps(new, fresh):
            return new
        kind = self.kind(new)
        if isinstance(kind, Array) and kind.shape and type(new) in (gast.Name, gast.Subscript, gast.Attribute):
            return gast.Call(gast.Attribute(new, "copy", gast.Load()), [], [])
        return kept

    def cancel(self, p: _Product) -> None:
        """Take out what a product is both multiplied and divided by: `g / (a * b) * a` is `g / b`.

        Such factors come from quotients and logarithms, which have no derivative where the factor is 0 anyway. What is
        left keeps the shape and the dtype.
        """
        kinds = [self.kind(f) for f in (*p.above, *p.below)]
        if not all(_is_double(k) for k in kinds):
            return
        for divisor in list(p.below):
            key = key_of(divisor)
            found = next((f for f in p.above if key_of(f) == key), None)
            if found is None:
                continue
            kind = self.kind(divisor)
            left = [self.kind(f) for f in (*p.above, *p.below) if f is not found and f is not divisor]
            if isinstance(kind, Number) or (
                isinstance(kind, Array)
                and kind.shape is not None
                and any(isinstance(k, Array) and k.shape == kind.shape for k in left)
            ):
                p.above.remove(found)
                p.below.remove(divisor)
                p.has_float = True

    def gather(self, node: Expr, p: _Product, inverse: bool) -> None:
        """Take a product apart."""
        cls = type(node)
        if cls is gast.BinOp and type(node.op) is gast.Mult:
            self.gather(node.left, p, inverse)
            self.gather(node.right, p, inverse)
        elif cls is gast.BinOp and type(node.op) is gast.Div:
            p.divides = True
            if not p.divides_numbers:
                p.divides_numbers = self.is_scalar(node.left) and self.is_scalar(node.right)
            self.gather(node.left, p, inverse)
            self.gather(node.right, p, not inverse)
        elif cls is gast.UnaryOp and type(node.op) is gast.USub:
            p.coefficient = -p.coefficient
            self.gather(node.operand, p, inverse)
        elif cls is gast.Constant and type(node.value) in (int, float):
            self.constant(node, p, inverse)
        else:
            leaf = self.visit(node, False)
            p.leaves[id(node)] = leaf
            if leaf is not node and (
                type(leaf) in (gast.UnaryOp, gast.Constant)
                or (type(leaf) is gast.BinOp and type(leaf.op) in (gast.Mult, gast.Div))
            ):
                self.gather(leaf, p, inverse)
            else:
                (p.below if inverse else p.above).append(leaf)

    def constant(self, node: Expr, p: _Product, inverse: bool) -> None:
        value = node.value
        if type(value) is float:
            p.has_float = True
        if value == 0 or value != value or abs(value) == float("inf"):
            p.odd = True
            return
        if inverse:
            p.divisors.append(node)
        else:
            folded = _multiply(p.coefficient, value)
            if folded is None:
                p.odd = True
            else:
                p.coefficient = folded

    def rebuilt(self, node: Expr, p: _Product) -> Expr:
        """The product in its own form, with its factors simplified."""
        found = p.leaves.get(id(node))
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

    def scalar_first(self, factors: list[Expr]) -> tuple[list[Expr], list[Expr]]:
        scalars = [f for f in factors if self.is_scalar(f)]
        return scalars, [f for f in factors if not self.is_scalar(f)] if len(scalars) < len(factors) else []

    def build(self, p: _Product, split: Any) -> Expr:
        """Write a product: coefficient and scalars, then arrays; denominators after what they divide."""
        coefficient = p.coefficient
        divisors = list(p.divisors)
        for divisor in p.divisors:  # 2.0 * x / 2.0
            quotient = _divide(coefficient, divisor.value)
            if quotient is not None and (divisor.value < 0 or divisor.value == 1 or abs(coefficient) != 1):
                coefficient = quotient
                divisors.remove(divisor)
        scalars, arrays = split(p.above)
        low_scalars, low_arrays = split(p.below)
        below = [*divisors, *low_scalars]
        negative = coefficient < 0
        size = abs(coefficient)
        head: list[Expr] = list(scalars)
        if size != 1 or (not scalars and not arrays):
            if type(size) is int and (size == 1 or (not scalars and not arrays)) and p.has_float:
                size = float(size)
            head.insert(0, gast.Constant(size, None))
        if negative:
            negative = False
            if head:
                head[0] = negated(head[0])
            else:
                swapped = next((k for k, a in enumerate(arrays) if _is_difference(a)), None)
                signed = next((k for k, a in enumerate(arrays) if not self.is_bool(a)), None)
                if swapped is None and signed is None:
                    head = [number(-1.0 if p.has_float else -1)]
                elif swapped is None:
                    assert signed is not None
                    arrays[signed] = negated(arrays[signed])
                else:
                    a = arrays[swapped]
                    arrays[swapped] = gast.BinOp(a.right, gast.Sub(), a.left)
        if not arrays:
            return _over(_times(head), [*below, *low_arrays])
        if head and below and (p.divides_numbers or any(self.is_numpy(f) for f in (*head, *below))):
            return _over(_times([_over(_times(head), below), *arrays]), low_arrays)
        return _over(_times([*head, *arrays]), [*below, *low_arrays])

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
    """A product taken apart."""

    __slots__ = (
        "above",
        "below",
        "coefficient",
        "divides",
        "divides_numbers",
        "divisors",
        "has_float",
        "leaves",
        "odd",
    )

    def __init__(self) -> None:
        self.coefficient: int | float = 1
        self.above: list[Expr] = []
        self.below: list[Expr] = []
        self.divisors: list[Expr] = []
        self.leaves: dict[int, Expr] = {}
        self.divides = False
        self.divides_numbers = False
        self.has_float = False
        self.odd = False  # a zero, inf or nan, or constants that do not fold


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


def _neat(value: float, exact: Decimal) -> float | None:
    """The value, when it is the exact one or is short to write: no rounding surprises."""
    if value != value or abs(value) == float("inf") or (value == 0) != (exact == 0):
        return None
    if Decimal(repr(value)) == exact or len(repr(value).strip("-0.").replace(".", "")) <= 6:
        return value
    return None


def _decimal(value: int | float) -> Decimal:
    return Decimal(value) if type(value) is int else Decimal(repr(value))


def _multiply(a: int | float, b: int | float) -> int | float | None:
    if type(a) is int and type(b) is int:
        return a * b
    if abs(a) == 1 or abs(b) == 1:
        return float(a * b)
    exact = _decimal(a) * _decimal(b)
    return _neat(float(exact), exact)


def _add(a: int | float, b: int | float) -> int | float | None:
    if type(a) is int and type(b) is int:
        return a + b
    exact = _decimal(a) + _decimal(b)
    return _neat(float(exact), exact)


def _divide(a: int | float, b: int | float) -> float | None:
    """a / b where that is exact."""
    value = a / b
    if abs(value) > 1e15 or value * b != a:
        return None
    exact = _decimal(value)
    return value if exact * _decimal(b) == _decimal(a) and len(repr(value)) <= 8 else None


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
    return Simplifier(facts, effects or Effects(facts), body).block(body)


__all__ = ["negated", "number", "positive", "simplify", "simplify_statements"]
