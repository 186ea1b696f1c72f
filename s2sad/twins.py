"""Derivatives of functions that are made anew: a lambda in a loop is another function in each turn, of the same code.

What was derived for one is right for the next when the two differ only in what a derivation does not look at: floats
that are captured, the numbers of arrays that are captured, or global names of the function's. So code is kept by the
code object, with marks in the place of what belongs to the one function (itself, its attributes, its closure cells, its
arrays, captured functions), and put on another function by filling these in. The conditions of the derivation are asked
of the new function then, like at any other call; and what belongs to it must be nothing that the code knows by another
name, too: `g is h` was told of another g.

    for batch in batches:
        w -= rate * grad(lambda w: loss(w, batch))(w)          derived once, where the batches are of one shape
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2sad.core import Written
from s2sad.frontend.names import global_names
from s2sad.runtime.conditions import Condition, Shaped, is_scalar, objects_in, same
from s2sad.runtime.identity import Itself
from s2sad.runtime.load import in_python

#: for how many code objects and signatures derivations are kept, and how many for each
SIGNATURES, SEVERAL = 128, 4
#: how deep functions that capture functions are followed
DEPTH = 4


@dataclass(frozen=True)
class Mark:
    """In the place of an object of one function: its number among those."""

    number: int


def is_made_anew(function: types.FunctionType) -> bool:
    """May there be several functions of this code: was it made by a lambda, or inside another function?

    >>> is_made_anew(lambda x: x), is_made_anew(is_made_anew)
    (True, False)
    """
    return "<" in function.__qualname__


class Own:
    """What belongs to one function, in an order that is the same for all functions of its code: first itself.

    `form` is what has to be equal for two functions to be taken for twins; None where something is captured that a
    derivation may have looked into.

    >>> def made(a, k):
    ...     return lambda x: k * a * x
    >>> first, second, third = Own(made(np.ones(3), 2)), Own(made(np.zeros(3), 2)), Own(made(np.ones(3), 3))
    >>> first.form == second.form, first.form == third.form
    (True, False)
    """

    def __init__(self, function: types.FunctionType) -> None:
        self.objects: list[Any] = []
        self.numbers: dict[int, int] = {}
        self.arrays: list[Any] = []
        self._fits = True
        form = self._function(function, 0)
        self.form = form if self._fits and not self._overlap() else None

    def _note(self, value: Any) -> int:
        if id(value) not in self.numbers:
            self.numbers[id(value)] = len(self.objects)
            self.objects.append(value)
        return self.numbers[id(value)]

    def _function(self, function: types.FunctionType, depth: int) -> Any:
        if id(function) in self.numbers:
            return self.numbers[id(function)]
        number = self._note(function)
        defaults = function.__defaults__
        if function.__kwdefaults__ or depth > DEPTH or not all(map(is_scalar, defaults or ())):
            self._fits = False
            return None
        self._note(function.__dict__)
        if defaults:
            self._note(defaults)
        cells = tuple(self._cell(cell, depth) for cell in function.__closure__ or ())
        code, outer = function.__code__, function.__globals__
        named = ((name, outer.get(name)) for name in global_names(code))
        arrays = tuple((name, self._array(value)) for name, value in named if type(value) is np.ndarray)
        given = tuple(float if depth == 0 and type(v) is float else _Scalar(v) for v in defaults or ())
        return number, Itself(code), Itself(outer), given, cells, arrays

    def _cell(self, cell: types.CellType, depth: int) -> Any:
        number = self._note(cell)
        try:
            value = cell.cell_contents
        except ValueError:
            return number, "empty"
        if type(value) is float:
            return number, float  # read in each run, or a condition
        if is_scalar(value):
            return number, _Scalar(value)
        if type(value) is np.ndarray:
            return number, self._array(value)
        if type(value) is types.FunctionType and is_made_anew(value):
            return number, self._function(value, depth + 1)
        # (isinstance would ask the value for its class)
        if issubclass(type(value), (types.FunctionType, types.ModuleType, types.BuiltinFunctionType, type, np.ufunc)):
            return number, Itself(value)
        self._fits = False
        return None

    def _array(self, value: np.ndarray) -> Any:
        if id(value) not in self.numbers:
            self.arrays.append(value)
        self._fits = self._fits and value.dtype != object
        flags = value.flags
        layout = flags.c_contiguous, flags.f_contiguous, flags.writeable, value.strides
        return self._note(value), value.dtype, value.shape, layout

    def _overlap(self) -> bool:
        arrays = self.arrays
        return any(np.may_share_memory(a, b) for i, a in enumerate(arrays) for b in arrays[:i])


@dataclass(frozen=True, eq=False)
class _Scalar:
    """A captured number or text, equal to another that is the same to the last bit."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Scalar) and same(self.value, other.value)

    __hash__ = object.__hash__


