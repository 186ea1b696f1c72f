"""Compiled derivatives are those of NumPy mode, whatever goes in; what cannot be compiled is said."""

import ctypes
import math
import subprocess
import sys
from dataclasses import dataclass

import numpy as np
import pytest

import s2sad
from s2sad import BadArgument, DerivationError, elementwise_grad, grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp
from s2sad.runtime.structures import map_leaves
from tests.numeric import leaves

pytest.importorskip("numba")
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*faster on contiguous"),
    pytest.mark.filterwarnings("ignore:(divide by zero|invalid value) encountered"),
]

G = np.random.default_rng(1)
X, Y, M = G.normal(size=5), G.normal(size=5), G.normal(size=(4, 5))
LEVEL = 2.0
WEIGHTS = np.array([1.0, 2.0, 3.0, 4.0, 5.0])


@dataclass
class Model:
    w: np.ndarray
    b: float

    def energy(self, x):
        return np.sum(np.tanh(x @ self.w + self.b) ** 2)


def walk(x, k):
    x = x.copy()
    for i in range(1, len(x)):
        x[i] += k * x[i - 1] / (1.0 + x[i] ** 2)
    return np.sum(x * x)


def steps(u, k, n):
    for _ in range(n):
        u = u + k * np.sin(u)
        if u[0] > 1.0:
            u = 0.5 * u
    return np.sum(u)


def newton(a, p):
    x, n = a, 0
    while abs(x**p - a) > 1e-12 and n < 50:
        x -= (x**p - a) / (p * x ** (p - 1.0))
        n += 1
    return x


def normed(A):
    z = A - np.mean(A, axis=0)
    return np.sum(np.abs(z) / (1.0 + np.max(z * z, axis=1, keepdims=True)))


def gathered(x, i):
    return np.sum(np.exp(x[i]) * np.arange(len(i)))


def by_dict(params, A):
    h = np.tanh(A @ params["W"] + params["b"])
    return np.sum(h**2) * params["scale"]


def by_list(layers, A):
    for W, b in layers:
        A = np.tanh(A @ W + b)
    return np.sum(A)


def by_object(model, A):
    return model.energy(A)


def outside(x):
    return LEVEL * np.sum(x * x * WEIGHTS)


def floored(x):
    return np.floor(x) * LEVEL


def outside_of_a_helper(x):
    return np.sum(floored(x) * x * WEIGHTS)


def solved(A, b):
    return b @ np.linalg.solve(A @ A.T + np.eye(len(A)), b)


def einsum(A, B):
    return np.sum(np.einsum("ij,kj->ik", A, B) ** 2)


def overlapping(x):
    y = x * x
    y[:-1] += y[1:]
    y += y[::-1]
    return np.sum(y * y)


def helper(x, y):
    return np.where(x > y, x, math.e * y)


def calls(x, y):
    return np.sum(helper(x, y) * helper(y, 2.0 * x) + helper(y, x))


def with_option(x, how="plain"):
    return np.sum(x) if how == "plain" else np.sum(np.exp(x))


def counted(A):
    hits = A > 0.5
    return np.sum(np.sum(hits, axis=0) * A[0]) + np.max(np.max(A, axis=1) * np.prod(hits + 1.0, axis=1))


def jumps(x, k):
    g = 0.0
    for i in range(len(x)):
        g = np.sin(x[i]) * k
        if g > 0.5:
            break
        g = g * x[i]
    return g * g


def ratios(x, k):
    y = x.copy()
    y[1:] = k / x[1:]  # inf for an array, whatever a division of numbers does
    return np.sum(np.minimum(y, 5.0) * y[0]) * (k / 2.0)


def table(angle):
    R = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.sum(R @ np.array([[1.0, 2.0], [0.5, 1.0]]) ** 2)


def shortest(A):
    for k in range(A.shape[0]):
        A[:] = np.minimum(A[:], np.add.outer(A[:, k], A[k, :]))
    return np.sum(A * A)


def onto_its_mirror(x):
    y = x * x
    for k in range(1, len(x)):
        y[:k] += y[k] * np.flip(y[:k])
    return np.sum(y)


def picked_after_a_scatter(x, i, w):
    h = np.zeros(len(x))
    np.add.at(h, i, np.exp(w))
    y = np.sin(x)
    return np.sum(w * (y * 2.0)[i] * y[i] + h[i] * h[i])


