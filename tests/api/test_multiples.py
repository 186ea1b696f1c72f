"""Lengths that are multiples of others, and ints that are lengths, where the run has to say what was broadcast."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from s2sad import grad, hvp
from tests import generator
from tests.numeric import check


def gates(w, x):
    """Two gates of the width of x in one product: with weights of other widths, the second one may be one column."""
    n = x.shape[1]
    p = x @ w
    return np.sum(np.tanh(p[:, :n]) * p[:, n:] * x)


def arguments(width, total):
    rng = np.random.default_rng(0)
    return rng.normal(size=(width, total)), rng.normal(size=(2, width))


@pytest.mark.parametrize("sizes", [[(3, 6), (3, 4)], [(3, 4), (3, 6)], [(4, 5), (4, 8), (3, 6)]])
def test_a_call_is_derived_for_the_multiples_that_its_lengths_are(sizes):
    derivative, second = grad(gates, wrt=(0, 1)), hvp(gates)
    for width, total in [*sizes, *sizes]:
        w, x = arguments(width, total)
        check(gates, (w, x), wrt=(0, 1))
        derivative(w, x)
        text = inspect.getsource(derivative.specialize(w, x))
        assert ("unbroadcast" in text) == (total != 2 * width)
        v = np.ones_like(w)
        eps = 1e-5
        slope = (grad(gates)(w + eps * v, x) - grad(gates)(w - eps * v, x)) / (2.0 * eps)
        np.testing.assert_allclose(second(w, x, v), slope, rtol=1e-6, atol=1e-8)


def test_the_text_does_not_depend_on_what_was_derived_before(tmp_path):
    texts = set()
    for k, sizes in enumerate(([(3, 6)], [(3, 4), (3, 6)], [(2, 2), (2, 6), (4, 8), (5, 7), (3, 6)])):
        text = f"import numpy as np\n\n\n{inspect.getsource(gates)}\n\nf = gates\n"
        derivative = grad(generator.load(text, tmp_path / f"gates_{k}.py"))
        for width, total in sizes:
            derivative.specialize(*arguments(width, total))
        texts.add(inspect.getsource(derivative.specialize(*arguments(3, 6))))
    assert len(texts) == 1


def test_multiples_that_say_nothing_are_no_part_of_what_code_is_kept_for():
    derivative = grad(lambda w, x: np.sum(np.sin(w) @ x))
    for rows, columns in [(2, 4), (2, 5), (3, 9)]:
        derivative(np.ones((rows, columns)), np.ones(columns))
    assert len(derivative._store.entries) == 1


def sweep(n, x):
    """What is stored is as long as where it goes: for a smaller n it is cut off, for a larger one by what there is."""
    y = np.zeros(x.shape)
    for i in range(1, n - 1):
        y[i, 1 : n - 1] = x[i, 1 : n - 1] * x[i - 1, 0 : n - 2] + 0.5 * y[i - 1, 1 : n - 1]
    return np.sum(y * y)


@pytest.mark.parametrize("sizes", [[(6, 6), (6, 4)], [(4, 6), (6, 6)], [(5, 5), (5, 9), (7, 7), (6, 5)]])
def test_a_call_is_derived_for_the_lengths_that_its_ints_are(sizes):
    derivative = grad(sweep, wrt="x")
    for length, n in [*sizes, *sizes]:
        x = np.random.default_rng(1).normal(size=(length, length))
        if n > length:
            with pytest.raises((IndexError, ValueError)):
                derivative(n, x)
            continue
        check(sweep, (n, x), wrt=1)
        np.testing.assert_array_equal(derivative(n, x), grad(sweep, wrt="x")(n, x))
        assert ("unbroadcast" in inspect.getsource(derivative.specialize(n, x))) == (n != length)


def filled(x):
    """np.ndarray makes arrays, as np.empty does."""
    y = np.ndarray((len(x), 2), dtype=x.dtype)
    y[:, 0] = x
    y[:, 1] = x * x
    return np.sum(y[:, 0] * y[:, 1])


def test_an_array_that_is_made_by_its_class_has_its_shape():
    x = np.array([0.5, -1.5, 2.0])
    check(filled, (x,))
    assert "unbroadcast" not in inspect.getsource(grad(filled).specialize(x))


@pytest.mark.parametrize("sizes", [(3, 6), (3, 4)])
def test_a_derivation_that_is_not_kept_is_given_up_half_way(monkeypatch, sizes):
    """What the run would have to sum is seen when the backward sweep is there: only one derivation is finished."""
    from s2sad.reverse import Reverse

    finished = []
    finish = Reverse.finished
    monkeypatch.setattr(Reverse, "finished", lambda self, *args: finished.append(self) or finish(self, *args))

    def apart(w, x):
        return gates(w, x)

    grad(apart)(*arguments(*sizes))
    assert len(finished) == 1
