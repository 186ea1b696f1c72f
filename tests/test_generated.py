"""A fixed budget of generated programs; `tools/fuzz` runs more."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import generator, numeric, verdict
from tests.amounts import examples


@pytest.mark.slow
@given(st.data())
@settings(max_examples=examples(10), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_no_wrong_number(data: Any) -> None:
    """Each program is differentiated right in reverse and forward mode, or refused; never wrong, never a crash."""

    def choose(k: int) -> int:
        return data.draw(st.integers(0, k - 1))

    wrt = generator.respect(choose)
    text = generator.make(choose, 10)
    found = verdict.judge_text(text, (numeric.check_reverse, numeric.check_forward), wrt)
    assert found.kind in {"right", "refused", "unfit"}, f"{found.kind}: {found.detail}\nwith respect to {wrt}\n{text}"


@pytest.mark.slow
@given(st.data())
@settings(max_examples=examples(4), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_no_wrong_number_of_arguments_in_one(data: Any) -> None:
    """The same of programs that take their arguments out of a container or an object."""
    text = generator.make(lambda k: data.draw(st.integers(0, k - 1)), 6)
    holder, seed = data.draw(st.sampled_from(sorted(generator.HOLDERS))), data.draw(st.integers(0, 99))
    found = verdict.judge_program(text, seed, holder=holder)
    assert found.kind in {"right", "refused", "unfit"}, f"{found.kind}: {found.detail}\nin a {holder}, {seed}\n{text}"


#: bodies of programs that were wrong or crashed once; `# wrt 0 2` in front where it was with respect to these alone
KEPT = (Path(__file__).parent / "kept_programs.txt").read_text(encoding="utf-8").split("\n---\n")


@pytest.mark.parametrize("body", KEPT)
def test_kept(body: str) -> None:
    text = f"{generator.HELPERS}\n\ndef f(x, y, v, w, n):\n    {indent(body, ' ' * 4).strip()}\n"
    head = body.strip().partition("\n")[0]
    wrt = tuple(map(int, head.split()[2:])) if head.startswith("# wrt") else (0, 1, 2, 3)
    found = verdict.judge_text(text, (numeric.check_reverse, numeric.check_forward), wrt)
    assert found.kind == "right", f"{found.kind}: {found.detail}"
