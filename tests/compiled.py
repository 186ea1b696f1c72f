"""A compiled derivative against that of NumPy mode: value, gradient, arguments, and what is raised."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from tests import numeric, verdict
from tests.language.corpus import Program

#: sums in another order, products and sums at once: what compiled mode rounds otherwise
RTOL = 1e-9


class Unfit(BaseException):
    """NumPy mode has no derivative there: nothing that is caught as a failure."""


def check_compiled(
    f: Callable[..., Any], args: tuple[Any, ...], wrt: Any, *, shared: bool = False, rtol: float = 1e-6
) -> None:
    """Hold value and gradient (where the result is no number: the pullback) against those of NumPy mode.

    Twice: the second call finds its kernel. Where the result is no number, that is a second call of the pullback.

    Raises:
        AssertionError: they differ by more than rounding, or an argument is changed.
        DerivationError: it is refused.
        Unfit: it is refused in NumPy mode, too.
    """
    from s2sad import DerivationError, value_and_grad, vjp

    run = numeric.Run(f, args, shared)
    operator = value_and_grad if numeric.is_number(run.value) else vjp

    def results(**options: Any) -> list[Any]:
        derivative = operator(f, wrt, **options)
        if operator is value_and_grad:
            return [run.call(derivative, effects=False) for _ in range(2)]
        value, pullback = run.call(derivative, effects=False)
        with numeric.quiet():
            return [(value, pullback(_weights(run.value))) for _ in range(2)]

    try:
        expected, _ = results()
    except DerivationError as error:
        raise Unfit from error
    rtol = max(RTOL, 1e-3 * rtol)
    for value, gradient in results(compile="numba"):
        numeric.assert_same(value, expected[0], "the value", rtol)
        numeric.assert_same(gradient, expected[1], "the gradient", rtol)
        numeric.assert_mirrors(gradient, numeric.selected(args, wrt), "the gradient")


def _weights(value: Any) -> Any:
    """A cotangent of a result."""

    def weight(x: Any) -> Any:
        return np.cos(np.arange(x.size)).reshape(x.shape).astype(x.dtype) if isinstance(x, np.ndarray) else type(x)(0.7)

    return numeric.rebuild(value, weight, lambda x: np.zeros(x.shape) if isinstance(x, np.ndarray) else None)


def check_raising(p: Program) -> None:
    """Does the compiled derivative raise what the primal raises?"""
    from s2sad import grad

    assert p.raises is not None
    try:
        with numeric.quiet():
            found = grad(p.f, p.wrt, compile="numba")(*p.args)
    except p.raises:
        return
    raise AssertionError(f"{found} instead of {p.raises.__name__}")


def judge(p: Program, seconds: int = 60) -> verdict.Verdict:
    """What becomes of a program of the corpus: "right", "wrong", "refused", "crash", or "unfit"."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if p.raises is not None:
            return verdict.judge(lambda f, args, wrt: check_raising(p), p.f, p.args, p.wrt, seconds)
        try:
            found = verdict.judge(check_compiled, p.f, p.args, p.wrt, seconds, shared=p.shared, rtol=p.rtol)
        except Unfit:
            return verdict.Verdict("unfit")
    return found
