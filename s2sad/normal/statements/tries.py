"""try: what its body may raise, and what it has done by then."""

from __future__ import annotations

import builtins
import contextlib
import dataclasses
import itertools
import types
from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import gast
import numpy as np

from s2sad.analysis.calls import Calls
from s2sad.analysis.effects import nested
from s2sad.analysis.known_calls import dotted
from s2sad.analysis.raising import may_raise, real_store
from s2sad.core import Stmt, atom_key, clone, load, names_read, quote, quote_statements, walk, walk_names
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds.infer import infer
from s2sad.kinds.kind import Array, ListOf, Number, Static, Text, Unknown
from s2sad.kinds.kind import Callable as CallableKind
from s2sad.kinds.pure import is_pure
from s2sad.knowledge import registry
from s2sad.normal import above
from s2sad.normal.above import lower_statements, raised
from s2sad.normal.calls.call import what_is_called
from s2sad.normal.calls.ends import Classes, Ending, apart, says_how_it_ends, with_ending
from s2sad.normal.calls.passive import as_closure
from s2sad.normal.calls.questions import from_library, of_compiler
from s2sad.normal.decisions import Restart
from s2sad.normal.desugar import attempts
from s2sad.normal.desugar.jumps import catches, leads_to_raise, name, once_for, placed
from s2sad.normal.desugar.stepwise import names_its_exception, split, stepwise
from s2sad.normal.expressions.atoms import Nested, passively
from s2sad.normal.expressions.attributes import inherited
from s2sad.normal.handlers import BUILTINS, lowers
from s2sad.normal.iteration.watching import is_seen, noting_draws
from s2sad.normal.learning import follow_objects
from s2sad.normal.names import bind_name
from s2sad.normal.run import Attempt, Run
from s2sad.normal.statements.running_twice import (
    changes,
    gives,
    has_effect,
    own_arrays,
    root_of,
    stores_half_way,
    stores_into,
)
from s2sad.normal.statements.trials import (
    NUMERIC,
    Before,
    Caught,
    Step,
    Trial,
    Unproven,
    classes_in,
    identifier_in,
    is_builtin_kind,
    is_plain_function,
    is_within,
    paths_in,
    raises_one_of,
    reads_name,
    without_finally,
)
from s2sad.normal.values.abstract import (
    Closure,
    DictObj,
    Instance,
    Known,
    Leaf,
    ListObj,
    Method,
    Ref,
    Super,
    Value,
    is_known_a,
)
from s2sad.normal.values.classes import find_frame, find_method, instance_of, static
from s2sad.normal.values.facts import global_name
from s2sad.normal.values.making import expression
from s2sad.normal.writing import write
from s2sad.runtime.identity import class_entry

#: exceptions that names and imports raise, and those that operators raise for operands of the wrong type
_NAMES = (NameError, ImportError)
_TYPES = (TypeError, AttributeError)
#: the variable of a try that says which path was taken, which is set before it is read
OF_TRY = "#path"


def try_statement(run: Run, node: Any, rest: list[Any]) -> bool | None:
    """None: go on behind it. Otherwise the rest has been lowered too."""
    if node.finalbody:
        return lower_statements(run, [*once_for(node, "finally", lambda: without_finally(node)), *rest])
    if not node.handlers:
        return lower_statements(run, [*node.body, *node.orelse, *rest])
    again = once_for(node, "raise", lambda: [names_its_exception(h, node) for h in node.handlers])
    if any(a is not b for a, b in zip(again, node.handlers, strict=True)):
        node = once_for(node, "named", lambda: placed([gast.Try(node.body, again, node.orelse, [])], node))[0]
    return guarded(run, node, rest)


