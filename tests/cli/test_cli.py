"""The command line: what it prints, its exit status, and what it says when something is wrong."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from s2sad.build import CannotWrite, sealed, write
from s2sad.cli import main
from s2sad.frontend.locate import locate

MODEL = '''"""A model."""
import math

import numpy as np

from s2sad import grad

SCALE = 2.0
thing = object()
holder = [object()]


def loss(x: float, y: float = 2.0) -> float:
    # the sine
    s = math.sin(x)
    return s * y * SCALE


def arrays(w, b, X):
    return np.sum((X @ w + b) ** 2)


def example():
    return np.array([1.0, 2.0]), 0.5, np.ones((3, 2))


@grad(wrt="y")
def decorated(x: float, y: float):
    return x * y * y


class Net:
    def __init__(self, c):
        self.c = c

    def loss(self, x):
        return x * x

    @staticmethod
    def static(x: float):
        return x * x


def wrong(x: float):
    return x * np.round(x * 1e-3, 0) + float(int(x * 1e6)) * 1e-6


def holds(x: float):
    return x if holder[0] is not None else -x


def looped(x: float, n: int):
    s = x
    count = 0
    for i in range(n):
        s = math.sin(s) * s
        count += 1
    return s


def vector(x: float):
    return np.array([x, x])


def unreadable(x: float):
    return eval("x * x")
'''


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    known = dict(sys.modules)
    (tmp_path / "cli_model.py").write_text(MODEL)
    yield "cli_model.py"
    for name in set(sys.modules) - set(known):
        if name.startswith(("cli_", "pkg")):
            del sys.modules[name]


def run(capsys, *arguments):
    """Status, standard output, standard error."""
    try:
        status = main(list(arguments))
    except SystemExit as error:
        status = error.code
    out, err = capsys.readouterr()
    return status, out, err


def test_show(model, capsys):
    status, out, err = run(capsys, "show", f"{model}:loss")
    assert (status, err) == (0, "")
    assert out.startswith("import math\n") and "SCALE = 2.0\n" in out and "def grad_loss(" in out and "\x1b" not in out


def test_show_forms(model, capsys):
    assert (
        "def grad_arrays(w, b, X)"
        in run(capsys, "show", f"{model}:arrays", "--wrt", "w,b", "--args", "w: f8[n], b: float, X: f8[m, n]")[1]
    )
    assert "jvp_loss" in run(capsys, "show", f"{model}:loss", "--mode", "forward")[1]
    assert run(capsys, "show", f"{model}:loss", "--value")[0] == 0
    assert run(capsys, "show", f"{model}:vector", "--vjp")[0] == 0
    assert run(capsys, "show", "cli_model:Net.static")[0] == 0
    assert "grad_loss(self, x)" in run(capsys, "show", f"{model}:Net.loss", "--args", "x: float")[1]


def test_strong_zero(model, capsys, tmp_path):
    (tmp_path / "cli_zero.py").write_text("import math\n\ndef f(x: float, k: float):\n    return k * math.sqrt(x)\n")
    for flags, name, given in (((), "grad_f", (0.0, 0.0)), (("--mode", "forward"), "jvp_f", (0.0, 0.0, 0.0))):
        status, out, _ = run(capsys, "show", "cli_zero.py:f", *flags, "--strong-zero")
        namespace = {}
        exec(out, namespace)
        assert status == 0 and namespace[name](*given) in (0.0, (0.0, 0.0))
        exec(run(capsys, "show", "cli_zero.py:f", *flags)[1], namespace)
        with pytest.raises(ZeroDivisionError):
            namespace[name](*given)


def test_show_stages(model, capsys):
    status, out, _ = run(capsys, "show", f"{model}:loss", "--stage", "normal")
    assert status == 0 and "def loss(" in out
    namespace = {}
    exec(out, namespace)
    assert namespace["loss"](0.5, 2.0) == locate(f"{model}:loss")(0.5, 2.0)
    assert "def grad_loss(" in run(capsys, "show", f"{model}:loss", "--stage", "adjoint")[1]
    assert "def jvp_loss(" in run(capsys, "show", f"{model}:loss", "--mode", "forward", "--stage", "tangent")[1]
    status, _, err = run(capsys, "show", f"{model}:loss", "--stage", "tangent")
    assert status == 2 and "has no stage tangent; it has: normal, adjoint" in err and "Way out: " in err


def test_explain(model, capsys):
    status, out, err = run(capsys, "explain", f"{model}:looped")
    assert (status, err) == (0, "")
    words = [" ".join(line.split()) for line in out.splitlines()]
    assert "x float varied: wrt" in words and "n int not varied" in words
    assert "varied s" in words and any(w.startswith("not ") and "i" in w for w in words)
    assert any(line.startswith("s taped its value at each turn") for line in words)
    assert any(line.startswith("math.sin(s) ") for line in words)
    assert any(line.startswith("statements 6 ") and line.endswith(" backward") for line in words)
    assert any(line.startswith("values on tapes tape: ") for line in words)
    status, out, _ = run(capsys, "explain", f"{model}:looped", "--mode", "forward")
    assert status == 0 and "backward" not in out
    assert run(capsys, "explain", f"{model}:unreadable")[0] == 2


def test_a_defect_is_one_block(model, capsys, monkeypatch):
    def fails(*_, **__):
        raise RuntimeError("deep\ninside")

    monkeypatch.setattr("s2sad.derive.derive", fails)
    monkeypatch.delenv("S2SAD_DEBUG", raising=False)
    status, out, err = run(capsys, "show", f"{model}:loss")
    assert status == 2 and out == "" and "Traceback" not in err
    place, line, caret, reason, way_out = err.splitlines()
    assert "cli_model.py:" in place and line.strip().startswith("def loss") and caret.strip() == "^" * len("def loss")
    assert "a defect of s2sad, not of your function: RuntimeError: deep, in " in reason
    assert way_out.startswith("Way out: report it")
    monkeypatch.setenv("S2SAD_DEBUG", "1")
    with pytest.raises(RuntimeError):
        main(["show", f"{model}:loss"])


def test_a_decorated_function_keeps_its_wrt(model, capsys):
    assert "2.0 * " in run(capsys, "show", f"{model}:decorated")[1]


def test_build_and_check(model, capsys, tmp_path):
    command = ["build", f"{model}:loss", "--wrt", "x,y", "-o", "out.py"]
    status, _, err = run(capsys, *command, "--check")
    assert status == 1 and "out.py does not exist" in err and "s2sad build cli_model.py:loss" in err
    assert run(capsys, *command) == (0, "", "")
    text = Path("out.py").read_text()
    assert run(capsys, *command, "--check")[0] == 0
    assert run(capsys, *command)[0] == 0 and Path("out.py").read_text() == text
    assert "s2sad build cli_model.py:loss --wrt x,y -o out.py\n" in text
    assert "s2sad 0." in text and "cli_model.py:loss with respect to x, y (source " in text
    Path("out.py").write_text(text + "# edited\n")
    assert run(capsys, *command, "--check")[0] == 1
    assert Path("out.py").read_text().endswith("# edited\n")
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-c",
            text + "\nimport sys\nassert 's2sad' not in sys.modules\nprint(grad_loss(0.0, 3.0))",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "(6.0, 0.0)\n"


def test_build_of_several(model, capsys):
    assert run(capsys, "build", f"{model}:loss", f"{model}:Net.static", "-o", "both.py")[0] == 0
    text = Path("both.py").read_text()
    assert "def grad_loss" in text and "def grad_static" in text
    status, _, err = run(capsys, "build", f"{model}:loss", f"{model}:Net.loss", "-o", "clash.py")
    assert status == 2 and "would be called grad_loss" in err and not Path("clash.py").exists()


@pytest.mark.parametrize("output", ["missing/out.py", "directory"])
def test_output_that_cannot_be_written(model, capsys, output):
    os.mkdir("directory")
    status, _, err = run(capsys, "build", f"{model}:loss", "-o", output)
    reason = "There is no directory missing" if output != "directory" else "directory is a directory"
    assert status == 2 and err.startswith(reason) and "Way out: " in err
    assert sorted(os.listdir(".")) == sorted(
        ["directory", "cli_model.py", *(["__pycache__"] * os.path.isdir("__pycache__"))]
    )


def test_nothing_half_written_remains(tmp_path, monkeypatch):
    file = tmp_path / "out.py"
    file.write_text("before")

    def fails(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(CannotWrite, match="No space left"):
        write(file, "after")
    assert file.read_text() == "before" and os.listdir(tmp_path) == ["out.py"]


@pytest.fixture
def built_file(model, capsys):
    assert run(capsys, "build", f"{model}:loss", "-o", "out.py")[0] == 0
    return Path("out.py")


#: what stands in the output file, what the refusal says of it
STRANGE = {
    "a text": (lambda text: "dear reader", "was not written by s2sad build"),
    "nothing": (lambda text: "", "was not written by s2sad build"),
    "a module": (lambda text: "import os\n" + text, "was not written by s2sad build"),
    "an edit": (lambda text: text + "# mine\n", "was edited after s2sad wrote it"),
    "an edit of the header": (
        lambda text: text.replace("# Rebuild", "# rebuild", 1),
        "was edited after s2sad wrote it",
    ),
    "no digest": (lambda text: re.sub("# Digest.*\n", "", text), "has no digest that tells whether it was edited"),
    "a newer version": (lambda text: text.replace("s2sad 0.", "s2sad 1000.", 1), "is newer than this one"),
}


@pytest.mark.parametrize("name", STRANGE)
def test_what_build_did_not_write_stays(model, capsys, built_file, name):
    change, reason = STRANGE[name]
    good = built_file.read_text()
    built_file.write_text(change(good))
    status, _, err = run(capsys, "build", f"{model}:loss", "-o", "out.py")
    assert status == 2 and err.startswith("out.py ") and reason in err and "--force" in err
    assert built_file.read_text() == change(good)
    assert run(capsys, "build", f"{model}:loss", "-o", "out.py", "--check")[0] == 1
    assert run(capsys, "build", f"{model}:loss", "-o", "out.py", "--force") == (0, "", "")
    assert built_file.read_text() == good


def test_binary_files_stay(model, capsys):
    Path("out.py").write_bytes(b"\xff\xfe")
    assert "was not written" in run(capsys, "build", f"{model}:loss", "-o", "out.py")[2]


def test_an_older_version_and_other_ends_of_lines_are_overwritten(model, capsys, built_file):
    good = built_file.read_text()
    text = sealed(re.sub("# Digest.*\n", "", good).replace("s2sad 0.", "s2sad 0.0.", 1))
    for other in (text.encode(), good.replace("\n", "\r\n").encode()):
        built_file.write_bytes(other)
        os.chmod("out.py", 0o640)
        assert run(capsys, "build", f"{model}:loss", "-o", "out.py") == (0, "", "")
        assert built_file.read_text() == good and built_file.stat().st_mode & 0o777 == 0o640


def test_the_source_of_a_target_is_never_overwritten(model, capsys, monkeypatch):
    monkeypatch.delitem(sys.modules, "cli_model", raising=False)  # that of another test
    Path("linked.py").hardlink_to(model)
    Path("link.py").symlink_to(model)
    Path("cli_other.py").write_text("from cli_model import loss\n")
    before = Path(model).read_text()
    for target, output in [
        (model, model),
        (model, "linked.py"),
        (model, "link.py"),
        ("cli_other.py", "cli_other.py"),
    ]:
        status, _, err = run(capsys, "build", f"{target}:loss", "-o", output, "--force")
        assert status == 2 and err.startswith(f"{output} is the source of a target.") and "--force" not in err
    assert Path(model).read_text() == before and Path("link.py").is_symlink()


def test_a_generated_module_as_source_and_output(model, capsys, built_file):
    before = built_file.read_text()
    status, _, err = run(capsys, "build", "out.py:grad_loss", "-o", "out.py")
    assert status == 2 and "is the source of a target" in err and built_file.read_text() == before
    sys.modules.pop("out")


def test_symbolic_links_and_devices(model, capsys):
    Path("letter.txt").write_text("dear reader")
    for name, to in (("link.py", "letter.txt"), ("dangling.py", "nowhere.py")):
        Path(name).symlink_to(to)
        status, _, err = run(capsys, "build", f"{model}:loss", "-o", name)
        assert status == 2 and f"{name} is a symbolic link, to {to}" in err and Path(name).is_symlink()
        assert run(capsys, "build", f"{model}:loss", "-o", name, "--force")[0] == 0
        assert not Path(name).is_symlink() and Path(name).read_text().startswith("# Generated")
    assert Path("letter.txt").read_text() == "dear reader" and not Path("nowhere.py").exists()
    if hasattr(os, "mkfifo"):
        os.mkfifo("pipe")
        assert "pipe is no regular file" in run(capsys, "build", f"{model}:loss", "-o", "pipe", "--force")[2]


def test_check(model, capsys):
    status, out, _ = run(capsys, "check", f"{model}:loss", "--wrt", "x,y")
    assert status == 0 and out.count("right") == 4 and out.count("forward") == 2
    assert run(capsys, "check", f"{model}:arrays", "--wrt", "w,b", "--inputs", "example")[0] == 0
    assert run(capsys, "check", f"{model}:arrays", "--args", "w: f8[n], b: float, X: f8[m, n]")[0] == 0
    status, _, err = run(capsys, "check", f"{model}:arrays")
    assert status == 2 and "Nothing is known of the parameter" in err and "--args" in err


def test_check_that_fails(model, capsys):
    status, out, _ = run(capsys, "check", f"{model}:wrong")
    assert status == 1 and "WRONG" in out


def test_rules(capsys):
    status, out, _ = run(capsys, "rules", "np.*tanh")
    assert status == 0 and out.splitlines()[-1].startswith("np.tanh") and "forward reverse" in out
    status, _, err = run(capsys, "rules", "nothing_of_the_kind")
    assert status == 1 and "Way out" in err
    status, out, _ = run(capsys, "rules", "np.quantile")
    assert "forward reverse second" in out and "test_rules" in out and "share evenly" in out
    out = run(capsys, "rules")[1]
    assert len(out.splitlines()) > 50 and "\nnumpy.linalg: 100 % of" in out
    out = run(capsys, "rules", "--shares", "np.fft")[1]
    assert "numpy.fft: 100 %" in out and "settings and information (1): test" in out and "np.sin" not in out


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("cli_model.py", "does not name a function"),
        ("nowhere.py:f", "There is no file nowhere.py"),
        ("no_such_module:f", "There is no module no_such_module"),
        ("cli_model.py:nothing", "has no function nothing"),
        ("cli_model.py:LOSS", "it has: loss"),
        ("cli_model.py:SCALE", "is of type float, not a function"),
        ("cli_model.py:Net", "is a class, not a function"),
        ("cli_model.py:Net.nothing", "Net has no function nothing"),
        ("io:open", "built in"),
        ("cli_model.py:unreadable", "eval"),
    ],
)
def test_targets_that_are_none(model, capsys, target, words):
    status, out, err = run(capsys, "show", target)
    assert status == 2 and out == "" and words in err and "Way out: " in err


@pytest.mark.parametrize(
    ("text", "words", "place"),
    [
        ("import not_there_at_all\n", "ModuleNotFoundError", ":1\n"),
        ("x = 1\ny = 1 / 0\n", "ZeroDivisionError", ":2\n    y = 1 / 0\n"),
        ("def f(x:\n    pass\n", "SyntaxError", ":1\n"),
        ("raise SystemExit(3)\n", "SystemExit", ":1\n"),
    ],
)
def test_modules_that_fail_on_import(model, capsys, tmp_path, text, words, place):
    (tmp_path / "cli_broken.py").write_text(text)
    status, _, err = run(capsys, "show", "cli_broken.py:f")
    assert status == 2 and words in err and "cli_broken.py" + place in err


def test_wrong_usage(model, capsys):
    for arguments in (["show"], ["sing"], ["build", f"{model}:loss"], ["show", f"{model}:loss", "--mode", "up"]):
        assert run(capsys, *arguments)[0] == 2
    status, _, err = run(capsys, "show", f"{model}:loss", "--wrt", "q")
    assert status == 2 and "no parameter 'q'" in err and "def loss" in err and "^^^^" in err
    assert run(capsys, "show", f"{model}:loss", "--args", "x: nonsense")[0] == 2
    assert "q is no parameter" in run(capsys, "show", f"{model}:loss", "--args", "q: float")[2]


@pytest.mark.parametrize("command", ["", "show", "build", "check", "explain", "rules"])
def test_help_teaches_by_example(capsys, command):
    status, out, _ = run(capsys, *([command] if command else []), "--help")
    assert status == 0 and "examples:\n  s2sad " in out
    assert ("the module of a TARGET is imported, hence run" in out) == (command != "rules")


def test_files_in_packages_are_imported_as_such(model, tmp_path, capsys):
    (tmp_path / "pkg_of_cli").mkdir()
    (tmp_path / "pkg_of_cli" / "__init__.py").write_text("")
    (tmp_path / "pkg_of_cli" / "part.py").write_text("from . import other\ndef f(x: float):\n    return x * other.C\n")
    (tmp_path / "pkg_of_cli" / "other.py").write_text("C = 3.0\n")
    assert locate("pkg_of_cli/part.py:f").__module__ == "pkg_of_cli.part"
    assert run(capsys, "show", "pkg_of_cli/part.py:f")[0] == 0


def test_a_script_named_like_a_module_of_the_library(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "statistics.py").write_text("def f(x: float):\n    return x\n")
    assert locate("statistics.py:f")(1.0) == 1.0
    import statistics

    assert statistics.fmean([1.0]) == 1.0
    assert locate("statistics.py:f") is locate("statistics.py:f")


def test_as_a_module_and_in_a_pipe(model):
    done = subprocess.run(
        [sys.executable, "-m", "s2sad", "show", f"{model}:loss"],
        capture_output=True,
        text=True,
        check=False,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH")])),
        },
    )
    assert done.returncode == 0 and "def grad_loss" in done.stdout and "\x1b" not in done.stdout


OBJECTS = """
import numpy as np


