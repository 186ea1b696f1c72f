"""What loops run over: values that are known one by one, or positions of a run-time iterable."""

from __future__ import annotations

import functools
import itertools
import operator
import types
from collections.abc import Callable as Function
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import gast
import numpy as np

from s2sad.core import Expr, atom_key, clone, load, walk
from s2sad.frontend import ways
from s2sad.frontend.diagnostics import DerivationError
from s2sad.kinds import dims
from s2sad.kinds.bind import own_meaning
from s2sad.kinds.kind import Array, Dict, Dim, Kind, ListOf, Number, Object, Static, Unknown
from s2sad.kinds.kind import List as ListKind
from s2sad.kinds.kind import Tuple as TupleKind
from s2sad.kinds.known import int_value
from s2sad.kinds.labelled import is_labelled, items_of_labelled, whole_kind
from s2sad.kinds.query import is_float_kind
from s2sad.normal import library
from s2sad.normal.base import RUN_AGAIN, Attempt, Changed, is_python_number, join_kinds, same_expr, timeless, tuple_of
from s2sad.normal.calls import Calls
from s2sad.normal.expressions import _NO, static
from s2sad.normal.generators import is_plain
from s2sad.normal.handlers import ENDLESS, ITERTOOLS, POOLS, itertool
from s2sad.normal.in_steps import is_asked_in_steps, keeps_its_length, parts_of_generator
from s2sad.normal.iterators import (
    END,
    SILENT,
    WITH_PEEK,
    Asked,
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
    Steps,
    StepsOfArray,
    StepsOfDeque,
    StepsOfList,
    Summed,
    SummedUp,
    While,
)
from s2sad.normal.values import (
    Choice,
    Closure,
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
    contents,
    is_none,
)
from s2sad.normal.watch import DICT_VIEWS, IN_TURNS, Ahead, reads
from s2sad.runtime.decide import Look

#: containers of up to so many items keep their known structure where nothing but their length speaks against it
UNROLL = 16
#: so many statements more than its body a loop may have when it is written out: the loop itself has as many
#: (a line for each sweep)
SHORTER = 2
#: so many functions a column of a table may hold for the run to choose from
ONE_OF = 4
#: iterators whose items are made while a loop runs
LAZY = {zip, enumerate, reversed, map, filter, iter}


#: iterators that give items as they are, by a test of each, where they are followed item by item
OF_TESTS: dict[Any, type] = {
    filter: Chosen,
    itertools.filterfalse: LeftOut,
    itertools.takewhile: While,
    itertools.dropwhile: Behind,
}
#: iterators that ask another one whether there is an item
TAKE_FROM_OTHERS = (Mapped, Starred, Summed, SummedUp, Counted, Chained)


@dataclass(frozen=True)
class OneOf(Unknown):
    """One of some functions: the run knows which."""

    functions: tuple[Any, ...]


@dataclass
class Run:
    """A run-time iterable by position: how many items there are, and the item at a position."""

    #: None where it never ends
    length: Expr | None
    item: Function[[Leaf], Value]
    size: Dim | None = None
    #: an iterable of ints that gives the items themselves
    header: Expr | None = None
    #: the least and the greatest of these items
    bounds: tuple[Dim, Dim] | None = None
    #: is the loop over the positions run backwards?
    backwards: bool = False


@dataclass
class Opaque:
    """A run-time iterable of which only the kind of its items is known; nothing in it is active."""

    expr: Expr
    kind: Kind


#: iterators that no list holds, and what to write instead
_ENDLESS: dict[Any, str] = {
    itertools.count: "count with an int of your own: k = k + 1",
    itertools.cycle: "use an index of your own: items[k % len(items)]",
    itertools.repeat: "use the value itself",
}


