"""The judge judged: differences are exact enough, trees come apart and together, wrong derivatives are noticed."""

from __future__ import annotations

import types
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tests import generator, numeric, verdict


@dataclass
class Model:
    w: np.ndarray
    b: float
    name: str = "m"


TREE = {"a": (1.0, [np.arange(3.0), 2]), "m": Model(np.ones((2, 2)), 0.5), "s": types.SimpleNamespace(x=3.0, k=None)}


def test_flatten_and_unflatten_are_inverse() -> None:
    vector = numeric.flatten(TREE)
    assert vector.tolist() == [1, 0, 1, 2, 1, 1, 1, 1, 0.5, 3]
    again = numeric.unflatten(TREE, 2.0 * vector)
    assert again["m"].b == 1.0
    assert again["m"].name == "m"
    assert again["a"][1][1] == 2
    assert again["s"].k is None
    assert TREE["m"].b == 0.5  # type: ignore[union-attr]
    np.testing.assert_array_equal(numeric.flatten(again), 2.0 * vector)


def test_differences_reach_ten_digits() -> None:
    value, error = numeric.ridders(lambda t: np.array([np.exp(np.sin(2.0 + t)), np.log(3.0 + t)]))
    np.testing.assert_allclose(value, [np.exp(np.sin(2.0)) * np.cos(2.0), 1.0 / 3.0], rtol=1e-11)
    assert error < 1e-9


def test_a_kink_shows_in_the_error() -> None:
    _, error = numeric.ridders(lambda t: np.array([abs(t - 1e-6)]))
    assert error > 1e-4


def test_shared_memory_moves_once_and_together() -> None:
    base = np.arange(6.0)
    args = (base[:4], base[2:], base.reshape(2, 3))
    along = numeric.direction(args, (0, 1, 2), np.random.default_rng(0), shared=True)
    a, b, c = numeric.moved(args, (0, 1, 2), along, 0.5, shared=True)
    np.testing.assert_allclose(a, base[:4] + 0.5 * along[0])
    np.testing.assert_allclose(b, base[2:] + 0.5 * along[1])
    a[3] = 99.0
    assert b[1] == c[1, 0] == 99.0
    assert base[3] == 3.0


def wrong(kind: str) -> dict[str, Any]:
    """Stand-ins for s2sad's operators on sum(x * x), right or wrong in one way."""

    def gradient(x: Any) -> Any:
        g = 2.0 * x
        if kind == "number":
            g = g + 1e-4
        if kind == "shape":
            g = g[:, None]
        if kind == "dtype":
            g = g.astype(np.float32)
        if kind == "argument":
            x[0] = 7.0
        if kind == "print":
            print("twice")
        return g

    def grad(f: Any, wrt: Any = 0) -> Any:
        return gradient

    def value_and_grad(f: Any, wrt: Any = 0) -> Any:
        return lambda x: (f(x), gradient(x))

    def jvp(f: Any, wrt: Any = 0) -> Any:
        return lambda x, dx: (f(x), np.sum(gradient(x) * dx))

    return {"grad": grad, "value_and_grad": value_and_grad, "jvp": jvp}


