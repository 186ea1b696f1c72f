"""The expression that makes a value when the program runs."""

from __future__ import annotations

import collections
import dataclasses
import enum
from typing import Any

import gast

from s2sad.core import Expr, clone, load, reads_any
from s2sad.frontend import ways
from s2sad.frontend.names import can_follow_a_dot
from s2sad.kinds.kind import ListOf, Tuple, Unknown
from s2sad.normal import above
from s2sad.normal.above import conflict, copy_made, from_python, made_at, run_through, what_is_left
from s2sad.normal.decisions import Restart
from s2sad.normal.frames import Changed
from s2sad.normal.iteration.iterators import Asked
from s2sad.normal.iteration.watch import loops_around
from s2sad.normal.run import CHANGES_ITS_OWN, Run
from s2sad.normal.values.abstract import (
    NUMBER_WITHIN,
    Closure,
    Conflict,
    DictObj,
    Instance,
    Keys,
    Known,
    Lazy,
    Leaf,
    ListObj,
    Maybe,
    Method,
    Partial,
    Ref,
    Tup,
    Unbound,
    Value,
    contents,
    is_known_a,
)
from s2sad.normal.values.classes import is_plain_dataclass
from s2sad.normal.values.facts import defaultdict_of, deque_of, global_name, is_varied, sets_of_the_run
from s2sad.normal.values.questions import has_fields, is_set
from s2sad.normal.values.tables import Group, Groups, Table
from s2sad.normal.words import OUTER, RUN_AGAIN
from s2sad.normal.writing import fresh, given_on
from s2sad.runtime import helpers
from s2sad.runtime.identity import held_attribute


@above.expression.answer
def expression(run: Run, value: Value) -> Expr:
    """The value as an expression that builds or reads it."""
    if isinstance(value, Leaf):
        given_on(run, value)
        return with_fields(run, value) if run.calls.shown_whole and has_fields(value.kind) else clone(value.expr)
    if isinstance(value, Maybe):
        return expression(run, value.value)
    if isinstance(value, Known):
        held = value.itself
        if type(held) in OUTER:
            run.outside.outer_read[id(held)] = held
        if isinstance(held, Changed):
            sets_of_the_run(run)
        if is_set(held):
            run.calls.shown_containers.append(value)
            if run.calls.keeping:
                copy_made(run, value)
        if value.expr is not None:
            return clone(value.expr)
        plain = isinstance(held, (bool, str, type(None), bytes, int, float, complex, type(Ellipsis)))
        if isinstance(held, enum.Enum):
            plain = False
        if plain and not (isinstance(held, float) and held != held):
            return gast.Constant(held, None)
        return load(global_name(run, held_attribute(held, "__name__") or "constant", held))
    if isinstance(value, Tup):
        items = [part(run, v) for v in value.items]
        if value.cls in (tuple, Keys):
            return gast.Tuple(items, gast.Load())
        given = items if hasattr(value.cls, "_fields") else [gast.Tuple(items, gast.Load())]
        return gast.Call(load(global_name(run, value.cls.__name__, value.cls)), given, [])
    if isinstance(value, Ref):
        obj = run.state.heap[value.id]
        fresh(run, obj)
        if isinstance(obj, ListObj) and obj.once and (obj.spent or note_run(run, value.id)):
            ask_in_steps(run, made_at(run, value))
            run.refuse(*RUN_AGAIN)
        if obj.expr is not None and not is_stirred(run, obj):
            return clone(obj.expr)
        if isinstance(obj, (ListObj, DictObj)):
            run.calls.shown_containers.append(value)
        if run.calls.keeping and isinstance(obj, (ListObj, DictObj)):
            copy_made(run, value)
        if isinstance(obj, ListObj):
            items = gast.List([part(run, v) for v in obj.items], gast.Load())
            return items if obj.cls is list and obj.limit is None else deque_of(run, items, obj.limit)
        if isinstance(obj, DictObj):
            display = gast.Dict(
                [expression(run, Known(k)) for k in obj.items], [part(run, v) for v in obj.items.values()]
            )
            if obj.cls is collections.OrderedDict:
                return gast.Call(load(global_name(run, "OrderedDict", obj.cls)), [display], [])
            return display if obj.factory is None else defaultdict_of(run, obj.factory, display)
        if isinstance(obj, Instance) and issubclass(obj.cls, Asked):
            return part(run, what_is_left(run, value))
        built = built_object(run, obj)
        if built is not None:
            return built
        run.refuse(
            f"an object of class {obj.cls.__name__} that was built or changed here is handed to code that is not "
            "derived",
            ways.PARTS,
        )
    if isinstance(value, Lazy):
        run_through(run, value)
        function = load(global_name(run, value.function.__name__, value.function))
        named = [gast.keyword(k, expression(run, v)) for k, v in value.kwargs]
        return gast.Call(function, [expression(run, v) for v in value.args], named)
    if isinstance(value, Partial) and isinstance(value.function, Known) and hasattr(value.function.value, "rvs"):
        named = [gast.keyword(k, expression(run, v)) for k, v in value.kwargs]  # a distribution with parameters
        return gast.Call(expression(run, value.function), [expression(run, v) for v in value.args], named)
    if isinstance(value, Closure) and value.function is not None:
        return load(global_name(run, value.function.__name__, value.function))
    if isinstance(value, Method) and is_known_a(value.function, tuple):
        of_list = isinstance(value.owner, Leaf) and isinstance(value.owner.kind, ListOf)
        if value.function.value[1] in CHANGES_ITS_OWN and (of_list or isinstance(value.owner, Ref)):
            reason = f"the method {value.function.value[1]!r} of a container is handed to code that is not followed"
            run.refuse(reason, ways.LOOP)
        return gast.Attribute(expression(run, value.owner), value.function.value[1], gast.Load())
    if isinstance(value, Method):
        name = getattr(
            getattr(value.function, "function", None) or getattr(value.function, "value", None), "__name__", None
        )
        if name:
            return gast.Attribute(expression(run, value.owner), name, gast.Load())
    if isinstance(value, Conflict):
        conflict(run, value)
    if isinstance(value, Unbound):
        run.refuse("this name has no value on this path", ways.VALUE_BEFORE)
    run.refuse(
        "a function made here is handed to code that is not derived",
        ways.CALL,
        concrete=True,
    )


