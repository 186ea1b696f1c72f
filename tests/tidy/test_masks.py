"""Masks that are named once say at each place what they said there."""

import numpy as np
import pytest

from s2sad import grad
from s2sad.core import Facts, statements, text
from s2sad.kinds.kind import Array, Dim, Number
from s2sad.tidy.masks import name_masks
from tests import numeric

ROW = Array(np.dtype(float), (Dim.symbol("n"),))
MASKED = "np.where(g != 0.0, h, 0.0)"


def named(body):
    facts = Facts(kinds={n: ROW for n in ("a", "b", "c", "g", "h", "k")} | {"x": Number(float)}, temps={"c"})
    facts.globals["np"] = np
    return text(name_masks(statements(body), facts, ["a", "b"], parameters=["a", "b", "g", "h", "k", "x"]))


@pytest.mark.parametrize(
    "body",
    [
        f"a += {MASKED}\ng += k\nb += {MASKED}",  # the mask says something else now
        f"a += {MASKED}\nh[0] = x\nb += {MASKED}",
        f"c = g[:]\na += {MASKED}\nc[0] = x\nb += {MASKED}",  # stored through another name
        f"a += {MASKED}\nb += k if x else {MASKED}",  # perhaps not computed
        f"a = {MASKED}\nb = {MASKED}",  # two arrays, which may be overwritten apart
        f"a += {MASKED}\nif x:\n    b += {MASKED}",
        "a += np.where(g != 0.0, h, 0.0)\nb += np.where(g != 0.0, k, 0.0)",  # nothing but a mask that is short
    ],
)
def test_what_is_not_shared(body):
    assert named(body) == body


def test_masks_get_names():
    body = "".join(f"{t} += np.where(g != 0.0, {v}, 0.0)\n" for t, v in ["ah", "bk", "ag"])
    assert named(body) == "mask = g != 0.0\n" + body.replace("g != 0.0", "mask").strip()
    either = "np.logical_or(g != 0.0, k != 0.0)"
    body = f"a += np.where({either}, h, 0.0)\nb += np.where({either}, k, 0.0)"
    assert named(body) == f"mask = {either}\n" + body.replace(either, "mask")


def quotients(x, y):
    z = x[1:] - x[:-1]
    z = z / y[1:] - z / y[:-1]
    z[z > 1.0] = 0.0
    return np.sum(z[1:] ** 2)


def test_slopes_that_are_infinite_where_nothing_counts():
    x, y = np.array([1.0, 2.5, 2.0, 0.5, 1.5]), np.array([1.0, 2.0, -1.5, 0.5, 3.0])
    numeric.check_reverse(quotients, (x, y), (0, 1))
    y[0] = 0.0  # z[0] is inf, and left out
    with np.errstate(all="ignore"):
        bx, by = grad(quotients, wrt=(0, 1))(x, y)
    assert np.isfinite(bx).all() and np.isfinite(by).all()
