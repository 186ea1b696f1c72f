"""Questions about a kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeGuard

import numpy as np

from s2sad.kinds.kind import Array, Container, Kind, List, Number, Object, Static, Text, Tuple, Unknown
from s2sad.kinds.known import dtype_of
from s2sad.kinds.labelled import is_labelled

__all__ = ["dtype_of", "is_array", "is_bool", "is_complex", "is_differentiable", "is_float", "is_int", "is_number",
           "leaves", "rank_of"]  # fmt: skip


def is_number(kind: Kind) -> bool:
    """Is it a Python or NumPy scalar (a bool or literal counts)?"""
    return isinstance(kind, Number) or (isinstance(kind, Static) and isinstance(kind.value, (int, float, complex)))


def is_array(kind: Kind) -> bool:
    """Is it an ndarray (of any rank, 0 included)?"""
    return isinstance(kind, Array)


def _type_char(kind: Kind) -> str:
    if isinstance(kind, Array):
        return str(kind.dtype.kind)
    cls: Any = kind.type if isinstance(kind, Number) else type(kind.value) if isinstance(kind, Static) else None
    if cls is None:
        return "?"
    for char, types in (("b", (bool, np.bool_)), ("i", (int, np.integer)), ("f", (float, np.floating)),
                        ("c", (complex, np.complexfloating))):  # fmt: skip
        if issubclass(cls, types):
            return char
    return "?"


def is_float(kind: Kind) -> bool:
    """Can it carry a derivative: a float or complex number or array, or Unknown?"""
    return isinstance(kind, Unknown) or _type_char(kind) in "fc"


def is_complex(kind: Kind) -> bool:
    """Is it a complex number or array?"""
    return _type_char(kind) == "c"


def is_int(kind: Kind) -> bool:
    """Is it an int number or array (bools are not)?"""
    return _type_char(kind) in "iu"


def is_bool(kind: Kind) -> bool:
    """Is it a bool number, constant or array?"""
    return _type_char(kind) == "b"


def rank_of(kind: Kind) -> int | None:
    """The number of axes; 0 for numbers, None where it is not known."""
    return 0 if is_number(kind) else kind.rank


def leaves(kind: Kind) -> Iterator[Kind]:
    """The kinds at the ends of nested containers; a list of unknown length counts as one element."""
    if isinstance(kind, Container):
        for _, part in kind.parts():
            yield from leaves(part)
    else:
        yield kind


def is_differentiable(kind: Kind) -> bool:
    """Does it contain anything that can carry a derivative?"""
    return any(is_float(leaf) for leaf in leaves(kind))


def is_float_kind(kind: Kind) -> bool:
    """Can a value of this kind carry a derivative?"""
    if isinstance(kind, Number):
        return issubclass(kind.type, (float, complex, np.inexact))
    if isinstance(kind, Array):
        return kind.dtype.kind in "fc"
    if isinstance(kind, Object) and (is_labelled(kind.cls) or issubclass(kind.cls, np.ndarray)):
        return not is_labelled(kind.cls)
    if isinstance(kind, Unknown):
        return not isinstance(kind, Text)
    return isinstance(kind, Container) and any(is_float_kind(part) for _, part in kind.parts())


def in_parts(kind: Kind) -> TypeGuard[Tuple | List]:
    """Are values of this kind taken apart when they come out of a run-time list of active values? Lists without floats,
    which the program may change, stay what they are.

    >>> whole, number = Number(int), Number(float)
    >>> in_parts(Tuple((whole, whole))), in_parts(List((whole, number))), in_parts(List((whole, whole)))
    (True, True, False)
    """
    if isinstance(kind, Tuple):
        return bool(kind.items)
    return isinstance(kind, List) and is_float_kind(kind)


def as_float(kind: Kind) -> Kind:
    """The kind of a wrt argument: an int given for a number counts as a float."""
    return Number(float) if kind.whole and not is_bool(kind) else kind
