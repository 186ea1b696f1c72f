"""Stores into arrays, lists and dicts."""

from __future__ import annotations

from functools import partial
from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, OfNodes, atom_key, clone, load
from s2sad.frontend import ways
from s2sad.kinds.dims import certain_lower
from s2sad.kinds.kind import Array, Dim, Either, Kind, ListOf, Number, Object, Places, Records, Unknown
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.known import dtype_of, element_of, shape_of
from s2sad.kinds.labelled import anything_of, is_labelled
from s2sad.kinds.query import is_float_kind
from s2sad.normal import above
from s2sad.normal.above import call_value, inline_library
from s2sad.normal.calls import library
from s2sad.normal.changing import check_originals, container_changed, kept_in_run, list_changes
from s2sad.normal.decisions import Restart
from s2sad.normal.expressions.atoms import evaluate, passively
from s2sad.normal.expressions.attributes import runs_over
from s2sad.normal.expressions.displays import check_keys
from s2sad.normal.expressions.operation import operand
from s2sad.normal.expressions.operators import list_as_array, numpy_function
from s2sad.normal.expressions.subscripts import (
    flat_places,
    index_expression,
    index_of,
    index_of_method,
    index_value,
    written_as_slice,
)
from s2sad.normal.iteration.asking import kept_iterator
from s2sad.normal.iteration.at_once import iterate_static
from s2sad.normal.learning import list_stored, make_dynamic, resize, run_time_dict, unroll_a_loop
from s2sad.normal.memory import (
    changes_in_passing,
    flat_array,
    leaf_of,
    look_into,
    makes_copy,
    mark_varied,
    may_be_list,
    memory_root,
    root_of,
)
from s2sad.normal.names import hold, is_held
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import (
    Conflict,
    DictObj,
    Instance,
    Known,
    Lazy,
    Leaf,
    ListObj,
    Method,
    Ref,
    Tup,
    Value,
)
from s2sad.normal.values.classes import find_method, static
from s2sad.normal.values.facts import infer_kind, is_varied, kind_of
from s2sad.normal.values.joined import check_slice, put_together
from s2sad.normal.values.lists_of_the_run import as_plain, hold_lists, learn_item
from s2sad.normal.values.making import expression
from s2sad.normal.values.structure import numpy_call
from s2sad.normal.values.tables import CHANGED_GROUP, Group, Groups, Table
from s2sad.normal.words import NO, STALE
from s2sad.normal.writing import anchor, check_not_read_back, define, write


def ref_of(run: Run, obj: Any) -> Ref:
    return Ref(next(k for k, v in run.state.heap.items() if v is obj))


def owner_of_dict(run: Run, obj: DictObj) -> Instance | None:
    """The object that a dict is the __dict__ of, None where it is a dict like others."""
    if not isinstance(obj.site, tuple) or obj.site[:1] != ("__dict__",):
        return None
    owners = [run.state.heap[ref] for ref in run.state.maybe.get(ref_of(run, obj).id, ())]
    if len(owners) != 1 or not isinstance(owners[0], Instance) or owners[0].foreign:
        run.refuse("the __dict__ of an object is changed", ways.ASSIGN)
    return owners[0]


def set_plainly(run: Run, owner: Instance, attributes: dict[Any, Value]) -> None:
    """Set attributes past properties and the like, as stores into the __dict__ do."""
    owner.attributes.update(attributes)
    owner.partial -= set(attributes)
    container_changed(run, owner)


def with_written_slice(run: Run, base: Value, target: Any) -> Any:
    cut = written_as_slice(run, base, target.slice)
    if isinstance(cut, gast.Slice):
        check_slice(run, base)
    if cut is target.slice:
        return target
    return gast.copy_location(gast.Subscript(target.value, cut, target.ctx), target)