def guarded(run: Run, node: Any, rest: list[Any]) -> bool | None:
    """The body runs once to see which path is taken; then that path is lowered.

    try: A                 try: A; path = 0
    except E: B     ->     except E: path = 1
                           if path == 0: A
                           else: B

    Arrays that A stores into are as they were before, for the second time: `finally: u[...] = u_before`.
    """
    proven, lost = run.frame.proven, only_raises(run, node)
    if proven and lost:
        return lower_statements(run, [*node.body, *node.orelse, *rest])
    outer_state, outer_block = run.state, run.block
    checkpoint = run.checkpoint()
    probe: list[Stmt] = []
    run.state, run.block = outer_state.fork(), []
    caught = caught_by(run, node)
    run.block = probe
    run.passive += 1
    loops, run.loops = run.loops, []
    returns, run.returns = run.returns, []
    level = run.branches, len(run.turns.turning)
    wrong: DerivationError | None = None
    stage = run.facts.fresh("stage", temp=False) if len(node.body) > 1 else ""
    trial = Trial(node, stage, level, run.counter, run.frame, caught, lost=lost)
    run.attempts.append(trial)
    run.frame.proven = False
    try:
        run_trial(run, trial, node.body)
    except DerivationError as error:
        wrong = error
    finally:
        run.frame.proven = proven
        run.passive -= 1
        run.attempts.pop()
        run.speculation.tried = True
        run.branches = level[0]
        del run.turns.turning[level[1] :]
        run.loops, run.returns = loops, returns
        run.block, run.state = outer_block, outer_state
    if wrong is not None:
        before = done_before(run, trial, probe)
        run.restore(checkpoint)
        chosen = raised_for_certain(run, wrong, trial, before)
        if chosen is None:
            if may_be_caught(run, wrong, node):
                wrong.remedy = replace(wrong.remedy, raises=None)  # it does not leave the try
            raise wrong
        check_turns(run, trial)
        return lower_statements(run, [*chosen, *rest])
    handlers = [h for h in not_shadowed(run, node.handlers) if reachable(run, h, probe)]
    if not may_stop(run, probe, trial) or not handlers:
        run.restore(checkpoint)
        return lower_statements(run, [*node.body, *node.orelse, *rest])
    if len(handlers) < len(node.handlers):
        node = gast.copy_location(gast.Try(node.body, handlers, node.orelse, []), node)
    stores: dict[str, list[Stmt]] = {}
    own = own_arrays(run.facts, probe)
    mark_pure(run, probe)
    effect = has_effect(probe, own, stores, partial(is_seen, run), once=True)
    without_last_store(run, probe, stores, trial)
    saved = None if effect else saved_arrays(run, probe, stores)
    torn = is_torn(run, node, probe, stores, trial)
    leaves = torn or leaves_something(run, node, probe, stores, trial)
    if lost and saved is not None and not leaves and trial.turns is None:
        told = only_raised(run, node, [s for s in probe if not gives(s, stage)], rest, saved)
        if told is not None:
            return told
    if lost and effect:
        look_into_calls(run, trial)
    steps = in_steps(run, node, probe, trial) if saved is None or saved or leaves else None
    if steps is not None:
        check_turns(run, trial)
        run.restore(checkpoint)
        return lower_statements(run, [*steps, *rest])
    inside = in_callee(run, node) if saved is None or leaves else None
    if inside is not None:
        run.restore(checkpoint)
        return lower_statements(run, [*inside, *rest])
    asked = by_asking(run, node) if saved is None else None
    if asked is not None:
        run.restore(checkpoint)
        return lower_statements(run, [*asked, *rest])
    if saved is None:
        look_into_calls(run, trial)
        follow_objects(run)
        run.refuse(
            "a try whose body has an effect (an append, a print, a file) that would happen twice",
            "move what has the effect out of the try",
            node=node,
        )
    if leaves:
        run.refuse(
            "a try that may stop in the middle of a statement, with values already changed",
            "write what is called there in the try itself, a statement a line",
            node=trial.torn or node,
        )
    return path_taken(run, node, [s for s in probe if not gives(s, stage)], rest, saved)


def only_raises(run: Run, node: Any) -> bool:
    """Do all handlers of a try raise something, so that nothing follows one?"""
    return all(is_lost(run, handler.body) for handler in node.handlers)


def only_raised(run: Run, node: Any, probe: list[Stmt], rest: list[Any], saved: dict[str, Any]) -> bool | None:
    """A try whose handlers raise, before its body; None where a handler is not lowered for its exception alone.

    try: A                 try: A
    except E: raise F ->   except E: raise F
                           A
    """
    attempt = Attempt(run)
    handlers = []
    for handler in node.handlers:
        kind = None if handler.type is None else expression(run, passively(run, handler.type))
        outer_state, outer_block = run.state, run.block
        run.state, run.block = outer_state.fork(), []
        caught = None
        if handler.name is not None:
            user = identifier_in(handler.name)
            caught = run.facts.fresh(user, temp=False)
            run.facts.kinds[caught] = Unknown()
            bind_name(run, user, Leaf(load(caught), Unknown()))
        block = run.block
        falls = raised(run, handler.body)
        run.state, run.block = outer_state, outer_block
        if falls is not False:
            attempt.undo()
            return None
        stored = None if caught is None else gast.Name(caught, gast.Store(), None, None)
        handlers.append(gast.ExceptHandler(kind, stored, block))
    attempt.keep()
    undo = put_back(run, saved)
    write(run, gast.Try(probe, handlers, [], undo))
    outer, run.frame.proven = run.frame.proven, True
    try:
        return lower_statements(run, [*node.body, gast.copy_location(Unproven(outer), node), *node.orelse, *rest])
    finally:
        run.frame.proven = outer


