"""Objects whose special methods raise, lie, or count how often they are asked, wherever a program may hold one.

A derivative is right, or is refused in words, or raises what the function raises; and no method of the user's is called
more often than the function itself calls it, while deriving or in the run.
"""

import itertools
import linecache
import types

import numpy as np
import pytest

from s2sad import DerivationError, grad, jvp

pytestmark = pytest.mark.slow

ASKED = []


class Ran(Exception):
    """A special method of the user's was run."""


#: what a special method says that lies, and an expression that asks it
METHODS = {
    "eq": (True, "(1.0 if o == 2.0 else 2.0)"),
    "ne": (True, "(1.0 if o != 2.0 else 2.0)"),
    "lt": (True, "(1.0 if o < 2.0 else 2.0)"),
    "hash": (1, "{o: 3.0}[o]"),
    "bool": (False, "(1.0 if o else 2.0)"),
    "len": (5, "len(o)"),
    "contains": (True, "(1.0 if 2.0 in o else 2.0)"),
    "getitem": (4.0, "o[1]"),
    "getattr": (4.0, "o.missing"),
    "getattribute": (4.0, "o.missing"),
    "class": (float, "(1.0 if isinstance(o, float) else 2.0)"),
    "repr": ("lie", "len(repr(o))"),
    "str": ("lie", "len(f'{o}')"),
    "iter": ([4.0], "sum(o)"),
    "index": (2, "(1.0, 2.0, 3.0, 4.0)[o]"),
    "float": (4.0, "float(o)"),
    "array": (np.array([4.0]), "np.sum(np.asarray(o))"),
    "call": (4.0, "o()"),
    "add": (4.0, "(o + 1.0)"),
    "get": (4.0, "o.described"),
}
MANNERS = ("raises", "lies", "counts")
TRUTH = {"eq": False, "ne": True, "lt": False, "hash": 2, "bool": True, "len": 2, "contains": False, "getitem": 2.0}
TRUTH |= {"getattr": 2.0, "getattribute": 2.0, "repr": "o", "str": "o", "iter": [2.0, 3.0], "index": 1, "float": 2.0}
TRUTH |= {"array": np.array([2.0, 3.0]), "call": 2.0, "add": 3.0, "get": 2.0}
USES = {
    "unused": "1.0",
    "nothing": "(1.0 if o is not None else 2.0)",
    "attribute": "o.v",
    "type": "(type(o) is not float)",
}
#: what makes the function f, given a hostile object
PLACES = {
    "argument": "def f(x, o):\n    return x * x * USE\n",
    "one of many": "def f(x, *many):\n    o = many[0]\n    return x * x * USE\n",
    "global": "o = HELD\ndef f(x):\n    return x * x * USE\n",
    "closure": "def make(o):\n    def f(x):\n        return x * x * USE\n    return f\nf = make(HELD)\n",
    "attribute": "class Box:\n    pass\nbox = Box()\nbox.o = HELD\ndef f(x):\n    o = box.o\n    return x * x * USE\n",
    "class attribute": "class Box:\n    o = HELD\ndef f(x):\n    o = Box.o\n    return x * x * USE\n",
    "list": "items = [HELD, 1.0]\ndef f(x):\n    o = items[0]\n    return x * x * USE\n",
    "tuple": "items = (HELD, 1.0)\ndef f(x):\n    o = items[0]\n    return x * x * USE\n",
    "dict": "table = {'o': HELD}\ndef f(x):\n    o = table['o']\n    return x * x * USE\n",
    "list that is passed": "def f(x, o):\n    o = o[0]\n    return x * x * USE\n",
    "dict that is passed": "def f(x, o):\n    o = o['o']\n    return x * x * USE\n",
    "default": "def f(x, o=HELD):\n    return x * x * USE\n",
    "key": "table = {HELD: 1.0}\ndef f(x):\n    for o in table:\n        x = x * x * USE\n    return x\n",
}
_numbers = itertools.count()


def hostile(name, manner):
    """An object with a special method that does as it is said, and attributes v and, where that is it, `described`."""

    def method(self, *args):
        ASKED.append(name)
        if manner == "raises":
            raise Ran(name)
        found = METHODS[name][0] if manner == "lies" else TRUTH.get(name, object)
        return iter(found) if name == "iter" else found

    body = {f"__{name}__": method}
    if name == "get":
        body = {"described": type("Described", (), body)()}
    elif name == "class":
        body = {"__class__": property(method)}
    elif name == "eq":
        body["__hash__"] = object.__hash__
    made = object.__new__(type("Hostile", (), body))
    object.__getattribute__(made, "__dict__")["v"] = 2.0
    return made


def program(place, use, held):
    """The function, and what it is given behind x."""
    text = PLACES[place].replace("USE", use)
    file = f"<hostile {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    module = types.ModuleType("hostile")
    module.__dict__.update(np=np, HELD=held)
    exec(compile(text, file, "exec"), module.__dict__)
    passed = {"argument": held, "one of many": held, "list that is passed": [held], "dict that is passed": {"o": held}}
    return module.f, (passed[place],) if place in passed else ()


def outcome(call):
    """What a call gives, or the type of what it raises; and how often a method was asked."""
    ASKED.clear()
    try:
        found = call()
    except DerivationError:
        found = DerivationError
    except Exception as error:
        found = type(error)
    return found, len(ASKED)


CASES = list(itertools.product(METHODS, MANNERS, PLACES))


def check(f, given, use):
    """Are the derivatives of f right, or refused, or do they raise what f does, and ask no more often than f?"""
    x, h = 1.5, 1e-6
    value, times = outcome(lambda: f(x, *given))
    slope = value if isinstance(value, type) else (f(x + h, *given) - f(x - h, *given)) / (2 * h)
    forward, reverse = jvp(f), grad(f)
    for call in 2 * [lambda: reverse(x, *given), lambda: forward(x, *given, 1.0)[1]]:  # derived, and found again
        found, asked = outcome(call)
        assert asked <= times, (use, asked, times)
        if found is not DerivationError:
            assert found is slope if isinstance(value, type) else np.allclose(found, slope, rtol=1e-5), (use, found)


@pytest.mark.sampled(24, each=False)
@pytest.mark.parametrize(("name", "manner", "place"), CASES)
def test_what_an_object_says_is_not_asked(name, manner, place):
    held = hostile(name, manner)
    for use in (*USES.values(), METHODS[name][1]):
        try:
            f, given = program(place, use, held)
        except Ran:  # (it has no hash, to be a key)
            return
        check(f, given, use)


@pytest.mark.parametrize("module", [None, 4])
def test_a_function_of_no_module(module):
    """What an exec without a name makes, or what somebody says."""
    f, _ = program("argument", "2.0", None)
    f.__module__ = module
    assert grad(f)(1.5, None) == jvp(f)(1.5, None, 1.0)[1]
