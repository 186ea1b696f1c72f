"""The face of a derivative: its signature, its text, its help; how it is called, pickled and printed."""

from __future__ import annotations

import copy
import functools
import inspect
import os
import sys
import types
from collections.abc import Callable
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, cast, overload

import numpy as np

from s2sad.arguments import as_floats, why_not_differentiable
from s2sad.frontend.diagnostics import BadArgument, DerivationError, at_the_callers_line, error_at
from s2sad.frontend.source import function_tree
from s2sad.frontend.target import Target, Wrt, part_of, public_signature, set_part, target_of, wrt_names
from s2sad.highlight import as_html, highlighted
from s2sad.knowledge import tables
from s2sad.runtime.identity import Itself
from s2sad.store import Generated
from s2sad.twins import is_made_anew

EITHER = (inspect.Parameter.POSITIONAL_OR_KEYWORD,)

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R", covariant=True)

#: what `help(grad(f))` says where f says nothing
_HELP = """{}

show() prints the code that was derived for the latest call, explain() what it keeps and why, build(path) writes it to a
module of its own; specialize(*args) gives the generated function, without look-up and checks."""


class Derivative(Generic[P, R]):
    """A derivative of a function; it is called as its operator says. To a type checker, a `Derivative[P, R]` takes the
    parameters P of the function and returns R.

    Attributes:
        primal: the function it is a derivative of.
    """

    operator = "grad"
    extra: str | None = None
    primal: Any
    _target: Target
    #: the function's module is known by this while it is not loaded again
    _loaded: Any
    #: how often rules had been registered when the target was found
    _ruled: int
    #: parameters whose ints count as floats, here and in the derivatives inside
    _floats: tuple[str, ...]
    __name__: str
    __qualname__: str
    __signature__: inspect.Signature
    #: is it differentiated itself?
    _is_inner: bool = False

    def __init__(self, primal: Any, wrt: Wrt = 0, **options: Any) -> None:
        self._static = isinstance(primal, staticmethod)
        self.primal = primal.__func__ if isinstance(primal, staticmethod) else primal
        self._wrt = wrt
        self._options = options
        inner = primal.__func__ if isinstance(primal, types.MethodType) else primal
        self._inner: Derivative[..., Any] | None = None
        if isinstance(inner, Derivative):
            self._inner = inner.as_gradient().inside()
        self._aim()

    def _aim(self) -> None:
        """Find the function that the primal is now, and take over its name and signature."""
        if self._inner is not None:
            base = self._inner._target
            bound = (self.primal.__self__,) if isinstance(self.primal, types.MethodType) else ()
            self._target = Target(base.function, (*base.prefix, *bound), base.keywords)
        else:
            self._target = target_of(self.primal)
        functools.update_wrapper(self, self._target.function, updated=())
        self.__signature__ = public_signature(self._target, self.extra)
        self._loaded = _spec_of(self._target.function)
        self._ruled = tables.changes()[2]
        self._setup()
        self.__doc__ = self._target.function.__doc__ or _HELP.format(repr(self).strip("<>"))

    def _follow(self) -> None:
        """Go over to the function that a module holds under this name now that it has been loaded again."""
        if self._inner is not None:
            self._inner._follow()
            if self._inner._target.function is not self._target.function:
                self._aim()
        elif tables.changes()[2] != self._ruled:  # one for the function itself, perhaps
            self._aim()
        elif _spec_of(self._target.function) is not self._loaded:
            function = self._target.function
            now = _now(function)
            if now is not None and self.primal is function:
                self.primal = now
                self._aim()
            self._loaded = _spec_of(function)

    def as_gradient(self) -> Derivative[..., Any]:
        """What is differentiated where this is: itself, or the gradient that it comes to."""
        return self

    def inside(self) -> Derivative[..., Any]:
        """The same, to be differentiated: what is zero at a point may be none in its neighbourhood."""
        made = copy.copy(self)
        made._is_inner = True
        made._setup()
        return made

    def _setup(self, method: bool = False) -> None:
        """Resolve wrt. Called again when it turns out that the primal is a method of a class."""
        self._names, self._single = wrt_names(self._wrt, self._target, method, self.operator)
        inside = self._inner._floats if self._inner is not None else ()
        self._floats = tuple(dict.fromkeys((*self._names, *inside)))

    def __set_name__(self, owner: type, name: str) -> None:
        if isinstance(self.primal, types.FunctionType) and not self._static:
            self._setup(method=True)

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Derivative[P, R]: ...
    @overload
    def __get__(
        self: Derivative[Concatenate[Any, Q], R], instance: object, owner: type | None = None
    ) -> Callable[Q, R]: ...
    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None or self._static else types.MethodType(self, instance)

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        raise NotImplementedError

    # To look at

    @property
    def _strong_zero(self) -> bool:
        return bool(self._options.get("strong_zero", False))

    @property
    def _compiling(self) -> dict[str, Any]:
        """The options that say how this is compiled, for the derivative that it calls."""
        return {name: self._options[name] for name in ("compile", "compile_options") if name in self._options}

    @property
    def wrt(self) -> tuple[str, ...]:
        """The names of the parameters that the derivative is taken with respect to."""
        return self._names

    @property
    @at_the_callers_line
    def source(self) -> str:
        """The text of the derivative, as a module of its own: for the kinds of the latest derivation.

        Before any call, for the kinds that annotations and defaults promise.
        """
        return self._generated().text

    def _generated(self) -> Generated:
        raise NotImplementedError

    def show(self) -> None:
        """Print the source; in colours where Pygments is installed and the output is a terminal."""
        print(highlighted(self.source, sys.stdout), end="")

    def specialize(self, /, *args: P.args, **kwargs: P.kwargs) -> Callable[P, R]:
        """The generated function for the kinds of these arguments: no look-up, no checks, no conversion."""
        raise NotImplementedError

    def build(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the derivative to a module that needs s2sad no more: for the kinds of the latest derivation.

        Before any call, for the kinds that annotations and defaults promise.

        Args:
            path: the file. It is new, or was written by s2sad and not edited since.
            force: overwrite whatever file it is.

        Raises:
            DerivationError: the derivative cannot stand alone, or the file cannot be written.
        """
        raise self._no_module()

    def explain(self) -> None:
        """Print what is active, what is recorded and why, and what it costs: for the latest kinds."""
        raise self._no_module()

    def _no_module(self) -> BadArgument:
        return BadArgument(
            f"{self.operator} calls generated functions again and again: it is no module of its own.",
            "build or explain what it calls: grad(f), vjp(f) or jvp(f).",
        )

    def __repr__(self) -> str:
        return f"<{self.operator} of {self._target.function.__qualname__} with respect to {', '.join(self._names)}>"

    def _repr_html_(self) -> str:
        try:
            text = self.source
        except DerivationError as error:
            text = str(error)
        return as_html(text)

    def __reduce__(self) -> str | tuple[Any, ...]:
        found: Any = sys.modules.get(self.__module__)
        for part in self.__qualname__.split("."):
            found = getattr(found, part, None)
        if found is self and not (self.__module__ == "__main__" and _is_for_elsewhere()):
            return str(self.__qualname__)
        return _again, (type(self), self.primal, self._wrt, self._options)

    # Arguments

    def _bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> inspect.BoundArguments:
        """The primal's parameters with their values, defaults included; ints that stand for floats are made floats.

        Raises:
            BadArgument: the arguments do not fit the signature, or one in wrt has no derivative.
        """
        bound = self._fit(args, kwargs)
        bound.apply_defaults()
        for name in self._floats:
            set_part(bound.arguments, name, self._checked(name, part_of(bound.arguments, name)))
        return bound

    def _fit(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> inspect.BoundArguments:
        """The arguments under the names of the primal's parameters."""
        target = self._target
        try:
            return target.signature.bind(*target.prefix, *args, **{**target.keywords, **kwargs})
        except TypeError as error:
            name, passed = self.__name__, ", ".join(self.__signature__.parameters)
            raise BadArgument(
                f"The call does not fit {name}: {error}.", f"write {self.operator}({name})({passed})."
            ) from None

    def _check_last(self, word: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Is what comes behind the arguments missing?

        Raises:
            BadArgument: it is: the arguments fit the primal as they are.
        """
        bind, target = self._target.signature.bind, self._target
        keywords = {**target.keywords, **kwargs}
        try:
            bind(*target.prefix, *args[:-1], **keywords)
            return
        except TypeError:
            try:
                bind(*target.prefix, *args, **keywords)
            except TypeError:
                return
        passed = list(self.__signature__.parameters)
        raise BadArgument(
            f"the {word} is missing: it comes behind the arguments, and mirrors {', '.join(self._names)}",
            f"write {self.operator}({self.__name__})({', '.join(passed)})",
        )

    def _checked(self, name: str, value: Any) -> Any:
        problem = why_not_differentiable(value)
        if problem is None:
            return as_floats(value)
        reason, way = problem
        raise self._bad(f"The argument {name} of {self.__name__} is {reason}.", way)

    def _bad(self, reason: str, way_out: str) -> BadArgument:
        try:
            error = error_at(None, function_tree(self._target.function), reason, way_out, BadArgument)
            return cast(BadArgument, error)
        except DerivationError:
            return BadArgument(reason, way_out)


def leads_to_functions(key: Any) -> bool:
    """Is there a callable in the key of arguments that is made anew, or may hold such? It may be captured as well.

    >>> from s2sad.kinds.bind import signature_key
    >>> leads_to_functions(signature_key((1.0, [np.sin, len]))), leads_to_functions(signature_key(([lambda: 1],)))
    (False, True)
    """
    if type(key) in (tuple, frozenset):
        return any(map(leads_to_functions, key))
    value = key.value if type(key) is Itself else key
    if type(value) is types.FunctionType:
        return is_made_anew(value)
    return callable(value) and not isinstance(value, (type, types.BuiltinFunctionType, np.ufunc, type(np.sum)))


def _spec_of(function: types.FunctionType) -> Any:
    """What `importlib.reload` replaces in the module of a function."""
    return function.__globals__.get("__spec__")


def _now(function: types.FunctionType) -> types.FunctionType | None:
    """The function that has taken the place of a module's function."""
    found = function.__globals__.get(function.__qualname__)
    if isinstance(found, Derivative):  # a decorated one
        found = found.primal
    if not isinstance(found, types.FunctionType) or hasattr(found, "__wrapped__"):
        return None
    same = found.__globals__ is function.__globals__ and found.__qualname__ == function.__qualname__
    return found if same else None


def _is_for_elsewhere() -> bool:
    """Is it cloudpickle (joblib's or Dask's too) that asks for what to write? It takes what is in `__main__` along."""
    frame: types.FrameType | None = sys._getframe(2)
    while frame is not None and str(frame.f_globals.get("__name__")).startswith("s2sad"):
        frame = frame.f_back
    return frame is not None and "cloudpickle" in str(frame.f_globals.get("__name__"))


def _again(cls: type[Derivative[P, R]], primal: Any, wrt: Wrt, options: dict[str, Any]) -> Derivative[P, R]:
    return cls(primal, wrt, **options)