@pytest.mark.parametrize("kind", ["none", "number", "shape", "dtype", "argument", "print"])
def test_wrong_derivatives_are_noticed(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import s2sad

    for name, operator in wrong(kind).items():
        monkeypatch.setattr(s2sad, name, operator)

    def f(x: Any) -> Any:
        return np.sum(x * x)

    args = (np.arange(1.0, 4.0),)
    if kind == "none":
        numeric.check_reverse(f, args, 0)
        numeric.check_forward(f, args, 0)
        return
    with pytest.raises(AssertionError):
        numeric.check_reverse(f, args, 0)
    if kind in {"number", "argument", "print"}:
        with pytest.raises(AssertionError):
            numeric.check_forward(f, args, 0)


@pytest.mark.parametrize("form", ["value_and_grad", "grad", "vjp"])
@pytest.mark.parametrize("kind", ["none", "number", "shape", "dtype", "argument", "print", "one mode"])
def test_wrong_derivatives_are_noticed_together(kind: str, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import s2sad

    operators = wrong("none" if kind == "one mode" else kind)
    monkeypatch.setattr(s2sad, "grad", lambda f, wrt: lambda x: (operators["grad"](f)(x),))
    both = lambda x: (np.sum(x * x), (operators["grad"](None)(x),))  # noqa: E731
    monkeypatch.setattr(s2sad, "value_and_grad", lambda f, wrt: both)

    def pulled(x: Any) -> Any:
        gradient = (operators["grad"](None)(x),)
        return np.sum(x * x), lambda weight: gradient

    monkeypatch.setattr(s2sad, "vjp", lambda f, wrt: pulled)
    error = 1e-5 if kind == "one mode" else 0.0  # less than differences would notice
    forward = lambda x, d: (np.sum(x * x), np.sum(operators["grad"](None)(x) * d[0]) + error)  # noqa: E731
    monkeypatch.setattr(s2sad, "jvp", lambda f, wrt: forward)

    def f(x: Any) -> Any:
        return np.sum(x * x)

    args = (np.arange(1.0, 4.0),)
    along = (np.array([1.0, -0.5, 0.25]),)
    slope, uncertain = numeric.directional(f, args, (0,), along)
    point = numeric.Point(args, [(along, float(slope[0]), 1e-3 if kind == "one mode" else uncertain)])
    if kind == "none":
        numeric.check_both(f, [point], (0,), form=form)
        return
    with pytest.raises(AssertionError):
        numeric.check_both(f, [point], (0,), form=form)


def test_a_program_is_judged_at_several_points() -> None:
    text = "def f(x, y, v, w, n):\n    return x * y if x < 1.0 else x * w[0]\n"
    assert verdict.judge_program(text).kind == "right"
    assert verdict.judge_program("def f(x, y, v, w, n):\n    return 1.0 / (x - x + n * 0)\n").kind == "unfit"
    assert verdict.judge_program("def f(x, y, v, w, n):\n    return eval('x') * y\n").kind == "refused"


@pytest.mark.parametrize("holder", generator.HOLDERS)
def test_a_program_is_judged_with_its_arguments_in_one(holder: str) -> None:
    text = "\ndef f(x, y, v, w, n):\n    v[0] = x\n    return x * y * n + v[0] * w[1] * v[1]\n"
    for seed in range(3):
        assert verdict.judge_program(text, seed, holder=holder).kind == "right"


def test_a_wrong_derivative_is_wrong_also_with_a_smaller_step(monkeypatch: pytest.MonkeyPatch) -> None:
    import s2sad

    wrong = lambda f, wrt: lambda x, y, v, w, n: (y + 1e-4, x, 0.0 * v, 0.0 * w)  # noqa: E731
    monkeypatch.setattr(s2sad, "grad", wrong)
    text = "import numpy as np\ndef f(x, y, v, w, n):\n    return x * y + 0.0 * np.sum(v * w)\n"
    assert verdict.judge_program(text, 1, (0, 1, 2, 3)).kind == "wrong"


def test_a_program_that_overflows_on_the_way_is_no_fair_test() -> None:
    text = "def f(x, y, v, w, n):\n    a = x + 9.0\n    for _ in range(12):\n        a = a * a\n    return x * y\n"
    far = generator.load(text, verdict.FOLDER / "far.py")
    near = generator.load(text.replace("12", "2"), verdict.FOLDER / "near.py")
    assert verdict.overflows(far, generator.arguments(0))
    assert not verdict.overflows(near, generator.arguments(0))
    assert verdict.judge_program(text).kind == "right"  # nothing depends on it: it has no slope


def test_a_slope_is_steady_or_not() -> None:
    def point(f: Any, slope: float | None = None) -> numeric.Point:
        found, error = numeric.directional(f, (0.5,), (0,), (1.0,))
        return numeric.Point((0.5,), [((1.0,), float(found[0]) if slope is None else slope, error)])

    assert verdict._steady(np.sin, point(np.sin), (0,))
    assert not verdict._steady(np.sin, point(np.sin, np.cos(0.5) + 1e-4), (0,))
