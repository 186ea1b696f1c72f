"""`a += b` where only the run knows whether a is a number, or an array that other names see changed."""

import numpy as np
import pytest

from s2sad import DerivationError, grad, jvp


def kept_before(x, n):
    total, before = 0.0, 0.0
    for i in range(n):
        before = total
        total += x * i
    return np.sum(before * x)


def kept_after(x, n):
    total, after = 0.0, 0.0
    for i in range(n):
        total += x * i
        after = total * 1.0
    return np.sum(after * x)


@pytest.mark.parametrize(
    "derive", [lambda: grad(kept_before)(np.ones(3), 3), lambda: jvp(kept_before)(np.ones(3), 3, np.ones(3))]
)
def test_what_it_was_before_is_not_read(derive):
    with pytest.raises(DerivationError, match="total may be an array or a number here, and what it was before"):
        derive()


def test_copies_are_read():
    x = np.array([0.5, 2.0])
    np.testing.assert_allclose(grad(kept_after)(x, 3), 2 * 3 * x)
