"""What may be done to products so that nothing overflows, vanishes or is rounded otherwise: decided here alone.

- *Factors of the run* (all that is neither a literal nor a length) keep their order, whatever the dtype: a product is
  computed as it stands. What is exact for any values is free: a sign may move, a factor 1 go, two factors change sides.
- *Literals and lengths* may be multiplied with each other where they meet, when the result is exact and safe in the
  dtype that computes with it (`fits`). Past factors of the run they move in double precision alone (`moves`), where the
  literals are so small that only values at the very ends of the range could tell.
- The primal's own expressions are not touched at all (`tidy.rebuild.is_users`): its values keep every bit.

>>> [fits(1e20 * 1e20, np.dtype(t)) for t in ("f8", "f4")], [fits(2.0, np.dtype(t), below=2) for t in ("f4", "f2")]
([True, False], [True, False])
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import gast
import numpy as np

from s2sad.core import Expr
from s2sad.kinds.kind import Array, Kind, Number, Static

DOUBLE = np.dtype(float)
#: the precision that nothing is known of: what holds in it holds in all of them
LEAST = np.dtype(np.float16)
#: no array is longer
LONGEST = 2.0**48
#: literals beyond this (or its inverse) may take a finite value of the run out of range
SMALL = 2.0**64


def precision(kinds: Iterable[Kind]) -> np.dtype[Any]:
    """The least precision in which a product of values of these kinds, or a part of it, is computed.

    >>> precision([Number(float), Number(int)]), precision([Array(np.dtype("f4"), None), Number(float)])
    (dtype('float64'), dtype('float32'))
    """
    least: np.dtype[Any] = DOUBLE
    for kind in kinds:
        if isinstance(kind, Static) and type(kind.value) in (int, float, bool):
            continue
        if isinstance(kind, Number):
            dtype = np.dtype(kind.type if issubclass(kind.type, (int, float, complex, np.generic)) else object)
        elif isinstance(kind, Array):
            dtype = kind.dtype
        else:
            return LEAST
        if dtype.kind == "c":
            dtype = np.dtype(f"f{dtype.itemsize // 2}")
        if dtype.kind == "f":
            least = dtype if dtype.itemsize < least.itemsize else least
        elif dtype.kind not in "biu":
            return LEAST
    return least


def moves(kinds: Iterable[Kind], literals: Iterable[int | float]) -> bool:
    """May these literals, and lengths, change places with factors of these kinds?"""
    size = 1.0
    for literal in literals:
        if not 1 / SMALL <= abs(literal) <= SMALL:
            return False
        size *= max(abs(literal), 1 / abs(literal))
    return size <= SMALL and not any(_is_long(kind) for kind in kinds) and precision(kinds) == DOUBLE


def _is_long(kind: Kind) -> bool:
    """Is it of more than double precision, which literals that are multiplied beforehand have not?"""
    dtype = kind.dtype if isinstance(kind, Array) else np.dtype(kind.type) if isinstance(kind, Number) else DOUBLE
    return dtype.kind in "fc" and dtype.itemsize > (8 if dtype.kind == "f" else 16)


def fits(literal: int | float, dtype: np.dtype[Any], above: int = 0, below: int = 0) -> bool:
    """Is a literal times so many lengths, over so many others, safe as a number of a dtype?"""
    size = abs(float(literal))
    known = np.finfo(dtype)
    return float(known.tiny) * LONGEST**below <= size and size * LONGEST**above <= float(known.max)


def is_length(node: Expr, kind: Kind) -> bool:
    """Is it a length of an array as NumPy tells it: `x.size`, `x.shape[0]`, `len(x)`, or a name for one?

    >>> from s2sad.core import quote
    >>> from s2sad.kinds.kind import Dim
    >>> n = Number(int, Dim.symbol("x.0"))
    >>> [is_length(quote(t), n) for t in ("x.shape[0]", "x.size", "n")], is_length(quote("k"), Number(int))
    ([True, True, True], False)
    """
    if type(node) is gast.Name:
        if not (isinstance(kind, Number) and kind.type is int and kind.value is not None and kind.value.terms):
            return False
        return all(re.fullmatch(r"[\w.*#]+", symbol) for symbol, _ in kind.value.terms)
    if type(node) is gast.Call:
        return type(node.func) is gast.Name and node.func.id == "len" and len(node.args) == 1
    if type(node) is gast.Subscript:
        node = node.value
        return type(node) is gast.Attribute and node.attr == "shape"
    return type(node) is gast.Attribute and node.attr == "size"


def product_of(a: int | float, b: int | float, dtype: np.dtype[Any] = DOUBLE) -> int | float | None:
    """The product of two literals; None where it would be another number, or unsafe in the dtype it is for.

    >>> product_of(0.1, 3.0), product_of(0.5, 2.0), product_of(0.1, 3.0, np.dtype("f4")), product_of(0.1, 2.0, LEAST)
    (0.3, 1.0, None, 0.2)
    """
    if type(a) is int and type(b) is int:
        return a * b
    if abs(a) == 1 or abs(b) == 1:
        return float(a * b)
    exact = _decimal(a) * _decimal(b)
    found = _neat(float(exact), exact)
    if found is None or not fits(found, dtype):
        return None
    return found if dtype == DOUBLE or _taken(found, dtype) == _taken(a, dtype) * _taken(b, dtype) else None


def sum_of(a: int | float, b: int | float) -> int | float | None:
    """The sum of two literals; None where it would be another number."""
    if type(a) is int and type(b) is int:
        return a + b
    exact = _decimal(a) + _decimal(b)
    return _neat(float(exact), exact)


def quotient_of(a: int | float, b: int | float, dtype: np.dtype[Any] = DOUBLE) -> float | None:
    """a / b where that is exact."""
    value = a / b
    if abs(value) > 1e15 or value * b != a or not fits(value, dtype):
        return None
    if dtype != DOUBLE and _taken(value, dtype) * _taken(b, dtype) != _taken(a, dtype):
        return None
    exact = _decimal(value)
    return value if exact * _decimal(b) == _decimal(a) and len(repr(value)) <= 8 else None


def _taken(literal: int | float, dtype: np.dtype[Any]) -> Fraction:
    """The number that a literal is for a dtype; 0, which equals no product, where it is none."""
    value = float(dtype.type(literal))
    return Fraction(value) if np.isfinite(value) else Fraction(0)


def _neat(value: float, exact: Decimal) -> float | None:
    """The value, when it is the exact one or is short to write: no rounding surprises."""
    if value != value or abs(value) == float("inf") or (value == 0) != (exact == 0):
        return None
    if Decimal(repr(value)) == exact or len(repr(value).strip("-0.").replace(".", "")) <= 6:
        return value
    return None


def _decimal(value: int | float) -> Decimal:
    return Decimal(value) if type(value) is int else Decimal(repr(value))
