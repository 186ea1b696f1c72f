"""The code of every rule is derived once more and compared with differences of the first derivative."""

from __future__ import annotations

import pytest

from tests.rules import second, variants
from tests.rules.test_rules import RULES, cases_of, is_helper

ALL = [(name, i) for name in RULES if not is_helper(name) for i in range(len(cases_of(RULES[name])))]


@pytest.mark.sampled(42, each=False)
@pytest.mark.slow
@pytest.mark.parametrize(("name", "index"), ALL, ids=[f"{n}-{i}" for n, i in ALL])
def test_second_order(name, index):
    second.check(cases_of(RULES[name])[index], RULES[name].target)


@pytest.mark.sampled(96, each=False)
@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in RULES if not is_helper(n)])
def test_axes_of_length_1_and_0(name):
    """Of each case the last of its lengths."""
    for index, case in enumerate(cases_of(RULES[name])):
        made = {done.rpartition(" ")[2]: (done, m) for done, m in variants.shrunk(case, RULES[name].target)}
        for done, m in made.values():
            try:
                second.check(m, RULES[name].target)
            except Exception as error:
                error.add_note(f"case {index} with lengths {done}: {m}")
                raise
