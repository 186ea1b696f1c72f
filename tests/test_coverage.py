"""Every public function of NumPy and of Python's numeric modules has a derivative, or a reason why not."""

from __future__ import annotations

import pytest

from tools import coverage


@pytest.mark.parametrize("namespace", coverage.NAMESPACES)
def test_every_public_name_is_accounted_for(namespace):
    missing = coverage.survey(namespace)[2]
    assert not missing, (
        f"{namespace}: {', '.join(missing)} has neither a rule nor a reason; "
        "add a rule in templates/, or an entry to REASONS in tools/coverage.py"
    )


def test_no_reason_for_what_is_covered():
    for namespace, reasons in coverage.REASONS.items():
        listed = [n for why, names in reasons.items() for n in names.split() if not why.startswith(("types", "tools"))]
        assert len(listed) == len(set(listed)), f"{namespace}: a name is listed twice"
        public = coverage.public(namespace)
        wrong = [n for n in listed if n in public and coverage.covered(namespace, n, public[n])]
        assert set(wrong) <= {"row_stack"}, f"{namespace}: {', '.join(wrong)} is covered, and listed with a reason"


def test_no_float_function_is_left():
    """What is not covered does not compute with floats: no reason says "not yet"."""
    assert not [why for reasons in coverage.REASONS.values() for why in reasons if "not yet" in why]
