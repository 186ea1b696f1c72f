"""Keys that have no literal (members of an enum, classes, objects) are read by name."""

from __future__ import annotations

import enum
from typing import Any

import gast

from s2sad.core import Facts, clone, global_name, load, walk

#: what a literal can say
LITERALS = (type(None), bool, int, float, complex, str, bytes, type(...))


def named_constants(tree: Any, facts: Facts) -> Any:
    """The function with constants that have no literal read by name, as members of their enum or as globals.

    The functions are left as they are where there is nothing to do; `facts.globals` learns the names.

    >>> import enum
    >>> from s2sad.core import text
    >>> Unit = enum.Enum("Unit", "METRE FOOT")
    >>> item = gast.Subscript(load("d"), gast.Constant(Unit.FOOT, None), gast.Load())
    >>> print(text(named_constants(gast.Return(item), Facts())))
    return d[Unit.FOOT]
    """
    if all(is_literal(n.value) for n in walk(tree) if isinstance(n, gast.Constant)):
        return tree
    return _Named(facts).visit(clone(tree))


def is_literal(value: Any) -> bool:
    """Can the value be written as a literal?

    >>> is_literal((1, "a")), is_literal((1, int))
    (True, False)
    """
    if type(value) in (tuple, frozenset):
        return all(map(is_literal, value))
    return type(value) in LITERALS


class _Named(gast.NodeTransformer):  # type: ignore[misc]  # gast is untyped
    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def visit_Constant(self, node: Any) -> Any:
        return node if is_literal(node.value) else self.expression(node.value)

    def expression(self, value: Any) -> Any:
        if is_literal(value):
            return gast.Constant(value, None)
        if type(value) is tuple:
            return gast.Tuple(list(map(self.expression, value)), gast.Load())
        if isinstance(value, enum.Enum):
            cls = load(global_name(type(value), type(value).__name__, self.facts))
            if value.name in type(value).__members__:
                return gast.Attribute(cls, value.name, gast.Load())
            return gast.Call(cls, [self.expression(value.value)], [])  # several flags
        stem = getattr(value, "__name__", "key")
        return load(global_name(value, stem if stem.isidentifier() else "key", self.facts))
