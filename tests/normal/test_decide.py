"""There is one way to decide by what is there while deriving: `runtime.decide.decide`, which leaves a condition."""

import ast
import collections
import enum
import functools
import pathlib
import types

import numpy as np
import pytest

import s2sad
from s2sad.normal.values.abstract import Known
from s2sad.runtime.conditions import Condition, compiled
from s2sad.runtime.decide import Look, Place, decide, recording
from tests.trees import tree_of

ROOT = pathlib.Path(s2sad.__file__).parent


@functools.cache
def trees():
    """Each file of s2sad, parsed."""
    return {str(file.relative_to(ROOT)): tree_of(file) for file in sorted(ROOT.rglob("*.py"))}


def functions_with(wanted, files=None):
    """The functions whose own statements have a node that is wanted, as file:function."""
    found = set()

    def look(node, place):
        for child in ast.iter_child_nodes(node):
            inner = f"{file}:{child.name}" if isinstance(child, ast.FunctionDef) else place
            if wanted(child):
                found.add(inner)
            look(child, inner)

    for file, tree in (files or trees()).items():
        look(tree, file)
    return found


def test_the_object_behind_a_value_is_seen_through_its_questions_alone():
    places = functions_with(lambda n: isinstance(n, ast.Attribute) and n.attr == "_object")
    assert {place.split(":")[0] for place in places} == {"normal/values/abstract.py"}


#: who asks for an object but to tell it from others, to write its name, or to read the code and the class of a function
ITSELF = {
    "normal/calls/passive.py:are_made_of",
    "normal/calls/functions.py:of",
    "normal/calls/passive.py:opaque",
    "normal/calls/questions.py:uses_up",
    "normal/expressions/attributes.py:attribute",
    "normal/expressions/attributes.py:check_computed",
    "normal/expressions/comparisons.py:check_quiet",
    "normal/iteration/by_position.py:by_position",
    "normal/iteration/by_position.py:form_of_rows",
    "normal/iteration/by_position.py:rows_by_position",
    "normal/values/classes.py:is_user_object",
    "normal/values/classes.py:itself",
    "normal/values/entering.py:goes_by",
    "normal/values/facts.py:kind_of",
    "normal/values/making.py:expression",
}


def test_who_asks_for_an_object_itself_is_listed_here():
    places = functions_with(lambda n: isinstance(n, ast.Attribute) and n.attr == "itself")
    assert places == ITSELF, "ask with is_it, is_known_a or Known.ask, which leave a condition"


def test_conditions_are_made_in_one_place():
    names = {cls.__name__ for cls in Condition.__subclasses__()}
    makes = functions_with(lambda n: isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in names)
    # names that code may look up, and numbers that the run reads; and what an earlier process noted is asked again
    beside = {place for place in makes if not place.startswith(("runtime/decide", "runtime/guards"))}
    assert beside == {"derivative.py:_derived_for", "runtime/anchors.py:again"}
    records = functions_with(lambda n: isinstance(n, ast.Name) and n.id == "_recorders")
    assert {place.split(":")[0] for place in records} == {"runtime/decide.py"}


# --- an answer that is another after a change was a condition


class Box:
    rate = 2.0

    def __init__(self):
        self.a = 1.0


class Other(Box):
    pass


class Colour(enum.Enum):
    RED = 1


def fresh_function():
    return types.FunctionType(fresh_function.__code__, {}, "fresh")


def fresh_class(metaclass=type):
    return metaclass("Fresh", (), {"__module__": __name__})




