"""A `try` that stops in the middle: what has happened stays so, wherever its body stops."""

from __future__ import annotations

import itertools
import pathlib
import zlib
from typing import Any

import numpy as np
import pytest
from s2sad import DerivationError, value_and_grad
from s2sad.normal.calls import keep

from tests import amounts, generator, numeric

HELPERS = """import contextlib
import math

import numpy as np


class Count:
    def __init__(self):
        self.n, self.total = 0, 1.0

    def add(self, v):
        self.n += 1
        self.total = self.total * v


def rooted(a, b):
    if a < 0.0:
        raise ValueError("negative")
    return b * math.sqrt(a)


"""
#: what the body of a try changes: what is there before, the k-th change with a value @ that may raise, what is read
CHANGES = {
    "name": ("s = x", "s = s * @", "s"),
    "two names": ("s = t = x", "s, t = t * @, s + @", "s + t"),
    "array": ("s = w * x", "s[{k}] = @ * s[{k} + 1]", "np.sum(s * s)"),
    "array added to": ("s = w * x", "s[{k}] += @", "np.sum(s * s)"),
    "whole array": ("s = w * x", "s *= @", "np.sum(s * s)"),
    "slice": ("s = w * x", "s[{k}:] = @ * s[{k}:]", "np.sum(s * s)"),
    "list": ("s = [x]", "s.append(s[-1] * @)", "sum(s) * len(s)"),
    "list item": ("s = [x, x * x, 2.0]", "s[{k}] = @", "s[0] * s[1] + s[2]"),
    "dict": ("s = {'a': x, 'b': 1.0}", "s['a'] = @ * s['b']; s['b'] = s['a'] * x", "s['a'] * s['b']"),
    "object": ("s = Count()", "s.add(@)", "s.total * s.n * x"),
    "attributes": ("s = Count()\n    s.total = x", "s.n, s.total = s.n + 1, s.total + @ * x", "s.total * (1 + s.n)"),
    "printed": ("s = x", "print('step', {k}, round(s, 6))\n        s = s + @", "s"),
    "given list": ("s = x", "seen.append(x * {k})\n        s = s * @", "s * sum(seen)"),
}
#: the body of the try, with three changes of which one may stop it
BODIES = {
    "straight": "{0}\n{1}\n{2}",
    "branch": "{0}\nif x > 0.5:\n    {1}\nelse:\n    {2}\n{2}",
    "loop": "for k in range(3):\n    {k}",
    "while": "k = 0\nwhile k < 3:\n    {k}\n    k += 1",
    "loop with jumps": "for k in range(5):\n    if k > 2:\n        break\n    if w[k] > 8.0:\n        continue\n    {k}",
    "inner": "{0}\ntry:\n    {1}\nexcept KeyError:\n    pass\n{2}",
    "inner caught": "{0}\ntry:\n    {1}\nexcept ValueError:\n    r = r + x * x\n{2}",
    "inner finally": "{0}\ntry:\n    {1}\nfinally:\n    r = r * x\n{2}",
    "inner else": "{0}\ntry:\n    {1}\nexcept KeyError:\n    r = 5.0\nelse:\n    {2}\nr = r + x",
    "loop of tries": "for k in range(3):\n    try:\n        {k}\n    except ValueError:\n        r = r * x\n",
}
#: and what follows it
HANDLERS = {
    "pass": "except ValueError:\n    pass",
    "value": "except ValueError as e:\n    r = x * x if e.args else 2.0",
    "two": "except KeyError:\n    r = 7.0\nexcept (ValueError, IndexError):\n    r = r + 2.0 * x",
    "else": "except ValueError:\n    r = x\nelse:\n    r = r * x * 3.0",
    "finally": "except ValueError:\n    r = x * 2.0\nfinally:\n    r = r * r",
    "return": "except ValueError:\n    return x * {read}",
    "again": "except ValueError:\n    r = r * {read}",
}
VALUES = {"root": "math.sqrt(w[{k}] - 1.0)", "raise": "rooted(w[{k}] - 1.0, x)"}
PLACES = [None, 0, 1, 2]
#: which functions stay calls, and the form of the derivative then
POLICIES = {"always": "vjp", "choose": "value_and_grad", "never": "vjp"}


