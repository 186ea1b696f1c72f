"""Which statements may raise what a handler is for: who says that one may not, when it may, loses the handler."""

from __future__ import annotations

import math

import numpy as np
import pytest

from s2sad.analysis.raising import may_raise
from s2sad.core import Facts, statements
from s2sad.kinds.dims import Dim
from s2sad.kinds.kind import Array, ListOf, Number, Static, Unknown

KINDS = {
    **{"x": Number(float), "y": Number(float), "k": Number(int), "z": Number(complex), "h": Number(np.float64)},
    **{"a": Array(np.dtype(float), (Dim.of(3),)), "q": ListOf(Number(float)), "u": Unknown(), "s": Static("text")},
}
GLOBALS = {"np": np, "math": math}

#: statements, and the exceptions that they may raise, of those that are asked for
MAY: dict[str, tuple[type[BaseException], ...]] = {
    **{"y = x * 2.0 - k": (), "y = -x": (), "y = x if x < 1.0 else 2.0": (), "y = (x, k)": (), "pass": ()},
    **{"y = x / 2.0": (), "y = x / k": (ZeroDivisionError,), "y = x // k": (ZeroDivisionError,)},
    **{"y = x % k": (ZeroDivisionError,), "y = x ** k": (ZeroDivisionError,), "y = 2.0 / 0": (ZeroDivisionError,)},
    **{"y = x * u": (ValueError, TypeError, IndexError, ZeroDivisionError, FloatingPointError)},
    **{"y = x * s": (ValueError, TypeError, IndexError, ZeroDivisionError, FloatingPointError)},
    **{"y = h * x": (FloatingPointError,), "y = z": (), "y = ~k": (TypeError,)},
    # of calls: of functions of numbers, of what is a number
    **{"y = math.sqrt(x)": (ValueError, TypeError), "y = np.sin(x)": (TypeError, FloatingPointError)},
    **{"y = math.sqrt(x / k)": (ValueError, TypeError, ZeroDivisionError), "y = f(x)": (IndexError, KeyError)},
    **{"y = math.sqrt(u)": (IndexError, KeyError, TypeError), "y = np.sin(u)": (IndexError, KeyError)},
    **{"y = math.sqrt(q[k])": (IndexError, ValueError), "y = math.sqrt()": (TypeError, KeyError)},
    # of items
    **{"y = q[k]": (IndexError,), "y = a[0]": (IndexError,), "y = a[x]": (IndexError, KeyError, TypeError)},
    **{"a[k] = x": (IndexError,), "a[k] += x": (IndexError,), "a[k] /= x": (IndexError, ZeroDivisionError)},
    **{"a[k] = z": (TypeError, KeyError), "q[k] = x": (IndexError,), "u[k] = x": (KeyError, TypeError)},
    # effects
    **{"q.append(x)": (), "u.append(x)": (AttributeError,), "print(x)": (), "print(u)": (KeyError,)},
    **{"print(x, end=s)": (KeyError,), "q.append(x / k)": (ZeroDivisionError,), "q.pop()": (IndexError,)},
    **{"if x > 1.0:\n    y = x": (), "if x > 1.0:\n    y = 1.0\nelse:\n    y = q[k]": (IndexError,)},
    **{"if x > k / k:\n    pass": (ZeroDivisionError,), "for i in range(3):\n    pass": ()},
}
FACTS = Facts(dict(KINDS), globals=dict(GLOBALS))


@pytest.mark.parametrize("text", MAY)
def test_what_may_be_raised(text: str) -> None:
    (statement,) = statements(text)
    asked = MAY[text]
    assert may_raise(statement, FACTS) == bool(asked)
    for one in asked:
        assert may_raise(statement, FACTS, caught=(one,)), one


def test_what_is_not_caught_does_not_count() -> None:
    for text, others in (
        ("y = x / k", (ValueError, KeyError, IndexError)),
        ("y = math.sqrt(x)", (KeyError, IndexError, ZeroDivisionError)),
        ("y = q[k]", (ValueError, ZeroDivisionError, TypeError)),
        ("a[k] = x", (ValueError, ZeroDivisionError)),
    ):
        assert not may_raise(*statements(text), FACTS, caught=others), text


def test_names_that_may_have_no_value() -> None:
    (statement,) = statements("y = x * 2.0")
    assert may_raise(statement, FACTS, unsure={"x"})
    assert not may_raise(statement, FACTS, unsure={"x"}, caught=(ValueError,))
    assert not may_raise(statement, FACTS, unsure={"y"})
