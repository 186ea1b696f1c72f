"""State that the caller does not pass: each call of the primal advances it, so each call of the derivative does, or
there is none."""

from __future__ import annotations

import collections
import functools
import itertools
from typing import Any

import numpy as np
import pytest

from s2sad import DerivationError, grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp

COUNT = 0.0
ITEMS: list[Any] = []
TABLE: dict[Any, Any] = {"n": 0.0}
ARRAY = np.zeros(3)
QUEUE: collections.deque[float] = collections.deque([1.0, 2.0])


class Holder:
    shared = 0.0

    def __init__(self):
        self.n, self.items, self.table, self.array = 0.0, [], {"n": 0.0}, np.zeros(3)

    def number(self, x):
        self.n += 1.0
        return x * self.n

    def appended(self, x):
        self.items.append(x)
        return x * 2.0

    def item(self, x):
        self.table["n"] = self.table["n"] + 1.0
        return x * 2.0

    def element(self, x):
        self.array[0] += 1.0
        return x * self.array[0]

    def whole(self, x):
        self.array += 1.0
        return x * 2.0

    def new_attribute(self, x):
        self.last = x
        return x * 2.0

    def of_the_class(self, x):
        type(self).shared += 1.0
        return x * 2.0

    def by_another(self, x):
        return self.number(x) * 2.0

    @classmethod
    def by_the_class(cls, x):
        cls.shared += 1.0
        return x * 2.0

    def __call__(self, x):
        self.n += 1.0
        return x * self.n


HOLDER = Holder()


def number_of(s, x):
    s.n += 1.0
    return x * s.n


def attribute_set(s, x):
    setattr(s, "n", s.n + 1.0)  # noqa: B010
    return x * 2.0


def append_to(s, x):
    s.items.append(1.0)
    return x * 2.0


def item_of(s, x):
    s.table["n"] += 1.0
    return x * s.table["n"]


def update_of(s, x):
    s.table.update(n=s.table["n"] + 1.0)
    return x * 2.0


def element_of(s, x):
    s.array[0] += 1.0
    return x * s.array[0]


def view_of(s, x):
    part = s.array[1:]
    part += 1.0
    return x * 2.0


def filled(s, x):
    s.array.fill(x)
    return x * 2.0


OPERATIONS = [number_of, attribute_set, append_to, item_of, update_of, element_of, view_of, filled]


def as_default(operation, state):
    def f(x, s=state):
        return operation(s, x)

    return f


def as_keyword(operation, state):
    def f(x, *, s=state):
        return operation(s, x)

    return f


def as_cell(operation, state):
    def f(x):
        return operation(state, x)

    return f


def as_global(operation, state):
    global HOLDER
    HOLDER = state

    def f(x):
        return operation(HOLDER, x)

    return f


def as_attribute_of_a_function(operation, state):
    def f(x):
        return operation(f.state, x)

    f.state = state
    return f


def as_partial(operation, state):
    return functools.partial(operation, state)


def as_self(operation, state):
    state.__class__ = type("Other", (Holder,), {"method": operation})
    return state.method


PLACES = [as_default, as_keyword, as_cell, as_global, as_attribute_of_a_function, as_partial, as_self]

OPERATORS = {
    "grad": lambda f: grad(f)(2.0),
    "value_and_grad": lambda f: value_and_grad(f)(2.0),
    "vjp": lambda f: vjp(f)(2.0)[1](1.0),
    "jvp": lambda f: jvp(f)(2.0, 1.0),
    "forward": lambda f: jacobian(f, mode="forward")(2.0),
    "reverse": lambda f: jacobian(f, mode="reverse")(2.0),
    "hessian": lambda f: hessian(f)(2.0),
    "hvp": lambda f: hvp(f)(2.0, 1.0),
    "inside": lambda f: grad(lambda x: grad(f)(x))(2.0),
}


def advances_or_is_refused(make, state, operator):
    """make: the function, with fresh state; state: what there is of it, as text."""
    f = make()
    wanted = []
    for _ in range(3):
        f(2.0)
        wanted.append(state())
    f = make()
    before = state()
    try:
        for want in wanted:
            OPERATORS[operator](f)
            assert state() == want
    except DerivationError as error:
        assert state() == before and error.way_out


def shown(holder):
    return repr([float(holder.n), list(map(float, holder.items)), float(holder.table["n"]), holder.array.tolist()])


