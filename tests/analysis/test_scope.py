"""What a statement reads, binds and overwrites: said too much, a store that is read is taken for dead."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad.analysis.scope import Scope
from s2sad.core import Facts, statements
from s2sad.kinds.dims import Dim
from s2sad.kinds.kind import Array, Number

OF_THREE = Array(np.dtype(float), (Dim.of(3),))
KINDS = {"a": OF_THREE, "b": OF_THREE, "v": OF_THREE, "x": Number(float)}

#: stores, and whether they overwrite all of the array
STORES = {
    **{"a[...] = v": True, "a[:] = v": True},
    **{"a[1:] = v[1:]": False, "a[:2] = v[1:]": False, "a[::2] = v[1:]": False, "a[0] = x": False},
    **{"a[-3:] = v": False, "a[v > x] = x": False, "a[None] = v": False},
}


def overwrites(before: str, store: str) -> bool:
    body = statements(f"a = np.zeros(3)\n{before}\n{store}\nx = a[0]")
    scope = Scope(body, Facts(dict(KINDS)), parameters={"v", "x"})
    return bool(scope.masks(body[-2]).define & scope.memory_bit("a"))


@pytest.mark.parametrize("store", STORES)
def test_what_overwrites_all_of_an_array(store: str) -> None:
    assert overwrites("a[0] = x", store) == STORES[store]


@pytest.mark.parametrize("before", ["b = a", "b = a[1:]", "if x > 0.0:\n    a = v"])
def test_what_others_may_hold_is_not_overwritten(before: str) -> None:
    assert not overwrites(before, "a[...] = v")
