"""Random programs: the constructs of the language composed, with arguments to differentiate them at.

A program is the text of a module with a function `f(x, y, v, w, n)` (two floats, two vectors of length 5, an int) and
its helpers. Every choice is one call of `choose`, so that hypothesis and a plain random generator can both drive it.
About half of a program's statements are of all sorts; the others keep to two or three themes (index arrays, views,
lists that grow ...), so that what belongs together meets within a few lines.

    >>> import random
    >>> text = make(random.Random(1).randrange)
    >>> "def f(x, y, v, w, n):" in text
    True
"""

from __future__ import annotations

import itertools
import types
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

Choose = Callable[[int], int]

HELPERS = """
import copy
import functools
import heapq
import itertools
import math
from collections import Counter, defaultdict, deque
from typing import NamedTuple

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


def zip_first(u, v):
    return [p * q for p, q in zip(u, v)]


def middle(u):
    return u[1:4]


def blend(target, source):
    target += 0.5 * source * source


def first_above(u, c):
    for k in range(len(u)):
        if u[k] > c:
            return u[k] * k
    return c


def above(u, c):
    if u[0] > c:
        return u * c
    return None


def first_over(u, c):
    for e in u:
        if e > c:
            return e * c
    return None


def powers(a, k):
    if k == 0:
        return 1.0
    return a * powers(a, k - 1)


def advance(j):
    j[:] = (j + 1) % 5


def gather(u, j):
    t = u[j]
    j[0] = 3
    return t


def bump(u, j, c):
    u[j] += c


def stir(u, j, c):
    u[j] = math.tanh(u[j] + 0.5 * c)
    return u[j] + 0.25


def ends(u):
    return u[:2], u[2:]


def flipped(u):
    return u[::-1]


def turned(m):
    return m.T


def store(u, c, out=None):
    if out is None:
        out = np.zeros_like(u)
    out[...] = c * u + out
    return out


def keep(bag, u):
    bag.append(u)
    return len(bag)


def total(bag):
    result = None
    for u in bag:
        result = u if result is None else result + u
    return result


def checked(a, c):
    if a > c:
        raise ValueError("too large")
    return a * c


def careful(a, u):
    try:
        b = checked(a, 0.5) + u[1]
        b = b + checked(u[2], 0.25)
    except ValueError:
        u[0] *= 0.5
        return u[0]
    u[1] = b
    return b


def search(u, c):
    for k in range(len(u)):
        for e in u[:k]:
            if e * u[k] > c:
                break
        else:
            continue
        return e + u[k]
    else:
        c = c * u[0]
    return c


def mix(a, b=0.7, *more, scale=1.0):
    total = a * b
    for m in more:
        total = total + 0.1 * m
    return total * scale


def touch(u, c):
    u[0] = u[0] * c + 0.1
    return u[1] * c


def spend(u, c):
    u[1] = math.tanh(u[0]) + c
    return [u[0] * c, u[1], 0.5]


def turn(u):
    q = u.pop()
    if q > 0.3:
        u.append(0.5 * q)
    else:
        u.append(q)
    return q


class Pot:
    def __init__(self, a, b):
        self.a, self.b = a, b

    @property
    def total(self):
        return self.a - self.b

    def touch(self, c):
        self.a = self.a * c + 0.1
        self.b += 0.3 * self.a
        return self.b * c

    def spend(self, c):
        self.b = math.tanh(self.a) + c
        return self.a * c, self.b, 0.5


class Track:
    def __init__(self, *items):
        self.items = list(items)

    @classmethod
    def of(cls, u):
        return cls(*u[:3])

    def __len__(self):
        return len(self.items)

    def __getitem__(self, k):
        return self.items[k]

    def __setitem__(self, k, value):
        self.items[k] = value * 0.5

    def __iter__(self):
        return iter(self.items)

    def __bool__(self):
        return bool(self.items[0] > 0.2)

    def __iadd__(self, other):
        self.items = [p + q for p, q in zip(self.items, other)]
        return self

    def __add__(self, other):
        return Track(*(p * q for p, q in zip(self, other)))

    @property
    def top(self):
        return self.items[-1] * self.items[0]

    @top.setter
    def top(self, value):
        self.items[-1] = value + self.items[0]

    def __enter__(self):
        self.saved = list(self.items)
        return self

    def __exit__(self, *error):
        self.items[0] = self.saved[0] * self.items[1]
        return False


class Slope(Track):
    def __getitem__(self, k):
        return super().__getitem__(k) * 2.0

    @property
    def top(self):
        return super().top + self.items[1]

    @top.setter
    def top(self, value):
        self[0] = value


def rising(c, n):
    for k in range(n):
        if c > 2.5:
            return
        yield c * (k + 1)
        c = c * 1.5


def first_and_sum(it):
    return next(it) * 0.5 + sum(it)


def count(it):
    return len([q for q in it])


def steps(it):
    before = None
    for q in it:
        if before is not None:
            apart = q - before
            before = before + 0.5 * apart
        else:
            before = q
    return before


def noting(u, c):
    u[0] = u[0] * c

    def around(g):
        def run(*args):
            return g(*args) * c + u[0]

        return run

    return around


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


class Move(NamedTuple):
    along: float
    up: float

    def __add__(self, other):
        return Move(self.along + other.along, self.up + other.up)

    def __sub__(self, other):
        return Move(self.along - other.along, self.up - other.up)

    def __mul__(self, c):
        return Move(self.along * c, self.up * c)

    __rmul__ = __mul__

    def __neg__(self):
        return Move(-self.along, -self.up)

    def __matmul__(self, other):
        return self.along * other.along + self.up * other.up

    def __lt__(self, other):
        return self.along < other.along

    @property
    def far(self):
        return math.hypot(self.along, self.up + 2.0)


class Book:
    def __init__(self, first=1):
        self.seen = [first]
        self.by = {}
        self.turn = 0

    def note(self, k):
        self.turn += 1
        self.seen.append(k)
        self.by[k % 2] = self.by.get(k % 2, 0) + 1
        return len(self.seen)

    def often(self, k):
        return self.seen.count(k)

    @property
    def last(self):
        return self.seen[-1]


class Rate:
    def __init__(self, c):
        self.__c = c

    def __add__(self, other):
        return Rate(self.value() + other.value()) if isinstance(other, Rate) else Rate(self.value() + other)

    def __call__(self, a):
        return self.__c * a

    def value(self):
        return self.__c


class Steep(Rate):
    def __init__(self, c, bend):
        super().__init__(c)
        self.__c = bend

    def __radd__(self, other):
        return Steep(other.value() * 0.5, self.__c)

    def __call__(self, a):
        return super().__call__(a) + self.__c * a * a


class Grid:
    def __init__(self, now):
        self.now = now
        self.after = np.zeros_like(now)
        self.past = []

    def step(self, c):
        self.after[1:-1] = self.now[1:-1] + c * (self.now[2:] - self.now[:-2])
        self.after[0] = c
        self.now, self.after = self.after, self.now
        return self.now

    def save(self):
        self.past.append(self.now)


class Settings:
    def __init__(self):
        self.rate, self.count, self.mode = 0.5, 2, "plain"
        self.levels, self.table = [0.5, 2.0, 1.0], {"a": 0.3, "b": 2}

    def factor(self, a):
        return self.rate * a if self.mode == "plain" else a * a * self.levels[0]


RATE, COUNT, MODE = 0.5, 2, "plain"
LEVELS, TABLE, CHOSEN, SETTINGS = [0.5, 2.0, 1.0], {"a": 0.3, "b": 2}, {1, 2}, Settings()


def set_state(k):
    global RATE, COUNT, MODE
    RATE, COUNT, MODE = (0.5, 0.7, -0.4)[k % 3], (2, 1, 3)[k % 3], ("plain", "bent", "plain")[k % 3]
    for levels in (LEVELS, SETTINGS.levels):
        levels[:] = ([0.5, 2.0, 1.0], [1.5, 0.25], [3, 0.5, 2.0, 0.75])[k % 3]
    for table in (TABLE, SETTINGS.table):
        table.clear()
        table.update(({"a": 0.3, "b": 2}, {"b": 1, "a": 1.1}, {"a": 0.3, "b": 3, "c": 0.2})[k % 3])
    CHOSEN.clear()
    CHOSEN.update(((1, 2), (2,), (1, 3))[k % 3])
    SETTINGS.rate, SETTINGS.count, SETTINGS.mode = RATE + 0.2, COUNT, ("plain", "plain", "bent")[k % 3]
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
    picks: list[str] = field(default_factory=list)  # three indices of a vector, in an array
    choices: list[str] = field(default_factory=list)  # the same in a list
    masks: list[str] = field(default_factory=list)  # of a vector
    loose: list[str] = field(default_factory=list)  # vectors of some length
    fixed: list[str] = field(default_factory=list)  # vectors that cannot be written
    ones: list[str] = field(default_factory=list)  # arrays of length 1
    longs: list[str] = field(default_factory=list)  # length 25
    bags: list[str] = field(default_factory=list)  # lists of vectors, never empty
    tables: list[str] = field(default_factory=list)  # lists of lists of two floats, never empty
    grids: list[str] = field(default_factory=list)
    pairs: list[str] = field(default_factory=list)  # lists of (float, (vector, float)), never empty

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
    #: what the program is about
    themes: list[str] = field(default_factory=list)
    #: functions of the program's own, of (x, y, v, w, n) like the program itself, and their text
    parts: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)

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
        if depth > 0 and self.parts and self.chance(6):
            return self.part(s)
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

    def part(self, s: Scope) -> str:
        """A call of a function of the program's own."""
        numbers = [self.pick(s.numbers), self.element(s)]
        vectors = [self.pick(s.vectors), self.pick([*s.vectors, f"0.5 * {self.pick(s.vectors)}"])]
        return f"math.tanh({self.pick(self.parts)}({', '.join(numbers + vectors)}, {self.pick(['n', '1', '2'])}))"

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
            return self.pick(s.vectors + s.fixed)
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
        if self.chance(50):
            getattr(self, "about_" + self.pick(self.themes))(s, depth, loop)
        else:
            self.of_all_sorts(s, depth, loop)

    def of_all_sorts(self, s: Scope, depth: int, loop: bool) -> None:
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

    # -- themes

    def about_indices(self, s: Scope, depth: int, loop: bool) -> None:
        """Index arrays and index lists, overwritten after something was selected with them."""
        u = self.pick(s.vectors)
        kind = self.choose(12)
        if kind < 2 or not (s.picks or s.choices):
            name = self.fresh("j")
            if self.chance(25):
                self.emit(depth, f"{name} = {self.pick(['[0, 3, 3]', '[2, 0, 1]', '[4, n, 0]'])}")
                self.know(s.choices, name)
                return
            forms = ["np.array([0, 2, 4])", "np.array([1, 1, 3])", f"np.argsort({u})[:3]", "np.arange(3)",
                     "np.array([n, 0, n])", *s.picks, *(f"{j}[::-1]" for j in s.picks),
                     *(f"{j}.copy()" for j in s.picks)]  # fmt: skip
            self.emit(depth, f"{name} = {self.pick(forms)}")
            self.know(s.picks, name)
            return
        j = self.pick(s.picks + s.choices)
        if kind < 5:
            forms = [f"{j}[{self.choose(3)}] = {self.pick([*s.indices, '0', '3', '4'])}",
                     f"{j}[0], {j}[2] = {j}[2], {j}[1]", f"{j}.sort()"]  # fmt: skip
            if j in s.picks:
                forms += [f"{j}[:] = ({j} + 1) % 5", f"{j}[...] = 4 - {j}", f"advance({j})", f"{j}[1:] = {j}[:-1]",
                          f"np.copyto({j}, {self.pick(s.picks)})", f"{j} *= 0", f"{j}.fill(2)"]  # fmt: skip
            else:
                forms += [f"{j}.reverse()", f"{j}.append({j}.pop(0))", f"{j}[1:] = [1, 4]"]
            self.emit(depth, self.pick(forms))
        elif kind < 8:
            name = self.fresh("t")
            forms = [f"{u}[{j}]", f"{u}[{j}]", f"np.take({u}, {j})", f"{u}[{j}] * {self.number(s, 0)}"]
            forms += [f"gather({u}, {j})"] if j in s.picks else []
            forms += [f"{m}[{j}, {self.index(s)}]" for m in s.matrices]
            forms += [f"{m}[{j}, {i}]" for m in s.matrices[-1:] for i in s.picks]
            self.emit(depth, f"{name} = {self.pick(forms)}")
            self.know(s.shorts, name)
        elif kind < 11:
            e = self.bounded_vector(self.short(s), True)
            forms = [f"{u}[{j}] = {e}", f"{u}[{j}] += {e}", f"{u}[{j}] *= {self.number(s, 0)}",
                     f"np.add.at({u}, {j}, {e})", f"np.subtract.at({u}, {j}, {e})", f"bump({u}, {j}, {e})",
                     f"np.put({u}, {j}, {e})"]  # fmt: skip
            forms += [f"{m}[{j}, {i}] += {e}" for m in s.matrices[-1:] for i in s.picks + s.indices]
            forms += [f"{m}[{j}] *= {self.number(s, 0)}" for m in s.matrices[-1:]]
            self.emit(depth, self.pick(forms))
        else:
            number = self.pick(s.numbers)
            index = self.fresh("i")
            self.emit(depth, f"for {index} in {j}:")
            self.emit(depth + 1, f"{number} = math.tanh({number} * {u}[{index}])")
            if self.chance(40):
                self.emit(depth + 1, f"{u}[{index}] *= {number}")

    def about_masks(self, s: Scope, depth: int, loop: bool) -> None:
        """Masks with a name, overwritten after something was selected with them."""
        u, other, c = self.pick(s.vectors), self.pick(s.vectors), self.constant()
        kind = self.choose(12)
        if kind < 2 or not s.masks:
            name = self.fresh("k")
            forms = [f"{u} > {c}", f"np.abs({u}) < 1.0", f"({u} > {c}) & ({other} < 1.5)", "np.zeros(5, dtype=bool)",
                     "np.array([True, False, True, True, False])", *(f"~{k}" for k in s.masks), *s.masks,
                     *(f"{k}[::-1]" for k in s.masks)]  # fmt: skip
            self.emit(depth, f"{name} = {self.pick(forms)}")
            self.know(s.masks, name)
            return
        k = self.pick(s.masks)
        if kind < 5:
            forms = [f"{k}[{self.index(s)}] = {self.pick(['True', 'False', f'not {k}[1]', self.condition(s)])}",
                     f"{k}[1:4] = False", f"{k} &= {u} > {c}", f"{k} |= {u} > {c}", f"{k} ^= {self.pick(s.masks)}",
                     f"{k}[:] = ~{k}", f"np.logical_not({k}, out={k})", f"{k}[...] = {u} < {c}"]  # fmt: skip
            self.emit(depth, self.pick(forms))
        elif kind < 7:
            name = self.fresh("g")
            self.emit(depth, f"{name} = {u}[{self.pick([k, k, '~' + k])}]{self.pick(['', '', ' * 2.0'])}")
            self.know(s.loose, name)
        elif kind < 8:
            number = self.pick(s.numbers)
            g = self.pick([*s.loose, f"{u}[{k}]"])
            self.emit(depth, self.pick([f"{number} = np.sum({g}) * 0.5", f"{number} += ({g} @ {g}) * 0.1",
                                        f"{number} = np.sum({u}, where={k})", f"{number} = {u}[{k}].sum() * {number}",
                                        ]))  # fmt: skip
        elif kind < 9 and s.loose:
            g = self.pick(s.loose)
            self.emit(depth, self.pick([f"{g} *= {self.number(s, 0)}", f"{g}[:1] = {self.number(s, 0)}",
                                        f"{g} = np.sin({g})", f"{g}[{g} > {c}] = {self.number(s, 0)}"]))  # fmt: skip
        elif kind < 10:
            name = self.fresh("u")
            self.emit(depth, f"{name} = np.where({k}, {u}, {self.pick([other, self.number(s, 0)])})")
            self.know(s.vectors, name)
        else:
            number = self.number(s, 0)
            forms = [f"{u}[{k}] = {number}", f"{u}[{k}] *= {number}", f"{u}[{k}] += {other}[{k}]",
                     f"{u}[{k}] = np.sin({other}[{k}])", f"np.copyto({u}, {other}, where={k})",
                     f"{u}[~{k}] -= {number}", f"np.multiply({u}, {other}, out={u}, where={k})",
                     *(f"{m}[{k}] *= {number}" for m in s.matrices), *(f"{m}[:, {k}] = {number}" for m in s.matrices),
                     f"np.putmask({u}, {k}, {other})"]  # fmt: skip
            self.emit(depth, self.pick(forms))

    def about_views(self, s: Scope, depth: int, loop: bool) -> None:
        """Second names of memory, stores through them and into what they are views of."""
        u = self.pick(s.vectors)
        kind = self.choose(10)
        if not s.matrices and self.chance(30):
            self.about_layouts(s, depth, loop)
        elif kind < 3:
            name = self.fresh("u")
            forms = [f"{u}[:]", f"{u}[::-1]", f"{u}.reshape(1, 5)[0]", f"np.asarray({u})", f"{u}.ravel()",
                     f"flipped({u})", f"np.flip({u})", f"{u}[None, :].squeeze()", f"{u}.T",
                     f"np.atleast_1d({u})", f"np.ascontiguousarray({u})", f"{u}.astype(float, copy=False)"]  # fmt: skip
            for m in s.matrices[-2:]:
                forms += [f"{m}[{self.index(s)}]", f"{m}[:, {self.index(s)}]", f"{m}.T[{self.index(s)}]",
                          f"np.einsum('ii->i', {m})", f"turned({m})[{self.index(s)}]"]  # fmt: skip
            forms += [f"{q}[{self.pick(['::5', '3:8', '20:', '::6'])}]" for q in s.longs]
            self.emit(depth, f"{name} = {self.pick(forms)}")
            self.know(s.vectors, name)
        elif kind < 4:
            name = self.fresh("t")
            if self.chance(40):
                left, right, call = self.pick(
                    [("_", name, f"np.split({u}, [2])"), (name, "_", f"np.split({u}, [3])"), ("_", name, f"ends({u})")]
                )
                self.emit(depth, f"{left}, {right} = {call}")
            else:
                forms = [f"{u}[1:4]", f"{u}[::2]", f"middle({u})", f"np.split({u}, [3])[0]", f"ends({u})[1]",
                         f"{u}[::-1][1:4]", *(f"{m}[1:4, {self.index(s)}]" for m in s.matrices),
                         *(f"{m}[{self.index(s)}, ::2]" for m in s.matrices)]  # fmt: skip
                self.emit(depth, f"{name} = {self.pick(forms)}")
            self.know(s.shorts, name)
        elif kind < 5 and s.matrices:
            m = self.pick(s.matrices)
            name = self.fresh("m")
            forms = [f"{m}.T", f"{m}[::-1]", f"{m}[:]", f"np.transpose({m})", f"turned({m})", f"{m}.swapaxes(0, 1)",
                     *(f"{q}.reshape(5, 5)" for q in s.longs)]  # fmt: skip
            self.emit(depth, f"{name} = {self.pick(forms)}")
            self.know(s.matrices, name)
        elif kind < 6 and s.matrices:
            m = self.pick(s.matrices)
            if self.chance(30):
                name = self.fresh("p")
                self.emit(depth, f"{name} = {self.pick([f'{m}.diagonal()', f'np.diag({m})', f'np.diagonal({m})'])}")
                self.know(s.fixed, name)
                return
            name = self.fresh("q")
            forms = [f"{m}.ravel()", f"{m}.reshape(-1)", f"{m}.T.ravel()", f"{m}.ravel(order='F')",
                     f"{m}.reshape(25, order='F')", f"{m}.flatten()", f"np.ravel({m})", f"turned({m}).reshape(25)",
                     ]  # fmt: skip
            self.emit(depth, f"{name} = {self.pick(forms)}")
            self.know(s.longs, name)
        else:
            op = self.pick(["=", "+=", "*=", "-="])
            number = self.bounded(self.number(s, 1), True)
            vector = self.bounded_vector(self.vector(s), True)
            forms = [f"{u}[{self.index(s)}] {op} {number}", f"{u}[...] {op} {vector}",
                     f"{u}[1:] {op} {self.pick(s.vectors)}[:-1]", f"{u}[::-1] {op} {self.pick(s.vectors)}",
                     f"{u}.flat[{self.index(s)}] = {number}"]  # fmt: skip
            forms += [f"{q}[{self.pick(['7', '::5', '3:8'])}] {op} {number}" for q in s.longs]
            forms += [f"{m}[{self.pick([self.index(s), ':, 1', '1:4, ::2'])}] {op} {number}" for m in s.matrices[-2:]]
            forms += [f"{t}[{self.index(s, 3)}] {op} {number}" for t in s.shorts[-2:]]
            self.emit(depth, self.pick(forms))

    def about_layouts(self, s: Scope, depth: int, loop: bool) -> None:
        """Matrices in both layouts, and what is computed along their axes."""
        u, other = self.pick(s.vectors), self.pick(s.vectors)
        kind = self.choose(8)
        if kind < 3 or not s.matrices:
            name = self.fresh("m")
            forms = [f"np.asfortranarray(np.outer({u}, {other}))", f"np.outer({u}, {other}) * 0.5",
                     f"np.zeros((5, 5), order={self.pick(['C', 'F'])!r})", f"np.tile({u}, (5, 1))",
                     f"np.stack([{u}, {other}, {u}, {other}, {u}], axis={self.choose(2)})",
                     f"np.array([{u}, {other}, {u}, {other}, {self.vector(s, 1)}])",
                     f"{u}[:, None] * {other}"]  # fmt: skip
            for m in s.matrices:
                forms += [f"np.array({m}, order='F')", f"{m}.copy(order={self.pick(['C', 'K', 'F'])!r})",
                          f"{m}.T.copy()", f"np.asfortranarray({m})", f"np.ascontiguousarray({m})",
                          f"np.zeros_like({m}) + {u}", f"np.tanh({m} @ {m}.T)", f"np.tanh({m}) + {m}.T"]  # fmt: skip
            self.emit(depth, f"{name} = {self.pick(forms)}")
            self.know(s.matrices, name)
            return
        m = self.pick(s.matrices)
        if kind < 4:
            name = self.fresh("u")
            forms = [f"{m}.ravel()[:5]", f"{m}.reshape(-1)[::5]", f"{m}.ravel(order='F')[3:8]", f"{m}.sum(axis=0)",
                     f"{m}.mean(axis=1)", f"{m}.T.reshape(25)[:5]", f"np.tanh({m}).T[0]", f"np.max({m}, axis=0)",
                     ]  # fmt: skip
            self.emit(depth, f"{name} = {self.pick(forms)}")
            self.know(s.vectors, name)
        else:
            number = self.bounded(self.number(s, 1), True)
            forms = [f"{m} *= {number}", f"{m} += {u}", f"{m} -= {u}[:, None]", f"{m}[:, {self.index(s)}] = {u}",
                     f"{m}.T[{self.index(s)}] += {u}", f"{m}[1:] *= {m}[:-1]", f"{m} += 0.5 * {m}.T",
                     f"{m}[...] = np.tanh({m} * {number})", f"np.fill_diagonal({m}, {number})", f"{m}[:] = {u}",
                     f"{m}[::2, 1:4] *= {number}", f"{m} /= 2.0 + np.sum({m} ** 2, axis=1, keepdims=True)",
                     f"{m}.ravel()[{self.choose(25)}] = {number}", f"{m}.reshape(-1)[::6] += {u}",
                     f"{m}.sort(axis={self.choose(2)})", f"{m} = {m}.T", f"{m} = np.asfortranarray({m})"]  # fmt: skip
            self.emit(depth, self.pick(forms))

    def about_overwriting(self, s: Scope, depth: int, loop: bool) -> None:
        """Operators in place, `out=`, `copyto`, `sort`, and callees that write into their argument."""
        u, a, b = (self.pick(s.vectors) for _ in range(3))
        number = self.bounded(self.number(s, 1), True)
        kind = self.choose(17)
        if kind > 13:
            # what a part of an expression overwrites, and others read
            name, element, stirred = self.pick(s.numbers), self.element(s), f"stir({u}, {self.index(s)}, {number})"
            i, other = self.index(s), f"{u}[{self.index(s)}]"
            forms = [f"{name} = {other} * {stirred} + {other}", f"{u}[{i}] += {stirred}",
                     f"{name} += {stirred} * {element}", f"{u}[{i}] *= {stirred}",
                     f"{name} = smooth({other}, {stirred})", f"{u}[{i}] = {other} - {stirred}",
                     f"{name}, {u}[{i}] = {other}, {stirred}", f"{name} = sum([{other}, {stirred}, {other}])",
                     f"{name} = {other} if {stirred} > 0.3 else {element}",
                     f"{name} = np.sum({u}) * {stirred} + norm({u})"]  # fmt: skip
            self.emit(depth, self.pick(forms))
        elif kind < 2:
            name = self.fresh("u")
            text = self.pick([f"np.empty_like({a})", "np.zeros(5)", f"{a} * 1.0", "np.empty(5)"])
            self.emit(depth, f"{name} = {text}")
            if "empty" in text:
                fill = [f"{name}[...] = {self.vector(s, 1)}", f"np.multiply({a}, {b}, out={name})",
                        f"{name}.fill({number})", f"np.copyto({name}, {b})"]  # fmt: skip
                self.emit(depth, self.pick(fill))
            self.know(s.vectors, name)
        elif kind < 5:
            forms = [f"np.multiply({a}, {b}, out={u})", f"np.add({a}, {number}, out={u})", f"np.sin({a}, out={u})",
                     f"np.tanh({a}, {u})", f"np.cumsum({a}, out={u})", f"np.maximum({a}, {b}, out={u})",
                     f"np.clip({a}, -1.0, 1.0, out={u})", f"np.subtract({a}[1:], {b}[:-1], out={u}[:-1])"]  # fmt: skip
            self.emit(depth, self.pick(forms))
        elif kind < 7:
            forms = [f"np.copyto({u}, {a})", f"np.copyto({u}, {number})", f"{u}.fill({number})", f"{u}.sort()",
                     f"{u}[1:4].sort()", f"{u}[::-1].sort()", f"np.copyto({u}[1:], {a}[:-1])",
                     f"{u}[:] = {u}[::-1]"]  # fmt: skip
            self.emit(depth, self.pick(forms))
        elif kind < 9:
            forms = [f"{u} /= 2.0 + {a} ** 2", f"{u} **= 2", f"{u} -= {a}", f"{u} += {a} * {b}", f"{u} *= {u}",
                     f"{u}[1:] += {u}[:-1]", f"{u}[0] /= 1.5", f"{u}[2:] -= {a}[:3] * {number}"]  # fmt: skip
            self.emit(depth, self.pick(forms))
        elif kind < 11:
            name = self.fresh("u")
            forms = [f"store({a}, {number}, {u})", f"store({a}, {number})", f"store({a}, {number}, out={a})",
                     f"scale({a}, {number})", f"same(scale({a}, 0.5))"]  # fmt: skip
            self.emit(depth, f"{name} = {self.pick(forms)}")
            self.know(s.vectors, name)
        elif kind < 12:
            self.emit(depth, f"{self.pick(s.numbers)} = careful({self.number(s, 0)}, {u})")
        else:
            # two buffers that change places
            now, after = self.fresh("u"), self.fresh("u")
            self.emit(depth, f"{now}, {after} = {self.pick([a, f'{a}.copy()', f'np.tanh({a})'])}, np.zeros(5)")
            self.emit(depth, f"for _ in range({self.pick(['n', '3'])}):")
            self.emit(depth + 1, f"{after}[1:-1] = {now}[1:-1] + 0.25 * ({now}[2:] - 2.0 * {now}[1:-1] + {now}[:-2])")
            if self.chance(60):
                ends = [f"{after}[0], {after}[-1] = {now}[0], {now}[-1]", f"{after}[0] = {number}",
                        f"{after} *= np.tanh({now})", f"{after}[::4] = {self.pick(s.vectors)}[1:3]"]  # fmt: skip
                self.emit(depth + 1, self.pick(ends))
            self.emit(depth + 1, f"{now}, {after} = {after}, {now}")
            self.know(s.vectors, now)
            if self.chance(50):
                self.know(s.vectors, after)

    def about_bags(self, s: Scope, depth: int, loop: bool) -> None:
        """Lists of arrays: they grow, and the arrays in them are overwritten."""
        u = self.pick(s.vectors)
        vector = self.bounded_vector(self.vector(s, 1), loop)
        kind = self.choose(12)
        if kind < 2 or not s.bags:
            name = self.fresh("b")
            forms = [f"[{u}]", f"[{u}, {vector}]", f"[{u}.copy(), {self.pick(s.vectors)}]", f"[{vector}, {u}, {u}]",
                     *(f"{b}[:]" for b in s.bags), *(f"{b} + [{u}]" for b in s.bags), *s.bags,
                     *(f"list({b})" for b in s.bags)]  # fmt: skip
            forms += [] if self.plain else ["[np.zeros(5) for _ in range(2)]", f"[{u} * k for k in range(1, 3)]"]
            self.emit(depth, f"{name} = {self.pick(forms)}")
            self.know(s.bags, name)
            return
        bag = self.pick(s.bags)
        at = self.pick(["0", "-1"])
        if kind < 5:
            forms = [f"{bag}.append({vector})", f"{bag}.append({u})", f"{bag}.insert(0, {vector})",
                     f"keep({bag}, {u})", f"{bag} = {bag} + [{vector}]", f"{bag} += [{u}]", f"{bag}.reverse()",
                     f"{bag}.extend([{u}, {vector}])", f"{bag}[{at}] = {vector}", f"{bag} = {bag}[-1:]",
                     f"{bag}[0], {bag}[-1] = {bag}[-1], {bag}[0]"]  # fmt: skip
            self.emit(depth, self.pick(forms))
        elif kind < 6:
            if self.chance(50):
                name = self.fresh("u")
                self.emit(depth, f"{bag}.append({vector})")
                self.emit(depth, f"{name} = {bag}.pop({self.pick(['', '', '0'])})")
                self.know(s.vectors, name)
            else:
                self.emit(depth, f"if len({bag}) > 1:")
                self.emit(depth + 1, self.pick([f"{bag}.pop()", f"{bag}.pop(0)", f"del {bag}[0]"]))
        elif kind < 9:
            number = self.number(s, 0)
            forms = [f"{bag}[{at}] += {u}", f"{bag}[{at}][1:4] *= {number}", f"{bag}[{at}][{self.index(s)}] = {number}",
                     f"scale({bag}[{at}], {number})", f"{bag}[{at}] *= {number}", f"{bag}[{at}][:] = {vector}",
                     f"np.multiply({u}, {bag}[{at}], out={bag}[0])"]  # fmt: skip
            self.emit(depth, self.pick(forms))
        elif kind < 10:
            element = self.fresh("u")
            self.emit(depth, f"for {element} in {bag}:")
            inner = s.copy()
            inner.bags = []  # a list that grows while it is gone through has no end
            inner.vectors.append(element)
            self.nested(inner, depth + 1, True)
        else:
            name = self.fresh("u")
            forms = [f"{bag}[{at}]", f"sum({bag})", f"total({bag})", f"np.array({bag}).sum(axis=0)",
                     f"np.stack({bag})[0]", f"np.concatenate({bag})[:5]", f"{bag}[{at}] * {u}",
                     f"np.vstack({bag}).T @ np.ones(len({bag}))", f"np.column_stack({bag})[:, {at}]",
                     f"np.stack({bag}, axis=1).sum(axis=1)", f"np.hstack({bag})[-5:]", f"np.dstack({bag})[0, :, {at}]",
                     f"np.asarray({bag}, dtype=float)[{at}]", f"np.split(np.concatenate({bag}), len({bag}))[{at}]",
                     f"np.concatenate({bag}, axis=0)[::-1][:5]"]  # fmt: skip
            self.emit(depth, f"{name} = {self.pick(forms)}")
            self.know(s.vectors, name)

    def about_lists(self, s: Scope, depth: int, loop: bool) -> None:
        """Lists of numbers that grow and shrink, and lists of lists."""
        number = self.bounded(self.number(s, 1), loop)
        small = self.number(s, 0)
        target = self.pick(s.numbers)
        kind = self.choose(12)
        if kind < 1 or not s.lists:
            name = self.fresh("l")
            forms = [f"[{small}, {number}]", f"[{number}]", f"[{small}] * 3", "[0.0] * 4",
                     f"list({self.pick(s.vectors)})", *(f"{q}[:]" for q in s.lists),
                     *(f"{q} + [{small}]" for q in s.lists), *s.lists, f"{self.pick(s.vectors)}.tolist()"]  # fmt: skip
            self.emit(depth, f"{name} = {self.pick(forms)}")
            self.know(s.lists, name)
        elif kind < 2 or not s.tables:
            name = self.fresh("r")
            forms = [f"[[{small}, {number}]]", f"[[{target}, 1.0], [{small}, {number}]]", *s.tables]
            forms += [f"[{r}[0], {r}[-1]]" for r in s.tables]
            forms += [] if self.plain else ["[[0.0, 0.0] for _ in range(3)]"]
            forms += [] if self.plain else [f"[row[:] for row in {r}]" for r in s.tables]
            self.emit(depth, f"{name} = {self.pick(forms)}")
            self.know(s.tables, name)
        elif kind < 5:
            q = self.pick(s.lists)
            forms = [f"{q}.append({number})", f"{q}.insert(0, {number})", f"{q}[0] = {number}", f"{q}[-1] *= {small}",
                     f"{q}.extend([{small}, {number}])", f"{q} += [{small}]", f"{q}[0], {q}[-1] = {q}[-1], {small}",
                     f"{q} = {q}[-2:]", f"{q}[:1] = [{small}, {number}]", f"{q}.reverse()", f"{q} = sorted({q})",
                     f"{q}[-1] += {q}[0] * {small}"]  # fmt: skip
            self.emit(depth, self.pick(forms))
        elif kind < 6:
            q = self.pick(s.lists)
            self.emit(depth, f"if len({q}) > 1:")
            self.emit(depth + 1, self.pick([f"{target} = {q}.pop()", f"{target} += {q}.pop(0)", f"del {q}[-1]"]))
        elif kind < 8:
            r = self.pick(s.tables)
            at = self.pick(["0", "-1"])
            forms = [f"{r}[{at}][1] = {number}", f"{r}[0][0] += {small}", f"{r}.append([{small}, {number}])",
                     f"{r}[0] = {r}[-1]", f"{r}[{at}] = [{number}, {small}]", f"{r}[-1][0] *= {small}",
                     f"{r}.append({r}[0])", f"{r}.append({r}[0][:])", f"{r}[0], {r}[-1] = {r}[-1], {r}[0]"]  # fmt: skip
            self.emit(depth, self.pick(forms))
        elif kind < 10:
            q, r = self.pick(s.lists), self.pick(s.tables)
            forms = [f"{r}[0][1] * {small}", f"sum({r}[-1])", f"{q}[-1] * {r}[-1][0]", f"np.sum({q}) * 0.5",
                     f"float(np.array({r}).sum())", f"max({q}[0], {r}[0][0])", f"sum({q}[1:]) + {small}",
                     f"len({q}) * {small}", f"math.fsum({q}) * {small}", f"np.vstack({q})[-1, 0] + {small}",
                     f"np.array({q}, ndmin=2)[0, -1] * {small}", f"np.hstack({q}).mean()", f"np.stack({q})[0]",
                     f"max({q}, default={small}) * 0.5", f"(np.column_stack({r})[0] * np.vstack({r})[:, 1]).sum()",
                     f"float(np.hstack({r})[-1])", f"np.asarray({q}) @ np.array({q}) * 0.1"]  # fmt: skip
            if not self.plain:
                forms += [f"sum(row[0] * row[1] for row in {r})", f"sum(a * {small} for a in {q}[:3])"]
            self.emit(depth, f"{target} = {self.bounded(self.pick(forms), loop)}")
        else:
            q, r = self.pick(s.lists), self.pick(s.tables)
            element, second = self.fresh("e"), self.fresh("e")
            heads = [f"for {element}, {second} in {r}:", f"for {element}, {second} in zip({q}, {q}[1:]):",
                     f"for {element}, {second} in enumerate({q}):"]  # fmt: skip
            self.emit(depth, self.pick(heads))
            inner = s.copy()
            inner.lists, inner.tables = [], []
            inner.numbers += [element, second]
            self.nested(inner, depth + 1, True)

    def about_accumulators(self, s: Scope, depth: int, loop: bool) -> None:
        """What starts as None, 0 or an empty list and becomes an array, a number or a list of them."""
        u = self.pick(s.vectors)
        number = self.bounded(self.number(s, 1), True)
        form = self.choose(6)
        index = self.fresh("i")
        over = self.pick(["range(n)", "range(3)", "range(1, n + 1)"])
        step = self.pick([f"{u} * ({index} + 1.0)", self.bounded_vector(self.vector(s, 1), True), f"np.sin({u})"])
        if self.chance(15):  # what may be one array or another is refused where one of them is overwritten
            step = self.pick([u, f"{u}[::-1]"])
        name = self.fresh("u")
        if form < 2:
            self.emit(depth, f"{name} = None")
            self.emit(depth, f"for {index} in {over}:")
            self.emit(depth + 1, f"if {name} is None:")
            self.emit(depth + 2, f"{name} = {step}")
            self.emit(depth + 1, "else:")
            self.emit(depth + 2, self.pick([f"{name} = {name} + {step}", f"{name} += {step}",
                                            f"{name} = np.maximum({name}, {step})"]))  # fmt: skip
            self.know(s.vectors, name)
        elif form < 4:
            self.emit(depth, f"{name} = {self.pick(['0', '0.0', '1.0'])}")
            self.emit(depth, f"for {index} in {over}:")
            self.emit(depth + 1, self.pick([f"{name} = {name} + {step}", f"{name} += {step}",
                                            f"{name} = 0.5 * {name} - {step}"]))  # fmt: skip
            if self.chance(40):
                self.emit(depth + 1, f"{u}[{self.index(s)}] = {number}")
            self.know(s.vectors, name)
        elif form < 5:
            name = self.fresh("s")
            self.emit(depth, f"{name} = None")
            self.emit(depth, f"for {index} in {over}:")
            self.emit(depth + 1, f"{name} = {number} if {name} is None else math.tanh({name} * {u}[{index}])")
            self.know(s.numbers, name)
        else:
            name = self.fresh("b")
            self.emit(depth, f"{name} = []")
            self.emit(depth, f"for {index} in {over}:")
            if self.chance(50):
                self.emit(depth + 1, f"{name}.append({step})")
                self.know(s.bags, name)
            else:
                self.emit(depth + 1, f"{name}.append({number} * {u}[{index}])")
                self.know(s.lists, name)
            if self.chance(40):
                self.emit(depth + 1, f"{u}[{self.index(s)}] *= 0.5")

    def about_paths(self, s: Scope, depth: int, loop: bool) -> None:
        """`try`, `for ... else`, ways out of loops in loops, loops without a turn, names given on each of two paths."""
        u, number = self.pick(s.vectors), self.pick(s.numbers)
        kind = self.choose(12)
        if kind >= 9:
            self.late(s, depth, loop)
        elif kind < 3:
            inner = s.copy()
            self.emit(depth, "try:")
            # what stores before it may raise is refused: not too often
            if self.chance(5):
                self.of_all_sorts(inner, depth + 1, loop)
            elif self.chance(50):
                self.emit(depth + 1, f"{self.pick(s.numbers)} = {self.bounded(self.number(s), loop)}")
            result = self.pick([number] * 8 + [f"{u}[{self.index(s)}]"])
            self.emit(depth + 1, f"{result} = checked({self.number(s, 1)}, {self.constant()})")
            if self.chance(5):
                self.of_all_sorts(inner, depth + 1, loop)
            elif self.chance(40):
                self.emit(depth + 1, f"{number} = {self.bounded(f'({self.vector(s, 1)})[2]', loop)}")
            self.emit(depth, "except ValueError:")
            self.nested(s, depth + 1, loop)
            if self.chance(25):
                self.emit(depth, "else:")
                self.nested(s, depth + 1, loop)
            if self.chance(15):
                self.emit(depth, "finally:")
                self.emit(depth + 1, f"{number} = math.tanh({number} * 1.5)")
        elif kind < 5 and depth < 3:
            index, element = self.fresh("i"), self.fresh("e")
            over = self.pick(["range(3)", "range(n)", "range(n - 1)", "range(n, 0, -1)"])
            self.emit(depth, f"for {index} in {over}:")
            inner = s.copy()
            if self.chance(50):
                self.of_all_sorts(inner, depth + 1, True)
            self.emit(depth + 1, f"for {element} in {self.pick([u, f'{u}[:{index}]', f'{u}[{index}:]'])}:")
            deep = inner.copy()
            deep.numbers.append(element)
            self.of_all_sorts(deep, depth + 2, True)
            self.emit(depth + 2, f"if {element} * {number} > {self.constant()}:")
            self.emit(depth + 3, self.pick(["break", "break", "continue", f"return {self.number(s, 1)} * {element}"]))
            if self.chance(70):
                self.emit(depth + 1, "else:")
                self.emit(depth + 2, self.pick(["continue", f"{number} = math.tanh({number})", f"{u}[0] *= 0.5"]))
                self.emit(depth + 1, self.pick(["break", f"{number} += 0.25 * {u}[1]"]))
            if self.chance(50):
                self.emit(depth, "else:")
                self.nested(s, depth + 1, loop)
        elif kind < 6 and depth < 4:
            heads = ["range(n - 3)", "range(3, n)", f"{u}[:0]", "range(n, n)", "[]"]
            index = self.fresh("e")
            self.emit(depth, f"for {index} in {self.pick(heads)}:")
            self.nested(s, depth + 1, True)
            if self.chance(30):
                self.emit(depth, "else:")
                self.nested(s, depth + 1, loop)
        elif kind < 8:
            name = self.fresh("u")
            forms = [f"{u}.copy()", f"0.5 * {self.vector(s, 1)}", f"np.sin({self.vector(s, 1)})", "np.zeros(5)"]
            forms += [u, f"{u}[::-1]"] if self.chance(25) else []
            self.emit(depth, f"if {self.condition(s)}:")
            self.emit(depth + 1, f"{name} = {self.pick(forms)}")
            self.emit(depth, "else:")
            self.emit(depth + 1, f"{name} = {self.pick(forms)}")
            self.know(s.vectors, name)
        else:
            name = self.fresh("s")
            self.emit(depth, f"{name} = {self.pick([f'search({u}, {number})', f'careful({number}, {u})'])}")
            self.know(s.numbers, name)

    def late(self, s: Scope, depth: int, loop: bool) -> None:
        """Names that get their first value in a loop, or under a condition that holds where they are read, too."""
        name, inner = self.fresh("s"), s.copy()
        u, number = self.pick(s.vectors), self.pick(s.numbers)
        if self.chance(30):
            flag = self.fresh("c")
            self.emit(depth, f"{flag} = {self.condition(s)}")
            self.emit(depth, f"if {flag}:")
            self.emit(depth + 1, f"{name} = {self.bounded(self.number(s), loop)}")
            self.of_all_sorts(inner, depth, loop) if self.chance(40) else None
            self.emit(depth, f"if {flag}:")
            self.emit(depth + 1, f"{number} = math.tanh({name} * {self.number(s, 0)})")
            return
        index = self.fresh("i")
        head = self.pick([f"for {index} in range(3):", f"for {index} in range(n):", f"for {index} in range(1, n + 1):",
                          f"while {index} < 3:", "while True:"])  # fmt: skip
        if head.startswith("while"):
            self.emit(depth, f"{index} = 0")
        self.emit(depth, head)
        inner.indices.append(f"{index} % 3")
        if head.startswith("while"):
            self.emit(depth + 1, f"{index} += 1")
        vector = self.fresh("u") if self.chance(30) else ""
        if vector:
            self.emit(depth + 1, f"{vector} = {self.bounded_vector(self.vector(inner), True)}")
            inner.vectors.append(vector)
        self.emit(depth + 1, f"{name} = {self.bounded(self.number(inner), True)}")
        if depth < 3 and self.chance(30):
            self.of_all_sorts(inner, depth + 1, True)
        if head == "while True:":
            self.emit(depth + 1, f"if {index} > 3 or {name} > {u}[0]:")
            self.emit(depth + 2, "break")
        elif self.chance(30):
            self.emit(depth + 1, f"if {name} * {number} > {self.constant()}:")
            self.emit(depth + 2, self.pick(["break", "continue", f"return {self.number(inner, 1)}"]))
            self.emit(depth + 1, f"{number} = math.tanh({self.number(inner, 1)})")
        self.know(s.numbers, name)
        if vector:
            self.know(s.vectors, vector)

    def about_ones(self, s: Scope, depth: int, loop: bool) -> None:
        """Arrays of length 1, and what they are broadcast to."""
        u = self.pick(s.vectors)
        number = self.bounded(self.number(s, 1), True)
        i = self.pick([*s.indices, "0", "2"])
        kind = self.choose(8)
        if kind < 2 or not s.ones:
            name = self.fresh("o")
            forms = [f"{u}[:1]", f"{u}[{i}:{i} + 1]", f"np.array([{number}])", "np.zeros(1)", f"{u}[[2]]",
                     f"np.sum({u}, keepdims=True)", f"np.atleast_1d({number})", f"{u}.max(keepdims=True)",
                     *(f"{o}.copy()" for o in s.ones), *(f"{o} * {number}" for o in s.ones)]  # fmt: skip
            self.emit(depth, f"{name} = {self.pick(forms)}")
            self.know(s.ones, name)
            return
        o, p = self.pick(s.ones), self.pick(s.ones)
        if kind < 4:
            forms = [f"{o} += {number}", f"{o}[0] = {number}", f"{o} *= {p}", f"{o}[...] = {p} + {number}",
                     f"{o}[:] = {u}[2:3]", f"{o} -= {u}[{i}]", f"np.add({o}, {p}, out={o})"]  # fmt: skip
            self.emit(depth, self.pick(forms))
        elif kind < 6:
            forms = [f"{u} *= {o}", f"{u}[1:4] = {o}", f"{u} += {o} * {p}", f"{u}[...] = {o}",
                     f"np.multiply({u}, {o}, out={u})", f"{u}[1:4] += {o} * {u}[:3]", f"{u}[:1] = {o} * {number}",
                     f"np.copyto({u}, {o})", *(f"{m} *= {o}" for m in s.matrices),
                     *(f"{m}[:, :1] = {o} * {u}[:, None]" for m in s.matrices),
                     *(f"{m}[1:2] += {o}" for m in s.matrices),
                     *(f"{m} -= {u}[None] * {o}" for m in s.matrices)]  # fmt: skip
            self.emit(depth, self.pick(forms))
        elif kind < 7:
            name = self.fresh("u")
            forms = [f"{u} * {o}", f"{o} + {self.vector(s, 1)}", f"np.zeros(5) + {o}", f"np.where({u} > {o}, {u}, {p})",
                     f"np.broadcast_to({o}, (5,)).copy()", f"({u}[:, None] * {o}).sum(axis=1)",
                     f"np.maximum({u}, {o})", f"np.concatenate([{o}, {u}[1:]])"]  # fmt: skip
            self.emit(depth, f"{name} = {self.pick(forms)}")
            self.know(s.vectors, name)
        else:
            target = self.pick(s.numbers)
            forms = [f"{o}[0]", f"np.sum({u} * {o})", f"float({o}[0])", f"{o}.item()", f"({o} @ {p})",
                     f"np.sum({o} * {p})"]  # fmt: skip
            self.emit(depth, f"{target} = {self.bounded(self.pick(forms), loop)}")

    def about_holders(self, s: Scope, depth: int, loop: bool) -> None:
        """Arrays in attributes and dictionaries, overwritten and exchanged there."""
        u = self.pick(s.vectors)
        number, vector = self.bounded(self.number(s, 1), True), self.bounded_vector(self.vector(s, 1), loop)
        kind = self.choose(9)
        if kind < 1 or not s.dicts:
            name = self.fresh("d")
            forms = [f'{{"a": {number}, "u": {u}}}', f'dict(a={number}, u={u}.copy())', *s.dicts,
                     *(f"dict({d})" for d in s.dicts), *(f'{{**{d}, "a": {number}}}' for d in s.dicts)]  # fmt: skip
            self.emit(depth, f"{name} = {self.pick(forms)}")
            self.know(s.dicts, name)
        elif not self.plain and (kind < 2 or not s.grids):
            name = self.fresh("g")
            self.emit(depth, f"{name} = Grid({self.pick([u, f'{u}.copy()', vector])})")
            self.know(s.grids, name)
        elif kind < 5:
            d = self.pick(s.dicts)
            forms = [f'{d}["u"] += {u}', f'{d}["u"][1:4] *= {number}', f'{d}["u"] = {d}["u"] * {number}',
                     f'{d}["a"] += {number}', f'{d}["u"][...] = {vector}', f'scale({d}["u"], 0.5)',
                     f'{d}.update(a={number})', f'{d}["u"] = {u}', f'{u}[1:] -= {d}["u"][:-1]',
                     f'{u}, {d}["u"] = {d}["u"], {u}']  # fmt: skip
            self.emit(depth, self.pick(forms))
        elif kind < 7 and s.grids:
            g = self.pick(s.grids)
            forms = [f"{g}.step({number})", f"{g}.step({number})", f"{g}.now[1:4] *= {number}", f"{g}.now = {vector}",
                     f"{g}.now += {u}", f"{g}.now, {g}.after = {g}.after, {g}.now", f"{g}.save()",
                     f"{g}.after[...] = {u}", f"scale({g}.now, 0.5)", f"{g}.after = {g}.now.copy()",
                     f"{g}.now[{self.index(s)}] = {number}"]  # fmt: skip
            self.emit(depth, self.pick(forms))
        else:
            name = self.fresh("u")
            forms = [f'{d}["u"]' for d in s.dicts] + [f"{g}.now" for g in s.grids]
            forms += [f"{g}.step({number})" for g in s.grids] + [f'{d}["u"] * {d}["a"]' for d in s.dicts]
            self.emit(depth, f"{name} = {self.pick(forms)}")
            self.know(s.vectors, name)

    def about_shapes(self, s: Scope, depth: int, loop: bool) -> None:
        """Reductions that keep their axes, and reductions of what starts as None or as a number."""
        u, other = self.pick(s.vectors), self.pick(s.vectors)
        number = self.bounded(self.number(s, 0), True)
        kind = self.choose(10)
        if kind < 2:
            name = self.fresh("m")
            forms = [f"{u}[:, None] - {other}[None, :]", f"np.stack([{u}, {other}, {u} * {number}, {other}, {u}])",
                     f"np.tile({other}, (5, 1)) * {u}", f"np.outer({u}, {other})",
                     f"np.expand_dims({u}, 1) + np.zeros((1, 5))", f"np.repeat({u}, 5).reshape(5, 5)"]  # fmt: skip
            self.emit(depth, f"{name} = {self.pick(forms)}")
            self.know(s.matrices, name)
        elif kind < 4 and s.matrices:
            m = self.pick(s.matrices)
            name = self.fresh("m")
            axis = self.pick(["0", "1", "-1", "None", "(0, 1)"])
            reduced = self.pick([f"{m}.sum(axis={axis}, keepdims=True)", f"np.mean({m}, axis={axis}, keepdims=True)",
                                 f"np.max({m}, {axis}, keepdims=True)", f"{m}.min(axis={axis}, keepdims=True)",
                                 f"np.std({m} + np.arange(25.0).reshape(5, 5), axis={axis}, keepdims=True)",
                                 f"np.sum({m} ** 2, axis={axis}, keepdims=True)",
                                 f"np.linalg.norm({m} + 2.0, axis=1, keepdims=True)"])  # fmt: skip
            forms = [f"{m} - {reduced}", f"{m} / (2.0 + {reduced} ** 2)", f"np.exp(-({m} - {reduced}) ** 2)",
                     f"{m} * np.tanh({reduced})", f"np.broadcast_to({reduced}, (5, 5)) * {number}"]  # fmt: skip
            self.emit(depth, f"{name} = {self.pick(forms)}")
            self.know(s.matrices, name)
        elif kind < 5 and s.matrices:
            # what is kept, stored and written on
            m = self.pick(s.matrices)
            row, column = self.fresh("m"), self.fresh("m")
            self.emit(depth, f"{row} = np.sum({m}, axis=0, keepdims=True)")
            self.emit(depth, f"{column} = {m}.mean(axis=1, keepdims=True)")
            self.emit(depth, self.pick([f"{row} *= {number}", f"{column}[1:] -= {number}", f"{column} += {row}.T",
                                        f"{row}[0, 2] = {number}", f"{m}[1:2] = {row}",
                                        f"{m}[:, :1] += {column}"]))  # fmt: skip
            name = self.fresh("m")
            forms = [f"np.tanh({column} @ {row})", f"{row} - {column}", f"{m} * {row} + {column}"]
            self.emit(depth, f"{name} = {self.pick(forms)}")
            self.know(s.matrices, name)
        else:
            # no array before the loop
            name, index = self.fresh("a"), self.fresh("i")
            m = self.pick([*s.matrices, ""])
            step = self.pick([f"{u} * ({index} + {number})", f"np.sin({other} + {index})"])
            if m and self.chance(50):
                step = f"{m} * ({index} + 0.5)"
            start = self.pick(["None", "None", "0.0", "0", "1.0"])
            self.emit(depth, f"{name} = {start}")
            self.emit(depth, f"for {index} in {self.pick(['range(n)', 'range(3)', 'range(1, n + 1)'])}:")
            if start == "None":
                self.emit(depth + 1, f"{name} = {step} if {name} is None else {name} * 0.5 + {step}")
            else:
                self.emit(depth + 1, self.pick([f"{name} = {name} + {step}", f"{name} += {step}",
                                                f"{name} = 0.5 * {name} + {step}"]))  # fmt: skip
            inside = depth + 1 if self.chance(30) else depth
            target, size = self.pick(s.numbers), self.pick(["axis=0", "axis=-1", "axis=None"])
            if self.chance(50):
                forms = [f"np.sum({name})", f"{name}.mean()", f"np.max({name})", f"np.sum({name} * {name}) * 0.1",
                         f"np.mean({name} ** 2)", f"np.sum(np.mean({name}, {size}, keepdims=True)) * 0.5",
                         f"np.sum({name} - np.mean({name}, {size}, keepdims=True) ** 2)"]  # fmt: skip
                self.emit(inside, f"{target} = math.tanh({self.pick(forms)})")
            else:
                scaled = self.fresh("a")
                forms = [f"{name} - np.mean({name}, {size}, keepdims=True)",
                         f"{name} / (1.5 + np.sum({name} * {name}, keepdims=True))",
                         f"np.exp({name} - np.max({name}, {size}, keepdims=True))",
                         f"{name}.sum({size}, keepdims=True) * {name}"]  # fmt: skip
                self.emit(inside, f"{scaled} = {self.pick(forms)}")
                self.emit(inside, f"{target} = math.tanh(np.sum({scaled} * {other}) + {target})")

    def about_tuples(self, s: Scope, depth: int, loop: bool) -> None:
        """Lists of tuples with tuples in them, taken apart, gone through and put together again."""
        u, number, small = self.pick(s.vectors), self.bounded(self.number(s, 1), True), self.pick(s.numbers)
        kind = self.choose(10)
        if kind < 3 or not s.pairs:
            name = self.fresh("z")
            forms = [f"[({number}, ({u}, {small}))]", f"[({small}, ({u} * 0.5, {number})), ({number}, ({u}, 2.0))]",
                     *(f"{z}[:]" for z in s.pairs), *(f"{z} + {z}[:1]" for z in s.pairs), "[]"]  # fmt: skip
            form = self.pick(forms)
            self.emit(depth, f"{name} = {form}")
            if form == "[]":
                index = self.fresh("i")
                self.emit(depth, f"for {index} in {self.pick(['range(n)', 'range(3)'])}:")
                self.emit(depth + 1, f"{name}.append(({number} * {index}, ({u} * {small}, {u}[{index}])))")
                if self.chance(30):
                    self.emit(depth + 1, f"{u}[{index}] = {number}")
            self.know(s.pairs, name)
            return
        z, at = self.pick(s.pairs), self.pick(["0", "-1"])
        a, b, c = self.fresh("e"), self.fresh("u"), self.fresh("e")
        if kind < 5:
            forms = [f"{z}.append(({small}, ({u}, {number})))", f"{z}[{at}] = ({number}, ({u} * {small}, 1.5))",
                     f"{z}.append({z}[0])", f"{z}[0], {z}[-1] = {z}[-1], {z}[0]", f"{z}[{at}][1][0][1] *= {small}",
                     f"{z}[{at}][1][0][...] += {u}", f"{z} = {z}[-2:]", f"{z}.reverse()",
                     f"scale({z}[{at}][1][0], 0.5)"]  # fmt: skip
            if not self.plain:
                forms += [f"{z} = [({a}, ({b} * 0.5, {c} * {small})) for {a}, ({b}, {c}) in {z}]",
                          f"{z} = [({c}, ({b}, {a})) for {a}, ({b}, {c}) in {z}]"]  # fmt: skip
            self.emit(depth, self.pick(forms))
        elif kind < 7:
            forms = [f"{z}[{at}][0] * {z}[{at}][1][1]", f"np.sum({z}[{at}][1][0]) * {small}"]
            if not self.plain:
                forms += [f"sum({a} * {c} for {a}, ({b}, {c}) in {z})", f"max({a} + {b}[0] for {a}, ({b}, {c}) in {z})",
                          f"sum(p[1][1] for p in {z})", f"sum([np.sum(p[1][0]) * p[0] for p in {z}])"]  # fmt: skip
            self.emit(depth, f"{small} = math.tanh({self.pick(forms)})")
        elif kind < 8:
            self.emit(depth, f"{a}, ({b}, {c}) = {z}[{at}]")
            self.know(s.numbers, a)
            self.know(s.vectors, b)
            self.know(s.numbers, c)
        else:
            heads = [f"for {a}, ({b}, {c}) in {z}:", f"for {a}, ({b}, {c}) in {z}[:2]:",
                     f"for ({a}, ({b}, {c})), {small} in zip({z}, {u}):"]  # fmt: skip
            self.emit(depth, self.pick(heads))
            inner = s.copy()
            inner.pairs = []  # a list that grows while it is gone through has no end
            inner.numbers += [a, c]
            inner.vectors.append(b)
            self.nested(inner, depth + 1, True)

    def about_maybe(self, s: Scope, depth: int, loop: bool) -> None:
        """Names that are None, or nothing yet, on some path to a loop that reads them where they are something."""
        u, small = self.pick(s.vectors), self.pick(s.numbers)
        number = self.bounded(self.number(s, 1), True)
        name, index = self.fresh("u"), self.fresh("i")
        over = self.pick(["range(3)", "range(n)", "range(n - 1)"])
        value = self.bounded_vector(self.vector(s, 1), True)
        if self.chance(30):
            value = self.pick([u, f"{u}.copy()", f"{u}[::-1]"])
        kind = self.choose(12)
        if kind >= 9:
            self.looked_at(s, depth, loop, u, small)
            return
        if kind < 3:
            scaled = self.fresh("a")
            self.emit(depth, f"{name} = None")
            self.emit(depth, f"if {self.condition(s)}:")
            self.emit(depth + 1, f"{name} = {value}")
            if self.chance(60):
                forms = [f"0.0 if {name} is None else {name} * {number}", f"0.0 if {name} is None else np.tanh({name})",
                         f"0.0 if {name} is None else np.zeros_like({name})",
                         f"{number} if {name} is None else {name} + {number}"]  # fmt: skip
                self.emit(depth, f"{scaled} = {self.pick(forms)}")
                self.emit(depth, f"for {index} in {over}:")
                if self.chance(60):
                    self.emit(depth + 1, self.pick([f"{scaled} = 0.5 * {scaled} + {number}",
                                                    f"{scaled} = {scaled} * {u}[{index}]",
                                                    f"{scaled} = {scaled} + {u}"]))  # fmt: skip
                else:
                    self.emit(depth + 1, f"if {name} is not None:")
                    self.emit(depth + 2, self.pick([f"{scaled} = 0.3 * {scaled} + {name}",
                                                    f"{scaled} = {scaled} * {name}[{index}]"]))  # fmt: skip
                self.emit(depth, f"{small} = math.tanh({small} + np.sum({scaled}))")
                return
            self.emit(depth, f"for {index} in {over}:")
            self.emit(depth + 1, self.pick([f"if {name} is not None:", f"if {name} is not None and {small} < 2.0:"]))
            self.emit(depth + 2, f"{small} = math.tanh({small} + np.sum({name}) * {number})")
            if self.chance(50):
                self.emit(depth + 2, self.pick([f"{name} = 0.5 * {name}", f"{name} = {name} + {small}",
                                                f"{name} = None", f"{name} = np.sin({name} * {number})"]))  # fmt: skip
            if self.chance(30):
                self.emit(depth + 1, "else:")
                self.emit(depth + 2, f"{name} = {value}")
        elif kind < 5:
            # bound in a loop that may have no turn, or on a path, and read in a later one behind the same test
            count = self.fresh("k")
            self.emit(depth, f"{count} = 0")
            self.emit(depth, f"for {index} in {over}:")
            if self.chance(40):
                self.emit(depth + 1, f"if {self.condition(s)}:")
                self.emit(depth + 2, "continue")
            self.emit(depth + 1, f"{name} = {value}{self.pick(['', f' * ({index} + 1)'])}")
            self.emit(depth + 1, f"{count} += 1")
            later = self.fresh("i")
            self.emit(depth, f"for {later} in {self.pick(['range(2)', 'range(n)'])}:")
            self.emit(depth + 1, f"if {count} > {self.pick(['0', '1', later])}:")
            self.emit(depth + 2, self.pick([f"{small} = math.tanh({small} * {name}[{later}] + {number})",
                                            f"{name} = {name} * {small}", f"{name} = np.sin({name}) + {number}",
                                            f"{u}[{later}] = np.sum({name}) * 0.3"]))  # fmt: skip
            self.emit(depth, f"if {count} > {self.pick(['0', '1'])}:")
            self.emit(depth + 1, f"{small} = math.tanh({small} + np.sum({name} * {u}))")
        elif kind < 7:
            # the best so far, and the one before
            last = self.fresh("u")
            self.emit(depth, f"{name}, {last} = None, None")
            self.emit(depth, f"for {index} in {over}:")
            now = self.fresh("u")
            self.emit(depth + 1, f"{now} = {value}{self.pick(['', f' * (1.0 + 0.1 * {index})'])}")
            self.emit(depth + 1, f"if {name} is None or np.sum({now}) > np.sum({name}):")
            self.emit(depth + 2, f"{name} = {now}")
            if self.chance(50):
                self.emit(depth + 2, f"{last} = {now} * {number}")
            else:
                self.emit(depth + 1, f"{small} += 0.0 if {last} is None else np.sum({last}) * {number} * 0.1")
                self.emit(depth + 1, f"{last} = {now}")
            self.emit(depth, f"if {last} is not None:")
            self.emit(depth + 1, f"{small} = math.tanh({small} + np.sum({name} * {last}))")
        else:
            bag, other = self.fresh("b"), self.fresh("s")
            self.emit(depth, f"{bag}, {other} = [], None")
            self.emit(depth, f"for {index} in {over}:")
            self.emit(depth + 1, f"{bag}.append({self.pick([f'{u}[{index}] * {number}', f'({number}, {value})'])})")
            self.emit(depth + 1, f"if {self.condition(s)}:")
            self.emit(depth + 2, f"{other} = {number}")
            tuples = "(" in self.lines[-3].split("append(", 1)[1][:1]
            self.emit(depth, f"{small} = 0.5 if {other} is None else {other} * {small}")
            element = self.fresh("e")
            self.emit(depth, f"for {element} in {bag}:")
            read = f"{element}[0] * np.sum({element}[1])" if tuples else element
            factor = self.pick(["", f" * (1.0 if {other} is None else {other})"])
            self.emit(depth + 1, f"{small} = math.tanh({small} + {read}{factor})")

    def looked_at(self, s: Scope, depth: int, loop: bool, u: str, small: str) -> None:
        """What a function returned, or None: put into lists, asked what it is."""
        name, c = self.fresh("s"), self.constant()
        call, number = self.pick([(f"above({u}, {c})", False), (f"first_over({u}, {c})", True)])
        total = name if number else f"np.sum({name})"
        form = self.choose(5)
        if form < 1:
            self.emit(depth, f"if {call} is {self.pick(['None', 'not None'])}:")
            self.nested(s, depth + 1, loop)
            return
        if form < 3:
            self.emit(depth, f"{name} = {call}")
            kind = "(float, np.floating)" if number else "np.ndarray"
            tests = [
                f"isinstance({name}, {kind})",
                f"not isinstance({name}, {kind})",
                f"isinstance({name}, type(None))",
            ]
            tests += [f"{name} in (None, 1.0)", f"{name} == None", f"str({name}) == 'None'"] if number else []
            self.emit(depth, f"if {self.pick(tests)}:")
            self.nested(s, depth + 1, loop)
            self.emit(depth, f"if {name} is not None:")
            self.emit(depth + 1, f"{small} = math.tanh({small} + {total})")
            return
        bag, index = self.fresh("b"), self.fresh("i")
        call = call.replace(f", {c})", f", {c} * {index})")
        over = self.pick(["range(3)", "range(n)"])
        pairs = self.chance(30)
        item = f"({small}, {call})" if pairs else call
        if self.plain or self.chance(50):
            self.emit(depth, f"{bag} = []")
            self.emit(depth, f"for {index} in {over}:")
            self.emit(depth + 1, f"{bag}.append({item})")
            if self.chance(40):
                self.emit(depth + 1, f"{u}[{index}] = {self.number(s, 0)}")
        else:
            self.emit(depth, f"{bag} = [{item} for {index} in {over}]")
        if not self.plain and not pairs and self.chance(40):
            self.emit(depth, f"{small} = math.tanh({small} + sum({total} for {name} in {bag} if {name} is not None))")
            return
        weight = self.fresh("e")
        self.emit(depth, f"for {f'{weight}, {name}' if pairs else name} in {bag}:")
        self.emit(depth + 1, f"if {name} is not None:")
        self.emit(depth + 2, f"{small} = math.tanh({small} + {total}{f' * {weight}' if pairs else ''})")
        if self.chance(40):
            self.emit(depth + 1, "else:")
            self.emit(depth + 2, f"{small} = {small} * 0.5")

    def about_filling(self, s: Scope, depth: int, loop: bool) -> None:
        """Lists that grew, stored into arrays: whole, in part, row by row."""
        u, small = self.pick(s.vectors), self.pick(s.numbers)
        number = self.bounded(self.number(s, 1), True)
        index = self.fresh("i")
        kind = self.choose(8)
        if kind < 4:
            name = self.fresh("l")
            self.emit(depth, f"{name} = {self.pick(['[]', f'[{number}]'])}")
            self.emit(depth, f"for {index} in {self.pick(['range(n)', 'range(3)', f'range(len({u}) - 1)'])}:")
            self.emit(depth + 1, f"{name}.append({self.pick([f'{u}[{index}] * {small}', f'{number} + {index}'])})")
            if self.chance(30):
                self.emit(depth + 1, f"{u}[{index}] *= 0.5")
            forms = [f"{u}[:len({name})] = {name}", f"{u}[-len({name}):] += {name}", f"{u}[:2] = {name}[-1]",
                     f"{u}[: len({name})] *= np.array({name})", f"{u}[:1] = {name}[-1:]",
                     f"{u}[{name}[0] > {small}] = {name}[-1]"]  # fmt: skip
            forms += [f"{m}[{self.index(s)}, :len({name})] = {name}" for m in s.matrices[-2:]]
            forms += [f"{m}[:len({name}), {self.index(s)}] = {name}[::-1]" for m in s.matrices[-2:]]
            self.emit(depth, self.pick(forms))
            self.know(s.lists, name)
            return
        name, made = self.fresh("b"), self.fresh("m")
        self.emit(depth, f"{name} = []")
        self.emit(depth, f"for {index} in range(5):")
        self.emit(depth + 1, f"{name}.append({self.pick([f'{u} * {u}[{index}]', f'{u} + {number}', u, f'{u}[::-1]'])})")
        if self.chance(40):
            self.emit(depth + 1, f"{u}[{index}] = {number}")
        if kind < 6:
            self.emit(depth, f"{made} = {self.pick(['np.zeros((5, 5))', 'np.empty((len(' + name + '), 5))'])}")
            self.emit(depth, self.pick([f"{made}[:] = {name}", f"{made}[...] = {name}", f"{made}[::-1] = {name}",
                                        f"{made}.T[:] = {name}"]))  # fmt: skip
        else:
            row, k = self.fresh("u"), self.fresh("i")
            self.emit(depth, f"{made} = np.zeros((len({name}), 5))")
            self.emit(depth, f"for {k}, {row} in enumerate({name}):")
            self.emit(depth + 1, self.pick([f"{made}[{k}] = {row}", f"{made}[{k}, 1:] = {row}[:-1] * {number}",
                                            f"{made}[:, {k}] += {row}"]))  # fmt: skip
        self.know(s.bags, name)
        self.know(s.matrices, made)

    def about_growing(self, s: Scope, depth: int, loop: bool) -> None:
        """What is a number in some turns of a loop and an array in others, and is read on the way."""
        name, target, index = self.fresh("a"), self.pick(s.numbers), self.fresh("i")
        u, number = self.pick(s.vectors), self.bounded(self.number(s, 0), True)
        starts = ["0.0", "0", "1.0", number, self.pick(s.numbers), f"{u} * 0.5", f"np.sum({u}, keepdims=True)"]
        self.emit(depth, f"{name} = {self.pick(starts)}")
        second = self.fresh("a") if self.chance(40) else ""
        if second:
            self.emit(depth, f"{second} = {self.pick(['0.5', number, u, name])}")
        kept = self.fresh("b") if self.chance(30) else ""
        if kept:
            self.emit(depth, f"{kept} = []")
        self.emit(depth, f"for {index} in {self.pick(['range(n)', 'range(3)', 'range(1, n + 1)', 'range(n - 1)'])}:")
        for _ in range(2 + self.choose(3)):
            self.growing_step(s, depth + 1, [name, second or name, kept, target, index, u, number])
        where = depth + 1 if self.chance(25) else depth
        for one in [name, *([second] if second else [])]:
            forms = [f"np.sum({one})", f"np.mean({one} * {one})", f"np.sum({one} * {u})", f"np.max({one})",
                     f"np.sum({one} - np.mean({one}, keepdims=True) ** 2)"]  # fmt: skip
            self.emit(where, f"{target} = math.tanh({target} + {self.pick(forms)})")
        if kept:
            item = self.fresh("e")
            self.emit(depth, f"for {item} in {kept}:")
            forms = [f"np.sum({item} ** 2)", f"np.mean({item}) * {number}", f"np.sum({item} * {u})"]
            self.emit(depth + 1, f"{target} = math.tanh({target} + {self.pick(forms)})")

    def growing_step(self, s: Scope, depth: int, names: list[str]) -> None:
        name, second, kept, target, index, u, number = names
        kind = self.choose(16)
        small, large = f"{name} {self.pick(['+', '*', '-'])} {number}", f"{name} {self.pick(['+', '*', '-'])} {u}"
        test = self.pick([f"{index} < 1", f"{index} == 1", f"{index} % 2 == 0", self.condition(s)])
        if kind < 3:
            self.emit(depth, f"{name} = np.tanh({small if self.chance(60) else name} if {test} else {large})")
        elif kind < 5:
            self.emit(depth, f"if {test}:")
            self.emit(depth + 1, self.pick([f"{name} = np.tanh({large})", f"{second} = np.sin({large})"]))
        elif kind < 8:
            forms = [f"np.sum({name} ** 2)", f"np.sum({name} * {second})", f"np.mean(np.exp(-({name} ** 2)))",
                     f"np.sum(np.sum({name}, keepdims=True) * {second})"]  # fmt: skip
            self.emit(depth, f"{target} = math.tanh({target} + {self.pick(forms)})")
        elif kind < 10 and second != name:
            self.emit(depth, self.pick([f"{name}, {second} = {second}, {name}",
                                        f"{second} = {name} * {number} + 0.25 * {second}",
                                        f"{name}, {second} = {second} * 0.5, {name} + {self.pick([number, u])}",
                                        f"{second} = {name}"]))  # fmt: skip
        elif kind < 11:
            self.emit(depth, "try:")
            self.emit(depth + 1, f"{name} = {name} + {u}[{index} + 3]")
            self.emit(depth, "except IndexError:")
            self.emit(depth + 1, f"{name} = np.tanh({large})")
        elif kind < 12:
            inner = self.fresh("i")
            self.emit(depth, f"for {inner} in range({index}):")
            self.emit(depth + 1, f"{name} = np.tanh({self.pick([large, small])} * {u}[{inner}])")
        elif kind < 13:
            self.emit(depth, f"{name} = {self.pick(['smooth', 'np.maximum', 'np.add'])}({name}, {number})")
        elif kind < 15 and kept:
            self.emit(depth, f"{kept}.append({self.pick([name, second, f'{name} * {number}'])})")
        else:
            self.emit(depth, f"{name} = 0.5 * {name} + {self.pick([number, u, second])}")

    def about_swapping(self, s: Scope, depth: int, loop: bool) -> None:
        """Buffers that change places, some of which start as constants, and second names for them."""
        a, b, index = self.fresh("u"), self.fresh("u"), self.fresh("i")
        u, number = self.pick(s.vectors), self.bounded(self.number(s, 1), True)
        form = self.choose(12)
        starts = ["np.zeros(5)", "np.ones(5)", f"{u}.copy()", f"0.5 * {u}"] + ([u] if self.chance(20) else [])
        one, two = self.pick(starts), self.pick(starts)
        if form < 1:
            whole = self.fresh("z")
            self.emit(depth, f"{whole} = {self.pick(['np.zeros(10)', f'np.concatenate([{u}, np.ones(5)])'])}")
            one, two = f"{whole}[:5]", f"{whole}[5:]"
        elif form < 2:
            self.emit(depth, f"{a} = {b} = {one}")
        if form != 1:
            self.emit(depth, f"{a}, {b} = {one}, {two}")
        held = self.fresh("u") if self.chance(10) else ""
        if held:
            self.emit(depth, f"{held} = {self.pick([a, b])}")
        self.emit(depth, f"for {index} in {self.pick(['range(n)', 'range(3)', 'range(n - 1)'])}:")
        steps = [f"{a}[{index}] = {number} * {b}[{self.index(s)}]", f"{a}[:] = 0.5 * {b} + {u}",
                 f"{a}[1:] = {b}[:-1] * {number}", f"np.multiply({b}, {u}, out={a})", f"{a} += {number}",
                 f"{a}[{index}] += np.tanh({b}[{index}])", f"{a}[0], {a}[-1] = {b}[-1], {number}"]  # fmt: skip
        swap = f"{a}, {b} = {b}, {a}"
        swaps = [swap] * 5 + [f"{a}, {b} = {b}, {a}.copy()", f"{b} = {a}", f"{a}, {b} = {b}, np.zeros(5)"]
        lines = [self.pick(steps)] + ([self.pick(steps)] if self.chance(40) else []) + [self.pick(swaps)]
        if self.chance(15):
            lines = lines[::-1]
        for line in lines:
            if line in swaps and self.chance(25):
                self.emit(depth + 1, f"if {self.pick([f'{index} == 1', self.condition(s)])}:")
                self.emit(depth + 2, line)
            else:
                self.emit(depth + 1, line)
        for name in [a, b, *([held] if held else [])]:
            if self.chance(70):
                self.know(s.vectors, name)

    def about_choices(self, s: Scope, depth: int, loop: bool) -> None:
        """Names that are one array or another, as the run says, and stores through them and the others."""
        number, name, index = self.bounded(self.number(s, 1), True), self.fresh("u"), self.fresh("i")
        arrays = []
        for _ in range(2 + self.chance(25)):
            if self.chance(50):
                arrays.append(self.pick(s.vectors))
                continue
            arrays.append(self.fresh("u"))
            new = self.bounded_vector(self.vector(s), True)
            self.emit(depth, f"{arrays[-1]} = {self.pick(['np.zeros(5)', f'{self.pick(s.vectors)}.copy()', new])}")
        a, b, *more = arrays
        test, form, inside = self.condition(s), self.choose(12), depth
        if form < 3:
            other = f"{more[0]} if {self.condition(s)} else {b}" if more else b
            self.emit(depth, f"{name} = {a} if {test} else {other}")
        elif form < 6:
            self.emit(depth, f"if {test}:")
            self.emit(depth + 1, f"{name} = {a}")
            for array in more:
                self.emit(depth, f"elif {self.condition(s)}:")
                self.emit(depth + 1, f"{name} = {array}")
            self.emit(depth, "else:")
            self.emit(depth + 1, f"{name} = {self.pick([b, b, f'0.5 * {b}'])}")
            if self.chance(30):
                self.emit(depth + 1, f"{name}[{self.index(s)}] = {number}")
        elif form < 8:
            self.emit(depth, f"{name} = [{', '.join(arrays)}][{self.pick(['n % 2', f'int({test})', 'int(x > 0.0)'])}]")
        elif form < 9:
            self.emit(depth, f"{name} = {a}")
            self.emit(depth, f"if {test}:")
            self.emit(depth + 1, f"{name} = {b}")
        elif form < 10:
            self.emit(depth, f"{name} = {a}[::-1] if {test} else {b}")
        else:
            self.emit(depth, f"for {index} in range({self.pick(['n', '3'])}):")
            inside = depth + 1
            choices = [f"{a} if {self.pick([f'{index} == 1', test])} else {b}", f"[{a}, {b}][{index} % 2]"]
            self.emit(inside, f"{name} = {self.pick(choices)}")
        k = self.pick([index, "0"]) if inside > depth else self.index(s)
        steps = [f"{name}[{k}] = {number}", f"{name}[{k}] += np.tanh({a}[1])", f"{a}[{k}] = {number} * {name}[1]",
                 f"{b}[1:] = 0.5 * {name}[:-1]", f"{name} *= 0.5", f"{b} += np.tanh({name}) * {number}"]  # fmt: skip
        for _ in range(1 + self.choose(3)):
            self.emit(inside, self.pick(steps))
        for made in [name, *arrays] if inside == depth else arrays:
            if self.chance(70) and made not in s.vectors:
                self.know(s.vectors, made)

    def about_names(self, s: Scope, depth: int, loop: bool) -> None:
        """Names of things to do: in lists that are joined, cut and changed, and in variables that loops carry."""
        u, target, index, tag = self.pick(s.vectors), self.pick(s.numbers), self.fresh("i"), self.fresh("tag")
        number, other = self.bounded(self.number(s, 1), True), self.pick([*s.numbers, "0.5"])
        ways = [f"{target} * 0.5 + {number}", f"math.tanh({target} * {other})", f"{target} + 0.1 * {u}[{index}]",
                f"math.tanh({number})", f"{target} * 0.25 + {other}"]  # fmt: skip
        if self.chance(40):
            two = ["'up' 'down'", "None 'up'", "0 1.5", "('up',0.5) ('down',1.5)", "None 1.5", "0 'down'"]
            first, rest = self.pick(two).split()
            self.emit(depth, f"{tag} = {first}")
            self.emit(depth, f"for {index} in {self.pick(['range(n)', 'range(3)', 'range(n - 1)'])}:")
            test = self.pick([f"{tag} == {first}", f"{tag} != {rest}", f"{tag} == {first} or {index} > 1"])
            self.emit(depth + 1, f"if {test}:")
            self.emit(depth + 2, f"{target} = {self.pick(ways)}")
            self.emit(depth + 2, f"{tag} = {rest}")
            self.emit(depth + 1, "else:")
            self.emit(depth + 2, f"{target} = {self.pick(ways)}")
            if self.chance(60):
                self.emit(depth + 2, f"{tag} = {self.pick([first, rest, first])}")
            self.emit(depth, f"if {tag} == {self.pick([first, rest])}:")
            self.emit(depth + 1, f"{target} = math.tanh({target} * 1.5)")
            return
        names = self.fresh("names")
        starts = ["['a'] * n + ['b']", "['b'] + ['a'] * n", "['a'] * (n - 1) + ['c'] + ['b'] * n",
                  "['a', 'b', 'c'][:n]", "list('abcab')", "sorted(['b'] * n + ['a'])",
                  "['a'] * n", "['b'] + [None] * n", "[]"]  # fmt: skip
        if not self.plain:
            starts += ["['a' for _ in range(n)]", "['a' if k % 2 else 'b' for k in range(4)]", "[*'ab', *['c'] * n]"]
        start = self.pick(starts)
        self.emit(depth, f"{names} = {start}")
        if start == "[]":
            self.emit(depth, f"for {index} in range(n):")
            self.emit(depth + 1, f"{names}.append({self.pick([repr('a'), repr('ab') + f'[{index} % 2]'])})")
        for _ in range(self.choose(3)):
            changes = [f"{names}[0] = 'b'", f"{names}[-1:] = ['c']", f"{names}.append('b')", f"{names} += ['c', 'a']",
                       f"{names}.insert(0, 'c')", f"{names}.reverse()", f"{names} = {names}[::-1]",
                       f"{names} = {names} + ['b'] if n > 1 else {names}", f"{names} = {names}[:1] + {names}",
                       f"{names}[:1] *= 2"]  # fmt: skip
            self.emit(depth, self.pick(changes))
        kind = self.choose(4)
        e = self.fresh("e")
        if kind == 0 and not self.plain:
            a, b = self.pick([e, f"{e} * {number}"]), self.pick([f"{e} ** 2", other])
            total = f"sum({a} if {tag} == 'a' else {b} for {tag}, {e} in zip({names}, {u}))"
            self.emit(depth, f"{target} = math.tanh({total})")
        elif kind == 1:
            self.emit(depth, f"{target} = math.tanh({target} + {names}.count('a') * {number} + 0.1 * len({names}))")
        elif kind == 2:
            table = self.fresh("t")
            self.emit(depth, f"{table} = {{'a': {number}, 'b': {other}, 'c': 0.5, None: 1.5}}")
            self.emit(depth, f"for {tag} in {names}:")
            self.emit(depth + 1, f"{target} = math.tanh({target} * {table}[{tag}])")
        else:
            over = f"for {index}, {tag} in enumerate({names}[:5]):"
            self.emit(depth, over)
            self.emit(depth + 1, f"if {tag} == 'a':")
            self.emit(depth + 2, f"{target} = {self.pick(ways)}")
            self.emit(depth + 1, f"elif {tag} {self.pick(['is None', '== ' + repr('c'), 'in ' + repr(('b', 'c'))])}:")
            self.emit(depth + 2, f"{target} = {self.pick(ways)}")
            self.emit(depth + 1, f"{target} = {self.bounded(target, True)}")

    def about_draining(self, s: Scope, depth: int, loop: bool) -> None:
        """Lists that comprehensions, iterators and functions change on the way, and slices that have a name."""
        items, target, u = self.fresh("q"), self.pick(s.numbers), self.pick(s.vectors)
        number, small = self.bounded(self.number(s, 1), True), self.pick(s.numbers)
        starts = [f"[{number}, {small}, 0.5, 1.5]", "[0.5, 1.5, 2.5, 0.25]", f"list({u})[:4]", f"[{small}] * 4"]
        self.emit(depth, f"{items} = {self.pick(starts)}")
        self.know(s.lists, items)
        t, k, cut = self.fresh("t"), self.fresh("k"), self.fresh("cut")
        kind = self.choose(8)
        if kind < 3 and not self.plain:
            forms = [f"sum([{items}.pop() for {k} in range(n - 1)])", f"sum({items}.pop() for {k} in range(n - 1))",
                     f"sum([{items}.append(0.5 * {k}) or len({items}) for {k} in range(n)])",
                     f"len({{{k}: {items}.pop(0) for {k} in range(2)}})",
                     f"len(list(map({items}.append, {u}[:2])))",
                     f"max([{items}.pop() * {small} for {k} in range(2)])",
                     f"sum([{items}.insert(0, {number}) or {k} for {k} in range(n)])",
                     f"any({items}.pop() > 9.0 for {k} in range(n))"]  # fmt: skip
            self.emit(depth, f"{t} = {self.pick(forms)}")
            self.emit(depth, f"{target} = math.tanh({target} + 0.1 * {t} + 0.1 * len({items}))")
        elif kind < 6:
            bounds = ["1, None", "0, 2", "None, None, -1", "1, n", "n", "-2, None", "None, n"]
            self.emit(depth, f"{cut} = slice({self.pick(bounds)})")
            forms = [f"{target} = math.tanh(sum({items}[{cut}]) + np.sum({u}[{cut}]))",
                     f"{u}[{cut}] = {number}", f"{target} = math.tanh(np.sum({u}[{cut}] ** 2) * {small})",
                     f"{items} = {items}[{cut}] + [{number}]", f"{u}[{cut}] *= 0.5",
                     f"{items}[1:3] = {items}[{cut}]"]  # fmt: skip
            for _ in range(1 + self.choose(2)):
                self.emit(depth, self.pick(forms))
        elif kind < 7:
            forms = [f"{items}[1:] += [{number}]", f"{items}[:2] *= 2", f"{items}[:1] += {items}[2:]"]
            self.emit(depth, self.pick(forms))
        else:
            run = self.fresh("it")
            self.emit(depth, f"{run} = iter({items})")
            self.emit(depth, f"{target} = math.tanh(next({run}) * {small})")
            if self.chance(50):
                self.emit(depth, f"{target} = math.tanh({target} + sum({run}))")

    def about_worklists(self, s: Scope, depth: int, loop: bool) -> None:
        """Lists, sets, dicts and deques of numbers that are not active, and change while active values are computed."""
        c, k, t = self.fresh("c"), self.fresh("k"), self.fresh("t")
        target, small, u = self.pick(s.numbers), self.pick(s.numbers), self.pick(s.vectors)
        lists = (
            ["list(np.arange(4.0))", "[1, 2, 3]", "sorted([2.0, 1.0])", "list(range(n))", "np.ones(3).tolist()", "[]",
             "deque([2, 1])", "deque(range(3))"],
            [f"{c}.append({k})", f"{c}.insert(0, 2 * {k})", f"{c} += [0.5]", f"{c}.extend(range({k}))",
             f"{c}.append(1)", f"{c}.append({k}) or {c}.append(2)", f"{k} > 0 and {c}.pop()", f"{c}.append(len({c}))"],
            [f"sum({c})", f"({c}[-1] if {c} else 1)", f"({c}.append(0.5) or len({c}))", f"({c}.pop() if {c} else 2)",
             f"max({c}, default=1)", f"sum([{c}.append(1) or len({c}) for _ in range(2)])",
             f"(0, len({c}), {c}.append(3))[1]"],
        )  # fmt: skip
        sets = (
            ["set()", "{0}", "{1, 2}", "set(range(n))", "{n, 1}"],
            [
                f"{c}.add({k})",
                f"{c}.discard({k})",
                f"{c} |= {{{k}, 7}}",
                f"{c}.update(range({k}))",
                f"{c}.add(len({c}))",
            ],
            [f"sum({c})", f"(1.0 if {k} in {c} else 0.5)", f"max({c}, default=1)", f"({c}.add(9) or len({c}))"],
        )
        dicts = (
            ["{}", "{0: 1.0}", "dict(zip('abc', (1.0, 2.0, 0.5)))", "{k: 0.5 for k in range(n)}",
             "dict.fromkeys(range(2), 1)"],
            [f"{c}[{k}] = 0.5 * {k}", f"{c}.setdefault({k}, 1.5)", f"{c}.pop({k}, None)",
             f"{c}[{k}] = {c}.get({k}, 0) + 1", f"{c}.update({{{k}: 2.0}})"],
            [f"sum({c}.values())", f"{c}.get({k}, 0.5)", f"(1.0 if {k} in {c} else 2.0)", f"{c}.pop({k}, 0.25)"],
        )  # fmt: skip
        starts, changes, reads = self.pick([lists, lists, sets, dicts])
        reads = [f"len({c})", *reads]
        self.emit(depth, f"{c} = {self.pick(starts)}")
        other = self.chance(25)
        if other:
            self.emit(depth, f"{t} = {c}")
            reads = [f"len({t})", *reads]
        self.emit(depth, f"for {k} in range({self.pick(['n', '3', 'n - 1'])}):")
        for _ in range(1 + self.choose(2)):
            form = self.choose(3)
            if form:
                self.emit(depth + 1, self.pick(changes))
            if form < 2:
                forms = [f"{target} = math.tanh({target} + 0.1 * {self.pick(reads)} * {small})",
                         f"{target} = {target} * 0.5 + math.tanh({small} / (1.0 + {self.pick(reads)} ** 2))",
                         f"{u}[len({c}) % 3] = {small} * 0.5",
                         f"{target} = math.tanh(np.sum({u}[: len({c})]) + {target})"]  # fmt: skip
                if self.chance(30):
                    tests = [f"len({c}) > {1 + self.choose(3)}", f"{k} in {c}", f"not {c}", c, f"sum({c}) > 3",
                             f"len({c}) == {k}"]  # fmt: skip
                    self.emit(depth + 1, f"if {self.pick(tests)}:")
                    self.emit(depth + 2, self.pick(changes if self.chance(30) else forms))
                    if self.chance(40):
                        self.emit(depth + 1, "else:")
                        self.emit(depth + 2, self.pick([*forms, "break"]))
                elif self.chance(20):
                    e = self.fresh("e")
                    items = [f"sorted({c})", f"list({c})", c, f"list({c})[:2]"]
                    self.emit(depth + 1, f"for {e} in {self.pick(items)}:")
                    self.emit(depth + 2, f"{target} = math.tanh({target} + 0.1 * {e} * {small})")
                else:
                    self.emit(depth + 1, self.pick(forms))
        if starts is not dicts[0] and self.chance(25):
            self.emit(depth, f"while {self.pick([c, f'len({c}) > 1', f'{c} and sum({c}) > 1'])}:")
            self.emit(depth + 1, f"{t} = {c}.pop()")
            self.emit(depth + 1, f"{target} = math.tanh({target} + 0.1 * {t} * {small} * len({c}))")
        self.emit(depth, f"{target} = math.tanh({target} + 0.1 * {self.pick([f'len({c})', f'len({c}) * {small}'])})")

    def about_tallies(self, s: Scope, depth: int, loop: bool) -> None:
        """Arrays of numbers that are not active, change in place, and say how often, how far, where and whether."""
        c, k, j = self.fresh("c"), self.fresh("k"), self.fresh("t")
        target, small, u = self.pick(s.numbers), self.pick(s.numbers), self.pick(s.vectors)
        whole = [
            "np.zeros(4, int)", "np.array([2, 0, 1, 3])", "np.arange(4)", "np.ones(4, dtype=int)",
            "np.bincount([0, n], minlength=4)", f"np.argsort({u})[:4]", "np.full(4, n)", "np.zeros((2, 4), int)[1]",
        ]  # fmt: skip
        self.emit(depth, f"{c} = {self.pick(whole)}")
        changes = [f"{c}[{k}] += 1", f"{c}[0], {c}[1] = {c}[1], {c}[0]", f"{c}[{k}] = {c}[{k} - 1]",
                   f"{c}[1:] = {c}[:-1]", f"{c} += 1", f"{c}[::-1] = {c} + 0", f"{c}[{c} > 2] = 0", f"{c}.sort()",
                   f"np.add.at({c}, [{k}, 0], 1)", f"np.minimum({c}, 2, out={c})",
                   f"{c}[[0, {k}]] = {c}[[{k}, 0]]", f"{c} = {c}[::-1]", f"{c} = {c} + 1",
                   f"{c}[{k}] -= {small} > 0.5", f"{c}[:2] *= 0", f"{c}.fill({k})"]  # fmt: skip
        second = self.chance(35)
        if second:
            self.emit(depth, f"{j} = {self.pick([c, f'{c}[::-1]', f'{c}[1:]', f'{c}.copy()', f'{c}[:3]'])}")
            changes += [f"{j}[0] += 1", f"{j}[{k} % 3] = {k}", f"{c}, {j} = {c}.copy(), {c}"]
        read = self.pick([c, c, j]) if second else c
        one = self.pick([f"{read}[0]", f"{read}[{k} % 3]", f"{read}[-1]", f"int({read}.max())", f"{c}.sum() % 4"])
        self.emit(depth, f"for {k} in range({self.pick(['n', '3', 'n - 1'])}):")
        uses = [f"{target} = math.tanh({target} + 0.1 * {one} * {small})", f"{u}[{one} % 5] = {small} * 0.5",
                f"{target} = math.tanh({target} * {u}[{one} % 5])", f"{u}[: {one}] *= math.tanh({small})",
                f"{target} = math.tanh({target} + np.sum({u}[{one} % 3 :]))", f"{u}[{read}[:2] % 5] *= 0.5",
                f"{target} = {target} * 0.5 + math.tanh({small} / (1.0 + {one} ** 2))",
                f"{target} = math.tanh(np.sum({u}[{read} % 5]) * {small})",
                f"{target} = math.tanh({u}[:3] @ {read}[:3])",
                f"{u}[1:4] = 0.5 * {u}[1:4] + 0.1 * {small} * {read}[:3]", f"{target} *= {one} * 0.1",
                f"{target} = math.tanh(np.where({read}[:3] > 1, {u}[:3], {small}).sum())",
                f"{target} = math.tanh(np.sum(np.full({one} % 4, {small})))"]  # fmt: skip
        lines = [self.pick(uses), self.pick(changes)] + ([self.pick(uses + changes)] if self.chance(50) else [])
        if self.chance(40):
            lines = lines[::-1]
        for line in lines:
            form = self.choose(10)
            if form < 2:
                tests = [f"{one} > {self.choose(3)}", f"{read}[0] == {k}", f"{c}.any()", f"({c} > 1).all()",
                         f"not {read}[-1]"]  # fmt: skip
                self.emit(depth + 1, f"if {self.pick(tests)}:")
                self.emit(depth + 2, line)
                if self.chance(30):
                    self.emit(depth + 1, "else:")
                    self.emit(depth + 2, self.pick([*uses, "break", "continue"]))
            elif form < 3:
                e = self.fresh("e")
                items = [f"range({one} % 4)", f"{read}[:3]", f"{read}.tolist()"]
                self.emit(depth + 1, f"for {e} in {self.pick(items)}:")
                self.emit(depth + 2, f"{target} = math.tanh({target} + 0.1 * {e} * {small})")
                if self.chance(50):
                    self.emit(depth + 2, line)
            else:
                self.emit(depth + 1, line)
        if self.chance(25):
            self.emit(depth, f"{c}[:] = {c} % 4")
            self.emit(depth, f"while {c}[0] < 6:")
            self.emit(depth + 1, f"{target} = math.tanh({target} + 0.1 * {c}[0] * {small})")
            self.emit(depth + 1, f"{c}[0] += {self.pick(['1', f'1 + {c}[0]', f'1 + int({small} > 0.4)'])}")
        if self.chance(60):
            read = self.pick([f"{c}[0]", f"{c}.sum()", f"len({c})"])
            self.emit(depth, f"{target} = math.tanh({target} + 0.1 * {read} * {small})")

    def about_books(self, s: Scope, depth: int, loop: bool) -> None:
        """Lists in lists and dicts, heaps, counters and objects of numbers that are not active, changed by the run."""
        c, k, e = self.fresh("c"), self.fresh("k"), self.fresh("e")
        target, small, u = self.pick(s.numbers), self.pick(s.numbers), self.pick(s.vectors)
        rows = (
            ["[[1], [0, 2], []]", "[[0] * 2 for _ in range(3)]", "[[] for _ in range(3)]", "[[1, 2]] * 3"],
            [f"{c}[{k}].append({k})", f"{c}[{k}] = {c}[{k} - 1]", f"{c}[0] = {c}[0] + [2]", f"{c}[-1] += [1]",
             f"{c}[0], {c}[1] = {c}[1], {c}[0]", f"{c}.append([{k}])", f"{c}[{k}].insert(0, 3)", f"{c}[1] = [{k}]",
             f"{c}[{k}] and {c}[{k}].pop()"],
            [f"len({c}[{k}])", f"sum({c}[0])", f"({c}[1][0] if {c}[1] else 2)", f"len({c})", f"sum(map(len, {c}))",
             f"max({c}[{k}], default=1)"],
            [f"{c}[{k}]", f"{c}[0]", f"sorted({c}[1])"],
        )  # fmt: skip
        graph = (
            ["{0: [1], 1: [2], 2: []}", "{j: [j] for j in range(3)}", "{0: [], 1: [1], 2: [0, 1]}"],
            [f"{c}[{k}].append(1)", f"{c}[0] = [{k}]", f"{c}.setdefault({k} + 1, []).append({k})", f"{c}[{k}] = {c}[0]",
             f"{c}[{k}] = {c}[{k}] + [1]", f"{c}[0].reverse()"],
            [f"len({c}[{k}])", f"sum({c}[0])", f"len({c})", f"sum(len(q) for q in {c}.values())",
             f"(1 if 1 in {c}[{k}] else 3)"],
            [f"{c}[{k}]", f"{c}[0]"],
        )  # fmt: skip
        heap = (
            ["[(2, 0), (3, 1)]", "[(0.5, 1)]", "[(1, n), (2, 0)]"],
            [f"heapq.heappush({c}, ({k} * 0.5, {k}))", f"heapq.heappop({c})", f"{c}.append((9.0, {k}))",
             f"heapq.heapreplace({c}, (4.0, {k}))"],
            [f"(heapq.heappop({c})[1] if {c} else 1)", f"({c}[0][0] if {c} else 0.5)", f"len({c})",
             f"sum(q[0] for q in {c})"],
            [f"[q[1] for q in {c}]"],
        )  # fmt: skip
        book = (
            ["Book()", "Book(2)", "Book(n)"],
            [f"{c}.note({k})", f"{c}.turn += 2", f"{c}.seen.append({k})", f"{c}.seen = [{k}]", f"{c}.by[{k}] = 4",
             f"{c}.seen[-1] += 1"],
            [f"{c}.note({k})", f"{c}.often({k})", f"{c}.last", f"{c}.turn", f"len({c}.seen)", f"{c}.by.get(0, 2)",
             f"sum({c}.seen)", f"len({c}.by)"],
            [f"{c}.seen", f"{c}.seen[:2]"],
        )  # fmt: skip
        tally = (
            ["defaultdict(int)", "Counter()", "defaultdict(list)"],
            [f"{c}[{k} % 2] += 1", f"{c}[{k}] += 2"],
            [f"{c}[0]", f"{c}[{k}]", f"len({c})", f"sum({c}.values())", f"(1 if 1 in {c} else 3)"],
            [f"sorted({c})", c],
        )  # fmt: skip
        kinds = [rows, rows, graph, heap, tally] + ([] if self.plain else [book, book])
        kind = kinds[self.choose(len(kinds))]
        starts, changes, reads, items = kind
        start = self.pick(starts)
        if start == "defaultdict(list)":
            changes = [f"{c}[{k} % 2].append({k})", f"{c}[{k}] = {c}[0]"]
            reads = [f"len({c}[0])", f"sum({c}[{k}])", f"len({c})", f"sum(map(len, {c}.values()))"]
            items = [f"{c}[0]"]
        self.emit(depth, f"{c} = {start}")
        if self.chance(25):
            other = self.fresh("c")
            inner = {id(rows): f"{c}[0]", id(graph): f"{c}[1]", id(book): f"{c}.seen"}.get(id(kind), c)
            self.emit(depth, f"{other} = {inner}")
            reads = [*reads, f"len({other})", f"len({other})"]
            changes = changes + ([f"{other}.append(2)"] if inner != c else [])
        self.emit(depth, f"for {k} in range({self.pick(['n', '3', 'n - 1'])}):")
        for _ in range(2 + self.choose(2)):
            form = self.choose(6)
            read = self.pick(reads)
            forms = [f"{target} = math.tanh({target} + 0.1 * {read} * {small})",
                     f"{target} = {target} * 0.5 + math.tanh({small} / (1.0 + {read} ** 2))",
                     f"{u}[int({read}) % 5] = {small} * 0.5", f"{u}[: int({read}) % 5] *= 0.5",
                     f"{target} = math.tanh({u}[int({read}) % 5] + {target})"]  # fmt: skip
            if form < 2:
                self.emit(depth + 1, self.pick(changes))
            elif form < 3:
                self.emit(depth + 1, f"for {e} in {self.pick([*items, f'range(int({read}) % 4)'])}:")
                self.emit(depth + 2, f"{target} = math.tanh({target} + 0.1 * {e} * {small})")
            elif form < 4:
                self.emit(depth + 1, f"if {read} {self.pick(['> 1', '== 1', '< 2'])}:")
                self.emit(depth + 2, self.pick([*forms, *changes]))
                if self.chance(40):
                    self.emit(depth + 1, "else:")
                    self.emit(depth + 2, self.pick([*forms, *changes, "break"]))
            else:
                self.emit(depth + 1, self.pick(forms))
        end = self.pick([r.replace(k, "0") for r in reads])
        self.emit(depth, f"{target} = math.tanh({target} + 0.1 * {end} * {small})")

    def about_nests(self, s: Scope, depth: int, loop: bool) -> None:
        """Containers of numbers that are not active in containers of all kinds: read, and changed, by several names."""
        c, k, e = self.fresh("c"), self.fresh("k"), self.fresh("e")
        target, small, u = self.pick(s.numbers), self.pick(s.numbers), self.pick(s.vectors)
        kinds = {
            "[]": ["@.append({k})", "@.extend([{k}, 1])", "@.insert(0, {k})", "@[:] = [{k}, 2]", "@ and @.pop()",
                   "heapq.heappush(@, {k})", "@.reverse()", "@.clear()"],
            "{{}}": ["@.setdefault({k}, 2)", "@[{k}] = 2", "@.update({{{k}: 1}})", "@.pop({k}, 0)", "@ |= {{{k}: 1}}",
                     "@[1] = @.get(1, 0) + 1"],
            "set()": ["@.add({k})", "@ |= {{{k}}}", "@.discard({k})", "@.update([{k}, 7])"],
            "defaultdict(int)": ["@[{k}] += 1", "@.setdefault({k}, 2)", "@[{k}]"],
            "Counter()": ["@[{k}] += 1", "@.update([{k}])"],
        }  # fmt: skip
        made, changes = self.pick(list(kinds.items()))
        start = made.format()
        starts = {"[]": ["[]", "[1]", "[2, 0]", "list(range(2))"], "{{}}": ["{}", "{0: 1}", "dict(zip([1], [2]))"],
                  "set()": ["set()", "set([0])"]}  # fmt: skip
        start = self.pick(starts.get(made, [start]))
        many = f"range({self.pick(['3', 'n + 1'])})"
        holders = [
            (f"[{start} for _ in {many}]", "{c}[{h}]"), (f"[{start}, {start}, {start}]", "{c}[{h}]"),
            (f"{{j: {start} for j in {many}}}", "{c}[{h}]"), (f"({start}, {start}, {start})", "{c}[{h}]"),
            (f"[(j, {start}) for j in {many}]", "{c}[{h}][1]"), (f"[[{start}] for _ in {many}]", "{c}[{h}][0]"),
            (f"{{0: {start}, 1: {start}, 2: {start}}}", "{c}[{h}]"), (f"defaultdict(lambda: {start})", "{c}[{h}]"),
        ]  # fmt: skip
        holder, place = self.pick(holders)
        if self.chance(25):
            self.emit(depth, f"{c} = []")
            self.emit(depth, f"for {k} in {many}:")
            self.emit(depth + 1, f"{c}.append({start})")
            place = "{c}[{h}]"
        else:
            self.emit(depth, f"{c} = {holder}")
        place = place.format(c=c, h=self.pick(["0", "1", f"{k} % 2", f"{k} % 3", k]))
        other = place
        self.emit(depth, f"for {k} in range({self.pick(['n', '3', 'n + 1'])}):")
        if self.chance(35):
            self.emit(depth + 1, f"{e} = {place}")
            other = self.pick([e, e, place])
        reads = ["len(@)", "sum(@)", "(2 if @ else 1)", "(1 if 1 in @ else 3)", "sum(1 for q in @)"]
        for _ in range(2 + self.choose(2)):
            read = self.pick(reads).replace("@", self.pick([place, place, other]))
            change = self.pick(changes).format(k=self.pick([k, "1", f"{k} + 1"])).replace("@", other)
            forms = [f"{target} = math.tanh({target} + 0.1 * {read} * {small})", f"{u}[{read} % 5] = {small} * 0.5",
                     f"{target} = {target} * 0.5 + math.tanh({small} / (1.0 + {read} ** 2))",
                     f"{target} = math.tanh({u}[{read} % 5] + {target})"]  # fmt: skip
            form = self.choose(6)
            if form < 3:
                self.emit(depth + 1, change)
            elif form < 4:
                self.emit(depth + 1, f"if {read} {self.pick(['> 1', '== 1', '< 2'])}:")
                self.emit(depth + 2, self.pick([*forms, change]))
            else:
                self.emit(depth + 1, self.pick(forms))
        if self.chance(50):
            last = place.replace(k, "1")
            read = self.pick([f"len({last})", f"len({c})"])
            self.emit(depth, f"{target} = math.tanh({target} + 0.1 * {read} * {small})")

    def about_shared(self, s: Scope, depth: int, loop: bool) -> None:
        """One container of active values in another: changed under one of its names, read under the other."""
        u, h, k, e, i = self.fresh("c"), self.fresh("h"), self.fresh("k"), self.fresh("e"), self.fresh("i")
        target, small, other = self.pick(s.numbers), self.pick(s.numbers), self.pick(s.numbers)
        vector, new = self.pick(s.vectors), f"math.tanh({self.pick(s.numbers)} * {self.pick(s.numbers)})"
        made = self.pick([
            f"[{small}, {other}]", f"[0.5, {small}]", "[]", f"list({vector}[:3])", "[1.0, 2.0]", "[1, 2]",
            f"[v * {small} for v in {vector}]", f"{{0: {small}, 1: {other}}}", f"{{0: 0.5, 1: {small}}}",
            f"[[{small}], [{other}, 0.5]]", "[[1.0], [0.5, 2.0]]",
        ])  # fmt: skip
        kind = "dict" if made[0] == "{" else "nested" if made[:2] == "[[" else "list"
        changes = {
            "list": ["@.append({new})", "@.extend([{new}, 0.5])", "@ += [{new}]", "@.insert(0, {new})",
                     "@[:] = [{new}]", "@ and @.pop()", "@.clear()", "@.reverse()", "@[-1:] = [{new}]", "@ *= 2",
                     "@.append(0.25)"],
            "dict": ["@[0] = {new}", "@[{k}] = {new}", "@.update({{1: {new}}})", "@[0] += {new}", "@.pop(1, None)"],
            "nested": ["@[0].append({new})", "@.append([{new}])", "@[0][0] = {new}", "@[1] = [{new}]",
                       "@[0] += [{new}]", "@[{k} % 2].append({new})"],
        }  # fmt: skip
        reads = {
            "list": ["sum(@)", "len(@)", "sum(v * v for v in @)", "(@[-1] if @ else 0.5)"],
            "dict": ["sum(@.values())", "len(@)", "@.get(0, 0.5)", "@.get(1, 0.5)"],
            "nested": ["sum(@[0])", "len(@)", "sum(sum(v) for v in @)", "len(@[1])"],
        }
        holders = [
            (f"{{{k}: {u}}}", f"{h}[{k}]"), (f"[{u}, {u}]", f"{h}[{k} % 2]"), (f"[{u}] * 3", f"{h}[{k}]"),
            (f"[{u} for _ in range(3)]", f"{h}[{k}]"), (f"{{j: {u} for j in range(3)}}", f"{h}[{k}]"),
            (f"({u}, 1)", f"{h}[0]"), (f"[({i}, {u}) for {i} in range(3)]", f"{h}[{k}][1]"),
            (f"[[{u}], [{u}]]", f"{h}[1][0]"), (f"{u} if {small} > -9.0 else {u}", h),
            (f"dict.fromkeys(range(3), {u})", f"{h}[{k}]"), (u, h),
        ]  # fmt: skip
        holder, place = self.pick(holders)
        self.emit(depth, f"{k} = {self.pick(['1', '2', f'(1 if {small} > 0.1 else 2)'])}")
        self.emit(depth, f"{u} = {made}")
        self.emit(depth, f"{h} = {holder}")
        changed, read = self.pick([(u, place), (place, u), (u, u)])
        named = self.chance(40)
        if named:
            self.emit(depth, f"{e} = {changed}")
        inner = depth
        form = self.choose(4)
        if form == 0:
            self.emit(depth, f"for {i} in range({self.pick(['n', '2', '3'])}):")
            inner += 1
        elif form == 1:
            self.emit(depth, f"if {small} {self.pick(['>', '<'])} {other}:")
            inner += 1
        for _ in range(1 + self.choose(2)):
            if self.chance(50):
                told = self.pick(reads[kind]).replace("@", self.pick([read, changed]))
                self.emit(inner, f"{target} = math.tanh({target} + 0.3 * {told})")
            change = self.pick(changes[kind]).format(new=new, k=k)
            self.emit(inner, change.replace("@", e if named else changed))
        told = self.pick(reads[kind]).replace("@", read)
        self.emit(depth, f"{target} = math.tanh({target} * 0.5 + 0.3 * {told})")

    def about_moves(self, s: Scope, depth: int, loop: bool) -> None:
        """Objects and namedtuples that say themselves what operators mean."""
        target, index = self.pick(s.numbers), self.fresh("i")
        number, small = self.bounded(self.number(s, 1), True), self.pick(s.numbers)
        if self.plain:
            self.emit(depth, f"{target} = {number}")
            return
        p, q = self.fresh("p"), self.fresh("p")
        if self.chance(40):
            made = [f"Rate({number})", f"Steep({number}, {small})", f"Steep(0.5, {number})"]
            repeated = self.chance(50)
            made = made[:1] if repeated else made  # (whose class stays)
            self.emit(depth, f"{p} = {self.pick(made)}")
            self.emit(depth, f"{q} = {p} + {self.pick([*made, small])}")
            if repeated:
                self.emit(depth, f"for {index} in range(n):")
                self.emit(depth + 1, f"{q} = {q} + {self.pick([p, q, 'Rate(0.25)', number])}")
            forms = [f"{q}({small}) + {p}.value()", f"{p}({number}) * {q}.value()", f"sum(c(0.5) for c in ({p}, {q}))"]
            self.emit(depth, f"{target} = math.tanh({self.pick(forms)})")
            return
        self.emit(depth, f"{p} = Move({number}, {small})")
        seconds = [f"{p} * 0.5", f"0.5 * {p}", f"-{p}", f"{p} - Move(0.3, {small})", "Move(1, 0.5)"]
        self.emit(depth, f"{q} = {self.pick(seconds)}")
        if self.chance(60):
            self.emit(depth, f"for {index} in {self.pick(['range(n)', 'range(3)'])}:")
            steps = [f"{p} = {p} * 0.5 + {q} * 0.25", f"{p} += {q} * 0.1", f"{p}, {q} = {q}, {p}",
                     f"{q} = {q} * math.tanh({p} @ {q})", f"{p} = {p} - {q} if {p} < {q} else {q}",
                     f"{q} = {q}._replace(up={small})"]  # fmt: skip
            for _ in range(1 + self.choose(2)):
                self.emit(depth + 1, self.pick(steps))
        forms = [f"{p} @ {q}", f"{p}.far - {q}.along", f"sum([{p}, {q}, {p} * 0.5], Move(0.0, 0.0)).up",
                 f"sorted([{p}, {q}])[0].along", f"({p} - {q}).far", f"{p}.along * {q}[1]"]  # fmt: skip
        self.emit(depth, f"{target} = math.tanh({self.pick(forms)})")

    def about_turns(self, s: Scope, depth: int, loop: bool) -> None:
        """Objects and lists that a loop hands on under other names: changed under one of them, read under another."""
        a, b, c, i = self.fresh("o"), self.fresh("o"), self.fresh("o"), self.fresh("i")
        target, small = self.pick(s.numbers), self.pick(s.numbers)
        vector = self.pick(s.vectors)
        made, part = [("[#, 0.5]", "[0]"), ("{'level': #}", "['level']"), (f"Cell(#, {vector})", ".level")][
            self.choose(2 if self.plain else 3)
        ]
        for name, value in ((a, small), (b, f"{vector}[1]"), (c, self.constant())):
            self.emit(depth, f"{name} = {made.replace('#', value)}")
        moves = [
            f"{a}, {b} = {b}, {a}", f"{a}, {b}, {c} = {b}, {c}, {a}",
            f"{a} = {made.replace('#', f'{vector}[{i}] * {small}')}",
        ]  # fmt: skip
        shared = self.chance(30)  # most programs with objects that may be one are refused
        if shared:
            self.emit(depth, f"{c} = {self.pick([a, c])}")
            moves += [f"{a} = {c} if {i} == 1 else {a}", f"{b} = {a}", f"{a} = same({b})", f"{c} = {b}"]
        new = f"math.tanh({small} * {vector}[{i}])"
        changes = [f"@{part} = {new}", f"@{part} *= {small}", f"@{part} += 0.25"]
        reads = [f"@{part}", f"@{part} * ${part}", *([f"(0.5 if @ is $ else {small})"] if shared else [])]

        def named(text: str) -> str:
            one = self.pick([a, b, c])
            other = self.pick([name for name in (a, b, c) if name != one])
            return text.replace("@", one).replace("$", other)

        self.emit(depth, f"for {i} in range({self.pick(['n', '2', '3'])}):")
        for _ in range(1 + self.choose(3)):
            which = self.choose(3)
            told = f"{target} = math.tanh({target} * 0.5 + {named(self.pick(reads))})"
            self.emit(depth + 1, [self.pick(moves), named(self.pick(changes)), told][which])
        self.emit(depth + 1, self.pick(moves))
        if self.chance(60):
            self.emit(depth, named(self.pick(changes)).replace(f"[{i}]", "[0]"))
        self.emit(depth, f"{target} = math.tanh({target} + {named(self.pick(reads))})")

    def about_lazy(self, s: Scope, depth: int, loop: bool) -> None:
        """Iterators that are run through in a loop which changes what they run over, or what they ask."""
        u, e, c = self.fresh("u"), self.fresh("e"), self.fresh("c")
        target, small, vector = self.pick(s.numbers), self.pick(s.numbers), self.pick(s.vectors)
        self.emit(depth, f"{u} = {self.pick([f'list({vector})', f'{vector}.copy()', f'[{small}, 0.5, {vector}[1]]'])}")
        self.emit(depth, f"{c} = {self.constant()}")
        runs = [
            f"filter(lambda q: q < {c}, {u})", f"itertools.islice({u}, 2)", f"itertools.accumulate({u})",
            f"itertools.takewhile(lambda q: q < {c}, {u})", f"map(lambda q: q * {c}, {u})", f"reversed({u})",
            f"itertools.chain({u}, [{small}])", f"({e} * {c} for {e} in {u})", f"zip_first({u}, {vector})",
            f"iter({u})",
        ]  # fmt: skip
        self.emit(depth, f"for {e} in {self.pick(runs)}:")
        body = [f"{target} = math.tanh({target} + {e} * {small})"]
        if self.chance(50):
            body.append(self.pick([f"{u}[1] = {small} * {e}", f"{c} = {c} * 0.5", f"{u}[0] = 0.25", f"{c} = {e}"]))
        if self.chance(20):
            body.append("break")
        for line in body:
            self.emit(depth + 1, line)
        self.emit(depth, f"{target} = math.tanh({target} + {u}[1])")

    def about_iterators(self, s: Scope, depth: int, loop: bool) -> None:
        """Iterators that have a name, handed to what takes an iterable; what they run over may change before that."""
        u, e, c, m = self.fresh("u"), self.fresh("e"), self.fresh("c"), self.fresh("m")
        target, small, vector = self.pick(s.numbers), self.pick(s.numbers), self.pick(s.vectors)
        self.emit(depth, f"{u} = {self.pick([f'list({vector})', f'{vector}.copy()', f'[{small}, 0.5, {vector}[1]]'])}")
        self.emit(depth, f"{c} = {self.pick([self.constant(), small])}")
        makes = [
            f"map(math.sin, {u})", f"map(lambda q: q * {c}, {u})", f"({e} * {c} for {e} in {u})", f"reversed({u})",
            f"({e} * {c} for {e} in {u} if {e} > {c} - 1.0)", f"filter(lambda q: q < {c} + 1.0, {u})", f"iter({u})",
            f"itertools.chain({u}, [{small}])", f"itertools.islice({u}, 1, 4)", f"itertools.accumulate({u})",
            f"(p * q for p, q in zip({u}, {vector}))", f"itertools.chain.from_iterable([{u}, [{c}], {u}])",
            f"map(lambda p, q: p - q, {u}, {vector})", f"(touch({u}, 0.5) + {e} for {e} in [{small}, {c}])",
            f"itertools.starmap(lambda p, q: p * q, zip({u}, {vector}))",
        ]  # fmt: skip
        doubles = [
            f"zip({u}, {vector})",
            f"enumerate({u})",
            f"itertools.pairwise({u})",
            f"zip({u}, map(math.cos, {u}))",
        ]
        uses = [
            "sum(@)", "sum(sorted(@)[:2])", "sorted(@)[-1]", "max(@)", "min(@, default=0.5)", "sum(list(@))",
            "math.fsum(@)", "math.prod(@)", "np.sum(np.array(list(@)))", "np.sum(np.fromiter(@, dtype=float))",
            "[*@][0]", "(lambda first, *rest: first * sum(rest))(*@)", "functools.reduce(lambda p, q: 0.5 * p + q, @)",
            "sum(tuple(@)[1:])", f"sum(p * q for p, q in zip(@, {vector}))",
            "sum(q * (k + 1) for k, q in enumerate(@))",
            "next(@) * sum(@)", "next(@) - next(@)", "first_and_sum(@)", "count(@)", "steps(@)",
            "sum(q * q for q in @)",
            "sum(map(lambda q: q * q, @))", "sum([q * 0.5 for q in @ if q > -0.5])", "dict(enumerate(@))[0]",
            "sum(p * q for p, q in zip(@, @))", "float(any(q > 0.5 for q in @))", "sum(itertools.islice(@, 2))",
            "sum({k: q for k, q in enumerate(@)}.values())", f"sum([{c}, *@])", f"sum([{c}] + list(@))", "next(@, 0.5)",
            "np.sum(np.cumsum(list(@)))", "sum(itertools.accumulate(@))", "same(list(@))[0]",
            "len(list(@))", f"float({c} in @)", "sum(reversed(list(@)))", "np.dot(*[np.array([*@])] * 2)",
            "sorted(@, key=lambda q: -q)[0]", "max(@, key=lambda q: q * q)", "sum(deque(@, 2))", "sum(@, 0.5)",
        ]  # fmt: skip
        double_uses = [
            "sum(p * q for p, q in @)", "sum(q for p, q in list(@))", "next(@)[1] * sum(p for p, q in @)",
            "sum(p - q for p, q in sorted(@))", "sum(dict(@).values())", "max(@)[1]",
            "sum(itertools.starmap(smooth, @))",
            "sum(map(lambda pair: pair[0] * pair[1], @))", "list(@)[-1][1]", "[*@][0][1]", "sum(list(zip(*@))[1])",
            "min(@, key=lambda pair: pair[1])[0]",
        ]  # fmt: skip
        if self.plain:
            makes, uses, double_uses = ([f for f in forms if " for " not in f] for forms in (makes, uses, double_uses))
        double = self.chance(20)
        use = self.pick(double_uses if double else uses)
        made = self.pick(doubles if double else makes)
        if self.chance(20):  # made in one function, run through in another
            self.emit(depth, f"{m} = (lambda: {made})()")
        elif self.chance(20):
            self.emit(depth, f"{m} = same({made})")
        else:
            self.emit(depth, f"{m} = {made}")
        if self.chance(25):
            self.emit(
                depth, self.pick([f"{u}[1] = {small} * 0.5", f"{c} = {c} * 0.5", f"{c} = 0.25", f"{u} = [{c}, 1.5]"])
            )
        kind = self.choose(10)
        if kind < 1 and not double:
            k, rest = self.fresh("k"), self.fresh("l")
            self.emit(depth, f"{k}, *{rest} = {m}")
            self.emit(depth, f"{target} = math.tanh({k} + sum({rest}))")
        elif kind < 2 and not double:
            bag = self.fresh("l")
            self.emit(depth, f"{bag} = [{c}]")
            self.emit(
                depth, self.pick([f"{bag}.extend({m})", f"{bag} += {m}", f"{bag}[1:] = {m}", f"{bag} = [*{bag}, *{m}]"])
            )
            self.emit(depth, f"{target} = math.tanh(sum({bag}))")
            self.know(s.lists, bag)
        elif kind < 4:
            self.emit(depth, f"for {e} in {m}:")
            item = f"{e}[1]" if double else e
            self.emit(depth + 1, f"{target} = math.tanh({target} + {item} * {small})")
            if self.chance(30):
                self.emit(depth + 1, self.pick(["break", f"{u}[0] = {small}", f"{c} = {item} * 0.5"]))
        elif kind < 5:
            self.emit(depth, f"if {self.condition(s)}:")
            self.emit(depth + 1, f"{target} = math.tanh({use.replace('@', m)})")
            self.emit(depth, "else:")
            other = self.pick(double_uses if double else uses)
            self.emit(depth + 1, f"{target} = math.tanh({other.replace('@', m)} * {small})")
        elif kind < 6:
            held = self.fresh("h")
            self.emit(depth, f"{held} = {self.pick([f'[{m}]', f'({m}, 0.5)'])}")
            self.emit(depth, f"{target} = math.tanh({use.replace('@', f'{held}[0]')})")
        else:
            self.emit(depth, f"{target} = math.tanh({use.replace('@', m)})")
        if self.chance(15):
            self.emit(depth, f"{target} = math.tanh({target} + sum({'(q[0] for q in ' + m + ')' if double else m}))")

    def about_order(self, s: Scope, depth: int, loop: bool) -> None:
        """Functions that change what the same expression reads before and behind them."""
        u, k = self.fresh("u"), self.fresh("k")
        target, small, vector = self.pick(s.numbers), self.pick(s.numbers), self.pick(s.vectors)
        c = self.pick([self.constant(), small])
        kind = self.choose(8 if self.plain else 10)
        touch, spend, first, second, whole = f"touch({u}, {c})", f"spend({u}, {c})", f"{u}[0]", f"{u}[1]", f"sum({u})"
        if kind < 5:
            made = self.pick([f"list({vector})", f"{vector}.copy()", f"[{small}, 0.5, {vector}[1]]"])
            self.emit(depth, f"{u} = {made}")
        elif kind < 6:
            self.emit(depth, f"{u} = {{0: {small}, 1: {vector}[1]}}")
            whole = f"sum({u}.values())"
        elif kind < 7:
            self.emit(
                depth, f"{u} = {self.pick([f'list({vector})', f'[{small}, 0.5, {vector}[1]]', f'deque({vector})'])}"
            )
            touch, spend = f"turn({u})", f"[turn({u}), {c}]"
        elif kind < 8:
            first, second = self.fresh("a"), self.fresh("b")
            name, whole = self.fresh("g"), f"({first} - {second})"
            self.emit(depth, f"{first}, {second} = {small}, {vector}[1]")
            self.emit(depth, f"def {name}(c):")
            self.emit(depth + 1, f"nonlocal {first}, {second}")
            self.emit(depth + 1, f"{first} = {first} * c + 0.1")
            self.emit(depth + 1, f"{second} {self.pick(['-=', '+=', '*='])} 0.3 * {first}")
            self.emit(depth + 1, f"return {second} * c")
            touch, spend = f"{name}({c})", f"[{name}({c}), {name}(0.5), {small}]"
        else:
            self.emit(depth, f"{u} = Pot({small}, {vector}[1])")
            touch, spend = f"{u}.touch({c})", f"[*{u}.spend({c})]"
            first, second, whole = f"{u}.a", f"{u}.b", f"{u}.total"
        read = self.pick([first, second, f"({first} * {second})", whole])
        forms = [
            f"{read} + {touch} * {read}", f"{touch} - {read}", f"{read} * {touch}", f"smooth({read}, {touch})",
            f"smooth({touch}, {read})", f"mix({read}, {touch}, {read}, scale={touch})", f"mix({touch}, b={read})",
            f"mix(*{spend}, {read})", f"mix({read}, *{spend}, scale={first})",
            f"mix(**{{'a': {touch}, 'b': {read}}})", f"mix({read}, scale={touch}, b={read})",
            f"sum([{read}, *{spend}, {read}])", f"sum([*{spend}, {read}])",
            f"[{read}, {touch}, {read}][0]",
            f"({touch}, {read})[1]", f"{{'a': {touch}, 'b': {read}}}['b']", f"{{'a': {read}, 'b': {touch}}}['a']",
            f"{{{touch} > 0.0: {read}, 2: {read}}}[2]",
            f"sum({{**{{'a': {read}}}, 'b': {touch}, 'c': {read}}}.values())",
            f"({read} if {touch} > {small} else {read} * 0.5)", f"({touch} if {read} > {small} else {read} * 0.5)",
            f"({read} < {touch} and {read})", f"({touch} > 0.0 or {read}) * {read}",
            f"float({read} < {touch} < {read})",
            f"sum({touch} * q for q in [{read}, {read}])", f"sum([q * {read} for q in {spend}])",
            f"sum(p * q for p, q in zip({spend}, [{read}, {read}]))",
            f"sum([{touch} for _ in range(2)]) * {read}",
            f"(lambda a, b={touch}: a * b + {read})({read})", f"(lambda *a: a[0] - a[-1])({read}, {touch}, {read})",
            f"({k} := {touch}) * {read} + {k}", f"{read} + ({k} := {read}) * {touch} + {k}",
            f"max({read}, {touch}, key=lambda q: q + {first})", f"sorted([{read}, {touch}, 0.3])[1]",
            f"({first}, {second})[int({touch} > 5.0)] * {read}", f"np.sum(np.array([{read}, {touch}, {read}]))",
            f"np.dot([{read}, {touch}], [{read}, 0.5])",
            f"np.where({touch} > 0.0, {read}, 0.5)", f"(-{read}) ** 2 * {touch}", f"math.hypot({touch}, {read})",
            f"functools.partial(smooth, {touch})({read})", f"sum(map(smooth, [{read}, {touch}], [{touch}, {read}]))",
            f"functools.reduce(lambda p, q: p * {c} + q, [{read}, {touch}], {read})",
            f"{vector}[[0, int({touch} > 0.0)]] @ np.array([{read}, 0.5])", f"dict(a={touch}, b={read})['b']",
            f"Cell({touch}, np.array([{read}, 0.5])).energy", f"pair({read}, {touch})[0] + pair({touch}, {read})[1]",
        ]  # fmt: skip
        if self.plain:
            forms = [form for form in forms if " for " not in form and "Cell" not in form]
        form = self.pick(forms)
        kind = self.choose(12)
        if kind < 1:
            operator = self.pick(["+=", "*=", "-="])
            stored = f"{u}[int({touch} > 0.0)]" if second.endswith("[1]") else first
            self.emit(depth, f"{self.pick([first, second, stored])} {operator} math.tanh({form})")
        elif kind < 2:
            self.emit(
                depth, f"{first}, {second} = {self.pick([f'{read}, {touch}', f'{touch}, {read}', f'{spend}[:2]'])}"
            )
        elif kind < 3:
            a, b = self.fresh("s"), self.fresh("s")
            self.emit(depth, f"{a}, *{b} = {self.pick([f'{read}, *{spend}', f'*{spend}, {read}'])}")
            self.emit(depth, f"{target} = math.tanh({a} + sum({b}))")
        elif kind < 4:
            self.emit(depth, f"assert {touch} < 100.0, {read}")
        elif kind < 5:
            name = self.fresh("g")
            noted = u if second.endswith("[1]") else f"[{second}]"
            self.emit(depth, f"@noting({noted}, {c})")
            self.emit(depth, f"def {name}(a, b={self.pick([touch, read])}):")
            self.emit(depth + 1, f"return a * b + {read}")
            self.emit(depth, f"{target} = math.tanh({name}({read}) - {name}({touch}))")
        elif kind < 6:
            i = self.fresh("i")
            self.emit(depth, f"for {i} in [{read}, {touch}, {read}]:")
            self.emit(depth + 1, f"{target} = math.tanh({target} + {i} * {self.pick([read, touch])})")
        elif kind < 7:
            self.emit(depth, f"{target} = math.tanh({target} + {form})")
            self.emit(depth, f"while {touch} > {read} and abs({first}) > 0.2:")
            self.emit(depth + 1, f"{target} = math.tanh({target} + {read})")
            self.emit(depth + 1, f"{first} = {first} * 0.5 - 0.1")
            self.emit(depth + 1, f"{second} = {second} * 0.5 - 0.2")
            self.emit(depth + 1, f"if {second} < -{self.choose(3)}.1:")
            self.emit(depth + 2, "break")
        elif kind < 8:
            self.emit(depth, f"if {touch} > {read}:")
            self.emit(depth + 1, f"{target} = math.tanh({form})")
            self.emit(depth, f"elif {touch} > {small}:")
            self.emit(depth + 1, f"{target} = math.tanh({target} + {read})")
        else:
            self.emit(depth, f"{target} = math.tanh({target} + {form})")
        self.emit(depth, f"{target} = math.tanh({target} * 0.7 + {first} * {second})")

    def about_protocols(self, s: Scope, depth: int, loop: bool) -> None:
        """Objects with items, properties, operators and a `with` of their own; copies of them and other names."""
        u, q, e = self.fresh("o"), self.fresh("o"), self.fresh("e")
        target, small, vector = self.pick(s.numbers), self.pick(s.numbers), self.pick(s.vectors)
        cls = self.pick(["Track", "Track", "Slope"])
        self.emit(depth, f"{u} = {self.pick([f'{cls}({small}, {vector}[1], 0.5)', f'{cls}.of({vector})'])}")
        others = [u, f"copy.copy({u})", f"copy.deepcopy({u})", f"Track(*{u})", f"Track({small}, 0.4, {vector}[2])"]
        self.emit(depth, f"{q} = {self.pick(others)}")
        new = f"math.tanh({self.number(s, 1)})"
        changes = [
            f"?[0] = {new}", f"?[1] += {new}", f"?[-1] *= {small}", f"?.top = {new}", "?.top *= 0.5",
            f"? += {vector}[:3]",
            "? += $", "? = ? + $", "?, $ = $, ?", f"setattr(?, 'top', {new})", f"?.items[1] = {new}",
            "?[0], $[1] = $[1], ?[0]",
            "?.items.append(?.items.pop(0))", f"?[k] = {small} * ?[k]", f"?.items = [{new}, *$.items[1:]]",
            "del ?.items[3:]",
        ]  # fmt: skip
        reads = [
            "?[0] * ?[-1]", "sum(?)", "len(?) * ?[1]", "[*?][1]", "max(?)", "sorted(?)[0]", "?.top",
            "(?.top if ? else $[1])",
            "sum(p * q for p, q in zip(?, $))", "sum(p * k for k, p in enumerate(?))", "(? + $)[1]",
            "(? and ?[0]) * 0.5 if ? else 0.1",
            "getattr(?, 'top')", "smooth(*?.items[:2])", f"np.sum(np.array(list(?)) * {vector}[:3])",
            "float(? is $) + ?[0]",
            "(0.5 if not ? else $[0])", "sum(map(smooth, ?, $))", "mix(*?)", "dict(enumerate(?))[1]",
            "float(isinstance(?, Slope)) * ?[0]",
        ]  # fmt: skip

        def named(text: str) -> str:
            one, other = (u, q) if self.chance(50) else (q, u)
            return text.replace("?", one).replace("$", other).replace("[k]", f"[{self.pick(['0', '1', *s.indices])}]")

        told = f"{target} = math.tanh({target} * 0.5 + {named(self.pick(reads))})"
        lines = [named(self.pick(changes)), told, named(self.pick(changes))]
        kind = self.choose(8)
        if kind < 2:
            name = self.pick([u, q])
            held = self.fresh("h")
            self.emit(depth, f"with {name}{self.pick(['', f' as {held}'])}:")
            for line in lines[: 1 + self.choose(3)]:
                self.emit(depth + 1, line)
            if self.chance(20):
                self.emit(depth + 1, f"{name}[1] = {new}")
        elif kind < 3:
            self.emit(depth, f"for {e} in {self.pick([u, q])}:")
            self.emit(depth + 1, f"{target} = math.tanh({target} + {e} * {small})")
            if self.chance(40):
                self.emit(depth + 1, lines[0])
        elif kind < 4:
            a, b, c = self.fresh("s"), self.fresh("s"), self.fresh("s")
            self.emit(depth, f"{a}, {b}, {c} = {self.pick([u, q])}")
            self.emit(depth, lines[0])
            self.emit(depth, f"{target} = math.tanh({a} * {b} - {c})")
        elif kind < 5:
            self.emit(depth, f"for {self.fresh('i')} in range({self.pick(['n', '2'])}):")
            for line in lines[: 1 + self.choose(3)]:
                self.emit(depth + 1, line)
        elif kind < 6:
            self.emit(depth, f"if {self.condition(s)}:")
            self.emit(depth + 1, lines[0])
            self.emit(depth, "else:")
            self.emit(depth + 1, lines[2])
        else:
            for line in lines[: 1 + self.choose(3)]:
                self.emit(depth, line)
        self.emit(depth, f"{target} = math.tanh({target} + {u}[0] * {q}[1] + {named(self.pick(reads))})")

    def about_matching(self, s: Scope, depth: int, loop: bool) -> None:
        """`match`, `while ... else`, `finally`, generators, functions that are cached, printing."""
        u, e, a, b = self.fresh("u"), self.fresh("e"), self.fresh("a"), self.fresh("b")
        target, small, vector = self.pick(s.numbers), self.pick(s.numbers), self.pick(s.vectors)
        number = f"math.tanh({self.number(s, 1)})"
        kind = self.choose(9)
        if kind < 3:
            subjects = {
                "n": ["0 | 1", "2", f"{a} if {a} > 2"],
                f"[{small}, {vector}[1], *{vector}[3:]]": [f"[{a}, {b}] if {a} > 0", f"[{a}, *{b}] if {a} > 0.3",
                f"[_, {a}, *_]"],
                f"{{'kind': n, 'a': {small}, 'u': {vector}}}": [
                    f"{{'kind': 1, 'a': {a}}}", f"{{'kind': 2, 'u': {b}, 'a': {a}}}", f"{{'a': {a}, **{b}}}"],
                f"Pot({small}, {vector}[1])": [f"Pot(a={a}, b=0.5)", f"Pot(a={a}, b={b}) if {b} > 0.1", f"Pot(a={a})"],
                f"({small} > {self.constant()}, {vector}[0])": [f"(True, {a})", f"(False, {a}) if {a} < 0", "_"],
                f"Move({small}, {vector}[2])": [f"Move({a}, {b}) if {a} > {b}", f"Move(along={a})"],
                f"{vector}[2] if n == 2 else None": ["None", f"{a}"],
            }  # fmt: skip
            subject = self.pick(list(subjects))
            self.emit(depth, f"match {subject}:")
            for pattern in subjects[subject]:
                self.emit(depth + 1, f"case {pattern}:")
                known = a if f"{a}" in pattern.split(" if ")[0] else small
                changes = [f"{vector}[0] = {number}", f"{small} = {number}", f"{target} = {known} * 0.5"]
                if self.chance(30):
                    self.emit(depth + 2, self.pick(changes))
                self.emit(
                    depth + 2, f"{target} = math.tanh({target} * 0.5 + {known} * {self.pick([small, known, '0.7'])})"
                )
        elif kind < 4:
            k = self.fresh("k")
            self.emit(depth, f"{k} = 0")
            self.emit(depth, f"while {k} < n:")
            self.emit(depth + 1, f"{k} += 1")
            self.emit(depth + 1, f"{target} = math.tanh({target} + {vector}[{k}])")
            self.emit(depth + 1, f"if {self.condition(s)}:")
            self.emit(depth + 2, self.pick(["break", "continue"]))
            self.emit(depth, "else:")
            self.emit(depth + 1, f"{target} = {target} * {small}")
        elif kind < 5:
            self.emit(depth, "try:")
            self.emit(depth + 1, f"{target} = checked({number}, {self.constant()})")
            if self.chance(50):
                self.emit(depth, f"except {self.pick(['ValueError', 'Exception', '(KeyError, ValueError)'])} as error:")
                self.emit(depth + 1, f"{target} = {small} * 0.5 if str(error) else 0.25")
            else:
                self.emit(depth, "except ValueError:")
                self.emit(depth + 1, f"return {number} * {small}")
            self.emit(depth, "finally:")
            self.emit(
                depth + 1, self.pick([f"{vector}[0] = {small}", f"{small} = math.tanh({small})", f"print({small})"])
            )
        elif kind < 7:
            uses = [
                "sum(@)", "list(@)[:1]", "max(@, default=0.3)", "[*@, 0.2][0]", "sum(p * p for p in @)", "next(@, 0.5)",
                "np.sum(np.array(list(@)))", "sum(p * q for p, q in zip(@, @))",
                f"sum(p * q for p, q in zip(@, {vector}))",
            ]  # fmt: skip
            made = f"rising({self.pick([small, '0.7', '0.4'])}, {self.pick(['n', '3', 'n + 1'])})"
            if self.chance(40):
                self.emit(depth, f"for {e} in {made}:")
                self.emit(depth + 1, f"{target} = math.tanh({target} + {e} * {small})")
                if self.chance(30):
                    self.emit(depth + 1, self.pick(["break", f"{vector}[4] = {small}"]))
            else:
                self.emit(depth, f"{u} = {made}")
                if self.chance(30):
                    self.emit(depth, f"{vector}[1] = {number}")
                self.emit(depth, f"{target} = math.tanh(np.sum({self.pick(uses).replace('@', self.pick([u, made]))}))")
        elif kind < 8:
            name = self.fresh("g")
            self.emit(depth, "@functools.lru_cache")
            self.emit(depth, f"def {name}(k):")
            self.emit(depth + 1, f"return {small} if k < 1 else {name}(k - 1) * {vector}[1] + {self.constant()}")
            if self.chance(30):
                self.emit(depth, f"{target} = math.tanh({name}(1))")
            if self.chance(30):
                self.emit(depth, f"{small} = {number}")
            self.emit(depth, f"{target} = math.tanh({name}({self.pick(['n', '2', '3'])}) + {name}(1))")
        else:
            name = self.fresh("s")
            forms = [f"f'{{{small}:.3f}}'", small, f"'a', {vector}[0]", f"{vector}.shape, sep='-'"]
            self.emit(depth, f"print({self.pick(forms)})")
            self.emit(depth, f"{name} = {number}")
            self.know(s.numbers, name)

    def about_arithmetic(self, s: Scope, depth: int, loop: bool) -> None:
        """Complex numbers, remainders, rounding, powers with whole exponents, bools and ints among floats."""
        z, i = self.fresh("z"), self.fresh("i")
        target, small, vector = self.pick(s.numbers), self.pick(s.numbers), self.pick(s.vectors)
        kind = self.choose(8)
        if kind < 3:
            makes = [
                f"complex({small}, {vector}[1])",
                f"{small} + 1j * {vector}[0]",
                f"1j * {small}",
                f"(0.5 + 2j) * {small}",
            ]
            self.emit(depth, f"{z} = {self.pick(makes)}")
            steps = [f"{z} = {z} * {z}", f"{z} *= {small}", f"{z} = {z}.conjugate() + {target}",
                     f"{z} += {vector}[2] * 1j",
                     f"{z} = {z} / (2.0 + {z})", f"{z} = np.exp(0.3j * {small}) * {z}", f"{z} = -{z} ** 2"]  # fmt: skip
            for _ in range(self.choose(3)):
                self.emit(depth, self.pick(steps))
            reads = [f"{z}.real", f"{z}.imag", f"abs({z} + 0.1)", f"({z} * {z}.conjugate()).real", f"np.real({z} ** 2)",
                     f"np.imag(np.conj({z}))", f"abs({z} + 0.3) ** 2", f"np.angle({z} + 2.0)"]  # fmt: skip
            self.emit(depth, f"{target} = math.tanh({self.pick(reads)})")
        elif kind < 5:
            makes = [f"{vector} * 1j + {small}", f"np.exp(1j * {vector})", "np.zeros(5, dtype=complex)"]
            self.emit(depth, f"{z} = {self.pick(makes)}")
            steps = [f"{z}[1] = {small}", f"{z}[1:3] *= 1j * {small}", f"{z} *= np.conj({z})",
                     f"{z}.imag[2:] = {small}",
                     f"{z}.real += {vector}", f"{z}[{vector} > 0.3] = {small} * 2j", f"{z} = {z} * {z}[::-1]",
                     f"{z}.real[0] *= {small}"]  # fmt: skip
            for _ in range(self.choose(3)):
                self.emit(depth, self.pick(steps))
            reads = [f"np.sum(np.abs({z} + 3.0))", f"np.sum({z}.real * {vector})", f"np.vdot({z}, {z}).real",
                     f"{z}[1].imag",
                     f"np.sum({z}.imag[1:])", f"np.real(np.fft.fft({z})[1])"]  # fmt: skip
            self.emit(depth, f"{target} = math.tanh({self.pick(reads)})")
        elif kind < 7:
            forms = [
                f"{small} % 0.7", f"{small} // 0.7 * {target}", f"divmod({small}, 0.4)[1]",
                f"divmod({small}, 0.4)[0] * {target}",
                f"round({small}, 1) * {target}", f"int(3.0 * {small}) * {target}", f"math.floor({small}) + {target}",
                f"{small} ** 0 * {target}", f"{small} ** n", f"(-1) ** n * {small}", f"({small} > 0.3) * {target}",
                f"n % 2 * {small}",
                f"(n // 2) * {small} + n", f"float(n) * {small}", f"np.float64({small}) * n", f"abs({small}) * n",
                f"np.sign({small}) * {target}",
                f"math.copysign({target}, {small})", f"math.fmod({small}, 0.6)", f"math.modf({small})[0] * {target}",
                f"np.sum({vector} % 0.6)", f"np.sum(np.arange(5) * {vector})", f"np.sum(np.round({vector}) * {vector})",
                f"np.sum({vector}.astype(int) * {vector})", f"np.sum({vector} // 0.5 * {small})",
                f"np.remainder({small}, 0.5)",
                f"np.sum(({vector} > 0.2) * {vector})", f"np.count_nonzero({vector} > 0.1) * {small}",
                f"np.mod({vector}, 0.4)[1]",
                f"{small} * True + False", f"np.sum({vector} ** n)", f"np.max({vector}) * np.argmax({vector})",
                f"np.ptp({vector})",
                f"sum(k * {small} ** k for k in range(n + 1))", f"np.sum(np.trunc({vector}) + {vector})",
                f"n ** 2 * {small} / (n + 1)",
            ]  # fmt: skip
            self.emit(depth, f"{target} = math.tanh({self.pick(forms)})")
        else:
            k = self.fresh("k")
            self.emit(depth, f"{k} = {self.pick(['0', '1', 'n', '2 * n - 1'])}")
            self.emit(depth, f"for {i} in range(n + 1):")
            self.emit(
                depth + 1,
                f"{k} = {self.pick([f'({k} * 2 + {i}) % 5', f'({k} + 3) % 5', f'{k} // 2 + {i}', f'abs({k} - {i})'])}",
            )
            self.emit(depth + 1, f"{target} = math.tanh({target} + {vector}[{k} % 5] * {self.pick([k, small])})")

    def about_state(self, s: Scope, depth: int, loop: bool) -> None:
        """Globals and what they hold, which are others at the next call: read in the run, and deciding what is done."""
        target, small, vector = self.pick(s.numbers), self.pick(s.numbers), self.pick(s.vectors)
        i, e = self.fresh("i"), self.fresh("e")
        levels = self.pick(["LEVELS", "SETTINGS.levels"])
        table = self.pick(["TABLE", "SETTINGS.table"])
        values = [
            "RATE", "COUNT", "SETTINGS.rate", f"{levels}[0]", f"{levels}[-1]", f"len({levels})", f"max({levels})",
            f"sum({levels})", f"sorted({levels})[0]", f'{table}["a"]', f'{table}.get("c", 0.7)', f"len({table})",
            f"SETTINGS.factor({small})", f"sum({e} * {small} for {e} in {levels})", f"sum({table}.values())",
            f"max(enumerate({levels}), key=lambda {e}: {e}[1])[0]", f"list({levels})[1]", f"np.sum(np.array({levels}))",
            f"dict(zip({levels}, range(4)))[{levels}[0]]", f"{levels}.index(max({levels}))",
        ]  # fmt: skip
        tests = [
            f"2.0 in {levels}", f"2 in {levels}", 'MODE == "plain"', 'SETTINGS.mode == "bent"', "COUNT > 1",
            "2 in CHOSEN", f"any({e} > 2.5 for {e} in {levels})",
            f'"c" in {table}', f"{levels}[0] < 1.0", f"len({levels}) == 3", f"{levels} == [0.5, 2.0, 1.0]",
            f"tuple({levels}) == (1.5, 0.25)", "RATE > 0.0", f'isinstance({table}["b"], int)',
            f"isinstance({levels}[0], float)", "CHOSEN <= {1, 2}", f"list({table})[0] == 'a'",
        ]  # fmt: skip
        kind = self.choose(5)
        if kind < 2:
            self.emit(depth, f"{target} = math.tanh({target} * {self.pick(values)} + {small})")
        elif kind < 3:
            self.emit(depth, f"if {self.pick(tests)}:")
            self.emit(depth + 1, f"{target} = math.sin({target} * {self.pick(values)})")
        elif kind < 4:
            first = f"math.tanh({small} * {self.pick(values)})"
            self.emit(depth, f"{target} = {first} if {self.pick(tests)} else {small} * {target}")
        else:
            self.emit(depth, f"for {i} in {self.pick(['range(COUNT)', levels, f'range(len({levels}))'])}:")
            self.emit(depth + 1, f"{target} = math.tanh({target} + 0.3 * {i} * {vector}[1] * {self.pick(values)})")

    def about_lengths(self, s: Scope, depth: int, loop: bool) -> None:
        """Lists of arrays and numbers of several sizes, into which others are stored."""
        h, i, e = self.fresh("h"), self.fresh("i"), self.fresh("e")
        target, small, vector = self.pick(s.numbers), self.pick(s.numbers), self.pick(s.vectors)
        sizes = [
            f"{vector}[:1]", f"{vector} * {small}", f"{vector}[:{i} + 1]", f"{small} * np.ones(1)", f"np.ones({i} + 1)",
            f"{h}[-1] * {small}", f"{h}[0] + {vector}", small, f"np.atleast_1d({small})", f"{vector}[{i}:{i} + 1]",
        ]  # fmt: skip
        first = [item for item in sizes if i not in item and h not in item]
        self.emit(depth, f"{h} = [{self.pick(first)}, {self.pick(first)}]")
        changes = ["@[-1] = #", f"@[{i} % 2] = #", "@.append(#)", "@[0] = @[-1]", "@.insert(0, #)"]
        changes.append("@[0], @[1] = @[1], @[0]")
        reads = ["np.sum(@[0] ** 2)", "np.sum(@[-1])", f"sum(np.sum({e} * {e}) for {e} in @)", "np.sum(@[0] * @[1])"]
        self.emit(depth, f"for {i} in range({self.pick(['n', '2', '3'])}):")
        for _ in range(1 + self.choose(3)):
            told = f"{target} = math.tanh({target} * 0.5 + 0.3 * {self.pick(reads)})"
            change = self.pick(changes).replace("#", self.pick(sizes))
            self.emit(depth + 1, self.pick([told, change, change]).replace("@", h))
        self.emit(depth, f"{target} = math.tanh({target} + 0.3 * {self.pick(reads)})".replace("@", h))

    def about_rebinding(self, s: Scope, depth: int, loop: bool) -> None:
        """Views that a loop takes of an array which it overwrites and binds anew; right sides that change an index."""
        a, b, i, k = self.fresh("a"), self.fresh("b"), self.fresh("i"), self.fresh("k")
        target, small, vector = self.pick(s.numbers), self.pick(s.numbers), self.pick(s.vectors)
        if self.chance(30):
            self.emit(depth, f"{a} = [{small}, {vector}[1], 0.5]")
            self.emit(depth, f"{k} = 0")
            right = self.pick([f"({k} := 1) * {small}", f"({a} := [0.5, {small}])[1]", f"{small} * {vector}[{k}]"])
            operator = self.pick(["+=", "*=", "-="])
            self.emit(depth, f"{a}[{k}] {operator} {right}")
            self.emit(depth, f"{target} = math.tanh({target} + {a}[0] * {a}[1])")
            return
        self.emit(depth, f"{a} = {vector} * {self.constant()}")
        self.emit(depth, f"{b} = {self.pick([a, vector + '.copy()', f'{a}[:]', f'{a}[::-1]'])}")
        lines = [
            f"{b} = {a}[{self.pick([':', '1:', '::-1', ':3'])}]", f"{a} *= {small}", f"{a} = {a} * 0.5",
            f"{a} = np.tanh({a}) + {vector}", f"{b}[0] = {small}", f"{a}[{i}] = {small} * {vector}[0]", f"{b} *= 0.5",
            f"{a}, {b} = {b}, {a}", f"{target} = math.tanh({target} + {b}[0])",
            f"{target} = math.tanh({target} + np.sum({a}))", f"{a} = {a}.copy()", f"{a} = {b}[::1] * 1.0",
        ]  # fmt: skip
        self.emit(depth, f"for {i} in range({self.pick(['n', '2', '3'])}):")
        for _ in range(2 + self.choose(3)):
            self.emit(depth + 1, self.pick(lines))
        self.emit(depth, f"{target} = math.tanh({target} + {b}[0] + 0.3 * np.sum({a}))")

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
        while self.budget > 8 and self.chance(20):
            self.add_part()
        self.themes = self.themes or [self.pick(THEMES) for _ in range(3)]
        self.block(s, 1, 100, False)
        parts = [*s.numbers[-4:], *(f"np.sum({u} * {u})" for u in s.vectors[-4:]), *(f"{t}[0]" for t in s.shorts[-2:]),
                 *(f"np.sum({m}[1:])" for m in s.matrices[-2:]), *(f"sum({name})" for name in s.lists[-2:]),
                 *(f'{d}["a"] * {d}["u"][2]' for d in s.dicts[-2:]),
                 *(f"{c}.energy" for c in s.cells[-2:]),
                 *(f"np.sum(w[{j}])" for j in s.picks[-1:] + s.choices[-1:] + s.masks[-1:]),
                 *(f"np.sum({u} ** 2)" for u in s.loose[-1:] + s.fixed[-1:] + s.ones[-1:] + s.longs[-1:]),
                 *(f"np.sum({b}[-1]) * {b}[0][1]" for b in s.bags[-2:]), *(f"{b}[0][1]" for b in s.tables[-2:]),
                 *(f"{z}[-1][0] * np.sum({z}[0][1][0]) + {z}[-1][1][1]" for z in s.pairs[-2:]),
                 *(f"np.sum({g}.now * {g}.after)" for g in s.grids[-1:])]  # fmt: skip
        self.emit(1, "return " + " + ".join(parts))
        written = "".join(f"\n\n{text}\n" for text in self.written)
        return HELPERS + written + "\n\ndef f(x, y, v, w, n):\n" + "\n".join(self.lines) + "\n"

    def add_part(self) -> None:
        """A function of the program's own, which it may call wherever it needs a number."""
        size = 2 + self.choose(3)
        self.budget -= size
        made = Generator(self.choose, budget=size, plain=self.plain, parts=list(self.parts))
        made.themes = [made.pick(THEMES) for _ in range(2)]
        s = Scope(["x", "y"], ["v", "w"], [], [], [], [], [], [])
        made.block(s, 1, 100, False)
        made.emit(1, f"return {made.pick(s.numbers[-2:])} + 0.25 * np.sum({made.pick(s.vectors[-2:])})")
        name = f"part{len(self.parts) + 1}"
        self.written.append(f"def {name}(x, y, v, w, n):\n" + "\n".join(made.lines))
        self.parts.append(name)


