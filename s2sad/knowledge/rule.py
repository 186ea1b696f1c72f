"""A rule: the templates of one function, and what they say of it."""

from __future__ import annotations

import inspect
import linecache
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

#: the annotation of an option that a template hands on, so that it need not be known: `mode: HANDED_ON = "full"`
HANDED_ON = "handed on"


class RuleError(TypeError):
    """A rule that does not fit: wrong signature, registered twice, for a function that does not exist. Says where."""


@dataclass(frozen=True)
class Condition:
    """The calls that a definition is for, where other calls of the function have templates."""

    #: those that give one of these arguments another value than its default,
    given: tuple[str, ...] = ()
    #: or in which one of these is active,
    active: tuple[str, ...] = ()
    #: or of which this is true (of what is known of the arguments by name: s2sad.normal.calls.Arguments)
    when: Callable[[Any], bool] | None = None


@dataclass(eq=False)
class Template:
    """A template function and its tree, which is parsed when it is first needed."""

    function: types.FunctionType
    #: lazy: copes with cotangents smaller than y; broadcasts: contributions have y's shape and are fitted;
    #: permutes: y holds the elements of the active argument in another arrangement;
    #: selects: y is made of some of the elements of an argument, what is left out has a zero derivative;
    #: counts: how often y holds each element of the first argument is what the second says, perhaps never
    options: frozenset[str]
    #: is it the function itself, with no parameter for the result?
    defines: bool = False
    #: the calls that a definition is for; None for all
    condition: Condition | None = None
    #: parameters that older versions of the function do not have
    newer: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        code = self.function.__code__
        return f"{code.co_filename}:{code.co_firstlineno}"

    @cached_property
    def parameters(self) -> list[inspect.Parameter]:
        """The parameters of the primitive: those of the template after the result."""
        return list(inspect.signature(self.function).parameters.values())[0 if self.defines else 1 :]

    @cached_property
    def result(self) -> str:
        """The name that stands for the result."""
        return next(iter(inspect.signature(self.function).parameters))

    @cached_property
    def body(self) -> list[Any]:
        """The statements of the template (gast), without its docstring."""
        import gast

        code = self.function.__code__
        lines = linecache.getlines(code.co_filename, self.function.__globals__)[code.co_firstlineno - 1 :]
        if not lines:
            raise RuleError(f"{self.place}: the source of this template is not to be had")
        source = "".join(inspect.getblock(lines))
        import textwrap

        body: list[Any] = gast.parse(textwrap.dedent(source)).body[0].body
        if isinstance(body[0], gast.Expr) and isinstance(body[0].value, gast.Constant):
            body = body[1:]
        return body

    @cached_property
    def of_several(self) -> bool:
        """Does it ask for the cotangent of one of several results: d[y[0]]?"""
        import gast

        asked = [n.slice for s in self.body for n in gast.walk(s) if isinstance(n, gast.Subscript)]
        parts = [n.value for n in asked if isinstance(n, gast.Subscript)]
        return any(isinstance(value, gast.Name) and value.id == self.result for value in parts)

    @cached_property
    def values(self) -> list[Any]:
        """What its statements return, and give names to."""
        import gast

        nodes = [n for s in self.body for n in gast.walk(s)]
        return [n.value for n in nodes if isinstance(n, (gast.Return, gast.Assign)) and n.value is not None]

    @cached_property
    def compares(self) -> bool:
        """Is a comparison in what it returns?"""
        import gast

        returned = [s.value for s in self.body if isinstance(s, gast.Return)]
        return any(isinstance(n, gast.Compare) for value in returned for n in gast.walk(value))

    @property
    def doc(self) -> str:
        return inspect.getdoc(self.function) or ""


@dataclass
class Rule:
    """All that is known of the derivative of one function."""

    target: Any
    name: str
    #: the module in which bare names of the templates are looked up: math for math.sin, numpy for np.sin
    namespace: Any
    partials: Template | None = None
    linear: Template | None = None
    adjoint: Template | None = None
    tangent: Template | None = None
    #: the function in plain Python, without a parameter for the result: calls with active arguments are written out
    definition: Template | None = None
    zero: bool = False
    zero_place: str = ""
    aliases: dict[str, str] = field(default_factory=dict)

    @property
    def forward(self) -> bool:
        """Is there a forward rule?"""
        return bool(self.zero or self.partials or self.linear or self.tangent or self.definition)

    @property
    def reverse(self) -> bool:
        """Is there a reverse rule?"""
        return bool(self.zero or self.partials or self.linear or self.adjoint or self.definition)

    @property
    def is_broadcast(self) -> bool:
        """Are the arguments broadcast against each other?"""
        return self.partials is not None or any("broadcasts" in t.options for t in self.templates)

    @property
    def selects(self) -> bool:
        """Is the result made of some of the elements of an argument?"""
        if any("selects" in t.options for t in self.templates):
            return True
        return self.partials is not None and self.partials.compares

    @property
    def counts(self) -> tuple[str, int] | None:
        """Name and position of the argument that says how often the elements of the first are in the result."""
        found = next((t for t in self.templates if "counts" in t.options), None)
        return None if found is None else (found.parameters[1].name, 1)

    @property
    def templates(self) -> list[Template]:
        return [t for t in (self.partials, self.linear, self.adjoint, self.tangent) if t is not None]

    @property
    def doc(self) -> str:
        """Conventions at kinks, and sources."""
        said = dict.fromkeys(t.doc for t in (*self.templates, self.definition) if t is not None and t.doc)
        return "\n".join(doc for doc in said if not any(doc != other and doc in other for other in said))

    @property
    def cost(self) -> str:
        """Why the gradient takes more than a few times the function's time: what `Cost:` in a docstring says."""
        docs = [t.doc for t in (*self.templates, self.definition) if t is not None]
        said = [part.removeprefix("Cost:") for doc in docs for part in doc.split("\n\n") if part.startswith("Cost:")]
        return " ".join(said[0].split()) if said else ""

    @property
    def place(self) -> str:
        first = self.templates[0] if self.templates else self.definition
        return self.zero_place if first is None else first.place

    @property
    def modes(self) -> str:
        """What `s2sad rules` prints: the form of the rule."""
        if self.zero:
            return "zero"
        if self.definition and not self.templates:
            return "definition"
        if self.partials:
            return "elementwise"
        if self.linear:
            return "linear"
        return " and ".join(m for m, t in (("reverse", self.adjoint), ("forward", self.tangent)) if t)


# -- registration ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Functional:
    """How a solver calls the functions that it is given; see `takes_functions`."""

    functions: tuple[str, ...]
    leading: tuple[str, ...]
    stem: str
    result: str | None = None
    results: dict[str, tuple[Any, ...]] | None = None
    cls: Any = None
    first: str = "x"
    any_args: bool = False
    #: those of its parameters that take a function or a row of them, with the attributes that are read of these
    rows: dict[str, tuple[str, ...]] = field(default_factory=dict)
