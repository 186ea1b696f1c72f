"""What becomes of one program: right, wrong, refused, or a crash."""

from __future__ import annotations

import ast
import contextlib
import os
import random
import signal
import sys
import tempfile
import traceback
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tests import generator, numeric

FOLDER = Path(tempfile.mkdtemp(prefix="s2sad-programs-"))
_count = 0


@dataclass(frozen=True)
class Verdict:
    """`kind` is "right", "wrong" (a number, an argument or an effect), "refused", "crash", or "unfit": no fair test."""

    kind: str
    detail: str = ""
    #: of a refusal: file, line and the source line
    place: str = ""

    @property
    def short(self) -> str:
        """The first line of the reason: what failures are grouped by."""
        return self.detail.strip().splitlines()[0][:160] if self.detail.strip() else ""


@contextlib.contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """What loops for ever is a failure, not a hang. Of the processor's time: a busy machine fails nobody."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"not done after {seconds} s of the processor's time")

    old = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, old)


def fair(f: Callable[..., Any], args: tuple[Any, ...], wrt: Any, shared: bool = False, step: float = 4e-3) -> bool:
    """Does the primal run without a warning, and is it smooth at these arguments?"""
    try:
        with warnings.catch_warnings(), numeric.quiet(), time_limit(20):
            warnings.simplefilter("error")
            value = f(*numeric.fresh(args, shared))
            along = numeric.direction(args, wrt, np.random.default_rng(0), shared)
            slope, error = numeric.directional(f, args, wrt, along, shared, step)
    except Exception:
        return False
    flat = numeric.flatten(value)
    if not (flat.size and np.all(np.isfinite(flat)) and np.all(np.isfinite(slope)) and np.all(np.abs(flat) < 1e5)):
        return False
    return bool(error <= 1e-8 * max(1.0, float(np.max(np.abs(slope)))) and np.all(np.abs(slope) < 1e5))


def judge(
    check: Callable[..., None],
    f: Callable[..., Any],
    args: tuple[Any, ...],
    wrt: Any,
    seconds: int = 20,
    **options: Any,
) -> Verdict:
    """Run one of numeric's checks."""
    from s2sad import DerivationError
    from s2sad.frontend.diagnostics import Defect

    try:
        with time_limit(seconds):
            check(f, args, wrt, **options)
    except Defect as error:
        return Verdict("crash", error.reason, f"{Path(error.file).name}:{error.line}")
    except DerivationError as error:
        place = f"{'/'.join(Path(error.file).parts[-3:])}:{error.line}  {error.text.strip()}" if error.file else ""
        return Verdict("refused", getattr(error, "reason", None) or str(error), place)
    except AssertionError as error:
        internal = "s2sad" in (traceback.extract_tb(error.__traceback__)[-1].filename.replace("\\", "/").split("/"))
        return Verdict("crash" if internal else "wrong", f"AssertionError: {error}" if internal else str(error))
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).name}:{last.name}"
        return Verdict("crash", f"{type(error).__name__} in {place}: {error}")
    return Verdict("right")


def judge_text(text: str, checks: tuple[Callable[..., None], ...], wrt: Any = (0, 1, 2, 3), seed: int = 0) -> Verdict:
    """The verdict on a generated program: the first that is not "right"."""
    global _count
    _count += 1
    f = generator.load(text, FOLDER / f"program_{os.getpid()}_{_count}.py")
    args = generator.arguments(seed)
    if not fair(f, args, wrt):
        return Verdict("unfit")
    for check in checks:
        verdict = judge(check, f, args, wrt)
        if verdict.kind == "wrong" and overlaps(text, args):
            return Verdict("unfit")
        if verdict.kind != "right":
            return verdict
    return Verdict("right")


def judge_program(text: str, seed: int = 0, wrt: Any = None, points: int = 2, holder: str = "") -> Verdict:
    """The verdict on a generated program, in both modes at some points: quick, for very many programs.

    Args:
        text: the program.
        seed: what the points are drawn from; every other seed takes grad instead of value_and_grad.
        wrt: positions of arguments; drawn from the seed when not given.
        points: how many.
        holder: the one of generator.HOLDERS that holds the arguments: all of them are differentiated with respect to
            then, and every third seed takes the pullback that vjp gives.
    """
    global _count
    if wrt is None:
        wrt = (0,) if holder else generator.respect(random.Random(f"wrt {seed}").randrange)
    _count += 1
    file = FOLDER / f"program_{os.getpid()}_{_count}.py"
    text = generator.held(text, holder) if holder else text
    f = generator.load(text, file)
    set_state = f.__globals__.get("set_state", lambda k: None)  # a program of a test's own has none
    fit, states = [], []
    for k in range(points):
        set_state(k)
        args = generator.arguments(0) if k == 0 else generator.wide_arguments(seed, k)
        point = _point(f, generator.in_one(args, holder) if holder else args, wrt)
        if point is not None:
            fit.append(point)
            states.append(k)
    if not fit:
        file.unlink()
        return Verdict("unfit")
    form = ("value_and_grad", "grad", "vjp")[seed % 3] if holder else ("value_and_grad", "grad")[seed % 2]

    def at(k: int) -> numeric.Point:
        set_state(states[k])
        return fit[k]

    def check(f: Callable[..., Any], points: list[numeric.Point], wrt: Any) -> None:
        for k in (*range(len(points)), *([0] if len(points) > 1 else [])):  # and the first state again
            set_state(states[k])
            numeric.check_both(f, points[k : k + 1], wrt, form=form)
        if not holder and seed % 4 == 0:
            numeric.check_single(f, points[-1], wrt)

    verdict = judge(check, f, fit, wrt)
    set_state(states[0])
    if verdict.kind == "refused":  # which may be said of reverse mode alone
        forward = judge(numeric.check_forward, f, fit[0].args, wrt)
        verdict = forward if forward.kind in ("wrong", "crash") else verdict
    if verdict.kind == "wrong" and any(overlaps(text, p.args) for p in fit):
        return Verdict("unfit")
    if verdict.kind == "wrong" and not all(_steady(f, at(k), wrt) for k in range(len(fit))):
        return Verdict("unfit")
    nan = verdict.kind == "wrong" and "nan instead of" in verdict.detail
    if nan and any(overflows(f, at(k).args) for k in range(len(fit))):
        return Verdict("unfit")
    file.unlink()
    return verdict


