"""Signs of values, and which of them may be infinite: what decides whether a slope may be.

sign(1.0 + x * x)  "positive"      a divisor that is never 0
sign(np.sqrt(s))   "nonnegative"   0.5 / np.sqrt(s) may be infinite
"""

from __future__ import annotations

import types
from typing import Any

import gast

from s2sad.analysis.memory import Memory
from s2sad.core import Expr, Facts, Stmt, atom_key, blocks_of, is_operation, leaves
from s2sad.kinds.kind import Array, Number

POSITIVE, NONNEGATIVE = "positive", "nonnegative"

_ROOTS = {"sqrt", "abs", "fabs", "absolute", "square", "hypot", "var", "std", "norm", "nanvar", "nanstd", "arange"}
_ALWAYS_POSITIVE = {"exp", "exp2", "cosh", "len", "ones", "ones_like", "size"}
#: functions whose results have the signs of what they are given
_KEEPING = {
    *("sum", "mean", "max", "min", "amax", "amin", "prod", "cumsum", "cumprod", "median", "sort", "float", "asarray"),
    *("array", "copy", "reshape", "ravel", "transpose", "broadcast_to", "expand_dims", "squeeze", "repeat", "tile"),
    *("float64", "float32", "astype", "flatten", "average", "trace", "diag", "item", "ascontiguousarray", "log1p"),
}
#: functions that are infinite at some finite number
_INFINITE = {
    *("log", "log2", "log10", "log1p", "arctanh", "atanh", "reciprocal"),
    *("gamma", "lgamma", "gammaln", "digamma", "power", "float_power", "pow"),
}


def note_ranges(body: list[Stmt], memory: Memory, facts: Facts) -> None:
    """Enter the signs of the names that a body binds, and those that may be infinite, into the facts.

    >>> from s2sad.analysis.memory_scan import analyse
    >>> from s2sad.core import statements
    >>> facts = Facts()
    >>> body = statements("a = x * x\\nb = a + 1.0\\nc = np.log(a)")
    >>> note_ranges(body, analyse(body, facts, {}), facts)
    >>> facts.signs, facts.infinite
    ({'a': 'nonnegative', 'b': 'positive'}, {'c'})
    """
    values: dict[str, list[Expr]] = {}
    _collect(body, values)
    defined = {name: exprs for name, exprs in values.items() if name in memory.definitions}
    stored = {s.key for s in memory.stores}
    for name, exprs in defined.items():
        once = len(exprs) == len(memory.definitions[name]) == 1 and not memory.is_overwritten(name)
        found = sign(exprs[0], facts) if once else None
        if found is not None:
            facts.signs[name] = found
    changed = True
    while changed:
        changed = False
        for name, exprs in values.items():
            kind = facts.kinds.get(name)
            if isinstance(kind, Number) and kind.type in (int, float):
                continue  # where Python's numbers would be infinite, there is an exception
            if name not in facts.infinite and not all(finite(e, facts) for e in exprs):
                roots = memory.classes(name) if name in stored else ()
                facts.infinite |= {name, *(k for k in facts.kinds if roots and memory.find(k) in roots)}
                changed = True


def _collect(body: list[Stmt], values: dict[str, list[Expr]]) -> None:
    """What names are bound to, and what is stored into them."""
    for statement in body:
        target = None
        if isinstance(statement, gast.Assign):
            target = statement.targets[0]
        elif isinstance(statement, gast.AugAssign):
            target = statement.target
        if isinstance(target, gast.Subscript):
            target = target.value
        if isinstance(target, gast.Tuple):  # the parts of a result
            for _, part in leaves(target):
                values.setdefault(part.id, []).append(statement.value)
        elif target is not None:
            values.setdefault(atom_key(target), []).append(statement.value)
        for block in blocks_of(statement):
            _collect(block, values)


def called_name(expr: Expr) -> str:
    """The last part of the name of what a call calls."""
    function = expr.func
    return str(function.attr if isinstance(function, gast.Attribute) else getattr(function, "id", ""))


def _method_of(expr: Expr, facts: Facts) -> Expr | None:
    """The object of a method call; None for a function of a module."""
    function = expr.func
    if not isinstance(function, gast.Attribute):
        return None
    base = function.value
    while isinstance(base, gast.Attribute):
        base = base.value
    module = isinstance(base, gast.Name) and isinstance(facts.globals.get(base.id), types.ModuleType)
    return None if module or (isinstance(base, gast.Name) and base.id == "np") else function.value


