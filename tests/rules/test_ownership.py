"""Does the watch over helpers notice what it is there to notice?"""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import grad
from s2sad.analysis.known_calls import VIEWING_HELPERS
from tests.rules import ownership


def test_a_view_that_is_not_known_is_noticed(monkeypatch):
    def f(x, n):
        return np.sum(np.diff(x, n) ** 2)

    x = np.array([0.7, 1.1, 0.4])
    monkeypatch.setattr(ownership, "VIEWING_HELPERS", VIEWING_HELPERS - {"diff_back"})
    with ownership.watching(), pytest.raises(AssertionError, match="diff_back gives a view of argument 0"):
        grad(f)(x, 0)
