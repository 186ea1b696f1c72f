"""What is left out of a value has a zero derivative, also where the slopes on the way are infinite.

A table: each way of leaving elements out, crossed with functions whose slopes are infinite (or do not exist) at 0, in
both modes and in second order, against differences in the elements that are left in.
"""

import linecache
import math

import numpy as np
import pytest

import s2sad
from s2sad import grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp
from s2sad.runtime.helpers import product_with_zeros
from tests import amounts, numeric

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

#: statements that change y, and the result; m is x > 0 and x[0] is 0
WAYS = {
    "mask": "np.sum(y[m])",
    "mask stored": "y[~m] = 0.0; np.sum(y)",
    "mask replaced": "y[m] = 2.0 * y[m]; y[~m] = 1.0; np.sum(y)",
    "mask subtracted": "h = np.ones_like(x); h[m] -= y[m]; np.sum(h)",
    "slice": "np.sum(y[1:])",
    "indices": "np.sum(y[[1, 2]])",
    "found indices": "np.sum(y[np.flatnonzero(m)])",
    "elements": "y[1] + y[2]",
    "element stored": "y[0] = 0.0; np.sum(y)",
    "slice stored": "y[:1] = 0.0; np.sum(y)",
    "all stored": "y[...] = np.where(m, y, 1.0); np.sum(y)",
    "triu": "np.sum(np.triu(np.outer(np.ones(3), y), 1))",
    "tril": "np.sum(np.tril(y[:, None] * np.ones(3), -1))",
    "diag": "np.sum(np.diag(np.diag(y))[1:])",
    "fill_diagonal": "z = np.outer(y, np.ones(3)); z[0] = 0.0; np.fill_diagonal(z, 1.0); np.sum(z)",
    "delete": "np.sum(np.delete(y, 0))",
    "take": "np.sum(np.take(y, [1, 2]))",
    "compress": "np.sum(np.compress(m, y))",
    "extract": "np.sum(np.extract(m, y))",
    "where": "np.sum(np.where(m, y, 0.0))",
    "select": "np.sum(np.select([m], [y], 0.0))",
    "choose": "np.sum(np.choose(m.astype(int), [np.zeros(3), y]))",
    "sum where": "np.sum(y, where=m)",
    "mean where": "np.mean(y, where=m)",
    "ufunc where": "z = np.zeros(3); np.multiply(y, 2.0, out=z, where=m); np.sum(z)",
    "copyto": "np.copyto(y, 0.0, where=~m); np.sum(y)",
    "putmask": "np.putmask(y, ~m, 0.0); np.sum(y)",
    "split": "np.sum(np.split(y, [1])[1])",
    "branch": "np.sum(y[1:]) if n > 0 else np.sum(y)",
    "rolled": "np.sum(np.roll(y, 1)[[0, 2]])",
    "reshaped": "np.sum(y.reshape(3, 1)[1:])",
    "joined": "np.sum(np.concatenate([y, y])[4:])",
    "cumulated": "np.cumsum(y[::-1])[1]",
    "in a function": "later(y)",
    "in a recursion": "doubled(y, n)",
    "in a comprehension": "sum([v for v, k in zip(y, m) if k])",
    "unpacked": "a, b, c = y; b + c",
    "unpacked rows": "a, b = np.stack([y, y], axis=1)[:2]; np.sum(b)",
    "repeated": "np.sum(np.repeat(y, [0, 1, 2]))",
    "repeated as counted": "k = m.astype(int); np.sum(np.repeat(y, k))",
    "all replaced, then one": "z = np.zeros(3); z[:] = y; z[0] = 1.0; np.sum(z)",
    "subtracted, squared": "h = np.ones(3); h[m] -= y[m]; np.sum(h * h)",
    "outer": "np.sum(np.outer(y, y)[1:, 1:])",
    "outer, a diagonal": "np.sum(np.diag(np.outer(y, y))[1:3])",
    "outer, beside the diagonal": "np.sum(np.diagonal(np.outer(y, y), 1)[1:])",
    "outer, tril": "np.sum(np.tril(np.outer(y, y), -1)[1:, 1:])",
    "outer, one item": "np.outer(y, y)[1, 2]",
    "outer, rows and columns": "np.sum(np.outer(y, y)[np.ix_([1, 2], [1, 2])])",
    "broadcast product": "np.sum((y[:, None] * y)[1:, 1:])",
    "broadcast quotient": "np.sum((y[:, None] / (1.0 + y))[1:, 1:])",
    "meshgrid": "a, b = np.meshgrid(y, y); np.sum((a * b)[1:, 1:])",
    "matrix product": "A = np.stack([y, y]); np.sum((A.T @ A)[1:, 1:])",
    "matrix and vector": "A = np.outer(y, np.ones(3)); np.sum((A @ np.arange(3.0))[1:])",
    "einsum": "np.sum(np.einsum('i,j->ij', y, y)[1:, 1:])",
    "tensordot": "np.sum(np.tensordot(y, y, 0)[1:, 1:])",
    "kron": "np.sum(np.kron(y, y)[4:6])",
    "trace": "np.trace(np.outer(y, y)[1:, 1:])",
    "number and vector": "c = np.sum(y[1:]); np.sum((c * y)[1:])",
    "reduceat": "np.sum(np.add.reduceat(y, [1]))",
    "partition": "np.sum(np.partition(np.where(m, y, -9.0), 1)[1:])",
    "place": "np.place(y, ~m, [0.0]); np.sum(y)",
    "put": "np.put(y, [0], 0.0); np.sum(y)",
    "largest, where": "np.max(y, where=m, initial=-9.0)",
    "product, where": "np.prod(y, where=m)",
    "spread, where": "np.std(y, where=m)",
    "without nan": "np.nansum(np.where(m, y, np.nan))",
    "left by a continue": "t = 0.0; for i in range(3): t += 0.0 if x[i] == 0 else y[i]; t",
    "dropped from a dict": "d = {'a': y[0], 'b': y[1], 'c': y[2]}; d.pop('a'); d['b'] * d['c']",
    "indices of a triangle": "A = np.stack([y, y, y]); np.sum(A[np.triu_indices(3, 1)])",
    "floor": "np.sum(np.maximum(np.where(m, y, -9.0), -8.0))",
}
#: of x, which has a 0 in front
SLOPES = {
    "sqrt": "np.sqrt(x)",
    "cbrt": "np.cbrt(x)",
    "power": "x ** 0.3",
    "active power": "x ** p",
    "negative power": "x ** -1.5",
    "log": "np.log(x)",
    "log1p": "np.log1p(x - 1.0)",
    "x log x": "x * np.log(x)",
    "inverse": "1.0 / x",
    "quotient": "np.sin(x) / x",
    "reciprocal": "np.reciprocal(x)",
    "arcsin": "np.arcsin(1.0 - x)",
    "arccos": "np.arccos(1.0 - x)",
    "arccosh": "np.arccosh(1.0 + x)",
    "arctanh": "np.arctanh(1.0 - x)",
    "root of a square": "np.sqrt(x * x)",
    "norm": "np.linalg.norm(np.stack([x, x]), axis=0)",
    "hypot": "np.hypot(x, x)",
    "std": "np.std(np.stack([x, 2.0 * x]), axis=0)",
    "root of a sum": "np.sqrt(np.sum(np.outer(x, x) * np.eye(3), axis=1))",
    "exp": "np.exp(1.0 / x)",
}
X, M = np.array([0.0, 0.7, 0.9]), np.array([False, True, True])


