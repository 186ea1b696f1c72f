"""Every program of the corpus, against numerical differentiation: reverse, forward, second order."""

from __future__ import annotations

import collections
import dataclasses
import importlib
import inspect
import pathlib
import zlib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests import numeric, verdict
from tests.language.corpus import CORPUS, Program

for _path in sorted(pathlib.Path(__file__).parent.glob("*.py")):
    if _path.stem not in {"__init__", "corpus"} and not _path.stem.startswith("test_"):
        importlib.import_module(f"tests.language.{_path.stem}")

PROGRAMS = CORPUS.programs
SECONDS = 30
GAPS = {
    tuple(line.split(maxsplit=1))
    for line in (pathlib.Path(__file__).parent / "known_gaps.txt").read_text().splitlines()
    if line and not line.startswith("#")
}


def entry(test: str, p: Program) -> object:
    """A program as a test case; where it is a known gap, one that is expected to be refused. A wrong number fails."""
    from s2sad import DerivationError

    gap = pytest.mark.xfail(raises=(DerivationError, TimeoutError), reason="a known gap: see known_gaps.txt")
    return pytest.param(p, id=p.name, marks=[gap] if (test, p.name) in GAPS else [])


def of(test: str, *kinds: bool | str) -> list[object]:
    return [entry(test, p) for p in PROGRAMS if p.refused in kinds and p.raises is None]


@pytest.mark.parametrize("p", of("program_itself", False, "may"))
def test_program_itself(p: Program) -> None:
    """It runs, says what it prints, and is smooth where it is differentiated."""
    with numeric.quiet(), verdict.time_limit(SECONDS):
        value = p.f(*p.args)
        assert any(True for _ in numeric.leaves(value)), "no float in the result"
        along = numeric.direction(p.args, p.wrt, np.random.default_rng(0), p.shared)
        slope, error = numeric.directional(p.f, p.args, p.wrt, along, p.shared, p.step)
    scale = max(1.0, float(np.max(np.abs(slope))))
    assert np.all(np.isfinite(slope))
    assert error <= max(1e-7, p.rtol) * scale, f"not smooth: error {error}"
    if p.second:
        assert np.shape(value) == (), "second order needs a number"


def _check(p: Program, checker: object) -> None:
    from s2sad import DerivationError

    with verdict.time_limit(SECONDS):
        try:
            checker(p.f, p.args, p.wrt, shared=p.shared, rtol=p.rtol, step=p.step)  # type: ignore[operator]
        except DerivationError:
            if p.refused != "may":
                raise
        except AssertionError as error:
            if "nan instead of" in str(error) and any(name == p.name for _, name in GAPS):
                pytest.xfail("a known gap: not finite")
            raise


@pytest.mark.sampled(48, each=False, at=0)
@pytest.mark.parametrize("p", of("reverse", False, "may"))
def test_reverse(p: Program) -> None:
    _check(p, numeric.check_reverse)


@pytest.mark.sampled(48, each=False, at=1)
@pytest.mark.slow
@pytest.mark.parametrize("p", of("forward", False, "may"))
def test_forward(p: Program) -> None:
    _check(p, numeric.check_forward)


@pytest.mark.sampled(88, each=False)
@pytest.mark.slow
@pytest.mark.parametrize("p", [q for q in of("second", False, "may") if q.values[0].second])  # type: ignore[attr-defined]
def test_second(p: Program) -> None:
    _check(p, numeric.check_second)


def _own_memory(p: Program) -> bool:
    """Do its arguments share no memory, so that each has a gradient of its own?"""
    return not p.shared


@pytest.mark.sampled(120, each=False)
@pytest.mark.slow
@pytest.mark.parametrize("p", [q for q in of("pullback", False) if _own_memory(q.values[0])])  # type: ignore[attr-defined]
def test_pullback(p: Program) -> None:
    """The pullback, twice, gives the gradient: the arrays that it reads are those of the call that made it."""
    from s2sad import value_and_grad, vjp

    with verdict.time_limit(SECONDS), numeric.quiet():
        if not numeric.is_number(p.f(*p.args)):
            return
        value, gradient = value_and_grad(p.f, p.wrt)(*p.args)
        args = p.args
        again, pullback = vjp(p.f, p.wrt)(*args)
        numeric.assert_same(again, value, "the value", 1e-9)
        for _ in range(2):
            numeric.assert_same(pullback(1.0), gradient, "the gradient", max(p.rtol, 1e-9))
        numeric.assert_untouched(args, p.args)


