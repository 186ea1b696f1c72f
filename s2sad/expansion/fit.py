"""Fitting a contribution to the argument it goes to: broadcasting undone, lazy cotangents counted, real kept real."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import gast
import numpy as np

from s2sad.analysis.arithmetic import LEAST, moves, precision, product_of
from s2sad.core import Expr, Facts, as_node, clone, global_name, quote
from s2sad.expansion.operand import Operand, dtype_of, lifted, literal_kind, shape_of
from s2sad.kinds.dims import at_least, base_symbols, broadcast
from s2sad.kinds.kind import Array, Dim, Either, Kind, Number, Static, Unknown
from s2sad.runtime import helpers

ONE = Dim.of(1)
_FLOAT = Number(float)
#: types that values of double precision are wider than
_NARROW = (np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.complex64))


# -- kinds -------------------------------------------------------------------------------------------------------------


def kind_of(expr: Expr, facts: Facts) -> Kind:
    """The kind of an expression over the names in facts."""
    if isinstance(expr, gast.Name) and expr.id in facts.kinds:
        return facts.kinds[expr.id]
    if isinstance(expr, gast.Constant):
        return literal_kind(expr)
    from s2sad.kinds import infer

    return infer.infer(expr, facts)


def broadcast_shape(shapes: Iterable[tuple[Dim, ...] | None]) -> tuple[Dim, ...] | None:
    """The shape that shapes broadcast to; None when one is not known or they cannot be shown to fit.

    >>> n = Dim.symbol("n")
    >>> [str(d) for d in broadcast_shape([(n, ONE), (Dim.symbol("m"),)])]
    ['n', 'm']
    """
    result: list[Dim] = []
    for shape in shapes:
        if shape is None:
            return None
        if not result:
            result = [*shape]
            continue
        result = [ONE] * (len(shape) - len(result)) + result
        offset = len(result) - len(shape)
        for i, dim in enumerate(shape):
            if result[offset + i] == ONE:
                result[offset + i] = dim
            elif dim not in (result[offset + i], ONE):
                if not (at_least(dim, 2) or at_least(result[offset + i], 2)):
                    return None
                joint = broadcast(result[offset + i], dim)
                if joint is None:
                    return None
                result[offset + i] = joint
    return tuple(result)


def joint_kind(kinds: Sequence[Kind]) -> Kind:
    """The kind of a sum or product of values of these kinds."""
    if kinds and all(type(kind) is Number and kind.type is float for kind in kinds):
        return _FLOAT  # (most are)
    if any(type(kind) is Either for kind in kinds):
        whole = joint_kind([lifted(kind) for kind in kinds])
        rest = joint_kind([Number(float), *(kind for kind in kinds if not isinstance(kind, Either))])
        if not isinstance(whole, Array) or shape_of(rest) == shape_of(whole):
            return whole
        return Either(whole, Number(complex if whole.dtype.kind == "c" else float))
    dtypes = [dtype_of(kind) for kind in kinds]
    if any(dtype is None for dtype in dtypes):
        return Unknown()
    shape = broadcast_shape(shape_of(kind) for kind in kinds)
    types = [_python_type(kind) for kind in kinds]
    if shape == () and all(types):
        order = [bool, int, float, complex]
        return Number(order[max(order.index(t) for t in types if t)])
    dtype = _joint_dtype(tuple(dtype if t is None else t for t, dtype in zip(types, dtypes, strict=True)))
    if shape == ():
        return Number(dtype.type)
    return Array(dtype, shape)


@lru_cache(maxsize=256)
def _joint_dtype(of: tuple[Any, ...]) -> np.dtype[Any]:
    """The dtype of arithmetic with dtypes, and with numbers of Python's types."""
    return np.result_type(*(t(0) if isinstance(t, type) else t for t in of))


def _python_type(kind: Kind) -> type | None:
    if isinstance(kind, Number) and kind.type in (bool, int, float, complex):
        return kind.type
    if isinstance(kind, Static):
        return next((t for t in (bool, int, float, complex) if type(kind.value) is t), None)
    return None


def smaller(kind: Kind, full: Kind) -> bool:
    """Is a value of this kind known to be smaller than one of the full kind, that is, lazily broadcast?"""
    mine, theirs = shape_of(kind), shape_of(full)
    if mine is None or theirs is None or len(mine) > len(theirs):
        return False
    return len(mine) < len(theirs) or any(m == ONE != t for m, t in zip(mine, theirs, strict=True))


