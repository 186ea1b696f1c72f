"""All items of an iterable at once, where they are known while lowering."""

from __future__ import annotations

import functools
import itertools
import types
from typing import Any

import gast

from s2sad.core import atom_key, clone, walk
from s2sad.frontend import ways
from s2sad.kinds.kind import Array, Dim, ListOf, Number
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.query import is_float_kind
from s2sad.normal import above
from s2sad.normal.above import by_its_iter, by_position, call_value, inline_library, straight, with_source
from s2sad.normal.calls import library
from s2sad.normal.changing import container_changed
from s2sad.normal.desugar.generators import is_plain
from s2sad.normal.desugar.in_steps import is_asked_in_steps, keeps_its_length, parts_of_generator
from s2sad.normal.expressions.atoms import make_closure
from s2sad.normal.expressions.operators import rows
from s2sad.normal.expressions.subscripts import subscript
from s2sad.normal.iteration.asking import (
    allocate,
    as_tuple,
    asked_source,
    is_asked,
    is_list,
    is_static_iterable,
    iterator_of,
    iterators_of,
    known_items,
    known_range,
    made_at,
    materialized,
    only_takes,
    over_list,
    what_is_left,
)
from s2sad.normal.iteration.iterators import (
    END,
    SILENT,
    WITH_PEEK,
    Back,
    BackOfDeque,
    BackOfList,
    Behind,
    Chained,
    Chosen,
    Counted,
    InTurns,
    LeftOut,
    Mapped,
    Neighbours,
    OneMore,
    Pairs,
    Sieved,
    Sliced,
    Starred,
    Summed,
    SummedUp,
    While,
)
from s2sad.normal.iteration.watching import raising_in_turns
from s2sad.normal.learning import unroll_a_loop
from s2sad.normal.names import hold
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import DictObj, Instance, Known, Lazy, Leaf, ListObj, Ref, Tup, Value, is_none
from s2sad.normal.values.classes import find_method, static
from s2sad.normal.values.facts import kind_of
from s2sad.normal.values.making import ask_in_steps, constant, expression, note_run
from s2sad.normal.values.questions import UNROLL, ByPosition, Opaque
from s2sad.normal.words import RUN_AGAIN
from s2sad.normal.writing import fresh, there

#: iterators that give items as they are, by a test of each, where they are followed item by item
OF_TESTS: dict[Any, type] = {
    filter: Chosen,
    itertools.filterfalse: LeftOut,
    itertools.takewhile: While,
    itertools.dropwhile: Behind,
}


def instance_by_position(run: Run, value: Ref) -> list[Value] | ByPosition | Opaque:
    """An object of the user's: by its __iter__, or by __len__ and __getitem__."""
    found = by_its_iter(run, value)
    if found is not value:
        return by_position(run, found)
    item, size = find_method(run, value, "__getitem__"), find_method(run, value, "__len__")
    if item is None or size is None:
        run.refuse("this object cannot be iterated over", "loop over one of its attributes")
    length = call_value(run, size, [], {})
    count = static(length)
    if isinstance(count, int) and count <= UNROLL:
        return [hold(run, call_value(run, item, [constant(run, k)], {})) for k in range(count)]
    return ByPosition(expression(run, hold(run, length)), lambda position: call_value(run, item, [position], {}))


@above.iterate_static.answer
def iterate_static(run: Run, value: Value) -> list[Value]:
    """The items of a value where they are known one by one; refused where not."""
    value = there(run, value)
    if isinstance(value, Tup):
        return list(value.items)
    if isinstance(value, Ref):
        obj = run.state.heap[value.id]
        if isinstance(obj, ListObj):
            items = list(obj.items)
            fresh(run, obj)
            if obj.once:
                if (obj.spent or note_run(run, value.id)) and not run.text_only:
                    ask_in_steps(run, made_at(run, value))
                    run.refuse(*RUN_AGAIN)
                obj.items, obj.spent = [], True
                container_changed(run, obj)
            return items
        if isinstance(obj, DictObj):
            return [constant(run, k) for k in obj.items]
        turns = instance_by_position(run, value)
        if isinstance(turns, list):
            return turns
    if isinstance(value, Known):
        return known_items(run, value)
    if isinstance(value, Lazy):
        compute = functools.partial(computed_items, run, value)
        # (a handler goes on with what was done with the items before the one that raises)
        computed = raising_in_turns(run, compute) if run.attempts else compute()
        if computed is not None:
            return computed
    if isinstance(value, Leaf) and isinstance(value.kind, Array) and value.kind.shape and value.kind.shape[0].known:
        count = value.kind.shape[0].const
        if count <= UNROLL:
            held = hold(run, value, "items")
            return [hold(run, subscript(run, held, gast.Constant(i, None))) for i in range(count)]
    if isinstance(value, Leaf) and isinstance(value.kind, (TupleKind, ListKind)):
        return [
            Leaf(
                gast.Subscript(clone(value.expr), gast.Constant(i, None), gast.Load()),
                k,
                value.varied and is_float_kind(k),
                nested=True,
            )
            for i, k in enumerate(value.kind.items)
        ]
    ask_in_steps(run, made_at(run, value))
    run.refuse("how many items this has is not known at derivation", ways.LOOP, concrete=True)


