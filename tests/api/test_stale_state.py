"""What is looked at while deriving is a condition of the derivative: containers, operations and places of state, with a
change between two calls. Each derivative has to be right before the change and behind it, or to be refused."""

import array
import collections
import itertools
import linecache
import sys
import types

import numpy as np
import pytest

from s2sad import DerivationError, grad, jvp, value_and_grad, vjp
from tests import amounts

#: what makes a container of two numbers, and what makes it one of two others
CONTAINERS = {
    "list": (lambda: [2.0, 4.0], lambda s: s.__setitem__(slice(None), [5.0, 1.0])),
    "ints": (lambda: [2, 4], lambda s: s.__setitem__(slice(None), [5, 1])),
    "type_of_items": (lambda: [2.0, 4.0], lambda s: s.__setitem__(0, 3)),
    "longer": (lambda: [2.0, 4.0], lambda s: s.append(7.0)),
    "pairs": (lambda: [(2.0, 4.0), (1.0, 3.0)], lambda s: s.reverse()),
    "deque": (lambda: collections.deque([2.0, 4.0]), lambda s: s.rotate()),
    "array": (lambda: array.array("d", [2.0, 4.0]), lambda s: s.reverse()),
    "set": (lambda: {2.0, 4.0}, lambda s: (s.clear(), s.update((5.0, 1.0)))),
    "strings": (lambda: ["a", "bc"], lambda s: s.reverse()),
    "dict": (lambda: {2.0: 1.0, 4.0: 3.0}, lambda s: (s.clear(), s.update({5.0: 2.0, 1.0: 3.0}))),
    "defaultdict": (lambda: collections.defaultdict(float, {2.0: 1.0}), lambda s: s.update({5.0: 2.0})),
    "nested": (lambda: [[2.0], [4.0]], lambda s: s[0].__setitem__(0, 9.0)),
    "userlist": (lambda: collections.UserList([2.0, 4.0]), lambda s: s.reverse()),
}

#: expressions in S that give a number or a truth
OPERATIONS = {
    "in": "2.0 in S",
    "not_in": "5 not in S",
    "length": "len(S) - 2",
    "first": "list(S)[0]",
    "sorted": "sorted(S)[0]",
    "largest": "max(S)",
    "last_of_enumerate": "max(enumerate(S), key=lambda t: t[1])[0]",
    "sum": "sum(S)",
    "equal_to_a_tuple": "tuple(S) == (2.0, 4.0)",
    "equal_to_a_list": "S == [2.0, 4.0]",
    "set": "set(S) == {2.0, 4.0}",
    "subset": "{2.0} <= set(S)",
    "zip": "dict(zip(S, (1.0, 2.0)))[next(iter(S))]",
    "key_of_a_dict": "{2.0: 1.0, 4.0: 0.0}.get(list(S)[0], 3.0)",
    "slice": "list(S)[1:] == [4.0]",
    "copy": "list(S).copy()[0]",
    "any": "any(v == 5.0 for v in S)",
    "comprehension": "[v for v in S if v == 4.0] == [4.0]",
    "reversed": "next(iter(reversed(list(S))))",
    "unpacked": "[*S][0]",
    "count": "list(S).count(2.0)",
    "type": "isinstance(list(S)[0], float)",
    "subscript": "S[0]",
    "subscript_compared": "S[0] == 2.0",
    "get": "S.get(2.0, 7.0)",
    "keys": "list(S.keys())[0]",
    "values": "sum(S.values())",
    "items": "sum(a * b for a, b in S.items())",
    "joined": "len(''.join(S)) and S[0] == 'a'",
    "index": "S.index(4.0)",
    "item_of_an_item": "S[0][0]",
    "truth_of_an_item": "not S[0]",
}