def centred(A):
    return np.sum((A - np.mean(A, axis=(0, 1), keepdims=True)) ** 2 * A)


PROGRAMS = [
    (walk, (X, 0.7), (0, 1)), (steps, (X, 0.3, 4), (0, 1)), (newton, (7.0, 3.0), (0, 1)), (normed, (M,), 0),
    (gathered, (X, np.array([0, 2, 2, 4])), 0), (outside, (X,), 0), (solved, (M[:, :4], M[0, :4]), (0, 1)),
    (einsum, (M, M + 1.0), (0, 1)), (overlapping, (X,), 0), (calls, (X, Y), (0, 1)), (with_option, (X, "exp"), 0),
    (table, (0.3,), 0), (counted, (np.abs(M),), 0), (jumps, (np.array([0.2, 0.3, 1.5, 0.1]), 0.9), (0, 1)),
    (ratios, (np.array([1.0, 0.0, 2.0]), 2.0), 0),
    (by_dict, ({"W": G.normal(size=(5, 3)), "b": np.zeros(3), "scale": 2.0}, M), 0),
    (by_list, ([(G.normal(size=(5, 3)), np.zeros(3)), (G.normal(size=(3, 2)), np.ones(2))], M), 0),
    (by_object, (Model(X, 0.5), M), 0), (shortest, (np.abs(M[:, :4]),), 0), (onto_its_mirror, (X,), 0),
    (picked_after_a_scatter, (X, np.array([0, 3, 3]), Y[:3]), (0, 2)),
]  # fmt: skip
IDS = [f.__name__ for f, _, _ in PROGRAMS]


def flat(value):
    return np.concatenate([np.ravel(leaf) for _, leaf in leaves(value)])


@pytest.mark.sampled(2, each=False)
@pytest.mark.parametrize(("f", "args", "wrt"), PROGRAMS, ids=IDS)
def test_gradients_are_those_of_numpy_mode(f, args, wrt):
    compiled = grad(f, wrt=wrt, compile="numba")
    found = compiled(*args)
    assert np.allclose(flat(found), flat(grad(f, wrt=wrt)(*args)), rtol=1e-10)
    assert "@numba.njit" in compiled.source
    assert np.allclose(flat(compiled(*args)), flat(found), rtol=0.0, atol=0.0)  # and once more, with what is kept


def test_the_other_operators():
    v = np.cos(X)
    for operator in (value_and_grad, hessian):
        assert np.allclose(flat(operator(walk, compile="numba")(X, 0.7)), flat(operator(walk)(X, 0.7)), rtol=1e-9)
    for operator in (jvp, hvp):
        found = operator(walk, compile="numba")(X, 0.7, v)
        assert np.allclose(flat(found), flat(operator(walk)(X, 0.7, v)), rtol=1e-9)


def test_jacobians_and_elementwise_gradients():
    def wave(x, k):
        return np.sin(k * x) * x[0]

    assert np.allclose(jacobian(wave, compile="numba")(X, 2.0), jacobian(wave)(X, 2.0))
    found = elementwise_grad(lambda x: np.sin(x) * x, compile="numba")(X)
    assert np.allclose(found, np.cos(X) * X + np.sin(X))


def test_what_comes_out_is_put_together_as_it_was():
    params = {"W": G.normal(size=(5, 3)), "b": np.zeros(3), "scale": 2.0}
    assert list(grad(by_dict, compile="numba")(params, M)) == ["W", "b", "scale"]
    assert isinstance(grad(by_object, compile="numba")(Model(X, 0.5), M), Model)


def flattened(A):
    return np.sum(A.reshape(-1)[:3] ** 2) + np.sum(A.ravel() * np.cumsum(A.ravel()))


def chosen(x, m):
    y = x * x
    y[m] = 0.5 * x[m]
    return np.sum(x[m] * y[m])


def last_one(x, n):
    total = 0.0
    for i in range(n):
        t = x[i] * 2.0
        total += t * t
    return total * t


def remainder(a, b):
    return a % b + a / 2


def placed(x, i):
    y = x * 1.0
    y[i] = x[i] * x[i]
    return np.sum(y * y)


def of_the_last_turn(x, n):
    for i in range(n):
        y = x[i] * 2.0
    return y * x[0]


