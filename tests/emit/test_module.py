"""Modules stand alone: they hold what they need, import what they can, and run without the place they come from."""

import math
import runpy
import subprocess
import sys
from math import sqrt

import gast
import numpy as np
import pytest
from numpy import linalg as la

from s2sad.core import Facts, Origin
from s2sad.emit.module import compose, find_home, module_text
from s2sad.frontend.diagnostics import DerivationError
from s2sad.request import Derived
from s2sad.runtime.helpers import unbroadcast
from s2sad.runtime.load import load

N = 3
TABLE = {"a": np.arange(3.0), "b": (1, 2.5)}


class Thing:
    factor = 2.0


thing = Thing()
BIG = np.zeros((100, 100))


def deep(x):
    return x * N  # keep me


def helper(u: float, k=N):
    # the helper's comment
    return deep(u) * np.sin(u) + k


def made(c):
    def inner(x, z=c):
        return x * c + z

    return inner


inner = made(2.5)
by_lambda = lambda x: x * N  # noqa: E731


def countdown(n):
    return 0 if n == 0 else countdown(n - 1)


def derived(text, **names):
    functions = gast.parse(text).body
    return Derived(functions[-1].name, functions, Facts(globals=names))


def run(text, call):
    """Run a module in a Python that knows neither s2sad nor this module."""
    program = text + f"\nimport sys\nassert not [m for m in sys.modules if m.startswith('s2sad')]\nprint({call})\n"
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_imports_constants_and_copies():
    text = module_text(
        derived(
            "def grad_f(x):\n"
            "    return helper(x) + inner(x) + by_lambda(x) + sqrt(x) + la.norm(x) + TABLE['a'][1] + norm(x)",
            helper=helper,
            inner=inner,
            by_lambda=by_lambda,
            sqrt=sqrt,
            la=la,
            norm=la.norm,
            TABLE=TABLE,
        ),
        "Header\n\nmore",
    )
    assert text.startswith("# Header\n#\n# more\n\nfrom math import sqrt\n\nimport numpy as np\n")
    assert "from numpy.linalg import norm\n" in text and "import numpy.linalg as la\n" in text
    assert 'TABLE = {"a": np.array([0.0, 1.0, 2.0]), "b": (1, 2.5)}\n' in text
    assert "def deep(x):\n    return x * N  # keep me\n" in text
    assert "    # the helper's comment\n" in text
    assert "def inner(x, z=2.5):\n    return x * c + z\n" in text and "c = 2.5\n" in text
    assert "def by_lambda(x):\n    return x * N\n" in text
    assert text.rstrip().splitlines()[-2] == "def grad_f(x):"
    expected = 2 * 3 * math.sin(2) + 3 + 2 * 2.5 + 2.5 + 6 + math.sqrt(2) + 2 + 1 + 2
    assert float(run(text, "float(grad_f(2.0))")) == pytest.approx(expected)


def test_the_same_input_gives_the_same_text():
    def one():
        return module_text(derived("def g(x):\n    return helper(x) + sqrt(x) + T", helper=helper, sqrt=sqrt, T=TABLE))

    assert one() == one()


def test_helpers_of_the_run_time_are_copied():
    text = module_text(derived("def g(x, y):\n    return unbroadcast(x, y)", unbroadcast=unbroadcast))
    assert "import s2sad" not in text and "from s2sad" not in text
    assert run(text, "g(np.ones((2, 3)), np.ones(3)).tolist()") == "[2.0, 2.0, 2.0]"


def test_recursive_functions():
    text = module_text(derived("def g(n):\n    return down(n)", down=countdown))
    assert run(text, "g(3)") == "0"


def test_one_name_for_two_things_is_resolved_in_copies():
    namespace = {"N": 100, "__name__": "elsewhere"}
    import linecache

    source = "def other(x):\n    return x * N\n"
    linecache.cache["<elsewhere>"] = (len(source), None, source.splitlines(keepends=True), "<elsewhere>")
    exec(compile(source, "<elsewhere>", "exec"), namespace)
    text = module_text(derived("def g(x):\n    return deep(x) + other(x)", deep=deep, other=namespace["other"]))
    assert float(run(text, "g(1.0)")) == 103.0


def test_objects_are_imported_or_reported():
    d = derived("def g(x):\n    return thing.factor * x + local.factor", thing=thing, local=Thing())
    module = compose(d)
    assert list(module.missing) == ["local"]
    assert f"from {__name__} import thing\n" in module.text
    assert "# To be supplied from where this was derived: local\n" in module.text


def test_a_clash_is_an_error():
    first = derived("def g(x):\n    return x * N", N=3)
    second = derived("def h(x):\n    return x * N", N=4)
    from s2sad.emit.module import compose_all

    with pytest.raises(DerivationError, match="two different things"):
        compose_all([first, second])


def test_comments_above_the_users_lines_are_carried_over_once():
    d = derived("def g(x):\n    a = x\n    b = a\n    c = b\n    return c")
    line = helper.__code__.co_firstlineno + 2
    for node in d.functions[0].body[:3]:
        node.origin = Origin(__file__, line, "")
    d.functions[0].body[2].comment = "Grad of: it"
    assert module_text(d) == (
        "def g(x):\n    # the helper's comment\n    a = x\n    b = a\n    # Grad of: it\n    c = b\n    return c\n"
    )


def test_loaded_functions_use_the_live_objects():
    import inspect

    d = derived("def g(x, k=N):\n    return helper(x) + T['a']", helper=helper, T=TABLE, N=3)
    text = module_text(d)
    g = load(text, d, helper)
    assert g.__globals__["T"] is TABLE and g.__globals__["helper"] is helper
    assert inspect.getsource(g) == 'def g(x, k=N):\n    return helper(x) + T["a"]\n'
    assert g.__code__.co_filename.startswith("<s2sad g ")


@pytest.mark.parametrize(
    ("value", "home"),
    [
        (math.sqrt, ("math", "sqrt")),
        (np.sin, ("numpy", "sin")),
        (np.linalg.norm, ("numpy.linalg", "norm")),
        (np.float64, ("numpy", "float64")),
        (len, ("builtins", "len")),
        (Thing, (__name__, "Thing")),
        (thing, None),
        (by_lambda, None),
    ],
)
def test_homes(value, home):
    assert find_home(value) == home


def test_a_script_that_another_one_runs(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import s2sad\n\n"
        "class Scaled:\n    def __init__(self, a):\n        self.a = a\n"
        "    def __call__(self, x):\n        return self.a * x * x\n\n"
        "scaled = Scaled(3.0)\n\n"
        "def f(x):\n    return scaled(x)\n\n"
        "slope = s2sad.grad(f)(2.0)\n"
    )
    assert runpy.run_path(str(script))["slope"] == 12.0
    assert runpy.run_path(str(script), run_name="my-script")["slope"] == 12.0
