"""What only the run chooses, on each of its paths, and what stays in the text of it."""

from __future__ import annotations

from typing import Any

import pytest

import s2sad
from tests import numeric
from tests.language import chosen, members
from tests.language.corpus import CORPUS, Program


def programs(module: Any) -> list[Program]:
    return [p for p in CORPUS.programs if p.f.__module__ == module.__name__ and not (p.raises or p.refused)]


@pytest.mark.parametrize("one", programs(members), ids=lambda p: p.f.__name__)
def test_constants_on_the_other_path(one: Program) -> None:
    numeric.check(one.f, (0.7, 1.3), one.wrt, second=True)


@pytest.mark.parametrize("point", chosen.POINTS)
@pytest.mark.parametrize("one", programs(chosen), ids=lambda p: p.f.__name__)
def test_on_each_path(one: Program, point: tuple[float, float]) -> None:
    first = one.args[0]
    args: tuple[Any, ...] = point if isinstance(first, float) else (first, point[1])
    numeric.check(one.f, args, one.wrt, second=True)


def test_members_are_read_from_their_class() -> None:
    text = s2sad.grad(chosen.items_under_members)
    text({chosen.State.SOLID: 1.5, chosen.State.LIQUID: 2.5}, 275.0)
    assert "d[State.SOLID]" in text.source
    assert "import State" in text.source


def test_paths_are_joined_where_they_can_be() -> None:
    """What comes after a branch is written once, where its paths leave the same kind of thing."""
    derivative = s2sad.grad(chosen.model_or_none)
    derivative(1.1, 275.0)
    assert derivative.source.count("if t > 270.0") == 1
