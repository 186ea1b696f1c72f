"""Which recursions are written out, what core functions are lowered for, and what is refused."""

from __future__ import annotations

import math

import gast
import numpy as np
import pytest

from s2sad import DerivationError, grad
from s2sad.core import text
from s2sad.frontend.source import function_tree
from s2sad.kinds.concrete import concrete_kinds_of
from s2sad.kinds.kind import Array, Dim, ListOf, Number, Static, Tuple, Unknown
from s2sad.normal.calls.functions import (
    CoreFunction,
    Outline,
    Parameter,
    functions_in,
    has_sizes,
    joined,
    opened,
    shape_of,
)
from s2sad.normal.lower import lower_function
from tests import numeric
from tests.normal.running import lowered

F8 = np.dtype("f8")
N, M = Dim.symbol("n"), Dim.symbol("m")


def functions(core):
    return core.run.program.functions


# --- written out or not


def power(x, n):
    return 1.0 if n == 0 else x * power(x, n - 1)


def test_an_int_that_is_known_decides():
    def cubed(x):
        return power(x, 3)

    core = lowered(cubed, 2.0)
    assert functions_in(core.body) == set()


def test_a_run_time_test_decides():
    def halved(x):
        return x if x < 1.0 else halved(0.5 * x)

    core = lowered(halved, 5.0)
    assert text(core.body) == "t = halved(x)"
    (f,) = functions(core)
    assert [(p.name, p.varied) for p in f.passed] == [("x", True)]
    assert "choice = x" in text(f.core.body) and text(f.core.value) == "choice"


@pytest.mark.parametrize("policy", ["sizes", "refuse"])
def test_lengths_and_ints_are_asked_for_first(policy):
    source = function_tree(power)
    kinds = {"x": Number(float), "n": Number(int, Dim.symbol("n$"))}
    with pytest.raises(DerivationError) as caught:
        lower_function(source, kinds, ("x",), recursion=policy)
    assert caught.value.remedy.recursion and caught.value.remedy.concrete == (policy == "sizes")
    assert functions(lower_function(source, kinds, ("x",)))


def test_known_sizes_are_enough():
    kinds = concrete_kinds_of({"x": 2.0, "n": 3})
    core = lower_function(function_tree(power), kinds, ("x",), recursion="refuse")
    assert functions(core) == []


def test_what_would_be_too_long_stays_a_call():
    def doubled(x, n):
        return x if n == 0 else doubled(x, n - 1) + doubled(0.5 * x, n - 1)

    def use(x):
        return doubled(x, 12)

    core = lowered(use, 2.0)
    (f,) = functions(core)
    assert [p.name for p in f.passed] == ["x", "n"]
    assert grad(use)(2.0) == pytest.approx(1.5**12)


# --- what a function is lowered for


def test_captured_variables_are_parameters():
    def outer(x, y):
        def go(t):
            return t * y if t < 1.0 else go(0.5 * t)

        return go(x)

    (f,) = functions(lowered(outer, 3.0, 2.0, wrt=("y",)))
    assert [(p.name, p.varied) for p in f.passed] == [("t", False), ("y", True)]


def test_parts_of_containers_are_parameters_and_results():
    def outer(x):
        def go(state):
            v, model = state
            if v < 1.0:
                return {"v": v, "k": 3}, model
            return go((0.5 * v, model))

        found, _ = go((x, [2.0, x]))
        return found["v"]

    (f,) = functions(lowered(outer, 3.0))
    assert [p.name for p in f.passed] == ["state_0", "state_1_0", "state_1_1"]
    assert [p.varied for p in f.passed] == [True, False, True]
    assert len([p for p in f.results if p.passed]) == 1 and f.results[1].const == 3  # the model is the one given


def test_two_kinds_are_two_functions():
    def damp(t):
        return t if np.sum(t * t) < 1.0 else damp(0.5 * t)

    def use(x):
        return damp(x) + np.sum(damp(np.array([x, 2.0])))

    kinds = [f.passed[0].kind for f in functions(lowered(use, 3.0))]
    assert [type(k) for k in kinds] == [Number, Array]


def test_an_int_that_stays_is_no_parameter():
    def root(x, k, t):
        return t if abs(t**k - x) < 1e-9 else root(x, k, t - (t**k - x) / (k * t ** (k - 1)))

    def use(x):
        return root(x, 3, 1.0)

    (f,) = functions(lowered(use, 3.0))
    assert [p.name for p in f.passed] == ["x", "t"]
    assert grad(use)(8.0) == pytest.approx(1.0 / 12.0)


def test_lengths_of_results_follow_those_of_arguments():
    def shrink(v):
        return v if np.sum(v) < 1.0 else shrink(0.5 * v)

    def use(x):
        w = shrink(x[1:])
        return np.sum(w * x[1:])

    core = lowered(use, np.ones(4))
    (call,) = [s for s in core.body if functions_in([s])]
    kind = core.facts.kinds[call.targets[0].id]
    assert str(kind.shape[0]) == "x.0 - 1"


def even(x):
    return x * x if x < 1.0 else odd(x - 1.0)


def odd(x):
    return math.sin(x) if x < 1.0 else even(x - 1.0) * x


def test_mutual_recursion_is_one_function():
    core = lowered(even, 3.3)
    assert [f.name for f in functions(core)] == ["even"]


def test_what_is_said_of_effects():
    def printing(x):
        print(x)
        return x if x < 1.0 else printing(0.5 * x)

    def raising(x):
        if x > 100.0:
            raise ValueError("too large")
        return x if x < 1.0 else raising(0.5 * x)

    def quiet(x):
        return x if x < 1.0 else quiet(0.5 * x)

    effects = [functions(lowered(f, 3.0))[0].effect for f in (printing, raising, quiet)]
    assert effects == ["own", "raises", "none"]