def power_of_ints(x, n):
    k = 3
    k **= n
    return x * k * 2**n


def shifted(x, n):
    return x * (1 << n)


def added_behind_the_first(x, y):
    z = x * x
    z[1:] += y[1:]
    z *= y
    return np.sum(z * z)


def added_to_each_row(x, A):
    z = A * 2.0
    z += x
    return np.sum(z * x)


def added_to_a_view(x, y, n):
    w = x.copy()
    if n > 1:
        t = w[:3]
        r = 0.5 * y[2:] * y[2:]
        t += r
    else:
        r = 0.5 * y[2:]
        t = w[2:]
        t += r
    return np.sum(w * y)


def rows_times(A, x):
    c = np.sin(A) * x
    for i in range(A.shape[0]):
        c[i] *= x
    return np.sum(np.exp(c))


EDGES = [
    (flattened, (M.T,), None), (flattened, (M[::-1, ::2],), None), (flattened, (np.asfortranarray(M),), None),
    (chosen, (X, X > 0.0), None), (chosen, (X, np.array([True, False])), IndexError),
    (chosen, (X, np.ones(9, dtype=bool)), IndexError), (chosen, (X, np.zeros(5, dtype=bool)), None),
    (last_one, (X, 3), None), (last_one, (X, 0), UnboundLocalError), (last_one, (X, 6), IndexError),
    (remainder, (7, 3), None), (remainder, (7, 0), ZeroDivisionError),
    (placed, (X, np.array([0, 2, 0, -1])), None), (placed, (X, np.array([0, 5])), IndexError),
    (of_the_last_turn, (X, 2), None), (of_the_last_turn, (X, 0), UnboundLocalError),
    (power_of_ints, (1.5, 3), None), (shifted, (1.5, 3), None), (shifted, (1.5, -1), ValueError),
    (added_behind_the_first, (X, X), None), (added_behind_the_first, (X, X[:1]), ValueError),
    (added_behind_the_first, (X, X[:3]), ValueError), (added_behind_the_first, (X[:1], X[1:]), ValueError),
    (added_to_a_view, (X, Y, 3), None), (added_to_a_view, (X, Y, 0), None), (rows_times, (M, X), None),
    (added_to_each_row, (X[:4], M[:, :4]), None), (added_to_each_row, (X[:1], M), None),
]  # fmt: skip


@pytest.mark.parametrize("f", dict.fromkeys(f for f, _, _ in EDGES), ids=lambda f: f.__name__)
def test_at_the_edges_as_numpy_mode(f):
    compiled, plain = grad(f, compile="numba"), grad(f)  # what is compiled for one edge is run at the others
    for args, error in ((a, e) for g, a, e in EDGES if g is f):
        if error is None:
            assert np.allclose(flat(compiled(*args)), flat(plain(*args)), rtol=1e-10)
            continue
        for slope in (plain, compiled):
            with pytest.raises(error):
                slope(*args)


def test_ints_to_negative_powers_are_refused_in_the_run():
    """They are floats in Python; to Numba they are 0."""
    with pytest.raises(ValueError, match=r"float\(x\) \*\* n"):
        grad(power_of_ints, compile="numba")(1.5, -1)


@pytest.mark.long
def test_arrays_that_lie_otherwise_in_memory():
    for given in (np.asfortranarray(M), M.T.copy().T, np.repeat(M, 2, axis=1)[:, ::2]):
        assert np.allclose(grad(normed, compile="numba")(given), grad(normed)(M))
    still = X.copy()
    still.flags.writeable = False
    assert np.allclose(grad(walk, compile="numba")(still, 0.7), grad(walk)(X, 0.7))


def test_arguments_stay_as_they_were():
    x = X.copy()
    grad(walk, compile="numba")(x, 0.7)
    assert np.array_equal(x, X)


@pytest.mark.long
def test_numbers_outside_are_those_of_the_call(monkeypatch):
    slope, other = grad(outside, compile="numba"), grad(outside_of_a_helper, compile="numba")
    for level in (2.0, 3.0, 4.0, 5.0, 6.0, 7.0):
        monkeypatch.setitem(globals(), "LEVEL", level)
        monkeypatch.setitem(globals(), "WEIGHTS", level * np.ones(5))
        assert np.allclose(slope(X), 2.0 * level * level * X)
        assert np.allclose(other(X), level * level * np.floor(X))


