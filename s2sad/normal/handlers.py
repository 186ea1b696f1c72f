"""What calls of builtins and of some library functions are lowered by: tables that the rooms of handlers fill."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
#: what builtins and some library functions do with abstract values
BUILTINS: dict[Any, Any] = {}
#: those of them that store into what they are given, whatever the values are
PRIMITIVE_MUTATORS: dict[Any, Any] = {}
#: what iterators of itertools give, by the functions that make them
ITERTOOLS: dict[Any, Any] = {}
ENDLESS = {itertools.count, itertools.cycle}
#: those that take all items of what they are given where they are made
POOLS = {
    *(itertools.product, itertools.combinations, itertools.permutations),
    itertools.combinations_with_replacement,
}


def itertool(function: Any) -> Callable[[F], F]:
    """Register what gives the items of an iterator that a function of itertools makes."""

    def register(handler: F) -> F:
        ITERTOOLS[function] = handler
        return handler

    return register


def builtin(*functions: Any) -> Callable[[F], F]:
    """Register what calls of functions are lowered by, a handler: `@builtin(sorted)` above its definition.

    It is given what stands for the function, the arguments and the keyword arguments, and returns the value
    of the call, or NotImplemented where the call is none of its own.
    """

    def register(handler: F) -> F:
        BUILTINS.update(dict.fromkeys(functions, handler))
        return handler

    return register


#: what statements and expressions are lowered by, by their nodes
LOWERED_BY: dict[type, Any] = {}


def lowers(*nodes: type) -> Callable[[F], F]:
    """Register what statements or expressions of some kinds are lowered by: `@lowers(gast.AugAssign)`.

    It is given the run and the node. What lowers an expression returns its value; what lowers a statement returns
    whether control reaches what follows: None where it always does.
    """

    def register(handler: F) -> F:
        LOWERED_BY.update(dict.fromkeys(nodes, handler))
        return handler

    return register
