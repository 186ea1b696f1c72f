"""Derivatives of functions for the tests of what they record, own and leave alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from s2sad.core import text
from s2sad.derive import derive
from s2sad.frontend.source import function_tree
from s2sad.kinds.bind import kinds_of
from s2sad.kinds.query import as_float
from s2sad.request import Derived, Request, Result

X = np.array([0.5, -1.25, 2.0, 0.75])
Y = np.array([1.5, 0.25, -0.5, 1.0])


def derived(f: Callable[..., Any], *args: Any, wrt: tuple[str, ...] | None = None, result: Result = "grad") -> Derived:
    """The derivative of a function for example arguments, as trees."""
    names = [n.id for n in function_tree(f).tree.args.args]
    wrt = wrt if wrt is not None else (names[0],)
    kinds = {n: as_float(k) if n in wrt else k for n, k in kinds_of(dict(zip(names, args, strict=True))).items()}
    return derive(f, Request(result, wrt, len(wrt) == 1), kinds)


def decided(f: Callable[..., Any], *args: Any, **options: Any) -> dict[str, set[str]]:
    """What was "taped", "copied" or "computed again", by the user's names."""
    made = derived(f, *args, **options)
    out: dict[str, set[str]] = {}
    for name, what, _ in made.decisions:
        out.setdefault(what, set()).add(made.facts.user_name.get(name, name))
    return out


def generated(f: Callable[..., Any], *args: Any, **options: Any) -> str:
    """The text of the main generated function."""
    return text(derived(f, *args, **options).functions[-1])


def appends(f: Callable[..., Any], *args: Any, **options: Any) -> int:
    """How many statements of the derivative put something on a list."""
    tree = derived(f, *args, **options).functions[-1]
    return sum(isinstance(n, gast.Attribute) and n.attr == "append" for n in gast.walk(tree))


def calls_of(f: Callable[..., Any], method: str, *args: Any, **options: Any) -> int:
    """How many times the derivative's text calls something of this name."""
    tree = derived(f, *args, **options).functions[-1]
    return sum(
        isinstance(n, gast.Call) and (getattr(n.func, "attr", None) == method or getattr(n.func, "id", None) == method)
        for n in gast.walk(tree)
    )


def tapes(f: Callable[..., Any], *args: Any, **options: Any) -> int:
    """How many empty lists the derivative starts with."""
    tree = derived(f, *args, **options).functions[-1]
    return sum(
        isinstance(n, gast.Assign) and isinstance(n.value, gast.List) and not n.value.elts for n in gast.walk(tree)
    )