def test_what_the_primal_raises():
    def item(x, i):
        return x[i] * 2.0

    with pytest.raises(IndexError):
        grad(item, compile="numba")(X, 9)
    with pytest.raises(ZeroDivisionError):
        grad(lambda a, b: a / b, compile="numba")(1.0, 0.0)

    def added(x, y):
        return np.sum(x + y)

    with pytest.raises(ValueError):
        grad(added, compile="numba")(X, np.ones(3))

    def positive(x):
        if x < 0.0:
            raise ValueError("below zero")
        return x * x

    with pytest.raises(ValueError, match="below zero"):
        grad(positive, compile="numba")(-1.0)


def test_division_of_numpys_numbers_gives_inf():
    def first(x):
        return 1.0 / x[0] + x[1]

    with np.errstate(divide="ignore"):
        assert grad(first, compile="numba")(np.array([0.0, 1.0])).tolist() == [-np.inf, 1.0]


def test_what_cannot_be_compiled_is_said_at_the_users_line():
    def transformed(x):
        z = np.fft.fft(x)
        return np.sum(np.abs(z))

    with pytest.raises(DerivationError, match=r"z = np.fft.fft\(x\)\n.*Numba has no numpy.fft.fft"):
        grad(transformed, compile="numba")(X)


def scaled_sum(x, k):
    return np.sum(np.real(np.sum(x) * k))


@pytest.mark.parametrize("layout", ["read only", "strided", "backwards", "unaligned", "by columns"])
def test_arguments_may_lie_anywhere_in_memory(layout):
    memory = np.zeros(8 * M.size + 1, dtype=np.uint8)
    A = {"read only": M.copy(), "strided": np.repeat(M, 2, axis=1)[:, ::2], "backwards": M[::-1, ::-1],
         "unaligned": memory[1:].view(float).reshape(M.shape), "by columns": np.asfortranarray(M)}[layout]  # fmt: skip
    if layout == "unaligned":
        A[:] = M
    A.flags.writeable = layout != "read only"
    np.testing.assert_allclose(grad(normed, compile="numba")(A), grad(normed)(A), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((X.astype(np.float16), 0.7), r"float16.*\n.*x.astype\(float\)"),
        ((np.array(1.0), 0.7), "without axes"),
        ((X.astype(">f8" if sys.byteorder == "little" else "<f8"), 0.7), "order of other machines"),
        ((X, np.arange(5, dtype=np.int32)), r"int32.*\n.*k.astype\(int\)"),
        ((X.astype(np.complex64), 0.7), r"complex64.*\n.*x.astype\(complex\)"),
    ],
    ids=["float16", "no axes", "bytes", "int32", "complex64"],
)
def test_arrays_that_no_kernel_takes(arguments, said):
    with pytest.raises(DerivationError, match=said):
        grad(scaled_sum, compile="numba")(*arguments)


def test_texts_are_not_kernels():
    def told(x):
        return x * len(str(KeyError("b")))

    with pytest.raises(DerivationError, match="does not call"):
        grad(told, compile="numba")(2.0)


def test_what_is_asked_of_identity_is_not_in_kernels():
    def near(x, k):
        return True if x[k] < 0.9 else x[k]

    def first(x):
        return x[1] * near(x, 1) if near(x, 0) is True and near(x, 1) is not True else x[0]

    with pytest.raises(DerivationError, match="whether a number is an object"):
        grad(first, compile="numba")(np.array([0.7, 1.1, 0.4]))


def test_functions_that_record_on_a_tape():
    def step(u, k):
        for i in range(1, len(u)):
            u[i] += k * np.sin(u[i - 1]) * u[i]
        u[0] *= u[-1]

    def run(u, k):
        u = u.copy()
        for _ in range(3):
            step(u, k)
            step(u, 2.0 * k)
        return np.sum(u)

    assert np.allclose(grad(run, compile="numba")(X, 0.1), grad(run)(X, 0.1))


def test_lists_that_hold_lists_are_refused():
    def nested(x):
        rows = []
        for i in range(len(x)):
            row = []
            for j in range(i + 1):
                row.append(x[i] * x[j])
            rows.append(row)
        total = 0.0
        while rows:
            total += rows.pop()[0]
        return total

    with pytest.raises(DerivationError, match="lists that hold lists"):
        grad(nested, compile="numba")(X)


