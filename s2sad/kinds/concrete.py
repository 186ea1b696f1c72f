"""Kinds in which lengths and ints are known numbers: for programs whose structure depends on them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from s2sad.kinds.bind import _Binder, is_callable, state_of
from s2sad.kinds.kind import Dim, Kind


class _Concrete(_Binder):
    """Binds with every length and int as it is."""

    def length(self, size: int, path: str, axis: int) -> Dim:
        return Dim.of(size)


def concrete_kinds_of(arguments: dict[str, object], layouts: bool = False) -> dict[str, Kind]:
    """The kinds of a call's arguments, for code that is right for these lengths and ints only.

    >>> concrete_kinds_of({"x": np.zeros(3), "n": 5})["n"].value.const
    5
    """
    binder = _Concrete(constant=True, layouts=layouts)
    return {name: binder.kind(value, name) for name, value in arguments.items()}


def sizes_of(value: Any, inside: tuple[Any, ...] = ()) -> Hashable:
    """The lengths and ints in an argument: the key of code that is right for these only.

    >>> sizes_of((np.zeros((2, 3)), {"n": 4}, 0.5))
    ((2, 3), (('n', 4),), None)
    """
    if isinstance(value, np.ndarray):
        return tuple(value.shape)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if any(value is v for v in inside):
        return None  # contains itself
    inside = (*inside, value)
    if isinstance(value, (tuple, list)):
        return tuple(sizes_of(v, inside) for v in value)
    if isinstance(value, dict):
        return tuple((k, sizes_of(v, inside)) for k, v in value.items())
    state = None if is_callable(value) else state_of(value)
    if state is not None:
        return tuple((k, sizes_of(v, inside)) for k, v in state.items())
    return None
