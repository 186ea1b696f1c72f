"""What is kept on disk: a later process, whose functions, modules and containers are other objects, takes it where all
that the derivation looked at is as it was, and derives anew where anything is not."""

import itertools
import linecache
import os
import subprocess
import sys
import textwrap
import types

import numpy as np
import pytest

from s2sad import DerivationError, disk, grad, hessian, jvp, rules, value_and_grad, vjp
from s2sad.knowledge import tables
from tests.api import test_stale_state as stale

_count = itertools.count()


@pytest.fixture(autouse=True)
def directory(tmp_path, monkeypatch):
    monkeypatch.setenv("S2SAD_CACHE", str(tmp_path / "kept"))
    monkeypatch.setattr(tables, "_changes", 0)  # as in a process that has no rules but s2sad's
    return tmp_path / "kept"


def module(text, name="later"):
    """The names of a module that is loaded anew, as another process does; its file has another name, too."""
    text = textwrap.dedent(text)
    file = f"<kept {next(_count)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    made = sys.modules[name] = types.ModuleType(name)
    exec(compile(text, file, "exec"), vars(made))
    return made


def is_from_disk(derivative):
    return derivative._store.last is None and derivative._store.again is not None


STATES = list(stale.case_list())[::3]


@pytest.mark.parametrize(("container", "operation", "place"), STATES)
def test_another_state_is_seen(container, operation, place):
    make, change = stale.CONTAINERS[container]
    changed = make()
    change(changed)
    for state in (make(), make(), changed):
        f = stale.made(place, operation, state)
        try:
            assert np.allclose(value_and_grad(f)(1.3), stale.expected(f), rtol=1e-6)
        except DerivationError:
            assert (container, operation) in (stale.NOT_OF_DEFAULTS if place == "default" else stale.NOT_COUNTED)


@pytest.mark.parametrize("place", stale.PLACES)
@pytest.mark.parametrize("container", ["list", "dict", "set", "nested", "deque"])
def test_the_same_state_is_known(container, place):
    known = []
    for _ in range(2):
        df = grad(stale.made(place, "length", stale.CONTAINERS[container][0]()))
        df(1.3)
        known.append(is_from_disk(df))
    assert known == [False, True]


