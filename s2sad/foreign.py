"""Functions that are derived by their rule rather than by their source: a function in Python that calls them."""

from __future__ import annotations

import inspect
import linecache
import sys
import types
from typing import Any

from s2sad.frontend.names import is_installed
from s2sad.knowledge import registry

#: by the identity of what is called, which the functions keep alive
_made: dict[int, types.FunctionType] = {}


def caller_of(target: Any) -> types.FunctionType | None:
    """A Python function that does nothing but call a function that has a rule; None for one that has none.

    >>> import numpy as np
    >>> print(inspect.getsource(caller_of(np.sum)), end="")
    def sum(a, *args, **kwargs):
        return np.sum(a, *args, **kwargs)
    """
    known = _made.get(id(target))
    if known is not None:
        return known
    own = isinstance(target, types.FunctionType) and not is_installed(target)
    rule = registry.registered(target) if own else registry.lookup(target)
    if rule is None:
        return None
    template = next((t for t in (*rule.templates, rule.definition) if t is not None), None)
    parameters = template.parameters if template is not None else [_FIRST]
    name = rule.name.rpartition(".")[2]
    outer, call = _reached_by(target, rule.name)
    passed = _parameters(parameters)
    function = written_function(name, passed, f"{call}({passed})", f"<s2sad calls {rule.name}>", outer)
    function.__doc__ = getattr(target, "__doc__", None)
    _made[id(target)] = function
    return function


def written_function(name: str, head: str, body: str, file: str, outer: dict[str, Any]) -> types.FunctionType:
    """A function that returns an expression, and whose text can be read."""
    text = f"def {name}({head}):\n    return {body}\n"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    made: dict[str, Any] = {}
    exec(compile(text, file, "exec"), outer, made)
    function: types.FunctionType = made[name]
    return function


_FIRST = inspect.Parameter("x", inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _reached_by(target: Any, name: str) -> tuple[dict[str, Any], str]:
    """The names through which a function is called, and the call's: as in code that imports NumPy as np."""
    module, _, own = name.rpartition(".")
    root = module.partition(".")[0]
    outer = sys.modules.get({"np": "numpy"}.get(root, root))
    found: Any = outer
    for part in name.split(".")[1:]:
        found = getattr(found, part, None)
    if not module or found is not target or root == "__main__":
        return {"__name__": __name__, own: target}, own
    return {"__name__": __name__, root: outer}, name


def _parameters(parameters: list[inspect.Parameter]) -> str:
    """The parameters that have to be given, and behind them what may be given besides."""
    needed = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD and p.default is p.empty]
    several = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    optional = len(needed) + several < len(parameters)
    return ", ".join([*needed, *["*args"] * (several or optional), *["**kwargs"] * optional])
