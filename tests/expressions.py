"""Random expressions of Python: numbers, truths, texts, lists, dicts and arrays, few of which are active.

The programs of `tests.generator` are about what is active; these are about everything else that an expression may be,
whose value has to be Python's. A grammar tells for each kind of value its atoms and its forms; a form's holes are
filled with expressions of the kinds that they name.

    >>> import random
    >>> expression(random.Random(3).randrange, "number", 0) in GRAMMAR["number"][0]
    True
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from s2sad import DerivationError, value_and_grad
from tests import generator

Choose = Callable[[int], int]

#: for each kind: its atoms, and its forms
GRAMMAR: dict[str, tuple[list[str], list[str]]] = {
    "number": (
        ["n", "m", "2", "3", "0", "1", "-1", "1.5", "x[0]", "x[1]", "True", "p", "q", "k"],
        [
            "({number} + {number})",
            "({number} - {number})",
            "({number} * {number})",
            "({number} // ({int} * 2 + 1))",
            "({number} % ({int} * 2 + 3))",
            "({number} and {number})",
            "({number} or {number})",
            "({number} and {number} or {number})",
            "(not {number})",
            "({number} if {truth} else {number})",
            "max({number}, {number})",
            "min({number}, {number}, {number})",
            "abs({number})",
            "sum({list})",
            "len({list})",
            "{items}[0]",
            "{items}[-1]",
            "max({items})",
            "int({truth})",
            "int({number})",
            "float({number})",
            "({truth} + {truth})",
            "({truth} * {number})",
            "sorted({items})[0]",
            "{text}.count('a')",
            "len({text})",
            "{list}.count({int})",
            "{{0: {number}, 1: {number}}}.get({int}, {number})",
            "({number}, {number})[{truth}]",
            "[{number}, {number}][{int} % 2]",
            "round({number}, 1)",
            "divmod({number}, 3)[{int} % 2]",
            "pow({int}, 2)",
            "({int} & 5)",
            "({int} ^ 3)",
            "({int} | 4)",
            "(~{int})",
            "next((e for e in {list} if e), {number})",
            "(lambda u, v=2: u and v)({number})",
            "both({number}, {number})",
            "first({number})",
            "(w := {number})",
            "np.sum({array})",
            "np.argmax({array})",
            "{array}[{int} % 3]",
            "np.prod({array})",
            "math.prod({list})",
            "len({array})",
            "{array}.size",
            "np.where({truth}, {number}, {number}).sum()",
            "np.maximum({number}, {number})",
            "sum(e for e in {list} if {truth})",
            "len({dict})",
            "sum({dict}.values())",
        ],
    ),
    "int": (
        ["n", "m", "2", "0", "1", "3", "k"],
        [
            "({int} + {int})",
            "({int} * {int})",
            "len({list})",
            "({int} and {int})",
            "({int} or {int})",
            "int({truth})",
            "({int} if {truth} else {int})",
            "({int} % 4)",
            "({int} // 2)",
            "{text}.find('b')",
        ],
    ),
    "truth": (
        ["(n > 2)", "m", "(x[0] > 0.5)", "True", "(n == 3)", "(q is None)", "t", "(not t)", "('a' in t)", "(n in (1, 3))"],  # noqa: E501
        [
            "({number} < {number})",
            "({number} >= {number})",
            "({number} == {number})",
            "({number} != {number})",
            "({number} < {number} <= {number})",
            "({truth} and {truth})",
            "({truth} or {truth})",
            "(not {truth})",
            "any({list})",
            "all({list})",
            "({int} in {list})",
            "({int} not in {list})",
            "({list} == {list})",
            "({list} < {list})",
            "bool({number})",
            "isinstance({int}, int)",
            "({text} == {text})",
            "({text} in {text})",
            "({anything} is None)",
            "({anything} is not None)",
            "({int} in {dict})",
            "({int} in {{1, n}})",
            "any({truth} for e in {list})",
            "({int} in range({int}))",
        ],
    ),
    "anything": (
        ["None", "q", "n", "t"],
        [
            "({truth} and {anything})",
            "({truth} or {anything})",
            "({anything} if {truth} else {anything})",
            "{dict}.get({int})",
            "{number}",
            "[None, {anything}][{int} % 2]",
        ],
    ),
    "items": (  # a list that is not empty
        ["[n, 2, 1]", "ls", "[x[0], 2]", "[m, n]"],
        [
            "[{number}, {number}]",
            "({items} + {list})",
            "sorted({items})",
            "list(reversed({items}))",
            "([{number}] * 2)",
            "[e + 1 for e in {items}]",
            "{items}[::-1]",
            "({items} if {truth} else {items})",
            "list(map(abs, {items}))",
            "[*{items}, {number}]",
            "({list} or {items})",
            "[a * b for a, b in zip({items}, {items})]",
            "[e * j for j, e in enumerate({items})]",
        ],
    ),
    "list": (
        ["[]", "[n, 2, 1]", "ls", "[m]", "list(range(n))", "[0, 1]"],
        [
            "{items}",
            "{items}[1:]",
            "{items}[:{int}]",
            "[e for e in {list} if e > 1]",
            "[e for e in {list} if {truth}]",
            "list(range({int} % 5))",
            "({list} and {list})",
            "([{number}] * ({int} % 3))",
            "list(filter(None, {list}))",
        ],
    ),
    "text": (
        ["'ab'", "t", "''", "'banana'", "str(n)"],
        [
            "({text} + {text})",
            "{text}[::-1]",
            "({text} * ({int} % 3))",
            "({text} or {text})",
            "({text} if {truth} else {text})",
            "({truth} and {text} or {text})",
            "{text}.upper()",
            "'a'.join([{text}, {text}])",
            "{text}.replace('a', 'bb')",
            "{text}[{int}:]",
        ],
    ),
    "dict": (
        ["{{1: 2, n: 3}}", "{{0: n}}", "{{}}", "dd"],
        [
            "{{{int}: {number}, 1: {number}}}",
            "{{e: {number} for e in {list}}}",
            "dict(zip(range(2), {items}))",
            "{{**{dict}, 2: {number}}}",
            "({dict} | {{5: 1}})",
        ],
    ),
    "array": (
        ["np.array([n, 2, 1])", "x", "ar", "np.arange(3)"],
        [
            "({array} + {number})",
            "({array} * {number})",
            "np.array([{number}, {number}, {number}])",
            "np.where({array} > 1, {array}, {number})",
            "np.sort({array})",
            "{array}[::-1]",
            "np.cumsum({array})",
            "np.abs({array})",
            "np.clip({array}, 0, 2)",
            "({array} if {truth} else {array})",
            "np.full(3, {number})",
            "np.roll({array}, 1)",
        ],
    ),
}

PROGRAM = """
import math

