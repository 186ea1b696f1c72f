"""Loops over items and starts of several numbers, as a person writes them; and where they may not be written so."""

from __future__ import annotations

import numpy as np
import pytest

from s2sad import grad, vjp
from tests.numeric import check


def over_items(x, w):
    s = 0.0
    for v in w:
        s = s * x + v
    return s * s


def over_rows(x, w):
    h = x * np.ones(2)
    for row in w:
        h = np.tanh(h * row)
    return np.sum(h)


def position_read_behind(x, w):
    s = x
    for k in range(len(w)):
        v = w[k]
        s = np.sin(s * v)
    return s * k


def position_read_inside(x, w):
    s = x
    for k in range(len(w)):
        v = w[k]
        s = s * v + np.sin(s) * k
    return s


def changed_on_the_way(x, w):
    s = x
    w = 1.0 * w
    for k in range(len(w)):
        v = w[k]
        s = np.sin(s * v)
        if k + 1 < len(w):
            w[k + 1] = s
    return s


def changed_by_another_name(x, w):
    w = 1.0 * w
    behind = w[1:]
    s = x
    for v in w:
        s = np.sin(s * v)
        behind[...] = 0.5 * s
    return s * w[0]


def item_read_before(x, w):
    v, s = 2.0, x
    for k in range(len(w)):
        s = s * v
        v = w[k]
    return s * v


def grows(x, w):
    kept = [1.5, 2.5]
    s = x
    for k in range(len(kept)):
        v = kept[k]
        s = np.sin(s * v)
        kept.append(0.5)
    return s * len(kept)


@pytest.mark.parametrize(
    "f",
    [
        over_items,
        over_rows,
        position_read_behind,
        position_read_inside,
        changed_on_the_way,
        changed_by_another_name,
        item_read_before,
        grows,
    ],
    ids=lambda f: f.__name__,
)
def test_loops_over_items_are_right(f):
    w = np.array([[0.3, 0.4], [0.7, 1.1], [0.9, 0.2]]) if f is over_rows else np.array([0.3, 0.7, 0.9])
    check(f, (0.8, w), wrt=0, second=True)
    check(f, (0.8, w), wrt=(0, 1))


@pytest.mark.parametrize("operator", [grad, vjp])
def test_a_loop_over_items_stays_one_in_both_sweeps(operator):
    derivative = operator(over_rows)
    derivative(0.8, np.ones((3, 2)))
    assert "for row in w:" in derivative.source
    assert "in reversed(w):" in derivative.source and "range" not in derivative.source


def test_numbers_that_start_alike_start_in_one_line():
    def f(a, b, c):
        for _ in range(3):
            a = a * b + c
        return a

    derivative = grad(f, wrt=(0, 1, 2))
    derivative(2.0, 3.0, 4.0)
    assert derivative.source.count("= 0.0") == 1
