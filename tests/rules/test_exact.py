"""Rules that are not of elements (those are in `test_range`) against differences in higher precision: at ordinary
arguments, at tiny and huge ones, near singular matrices, in single and half precision; to the accuracy that the
function itself has there. The references are a table: `tests.rules.references`."""

from __future__ import annotations

import importlib.util
import warnings

import numpy as np
import pytest

from tests.amounts import ALL
from tests.rules import exact, exact_arrays, exact_matrices, references, scaling, test_rules

pytestmark = pytest.mark.slow

#: modules that say what functions are
assert exact_arrays.reference is exact_matrices.reference
RULES = {name: rule for name, rule in test_rules.RULES.items() if rule.partials is None}
CASES = {name: test_rules.cases_of(rule) for name, rule in RULES.items()}
if importlib.util.find_spec("scipy"):
    from tests.rules import test_scipy

    for name, rule in test_scipy.RULES.items():
        if rule.partials is None:
            RULES[name], CASES[name] = rule, test_scipy.cases_of(rule)

#: the largest arguments that are computed with so many digits
ELEMENTS = 60
#: how many calls of each function are held, and how many of its arguments are scaled alone
CALLS, ALONE = (99, 99) if ALL else (2, 1)
#: the smallest eigenvalue of a matrix that is nearly singular
NEAR = 1e-6
#: powers of two by which arguments are scaled
POWERS = {"f8": (-300, 300), "f4": (-40, 40), "f2": ()}
#: of definitions, which consist of functions that are held at the ends
NEARER = {"f8": (-6, 6), "f4": (-4, 4), "f2": ()}

#: functions whose derivative hangs on small elements of the result, of which each has to have digits: Levinson's
#: recursion finds the solution of a matrix with a small diagonal to the digits of its largest element alone
EACH = ("scipy.linalg.solve_toeplitz",)

NOWHERE = dict.fromkeys(POWERS, ())


def test_each_rule_has_a_reference():
    """One; and it is there."""
    named = [name for names in references.TABLE.values() for name in names.split()]
    assert len(named) == len(set(named))
    for name, rule in RULES.items():
        way = references.WAYS.get(name)
        assert way, f"{name} has no reference: say in tests/rules/references.py what it is held against"
        assert (way == "formula") == (rule.target in exact.REFERENCES), name
        assert way != "definition" or rule.definition is not None, name


def programs(name):
    """The calls of a function as programs, with their arguments."""
    for case in CASES[name][:CALLS]:
        options = case.options
        program = exact.Program(case, RULES[name].target, options.get("inactive", ()), options.get("skip", ()))
        values = program.values[: program.active]
        if 0 < sum(np.size(v) for v in values) <= ELEMENTS:
            yield program, values, bool(options.get("fixed_zeros"))


def scaled(values, names, power):
    """Some of the arguments times a power of two."""
    return [
        (np.asarray(v * v.real.dtype.type(2.0**power)) if isinstance(v, np.ndarray) else type(v)(v * 2.0**power))
        if i in names
        else v
        for i, v in enumerate(values)
    ]


def near_singular(value):
    """A matrix whose last row is nearly the sum of the others; a symmetric one with an eigenvalue that is nearly 0."""
    if not isinstance(value, np.ndarray) or value.ndim != 2 or min(value.shape) < 2 or value.dtype.kind != "f":
        return value
    if value.shape[0] == value.shape[1] and np.array_equal(value, value.T):
        w, v = np.linalg.eigh(value)
        w[0] = NEAR * w[-1]
        moved = (v * w) @ v.T
        return 0.5 * (moved + moved.T)
    moved = value.copy()
    moved[-1] = np.sum(moved[:-1], axis=0) * (1.0 + NEAR * np.cos(np.arange(value.shape[1])))
    return moved


def points(values, is_scipys, powers):
    """Arguments at which a program is held: what they are, and in which precision."""
    groups = [tuple(range(len(values))), *((i,) for i in range(len(values)) if len(values) > 1)][: 1 + ALONE]
    for form in ("f8", "f4", "f2"):
        if form != "f8" and not any(isinstance(v, np.ndarray) for v in values):
            continue
        if form == "f2" and is_scipys:
            continue  # some of SciPy's functions crash
        try:
            narrow = [scaling.narrowed(v, form) for v in values]
        except TypeError:
            continue
        yield f"{form}", form, narrow
        for group in groups:
            for power in powers[form]:
                yield f"{form}, {group} times 2**{power}", form, scaled(narrow, group, power)
    moved = [near_singular(v) for v in values]
    if powers is POWERS and any(m is not v for m, v in zip(moved, values, strict=True)):
        yield "f8, near singular", "f8", moved


def held(name):
    """What is off, in words; None for each derivative that was held."""
    # what is linear in pieces scales (`test_scaling`)
    powers = {"pieces": NOWHERE, "smooth": NOWHERE, "definition": NEARER}.get(references.WAYS[name], POWERS)
    for program, values, fixed_zeros in programs(name):
        for what, form, moved in points(values, name.startswith("scipy."), powers):
            rng = np.random.default_rng(len(what))
            # near a singular matrix the digits are those that its inverse has
            condition = NEAR**-1 if what.endswith("singular") else 1.0
            point = exact.Point(program, moved, form, rng, fixed_zeros, condition, name in EACH)
            try:
                yield from (m if m is None else f"{what}: {m}\n  {program.text}" for m in point.held())
            except (ArithmeticError, ValueError, TypeError, RuntimeError):
                # the function has no value there, or none in this precision
                if what == "f8":
                    raise


@pytest.mark.sampled(36, each=False)
@pytest.mark.parametrize("name", RULES)
def test_against_higher_precision(name):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        found = list(held(name))
    wrong = [m for m in found if m is not None and ": lost: " not in m]
    assert not wrong, "\n".join(wrong)
    assert None in found, "nothing was held"
