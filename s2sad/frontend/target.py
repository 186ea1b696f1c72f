"""What an operator was given: the function to derive, what is bound to it, and the parameters that wrt names."""

from __future__ import annotations

import functools
import inspect
import operator
import types
from dataclasses import dataclass, field
from typing import Any

from s2sad.frontend.diagnostics import BadArgument
from s2sad.frontend.source import plain_function, source_error
from s2sad.kinds.bind import is_open

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)

Wrt = int | str | tuple[int | str, ...] | list[int | str]


@dataclass
class Target:
    """A callable taken apart: `function(*prefix, ..., **keywords)`."""

    function: types.FunctionType
    prefix: tuple[Any, ...] = ()
    keywords: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._described: tuple[tuple[Any, ...], inspect.Signature, bool] = (), inspect.Signature(), False

    @property
    def signature(self) -> inspect.Signature:
        """The signature of `function` itself, with what is bound."""
        return self._describe()[1]

    def given(self, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None) -> dict[str, Any]:
        """What parameters are given by the target itself, and by these arguments of a call."""
        bound = self.signature.bind_partial(*self.prefix, *args, **{**self.keywords, **(kwargs or {})})
        return dict(bound.arguments)

    @property
    def is_open(self) -> bool:
        """Is there an array or a container among the defaults, which a call may meet again in another form?"""
        return self._describe()[2]

    def _describe(self) -> tuple[tuple[Any, ...], inspect.Signature, bool]:
        function, described = self.function, self._described
        keywords = function.__kwdefaults__ or {}
        made_of = function.__code__, function.__defaults__, *keywords, *keywords.values()
        # the defaults of a function may be replaced, and those of keywords one by one
        if len(made_of) != len(described[0]) or any(map(operator.is_not, made_of, described[0])):
            defaults = *(function.__defaults__ or ()), *keywords.values()
            signature = inspect.signature(function, follow_wrapped=False)
            described = self._described = made_of, signature, any(map(is_open, defaults))
        return described


def target_of(primal: Any) -> Target:
    """Take a callable apart.

    Args:
        primal: a function, method, partial, wrapper that says what it wraps (such as lru_cache's), or an object whose
            class defines `__call__` in Python.

    Raises:
        NoSource: it has no Python function in it.
    """
    from s2sad.foreign import caller_of  # the rules are loaded when they are first needed

    if isinstance(primal, functools.partial):
        inner = target_of(primal.func)
        return Target(inner.function, (*inner.prefix, *primal.args), {**inner.keywords, **primal.keywords})
    if isinstance(primal, types.MethodType):
        inner = target_of(primal.__func__)
        return Target(inner.function, (*inner.prefix, primal.__self__), inner.keywords)
    if isinstance(primal, staticmethod):
        return target_of(primal.__func__)
    if isinstance(primal, classmethod):
        raise BadArgument("A classmethod is not yet bound to its class here.", "write @classmethod above, not below.")
    by_rule = caller_of(primal)
    if by_rule is not None:
        return Target(by_rule)
    if isinstance(primal, types.FunctionType):
        return Target(primal)
    compiled = getattr(primal, "py_func", None)  # of Numba: what was compiled
    if isinstance(compiled, types.FunctionType):
        return Target(compiled)
    wrapped = getattr(primal, "__wrapped__", None)
    if wrapped is not None and isinstance(primal, functools._lru_cache_wrapper):
        return target_of(wrapped)
    call = inspect.getattr_static(type(primal), "__call__", None)
    if isinstance(call, types.FunctionType) and not isinstance(primal, type):
        return Target(call, (primal,))
    return Target(plain_function(primal))


