"""The core tree of a function runs, computes what the function does, and has the forms that core Python allows."""

from __future__ import annotations

import gast
import numpy as np
import pytest

from s2sad.core import names_bound, text
from tests.normal.running import X, agree, every, has, lowered

# --- straight line


def nested_expression(x, y):
    return np.sin(x * y + 2.0) / (x - y) ** 2


def test_active_expressions_are_taken_apart_inactive_ones_are_not():
    core = agree(nested_expression, (1.5, 0.25), (0.3, -2.0), wrt=("x",))
    for statement in core.body:
        assert isinstance(statement, gast.Assign)
        active = {n.id for n in gast.walk(statement.value) if isinstance(n, gast.Name) and n.id in core.facts.varied}
        operations = [n for n in gast.walk(statement.value) if isinstance(n, (gast.BinOp, gast.Call))]
        assert not active or len(operations) == 1, text(statement)


def passive_stays(x, n):
    k = (n * 3 + 1) % 5
    return x * (k + n * 2)


def test_inactive_expressions_stay_nested():
    core = agree(passive_stays, (2.0, 4), (2.0, 7))
    assert "(n * 3 + 1) % 5" in text(core.body)


def versions(x):
    y = x * 2.0
    y = y + x
    y = y * y
    return y


def test_a_name_assigned_again_is_another_version():
    core = agree(versions, (0.7,))
    bound = [s.targets[0].id for s in core.body]
    assert len(bound) == len(set(bound)) == 3


def swaps(x, y):
    x, y = y, x
    x, y = y * 2.0, x + y
    (a, b), c = (x, y), x
    a, b, c = b, c, a
    return a + 10.0 * b + 100.0 * c


def test_swaps():
    core = agree(swaps, (2.0, 3.0))
    assert not any(isinstance(s.targets[0], gast.Tuple) for s in core.body)


def chained_assignment(x):
    a = b = x * 2.0
    a += 1.0
    return a * b


def augmented_array_names(x):
    a = x * 1.0
    b = a
    a += 1.0
    a = a * 2.0
    a -= x
    return np.sum(a * b)


def augmented_numbers(x):
    a = x
    a += 1.0
    a *= x
    a /= 3.0
    a **= 2
    return a + x


def stores(x):
    a = np.zeros(4)
    a[0] = x[1]
    a[1:3] = x[2:] * 2.0
    a[::2] += x[:2]
    a[-1] -= x[0] * x[3]
    return a @ x


def test_stores_stay_stores():
    core = agree(stores, (X,))
    assert [type(s).__name__ for s in core.body if isinstance(getattr(s, "target", None), gast.Subscript)] == [
        "AugAssign",
        "AugAssign",
    ]


