"""Every rule of the registry against numerical differentiation, forward against reverse."""

from __future__ import annotations

import contextlib
import warnings

import pytest

from s2sad import rules
from s2sad.expansion.refusal import NoDerivative
from tests import amounts
from tests.rules import cases, runner, variants


def is_scipys(rule):
    """Is it a rule of SciPy's functions or of the helpers that they need? Those have tests of their own."""
    return rule.place.replace("\\", "/").rpartition("/")[2].startswith("scipy")


def is_helper(name):
    """Is it a helper of generated code? Its arguments are as long as the function that it serves makes them."""
    return name.startswith("s2sad.")


#: rules that have tests of their own: types that round, or make a number complex, through which differences do not see;
#: a helper that is given a function
ELSEWHERE = {
    "np.float32": "language/numbers_.py", "np.float16": "language/numbers_.py",
    "np.complex64": "language/numbers_.py", "np.complex128": "language/numbers_.py",
    "s2sad.runtime.helpers.product_with_zeros": "transform/test_structural_zeros.py",
}  # fmt: skip
RULES = {
    rule.name: rule
    for rule in rules.registry(helpers=True)
    if not rule.zero and rule.templates and not is_scipys(rule)
    if not rule.name.startswith(("tests.", "np.random.", "scipy.")) and rule.name not in ELSEWHERE
}


def cases_of(rule):
    own = cases.CASES.get(rule.name, [])
    if own:
        return own
    if rule.partials is not None or "broadcasts" in next(iter(rule.templates)).options:
        needed = [p for p in rule.templates[0].parameters if p.default is p.empty]
        if len(needed) == 1:
            return cases.unary(rule.name)
        if len(needed) == 2:
            return cases.binary(rule.name)
    return []


ALL = [(name, i) for name, rule in RULES.items() for i in range(len(cases_of(rule)))]


@pytest.mark.parametrize("name", RULES)
def test_rule_has_a_case(name):
    assert cases_of(RULES[name]), f"{name} has a rule ({RULES[name].place}) and no test case"


OPTIONS = ("step", "tol", "inactive", "skip", "fixed_zeros", "no_forward")


#: how a cotangent may be a number, or a row, or ..., in place of the array
LAZILY = ("number", "row", "column", "axis")


def drive(rule, case, lazily=LAZILY):
    """One call: both modes against differences and each other, with kinds and without; float32; lazy cotangents."""
    options = {k: v for k, v in case.options.items() if k in OPTIONS}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for known in (True, False) if not case.options.get("known_only") else (True,):
            runner.check(rule.target, case.args, case.kwargs, known=known, **options)
        for how in lazily:
            runner.check(rule.target, case.args, case.kwargs, lazy=how, **options)
        narrow = {k: v for k, v in options.items() if k in ("inactive", "skip", "no_forward")}
        runner.check_float32(rule.target, case.args, case.kwargs, **narrow)


@pytest.mark.parametrize(("name", "index"), ALL, ids=[f"{n}-{i}" for n, i in ALL])
def test_rule(name, index):
    drive(RULES[name], cases_of(RULES[name])[index], LAZILY if amounts.ALL else LAZILY[index % 2 :: 2])


@pytest.mark.sampled(24, each=False)
@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in RULES if not is_helper(n)])
def test_axes_of_length_1_and_0(name):
    for index, case in enumerate(cases_of(RULES[name])):
        for done, made in variants.shrunk(case, RULES[name].target):
            try:
                drive(RULES[name], made, ("number", "column"))
            except Exception as error:
                error.add_note(f"case {index} with lengths {done}: {made}")
                raise


@pytest.mark.parametrize("name", [n for n in RULES if not is_helper(n)])
def test_other_axes_and_ranks(name):
    """Axes counted from both ends, two at once, keepdims, stacks, arrays without axes: right, or refused."""
    rule = RULES[name]
    parameters = [p.name for p in rule.templates[0].parameters]
    for index, case in enumerate(cases_of(rule)[:4]):
        options = {k: v for k, v in case.options.items() if k in OPTIONS}
        for turn, (done, made) in enumerate(variants.reformed(case, rule.target, parameters), index):
            kinds = (True,) if case.options.get("known_only") or (not amounts.ALL and turn % 2) else (True, False)
            with warnings.catch_warnings(), contextlib.suppress(NoDerivative):
                warnings.simplefilter("ignore")
                try:
                    for known in kinds:
                        runner.check(rule.target, made.args, made.kwargs, known=known, **options)
                except Exception as error:
                    error.add_note(f"case {index}, {done}: {made}")
                    raise


@pytest.mark.parametrize("name", [n for n in RULES if not is_helper(n)])
def test_complex_arguments(name):
    """A rule is right for complex arguments, or refuses them."""
    for case in cases_of(RULES[name]):
        options = {k: v for k, v in case.options.items() if k in ("step", "tol", "inactive", "skip", "no_forward")}
        for made in variants.complexified(case, RULES[name].target):
            with warnings.catch_warnings(), contextlib.suppress(NoDerivative):
                warnings.simplefilter("ignore")
                runner.check(RULES[name].target, made.args, made.kwargs, **options)