#: functions around a program, which is called `inner` then: in loops, tries, methods, and with what is held elsewhere
FRAMES = """
def f(x, y, v, w, n):
    first = inner(x, y, v, w, n)
    return 0.1 * first + inner(y, x, w, v, 1) + np.sum(v * w)
---
def f(x, y, v, w, n):
    s = 0.0
    for k in range(2):
        s = 0.3 * s + inner(x, y, v, w, k + 1)
        x = x * 0.5 + 0.01 * v[k]
    return s + np.sum(v * w)
---
def f(x, y, v, w, n):
    s, k = 0.0, 0
    while True:
        k += 1
        s = 0.5 * s + inner(x, y, v, w, k)
        if k > n or s > 50.0:
            break
        w = w * 0.9 + v * 0.1
    return s + np.sum(v * w)
---
def f(x, y, v, w, n):
    if n > 1:
        r = inner(x, y, v, w, n)
    else:
        r = inner(y, x, w, v, 2)
    return r + np.sum(v * w)
---
def f(x, y, v, w, n):
    try:
        r = inner(x, y, v, w, n)
        if n > 1:
            raise ValueError
    except ValueError:
        r = np.sum(v * w) * x
    return r + np.sum(v * w)
---
class Around:
    def __init__(self, x, y, v, w):
        self.x, self.y, self.v, self.w = x, y, v, w

    def run(self, n):
        return inner(self.x, self.y, self.v, self.w, n) + np.sum(self.v * self.w) * self.x


def f(x, y, v, w, n):
    around = Around(x, y, v, w)
    return around.run(n) + around.y * np.sum(around.v)
---
def f(x, y, v, w, n):
    seen = []

    def run(a):
        nonlocal v, w
        r = inner(a, y, v, w, 1)
        seen.append(r)
        v, w = w * 0.5, v
        return r

    b = run(0.1 * run(x))
    return b + sum(seen) + np.sum(v * w)
---
def descend(k, x, y, v, w):
    if k == 0:
        return x
    return 0.5 * descend(k - 1, y, x, w, v) + inner(x, y, v, w, k)


def f(x, y, v, w, n):
    return descend(n, x, y, v, w) + np.sum(v * w)
---
def f(x, y, v, w, n):
    both = np.array([v, w])
    r = inner(x, y, both[0], both[1], n)
    return r + np.sum(both * both[::-1]) + np.sum(v)
""".strip().split("\n---\n")

