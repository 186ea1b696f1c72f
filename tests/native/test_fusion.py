"""Array statements as loops: what they compute is what NumPy computes, and nothing is made that nobody reads."""

import gast
import numpy as np
import pytest

from s2sad.core import Facts, names_bound, quote_statements, text
from s2sad.kinds.kind import Array, Dim, Number
from s2sad.native import mathematics
from s2sad.native.fusion import with_fused_loops
from s2sad.native.subset import Subset

pytest.importorskip("numba")

n, m = Dim.symbol("n"), Dim.symbol("m")


def array(*shape, dtype=float):
    return Array(np.dtype(dtype), shape)


KINDS = {
    "x": array(n), "y": array(n), "c": array(m), "t": array(n - 2), "A": array(n, m), "B": array(n, m),
    "S": array(n, n), "i": array(n, dtype=int), "j": array(n, dtype=int), "w": array(Dim.symbol("q")),
    "s": Number(float), "k": Number(int),
}  # fmt: skip
G = np.random.default_rng(1)
VALUES = {
    "x": G.normal(size=5), "y": G.normal(size=5), "c": G.normal(size=3), "t": G.normal(size=3),
    "A": G.normal(size=(5, 3)), "B": G.normal(size=(5, 3)), "S": G.normal(size=(5, 5)), "w": G.normal(size=3),
    "i": np.array([0, 2, 2, 4, 1]), "j": np.array([1, 1, -1, 0, 3]), "s": 0.7, "k": 2,
}  # fmt: skip


def fused(source, raises=False, parallel=False):
    """The statements, and the functions that were made for them."""
    facts = Facts(kinds=dict(KINDS), globals={"np": np})
    statements = quote_statements(source)
    facts.taken.update(KINDS, *(names_bound(s) for s in statements))
    subset = Subset(facts)
    body = with_fused_loops(statements, subset, list(KINDS), raises, parallel)
    return "\n".join(map(text, body)), [gast.unparse(f) for f in subset.made.values()]


def run(*lines):
    """What is returned, and what the arguments hold then."""
    scope = {"np": np, **{name: np.copy(v) if isinstance(v, np.ndarray) else v for name, v in VALUES.items()}}
    lines = [line for text in lines for line in text.splitlines()]
    exec("\n".join([f"def f({', '.join(VALUES)}):"] + ["    " + line for line in lines]), scope)
    return scope["f"](*map(scope.get, VALUES)), [scope[name] for name in VALUES]


PROGRAMS = {
    "the same at all turns of a loop":
        "v = (s * (x * x) ** 1.5)[:, None] * A\nu = np.where(A > 0.0, (x * y)[:, None], v)\nreturn u * (c * s)",
    "chain": "v = x * y\nu = v + s\nreturn np.sum(u * u)",
    "shifts": "v = x[2:] - 2.0 * x[1:-1] + x[:-2]\nreturn s * v * v",
    "onto itself": "x[1:] += 2.0 * x[:-1]\nreturn x",
    "onto another part": "v = s * x[1:-1]\nx[1:-1] = 0.0\nx[2:] += v\nx[:-2] -= v\nreturn x",
    "read before and after": "v = x * s\nx *= 2.0\nu = x + v\nreturn u",
    "bound anew": "v = x * y\nx = x + v\nv = v * x\nreturn np.sum(v)",
    "backwards": "x += x[::-1]\nu = y[::-1] * x\nreturn np.sum(u)",
    "transposed": "B += (S.T * x)[:, :1] * A\nreturn B",
    "rows": "z = A - np.max(A, axis=1)[:, None]\ne = np.exp(z)\np = e / np.sum(e, axis=1)[:, None]\nreturn p",
    "columns": "z = A - np.mean(A, axis=0)\nreturn z / np.sqrt(np.mean(z * z, axis=0) + s)",
    "broadcast": "v = np.exp(c)\nB *= x[:, None] * v\nreturn np.sum(B * c, axis=0)",
    "a sum that is needed": "v = np.exp(x)\ntotal = np.sum(v)\nreturn v / total",
    "gathers and scatters": "d = A[i] - A[j]\nl = np.sum(d * d, axis=1)\ng = (s / (1.0 + l))[:, None] * d\n"
                            "np.add.at(B, i, g)\nnp.add.at(B, j, -g)\nreturn l",
    "reads what it scatters": "np.add.at(x, i, x * s)\nreturn x",
    "masks": "v = np.where((x > 0.0) & ~(y > s), x * s, -y)\nreturn np.where(v < 0.0, 0.0, v)",
    "products": "v = A @ c * s + x\nreturn A.T @ (v * v), (x * y) @ (x + v)",
    "powers": "v = x * x + 0.5\nreturn v**-1.5 + v**0.5 + v**2 + v**-2.5",
    "loops": "v = np.zeros_like(x)\nfor q in range(3):\n    u = x * q\n    v += u * u\nreturn v",
    "branches": "v = x * y\nif s > 0.0:\n    u = v * 2.0\nelse:\n    u = v - 1.0\nreturn u + v",
    "lengths": "v = x * y\nu = v + 1.0 / len(v)\nreturn u / v.size + v.shape[0]",
    "views": "v = x[1:-1]\nx[1:-1] += t\nreturn v * t",
    "aliases": "v = x\nx[1:] = y[1:] * 2.0\nreturn v * y",
    "outer": "return np.sum(np.outer(x, c) * A, axis=0)",
    "functions": "return np.sum(np.log(np.exp(x)) + np.tanh(y) + np.log1p(x * x) + np.minimum(x, y))",
    "two sums in one loop": "a = np.sum(x * y)\nb = np.sum(x * x)\nreturn a / b",
    "integers": "return i * x + (i - j) * s",
    "scatters into what is new": "v = x * y\nnp.add.at(v, i, y * s)\nreturn v * s",
    "scatters into a view": "v = np.exp(x)\nu = v[::-1]\nnp.add.at(u, i, y)\nu[1:] += x[1:]\nreturn u, v",
    "a branch that nobody reads": "if s > 0.0:\n    v = x * y\nelse:\n    x *= y\nreturn x",
    "its own old value": "v = x\nv = x * v - (v - y[::-1])\nx[1:-1] = t * y[1:-1]\nreturn v",
    "turned around": "y = y[::-1]\nreturn np.sum(x * y * x), y * s",
    "two that swap": "v = x + y\nu = x - y\nx[:] = v * s\ny[:] = u * s\nreturn v, u, x, y",
}  # fmt: skip


