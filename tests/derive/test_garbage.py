"""Garbage is collected as before, once something is derived."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from s2sad import DerivationError, grad
from s2sad.runtime.garbage import OBJECTS, seldom_collected


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def square(x: float) -> float:
    return x * x


def unknown(x: float) -> float:
    return x * "x".nothing  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize("given", [(700, 10, 10), (0, 10, 10), (2 * OBJECTS, 5, 7)])
def test_thresholds_are_the_users_after_a_derivation(given: tuple[int, int, int]) -> None:
    gc.set_threshold(*given)
    assert grad(square)(3.0) == 6.0
    assert gc.get_threshold() == given
    with pytest.raises(DerivationError):
        grad(unknown)(3.0)
    assert gc.get_threshold() == given


def test_thresholds_come_back_behind_the_last_of_several() -> None:
    gc.set_threshold(700, 10, 10)
    first, second = seldom_collected(), seldom_collected()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert gc.get_threshold() == (OBJECTS, 10, 10)
    second.__exit__(None, None, None)
    assert gc.get_threshold() == (700, 10, 10)


def test_thresholds_that_are_set_meanwhile_stay() -> None:
    gc.set_threshold(700, 10, 10)
    with seldom_collected():
        gc.set_threshold(1000, 2, 3)
    assert gc.get_threshold() == (1000, 2, 3)
