"""What a new user does in the first hour: edits and reloads, prompts, notebooks, other processes."""

import collections
import functools
import heapq
import importlib
import importlib.util
import linecache
import math
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from s2sad import grad, hvp, jacobian, jvp, vjp
from s2sad.frontend.diagnostics import DerivationError, NoSource
from s2sad.rules import elementwise
from tests import amounts, numeric

SQUARE = "def helper(x):\n    return x * x\n\n\ndef f(x):\n    return helper(x)\n"


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module that can be edited: its name, and a function that writes its text and loads it (again)."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    name = f"edited_{tmp_path.name}"

    def load(text):
        (tmp_path / f"{name}.py").write_text(text)
        importlib.invalidate_caches()
        return importlib.reload(sys.modules[name]) if name in sys.modules else importlib.import_module(name)

    yield load
    sys.modules.pop(name, None)


def test_a_derivative_follows_a_reload(module):
    edited = module(SQUARE)
    df, ddf, tangent = grad(edited.f), grad(grad(edited.f)), jvp(edited.f)
    row, twice = jacobian(edited.f), hvp(edited.f)
    assert (df(3.0), ddf(3.0), tangent(3.0, 1.0), row(3.0), twice(3.0, 1.0)) == (6.0, 2.0, (9.0, 6.0), 6.0, 2.0)
    module("# a line more, and a parameter\n\n\ndef f(x, scale=2.0):\n    return scale * x * x * x\n")
    assert (df(3.0), ddf(3.0), tangent(3.0, 2.0, 1.0)[1], row(3.0)) == (54.0, 36.0, 54.0, 54.0)
    assert (twice(3.0, 2.0, 1.0), df(3.0, scale=1.0)) == (36.0, 27.0)
    assert "scale" in df.source and list(df.__signature__.parameters) == ["x", "scale"]


def test_a_decorated_function_follows_a_reload(module):
    text = "from s2sad import grad\n\n\n@grad\ndef f(x):\n    return x * x\n"
    df = module(text).f
    assert df(3.0) == 6.0
    module(text.replace("x * x", "x * x * x"))
    assert df(3.0) == 27.0


def test_a_name_that_is_bound_again_without_a_reload_is_another_function(module):
    edited = module(SQUARE + "\n\nold = f\n\n\ndef f(x):\n    return x\n")
    assert (grad(edited.old)(3.0), grad(edited.f)(3.0)) == (6.0, 1.0)


def python(*arguments, cwd, **options):
    env = {**os.environ, "PYTHONPATH": os.getcwd(), "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, *arguments], cwd=cwd, env=env, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_python_c(tmp_path):
    text = "from s2sad import grad\ndef f(x): return x * x\nprint(grad(f)(3.0), grad(lambda x: x ** 3)(2.0))"
    assert python("-W", "ignore", "-c", text, "-c", cwd=tmp_path) == ["6.0", "12.0"]


@pytest.mark.parametrize("how", [(), ("-",)])
def test_a_script_from_standard_input(tmp_path, how):
    script = tmp_path / "script.py"
    script.write_text("from s2sad import grad\n\n\ndef f(x):\n    return x * x\n\n\nprint(grad(f)(3.0))\n")
    with script.open() as text:
        assert python(*how, cwd=tmp_path, stdin=text) == ["6.0"]


def test_a_script_from_a_pipe(tmp_path):
    text = (
        "from s2sad import DerivationError, grad\ndef f(x): return x * x\n"
        "try: grad(f)(3.0)\nexcept DerivationError as error: print('python < file' in error.way_out)\n"
    )
    assert python(cwd=tmp_path, input=text) == ["True"]


def test_a_script_that_goes_elsewhere(tmp_path):
    (tmp_path / "script.py").write_text(
        "import os\nfrom s2sad import grad\ndef f(x): return x * x\nos.chdir('/')\nprint(grad(f)(3.0))\n"
    )
    assert python("script.py", cwd=tmp_path) == ["6.0"]


def at_the_prompt(tmp_path, terminal_type, indent="  "):
    """What a session at Python's prompt shows; `indent` is what is typed in front of the lines of a function."""
    pty = pytest.importorskip("pty")
    pytest.importorskip("readline")
    lines = ["from s2sad import grad", "def f(x):", f"{indent}y = x * x", f"{indent}return y", ""]
    lines += ["print('is', grad(f)(3.0))", "g = lambda x: x ** 3", "print('is', grad(g)(2.0))"]
    env = {**os.environ, "PYTHONPATH": os.getcwd(), "TERM": terminal_type, "HOME": str(tmp_path)}
    env["PYTHON_HISTORY"] = "history"
    control, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-q"], stdin=terminal, stdout=terminal, stderr=terminal, cwd=tmp_path, env=env
    )
    os.close(terminal)
    os.write(control, ("\n".join(lines) + "\nexit()\n").encode())
    shown = b""
    try:
        while part := os.read(control, 4096):
            shown += part
    except OSError:  # the other end is closed
        pass
    process.wait()
    os.close(control)
    return shown.decode()


