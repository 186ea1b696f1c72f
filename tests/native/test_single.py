"""Arrays and numbers of single precision: compiled derivatives have the numbers and the dtypes of NumPy mode."""

import math

import numpy as np
import pytest

from s2sad import DerivationError, grad, hvp, vjp
from tests.numeric import leaves

pytest.importorskip("numba")
G = np.random.default_rng(5)
X, A = G.normal(size=7).astype(np.float32), G.normal(size=(4, 7)).astype(np.float32)
B = G.normal(size=(7, 4))


def recurrence(x, k):
    x = x.copy()
    for i in range(1, len(x)):
        x[i] += k * x[i - 1] / (1.0 + x[i] ** 2)
    return np.sum(x * x)


def doubles_of_math(x):
    total = 0.0
    for i in range(len(x)):
        total += math.sin(x[i]) * float(x[i])
    return total * x[0]


def largest(A):
    top = np.max(A * 1.1, axis=1, keepdims=True)
    return np.sum(np.where(top == A * 1.1, A * 2, 0.0)) + np.sum(top * top)


def powers(x):
    return np.sum(np.abs(x) ** 0.5 + (x * x + 1) ** -0.5 + (1.0 + x * x) ** 1.5 + x**3.0 + 2.0**x)


def means(A, k):
    z = (A - np.mean(A, axis=0)) * k / np.std(A)
    return np.sum(np.mean(z * z, axis=1) * np.sum(A, axis=1)) + np.var(z)


def functions(x):
    return np.sum(np.cumsum(x) * np.exp(-x) * np.log(1.5 + x * x) * np.tanh(x) * np.clip(x, -0.5, 0.5)) * np.hypot(
        x[0], 1.0
    )


def of_two_precisions(A, B):
    return np.sum((A @ B) ** 2.0)


def chosen(x, k):
    s = x[0]
    for v in x:
        s = s * 0.9 + k * v * v if v > 0.1 else s
    return s * (np.linalg.norm(x) or 1.0)


PROGRAMS = [
    (recurrence, (X, 0.7), (0, 1)), (recurrence, (X, np.float32(0.7)), (0, 1)), (recurrence, (B[0], np.float32(2)), 1),
    (doubles_of_math, (X,), 0), (largest, (A,), 0), (powers, (X,), 0), (means, (A, 2.0), (0, 1)), (functions, (X,), 0),
    (of_two_precisions, (A, B), (0, 1)), (chosen, (X, 0.3), (0, 1)),
]  # fmt: skip


def check(found, expected):
    for (_, a), (_, b) in zip(leaves(found), leaves(expected), strict=True):
        assert np.allclose(a, b, rtol=3e-6, atol=3e-6 * np.max(np.abs(b)))
        assert not np.ndim(b) or a.dtype == b.dtype


@pytest.mark.parametrize(
    ("f", "args", "wrt"), PROGRAMS, ids=[f"{f.__name__}-{k}" for k, (f, _, _) in enumerate(PROGRAMS)]
)
def test_gradients_have_the_precision_of_numpy_mode(f, args, wrt):
    check(grad(f, wrt=wrt, compile="numba")(*args), grad(f, wrt=wrt)(*args))


def test_elements_are_rounded_as_numpy_rounds_them():
    """What is compared with its own maximum is one of its elements: none is kept in double."""
    slope = grad(largest, compile="numba")
    assert np.array_equal(slope(A), grad(largest)(A))
    assert "np.float32(1.1)" in slope.source


@pytest.mark.long
@pytest.mark.parametrize("f", [powers, functions, chosen], ids=lambda f: f.__name__)
def test_pullbacks_and_second_order(f):
    more = (0.3,) if f is chosen else ()
    (value, pull), (found, pulled) = vjp(f)(X, *more), vjp(f, compile="numba")(X, *more)
    check((found, pulled(np.float32(1.5))), (value, pull(np.float32(1.5))))
    if f is not chosen:
        check(hvp(f, compile="numba")(X, np.cos(X)), hvp(f)(X, np.cos(X)))


def test_what_is_of_no_known_kind_is_refused():
    def spread(x):
        return np.sum(x / np.std(x)) + np.var(x) * np.sum(np.linspace(0.1, x[0], 7) * x)

    with pytest.raises(DerivationError, match="meets float32 here"):
        hvp(spread, compile="numba")(X, np.cos(X))