def computed_items(run: Run, value: Lazy) -> list[Value] | None:
    """The items of an iterator, where they are known one by one."""
    known = known_range(run, value)
    if known is not None and len(known) <= 256:
        return [constant(run, v) for v in known]
    turns = by_position(run, value) if value.function is not range else None
    if isinstance(turns, ByPosition) and turns.size is not None and turns.size.known and turns.size.const <= UNROLL:
        return [hold(run, straight(run, turns).item(constant_position(k))) for k in range(turns.size.const)]
    return turns if isinstance(turns, list) else None


def columns_of(run: Run, rows: Value, node: Any) -> Value | None:
    """`zip(*rows)` of a run-time list of tuples: the columns as run-time lists; None for other rows."""
    rows = what_is_left(run, rows) if is_asked(run, rows) else rows
    if is_static_iterable(run, rows) or (isinstance(rows, Leaf) and isinstance(rows.kind, Array)):
        return None
    table = materialized(run, rows)
    if not isinstance(table, Leaf) or not isinstance(table.kind, ListOf):
        return None
    item = table.kind.item
    if isinstance(item, (TupleKind, ListKind)):
        width = len(item.items)
    elif isinstance(item, Array) and item.shape and item.shape[0].known and item.shape[0].const <= UNROLL:
        width = item.shape[0].const
    else:
        unroll_a_loop(run, grown=True)
        run.refuse(
            "zip(*rows) of a run-time list of rows whose lengths are not known",
            "use the columns of an array: np.array(rows).T",
            node.args[0],
            concrete=True,
        )
    inline_library(run, library.check_rows, [table], {})
    together = {2: library.two_columns, 3: library.three_columns, 4: library.four_columns}.get(width)
    if together is not None:
        made = inline_library(run, together, [table], {})
        return allocate(run, ListObj([as_tuple(run, v) for v in iterate_static(run, made)], None, once=True))
    path, found = run.call_path, []
    for j in range(width):
        run.call_path = (*path, ("column", j))
        try:
            found.append(as_tuple(run, inline_library(run, library.column_of, [table, constant(run, j)], {})))
        finally:
            run.call_path = path
    return allocate(run, ListObj(found, None, once=True))


@above.can_be_asked_in_steps.answer
def can_be_asked_in_steps(run: Run, name: str, items: Value) -> bool:
    """May an iterator be what it runs over, and a position in it?"""
    if isinstance(items, Lazy):
        return items.function is range and is_asked_in_steps(run.frame.source.tree, name)
    kind, tree = kind_of(run, items), run.frame.source.tree
    if not isinstance(items, Leaf) or not isinstance(kind, (Array, ListOf)) or not is_asked_in_steps(tree, name):
        return False
    if isinstance(kind, Array):
        return kind.shape is not None and len(kind.shape) > 0
    made = getattr(getattr(run.node, "value", None), "args", None) or [None]
    return atom_key(items.expr) in run.lists.made_here and keeps_its_length(tree, made[0])