@pytest.mark.sampled(8, cover=True)
@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("place", PLACES)
def test_state_of_an_object(place, operation, operator):
    held: list[Any] = [None]

    def make():
        held[0] = Holder()
        return place(operation, held[0])

    advances_or_is_refused(make, lambda: shown(held[0]), operator)


METHODS = [
    "number", "appended", "item", "element", "whole", "new_attribute", "of_the_class", "by_another", "by_the_class",
    "__call__",
]  # fmt: skip


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("method", METHODS)
def test_methods(method, operator):
    held: list[Any] = [None]

    def make():
        held[0] = Holder()
        Holder.shared = 0.0
        return held[0] if method == "__call__" else getattr(held[0], method)

    def state():
        return repr({**{k: str(v) for k, v in vars(held[0]).items()}, "shared": Holder.shared})

    advances_or_is_refused(make, state, operator)


def counts_up(x):
    global COUNT
    COUNT += 1.0
    return x * COUNT


def nonlocal_number():
    n = 0.0

    def f(x):
        nonlocal n
        n += 1.0
        return x * n

    return f


def list_by_another_name(x):
    items = ITEMS
    items.append(x)
    return x * 2.0


def list_in_a_loop(x):
    for k in range(3):
        ITEMS.append(k)
    return x * 2.0


def list_cut(x):
    ITEMS.extend([1.0, 2.0])
    ITEMS.pop()
    return x * 2.0


def key_by_the_length(x):
    TABLE[len(TABLE)] = 1.0
    return x * 2.0


def out_of_numpy(x):
    np.add(ARRAY, 1.0, out=ARRAY)
    return x * 2.0


def turned(x):
    QUEUE.append(QUEUE.popleft())
    return x * QUEUE[0]


def default_list(x, items=[]):  # noqa: B006
    items.append(1.0)
    return x * len(items)


def default_array(x, array=np.zeros(3)):  # noqa: B008
    array += 1.0
    return x * array[0]


MODULE = [
    counts_up, list_by_another_name, list_in_a_loop, list_cut, key_by_the_length, out_of_numpy, turned, default_list,
    default_array, nonlocal_number,
]  # fmt: skip


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("f", MODULE)
def test_the_module(f, operator):
    held: list[Any] = [None]

    def make():
        global COUNT
        COUNT = 0.0
        ITEMS.clear()
        TABLE.clear()
        TABLE["n"] = 0.0
        ARRAY[:] = 0.0
        QUEUE.clear()
        QUEUE.extend([1.0, 2.0])
        default_list.__defaults__[0].clear()
        default_array.__defaults__[0][:] = 0.0
        held[0] = nonlocal_number() if f is nonlocal_number else f
        return held[0]

    def state():
        cells = [c.cell_contents for c in held[0].__closure__ or ()]
        return repr([COUNT, ITEMS, TABLE, ARRAY, QUEUE, held[0].__defaults__, cells])

    advances_or_is_refused(make, state, operator)


@pytest.mark.parametrize("operator", OPERATORS)
def test_iterators_go_on(operator):
    held: list[Any] = [None]

    def make():
        held[0] = counter = itertools.count(1)
        return lambda x: x * next(counter)

    advances_or_is_refused(make, lambda: repr(held[0]), operator)


def test_what_is_passed_stays():
    holder, items = Holder(), [1.0]
    assert grad(Holder.number)(holder, 2.0) == 1.0
    assert holder.n == 0.0
    with pytest.raises(DerivationError, match="this changes self, which the caller does not pass"):
        grad(holder.number)(2.0)
    assert grad(Holder.number)(holder, 2.0) == 1.0
    assert grad(default_list)(2.0, items) == grad(default_list)(2.0, items=items) == 2.0
    assert items == [1.0] and hessian(default_list)(2.0, items) == 0.0
    with pytest.raises(DerivationError, match="this changes items, which the caller does not pass"):
        grad(default_list)(2.0)
    assert default_list.__defaults__ == ([],)


def test_a_default_that_is_made_anew():
    def f(x, items=None):
        items = [] if items is None else items
        items.append(x)
        return items[0] * x

    assert grad(f)(2.0) == 4.0


def test_ahead_of_time():
    from s2sad.kinds.kind import Number

    d = grad(default_list)
    with pytest.raises(DerivationError, match="this changes items"):
        d.derive_for(d.kinds_ahead({"x": Number(float)}))
