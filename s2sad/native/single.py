"""Single precision stays single: a number of Python's that meets it is made a number of single precision.

NumPy rounds Python's numbers to the precision of the array or NumPy number that they meet; to Numba they are double.

y = 2.0 * x    ->    y = np.float32(2.0) * x
"""

from __future__ import annotations

import math
from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, Facts, Stmt, quote
from s2sad.expansion.refusal import WRITE_OUT
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, Kind, Number, Static, Unknown
from s2sad.native.kinds_here import called, follow
from s2sad.native.subset import Subset, as_load
from s2sad.runtime import helpers
from s2sad.runtime.identity import key_of

#: reductions of single precision that are double to Numba
_DOUBLE = (np.std, np.var, np.trace, np.median, sum)
#: functions that are no ufuncs and whose arguments make a result of the precision that they have together; from which
_JOINING: dict[Any, int] = {np.where: 1, np.clip: 0, helpers.expand_reduced: 0, np.full_like: 1}


def has_single(kinds: dict[str, Kind]) -> bool:
    """Is anything of single precision among the kinds?"""
    return any(map(is_single, kinds.values()))


def is_single(kind: Kind) -> bool:
    """Is it an array or a number of single precision?

    >>> is_single(Number(np.float32)), is_single(Number(float))
    (True, False)
    """
    if isinstance(kind, Array):
        return kind.dtype == np.float32
    return isinstance(kind, Number) and np.float32 in kind.of_types()


def with_single(body: list[Stmt], subset: Subset) -> None:
    """Make Python's numbers that meet single precision single, in place.

    >>> from s2sad.core import quote_statements, text
    >>> from s2sad.kinds.kind import Dim
    >>> x = Array(np.dtype(np.float32), (Dim.symbol("n"),))
    >>> body = quote_statements("y = 2.0 * x\\nz = np.maximum(y, 0) ** 2.0 > 0.5")
    >>> with_single(body, Subset(Facts(kinds={"x": x}, globals={"np": np})))
    >>> print("\\n".join(map(text, body)))
    y = np.float32(2.0) * x
    z = np.maximum(y, np.float32(0)) ** 2 > np.float32(0.5)
    """
    outer = subset.facts
    loose: set[str] = set()

    def look(statement: Stmt, facts: Facts) -> None:
        targets = statement.targets if isinstance(statement, gast.Assign) else [getattr(statement, "target", None)]
        kind = infer(statement.value, facts) if isinstance(statement, (gast.Assign, gast.AugAssign)) else None
        if kind is None or isinstance(kind, Array) or _is_surely_single(kind):
            return
        loose.update(t.id for t in targets if isinstance(t, gast.Name))

    def visit(statement: Stmt, facts: Facts) -> None:
        subset.facts = facts
        single = _Single(subset, loose)
        if isinstance(statement, gast.AugAssign):
            read: Any = gast.Name(statement.target.id, gast.Load(), None, None) if isinstance(
                statement.target, gast.Name) else as_load(statement.target)  # fmt: skip
            if is_single(infer(read, facts)) and isinstance(infer(read, facts), Array):
                statement.value = single.met(statement.value)
        for name, value in gast.iter_fields(statement):
            if isinstance(value, gast.expr):
                setattr(statement, name, single.visit(value))
            elif isinstance(value, list) and value and isinstance(value[0], gast.expr):
                setattr(statement, name, [single.visit(v) for v in value])

    follow(body, outer, look)
    follow(body, outer, visit)
    subset.facts = outer


def _is_surely_single(kind: Kind) -> bool:
    return isinstance(kind, Number) and kind.of_types() == {np.float32}