@above.stepping.answer
def stepping(run: Run, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    if function is itertools.chain and len(args) > 2:
        chained = stepping(run, function, args[:-1], {})
        return None if chained is None else stepping(run, function, [chained, args[-1]], {})
    if function is iter and len(args) == 1:
        return asked_source(run, args[0])
    if function is reversed:
        if is_list(run, args[0]) or isinstance(kind_of(run, args[0]), ListOf):
            return over_list(run, args[0], BackOfList, BackOfDeque)
        return iterator_of(run, Back, args) if isinstance(args[0], (Leaf, Tup)) else None
    if function is enumerate:
        first = args[1] if len(args) > 1 else kwargs.get("start", constant(run, 0))
        return iterator_of(run, Counted, [asked_source(run, args[0]), first])
    if function is zip and len(args) > 1 and not kwargs:
        return groups(run, args)
    if function is map and len(args) == 2:
        return iterator_of(run, Mapped, [args[0], asked_source(run, args[1])])
    if function is map and len(args) > 2:
        return iterator_of(run, Starred, [args[0], groups(run, args[1:])])
    if function is itertools.starmap:
        return iterator_of(run, Starred, [args[0], asked_source(run, args[1])])
    if function in OF_TESTS and not is_none(args[0]):
        source = asked_source(run, args[1])
        if source is not None and is_looked_at(run, source, args[0]):
            return iterator_of(run, OF_TESTS[function], [args[0], source])
        return iterator_of(run, Sieved, [args[0], source]) if function is filter else None
    if function == itertools.chain.from_iterable and isinstance(run.node.args[0], (gast.List, gast.Tuple)):
        return stepping(run, itertools.chain, iterate_static(run, args[0]), {})
    if function is itertools.chain and len(args) == 2:
        return iterator_of(run, Chained, [asked_source(run, v, SILENT) for v in args])
    if function is itertools.islice:
        bounds = [static(v) for v in args[1:]]
        start, stop = (bounds[0] or 0, bounds[1]) if len(bounds) == 2 else (0, bounds[0])
        if isinstance(start, int) and isinstance(stop, (int, type(None))) and len(bounds) < 3:
            stop = END if stop is None else stop
            kept = [constant(run, start), constant(run, stop)] if start <= stop else [None]
            return iterator_of(run, Sliced, [asked_source(run, args[0]), *kept])
    if function is itertools.pairwise:
        return iterator_of(run, Neighbours, [asked_source(run, args[0], SILENT)])
    if function is itertools.accumulate and len(args) == 1 and not kwargs:
        source = asked_source(run, args[0])
        return iterator_of(run, Summed if gives_numbers(run, source) else SummedUp, [source])
    return None


def is_looked_at(run: Run, source: Value, test: Value) -> bool:
    """Can a test look at an item before it is taken: does neither making it nor the test change anything?"""
    if asked_source(run, source, WITH_PEEK) is None:
        return False
    if isinstance(test, Known) and not isinstance(test.value, types.FunctionType):
        return isinstance(test.value, (type, types.BuiltinFunctionType)) and not hasattr(test.value, "__self__")
    function = with_source(run, test)
    if function is None or any(isinstance(n, gast.AugAssign) for n in walk(function.source.tree)):
        return False  # (q *= 2 may change the item)
    return is_plain(function.source.tree)


def gives_numbers(run: Run, source: Value | None) -> bool:
    """Does an iterator give the items of an array or a list of numbers as they are?"""
    obj = run.state.heap[source.id] if isinstance(source, Ref) else None
    if not isinstance(obj, Instance) or obj.cls not in WITH_PEEK:
        return False
    items = obj.attributes["items"]
    kind = kind_of(run, items)
    if isinstance(kind, Array):
        return kind.shape is not None and len(kind.shape) == 1 and kind.dtype.kind in "fc"
    if isinstance(kind, ListOf):
        return isinstance(kind.item, Number) and is_float_kind(kind.item)
    return is_list(run, items) and all(
        isinstance(k, Number) and is_float_kind(k) for k in (kind_of(run, v) for v in iterate_static(run, items))
    )


def groups(run: Run, values: list[Value]) -> Value | None:
    """zip of several."""
    *firsts, last = values
    if len(firsts) > 1:
        return iterator_of(run, OneMore, [groups(run, firsts), asked_source(run, last)])
    one, other = asked_source(run, firsts[0]), asked_source(run, last)
    if one is None or other is None:
        return None
    apart = not iterators_of(run, one) & iterators_of(run, other)
    silent = apart and only_takes(run, one) and asked_source(run, other, SILENT) is not None
    return iterator_of(run, Pairs if silent else InTurns, [one, other])


def generator_in_steps(run: Run, node: Any) -> Value | None:
    """A generator expression that is followed item by item, as map and filter."""
    parts = parts_of_generator(node)
    source = asked_source(run, rows(run, node.generators[0].iter)) if parts is not None else None
    if source is None or parts is None:
        return None
    item, test = parts
    if test is not None:
        asked = make_closure(run, test)
        source = iterator_of(run, Chosen if is_looked_at(run, source, asked) else Sieved, [asked, source])
    return iterator_of(run, Mapped, [make_closure(run, item), source])


def constant_position(k: int) -> Leaf:
    return Leaf(gast.Constant(k, None), Number(int, Dim.of(k)), const=k)
