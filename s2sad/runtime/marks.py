"""Functions that mean something to the compiler, and nothing to Python."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def stop_gradient(x: T) -> T:
    """The value as it is, as a constant of the derivative: in a function that is derived, nothing flows through it.

    Args:
        x: a number, an array, or a container of them.

    >>> from s2sad import grad
    >>> grad(lambda x: x * stop_gradient(x))(3.0)
    3.0
    """
    return x
