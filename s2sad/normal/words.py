"""Words, limits and tables of operators that several rooms share."""

from __future__ import annotations

import collections
import operator
from typing import Any

import gast
import numpy as np

from s2sad.frontend import ways

RUN_AGAIN = "an iterator is run through again: how much of it is left is not followed", ways.LIST
STALE = "this may be the same object as one that was changed under another name"
WRITES_TO_GLOBALS = ("writes to globals are not differentiated", "pass the value as an argument and return it")
NO_RESULT = "the result is None, which has no derivative"
STALE_WAY_OUT = "make a copy before it is changed, or choose with an if at the place where it is changed"
#: branches whose paths are followed apart, at most: each may double what comes after
PATHS_APART = 4
#: containers that may stand outside of the function, and the methods that put something in and give nothing back
OUTER: frozenset[type] = frozenset((list, dict, set, collections.deque, collections.defaultdict))
#: expressions that carry the kind of what they give
OF_ITEMS = frozenset((gast.ListComp, gast.GeneratorExp))
#: names that generated code must not use for anything else
RESERVED = {
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "try",
    "while",
    "with",
    "yield",
    "None",
    "True",
    "False",
    "range",
    "len",
    "reversed",
    "print",
    "float",
    "int",
    "abs",
    "min",
    "max",
    "sum",
    "list",
    "tuple",
    "dict",
    "zip",
    "enumerate",
    "isinstance",
}
BINARY: dict[type, Any] = {
    gast.Add: operator.add,
    gast.Sub: operator.sub,
    gast.Mult: operator.mul,
    gast.Div: operator.truediv,
    gast.FloorDiv: operator.floordiv,
    gast.Mod: operator.mod,
    gast.Pow: operator.pow,
    gast.MatMult: operator.matmul,
    gast.LShift: operator.lshift,
    gast.RShift: operator.rshift,
    gast.BitAnd: operator.and_,
    gast.BitOr: operator.or_,
    gast.BitXor: operator.xor,
}
BINARY_METHOD = {
    gast.Add: "add",
    gast.Sub: "sub",
    gast.Mult: "mul",
    gast.Div: "truediv",
    gast.FloorDiv: "floordiv",
    gast.Mod: "mod",
    gast.Pow: "pow",
    gast.MatMult: "matmul",
    gast.BitAnd: "and",
    gast.BitOr: "or",
    gast.BitXor: "xor",
    gast.LShift: "lshift",
    gast.RShift: "rshift",
}
UNARY_METHOD: dict[type, str] = {gast.USub: "__neg__", gast.UAdd: "__pos__", gast.Invert: "__invert__"}
UNARY: dict[type, Any] = {
    gast.USub: operator.neg,
    gast.UAdd: operator.pos,
    gast.Invert: operator.invert,
    gast.Not: operator.not_,
}
#: what takes the elements of an array in an order
IN_ORDER: set[Any] = {np.ravel, np.reshape, np.ndarray.ravel, np.ndarray.reshape, np.ndarray.flatten}
COMPARE: dict[type, Any] = {
    gast.Eq: operator.eq,
    gast.NotEq: operator.ne,
    gast.Lt: operator.lt,
    gast.LtE: operator.le,
    gast.Gt: operator.gt,
    gast.GtE: operator.ge,
    gast.Is: operator.is_,
    gast.IsNot: operator.is_not,
    gast.In: lambda a, b: a in b,
    gast.NotIn: lambda a, b: a not in b,
}
#: the methods behind comparisons: of the left operand, and of the right one where the left has none
COMPARE_METHOD: dict[type, str] = {
    gast.Eq: "__eq__",
    gast.NotEq: "__ne__",
    gast.Lt: "__lt__",
    gast.Gt: "__gt__",
    gast.LtE: "__le__",
    gast.GtE: "__ge__",
}
MIRRORED_METHOD: dict[type, str] = {
    gast.Eq: "__eq__",
    gast.NotEq: "__ne__",
    gast.Lt: "__gt__",
    gast.Gt: "__lt__",
    gast.LtE: "__ge__",
    gast.GtE: "__le__",
}
NO = object()
#: items of a dict up to this number are told apart by branches, where the key is known when the program runs only
LARGEST_CHOICE = 8
#: methods that change a set, and the operators that say what comes of it
SET_CHANGES = {
    "add": operator.or_,
    "update": operator.or_,
    "discard": operator.sub,
    "remove": operator.sub,
    "difference_update": operator.sub,
    "intersection_update": operator.and_,
    "symmetric_difference_update": operator.xor,
    "clear": operator.sub,
}