def left_in_the_middle(x):
    total, y = 0.0, x
    while True:
        u = y * 1.7
        if not u < 4.0:
            y = u
            break
        total += u * u
        y = u
    return total + y


def returned_in_the_middle(x):
    total, y = 0.0, x
    while True:
        u = y * 1.7
        if u > 4.0:
            y = 2.0 * u
            return total + y
        total += u * u
        y = u


@pytest.mark.parametrize("f", [left_in_the_middle, returned_in_the_middle])
def test_loops_that_are_left_in_the_middle(f):
    """Numba gives such a loop the value of before in each turn: it had no end."""
    assert np.allclose(value_and_grad(f, compile="numba")(0.3), value_and_grad(f)(0.3), rtol=1e-12)


def flat_elements(y):
    u = np.zeros(5)
    for e in u.flat:
        u[3] += y - e
    return np.sum(u)


def test_what_is_ravelled_is_a_view():
    assert np.allclose(grad(flat_elements, compile="numba")(1.3), 2.0)


def stack_of_arrays_that_grow(x, n):
    stack, total = [(0, x, 1.0)], 0.0
    while stack:
        depth, v, s = stack.pop()
        if depth < n:
            stack.append((depth + 1, np.concatenate((v, v)), s * 0.5 * x[0]))
        total += s * np.sum(v * v)
    return total


def handed_down(x, n):
    a, b, c, total = x, x, x, 0.0
    for _ in range(n):
        total += np.sum(a * a) + 0.5 * np.sum(b * b)
        a = b
        b = c
        c = np.concatenate((c, c))
    return total


def items_of_several_lengths(x, n):
    s = [x]
    for _ in range(n):
        s.append(np.concatenate((s[-1], x)))
    total = np.sum(s[1] * s[1]) + np.sum(s[2][:5] * s[0])
    w = x
    for v in s:
        total += np.sum(v * v) * np.sum(w)
        w = v
    while len(s) > 1:
        a = s.pop()
        b = s.pop()
        total += np.sum(a) * np.sum(b * b)
    return total


def begun_anew(x, n):
    v = x[1:]
    for k in range(n):
        v = x * 2.0
        if k > 1:
            continue
        v = v[1:]
    return np.sum(v * v)


@pytest.mark.parametrize("f", [stack_of_arrays_that_grow, handed_down, items_of_several_lengths, begun_anew])
def test_lengths_of_each_turn_are_those_of_the_first_only_where_they_stay(f):
    (value, gradient), expected = value_and_grad(f, compile="numba")(X, 4), value_and_grad(f)(X, 4)
    assert np.allclose(value, expected[0], rtol=1e-12)
    assert np.allclose(gradient, expected[1], rtol=1e-10)


HANDED = [(walk, (X, 0.7), 0), (walk, (X, 0.7), (0, 1)), (normed, (M,), 0), (calls, (X, Y), (1, 0)), (outside, (X,), 0)]


@pytest.mark.sampled(2, each=False)
@pytest.mark.parametrize("operator", [grad, value_and_grad])
@pytest.mark.parametrize(("f", "args", "wrt"), HANDED)
def test_gradients_go_where_the_caller_says(operator, f, args, wrt):
    """They overwrite what is there, and the arrays that are returned are those that were handed in."""
    chosen = [args[k] for k in (wrt if isinstance(wrt, tuple) else (wrt,))]
    given = tuple(np.full_like(x, 7.0) if isinstance(x, np.ndarray) else None for x in chosen)
    derivative = operator(f, wrt, compile="numba")
    for _ in range(2):
        found = derivative(*args, out=given if isinstance(wrt, tuple) else given[0])
        expected = operator(f, wrt)(*args)
        assert np.allclose(flat(found), flat(expected), rtol=1e-10)
        gradients = found[1] if operator is value_and_grad else found
        gradients = gradients if isinstance(wrt, tuple) else (gradients,)
        assert all(g is x for g, x in zip(gradients, given, strict=True) if x is not None)
    assert np.allclose(flat(derivative(*args)), flat(expected), rtol=1e-10)