@pytest.mark.parametrize("raises", [False, True])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_loops_compute_what_the_statements_do(program, raises):
    body, made = fused(program, raises)
    found, expected = run(*made, body), run(program)
    for a, b in zip(found[0] if isinstance(found[0], tuple) else found[:1],
                    expected[0] if isinstance(expected[0], tuple) else expected[:1], strict=True):  # fmt: skip
        assert np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=1e-12)
    for a, b in zip(found[1], expected[1], strict=True):
        assert np.allclose(a, b, rtol=1e-12)


def test_what_nobody_reads_is_never_made():
    body, _ = fused(PROGRAMS["chain"])
    assert "np.empty" not in body and body.count("for ") == 1
    body, _ = fused(PROGRAMS["gathers and scatters"])
    assert body.count("np.empty") == 1 and "add.at" not in body  # the lengths that are returned


def test_loops_of_one_length_are_shared_where_nobody_reads_another_turn():
    assert fused("u = np.exp(x)\nv = np.exp(u)\nreturn u, v")[0].count("for ") == 1
    assert fused("u = np.exp(x)\nv = np.exp(u[1:] - u[:-1])\nreturn u, v")[0].count("for ") == 2
    assert fused("u = np.exp(x)\nv = np.exp(u[::-1] * y)\nreturn u, v")[0].count("for ") == 2


@pytest.mark.parametrize(
    ("source", "threads"),
    [
        ("return np.exp(x) * y", True), ("B *= x[:, None]", True), ("return np.sum(x * y)", True),
        ("np.add.at(x, i, y * s)", False), ("return np.sum(A * B, axis=0)", False),
        ("return np.sum(A * B, axis=1)", True),
        ("u = x * 2.0\nx[:] = np.exp(u) * s", True), ("return np.exp(x[i])", False),
    ],
)  # fmt: skip
def test_loops_run_in_threads_where_no_turn_touches_what_another_writes(source, threads):
    pytest.importorskip("numba")
    assert ("prange" in fused(source, parallel=True)[0]) == threads
    assert "prange" not in fused(source)[0]


def test_what_is_cheap_is_computed_again():
    body, _ = fused("v = x * y\na = np.sum(v)\nu = v / a\nreturn np.exp(u)")
    assert "v = " not in body.replace("v_i", "")


@pytest.mark.parametrize(
    "source", ["x[i] += 1.0", "y = w + x", "x += w", "x[:-3:2] += 1.0", "v = A @ c", "x[:] = y", "v = x[x > 0.0]"]
)
def test_statements_that_stay(source):
    assert fused(source)[0] == source


def test_divisions_of_elements_do_not_raise():
    assert "np.divide(x[i_1], y[i_1])" in fused("return np.exp(x / y)", raises=True)[0]


@pytest.mark.parametrize("name", ["exp", "log", "tanh", "log1p"])
def test_vector_functions_are_those_of_numpy(name):
    scope = {"np": np}
    for source in (mathematics.EXP, mathematics.LOG, mathematics.TANH, mathematics.LOG1P):
        exec(source, scope)
    g = np.random.default_rng(2)
    special = [0.0, -0.0, 1.0, -1.0, 1e-9, 709.0, -745.0, 1e-310, 1e300, np.inf, -np.inf, np.nan]
    points = [*special, *g.normal(size=200), *(30.0 * g.normal(size=200)), *(1e-3 * g.normal(size=50))]
    with np.errstate(all="ignore"):
        for x in map(np.float64, points):
            found, expected = scope[name](x), getattr(np, name)(x)
            assert np.isclose(found, expected, rtol=1e-15, atol=0.0, equal_nan=True), (x, found, expected)
            assert expected != 0.0 or np.signbit(found) == np.signbit(expected)


def test_what_does_not_depend_on_a_loop_stands_in_front_of_it():
    body, _ = fused("v = (s * x**1.5)[:, None] * A\nreturn v * 2.0")
    turns, inner = body.split("for j_1 in ")
    assert "sqrt" in turns and "sqrt" not in inner
