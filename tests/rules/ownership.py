"""Do the helpers of generated code give memory of their own, but for those that are known to give views?"""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from s2sad.analysis.known_calls import VIEWING_HELPERS
from s2sad.runtime import helpers, load

#: helpers that give a view of another argument than the first, as their rules say, and which
OTHERS = {"interpolating_coefficients": 1}


def parts(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (tuple, list)) else [value]


def watched(helper: Callable[..., Any]) -> Callable[..., Any]:
    """The helper, which holds what it gives against its arguments."""
    known = 0 if helper.__name__ in VIEWING_HELPERS else OTHERS.get(helper.__name__)

    @functools.wraps(helper)
    def call(*args: Any, **kwargs: Any) -> Any:
        result = helper(*args, **kwargs)
        for part in parts(result):
            for which, given in [*enumerate(args), *kwargs.items()]:
                if isinstance(part, np.ndarray) and isinstance(given, np.ndarray) and which != known:
                    assert not np.shares_memory(part, given), f"{helper.__name__} gives a view of argument {which}"
        return result

    return call


@contextlib.contextmanager
def watching() -> Iterator[None]:
    """While this lasts, what is derived calls helpers that are watched."""
    replaced: list[tuple[dict[str, Any], str, Any]] = []

    def execute(code: Any, namespace: dict[str, Any]) -> None:
        exec(code, namespace)
        for name, value in list(namespace.items()):
            if inspect.isfunction(value) and helpers.is_helper(value):
                replaced.append((namespace, name, value))
                namespace[name] = watched(value)

    load.exec = execute  # type: ignore[attr-defined]
    try:
        yield
    finally:
        del load.exec  # type: ignore[attr-defined]
        for namespace, name, value in replaced:  # what is derived again has to find the helpers themselves
            namespace[name] = value
