"""The code of every rule is derived once more and compared with differences of the first derivative."""

from __future__ import annotations

import pytest

import s2sad
from tests.rules import second
from tests.rules.test_rules import RULES, cases_of

#: cases whose derivative is refused at second order, never wrong: no ranks are known there, or the phase is arbitrary
REFUSED = {
    "np.cross": {4, 5}, "np.kron": {0, 1, 2, 3}, "np.linalg.norm": {11, 15, 27}, "np.linalg.qr": {1, 3, 5},
    "np.linalg.tensorsolve": {0, 1}, "np.linspace": {1}, "np.linalg.eig": {0, 2}, "np.linalg.eigvals": {1},
}  # fmt: skip

ALL = [
    (name, i)
    for name, rule in RULES.items()
    if not name.startswith("s2sad.")
    for i in range(len(cases_of(rule)))
]


@pytest.mark.parametrize(("name", "index"), ALL, ids=[f"{n}-{i}" for n, i in ALL])
def test_second_order(name, index):
    case = cases_of(RULES[name])[index]
    if index in REFUSED.get(name, ()):
        with pytest.raises((s2sad.DerivationError, ValueError)):
            second.check(case, RULES[name].target)
        return
    second.check(case, RULES[name].target)