#: for each look: what makes a state and what else is asked, and changes of the state
STATES = {
    Look.ALL: [
        (lambda: ([2.0, 4.0],), lambda s: s.append(1.0)),
        (lambda: ([2.0, 4.0],), lambda s: s.__setitem__(0, 3.0)),
        (lambda: ([0.0],), lambda s: s.__setitem__(0, -0.0)),
        (lambda: ([2],), lambda s: s.__setitem__(0, 2.0)),
        (lambda: (([2.0], 1),), lambda s: s[0].append(1.0)),
        (lambda: ({1: "a"},), lambda s: (s.clear(), s.update({1.0: "a"}))),
        (lambda: (collections.OrderedDict(a=1, b=2),), lambda s: s.move_to_end("a")),
        (lambda: (collections.deque([1, 2]),), lambda s: s.rotate()),
        (lambda: (bytearray(b"ab"),), lambda s: s.append(1)),
        (lambda: ({1, 2},), lambda s: s.add(3)),
        (lambda: (collections.Counter("ab"),), lambda s: s.update("b")),
        (lambda: (types.SimpleNamespace(a=[1.0]),), lambda s: s.a.append(2.0)),
        (lambda: (types.SimpleNamespace(a=1.0),), lambda s: setattr(s, "b", 2.0)),
        (lambda: (Box(),), lambda s: setattr(s, "a", 2.0)),
    ],
    Look.KIND: [
        (lambda: ([2.0, 4.0],), lambda s: s.append(1.0)),
        (lambda: ([2.0, 4],), lambda s: s.__setitem__(1, 5)),
        (lambda: ({"a": 2.0},), lambda s: s.__setitem__("b", 1.0)),
        (lambda: ({"a": [1.0]},), lambda s: s["a"].append(2.0)),
        (lambda: (np.zeros(3),), lambda s: setattr(s, "shape", (3, 1))),
    ],
    Look.READ: [(lambda: ([2.0, 4],), lambda s: s.__setitem__(1, 5.0))],
    Look.CLASS: [(lambda: (Box(),), lambda s: setattr(s, "__class__", Other))],
    Look.LENGTH: [
        (lambda: ([1],), lambda s: s.append(2)),
        (lambda: ({1: 2},), lambda s: s.clear()),
        (lambda: (bytearray(b"ab"),), lambda s: s.append(1)),
    ],
    Look.KEYS: [
        (lambda: ({"a": 1},), lambda s: s.update(b=2)),
        (lambda: ({1: 1},), lambda s: (s.clear(), s.update({True: 1}))),
        (lambda: (collections.OrderedDict(a=1, b=2),), lambda s: s.move_to_end("a")),
    ],
    Look.PART: [(lambda: (collections.deque([1.0]), 0), lambda s: s.__setitem__(0, 2.0))],
    Look.PARTS: [(lambda: ({"a": 1.0},), lambda s: s.update(b=2.0))],
    Look.ATTRIBUTE: [
        (lambda: (fresh_function(), "__name__"), lambda s: setattr(s, "__name__", "other")),
        (lambda: (np.dtype([("a", float)]), "names"), lambda s: setattr(s, "names", ("b",))),
        (lambda: (fresh_class(), "__name__"), lambda s: setattr(s, "__name__", "Other")),
        (lambda: (types.ModuleType("fresh"), "__name__"), lambda s: setattr(s, "__name__", "other")),
        (lambda: (Box(), "a"), lambda s: setattr(s, "a", 2.0)),
        (lambda: (Box(), "a"), lambda s: setattr(s, "a", 2)),
    ],
    Look.HOLDS: [
        (lambda: (Box(), "b"), lambda s: setattr(s, "b", 1.0)),
        (lambda: (types.SimpleNamespace(), "b"), lambda s: setattr(s, "b", 1.0)),
    ],
    Look.NAME: [
        (lambda: ({"a": 1.0}, "a"), lambda s: s.update(a=2.0)),
        (lambda: ({"a": 1.0}, "a"), lambda s: s.clear()),
        (lambda: ({}, "a"), lambda s: s.update(a=2.0)),
        (lambda: (types.CellType(1.0), "a"), lambda s: setattr(s, "cell_contents", 2.0)),
    ],
    Look.BUILT_ON: [(lambda: (fresh_class(), collections.abc.Sized), collections.abc.Sized.register)],
    Look.NUMBER: [(lambda: (Place([1.0], "item", 0), 1.0), lambda p: p.owner.__setitem__(0, 2))],
    Look.VALUE: [
        (lambda: (Place([1.0], "item", 0), 1.0), lambda p: p.owner.__setitem__(0, 2.0)),
        (lambda: (Place(Box(), "attribute", "a"), 1.0), lambda p: setattr(p.owner, "a", 2.0)),
        (lambda: (Place(Colour.RED, "attribute", "_value_"), 1), lambda p: setattr(p.owner, "_value_", 2)),
    ],
}


def test_each_look_has_a_state():
    assert STATES.keys() == set(Look)


@pytest.mark.parametrize(
    ("look", "make", "change"),
    [pytest.param(k, *case, id=f"{k.name}-{i}") for k, cases in STATES.items() for i, case in enumerate(cases)],
)
def test_what_is_answered_stays_a_condition(look, make, change):
    asked = make()
    with recording() as seen:
        answer = decide(*asked[:1], look, *asked[1:])
        if isinstance(answer, tuple) and len(answer) == 2 and isinstance(answer[1], Place):
            decide(answer[1], Look.VALUE, answer[0])
    check = compiled(list(seen.needed()))
    assert check is not None and check()
    change(asked[0])
    try:
        assert not check()
    finally:
        Colour.RED._value_ = 1


def test_a_number_that_is_read_in_the_run_may_change():
    held = {"a": 1.0}
    with recording() as seen:
        part, place = decide(held, Look.PART, "a")
        decide(place, Look.NUMBER, part)
    check = compiled(list(seen.needed()))
    held["a"] = 2.0
    assert check()
    held["a"] = 2
    assert not check()


@pytest.mark.parametrize("question", ["value", "cls", "can_be_called"])
def test_each_question_of_a_known_value_leaves_a_condition(question):
    assert {n for n, v in vars(Known).items() if isinstance(v, property)} == {
        *("value", "cls", "can_be_called"),
        *("itself", "is_inert"),  # which object it is, and whether it may be asked at all
    }
    with recording() as seen:
        getattr(Known(Box()), question)
    assert seen.found