@above.store.answer
def store(run: Run, target: Any, value: Value) -> None:
    if not isinstance(target.slice, gast.Slice):  # which takes the items out
        value = kept_iterator(run, value)
    flat = flat_array(run, target.value)
    if flat is not None:
        store_flat(run, flat, index_value(run, target.slice), value)
        return
    base = evaluate(run, target.value)
    list_changes(run, base)
    target = with_written_slice(run, base, target)
    if isinstance(base, Ref):
        obj = run.state.heap[base.id]
        if isinstance(obj, Instance):
            method = find_method(run, base, "__setitem__")
            if method is None:
                run.refuse("this object does not take items", ways.METHOD)
            if obj.cls is Group and isinstance(target.slice, gast.Slice):
                run.refuse(*CHANGED_GROUP)
            if issubclass(obj.cls, Table) and runs_over(run, obj):
                method = find_method(run, base, "replace")
            if issubclass(obj.cls, Groups):
                check_goes_in(run, value)
            assert method is not None
            call_value(run, method, [index_of_method(run, target.slice), value], {})
            given = run.state.heap[value.id] if isinstance(value, Ref) else None
            if issubclass(obj.cls, Groups) and isinstance(given, ListObj):
                given.stale, given.expr = True, None  # the dict has the items now, and may change them
                given.items[:] = [Conflict(STALE)] * len(given.items)
            return
        if isinstance(target.slice, gast.Slice):
            store_slice(run, obj, target.slice, value)
            return
        key = static(passively(run, target.slice))
        obj = run.state.heap[base.id]  # (a branch in the index gives another state)
        assert not isinstance(obj, Instance)
        if key is NO:
            if isinstance(obj, ListObj):
                list_stored(run, obj, value)
                return
            assert isinstance(obj, DictObj)
            run_time_dict(run, obj)
            run.refuse("a dict gets a key that is not known at derivation", ways.KEYS, concrete=True)
        if isinstance(obj, ListObj):
            if not isinstance(key, int) or not -len(obj.items) <= key < len(obj.items):
                run.refuse(f"there is no item {key!r} in this list", "append to it, or start it at full length")
            obj.items[key] = hold(run, value)
        else:
            assert isinstance(obj, DictObj)
            obj.items[key] = hold(run, value)
            owner = owner_of_dict(run, obj)
            if owner is not None:
                set_plainly(run, owner, {key: obj.items[key]})
                return
        container_changed(run, obj)
        return
    if isinstance(base, Known):
        run.refuse("this writes to an object outside the function", ways.ARGUMENT)
    if isinstance(base, Tup):
        run.refuse("a tuple cannot be written to", ways.LIST)
    leaf = leaf_of(run, base)
    check_table(run, leaf, value)
    if isinstance(leaf.kind, ListOf):
        if isinstance(target.slice, gast.Slice):
            list_slice_store(run, leaf, target.slice, value)
            return
        list_store(run, leaf, index_expression(run, target.slice), value)
        return
    if isinstance(leaf.kind, Number):
        wrong = TypeError("a number has no items to store into")
        run.refuse(wrong.args[0], "make it an array first", raises=wrong, storing=True)
    store_into(run, leaf, key_of(run, leaf, target.slice), value)


def key_of(run: Run, leaf: Leaf, node: Any) -> Expr:
    """The index or key under which something is stored."""
    lost, run.lost = run.lost, False
    index = index_expression(run, node)
    hidden, run.lost = run.lost, run.lost or lost
    if hidden and not isinstance(leaf.kind, Array):  # it was computed of active values
        check_keys(run, [Leaf(index, infer_kind(run, index), True)])
    return index


def check_goes_in(run: Run, value: Value) -> None:
    """A list goes into a dict of lists whose keys only the run knows: it must not have another name."""
    obj = run.state.heap[value.id] if isinstance(value, Ref) else None
    if isinstance(obj, ListObj):
        obj.held = True
    named = isinstance(value, Leaf) and not value.nested and is_held(run, atom_key(value.expr))
    if named or isinstance(obj, Instance):
        reason = "a list that has a name goes into a dict whose keys are known at run time only"
        run.refuse(reason, ways.COPY_LIST)


