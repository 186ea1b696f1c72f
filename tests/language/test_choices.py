"""Which array a name is, where only the run knows it, and one of these arrays is overwritten: the run keeps that, and
the derivative follows it. Ways to choose, and what is done with what was chosen, put together."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest
from s2sad import grad, vjp

from tests import generator, numeric

pytestmark = pytest.mark.slow

#: ways to choose y, of a, b and d; n is the number of turns of the loops
CHOICES = {
    "branch": "if c > 0.0:\n        y = a\n    else:\n        y = b",
    "ternary": "y = a if c > 0.0 else b",
    "value of the run": "y = a if x[0] > 0.5 else b",
    "one of three": (
        "if c > 1.0:\n        y = a\n    elif x[0] > 0.5:\n        y = b\n    else:\n        y = d\n        y[0] = 0.3"
    ),
    "a choice of a choice": "w = a if c > 0.0 else b\n    y = w if x[0] > 0.5 else d",
    "slices of one array": "y = a[1:] if c > 0.0 else a[:-1]",
    "a slice or all": "y = a[:2] if c > 0.0 else b",
    "a slice of a choice": "w = a if c > 0.0 else b\n    y = w[1:] if x[0] > 0.5 else d",
    "an array made in a branch": "y = a if c > 0.0 else x * 2.0",
    "an inactive one": "y = a if c > 0.0 else z",
    "inactive ones": "a, b = np.ones(3), np.zeros(3)\n    y = a if c > 0.0 else b",
    "two swapped": "y, w = (a, b) if c > 0.0 else (b, a)\n    w[1] = y[0] * x[2]",
    "changed later": "y = a\n    if c > 0.0:\n        y = b",
    "buffers swapped": (
        "y, w = a, b\n    for i in range(n):\n        w[1:] = y[:-1] * y[1:]\n        w[0] = y[0] * x[0]\n"
        "        y, w = w, y"
    ),
    "buffers swapped now and then": (
        "y, w = a, b\n    for i in range(n):\n        w[0] += y[1] * x[i]\n        if x[i] > 0.5:\n"
        "            y, w = w, y"
    ),
    "three in turn": (
        "y, w, r = a, b, d\n    for i in range(n):\n        w[i] = y[0] * r[1] + x[i]\n        y, w, r = w, r, y"
    ),
    "made anew by turns": (
        "y = a\n    for i in range(n):\n        y[0] += x[i] * y[1]\n        y = np.sin(y) * x\n        a[1] = y[2] * x[0]"
    ),
    "made anew now and then": (
        "y = a\n    for i in range(n):\n        if x[i] > 0.5:\n            y = y * b\n        y[1] = a[0] * x[i] + y[2]"
    ),
    "out of a list": "y = [a, b, d][int(c > 0.0)]",
    "out of a pair": "both = [a, b]\n    y = both[c > 0.0]",
    "buffers in a list": (
        "both = [a, b]\n    for i in range(n):\n        w, y = both[(i + 1) % 2], both[i % 2]\n"
        "        w[1:] = y[:-1] * x[0]\n        w[0] += y[0] * z[1]"
    ),
    "buffers in a list, as often as the run says": (
        "both, t, i = [a, b], np.sum(x), 0\n    while t < 5.0:\n        both[i % 2][0] += both[(i + 1) % 2][1] ** 2\n"
        "        t, i = t * 1.3, i + 1\n    y = both[0]"
    ),
    "anew in each turn": (
        "for i in range(n):\n        y = a if x[i] > 0.5 else b\n        y[i] = y[0] * x[i]\n        b[0] += a[1]"
    ),
}
#: what is done with it
USES = {
    "stored through it": "y[0] = y[1] * x[1]",
    "all of it changed": "y *= x[0]\n    y += 0.5",
    "the others changed": "a[0] = y[1] * x[2]\n    b[1] += a[0] * y[0]",
    "through a view": "v = y[::-1]\n    v[0] = x[0] * v[1]\n    a[1] = v[0]",
    "in a loop": "for k in range(2):\n        y[k] = np.sin(y[k]) * x[k]\n        d[k] += y[0] * b[k]",
}
PROGRAM = """import numpy as np


def f(x, z, c, n):
    a, b, d = x * 1.0, np.sin(x), z * x
    s = 0.0
    {choice}
    s += np.sum(y * y)
    {use}
    return s + a @ a + 2.0 * np.sum(b * b * b) + y[0] * y[1] + np.sum(d)
