"""Rules of functions of other packages, which are loaded with them."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import rules
from tests import numeric

#: with a nan, which takes no part
ROWS = np.array([[0.3, 1.2, np.nan, 0.7], [0.9, 0.4, 1.6, 0.5], [1.1, np.nan, 0.2, 0.8]])


@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("name", ["nansum", "nanmean", "nanvar", "nanstd", "nanmin", "nanmax", "nanmedian"])
def test_bottlenecks_reductions(name, axis):
    bn = pytest.importorskip("bottleneck")
    function = getattr(bn, name)

    def f(x):
        return np.sum(function(np.where(np.isnan(ROWS), np.nan, x), axis=axis) ** 2)

    x = np.nan_to_num(ROWS)
    for check in (numeric.check_reverse, numeric.check_forward, numeric.check_second):
        check(f, (x,), 0)


@pytest.mark.parametrize("name", ["median", "ss"])
def test_bottlenecks_other_functions(name):
    bn = pytest.importorskip("bottleneck")
    function = getattr(bn, name)

    def f(x):
        if bn.anynan(x):
            return 0.0
        return function(x) ** 2 + np.sum(function(x, axis=0) ** 2) * x[0, bn.nanargmax(ROWS[0])]

    x = np.array([[0.3, 1.2], [0.9, 0.5], [1.1, 0.2]])
    for check in (numeric.check_reverse, numeric.check_forward, numeric.check_second):
        check(f, (x,), 0)


def test_missing_values_of_pandas():
    pd = pytest.importorskip("pandas")

    def f(x):
        there = ~(pd.isnull(x) | pd.isna(ROWS[0]))
        return np.sum(x[there & pd.notna(x)] ** 2)

    for check in (numeric.check_reverse, numeric.check_forward, numeric.check_second):
        check(f, (np.array([0.3, 1.2, 0.4, 0.9]),), 0)


def test_registered_when_they_are_imported():
    bn = pytest.importorskip("bottleneck")
    assert rules.lookup(bn.nanmean).definition is not None and rules.lookup(bn.anynan).zero
