from __future__ import annotations

import pytest

from s2sad.core import statements, text
from s2sad.tidy.loop_else import restore_else

LOOP = "done = True\nfor k in x:\n    if c(k):\n        done = False\n        break\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (LOOP + "if done:\n    a = 1", "for k in x:\n    if c(k):\n        break\nelse:\n    a = 1"),
        (
            "done = True\nt = []\nwhile k:\n    if c(k):\n        a = 2\n        done = False\n        break\n"
            "if done:\n    a = 1",
            "t = []\nwhile k:\n    if c(k):\n        a = 2\n        break\nelse:\n    a = 1",
        ),
        (
            "for j in y:\n" + "".join(f"    {line}\n" for line in LOOP.splitlines()) + "    if done:\n        break",
            "for j in y:\n    for k in x:\n        if c(k):\n            break\n    else:\n        break",
        ),
    ],
)
def test_restored(source: str, expected: str) -> None:
    assert text(restore_else(statements(source))) == expected


@pytest.mark.parametrize(
    "source",
    [
        LOOP + "if done:\n    a = 1\nb = done",  # read elsewhere
        LOOP + "if done:\n    a = 1\nelse:\n    a = 2",
        LOOP + "b = 1\nif done:\n    a = 1",  # something in between
        LOOP.replace("        break", "        break\n    if d(k):\n        break") + "if done:\n    a = 1",
        LOOP.replace("if c(k)", "for j in k"),  # the break is of another loop
        LOOP.replace("        break\n", "") + "if done:\n    a = 1",
    ],
)
def test_stays(source: str) -> None:
    assert text(restore_else(statements(source))) == text(statements(source))
