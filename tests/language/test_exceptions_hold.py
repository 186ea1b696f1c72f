"""What an exception holds: it is not constant because it went through an exception.

Each program puts an active value into an exception and reads it from there: that is refused, or it is right.
"""

from __future__ import annotations

import pathlib
import types

import numpy as np
import pytest
from s2sad import DerivationError

from tests import generator, numeric

#: where the active value @ comes from
VALUES = {
    "x": 1.4,
    "x[0]": [1.4],
    "x[0][0]": ([1.4],),
    "x[1]": np.array([0.3, 1.4]),
    "x['a']": {"a": 1.4, "b": 2},
    "x.v": types.SimpleNamespace(v=1.4),
}
MADE = (
    "e = ValueError(@); r = e.args[0]",
    "e = ValueError([@]); r = e.args[0][0]",
    "h = [0.0]; e = ValueError(h); h[0] = @; r = e.args[0][0]",
    "h = np.zeros(2); e = ValueError(h); h[0] = @; r = e.args[0][0]",
    "e = Held(@); r = e.data",
    "e = Held(@); r = float(e)",
    "e = Held(@); r = e[0]",
    "e = Held(@); r = e * 2.0",
    "e = Held(1.0); e.data = @; r = e.data",
    "r = first(ValueError(@))",
    "r = made(@).args[0]",
    "r = vars(Held(@))['data']",
    "h = [ValueError(@)]; r = h[0].args[0]",
    "e = Held(2.0)\nif @ > 0.0: e = Held(@)\nr = e.data",
    "e = Held(2.0)\nfor k in range(3):\n    r = e.data\n    e = Held(@ * k)",
)
CAUGHT = (
    "raise ValueError(@)",
    "raise ValueError([@])",
    "raise Held(@)",
    "raise KeyError(@)",
    "raising(@)",
    "raising_first([@, 1.0])",
    "assert @ < 0.0, @",
    "{}[@]",
    "raise made(@)",
    "try: raise KeyError(@)\n    except KeyError as error: raise ValueError(1.0) from error",
)
READS = (
    "e.args[0]",
    "first(e)",
    "e.data",
    "e.__cause__.args[0]",
    "(e.args[0][0] if isinstance(e.args[0], list) else 1.0)",
)
HELPERS = """
import numpy as np


class Held(Exception):
    def __init__(self, data):
        super().__init__("held")
        self.data = data

    def __float__(self):
        return float(self.data)

    def __getitem__(self, k):
        return self.data

    def __mul__(self, other):
        return self.data * other


def first(e):
    return e.args[0]


def made(v):
    return ValueError(v)


def raising(v):
    if v > 0.0:
        raise Held(v)
    return v


def raising_first(h):
    raise ValueError(h[0])


"""


def check(body: str, value: str, folder: pathlib.Path, *, allowed: bool = False) -> None:
    lines = "".join(f"    {line}\n" for line in body.replace("@", value).split("\n"))
    f = generator.load(f"{HELPERS}def f(x):\n{lines}    return r * r\n", folder / "exceptions.py")
    args = (VALUES[value],)
    try:
        f(*args)
    except (AttributeError, TypeError):
        return  # (this exception has no such part)
    for one in (numeric.check_reverse, numeric.check_forward):
        try:
            one(f, args, 0)
        except DerivationError:
            assert not allowed


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("body", MADE)
def test_made_by_hand(body: str, value: str, tmp_path: pathlib.Path) -> None:
    check(body, value, tmp_path)


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("body", CAUGHT)
def test_caught(body: str, value: str, tmp_path: pathlib.Path) -> None:
    for read in READS:
        check(
            f"try:\n    {body}\n    r = 1.0\nexcept (ValueError, KeyError, Held, AssertionError) as e: r = {read}",
            value,
            tmp_path,
        )


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize(
    "body",
    [
        "e = ValueError(@)\nif @ < 0.0: raise e\nr = @",
        "e = ValueError('text', 2.0); r = @ * e.args[1]",
        "try: raise ValueError(3.0)\nexcept ValueError as e: r = @ * e.args[0]",
        "try: raise ValueError(@)\nexcept ValueError as e: r = @ * 2.0",
        "h = []\ntry: raise ValueError(@)\nexcept ValueError as e: h.append(e)\nr = @ * len(h)",
    ],
)
def test_what_is_not_read_is_followed(body: str, value: str, tmp_path: pathlib.Path) -> None:
    check(body, value, tmp_path, allowed=True)
