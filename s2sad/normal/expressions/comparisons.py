"""Comparisons."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterable
from typing import Any, NoReturn

import gast
import numpy as np

from s2sad.analysis.quiet import restless_in, restless_method
from s2sad.core import Expr, clone
from s2sad.frontend import ways
from s2sad.kinds.kind import Array, Number, Unknown
from s2sad.kinds.query import is_float_kind
from s2sad.normal import above
from s2sad.normal.above import call_value
from s2sad.normal.desugar.jumps import once_for
from s2sad.normal.expressions.atoms import evaluate
from s2sad.normal.expressions.attributes import number_compared
from s2sad.normal.expressions.choices import compared, known_truth
from s2sad.normal.expressions.operators import as_set, check_taken_apart, check_types, in_order
from s2sad.normal.handlers import lowers
from s2sad.normal.iteration.asking import made_at
from s2sad.normal.names import hold
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import (
    Choice,
    Closure,
    DictObj,
    Instance,
    Known,
    Leaf,
    ListObj,
    Maybe,
    Method,
    Ref,
    Tup,
    Value,
    is_none,
)
from s2sad.normal.values.classes import (
    class_method,
    class_of,
    find_method,
    has_methods,
    instance_of,
    is_derived_from,
    itself,
    knows,
    static,
)
from s2sad.normal.values.entering import goes_by
from s2sad.normal.values.facts import infer_kind
from s2sad.normal.values.making import ask_in_steps, expression
from s2sad.normal.values.questions import dim, is_list_of_the_run, matters
from s2sad.normal.words import COMPARE, COMPARE_METHOD, MIRRORED_METHOD, NO
from s2sad.normal.writing import fresh


@lowers(gast.Compare)
def compare_expression(run: Run, node: Any) -> Value:
    if len(node.ops) > 1 and any(map(matters, node.comparators[1:])):
        return chained(run, node)
    run.passive += 1
    try:
        values = in_order(run, node, [node.left, *node.comparators])
    finally:
        run.passive -= 1
    ops = [type(op) for op in node.ops]
    if not {gast.In, gast.NotIn, gast.Is, gast.IsNot} & set(ops):
        values = [number_compared(run, as_set(run, value)) for value in values]
    if len(ops) == 1 and any(isinstance(value, Choice) for value in values):
        return compared_function(run, ops[0], *values)
    if len(ops) == 1 and ops[0] in (gast.Is, gast.IsNot):
        for this, other in ((values[0], values[1]), (values[1], values[0])):
            if isinstance(this, Maybe) and is_none(other):
                flag = expression(run, this.none)
                test = flag if ops[0] is gast.Is else gast.UnaryOp(gast.Not(), flag)
                return Leaf(test, Number(bool), nested=True)
    if len(ops) == 1 and ops[0] in (gast.Eq, gast.NotEq):
        for this, other in ((values[0], values[1]), (values[1], values[0])):
            if isinstance(this, Maybe) and is_none(other):
                flag = expression(run, this.none)  # (nothing else is equal to None)
                return Leaf(flag if ops[0] is gast.Eq else gast.UnaryOp(gast.Not(), flag), Number(bool), nested=True)
    if set(ops) & {gast.Eq, gast.NotEq, gast.In, gast.NotIn, gast.Is, gast.IsNot}:
        values = [compared(run, value, ops, values) for value in values]
    for op, a, b in zip(ops, values, values[1:], strict=False):
        check_types(run, COMPARE[op], a, b)
    verdicts = [verdict_of(run, op, a, b) for op, a, b in zip(ops, values, values[1:], strict=False)]
    if all(v is not None for v in verdicts):
        return Known(all(verdicts))
    if any(v is False for v in verdicts):
        return Known(False)
    if len(ops) == 1:
        special = compare_containers(run, ops[0], values[0], values[1])
        if special is not None:
            return special
    elif any(has_methods(run, v) for v in values):
        return compared_in_pairs(run, ops, values)
    if {gast.Is, gast.IsNot} & set(ops) and not any(itself(v) is None for v in values):
        if any(is_written_out(run, v) for v in values):
            undecided(run)
        run.facts.identities = True
    if not {gast.Is, gast.IsNot}.issuperset(ops):
        check_quiet(run, values)
    node = gast.Compare(expression(run, values[0]), [op() for op in ops], [expression(run, v) for v in values[1:]])
    kind = infer_kind(run, node)
    return Leaf(node, kind if not is_float_kind(kind) else Unknown(), nested=True)


def check_quiet(run: Run, values: Iterable[Value]) -> None:
    """Refuse to hand objects to what asks them what they are equal to, which is less and so on, where their classes
    do more than to answer: the derivative may ask more or less often than the function does."""
    method = restless_in([v.itself for v in values if isinstance(v, Known)])
    if method is not None:
        run.refuse(
            f"{method} does more than to give a result, and Python would call it here",
            ways.TRUE,
        )


@above.compared_function.answer
def compared_function(run: Run, op: type, left: Value, right: Value) -> Value:
    """A comparison of what may be one function or another.

    f is cos        f_is_cos
    """
    for side, other in ((left, lambda v: (v, right)), (right, lambda v: (left, v))):
        if isinstance(side, Choice):
            first, second = (compared_function(run, op, *other(v)) for v in (side.first, side.second))
            known = [static(v) for v in (first, second)]
            if known[0] is known[1] and known[0] is not NO:
                return first
            if known == [True, False]:
                return Leaf(clone(side.test.expr), Number(bool), nested=True)
            if known == [False, True]:
                return Leaf(gast.UnaryOp(gast.Not(), clone(side.test.expr)), Number(bool), nested=True)
            parts = (clone(side.test.expr), expression(run, first), expression(run, second))
            return Leaf(gast.IfExp(*parts), Number(bool), nested=True)
    verdict = verdict_of(run, op, left, right)
    if verdict is None:
        undecided(run)
    return Known(verdict)


def compared_in_pairs(run: Run, ops: list[type], values: list[Value]) -> Value:
    """A chain of comparisons among which are objects that say themselves what they mean."""
    tests: list[Expr] = []
    for op, a, b in zip(ops, values, values[1:], strict=False):
        found = compare_containers(run, op, a, b)
        known = known_truth(run, found) if found is not None else verdict_of(run, op, a, b)
        if known is False:
            return Known(False)
        if found is not None and known is None:
            tests.append(expression(run, hold(run, found)))
        elif known is None:
            tests.append(gast.Compare(expression(run, a), [op()], [expression(run, b)]))
    if not tests:
        return Known(True)
    return Leaf(tests[0] if len(tests) == 1 else gast.BoolOp(gast.And(), tests), Number(bool), nested=True)


def chained(run: Run, node: Any) -> Value:
    """A chain of comparisons whose later operands are computed only where the earlier ones hold.

    a < f() < g()        t = f();  a < t and t < g()
    """
    run.passive += 1
    try:
        values = in_order(run, node, [node.left, node.comparators[0]])
    finally:
        run.passive -= 1
    place = f"{node.lineno} {node.col_offset} {len(node.ops)}"
    names = [f"#{side} {place}" for side in ("left", "right")]

    def in_pairs() -> Any:
        left, right, again = (gast.Name(names[k], gast.Load(), None, None) for k in (0, 1, 1))
        first = gast.copy_location(gast.Compare(left, node.ops[:1], [right]), node)
        rest = gast.copy_location(gast.Compare(again, node.ops[1:], node.comparators[1:]), node.comparators[0])
        for name in (left, right, again):
            gast.copy_location(name, node.comparators[0])
        return gast.copy_location(gast.BoolOp(gast.And(), [first, rest]), node)

    held = run.state.frames[run.frame.id]
    held.update({name: hold(run, value) for name, value in zip(names, values, strict=True)})
    result = evaluate(run, once_for(node, "chain", in_pairs))
    for name in names:
        run.state.frames[run.frame.id].pop(name, None)
    return result


def looked_for_in(run: Run, container: Ref) -> None:
    if getattr(run.state.heap[container.id], "once", False):
        ask_in_steps(run, made_at(run, container))
        reason = "to look for an item in an iterator runs through it, up to where it is"
        run.refuse(reason, ways.LIST)


def compare_containers(run: Run, op: type, a: Value, b: Value) -> Value | None:
    if op in (gast.In, gast.NotIn) and isinstance(b, Ref):
        looked_for_in(run, b)
    if op in (gast.In, gast.NotIn) and instance_of(run, b) is not None:
        method = find_method(run, b, "__contains__")
        if method is not None:
            found = call_value(run, method, [a], {})
            if op is gast.In:
                return found
            known = known_truth(run, found)
            if known is not None:
                return Known(not known)
            return Leaf(gast.UnaryOp(gast.Not(), expression(run, found)), Number(bool), nested=True)
    for instance in (instance_of(run, a), instance_of(run, b)):
        name = COMPARE_METHOD.get(op, "__eq__")
        own = getattr(instance.cls, name) if isinstance(instance, Instance) else getattr(object, name)
        if own is not getattr(object, name) and not isinstance(own, types.FunctionType):
            return None  # of the class that it is built on (an array's, a list's)
    if op in COMPARE_METHOD:
        check_taken_apart(run, a, b)
    sides = [(a, b, COMPARE_METHOD), (b, a, MIRRORED_METHOD)]
    left_open = False
    for this, other, table in reversed(sides) if is_derived_from(run, b, a) else sides:
        if op not in table or not has_methods(run, this) or (this is b and knows(run, a, b)):
            continue
        if isinstance(this, Tup) and class_method(run, this, table[op]) is getattr(tuple, table[op]):
            return None
        method = find_method(run, this, table[op])
        if method is not None:
            fields = compared_fields(run, method, this, other)
            if fields is not None:
                first, second = fields if this is a else fields[::-1]
                return Leaf(
                    gast.Compare(expression(run, first), [op()], [expression(run, second)]),
                    Number(bool),
                    nested=True,
                )
            made = call_value(run, method, [other], {})
            if isinstance(made, Leaf) and made.nested and restless_method(class_of(run, this) or object):
                made = hold(run, made)  # it is asked once, wherever the answer is read
            left_open = static(made) is NotImplemented
            if not left_open:
                return made
    if left_open and op not in (gast.Eq, gast.NotEq):
        run.refuse("neither of the classes says what this comparison means", ways.CORRECT, raises=TypeError())
    if left_open and op is gast.Eq:
        same = identical(run, a, b)
        if same is None:
            run.refuse("whether these are one object is not known", ways.TRUE)
        return Known(same)
    if op is gast.NotEq and (equal := compare_containers(run, gast.Eq, a, b)) is not None:
        known = known_truth(run, equal)
        if known is not None:
            return Known(not known)
        return Leaf(gast.UnaryOp(gast.Not(), expression(run, equal)), Number(bool), nested=True)
    return None


def compared_fields(run: Run, method: Value, a: Value, b: Value) -> tuple[Tup, Tup] | None:
    """What the comparison methods that `dataclass` writes compare: the fields of two objects of one class."""
    function = method.function.value if isinstance(method, Method) and isinstance(method.function, Known) else None
    code = getattr(function, "__code__", None)
    first = run.state.heap[a.id] if isinstance(a, Ref) else None
    second = run.state.heap[b.id] if isinstance(b, Ref) else None
    if code is None or code.co_filename != "<string>":
        return None
    if not isinstance(first, Instance) or not isinstance(second, Instance) or first.cls is not second.cls:
        return None
    names = [f.name for f in dataclasses.fields(first.cls) if f.compare]
    return (
        Tup(tuple(first.attributes[n] for n in names)),
        Tup(tuple(second.attributes[n] for n in names)),
    )


def verdict_of(run: Run, op: type, a: Value, b: Value) -> bool | None:
    """What a comparison is known to give; None where the run decides."""
    alone = op in (gast.Eq, gast.NotEq) and is_itself_alone(run, a) and is_itself_alone(run, b)
    if alone or op in (gast.Is, gast.IsNot):
        same = identical(run, a, b)
    elif op in (gast.In, gast.NotIn) and is_itself_alone(run, a) and isinstance(b, (Ref, Tup)):
        same = holds(run, b, a)
    else:
        same = None
    if same is None:
        return static_compare(run, op, a, b)
    return same == (op in (gast.Is, gast.Eq, gast.In))


def is_itself_alone(run: Run, value: Value) -> bool:
    """Is a value an object built here that is equal to itself alone, as its class does not say more?"""
    held = instance_of(run, value)
    return isinstance(held, Instance) and held.expr is None and held.cls.__eq__ is object.__eq__  # type: ignore[comparison-overlap]


def holds(run: Run, container: Value, value: Value) -> bool | None:
    """Is an object that is equal to itself alone among the items of a list or a tuple?"""
    obj = run.state.heap[container.id] if isinstance(container, Ref) else container
    if not isinstance(obj, (ListObj, Tup)):
        return None
    if isinstance(obj, ListObj):
        fresh(run, obj)
    found = [identical(run, item, value) for item in obj.items]
    return True if True in found else None if None in found else False


def identical(run: Run, a: Value, b: Value) -> bool | None:
    """Is a container, an object or a function that is followed here the same one as another value?

    None where that is no question of containers, or where both are there at run time as they are here.
    """
    if itself(a) is None or itself(b) is None:
        return None
    if is_list_of_the_run(a) and is_list_of_the_run(b):
        undecided(run)  # an item that is read may be written out where it is
    for this, other in ((a, b), (b, a)):
        opaque = isinstance(other, Leaf) and (isinstance(other.kind, Unknown) or is_list_of_the_run(other))
        if isinstance(this, (Tup, Closure)):
            if this is other:
                return True
            if isinstance(this, Closure) and isinstance(other, Closure) and this.source is not other.source:
                return False
            alike = isinstance(other, type(this)) or (isinstance(this, Tup) and isinstance(static(other), tuple))
            if alike or opaque or getattr(this, "function", None) is not None:
                undecided(run)
            return False
        if not isinstance(this, Ref):
            continue
        if isinstance(other, Ref):
            return same_object(run, this.id, other.id)
        if run.state.heap[this.id].expr is not None and (opaque or isinstance(other, Known)):
            return None
        if opaque:
            undecided(run)
        return False
    return None


def same_object(run: Run, first: int, second: int) -> bool | None:
    """The same of two containers that are followed here."""
    if first == second:
        return True
    if all(run.state.heap[ref].expr is not None for ref in (first, second)):
        return None
    objects = [run.state.heap[ref] for ref in (first, second)]
    items = all(isinstance(obj, ListObj) and obj.held for obj in objects)  # of lists of the run, or read from one
    if second in run.state.possible_aliases(first) or items:
        undecided(run)
    return False


def undecided(run: Run) -> NoReturn:
    run.refuse(
        "whether two names stand for one object is not known at derivation",
        ways.TRUE,
    )


def is_written_out(run: Run, value: Value) -> bool:
    """Is a value a float of the user's that generated code writes out, where it is another object then?"""
    if not isinstance(value, Leaf) or not isinstance(static(value), float):
        return False
    return not (isinstance(value.expr, gast.Name) and value.expr.id in run.facts.globals)


