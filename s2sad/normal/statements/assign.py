"""Assignment to names, and the attributes of objects."""

from __future__ import annotations

import dataclasses
import types
from functools import partial
from typing import Any

import gast
import numpy as np

from s2sad.analysis.counts import count_check
from s2sad.core import atom_key, clone, load, walk_names
from s2sad.frontend import ways
from s2sad.kinds import dims
from s2sad.kinds.kind import Array, Kind, Number
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.normal.above import call_value, inline_library
from s2sad.normal.calls import library
from s2sad.normal.calls.primitives import told_apart
from s2sad.normal.changing import container_changed
from s2sad.normal.expressions.atoms import evaluate
from s2sad.normal.expressions.attributes import attribute
from s2sad.normal.expressions.operators import list_as_array, rows
from s2sad.normal.expressions.subscripts import subscript
from s2sad.normal.handlers import lowers
from s2sad.normal.iteration.asking import allocate, is_asked, items_listed, kept_iterator, what_is_left
from s2sad.normal.iteration.at_once import iterate_static
from s2sad.normal.iteration.turning import watch_keys
from s2sad.normal.iteration.watch import is_keys
from s2sad.normal.iteration.watching import watched_value
from s2sad.normal.memory import look_into
from s2sad.normal.names import assign_name, hold, is_frozen, is_held, is_new, named_by_user, take_name
from s2sad.normal.run import Run
from s2sad.normal.statements.stores import first_name, store, store_into
from s2sad.normal.values.abstract import (
    NUMBER_WITHIN,
    Closure,
    Instance,
    Known,
    Leaf,
    ListObj,
    Ref,
    Tup,
    Unbound,
    Value,
    with_parts,
)
from s2sad.normal.values.classes import descriptor_method, find_frame, static
from s2sad.normal.values.facts import infer_kind, is_varied, kind_of
from s2sad.normal.values.making import check_attribute_name, constant, expression
from s2sad.normal.values.questions import may_raise, own_setattr
from s2sad.normal.values.structure import numpy_call
from s2sad.normal.writing import pin, there, write
from s2sad.runtime.identity import class_entry


@lowers(gast.Pass)
def pass_statement(run: Run, node: Any) -> None:
    pass


@lowers(gast.Expr)
def expr_statement(run: Run, node: Any) -> None:
    if isinstance(node.value, gast.Constant):
        return
    value = evaluate(run, node.value)
    parts = value.items if isinstance(value, Tup) else (value,)
    done = [p.expr for p in parts if isinstance(p, Leaf) and p.nested and may_raise(p.expr)]
    if done:
        for expr in done:
            write(run, gast.Expr(expr))
    elif isinstance(value, Leaf) and isinstance(node.value, gast.Name) and isinstance(value.expr, gast.Name):
        write(run, gast.Expr(clone(value.expr)))  # it may have no value
    elif isinstance(value, Leaf) and value.nested and run.attempts:
        hold(run, value)  # it is there to raise an exception


@lowers(gast.Assign)
def assign_statement(run: Run, node: Any) -> None:
    if is_keys(node.value):
        return assign_keys(run, node)
    unpacked = len(node.targets) == 1 and isinstance(node.targets[0], (gast.Tuple, gast.List))
    node.value.taken_apart = unpacked
    if isinstance(node.value, gast.List) and node.value.elts and isinstance(node.targets[0], gast.Name):
        node.value.assigned = node.targets[0].id
    value = rows(run, node.value) if unpacked else evaluate(run, node.value)
    if len(node.targets) > 1:
        value = hold(run, value, first_name(node.targets))
        value = with_parts(value, partial(hold, run)) if isinstance(value, Tup) else value
    for k, target in enumerate(node.targets):
        if k + 1 < len(node.targets) and not isinstance(target, gast.Name):
            pin(run, [value])  # a target that takes a part must not give it another name: the next ones read it
        value = assign(run, target, value)


def assign_keys(run: Run, node: Any) -> None:
    """`keys = d.keys()`: a look at the dict as it is when the name is read; lowered as the keys that there are."""
    value, watch = watched_value(run, lambda: evaluate(run, node.value))
    for target in node.targets:
        assign(run, target, value)
        if isinstance(target, gast.Name) and isinstance(value, Tup):
            watch_keys(run, find_frame(run, target.id), target.id, watch)