#: where S stands: the text around an expression in it, and how the state gets there
PLACES = {
    "global": ("S", "def f(x):\n    return {value}\n"),
    "attribute": ("BOX.held", "def f(x):\n    return {value}\n"),
    "attribute_of_an_attribute": ("BOX.inner.held", "def f(x):\n    return {value}\n"),
    "class": ("Config.held", "def f(x):\n    return {value}\n"),
    "module": ("settings.held", "def f(x):\n    return {value}\n"),
    "item": ("TABLE['held']", "def f(x):\n    return {value}\n"),
    "default": ("s", "def f(x, s=S):\n    return {value}\n"),
    "closure": ("s", "def make(s):\n    def f(x):\n        return {value}\n    return f\nf = make(S)\n"),
    "helper": ("s", "def helper(s, x):\n    return {value}\ndef f(x):\n    return helper(S, x)\n"),
    "method": (
        "self.held",
        "class Own:\n    def go(self, x):\n        return {value}\nown = Own()\nown.held = S\n"
        "def f(x):\n    return own.go(x)\n",
    ),
}
_count = itertools.count()


def made(place, operation, state):
    """A function of x whose result says what an operation gives."""
    name, text = PLACES[place]
    expression = OPERATIONS[operation].replace("S", name)
    text = text.replace("{value}", f"x * ({expression}) + (x**2 if ({expression}) else x**3)")
    file = f"<state {next(_count)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    settings = types.ModuleType("settings_of_state")
    settings.held = state
    inner = types.SimpleNamespace(held=state)
    scope = {"__name__": "state", "S": state, "BOX": types.SimpleNamespace(held=state, inner=inner)}
    scope |= {"settings": settings, "TABLE": {"held": state}, "Config": type("Config", (), {"held": state})}
    exec(compile(text, file, "exec"), scope)
    return scope["f"]


def works(f):
    try:
        return np.isfinite(f(1.3))
    except Exception:
        return False


def expected(f, x=1.3, h=1e-4):
    return f(x), (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h)


def case_list():
    for container, operation, place in itertools.product(CONTAINERS, OPERATIONS, PLACES):
        state, change = CONTAINERS[container][0](), CONTAINERS[container][1]
        f = made(place, operation, state)
        before = works(f) and f(1.3)
        change(state)
        if before is not False and works(f):
            yield pytest.param(container, operation, place, id=f"{container}-{operation}-{place}")


#: what may be refused, and nothing else: of sets, how often a loop over them turns; of defaults, what would be made or
#: run through there
NOT_COUNTED = {("set", "last_of_enumerate"), ("set", "zip")}
NOT_OF_DEFAULTS = {
    *itertools.product(("array", "deque", "userlist"), ("index", "last_of_enumerate", "unpacked")),
    *itertools.product(("defaultdict",), ("subscript", "subscript_compared", "truth_of_an_item")),
    ("strings", "joined"),
}


@pytest.mark.sampled(16, cover=True)
@pytest.mark.parametrize(("container", "operation", "place"), list(case_list()))
def test_a_change_is_seen(container, operation, place):
    make, change = CONTAINERS[container]
    state = make()
    f = made(place, operation, state)
    both, forward = value_and_grad(f), jvp(f)
    # what is looked at is looked at before the mode matters: it is both of them for globals, and elsewhere one
    modes = (0, 1) if place == "global" or amounts.ALL else (len(operation) % 2,)
    try:
        for again in (lambda: None, lambda: change(state)):
            again()
            want = expected(f)
            for mode in modes:
                assert np.allclose(forward(1.3, 1.0) if mode else both(1.3), want, rtol=1e-6)
    except DerivationError:
        assert (container, operation) in (NOT_OF_DEFAULTS if place == "default" else NOT_COUNTED)


