"""Functions that are made anew at each call, and operators written inline: what was derived once is found again."""

import functools
import gc
import importlib.util
import linecache
import types
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


@pytest.mark.parametrize("operator", [grad, value_and_grad, vjp, jvp, jacobian])
def test_captured_floats_are_read_in_the_run(count, operator):
    def slope(rate, shift):
        def moved(w):
            return w + shift

        return _at(operator(lambda w: np.sum(rate * moved(w) ** 2)), operator)

    for rate, shift in ((2.0, 1.0), (3.0, -0.5), (-0.0, 0.25), (np.inf, 1.0), (0.5, 0.0)):
        want = 2.0 * rate * (x + shift)
        np.testing.assert_allclose(slope(rate, shift), np.sum(want) if operator is jvp else want)
    assert count() == 1


def test_captured_floats_by_which_something_is_decided_are_looked_at(count):
    def slope(rate, limit, power):
        return grad(lambda w: rate * w**power if limit > 1.0 else w**3)(2.0)

    assert [slope(k, 2.0, 2.0) for k in (1.0, 2.0, 3.0)] == [4.0, 8.0, 12.0] and count() == 1
    assert [slope(k, 0.5, 2.0) for k in (1.0, 2.0, 3.0)] == [12.0, 12.0, 12.0] and count() == 2
    assert [slope(k, 2.0, 3.0) for k in (1.0, 2.0, 3.0)] == [12.0, 24.0, 36.0] and count() == 2
    assert [slope(k, p, q) for k, p, q in ((5.0, 2.0, 2.0), (5.0, 0.5, 2.0), (5.0, 2.0, 3.0))] == [20.0, 12.0, 60.0]
    assert count() == 2
    assert slope(2, 2.0, 2.0) == slope(np.float64(2.0), 2.0, 2.0) == 8.0  # (other types)


def test_a_pullback_keeps_the_float_that_was_captured():
    def made(rate):
        def put(to):
            nonlocal rate
            rate = to

        return (lambda w: rate * w**2), put

    first, put = made(2.0)
    pullback = vjp(first)(3.0)[1]
    of_another = vjp(made(5.0)[0])(3.0)[1]
    put(7.0)
    later = vjp(first)(3.0)[1]
    assert [p(1.0) for p in (pullback, of_another, later)] == [12.0, 30.0, 42.0]


def test_the_text_shows_the_float_that_is_captured_now():
    def made(rate):
        def put(to):
            nonlocal rate
            rate = to

        return (lambda w: rate * w**2), put

    function, put = made(2.0)
    g = grad(function)
    assert g(3.0) == 12.0 and "rate = 2.0\n" in g.source
    put(7.0)
    assert g(3.0) == 42.0 and "rate = 7.0\n" in g.source
    put(8.0)
    assert "rate = 8.0\n" in g.source and g(3.0) == 48.0


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

    assert [slope(2.0), slope(2.0), slope(3.0), slope(2), slope(3)] == [4.0, 4.0, 12.0, 4.0, 12.0]
    assert count() == 3


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


def square_anew():
    return lambda w: w * w


def cube_anew():
    return lambda w: w**3


KNOWN = square_anew()
TABLE, FACTORS = [cube_anew(), KNOWN], {KNOWN: 2.0}
BOX = types.SimpleNamespace(h=KNOWN)


