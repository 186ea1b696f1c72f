"""What is built: by example, of several targets, of a whole project, and from Python."""

import importlib
import os
import subprocess
import sys

import numpy as np
import pytest

from s2sad import BadArgument, grad, hessian, jvp
from s2sad.cli import main

MODEL = '''
import numpy as np


class Net:
    def __init__(self, W, scale):
        self.W, self.scale = W, scale

    def loss(self, x):
        return np.sum((self.W @ x) ** 2) * self.scale


def loss(w, X, mode):
    r = X @ w
    return np.sum(r * r) if mode == "squares" else np.sum(r)


def cube(x):
    return x**3


def example():
    return np.ones(2), np.ones((3, 2)), "squares"


def net():
    return {"self": Net(np.ones((2, 3)), 2.0), "x": np.ones(3)}
'''


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A directory with a module and nothing else; its name."""
    name = f"model_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield name
    for known in [n for n in sys.modules if n.startswith((name, "built")) and n != "builtins"]:
        del sys.modules[known]


def run(capsys, *arguments):
    try:
        status = main(list(arguments))
    except SystemExit as error:
        status = error.code
    out, err = capsys.readouterr()
    return status, out, err


def built(file):
    importlib.invalidate_caches()
    return importlib.import_module(file.removesuffix(".py"))


def test_kinds_by_example(project, capsys):
    status, out, err = run(capsys, "show", f"{project}.py:loss", "--inputs", "example")
    assert (status, err) == (0, "") and "def grad_loss(w, X, mode)" in out and "mode ==" not in out
    assert run(capsys, "show", f"{project}.py:loss", "--inputs", f"{project}:example")[1] == out
    status, out, err = run(capsys, "explain", f"{project}.py:loss", "--inputs", "example")
    assert (status, err) == (0, "") and "'squares'" in out
    status, _, err = run(capsys, "build", f"{project}.py:loss", "--inputs", "example", "-o", "built_loss.py")
    assert (status, err) == (0, "")
    np.testing.assert_array_equal(built("built_loss.py").grad_loss(np.ones(2), np.ones((4, 2)), "squares"), [16, 16])
    status, _, err = run(capsys, "show", f"{project}.py:loss", "--inputs", "example", "--args", "w: f8[n]")
    assert status == 2 and "give one of them" in err


def test_methods_with_objects(project, capsys):
    target = f"{project}.py:Net.loss"
    assert run(capsys, "check", target, "--wrt", "self", "--inputs", "net")[0] == 0
    assert run(capsys, "build", target, "--wrt", "x", "--inputs", "net", "-o", "built_net.py")[0] == 0
    holder = importlib.import_module(project)
    given = holder.net()
    np.testing.assert_allclose(built("built_net.py").grad_loss(given["self"], given["x"]), [24.0] * 3)


def test_several_targets_each_with_its_own_kinds(project, capsys):
    targets = [f"{project}.py:cube", f"{project}.py:loss"]
    kinds = ["--args", "x: float", "--args", 'w: f8[n], X: f8[m, n], mode: "squares"']
    assert run(capsys, "build", *targets, *kinds, "-o", "built_two.py")[0] == 0
    made = built("built_two.py")
    assert made.grad_cube(2.0) == 12.0 and made.grad_loss(np.ones(1), np.ones((1, 1)), "squares") == [2.0]
    assert run(capsys, "build", *targets, *kinds, "-o", "built_two.py", "--check")[0] == 0
    status, _, err = run(capsys, "check", *targets, *kinds, "--args", "x: int")
    assert status == 2 and "--args is given 3 times for 2 targets" in err


PROJECT = """
[[tool.s2sad.build]]
output = "built_cube.py"
targets = ["{0}.py:cube"]
args = "x: float"
value = true

