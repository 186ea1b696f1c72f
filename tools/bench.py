"""Measure what s2sad costs: deriving, calling, importing, and gradients against those written by hand.

python tools/bench.py            print the figures; exit status 1 when a ratio is out of bounds
python tools/bench.py --repeat 9
"""

from __future__ import annotations

import argparse
import ast
import inspect
import math
import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from typing import Any

import numpy as np

os.environ["S2SAD_CACHE"] = "0"  # what is measured is derived here


def thirty_lines(x, a, n):  # type: ignore[no-untyped-def]
    """Thirty lines of ordinary numeric code: the subject of the derivation time."""
    total = 0.0
    scale = a * 2.0
    y = np.zeros(n)
    y[0] = x[0]
    for i in range(1, n):
        left = y[i - 1]
        if left > 0.5:
            step = scale * left
            total += 1.0
        else:
            step = scale + left * left
        y[i] = 0.5 * step + np.sin(x[i])
        total += y[i] * left
    z = np.exp(-y * y)
    w = z / np.sum(z)
    mean = np.sum(w * x)
    spread = np.sum(w * (x - mean) ** 2)
    k = 0
    guess = a
    while k < 5:
        guess = 0.5 * (guess + a / guess)
        k += 1
    y[1:-1] += 0.1 * (y[2:] - y[:-2])
    y *= guess
    energy = np.sum(y * y)
    u = math.log(1.0 + energy)
    v = u * spread + mean
    if v > 10.0:
        v = 10.0
    r = v * v + total
    s = r / (1.0 + a * a)
    t = s * math.exp(-a)
    return t + energy


def two_floats(x: float, y: float) -> float:
    return x * y + math.sin(x)


def regression(w, b, X, y):  # type: ignore[no-untyped-def]
    z = X @ w + b
    return np.mean(np.logaddexp(0.0, z) - y * z) + 0.05 * (w @ w)


def regression_by_hand(w, b, X, y):  # type: ignore[no-untyped-def]
    z = X @ w + b
    bz = (np.exp(z - np.logaddexp(0.0, z)) - y) / z.size
    return X.T @ bz + 0.1 * w, np.sum(bz)


def scan(x, decay):  # type: ignore[no-untyped-def]
    y = np.zeros(len(x))
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = decay * y[i - 1] + np.sin(x[i])
    return np.sum(y**2)


def scan_by_hand(x, decay):  # type: ignore[no-untyped-def]
    y = np.zeros(len(x))
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = decay * y[i - 1] + np.sin(x[i])
    by = 2.0 * y
    bx = np.zeros_like(x)
    bdecay = 0.0
    for i in reversed(range(1, len(x))):
        bdecay += by[i] * y[i - 1]
        by[i - 1] += by[i] * decay
        bx[i] = by[i] * np.cos(x[i])
    bx[0] += by[0]
    return bx, bdecay


def stencil(A, B, steps):  # type: ignore[no-untyped-def]
    for _ in range(1, steps):
        B[1:-1] = 0.33333 * (A[:-2] + A[1:-1] + A[2:])
        A[1:-1] = 0.33333 * (B[:-2] + B[1:-1] + B[2:])
    return np.sum(A * np.arange(A.size))


def stencil_by_hand(A, B, steps):  # type: ignore[no-untyped-def]
    bA = np.arange(A.size) * 1.0
    bB = np.zeros_like(B)
    for _ in reversed(range(1, steps)):
        g = 0.33333 * bA[1:-1]
        bA[1:-1] = 0.0
        bB[:-2] += g
        bB[1:-1] += g
        bB[2:] += g
        g = 0.33333 * bB[1:-1]
        bB[1:-1] = 0.0
        bA[:-2] += g
        bA[1:-1] += g
        bA[2:] += g
    return bA, bB


def per_call(f: Callable[..., Any], args: tuple[Any, ...], budget: float = 0.02) -> float:
    """Seconds a call, over enough calls to fill the budget."""
    began = time.perf_counter()
    f(*args)
    once = max(time.perf_counter() - began, 1e-8)
    count = max(1, int(budget / once))
    began = time.perf_counter()
    for _ in range(count):
        f(*args)
    return (time.perf_counter() - began) / count


