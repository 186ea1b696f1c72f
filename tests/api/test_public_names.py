"""The public names: what `s2sad` promises to keep."""

import importlib
import inspect

import s2sad

#: a change here is a change for users: it belongs into CHANGELOG.md
PUBLIC = {
    "s2sad": {
        "BadArgument",
        "DerivationError",
        "Derivative",
        "NoSource",
        "grad",
        "hessian",
        "hvp",
        "jacobian",
        "jvp",
        "value_and_grad",
        "vjp",
    },
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
