"""A call expression: what is called, with which arguments."""

from __future__ import annotations

import operator
from typing import Any

import gast

from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError
from s2sad.knowledge import registry
from s2sad.normal.calls.dispatch import call_value, stays_call
from s2sad.normal.calls.effect_of import effect_of
from s2sad.normal.calls.questions import (
    calls_back,
    changes_what_was_there,
    has_body,
    has_output,
    hashable,
    is_transposed,
    is_word,
    shows_progress,
    uses_up,
)
from s2sad.normal.calls.tables import IN_PLACE, MUTATORS, PROGRESS_OF_RANGES, SETTERS
from s2sad.normal.decisions import Restart
from s2sad.normal.expressions.atoms import evaluate
from s2sad.normal.expressions.attributes import may_run_code
from s2sad.normal.expressions.comprehensions import (
    kept_as_it_is,
    short_and_static,
    sum_of_comprehension,
    with_rows,
    written_out,
)
from s2sad.normal.expressions.displays import entries
from s2sad.normal.expressions.operators import in_order
from s2sad.normal.handlers import lowers
from s2sad.normal.iteration.asking import follows_in_passing
from s2sad.normal.iteration.at_once import columns_of, iterate_static
from s2sad.normal.memory import look_into
from s2sad.normal.names import hold
from s2sad.normal.run import Run
from s2sad.normal.statements.running_twice import has_effect
from s2sad.normal.values.abstract import DictObj, Known, Leaf, Ref, Value, is_it, is_known_a
from s2sad.normal.values.classes import instance_of
from s2sad.normal.values.facts import is_varied
from s2sad.normal.values.joined import same_value
from s2sad.normal.values.making import constant


@lowers(gast.Call)
def call_expression(run: Run, node: Any) -> Value:
    function = what_is_called(run, node.func)
    if isinstance(function, Known) and shows_progress(function.value):
        return without_progress(run, function.value, node)
    if uses_up(function) and not calls_back(function, node):
        for part in node.args:
            part.used_up = True  # if it is a generator expression
    if (
        isinstance(function, Known)
        and function.value is sum
        and node.args
        and isinstance(node.args[0], (gast.GeneratorExp, gast.ListComp))
        and not run.passive
        and not (isinstance(node.args[0], gast.ListComp) and starts_by_code(run, node))
    ):
        return sum_comprehension(run, node, function)
    early = isinstance(function, Known) and function.is_one_of(any, all) and len(node.args) == 1
    early = early and isinstance(node.args[0], gast.GeneratorExp) and not run.text_only
    if early and run.site(node) in run.decisions.step_by_step:
        return one_by_one(run, node, function.value)  # type: ignore[attr-defined]
    if early and not run.calls.trials and may_run_code(run, node.args[0]):
        watch_effects(run, node)
    taken = is_it(function, next) and node.args
    if taken and isinstance(node.args[0], gast.GeneratorExp) and not run.text_only:
        kept = None if short_and_static(run, node.args[0]) else kept_as_it_is(run, node.args[0])
        if kept is None:
            return one_by_one(run, node, next)
    if isinstance(function, Known) and function.is_one_of(any, all) and len(node.args) == 1:
        decided = decided_by_items(run, function, node.args[0])
        if decided is not None:
            return decided
    if is_it(function, zip) and is_transposed(node):
        rows = hold(run, evaluate(run, node.args[0].value))
        columns = columns_of(run, rows, node)
        if columns is not None:
            return columns
        return call_value(run, function, iterate_static(run, rows), {})
    if (
        takes_passively(run, function)
        and run.site(node) not in run.decisions.on_objects
        and not has_output(function.value, node)  # type: ignore[attr-defined]
    ):
        run.passive += 1
        try:
            args, kwargs = arguments(run, node)
            if args and instance_of(run, args[0]) is not None and is_varied(run, args[0]) and run.passive == 1:
                run.decisions.on_objects.add(run.site(node))
                raise Restart
            return call_value(run, function, args, kwargs)
        finally:
            run.passive -= 1
    outer, suspended = run.passive, run.calls.suspended
    mutates = isinstance(node.func, gast.Attribute) and node.func.attr in MUTATORS
    mutates = mutates or (isinstance(function, Known) and hashable(function.value) and function.value in IN_PLACE)
    if (mutates and not run.text_only) or (follows_in_passing(run) and has_body(function)):
        run.passive, run.calls.suspended = 0, suspended or outer  # its arguments may be stored
    try:
        args, kwargs = arguments(run, node, function)
        return call_value(run, function, args, kwargs)
    finally:
        run.passive, run.calls.suspended = outer, suspended