def written(change: str, body: str, handler: str, value: str) -> str:
    """The text of a program."""
    before, _, read = CHANGES[change]
    out = body_of(change, body, value).split("\n")
    lines = ["try:", *(f"    {line}" for line in out), *HANDLERS[handler].replace("{read}", read).split("\n")]
    inner = "".join(f"    {line}\n" for line in lines)
    return f"{HELPERS}def f(x, w, seen):\n    {before}\n    r = x\n{inner}    return r * ({read})\n"


#: how a try calls a function that has the body in it
CALLS = {
    "value": "r = inside(s, x, w, seen)",
    "added": "r += inside(s, x, w, seen)",
    "in an expression": "r = r * x + inside(s, x, w, seen) * 2.0",
    "method": "r = Box().inside(s, x, w, seen)",
    "twice": "r = inside(s, x, w, seen) + inside(s, x, w, seen)",
    "deeper": "r = r + outer(s, x, w, seen)",
    "deeper in a try": "r = r + trying(s, x, w, seen)",
    "loop": "for j in range(2):\n    r = r + inside(s, x, w, seen)",
    "statement": "inside(s, x, w, seen)",
    "choice": "r = inside(s, x, w, seen) if x > 0.5 else 2.0",
    "and": "r = (x > 0.5 and inside(s, x, w, seen)) + 2.0",
    "returned": "return inside(s, x, w, seen) * x",
    "closure": "def local(q):\n    return inside(s, q, w, seen)\nr = local(x)",
    "argument": "r = double(inside(s, x, w, seen)) + inside(s, x, w, seen)",
    "condition": "if inside(s, x, w, seen) > 0.1:\n    r = r * x",
    "item": "t = [x, 2.0 * x]\nt[1] = inside(s, x, w, seen)\nr = t[0] * t[1]",
    "attribute added to": "box.v += inside(s, x, w, seen)\nr = box.v * x",
}
RESULTS = {
    "last": "return r * x",
    "early": "if w[3] > 8.0:\n    return 1.0\nreturn r + x",
    "read": "return r * ({read})",
}
CALLED = """def double(v):
    return v * v


def inside(s, x, w, seen):
    r = x
{body}

class Box:
    def __init__(self, v=1.5):
        self.v = v

    def inside(self, s, x, w, seen):
        return inside(s, x, w, seen) * self.v


def outer(s, x, w, seen):
    a = inside(s, x, w, seen)
    seen.append(a * w[1])
    return a * inside(s, x, w, seen)


def trying(s, x, w, seen):
    try:
        a = inside(s, x, w, seen)
    except KeyError:
        a = 3.0
    finally:
        seen.append(x * x)
    return a * x


def f(x, w, seen):
    {before}
    r = x
    box = Box()
    try:
{call}{handler}    return r * ({read}) + sum(seen)
"""


def indented(text: str, by: int) -> str:
    return "".join(f"{' ' * by}{line}\n" for line in text.split("\n"))


def body_of(change: str, body: str, value: str) -> str:
    """The statements that change something three times."""
    step = CHANGES[change][1].replace("        ", "")
    out = []
    for line in BODIES[body].split("\n"):
        at = " " * (len(line) - len(line.lstrip()))
        for k in ("0", "1", "2", "k"):
            one = step.replace("@", VALUES[value]).replace("{k}", k)
            line = line.replace(f"{{{k}}}", one.replace("\n", "\n" + at))
        out.append(line)
    return "\n".join(out)


def called(change: str, body: str, handler: str, value: str, call: str, result: str) -> str:
    """The text of a program in which all that happens in a function that a try calls."""
    before, _, read = CHANGES[change]
    inner = body_of(change, body, value) + "\n" + RESULTS[result].replace("{read}", read)
    handled = indented(HANDLERS[handler].replace("{read}", read), 4)
    parts = {"body": indented(inner, 4), "before": before, "call": indented(CALLS[call], 8), "handler": handled}
    return HELPERS + CALLED.format(**parts, read=read)


def arguments(place: int | None) -> tuple[Any, ...]:
    w = np.array([1.7, 2.6, 1.4, 2.2])
    if place is not None:
        w[place] = 0.6
    return 1.3, w, [0.5]