def sign(expr: Expr, facts: Facts) -> str | None:
    """What is certain of the sign of a value that is a number or an array: POSITIVE, NONNEGATIVE, or None.

    >>> from s2sad.core import quote
    >>> facts = Facts(signs={"v": NONNEGATIVE})
    >>> [sign(quote(s), facts) for s in ("x", "x * x", "np.sqrt(v + 1e-8)", "1.0 + np.exp(-x)", "v / n", "-v")]
    [None, 'nonnegative', 'positive', 'positive', None, None]
    """
    if isinstance(expr, gast.Constant):
        value = expr.value
        if isinstance(value, (int, float)) and value >= 0:
            return POSITIVE if value > 0 else NONNEGATIVE
        return None
    if isinstance(expr, (gast.Name, gast.Attribute, gast.Subscript)):
        known = facts.signs.get(atom_key(expr))
        if known is not None:
            return known
        if isinstance(expr, gast.Name):
            kind = facts.kinds.get(expr.id)
            value = getattr(kind, "value", None)
            return sign(gast.Constant(value, None), facts) if type(value) in (int, float) else None
        if isinstance(expr, gast.Attribute):
            if expr.attr in ("size", "ndim"):
                return POSITIVE
            return sign(expr.value, facts) if expr.attr in ("T", "mT", "real") else None
        if isinstance(expr.value, gast.Attribute) and expr.value.attr == "shape":
            return POSITIVE
        return sign(expr.value, facts)
    if isinstance(expr, gast.IfExp):
        return _meet(sign(expr.body, facts), sign(expr.orelse, facts))
    if isinstance(expr, gast.BinOp):
        return _sign_of_operation(expr, facts)
    return _sign_of_call(expr, facts) if isinstance(expr, gast.Call) else None


def _sign_of_operation(expr: Any, facts: Facts) -> str | None:
    left, right = sign(expr.left, facts), sign(expr.right, facts)
    if isinstance(expr.op, gast.Add):
        return POSITIVE if left and right and POSITIVE in (left, right) else _meet(left, right)
    if isinstance(expr.op, (gast.Mult, gast.Div)):
        square = isinstance(expr.op, gast.Mult) and gast.unparse(expr.left) == gast.unparse(expr.right)
        return _meet(left, right) or (NONNEGATIVE if square and not _is_complex(expr.left, facts) else None)
    if isinstance(expr.op, gast.Pow):
        even = isinstance(expr.right, gast.Constant) and expr.right.value in (2, 4, 6, 8)
        return left or (NONNEGATIVE if even and not _is_complex(expr.left, facts) else None)
    return None


def _is_complex(expr: Expr, facts: Facts) -> bool:
    from s2sad.kinds.infer import infer

    kind = infer(expr, facts)
    return (isinstance(kind, Array) and kind.dtype is not None and kind.dtype.kind == "c") or (
        getattr(kind, "type", None) is complex
    )


def _meet(a: str | None, b: str | None) -> str | None:
    if a is None or b is None:
        return None
    return POSITIVE if a == b == POSITIVE else NONNEGATIVE


def _sign_of_call(expr: Any, facts: Facts) -> str | None:
    name, owner = called_name(expr), _method_of(expr, facts)
    args = ([owner] if owner is not None else []) + list(expr.args)
    if name in _ALWAYS_POSITIVE:
        return POSITIVE
    signs = [sign(a, facts) for a in args]
    if name in _ROOTS:
        return POSITIVE if signs and signs[0] == POSITIVE and name not in ("var", "std", "arange") else NONNEGATIVE
    if name in _KEEPING:
        return signs[0] if signs else None
    if name in ("maximum", "max", "fmax"):
        return POSITIVE if POSITIVE in signs else NONNEGATIVE if NONNEGATIVE in signs else None
    if name in ("minimum", "fmin") and len(signs) == 2:
        return _meet(signs[0], signs[1])
    if name == "clip" and len(signs) > 1:
        return POSITIVE if POSITIVE in signs[:2] and signs[1] == POSITIVE else signs[1]
    if name == "where" and len(args) == 3:
        return _meet(signs[1], signs[2])
    return None


