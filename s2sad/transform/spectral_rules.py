"""The derivative of a product that is a function of a symmetric matrix, term by term in the basis of its vectors.

What is made of eigenvectors counts as made of a basis that stands still, in which the matrix, then diagonal, moves
(`spectral.py`). So there is nothing to divide by where eigenvalues are equal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, load, quote
from s2sad.expansion.operand import Operand
from s2sad.kinds.kind import Array, Kind, Number
from s2sad.transform import spectral
from s2sad.transform.spectral import ONE, ZERO, Diagonal, Expanded, Product, Real, Sloped, Sum, Traced, Turned


def is_zero(value: Operand) -> bool:
    """Is it 0 for certain?"""
    return type(value.expr) is gast.Constant and value.expr.value == 0.0


@dataclass
class Terms:
    """The terms of a product, as the sweep that derives it sees them."""

    product: Product
    #: of the product
    kind: Kind
    #: an expression with its kind
    operand: Callable[[Expr], Operand]
    #: the tangent of what a statement makes, by those of its arguments
    expanded: Expanded
    #: the tangent of a call by those of its arguments; its result is the product, or like it
    moved: Callable[[Any, Operand, list[Expr], dict[int, Operand]], Operand]
    #: the name of NumPy
    np: str

    def arguments(self, part: Any) -> list[Expr]:
        """Those of the function that a term is.

        What is asked of the matrix in the basis of its vectors, which is nowhere made, is its shape and type alone:
        those of the vectors.
        """
        w, s = load(self.product.eigenvalues), load(self.product.vectors)
        match part:
            case Turned(matrix):
                return [load(self.product.vectors), load(matrix)]
            case Diagonal(values):
                return [load(values), w, s, self.slope(load(values))]
            case Traced(_, name, values):
                return [load(name), load(values), w, s, self.slope(load(values))]
            case Sloped(_, name, differences, values, slope):
                return [load(name), load(differences), load(values), w, s, slope, self.slope(slope)]
        raise TypeError(part)

    def result(self, function: Any, args: list[Expr]) -> Operand:
        """What a call makes, of which the kind alone matters."""
        kind = self.kind
        if isinstance(kind, Array):
            dtypes = [dtype for a in args if (dtype := self.operand(a).dtype) is not None]
            kind = kind if function is spectral.of_basis else Array(np.result_type(*dtypes), kind.shape)
        return Operand(load(self.product.result), kind)

    def slope(self, values: Expr) -> Expr:
        return self.product.moved(values, {self.product.eigenvalues: ONE}, self.expanded).expr

    def quote(self, text: str, **parts: Operand) -> Operand:
        return self.operand(quote(text, np=self.np, **{k: v.expr for k, v in parts.items()}))


@dataclass
class Tangents(Terms):
    """Forward mode."""

    #: the tangent of a name
    given: Callable[[str], Operand]

    def whole(self) -> Operand:
        """The tangent of the product."""
        if isinstance(self.product.part, Traced):
            return self.of(self.product.part)
        args = [load(self.product.vectors), load(self.product.result)]
        return self.of_call(spectral.of_basis, args, {1: self.of(self.product.part)})

    def of_call(self, function: Any, args: list[Expr], tangents: dict[int, Operand]) -> Operand:
        active = {k: t for k, t in tangents.items() if not is_zero(t)}
        return self.moved(function, self.result(function, args), args, active) if active else ZERO

    def of(self, part: Any) -> Operand:
        """The tangent of a term."""
        if isinstance(part, Sum):
            total = ZERO
            for inner, less in part.parts:
                total = self.added(total, self.of(inner), less)
            return total
        if isinstance(part, Real):
            return self.quote("np.real(x)", x=self.of(part.part))
        args = self.arguments(part)
        ds = self.given(self.product.matrix)
        match part:
            case Turned(matrix):
                return self.of_call(spectral.in_basis, args, {1: self.given(matrix)})
            case Diagonal():
                return self.of_call(spectral.on_diagonal, args, {0: self.by_others(args[0]), 2: ds})
            case Traced(inner):
                moves = {0: self.of(inner), 1: self.by_others(args[1]), 3: ds}
                return self.of_call(spectral.traced, args, moves)
        rise, bend = self.by_others(args[2]), self.by_others(args[5])
        return self.of_call(spectral.with_differences, args, {0: self.of(part.part), 2: rise, 4: ds, 5: bend})

    def by_others(self, values: Expr) -> Operand:
        """The tangent of a function of the eigenvalues by the other active numbers that it is made of."""
        given = {name: self.given(name) for name in self.product.others_of(values)}
        return self.product.moved(values, given, self.expanded)

    def added(self, total: Operand, value: Operand, less: bool) -> Operand:
        if is_zero(value):
            return total
        text = ("-b" if less else "b") if is_zero(total) else ("a - b" if less else "a + b")
        return self.quote(text, a=total, b=value)


@dataclass
class Adjoints(Terms):
    """Reverse mode."""

    #: a name for a value
    local: Callable[[str, Operand], Operand]
    #: the contributions of a call to some of its arguments
    called: Callable[[Any, list[Expr], Operand, set[int]], dict[int, Operand]]
    #: add to the adjoint of a name, where it has one
    contribute: Callable[[str, Operand], None]

    def whole(self, cotangent: Operand) -> None:
        """Contribute what a product's cotangent says of all that it is made of."""
        if isinstance(self.product.part, Traced):
            self.back(self.product.part, cotangent)
            return
        args = [load(self.product.vectors), load(self.product.result)]
        self.back(self.product.part, self.called(spectral.of_basis, args, cotangent, {1})[1])

    def back(self, part: Any, q: Operand) -> None:
        """Contribute what a term's cotangent says."""
        if isinstance(part, Sum):
            q = self.local("q", q)
            for inner, less in part.parts:
                self.back(inner, self.quote("-q", q=q) if less else q)
            return
        if isinstance(part, Real):
            self.back(part.part, q)
            return
        args = self.arguments(part)
        match part:
            case Turned(matrix):
                self.contribute(matrix, self.called(spectral.in_basis, args, q, {1})[1])
            case Diagonal():
                others = self.product.others_of(args[0])
                q = self.local("q", q) if others else q
                made = self.called(spectral.on_diagonal, args, q, {0, 2} if others else {2})
                self.contribute(self.product.matrix, made[2])
                for name in others:
                    self.number(name, lambda given: [made[0], self.product.moved(args[0], given, self.expanded)])
            case Traced(inner):
                others = self.product.others_of(args[1])
                made = self.called(spectral.traced, args, q, {0, 1, 3} if others else {0, 3})
                self.contribute(self.product.matrix, made[3])
                for name in others:
                    self.number(name, lambda given: [made[1], self.product.moved(args[1], given, self.expanded)])
                self.back(inner, made[0])
            case Sloped():
                q = self.local("q", q)
                made = self.called(spectral.with_differences, args, q, {0, 4})
                self.contribute(self.product.matrix, made[4])
                for name in self.product.others_of(args[2], args[5]):
                    self.number(name, lambda given: [q, self.by_number(args, given)])
                self.back(part.part, made[0])

    def by_number(self, args: list[Expr], given: dict[str, Operand]) -> Operand:
        """The tangent of a product with divided differences by a number that the function is made of."""
        rise, bend = (self.product.moved(args[k], given, self.expanded) for k in (2, 5))
        function = spectral.with_differences
        return self.moved(function, self.result(function, args), args, {2: rise, 5: bend})

    def number(self, name: str, factors: Callable[[dict[str, Operand]], list[Operand]]) -> None:
        """Contribute to a number of which functions of the eigenvalues are made.

        Args:
            factors: a cotangent, and the tangent of what it is the cotangent of by that of the number.
        """

        def along(direction: Operand) -> Operand:
            g, t = factors({name: direction})
            value = self.quote("np.sum(g * t)", g=g, t=t)
            return self.quote("np.real(x)", x=value) if value.is_complex else value

        value = along(ONE)
        if self.operand(load(name)).is_complex:
            value = self.quote("a - 1j * b", a=value, b=along(Operand(gast.Constant(1j, None), Number(complex))))
        self.contribute(name, value)
