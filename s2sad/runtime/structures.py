"""Values with parts (tuples, lists, dicts, namedtuples, dataclasses): their leaves, and values built alike."""

from __future__ import annotations

import copy
import dataclasses
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from s2sad.runtime.identity import class_entry, held_items, keys_of, pairs_of, written


def _of_ints(operate: Callable[[int, int], int], turned: bool = False) -> Callable[[Any, Any], int]:
    def operator_of_ints(a: Any, b: Any) -> int:
        a, b = operator.index(a), operator.index(b)
        return operate(b, a) if turned else operate(a, b)

    return operator_of_ints


def _among_ints(name: str) -> Callable[[Any, Any], Any]:
    """An operator of floats whose result is whole again, where the other number is an int, too."""
    operate = getattr(float, name)

    def operator_of_whole(a: Any, b: Any) -> Any:
        found = operate(a, b)
        among = type(b) in (int, Whole) and isinstance(found, float) and found.is_integer()
        return Whole(found) if among else found

    return operator_of_whole


class Whole(float):
    """An int with respect to which is differentiated: it counts as a float, and as an int where one is asked for.

    >>> n = Whole(3)
    >>> n / 2, [10, 20, 30, 40][n], list(range(n)), f"{n} of {n:03d}", n >> 1, list(range(n - 1)), n + 0.5
    (1.5, 40, [0, 1, 2], '3 of 003', 1, [0, 1], 3.5)
    """

    __slots__ = ()

    __add__, __radd__ = _among_ints("__add__"), _among_ints("__radd__")
    __sub__, __rsub__ = _among_ints("__sub__"), _among_ints("__rsub__")
    __mul__, __rmul__ = _among_ints("__mul__"), _among_ints("__rmul__")
    __mod__, __rmod__ = _among_ints("__mod__"), _among_ints("__rmod__")
    __pow__, __rpow__ = _among_ints("__pow__"), _among_ints("__rpow__")  # type: ignore[assignment]
    __floordiv__, __rfloordiv__ = _among_ints("__floordiv__"), _among_ints("__rfloordiv__")
    __and__ = __rand__ = _of_ints(operator.and_)
    __or__ = __ror__ = _of_ints(operator.or_)
    __xor__ = __rxor__ = _of_ints(operator.xor)
    __lshift__, __rlshift__ = _of_ints(operator.lshift), _of_ints(operator.lshift, True)
    __rshift__, __rrshift__ = _of_ints(operator.rshift), _of_ints(operator.rshift, True)

    def __index__(self) -> int:
        return int(self)

    def __neg__(self) -> Whole:
        return Whole(-float(self))

    def __invert__(self) -> int:
        return ~int(self)

    def __repr__(self) -> str:
        return repr(int(self))

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(int(self), spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return Whole, (float(self),)


def parts(value: Any) -> list[tuple[Any, Any]] | None:
    """The (key, part) pairs of a container, None for a leaf.

    >>> parts({"a": 1.0}), parts((2.0, 3.0)), parts(1.0)
    ([('a', 1.0)], [(0, 2.0), (1, 3.0)], None)
    """
    cls = type(value)
    if issubclass(cls, dict):
        return list(pairs_of(value))
    if issubclass(cls, (tuple, list)):
        return list(enumerate(held_items(value)))
    if class_entry(cls, "__dataclass_fields__") is not None:
        fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value) if hasattr(value, f.name)}
        return list({**fields, **getattr(value, "__dict__", {})}.items())
    return None


def with_parts(value: Any, new: list[Any]) -> Any:
    """A container like `value` with these parts, in the order of `parts`."""
    if isinstance(value, dict):
        return dict(zip(keys_of(value), new, strict=True))
    if isinstance(value, list):
        return list(new)
    if isinstance(value, tuple):
        return tuple.__new__(type(value), new) if hasattr(value, "_fields") else tuple(new)
    made = copy.copy(value)
    for (name, _), part in zip(parts(value) or [], new, strict=True):
        object.__setattr__(made, name, part)
    return made


def map_leaves(function: Callable[..., Any], value: Any, *others: Any) -> Any:
    """Apply a function to the leaves of one or several values of the same structure.

    >>> map_leaves(lambda a, b: a + b, (1.0, [2.0]), (3.0, [4.0]))
    (4.0, [6.0])
    """
    own = parts(value)
    if own is None:
        return function(value, *others)
    rest = [[part for _, part in parts(other) or []] for other in others]
    return with_parts(value, [map_leaves(function, p, *(r[i] for r in rest)) for i, (_, p) in enumerate(own)])


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The leaves of a value with the text of their place in it.

    >>> list(leaves({"W": (1.0, 2.0)}))
    [("['W'][0]", 1.0), ("['W'][1]", 2.0)]
    """
    around: set[int] = set()
    todo: list[tuple[str | None, Any]] = [(path, value)]
    while todo:
        place, value = todo.pop()
        if place is None:
            around.discard(id(value))
            continue
        own = parts(value) if id(value) not in around else []  # (in itself it is not gone through again)
        if own is None:
            yield place, value
        elif own:
            around.add(id(value))
            todo.append((None, value))
            attribute = not isinstance(value, (dict, tuple, list))
            todo += [(place + (f".{key}" if attribute else f"[{written(key)}]"), part) for key, part in reversed(own)]


def is_differentiable(value: Any) -> bool:
    """Is this leaf a float or complex number, or an array of them?"""
    cls = type(value)
    if issubclass(cls, (float, complex, np.inexact)):
        return True
    return issubclass(cls, np.ndarray) and value.dtype.kind in "fc"


def unit_values(value: Any) -> Iterator[tuple[Any, int, tuple[int, ...]]]:
    """Values of the structure of `value` that are 1 in one element and 0 elsewhere: (value, number of the leaf, index).

    Leaves that hold no floats stay as they are. One set of arrays serves all: use a value before asking for the next.
    """
    zero = map_leaves(lambda v: _zero(v) if is_differentiable(v) else v, value)
    flat = [leaf for _, leaf in leaves(zero)]
    for number, leaf in enumerate(flat):
        if not is_differentiable(leaf):
            continue
        if isinstance(leaf, np.ndarray):
            for index in np.ndindex(leaf.shape):
                leaf[index] = 1.0
                yield zero, number, index
                leaf[index] = 0.0
        else:
            yield _replaced(zero, number, type(leaf)(1.0)), number, ()


def _zero(value: Any) -> Any:
    return np.zeros_like(value) if isinstance(value, np.ndarray) else type(value)(0.0)


def _replaced(value: Any, number: int, new: Any) -> Any:
    """The value with its leaf of that number exchanged; the other leaves are shared."""
    counter = iter(range(number + 1))

    def swap(leaf: Any) -> Any:
        return new if next(counter, None) == number else leaf

    return map_leaves(swap, value)
