"""Augmented assignment."""

from __future__ import annotations

import collections
import contextlib
import operator
from collections.abc import Iterator
from typing import Any

import gast

from s2sad.core import Expr, atom_key, clone, walk_names
from s2sad.frontend import ways
from s2sad.kinds.calls import call_kind
from s2sad.kinds.kind import Array, Either, Kind, ListOf, Number, Object, Static, Text, Unknown
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.known import dtype_of
from s2sad.normal.above import call_value, dict_method, dynamic_method, inline_library
from s2sad.normal.calls import library
from s2sad.normal.changing import container_changed, list_changes, set_changed
from s2sad.normal.decisions import Restart
from s2sad.normal.desugar.in_steps import Bound
from s2sad.normal.expressions.atoms import evaluate
from s2sad.normal.expressions.attributes import attribute, may_run_code, no_limit, runs_over
from s2sad.normal.expressions.choices import moved_on
from s2sad.normal.expressions.displays import check_keys
from s2sad.normal.expressions.operation import operand, operation
from s2sad.normal.expressions.operators import beside_array, binary, may_count
from s2sad.normal.expressions.subscripts import flat_places, index_expression, index_of, index_value, subscript
from s2sad.normal.frames import Changed
from s2sad.normal.handlers import lowers
from s2sad.normal.iteration.asking import as_tuple, is_static_iterable
from s2sad.normal.iteration.at_once import iterate_static
from s2sad.normal.learning import make_dynamic
from s2sad.normal.memory import flat_array, leaf_of, look_into, mark_varied, put_as_it_was, root_of, subscript_value
from s2sad.normal.names import assign_name, hold, is_frozen, lookup
from s2sad.normal.run import Run, changed_since
from s2sad.normal.statements.assign import set_attribute
from s2sad.normal.statements.stores import (
    as_stored,
    check_table,
    check_takes,
    holds_floats,
    key_of,
    list_store,
    store,
    store_into,
    with_written_slice,
    written_through,
)
from s2sad.normal.values.abstract import (
    DictObj,
    Instance,
    Known,
    Leaf,
    ListObj,
    Maybe,
    Ref,
    State,
    Tup,
    Unbound,
    Value,
    is_it,
    is_known_a,
    mentions,
)
from s2sad.normal.values.classes import (
    class_of,
    find_frame,
    find_method,
    has_methods,
    instance_of,
    is_ruled,
    static,
    within,
)
from s2sad.normal.values.facts import infer_kind, is_varied, kind_of, sets_of_the_run
from s2sad.normal.values.joined import same_value
from s2sad.normal.values.making import expression
from s2sad.normal.values.questions import is_set, last_of, makes_set, own_setattr
from s2sad.normal.values.tables import Groups, Table
from s2sad.normal.words import BINARY, BINARY_METHOD, NO, SET_CHANGES
from s2sad.normal.writing import anchor, define, there, write