def perhaps_smaller(kind: Kind, full: Kind) -> bool:
    """May a length of a value be 1 where one of the full kind has another, which is not known?

    >>> from s2sad.kinds.dims import slice_length
    >>> dtype, n = np.dtype(float), Dim.symbol("n")
    >>> few = slice_length(n, None, Dim.symbol("k$"))
    >>> [perhaps_smaller(Array(dtype, (d,)), Array(dtype, (Dim.of(5),))) for d in (n, few, ONE)]
    [False, True, False]
    """
    mine, theirs = shape_of(kind), shape_of(full)
    if mine is None or theirs is None or len(mine) > len(theirs):
        return False
    behind = theirs[len(theirs) - len(mine) :]
    return any(m not in (t, ONE) and not at_least(m, 2) for m, t in zip(mine, behind, strict=True))


# -- expressions for sizes ---------------------------------------------------------------------------------------------


def dim_expr(dim: Dim, sources: Sequence[Operand]) -> Expr | None:
    """An expression for a length: a literal, an int or `x.shape[i]` of one of the sources; None when none has it."""
    if dim.known:
        return gast.Constant(dim.const, None)
    for source in sources:
        if isinstance(source.kind, Number) and source.kind.value == dim:
            return clone(source.expr)
    for source in sources:
        shape = shape_of(source.kind) if isinstance(source.kind, Array) else None
        if shape and dim in shape:
            if len(shape) == 1:
                return quote("x.size", x=source.expr)
            return quote("x.shape[i]", x=source.expr, i=shape.index(dim))
    return None


def count_expr(dims: Sequence[Dim], sources: Sequence[Operand]) -> Expr | None:
    """An expression for a product of lengths: `x.size` where a source has just these, else their product."""
    if not dims:
        return gast.Constant(1, None)
    wanted = sorted((d for d in dims if d != ONE), key=str)
    if not all(d.known for d in dims):
        for source in sources:
            shape = shape_of(source.kind) if isinstance(source.kind, Array) else None
            if shape and sorted((d for d in shape if d != ONE), key=str) == wanted:
                return quote("x.size", x=source.expr)
    constant, factors = 1, []
    for dim in wanted:
        if dim.known:
            constant *= dim.const
            continue
        expr = dim_expr(dim, sources)
        if expr is None:
            return None
        factors.append(expr)
    if constant != 1 or not factors:
        factors.insert(0, gast.Constant(constant, None))
    product = factors[0]
    for factor in factors[1:]:
        product = gast.BinOp(product, gast.Mult(), factor)
    return product


def shape_expr(kind: Kind, sources: Sequence[Operand]) -> Expr | None:
    """An expression for the shape of a kind: `x.shape` where a source has just this one, else a tuple of lengths."""
    shape = shape_of(kind)
    if shape is None:
        return None
    if not all(d.known for d in shape):
        for source in sources:
            if isinstance(source.kind, Array) and source.kind.shape == shape:
                return quote("x.shape", x=source.expr)
    items = [dim_expr(d, sources) for d in shape]
    return None if any(i is None for i in items) else gast.Tuple(items, gast.Load())


# -- products ----------------------------------------------------------------------------------------------------------