@pytest.mark.parametrize(
    ("out", "said"),
    [
        (np.empty(3), "no array like it"), (np.empty(5, np.float32), "no array like it"), (None, "no array like it"),
        (np.empty(10)[::2], "row by row"), (X, "shares memory"), (X[:], "shares memory"), (WEIGHTS, "shares memory"),
    ],
)  # fmt: skip
def test_what_no_gradient_goes_into(out, said):
    before = X.copy()
    with pytest.raises(BadArgument, match=said):
        grad(outside, compile="numba")(X, out=out)
    assert np.array_equal(X, before)


def test_out_is_refused_where_it_means_nothing():
    with pytest.raises(BadArgument, match="for compiled derivatives"):
        grad(walk)(X, 0.7, out=np.empty(5))
    with pytest.raises(BadArgument, match="tuple of 2"):
        grad(walk, (0, 1), compile="numba")(X, 0.7, out=np.empty(5))
    with pytest.raises(DerivationError, match="numbers and arrays"):
        grad(by_object, compile="numba")(Model(X, 0.5), M, out=Model(X, 0.5))


def test_a_parameter_named_out_is_the_primals():
    def scaled(x, out):
        return np.sum(x * out)

    assert np.allclose(grad(scaled, compile="numba")(X, out=2.0), 2.0)


def test_lists_that_hold_dicts_are_refused():
    def counted(x, n):
        seen = [(k, {0: 1}) for k in range(n)]
        total = x[0]
        for k in range(n):
            total = (1 if 1 in seen[k % 2][1] else 3) * total  # (Numba says that it never is)
            seen[k % 2][1][1] = 2
        return total

    with pytest.raises(DerivationError, match="lists that hold dicts"):
        grad(counted, compile="numba")(X, 4)


def test_a_function_without_a_hash_is_said():
    twice = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda t: 2.0 * t)

    with pytest.raises(DerivationError, match="Numba"):
        grad(lambda x, n: x * twice(float(n)), compile="numba")(0.5, 3)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"compile": "c"}, "compile='c'"), ({"compile": "numba", "compile_options": {"x": 1}}, "no entry 'x'"),
        ({"compile": "numba", "compile_options": {"fastmath": 2}}, "is 2"), ({"compile_options": {}, "wrt": "k"}, ""),
        ({"compile_options": {"cache": True}}, "not compile"),
        ({"compile": "numba", "compile_options": ["cache"]}, "write a dict"),
    ],
)  # fmt: skip
def test_bad_options(options, said):
    if not said:
        assert grad(walk, **options)(X, 0.7) == grad(walk, wrt="k")(X, 0.7)
        return
    with pytest.raises(BadArgument, match=said):
        grad(walk, **options)


def chained(x, n):
    for _ in range(n):
        y = x
        for _ in range(2):
            y = np.sin(y) * y
        x = y + x
    return x


def triangle(x):
    total = 0.0
    for i in range(1, len(x)):
        total += np.sum(np.exp(x[:i] * x[i]) ** 2) * x[0]
    return total


def parts(params, x):
    h = np.tanh(params["w"] * x)
    return {"h": h, "both": (h[0] * params["b"], np.sum(h) ** 2)}


def turned(A):
    n, m = A.shape
    return np.sum(np.reshape(A.reshape(n * m), (m, n)), axis=0) * n


def signs(x):
    count, total = 0, 1.0
    for v in x:
        if v > 0.0:
            total, count = total * v + 1.0, count + 1
        else:
            total = np.sin(total)
    return total * count


class Scale:
    def __init__(self):
        self.a = np.arange(5.0)

    def times(self, x):
        return self.a * x * x


PULLED = [
    (chained, (X, 3), 0), (chained, (X, 0), 0), (triangle, (X,), 0), (turned, (M,), 0), (signs, (X,), 0),
    (parts, ({"w": X, "b": 2.0}, Y), (0, 1)), (newton, (7.0, 3.0), (0, 1)), (Scale().times, (X,), 0),
    (steps, (X, 0.3, 4), (0, 1)), (by_list, ([(G.normal(size=(5, 3)), np.zeros(3))], M), (0, 1)),
]  # fmt: skip


