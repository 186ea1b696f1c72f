"""Texts that derivation can tell: names that are checked against a list, by a function that is cached, say."""

from __future__ import annotations

import functools
from collections.abc import KeysView, ValuesView
from typing import Any

import numpy as np
import pytest

from s2sad import grad

SCALE = "reference"


@functools.cache
def checked(name: str, names: tuple[str, ...], message: str = "{0} is none of {1}") -> str:
    names = tuple([str(n) for n in names])
    lower = name.lower()
    if lower not in [n.lower() for n in names]:
        raise ValueError(message.format(name, names))
    return lower


def chosen(x: float) -> float:
    return x * 2.0 if checked("First", ("first", "Second")) == "first" else x * 3.0


def set_scale(name: str) -> None:
    global SCALE
    SCALE = checked(name, ("reference", "one"))


class scale:
    def __init__(self, name: str) -> None:
        self.name, self.before = name, SCALE

    def __enter__(self) -> None:
        set_scale(self.name)

    def __exit__(self, *args: Any) -> None:
        set_scale(self.before)


def for_a_while(x: float) -> float:
    outer = 3.0 * x if SCALE == "reference" else x
    with scale("one"):
        inner = 3.0 * x if SCALE == "reference" else x
    return outer * inner


def test_what_is_told_leaves_nothing() -> None:
    df = grad(chosen)
    assert df(0.5) == 2.0
    assert "if" not in df.source


def test_a_global_that_is_something_else_for_a_while() -> None:
    global SCALE
    df = grad(for_a_while)
    assert df(2.0) == pytest.approx(12.0)
    SCALE = "one"
    try:
        assert df(2.0) == pytest.approx(4.0)
    finally:
        SCALE = "reference"
    assert df(2.0) == pytest.approx(12.0)


def last_of_some(x: float) -> float:
    try:
        for k in range(4):
            y = x / (k + 1.0)
            if y < 0.1:
                break
        if k + y > 100.0:
            raise ValueError
    except Exception:
        return x
    return y * k


def test_names_that_the_first_turn_binds() -> None:
    df = grad(last_of_some)
    assert df(1.0) == pytest.approx(0.75)
    assert df(0.15) == pytest.approx(0.5)


def as_array(a: Any) -> Any:
    if isinstance(a, (KeysView, ValuesView)):
        a = list(a)
    return np.asarray(a, dtype=float)


def of_what_only_the_run_knows(x: Any, table: Any) -> Any:
    given = table.get("factor")
    y = as_array(np.matmul(given, x[..., None]).squeeze(-1))
    return np.sum(as_array(np.sin(y)) * y)


def test_an_active_value_is_no_view_of_a_dict() -> None:
    df, x = grad(of_what_only_the_run_knows), np.array([0.3, 0.5])
    factor = np.array([[1.0, 2.0], [0.5, 1.5]])
    y = factor @ x
    assert df(x, {"factor": factor}) == pytest.approx((np.cos(y) * y + np.sin(y)) @ factor)
    assert "KeysView" not in df.source
