"""The public names: what `s2sad` promises to keep."""

import importlib
import inspect

import pytest

import s2sad
from s2sad.cli import main

#: a change here is a change for users: it belongs into CHANGELOG.md
PUBLIC = {
    "s2sad": {
        "BadArgument",
        "DerivationError",
        "Derivative",
        "NoSource",
        "elementwise_grad",
        "grad",
        "hessian",
        "hvp",
        "jacobian",
        "jvp",
        "stop_gradient",
        "value_and_grad",
        "vjp",
    },
    "s2sad.testing": {"check_grads"},
    "s2sad.rules": {
        "RuleError",
        "adjoint",
        "d",
        "definition",
        "elementwise",
        "linear",
        "registry",
        "tangent",
        "zero",
    },
}


def test_the_names_are_those_that_are_listed():
    for module, names in PUBLIC.items():
        assert set(importlib.import_module(module).__all__) == names, module


def test_nothing_else_is_public():
    names = {n for n, v in vars(s2sad).items() if not n.startswith("_") and not inspect.ismodule(v)}
    assert names == PUBLIC["s2sad"]


def test_all_of_them_say_what_they_are_for():
    for module, names in PUBLIC.items():
        for name in names:
            assert inspect.getdoc(getattr(importlib.import_module(module), name)), f"{module}.{name}"


def test_the_version_is_that_of_the_distribution():
    assert s2sad.__version__ == importlib.import_module("importlib.metadata").version("s2sad")


def test_the_command_line_says_it_too(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"s2sad {s2sad.__version__}\n"
