"""Products with what chooses elements: 0 where these are not chosen, be the rest infinite."""

from __future__ import annotations

import functools
from typing import Any

import gast
import numpy as np

from s2sad.analysis.ranges import called_name, finite
from s2sad.analysis.zeros import FULL, has_zeros
from s2sad.core import Expr, Stmt, clone, load, names_read, quote, text
from s2sad.expansion.context import Context
from s2sad.expansion.fit import kind_of
from s2sad.expansion.operand import dtype_of, shape_of
from s2sad.runtime import helpers

#: functions that multiply two arrays, or with einsum more, and sum
_SUMS_OF_PRODUCTS = (np.matmul, np.dot, np.vdot, np.inner, np.outer, np.tensordot, np.einsum, np.kron)


class Selections:
    """The statements of one call, with the products that what is left out of a derivative asks for."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def statements(self) -> list[Stmt]:
        """The statements so far, with what `selected` makes of their values."""
        written, self.context.statements = self.context.statements, []
        for statement in written:
            statement.value = self.selected(statement.value)
            self.context.statements.append(statement)
            target = statement.targets[0]
            if isinstance(target, gast.Name) and has_zeros(statement.value, self.left_out):
                self.left_out.add(target.id)
        return self.context.statements

    @functools.cached_property
    def left_out(self) -> set[str]:
        """The names of cotangents and tangents of which something may be left out; with strong zeros, of all."""
        given = (
            [(None, self.context.cotangent)]
            if self.context.cotangent is not None
            else list(self.context.tangents.items())
        )
        counts = [value.expr for key, value in given if self.context.care.strong or self.context.care.level(key) < FULL]
        return {name for expr in counts for name in names_read(expr)}

    def selected(self, expr: Expr) -> Expr:
        """An expression with its products with what chooses elements: 0 where these are not chosen, be the rest inf.

        g * (x > b)    ->    np.where(x > b, g, 0.0)
        """
        for name in expr._fields:
            child = getattr(expr, name, None)
            if isinstance(child, gast.expr):
                setattr(expr, name, self.selected(child))
            elif isinstance(child, list):
                setattr(expr, name, [self.selected(c) if isinstance(c, gast.expr) else c for c in child])
        if not isinstance(expr, gast.BinOp) or not isinstance(expr.op, gast.Mult):
            return self.sum_of_products(expr)
        if not (self.context.care.infinite or self.context.care.strong):
            return expr
        left, right = self.chooses(expr.left), self.chooses(expr.right)
        if left == right:
            return expr
        mask, value = (expr.left, expr.right) if left else (expr.right, expr.left)
        if isinstance(value, gast.Constant):
            return expr
        kind = kind_of(mask, self.context.facts)
        dtype = dtype_of(kind)
        condition: Expr = mask
        if dtype is None or dtype.kind != "b":
            condition = self.context.local("mask", self.context.operand(mask)).expr
            value = gast.BinOp(clone(value), gast.Mult(), clone(condition))
            condition = gast.Compare(clone(condition), [gast.NotEq()], [gast.Constant(0.0, None)])
        if shape_of(kind) == () and shape_of(kind_of(value, self.context.facts)) == ():
            return gast.IfExp(clone(condition), value, gast.Constant(0.0, None))
        return quote("np.where(c, v, 0.0)", np=self.context.np, c=condition, v=value)

    def chooses(self, expr: Expr) -> bool:
        """Is a factor made of conditions: `x > b`, `(x > b) + 0.5 * (x == b)`, a mask? Or zero in places, in a sum?"""
        if isinstance(expr, gast.Compare):
            return True
        if (
            has_zeros(expr, self.context.facts.zero_in_places)
            and text(self.context.y.expr) in self.context.facts.summed
        ):
            return True
        if isinstance(expr, gast.BinOp):
            return self.chooses(expr.left) or self.chooses(expr.right)
        if isinstance(expr, gast.UnaryOp):
            return self.chooses(expr.operand)
        dtype = dtype_of(kind_of(expr, self.context.facts)) if isinstance(expr, (gast.Name, gast.Subscript)) else None
        return dtype is not None and dtype.kind == "b"

    def sum_of_products(self, expr: Expr) -> Expr:
        """A sum of products of two arrays: where one of them leaves something out, the other may be infinite there.

        g @ y    ->    product_with_zeros(np.matmul, 0, g, y)
        """
        if isinstance(expr, gast.BinOp) and isinstance(expr.op, gast.MatMult):
            function: Any = np.matmul
            args = [expr.left, expr.right]
        elif isinstance(expr, gast.Call) and not expr.keywords:
            function = getattr(np, called_name(expr), None)
            args = list(expr.args)
        else:
            return expr
        if function not in _SUMS_OF_PRODUCTS:
            return expr
        factors = [i for i, arg in enumerate(args) if shape_of(kind_of(arg, self.context.facts)) != () and i < 3]
        factors = factors if function is np.einsum else [i for i in factors if i < 2]
        for i in factors:
            if any(self.kills(args[i], args[k]) for k in factors if k != i):
                called = self.context.function_expr(function)
                helper = load(self.context.name_of(helpers.product_with_zeros, "product_with_zeros"))
                return gast.Call(helper, [called, gast.Constant(i, None), *args], [])
        return expr

    def kills(self, one: Expr, other: Expr) -> bool:
        """May a factor be zero because something was left out, and the other infinite there?"""
        if has_zeros(one, self.left_out):
            return self.context.care.strong or not finite(other, self.context.facts)
        given = [self.context.cotangent] if self.context.cotangent is not None else list(self.context.tangents.values())
        if not self.context.care.infinite or not has_zeros(one, self.context.facts.zero_in_places):
            return False
        return any(name in names_read(other) for value in given for name in names_read(value.expr))