def store_flat(run: Run, base: Leaf, index: Value, value: Value) -> None:
    """`base.flat[index] = value`"""
    leaf = written_through(run, base)
    where = index_of(run, flat_places(run, leaf, index))
    given = in_turn(run, leaf, where, value)
    if given is None:
        value = list_as_array(run, value, True, True)
        inline_library(run, library.stored_in_turn, [leaf, Leaf(where, infer_kind(run, where), nested=True), value], {})
    else:
        store_into(run, leaf, where, given)


def in_turn(run: Run, leaf: Leaf, index: Expr, value: Value) -> Value | None:
    """What a store through `array.flat` stores: the values in turn, again and again, as far as there is room.

    None where there may be none, which are stored nowhere.
    """
    read = gast.Subscript(clone(leaf.expr), clone(index), gast.Load())
    shape, room = shape_of(kind_of(run, value)), shape_of(infer_kind(run, read))
    if shape == () or room == () or (shape is not None and shape == room):
        return value
    if shape is None or any((certain_lower(n) or 0) < 1 for n in shape):
        active = (leaf.varied or is_varied(run, value)) and not run.passive
        return None if active else value
    value = list_as_array(run, value, True, True)
    size = gast.Attribute(read, "shape", gast.Load())
    return hold(run, numpy_call(run, np.resize, [value, Leaf(size, infer_kind(run, size), nested=True)]))


def store_slice(run: Run, obj: Any, cut: Any, value: Value) -> None:
    """items[a:b] = values, of a list of known length."""
    bounds = [None if p is None else static(passively(run, p)) for p in (cut.lower, cut.upper, cut.step)]
    if not isinstance(obj, ListObj):
        run.refuse("a slice of this is no list", ways.CORRECT)
    if NO in bounds:
        make_dynamic(run, obj)
    obj.items[slice(*bounds)] = [hold(run, v) for v in iterate_static(run, value)]
    container_changed(run, obj)


@above.store_into.answer
def store_into(run: Run, base: Value, index: Expr, value: Value, augmented: type | None = None) -> None:
    """`base[index] = value`, or what `base[index] op= ...` comes to."""
    list_changes(run, base)
    leaf = written_through(run, base)
    check_takes(run, leaf, value)
    if not isinstance(leaf.kind, Array):
        check_keys(run, [Leaf(index, infer_kind(run, index))])
    value = as_stored(run, leaf, index, value)
    form = partial(expression, run) if isinstance(leaf.kind, Array) else partial(kept_in_run, run)
    stored = operand(run, value) if is_varied(run, value) else form(value)
    if not isinstance(leaf.kind, ListOf):
        check_not_read_back(run, stored, leaf.kind)
    target = gast.Subscript(clone(leaf.expr), index, gast.Store())
    write(run, gast.Assign([target], stored, None)).augmented = augmented
    mark_varied(run, leaf, is_varied(run, value) and holds_floats(run, leaf))
    written: str | None = atom_key(leaf.expr)
    while written is not None:
        kind = run.facts.kinds.get(written)
        if isinstance(kind, Object) and is_labelled(kind.cls):  # a column may have become another
            run.facts.kinds[written] = anything_of(kind)
        written = run.alias.get(written) if run.alias.get(written) != written else None


