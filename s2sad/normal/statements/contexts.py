"""Loops that are being lowered: their turns, and how they are left."""

from __future__ import annotations

from collections.abc import Callable as Function
from dataclasses import dataclass, field
from typing import Any

from s2sad.core import Stmt
from s2sad.frontend.diagnostics import DerivationError
from s2sad.normal.iteration.watch import Ahead, Watch
from s2sad.normal.values.abstract import State, Value

#: a loop over items known one by one is written out up to so many turns
LONGEST = 256
CHANGED_IN_BODY = "what this loop runs over is changed in its body", "run over a copy: list(...)"


@dataclass(eq=False)
class Turns:
    """The items of a loop that is written out, and how to see them anew where the body changes what it runs over."""

    items: list[Value]
    value: Value
    anew: Function[[], list[Value]] | None
    #: what lists and dicts held, and how many stores there had been, when the items were looked at
    held: dict[int, list[Value]] = field(default_factory=dict)
    stores: int = 0
    #: what the iterators read that it runs over
    watches: list[Watch] = field(default_factory=list)
    #: what was computed ahead of the first turn
    ahead: list[Ahead] = field(default_factory=list)
    #: what computes the item of a turn when it begins, where `items` only say how many there are
    at: Function[[int], Value] | None = None


@dataclass(eq=False)
class LoopContext:
    """The exits of a loop being lowered: the state and the block where each one leaves."""

    frame: int
    continues: list[tuple[State, list[Stmt]]] = field(default_factory=list)
    breaks: list[tuple[State, list[Stmt]]] = field(default_factory=list)
    returned: bool = False
    plain_breaks: int = 0
    #: does control never reach the end of a loop that was written out?
    ended: bool = False
    #: of a loop whose turns are written out into branches: the loop, its items, what follows it, the turn being lowered
    node: Any = None
    turns: Turns | None = None
    rest: list[Any] = field(default_factory=list)
    ends: list[tuple[State, list[Stmt]]] = field(default_factory=list)
    follow: bool = False
    position: int = 0
    #: of a loop at run time: the names that its turns bind, and why those are refused that are read before that
    binds: frozenset[str] = frozenset()
    #: the changes after which control always leaves the loop: of each list that they are noted in, from where to where
    leaving: list[tuple[list[str], int, int]] = field(default_factory=list)
    early: list[DerivationError] = field(default_factory=list)


@dataclass(eq=False)
class NextTurn:
    """In a list of statements: the turns that follow, of a loop whose turns are written out."""

    context: LoopContext
    position: int


class Unrolled(Exception):
    """A loop over items known one by one that may end early."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        super().__init__()


class Leaves(Exception):
    """A call whose paths are followed apart has come to its ends: what it returns on each."""

    def __init__(self, leaves: list[tuple[State, list[Stmt], Value]]) -> None:
        self.leaves = leaves
        super().__init__()
