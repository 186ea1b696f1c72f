"""Calls made from others: each length of their arrays shrunk to 1 and to 0, wherever the function still takes them."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.rules import runner
from tests.rules.cases import Case

#: what gives memory that nobody wrote, or writes outside of its own, when a length is 0: NumPy's transforms with n=,
#: what SciPy has from C and Fortran
UNSAFE = ("numpy.fft", "scipy.linalg", "scipy.ndimage", "scipy.optimize", "scipy.signal")


def shrunk(case: Case, target: Any) -> Iterator[tuple[str, Case]]:
    """The cases that shrinking one length of all arrays to 1 and to 0 gives, by what was done.

    Only those on which the function runs without a warning, is finite where it was, and has a float result.

    >>> [done for done, _ in shrunk(Case(np.ones((2, 3)), axis=0), np.sum)]
    ['2 -> 1', '2 -> 0', '3 -> 1', '3 -> 0']
    """
    lengths = sorted({n for v in _arrays((*case.args, *case.kwargs.values())) for n in v.shape if n > 1})
    for length, new in itertools.product(lengths, (1, 0)):
        for change in (_arrays_alone, _shapes_too):
            args = tuple(change(v, length, new) for v in case.args)
            kwargs = {k: change(v, length, new) for k, v in case.kwargs.items()}
            if defined(target, args, kwargs):
                made = Case(*args, _=dict(case.options))
                made.kwargs = kwargs
                yield f"{length} -> {new}", made
                break


def complexified(case: Case, target: Any) -> Iterator[Case]:
    """The case with all of its arrays complex, and with each argument alone, where the function takes them."""

    def turned(value: Any, position: int) -> Any:
        rng = np.random.default_rng(position)
        return _mapped(value, lambda a: a + 1j * rng.uniform(0.1, 0.5, a.shape) if a.dtype == np.float64 else a)

    arrays = [i for i, v in enumerate(case.args) if runner._floats(v) and not isinstance(v, float)]
    for chosen in [set(arrays), *({i} for i in arrays if len(arrays) > 1)]:
        made = Case(*[turned(v, i) if i in chosen else v for i, v in enumerate(case.args)], _=dict(case.options))
        made.kwargs = dict(case.kwargs)
        known = any(v.dtype.kind == "c" for v in _arrays(made.args))
        if known and defined(target, made.args, made.kwargs):
            yield made


def reformed(case: Case, target: Any, parameters: list[str]) -> Iterator[tuple[str, Case]]:
    """The case along other axes, counted from the front and from the back, along two at once, with keepdims; of stacks
    of its arrays; and of their first elements as arrays without axes: what the function takes.

    >>> [done for done, _ in reformed(Case(np.ones((2, 3))), np.sum, ["a", "axis", "dtype", "out", "keepdims"])][:3]
    ['axis=None', 'axis=-2', 'axis=1']
    """
    changes: list[tuple[str, dict[str, Any]]] = []
    rank = max((v.ndim for v in _arrays(case.args)), default=0)
    if "axis" in parameters and rank:
        some = [None, -rank, rank - 1, -1] if rank > 1 else [None, -1]
        changes = [(f"axis={k}", {"axis": k}) for k in some]
        if "keepdims" in parameters:
            pairs = [(0, -1), (-1, -2)] if rank > 1 else []
            changes += [(f"axis={k}", {"axis": k}) for k in pairs]
            changes += [(f"axis={k}, keepdims", {"axis": k, "keepdims": True}) for k in (*some, *pairs)]
    for done, change in changes:
        made = _with(case, parameters, change)
        if made is not None and defined(target, made.args, made.kwargs):
            yield done, made
    for done, turned in (("stacked", _stacked), ("without axes", _first)):
        made = Case(*[_mapped(v, turned) for v in case.args], _=dict(case.options))
        made.kwargs = {k: _mapped(v, turned) for k, v in case.kwargs.items()}
        if rank and defined(target, made.args, made.kwargs):
            yield done, made


def _with(case: Case, parameters: list[str], change: dict[str, Any]) -> Case | None:
    """The case with other values of some parameters."""
    args, kwargs = list(case.args), dict(case.kwargs)
    for name, value in change.items():
        place = parameters.index(name)
        if place < len(args):
            args[place] = value
        else:
            kwargs[name] = value
    made = Case(*args, _=dict(case.options))
    made.kwargs = kwargs
    return made


def _stacked(a: Any) -> Any:
    return np.stack([a, a if a.dtype.kind in "biu" else 0.97 * a])


def _first(a: Any) -> Any:
    return np.array(a.flat[0]) if a.size else a


def defined(target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Does a function take these arguments, without a warning, and give floats that are finite where these are?"""
    unsafe = str(getattr(target, "__module__", "")).startswith(UNSAFE)
    if unsafe and any(v.size == 0 for v in _arrays((*args, *kwargs.values()))):
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            value = target(*map(_copied, args), **{k: _copied(v) for k, v in kwargs.items()})
        except Exception:
            return False
    parts = [np.asarray(p) for p in (value if isinstance(value, (tuple, list)) else [value])]
    whole = all(np.all(np.isfinite(v)) for v in _arrays((*args, *kwargs.values())) if v.dtype.kind in "fc")
    floats = [p for p in parts if p.dtype.kind in "fc"]
    return bool(floats) and (not whole or all(np.all(np.isfinite(p)) for p in floats))


def _arrays(value: Any) -> Iterator[Any]:
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from _arrays(part)


def _copied(value: Any) -> Any:
    return _mapped(value, np.copy)


def _mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, np.ndarray):
        return change(value)
    if isinstance(value, (tuple, list)) and runner._arrays(value):
        return type(value)(_mapped(part, change) for part in value)
    return value


def _arrays_alone(value: Any, length: int, new: int) -> Any:
    def cut(a: Any) -> Any:
        part = a[tuple(slice(new) if n == length else slice(None) for n in a.shape)].copy()
        return part % max(new, 1) if part.dtype.kind == "i" and part.shape != a.shape else part

    return _mapped(value, cut)


def _shapes_too(value: Any, length: int, new: int) -> Any:
    """As well the lengths that are arguments, and indices that would be outside."""
    if isinstance(value, int) and not isinstance(value, bool):
        return new if value == length else value
    if isinstance(value, tuple) and not runner._arrays(value):
        return tuple(_shapes_too(v, length, new) for v in value)
    made = _arrays_alone(value, length, new)
    return made % max(new, 1) if isinstance(made, np.ndarray) and made.dtype.kind == "i" else made
