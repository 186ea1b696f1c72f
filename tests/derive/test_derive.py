"""Whole derivations: second order, structures, dtypes, threads, the same text every time, nothing known ahead."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import threading

import numpy as np
import pytest

from s2sad import grad, hessian, jvp, value_and_grad, vjp
from s2sad.derive import derive
from s2sad.emit.module import module_text
from s2sad.kinds.kind import Unknown
from s2sad.request import Request
from s2sad.runtime.load import load
from tests import amounts
from tests.derive.programs import X, Y, derived
from tests.numeric import assert_same, check, check_forward, check_second

# --- second order through tapes


def taped_numbers(x, n):
    s = x
    for i in range(n):
        s = np.sin(s) * s + i * x
    return s


def taped_arrays(x, n):
    for _ in range(n):
        x = np.tanh(x * x[::-1] + 0.1)
    return np.sum(x * x)


def taped_while(x):
    s, k = x, 0
    while s < 3.0:
        s = s * s * 0.5 + x
        k += 1
    return s * k


def taped_stores(x):
    a = np.zeros(4)
    a[0] = x[0]
    for i in range(1, 4):
        a[i] = np.sin(a[i - 1]) * x[i] + a[i - 1] ** 2
        a[0] = a[0] * a[i]
    return np.sum(a)


def taped_branches(x, n):
    s = x
    for i in range(n):
        if s > 1.0:
            s = s * 0.4 + np.sin(s)
        elif i % 2:
            s = s * s + 0.3
        else:
            s = np.exp(s) * 0.7
    return s


def taped_nests(x, n):
    s = x
    for i in range(n):
        t = s * 0.5
        for _ in range(i):
            t = np.sin(t) * t + 0.2
        s = s * t + 0.1
    return s


def in_place_stencil(u, n):
    for _ in range(n):
        u[1:-1] += 0.1 * u[1:-1] ** 2 * (u[2:] - u[:-2])
    return np.sum(u * u)


SECOND = [
    (taped_numbers, (0.6, 3)),
    (taped_arrays, (X, 3)),
    (taped_while, (1.4,)),
    (taped_stores, (X,)),
    (taped_branches, (0.6, 4)),
    (taped_nests, (0.6, 4)),
    (in_place_stencil, (X, 3)),
]


@pytest.mark.parametrize("f, args", SECOND, ids=lambda v: getattr(v, "__name__", ""))
def test_second_order_through_tapes(f, args):
    check_second(f, args, 0)


@pytest.mark.parametrize("f, args", [SECOND[k] for k in (0, 2, 4, 5)], ids=lambda v: getattr(v, "__name__", ""))
def test_gradient_of_a_gradient(f, args):
    once, twice = grad(f), grad(grad(f))
    h = 1e-5
    slope = (once(args[0] + h, *args[1:]) - once(args[0] - h, *args[1:])) / (2.0 * h)
    assert np.isclose(twice(*args), slope, rtol=1e-6)


@pytest.mark.parametrize(
    "f, args",
    [SECOND[0], SECOND[2], SECOND[4], SECOND[5]],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_third_order(f, args):
    twice = grad(grad(f))
    h = 1e-5
    third = grad(twice)(*args)
    slope = (twice(args[0] + h, *args[1:]) - twice(args[0] - h, *args[1:])) / (2.0 * h)
    assert np.isclose(third, slope, rtol=1e-5)


def test_hessian_is_symmetric():
    for f, args in (SECOND[1], SECOND[3], SECOND[6]):
        h = hessian(f)(*args)
        assert h.shape == (4, 4) and np.allclose(h, h.T)


# --- forward mode of structures


def to_list(x):
    return [x * 2.0, np.sin(x), 3.0]


def to_tuple(x):
    return x @ x, (x[0], x[1:] * 2.0)


def to_dict(x):
    return {"a": x * x, "b": {"c": np.sum(x)}, "n": 3}


def grown(x):
    out = []
    for i in range(4):
        out.append(x[i] * x)
    return out


def dict_through(p):
    q = {"w": p["w"] * 2.0}
    q["b"] = q["w"] + p["b"]
    return q


def list_through(xs):
    xs = [x * x for x in xs]
    xs.append(xs[0] * xs[1])
    return xs


@pytest.mark.parametrize(
    "f, args",
    [
        (to_list, (X,)),
        (to_tuple, (X,)),
        (to_dict, (X,)),
        (grown, (X,)),
        (dict_through, ({"w": X, "b": 2.0},)),
        (list_through, ([X, Y],)),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_structures(f, args):
    check_forward(f, args, 0)
    value, tangent = jvp(f)(*args, args[0])
    assert type(tangent) is type(value) and len(tangent) == len(value)
    if isinstance(value, dict):
        assert list(tangent) == list(value)
    check(f, args)


# --- dtypes


def mixed(x, y):
    z = np.exp(x) * 0.5 + y
    z[1:] = z[:-1] * 2.0
    return np.sum(z * np.float64(3.0)) + np.mean(x)


def looped(x, y):
    for _ in range(2):
        x = np.sin(x) * y
    return np.sum(x)


def normalised(x, y):
    return np.linalg.norm(x - y) + np.max(x) + np.sqrt(x @ x)


def concatenated(x, y):
    return np.sum(np.concatenate([x, y * 2.0])[::2] ** 3)


def unused(x, y):
    return np.sum(y)


@pytest.mark.parametrize("f", [mixed, looped, normalised, concatenated, unused])
def test_float32_stays(f):
    x, y = X.astype(np.float32), Y.astype(np.float32)
    gx, gy = grad(f, wrt=(0, 1))(x, y)
    assert gx.dtype == gy.dtype == np.float32
    _, (vx, vy) = value_and_grad(f, wrt=(0, 1))(x, y)
    assert vx.dtype == vy.dtype == np.float32
    value, pullback = vjp(f, wrt=(0, 1))(x, y)
    px, py = pullback(1.0)
    assert px.dtype == py.dtype == np.float32
    exact = grad(f, wrt=(0, 1))(X, Y)
    assert np.allclose(gx, exact[0], rtol=1e-4, atol=1e-5) and np.allclose(gy, exact[1], rtol=1e-4, atol=1e-5)
    value, tangent = jvp(f)(x, y, np.ones_like(x))
    assert f is unused or np.asarray(tangent).dtype == np.asarray(value).dtype


def test_float32_of_arrays_in_forward_mode():
    def f(x):
        y = np.tanh(x) * 2.0
        y[0] = y[1] * 0.5
        return y / 3.0

    value, tangent = jvp(f)(X.astype(np.float32), Y.astype(np.float32))
    assert value.dtype == tangent.dtype == np.float32
    _, pullback = vjp(f)(X.astype(np.float32))
    assert pullback(value).dtype == np.float32


def concatenated(x, y):
    return np.sum(np.concatenate([x, y]) ** 2)


def stacked(x, y):
    return np.sum(np.hstack((np.stack([x, y]), np.vstack([y, x]))) ** 2)


def stacked_in_single(x, y):
    return np.sum(np.stack([x, y], dtype=np.float32) ** 2)


def appended(x, y):
    return np.sum(np.append(x, y) ** 2)


def interpolated(x, y):
    return np.sum(np.interp(x, np.arange(3.0), y[:3]) ** 2) + np.sum(np.interp(y, np.cumsum(x), x))


@pytest.mark.parametrize("f", [concatenated, stacked, stacked_in_single, appended, interpolated])
def test_float32_joined_with_float64(f):
    x, y = np.array([0.3, 0.5, 0.8], np.float32), np.array([0.4, 0.6, 0.9])
    for args in ((x, y), (y, x)):
        got = grad(f, wrt=(0, 1))(*args)
        assert [g.dtype for g in got] == [a.dtype for a in args]
        wanted = grad(f, wrt=(0, 1))(*(a.astype(float) for a in args))
        np.testing.assert_allclose(got[0], wanted[0], rtol=1e-5)
        np.testing.assert_allclose(got[1], wanted[1], rtol=1e-5)


def test_float32_beside_float64():
    def f(x, y):
        return np.sum(x * y)

    gx, gy = grad(f, wrt=(0, 1))(X.astype(np.float32), Y)
    assert gx.dtype == np.float32 and gy.dtype == np.float64


# --- threads


def test_threads_that_derive_at_once():
    # one Derivative used by all threads for its first calls, with several signatures
    def scaled(x):
        return np.sum(x * x)

    shared = grad(scaled)
    results: list[bool] = []

    def use():
        for x in (X, X.reshape(2, 2), X[:0], 3.0, X.astype(np.float32)):
            results.append(bool(np.allclose(shared(x), 2.0 * np.asarray(x))))

    threads = [threading.Thread(target=use) for _ in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert len(results) == 20 and all(results)
    texts: dict[int, set[str]] = {0: set(), 1: set()}

    def derive_both():
        for k, (fn, args) in enumerate([(taped_nests, (0.5, 3)), (taped_stores, (X,))]):
            texts[k].add(module_text(derived(fn, *args)))

    threads = [threading.Thread(target=derive_both) for _ in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert [len(v) for v in texts.values()] == [1, 1]


# --- the same text every time


ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = """
from tests.derive import test_derive as t
from tests.derive.programs import X, Y, derived
from s2sad.emit.module import module_text
for f, args in t.SECOND:
    for result in ("grad", "vjp", "jvp", "value_and_grad"):
        print(module_text(derived(f, *args, result=result)))