#: of a class of the user's, which says itself what operations mean: by what it holds, so that a change of it is seen
OBJECT = """
ASKED = []
class Level:
    def __init__(self, v):
        self.v = v
    def __eq__(self, other):
        ASKED.append(1)
        return self.v == getattr(other, "v", other)
    def __lt__(self, other):
        ASKED.append(1)
        return self.v < getattr(other, "v", other)
    def __hash__(self):
        ASKED.append(1)
        return hash(self.v)
    def __bool__(self):
        ASKED.append(1)
        return self.v > 3.0
    def __len__(self):
        ASKED.append(1)
        return int(self.v)
    def __iter__(self):
        ASKED.append(1)
        return iter([self.v, 2.0 * self.v])
    def __contains__(self, other):
        ASKED.append(1)
        return other < self.v
    def __index__(self):
        ASKED.append(1)
        return int(self.v) - 2
    def __getitem__(self, key):
        ASKED.append(1)
        return self.v + key
    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        ASKED.append(1)
        return self.v
a, b = Level(2.0), Level(4.0)
LEVELS = [a, b]
def f(x):
    return x * ({value}) + (x**2 if ({value}) else x**3)
"""
OF_OBJECTS = {
    "equal": "a == 2.0",
    "unequal": "a != b",
    "less": "a < 3.0",
    "chain": "a < 3.0 < 4.0",
    "truth": "not a",
    "truth_of_one": "1.0 if a else 2.0",
    "contains": "2.5 in a",
    "length": "len(a)",
    "items": "sum(a)",
    "listed": "list(a)[0]",
    "loop": "sum([v for v in a])",
    "unpacked": "[*a][1]",
    "index": "(1.0, 2.0, 3.0, 4.0)[a]",
    "item": "a[1]",
    "missing": "a.level",
    "sorted": "sorted(LEVELS)[0].v",
    "smallest": "min(LEVELS, key=lambda q: q.v).v",
    "in_a_list": "2.0 in LEVELS",
    "object_in_a_list": "a in LEVELS",
    "counted": "[2.0, 5.0, 5.0].count(a)",
    "found": "[2.0, 5.0].index(2.0 if a == 2.0 else 5.0)",
    "key": "{2.0: 1.0, 5.0: 2.0}[a.v]",
    "set": "len({a, b, 2.0})",
    "lists_equal": "LEVELS == [2.0, 4.0]",
    "any": "any(LEVELS)",
    "all": "all(q < 4.5 for q in LEVELS)",
    "and": "(a and 2.0) == 2.0",
    "is": "a is LEVELS[0]",
    "int": "int(a.v)",
    "bool": "bool(a)",
}


#: what is refused of them: how often it turns is not known, or a method that counts would be called by C code
REFUSED = {
    "items",
    "listed",
    "unpacked",
    "sorted",
    "in_a_list",
    "object_in_a_list",
    "counted",
    "set",
    "lists_equal",
}


@pytest.mark.parametrize("operation", OF_OBJECTS)
def test_what_objects_say_themselves_is_asked_in_each_run(operation):
    text = OBJECT.replace("{value}", OF_OBJECTS[operation])
    file = f"<state {next(_count)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope = {"__name__": "state"}
    exec(compile(text, file, "exec"), scope)
    f, asked = scope["f"], scope["ASKED"]
    both = value_and_grad(f)

    def times(call):
        asked.clear()
        call(1.3)
        return len(asked)

    try:
        for v in (2.0, 5.0):
            scope["a"].v = v
            want = expected(f)
            assert np.allclose(both(1.3), want, rtol=1e-6)
            assert times(both) == times(f)
        assert operation not in REFUSED
    except DerivationError:
        assert operation in REFUSED


def test_states_are_kept_side_by_side():
    state = [2.0, 4.0]
    f = made("global", "in", state)
    g = grad(f)
    made_for = []
    for first in (2.0, 5.0, 2.0, 5.0):
        state[0] = first
        assert np.isclose(g(1.3), expected(f)[1])
        made_for.append(g.specialize(1.3))
    assert made_for[0] is made_for[2] and made_for[1] is made_for[3]