def part(run: Run, value: Value) -> Expr:
    """A part of a container as an expression: what may be None is whole."""
    return expression(run, shown_value(run, value))


def as_made(run: Run, value: Value) -> Expr:
    """The expression for a value that is shown or handed out as it is: namedtuples, which run-time lists of active
    values hold as tuples, are namedtuples again."""
    outer, run.calls.shown_whole = run.calls.shown_whole, True
    try:
        return expression(run, value)
    finally:
        run.calls.shown_whole = outer


def with_fields(run: Run, leaf: Leaf) -> Expr:
    """A run-time value that is shown or handed out."""
    if not reads_any(leaf.expr, run.facts.varied):
        return clone(leaf.expr)
    if not isinstance(leaf.kind, Tuple) or any(map(has_fields, leaf.kind.items)):
        run.refuse(
            "a run-time list of namedtuples with active values is handed over whole",
            ways.PARTS,
        )
    made = load(global_name(run, leaf.kind.cls.__name__, leaf.kind.cls))
    return gast.Call(made, [gast.Starred(clone(leaf.expr), gast.Load())], [])


def is_stirred(run: Run, obj: ListObj | DictObj | Instance) -> bool:
    """Was a container changed that stands in one that is read as it came?"""
    held = [run.state.heap.get(v.id) for v in contents(obj).values() if isinstance(v, Ref)]
    return any(o is not None and (o.expr is None or is_stirred(run, o)) for o in held)