@pytest.mark.parametrize(
    "f, args",
    [(chained_assignment, (1.5,)), (augmented_numbers, (1.5,)), (augmented_array_names, (X,))],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_assignments(f, args):
    agree(f, args)


# --- branches


def static_branch(x, flag, mode="a"):
    if flag is None:
        return x * 2.0
    if mode == "a" and x.ndim == 1:
        return x * flag
    return x / flag


def test_branches_that_the_arguments_decide_are_gone():
    assert not has(agree(static_branch, (X, None, "a")), gast.If)
    core = agree(static_branch, (X, 2.0, "a"))
    assert not has(core, gast.If) and "/" not in text(core.body)
    assert "/" in text(agree(static_branch, (X, 2.0, "b")).body)


def joined(x):
    if x > 0.0:
        y = x * 2.0
        z = 1.0
    else:
        y = -x
        z = x
    return y * z + y


def test_both_sides_copy_into_the_joining_name():
    core = agree(joined, (2.0,), (-2.0,))
    (branch,) = [s for s in core.body if isinstance(s, gast.If)]
    shared = names_bound(branch.body) & names_bound(branch.orelse)
    assert len(shared) == 2


def one_sided(x):
    y = x
    if x > 1.0:
        y = x * x
    elif x > 0.0:
        pass
    else:
        y, x = x * 3.0, y + 1.0
    return y * x


def swap_in_branch(x, y):
    if x > y:
        x, y = y, x
    return x - 2.0 * y


def conditional_definition(x):
    if x > 0.0:
        w = x * 2.0
    if x > 0.0:
        return w
    return x


def ternaries(x):
    y = (x if x > 0.0 else -x) * (2.0 if x > 1.0 else x)
    return y if (y < 3.0 and x != 2.0) or x > 5.0 else x


def chained_comparison(x):
    if -1.0 < x <= 1.0 < 2.0:
        return x * x
    return x


def short_circuit(x):
    a = x or 3.0
    b = x and a
    return a + b


@pytest.mark.parametrize(
    "f, cases",
    [
        (one_sided, [(2.0,), (0.5,), (-1.0,)]),
        (swap_in_branch, [(2.0, 1.0), (1.0, 2.0)]),
        (conditional_definition, [(2.0,), (-2.0,)]),
        (ternaries, [(2.0,), (-2.0,), (0.5,), (6.0,)]),
        (chained_comparison, [(0.5,), (1.0,), (-1.0,), (3.0,)]),
        (short_circuit, [(0.0,), (2.0,)]),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_joins(f, cases):
    agree(f, *cases)


# --- loops


def carried(x, n):
    a, b = x, 1.0
    for i in range(n):
        a, b = b, a + b * i
    return a - 3.0 * b


def test_carried_names_swapped_in_a_loop():
    agree(carried, (0.5, 0), (0.5, 1), (0.5, 5))


def rotation(x, n):
    a, b, c = x, x * 2.0, x * x
    for _ in range(n):
        a, b, c = b, c, a
    return a + 10.0 * b + 100.0 * c


def test_parallel_copies_in_a_circle():
    agree(rotation, (0.5, 0), (0.5, 1), (0.5, 2), (0.5, 3))


def swapped_buffers(x, n):
    old, new = x.copy(), np.zeros(4)
    for _ in range(n):
        new[1:] = old[:-1] * 2.0
        new[0] = old[-1]
        old, new = new, old
    return np.sum(old * x)


def loop_name_afterwards(x, n):
    i = 10
    for i in range(n):
        x = x * (i + 1)
    return x + i


def local_of_a_loop(x, n):
    s = 0.0
    for i in range(n):
        t = x * i
        if t > 1.0:
            t = t - 1.0
        s += t * t
    return s


def last_of_a_loop(x, n):
    t = x
    for i in range(n):
        t = x * i
    return t


def while_loop(x):
    y = x
    n = 0
    while y < 10.0:
        y = y * 1.5 + x
        n += 1
    return y * n


def while_swap(x, y):
    while x < y:
        x, y = y, x * 4.0
    return x + 2.0 * y


def breaks(x):
    s = 0.0
    for v in x:
        if v < 0.0:
            break
        s += v * v
    return s


def continues(x):
    s = 0.0
    for i, v in enumerate(x):
        if i % 2:
            continue
        s += v * i
    return s


def break_and_continue(x):
    s = 1.0
    for v in x:
        if v > 1.5:
            s = s * v
            break
        elif v < 0.0:
            continue
        s = s + v
    else:
        s = s * 100.0
    return s


def early_return(x, n):
    for i in range(n):
        x = x * 1.5
        if x > 4.0:
            return x - i
    return x


def return_in_two_loops(x):
    for i in range(3):
        for j in range(3):
            if x[i] * x[j] < 0.0:
                return x[i] + j
            if j > i:
                break
    return x[0] * 5.0


def return_in_while(x):
    while True:
        x = x + 1.0
        if x > 5.0:
            return x * 2.0
        if x < -100.0:
            break
    return x


def zipped(x, y):
    s = 0.0
    for a, b in zip(x, y, strict=False):
        s += a * b
    for k, (a, b) in enumerate(zip(x, y[::-1], strict=True), 2):
        s += a * b * k
    return s


def reversed_stepped(x, n):
    s = x
    for i in range(n, 0, -2):
        for j in reversed(range(i)):
            s = s * 0.9 + j
    return s


@pytest.mark.parametrize(
    "f, cases",
    [
        (swapped_buffers, [(X, 0), (X, 1), (X, 4)]),
        (loop_name_afterwards, [(2.0, 0), (2.0, 3)]),
        (local_of_a_loop, [(0.4, 5), (0.4, 0)]),
        (last_of_a_loop, [(0.4, 5), (0.4, 0)]),
        (while_loop, [(0.5,), (20.0,)]),
        (while_swap, [(0.5, 7.0), (3.0, 2.0)]),
        (breaks, [(X,), (np.abs(X),), (-X,)]),
        (continues, [(X,)]),
        (break_and_continue, [(X,), (X * 0.1,)]),
        (early_return, [(1.0, 2), (1.0, 9), (1.0, 0)]),
        pytest.param(
            return_in_two_loops,
            [(X,), (np.abs(X),)],
            marks=pytest.mark.xfail(strict=True, reason="result_1 = result, where result is not bound yet"),
        ),
        (return_in_while, [(1.0,), (7.0,)]),
        (zipped, [(X, X * 2.0)]),
        (reversed_stepped, [(0.5, 5), (0.5, 4), (0.5, 0)]),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_loops(f, cases):
    agree(f, *cases)


# --- containers


def local_containers(x):
    d = {"a": x, "b": [x * 2.0, 3.0]}
    d["a"] = d["a"] * d["b"][0]
    d["b"].append(d["a"])
    pair = (d["b"][-1], *d["b"])
    return pair[0] + pair[1] * len(pair)


def test_known_containers_disappear():
    core = agree(local_containers, (1.5,))
    assert not any(isinstance(n, (gast.Dict, gast.List, gast.Subscript)) for s in core.body for n in gast.walk(s))


def grown_list(x, n):
    out = []
    for i in range(n):
        out.append(x * i)
    s = 0.0
    while out:
        s = s * 0.5 + out.pop()
    return s


def list_by_index(x, n):
    values = [x]
    for i in range(n):
        values.append(values[i] * 0.5 + values[-1])
    return values[n] * len(values)


def comprehension(x, n):
    values = [x * i for i in range(n) if i != 1]
    return sum(v * v for v in values)


def same_list_twice(x):
    a = [x, 2.0]
    b = a
    b[0] = b[0] * 3.0
    c = a[:]
    c[1] = x
    return a[0] + a[1] * c[1]


def dict_argument(p):
    q = dict(p)
    q["w"] = q["w"] * 2.0
    return np.sum(q["w"]) * p["b"] + np.sum(p["w"])


def list_of_arrays(xs):
    s = 0.0
    for a in xs:
        s += np.sum(a * a)
    return s


def written_argument(x, out):
    out[0] = x * 2.0
    out[1:] += x
    return np.sum(out)


@pytest.mark.parametrize(
    "f, cases",
    [
        (grown_list, [(1.5, 4), (1.5, 0)]),
        (list_by_index, [(1.5, 4), (1.5, 0)]),
        (comprehension, [(1.5, 4), (1.5, 0)]),
        (same_list_twice, [(1.5,)]),
        (dict_argument, [({"w": X, "b": 2.0},)]),
        (list_of_arrays, [([X, X[:2].copy()],)]),
        (written_argument, [(1.5, np.ones(3))]),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_containers(f, cases):
    agree(f, *cases)


# --- calls


def square_and_double(v, k=2.0):
    return v * v, v * k


def scale_in_place(a, by):
    a *= by


def power(x, n):
    return 1.0 if n == 0 else x * power(x, n - 1)


def calls(x):
    a, b = square_and_double(x)
    c, _ = square_and_double(k=a, v=b)
    return a * b + c


def in_place_call(x):
    a = x.copy()
    scale_in_place(a[1:], 3.0)
    return np.sum(a * x)


def recursive(x):
    return power(x, 3)


def closures(x):
    def add(v, w=x * 2.0):
        return v + w + x

    twice = lambda g: lambda v: g(g(v))  # noqa: E731
    y = add(1.0)
    x = x * 10.0
    return twice(add)(y)


def late_binding(x):
    fs = [lambda v: v * i * x for i in range(3)]  # noqa: B023
    return sum(f(2.0) for f in fs)


def counter(x):
    total = 0.0

    def step(v):
        nonlocal total
        total = total * 2.0 + v
        return total

    return step(x) + step(x * x) * total


def test_calls_are_written_out():
    core = agree(calls, (1.5,))
    called = {n.func.id for s in core.body for n in gast.walk(s) if isinstance(n, gast.Call)}
    assert not called


@pytest.mark.parametrize(
    "f, args",
    [
        (in_place_call, (X,)),
        (recursive, (1.5,)),
        (closures, (1.5,)),
        (late_binding, (1.5,)),
        (counter, (1.5,)),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_functions(f, args):
    agree(f, args)


# --- effects and what is known of the tree


def prints(x, n):
    assert n >= 0, "n"
    for i in range(n):
        print("turn", i, x)
        x = x * 2.0
    print("done", end="!\n")
    return x


def test_effects_stay_in_order():
    agree(prints, (1.5, 3), (1.5, 0))


def refuses(x):
    if x < 0.0:
        raise ValueError("negative")
    return np.sqrt(x)


def test_raise_stays():
    core = agree(refuses, (4.0,))
    assert has(core, gast.Raise)


def test_every_statement_knows_its_line():
    core = lowered(break_and_continue, X)
    lines = {break_and_continue.__code__.co_firstlineno + k for k in range(1, 12)}
    assert all(s.origin is None or s.origin.line in lines for s in every(core.body) if hasattr(s, "origin"))
    assert sum(getattr(s, "origin", None) is not None for s in every(core.body)) > 3


def test_activity_follows_the_wrt():
    core = lowered(nested_expression, 1.5, 0.25, wrt=("y",))
    assert "y" in core.facts.varied and "x" not in core.facts.varied


def killed(x):
    y = x * 2.0
    y = 3.0
    return y * x


def test_activity_follows_versions():
    core = agree(killed, (2.0,))
    inactive = [n for n in core.facts.user_name if core.facts.user_name[n] == "y" and n not in core.facts.varied]
    active = [n for n in core.facts.user_name if core.facts.user_name[n] == "y" and n in core.facts.varied]
    assert active and not set(active) & set(inactive)
