"""The text of derivatives, kept for review. After a change that is meant:

S2SAD_SNAPSHOTS=update python -m pytest tests/snapshots     and look at the diff
"""

import difflib
import os
from pathlib import Path

import numpy as np
import pytest

from s2sad import grad, jvp, value_and_grad, vjp
from tests import numeric
from tests.snapshots.functions import SNAPSHOTS

KEPT = Path(__file__).parent / "kept"
UPDATE = os.environ.get("S2SAD_SNAPSHOTS") == "update"


def derivatives(s):
    """The derivatives of a snapshot, called once each."""
    args = numeric.fresh(s.args)
    names = s.f.__code__.co_varnames
    positions = tuple(names.index(w) if isinstance(w, str) else w for w in np.atleast_1d(np.array(s.wrt, dtype=object)))
    at = positions if isinstance(s.wrt, tuple) else positions[0]
    along = numeric.direction(args, at, np.random.default_rng(0))
    match s.form:
        case "jvp":
            d = jvp(s.f, wrt=s.wrt)
            d(*args, along)
            return [d]
        case "second":
            first = grad(s.f, wrt=s.wrt)
            d = jvp(first, wrt=s.wrt)
            d(*args, along)
            return [d]
    d = {"grad": grad, "value_and_grad": value_and_grad, "vjp": vjp}[s.form](s.f, wrt=s.wrt)
    d(*args)
    return [d]


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_snapshot(name):
    text = "\n\n".join(d.source for d in derivatives(SNAPSHOTS[name]))
    file = KEPT / f"{name}.txt"
    if UPDATE:
        file.write_text(text, encoding="utf-8")
        return
    kept = file.read_text(encoding="utf-8") if file.exists() else ""
    diff = difflib.unified_diff(kept.splitlines(), text.splitlines(), "kept", "now", lineterm="")
    assert kept == text, "\n".join(["not what is kept (S2SAD_SNAPSHOTS=update keeps it):", *diff])


@pytest.mark.parametrize("name", [n for n, s in SNAPSHOTS.items() if s.form == "grad"])
def test_right(name):
    s = SNAPSHOTS[name]
    names = s.f.__code__.co_varnames
    at = tuple(map(names.index, s.wrt)) if isinstance(s.wrt, tuple) else names.index(s.wrt) if s.wrt != 0 else 0
    numeric.check_reverse(s.f, s.args, at)
    numeric.check_forward(s.f, s.args, at)


def test_nothing_else_is_kept():
    assert {f.stem for f in KEPT.iterdir()} == set(SNAPSHOTS)


@pytest.mark.parametrize("name", [n for n in SNAPSHOTS if n.endswith("_second")])
def test_second_order_is_right(name):
    s = SNAPSHOTS[name]
    numeric.check_second(s.f, s.args, s.wrt)
