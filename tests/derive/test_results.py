"""What a derivative returns belongs to the caller, whatever the primal returns: where it comes from, in what, by which
operator."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import numpy as np
import pytest

from s2sad import grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp
from tests import amounts

G = np.arange(1.0, 5.0)
ZERO = np.array(2.0)
HELD: dict[str, Any] = {"a": np.arange(1.0, 5.0), "l": [np.arange(1.0, 5.0)]}


class Pair(NamedTuple):
    a: Any
    b: Any


@dataclasses.dataclass
class Box:
    a: Any
    b: Any


def with_a_cell(kept):
    def cell(x):
        return x * 2.0 if x.shape == (3,) else kept

    return cell, kept


cell, KEPT = with_a_cell(np.arange(1.0, 5.0))


def passed_on(x):
    return x


def in_turns(x, n):
    return x if n == 0 else in_turns(x, n - 1)


def turned_in_a_loop(x):
    for _ in range(3):
        x = x[::-1]
    return x


def by_a_branch(x):
    if x[0] > 100.0:
        return x * 2.0
    return x


def doubled_in_place(x):
    x *= 2.0
    return x


def first_of_default(x, d=G):
    return d


#: what may be memory of others: of an argument, of a view of it, of a global, a default, a captured array, of a part
SOURCES = {
    "argument": lambda x: x,
    "view": lambda x: x[1:],
    "transposed": lambda x: x.T,
    "reshaped": lambda x: x.reshape(2, 2),
    "raveled": np.ravel,
    "asarray": lambda x: np.asarray(x),
    "atleast_1d": np.atleast_1d,
    "broadcast": lambda x: np.broadcast_to(x, (2, 4)),
    "real": np.real,
    "astype": lambda x: x.astype(float, copy=False),
    "element": lambda x: x[..., 0],
    "call": passed_on,
    "recursion": lambda x: in_turns(x, 3),
    "loop": turned_in_a_loop,
    "branch": by_a_branch,
    "in place": doubled_in_place,
    "sum": lambda x: x + G,
    "global": lambda x: G,
    "part of a global": lambda x: HELD["a"],
    "default": first_of_default,
    "cell": cell,
}

IN = {
    "alone": lambda v: v,
    "tuple": lambda v: (v, v),
    "list": lambda v: [v],
    "dict": lambda v: {"v": v},
    "nested": lambda v: {"v": [(v, 1.0)]},
    "namedtuple": lambda v: Pair(v, 2.0),
    "dataclass": lambda v: Box(v, v),
    "list of the run": lambda v: [v for _ in range(len(G))],
}


def one_in_the_other(source, container):
    def f(x):
        return container(source(x))

    return f


def leaves(tree):
    """The arrays, the lists and the dicts in a value."""
    if isinstance(tree, np.ndarray):
        yield tree
    elif isinstance(tree, (tuple, list, dict, Box)):
        if not isinstance(tree, tuple):
            yield tree
        parts = vars(tree) if isinstance(tree, Box) else tree
        for part in parts.values() if isinstance(parts, dict) else parts:
            yield from leaves(part)


def apart(result, *others):
    held = [leaf for other in (*others, G, ZERO, HELD, KEPT) for leaf in leaves(other)]
    for mine in leaves(result):
        for theirs in held:
            arrays = isinstance(mine, np.ndarray) and isinstance(theirs, np.ndarray)
            assert not (np.may_share_memory(mine, theirs) if arrays else mine is theirs)


def like(value):
    if isinstance(value, Box):
        return Box(like(value.a), like(value.b))
    if isinstance(value, dict):
        return {k: like(v) for k, v in value.items()}
    if isinstance(value, Pair):
        return Pair(*map(like, value))
    if isinstance(value, (tuple, list)):
        return type(value)(map(like, value))
    return np.full(np.shape(value), 1.5) if isinstance(value, np.ndarray) else 1.5


def all_apart(f, *args):
    value, pullback = vjp(f)(*args)
    apart(value, args)
    cotangent = like(value)
    first = pullback(cotangent)
    apart(pullback(cotangent), args, cotangent, value, first)
    tangents = like(args[0])
    value, tangent = jvp(f)(*args, tangents)
    apart(value, args, tangents)
    apart(tangent, args, tangents, value)
    return value, tangent


@pytest.mark.parametrize("container", IN)
@pytest.mark.parametrize("source", SOURCES)
def test_results_are_the_callers(source, container):
    f = one_in_the_other(SOURCES[source], IN[container])
    x = np.arange(1.0, 5.0)
    value, _ = all_apart(f, x)
    assert repr(value) == repr(f(x.copy()))
    modes = ("forward", "reverse")
    for mode in modes if amounts.ALL else [modes[(len(source) + len(container)) % 2]]:
        apart(jacobian(f, mode=mode)(x), x)


@pytest.mark.parametrize("container", IN)
def test_arrays_of_no_axes(container):
    for source in (passed_on, lambda x: ZERO, np.asarray, lambda x: np.atleast_1d(x), lambda x: x.T):
        all_apart(one_in_the_other(source, IN[container]), np.array(3.0))


def its_part(p):
    return p["a"]


def the_whole(p):
    return p


def with_another(p):
    return {**p, "more": p["l"]}


def grown(p):
    p["l"].append(p["a"])
    return p


@pytest.mark.parametrize("f", [its_part, the_whole, with_another, grown])
def test_containers_that_are_passed(f):
    all_apart(f, {"a": np.arange(1.0, 5.0), "l": [np.arange(3.0), np.arange(3.0)]})


@pytest.mark.parametrize("make", [list, tuple, lambda parts: Pair(*parts), lambda parts: Box(*parts)])
def test_sequences_and_objects_that_are_passed(make):
    all_apart(the_whole, make([np.arange(1.0, 5.0), np.arange(3.0)]))


def test_containers_of_the_module():
    def f(x):
        return HELD, x

    all_apart(f, np.arange(1.0, 5.0))


# --- scalar results: gradients, and derivatives of these


SCALARS = {
    "sum": lambda x: x.sum(),
    "weighted by a global": lambda x: G @ x,
    "weighted by a part": lambda x: HELD["l"][0][::-1] @ x,
    "quadratic": lambda x: 0.5 * (x @ x),
    "element": lambda x: x[0],
}
OF_NO_AXES = {
    "itself": lambda x: x,
    "a global": lambda x: ZERO,
    "scaled": lambda x: x * ZERO,
    "quadratic": lambda x: x * x * 0.5,
}
CASES = [(f, np.arange(1.0, 5.0)) for f in SCALARS.values()] + [(f, np.array(3.0)) for f in OF_NO_AXES.values()]


@pytest.mark.parametrize("f, x", CASES, ids=[*SCALARS, *(f"no axes: {n}" for n in OF_NO_AXES)])
def test_gradients_are_the_callers(f, x):
    v = like(x)
    apart(grad(f)(x), x)
    value, gradient = value_and_grad(f)(x)
    apart(value, x, gradient)
    apart(gradient, x)
    apart(hessian(f)(x), x)
    apart(hvp(f)(x, v), x, v)
    all_apart(grad(f), x)
    all_apart(value_and_grad(f), x)


def test_the_other_argument():
    x, w = np.arange(1.0, 5.0), np.arange(2.0, 6.0)
    all_apart(lambda x, w: w, x, w)
    apart(grad(lambda x, w: x @ w, wrt=(0, 1))(x, w), x, w)
    gradient, tangent = jvp(grad(lambda x, w: x @ w), wrt=1)(x, w, np.ones(4))
    apart((gradient, tangent), x, w)


def test_what_is_new_is_not_copied():
    d = jvp(lambda x: np.sin(x))
    d(G, G)
    assert ".copy" not in d.source
    d = vjp(lambda x: (x * 2.0, [x + 1.0]))
    d(G)
    assert ".copy" not in d.source.split("def pullback")[0]


@pytest.mark.parametrize(
    "f", [lambda x: np.emath.sqrt(x), lambda x: 2.0 * np.emath.log(x) + 1.0, lambda x: np.emath.power(x, 0.5) ** 3]
)
def test_a_result_that_turns_out_complex_has_no_gradient(f):
    assert np.isreal(grad(f)(2.0))
    for operator in (grad, value_and_grad, hvp):
        along = (1.0,) if operator is hvp else ()
        with pytest.raises(TypeError, match="grad needs a real result"):
            operator(f)(-2.0, *along)


def test_a_real_part_of_what_turns_out_complex_has_one():
    assert np.isclose(grad(lambda x: np.real(np.emath.log(x)))(-2.0), -0.5)
    assert np.isclose(grad(lambda x: np.abs(np.emath.sqrt(x)))(-2.0), -0.5 / np.sqrt(2.0))
    assert np.isclose(grad(lambda z: np.emath.sqrt(z))(-2.0 + 0j), 0.5 / np.emath.sqrt(-2.0))
