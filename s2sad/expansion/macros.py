"""The functions that templates call while they are expanded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2sad.knowledge.rule import RuleError

#: by name
MACROS: dict[str, Callable[..., Any]] = {}


def macro(function: Callable[..., Any]) -> Callable[..., Any]:
    """Register a generation-time function for templates.

    It is called by name with the expansion context first, then the arguments: operands, or plain values where the
    template has literals. It returns an Operand, a gast expression, a plain value, or ZERO.
    """
    if function.__name__ in MACROS:
        raise RuleError(f"there is a macro {function.__name__} already")
    MACROS[function.__name__] = function
    return function