def without_progress(run: Run, function: Any, node: Any) -> Value:
    """What a progress bar is drawn for: derivatives draw none."""
    settings = [k for k in node.keywords if k.arg != "iterable"]
    if function.__name__ in PROGRESS_OF_RANGES:
        made = call_value(run, Known(range), [evaluate(run, a) for a in node.args], {})
    else:
        over = [*node.args[:1], *(k.value for k in node.keywords if k.arg == "iterable")]
        settings += node.args[1:]
        if not over or isinstance(over[0], gast.Starred):
            run.refuse("a progress bar that is moved by hand", "let it run over the loop: for i in tqdm(range(n))")
        made = evaluate(run, over[0])
    if any(may_run_code(run, v) for v in settings):
        run.refuse("what a progress bar shows is computed by code of its own", ways.OWN_STATEMENT)
    return made


def what_is_called(run: Run, node: Any) -> Value:
    """A method that changes its object needs the object as it is, whatever it returns is for."""
    if not run.passive or run.text_only or getattr(node, "attr", None) not in MUTATORS:
        return evaluate(run, node)
    outer, suspended = run.passive, run.calls.suspended
    run.passive, run.calls.suspended = 0, suspended or outer
    try:
        return evaluate(run, node)
    finally:
        run.passive, run.calls.suspended = outer, suspended


def one_by_one(run: Run, node: Any, function: Any) -> Value:
    """any(), all() or next() of a generator expression, as a loop that ends where the answer is known."""
    form, items = function.__name__ + (" or" if node.args[1:] else ""), node.args[0]
    if any(may_run_code(run, v) for v in node.args[1:]):
        items = with_rows(run, items)  # before what is given where there is none
    rest = [hold(run, evaluate(run, a)) for a in node.args[1:]]
    result: Value = written_out(run, items, form, rest)
    return result


def watch_effects(run: Run, node: Any) -> None:
    """Do the items that any() or all() is given change something? Then they are computed one by one."""
    outer_state, outer_block, checkpoint = run.state, run.block, run.checkpoint()
    run.state, run.block = run.state.fork(), []
    known, stores = set(run.facts.kinds), len(run.memory.stores_made)
    before, refs, lists = run.state.slots(), set(run.state.heap), len(run.memory.lists_changed)
    passive, run.passive = run.passive, 0
    try:
        written_out(run, node.args[0])
        after = run.state.slots()
        same = all(slot in after and same_value(run, after[slot], value) for slot, value in before.items())
        grown = any(slot[0] == "heap" and slot[1] in refs and slot not in before for slot in after)
        changed = known.intersection([*run.memory.stores_made[stores:], *run.memory.lists_changed[lists:]])
        effects = not same or grown or bool(changed) or changes_what_was_there(run.block)
        effects = effects or effect_of(run.block, run.facts) in ("own", "unknown")  # it draws, say
    except DerivationError:
        effects = False
    finally:
        run.passive = passive
        run.state, run.block = outer_state, outer_block
        run.restore(checkpoint)
    if effects:
        run.decisions.step_by_step.add(run.site(node))
        raise Restart


