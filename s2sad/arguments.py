"""Arguments, tangents and cotangents in the form that generated code expects, or the reason why they have none."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sad.kinds.bind import DEEPEST, is_plain_class, state_of
from s2sad.kinds.labelled import is_labelled
from s2sad.runtime.identity import held_attribute, held_items, written
from s2sad.runtime.structures import Whole, is_differentiable, leaves, map_leaves, parts, with_parts


def why_not_differentiable(value: Any) -> tuple[str, str] | None:
    """Why there is no derivative with respect to this value, and what to do; None when there is one."""
    way = "leave it out of wrt"
    depth = nesting(value)
    if depth is None:
        return f"a {type(value).__name__} that holds itself, whose derivative would have no end", f"{way}."
    if depth > DEEPEST:
        return f"a {type(value).__name__} nested {depth} deep, of which no more than {DEEPEST} is read", f"{way}."
    if isinstance(value, (bool, np.bool_)):
        return f"{value!r}, a bool, which has no derivative", f"{way}."
    if isinstance(value, (str, bytes)):
        return f"{written(value)}, a string, which has no derivative", f"{way}."
    if value is None:
        return "None, which has no derivative", f"{way}, or pass a value."
    if isinstance(value, np.ndarray) and value.dtype.kind not in "fc":
        if value.dtype.kind in "iu":
            return f"an integer array ({value.dtype}), which cannot vary by a small step", "pass it as x.astype(float)."
        return f"an array of dtype {value.dtype}, which has no derivative", f"{way}."
    if isinstance(value, (np.timedelta64, np.datetime64)):
        return f"a {type(value).__name__}, which has no derivative", f"{way}, or pass it as a float."
    if isinstance(value, np.ndarray) and not is_plain_class(type(value)):
        return f"a {type(value).__name__}, whose operators mean something else", "pass np.asarray(x)."
    if isinstance(value, (float, int, complex, np.number, np.ndarray)):
        return None if _fits_float(value) else (_TOO_LARGE, f"{way}, or pass it as a float of another scale.")
    if is_labelled(type(value)):
        return (
            f"a {type(value).__name__}, whose labels no derivative has",
            "pass x.to_numpy(): the derivative is an array like it.",
        )
    own = parts(value)
    if isinstance(value, (type, types.ModuleType, types.FunctionType, types.MethodType, types.BuiltinFunctionType)):
        return f"{held_attribute(value, '__name__')!r}, a {type(value).__name__}, which has no derivative", f"{way}."
    if own is None and not hasattr(value, "__dict__") and not hasattr(value, "__slots__"):
        return f"of type {type(value).__name__}, which has no derivative", f"{way}."
    if own is not None and next(leaves(value), None) is None:
        return None  # its derivative is as empty as it is
    if own is not None and not any(is_differentiable(v) or _is_int(v) or _has_state(v) for _, v in leaves(value)):
        arrays = any(isinstance(v, np.ndarray) for _, v in leaves(value))
        return "a container that holds no float", f"{way}, or convert its {'arrays' if arrays else 'values'} to float."
    if own is not None and not all(_fits_float(v) for _, v in leaves(value)):
        return f"a container that holds {_TOO_LARGE}", f"{way}, or pass it as a float of another scale."
    return None


def nesting(value: Any) -> int | None:
    """How deep containers lie in each other; None for one that is met again inside itself.

    >>> a, b = [1.0], {}
    >>> b["b"] = [b]
    >>> nesting(1.0), nesting([a, a]), nesting((1.0, b))
    (0, 2, None)
    """
    around: dict[int, None] = {}
    depth = 0
    todo: list[tuple[Any, bool]] = [(value, False)]
    while todo:
        part, done = todo.pop()
        if done:
            del around[id(part)]
        elif issubclass(type(part), (list, dict, tuple)):
            if id(part) in around:
                return None
            around[id(part)] = None
            depth = max(depth, len(around))
            todo.append((part, True))
            todo += [(p, False) for p in held_items(part)]
    return depth


_TOO_LARGE = "an int larger than the largest float"


def _fits_float(value: Any) -> bool:
    if not _is_int(value):
        return True
    try:
        float(value)
    except OverflowError:
        return False
    return True


def _has_state(value: Any) -> bool:
    """Is it an object whose attributes may hold floats?"""
    return bool(state_of(value)) and not isinstance(value, (type, types.ModuleType, types.FunctionType))


def _is_int(value: Any) -> bool:
    cls = type(value)
    return issubclass(cls, (int, np.integer)) and not issubclass(cls, (bool, np.timedelta64))


def as_floats(value: Any) -> Any:
    """An int that is given for a number as a float; so are those in containers that hold nothing but numbers.

    >>> as_floats(2) / 4, as_floats([1, 2.5])[0] / 4, as_floats({"n": 3, "x": "name"})
    (0.5, 0.25, {'n': 3, 'x': 'name'})
    """
    if _is_int(value):
        return Whole(value)
    own = parts(value)
    if (
        own
        and any(_is_int(v) for _, v in leaves(value))
        and all(_is_int(v) or isinstance(v, (float, np.floating)) for _, v in leaves(value))
    ):
        return map_leaves(lambda v: Whole(v) if _is_int(v) else v, value)
    return value


def as_plain_floats(value: Any) -> Any:
    """A result without the numbers that stand for ints.

    >>> as_plain_floats((as_floats(2), [1.5]))
    (2.0, [1.5])
    """
    if any(type(v) is Whole for _, v in leaves(value)):
        return map_leaves(lambda v: float(v) if type(v) is Whole else v, value)
    return value


def like(refuse: Callable[[str, str], Exception], given: Any, value: Any, what: str, of: str, path: str = "") -> Any:
    """A cotangent or tangent in the form of the value that it belongs to: same structure, same shapes, same dtypes.

    Args:
        refuse: makes the error from a reason and a way out.

    Raises:
        what `refuse` makes: it has another structure or shape, or is complex where the value is real.
    """
    own = parts(value)
    if own is not None:
        theirs = parts(given)
        if theirs is None or [k for k, _ in theirs] != [k for k, _ in own]:
            raise refuse(
                f"The {what}{path} does not have the structure of the {of}, a {type(value).__name__} of {len(own)}.",
                f"pass a {type(value).__name__} with the same parts.",
            )
        return with_parts(
            value,
            [like(refuse, g, v, what, of, f"{path}[{k!r}]") for (k, v), (_, g) in zip(own, theirs, strict=True)],
        )
    if not is_differentiable(value):
        return given
    array = np.asarray(given)
    if array.dtype.kind not in "biufc":
        raise refuse(f"The {what}{path} is {given!r}, which is not a number or an array of them.", "pass floats.")
    if array.shape != np.shape(value):
        raise refuse(
            f"The {what}{path} has shape {array.shape}, the {of} has shape {np.shape(value)}.",
            f"pass one of shape {np.shape(value)}.",
        )
    if array.dtype.kind == "c" and not np.iscomplexobj(value):
        raise refuse(f"The {what}{path} is complex, the {of} is real.", "pass its real part.")
    if isinstance(value, np.ndarray):
        return array if array.dtype == value.dtype else array.astype(value.dtype)
    return float(array.item()) if type(value) is Whole else type(value)(array.item())


def handed_in(
    bad: Callable[[str, str], Exception], values: dict[str, Any], others: Any, out: Any, single: bool
) -> tuple[Any, ...]:
    """What is given as `out`, one for each gradient: an array like the argument; None for a number.

    Args:
        bad: makes the error.
        values: what is differentiated with respect to, by name.
        others: what arrays it may not overlap.
        out, single: what was given, and is it one?

    Raises:
        BadArgument: something else is given.
    """
    given = (out,) if single else out
    if type(given) is not tuple or len(given) != len(values):
        raise bad(f"out is a {type(out).__name__}.", f"pass a tuple of {len(values)}: one for each gradient.")
    seen = [x for _, x in leaves(others) if isinstance(x, np.ndarray)]
    for (name, value), x in zip(values.items(), given, strict=True):
        if not isinstance(value, np.ndarray):
            if x is not None:
                raise bad(f"out holds a {type(x).__name__} for {name}, whose gradient is no array.", "pass None there.")
            continue
        if type(x) is not np.ndarray or x.shape != value.shape or x.dtype != value.dtype:
            raise bad(f"what out holds for {name} is no array like it.", f"pass np.empty_like({name}).")
        if not (x.flags.c_contiguous and x.flags.writeable):
            raise bad(f"what out holds for {name} does not lie in memory row by row, or is read-only.",
                      f"pass np.empty({name}.shape, {name}.dtype).")  # fmt: skip
        if any(np.may_share_memory(x, other) for other in seen):
            raise bad(f"what out holds for {name} shares memory with an argument or with another one.",
                      f"pass np.empty_like({name}).")  # fmt: skip
        seen.append(x)
    return given
