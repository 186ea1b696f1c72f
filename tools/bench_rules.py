"""What a gradient costs beside its function: for each rule, at a size where arrays dominate
and stay in the cache (fresh memory would be most of what is measured).

python tools/bench_rules.py                 the worst first
python tools/bench_rules.py linalg          those whose name holds this
python tools/bench_rules.py --limit 5       exit status 1 when one that is not excused is above 5

The function is sum(w * f(...)), the gradient with respect to all of its float arguments but w; the ratio is that of
their times in the processor. Behind it stands the reason that the rule gives (`Cost:` in its docstring) where it may be
above 5. Functions of single numbers (math, cmath, operator, statistics) are left out: what they cost is the
interpreter's time.
"""

from __future__ import annotations

import argparse
import linecache
import os
import pathlib
import re
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one thread, whose time is measured whatever else runs

import numpy as np

import s2sad

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from s2sad.cli import import_optional
from tools.bench_calls import CALLS, FIXED, VALUES

import_optional()
MODULES: dict[str, Any] = {"np": np}
if "scipy" in sys.modules:
    from scipy import fft, integrate, interpolate, linalg, ndimage, optimize, signal, sparse, spatial, special, stats

    for _module in (fft, integrate, interpolate, linalg, ndimage, optimize, signal, sparse, spatial, special, stats):
        MODULES[_module.__name__.rpartition(".")[2]] = _module


def excuse(expression: str) -> str:
    """Why the gradient costs more than a few times the function: what the rules that are called say of their cost."""
    from s2sad import rules

    called = set(re.findall(r"\b([A-Za-z_][\w.]*)\(", expression))
    found = [r for r in rules.registry() if {r.name, r.name.removeprefix("scipy.")} & called]
    return "; ".join(dict.fromkeys(r.cost for r in found if r.cost))


def program(expression: str, name: str) -> Callable[..., Any]:
    """A function with source that returns an expression."""
    text = re.sub(r"'[^']*'", "''", expression)
    names = [n for n in dict.fromkeys(re.findall(r"(?<![\w.'])[A-Za-z]\w*", text)) if n in VALUES]
    names = [n for n in names if re.search(rf"(?<![\w.]){n}(?!\w|=[^=])", text)]
    source = f"def {name}({', '.join(names)}):\n    return {expression}\n"
    file = f"<bench {expression} {name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    scope: dict[str, Any] = dict(MODULES)
    exec(compile(source, file, "exec"), scope)
    f = scope[name]
    f.names = names
    return f  # type: ignore[no-any-return]


def seconds(*calls: Callable[[], Any]) -> list[float]:
    """The best of several runs of each, taken in turns: what else runs meanwhile disturbs all of them alike."""
    repeats = []
    for call in calls:
        call()
        start = time.process_time()
        call()
        once = time.process_time() - start
        repeats.append(max(1, min(1000, int(0.01 / max(once, 1e-7)))))
    best = [float("inf")] * len(calls)
    for _ in range(7):
        for k, call in enumerate(calls):
            start = time.process_time()
            for _ in range(repeats[k]):
                call()
            best[k] = min(best[k], (time.process_time() - start) / repeats[k])
    return best


def ratio(expression: str) -> tuple[float, float, str]:
    """The gradient's time over the function's, the function's time, and the gradient's text."""
    f = program(expression, "f")
    args = [VALUES[n] for n in f.names]  # type: ignore[attr-defined]
    value = f(*args)
    weights = np.random.default_rng(0).normal(size=np.shape(value)) if np.ndim(value) else 1.0
    inner = f"np.real({expression})" if np.iscomplexobj(value) else f"({expression})"
    weighted = f"np.sum(weights * {inner})"
    VALUES["weights"] = weights
    FIXED.add("weights")
    total = program(weighted, "total")
    names: list[str] = total.names  # type: ignore[attr-defined]
    gradient = s2sad.grad(total, wrt=tuple(i for i, n in enumerate(names) if n not in FIXED))
    given = [VALUES[n] for n in names]
    specialized = gradient.specialize(*given)
    own, both = seconds(lambda: total(*given), lambda: specialized(*given))
    return both / own, own, gradient.source


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pattern", nargs="?", default="", help="only calls that hold this text")
    parser.add_argument("--limit", type=float, help="fail when a ratio that is not excused is above this")
    parser.add_argument("--part", default="1/1", help="only the second of three parts: 2/3")
    parser.add_argument("--top", type=int, default=1000, help="how many to print")
    parser.add_argument("--show", action="store_true", help="print the gradients as well")
    chosen = parser.parse_args()
    part, parts = map(int, chosen.part.split("/"))
    expressions = [e for e in CALLS if chosen.pattern in e][part - 1 :: parts]
    found = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for expression in expressions:
            try:
                found.append((*ratio(expression), expression))
            except AttributeError as error:
                print(f"not in this version: {expression} ({error})")
            except Exception as error:
                print(f"failed: {expression} ({type(error).__name__}: {str(error)[:300]})")
    found.sort(reverse=True)
    for times, own, text, expression in found[: chosen.top]:
        print(f"{times:8.1f}  {1e6 * own:10.1f} us  {expression}  {excuse(expression)}")
        if chosen.show:
            print(text)
    above = [e for times, _, _, e in found if chosen.limit and times > chosen.limit and not excuse(e)]
    return int(bool(above))


if __name__ == "__main__":
    raise SystemExit(main())
