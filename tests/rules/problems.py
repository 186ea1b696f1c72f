"""Programs held against the same mathematical problem in numbers of 40 digits, whose derivatives are differences: to
the accuracy to which the function itself solves it. What they are is written down from the mathematics, not from the
rules."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import mpmath
import numpy as np

import s2sad

#: a context of its own: what is set on its numbers is on nobody else's
mp = mpmath.MPContext()
mp.dps = 40
#: the step of differences: what is left out is as its square, what is rounded as 10 ** -40 over it
STEP = mp.mpf(10) ** -13

#: the accuracies that are asked for: of formulas and integrals, to 1e-12; of roots and minima with slopes, to 1e-14 and
#: 1e-11; of differential equations, to 1e-11; of fits, by steps along slopes; of minima of which only values are
#: compared, which leaves half of the digits
FORMULA, SOLVED, INTEGRATED, FITTED, PLACE = 1e-10, 1e-9, 1e-8, 1e-7, 1e-6


Program = Callable[..., Any]


class Row(NamedTuple):
    """A program, the same of numbers of mpmath, its arguments, and the accuracy relative to the largest derivative."""

    rules: str
    program: Program
    exact: Program
    args: tuple[Any, ...]
    accuracy: float


def table() -> tuple[dict[str, Row], Callable[..., None]]:
    """Rows by name, and what adds one for the rules with some names."""
    rows: dict[str, Row] = {}

    def row(names: str, program: Program, exact: Program, *args: Any, to: float = FORMULA) -> None:
        name, k = names.split()[0], 1
        while f"{name}-{k}" in rows:
            k += 1
        rows[f"{name}-{k}"] = Row(names, program, exact, args, to)

    return rows, row


def numbers(value: Any) -> Any:
    """The same of numbers of mpmath, arrays as lists."""
    return [numbers(v) for v in value] if isinstance(value, (np.ndarray, list)) else mp.mpf(float(value))


def flat(value: Any) -> list[Any]:
    return [x for v in value for x in flat(v)] if isinstance(value, (list, tuple, np.ndarray)) else [value]


def along(value: Any, direction: Any, by: Any) -> Any:
    """A number, or lists of numbers, moved along a direction."""
    if isinstance(value, list):
        return [along(v, d, by) for v, d in zip(value, direction, strict=True)]
    return value + by * mp.mpf(float(direction))


def slope(exact: Callable[..., Any], args: list[Any], k: int, direction: Any) -> list[Any]:
    """The derivatives of all results along a direction of an argument."""
    ahead, behind = (
        flat(exact(*args[:k], along(args[k], direction, by), *args[k + 1 :])) for by in (STEP, -STEP)
    )
    return [float((a - b) / (2 * STEP)) for a, b in zip(ahead, behind, strict=True)]


def unit(value: Any, place: int) -> Any:
    """A cotangent: one number is 1.0, the others 0.0."""
    if np.ndim(value) == 0:
        return 1.0
    out = np.zeros(np.shape(value))
    out.flat[place] = 1.0
    return out


def differences(case: Row) -> list[str]:
    """What is off, in words."""
    f, args, off = case.program, case.args, []
    wrt, rng = tuple(range(len(args))), np.random.default_rng(7)

    def hold(what: str, got: Any, wanted: list[Any]) -> None:
        got, wanted = np.ravel(np.asarray(got, float)), np.array(wanted, float)
        size = max(float(np.max(np.abs(wanted))), 1e-30)
        gap = np.max(np.abs(got - wanted)) / size if got.shape == wanted.shape else np.inf
        if not gap <= case.accuracy:
            off.append(f"{what}: {got} instead of {wanted}, off by {gap}")

    exact = [numbers(v) for v in args]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        hold("value", f(*args), flat(case.exact(*exact)))
        value, pullback = s2sad.vjp(f, wrt=wrt)(*args)
        rows = [pullback(unit(value, place)) for place in range(np.size(value))]
        forward = s2sad.jvp(f, wrt=wrt)
        for k, arg in enumerate(args):
            direction = rng.uniform(0.5, 1.5, np.shape(arg)) * rng.choice([-1.0, 1.0], np.shape(arg))
            wanted = slope(case.exact, exact, k, direction)
            hold(f"reverse, argument {k}", [np.sum(parts[k] * direction) for parts in rows], wanted)
            tangents = [direction if i == k else 0.0 * v for i, v in enumerate(args)]
            tangents = tuple(t if isinstance(v, np.ndarray) else float(t) for t, v in zip(tangents, args, strict=True))
            hold(f"forward, argument {k}", forward(*args, tangents)[1], wanted)
    return off
