"""Functions of itertools."""

from __future__ import annotations

import functools
import itertools
from typing import Any

from s2sad.frontend import ways
from s2sad.normal.above import inline_library
from s2sad.normal.calls import library
from s2sad.normal.handlers import ENDLESS, ITERTOOLS, POOLS, builtin, itertool
from s2sad.normal.iteration.asking import first_of, indexable, is_static_iterable, lazy, materialized, slice_bounds
from s2sad.normal.iteration.at_once import iterate_static
from s2sad.normal.iteration.by_position import picked, pooled
from s2sad.normal.iteration.watching import one_by_one_of, without_changes
from s2sad.normal.names import hold
from s2sad.normal.run import Run
from s2sad.normal.values.abstract import Known, Lazy, Tup, Value, is_none
from s2sad.normal.values.classes import static
from s2sad.normal.values.lists_of_the_run import new_list
from s2sad.normal.values.making import constant
from s2sad.normal.values.questions import only_looks
from s2sad.normal.values.structure import number_in
from s2sad.normal.words import NO


@itertool(itertools.chain)
def _chain(run: Run, args: list[Value], kwargs: dict[str, Value]) -> Value:
    if all(is_static_iterable(run, v) for v in args):
        items = [hold(run, v) for a in args for v in iterate_static(run, a)]
        return new_list(run, items)
    return inline_library(run, _chained, [Tup(tuple(args))], {})


def _chained(parts: Any) -> Any:
    out = []
    for part in parts:
        for item in part:
            out.append(item)
    return out


def _combined(function: Any) -> Any:
    def handler(run: Run, args: list[Value], kwargs: dict[str, Value]) -> Value:
        several = function is itertools.product
        given = kwargs.get("repeat" if several else "r", args[1] if len(args) > 1 and not several else None)
        everything = given is None or is_none(given)
        count = static(given) if given is not None and not everything else 1
        sources = args if several else args[:1]
        known = all(is_static_iterable(run, v) for v in sources)
        if not isinstance(count, int):
            if several:
                run.refuse(f"{function.__name__} of a number of items that is not known", ways.LOOP)
            return picked(run, function, sources[0], given)
        if not known and count in (1, 2):
            pair = function is itertools.product and len(sources) == 2 and count == 1
            if pair or (function is itertools.product and len(sources) == 1 and count == 2):
                return inline_library(run, _product_of_two, [sources[0], sources[-1]], {})
            if function is itertools.combinations and count == 2:
                return inline_library(run, _pairs, [indexable(run, sources[0])], {})
        if not known and not several:
            return picked(run, function, sources[0], given)
        lists = [[hold(run, v) for v in iterate_static(run, a)] for a in sources]
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
                run.refuse("more than 256 combinations of values of known structure", "use arrays")
        return new_list(run, items)

    return handler


def _product_of_two(first: Any, second: Any) -> Any:
    out = []
    for a in first:
        for b in second:
            out.append((a, b))
    return out


def _pairs(items: Any) -> Any:
    out = []
    for i in range(len(items)):
        for j in range(i + 1, len(items)):
            out.append((items[i], items[j]))
    return out


@itertool(itertools.repeat)
def _repeat(run: Run, args: list[Value], kwargs: dict[str, Value]) -> Value:
    times = static(args[1]) if len(args) > 1 else static(kwargs["times"]) if "times" in kwargs else NO
    if not isinstance(times, int):
        run.refuse("repeat without a count that is known", ways.LOOP)
    return new_list(run, [hold(run, args[0])] * times)


@itertool(itertools.islice)
def _islice(run: Run, args: list[Value], kwargs: dict[str, Value]) -> Value:
    stop = args[1] if len(args) == 2 else args[2]
    if isinstance(args[0], Lazy) and static(stop) is not None:  # the items behind it are not asked for
        return without_changes(run, lambda: _sliced_items(run, args), args[0])
    return _sliced_items(run, args)


