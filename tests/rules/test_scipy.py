"""The rules for SciPy's functions against numerical differentiation, at first and second order."""

from __future__ import annotations

import warnings

import pytest

pytest.importorskip("scipy")

from s2sad import coverage, rules
from s2sad.cli import import_optional
from tests.rules import cases_scipy, cases_signals, programs, runner, second
from tests.rules.cases import K, a

import_optional()  # rules of SciPy come with its modules

CASES = cases_scipy.CASES | cases_signals.CASES

#: objects that are called, and what takes functions: they have tests of their own
OBJECTS = ("scipy.interpolate.", "scipy.sparse.")
SOLVERS = {"scipy." + name for name in coverage.PROGRAMS}
RULES = {
    rule.name: rule
    for rule in rules.registry()
    if not rule.zero
    and rule.name.startswith("scipy.")
    and not rule.name.startswith(OBJECTS)
    and rule.name not in SOLVERS
    and rules.functional(rule.target) is None
}

#: no derivative once more: the order of differentiation is an argument, or a helper is refused
FIRST_ONLY: set[str] = set()


def cases_of(rule):
    if rule.name in CASES:
        return CASES[rule.name]
    if rule.definition is not None:
        return []
    arguments = len([p for p in rule.templates[0].parameters if p.default is p.empty])
    if rule.name.startswith("scipy.special.") and arguments == 1:
        return [K(0.7), K(a(3)), K(a(2, 3))]
    if rule.name.startswith("scipy.special.") and arguments == 2:
        return [K(a(3), 0.1 + a(3)), K(a(2, 3), 0.1 + a(3)), K(0.7, a(3))]
    return []


ALL = [(name, i) for name, rule in RULES.items() for i in range(len(cases_of(rule)))]


@pytest.mark.parametrize("name", RULES)
def test_rule_has_a_case(name):
    assert cases_of(RULES[name])


@pytest.mark.parametrize(("name", "index"), ALL, ids=[f"{n}-{i}" for n, i in ALL])
def test_rule(name, index):
    case = cases_of(RULES[name])[index]
    if RULES[name].definition is not None or "symmetric" in case.options:
        programs.check(case, RULES[name].target)
        return
    options = {k: v for k, v in case.options.items() if k in ("step", "tol", "inactive", "skip", "no_forward")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for known in (True, False) if not case.options.get("known_only") else (True,):
            runner.check(RULES[name].target, case.args, case.kwargs, known=known, **options)
        for how in ("number", "row", "column"):
            runner.check(RULES[name].target, case.args, case.kwargs, lazy=how, **options)


@pytest.mark.parametrize(("name", "index"), ALL, ids=[f"{n}-{i}" for n, i in ALL])
def test_second_order(name, index):
    if name in FIRST_ONLY:
        pytest.skip("refused")
    second.check(cases_of(RULES[name])[index], RULES[name].target)
