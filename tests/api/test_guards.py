"""What the next call has to see, and is easily missed: what was not there yet, what is inside of something else, what
has no name in the code. Each derivative is right before the change, and right (or refused) behind it.
"""

import dataclasses
import functools
import operator
import types
import weakref

import numpy as np
import pytest

from s2sad import DerivationError, grad, jvp, value_and_grad
from tests.api import settings

CASES = []


def case(make):
    """Enter what gives a function of x, what it is given besides, and what changes."""
    CASES.append(make)
    return make


class Base:
    n = 2

    def go(self, x):
        return x**self.n


def derived():
    return type("Derived", (Base,), {})


def law(n=2):
    made = derived()()
    made.n = n
    return made


# --- what was not there yet


@case
def attribute_of_a_subclass(m):
    made = derived()()
    return lambda x: x**made.n, (), lambda: setattr(type(made), "n", 3)


@case
def method_of_a_subclass(m):
    made = derived()()
    return lambda x: made.go(x), (), lambda: setattr(type(made), "go", lambda self, x: x**3)


@case
def method_of_a_class_that_is_called(m):
    cls = derived()
    return lambda x: cls().go(x), (), lambda: setattr(cls, "go", lambda self, x: x**3)


@case
def operator_of_a_subclass(m):
    class Power:
        def __mul__(self, x):
            return x**2

    made = type("Derived", (Power,), {})()
    return lambda x: made * x, (), lambda: setattr(type(made), "__mul__", lambda self, x: x**3)


@case
def attribute_of_an_object_that_hides_a_method(m):
    made = derived()()
    return lambda x: made.go(x), (), lambda: setattr(made, "go", lambda x: x**3)


@case
def hasattr_of_a_class(m):
    cls = derived()
    return lambda x: x**3 if hasattr(cls, "flag") else x**2, (), lambda: setattr(cls, "flag", True)


@case
def getattr_with_a_default(m):
    cls = derived()
    return lambda x: x ** getattr(cls, "power", 2), (), lambda: setattr(cls, "power", 3)


@case
def attribute_error(m):
    cls = derived()

    def f(x):
        try:
            return x**cls.power
        except AttributeError:
            return x * x

    return f, (), lambda: setattr(cls, "power", 3)


@case
def attribute_of_the_class_of_an_argument(m):
    made = derived()()
    return lambda a, x: x**a.n, (made,), lambda: setattr(type(made), "n", 3)


@case
def attribute_of_a_class_as_argument(m):
    cls = derived()
    return lambda c, x: x ** getattr(c, "power", 2), (cls,), lambda: setattr(cls, "power", 3)


@case
def attribute_of_a_function(m):
    def held(x):
        return x

    return lambda x: x ** getattr(held, "power", 2), (), lambda: setattr(held, "power", 3)


@case
def attribute_of_a_module(m):
    return lambda x: x ** getattr(settings, "later", 2), (), lambda: m.setattr(settings, "later", 3, raising=False)


@case
def getattribute(m):
    made = derived()()

    def reads(self, name):
        return 3 if name == "n" else object.__getattribute__(self, name)

    return lambda x: x**made.n, (), lambda: setattr(type(made), "__getattribute__", reads)


@case
def bases(m):
    class First:
        n = 2

    class Second:
        n = 3

    class Derived(First):
        pass

    return lambda x: x**Derived.n, (), lambda: setattr(Derived, "__bases__", (Second,))


@case
def builtin_that_is_hidden(m):
    return lambda x: abs(x) * x, (), lambda: m.setitem(globals(), "abs", lambda x: x * x)


# --- what functions are made of


def keyword_only():
    def f(x, *, n=2):
        return x**n

    return f


def floats_by_keyword():
    def f(x, *, n=2.0):
        return x**n

    return f


for _make in (keyword_only, floats_by_keyword):

    @case
    def keyword_default_of_a_helper(m, make=_make):
        h = make()
        return lambda x: h(x) * x, (), lambda: h.__kwdefaults__.__setitem__("n", 3)

    @case
    def keyword_default(m, make=_make):
        h = make()
        return h, (), lambda: h.__kwdefaults__.__setitem__("n", 3)

    @case
    def keyword_defaults_replaced(m, make=_make):
        h = make()
        return h, (), lambda: setattr(h, "__kwdefaults__", {"n": 3})


@case
def defaults_replaced(m):
    def h(x, n=2):
        return x**n

    return h, (), lambda: setattr(h, "__defaults__", (3,))


