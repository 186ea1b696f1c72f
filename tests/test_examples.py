"""The derivatives beside the examples are those of today, and are right."""

import importlib.util
import shlex
from pathlib import Path

import numpy as np
import pytest

from s2sad.cli import main
from tests import numeric

ROOT = Path(__file__).parent.parent
NAMES = ["digits", "gaussian_process", "heat", "lotka_volterra"]


def module(name):
    spec = importlib.util.spec_from_file_location(f"example_{name}", ROOT / "examples" / f"{name}.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.parametrize("name", NAMES)
def test_in_date(name, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    lines = (ROOT / "examples" / f"{name}_grad.py").read_text(encoding="utf-8").splitlines()
    command = next(line for line in lines if line.startswith("# Rebuild: s2sad "))
    assert main([*shlex.split(command.removeprefix("# Rebuild: s2sad ")), "--check"]) == 0, "run examples/build"


def arguments(name):
    rng = np.random.default_rng(0)
    match name:
        case "digits":
            sizes = ((6, 4), (4,), (4, 3), (3,), (5, 6))
            one_hot = np.eye(3)[rng.integers(3, size=5)]
            return (*(rng.normal(size=s) for s in sizes), one_hot, 0.01), ("W1", "b1", "W2", "b2")
        case "gaussian_process":
            x = np.linspace(0.0, 1.0, 6)
            return (np.array([0.1, -0.5, -1.0]), x, np.sin(x)), "theta"
        case "heat":
            u = rng.normal(size=7)
            return (u, rng.normal(size=7), 0.2, 4, 0.1), "u"
    p = np.log([0.5, 0.02, 0.02, 0.8, 30.0, 4.0])
    return (p, np.array([30.0, 47.2, 70.2]), np.array([4.0, 6.1, 9.8]), 5), "p"


@pytest.mark.parametrize("name", NAMES)
def test_right(name):
    derived = module(f"{name}_grad")
    args, wrt = arguments(name)
    (made,) = [f for n, f in vars(derived).items() if n.startswith("value_and_grad_")]
    primal = getattr(module(name), made.__name__.removeprefix("value_and_grad_"))
    value, slopes = made(*args)
    assert value == pytest.approx(primal(*numeric.fresh(args)), rel=1e-12)
    names = primal.__code__.co_varnames
    positions = tuple(names.index(w) for w in wrt) if isinstance(wrt, tuple) else names.index(wrt)
    along = numeric.direction(args, positions, np.random.default_rng(1))
    expected, _ = numeric.directional(primal, args, positions, along)
    assert numeric.inner(slopes, along)[0] == pytest.approx(float(expected[0]), rel=1e-6)