@lowers(gast.AnnAssign)
def ann_assign_statement(run: Run, node: Any) -> None:
    if node.value is not None:
        assign(run, node.target, evaluate(run, node.value))


def assign(run: Run, target: Any, value: Value) -> Value:
    """Give a target its value; the value as it is now called."""
    if isinstance(target, gast.Name):
        return assign_name(run, target.id, value)
    if isinstance(target, (gast.Tuple, gast.List)):
        unpack(run, target.elts, value)
    elif isinstance(target, gast.Subscript):
        store(run, target, value)
    elif isinstance(target, gast.Attribute):
        set_attribute(run, evaluate(run, target.value), target.attr, value)
    else:
        run.refuse("this target cannot be assigned", ways.NAMES)
    return value


def unpack(run: Run, targets: list[Any], value: Value) -> None:
    block, mark = run.block, len(run.block)
    base = unpacked(run, targets, value)
    if base is not None:  # the statements that take the parts say of how many they are
        for statement in block[mark:]:
            taken = statement.value if isinstance(statement, gast.Assign) else None
            if isinstance(taken, gast.Subscript) and atom_key(taken.value) == base:
                statement.parts = len(targets)


def unpacked(run: Run, targets: list[Any], value: Value) -> str | None:
    """Give each target its part; what it is a part of, where that has a name."""
    value = what_is_left(run, there(run, value)) if is_asked(run, value) else there(run, value)
    base = None
    starred = [i for i, t in enumerate(targets) if isinstance(t, gast.Starred)]
    value = value if starred else told_apart(run, value, len(targets))
    if isinstance(value, Leaf) and not isinstance(value.kind, TupleKind):
        check_count(run, value.kind, len(targets), bool(starred))
        value = items_listed(run, value)
        if starred:
            unpack_by_position(run, targets, starred[0], value)
            return None
        held = hold(run, value, "items")
        base = atom_key(held.expr) if isinstance(held, Leaf) else None
        count_items(run, held, ["_"] * len(targets))
        items: list[Value] = [subscript(run, held, gast.Constant(i, None)) for i in range(len(targets))]
        items = [hold(run, v) for v in items] if any(is_varied(run, v) for v in items) else items
    else:
        # (a call that gives several values is made once)
        called = isinstance(value, Leaf) and isinstance(value.expr, gast.Call)
        items = iterate_static(run, hold(run, value, "items") if called else value)
    if starred:
        (at,) = starred
        behind = len(targets) - at - 1
        middle = items[at : len(items) - behind]
        group = allocate(run, ListObj([hold(run, v) for v in middle], run.site(targets[at])))
        items = [*items[:at], group, *items[len(items) - behind :]]
        targets = [*targets[:at], targets[at].value, *targets[at + 1 :]]
    if len(items) != len(targets):
        run.refuse(f"{len(items)} values are unpacked into {len(targets)} targets", ways.CORRECT)
    simple = all(isinstance(t, gast.Name) for t in targets)
    if not simple or any(isinstance(v, Leaf) and v.nested for v in items):
        items = [
            named_by_user(run, t.id, v)
            if isinstance(t, gast.Name) and isinstance(v, Leaf) and v.nested
            else hold(run, v)
            for t, v in zip(targets, items, strict=True)
        ]
    counts = [atom_key(v.expr) for v in items if isinstance(v, Leaf)]
    run.names.pinned.update(k for k in counts if counts.count(k) > 1)
    whole = run.state.heap.get(value.id) if isinstance(value, Ref) else None
    listed = whole.items if isinstance(whole, ListObj) and len(whole.items) == len(items) else None
    for k, (target, item) in enumerate(zip(targets, items, strict=True)):
        if isinstance(target, gast.Name) and isinstance(item, Leaf) and not item.nested:
            if listed is not None and listed[k] is item:
                listed[k] = Unbound()  # the list holds it under the new name, too
                listed[k] = item = rename_part(run, target.id, item)
            else:
                item = rename_part(run, target.id, item)
        assign(run, target, item)
    return base


