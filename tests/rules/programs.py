"""A call of a function as a whole program, through all operators, against differences."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests import numeric
from tests.rules import second


def check(case: Any, target: Any) -> None:
    """A call of a case, in a function of its active arguments: reverse and forward mode."""
    program = second.Program(case, target, case.options.get("inactive", ()), case.options.get("skip", ()))
    if not program.active:
        return
    wrt = tuple(range(program.active))
    args = tuple(v.copy() if isinstance(v, np.ndarray) else v for v in program.values)
    numeric.check_reverse(program.f, args, wrt)
    if not case.options.get("no_forward"):
        numeric.check_forward(program.f, args, wrt)


def total_of(f, count):
    """A function of as many arguments, whose result is one number."""
    if count == 1:

        def total(a):
            return np.sum(np.cos(f(a)))

    elif count == 2:

        def total(a, b):
            return np.sum(np.cos(f(a, b)))

    else:

        def total(a, b, c):
            return np.sum(np.cos(f(a, b, c)))

    return total