@dataclass
class Product:
    """coefficient * num[0] * num[1] ... / den[0] / den[1] ..., in this order."""

    coefficient: Any = 1
    num: list[Operand] = field(default_factory=list)
    den: list[Operand] = field(default_factory=list)

    @staticmethod
    def of(expr: Expr, facts: Facts) -> Product:
        """An expression taken apart into a coefficient and the factors of its last operation: what these are made of
        stays as the rule says. In double precision literals may move to the coefficient (`analysis.arithmetic`).

        >>> import gast
        >>> double = Facts(kinds={n: Number(float) for n in "ab"})
        >>> p = Product.of(gast.parse("-(2.0 * a / b)").body[0].value, double)
        >>> p.coefficient, [f.text for f in p.num], [f.text for f in p.den]
        (-2.0, ['a'], ['b'])
        """
        product = Product()
        literals: list[Any] = []
        kinds: list[Kind] = []
        factors, known = _factors(expr), True
        for factor, _, _ in factors:
            if _is_number(factor):
                literals.append(factor.value)
                known = known and type(factor.value) is not complex and factor.value != 0
            else:
                kinds.append(kind_of(factor, facts))
        if len(factors) - len(literals) > 2 or not known or (literals and kinds and not moves(kinds, literals)):
            product._whole(expr, facts)
            return product
        for factor, inverse, sign in factors:
            product.coefficient *= sign
            if not _is_number(factor):
                (product.den if inverse else product.num).append(Operand(factor, kind_of(factor, facts)))
            elif not inverse:
                product.coefficient = product.coefficient * factor.value
            elif factor.value in (1, 2, 4, 8):
                product.coefficient = product.coefficient / factor.value
            else:
                product.den.append(Operand(factor, kind_of(factor, facts)))
        return product

    def _whole(self, expr: Expr, facts: Facts) -> None:
        """An expression that stays as it is, but for its sign."""
        while isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.USub):
            self.coefficient, expr = -self.coefficient, expr.operand
        quotient = isinstance(expr, gast.BinOp) and isinstance(expr.op, gast.Div) and _is_number(expr.left)
        if quotient and expr.left.value == 1:  # g * (1.0 / b) is g / b
            self.den.append(Operand(expr.right, kind_of(expr.right, facts)))
            return
        self.num.append(Operand(expr, kind_of(expr, facts)))

    def times(self, g: Operand, facts: Facts, of: Kind) -> Product:
        """The product with the cotangent (or tangent) g, in front; `of`: the kind of the result of the operation."""
        literal = type(self.coefficient) is float and abs(self.coefficient) != 1
        left = Product(1, [g])
        if isinstance(g.expr, (gast.Constant, gast.UnaryOp)):
            left = Product.of(g.expr, facts)
        elif not (literal and g.is_scalar) or moves([of], [self.coefficient]):
            return Product(self.coefficient, [g, *self.num], self.den)
        coefficient = None
        if not literal or (left.coefficient in (1, -1) and not left.num):
            coefficient = left.coefficient * self.coefficient
        elif not left.num and not left.den:
            coefficient = product_of(left.coefficient, self.coefficient, precision([of]))
        if coefficient is not None:
            return Product(coefficient, left.num + self.num, left.den + self.den)
        factor = Operand(gast.Constant(abs(self.coefficient), None), Number(float))  # where the cotangent comes to it
        return Product(-1 if self.coefficient < 0 else 1, [g, factor, *self.num], self.den)

    @property
    def kind(self) -> Kind:
        """The kind of the value."""
        # of 1 and -1 only the sign is written
        written = self.coefficient not in (1, -1) or not (self.num or self.den)
        number = Number(type(self.coefficient)) if written else None
        quotient: list[Kind] = [Number(float)] if self.den else []
        kinds = [f.kind for f in (*self.num, *self.den)] + quotient + ([number] if number else [])
        return joint_kind(kinds)

    def expr(self) -> Expr:
        """The expression: of the first two factors that come first which is a number."""
        num = list(self.num)
        if len(num) > 1 and num[1].is_scalar and not num[0].is_scalar:
            num[0], num[1] = num[1], num[0]
        coefficient = self.coefficient
        sign = -1 if isinstance(coefficient, (int, float)) and coefficient < 0 else 1
        result = None if sign * coefficient == 1 else gast.Constant(sign * coefficient, None)
        for factor in num:
            result = _join(result, gast.Mult(), factor)
        for factor in self.den:
            result = _join(result if result is not None else gast.Constant(1.0, None), gast.Div(), factor)
        if result is None:
            result = gast.Constant(sign * coefficient, None)
        return _negated(result) if sign < 0 else result


def _factors(expr: Expr) -> list[tuple[Expr, bool, int]]:
    """The factors above the line, each divisor as one, and their signs."""
    if isinstance(expr, gast.BinOp) and isinstance(expr.op, gast.Mult):
        return [*_factors(expr.left), *_factors(expr.right)]
    if isinstance(expr, gast.BinOp) and isinstance(expr.op, gast.Div):
        return [*_factors(expr.left), (expr.right, True, 1)]
    if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.USub):
        (factor, inverse, sign), *rest = _factors(expr.operand)
        return [(factor, inverse, -sign), *rest]
    return [(expr, False, 1)]


def _is_number(expr: Expr) -> bool:
    return isinstance(expr, gast.Constant) and type(expr.value) in (int, float, complex)


def _join(left: Expr | None, operator: Any, factor: Operand) -> Expr:
    return clone(factor.expr) if left is None else gast.BinOp(left, operator, clone(factor.expr))


