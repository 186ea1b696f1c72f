"""From a function, kinds and a request to the trees of its derivative."""

from __future__ import annotations

import contextlib
import types
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from s2sad.called import backward_of
from s2sad.core import Facts
from s2sad.entry import changed_arguments, check_hidden_state, with_shared_arguments
from s2sad.forward import tangent_function
from s2sad.frontend.diagnostics import DerivationError
from s2sad.frontend.source import FunctionSource, function_tree
from s2sad.kinds.kind import Array, Kind
from s2sad.kinds.query import as_float
from s2sad.normal.calls.functions import Learnt, noting_loops
from s2sad.normal.lower import lower_function
from s2sad.normal.lowered import Core
from s2sad.pairs import Functions
from s2sad.request import Derived, Request
from s2sad.reverse import Reverse
from s2sad.runtime.garbage import seldom_collected


def derive(
    fn: types.FunctionType,
    request: Request,
    kinds: dict[str, Kind],
    aliases: tuple[Any, ...] = (),
    recursion: str = "follow",
    hidden: frozenset[str] = frozenset(),
    swept: Callable[[Facts], None] = lambda facts: None,
    *,
    turns_apart: bool = False,
) -> Derived:
    """The derivative of a function for arguments of the given kinds.

    Args:
        fn: the primal, a function with source.
        request: which derivative.
        kinds: the kind of each parameter, in order.
        aliases: pairs of parameters that share memory, as `kinds.bind.overlaps` gives them.
        recursion: what to do about recursions that have no end when they are written out
            (`normal.calls.functions.Program.policy`).
        hidden: the parameters that the caller does not pass: they are bound, or have their defaults.
        swept: is told what is known of the names when the backward sweep of a function that calls no others is there,
            half way through. What it raises ends the derivation.
        turns_apart: are loops over few items that are known one by one written out?

    Raises:
        DerivationError: the function cannot be derived; the error names the line and the way out.
    """
    kinds = {name: as_float(kind) if name in request.wrt else kind for name, kind in kinds.items()}
    asked = _Asked(fn, request, kinds, aliases, recursion, hidden, swept)
    with seldom_collected():
        try:
            return _derived(asked, turns_apart)
        except DerivationError as error:
            if turns_apart or not error.loops_kept:
                raise
        return _derived(asked, True)  # more is known of each turn then


@dataclass(frozen=True)
class _Asked:
    """What `derive` is asked for."""

    fn: types.FunctionType
    request: Request
    kinds: dict[str, Kind]
    aliases: tuple[Any, ...]
    recursion: str
    hidden: frozenset[str]
    swept: Callable[[Facts], None]


def _derived(asked: _Asked, turns_apart: bool) -> Derived:
    """The derivative, with one more try where another view of the arguments or of the lists may help."""
    source, learnt, view = function_tree(asked.fn), Learnt(), _View()
    while True:
        try:
            return _derive(asked, source, turns_apart, view, learnt)
        except DerivationError as found:
            error = found
        more = view.after(error, asked)
        if more == view:
            break  # (what was met last stands in the way, not what another view has settled)
        view = more  # with an adjoint of its own, an array may be anybody's memory
    if error.remedy.held:
        with contextlib.suppress(DerivationError):  # what a list holds is known where its loop is written out
            return _derive(asked, source, turns_apart, replace(view, lists_apart=True, lists_chosen=False))
    raise error


@dataclass(frozen=True)
class _View:
    """How the arguments and the lists are looked at.

    Attributes:
        lists_apart: are loops in which lists grow written out?
        lists_chosen: is an array that a variable index takes out of a short list followed by a branch for each item?
        beside: arguments that are active, too, while their gradient is not asked for.
        arrays: variables whose arrays are active from where they are made.
    """

    lists_apart: bool = False
    lists_chosen: bool = False
    beside: frozenset[str] = frozenset()
    arrays: frozenset[str] = frozenset()

    def after(self, error: DerivationError, asked: _Asked) -> _View:
        """The view that may do where this one met an error: what may be memory in which active values are stored is
        active; what is taken out of a short list that holds it is known by a branch for each item."""
        shared = error.remedy.shared
        kinds = asked.kinds
        arguments = {n for n in shared if isinstance(k := kinds.get(n), Array) and k.dtype.kind in "fc"}
        named = error.remedy.shown_as
        stems = {named[n] for n in shared if n in named}
        beside = self.beside | arguments - {*asked.request.wrt}
        chosen = self.lists_chosen or error.remedy.held
        return replace(self, lists_chosen=chosen, beside=beside, arrays=self.arrays | stems)


def _derive(
    asked: _Asked, source: FunctionSource, turns_apart: bool, view: _View = _View(), learnt: Learnt | None = None
) -> Derived:
    beside = tuple(sorted(view.beside))
    wrt = (*asked.request.wrt, *beside)
    core = lower_function(
        source,
        asked.kinds,
        wrt,
        recursion=asked.recursion,
        turns_apart=turns_apart,
        learnt=learnt,
        lists_apart=view.lists_apart,
        lists_chosen=view.lists_chosen,
        active_arrays=view.arrays,
    )
    with noting_loops(core.run.program):
        if asked.aliases:
            core = with_shared_arguments(core, source, asked.kinds, wrt, asked.aliases, asked.recursion)
        check_hidden_state(core, asked.hidden)
        if core.written_out is not None:
            try:
                return _made(core, asked, beside)
            except DerivationError as error:  # of what stays a call, some things are not known
                core.run.program.keeping.check_defect(error)
            core = core.written_out
        return _made(core, asked, beside)


def _made(core: Core, asked: _Asked, beside: tuple[str, ...]) -> Derived:
    """The derivative of a function in core Python."""
    parameters = list(asked.kinds)
    if asked.request.result == "jvp":
        made = tangent_function(core, asked.request, parameters, beside)
    else:
        request = asked.request
        functions = Functions(core.run.program, core.facts, request, backward_of)
        made = Reverse(core, request, parameters, asked.kinds, functions).function(asked.swept)
    made.changes_arguments = bool(changed_arguments(core, parameters))
    return made