@lowers(gast.AugAssign)
def aug_assign_statement(run: Run, node: Any) -> None:
    target, op = node.target, type(node.op)
    if isinstance(target, gast.Name):
        current = lookup(run, target.id)
        changed = augment(run, current, op, evaluate(run, node.value))
        if changed is not None:
            assign_name(run, target.id, changed)
        elif is_bound_anew(run, target.id, current):  # by the right side: the name gets back what has changed
            assign_name(run, target.id, current)
        return
    flat = flat_array(run, target.value) if isinstance(target, gast.Subscript) else None
    if flat is not None:
        leaf = written_through(run, flat)
        place = hold(run, flat_places(run, leaf, index_value(run, target.slice)))
        old = hold(run, subscript_value(run, leaf, place))
        store_into(run, leaf, index_of(run, place), binary(run, op, old, evaluate(run, node.value)))
        return
    site = run.site(node)
    ordered = site in run.decisions.ordered  # the right side changes something: see `right_side`
    base = evaluate(run, target.value)
    base = hold(run, base) if ordered and not isinstance(kind_of(run, base), Array) else base
    if isinstance(target, gast.Attribute):
        current = attribute(run, base, target.attr)
        handed_back = has_setter(run, base, target.attr) or is_frozen(run, base)
        current = hold(run, current) if handed_back or ordered else current
        changed = augment(run, current, op, right_side(run, node))
        handed_back = handed_back or (ordered and is_set_anew(run, base, target.attr, current))
        if changed is not None or handed_back:
            set_attribute(run, base, target.attr, current if changed is None else changed)
        return
    target = with_written_slice(run, base, target)
    cut = isinstance(target.slice, gast.Slice)  # then what is changed is a copy, and stored
    table = run.state.heap[base.id] if isinstance(base, Ref) else None
    if isinstance(table, Instance) and table.cls is Table and not isinstance(target.slice, gast.Slice):
        finder = find_method(run, base, "old_place" if runs_over(run, table) else "place_of")
        assert finder is not None
        with evaluated(run, target, base, ordered) as place:
            at = hold(run, call_value(run, finder, [evaluate(run, place.slice)], {}))
            items = table.attributes["held"]
            current = hold(run, subscript_value(run, items, at))
            changed = augment(run, current, op, right_side(run, node))
            if ordered:  # the places may be others now
                store(run, place, current if changed is None else changed)
            elif changed is not None:
                list_store(run, leaf_of(run, items), index_of(run, at), changed)
        return
    if isinstance(base, (Ref, Known, Tup)):
        with evaluated(run, target, base, ordered) as place:
            current = subscript(run, base, place.slice)
            if isinstance(table, Instance) and table.cls is Groups:
                augment(run, current, op, right_side(run, node))
                return
            handed_back = instance_of(run, base) is not None or ordered
            current = hold(run, current) if handed_back or cut else current
            changed = augment(run, current, op, right_side(run, node))
            if isinstance(base, Tup) and changed is None:
                reason = "an item of a tuple is changed by an operator: Python changes it, and raises TypeError"
                missing = TypeError("'tuple' object does not support item assignment")
                run.refuse(reason, ways.OWN_STATEMENT, raises=missing)
            if changed is not None or handed_back or cut:
                store(run, place, current if changed is None else changed)
        return
    leaf = leaf_of(run, base)
    if isinstance(leaf.kind, ListOf):
        with evaluated(run, target, leaf, ordered) as place:
            index = index_expression(run, place.slice)
            item = subscript(run, leaf, place.slice)
            item = hold(run, item) if cut or ordered else item
            lists = len(run.memory.lists_changed)
            value = right_side(run, node)
            replaced = ordered and len(run.memory.lists_changed) > lists  # the item may not stand there any more
            changed = augment(run, item, op, value)
            if cut or replaced:
                store(run, place, item if changed is None else changed)
            elif changed is not None:
                list_store(run, leaf, index, changed)
        return
    list_changes(run, leaf)
    leaf = written_through(run, leaf)
    index = key_of(run, leaf, target.slice)

    def old_item() -> Value:
        read = lambda args, _: gast.Subscript(args[0], clone(index), gast.Load())  # noqa: E731
        return hold(run, operation(run, operator.getitem, read, [leaf]))

    mark = len(run.memory.stores_made), len(run.memory.lists_changed)
    if ordered:  # the right side overwrites what it is added to, or the index: u[0] += bump(u)
        old = old_item()
        store_into(run, leaf, index, binary(run, op, old, evaluate(run, node.value)))
        return
    as_index = lists_as_index(run, target.slice, index)
    value = evaluate(run, node.value)
    if as_index is not None and moved_on(run, as_index):
        run.refuse(
            "the right side changes a list that is the index: Python reads by the old one and stores by the new",
            ways.OWN_STATEMENT,
        )
    read = {root_of(run, atom_key(n)) for part in (leaf.expr, index) for n in (part, *walk_names(part))}
    if read.intersection([*run.memory.stores_made[mark[0] :], *run.memory.lists_changed[mark[1] :]]):
        run.decisions.ordered.add(site)
        raise Restart
    check_table(run, leaf, value, op)
    if op not in (gast.Add, gast.Sub) and (leaf.varied or is_varied(run, value)):
        held = hold(run, value)
        store_into(run, leaf, index, binary(run, op, old_item(), held), op)
        return
    check_takes(run, leaf, value)
    if not isinstance(leaf.kind, Array):
        check_keys(run, [Leaf(index, infer_kind(run, index))])
    value = as_stored(run, leaf, index, value)
    stored = operand(run, value) if is_varied(run, value) else expression(run, value)
    write(run, gast.AugAssign(gast.Subscript(clone(leaf.expr), index, gast.Store()), op(), stored))
    mark_varied(run, leaf, is_varied(run, value) and holds_floats(run, leaf))