def _negated(expr: Expr) -> Expr:
    """-(a * b) as (-a) * b, which prints without parentheses; literals take the sign themselves."""
    if isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Mult, gast.Div)):
        return gast.BinOp(_negated(expr.left), expr.op, expr.right)
    return gast.UnaryOp(gast.USub(), expr)


# -- fitting -----------------------------------------------------------------------------------------------------------


def numpy_name(facts: Facts) -> str:
    """The name under which generated code knows numpy; it is made known where it is not yet."""
    return global_name(np, "np", facts)


def helper(function: Callable[..., Any], facts: Facts) -> str:
    """The name of a helper in generated code."""
    return global_name(function, function.__name__, facts)


def fit(
    value: Product | Operand,
    virtual: Kind,
    target: Operand,
    facts: Facts,
    sources: Sequence[Operand] = (),
    whole: Expr | None = None,
) -> Operand:
    """Fit a contribution to the argument that it goes to.

    `value` stands for an array of the shape of `virtual` (the result of an elementwise operation), of which it may hold
    less: an axis that is missing or of length 1 in `value` but not in `virtual` is *lazy*, its elements are
    all the same. The target may have been broadcast to the shape of `virtual` too. Axis by axis:

        virtual n, target n               kept as it is, lazy or not
        virtual n, target 1 or missing    value n: summed;  value lazy: counted, that is, multiplied by n

    (a target that is at least 2 long has not been broadcast: it is as long as virtual)

    so that the result is never larger than the target, and never complex for a real target. Numbers stay outside of
    sums: `s * np.sum(g * x)`; the sum of a product of two vectors is `g @ x`.
    Where shapes are not known the result is `unbroadcast(value, target)`, and full.

    Args:
        value: a product or any expression with its kind.
        virtual: the kind whose shape it stands for.
        target: the argument.
        facts: what is known of the names; np and helpers are made known in it.
        sources: operands whose shapes may be read in the output, for counts.
        whole: what has the shape of `virtual`, where only the run may know that.

    Returns:
        The fitted contribution.

    >>> from s2sad.core import load
    >>> n = Dim.symbol("n")
    >>> vector, facts = Array(np.dtype(float), (n,)), Facts(globals={"np": np})
    >>> g, x, a = Operand(load("g"), vector), Operand(load("x"), vector), Operand(load("a"), Number(float))
    >>> fit(Product(2.0, [g, x]), vector, a, facts).text
    '2.0 * (g @ x)'
    >>> fit(Operand(load("s"), Number(float)), vector, a, facts, [x]).text
    's * x.size'
    """
    product = value if isinstance(value, Product) else Product(1, [value])
    if any(isinstance(kind, Either) for kind in (product.kind, virtual, target.kind)):
        if any(map(_or_none, (product.kind, virtual, target.kind, *(f.kind for f in (*product.num, *product.den))))):
            product = Product(product.coefficient, [_array(f) for f in product.num], [_array(f) for f in product.den])
            return fit(product, _array(Operand(target.expr, virtual)).kind, _array(target), facts, sources)
        return _fit_either(product, virtual, target, facts, sources, whole)
    have, full, want = shape_of(product.kind), shape_of(virtual), shape_of(target.kind)
    if full is None or want is None or have is None:
        return _fit_unknown(product, virtual, target, facts, sources)
    more = len(want) - len(full)
    if full and more > 0 and all(d == ONE for d in want[:more]):  # axes that a store leaves out, and that come back
        inner = fit(value, virtual, Operand(target.expr, _sized(target.kind, want[more:])), facts, sources)
        index = [*[gast.Constant(None, None)] * more, gast.Constant(Ellipsis, None)][: more + (more > 1)]
        subscript = index[0] if more == 1 else gast.Tuple(index, gast.Load())
        if not isinstance(inner.kind, Array) or inner.shape is None:
            return inner
        kind = _sized(inner.kind, (ONE,) * more + inner.shape)
        return Operand(gast.Subscript(inner.expr, subscript, gast.Load()), kind)
    if len(have) > len(full) or more > 0:
        return _fit_unknown(product, virtual, target, facts, sources)
    rank = len(full)
    have = (ONE,) * (rank - len(have)) + have
    keep = (None,) * (rank - len(want)) + want
    summed = [i for i in range(rank) if full[i] != ONE and keep[i] in (None, ONE) and have[i] != ONE]
    counted = [i for i in range(rank) if full[i] != ONE and keep[i] in (None, ONE) and have[i] == ONE]
    unsure = [(k, f) for k, f in zip(keep, full, strict=True) if k not in (None, ONE, f) and not at_least(k, 2)]
    if unsure:
        facts.unsure.update(base_symbols(d for pair in unsure for d in pair if d is not None))
        return _fit_unknown(product, virtual, target, facts, sources)
    own_rank = len(shape_of(product.kind) or ())
    first = rank - own_rank
    if summed or own_rank > len(want):
        product = _reduced(product, [i - first for i in summed], [k is None for k in keep[first:]], have[first:], facts)
    if counted:
        count = count_expr([full[i] for i in counted], [*sources, target])
        if count is None:
            raise LookupError("the length of a lazily broadcast axis cannot be expressed")
        if isinstance(count, gast.Constant):
            product = Product(product.coefficient * count.value, product.num, product.den)
        else:
            product = Product(product.coefficient, [*product.num, Operand(count, Number(int))], product.den)
    return _real(Operand(product.expr(), product.kind), target, facts)


