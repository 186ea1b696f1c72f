"""What a gradient costs beside its function: for each rule, at a size where arrays dominate.

python tools/bench_rules.py                 the worst first
python tools/bench_rules.py linalg          those whose name holds this
python tools/bench_rules.py --limit 5       exit status 1 when one that is not excused is above 5

The function is sum(w * f(...)), the gradient with respect to all of its float arguments but w; the ratio is that of
their times in the processor.
"""

from __future__ import annotations

import argparse
import linecache
import os
import time
import warnings
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one thread, whose time is measured whatever else runs

import numpy as np

import s2sad

_rng = np.random.default_rng(0)


def uniform(*shape: int) -> Any:
    return _rng.uniform(0.2, 0.9, shape)


def well(*shape: int) -> Any:
    """Well-conditioned matrices."""
    return _rng.normal(size=shape) / np.sqrt(shape[-1]) + 2.0 * np.eye(shape[-1])


_spd = _rng.normal(size=(150, 150))
VALUES: dict[str, Any] = {
    "x": uniform(100_000), "y": uniform(100_000), "A": uniform(500, 400), "B": uniform(400, 300), "C": uniform(500, 400),
    "u": _rng.normal(size=100_000), "k": uniform(300), "h": uniform(400), "q": uniform(500), "s": 0.7, "t": 1.3,
    "G": well(200, 200), "P": _spd @ _spd.T + np.eye(150), "T": well(200, 12, 12), "R": _rng.normal(size=(300, 100)),
    "V": uniform(50_000, 3), "W": uniform(50_000, 3), "K": uniform(40, 30), "L": uniform(50, 20), "p": uniform(8),
    "i": _rng.integers(0, 100_000, 100_000), "j": _rng.integers(0, 400, (500, 400)), "mask": uniform(100_000) > 0.5,
    "grid": np.sort(uniform(1000)), "z": uniform(4096) + 1j * uniform(4096), "S": uniform(60, 60, 60),
    "long": uniform(4096), "F": well(64, 64).reshape(8, 8, 8, 8), "g": uniform(8, 8),
}  # fmt: skip
FIXED = {"i", "j", "mask", "grid"}

#: an elementwise function of each argument, then one line for each of the others
CALLS: list[str] = [
    *(f"np.{n}(x)" for n in ["sin", "cos", "tan", "exp", "expm1", "exp2", "log", "log2", "log10", "log1p", "sqrt", "cbrt", "square", "reciprocal", "tanh", "sinh", "cosh", "arcsin", "arccos", "arctan", "arcsinh", "arctanh", "absolute", "sinc", "i0", "degrees", "negative", "nan_to_num", "conjugate", "real", "unwrap", "round"] if n != "round"),
    *(f"np.{n}(x, y)" for n in (
        "add", "subtract", "multiply", "divide", "power", "arctan2", "hypot", "maximum", "minimum", "logaddexp",
        "copysign", "fmod", "remainder", "float_power",
    )),
    parser.add_argument("pattern", nargs="?", default="", help="only calls that hold this text")
    parser.add_argument("--limit", type=float, help="fail when a ratio that is not excused is above this")
    parser.add_argument("--top", type=int, default=1000, help="how many to print")
    parser.add_argument("--show", action="store_true", help="print the gradients as well")
    chosen = parser.parse_args()
    found = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for expression in CALLS:
            if chosen.pattern in expression:
                try:
                    found.append((*ratio(expression), expression))
                except AttributeError as error:
                    print(f"not in this version: {expression} ({error})")
    found.sort(reverse=True)
    for times, own, text, expression in found[: chosen.top]:
        print(f"{times:8.1f}  {1e6 * own:10.1f} us  {expression}  {EXCUSED.get(expression, '')}")
        if chosen.show:
            print(text)
    above = [e for times, _, _, e in found if chosen.limit and times > chosen.limit and e not in EXCUSED]
    return int(bool(above))


if __name__ == "__main__":
    raise SystemExit(main())