#: a module, and what is another in a later process: (before, after), and whether that is found under the same name
HELPERS = """
    import enum
    import functools
    import numpy as np
    from abc import ABC

    class Shape(ABC):
        pass
    class Mode(enum.Enum):
        FAST = 1
        SLOW = 2
    class Model:
        rate = 2.0
        def __init__(self):
            self.k, self.parts = 3.0, [1.0, 2.0]
        def scale(self, x):
            return self.k * x * self.rate
        @property
        def half(self):
            return 0.5 * self.k
        @staticmethod
        def twice(x):
            return 2.0 * x
    def cube(x):
        return x**3
    def square(x):
        return x**2
    def wrapped(f):
        @functools.wraps(f)
        def inner(x):
            return f(x) + 1.0 * x
        return inner
    power = cube
    MODEL = Model()
    MODE = Mode.FAST
    A = [2.0, 3.0]
    B = A
    W = np.ones(3)
    OPTIONS = {"power": 2, "name": "plain"}
    tanh = np.tanh
    #: more
    def f(x, k=2.0):
        y = MODEL.scale(power(x)) + MODEL.half * Model.twice(x) + (tanh(x) if isinstance(MODEL, Shape) else x)
        y = y * (2.0 if MODE is Mode.FAST else 3.0) + (x if A is B else 5.0 * x) * k + np.sum(W * x)
        return y * x ** OPTIONS["power"] if OPTIONS["name"] == "plain" else y
"""
CHANGES = {
    "a number that is compared": ('"name": "plain"', '"name": "other"'),
    "an exponent": ('"power": 2', '"power": 3'),
    "another function under the name": ("power = cube", "power = square"),
    "another body": ("return x**3", "return x**4"),
    "a wrapper that says it is the function": ("tanh = np.tanh", "tanh = wrapped(np.tanh)"),
    "a wrapper of a helper": ("power = cube", "power = wrapped(cube)"),
    "an attribute": ("self.k, self.parts = 3.0,", "self.k, self.parts = 4.0,"),
    "the type of an attribute": ("self.k, self.parts = 3.0,", "self.k, self.parts = 3,"),
    "an attribute of the class": ("rate = 2.0", "rate = 2.5"),
    "a method": ("return self.k * x * self.rate", "return self.k * x + self.rate"),
    "a property": ("return 0.5 * self.k", "return 0.7 * self.k"),
    "a static method": ("return 2.0 * x", "return 2.5 * x"),
    "a base": ("class Model:", "class Model(Shape):"),
    "a virtual base": ("MODEL = Model()", "MODEL = Model(); Shape.register(Model)"),
    "a member": ("MODE = Mode.FAST", "MODE = Mode.SLOW"),
    "the value of a member": ("FAST = 1", "FAST = 2; OTHER = 1"),
    "one object or two": ("B = A", "B = [2.0, 3.0]"),
    "a default": ("k=2.0", "k=2.5"),
    "a shape": ("W = np.ones(3)", "W = np.ones(1)"),
    "the numbers of an array": ("W = np.ones(3)", "W = np.arange(3.0)"),
    "a dtype": ("W = np.ones(3)", "W = np.ones(3, int)"),
    "what NumPy has": ("tanh = np.tanh", "tanh = np.sinh"),
    "a name that hides a builtin": ("#: more", "isinstance = lambda a, b: True"),
    "an attribute of its own that hides a method": ("MODEL = Model()", "MODEL = Model(); MODEL.scale = square"),
    "a comment": ("#: more", "#: less"),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("operator", [grad, jvp], ids=["grad", "jvp"])
def test_another_module_is_seen(change, operator):
    before, after = CHANGES[change]
    assert HELPERS.count(before) == 1
    hits = []
    for text in (HELPERS, HELPERS, HELPERS.replace(before, after), HELPERS):
        f = module(text).f
        df = operator(f)
        slope = df(0.7) if operator is grad else df(0.7, 1.0)[1]
        assert np.isclose(slope, stale.expected(f, 0.7)[1], rtol=1e-6)
        hits.append(is_from_disk(df))
    assert hits[0] is False and hits[1] is hits[3] is True


ENUM = "import enum\nclass Own(enum.{}):\n    A = 2\n    B = 3"
#: classes whose objects are what they are by more than attributes: an object before and after, and what is asked
MADE_OF = {
    "an int": ("class Own(int): pass", "Own(2)", "Own(3)", "S > 2"),
    "a complex": ("class Own(complex): pass", "Own(2)", "Own(3)", "S == 2"),
    "text": ("class Own(str): pass", "Own('a')", "Own('b')", "S == 'a'"),
    "bytes": ("class Own(bytes): pass", "Own(b'a')", "Own(b'b')", "S == b'a'"),
    "a tuple": ("class Own(tuple): pass", "Own((2, 4))", "Own((3, 4))", "S[0] > 2"),
    "a tuple of an object": ("class Own(tuple): pass\nA, B = [1], [2]", "Own((A,))", "Own((B,))", "S[0] is A"),
    "a frozenset": ("class Own(frozenset): pass", "Own((2, 4))", "Own((3, 4))", "2 in S"),
    "a plain frozenset": ("", "frozenset((2, 4))", "frozenset((3, 4))", "2 in S"),
    "a number of NumPy's": (
        *("import numpy as np\nclass Own(np.float64): pass", "Own(2)", "np.float64(2)"),
        "isinstance(S, Own)",
    ),
    "an int in an enum": (ENUM.format("IntEnum"), "Own.A", "Own.B", "S > 2"),
    "a member": (ENUM.format("Enum"), "Own.A", "Own.B", "list(Own).index(S) == 1"),
    "a decimal": ("import decimal\nclass Own(decimal.Decimal): pass", "Own(2)", "Own(3)", "S > 2"),
}


@pytest.mark.parametrize("made", MADE_OF)
@pytest.mark.parametrize("place", ["S", "HELD[0]"])
def test_another_object_is_seen(made, place):
    definitions, *objects, asked = MADE_OF[made]
    text = "{}\nS = {}\nHELD = [S]\ndef f(x):\n    return x**2 if {} else x**3\n"
    for k in (0, 1, 0, 1):
        f = module(text.format(definitions, objects[k], asked.replace("S", place))).f
        assert np.isclose(grad(f)(2.0), stale.expected(f, 2.0)[1])


#: definitions of an enum beside that with A = 1; B = 2, and what is asked
ENUMS = {
    "order": ("B = 2; A = 1", "list(Mode).index(Mode.A) == 0"),
    "another name for a member": ("A = 1; B = 1", "len(Mode) == 2"),
}


@pytest.mark.parametrize("case", ENUMS)
def test_another_enum_is_seen(case):
    other, asked = ENUMS[case]
    for members in ("A = 1; B = 2", other, "A = 1; B = 2"):
        text = f"import enum\nclass Mode(enum.Enum):\n    {members}\ndef f(x):\n    return x**2 if {asked} else x**3\n"
        f = module(text).f
        assert np.isclose(grad(f)(2.0), stale.expected(f, 2.0)[1])


def test_members_of_enums_are_known():
    text = "import enum\nclass Mode(enum.IntEnum):\n    A = 1\n    B = 2\nM = Mode.B\n"
    known = []
    for _ in range(2):
        df = grad(module(text + "def f(x):\n    return x**M if M in (Mode.A, Mode.B) else x\n").f)
        assert df(3.0) == 6.0
        known.append(is_from_disk(df))
    assert known == [False, True]


def test_what_the_library_has_is_seen(monkeypatch):
    for replaced in (False, True, False):
        with monkeypatch.context() as patch:
            if replaced:
                patch.setattr(np, "sinh", lambda x: x**2)
            f = module("import numpy as np\ndef f(x):\n    return np.sinh(x)\n").f
            assert np.isclose(grad(f)(0.5), 1.0 if replaced else np.cosh(0.5))


def test_nothing_is_kept_where_the_user_has_rules(directory):
    def bent(x):
        return x

    rules.elementwise(bent)(lambda y, x: 3.0)
    try:
        grad(module("def f(x):\n    return x * x\n").f)(2.0)
        assert not directory.exists()
    finally:
        rules.remove(bent)


@pytest.mark.parametrize("kept", [b"", b"x" * 100, None])
def test_a_file_that_is_none_is_passed_over(directory, kept):
    text = "def f(x):\n    return x**3\n"
    grad(module(text).f)(2.0)
    (file,) = directory.glob("*.s2sad")
    file.write_bytes(file.read_bytes()[:-20] if kept is None else kept)
    df = grad(module(text).f)
    assert df(2.0) == 12.0 and not is_from_disk(df)


def test_a_directory_that_takes_nothing(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("S2SAD_CACHE", str(tmp_path / "file" / "below"))
    assert grad(module("def f(x):\n    return x**3\n").f)(2.0) == 12.0


@pytest.mark.parametrize("off", ["0", "off"])
def test_off(directory, monkeypatch, off):
    monkeypatch.setenv("S2SAD_CACHE", off)
    grad(module("def f(x):\n    return x**3\n").f)(2.0)
    assert not directory.exists()


def test_old_files_go(directory, monkeypatch):
    monkeypatch.setattr(disk, "FILES", 6)
    for k in range(12):
        grad(module(f"def f(x):\n    return x**3 + {k}.0\n").f)(2.0)
    assert len(list(directory.iterdir())) <= 6


def test_what_is_shown_is_what_runs():
    text = "import numpy as np\ndef f(x, w):\n    for i in range(3):\n        x = np.tanh(w @ x)\n    return x.sum()\n"
    args = np.ones(3), np.eye(3)
    first, second = grad(module(text).f), grad(module(text).f)
    first(*args), second(*args)
    assert is_from_disk(second) and second.source == first.source


#: second derivatives at 2, and what they are of the slope and the second derivative there
SECOND = {
    "hessian": (lambda f: hessian(f)(2.0), lambda slope, bend: bend),
    "inside": (lambda f: grad(lambda x: x * grad(f)(x))(2.0), lambda slope, bend: slope + 2.0 * bend),
    "jvp": (lambda f: jvp(grad(f))(2.0, 1.0), lambda slope, bend: (slope, bend)),
}


@pytest.mark.parametrize("form", SECOND)
def test_second_derivatives(form):
    derivative, wanted = SECOND[form]
    text = "LEVEL = {}\ndef f(x):\n    return x**3 if LEVEL > 1.0 else x**4\n"
    for level in (2.0, 2.0, 0.5, 2.0):
        found = derivative(module(text.format(level)).f)
        assert np.allclose(found, wanted(12.0, 12.0) if level > 1.0 else wanted(32.0, 48.0))


def test_second_derivatives_are_found():
    text = "def f(x):\n    return x**3\n"
    hits = []
    for _ in range(2):
        made = jvp(grad(module(text).f))
        assert np.allclose(made(2.0, 1.0), (12.0, 12.0))
        hits.append(is_from_disk(made))
    assert hits == [False, True]


def test_pullbacks_and_states_of_a_float():
    text = "def make(rate):\n    def f(x):\n        return rate * x**2\n    return f\nf = make({})\n"
    for rate in (2.0, 2.0, 3.0):
        value, pullback = vjp(module(text.format(rate)).f)(3.0)
        assert value == 9.0 * rate and pullback(1.0) == 6.0 * rate


def test_another_process(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\nfrom s2sad import grad\nimport numpy as np\nLEVELS = [2.0, 3.0]\ndef helper(x):\n"
        "    return np.tanh(x)\ndef f(x):\n    return LEVELS[0] * helper(x) if 2.0 in LEVELS else x\n"
        "df = grad(f)\nprint(df(0.5), 's2sad.derive' in sys.modules)\n"
    )
    environment = {**os.environ, "S2SAD_CACHE": str(tmp_path / "kept")}
    said = [
        subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    slope = 2.0 / np.cosh(0.5) ** 2
    assert [s.split()[1] for s in said] == ["True", "False"]
    assert np.allclose([float(s.split()[0]) for s in said], slope)