def _or_none(kind: Kind) -> bool:
    return isinstance(kind, Either) and isinstance(kind.other, Static)


def _array(value: Operand) -> Operand:
    """An array or None that is computed with: an array."""
    return Operand(value.expr, lifted(value.kind)) if _or_none(value.kind) else value


def _fit_either(
    product: Product, virtual: Kind, target: Operand, facts: Facts, sources: Sequence[Operand], whole: Expr | None
) -> Operand:
    """The same where something may be a number instead of an array (`kinds.kind.Either`).

    Its adjoint may be as large as the array where that is loose. Where it is not, it is known to fit in functions of
    this one argument and numbers. So:

        virtual either, target either     kept as it is
        virtual either, target a number   summed, or counted: sums and counts of a number are right, too
        virtual an array                  made as large as that, where it may be less, then as always
    """
    have, full, want = product.kind, lifted(virtual), lifted(target.kind)
    alike = _same_dims(want, full)
    lazy = shape_of(have) == ()
    if not (isinstance(full, Array) and isinstance(want, (Array, Number)) and (lazy or _same_dims(lifted(have), full))):
        return _fit_unknown(product, virtual, target, facts, sources, whole)
    others = [s for s in sources[:-1] if s.text != target.text and not s.is_scalar]  # but for the result
    exact = not isinstance(target.kind, Either) or target.kind.loose or (isinstance(virtual, Either) and not others)
    if not exact or dtype_of(want) not in (np.dtype(float), np.dtype(complex)):
        return _fit_unknown(product, virtual, target, facts, sources, whole)
    goal = Operand(target.expr, want)
    if not isinstance(virtual, Either):
        if isinstance(have, Either) and alike and isinstance(target.kind, Array):
            return Operand(_real(Operand(product.expr(), full), goal, facts).expr, have)
        if lazy or isinstance(have, Either):
            shape = shape_expr(full, sources)
            if shape is None:
                return _fit_unknown(product, virtual, target, facts, sources, whole)
            spread = quote("np.broadcast_to(g, s)", np=numpy_name(facts), g=product.expr(), s=shape)
            product = Product(1, [Operand(spread, Array(dtype_of(have) or full.dtype, full.shape))])
        fitted = fit(product, full, goal, facts, sources)
        return Operand(fitted.expr, target.kind if isinstance(target.kind, Either) else fitted.kind)
    if alike:
        fitted = _real(Operand(product.expr(), have if lazy else full), goal, facts)
        return Operand(fitted.expr, fitted.kind if lazy else target.kind)
    if not isinstance(want, Number):
        return _fit_unknown(product, virtual, target, facts, sources, whole)
    scalars, below_scalars = [f for f in product.num if f.is_scalar], [f for f in product.den if f.is_scalar]
    if lazy:
        if not sources:
            raise LookupError("the length of a lazily broadcast axis cannot be expressed")
        sized = others[0] if len(others) == 1 else sources[-1]
        total = quote("np.size(x)", np=numpy_name(facts), x=sized.expr)
    else:
        arrays, below = [f for f in product.num if not f.is_scalar], [f for f in product.den if not f.is_scalar]
        total = quote("np.sum(x)", np=numpy_name(facts), x=Product(1, arrays, below).expr())
    kind = Number(full.dtype.type)
    outside = Product(product.coefficient, [*scalars, Operand(total, kind)], below_scalars)
    return _real(Operand(outside.expr(), kind), goal, facts)


