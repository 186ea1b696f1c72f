"""Sums: without zeros and double signs, equal terms added up."""

from __future__ import annotations

from collections.abc import Callable

import gast
import numpy as np

from s2sad.analysis.arithmetic import sum_of
from s2sad.core import Expr
from s2sad.kinds.kind import Number, Unknown
from s2sad.tidy.algebra import commuted, is_int, key_of, negated, number, positive
from s2sad.tidy.coefficients import Parts, Product, Products
from s2sad.tidy.factors import Factors
from s2sad.tidy.rebuild import with_fields


class Sums:
    """The sums of one function; `simplified` makes the terms simpler."""

    def __init__(self, factors: Factors, products: Products, simplified: Callable[[Expr, bool], Expr]) -> None:
        self.factors = factors
        self.products = products
        self.simplified = simplified

    def sum(self, node: Expr, fresh: bool) -> Expr:
        terms: list[tuple[bool, Expr]] = []
        self.terms(node, True, terms)
        changed = self.count(terms) or self.collect(terms)
        if changed is not None and not self.factors.keeps(changed, fresh):
            return changed
        left, right = self.simplified(node.left, False), self.simplified(node.right, False)
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
                if one.value == 0 and self.factors.is_float(other):
                    rest = negated(other) if first and minus else other
                    if not self.factors.keeps(rest, fresh):
                        return rest
        opposite = positive(right)
        if opposite is not None:
            return gast.BinOp(left, gast.Add() if minus else gast.Sub(), opposite)
        if not minus:
            opposite = positive(left)
            if opposite is not None and self.factors.movable(left, right):
                return gast.BinOp(right, gast.Sub(), opposite)
        # A term that is broadcast stays where it is: NumPy adds in place to none of the two, whichever comes first.
        return with_fields(node, left=left, right=right)

    def terms(self, node: Expr, plus: bool, out: list[tuple[bool, Expr]]) -> None:
        if type(node) is gast.BinOp and type(node.op) in (gast.Add, gast.Sub):
            self.terms(node.left, plus, out)
            self.terms(node.right, plus == (type(node.op) is gast.Add), out)
        else:
            out.append((plus, node))

    def count(self, terms: list[tuple[bool, Expr]]) -> Expr | None:
        """A sum of whole numbers with its constants added up: `i + 2 - 1` as `i + 1`; None for any other."""
        known = [t.value if plus else -t.value for plus, t in terms if is_int(t)]
        others = [(plus, t) for plus, t in terms if not is_int(t)]
        if len(known) < 2 and known != [0]:
            return None
        kinds = [self.factors.kind(t) for _, t in others]
        whole = all(isinstance(k, Number) and k.type in (int, np.int64) for k in kinds)
        if not others or not others[0][0] or not whole:
            return None
        total = sum(known)
        if total:
            others.append((total > 0, gast.Constant(abs(total), None)))
        return self.joined([t if plus else negated(t) for plus, t in others])

    def collect(self, terms: list[tuple[bool, Expr]]) -> Expr | None:
        """The sum with equal terms added up; None when there are none."""
        products: list[tuple[Product, Parts, str, int | float | None]] = []
        seen: set[str] = set()
        again = False
        for plus, term in terms:
            p = self.products.taken_apart(term)
            parts = p.gather(term)
            sign = parts.sign if plus else -parts.sign
            divided = [n for n, inverse in parts.numbers if inverse or type(n) is not gast.Constant]
            times = [n.value for n, inverse in parts.numbers if not inverse and type(n) is gast.Constant]
            coefficient = p.folded(times)
            text = "" if parts.tree is None else commuted(parts.tree)
            text += "/" + "".join(sorted(map(key_of, divided)))
            again = again or (text in seen and parts.tree is not None)
            seen.add(text)
            products.append((p, parts, text, None if coefficient is None else sign * coefficient))
        if not again or any(p.odd or c is None for p, _, _, c in products):
            return None
        result: dict[str, tuple[Product, Parts]] = {}
        totals: dict[str, int | float] = {}
        for k, (p, parts, text, coefficient) in enumerate(products):
            assert coefficient is not None
            if text in result and parts.tree is not None:
                total = sum_of(totals[text], coefficient)
                known = (f for f in p.above if type(self.factors.kind(f)) is not Unknown)  # what is not may be a bool
                floats = any(map(self.factors.is_float, known)) or bool(p.below)
                if total is None or total == 0 or not floats:
                    return None
                totals[text] = float(total)
                result[text][0].has_float = True
            else:
                text = text if parts.tree is not None else f"{k}"
                result[text], totals[text] = (p, parts), coefficient
        if not all(self.products.sound(p) and self.products.pure(p) for p, _ in result.values()):
            return None
        out = []
        for text, (p, parts) in result.items():
            rest = [(n, inverse) for n, inverse in parts.numbers if inverse or type(n) is not gast.Constant]
            size = abs(totals[text])
            numbers = rest if size == 1 and parts.tree is not None else [(gast.Constant(size, None), False), *rest]
            out.append(Parts(-1 if totals[text] < 0 else 1, numbers, parts.tree).built(p))
        return self.joined(out)

    def joined(self, terms: list[Expr]) -> Expr:
        result = terms[0]
        for term in terms[1:]:
            result = self.add(gast.BinOp(result, gast.Add(), term), result, term, False)
        return result
