"""Subscripts: items, slices, masks."""

from __future__ import annotations

import collections
import enum
import operator
import types
from collections.abc import Sequence
from typing import Any, NoReturn

import gast
import numpy as np

from s2sad.core import Expr, atom_key, clone, load, quote
from s2sad.frontend import ways
from s2sad.kinds.kind import Array, ListOf, Number, Object, Static, Unknown
from s2sad.kinds.kind import Dict as DictKind
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.query import is_float_kind
from s2sad.normal import above
from s2sad.normal.above import call_value, form_of_rows, inline_library, list_item, row_at
from s2sad.normal.changing import container_changed, list_changes
from s2sad.normal.decisions import Restart
from s2sad.normal.desugar.in_steps import Bound
from s2sad.normal.expressions.atoms import evaluate, nested, passively
from s2sad.normal.expressions.attributes import (
    attribute,
    bounds_of,
    call_method_named,
    check_stand_in,
    leaf_attribute,
    may_run_code,
    runs_over,
)
from s2sad.normal.expressions.choices import choose
from s2sad.normal.expressions.displays import check_keys, is_one_container, reads_active
from s2sad.normal.expressions.operation import operation, plain
from s2sad.normal.expressions.operators import check_operator, check_types, numpy_function, rows
from s2sad.normal.handlers import lowers
from s2sad.normal.learning import item_of_dynamic, make_dynamic, run_time_dict, unroll_a_loop
from s2sad.normal.memory import leaf_of, makes_copy, of_flat, root_of
from s2sad.normal.names import hold
from s2sad.normal.run import Run, changed_since
from s2sad.normal.values.abstract import (
    NOT_KNOWN,
    Closure,
    DictObj,
    Instance,
    Known,
    Lazy,
    Leaf,
    ListObj,
    Ref,
    Tup,
    Value,
    contents,
    is_it,
    is_known_a,
    is_none,
)
from s2sad.normal.values.classes import callable_builtin, find_method, instance_of, is_user_object, static
from s2sad.normal.values.entering import from_python
from s2sad.normal.values.facts import global_name, infer_kind, is_flat, is_varied, kind_of, sets_of_the_run
from s2sad.normal.values.joined import check_slice
from s2sad.normal.values.lists_of_the_run import check_operators_of, dynamic_list, new_list
from s2sad.normal.values.making import expression, is_stirred
from s2sad.normal.values.questions import (
    is_int,
    is_number_or_container,
    is_pending,
    is_set,
    is_whole,
    may_be_functions,
    rank,
)
from s2sad.normal.values.tables import Group, Table, items_of
from s2sad.normal.words import LARGEST_CHOICE, NO
from s2sad.normal.writing import anchor, define, there, write
from s2sad.runtime.decide import Look
from s2sad.runtime.identity import class_entry


@above.flat_places.answer
def flat_places(run: Run, owner: Leaf, index: Value) -> Value:
    """Positions in the flattened array as an index into the array itself."""
    if isinstance(owner.kind, Array) and owner.kind.shape is not None and len(owner.kind.shape) == 1:
        return hold(run, index)
    np_ = load(global_name(run, "np", np))
    shape = gast.Attribute(expression(run, owner), "shape", gast.Load())
    if (isinstance(index, Lazy) and index.function is slice) or may_be_mask(run, index):
        size = gast.Attribute(expression(run, owner), "size", gast.Load())
        every = gast.Call(gast.Attribute(clone(np_), "arange", gast.Load()), [size], [])
        place: Expr = gast.Subscript(every, index_of(run, index), gast.Load())
    else:
        place = expression(run, index)
        if may_count_from_the_end(run, index):
            size = gast.Attribute(expression(run, owner), "size", gast.Load())
            array = gast.Call(gast.Attribute(clone(np_), "array", gast.Load()), [place], [])
            place = gast.BinOp(array if isinstance(place, gast.List) else place, gast.Mod(), size)
    call = gast.Call(gast.Attribute(np_, "unravel_index", gast.Load()), [place, shape], [])
    return define(run, "place", call, infer_kind(run, call))


