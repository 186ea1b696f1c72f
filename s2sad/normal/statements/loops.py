"""for and while: which of the two ways a loop goes."""

from __future__ import annotations

import itertools
from collections.abc import Callable as Function
from dataclasses import replace
from functools import partial
from typing import Any

import gast

from s2sad.core import Expr, Stmt, atom_key, clone, load, walk, walk_names
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds import dims
from s2sad.kinds.kind import Dim, Kind, Number
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.normal.above import lower_statements
from s2sad.normal.calls.objects import by_its_iter
from s2sad.normal.desugar.in_steps import Bound, by_name, is_zip_of_one, loop_in_steps
from s2sad.normal.desugar.jumps import count_by_while, else_by_flag, has_break, has_jump
from s2sad.normal.expressions.atoms import passively, truth_test
from s2sad.normal.expressions.choices import known_truth
from s2sad.normal.expressions.operation import plain
from s2sad.normal.expressions.operators import rows
from s2sad.normal.frames import Frame
from s2sad.normal.iteration.asking import is_asked, known_range, made_at, only_takes
from s2sad.normal.iteration.at_once import iterate_static
from s2sad.normal.iteration.by_position import (
    by_position,
    in_a_list,
    is_long_loop,
    mapped,
    mapped_by_position,
    straight,
    zip_by_position,
)
from s2sad.normal.iteration.iterators import Asked, Steps
from s2sad.normal.iteration.turning import run_through, watches_in
from s2sad.normal.iteration.watch import IN_TURNS, Ahead, Watch
from s2sad.normal.iteration.watching import alongside, check_ahead, check_watch, in_turns_of
from s2sad.normal.names import hold
from s2sad.normal.run import Run
from s2sad.normal.statements.assign import assign
from s2sad.normal.statements.contexts import CHANGED_IN_BODY, LoopContext, Turns, Unrolled
from s2sad.normal.statements.leave import leave
from s2sad.normal.statements.loops_of_the_run import counter_stem, loop
from s2sad.normal.statements.tries import items_computed
from s2sad.normal.statements.turns import unrolled, unrolled_with_jumps
from s2sad.normal.values.abstract import (
    DictObj,
    Instance,
    Known,
    Lazy,
    Leaf,
    ListObj,
    Partial,
    Ref,
    State,
    Tup,
    Value,
    contents,
    is_it,
)
from s2sad.normal.values.classes import within
from s2sad.normal.values.joined import same_value
from s2sad.normal.values.making import ask_in_steps, constant, expression
from s2sad.normal.values.questions import ByPosition, Opaque, only_looks
from s2sad.normal.values.tables import Table
from s2sad.normal.writing import anchor, pin, write

_MAKE_ITERATORS = (gast.Call, gast.GeneratorExp)


def loop_statement(run: Run, node: Any, rest: list[Any]) -> bool | None:
    if node.orelse and has_break(node.body):
        return lower_statements(run, [*else_by_flag(node), *rest])
    if isinstance(node, gast.For) and isinstance(node.iter, gast.Call) and is_count(run, node.iter.func):
        return lower_statements(run, [*count_by_while(node), *rest])
    if isinstance(node, gast.For) and runs_in_steps(run, node.iter):
        items_computed_in_steps(run, node)
        return lower_statements(run, [*loop_in_steps(node, over_items(run, node)), *rest])
    if isinstance(node, gast.For) and run.decisions.in_steps and asks_in_steps(run, node.iter):
        return lower_statements(run, [*by_name(node), *rest])
    orelse = node.orelse
    try:
        context = loop_While(run, node) if isinstance(node, gast.While) else loop_For(run, node, rest)
    except Unrolled as unrolled:
        return unrolled_with_jumps(run, node, unrolled.turns, rest)
    if context is None:
        return lower_statements(run, [*orelse, *rest]) if orelse else None
    if context.ended:
        return False
    if context.returned and isinstance(node, gast.While) and _is_true(node.test) and not context.plain_breaks:
        return leave(run, run.state.frames[run.frame.id]["#result"])
    if context.returned:
        flag = run.state.frames[run.frame.id].get("#returned", Known(False))
        known = known_truth(run, flag)
        if known is True:
            return leave(run, run.state.frames[run.frame.id]["#result"])
        if known is None:
            return after_return(run, flag, [*orelse, *rest])
    if isinstance(node, gast.While) and _is_true(node.test) and not context.breaks:
        return False
    return lower_statements(run, [*orelse, *rest]) if orelse else None


