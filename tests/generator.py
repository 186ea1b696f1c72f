"""Random programs: the constructs of the language composed, with arguments to differentiate them at.

A program is the text of a module with a function `f(x, y, v, w, n)` (two floats, two vectors of length 5, an int) and
its helpers. Every choice is one call of `choose`, so that hypothesis and a plain random generator can both drive it.

    >>> import random
    >>> text = make(random.Random(1).randrange)
    >>> "def f(x, y, v, w, n):" in text
    True
"""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

Choose = Callable[[int], int]

HELPERS = """
import math

import numpy as np


def smooth(a, b):
    return math.sin(a) * b + 0.3 * a


def pair(a, b):
    if a > b:
        return a * 0.5 + b, a - b * b * 0.2
    return a * b, b


def norm(u):
    return math.sqrt(1.0 + float(np.sum(u * u)))


def relax(u, c):
    u[1:-1] = 0.5 * u[1:-1] + 0.25 * c * (u[:-2] + u[2:])


def scale(u, c):
    u *= c
    return u


def same(u):
    return u


def middle(u):
    return u[1:4]


def blend(target, source):
    target += 0.5 * source * source


def first_above(u, c):
    for k in range(len(u)):
        if u[k] > c:
            return u[k] * k
    return c


def powers(a, k):
    if k == 0:
        return 1.0
    return a * powers(a, k - 1)


def mix(a, b=0.7, *more, scale=1.0):
    total = a * b
    for m in more:
        total = total + 0.1 * m
    return total * scale


class Cell:
    def __init__(self, level, data):
        self.level = level
        self.data = data

    @property
    def energy(self):
        return self.level * float(np.sum(self.data))

    def push(self, amount):
        self.level = self.level + 0.5 * amount
        self.data[0] = self.data[0] * 0.5 + amount
        return self.level
"""


@dataclass
class Scope:
    """The names that may be used at one place, by type."""

    numbers: list[str]
    vectors: list[str]  # length 5
    shorts: list[str]  # length 3
    matrices: list[str]  # 5 x 5
    lists: list[str]  # lists of floats, never empty
    dicts: list[str]  # with the keys "a" (a float) and "u" (a vector of length 5)
    cells: list[str]
    indices: list[str]  # ints between 0 and 2

    def copy(self) -> Scope:
        return Scope(*(list(getattr(self, name)) for name in self.__dataclass_fields__))