def may_be_mask(run: Run, index: Value) -> bool:
    """May an index say of each element whether it is meant? (NumPy takes no list of bools here.)"""
    kind = kind_of(run, index)
    return isinstance(kind, Unknown) or (isinstance(kind, Array) and kind.dtype.kind == "b")


def may_count_from_the_end(run: Run, index: Value) -> bool:
    """Are some positions, or may they be, less than 0? np.unravel_index refuses a number that is when it runs."""
    kind = kind_of(run, index)
    if isinstance(kind, Array):
        return kind.dtype != np.dtype(bool)
    if isinstance(kind, (ListKind, TupleKind)):
        return not all(isinstance(k, Static) and isinstance(k.value, int) and k.value >= 0 for k in kind.items)
    known = static(index)
    return isinstance(known, int) and known < 0


def textual(run: Run, value: Value) -> bool:
    """Has the value a form at run time?"""
    if isinstance(value, Tup):
        return all(textual(run, v) for v in value.items)
    if isinstance(value, Lazy):
        return all(textual(run, v) for v in value.args)
    return not (isinstance(value, Closure) and value.function is None)


@lowers(gast.Subscript)
def subscript_expression(run: Run, node: Any) -> Value:
    if isinstance(node.value, gast.Attribute) and node.value.attr == "flat":
        array = evaluate(run, node.value.value)
        if isinstance(array, Leaf) and isinstance(array.kind, Array):
            if array.kind.layout in (None, "C"):
                return subscript(run, leaf_attribute(run, array, "flat"), node.slice)
            return of_flat(run, array, node.slice)
        return subscript(run, attribute(run, array, "flat"), node.slice)
    node.value.taken_apart = True
    base = rows(run, node.value) if is_int(node.slice) else evaluate(run, node.value)
    if not may_run_code(run, node.slice):
        return subscript(run, base, node.slice)
    site = run.site(node)
    ordered = site in run.decisions.ordered
    base = hold(run, base) if ordered else base
    marks, written, block = run.marks(), len(run.block), run.block
    item = subscript(run, base, node.slice)
    changed = changed_since(run, marks, block, written)
    if changed and not ordered and is_pending(base):  # what is subscripted must not see what the index changes
        run.decisions.ordered.add(site)
        raise Restart
    return item


def written_as_slice(run: Run, base: Value, index_node: Any) -> Any:
    """A slice that is kept in a variable, as one that is written where a list or a tuple is cut by it:

    s = slice(1, n); items[s]        ->        items[1:n]
    """
    obj = run.state.heap[base.id] if isinstance(base, Ref) else None
    listed = isinstance(base, Leaf) and isinstance(base.kind, (ListOf, TupleKind))
    known = is_known_a(base, list, tuple)
    if not (isinstance(obj, ListObj) or isinstance(base, Tup) or listed or known):
        return index_node
    made_here = isinstance(index_node, gast.Call) and getattr(index_node.func, "id", "") == "slice"
    if not made_here and not isinstance(index_node, (gast.Name, gast.Attribute, gast.Subscript)):
        return index_node
    if any(may_run_code(run, v) for v in (index_node.args if made_here else (index_node,))):
        return index_node
    bounds = bounds_of(run, passively(run, index_node))
    if bounds is None:
        return index_node
    parts = [None if static(v) is None else gast.copy_location(Bound(v), index_node) for v in bounds]
    return gast.copy_location(gast.Slice(*parts), index_node)


@lowers(Bound)
def bound_expression(run: Run, node: Any) -> Value:
    return node.held  # type: ignore[no-any-return]


def index_of_method(run: Run, node: Any) -> Value:
    """What the __getitem__ or __setitem__ of an object is given: slices are values there."""
    if isinstance(node, gast.Tuple):
        return Tup(tuple(index_of_method(run, e) for e in node.elts))
    if isinstance(node, gast.Slice):
        return index_value(run, node)
    return evaluate(run, node)


