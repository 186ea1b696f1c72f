"""Functions and statements that are being lowered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Changed(frozenset[Any]):
    """The items of a set that was changed in place: in which order it gives them, its history says."""


class Standing(NamedTuple):
    """A statement that is being lowered."""

    statement: Any
    frame: Any


@dataclass
class Frame:
    """A function being lowered: the user's own, or a callee that is written out at its call."""

    id: int
    source: Any
    parent: int | None
    #: names declared nonlocal or local-by-assignment
    bound: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    globals_declared: set[str] = field(default_factory=set)
    #: has what is lowered run to its end before, so that nothing in it raises?
    proven: bool = False
    #: who called it, and where
    caller: Frame | None = None
    call_node: Any = None
    #: what it was called with, and how many run-time branches and loops were open then
    arguments: dict[str, Any] | None = None
    branches: int = 0
    turning: int = 0
    #: the function that was called, with what it has captured; None for the user's own
    function: Any = None
    #: the place of the call
    site: Any = None