#: the mark of the namespace of the generated function
_NAMESPACE = Mark(-1)


class _Bare:
    """Objects with marks in the place of what belongs to one function, and of the namespace of its derivative."""

    def __init__(self, own: Own, namespace: dict[str, Any]) -> None:
        self.own, self.namespace = own, namespace

    def value(self, value: Any) -> Any:
        number = self.own.numbers.get(id(value))
        return _NAMESPACE if value is self.namespace else value if number is None else Mark(number)

    def condition(self, condition: Condition) -> Condition:
        changed = {f.name: self.part(getattr(condition, f.name)) for f in dataclasses.fields(condition)}
        return dataclasses.replace(condition, **changed)

    def part(self, part: Any) -> Any:
        return _shaped_like(part, self.value(part.array)) if type(part) is Shaped else self.value(part)


class _Filled(_Bare):
    """The same objects again, with what belongs to another function in the place of the marks."""

    def value(self, value: Any) -> Any:
        if value is _NAMESPACE:
            return self.namespace
        return self.own.objects[value.number] if type(value) is Mark else value


def _shaped_like(form: Shaped, array: Any) -> Shaped:
    """The form of another array: of a mark, too, which has no shape itself."""
    made = Shaped.__new__(Shaped)
    made.array, made.dtype, made.shape = array, form.dtype, form.shape
    return made


def _may_be_captured(value: Any) -> bool:
    return type(value) is np.ndarray or (type(value) is types.FunctionType and is_made_anew(value))


@dataclass
class Twin:
    """What was derived for one function, without what belongs to it alone."""

    form: Any
    #: the compiled module, the name of the function in it, and what its other names stand for
    code: types.CodeType
    name: str
    names: dict[str, Any]
    conditions: tuple[Condition, ...]
    #: arrays, and functions made anew, that names and conditions are about and that do not belong to the function
    others: tuple[Any, ...]
    #: what else there is to know of it (`s2sad.derivative`)
    about: Any

    def is_apart_from(self, own: Own) -> bool:
        """Is nothing that belongs to a function known by another name as well?"""
        return not any(id(v) in own.numbers or any(np.may_share_memory(v, a) for a in own.arrays) for v in self.others)

    def conditions_for(self, own: Own, namespace: dict[str, Any]) -> tuple[Condition, ...]:
        """The conditions of the derivation, of another function whose derivative has this namespace."""
        filled = _Filled(own, namespace)
        return tuple(map(filled.condition, self.conditions))

    def names_for(self, own: Own) -> dict[str, Any]:
        """What the names stand for, of another function."""
        filled = _Filled(own, {})
        return {name: filled.value(value) for name, value in self.names.items()}


#: by code object, request and signature; what was not asked for longest goes first
_kept: dict[Any, list[Twin]] = {}


def twins_of(own: Own, function: types.FunctionType, asked: Any) -> Iterator[Twin]:
    """What was derived for functions that differ from this one in nothing that matters."""
    found = _kept.pop((function.__code__, asked), None)
    if found is None:
        return
    _kept[function.__code__, asked] = found
    for twin in list(found):
        if twin.form == own.form:
            yield twin


def keep_twin(
    own: Own,
    asked: Any,
    function: types.FunctionType,
    code: types.CodeType,
    names: dict[str, Any],
    conditions: tuple[Condition, ...],
    about: Any,
) -> None:
    """Keep what was derived for a function, for others of its code.

    Args:
        own: what belongs to the function.
        asked: the request and the signature.
        function: the generated function.
        code: the generated module, compiled.
        names: what its other names stand for.
        conditions: those of the derivation.
        about: what else is to be kept with it; it must hold nothing of the function's own.
    """
    bare, primal = _Bare(own, in_python(function).__globals__), own.objects[0]
    found = tuple(map(bare.condition, conditions))
    plain = {n: bare.value(value) for n, value in names.items() if not isinstance(value, Written)}
    others = {id(v): v for v in (*objects_in(found), *plain.values()) if _may_be_captured(v)}
    twin = Twin(own.form, code, function.__name__, plain, found, tuple(others.values()), about)
    if not twin.is_apart_from(own):
        return
    twins = _kept.pop((primal.__code__, asked), [])
    _kept[primal.__code__, asked] = [twin, *twins][:SEVERAL]
    while len(_kept) > SIGNATURES:
        del _kept[next(iter(_kept))]
