#!/usr/bin/env python
"""What derivatives of published packages cost: their length, the time to derive them, what calls that stay cost.

tools/figures.py                                   all of tools/package_cases; the figures, and the slowest
tools/figures.py fluids pvlib --list               some packages, with a line for each function
tools/figures.py --one-in 5 --keep before.json     a sample, written to a record
tools/figures.py --one-in 5 --against before.json  the same sample, held against a record of the same machine
tools/figures.py --run-time                        besides: calls that stay against the same written out

One call of each function is derived, with respect to its first argument that can be: in reverse mode (the gradient
where the result is a number, else vjp), or with `--forward` in forward mode. Statements are counted in all functions
of the derivative, and in all functions with source that the derivation looked into: docstrings, imports and the lines
that only name a function do not count. Times are the processor's, of one derivation in a process that has the compiler
loaded.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import dataclasses
import hashlib
import json
import os
import pathlib
import statistics
import sys
import time
import warnings
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

# not the folder of this script: its files are not to be taken for packages of the same name
sys.path[0] = str(pathlib.Path(__file__).parent.parent)
os.environ["S2SAD_CACHE"] = "0"  # what is measured is derived here

from s2sad import DerivationError, grad, jvp, vjp  # noqa: E402
from s2sad.frontend import source as sources  # noqa: E402
from s2sad.normal.calls import keep  # noqa: E402
from tests import numeric, packages, verdict  # noqa: E402


@dataclasses.dataclass
class Figures:
    """Of one function; where it is refused, `refused` says why, and there is only the time."""

    name: str
    seconds: float
    primal: int = 0
    derivative: int = 0
    refused: str = ""
    #: a hash of the derivative's text
    text: str = ""
    #: run time with calls that stay calls to that with all of them written out, where these differ
    calls: float | None = None

    @property
    def ratio(self) -> float:
        return self.derivative / max(self.primal, 1)


def statements(tree: Any) -> int:
    """How many statements are in a piece of code, a tree of ast or of gast? Functions, classes, imports and docstrings
    are none.

    >>> statements(ast.parse('import math\\ndef f(x):\\n  "The text."\\n  if x > 0:\\n    x = -x\\n  return x'))
    3
    """
    names = ("FunctionDef", "AsyncFunctionDef", "ClassDef", "Import", "ImportFrom")
    found = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and type(n).__name__ not in names]
    return sum(not (type(n).__name__ == "Expr" and type(n.value).__name__ == "Constant") for n in found)  # (or gast's)


@contextlib.contextmanager
def looked_into() -> Iterator[dict[Any, Any]]:
    """The trees of the functions whose source is asked for inside, by code; s2sad's own are none of the primal."""
    found: dict[Any, Any] = {}
    made = sources.FunctionSource

    def noting(tree: Any, *rest: Any) -> Any:
        source = made(tree, *rest)
        if not (source.function.__module__ or "").startswith("s2sad"):
            found[source.function.__code__] = tree
        return source

    sources.FunctionSource = noting  # type: ignore[assignment,misc]
    try:
        yield found
    finally:
        sources.FunctionSource = made  # type: ignore[misc]


def outermost(trees: dict[Any, Any]) -> list[Any]:
    """The trees of functions that are in no other function that was looked into."""
    inner = {c for code in trees for c in code.co_consts if hasattr(c, "co_code")}
    return [tree for code, tree in trees.items() if code not in inner]


def figures(case: packages.Case, forward: bool, run_time: bool, seconds: int) -> Figures | None:
    """Derive a case; None where the function itself does not run."""
    name = f"{case.package}:{case.line} {case.function}"
    with warnings.catch_warnings(), numeric.quiet():
        warnings.simplefilter("ignore")
        try:
            with verdict.time_limit(60):
                number = np.ndim(case.f(*numeric.fresh(case.args))) == 0 and not forward
        except Exception:
            return None
        for operator in (jvp,) if forward else (grad, vjp) if number else (vjp,):
            began = time.process_time()
            try:
                with looked_into() as trees, verdict.time_limit(seconds):
                    derivative = operator(case.f, wrt=case.position)
                    derivative._entry(numeric.fresh(case.args), {})
                    text = derivative._store.last.text
                break
            except Exception as error:
                took = time.process_time() - began
                reason = getattr(error, "reason", "") if isinstance(error, DerivationError) else type(error).__name__
                found = Figures(name, took, refused=str(reason or error).partition("\n")[0])
        else:
            return found
        took = time.process_time() - began
        primal = sum(statements(tree) for tree in outermost(trees))
        hashed = hashlib.sha256(text.encode()).hexdigest()[:16]
        found = Figures(name, took, primal, statements(ast.parse(text)), text=hashed)
        if run_time and not forward:
            with contextlib.suppress(Exception), verdict.time_limit(seconds):
                found.calls = against_written_out(operator, case, text)
    return found


def against_written_out(operator: Callable[..., Any], case: packages.Case, text: str) -> float | None:
    """The run time of a derivative to that of the one with all calls written out; None where they are the same."""
    with keep.policy("never"):
        other = operator(case.f, wrt=case.position)
        written = other.specialize(*numeric.fresh(case.args))
        if other._store.last.text == text:
            return None
    kept = operator(case.f, wrt=case.position).specialize(*numeric.fresh(case.args))
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(15):
        for f, taken in zip((kept, written), times, strict=True):
            args = [numeric.fresh(case.args) for _ in range(20)]
            began = time.perf_counter()
            for given in args:
                f(*given)
            taken.append(time.perf_counter() - began)
    return min(times[0]) / min(times[1])