def _same_dims(a: Kind, b: Kind) -> bool:
    return isinstance(a, Array) and isinstance(b, Array) and a.shape is not None and a.shape == b.shape


def _reduced(product: Product, axes: list[int], dropped: list[bool], have: tuple[Dim, ...], facts: Facts) -> Product:
    """The product summed over some of its axes; `dropped` axes go, the others stay with length 1."""
    outside = precision(f.kind for f in (*product.num, *product.den)) != LEAST  # where a sum is soon out of range
    scalars = [f for f in product.num if f.is_scalar and outside]
    arrays = [f for f in product.num if not (f.is_scalar and outside)]
    below_scalars = [f for f in product.den if f.is_scalar and outside]
    below_arrays = [f for f in product.den if not (f.is_scalar and outside)]
    coefficient = product.coefficient
    inner = Product(1, arrays, below_arrays)
    rank = len(have)
    np_ = numpy_name(facts)
    kind = inner.kind
    all_gone = all(dropped)
    if not axes:
        # nothing to sum, but axes of length 1 in front that the target does not have
        shape = tuple(d for d, gone in zip(have, dropped, strict=True) if not gone)
        index = [gast.Constant(0, None) if gone else gast.Slice(None, None, None) for gone in dropped]
        while index and isinstance(index[-1], gast.Slice):
            index.pop()
        subscript = index[0] if len(index) == 1 else gast.Tuple(index, gast.Load())
        expr = gast.Subscript(inner.expr(), subscript, gast.Load())
        reduced = Operand(expr, _sized(kind, shape))
    elif (
        all_gone
        and len(axes) == 1
        and rank == 1
        and len(arrays) == 2
        and not below_arrays
        and all(f.ndim == 1 and f.shape == have for f in arrays)
    ):
        reduced = Operand(gast.BinOp(clone(arrays[0].expr), gast.MatMult(), clone(arrays[1].expr)), _sized(kind, ()))
    elif all(gone or i in axes or have[i] != ONE for i, gone in enumerate(dropped)) and all_gone:
        reduced = Operand(quote("np.sum(x)", np=np_, x=inner.expr()), _sized(kind, ()))
    elif not any(dropped):
        shape = tuple(ONE if i in axes else d for i, d in enumerate(have))
        if all(d == ONE for d in shape):
            expr = quote("np.sum(x, keepdims=True)", np=np_, x=inner.expr())
        else:
            axis = axes[0] if len(axes) == 1 else tuple(axes)
            expr = quote("np.sum(x, axis=a, keepdims=True)", np=np_, x=inner.expr(), a=as_literal(axis))
        reduced = Operand(expr, _sized(kind, shape))
    else:
        # axes of length 1 that go are summed too: that drops them
        gone = [i for i in range(rank) if dropped[i]]
        out = [ONE if i in axes else d for i, d in enumerate(have) if not dropped[i]]
        kept_ones = [i for i in axes if not dropped[i]]
        axes = sorted({*axes, *gone})
        axis = axes[0] if len(axes) == 1 else tuple(axes)
        expr = quote("np.sum(x, axis=a)", np=np_, x=inner.expr(), a=as_literal(axis))
        rest = [i for i in range(rank) if not dropped[i]]
        while rest and rest[0] in kept_ones:  # leading ones need not be there: broadcasting puts them back
            rest.pop(0)
            out.pop(0)
        if any(i in kept_ones for i in rest):
            items = [gast.Constant(None, None) if i in kept_ones else gast.Slice(None, None, None) for i in rest]
            expr = gast.Subscript(expr, gast.Tuple(items, gast.Load()), gast.Load())
        reduced = Operand(expr, _sized(kind, tuple(out)))
    return Product(coefficient, [*scalars, reduced], below_scalars)


def _sized(kind: Kind, shape: tuple[Dim, ...]) -> Kind:
    """The kind with another shape."""
    dtype = dtype_of(kind)
    if dtype is None:
        return Unknown()
    return Array(dtype, shape) if shape else Number(dtype.type)


def _real(value: Operand, target: Operand, facts: Facts) -> Operand:
    """The real part of a complex contribution to a real argument; an array no wider than that of the argument."""
    return narrowed(_real_part(_inexact(value, target), target, facts), target)


