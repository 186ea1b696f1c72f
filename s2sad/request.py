"""What is asked of the compiler and what it hands back: the seam between the public operators and `s2sad.derive`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from s2sad.core import Facts

Result = Literal["grad", "value_and_grad", "vjp", "jvp"]


@dataclass(frozen=True)
class Request:
    """Which derivative of a function is wanted.

    The generated function has the parameters of the primal, defaults included, and returns, by `result`:

    - "grad": the derivative of a scalar result; `single` gives it bare, otherwise a tuple in the order of `wrt`;
    - "value_and_grad": the pair (value, that derivative);
      with `aux`, "grad" returns the pair (derivative, other) and "value_and_grad" ((value, other), derivative);
    - "vjp": the pair (value, pullback); `pullback(cotangent)` returns what "grad" would, and may be called repeatedly;
    - "jvp": the pair (value, tangent of the value); behind the primal's parameters come the tangents, one
      parameter for each name in `wrt`, in that order; the parameters before them have no defaults then (keyword-only
      parameters, where the primal has `*args` or
      keyword-only parameters; their names are then in `Derived.tangents`).
    """

    result: Result
    wrt: tuple[str, ...]
    single: bool
    #: does the function return a pair, of which the second is handed on as it is? ("grad" and "value_and_grad" alone)
    aux: bool = False
    #: is the product of a cotangent or tangent that is zero with a slope always zero, be the slope infinite or nan?
    strong_zero: bool = False
    #: is the function a derivative itself, whose arrays of zeros stand for what was left out?
    again: bool = False
    #: is the derivative differentiated itself? Then it is right in the neighbourhood of the point, too
    inner: bool = False


@dataclass
class Derived:
    """The derivative as trees.

    `functions` are gast FunctionDefs in the order of printing, the one that was asked for (called `name`) last. A free
    name in them stands for `facts.globals[name]`; a free name that is not there is a builtin.
    """

    name: str
    functions: list[Any]
    facts: Facts
    #: the names of the tangent parameters of a "jvp", in the order of wrt
    tangents: tuple[str, ...] = ()
    #: the stages on the way, each a function that runs, by name, first to last ("normal", "adjoint", ...)
    stages: dict[str, Any] = field(default_factory=dict)
    #: what was decided for values that the backward sweep reads: (name, "taped" | "computed again" | "copied", why)
    decisions: list[tuple[str, str, str]] = field(default_factory=list)
    #: the first line of the primal's docstring, as the functions that are called say it, by their names
    lines: dict[str, str] = field(default_factory=dict)
    #: functions that the stages may call
    support: list[Any] = field(default_factory=list)
    #: what was looked at outside of the function, in words: code that is used without its conditions is right for that
    looked_at: list[str] = field(default_factory=list)
    #: does the function change what it is given, so that it matters which of it shares memory, also with other objects?
    changes_arguments: bool = False
