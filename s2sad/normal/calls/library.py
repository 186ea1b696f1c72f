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


def stored_in_turn(array: Any, places: Any, values: Any) -> Any:
    """array.flat[...] = values, with the places in the array itself"""
    if np.size(values) > 0:
        array[places] = np.resize(values, np.shape(array[places]))


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


def spliced(items: Any, new: Any, start: Any, stop: Any) -> Any:
    """items[:start] + new + items[stop:]"""
    out = []
    for k in range(start):
        out.append(items[k])
    for item in new:
        out.append(item)
    for k in range(max(start, stop), len(items)):
        out.append(items[k])
    return out


def stored_at(items: Any, new: Any, places: Any) -> Any:
    """items[a:b:c] = new, which are as many"""
    if len(new) != len(places):
        raise ValueError("another number of items is stored into a slice than it has")
    for k in range(len(new)):
        items[places[k]] = new[k]


def cleared(items: Any) -> Any:
    """items.clear()"""
    while items:
        items.pop()


def rotated(items: Any, n: Any = 1) -> Any:
    """items.rotate(n), of a deque"""
    for _ in range(n % len(items) if items else 0):
        items.insert(0, items.pop())


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


def check_rows(rows: Any) -> Any:
    """What unpacking zip(*rows) of no rows raises."""
    if not rows:
        raise ValueError("not enough values to unpack: there are no rows")


def column_of(rows: Any, j: Any) -> Any:
    """The j-th item of zip(*rows)"""
    return [row[j] for row in rows]


def two_columns(rows: Any) -> Any:
    """zip(*rows) of pairs"""
    first = []
    second = []
    for a, b in rows:
        first.append(a)
        second.append(b)
    return first, second


def three_columns(rows: Any) -> Any:
    """zip(*rows) of triples"""
    first = []
    second = []
    third = []
    for a, b, c in rows:
        first.append(a)
        second.append(b)
        third.append(c)
    return first, second, third


def four_columns(rows: Any) -> Any:
    """zip(*rows) of rows of four"""
    first = []
    second = []
    third = []
    fourth = []
    for a, b, c, d in rows:
        first.append(a)
        second.append(b)
        third.append(c)
        fourth.append(d)
    return first, second, third, fourth


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


def largest_of(items: Any) -> Any:
    """max(items) of a list of tuples or lists, which are compared part by part"""
    return items[max(range(len(items)), key=items.__getitem__)]


def smallest_of(items: Any) -> Any:
    """min(items) of a list of tuples or lists"""
    return items[min(range(len(items)), key=items.__getitem__)]


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


def table_of(items: Any, columns: Any, dtype: Any = None) -> Any:
    """np.array(items) of a list of tuples or short lists of floats"""
    out = np.empty((len(items), columns)) if dtype is None else np.empty((len(items), columns), dtype)
    for k in range(len(items)):
        out[k] = items[k]
    return out


def rows_of(array: Any) -> Any:
    """list(array)"""
    out = []
    for k in range(len(array)):
        out.append(array[k])
    return out


def floats_of(array: Any) -> Any:
    """array.tolist() of one axis of floats"""
    out = []
    for k in range(len(array)):
        out.append(float(array[k]))
    return out


def lists_of(array: Any) -> Any:
    """array.tolist() of several axes"""
    out = []
    for k in range(len(array)):
        out.append(array[k].tolist())
    return out


def outer_of(ufunc: Any, a: Any, b: Any) -> Any:
    """ufunc.outer(a, b)"""
    return ufunc(np.reshape(a, np.shape(a) + (1,) * np.ndim(b)), b)


def first_axis(array: Any, axis: Any) -> Any:
    """The array with the axis of a reduction in front"""
    if axis is None:
        return np.reshape(array, -1)
    if isinstance(axis, tuple):
        rows = np.moveaxis(array, axis, tuple(range(len(axis))))
        return np.reshape(rows, (-1, *np.shape(rows)[len(axis) :]))
    return array if axis == 0 else np.moveaxis(array, axis, 0)


def of_dtype(array: Any, dtype: Any) -> Any:
    """The array as a method of a universal function with this dtype takes it"""
    return array if dtype is None else np.asarray(array).astype(dtype)


