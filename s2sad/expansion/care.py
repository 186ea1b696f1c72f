"""Where a derivative is zero whatever the slope is: what a sweep says of a call's cotangent, or of its tangents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from s2sad.analysis.zeros import FULL
from s2sad.core import Expr, clone, form, quote
from s2sad.expansion.operand import Key, Operand
from s2sad.expansion.zero import is_zero
from s2sad.kinds.kind import Array


@dataclass(frozen=True)
class Care:
    """Where a product of a derivative with a slope has to be 0 because the derivative is, whatever the slope is."""

    #: how much of the cotangent, or of each tangent by key, may be left out (levels of `s2sad.analysis.zeros`)
    levels: dict[Key | None, int] = field(default_factory=dict)
    #: may the cotangent, or a tangent, be infinite?
    infinite: bool = False
    #: is every zero one that stays zero?
    strong: bool = False
    #: may the result be left out as a whole? Then a slope that is infinite must not raise
    dropped: bool = False
    #: is what is left out perhaps nan? Then any slope may be
    of_nan: bool = False
    #: is the derivative differentiated itself? Then it may be zero at this point alone
    inner: bool = False

    @property
    def leaves_out(self) -> bool:
        """May something of the cotangent, or of a tangent, be left out?"""
        return any(level < FULL for level in self.levels.values())

    def level(self, key: Key | None = None) -> int:
        """The level of the cotangent, or of the tangent of an argument."""
        return self.levels.get(key, FULL)


#: nothing is left out, nothing infinite: a product is a product
NO_CARE = Care()


@dataclass(frozen=True)
class Mask:
    """Where a cotangent counts: `np.where(condition, value, 0.0)`, or the other way round.

    Slopes are multiplied in before the mask is applied: 0.0 * nan would be nan.
    """

    condition: Expr
    inverted: bool
    #: the cotangent without the mask
    raw: Operand
    #: is that zero, too, where the cotangent does not count?
    zeroed: bool = False

    @staticmethod
    def of(expr: Expr, kind_of: Any) -> Mask | None:
        """The mask of `np.where(condition, value, 0.0)` and `value if condition else 0.0`; None for anything else."""
        if isinstance(expr, gast.IfExp):
            return Mask(expr.test, False, Operand(expr.body, kind_of(expr.body))) if is_zero(expr.orelse) else None
        if not (isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) and expr.func.attr == "where"):
            return None
        if len(expr.args) != 3:
            return None
        condition, first, second = expr.args
        if is_zero(second):
            return Mask(condition, False, Operand(first, kind_of(first)))
        return Mask(condition, True, Operand(second, kind_of(second))) if is_zero(first) else None

    def same(self, other: Mask) -> bool:
        """Is it the same mask?"""
        return self.inverted == other.inverted and form(self.condition) == form(other.condition)

    def opposite(self, other: Mask) -> bool:
        """Is it where the other one is not?"""
        return self.inverted != other.inverted and form(self.condition) == form(other.condition)

    def either(self, other: Mask, np_: Any) -> Expr:
        """Where this or another cotangent counts: each of the conditions once."""
        conditions: dict[str, Expr] = {}
        for mask in (self, other):
            for condition in [mask.told(np_)] if mask.inverted else _any_of(mask.condition):
                conditions.setdefault(form(condition), condition)
        first, *rest = conditions.values()
        for condition in rest:
            first = quote("np.logical_or(a, b)", np=np_, a=first, b=condition)
        return clone(first)

    def told(self, np_: Any) -> Expr:
        """Where the cotangent counts, as an expression."""
        return quote("np.logical_not(c)", np=np_, c=self.condition) if self.inverted else clone(self.condition)

    def applied(self, value: Expr, np_: Any, number: bool = False) -> Expr:
        """The value where the cotangent counts, else 0; of a number, it is computed only there."""
        if number:
            zero, value = gast.Constant(0.0, None), clone(value)
            if isinstance(value, gast.Name) and isinstance(self.raw.kind, Array):
                value = quote("v[()]", v=value)  # a number, as its name says, and not the array of no axes itself
            return gast.IfExp(clone(self.condition), *((zero, value) if self.inverted else (value, zero)))
        form = "np.where(c, 0.0, v)" if self.inverted else "np.where(c, v, 0.0)"
        return quote(form, np=np_, c=clone(self.condition), v=value)


def _any_of(condition: Expr) -> list[Expr]:
    """The conditions of which `np.logical_or` says whether any holds."""
    call: Any = condition
    if isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute) and call.func.attr == "logical_or":
        return [part for arg in call.args for part in _any_of(arg)]
    return [condition]