def later(y):
    return np.sum(y[1:])


def doubled(y, n):
    if n > 0:
        return doubled(2.0 * y, n - 1)
    return np.sum(y[1:])


def program(way, slope):
    *statements, result = WAYS[way].split("; ")
    lines = ["def f(x, m, n=1, p=0.5):", f"    y = {SLOPES[slope]}", *(f"    {s}" for s in statements)]
    text = "\n".join([*lines, f"    return {result}", ""])
    name = f"<{way}, {slope}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace = {"np": np, "later": later, "doubled": doubled}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


def differences(f, at, step=1e-5):
    """Central differences in the elements that are left in; 0 for the first."""
    found = [np.zeros_like(np.asarray(f(at)))]
    for e in np.eye(3)[1:] * step:
        found.append((f(at + e) - f(at - e)) / (2.0 * step))
    return np.array(found)


def pairs(*shifts):
    slopes = list(SLOPES)
    found = {(w, slopes[(i + s) % len(slopes)]) for i, w in enumerate(WAYS) for s in shifts}
    return sorted(found | {("slice", s) for s in slopes} | {("mask stored", s) for s in slopes})


#: each way with one slope; with two of them with S2SAD_TESTS=all
SHIFTS = (0, 7) if amounts.ALL else (0,)


@pytest.mark.parametrize(("way", "slope"), pairs(*SHIFTS))
def test_first_order(way, slope):
    f = program(way, slope)
    expected = differences(lambda x: f(x, M), X)
    assert np.allclose(grad(f)(X.copy(), M), expected, rtol=1e-5, atol=1e-8)
    for e, slope_there in zip(np.eye(3)[1:], expected[1:], strict=True):
        assert np.isclose(jvp(f)(X.copy(), M, e)[1], slope_there, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize(("way", "slope"), [(w, ("sqrt", "log", "power")[i % 3]) for i, w in enumerate(WAYS)])
def test_second_order(way, slope):
    f = program(way, slope)
    expected = differences(lambda x: grad(f)(x, M), X)
    assert np.allclose(hessian(f)(X.copy(), M)[1:, 1:], expected[1:, 1:], rtol=1e-5, atol=1e-6)
    assert np.allclose(hvp(f)(X.copy(), M, np.array([0.0, 1.0, 0.0])), expected[1], rtol=1e-5, atol=1e-6)


# --- what is chosen before the slope, and what is constant


def floor_in_root(x):
    return np.sum(np.sqrt(np.maximum(x - 0.8, 0.0)))


def clip_in_root(x):
    return np.sum(np.sqrt(np.clip(x - 0.8, 0.0, 1.0)))


def where_in_root(x):
    return np.sum(np.sqrt(np.where(x > 0.8, x - 0.8, 0.0)))


def root_under_floor(x):
    return np.sum(np.maximum(np.sqrt(x), 0.5))


def masked_product(x):
    return np.sum(np.sqrt(x) * (x > 0.5))


def root_of_stored(x):
    y = np.zeros(4)
    y[1:3] = x[1:]
    return np.sum(np.sqrt(y))


def root_of_joined(x):
    return np.sum(np.sqrt(np.concatenate([np.zeros(2), x[1:]])))


def roots_by_element(x):
    y = np.sqrt(x)
    total = 0.0
    for i in range(3):
        if x[i] > 0.0:
            total += y[i]
    return total


def largest_root(x):
    return np.max(np.sqrt(x))


def tent(x):  # of NPBench and others: what is subtracted is masked
    d = np.sqrt(np.maximum(0.04 - np.abs(x - 0.9), 0.0))
    h = np.ones(3)
    h[d > 0.0] -= d[d > 0.0]
    return np.sum(h * h)


CHOSEN = [floor_in_root, clip_in_root, where_in_root, root_under_floor, masked_product, root_of_stored]
CHOSEN += [root_of_joined, roots_by_element, largest_root, tent]


@pytest.mark.parametrize("f", CHOSEN, ids=lambda f: f.__name__)
def test_chosen(f):
    x = np.array([0.0, 0.7, 0.87])
    expected = differences(f, x)
    assert np.allclose(grad(f)(x), expected, rtol=1e-5, atol=1e-8)
    assert np.allclose([jvp(f)(x, e)[1] for e in np.eye(3)[1:]], expected[1:], rtol=1e-5, atol=1e-8)


# --- items of lists: their slopes are those of Python's numbers, which raise where they are infinite

#: statements that change r, a list of roots, and the result
LISTS = {
    "items": "r[1] + r[2]",
    "slice": "sum(r[1:])",
    "joined": "q = r[1:2] + r[2:]; q[0] * q[1]",
    "under a condition": "sum(v for v, k in zip(r, x) if k > 0.0)",
    "late loop": "t = 0.0; for i in range(1, 3): t += r[i]; t",
    "branch in a loop": "t = 0.0; for i in range(3): t += r[i] if x[i] > 0.0 else 0.0; t",
    "popped": "r.pop() * r.pop()",
    "thrown away": "r.pop(0); sum(r)",
    "deleted": "del r[0]; sum(r)",
    "replaced": "r[0] = 1.0; sum(r)",
    "largest": "max(r)",
    "sorted": "sorted(r)[-1]",
    "array": "np.sum(np.array(r)[1:])",
    "in a function": "read(r)",
    "in a list": "q = [r, r]; q[1][2]",
    "tuples": "q = [(v, w) for v, w in zip(r, x)]; q[1][0] * q[2][1]",
}


def read(r):
    return r[1] * r[2]


def roots_of(x):
    return [math.sqrt(v) for v in x]


def fill(r, x):
    for v in x:
        r.append(math.sqrt(v))


MADE = {
    "comprehension": "r = [math.sqrt(v) for v in x]",
    "powers": "r = [v ** 0.5 for v in x]",
    "loop": "r = []; for v in x: r.append(math.sqrt(v))",
    "stores": "r = [0.0] * len(x); for i, v in enumerate(x): r[i] = math.sqrt(v)",
    "function": "r = roots_of(x)",
    "function that appends": "r = []; fill(r, x)",
}


def program_of_list(made, way):
    lines = [s for text in (MADE[made], LISTS[way]) for s in text.split("; ")]
    text = "\n".join(["def f(x):", *(f"    {s}" for s in lines[:-1]), f"    return {lines[-1]}", ""])
    name = f"<{made}, {way}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace = {"np": np, "math": math, "read": read, "roots_of": roots_of, "fill": fill}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


PAIRS = {("comprehension", w) for w in LISTS} | {(m, "items") for m in MADE} | {("stores", "slice")}


@pytest.mark.parametrize(("made", "way"), sorted(PAIRS))
def test_items_of_lists(made, way):
    f, x, e = program_of_list(made, way), np.array([0.0, 0.7, 0.9]), np.array([0.0, 1.0, 0.0])
    expected = differences(f, x)
    for options in ({}, {"strong_zero": True}):
        assert np.allclose(grad(f, **options)(x), expected, rtol=1e-5, atol=1e-8)
        assert np.isclose(jvp(f, **options)(x, e)[1], expected[1], rtol=1e-5, atol=1e-8)
        second = differences(grad(f, **options), x)[1]
        assert np.allclose(hvp(f, **options)(x, e), second, rtol=1e-5, atol=1e-6)


# --- sums of products: what is infinite in one element is kept from the sum


def outer_squared(x):
    y = np.sqrt(x)
    return np.sum(np.outer(y, y)[1:, 1:] ** 2)


def gram_squared(x):
    A = np.stack([np.sqrt(x), x])
    return np.sum((A.T @ A)[1:, 1:] ** 2)


def einsum_squared(x):
    y = np.sqrt(x)
    return np.sum(np.einsum("i,j->ij", y, y)[1:, 1:] ** 2)


def tensordot_squared(x):
    y = np.sqrt(x)
    return np.sum(np.tensordot(y, y, 0)[1:, 1:] ** 2)


SQUARED = [outer_squared, gram_squared, einsum_squared, tensordot_squared]


@pytest.mark.parametrize("f", SQUARED, ids=lambda f: f.__name__)
def test_sums_of_products(f):
    x, e = np.array([0.0, 0.7, 0.9]), np.array([0.0, 1.0, 0.0])
    expected = differences(grad(f), x)
    for options in ({}, {"strong_zero": True}):
        assert np.allclose(hvp(f, **options)(x, e), expected[1], rtol=1e-5, atol=1e-8)
        assert np.allclose(hessian(f, **options)(x)[1:, 1:], expected[1:, 1:], rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("multiply", [np.matmul, np.dot, np.vdot, np.inner, np.outer, np.kron])
def test_a_product_with_zeros_is_linear_in_its_factors(multiply):
    def f(a, b):
        return np.sum(product_with_zeros(multiply, 0, a, b) ** 2)

    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(3, 3)), rng.normal(size=(3, 3))
    a[0] = 0.0
    numeric.check_reverse(f, (a, b), (0, 1))
    numeric.check_forward(f, (a, b), (0, 1))


def test_a_product_with_zeros_leaves_out_what_they_meet():
    a, b = np.array([[0.0, 2.0], [0.0, 0.0]]), np.array([np.nan, 3.0])
    assert np.array_equal(product_with_zeros(np.matmul, 0, a, b), [6.0, 0.0])
    assert np.array_equal(product_with_zeros(np.matmul, 1, b, a.T), [6.0, 0.0])
    assert np.isnan(product_with_zeros(np.matmul, 0, a + 1.0, b)).all()
    assert np.array_equal(product_with_zeros(np.einsum, 1, "ij,j->i", a, b), [6.0, 0.0])


def subtracted_and_squared(x):
    y, h, m = np.sqrt(x), np.ones(3), x > 0.0
    h[m] -= y[m]
    return np.sum(h * h)


def test_gradient_of_a_gradient():
    x = np.array([0.0, 0.7, 0.9])
    slope = grad(subtracted_and_squared)

    def component(x):
        return slope(x)[1]

    assert np.allclose(grad(component)(x), differences(component, x), rtol=1e-5, atol=1e-8)


# --- rank 0


def root_where(n):
    return np.where(n > 0, np.sqrt(n), 0.0)


def root_selected(n):
    return np.select([n > 0, n < 0], [np.sqrt(n), n], 0.0)


def root_chosen(n):
    return np.choose(int(n > 0), [0.0, np.sqrt(n)])


def root_or_zero(n):
    return math.sqrt(n) if n > 0 else 0.0


def root_read_in_branch(n):
    t = np.sqrt(n)
    return t if n > 0 else 0.0


def product_where(n):
    return np.where(n > 0, n * np.log(n), 0.0)


def root_times_mask(n):
    return np.sqrt(n) * (n > 0)


def sine_where_not(n):
    return np.where(n <= 0, 0.0, 3.0 * np.sin(np.sqrt(n)))


def roots_multiplied(n):
    a, b = math.sqrt(n), n**0.3
    return np.where(n > 0, math.sin(a * b) + math.acosh(1.0 + n), 0.0)


def root_or_nothing(n):
    t = math.sqrt(n)
    if n > 0:
        return t
    return 2.0 * n


def root_in_a_chain(n):
    t = 2.0 * math.sqrt(n) / (1.0 + n)  # steep, then slopes that are finite
    return np.where(n > 0, t * (3.0 + t) - t / 4.0, 0.0)


def root_of_a_chain(n):
    a = n / (3.0 + n)  # finite, then steep, then finite, then steep again
    b = 5.0 * a * a / (2.0 + a) + math.sqrt(a)
    return np.where(n > 0, 2.0 * b * b - math.sqrt(b / (1.0 + a)), 0.0)


def chain_through_an_infinite_factor(n):
    k = np.float64(1.0) / np.float64(n)  # finite slopes, of which one is infinite as a number
    t = np.sqrt(n) * (2.0 * n)
    return np.where(n > 0, t * k + t, 0.0)


def root_of_both(n):
    return np.where(n > 0, math.sqrt(n * (n * n)), 0.0)


def root_dropped(n):
    d = {"root": math.sqrt(n), "square": n * n}
    del d["root"]
    return sum(d.values())


def root_of_a_function(n):
    return np.where(n > 0, kept_root(n) + kept_root(n + 1.0) * kept_root(n * 2.0), 0.0)


def kept_root(n):
    return math.sqrt(n)


def root_skipped(n):
    t = 0.0
    for k in range(3):
        r = math.sqrt(n * k)
        if r == 0.0:
            continue
        t += r
    return t


#: of Python's numbers: a slope that is infinite raises where it is not left out
NUMBERS = {
    roots_multiplied: 0.0, root_in_a_chain: 0.0, root_of_a_chain: 0.0, root_or_nothing: 2.0, root_of_both: 0.0,
    root_dropped: 0.0, root_of_a_function: 0.0, root_skipped: 0.0,
    (lambda n: np.where(n > 0, math.sqrt(n), 0.0)): 0.0, (lambda n: max(math.sqrt(n), 0.5)): 0.0,
    (lambda n: np.clip(math.sqrt(n), 0.5, 2.0)): 0.0, (lambda n: math.sqrt(n) * (n > 0)): 0.0,
    (lambda n: [math.sqrt(n), n][1]): 1.0, (lambda n: np.array([math.sqrt(n), n, 3.0])[1:] @ np.ones(2)): 1.0,
    (lambda n: np.select([n > 0], [n**0.5 * math.log1p(n)], 2.0 * n)): 2.0,
}  # fmt: skip


@pytest.mark.parametrize("f", NUMBERS, ids=range(len(NUMBERS)))
def test_slopes_of_numbers_that_are_left_out(f):
    for options in ({}, {"strong_zero": True}):
        assert grad(f, **options)(0.0) == NUMBERS[f]
        assert jvp(f, **options)(0.0, 1.0)[1] == NUMBERS[f]
    assert np.isclose(jvp(f)(0.4, 1.0)[1], (f(0.4 + 1e-6) - f(0.4 - 1e-6)) / 2e-6)


def test_slopes_of_numbers_that_are_not_left_out_raise():
    for f in (math.sqrt, lambda n: math.sqrt(n) if n > -1.0 else 0.0, lambda n: math.sqrt(n) + 2.0 * n):
        with pytest.raises(ZeroDivisionError):
            jvp(lambda n, f=f: f(n))(0.0, 1.0)


RANK_0 = [root_where, root_selected, root_chosen, root_or_zero, root_read_in_branch, product_where, root_times_mask]
RANK_0 += [sine_where_not, chain_through_an_infinite_factor]


@pytest.mark.parametrize("f", RANK_0, ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [0.0, np.float64(0.0), np.array(0.0)], ids=["float", "float64", "array"])
def test_rank_0(f, n):
    assert grad(f)(n) == 0.0
    assert jvp(f)(n, n + 1.0 if n.__class__ is not np.ndarray else np.array(1.0))[1] == 0.0
    assert hessian(f)(n) == 0.0
    above = n + 0.25 if n.__class__ is not np.ndarray else np.array(0.25)
    assert np.isclose(grad(f)(above), (f(0.25 + 1e-6) - f(0.25 - 1e-6)) / 2e-6)


@pytest.mark.parametrize("f", [floor_in_root, clip_in_root], ids=lambda f: f.__name__)
def test_rank_0_below_a_bound(f):
    assert grad(f)(np.float64(0.5)) == 0.0
    assert jvp(f)(np.float64(0.5), 1.0)[1] == 0.0


def of_element(x):
    return np.where(x[0] > 0, np.sqrt(x[0]), 0.0) + x[1]


def of_sum(x):
    s = np.sum(x * x)
    return np.where(s > 0, np.sqrt(s), 0.0)


def unit_component(x):
    n = np.linalg.norm(x)
    return np.where(n > 0, x[0] / n, 0.0)


@pytest.mark.parametrize(("f", "expected"), [(of_element, [0, 1]), (of_sum, [0, 0]), (unit_component, [0, 0])])
def test_rank_0_of_arrays(f, expected):
    assert np.array_equal(grad(f)(np.zeros(2)), expected)
    assert [jvp(f)(np.zeros(2), e)[1] for e in np.eye(2)] == expected


# --- no way, no cost


def repeated(x):
    return np.sum(np.repeat(np.sqrt(x), 2)) + np.sum(np.repeat(np.sqrt(x), len(x)))


def all_items(x):
    r = [np.sqrt(v) for v in x]
    for _ in range(2):
        r.append(np.sqrt(r[-1] + r[0]))
    total = 0.0
    for i in range(len(r)):
        total += r[i]
    return total


def softplus_norm(x):
    return np.sum(np.sqrt(x)) + np.linalg.norm(x[1:]) / np.sqrt(1.0 + x[0] * x[0])


def kept_positive(x):
    return np.sum(np.log(1.0 + x * x)[1:]) + np.sum((x / np.sqrt(np.var(x) + 1e-5))[:1])


@pytest.mark.parametrize("f", [softplus_norm, kept_positive, repeated], ids=lambda f: f.__name__)
def test_no_cost(f):
    for operator in (grad, jvp):
        derivative = operator(f)
        derivative.specialize(*([np.ones(3)] * (1 + (operator is jvp))))
        assert "!= 0.0" not in derivative.source


def test_no_cost_of_lists():
    derivative = grad(all_items)
    derivative.specialize(np.ones(3))
    assert " if " not in derivative.source


# --- NPBench's nbody, as it stands


def getAcc(pos, mass, G, softening):
    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z
    inv_r3 = dx**2 + dy**2 + dz**2 + softening**2
    inv_r3[inv_r3 > 0] = inv_r3[inv_r3 > 0] ** (-1.5)
    ax = G * (dx * inv_r3) @ mass
    ay = G * (dy * inv_r3) @ mass
    az = G * (dz * inv_r3) @ mass
    a = np.hstack((ax, ay, az))
    return a


def getEnergy(pos, vel, mass, G):
    KE = 0.5 * np.sum(mass * vel**2)
    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z
    inv_r = np.sqrt(dx**2 + dy**2 + dz**2)
    inv_r[inv_r > 0] = 1.0 / inv_r[inv_r > 0]
    PE = G * np.sum(np.sum(np.triu(-(mass * mass.T) * inv_r, 1)))
    return KE, PE


def nbody(mass, pos, vel, N, Nt, dt, G, softening):
    vel -= np.mean(mass * vel, axis=0) / np.mean(mass)
    acc = getAcc(pos, mass, G, softening)
    KE = np.ndarray(Nt + 1, dtype=np.float64)
    PE = np.ndarray(Nt + 1, dtype=np.float64)
    KE[0], PE[0] = getEnergy(pos, vel, mass, G)
    t = 0.0
    for i in range(Nt):
        vel += acc * dt / 2.0
        pos += vel * dt
        acc = getAcc(pos, mass, G, softening)
        vel += acc * dt / 2.0
        t += dt
        KE[i + 1], PE[i + 1] = getEnergy(pos, vel, mass, G)
    return KE, PE


def drift(mass, pos, vel, N, Nt, dt, G, softening):
    KE, PE = nbody(mass, pos, vel, N, Nt, dt, G, softening)
    return np.sum((KE + PE) ** 2)


@pytest.mark.parametrize("softening", [0.1, 0.0])
def test_nbody(softening):
    rng = np.random.default_rng(0)
    at = [20.0 * rng.uniform(0.5, 1.5, (5, 1)) / 5, rng.uniform(size=(5, 3)), rng.uniform(size=(5, 3))]
    rest = 5, 3, 0.01, 1.0, softening
    along = [rng.standard_normal(v.shape) for v in at]

    def moved(step):
        return drift(*[v + step * a for v, a in zip(at, along, strict=True)], *rest)

    h = 1e-5
    expected = (8.0 * (moved(h) - moved(-h)) - (moved(2.0 * h) - moved(-2.0 * h))) / (12.0 * h)
    value, gradients = value_and_grad(drift, wrt=(0, 1, 2))(*at, *rest)
    assert np.isclose(value, moved(0.0))
    assert np.isclose(sum(np.sum(g * a) for g, a in zip(gradients, along, strict=True)), expected, rtol=1e-6)
    assert np.isclose(jvp(drift, wrt=(0, 1, 2))(*at, *rest, tuple(along))[1], expected, rtol=1e-6)


# --- strong_zero


def weighted(x, w):
    return np.sum(w * np.sqrt(x))


def weighted_norms(x, w):
    return np.sum(np.log(np.abs(x)) * w)


W = np.array([0.0, 1.0, 2.0])


@pytest.mark.parametrize("f", [weighted, weighted_norms], ids=lambda f: f.__name__)
def test_strong_zero(f):
    x, e = np.array([0.0, 0.7, 0.9]), np.array([0.0, 1.0, 0.0])
    here = W[1:] / (2.0 * np.sqrt(x[1:])) if f is weighted else W[1:] / x[1:]
    second = -W[1:] / (4.0 * x[1:] ** 1.5) if f is weighted else -W[1:] / x[1:] ** 2
    expected = np.array([0.0, *here])
    assert np.isnan(grad(f)(x, W)[0])
    assert np.allclose(grad(f, strong_zero=True)(x, W), expected)
    assert np.allclose(value_and_grad(f, strong_zero=True)(x, W)[1], expected)
    assert np.allclose(vjp(f, strong_zero=True)(x, W)[1](1.0), expected)
    assert np.allclose(jacobian(f, mode="reverse", strong_zero=True)(x, W), expected)
    assert np.isnan(jvp(f)(x, W, e)[1])
    assert np.isclose(jvp(f, strong_zero=True)(x, W, e)[1], here[0])
    assert np.allclose(jacobian(f, mode="forward", strong_zero=True)(x, W)[1:], here)
    assert np.allclose(hessian(f, strong_zero=True)(x, W), np.diag([0.0, *second]))
    assert np.allclose(hvp(f, strong_zero=True)(x, W, e), [0.0, second[0], 0.0])


def test_strong_zero_is_part_of_the_request():
    @grad(strong_zero=True)
    def scaled(x, k=0.0):
        return k * math.sqrt(x)

    assert scaled(0.0) == 0.0 and scaled(4.0, 2.0) == 0.5
    with pytest.raises(ZeroDivisionError):
        grad(scaled.primal)(0.0)
    assert scaled(0.0) == 0.0
    assert s2sad.grad(scaled.primal, strong_zero=True)(0.0) == 0.0


def test_a_number_taken_from_a_selection_of_numbers():
    def f(d, x):
        return np.where(d > 0.0, x, 1.0)[()]

    assert s2sad.grad(f, wrt=1)(3.0, 0.3) == 1.0
    assert s2sad.grad(f, wrt=1)(-3.0, 0.3) == 0.0


def test_a_complex_number_divides_as_one():
    """Where a slope may be left out, its quotient is NumPy's, which does not raise: of complex numbers complex."""

    def f(x, y, v):
        z = x + 1j * v[0]
        z = z / (2.0 + z)
        y = math.tanh(z.imag)
        try:
            y = math.sqrt(x)
        except ValueError:
            return math.tanh(x) * y
        return x + y + np.sum(v * v)

    numeric.check_forward(f, (0.3, 0.2, np.ones(2)), (0, 1, 2))


# --- what is left out because it is nan, in one of two branches

HOLES = np.array([1.0, np.nan, 3.0, 2.0])


def sum_or_median(x, t):
    a = x * HOLES
    if t > 1.0:
        return np.nanmedian(a)
    return np.nansum(a)


def sum_in_a_branch(x, t):
    a = np.exp(x * HOLES)
    y = 2.0 * x
    if t > 1.0:
        y = y + np.nanmean(a)
    return y


def largest_of_those_there(x, t):
    a = x * HOLES
    there = ~np.isnan(a)
    return np.max(a[there]) if t > 1.0 else np.sum(np.where(there, a * a, 0.0))


@pytest.mark.parametrize("t", [0.5, 1.5])
@pytest.mark.parametrize("f", [sum_or_median, sum_in_a_branch, largest_of_those_there])
def test_nan_is_left_out_in_one_of_two_branches(f, t):
    slope = (f(0.7 + 1e-6, t) - f(0.7 - 1e-6, t)) / 2e-6
    np.testing.assert_allclose(grad(f)(0.7, t), slope, rtol=1e-6)
    np.testing.assert_allclose(jvp(f)(0.7, t, 1.0)[1], slope, rtol=1e-6)


def stored_residual(x, z):
    q = (x - z) / x
    p = np.zeros_like(x)
    if np.size(q) > 0:
        p[:] = q
    return np.sum(p**2)


def added_residual(x, z):
    p = np.zeros_like(x)
    if x[0] > 0.1:
        p = p + (x - z) / x
    return np.sum(p**2)


def residual_of_elements(x, z):
    p = 0.0
    if x[1] > 0.1:
        p = p + (x[0] - z[0]) / math.sqrt(x[1]) * x[2]
    return p * p


def residuals_beside_what_is_left_out(x, z):
    r = np.sqrt(np.maximum(x - 0.5, 0.0)) - np.sqrt(np.maximum(z - 0.5, 0.0))
    return np.sum((r / x)[1:] ** 2)


RESIDUALS = [stored_residual, added_residual, residual_of_elements, residuals_beside_what_is_left_out]


@pytest.mark.parametrize("f", RESIDUALS, ids=lambda f: f.__name__)
def test_second_order_where_the_first_is_zero_by_chance(f):
    x = np.array([0.5, 1.0, 2.0])
    expected = np.array([(grad(f)(x + e, x) - grad(f)(x - e, x)) / 2e-6 for e in 1e-6 * np.eye(3)])
    left_out = f is residuals_beside_what_is_left_out
    if left_out:
        expected[0] = expected[:, 0] = 0.0  # the differences do not exist there
    assert np.count_nonzero(expected)
    assert np.allclose(hessian(f)(x, x.copy()), expected, rtol=1e-5, atol=1e-8)
    for v in np.eye(3)[left_out:]:
        assert np.allclose(hvp(f)(x, x.copy(), v), expected @ v, rtol=1e-5, atol=1e-8)
        assert np.allclose(grad(lambda x, z, v=v: grad(f)(x, z) @ v)(x, x.copy()), expected @ v, rtol=1e-5, atol=1e-8)
