"""What a template assigns to `d[x]`: contributions to the adjoints of the active arguments, fitted to these."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from s2sad.core import load, names_read, quote
from s2sad.expansion.context import Context
from s2sad.expansion.fit import Product, as_literal, fit, kind_of, perhaps_smaller, smaller
from s2sad.expansion.operand import Key, Operand, Part, dtype_of, shape_of
from s2sad.expansion.zero import ZERO, is_zero
from s2sad.kinds.kind import Array, Either, Kind, ListOf, Number, Tuple


class Contributions:
    """The contributions of one call."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.made: list[tuple[Key, Operand]] = []
        #: the arguments that the template has said something about
        self.covered: set[Key] = set()

    def add_each(self, parts: list[Part], values: Any) -> None:
        items = values.elts if isinstance(values, (gast.Tuple, gast.List)) else values
        if items is ZERO or is_zero(items):
            items = [ZERO] * len(parts)
        if isinstance(items, (Operand, gast.AST)):  # an array: an item for each
            whole = items if isinstance(items, Operand) else self.context.operand(items)
            if not whole.is_scalar:
                whole = self.context.local("g", Operand(whole.expr, kind_of(whole.expr, self.context.facts)))
                items = [self.context.quote("g[i]", g=whole, i=i) for i in range(len(parts))]
            else:
                items = [whole] * len(parts)
        if not isinstance(items, (list, tuple)) or len(items) != len(parts):
            raise self.context.misused("a list argument takes a list of contributions")
        for part, item in zip(parts, items, strict=True):
            if part.key in self.context.active:
                self.covered.add(part.key)
                self.add(part, item)
            elif self.context.is_active(part):
                self.add_each(list(part), item)

    def add(self, part: Part, value: Any) -> None:
        template = self.context.template
        assert template is not None
        if value is ZERO or value is None or is_zero(value):
            return
        operand = value if isinstance(value, Operand) else self.context.operand(as_literal(value))
        if self.only_real_counts(operand, part):
            operand = self.context.quote("np.real(x)", x=operand)
        if "broadcasts" in template.options:
            product, g = Product.of(operand.expr, self.context.facts), self.context.cotangent
            whole = product if g is None else as_large_as_result(self.context, product, g)
            self.fit(part, whole, self.context.y)
            return
        lazy = isinstance(part.kind, Either) and operand.is_scalar
        of_items = isinstance(part.kind, ListOf)
        if (shape_of(operand.kind) is None or shape_of(part.kind) is None) and not lazy and not of_items:
            operand = Operand(operand.expr, part.kind)
        if of_items:  # a row for each item: there is nothing to fit
            self.made.append((part.key, operand))
            return
        self.fit(part, operand, part)

    def only_real_counts(self, value: Operand, part: Part) -> bool:
        """Can a contribution to a real argument be complex, in a call that has to do with complex numbers?"""
        if part.dtype is None or part.dtype.kind == "c":
            return False
        results = self.context.y.kind.items if isinstance(self.context.y.kind, Tuple) else [self.context.y.kind]
        types = [dtype_of(kind) for kind in (*results, *(a.kind for a in self.context.args))]
        if not any(t is not None and t.kind == "c" for t in types):
            return False
        made = value.expr.func if isinstance(value.expr, gast.Call) else value.expr
        if isinstance(made, gast.Attribute) and made.attr == "real":
            return False
        found = self.context.operand(value.expr).dtype
        return found is None or found.kind == "c"

    def fit(self, part: Part, value: Product | Operand, of: Operand) -> None:
        """Contribute what has the shape of the result, or that of the argument itself."""
        try:
            fitted = fit(value, of.kind, part, self.context.facts, self.context.sources, of.expr)
        except LookupError as error:
            raise self.context.refuse(str(error.args[0])) from None
        self.made.append((part.key, fitted))


def as_large_as_result(context: Context, product: Product, g: Operand) -> Product | Operand:
    """What a cotangent that is smaller than the result leaves of its size, made as large as that where it is not
    known how large it is: `d[b] = g * a` in `y = a * b`, where g is a number and a is a number or an array."""
    y = context.y
    lazy = g.is_scalar or smaller(g.kind, y.kind)
    if not lazy or shape_of(product.kind) == () or shape_of(y.kind) == ():
        return product
    told = shape_of(product.kind) is not None and shape_of(y.kind) is not None
    if told and (smaller(product.kind, y.kind) or not perhaps_smaller(product.kind, y.kind)):
        return product
    there = names_read(product.expr())
    if names_read(y.expr) <= there:
        return product
    args = (p for p in context.args if shape_of(p.kind) != ())
    if all(isinstance(p.expr, gast.Name) and p.expr.id in there for p in args):
        return product
    expr = quote("np.broadcast_to(t, np.shape(y))", np=context.np, t=product.expr(), y=y.expr)
    dtype = dtype_of(product.kind)  # that of an array of ints, say, which g leaves as it is
    if any(_may_be_int(f.kind) for f in (*product.num, *product.den)):
        number = load("complex" if dtype is not None and dtype.kind == "c" else "float")
        expr = quote("x.astype(t)", x=expr, t=number)
    return Operand(expr, y.kind if dtype is None else Array(dtype, shape_of(y.kind)))


def _may_be_int(kind: Kind) -> bool:
    """May it be an int that a sum starts with, and that no turn of a loop has made an array?"""
    other = kind.other if isinstance(kind, Either) else None
    return isinstance(other, Number) and issubclass(other.type, (int, np.integer, np.bool_))
