"""What some builtins and library functions do, in plain Python.

Where such a function meets active values, the function here that stands for it is written out in its place.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def list_of(items: Any) -> Any:
    """list(items)"""
    out = []
    for item in items:
        out.append(item)
    return out


def extended(items: Any, more: Any) -> Any:
    """items.extend(more)"""
    for item in more:
        items.append(item)


def appended_within(items: Any, item: Any, limit: Any) -> Any:
    """items.append(item) of a deque with maxlen=limit"""
    if len(items) == limit:
        items.pop(0)
    items.append(item)


def put_first_within(items: Any, item: Any, limit: Any) -> Any:
    """items.appendleft(item) of a deque with maxlen=limit"""
    if len(items) == limit:
        items.pop()
    items.insert(0, item)


def extended_within(items: Any, more: Any, limit: Any) -> Any:
    """items.extend(more) of a deque with maxlen=limit"""
    for item in more:
        if len(items) == limit:
            items.pop(0)
        items.append(item)


def overwritten_by(items: Any, new: Any) -> Any:
    """items[:] = new, of the same length"""
    for k in range(len(items)):
        items[k] = new[k]


def cleared(items: Any) -> Any:
    """items.clear()"""
    while items:
        items.pop()


def sum_of(items: Any, start: Any = 0) -> Any:
    """sum(items, start)"""
    total = start
    for item in items:
        total = total + item
    return total


def part_of(items: Any, start: Any, stop: Any) -> Any:
    """items[start:stop] as a list, for bounds inside of it"""
    out = []
    for k in range(start, stop):
        out.append(items[k])
    return out


def product_of(items: Any, start: Any = 1) -> Any:
    """math.prod(items)"""
    total = start
    for item in items:
        total = total * item
    return total


def reduce_of(function: Any, items: Any, first: Any) -> Any:
    """functools.reduce(function, items, first)"""
    total = first
    for item in items:
        total = function(total, item)
    return total


def reduce_rest(function: Any, items: Any) -> Any:
    """functools.reduce(function, items) of a list"""
    total = items[0]
    for k in range(1, len(items)):
        total = function(total, items[k])
    return total


def accumulate_of(items: Any, function: Any = None, initial: Any = None) -> Any:
    """list(itertools.accumulate(items, function, initial=initial))"""
    out = []
    if initial is None:
        total = items[0]
        out.append(total)
        first = 1
    else:
        total = initial
        out.append(total)
        first = 0
    for k in range(first, len(items)):
        total = total + items[k] if function is None else function(total, items[k])
        out.append(total)
    return out


def largest_by(items: Any, key: Any) -> Any:
    """max(items, key=key) of a list"""
    scores = [key(item) for item in items]
    best = max(range(len(items)), key=scores.__getitem__)
    return items[best]


def smallest_by(items: Any, key: Any) -> Any:
    """min(items, key=key) of a list"""
    scores = [key(item) for item in items]
    best = min(range(len(items)), key=scores.__getitem__)
    return items[best]


def sorted_list(items: Any, key: Any = None, reverse: Any = False) -> Any:
    """sorted(items, key=key, reverse=reverse) of a list"""
    scores = [item if key is None else key(item) for item in items]
    order = sorted(range(len(items)), key=scores.__getitem__, reverse=reverse)
    return [items[k] for k in order]


def in_order(first: Any, second: Any) -> Any:
    """Two pairs of a key and an item, the lesser key first; as they are where the keys are equal."""
    if second[0] < first[0]:
        return second, first
    return first, second


def larger(first: Any, second: Any) -> Any:
    """Of two pairs of a key and an item the one with the larger key; the first where they are equal."""
    return second if second[0] > first[0] else first


def smaller(first: Any, second: Any) -> Any:
    """Of two pairs of a key and an item the one with the lesser key; the first where they are equal."""
    return second if second[0] < first[0] else first


def array_of_numbers(items: Any) -> Any:
    """np.array(items) of a list of floats"""
    out = np.empty(len(items))
    for k in range(len(items)):
        out[k] = items[k]
    return out


def table_of(items: Any, columns: Any) -> Any:
    """np.array(items) of a list of tuples or short lists of floats"""
    out = np.empty((len(items), columns))
    for k in range(len(items)):
        out[k] = items[k]
    return out


def stacked(items: Any) -> Any:
    """np.stack(items) of a list of arrays"""
    out = np.empty((len(items), *items[0].shape))
    for k in range(len(items)):
        out[k] = items[k]
    return out


def joined(items: Any) -> Any:
    """np.concatenate(items) of a list of arrays, along the first axis"""
    total = 0
    for item in items:
        total = total + len(item)
    out = np.empty((total, *items[0].shape[1:]))
    start = 0
    for item in items:
        out[start : start + len(item)] = item
        start = start + len(item)
    return out


def rows_of(array: Any) -> Any:
    """list(array)"""
    out = []
    for k in range(len(array)):
        out.append(array[k])
    return out