def built_object(run: Run, obj: Instance) -> Expr | None:
    """An expression that builds an object: for the result, and for frozen dataclasses anywhere."""
    if obj.cls in (Groups, Group):
        run.refuse(
            "a dict of active lists whose keys are known at run time only is handed over whole",
            ways.PARTS,
        )
    if obj.cls is Table and run.speculation.finished:
        run.refuse(
            "a dict of active values whose keys are known at run time only is returned",
            ways.PARTS,
        )
    if obj.cls is Table:
        parts = [expression(run, obj.attributes[name]) for name in ("place", "held")]
        return gast.Call(load("dict"), [gast.Call(load("zip"), parts, [])], [])
    all_attributes(run, obj)
    if is_plain_dataclass(obj):
        frozen = obj.cls.__dataclass_params__.frozen  # type: ignore[attr-defined]
        if frozen or run.speculation.finished:
            cls = load(global_name(run, obj.cls.__name__, obj.cls))
            names = [f.name for f in dataclasses.fields(obj.cls)]
            return gast.Call(cls, [], [gast.keyword(n, expression(run, obj.attributes[n])) for n in names])
    number = obj.attributes.get(NUMBER_WITHIN)
    if not (run.speculation.finished or (number is not None and run.raising)):
        return None
    cls = load(global_name(run, obj.cls.__name__, obj.cls))
    attributes = {k: v for k, v in obj.attributes.items() if k != NUMBER_WITHIN}
    for name in attributes:
        check_attribute_name(run, name)
    named = [gast.keyword(k, expression(run, v)) for k, v in attributes.items()]
    if number is not None:
        made = load(global_name(run, "made_number", helpers.made_number))
        return gast.Call(made, [cls, expression(run, number)], named)
    return gast.Call(load(global_name(run, "made", helpers.made)), [cls], named)


def check_attribute_name(run: Run, name: Any) -> None:
    """Refuse an attribute that no text reads or sets as one."""
    if not can_follow_a_dot(name):
        run.refuse(f"an attribute called {name!r}, which cannot be written behind a dot", "give it another name")


def ask_in_steps(run: Run, site: Any) -> None:
    """Somebody can tell when an iterator computes its items: start again with it followed item by item."""
    if site is None or site in run.decisions.in_steps or run.text_only or run.calls.trials:
        return
    run.decisions.in_steps.add(site)
    raise Restart


def all_attributes(run: Run, obj: Instance) -> None:
    """All attributes of an object are asked for."""
    fresh(run, obj)
    if obj.partial:
        run.refuse(
            "all attributes of an object that has not all of them on every path",
            ways.KEYS_BEFORE,
            concrete=True,
        )


def shown_value(run: Run, value: Value) -> Value:
    """What may be None as one expression: for what looks at it, and does not compute with it."""
    if isinstance(value, Tup):
        return Tup(tuple(shown_value(run, v) for v in value.items), value.cls)
    if not isinstance(value, Maybe):
        return value
    expr = gast.IfExp(expression(run, value.none), gast.Constant(None, None), expression(run, value.value))
    return Leaf(expr, Unknown(), is_varied(run, value.value), nested=True)


def constant(run: Run, key: Any) -> Value:
    return from_python(run, key, gast.Constant(key, None))


def note_run(run: Run, token: object) -> bool:
    """Note that an iterator is run through here. Was it run through in another place before?"""
    if run.iterators.looking_again:
        return False
    frame, node = users_place(run, run.frame, run.node)
    place = (frame.id, getattr(node, "lineno", 0), getattr(node, "col_offset", 0), *turns_at(run, frame, node))
    return run.state.run.setdefault(token, place) != place  # type: ignore[no-any-return]


def users_place(run: Run, frame: Any, node: Any) -> tuple[Any, Any]:
    """The user's function that is being lowered, and where in it, seen from what is written out for a builtin."""
    while getattr(frame.source, "library", False) and frame.caller is not None:
        frame, node = frame.caller, frame.call_node
    return frame, node


def turns_at(run: Run, frame: Any, node: Any) -> list[int]:
    """The turns of loops that are written out around a place."""
    found = []
    while run.turns.written_out_turn and frame is not None:
        around = {(frame.id, loop) for loop in loops_around(frame.source.tree, node)}
        found += [turn for loop, turn in run.turns.written_out_turn.items() if loop in around]
        frame, node = frame.caller, frame.call_node
    return found
