"""What the conditions, loops and macros of a template compute with: values that are known while it is expanded."""

from __future__ import annotations

import ast
import builtins
from functools import lru_cache
from typing import Any

import gast

from s2sad.core import clone
from s2sad.expansion.context import Context
from s2sad.expansion.macros import MACROS
from s2sad.expansion.refusal import NoDerivative
from s2sad.knowledge.rule import RuleError
from s2sad.runtime.decide import Look
from s2sad.runtime.decide import decide as looked_at


def decide(context: Context, node: Any) -> Any:
    """The value of a generation-time expression."""
    names = _Scope(context)
    try:
        return eval(_compiled(_Node(node)), {"__builtins__": {}}, names)
    except (NoDerivative, RuleError):
        raise
    except Exception as error:
        if context.template is not None and isinstance(error, (NameError, SyntaxError)):
            raise context.misused(f"{type(error).__name__}: {error}") from None
        raise context.unknown(f"an argument ({error})") from error


class _Scope(dict[str, Any]):
    """The names of a generation-time expression: parameters and locals, macros, globals of the template, builtins."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context

    def __missing__(self, name: str) -> Any:
        context = self.context
        if name in context.env:
            return context.value_of(name)
        if name == "active":
            return context.is_active
        if name in MACROS:
            function = MACROS[name]
            return lambda *args, **kwargs: function(context, *args, **kwargs)
        assert context.template is not None
        known = context.template.function.__globals__
        if name in known:
            return looked_at(looked_at(known, Look.NAME, name), Look.ALL)
        if hasattr(builtins, name):
            return getattr(builtins, name)
        raise NameError(f"name {name!r} is not defined")


class _Node:
    """A tree as a key of a cache: by identity."""

    def __init__(self, node: Any) -> None:
        self.node = node

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Node) and self.node is other.node

    def __hash__(self) -> int:
        return id(self.node)


@lru_cache(maxsize=4096)
def _compiled(key: _Node) -> Any:
    tree = ast.Expression(gast.gast_to_ast(clone(key.node)))
    return compile(ast.fix_missing_locations(tree), "<template>", "eval")
