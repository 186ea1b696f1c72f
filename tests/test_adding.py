"""What docs/architecture.md adds as examples stands in the code, and without it the code cannot do what it is for."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from s2sad import grad
from tests.numeric import check

ROOT = Path(__file__).parent.parent
SECTION = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split("\n## Adding something\n")[1]
SECTION = SECTION.split("\n## ")[0]
DIFFS = dict(re.findall(r"^### (.+?)\n.*?^```diff\n(.*?)^```$", SECTION, re.DOTALL | re.MULTILINE))

PROGRAMS = '''
import numpy as np

def a_rule(x):
    return np.sum(np.hypot(x, 2.0))

def a_builtin(x):
    return sum([k * v * v for (k,), v in np.ndenumerate(x)])

def a_construct(x):
    return (y := np.sum(x * x)) * y

def step(v, x):
    """One step."""
    a, b = np.sin(v) * x[0], np.cos(v) * x[1]
    c, d = np.exp(-a * b), np.tanh(a + b)
    return c * d + a - b * v

def a_pass(x):
    return step(step(step(x[0], x), x), x)
'''

#: what each program cannot do without
REFUSED = {
    "A rule": "np.hypot has neither a derivative rule",
    "A builtin": "np.ndenumerate has no derivative",
    "A construct": "NamedExpr",
}

DERIVE = """
import numpy, programs, s2sad
for name in ("a_rule", "a_builtin", "a_construct", "a_pass"):
    derivative = s2sad.grad(getattr(programs, name))
    try:
        derivative(numpy.array([0.3, 0.7]))
        print("###", derivative.source)
    except s2sad.DerivationError as error:
        print("### refused:", error)
"""


def hunks(diff):
    """The files of a diff, each with the texts before and behind."""
    for file in re.split(r"^\+\+\+ ", diff, flags=re.MULTILINE)[1:]:
        name, *changes = re.split(r"^@@\n", file, flags=re.MULTILINE)
        for change in changes:
            lines = change.splitlines(keepends=True)
            assert {line[0] for line in lines} <= {" ", "+", "-"}
            yield name.strip(), *("".join(line[1:] for line in lines if line[0] != mark) for mark in "+-")


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    file = tmp_path_factory.mktemp("adding") / "programs.py"
    file.write_text(PROGRAMS, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("programs", file)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.fixture(scope="module")
def without(programs):
    """What comes of the programs in a copy without what the page adds, by the heading."""
    folder = Path(programs.__file__).parent
    shutil.copytree(ROOT / "s2sad", folder / "s2sad")  # (with what is compiled already)
    shutil.copytree(ROOT / "templates", folder / "s2sad" / "templates")
    for diff in DIFFS.values():
        for name, before, behind in hunks(diff):
            file = folder / re.sub("^templates/", "s2sad/templates/", name)
            if not name.startswith("tests/"):
                file.write_text(file.read_text(encoding="utf-8").replace(behind, before), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(folder), "S2SAD_CACHE": "0", "S2SAD_DEBUG": ""}
    command = [sys.executable, "-c", "import s2sad; print(s2sad.__file__)\n" + DERIVE]
    ran = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    place, *results = ran.stdout.split("### ")
    assert Path(place.strip()).parent.parent == folder
    return dict(zip(DIFFS, results, strict=True))


def test_four_things_are_added():
    assert list(DIFFS) == ["A rule", "A builtin", "A construct", "A pass"]


@pytest.mark.parametrize("what", DIFFS)
def test_a_diff_is_short_and_stands_in_the_code(what):
    assert len(DIFFS[what].splitlines()) < 40
    ends = {}
    for name, before, behind in hunks(DIFFS[what]):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert before != behind
        assert ("\n" + text).count("\n" + behind) == 1, f"{name} has not, or more than once:\n{behind}"
        assert text.index(behind) >= ends.get(name, 0)
        ends[name] = text.index(behind) + len(behind)
    assert any(name.startswith("tests/") for name in ends) and len(ends) == 2


@pytest.mark.parametrize("what", DIFFS)
def test_the_code_does_what_it_is_for(what, programs):
    check(getattr(programs, what.lower().replace(" ", "_")), (np.array([0.3, 0.7]),))


@pytest.mark.parametrize("what", REFUSED)
def test_without_it_the_program_is_refused(what, without):
    assert without[what].startswith("refused:") and REFUSED[what] in without[what]


def test_without_the_pass_the_text_is_another(programs, without):
    derivative = grad(programs.a_pass)
    derivative(np.array([0.3, 0.7]))
    line = '    """Grad of step: One step."""\n'
    assert line in derivative.source
    assert without["A pass"].strip() == derivative.source.replace(line, "").strip()


def test_the_commands_name_what_is_there():
    commands = "".join(re.findall(r"^```sh\n(.*?)^```$", SECTION, re.DOTALL | re.MULTILINE))
    named = re.findall(r"(?<=[ ])(?:s2sad|tests|tools)/?[\w/.]*", commands)
    assert len(named) >= 5
    for name in named:
        assert (ROOT / name).exists(), name