def test_what_is_read_in_the_run_is_not_derived_anew():
    g = grad(read_only)
    LEVELS[:] = [2.0, 4.0]
    first = g.specialize(1.3)
    LEVELS[:] = [3.0, 4.0]
    assert g.specialize(1.3) is first and g(1.3) == 3.0


LEVELS = [2.0, 4.0]


def read_only(x):
    return x * LEVELS[0]


RATE = 0.5


def with_a_rate(x):
    return RATE * x**2 if RATE > 0.0 else x**3 * RATE


@pytest.mark.parametrize("operator", [grad, value_and_grad, lambda f: grad(grad(f))], ids=["grad", "value", "second"])
def test_a_float_that_keeps_changing_is_read_in_the_run(operator, monkeypatch):
    g = operator(with_a_rate)
    texts = []
    for k, rate in enumerate((0.5, 0.6, 0.7, 0.8, 0.9, 1.0, -2.0, 1.5, -3.0)):
        monkeypatch.setitem(globals(), "RATE", rate)
        got = g(2.0)
        want = 4.0 * rate if rate > 0.0 else 12.0 * rate
        if operator is grad:
            assert np.isclose(got, want)
        elif operator is value_and_grad:
            assert np.allclose(got, (with_a_rate(2.0), want))
        else:
            assert np.isclose(got, 2.0 * rate if rate > 0.0 else 12.0 * rate)
        texts.append(g.specialize(2.0) if k > 5 else None)
    assert texts[6] is texts[7] is texts[8]


def test_a_pullback_keeps_the_float_that_it_was_made_with(monkeypatch):
    kept = []
    for rate in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        monkeypatch.setitem(globals(), "RATE", rate)
        kept.append((rate, vjp(with_a_rate)(2.0)[1]))
    assert all(np.isclose(pullback(1.0), 4.0 * rate) for rate, pullback in kept)


def looks_at_levels(x):
    """Twice, or not."""
    return 2.0 * x if 3.0 in LEVELS else x


def test_a_specialised_derivative_says_what_was_looked_at():
    LEVELS[:] = [3.0, 4.0]
    doc = grad(looks_at_levels).specialize(1.0).__doc__
    assert doc == "Twice, or not.\n\nRight while what was looked at stays: LEVELS = [3.0, 4.0]."


KNOBS = {"threshold": 0.5}


def decided_by_a_knob(x):
    return x**2 if KNOBS["threshold"] > 1.0 else x**3 * KNOBS["threshold"]


def test_a_float_in_a_container_that_keeps_changing_decides_in_the_run():
    g, kept = grad(decided_by_a_knob), []
    for value in (0.5, 1.5, 0.7, 2.5, 0.9, 3.5, 0.1, 4.5):
        KNOBS["threshold"] = value
        assert np.isclose(g(2.0), 4.0 if value > 1.0 else 12.0 * value)
        kept.append(g.specialize(2.0))
    assert kept[-1] is kept[-2] is kept[-3]


COUNT = 1
COUNTS = [1, 2.0]
SIZES = {"n": 1, "unit": 2.0}
BOX = types.SimpleNamespace(n=1)


def times_a_global(x):
    return x**2 * COUNT


def times_an_item(x):
    return x**2 * COUNTS[0]


def times_an_entry(x):
    return x**2 * SIZES["n"] * SIZES["unit"]


def times_an_attribute(x):
    return x**2 * BOX.n


def to_a_power(x):
    return x**COUNT + x ** SIZES["n"]


def so_many_turns(x):
    for i in range(SIZES["n"]):
        x = x * x * 0.5 + i
    return x


def of_so_many_items(x):
    return np.sum(np.ones(COUNTS[0]) * x**2) + np.sum(np.arange(COUNT) * x)


def along_an_axis(x):
    return np.sum(np.sum(np.arange(6.0).reshape(2, 3) * x**2, axis=SIZES["n"] % 2) ** 2)


def decided_by_an_int(x):
    return x**2 if COUNT > 5 else x**3 * COUNTS[0]


