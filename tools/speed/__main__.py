"""Gradients against those of experts and of other tools, in one run, interleaved, on one thread.

    python tools/speed                      all workloads, with the peers that are installed
    python tools/speed --only lstm heat     some of them
    python tools/speed --rounds 30          more rounds (medians are taken over them)
    python tools/speed --json FILE          write all that was measured, too

For each workload: the time of the primal, of the expert's NumPy gradient, of ours in NumPy mode, of the expert's
gradient under Numba, of ours compiled, and of the peers', each as a ratio to the expert's NumPy gradient. Derivation,
compile and first-call times are apart. A gradient that is wrong is said, and has no time.
"""

from __future__ import annotations

import argparse
import copy
import importlib.util
import inspect
import json
import math
import os
import platform
import statistics
import sys
import time
import tracemalloc
import types
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")}
ONE_THREAD["S2SAD_CACHE"] = "0"  # what is measured is derived here
ONE_THREAD["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
if __name__ == "__main__" and not ONE_THREAD.items() <= os.environ.items():  # libraries read them when they are loaded
    os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **ONE_THREAD})
sys.path.insert(0, str(Path(__file__).parent))

import numpy as np  # noqa: E402
from workloads import WORKLOADS  # type: ignore[import-not-found]  # noqa: E402

import s2sad  # noqa: E402

Gradient = Callable[..., Any]
FRAMES = 1024  # bytes: less than this is frames and numbers, not memory that grows


def leaves(value: Any) -> list[Any]:
    """The numbers and arrays of a gradient, dicts by key."""
    if isinstance(value, dict):
        return [leaf for key in sorted(value) for leaf in leaves(value[key])]
    if isinstance(value, (tuple, list)):
        return [leaf for part in value for leaf in leaves(part)]
    return [np.asarray(value, dtype=float)]


def same(found: Any, expected: Any) -> bool:
    """Are two gradients equal up to rounding?"""
    a, b = leaves(found), leaves(expected)
    scale = max(float(np.max(np.abs(y), initial=0.0)) for y in b) or 1.0
    return len(a) == len(b) and all(
        x.shape == y.shape and np.allclose(x, y, rtol=1e-6, atol=1e-8 * scale) for x, y in zip(a, b, strict=True)
    )


def with_numpy(function: Any, module: Any) -> Any:
    """A function whose `np` is another module."""
    return types.FunctionType(function.__code__, {**function.__globals__, "np": module}, function.__name__)


def positions(work: Any) -> tuple[int, ...]:
    names = list(inspect.signature(work.primal).parameters)
    return tuple(names.index(name) for name in work.wrt)


def single(work: Any, gradient: Gradient) -> Gradient:
    """A gradient that gives a tuple, as a gradient like the expert's: bare for one parameter."""
    return (lambda *args: gradient(*args)[0]) if len(work.wrt) == 1 else gradient


# The gradients: each takes a workload and gives its gradient, or None


def expert(work: Any) -> Gradient:
    return work.expert  # type: ignore[no-any-return]


def ours(work: Any) -> Gradient:
    return s2sad.grad(work.primal, wrt=work.wrt[0] if len(work.wrt) == 1 else work.wrt)


def ours_compiled(work: Any) -> Gradient | None:
    if importlib.util.find_spec("numba") is None:
        return None
    return s2sad.grad(work.primal, wrt=work.wrt[0] if len(work.wrt) == 1 else work.wrt, compile="numba")


def expert_compiled(work: Any) -> Gradient | None:
    native = work.__dict__.get("native")
    if native is None or importlib.util.find_spec("numba") is None:
        return None
    import numba

    return numba.njit(native)  # type: ignore[no-any-return]


def autograd(work: Any) -> Gradient | None:
    if importlib.util.find_spec("autograd") is None:
        return None
    import autograd.numpy

    return single(work, autograd.grad(with_numpy(work.primal, autograd.numpy), positions(work)))


def jax(work: Any) -> Gradient | None:
    port = work.__dict__.get("jax", work.primal)
    if importlib.util.find_spec("jax") is None or port is None:
        return None
    import jax as library

    library.config.update("jax_enable_x64", True)
    port = port if port is not work.primal else with_numpy(work.primal, library.numpy)
    static = tuple(k for k, a in enumerate(work.inputs()) if isinstance(a, int))
    made = library.jit(library.grad(port, positions(work)), static_argnums=static)

    def gradient(*args: Any) -> Any:
        return library.block_until_ready(made(*args))

    return single(work, gradient)


def torch(work: Any) -> Gradient | None:
    port = work.__dict__.get("torch", work.primal)
    if importlib.util.find_spec("torch") is None or port is None:
        return None
    import torch as library

    library.set_num_threads(1)
    port = port if port is not work.primal else with_numpy(work.primal, library)
    places = positions(work)

    def tensors(value: Any, active: bool, found: list[Any]) -> Any:
        if isinstance(value, dict):
            return {k: tensors(v, active, found) for k, v in sorted(value.items())}
        if isinstance(value, (tuple, list)):
            return type(value)(tensors(v, active, found) for v in value)
        if isinstance(value, (np.ndarray, float)):
            made = library.as_tensor(value, dtype=None if isinstance(value, np.ndarray) else library.float64)
            if active:
                made = made.clone().requires_grad_()
                found.append(made)
            return made
        return value

    def gradient(*args: Any) -> Any:
        found: list[Any] = []
        made = [tensors(a, k in places, found) for k, a in enumerate(args)]
        return [g.numpy() for g in library.autograd.grad(port(*made), found)]

    return gradient