def look_into_calls(run: Run, trial: Trial) -> None:
    """Calls that would be seen twice: what they do for what they are given may be less than what they may do."""
    once = run.decisions.changes.once
    seen = {site for site, function in trial.calls.items() if once.may_be_seen(function)}
    if not seen <= run.decisions.looked_into:
        run.decisions.looked_into |= seen
        raise Restart


@lowers(Unproven)
def unproven_statement(run: Run, mark: Unproven) -> None:
    run.frame.proven = mark.before


def check_turns(run: Run, trial: Trial) -> None:
    """Refuse a try that is taken apart, where a loop in it computes its items: these stand in no part of it."""
    if trial.turns is not None:
        run.refuse(
            "a try that may stop where a loop in it computes its next item",
            "run over a range or a list, and compute the item in the loop",
            node=trial.turns,
        )


def is_torn(run: Run, node: Any, probe: list[Stmt], stores: dict[str, list[Stmt]], trial: Trial) -> bool:
    """May a statement of the body stop when it has changed something?"""
    function = run.frame.source.tree
    left = {n for s in node.body for n in attempts.unfinished(s)}
    changing = {id(s) for found in stores.values() for s in found}

    def may(s: Stmt) -> bool:
        return may_stop(run, [s], trial)

    if trial.torn or (stores and stores_half_way(probe, changing, trial.stage, may)):
        return True
    own = own_arrays(run.facts, probe)
    half_done = stores_half_way(probe, stores_into(probe, own), trial.stage, may)
    if half_done and is_held_behind(run, node, own, function):
        return True
    return bool(left) and bool(attempts.exposed(node, left, function))


def leaves_something(run: Run, node: Any, probe: list[Stmt], stores: dict[str, list[Stmt]], trial: Trial) -> bool:
    """Is what the statements before the last one did there when a later one has raised something?"""
    if len(node.body) == 1:
        return False
    changing = {id(s) for found in stores.values() for s in found}
    last = max((k for k, s in enumerate(probe) if gives(s, trial.stage)), default=len(probe))
    if trial.leaves or any(id(s) in changing for top in probe[:last] for s in nested(top)):
        return True
    return bool(attempts.exposed(node, attempts.stored(node.body[:-1]), run.frame.source.tree))


def caught_by(run: Run, node: Any) -> tuple[type[BaseException], ...]:
    """The classes that a try is for; all of them where that is not known."""
    found = [classes_of(run, h) for h in node.handlers if h.type is not None]
    known = len(found) == len(node.handlers) and all(found)
    return tuple(c for classes in found for c in classes) if known else (BaseException,)


@above.may_stop.answer
def may_stop(run: Run, statements: Iterable[Stmt], trial: Trial) -> bool:
    """May one of these statements raise what a try is for?"""
    own = (s for s in statements if not gives(s, trial.stage))
    return any(may_raise(s, run.facts, run.names.partly_bound, trial.caught) for s in own)


def in_steps(run: Run, node: Any, probe: list[Stmt], trial: Trial) -> list[Any] | None:
    """A try whose body may stop in the middle as one for each statement of it; None where it is one statement."""
    parts = once_for(node, "parts", lambda: split(node.body))
    if len(parts) > len(node.body):
        whole = gast.Try(parts, node.handlers, node.orelse, [])
        return list(once_for(node, "split", lambda: placed([whole], node)))
    starts = [k for k, s in enumerate(probe) if gives(s, trial.stage)]
    raising = None
    if len(starts) == len(node.body) - 1:
        bounds = [0, *starts, len(probe)]
        raising = {k for k, (a, b) in enumerate(itertools.pairwise(bounds)) if may_stop(run, probe[a:b], trial)}
    made = once_for(node, f"stepwise {raising}", lambda: stepwise(node, raising))
    return None if made is None else list(made)


def in_callee(run: Run, node: Any) -> list[Any] | None:
    """A try around one statement, by how what is called there ended; None where that is not followed."""
    if len(node.body) != 1:
        return None
    (statement,) = node.body
    running = [k for k, n in enumerate(walk(statement)) if runs_own_code(run, n)]
    if not running:
        return None

    def parts() -> list[Any] | None:
        nodes = list(walk(statement))
        own = {id(nodes[k]) for k in running}
        made = apart(statement, lambda n: id(n) in own)
        return None if made is None else placed([gast.Try(made, node.handlers, node.orelse, [])], node)

    alone = once_for(node, f"apart {running}", parts)
    if alone is not None:
        return list(alone)
    call = getattr(statement, "value", None)
    if not isinstance(call, gast.Call) or not isinstance(statement, (gast.Assign, gast.Expr)):
        return None
    if isinstance(statement, gast.Assign) and not isinstance(statement.targets[0], gast.Name):
        return None
    caught = tuple((BaseException,) if h.type is None else classes_of(run, h) for h in node.handlers)
    named = any(h.name is not None for h in node.handlers)
    if not all(caught) or ending(run, called(run, call.func), caught, named) is None:
        return None
    return list(once_for(node, f"ending {running}", lambda: with_ending(node, caught)))


