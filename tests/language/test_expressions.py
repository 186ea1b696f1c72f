"""Random expressions: their values are Python's, whatever they are made of, and so are their derivatives."""

from __future__ import annotations

import pathlib
import random

import pytest

from tests import expressions


@pytest.mark.sampled(4, each=False)
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("block", range(6))
def test_values_are_those_of_python(depth: int, block: int, tmp_path: pathlib.Path) -> None:
    for k in range(12):
        seed = 1000 * depth + 12 * block + k
        text = expressions.make(random.Random(seed).randrange, depth)
        found = expressions.judge(text, tmp_path / f"expression_{seed}.py")
        assert not found, f"seed {seed}: {found}\n{text}"


def test_every_form_is_valid_python() -> None:
    for seed in range(300):
        compile(expressions.make(random.Random(seed).randrange, 1 + seed % 3), "expressions", "exec")


def test_a_wrong_value_is_found(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = expressions.PROGRAM.format("n", "m")
    assert not expressions.judge(text, tmp_path / "right.py")
    right = expressions.value_and_grad
    monkeypatch.setattr(expressions, "value_and_grad", lambda f: lambda *args: (right(f)(*args)[0] + 1, right(f)(*args)[1]))
    assert len(expressions.judge(text, tmp_path / "wrong.py")) == 2
    monkeypatch.setattr(expressions, "value_and_grad", lambda f: lambda *args: (right(f)(*args)[0], 2 * right(f)(*args)[1]))
    assert len(expressions.judge(text, tmp_path / "slope.py")) == 2
