"""Every public function of NumPy and of Python's numeric modules has a derivative, or a reason why not."""

from __future__ import annotations

import importlib
import inspect
import re

import pytest

from s2sad import coverage, rules
from s2sad.cli import import_optional
from s2sad.uncovered import FOLLOWED, REASONS
from tools.rule_table import ELSEWHERE

#: where nothing may be "not yet"; what is there in the others that are surveyed without SciPy
COMPLETE = ("numpy", "numpy.linalg", "numpy.fft", "numpy.random.Generator", "math", "cmath", "operator")
NOT_YET = {"numpy.ndarray": {"resize"}, "statistics": {"NormalDist", "kde", "kde_random"}}


@pytest.mark.parametrize("namespace", [*COMPLETE, *NOT_YET])
def test_nothing_is_left(namespace):
    left = coverage.survey(namespace).uncovered
    names = {n for reason, found in left.items() if reason.startswith(coverage.NOT_YET) for n in found}
    assert names <= NOT_YET.get(namespace, set()), (
        f"{namespace}: {names} has no rule and no reason; add a rule in templates/, or say why in s2sad/uncovered.py"
    )


@pytest.mark.parametrize("namespace", REASONS)
def test_reasons(namespace):
    if namespace.startswith("scipy"):
        pytest.importorskip("scipy")
        import_optional()
    assert all(why.startswith(("no derivative", "not numeric", "not yet")) for why in REASONS[namespace])
    listed = [n for names in REASONS[namespace].values() for n in names.split()]
    assert len(listed) == len(set(listed)), "a name is listed twice"
    found = coverage.survey(namespace)
    other = {
        n for why, names in REASONS[namespace].items() if "imports" in why or "types" in why for n in names.split()
    }
    wrong = {*listed} & {*found.covered, *found.constant} - other - {*FOLLOWED.get(namespace, "").split()}
    assert wrong <= {"row_stack"}, f"{wrong} is covered, and listed with a reason"


def test_shares_are_honest():
    found = coverage.Survey("x", covered=["a", "b"], constant=["c"])
    found.uncovered = {"not yet": ["d"], "not yet: of rank 3": ["e", "f"], "no derivative: an index": ["g"]}
    assert found.share == 2 / 5 and found.count("not yet") == 3
    assert "40 % of 5" in found.line and "1 without a derivative" in found.line


def test_what_is_public():
    assert "sin" in coverage.public("numpy") and "linalg" not in coverage.public("numpy")
    assert "T" in coverage.public("numpy.ndarray") and "normal" in coverage.public("numpy.random.Generator")


def test_each_rule_is_tested_where_it_is_said_to_be():
    pytest.importorskip("scipy")
    import_optional()
    for name in ("test_rules", "test_scipy", "test_zero"):
        module = importlib.import_module(f"tests.rules.{name}")
        said = {r.name for r in rules.registry() if coverage.tested(r) == name}
        said = {n for n in said if n.split(".")[0] not in ELSEWHERE}  # what other tests have imported
        elsewhere = getattr(module, "ELSEWHERE", ())
        assert said <= {*module.RULES, *getattr(module, "TEXT", ()), *elsewhere}, name
    for name in ("test_solvers", "test_interpolants", "test_sparse", "test_random"):
        text = inspect.getsource(importlib.import_module(f"tests.rules.{name}"))
        said = {r.name for r in rules.registry() if coverage.tested(r) == name}
        assert not [n for n in said if n.rpartition(".")[2] not in text], name


def test_every_rule_is_timed():
    """Of those that compute with arrays: tools/bench_calls.py has a call."""
    from tools import bench_calls

    import_optional()
    text = "\n".join(bench_calls.CALLS)
    names = {r.name for r in rules.registry() if not r.zero and r.name.startswith(("np.", "scipy."))}
    names -= {n for n in names if n.startswith(("np.random.Generator", "np.random.RandomState"))}  # as np.random's
    names -= {"np.trapz"}  # as NumPy 1 calls np.trapezoid
    names -= {n for n in names if n.endswith("__") or n.rpartition(".")[2][0].isupper()}  # objects: by what they do
    assert not [n for n in names if not re.search(rf"\b{re.escape(n.rpartition('.')[2])}\b", text)]