class Net:
    def __init__(self, W, scale):
        self.W, self.scale, self.name = W, scale, "net"

    def loss(self, x):
        return np.sum((self.W @ x) ** 2) * self.scale


def through(net, x):
    return net.loss(x)


def example():
    return Net(np.ones((2, 3)), 2.0), np.ones(3)


def singular(A: "f8[2, 2]", b: "f8[2]"):
    return np.sum(np.linalg.solve(A * 0.0, b))


def raises():
    raise ValueError("no data")


def nothing():
    pass


def too_many():
    return 1, 2, 3
"""


@pytest.fixture
def objects(model, tmp_path):
    (tmp_path / "cli_objects.py").write_text(OBJECTS)
    return "cli_objects.py"


@pytest.mark.parametrize("target", ["through --wrt net,x", "Net.loss --wrt self", "Net.loss --wrt x"])
def test_check_takes_objects(objects, capsys, target):
    function, *rest = target.split()
    status, out, err = run(capsys, "check", f"{objects}:{function}", "--inputs", f"{objects}:example", *rest)
    assert (status, err) == (0, "") and out.count("right") >= 2


def test_what_the_users_function_raises_is_no_defect(objects, capsys):
    status, _, err = run(capsys, "check", f"{objects}:singular")
    assert status == 2 and "singular raises LinAlgError: Singular matrix" in err and "defect" not in err
    assert "return np.sum(np.linalg.solve(A * 0.0, b))" in err and "Way out: give arguments (--inputs" in err


@pytest.mark.parametrize(
    ("example", "words"),
    [
        ("raises", "raises ValueError: no data"),
        ("nothing", "returns nothing"),
        ("too_many", "does not return the arguments"),
        ("nowhere", "has no function nowhere"),
        ("nowhere.py:example", "There is no file nowhere.py"),
    ],
)
def test_examples_that_are_none(objects, capsys, example, words):
    status, out, err = run(capsys, "check", f"{objects}:through", "--inputs", example)
    assert status == 2 and out == "" and words in err and "Way out: " in err and "defect" not in err


def test_a_built_module_says_what_was_looked_at(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "LEVELS = [2.0, 4.0]\n\n\ndef f(x: float):\n    return x**2 if 2 in LEVELS else x**3\n"
    (tmp_path / "looking.py").write_text(text)
    assert run(capsys, "build", "looking.py:f", "-o", "out.py")[0] == 0
    assert "#   right while LEVELS = [2.0, 4.0]\n" in (tmp_path / "out.py").read_text()
    assert run(capsys, "build", "looking.py:f", "-o", "out.py", "--check")[0] == 0
    (tmp_path / "looking.py").write_text(text.replace("2.0, 4.0", "2.0, 5.0"))
    for name in [n for n, m in sys.modules.items() if getattr(m, "__file__", None) == str(tmp_path / "looking.py")]:
        monkeypatch.delitem(sys.modules, name)
    assert run(capsys, "build", "looking.py:f", "-o", "out.py", "--check")[0] == 1