def is_count(run: Run, function: Any) -> bool:
    owner = function.value if isinstance(function, gast.Attribute) else function
    named = isinstance(owner, gast.Name) and getattr(function, "attr", "count") == "count"  # (looking does nothing)
    found = passively(run, function) if named else None
    return is_it(found, itertools.count)


def runs_in_steps(run: Run, node: Any) -> bool:
    """Is it an iterator that is asked in several places, or zip of one with itself?"""
    if is_zip_of_one(node):
        return cls_of(run, node.args[0]) is Steps
    return isinstance(node, gast.Name) and issubclass(cls_of(run, node), Asked)


def cls_of(run: Run, name: Any) -> type:
    """The class of the object that a name stands for."""
    held = passively(run, name)
    obj = run.state.heap[held.id] if isinstance(held, Ref) else None
    return obj.cls if isinstance(obj, Instance) else type(None)


def over_items(run: Run, loop: Any) -> bool:
    """Is it a loop over an iterator of what keeps its length?"""
    return not isinstance(loop.iter, gast.Name) or cls_of(run, loop.iter) is Steps


def items_computed_in_steps(run: Run, loop: Any) -> None:
    if isinstance(loop.iter, gast.Name) and not only_takes(run, passively(run, loop.iter)):
        items_computed(run, loop, None)


def asks_in_steps(run: Run, node: Any) -> bool:
    """Is an iterator in an expression that is followed item by item?"""
    if isinstance(node, (gast.Name, Bound)):
        return False
    if isinstance(node, (gast.Attribute, gast.Subscript)):
        return True
    found = any(run.site(n) in run.decisions.in_steps for n in walk(node) if isinstance(n, _MAKE_ITERATORS))
    values: list[Value] = []
    frame: Frame | None = run.frame
    names = {n.id for n in walk_names(node)}
    while frame is not None:
        values += [v for n, v in run.state.frames.get(frame.id, {}).items() if n in names]
        frame = run.frames[frame.parent] if frame.parent is not None else None
    seen: set[int] = set()
    return found or any(is_asked(run, part) for v in values for part in within(run, v, seen))


def after_return(run: Run, flag: Value, rest: list[Any]) -> bool:
    outer, before, origin = run.block, run.state, run.origin
    result = before.frames[run.frame.id]["#result"]
    taken: list[Stmt] = []
    run.state, run.block = before.fork(), taken
    leave(run, result)
    other: list[Stmt] = []
    run.state, run.block = before.fork(), other
    run.state.frames[run.frame.id]["#returned"] = Known(False)
    falls = lower_statements(run, rest)
    end = run.block
    run.block, run.origin = outer, origin
    write(run, gast.If(expression(run, flag), taken, other))
    run.block = end
    return falls


def loop_While(run: Run, node: Any) -> LoopContext | None:
    before, outer, checkpoint = run.state, run.block, run.checkpoint()
    run.state, run.block = before.fork(), []
    never = known_truth(run, truth_test(run, node.test)) is False
    run.state, run.block = before, outer
    run.restore(checkpoint)
    if never:
        run.set_origin(node)
        truth_test(run, node.test)  # for what it changes
        return None

    def lower_body(context: LoopContext) -> tuple[Expr, bool]:
        outer_block = run.block
        run.set_origin(node)
        value = truth_test(run, node.test)
        condition = expression(run, value)
        prelude = len(run.block) > 0
        if prelude:
            before = run.state
            exit_block: list[Stmt] = []
            context.breaks.append((before.fork(), exit_block))
            context.plain_breaks += 1
            inner: list[Stmt] = []
            run.block = inner
            falls = lower_statements(run, node.body)
            if falls:
                context.continues.append((run.state, run.block))
            run.block = outer_block
            run.block.append(gast.If(gast.UnaryOp(gast.Not(), condition), exit_block, inner))
            run.block[-1].origin = run.origin
            return gast.Constant(True, None), False
        falls = lower_statements(run, node.body)
        if falls:
            context.continues.append((run.state, run.block))
        return condition, True

    run.branches += 1
    try:
        return loop(run, node, lambda test_expr, block: gast.While(test_expr, block, []), lower_body)
    finally:
        run.branches -= 1