def test_the_interactive_prompt(tmp_path):
    shown = at_the_prompt(tmp_path, "dumb")
    assert "is 6.0" in shown and "is 12.0" in shown, shown


SCRIPT = """
import multiprocessing

from s2sad import grad


def within(a):
    def inner(x):
        return a * x * x
    return inner


def helper(x):
    return x * x * x


def f(x):
    return helper(x) + 1.0


@grad
def decorated(x):
    return helper(x) * 2.0


if __name__ == "__main__":
"""


def test_multiprocessing(tmp_path):
    pool = """
    for how in multiprocessing.get_all_start_methods():
        with multiprocessing.get_context(how).Pool(1) as pool:
            print(*pool.map(grad(f), [1.0, 2.0]), *pool.map(decorated, [1.0]))
    """
    (tmp_path / "script.py").write_text(SCRIPT + pool)
    shown = python("script.py", cwd=tmp_path)
    assert len(shown) >= 3 and shown == ["3.0", "12.0", "6.0"] * (len(shown) // 3)


@pytest.mark.long
def test_joblib(tmp_path):
    pytest.importorskip("joblib")
    workers = """
    from joblib import Parallel, delayed
    jobs = [delayed(df)(2.0) for df in (grad(f), decorated, grad(within(3.0)), grad(lambda x: x ** 3))]
    print(*Parallel(2)(jobs))
    """
    (tmp_path / "script.py").write_text(SCRIPT + workers)
    assert python("script.py", cwd=tmp_path) == ["12.0", "24.0", "12.0", "12.0"]
    if amounts.ALL:
        workers = "from joblib import Parallel, delayed; from s2sad import grad\ndef f(x): return x * x\n"
        workers += "print(*Parallel(2)([delayed(grad(f))(2.0)] * 2))"
        assert python("-c", workers, cwd=tmp_path) == ["4.0", "4.0"]


def test_a_notebook(tmp_path):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    (tmp_path / "edited.py").write_text("def f(x):\n    return x * x\n")
    cells = [
        f"import sys; sys.path.insert(0, {os.getcwd()!r})\n%load_ext autoreload\n%autoreload 2",
        "import edited\nfrom edited import f\nfrom s2sad import grad\ndf = grad(f)",
        "print(df(3.0), grad(edited.f)(3.0))",
        "open('edited.py', 'w').write('# moved\\n\\ndef f(x, k=2.0):\\n    return k * x * x * x * x\\n')\n"
        "import os; os.utime('edited.py', (2e9, 2e9))",
        "print(df(1.0), grad(edited.f)(1.0), df(1.0, k=1.0))",
        "@grad\ndef cell(x):\n    return f(x, 1.0)",
        "print(cell(1.0))",
        "%%time\ndef timed(x):\n    return x * x",
        "print(grad(timed)(3.0))",
    ]
    shown = ["6.0 6.0", "8.0 8.0 4.0", "4.0", "6.0"]
    if importable("joblib"):
        cells += ["from joblib import Parallel, delayed\nprint(*Parallel(2)([delayed(cell)(1.0)] * 2))"]
        shown += ["4.0 4.0"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(textwrap.dedent(c)) for c in cells])
    nbclient.NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    ).execute()
    printed = ["".join(o.text for o in c.outputs if o.get("name") == "stdout") for c in notebook.cells]
    assert [t.strip() for t, c in zip(printed, cells, strict=True) if "print(" in c] == shown


def test_functions_that_have_rules():
    x = np.array([1.0, 4.0, 9.0])
    assert (grad(np.sqrt)(4.0), grad(grad(np.sqrt))(4.0)) == (0.25, -1 / 32)
    assert (grad(math.sin)(0.0), grad(abs)(-2.0)) == (1.0, -1.0)
    assert grad(max, wrt=(0, 1))(3.0, 4.0) == (0.0, 1.0)
    for df in (vjp(np.sum)(np.ones((2, 3)), axis=0), vjp(np.sum)(np.ones((2, 3)), 0)):
        np.testing.assert_array_equal(df[1](x), [x, x])
    np.testing.assert_array_equal(vjp(functools.partial(np.sum, axis=1))(np.ones((2, 3)))[1](x[:2])[:, 0], x[:2])
    np.testing.assert_allclose(jacobian(np.cumsum)(x), np.tri(3))
    assert "np.sqrt(x)" in grad(np.sqrt).source
    with pytest.raises(NoSource, match="is built in"):
        grad(open)