@pytest.mark.parametrize(("f", "args", "wrt"), PULLED, ids=[f.__name__ for f, _, _ in PULLED])
def test_pullbacks_are_those_of_numpy_mode_again_and_again(f, args, wrt):
    value, pullback = s2sad.vjp(f, wrt=wrt)(*args)
    compiled = s2sad.vjp(f, wrt=wrt, compile="numba")
    found, pulled = compiled(*args)
    assert np.allclose(flat(found), flat(value), rtol=1e-10)
    for scale in (1.0, 0.5, 1.0):
        cotangent = map_leaves(lambda leaf: np.cos(scale + np.arange(np.size(leaf)).reshape(np.shape(leaf))), value)  # noqa: B023
        assert np.allclose(flat(pulled(cotangent)), flat(pullback(cotangent)), rtol=1e-10)
    assert compiled.source.count("@numba.njit") >= 2


def test_jacobians_in_both_modes():
    for mode in ("forward", "reverse", None):
        assert np.allclose(jacobian(chained, mode=mode, compile="numba")(X, 2), jacobian(chained)(X, 2))


def lengths(points, centre):
    d = points - centre
    return np.sum(np.sqrt(np.sum(d * d, axis=1)) * np.cumsum(points[:, 0]))


def test_short_lengths_are_numbers_of_the_code():
    slope = grad(lengths, compile="numba")
    for n, m in ((6, 3), (6, 5), (3, 3), (2, 3), (6, 3), (7, 3), (1, 4), (4, 1)):
        points, centre = G.normal(size=(n, m)), G.normal(size=m)
        assert np.allclose(slope(points, centre), grad(lengths)(points, centre))
    made = slope.specialize(np.ones((6, 3)), np.ones(3))
    assert np.allclose(made(M[:, :3], X[:3]), grad(lengths)(M[:, :3], X[:3]))
    with pytest.raises(ValueError, match="other lengths"):
        made(M, X)


def differences(u, c):
    v = u.copy()
    for _ in range(3):
        v[1:-1] += c * (v[2:] - 2.0 * v[1:-1] + v[:-2])
        for i in range(1, len(v)):
            v[i] -= 0.1 * v[i - 1] * v[-2]
    return np.sum(v * v)


def behind_the_end(u, c):
    total = 0.0
    for i in range(len(u)):
        total += u[i] * u[i + 1] * c
    return total


def halo(u, v):
    return np.sum((u[2:] - u[:-2]) * np.sin(v))


def test_indices_that_are_in_range_for_certain_are_not_looked_at():
    slope = grad(differences, compile="numba")
    assert np.allclose(slope(Y, 0.3), grad(differences)(Y, 0.3))
    assert "boundscheck" not in slope.source
    with pytest.raises(ValueError, match="other lengths"):
        slope.specialize(Y, 0.3)(np.ones(1), 0.3)
    found = grad(behind_the_end, compile="numba")
    with pytest.raises(IndexError):
        found(X, 1.0)


def test_arrays_with_a_halo_are_as_long_as_they_are():
    slope = grad(halo, wrt=(0, 1), compile="numba")
    for n, m in ((9, 7), (12, 10), (9, 1)):
        u, v = G.normal(size=n), G.normal(size=m)
        assert np.allclose(flat(slope(u, v)), flat(grad(halo, wrt=(0, 1))(u, v)))


def test_options_are_said_in_the_text():
    slope = grad(walk, compile="numba", compile_options={"boundscheck": False, "fastmath": True})
    assert np.allclose(slope(X, 0.7), grad(walk)(X, 0.7))
    assert '@numba.njit(error_model="numpy", fastmath={"afn", "arcp", "contract", "nsz", "reassoc"})' in slope.source


@pytest.mark.long
@pytest.mark.parametrize("f", [normed, gathered, calls, picked_after_a_scatter, centred], ids=lambda f: f.__name__)
def test_loops_in_threads_give_the_same(f):
    args = {normed: (M,), gathered: (X, np.array([0, 2, 2, 4])), calls: (X, Y), centred: (M,),
            picked_after_a_scatter: (X, np.array([0, 3, 3]), Y[:3])}[f]  # fmt: skip
    found = grad(f, compile="numba", compile_options={"parallel": True})(*args)
    assert np.allclose(found, grad(f)(*args), rtol=1e-10)


def row_times(A, k):
    return np.sum(A[k] * A[k] * np.sin(A[k]))


