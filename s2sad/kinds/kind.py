"""What can be known of a value before the program runs: its kind.

A kind is an immutable, hashable description. Two calls whose arguments have equal kinds share generated code, so a kind
says everything that the generated code depends on and nothing more.
"""

from __future__ import annotations

from collections.abc import Callable as Function
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Dim:
    """An array length, or the value of an int: a linear expression over symbols.

    >>> n = Dim.symbol("n")
    >>> str(n + 1), str(n - n), (n + 1) - 1 == n
    ('n + 1', '0', True)
    """

    terms: tuple[tuple[str, int], ...] = ()
    const: int = 0

    @staticmethod
    def symbol(name: str) -> Dim:
        return Dim(((name, 1),), 0)

    @staticmethod
    def of(value: int) -> Dim:
        return Dim((), int(value))

    @property
    def known(self) -> bool:
        """Is it a plain number?"""
        return not self.terms

    def __add__(self, other: Dim | int) -> Dim:
        other = Dim.of(other) if isinstance(other, int) else other
        total = dict(self.terms)
        for symbol, factor in other.terms:
            total[symbol] = total.get(symbol, 0) + factor
        return Dim(tuple(sorted((s, f) for s, f in total.items() if f)), self.const + other.const)

    def __mul__(self, factor: int) -> Dim:
        return Dim(tuple((s, f * factor) for s, f in self.terms) if factor else (), self.const * factor)

    def __sub__(self, other: Dim | int) -> Dim:
        return self + (Dim.of(other) if isinstance(other, int) else other) * -1

    def __str__(self) -> str:
        parts = [s if f == 1 else f"{f}*{s}" for s, f in self.terms]
        if self.const or not parts:
            parts.append(str(self.const))
        return " + ".join(parts).replace("+ -", "- ")


class Kind:
    """The base of all kinds. What holds others says which, and is made anew with others in their place."""

    __slots__ = ()

    def parts(self) -> tuple[tuple[Any, Kind], ...]:
        """What a container holds, by index, key or name of an attribute; each item of a list of unknown length by None.

        >>> Tuple((Number(int), ListOf(Number(float)))).parts()[1][1].parts() == ((None, Number(float)),)
        True
        """
        return ()

    def map(self, change: Function[[Kind], Kind]) -> Kind:
        """The same kind of container, of what its parts are changed to."""
        return self

    @property
    def whole(self) -> bool:
        """Is it an int, of Python or of NumPy (a bool counts)?"""
        return False

    @property
    def rank(self) -> int | None:
        """How many axes it has, where that is known; a number has none of them, and what is no array says nothing.

        >>> Number(float).rank, Array(np.dtype(float), (Dim.of(3), Dim.of(4))).rank, ListOf(Number(float)).rank
        (0, 2, None)
        """
        return None


class Container(Kind):
    """The base of the kinds of what holds others."""

    __slots__ = ()


@dataclass(frozen=True)
class Number(Kind):
    """A Python or NumPy scalar of the given type (`float`, `int`, `complex`, `bool`, `np.float32`, ...).

    `value` is the symbolic value of an int, where one is known. `types` are those that it may be of on different paths;
    `type` is then what arithmetic with all of them gives. `trues` is the length of `x[b]` for a bool `b` and a 0-d
    array, where it has a symbol.
    """

    type: type
    value: Dim | None = None
    types: frozenset[Any] = field(default=frozenset(), compare=False, repr=False)
    trues: Dim | None = field(default=None, repr=False)

    def of_types(self) -> frozenset[Any]:
        """The types that it may be of."""
        return self.types or frozenset((self.type,))

    @property
    def whole(self) -> bool:
        return issubclass(self.type, (int, np.integer))

    @property
    def rank(self) -> int:
        return 0


@dataclass(frozen=True)
class Array(Kind):
    """An ndarray. A 0-d array has shape ().

    `shape` is None where even the rank is unknown; then it may also be a NumPy scalar, which is what NumPy makes of
    0-d arrays in arithmetic. `trues` is the number of true elements of a boolean array, where it has a symbol.

    `layout` is how (a part of) an argument lies in memory, where the derivation has asked: "C", "F", "strided" (in any
    other way), or the strides. `mixed`: it has other dtypes on other paths, and `dtype` holds all of them.
    """

    dtype: np.dtype[Any]
    shape: tuple[Dim, ...] | None
    trues: Dim | None = None
    layout: str | tuple[int, ...] | None = field(default=None, compare=False, repr=False)
    mixed: bool = field(default=False, compare=False, repr=False)

    @property
    def rank(self) -> int | None:
        return None if self.shape is None else len(self.shape)


@dataclass(frozen=True)
class Static(Kind):
    """A value known at derivation: None, a string, a bool, an enum member, a slice of such, a dtype, ..."""

    value: Any