def of_old_form(old: Any, new: Any) -> Any:
    """What `old op= value` leaves where `old op value` is new: an array keeps shape and dtype, or NumPy refuses."""
    if isinstance(old, np.ndarray):
        return np.broadcast_to(new, old.shape).astype(old.dtype, casting="same_kind")
    return new


def ufunc_reduce(ufunc: Any, array: Any, axis: Any = 0, dtype: Any = None, keepdims: Any = False) -> Any:
    """ufunc.reduce(array, axis)"""
    rows = first_axis(of_dtype(array, dtype), axis)
    if ufunc is np.subtract:
        total = rows[0] - np.sum(rows[1:], axis=0)
    elif ufunc is np.divide:
        total = rows[0] / np.prod(rows[1:], axis=0)
    elif ufunc is np.hypot:
        total = np.linalg.norm(rows, axis=0)
    elif ufunc is np.fmax:
        total = np.nanmax(rows, axis=0)
    elif ufunc is np.fmin:
        total = np.nanmin(rows, axis=0)
    elif ufunc is np.logaddexp:
        shift = np.max(rows, axis=0)
        total = shift + np.log(np.sum(np.exp(rows - shift), axis=0))
    else:
        total = rows[0]
        for k in range(1, np.shape(rows)[0]):
            total = ufunc(total, rows[k])
    if keepdims and axis is None:
        return np.reshape(total, (1,) * np.ndim(array))
    return np.expand_dims(total, axis) if keepdims else total


def running_extreme(ufunc: Any, array: Any, axis: Any = 0, dtype: Any = None) -> Any:
    """np.maximum.accumulate and np.minimum.accumulate: each element is one of the argument"""
    rows = first_axis(of_dtype(array, dtype), axis)
    places = np.reshape(np.arange(np.shape(rows)[0]), (-1,) + (1,) * (np.ndim(rows) - 1))
    first = np.maximum.accumulate(np.where(np.equal(rows, ufunc.accumulate(rows, axis=0)), places, 0), axis=0)
    y = np.take_along_axis(rows, first, axis=0)
    return y if axis == 0 else np.moveaxis(y, 0, axis)


def ufunc_accumulate(ufunc: Any, array: Any, axis: Any = 0, dtype: Any = None) -> Any:
    """ufunc.accumulate(array, axis)"""
    rows = first_axis(of_dtype(array, dtype), axis)
    y = np.empty_like(rows)
    y[0] = rows[0]
    for k in range(1, np.shape(rows)[0]):
        y[k] = ufunc(y[k - 1], rows[k])
    return y if axis == 0 else np.moveaxis(y, 0, axis)


def ufunc_reduceat(ufunc: Any, array: Any, indices: Any, axis: Any = 0, dtype: Any = None) -> Any:
    """ufunc.reduceat(array, indices, axis)"""
    rows = first_axis(of_dtype(array, dtype), axis)
    starts = np.asarray(indices)
    if np.result_type(rows) == np.float64:
        y = np.empty((np.shape(starts)[0], *np.shape(rows)[1:]))
    else:
        y = np.empty((np.shape(starts)[0], *np.shape(rows)[1:]), np.result_type(rows))
    for k in range(np.shape(starts)[0]):
        stop = starts[k + 1] if k + 1 < np.shape(starts)[0] else np.shape(rows)[0]
        if starts[k] < stop:
            y[k] = ufunc.reduce(rows[starts[k] : stop], axis=0)
        else:
            y[k] = rows[starts[k]]
    return y if axis == 0 else np.moveaxis(y, 0, axis)


def ufunc_at(ufunc: Any, array: Any, indices: Any) -> Any:
    """ufunc.at(array, indices) of a function of one argument"""
    places = np.asarray(indices)
    for k in range(np.shape(places)[0]):
        array[places[k]] = ufunc(array[places[k]])


def ufunc_at_values(ufunc: Any, array: Any, indices: Any, values: Any) -> Any:
    """ufunc.at(array, indices, values) of a function of two arguments, for indices in one dimension"""
    places = np.asarray(indices)
    spread = values
    if np.ndim(values):
        spread = np.broadcast_to(values, (np.shape(places)[0], *np.shape(array)[1:]))
    for k in range(np.shape(places)[0]):
        array[places[k]] = ufunc(array[places[k]], spread[k] if np.ndim(values) else values)