def holds(f: Any, number: int, second: bool = True) -> None:
    """Wherever the body stops, its derivatives are right and what is printed is printed once, whether functions stay
    calls, or as many as are chosen, or none (by turns): each derivative is derived once and called with all arguments.
    One in four is derived twice."""
    points, along = [], [numeric.direction(arguments(None), (0, 1), np.random.default_rng(k)) for k in range(2)]
    for args in map(arguments, PLACES):
        slopes = [(d, *numeric.directional(f, args, (0, 1), d)) for d in along]
        points.append(numeric.Point(args, [(d, float(slope[0]), error) for d, slope, error in slopes]))
    for policy, form in POLICIES.items():
        if not amounts.ALL and policy != list(POLICIES)[number % 3]:
            continue
        with keep.policy(policy):
            numeric.check_both(f, points, (0, 1), form=form)
            if second and policy == "always" and (amounts.ALL or number // 3 % 4 == 0):
                numeric.check_second(f, arguments(0), (0, 1))


def programs() -> list[Any]:
    """All changes in all bodies, each with handlers and values in turn."""
    handlers, values = itertools.cycle(HANDLERS), itertools.cycle([*VALUES, "root"])
    return [
        pytest.param(c, b, next(handlers), next(values), id=f"{c} {b}") for c, b in itertools.product(CHANGES, BODIES)
    ]


@pytest.mark.sampled(36, each=False)
@pytest.mark.parametrize(("change", "body", "handler", "value"), programs())
def test_what_happened_stays(change: str, body: str, handler: str, value: str, tmp_path: pathlib.Path) -> None:
    f = generator.load(written(change, body, handler, value), tmp_path / "tries.py")
    holds(f, zlib.crc32(f"{change} {body}".encode()))


def programs_with_calls() -> list[Any]:
    """All calls of all bodies, each with changes, handlers, values and results in turn."""
    changes = itertools.cycle([c for c in CHANGES if c not in ("name", "two names")])
    handlers, values, results = itertools.cycle(HANDLERS), itertools.cycle([*VALUES, "raise"]), itertools.cycle(RESULTS)
    found = []
    for call, body in itertools.product(CALLS, BODIES):
        drawn = next(changes), body, next(handlers), next(values), call, next(results)
        found.append(pytest.param(*drawn, id=f"{call} {body}"))
    return found


@pytest.mark.sampled(60, cover=True)
@pytest.mark.parametrize(("change", "body", "handler", "value", "call", "result"), programs_with_calls())
def test_what_happened_in_a_function_stays(
    change: str,
    body: str,
    handler: str,
    value: str,
    call: str,
    result: str,
    tmp_path: pathlib.Path,
) -> None:
    f = generator.load(called(change, body, handler, value, call, result), tmp_path / "tries.py")
    holds(f, zlib.crc32(f"{call} {body}".encode()), second=body != "while")


REFUSED = {
    "generator": "def inside(s):\n    for v in s:\n        s[0] = v\n        yield 1.0 / v",
    "cached": "@functools.lru_cache\ndef inside(x):\n    seen.append(x)\n    return 1.0 / x",
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_not_followed_into_is_refused(what: str, tmp_path: pathlib.Path) -> None:
    call = "sum(inside(s))" if what == "generator" else "inside(x) * s[0]"
    text = f"import functools\n\nseen = []\n\n\n{REFUSED[what]}\n\n\ndef f(x):\n    s = [x, 2.0]\n    try:\n"
    text += f"        r = {call}\n    except ZeroDivisionError:\n        r = x\n    return r * s[0]\n"
    with pytest.raises(DerivationError) as error:
        value_and_grad(generator.load(text, tmp_path / "tries.py"))(1.3)
    assert "Way out: " in str(error.value)


CORNERS = """import math

import numpy as np


class A:
    def __init__(self):
        self.n, self.total = 0, 1.0

    def add(self, v, *more, scale=2.0, **kw):
        self.n += 1
        self.total = self.total * v * scale
        for m in more:
            self.total += math.sqrt(m)
        return self.total * kw.get("k", 1.0)

    @staticmethod
    def put(s, v):
        s.append(v)
        return math.log(v) * s[0]

    @classmethod
    def make(cls, s, v):
        s.append(v * v)
        return math.log(v)


class B(A):
    def add(self, v, *more, **kw):
        self.n += 2
        r = super().add(v, *more, **kw)
        return r + math.sqrt(v - 1.0)


def rec(s, x, n):
    s.append(x * n)
    if n == 0:
        return math.sqrt(x - 0.3 * len(s))
    return rec(s, x, n - 1) + math.sqrt(x) * n


def parent(x):
    s = B()
    r = x
    try:
        r = s.add(x, x - 0.5, scale=3.0, k=2.0)
    except ValueError:
        r = x * 5.0
    return r * s.total * s.n


def of_classes(x):
    s = [1.0]
    r = 1.0
    try:
        r = A.put(s, x - 1.0) + A.make(s, x - 1.5) * A().make(s, x)
    except ValueError as e:
        r = len(str(e)) * x
    return r * sum(s)


def recursive(x):
    s = [1.0]
    try:
        r = rec(s, x, 3)
    except (ValueError, KeyError):
        r = x
    return r * sum(s)


def nonlocal_names(x):
    n = 0
    t = x

    def bump(v):
        nonlocal n, t
        n += 1
        t = t * v
        return math.sqrt(v - 1.0)

    try:
        r = t + bump(x) + t * bump(x - 0.5)
    except ValueError:
        r = t * n
    return r * t * n


def check(s, v):
    s.append(v)
    if v > 1.2:
        raise ValueError("too much", v)
    if v > 1.1:
        raise KeyError("other")
    return v * v


def several_classes(x):
    s = [x]
    try:
        r = check(s, x) * check(s, x * 1.05)
    except ValueError as e:
        r = len(e.args) * s[-1]
    except KeyError:
        r = sum(s)
    else:
        r = r + x
    finally:
        s.append(2.0 * x)
    return r * sum(s)


def loop(x):
    s = [x]
    tot = 0.0
    for k in range(4):
        try:
            tot += check(s, x * (0.8 + 0.1 * k))
        except ValueError:
            break
        except KeyError:
            continue
        tot = tot * x
    return tot * sum(s)


def deep(s, v):
    try:
        return check(s, v)
    except KeyError:
        s.append(v * v)
        raise ValueError("again") from None


def raised_again(x):
    s = [x]
    try:
        r = deep(s, x)
    except ValueError:
        r = s[-1]
    return r * sum(s)


def fin(s, v):
    try:
        return check(s, v)
    finally:
        s.append(3.0 * v)


def finally_behind(x):
    s = [x]
    try:
        r = fin(s, x)
    except ValueError:
        r = s[-1]
    except KeyError:
        r = 2.0
    return r * sum(s)


def chosen(x):
    s = [x]
    fs = {"a": check, "b": deep}
    r = 0.0
    for k in ("a", "b"):
        g = fs[k]
        try:
            r += g(s, x)
        except ValueError:
            r += s[-1]
        except KeyError:
            r += 7.0 * x
    return r * sum(s)


def closure_stores(x):
    s = np.array([x, 2.0 * x])

    def scale(k):
        s[k] = s[k] * x
        s[k + 1] = math.sqrt(x - 1.0)
        return s.sum()

    try:
        r = scale(0) if x > 0.9 else scale(1)
    except (ValueError, IndexError):
        r = x
    return r * s[0] * s[1]
"""


@pytest.mark.parametrize(
    "name",
    [
        *("parent", "of_classes", "recursive", "nonlocal_names", "several_classes", "loop", "raised_again"),
        *("finally_behind", "chosen", "closure_stores"),
    ],
)
def test_what_a_try_calls(name: str, tmp_path: pathlib.Path) -> None:
    f = generator.load(f"{CORNERS}\n\nf = {name}\n", tmp_path / "tries.py")
    for x in (0.6, 0.95, 1.07, 1.15, 1.3, 2.3):
        try:
            f(x)
        except Exception as error:
            with pytest.raises(type(error)):
                numeric.derived(value_and_grad, f, 0)(x)
        else:
            numeric.check(f, (x,))
