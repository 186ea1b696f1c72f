"""Products: taken apart into numbers and the factors of the run, and written again as a person writes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from s2sad.analysis.arithmetic import DOUBLE, fits, moves, precision, product_of, quotient_of
from s2sad.core import Expr
from s2sad.kinds.kind import Array, Kind, Number, Static, Unknown
from s2sad.tidy.algebra import (
    is_number,
    is_one,
    is_product,
    is_reciprocal,
    is_square,
    key_of,
    negated,
    number,
    over,
    scaled,
    times,
    turned,
    with_first,
    without_one,
)
from s2sad.tidy.factors import Factors
from s2sad.tidy.rebuild import is_users, with_fields

ARRAY_OPERATION = 12  # one pass over an array costs as much as this many nodes to read


class Products:
    """The products of one function; `simplified` makes the factors simpler."""

    def __init__(self, factors: Factors, simplified: Callable[[Expr, bool], Expr]) -> None:
        self.factors = factors
        self.simplified = simplified

    def taken_apart(self, node: Expr) -> Product:
        """What a product is made of."""
        return Product(self.factors, self.simplified, node)

    def product(self, node: Expr, fresh: bool) -> Expr:
        p = self.taken_apart(node)
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
        if not self.factors.keeps(new, fresh):
            return new
        kind = self.factors.kind(new)
        if isinstance(kind, Array) and kind.shape and type(new) in (gast.Name, gast.Subscript, gast.Attribute):
            return gast.Call(gast.Attribute(new, "copy", gast.Load()), [], [])
        return kept

    def cancelled(self, tree: Any, p: Product) -> Any:
        """A product without what it is divided by and multiplied with at once: `g / (a * b) * a` is `g / b`.

        Such factors come from quotients and logarithms, which have no derivative where the factor is 0 anyway. What is
        left keeps the shape and the dtype, and nothing becomes larger on the way than it is in the end.
        """
        if type(tree) is not gast.BinOp or type(tree.op) not in (gast.Mult, gast.Div) or is_reciprocal(tree):
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

    def cancelled_below(self, tree: Expr, p: Product) -> Expr:
        """`a * b / b` as `a`."""
        product, key = tree.left, key_of(tree.right)
        if type(product) is gast.BinOp and type(product.op) is gast.Mult and not is_reciprocal(product.left):
            for factor, rest in ((product.right, product.left), (product.left, product.right)):
                if key_of(factor) == key:
                    return self.without(factor, rest, tree, p)
        return tree

    def without(self, factor: Expr, rest: Expr, tree: Expr, p: Product) -> Expr:
        """What is left of a product without a factor, where it has the dtype and the shape of all."""
        kind, left = self.factors.kind(factor), self.factors.kind(rest)
        alike = isinstance(kind, Array) and isinstance(left, Array) and None is not kind.shape == left.shape
        if not (isinstance(kind, Number) or alike) or not all(_is_double(self.factors.kind(f)) for f in p.leaves()):
            return tree
        p.has_float = True
        return rest

    def rebuilt(self, node: Expr, p: Product) -> Expr:
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
        kind = self.factors.kind(first)
        floats = isinstance(kind, Number) and issubclass(kind.type, float)
        if first is node.operand or not (floats or (isinstance(kind, Array) and kind.dtype.kind == "f")):
            return node
        opposite = number(-first.value) if type(first) is gast.Constant else negated(first)
        return with_first(node.operand, first, opposite)

    def sound(self, p: Product) -> bool:
        """May the factors be regrouped without changing the dtype or losing a conversion?"""
        if p.odd:
            return False
        integers = unknown = 0
        only_double = True
        weak_float = p.has_float or p.divides
        some_float = False
        for factor in [*p.above, *p.below]:
            kind = self.factors.kind(factor)
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

    def pure(self, p: Product) -> bool:
        return all(self.factors.movable(f) for f in [*p.above, *p.below])

    def cost(self, node: Expr) -> tuple[int, bool]:
        """What a product costs to read and to run, and whether it is an array."""
        cls = type(node)
        if cls is gast.BinOp and type(node.op) in (gast.Mult, gast.Div, gast.Add, gast.Sub):
            a, first = self.cost(node.left)
            b, second = self.cost(node.right)
            array = first or second
            if type(node.op) is gast.Mult and is_number(node.right):
                b += 1  # a coefficient stands in front
            return a + b + (1 + ARRAY_OPERATION if array else 1), array
        if cls is gast.UnaryOp and type(node.op) is gast.USub:
            if type(node.operand) is gast.Constant:
                return 1, False
            a, array = self.cost(node.operand)
            return a + (1 + ARRAY_OPERATION if array else 1), array
        if cls is gast.Constant:
            return 1, False
        return 3, not self.factors.is_scalar(node)

    def total(self, node: Expr) -> Expr:
        """np.sum of a product: a dot product where it is one, with its sign and small literals outside."""
        argument = node.args[0]
        if not (isinstance(self.factors.kind(argument), Array) and self.factors.is_float(argument)):
            return node
        p = self.taken_apart(argument)
        parts = p.gather(argument)
        tree = parts.tree
        if (
            p.odd
            or tree is None
            or is_reciprocal(tree)
            or not all(self.factors.is_float(f) for f in (*p.above, *p.below))
        ):
            return node
        if not p.moves:
            tree = parts.applied(p)
        pair = (tree.left, tree.right) if type(tree) is gast.BinOp and type(tree.op) is gast.Mult else None
        if is_square(tree) and self.factors.is_float(tree.left):  # short ints would overflow
            pair = tree.left, tree.left
        shapes = [k.shape if isinstance(k, Array) else None for k in map(self.factors.kind, pair or ())]
        if pair is not None and shapes[0] is not None and len(shapes[0]) == 1 and shapes[0] == shapes[1]:
            inner: Expr = gast.BinOp(pair[0], gast.MatMult(), pair[1])
        elif parts.sign < 0 or (p.moves and parts.numbers):
            inner = with_fields(node, args=[tree])
        else:
            return node
        return Parts(parts.sign, parts.numbers if p.moves else [], inner).built(p)


class Product:
    """What a product is made of."""

    def __init__(self, factors: Factors, simplified: Callable[[Expr, bool], Expr], node: Expr) -> None:
        self.of = factors
        self.simplified = simplified
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
        kinds = [factors.kind(f) for f in self.leaves()]
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
            leaf = self.simplified(node, False)
            self.new[id(node)] = leaf
            if leaf is not node and is_product(leaf):
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

    def gather(self, node: Expr) -> Parts:
        """The product as a sign, literals and lengths, and the factors of the run in their order."""
        cls = type(node)
        if cls is gast.BinOp and type(node.op) is gast.Mult:
            return self.multiplied(node, self.gather(node.left), self.gather(node.right))
        if cls is gast.BinOp and type(node.op) is gast.Div:
            return self.divided(node, self.gather(node.left), self.gather(node.right))
        if cls is gast.UnaryOp and type(node.op) is gast.USub:
            parts = self.gather(node.operand)
            return Parts(-parts.sign, parts.numbers, parts.tree)
        if cls is gast.Constant and type(node.value) in (int, float):
            value = node.value
            return Parts(-1 if value < 0 else 1, [(gast.Constant(abs(value), None), False)] if abs(value) != 1 else [])
        leaf = self.new.get(id(node), node)
        if leaf is not node and is_product(leaf):
            return self.gather(leaf)
        return Parts(1, [(leaf, False)]) if self.of.is_length(leaf) else Parts(1, [], leaf)

    def multiplied(self, node: Expr, a: Parts, b: Parts) -> Parts:
        sign = a.sign * b.sign
        if a.tree is None:
            return Parts(sign, a.numbers + b.numbers, b.tree)
        if b.tree is None:
            return Parts(sign, b.numbers + a.numbers, a.tree)
        if is_users(node) or not self.of.scales(node.left) or self.of.is_passive_product(b.tree):
            if self.moves:
                return Parts(sign, a.numbers + b.numbers, with_fields(node, left=a.tree, right=b.tree))
            return Parts(sign, [], with_fields(node, left=a.applied(self), right=b.applied(self)))
        # Numbers of the primal's that the derivative itself would multiply with each other first (the cotangent 1 of a
        # result that they scale) are applied one by one, as the primal does it
        self.rearranged = True
        if self.moves:
            return Parts(sign, a.numbers + b.numbers, scaled(a.tree, b.tree))
        return Parts(sign, [], scaled(node.left, b.applied(self)))

    def divided(self, node: Expr, a: Parts, b: Parts) -> Parts:
        sign = a.sign * b.sign
        below = [(n, not inverse) for n, inverse in b.numbers]
        if b.tree is None:
            return Parts(sign, a.numbers + below if a.tree is None else below + a.numbers, a.tree)
        if not self.moves:
            if a.tree is None:
                one = a.applied(self) if a.numbers else gast.Constant(1.0, None)
                return Parts(sign, [], with_fields(node, left=one, right=b.applied(self)))
            return Parts(sign, [], with_fields(node, left=a.applied(self), right=b.applied(self)))
        if a.tree is None:
            return Parts(sign, a.numbers + below, with_fields(node, left=gast.Constant(1.0, None), right=b.tree))
        return Parts(sign, a.numbers + below, with_fields(node, left=a.tree, right=b.tree))


class Parts:
    """A product taken apart: its sign, literals and lengths (with True: below the line), the outermost first, and the
    factors of the run as they stand (None: there are none; with None above the line: one over the rest)."""

    __slots__ = ("numbers", "sign", "tree")

    def __init__(self, sign: int, numbers: list[tuple[Expr, bool]], tree: Expr | None = None) -> None:
        self.sign, self.numbers, self.tree = sign, numbers, tree

    def applied(self, p: Product) -> Expr:
        """The numbers times the tree."""
        return Parts(1, self.numbers, self.tree).built(p)

    def built(self, p: Product) -> Expr:
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
            return over(times(head), under)
        if not head:
            tree = without_one(tree)
        if self.sign < 0 and not head:
            tree = _opposite(tree, p)
        if not head and not under:
            return tree
        if head and under and early and not p.of.is_scalar_tree(tree):
            return _put(tree, [over(times(head), under)], p)
        return over(_put(tree, head, p), under)

    def one_by_one(self, p: Product) -> Expr:
        """The numbers, the innermost first, where they are too large or too small to be multiplied beforehand."""
        p.rearranged = p.rearranged or (len(self.numbers) > 1 and self.tree is not None)
        result = None if self.tree is None else without_one(self.tree)
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


def _put(tree: Expr, numbers: list[Expr], p: Product) -> Expr:
    """Numbers multiplied with the first factor of a product, or with a last one that is a number where that is none."""
    if not numbers or is_one(tree):
        return times(numbers) if numbers else tree
    if p.moves and type(tree) is gast.BinOp and type(tree.op) in (gast.Mult, gast.Div) and not is_users(tree):
        if (
            type(tree.op) is gast.Mult
            and p.of.is_scalar_tree(tree.right)
            and not p.of.is_scalar_tree(_first(tree.left))
        ):
            return with_fields(tree, left=_put(tree.right, numbers, p), right=tree.left)
        return with_fields(tree, left=_put(tree.left, numbers, p), right=tree.right)
    return times([*numbers, tree])


def _first(tree: Expr) -> Expr:
    """The first factor of a product of the derivative's."""
    while type(tree) is gast.BinOp and type(tree.op) in (gast.Mult, gast.Div) and not is_users(tree):
        tree = tree.left
    return tree


def _opposite(tree: Expr, p: Product) -> Expr:
    """A product with its sign turned: a difference in it is turned round, else its first factor gets a minus."""
    around = turned(tree)
    if around is not None:
        return around
    if is_one(tree):
        return number(-1.0)
    if type(tree) is gast.BinOp and type(tree.op) in (gast.Mult, gast.Div):
        if p.of.is_bool(tree.left):
            return with_fields(tree, right=_opposite(tree.right, p))
        return with_fields(tree, left=_opposite(tree.left, p))
    if p.of.is_bool(tree):
        return gast.BinOp(number(-1.0 if p.has_float else -1), gast.Mult(), tree)
    return negated(tree)


def _is_double(kind: Kind) -> bool:
    """Is it a number or an array in double precision, so that leaving it out changes no dtype?"""
    if isinstance(kind, Number):
        return kind.type in (float, np.float64)
    return isinstance(kind, Array) and kind.dtype == np.float64