import numpy as np


def both(a, b):
    return a and b or a


def first(a):
    if a:
        return a
    return 2


def f(x, n, m, q, t):
    p = x[0] * 2
    k = 2
    ls = [n, m, 1]
    dd = {{n: 1, 7: m}}
    ar = np.array([1, m, n])
    v = {}
    s = x[0] + x[1] * v
    u = {}
    return s + x[1] * u * x[0]
"""


def expression(choose: Choose, kind: str, depth: int) -> str:
    """An expression of a kind, so many forms deep."""
    atoms, forms = GRAMMAR[kind]
    if depth == 0:
        return atoms[choose(len(atoms))].replace("{{", "{").replace("}}", "}")
    form = forms[choose(len(forms))]
    holes = form.replace("{{{", "{{ {")
    filled = re.sub(r"(?<!\{)\{(\w+)\}", lambda hole: expression(choose, hole[1], depth - 1), holes)
    return filled.replace("{{", "{").replace("}}", "}")


def make(choose: Choose, depth: int = 2) -> str:
    """The text of a module with a function `f(x, n, m, q, t)` of a vector, two ints, a float or None, and a text."""
    return PROGRAM.format(expression(choose, "number", depth), expression(choose, "number", depth))


#: what the programs are called with
POINTS: tuple[tuple[Any, ...], ...] = (
    (np.array([0.7, 1.1, 0.4]), 3, 1, None, "abc"),
    (np.array([-0.7, 0.3, 2.4]), 0, 0, 2.0, ""),
)


def judge(text: str, file: Path) -> list[str]:
    """What is wrong with the values and gradients of a program, at both points; nothing where it is refused.

    Where the primal fails, or is not smooth, nothing is asked.
    """
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        f = generator.load(text, file)
        for point in POINTS:
            along = np.array([0.3, -0.5, 0.8])

            def at(step: float, point: tuple[Any, ...] = point, along: Any = along) -> Any:
                return f(point[0] + step * along, *point[1:])

            try:
                value = at(0.0)
                slope, other = ((at(h) - at(-h)) / (2.0 * h) for h in (1e-6, 2e-6))
            except (TypeError, ValueError, IndexError, ZeroDivisionError, OverflowError, KeyError):
                continue
            if not np.isfinite([value, slope]).all():
                continue
            try:
                got, gradient = value_and_grad(f)(point[0].copy(), *point[1:])
            except DerivationError:
                continue
            if not abs(got - value) <= 1e-9 * max(1.0, abs(value)):
                found.append(f"value {got} instead of {value} at {point}")
            smooth = abs(slope - other) <= 1e-5 * max(1.0, abs(slope))
            if smooth and not abs(gradient @ along - slope) <= 1e-4 * max(1.0, abs(slope), abs(value)):
                found.append(f"slope {gradient @ along} instead of {slope} at {point}")
    return found
