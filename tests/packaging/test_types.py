"""The types of the public functions, as a type checker sees them: `typed.py` says what is to come out."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow


def test_what_mypy_makes_of_the_operators(tmp_path):
    pytest.importorskip("mypy")
    options = ["--strict", "--follow-imports=silent", "--ignore-missing-imports", f"--cache-dir={tmp_path}"]
    command = [sys.executable, "-m", "mypy", "--config-file=", *options, "tests/packaging/typed.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