def vectorized(function: Any, *args: Any) -> Any:
    """np.vectorize(function)(*args): of the type of the first value, which the function makes of NumPy's numbers"""
    if in_double(*args):
        return vectorized_in_double(function, *args)
    grids = np.broadcast_arrays(*args) if len(args) > 1 else [np.asarray(args[0])]
    flat = [np.ravel(grid) for grid in grids]
    first = one_float(function(*[part[0] for part in flat]))
    y = np.empty(np.size(grids[0]), np.result_type(first))
    for k in range(np.size(grids[0])):
        y[k] = one_float(function(*[pythons(part[k]) for part in flat]))
    return np.reshape(y, np.shape(grids[0]))


def vectorized_in_double(function: Any, *args: Any) -> Any:
    """np.vectorize(function, otypes="d")(*args): element by element, each as a number of Python"""
    grids = np.broadcast_arrays(*args) if len(args) > 1 else [np.asarray(args[0])]
    flat = [np.ravel(grid) for grid in grids]
    y = np.empty(np.size(grids[0]))
    for k in range(np.size(grids[0])):
        y[k] = one_float(function(*[pythons(part[k]) for part in flat]))
    return np.reshape(y, np.shape(grids[0]))


def in_double(*args: Any) -> bool:
    """Are all of them known to be of double precision, so that what is computed from them is?"""
    return np.result_type(*args) == np.float64


def pythons(number: Any) -> Any:
    """One of NumPy's numbers as Python's"""
    return number.item()


def one_float(value: Any) -> Any:
    """A value that goes into an array of floats."""
    return value


def vectorized_rows(function: Any, array: Any) -> Any:
    """np.vectorize(function, signature="(n)->()" or the like)(array): for each row"""
    return np.apply_along_axis(function, -1, array)


def vectorized_cores(function: Any, cores: Any, *args: Any) -> Any:
    """np.vectorize(function, signature="(n),(m)->()" or the like)(*args): for each of the leading axes"""
    arrays = [np.asarray(a) for a in args]
    lead = np.broadcast_shapes(*[np.shape(a)[: np.ndim(a) - n] for a, n in zip(arrays, cores, strict=True)])
    own = [np.shape(a)[np.ndim(a) - n :] for a, n in zip(arrays, cores, strict=True)]
    flat = [np.reshape(np.broadcast_to(a, (*lead, *s)), (-1, *s)) for a, s in zip(arrays, own, strict=True)]
    first = function(*[part[0] for part in flat])
    y = np.empty((np.shape(flat[0])[0], *np.shape(first)), np.result_type(first))
    y[0] = first
    for k in range(1, np.shape(flat[0])[0]):
        y[k] = function(*[part[k] for part in flat])
    return np.reshape(y, (*lead, *np.shape(first)))


def placed(array: Any, mask: Any, values: Any) -> Any:
    """np.place(array, mask, values): the values in turn"""
    taken = np.arange(np.count_nonzero(mask)) % len(values)
    array[mask] = np.asarray(values)[taken]


def diagonal_filled(array: Any, values: Any) -> Any:
    """np.fill_diagonal(array, values) of an array of any rank; the values in turn"""
    places = np.arange(min(np.shape(array)))
    if np.ndim(values):
        array[(places,) * np.ndim(array)] = np.resize(values, np.shape(places))
    else:
        array[(places,) * np.ndim(array)] = values


def repeated(items: list[Any], count: int) -> list[Any]:
    """items * count, of a list with active items."""
    out: list[Any] = []
    for _ in range(count):
        for item in items:
            out.append(item)
    return out


def repeated_in_place(items: list[Any], count: int) -> None:
    """items *= count"""
    if count < 1:
        while items:
            items.pop()
    for k in range(len(items) * (count - 1)):
        items.append(items[k])


def got(held: Any, key: Any, default: Any) -> Any:
    """held.get(key, default)"""
    if key not in held:
        return default
    return held[key]
