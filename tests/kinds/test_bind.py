"""Arguments to kinds, signature keys, and shared memory."""

import dataclasses
import enum
from collections import namedtuple

import numpy as np
import pytest

from s2sad import DerivationError, grad
from s2sad.kinds import dims
from s2sad.kinds.bind import kind_of_global, kinds_of, overlaps, signature_key
from s2sad.kinds.exact import exact_key, exact_test
from s2sad.kinds.kind import Array, Callable, Dict, Dim, List, ListOf, Number, Object, Records, Static, Tuple, Unknown

F8 = np.dtype(np.float64)
Point = namedtuple("Point", "x y")


class Colour(enum.Enum):
    RED = 1


class Model:
    def __init__(self, n):
        self.W = np.ones((n, 2))
        self.rate = 0.5
        self.name = "m"


@dataclasses.dataclass
class Config:
    a: float
    values: np.ndarray


def kind(value):
    return kinds_of({"v": value})["v"]


def test_numbers_keep_their_type():
    assert kind(1.5) == Number(float)
    assert kind(3) == Number(int, dims.variable("v"))
    assert kind(1j) == Number(complex)
    assert kind(np.float64(2)) == Number(np.float64)
    assert kind(np.float32(2)) == Number(np.float32)
    assert kind(np.int64(2)) == Number(np.int64)


def test_what_steers_control_flow_is_static():
    for value in (None, True, False, "linear", Colour.RED, b"x", np.dtype("f4"), slice(1, None), Ellipsis):
        assert kind(value) == Static(value)
    assert kind(np.sin) == Callable(np.sin)
    assert kind(np.linalg.norm) == Callable(np.linalg.norm)
    assert kind(len) == Callable(len)
    assert kind(Model) == Callable(Model)
    assert kind(np) == Callable(np)


def test_equal_lengths_share_a_symbol():
    kinds = kinds_of(
        {"W": np.ones((4, 3)), "b": np.ones(3), "x": np.ones((4, 1)), "e": np.ones((0, 3)), "t": np.ones(())}
    )
    w, b, x, e = (kinds[name].shape for name in "Wbxe")
    assert w[1] == b[0] == e[1]
    assert w[0] == x[0] != w[1]
    assert x[1] == Dim.of(1)
    assert e[0] == Dim.of(0)
    assert kinds["t"] == Array(F8, ())
    assert dims.lower(w[0]) == 2


def test_an_int_is_no_length_unless_it_says_so():
    kinds = kinds_of({"x": np.ones(5), "n": 5})
    assert kinds["n"].value != kinds["x"].shape[0]
    assert dims.lower(kinds["n"].value) is None


def test_containers():
    kinds = kinds_of({"p": {"W": np.ones((2, 3)), "b": 1.0}, "t": (1.0, [2.0, np.ones(3)]), "q": Point(1.0, 2)})
    assert isinstance(kinds["p"], Dict)
    assert kinds["p"].items[0][1].shape[1] == kinds["t"].items[1].items[1].shape[0]
    assert kinds["t"] == Tuple((Number(float), List((Number(float), kinds["t"].items[1].items[1]))))
    assert kinds["q"].cls is Point
    assert kind([1.0] * 64) == List((Number(float),) * 64)
    assert kind([1.0] * 65) == ListOf(Number(float))
    assert kind([1] * 65) == ListOf(Number(int))
    assert kind([1.0] * 64 + [None]) == Unknown()
    assert kind([]) == List(())


def test_objects():
    model = kind(Model(3))
    assert model.cls is Model
    assert [name for name, _ in model.attributes] == ["W", "rate", "name"]
    assert kind(Config(1.0, np.ones(2))).attributes[0] == ("a", Number(float))
    loop = Model(3)
    loop.me = loop
    assert dict(kind(loop).attributes)["me"] == Unknown()
    cycle = [1.0]
    cycle.append(cycle)
    assert kind(cycle) == List((Number(float), Unknown()))
    assert kind(np.random.default_rng(0)).cls is np.random.Generator


