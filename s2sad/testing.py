"""Derivatives against numerical differentiation, for tests: `check_grads`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from s2sad.check import check, worst_entry
from s2sad.derivative import Grad
from s2sad.frontend.diagnostics import BadArgument, at_the_callers_line
from s2sad.runtime.structures import is_differentiable, leaves

__all__ = ["check_grads"]


@at_the_callers_line
def check_grads(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    modes: Iterable[str] = ("reverse", "forward"),
    order: int = 1,
    wrt: Any = None,
    tolerance: float | None = None,
) -> None:
    """Compare the derivatives of a function with numerical differentiation.

    Args:
        f: the function, or a derivative of it.
        args: its arguments.
        modes: "reverse", "forward", or both.
        order: 1; or 2, which checks the gradient's derivatives, too (of a function with a scalar result).
        wrt: the parameters, as `grad` takes them; by default all that hold floats.
        tolerance: the largest relative error that passes; by default 1e-6, for single precision 1e-2.

    Raises:
        AssertionError: a derivative is wrong. The message names mode, parameter and the entry that differs most.
        DerivationError: f cannot be derived.
        BadArgument: modes or order are none, or no argument holds floats.

    >>> check_grads(lambda x, y: x * x * y, (3.0, 2.0), order=2)
    """
    if not isinstance(args, tuple):
        raise BadArgument("check_grads takes the arguments as a tuple.", "write check_grads(f, (x,)).")
    chosen = (modes,) if isinstance(modes, str) else tuple(modes)
    chosen = tuple({"rev": "reverse", "fwd": "forward"}.get(m, m) for m in chosen)
    if not chosen or set(chosen) - {"reverse", "forward"}:
        raise BadArgument(f"modes={modes!r} are none.", 'write modes=("reverse", "forward"), or one of them.')
    if order not in (1, 2):
        raise BadArgument(f"order={order!r} cannot be checked.", "write order=1 or order=2; check grad(f) for more.")
    if wrt is None:
        floats = [i for i, arg in enumerate(args) if any(is_differentiable(v) for _, v in leaves(arg))]
        if not floats:
            raise BadArgument("No argument holds floats.", "pass floats, or say wrt=...")
        wrt = tuple(floats)
    _check(f, args, chosen, wrt, tolerance, "")
    if order == 2:
        names = Grad(f, wrt).wrt
        for name in names:
            _check(Grad(f, name), args, chosen, names, tolerance, f"the gradient for {name}: ")


def _check(
    f: Callable[..., Any], args: tuple[Any, ...], modes: tuple[str, ...], wrt: Any, tolerance: float | None, what: str
) -> None:
    derivative = Grad(f, wrt)
    derivative._fit(args, {})
    arguments = dict(derivative.__signature__.bind(*args).arguments)
    modes_asked = {"forward": "forward" in modes, "reverse": "reverse" in modes}
    for finding in check(f, wrt, arguments, **modes_asked, tolerance=tolerance):
        if not finding.passed:
            entry = worst_entry(f, finding.parameter, arguments, finding.mode)
            raise AssertionError(
                f"{what}the {finding.mode} derivative of {getattr(f, '__name__', f)} for {finding.parameter} differs "
                f"from numerical differentiation by {finding.error:.1e} of it (allowed: {finding.tolerance:.0e})"
                + (f": {entry}" if entry else "")
            )
