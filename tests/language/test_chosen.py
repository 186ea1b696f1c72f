"""What only the run chooses, on each of its paths, and what stays in the text of it."""

from __future__ import annotations

from typing import Any

import pytest
import s2sad

from tests import amounts, numeric
from tests.language import chosen, members
from tests.language.corpus import CORPUS, Program


def programs(module: Any) -> list[Program]:
    return [p for p in CORPUS.programs if p.f.__module__ == module.__name__ and not (p.raises or p.refused)]


@pytest.mark.parametrize("one", programs(members), ids=lambda p: p.f.__name__)
def test_constants_on_the_other_path(one: Program) -> None:
    numeric.check(one.f, (0.7, 1.3), one.wrt, second=True)


@pytest.mark.sampled(16, cover=True)
@pytest.mark.parametrize("point", chosen.POINTS)
@pytest.mark.parametrize("one", programs(chosen), ids=lambda p: p.f.__name__)
def test_on_each_path(one: Program, point: tuple[float, float]) -> None:
    first = one.args[0]
    args: tuple[Any, ...] = point if isinstance(first, float) else (first, point[1])
    turn = chosen.POINTS[len(one.name) % len(chosen.POINTS)]
    numeric.check(one.f, args, one.wrt, second=amounts.ALL or point == turn)


def test_members_are_read_from_their_class() -> None:
    text = s2sad.grad(chosen.items_under_members)
    text({chosen.State.SOLID: 1.5, chosen.State.LIQUID: 2.5}, 275.0)
    assert "d[State.SOLID]" in text.source
    assert "import State" in text.source


def several_models(p, t):
    a = chosen.Linear(p) if t > 1.0 else chosen.Root(p)
    b = chosen.Linear(p) if t > 2.0 else chosen.Root(p)
    c = chosen.Linear(p) if t > 3.0 else chosen.Root(p)
    d = chosen.Linear(p) if t > 4.0 else chosen.Root(p)
    return a.at(t) + b.at(t) + c.at(t) + d.at(t)


def one_more_model(p, t):
    a = chosen.Linear(p) if t > 1.0 else chosen.Root(p)
    b = chosen.Linear(p) if t > 2.0 else chosen.Root(p)
    c = chosen.Linear(p) if t > 3.0 else chosen.Root(p)
    d = chosen.Linear(p) if t > 4.0 else chosen.Root(p)
    e = chosen.Linear(p) if t > 5.0 else chosen.Root(p)
    return a.at(t) + b.at(t) + c.at(t) + d.at(t) + e.at(t)


def test_up_to_four_branches_are_followed_apart() -> None:
    numeric.check(several_models, (1.3, 2.5), (0, 1))
    with pytest.raises(s2sad.DerivationError, match="different structure on different paths"):
        s2sad.grad(one_more_model)(1.3, 2.5)


def same_form(p, t):
    m = chosen.Linear(p) if t > 1.0 else chosen.Linear(2.0 * p)
    print(t)
    return m.at(t)


def other_form(p, t):
    m = chosen.Linear(p) if t > 1.0 else chosen.Root(2.0 * p)
    print(t)
    return m.at(t)


def test_what_follows_is_written_once_where_the_paths_leave_one_form(capsys: pytest.CaptureFixture[str]) -> None:
    for f, times in ((same_form, 1), (other_form, 2)):
        derivative = s2sad.grad(f)
        derivative(1.1, 2.0)
        assert sum(line.strip() == "print(t)" for line in derivative.source.splitlines()) == times
        assert capsys.readouterr().out == "2.0\n"
