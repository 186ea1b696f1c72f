"""Functions that are derived by their rule rather than by their source: a function in Python that calls them."""

from __future__ import annotations

import inspect
import itertools
import linecache
import sys
import types
from typing import Any

import numpy as np

from s2sad.frontend.names import is_installed
from s2sad.frontend.target import public_signature, target_of
from s2sad.knowledge import registry

#: by the identity of what is called, which the functions keep alive
_made: dict[int, types.FunctionType] = {}
_counter = itertools.count()


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
    function = _function(name, passed, f"{call}({passed})", f"<s2sad calls {rule.name}>", outer)
    function.__doc__ = getattr(target, "__doc__", None)
    _made[id(target)] = function
    return function


def sum_of(primal: Any) -> types.FunctionType:
    """The function whose gradient is the elementwise gradient of a function.

    >>> import numpy as np
    >>> print(inspect.getsource(sum_of(np.sqrt)), end="")
    def sum_of_sqrt(x):
        return np.sum(sqrt(x))
    """
    target = target_of(primal)
    parameters = list(public_signature(target).parameters.values())
    called = target.function.__name__ if target.function.__name__.isidentifier() else "f"
    while any(called == p.name for p in parameters):
        called += "_"
    heads = [p.replace(annotation=p.empty, default=p.empty if p.default is p.empty else None) for p in parameters]
    stars: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    named = (inspect.Parameter.KEYWORD_ONLY,)
    passed = (f"{p.name}={p.name}" if p.kind in named else stars.get(p.kind, "") + p.name for p in parameters)
    file = f"<s2sad sums {called} {next(_counter)}>"
    head, body = str(inspect.Signature(heads))[1:-1], f"np.sum({called}({', '.join(passed)}))"
    function = _function(f"sum_of_{called}", head, body, file, {"__name__": __name__, "np": np, called: primal})
    with_default = [p for p in parameters if p.default is not p.empty]
    function.__kwdefaults__ = {p.name: p.default for p in with_default if p.kind in named}
    function.__defaults__ = tuple(p.default for p in with_default if p.kind not in named)
    return function


def _function(name: str, head: str, body: str, file: str, outer: dict[str, Any]) -> types.FunctionType:
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