[[tool.s2sad.build]]
output = "built_rest.py"
targets = [{{ target = "{0}.py:loss", inputs = "example", wrt = "w,X" }}, {{ target = "{0}:cube", args = "x: float" }}]
mode = "forward"
"""


def test_a_whole_project(project, capsys, tmp_path, monkeypatch):
    (tmp_path / "pyproject.toml").write_text(PROJECT.format(project))
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    status, _, err = run(capsys, "build", "--check")
    assert status == 1 and err.count("does not exist") == 2, err
    assert run(capsys, "build") == (0, "", "") and run(capsys, "build", "--check") == (0, "", "")
    assert built("built_cube.py").value_and_grad_cube(2.0) == (8.0, 12.0)
    assert "Rebuild: s2sad build\n" in (tmp_path / "built_rest.py").read_text()
    assert built("built_rest.py").jvp_cube(2.0, 1.0) == (8.0, 12.0)
    (tmp_path / f"{project}.py").write_text(MODEL.replace("x**3", "x**4"))
    code = "import sys; from s2sad.cli import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run([sys.executable, "-c", code, "build", "--check"], capture_output=True, text=True)
    assert done.returncode == 1 and "built_cube.py is out of date" in done.stderr and "s2sad build" in done.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "There is no pyproject.toml"),
        ("", "does not say what to build"),
        ("[tool.s2sad]\nbuild = 3", "does not say what to build"),
        ("[tool", "cannot be read"),
        ("[[tool.s2sad.build]]\ntargets = ['m.py:f']", "number 1 has no output"),
        ("[[tool.s2sad.build]]\noutput = 'a.py'", "number 1 has no targets"),
        ("[[tool.s2sad.build]]\noutput = 'a.py'\ntargets = [3]", "has a target that is none: 3"),
        ("[[tool.s2sad.build]]\noutput = 'a.py'\ntargets = ['m.py:f']\nwith = 'x'", "has a key that is none: with"),
        ("[[tool.s2sad.build]]\noutput = 'a.py'\ntargets = ['m.py:f']\nvalue = 1", "value = 1 is no truth value"),
        ("[[tool.s2sad.build]]\noutput = 'a.py'\ntargets = ['m.py:f']\nmode = 'up'", "there is no mode 'up'"),
        ("[[tool.s2sad.build]]\noutput = 'a.py'\ntargets = ['nowhere.py:f']", "There is no file nowhere.py"),
        (
            "[[tool.s2sad.build]]\noutput = 'a.py'\ntargets = ['m.py:f']\n"
            "[[tool.s2sad.build]]\noutput = './a.py'\ntargets = ['m.py:g']",
            "writes a.py more than once",
        ),
    ],
)
def test_projects_that_are_none(tmp_path, monkeypatch, capsys, text, words):
    monkeypatch.chdir(tmp_path)
    if text is not None:
        (tmp_path / "pyproject.toml").write_text(text)
    status, out, err = run(capsys, "build")
    assert (status, out) == (2, "") and words in err and "Way out: " in err and "defect" not in err


def test_nothing_is_written_where_one_target_fails(project, capsys, tmp_path):
    (tmp_path / "pyproject.toml").write_text(PROJECT.format(project).replace("loss", "gone"))
    status, _, err = run(capsys, "build")
    assert status == 2 and "has no function gone" in err
    assert sorted(p.name for p in tmp_path.glob("*.py")) == [f"{project}.py"]


EXAMPLES = """

def leaves():
    raise SystemExit("no data")


def interrupted():
    raise KeyboardInterrupt
"""


ENDS = {"leaves": (2, "SystemExit: no data"), "interrupted": (130, "Interrupted: a file is written whole")}


@pytest.mark.parametrize("example", ENDS)
def test_an_example_that_ends_the_program(project, capsys, tmp_path, example):
    status, words = ENDS[example]
    (tmp_path / f"{project}.py").write_text(MODEL + EXAMPLES)
    found, _, err = run(capsys, "build", f"{project}.py:cube", "--inputs", example, "-o", "built_not.py")
    assert found == status and words in err and "Traceback" not in err
    assert sorted(p.name for p in tmp_path.glob("*.py")) == [f"{project}.py"] and not list(tmp_path.glob(".built*"))


def test_build_needs_both(project, capsys):
    assert "There is no FILE to write" in run(capsys, "build", f"{project}.py:cube")[2]
    assert "There is no TARGET for --output" in run(capsys, "build", "-o", "x.py")[2]


def test_from_python(project, capsys, tmp_path):
    model = importlib.import_module(project)
    df = grad(model.loss)
    df(*model.example())
    df.explain()
    assert "varied: wrt" in capsys.readouterr().out
    df.build(tmp_path / "built_here.py")
    np.testing.assert_array_equal(built("built_here.py").grad_loss(np.ones(1), np.ones((5, 1)), "squares"), [10.0])
    df.build("built_here.py")  # what it wrote itself, it may write again
    (tmp_path / "built_here.py").write_text("mine = 1\n")
    with pytest.raises(Exception, match="was not written by s2sad"):
        df.build("built_here.py")
    df.build("built_here.py", force=True)
    ints = jvp(model.cube)
    ints(3, 1.0)
    ints.build("built_ints.py")
    assert built("built_ints.py").jvp_cube(2.0, 1.0) == (8.0, 12.0)
    with pytest.raises(BadArgument, match="is no module of its own"):
        hessian(model.cube).build("built_hessian.py")
    with pytest.raises(BadArgument, match="build or explain what it calls"):
        hessian(model.cube).explain()


@pytest.mark.parametrize("command", [(), ("show",), ("build",), ("check",), ("explain",), ("rules",)])
def test_help_teaches_by_example_in_a_page(capsys, command):
    status, out, _ = run(capsys, *command, "--help")
    assert status == 0 and "examples:\n  s2sad " in out and out.count("\n") < 40


@pytest.mark.long
def test_the_command_line_starts_at_once(tmp_path):
    """In time of the processor, which a busy machine stretches less, with modules that are compiled already."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(tmp_path)

    def seconds(code):
        best = 9.0
        for _ in range(5):
            before = os.times()
            subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=environment)
            after = os.times()
            used = after.children_user - before.children_user + after.children_system - before.children_system
            best = min(best, used)
        return best

    run_help = "from s2sad.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass"
    assert seconds(run_help) - seconds("import numpy") < 0.35