def decided_by_items(run: Run, function: Known, node: Any) -> Known | None:
    """any() or all() of a comprehension over few known items, where what is known of each decides it."""
    if not isinstance(node, (gast.GeneratorExp, gast.ListComp)) or not short_and_static(run, node):
        return None

    outer_state, outer_block, checkpoint = run.state, run.block, run.checkpoint()
    run.state, run.block = run.state.fork(), []
    run.passive += 1
    try:
        found = call_value(run, function, [written_out(run, node)], {})
    except DerivationError:
        return None
    finally:
        run.passive -= 1
        effects = has_effect(run.block)
        run.state, run.block = outer_state, outer_block
        run.restore(checkpoint)
    return found if isinstance(found, Known) and not effects else None


def starts_by_code(run: Run, node: Any) -> bool:
    """May computing what a sum starts from do something, which must not come before its items?"""
    return any(may_run_code(run, v) for v in [*node.args[1:], *(k.value for k in node.keywords)])


def sum_comprehension(run: Run, node: Any, function: Known) -> Value:
    """sum(e for ...): as it is where nothing active is in it, else a loop that adds up."""
    comprehension = node.args[0]
    if not short_and_static(run, comprehension):
        kept = kept_as_it_is(run, comprehension)
        if kept is not None:
            rest = [evaluate(run, a) for a in node.args[1:]]
            return call_value(run, function, [kept, *rest], {k.arg: evaluate(run, k.value) for k in node.keywords})
    starts = [*node.args[1:], *(k.value for k in node.keywords)]
    if starts_by_code(run, node):
        comprehension = with_rows(run, comprehension)  # before the start, which is there before the first item
    if short_and_static(run, comprehension):
        given = [hold(run, evaluate(run, s)) for s in starts]
        return call_value(run, function, [written_out(run, comprehension), *given], {})
    start = evaluate(run, starts[0]) if starts else constant(run, 0)
    return sum_of_comprehension(run, comprehension, start)


def arguments(run: Run, node: Any, function: Value | None = None) -> tuple[list[Value], dict[str, Value]]:
    """The arguments of a call, by position and by name; `**settings` of a function that only takes settings stay
    as they are, under the name "**"."""
    alone = len(node.args) == 1 and isinstance(node.args[0], gast.Starred)  # looked into when the call is made
    given = [node.args[0].value] if alone else node.args
    values = in_order(run, node, [*given, *(k if k.arg is None else k.value for k in node.keywords)])
    args: list[Value] = []
    for part, value in zip(node.args, values, strict=False):
        with run.at(part):
            args.extend(iterate_static(run, value) if isinstance(part, gast.Starred) else [value])
    kwargs: dict[str, Value] = {}
    for keyword, value in zip(node.keywords, values[len(node.args) :], strict=True):
        if keyword.arg is not None:
            kwargs[keyword.arg] = value
            continue
        if is_known_a(value, dict) and all(map(is_word, value.value)):
            kwargs.update(entries(run, value))
            continue
        obj = run.state.heap[value.id] if isinstance(value, Ref) else None
        kept = isinstance(function, Known) and (function.value in SETTERS or stays_call(run, function.value))
        if obj is None and kept and not is_varied(run, value):
            kwargs["**"] = value
            continue
        if not isinstance(obj, DictObj):
            if isinstance(value, Leaf):
                look_into(run, value.expr, made=True)
            run.refuse("** of a dict whose keys are not known", ways.KEYS, keyword.value)
        kwargs.update(obj.items)
    return args, kwargs


def takes_passively(run: Run, function: Value) -> bool:
    """Does the result never carry a derivative, whatever the arguments?"""
    if isinstance(function, Known):
        try:
            rule = registry.lookup(function.value)
        except TypeError:
            return False
        if function.value is operator.or_ or function.value is operator.ior:  # of dicts
            return False
        # where some calls have a derivative (np.arange in its step), the arguments tell
        return rule is not None and rule.zero and rule.definition is None
    return False