"""
X, Z = np.array([0.7, 1.3, 0.4]), np.array([0.3, -0.6, 0.9])


def made(choice: str, use: str, path: pathlib.Path):
    return generator.load(PROGRAM.format(choice=CHOICES[choice], use=USES[use]), path / "chosen.py")


@pytest.mark.sampled(16, cover=True)
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("choice", CHOICES)
def test_followed(choice: str, use: str, tmp_path: pathlib.Path) -> None:
    f = made(choice, use, tmp_path)
    wrt = (0, 1) if (len(choice) + len(use)) % 2 else 0  # in some of the programs z is not active
    numeric.check(f, (X, Z, 1.0, 3), wrt, second=use == "stored through it")
    numeric.check(f, (X[::-1].copy(), Z, -1.0, 2), wrt)


@pytest.mark.parametrize("choice", CHOICES)
def test_a_pullback_is_called_twice(choice: str, tmp_path: pathlib.Path) -> None:
    f = made(choice, "the others changed", tmp_path)
    _, pullback = vjp(f)(X, Z, 1.0, 3)
    first, again = pullback(1.0), pullback(1.0)
    np.testing.assert_array_equal(first, again)
    np.testing.assert_allclose(pullback(2.0), 2.0 * first, rtol=1e-14)


def returned(x, c):
    a, b = x * 2.0, np.sin(x)
    y = a if c > 0.0 else b
    y[0] = y[1] * x[2]
    a[1] = y[0]
    return y, b


@pytest.mark.parametrize("c", [1.0, -1.0])
def test_what_was_chosen_is_returned(c: float) -> None:
    numeric.check(returned, (X, c), 0)


def parts_of_an_argument(p, c):
    y = p["u"] if c > 0.0 else p["v"]
    y[0] = y[1] * p["u"][2]
    return np.sum(p["u"] * p["v"]) + y[0] ** 2


@pytest.mark.parametrize("c", [1.0, -1.0])
def test_parts_of_an_argument(c: float) -> None:
    numeric.check(parts_of_an_argument, ({"u": X, "v": Z}, c), 0)


def added_to_one_of_two(x, c):
    b = x * 1.0
    total = np.zeros_like(b)
    part = np.zeros_like(x) if c > 0.0 else total
    part[...] += 2.0 * b
    total += 3.0 * b
    return np.sum(total * total)


@pytest.mark.parametrize("c", [1.0, -1.0])
def test_inactive_where_it_is_chosen(c: float) -> None:
    """What is added to one of two arrays that hold nothing active when one is chosen."""
    numeric.check(added_to_one_of_two, (X, c), 0, second=True)


def chosen_by_a_branch(x, z, c):
    if c > 0.0:
        y = x
    else:
        y = z
    y[0] = y[1] * 3.0
    return np.sum(x * z)


def chosen_of_what_one_branch_made(x, c):
    a, b = np.tanh(x), np.ones(3)
    if c > 0.0:
        y = a
    else:
        y = 0.5 * x
    a[1] = x[0] * y[1]
    w = b if x[1] < 0.5 else y
    w = w * 0.5
    return np.sum(a) + np.sum(w * w)


@pytest.mark.parametrize("x", [X, 0.3 * X])
@pytest.mark.parametrize("c", [1.0, -1.0])
def test_chosen_of_what_one_branch_made(x: np.ndarray, c: float) -> None:
    numeric.check(chosen_of_what_one_branch_made, (x, c), 0, second=True)


def out_of_a_list(x, k):
    y = [x * 1.0, np.sin(x)][k]
    y[0] = x[1]
    return np.sum(y * x)


def test_there_is_no_such_item() -> None:
    for k in (0, 1, -1, -2):
        numeric.check(out_of_a_list, (X, k), 0)
    derivative = grad(lambda x, k: out_of_a_list(x, int(k)))
    derivative(X, 1.0)
    with pytest.raises(IndexError):
        derivative(X, 2.0)


def test_the_text_is_what_one_would_write() -> None:
    derivative = grad(chosen_by_a_branch, wrt=(0, 1))
    derivative(X, Z, 1.0)
    assert "by = bx if y_is_x else bz" in derivative.source
    assert derivative.source.count("y_is_x = c > 0.0") == 1


INACTIVE = {
    "ternary": "y = u if x[0] > 0.0 else v",
    "in each turn": "y = u if x[0] > n - 5 else v",
    "slices": "y = u[:1] if x[0] > 0.0 else v",
    "reshaped": "y = u.reshape(2, 1) if x[0] > 0.0 else v.reshape(2, 1)",
    "of a list": "y = [u, v][n - 3]",
    "of a dict": "d = {'a': u, 'b': v}\n    y = d['a'] if x[0] > 0.0 else d['b']",
    "the largest": "y = max(u, v, key=np.sum)",
    "without a name": "y = (u if x[0] > 0.0 else v)[:1]",
}


@pytest.mark.parametrize("choice", INACTIVE.values(), ids=INACTIVE)
def test_what_a_chosen_inactive_array_held_is_read_backwards(choice, tmp_path):
    """The backward sweep reads what stood in u before a constant went into it through y."""
    text = f"""
import numpy as np

def f(x, n):
    u, v, s = np.ones(2), np.zeros(2), x[0]
    {choice}
    s = s * x[1] + u @ x[1:]
    y[0] = 2.0
    return s + u @ x[1:] * s
"""
    file = tmp_path / "chosen.py"
    file.write_text(text)
    scope = {"__name__": "chosen"}
    exec(compile(text, file, "exec"), scope)
    point = np.array([1.3, 0.7, 0.4])
    numeric.check_reverse(scope["f"], (point, 3), 0)
    numeric.check_forward(scope["f"], (point, 3), 0)