def are_told(x: Any, y: Any) -> bool:
    """Is it known of two numbers whether they are one object? (A float that is written out is another one then.)

    def f(x, radius=MEAN): ... if radius is MEAN        not of two floats that are equal: one may be made of literals
    """
    return x is y or type(x) is not type(y) or bool(x != y) or (type(x) is not float and not isinstance(x, np.generic))


def static_compare(run: Run, op: type, a: Value, b: Value) -> bool | None:
    x, y = (itself(a), itself(b)) if op in (gast.Is, gast.IsNot) else (static(a), static(b))
    for value in (a, b):
        goes_by(run, value)
    library = getattr(run.frame.source, "library", False)
    if op in (gast.Is, gast.IsNot):
        for value, other in ((x, b), (y, a)):
            if value is None and itself(other) is not None:
                if isinstance(other, Leaf) and isinstance(other.kind, Unknown):
                    return None
                return op is gast.IsNot
            computed = isinstance(other, Leaf) and isinstance(other.kind, (Number, Array))
            number = isinstance(value, (np.ndarray, np.generic, int, float, complex))
            if computed and value is not NO and (not number or (library and static(other) is NO)):
                return op is gast.IsNot
            if isinstance(other, Tup) and number:
                return op is gast.IsNot
    if op in (gast.In, gast.NotIn) and isinstance(b, Ref):
        looked_for_in(run, b)
        obj = run.state.heap[b.id]
        fresh(run, obj)
        if isinstance(obj, DictObj) and x is not NO:
            return (x in obj.items) == (op is gast.In)
        if isinstance(obj, ListObj) and x is not NO:
            items = [static(v) for v in obj.items]
            if all(v is not NO for v in items):
                return (x in items) == (op is gast.In)
    if op in (gast.In, gast.NotIn) and isinstance(a, Closure) and isinstance(y, (tuple, list, set, frozenset)):
        return op is gast.NotIn  # a function that is made here is none of those that were there before
    inexact = isinstance(x, float) or isinstance(y, float)
    if x is not NO and y is not NO and (library or not inexact or (op in (gast.Is, gast.IsNot) and are_told(x, y))):
        try:
            verdict = COMPARE[op](x, y)
        except Exception:
            return None
        return bool(verdict) if isinstance(verdict, (bool, np.bool_)) else None
    if op in (gast.Eq, gast.NotEq, gast.Lt, gast.LtE, gast.Gt, gast.GtE):
        p, q = dim(a), dim(b)
        if p is not None and q is not None and (p - q).known:
            return bool(COMPARE[op]((p - q).const, 0))
        if op in (gast.Eq, gast.NotEq) and isinstance(x, str) != isinstance(y, str) and NO not in (x, y):
            return op is gast.NotEq
    return None
