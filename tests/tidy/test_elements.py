"""Loops over the elements of arrays read them from lists: results, types and exceptions stay the same."""

from __future__ import annotations

import math
import random
import warnings
from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.core import Facts, Stmt, statements, text
from s2sad.kinds.kind import Array, Dim, Kind, Number
from s2sad.tidy import elements
from s2sad.tidy.elements import elements_from_lists
from tests import amounts

N = Dim.symbol("n")
ROW, TABLE = Array(np.dtype(float), (N,)), Array(np.dtype(float), (N, N))
FLOATS, ROWS, TABLES = ("s", "t", "u"), ("x", "y", "z"), ("A", "B")
PARAMETERS = ["x", "A", "n", "p"]


@pytest.fixture(autouse=True)
def small_loops_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elements, "_ENOUGH", 0)


def facts() -> Facts:
    kinds: dict[str, Kind] = dict.fromkeys(ROWS, ROW) | dict.fromkeys(TABLES, TABLE)
    kinds |= {"n": Number(int, N), "i": Number(int, Dim.symbol("i$")), "j": Number(int, Dim.symbol("j$"))}
    kinds |= dict.fromkeys(FLOATS, Number(np.float64)) | {"p": Number(float), "c": Number(np.bool_)}
    return Facts(kinds=kinds, globals={"np": np, "math": math}, temps={"u"}, tapes={"tape"})


def run(body: list[Stmt], seed: int) -> Any:
    r = np.random.default_rng(seed)
    special = np.array([0.0, -0.0, 1.0, -2.0, 1e200, np.inf, np.nan, 0.5])
    few = r.random() < 0.5
    x, A = (special[r.integers(0, 8, size)] if few else r.normal(size=size) for size in (5, (5, 5)))
    scope: dict[str, Any] = {"np": np, "math": math}
    source = "\n".join(f"    {line}" for line in text(body).split("\n"))
    exec(f"def f({', '.join(PARAMETERS)}):\n{source}", scope)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = scope["f"](x, A, 5, 0.5)
        except Exception as error:
            return type(error)
    return [(type(v), np.asarray(v)) for v in found]


def same(first: Any, second: Any) -> bool:
    """In every bit (but for the sign of nan); and numbers of NumPy's stay NumPy's."""
    if type(first) is not list or type(second) is not list:
        return bool(first == second)
    pairs = list(zip(first, second, strict=True))
    return all(
        u in (t, np.float64)
        and np.array_equal(a, b, equal_nan=True)
        and (a.dtype.kind != "f" or np.isnan(a).any() or np.array_equal(np.signbit(a), np.signbit(b)))
        for (t, a), (u, b) in pairs
    )


def program(seed: int) -> list[Stmt]:
    r = random.Random(seed)

    def element() -> str:
        row, table = r.choice(ROWS), r.choice(TABLES)
        return r.choice([f"{row}[i]", f"{row}[i - 1]", f"{row}[j]", f"{table}[i, j]", f"{table}[j, i - 1]"])

    def value(depth: int = 0) -> str:
        forms = [element, element, lambda: r.choice(FLOATS[:2]), lambda: r.choice(["2.0", "p", "n", "0.5"])]
        if depth < 3:
            a, b = (lambda: value(depth + 1)), (lambda: value(depth + 1))
            forms += [
                *[lambda: f"({a()} {r.choice('+-*')} {b()})"] * 4,
                lambda: f"math.{r.choice(['exp', 'tanh', 'log'])}({a()})",
                lambda: f"np.{r.choice(['exp', 'sqrt'])}({a()})",
                lambda: f"{r.choice(['min', 'max'])}({a()}, {b()})",
                lambda: f"abs({a()})",
                lambda: f"({a()} if {b()} {r.choice(['<', '==', '>='])} {a()} else {b()})",
                lambda: f"({a()} / {r.choice([b(), '2.0', f'(1.0 + abs({b()}))', f'math.exp({b()})'])})",
                lambda: f"{a()} ** {r.choice(['2', 'p', '3.0'])}",
                lambda: f"-{a()}",
                lambda: f"(1.0 * ({a()} == s) + (t == s))",
                lambda: f"2.0 * (({a()} == s) + ({b()} > t))",
                lambda: f"float({a()})",
            ]
        return r.choice(forms)()

    def line() -> str:
        return r.choice(
            [
                f"{element()} = {value()}",
                f"{element()} {r.choice('+-*')}= {value()}",
                f"{r.choice(FLOATS[:2])} = {value()}",
                f"{r.choice(FLOATS[:2])} += {value()}",
                f"s, t = {value()}, {value()}",
                f"tape.append(({value()}, s))",
                f"if {value()} < {value()}: s = {value()}",
                f"z = {r.choice(ROWS)} * 2.0" if r.random() < 0.1 else f"s = {value()}",
                f"np.add.at(y, i, {value()})" if r.random() < 0.1 else f"t = {value()}",
            ]
        )

    body = ["y = np.zeros(n)", f"z = {r.choice(['np.ones(n)', 'x', 'x.copy()', 'y'])}", "B = A.copy()"]
    body += ["tape = []", "s = x[0]", "t = A[0, 0]"]
    for _ in range(r.randint(1, 2)):
        body += [f"for i in {r.choice(['range(n)', 'range(1, n)', 'reversed(range(n))'])}:", f"    {line()}"]
        body += [f"    for j in {r.choice(['range(n)', 'range(i)', 'range(n - 1, 0, -1)'])}:"]
        body += [f"        {line()}" for _ in range(r.randint(1, 3))]
        body += [f"    {line()}"]
        between = ["y[0] = 3.0", "z = y[1:]", "y = y * 2.0", "s = np.sum(y)", "B[:] = A", "s = y.shape[0] * s", "pass"]
        body += [r.choice(between)]
    if r.random() < 0.5:
        body += [
            "for i in reversed(range(n)):",
            "    for j in range(n):",
            "        s, t = tape.pop()",
            f"        {line()}",
        ]
    body.append(f"return {r.choice(['s, y', 'y, B', 't, z, B', 's, t', 'y'])},")
    return statements("\n".join(body))


