"""The wheel holds all that is needed: built, installed into an environment of its own, used from another directory."""

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow


def run(*command, cwd, **options):
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=environment, capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from a copy, so that nothing that was built before gets into it."""
    copy = tmp_path_factory.mktemp("source") / "s2sad"
    copy.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    for name in ("s2sad", "templates"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, copy, cwd=out)
    (file,) = out.glob("*.whl")
    return file


def test_what_it_holds(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "s2sad/py.typed" in names
    expected = {"s2sad/" + p.relative_to(ROOT).as_posix() for p in (ROOT / "templates").rglob("*.py")}
    expected |= {p.relative_to(ROOT).as_posix() for p in (ROOT / "s2sad").rglob("*.py")}
    assert expected <= names, expected - names
    assert not [n for n in names if n.startswith(("tests/", "examples/", "tools/"))]


def test_it_works_elsewhere(wheel, tmp_path):
    folder = tmp_path / "environment"
    venv.create(folder, with_pip=True)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    run(scripts / "python", "-m", "pip", "install", "-q", wheel, cwd=elsewhere)
    (elsewhere / "model.py").write_text(
        "import numpy as np\n\n\ndef energy(x):\n    return np.linalg.norm(x) + np.sum(np.tanh(x))\n"
    )
    shown = run(scripts / "s2sad", "show", "model.py:energy", "--args", "x: f8[n]", cwd=elsewhere)
    assert "def grad_energy(x):" in shown
    run(scripts / "s2sad", "build", "model.py:energy", "--args", "x: f8[n]", "-o", "energy_grad.py", cwd=elsewhere)
    code = "import sys, numpy, energy_grad as m; m.grad_energy(numpy.ones(3)); assert 's2sad' not in sys.modules"
    run(scripts / "python", "-c", code, cwd=elsewhere)
    assert "np.tanh" in run(scripts / "python", "-m", "s2sad", "rules", "tanh", cwd=elsewhere)