def at_a_position(x):
    return [x, x**2, x**3][COUNT % 3] * x


def of_this_shape(x):
    return np.sum(np.ones((COUNTS[0], 2))[-1] * x**2)


@pytest.mark.parametrize("operator", [grad, value_and_grad, jvp])
@pytest.mark.parametrize(
    "f",
    [
        *(times_a_global, times_an_item, times_an_entry, times_an_attribute, to_a_power, so_many_turns),
        *(of_so_many_items, along_an_axis, decided_by_an_int, at_a_position, of_this_shape),
    ],
)
def test_an_int_that_keeps_changing_is_read_in_the_run(f, operator, monkeypatch):
    g = operator(f)
    arguments = (1.3, 1.0) if operator is jvp else (1.3,)
    texts = []
    for value in (1, 2, 3, 4, 5, 6, 7, 8, 9, 3, 1):
        monkeypatch.setitem(globals(), "COUNT", value)
        COUNTS[0] = SIZES["n"] = BOX.n = value
        got, want = g(*arguments), (f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6
        slope, primal = (
            (got, None) if operator is grad else (got[1], got[0]) if operator is value_and_grad else (got, 0)
        )
        if isinstance(slope, tuple):
            primal, slope = slope
        assert np.isclose(slope, want, rtol=1e-5)
        assert operator is not value_and_grad or (primal == f(1.3) and type(primal) is type(f(1.3)))
        texts.append(g.specialize(*arguments))
    assert len(set(map(id, texts))) <= 4


def test_an_int_that_keeps_changing_may_become_a_float(monkeypatch):
    g = grad(times_a_global)
    for value in (1, 2, 3, 4, 5, 2.5, 6, True, 7):
        monkeypatch.setitem(globals(), "COUNT", value)
        assert np.isclose(g(1.5), 3.0 * value)


def needs_to_know(x):
    return x * len(SPANS[COUNT % 3]) * SIZES["unit"]


SPANS = ("a", "bc", "def")


def test_an_int_that_has_to_be_known_is_never_stale(monkeypatch):
    g, gg = grad(needs_to_know), grad(grad(to_a_power))
    for value in (1, 2, 3, 4, 5, 6, 7, 8, 9):
        monkeypatch.setitem(globals(), "COUNT", value)
        SIZES["n"] = value
        assert np.isclose(g(1.5), 2.0 * (1 + value % 3))
        assert np.isclose(gg(1.5), 2.0 * value * (value - 1) * 1.5 ** (value - 2))


def test_a_built_module_holds_an_int_that_moved_as_a_number(monkeypatch, tmp_path):
    g = grad(times_a_global)
    for value in (1, 2, 3, 4, 5):
        monkeypatch.setitem(globals(), "COUNT", value)
        g(1.5)
    g.build(tmp_path / "moved.py")
    assert "COUNT = 5\n" in (tmp_path / "moved.py").read_text()


#: places of a number V: how it is read there, the text around that, and what puts another number there
PLACES_OF_NUMBERS = {
    "closure": (
        "s",
        "def make(s):\n    def f(x):\n        return {}\n    def put(v):\n        nonlocal s\n        s = v\n"
        "    return f, put\nf, put = make(1)\n",
        "put(v)",
    ),
    "closure of a helper": (
        "s",
        "def make(s):\n    def h(x):\n        return {}\n    def f(x):\n        return h(x) * 1.0\n"
        "    def put(v):\n        nonlocal s\n        s = v\n    return f, put\nf, put = make(1)\n",
        "put(v)",
    ),
    "module": ("settings.v", "def f(x):\n    return {}\n", "settings.v = v"),
    "name of a module": ("n", "def f(x):\n    from numbers_of_state import v as n\n    return {}\n", "settings.v = v"),
    "class": ("Config.v", "def f(x):\n    return {}\n", "Config.v = v"),
    "base": ("Derived.v", "def f(x):\n    return {}\n", "Config.v = v"),
    "object by its class": ("BOX.v", "def f(x):\n    return {}\n", "Config.v = v"),
    "object made here": ("Config().v", "def f(x):\n    return {}\n", "Config.v = v"),
    "getattr": ("getattr(Config, 'v')", "def f(x):\n    return {}\n", "Config.v = v"),
}
USES_OF_NUMBERS = {
    "factor": "x**2 * V",
    "decides": "x**2 if V > 3 else x**3 * V",
    "is compared": "x * V + x**2 * (2 * V if V == 4 else 1)",
    "counts turns": "sum([x ** (i + 1) for i in range(int(V))])",
    "position": "[x, x**2, x**3][int(V) % 3] * x",
    "shape": "np.sum(np.ones((2, int(V) + 1))[0] * x**2)",
    "exponent": "x**V",
    "type": "x * V if isinstance(V, int) else x**2 * V",
}


INTS, FLOATS = (1, 2, 3, 4, 5, 6, 7, 8, 4, 3), (1.5, 2.5, 3.5, 4.5, 5.5, 4.5, 3.5, 7.5, 8.5, 1.5)


@pytest.mark.sampled(12, each=False)
@pytest.mark.parametrize("numbers", [INTS, FLOATS], ids=["ints", "floats"])
@pytest.mark.parametrize("use", USES_OF_NUMBERS)
@pytest.mark.parametrize("place", PLACES_OF_NUMBERS)
def test_a_number_that_keeps_changing_moves_into_the_run_wherever_it_stands(place, use, numbers, monkeypatch):
    name, text, put = PLACES_OF_NUMBERS[place]
    text = text.replace("{}", USES_OF_NUMBERS[use].replace("V", name))
    file = f"<state {next(_count)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    settings = types.ModuleType("numbers_of_state")
    monkeypatch.setitem(sys.modules, "numbers_of_state", settings)
    settings.v = 1
    config = type("Config", (), {"v": 1})
    scope = {"__name__": "state", "np": np, "settings": settings, "Config": config, "BOX": config()}
    scope["Derived"] = type("Derived", (config,), {})
    exec(compile(text, file, "exec"), scope)
    f = scope["f"]
    both, second, pullback, kept = value_and_grad(f), grad(grad(f)), vjp(f), []
    for v in numbers:
        exec(put, {**scope, "v": v})
        value, slope = expected(f)
        assert np.allclose(both(1.3), (value, slope), rtol=1e-6)
        assert np.isclose(pullback(1.3)[1](1.0), slope, rtol=1e-6)
        assert np.isclose(second(1.3), (f(1.301) - 2.0 * f(1.3) + f(1.299)) / 1e-6, rtol=1e-4, atol=1e-4)
        kept.append(both.specialize(1.3))
    assert len(set(map(id, kept))) <= 4


def test_what_a_derivative_inside_has_looked_at_stays_a_condition(monkeypatch):
    g = grad(grad(decides_by_a_setting))
    for v in (1, 2, 3, 4, 2, 4):
        monkeypatch.setattr(SETTINGS, "v", v, raising=False)
        assert np.isclose(g(1.3), 4.0 * v if v == 4 else 2.0)


SETTINGS = types.ModuleType("settings_of_state")


def decides_by_a_setting(x):
    return x * SETTINGS.v + x**2 * (2 * SETTINGS.v if SETTINGS.v == 4 else 1)


def times_a_rate(x):
    return x * RATE


def has_a_variable_of_that_name(x):
    RATE = x * x
    return times_a_rate(x) * RATE + RATE


def captures_one(k):
    def times_k(x):
        return x * k

    def f(x):
        k = x * x
        return times_k(x) * k + k

    def put(to):
        nonlocal k
        k = to

    return f, put


def test_a_number_that_is_read_in_the_run_is_no_variable_of_the_function(monkeypatch):
    of_closure, put = captures_one(1.0)
    derivatives = grad(has_a_variable_of_that_name), grad(of_closure)
    for v in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0):
        monkeypatch.setitem(globals(), "RATE", v)
        put(v)
        assert [g(2.0) for g in derivatives] == [12.0 * v + 4.0] * 2


