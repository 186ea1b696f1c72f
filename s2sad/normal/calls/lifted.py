"""Derivatives of functions that are made here: what these read beside their arguments is passed to them.

def f(x, t):                                       def square(y, *, x): return y * y * x
    def square(y): return y * y * x         ->
    return grad(square)(x * t)                     def f(x, t): return grad(square)(x * t, x=x)
"""

from __future__ import annotations

import functools
import itertools
import linecache
import types
from collections.abc import Collection, Hashable
from dataclasses import dataclass
from typing import Any

import gast

from s2sad.analysis.known_calls import METHODS
from s2sad.core import clone, names_bound, text, walk, walk_names
from s2sad.normal.above import call_derivative, evaluate, hold
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import Closure, Known, Leaf, Ref, Tup, Value
from s2sad.normal.values.classes import find_frame
from s2sad.runtime.identity import key_of

_counter = itertools.count(1)


@dataclass(frozen=True, eq=False)
class DerivativeOf:
    """An operator applied to a function that is made here: it reads what that reads when it is called."""

    operator: Any
    function: Closure
    args: tuple[Any, ...]
    kwargs: tuple[tuple[str, Any], ...]

    def call(self, run: Run, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
        """Its derivative, called; None where the function does more than to read what is around it."""
        found = _captured(run, self.function)
        if found is None or (left := self.defaults(args, kwargs)) is None:
            return None
        given, constants = found
        lines = _definition(self.function.source.tree, sorted(given))
        around = self.function.source.globals
        names = tuple(sorted((name, key_of(value)) for name, value in constants.items()))
        made = _derivative(self.operator, _Names(around, constants, names), lines, self.args, self.kwargs)
        value: Value = call_derivative(run, made, args, {**left, **kwargs, **given})
        return value

    def defaults(self, args: list[Value], kwargs: dict[str, Value]) -> dict[str, Value] | None:
        """The arguments that are left at their defaults; None where these cannot be passed by name."""
        arguments, values = self.function.source.tree.args, self.function.defaults
        names = [a.id for a in arguments.args]
        if arguments.posonlyargs and values:
            return None
        first = len(names) - len(values)
        left = {n: v for k, (n, v) in enumerate(zip(names[first:], values, strict=True), first) if k >= len(args)}
        pairs = zip(arguments.kwonlyargs, self.function.kw_defaults, strict=True)
        return {**left, **{a.id: v for a, v in pairs if v is not None}}


class _Names:
    """What names stand for around a function, told apart by the objects."""

    def __init__(self, around: dict[str, Any], constants: dict[str, Any], names: Hashable) -> None:
        self.around, self.constants, self.key = around, constants, (id(around), names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Names) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@functools.lru_cache(maxsize=256)
def _derivative(operator: Any, names: _Names, lines: str, args: tuple[Any, ...], kwargs: tuple[Any, ...]) -> Any:
    return operator(_function(names, lines), *args, **dict(kwargs))


def _function(names: _Names, lines: str) -> types.FunctionType:
    """A function of its text; the constants are variables around it."""
    inner = "\n".join(f"    {line}" for line in lines.splitlines())
    name = lines.partition("(")[0].removeprefix("def ")
    whole = f"def around({', '.join(names.constants)}):\n{inner}\n    return {name}\n"
    file = f"<{name} {next(_counter)}>"
    linecache.cache[file] = (len(whole), None, whole.splitlines(keepends=True), file)
    space: dict[str, Any] = {}
    exec(compile(whole, file, "exec", dont_inherit=True), names.around, space)
    made: types.FunctionType = space["around"](*names.constants.values())
    return made


def _definition(tree: Any, captured: list[str]) -> str:
    """The text of a function with keyword arguments for what it reads beside its own.

    >>> from s2sad.core import statements
    >>> print(_definition(statements("def g(y, z=1.0):\\n    return y * x")[0], ["x"]))
    def g(y, z, *, x):
        return y * x
    """
    made = clone(tree)
    made.name = "function" if tree.name == "lambda_" else tree.name
    made.decorator_list, made.returns = [], None
    arguments = made.args
    arguments.defaults, arguments.kw_defaults = [], [None] * len(arguments.kwonlyargs)
    arguments.kwonlyargs = [*arguments.kwonlyargs, *(gast.Name(n, gast.Param(), None, None) for n in captured)]
    arguments.kw_defaults = [*arguments.kw_defaults, *[None] * len(captured)]
    return text(made)


def _captured(run: Run, function: Closure) -> tuple[dict[str, Value], dict[str, Any]] | None:
    """What a function reads beside its arguments: values of the run, and constants. None where it may change one, or
    reads what cannot be passed."""
    tree = function.source.tree
    nodes = list(walk(tree))
    refused = (gast.Nonlocal, gast.Global, gast.Yield, gast.YieldFrom, gast.Await, gast.ClassDef)
    if function.frame is None or any(isinstance(n, refused) for n in nodes) or tree.args.kwarg is not None:
        return None
    names = {n.id for n in walk_names(tree.body)}
    bound = {n.id for n in nodes if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)}
    own = names_bound(tree.body) | bound
    given: dict[str, Value] = {}
    constants: dict[str, Any] = {}
    here, run.frame = run.frame, run.frames[function.frame]
    try:
        for name in sorted(names - own):
            if find_frame(run, name) is None and name not in function.source.closure:
                continue  # of the module
            value = evaluate(run, gast.Name(name, gast.Load(), None, None))
            if isinstance(value, Known):
                constants[name] = value.value
            elif isinstance(value, (Leaf, Ref, Tup)):
                given[name] = hold(run, value)
            else:
                return None
    finally:
        run.frame = here
    return None if any(_may_change(n, given) for n in nodes) else (given, constants)


def _may_change(node: Any, given: Collection[str]) -> bool:
    """May it change a container, an array or an object of these?"""
    if isinstance(node, (gast.Subscript, gast.Attribute)):
        return not isinstance(node.ctx, gast.Load)
    if isinstance(node, gast.AugAssign):
        return getattr(node.target, "id", "") in given
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Attribute):
        return False
    known = METHODS.get(node.func.attr)
    reads = known is not None and known.effect == "none" and not known.writes
    return not reads and any(n.id in given for n in walk_names(node.func.value))
