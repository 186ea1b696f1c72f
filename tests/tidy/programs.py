"""Random programs full of views, stores and containers, and a way to run them before and after a pass."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from s2sad.core import Facts, Stmt, names_bound, names_read, statements, text
from s2sad.kinds.kind import Array, Dim, ListOf, Number

ARRAY = Array(np.dtype(float), (Dim.of(4),))
PARAMETERS = ("p", "q", "x", "k")  # two arrays, a float, an int


@dataclass
class Names:
    """What is defined at a point of the program."""

    arrays: list[str]
    numbers: list[str]
    lists: list[str] = field(default_factory=list)

    def copy(self) -> Names:
        return Names(list(self.arrays), list(self.numbers), list(self.lists))

    def meet(self, other: Names) -> Names:
        return Names(
            [a for a in self.arrays if a in other.arrays],
            [a for a in self.numbers if a in other.numbers],
            [a for a in self.lists if a in other.lists],
        )


class Writer:
    """Writes one random program. All arrays have 4 elements; `lower` takes expressions apart into temporaries."""

    def __init__(self, seed: int, *, lower: bool = True, unknown: bool = True, size: int = 14) -> None:
        self.r = random.Random(seed)
        self.lower = lower
        self.unknown = unknown
        self.size = size
        self.temps: set[str] = set()
        self.kinds: dict[str, Any] = {"p": ARRAY, "q": ARRAY, "x": Number(float), "k": Number(int)}
        self.loops = 0
        self.counter = 0

    def program(self) -> tuple[list[Stmt], Facts]:
        names = Names(["p", "q"], ["x", "k"])
        lines = self.block(names, self.size, 0)
        result = [*self.some(names.arrays, 2), *self.some(names.numbers, 2), *self.some(names.lists, 1)]
        lines.append("return (" + "".join(f"{n}, " for n in result) + ")")
        body = statements("def f():\n" + "\n".join("  " + line for line in lines))[0].body
        facts = Facts(kinds=dict(self.kinds), temps=set(self.temps))
        if self.r.random() < 0.2:  # nothing known of some names
            for name in list(facts.kinds):
                if self.r.random() < 0.3 and not name.startswith(("l", "p", "q")):
                    del facts.kinds[name]
        if self.r.random() < 0.5:  # versions of a few variables
            facts.user_name = {n: n if n in PARAMETERS else n[0] for n in facts.kinds if n[0] in "aspqxk"}
        facts.taken = names_bound(body) | names_read(body)
        return body, facts

    def some(self, names: list[str], most: int) -> list[str]:
        return self.r.sample(names, min(len(names), self.r.randint(0, most)))

    def temp(self, names: Names, lines: list[str], expression: str, kind: Any) -> str:
        if not self.lower or self.r.random() < 0.4:
            return expression
        self.counter += 1
        name = f"t{self.counter if self.r.random() < 0.8 else self.r.randint(1, self.counter)}"
        if self.kinds.get(name, kind) != kind:
            return expression
        self.temps.add(name)
        self.kinds[name] = kind
        lines.append(f"{name} = {expression}")
        if len(names.numbers) > 3 and "i1" in names.numbers and self.r.random() < 0.1:  # used behind the loop, perhaps
            lines.insert(0, f"{name} = {'p' if kind is ARRAY else 'x'}")
        if self.r.random() < 0.3:  # used again
            (names.arrays if kind is ARRAY else names.numbers).append(name)
        return name

    def number(self, names: Names, lines: list[str], depth: int = 0) -> str:
        r, c = self.r, self.r.random()
        if c < 0.25 or depth > 2:
            return r.choice([n for n in names.numbers if n != "k" and not n.startswith("i")])
        if c < 0.35:
            return repr(round(r.uniform(-2, 2), 1))
        if c < 0.55:
            return self.temp(names, lines, f"{r.choice(names.arrays)}[{self.index(names)}]", Number(float))
        if c < 0.65:
            return self.temp(names, lines, f"np.sum({self.array(names, lines, depth + 1)})", Number(float))
        if c < 0.75:
            return self.temp(names, lines, f"math.sin({self.number(names, lines, depth + 1)})", Number(float))
        left, right = self.number(names, lines, depth + 1), self.number(names, lines, depth + 1)
        return self.temp(names, lines, f"({left} {r.choice('+-*')} {right})", Number(float))

    def index(self, names: Names) -> str:
        loops = [n for n in names.numbers if n.startswith("i")]
        if loops and self.r.random() < 0.5:
            return self.r.choice(loops)
        return self.r.choice(["0", "1", "-1", "k", "k - 1"])

    def view(self, names: Names) -> str:
        a = self.r.choice(names.arrays)
        forms = ["{}[::-1]", "{}[:]", "{}", "{}.T", "{}.reshape(2, 2).T.reshape(4)", "np.ravel({})", "{}[np.arange(4)]"]
        forms += ["np.asarray({})", "np.reshape({}, (2, 2)).ravel()"]
        if names.lists and self.r.random() < 0.3:
            return f"{self.r.choice(names.lists)}[0]"
        return self.r.choice(forms).format(a)

    def array(self, names: Names, lines: list[str], depth: int = 0) -> str:
        r, c = self.r, self.r.random()
        if c < 0.25 or depth > 2:
            return r.choice(names.arrays)
        if c < 0.45:
            return self.temp(names, lines, self.view(names), ARRAY)
        if c < 0.55:
            return self.temp(
                names, lines, r.choice(["np.zeros(4)", "np.ones(4)", f"np.zeros_like({r.choice(names.arrays)})"]), ARRAY
            )
        if c < 0.65:
            return self.temp(names, lines, f"{r.choice(names.arrays)}.copy()", ARRAY)
        if c < 0.75:
            return self.temp(names, lines, f"np.sin({self.array(names, lines, depth + 1)})", ARRAY)
        left = self.array(names, lines, depth + 1)
        right = self.array(names, lines, depth + 1) if r.random() < 0.5 else self.number(names, lines, depth + 1)
        if r.random() < 0.5:
            left, right = right, left
            if left in names.numbers and right in names.numbers:
                right = r.choice(names.arrays)
        return self.temp(names, lines, f"({left} {r.choice('+-*')} {right})", ARRAY)

    def carried(self, names: Names, inner: Names, lines: list[str]) -> str:
        """A number that a loop may bind anew: a variable, or a temporary that begins as a copy of one."""
        numbers = [n for n in names.numbers if n != "k" and not n.startswith("i")]
        value = self.r.choice(numbers)
        if self.r.random() < 0.5:
            return value
        self.counter += 1
        name = f"t{self.counter}"
        self.temps.add(name)
        self.kinds[name] = Number(float)
        lines.append(f"{name} = {value}")
        inner.numbers.append(name)
        if self.r.random() < 0.5:
            names.numbers.append(name)
        return name

    def fresh_name(self, stem: str, known: list[str], kind: Any) -> str:
        name = f"{stem}{self.r.randint(0, 5)}"
        if self.r.random() < 0.15 and known:
            name = self.r.choice([n for n in known if not n.startswith("i")] or [name])
        self.kinds.setdefault(name, kind)
        if name not in known:
            known.append(name)
        return name

    def block(self, names: Names, size: int, depth: int, loop: bool = False) -> list[str]:
        lines: list[str] = []
        while size > 0:
            size -= 1
            new = self.statement(names, depth, loop)
            lines += new
        return lines or ["pass"]

    def statement(self, names: Names, depth: int, loop: bool) -> list[str]:
        r, c = self.r, self.r.random()
        lines: list[str] = []
        if c < 0.14:
            value = self.number(names, lines)
            lines.append(f"{self.fresh_name('s', names.numbers, Number(float))} = {value}")
        elif c < 0.30:
            value = self.array(names, lines) if r.random() < 0.5 else self.view(names)
            lines.append(f"{self.fresh_name('a', names.arrays, ARRAY)} = {value}")
        elif c < 0.40:
            value = self.number(names, lines)
            op = r.choice(["=", "+=", "*="])
            lines.append(f"{r.choice(names.arrays)}[{self.index(names)}] {op} {value}")
        elif c < 0.50:
            part = r.choice(["[:]", "[...]", "[::-1]", "[[0, 1, 2, 3]]"])
            value = self.array(names, lines)
            lines.append(f"{r.choice(names.arrays)}{part} {r.choice(['=', '+=', '-='])} {value}")
        elif c < 0.55:
            value = self.array(names, lines) if r.random() < 0.6 else self.number(names, lines)
            lines.append(f"{r.choice(names.arrays)} {r.choice(['+=', '*='])} {value}")
        elif c < 0.60:
            numbers = [n for n in names.numbers if not n.startswith("i") and n != "k"]
            value = self.number(names, lines)
            lines.append(f"{r.choice(numbers)} += {value}")
        elif c < 0.65:
            a = r.choice(names.arrays)
            value = self.array(names, lines)
            forms = [
                f"np.add.at({a}, [0, 0, 1, 2], {value})",
                f"np.copyto({a}, {value})",
                f"{a}.fill(x)",
                f"{a}.sort()",
            ]
            forms += [f"np.multiply({a}, {value}, out={a})", f"np.add({a}, {value}, {a})"]
            lines.append(r.choice(forms))
        elif c < 0.73:
            if not names.lists or r.random() < 0.4:
                value = ", ".join(r.choice(names.arrays) for _ in range(2))
                lines.append(f"{self.fresh_name('l', names.lists, ListOf(ARRAY))} = [{value}]")
            else:
                listed = r.choice(names.lists)
                form = r.random()
                if form < 0.4:
                    value = self.array(names, lines)
                    lines.append(f"{listed}.append({value})")
                elif form < 0.6:
                    lines.append(f"{listed}[0] = {r.choice(names.arrays)}")
                elif form < 0.8:
                    lines.append(f"{listed}.append({r.choice(names.arrays)})")
                    lines.append(f"{self.fresh_name('a', names.arrays, ARRAY)} = {listed}.pop()")
                else:
                    lines.append(f"{listed}[-1][{self.index(names)}] = x")
        elif c < 0.77 and self.unknown:
            a = r.choice(names.arrays)
            lines.append(
                r.choice([f"log({a})", f"mutate({a})", f"stash({a})", "poke()", f"log({r.choice(names.numbers)})"])
            )
        elif c < 0.80 and r.random() < 0.5:  # what a store leaves in an adjoint
            self.counter += 1
            g, a = f"g{self.counter}", r.choice(names.arrays)
            self.kinds[g] = ARRAY
            part = r.choice(["[:]", "[::-1]", "", "[...]"])
            lines.append(f"{g} = {a}{part}.copy()")
            if r.random() < 0.7:
                lines.append(f"{a}{r.choice(['[:]', '[0]', '[k]', '[::2]'])} = 0.0")
            if loop and r.random() < 0.3:
                lines.append(f"if {self.number(names, lines)} > 0.5:")
                lines.append(f"  {r.choice(['break', 'continue'])}")
            inner = Names([*names.arrays, g], list(names.numbers), list(names.lists))
            if r.random() < 0.5:
                names.arrays.append(g)
            for _ in range(r.randint(0, 2)):
                lines += self.statement(inner, depth, False) if r.random() < 0.2 else []
                lines.append(f"{r.choice(names.arrays)}[:] += {g} * {self.number(inner, lines)}")
        elif c < 0.80 and self.unknown:
            value = r.choice(names.arrays)
            lines.append(f"{self.fresh_name('a', names.arrays, ARRAY)} = identity({value})")
        elif c < 0.83:
            one, two = self.array(names, lines), self.array(names, lines)
            first, second = self.fresh_name("a", names.arrays, ARRAY), self.fresh_name("a", names.arrays, ARRAY)
            lines.append(f"{first}, {second} = {one}, {two}" if r.random() < 0.7 else f"{first} = {second} = {one}")
        elif c < 0.90 and depth < 3:
            test = f"{self.number(names, lines)} > {self.number(names, lines)}"
            one, two = names.copy(), names.copy()
            first = self.block(one, r.randint(0, 3), depth + 1, loop)
            second = self.block(two, r.randint(0, 3), depth + 1, loop) if r.random() < 0.5 else None
            exits = r.random()
            if loop and exits < 0.3:
                first.append(r.choice(["break", "continue"]))
                one = two
            elif exits < 0.05:
                result = [*self.some(one.arrays, 2), *self.some(one.numbers, 1)]
                first.append("return (" + "".join(f"{n}, " for n in result) + ")")
                one = two
            lines.append(f"if {test}:")
            lines += ["  " + line for line in first]
            if second is not None:
                lines.append("else:")
                lines += ["  " + line for line in second]
            met = one.meet(two)
            names.arrays, names.numbers, names.lists = met.arrays, met.numbers, met.lists
        elif c < 0.96 and depth < 2:
            self.loops += 1
            i = f"i{self.loops}"
            self.kinds[i] = Number(int)
            inner = names.copy()
            inner.numbers.append(i)
            count = r.choice(["k", "3", "2"])
            head = r.choice([f"for {i} in range({count}):", f"for {i} in reversed(range({count})):"])
            body = self.block(inner, r.randint(1, 5), depth + 1, True)
            lines.append(head)
            lines += ["  " + line for line in body]
        elif depth < 2:
            self.loops += 1
            w = f"i{self.loops}"
            self.kinds[w] = Number(int)
            inner = names.copy()
            inner.numbers.append(w)
            carried = self.carried(names, inner, lines)
            body = self.block(inner, r.randint(1, 3), depth + 1, False)
            if r.random() < 0.4:
                lines += [f"{w} = 0", "while True:", f"  {w} += 1", f"  if {w} > 2:", "    break"]
            elif r.random() < 0.5:
                lines += [f"{w} = 0", f"while {w} < 2:", f"  {w} += 1"]
            else:  # a test of what the body may bind
                lines += [f"{w} = 0", f"while {w} < 3 and {carried} > {r.choice(['0.1', 'x', '-x'])}:", f"  {w} += 1"]
            if r.random() < 0.7:
                body.append(f"{carried} = {self.number(inner, body)}")
            lines += ["  " + line for line in body]
            names.numbers.append(w)
        return lines


class Runner:
    """The functions that programs call; what unknown code sees is logged."""

    def __init__(self) -> None:
        self.seen: list[Any] = []
        self.stashed: list[Any] = []

    def namespace(self) -> dict[str, Any]:
        import math

        def log(value: Any) -> None:
            self.seen.append(np.array(value))

        def mutate(a: Any) -> None:
            a[0] += 1.0
            self.seen.append("mutate")

        def stash(a: Any) -> None:
            self.stashed.append(a)

        def poke() -> None:
            for a in self.stashed:
                a[1] += 0.5
            self.seen.append([a.copy() for a in self.stashed])

        def identity(a: Any) -> Any:
            self.seen.append("identity")
            return a

        return {
            "np": np,
            "math": math,
            "log": log,
            "mutate": mutate,
            "stash": stash,
            "poke": poke,
            "identity": identity,
        }


def run(body: list[Stmt], nudge: float = 0.0) -> Any:
    """What the statements return, what they leave in their parameters, and what unknown code saw.

    Args:
        body: the statements.
        nudge: how much larger the arguments are, relatively.
    """
    function = gast.parse(f"def f({', '.join(PARAMETERS)}):\n    pass").body[0]
    function.body = copy.deepcopy(body) or [gast.Pass()]
    module = gast.Module([function], [])
    source = text(gast.fix_missing_locations(module))
    runner = Runner()
    space = runner.namespace()
    exec(compile(source, "<program>", "exec"), space)
    p, q = np.array([0.5, -1.0, 2.0, 0.3]), np.array([1.5, 0.7, -0.2, 0.9])
    with np.errstate(all="ignore"):
        p, q = p * (1.0 + nudge), q * (1.0 + nudge)
        result = space["f"](p, q, 0.8 * (1.0 + nudge), 3)
    if ran_away((result, p, q, runner.seen)):
        raise OverflowError("rounding decides these numbers")
    return result, p, q, runner.seen


def ran_away(values: Any) -> bool:
    """Is any number beyond what rounding leaves of differences?"""
    if isinstance(values, (list, tuple)):
        return any(ran_away(v) for v in values)
    if isinstance(values, (str, type(None))):
        return False
    with np.errstate(invalid="ignore"):
        return bool(np.any(np.abs(np.asarray(values)) > 1e60))


def same(one: Any, two: Any, exact: bool = True) -> bool:
    """Are two results equal?"""
    if isinstance(one, (list, tuple)):
        return (
            type(one) is type(two)
            and len(one) == len(two)
            and all(same(a, b, exact) for a, b in zip(one, two, strict=True))
        )
    if isinstance(one, (str, type(None))):
        return one == two
    a, b = np.asarray(one), np.asarray(two)
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if exact:
        return bool(np.array_equal(a, b, equal_nan=True))
    scale = max(1.0, float(np.max(np.abs(np.nan_to_num(a, posinf=0, neginf=0)), initial=0.0)))
    return bool(np.allclose(a, b, rtol=1e-5, atol=1e-6 * scale, equal_nan=True))


def check(change: Callable[[list[Stmt], Facts], list[Stmt]], seed: int, *, exact: bool = True) -> None:
    """One random program computes the same after a pass, and the pass leaves what it is given alone."""
    body, facts = Writer(seed).program()
    try:
        before = run(body)
        if not (exact or same(before, run(body, nudge=1e-14), exact=False)):
            return  # rounding decides what comes out
    except Exception:
        return
    source = text(body)
    after = change(body, facts)
    assert same(before, run(after), exact=exact), text(after)
    assert text(body) == source