def tangent(work: Any) -> Gradient | None:
    if importlib.util.find_spec("tangent") is None:
        return None
    import tangent as library

    made = library.grad(work.primal, wrt=positions(work))
    return made  # type: ignore[no-any-return]


GRADIENTS: dict[str, Callable[[Any], Gradient | None]] = {
    "expert": expert, "s2sad": ours, "expert numba": expert_compiled, "s2sad numba": ours_compiled,
    "autograd": autograd, "jax": jax, "torch": torch, "tangent": tangent,
}  # fmt: skip


def measured(work: Any, wanted: list[str], rounds: int) -> dict[str, Any]:
    """All that is measured of a workload."""
    out: dict[str, Any] = {"group": work.group, "looped": bool(work.__dict__.get("looped")), "first": {}, "why": {}}
    expected = work.expert(*work.inputs())
    runs: dict[str, Gradient] = {"primal": work.primal}
    for name in wanted:
        try:
            gradient = GRADIENTS[name](work)
            if gradient is None:
                out["why"][name] = "not there"
                continue
            start = time.perf_counter()
            found = gradient(*work.inputs())
            out["first"][name] = time.perf_counter() - start
            right = same(found, leaves(expected) if name == "torch" else expected)
        except Exception as error:
            lines = str(error).strip().splitlines()
            out["why"][name] = f"{type(error).__name__}: {lines[0] if lines else ''}"[:160]
            continue
        if not right:
            out["why"][name] = "WRONG"
            continue
        runs[name] = gradient
    out["seconds"] = interleaved(runs, work.inputs(), rounds)
    out["peak"] = {name: peak(runs[name], work.inputs()) for name in ("expert", "s2sad") if name in runs}
    return out


def interleaved(runs: dict[str, Gradient], args: tuple[Any, ...], rounds: int) -> dict[str, float]:
    """The median CPU time of each, over rounds in which each has its turn."""
    repeats, times = {}, {name: list[float]() for name in runs}
    for name, run in runs.items():
        start = time.perf_counter()
        run(*copy.deepcopy(args))
        repeats[name] = max(1, int(2e-3 / max(time.perf_counter() - start, 1e-7)))
    for _ in range(rounds):
        for name, run in runs.items():
            start = time.process_time()
            for _ in range(repeats[name]):
                run(*args)
            times[name].append((time.process_time() - start) / repeats[name])
    return {name: statistics.median(found) for name, found in times.items()}


def peak(run: Gradient, args: tuple[Any, ...]) -> int:
    """The most memory that Python and NumPy hold during a call, in bytes."""
    run(*args)
    tracemalloc.start()
    run(*args)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def mean(ratios: list[float]) -> str:
    return f"{math.exp(statistics.fmean(map(math.log, ratios))):.2f} over {len(ratios)}" if ratios else "-"


def table(results: dict[str, dict[str, Any]], names: list[str]) -> str:
    """The ratios to the expert's NumPy gradient."""
    lines = [" ".join([f"{'workload':18}", f"{'expert':>10}", *(f"{n:>13}" for n in ("primal", *names[1:]))])]
    for name, found in results.items():
        seconds = found["seconds"]
        base = seconds["expert"]
        row = [f"{seconds[n] / base:13.2f}" if n in seconds else f"{'-':>13}" for n in ("primal", *names[1:])]
        lines.append(" ".join([f"{name + ('*' if found['looped'] else ''):18}", f"{base * 1e6:7.0f} us", *row]))
    return "\n".join(lines)


def summary(results: dict[str, dict[str, Any]], names: list[str]) -> str:
    """The geometric means of what is compared, and what could not run."""

    def ratios(of: str, to: str) -> list[float]:
        found = (r["seconds"] for r in results.values())
        return [s[of] / s[to] for s in found if of in s and to in s]

    pairs = [("s2sad", "expert"), ("s2sad numba", "expert numba"), ("s2sad", "primal")]
    pairs += [(peer, mode) for peer in names if peer in ("autograd", "jax", "torch", "tangent")
              for mode in ("s2sad", "s2sad numba")]  # fmt: skip
    lines = [f"{of} / {to}: {mean(ratios(of, to))}" for of, to in pairs if ratios(of, to)]
    loops = {name: r for name, r in results.items() if not r["looped"]}
    if len(loops) < len(results):
        seconds = [r["seconds"] for r in loops.values() if "s2sad" in r["seconds"]]
        lines.insert(1, f"without *: {mean([s['s2sad'] / s['expert'] for s in seconds])}")
    held = [r["peak"] for r in results.values() if len(r["peak"]) == 2]
    peaks = [max(p["s2sad"], FRAMES) / max(p["expert"], FRAMES) for p in held]
    lines.append(f"peak memory, s2sad / expert: {mean(peaks)}; worst {max(peaks, default=0.0):.2f}")
    for name, found in results.items():
        lines += [f"{name}, {who}: {why}" for who, why in found["why"].items() if why != "not there"]
    lines.append("*: the expert has turned the loop into array code")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools/speed", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these workloads")
    parser.add_argument("--gradients", nargs="+", choices=list(GRADIENTS), default=list(GRADIENTS), help="these alone")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    results = {}
    for work in WORKLOADS:
        if options.only and work.__name__ not in options.only:
            continue
        results[work.__name__] = measured(work, options.gradients, options.rounds)
        print(table({work.__name__: results[work.__name__]}, options.gradients).splitlines()[-1], flush=True)
    print()
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.processor() or platform.machine()}")
    print(table(results, options.gradients))
    print(summary(results, options.gradients))
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")
    return 1 if any(why == "WRONG" for r in results.values() for why in r["why"].values()) else 0


if __name__ == "__main__":
    raise SystemExit(main())