for f in (t.mixed, t.looped, t.concatenated):
    print(module_text(derived(f, X, Y, wrt=("x", "y"))))
"""


def test_the_same_text_twice():
    for f, args in SECOND:
        assert module_text(derived(f, *args)) == module_text(derived(f, *args))


def test_the_same_text_in_every_process():
    texts = set()
    for seed in ("0", "1", "12345") if amounts.ALL else ("0", "12345"):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        texts.add(done.stdout)
    assert len(texts) == 1 and len(texts.pop()) > 1000


# --- nothing known ahead of time


def unknown_arithmetic(x, y):
    return np.sum(x * y + np.sin(x) / (y + 3.0))


def unknown_loop(x, y):
    s = 0.0
    for _ in range(3):
        s = s * x + np.cos(y)
    return np.sum(s * s)


def unknown_branch(x, y):
    z = x * y
    if np.sum(z) > 0.0:
        z = z * x
    return np.sum(z)


def unknown_reductions(x, y):
    return np.mean(x) * np.sum(y) + np.max(x * y)


def unknown_unused(x, y):
    return np.sum(y * y)


def unknown_rebound(x, y):
    x = x * 2.0
    y = y + x
    x = x * y
    return np.sum(x)


CASES = [
    (1.5, 0.5),
    (X, Y),
    (X, 2.0),
    (2.0, Y),
    (np.outer(X, X) + 0.3, Y),
    (X[:, None], Y),
    (np.float64(1.5), X),
    (np.ones((1, 4)), np.outer(X, Y)),
]


@pytest.mark.parametrize(
    "f", [unknown_arithmetic, unknown_loop, unknown_branch, unknown_reductions, unknown_unused, unknown_rebound]
)
@pytest.mark.parametrize("result", ["grad", "value_and_grad", "vjp"])
def test_nothing_known(f, result):
    made = derive(f, Request(result, ("x", "y"), False), {"x": Unknown(), "y": Unknown()})
    generic = load(module_text(made), made, f)
    for args in CASES:
        given = tuple(np.copy(a) if isinstance(a, np.ndarray) else a for a in args)
        out = generic(*given)
        got = out if result == "grad" else out[1] if result == "value_and_grad" else out[1](1.0)
        assert_same(got, grad(f, wrt=(0, 1))(*args), f"{args}", 1e-9)
        assert_same(given, args, "arguments", 0.0)
        for g, a in zip(got, args, strict=True):
            assert np.shape(g) == np.shape(a), (g, a)
            assert not (isinstance(a, np.ndarray) and np.may_share_memory(g, a))


@pytest.mark.parametrize("f", [unknown_arithmetic, unknown_loop, unknown_branch, unknown_reductions, unknown_rebound])
def test_nothing_known_in_forward_mode(f):
    made = derive(f, Request("jvp", ("x", "y"), False), {"x": Unknown(), "y": Unknown()})
    generic = load(module_text(made), made, f)
    for x, y in CASES:
        dx, dy = np.cos(x) if np.ndim(x) else 0.7, np.sin(y) if np.ndim(y) else -0.4
        value, tangent = generic(x, y, dx, dy)
        expected, slope = jvp(f, wrt=(0, 1))(x, y, (dx, dy))
        assert_same(value, expected, "value")
        assert np.allclose(tangent, slope)


def unknown_stores(x, y):
    z = x * y
    z[1:] = z[:-1] * 2.0
    x[0] = z[1]
    return np.sum(z * x)


def test_nothing_known_of_arrays_that_are_written():
    made = derive(unknown_stores, Request("grad", ("x", "y"), False), {"x": Unknown(), "y": Unknown()})
    generic = load(module_text(made), made, unknown_stores)
    for x, y in [(X, Y), (X, 2.0), (np.outer(X, X), Y)]:
        given = x.copy(), np.copy(y) if isinstance(y, np.ndarray) else y
        assert_same(generic(*given), grad(unknown_stores, wrt=(0, 1))(x, y), "gradients", 1e-9)
        assert np.array_equal(given[0], x)
