"""What the body of a try does, it does once: printing, and storing into arrays, in whatever form it is written.

The body of a try runs to see which path is taken, and that path runs again; so what leaves a trace is refused, and
arrays are put back in between.
"""

from __future__ import annotations

import pathlib

import numpy as np
import pytest
from s2sad import DerivationError, jvp, value_and_grad

from tests import generator, numeric

#: ways to store into the array `w`
STORES = (
    "np.put(w, [0], 5.0)",
    "np.place(w, w > 2.5, [w[0] + w[1]])",
    "np.putmask(w, w > 1.5, w * 2.0)",
    "np.put_along_axis(w, np.array([0]), w[1] * w[1], 0)",
    "np.copyto(w, w * 2.0)",
    "np.add.at(w, [0], w[1])",
    "np.fill_diagonal(w[:2].reshape(1, 2), w[1] ** 2)",
    "w.put([0], w[1] * 3.0)",
    "w.fill(w[0] * w[1])",
    "w[0] = w[1] ** 2",
    "np.add(w, 1.0, out=w)",
    "np.put(w[1:], [0], 5.0)",
    "(lambda v: np.put(v, [0], v[1] ** 2))(w)",
    "store(w)",
)
#: where the array comes from: parameters, and what is done first, before the try and in it
ARRAYS = {
    "an argument": ("w", "pass", "pass"),
    "a view": ("v", "w = v[:3]", "pass"),
    "from before": ("v", "w = v * 1.0", "pass"),
    "its own": ("v", "pass", "w = v * 1.0"),
    "in a dict": ("d", "w = d['w']", "pass"),
}
#: calls that run something which prints: what objects of C do by themselves, and functions that are handed over
PRINTING = (
    "with C() as v: y = v * x",
    "y = C().doubled * x",
    "y = C()[0] * x",
    "y = (C() + 1.0) * x",
    "y = (1.0 + C()) * x",
    "y = -C() * x",
    "y = x if C() < x else 0.0",
    "y = len(C()) * x",
    "y = x if C() else 0.0",
    "y = sum(v for v in C()) * x",
    "y = x if 1 in C() else 0.0",
    "y = float(C()) * x",
    "y = C().unknown * x",
    "y = C().sum() * x",
    "y = (KEPT + 1.0) * x",
    "y = (HELD[0] + 1.0) * x",
    "y = len(KEPT) * x",
    "y = KEPT[0] * x",
    "y = KEPT.doubled * x",
    "y = Computing.part * x",
    "y = Computing().part * x",
    "y = sorted([1.0, 2.0], key=printed)[0] * x",
    "y = max([1.0, 2.0], key=printed) * x",
    "y = heapq.nsmallest(1, [1.0, 2.0], key=functools.partial(printed))[0] * x",
    "y = [printed(v) * x for v in [1.0]][0]",
    "y = (lambda k=printed(2.0): k * x)()",
    "y = 0.0\nfor k in range(int(printed(2.0))): y = y + x",
)
HELPERS = """
import functools
import heapq

import numpy as np


def printed(v):
    print(v)
    return v


def store(v):
    np.put(v, [0], v[1] ** 2)


class C:
    def __init__(self, quiet=False):
        self.v = 2.0

    def __enter__(self):
        return printed(self.v)

    def __exit__(self, *error):
        return False

    def __getitem__(self, k):
        return printed(self.v)

    def __add__(self, other):
        return printed(self.v) + other

    __radd__ = __add__

    def __neg__(self):
        return printed(self.v)

    def __lt__(self, other):
        return printed(self.v) > 0.0

    def __len__(self):
        return int(printed(self.v))

    def __bool__(self):
        return printed(self.v) > 0.0

    def __iter__(self):
        return iter([printed(self.v)])

    def __contains__(self, item):
        return printed(self.v) > 0.0

    def __float__(self):
        return printed(self.v)

    def __getattr__(self, name):
        if name != "unknown":
            raise AttributeError(name)
        return printed(2.0)

    def sum(self):
        return printed(self.v)

    @property
    def doubled(self):
        return printed(self.v) * 2.0


class Computed:
    def __get__(self, owner, cls=None):
        return printed(2.0)


class Computing:
    part = Computed()


KEPT = C()
HELD = [KEPT]


class Quiet:
    def __init__(self, v):
        self.v = v

    def __enter__(self):
        self.w = self.v * 2.0
        return self.w

    def __exit__(self, *error):
        return False

    def __add__(self, other):
        return self.v + other

    @property
    def doubled(self):
        return self.v * 2.0


"""


