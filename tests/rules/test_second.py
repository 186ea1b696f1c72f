"""The code of every rule is derived once more and compared with differences of the first derivative."""

from __future__ import annotations

import pytest

import s2sad
from tests.rules import second
from tests.rules.test_rules import RULES, cases_of

#: functions of which some cases are refused at second order (never wrong): how many results there are is not known
REFUSED = {"np.unstack"}

ALL = [(name, i) for name, rule in RULES.items() if not name.startswith("s2sad.") for i in range(len(cases_of(rule)))]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "index"), ALL, ids=[f"{n}-{i}" for n, i in ALL])
def test_second_order(name, index):
    case = cases_of(RULES[name])[index]
    try:
        second.check(case, RULES[name].target)
    except (s2sad.DerivationError, ValueError) as error:
        if name not in REFUSED:
            raise
        pytest.skip(f"refused: {error}")
