"""`u += e` where u is a number or an array: an array keeps its shape and dtype, and what NumPy refuses is refused.

What NumPy makes of the values of a function has the type of the first of them, and what a function gives that is
written out in its place has the type that NumPy's has.
"""

from __future__ import annotations

import itertools
import pathlib

import numpy as np
import pytest
from s2sad import DerivationError, grad, jvp, value_and_grad

from tests import generator

X = np.array([0.7131, 1.1277, 0.4219], np.float32)
E = np.array([1.3, 1.1, 1.7])
TARGETS = {
    "u": "u = 0.5\n    if flag > 0:\n        u = x * 2",
    "box.u": "box = Box()\n    box.u = 0.5\n    if flag > 0:\n        box.u = x * 2",
    "box[0]": "box = [0.5]\n    if flag > 0:\n        box[0] = x * 2",
}
HEAD = "import numpy as np\n\nclass Box:\n    pass\n\n"
CASES = list(itertools.product(("+", "-", "*", "/", "**", "//", "%"), TARGETS))


@pytest.mark.parametrize(("op", "target"), CASES)
def test_an_array_keeps_its_dtype(op: str, target: str, tmp_path: pathlib.Path) -> None:
    text = f"{HEAD}def f(x, flag, e):\n    {TARGETS[target]}\n    {target} {op}= e\n    return np.sum({target} * x)\n"
    f = generator.load(text, tmp_path / "f.py")
    for flag, e in itertools.product((0, 1), (E, np.float64(1.3), 1.3, E.astype(np.float32))):
        value, wide = f(X, flag, e), value_and_grad(f)(X.astype(float), flag, e)
        got, gradient = value_and_grad(f)(X, flag, e)
        forward, tangent = jvp(f)(X, flag, e, X)
        for one in (got, forward):
            assert (one, np.asarray(one).dtype) == (value, np.asarray(value).dtype), text
        np.testing.assert_allclose(gradient, wide[1], rtol=1e-5, atol=1e-6, err_msg=text)
        np.testing.assert_allclose(tangent, np.sum(wide[1] * X), rtol=1e-5, atol=1e-5, err_msg=text)


#: what u is, and values that NumPy does not add to it in place
REFUSED = {
    "x * 2": (np.ones((2, 3)), np.ones((1, 3)), np.ones(2), 1j, np.ones(3) * 1j),
    "x * 1j": (np.ones((2, 3)),),
}


@pytest.mark.parametrize("made", REFUSED)
def test_what_numpy_refuses_in_place(made: str, tmp_path: pathlib.Path) -> None:
    text = f"import numpy as np\n\ndef f(x, flag, e):\n    u = 1j\n    if flag > 0:\n        u = {made}\n"
    f = generator.load(f"{text}    u += e\n    return np.real(np.sum(u * np.sum(x)))\n", tmp_path / "f.py")
    for e in REFUSED[made]:
        for x in (X, X.astype(float)):
            with pytest.raises((ValueError, TypeError)) as raised:
                f(x, 1, e)
            kind = ValueError if raised.type is ValueError else TypeError
            for derivative in (grad(f), value_and_grad(f), lambda *args: jvp(f)(*args, args[0])):
                with pytest.raises(kind):
                    derivative(x, 1, e)
                derivative(x, 0, e)


def test_another_name_of_the_array_is_refused(tmp_path: pathlib.Path) -> None:
    text = "import numpy as np\n\ndef f(x, flag, e):\n    u, w = 0.5, x * 2\n    if flag > 0:\n        u = w\n"
    f = generator.load(f"{text}    u += e\n    return np.sum(u * w)\n", tmp_path / "f.py")
    with pytest.raises(DerivationError, match="used afterwards"):
        value_and_grad(f)(X, 1, E)


#: of an array x in single precision
MADE = (
    *("np.vectorize(lambda u: u * u + 0.5)(x)", "np.vectorize(lambda u, v: math.sin(u) * v)(x, x)"),
    *("np.vectorize(lambda i: x[i] ** 2)(np.arange(3))", "np.vectorize(lambda u: u * u, otypes='d')(x)"),
    *("np.vectorize(lambda r: r * r[0], signature='(n)->(n)')(x[None] * x)", "np.vectorize(lambda u: u * e[1])(x)"),
    *("np.vectorize(lambda r, u: r @ r * u, signature='(n),()->()')(x[None] * x, x[:1])",),
    *("np.apply_along_axis(lambda r: r * r[0], 1, np.outer(x, x))", "np.apply_along_axis(lambda r: r[0] ** 2, 0, x)"),
    *("np.apply_along_axis(lambda r: r * e, 1, np.outer(x, x))", "np.apply_along_axis(np.sum, 1, np.outer(x, x))"),
    *("np.mean(np.outer(x, x), axis=1, where=x > 0.5)", "np.var(x, where=x > 0.5)", "np.std(x, mean=np.mean(x))"),
    *("np.quantile(x, 0.4, method='hazen') * x", "np.percentile(np.outer(x, x), 35, axis=0, method='higher')"),
    *("np.maximum.reduceat(x, [0, 2])", "np.ediff1d(x, to_end=[1.0, 2.0])", "np.polynomial.polynomial.polyint(x)"),
    *("np.pad(x, 1, 'reflect', reflect_type='odd')", "np.pad(x, (2, 1), 'linear_ramp', end_values=(0.5, 1.5))"),
)


@pytest.mark.parametrize("made", MADE)
def test_what_is_written_out_has_the_type_that_numpy_gives(made: str, tmp_path: pathlib.Path) -> None:
    f = generator.load(
        f"import math\nimport numpy as np\n\ndef f(x, e):\n    return np.sum({made})\n", tmp_path / "f.py"
    )
    value, wide = f(X, E), value_and_grad(f)(X.astype(float), E)
    got, gradient = value_and_grad(f)(X, E)
    forward, _ = jvp(f)(X, E, X)
    for one in (got, forward):
        assert (one, np.asarray(one).dtype) == (value, np.asarray(value).dtype)
    np.testing.assert_allclose(gradient, wide[1], rtol=1e-5, atol=1e-6)