def _point(f: Callable[..., Any], args: tuple[Any, ...], wrt: Any) -> numeric.Point | None:
    """Arguments with derivatives along directions: None where the primal warns or is not smooth."""
    rng = np.random.default_rng(0)
    slopes: list[Any] = []
    try:
        with warnings.catch_warnings(), numeric.quiet(), time_limit(20):
            warnings.simplefilter("error")
            value = f(*numeric.fresh(args))
            if not (np.shape(value) == () and np.isfinite(value) and abs(value) < 1e5):
                return None
            for k in range(numeric.DIRECTIONS):
                along = numeric.direction(args, wrt, rng)
                slope, error = numeric.directional(f, args, wrt, along)
                size = abs(float(slope[0]))
                if not (size < 1e5 and error <= (1e-5 if k else 1e-8) * max(1.0, size)):
                    return None  # a kink nearby
                slopes.append((along, float(slope[0]), error))
    except Exception:
        return None
    return numeric.Point(args, slopes)


def _steady(f: Callable[..., Any], point: numeric.Point, wrt: Any) -> bool:
    """Are the derivatives at a point the same with a smaller step? Where they are not, something turns sharply between:

    extrapolation may settle on a slope that no neighbour has, and say of it that it is exact.
    """
    for along, slope, error in point.slopes:
        near, other = numeric.directional(f, point.args, wrt, along, step=2e-4)
        if not abs(float(near[0]) - slope) <= 10.0 * (error + other) + 1e-7 * max(1.0, abs(slope)):
            return False
        nearest, _ = numeric.directional(f, point.args, wrt, along, step=1e-6)
        size = max(1.0, abs(slope), abs(float(np.asarray(f(*numeric.fresh(point.args))))))
        if not abs(float(nearest[0]) - slope) <= 1e-5 * size:
            return False
    return True


def overflows(f: Callable[..., Any], args: tuple[Any, ...]) -> bool:
    """Does a variable of the program become infinite or nan on the way to a finite result?

    NumPy warns of it, so that a program is no fair test; products of Python's floats overflow in silence. The slope of
    what is infinite is nan, also where a path that is taken later leaves it unused.
    """
    file = f.__code__.co_filename
    found = False

    def look(frame: types.FrameType, event: str, _: Any) -> Any:
        nonlocal found
        if frame.f_code.co_filename != file:
            return None
        found = found or not all(np.all(np.isfinite(np.asarray(x))) for _, x in numeric.leaves(dict(frame.f_locals)))
        return look

    traced = sys.gettrace()
    sys.settrace(look)
    try:
        f(*numeric.fresh(args))
    except Exception:
        return False
    finally:
        sys.settrace(traced)
    return found


class _CopyFirst(ast.NodeTransformer):
    """`a[i] = e` as `a[i] = __import__("copy").deepcopy(e)`."""

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        if isinstance(node.targets[0], ast.Subscript):
            node.value = ast.parse(f"__import__('copy').deepcopy({ast.unparse(node.value)})", mode="eval").body
        return node


def overlaps(text: str, args: tuple[Any, ...]) -> bool:
    """Does the program store a part of an array into an overlapping one in a way that NumPy gets wrong?

    NumPy 2.4 computes `a[::2] = a[:3]` as if the store were made element by element; with a copy of the right side it
    is what NumPy's documentation promises, and what a derivative is the derivative of.
    """
    copied = ast.unparse(ast.fix_missing_locations(_CopyFirst().visit(ast.parse(text))))
    values = []
    for number, form in enumerate((text, copied)):
        f = generator.load(form, FOLDER / f"overlap_{os.getpid()}_{_count}_{number}.py")
        try:
            values.append(numeric.flatten(f(*numeric.fresh(args))))
        except Exception:
            return False
    return not np.array_equal(values[0], values[1], equal_nan=True)