def test_lists_that_are_handed_down():
    def use(x):
        found = []

        def go(t, out):
            out.append(t)
            if t > 1.0:
                go(0.5 * t, out)

        go(x, found)
        return sum(found)

    (f,) = functions(lowered(use, 3.0))
    (i,) = f.writes
    assert f.passed[i].kind == ListOf(Number(float)) and f.passed[i].varied and f.active_lists == [i]
    assert grad(use)(3.0) == pytest.approx(1.0 + 0.5 + 0.25)


# --- refused


def overwrites(v):
    v[0] = 0.5 * v[0]
    return np.sum(v) if v[0] < 1.0 else overwrites(v)


def sorted_between(u, lo, hi):
    if hi <= lo:
        return
    p = lo
    for i in range(lo, hi):
        if u[i] < u[hi]:
            t = u[i]
            u[i] = u[p]
            u[p] = t
            p += 1
    t = u[p]
    u[p] = u[hi]
    u[hi] = t
    sorted_between(u, lo, p - 1)
    sorted_between(u, p + 1, hi)


def sorts(u):
    sorted_between(u, 0, len(u) - 1)
    return np.sum(u * np.arange(len(u)))


def counts_down(x):
    total = 0.0

    def go(y):
        nonlocal total
        total += y * y
        if y > 1.0:
            go(0.5 * y)
            total *= y

    go(x)
    return total


class Counter:
    def __init__(self, total):
        self.total = total

    def go(self, y):
        self.total = self.total * y + y
        return self.go(0.5 * y) * y if y > 1.0 else self.total


def changes_an_object(x):
    counter = Counter(x)
    return counter.go(3.0 * x) * counter.total


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (overwrites, (np.ones(3) * 4.0,)),
        (sorts, (np.array([0.4, 0.1, 0.7, 0.3]),)),
        (counts_down, (3.0,)),
        (changes_an_object, (1.5,)),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_changes_what_it_is_given(f, args):
    numeric.check_reverse(f, args, 0)
    numeric.check_forward(f, args, 0)
    numeric.check_second(f, args, 0)


def overwrites_one_of_two(v, w=None):
    w = v if w is None else w
    v[0] = 0.5 * w[1]
    w[1] = 0.5 * v[0]
    return np.sum(v) if v[0] < 1.0 else overwrites_one_of_two(v, w)


def never_returns(x):
    return never_returns(x + 1.0)


def changes_kinds(x):
    return x if np.sum(x) < 1.0 else np.sum(changes_kinds(np.array([x, x]) * 0.1))


def different_functions(x):
    def go(t, f):
        return t if t < 1.0 else go(f(t), lambda s: f(s) * 0.5)

    return go(x, lambda s: s * 0.9)


@pytest.mark.parametrize(
    ("f", "args", "reason"),
    [
        (overwrites_one_of_two, (np.ones(3) * 4.0,), "changes what it is given under two names"),
        (never_returns, (1.0,), "never returns"),
        (different_functions, (3.0,), "change their structure"),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_refused(f, args, reason):
    with pytest.raises(DerivationError) as caught:
        grad(f)(*args)
    assert reason in str(caught.value) and caught.value.way_out and "test_recursion.py" in str(caught.value)


def test_numbers_and_arrays_are_kept_apart():
    """Right or refused, never anything else."""
    try:
        slope = grad(changes_kinds)(2.0)
    except DerivationError:
        return
    h = 1e-6
    assert slope == pytest.approx((changes_kinds(2.0 + h) - changes_kinds(2.0 - h)) / (2 * h), rel=1e-5)


# --- kinds of parameters


def test_equal_lengths_stay_equal():
    one = [Parameter("x", Array(F8, (N,)), True), Parameter("w", Array(F8, (N, M)), False)]
    opened(one)
    x, w = one[0].kind, one[1].kind
    assert x.shape[0] == w.shape[0] != w.shape[1] and str(x.shape[0]) == "x.0"
    other = [Parameter("x", Array(F8, (M,)), True), Parameter("w", Array(F8, (M, N)), False)]
    assert shape_of(one) == shape_of(other)
    different = [Parameter("x", Array(F8, (N,)), True), Parameter("w", Array(F8, (M, N)), False)]
    assert shape_of(one) != shape_of(different)


def test_joined():
    pairs = {}
    a, b = Parameter("k", Number(int, Dim.of(3)), False, 3), Parameter("k", Number(int, Dim.of(2)), False, 2)
    assert joined(a, a, {}).const == 3 and joined(a, b, {}).passed
    p = joined(Parameter("x", Array(F8, (N, N)), False), Parameter("x", Array(F8, (M, M)), True), pairs)
    assert p.varied and p.kind.shape[0] == p.kind.shape[1]
    empty = joined(Parameter("t", ListOf(Unknown()), False), Parameter("t", ListOf(Number(float)), False), {})
    assert empty.kind == ListOf(Number(float))
    assert joined(Parameter("i", Number(int), False), Parameter("i", Number(np.int64), False), {}).kind.type is np.int64


def test_has_sizes():
    assert has_sizes(Number(int)) and has_sizes(Array(F8, (N,))) and has_sizes(Tuple((Number(float), Number(int))))
    assert not has_sizes(Number(float)) and not has_sizes(Static("mode"))


def test_functions_in():
    f = CoreFunction("f", None, None, Outline(), [], None)
    call = gast.Call(gast.Name("f", gast.Load(), None, None), [], [])
    call.function = f
    assert functions_in([gast.Expr(call)]) == {f}