def by_asking(run: Run, node: Any) -> list[Any] | None:
    """A try around one statement that takes something out of a list or a dict; None for others.

    try: v = q.pop()                if q: v = q.pop()
    except IndexError: B    ->      else: B
    """
    asked = taken_out(run, node.body[0]) if len(node.body) == 1 else None
    if asked is None:
        return None
    test, exception = asked
    classes = [(BaseException,) if h.type is None else classes_of(run, h) for h in node.handlers]
    handler = next((h for h, those in zip(node.handlers, classes, strict=True) if issubclass(exception, those)), None)
    there = [node.body[0], *node.orelse]
    if not all(classes) or (handler is not None and handler.name is not None):
        return None
    if handler is None:
        return there
    return list(once_for(node, f"asked {exception}", lambda: placed([gast.If(test, there, handler.body)], node)))


def taken_out(run: Run, statement: Any) -> tuple[Any, type[Exception]] | None:
    """`asked_before` of a statement, where it is known that it is a list or a dict out of which something is taken."""
    call = getattr(statement, "value", None)
    if not isinstance(call, gast.Call) or not isinstance(call.func, gast.Attribute):
        return None
    owner = called(run, call.func.value)
    obj = run.state.heap[owner.id] if isinstance(owner, Ref) else None
    listed = (isinstance(owner, Leaf) and isinstance(owner.kind, ListOf)) or isinstance(obj, ListObj)
    return attempts.asked_before(statement, list if listed else dict if isinstance(obj, DictObj) else object)


def runs_own_code(run: Run, node: Any) -> bool:
    """Does a call run code of the user's that can be followed, or take something out of a list or a dict?"""
    if not isinstance(node, gast.Call):
        return False
    if taken_out(run, gast.Expr(node)) is not None:
        return True
    if isinstance(node.func, gast.Attribute) and dotted(node.func) is None:
        return True  # (of what, is known when that has a name)
    return with_source(run, called(run, node.func)) is not None


@above.with_source.answer
def with_source(run: Run, function: Value | None) -> Closure | None:
    """A function of the user's that is written out where it is called; None for others."""
    while isinstance(function, Method):
        function = function.function
    if isinstance(function, Closure):
        return function
    value = function.value if is_known_a(function, types.FunctionType, types.MethodType) else None
    if isinstance(value, types.MethodType):  # of a class
        value = value.__func__ if isinstance(value.__self__, type) else None
    if value is None or from_library(value) or of_compiler(value) or value in BUILTINS:
        return None
    if registry.lookup(value) is not None or value.__code__.co_filename == contextlib.__file__:
        return None
    try:
        return as_closure(run, value)
    except DerivationError:  # it has no source
        return None


def ending(run: Run, function: Value | None, caught: Classes, named: bool) -> Value | None:
    """The function that says which of these exceptions it ended with; None where it is not followed."""
    if isinstance(function, Method):
        inner = ending(run, function.function, caught, named)
        return None if inner is None else Method(inner, function.owner)
    if is_known_a(function, types.MethodType):
        inner = ending(run, Known(function.value.__func__), caught, named)
        return None if inner is None else Method(inner, Known(function.value.__self__))
    found = with_source(run, function)
    if found is None or id(found.source.tree) in run.calls.memoized | run.calls.cached:
        return None
    tree = found.source.tree
    form = f"ending {[[id(c) for c in classes] for classes in caught]} {named}"
    made = once_for(tree, form, lambda: says_how_it_ends(tree, caught, named))
    return None if made is None else dataclasses.replace(found, source=Nested(found.source, made))


@lowers(Ending)
def ending_expression(run: Run, node: Ending) -> Value:
    made = ending(run, what_is_called(run, node.function), node.classes, node.named)
    assert made is not None
    return made


def without_last_store(run: Run, probe: list[Stmt], stores: dict[str, list[Stmt]], trial: Trial) -> None:
    """Where the last thing that a body does is to store a number into an array, what raises when the path is found
    out is to read it from there."""
    last = probe[-1]
    if not real_store(last, run.facts):
        return
    place = clone(last.targets[0] if isinstance(last, gast.Assign) else last.target)
    place.ctx = gast.Load()
    found = stores.get(place.value.id, [])
    if any(s is last for s in found):
        stores[place.value.id] = [s for s in found if s is not last]
        if not stores[place.value.id]:
            del stores[place.value.id]
        asked = [gast.Expr(last.value), gast.Expr(place)]
        for statement in asked:
            statement.origin = last.origin
        probe[-1:] = [s for s in asked if may_stop(run, [s], trial)]