def as_stored(run: Run, leaf: Leaf, index: Expr, value: Value) -> Value:
    """What is stored or added at `leaf[index]`: a list or tuple that may be broadcast over the place is the array
    that NumPy makes of it there, so that each part is counted for all the elements that it went to.

    A[:2] = [s, t, u]               A[:2] = np.array([s, t, u])
    """
    listed = isinstance(value, Tup) or (isinstance(value, Ref) and isinstance(run.state.heap[value.id], ListObj))
    listed = listed or (isinstance(value, Leaf) and isinstance(value.kind, (ListOf, ListKind, TupleKind)))
    if not listed or run.passive or not is_varied(run, value):
        return value
    of_array = isinstance(leaf.kind, (Array, Either))
    if not of_array and (type(leaf.kind) is not Unknown or may_be_list(run, leaf.expr)):
        return value  # a container, which keeps the list
    kind, place = kind_of(run, value), infer_kind(run, gast.Subscript(clone(leaf.expr), clone(index), gast.Load()))
    shape, given = shape_of(place), dtype_of(kind)
    if shape is not None and fills(run, kind, shape, makes_copy(run, index)):
        return value
    own = dtype_of(place)
    if given is not None and own is not None and given.kind == "c" and own.kind != "c":
        return value  # NumPy stores no list of complex numbers among reals, but drops an array's imaginary parts
    return hold(run, call_value(run, numpy_function(run, "array"), [value], {}))


def fills(run: Run, kind: Kind, place: tuple[Dim, ...], advanced: bool) -> bool:
    """Does a list that is stored fill its place element by element, or does NumPy refuse it there?"""
    shape = shape_of(kind)
    if shape is None or len(shape) < len(place):
        return False
    if len(shape) > len(place):
        return not advanced
    return all(a == b or (certain_lower(a) or 0) > 1 for a, b in zip(shape, place, strict=True))


def check_table(run: Run, leaf: Leaf, value: Value, op: type | None = None) -> None:
    """A dict that is one at run time takes no active values: start again with one that is not."""
    table = run.lists.table_of.get(atom_key(leaf.expr)) if not leaf.nested else None
    if table is not None and is_varied(run, value):
        run.decisions.tables.discard(table)
        run.decisions.unfit.add(table)
        raise Restart
    if isinstance(leaf.kind, Places) and table is not None:
        kind = kind_of(run, value)
        counts = isinstance(kind, Number) and kind.type is int and op in (None, gast.Add, gast.Sub, gast.Mult)
        if not counts:
            run.decisions.no_places.add(table)
            raise Restart


def check_takes(run: Run, leaf: Leaf, value: Value) -> None:
    """Objects that are not followed, and arrays of what is no number, take no active values."""
    if not is_varied(run, value) or run.passive:
        return
    if isinstance(leaf.kind, Object):
        name = leaf.kind.cls.__name__
        run.refuse(f"active values in an object of class {name}", "use a list, a dict or an array")
    for kind in (leaf.kind, run.facts.kinds.get(root_of(run, atom_key(leaf.expr)))):
        if isinstance(kind, Records):
            what = "objects" if kind.dtype.kind == "O" else f"dtype {kind.dtype}"
            run.refuse(f"active values in an array of {what}", ways.FLOATS)


def holds_floats(run: Run, leaf: Leaf) -> bool:
    return is_float_kind(leaf.kind)


def written_through(run: Run, base: Value) -> Leaf:
    """A leaf that is about to be written through: it must have a name, and must not be the user's global."""
    leaf = leaf_of(run, base)
    if leaf.nested:
        root = memory_root(run, leaf.expr)
        leaf = anchor(run, leaf, "view")
        if root is not None:
            run.alias[atom_key(leaf.expr)] = root
    check_not_of_list(run, atom_key(leaf.expr))
    root_name = root_of(run, atom_key(leaf.expr))
    look_into(run, leaf.expr)
    run.memory.stores_made.append(root_name)
    if run.lost:
        changes_in_passing(run)  # what is stored may be active
    if root_name.split(".")[0].split("[")[0] in run.facts.globals:
        run.refuse("this writes to an array outside the function", ways.ARGUMENT)
    return leaf


