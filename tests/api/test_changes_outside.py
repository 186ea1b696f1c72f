"""What a derivation relied on outside of the function changes between calls: the next call is right again."""

import collections
import functools
import math

import numpy as np
import pytest

from s2sad import DerivationError, grad, hvp, value_and_grad
from s2sad.runtime.conditions import compiled
from s2sad.runtime.guards import guards_of


class Config:
    power = 2
    name = "square"
    weights = [1.0, 2.0]  # noqa: RUF012
    table = {"k": 2}  # noqa: RUF012


class Law:
    def __init__(self, n):
        self.n = n

    def at(self, x):
        return x**self.n

    def __call__(self, x):
        return x**self.n


class Slotted:
    __slots__ = ("n",)

    def __init__(self, n):
        self.n = n


def scaled(x, n=2):
    return x**n


def power_of(numbers, x):
    return x ** len(numbers)


act = math.sin
law, slotted, ints, pairs, queue = Law(2), Slotted(2), {2, 3}, ([2, 3], {"n": 2}), collections.deque([1.0, 2.0])
bound, partial_list = law.at, [1, 2]
partial = functools.partial(power_of, partial_list)
actions = {"first": scaled}
nested = [[1.0], {"a": [1.0]}]
power = 2


def to_the_power(x):
    return x**power


listed = [to_the_power]


# each a function, and what changes what it gives
def of_builtin(x):
    return act(x) * x


def of_class(x):
    return Law(2).at(x) + Config.power * x**Config.power


def of_class_text(x):
    return x * x if Config.name == "square" else x


def of_class_containers(x):
    return x ** Config.table["k"] * sum(Config.weights)


def of_instances(x):
    return law.at(x) + law(x) + x**slotted.n


def of_bound_and_partial(x):
    return bound(x) + partial(x)


def of_containers(x):
    return sum(x**k for k in ints) + x ** pairs[0][0] + x ** pairs[1]["n"] + sum(v * x * x for v in queue)


def of_nested(x):
    return math.sin(nested[0][0]) * x * x + nested[1]["a"][0] * x


def of_held_functions(x):
    return actions["first"](x) + listed[0](x)


def of_attribute(x):
    return x**of_attribute.n


of_attribute.n = 2


def of_default(x):
    return scaled(x)


def method_replaced(self, x):
    return x


CHANGES = [
    (of_builtin, lambda m: m.setitem(globals(), "act", math.cos)),
    (of_class, lambda m: m.setattr(Config, "power", 3)),
    (of_class, lambda m: m.setattr(Law, "at", method_replaced)),
    (
        of_class,
        lambda m: m.setitem(globals(), "Law", type("Law", (), {"__init__": Law.__init__, "at": method_replaced})),
    ),
    (of_class_text, lambda m: m.setattr(Config, "name", "other")),
    (of_class_containers, lambda m: m.setattr(Config, "weights", [1.0, 2.0, 4.0])),
    (of_class_containers, lambda m: Config.weights.__setitem__(0, 9.0)),
    (of_class_containers, lambda m: m.setitem(Config.table, "k", 3)),
    (of_instances, lambda m: m.setattr(law, "n", 3)),
    (of_instances, lambda m: m.setattr(slotted, "n", 3)),
    (of_bound_and_partial, lambda m: m.setattr(law, "n", 3)),
    (of_bound_and_partial, lambda m: partial_list.append(3)),
    (of_containers, lambda m: m.setitem(globals(), "ints", {2, 5})),
    (of_containers, lambda m: pairs[0].__setitem__(0, 4)),
    (of_containers, lambda m: m.setitem(pairs[1], "n", 5)),
    (of_containers, lambda m: queue.append(3.0)),
    (of_nested, lambda m: nested[0].__setitem__(0, 3.0)),
    (of_nested, lambda m: nested[1]["a"].__setitem__(0, 3.0)),
    (of_held_functions, lambda m: m.setitem(globals(), "power", 3)),
    (of_held_functions, lambda m: m.setattr(scaled, "__defaults__", (3,))),
    (of_attribute, lambda m: m.setattr(of_attribute, "n", 3)),
    (of_default, lambda m: m.setattr(scaled, "__defaults__", (3,))),
]


@pytest.mark.parametrize(("f", "change"), CHANGES)
def test_what_changes_is_seen(f, change, monkeypatch):
    first, second, x, h = value_and_grad(f), hvp(f), 1.3, 1e-3

    def numbers():
        low, middle, high = f(x - h), f(x), f(x + h)
        return middle, (high - low) / (2.0 * h), (high - 2.0 * middle + low) / h**2

    assert np.allclose([*first(x), second(x, 1.0)], before := numbers(), rtol=1e-4, atol=1e-5)
    change(monkeypatch)
    assert not np.allclose(numbers(), before)
    assert np.allclose([*first(x), second(x, 1.0)], numbers(), rtol=1e-4, atol=1e-5)


def apply(f, x):
    return f(x) * x


def test_what_functions_among_the_arguments_look_up(monkeypatch):
    numbers = [1, 2]
    made = Law(2)

    def with_closure(x):
        return x ** len(numbers)

    slope = grad(apply, wrt=1)
    given = (to_the_power, with_closure, made.at, functools.partial(power_of, numbers))
    assert [slope(f, 1.3) for f in given] == pytest.approx([3 * 1.3**2] * 4)
    monkeypatch.setitem(globals(), "power", 3)
    numbers.append(3)
    made.n = 3
    assert [slope(f, 1.3) for f in given] == pytest.approx([4 * 1.3**3] * 4)