def saved_arrays(run: Run, probe: list[Stmt], stores: dict[str, list[Stmt]]) -> dict[str, Any] | None:
    """The arrays and lists from before a try that its body stores into, by the names for what they held; None where
    one is not known."""
    stored = {id(s.target) for found in stores.values() for s in found if isinstance(s, gast.AugAssign)}
    bound = {n.id for s in probe for n in walk_names(s) if isinstance(n.ctx, gast.Store) and id(n) not in stored}
    arrays: dict[str, Any] = {}
    for name_ in stores:
        key: str | None = name_
        while key is not None and key in bound:
            key = run.alias.get(key)
        if key is None or not is_taken_back(run, key, stores[name_]):
            return None
        arrays[key] = quote(key)
    return {run.facts.fresh(f"{identifier_in(root_of(a))}_before", temp=False): a for a in arrays.values()}


def is_taken_back(run: Run, name_: str, stores: list[Stmt]) -> bool:
    """Is what statements store into an array or container undone when it has the items of before again?

    What is stored into an item, the item has still: an array in a dict, for `d[k] += 1` as well.
    """
    kind = run.facts.kinds.get(name_)
    if isinstance(kind, Array):
        return kind.dtype != object
    numbers = isinstance(kind, ListOf) and isinstance(kind.item, Number)
    for s in stores:
        target = s.targets[0] if isinstance(s, gast.Assign) else getattr(s, "target", None)
        base = target.value if isinstance(target, gast.Subscript) else None
        if not isinstance(base, gast.Name) or base.id != name_ or not (numbers or isinstance(s, gast.Assign)):
            return False
    return isinstance(kind, (ListOf, Unknown))


def mark_pure(run: Run, body: list[Stmt]) -> None:
    """Statements that call something for nothing but what it may raise (np.broadcast_shapes) are no effects, and
    those that write through an argument (np.put) are stores."""
    calls = Calls(run.facts)
    for statement in (n for s in body for n in walk(s) if isinstance(n, gast.Expr)):
        kind = infer(statement.value.func, run.facts) if isinstance(statement.value, gast.Call) else None
        statement.pure = isinstance(kind, CallableKind) and is_pure(kind.value)
        if statement.pure:
            statement.written = [e if is_array(run, e) else None for e in calls.overwritten(statement.value)]


def is_array(run: Run, expr: Any) -> bool:
    """Is it an array with a name, or a part of one?"""
    base = root_of(expr)
    kind = run.facts.kinds.get(base.id) if base is not None else None
    return isinstance(kind, Array) or (base is expr and isinstance(kind, Unknown))


def not_shadowed(run: Run, handlers: list[Any]) -> list[Any]:
    """The handlers that are for something that no handler before them is for."""
    left: list[Any] = []
    before: tuple[type[BaseException], ...] = ()
    for handler in handlers:
        classes = classes_of(run, handler) if handler.type is not None else ()
        if not (classes and all(issubclass(c, before) for c in classes)):
            left.append(handler)
        before = (*before, *classes)
    return left


def reachable(run: Run, handler: Any, probe: list[Stmt]) -> bool:
    """May the body, as it was lowered, raise what a handler is for?

    Names and imports are settled at derivation; types are where all kinds are known.
    """
    if handler.type is None:
        return True
    classes = classes_of(run, handler)
    settled = tuple(_NAMES) + (tuple(_TYPES) if all(typed(run, s) for s in probe) else ())
    if not classes or not all(issubclass(c, settled) for c in classes):
        return True
    if any(raises_one_of(s, classes) for s in probe):
        return True
    return any(n.id in run.names.partly_bound for s in probe for n in walk_names(s))


def typed(run: Run, statement: Stmt) -> bool:
    """Are all values in a statement numbers and arrays, given to operators and NumPy?"""
    for node in walk(statement):
        if isinstance(node, gast.Call):
            function = node.func
            while isinstance(function, gast.Attribute):
                function = function.value
            if not isinstance(function, gast.Name):
                return False
            known = run.facts.globals.get(function.id, getattr(builtins, function.id, None))
            if isinstance(run.facts.kinds.get(function.id), (Number, Array)) or is_plain_function(known):
                continue
            return False
        elif isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
            if node.id in run.facts.globals or hasattr(builtins, node.id):
                continue
            if not isinstance(run.facts.kinds.get(node.id), (Number, Array)):
                return False
    return True


