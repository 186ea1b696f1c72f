"""From the arguments of a call to kinds: `kinds_of`, and the key under which generated code is kept."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Hashable
from functools import partial
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from s2sad.kinds.kind import Array, Callable, Dict, Dim, Kind, List, ListOf, Number, Object, Static, Tuple, Unknown

LONGEST_LIST = 64  # lists up to this length are known item by item


class _Binder:
    """Names the lengths and ints of one call's arguments."""

    def __init__(self, constant: bool = False) -> None:
        self.symbols: dict[int, Dim] = {0: Dim.of(0), 1: Dim.of(1)}
        self.constant = constant  # ints and lengths are constants (globals) rather than symbols
        self.open: set[int] = set()

    def length(self, size: int, path: str, axis: int) -> Dim:
        if self.constant:
            return Dim.of(size) if size < 2 else Dim.symbol(f"global.{size}")
        dim = self.symbols.get(size)
        if dim is None:
            dim = self.symbols[size] = Dim.symbol(f"{path}.{axis}")
        return dim

    def kind(self, value: Any, path: str) -> Kind:
        cls = type(value)
        if cls is float or cls is complex:
            return Number(cls)
        if cls is np.ndarray:
            if value.dtype.kind not in "fciub":
                return Unknown()
            return Array(value.dtype, tuple([self.length(n, path, i) for i, n in enumerate(value.shape)]))
        if cls is int:
            return Number(int, Dim.of(value) if self.constant else Dim.symbol(f"{path}$"))
        if value is None or cls is bool or isinstance(value, (str, bytes, enum.Enum, np.dtype, slice, type(Ellipsis))):
            return Static(value)
        if isinstance(value, np.generic):
            return Number(cls)
        if isinstance(value, (int, float, complex)):
            return Number(cls)
        if isinstance(value, (FunctionType, BuiltinFunctionType, MethodType, ModuleType, type, np.ufunc, partial)):
            return Callable(value)
        if callable(value) and isinstance(getattr(value, "__name__", None), str):
            return Callable(value)  # NumPy's functions, lru_cache, method descriptors
        return self.container(value, path)

    def container(self, value: Any, path: str) -> Kind:
        if id(value) in self.open:
            return Unknown()  # contains itself
        self.open.add(id(value))
        try:
            return self._container(value, path)
        finally:
            self.open.discard(id(value))

    def _container(self, value: Any, path: str) -> Kind:
        cls = type(value)
        if isinstance(value, tuple):
            if cls is not tuple and not hasattr(cls, "_fields"):
                return Unknown()
            return Tuple(tuple([self.kind(v, f"{path}.{i}") for i, v in enumerate(value)]), cls)
        if cls is list:
            if len(value) <= LONGEST_LIST:
                return List(tuple([self.kind(v, f"{path}.{i}") for i, v in enumerate(value)]))
            kinds = {_without_values(self.kind(v, path)) for v in value}
            return ListOf(kinds.pop()) if len(kinds) == 1 else Unknown()
        if isinstance(value, dict):
            return Dict(tuple([(k, self.kind(v, f"{path}.{k}")) for k, v in value.items()]))
        if isinstance(value, (np.ndarray, set, frozenset, range)):
            return Unknown()
        state = _state(value)
        if state is None:
            return Callable(value) if callable(value) else Object(cls)
        return Object(cls, tuple([(k, self.kind(v, f"{path}.{k}")) for k, v in state.items()]))


def _state(value: Any) -> dict[str, Any] | None:
    """The attributes of an object, or None where it keeps its state elsewhere."""
    if dataclasses.is_dataclass(value):
        return {f.name: getattr(value, f.name) for f in dataclasses.fields(value) if hasattr(value, f.name)}
    state = getattr(value, "__dict__", None)
    return dict(state) if isinstance(state, dict) else None


def _without_values(kind: Kind) -> Kind:
    return Number(kind.type) if isinstance(kind, Number) else kind


def kinds_of(arguments: dict[str, Any]) -> dict[str, Kind]:
    """The kinds of a call's arguments. Equal lengths share a symbol; 0 and 1 are plain numbers.

    >>> kinds = kinds_of({"W": np.ones((3, 2)), "b": np.ones(2), "k": 4})
    >>> [str(d) for d in kinds["W"].shape], kinds["b"].shape[0] == kinds["W"].shape[1], str(kinds["k"].value)
    (['W.0', 'W.1'], True, 'k$')
    """
    binder = _Binder()
    return {name: binder.kind(value, name) for name, value in arguments.items()}


def kind_of_global(value: Any) -> Kind:
    """The kind of an object that generated code refers to by name: ints are their value."""
    return _Binder(constant=True).kind(value, "global")


def signature_key(args: tuple[Any, ...]) -> Hashable:
    """placeholder"""
    return tuple(map(type, args))