@above.subscript.answer
def subscript(run: Run, base: Value, index_node: Any) -> Value:
    base = there(run, base)
    index_node = written_as_slice(run, base, index_node)
    if isinstance(index_node, gast.Slice):
        check_slice(run, base)
    if isinstance(base, (Tup, Ref, Known)) or isinstance(getattr(base, "kind", None), (TupleKind, ListOf)):
        index_node = computed_once(run, base, index_node)
    if isinstance(base, (Tup, Ref)) or (isinstance(base, Known) and not base.is_a(type)):
        return subscript_container(run, base, index_node)
    if isinstance(base, Known):
        expr = gast.Subscript(expression(run, base), clone(index_node), gast.Load())
        if not issubclass(base.value, enum.Enum):
            return Known(base.value, expr)
        name = static(passively(run, index_node))
        if name not in base.value.__members__:
            run.refuse(f"a member of {base.value.__name__} by a name that is not known", ways.KEYS)
        expr.slice = gast.Constant(name, None)  # a variable that holds it may have no text of its own
        return from_python(run, base.value[name], expr)
    leaf = leaf_of(run, base)
    if isinstance(leaf.kind, Number):
        check_types(run, operator.getitem, leaf, Known(0))
    index = index_expression(run, index_node)
    if reads_active(run, index):
        check_operator(run, leaf)
    if isinstance(base, Lazy) and base.function is range and isinstance(index_node, gast.Slice):
        return define(run, "places", gast.Subscript(expression(run, leaf), index, gast.Load()), ListOf(Number(int)))
    if isinstance(base, Lazy) and base.function is range:
        kind = infer_kind(run, index)
        if not isinstance(kind, (Unknown, Array)) and not (isinstance(kind, Number) and is_whole(kind.type)):
            missing = TypeError("range indices must be integers or slices")
            run.refuse("an item of a range at what is no int", ways.CORRECT, raises=missing)
    if isinstance(leaf.kind, TupleKind):
        position = static(passively(run, index_node)) if not isinstance(index_node, gast.Slice) else NO
        if isinstance(position, int):
            if not -len(leaf.kind.items) <= position < len(leaf.kind.items):
                error = IndexError("tuple index out of range")
                run.refuse("there is no such item in this tuple", ways.CORRECT, raises=error)
            item = leaf.kind.items[position]
            node = gast.Subscript(expression(run, leaf), index, gast.Load())
            const: Any = NOT_KNOWN
            return Leaf(node, item, leaf.varied and is_float_kind(item), const, nested=True)
    if isinstance(leaf.kind, ListOf) and leaf.varied and isinstance(index_node, gast.Slice):
        return slice_of_list(run, hold(run, leaf), index_node)
    held = hold(run, leaf)
    if (
        isinstance(held, Leaf)
        and isinstance(held.kind, ListOf)
        and not run.passive
        and not isinstance(index_node, gast.Slice)
    ):
        assert isinstance(held, Leaf)
        return list_item(run, held, gast.Subscript(expression(run, held), index, gast.Load()))
    if isinstance(held, Leaf) and makes_items(run, held):
        check_keys(run, [Leaf(index, infer_kind(run, index))])
        node = gast.Subscript(expression(run, held), index, gast.Load())
        node.makes_item = True
        return define(run, "item", node, infer_kind(run, node)) if not run.text_only else nested(run, node, False)
    taken = operation(
        run,
        operator.getitem,
        lambda args, _: gast.Subscript(args[0], clone(index), gast.Load()),
        [held],
    )
    if not is_flat(run, leaf) or isinstance(taken.kind, Number) or makes_copy(run, index):
        return taken
    place = infer_kind(run, index)
    if isinstance(place, Number) and is_whole(place.type):  # an item, whatever it is
        return taken
    if atom_key(leaf.expr) in run.memory.half_flats:
        run.refuse(
            "a part of what is array.flat on one path, and perhaps an array on another: one is a copy",
            ways.FLAT,
        )
    return call_method_named(run, taken, "copy")