def _sliced_items(run: Run, args: list[Value]) -> Value:
    bounds = [static(v) for v in args[1:]]
    source = args[0]
    if (
        isinstance(source, Lazy)
        and source.function in (itertools.count, itertools.cycle, itertools.repeat)
        and NO not in bounds
    ):
        stop = bounds[0] if len(bounds) == 1 else bounds[1]
        if isinstance(stop, int) and stop <= 256:
            return new_list(run, first_of(run, source, stop)[slice(*bounds)])
    if is_static_iterable(run, source) and NO not in bounds:
        items = [hold(run, v) for v in iterate_static(run, source)]
        return new_list(run, items[slice(*bounds)])
    start, stop, step = slice_bounds(run, args[1:])
    start = constant(run, 0) if static(start) is None else start
    step = constant(run, 1) if static(step) is None else step
    if static(stop) is None:
        return inline_library(run, _sliced_to_end, [materialized(run, source), start, step], {})
    return inline_library(run, _sliced, [materialized(run, source), start, stop, step], {})


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
def _accumulate(run: Run, args: list[Value], kwargs: dict[str, Value]) -> Value:
    function = args[1] if len(args) > 1 else kwargs.get("func", Known(None))
    initial = kwargs.get("initial", Known(None))

    def sums(items: Value) -> Value:
        return inline_library(run, library.accumulate_of, [items, function, initial], {})

    return one_by_one_of(run, args[0], lambda: materialized(run, args[0]), sums)


@itertool(itertools.starmap)
def _starmap(run: Run, args: list[Value], kwargs: dict[str, Value]) -> Value:
    return inline_library(run, _starmapped, args, {})


def _starmapped(function: Any, items: Any) -> Any:
    return [function(*item) for item in items]


@itertool(itertools.takewhile)
def _takewhile(run: Run, args: list[Value], kwargs: dict[str, Value]) -> Value:
    return inline_library(run, _taken, args, {})


def _taken(test: Any, items: Any) -> Any:
    out = []
    for item in items:
        if not test(item):
            break
        out.append(item)
    return out


@itertool(itertools.dropwhile)
def _dropwhile(run: Run, args: list[Value], kwargs: dict[str, Value]) -> Value:
    return inline_library(run, _rest, args, {})


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
def _filterfalse(run: Run, args: list[Value], kwargs: dict[str, Value]) -> Value:
    test, items = args
    if is_none(test):
        return inline_library(run, _untrue, [items], {})
    return inline_library(run, _left_out, [test, items], {})


def _untrue(items: Any) -> Any:
    return [item for item in items if not item]


def _left_out(test: Any, items: Any) -> Any:
    return [item for item in items if not test(item)]


@itertool(itertools.compress)
def _compress(run: Run, args: list[Value], kwargs: dict[str, Value]) -> Value:
    given = [*args, *(kwargs[k] for k in ("data", "selectors") if k in kwargs)]
    return inline_library(run, _selected, given, {})


def _selected(items: Any, selectors: Any) -> Any:
    return [item for item, selector in zip(items, selectors) if selector]  # noqa: B905 (the shorter one ends it)


@itertool(itertools.chain.from_iterable)
def _from_iterable(run: Run, args: list[Value], kwargs: dict[str, Value]) -> Value:
    if is_static_iterable(run, args[0]):
        parts = functools.partial(iterate_static, run, args[0])
        return one_by_one_of(run, args[0], parts, lambda found: _chain(run, found, {}))
    return inline_library(run, _chained, args, {})


@itertool(itertools.zip_longest)
def _zip_longest(run: Run, args: list[Value], kwargs: dict[str, Value]) -> Value:
    one = len(args) == 1 or all(map(only_looks, args))
    columns = [functools.partial(iterate_static, run, v) for v in args]
    lists = [column() if one else without_changes(run, column) for column in columns]
    fill = kwargs.get("fillvalue", Known(None))
    groups = itertools.zip_longest(*lists, fillvalue=fill)
    return new_list(run, [Tup(tuple(hold(run, v) for v in g)) for g in groups])


for _pool in POOLS:
    itertool(_pool)(_combined(_pool))


@builtin(itertools.pairwise, *ITERTOOLS, *ENDLESS)
def _itertool(run: Run, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Any:
    names = {itertools.count: ("start", "step"), itertools.repeat: ("object", "times")}.get(function.value)
    if kwargs and names:  # what these are given by name has a place, too
        first = {"start": number_in(0)} if function.value is itertools.count else {}
        given = {**first, **dict(zip(names, args, strict=False)), **kwargs}
        args, kwargs = [given[n] for n in names if n in given], {}
    held = [hold(run, v) for v in args]
    named = {k: hold(run, v) for k, v in kwargs.items()}
    if function.value in POOLS:
        return pooled(run, function.value, held, named)
    return lazy(run, function.value, held, named)
