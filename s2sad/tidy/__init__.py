"""Core Python -> the code a person would write."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from s2sad.analysis.effects import Effects
from s2sad.analysis.scope import entry_names
from s2sad.core import Facts, Stmt
from s2sad.kinds.kind import Dim
from s2sad.tidy.branches import join_branches
from s2sad.tidy.coalesce import coalesce
from s2sad.tidy.common import share_temporaries
from s2sad.tidy.comparisons import keep_comparisons
from s2sad.tidy.deadcode import eliminate
from s2sad.tidy.first import store_first
from s2sad.tidy.flow import return_at_once, straighten
from s2sad.tidy.inplace import elide_copies, update_in_place
from s2sad.tidy.keep_early import keep_early
from s2sad.tidy.lists import start_with_items
from s2sad.tidy.loop_else import restore_else
from s2sad.tidy.masks import name_masks
from s2sad.tidy.matrices import know_matrices
from s2sad.tidy.meet import meet_branches
from s2sad.tidy.number import number
from s2sad.tidy.outer_products import outer_products_at_once
from s2sad.tidy.parts import made_of_parts
from s2sad.tidy.pops import items_of_emptied
from s2sad.tidy.postpone import postpone
from s2sad.tidy.quotients import quotients_again
from s2sad.tidy.refill import store_instead_of_adding
from s2sad.tidy.renest import LINES, names_constants, renest
from s2sad.tidy.shapes import shapes_elsewhere
from s2sad.tidy.simplify import Simplifier
from s2sad.tidy.sink import sink_contributions, sink_into_branches
from s2sad.tidy.take_over import take_over
from s2sad.tidy.unpack import unpack
from s2sad.tidy.unset import give_start
from s2sad.tidy.zeroing import drop_zeroing


def tidy(
    body: list[Stmt],
    facts: Facts,
    live_out: Iterable[str] = (),
    owned: Collection[str] = (),
    *,
    parameters: Collection[str] | None = None,
    same: Iterable[Iterable[str]] = (),
    effects: Effects | None = None,
    counts: Mapping[Dim, int] = MappingProxyType({}),
) -> list[Stmt]:
    """The statements as a person would have written them. They compute the same.

    Args:
        body: the statements of one function, forward and backward sweep together.
        facts: what is known of its names.
        live_out: names read after the last statement.
        owned: parameters whose contents do not matter to the caller.
        parameters: all parameters of the function (found by liveness when not given).
        same: groups of parameters that may share memory.
        effects: what is known of the statements already; forgotten in the end.
        counts: what is known of lengths before the first statement (`tidy.parts`).

    Returns:
        New lists; what did not change is the same nodes as before, which must not be changed in place.
    """
    effects = effects or Effects(facts)
    live_out = set(live_out)
    same = [tuple(group) for group in same]
    given = parameters
    if parameters is None:
        parameters = entry_names(body, effects)
    known: dict[str, Any] = {"effects": effects, "same": same, "parameters": parameters}
    simplifier = Simplifier(facts, effects)
    body = items_of_emptied(body, live_out)
    for turn in range(3):
        before = body
        if turn:
            body = meet_branches(body, facts, live_out, **known)
        if turn == 2 and body is before and not names_constants(body):
            break
        body = eliminate(body, facts, live_out, owned, **known)
        if not turn:  # (before they are nested)
            body = share_temporaries(body, facts, live_out, **known, calls_alone=True)
            body = know_matrices(body, facts, **known)
        body = shapes_elsewhere(body, facts, parameters)
        body = drop_zeroing(body, facts, live_out, **known)
        body = take_over(body, facts, live_out, **known)
        body = store_instead_of_adding(body, facts, live_out, **known)
        body = elide_copies(body, facts, live_out, **known)
        body = sink_contributions(body, facts, live_out)
        body = renest(body, facts, live_out, **known, lines=LINES if turn else 1.0)  # no longer than it gets simpler
        body = quotients_again(simplifier.function(body), facts, live_out, **known)
        body = keep_comparisons(outer_products_at_once(body, facts, **known), facts)
    body = name_masks(body, facts, live_out, **known)
    body = share_temporaries(body, facts, live_out, **known)
    body = sink_into_branches(body, facts, live_out)
    body = keep_early(postpone(body, facts, live_out, **known), facts, live_out, **known)
    body = store_first(body, facts, live_out, **known)
    body = sink_contributions(coalesce(body, facts, live_out, **known), facts, live_out)
    body = update_in_place(body, facts, live_out, **known)
    body = restore_else(straighten(eliminate(body, facts, live_out, owned, **known)), live_out)
    body = made_of_parts(join_branches(body, facts), facts, counts)
    body = start_with_items(unpack(return_at_once(body), facts))
    body = number(body, facts, live_out, parameters)
    effects.forget()
    return body if given is None else give_start(body, facts, effects, given)
