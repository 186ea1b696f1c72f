"""Rules that are not of elements at tiny and huge arguments, in float16, float32 and float64: where scaling the
arguments scales the function, it scales the derivative (`tests.rules.scaling`)."""

from __future__ import annotations

import importlib.util

import pytest

from tests.rules import scaling, test_rules

#: each part of the result goes with another power of the arguments, or with none (as exponentials do)
NO_LAW = {
    "math.modf", "np.modf", "np.cumprod", "np.cumulative_prod", "np.multiply.accumulate", "np.nancumprod",
    "np.logspace", "np.vander", "scipy.linalg.lu_factor", "scipy.linalg.solve_discrete_are",
    "scipy.linalg.fractional_matrix_power", "scipy.linalg.expm", "s2sad.runtime.helpers.divided_differences",
    *(f"scipy.linalg.{name}" for name in ("coshm", "cosm", "sinhm", "sinm", "tanhm", "tanm")),
}  # fmt: skip
RULES = dict(test_rules.RULES)
CASES = {name: test_rules.cases_of(rule) for name, rule in RULES.items()}
if importlib.util.find_spec("scipy"):
    from tests.rules import test_scipy

    for name, rule in test_scipy.RULES.items():
        # a rule that is written out consists of others; elementwise functions and distributions have formulas
        if rule.definition is None and rule.partials is None and name.split(".")[1] not in ("special", "stats"):
            RULES[name], CASES[name] = rule, test_scipy.cases_of(rule)


@pytest.mark.sampled(30, each=False)
@pytest.mark.parametrize("name", RULES)
def test_scaled_arguments(name):
    """Right wherever it is to be told, and it is to be told somewhere, but for elementwise functions (`test_range`)."""
    found = []
    for case in CASES[name][:3]:
        for form in scaling.FACTORS:
            found += scaling.failures(RULES[name].target, case, form)
    wrong = [m for m in found if m is not None]
    assert not wrong, "\n".join(wrong)
    assert found or RULES[name].partials is not None or name in NO_LAW
