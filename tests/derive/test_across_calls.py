"""One memory under several names, across calls that stay calls and across calls that are written out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.normal.calls import keep
from tests import numeric
from tests.derive.across_calls import KEPT, ONCE, WRITTEN_OUT

pytestmark = pytest.mark.slow

ARGS = np.array([0.6, -1.2, 0.4, 1.7]), 0.8


@pytest.mark.sampled(30, each=False)
@pytest.mark.parametrize("policy", ["always", "never"])
@pytest.mark.parametrize("f", [*KEPT, *WRITTEN_OUT], ids=lambda f: f.__name__)
def test_against_differences(f: Any, policy: str) -> None:
    with keep.policy(policy), numeric.quiet():
        numeric.check_reverse(f, ARGS, (0, 1))
        numeric.check_forward(f, ARGS, (0, 1))
        if f not in ONCE:
            numeric.check_second(f, ARGS, (0, 1))
        _, pullback = s2sad.vjp(f, wrt=(0, 1))(*ARGS)
        for first, second in zip(pullback(1.0), pullback(1.0), strict=True):
            np.testing.assert_array_equal(first, second)


@pytest.mark.sampled(2, each=False)
@pytest.mark.parametrize("f", [*KEPT, *WRITTEN_OUT], ids=lambda f: f.__name__)
def test_what_stays_a_call(f: Any) -> None:
    with keep.policy("always"):
        gradient = s2sad.grad(f, wrt=(0, 1))
        gradient(*ARGS)
    assert ("_bwd" in gradient.source) == (f in KEPT)