def has_setter(run: Run, owner: Value, name: str) -> bool:
    """Does a class say what it means to set an attribute?"""
    obj = run.state.heap[owner.id] if isinstance(owner, Ref) else None
    if not isinstance(obj, Instance):
        return False
    return is_ruled(obj.cls, name) or own_setattr(obj.cls) is not None


def is_bound_anew(run: Run, name: str, value: Value) -> bool:
    """Is a variable bound to another object than this value, which it was bound to a while ago?"""
    owner = find_frame(run, name)
    frame = -id(run.frame.source.globals) if owner is None else owner
    return not is_one(run, run.state.frames.get(frame, {}).get(name, value), value)


def is_set_anew(run: Run, owner: Value, name: str, value: Value) -> bool:
    """Is an attribute another object than this value, which it was a while ago?"""
    obj = run.state.heap[owner.id] if isinstance(owner, Ref) else None
    return isinstance(obj, Instance) and not is_one(run, obj.attributes.get(name, value), value)


def is_one(run: Run, now: Value, before: Value) -> bool:
    """Are two values the same object, of which more may be known by now?"""
    if isinstance(now, Leaf) and isinstance(before, Leaf):
        key = atom_key(before.expr)
        return atom_key(now.expr) in (key, run.memory.reshaped.get(key))
    return same_value(run, now, before)


def lists_as_index(run: Run, node: Any, index: Expr) -> State | None:
    """The lists that the names in an index lead to, as they are now, where the index is made of lists."""
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    if not any(isinstance(p, gast.List) or isinstance(infer_kind(run, p), ListKind) for p in parts if p is not None):
        return None
    found: set[int] = set()
    for name in {n.id for n in walk_names(node)}:
        owner = find_frame(run, name)
        if owner is not None:
            collections.deque(within(run, run.state.frames[owner].get(name, Unbound()), found), 0)
    lists = (ref for ref in found if isinstance(run.state.heap[ref], ListObj))
    return State({}, {ref: run.state.heap[ref].copy() for ref in lists})


def right_side(run: Run, node: Any) -> Value:
    """The right side of `base[index] op= value`, behind what was read of the target.

    Python computes base and index before it, and once. Where it changes anything that they may depend on, they
    are held from the start:

    items[c] += bump(x)             items[0] = items[0] + x         (bump adds one to c, which is 0)
    """
    site = run.site(node)
    if site in run.decisions.ordered or isinstance(node.value, (gast.Name, gast.Constant)):
        return evaluate(run, node.value)
    before, marks, block, written = run.state.fork(), run.marks(), run.block, len(run.block)
    value = evaluate(run, node.value)
    if changed_since(run, marks, block, written) or moved_on(run, before):
        run.decisions.ordered.add(site)
        raise Restart
    return value