def tables_in(run: Run, value: Value) -> list[str]:
    """The dicts whose keys only the run knows that a loop runs over: the names of the lists of their items."""
    if isinstance(value, Lazy):
        return [key for part in value.args for key in tables_in(run, part)]
    found = []
    for ref, obj in run.state.heap.items():
        parts = obj.attributes if isinstance(obj, Instance) and issubclass(obj.cls, Table) else {}
        keys = [atom_key(p.expr) for p in parts.values() if isinstance(p, Leaf)]
        parts = parts if isinstance(parts.get("held"), Leaf) else {}  # (else it has one item, and stays as it is)
        leads = isinstance(value, Leaf) and atom_key(value.expr) in keys
        if parts and (leads or (isinstance(value, Ref) and value.id == ref)):
            found.append(atom_key(parts["held"].expr))  # type: ignore[attr-defined]
    return found


def loop_For(run: Run, node: Any, rest: list[Any]) -> LoopContext | None:
    over = rows(run, node.iter)
    if is_asked(run, over):  # all its items would be taken before the first turn
        run.refuse(*IN_TURNS)
    written = run.block, len(run.block)
    value = held_iterable(run, by_its_iter(run, over))
    outer = run.lists.tables_run_over
    run.lists.tables_run_over = [*outer, *tables_in(run, value)]
    try:
        return loop_over(run, node, value, rest, outer, written)
    finally:
        run.lists.tables_run_over = outer


def loop_over(
    run: Run, node: Any, value: Value, rest: list[Any], outside: list[str], written: tuple[list[Stmt], int]
) -> LoopContext | None:
    block, start = written
    watches, listed, mark = watches_in(run, value), len(run.iterators.listings), len(run.iterators.ahead)
    try:
        turns = loop_by_position(run, node, value)
    except DerivationError:
        if not only_looks(value):  # one of the items may be what raises
            items_computed(run, node, None)
        raise
    if run.attempts:
        items_computed(run, node, [*block[start:], *(s for watch in watches for s in watch.written)])
    ahead = run.iterators.ahead[mark:]
    del run.iterators.ahead[mark:]
    if any(items.changes for items in ahead) and _may_end_early(node.body):
        in_turns_of(run, *(items.watch.site for items in ahead))
    if isinstance(turns, ByPosition) and turns.length is None:
        run.refuse("a loop over something that never ends", ways.LOOP)
    if isinstance(turns, Turns):
        run.lists.tables_run_over = outside  # what is behind the loop is lowered there, too
        turns.ahead = ahead
        return unrolled(run, node, turns, rest)
    holder: dict[str, str] = {}
    if isinstance(turns, Opaque):
        turns = in_a_list(run, turns)
    listings = run.iterators.listings[listed:]
    known = known_range(run, value)
    count = len(known) if known is not None else count_of(run, turns)

    def header(test: Any, block: list[Stmt]) -> Stmt:
        return gast.For(gast.Name(holder["name"], gast.Store(), None, None), loop_header(run, turns), block, [], None)

    def lower_body(context: LoopContext) -> tuple[Expr, bool]:
        run.set_origin(node)

        def turn() -> bool:
            start = len(run.block)
            holder["name"] = bind_item(run, node.target, turns)
            if not isinstance(turns, Opaque) and not only_looks(value):
                items_computed(run, node, run.block[start:])
            return lower_statements(run, node.body)

        beside = {ref: list(contents(run.state.heap[ref]).values()) for ref in containers_in(run, value)}
        if alongside(run, ahead, turn):
            context.continues.append((run.state, run.block))
        ends = [state for state, _ in context.continues]
        check_beside(run, beside, ends, value)
        check_turn(run, watches, ahead, ends)
        check_listings(run, listings, context, value)
        return None, True

    run.turns.turning.append((run.site(node), count))
    run.turns.loop_places[run.site(node)] = run.where()
    try:
        return loop(run, node, header, lower_body)
    finally:
        run.turns.turning.pop()


def check_beside(run: Run, held: dict[int, list[Value]], ends: list[State], over: Value) -> None:
    """Refuse a body after which another turn may come, and that changes a container of known form which the loop
    runs over beside others: its items were put into a list before the first turn.

    for a, b in zip(array, [x, y]): ...
    """
    for ref, items in held.items():
        for state in ends:
            now = list(contents(state.heap[ref]).values())
            if len(now) != len(items) or not all(map(partial(same_value, run), now, items)):
                ask_in_steps(run, made_at(run, over))
                run.refuse(*CHANGED_IN_BODY, concrete=True)