#: what Python and C code keep elsewhere than in a name, an item or the dict of an object, and changes of it
KEPT_ELSEWHERE = {
    "value of a member": ("Colour.RED.value", "Colour.RED._value_ = 5.0"),
    "name of a class": ("len(Box.__name__)", "Box.__name__ = 'Container'"),
    "name of a function": ("len(helper.__name__)", "helper.__name__ = 'other'"),
    "class of an object": ("box.rate()", "box.__class__ = Other"),
    "class that is asked for": ("2.0 if isinstance(box, Other) else 3.0", "box.__class__ = Other"),
    "method of a proxy": ("proxy.get('b', 2.0)", "behind['b'] = 5.0"),
    "values of a proxy": ("sum(proxy.values())", "behind['a'] = 5.0"),
    "first of an ordered dict": ("next(iter(ordered.values()))", "ordered.move_to_end('a')"),
    "keys of an ordered dict": ("{'a': 2.0, 'b': 3.0}[list(ordered)[0]]", "ordered.move_to_end('a')"),
    "order of an ordered dict": ("2.0 if ordered == OrderedDict(a=1.0, b=2.0) else 3.0", "ordered.move_to_end('a')"),
    "length of bytes": ("len(some_bytes)", "some_bytes.append(1)"),
    "one of bytes": ("2.0 if 1 in some_bytes else 3.0", "some_bytes.append(1)"),
    "operators of the class of a number": ("1.0 * number", "Rate.__rmul__ = lambda self, other: 3.0"),
    "getattr of a module": ("getattr(module, 'rate', 2.0)", "module.__getattr__ = lambda name: 3.0"),
}
HOLDERS = """
import enum
import types
from collections import OrderedDict
class Box:
    def rate(self):
        return 2.0
class Other(Box):
    def rate(self):
        return 3.0
class Colour(enum.Enum):
    RED = 2.0
class Rate(float):
    pass
def helper():
    return 2.0
number = Rate(2.0)
box = Box()
behind = {'a': 1.0}
proxy = types.MappingProxyType(behind)
ordered = OrderedDict(a=1.0, b=2.0)
some_bytes = bytearray(b"ab")
module = types.ModuleType("module_of_state")
def f(x):
    return x * ({value}) + (x**2 if ({value}) == 2.0 else x**3)
"""


@pytest.mark.parametrize("where", KEPT_ELSEWHERE)
def test_what_is_kept_elsewhere_is_looked_at_as_well(where):
    value, change = KEPT_ELSEWHERE[where]
    text = HOLDERS.replace("{value}", value)
    file = f"<state {next(_count)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope = {"__name__": "state"}
    exec(compile(text, file, "exec"), scope)
    f = scope["f"]
    both = value_and_grad(f)
    try:
        assert np.allclose(both(1.3), expected(f), rtol=1e-6)
        exec(change, scope)
        assert np.allclose(both(1.3), expected(f), rtol=1e-6)
    except DerivationError:
        assert where == "getattr of a module"  # which code of the user's computes, then


def test_what_has_the_attributes_of_a_protocol_is_not_followed():
    text = (
        "import typing\n@typing.runtime_checkable\nclass Goes(typing.Protocol):\n    def go(self): ...\n"
        "class Box: pass\nbox = Box()\ndef f(x):\n    return x**2 if isinstance(box, Goes) else x**3\n"
    )
    file = f"<state {next(_count)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope = {"__name__": "state"}
    exec(compile(text, file, "exec"), scope)
    with pytest.raises(DerivationError, match="its instances"):
        grad(scope["f"])(1.3)