@contextlib.contextmanager
def evaluated(run: Run, target: Any, base: Value, whole: bool) -> Iterator[Any]:
    """`base[index]` of an assignment that reads and writes it: calls in it are made once.

    items[next_one()] += x          t = next_one(); items[t] = items[t] + x

    Args:
        whole: may the right side change what names in it stand for? Then all of it is computed now.
    """
    names: list[str] = []

    def once(node: Any, value: Value | None) -> Any:
        if isinstance(node, gast.Slice):
            parts = (node.lower, node.upper, node.step)
            return gast.copy_location(gast.Slice(*(p and once(p, None) for p in parts)), node)
        if not whole and not may_run_code(run, node):
            return node
        if isinstance(node, (gast.Constant, Bound)):
            return node
        names.append(f"#{len(names)} {target.lineno}")
        found = hold(run, evaluate(run, node)) if value is None else value
        run.state.frames[run.frame.id][names[-1]] = found  # (a condition in it gives another state)
        return gast.copy_location(gast.Name(names[-1], gast.Load(), None, None), node)

    first, second = once(target.value, base), once(target.slice, None)
    yield gast.copy_location(gast.Subscript(first, second, target.ctx), target) if names else target
    for name in names:
        run.state.frames[run.frame.id].pop(name, None)


def augment(run: Run, current: Value, op: type, value: Value) -> Value | None:
    """`current op= value`: None where it happened in place, else the new value."""
    if isinstance(current, Maybe):  # to None nothing is added: where this runs, there is a value
        there(run, current)
        return augment(run, current.value, op, value)
    if op in BINARY_METHOD and has_methods(run, current):
        method = find_method(run, current, f"__i{BINARY_METHOD[op]}__")
        cls = class_of(run, current)
        if method is None and cls is not None and hasattr(cls, f"__i{BINARY_METHOD[op]}__"):
            run.refuse(
                f"an object of class {cls.__name__} is overwritten as what its class is built on", ways.NEW_VALUE
            )
        if method is not None:
            return call_value(run, method, [value], {})
    if isinstance(current, Ref):
        obj = run.state.heap[current.id]
        if isinstance(obj, ListObj) and op is gast.Add and not isinstance(kind_of(run, value), Array):
            if not is_static_iterable(run, value):
                make_dynamic(run, obj)
            obj.items.extend(hold(run, v) for v in iterate_static(run, value))
            obj.items[:] = last_of(obj.items, obj.limit)
            container_changed(run, obj)
            return None
        if isinstance(obj, ListObj) and op is gast.Mult and not isinstance(kind_of(run, value), Array):
            times = static(value)
            if not isinstance(times, int):
                run.refuse("a list is repeated in place as often as the run says", ways.NEW_VALUE)
            obj.items[:] = last_of(obj.items * times, obj.limit)
            container_changed(run, obj)
            return None
        if isinstance(obj, DictObj) and op is gast.BitOr:
            dict_method(run, obj, "update", [value], {})
            return None
    if is_known_a(current, set, frozenset):
        only_slot(run, current)
    if op not in (gast.Div, gast.FloorDiv, gast.Mod, gast.Pow):
        list_changes(run, current)
    if op in (gast.Add, gast.Mult) and isinstance(current, Leaf) and is_tuple(run, current):
        return as_tuple(run, binary(run, op, current, value))
    if isinstance(current, Leaf) and isinstance(current.kind, ListOf) and op is gast.Add:
        if isinstance(kind_of(run, value), Array):  # NumPy adds
            return binary(run, op, current, value)
        dynamic_method(run, current, "extend", [value], {})
        return None
    if isinstance(current, Leaf) and isinstance(current.kind, ListOf) and op is gast.Mult and may_count(run, value):
        no_limit(run, current)
        inline_library(run, library.repeated_in_place, [current, value], {})
        return None
    if isinstance(current, Leaf) and isinstance(current.kind, Array):
        leaf, value = written_through(run, current), beside_array(run, op, value, current)
        given = dtype_of(kind_of(run, value))
        whole = current.kind.dtype.kind in "biu" and not current.kind.mixed
        imaginary = given is not None and given.kind == "c" and current.kind.dtype.kind == "f"
        whole = whole and given is not None and (given.kind in "fc" or op is gast.Div)
        if given is not None and (whole or (imaginary and not current.kind.mixed)):
            wrong = TypeError(f"numbers of {given.name} do not go into an array of {current.kind.dtype.name}")
            run.refuse(wrong.args[0], ways.FLOATS, raises=wrong)
        if op not in (gast.Add, gast.Sub) and (leaf.varied or is_varied(run, value)):
            store_into(run, leaf, gast.Constant(Ellipsis, None), binary(run, op, leaf, value), op)
            return None
        stored = operand(run, value) if is_varied(run, value) else expression(run, value)
        where = gast.Name(leaf.expr.id, gast.Store(), None, None) if isinstance(leaf.expr, gast.Name) else None
        if where is None:
            where = gast.Subscript(clone(leaf.expr), gast.Constant(Ellipsis, None), gast.Store())
        write(run, gast.AugAssign(where, op(), stored))
        mark_varied(run, leaf, is_varied(run, value) and holds_floats(run, leaf))
        return None
    kind, mutable = kind_of(run, current), f"__i{BINARY_METHOD.get(op, '')}__"
    of_library = isinstance(current, Leaf) and isinstance(kind, Object) and hasattr(kind.cls, mutable)
    if of_library or (isinstance(current, Known) and hasattr(current.cls, mutable)):
        cls = kind.cls if isinstance(kind, Object) else type(current.value)  # type: ignore[attr-defined]
        run.refuse(f"an object of class {cls.__name__} is overwritten by an operator", ways.NEW_VALUE)
    if is_set_in_run(run, op, current, value):  # (another one would give its items in another order)
        target = gast.Name(written_through(run, current).expr.id, gast.Store(), None, None)
        write(run, gast.AugAssign(target, op(), expression(run, value)))
        return None
    if may_be_shared_set(run, op, current, value):
        function = expression(run, Known(getattr(operator, f"i{BINARY_METHOD[op]}")))
        call = gast.Call(function, [expression(run, current), expression(run, value)], [])
        made = define(run, "t", call, Unknown())
        run.memory.read_out.add(atom_key(made.expr))  # (it is what stands there, too)
        return made
    changed = binary(run, op, current, value)
    if isinstance(changed, Known) and is_set(changed.value):
        return Known(Changed(changed.value))
    return rebinding(run, current, op, changed, value) if isinstance(kind_of(run, current), Unknown) else changed