def computed_once(run: Run, base: Value, index_node: Any) -> Any:
    """An index with calls in it, as what these gave: it is looked at, and then used."""
    own = isinstance(base, Ref) and isinstance(run.state.heap[base.id], Instance)
    if own or (isinstance(base, Known) and base.is_one_of(np.r_, np.c_, np.s_, np.index_exp)):
        return index_node
    if isinstance(index_node, gast.Slice):
        parts = (index_node.lower, index_node.upper, index_node.step)
        once = [None if p is None else computed_once(run, base, p) for p in parts]
        return gast.copy_location(gast.Slice(*once), index_node)
    if not may_run_code(run, index_node):
        return index_node
    return gast.copy_location(Bound(passively(run, index_node)), index_node)


def makes_items(run: Run, table: Leaf) -> bool:
    """Is it a defaultdict of the run, which changes where an item is read that it has not?"""
    cls = getattr(table.kind, "cls", dict)
    if isinstance(table.kind, Object) and hasattr(cls, "__missing__") and cls is not collections.Counter:
        return True
    site = None if table.nested else run.lists.table_of.get(atom_key(table.expr))
    if site is not None:
        return site in run.decisions.defaulting
    if isinstance(table.kind, DictKind) and run.decisions.has_defaultdicts:
        list_changes(run, table)
    if not isinstance(table.kind, Unknown) or table.varied:
        return False
    # what a function of the user's returns may be one
    return run.decisions.has_defaultdicts or root_of(run, atom_key(table.expr)) in run.calls.made_by


def index_expression(run: Run, node: Any) -> Expr:
    """An index expression: plain arithmetic on ints stays where it is; anything else that varies gets a name."""
    run.passive += 1
    try:
        return index_part(run, node)
    finally:
        run.passive -= 1


def index_part(run: Run, node: Any) -> Expr:
    if isinstance(node, gast.Tuple):
        return gast.Tuple([index_part(run, e) for e in node.elts], gast.Load())
    if isinstance(node, gast.Slice):
        parts = [None if p is None else index_part(run, p) for p in (node.lower, node.upper, node.step)]
        return gast.Slice(*parts)
    return index_of(run, evaluate(run, node))


def index_of(run: Run, value: Value) -> Expr:
    """A value as an index."""
    if isinstance(value, Ref) and isinstance(run.state.heap[value.id], ListObj):
        return expression(run, value)
    if isinstance(value, Tup):
        return gast.Tuple([index_of(run, v) for v in value.items], gast.Load())
    if is_known_a(value, slice):
        cut = value.value
        bounds = (cut.start, cut.stop, cut.step)
        value = Lazy(slice, tuple(from_python(run, p, gast.Constant(p, None)) for p in bounds))
    if isinstance(value, Lazy) and value.function is slice:
        parts = [None if is_none(p) else index_of(run, p) for p in value.args]
        return gast.Slice(*([None, parts[0], None] if len(parts) == 1 else [*parts, None][:3]))
    leaf = leaf_of(run, as_index(run, value))
    if leaf.nested and not plain(run, leaf.expr):
        return anchor(run, leaf, "i" if isinstance(leaf.kind, Number) else "index").expr
    return leaf.expr


def as_index(run: Run, value: Value) -> Value:
    """What an object's __index__ gives, asked once; other values as they are."""
    method = find_method(run, value, "__index__") if instance_of(run, value) is not None else None
    return value if method is None else hold(run, call_value(run, method, [], {}), "i")


@above.index_value.answer
def index_value(run: Run, node: Any) -> Value:
    """What `np.s_[...]` is for an index."""
    if isinstance(node, gast.Tuple):
        return Tup(tuple(index_value(run, e) for e in node.elts))
    if isinstance(node, gast.Slice):
        parts = (node.lower, node.upper, node.step)
        return Lazy(slice, tuple(Known(None) if p is None else hold(run, passively(run, p)) for p in parts))
    return hold(run, passively(run, node))