def number(run: Run, target: str, value: int) -> Stmt:
    statement = gast.Assign([name(target, True)], gast.Constant(value, None), None)
    statement.origin = run.origin
    return statement


def is_held_behind(run: Run, node: Any, own: Collection[str], function: Any) -> bool:
    """May what is read after an exception be, or hold, an array or a list that the body of a try made?"""
    read = attempts.exposed(node, attempts.stored(node.body), function)
    shown, kinds = run.facts.user_name, run.facts.kinds
    held = {n for n, kind in kinds.items() if n in own or not isinstance(kind, (Number, Text, Static))}
    return any(shown.get(name, name) in read for name in held)


def run_trial(run: Run, trial: Trial, body: list[Any]) -> None:
    """Lower the body of a try for its exceptions alone; its stage counts the statements that were done.

    Jumps out of it end their paths: what stands behind them is in the other branches.
    """
    steps: list[Any] = []
    for k, statement in enumerate(body):
        steps += [gast.copy_location(Step(trial, k), statement), statement]
    lower_statements(run, [*steps, gast.copy_location(Step(trial, len(body)), body[-1])])


@lowers(Step)
def step_statement(run: Run, step: Step) -> None:
    trial, k = step.trial, step.done
    if k:
        step_ends(run, trial)
    if k == len(trial.node.body):
        return
    if k:
        run.block.append(number(run, trial.stage, k))
    trial.done, trial.statement, trial.changed = k, trial.node.body[k], False
    trial.start = run.block, len(run.block)
    trial.before = {ref: obj.copy() for ref, obj in run.state.heap.items()}


def step_ends(run: Run, trial: Trial) -> None:
    """One of the statements that a trial consists of is done, on one path."""
    block, start = trial.start
    if not trial.changed and changes(trial.before, run.state.heap):
        trial.changed = True
        if block is not run.block or may_stop(run, block[start:], trial):
            trial.torn = trial.torn or trial.statement
    trial.leaves = trial.leaves or (trial.changed and trial.done < len(trial.node.body) - 1)


def items_computed(run: Run, loop: Any, written: list[Stmt] | None) -> None:
    """A loop has computed items by these statements (None: by what is not known), which Python computes in its
    turns: a try around it may stop there, between two turns."""
    for trial in run.attempts:
        if trial.frame is run.frame and (written is None or may_stop(run, written, trial)):
            trial.turns = trial.turns or loop


def jumps_away(run: Run) -> None:
    """Control leaves a list of statements: where that is the body of a try, its last statement is done."""
    if run.attempts and run.attempts[-1].frame is run.frame:
        step_ends(run, run.attempts[-1])


@above.changed_before.answer
def changed_before(run: Run, ids: Iterable[int]) -> None:
    """Containers or frames are written to: note for which trials they are from before."""
    for trial in run.attempts:
        trial.changed = trial.changed or any(k <= trial.last for k in ids)


def trials_changed(run: Run) -> list[bool]:
    """Has the statement that each open trial is at changed a container so far?"""
    return [trial.changed for trial in run.attempts]


def trials_are(run: Run, paths: list[list[bool]]) -> None:
    """Here several paths meet: what one of them changed is changed."""
    for trial, changed in zip(run.attempts, zip(*paths, strict=True), strict=True):
        trial.changed = any(changed)


def done_before(run: Run, trial: Trial, probe: list[Stmt]) -> Before:
    """What is known of the statements of a trial that ended at one that raises."""
    starts = [k for k, s in enumerate(probe) if gives(s, trial.stage)]
    tried = probe[starts[-1] :] if starts and trial.done else probe
    seen = has_effect([s for s in tried if not gives(s, trial.stage)], seen=partial(is_seen, run))
    return Before(
        seen,
        seen or has_effect(probe, seen=partial(is_seen, run)),
        may_stop(run, tried, trial),
        may_stop(run, probe, trial),
    )


