"""The methods of universal functions, and where=, out= and dtype=: right, or refused."""

from __future__ import annotations

import linecache
import re
import warnings

import numpy as np
import pytest

import s2sad
from tests import numeric
from tests.rules.cases import a

BINARY = ["add", "subtract", "multiply", "divide", "power", "float_power", "maximum", "minimum", "fmax", "fmin"]
BINARY += ["hypot", "arctan2", "logaddexp", "logaddexp2", "copysign", "fmod", "remainder", "heaviside", "nextafter"]
BINARY += ["floor_divide"]
UNARY = ["sin", "exp", "sqrt", "negative", "abs", "tanh", "log1p", "square", "floor", "cbrt", "reciprocal", "sign"]
UNARY += ["positive", "conjugate", "deg2rad"]

VALUES = {
    "x": a(5) + 0.37 * np.arange(5), "y": 1.3 * a(5) + 0.1, "A": 1.7 * a(3, 4) + 0.2, "h": a(4) + 0.31, "p": a(2) + 0.5,
}  # fmt: skip
FIXED = {
    "np": np, "keep": np.array([True, False, True, True, False]),
    "mask": np.array([[True, False, True, True], [False, True, True, False], [True, True, False, True]]),
}  # fmt: skip

#: for each form the functions for which it is refused; "all" where it is a matter of the form
METHODS = {
    "{u}.reduce(A, axis=1)": "power arctan2",
    "{u}.reduce(x)": "power arctan2",
    "{u}.accumulate(A, axis=1)": "",
    "{u}.accumulate(x)": "",
    "{u}.outer(A, p)": "",
    "{u}.outer(0.7, h)": "",
    "{u}.reduceat(x, [0, 2, 3])": "power arctan2",
    "{u}.at(b := x.copy(), np.array([0, 2, 2]), h[:3]) or b": "",
    "{u}.at(b := x.copy(), [1, 3], 0.7) or b": "",
    "{u}(x, y, where=keep, out=np.zeros(5))": "",
    "{u}(A, h, where=mask, out=A.copy())": "",
    "{u}(x, y, out=np.empty(5))": "",
    "{u}(A, h, dtype=float)": "",
}
ALONE = {
    "{u}(x, where=keep, out=np.zeros(5))": "",
    "{u}(A, where=mask, out=A.copy())": "",
    "{u}(x, np.empty(5))": "",
    "{u}(A, dtype=float)": "",
    "{u}.at(b := x.copy(), [0, 0]) or b": "",
}


def program(expression):
    """What it computes, and with what."""
    names = [n for n in VALUES if re.search(rf"(?<![\w.]){n}(?!\w|=)", expression)]
    weighted = "np.sum(np.cos(np.arange(r.size).reshape(r.shape)) * r + 0.5 * r * r)"
    text = f"def f({', '.join(names)}):\n    r = {expression}\n    return {weighted}\n"
    file = f"<ufunc {len(linecache.cache)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    scope = dict(FIXED)
    exec(compile(text, file, "exec"), scope)
    return scope["f"], tuple(VALUES[n] for n in names)


FORMS = [(form.format(u="np." + u), u in refused.split()) for form, refused in METHODS.items() for u in BINARY]
FORMS += [(form.format(u="np." + u), u in refused.split()) for form, refused in ALONE.items() for u in UNARY]


@pytest.mark.sampled(4, each=False)
@pytest.mark.slow
@pytest.mark.parametrize(("expression", "refused"), FORMS, ids=[e for e, _ in FORMS])
def test_form(expression, refused):
    if ".at(" in expression:  # a statement, and the array
        call, _, _ = expression.rpartition(" or b")
        expression = f"(b := x.copy(), {call.replace('b := x.copy()', 'b')}, b)[2]"
    f, args = program(expression)
    wrt = tuple(range(len(args)))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            value = f(*args)
        except TypeError:
            pytest.skip("NumPy has no such method for it")
        if not np.isfinite(value):
            pytest.skip("not finite")
        if refused:
            with pytest.raises(s2sad.DerivationError):
                s2sad.grad(f, wrt)(*args)
            return
        numeric.check_reverse(f, args, wrt)
        numeric.check_forward(f, args, wrt)


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("np.maximum(x, y, dtype=np.float32)", "rounds its arguments"),
        ("np.subtract.reduce(A, axis=1, initial=0.5)", "in this form"),
    ],
)
def test_refused(expression, words):
    f, args = program(expression)
    with pytest.raises(s2sad.DerivationError, match=words):
        s2sad.grad(f)(*args)