class _Single(gast.NodeTransformer):  # type: ignore[misc]
    """Rewrites an expression, inside first.

    Args:
        loose: the names of numbers that may be double to Numba, though NumPy has them single.
    """

    def __init__(self, subset: Subset, loose: set[str]) -> None:
        self.subset, self.loose = subset, loose

    def met(self, node: Any) -> Any:
        """An operand of what is of single precision."""
        kind = infer(node, self.subset.facts)
        if isinstance(kind, Array) or not isinstance(kind, (Number, Static)):
            return node
        if _is_surely_single(kind) and not (isinstance(node, gast.Name) and node.id in self.loose):
            return node
        if isinstance(kind, Static) and type(kind.value) not in (int, float, bool):
            return node
        return self.made("float32", node)

    def made(self, dtype: str, node: Any) -> Expr:
        return quote("f(x)", f=self.subset.np(dtype), x=node)

    def visit_BinOp(self, node: Any) -> Any:
        self.generic_visit(node)
        kinds = [infer(e, self.subset.facts) for e in (node.left, node.right)]
        if isinstance(node.op, gast.MatMult):
            return self.product(node, kinds)
        if any(isinstance(k, Unknown) for k in kinds) and any(map(is_single, kinds)):
            raise DerivationError("Numba needs the kind of what meets float32 here, which is not known.", WRITE_OUT)
        if not is_single(infer(node, self.subset.facts)):
            return node
        node.left = self.met(node.left)
        exponent = getattr(node.right, "value", None) if isinstance(node.op, gast.Pow) else None
        if isinstance(exponent, (int, float)) and float(exponent).is_integer():
            node.right = gast.Constant(int(exponent), None)  # (which Numba multiplies out)
        else:
            node.right = self.met(node.right)
        return node

    def visit_BoolOp(self, node: Any) -> Any:
        self.generic_visit(node)
        if any(_is_surely_single(infer(v, self.subset.facts)) for v in node.values):
            node.values = [self.met(v) for v in node.values]
        return node

    def visit_IfExp(self, node: Any) -> Any:
        self.generic_visit(node)
        if any(_is_surely_single(infer(v, self.subset.facts)) for v in (node.body, node.orelse)):
            node.body, node.orelse = self.met(node.body), self.met(node.orelse)
        return node

    def product(self, node: Any, kinds: list[Kind]) -> Any:
        """A product of arrays of two precisions, which Numba does not have."""
        dtypes = [k.dtype for k in kinds if isinstance(k, Array)]
        if len(dtypes) == 2 and dtypes[0] != dtypes[1]:
            wide = np.result_type(*dtypes)
            for name, dtype in zip(("left", "right"), dtypes, strict=True):
                if dtype != wide:
                    made = quote("x.astype(t)", x=getattr(node, name), t=self.subset.np(wide.name))
                    setattr(node, name, made)
        return node

    def visit_Compare(self, node: Any) -> Any:
        parts = [node.left, *node.comparators]
        meets = any(is_single(infer(p, self.subset.facts)) for p in parts)
        self.generic_visit(node)
        if meets and not any(isinstance(op, (gast.Is, gast.IsNot, gast.In, gast.NotIn)) for op in node.ops):
            node.left, node.comparators = self.met(node.left), [self.met(c) for c in node.comparators]
        return node

    def visit_Call(self, node: Any) -> Any:
        self.generic_visit(node)
        kind, function = infer(node, self.subset.facts), called(node.func, self.subset.facts)
        singles = [is_single(infer(a, self.subset.facts)) for a in node.args]
        if function is float or getattr(function, "__module__", None) == math.__name__:
            node.args = [self.made("float64", a) if s else a for a, s in zip(node.args, singles, strict=True)]
        elif is_single(kind):
            first = 0 if isinstance(function, np.ufunc) else _JOINING.get(key_of(function))
            if first is not None:
                last = 1 if function is helpers.expand_reduced else len(node.args)
                node.args[first:last] = [self.met(a) for a in node.args[first:last]]
            if isinstance(kind, Number) and any(function is f for f in _DOUBLE):
                return self.made("float32", node)
            if function is np.linspace:
                return quote("x.astype(t)", x=node, t=self.subset.np("float32"))
        return node
