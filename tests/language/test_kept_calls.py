"""Every program of the corpus that calls a function of its own: the same derivatives with calls kept and written out."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import gast
import pytest
from s2sad import DerivationError, hvp, jvp, value_and_grad, vjp
from s2sad.normal.calls import keep

from tests import numeric, verdict
from tests.language.corpus import Program
from tests.language.test_corpus import PROGRAMS, SECONDS, _along


def _calls_something(p: Program) -> bool:
    """Does a program define a function, or does it call one of its module?"""
    tree, known = gast.parse(inspect.cleandoc("\n" + inspect.getsource(p.f))), p.f.__globals__
    names = {n.func.id for n in gast.walk(tree) if isinstance(n, gast.Call) and isinstance(n.func, gast.Name)}
    own = [known.get(n) for n in names]
    defined = sum(isinstance(n, gast.FunctionDef) for n in gast.walk(tree)) > 1
    return defined or any(getattr(value, "__module__", None) == p.f.__module__ for value in own)


def _derivatives(p: Program) -> dict[str, Callable[[], Any]]:
    def pulled_back() -> Any:
        args = p.args
        value, pullback = vjp(p.f, p.wrt)(*args)
        if not numeric.is_number(value):
            return value
        first = pullback(0.7)
        numeric.assert_same(pullback(0.7), first, "the pullback, again", 1e-12)
        numeric.assert_untouched(args, p.args)
        return value, first

    found: dict[str, Callable[[], Any]] = {
        "grad": lambda: value_and_grad(p.f, p.wrt)(*p.args),
        "jvp": lambda: jvp(p.f, p.wrt)(*p.args, _along(p)),
    }
    if numeric.as_well(p.f):
        found["vjp"] = pulled_back
    if p.second:
        found["hvp"] = lambda: hvp(p.f, p.wrt)(*p.args, _along(p))
    return found


def _outcome(call: Callable[[], Any], policy: str) -> Any:
    """What a derivative returns, or which exception it raises."""
    with keep.policy(policy), verdict.time_limit(SECONDS), numeric.quiet():
        try:
            return call()
        except (DerivationError, ArithmeticError, ValueError, TypeError, LookupError) as error:
            return type(error)


@pytest.mark.sampled(160, each=False)
@pytest.mark.slow
@pytest.mark.parametrize("p", [pytest.param(p, id=p.name) for p in PROGRAMS if p.refused is not True])
def test_the_same_under_both_policies(p: Program) -> None:
    if not _calls_something(p):
        return
    for name, call in _derivatives(p).items():
        kept, written_out = (_outcome(call, policy) for policy in ("always", "never"))
        if isinstance(written_out, type) or isinstance(kept, type):
            assert kept == written_out, name
        else:
            numeric.assert_same(kept, written_out, name, 1e-8)
