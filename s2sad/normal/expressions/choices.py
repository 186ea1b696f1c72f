"""`a if c else b`, `and`, `or`, `not`: and whether something is known to be true."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

import gast

from s2sad.core import Expr, clone
from s2sad.frontend import ways
from s2sad.kinds.kind import Kind, Number
from s2sad.normal.calls.functions import Diverges, Raises
from s2sad.normal.changing import kept_in_run
from s2sad.normal.expressions.atoms import evaluate, own_truth, passively, truth_test
from s2sad.normal.handlers import lowers
from s2sad.normal.joining import join
from s2sad.normal.names import hold
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import (
    Choice,
    Closure,
    Conflict,
    DictObj,
    Known,
    Leaf,
    ListObj,
    Maybe,
    Method,
    Ref,
    State,
    Tup,
    Unbound,
    Value,
    contents,
    is_known_a,
    is_none,
)
from s2sad.normal.values.classes import instance_of, static
from s2sad.normal.values.entering import goes_by
from s2sad.normal.values.facts import is_varied, kind_of
from s2sad.normal.values.joined import join_kind, same_value
from s2sad.normal.values.making import expression, shown_value
from s2sad.normal.values.questions import is_bool, is_callable, may_be_functions, settled
from s2sad.normal.words import NO
from s2sad.normal.writing import anchor, fresh, write
from s2sad.runtime.identity import class_entry


@lowers(gast.BoolOp)
def bool_op_expression(run: Run, node: Any) -> Value:
    is_and = isinstance(node.op, gast.And)
    kept: list[Value] = []
    values: list[Value] = []
    for k, part in enumerate(node.values):
        outer, before = run.block, run.state
        if kept:
            run.block, run.state = [], before.fork()
        alone = getattr(node, "truth_alone", False)
        level, raises = run.branches, False
        run.branches += bool(kept)
        try:
            if alone:
                value = truth_test(run, part)
            else:
                value = evaluate(run, part) if may_be_varied_choice(run, part) else passively(run, part)
        except Raises:
            if not kept:
                raise
            raises = True
        run.branches = level
        if kept and (raises or run.block or moved_on(run, before)):
            run.block, run.state = outer, before
            return choice_by_parts(run, node, kept, node.values[k:])
        run.block = outer
        truth = known_truth(run, value)
        if truth is None and not alone and part is not node.values[-1] and instance_of(run, value) is not None:
            if kept:
                run.state = before
                return choice_by_parts(run, node, kept, node.values[k:])
            told = own_truth(run, value)
            truth = known_truth(run, told)
            if truth is None:
                return first_or_rest(run, node, value, told, node.values[k + 1 :])
        if truth is None:
            kept.append(value)
            values.append(value)
        elif truth != is_and:
            kept.append(value)
            values.append(value)
            break
        else:
            values.append(value)
    if kept and values[-1] is not kept[-1] and not getattr(node, "truth_alone", False):
        kept.append(values[-1])  # it is the result where the others do not settle it
    if len(kept) <= 1:
        return kept[0] if kept else values[-1]
    if getattr(node, "truth_alone", False) or all(not is_varied(run, v) for v in kept):
        form = partial(expression, run) if getattr(node, "truth_alone", False) else partial(kept_in_run, run)
        node = gast.BoolOp(type(node.op)(), [form(v) for v in kept])
        kinds = [kind_of(run, v) for v in kept]
        kind: Kind = Number(bool)
        if any(not is_bool(k) for k in kinds):
            kind = kinds[0]
            for other in kinds[1:]:
                kind = join_kind(run, kind, other)
        return Leaf(node, kind, nested=True)
    result = kept[-1]
    for value in reversed(kept[:-1]):
        test = hold(run, value)
        first, second = (result, test) if is_and else (test, result)
        result = choose(run, expression(run, test), lambda v=first: v, lambda v=second: v)
    return result


def choice_by_parts(run: Run, node: Any, kept: list[Value], rest: list[Any]) -> Value:
    """and/or where an operand has to be computed by statements: these run only when Python would evaluate it."""
    first = (
        kept[0]
        if len(kept) == 1
        else Leaf(gast.BoolOp(type(node.op)(), [expression(run, v) for v in kept]), Number(bool), nested=True)
    )
    test = hold(run, first)
    return first_or_rest(run, node, test, test, rest)


def first_or_rest(run: Run, node: Any, first: Value, truth: Value, rest: list[Any]) -> Value:
    """and/or of a value, which is or is not the result by its truth, and of operands that may not be evaluated."""
    tail = rest[0] if len(rest) == 1 else gast.copy_location(gast.BoolOp(node.op, rest), node)

    def evaluated() -> Value:
        if getattr(node, "truth_alone", False):
            return truth_test(run, tail)
        return evaluate(run, tail) if may_be_varied_choice(run, tail) else passively(run, tail)

    test = expression(run, truth)
    sides = (evaluated, lambda: first) if isinstance(node.op, gast.And) else (lambda: first, evaluated)
    return may_be_branch(run, choose(run, test, *sides), node)


def may_be_varied_choice(run: Run, node: Any) -> bool:
    """Is an operand of and/or used for its value (`x or 1.0`) rather than its truth?"""
    if isinstance(node, gast.BoolOp):
        return any(may_be_varied_choice(run, part) for part in node.values)
    negated = isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not)
    return not (run.passive or negated or isinstance(node, gast.Compare))


def known_truth(run: Run, value: Value) -> bool | None:
    """Is the value known to be true or false?"""
    if isinstance(value, Maybe):
        run.refuse("the truth of a value that may be None", ways.ASK)
    if isinstance(value, Known):
        goes_by(run, value)
        if not value.is_inert:
            silent = all(class_entry(value.cls, m) is None for m in ("__bool__", "__len__"))
            return True if silent else None
        try:
            return bool(value.value)
        except Exception:
            return None
    if isinstance(value, Leaf):
        known = static(value)
        if known is not NO:
            try:
                return bool(known)
            except Exception:
                return None
        return settled(value.expr)
    if isinstance(value, Tup):
        return bool(value.items)
    if isinstance(value, Ref):
        obj = run.state.heap[value.id]
        fresh(run, obj)
        if isinstance(obj, ListObj):
            return bool(obj.items)
        if isinstance(obj, DictObj):
            return bool(obj.items)
        return True if all(class_entry(obj.cls, m) is None for m in ("__bool__", "__len__")) else None
    if isinstance(value, (Closure, Method)):
        return True
    return None


def compared(run: Run, value: Value, ops: list[type], values: list[Value]) -> Value:
    """A side of a comparison that may be None, whole. A number that is nan then equals nothing, as None does."""
    number = isinstance(value, Maybe) and isinstance(kind_of(run, value.value), Number)
    others = [is_known_a(v, int, float) for v in values if v is not value]
    if number and all(others) and not set(ops) & {gast.In, gast.NotIn, gast.Is, gast.IsNot}:
        return value
    return shown_value(run, value)


@lowers(gast.IfExp)
def if_exp_expression(run: Run, node: Any) -> Value:
    test = truth_test(run, node.test)
    known = known_truth(run, test)
    if known is not None:
        return evaluate(run, node.body if known else node.orelse)
    value = choose(
        run,
        expression(run, test),
        lambda: evaluate(run, node.body),
        lambda: evaluate(run, node.orelse),
        ternary=True,
        place=run.site(node) if getattr(node, "can_go_apart", False) else None,
    )
    return may_be_branch(run, value, node)


def may_be_branch(run: Run, value: Value, node: Any) -> Value:
    """What a choice inside of an expression has given: where it has not one form, the choice may be a branch."""
    if not isinstance(value, Conflict) or value.choice is not None:
        return value
    return dataclasses.replace(value, choice=run.site_of_call(node))


def moved_on(run: Run, before: State, after: State | None = None) -> bool:
    """Has a variable or a container that was there before another value now? (That takes no statement.)"""
    after = run.state if after is None else after

    def differs(old: dict[Any, Value], new: dict[Any, Value]) -> bool:
        names = {n for n in new if not str(n).startswith("#")}
        return not names <= old.keys() or any(n not in new or not same_value(run, v, new[n]) for n, v in old.items())

    return any(k in after.frames and differs(held, after.frames[k]) for k, held in before.frames.items()) or any(
        k in after.heap and differs(contents(obj), contents(after.heap[k])) for k, obj in before.heap.items()
    )


def choose(run: Run, test: Expr, first: Any, second: Any, ternary: bool = False, place: Any = None) -> Value:
    """One of two values by a run-time test. `place`: of the branch, as of `join`."""
    outer_block = run.block
    before = run.state
    results: list[Value] = []
    states, blocks, raising = [], [], []
    run.branches += 1
    level = run.branches
    for case, branch in ((test, first), (gast.UnaryOp(gast.Not(), test), second)):
        run.state, run.block = before.fork(), []
        try:
            results.append(branch())
        except Raises:
            raising.append(gast.If(clone(case), run.block, []))
            run.branches = level
            continue
        except Diverges:
            continue
        states.append(run.state)
        blocks.append(run.block)
    run.branches -= 1
    run.block = outer_block
    for path in raising:
        write(run, path)
    if len(results) < 2:
        if not results:
            raise Raises if len(raising) == 2 else Diverges
        run.state = states[0]
        run.block.extend(blocks[0])
        return results[0]
    a, b = results
    plain = not any(blocks) and not any(moved_on(run, before, state) for state in states)
    called = place is None and all(is_none(v) or is_callable(v) for v in results)  # an object that can be called
    if (may_be_functions(results) or called) and plain and not same_value(run, a, b):
        run.state = states[0]
        if is_none(b):
            a, b, test = b, a, gast.UnaryOp(gast.Not(), test)
        return Choice(anchor(run, Leaf(test, Number(bool), nested=True), "choice"), a, b)
    if plain and isinstance(a, Leaf) and isinstance(b, Leaf):
        run.state = states[0]
        if (not a.varied and not b.varied) or run.passive:
            kind = join_kind(run, a.kind, b.kind)
            varied = a.varied or b.varied
            return Leaf(gast.IfExp(test, kept_in_run(run, a), kept_in_run(run, b)), kind, varied, nested=True)
    marker = ("var", -1, "choice")
    for state, one, block in zip(states, results, blocks, strict=True):
        outer, run.block = run.block, block
        run.state = state
        state.frames.setdefault(-1, {})["choice"] = hold(run, one)
        run.block = outer
    joined = join(run, [(states[0], blocks[0]), (states[1], blocks[1])], place)
    run.state = joined
    value = joined.slots().get(marker, Unbound())
    del joined.frames[-1]["choice"]
    statement = gast.If(test, blocks[0], blocks[1])
    statement.ternary = ternary
    write(run, statement)
    if isinstance(value, Leaf) and isinstance(value.expr, gast.Name):
        run.facts.temps.add(value.expr.id)
        run.facts.user_name.pop(value.expr.id, None)
    return value


@lowers(gast.Yield, gast.YieldFrom)
def yield_expression(run: Run, node: Any) -> Value:
    run.refuse("the function is a generator (yield)", "return a list or an array of what it yields")