@dataclass
class Generator:
    choose: Choose
    lines: list[str] = field(default_factory=list)
    count: int = 0
    budget: int = 14
    #: without comprehensions, generator expressions and classes
    plain: bool = False

    # -- choices

    def chance(self, per_cent: int) -> bool:
        return self.choose(100) < per_cent

    def pick(self, items: list[str]) -> str:
        return items[self.choose(len(items))]

    def fresh(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def constant(self) -> str:
        return self.pick(["0.5", "2.0", "1.5", "0.25", "-0.7", "1.0", "3"])

    # -- expressions

    def number(self, s: Scope, depth: int = 2) -> str:
        kind = self.choose(30 if depth > 0 else 8)
        if kind < 4:
            return self.pick(s.numbers)
        if kind < 5:
            return self.constant()
        if kind < 7:
            return self.element(s)
        if kind < 8:
            return self.pick(s.numbers)
        a = self.number(s, depth - 1)
        if kind < 11:
            return f"({a} {self.pick(['+', '-'])} {self.number(s, depth - 1)})"
        if kind < 13:
            return f"{a} * {self.number(s, 0)}"
        if kind < 14:
            return f"{a} / (2.0 + {self.pick(s.numbers)} ** 2)"
        if kind < 16:
            return f"{self.pick(['math.sin', 'math.tanh', 'math.cos', 'np.sin'])}({a})"
        if kind < 17:
            return f"({a}) ** 2"
        if kind < 18:
            return f"np.sum({self.vector(s, depth - 1)})"
        if kind < 19:
            return f"({self.pick(s.vectors)} @ {self.pick(s.vectors)})"
        if kind < 20:
            return f"({a} if {self.condition(s)} else {self.number(s, 0)})"
        if kind < 21:
            return f"smooth({a}, {self.number(s, 0)})"
        if kind < 22:
            return f"norm({self.pick(s.vectors + s.shorts)})"
        if kind < 23 and s.lists:
            name = self.pick(s.lists)
            return self.pick([f"{name}[-1]", f"sum({name})", f"{name}[0]", f"max({name})"])
        if kind < 24 and s.dicts:
            return f'{self.pick(s.dicts)}["a"]'
        if kind < 25 and s.cells:
            return f"{self.pick(s.cells)}.{self.pick(['level', 'energy'])}"
        if kind < 26 and not self.plain:
            loop = self.fresh("e")
            inner = Scope([*s.numbers, loop], s.vectors, s.shorts, s.matrices, [], [], [], s.indices)
            return f"sum({self.number(inner, 1)} for {loop} in {self.pick(s.vectors + s.shorts)})"
        if kind < 27:
            return f"mix({a}, {self.pick(s.numbers)}, {self.number(s, 0)}, scale={self.constant()})"
        if kind < 28:
            return f"first_above({self.pick(s.vectors)}, {self.constant()})"
        if kind < 29:
            return f"powers({self.pick(s.numbers)}, {self.pick(['2', '3', *s.indices])})"
        return f"{self.pick(['max', 'min'])}({a}, {self.pick(s.numbers)})"

    def index(self, s: Scope, limit: int = 5) -> str:
        return self.pick([*s.indices, *s.indices, "0", "1", "2", "-1"] + (["3", "4"] if limit > 3 else []))

    def element(self, s: Scope) -> str:
        kind = self.choose(10)
        if kind < 2 and s.shorts:
            return f"{self.pick(s.shorts)}[{self.index(s, 3)}]"
        if kind < 4 and s.matrices:
            return f"{self.pick(s.matrices)}[{self.index(s)}, {self.index(s)}]"
        return f"{self.pick(s.vectors)}[{self.index(s)}]"

    def vector(self, s: Scope, depth: int = 2) -> str:
        """An expression of length 5."""
        kind = self.choose(17 if depth > 0 else 4)
        if kind < 3:
            return self.pick(s.vectors)
        if kind < 4:
            return f"np.sin({self.pick(s.vectors)})"
        a = self.vector(s, depth - 1)
        if kind < 7:
            return f"({a} {self.pick(['+', '-'])} {self.vector(s, depth - 1)})"
        if kind < 9:
            return f"{a} * {self.pick(s.vectors + s.numbers)}"
        if kind < 10:
            return f"{a} / (1.5 + {self.pick(s.vectors)} ** 2)"
        if kind < 11:
            return f"np.tanh({a})"
        if kind < 12:
            return f"np.where({self.pick(s.vectors)} > {self.constant()}, {a}, {self.pick(s.vectors + s.numbers)})"
        if kind < 13 and s.matrices:
            m = self.pick(s.matrices)
            return self.pick([f"{m} @ ({a})", f"{m}[{self.index(s)}] * 0.5", f"{m}.T[{self.index(s)}] + {a}",
                              f"{m}.sum(axis={self.choose(2)})"])  # fmt: skip
        if kind < 14:
            return f"({a})[{self.pick(['::-1', '[0, 2, 2, 1, 4]', '[4, 3, 1, 0, 2]'])}]"
        if kind < 15:
            return f"np.array([{', '.join(self.number(s, 0) for _ in range(5))}])"
        if kind < 16:
            return f"np.concatenate([{self.short(s, 0)}, {self.pick(s.vectors)}[:2]])"
        return f"np.maximum({a}, {self.constant()})"

    def short(self, s: Scope, depth: int = 1) -> str:
        """An expression of length 3."""
        kind = self.choose(6)
        slices = ["1:4", ":3", "2:", "::2", "-1:1:-1"]
        if kind < 2 and s.shorts:
            return self.pick(s.shorts)
        if kind < 4 or depth == 0:
            return f"{self.pick(s.vectors)}[{self.pick(slices)}]"
        if kind < 5:
            return f"{self.short(s, depth - 1)} * {self.number(s, 0)}"
        return f"{self.short(s, depth - 1)} + {self.short(s, depth - 1)}"

    def condition(self, s: Scope) -> str:
        kind = self.choose(10)
        a, b = self.number(s, 0), self.pick([self.constant(), self.pick(s.numbers)])
        if kind < 5:
            return f"{a} {self.pick(['>', '<'])} {b}"
        if kind < 6:
            return f"{a} > {b} and {self.pick(s.numbers)} < {self.constant()}"
        if kind < 7:
            return f"{a} > {b} or not {self.pick(s.numbers)} < {self.constant()}"
        if kind < 8:
            return f"-1.0 < {a} < 1.0"
        if kind < 9:
            return f"np.any({self.pick(s.vectors)} > {self.constant()})"
        return f"{self.pick([*s.indices, 'n'])} {self.pick(['>', '==', '<='])} {self.choose(3)}"

    # -- statements

    def emit(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def block(self, s: Scope, depth: int, size: int, loop: bool) -> None:
        """Statements; names that they introduce are known in s afterwards."""
        for _ in range(size):
            if self.budget <= 0:
                break
            self.budget -= 1
            self.statement(s, depth, loop)

    def nested(self, s: Scope, depth: int, loop: bool, extra: list[str] | None = None) -> None:
        """A block inside of a compound statement: what it introduces is forgotten."""
        inner = s.copy()
        inner.indices += extra or []
        before = len(self.lines)
        self.block(inner, depth, 1 + self.choose(3), loop)
        if len(self.lines) == before:
            self.emit(depth, f"{s.numbers[0]} = {s.numbers[0]} * 1.0")

    def statement(self, s: Scope, depth: int, loop: bool) -> None:
        kind = self.choose(44)
        number, vector = self.pick(s.numbers), self.pick(s.vectors)
        if kind < 4:
            name = self.fresh("s") if self.chance(60) else number
            self.emit(depth, f"{name} = {self.bounded(self.number(s), loop)}")
            self.know(s.numbers, name)
        elif kind < 6:
            self.emit(depth, f"{number} {self.pick(['+=', '-=', '*='])} {self.bounded(self.number(s, 1), True)}")
        elif kind < 9:
            name = self.fresh("u")
            form = self.choose(8)
            text = {
                0: f"{vector}", 1: f"{vector}.copy()", 2: f"same({vector})", 3: "np.zeros(5)",
            }.get(form, f"{self.bounded_vector(self.vector(s), loop)}")  # fmt: skip
            self.emit(depth, f"{name} = {text}")
            self.know(s.vectors, name)
        elif kind < 11:
            name = self.fresh("t")
            text = self.pick([f"{vector}[1:4]", f"{vector}[::2]", f"{vector}[::-1][:3]", f"middle({vector})",
                              f"{vector}.reshape(1, 5)[0, 2:]", self.short(s), f"{vector}[[0, 2, 4]]"])  # fmt: skip
            self.emit(depth, f"{name} = {text}")
            self.know(s.shorts, name)
        elif kind < 14:
            self.emit(
                depth,
                f"{self.element(s)} {self.pick(['=', '=', '+=', '*=', '-='])} {self.bounded(self.number(s, 1), True)}",
            )
        elif kind < 17:
            target = self.pick([f"{vector}[1:4]", f"{vector}[::2]", f"{vector}[2:]", *s.shorts, *s.shorts])
            op = self.pick(["+=", "*=", "-="] if target in s.shorts else ["=", "=", "+=", "*="])
            self.emit(depth, f"{target} {op} {self.bounded_vector(self.short(s), True)}")
        elif kind < 19:
            target = self.pick([f"{vector}[:]", f"{vector}[...]", vector])
            op = self.pick(["+=", "*=", "-="]) if target == vector else self.pick(["=", "+=", "*="])
            self.emit(depth, f"{target} {op} {self.bounded_vector(self.vector(s, 1), True)}")
        elif kind < 20:
            self.emit(
                depth,
                f"{vector}[{self.pick(s.vectors)} > {self.constant()}] {self.pick(['=', '*=', '+='])} "
                f"{self.number(s, 0)}",
            )
        elif kind < 21:
            self.emit(depth, f"{vector}[[0, 3, 3]] {self.pick(['=', '+='])} {self.short(s)}")
        elif kind < 22:
            self.emit(depth, f"np.add.at({vector}, [1, 1, 4], {self.short(s)})")
        elif kind < 25:
            self.emit(depth, f"if {self.condition(s)}:")
            self.nested(s, depth + 1, loop)
            if self.chance(50):
                self.emit(depth, "else:")
                self.nested(s, depth + 1, loop)
        elif kind < 28 and depth < 4:
            index = self.fresh("i")
            over = self.pick(
                ["range(3)", "range(n)", "reversed(range(3))", "range(1, 3)", "range(2, -1, -1)", "range(0)"]
            )
            self.emit(depth, f"for {index} in {over}:")
            self.nested(s, depth + 1, True, [index])
        elif kind < 30 and depth < 4:
            element = self.fresh("e")
            over, extra = self.pick(s.vectors), []
            if self.chance(30):
                index = self.fresh("i")
                self.emit(depth, f"for {index}, {element} in enumerate({over}[:3]):")
                extra = [index]
            elif self.chance(30):
                other = self.fresh("e")
                self.emit(depth, f"for {element}, {other} in zip({over}, {self.short(s, 0)}):")
            else:
                self.emit(depth, f"for {element} in {over}:")
            inner = s.copy()
            inner.numbers.append(element)
            self.nested(inner, depth + 1, True, extra)
        elif kind < 31 and depth < 3:
            counter = self.fresh("k")
            self.emit(depth, f"{counter} = 0")
            self.emit(depth, f"while {counter} < 3 and ({self.condition(s)}):")
            self.nested(s, depth + 1, True, [counter])
            # `continue` in the body must not skip the count: the body may only use it behind the count
            self.emit(depth + 1, f"{counter} += 1")
        elif kind < 33 and loop and not self.in_while(depth):
            self.emit(depth, f"if {self.condition(s)}:")
            self.emit(depth + 1, self.pick(["break", "continue"]))
        elif kind < 34:
            self.emit(depth, f"if {self.condition(s)}:")
            self.emit(depth + 1, f"return {self.number(s, 1)}")
        elif kind < 35:
            name = self.fresh("l")
            self.emit(depth, f"{name} = [{self.number(s, 0)}, {self.number(s, 1)}]")
            self.know(s.lists, name)
        elif kind < 36 and s.lists:
            name = self.pick(s.lists)
            self.emit(depth, self.pick([f"{name}.append({self.number(s, 1)})", f"{name}[0] = {self.number(s, 0)}",
                                        f"{name}[-1] *= 2.0" if self.plain else f"{name} = [0.5 * q for q in {name}]",
                                        ]))  # fmt: skip
        elif kind < 37:
            name = self.fresh("d")
            self.emit(depth, f'{name} = {{"a": {self.number(s, 1)}, "u": {vector}}}')
            self.know(s.dicts, name)
        elif kind < 38 and s.dicts:
            name = self.pick(s.dicts)
            stores = [
                f'["a"] = {self.number(s, 1)}',
                f'["u"][1:4] *= {self.number(s, 0)}',
                f'["u"] = {self.vector(s, 1)}',
                f'["u"][0] = {number}',
            ]
            self.emit(depth, name + self.pick(stores))
        elif kind < 39:
            a, b = self.fresh("s"), self.fresh("s")
            self.emit(
                depth,
                f"{a}, {b} = {self.pick([f'pair({self.number(s, 1)}, {number})', f'{number}, {self.number(s, 1)}'])}",
            )
            self.know(s.numbers, a)
            self.know(s.numbers, b)
        elif kind < 40 and len(s.vectors) > 1:
            other = self.pick(s.vectors)
            if other != vector:
                self.emit(depth, f"{vector}, {other} = {other}, {vector}")
        elif kind < 41:
            name = self.fresh("m")
            self.emit(depth, f"{name} = np.outer({vector}, {self.pick(s.vectors)}) + {self.constant()}")
            self.know(s.matrices, name)
        elif kind < 42 and s.matrices:
            name = self.pick(s.matrices)
            self.emit(depth, self.pick([f"{name}[1] = {self.vector(s, 1)}", f"{name}[:, 2] *= {self.number(s, 0)}",
                                        f"{name}.T[0] += {vector}", f"{name}[1:4, 0] = {self.short(s)}"]))  # fmt: skip
        elif kind < 43:
            call = self.pick([f"relax({vector}, {self.constant()})", f"scale({vector}[1:], 0.5 + {number} ** 2 * 0.1)",
                              f"blend({vector}[:3], {self.short(s, 0)})", f"scale(same({vector}), {self.constant()})",
                              f"blend({vector}, {self.pick(s.vectors)})"])  # fmt: skip
            self.emit(depth, call)
        elif s.cells and self.chance(60):
            self.emit(depth, f"{number} = {self.pick(s.cells)}.push({self.number(s, 0)})")
        elif not self.plain:
            name = self.fresh("c")
            self.emit(depth, f"{name} = Cell({self.number(s, 0)}, {self.pick([vector, vector + '.copy()'])})")
            self.know(s.cells, name)

    def in_while(self, depth: int) -> bool:
        """Is the innermost loop around a line at this depth a `while`?"""
        level = depth
        for line in reversed(self.lines):
            indent = (len(line) - len(line.lstrip())) // 4
            if indent < level:
                level = indent
                head = line.strip().split()[0]
                if head in ("for", "while"):
                    return head == "while"
        return False

    def bounded(self, text: str, loop: bool) -> str:
        return f"math.tanh({text})" if loop and self.chance(60) else text

    def bounded_vector(self, text: str, loop: bool) -> str:
        return f"np.tanh({text})" if loop and self.chance(60) else text

    @staticmethod
    def know(names: list[str], name: str) -> None:
        if name not in names:
            names.append(name)

    def program(self) -> str:
        s = Scope(["x", "y"], ["v", "w"], [], [], [], [], [], [])
        self.lines = []
        self.block(s, 1, 100, False)
        parts = [*s.numbers[-4:], *(f"np.sum({u} * {u})" for u in s.vectors[-4:]), *(f"{t}[0]" for t in s.shorts[-2:]),
                 *(f"np.sum({m}[1:])" for m in s.matrices[-2:]), *(f"sum({name})" for name in s.lists[-2:]),
                 *(f'{d}["a"] * {d}["u"][2]' for d in s.dicts[-2:]),
                 *(f"{c}.energy" for c in s.cells[-2:])]  # fmt: skip
        self.emit(1, "return " + " + ".join(parts))
        return HELPERS + "\n\ndef f(x, y, v, w, n):\n" + "\n".join(self.lines) + "\n"


def make(choose: Choose, size: int = 14, plain: bool = False) -> str:
    """The text of a random program.

    Args:
        choose: choose(k) is an int from 0 to k - 1.
        size: about how many statements.
        plain: without comprehensions, generator expressions and classes.
    """
    return Generator(choose, budget=size, plain=plain).program()


def load(text: str, file: Path) -> Any:
    """The function f of a program, with its source in a file, where tracebacks and compilers look for it."""
    file.write_text(text)
    module = types.ModuleType(file.stem)
    module.__file__ = str(file)
    exec(compile(text, str(file), "exec"), module.__dict__)
    return module.f


def arguments(seed: int = 0) -> tuple[Any, ...]:
    rng = np.random.default_rng(seed)
    return (0.6 + 0.1 * rng.random(), -0.8 + 0.1 * rng.random(), rng.normal(size=5), rng.normal(size=5), 2)


def wide_arguments(seed: int, k: int) -> tuple[Any, ...]:
    """Arguments of f that take other branches, and other numbers of turns."""
    rng = np.random.default_rng([seed, k])
    return (*rng.normal(size=2).tolist(), rng.normal(size=5), rng.normal(size=5), int(rng.integers(1, 4)))