@pytest.mark.parametrize(
    "made",
    [
        lambda g: lambda w, held: g(w) * (2.0 if g is KNOWN else 1.0),
        lambda g: lambda w, held: g(w) * (2.0 if g == KNOWN else 1.0),
        lambda g: lambda w, held: g(w) * (2.0 if g is TABLE[1] else 1.0),
        lambda g: lambda w, held: g(w) * (2.0 if g in TABLE else 1.0),
        lambda g: lambda w, held: g(w) * (2.0 if g is BOX.h else 1.0),
        lambda g: lambda w, held: g(w) * FACTORS.get(g, 1.0),
        lambda g: lambda w, held: g(w) * (2.0 if g is held[0] else 1.0),
        lambda g: lambda w, held: g(w) * (2.0 if g is held[1].func else 1.0),
    ],
)
def test_what_is_captured_may_be_known_by_another_name(made):
    held = [KNOWN, functools.partial(KNOWN)]
    slopes = [grad(made(g))(1.5, held) for g in (square_anew(), KNOWN, square_anew(), KNOWN)]
    assert slopes == [3.0, 6.0, 3.0, 6.0]


@pytest.mark.parametrize("first", [np.ones(3), np.arange(1.0, 4.0)])
def test_an_array_that_is_captured_may_lie_in_another_ones_memory(first, monkeypatch):
    whole = np.arange(1.0, 7.0)
    monkeypatch.setattr(BOX, "part", whole[:3], raising=False)

    def slope(data):
        return grad(lambda w: np.sum(w * data * BOX.part) * (2.0 if np.shares_memory(data, BOX.part) else 1.0))(1.5)

    for data in (first, whole[:3], whole[1:4], whole[3:], first):
        assert slope(data) == np.sum(data * whole[:3]) * (2.0 if np.shares_memory(data, whole[:3]) else 1.0)


def test_attributes_are_those_of_the_new_function(count):
    def power():
        def h(w):
            return w ** getattr(h, "n", 2)

        return h

    def total():
        def h(w):
            return w * sum(v for v in vars(h).values() if isinstance(v, float))

        return h

    def with_a_part(h, v):
        h.n = v
        return h

    first, second = power(), with_a_part(power(), 3)
    assert [grad(h)(2.0) for h in (first, second, power())] == [4.0, 12.0, 4.0]
    first.n = 4
    assert [grad(h)(2.0) for h in (first, second)] == [32.0, 12.0]
    assert [grad(h)(2.0) for h in (total(), with_a_part(total(), 2.0), with_a_part(total(), 3.0))] == [0.0, 2.0, 3.0]


SCALE = 1.0


def test_what_changes_behind_a_twin_is_seen(monkeypatch):
    def helper():
        def h(z):
            return z * h.c

        h.c = 1.0
        return h

    def to_the_cube():
        def h(z):
            return z**3 * h.c

        return h

    def made(data, k, h):
        def f(w, p=2.0):
            return np.sum(h(w * data) ** p) * k * SCALE

        return f

    h, other = helper(), helper()
    cubed = helper()
    cubed.__code__ = to_the_cube().__code__
    f, twin = made(np.ones(3), 2.0, h), made(np.full(3, 2.0), 2.0, other)
    cells = dict(zip(twin.__code__.co_freevars, twin.__closure__, strict=True))
    g, of_twin = grad(f), grad(twin)
    changes = [
        lambda: None,
        lambda: monkeypatch.setitem(globals(), "SCALE", 3.0),
        lambda: setattr(other, "c", 4.0),
        lambda: setattr(h, "c", 7),
        lambda: setattr(twin, "__defaults__", (3.0,)),
        lambda: setattr(cells["data"], "cell_contents", np.full(3, 0.5)),
        lambda: setattr(cells["k"], "cell_contents", 3),
        lambda: setattr(cells["h"], "cell_contents", np.sin),
        lambda: setattr(cells["h"], "cell_contents", helper()),
        lambda: setattr(cells["h"], "cell_contents", cubed),
        lambda: setattr(twin, "__code__", f.__code__.replace(co_consts=f.__code__.co_consts)),
    ]
    step = 1e-6
    for change in changes:
        change()
        for function, derivative in ((f, g), (twin, of_twin)):
            want = [(function(x + step * e) - function(x - step * e)) / (2.0 * step) for e in np.eye(3)]
            np.testing.assert_allclose(derivative(x), want, rtol=1e-6)


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