def wrt_names(
    wrt: Any, target: Target, skip_self: bool = False, operator: str = "grad"
) -> tuple[tuple[str, ...], bool]:
    """The parameters that `wrt` means, and whether it was one (not a tuple).

    Args:
        wrt: a position, a name, or a tuple or list of them. Positions count the parameters that the caller passes;
            negative ones from the end.
        skip_self: the function is known to be a method: positions count from the parameter after self.

    Raises:
        BadArgument: a position out of range, an unknown name, a repetition, nothing at all, or something else.
    """
    function = target.function
    parameters = list(target.signature.parameters.values())
    skip_self = skip_self or _is_method(function)
    bound = len(target.prefix) + (1 if skip_self and not target.prefix else 0)
    positional = [p.name for p in parameters if p.kind in _POSITIONAL][bound:]
    positional = [n for n in positional if n not in target.keywords]
    names = [p.name for p in parameters if p.name not in target.keywords]
    single = not isinstance(wrt, (tuple, list))
    several = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), None)

    def refuse(reason: str) -> BadArgument:
        known = ", ".join(names) or "none"
        plain = source_error(function, reason, f"the parameters of {function.__name__} are: {known}.")
        return BadArgument(
            plain.reason,
            plain.way_out,
            file=plain.file,
            line=plain.line,
            text=plain.text,
            start=plain.start,
            end=plain.end,
        )

    found: list[str] = []
    for item in (wrt,) if single else wrt:
        if isinstance(item, str):
            name = item if item in names else _passed_on(target, item, positional, bound)
            if name not in names and not (several is not None and name.startswith(f"{several}[")):
                raise refuse(f"wrt={wrt!r}: {function.__name__} has no parameter {item!r}.")
        elif isinstance(item, int) and not isinstance(item, bool):
            if item >= len(positional) and several is not None:
                name = f"{several}[{item - len(positional)}]"
            elif not -len(positional) <= item < len(positional) or (item < 0 and several is not None):
                count = len(positional)
                raise refuse(
                    f"wrt={wrt!r}: {function.__name__} has {count} positional parameter{'s' * (count != 1)}, "
                    f"so that position {item} is out of range (positions count from 0)."
                )
            else:
                name = positional[item]
        else:
            raise BadArgument(
                f"wrt={wrt!r}: {item!r} is neither a position nor a name.",
                f"write {operator}(f, wrt=0), wrt='x' or wrt=('x', 'y').",
            )
        if name in found:
            raise refuse(f"wrt={wrt!r} names {name} twice.")
        found.append(name)
    if not found:
        raise refuse("wrt=() names no parameter.")
    return tuple(found), single


def _passed_on(target: Target, name: str, positional: list[str], bound: int) -> str:
    """What a wrapper calls the parameter `name` of the function that it wraps, where it is passed by position."""
    wrapped = getattr(target.function, "__wrapped__", None)
    several = next((p.name for p in target.signature.parameters.values() if p.kind is p.VAR_POSITIONAL), None)
    if wrapped is None or several is None:
        return name
    theirs = [p.name for p in inspect.signature(wrapped).parameters.values() if p.kind in _POSITIONAL][bound:]
    if name not in theirs:
        return name
    place = theirs.index(name)
    return positional[place] if place < len(positional) else f"{several}[{place - len(positional)}]"


def root_of(name: str) -> str:
    """The parameter that a name in wrt is a part of.

    >>> root_of("rest[0]"), root_of("x")
    ('rest', 'x')
    """
    return name.partition("[")[0]


def part_of(arguments: dict[str, Any], name: str) -> Any:
    """The argument that a name in wrt stands for: one of `*args`, too.

    >>> part_of({"x": 1.0, "rest": (2.0, 3.0)}, "rest[1]")
    3.0
    """
    root, _, place = name.partition("[")
    value = arguments[root]
    if not place:
        return value
    if int(place[:-1]) >= len(value):
        raise TypeError(f"{root} holds {len(value)} arguments here: there is no {name}")
    return value[int(place[:-1])]


def set_part(arguments: dict[str, Any], name: str, value: Any) -> None:
    """Put another argument in the place that a name in wrt stands for."""
    root, _, place = name.partition("[")
    if place:
        held = arguments[root]
        value = (*held[: int(place[:-1])], value, *held[int(place[:-1]) + 1 :])
    arguments[root] = value


def _is_method(function: types.FunctionType) -> bool:
    """Was this function defined in a class, to be called on an instance or on the class?"""
    parts = function.__qualname__.split(".")
    first = function.__code__.co_varnames[: function.__code__.co_argcount][:1]
    return len(parts) > 1 and parts[-2] != "<locals>" and first in (("self",), ("cls",))


def public_signature(target: Target, extra: str | None = None) -> inspect.Signature:
    """The signature that the caller of the derivative sees.

    Args:
        extra: one more parameter in the end (a tangent).
    """
    parameters = list(target.signature.parameters.values())
    positional = [p for p in parameters if p.kind in _POSITIONAL][: len(target.prefix)]
    parameters = [p for p in parameters if p not in positional and p.name not in target.keywords]
    if extra is not None:
        taken = {p.name for p in parameters}
        while extra in taken:
            extra += "_"
        plain = [p.replace(default=inspect.Parameter.empty) for p in parameters if p.kind in _POSITIONAL]
        rest = [p for p in parameters if p.kind not in _POSITIONAL]
        kind = plain[-1].kind if plain else inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters = [*plain, inspect.Parameter(extra, kind), *rest]
    return inspect.Signature(parameters)


def is_callable_target(value: Any) -> bool:
    """May this stand where an operator takes a function?"""
    return callable(value) or isinstance(value, (staticmethod, classmethod))
