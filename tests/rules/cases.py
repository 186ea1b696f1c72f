"""The calls on which each rule is tested, by the name of its function."""

from __future__ import annotations

import cmath
import math
import operator
from typing import Any

import numpy as np

_rng = np.random.default_rng(7)


def a(*shape: int, low: float = 0.2, high: float = 0.9) -> Any:
    """Distinct numbers in an interval; signs too where it holds 0."""
    values = np.linspace(low, high, int(np.prod(shape)) if shape else 1)
    values = _rng.permutation(values)
    return values.reshape(shape) if shape else float(values[0] if low != 0.2 else _rng.uniform(low, high))


def s(*shape: int) -> Any:
    """Distinct numbers with signs, none near 0."""
    values = a(*shape, low=0.25, high=1.9)
    signs = _rng.choice([-1.0, 1.0], np.shape(values))
    return values * signs if shape else float(values * signs)


def c(*shape: int) -> Any:
    """Complex numbers."""
    return s(*shape) + 1j * a(*shape)


def spd(n: int, *batch: int) -> Any:
    """Symmetric positive definite matrices."""
    m = _rng.normal(size=(*batch, n, n))
    return m @ np.swapaxes(m, -1, -2) + n * np.eye(n)


class Case:
    """A call: positional and keyword arguments, and options of the check."""

    def __init__(self, *args: Any, _: dict[str, Any] | None = None, **kwargs: Any) -> None:
        self.args, self.kwargs, self.options = args, kwargs, _ or {}


K = Case
CASES: dict[str, list[Case]] = {}


def on(*names: str) -> Any:
    """Set the cases of functions: on("np.sum", ...)[K(...), ...]."""

    class Setter:
        def __getitem__(self, cases: Any) -> None:
            for name in names:
                CASES.setdefault(name, []).extend(cases if isinstance(cases, tuple) else (cases,))

    return Setter()


# -- elementwise: made from the rule's number of arguments ---------------------------------------------------------------

#: where a function is defined, and smooth
DOMAIN: dict[str, tuple[float, float]] = {
    "np.arccosh": (1.2, 2.5), "math.acosh": (1.2, 2.5), "np.cbrt": (-2.0, -0.5),
}  # fmt: skip

QUOTIENT = ("operator.mod", "np.remainder", "np.fmod", "divmod", "np.divmod", "math.fmod")


def unary(name: str) -> list[Case]:
    low, high = DOMAIN.get(name, (0.2, 0.9))
    first = [K(a(low=low, high=high))]
    if name.startswith(("math.", "cmath.")):
        return first
    return [*first, *(K(a(*shape, low=low, high=high)) for shape in [(3,), (2, 3), (2, 1, 3), (1,), (0,)]), K(np.array(0.5 * (low + high)))]


def binary(name: str) -> list[Case]:
    if name.startswith("math."):
        return [K(1.3, 0.7), K(0.4, 2.2)]
    shapes = [((3,), (3,)), ((2, 3), (3,)), ((3,), (2, 3)), ((2, 1), (1, 3)), ((2, 3), (2, 1)), ((1, 3), (2, 3)), ((2, 3, 2), (3, 1)), ((1,), (3,)),
              ((1, 1), (2, 3)), ((4, 2, 3), (2, 1)), ((2, 1, 3), (4, 1)), ((0, 3), (3,))]
    if name in QUOTIENT:  # quotients between 2 and 3: no jumps
        cases = [K(a(*p, low=2.6, high=2.9), a(*q, low=1.0, high=1.2)) for p, q in shapes]
        return [K(2.7, 1.1), K(a(3, low=2.6, high=2.9), 1.1), K(2.7, a(2, 3, low=1.0, high=1.2)), *cases]
    cases = [K(a(*p), 0.1 + a(*q)) for p, q in shapes]
    return [K(0.7, 0.4), K(a(3), 1.5), K(0.5, a(2, 3)), *cases]


on("np.where")[
    K(np.array([True, False, True]), a(3), a(3)), K(np.array([[True], [False]]), a(3), a(2, 1)), K(np.array([True, False]), 0.5, a(2)),
    K(np.array([[True, False]]), a(2), 2.0), K(True, 0.5, 0.7)]
_reduction = [K(a(3)), K(a(2, 3)), K(a(2, 3), axis=0), K(a(2, 3), axis=1), K(a(2, 3), axis=-1, keepdims=True), K(a(2, 3), keepdims=True),
              K(a(2, 3, 4), axis=1), K(a(2, 3, 4), axis=(0, 2)), K(a(2, 3, 4), axis=(-1, 0), keepdims=True), K(a(2, 3, 4), axis=(0, 1)), K(a(2, 3), 1), K(a(1, 3), axis=0)]
on("np.sum", "np.mean")[(*_reduction, K(np.array(0.5)), K(a(0, 3), axis=1, _={"empty": True}))]
on("operator.matmul", "np.matmul", "operator.imatmul")[
    K(a(3), a(3)), K(a(2, 3), a(3)), K(a(2), a(2, 3)), K(a(2, 3), a(3, 4)), K(a(5, 2, 3), a(3)), K(a(2), a(4, 2, 3)), K(a(5, 2, 3), a(3, 4)),
    K(a(2, 3), a(5, 3, 4)), K(a(5, 2, 3), a(5, 3, 4)), K(a(1, 2, 3), a(5, 3, 4)), K(a(6, 1, 2, 3), a(5, 3, 4)), K(c(2, 3), c(3, 2))]