def check_turn(run: Run, watches: list[Watch], ahead: list[Ahead], ends: list[State]) -> None:
    """Refuse a body after which another turn may come, and that changes what its item is computed from."""
    outer = run.state
    for run.state in ends if watches or ahead else ():
        for watch in watches:
            check_watch(run, watch)
        check_ahead(run, ahead)
    run.state = outer


def check_listings(run: Run, listings: list[tuple[str, int, list[str]]], context: LoopContext, over: Value) -> None:
    """Refuse a body that changes what its loop runs over, and has looked up before."""
    for key, before, changes in listings:
        found = {at for at in range(before, len(changes)) if changes[at] == key}
        for noted, start, end in context.leaving:
            if noted is changes:
                found.difference_update(range(start, end))
        if found:
            ask_in_steps(run, made_at(run, over))
            run.refuse(*CHANGED_IN_BODY, concrete=True)


def count_of(run: Run, turns: ByPosition) -> int | None:
    """How often a loop turns, where that is known."""
    return turns.size.const if turns.size is not None and turns.size.known else count_as_given(run, turns)


def count_as_given(run: Run, turns: ByPosition) -> int | None:
    """How often a loop turns, by the lengths of lists that were passed."""
    if run.decisions.resized:
        return None
    if turns.header is None:
        return None if turns.length is None else as_given(run, turns.length)
    header = turns.header
    if _calls(header, "reversed"):
        (header,) = header.args
    bounds = [as_given(run, e) for e in header.args] if _calls(header, "range") else [None]
    return None if None in bounds else len(range(*bounds))


def as_given(run: Run, expr: Expr) -> int | None:
    """The value of such a bound."""
    if isinstance(expr, gast.Constant):
        return expr.value if type(expr.value) is int else None
    if _calls(expr, "len"):
        return run.lists.lengths.get(atom_key(expr.args[0]))
    if isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Add, gast.Sub)):
        left, right = as_given(run, expr.left), as_given(run, expr.right)
        if left is None or right is None:
            return None
        return left + right if isinstance(expr.op, gast.Add) else left - right
    return None


def loop_by_position(run: Run, node: Any, value: Value) -> Turns | ByPosition | Opaque:
    """How a for loop runs; ranges stay loops unless their turns have to be told apart."""
    apart = run.site(node) in run.decisions.unrolled
    outer, run.iterators.body_size = (
        run.iterators.body_size,
        0 if apart or getattr(run.frame.source, "library", False) else _statements_in(node.body),
    )
    try:
        return body_by_position(run, node, value, apart)
    finally:
        run.iterators.body_size = outer


def body_by_position(run: Run, node: Any, value: Value, apart: bool) -> Turns | ByPosition | Opaque:
    known = known_range(run, value)
    inside = run.frame.source.tree.name == "comprehension"
    short = known is not None and inside and not is_long_loop(run, len(known))
    if known is not None and (short or apart):
        return Turns([constant(run, k) for k in known], value, None)
    turns = (
        map_by_position(run, value) if isinstance(value, Lazy) and value.function is map else by_position(run, value)
    )
    if isinstance(turns, Turns):
        return turns
    count = count_of(run, turns) if apart and isinstance(turns, ByPosition) else None
    if count is None and inside and isinstance(turns, ByPosition) and turns.size is not None:
        count = turns.size.const if turns.size.known and not is_long_loop(run, turns.size.const) else None
    if count is not None and not only_looks(value):
        whole = straight(run, turns)
        return in_turns(run, count, value, lambda k: whole.item(constant(run, k)))  # type: ignore[arg-type]
    if count is not None:

        def items() -> list[Value]:
            found = straight(run, by_position(run, value))
            return [hold(run, found.item(constant(run, k))) for k in range(count)]  # type: ignore[arg-type]

        return looked_at(run, Turns(items(), value, items))
    if isinstance(turns, list):
        turns = [hold(run, v) for v in turns]
        anew = (lambda: [hold(run, v) for v in by_position(run, value)]) if only_looks(value) else None  # type: ignore[union-attr]
        return looked_at(run, Turns(turns, value, anew))
    return turns


def map_by_position(run: Run, value: Lazy) -> Turns | list[Value] | ByPosition | Opaque:
    """A loop over map(...): the function is called in each turn."""
    run_through(run, value)
    function, *sources = value.args
    group = zip_by_position(run, sources, False)
    if isinstance(group, list):
        held = [hold(run, v) for v in group]
        pin(run, held)
        return in_turns(run, len(held), value, lambda k: mapped(run, function, held[k]))
    return mapped_by_position(run, function, group) if isinstance(group, ByPosition) else by_position(run, value)


