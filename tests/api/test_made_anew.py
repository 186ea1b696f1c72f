"""Functions that are made anew at each call, and operators written inline: what was derived once is found again."""

import gc
import importlib.util
import linecache
import weakref

import numpy as np
import pytest

from s2sad import grad, hessian, hvp, jacobian, jvp, twins, value_and_grad, vjp

x = np.array([1.0, 2.0, 3.0])


@pytest.fixture(autouse=True)
def nothing_kept():
    twins._kept.clear()


@pytest.fixture
def count(monkeypatch):
    """How many derivations there were."""
    import s2sad.derive

    made, derive = [], s2sad.derive.derive

    def counted(*args, **kwargs):
        made.append(args[0])
        return derive(*args, **kwargs)

    monkeypatch.setattr(s2sad.derive, "derive", counted)
    return lambda: len(made)


def f(x):
    return np.sum(np.sin(x) * x**2)


@pytest.mark.quick
def test_second_derivatives_written_inline_are_derived_once(count):
    for _ in range(5):
        product = hvp(f)(x, np.ones(3))
    assert count() == 2  # the gradient, and its tangent
    for _ in range(5):
        whole = hessian(f)(x)
    assert count() == 2
    np.testing.assert_allclose(whole.sum(axis=1), product)
    for _ in range(3):
        grad(lambda x: np.sum(grad(f)(x) ** 2))(x)
    assert count() == 4  # the lambda, and what it calls


@pytest.mark.parametrize("operator", [grad, value_and_grad, vjp, hvp, jvp, hessian, jacobian])
def test_a_lambda_in_a_loop_is_derived_once(count, operator):
    before = None
    for k in range(5):
        data = np.full(3, k + 1.0)
        found = _at(operator(lambda w: np.sum((w * data) ** 2)), operator)  # noqa: B023
        np.testing.assert_allclose(found, (k + 1.0) ** 2 * _at(operator(lambda w: np.sum(w**2)), operator))
        before = count() if before is None else before
    assert count() == before


def _at(derivative, operator):
    if operator is vjp:
        return derivative(x)[1](1.0)
    found = derivative(x, np.ones(3)) if operator in (hvp, jvp) else derivative(x)
    return np.asarray(found[1]) if operator in (value_and_grad, jvp) else found


def test_what_a_derivation_looks_at_is_part_of_it(count):
    def slope(exponent, data):
        return grad(lambda w: np.sum((w * data) ** exponent))(x)

    np.testing.assert_allclose(slope(2, np.ones(3)), 2.0 * x)
    np.testing.assert_allclose(slope(3, np.ones(3)), 3.0 * x**2)
    np.testing.assert_allclose(slope(2, np.full(3, 2.0)), 8.0 * x)
    assert count() == 2
    np.testing.assert_allclose(slope(2, np.ones((2, 3))), 4.0 * x)
    np.testing.assert_allclose(slope(2, np.ones(3, dtype=int)), 2.0 * x)
    assert count() == 4


def test_captured_functions_are_put_in_the_place_of_each_other(count):
    def slope(weights):
        def weighted(w):
            total = w * weights
            return total * total

        return grad(lambda w: np.sum(weighted(w)))(x)

    for k in (1.0, 2.0, 3.0):
        np.testing.assert_allclose(slope(np.full(3, k)), 2.0 * k * k * x)
    assert count() == 1


def test_other_functions_in_the_same_place_are_derived(count):
    def slope(inner):
        return grad(lambda w: inner(w) + w)(2.0)

    assert [slope(g) for g in (lambda w: w * w, lambda w: w**3, lambda w: w * w)] == [5.0, 13.0, 5.0]
    assert [slope(g) for g in (np.square, np.square)] == [5.0, 5.0]


def test_arrays_that_are_one_are_told_from_arrays_that_are_two():
    def changed(a, b):
        def f(w):
            c = a
            d = b.copy()
            d[0] = w
            return np.sum(c * d) * (2.0 if a is b else 1.0)

        return grad(f)(3.0)

    u, v = np.full(3, 2.0), np.full(3, 5.0)
    assert [changed(u, v), changed(u, u), changed(v, u), changed(v, v)] == [2.0, 4.0, 5.0, 10.0]


def test_a_global_of_the_module_is_asked_for_again(monkeypatch):
    global scale
    scale = 2.0

    def slope():
        return grad(lambda w: scale * w * w)(3.0)

    assert slope() == 12.0
    scale = 5.0
    assert slope() == 30.0


def test_defaults_are_those_of_the_new_function(count):
    def slope(k):
        return grad(lambda w, power=k: w**power)(2.0)

    assert [slope(2.0), slope(2.0), slope(3.0)] == [4.0, 4.0, 12.0]
    assert count() == 2


def test_the_text_is_that_of_a_derivation_of_its_own():
    def made(data):
        return grad(lambda w: np.sum((w * data) ** 3))

    first, second = made(np.ones(3)), made(np.full(3, 2.0))
    first(x), second(x)
    text = second.source
    assert "np.array([2.0, 2.0, 2.0])" in text and "np.array([1.0, 1.0, 1.0])" in first.source
    twins._kept.clear()
    alone = made(np.full(3, 2.0))
    alone(x)
    assert alone.source == text


def test_what_was_captured_is_not_held():
    def slope(data):
        return grad(lambda w: np.sum(w * data))(x)

    data = np.ones(3)
    gone = weakref.ref(data)
    slope(data)
    del data
    gc.collect()
    assert gone() is None


def test_only_so_many_are_kept(monkeypatch):
    monkeypatch.setattr(twins, "SIGNATURES", 3)
    for k in range(6):
        grad(lambda w, n=k: np.sum(w) * n)(np.ones((1,) * (k + 1)))
    assert len(twins._kept) == 3


def test_lines_go_with_the_last_derivation_of_a_code(tmp_path):
    file = tmp_path / "made.py"
    file.write_text("f = lambda x: x * x\n")
    spec = importlib.util.spec_from_file_location("made", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    g = grad(module.f)
    g(1.0)
    lines = g.specialize(1.0).__code__.co_filename
    assert lines in linecache.cache
    del g, module
    twins._kept.clear()
    gc.collect()
    grad(lambda x: x)(1.0)  # entries go when the next one comes, not while linecache may be looking through them
    assert lines not in linecache.cache