@pytest.mark.long
def test_what_may_raise_stays_in_one_thread():
    slope = grad(row_times, compile="numba", compile_options={"parallel": True})
    assert np.allclose(slope(M, 3), grad(row_times)(M, 3)) and "prange" not in slope.source
    with pytest.raises(IndexError):
        slope(M, 9)
    assert "parallel" not in slope.source  # (without such loops, Numba's own threads have nothing to do)


MODULE = """
import numpy as np

def walk(x: "f8[n]", k: float):
    x = x.copy()
    for i in range(1, len(x)):
        x[i] += k * x[i - 1]
    return np.sum(x * x)

def anything(x, y):
    return np.sum(x * y)
"""


def command(*given, cwd):
    return subprocess.run([sys.executable, "-m", "s2sad", *given], cwd=cwd, capture_output=True, text=True)


def test_a_built_module_needs_numpy_and_numba_alone(tmp_path):
    (tmp_path / "model.py").write_text(MODULE)
    made = command("build", "model.py:walk", "--compile", "numba", "-o", "walk_grad.py", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    run = "import sys, numpy, walk_grad; print(walk_grad.grad_walk(numpy.ones(3), 1.0));"
    run += "assert 's2sad' not in sys.modules"
    out = subprocess.run([sys.executable, "-c", run], cwd=tmp_path, capture_output=True, text=True)
    assert out.stdout.split() == ["[12.", "10.", "6.]"], out.stderr


@pytest.mark.long
def test_kinds_that_are_not_known_are_asked_for(tmp_path):
    (tmp_path / "model.py").write_text(MODULE)
    made = command("show", "model.py:anything", "--compile", "numba", cwd=tmp_path)
    assert made.returncode and "--args" in made.stderr


@pytest.mark.long
def test_what_takes_numbers_alone_is_a_kernel_itself():
    from numba.core.dispatcher import Dispatcher

    def product(x: float, y: float):
        return math.sin(x) * y

    def powers(x, n=2):
        return x**n

    for operator, given in ((grad, ()), (value_and_grad, ()), (jvp, (1.0,))):
        assert isinstance(operator(product, compile="numba").specialize(0.5, 2.0, *given), Dispatcher)
    assert not isinstance(grad(powers, compile="numba").specialize(3.0), Dispatcher)  # its default is Python's
    twice = grad(grad(product, compile="numba"), wrt="y", compile="numba")
    assert twice(0.5, 2.0) == twice(y=2.0, x=0.5) == grad(grad(product), wrt="y")(0.5, 2.0)


def test_kernels_are_kept_for_the_next_process(tmp_path, monkeypatch):
    monkeypatch.setenv("S2SAD_CACHE", str(tmp_path / "kept"))
    (tmp_path / "model.py").write_text(MODULE)
    run = (
        "import numpy as np, s2sad, model;"
        "g = s2sad.grad(model.walk, compile='numba', compile_options={'cache': True});"
        "print(g(np.ones(3), 1.0)); k = g.specialize(np.ones(3), 1.0).__globals__['grad_walk_kernel'];"
        "import sys; print(sum(k.stats.cache_hits.values()), 's2sad.derive' in sys.modules)"
    )
    for expected in (["0", "True"], ["1", "False"]):  # (the second derives nothing)
        out = subprocess.run([sys.executable, "-c", run], cwd=tmp_path, capture_output=True, text=True)
        assert out.stdout.split()[-2:] == expected, out.stderr
    assert not list((tmp_path / "kept").glob("*.tmp"))


def returns_at_once(x, y, k):
    if k > 2:
        z = x * y
        w = np.array([x, y, z])
    elif k > 1:
        z = x + y
        w = np.array([y, x, z * 2])
    else:
        return np.array([x * y, x])
    return w * z


@pytest.mark.parametrize("k", [3, 2, 0])
def test_a_pullback_is_given_what_its_branch_has_kept(k):
    value, pullback = vjp(returns_at_once, wrt=("x", "y"), compile="numba")(0.3, 0.7, k)
    expected, back = vjp(returns_at_once, wrt=("x", "y"))(0.3, 0.7, k)
    cotangent = np.arange(1.0, 1.0 + len(expected))
    np.testing.assert_allclose(value, expected)
    np.testing.assert_allclose(pullback(cotangent), back(cotangent))
