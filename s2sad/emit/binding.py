"""How tightly expressions bind, and how operators are spelt."""

from __future__ import annotations

# How tightly an expression binds; a part that binds less than its place asks for is put in parentheses.
(NAMED, TUPLE, YIELD, TEST, OR, AND, NOT, COMPARE, BIT_OR, BIT_XOR, BIT_AND, SHIFT, ARITH, TERM, FACTOR, POWER) = range(
    16
)
AWAIT, ATOM = 16, 17

#: binary operators: the symbol, and how tightly it binds
BINARY: dict[str, tuple[str, int]] = {
    "Add": ("+", ARITH),
    "Sub": ("-", ARITH),
    "Mult": ("*", TERM),
    "MatMult": ("@", TERM),
    "Div": ("/", TERM),
    "Mod": ("%", TERM),
    "FloorDiv": ("//", TERM),
    "Pow": ("**", POWER),
    "LShift": ("<<", SHIFT),
    "RShift": (">>", SHIFT),
    "BitOr": ("|", BIT_OR),
    "BitXor": ("^", BIT_XOR),
    "BitAnd": ("&", BIT_AND),
}
UNARY = {"Invert": "~", "UAdd": "+", "USub": "-"}
COMPARED = {
    "Eq": "==",
    "NotEq": "!=",
    "Lt": "<",
    "LtE": "<=",
    "Gt": ">",
    "GtE": ">=",
    "Is": "is",
    "IsNot": "is not",
    "In": "in",
    "NotIn": "not in",
}