def in_turns(run: Run, count: int, value: Value, item: Function[[int], Value]) -> Turns:
    """Turns whose items are computed when they begin."""
    items: list[Value] = [constant(run, k) for k in range(count)]
    return looked_at(run, Turns(items, value, None, at=lambda k: hold(run, item(k))))


def looked_at(run: Run, turns: Turns) -> Turns:
    """The turns, with what they run over as it is now."""
    turns.held = {ref: list(contents(run.state.heap[ref]).values()) for ref in containers_in(run, turns.value)}
    turns.stores = len(run.memory.stores_made)
    turns.watches = watches_in(run, turns.value)
    pin(run, turns.items)
    return turns


def containers_in(run: Run, value: Value) -> list[int]:
    if isinstance(value, Ref):
        obj = run.state.heap[value.id]
        changes = isinstance(obj, DictObj) or (isinstance(obj, ListObj) and not obj.once)
        return [value.id] if changes else []
    parts = (*value.args, *(v for _, v in value.kwargs)) if isinstance(value, (Lazy, Partial)) else ()
    return [ref for part in parts for ref in containers_in(run, part)]


def held_iterable(run: Run, value: Value) -> Value:
    """Bounds of a range that are not plain get names: they are evaluated once."""
    if isinstance(value, Leaf) and value.nested:
        return hold(run, value, "items")
    if not isinstance(value, Lazy):
        return value
    args = []
    for part in value.args:
        if isinstance(part, Leaf) and part.nested:
            part = part if plain(run, part.expr) else anchor(run, part, "n")
        elif isinstance(part, Lazy):
            part = held_iterable(run, part)
        args.append(part)
    return replace(value, args=tuple(args))


def loop_header(run: Run, turns: ByPosition | Opaque) -> Expr:
    if isinstance(turns, Opaque):
        return clone(turns.expr)
    if turns.header is not None:
        return clone(turns.header)
    header = gast.Call(load("range"), [clone(turns.length)], [])
    return gast.Call(load("reversed"), [header], []) if turns.backwards else header


def bind_item(run: Run, target: Any, turns: ByPosition | Opaque) -> str:
    """Give the target of a loop its item in this turn; the name of the core loop's own variable."""
    if isinstance(turns, Opaque):
        stem = target.id if isinstance(target, gast.Name) else "item"
        name = counter_name(run, stem, turns.kind)
        item = Leaf(load(name), turns.kind)
        value: Value = (
            Tup(tuple(iterate_static(run, item)), turns.kind.cls) if isinstance(turns.kind, TupleKind) else item
        )
        assign(run, target, value)
        return name
    stem = counter_stem(target, turns)
    name = counter_name(run, stem, Number(int, position_of(run, turns, run.symbol(stem or "k"))))
    position = Leaf(load(name), run.facts.kinds[name])
    assign(run, target, position if turns.header is not None else turns.item(position))
    return name


def position_of(run: Run, turns: ByPosition, symbol: Dim) -> Dim:
    """The symbol with what is known of the values that it takes in a loop over a run."""
    bounds = turns.bounds
    if turns.header is None and turns.size is not None:
        bounds = dims.ZERO, turns.size - 1
    return symbol if bounds is None else dims.among(symbol, *bounds)


def counter_name(run: Run, stem: str, kind: Kind) -> str:
    if not stem.strip("_"):  # a name of ours: none of the user's
        trees = (run.frame.source.tree, run.frames[0].source.tree)
        taken = {n.id for tree in trees for n in walk_names(tree)}
        stem = next((s for s in ("k", "i", "j", "l", "m") if s not in taken), "k")
    name = run.facts.fresh(stem, temp=False)
    run.facts.kinds[name] = kind
    run.facts.user_name[name] = stem
    return name


def _statements_in(body: list[Stmt]) -> int:
    """How many statements the body of a loop has."""
    return sum(isinstance(n, gast.stmt) for statement in body for n in walk(statement))


def _may_end_early(body: list[Any]) -> bool:
    """May the body of a loop leave it, or raise?"""
    return has_jump(body, own=True) or any(isinstance(n, gast.Raise) for s in body for n in walk(s))


def _calls(node: Any, name: str) -> bool:
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == name


def _is_true(test: Any) -> bool:
    return isinstance(test, gast.Constant) and bool(test.value)