def test_a_function_of_scipy_by_its_rule():
    linalg = pytest.importorskip("scipy.linalg")
    bands, b = np.array([[0.0, 1.0, 1.0], [4.0, 5.0, 6.0], [1.0, 1.0, 0.0]]), np.array([1.0, 2.0, 3.0])
    value, pullback = vjp(linalg.solve_banded, wrt="b")((1, 1), bands, b)
    full = np.diag(bands[1]) + np.diag(bands[0, 1:], 1) + np.diag(bands[2, :-1], -1)
    np.testing.assert_allclose(value, np.linalg.solve(full, b))
    np.testing.assert_allclose(pullback(b), np.linalg.solve(full.T, b))


def hidden(x):
    return float(eval("x * x"))


def test_a_rule_of_the_users_own_is_taken_for_the_function_itself():
    assert grad(hidden)(3.0) == 6.0


@elementwise(hidden)
def _(y, x):
    return 2.0 * x


def test_a_function_that_numba_compiles():
    numba = pytest.importorskip("numba")
    compiled = numba.njit(lambda x: x * x)
    df = grad(numba.njit(lambda x: compiled(x) * x))
    assert (df(2.0), grad(df)(2.0)) == (12.0, 12.0)


def importable(name):
    return importlib.util.find_spec(name) is not None


def test_progress_bars_are_not_drawn_by_derivatives(capsys):
    tqdm = pytest.importorskip("tqdm")

    def steps(x, n):
        s = 1.0
        for i in tqdm.tqdm(range(n), desc="steps", leave=False):
            s = s * x + i
        for i in tqdm.trange(1, n):
            s = s + x * i
        return s

    assert steps(2.0, 3) == 18.0
    capsys.readouterr()
    df = grad(steps)
    assert df(2.0, 3) == 3 * 4.0 + 1.0 + 3.0 and "tqdm" not in df.source and capsys.readouterr().err == ""

    def by_hand(x):
        with tqdm.tqdm(total=3) as bar:
            bar.update(1)
        return x

    with pytest.raises(DerivationError, match="moved by hand"):
        grad(by_hand)(2.0)


def with_deque(x):
    window, s = collections.deque(maxlen=2), 0.0
    for k in range(len(x)):
        window.append(k)
        s += x[k] ** 2 * sum(window)
    return s


def with_heap(x):
    heap, s = [3, 1, 2], 0.0
    heapq.heapify(heap)
    heapq.heappush(heap, 0)
    while heap:
        k = heapq.heappop(heap)
        s += x[k % len(x)] ** 2 * (k + 1)
    return s


def with_float64(x):
    return np.float64(x) ** 2


def with_int64(x):
    return x * x * np.int64(2.7) + x * np.int64(x)


def with_set(x, names=("a", "bb"), more="bb"):
    return sum(x * len(name) for name in sorted({*names, more})) * x


@pytest.mark.parametrize("f", [with_deque, with_heap, with_float64, with_int64, with_set])
def test_what_programs_keep_numbers_in(f):
    x = np.array([0.5, 1.2, 2.0]) if f in (with_deque, with_heap) else 1.5
    numeric.check(f, (x,), 0, second=True)


def test_functions_made_from_text():
    """Where their text is kept they are derived; where it is not, the way out is to keep it, and works."""
    text = "def made(x):\n    return x * x\n"
    names = {}
    exec(text, names)
    with pytest.raises(NoSource, match="made from text by exec") as caught:
        grad(names["made"])(3.0)
    assert "linecache" in caught.value.way_out or "file" in caught.value.way_out
    file = "<made in the first hour>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), names)
    assert grad(names["made"])(3.0) == 6.0
    del linecache.cache[file]


@pytest.mark.skipif(sys.version_info < (3, 13), reason="the new prompt is that of Python 3.13")
def test_the_new_interactive_prompt(tmp_path):
    shown = at_the_prompt(tmp_path, "xterm", indent="")  # it indents by itself
    assert "is 6.0" in shown and "is 12.0" in shown, shown
