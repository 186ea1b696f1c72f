"""Which calls of functions with source stay calls: one policy, by size and by the number of calls.

A function is lowered with all its calls written out first, which counts them (`Count`). Then the policy says which
functions are to be kept (`keeps`), and the lowering starts once more with these as core functions. Keeping is a try:
where a function turns out to do what a core function cannot say, it is written out after all (`Unkept`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import gast

from s2sad.core import walk
from s2sad.frontend.diagnostics import Defect

#: what is said of all functions: "choose" by size and number of calls; "always" and "never" are for tests
_policy: ContextVar[str] = ContextVar("policy", default="choose")
#: a function that is called from several places is kept where it has more operations than this
FEW = 6
#: and one that is a single expression where it writes more than this, with what it calls
MANY = 24


class Unkept(Exception):
    """A function cannot be kept: it is written out where it is called."""

    def __init__(self, tree: Any) -> None:
        self.tree = tree
        super().__init__(getattr(tree, "name", ""))


@contextlib.contextmanager
def policy(name: str) -> Iterator[None]:
    """Derive with all functions kept ("always"), none of them ("never"), or as the policy says ("choose")."""
    token = _policy.set(name)
    try:
        yield
    finally:
        _policy.reset(token)


def in_force() -> str:
    """The policy that is in force."""
    return _policy.get()


@dataclass
class Count:
    """How a function is called when all calls are written out.

    `places` are the calls in the source; of each, how often it is met in one activation of the function around it, at
    most. `size` is the greatest number of operations that one call writes.
    """

    tree: Any
    places: dict[Any, dict[Any, int]] = field(default_factory=dict)
    size: int = 0

    @property
    def calls(self) -> int:
        return sum(max(met.values()) for met in self.places.values())


@dataclass
class Keeping:
    """Which functions are kept in one derivation."""

    policy: str = field(default_factory=in_force)
    counts: dict[int, Count] = field(default_factory=dict)
    #: trees of functions
    kept: set[int] = field(default_factory=set)
    barred: set[int] = field(default_factory=set)
    #: was there too much to write out, and has what is kept since then been chosen for that?
    exhausted: bool = False
    growing: bool = False

    def start(self) -> None:
        """The lowering starts: what is written out is counted anew."""
        if not self.kept or self.growing:
            self.counts = {key: count for key, count in self.counts.items() if key in self.kept}

    def met(self, tree: Any, place: Any, around: Any, size: int) -> None:
        """A call of a function was written out, in the lowering that counts.

        Args:
            tree: the function.
            place: the call, in the source.
            around: the activation that the call is in.
            size: how many operations were written.
        """
        if self.kept and not self.growing:
            return
        count = self.counts.setdefault(id(tree), Count(tree))
        met = count.places.setdefault(place, {})
        met[around] = met.get(around, 0) + 1
        count.size = max(count.size, size)

    def choose(self) -> bool:
        """Choose what is kept, by what was counted. Is there anything?"""
        most = FEW if self.growing else MANY
        wanted = {key for key, count in self.counts.items() if self.policy == "always" or keeps(count, most)}
        self.kept = wanted - self.barred if self.policy != "never" else set()
        return bool(self.kept)

    def grow(self) -> bool:
        """Choose what is kept where there was too much to write out, by what was counted until then. Is that more?

        h(a) = g(a) + g(a / 2), g(a) = f(a) + f(a / 2), ... is twice as long at each step when it is written out.
        """
        before, self.growing, self.exhausted = self.kept, True, False
        self.choose()
        return bool(self.kept - before)

    def check_defect(self, error: BaseException) -> None:
        """Where functions are kept for a test, what the compiler does wrong there is to be seen."""
        if self.policy == "always" and isinstance(error, Defect):
            raise error


def keeps(count: Count, most: int = MANY) -> bool:
    """Is a function kept as one: is it called more than once, and more than a short expression or a few operations?

    Args:
        most: so many operations has an expression that is short.
    """
    return count.calls > 1 and count.size > (most if is_expression(count.tree) else FEW)


def is_expression(tree: Any) -> bool:
    """Does a function do nothing but return the value of one expression?

    >>> tree = gast.parse('def f(x):\\n  "The text."\\n  return 2.0 * x\\ndef g(x):\\n  return x, 2.0 * x')
    >>> [is_expression(f) for f in tree.body]
    [True, False]
    """
    body = [s for s in tree.body if not (isinstance(s, gast.Expr) and isinstance(s.value, gast.Constant))]
    if len(body) != 1 or not isinstance(body[0], gast.Return) or body[0].value is None:
        return False
    return not isinstance(body[0].value, gast.Tuple) and not any(isinstance(n, gast.ListComp) for n in walk(body[0]))