@dataclass(frozen=True)
class Tuple(Container):
    """A tuple of parts; `cls` is the class of a namedtuple."""

    items: tuple[Kind, ...]
    cls: type = tuple

    def parts(self) -> tuple[tuple[Any, Kind], ...]:
        return tuple(enumerate(self.items))

    def map(self, change: Function[[Kind], Kind]) -> Tuple:
        return Tuple(tuple(map(change, self.items)), self.cls)


@dataclass(frozen=True)
class List(Container):
    """A list whose length is known: the kinds of its parts."""

    items: tuple[Kind, ...]

    def parts(self) -> tuple[tuple[Any, Kind], ...]:
        return tuple(enumerate(self.items))

    def map(self, change: Function[[Kind], Kind]) -> List:
        return List(tuple(map(change, self.items)))


@dataclass(frozen=True)
class ListOf(Container):
    """A list of unknown length whose elements share a kind."""

    item: Kind

    def parts(self) -> tuple[tuple[Any, Kind], ...]:
        return ((None, self.item),)

    def map(self, change: Function[[Kind], Kind]) -> ListOf:
        return ListOf(change(self.item))


@dataclass(frozen=True)
class Dict(Container):
    """A dict with known keys, in order; or what is built on one (a defaultdict)."""

    items: tuple[tuple[Any, Kind], ...]
    cls: type = dict

    def parts(self) -> tuple[tuple[Any, Kind], ...]:
        return self.items

    def map(self, change: Function[[Kind], Kind]) -> Dict:
        return Dict(tuple((key, change(kind)) for key, kind in self.items), self.cls)


@dataclass(frozen=True)
class Object(Container):
    """An instance of `cls` (dataclass or any class whose state is its attributes)."""

    cls: type
    attributes: tuple[tuple[str, Kind], ...] = ()

    def parts(self) -> tuple[tuple[Any, Kind], ...]:
        return self.attributes

    def map(self, change: Function[[Kind], Kind]) -> Object:
        return Object(self.cls, tuple((name, change(kind)) for name, kind in self.attributes))


@dataclass(frozen=True)
class Callable(Kind):
    """A function, class or module: itself."""

    value: Any = field(hash=False)


@dataclass(frozen=True)
class Unknown(Kind):
    """Nothing is known: code for it must be right for a float and for a float array of any rank."""


@dataclass(frozen=True)
class Nothing(Unknown):
    """What an empty list holds. Together with anything else it is that."""


@dataclass(frozen=True)
class Either(Unknown):
    """An array, or what a sum that becomes one in the first turn of a loop started with: a number, or None.

    Code for it must be right for both, as for all that is not known. But what is computed with the array is often known
    all the same, as `total + x` is where x is as large as the array, and so is what fits its adjoint.
    """

    array: Array
    other: Number | Static
    #: may its adjoint be as large as the array even where it is the number? (`analysis.starts`)
    loose: bool = field(default=False, compare=False, repr=False)

    @property
    def alternatives(self) -> tuple[Kind, Kind]:
        return self.array, self.other

    def has(self, name: str) -> bool:
        """Has what may stand here instead of the array an attribute of this name?"""
        return hasattr(None if isinstance(self.other, Static) else self.other.type, name)

    @property
    def is_plain(self) -> bool:
        """Is it an array, a Python number or None, so that indexing it is right for the array alone?"""
        return isinstance(self.other, Static) or self.other.type in (bool, int, float, complex)


def of_one_field(array: Array, number: Number) -> bool:
    """Are both real, or both complex? The adjoint of what is the one here and the other there may not lose a part.

    >>> reals = Array(np.dtype(float), None)
    >>> of_one_field(reals, Number(int)), of_one_field(reals, Number(complex))
    (True, False)
    """
    return (array.dtype.kind == "c") == issubclass(number.type, (complex, np.complexfloating))


@dataclass(frozen=True)
class Text(Unknown):
    """A string that only the run knows: it carries no derivative."""


@dataclass(frozen=True)
class Records(Unknown):
    """An array whose elements are no numbers: records, texts, dates, objects. It takes no active values."""

    dtype: np.dtype[Any]


@dataclass(frozen=True)
class Places(Unknown):
    """A dict of positions in a list, by keys that only the run knows, or a list of positions."""


@dataclass(frozen=True)
class PlaceLists(Unknown):
    """A dict of lists of positions."""


def in_c_order(kind: Kind) -> Kind:
    """The kind, with all its arrays lying in memory row after row.

    >>> in_c_order(Tuple((Array(np.dtype(float), ()), Number(float)))).items[0].layout
    'C'
    """
    return replace(kind, layout="C") if isinstance(kind, Array) else kind.map(in_c_order)