def side_by_side(run: Run, joiner: Known, index_node: Any) -> Value | None:
    """np.r_[a, b] and np.c_[a, b]: of active parts, the call that joins them; else as it stands, with that kind."""
    nodes = index_node.elts if isinstance(index_node, gast.Tuple) else [index_node]
    values = [counted(run, n) if isinstance(n, gast.Slice) else evaluate(run, n) for n in nodes]
    active = any(is_varied(run, v) for v in values if v is not None)
    if any(v is None or isinstance(static(v), str) for v in values):  # np.r_[0:1:5j], np.r_["0,2", a]
        return refuse_join(run) if active else None
    parts = [stackable(run, v) for v in values if v is not None]
    kinds = [kind_of(run, v) for v in parts]
    ranks = [0 if isinstance(k, Number) else rank(k) for k in kinds]
    largest = max(ranks)
    name = ""
    if joiner.value is np.r_ and min(ranks) >= 0:
        name = "hstack" if largest <= 1 else "concatenate" if min(ranks) == largest else ""
    elif min(ranks) >= 0 and largest <= 2:
        name = "column_stack"
    if not active:
        if not name:
            return None
        pairs = [(n, v) for n, v in zip(nodes, values, strict=True) if v is not None]
        shown = [index_part(run, n) if isinstance(n, gast.Slice) else index_of(run, v) for n, v in pairs]
        index = gast.Tuple(shown, gast.Load()) if isinstance(index_node, gast.Tuple) else shown[0]
        joined = gast.Subscript(expression(run, joiner), index, gast.Load())
        return Leaf(joined, infer_kind(run, joined), nested=True)
    if name:
        return call_value(run, numpy_function(run, name), [Tup(tuple(parts))], {})
    return refuse_join(run)


def counted(run: Run, node: Any) -> Value | None:
    """A slice in np.r_ as np.arange; None where its step is the number of points (a complex number)."""
    start = from_python(run, 0, gast.Constant(0, None)) if node.lower is None else evaluate(run, node.lower)
    bounds = [start, *(evaluate(run, n) for n in (node.upper, node.step) if n is not None)]
    if node.upper is None or any(isinstance(static(v), complex) for v in bounds):
        return None
    return call_value(run, numpy_function(run, "arange"), bounds, {})


def refuse_join(run: Run) -> NoReturn:
    run.refuse("np.r_ and np.c_ of these active parts", "use np.concatenate, np.hstack or np.column_stack")


def stackable(run: Run, value: Value) -> Value:
    """A part of np.r_ or np.c_ as an array or a number."""
    if isinstance(value, (Tup, Ref)):
        return call_value(run, numpy_function(run, "array"), [value], {})
    return hold(run, value)