def is_tuple(run: Run, value: Leaf) -> bool:
    """Does a run-time list stand for a tuple, of which += makes a new one?"""
    if not run.lists.tuples_made or not isinstance(value.kind, ListOf):
        return False
    key = atom_key(value.expr)
    if key not in run.lists.tuples and key not in run.lists.site_of and not run.passive:
        run.refuse("a += b of what may be a list or a tuple", ways.NEW_VALUE)
    return key in run.lists.tuples


def is_set_in_run(run: Run, op: type, current: Value, value: Value) -> bool:
    """Is `current op= value` certain to change a set that only the run knows, under a name?"""
    if not isinstance(current, Leaf) or atom_key(current.expr) not in run.lists.sets_made:
        return False
    known = isinstance(value, Known) and is_set(value.value)
    made = known or (isinstance(value, Leaf) and (makes_set(value.expr) or atom_key(value.expr) in run.lists.sets_made))
    return made and op in (gast.Sub, gast.BitOr, gast.BitAnd, gast.BitXor)


def may_be_shared_set(run: Run, op: type, current: Value, value: Value) -> bool:
    """Does `current op= value` change what may be a set or a dict, and which others may hold?"""
    given = kind_of(run, value)
    if not isinstance(current, Leaf) or not isinstance(current.kind, Unknown) or current.varied:
        return False
    key = atom_key(current.expr)
    own = isinstance(current.expr, gast.Name) and key not in run.alias
    own = own and key not in run.lists.list_items and key not in run.memory.read_out
    if own or is_varied(run, value):
        return False  # (what else holds a name's own set: see `rebinding`)
    if op is gast.Sub:
        return isinstance(given, Object) or isinstance(getattr(given, "value", None), (set, frozenset))
    return op in (gast.BitOr, gast.BitAnd, gast.BitXor) and not isinstance(given, (Number, Array))


