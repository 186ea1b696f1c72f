"""Python's ints as ints of 64 bits: what would not fit is an error, where Numba goes on with other bits.

k *= i            ->    k = product(k, i)         (OverflowError from 2**63 on)
2**n              ->    power(2, n)               (a negative n: ValueError)
int(x)            ->    whole(x)                  (nan, inf and what is too large)

Ints that count and measure (lengths, turns of loops, their sums) are small, and products of two of them fit.
"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.core import Expr, Stmt, walk

_NEGATIVE = """
    if b < 0:
        raise ValueError("%s")"""
_TOO_LARGE = """
    if %s >= 9.2e18:
        raise OverflowError("ints of kernels have 64 bits: write float(k)")"""

#: by operator: what the helper is called that does it, and the one that gives its right operand; what both look at
_CHECKED = {
    gast.Mult: ("product", "factor", _TOO_LARGE % "abs(float(a) * float(b))", "a * b"),
    gast.Add: ("added", "summand", _TOO_LARGE % "abs(float(a) + float(b))", "a + b"),
    gast.Sub: ("taken_off", "taken", _TOO_LARGE % "abs(float(a) - float(b))", "a - b"),
    gast.Pow: ("power", "exponent", _NEGATIVE % "ints to negative powers are floats: write float(x) ** n"
               + _TOO_LARGE % "abs(float(a)) ** float(b)", "a**b"),
    gast.LShift: ("shifted", "count", _NEGATIVE % "negative shift count"
                  + _TOO_LARGE % "abs(float(a)) * 2.0 ** float(b)", "a << b"),
    gast.RShift: ("shifted", "count", _NEGATIVE % "negative shift count", "a >> b"),
}  # fmt: skip

WHOLE = f"""
def whole(a):
    if a != a:
        raise ValueError("cannot convert float NaN to integer"){_TOO_LARGE % "abs(a)"}
    return int(a)
"""

#: an int that a constant may be and still be small
_SMALL = 2**31


class Ints:
    """What is known of the ints of a function.

    Args:
        body: its statements.

    >>> from s2sad.core import quote_statements
    >>> body = quote_statements("n = 0\\nk = 1\\nfor i in range(9):\\n    n += i\\n    k *= 2\\n    k = k + n")
    >>> sorted(Ints(body).small)
    ['i', 'n']
    """

    def __init__(self, body: list[Stmt]) -> None:
        self.small: set[str] = set()
        bound = _bindings(body)
        ints = set(bound)
        while True:
            found = {n for n in ints if all(v is not None and self.is_small(v) for v in bound[n])}
            if found == self.small:
                break
            self.small = found
        #: what may be as large as an int of 64 bits is: not what is given
        self.grown = set(bound) - self.small

    def is_small(self, node: Any) -> bool:
        """Is it a length, a turn of a loop, a sum of such, a number that is written?"""
        if isinstance(node, gast.Constant):
            return type(node.value) in (int, bool) and abs(node.value) < _SMALL
        if isinstance(node, gast.Name):
            return node.id in self.small
        if isinstance(node, gast.BinOp):
            looked_at = {gast.FloorDiv: [node.left], gast.Mod: [node.right]}.get(type(node.op), [node.left, node.right])
            is_bounded = isinstance(node.op, (gast.Add, gast.Sub, gast.FloorDiv, gast.Mod))
            return is_bounded and all(map(self.is_small, looked_at))
        if isinstance(node, gast.UnaryOp):
            return self.is_small(node.operand)
        if isinstance(node, gast.IfExp):
            return self.is_small(node.body) and self.is_small(node.orelse)
        if isinstance(node, gast.Subscript):
            return isinstance(node.value, gast.Attribute) and node.value.attr == "shape"
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name):
            return node.func.id == "len" or (node.func.id in ("min", "max") and all(map(self.is_small, node.args)))
        return isinstance(node, gast.Attribute) and node.attr in ("size", "ndim")

    def is_grown(self, node: Any) -> bool:
        """May it be about as large as an int of 64 bits is?"""
        if isinstance(node, gast.Call):  # one of those below has looked at it
            return isinstance(node.func, gast.Name) and node.func.id not in ("len", "min", "max", "int")
        return isinstance(node, gast.BinOp) or (isinstance(node, gast.Name) and node.id in self.grown)

    def check_of(self, op: Any, left: Expr, right: Expr, whole: bool) -> tuple[str, str] | None:
        """The name and the text of the helper for an operation of two ints whose result may not fit; None: it does.

        Args:
            whole: does the helper do the operation? Else it gives the right operand.
        """
        if type(op) not in _CHECKED or (self.is_small(left) and self.is_small(right) and not _may_explode(op, right)):
            return None
        if isinstance(op, (gast.Add, gast.Sub)) and not (self.is_grown(left) and self.is_grown(right)):
            return None
        name, operand, check, result = _CHECKED[type(op)]
        made, given = (name, result) if whole else (operand, "b")
        return made, f"def {made}(a, b):{check}\n    return {given}"


def _may_explode(op: Any, right: Any) -> bool:
    """Does a power or a shift of small numbers not fit?"""
    if not isinstance(op, (gast.Pow, gast.LShift, gast.RShift)):
        return False
    return not (isinstance(right, gast.Constant) and 0 <= right.value <= 2)


def _bindings(body: list[Stmt]) -> dict[str, list[Any]]:
    """By the names that are bound: what they are bound to; None: what is not known. A sum is as its summands."""
    bound: dict[str, list[Any]] = {}
    for statement in (n for s in body for n in walk(s)):
        if isinstance(statement, gast.For):
            _bind(bound, statement.target, _turn_of(statement.iter))
        elif isinstance(statement, gast.Assign):
            for target in statement.targets:
                _bind(bound, target, _step_of(target, statement.value))
        elif isinstance(statement, gast.AugAssign):
            is_sum = isinstance(statement.op, (gast.Add, gast.Sub))
            _bind(bound, statement.target, statement.value if is_sum else None)
        elif isinstance(statement, gast.NamedExpr):
            _bind(bound, statement.target, None)
    return bound


def _turn_of(turns: Any) -> Any:
    """What stands for the values of a loop's variable: a constant where it counts."""
    function = getattr(turns, "func", None)
    name = getattr(function, "id", getattr(function, "attr", ""))
    if name == "reversed" and turns.args:
        return _turn_of(turns.args[0])
    if name == "enumerate":
        return gast.Tuple([gast.Constant(0, None), gast.Constant(None, None)], gast.Load())
    return gast.Constant(0, None) if name in ("range", "prange") else None


def _step_of(target: Any, value: Any) -> Any:
    """The summand of `k = k + 1`; any other value as it is."""
    is_sum = isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Add, gast.Sub))
    if is_sum and isinstance(target, gast.Name) and isinstance(value.left, gast.Name) and value.left.id == target.id:
        return value.right
    return value


def _bind(bound: dict[str, list[Any]], target: Any, value: Any) -> None:
    if isinstance(target, gast.Name):
        bound.setdefault(target.id, []).append(value)
    elif isinstance(target, (gast.Tuple, gast.List)):
        values = value.elts if isinstance(value, (gast.Tuple, gast.List)) else []
        for k, part in enumerate(target.elts):
            _bind(bound, part, values[k] if len(values) == len(target.elts) else None)
