"""The derivatives of core functions: from the arguments, or from a tape that is handed down."""

from __future__ import annotations

import math

import gast
import numpy as np

from s2sad import grad, hessian, hvp, jvp, value_and_grad, vjp
from s2sad.core import statements, text
from s2sad.normal.calls.functions import CoreFunction, Outline, Routine
from s2sad.pairs import settle_calls
from tests import numeric
from tests.derive.programs import derived


def names(f, *args, **options):
    return [tree.name for tree in derived(f, *args, **options).functions]


def sum_of_halves(x):
    return x if x < 1.0 else math.sin(x) + sum_of_halves(0.5 * x)


def product_of_halves(x):
    return x if x < 1.0 else x * product_of_halves(0.5 * x)


def test_from_the_arguments_alone():
    """Results that are only added are not needed: no forward sweep at all."""
    assert names(sum_of_halves, 5.0) == ["sum_of_halves_bwd", "grad_sum_of_halves"]


def test_what_is_multiplied_is_kept():
    assert names(product_of_halves, 5.0) == ["product_of_halves_fwd", "product_of_halves_bwd", "grad_product_of_halves"]
    main = text(derived(product_of_halves, 5.0).functions[-1])
    assert main.count("tape = []") == 1 and "product_of_halves_fwd(x, tape)" in main


def test_what_prints_prints_once():
    def printing(x):
        print("here")
        return x if x < 1.0 else printing(0.5 * x)

    assert names(printing, 5.0) == ["printing_fwd", "printing_bwd", "grad_printing"]


def test_forward_mode():
    made = derived(product_of_halves, 5.0, result="jvp")
    assert [tree.name for tree in made.functions] == ["product_of_halves_jvp", "jvp_product_of_halves"]


def test_names_do_not_clash():
    sum_of_halves_bwd = 3.0

    def use(x):
        return sum_of_halves(x) * sum_of_halves_bwd

    d = grad(use)
    assert math.isclose(d(0.5), 3.0)
    assert "sum_of_halves_bwd_1" in d.source
    numeric.check_reverse(use, (5.0,), 0)


def test_the_value_is_computed_by_the_users_function():
    d = value_and_grad(sum_of_halves)
    assert d(5.0)[0] == sum_of_halves(5.0)
    assert "def sum_of_halves(x):" in d.source


def test_a_pullback_may_be_called_again():
    def loops(x):
        def go(t, k):
            if t < 0.5:
                return t * t
            total = 0.0
            for j in range(k):
                total = math.sin(total) + go(0.4 * t, k - 1) * (j + t)
            return total

        return go(x, 3)

    value, pullback = vjp(loops)(3.0)
    assert value == loops(3.0)
    first = pullback(1.0)
    assert pullback(1.0) == first and pullback(2.0) == 2.0 * first


def test_second_derivatives():
    h = hessian(product_of_halves)(5.0)
    v = hvp(product_of_halves)(5.0, 1.0)
    exact = 4 * 3 * 5.0**2 / 2.0**6  # x * x/2 * x/4 * x/8
    assert math.isclose(h, exact) and math.isclose(v, exact)
    assert math.isclose(grad(grad(product_of_halves))(5.0), exact)


def test_array_results_are_kept_apart_from_the_tape():
    """What the caller overwrites must not change what the backward sweep reads."""

    def use(v):
        def go(t):
            return np.exp(t) if np.max(t) < 1.0 else np.exp(-go(0.5 * t))

        a = go(v)
        a *= v
        a[0] = 2.0
        return np.sum(a * a)

    numeric.check(use, (np.array([2.0, 3.0, 0.5]),), second=True)


def test_deep_recursion_costs_linear_time():
    value, tangent = jvp(lambda x: deep(x, 0.0))(50.0, 1.0)
    assert math.isfinite(value) and math.isfinite(tangent)
    assert math.isclose(grad(lambda x: deep(x, 0.0))(50.0), tangent, rel_tol=1e-12)


def deep(x, s):
    return x * s if x < 0.1 else math.cos(deep(0.97 * x, s + 0.01)) * 0.9 + x


def test_settle_calls():
    body = statements("u = f_fwd(x, tape)\na, b = f_bwd(g, tape)\nreturn a, b")
    base = CoreFunction("f", None, None, Outline(), [], None)
    for node in gast.walk(gast.Module(body, [])):
        if isinstance(node, gast.Call):
            node.function = Routine(base)
    assert text(settle_calls(body)) == "f_fwd(x, tape)\nreturn f_bwd(g, tape)"