def check_not_of_list(run: Run, key: str) -> None:
    """Writing through an item of a run-time list changes what the list holds: which item that is must be known."""
    while key in run.alias and key not in run.lists.list_items:
        key = run.alias[key]
    if key in run.lists.list_items:
        if not run.decisions.lists_chosen:
            run.decisions.lists_chosen = True
            run.decisions.dynamic.clear()
            run.decisions.steps.clear()
            raise Restart
        unroll_a_loop(run, grown=True)
        run.refuse(
            "an array taken from a list by a variable index is overwritten",
            ways.ONE_ARRAY,
            concrete=True,
        )


def list_slice_store(run: Run, leaf: Leaf, cut: Any, value: Value) -> None:
    """items[a:b] = values, of a run-time list: all of it is made anew."""
    active = leaf.varied or is_varied(run, value)
    if active or run.lost:
        changes_in_passing(run)
    resize(run, leaf)
    run.memory.lists_changed.append(atom_key(leaf.expr))
    if cut.lower is None and cut.upper is None and cut.step is None:
        new = inline_library(run, library.list_of, [value], {})
        inline_library(run, library.cleared, [leaf], {})
        inline_library(run, library.extended, [leaf, new], {})
        return
    if active and not run.passive:
        active_slice_store(run, leaf, cut, value)
        return
    for item in put_in(run, value):
        learn_item(run, leaf, item)
    target = gast.Subscript(clone(leaf.expr), index_expression(run, cut), gast.Store())
    write(run, gast.Assign([target], expression(run, value), None))


def active_slice_store(run: Run, leaf: Leaf, cut: Any, value: Value) -> None:
    """items[a:b] = values, of a list with active items: what stays and what comes, in a new order."""
    new = inline_library(run, library.list_of, [value], {})
    size = gast.Call(load("len"), [clone(leaf.expr)], [])
    if cut.step is None:
        lower, upper = (Known(None) if p is None else hold(run, passively(run, p)) for p in (cut.lower, cut.upper))
        bounds = Method(Known(("slice", "indices")), Lazy(slice, (lower, upper)))
        start, stop, _ = iterate_static(run, call_value(run, bounds, [Leaf(size, Number(int), nested=True)], {}))
        made = inline_library(run, library.spliced, [leaf, new, start, stop], {})
        inline_library(run, library.cleared, [leaf], {})
        inline_library(run, library.extended, [leaf, made], {})
        return
    places = gast.Subscript(gast.Call(load("range"), [size], []), index_expression(run, cut), gast.Load())
    inline_library(run, library.stored_at, [leaf, new, define(run, "places", places, ListOf(Number(int)))], {})


def put_in(run: Run, value: Value) -> list[Value]:
    """What a run-time list takes when it takes all items of a value: these, or one that stands for them."""
    obj = run.state.heap[value.id] if isinstance(value, Ref) else None
    if isinstance(value, Tup) or (isinstance(obj, ListObj) and not obj.once):
        return iterate_static(run, value)
    kind = element_of(value.kind) if isinstance(value, Leaf) else Unknown()
    return [Leaf(expression(run, value), kind, is_varied(run, value) and is_float_kind(kind), nested=True)]


def list_store(run: Run, leaf: Leaf, index: Expr, value: Value) -> None:
    assert isinstance(leaf.kind, ListOf)
    if leaf.varied or is_varied(run, value) or run.lost:
        changes_in_passing(run)
    check_originals(run, leaf)
    value = put_together(run, value)
    hold_lists(run, value, leaf.kind.item)
    learn_item(run, leaf, value)
    run.memory.lists_changed.append(atom_key(leaf.expr))
    target = gast.Subscript(clone(leaf.expr), index, gast.Store())
    write(run, gast.Assign([target], operand(run, as_plain(run, leaf, value)), None))


def first_name(targets: list[Any]) -> str:
    return next((t.id for t in targets if isinstance(t, gast.Name)), "t")


#: of a function: its names that are read, how often each is, and those that nested functions mention
READS = OfNodes()
