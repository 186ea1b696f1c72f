"""Registering rules: what is refused, users' own rules, what is asked of the registry."""

from __future__ import annotations

import builtins
import re
import subprocess
import sys

import gast
import numpy as np
import pytest

import s2sad
from s2sad import rules
from s2sad.cli import import_optional
from s2sad.core import Facts, Names, load
from s2sad.expansion import reverse
from s2sad.expansion.operand import Operand
from s2sad.expansion.refusal import NoDerivative
from s2sad.kinds.kind import Array, Dim, Number
from s2sad.knowledge import registry, signatures
from s2sad.rules import adjoint, d, elementwise, linear, tangent, zero
from tests.rules import runner


def test_templates_fit_their_functions(monkeypatch):
    import_optional()
    registered = rules.registry(helpers=True)  # each was looked at when it was loaded, most of them at a glance
    monkeypatch.setattr(signatures, "fits_at_a_glance", lambda target, template: False)
    for rule in registered:
        for template in (*rule.templates, *filter(None, [rule.definition])):
            if template.condition is None:
                signatures.check_signature(rule, template)


WRONG = {
    "signature": ("@linear(np.trace)\ndef trace(y, a, axis=0):\n    d[a] = d[y]\n", 4, "parameter axis of the"),
    "order": ("@linear(np.trace)\ndef trace(y, offset, a):\n    d[a] = d[y]\n", 4, "parameter offset"),
    "too few": ("@elementwise(np.hypot)\ndef hypot(y, x):\n    return x\n", 4, "np.hypot"),
    "twice": ("zero(np.sign)\n@elementwise(np.sign)\ndef sign(y, x):\n    return 0.0\n", 5, "np.sign has a rule"),
    "missing": ("@elementwise(np.versine)\ndef versine(y, x):\n    return np.sin(x)\n", 4, "does not exist.*versine"),
    "lost": ("from numpy import versine\n", 4, "does not exist.*versine"),
}


