"""Loops that are written out, turn by turn."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import gast

from s2sad.core import atom_key
from s2sad.kinds.kind import Array, ListOf
from s2sad.normal.above import lower_statements
from s2sad.normal.desugar.jumps import has_jump, has_return, once_for, without_continues
from s2sad.normal.handlers import lowers
from s2sad.normal.iteration.asking import must_keep_its_length
from s2sad.normal.iteration.watching import alongside, check_ahead, check_watch
from s2sad.normal.joining import join
from s2sad.normal.memory import root_of
from s2sad.normal.run import Run
from s2sad.normal.statements.assign import assign
from s2sad.normal.statements.contexts import CHANGED_IN_BODY, LONGEST, LoopContext, NextTurn, Turns, Unrolled
from s2sad.normal.statements.tries import jumps_away
from s2sad.normal.values.abstract import Lazy, Leaf, Partial, Ref, Value, contents
from s2sad.normal.values.joined import same_value


@lowers(gast.Continue)
def continue_statement(run: Run, node: Any) -> bool:
    jumps_away(run)
    if not run.loops:
        return False
    context = run.loops[-1]
    if context.node is not None:
        return next_turn_statement(run, NextTurn(context, context.position + 1))
    context.continues.append((run.state, run.block))
    return False


def arrays_in(run: Run, value: Value) -> set[str]:
    """The memory of the arrays that a loop runs over."""
    if isinstance(value, Leaf):
        return {root_of(run, atom_key(value.expr))} if isinstance(value.kind, (Array, ListOf)) else set()
    parts = (*value.args, *(v for _, v in value.kwargs)) if isinstance(value, (Lazy, Partial)) else ()
    return {root for part in parts for root in arrays_in(run, part)}


def looked_at_again(run: Run, turns: Turns) -> list[Value]:
    """The items as they are now: the loop goes on with what it runs over, and does not begin anew."""
    run.iterators.looking_again += 1
    try:
        return turns.anew()  # type: ignore[misc]
    finally:
        run.iterators.looking_again -= 1


def item_of(run: Run, turns: Turns, k: int) -> Value | None:
    """The item of the k-th turn, as it is when the turn begins; None behind the last."""
    for watch in turns.watches if k < len(turns.items) else ():
        check_watch(run, watch)
    check_ahead(run, turns.ahead)
    changed = turns.at is None and bool(arrays_in(run, turns.value) & set(run.memory.stores_made[turns.stores :]))
    longer = []
    for ref, items in turns.held.items():
        now = list(contents(run.state.heap[ref]).values())
        longer += [ref] if len(now) != len(items) else []
        changed = changed or bool(longer) or not all(map(partial(same_value, run), now, items))
    if changed:
        if turns.anew is None or any(must_keep_its_length(run, Ref(ref)) for ref in longer):
            run.refuse(*CHANGED_IN_BODY, concrete=True)
        turns = replace(turns, items=looked_at_again(run, turns))
    if k >= len(turns.items):
        return None
    return turns.items[k] if turns.at is None else turns.at(k)


def unrolled(run: Run, node: Any, turns: Turns, rest: list[Any]) -> LoopContext | None:
    """A loop over items of known structure is written out."""
    if len(turns.items) > LONGEST:
        run.refuse(f"a loop over more than {LONGEST} items of known structure", "use an array")
    if has_jump(node.body, own=True):
        raise Unrolled(turns)
    over: LoopContext | None = LoopContext(run.frame.id, ended=True)
    loop = run.frame.id, id(node)

    def turn(k: int) -> bool:
        nonlocal over
        item = item_of(run, turns, k)
        if item is None:
            over = None
            return False
        run.set_origin(node)
        run.turns.written_out_turn[loop] = k
        try:
            assign(run, node.target, item)
            return lower_statements(run, node.body)
        finally:
            del run.turns.written_out_turn[loop]

    for k in range(LONGEST):
        if not alongside(run, turns.ahead, lambda k=k: turn(k)):  # type: ignore[misc]
            return over
    run.refuse(f"a loop over more than {LONGEST} items of known structure", "use an array")


def unrolled_with_jumps(run: Run, node: Any, turns: Turns, rest: list[Any]) -> bool:
    """Where turns end early, the turns behind them are lowered into the branches that go on.

    for x in (a, b):                  if a: r
        if x: break; r         ->     if not a: ... b
    """
    context = LoopContext(run.frame.id, node=node, turns=turns, rest=rest)
    context.follow = has_return(node.body) or has_jump(node.orelse)
    falls = turn(run, context, 0)
    if context.follow:
        return falls
    ends = [*context.breaks, *context.ends]
    if not ends:
        return False
    run.state = join(run, ends)
    return lower_statements(run, rest)


def turn(run: Run, context: LoopContext, k: int) -> bool:
    """Lower the turns from the k-th on, and what follows the loop where that is written into its branches."""
    node = context.node
    assert context.turns is not None
    item = item_of(run, context.turns, k)
    if item is None:
        run.set_origin(node)
        if context.follow:
            return lower_statements(run, [*node.orelse, *context.rest])
        if node.orelse and not lower_statements(run, node.orelse):
            return False
        context.ends.append((run.state, run.block))
        return False
    run.loops.append(context)
    outer, context.position = context.position, k
    try:
        run.set_origin(node)
        assign(run, node.target, item)
        body = once_for(node, "without continues", lambda: without_continues(node.body))
        return lower_statements(run, [*body, NextTurn(context, k + 1)])
    finally:
        run.loops.pop()
        context.position = outer


@lowers(NextTurn)
def next_turn_statement(run: Run, node: NextTurn) -> bool:
    removed = run.loops[run.loops.index(node.context) :]
    del run.loops[-len(removed) :]
    try:
        return turn(run, node.context, node.position)
    finally:
        run.loops.extend(removed)