class Iteration(Calls):
    """Iterables of every form."""

    def run_of(self, value: Value) -> list[Value] | Run | Opaque:
        """How a loop over a value runs.

        Returns:
            the items where they are known one by one; else a Run, or an Opaque where nothing active is in it.
        """
        if isinstance(value, Lazy):
            return self.run_of_lazy(value)
        if isinstance(value, Leaf):
            return self.run_of_leaf(value)
        if isinstance(value, Known):
            held = value.itself
            if self.instance_of(value) is not None and (own := self.by_its_iter(value)) is not value:
                return self.run_of(own)
            if (rows := self.run_of_rows(value)) is not None:
                return rows
            if isinstance(held, range) or _plain_floats(held):
                items = list(value.ask(Look.KIND))
                if len(items) > (3 if _plain_floats(held) else UNROLL):
                    kind: Kind = ListOf(Number(type(items[0])))
                    return self.run_of_leaf(Leaf(self.expression(value), kind))
            elif isinstance(held, (set, frozenset, np.ndarray, dict)) or _long(held):
                return self.run_of_known(value)
        if isinstance(value, Ref):
            obj = self.state.heap[value.id]
            if isinstance(obj, Instance):
                return self.run_of_instance(value)
            if isinstance(obj, ListObj) and not obj.once and self.stays_loop(obj.items):
                self.make_dynamic(obj)
        if isinstance(value, Tup) and self.body_size and not self.program.turns_apart:
            whole = self.read_whole(value)
            if whole is not None and self.stays_loop(value.items):
                return self.run_of_leaf(whole)
        return self.iterate_static(value)

    def stays_loop(self, items: Sequence[Value]) -> bool:
        """Is a loop over items that are known one by one a loop in the output? Where they are of one kind, and where it
        is not shorter written out.

        for x in xs: t += x * x           with three items: t += xs[0] * xs[0], and so on; with four, the loop
        """
        return self.is_long(len(items)) and self.alike(list(items))

    def is_long(self, turns: int) -> bool:
        """Is a loop of so many turns longer written out? The policy for all loops whose turns could be told apart."""
        size = 0 if self.program.turns_apart else self.body_size
        if turns <= (1 + SHORTER // size if size else UNROLL):
            return False
        self.program.loops_kept = True
        return True

    def read_whole(self, value: Tup) -> Leaf | None:
        """The tuple of inactive numbers of one type that was passed, as what the run indexes; None for another one."""
        first = value.items[0] if value.items else None
        if not isinstance(first, Leaf) or not isinstance(first.expr, gast.Subscript):
            return None
        if not isinstance(first.kind, Number):
            return None
        whole = first.expr.value
        for k, item in enumerate(value.items):
            at = gast.Subscript(whole, gast.Constant(k, None), gast.Load())
            if not isinstance(item, Leaf) or item.varied or not isinstance(item.kind, Number):
                return None
            if item.kind.type is not first.kind.type or not same_expr(item.expr, at):
                return None
        kind = self.infer(whole)
        if not isinstance(kind, TupleKind) or len(kind.items) != len(value.items):
            return None
        return Leaf(clone(whole), ListOf(timeless(first.kind)))

    def run_of_rows(self, value: Known) -> Run | None:
        """A loop over a table whose rows are of one form; None for another one, or where it is shorter written out.

        TABLE = [(0.5, 1.0), (0.2, 2.0), (0.1, 3.0), (0.4, 5.0)]
        for a, w in TABLE: ...
        """
        table, apart = value.itself, self.program.turns_apart or not self.body_size
        if apart or type(table) not in (list, tuple) or not self.is_long(len(table)):
            return None
        form = self.form_of_rows(value)
        if form is None:
            return None
        length = gast.Call(load("len"), [clone(value.expr)], [])
        return Run(length, lambda position: self.row_at(value, form, position), Dim.of(len(table)))

    def form_of_rows(self, table: Known) -> Kind | None:
        """The kind of each row of a table that is read where it stands; None for what is none, or has rows of several
        kinds."""
        rows = table.itself
        if table.expr is None or type(rows) not in (list, tuple) or not rows or not isinstance(rows[0], tuple):
            return None
        form = row_kind(rows)
        if form is not None:
            table.ask(Look.KIND)
        return form

    def row_at(self, table: Known, form: Kind, position: Value) -> Value:
        """The row of a table at a position that the run knows."""
        one = gast.Subscript(clone(table.expr), self.expression(position), gast.Load())
        return self.of_table(form, self.define("row", one, form).expr)

    def of_table(self, kind: Kind, expr: Expr) -> Value:
        """A part of a table outside of the function, which is read as it is."""
        if isinstance(kind, Static):
            return Known(kind.value)
        if isinstance(kind, OneOf):
            *others, last = map(Known, kind.functions)
            chosen: Value = last
            for one in reversed(others):
                test = gast.Compare(clone(expr), [gast.Is()], [self.expression(one)])
                chosen = Choice(Leaf(test, Number(bool), nested=True), one, chosen)
            return chosen
        if isinstance(kind, TupleKind):
            names = getattr(kind.cls, "_fields", None)
            parts: list[Expr] = (
                [gast.Attribute(clone(expr), name, gast.Load()) for name in names]
                if names is not None
                else [gast.Subscript(clone(expr), gast.Constant(k, None), gast.Load()) for k in range(len(kind.items))]
            )
            return Tup(tuple(map(self.of_table, kind.items, parts)), kind.cls)
        if isinstance(kind, Dict):
            entries = {
                key: self.of_table(part, gast.Subscript(clone(expr), gast.Constant(key, None), gast.Load()))
                for key, part in kind.items
            }
            return self.allocate(DictObj(entries, self.site(self.node), clone(expr), outside=True))
        return Leaf(expr, kind)

    def run_of_known(self, value: Known) -> list[Value] | Run | Opaque:
        if isinstance(value.value, (set, frozenset)):
            items = list(value.value)
            if len(items) < 2:
                return self.iterate_static(value)  # else the order is the set's
            alike = len({type(v) for v in items}) == 1 and is_python_number(items[0])
            return Opaque(self.expression(value), Number(type(items[0])) if alike else Unknown())
        if isinstance(value.value, (list, tuple)) and all(type(v) is type(value.value[0]) for v in value.value):
            first = value.value[0]
            if is_python_number(first) and not isinstance(first, (bool, complex)):
                return self.run_of_leaf(Leaf(self.expression(value), ListOf(Number(type(first)))))
        return self.iterate_static(value)

    def run_of_instance(self, value: Ref) -> list[Value] | Run | Opaque:
        """An object of the user's: by its __iter__, or by __len__ and __getitem__."""
        found = self.by_its_iter(value)
        if found is not value:
            return self.run_of(found)
        item, size = self.find_method(value, "__getitem__"), self.find_method(value, "__len__")
        if item is None or size is None:
            self.refuse("this object cannot be iterated over", "loop over one of its attributes")
        length = self.call_value(size, [], {})
        count = static(length)
        if isinstance(count, int) and count <= UNROLL:
            return [self.held(self.call_value(item, [self._constant(k)], {})) for k in range(count)]
        return Run(self.expression(self.held(length)), lambda position: self.call_value(item, [position], {}))

    def by_its_iter(self, value: Value, looked_into: bool = False) -> Value:
        """What an object's __iter__ gives; other values as they are. `looked_into`: it is no call that stays one."""
        method = self.find_method(value, "__iter__") if self.instance_of(value) is not None else None
        if method is None:
            return value
        self.asked_by_loop += 1  # nobody else gets the iterator
        try:
            inner = method.function if looked_into and isinstance(method, Method) else None
            if isinstance(inner, Known) and inner.is_a(types.FunctionType):
                found = self.inline_function(inner.value, [value], {})
            else:
                found = self.call_value(method, [], {})
        finally:
            self.asked_by_loop -= 1
        if isinstance(found, Ref) and self.find_method(found, "__next__") is not None:
            self.refuse("an iterator with a __next__ of its own", "give it a method that returns a list")
        return found

    def run_of_leaf(self, leaf: Leaf) -> list[Value] | Run | Opaque:
        kind = leaf.kind
        numbers = [k.type for k in kind.items if isinstance(k, Number)] if isinstance(kind, ListKind) else []
        if isinstance(kind, ListKind) and len(numbers) == len(kind.items) and len(set(numbers)) == 1:
            kind = ListOf(Number(numbers[0]))
            leaf = replace(leaf, kind=kind)
        if isinstance(kind, (TupleKind, ListKind)):
            return self.iterate_static(self.held(leaf, "items"))
        if isinstance(kind, (Array, ListOf)) or (isinstance(kind, Unknown) and leaf.varied):
            held = self.held(leaf, "items")
            assert isinstance(held, Leaf)
            held = self.items_listed(held)
            size = kind.shape[0] if isinstance(kind, Array) and kind.shape else None
            if isinstance(kind, ListOf):
                self.looked_up_before(atom_key(held.expr), self.lists_resized)
            length = gast.Call(load("len"), [clone(held.expr)], [])
            return Run(length, lambda position: self.item_at(held, position), size)
        if isinstance(kind, Unknown):
            return Opaque(self.expression(self.held(leaf, "items")), Unknown())
        if isinstance(kind, Object) and is_labelled(kind.cls):
            return self.run_of_labelled(leaf, kind)
        self.refuse("this cannot be iterated over", "loop over a range, an array or a list")

    def run_of_labelled(self, leaf: Leaf, kind: Object) -> list[Value] | Run | Opaque:
        """A series by the array of its values; of a table, its rows or the names of its columns."""
        whole = whole_kind(kind)
        if isinstance(whole, Array) and whole.shape is not None and len(whole.shape) == 1:
            values = gast.Call(gast.Attribute(self.expression(leaf), "to_numpy", gast.Load()), [], [])
            return self.run_of_leaf(Leaf(values, whole, nested=True))
        call = leaf.expr if isinstance(leaf.expr, gast.Call) else self.given_above(leaf.expr)
        items: Kind = Unknown()
        if isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute):
            table = self.infer(call.func.value)
            items = items_of_labelled(table if isinstance(table, Object) else kind, call.func.attr)
        return Opaque(self.expression(self.held(leaf, "items")), items)

    def given_above(self, name: Expr) -> Expr | None:
        """What a name was given by the statement above."""
        last = self.block[-1] if self.block else None
        given = isinstance(last, gast.Assign) and isinstance(name, gast.Name)
        return last.value if given and last.targets[0].id == name.id else None  # type: ignore[union-attr]

    def run_of_lazy(self, value: Lazy) -> list[Value] | Run | Opaque:
        function, args, kwargs = value.function, list(value.args), dict(value.kwargs)
        if function is range:
            return self.run_of_range(value)
        self.run_through(value)
        if function is iter:
            return self.run_of(args[0])
        if function in DICT_VIEWS:
            obj = self.state.heap[args[0].id]  # type: ignore[attr-defined]
            assert isinstance(obj, DictObj)
            return [v if function is dict.values else Tup((self._constant(k), v)) for k, v in obj.items.items()]
        if function is reversed:
            return self.run_reversed(args[0])
        if function is enumerate:
            start = args[1] if len(args) > 1 else kwargs.get("start", self._constant(0))
            return self.run_enumerate(args[0], start)
        if function is zip:
            return self.run_zip(args, static(kwargs["strict"]) is True if "strict" in kwargs else False)
        if function is map:
            mark = len(self.ahead)
            group = self.run_zip(args[1:], False)
            if isinstance(group, list):
                return self.ahead_of(lambda: self.all_mapped(args[0], group, self.ahead[mark:], args[1:]), value)
            if isinstance(group, Run):
                return self.run_mapped(args[0], group)
        if function in ENDLESS or (function is itertools.repeat and len(args) == 1):
            return self.run_endless(value)
        if function is itertools.pairwise:
            return self.run_pairwise(args[0])
        if function in POOLS:
            return self.run_of(self.materialized(value))
        return self.run_of(self.ahead_of(lambda: self.materialized(value), value))

    def run_mapped(self, function: Value, group: Run) -> Run:
        """What map gives, each item when its turn comes."""
        return Run(group.length, lambda p: self.mapped(function, group.item(p)), group.size)

    def mapped(self, function: Value, group: Value) -> Value:
        return self.call_value(function, list(_items(group)), {})

    def all_mapped(
        self, function: Value, groups: list[Value], runs: list[Ahead], sources: Sequence[Value]
    ) -> list[Value]:
        """What map gives for items that are known one by one."""

        def items() -> list[Value]:
            return self.run_over(sources, lambda: [self.held(self.mapped(function, g)) for g in groups])

        found = self.alongside(runs, items)
        self.check_ahead(runs)
        return found

    def pooled(self, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Lazy:
        """product(...) and the like: they take all items here, which are written out where they are run through."""
        if not self.text_only:
            args = [v if only_looks(v) else self.held(self.materialized(v)) for v in map(self.what_is_left, args)]
        made = self.lazy(function, args, kwargs)
        assert isinstance(made, Lazy)
        _, watch = self.watch(lambda: None)
        for part in self.sources(made)[1]:
            self.note_read(watch, part)
        return replace(made, watch=watch)

    def saved(self, value: Value) -> Value:
        """What an iterator runs over that keeps items for later turns: they are those of the turn in which they were
        first asked for, so they must stay what they are now."""
        make = (lambda: value) if only_looks(value) else (lambda: self.materialized(value))
        return self.ahead_of(make, value)

    def run_endless(self, value: Lazy) -> Run:
        """count, cycle and repeat: runs without a length, for zip."""
        if value.function is itertools.repeat:
            return Run(None, lambda p: value.args[0])
        if value.function is itertools.count:
            start = value.args[0] if value.args else self._constant(0)
            step = value.args[1] if len(value.args) > 1 else self._constant(1)
            return Run(None, lambda p: self.binary(gast.Add, start, self.binary(gast.Mult, p, step)))
        inner = self.straight(self.run_of(self.saved(value.args[0])))

        def item(position: Leaf) -> Value:
            return inner.item(
                self.anchor(self.binary(gast.Mod, position, Leaf(inner.length, Number(int), nested=True)), "i")
            )

        return Run(None, item)

    def range_bounds(self, value: Lazy) -> tuple[Value, Value, Value]:
        args = value.args
        if len(args) == 1:
            return self._constant(0), args[0], self._constant(1)
        return args[0], args[1], args[2] if len(args) > 2 else self._constant(1)

    def known_range(self, value: Value) -> range | None:
        """The range whose bounds are all known."""
        if not isinstance(value, Lazy) or value.function is not range:
            return None
        bounds = [static(v) for v in value.args]
        return range(*bounds) if all(isinstance(b, (int, np.integer)) for b in bounds) else None

    def run_of_range(self, value: Lazy) -> list[Value] | Run | Opaque:
        start, stop, step = self.range_bounds(value)
        header = gast.Call(load("range"), [self.expression(v) for v in value.args], [])
        length = self.expression(stop) if len(value.args) == 1 else gast.Call(load("len"), [clone(header)], [])

        def item(position: Leaf) -> Value:
            moved = position if static(step) == 1 else self.binary(gast.Mult, position, step)
            return moved if static(start) == 0 else self.binary(gast.Add, start, moved)

        size = (
            stop.kind.value
            if len(value.args) == 1 and isinstance(stop, Leaf) and isinstance(stop.kind, Number)
            else None
        )
        return Run(length, item, size, header, self.least_and_greatest(start, stop, static(step)))

    def least_and_greatest(self, start: Value, stop: Value, step: Any) -> tuple[Dim, Dim] | None:
        """The least and the greatest number of a range (but for what its steps leave out at the end)."""
        first, end = (int_value(self.kind(v)) for v in (start, stop))
        if first is None or end is None or not isinstance(step, int) or step == 0:
            return None
        return (first, end - 1) if step > 0 else (end + 1, first)

    def run_reversed(self, value: Value) -> list[Value] | Run | Opaque:
        inner = self.run_of(value)
        if isinstance(inner, list):
            return inner[::-1]
        if isinstance(inner, Opaque):
            inner = self.listed(inner)
        if inner.header is not None:
            header = gast.Call(load("reversed"), [inner.header], [])
            item = lambda p: inner.item(self.from_end(inner, p))  # noqa: E731
            return Run(inner.length, item, inner.size, header, inner.bounds)
        return Run(inner.length, inner.item, inner.size, backwards=not inner.backwards)

    def from_end(self, run: Run, position: Leaf) -> Leaf:
        last = gast.BinOp(clone(run.length), gast.Sub(), gast.Constant(1, None))
        return Leaf(gast.BinOp(last, gast.Sub(), clone(position.expr)), Number(int), nested=True)

    def straight(self, run: list[Value] | Run | Opaque) -> Run:
        """A run whose positions go up, for what has several of them side by side."""
        if isinstance(run, list):
            return self.run_of_list(run)
        if isinstance(run, Opaque):
            return self.listed(run)
        if run.backwards:
            return Run(run.length, lambda p: run.item(self.from_end(run, p)), run.size)
        return run

    def listed(self, run: Opaque) -> Run:
        """Items that only a loop gives, in a list, so that they can be had in any order.

        They are those of now: what is run over must not change before the loop has ended.
        """
        root = self.memory_root(run.expr)
        if root is not None:
            self.looked_up_before(self.root_of(root), self.stores_made)
            self.looked_up_before(self.root_of(root), self.lists_changed)
        call = gast.Call(load("list"), [run.expr], [])
        found = self.run_of_leaf(self.define("items", call, ListOf(run.kind)))
        assert isinstance(found, Run)
        return found

    def looked_up_before(self, key: str, changes: list[str]) -> None:
        """A loop runs over what it found before its first turn: none of these changes may be made in its body."""
        self.listings.append((key, len(changes), changes))

    def run_of_list(self, items: list[Value]) -> Run:
        """Items known one by one, by a position that is not known."""
        site = self.site(self.node)
        self.decisions.dynamic.setdefault(site, None)  # type: ignore[arg-type]
        if not items or not self.alike(items):
            self.refuse(
                "a container of parts of different kinds runs beside an array",
                ways.LOOP,
                concrete=True,
            )
        lst = self.dynamic_list(site, items)
        found = self.run_of_leaf(lst)
        assert isinstance(found, Run)
        return Run(found.length, found.item, Dim.of(len(items)))

    def alike(self, items: list[Value]) -> bool:
        """Can the items be those of a run-time list?"""
        kinds = [timeless(self.kind(v)) for v in items]
        ranks = {len(k.shape) if isinstance(k, Array) and k.shape is not None else None for k in kinds}
        return (
            all(isinstance(v, Leaf) for v in items)
            and len({type(k) for k in kinds}) == 1
            and isinstance(kinds[0], (Number, Array))
            and len(ranks) == 1
        )

    def run_enumerate(self, value: Value, start: Value) -> list[Value] | Run | Opaque:
        inner = self.run_of(value)
        first = static(start)
        if isinstance(inner, list) and isinstance(first, int):
            return [Tup((self._constant(first + k), v)) for k, v in enumerate(inner)]
        start = self.held(start)
        run = self.straight(inner)

        def item(position: Leaf) -> Value:
            number = position if first == 0 else self.binary(gast.Add, position, start)
            return Tup((number, run.item(position)))

        return Run(run.length, item, run.size)

    def run_zip(self, values: list[Value], strict: bool) -> list[Value] | Run | Opaque:
        one = {v.id for v in values if isinstance(v, Ref) and getattr(self.state.heap[v.id], "once", False)}
        if len(one) < sum(isinstance(v, Ref) and v.id in one for v in values):  # zip(it, it): in turns
            keys = [v.id if isinstance(v, Ref) else -k for k, v in enumerate(values)]
            sources = {k: iter(self.iterate_static(v)) for k, v in dict(zip(keys, values, strict=True)).items()}
            return [Tup(tuple(group)) for group in zip(*(sources[k] for k in keys), strict=False)]
        mark = len(self.ahead)
        found = [self.run_of(v) for v in values]
        self.one_after_the_other(values, mark)
        lists = [r for r in found if isinstance(r, list)]
        endless = [isinstance(r, Run) and r.length is None for r in found]
        if lists and len(lists) + sum(endless) == len(found):
            count = min(len(r) for r in lists)
            found = [
                self.without_changes(functools.partial(self.first_of, v, count)) if e and isinstance(v, Lazy) else r
                for v, r, e in zip(values, found, endless, strict=True)
            ]
            lists = [r for r in found if isinstance(r, list)]
        if len(lists) == len(found):
            if strict and len({len(r) for r in lists}) > 1:
                self.refuse("zip(strict=True) of containers of different lengths raises a ValueError", ways.CORRECT)
            return [Tup(tuple(group)) for group in zip(*lists, strict=False)]
        if not strict and len(found) == 1 and isinstance(found[0], Opaque):
            self.refuse("zip of something that is not looked into", ways.LIST, concrete=True)
        shortest = min((len(r) for r in lists), default=None)
        if shortest == 0 and not strict:
            for value, run in zip(values, found, strict=True):
                if isinstance(run, Run) and not only_looks(value):  # which is asked for an item before there is none
                    self.without_changes(functools.partial(run.item, _position(0)), value)
            return []
        if shortest is not None and all(
            isinstance(r, list) or (isinstance(r, Run) and r.size is not None and r.size.known) for r in found
        ):
            sizes = [len(r) if isinstance(r, list) else r.size.const for r in found]  # type: ignore[union-attr]
            if min(sizes) <= UNROLL:
                if strict and len(set(sizes)) > 1:
                    self.refuse("zip(strict=True) of containers of different lengths raises a ValueError", ways.CORRECT)
                columns = [
                    r if isinstance(r, list) else self.first_in_run(v, self.straight(r), min(sizes))
                    for v, r in zip(values, found, strict=True)
                ]
                self.one_after_the_other(values, mark)
                return [Tup(tuple(group)) for group in zip(*columns, strict=False)]
        runs = [self.straight(r) for r in found]
        for k, run in enumerate(runs):
            if any(run.size is None or r.size != run.size for r in runs[k + 1 :] if r.length is not None):
                runs[k] = self.asked_once_more(values[k], run)
        ends = [r for r in runs if r.length is not None]
        if not ends:
            self.refuse("a loop over something that never ends", ways.LOOP)
        same = all(r.size is not None and r.size == ends[0].size for r in ends)
        if strict and not same:
            self.refuse("zip(strict=True) of lengths that are not known to agree", "check the lengths yourself")
        lengths = [clone(r.length) for r in ends]
        length = lengths[0] if same or len(lengths) == 1 else gast.Call(load("min"), lengths, [])
        return Run(length, lambda p: Tup(tuple(r.item(p) for r in runs)), ends[0].size if same else None)

    def one_after_the_other(self, values: list[Value], mark: int) -> None:
        """zip asks its iterators in turns, and those in front of the one that ends for one item more: here, all items
        of one are computed before the first of the next."""
        if len(values) > 1 and any(run.changes for run in self.ahead[mark:]):
            self.in_turns_of(*(run.watch.site for run in self.ahead[mark:]))

    def first_in_run(self, value: Value, run: Run, count: int) -> list[Value]:
        """The first items of a run."""

        def items() -> list[Value]:
            return [self.held(run.item(_position(k))) for k in range(count)]

        return items() if only_looks(value) else self.ahead_of(items, value)

    def asked_once_more(self, value: Value, run: Run) -> Run:
        """A run beside another one that may end first: it is asked for an item then that nobody gets."""
        if only_looks(value):
            return run
        return replace(run, item=lambda p: self.without_changes(lambda: run.item(p), value))

    def run_pairwise(self, value: Value) -> list[Value] | Run | Opaque:
        inner = self.run_of(self.saved(value))
        if isinstance(inner, list):
            held = [self.held(v) for v in inner]
            return [Tup(pair) for pair in itertools.pairwise(held)]
        run = self.straight(inner)
        length = gast.BinOp(clone(run.length), gast.Sub(), gast.Constant(1, None))

        def item(position: Leaf) -> Value:
            after = self.binary(gast.Add, position, self._constant(1))
            return Tup((run.item(position), run.item(self.held(after, "i"))))  # type: ignore[arg-type]

        return Run(length, item, None if run.size is None else run.size - 1)

    def item_at(self, leaf: Leaf, position: Leaf) -> Value:
        """The item of an array or run-time list at a position."""
        leaf = replace(leaf, varied=self.is_varied(leaf))
        if isinstance(leaf.kind, ListOf):
            return self.list_item(leaf, gast.Subscript(clone(leaf.expr), clone(position.expr), gast.Load()))
        return self.operation(
            operator.getitem, lambda args, _: gast.Subscript(args[0], clone(position.expr), gast.Load()), [leaf]
        )

    def slice_of_list(self, lst: Value, node: Any) -> Value:
        """A slice of a run-time list with active items."""
        count = gast.Call(load("len"), [self.expression(lst)], [])
        places = gast.Subscript(gast.Call(load("range"), [count], []), self.index(node), gast.Load())
        positions = self.define("places", places, ListOf(Number(int)))
        return self.inline_library(_taken_at, [lst, positions], {})

    def joined_lists(self, left: Value, right: Value) -> Value:
        """The sum of two lists of which one is a list at run time."""
        return self.inline_library(_joined_lists, [left, right], {})

    def picked(self, function: Any, source: Value, count: Value | None) -> Value:
        """combinations(source, count) and its kin, of items that only the run knows: their places are chosen in it."""
        items = self.indexable(source)
        kind = self.kind(items)
        numbers = isinstance(kind, ListOf) and isinstance(kind.item, Number) and not self.is_varied(items)
        pool = self.expression(items if numbers else self.call_value(Known(len), [items], {}))
        if not numbers:
            pool = gast.Call(load("range"), [pool], [])
        given = [] if count is None else [self.expression(count)]
        groups = gast.Call(load("list"), [gast.Call(self.expression(Known(function)), [pool, *given], [])], [])
        self.tuples_made = True
        made = self.define("groups", groups, ListOf(kind if numbers else ListOf(Number(int))))
        return made if numbers else self.inline_library(_picked, [items, made], {})

    # --- all items at once

    def iterate_static(self, value: Value) -> list[Value]:
        """The items of a value where they are known one by one; refused where not."""
        value = self.there(value)
        if isinstance(value, Tup):
            return list(value.items)
        if isinstance(value, Ref):
            obj = self.state.heap[value.id]
            if isinstance(obj, ListObj):
                items = list(obj.items)
                self.fresh(obj)
                if obj.once:
                    if (obj.spent or self.note_run(value.id)) and not self.text_only:
                        self.ask_in_steps(self.made_at(value))
                        self.refuse(*RUN_AGAIN)
                    obj.items, obj.spent = [], True
                    self.changed(obj)
                return items
            if isinstance(obj, DictObj):
                return [self._constant(k) for k in obj.items]
            run = self.run_of_instance(value)
            if isinstance(run, list):
                return run
        if isinstance(value, Known):
            return self.known_items(value)
        if isinstance(value, Lazy):
            compute = functools.partial(self.computed_items, value)
            # (a handler goes on with what was done with the items before the one that raises)
            computed = self.raising_in_turns(compute) if self.attempts else compute()
            if computed is not None:
                return computed
        if isinstance(value, Leaf) and isinstance(value.kind, Array) and value.kind.shape and value.kind.shape[0].known:
            count = value.kind.shape[0].const
            if count <= UNROLL:
                held = self.held(value, "items")
                return [self.held(self.subscript(held, gast.Constant(i, None))) for i in range(count)]
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
        self.ask_in_steps(self.made_at(value))
        self.refuse("how many items this has is not known at derivation", ways.LOOP, concrete=True)

    def computed_items(self, value: Lazy) -> list[Value] | None:
        """The items of an iterator, where they are known one by one."""
        known = self.known_range(value)
        if known is not None and len(known) <= 256:
            return [self._constant(v) for v in known]
        run = self.run_of(value) if value.function is not range else None
        if isinstance(run, Run) and run.size is not None and run.size.known and run.size.const <= UNROLL:
            return [self.held(self.straight(run).item(_position(k))) for k in range(run.size.const)]
        return run if isinstance(run, list) else None

    def known_items(self, value: Known) -> list[Value]:
        self.goes_by(value)
        if value.is_a(Changed) and value.ask(Look.LENGTH) > 1:
            self.sets_of_the_run()
        if self.instance_of(value) is not None:
            items = self.items_told(value)
            if items is not None:
                return items
            own = self.by_its_iter(value)
            if own is value:
                self.refuse("an object of a class without __iter__ is run through", ways.METHOD)
            return self.iterate_static(own)
        cls = value.cls
        if not hasattr(cls, "__iter__") and not hasattr(cls, "__getitem__"):
            self.refuse("this cannot be iterated over", "loop over a range, an array or a list")
        if value.expr is not None and value.cls in (list, tuple):
            parts = [value.ask(Look.PART, i) for i in range(value.ask(Look.LENGTH))]
            return [
                self.from_python(v, gast.Subscript(clone(value.expr), gast.Constant(i, None), gast.Load()), place=place)
                for i, (v, place) in enumerate(parts)
            ]
        items = list(value.value)
        return [self.from_python(v, self.expression(Known(v))) for v in items]

    def items_told(self, value: Known) -> list[Value] | None:
        """The items that an object's __iter__ gives, where its text tells them; None where it stays a call.

        Not where the object has a length of which it matters how often it is asked for: list() asks for that, too.
        """
        for name in ("__len__", "__length_hint__"):
            method = self.find_method(value, name)
            function = self.with_source(method) if method is not None else None
            if method is not None and (function is None or not is_plain(function.source.tree)):
                return None
        attempt, place = Attempt(self), (self.call_path, self.frame, self.node, self.origin)
        try:
            items = self.iterate_static(self.by_its_iter(value, looked_into=True))
        except DerivationError:
            self.call_path, self.frame, self.node, self.origin = place
            attempt.undo()
            return None
        attempt.keep()
        return items

    def columns(self, rows: Value, node: Any) -> Value | None:
        """`zip(*rows)` of a run-time list of tuples: the columns as run-time lists; None for other rows."""
        rows = self.what_is_left(rows) if self.is_asked(rows) else rows
        if self.is_static_iterable(rows) or (isinstance(rows, Leaf) and isinstance(rows.kind, Array)):
            return None
        table = self.materialized(rows)
        if not isinstance(table, Leaf) or not isinstance(table.kind, ListOf):
            return None
        item = table.kind.item
        if isinstance(item, (TupleKind, ListKind)):
            width = len(item.items)
        elif isinstance(item, Array) and item.shape and item.shape[0].known and item.shape[0].const <= UNROLL:
            width = item.shape[0].const
        else:
            self.unroll_a_loop(grown=True)
            self.refuse(
                "zip(*rows) of a run-time list of rows whose lengths are not known",
                "use the columns of an array: np.array(rows).T",
                node.args[0],
                concrete=True,
            )
        self.inline_library(library.check_rows, [table], {})
        together = {2: library.two_columns, 3: library.three_columns, 4: library.four_columns}.get(width)
        if together is not None:
            made = self.inline_library(together, [table], {})
            return self.allocate(ListObj(list(map(self.as_tuple, self.iterate_static(made))), None, once=True))
        path, found = self.call_path, []
        for j in range(width):
            self.call_path = (*path, ("column", j))
            try:
                found.append(self.as_tuple(self.inline_library(library.column_of, [table, self._constant(j)], {})))
            finally:
                self.call_path = path
        return self.allocate(ListObj(found, None, once=True))

    def is_static_iterable(self, value: Value) -> bool:
        """Are the items known one by one (a container, a short range with known bounds, zip of such ...)?"""
        value = tuple_of(value)
        if isinstance(value, (Tup, Known)):
            return True
        if isinstance(value, Ref):
            return not isinstance(self.state.heap[value.id], Instance)
        if isinstance(value, Lazy):
            if value.function is range:
                known = self.known_range(value)
                return known is not None and len(known) <= UNROLL
            parts = value.args[1:] if value.function in (map, filter) else value.args
            if value.function is enumerate:
                parts = parts[:1]
            if value.function == itertools.chain.from_iterable and self.is_static_iterable(parts[0]):
                parts = tuple(self.held_in(parts[0], 2)[1:])
            return bool(parts) and all(self.is_static_iterable(v) for v in parts)
        return isinstance(value, Leaf) and isinstance(value.kind, TupleKind)

    def materialized(self, value: Value) -> Value:
        """An iterable as a list: of known structure where it has one, else a list at run time."""
        if isinstance(value, Lazy) and value.function in DICT_VIEWS:
            return self.new_list([self.held(v) for v in self.iterate_static(value)])
        if isinstance(value, Lazy):
            self.run_through(value)
        if isinstance(value, Lazy) and value.function not in LAZY and value.function is not range:
            handler = ITERTOOLS.get(value.function)
            if handler is None:
                self.refuse(f"{value.function.__name__} of active values", ways.LOOP)
            self.check_watch(value.watch)
            return handler(self, list(value.args), dict(value.kwargs))  # type: ignore[no-any-return]
        if isinstance(value, Lazy) and value.function is filter:
            return self.filtered(*value.args)
        if isinstance(value, Leaf) and isinstance(value.kind, ListOf):
            return value
        if self.is_static_iterable(value) or (isinstance(value, Ref)):
            items = [self.held(v) for v in self.iterate_static(value)]
            return self.new_list(items)
        return self.inline_library(library.list_of, [value], {})

    def indexable(self, value: Value) -> Value:
        """The value itself where it can be indexed, else as a list."""
        return (
            value if isinstance(value, Leaf) and isinstance(value.kind, (Array, ListOf)) else self.materialized(value)
        )

    def filtered(self, function: Value, items: Value) -> Value:
        if is_none(function):
            return self.inline_library(_truthy, [items], {})
        return self.inline_library(_chosen, [function, items], {})

    def once(self, name: str, value: Lazy) -> Value:
        """An iterator gets a name: it may be run through once only."""
        if value.function in (range, slice, *DICT_VIEWS):
            return value
        if self.is_static_iterable(value):
            return self.giving_once(value)
        if reads(self.frame.source.tree, name) > 1:
            if value.function is iter and self.can_be_asked_in_steps(name, value.args[0]):
                return self.instantiate(Known(Steps), list(value.args), {})
            kind = self.kind(value.args[0]) if value.function is iter else None
            size = kind.shape[0] if isinstance(kind, Array) and kind.shape else None
            if size is not None and size.known and size.const <= UNROLL:
                return self.giving_once(value)
            self.ask_in_steps(value.site)
            way_out = _ENDLESS.get(value.function, ways.LIST)
            self.refuse(f"the iterator {name!r} is used in several places", way_out, concrete=size is not None)
        return value

    def can_be_asked_in_steps(self, name: str, items: Value) -> bool:
        """May an iterator be what it runs over, and a position in it?"""
        if isinstance(items, Lazy):
            return items.function is range and is_asked_in_steps(self.frame.source.tree, name)
        kind, tree = self.kind(items), self.frame.source.tree
        if not isinstance(items, Leaf) or not isinstance(kind, (Array, ListOf)) or not is_asked_in_steps(tree, name):
            return False
        if isinstance(kind, Array):
            return kind.shape is not None and len(kind.shape) > 0
        made = getattr(getattr(self.node, "value", None), "args", None) or [None]
        return atom_key(items.expr) in self.made_here and keeps_its_length(tree, made[0])

    def made_at(self, value: Value) -> Any:
        """The place where an iterator was made that is not followed item by item; None for other values."""
        if isinstance(value, Leaf):
            return self.watched[atom_key(value.expr)].site if self.is_generator(value) else None
        obj = self.state.heap[value.id] if isinstance(value, Ref) else value
        return getattr(obj.watch if isinstance(obj, ListObj) else obj, "site", None)

    def is_asked(self, value: Value) -> bool:
        """Is it an iterator that is followed item by item?"""
        obj = self.state.heap[value.id] if isinstance(value, Ref) else None
        return isinstance(obj, Instance) and issubclass(obj.cls, Asked)

    def item_by_item(self, function: Any, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value | None:
        """An iterator that is followed item by item: one of which somebody can tell when it computes its items, or that
        takes them from such a one. None where there is none like it."""
        asked = [v for v in args if self.is_asked(v)]
        if self.site(self.node) not in self.decisions.in_steps and not asked:
            return None
        made = self.stepping(function, list(args), kwargs)
        if made is None and asked:
            self.refuse(*IN_TURNS)
        return made

    def stepping(self, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
        if function is itertools.chain and len(args) > 2:
            chained = self.stepping(function, args[:-1], {})
            return None if chained is None else self.stepping(function, [chained, args[-1]], {})
        if function is iter and len(args) == 1:
            return self.asked_source(args[0])
        if function is reversed:
            if self.is_list(args[0]) or isinstance(self.kind(args[0]), ListOf):
                return self.over_list(args[0], BackOfList, BackOfDeque)
            return self.iterator_of(Back, args) if isinstance(args[0], (Leaf, Tup)) else None
        if function is enumerate:
            first = args[1] if len(args) > 1 else kwargs.get("start", self._constant(0))
            return self.iterator_of(Counted, [self.asked_source(args[0]), first])
        if function is zip and len(args) > 1 and not kwargs:
            return self.groups(args)
        if function is map and len(args) == 2:
            return self.iterator_of(Mapped, [args[0], self.asked_source(args[1])])
        if function is map and len(args) > 2:
            return self.iterator_of(Starred, [args[0], self.groups(args[1:])])
        if function is itertools.starmap:
            return self.iterator_of(Starred, [args[0], self.asked_source(args[1])])
        if function in OF_TESTS and not is_none(args[0]):
            source = self.asked_source(args[1])
            if source is not None and self.is_looked_at(source, args[0]):
                return self.iterator_of(OF_TESTS[function], [args[0], source])
            return self.iterator_of(Sieved, [args[0], source]) if function is filter else None
        if function == itertools.chain.from_iterable and isinstance(self.node.args[0], (gast.List, gast.Tuple)):
            return self.stepping(itertools.chain, self.iterate_static(args[0]), {})
        if function is itertools.chain and len(args) == 2:
            return self.iterator_of(Chained, [self.asked_source(v, SILENT) for v in args])
        if function is itertools.islice:
            bounds = [static(v) for v in args[1:]]
            start, stop = (bounds[0] or 0, bounds[1]) if len(bounds) == 2 else (0, bounds[0])
            if isinstance(start, int) and isinstance(stop, (int, type(None))) and len(bounds) < 3:
                stop = END if stop is None else stop
                kept = [self._constant(start), self._constant(stop)] if start <= stop else [None]
                return self.iterator_of(Sliced, [self.asked_source(args[0]), *kept])
        if function is itertools.pairwise:
            return self.iterator_of(Neighbours, [self.asked_source(args[0], SILENT)])
        if function is itertools.accumulate and len(args) == 1 and not kwargs:
            source = self.asked_source(args[0])
            return self.iterator_of(Summed if self.gives_numbers(source) else SummedUp, [source])
        return None

    def is_looked_at(self, source: Value, test: Value) -> bool:
        """Can a test look at an item before it is taken: does neither making it nor the test change anything?"""
        if self.asked_source(source, WITH_PEEK) is None:
            return False
        if isinstance(test, Known) and not isinstance(test.value, types.FunctionType):
            return isinstance(test.value, (type, types.BuiltinFunctionType)) and not hasattr(test.value, "__self__")
        function = self.with_source(test)
        if function is None or any(isinstance(n, gast.AugAssign) for n in walk(function.source.tree)):
            return False  # (q *= 2 may change the item)
        return is_plain(function.source.tree)

    def with_source(self, function: Value | None) -> Closure | None:
        raise NotImplementedError

    def gives_numbers(self, source: Value | None) -> bool:
        """Does an iterator give the items of an array or a list of numbers as they are?"""
        obj = self.state.heap[source.id] if isinstance(source, Ref) else None
        if not isinstance(obj, Instance) or obj.cls not in WITH_PEEK:
            return False
        items = obj.attributes["items"]
        kind = self.kind(items)
        if isinstance(kind, Array):
            return kind.shape is not None and len(kind.shape) == 1 and kind.dtype.kind in "fc"
        if isinstance(kind, ListOf):
            return isinstance(kind.item, Number) and is_float_kind(kind.item)
        return self.is_list(items) and all(
            isinstance(k, Number) and is_float_kind(k) for k in map(self.kind, self.iterate_static(items))
        )

    def groups(self, values: list[Value]) -> Value | None:
        """zip of several."""
        *firsts, last = values
        if len(firsts) > 1:
            return self.iterator_of(OneMore, [self.groups(firsts), self.asked_source(last)])
        one, other = self.asked_source(firsts[0]), self.asked_source(last)
        if one is None or other is None:
            return None
        apart = not self.iterators_of(one) & self.iterators_of(other)
        silent = apart and self.only_takes(one) and self.asked_source(other, SILENT) is not None
        return self.iterator_of(Pairs if silent else InTurns, [one, other])

    def only_takes(self, value: Value) -> bool:
        """Does an iterator give the items of arrays and lists as they are, so that taking one changes nothing else?"""
        own = self.iterators_of(value)
        return all(self.state.heap[ref].cls in (*WITH_PEEK, Counted, Chained) for ref in own)

    def iterators_of(self, value: Value) -> set[int]:
        """An iterator that is followed item by item, and those that it takes its items from."""
        if not isinstance(value, Ref) or not self.is_asked(value):
            return set()
        parts = contents(self.state.heap[value.id]).values()
        return {value.id}.union(*(self.iterators_of(part) for part in parts))

    def iterator_of(self, cls: type, given: Sequence[Value | None]) -> Value | None:
        """An iterator of what it is given, where it can be made of that."""
        return None if None in given else self.instantiate(Known(cls), list(given), {})  # type: ignore[arg-type]

    def is_list(self, value: Value) -> bool:
        obj = self.state.heap[value.id] if isinstance(value, Ref) else None
        return isinstance(obj, ListObj) and not obj.once

    def asked_source(self, value: Value, forms: tuple[type, ...] = (Asked,)) -> Value | None:
        """What an iterator that is followed takes its items from; None where that is of no form that is followed."""
        if self.is_asked(value):
            cls = self.state.heap[value.id].cls  # type: ignore[attr-defined]
            plain = issubclass(cls, forms) and (cls not in TAKE_FROM_OTHERS or self.all_silent(value, forms))
            return value if plain else None
        obj = self.state.heap[value.id] if isinstance(value, Ref) else None
        if isinstance(obj, ListObj) and obj.once:
            self.ask_in_steps(self.made_at(value))
            return None
        if isinstance(value, Lazy) and value.function is range:
            return self.instantiate(Known(StepsOfArray), [self.held(self.materialized(value))], {})
        if isinstance(value, Lazy):
            self.ask_in_steps(value.site)
            return None
        if isinstance(value, Leaf) and self.is_generator(value):
            self.ask_in_steps(self.made_at(value))
            return None
        if (isinstance(value, Leaf) and isinstance(value.kind, ListOf)) or isinstance(obj, ListObj):
            return self.over_list(value, StepsOfList, StepsOfDeque)
        array = isinstance(value, Leaf) and isinstance(value.kind, Array) and bool(value.kind.shape)
        if array or isinstance(value, Tup) or (isinstance(value, Known) and value.cls in (list, tuple)):
            return self.instantiate(Known(StepsOfArray), [value], {})
        return None

    def over_list(self, items: Value, of_list: type, of_deque: type) -> Value | None:
        """An iterator over a list or a deque; None where it is not known which of the two that is."""
        is_deque = self.is_deque(items)
        return None if is_deque is None else self.instantiate(Known(of_deque if is_deque else of_list), [items], {})

    def all_silent(self, value: Value, forms: tuple[type, ...]) -> bool:
        """Do the sources of an iterator say whether there is an item with nothing computed and changed, too?"""
        assert isinstance(value, Ref)
        sources = [v for v in contents(self.state.heap[value.id]).values() if self.is_asked(v)]
        return forms != SILENT or all(self.asked_source(v, forms) is not None for v in sources)

    def generator_in_steps(self, node: Any) -> Value | None:
        """A generator expression that is followed item by item, as map and filter."""
        parts = parts_of_generator(node)
        source = self.asked_source(self.rows(node.generators[0].iter)) if parts is not None else None
        if source is None or parts is None:
            return None
        item, test = parts
        if test is not None:
            asked = self.make_closure(test)
            source = self.iterator_of(Chosen if self.is_looked_at(source, asked) else Sieved, [asked, source])
        return self.iterator_of(Mapped, [self.make_closure(item), source])

    def giving_once(self, value: Lazy) -> Value:
        """The items of an iterator, as something that gives them once."""
        node = self.site(self.node)
        made, watch = self.watch_lazy(lambda: Tup(tuple(self.held(v) for v in self.iterate_static(value))), value)
        assert isinstance(made, Tup)
        watch.site = value.site
        return self.allocate(ListObj(list(made.items), node, None, True, watch=watch))

    def kept_iterator(self, value: Value, taken_apart: bool = False) -> Value:
        """What goes into a container or an attribute: an iterator gives its items once there, too.

        pairs = [iter(u)] * 2; zip(*pairs)        both are one iterator

        Args:
            taken_apart: into a tuple that may be unpacked at once.
        """
        if isinstance(value, Tup) and any(isinstance(v, Lazy | Tup) or self.is_generator(v) for v in value.items):
            return Tup(tuple(self.kept_iterator(v, taken_apart) for v in value.items), value.cls)
        if self.text_only:
            return value
        if isinstance(value, Lazy) and value.function not in (range, slice, *DICT_VIEWS):
            endless = value.function in ENDLESS or (value.function is iter and not self.is_static_iterable(value))
            if self.is_static_iterable(value) and not endless:
                return self.giving_once(value)
        else:
            endless = self.is_generator(value)
        if endless and not taken_apart:
            self.ask_in_steps(self.made_at(value))
            reason = "an iterator kept in a container, an object or a parameter: where it stands is not followed"
            self.refuse(reason, "keep the list and an index into it")
        return value

    def items_listed(self, leaf: Leaf) -> Leaf:
        """The items of what is a generator in the run, too, in a list: the backward sweep asks for them once more."""
        watch = self.watched.get(atom_key(leaf.expr))
        if watch is None or not watch.generator:
            return leaf
        return self.define("items", gast.Call(load("list"), [clone(leaf.expr)], []), leaf.kind)

    def is_generator(self, value: Value) -> bool:
        """Is it a generator, whose items are in a list at run time here?"""
        return isinstance(value, Leaf) and bool(self.watched) and atom_key(value.expr) in self.watched

    def what_is_left(self, value: Value) -> Value:
        """The items that an iterator has left, as a list: what lowers a call may look at them more than once.

        m = map(f, u); sorted(m)        a look for the keys and one for the items; a second look at m finds none
        """
        obj = self.state.heap[value.id] if isinstance(value, Ref) else None
        if self.is_asked(value):
            return self.by_its_iter(value)
        return self.materialized(value) if isinstance(obj, ListObj) and obj.once else value

    def slice_bounds(self, values: list[Value]) -> list[Value]:
        if len(values) == 1:
            return [self._constant(0), values[0], self._constant(1)]
        return [*values, self._constant(1)][:3]

    def first_of(self, value: Lazy, count: int) -> list[Value]:
        """The first items of an endless iterator."""
        if value.function is itertools.repeat:
            return [self.held(value.args[0])] * count
        if value.function is itertools.cycle:
            items = [self.held(v) for v in self.iterate_static(value.args[0])]
            return [items[k % len(items)] for k in range(count)]
        start = value.args[0] if value.args else self._constant(0)
        step = value.args[1] if len(value.args) > 1 else self._constant(1)
        out = [start]
        while len(out) < count:
            out.append(self.held(self.binary(gast.Add, out[-1], step)))
        return out[:count]


def _taken_at(items: Any, places: Any) -> Any:
    out = []
    for k in places:
        out.append(items[k])
    return out


def _joined_lists(left: Any, right: Any) -> Any:
    out = []
    for item in left:
        out.append(item)
    for item in right:
        out.append(item)
    return out


def _truthy(items: Any) -> Any:
    return [item for item in items if item]


def _chosen(function: Any, items: Any) -> Any:
    return [item for item in items if function(item)]


def only_looks(value: Value) -> bool:
    """May what a loop runs over be looked at again, with nothing computed a second time?"""
    if isinstance(value, Lazy):
        parts = (*value.args, *(v for _, v in value.kwargs))
        return value.function in (enumerate, zip, reversed, iter, range, *DICT_VIEWS) and all(map(only_looks, parts))
    return isinstance(value, (Ref, Leaf, Known, Tup))


def _items(value: Value) -> tuple[Value, ...]:
    return value.items if isinstance(value, Tup) else (value,)


def _position(k: int) -> Leaf:
    return Leaf(gast.Constant(k, None), Number(int, Dim.of(k)), const=k)


def row_kind(values: Sequence[Any]) -> Kind | None:
    """The kind that all of some values of a table have, as far as a loop over them may not know more; None where they
    are of different forms.

    >>> row_kind([(0.5, 2, "a"), (0.25, 3, "a")]).items[1:]
    (Number(type=<class 'int'>, value=None), Static(value='a'))
    >>> row_kind([(0.5, "a"), (0.25, "b")]), row_kind([(0.5,), (1, 2)])
    (None, None)
    """
    first = values[0]
    cls = type(first)
    if all(type(v) in (int, float) for v in values):
        kinds: list[Kind] = [Number(t) for t in dict.fromkeys(map(type, values))]
        return kinds[0] if len(kinds) == 1 else join_kinds(kinds[0], kinds[1], dims.fresh)
    if callable(first) and not isinstance(first, type):
        different = {id(v): v for v in values}
        # (one of the user's may be written into a module, and is another there)
        told = len(different) == 1 or all(isinstance(v, (types.BuiltinFunctionType, np.ufunc)) for v in values)
        return OneOf(tuple(different.values())) if told and len(different) <= ONE_OF else None
    if any(type(v) is not cls for v in values):
        return None
    if cls is bool:
        return Number(bool)
    if cls is str or first is None:
        return Static(first) if all(v == first for v in values) else None
    if isinstance(first, tuple):
        if any(len(v) != len(first) for v in values) or own_meaning(cls):
            return None
        parts = [row_kind(column) for column in zip(*values, strict=True)]
        return None if None in parts else TupleKind(tuple(p for p in parts if p is not None), cls)
    if cls is dict:
        if any(list(v) != list(first) for v in values) or not all(type(k) in (str, int) for k in first):
            return None
        entries = {k: row_kind([v[k] for v in values]) for k in first}
        return None if None in entries.values() else Dict(tuple((k, e) for k, e in entries.items() if e is not None))
    return None


def _plain_floats(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and all(type(v) is float for v in value)


def _long(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) > UNROLL


# --- itertools on values known one by one, or through lists


@itertool(itertools.chain)
def _chain(self: Iteration, args: list[Value], kwargs: dict[str, Value]) -> Value:
    if all(self.is_static_iterable(v) for v in args):
        items = [self.held(v) for a in args for v in self.iterate_static(a)]
        return self.new_list(items)
    return self.inline_library(_chained, [Tup(tuple(args))], {})


def _chained(parts: Any) -> Any:
    out = []
    for part in parts:
        for item in part:
            out.append(item)
    return out


def _combined(function: Any) -> Any:
    def handler(self: Iteration, args: list[Value], kwargs: dict[str, Value]) -> Value:
        several = function is itertools.product
        given = kwargs.get("repeat" if several else "r", args[1] if len(args) > 1 and not several else None)
        everything = given is None or is_none(given)
        count = static(given) if given is not None and not everything else 1
        sources = args if several else args[:1]
        known = all(map(self.is_static_iterable, sources))
        if not isinstance(count, int):
            if several:
                self.refuse(f"{function.__name__} of a number of items that is not known", ways.LOOP)
            return self.picked(function, sources[0], given)
        if not known and count in (1, 2):
            pair = function is itertools.product and len(sources) == 2 and count == 1
            if pair or (function is itertools.product and len(sources) == 1 and count == 2):
                return self.inline_library(_product_of_two, [sources[0], sources[-1]], {})
            if function is itertools.combinations and count == 2:
                return self.inline_library(_pairs, [self.indexable(sources[0])], {})
        if not known and not several:
            return self.picked(function, sources[0], given)
        lists = [[self.held(v) for v in self.iterate_static(a)] for a in sources]
        groups: Any
        if function is itertools.product:
            groups = itertools.product(*lists, repeat=count)
        elif function is itertools.permutations and everything:
            groups = itertools.permutations(lists[0])
        else:
            groups = function(lists[0], count)
        items: list[Value] = []
        for group in groups:
            items.append(Tup(tuple(group)))
            if len(items) > 256:
                self.refuse("more than 256 combinations of values of known structure", "use arrays")
        return self.new_list(items)

    return handler


def _product_of_two(first: Any, second: Any) -> Any:
    out = []
    for a in first:
        for b in second:
            out.append((a, b))
    return out


def _picked(items: Any, groups: Any) -> Any:
    return [tuple(items[place] for place in group) for group in groups]


def _pairs(items: Any) -> Any:
    out = []
    for i in range(len(items)):
        for j in range(i + 1, len(items)):
            out.append((items[i], items[j]))
    return out


@itertool(itertools.repeat)
def _repeat(self: Iteration, args: list[Value], kwargs: dict[str, Value]) -> Value:
    times = static(args[1]) if len(args) > 1 else static(kwargs["times"]) if "times" in kwargs else _NO
    if not isinstance(times, int):
        self.refuse("repeat without a count that is known", ways.LOOP)
    return self.new_list([self.held(args[0])] * times)


@itertool(itertools.islice)
def _islice(self: Iteration, args: list[Value], kwargs: dict[str, Value]) -> Value:
    stop = args[1] if len(args) == 2 else args[2]
    if isinstance(args[0], Lazy) and static(stop) is not None:  # the items behind it are not asked for
        return self.without_changes(lambda: _sliced_items(self, args), args[0])
    return _sliced_items(self, args)


def _sliced_items(self: Iteration, args: list[Value]) -> Value:
    bounds = [static(v) for v in args[1:]]
    source = args[0]
    if (
        isinstance(source, Lazy)
        and source.function in (itertools.count, itertools.cycle, itertools.repeat)
        and _NO not in bounds
    ):
        stop = bounds[0] if len(bounds) == 1 else bounds[1]
        if isinstance(stop, int) and stop <= 256:
            return self.new_list(self.first_of(source, stop)[slice(*bounds)])
    if self.is_static_iterable(source) and _NO not in bounds:
        items = [self.held(v) for v in self.iterate_static(source)]
        return self.new_list(items[slice(*bounds)])
    start, stop, step = self.slice_bounds(args[1:])
    start = self._constant(0) if static(start) is None else start
    step = self._constant(1) if static(step) is None else step
    if static(stop) is None:
        return self.inline_library(_sliced_to_end, [self.materialized(source), start, step], {})
    return self.inline_library(_sliced, [self.materialized(source), start, stop, step], {})


def _sliced(items: Any, start: Any, stop: Any, step: Any) -> Any:
    out = []
    for k in range(start, min(stop, len(items)), step):
        out.append(items[k])
    return out


def _sliced_to_end(items: Any, start: Any, step: Any) -> Any:
    out = []
    for k in range(start, len(items), step):
        out.append(items[k])
    return out


@itertool(itertools.accumulate)
def _accumulate(self: Iteration, args: list[Value], kwargs: dict[str, Value]) -> Value:
    function = args[1] if len(args) > 1 else kwargs.get("func", Known(None))
    initial = kwargs.get("initial", Known(None))

    def sums(items: Value) -> Value:
        return self.inline_library(library.accumulate_of, [items, function, initial], {})

    return self.one_by_one_of(args[0], lambda: self.materialized(args[0]), sums)


@itertool(itertools.starmap)
def _starmap(self: Iteration, args: list[Value], kwargs: dict[str, Value]) -> Value:
    return self.inline_library(_starmapped, args, {})


def _starmapped(function: Any, items: Any) -> Any:
    return [function(*item) for item in items]


@itertool(itertools.takewhile)
def _takewhile(self: Iteration, args: list[Value], kwargs: dict[str, Value]) -> Value:
    return self.inline_library(_taken, args, {})


def _taken(test: Any, items: Any) -> Any:
    out = []
    for item in items:
        if not test(item):
            break
        out.append(item)
    return out


@itertool(itertools.dropwhile)
def _dropwhile(self: Iteration, args: list[Value], kwargs: dict[str, Value]) -> Value:
    return self.inline_library(_rest, args, {})


def _rest(test: Any, items: Any) -> Any:
    out = []
    dropping = True
    for item in items:
        if dropping and not test(item):
            dropping = False
        if not dropping:
            out.append(item)
    return out


@itertool(itertools.filterfalse)
def _filterfalse(self: Iteration, args: list[Value], kwargs: dict[str, Value]) -> Value:
    test, items = args
    if is_none(test):
        return self.inline_library(_untrue, [items], {})
    return self.inline_library(_left_out, [test, items], {})


def _untrue(items: Any) -> Any:
    return [item for item in items if not item]


def _left_out(test: Any, items: Any) -> Any:
    return [item for item in items if not test(item)]


@itertool(itertools.compress)
def _compress(self: Iteration, args: list[Value], kwargs: dict[str, Value]) -> Value:
    given = [*args, *(kwargs[k] for k in ("data", "selectors") if k in kwargs)]
    return self.inline_library(_selected, given, {})


def _selected(items: Any, selectors: Any) -> Any:
    return [item for item, selector in zip(items, selectors) if selector]  # noqa: B905 (the shorter one ends it)


@itertool(itertools.chain.from_iterable)
def _from_iterable(self: Iteration, args: list[Value], kwargs: dict[str, Value]) -> Value:
    if self.is_static_iterable(args[0]):
        parts = functools.partial(self.iterate_static, args[0])
        return self.one_by_one_of(args[0], parts, lambda found: _chain(self, found, {}))
    return self.inline_library(_chained, args, {})


@itertool(itertools.zip_longest)
def _zip_longest(self: Iteration, args: list[Value], kwargs: dict[str, Value]) -> Value:
    one = len(args) == 1 or all(map(only_looks, args))
    columns = [functools.partial(self.iterate_static, v) for v in args]
    lists = [column() if one else self.without_changes(column) for column in columns]
    fill = kwargs.get("fillvalue", Known(None))
    groups = itertools.zip_longest(*lists, fillvalue=fill)
    return self.new_list([Tup(tuple(self.held(v) for v in g)) for g in groups])


for _pool in POOLS:
    itertool(_pool)(_combined(_pool))