def check_count(run: Run, kind: Kind, count: int, starred: bool) -> None:
    """Refuse to unpack what is known to have no items, or another number of them."""
    scalar = isinstance(kind, Number) or (isinstance(kind, Array) and kind.shape == ())
    if scalar:
        error = TypeError("cannot unpack a number")
        run.refuse("a number is unpacked", ways.CORRECT, raises=error)
    length = kind.shape[0] if isinstance(kind, Array) and kind.shape else None
    if length is None or not length.known or length.const == count:
        return
    if not starred or length.const < count - 1:
        reason = f"{length.const} values are unpacked into {count} targets"
        run.refuse(reason, ways.CORRECT, raises=ValueError(reason))


def count_items(run: Run, value: Value, pattern: list[str]) -> None:
    """Check that there are as many items as targets, where their number is not known: the parts do not show it."""
    shape = value.kind.shape if isinstance(value, Leaf) and isinstance(value.kind, Array) else None
    if isinstance(value, Leaf) and not (shape and shape[0].known):
        write(run, gast.Expr(count_check(value.expr, pattern)))


def unpack_by_position(run: Run, targets: list[Any], at: int, value: Leaf) -> None:
    """`a, *b, c = array`: the middle becomes a list at run time."""
    held = hold(run, value, "items")
    assert isinstance(held, Leaf)
    if len(targets) > 1:
        count_items(run, held, ["*_" if k == at else "_" for k in range(len(targets))])
    behind = len(targets) - at - 1
    for k, target in enumerate(targets[:at]):
        assign(run, target, hold(run, subscript(run, held, gast.Constant(k, None))))
    count = gast.Call(load("len"), [clone(held.expr)], [])
    stop = gast.BinOp(count, gast.Sub(), gast.Constant(behind, None)) if behind else count
    bounds = [constant(run, at), Leaf(stop, Number(int), nested=True)]
    assign(run, targets[at].value, inline_library(run, library.part_of, [held, *bounds], {}))
    for k, target in enumerate(targets[at + 1 :]):
        index = gast.UnaryOp(gast.USub(), gast.Constant(behind - k, None))
        assign(run, target, hold(run, subscript(run, held, index)))


def rename_part(run: Run, name: str, item: Leaf) -> Leaf:
    """A part that the previous statement took out of a tuple gets the user's name."""
    key = atom_key(item.expr)
    if key not in run.facts.temps or not run.block or is_held(run, key):
        return item
    for place, statement in list(enumerate(run.block))[-1:-9:-1]:
        if not is_new(run, place):
            return item
        target = statement.targets[0] if isinstance(statement, gast.Assign) else None
        parts = target.elts if isinstance(target, gast.Tuple) else [target]
        for part in parts:
            if isinstance(part, gast.Name) and part.id == key:
                # `t -= u` uses it as well, though it does not load it
                used = any(n.id == key and n is not part for s in run.block for n in walk_names(s))
                if used or (key in run.lists.site_of and not isinstance(statement.value, (gast.List, gast.BinOp))):
                    return item
                new = run.facts.fresh(name, temp=False)
                take_name(run, key, new, name)
                part.id = new
                return Leaf(load(new), item.kind, item.varied, item.const)
    return item


