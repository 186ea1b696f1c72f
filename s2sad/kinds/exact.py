"""Calls that are found by the exact shapes of their arguments: sooner than by signatures (`s2sad.kinds.bind`)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable
from operator import is_
from typing import Any, cast

import numpy as np

from s2sad.kinds.bind import EXACT, FIXED


def exact_key(args: tuple[Any, ...]) -> Hashable:
    """What numbers, constants, arrays and containers of them are, by exact shapes: equal for two calls only where
    `signature_key` is.

    None for other arguments, for several arrays one of which may lie in another's memory, and for what is met twice. It
    is found in a fraction of the time.

    >>> exact_key((np.ones(3), 2.0)) == exact_key((np.zeros(3), 5.0)), exact_key((np.ones(3),)) == exact_key((3.0,))
    (True, False)
    >>> a = np.ones(3)
    >>> exact_key((a, a)), exact_key((a, {"w": a[1:]})), exact_key(({"w": a},)) == exact_key(({"v": a},))
    (None, None, False)
    """
    parts: list[Hashable] = []
    met: list[Any] = []
    if not _exact_parts(args, parts, met):
        return None
    views = any(type(one) is np.ndarray and one.base is not None for one in met)
    if len(met) > 1 and (views or len(set(map(id, met))) < len(met)):
        return None  # arrays that own their memory, each once, do not share any
    return tuple(parts)


#: arguments of more parts are found by their signature
_PARTS = 500


def _exact_parts(values: Iterable[Any], parts: list[Hashable], met: list[Any]) -> bool:
    """Note what values are, and the arrays and containers among them that change. False where that does not do."""
    for value in values:
        cls: Any = type(value)
        if type(cls) is not type or len(parts) > _PARTS:
            return False
        parts.append(cls)
        if cls is np.ndarray:
            parts.append(value.dtype)
            parts.append(value.shape)
            met.append(value)
        elif cls in EXACT:
            parts.append(value)
        elif cls is dict:
            if not all(type(key) is str for key in value):
                return False
            met.append(value)
            parts.append(tuple(value))
            if not _exact_parts(value.values(), parts, met):
                return False
        elif cls is list or cls is tuple:
            if cls is list:
                met.append(value)
            parts.append(len(value))
            if not _exact_parts(value, parts, met):
                return False
        elif cls not in FIXED:
            return False
    return True


#: how many values a test asks for at most: of more, the key is found as soon
_ASKED = 40


def exact_test(
    args: tuple[Any, ...], found: Any = True, asked: Iterable[Callable[[Callable[[Any], str]], str]] = ()
) -> Callable[[tuple[Any, ...]], Any] | None:
    """A function that says of arguments whether they have the exact key of these: written for them, it takes a tenth of
    the time. It may say no where the answer is yes (of keys that are equal and not the same strings, say).

    Args:
        args: arguments that have an exact key.
        found: what the function gives for those that have the same; for others it gives None.
        asked: what has to be true besides, as what gives an expression when it is given what binds an object to a name
            (`s2sad.runtime.conditions`). What raises is not true.

    Returns:
        The test; None where there are too many parts.

    >>> a, b = np.ones(3), np.ones((2, 3))
    >>> test = exact_test((a, {"w": b}, 2.0))
    >>> test((np.zeros(3), {"w": b}, 5.0)), test((b[0], {"w": b}, 5.0)), test((a, {"v": b}, 2.0))
    (True, None, None)
    >>> test = exact_test((2.0,), "found", [lambda bind: f"{bind([1])}[0] == 1"])
    >>> test((5.0,)), test((5,))
    ('found', None)
    """
    writer = _Test()
    for k, value in enumerate(args):
        writer.ask(f"a{k}", f"a{k}", value)
    if len(writer.alike) > _ASKED:
        return None
    several = sum(len(names) for (cls, *_), names in writer.alike.items() if cls in (np.ndarray, dict, list)) > 1
    for (cls, *_), names in writer.alike.items():
        if cls is np.ndarray and several:
            writer.asked += [f"{name}.base is None" for name in names]
        if cls in (np.ndarray, dict, list):  # what is of another shape is another object
            writer.asked += [f"{one} is not {other}" for one, other in itertools.combinations(names, 2)]
    writer.asked += [f"({code(writer.bind)})" for code in asked]
    unpacked = "".join(f"a{k}, " for k in range(len(args)))
    lines = [f"def test(args):\n  if len(args) != {len(args)}: return None", f"{unpacked} = args" if args else "pass"]
    lines += [f"try: return {writer.bind(found)} if {' and '.join(writer.asked) or True} else None"]
    exec("\n  ".join([*lines, "except Exception: return None"]), writer.values)
    test: Callable[[tuple[Any, ...]], Any] = writer.values["test"]
    return test


class _Test:
    """What a test asks, in order.

    Attributes:
        asked: expressions, all of which have to be true.
        values: what they refer to.
        alike: the names of values by class, and by dtype and shape, keys or length.
    """

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.values: dict[str, Any] = {"ndarray": np.ndarray, "is_": is_}
        self.alike: dict[Any, list[str]] = {}

    def bind(self, value: Any) -> str:
        name = f"v{len(self.values)}"
        self.values[name] = value
        return name

    def ask(self, name: str, first: str, value: Any) -> None:
        """Ask whether what a name stands for, which `first` gives it, is like a value."""
        cls, form = type(value), cast(Hashable, None)
        if value is None or value is ... or cls is bool:
            self.asked.append(f"{first} is {value!r}")
        else:
            self.asked.append(f"type({first}) is {self.bind(cls)}")
        if cls is np.ndarray:
            form = value.dtype, value.shape
            self.asked += [f"{name}.dtype is {self.bind(value.dtype)}", f"{name}.shape == {value.shape}"]
        elif cls is str or cls is bytes:
            self.asked.append(f"{name} == {value!r}")
        elif cls is dict or cls is list or cls is tuple:
            form = tuple(value) if cls is dict else len(value)
            self.asked.append(f"len({name}) == {len(value)}")
            if cls is dict:
                self.asked.append(f"all(map(is_, {name}, {self.bind(form)}))")
            for k, (key, part) in enumerate(value.items() if cls is dict else enumerate(value)):
                self.ask(f"{name}_{k}", f"({name}_{k} := {name}[{key!r}])", part)
        self.alike.setdefault((cls, form), []).append(name)