@pytest.mark.parametrize("chunk", range(4))
def test_random_programs_are_the_same(chunk: int) -> None:
    changed = 0
    for seed in range(chunk * 60, chunk * 60 + (60 if amounts.ALL else 30)):
        body = program(seed)
        after = elements_from_lists(body, facts(), PARAMETERS)
        changed += after is not body
        for data in range(3):
            assert same(run(body, data), run(after, data)), text(body) + "\n-----\n" + text(after)
    assert changed > 2


LOOP = "y = np.zeros(n)\nfor i in range(n):\n    {}\nreturn y"

READ = {
    "arithmetic": "y[i] = 2.0 * x[i] - x[i] * p",
    "functions of math and NumPy": "y[i] = math.exp(x[i]) + np.tanh(x[i])",
    "choices": "y[i] = x[i] if x[i] > p else abs(x[i])",
    "a divisor that is positive": "y[i] = x[i] / (1.0 + math.exp(x[i]))",
    "a divisor that a logarithm is taken of": "y[i] = math.log(x[i] + p) + 1.0 / (x[i] + p)",
    "a divisor that counts": "y[i] = p / (1.0 * (x[i] == p) + (x[i] == s)) if x[i] == p else 0.0",
}
LEFT = {
    "a quotient by what may be 0": "y[i] = p / x[i]",
    "a power, which may overflow": "y[i] = x[i] ** 2",
    "whole numbers of them": "y[i] = x[i] // 1.0 + x[i] % p",
    "its attributes": "y[i] = x[i].real",
    "its type": "y[i] = p if isinstance(x[i], np.float64) else 0.0",
    "its text": "y[i] = len(str(x[i]))",
    "bools of NumPy's, which do not add up": "y[i] = 1.0 * ((x[i] > p) + (x[i] > s))",
    "functions that know nothing of it": "y[i] = f(x[i])",
    "a part of the array": "y[i] = x[i] + np.sum(x[:i])",
    "one of another precision": "y[i] = np.float32(2.0) * x[i]",
}


@pytest.mark.parametrize("name", READ)
def test_read_from_lists(name: str) -> None:
    found = text(elements_from_lists(statements(LOOP.format(READ[name])), facts(), [*PARAMETERS, "s"]))
    assert "x_items = x.tolist()" in found and "x[i]" not in found


@pytest.mark.parametrize("name", LEFT)
def test_left_alone(name: str) -> None:
    found = text(elements_from_lists(statements(LOOP.format(LEFT[name])), facts(), [*PARAMETERS, "s"]))
    assert "x.tolist()" not in found


@pytest.mark.parametrize("loop", ["for i in range(3)", "for i in (0, 2)", "while s > p", "for i in range(n - 20)"])
def test_a_loop_over_some_elements_reads_the_array(loop: str) -> None:
    body = statements(f"y = np.zeros(n)\n{loop}:\n    y[i] = x[i]\nreturn y")
    assert elements_from_lists(body, facts(), PARAMETERS) == body


def test_what_another_name_stores_is_seen() -> None:
    body = statements("z = x\nfor i in range(n):\n    z[i] = 2.0\n    s = x[i]\nreturn s")
    assert elements_from_lists(body, facts(), PARAMETERS) == body


def test_numbers_are_returned_as_before() -> None:
    found = text(elements_from_lists(statements("for i in range(n):\n    s = x[i]\nreturn s"), facts(), PARAMETERS))
    assert found.endswith("return np.float64(s)")
    found = text(elements_from_lists(statements("for i in range(n):\n    p = x[i]\nreturn p"), facts(), PARAMETERS))
    assert found.endswith("return p")  # that is one of Python's where it comes from elsewhere


def test_little_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    body = statements("y = np.zeros(n)\nfor i in range(n):\n    y[i] = 2.0 * x[i]\nreturn y")
    monkeypatch.undo()
    assert elements_from_lists(body, facts(), PARAMETERS) == body


def test_what_is_derived_again_is_derived_from_the_arrays() -> None:
    def f(x: Any, p: float) -> Any:
        y = np.zeros(len(x))
        for i in range(1, len(x)):
            y[i] = np.sin(x[i]) * x[i - 1] * p + y[i - 1] * x[i] - p * x[i]
        return np.sum(y * y)

    x = np.linspace(0.1, 1.0, 6)
    first = s2sad.grad(f)
    first(x, 0.5)
    assert "x_items = x.tolist()" in first.source
    second = s2sad.grad(lambda x, p: np.sum(first(x, p) ** 2))
    eps = 1e-5 * np.eye(6)
    number = [(np.sum(first(x + e, 0.5) ** 2) - np.sum(first(x - e, 0.5) ** 2)) / 2e-5 for e in eps]
    assert np.allclose(second(x, 0.5), number, rtol=1e-6)
    assert "append" not in second.source