def set_attribute(run: Run, owner: Value, name: str, value: Value) -> None:
    check_attribute_name(run, name)
    value = kept_iterator(run, value)
    if isinstance(owner, Ref):
        obj = run.state.heap[owner.id]
        if isinstance(obj, Instance):
            if name == NUMBER_WITHIN and name in obj.attributes:
                run.refuse(f"the attribute {name!r} of a class that is built on float", "give it another name")
            own = own_setattr(obj.cls)
            if own is not None:
                call_value(run, Known(own), [owner, Known(name), value], {})
                return
            found = class_entry(obj.cls, name)
            if isinstance(found, property):
                if found.fset is None:
                    way_out = "give it a setter, or set what it computes from"
                    run.refuse(f"the property {name!r} cannot be set", way_out, raises=AttributeError(name))
                call_value(run, Known(found.fset), [owner, value], {})
                return
            setter = descriptor_method(found, "__set__")
            if setter is not None:
                call_value(run, Known(setter), [Known(found), owner, value], {})
                return
            if is_frozen(run, owner):
                error = dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
                run.refuse(f"{obj.cls.__name__} is a frozen dataclass", "use dataclasses.replace", raises=error)
            if not obj.cls.__dictoffset__ and not isinstance(found, types.MemberDescriptorType):
                missing = AttributeError(f"{obj.cls.__name__!r} object has no attribute {name!r}")
                run.refuse(f"objects of class {obj.cls.__name__} have no {name!r}", ways.CORRECT, raises=missing)
            if obj.foreign:
                if obj.expr is not None:
                    look_into(run, obj.expr)
                run.refuse(
                    "this writes to an object that a call handed out, and that others may hold, too",
                    ways.ARGUMENT,
                )
            named = isinstance(value, Leaf) and not isinstance(value.expr, gast.Constant)
            obj.attributes[name] = named_by_user(run, name, value) if named else hold(run, value, name)
            obj.partial.discard(name)
            container_changed(run, obj)
            return
    if isinstance(owner, Closure):
        constant = static(value)
        if run.calls.defined_in.get(owner) is not run.block or not isinstance(constant, bool | int | float | str):
            run.refuse(f"the attribute {name!r} of a function", "set it to a constant right behind its definition")
        run.calls.set_on.setdefault(owner, {})[name] = constant
        return
    if isinstance(owner, Known):
        run.refuse("this writes to an object outside the function", ways.ARGUMENT)
    if isinstance(owner, Leaf) and isinstance(owner.kind, Array) and name == "flat":
        shape = gast.Attribute(expression(run, owner), "shape", gast.Load())
        value = list_as_array(run, value, True, True)
        whole = kind_of(run, value)
        if isinstance(whole, Array) and whole.shape != ():
            # a shorter array goes in again and again
            form = np.reshape if _as_many(whole.shape, owner.kind.shape) else np.resize
            value = numpy_call(run, form, [value, Leaf(shape, infer_kind(run, shape), nested=True)])
        store_into(run, owner, gast.Constant(Ellipsis, None), value)
        return
    if isinstance(owner, Leaf) and isinstance(owner.kind, Array) and name in ("real", "imag"):
        store_into(run, attribute(run, owner, name), gast.Constant(Ellipsis, None), value)
        return
    if isinstance(owner, Leaf) and name == "shape":
        reshape_in_place(run, owner, value)
        return
    plain = isinstance(owner, Leaf) and isinstance(owner.kind, (Number, Array)) and not hasattr(np.ndarray, name)
    raises = AttributeError() if plain else None
    run.refuse(f"the attribute {name!r} of this value cannot be set", "keep it in a variable", raises=raises)


def reshape_in_place(run: Run, owner: Leaf, shape: Value) -> None:
    """`A.shape = s`: all that stands for A is the reshaped view from here on.

    That nothing else is this array is seen in `analysis.aliasing`, where all of the function is there.
    """
    if not isinstance(owner.expr, gast.Name) or not isinstance(owner.kind, Array) or run.attempts:
        run.refuse("the shape of an array is changed in place", "use reshape")
    key = owner.expr.id
    new = hold(run, numpy_call(run, np.reshape, [owner, shape]), run.facts.user_name.get(key, key))
    assert isinstance(new, Leaf)
    if key in run.memory.reshaped or not isinstance(new.expr, gast.Name):
        run.refuse("the shape of an array is changed in place", "use reshape")
    run.memory.reshaped[key] = new.expr.id

    def changed(value: Value) -> Value:
        same = isinstance(value, Leaf) and isinstance(value.expr, gast.Name) and value.expr.id == key
        return new if same else with_parts(value, changed)

    for slot, value in run.state.slots().items():
        after = changed(value)
        if after is not value:
            run.state.put(slot, after)


def _as_many(one: Any, other: Any) -> bool:
    """Have arrays of two shapes certainly as many elements?"""
    return one is not None and other is not None and dims.product_of(one) == dims.product_of(other)
