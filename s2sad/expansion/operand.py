"""Operands of a rule: an expression and its kind, with the questions that templates ask of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, Facts
from s2sad.kinds.example import error_of
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Dim, Either, Kind, List, Number, Static, Tuple, Unknown

Key = tuple[Any, ...]


class _NotStatic:
    """The mark of a value that is not known when code is generated."""

    def __repr__(self) -> str:
        return "NOT_STATIC"


NOT_STATIC = _NotStatic()


@dataclass
class Operand:
    """An expression and what is known of its value."""

    expr: Expr
    kind: Kind

    @property
    def shape(self) -> tuple[Dim, ...] | None:
        """The symbolic shape: () for numbers, None where it is not known."""
        return shape_of(self.kind)

    @property
    def ndim(self) -> int | None:
        """The rank, None where it is not known."""
        shape = shape_of(self.kind)
        return None if shape is None else len(shape)

    @property
    def dtype(self) -> np.dtype[Any] | None:
        """The dtype that NumPy would give the value, None where it is not known."""
        return dtype_of(self.kind)

    @property
    def is_scalar(self) -> bool:
        """Is it known to be a number or a 0-d array?"""
        return shape_of(self.kind) == ()

    @property
    def is_number(self) -> bool:
        """Is it known to be a plain Python number?"""
        return isinstance(self.kind, Number) and self.kind.type in (float, int, bool, complex)

    @property
    def is_complex(self) -> bool:
        """Is it known to be complex?"""
        dtype = dtype_of(self.kind)
        return dtype is not None and dtype.kind == "c"

    @property
    def static(self) -> Any:
        """Its value where that is known when code is generated, else NOT_STATIC."""
        return static_of(self)

    @property
    def text(self) -> str:
        return str(gast.unparse(self.expr)).strip()


@dataclass
class Part(Operand):
    """An operand that is an argument of the call, or an item of an argument that is a list or tuple."""

    key: Key = ()

    def items(self) -> list[Part] | None:
        """The parts of a list or tuple argument whose length is known, else None."""
        kinds = self.kind.items if isinstance(self.kind, (Tuple, List)) else None
        if isinstance(self.expr, (gast.Tuple, gast.List)):
            if any(isinstance(e, gast.Starred) for e in self.expr.elts):
                return None
            known = kinds if kinds is not None and len(kinds) == len(self.expr.elts) else None
            return [
                Part(e, known[i] if known else literal_kind(e), (*self.key, i)) for i, e in enumerate(self.expr.elts)
            ]
        if kinds is not None and isinstance(self.expr, gast.Name):
            index = [gast.Constant(i, None) for i in range(len(kinds))]
            exprs = [gast.Subscript(self.expr, i, gast.Load()) for i in index]
            return [Part(e, k, (*self.key, i)) for i, (e, k) in enumerate(zip(exprs, kinds, strict=True))]
        return None

    def __iter__(self) -> Iterator[Part]:
        items = self.items()
        if items is None:
            raise TypeError("the items of this argument are not known when code is generated")
        return iter(items)

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, index: int) -> Part:
        return list(iter(self))[index]


def literal_kind(expr: Expr) -> Kind:
    """The kind of an expression that is a literal, else Unknown."""
    value = static_of(Operand(expr, Unknown()))
    if isinstance(value, bool) or value is None or isinstance(value, (str, tuple, list)):
        return Static(value)
    if isinstance(value, int):
        return Number(int, Dim.of(value))
    if isinstance(value, (float, complex)):
        return Number(type(value))
    return Unknown()


def shape_of(kind: Kind) -> tuple[Dim, ...] | None:
    """The symbolic shape of an array or number, None where it is not known."""
    if isinstance(kind, Array):
        return kind.shape
    if isinstance(kind, Number) or (isinstance(kind, Static) and isinstance(kind.value, (bool, int, float, complex))):
        return ()
    return None


def lifted(kind: Kind) -> Kind:
    """The kind of the array that something is which may be a number, too."""
    return kind.array if isinstance(kind, Either) else kind


def dtype_of(kind: Kind) -> np.dtype[Any] | None:
    """The dtype that NumPy would give a value of this kind, None where it is not known."""
    if isinstance(kind, Array):
        return kind.dtype
    if isinstance(kind, Number):
        return np.dtype(kind.type)
    if isinstance(kind, Static) and isinstance(kind.value, (bool, int, float, complex)):
        return np.dtype(type(kind.value))
    return None


def static_of(operand: Operand) -> Any:
    """The value of an operand where generation knows it (a literal, a Static kind, an int of known value).

    Else NOT_STATIC.
    """
    kind = operand.kind
    if isinstance(kind, Static):
        return kind.value
    if isinstance(kind, Number) and kind.value is not None and kind.value.known:
        return kind.value.const
    expr = operand.expr
    if isinstance(expr, gast.Constant):
        return expr.value
    if isinstance(expr, (gast.UnaryOp, gast.Tuple, gast.List)):
        if (
            isinstance(kind, (Tuple, List))
            and isinstance(expr, (gast.Tuple, gast.List))
            and len(kind.items) == len(expr.elts)
        ):
            values = [static_of(Operand(e, k)) for e, k in zip(expr.elts, kind.items, strict=True)]
            if any(v is NOT_STATIC for v in values):
                return NOT_STATIC
            return values if isinstance(expr, gast.List) else tuple(values)
        try:
            return ast.literal_eval(gast.gast_to_ast(expr))
        except (ValueError, TypeError, SyntaxError):
            return NOT_STATIC
    return NOT_STATIC


def error_in(statement: Any, facts: Facts) -> str | None:
    """What a statement raises whatever the values are: the primal's mistake, for which no rule can be expanded."""
    application = getattr(statement, "apply", None)
    if application is None or not callable(application[0]):
        return None
    target, args, kwargs = application
    kinds = [[infer(e, facts) for e in part] for part in (args, kwargs.values())]
    error = error_of(target, kinds[0], dict(zip(kwargs, kinds[1], strict=True)))
    if error is None:
        return None
    name = getattr(target, "__name__", str(target))
    return f"{name} raises {type(error).__name__} for arguments of these kinds: {error}"