def finite(
    expr: Expr,
    facts: Facts,
    *,
    numbers: bool = True,
    divisors: frozenset[str] = frozenset(),
) -> bool:
    """Is a value certainly finite where the values in it are?

    Args:
        numbers: does it count that a number may be infinite, or only whether some elements of an array may?
        divisors: texts of what is known not to be 0.

    >>> from s2sad.core import quote
    >>> texts = ("2.0 * x", "0.5 / y", "1.0 / (1.0 + x * x)", "x ** 2", "x ** p", "y / (r or 1.0)")
    >>> [finite(quote(s), Facts()) for s in texts]
    [True, False, True, True, False, True]
    """
    return _Finite(facts, numbers, divisors).of(expr)


class _Finite:
    def __init__(self, facts: Facts, numbers: bool, divisors: frozenset[str]) -> None:
        self.facts, self.numbers, self.divisors = facts, numbers, divisors

    def is_left(self, expr: Expr) -> bool:
        """Is it a number where only arrays count?"""
        if self.numbers:
            return False
        kind = self.facts.kinds.get(atom_key(expr))
        return kind is not None and kind.rank == 0

    def nonzero(self, expr: Expr) -> bool:
        """Is a divisor certainly not 0? `x or 1.0` and `np.where(x == 0.0, 1.0, x)` are made for that."""
        if isinstance(expr, (gast.Name, gast.Attribute, gast.Subscript)):
            return sign(expr, self.facts) == POSITIVE or atom_key(expr) in self.divisors or self.is_left(expr)
        if sign(expr, self.facts) == POSITIVE:
            return True
        if isinstance(expr, gast.UnaryOp):
            return self.nonzero(expr.operand)
        if isinstance(expr, gast.BoolOp) and isinstance(expr.op, gast.Or):
            return self.nonzero(expr.values[-1])
        if isinstance(expr, gast.Constant):
            return bool(expr.value != 0)
        if is_operation(expr, gast.Mult, gast.Div):
            return self.nonzero(expr.left) and self.nonzero(expr.right)
        if isinstance(expr, gast.Call):
            name = called_name(expr)
            if name == "where" and len(expr.args) == 3:
                return self.nonzero(expr.args[1])
            return name == "nonzero"
        return False

    def of(self, expr: Expr) -> bool:
        if isinstance(expr, (gast.Name, gast.Attribute, gast.Subscript)):
            key = atom_key(expr)
            if key in self.facts.infinite:
                return self.is_left(expr)
            return isinstance(expr, gast.Name) or self.of(expr.value)
        if isinstance(expr, gast.BinOp):
            if isinstance(expr.op, gast.Div):
                return self.nonzero(expr.right) and self.of(expr.left)
            if isinstance(expr.op, gast.Pow) and not self.power(expr.left, expr.right, 0):
                return False
            return self.of(expr.left) and self.of(expr.right)
        if isinstance(expr, gast.UnaryOp):
            return self.of(expr.operand)
        if isinstance(expr, gast.IfExp):
            return self.of(expr.body) and self.of(expr.orelse)
        if isinstance(expr, (gast.Tuple, gast.List)):
            return all(map(self.of, expr.elts))
        return self.call(expr) if isinstance(expr, gast.Call) else True

    def power(self, base: Expr, exponent: Expr, least: float) -> bool:
        """Is a power finite: of a positive number, or with an exponent that is known to be large enough?"""
        known = exponent.value if isinstance(exponent, gast.Constant) else None
        return (isinstance(known, (int, float)) and known >= least) or sign(base, self.facts) == POSITIVE

    def call(self, expr: Any) -> bool:
        name, owner = called_name(expr), _method_of(expr, self.facts)
        args = ([owner] if owner is not None else []) + list(expr.args)
        if name in ("where", "nan_to_num", "select", "choose", "isfinite", "isnan"):
            return True  # a choice, made for that
        if name in ("divide", "true_divide") and len(args) > 1 and not self.nonzero(args[1]):
            return False
        if name == "power_in_base":  # of the rules: the derivative of a power
            return self.power(args[1], args[2], 1)
        if name in _INFINITE and not (args and self.keeps_finite(name, args[0])):
            return False
        return all(map(self.of, args))

    def keeps_finite(self, name: str, argument: Expr) -> bool:
        """Logarithms and reciprocals of positive numbers."""
        if self.is_left(argument):
            return True
        if name.startswith("log") or name == "reciprocal":
            return sign(argument, self.facts) == POSITIVE
        return False