def subscript_container(run: Run, base: Value, index_node: Any) -> Value:
    if is_it(base, np.r_, np.c_):
        joined = side_by_side(run, base, index_node)
        if joined is not None:
            return joined
    if is_it(base, np.s_, np.index_exp):
        made = index_value(run, index_node)
        return Tup((made,)) if base.value is np.index_exp and not isinstance(made, Tup) else made
    owner = run.state.heap[base.id] if isinstance(base, Ref) else None
    item = find_method(run, base, "__getitem__") if isinstance(base, Known) and is_user_object(base) else None
    if item is not None:  # of an object that a global holds
        return call_value(run, item, [index_of_method(run, index_node)], {})
    if isinstance(index_node, gast.Slice) and not isinstance(owner, Instance):
        bounds = []
        for part in (index_node.lower, index_node.upper, index_node.step):
            known = None if part is None else static(passively(run, part))
            if known is NO:
                if isinstance(base, Ref) and isinstance(obj := run.state.heap[base.id], ListObj):
                    make_dynamic(run, obj)
                run.refuse("a slice with bounds that are not known", "use an array")
            bounds.append(known)
        cut = slice(*bounds)
        if isinstance(base, Tup):
            return Tup(base.items[cut])
        if isinstance(base, Known):
            index = index_expression(run, index_node)
            return Known(base.value[cut], gast.Subscript(expression(run, base), index, gast.Load()))
        if isinstance(owner, ListObj):
            return new_list(run, owner.items[cut], base)
    if isinstance(owner, Instance):
        assert isinstance(base, Ref)
        method = find_method(run, base, "__getitem__")
        if owner.cls is Group and isinstance(index_node, gast.Slice):
            return subscript(run, inline_library(run, items_of, [base], {}), index_node)
        if issubclass(owner.cls, Table) and runs_over(run, owner):
            method = find_method(run, base, "old_item")
        if method is not None:
            return call_value(run, method, [index_of_method(run, index_node)], {})
    position = as_index(run, passively(run, index_node))
    key = static(position)
    if key is NO:
        return subscript_unknown(run, base, position, index_node)
    try:
        if isinstance(base, Tup):
            return base.items[int(key)]
        if isinstance(base, Known):
            if base.expr is None:
                value = base.value[key]
                return from_python(run, value, expression(run, Known(value)))
            value, place = base.ask(Look.PART, key)  # read at run time: what a container holds may change
            expr = gast.Subscript(expression(run, base), expression(run, position), gast.Load())
            return from_python(run, value, expr, place=place)
        assert isinstance(base, Ref)
        obj = run.state.heap[base.id]
        if not isinstance(obj, (ListObj, DictObj)):
            if isinstance(obj, Instance):
                check_stand_in(run, obj.cls)
            run.refuse("objects of this class have no items", "read an attribute, or call a method")
        if isinstance(obj, DictObj) and obj.factory is not None and key not in obj.items:
            made = hold(run, call_value(run, obj.factory, [], {}))
            obj = run.state.heap[base.id]  # (paths may have joined)
            assert isinstance(obj, DictObj)
            obj.items[key] = made
            container_changed(run, obj)
        return obj.items[key]
    except (KeyError, IndexError, TypeError) as error:
        cls = getattr(run.state.heap[base.id], "cls", dict) if isinstance(base, Ref) else dict
        if issubclass(cls, collections.defaultdict):
            run.refuse(f"the item {key!r} of a defaultdict is made where it is read", ways.KEYS_BEFORE)
        if isinstance(base, Ref) and run.loops and isinstance(obj := run.state.heap[base.id], ListObj):
            make_dynamic(run, obj)  # in a later turn there may be one
        run.refuse(f"there is no item {key!r} here", ways.CORRECT, raises=error)