@case
def default_that_becomes_a_list(m):
    def h(x, n=2):
        return x**3 if isinstance(n, list) else x**2

    return h, (), lambda: setattr(h, "__defaults__", ([],))


@case
def code_of_a_helper(m):
    def h(x):
        return x**2

    return lambda x: h(x) * x, (), lambda: setattr(h, "__code__", cube.__code__)


@case
def code(m):
    def h(x):
        return x**2

    return h, (), lambda: setattr(h, "__code__", cube.__code__)


def cube(x):
    return x**3


@case
def defaults_of_a_dataclass(m):
    @dataclasses.dataclass
    class Config:
        n: int = 2

    return lambda x: x ** Config().n, (), lambda: setattr(Config.__init__, "__defaults__", (3,))


# --- callables inside of something else


def power_of(numbers, x):
    return x ** len(numbers)


class Named:
    def __init__(self, n):
        functools.update_wrapper(self, cube)
        self.n = n

    def __call__(self, x):
        return x**self.n


def changing_partial():
    numbers = [1, 2]
    return functools.partial(power_of, numbers), lambda: numbers.append(3)


def changing_keyword():
    made = functools.partial(pow, exp=2)
    return made, lambda: made.keywords.__setitem__("exp", 3)


def changing_method():
    made = law()
    return made.go, lambda: setattr(made, "n", 3)


def changing_object():
    made = Named(2)
    return made, lambda: setattr(made, "n", 3)


class Holder:
    def __init__(self, f):
        self.f = f


INSIDE = {
    "plain": (lambda f, x: f(x) * x, lambda f: f),
    "list": (lambda held, x: held[0](x) * x, lambda f: [f]),
    "tuple": (lambda held, x: held[0](x) * x, lambda f: (f, 1)),
    "dict": (lambda held, x: held["f"](x) * x, lambda f: {"f": f}),
    "namespace": (lambda held, x: held.f(x) * x, lambda f: types.SimpleNamespace(f=f)),
    "object": (lambda held, x: held.f(x) * x, Holder),
    "nested": (lambda held, x: held[0]["f"](x) * x, lambda f: [{"f": f}]),
    "long": (lambda held, x: held[70](x) * x, lambda f: (*[1.0] * 70, f)),
}


@pytest.mark.parametrize("make", [changing_partial, changing_keyword, changing_method, changing_object])
@pytest.mark.parametrize("inside", INSIDE)
@pytest.mark.parametrize("given", [True, False])
def test_callables_inside(make, inside, given):
    call, wrap = INSIDE[inside]
    made, change = make()
    held = wrap(made)
    f, args = (call, (held,)) if given else (lambda x: call(held, x), ())
    holds_before_and_behind(f, args, change)


# --- long containers


@case
def length_of_a_long_list(m):
    held = [1.0] * 70
    return lambda x: x ** (len(held) - 68), (), lambda: held.append(1.0)


@case
def sum_of_a_long_list(m):
    held = [1.0] * 70
    return lambda x: x * x * sum(held), (), lambda: held.append(1.0)


@case
def int_in_a_long_list(m):
    held = [2] * 70
    return lambda x: x ** held[66], (), lambda: held.__setitem__(66, 3)


@case
def long_list_in_an_object(m):
    held = types.SimpleNamespace(items=[2] * 70)
    return lambda x: x ** held.items[66] * len(held.items), (), lambda: held.items.append(3)


@case
def method_in_a_long_list(m):
    held = [law().go for _ in range(70)]
    return lambda x: held[68](x), (), lambda: setattr(held[68].__self__, "n", 3)


# --- what has no name in the code


@case
def computed_name(m):
    cls = type("Table", (), {"act_a": 2})
    return lambda k, x: x ** getattr(cls, "act_" + k), ("a",), lambda: setattr(cls, "act_a", 3)


@case
def computed_name_of_a_module(m):
    return lambda k, x: x ** getattr(settings, k), ("n",), lambda: m.setattr(settings, "n", 3)


@case
def computed_name_of_an_object(m):
    made = type("Table", (), {"act_a": 2})()
    return lambda k, x: x ** getattr(made, "act_" + k), ("a",), lambda: setattr(type(made), "act_a", 3)


@case
def name_in_a_getter(m):
    cls, get = type("Table", (), {"act": 2}), operator.attrgetter("act")
    return lambda x: x ** get(cls), (), lambda: setattr(cls, "act", 3)