def chosen_cases(names: Sequence[str], one_in: int, only: str | None) -> Iterator[packages.Case]:
    """The first case of each call."""
    for package in names:
        if not packages.installed(package):
            print(f"{package}: not installed", file=sys.stderr)
            continue
        lines: set[int] = set()
        for case in packages.cases(package):
            if case.line in lines or (only and only not in case.call):
                continue
            lines.add(case.line)
            if zlib.crc32(f"{package}:{case.function}".encode()) % one_in == 0:
                yield case


def mean(values: Sequence[float]) -> float:
    return statistics.geometric_mean([max(v, 1e-9) for v in values]) if values else float("nan")


def at(values: Sequence[float], percent: float) -> float:
    return float(np.percentile(values, percent)) if values else float("nan")


def summary(found: Sequence[Figures], slowest: int) -> list[str]:
    """The lines that say it all."""
    derived = [f for f in found if not f.refused]
    ratios, times = [f.ratio for f in derived], [f.seconds for f in found]
    longest = sorted(derived, key=lambda f: -f.ratio)[:slowest]
    out = [f"{len(derived)} functions derived, {len(found) - len(derived)} refused"]
    if derived:
        out += [
            "statements of the derivative to those of the primal code it reaches: "
            f"{mean(ratios):.2f} in the geometric mean, {at(ratios, 90):.2f} at the 90th percentile, "
            f"{max(ratios):.2f} at the worst",
            *(f"    {f.ratio:6.2f}  {f.derivative:5}/{f.primal:<5} {f.name}" for f in longest),
        ]
    out.append(
        f"processor's time of the derivation: {at(times, 50):.2f} s in the middle, {at(times, 90):.2f} s at the 90th "
        f"percentile, {max(times, default=0.0):.2f} s at the worst, {sum(times):.0f} s for all"
    )
    out += [f"    {f.seconds:6.2f} s  {f.name}" for f in sorted(found, key=lambda f: -f.seconds)[:slowest]]
    calls = [f.calls for f in found if f.calls is not None]
    if calls:
        out.append(
            f"run time with calls that stay to that with all written out, of {len(calls)} functions: "
            f"{mean(calls):.2f} in the geometric mean, {at(calls, 90):.2f} at the 90th percentile, {max(calls):.2f} at "
            "the worst"
        )
    return out


def against(before: Sequence[Figures], now: Sequence[Figures], slowest: int) -> list[str]:
    """How figures differ from those of a record, for the functions that are in both."""
    old = {f.name: f for f in before}
    pairs = [(old[f.name], f) for f in now if f.name in old]
    out = ["", f"against the record, {len(pairs)} functions:"]
    for word, percent in (("90th percentile", 90.0), ("worst", 100.0)):
        a, b = (at([p[k].seconds for p in pairs], percent) for k in (0, 1))
        out.append(f"    time, {word}: {a:.2f} s, now {b:.2f} s ({b / max(a, 1e-9):.2f} of it)")
    a, b = (sum(p[k].seconds for p in pairs) for k in (0, 1))
    out.append(f"    time, all: {a:.0f} s, now {b:.0f} s ({b / max(a, 1e-9):.2f} of it)")
    for o, n in sorted(pairs, key=lambda p: -p[0].seconds)[:slowest]:
        out.append(f"    {o.seconds:6.2f} s, now {n.seconds:6.2f} s  {n.name}")
    for o, n in pairs:
        if o.text != n.text or o.refused != n.refused:
            was, now_is = (f.refused or f"{f.derivative} statements" for f in (o, n))
            out.append(f"    another text, {was}, now {now_is}: {n.name}")
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", help="names of files in tools/package_cases")
    parser.add_argument("--one-in", type=int, default=1, metavar="N", help="take a sample: one function in N")
    parser.add_argument("--only", help="calls that contain this text")
    parser.add_argument("--forward", action="store_true", help="in forward mode")
    parser.add_argument("--run-time", action="store_true", help="time calls that stay against the same written out")
    parser.add_argument("--list", action="store_true", help="a line for each function")
    parser.add_argument("--slowest", type=int, default=10, help="how many functions to name")
    parser.add_argument("--seconds", type=int, default=120, help="give up on a derivation after this time")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FILE", help="write the figures to a record")
    parser.add_argument("--against", type=pathlib.Path, metavar="FILE", help="compare with a record")
    chosen = parser.parse_args()
    grad(abs_of_float)(2.0)  # loads the compiler
    found: list[Figures] = []
    for case in chosen_cases(chosen.packages or packages.packages(), chosen.one_in, chosen.only):
        made = figures(case, chosen.forward, chosen.run_time, chosen.seconds)
        if made is None:
            continue
        found.append(made)
        if chosen.list:
            said = made.refused or f"{made.derivative}/{made.primal}"
            print(f"{made.seconds:7.2f} s  {said:>10}  {made.name}", flush=True)
        if chosen.keep is not None:
            chosen.keep.write_text(json.dumps([dataclasses.asdict(f) for f in found], indent=0))
    print("\n".join(summary(found, chosen.slowest)))
    if chosen.against is not None:
        before = [Figures(**f) for f in json.loads(chosen.against.read_text())]
        print("\n".join(against(before, found, chosen.slowest)))
    return 0


def abs_of_float(x: float) -> float:
    return x if x > 0.0 else -x


if __name__ == "__main__":
    raise SystemExit(main())