@pytest.mark.sampled(4, each=False)
@pytest.mark.parametrize("array", ARRAYS)
@pytest.mark.parametrize("store", STORES)
def test_stores_once(store: str, array: str, tmp_path: pathlib.Path) -> None:
    parameter, before, first = ARRAYS[array]
    f = generator.load(
        f"{HELPERS}def f({parameter}, x):\n    {before}\n    try:\n        {first}\n        y = x / w[0]\n        {store}\n"
        "        r = y * w[0] + x * w[1]\n    except ZeroDivisionError:\n        r = 0.0\n    return r\n",
        tmp_path / "stores.py",
    )
    values = np.array([2.0, 3.0, 0.5])
    args = {"w": values} if parameter == "d" else values, 1.3
    try:
        numeric.check_reverse(f, args, 1)
        numeric.check_forward(f, args, 1)
    except DerivationError:
        assert array == "in a dict" or "lambda" in store or store.startswith("store(") or "reshape" in store


@pytest.mark.parametrize("called", [False, True])
@pytest.mark.parametrize("body", PRINTING)
def test_prints_once(body: str, called: bool, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = "".join(f"        {line}\n" for line in body.split("\n"))
    if called:
        text = f"def g(x):\n    if x > 0.0:\n{lines}    return y\n\n\ndef f(x):\n    try:\n        y = g(x)\n"
    else:
        text = f"def f(x):\n    try:\n{lines}"
    f = generator.load(
        f"{HELPERS}{text}        r = y / x\n    except ZeroDivisionError:\n        r = 0.0\n    return r\n",
        tmp_path / "prints.py",
    )
    f(1.5)
    printed = capsys.readouterr().out
    assert printed
    for derivative in (lambda: value_and_grad(f)(1.5), lambda: jvp(f)(1.5, 1.0)):
        try:
            derivative()
        except DerivationError:
            continue
        finally:
            out = capsys.readouterr().out
        assert out == printed


@pytest.mark.parametrize("value", ["(Quiet(2.0) + x)", "Quiet(2.0).doubled", "entered(x)", "max([1.0, x], key=float)"])
def test_what_is_quiet_is_followed(value: str, tmp_path: pathlib.Path) -> None:
    f = generator.load(
        f"{HELPERS}def entered(x):\n    with Quiet(x) as v:\n        return v * x\n\n\ndef g(x):\n    return {value} * x\n\n\n"
        "def f(x):\n    try:\n        r = g(x) / x\n    except ZeroDivisionError:\n        r = 0.0\n    return r\n",
        tmp_path / "quiet.py",
    )
    numeric.check(f, (1.5,), 0)


#: what is done in the body of a try, where `part` may raise ValueError half way; what is read behind it
HALF_WAY = {
    "an array made there": ("u = np.zeros(3)", "u[k] = part(w[k])", "u = np.ones(3)", "np.sum(u)"),
    "a list made there": ("u = []", "u.append(part(w[k]))", "u = [w[0]]", "sum(u)"),
    "a list of arrays": ("u = []", "u.append(part(w[k]) * w)", "u = [w]", "sum(np.sum(e) for e in u)"),
}
HALF = """import numpy as np


def part(a):
    if a > 1.0:
        raise ValueError
    return a * a


def f(w):
    r = w[1]
    {before}
    try:
        {made}
        for k in range(3):
            {step}
        r = {value}
    except ValueError:
        {handled}
    return r{read}
"""


@pytest.mark.parametrize("what", HALF_WAY)
def test_what_the_body_makes_for_itself(what: str, tmp_path: pathlib.Path) -> None:
    made, step, start, value = HALF_WAY[what]
    filled = HALF.format(before="pass", made=made, step=step, value=value, handled="r = w[0] * w[1]", read="")
    f = generator.load(filled, tmp_path / "own.py")
    numeric.check(f, (np.array([0.5, 0.7, 0.9]),), 0)
    numeric.check(f, (np.array([0.5, 1.7, 0.9]),), 0)
    # what it holds when the body stops half way is read afterwards
    filled = HALF.format(before=start, made=made, step=step, value=value, handled="pass", read=f" + {value}")
    f = generator.load(filled, tmp_path / "read.py")
    numeric.check(f, (np.array([0.5, 1.7, 0.9]),), 0)