def _in_list(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda p: f(*p["list"])


def _in_dict(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda p: f(*p.values())


def _in_object(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda p: f(*p.held)


def _starred(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *p: f(*p)


#: functions of what holds the arguments, what that is, and where in it they are
HOLDERS = (
    (_in_list, lambda args: ({"list": list(args), "name": "a list"},), lambda p: p["list"]),
    (_in_dict, lambda args: ({f"k{i}": x for i, x in enumerate(args)},), lambda p: list(p.values())),
    (_in_object, lambda args: (SimpleNamespace(held=args, name="an object"),), lambda p: p.held),
    (_starred, lambda args: args, None),
)


@pytest.mark.sampled(80, each=False)
@pytest.mark.slow
@pytest.mark.parametrize("p", [q for q in of("held", False) if _own_memory(q.values[0])])  # type: ignore[attr-defined]
def test_arguments_that_are_held(p: Program) -> None:
    """With its arguments in a container, a program has the same gradient, and leaves them as they are, or is refused."""
    from s2sad import DerivationError, value_and_grad

    function, hold, held = HOLDERS[zlib.crc32(p.name.encode()) % len(HOLDERS)]
    with verdict.time_limit(SECONDS), numeric.quiet():
        if not numeric.is_number(p.f(*p.args)):
            return
        value, gradient = value_and_grad(p.f, p.wrt)(*p.args)
        args = hold(p.args)
        try:
            again, part = value_and_grad(function(p.f), p.wrt if held is None else 0)(*args)
        except DerivationError:
            return
        if held is not None:
            parts = tuple(held(part)[i] for i in numeric.positions(p.wrt))
            part = parts if isinstance(p.wrt, tuple) else parts[0]
        numeric.assert_same(again, value, "the value", 1e-9)
        numeric.assert_same(part, gradient, "the gradient", max(p.rtol, 1e-9))
        numeric.assert_untouched(args, hold(p.args))


def _apart(p: Program) -> bool:
    """Are there several arguments to differentiate with respect to, none of them given twice?"""
    several = isinstance(p.wrt, tuple) and len(p.wrt) > 1
    return several and len({id(p_) for p_ in p.args}) == len(p.args)


@pytest.mark.sampled(40, each=False)
@pytest.mark.slow
@pytest.mark.parametrize("p", [q for q in of("alone", False, "may") if _apart(q.values[0])])  # type: ignore[attr-defined]
def test_each_argument_alone(p: Program) -> None:
    """With respect to one argument: what depends on the others alone is constant, and may be overwritten all the same.

    In turns by reverse and by forward mode.
    """
    for k, position in enumerate(p.wrt, len(p.name)):
        _check(dataclasses.replace(p, wrt=position), numeric.check_forward if k % 2 else numeric.check_reverse)


@pytest.mark.parametrize("p", of("refused", True))
def test_refused(p: Program) -> None:
    """A refusal names the file, shows the line with a caret, and says more than what is wrong."""
    from s2sad import DerivationError, grad, jvp

    for call in (lambda: grad(p.f, wrt=p.wrt)(*p.args), lambda: jvp(p.f, wrt=p.wrt)(*p.args, _along(p))):
        with verdict.time_limit(SECONDS), pytest.raises(DerivationError) as caught:
            call()
        message = caught.value.render()
        assert pathlib.Path(inspect.getsourcefile(p.f) or "").name in message
        assert "^" in message
        assert len(message.strip().splitlines()) >= 3


def _along(p: Program) -> object:
    return numeric.direction(p.args, p.wrt, np.random.default_rng(0), p.shared)


@pytest.mark.parametrize("p", [entry("raises", p) for p in PROGRAMS if p.raises])
def test_raises(p: Program) -> None:
    """The derivative raises what the primal raises."""
    from s2sad import grad, jvp

    assert p.raises is not None
    with pytest.raises(p.raises) as primal:
        p.f(*p.args)
    for call in (lambda: grad(p.f, wrt=p.wrt)(*p.args), lambda: jvp(p.f, wrt=p.wrt)(*p.args, _along(p))):
        with verdict.time_limit(SECONDS), pytest.raises(p.raises) as caught:
            call()
        assert str(caught.value) == str(primal.value)


def test_names_are_unique() -> None:
    repeated = [n for n, k in collections.Counter(p.name for p in PROGRAMS).items() if k > 1]
    assert not repeated


def test_every_construct_has_eight_programs() -> None:
    count = collections.Counter(c for p in PROGRAMS for c in p.constructs)
    assert {c: k for c, k in count.items() if k < 8} == {}