def compares(x, y=np.ones(3)):  # noqa: B008
    return np.sum(x) * 2.0 if len(x) == len(y) else np.sum(x**3)


shared = np.array([1.0, 2.0])


def overwrites(x, y=shared):
    x *= 2.0
    return np.sum(x * x * y)


def test_arrays_among_the_defaults():
    g = value_and_grad(compares)
    assert g(np.ones(3))[0] == 6.0
    value, slope = g(np.array([1.0, 2.0]))
    assert value == 9.0 and np.allclose(slope, [3.0, 12.0])
    g = value_and_grad(overwrites)
    for x, expected in ((shared.copy(), 36.0), (shared, 72.0), (shared.copy(), 36.0)):
        assert g(x)[0] == expected


def reads_global(x):
    x *= 2.0
    return np.sum(x * shared)


def changes_dict(d):
    d["n"] = d["n"] * 2.0
    return d["n"] * settings["n"]


settings = {"n": 2.0}


def test_arguments_that_are_reached_from_outside_and_changed():
    g = grad(reads_global)
    assert np.allclose(g(shared.copy()), 2.0 * shared)
    with pytest.raises(DerivationError, match="x is changed, and the function looks it up outside of its arguments"):
        g(shared)
    assert np.allclose(g(np.ones(2)), 2.0 * shared)
    with pytest.raises(DerivationError, match="d is changed, and the function looks it up outside of its arguments"):
        grad(changes_dict)(settings)
    assert grad(changes_dict)({"n": 3.0}) == {"n": 4.0}
    bound_to_shared = functools.partial(lambda w, x: np.sum(w * x), shared)
    with pytest.raises(DerivationError, match="outside of its arguments"):
        grad(writes_and_calls)(shared, bound_to_shared)


def writes_and_calls(x, f):
    x *= 2.0
    return f(x)


def test_guards_hold_until_something_changes(monkeypatch):
    conditions, outside = guards_of(of_class_containers)
    check = compiled(conditions)
    assert check() and any(held is Config.weights for held in outside)
    monkeypatch.setattr(Config, "weights", [1.0, 2.0])
    assert not check()


def copied(u):
    return copy_of(u)


copy_of = np.array


def overwrites_a_copy(x):
    a = copied(x)
    a[0] = 5.0
    return np.sum(a * x)


def test_a_helper_may_begin_to_hand_over_what_it_is_given(monkeypatch):
    x = np.array([1.0, 2.0, 3.0])
    np.testing.assert_allclose(grad(overwrites_a_copy)(x), [5.0, 4.0, 6.0])
    monkeypatch.setitem(globals(), "copy_of", np.asarray)
    np.testing.assert_allclose(grad(overwrites_a_copy)(x), [0.0, 4.0, 6.0])
    np.testing.assert_allclose(x, [1.0, 2.0, 3.0])


HELD = np.array([1.0, 2.0, 3.0])


def overwrites_its_argument(x):
    x[0] = 2.0 * x[1]
    return np.sum(x * HELD)


@pytest.mark.parametrize("operator", [grad, value_and_grad, lambda f: grad(grad(f))], ids=["grad", "both", "second"])
def test_an_argument_that_is_overwritten_may_be_what_a_global_stands_for_now(operator, monkeypatch):
    g, x = grad(overwrites_its_argument), np.array([3.0, 4.0, 5.0])
    for held in (HELD, np.array([2.0, 2.0, 7.0]), HELD, np.array([1.0, 5.0, 2.0])):
        monkeypatch.setitem(globals(), "HELD", held)
        np.testing.assert_allclose(g(x), [0.0, 2.0 * held[0] + held[1], held[2]])
        with pytest.raises(DerivationError):
            g(held)


def overwrites_the_first(a, b):
    a[0] = a[1] * 2.0
    return np.sum(a * b)


def overwrites_a_copy_of_the_first(a, b):
    a = a.copy()
    a[0] = a[1] * 2.0
    return np.sum(a * b)


def overwrites_a_copy_of_its_argument(x):
    return overwrites_its_argument(x.copy())


def test_what_a_derivative_inside_of_a_function_is_given_may_be_one_array():
    x = np.array([3.0, 4.0, 5.0])
    for g in (
        lambda x: np.sum(grad(overwrites_the_first)(x, x) * x),
        lambda x, y: np.sum(grad(overwrites_the_first)(x, y)),
        lambda x: np.sum(grad(overwrites_its_argument)(x) * x),
    ):
        with pytest.raises(DerivationError, match="may be one"):
            grad(g)(*[x] * g.__code__.co_argcount)
    slope = grad(lambda x: np.sum(grad(overwrites_a_copy_of_the_first)(x, x) * x))(x)
    np.testing.assert_allclose(slope, [2.0 * 4.0, 2.0 * 3.0 + 2.0 * 4.0, 2.0 * 5.0])
    slope = grad(lambda x: np.sum(grad(overwrites_a_copy_of_its_argument)(x) * x))(HELD)
    np.testing.assert_allclose(slope, [0.0, 4.0, 3.0])
