"""Programs and arguments that are deep, huge or strange: derived or refused in words, never a bare exception."""

import enum
import itertools
import linecache
import multiprocessing
import os
import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from s2sad import grad, jvp
from s2sad.frontend.diagnostics import BadArgument, DerivationError
from s2sad.locks import deeper, deriving

_numbers = itertools.count()


def made(text):
    """The function f of a text."""
    file = f"<robust {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    namespace = {"np": np, "__name__": __name__}
    exec(compile(text, file, "exec"), namespace)
    return namespace["f"]


def chain(n):
    return "".join(f"    elif x > {n - i}.5:\n        y = x * {i}.0\n" for i in range(n))


DEEP = {
    "terms": "def f(x):\n    return " + " + ".join(["x * x"] * 300) + "\n",
    "factors": "def f(x):\n    return " + " * ".join(["x"] * 300) + "\n",
    "elifs": f"def f(x):\n    if x > 999.0:\n        y = x\n{chain(130)}    else:\n        y = x * x\n    return y\n",
    "calls": "def f(x):\n    return " + "np.sin(" * 150 + "x" + ")" * 150 + "\n",
    "statements": "def f(x):\n" + "    x = np.sin(x)\n" * 250 + "    return x\n",
    "blocks": "def f(x):\n"
    + "".join("    " * (i + 1) + f"if x > {-i}.0:\n" for i in range(90))
    + "    " * 91
    + "x = x * x\n    return x\n",
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_programs(name):
    f, x, h = made(DEEP[name]), 1.0625, 1e-6
    want = (f(x + h) - f(x - h)) / (2 * h)
    limit = sys.getrecursionlimit()
    assert grad(f)(x) == pytest.approx(want, rel=1e-6)
    assert jvp(f)(x, 1.0)[1] == pytest.approx(want, rel=1e-6)
    assert sys.getrecursionlimit() == limit


def test_called_where_little_of_the_stack_is_left():
    f = made("def f(x):\n    return np.sin(x) * x\n")

    def far_down(n):
        return grad(f)(2.0) if n == 0 else far_down(n - 1)

    room = sys.getrecursionlimit() - len(list(frames())) - 60
    assert far_down(room) == pytest.approx(np.sin(2.0) + 2.0 * np.cos(2.0))


def frames():
    frame = sys._getframe()
    while frame is not None:
        yield frame
        frame = frame.f_back


def endless():
    return endless()


def test_what_has_no_end_is_refused():
    def work():
        with deriving():
            endless()

    with pytest.raises(DerivationError, match="too deep"):
        try:
            work()
        except RecursionError:
            deeper(work, lambda: DerivationError("too deep"))
    assert grad(made("def f(x):\n    return x * x\n"))(3.0) == 6.0


def test_an_error_on_the_deep_stack_is_the_callers():
    with pytest.raises(ValueError, match="mine"):
        try:
            endless()
        except RecursionError:
            deeper(lambda: int("mine"), lambda: DerivationError("too deep"))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_fork_while_another_thread_derives():
    begun, go_on = threading.Event(), threading.Event()
    f = made("def f(x):\n    return x**3\n")

    def derive():
        with deriving():
            begun.set()
            go_on.wait(5.0)

    thread = threading.Thread(target=derive)
    thread.start()
    begun.wait()
    threading.Timer(0.2, go_on.set).start()
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    child = context.Process(target=lambda: queue.put(grad(f)(3.0)))
    child.start()
    child.join(20)
    alive = child.is_alive()
    if alive:
        child.kill()
    thread.join()
    assert not alive and queue.get() == pytest.approx(27.0)


def test_an_interrupt_leaves_no_lock_held(monkeypatch):
    f = made("def f(x):\n    return x * x\n")

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("s2sad.derive.derive", interrupted)
        with pytest.raises(KeyboardInterrupt):
            grad(f)(3.0)
    found = []
    thread = threading.Thread(target=lambda: found.append(grad(f)(3.0)), daemon=True)
    thread.start()
    thread.join(20)
    assert found == [6.0]


@pytest.mark.parametrize("value", [10**400, -(10**400), [10**400, 1.0], {"a": 10**400}])
def test_ints_that_no_float_holds(value):
    def f(x):
        return x * 2.0

    with pytest.raises(BadArgument, match="larger than the largest float"):
        grad(f)(value)
    with pytest.raises(BadArgument, match="larger than the largest float"):
        jvp(f)(value, 1.0)


def with_names(**names):
    o = SimpleNamespace()
    o.__dict__.update(names)
    return o


def test_attributes_whose_names_cannot_be_written():
    o = with_names(**{"lambda": 3.0, "a b": np.array([1.0, 2.0])})

    def reads(x, o):
        return x * getattr(o, "lambda") * getattr(o, "a b")[1] * sum(v for k, v in vars(o).items() if k == "lambda")

    def overwrites(x, o):
        a = getattr(o, "a b")
        a[0] = x
        return a[0] * a[1]

    assert grad(reads)(2.0, o) == 18.0 and jvp(reads)(2.0, o, 1.0)[1] == 18.0
    assert grad(overwrites)(2.0, o) == 2.0 and getattr(o, "a b")[0] == 1.0


def test_active_attributes_whose_names_cannot_be_written():
    def active(o):
        return getattr(o, "class") ** 2

    def sets(x, o):
        setattr(o, "if", 2.0 * x)
        return getattr(o, "if")

    o = with_names(**{"class": 2.0})
    for derivative, args in [(grad(active), (o,)), (jvp(active), (o, o)), (grad(sets), (2.0, o))]:
        with pytest.raises(DerivationError, match="cannot be written behind a dot"):
            derivative(*args)


RECORD = np.dtype([("p", "f8"), ("q", "f8")])


def test_arrays_of_what_is_no_number_take_no_active_values():
    def fields(x):
        s = np.zeros(3, dtype=RECORD)
        s["p"] = x
        return np.sum(s["p"] * 2.0)

    def view_of_a_field(x):
        s = np.empty(3, dtype=[("p", "f8")])
        v = s.copy()["p"]
        v[:] = x
        return np.sum(v**2)

    def made_of(x):
        s = np.array([(x[0], x[1])], dtype=RECORD)
        return s["p"][0] * s["q"][0]

    def texts(x):
        s = np.zeros(3, dtype="U5")
        s[0] = x[0]
        return float(s[0]) * x[1]

    def objects(x):
        s = np.zeros(3, object)
        s[0] = x[0]
        return s[0] * 2.0

    def given(x, s):
        s["p"] = x
        return np.sum(s["p"])

    x = np.array([0.3, 0.5, 0.9])
    for f, rest in [(g, ()) for g in (fields, view_of_a_field, made_of, texts, objects)] + [
        (given, (np.zeros(3, RECORD),))
    ]:
        for derivative, tangent in [(grad(f), ()), (jvp(f), (x,))]:
            with pytest.raises(DerivationError, match="active values in an array of"):
                derivative(x, *rest, *tangent)


def test_arrays_of_what_is_no_number_are_read():
    def reads(x, s):
        t = np.zeros(3, dtype=RECORD)
        t["p"] = 2.0
        return np.sum(s["q"] * t["p"] * x)

    s = np.zeros(3, RECORD)
    s["q"] = 3.0
    x = np.array([0.3, 0.5, 0.9])
    np.testing.assert_allclose(grad(reads)(x, s), [6.0, 6.0, 6.0])
    assert jvp(reads)(x, s, x)[1] == pytest.approx(6.0 * 1.7)


class Ran(Exception):
    """A special method of the user's was run."""


def raises(name):
    def method(self, *args, **kwargs):
        raise Ran(name)

    return method


LOUD = ("eq", "ne", "hash", "bool", "len", "iter", "contains", "getitem", "lt", "repr", "str", "format", "getattr")


def set_v(self):
    object.__setattr__(self, "v", 2.0)


def loud(base=object, *names, **more):
    return type("Loud", (base,), {"__init__": set_v, **{f"__{n}__": raises(n) for n in names or LOUD}, **more})


class LoudEnum(enum.Enum):
    A = 1
    __eq__ = __hash__ = raises("of an enum")


METACLASSES = {n: type("Meta", (type,), {f"__{n}__": raises(n)}) for n in ("eq", "hash", "getattr", "getattribute")}
OBJECTS = {
    "object": loud()(),
    "getattr": loud(object, "getattr")(),
    "getattribute": object.__new__(loud(object, "getattribute")),
    "class": loud(object, "repr", __class__=property(raises("class")))(),
    "callable": loud(object, "eq", "hash", "call")(),
    "str": type("Loud", (str,), {f"__{n}__": raises(n) for n in ("eq", "hash", "len", "repr")})("a"),
    "list": type("Loud", (list,), {f"__{n}__": raises(n) for n in ("eq", "iter", "len", "getitem")})([2.0]),
    "tuple": type("Loud", (tuple,), {f"__{n}__": raises(n) for n in ("eq", "hash", "iter", "len")})((2.0,)),
    "dict": type("Loud", (dict,), {f"__{n}__": raises(n) for n in ("eq", "iter", "len", "contains")})(v=2.0),
    "enum": LoudEnum.A,
    "class itself": loud(),
    **{f"metaclass {n}": meta("Loud", (), {"__init__": set_v}) for n, meta in METACLASSES.items()},
    **{f"of a metaclass {n}": meta("Loud", (), {"__init__": set_v})() for n, meta in METACLASSES.items()},
}
#: (generated code is found by the classes of the arguments, so they need a hash, as in any table that goes by them)
AS_ARGUMENTS = OBJECTS.keys() - {"of a metaclass hash", "of a metaclass eq"}


def check_quiet(f, *args):
    """The derivative of x * x, or a refusal in words."""
    for derivative, tangent in [(grad(f), ()), (jvp(f), (1.0,))]:
        try:
            found = derivative(1.5, *args, *tangent)
        except DerivationError as error:
            assert type(error) in (DerivationError, BadArgument)
        else:
            assert (found[1] if tangent else found) == 3.0


@pytest.mark.parametrize("name", sorted(AS_ARGUMENTS))
def test_no_code_of_an_argument_is_run(name):
    held = OBJECTS[name]
    check_quiet(lambda x, o: x * x, held)
    check_quiet(lambda x, o: x * x if o is not None else x, held)
    check_quiet(lambda x, o: x * x if type(o) is not float else x, held)
    check_quiet(lambda x, o: x * x * o[1], [held, 1.0])
    check_quiet(lambda x, o: x * x * o["v"], {"o": held, "v": 1.0})
    check_quiet(lambda x, *o: x * x, held)


@pytest.mark.parametrize("name", sorted(OBJECTS))
def test_no_code_of_what_is_referred_to_is_run(name):
    held = OBJECTS[name]
    items, table = [held, 1.0], {"o": held, "v": 1.0}

    class Holder:
        a = held

    check_quiet(lambda x: x * x if held is not None else x)
    check_quiet(lambda x: x * x if type(held) is not float else x)
    check_quiet(lambda x: x * x * items[1])
    check_quiet(lambda x: x * x * table["v"])
    check_quiet(lambda x: x * x if Holder.a is not None else x)
    check_quiet(lambda x: x * x if items[0] is held else x)


def test_what_is_equal_to_everything_is_itself():
    class Same:
        def __eq__(self, other):
            return True

        def __hash__(self):
            return 1

    one, other = Same(), Same()

    def f(x, o):
        return x * x if o is one else x

    assert grad(f)(3.0, one) == 6.0 and grad(f)(3.0, other) == 1.0
    assert grad(lambda x, o: x * x * o[one])(3.0, {one: 2.0}) == 12.0


def test_a_list_that_holds_itself_and_is_not_used():
    held = [1.0]
    held.append(held)
    check_quiet(lambda x, o: x * x, held)
    check_quiet(lambda x, o: x * x * o[0], held)


@pytest.mark.parametrize("value", [np.timedelta64(1, "s"), np.datetime64("2020-01-01")])
def test_times_have_no_derivative(value):
    check_quiet(lambda x, o: x * x, value)
    for derivative, tangent in [(grad(lambda o: o), ()), (jvp(lambda o: o), (value,))]:
        with pytest.raises(BadArgument, match="which has no derivative"):
            derivative(value, *tangent)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="slices have a hash")
def test_what_has_no_hash_is_no_key():
    def f(x, o):
        return {1.0: x}.get(o, x)

    for o in (slice(1, 2), slice(None)):
        with pytest.raises((DerivationError, TypeError)) as caught:
            grad(f)(1.5, o)
        assert "defect" not in str(caught.value)


class Link:
    def __init__(self, v, behind):
        self.v, self.behind = v, behind


def test_what_is_nested_without_end_is_read_where_it_is_used():
    nested, linked = [2.0], None
    for k in range(300):
        nested, linked = [nested], Link(k + 2.0, linked)

    check_quiet(lambda x, o: x * x, nested)
    check_quiet(lambda x, o: x * x * (o.behind.v - 299.0), linked)
    check_quiet(lambda x: x * x * (linked.behind.v - 299.0))
    check_quiet(lambda x: x * x * len(nested))


def test_what_is_nested_deeply_has_no_derivative():
    nested = [2.0]
    for _ in range(300):
        nested = [nested]
    with pytest.raises(BadArgument, match="nested 301 deep"):
        grad(lambda o: 2.0 * len(o))(nested)