def _inexact(value: Operand, target: Operand) -> Operand:
    """A contribution that is made of ints or bools alone as a float."""
    if value.dtype is None or value.dtype.kind not in "biu" or target.dtype is None or target.dtype.kind not in "fc":
        return value
    if isinstance(value.expr, gast.Constant):
        return Operand(gast.Constant(float(value.expr.value), None), Number(float))
    plain = isinstance(value.kind, Number) and value.kind.type in (int, bool)
    kind = Array(np.dtype(float), value.shape) if not value.is_scalar else Number(float if plain else np.float64)
    return Operand(gast.BinOp(gast.Constant(1.0, None), gast.Mult(), value.expr), kind)


def narrowed(value: Operand, like: Operand) -> Operand:
    """An array of float64, of ints or of booleans, that stands for one of float32 (or complex) made so."""
    want, have = like.dtype, value.dtype
    if want is None or have is None or not isinstance(value.kind, Array) or value.is_scalar:
        return value
    wider = want.kind == have.kind and want.itemsize < have.itemsize
    whole = have.kind == "b" or (have.kind in "iu" and want in _NARROW)
    if want.kind not in "fc" or not (wider or whole):
        return value
    return Operand(quote("v.astype(t)", v=value.expr, t=quote("x.dtype", x=like.expr)), Array(want, value.kind.shape))


def _real_part(value: Operand, target: Operand, facts: Facts) -> Operand:
    if value.is_complex and target.dtype is not None and target.dtype.kind != "c":
        dtype = np.dtype(f"f{(value.dtype or np.dtype(complex)).itemsize // 2}")
        shape = shape_of(value.kind)
        kind: Kind = Number(float if value.is_number else dtype.type) if shape == () else Array(dtype, shape)
        return Operand(quote("x.real", x=value.expr), kind)
    return value


def _fit_unknown(
    product: Product,
    virtual: Kind,
    target: Operand,
    facts: Facts,
    sources: Sequence[Operand],
    whole: Expr | None = None,
) -> Operand:
    """The general form: the value made full, then `unbroadcast`."""
    value = Operand(product.expr(), product.kind)
    if isinstance(virtual, Either) and shape_of(value.kind) == ():
        # one for all elements, if there are several: they have to be there to be summed
        if whole is None:
            raise LookupError("whether this is an array or a number is known to the run only")
        spread = quote("np.broadcast_to(g, np.shape(x))", np=numpy_name(facts), g=value.expr, x=whole)
        value = Operand(spread, virtual)
    if smaller(value.kind, virtual):
        shape = shape_expr(virtual, sources)
        if shape is None:
            raise LookupError("the shape of a lazily broadcast value cannot be expressed")
        spread = quote("np.broadcast_to(g, s)", np=numpy_name(facts), g=value.expr, s=shape)
        value = Operand(spread, virtual if value.dtype is None else Array(value.dtype, shape_of(virtual)))
    value = narrowed(value, target)
    if value.is_scalar and target.is_scalar:
        return _real(value, target, facts)
    call = quote("f(g, x)", f=helper(helpers.unbroadcast, facts), g=value.expr, x=target.expr)
    if value.dtype is None and isinstance(target.kind, Array) and target.dtype in _NARROW:
        call = quote("v.astype(t.dtype)", v=call, t=target.expr)
    return Operand(call, target.kind)


def as_literal(value: Any) -> Expr:
    """A Python value as a literal expression.

    >>> import gast
    >>> gast.unparse(as_literal((0, -1)))
    '(0, -1)'
    """
    if isinstance(value, gast.AST):
        return clone(value)
    if isinstance(value, Operand):
        return clone(value.expr)
    if value is Ellipsis:
        return gast.Constant(Ellipsis, None)
    if isinstance(value, (tuple, list)):
        items = [as_literal(v) for v in value]
        return gast.Tuple(items, gast.Load()) if isinstance(value, tuple) else gast.List(items, gast.Load())
    if isinstance(value, slice):
        return gast.Slice(*(None if v is None else as_literal(v) for v in (value.start, value.stop, value.step)))
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value < 0:
        return gast.UnaryOp(gast.USub(), gast.Constant(-value, None))
    return as_node(value) if not isinstance(value, str) else gast.Constant(value, None)


def literal(value: Any) -> Operand:
    """A plain value as an operand."""
    node = as_literal(value)
    return Operand(node, literal_kind(node))