def test_arrays_of_what_is_no_number_are_records():
    assert kind(np.array(["a"])) == Records(np.dtype("U1"))
    assert kind(np.array([None])) == Records(np.dtype(object))


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_arrays_of_other_classes_are_objects():
    assert kind(np.ma.masked_array([1.0])) == Object(np.ma.MaskedArray)
    assert kind(np.matrix([1.0])) == Object(np.matrix)


def test_globals_are_constants():
    assert kind_of_global(3) == Number(int, Dim.of(3))
    assert kind_of_global(np.ones((3, 1))).shape[1] == Dim.of(1)
    assert not kind_of_global(np.ones(3)).shape[0].known
    assert kind_of_global(np.ones(3)).shape == kind_of_global(np.zeros(3)).shape


#: arguments of several kinds, so that keys and kinds can be held against each other
ROWS = [
    (1.0,), (2,), (True,), (False,), (None,), ("a",), ("b",), (1j,), (np.float64(1),), (np.float32(1),), (np.int64(1),),
    (np.ones(2),), (np.ones(1),), (np.ones(0),), (np.ones(2, "f4"),), (np.ones((2, 2)),), (np.ones((2, 3)),),
    (np.ones(()),), (np.ones(2, ">f8"),), ([1.0],), ([1.0, 2.0],), ([1.0] * 65,), ([1] * 65,), ((1.0,),), ({"a": 1.0},),
    ({"b": 1.0},), ({"a": 1},), ({1: 1.0},), ({True: 1.0},), (Point(1.0, 2.0),), ((1.0, 2.0),), (Model(2),),
    (Model(1),),
    (np.sin,), (np.cos,), (len,), (Colour.RED,), (slice(1, 2),), (slice(1, 3),), ({1.0, 2.0},),
    ([np.ones(3)] * 65,), (Config(1.0, np.ones(3)),), (Config(1.0, np.ones(1)),), (Config(1, np.ones(1)),),
    (np.ones(2), np.ones(2)), (np.ones(2), np.ones(3)), (np.ones(2), np.ones(1)), (np.ones((2, 3)), np.ones(3)),
    (np.ones((3, 2)), np.ones(3)), (1.0, None), (None, 1.0), (True, 1), (1, True), ([True],), ([1],), ([0],),
]  # fmt: skip


@pytest.mark.parametrize("first", range(len(ROWS)))
def test_equal_keys_are_equal_kinds(first):
    for other in ROWS[first:]:
        one = ROWS[first]
        named = [list(kinds_of({str(i): v for i, v in enumerate(args)}).values()) for args in (one, other)]
        keys = [signature_key(args) for args in (one, other)]
        same = repr(named[0]) == repr(named[1])
        assert (keys[0] == keys[1]) == same, (one, other)
        hash(keys[0])


def test_same_kinds_same_key():
    assert signature_key((1.0, np.ones(3), {"a": np.ones(3)})) == signature_key((2.0, np.ones(7), {"a": np.zeros(7)}))
    assert signature_key((5, [1.0, 2])) == signature_key((6, [3.0, 4]))
    assert signature_key((Model(3),)) == signature_key((Model(4),))


def test_shared_memory_is_part_of_the_key():
    a, b = np.ones(6), np.ones(6)
    plain = signature_key((a, b))
    assert plain == signature_key((b, a))
    assert signature_key((a, a)) != plain
    assert signature_key((a, a[:])) == signature_key((a, a))
    assert signature_key((a, a[::-1])) not in (plain, signature_key((a, a)))
    assert signature_key((a[:3], a[3:])) == signature_key((b[:3], np.ones(3)))
    assert signature_key((a[:4], a[2:])) != signature_key((a[:4], np.ones(4)))
    assert signature_key((a[::2], a[1::2])) == signature_key((np.ones(3), np.ones(3)))
    assert signature_key(([a, a],)) != signature_key(([a, b],))
    assert signature_key(({"u": a, "v": a[1:]},)) != signature_key(({"u": a, "v": b[1:]},))
    shared = [1.0]
    assert signature_key((shared, shared)) != signature_key((shared, [1.0]))
    assert signature_key((a.reshape(2, 3), a)) != signature_key((b.reshape(2, 3), a))