def subscript_unknown(run: Run, base: Value, position: Value, index_node: Any) -> Value:
    if isinstance(base, (Ref, Tup)):  # of which the item may be changed
        obj = run.state.heap[base.id] if isinstance(base, Ref) else None
        items = contents(obj).values() if obj is not None else base.items  # type: ignore[union-attr]
        if any(isinstance(v, Known) and is_set(v.value) for v in items):
            sets_of_the_run(run)
        for item in items:
            check_operators_of(run, item)
        shared = shared_item(run, base, position)
        if shared is not None:
            return shared
    if isinstance(base, Ref):
        obj = run.state.heap[base.id]
        table = obj if isinstance(obj, DictObj) and may_be_functions(list(obj.items.values())) else None
        if table is not None and can_choose(run, table, position):
            return chosen_item(run, table, leaf_of(run, hold(run, position)))
        if isinstance(obj, ListObj) and obj.held and obj.site is None and obj.items:
            unroll_a_loop(run)
            return subscript(run, listed_again(run, obj.items, index_node), index_node)
        if isinstance(obj, ListObj) and run.decisions.lists_chosen and are_arrays(run, obj.items):
            return chosen_array(run, obj.items, leaf_of(run, hold(run, position)))
        if isinstance(obj, ListObj):
            return item_of_dynamic(run, obj)
        if isinstance(obj, DictObj) and (is_varied(run, base) or not textual(run, base) or obj.factory is not None):
            if can_choose(run, obj, position):
                return chosen_item(run, obj, leaf_of(run, hold(run, position)))
            run_time_dict(run, obj)
        elif isinstance(obj, DictObj):
            made_anew = obj.expr is None or is_stirred(run, obj)
            if made_anew and any(isinstance(v, Ref) for v in obj.items.values()):
                run_time_dict(run, obj)  # of which the item may be changed
                run.refuse("a dict of lists that change is asked for a key that is not known", ways.KEYS)
            item = gast.Subscript(expression(run, base), expression(run, position), gast.Load())
            if issubclass(obj.cls, collections.defaultdict):  # the caller's
                item.makes_item = True
                return define(run, "item", item, infer_kind(run, item))
            return nested(run, item)
        run.refuse("a key that is not known at derivation into a dict of active values", ways.KEYS, concrete=True)
    if isinstance(base, Tup):
        if not is_varied(run, base) and not any(isinstance(v, Ref) for v in base.items):
            return nested(run, gast.Subscript(expression(run, base), expression(run, position), gast.Load()))
        for obj in (run.state.heap[v.id] for v in base.items if isinstance(v, Ref)):
            if isinstance(obj, DictObj):
                run_time_dict(run, obj)  # which may be changed where it stands in the list
        return subscript(run, listed_again(run, list(base.items), index_node), index_node)
    assert isinstance(base, Known)
    whole = isinstance(position, Leaf) and isinstance(position.kind, Number) and position.kind.type is int
    form = form_of_rows(run, base) if whole and not run.text_only else None
    if form is not None:
        return row_at(run, base, form, position)
    plain = isinstance(base.value, (dict, list, tuple, str, np.ndarray))
    if is_varied(run, position) and not run.passive and not plain:
        return joined_by_index(run, base, index_node)
    item = nested(run, gast.Subscript(expression(run, base), expression(run, position), gast.Load()))
    held = base.value.values() if isinstance(base.value, dict) else base.value
    if plain and isinstance(item.kind, Unknown) and not isinstance(held, (str, np.ndarray)):
        # an object says itself what operators mean
        classes = {type(v) for v in held if not callable_builtin(v) and not is_number_or_container(v)}
        if classes:
            return Leaf(item.expr, Object(classes.pop()), nested=True)
    return item


def shared_item(run: Run, base: Ref | Tup, position: Value) -> Value | None:
    """The item at a place that only the run knows, where all places hold one container; None for other items.

    h = [c, c]              h = [(0, c), (1, c)]
    h[k] is c               h[k] is (range(2)[k], c)

    That there is such a place is asked in the run.
    """
    obj = run.state.heap[base.id] if isinstance(base, Ref) else None
    items = base.items if isinstance(base, Tup) else tuple(contents(obj).values()) if obj is not None else ()
    known = isinstance(position, Leaf) and not is_varied(run, position) and not isinstance(obj, Instance)
    if not known or not is_one_container(run, items):
        return None
    if isinstance(obj, DictObj):
        plain = obj.factory is None and all(type(k) in (str, int) for k in obj.items)
        if not plain or isinstance(items[0], Tup):
            return None
        check_there(run, list(obj.items), leaf_of(run, hold(run, position)))
        return items[0]
    kind = kind_of(run, position)
    if not isinstance(kind, Number) or not is_whole(kind.type):
        return None
    places = quote(f"range({len(items)})[k]", k=expression(run, position))
    return part_of_all(run, items, define(run, "place", places, Number(int)).expr)


def part_of_all(run: Run, items: Sequence[Value], place: Expr) -> Value:
    """What stands at a place of several values, of which `is_one_container` holds."""
    first = items[0]
    if isinstance(first, Tup):
        parts = zip(*(v.items for v in items if isinstance(v, Tup)), strict=True)
        return Tup(tuple(part_of_all(run, p, place) for p in parts), first.cls)
    if not is_one_container(run, items):
        numbers = gast.Tuple([gast.Constant(static(v), None) for v in items], gast.Load())
        return nested(run, gast.Subscript(numbers, clone(place), gast.Load()))
    return first


def listed_again(run: Run, items: list[Value], node: Any) -> Leaf:
    """Values that are known one by one, in a list that can be indexed by a variable."""
    site = run.site(node)
    run.decisions.dynamic.setdefault(site, None)  # type: ignore[arg-type]
    return dynamic_list(run, site, items)


