"""Which calls stay calls: by size and number, and only where nobody notices."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from s2sad import grad, hvp, jvp, value_and_grad, vjp
from s2sad.normal.calls import keep
from tests import numeric
from tests.derive.programs import derived


def names(f: Callable[..., Any], *args: Any, policy: str = "choose", **options: Any) -> list[str]:
    with keep.policy(policy):
        return [tree.name for tree in derived(f, *args, **options).functions]


def rates(x, y, a, b):
    return a * x - b * x * y, b * x * y - a * y


def rough(u, k):
    v = np.exp(-k * u)
    w = v * np.sin(u)
    return np.tanh(w + u) / (1.0 + w * w)


def area(x):
    return 0.5 * x * x


def stored(u, k):
    u[0] = k * u[1] * u[1]
    u[1] = math.sin(k) * u[0] + u[1]
    return u[0] * u[1] + k


def steps(a, b):
    x, y = 1.0, 0.5
    for _ in range(3):
        kx, ky = rates(x, y, a, b)
        lx, ly = rates(x + 0.1 * kx, y + 0.1 * ky, a, b)
        x, y = x + 0.1 * lx, y + 0.1 * ly
    return x * y


def waves(u, k):
    return np.sum(rough(u, k) * rough(u * u, 2.0 * k))


def areas(x):
    return area(x) + area(2.0 * x)


def stores(u, k):
    v = u.copy()
    return stored(v, k) + stored(v, 2.0 * k)


def stores_in_one(u, k):
    def mixed(v, w):
        v[0] = k * w[1]
        w[2] = v[0] * v[1]

    v = u.copy()
    mixed(v, v)
    mixed(v, v[::-1])
    return np.sum(v * v)


def test_from_the_arguments_where_little_is_computed_again():
    assert names(steps, 0.3, 0.4, wrt=("a", "b")) == ["rates_bwd", "grad_steps"]


def test_with_a_tape_where_much_is_computed():
    assert names(waves, np.ones(3), 0.5) == ["rough_fwd", "rough_bwd", "grad_waves"]


def test_forward_mode():
    assert names(waves, np.ones(3), 0.5, result="jvp") == ["rough_jvp", "jvp_waves"]


def test_an_expression_is_written_out():
    assert names(areas, 0.5) == ["grad_areas"]
    assert names(areas, 0.5, policy="always")[-1] == "grad_areas"
    assert len(names(areas, 0.5, policy="always")) > 1


def int_or_float(x):
    return np.array([1, 2]) if x[0] < 0.9 else 2.0 * x


def perhaps_none(x):
    return x * x[0] if x[0] < 0.9 else None


def of_kind(x):
    u = int_or_float(x)
    return np.sum(u * x if u.dtype.kind == "i" else u + x)


def where_there_is_one(x):
    u = perhaps_none(x)
    return np.sum(x) if u is None else np.sum(u)


@pytest.mark.parametrize("f", [of_kind, where_there_is_one])
@pytest.mark.parametrize("first", [0.5, 1.5])
def test_results_of_several_kinds_are_written_out(f: Any, first: float) -> None:
    x = np.array([first, 0.3])
    with keep.policy("always"):
        numeric.check_reverse(f, (x,), 0)
    assert len(names(f, x, policy="always")) == 1


def test_stores_into_arguments():
    assert names(stores, np.ones(3), 0.5) == ["stored", "stored_bwd", "grad_stores"]


def test_what_cannot_be_said_is_written_out():
    assert names(stores_in_one, np.ones(3), 0.5, policy="always") == ["grad_stores_in_one"]


def test_known_values_that_decide_are_part_of_the_signature():
    def power(x, mode):
        if mode == "sum":
            y = x + math.sin(x) * x
            return y * y + math.exp(y) * math.cos(x) * 2.0
        y = x * x * math.cos(x)
        return math.exp(y) * x + y * y * math.sin(x)

    def both(x):
        return power(x, "sum") * power(2.0 * x, "product") + power(power(3.0 * x, "sum"), "product")

    assert sum(name.endswith("_bwd") for name in names(both, 0.5)) == 2

    def each(x):
        return power(x, "sum") * power(2.0 * x, "product")

    assert names(each, 0.5) == ["grad_each"]


def test_numbers_that_are_computed_with_are_not():
    def each(x):
        u, _ = rates(x, 0.1, 0.2, 0.3)
        _, v = rates(u, 0.4, 0.5, 0.6)
        return u * v

    assert names(each, 0.5) == ["rates_bwd", "grad_each"]


@pytest.mark.parametrize("policy", ["choose", "always", "never"])
@pytest.mark.parametrize(
    ("f", "args", "wrt"),
    [(steps, (0.3, 0.4), (0, 1)), (waves, (np.linspace(0.1, 1.0, 4), 0.5), (0, 1)), (areas, (0.5,), 0)],
)
def test_against_differences(policy: str, f: Any, args: tuple[Any, ...], wrt: Any) -> None:
    with keep.policy(policy):
        numeric.check_reverse(f, args, wrt)
        numeric.check_forward(f, args, wrt)
        numeric.check_second(f, args, wrt)


def wave(u, k, m):
    t = np.sin(k * u) / (k + 1)
    s = t * t + np.cos(m * t) * u
    q = s / (1.0 + t * t)
    return q * u - t * m + s


def waves_of(u):
    return np.sum(wave(u, 1, 2.0) * wave(u, 2, 2.0) + wave(u, 3, 1.5) - wave(u, 4, 0.5) * wave(u, 5, 0.3))


def mode(u, k):
    t = np.sin(u) * u if k == 1 else np.cos(u) * u * u
    s = t * t + u / (1.0 + t * t)
    return s * t - u * s


def modes(u):
    return np.sum(mode(u, 1) * mode(u, 2) + mode(u, 3) * mode(u * u, 1))


def power_of(u, k):
    t = u**k
    s = t * t + u / (1.0 + t * t)
    return s * t - u * s + np.sin(u) * s


def powers(u):
    return np.sum(power_of(u, 2) * power_of(u, 3) + power_of(u * 2.0, 2) * power_of(u * 1.5, 3))


def axis(m, k):
    t = np.sum(m, axis=k)
    s = t * t + np.max(m) / (1.0 + t * t)
    return np.sum(s * t) * np.mean(m * m) - np.sum(s)


def axes(u):
    m = np.outer(u, u * u)
    return axis(m, 0) * axis(m, 1) + axis(m * m, 0) * axis(m * 2, 1)


def spring(p, i, j, k):
    d = p[i] - p[j]
    r = math.sqrt(d * d + 1.0)
    e = k * (r - 1.0) ** 2 + math.exp(-r * r)
    return e * r + math.sin(d)


def springs(p):
    return spring(p, 0, 1, 2.0) + spring(p, 1, 2, 1.0) + spring(p, 2, 3, 0.5) * spring(p, 3, 0, 0.1)


def many(u, n):
    s = u * 0.0
    for k in range(n):
        s = np.tanh(s + u * k) * u
    return s * s + u


def trips(u):
    return np.sum(many(u, 2) * many(u * u, 3) + many(u, 7))


@pytest.mark.parametrize(
    ("f", "made"),
    [(waves_of, 1), (springs, 1), (trips, 1), (modes, 2), (powers, 2), (axes, 2)],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_ints_are_part_of_the_signature_where_they_decide(f, made):
    x = np.array([0.3, 0.5, 1.2, 0.6])
    assert sum("_bwd" in name for name in names(f, x)) == made
    numeric.check_reverse(f, (x,), 0)
    numeric.check_forward(f, (x,), 0)


class Spring:
    def __init__(self, k, color, rest):
        self.k, self.color, self.rest = k, color, rest

    def energy(self, x):
        d = np.sin(x) - self.k
        e = d * d * x + self.k / (1.0 + x * x)
        return e * d - x * e


def of_springs(x, c):
    spring = Spring(x, c * c, 2.0 * c)
    return spring.energy(c) * spring.energy(2.0 * x)


def test_methods_take_the_attributes_that_they_read():
    gradient = grad(of_springs, wrt=(0, 1))
    gradient(0.3, 0.4)
    assert "self_k" in gradient.source
    assert "self_rest" not in gradient.source and "self_color" not in gradient.source


def test_policies_have_code_of_their_own():
    for policy, lines in (("never", 1), ("choose", 2)):
        with keep.policy(policy):
            d = grad(waves)
            d(np.ones(3), 0.5)
            assert d.source.count("def ") >= lines
            assert (d.source.count("def ") == 1) == (policy == "never")
            assert jvp(waves)(np.ones(3), 0.5, np.ones(3))[1] == pytest.approx(float(np.sum(d(np.ones(3), 0.5))))
            assert vjp(waves)(np.ones(3), 0.5)[1](2.0) == pytest.approx(2.0 * d(np.ones(3), 0.5))
            assert hvp(waves)(np.ones(3), 0.5, np.ones(3)).shape == (3,)


def predicted(state, q):
    a = state["x"] * q
    b = np.sin(a) + state["x"]
    c = np.exp(-b * b) * a
    d = np.tanh(c) + b * a
    return {**state, "x": np.cos(d) * c + a + 0.1 * d}


def updated(state, z):
    a = state["x"] - z
    b = np.sin(a) + state["x"]
    c = np.exp(-b * b) * a
    d = np.tanh(c) + b * a
    new = dict(state)
    new["x"] = np.cos(d) * c + a + d * z
    new["loss"] = state["loss"] - c * d
    new["n"] += 1
    return new


def filtered(x, zs):
    state = {"x": x, "loss": 0.0, "n": 0}
    for z in zs:
        state = predicted(state, 0.5)
        if z is not None:
            state = updated(state, z)
    return state["x"] * state["n"] + state["loss"]


def test_a_count_that_calls_hand_on():
    """What a call returns is known to be 1, or 2: a function that is kept for 1 is none for 2."""
    zs = [0.1, 0.3, None, 0.2, 0.4, None, 0.3]
    value, _ = value_and_grad(filtered)(1.5, zs)
    assert np.isclose(value, filtered(1.5, zs))
    numeric.check(filtered, (1.5, zs), 0)