def only_slot(run: Run, current: Known) -> list[Any]:
    """Where the one name of a set is that changes: what else holds it would not see the change."""
    set_changed(run)
    values = run.state.slots().items()
    found = [slot for slot, v in values if is_it(v, current.value)]
    if len(found) != 1 or sum(mentions(v, current.value) for _, v in values) != 1:
        sets_of_the_run(run)
        run.refuse("a set that has another name is changed", ways.NEW_VALUE)
    return found


def set_method(run: Run, owner: Known, name: str, args: list[Value]) -> Value:
    """`items.add(x)` of a set whose items are known: the name that it has gets another one."""
    slots = only_slot(run, owner)
    given: list[Any] = []
    for arg in args:
        known = name not in ("add", "discard", "remove") and is_static_iterable(run, arg)
        given += [static(v) for v in iterate_static(run, arg)] if known else [static(arg)]
    if NO in given or run.text_only or (name == "intersection_update" and len(args) != 1):
        sets_of_the_run(run)
        run.refuse(f"{name} changes a set by what is not known at derivation", "begin with set(), or use a dict")
    if name == "remove" and given[0] not in owner.value:
        run.refuse(f"{given[0]!r} is not in the set", ways.ASK, raises=KeyError(given[0]))
    made = SET_CHANGES[name](owner.value, owner.value if name == "clear" else frozenset(given))
    for slot in slots:
        put_as_it_was(run, slot, Known(Changed(made)))
    return Known(None)


def rebinding(run: Run, current: Value, op: type, changed: Value, value: Value) -> Value:
    """The value of `current op= value` where only the run knows whether it is a number, or an array: overwritten.

    The name is bound anew. The statement is marked with the name of what was overwritten if it was an array, so
    that it is refused where another name of that array is used afterwards (`s2sad.analysis.aliasing`).
    """
    named = isinstance(current, Leaf) and isinstance(current.expr, (gast.Name, gast.Subscript, gast.Attribute))
    kinds = kind_of(run, current), kind_of(run, value)
    textual = any(isinstance(k, Text) or type(getattr(k, "value", None)) is str for k in kinds)
    if not named or textual or not isinstance(changed, Leaf):
        return changed
    look_into(run, current.expr)  # type: ignore[attr-defined]
    if may_not_fit(run, kind_of(run, current), op, kind_of(run, value)):
        changed = leaf_of(run, inline_library(run, library.of_old_form, [current, hold(run, changed)], {}))
        made = define(run, "t", clone(changed.expr), changed.kind, varied=changed.varied)
    else:
        made = anchor(run, changed)
    last = run.block[-1] if run.block else None
    if isinstance(last, gast.Assign) and atom_key(last.targets[0]) == atom_key(made.expr):
        last.rebinds = atom_key(current.expr)  # type: ignore[attr-defined]
    return made


def may_not_fit(run: Run, current: Kind, op: type, value: Kind) -> bool:
    """May `current op value` be of another shape or dtype than what `current op= value` leaves in an array?

    Where an array is of floats in double precision its dtype fits what is real; and where nothing is known of it,
    one of another dtype has to be there for that.
    """
    known = [current.array] if isinstance(current, Either) else run.facts.kinds.values()
    arrays = [k for k in known if isinstance(k, Array)]
    if any(k.mixed and k.dtype.kind in "fc" for k in arrays):
        return True
    if not isinstance(value, (Number, Static)):
        shapes = {k.shape for k in arrays if k.shape != ()}
        if not isinstance(value, Array) or value.shape is None or not shapes <= {value.shape}:
            return True
    # (where nothing is known, an array of ints is one of indices)
    whole = "iu" if isinstance(current, Either) else ""
    for dtype in {k.dtype for k in arrays if not k.mixed and k.dtype.kind in f"fc{whole}"}:
        made = call_kind(BINARY[op], [Array(dtype, None), value])
        if not isinstance(made, Array) or made.mixed or made.dtype != dtype:
            return True
    return False