def can_choose(run: Run, obj: DictObj, position: Value) -> bool:
    """Can an item of a dict be had by a branch for each key?"""
    if obj.factory is not None or not 0 < len(obj.items) <= LARGEST_CHOICE or is_varied(run, position):
        return False
    plain = all(
        isinstance(k, (str, int, enum.Enum)) and not isinstance(class_entry(type(k), "__eq__"), types.FunctionType)
        for k in obj.items
    )
    items = list(obj.items.values())
    alike = all(isinstance(v, Leaf) for v in items) or may_be_functions(items)
    return plain and isinstance(position, Leaf) and alike


def chosen_item(run: Run, obj: DictObj, key: Leaf) -> Value:
    """The item of a dict under a key that is known when the program runs only: a branch for each key."""
    *some, last = obj.items
    check_there(run, list(obj.items), key)

    def one_of(keys: list[Any]) -> Value:
        if not keys:
            return obj.items[last]
        test = gast.Compare(expression(run, key), [gast.Eq()], [gast.Constant(keys[0], None)])
        return choose(run, test, lambda: obj.items[keys[0]], lambda: one_of(keys[1:]))

    return one_of(some)


def check_there(run: Run, keys: list[Any], key: Leaf) -> None:
    """Ask in the run whether a key is one of these."""
    known = gast.Tuple([gast.Constant(k, None) for k in keys], gast.Load())
    error = gast.Call(load("KeyError"), [expression(run, key)], [])
    test = gast.Compare(expression(run, key), [gast.NotIn()], [known])
    write(run, gast.If(test, [gast.Raise(error, None)], []))


def are_arrays(run: Run, items: list[Value]) -> bool:
    """Are these few enough, and arrays all of them, so that one is had by a branch for each?"""
    arrays = all(isinstance(v, Leaf) and isinstance(v.kind, Array) for v in items)
    return arrays and 0 < len(items) <= LARGEST_CHOICE


def chosen_array(run: Run, items: list[Value], position: Leaf) -> Value:
    """The array at a position that is known when the program runs only: a branch for each."""
    # this raises where there is no such position, as the list does
    places = quote(f"range({len(items)})[k]", k=expression(run, position))
    place = define(run, "place", places, Number(int)).expr

    def one_of(first: int) -> Value:
        if first == len(items) - 1:
            return items[first]
        test = gast.Compare(clone(place), [gast.Eq()], [gast.Constant(first, None)])
        return choose(run, test, lambda: items[first], lambda: one_of(first + 1))

    return one_of(0)


def joined_by_index(run: Run, base: Known, index_node: Any) -> Value:
    """np.r_[a, b] and np.c_[a, b] of numbers and arrays."""
    parts = index_node.elts if isinstance(index_node, gast.Tuple) else [index_node]
    if base.value not in (np.r_, np.c_) or any(isinstance(p, gast.Slice) for p in parts):
        run.refuse(
            f"an object of class {type(base.value).__name__} is indexed with active values",
            ways.FUNCTION,
        )
    items = [hold(run, evaluate(run, p)) for p in parts]
    if any(isinstance(static(v), str) for v in items):
        run.refuse("np.r_ and np.c_ with directives", "use np.concatenate, np.hstack or np.column_stack")
    joined = np.column_stack if base.value is np.c_ else np.hstack
    return call_value(run, Known(joined), [new_list(run, items)], {})


@lowers(gast.Slice)
def slice_expression(run: Run, node: Any) -> Value:
    return Leaf(index_expression(run, node), Unknown(), nested=True)


def slice_of_list(run: Run, lst: Value, node: Any) -> Value:
    """A slice of a run-time list with active items."""
    count = gast.Call(load("len"), [expression(run, lst)], [])
    places = gast.Subscript(gast.Call(load("range"), [count], []), index_expression(run, node), gast.Load())
    positions = define(run, "places", places, ListOf(Number(int)))
    return inline_library(run, _taken_at, [lst, positions], {})


def _taken_at(items: Any, places: Any) -> Any:
    out = []
    for k in places:
        out.append(items[k])
    return out