@pytest.mark.parametrize(("text", "line", "reason"), WRONG.values(), ids=WRONG)
def test_own_templates_are_refused_at_import(text, line, reason, tmp_path):
    """A module of templates with one wrong rule: the first use of the rules says where, and so does the next."""
    package = tmp_path / "templates"
    package.mkdir()
    (package / "__init__.py").write_text("")
    head = "import numpy as np\n\nfrom s2sad.rules import d, elementwise, linear, zero\n"
    (package / "subject.py").write_text(head + text)
    program = f"""
import importlib.util, sys, numpy as np, s2sad
from s2sad import rules
spec = importlib.util.spec_from_file_location(
    "s2sad.templates", {str(package / "__init__.py")!r}, submodule_search_locations=[{str(package)!r}])
sys.modules["s2sad.templates"] = package = importlib.util.module_from_spec(spec)
spec.loader.exec_module(package)
for _ in range(2):
    try:
        rules.lookup(np.sin)
    except rules.RuleError as error:
        print(error)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    said = ran.stdout.splitlines()
    place = f"{package / 'subject.py'}:{line}"
    assert len(said) == 2 and said[0] == said[1] and said[0].startswith(place), ran.stdout
    assert re.search(reason, said[0])


def test_registry_names_conventions_and_places():
    by_name = {rule.name: rule for rule in rules.registry()}
    assert "share evenly" in by_name["np.max"].doc
    assert by_name["np.tanh"].modes == "elementwise" and by_name["np.sum"].modes == "linear"
    assert by_name["np.floor"].zero and by_name["np.linalg.inv"].modes == "reverse and forward"
    assert all(rule.place for rule in by_name.values())
    assert all(rule.forward and rule.reverse for rule in by_name.values())


def test_refused_with_the_place():
    with pytest.raises(
        rules.RuleError, match=r"test_registration.py:\d+: np.sin has a rule already, from .*elementwise"
    ):

        @elementwise(np.sin)
        def sin(y, x):
            return 1.0

    def one(x):
        return x

    with pytest.raises(rules.RuleError, match=r"test_registration.py:\d+: parameter b of the template"):

        @elementwise(one)
        def wrong(y, b):
            return 1.0

    with pytest.raises(rules.RuleError, match=r"test_registration.py:\d+: .*lacks the parameter x"):

        @adjoint(one)
        def missing(y):
            pass

    with pytest.raises(rules.RuleError, match="a rule needs a function, not None"):

        @linear(None)
        def nothing(y, x):
            d[x] = d[y]

    with pytest.raises(rules.RuleError, match="for no function"):

        @linear()
        def nobody(y, x):
            d[x] = d[y]

    with pytest.raises(rules.RuleError, match="has a rule already"):
        zero(np.sin)


def softplus(x):
    return np.log1p(np.exp(x))


@elementwise(softplus)
def _softplus(y, x):
    return 1.0 - np.exp(-y)


def scaled(x, w, power=2):
    return x * w**power


@adjoint(scaled)
def _scaled(y, x, w, power=2):
    if power == 1:
        d[x] = d[y] * w
        d[w] = d[y] @ x
    else:
        slope = power * w ** (power - 1)
        d[x] = d[y] * w**power
        d[w] = d[y] @ x * slope


@tangent(scaled)
def _scaled(y, x, w, power=2):
    d[y] = d[x] * w**power + x * (power * w ** (power - 1)) * d[w]


def test_rules_of_users():
    runner.check(softplus, [np.array([0.3, -0.2])])
    call = runner.check(scaled, [np.array([0.3, -0.2]), 1.3])
    assert "slope" not in runner_text(call, {(0,)})  # what only an inactive argument needs is not written
    runner.check(scaled, [np.array([0.3, -0.2]), 1.3, 1])


def runner_text(call, active):
    got = reverse.adjoint(
        call.target, call.y, call.args, call.kwargs, Operand(load("by"), call.y.kind), active, call.facts
    )
    return "; ".join([gast.unparse(gast.fix_missing_locations(s)) for s in got.statements])


def test_arguments_without_a_derivative_are_refused():
    n = Dim.symbol("n")
    kinds = {"a": Array(np.dtype(float), (n,)), "q": Number(float)}
    facts = Facts(kinds=dict(kinds), taken=Names({"a", "q", "y", "g"}), globals={"np": np})
    args = [Operand(load("a"), kinds["a"]), Operand(load("q"), kinds["q"])]
    y = Operand(load("y"), Number(float))
    with pytest.raises(NoDerivative, match="argument q"):
        reverse.adjoint(np.quantile, y, args, {}, Operand(load("g"), Number(float)), {(1,)}, facts)
    with pytest.raises(NoDerivative, match="no derivative rule"):
        reverse.adjoint(np.savetxt, y, args, {}, Operand(load("g"), Number(float)), {(1,)}, facts)
    with pytest.raises(NoDerivative, match="does not know the argument where"):
        where = {"where": Operand(load("mask"), Array(np.dtype(bool), (n,)))}
        reverse.adjoint(np.sin, args[0], args[:1], where, Operand(load("g"), kinds["a"]), {(0,)}, facts)


def test_questions():
    array = Array(np.dtype(float), None)
    assert registry.method(array, "sum") is np.sum and registry.method(array, "T") is np.transpose
    assert registry.method(array, "nope") is None
    assert registry.view_of(np.reshape) == 0 and registry.view_of(np.sum) is None
    assert rules.lookup(np.sum).linear and rules.lookup(print).zero if rules.lookup(print) else True


def smoothstep(x, steep=1.0):
    """Stands for a function without source."""
    return builtins.pow(x, 2) * (3.0 - 2.0 * x) * steep


def half(x):
    return 0.5 * x


def test_a_definition_is_written_out():
    @rules.definition(smoothstep)
    def smoothstep_(x, steep=1.0):
        if isinstance(steep, str):
            raise NoDerivative("steep must be a number", "give one")
        return x * x * (3.0 - 2.0 * x) * steep

    assert rules.lookup(smoothstep).modes == "definition"
    assert s2sad.grad(lambda x: smoothstep(x, 2.0))(0.3) == pytest.approx(12.0 * 0.3 * 0.7)
    assert s2sad.grad(s2sad.grad(lambda x: smoothstep(x)))(0.3) == pytest.approx(6.0 - 12.0 * 0.3)
    with pytest.raises(s2sad.DerivationError, match="steep must be a number"):
        s2sad.grad(lambda x: smoothstep(x, "very"))(0.3)
    with pytest.raises(rules.RuleError, match="has a rule already"):

        @rules.elementwise(smoothstep)
        def again(y, x, steep=1.0):
            return 1.0

    with pytest.raises(rules.RuleError, match="parameter"):

        @rules.definition(half)
        def wrong(y, x):
            return x


def helper(x):
    return 3.0 * x


def squared_and_more(x):
    return 1.5 * x**2 + 1.0


def test_a_rule_may_call_a_function_that_is_called_as_a_macro_is(monkeypatch):
    @elementwise(squared_and_more)
    def squared_and_more_rule(y, x):
        return helper(x)

    try:
        g = s2sad.grad(lambda x: squared_and_more(x) * 2.0)
        assert np.isclose(g(1.3), 7.8)
        monkeypatch.setitem(globals(), "helper", lambda x: 5.0 * x)
        assert np.isclose(g(1.3), 13.0)
    finally:
        rules.remove(squared_and_more)


def test_parameters_by_place_have_names_of_their_own():
    def doubled(real=0.0):
        return 2.0 * real

    @linear(doubled)
    def rule(y, x=0.0, /):
        d[x] = 2.0 * d[y]

    try:
        assert s2sad.grad(lambda x: doubled(x) ** 2)(3.0) == 24.0
    finally:
        rules.remove(doubled)