def interleaved(
    f: Callable[..., Any], g: Callable[..., Any], args: tuple[Any, ...], repeat: int
) -> tuple[float, float]:
    """The least time a call of each, measured in turns, so that both see the same machine."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(repeat):
        times[0].append(per_call(f, args))
        times[1].append(per_call(g, args))
    return min(times[0]), min(times[1])


def derivation_time(repeat: int) -> float:
    """Seconds of the first call of grad, beyond those of a later call (the compiler itself is warm).

    Of processor time, so that a machine that does other things too does not matter.
    """
    from s2sad import grad

    x = np.linspace(0.1, 1.0, 20)
    grad(two_floats)(0.5, 1.5)
    times = []
    for _ in range(repeat):
        fresh = _copy_of(thirty_lines)
        derivative = grad(fresh, wrt=("x", "a"))
        began = time.process_time()
        derivative(x, 1.2, 20)
        first = time.process_time() - began
        times.append(first - per_call(derivative, (x, 1.2, 20)))
    return min(times)


def _copy_of(f: Any) -> Any:
    """A new function object with the same source: nothing is cached for it."""
    copy = type(f)(f.__code__, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
    copy.__module__, copy.__qualname__ = f.__module__, f.__qualname__
    return copy


def call_overhead(repeat: int) -> float:
    """Seconds that the Derivative adds to a call of the generated function."""
    from s2sad import grad

    derivative = grad(two_floats, wrt=(0, 1))
    derivative(0.5, 1.5)
    with_lookup, bare = interleaved(derivative, derivative.specialize(0.5, 1.5), (0.5, 1.5), repeat)
    return with_lookup - bare


def import_time(repeat: int) -> float:
    """Seconds to import s2sad in a process that has numpy, the least."""
    code = "import numpy, time; t = time.perf_counter(); import s2sad; print(time.perf_counter() - t)"
    command = [sys.executable, "-c", code]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(repeat)]
    return min(map(float, runs))


def gradient_ratios(repeat: int) -> dict[str, float]:
    """Time of the derivative over time of the one written by hand."""
    from s2sad import grad

    rng = np.random.default_rng(0)
    subjects: list[tuple[Any, Any, tuple[str, ...], tuple[Any, ...]]] = [
        (regression, regression_by_hand, ("w", "b"),
         (rng.normal(size=20), 0.3, rng.normal(size=(200, 20)), (rng.random(200) < 0.5) * 1.0)),
        (scan, scan_by_hand, ("x", "decay"), (rng.normal(size=500), 0.9)),
        (stencil, stencil_by_hand, ("A", "B"), (rng.normal(size=400), rng.normal(size=400), 40)),
    ]  # fmt: skip
    ratios = {}
    for primal, by_hand, wrt, args in subjects:
        derivative = grad(primal, wrt=wrt)
        for mine, theirs in zip(derivative(*args), by_hand(*args), strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-8, atol=1e-10)
        ours, experts = interleaved(derivative.specialize(*args), by_hand, args, repeat)
        ratios[primal.__name__] = ours / experts
    return ratios


def statements(text: str) -> int:
    """Statements in the functions of a source text."""
    functions = [n for n in ast.walk(ast.parse(textwrap.dedent(text))) if isinstance(n, ast.FunctionDef)]
    return sum(isinstance(n, ast.stmt) for f in functions for n in ast.walk(f)) - len(functions)


def statement_ratios() -> dict[str, float]:
    """Statements of the derivative over those of the one written by hand."""
    from s2sad import grad
    from s2sad.kinds.spec import parse_kinds

    subjects: list[tuple[Any, Any, tuple[str, ...], str]] = [
        (regression, regression_by_hand, ("w", "b"), "w: f8[n], b: float, X: f8[m, n], y: f8[m]"),
        (scan, scan_by_hand, ("x", "decay"), "x: f8[n], decay: float"),
        (stencil, stencil_by_hand, ("A", "B"), "A: f8[n], B: f8[n], steps: int"),
    ]
    ratios = {}
    for primal, by_hand, wrt, kinds in subjects:
        derivative: Any = grad(primal, wrt=wrt)
        text = derivative.derive_for(derivative.kinds_ahead(parse_kinds(kinds))).text
        ratios[primal.__name__] = statements(text) / statements(inspect.getsource(by_hand))
    return ratios


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--repeat", type=int, default=7, help="measurements of each figure")
    repeat = parser.parse_args().repeat
    rows = [
        ("derivation of a 30-line function", derivation_time(repeat) * 1e3, 100.0, "ms"),
        ("call with a seen signature, beyond the generated function", call_overhead(repeat) * 1e6, 2.0, "us"),
        ("import, beyond numpy", import_time(repeat), 0.15, "s"),
    ]
    rows += [(f"gradient of {name} over the one by hand", r, 1.6, "x") for name, r in gradient_ratios(repeat).items()]
    rows += [(f"statements of {name} over those by hand", r, 1.6, "x") for name, r in statement_ratios().items()]
    good = True
    for what, value, bound, unit in rows:
        good &= value <= bound or unit != "x"
        print(f"{what:62s} {value:8.3g} {unit:2s}  (at most {bound:g}){'' if value <= bound else '  TOO MUCH'}")
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