def test_overlaps():
    a, b = np.ones(6), np.ones(6)
    assert overlaps((a, b)) == ()
    assert overlaps((a, 1.0, a)) == (((0,), (2,), "same"),)
    assert overlaps((a, a[1:])) == (((0,), (1,), "overlap"),)
    assert overlaps(([a, {"k": a}], b, 2.0)) == (((0, 0), (0, 1, "k"), "same"),)
    assert overlaps((a[:3], a[3:])) == ()
    shared = {"w": b}
    assert ((0,), (1,), "same") in overlaps((shared, shared))
    model = Model(3)
    assert overlaps((model, model.W)) == (((0, "W"), (1,), "same"),)
    raw = bytearray(64)
    assert overlaps((np.frombuffer(raw), np.frombuffer(raw, offset=8))) == (((0,), (1,), "overlap"),)


class Linked:
    def __init__(self, weight, other=None):
        self.weight, self.other = weight, other


def test_objects_that_lead_to_each_other():
    a = Linked(1.5)
    b = Linked(2.0, a)
    a.other = b
    c = Linked(0.5, b)

    def f(x, a, c):
        return x * a.weight * a.other.weight + c.weight * x**2 + c.other.weight

    assert grad(f)(0.7, a, c) == pytest.approx(3.7)


class Doubling(dict):
    def __getitem__(self, key):
        return 2.0 * super().__getitem__(key)

    def get(self, key, default=None):
        return 5.0


class Plain(dict):
    def total(self):
        return sum(self.values())


def of_items(d, y):
    return d["a"] * d.get("a") * y**2


def test_dicts_with_items_of_their_own_are_read_by_their_class():
    assert grad(of_items, wrt=1)(Doubling(a=2.0), 3.0) == 120.0
    assert grad(of_items, wrt=1)(Plain(a=2.0), 3.0) == 24.0
    assert isinstance(kinds_of({"d": Plain(a=2.0)})["d"], Dict)
    with pytest.raises(DerivationError, match="holds nothing that s2sad can differentiate"):
        grad(of_items)(Doubling(a=2.0), 3.0)


class Hidden:
    """Holds v, and shows twice v."""

    def __init__(self, v):
        self.__dict__["v"] = v

    @property
    def v(self):
        return 2.0 * self.__dict__["v"]


def shown(p, y):
    return p.v**2 * y


def test_attributes_that_a_property_hides():
    assert grad(shown, wrt=1)(Hidden(1.5), 2.0) == 9.0
    with pytest.raises(DerivationError, match="which a property or a descriptor hides"):
        grad(shown)(Hidden(1.5), 2.0)


def test_exact_keys_tell_apart_what_signatures_tell_apart():
    """Calls that are found by exact shapes have one signature: over values, structures, and arrays met twice."""
    a, b, f4 = np.ones(3), np.zeros((2, 3)), np.ones(3, dtype="f4")
    rows = [a]
    values = [
        1.0, 1, True, None, "s", b"s", np.float64(1.0), a, np.ones(3), np.ones(4), np.ones(1), b, b.T, a[1:], f4,
        f4.astype(">f4"), [a], rows, [a, b], (a, b), (a, a), [1.0, 2], {"w": a}, {"v": a}, {"w": 1.0}, {1: a}, [], {},
        Point(1.0, 2.0), Model(3), np.sin, [rows, rows],
    ]  # fmt: skip
    calls = [(u, v) for u in values for v in values]
    found = {}
    for call in calls:
        key = exact_key(call)
        if key is not None:
            assert found.setdefault(key, signature_key(call)) == signature_key(call)
    assert len(found) > 200
    tests = [(exact_key(call), exact_test(call)) for call in calls[::7] if exact_key(call) is not None]
    assert all(test is not None for _, test in tests)
    assert all(bool(test(call)) == (exact_key(call) == key) for key, test in tests for call in calls)
    assert exact_key((rows, rows)) is None and exact_key((a, [a])) is None and exact_key((b, b[0])) is None


def test_containers_in_themselves_have_no_exact_key():
    inside = []
    inside.append(inside)
    assert exact_key((inside,)) is None
