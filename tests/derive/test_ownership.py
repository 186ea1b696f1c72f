"""Whose memory is whose: callers keep theirs, and what is returned is nobody else's."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from s2sad import grad, jvp, value_and_grad, vjp
from tests.derive.programs import X, Y
from tests.numeric import check

M = np.arange(6.0).reshape(2, 3) / 7.0 + 0.1


def leaves(tree):
    if isinstance(tree, np.ndarray):
        return [tree]
    if isinstance(tree, dict):
        return [a for v in tree.values() for a in leaves(v)]
    return [a for v in tree for a in leaves(v)] if isinstance(tree, (tuple, list)) else []


def apart(*trees):
    arrays = [a for t in trees for a in leaves(t)]
    for a, b in itertools.combinations(arrays, 2):
        assert not np.may_share_memory(a, b), "two of them share memory"


def product(x, y):
    return x @ y


def same_cotangent(x, y):
    return np.sum((x + y) ** 2)


def only_one_is_used(x, y):
    return np.sum(x * 3.0)


def neither_is_used(x, y):
    return 3.0


def difference(x, y):
    return np.sum(np.abs(x - y))


def passed_through(x, y):
    z = x + 0.0
    return np.sum(z * y)


def reshaped(x, y):
    return np.sum(x.reshape(2, 2) @ y.reshape(2, 2).T)


def written(x, y):
    x[1:] = y[1:] * x[:-1]
    y[0] = x[3]
    return np.sum(x * y)


def in_a_loop(x, y):
    for _ in range(3):
        x = x * y
        y[1:] += x[:-1]
    return np.sum(x) + np.sum(y)


def swapped(x, y):
    x, y = y, x
    return np.sum(x * np.sin(y))


def through_a_view(x, y):
    v = x[1:3]
    v *= 2.0
    w = y[::2]
    w[:] = v
    return np.sum(x * y)


TWO = [
    product,
    same_cotangent,
    only_one_is_used,
    neither_is_used,
    difference,
    passed_through,
    reshaped,
    written,
    in_a_loop,
    swapped,
    through_a_view,
]


@pytest.mark.parametrize("f", TWO)
@pytest.mark.parametrize("operator", [grad, value_and_grad, vjp])
def test_gradients_share_nothing(f, operator):
    x, y = X.copy(), Y.copy()
    result = operator(f, wrt=(0, 1))(x, y)
    grads = result if operator is grad else result[1] if operator is value_and_grad else result[1](1.0)
    apart(grads, x, y)
    assert np.array_equal(x, X) and np.array_equal(y, Y)
    assert all(g.flags.writeable for g in grads)
    for g in grads:  # whoever gets them may write them
        g += 1.0
    assert np.array_equal(x, X) and np.array_equal(y, Y)


@pytest.mark.parametrize("f", TWO)
def test_the_same_array_twice(f):
    x = X.copy()
    a, b = grad(f, wrt=(0, 1))(x, x) if f not in (written, in_a_loop, through_a_view) else (X, Y)
    assert not np.may_share_memory(a, b)
    assert not np.may_share_memory(a, x) and not np.may_share_memory(b, x)
    assert np.array_equal(x, X)


# --- results that are arguments, views of them, or one array twice


def identity(x):
    return x


def a_view(x):
    return x[1:]


def twice(x):
    return x, x


def view_and_whole(x):
    y = x * 2.0
    return y, y[1:]


def transposed(x):
    return x.T


def in_place_result(x):
    x *= 2.0
    return x


def stored_in_place(x):
    out = np.zeros(4)
    out[:] = x
    return out


def sum_of(x):
    return x + x


def outer_list(x):
    return [x * 2.0, {"a": x[:2], "b": x}]


@pytest.mark.parametrize(
    "f", [identity, a_view, twice, view_and_whole, transposed, in_place_result, stored_in_place, sum_of, outer_list]
)
def test_cotangents_are_left_alone(f):
    x = X.copy()
    value, pullback = vjp(f)(x)
    cotangent = like(value)
    kept = [c.copy() for c in leaves(cotangent)]
    first = pullback(cotangent)
    assert not any(np.may_share_memory(first, c) for c in leaves(cotangent)), "the gradient is the cotangent itself"
    assert not np.may_share_memory(first, x)
    first += 100.0
    second = pullback(cotangent)
    assert np.allclose(first - 100.0, second)
    assert all(np.array_equal(a, b) for a, b in zip(leaves(cotangent), kept, strict=True))
    assert np.array_equal(x, X)


@pytest.mark.parametrize(
    "f", [identity, a_view, twice, view_and_whole, transposed, in_place_result, stored_in_place, sum_of, outer_list]
)
def test_tangents_are_left_alone(f):
    x, dx = X.copy(), Y.copy()
    value, tangent = jvp(f)(x, dx)
    assert np.array_equal(x, X) and np.array_equal(dx, Y)
    for v, t in zip(leaves(value), leaves(tangent), strict=True):
        assert not any(np.may_share_memory(a, b) for a, b in itertools.product((v, t), (x, dx)))
        assert not np.may_share_memory(v, t)


def like(value):
    if isinstance(value, np.ndarray):
        return np.arange(1.0, value.size + 1.0).reshape(value.shape)
    if isinstance(value, dict):
        return {k: like(v) for k, v in value.items()}
    return type(value)(like(v) for v in value)


@pytest.mark.parametrize("f", [identity, a_view, twice, view_and_whole, in_place_result, outer_list])
def test_values_are_right(f):
    check(f, (X,))


# --- structures


def of_a_dict(p):
    return np.sum(p["w"] @ p["w"].T) + np.sum(p["b"])


def of_a_list(xs):
    return np.sum(xs[0] * xs[1]) + np.sum(xs[1])


def writes_its_dict(p):
    p["w"] *= 2.0
    p["b"] = p["w"][0] * p["b"]
    return np.sum(p["b"]) + np.sum(p["w"])


def writes_its_list(xs):
    xs[0] = xs[0] * 2.0
    xs[1][0] = 0.0
    xs.append(xs[0])
    return np.sum(xs[-1] * xs[1])


@pytest.mark.parametrize(
    "f, make",
    [
        (of_a_dict, lambda: {"w": M.copy(), "b": np.ones(3)}),
        (writes_its_dict, lambda: {"w": M.copy(), "b": np.ones(3)}),
        (of_a_list, lambda: [X.copy(), Y.copy()]),
        (writes_its_list, lambda: [X.copy(), Y.copy()]),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_structures_are_left_alone(f, make):
    given = make()
    gradient = grad(f)(given)
    apart(gradient, given)
    for a, b in zip(leaves(given), leaves(make()), strict=True):
        assert np.array_equal(a, b)
    value_and_grad(f)(given)
    jvp(f)(given, make())
    vjp(f)(given)[1](1.0)
    assert len(given) == len(make())
    for a, b in zip(leaves(given), leaves(make()), strict=True):
        assert np.array_equal(a, b)
    check(f, (make(),))


# --- the value survives


def result_is_overwritten_by_the_backward_sweep(x):
    s = 0.0
    for i in range(4):
        s = np.sin(s) * x[i] + s
    return s


def array_of_no_axes(x):
    a = np.zeros(())
    a += x @ x
    return a


@pytest.mark.parametrize("f", [result_is_overwritten_by_the_backward_sweep, array_of_no_axes])
def test_value_and_grad_gives_the_value(f):
    value, gradient = value_and_grad(f)(X.copy())
    assert np.isclose(value, f(X.copy()))
    assert np.allclose(gradient, grad(f)(X.copy()))


# --- pullbacks


def taped(x, n):
    for _ in range(n):
        x = np.sin(x) * x + x[::-1]
    return x


def branching(x, n):
    s = 0.0
    for i in range(n):
        if s > 0.5:
            s = s * np.sin(x[i])
        else:
            s = s + x[i] ** 2
            if s > 3.0:
                break
    return np.array([s, s * s])


def overwriting(x, n):
    y = x * x
    for _ in range(n):
        y[1:] *= y[:-1]
    return y


@pytest.mark.parametrize("f", [taped, branching, overwriting])
def test_pullbacks_can_be_called_again_and_in_any_order(f):
    d = vjp(f)
    x1, x2 = X.copy(), Y.copy()
    v1, p1 = d(x1, 4)
    c = like(v1)
    first = p1(c).copy()
    _, p2 = d(x2, 3)
    second = p2(c).copy()
    assert np.allclose(p1(c), first) and np.allclose(p2(c), second) and np.allclose(p1(2.0 * c), 2.0 * first)
    _, p3 = d(x1, 4)
    assert np.allclose(p3(c), first)
    check(f, (X, 4))
    check(f, (Y, 3))


@pytest.mark.parametrize("f", [taped, branching, overwriting])
def test_a_value_that_is_overwritten_does_not_change_the_pullback(f):
    value, pullback = vjp(f)(X.copy(), 4)
    c = like(value)
    first = pullback(c).copy()
    value[:] = 1e9
    assert np.allclose(pullback(c), first)
