"""What goes wrong at run time, and names that hide builtins."""

import numpy as np
import pytest
from s2sad import DerivationError, grad, jvp


def popped(x, k):
    items = []
    for v in x:
        items.append(v**2)
    return items.pop(k) + len(items) * items[0]


@pytest.mark.parametrize("k", [0, 2, -1, -3])
def test_pop_of_a_place(k: int) -> None:
    x = np.array([0.5, 1.5, -2.0])
    expected = np.zeros(3)
    expected[k] = 2 * x[k]
    expected[0 if k % 3 else 1] += 4 * x[0 if k % 3 else 1]
    np.testing.assert_allclose(grad(popped)(x, k), expected)


@pytest.mark.parametrize("k", [3, -4])
def test_pop_of_no_such_place(k: int) -> None:
    with pytest.raises(IndexError):
        popped(np.ones(3), k)
    with pytest.raises(IndexError):
        grad(popped)(np.ones(3), k)


def averaged(x, len):
    items = []
    for k in range(len):
        items.append(x * k)
    return np.array(items).mean()


def test_annotations_hide_nothing() -> None:
    def f(x: list[float], flag: bool = True) -> float:
        kept = [float(v) for v in x if bool(v > 0) == flag]
        kept.append(2.0)
        return sum(kept) * len(kept)

    assert grad(f)([0.5, -1.0, 2.0]) == [3.0, 0.0, 3.0]


def test_parameter_that_hides_a_builtin() -> None:
    with pytest.raises(DerivationError, match=r"the parameter len hides Python's len\(\)[\s\S]*len_"):
        grad(averaged)(2.0, 3)
    value, slope = jvp(averaged)(2.0, 3, 1.0)  # which need not ask for lengths
    assert (value, slope) == (2.0, 1.0)
