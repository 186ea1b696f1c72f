"""The registry of the language corpus: programs as users write them, each with arguments to differentiate it at.

    @program("while", args=lambda: (2.0, 1e-9))
    def newton(a, tol): ...

The first argument names the constructs (comma-separated) that the program stands for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from tests.numeric import leaves
from tests.versions import since

F = TypeVar("F", bound=Callable[..., Any])


@dataclass
class Program:
    """One program of the corpus.

    `refused` is True where a DerivationError is the right answer and "may" where it is as good as a right derivative.
    `shared`: arguments share memory and the program writes to it; their gradients add up over the shared memory.
    """

    f: Callable[..., Any]
    constructs: tuple[str, ...]
    make: Callable[[], tuple[Any, ...]]
    wrt: Any
    second: bool
    refused: bool | str
    raises: type[BaseException] | None
    shared: bool
    rtol: float
    step: float

    @property
    def name(self) -> str:
        return f"{self.f.__module__.rpartition('.')[2]}:{self.f.__qualname__}"

    @property
    def args(self) -> tuple[Any, ...]:
        return self.make()


@dataclass
class Corpus:
    programs: list[Program] = field(default_factory=list)


CORPUS = Corpus()


def floats_of(args: tuple[Any, ...]) -> Any:
    """All arguments that hold floats: one position, or a tuple of them."""
    found = tuple(k for k, x in enumerate(args) if any(True for _ in leaves(x)))
    return found[0] if len(found) == 1 else found


def program(
    constructs: str,
    *,
    args: Callable[[], tuple[Any, ...]],
    wrt: Any = None,
    second: bool = True,
    refused: bool | str = False,
    raises: type[BaseException] | None = None,
    shared: bool = False,
    rtol: float = 1e-6,
    step: float = 4e-3,
    numpy: str = "1.26",
) -> Callable[[F], F]:
    """Enter a function into the corpus; the function itself is returned as it is.

    Args:
        constructs: what it stands for, comma-separated.
        args: makes fresh arguments.
        wrt: positions; all arguments that hold floats when not given.
        second: is it twice differentiable there (and does it return one float)?
        refused: must (True) or may ("may") it be refused?
        raises: what the primal raises at these arguments; the derivatives have to raise it too.
        shared: do arguments share memory that is written to?
        rtol: relative tolerance.
        step: the first step of the differences, for points near a kink.
        numpy: the first version of NumPy that has what it calls.
    """
    if refused not in (True, False, "may"):
        raise ValueError(f"refused={refused!r} is not one of True, False and 'may'")

    def enter(f: F) -> F:
        if not since("numpy", numpy):
            return f
        names = tuple(c.strip() for c in constructs.split(","))
        chosen = floats_of(args()) if wrt is None else wrt
        CORPUS.programs.append(Program(f, names, args, chosen, second, refused, raises, shared, rtol, step))
        return f

    return enter


def normal(*shape: int, seed: int = 0) -> np.ndarray:
    """Normal draws, the same ones each time."""
    return np.random.default_rng(seed).normal(size=shape)


def uniform(*shape: int, seed: int = 0, low: float = 0.2, high: float = 1.8) -> np.ndarray:
    """Uniform draws away from zero, the same ones each time."""
    return np.random.default_rng(seed).uniform(low, high, size=shape)