@case
def attribute_of_a_metaclass(m):
    meta = type("Meta", (type,), {"n": 2})
    cls = meta("Made", (), {})
    return lambda x: x**cls.n, (), lambda: setattr(meta, "n", 3)


@case
def property_of_a_metaclass(m):
    meta = type("Meta", (type,), {"n": property(lambda cls: cls.held)})
    cls = meta("Made", (), {"held": 2})
    return lambda x: x**cls.n, (), lambda: setattr(cls, "held", 3)


@case
def module_imported_inside(m):
    def f(x):
        import tests.api.settings as held

        return x**held.n

    return f, (), lambda: m.setattr(settings, "n", 3)


@case
def name_imported_inside(m):
    def f(x):
        from tests.api.settings import n

        return x**n

    return f, (), lambda: m.setattr(settings, "n", 3)


@case
def function_imported_inside(m):
    def f(x):
        from .settings import power

        return power(x)

    return f, (), lambda: m.setattr(settings, "power", cube)


@case
def module_under_a_name(m):
    held = settings
    made = types.ModuleType("made")
    made.n = 3

    def f(x):
        return x**held.n

    def change():
        nonlocal held
        held = made

    return f, (), change


@case
def module_that_is_made(m):
    made = types.ModuleType("made")
    made.n = 2
    return lambda x: x**made.n, (), lambda: setattr(made, "n", 3)


def holds_before_and_behind(f, args, change):
    first, second, x, h = value_and_grad(f, len(args)), grad(grad(f, len(args)), len(args)), 1.3, 1e-3

    def numbers():
        low, middle, high = f(*args, x - h), f(*args, x), f(*args, x + h)
        return middle, (high - low) / (2.0 * h), (high - 2.0 * middle + low) / h**2

    before = numbers()
    assert np.allclose([*first(*args, x), second(*args, x)], before, rtol=1e-4, atol=1e-4)
    change()
    assert not np.allclose(numbers(), before)
    assert np.allclose([*first(*args, x), second(*args, x)], numbers(), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("make", CASES, ids=[make.__name__ for make in CASES])
def test_what_is_easily_missed(make, monkeypatch):
    f, args, change = make(monkeypatch)
    if make is getattribute:
        with pytest.raises(DerivationError, match="says itself what reading an attribute means"):
            holds_before_and_behind(f, args, change)
    else:
        holds_before_and_behind(f, args, change)


@pytest.mark.parametrize("make", CASES, ids=[make.__name__ for make in CASES])
def test_without_a_change_nothing_is_derived_again(make, monkeypatch):
    f, args, _ = make(monkeypatch)
    g = grad(f, len(args))
    made = g.specialize(*args, 1.3)
    g(*args, 1.3)
    assert g.specialize(*args, 1.3) is made


def _gone():
    held = {1.0}
    proxy = weakref.proxy(held)
    del held
    return proxy


class _Holder:
    entry = _gone()

    def __init__(self):
        self.proxy, self.number = _gone(), 2.0


GONE, HOLDER = _gone(), _Holder()
WITH_GONE, TABLE = [GONE, 2.0], {"gone": GONE, "number": 2.0}


def read_beside(x):
    return x * WITH_GONE[1] * TABLE["number"] * HOLDER.number * len(WITH_GONE)


def read_from_a_default(x, held=WITH_GONE, gone=GONE):
    return x * held[1]


def sliced(x):
    return x * WITH_GONE[:][1]


def taken_from_a_list(x):
    return x * WITH_GONE[0]


def asked_what_it_is(x):
    return x if GONE is None else x * x


def entry_of_a_class(x):
    return x if HOLDER.entry is HOLDER.proxy else x * x


@pytest.mark.parametrize("derivative", [grad, lambda f: lambda *args: jvp(f)(*args, 1.0)[1]])
def test_weak_proxies_of_what_is_gone(derivative):
    """They raise ReferenceError where they are asked for their class: what stands beside them is read, they are not."""
    assert derivative(read_beside)(3.0) == 16.0
    assert derivative(read_from_a_default)(3.0) == 2.0
    assert derivative(sliced)(3.0) == 2.0
    for f in (taken_from_a_list, asked_what_it_is, entry_of_a_class):
        with pytest.raises(DerivationError, match="a weak proxy of an object that is gone"):
            derivative(f)(3.0)


def test_an_argument_holds_a_weak_proxy_of_what_is_gone():
    assert grad(lambda held: held[1] ** 2)((GONE, 3.0))[1] == 6.0