def raised_for_certain(run: Run, error: DerivationError, trial: Trial, before: Before) -> list[Any] | None:
    """The handler for an exception that the body raises for certain (a key that is not there).

    The statements before the one that raises are done. Where they may raise something themselves:

    try: A; 1[0] = x        try: A; x
    except E: B        ->   except E: B
                            else: B
    """
    node = trial.node
    exception = error.remedy.raises
    if exception is None or error.remedy.level != (run.branches, len(run.turns.turning)):
        return None
    done, failing = list(node.body[: trial.done]), node.body[trial.done]
    function = run.frame.source.tree
    left = attempts.unfinished(failing)
    if trial.changed or trial.torn or (left and attempts.exposed(node, left, function)):
        return None
    if before.last_is_seen:
        return None
    for handler in node.handlers:
        classes = classes_of(run, handler)
        if any(isinstance(exception, c) for c in classes):
            break
    else:
        return None
    named = handler.name is not None and reads_name(handler.body, identifier_in(handler.name))
    if before.may_stop:
        if named:
            return None
        given = attempts.stored([*done, failing])
        alone = len(node.handlers) == 1 and all(any(issubclass(e, c) for c in classes) for e in NUMERIC)
        alone = alone and not before.is_seen and not trial.leaves
        if alone and not attempts.exposed(node, given, function):
            return list(handler.body)
        if before.last_may_stop:
            value = getattr(failing, "value", None)
            if not error.remedy.storing or value is None:
                return None
            done.append(gast.copy_location(gast.Expr(value), failing))

        def otherwise() -> list[Any]:
            return placed([gast.Try(done, node.handlers, handler.body, [])], node)

        return list(once_for(node, f"certain{trial.done}", otherwise)) if done else None
    if named:
        if not all(isinstance(a, (str, int, float)) for a in exception.args):
            return None
        bind_name(run, identifier_in(handler.name), Known(exception, made(run, exception)))
    return [*done, *handler.body]


def classes_of(run: Run, handler: Any) -> tuple[type[BaseException], ...]:
    """What a handler is for; () where that is not known."""
    if handler.type is None:
        return (Exception,)
    if not any(isinstance(n, gast.Call) for n in walk(handler.type)):
        return classes_in(static(passively(run, handler.type)))
    found, changes = noting_draws(run, lambda: passively(run, handler.type))
    if changes:
        reason = "to find out what an except clause is for changes or prints something"
        run.refuse(reason, "give the classes names before the try", handler.type)
    return classes_in(static(found))


def may_be_caught(run: Run, error: DerivationError, node: Any) -> bool:
    """May a handler of a try be for what a statement raises for certain?"""
    exception = error.remedy.raises
    classes = (classes_of(run, v) for v in node.handlers) if exception is not None else ()
    return any(not found or isinstance(exception, found) for found in classes)


@above.waits_for.answer
def waits_for(run: Run, exception: type[BaseException]) -> bool:
    """May a try catch this exception, whose body is being lowered for what it raises?"""
    for trial in run.attempts:
        for handler in trial.node.handlers:
            classes = () if handler.type is None else classes_of(run, handler)
            if not classes or issubclass(exception, classes):
                return True
    return False


def made(run: Run, exception: BaseException) -> Any:
    """The expression that makes an exception."""
    cls = load(global_name(run, type(exception).__name__, type(exception)))
    plain = all(isinstance(a, (str, int, float)) for a in exception.args)
    return gast.Call(cls, [gast.Constant(a, None) for a in exception.args] if plain else [], [])


def raises_here(run: Run, error: DerivationError, level: tuple[int, int]) -> bool:
    """Does a statement that raises for certain become a `raise`? On one of several paths of a function.

    Anywhere else there is a handler for it, or an error at derivation.
    """
    exception = error.remedy.raises
    if exception is None or error.remedy.concrete or error.remedy.level != level:
        return False
    around = run.attempts[-1].level if run.attempts else (0, 0)
    return level[0] > around[0] or (level != around and bool(run.attempts or run.speculation.tried))


def path_taken(run: Run, node: Any, probe: list[Stmt], rest: list[Any], saved: dict[str, Any]) -> bool | None:
    path = run.facts.fresh("path", temp=False)
    run.facts.kinds[path] = Number(int)
    origin = run.origin

    def mark(k: int) -> Stmt:
        statement = gast.Assign([name(path, True)], gast.Constant(k, None), None)
        statement.origin = origin
        return statement

    handlers = []
    starts: dict[int, list[Any]] = {}
    for k, handler in enumerate(node.handlers):
        kind = None if handler.type is None else expression(run, passively(run, handler.type))
        caught = None
        kept: list[Stmt] = []
        if handler.name is not None:
            user = identifier_in(handler.name)
            inner = run.facts.fresh(user, temp=False)
            held = run.facts.fresh(f"{user}_caught", temp=False)
            run.facts.kinds[inner] = run.facts.kinds[held] = Unknown()
            caught = inner
            keep = gast.Assign([name(held, True)], load(inner), None)
            keep.origin = origin
            kept = [keep]
            active = runs_code(run, probe) and may_read_active(run, probe)
            if active:  # and so may be what the exception carries
                run.facts.varied.add(held)
                run.names.caught.add(held)
            starts[k] = [gast.copy_location(Caught(user, Leaf(load(held), Unknown(), active)), handler)]
        handlers.append(
            gast.ExceptHandler(
                kind, None if caught is None else gast.Name(caught, gast.Store(), None, None), [*kept, mark(k + 1)]
            )
        )
    undo = put_back(run, saved)
    write(run, gast.Try(probe, handlers, [mark(0)], undo))
    bodies = [[*starts.get(k, ()), *handler.body] for k, handler in enumerate(node.handlers)]
    return branch_on(run, path, node, bodies, rest)