#: the positions of the arguments of f that its derivative may be taken with respect to: all, or only some of them
WRT: list[tuple[int, ...]] = [k for n in range(1, 5) for k in itertools.combinations(range(4), n)]


def respect(choose: Choose) -> tuple[int, ...]:
    """What to differentiate a program with respect to: everything, or (as often) any choice of its arguments."""
    return WRT[-1] if choose(2) else WRT[choose(len(WRT))]


#: how f may get its arguments in one (--held): the function that takes them out, and what makes the one argument
HOLDERS: dict[str, tuple[str, Callable[[dict[str, Any]], Any]]] = {
    "list": ("def f(p):\n    return whole(*p)", lambda given: list(given.values())),
    "tuple": ("def f(p):\n    x, y, *rest = p\n    return whole(x, y, *rest)", lambda given: tuple(given.values())),
    "dict": ("def f(p):\n    return whole(**p)", dict),
    "object": (
        "def f(p):\n    return whole(p.x, p.y, p.v, p.w, p.n)",
        lambda given: types.SimpleNamespace(**given),
    ),
    "nested": (
        'def f(p):\n    return whole(*p["numbers"], *p["arrays"].values(), p["n"])',
        lambda given: {
            "numbers": (given["x"], given["y"]),
            "arrays": {"v": given["v"], "w": given["w"]},
            "n": given["n"],
        },
    ),
    "objects": (
        "def f(p):\n    first, second = p\n    return whole(first.a, second.a, first.u, second.u, n=first.n)",
        lambda given: [
            types.SimpleNamespace(a=given["x"], u=given["v"], n=given["n"]),
            types.SimpleNamespace(a=given["y"], u=given["w"]),
        ],
    ),
}


def held(text: str, name: str) -> str:
    """The program whose function f takes its arguments out of one, of HOLDERS."""
    return text.replace("\ndef f(", "\ndef whole(") + "\n\n" + HOLDERS[name][0] + "\n"


def in_one(args: tuple[Any, ...], name: str) -> tuple[Any, ...]:
    """The arguments of f as `held` takes them."""
    return (HOLDERS[name][1](dict(zip("xyvwn", args, strict=True))),)


#: what programs are about: the methods about_...
THEMES = [name.removeprefix("about_") for name in vars(Generator) if name.startswith("about_")]


def make(choose: Choose, size: int = 14, plain: bool = False, themes: Iterable[str] = ()) -> str:
    """The text of a random program; of each sixth, what it computes is a part of another function (FRAMES).

    Args:
        choose: choose(k) is an int from 0 to k - 1.
        size: about how many statements.
        plain: without comprehensions, generator expressions, classes and frames.
        themes: what half of the statements are about (see THEMES); drawn when empty.
    """
    text = Generator(choose, budget=size, plain=plain, themes=list(themes)).program()
    if plain or choose(6):
        return text
    return text.replace("\ndef f(", "\ndef inner(") + "\n\n" + FRAMES[choose(len(FRAMES))] + "\n"


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