def put_back(run: Run, saved: dict[str, Any]) -> list[Stmt]:
    """Copies of arrays are made here; the statements that put into the arrays what they held."""
    undo: list[Stmt] = []
    for before, array in saved.items():
        kind = run.facts.kinds[before] = run.facts.kinds[atom_key(array)]
        if isinstance(kind, (Array, ListOf)):
            whole = "..." if isinstance(kind, Array) else ":"
            write(run, quote_statements(f"{before} = x.copy()", x=array)[0])
            undo += quote_statements(f"x[{whole}] = {before}", x=array)
        elif atom_key(array) in run.lists.table_of:
            write(run, quote_statements(f"{before} = x.copy()", x=array)[0])
            undo += quote_statements(f"x.clear()\nx.update({before})", x=array)
        else:  # an array; another container has again what it was given, when it is given that again
            numpy = load(global_name(run, "np", np))
            write(run, quote_statements(f"{before} = np.copy(x)", np=numpy, x=array)[0])
            undo += quote_statements(f"if isinstance(x, np.ndarray):\n    x[...] = {before}", np=numpy, x=array)
    for statement in undo:
        statement.origin = run.origin
    return undo


@lowers(Caught)
def caught_statement(run: Run, caught: Caught) -> None:
    bind_name(run, caught.user, caught.exception)


def runs_code(run: Run, probe: list[Stmt]) -> bool:
    """Can code of the user's run in it? What Python itself raises carries text and keys, which may be active."""
    nodes = [n for s in probe for n in gast.walk(s)]
    if any(isinstance(n, (gast.Raise, gast.Assert, gast.Call)) for n in nodes):
        return True
    if any(isinstance(n, gast.Subscript) and may_read_active(run, [n.slice]) for n in nodes):
        return True
    return not all(is_builtin_kind(run.facts.kinds.get(n)) for n in names_read(probe))


def may_read_active(run: Run, body: list[Stmt]) -> bool:
    """Do statements read something that is active, is a part of what is, or holds it?"""
    return any(
        is_within(key, active) or is_within(active, key) for key in paths_in(body) for active in run.facts.varied
    )


def branch_on(run: Run, path: str, node: Any, handlers: list[list[Any]], rest: list[Any]) -> bool | None:
    """if path == 0: the body, elif path == 1: the first handler, ..."""
    chain: list[Any] = []
    run.state.frames[run.frame.id][f"#{path}"] = Leaf(load(path), Number(int))
    bodies = [[*node.body, *node.orelse], *handlers]
    for k in reversed(range(len(bodies))):
        if k == len(bodies) - 1:
            chain = list(bodies[k])
            continue
        test = gast.Compare(name(f"#{path}"), [gast.Eq()], [gast.Constant(k, None)])
        chain = placed([gast.If(test, list(bodies[k]), chain)], node)
    return lower_statements(run, [*chain, *rest])


def called(run: Run, node: Any) -> Value | None:
    """The function that a name, or an attribute of what has a name, stands for here; None where unknown."""
    if isinstance(node, gast.Name):
        frame = find_frame(run, node.id)
        found = run.state.frames[frame].get(node.id) if frame is not None else None
        if found is None and node.id in run.frame.source.globals:
            found = Known(run.frame.source.globals[node.id])
        return found
    owner = called(run, node.value) if isinstance(node, gast.Attribute) else None
    if owner is None:
        return None
    if isinstance(owner, Super):
        return inherited(run, owner, node.attr)
    instance = instance_of(run, owner)
    if instance is None:
        return Known(getattr(owner.value, node.attr, None)) if isinstance(owner, Known) else None
    if isinstance(instance, Instance) and node.attr in instance.attributes:
        return instance.attributes[node.attr]
    computed = isinstance(class_entry(instance.cls, node.attr), property)
    return None if computed else find_method(run, owner, node.attr)


def is_lost(run: Run, body: list[Any]) -> bool:
    """Is all that statements compute for an exception, which leaves the function?"""
    given = leads_to_raise(body)
    if not given or not once_for(run.frame.source.tree, "catches", lambda: catches(run.frame.source.tree)):
        return given is not None
    inside = {id(n) for s in body for n in walk_names(s)}
    loads = (n for n in walk_names(run.frame.source.tree) if isinstance(n.ctx, gast.Load) and n.id in given)
    return not (given & run.frame.nonlocals) and all(id(n) in inside for n in loads)
